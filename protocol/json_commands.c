#include "protocol/json_commands.h"

#include "protocol/document.h"
#include "protocol/time_control.h"
#include "protocol/writer.h"

#include <string.h>

/* Any name will do: that there is no such room is for whoever looks it up to say. */
static bool read_room(struct json_reading *reading)
{
    return json_read_text(reading, "room", WORD_BYTES_MAX, &reading->message->room);
}

/* `{"pass": true}` and its like: the word stands alone. */
static const char *const move_words[] = {"pass", "swap", "from", "to", "choice"};
enum { MOVE_WORDS = sizeof move_words / sizeof *move_words };

static bool read_word_of_move(struct json_reading *reading, const json_t *move, const char *word,
                              bool *said)
{
    const json_t *value = json_object_get(move, word);
    *said = value != NULL;
    if (value == NULL)
        return true;
    if (!json_is_true(value))
        return json_fail(reading, "move.%s must be true", word);
    for (int i = 0; i < MOVE_WORDS; i++)
        if (strcmp(move_words[i], word) != 0 && json_object_get(move, move_words[i]) != NULL)
            return json_fail(reading, "move.%s stands alone", word);
    return true;
}

static bool read_move_request(struct json_reading *reading, struct move_request *request)
{
    json_t *move = json_object_get(reading->root, "move");
    if (move == NULL)
        return json_fail(reading, "move is missing");
    if (!json_is_object(move))
        return json_fail(reading, "move must be an object");
    if (!read_word_of_move(reading, move, "pass", &request->pass) ||
        !read_word_of_move(reading, move, "swap", &request->swap))
        return false;
    if (request->pass || request->swap)
        return true;
    json_t *from = json_object_get(move, "from");
    request->placement = from == NULL;
    if ((from != NULL && !json_read_place(reading, "move.from", from, &request->from)) ||
        !json_read_place(reading, "move.to", json_object_get(move, "to"), &request->to))
        return false;
    request->choice = (struct text){NULL, 0};
    const json_t *choice = json_object_get(move, "choice");
    if (choice == NULL)
        return true;
    return json_read_bounded(reading, "move.choice", choice, 1, WORD_BYTES_MAX, &request->choice);
}

/* A game's definition is text for whoever loads it. Sent as an object it is written out compactly,
 * and takes the object's place in the document, which then owns it. */
static bool read_definition(struct json_reading *reading, struct text *definition)
{
    json_t *value = json_object_get(reading->root, "definition");
    if (value == NULL)
        return json_fail(reading, "definition is missing");
    if (json_is_object(value)) {
        struct writer writer;
        writer_init(&writer);
        document_write(&writer, value, DOCUMENT_AS_IT_CAME);
        value = json_stringn_nocheck(writer.data, writer.length);
        writer_release(&writer);
        if (value == NULL || json_object_set_new(reading->root, "definition", value) != 0)
            return json_fail(reading, "definition does not fit into memory");
    }
    if (!json_is_string(value))
        return json_fail(reading, "definition must be an object or a string of JSON text");
    *definition = json_text_of(value);
    if (definition->length == 0)
        return json_fail(reading, "definition must not be empty");
    return true;
}

static bool read_nothing(struct json_reading *reading)
{
    (void)reading;
    return true;
}

/* A token of the wrong length or alphabet is no token of ours: that is for whoever looks it up to
 * say. */
static bool read_auth(struct json_reading *reading)
{
    const json_t *token = json_object_get(reading->root, "token");
    bool moves = true;
    if (json_object_get(reading->root, "legal_moves") != NULL &&
        !json_read_truth(reading, "legal_moves", &moves))
        return false;
    reading->message->auth.no_moves = !moves;
    if (token == NULL)
        return true;
    if (!json_is_string(token))
        return json_fail(reading, "token must be a string");
    reading->message->auth.token = json_text_of(token);
    return true;
}

