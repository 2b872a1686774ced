/* A board as text, for terminals: each cell where it is drawn, figures as letters. */
#ifndef SERVER_CLI_PLAY_BOARD_H
#define SERVER_CLI_PLAY_BOARD_H

#include "engine/position.h"

#include <stdio.h>

struct play_board;

struct play_board *play_board_new(const struct game *game); /* which must outlive it */
void play_board_free(struct play_board *board);
/* Which letters the figures are, and whose. */
void play_board_legend(const struct play_board *board, FILE *out);
void play_board_print(const struct play_board *board, const struct position *position, FILE *out);

#endif
