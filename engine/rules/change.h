/* What a move does on the board: what is moved, taken, put, and what it becomes. What follows it is turn.h's. */
#ifndef ENGINE_RULES_CHANGE_H
#define ENGINE_RULES_CHANGE_H

#include "engine/state.h"

/* A move while it is being made. */
struct making {
    struct position *position;
    struct undo *undo;
    struct move move;
    const struct movement *rule; /* NULL: a combined movement, a placement or a pass */
    player_index mover;
    figure_index becomes; /* by promotions that do not wait; FIGURE_NONE: it stays what it is */
    bool final;           /* no position before it can come again */
    bool stopped;         /* the turn does not go on */
};

/* Does it, and notes what was moved and taken in `turn.last`. */
void change_board(struct making *making);
/* Two players swap sides: every figure becomes the other one's and goes where the board's mirror has its cell; what is in hand and
 * what players have counted becomes the other one's, too. */
void change_sides(struct making *making);
/* What follows a move does it to a cell: a figure there leaves, or becomes the mover's. False: there is nothing to do. */
bool change_remove(struct making *making, cell_index cell);
bool change_flip(struct making *making, cell_index cell);
/* What was taken and still stands there leaves when the turn ends; and promotions that wait for that are made, of the
 * figure where it stands now. */
void change_remove_pending(struct making *making);
void change_promote_at_end(struct making *making, const struct movement *rule, cell_index cell,
                           cell_index started);

/* The kinds a figure may become by a move, as bits. */
struct choices {
    uint64_t figures;
    uint64_t stopping; /* with these the turn does not go on */
    bool optional;     /* it may also stay what it is */
};
struct choices change_choices(const struct position *position, const struct movement *rule,
                              struct move move);

/* The cells jumped (those between that are occupied), nearest first; returns how many. `jumped` has room for CELLS_MAX. */
int change_jumped(const struct position *position, const struct movement *rule, struct move move,
                  cell_index *jumped);
/* The same of those whose figures a movement takes that has no action sets. */
int change_taken(const struct position *position, const struct movement *rule, struct move move,
                 cell_index *taken);

/* --- by what a move was found ----------------------------------------------------------------- */

enum { RULE_COMBINED = 0x8000 };

/* By a movement of a figure, which change_rule finds: neither by a combined one, nor a placement or a pass. */
static inline bool change_is_simple(struct move move)
{
    return move.from != CELL_NONE && (move.rule & RULE_COMBINED) == 0;
}

static inline const struct movement *change_rule(const struct position *position, struct move move)
{
    const struct game *game = position->game;
    return &game->movements[game->piece_rules[position->cells[move.from].code - 1] + move.rule];
}

static inline const struct combined_movement *change_combined(const struct position *position,
                                                              struct move move)
{
    return &position->game->combined[(move.rule & ~RULE_COMBINED) / PARTICIPANTS_MAX];
}

#endif
