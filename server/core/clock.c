#include "server/core/clock.h"

struct clock clock_new(const struct time_budget *budget)
{
    return (struct clock){.left_ms = budget->initial_ms, .periods = budget->periods};
}

static uint32_t least(uint32_t one, uint32_t other)
{
    return one < other ? one : other;
}

static uint32_t sum(uint32_t one, uint32_t other)
{
    return one > UINT32_MAX - other ? UINT32_MAX : one + other;
}

/* With a delay the first part of a turn costs nothing; Bronstein's is given back when the turn is over. */
static uint32_t free_ms(const struct time_budget *budget)
{
    return budget->bronstein ? 0 : budget->delay_ms;
}

static uint32_t charged(const struct clock *clock, const struct time_budget *budget)
{
    uint32_t free = free_ms(budget);
    return clock->turn_ms > free ? clock->turn_ms - free : 0;
}

static void spend_periods(struct clock *clock, const struct time_budget *budget, uint32_t ms)
{
    clock->over_ms = sum(clock->over_ms, ms);
    while (clock->periods > 0 && clock->over_ms >= budget->period_ms) {
        clock->over_ms -= budget->period_ms;
        clock->periods--;
    }
}

void clock_spend(struct clock *clock, const struct time_budget *budget, uint32_t spent_ms)
{
    uint32_t before = charged(clock, budget);
    clock->turn_ms = sum(clock->turn_ms, spent_ms);
    uint32_t ms = charged(clock, budget) - before, of_main = least(ms, clock->left_ms);
    clock->left_ms -= of_main;
    if (ms > of_main)
        spend_periods(clock, budget, ms - of_main);
}

uint32_t clock_end_turn(struct clock *clock, const struct time_budget *budget)
{
    uint32_t added = budget->increment_ms;
    if (budget->bronstein)
        added = sum(added, least(clock->turn_ms, budget->delay_ms));
    if (clock->left_ms == 0 && budget->periods > 0)
        added = 0; /* in byo-yomi a turn that was quick enough costs nothing, and gains nothing */
    clock->left_ms = sum(clock->left_ms, added);
    clock->turn_ms = clock->over_ms = 0;
    return added;
}

uint64_t clock_left_ms(const struct clock *clock, const struct time_budget *budget)
{
    uint32_t free = free_ms(budget);
    uint64_t left = (uint64_t)clock->left_ms + (uint64_t)clock->periods * budget->period_ms;
    left -= clock->periods > 0 ? clock->over_ms : 0;
    if (left > 0 && clock->turn_ms < free)
        left += free - clock->turn_ms;
    return left;
}