static bool read_games(struct json_reading *reading)
{
    static const char *const ops[] = {"list", "get", "validate", "publish", "guide"};
    struct message *message = reading->message;
    int op = GAMES_LIST;
    if (!json_read_word(reading, "op", ops, 5, &op))
        return false;
    message->games.op = (enum games_op)op;
    switch (message->games.op) {
    case GAMES_GET:
        return json_read_text(reading, "game", WORD_BYTES_MAX, &message->games.game);
    case GAMES_VALIDATE:
        return read_definition(reading, &message->games.definition);
    case GAMES_GUIDE:
        if (json_object_get(reading->root, "room") != NULL)
            return read_room(reading);
        return json_read_text(reading, "game", WORD_BYTES_MAX, &message->games.game);
    case GAMES_LIST:
        return json_object_get(reading->root, "language") == NULL ||
               json_read_text(reading, "language", WORD_BYTES_MAX, &message->games.language);
    case GAMES_PUBLISH: /* not done by this server, however it is asked */
        return true;
    }
    return false;
}

/* The room it is made from is the one the command names. For how many it is has been settled there. */
static bool read_fork(struct json_reading *reading, const json_t *fork)
{
    struct message *message = reading->message;
    const json_t *room = json_object_get(fork, "room"), *ply = json_object_get(fork, "ply");
    message->create.is_fork = true;
    if (!json_is_object(fork))
        return json_fail(reading, "fork must be an object");
    if (json_object_get(reading->root, "players") != NULL)
        return json_fail(reading, "players does not go with fork");
    if (room == NULL || ply == NULL)
        return json_fail(reading, "%s is missing", room == NULL ? "fork.room" : "fork.ply");
    if (!json_is_integer(ply) || json_integer_value(ply) < 0 ||
        json_integer_value(ply) > JSON_EXACT_MAX)
        return json_fail(reading, "fork.ply must be an integer, not less than 0");
    message->create.fork_ply = json_integer_value(ply);
    if (!json_is_string(room))
        return json_fail(reading, "fork.room must be a string");
    return json_read_bounded(reading, "fork.room", room, 1, WORD_BYTES_MAX, &message->room);
}

/* What the new room plays. */
static bool read_origin(struct json_reading *reading)
{
    struct message *message = reading->message;
    const json_t *fork = json_object_get(reading->root, "fork");
    bool has_game = json_object_get(reading->root, "game") != NULL;
    bool has_definition = json_object_get(reading->root, "definition") != NULL;
    if (has_game + has_definition + (fork != NULL) != 1)
        return json_fail(reading, "create needs one of game, definition and fork");
    if (has_game)
        return json_read_text(reading, "game", WORD_BYTES_MAX, &message->create.game);
    if (has_definition)
        return read_definition(reading, &message->create.definition);
    return read_fork(reading, fork);
}

/* It is read again by whoever makes the room: most messages have none to carry. */
static bool read_clock(struct json_reading *reading, const void **value)
{
    struct time_control control;
    char words[TIME_WORDS_BYTES];
    const json_t *clock = json_object_get(reading->root, "clock");
    *value = clock;
    if (clock == NULL || time_control_read(clock, &control, words))
        return true;
    return json_fail(reading, "%s", words);
}

/* Of a rematch. */
static bool read_offered_clock(struct json_reading *reading, const void **value)
{
    struct time_control control;
    char words[TIME_WORDS_BYTES];
    const json_t *clock = json_object_get(reading->root, "clock");
    *value = clock;
    return clock == NULL || time_control_read_offer(clock, &control, words) ||
           json_fail(reading, "%s", words);
}

static bool read_players(struct json_reading *reading, int *count)
{
    int64_t players = 0;
    if (json_object_get(reading->root, "players") != NULL &&
        !json_read_integer(reading, "players", 1, PLAYER_COUNT_MAX, &players))
        return false;
    *count = (int)players;
    return true;
}

static bool read_rated(struct json_reading *reading, bool *rated)
{
    *rated = false;
    return json_object_get(reading->root, "rated") == NULL ||
           json_read_truth(reading, "rated", rated);
}

