/* The legal moves of a position, and whether one move is among them.
 *
 * Where legality is decided: rules/interpreter.h is the definition, of every format: it follows the file's words candidate by
 * candidate. fast/moves.c, which answers here, finds the same by bit sets for the figures whose movements have a shape it knows,
 * and asks the interpreter for all others. Tests hold both against each other, and against a third one written from the format's
 * description alone. */
#ifndef ENGINE_MOVEGEN_H
#define ENGINE_MOVEGEN_H

#include "engine/position.h"

/* Writes the legal moves, ordered by (from, to, choice) with no two equal, and returns how many; `moves` has room
 * for moves_max of them. None once the game has ended by an end state or its bound. */
int movegen_all(struct position *position, struct move *moves);
int movegen_unordered(struct position *position, struct move *moves); /* the same in any order */
/* One of them: `choose` is given how many there are, and says how many of the ordered list come before it. None is chosen, nor even
 * looked for, where all there is to do is to put something on a cell or remove it, which leaves no choice, or to pass. */
enum movegen_chosen { CHOSEN_NONE, CHOSEN_MOVE, CHOSEN_PLACES };
enum movegen_chosen movegen_choose(struct position *position, struct move *moves,
                                   int (*choose)(void *context, int count), void *context,
                                   struct move *move);
int movegen_from(struct position *position, cell_index from, struct move *moves);
uint64_t movegen_count(struct position *position);
bool movegen_any(struct position *position);

/* The legal move from `from` to `to` with `choice`; false when there is none. */
bool movegen_find(struct position *position, cell_index from, cell_index to, uint8_t choice,
                  struct move *move);
/* The same of a move that was legal when it was made, perhaps before cells of combined movements were found to be unsafe as they are
 * now: those are not looked at. */
bool movegen_find_made(struct position *position, cell_index from, cell_index to, uint8_t choice,
                       struct move *move);

/* Counts the leaves of the tree of turns, those of the last ply by generating only where a turn is one move. A turn of
 * several moves counts as one ply; two ways through it from one figure that lead to the same position are one. */
uint64_t perft(struct position *position, int depth);
/* The same; MADE: with every leaf made; INTERPRETED: that, and all moves found by the interpreter. */
enum perft_way { PERFT_COUNTED, PERFT_MADE, PERFT_INTERPRETED };
uint64_t perft_by(struct position *position, int depth, enum perft_way way);

#endif
