#include "engine/rules/history.h"

#include "engine/work.h"

void history_remember(struct position *position, struct undo *undo)
{
    int room = position->game->history_max;
    struct turn *turn = &position->turn;
    int slot = (turn->history_first + turn->history_count) % room;
    undo->lost_key = position->history[slot];
    undo->remembers = true;
    position->history[slot] = turn->key;
    if (turn->history_count < room)
        turn->history_count++;
    else
        turn->history_first = (uint16_t)((turn->history_first + 1) % room);
}

void history_take_back(struct position *position, const struct undo *undo)
{
    if (!undo->remembers)
        return;
    int room = position->game->history_max;
    int slot = (undo->turn.history_first + undo->turn.history_count) % room;
    position->history[slot] = undo->lost_key;
}

void history_forget(struct position *position)
{
    int room = position->game->history_max;
    struct turn *turn = &position->turn;
    if (room == 0)
        return;
    turn->history_first = (uint16_t)((turn->history_first + turn->history_count) % room);
    turn->history_count = 0;
}

int history_occurrences(const struct position *position, int enough)
{
    const struct turn *turn = &position->turn;
    int room = position->game->history_max, count = 1;
    bool within_turn = turn->active != CELL_NONE; /* then the key is still that of its beginning */
    if (room == 0 || within_turn || turn->history_count + 1 < enough)
        return 1;
    for (int i = turn->history_count; i-- > 0 && count < enough; work_spend(1))
        count += position->history[(turn->history_first + i) % room] == turn->key;
    return count;
}
