#include "server/core/outage.h"

#include "server/core/parts.h"
#include "server/core/publish.h"

#include <string.h>

enum {
    SILENT_MS = 1500, /* each server says five times a second that it is there */
    DOUBT_MS = 2000,
    LATELY_MS = 30000, /* the longest that a client waits before it tries again */
    /* A server says of each of its rooms who is there every five seconds (presence.c). */
    TOLD_WITHIN_MS = 6000,
};

/* --- servers ---------------------------------------------------------------------------------- */

/* Its place, or -1. */
static int find_place(const struct core *core, const char *node)
{
    for (int i = 0; i < OUTAGE_SERVERS_MAX; i++)
        if (node[0] != '\0' && strcmp(core->outage.servers[i].node, node) == 0)
            return i;
    return -1;
}

static const struct server_heard *find(const struct core *core, const char *node)
{
    int place = find_place(core, node);
    return place < 0 ? NULL : &core->outage.servers[place];
}

/* A new one has the place of who has been silent for longest. */
static struct server_heard *place_of(struct core *core, const char *node)
{
    int place = find_place(core, node);
    struct server_heard *servers = core->outage.servers, *oldest = servers;
    if (place >= 0)
        return &servers[place];
    for (int i = 1; i < OUTAGE_SERVERS_MAX; i++)
        if (servers[i].heard_ms < oldest->heard_ms)
            oldest = &servers[i];
    *oldest = (struct server_heard){.heard_ms = core->now_ms};
    memcpy(oldest->node, node, strlen(node) + 1);
    return oldest;
}

void outage_heard(struct core *core, const struct bus_message *message)
{
    if (!message->node || message->node[0] == '\0' || strlen(message->node) > BUS_NAME_BYTES)
        return;
    struct server_heard *server = place_of(core, message->node);
    if (message->subject == BUS_NODE && message->state)
        server->leaves =
            strcmp(message->state, "leaving") == 0 || strcmp(message->state, "bye") == 0;
    if (server->leaves)
        return;
    server->heard_ms = core->now_ms;
    server->said++;
}

void outage_forget(struct core *core)
{
    core->outage = (struct outage){0};
}

bool outage_serves(const struct core *core, const char *node)
{
    const struct server_heard *server = find(core, node);
    return !server || !server->leaves;
}

static bool has_gone(const struct core *core, const struct server_heard *server)
{
    return server && (server->leaves || core->now_ms > server->heard_ms + SILENT_MS);
}

/* --- who sat where ---------------------------------------------------------------------------- */

/* A server that was heard after that time would have said by then that the player sits with it. */
static uint32_t seats_at(const struct elsewhere *other, const struct server_heard *server)
{
    bool may_be = server && server->heard_ms < other->presumed_until_ms;
    return other->seats | (may_be ? other->presumed : 0);
}

static bool is_here(const struct room *room, player_index seat)
{
    return room->connections[seat] > 0;
}

struct lost {
    const struct server_heard *server; /* NULL: there is none */
    bool is_presumed;
};

/* Of the servers at which that player may have been, without `but`, the one that has been silent for longest. */
static struct lost find_lost(const struct core *core, const struct room *room, player_index seat,
                             const struct elsewhere *but)
{
    struct lost lost = {NULL, false};
    for (const struct elsewhere *other = room->elsewhere; other; other = other->next) {
        const struct server_heard *server = find(core, other->node);
        if (other != but && server && (seats_at(other, server) >> seat & 1) &&
            (!lost.server || server->heard_ms < lost.server->heard_ms))
            lost = (struct lost){server, !(other->seats >> seat & 1)};
    }
    return lost;
}

/* The seat whose time counts; PLAYER_NONE: none. */
static player_index seat_of(const struct room *room)
{
    if (!room->elsewhere && room->pause.until_ms == 0)
        return PLAYER_NONE;
    return room->standing.has_clocks ? standing_to_move(&room->standing, room->position)
                                     : PLAYER_NONE;
}

void outage_woken(struct core *core, struct room *room)
{
    for (int i = 0; i < OUTAGE_SERVERS_MAX; i++) {
        const struct server_heard *server = &core->outage.servers[i];
        if (server->node[0] == '\0' || core->now_ms > server->heard_ms + LATELY_MS)
            continue;
        struct elsewhere *other = presence_at(core, room, server->node);
        if (!other)
            return;
        other->presumed = UINT32_MAX;
        other->presumed_until_ms = core->now_ms + TOLD_WITHIN_MS;
    }
}

