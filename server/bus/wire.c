#include "server/bus/wire.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_DIGITS_MAX = 5, NUMBER_DIGITS_MAX = 18 };

static const char format[] = "1";

/* LATER: a number that earlier servers do not say; where the message ends before it, it is 0. */
enum kind { NUMBER, LATER, WORD, BODY };

struct field {
    enum kind kind;
    size_t offset; /* in struct bus_message */
};

#define AT(member) offsetof(struct bus_message, member)
enum { FIELDS_MAX = 7 };

/* clang-format off */
static const struct layout {
    const char *word;
    int field_count;
    struct field fields[FIELDS_MAX];
} layouts[BUS_SUBJECT_COUNT] = {
    [BUS_ROOM]  = {"room",  7, {{NUMBER, AT(version)}, {NUMBER, AT(at_ms)}, {WORD, AT(kind)}, {WORD, AT(client)}, {WORD, AT(command)}, {BODY, AT(body)}, {LATER, AT(took_ms)}}},
    [BUS_HERE]  = {"here",  4, {{NUMBER, AT(spectators)}, {NUMBER, AT(seats)}, {WORD, AT(client)}, {NUMBER, AT(at_ms)}}},
    [BUS_LOBBY] = {"lobby", 3, {{NUMBER, AT(version)}, {NUMBER, AT(at_ms)}, {BODY, AT(body)}}},
    [BUS_SEEK]  = {"seek",  5, {{WORD, AT(kind)}, {NUMBER, AT(version)}, {WORD, AT(client)}, {WORD, AT(command)}, {BODY, AT(body)}}},
    [BUS_NODE]  = {"node",  3, {{WORD, AT(state)}, {WORD, AT(release)}, {NUMBER, AT(load)}}},
};
/* clang-format on */

static bool is_number(const struct field *field)
{
    return field->kind == NUMBER || field->kind == LATER;
}

/* What stands between two dots of a subject. */
static bool is_name(const char *text)
{
    size_t length = strlen(text);
    if (length == 0 || length > BUS_NAME_BYTES)
        return false;
    for (const char *at = text; *at != '\0'; at++)
        if (*at <= ' ' || *at > '~' || *at == '.' || *at == '*' || *at == '>')
            return false;
    return true;
}

/* --- writing ---------------------------------------------------------------------------------- */

void wire_prefix(char prefix[WIRE_SUBJECT_BYTES], const char *database)
{
    snprintf(prefix, WIRE_SUBJECT_BYTES, "senet.%s.", database);
}

static bool write_subject(const struct bus_message *message, const char *prefix,
                          char subject[WIRE_SUBJECT_BYTES])
{
    const char *word = layouts[message->subject].word;
    return message->id != NULL && is_name(message->id) &&
           snprintf(subject, WIRE_SUBJECT_BYTES, "%s%s.%s", prefix, word, message->id) <
               WIRE_SUBJECT_BYTES;
}

static void put(char **at, const char *text, size_t length)
{
    *at += sprintf(*at, "%zu:", length);
    memcpy(*at, text, length);
    *at += length;
    *(*at)++ = ',';
}

static bool put_text(char **at, const char *text, enum kind kind)
{
    size_t length = text == NULL ? 0 : strlen(text);
    if (kind == WORD && length > BUS_WORD_BYTES)
        return false;
    if (length > BUS_BODY_BYTES_MAX)
        length = 0;
    put(at, text == NULL ? "" : text, length);
    return true;
}

static void put_number(char **at, int64_t number)
{
    char digits[NUMBER_DIGITS_MAX + 4];
    int length = snprintf(digits, sizeof digits, "%" PRId64, number < 0 ? 0 : number);
    put(at, digits, (size_t)length);
}

static bool put_field(char **at, const struct bus_message *message, const struct field *field)
{
    const char *member = (const char *)message + field->offset, *text;
    int64_t number;
    if (is_number(field)) {
        memcpy(&number, member, sizeof number);
        put_number(at, number);
        return true;
    }
    memcpy(&text, member, sizeof(const char *));
    return put_text(at, text, field->kind);
}

