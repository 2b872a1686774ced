#include "tests/engine/positions.h"

#include "engine/rules/turn.h"

#include <assert.h>
#include <string.h>

static bool last_equal(const struct last_move *a, const struct last_move *b)
{
    return a->from == b->from && a->to == b->to && a->code == b->code && a->taken == b->taken &&
           a->stands == b->stands && a->combined == b->combined && a->pass == b->pass;
}

static bool active_equal(const struct turn *a, const struct turn *b)
{
    if (a->active != b->active)
        return false;
    return a->active == CELL_NONE ||
           (a->started == b->started && a->may_stop == b->may_stop && a->last_rule == b->last_rule);
}

static bool turn_equal(const struct position *a, const struct position *b)
{
    const struct game *game = a->game;
    const struct turn *left = &a->turn, *right = &b->turn;
    if (!active_equal(left, right) || left->may_swap != right->may_swap ||
        left->place_count != right->place_count || left->out_count != right->out_count ||
        left->result != right->result || (left->result != 0 && left->mover != right->mover))
        return false;
    for (int i = 0; i < game->counter_slot_count; i++)
        if (position_counter(a, i) != position_counter(b, i))
            return false;
    for (int i = 0; i < game->mark_count; i++)
        if (left->marks[i].cell != right->marks[i].cell ||
            left->marks[i].maker != right->marks[i].maker)
            return false;
    for (int i = 0; i < game->player_count; i++)
        if ((i < left->place_count || i >= game->player_count - left->out_count) &&
            left->places[i] != right->places[i])
            return false;
    return !turn_needs_last(a) || last_equal(&left->last, &right->last);
}

bool position_equal(const struct position *a, const struct position *b)
{
    assert(a->game == b->game);
    if (a->turn.state != b->turn.state || a->turn.move_number != b->turn.move_number ||
        a->turn.hash != b->turn.hash)
        return false;
    const struct game *game = a->game;
    if (!turn_equal(a, b))
        return false;
    /* The hands and the cells lie right behind the bit sets. */
    size_t before = offsetof(struct position, words) - offsetof(struct position, turn);
    return memcmp(a->words, b->words, position_value_bytes(game) - before) == 0;
}

uint64_t position_hash_from_scratch(const struct position *position)
{
    uint64_t hash = hash_turn(position->turn.state, position->turn.move_number);
    for (int i = 0; i < position->game->cell_count; i++)
        if (position->cells[i].code != 0)
            hash ^= position_key(position->game, (cell_index)i, position->cells[i]);
    for (int i = 0; i < position->game->cell_count; i++)
        if (bits_test(position->unmoved, (unsigned)i))
            hash ^= hash_unmoved((cell_index)i);
    for (int i = 0; i < position->game->piece_count && position->hands != NULL; i++)
        hash ^= hash_hand((unsigned)i, position->hands[i]);
    return hash ^ turn_hash(position);
}

bool position_stands_alone(const struct position *position)
{
    const struct turn *turn = &position->turn;
    return turn->active == CELL_NONE && turn->result == 0 && turn->finished == 0 &&
           !turn_needs_last(position) && !turn->may_swap;
}
