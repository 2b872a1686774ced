#include "protocol/record.h"

#include "protocol/depth.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The deepest: {"events":[{"body":{"moves":[{"from":…}]}}]} */
enum { DEPTH_MAX = 8 };

/* --- reading ---------------------------------------------------------------------------------- */

static bool fail(char words[RECORD_WORDS_BYTES], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, RECORD_WORDS_BYTES, format, arguments);
    va_end(arguments);
    return false;
}

static struct text text_at(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    if (!json_is_string(value))
        return (struct text){NULL, 0};
    return (struct text){json_string_value(value), json_string_length(value)};
}

static struct text bounded_text_at(const json_t *object, const char *name)
{
    struct text text = text_at(object, name);
    return text.length <= WORD_BYTES_MAX ? text : (struct text){NULL, 0};
}

static bool read_players(const json_t *root, struct record *record, char words[RECORD_WORDS_BYTES])
{
    const json_t *players = json_object_get(root, "players");
    json_int_t count = json_integer_value(players); /* 0 unless an integer */
    if (players != NULL && (count < 1 || count > PLAYER_COUNT_MAX))
        return fail(words, "players must be from 1 to %d", (int)PLAYER_COUNT_MAX);
    record->players = (int)count;
    return true;
}

static bool read_head(const json_t *root, struct record *record, char words[RECORD_WORDS_BYTES])
{
    const json_t *format = json_object_get(root, "senet_export");
    const json_t *events = json_object_get(root, "events");
    if (!json_is_integer(format))
        return fail(words, "this is not an exported game: there is no \"senet_export\"");
    if (json_integer_value(format) != RECORD_FORMAT)
        return fail(words, "this was exported by another server, in format %lld; here it is %d",
                    (long long)json_integer_value(format), (int)RECORD_FORMAT);
    record->room = bounded_text_at(root, "room");
    record->game = bounded_text_at(root, "game");
    record->title = bounded_text_at(root, "title");
    const char *visibility = json_string_value(json_object_get(root, "visibility"));
    record->is_private = visibility != NULL && strcmp(visibility, "private") == 0;
    record->definition = text_at(root, "definition");
    record->definition_hash = text_at(root, "definition_hash");
    if (!record->definition.data)
        return fail(words, "there is no definition");
    if (!json_is_array(events) || json_array_size(events) == 0)
        return fail(words, "there are no events");
    if (json_array_size(events) > EVENT_LOG_MAX)
        return fail(words, "there are %zu events; %d are the most", json_array_size(events),
                    (int)EVENT_LOG_MAX);
    record->event_count = (int)json_array_size(events);
    return read_players(root, record, words);
}

bool record_read(const char *text, size_t length, struct record *record,
                 char words[RECORD_WORDS_BYTES])
{
    json_error_t error;
    *record = (struct record){.document = NULL};
    if (!depth_within(text, length, DEPTH_MAX))
        return fail(words, "this is nested deeper than an exported game is");
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        return fail(words, "this is not JSON: line %d, column %d", error.line, error.column);
    record->document = root;
    if (json_is_object(root) && read_head(root, record, words))
        return true;
    if (!json_is_object(root))
        fail(words, "this is not an exported game: it is not an object");
    record_release(record);
    return false;
}

void record_release(struct record *record)
{
    json_decref(record->document);
    record->document = NULL;
}

bool record_read_event(const struct record *record, int index, struct event *event, int64_t *at_ms,
                       char words[RECORD_WORDS_BYTES])
{
    const json_t *events = json_object_get(record->document, "events");
    const json_t *item = json_array_get(events, (size_t)index);
    const json_t *version = json_object_get(item, "version"), *at = json_object_get(item, "at");
    struct text kind = bounded_text_at(item, "kind");
    *at_ms = json_integer_value(at);
    if (!json_is_integer(version) || json_integer_value(version) != index + 1)
        return fail(words, "event %d is missing: there is another in its place", index + 1);
    if ((at != NULL && !json_is_integer(at)) || *at_ms < 0)
        return fail(words, "event %d: \"at\" must be a time in milliseconds", index + 1);
    if (!kind.data || !event_read_value(kind.data, json_object_get(item, "body"), event))
        return fail(words, "event %d is not one of those there are", index + 1);
    return true;
}

/* --- writing ---------------------------------------------------------------------------------- */

static void write_text(struct writer *writer, const char *key, struct text text)
{
    if (!text.data)
        return;
    writer_key(writer, key);
    writer_string_bytes(writer, text.data, text.length);
}

void record_begin(struct writer *writer, const struct record *head)
{
    writer_object(writer);
    writer_member_integer(writer, "senet_export", RECORD_FORMAT);
    write_text(writer, "room", head->room);
    write_text(writer, "game", head->game);
    write_text(writer, "title", head->title);
    if (head->players != 0)
        writer_member_integer(writer, "players", head->players);
    if (head->is_private)
        writer_member_string(writer, "visibility", "private");
    write_text(writer, "definition_hash", head->definition_hash);
    write_text(writer, "definition", head->definition);
    writer_key(writer, "events");
    writer_array(writer);
}

void record_add(struct writer *writer, int64_t version, const struct event *event, int64_t at_ms)
{
    struct event shown = *event;
    shown.key_hash = (struct text){NULL, 0};
    writer_object(writer);
    writer_member_integer(writer, "version", version);
    writer_member_integer(writer, "at", at_ms);
    writer_key(writer, "kind");
    writer_string(writer, event_kind_word(event->kind));
    writer_key(writer, "body");
    event_write(&shown, writer);
    writer_end(writer);
}

void record_end(struct writer *writer)
{
    writer_end(writer);
    writer_end(writer);
}
