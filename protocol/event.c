/* What an event says beside its kind, version and time. One table says which members each kind has;
 * writing and reading both follow it. */
#include "protocol/event.h"

#include "engine/memory/memory.h"
#include "protocol/depth.h"

#include <assert.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* The deepest: {"log":[{"body":{"moves":[{"from":…}]}}]} */
enum { BODY_DEPTH_MAX = 6 };

/* What a read event borrows from. */
struct document {
    json_t *root;
    struct event_move *moves;
    struct time_control clock;
};

const char *event_kind_word(enum event_kind kind)
{
    static const char *const words[] = {
#define X(kind, word) word,
        EVENT_KINDS(X)
#undef X
    };
    assert((unsigned)kind < EVENT_KIND_COUNT);
    return words[kind];
}

/* ---- which kind has which members ---- */

enum member {
    MEMBER_GAME = 1 << 0,
    MEMBER_PREVIOUS_ROOM = 1 << 1,
    MEMBER_SEATS = 1 << 2,
    MEMBER_SEAT = 1 << 3,
    MEMBER_PERSON = 1 << 4, /* player and name */
    MEMBER_AS = 1 << 5,     /* as and house */
    MEMBER_MOVE = 1 << 6,
    MEMBER_TEXT = 1 << 7,
    MEMBER_NEXT_ROOM = 1 << 8,
    MEMBER_PLAYERS = 1 << 9,
    MEMBER_KEY_HASH = 1 << 10, /* only in what is stored */
    MEMBER_ORIGIN = 1 << 11,   /* fork, import, and what they bring along */
    MEMBER_PLAYER = 1 << 12,
    MEMBER_VOICES = 1 << 13,
    MEMBER_PLY = 1 << 14,
    MEMBER_CLOCK = 1 << 15,
    MEMBER_SPENT = 1 << 16, /* spent_ms, compensated_ms, lag_ms */
    MEMBER_CLAIM = 1 << 17, /* by and as: what it is claimed to be */
    MEMBER_OFFERED_CLOCK = 1 << 18,
};

struct shape {
    unsigned required, optional;
};

static const struct shape shapes[EVENT_KIND_COUNT] = {
    [EVENT_CREATED] = {MEMBER_GAME,
                       MEMBER_PREVIOUS_ROOM | MEMBER_PLAYERS | MEMBER_ORIGIN | MEMBER_CLOCK},
    [EVENT_JOINED] = {MEMBER_SEATS | MEMBER_PERSON | MEMBER_AS, 0},
    [EVENT_LEFT] = {MEMBER_SEATS, 0},
    [EVENT_MOVED] = {MEMBER_SEAT | MEMBER_MOVE, MEMBER_SPENT},
    [EVENT_STOPPED] = {MEMBER_SEAT | MEMBER_MOVE, 0},
    [EVENT_FLAGGED] = {MEMBER_SEAT, 0},
    [EVENT_RESIGNED] = {MEMBER_SEAT, 0},
    [EVENT_ABORTED] = {MEMBER_SEAT, 0},
    [EVENT_DRAW_OFFERED] = {MEMBER_SEAT, 0},
    [EVENT_DRAW_DECLINED] = {MEMBER_SEAT, 0},
    [EVENT_DRAW_ACCEPTED] = {MEMBER_SEAT, 0},
    [EVENT_TAKEBACK_OFFERED] = {MEMBER_SEAT, 0},
    [EVENT_TAKEBACK_DECLINED] = {MEMBER_SEAT, 0},
    [EVENT_TAKEBACK_ACCEPTED] = {MEMBER_SEAT, 0},
    [EVENT_TAKEN_BACK] = {MEMBER_SEAT | MEMBER_PLY, 0},
    [EVENT_CLAIMED] = {MEMBER_SEAT, 0},
    [EVENT_ABANDONED] = {MEMBER_SEAT | MEMBER_CLAIM, 0},
    [EVENT_DRAWN] = {0, 0},
    [EVENT_REMATCH_OFFERED] = {MEMBER_SEAT, MEMBER_OFFERED_CLOCK},
    [EVENT_REMATCH_DECLINED] = {MEMBER_SEAT, 0},
    [EVENT_REMATCH_ACCEPTED] = {MEMBER_SEAT, 0},
    [EVENT_REMATCH] = {MEMBER_NEXT_ROOM, 0},
    [EVENT_CHATTED] = {MEMBER_PERSON | MEMBER_TEXT, MEMBER_SEAT},
    [EVENT_SEAT_KEY] = {MEMBER_SEATS, MEMBER_KEY_HASH},
    [EVENT_HANDED_OVER] = {MEMBER_SEATS | MEMBER_PERSON | MEMBER_AS, 0},
    [EVENT_CHAT_ALLOWED] = {MEMBER_SEAT | MEMBER_VOICES, 0},
    [EVENT_MUTED] = {MEMBER_SEAT | MEMBER_PLAYER, 0},
    [EVENT_UNMUTED] = {MEMBER_SEAT | MEMBER_PLAYER, 0},
};

