/* Games of format 2 made up from a seed: boards of one to three dimensions with holes, one to four players, and a few
 * words of the language, drawn as the game's theme, thrown together with all others now and then. Nobody would want to
 * play them. */
#ifndef TESTS_ENGINE_MODERN_INVENT_H
#define TESTS_ENGINE_MODERN_INVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

char *modern_invent(uint64_t seed); /* new memory */
/* What is drawn comes from the bytes first, two for each choice, and from the seed when there are no more. */
char *modern_invent_from(const uint8_t *bytes, size_t size, uint64_t seed);

/* The same game, in which the word stands nowhere, or says something else; new memory. */
char *modern_changed(const char *text, const char *word, bool without);

#endif
