/* The only file between the wire and the values that knows the JSON library (client.c, the other
 * side of the wire, is the second and last). Each command has one function that reads its fields;
 * the first fault ends it. */
#include "protocol/depth.h"
#include "protocol/document.h"
#include "protocol/message.h"
#include "protocol/writer.h"

#include <assert.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What a field's reader works on. */
struct reading {
    json_t *root;
    struct message *message;
    struct message_fault *fault;
};

/* ---- the words ---- */

const char *message_kind_word(enum message_kind kind)
{
    static const char *const words[] = {
#define X(kind, word) word,
        MESSAGE_KINDS(X)
#undef X
    };
    assert((unsigned)kind < MESSAGE_KIND_COUNT);
    return words[kind];
}

const char *action_request_word(enum action_request action)
{
    static const char *const words[] = {
#define X(kind, word) word,
        ACTION_KINDS(X)
#undef X
    };
    assert((unsigned)action < ACTION_REQUEST_COUNT);
    return words[action];
}

struct refusal_row {
    const char *code, *words;
    bool retry;
};

static const struct refusal_row *refusal_row(enum refusal refusal)
{
    static const struct refusal_row rows[] = {
#define X(kind, code, words, retry) {code, words, retry},
        REFUSALS(X)
#undef X
    };
    assert((unsigned)refusal < REFUSAL_COUNT);
    return &rows[refusal];
}

const char *refusal_code(enum refusal refusal)
{
    return refusal_row(refusal)->code;
}

const char *refusal_words(enum refusal refusal)
{
    return refusal_row(refusal)->words;
}

bool refusal_may_retry(enum refusal refusal)
{
    return refusal_row(refusal)->retry;
}

/* ---- faults ---- */

/* Always false, so that a reader can end with `return fail(…)`. */
static bool fail(struct reading *reading, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reading->fault->words, sizeof reading->fault->words, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- texts ---- */

static bool is_token_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_' || byte == '-';
}

static bool is_id_byte(char byte)
{
    return is_token_byte(byte) || byte == '.' || byte == ':';
}

static bool all_bytes(struct text text, bool (*admitted)(char byte))
{
    for (size_t i = 0; i < text.length; i++) {
        if (!admitted(text.data[i]))
            return false;
    }
    return true;
}

/* Control characters: those of ASCII, and U+0080 to U+009F. The text is known to be UTF-8. */
static bool has_control(struct text text)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        if (byte < 0x20 || byte == 0x7f)
            return true;
        if (byte == 0xc2 && (unsigned char)text.data[i + 1] < 0xa0)
            return true;
    }
    return false;
}

static struct text text_of(const json_t *string)
{
    return (struct text){json_string_value(string), json_string_length(string)};
}

static bool text_is(struct text text, const char *word)
{
    return text.length == strlen(word) && memcmp(text.data, word, text.length) == 0;
}

/* The row of `words` that `text` is, or -1. */
static int find_word(struct text text, const char *const *words, int count)
{
    for (int i = 0; i < count; i++) {
        if (text_is(text, words[i]))
            return i;
    }
    return -1;
}

static bool read_bounded(struct reading *reading, const char *path, const json_t *value,
                         size_t bytes_min, size_t bytes_max, struct text *text)
{
    if (!json_is_string(value))
        return fail(reading, "%s must be a string", path);
    *text = text_of(value);
    if (text->length < bytes_min)
        return fail(reading, "%s must not be empty", path);
    if (text->length > bytes_max)
        return fail(reading, "%s must be at most %zu bytes", path, bytes_max);
    if (has_control(*text))
        return fail(reading, "%s must not contain control characters", path);
    return true;
}

/* A string the command must have. */
static bool read_text(struct reading *reading, const char *name, size_t bytes_max,
                      struct text *text)
{
    const json_t *value = json_object_get(reading->root, name);
    if (value == NULL)
        return fail(reading, "%s is missing", name);
    return read_bounded(reading, name, value, 1, bytes_max, text);
}

/* A string the command may have; it may be empty only where `bytes_min` is 0. */
static bool read_optional_text(struct reading *reading, const char *name, size_t bytes_min,
                               size_t bytes_max, struct text *text)
{
    const json_t *value = json_object_get(reading->root, name);
    if (value == NULL)
        return true;
    return read_bounded(reading, name, value, bytes_min, bytes_max, text);
}