/* ---- writing ---- */

static void write_text(struct writer *writer, const char *name, struct text text)
{
    writer_key(writer, name);
    writer_string_bytes(writer, text.data, text.length);
}

static void write_move(struct writer *writer, const struct event_move *move)
{
    writer_object(writer);
    if (move->pass || move->swap) {
        writer_key(writer, move->pass ? "pass" : "swap");
        writer_boolean(writer, true);
    } else {
        if (move->from.data)
            write_text(writer, "from", move->from);
        write_text(writer, "to", move->to);
        if (move->choice.data)
            write_text(writer, "choice", move->choice);
    }
    writer_end(writer);
}

static void write_seats(struct writer *writer, const struct event *event)
{
    writer_key(writer, "seats");
    writer_array(writer);
    for (int i = 0; i < event->seat_count; i++)
        writer_string_bytes(writer, event->seats[i].data, event->seats[i].length);
    writer_end(writer);
    /* Mostly it is one: then also by the word that all other kinds of event use. */
    if (event->seat_count == 1)
        write_text(writer, "seat", event->seats[0]);
}

static void write_as(struct writer *writer, enum player_kind as, bool house)
{
    writer_key(writer, "as");
    writer_string(writer, as == PLAYER_BOT ? "bot" : "human");
    if (!house)
        return;
    writer_key(writer, "house");
    writer_boolean(writer, true);
}

static void write_holders(struct writer *writer, const struct event *event)
{
    writer_key(writer, "seated");
    writer_array(writer);
    for (int i = 0; i < event->holder_count; i++) {
        const struct event_holder *holder = &event->holders[i];
        writer_object(writer);
        write_text(writer, "seat", holder->seat);
        write_text(writer, "player", holder->player);
        write_text(writer, "name", holder->name);
        write_as(writer, holder->as, holder->house);
        writer_end(writer);
    }
    writer_end(writer);
}

/* Where a room comes from that did not begin as games begin. */
static void write_origin(struct writer *writer, const struct event *event)
{
    if (event->fork_room.data) {
        writer_key(writer, "fork");
        writer_object(writer);
        write_text(writer, "room", event->fork_room);
        writer_key(writer, "ply");
        writer_integer(writer, event->fork_ply);
        writer_end(writer);
    }
    if (event->import_room.data) {
        writer_key(writer, "import");
        writer_object(writer);
        write_text(writer, "room", event->import_room);
        writer_end(writer);
    }
    if (event->holder_count > 0)
        write_holders(writer, event);
}

static void write_past(struct writer *writer, const struct event *event)
{
    if (event->move_count > 0) {
        writer_key(writer, "moves");
        writer_array(writer);
        for (int i = 0; i < event->move_count; i++)
            write_move(writer, &event->moves[i]);
        writer_end(writer);
    }
    if (event->log != NULL) {
        char *text = json_dumps(event->log, JSON_COMPACT);
        if (text == NULL)
            memory_end_process(json_array_size(event->log));
        writer_key(writer, "log");
        writer_raw(writer, text, strlen(text));
        free(text);
    }
}

static void write_claim(struct writer *writer, const struct event *event)
{
    write_text(writer, "by", event->by);
    writer_member_string(writer, "as", event->as_draw ? "draw" : "win");
}

