/* What a position is worth to its players, as far as the game's file lets one guess.
 *
 * A judge is made once for a game and never changes: it may be asked on several threads. Its value is a sum over what stands on
 * the board, and what is in hand: how far the figure could go from all cells together (material), how near the cell is to a zone by which the file
 * lets the player win, and what random games have taught about the figure and the cell. Beside it stand counters that each player
 * has, how many moves players have, and the hunt for a royal figure that is nearly alone.
 *
 * The values are in parts of JUDGE_LOGIT: so much more, and the odds of winning grow by e. */
#ifndef ENGINE_BOT_JUDGE_H
#define ENGINE_BOT_JUDGE_H

#include "engine/position.h"

struct judge;

enum { JUDGE_LOGIT = 256, JUDGE_VALUE_MAX = 20000 };

/* Holds a reference to the game. Costs up to JUDGE_WORK units of work: a part of a second; of a game always the same. */
enum { JUDGE_WORK = 30 * 1000 * 1000 };
struct judge *judge_new(const struct game *game);
void judge_free(struct judge *judge); /* NULL is allowed */
const struct game *judge_game(const struct judge *judge);

/* For the player, against all others. */
int judge_value(const struct judge *judge, const struct position *position, player_index player);
/* Of one move more than the others have. */
int judge_mobility(const struct judge *judge);
/* Of the figure that stands on the cell, for its owner; 0 where none does. */
int judge_piece(const struct judge *judge, const struct position *position, cell_index cell);
/* How likely who has such a value wins, from 0 to 1. */
double judge_chance(int value);

/* Whether games are better played out by chance than searched to a depth: figures are put on the board and none move, every move takes,
 * or there are more than two players. */
bool judge_plays_out(const struct judge *judge);
/* Whether a game played by chance ends soon: each move fills a cell or takes a figure. */
bool judge_is_short(const struct judge *judge);

#endif
