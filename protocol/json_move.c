#include "protocol/json_move.h"

#include "engine/memory/memory.h"
#include "protocol/json_fields.h"

#include <stdlib.h>
#include <string.h>

enum {
    PLAIN_BYTES_MAX = 512,
    DIGITS_MAX = 15, /* of integers that are below 2^53 however they go on */
};

/* The message's own copy of the text, in which every string read is ended by a zero where its quotation mark was. */
struct scan {
    char *at;
    const char *end;
};

static void skip_space(struct scan *scan)
{
    while (scan->at < scan->end &&
           (*scan->at == ' ' || *scan->at == '\n' || *scan->at == '\t' || *scan->at == '\r'))
        scan->at++;
}

static bool take(struct scan *scan, char byte)
{
    skip_space(scan);
    if (scan->at == scan->end || *scan->at != byte)
        return false;
    scan->at++;
    return true;
}

/* A name a second time is a fault, for the long way. */
static bool take_string(struct scan *scan, struct text *text)
{
    if (text->data != NULL || !take(scan, '"'))
        return false;
    char *first = scan->at;
    while (scan->at < scan->end && *scan->at >= ' ' && *scan->at <= '~' && *scan->at != '"' &&
           *scan->at != '\\')
        scan->at++;
    if (scan->at == scan->end || *scan->at != '"')
        return false;
    *text = (struct text){first, (size_t)(scan->at - first)};
    *scan->at++ = '\0';
    return true;
}

static bool take_version(struct scan *scan, int64_t *version)
{
    int64_t value = 0;
    int digits = 0;
    if (*version >= 0)
        return false;
    skip_space(scan);
    for (; scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9'; scan->at++, digits++) {
        if (digits == DIGITS_MAX || (digits > 0 && value == 0))
            return false;
        value = value * 10 + (*scan->at - '0');
    }
    *version = value;
    return digits > 0;
}

static bool is(struct text text, const char *word)
{
    return strcmp(text.data, word) == 0;
}

static bool is_name(struct text text)
{
    return text.data != NULL && text.length >= 1 && text.length <= WORD_BYTES_MAX;
}

/* The members of an object, each by a function that knows their names. */
typedef bool take_member(struct scan *scan, struct text name, void *context);

static bool take_object(struct scan *scan, take_member *take_one, void *context)
{
    if (!take(scan, '{'))
        return false;
    do {
        struct text name = {NULL, 0};
        if (!take_string(scan, &name) || !take(scan, ':') || !take_one(scan, name, context))
            return false;
    } while (take(scan, ','));
    return take(scan, '}');
}

static bool take_of_move(struct scan *scan, struct text name, void *context)
{
    struct move_request *move = context;
    if (is(name, "from"))
        return take_string(scan, &move->from.name);
    if (is(name, "to"))
        return take_string(scan, &move->to.name);
    return is(name, "choice") && take_string(scan, &move->choice);
}

struct envelope {
    struct message *message;
    struct text type;
    bool has_move;
};

static bool take_of_message(struct scan *scan, struct text name, void *context)
{
    struct envelope *envelope = context;
    struct message *message = envelope->message;
    if (is(name, "type"))
        return take_string(scan, &envelope->type) && is(envelope->type, "move");
    if (is(name, "id"))
        return take_string(scan, &message->id);
    if (is(name, "room"))
        return take_string(scan, &message->room);
    if (is(name, "version"))
        return take_version(scan, &message->move.version);
    if (!is(name, "move") || envelope->has_move)
        return false;
    envelope->has_move = true;
    return take_object(scan, take_of_move, &message->move.move);
}

static bool take_message(struct scan *scan, struct message *message)
{
    struct envelope envelope = {.message = message};
    struct move_request *move = &message->move.move;
    message->kind = MESSAGE_MOVE;
    message->move.version = -1;
    if (!take_object(scan, take_of_message, &envelope))
        return false;
    skip_space(scan);
    move->placement = move->from.name.data == NULL;
    return scan->at == scan->end && envelope.type.data != NULL && json_is_id(message->id) &&
           is_name(message->room) && (move->placement || is_name(move->from.name)) &&
           is_name(move->to.name) && (move->choice.data == NULL || is_name(move->choice));
}

bool json_move_read(const char *text, size_t length, struct message *message)
{
    if (length > PLAIN_BYTES_MAX)
        return false;
    char *own = memory_bytes(length + 1);
    memcpy(own, text, length);
    struct scan scan = {own, own + length};
    if (take_message(&scan, message)) {
        message->text = own;
        return true;
    }
    free(own);
    memset(message, 0, sizeof *message);
    return false;
}