/* One of a few words. Absent: what `index` is already, unless that is -1. */
static bool read_word(struct reading *reading, const char *name, const char *const *words,
                      int count, int *index)
{
    const json_t *value = json_object_get(reading->root, name);
    if (value == NULL && *index >= 0)
        return true;
    struct text text = {NULL, 0};
    if (!read_text(reading, name, MESSAGE_BYTES_MAX, &text))
        return false;
    *index = find_word(text, words, count);
    if (*index < 0)
        return fail(reading, "%s is not one of the words it may be", name);
    return true;
}

/* ---- numbers ---- */

static const int64_t exact_max = INT64_C(9007199254740991); /* 2^53 - 1, as in JavaScript */

static bool read_integer(struct reading *reading, const char *name, int64_t minimum,
                         int64_t maximum, int64_t *value)
{
    const json_t *number = json_object_get(reading->root, name);
    if (number == NULL)
        return fail(reading, "%s is missing", name);
    if (!json_is_integer(number))
        return fail(reading, "%s must be an integer", name);
    *value = json_integer_value(number);
    if (*value < minimum || *value > maximum)
        return fail(reading, "%s must be from %lld to %lld", name, (long long)minimum,
                    (long long)maximum);
    return true;
}

/* ---- rooms ---- */

/* Any name will do: that there is no such room is for whoever looks it up to say. */
static bool read_room(struct reading *reading)
{
    return read_text(reading, "room", WORD_BYTES_MAX, &reading->message->room);
}

/* ---- places and moves ---- */

static bool read_coordinates(struct reading *reading, const char *path, json_t *object,
                             struct place *place)
{
    const char *name = NULL;
    json_t *value = NULL;
    if (json_object_size(object) < 1 || json_object_size(object) > PLACE_DIMENSIONS_MAX)
        return fail(reading, "%s must have from 1 to %d coordinates", path,
                    (int)PLACE_DIMENSIONS_MAX);
    json_object_foreach(object, name, value)
    {
        size_t length = strlen(name);
        if (length < 1 || length > WORD_BYTES_MAX)
            return fail(reading, "%s: a coordinate's name must be from 1 to %d bytes", path,
                        (int)WORD_BYTES_MAX);
        if (!json_is_integer(value))
            return fail(reading, "%s: a coordinate must be an integer", path);
        json_int_t number = json_integer_value(value);
        if (number < -COORDINATE_ABSOLUTE_MAX || number > COORDINATE_ABSOLUTE_MAX)
            return fail(reading, "%s: a coordinate must be from -%d to %d", path,
                        (int)COORDINATE_ABSOLUTE_MAX, (int)COORDINATE_ABSOLUTE_MAX);
        int index = place->coordinate_count++;
        place->coordinates[index].name = (struct text){name, length};
        place->coordinates[index].value = (int)number;
    }
    return true;
}

static bool read_place(struct reading *reading, const char *path, json_t *value,
                       struct place *place)
{
    place->name = (struct text){NULL, 0};
    place->coordinate_count = 0;
    if (value == NULL)
        return fail(reading, "%s is missing", path);
    if (json_is_object(value))
        return read_coordinates(reading, path, value, place);
    if (!json_is_string(value))
        return fail(reading, "%s must be a cell's name or an object of coordinates", path);
    return read_bounded(reading, path, value, 1, WORD_BYTES_MAX, &place->name);
}

static bool read_move_request(struct reading *reading, struct move_request *request)
{
    json_t *move = json_object_get(reading->root, "move");
    if (move == NULL)
        return fail(reading, "move is missing");
    if (!json_is_object(move))
        return fail(reading, "move must be an object");
    const json_t *pass = json_object_get(move, "pass");
    if (pass != NULL && !json_is_true(pass))
        return fail(reading, "move.pass must be true");
    request->pass = pass != NULL;
    if (request->pass)
        return (json_object_get(move, "from") == NULL && json_object_get(move, "to") == NULL &&
                json_object_get(move, "choice") == NULL) ||
               fail(reading, "move.pass stands alone");
    if (!read_place(reading, "move.from", json_object_get(move, "from"), &request->from) ||
        !read_place(reading, "move.to", json_object_get(move, "to"), &request->to))
        return false;
    request->choice = (struct text){NULL, 0};
    const json_t *choice = json_object_get(move, "choice");
    if (choice == NULL)
        return true;
    return read_bounded(reading, "move.choice", choice, 1, WORD_BYTES_MAX, &request->choice);
}

/* ---- definitions ---- */

/* A game's definition is text for whoever loads it. Sent as an object it is written out compactly,
 * and takes the object's place in the document, which then owns it. */
