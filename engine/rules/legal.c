#include "engine/rules/legal.h"

#include "engine/fast/fast.h"
#include "engine/rules/condition.h"
#include "engine/rules/turn.h"
#include "engine/work_shares.h"

/* What asks for moves after a move: they are those that nothing else forbids, so it does not ask itself. */
static bool holds_of_replies(struct position *position, const struct forbid_rule *forbid,
                             player_index mover)
{
    struct asking *asking = position->asking;
    int8_t stuck = asking->stuck;
    asking->replies = true;
    asking->stuck = -1;
    bool holds = condition_holds_after(position, forbid->condition, mover);
    asking->stuck = stuck;
    asking->replies = false;
    return holds;
}

const struct forbid_rule *legal_forbidden(struct position *position, struct move move)
{
    const struct game *game = position->game;
    player_index mover = position_state_player(position);
    const struct forbid_rule *found = NULL;
    struct undo *trial = position->trials[position->asking->replies];
    if (game->forbid_count == 0 || work_is_too_much())
        return NULL;
    turn_make(position, move, trial, TURN_TRIAL);
    for (int i = 0; i < game->forbid_count && found == NULL; i++) {
        const struct forbid_rule *forbid = &game->forbid[mover][i];
        uint64_t before = work_spent();
        if (forbid->asks_moves && position->asking->replies)
            continue;
        if (forbid->asks_moves ? holds_of_replies(position, forbid, mover)
                               : condition_holds_after(position, forbid->condition, mover))
            found = forbid;
        work_was_for(forbid->pointer, before);
    }
    position_unmake(position, trial);
    return found;
}

bool legal_visit(struct visit *visit, struct move move)
{
    return legal_move(visit->position, move);
}

bool legal_goes_on(struct position *position, bool legally)
{
    struct visit visit = {.position = position, .move = legally ? legal_visit : pseudo_is_there};
    if (fast_knows_moves(position->game, position->cells[position->turn.active].code))
        return fast_goes_on(position);
    return pseudo_visit(&visit, position->turn.active);
}
