/* What may stand on a movement's target or be jumped by it, and what its figure becomes there: a few for each player, shared by
 * its movements. */
#include "engine/load/compile_fast.h"

int compile_fast_accept(struct fast_player *player, uint8_t base, uint64_t figures, uint64_t all)
{
    if (player->accept_count == 0)
        for (int i = 0; i < ACCEPT_LIMITED; i++)
            player->accepts[player->accept_count++] =
                (struct fast_accept){.base = (uint8_t)i, .figures = UINT64_MAX};
    if ((figures & all) == all)
        return base;
    for (int i = ACCEPT_LIMITED; i < player->accept_count; i++)
        if (player->accepts[i].base == base && player->accepts[i].figures == figures)
            return i;
    if (player->accept_count == FAST_ACCEPTS_MAX)
        return -1;
    player->accepts[player->accept_count] = (struct fast_accept){.base = base, .figures = figures};
    return player->accept_count++;
}

uint8_t compile_fast_target_accept(const struct movement *movement, const struct fast_needs *needs)
{
    switch (movement->purpose) {
    case FOR_TAKE:
        return movement->takes_jumped ? ACCEPT_EMPTY : ACCEPT_ENEMY;
    case FOR_BOTH:
        return needs->occupied ? ACCEPT_ENEMY : ACCEPT_BOTH;
    case FOR_SWAP:
        return ACCEPT_OWN;
    case FOR_MOVE:
    case FOR_PUT:
    case FOR_ACTIONS:
        break;
    }
    return ACCEPT_EMPTY;
}

/* The set of figures a jump may lead over; -1: none. */
int compile_fast_over_accept(const struct fast_compiler *compiler, const struct cell_test *over,
                             player_index player)
{
    unsigned all = compile_fast_all_players(compiler), own = 1U << player;
    struct fast_contents contents;
    if (!compile_fast_contents(compiler, over, &contents))
        return -1;
    int base = contents.players == all            ? ACCEPT_ANY
               : contents.players == (all & ~own) ? ACCEPT_ENEMY
               : contents.players == own          ? ACCEPT_OWN
                                                  : -1;
    if (base < 0)
        return -1;
    return compile_fast_accept(&compiler->fast->players[player], (uint8_t)base, contents.figures,
                               compiler->game->all_figures);
}

/* --- promotions ------------------------------------------------------------------------------------------------- */

static void fill_promotion(const struct game *game, const struct promotion_rule *source,
                           struct fast_promotion *promotion)
{
    promotion->cells = game_cell_set(game, source->in);
    promotion->turn_ends = source->at_turn_end;
    promotion->stops = source->stops;
    promotion->becomes = FIGURE_NONE;
    if ((source->to & (source->to - 1)) == 0 && !source->optional) {
        promotion->becomes = (figure_index)word_lowest(source->to);
        return;
    }
    for (uint64_t left = source->to; left != 0; left &= left - 1)
        promotion->choices[promotion->choice_count++] = (uint8_t)word_lowest(left);
    if (source->optional)
        promotion->choices[promotion->choice_count++] = CHOICE_NONE;
}

/* The number of a movement's promotion; -1: no shape. */
int compile_fast_promotion(struct fast_compiler *compiler, struct fast_promotions *promotions,
                           const struct movement *movement, player_index player)
{
    if (movement->promotion_count == 0)
        return 0;
    const struct promotion_rule *source = &movement->promotions[0];
    if (movement->promotion_count > 1 || source->condition != NULL || source->taken ||
        source->from_zone >= 0 || promotions->count == CODES_MAX)
        return -1;
    for (int i = 1; i < promotions->count; i++)
        if (promotions->players[i] == player &&
            promotions->sources[i]->pointer == source->pointer &&
            promotions->sources[i]->to == source->to)
            return i;
    promotions->sources[promotions->count] = source;
    promotions->players[promotions->count] = player;
    fill_promotion(compiler->game, source, &promotions->list[promotions->count]);
    return promotions->count++;
}