static bool read_end(struct json_reading *reading, const json_t *range, const char *word, int *end)
{
    const json_t *value = json_object_get(range, word);
    json_int_t number = json_integer_value(value);
    if (value == NULL)
        return true;
    if (!json_is_integer(value) || number < 0 || number > RATING_MAX)
        return json_fail(reading, "range.%s is not a number from 0 to %d", word, RATING_MAX);
    *end = (int)number;
    return true;
}

static bool read_range(struct json_reading *reading, int *min, int *max, int *within)
{
    const json_t *range = json_object_get(reading->root, "range");
    *min = *within = 0, *max = RATING_MAX;
    if (range == NULL)
        return true;
    if (!json_is_object(range) || !reading->message->seek.rated)
        return json_fail(reading, json_is_object(range) ? "range goes with rated only"
                                                        : "range is not an object");
    return read_end(reading, range, "min", min) && read_end(reading, range, "max", max) &&
           read_end(reading, range, "within", within) &&
           (*min <= *max || json_fail(reading, "range.min is above range.max"));
}

/* What is not there is `none`. */
static bool read_told_number(struct json_reading *reading, const char *word, int none, int64_t max,
                             int *number)
{
    int64_t value = none;
    if (json_object_get(reading->root, word) != NULL &&
        !json_read_integer(reading, word, 0, max, &value))
        return false;
    *number = (int)value;
    return true;
}

/* What servers tell each other of a seek. */
static bool read_told(struct json_reading *reading)
{
    struct message *message = reading->message;
    return read_told_number(reading, "rating", 0, RATING_MAX, &message->seek.rating) &&
           read_told_number(reading, "seat_number", -1, PLAYER_COUNT_MAX - 1,
                            &message->seek.seat_number) &&
           json_read_optional_text(reading, "title", 1, SEEK_TITLE_BYTES_MAX, &message->seek.title);
}

static bool read_create(struct json_reading *reading)
{
    static const char *const words[] = {[VISIBILITY_USUAL] = "", "public", "private"};
    struct message *message = reading->message;
    int visibility = VISIBILITY_USUAL;
    if (!read_origin(reading) || !json_read_word(reading, "visibility", words, 3, &visibility))
        return false;
    if (visibility == VISIBILITY_USUAL && json_object_get(reading->root, "visibility") != NULL)
        return json_fail(reading, "visibility is not one of the words it may be");
    message->create.visibility = (enum visibility)visibility;
    return read_players(reading, &message->create.players) &&
           read_rated(reading, &message->create.rated) &&
           read_clock(reading, &message->create.clock);
}

/* Who plays: a person, or a program. */
static bool read_as(struct json_reading *reading, enum player_kind *kind)
{
    static const char *const words[] = {"human", "bot"};
    int as = PLAYER_HUMAN;
    if (!json_read_word(reading, "as", words, 2, &as))
        return false;
    *kind = (enum player_kind)as;
    return true;
}

static bool read_seek(struct json_reading *reading)
{
    struct message *message = reading->message;
    bool bots = true;
    message->seek.name = (struct text){"", 0};
    if (!json_read_text(reading, "game", WORD_BYTES_MAX, &message->seek.game) ||
        !json_read_optional_text(reading, "seat", 1, WORD_BYTES_MAX, &message->seek.seat) ||
        !json_read_optional_text(reading, "name", 0, DISPLAY_NAME_BYTES_MAX, &message->seek.name) ||
        !read_players(reading, &message->seek.players) || !read_as(reading, &message->seek.as) ||
        (json_object_get(reading->root, "bots") != NULL &&
         !json_read_truth(reading, "bots", &bots)))
        return false;
    message->seek.no_bots = !bots;
    return read_rated(reading, &message->seek.rated) &&
           read_range(reading, &message->seek.rating_min, &message->seek.rating_max,
                      &message->seek.rating_within) &&
           read_told(reading) && read_clock(reading, &message->seek.clock);
}