static void write_time(struct writer *writer, const struct event *event)
{
    if (event->clock != NULL) {
        writer_key(writer, "clock");
        time_control_write(event->clock, writer);
    }
    if (event->rated) {
        writer_key(writer, "rated");
        writer_boolean(writer, true);
    }
}

static void write_offered_clock(struct writer *writer, const struct event *event)
{
    if (event->clock == NULL)
        return;
    writer_key(writer, "clock");
    time_control_write_offer(event->clock, writer);
}

static void write_ms(struct writer *writer, const char *name, uint32_t ms)
{
    if (ms > 0)
        writer_member_integer(writer, name, ms);
}

static void write_spent(struct writer *writer, const struct event *event)
{
    write_ms(writer, "spent_ms", event->spent_ms);
    write_ms(writer, "compensated_ms", event->compensated_ms);
    write_ms(writer, "lag_ms", event->lag_ms);
}

void event_write_members(const struct event *event, struct writer *writer)
{
    struct shape shape = shapes[event->kind];
    unsigned members = shape.required | shape.optional;
    if (members & MEMBER_GAME)
        write_text(writer, "game", event->game);
    if (members & MEMBER_PREVIOUS_ROOM && event->previous_room.data)
        write_text(writer, "previous_room", event->previous_room);
    if (members & MEMBER_PLAYERS && event->players != 0) {
        writer_key(writer, "players");
        writer_integer(writer, event->players);
    }
    if (members & MEMBER_PLAYERS && event->language != 0) {
        writer_key(writer, "language");
        writer_integer(writer, event->language);
    }
    if (members & MEMBER_CLOCK)
        write_time(writer, event);
    if (members & MEMBER_ORIGIN)
        write_origin(writer, event);
    if (members & MEMBER_SEATS)
        write_seats(writer, event);
    if (members & MEMBER_SEAT && event->seat_count > 0)
        write_text(writer, "seat", event->seats[0]);
    if (members & MEMBER_OFFERED_CLOCK)
        write_offered_clock(writer, event);
    if (members & MEMBER_PERSON) {
        write_text(writer, "player", event->player);
        write_text(writer, "name", event->name);
    }
    if (members & MEMBER_AS)
        write_as(writer, event->as, event->house);
    if (members & MEMBER_MOVE) {
        writer_key(writer, "move");
        write_move(writer, &(struct event_move){event->pass, event->swap, event->from, event->to,
                                                event->choice});
    }
    if (members & MEMBER_PLAYER)
        write_text(writer, "player", event->player);
    if (members & MEMBER_SPENT)
        write_spent(writer, event);
    if (members & MEMBER_PLY) {
        writer_key(writer, "ply");
        writer_integer(writer, event->ply);
    }
    if (members & MEMBER_VOICES) {
        writer_key(writer, "voices");
        writer_string(writer, chat_voices_word(event->voices));
    }
    if (members & MEMBER_CLAIM)
        write_claim(writer, event);
    if (members & MEMBER_TEXT)
        write_text(writer, "text", event->text);
    if (members & MEMBER_NEXT_ROOM)
        write_text(writer, "next_room", event->next_room);
}

void event_write(const struct event *event, struct writer *writer)
{
    writer_object(writer);
    event_write_members(event, writer);
    if (event->key_hash.data)
        write_text(writer, "key_hash", event->key_hash);
    if (event->kind == EVENT_CREATED)
        write_past(writer, event);
    writer_end(writer);
}

/* ---- reading ---- */

static bool read_text(const json_t *object, const char *name, struct text *text)
{
    const json_t *value = json_object_get(object, name);
    if (!json_is_string(value))
        return false;
    *text = (struct text){json_string_value(value), json_string_length(value)};
    return true;
}

static bool read_ply(const json_t *root, int64_t *ply)
{
    const json_t *value = json_object_get(root, "ply");
    *ply = json_integer_value(value);
    return json_is_integer(value) && *ply >= 0;
}

static bool read_seats(const json_t *root, struct event *event)
{
    const json_t *seats = json_object_get(root, "seats");
    if (!json_is_array(seats) || json_array_size(seats) > EVENT_SEATS_MAX)
        return false;
    size_t index = 0;
    json_t *seat = NULL;
    json_array_foreach(seats, index, seat)
    {
        if (!json_is_string(seat))
            return false;
        event->seats[event->seat_count++] =
            (struct text){json_string_value(seat), json_string_length(seat)};
    }
    return true;
}

