/* A game file named on the command line. */
#ifndef SERVER_CLI_GAME_FILE_H
#define SERVER_CLI_GAME_FILE_H

#include "engine/load/extends.h"
#include "engine/load/load.h"

/* A file that was read, with what it extends, and its game. */
struct opened_game {
    char *text;
    struct whole_text whole;
    struct diagnostics diagnostics;
    struct game *game;
};

/* False after having said on standard error what is wrong, as a compiler says it; to be closed in either case. */
bool game_file_open(const char *path, const struct load_options *options,
                    struct opened_game *opened);
void game_file_close(struct opened_game *opened);
/* A new game with one reference; NULL after having said on standard error what is wrong, as a compiler says it. */
struct game *game_file_load(const char *path, const struct load_options *options);
/* The file's text and what it extends merged into one; owned by the caller. NULL as above. */
char *game_file_whole(const char *path, size_t *length);

/* The games that a file may extend: those beside it, and those that came with the program. */
struct bases game_file_bases(const char *path);
/* Whether a file finds a picture there; as load_options wants it, whose context is the file's path. */
bool game_file_has_picture(const void *path, const char *picture);

/* The errors among the diagnostics, on standard error. */
void game_file_say_errors(const char *path, const struct diagnostics *diagnostics);

/* The whole file, or as much of it as shows that it is too large (the loader says so then); owned by the caller.
 * NULL with errno when it cannot be read. */
char *game_file_read(const char *path, size_t *length);

#endif