static bool read_lobby_subscribe(struct json_reading *reading)
{
    int64_t from = 0;
    if (json_object_get(reading->root, "from") != NULL &&
        !json_read_integer(reading, "from", 0, MINE_FROM_MAX, &from))
        return false;
    reading->message->lobby_subscribe.from = (int)from;
    return true;
}

static bool read_seek_cancel(struct json_reading *reading)
{
    struct text *seek = &reading->message->seek_cancel.seek;
    if (!json_read_optional_text(reading, "seek", 1, COMMAND_ID_BYTES_MAX, seek))
        return false;
    return seek->data == NULL || json_is_id(*seek) ||
           json_fail(reading, "seek must be a command's id");
}

static bool read_join(struct json_reading *reading)
{
    struct message *message = reading->message;
    bool has_key = json_object_get(reading->root, "key") != NULL;
    if (has_key == (json_object_get(reading->root, "seat") != NULL))
        return json_fail(reading, "join needs either seat or key");
    message->join.name = (struct text){"", 0};
    if (!read_room(reading) ||
        !json_read_text(reading, has_key ? "key" : "seat", WORD_BYTES_MAX,
                        has_key ? &message->join.key : &message->join.seat) ||
        !json_read_optional_text(reading, "name", 0, DISPLAY_NAME_BYTES_MAX, &message->join.name))
        return false;
    return read_as(reading, &message->join.as);
}

static bool read_move(struct json_reading *reading)
{
    struct message *message = reading->message;
    message->move.version = -1;
    if (!read_room(reading) || !read_move_request(reading, &message->move.move))
        return false;
    if (json_object_get(reading->root, "version") == NULL)
        return true;
    return json_read_integer(reading, "version", 0, JSON_EXACT_MAX, &message->move.version);
}

static bool read_claim(struct json_reading *reading, bool *as_draw)
{
    static const char *const words[] = {"win", "draw"};
    int as = -1;
    if (!json_read_word(reading, "as", words, 2, &as))
        return false;
    *as_draw = as == 1;
    return true;
}

/* 0 where there is none. */
static bool read_bot_level(struct json_reading *reading, int *level)
{
    int64_t number = 0;
    if (json_object_get(reading->root, "level") != NULL &&
        !json_read_integer(reading, "level", 1, BOT_LEVEL_MAX, &number))
        return false;
    *level = (int)number;
    return true;
}

static bool read_action(struct json_reading *reading)
{
    static const char *const words[] = {
#define X(kind, word) word,
        ACTION_KINDS(X)
#undef X
    };
    struct message *message = reading->message;
    int kind = -1;
    if (!read_room(reading) || !json_read_word(reading, "kind", words, ACTION_REQUEST_COUNT, &kind))
        return false;
    message->action.kind = (enum action_request)kind;
    if (message->action.kind == ACTION_REQUEST_CHAT_MUTE ||
        message->action.kind == ACTION_REQUEST_CHAT_UNMUTE)
        return json_read_text(reading, "player", WORD_BYTES_MAX, &message->action.player);
    if (message->action.kind == ACTION_REQUEST_CLAIM_TIMEOUT)
        return read_claim(reading, &message->action.as_draw);
    if (message->action.kind == ACTION_REQUEST_REMATCH_OFFER ||
        message->action.kind == ACTION_REQUEST_REMATCH_ACCEPT)
        return read_offered_clock(reading, &message->action.clock);
    if (message->action.kind != ACTION_REQUEST_BOT_INVITE)
        return true;
    return read_bot_level(reading, &message->action.level) &&
           json_read_optional_text(reading, "seat", 1, WORD_BYTES_MAX, &message->action.seat);
}

static bool read_chat(struct json_reading *reading)
{
    return read_room(reading) &&
           json_read_text(reading, "text", CHAT_BYTES_MAX, &reading->message->chat.text);
}

