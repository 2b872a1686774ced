/* Compiling the fast path: shared by the compile_fast* files only. It begins where the general code is ready: with movements
 * settled on the board and the rays along them; conditions are folded by one pass for both (compile_conditions.c). */
#ifndef ENGINE_LOAD_COMPILE_FAST_H
#define ENGINE_LOAD_COMPILE_FAST_H

#include "engine/fast/fast.h"
#include "engine/load/compile.h"

/* One way of a movement: from a cell, over a path, to a target. */
struct fast_way {
    cell_index from, to;
    int steps;
    const cell_index *path; /* steps - 1 cells */
};

/* What a movement's words ask for at play time, once those about coordinates are decided. */
struct fast_needs {
    bool unmoved;
    bool occupied;    /* the target is not empty */
    bool close;       /* the cell before the target is not empty */
    uint64_t figures; /* of the target */
    const struct condition_node
        *apart;     /* no such figure of the player's stands beside the target; NULL: no need */
    uint32_t gates; /* of the player's, as bits of what is wanted */
};

/* Calls `visit` for all ways of a movement. False: some word of it must be asked at play. */
bool compile_fast_ways(const struct compiler *compiler, const struct movement *movement, int mover,
                       void (*visit)(void *context, const struct fast_way *way), void *context);

/* compile_fast_parts.c: where several promotions may apply to a movement, or one by where it begins, it is taken in parts: the moves to which
 * the same of them apply, by where they begin, and by whether the figure must become another where they lead. */
enum { MOVEMENT_PARTS_MAX = 4 };
struct movement_part {
    unsigned applying; /* bits by promotion: those that ask no more of where it begins */
    bool forced;
    uint64_t starts[WORDS_MAX], ends[WORDS_MAX];
    const struct promotion_rule
        *promotion;           /* what all of them offer; NULL: it is the whole movement */
    const uint64_t *promoted; /* where */
};
/* The parts, in zeroed memory; how many: 1 of a movement that is taken as a whole. 0: there would be too many, or they are not told by
 * cells alone. */
int compile_fast_parts(struct game *game, const struct movement *movement,
                       struct movement_part *parts);

/* compile_fast_sketch.c: what is found out about one movement, or one part of it, before movements are put together in groups. */
enum { SHIFT_CLASSES_MAX = 3 };
struct sketch {
    const struct movement *movement;
    struct movement_part part;
    struct fast_group group; /* without its tables */
    uint8_t base;            /* of its accept set */
    uint64_t *area;          /* by cell: all its targets */
    int group_index;
    int words;
    /* Where the difference of the numbers of cells is one of a few, all figures can be moved at once. */
    bool shifts; /* by one step, or two */
    int class_count;
    struct shift_class {
        int middle, offset;
        uint64_t from[WORDS_MAX];
    } classes[SHIFT_CLASSES_MAX];
};

/* Sketches a movement, the index-th of its piece, behind those that are there; in parts where it has some. NULL, or the word that no shape
 * knows. */
const char *sketch_add(struct compiler *compiler, struct sketch *sketches, int *count,
                       const struct movement *movement, int mover, int index);
/* Whether they do the same, in different directions: such go into one group. */
bool sketch_is_like(const struct sketch *sketch, const struct sketch *other);

/* compile_fast_groups.c: the tables of a group, of all the sketches that are in it. */
void compile_fast_group(struct game *game, struct fast_group *group, const struct sketch *sketches,
                        int count, int index);

/* compile_fast_movers.c: sorts the movements of all pieces into groups. */
void compile_fast_movers(struct compiler *compiler);

/* compile_fast_liberties.c */
void compile_fast_liberties(struct compiler *compiler);

/* NULL, or the word of the movement that no shape knows. */
const char *compile_fast_needs(const struct compiler *compiler, const struct movement *movement,
                               int mover, struct fast_needs *needs);

/* What may stand on a cell of the board by a match that asks for nothing else; false: it does. */
struct fast_contents {
    bool empty;
    uint64_t figures;
    uint8_t players;
};
bool compile_fast_contents(const struct game *game, const struct cell_test *match,
                           struct fast_contents *contents);

/* What is kept apart from targets; false: there are too many tables of what stands beside. */
bool compile_fast_apart(struct compiler *compiler, const struct fast_needs *needs,
                        struct fast_apart *apart);
void compile_fast_attacks(struct compiler *compiler);
void compile_fast_combined(struct compiler *compiler);

/* After everything else has been compiled. Never fails: what has no shape is left to the interpreter. */
void compile_fast(struct compiler *compiler);

#endif
