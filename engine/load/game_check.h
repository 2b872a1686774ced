/* A file's own tests, run, with what fails said where the test stands in the file. */
#ifndef ENGINE_LOAD_GAME_CHECK_H
#define ENGINE_LOAD_GAME_CHECK_H

#include "engine/load/load.h"

/* `game` has been loaded from this text, for all players. Tests that are for fewer players are run in that game, loaded
 * again. Each test that fails is an error; returns how many were run. */
int game_check_tests(const char *text, size_t length, const struct game *game,
                     struct diagnostics *diagnostics);

/* How a test went; the texts are borrowed for the call. */
struct game_check_result {
    const char *name;
    int number; /* its place in the file's list */
    bool passed;
    const char *words; /* what is not so; "" if it passed */
};
/* The same, told one by one in the order of the file. */
void game_check_tell(const char *text, size_t length, const struct game *game,
                     void (*tell)(void *context, const struct game_check_result *result),
                     void *context);

#endif
