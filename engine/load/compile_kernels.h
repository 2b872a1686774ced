/* Rules of a recognised shape as bit sets: recognised and laid out (compile_kernels.c), drawn up for one variant of one
 * mover (compile_kernel_draft.c), with board sets shared by all (compile_classes.c). Private to these. */
#ifndef ENGINE_LOAD_COMPILE_KERNELS_H
#define ENGINE_LOAD_COMPILE_KERNELS_H

#include "engine/load/compile.h"

/* What is done for one mover, and what its rules share. A mover whose rules ask for more than
 * kernels can say is left to the interpreter: `refused`. */
struct kernel {
    struct compiler *compiler;
    int mover;
    player_index player;
    struct history_atom guards[GUARDS_MAX];
    int guard_count;
    unsigned variant; /* which of the guards hold */
    bool refused;
};

enum { SPANS_MAX = 64 }; /* different groups of leaps, and of slides, in one variant */

/* Leaps of one variant with one accepted class: for every cell the cells it may leap to. */
struct leap_draft {
    uint16_t accept;
    uint64_t *cells;
};

/* Rays of one variant that block and accept alike. They are kept in a list and laid out as a table
 * at the end. */
struct ray_draft {
    cell_index from;
    bool falling;
    uint64_t cells[WORDS_MAX], targets[WORDS_MAX];
};
struct slide_draft {
    struct slide_group group; /* without its tables */
    struct table rays;
};

/* The board sets of rules that mean the same from every cell, so that they are found once. */
struct known_sets {
    const struct rule *rule;
    struct slide_group group;
};

struct variant_draft {
    struct leap_draft leaps[SPANS_MAX];
    struct slide_draft slides[SPANS_MAX];
    struct known_sets known[SPANS_MAX];
    int leap_count, slide_count, known_count;
};

/* Draws up what the mover's rules say in the kernel's variant; or the kernel is refused. */
void kernel_draft_variant(struct kernel *kernel, struct variant_draft *draft);

/* Finds or makes the player's board set with these parts. */
uint16_t kernel_board_set(struct kernel *kernel, const struct part_entry *parts, size_t count);
uint16_t kernel_board_set_of_class(struct kernel *kernel, uint32_t contents);

#endif
