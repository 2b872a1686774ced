#include "engine/rules/interpreter_parts.h"

#include "engine/rules/turn.h"
#include "engine/work.h"

#include <assert.h>

int interpreter_takes(const struct position *position, struct move move)
{
    if (move_is_pass(move) || (move.rule & RULE_COMPLEX) != 0)
        return 0;
    const struct modern_rule *rule = turn_rule(position, move);
    struct question question = question_of(position, move.from);
    cell_index jumped[CELLS_MAX];
    switch ((enum rule_purpose)rule->purpose) {
    case FOR_MOVE:
    case FOR_SWAP:
    case FOR_PUT:
        return 0;
    case FOR_TAKE:
    case FOR_BOTH:
        if (rule->takes_jumped)
            return turn_jumped(position, rule, move, jumped, CELLS_MAX);
        return position->cells[move.to].code != 0 ||
               question_takes_marked(&question, rule, move.to);
    case FOR_ACTIONS:
        return interpreter_actions_take(position, interpreter_candidate(position, move), move.from);
    }
    assert(false);
    return 0;
}

static int most_from(const struct position *position, struct move move, int depth);

static bool keep_best(struct visit *visit, const struct position *position, struct move move)
{
    if (!interpreter_legal(position, move))
        return work_is_too_much();
    int taken = most_from(position, move, visit->depth);
    if (taken > visit->best)
        visit->best = taken;
    return false;
}

/* How many figures the turn that begins with the move takes at most. A turn is looked at for LINE_MAX moves, which
 * bounds this recursion; how many turns there are is bounded by the work the question may take. */
static int most_from(const struct position *position, struct move move, int depth)
{
    struct position *own = interpreter_borrowed(position);
    int taken = interpreter_takes(position, move);
    if (depth == LINE_MAX || work_is_too_much() ||
        turn_rule(position, move)->continues == GOES_ON_NEVER)
        return taken;
    turn_make(own, move, own->line[depth], TURN_LOOK);
    struct visit visit = {.take = keep_best, .depth = depth + 1};
    if (own->turn.active != CELL_NONE)
        interpreter_visit(&visit, own, own->turn.active);
    turn_unmake(own, own->line[depth]);
    return taken + visit.best;
}

static int keep_takes(const struct position *position, struct move *moves, int count)
{
    int kept = 0;
    for (int i = 0; i < count && work_spend(1); i++)
        if (interpreter_takes(position, moves[i]) > 0)
            moves[kept++] = moves[i];
    return kept > 0 ? kept : count;
}

/* Of the takes those that begin the turn that takes most; what does not take stays. */
static int keep_most(const struct position *position, struct move *moves, int count)
{
    int kept = 0, best = 0;
    for (int i = 0; i < count && work_spend(1); i++) {
        struct move move = moves[i];
        int taken = interpreter_takes(position, move) > 0 ? most_from(position, move, 0) : 0;
        if (taken > best) {
            int others = 0;
            work_spend((unsigned)kept);
            for (int k = 0; k < kept; k++)
                if (interpreter_takes(position, moves[k]) == 0)
                    moves[others++] = moves[k];
            kept = others;
            best = taken;
        }
        if (taken == 0 || taken == best)
            moves[kept++] = move;
    }
    return kept;
}

static bool goes_on_after(const struct position *position, struct move move)
{
    struct position *own = interpreter_borrowed(position);
    turn_make(own, move, own->line[0], TURN_LOOK);
    bool goes_on = own->turn.active != CELL_NONE;
    turn_unmake(own, own->line[0]);
    return goes_on;
}

/* Whether two moves jump the same figures in the same direction: by one movement from one cell, as far as to the
 * first they jump and as many. */
static bool jump_the_same(const struct position *position, struct move a, struct move b)
{
    if (a.from != b.from || a.rule != b.rule)
        return false;
    cell_index left[CELLS_MAX], right[CELLS_MAX];
    const struct modern_rule *rule = turn_rule(position, a);
    int count = turn_jumped(position, rule, a, left, CELLS_MAX);
    return count == turn_jumped(position, rule, b, right, CELLS_MAX);
}

static bool takes_by_jump(const struct position *position, struct move move)
{
    return !move_is_pass(move) && (move.rule & RULE_COMPLEX) == 0 &&
           turn_rule(position, move)->takes_jumped;
}

static int keep_going_on(const struct position *position, struct move *moves, int count)
{
    int kept = 0;
    for (int i = 0; i < count && work_spend(1); i++) {
        bool better = false;
        if (takes_by_jump(position, moves[i]) && !goes_on_after(position, moves[i])) {
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

int interpreter_keep_first(const struct position *position, struct move *moves, int count)
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
