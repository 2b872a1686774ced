/* The games the simulated servers offer, compiled once for all of them. */
#ifndef TESTS_SIMULATION_GAMES_ON_OFFER_H
#define TESTS_SIMULATION_GAMES_ON_OFFER_H

#include "engine/game.h"

enum { GAMES_ON_OFFER = 9 };

struct game_on_offer {
    const char *id;
    char *text; /* owned */
    size_t length;
    struct game *game; /* owned */
    int weight;        /* how often it is chosen, of 100 */
};

/* Loaded on the first call; the same ever after. */
struct game_on_offer *games_on_offer(void);
void games_on_offer_release(void);

#endif
