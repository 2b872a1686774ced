#include "server/core/timing.h"

#include "server/core/journal.h"
#include "server/core/parts.h"

#include <assert.h>
#include <string.h>

enum {
    SITTING_MS = 6 * 60 * 60 * 1000, /* who has more for a turn does not sit there all the time */
    KEPT_MS =
        60 * 60 * 1000, /* where a flag falls sooner somebody has to have the room in memory */
    FIRST_TURN_MS = 60 * 1000, /* to begin, of those who sit there */
    AGAIN_MS = 100,            /* the room was busy just then */
    HEARTBEAT_MS = 1000, /* while a clock runs, or anybody is there, the time is told so often, */
    AWAY_MS = 2500,      /* and who was not told it for longer was stopped */
};

uint64_t timing_now_ms(const struct core *core)
{
    const struct timing *timing = &core->timing;
    uint64_t until_ms = timing->stands_since_ms > 0 ? timing->stands_since_ms : core->now_ms;
    return until_ms - timing->stood_ms;
}

/* How much of it was after that time. */
static uint64_t stood_after_ms(const struct stand *stand, uint64_t then_ms)
{
    uint64_t from_ms = stand->from_ms > then_ms ? stand->from_ms : then_ms;
    return stand->until_ms > from_ms ? stand->until_ms - from_ms : 0;
}

uint64_t timing_then_ms(const struct core *core, int64_t at_ms)
{
    const struct timing *timing = &core->timing;
    const struct stand under_way = {timing->stands_since_ms, core->now_ms};
    uint64_t now_ms = timing_now_ms(core), then_ms = (uint64_t)at_ms;
    uint64_t since_ms = core->now_ms > then_ms ? core->now_ms - then_ms : 0;
    uint64_t stood_ms = timing_stands(core) ? stood_after_ms(&under_way, then_ms) : 0;
    for (int i = 0; i < TIMING_STANDS_MAX; i++)
        stood_ms += stood_after_ms(&timing->stands[i], then_ms);
    assert(stood_ms <= since_ms); /* no two of them have a moment in common */
    since_ms -= stood_ms;
    return now_ms > since_ms ? now_ms - since_ms : 0;
}

static uint32_t spent_until_ms(const struct core *core, const struct room *room, uint64_t until_ms)
{
    uint64_t from_ms = room->turn_began_ms + outage_stood_ms(core, room);
    uint64_t spent_ms = until_ms > from_ms ? until_ms - from_ms : 0;
    return spent_ms < UINT32_MAX ? (uint32_t)spent_ms : UINT32_MAX;
}

uint32_t timing_spent_ms(const struct core *core, const struct room *room)
{
    return spent_until_ms(core, room, timing_now_ms(core));
}

/* --- when it stands --------------------------------------------------------------------------- */

void timing_clock_set(struct core *core)
{
    struct timing *timing = &core->timing;
    timing->started_ms = timing->counted_ms = core->now_ms;
    memset(timing->stands, 0, sizeof timing->stands);
    if (timing->stands_since_ms > 0)
        timing->stands_since_ms = core->now_ms;
}

static void note_stand(struct core *core, uint64_t from_ms)
{
    struct timing *timing = &core->timing;
    timing->stands[timing->stand_count++ % TIMING_STANDS_MAX] =
        (struct stand){from_ms, core->now_ms};
    timing->stood_ms += core->now_ms - from_ms;
    timing->counted_ms = core->now_ms;
}

/* It may have been long until the store said no. Whoever waited for that loses none of it, unless the store took something meanwhile. */
void timing_store_said(struct core *core, enum store_status status, uint64_t asked_ms)
{
    struct timing *timing = &core->timing;
    bool stands = status == STORE_FAILED || status == STORE_UNKNOWN;
    if (stands && timing->stands_since_ms == 0)
        timing->stands_since_ms = asked_ms > timing->counted_ms ? asked_ms : timing->counted_ms;
    if (status != STORE_OK)
        return;
    if (timing->stands_since_ms > 0)
        note_stand(core, timing->stands_since_ms);
    timing->stands_since_ms = 0;
    timing->counted_ms = core->now_ms;
}

bool timing_stands(const struct core *core)
{
    return core->timing.stands_since_ms > 0;
}

/* Who is there may be waiting for somebody who has gone, with a clock or without. */
static bool has_heartbeat(const struct core *core)
{
    return !timing_stands(core) &&
           (due_first(&core->timing.dues) != NULL || core->sessions.count > 0);
}

void timing_passes(struct core *core, uint64_t from_ms)
{
    uint64_t passed_ms = core->now_ms - from_ms;
    if (passed_ms <= AWAY_MS || !has_heartbeat(core))
        return;
    note_stand(core, from_ms);
}

/* --- when a flag falls ------------------------------------------------------------------------ */

static uint64_t turn_ms(const struct room *room, player_index seat)
{
    return clock_left_ms(&room->standing.clocks[seat], &room->standing.budgets[seat]);
}

bool timing_sits(const struct time_budget *budget)
{
    const struct clock clock = clock_new(budget);
    return clock_left_ms(&clock, budget) < SITTING_MS;
}

/* By playing time; 0: no clock runs, and nobody is to begin. */
static uint64_t falls_ms(const struct core *core, const struct room *room)
{
    const struct standing *standing = &room->standing;
    player_index seat = standing_to_move(standing, room->position);
    if (!standing->has_clocks || seat == PLAYER_NONE)
        return 0;
    uint64_t left_ms = turn_ms(room, seat);
    if (standing_runs(standing, room->position) != PLAYER_NONE)
        left_ms += clock_grace_ms(&standing->clocks[seat]);
    else if (left_ms < SITTING_MS)
        left_ms = FIRST_TURN_MS;
    return room->turn_began_ms + left_ms + outage_stood_ms(core, room) +
           outage_doubt_ms(core, room);
}

