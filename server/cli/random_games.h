/* Games by chance: how long they take, who wins and how, and how often each word of the file and each state comes up. What
 * the constructor shows (engine_random.c) and what `senet playouts` prints. */
#ifndef SERVER_CLI_RANDOM_GAMES_H
#define SERVER_CLI_RANDOM_GAMES_H

#include "engine/position.h"

#include <jansson.h>

struct random_games;

/* None yet; holds a reference to the game. */
struct random_games *random_games_new(struct game *game);
void random_games_free(struct random_games *games);
/* Plays the game of that number, which is always the same. */
void random_games_play(struct random_games *tally, json_int_t number);
/* What came of them, as README.md shows it under `random`; `first` is the number of the first. */
json_t *random_games_show(const struct random_games *tally, json_int_t first);

#endif