bool wire_write(const struct bus_message *message, const char *prefix, const char *node,
                char subject[WIRE_SUBJECT_BYTES], char *bytes, size_t *length)
{
    const struct layout *layout = &layouts[message->subject];
    char *at = bytes;
    if (!is_name(node) || !write_subject(message, prefix, subject))
        return false;
    put_text(&at, format, WORD);
    put_text(&at, node, WORD);
    for (int i = 0; i < layout->field_count; i++)
        if (!put_field(&at, message, &layout->fields[i]))
            return false;
    *length = (size_t)(at - bytes);
    return true;
}

/* --- reading ---------------------------------------------------------------------------------- */

struct reader {
    char *at, *end;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool read_length(struct reader *reader, size_t *length)
{
    *length = 0;
    for (int digits = 0; reader->at < reader->end; digits++) {
        char c = *reader->at++;
        if (c == ':')
            return digits > 0;
        if (!is_digit(c) || digits == LENGTH_DIGITS_MAX)
            return false;
        *length = *length * 10 + (size_t)(c - '0');
    }
    return false;
}

/* The next value, ended by zero in place of its comma; NULL: there is none of at most so many bytes. */
static char *take(struct reader *reader, size_t most)
{
    size_t length;
    if (!read_length(reader, &length) || length > most ||
        (size_t)(reader->end - reader->at) <= length || reader->at[length] != ',' ||
        memchr(reader->at, '\0', length) != NULL)
        return NULL;
    char *text = reader->at;
    text[length] = '\0';
    reader->at += length + 1;
    return text;
}

static bool take_number(struct reader *reader, int64_t *number)
{
    const char *text = take(reader, NUMBER_DIGITS_MAX);
    if (text == NULL || text[0] == '\0')
        return false;
    for (const char *at = text; *at != '\0'; at++)
        if (!is_digit(*at))
            return false;
    *number = strtoll(text, NULL, 10);
    return true;
}

static bool take_field(struct reader *reader, struct bus_message *message,
                       const struct field *field)
{
    char *member = (char *)message + field->offset;
    int64_t number;
    if (field->kind == LATER && reader->at == reader->end)
        return true;
    if (is_number(field)) {
        if (!take_number(reader, &number))
            return false;
        memcpy(member, &number, sizeof number);
        return true;
    }
    const char *text = take(reader, field->kind == BODY ? BUS_BODY_BYTES_MAX : BUS_WORD_BYTES);
    memcpy(member, &text, sizeof(const char *));
    return text != NULL;
}

/* "room.<id>" */
static bool read_subject(struct bus_message *message, const char *rest)
{
    size_t length = strcspn(rest, ".");
    if (rest[length] != '.')
        return false;
    for (int subject = 0; subject < BUS_SUBJECT_COUNT; subject++) {
        const char *word = layouts[subject].word;
        if (strlen(word) != length || strncmp(word, rest, length) != 0)
            continue;
        *message =
            (struct bus_message){.subject = (enum bus_subject)subject, .id = rest + length + 1};
        return is_name(message->id);
    }
    return false;
}

static bool take_texts_of_all(struct reader *reader, struct bus_message *message)
{
    const char *version = take(reader, BUS_WORD_BYTES);
    if (version == NULL || strcmp(version, format) != 0)
        return false;
    message->node = take(reader, BUS_NAME_BYTES);
    return message->node != NULL && is_name(message->node);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): written through `reader`. */
bool wire_read(struct bus_message *message, const char *rest, char *bytes, size_t length)
{
    struct reader reader = {bytes, bytes + length};
    if (!read_subject(message, rest) || !take_texts_of_all(&reader, message))
        return false;
    const struct layout *layout = &layouts[message->subject];
    for (int i = 0; i < layout->field_count; i++)
        if (!take_field(&reader, message, &layout->fields[i]))
            return false;
    return message->subject != BUS_ROOM || message->version > 0;
}
