/* A game in Portable Game Notation, for games whose file declares it ("notation": "pgn" and algebraic move texts). */
#ifndef SERVER_CORE_PGN_H
#define SERVER_CORE_PGN_H

#include "server/core/replay.h"

/* Whether the game's file declares what is needed: a variant's name, texts of moves, two players. */
bool pgn_has(const struct game *game);

/* The whole file, ending in zero; the caller's. Of a game that has it. */
char *pgn_write(const struct replay *replay, size_t *length);

#endif
