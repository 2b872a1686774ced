#include "engine/rules/history.h"

#include "engine/work.h"

void history_remember(struct position *position, struct undo *undo)
{
    struct turn *turn = &position->turn;
    int slot = position_key_slot(position, turn->history_count);
    undo->lost_key = position->history[slot];
    position_put_key(position, slot, turn->key);
    if (turn->history_count < position->game->history_max)
        turn->history_count++;
    else
        turn->history_first = (uint16_t)position_key_slot(position, 1);
}

void history_take_back(struct position *position, const struct undo *undo)
{
    position_put_key(position, position_key_slot(position, position->turn.history_count),
                     undo->lost_key);
}

void history_forget(struct position *position)
{
    struct turn *turn = &position->turn;
    if (turn->history_count == 0)
        return;
    turn->history_first = (uint16_t)position_key_slot(position, turn->history_count);
    turn->history_count = 0;
}

bool history_has(const struct position *position, uint64_t key)
{
    int left = *position_keys_alike(position, key) != 0 ? position->turn.history_count : 0;
    work_spend((unsigned)(left / 2));
    while (left > 0 && position->history[position_key_slot(position, left - 1)] != key)
        left--;
    return left > 0;
}

bool history_repeats(const struct position *position, int times, int back)
{
    const struct turn *turn = &position->turn;
    const int room = position->game->history_max;
    int looked = turn->history_count < back ? turn->history_count : back, count = 1;
    bool within_turn = turn->active != CELL_NONE; /* then the key is still that of its beginning */
    if (within_turn || turn->history_count + 1 < times)
        return false;
    unsigned alike = *position_keys_alike(position, turn->key);
    work_spend((unsigned)looked);
    if (alike != UINT8_MAX && (int)alike + 1 < times)
        return false;
    int slot = position_key_slot(position, turn->history_count); /* behind the last */
    for (; looked > 0 && count < times; looked--) {
        slot = slot > 0 ? slot - 1 : room - 1;
        count += position->history[slot] == turn->key;
    }
    return count >= times;
}
