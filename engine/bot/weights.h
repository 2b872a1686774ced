/* What a judge knows, while it is learned. Private to engine/bot. */
#ifndef ENGINE_BOT_WEIGHTS_H
#define ENGINE_BOT_WEIGHTS_H

#include "engine/bot/judge.h"
#include "engine/tables.h"

/* In logits. */
struct weights {
    const struct game *game;
    double *cells;           /* by code * cell_count + cell: of what stands there, for its owner */
    double hands[CODES_MAX]; /* by code: of one in its player's hand */
    double counters[COUNTER_SLOTS_MAX];
    double mobility;
    double
        material; /* by so much what was counted is worth: once it is learned 1, or -1 where less is better */
};

/* Plays random games until JUDGE_WORK is done, and changes the weights by who has won them. */
void weights_learn(struct weights *weights);

#endif
