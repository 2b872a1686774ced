/* Whether a pseudo-legal move is legal: nothing forbidden holds on the position after it. It is made to see that, and taken
 * back: the position is changed and restored. Priorities are not looked at here. */
#ifndef ENGINE_RULES_LEGAL_H
#define ENGINE_RULES_LEGAL_H

#include "engine/rules/pseudo.h"

/* What is forbidden and holds after a pseudo-legal move; NULL: nothing. */
const struct forbid_rule *legal_forbidden(struct position *position, struct move move);
static inline bool legal_move(struct position *position, struct move move)
{
    return position->game->forbid_count == 0 || legal_forbidden(position, move) == NULL;
}

/* For visits: whether the move is legal. */
bool legal_visit(struct visit *visit, struct move move);

/* Whether the figure that has just moved can go on: legally, or by any move that fits. */
bool legal_goes_on(struct position *position, bool legally);

#endif
