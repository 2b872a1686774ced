/* Untrusted text becomes a message, or a refusal in words: its size and depth before it is parsed, then the envelope,
 * then the fields of its command (json_commands.c). A plain move is read without all that (json_move.c). After it nobody
 * looks at JSON again. */
#include "protocol/depth.h"
#include "protocol/json_commands.h"
#include "protocol/json_move.h"

#include <stdlib.h>
#include <string.h>

static void keep_reply_id(struct message_fault *fault, struct text id)
{
    memcpy(fault->reply_id, id.data, id.length);
    fault->reply_id[id.length] = '\0';
}

static bool read_id(struct json_reading *reading)
{
    const json_t *value = json_object_get(reading->root, "id");
    if (value == NULL)
        return json_fail(reading, "id is missing");
    struct text id = json_text_of(value);
    if (!json_is_string(value) || !json_is_id(id))
        return json_fail(reading, "id must be from 1 to %d characters of A-Z a-z 0-9 _ . : -",
                         (int)COMMAND_ID_BYTES_MAX);
    reading->message->id = id;
    keep_reply_id(reading->fault, id);
    return true;
}

static int find_kind(struct text type)
{
    static const char *const words[] = {
#define X(kind, word) word,
        MESSAGE_KINDS(X)
#undef X
    };
    return json_find_word(type, words, MESSAGE_KIND_COUNT);
}

static enum refusal read_command(struct json_reading *reading)
{
    if (!read_id(reading))
        return REFUSAL_BAD_MESSAGE;
    const json_t *type = json_object_get(reading->root, "type");
    if (!json_is_string(type)) {
        json_fail(reading, type == NULL ? "type is missing" : "type must be a string");
        return REFUSAL_BAD_MESSAGE;
    }
    int kind = find_kind(json_text_of(type));
    if (kind < 0) {
        json_fail(reading, "%s", refusal_words(REFUSAL_UNKNOWN_TYPE));
        return REFUSAL_UNKNOWN_TYPE;
    }
    reading->message->kind = (enum message_kind)kind;
    if (!json_fields_reader(reading->message->kind)(reading))
        return REFUSAL_BAD_MESSAGE;
    return REFUSAL_NONE;
}

/* The library's own words quote the text, which may be anything: ours say where, and why where that
 * helps. */
static void fail_parse(struct json_reading *reading, const json_error_t *error)
{
    const char *why = "it is not JSON in UTF-8";
    switch (json_error_code(error)) {
    case json_error_duplicate_key:
        why = "a member is named twice";
        break;
    case json_error_null_character:
    case json_error_null_byte_in_key:
        why = "it contains a null character";
        break;
    case json_error_numeric_overflow:
        why = "a number is too large";
        break;
    case json_error_premature_end_of_input:
        why = "it ends too early";
        break;
    case json_error_end_of_input_expected:
        why = "something follows its end";
        break;
    default:
        break;
    }
    json_fail(reading, "%s: %s (byte %d)", refusal_words(REFUSAL_BAD_JSON), why, error->position);
}

static enum refusal read_json(struct json_reading *reading, const char *text, size_t length)
{
    json_error_t error;
    if (length > MESSAGE_BYTES_MAX) {
        json_fail(reading, "a message must be at most %d bytes", (int)MESSAGE_BYTES_MAX);
        return REFUSAL_BAD_JSON;
    }
    if (!depth_within(text, length, MESSAGE_DEPTH_MAX)) {
        json_fail(reading, "a message must be nested at most %d deep", (int)MESSAGE_DEPTH_MAX);
        return REFUSAL_BAD_JSON;
    }
    reading->root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (reading->root == NULL) {
        fail_parse(reading, &error);
        return REFUSAL_BAD_JSON;
    }
    reading->message->document = reading->root;
    if (!json_is_object(reading->root)) {
        json_fail(reading, "%s: it is an array", refusal_words(REFUSAL_BAD_JSON));
        return REFUSAL_BAD_JSON;
    }
    return read_command(reading);
}

bool message_is_object(const char *text, size_t length)
{
    if (length > MESSAGE_BYTES_MAX || !depth_within(text, length, MESSAGE_DEPTH_MAX))
        return false;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    bool is_object = json_is_object(root);
    json_decref(root);
    return is_object;
}

enum refusal message_read(const char *text, size_t length, struct message *message,
                          struct message_fault *fault)
{
    struct json_reading reading = {.message = message, .fault = fault};
    memset(message, 0, sizeof *message);
    fault->reply_id[0] = '\0';
    fault->words[0] = '\0';
    if (json_move_read(text, length, message)) {
        keep_reply_id(fault, message->id);
        return REFUSAL_NONE;
    }
    enum refusal refusal = read_json(&reading, text, length);
    if (refusal != REFUSAL_NONE)
        message_release(message);
    return refusal;
}

void message_release(struct message *message)
{
    json_decref(message->document);
    free(message->text);
    memset(message, 0, sizeof *message);
}
