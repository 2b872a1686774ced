/* What the interpreter_* files share. Private to them.
 *
 *   interpreter_fits.c   does a movement fit between two cells; attacks; complex movements
 *   interpreter.c        pseudo-legal moves, legality, and the questions
 *   interpreter_first.c  priorities: which of the legal moves come first */
#ifndef ENGINE_INTERPRETER_PARTS_H
#define ENGINE_INTERPRETER_PARTS_H

#include "engine/rules/interpreter.h"

/* One question: does a movement of `mover`'s figure on `from` fit? With a `victim` an enemy is supposed to stand there,
 * whatever does, and only what would take it is meant. */
struct question {
    const struct position *position;
    player_index mover;
    cell_index from, victim;
};

/* Of the figure on `from`, with no victim. */
struct question question_of(const struct position *position, cell_index from);
enum interpreter_fit question_judge(const struct question *question,
                                    const struct candidate *candidate);
bool question_takes_marked(const struct question *question, const struct modern_rule *rule,
                           cell_index to);

/* Where the figure's candidates (or complex instances) from a cell begin; behind it where they end. */
const uint32_t *interpreter_row(const struct position *position, const uint32_t *starts,
                                cell_index from);
/* One word of the cells with a mover's figures that geometry lets attack a cell. */
uint64_t interpreter_origins_word(const struct position *position, int figure, player_index by,
                                  cell_index cell, int word);
/* By action sets only what is there can be asked: the movement attacks what it would take now. */
bool interpreter_actions_take(const struct position *position, const struct candidate *candidate,
                              cell_index from);

/* What is done with each move found; true: that is enough. */
struct visit {
    bool (*take)(struct visit *visit, const struct position *position, struct move move);
    struct move *next; /* of those that collect */
    int best;          /* of searches */
    int depth;
};

/* All pseudo-legal moves from a cell. True: it was enough. */
bool interpreter_visit(struct visit *visit, const struct position *position, cell_index from);

/* The position is changed and restored: whoever gives it away as const gets it back as it was. */
struct position *interpreter_borrowed(const struct position *position);

#endif
