#include "tests/bench/load.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

uint64_t load_now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

static uint64_t next_random(struct load *load)
{
    load->random ^= load->random << 13;
    load->random ^= load->random >> 7;
    load->random ^= load->random << 17;
    return load->random;
}

/* --- sending ---------------------------------------------------------------------------------- */

void load_send(struct load *load, struct connection *connection, const void *bytes, size_t length)
{
    /* Commands are small and a client never has many under way: a socket that cannot take one is a
     * failure. */
    if (send(connection->fd, bytes, length, MSG_NOSIGNAL) != (ssize_t)length)
        load->errors++;
}

static void send_text(struct load *load, struct connection *connection, const char *text)
{
    unsigned char frame[FRAME_BYTES_MAX + 8];
    size_t length = strlen(text), header = length < 126 ? 2 : 4;
    assert(length <= FRAME_BYTES_MAX);
    frame[0] = 0x81;
    frame[1] = (unsigned char)(0x80 | (length < 126 ? length : 126));
    if (length >= 126) {
        frame[2] = (unsigned char)(length >> 8);
        frame[3] = (unsigned char)length;
    }
    memset(frame + header, 0, 4);
    memcpy(frame + header + 4, text, length);
    load_send(load, connection, frame, header + 4 + length);
}

static void join(struct load *load, struct connection *connection)
{
    static const char *const seats[] = {"white", "black", "spectator"};
    char text[FRAME_BYTES_MAX];
    snprintf(text, sizeof text,
             "{\"type\":\"join\",\"id\":\"j%u\",\"room\":\"%s\",\"seat\":\"%s\",\"name\":\"load\"}",
             ++connection->command, load->rooms[connection->room].id, seats[connection->role]);
    send_text(load, connection, text);
}

static void create(struct load *load, struct connection *connection)
{
    char text[FRAME_BYTES_MAX];
    snprintf(text, sizeof text,
             "{\"type\":\"create\",\"id\":\"c%u\",\"game\":\"chess\",\"visibility\":\"private\"}",
             ++connection->command);
    send_text(load, connection, text);
}

static void send_move(struct load *load, struct room *room, uint64_t due_at_us)
{
    struct connection *connection = &load->connections[room->mover];
    char text[FRAME_BYTES_MAX];
    snprintf(text, sizeof text, "{\"type\":\"move\",\"id\":\"m%u\",\"room\":\"%s\",\"move\":%s}",
             ++connection->command, room->id, room->move);
    room->move[0] = '\0';
    room->sent_at_us = connection->sent_at_us = due_at_us;
    room->sent_us[(room->version + 1) % SENT_MAX] = due_at_us;
    connection->own_pending = true;
    send_text(load, connection, text);
}

/* A chosen move goes when it is due: in the closed loop at once, in the open loop by its schedule,
 * and then its latency counts from there. Nothing is due before all rooms are made. */
static void send_if_due(struct load *load, struct room *room, uint64_t now)
{
    if (room->move[0] != '\0' && room->due_at_us <= now)
        send_move(load, room, load->rate > 0 ? room->due_at_us : now);
}

static void advance_due(struct load *load, struct room *room)
{
    if (load->rate > 0)
        room->due_at_us += (uint64_t)(1e6 * load->rooms_wanted / load->rate);
}

void load_send_due(struct load *load)
{
    uint64_t now = load_now_us();
    for (int i = 0; i < load->rooms_wanted; i++)
        send_if_due(load, &load->rooms[i], now);
}

/* --- what the server says --------------------------------------------------------------------- */

static bool measuring(const struct load *load, uint64_t at_us)
{
    return at_us >= load->watching->measured_from_us && at_us < load->watching->measured_to_us;
}

static int64_t version_of(const char *text)
{
    const char *version = strstr(text, "\"version\":");
    return version ? strtoll(version + 10, NULL, 10) : 0;
}

/* Chooses one of the objects of `"legal_moves":[…]`. */
static bool choose_move(struct load *load, const char *text, char *move, size_t move_size)
{
    const char *list = strstr(text, "\"legal_moves\":[");
    if (list == NULL)
        return false;
    list += strlen("\"legal_moves\":[");
    const char *end = strchr(list, ']');
    int count = 0;
    for (const char *at = list; at < end; at++)
        count += *at == '{';
    if (count == 0)
        return false;
    int chosen = (int)(next_random(load) % (unsigned)count);
    const char *at = list;
    for (; chosen >= 0; at++)
        chosen -= *at == '{';
    snprintf(move, move_size, "%.*s", (int)(strchr(at, '}') - at + 2), at - 1);
    return true;
}

