/* The game of a room, read from what the server answers and played along: for a search of our own on its position, and for a
 * program of UCI, USI or UCCI, which is told of it in the game's own notation. And back: what the program wants to play, as
 * the protocol says it.
 *
 * The server's answers are taken for hostile: what is no game of ours, or no legal move in it, is refused. */
#ifndef SERVER_CLI_UCI_GAME_H
#define SERVER_CLI_UCI_GAME_H

#include "engine/position.h"
#include "server/cli/uci.h"

#include <stdbool.h>
#include <stddef.h>

struct uci_game;

/* From the answer to `games`, `guide`, for so many players. NULL after having written to `why`, of `why_size` bytes. */
struct uci_game *uci_game_new(const char *answer, int players, enum uci_dialect dialect, char *why,
                              size_t why_size);
/* Whether a program can be told of it; otherwise `why` says why not. */
bool uci_game_can_be_told(const struct uci_game *game, char *why, size_t why_size);
void uci_game_free(struct uci_game *game); /* NULL is allowed */

const char *uci_game_name(const struct uci_game *game);
/* Which of the two: 0 moves first; -1: no player is called so. */
int uci_game_player(const struct uci_game *game, const char *name);

/* Back to the start: what comes is all moves. */
void uci_game_restart(struct uci_game *game);
int uci_game_plies(const struct uci_game *game);
/* From the answer to `history` with `moves`, behind those that are here. False where they are no moves of this game, or do not
 * follow; `all`: there are no more. */
bool uci_game_take_moves(struct uci_game *game, const char *answer, bool *all);

/* As it stands now, a copy. */
struct position *uci_game_copy(const struct uci_game *game);

/* What uci_think wants; of a game that can be told. Borrowed until the game changes. */
const char *uci_game_position(const struct uci_game *game);
const char *uci_game_moves(const struct uci_game *game);

/* The legal move that the program means by this text, as client_move has it, borrowed from the game; false: there is none. */
bool uci_game_find(struct uci_game *game, const char *text, const char **from, const char **to,
                   const char **choice);

#endif
