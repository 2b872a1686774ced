/* Whether placements need not be tried out: what follows them and what is forbidden says no more than that groups without an empty
 * cell beside them are taken, that a stone's own may not be such a group, and that no board comes again. */
#include "engine/load/compile_fast.h"

static bool is_none(struct amount amount)
{
    return amount.min <= 0 && amount.max == 0;
}

static bool is_any(struct amount amount)
{
    return amount.min <= 1 && amount.max == INT32_MAX;
}

/* Whether it is about every figure of these players, wherever it stands. */
static bool is_all_of(const struct game *game, const struct cell_test *match, unsigned players)
{
    return match->simple && !match->empty && match->cells == CELL_SET_ALL &&
           (match->figures & game->all_figures) == game->all_figures &&
           (match->players & game_everybody(game)) == players;
}

/* Enemy groups beside the stone that have no liberty are removed, whatever else is so, and nothing else is done. */
static const struct beside *takes_by_liberties(const struct game *game, int player)
{
    const struct after_rule *after = game->after_move[player];
    unsigned enemies = game_everybody(game) & ~(1U << player);
    if (game->after_move_count != 1 || after->condition != NULL || after->effect_count != 1)
        return NULL;
    const struct selection *taken = &after->effects[0].selection;
    bool so = after->effects[0].kind == EFFECT_REMOVE && taken->cells == SELECT_GROUPS &&
              taken->touches && taken->from_target && is_none(taken->liberties) &&
              is_any(taken->size) && is_all_of(game, &taken->match, enemies);
    return so ? taken->beside : NULL;
}

/* The stone's own group has no liberty. */
static bool forbids_no_liberty(const struct game *game, const struct condition_node *node,
                               const struct beside *beside)
{
    return node->kind == CONDITION_GROUP && node->from_target && is_none(node->liberties) &&
           is_any(node->size) && node->beside == beside &&
           is_all_of(game, &node->match, game_everybody(game));
}

static bool forbids_board(const struct condition_node *node)
{
    if (node->kind == CONDITION_REPETITION)
        return node->of_board && node->min == 2 && node->slot < 0;
    bool once = false;
    if (node->kind != CONDITION_ALL)
        return false;
    for (int i = 0; i < node->child_count; i++) {
        const struct condition_node *child = &node->children[i];
        bool passed = child->kind == CONDITION_PREVIOUS && child->passed == TRI_NO;
        once |= child->kind == CONDITION_REPETITION && forbids_board(child);
        if (!passed && (child->kind != CONDITION_REPETITION || !forbids_board(child)))
            return false;
    }
    return once;
}

/* Whether all that is forbidden is one of the two; and what of it is forbidden. */
static bool forbids_by_liberties(const struct game *game, int player, const struct beside *beside,
                                 bool *repeats)
{
    bool liberties = false;
    *repeats = false;
    for (int i = 0; i < game->forbid_count; i++) {
        const struct condition_node *node = game->forbid[player][i].condition;
        bool no_liberty = forbids_no_liberty(game, node, beside), board = forbids_board(node);
        if (!no_liberty && !board)
            return false;
        liberties |= no_liberty;
        *repeats |= board;
    }
    return liberties;
}

/* A player's placements are of one kind of figure. */
static bool places_one_kind(const struct game *game, int player)
{
    const struct placing_list *list = &game->placing[player];
    uint64_t figures = placing_list_kinds(list);
    for (int i = 0; i < list->count; i++)
        if (list->rules[i].removes)
            return false;
    return list->count > 0 && (figures & (figures - 1)) == 0;
}

void compile_fast_liberties(struct compiler *compiler)
{
    const struct game *game = compiler->game;
    if (!game->places_figures || game->tracks_history)
        return;
    for (int i = 0; i < game->player_count; i++) {
        struct fast_liberties *liberties = &compiler->fast->players[i].liberties;
        const struct beside *beside = takes_by_liberties(game, i);
        if (beside != NULL && places_one_kind(game, i) &&
            forbids_by_liberties(game, i, beside, &liberties->repeats))
            liberties->beside = beside;
    }
}