/* --- a game that everybody knows -------------------------------------------------------------- */

/* Knights go out and home three times, then each side steps with a pawn, twice with each but the knights' own: nothing is
 * taken, nothing repeated five times, and whoever plays it needs to be told nothing. */
enum { SHUFFLES = 12, PART = SHUFFLES + 2, PAWNS = 7, KNOWN_PLIES = 2 * PAWNS * PART };

static void known_move(int ply, char *move, size_t size)
{
    static const char *const knights[][2] = {
        {"g1", "f3"}, {"g8", "f6"}, {"f3", "g1"}, {"f6", "g8"}};
    static const char files[PAWNS + 1] = "abcdegh";
    int at = ply % PART, part = ply / PART;
    char from[3] = {files[part % PAWNS], (char)('2' + part / PAWNS), '\0'}, to[3];
    if (at < SHUFFLES) {
        snprintf(move, size, "{\"from\":\"%s\",\"to\":\"%s\"}", knights[at % 4][0],
                 knights[at % 4][1]);
        return;
    }
    bool white = at == SHUFFLES;
    from[1] = (char)(white ? from[1] : '9' - from[1] + '0');
    memcpy(to, from, sizeof to);
    to[1] = (char)(to[1] + (white ? 1 : -1));
    snprintf(move, size, "{\"from\":\"%s\",\"to\":\"%s\"}", from, to);
}

static void resign(struct load *load, struct connection *connection)
{
    char text[FRAME_BYTES_MAX];
    snprintf(text, sizeof text,
             "{\"type\":\"action\",\"id\":\"r%u\",\"room\":\"%s\",\"kind\":\"resign\"}",
             ++connection->command, load->rooms[connection->room].id);
    send_text(load, connection, text);
}

/* The room is made and both sit down by three events. */
static bool choose_known(struct load *load, struct connection *connection, const char *text)
{
    int ply = (int)version_of(text) - 3;
    if (ply < 0 || (ply % 2 == 0) != (connection->role == ROLE_WHITE))
        return false;
    if (ply == KNOWN_PLIES)
        resign(load, connection);
    else
        known_move(ply, load->rooms[connection->room].move,
                   sizeof load->rooms[connection->room].move);
    return ply < KNOWN_PLIES;
}

static void leave(struct load *load, struct connection *connection, const char *room)
{
    char text[FRAME_BYTES_MAX];
    snprintf(text, sizeof text, "{\"type\":\"leave\",\"id\":\"l%u\",\"room\":\"%s\"}",
             ++connection->command, room);
    send_text(load, connection, text);
}

/* The same two play on in a new room. */
static void game_over(struct load *load, struct room *room)
{
    load->games++;
    room->move[0] = '\0';
    room->seated = false;
    room->passed += (uint64_t)room->version + 1;
    leave(load, &load->connections[room->white], room->id);
    leave(load, &load->connections[room->black], room->id);
    create(load, &load->connections[room->white]);
}

static void on_position(struct load *load, int index, const char *text)
{
    struct connection *connection = &load->connections[index];
    struct room *room = &load->rooms[connection->room];
    bool chosen = load->own_moves ? choose_known(load, connection, text)
                                  : choose_move(load, text, room->move, sizeof room->move);
    if (!chosen)
        return;
    room->mover = index;
    room->version = version_of(text);
    send_if_due(load, room, load_now_us());
}

/* What a spectator is shown is all it has not seen before, in events or at once. */
static void on_sight(struct load *load, struct connection *connection, const char *text)
{
    struct room *room = &load->rooms[connection->room];
    int64_t version = version_of(text);
    uint64_t now = load_now_us();
    if (load->bare || connection->watched[0] == '\0' || !strstr(text, connection->watched))
        return;
    if (connection->version == 0 || connection->version < version - SENT_MAX)
        connection->version = version; /* it has just come, or was away for long */
    while (connection->version < version) {
        uint64_t sent_us = room->sent_us[++connection->version % SENT_MAX];
        if (!measuring(load, sent_us) || sent_us > now)
            continue;
        histogram_add(&load->watched, now - sent_us);
        if (connection->room == 0)
            sightings_add(load->sightings, connection->passed + (uint64_t)connection->version, now);
    }
    if (strstr(text, "\"status\":\"finished\"") != NULL) {
        leave(load, connection, connection->watched);
        connection->watched[0] = '\0';
        load->between_rooms++;
    }
}