static bool read_seat(const json_t *root, struct event *event)
{
    if (!read_text(root, "seat", &event->seats[0]))
        return false;
    event->seat_count = 1;
    return true;
}

static bool read_as(const json_t *root, enum player_kind *as, bool *house)
{
    struct text word;
    if (!read_text(root, "as", &word))
        return false;
    *as = strcmp(word.data, "bot") == 0 ? PLAYER_BOT : PLAYER_HUMAN;
    *house = json_is_true(json_object_get(root, "house"));
    return *as == PLAYER_BOT || strcmp(word.data, "human") == 0;
}

static bool read_move(const json_t *value, struct event_move *move)
{
    move->pass = json_is_true(json_object_get(value, "pass"));
    move->swap = json_is_true(json_object_get(value, "swap"));
    if (move->pass || move->swap)
        return json_object_size(value) == 1;
    read_text(value, "choice", &move->choice);
    if (json_object_get(value, "from") != NULL && !read_text(value, "from", &move->from))
        return false;
    return read_text(value, "to", &move->to);
}

static bool read_moved(const json_t *root, struct event *event)
{
    struct event_move move = {.pass = false};
    bool read = read_move(json_object_get(root, "move"), &move);
    event->pass = move.pass, event->swap = move.swap;
    event->from = move.from, event->to = move.to, event->choice = move.choice;
    return read;
}

/* Where a room comes from. */

static bool read_fork(const json_t *root, struct event *event)
{
    const json_t *fork = json_object_get(root, "fork"), *import = json_object_get(root, "import");
    if (import != NULL && !read_text(import, "room", &event->import_room))
        return false;
    if (fork == NULL)
        return true;
    return read_text(fork, "room", &event->fork_room) && read_ply(fork, &event->fork_ply);
}

static bool read_holders(const json_t *root, struct event *event)
{
    const json_t *seated = json_object_get(root, "seated");
    if (seated == NULL)
        return true;
    if (!json_is_array(seated) || json_array_size(seated) > EVENT_SEATS_MAX)
        return false;
    for (size_t i = 0; i < json_array_size(seated); i++) {
        const json_t *item = json_array_get(seated, i);
        struct event_holder *holder = &event->holders[event->holder_count++];
        if (!read_text(item, "seat", &holder->seat) ||
            !read_text(item, "player", &holder->player) ||
            !read_text(item, "name", &holder->name) || !read_as(item, &holder->as, &holder->house))
            return false;
    }
    return true;
}

static bool read_moves(const json_t *root, struct document *document, struct event *event)
{
    const json_t *moves = json_object_get(root, "moves");
    size_t count = json_array_size(moves); /* 0 unless an array */
    if (moves == NULL || count == 0)
        return moves == NULL || json_is_array(moves);
    if (count > EVENT_MOVES_MAX)
        return false;
    document->moves = memory_zeroed(count, sizeof *document->moves);
    for (size_t i = 0; i < count; i++)
        if (!read_move(json_array_get(moves, i), &document->moves[i]))
            return false;
    event->moves = document->moves;
    event->move_count = (int)count;
    return true;
}

static bool read_log(const json_t *root, struct event *event)
{
    json_t *log = json_object_get(root, "log");
    if (log == NULL)
        return true;
    if (!json_is_array(log) || json_array_size(log) == 0 || json_array_size(log) > EVENT_LOG_MAX)
        return false;
    event->log = log;
    event->log_count = (int)json_array_size(log);
    return true;
}

static bool read_players(const json_t *root, struct event *event)
{
    const json_t *players = json_object_get(root, "players");
    json_int_t count = json_integer_value(players); /* 0 unless an integer */
    if (players == NULL)
        return true;
    event->players = count >= 1 && count <= PLAYER_COUNT_MAX ? (int)count : 0;
    return event->players != 0;
}

static bool read_language(const json_t *root, struct event *event)
{
    enum { REVISIONS_MAX = 1000 };
    const json_t *language = json_object_get(root, "language");
    json_int_t revision = json_integer_value(language); /* 0 unless an integer */
    if (language == NULL)
        return true;
    event->language = revision >= 1 && revision <= REVISIONS_MAX ? (int)revision : 0;
    return event->language != 0;
}

