/* A position's hash, and the part of it that is not on the board. */
#include "engine/rules/condition.h"
#include "engine/rules/turn.h"

enum {
    TAG_COUNTER = 1,
    TAG_MARK,
    TAG_ACTIVE,
    TAG_PENDING,
    TAG_VISITED,
    TAG_PLACE,
    TAG_RESULT,
    TAG_LAST,
    TAG_SWAP
};

static uint64_t hash_set(unsigned tag, const uint64_t *words, int count)
{
    uint64_t hash = 0;
    for (int i = 0; i < count; i++)
        if (words[i] != 0)
            hash ^= hash_part(tag, (unsigned)i, words[i]);
    return hash;
}

static uint64_t hash_active(const struct position *position)
{
    const struct turn *turn = &position->turn;
    if (turn->active == CELL_NONE)
        return 0;
    int words = position->game->words;
    uint64_t value = (uint64_t)turn->active << 48 | (uint64_t)turn->started << 32 |
                     (uint64_t)turn->may_stop << 31 | turn->last_rule;
    return hash_part(TAG_ACTIVE, 0, value) ^ hash_set(TAG_PENDING, position->pending, words) ^
           hash_set(TAG_VISITED, position->visited, words);
}

/* Whether what moved last decides about moves now. */
bool turn_needs_last(const struct position *position)
{
    return position->game->tracks_previous || position_stage(position)->same_figure;
}

static uint64_t hash_last(const struct last_move *last)
{
    uint64_t where = (uint64_t)last->from << 48 | (uint64_t)last->to << 32 |
                     (uint64_t)last->code << 16 | last->taken;
    uint64_t how =
        (uint64_t)last->stands << 16 | (uint64_t)last->combined << 1 | (uint64_t)last->pass;
    return hash_part(TAG_LAST, 0, where) ^ hash_part(TAG_LAST, 1, how);
}

uint64_t turn_hash(const struct position *position)
{
    const struct game *game = position->game;
    const struct turn *turn = &position->turn;
    uint64_t hash = hash_active(position);
    if (turn->may_swap)
        hash ^= hash_part(TAG_SWAP, 0, 1);
    for (int i = 0; i < game->counter_slot_count; i++)
        hash ^= hash_part(TAG_COUNTER, (unsigned)i, (uint16_t)condition_counter(position, i));
    for (int i = 0; i < game->mark_count; i++)
        if (turn->marks[i].cell != CELL_NONE)
            hash ^= hash_part(TAG_MARK, (unsigned)i,
                              (uint64_t)turn->marks[i].cell << 16 | turn->marks[i].maker);
    for (int i = 0; i < turn->place_count; i++)
        hash ^= hash_part(TAG_PLACE, (unsigned)i, turn->places[i]);
    for (int i = game->player_count - turn->out_count; i < game->player_count; i++)
        hash ^= hash_part(TAG_PLACE, (unsigned)i, turn->places[i]);
    if (turn->result != 0)
        hash ^= hash_part(TAG_RESULT, turn->result, turn->mover);
    return turn_needs_last(position) ? hash ^ hash_last(&turn->last) : hash;
}

uint64_t position_hash(const struct position *position)
{
    return position->turn.hash ^ position->unmoved_hash ^
           hash_turn(position->turn.state, position->turn.move_number) ^ turn_hash(position);
}