static void on_event(struct load *load, int index, const char *text)
{
    struct connection *connection = &load->connections[index];
    struct room *room = &load->rooms[connection->room];
    uint64_t now = load_now_us();
    if (measuring(load, now))
        load->deliveries++;
    if (connection->role == ROLE_SPECTATOR)
        on_sight(load, connection, text);
    if (connection->role == ROLE_SPECTATOR || strstr(text, room->id) == NULL)
        return;
    bool moved = strstr(text, "\"kind\":\"moved\"") != NULL;
    if (moved && connection->own_pending) {
        connection->own_pending = false;
    } else if (moved) {
        if (measuring(load, now)) {
            histogram_add(&load->opponent, now - room->sent_at_us);
            load->moves++;
        }
        advance_due(load, room);
    }
    if (strstr(text, "\"status\":\"finished\"") != NULL) {
        if (connection->role == ROLE_WHITE)
            game_over(load, room);
    } else {
        on_position(load, index, text);
    }
}

static void on_acknowledged(struct load *load, int index, const char *text)
{
    struct connection *connection = &load->connections[index];
    struct room *room = &load->rooms[connection->room];
    const char *id = strstr(text, "\"re\":\"");
    if (id == NULL)
        return;
    uint64_t now = load_now_us();
    if (id[6] == 'm') {
        if (measuring(load, now))
            histogram_add(&load->acknowledged, now - connection->sent_at_us);
    } else if (id[6] == 'c') {
        const char *name = strstr(text, "\"room\":\"");
        assert(name != NULL);
        snprintf(room->id, sizeof room->id, "%.*s", (int)strcspn(name + 8, "\""), name + 8);
        join(load, connection);
    } else if (id[6] == 'j' && connection->role == ROLE_WHITE) {
        join(load, &load->connections[room->black]);
    } else if (id[6] == 'j' && connection->role == ROLE_BLACK) {
        room->seated = true;
        load->ready_count++;
    } else if (id[6] == 'j') {
        load->ready_count++;
    }
}

static void watch(struct load *load, struct connection *connection)
{
    const struct room *room = &load->rooms[connection->room];
    memcpy(connection->watched, room->id, sizeof connection->watched);
    connection->version = 0;
    connection->passed = room->passed;
    join(load, connection);
}

/* Whose game is over comes to the next one. */
void load_watch_next(struct load *load)
{
    for (int i = 0; i < load->connection_count && load->between_rooms > 0; i++) {
        struct connection *connection = &load->connections[i];
        if (connection->role != ROLE_SPECTATOR || connection->stage != STAGE_ROOM ||
            connection->watched[0] != '\0' || !load->rooms[connection->room].seated)
            continue;
        watch(load, connection);
        load->between_rooms--;
    }
}

void load_on_welcome(struct load *load, int index)
{
    struct connection *connection = &load->connections[index];
    connection->stage = STAGE_ROOM;
    if (connection->role == ROLE_WHITE)
        create(load, connection);
    else if (connection->role == ROLE_SPECTATOR)
        watch(load, connection);
    else if (connection->role == ROLE_IDLE)
        load->ready_count++;
}

void load_on_text(struct load *load, int index, const char *text)
{
    struct connection *connection = &load->connections[index];
    if (strncmp(text, "{\"type\":\"hello\"", 15) == 0)
        send_text(load, connection,
                  load->declines ? "{\"type\":\"auth\",\"id\":\"a\",\"legal_moves\":false}"
                                 : "{\"type\":\"auth\",\"id\":\"a\"}");
    else if (strncmp(text, "{\"type\":\"welcome\"", 17) == 0)
        load_on_welcome(load, index);
    else if (strncmp(text, "{\"type\":\"ack\"", 13) == 0)
        on_acknowledged(load, index, text);
    else if (strncmp(text, "{\"type\":\"event\"", 15) == 0)
        on_event(load, index, text);
    else if (strncmp(text, "{\"type\":\"snapshot\"", 18) == 0 && connection->role == ROLE_SPECTATOR)
        on_sight(load, connection, text);
    else if (strncmp(text, "{\"type\":\"snapshot\"", 18) == 0)
        on_position(load, index, text);
    else if (strncmp(text, "{\"type\":\"error\"", 15) == 0 && load->errors++ == 0)
        fprintf(stderr, "refused: %s\n", text);
}
