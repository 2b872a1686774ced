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
    position->history[slot] = turn->key;
    if (turn->history_count < position->game->history_max)
        turn->history_count++;
    else
        turn->history_first = (uint16_t)history_slot(position, 1);
}

void history_take_back(struct position *position, const struct undo *undo)
{
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

/* In the slots from `first` up to `end`; two at a time, in a game of go there are hundreds. */
static int count_key(const uint64_t *history, int first, int end, uint64_t key)
{
    int even = 0, odd = 0, slot = first;
    for (; slot + 1 < end; slot += 2) {
        even += history[slot] == key;
        odd += history[slot + 1] == key;
    }
    return even + odd + (slot < end && history[slot] == key);
}

int history_occurrences(const struct position *position, int enough, int back)
{
    const struct turn *turn = &position->turn;
    int room = position->game->history_max;
    int first = turn->history_count > back ? turn->history_count - back : 0;
    bool within_turn = turn->active != CELL_NONE; /* then the key is still that of its beginning */
    if (room == 0 || within_turn || turn->history_count + 1 < enough)
        return 1;
    int looked = turn->history_count - first, begin = history_slot(position, first);
    int before_end = looked < room - begin ? looked : room - begin;
    work_spend((unsigned)looked);
    int count = 1 + count_key(position->history, begin, begin + before_end, turn->key) +
                count_key(position->history, 0, looked - before_end, turn->key);
    return count < enough ? count : enough;
}