static bool read_voices(const json_t *root, struct event *event)
{
    struct text word;
    if (!read_text(root, "voices", &word))
        return false;
    for (int i = 0; i < CHAT_VOICES_COUNT; i++) {
        event->voices = (enum chat_voices)i;
        if (strcmp(word.data, chat_voices_word(event->voices)) == 0)
            return true;
    }
    return false;
}

static bool read_claim(const json_t *root, struct event *event)
{
    struct text as;
    if (!read_text(root, "by", &event->by) || !read_text(root, "as", &as))
        return false;
    event->as_draw = strcmp(as.data, "draw") == 0;
    return event->as_draw || strcmp(as.data, "win") == 0;
}

static bool read_clock(const json_t *root, struct document *document, struct event *event)
{
    char words[TIME_WORDS_BYTES];
    const json_t *clock = json_object_get(root, "clock");
    event->rated = json_is_true(json_object_get(root, "rated"));
    if (clock == NULL)
        return true;
    event->clock = &document->clock;
    return time_control_read(clock, &document->clock, words);
}

static bool read_offered_clock(const json_t *root, struct document *document, struct event *event)
{
    char words[TIME_WORDS_BYTES];
    const json_t *clock = json_object_get(root, "clock");
    event->clock = clock == NULL ? NULL : &document->clock;
    return clock == NULL || time_control_read_offer(clock, &document->clock, words);
}

static bool read_ms(const json_t *root, const char *name, uint32_t *ms)
{
    const json_t *value = json_object_get(root, name);
    json_int_t number = json_integer_value(value);
    *ms = number > 0 && number <= UINT32_MAX ? (uint32_t)number : 0;
    return value == NULL || (json_is_integer(value) && number >= 0 && number <= UINT32_MAX);
}

static bool read_spent(const json_t *root, struct event *event)
{
    return read_ms(root, "spent_ms", &event->spent_ms) &&
           read_ms(root, "compensated_ms", &event->compensated_ms) &&
           read_ms(root, "lag_ms", &event->lag_ms);
}

static bool read_optional(const json_t *root, unsigned members, struct document *document,
                          struct event *event)
{
    if (members & MEMBER_ORIGIN && (!read_fork(root, event) || !read_holders(root, event) ||
                                    !read_moves(root, document, event) || !read_log(root, event)))
        return false;
    if (members & MEMBER_PREVIOUS_ROOM)
        read_text(root, "previous_room", &event->previous_room);
    if (members & MEMBER_SEAT)
        read_seat(root, event);
    if (members & MEMBER_KEY_HASH)
        read_text(root, "key_hash", &event->key_hash);
    if (members & MEMBER_SPENT && !read_spent(root, event))
        return false;
    if (members & MEMBER_CLOCK && !read_clock(root, document, event))
        return false;
    if (members & MEMBER_OFFERED_CLOCK && !read_offered_clock(root, document, event))
        return false;
    return !(members & MEMBER_PLAYERS) || (read_players(root, event) && read_language(root, event));
}

static bool read_required(const json_t *root, unsigned members, struct event *event)
{
    return (!(members & MEMBER_GAME) || read_text(root, "game", &event->game)) &&
           (!(members & MEMBER_SEATS) || read_seats(root, event)) &&
           (!(members & MEMBER_SEAT) || read_seat(root, event)) &&
           (!(members & MEMBER_PERSON) ||
            (read_text(root, "player", &event->player) && read_text(root, "name", &event->name))) &&
           (!(members & MEMBER_AS) || read_as(root, &event->as, &event->house)) &&
           (!(members & MEMBER_MOVE) || read_moved(root, event)) &&
           (!(members & MEMBER_PLAYER) || read_text(root, "player", &event->player)) &&
           (!(members & MEMBER_VOICES) || read_voices(root, event)) &&
           (!(members & MEMBER_PLY) || read_ply(root, &event->ply)) &&
           (!(members & MEMBER_CLAIM) || read_claim(root, event)) &&
           (!(members & MEMBER_TEXT) || read_text(root, "text", &event->text)) &&
           (!(members & MEMBER_NEXT_ROOM) || read_text(root, "next_room", &event->next_room));
}

