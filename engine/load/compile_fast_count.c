/* Which games' moves can be counted by loops/count.h, and the steps of that. */
#include "engine/load/compile_fast.h"
#include "engine/rules/turn.h"

/* Every cell of the board may be attacked by these, no matter what stands there. */
static bool minds_nothing(const struct fast_attackers *by)
{
    return by->any_target && by->on_empty;
}

static bool is_attacked_plainly(const struct fast_player *player)
{
    for (int i = 0; i < player->leap_count; i++)
        if (!minds_nothing(&player->leaps[i].by))
            return false;
    for (int i = 0; i < player->line_count; i++)
        if (!minds_nothing(&player->lines[i].by) || player->lines[i].jumped != 0 ||
            player->lines[i].limited)
            return false;
    return player->leap_count <= FAST_ATTACKS_KEPT && player->line_count <= FAST_ATTACKS_KEPT;
}

static bool is_counted(const struct fast_mover *mover, const struct fast_group *group)
{
    bool shaped = group->shape == FAST_LEAP || group->shape == FAST_SHIFT ||
                  (group->shape == FAST_SLIDE && !group->masked);
    bool walks =
        group->purpose == FOR_MOVE || group->purpose == FOR_TAKE || group->purpose == FOR_BOTH;
    return shaped && walks && group->phase == 0 && group->continues == GOES_ON_NEVER &&
           !group->jumps && !group->takes_jumped && group->accept <= ACCEPT_BOTH &&
           (group->takes_marked < 0 || group->accept == ACCEPT_ENEMY) && !mover->overlaps;
}

static bool is_player_counted(const struct fast_compiler *compiler, int player)
{
    const struct game *game = compiler->game;
    const struct fast_game *fast = compiler->fast;
    for (int i = 0; i < fast->players[player].figure_count; i++) {
        const struct fast_mover *mover =
            &fast->movers[fast->players[player].figures[i] * game->player_count + player];
        for (int k = 0; k < mover->group_count; k++)
            if (!is_counted(mover, &mover->groups[k]))
                return false;
    }
    return !fast->players[player].slow && is_attacked_plainly(&fast->players[player]);
}

static struct fast_count_step step_of(const struct fast_compiler *compiler, int player,
                                      figure_index figure, const struct fast_group *group)
{
    const struct game *game = compiler->game;
    const struct fast_promotion *promotion = &compiler->fast->promotions[group->promotion];
    struct fast_count_step step = {
        .group = group,
        .figures = (uint16_t)((game->player_count + figure) * game->words),
        .figure = figure,
        .royal = compile_fast_is_royal(&compiler->fast->players[player], figure)};
    if (group->promotion != 0 && promotion->choice_count > 0) {
        step.promoted = promotion->cells;
        step.more = (uint8_t)(promotion->choice_count - 1);
    }
    return step;
}

static void store_steps(struct fast_compiler *compiler, int number)
{
    struct fast_player *player = &compiler->fast->players[number];
    const struct fast_mover *movers = compiler->fast->movers;
    int players = compiler->game->player_count, count = 0;
    for (int i = 0; i < player->figure_count; i++)
        count += movers[player->figures[i] * players + number].group_count;
    struct fast_count_step *steps =
        compile_fast_allocate(compiler, (size_t)count + 1, sizeof *steps);
    for (int i = 0; i < player->figure_count; i++) {
        const struct fast_mover *mover = &movers[player->figures[i] * players + number];
        for (int k = 0; k < mover->group_count; k++)
            steps[player->step_count++] =
                step_of(compiler, number, player->figures[i], &mover->groups[k]);
    }
    player->steps = steps;
}

void compile_fast_count(struct fast_compiler *compiler)
{
    const struct fast_game *fast = compiler->fast;
    if (!fast->filters || fast->turns || compiler->game->continues ||
        compiler->game->cell_count > FAST_CELLS_MAX)
        return;
    for (int i = 0; i < compiler->game->player_count; i++)
        if (is_player_counted(compiler, i))
            store_steps(compiler, i);
}
