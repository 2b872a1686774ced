/* Game files as whoever loads them gives them to the engine: with what they extend, which is beside them. */
#ifndef TESTS_SUPPORT_GAMES_H
#define TESTS_SUPPORT_GAMES_H

#include "engine/load/extends.h"

/* The games beside a file; `path` is kept. */
struct bases test_bases_beside(const char *path);
/* The file's text, whole, in new memory ending in zero; NULL when it cannot be read. `length` may be NULL. */
char *test_read_game(const char *path, size_t *length);

#endif
