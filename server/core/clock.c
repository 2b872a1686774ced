#include "server/core/clock.h"

enum {
    GAME_TURNS = 40,
    GAIN_LEAST_MS = 150, /* what a turn adds to the quota: so much, */
    GAIN_OF_GAME = 250,  /*   and such a part of the time for a game, */
    GAIN_MOST_MS = 1000, /*   but no more than that */
    QUOTA_FIRST = 3,     /* of these there are at the beginning, */
    QUOTA_MOST = 7,      /*   and at most */
};

static uint32_t least(uint32_t one, uint32_t other)
{
    return one < other ? one : other;
}

uint64_t clock_game_ms(const struct time_budget *budget)
{
    uint64_t turn_ms = (uint64_t)budget->increment_ms + budget->delay_ms;
    if (budget->periods > 0)
        turn_ms += budget->period_ms / 2; /* about what is used of it */
    return budget->initial_ms + GAME_TURNS * turn_ms;
}

static uint32_t quota_gain_ms(const struct time_budget *budget)
{
    uint64_t gain_ms = clock_game_ms(budget) / GAIN_OF_GAME + GAIN_LEAST_MS;
    return gain_ms < GAIN_MOST_MS ? (uint32_t)gain_ms : GAIN_MOST_MS;
}

struct clock clock_new(const struct time_budget *budget)
{
    return (struct clock){.left_ms = budget->initial_ms,
                          .periods = budget->periods,
                          .quota_ms = QUOTA_FIRST * quota_gain_ms(budget)};
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
    uint32_t gain_ms = quota_gain_ms(budget);
    clock->quota_ms = least(clock->quota_ms + gain_ms, QUOTA_MOST * gain_ms);
    return added;
}

uint32_t clock_compensation(const struct clock *clock, uint32_t lag_ms, uint32_t spent_ms)
{
    return least(least(lag_ms, spent_ms), clock->quota_ms);
}

void clock_compensate(struct clock *clock, uint32_t lag_ms, uint32_t compensated_ms)
{
    clock->lag_ms = lag_ms;
    clock->quota_ms -= least(compensated_ms, clock->quota_ms);
}

uint32_t clock_grace_ms(const struct clock *clock)
{
    return least(clock->lag_ms, clock->quota_ms);
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
