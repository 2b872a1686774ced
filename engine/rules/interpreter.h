/* The moves of a format-2 game by its definition, candidate by candidate: the specification that the fast path
 * must agree with.
 *
 *   fits          all that a movement says besides what it does holds between two cells
 *   pseudo-legal  by the first movement that fits, with each choice it leaves
 *   legal         and nothing that is forbidden holds on the position after it; and no priority puts another first
 *
 * A position passed as const is tried out in place and restored. Nothing here allocates. */
#ifndef ENGINE_INTERPRETER_H
#define ENGINE_INTERPRETER_H

#include "engine/state.h"

/* Legal moves ordered by (from, to, choice), a pass last; none once the game has ended. */
int interpreter_moves(const struct position *position, struct move *moves);
int interpreter_from(const struct position *position, cell_index from, struct move *moves);
bool interpreter_any(const struct position *position);
bool interpreter_find(const struct position *position, cell_index from, cell_index to,
                      uint8_t choice, struct move *move);

/* As interpreter_any, but of a position whose game may have been ended by a result already. */
bool interpreter_any_despite_result(const struct position *position);

/* Pseudo-legal moves of the figure on `from`, which the player to move may move now; ordered. */
int interpreter_pseudo_from(const struct position *position, cell_index from, struct move *moves);

/* What is forbidden and holds after a pseudo-legal move; NULL: nothing. */
const struct forbid_rule *interpreter_forbidden(const struct position *position, struct move move);

/* Whether nothing forbidden holds after a pseudo-legal move. Priorities are not looked at. */
bool interpreter_legal(const struct position *position, struct move move);

/* Keeps of legal moves those that `priority` leaves; returns how many. */
int interpreter_keep_first(const struct position *position, struct move *moves, int count);

/* Whether the player to move may pass now (or end a turn that may go on); `others`: there are other legal moves. */
bool interpreter_may_pass(const struct position *position, bool others);

/* Whether one of the player's figures attacks the cell; `attacker`, if not NULL, becomes where the first stands. */
bool interpreter_attacked(const struct position *position, cell_index cell, player_index by,
                          cell_index *attacker);

/* The same of figures of some kinds only, as bits. */
bool interpreter_attacked_by(const struct position *position, cell_index cell, player_index by,
                             uint64_t kinds, cell_index *attacker);

/* The cells that may be begun from now: the player's figures, or the only one that may move. */
void interpreter_movable(const struct position *position, uint64_t *cells);

/* Whether the figure that has just moved can go on. */
bool interpreter_goes_on(const struct position *position, bool legally);

/* Why a candidate does not fit from a cell: the first reason in the order in which they are looked at. */
enum interpreter_fit {
    FITS,
    UNFIT_PHASE,    /* another part of the turn */
    UNFIT_TO_GO_ON, /* the figure goes on, and this movement does not */
    UNFIT_TARGET,
    UNFIT_VISITED, /* it stood there in this turn already */
    UNFIT_VIA,
    UNFIT_PATH,
    UNFIT_GUARD, /* the `if` of a movement with actions */
    UNFIT_CONDITION,
};
enum interpreter_fit interpreter_judge(const struct position *position,
                                       const struct candidate *candidate, cell_index from);

/* Of a complex movement: whether a participant is there as it must be, and may go where it goes. */
bool interpreter_takes_part(const struct position *position,
                            const struct complex_instance *instance, int participant);
bool interpreter_finds_room(const struct position *position,
                            const struct complex_instance *instance, int participant);

/* Whether a complex movement can be made as it is laid out. */
bool interpreter_complex_fits(const struct position *position,
                              const struct complex_instance *instance);

/* Whether the player to move may take by a mark. Priorities are not looked at; nor is what is forbidden where a
 * repetition can be, since that asks whether the mark counts. */
bool interpreter_mark_counts(const struct position *position, int mark);

/* Whether some movement leads from one cell to the other on an empty board, or on any other: if not, no move does. */
bool interpreter_leads(const struct position *position, cell_index from, cell_index to);

/* The candidate a simple move was found by. */
const struct candidate *interpreter_candidate(const struct position *position, struct move move);

/* How many figures a pseudo-legal move takes. */
int interpreter_takes(const struct position *position, struct move move);

#endif