/* --- the turn under way ----------------------------------------------------------------------- */

static uint64_t length_ms(const struct room *room, uint64_t from_ms, uint64_t until_ms)
{
    uint64_t began_ms = room->turn_began_ms > from_ms ? room->turn_began_ms : from_ms;
    return until_ms > began_ms ? until_ms - began_ms : 0;
}

/* It was none if the server has been heard since. */
static uint64_t pause_ms(const struct core *core, const struct room *room)
{
    const struct outage_pause *pause = &room->pause;
    const struct server_heard *server = pause->until_ms > 0 ? find(core, pause->node) : NULL;
    if (pause->until_ms == 0 || (server && server->said != pause->said))
        return 0;
    return length_ms(room, pause->from_ms, pause->until_ms);
}

static uint64_t away_ms(const struct core *core, const struct room *room, player_index seat)
{
    if (seat == PLAYER_NONE || is_here(room, seat))
        return 0;
    const struct server_heard *lost = find_lost(core, room, seat, NULL).server;
    if (!has_gone(core, lost))
        return 0;
    return length_ms(room, timing_then_ms(core, (int64_t)lost->heard_ms), timing_now_ms(core));
}

uint64_t outage_stood_ms(const struct core *core, const struct room *room)
{
    player_index seat = seat_of(room);
    return seat == PLAYER_NONE ? 0 : pause_ms(core, room) + away_ms(core, room, seat);
}

uint64_t outage_doubt_ms(const struct core *core, const struct room *room)
{
    player_index seat = seat_of(room);
    if (seat == PLAYER_NONE || is_here(room, seat))
        return 0;
    return find_lost(core, room, seat, NULL).server ? DOUBT_MS : 0;
}

/* Whatever is said later, so much of the turn does not count. */
static void keep_pause(const struct core *core, struct room *room)
{
    room->turn_began_ms += pause_ms(core, room);
    room->pause.until_ms = 0;
}

static void begin_pause(struct core *core, struct room *room, const struct lost *lost)
{
    keep_pause(core, room);
    room->pause =
        (struct outage_pause){.from_ms = timing_then_ms(core, (int64_t)lost->server->heard_ms),
                              .until_ms = timing_now_ms(core),
                              .said = lost->server->said,
                              .is_presumed = lost->is_presumed,
                              .is_new = true};
    memcpy(room->pause.node, lost->server->node, sizeof room->pause.node);
    if (!lost->is_presumed && has_gone(core, lost->server))
        keep_pause(core, room); /* though it may come back */
}

/* A server that is there says that he whom we see sat with it: then at no other one. */
static bool is_told_of_before(const struct room *room, const struct elsewhere *there,
                              player_index seat)
{
    return there && is_here(room, seat);
}

/* Until now he was nowhere, or at a server that has perhaps gone. */
static bool comes_back(const struct room *room, const struct elsewhere *there, player_index seat)
{
    return there ? !(there->seats >> seat & 1) : room->connections[seat] == 1;
}

void outage_seen(struct core *core, struct room *room, const struct elsewhere *there,
                 uint32_t seats)
{
    player_index seat = seat_of(room);
    bool concerns = seat != PLAYER_NONE && (seats >> seat & 1) != 0;
    if (concerns && is_told_of_before(room, there, seat)) {
        if (room->pause.is_presumed)
            room->pause.until_ms = 0;
    } else if (concerns && comes_back(room, there, seat)) {
        const struct lost lost = find_lost(core, room, seat, there);
        if (lost.server)
            begin_pause(core, room, &lost);
    }
    for (struct elsewhere *other = room->elsewhere; other; other = other->next) {
        other->presumed &= ~seats;
        other->seats &= other == there ? UINT32_MAX : ~seats;
    }
    timing_changed(core, room);
}

void outage_forgotten(struct core *core, struct room *room, const struct elsewhere *other)
{
    player_index seat = seat_of(room);
    const struct server_heard *server = find(core, other->node);
    if (seat != PLAYER_NONE && (seats_at(other, server) >> seat & 1))
        room->turn_began_ms += away_ms(core, room, seat);
    if (strcmp(room->pause.node, other->node) == 0)
        keep_pause(core, room);
}

void outage_turn(struct room *room)
{
    room->pause.until_ms = 0;
}
