/* Time in games with clocks.
 *
 * *Playing time* is the core's time, less that in which the store took nothing or gave no lease, or the process or its machine was stopped: nobody
 * loses time to us. A turn's time counts from when the event that began it was shown, which is when it was durable, until the move came here: what the store takes
 * for either is nobody's time, nor is that in which the player's server had gone (outage.h). What a move took is part of its event, so whoever reads the log finds the clocks
 * as they were. When a flag falls that is an event as well, durable before it is shown.
 *
 * A room that is read from the store goes on where its log says, by the time since then. But where the server has been
 * started meanwhile a turn of a game that is played at a sitting begins anew: both get back what the outage took. */
#ifndef SERVER_CORE_TIMING_H
#define SERVER_CORE_TIMING_H

#include "server/core/due.h"
#include "server/core/room.h"

struct core;

enum { TIMING_STANDS_MAX = 8 };

/* By the core's time. */
struct stand {
    uint64_t from_ms, until_ms;
};

struct timing {
    struct dues dues;         /* rooms, by playing time */
    uint64_t stands_since_ms; /* the store takes nothing; 0: it does */
    uint64_t stood_ms;        /* in all, before that */
    uint64_t counted_ms; /* what stood until then is among it, and what ran until then has run */
    uint64_t started_ms;
    struct stand stands[TIMING_STANDS_MAX]; /* the last ones that are over, in any order */
    unsigned stand_count;                   /* of all */
};

uint64_t timing_now_ms(const struct core *core); /* playing time */
/* When something was that was then by the core's time. Of what stood before the last TIMING_STANDS_MAX times nothing is known: that
 * counts as played. */
uint64_t timing_then_ms(const struct core *core, int64_t at_ms);
/* Since the turn under way began, or the last move of it; at most 49 days. */
uint32_t timing_spent_ms(const struct core *core, const struct room *room);
/* Whether the flag of whoever is to move has fallen. */
bool timing_is_over(const struct core *core, const struct room *room);
/* Whether a move of his has come too late, if the round trip to him takes so long. came_ms: by playing time. */
bool timing_is_too_late(const struct core *core, const struct room *room, uint32_t lag_ms,
                        uint64_t came_ms);
/* What a move that came then takes of its player's time, as its event says it; of other events, and games without clocks,
 * nothing. */
void timing_measure(const struct core *core, const struct room *room, uint32_t lag_ms,
                    uint64_t came_ms, struct event *event);
/* The core's clock has been set, to any time: what stood by the one before is not to be compared with it. */
void timing_clock_set(struct core *core);
/* The time was told last at from_ms. */
void timing_passes(struct core *core, uint64_t from_ms);
/* What the store has said to something that was to be written, and asked for then. */
void timing_store_said(struct core *core, enum store_status status, uint64_t asked_ms);
/* Nobody knows whether the store takes anything again until somebody writes. */
bool timing_stands(const struct core *core);

/* It is known otherwise than before how much of the turn under way counts (outage.h). */
void timing_changed(struct core *core, struct room *room);
/* An event that was shown first at that playing time has been taken in; the room has come from the store; it leaves. */
void timing_event(struct core *core, struct room *room, enum event_kind kind, uint64_t shown_ms);
void timing_woken(struct core *core, struct room *room);
void timing_leaves(struct core *core, struct room *room);
/* No clock runs out sooner, whatever is played; of a game with clocks. */
uint64_t timing_least_ms(const struct core *core, const struct room *room);
/* Whether who has so much time for a turn sits there until it is over. */
bool timing_sits(const struct time_budget *budget);
/* A flag may fall soon, and there has to be somebody who sees it. */
bool timing_keeps(const struct core *core, const struct room *room);

void timing_time(struct core *core);
uint64_t timing_deadline_ms(const struct core *core);
void timing_release(struct core *core);

#endif
