/* Players' clocks worked out anew: what was used and added as a room's log says it, with arithmetic of the tests' own. Nothing here
 * is the core's (server/core/clock.h), and nothing here knows what time it is. */
#ifndef TESTS_SIMULATION_CLOCKS_H
#define TESTS_SIMULATION_CLOCKS_H

#include "tests/server/core/memory_store.h"

#include <jansson.h>

enum { CLOCKS_NOBODY = -1 };

struct worked_budget {
    int64_t initial_ms, increment_ms, delay_ms, period_ms, periods;
    bool bronstein;
};

/* What was left when the turn began, and how long it has taken so far; between turns that is 0. */
struct worked_clock {
    char seat[80];
    struct worked_budget budget;
    int64_t main_ms, periods, turn_ms;
    bool has_moved; /* in the first turn nobody's clock runs */
};

struct worked_move {
    int seat;
    int64_t gained_ms; /* by its turn, of which it was the last one */
};

struct clocks {
    json_t *control; /* as the room was made with */
    struct worked_clock seats[STORE_SEATS_MAX];
    int count;
    struct worked_move *moves; /* but for those that were taken back */
    int move_count, move_size;
    int before;   /* so many were made before anybody sat, in a fork */
    int turn_of;  /* who moved last, and may go on; CLOCKS_NOBODY: that turn is over */
    bool counted; /* the last move was */
    /* The game was ended by somebody, and the log does not say whether the turn of who moved last was over by then. */
    bool unclear;
    bool stopped;                   /* by what names whose turn it was, which goes on for ever */
    const struct kept_event *began; /* the turn, or what is left of it */
};

/* As the room was made. False: it has no clocks, and nothing is to be released. */
bool clocks_begin(struct clocks *clocks, const struct kept_room *room);
/* An event as it is kept, the next one of the room's log. */
void clocks_follow(struct clocks *clocks, const struct kept_event *event, const json_t *body);
/* All of it. */
bool clocks_work_out(struct clocks *clocks, const struct kept_room *room);
void clocks_release(struct clocks *clocks);
bool clocks_need_body(const char *kind); /* of such an event; else there need be none */

int clocks_seat(struct clocks *clocks, const char *name);
/* The turn of who moved last is over, if it is not this one's; NULL: nobody is to move. */
void clocks_turn_of(struct clocks *clocks, const char *name);
/* Until a flag may fall, from the event that began the turn. */
int64_t clocks_left_ms(const struct worked_clock *clock);
/* As a state says it. */
struct worked_rest {
    int64_t left_ms, periods;
};
struct worked_rest clocks_rest(const struct worked_clock *clock);

#endif
