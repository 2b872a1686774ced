#include "engine/rules/interpreter.h"

#include "engine/classic/actions.h"
#include "engine/rules/change.h"
#include "engine/rules/fits.h"
#include "engine/rules/turn.h"
#include "engine/work.h"

int priority_takes(const struct position *position, struct move move)
{
    if (!change_is_simple(move))
        return 0;
    const struct movement *rule = change_rule(position, move);
    cell_index taken[CELLS_MAX];
    if (rule->purpose == FOR_ACTIONS)
        return action_takes(position, fits_candidate(position, move), move.from, false);
    return change_taken(position, rule, move, taken);
}

static int most_from(struct position *position, struct move move, int depth);

static bool keep_best(struct visit *visit, struct move move)
{
    if (!legal_move(visit->position, move))
        return work_is_too_much();
    int taken = most_from(visit->position, move, visit->depth);
    if (taken > visit->best)
        visit->best = taken;
    return false;
}

/* How many figures the turn that begins with the move takes at most. A turn is looked at for LINE_MAX moves, which
 * bounds this recursion; how many turns there are is bounded by the work the question may take. */
static int most_from(struct position *position, struct move move, int depth)
{
    int taken = priority_takes(position, move);
    if (depth == LINE_MAX || work_is_too_much() ||
        change_rule(position, move)->continues == GOES_ON_NEVER)
        return taken;
    turn_make(position, move, position->line[depth], TURN_LOOK);
    struct visit visit = {.position = position, .move = keep_best, .depth = depth + 1};
    if (position->turn.active != CELL_NONE)
        pseudo_visit(&visit, position->turn.active);
    position_unmake(position, position->line[depth]);
    return taken + visit.best;
}

static int keep_takes(const struct position *position, struct move *moves, int count)
{
    int kept = 0;
    for (int i = 0; i < count && work_spend(1); i++)
        if (priority_takes(position, moves[i]) > 0)
            moves[kept++] = moves[i];
    return kept > 0 ? kept : count;
}

/* Of the takes those that begin the turn that takes most; what does not take stays. */
static int keep_most(struct position *position, struct move *moves, int count)
{
    int kept = 0, best = 0;
    for (int i = 0; i < count && work_spend(1); i++) {
        struct move move = moves[i];
        int taken = priority_takes(position, move) > 0 ? most_from(position, move, 0) : 0;
        if (taken > best) {
            int others = 0;
            work_spend((unsigned)kept);
            for (int k = 0; k < kept; k++)
                if (priority_takes(position, moves[k]) == 0)
                    moves[others++] = moves[k];
            kept = others;
            best = taken;
        }
        if (taken == 0 || taken == best)
            moves[kept++] = move;
    }
    return kept;
}

static bool goes_on_after(struct position *position, struct move move)
{
    turn_make(position, move, position->line[0], TURN_LOOK);
    bool goes_on = position->turn.active != CELL_NONE;
    position_unmake(position, position->line[0]);
    return goes_on;
}

/* Whether two moves jump the same figures in the same direction: by one movement from one cell, as far as to the
 * first they jump and as many. */
static bool jump_the_same(const struct position *position, struct move a, struct move b)
{
    return a.from == b.from && a.rule == b.rule &&
           priority_takes(position, a) == priority_takes(position, b);
}

static int keep_going_on(struct position *position, struct move *moves, int count)
{
    int kept = 0;
    for (int i = 0; i < count && work_spend(1); i++) {
        bool better = false;
        if (change_is_simple(moves[i]) && change_rule(position, moves[i])->takes_jumped &&
            !goes_on_after(position, moves[i])) {
            /* Those before `i` that are still there, and those after it. */
            for (int k = 0; k < count && !better && work_spend(1); k++) {
                bool there = k < kept || k > i;
                better = there && jump_the_same(position, moves[i], moves[k]) &&
                         goes_on_after(position, moves[k]);
            }
        }
        if (!better)
            moves[kept++] = moves[i];
    }
    return kept;
}

bool priority_is_asked(const struct game *game)
{
    return game->take_first || game->most_taken || game->can_go_on;
}

int priority_keep(struct position *position, struct move *moves, int count)
{
    const struct game *game = position->game;
    if (game->take_first)
        count = keep_takes(position, moves, count);
    if (game->most_taken)
        count = keep_most(position, moves, count);
    if (game->can_go_on)
        count = keep_going_on(position, moves, count);
    return count;
}
