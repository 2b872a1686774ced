/* What is found out about one movement, or one part of it, before movements are put together in groups. Of the compile_fast* files only. */
#ifndef ENGINE_LOAD_COMPILE_FAST_SKETCH_H
#define ENGINE_LOAD_COMPILE_FAST_SKETCH_H

#include "engine/load/compile_fast.h"

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

#endif