static bool read_definition(struct reading *reading, struct text *definition)
{
    json_t *value = json_object_get(reading->root, "definition");
    if (value == NULL)
        return fail(reading, "definition is missing");
    if (json_is_object(value)) {
        struct writer writer;
        writer_init(&writer);
        document_write(&writer, value, DOCUMENT_AS_IT_CAME);
        value = json_stringn_nocheck(writer.data, writer.length);
        writer_release(&writer);
        if (value == NULL || json_object_set_new(reading->root, "definition", value) != 0)
            return fail(reading, "definition does not fit into memory");
    }
    if (!json_is_string(value))
        return fail(reading, "definition must be an object or a string of JSON text");
    *definition = text_of(value);
    if (definition->length == 0)
        return fail(reading, "definition must not be empty");
    return true;
}

/* ---- the commands, one reader each ---- */

static bool read_nothing(struct reading *reading)
{
    (void)reading;
    return true;
}

/* A token of the wrong length or alphabet is no token of ours: that is for whoever looks it up to
 * say. */
static bool read_auth(struct reading *reading)
{
    const json_t *token = json_object_get(reading->root, "token");
    if (token == NULL)
        return true;
    if (!json_is_string(token))
        return fail(reading, "token must be a string");
    reading->message->auth.token = text_of(token);
    return true;
}

static bool read_games(struct reading *reading)
{
    static const char *const ops[] = {"list", "get", "validate", "publish"};
    struct message *message = reading->message;
    int op = GAMES_LIST;
    if (!read_word(reading, "op", ops, 4, &op))
        return false;
    message->games.op = (enum games_op)op;
    switch (message->games.op) {
    case GAMES_GET:
        return read_text(reading, "game", WORD_BYTES_MAX, &message->games.game);
    case GAMES_VALIDATE:
        return read_definition(reading, &message->games.definition);
    case GAMES_LIST:
    case GAMES_PUBLISH: /* not done by this server, however it is asked */
        return true;
    }
    return false;
}

/* The room it is made from is the one the command names. For how many it is has been settled there. */
static bool read_fork(struct reading *reading, const json_t *fork)
{
    struct message *message = reading->message;
    const json_t *room = json_object_get(fork, "room"), *ply = json_object_get(fork, "ply");
    message->create.is_fork = true;
    if (!json_is_object(fork))
        return fail(reading, "fork must be an object");
    if (json_object_get(reading->root, "players") != NULL)
        return fail(reading, "players does not go with fork");
    if (room == NULL || ply == NULL)
        return fail(reading, "%s is missing", room == NULL ? "fork.room" : "fork.ply");
    if (!json_is_integer(ply) || json_integer_value(ply) < 0 || json_integer_value(ply) > exact_max)
        return fail(reading, "fork.ply must be an integer, not less than 0");
    message->create.fork_ply = json_integer_value(ply);
    if (!json_is_string(room))
        return fail(reading, "fork.room must be a string");
    return read_bounded(reading, "fork.room", room, 1, WORD_BYTES_MAX, &message->room);
}

/* What the new room plays. */
static bool read_origin(struct reading *reading)
{
    struct message *message = reading->message;
    const json_t *fork = json_object_get(reading->root, "fork");
    bool has_game = json_object_get(reading->root, "game") != NULL;
    bool has_definition = json_object_get(reading->root, "definition") != NULL;
    if (has_game + has_definition + (fork != NULL) != 1)
        return fail(reading, "create needs one of game, definition and fork");
    if (has_game)
        return read_text(reading, "game", WORD_BYTES_MAX, &message->create.game);
    if (has_definition)
        return read_definition(reading, &message->create.definition);
    return read_fork(reading, fork);
}

static bool read_create(struct reading *reading)
{
    static const char *const words[] = {[VISIBILITY_USUAL] = "", "public", "private"};
    struct message *message = reading->message;
    int visibility = VISIBILITY_USUAL;
    if (!read_origin(reading) || !read_word(reading, "visibility", words, 3, &visibility))
        return false;
    if (visibility == VISIBILITY_USUAL && json_object_get(reading->root, "visibility") != NULL)
        return fail(reading, "visibility is not one of the words it may be");
    message->create.visibility = (enum visibility)visibility;
    int64_t players = 0;
    if (json_object_get(reading->root, "players") != NULL &&
        !read_integer(reading, "players", 1, PLAYER_COUNT_MAX, &players))
        return false;
    message->create.players = (int)players;
    message->create.has_clock = json_object_get(reading->root, "clock") != NULL;
    return true;
}

