/* Which players' moves can be counted by loops/count.h. */
#include "engine/load/compile_fast.h"

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
    const struct fast_game *fast = compiler->fast;
    for (int i = 0; i < fast->players[player].kind_count; i++) {
        const struct fast_mover *mover = fast->players[player].kinds[i].mover;
        for (int k = 0; k < mover->group_count; k++)
            if (!is_counted(mover, &mover->groups[k]))
                return false;
    }
    return !fast->players[player].slow && is_attacked_plainly(&fast->players[player]);
}

void compile_fast_count(struct fast_compiler *compiler)
{
    struct fast_game *fast = compiler->fast;
    if (!fast->filters || fast->turns || compiler->game->continues || compiler->game->most_taken ||
        compiler->game->cell_count > FAST_CELLS_MAX)
        return;
    for (int i = 0; i < compiler->game->player_count; i++)
        fast->players[i].counted = is_player_counted(compiler, i);
}
