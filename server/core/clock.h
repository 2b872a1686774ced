/* A player's clock, as a value: what is left, and what a turn takes of it. Time comes in as milliseconds that were spent;
 * nothing here knows what time it is.
 *
 * Lag: a player sees the position half a round trip late, and his move is known another half late. So much of a move's
 * time is given back, out of a quota that each turn fills up again, for who delays his answers gains no more than that.
 * The shape of it, and how the quota follows from the time control, are scalachess' LagTracker's (lichess). */
#ifndef SERVER_CORE_CLOCK_H
#define SERVER_CORE_CLOCK_H

#include "protocol/time_control.h"

struct clock {
    uint32_t left_ms;  /* of the main time */
    int periods;       /* of byo-yomi that are left, the one under way included */
    uint32_t turn_ms;  /* spent in the turn that is under way, */
    uint32_t over_ms;  /*   and of that in the period under way */
    uint32_t lag_ms;   /* the round trip to its player when he moved last, and */
    uint32_t quota_ms; /* how much of such may be given back */
};

/* About how long a player may take for a usual game, of forty turns. */
uint64_t clock_game_ms(const struct time_budget *budget);
struct clock clock_new(const struct time_budget *budget);
/* In the turn that is under way. What is spent beyond all there is leaves nothing. */
void clock_spend(struct clock *clock, const struct time_budget *budget, uint32_t spent_ms);
/* The turn is over, in time. Gives what has been added to the main time. */
uint32_t clock_end_turn(struct clock *clock, const struct time_budget *budget);
/* Of what the next move took, if the round trip to its player is so long. */
uint32_t clock_compensation(const struct clock *clock, uint32_t lag_ms, uint32_t spent_ms);
/* So much was given back of the move before `clock_spend`. */
void clock_compensate(struct clock *clock, uint32_t lag_ms, uint32_t compensated_ms);
/* A flag falls so much later than the clock is over: a move may be on its way that was made in time. */
uint32_t clock_grace_ms(const struct clock *clock);
/* So much may still be spent in this turn; 0: the flag has fallen. */
uint64_t clock_left_ms(const struct clock *clock, const struct time_budget *budget);

#endif
