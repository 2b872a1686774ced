/* A file's own tests, run, with what fails said where the test stands in the file. */
#ifndef ENGINE_LOAD_GAME_CHECK_H
#define ENGINE_LOAD_GAME_CHECK_H

#include "engine/game_tests.h"
#include "engine/load/load.h"

/* `game` has been loaded from this text, for all players. Tests that are for fewer players are run in that game, loaded
 * again. Each test that fails is an error; returns how many were run. */
int game_check_tests(const char *text, size_t length, const struct game *game,
                     struct diagnostics *diagnostics);

/* A warning where the game is over before anybody has moved: its author hardly means that. */
void game_check_start(const struct game *game, struct diagnostics *diagnostics);

/* The same as game_check_tests, told one by one in the order of the file: what is not so, "" where the test passed. */
typedef void game_check_listener(void *context, const struct game_test *test, const char *words);
void game_check_tell(const char *text, size_t length, const struct game *game,
                     game_check_listener *tell, void *context);

#endif
