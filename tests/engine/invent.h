/* Game files made up from a seed: boards of one to three dimensions with holes, one to three
 * players, figures whose movements and conditions are thrown together. Nobody would want to play
 * them; the engine must all the same. */
#ifndef TESTS_ENGINE_INVENT_H
#define TESTS_ENGINE_INVENT_H

#include <stdint.h>

char *invent_game(uint64_t seed); /* new memory */

#endif
