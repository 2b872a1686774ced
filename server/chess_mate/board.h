/* A game of chess as Chess Mate tells it: 64 squares from a8 to h1, who has taken what, and one line a ply.
 *
 * It knows no rules: what is played here the room has found legal. Only the order in which moves are listed, and whether
 * a king stands attacked, are looked up here. */
#ifndef SERVER_CHESS_MATE_BOARD_H
#define SERVER_CHESS_MATE_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/writer.h"

enum { SQUARES = 64, KINDS = 6, PLY_NUMBERS = 16384 };

/* A square is a number: 0 is a8, 7 is h8, 63 is h1. */
enum { NO_SQUARE = -1 };
/* A name as Chess Mate knows it, in lower case. */
int square_of_name(const char *name);
void square_write_name(int square, char name[3]);

struct board {
    char colour[SQUARES]; /* 'W', 'B' or 0 */
    char piece[SQUARES];  /* a letter of "PNBRQK", or 0 */
    int taken[2][KINDS];  /* by white, by black */
    int ply;              /* how many have been made */
};
void board_init(struct board *board);

struct ply {
    char player, flag, piece; /* flag: '-' or 'x' */
    int from, to;
    int64_t at_ms;
};
/* `choice`: what a pawn becomes, a figure's name or NULL. */
struct ply board_play(struct board *board, int from, int to, const char *choice, int64_t at_ms);

/* "W" or "B": whose turn it is. */
char board_turn(const struct board *board);
bool board_in_check(const struct board *board);
/* Puts the squares a figure may go to into the order Chess Mate lists them in; each once. */
int board_order_targets(const struct board *board, int from, int *targets, int count);

/* The two JSON texts; Chess Mate puts them into strings. */
void board_write_squares(const struct board *board, struct writer *writer);
void board_write_score(const struct board *board, struct writer *writer);

#endif
