/* What may stand on a movement's target or be jumped by it: a few for each player, shared by its movements. */
#include "engine/load/compile_fast.h"

int compile_fast_accept(struct fast_player *player, uint8_t base, uint64_t figures, uint64_t all)
{
    if (player->accept_count == 0)
        for (int i = 0; i < ACCEPT_LIMITED; i++)
            player->accepts[player->accept_count++] =
                (struct fast_accept){.base = (uint8_t)i, .figures = UINT64_MAX};
    figures &= all;
    if (figures == all)
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
        return movement->takes_jumped ? ACCEPT_BEHIND : ACCEPT_ENEMY;
    case FOR_BOTH:
        return needs->occupied ? ACCEPT_ENEMY : ACCEPT_BOTH;
    case FOR_SWAP:
        return ACCEPT_SWAPPED;
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
