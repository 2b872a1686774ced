#include "server/core/absence.h"

#include "server/core/parts.h"
#include "server/core/publish.h"

#include <string.h>

enum {
    GRACE_MIN_MS = 15 * 1000, /* to come back after a connection has broken */
    GRACE_MAX_MS = 2 * 60 * 1000,
    GRACE_PARTS = 6, /* of what a player has for a game, */
    GAME_TURNS = 40, /*   of so many turns */
};

/* Whether all who may be there are seen. */
static bool sees_everybody(const struct core *core)
{
    return !lease_node(core) || core->lease.other_nodes == 0 || core->follow.has_bus;
}

static uint64_t between(uint64_t least, uint64_t value, uint64_t most)
{
    if (value < least)
        value = least;
    return value < most ? value : most;
}

static uint64_t grace_ms(const struct core *core, const struct room *room, int seat)
{
    const struct time_budget *budget = &room->standing.budgets[seat];
    uint64_t most_ms = core->options.absence_ms;
    if (!room->standing.has_clocks)
        return most_ms;
    if (!timing_sits(budget))
        return ABSENCE_NEVER;
    uint64_t game_ms = (uint64_t)budget->initial_ms +
                       (uint64_t)budget->periods * budget->period_ms +
                       GAME_TURNS * ((uint64_t)budget->increment_ms + budget->delay_ms);
    return between(0, between(GRACE_MIN_MS, game_ms / GRACE_PARTS, GRACE_MAX_MS), most_ms);
}

uint64_t absence_left_ms(const struct core *core, const struct room *room, int seat)
{
    const struct standing *standing = &room->standing;
    uint64_t since_ms = room->absent_since_ms[seat], now_ms = timing_now_ms(core);
    if (standing->status != STATUS_PLAYING || !standing->in_earnest || since_ms == 0 ||
        standing->seats[seat].house || !sees_everybody(core))
        return ABSENCE_NEVER;
    uint64_t grace = grace_ms(core, room, seat);
    if (grace == ABSENCE_NEVER)
        return ABSENCE_NEVER;
    return since_ms + grace > now_ms ? since_ms + grace - now_ms : 0;
}

uint32_t absence_seats(const struct core *core, const struct room *room)
{
    uint32_t seats = 0;
    for (int i = 0; i < room->standing.seat_count; i++)
        if (absence_left_ms(core, room, i) != ABSENCE_NEVER)
            seats |= UINT32_C(1) << i;
    return seats;
}

void absence_note(struct core *core, struct room *room)
{
    uint32_t here = presence_connected(room);
    bool known = sees_everybody(core);
    for (int i = 0; i < room->standing.seat_count; i++) {
        if (!known || here >> i & 1)
            room->absent_since_ms[i] = 0;
        else if (room->absent_since_ms[i] == 0)
            room->absent_since_ms[i] = timing_now_ms(core);
    }
}

void absence_event(struct core *core, struct room *room)
{
    if (absence_seats(core, room) != room->absent_shown)
        publish_presence_later(core, room);
}

void absence_begin_anew(struct core *core)
{
    size_t cursor = 0;
    for (struct room *room; (room = map_next(&core->rooms, &cursor));)
        memset(room->absent_since_ms, 0, sizeof room->absent_since_ms);
}
