/* Until engine/ defines it no refusal is explained. Weak, so that the engine's own wins. */
#pragma GCC diagnostic ignored "-Wpedantic"
#include "engine/explain.h"

#include <stdio.h>

#define WEAK __attribute__((weak))

WEAK void position_explain(struct position *position, cell_index from, cell_index to,
                           uint8_t choice, struct explanation *explanation)
{
    (void)position, (void)from, (void)to, (void)choice;
    *explanation = (struct explanation){.verdict = VERDICT_NO_MOVEMENT};
    snprintf(explanation->words, sizeof explanation->words, "it is none of the legal moves");
}
