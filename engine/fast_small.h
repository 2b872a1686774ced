/* Random games on one word a set: two players whose figures all step, or jump one cell, by differences of cell numbers,
 * on a board of at most 64 cells. All that a move asks is worked out when the game is recognised, so that one of them is
 * found by a few instructions for each difference and made by a few more; everything else is left to fast_play.c, which
 * also finds out who has won. */
#ifndef ENGINE_FAST_SMALL_H
#define ENGINE_FAST_SMALL_H

#include "engine/fast_play.h"

enum {
    SMALL_PLAYERS = 2,
    SMALL_FIGURES_MAX = 6,
    SMALL_WORDS = SMALL_PLAYERS + SMALL_FIGURES_MAX,
    SMALL_OPS_MAX = 96, /* of one player */
    SMALL_CHECKS_MAX = 4,
    SMALL_RESULTS_MAX = 8,
    SMALL_SET_EVERY = ACCEPT_LIMITED, /* behind the sets every game has: all ones */
    SMALL_SETS,
};

/* Which moves are looked for: the second only if there are none of the first; the third of a figure that goes on. */
enum small_list { SMALL_FIRST, SMALL_SECOND, SMALL_ON, SMALL_LISTS };

/* All moves of one kind of figure by one difference of cell numbers. A rotation is a shift here: `from` has only cells
 * from which it leads to a cell. */
struct small_op {
    uint64_t from;
    uint64_t promoted; /* targets where it becomes another figure */
    uint8_t turn,
        turn_on; /* rotations: to the cell between, and on; without such a cell the first is none */
    uint8_t over, accept; /* sets */
    uint8_t figure, becomes;
    int8_t offset, middle;
    bool takes_jumped, continues, advances, stops, turn_ends;
    uint16_t rule;
};

struct small_check {
    uint8_t kind; /* COUNT, COUNTER or REPETITION */
    int32_t min, max;
    int16_t slots[SMALL_PLAYERS]; /* by who is to move */
    uint64_t cells[SMALL_PLAYERS]
                  [SMALL_PLAYERS]; /* by who is to move, and owner: where they count */
    uint64_t figures;              /* 0: every one */
};

/* Holds if all its checks do. */
struct small_result {
    uint8_t index;
    bool material;
    uint8_t check_count;
    struct small_check checks[SMALL_CHECKS_MAX];
};

/* A bit for each figure and what it took: figure * (SMALL_FIGURES_MAX + 1) + 1 more than what was taken, or 0. */
struct small_counter {
    uint64_t add, reset;
    uint8_t slot;
    int16_t start;
};

struct small_player {
    struct small_op ops[SMALL_OPS_MAX];
    uint8_t starts[SMALL_LISTS][SMALL_FIGURES_MAX + 1]; /* by figure, and one more */
    int op_count, result_count;
    struct small_result results[SMALL_RESULTS_MAX];
    struct small_counter counters[COUNTERS_MAX];
};

struct fast_small {
    const struct game *game;
    uint64_t cells;
    int figure_count, counter_count;
    bool repeats, remove_at_turn_end, takes_are_final;
    uint64_t state_keys[STATES_MAX];
    struct small_player players[SMALL_PLAYERS];
};

struct small_stand {
    uint64_t words[SMALL_WORDS]; /* as in a position */
    uint64_t hash, rights;
    uint64_t pending; /* taken, but not yet away */
    uint64_t *keys;   /* by ply */
    uint32_t ply, history;
    state_index state;
    player_index player, mover;
    bool going_on, material;
    bool stuck; /* there is no move */
    uint8_t result;
    uint8_t code, taken; /* of the last move */
    cell_index from, to;
    int16_t counters[COUNTER_SLOTS_MAX];
};

/* NULL if the game is not of this kind. */
struct fast_small *fast_small_new(const struct game *game);
void fast_small_free(struct fast_small *small);

/* Plays until a result, until there is no move, or for so many moves; returns how many it took. */
uint32_t fast_small_run(const struct fast_small *small, struct small_stand *stand, uint64_t *random,
                        uint32_t plies_max, struct move *moves);

#endif