uint64_t timing_least_ms(const struct core *core, const struct room *room)
{
    const struct standing *standing = &room->standing;
    uint64_t at_ms = falls_ms(core, room), now_ms = timing_now_ms(core);
    uint64_t least_ms = at_ms > now_ms ? at_ms - now_ms : 0;
    for (int i = 0; i < standing->seat_count; i++) {
        uint64_t left_ms = turn_ms(room, (player_index)i);
        least_ms = left_ms < least_ms ? left_ms : least_ms;
    }
    return least_ms;
}

static bool is_over_at(const struct core *core, const struct room *room, uint64_t then_ms)
{
    uint64_t at_ms = falls_ms(core, room);
    return at_ms > 0 && then_ms >= at_ms;
}

bool timing_is_over(const struct core *core, const struct room *room)
{
    return is_over_at(core, room, timing_now_ms(core));
}

/* Perhaps it came after the moment since which, as is known only now, time has stood. */
static uint64_t heard_ms(const struct core *core, uint64_t came_ms)
{
    uint64_t now_ms = timing_now_ms(core);
    return came_ms < now_ms ? came_ms : now_ms;
}

bool timing_is_too_late(const struct core *core, const struct room *room, uint32_t lag_ms,
                        uint64_t came_ms)
{
    const struct standing *standing = &room->standing;
    player_index seat = standing_runs(standing, room->position);
    if (seat == PLAYER_NONE)
        return is_over_at(core, room, heard_ms(core, came_ms));
    uint32_t spent_ms = spent_until_ms(core, room, heard_ms(core, came_ms));
    uint32_t compensated_ms = clock_compensation(&standing->clocks[seat], lag_ms, spent_ms);
    return spent_ms - compensated_ms >= turn_ms(room, seat);
}

void timing_measure(const struct core *core, const struct room *room, uint32_t lag_ms,
                    uint64_t came_ms, struct event *event)
{
    const struct standing *standing = &room->standing;
    player_index seat = standing_runs(standing, room->position);
    if (event->kind != EVENT_MOVED || !standing->has_clocks)
        return;
    event->lag_ms = lag_ms;
    if (seat == PLAYER_NONE)
        return;
    uint32_t spent_ms = spent_until_ms(core, room, heard_ms(core, came_ms));
    event->compensated_ms = clock_compensation(&standing->clocks[seat], lag_ms, spent_ms);
    event->spent_ms = spent_ms - event->compensated_ms;
}

static void set_due(struct core *core, struct room *room)
{
    uint64_t at_ms = falls_ms(core, room);
    if (at_ms > 0)
        due_set(&core->timing.dues, &room->due, at_ms, room);
    else
        due_clear(&core->timing.dues, &room->due);
}

/* --- rooms ------------------------------------------------------------------------------------ */

void timing_event(struct core *core, struct room *room, enum event_kind kind, uint64_t shown_ms)
{
    if (!room->standing.has_clocks)
        return;
    bool begins = room->begun_version == room->version;
    if (begins || kind == EVENT_MOVED || kind == EVENT_TAKEN_BACK) {
        room->turn_began_ms = shown_ms;
        outage_turn(room);
    }
    set_due(core, room);
}

/* Not before the time that comes next: what is due now has been looked at. */
void timing_changed(struct core *core, struct room *room)
{
    if (!room->standing.has_clocks)
        return;
    set_due(core, room);
    uint64_t next_ms = timing_now_ms(core) + 1;
    if (room->due.place > 0 && room->due.at_ms < next_ms)
        due_set(&core->timing.dues, &room->due, next_ms, room);
}

/* Its turn began by the time of the log. */
void timing_woken(struct core *core, struct room *room)
{
    player_index seat = standing_to_move(&room->standing, room->position);
    if (!room->standing.has_clocks)
        return;
    outage_woken(core, room);
    if (seat == PLAYER_NONE)
        return;
    bool sits = turn_ms(room, seat) < SITTING_MS;
    bool begins_anew = sits && room->turn_began_ms < core->timing.started_ms;
    room->turn_began_ms =
        begins_anew ? timing_now_ms(core) : timing_then_ms(core, (int64_t)room->turn_began_ms);
    set_due(core, room);
}

void timing_leaves(struct core *core, struct room *room)
{
    due_clear(&core->timing.dues, &room->due);
}

bool timing_keeps(const struct core *core, const struct room *room)
{
    return room->due.place > 0 && room->due.at_ms < timing_now_ms(core) + KEPT_MS;
}

/* --- time ------------------------------------------------------------------------------------- */

/* A flag that is decided while the store is silent would be written when it goes on, and nobody could have been told of a move. */
void timing_time(struct core *core)
{
    const struct due *due;
    uint64_t now_ms = timing_now_ms(core);
    if (timing_stands(core))
        return;
    while ((due = due_first(&core->timing.dues)) && due->at_ms <= now_ms) {
        struct room *room = due->of;
        due_set(&core->timing.dues, &room->due, now_ms + AGAIN_MS, room);
        if (!room_busy(room) && lease_is_sure(core) && timing_is_over(core, room))
            journal_flag(core, room);
    }
}

uint64_t timing_deadline_ms(const struct core *core)
{
    const struct due *due = due_first(&core->timing.dues);
    uint64_t now_ms = timing_now_ms(core), left_ms = HEARTBEAT_MS;
    if (!has_heartbeat(core))
        return UINT64_MAX;
    if (due != NULL && due->at_ms < now_ms + left_ms)
        left_ms = due->at_ms > now_ms ? due->at_ms - now_ms : 0;
    return core->now_ms + left_ms;
}

void timing_release(struct core *core)
{
    dues_release(&core->timing.dues);
}
