#include "engine/rules/history.h"

#include "engine/work.h"

#include <string.h>

/* Where the ring keeps what came so many positions after the first it knows. */
static int history_slot(const struct position *position, int number)
{
    int slot = position->turn.history_first + number, room = position->game->history_max;
    return slot < room ? slot : slot - room;
}

void history_remember(struct position *position, struct undo *undo)
{
    struct turn *turn = &position->turn;
    int slot = history_slot(position, turn->history_count);
    undo->lost_key = position->history[slot];
    undo->remembers = true;
    position->history[slot] = turn->key;
    if (turn->history_count < position->game->history_max)
        turn->history_count++;
    else
        turn->history_first = (uint16_t)history_slot(position, 1);
}

void history_take_back(struct position *position, const struct undo *undo)
{
    if (undo->remembers)
        position->history[history_slot(position, position->turn.history_count)] = undo->lost_key;
}

void history_forget(struct position *position)
{
    struct turn *turn = &position->turn;
    if (turn->history_count == 0)
        return;
    turn->history_first = (uint16_t)history_slot(position, turn->history_count);
    turn->history_count = 0;
}

static unsigned filter_bit(uint64_t key)
{
    return (unsigned)(key % (sizeof(struct history_filter) * 8));
}

void history_fill_filter(const struct position *position, struct history_filter *filter)
{
    int count = position->turn.history_count;
    memset(filter, 0, sizeof *filter);
    work_spend((unsigned)(count / 2));
    for (int i = 0; i < count; i++)
        bits_set(filter->bits, filter_bit(position->history[history_slot(position, i)]));
}

bool history_has(const struct position *position, const struct history_filter *filter, uint64_t key)
{
    int left = bits_test(filter->bits, filter_bit(key)) ? position->turn.history_count : 0;
    work_spend((unsigned)(left / 2));
    while (left > 0 && position->history[history_slot(position, left - 1)] != key)
        left--;
    return left > 0;
}

int history_occurrences(const struct position *position, int enough, int back)
{
    const struct turn *turn = &position->turn;
    int count = 1, first = turn->history_count > back ? turn->history_count - back : 0;
    bool within_turn = turn->active != CELL_NONE; /* then the key is still that of its beginning */
    if (position->game->history_max == 0 || within_turn || turn->history_count + 1 < enough)
        return 1;
    for (int i = turn->history_count; i-- > first && count < enough; work_spend(1))
        count += position->history[history_slot(position, i)] == turn->key;
    return count;
}
