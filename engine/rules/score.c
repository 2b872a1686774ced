#include "engine/rules/score.h"

#include "engine/rules/condition.h"
#include "engine/rules/selection.h"
#include "engine/work_shares.h"

static int number_of(const struct position *position, const struct condition_node *counted)
{
    if (counted->kind == CONDITION_COUNTER)
        return position->turn.counters[counted->slot];
    if (counted->kind == CONDITION_HAND)
        return condition_hand(position, counted);
    if (counted->kind == CONDITION_SELECTED)
        return selection_find(position, &counted->selection, CELL_NONE, CELL_NONE, NULL);
    return matching_count(position, &counted->match);
}

int score_sum(const struct position *position, const struct score_term *terms, int count)
{
    int sum = 0;
    for (int i = 0; i < count && work_spend(1); i++)
        sum += number_of(position, &terms[i].counted) * terms[i].times;
    return sum;
}

/* Counters stay within what they can stand at. */
static int value_of(const struct position *position, const struct counter_setting *setting)
{
    int value = setting->to + score_sum(position, setting->terms, setting->term_count);
    if (value > COUNTER_VALUE_MAX)
        return COUNTER_VALUE_MAX;
    return value < 0 ? 0 : value;
}

bool score_setting(const struct position *position, const struct counter_rule *counter,
                   player_index mover, int *value)
{
    const struct counter_setting *setting = counter->sets[mover];
    for (int i = 0; i < counter->set_count; i++, setting++) {
        uint64_t before = work_spent();
        bool holds = condition_holds_after(position, setting->condition, mover);
        if (holds)
            *value = value_of(position, setting);
        work_was_for(setting->pointer, before);
        if (holds)
            return true;
    }
    return false;
}