static bool find_kind(const char *word, enum event_kind *kind)
{
    for (int i = 0; i < EVENT_KIND_COUNT; i++) {
        if (strcmp(event_kind_word((enum event_kind)i), word) == 0) {
            *kind = (enum event_kind)i;
            return true;
        }
    }
    return false;
}

static void document_free(struct document *document)
{
    json_decref(document->root);
    free(document->moves);
    free(document);
}

/* Takes the root. */
static bool read_body(json_t *root, struct event *event)
{
    struct document *document = memory_zeroed(1, sizeof *document);
    struct shape shape = shapes[event->kind];
    document->root = root;
    event->document = document;
    if (json_is_object(root) && read_required(root, shape.required, event) &&
        read_optional(root, shape.optional, document, event))
        return true;
    document_free(document);
    event->document = NULL;
    return false;
}

bool event_read(const char *kind, const char *body, size_t length, struct event *event)
{
    *event = (struct event){.kind = EVENT_CREATED};
    if (!find_kind(kind, &event->kind) || !depth_within(body, length, BODY_DEPTH_MAX))
        return false;
    return read_body(json_loadb(body, length, JSON_REJECT_DUPLICATES, NULL), event);
}

bool event_read_value(const char *kind, const void *body, struct event *event)
{
    *event = (struct event){.kind = EVENT_CREATED};
    return body != NULL && find_kind(kind, &event->kind) &&
           read_body(json_incref((json_t *)body), event);
}

void event_release(struct event *event)
{
    if (event->document != NULL)
        document_free(event->document);
    event->document = NULL;
}

/* ---- the log of an imported game ---- */

bool event_log_read(const struct event *created, int index, struct event *event, int64_t *at_ms)
{
    assert(index >= 0 && index < created->log_count);
    const json_t *item = json_array_get(created->log, (size_t)index);
    const json_t *at = json_object_get(item, "at");
    struct text kind;
    *event = (struct event){.kind = EVENT_CREATED};
    *at_ms = json_integer_value(at);
    return json_is_integer(at) && read_text(item, "kind", &kind) &&
           event_read_value(kind.data, json_object_get(item, "body"), event);
}

void *event_log_new(void)
{
    json_t *log = json_array();
    if (log == NULL)
        memory_end_process(1);
    return log;
}

void event_log_add(void *log, const struct event *event, int64_t at_ms)
{
    struct writer writer;
    struct event told = *event;
    told.key_hash = (struct text){NULL, 0};
    writer_init(&writer);
    event_write(&told, &writer);
    json_t *body = json_loadb(writer.data, writer.length, 0, NULL);
    json_t *item = json_object();
    bool added =
        body != NULL &&
        json_object_set_new(item, "kind", json_string(event_kind_word(event->kind))) == 0 &&
        json_object_set_new(item, "at", json_integer(at_ms)) == 0 &&
        json_object_set_new(item, "body", body) == 0 && json_array_append_new(log, item) == 0;
    if (!added)
        memory_end_process(writer.length);
    writer_release(&writer);
}

void event_log_free(void *log)
{
    json_decref(log);
}

/* Before the past that a room comes with, which is written last; quotes within a text are escaped, so these stand in none. */
static size_t length_of_head(const char *body)
{
    static const char *const pasts[] = {",\"moves\":[", ",\"log\":["};
    const char *end = body + strlen(body);
    for (size_t i = 0; i < sizeof pasts / sizeof *pasts; i++) {
        const char *past = strstr(body, pasts[i]);
        if (past != NULL && past < end)
            end = past;
    }
    return (size_t)(end - body);
}

int event_read_players(const char *body, int *language)
{
    size_t length = length_of_head(body);
    char *head = memory_zeroed(length + 2, 1);
    struct event event;
    int players = 0;
    *language = 0;
    memcpy(head, body, length);
    if (body[length] != '\0')
        head[length++] = '}';
    if (event_read(event_kind_word(EVENT_CREATED), head, length, &event)) {
        players = event.players;
        *language = event.language;
        event_release(&event);
    }
    free(head);
    return players;
}