/* `to` and `choice` ask about one move, legal or not; so they need to be explained; without a cell to begin from it is a placement. */
static bool read_legal_moves(struct json_reading *reading)
{
    struct message *message = reading->message;
    if (!read_room(reading) || !json_read_truth(reading, "explain", &message->legal_moves.explain))
        return false;
    if (json_object_get(reading->root, "skip") != NULL &&
        !json_read_integer(reading, "skip", 0, LEGAL_MOVES_SKIP_MAX, &message->legal_moves.skip))
        return false;
    json_t *cell = json_object_get(reading->root, "cell");
    json_t *to = json_object_get(reading->root, "to");
    message->legal_moves.has_cell = cell != NULL;
    message->legal_moves.has_to = to != NULL;
    if (cell == NULL && to == NULL && message->legal_moves.explain)
        return json_fail(reading, "cell is missing");
    if (to != NULL && !message->legal_moves.explain)
        return json_fail(reading, "to asks for an explanation: explain is missing");
    if (cell == NULL && to == NULL)
        return true;
    return (cell == NULL || json_read_place(reading, "cell", cell, &message->legal_moves.cell)) &&
           (to == NULL || json_read_place(reading, "to", to, &message->legal_moves.to)) &&
           json_read_optional_text(reading, "choice", 1, WORD_BYTES_MAX,
                                   &message->legal_moves.choice);
}

/* Of all plies; from the first unless it says after which. */
static bool read_history_moves(struct json_reading *reading)
{
    struct message *message = reading->message;
    message->history.ask = HISTORY_MOVES;
    return json_object_get(reading->root, "from") == NULL ||
           json_read_integer(reading, "from", 0, JSON_EXACT_MAX, &message->history.from);
}

static bool read_history(struct json_reading *reading)
{
    struct message *message = reading->message;
    bool moves;
    if (!read_room(reading) || !json_read_truth(reading, "moves", &moves))
        return false;
    if (json_object_get(reading->root, "ply") != NULL) {
        message->history.ask = HISTORY_STATE;
        return json_read_integer(reading, "ply", 0, JSON_EXACT_MAX, &message->history.ply);
    }
    if (moves)
        return read_history_moves(reading);
    if (!json_read_integer(reading, "from", 1, JSON_EXACT_MAX, &message->history.from) ||
        !json_read_integer(reading, "to", 1, JSON_EXACT_MAX, &message->history.to))
        return false;
    if (message->history.to < message->history.from)
        return json_fail(reading, "to must not be less than from");
    return true;
}

static bool read_hint(struct json_reading *reading)
{
    struct message *message = reading->message;
    int64_t lines = 1;
    message->hint.ply = -1;
    if (!read_room(reading))
        return false;
    if (json_object_get(reading->root, "ply") != NULL &&
        !json_read_integer(reading, "ply", 0, JSON_EXACT_MAX, &message->hint.ply))
        return false;
    if (json_object_get(reading->root, "lines") != NULL &&
        !json_read_integer(reading, "lines", 1, HINT_LINES_MAX, &lines))
        return false;
    message->hint.lines = (int)lines;
    return true;
}

static bool read_resume(struct json_reading *reading)
{
    return read_room(reading) && json_read_integer(reading, "version", 0, JSON_EXACT_MAX,
                                                   &reading->message->resume.version);
}

json_read_fields *json_fields_reader(enum message_kind kind)
{
    static json_read_fields *const readers[MESSAGE_KIND_COUNT] = {
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
        [MESSAGE_HINT] = read_hint,
        [MESSAGE_SYNC] = read_room,
        [MESSAGE_RESUME] = read_resume,
        [MESSAGE_SEAT_KEY] = read_room,
        [MESSAGE_LOBBY_SUBSCRIBE] = read_lobby_subscribe,
        [MESSAGE_LOBBY_UNSUBSCRIBE] = read_nothing,
        [MESSAGE_SEEK] = read_seek,
        [MESSAGE_SEEK_CANCEL] = read_seek_cancel,
    };
    return readers[kind];
}
