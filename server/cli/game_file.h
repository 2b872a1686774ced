/* A game file named on the command line. */
#ifndef SERVER_CLI_GAME_FILE_H
#define SERVER_CLI_GAME_FILE_H

#include "engine/load/load.h"

/* A new game with one reference; NULL after having said on standard error what is wrong, as a compiler says it. */
struct game *game_file_load(const char *path, const struct load_options *options);

/* The errors among the diagnostics, on standard error. */
void game_file_say_errors(const char *path, const struct diagnostics *diagnostics);

/* The whole file, or as much of it as shows that it is too large (the loader says so then); owned by the caller.
 * NULL with errno when it cannot be read. */
char *game_file_read(const char *path, size_t *length);

#endif
