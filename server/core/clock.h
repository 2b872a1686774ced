/* A player's clock, as a value: what is left, and what a turn takes of it. Time comes in as milliseconds that were spent;
 * nothing here knows what time it is. */
#ifndef SERVER_CORE_CLOCK_H
#define SERVER_CORE_CLOCK_H

#include "protocol/time_control.h"

struct clock {
    uint32_t left_ms; /* of the main time */
    int periods;      /* of byo-yomi that are left, the one under way included */
    uint32_t turn_ms; /* spent in the turn that is under way, */
    uint32_t over_ms; /*   and of that in the period under way */
};

struct clock clock_new(const struct time_budget *budget);
/* In the turn that is under way. What is spent beyond all there is leaves nothing. */
void clock_spend(struct clock *clock, const struct time_budget *budget, uint32_t spent_ms);
/* The turn is over, in time. Gives what has been added to the main time. */
uint32_t clock_end_turn(struct clock *clock, const struct time_budget *budget);
/* So much may still be spent in this turn; 0: the flag has fallen. */
uint64_t clock_left_ms(const struct clock *clock, const struct time_budget *budget);

#endif