static bool read_join(struct reading *reading)
{
    static const char *const words[] = {"human", "bot"};
    struct message *message = reading->message;
    int as = PLAYER_HUMAN;
    bool has_key = json_object_get(reading->root, "key") != NULL;
    if (has_key == (json_object_get(reading->root, "seat") != NULL))
        return fail(reading, "join needs either seat or key");
    message->join.name = (struct text){"", 0};
    if (!read_room(reading) ||
        !read_text(reading, has_key ? "key" : "seat", WORD_BYTES_MAX,
                   has_key ? &message->join.key : &message->join.seat) ||
        !read_optional_text(reading, "name", 0, DISPLAY_NAME_BYTES_MAX, &message->join.name) ||
        !read_word(reading, "as", words, 2, &as))
        return false;
    message->join.as = (enum player_kind)as;
    return true;
}

static bool read_move(struct reading *reading)
{
    struct message *message = reading->message;
    message->move.version = -1;
    if (!read_room(reading) || !read_move_request(reading, &message->move.move))
        return false;
    if (json_object_get(reading->root, "version") == NULL)
        return true;
    return read_integer(reading, "version", 0, exact_max, &message->move.version);
}

static bool read_action(struct reading *reading)
{
    static const char *const words[] = {
#define X(kind, word) word,
        ACTION_KINDS(X)
#undef X
    };
    struct message *message = reading->message;
    int kind = -1;
    if (!read_room(reading) || !read_word(reading, "kind", words, ACTION_REQUEST_COUNT, &kind))
        return false;
    message->action.kind = (enum action_request)kind;
    if (message->action.kind != ACTION_REQUEST_BOT_INVITE)
        return true;
    return read_optional_text(reading, "seat", 1, WORD_BYTES_MAX, &message->action.seat);
}

static bool read_chat(struct reading *reading)
{
    return read_room(reading) &&
           read_text(reading, "text", CHAT_BYTES_MAX, &reading->message->chat.text);
}

/* Absent: false. */
static bool read_truth(struct reading *reading, const char *name, bool *truth)
{
    const json_t *value = json_object_get(reading->root, name);
    *truth = json_is_true(value);
    return value == NULL || json_is_boolean(value) ||
           fail(reading, "%s must be true or false", name);
}

/* `to` and `choice` ask about one move, legal or not; so they need to be explained, and from where. */
static bool read_legal_moves(struct reading *reading)
{
    struct message *message = reading->message;
    if (!read_room(reading) || !read_truth(reading, "explain", &message->legal_moves.explain))
        return false;
    json_t *cell = json_object_get(reading->root, "cell");
    json_t *to = json_object_get(reading->root, "to");
    message->legal_moves.has_cell = cell != NULL;
    message->legal_moves.has_to = to != NULL;
    if (cell == NULL && (to != NULL || message->legal_moves.explain))
        return fail(reading, "cell is missing");
    if (to != NULL && !message->legal_moves.explain)
        return fail(reading, "to asks for an explanation: explain is missing");
    if (cell == NULL)
        return true;
    return read_place(reading, "cell", cell, &message->legal_moves.cell) &&
           (to == NULL || read_place(reading, "to", to, &message->legal_moves.to)) &&
           read_optional_text(reading, "choice", 1, WORD_BYTES_MAX, &message->legal_moves.choice);
}

/* Of all plies; from the first unless it says after which. */
static bool read_history_moves(struct reading *reading)
{
    struct message *message = reading->message;
    message->history.ask = HISTORY_MOVES;
    return json_object_get(reading->root, "from") == NULL ||
           read_integer(reading, "from", 0, exact_max, &message->history.from);
}

static bool read_history(struct reading *reading)
{
    struct message *message = reading->message;
    bool moves;
    if (!read_room(reading) || !read_truth(reading, "moves", &moves))
        return false;
    if (json_object_get(reading->root, "ply") != NULL) {
        message->history.ask = HISTORY_STATE;
        return read_integer(reading, "ply", 0, exact_max, &message->history.ply);
    }
    if (moves)
        return read_history_moves(reading);
    if (!read_integer(reading, "from", 1, exact_max, &message->history.from) ||
        !read_integer(reading, "to", 1, exact_max, &message->history.to))
        return false;
    if (message->history.to < message->history.from)
        return fail(reading, "to must not be less than from");
    return true;
}

static bool read_resume(struct reading *reading)
{
    return read_room(reading) &&
           read_integer(reading, "version", 0, exact_max, &reading->message->resume.version);
}

typedef bool read_fields(struct reading *reading);

