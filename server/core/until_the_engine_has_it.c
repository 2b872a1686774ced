/* For the days in which engine/ does not define these yet: nothing is claimed, no turn has several moves, no refusal is
 * explained. Weak, so that the engine's own win; goes away with the last of them. */
#pragma GCC diagnostic ignored "-Wpedantic"
#include "engine/explain.h"

#include <stdio.h>

#define WEAK __attribute__((weak))

WEAK struct outcome position_claim(const struct position *position)
{
    (void)position;
    return (struct outcome){.kind = OUTCOME_PLAYING, .winner = PLAYER_NONE, .reason = ""};
}

WEAK cell_index position_active(const struct position *position)
{
    (void)position;
    return CELL_NONE;
}

WEAK bool position_pending(const struct position *position, cell_index cell)
{
    (void)position, (void)cell;
    return false;
}

WEAK void position_explain(struct position *position, cell_index from, cell_index to,
                           uint8_t choice, struct explanation *explanation)
{
    (void)position, (void)from, (void)to, (void)choice;
    *explanation = (struct explanation){.verdict = VERDICT_NO_MOVEMENT};
    snprintf(explanation->words, sizeof explanation->words, "it is none of the legal moves");
}
