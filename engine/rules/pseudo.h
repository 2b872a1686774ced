/* Pseudo-legal moves: by the first movement that fits, with each choice it leaves; nothing is tried out, and nobody is asked
 * what is forbidden. They are visited one by one, for those who need not know them all. */
#ifndef ENGINE_RULES_PSEUDO_H
#define ENGINE_RULES_PSEUDO_H

#include "engine/rules/fits.h"

/* What is done with each move found; true: that is enough. */
struct visit {
    struct position *position; /* whoever visits may try moves out on it, and restores it */
    bool (*move)(struct visit *visit, struct move move);
    struct move *next;       /* of those that collect */
    struct nearest *nearest; /* of those who ask why; else NULL */
    int best;                /* of searches */
    int depth;
    const struct condition_node *like; /* of those who want any like this */
    struct move wanted;                /* of those who want one; becomes what it is */
};

/* What leads to a cell: what fits, else the simple movement that came furthest, else the first combined one; begins empty but for
 * `to`. */
struct nearest {
    cell_index to;
    const struct movement *rule;
    const struct combined_movement *combined;
    struct misfit misfit;
};

/* All pseudo-legal moves from a cell. True: it was enough. */
bool pseudo_visit(struct visit *visit, cell_index from);
/* The figures that may be put on a cell; CELL_NONE: on all there are. */
bool pseudo_visit_placements(struct visit *visit, cell_index to);
/* In the order of (from, to, choice): placements behind what goes, and a pass last. */
void pseudo_sort(struct move *moves, int count);
/* Of moves in any order, no two equal, the one behind so many others in the order of pseudo_sort; the list is changed. */
struct move pseudo_behind(struct move *moves, int count, int others);
/* Of a list of moves those from a cell; how many. */
int pseudo_keep_from(const struct move *all, int count, cell_index from, struct move *moves);
/* Whether the move is in the list; if so, it becomes what it is there. */
bool pseudo_is_among(const struct move *all, int count, struct move *move);
/* A simple move once for each thing the figure may become by it. */
bool pseudo_visit_choices(struct visit *visit, const struct movement *rule, struct move move);
/* For those who ask only whether there is any. */
bool pseudo_is_there(struct visit *visit, struct move move);

/* The candidate that decides whether the figure may go there by a simple movement; NULL: none does. */
const struct candidate *pseudo_deciding(const struct position *position, cell_index from,
                                        cell_index to);
/* The move of a figure by a candidate, without a choice. */
struct move pseudo_move(const struct position *position, cell_index from,
                        const struct candidate *candidate);

/* The cells that may be begun from now: the player's figures, or the only one that may move. */
void pseudo_movable(const struct position *position, uint64_t *cells);
/* From all of them, and placements: until it was enough; true: it was. */
bool pseudo_visit_all(struct visit *visit);

#endif
