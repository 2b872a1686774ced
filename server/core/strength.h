/* What a rated game does to its players' ratings, as the store keeps them: whole numbers, rounded after each game, so that
 * whoever works it out again comes to the same.
 *
 * Each game is a time of its own for the two who play it (glicko.h). A rating is *sure* while its deviation is at most
 * STRENGTH_SURE; else it is provisional, and shown as such. */
#ifndef SERVER_CORE_STRENGTH_H
#define SERVER_CORE_STRENGTH_H

#include "server/store/store.h"

#include <stdbool.h>

enum {
    STRENGTH_PERIOD_MS =
        5 *
        86400000, /* then a volatility of 0.06 makes a settled rating provisional in 15 months */
    STRENGTH_SURE = 11000,
    STRENGTH_DEVIATION_LEAST =
        4500, /* in a game a day or ten a deviation would sink to nothing, and ratings stand still */
    STRENGTH_RATING_LEAST = 10000,
    STRENGTH_RATING_MOST = 400000,
    STRENGTH_VOLATILITY_MOST = 100000,
};

struct store_strength strength_new(void);
/* The deviation by now of one who has not played for so long; and for how long it stays sure. */
int64_t strength_deviation_after(const struct store_strength *strength, int64_t idle_ms);
int64_t strength_sure_ms(const struct store_strength *strength);

/* The sides' strengths after it, from those before, their scores, and how long they have not played. */
void strength_rate(struct store_rated_game *game);

#endif
