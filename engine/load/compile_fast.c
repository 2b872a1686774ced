/* The fast path of a game of format 2, from its movements to the whole. */
#include "engine/load/compile_fast.h"

/* What looking for the targets of one figure counts as, on an average cell. */
static unsigned group_work(const struct game *game, const struct fast_group *group)
{
    unsigned cells = (unsigned)game->cell_count, rays = group->rising + group->falling;
    if (group->shape == FAST_SHIFT) /* all figures at once */
        return 0;
    if (group->shape == FAST_LAME)
        rays = 2U * (group->starts[cells] + cells - 1) / cells;
    return 1U + (group->shape == FAST_COUNTED ? 4 : group->shape == FAST_JUMP ? 2 : 1) * rays;
}

static unsigned mover_work(const struct game *game, const struct fast_mover *mover)
{
    unsigned work = 0;
    for (int i = 0; i < mover->group_count; i++)
        work += group_work(game, &mover->groups[i]);
    return work;
}

/* Whether captures of the game can be ranked by looking along jumps: all that takes are jumps over enemies, which go
 * on, and nothing is chosen on the way. */
static bool ranks(const struct compiler *compiler)
{
    const struct fast_game *fast = compiler->fast;
    const struct game *game = compiler->game;
    for (int i = 0; i < game->piece_count; i++) {
        const struct fast_mover *mover = &fast->movers[i];
        const struct fast_player *player = &fast->players[game->code_players[i + 1]];
        for (int k = 0; k < mover->group_count; k++) {
            const struct fast_group *group = &mover->groups[k];
            bool goes_on = (group->offers & FAST_GOES_ON) != 0;
            if ((group->offers & FAST_TAKES) != 0 &&
                (!group->takes_jumped || !goes_on || group->more != 0 ||
                 player->accepts[group->over].base != ACCEPT_ENEMY))
                return false;
        }
        if (mover->reason != NULL || player->royals != 0)
            return false;
    }
    return game->take_first && game->forbid_count == 0 && game->cell_count <= 128;
}

static void note_mover(const struct fast_game *fast, struct fast_player *player,
                       struct fast_mover *mover)
{
    mover->royal = fast->filters && (player->royals >> mover->figure & 1) != 0;
    mover->special =
        mover->royal || mover->overlaps || mover->has_ranked || mover->combined_count > 0;
    /* Ranked jumps and combined movements have ways of their own to say what they offer. */
    player->offers |= mover->has_ranked || mover->combined_count > 0 ? UINT32_MAX : 0;
    for (int i = 0; i < mover->group_count; i++)
        player->offers |= mover->groups[i].offers;
    player->movers[player->mover_count++] = mover;
}

static void note_movers(struct compiler *compiler)
{
    const struct game *game = compiler->game;
    for (int i = 0; i < game->piece_count; i++) {
        struct fast_mover *mover = &compiler->fast->movers[i];
        struct fast_player *player = &compiler->fast->players[game->code_players[i + 1]];
        unsigned work = mover_work(game, mover);
        player->work = work > player->work ? work : player->work;
        player->attack_work = 1U + 2U * (unsigned)player->attack_count;
        player->slow |= mover->reason != NULL;
        if (mover->reason == NULL && mover->group_count + mover->combined_count > 0)
            note_mover(compiler->fast, player, mover);
        player->has_combined |= mover->combined_count > 0;
    }
}

void compile_fast(struct compiler *compiler)
{
    struct game *game = compiler->game;
    if (game->format != 2)
        return;
    compiler->fast = game_allocate(game, 1, sizeof *compiler->fast);
    compiler->fast->loops = fast_loops(game->words);
    compile_fast_movers(compiler);
    compile_fast_attacks(compiler);
    compile_fast_combined(compiler);
    note_movers(compiler);
    compile_fast_liberties(compiler);
    compiler->fast->unranked = (game->most_taken || game->can_go_on) && !ranks(compiler);
    game->fast = compiler->fast;
}
