/* What an event says beside its kind, version and time. One table says which members each kind has;
 * writing and reading both follow it. */
#include "protocol/event.h"

#include "protocol/depth.h"

#include <assert.h>
#include <jansson.h>
#include <string.h>

enum { BODY_DEPTH_MAX = 4 };

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
};

struct shape {
    unsigned required, optional;
};

static const struct shape shapes[EVENT_KIND_COUNT] = {
    [EVENT_CREATED] = {MEMBER_GAME, MEMBER_PREVIOUS_ROOM | MEMBER_PLAYERS},
    [EVENT_JOINED] = {MEMBER_SEATS | MEMBER_PERSON | MEMBER_AS, 0},
    [EVENT_LEFT] = {MEMBER_SEATS, 0},
    [EVENT_MOVED] = {MEMBER_SEAT | MEMBER_MOVE, 0},
    [EVENT_RESIGNED] = {MEMBER_SEAT, 0},
    [EVENT_DRAW_OFFERED] = {MEMBER_SEAT, 0},
    [EVENT_DRAW_DECLINED] = {MEMBER_SEAT, 0},
    [EVENT_DRAW_ACCEPTED] = {MEMBER_SEAT, 0},
    [EVENT_CLAIMED] = {MEMBER_SEAT, 0},
    [EVENT_DRAWN] = {0, 0},
    [EVENT_REMATCH_OFFERED] = {MEMBER_SEAT, 0},
    [EVENT_REMATCH_DECLINED] = {MEMBER_SEAT, 0},
    [EVENT_REMATCH_ACCEPTED] = {MEMBER_SEAT, 0},
    [EVENT_REMATCH] = {MEMBER_NEXT_ROOM, 0},
    [EVENT_CHATTED] = {MEMBER_PERSON | MEMBER_TEXT, MEMBER_SEAT},
    [EVENT_SEAT_KEY] = {MEMBER_SEATS, MEMBER_KEY_HASH},
    [EVENT_HANDED_OVER] = {MEMBER_SEATS | MEMBER_PERSON | MEMBER_AS, 0},
};

/* ---- writing ---- */

static void write_text(struct writer *writer, const char *name, struct text text)
{
    writer_key(writer, name);
    writer_string_bytes(writer, text.data, text.length);
}

static void write_move(struct writer *writer, const struct event *event)
{
    writer_key(writer, "move");
    writer_object(writer);
    if (event->pass) {
        writer_key(writer, "pass");
        writer_boolean(writer, true);
    } else {
        write_text(writer, "from", event->from);
        write_text(writer, "to", event->to);
        if (event->choice.data)
            write_text(writer, "choice", event->choice);
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

static void write_as(struct writer *writer, const struct event *event)
{
    writer_key(writer, "as");
    writer_string(writer, event->as == PLAYER_BOT ? "bot" : "human");
    if (!event->house)
        return;
    writer_key(writer, "house");
    writer_boolean(writer, true);
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
    if (members & MEMBER_SEATS)
        write_seats(writer, event);
    if (members & MEMBER_SEAT && event->seat_count > 0)
        write_text(writer, "seat", event->seats[0]);
    if (members & MEMBER_PERSON) {
        write_text(writer, "player", event->player);
        write_text(writer, "name", event->name);
    }
    if (members & MEMBER_AS)
        write_as(writer, event);
    if (members & MEMBER_MOVE)
        write_move(writer, event);
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

static bool read_as(const json_t *root, struct event *event)
{
    struct text word;
    if (!read_text(root, "as", &word))
        return false;
    event->as = strcmp(word.data, "bot") == 0 ? PLAYER_BOT : PLAYER_HUMAN;
    event->house = json_is_true(json_object_get(root, "house"));
    return event->as == PLAYER_BOT || strcmp(word.data, "human") == 0;
}

static bool read_move(const json_t *root, struct event *event)
{
    const json_t *move = json_object_get(root, "move");
    event->pass = json_is_true(json_object_get(move, "pass"));
    if (event->pass)
        return json_object_size(move) == 1;
    read_text(move, "choice", &event->choice);
    return read_text(move, "from", &event->from) && read_text(move, "to", &event->to);
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

static bool read_optional(const json_t *root, unsigned members, struct event *event)
{
    if (members & MEMBER_PREVIOUS_ROOM)
        read_text(root, "previous_room", &event->previous_room);
    if (members & MEMBER_SEAT)
        read_seat(root, event);
    if (members & MEMBER_KEY_HASH)
        read_text(root, "key_hash", &event->key_hash);
    return !(members & MEMBER_PLAYERS) || read_players(root, event);
}

static bool read_required(const json_t *root, unsigned members, struct event *event)
{
    return (!(members & MEMBER_GAME) || read_text(root, "game", &event->game)) &&
           (!(members & MEMBER_SEATS) || read_seats(root, event)) &&
           (!(members & MEMBER_SEAT) || read_seat(root, event)) &&
           (!(members & MEMBER_PERSON) ||
            (read_text(root, "player", &event->player) && read_text(root, "name", &event->name))) &&
           (!(members & MEMBER_AS) || read_as(root, event)) &&
           (!(members & MEMBER_MOVE) || read_move(root, event)) &&
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

bool event_read(const char *kind, const char *body, size_t length, struct event *event)
{
    *event = (struct event){.kind = EVENT_CREATED};
    if (!find_kind(kind, &event->kind) || !depth_within(body, length, BODY_DEPTH_MAX))
        return false;
    json_t *root = json_loadb(body, length, JSON_REJECT_DUPLICATES, NULL);
    struct shape shape = shapes[event->kind];
    if (!json_is_object(root) || !read_required(root, shape.required, event) ||
        !read_optional(root, shape.optional, event)) {
        json_decref(root);
        return false;
    }
    event->document = root;
    return true;
}

void event_release(struct event *event)
{
    json_decref(event->document);
    event->document = NULL;
}