static read_fields *fields_reader(enum message_kind kind)
{
    static read_fields *const readers[MESSAGE_KIND_COUNT] = {
        [MESSAGE_AUTH] = read_auth,
        [MESSAGE_PING] = read_nothing,
        [MESSAGE_GAMES] = read_games,
        [MESSAGE_CREATE] = read_create,
        [MESSAGE_JOIN] = read_join,
        [MESSAGE_LEAVE] = read_room,
        [MESSAGE_MOVE] = read_move,
        [MESSAGE_ACTION] = read_action,
        [MESSAGE_CHAT] = read_chat,
        [MESSAGE_LEGAL_MOVES] = read_legal_moves,
        [MESSAGE_HISTORY] = read_history,
        [MESSAGE_SYNC] = read_room,
        [MESSAGE_RESUME] = read_resume,
        [MESSAGE_SEAT_KEY] = read_room,
        [MESSAGE_LOBBY_SUBSCRIBE] = read_nothing,
        [MESSAGE_LOBBY_UNSUBSCRIBE] = read_nothing,
    };
    return readers[kind];
}

/* ---- the envelope ---- */

static bool read_id(struct reading *reading)
{
    const json_t *value = json_object_get(reading->root, "id");
    if (value == NULL)
        return fail(reading, "id is missing");
    struct text id = text_of(value);
    if (!json_is_string(value) || id.length < 1 || id.length > COMMAND_ID_BYTES_MAX ||
        !all_bytes(id, is_id_byte))
        return fail(reading, "id must be from 1 to %d characters of A-Z a-z 0-9 _ . : -",
                    (int)COMMAND_ID_BYTES_MAX);
    reading->message->id = id;
    memcpy(reading->fault->reply_id, id.data, id.length);
    reading->fault->reply_id[id.length] = '\0';
    return true;
}

static int find_kind(struct text type)
{
    static const char *const words[] = {
#define X(kind, word) word,
        MESSAGE_KINDS(X)
#undef X
    };
    return find_word(type, words, MESSAGE_KIND_COUNT);
}

static enum refusal read_command(struct reading *reading)
{
    if (!read_id(reading))
        return REFUSAL_BAD_MESSAGE;
    const json_t *type = json_object_get(reading->root, "type");
    if (!json_is_string(type)) {
        fail(reading, type == NULL ? "type is missing" : "type must be a string");
        return REFUSAL_BAD_MESSAGE;
    }
    int kind = find_kind(text_of(type));
    if (kind < 0) {
        fail(reading, "%s", refusal_words(REFUSAL_UNKNOWN_TYPE));
        return REFUSAL_UNKNOWN_TYPE;
    }
    reading->message->kind = (enum message_kind)kind;
    if (!fields_reader(reading->message->kind)(reading))
        return REFUSAL_BAD_MESSAGE;
    return REFUSAL_NONE;
}

/* The library's own words quote the text, which may be anything: ours say where, and why where that
 * helps. */
static void fail_parse(struct reading *reading, const json_error_t *error)
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
    fail(reading, "%s: %s (byte %d)", refusal_words(REFUSAL_BAD_JSON), why, error->position);
}

static enum refusal read_json(struct reading *reading, const char *text, size_t length)
{
    json_error_t error;
    if (length > MESSAGE_BYTES_MAX) {
        fail(reading, "a message must be at most %d bytes", (int)MESSAGE_BYTES_MAX);
        return REFUSAL_BAD_JSON;
    }
    if (!depth_within(text, length, MESSAGE_DEPTH_MAX)) {
        fail(reading, "a message must be nested at most %d deep", (int)MESSAGE_DEPTH_MAX);
        return REFUSAL_BAD_JSON;
    }
    reading->root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (reading->root == NULL) {
        fail_parse(reading, &error);
        return REFUSAL_BAD_JSON;
    }
    reading->message->document = reading->root;
    if (!json_is_object(reading->root)) {
        fail(reading, "%s: it is an array", refusal_words(REFUSAL_BAD_JSON));
        return REFUSAL_BAD_JSON;
    }
    return read_command(reading);
}

enum refusal message_read(const char *text, size_t length, struct message *message,
                          struct message_fault *fault)
{
    struct reading reading = {.message = message, .fault = fault};
    memset(message, 0, sizeof *message);
    fault->reply_id[0] = '\0';
    fault->words[0] = '\0';
    enum refusal refusal = read_json(&reading, text, length);
    if (refusal != REFUSAL_NONE)
        message_release(message);
    return refusal;
}

void message_release(struct message *message)
{
    json_decref(message->document);
    memset(message, 0, sizeof *message);
}
