/* Random games on one word a set: two players whose figures step, slide, or jump one figure, on a board of at most 64
 * cells. All that a move asks is worked out when the game is recognised. Movements by one difference of bits
 * (fast_small_layout.h) are found for all figures at once by a few instructions; long ones by rays from each figure.
 * Everything else is left to fast_play.c, which also finds out who has won. */
#ifndef ENGINE_FAST_SMALL_H
#define ENGINE_FAST_SMALL_H

#include "engine/fast_play.h"
#include "engine/fast_small_layout.h"

enum {
    SMALL_PLAYERS = 2,
    SMALL_FIGURES_MAX = 6,
    SMALL_WORDS = SMALL_PLAYERS + SMALL_FIGURES_MAX,
    SMALL_OPS_MAX = 96, /* of one player */
    SMALL_RAYS_MAX = 8, /* of one figure in one list */
    SMALL_FARS_MAX = 8, /* of one player */
    SMALL_BATCHES_MAX = SMALL_OPS_MAX + WORD_BITS * SMALL_RAYS_MAX,
    SMALL_CHECKS_MAX = 64, /* of one player */
    SMALL_RESULTS_MAX = 8,
    SMALL_SET_EVERY = ACCEPT_LIMITED, /* behind the sets every game has: all ones */
    SMALL_SETS,
};

/* Where a test ends: among the numbers of its checks. */
enum { SMALL_HOLDS = SMALL_CHECKS_MAX, SMALL_FAILS };

/* Which moves are looked for: the second only if there are none of the first; the third of a figure that goes on. */
enum small_list { SMALL_FIRST, SMALL_SECOND, SMALL_ON, SMALL_LISTS };

/* Which copy of the loop plays a game: the less a game asks for, the less its loop looks for. */
enum small_kind {
    SMALL_PLAIN, /* one kind of figure, no turns of several moves, nothing remembered */
    SMALL_NEAR,  /* two kinds of figures, all by differences */
    SMALL_FAR,   /* two kinds of figures */
    SMALL_ANY,
};

/* All moves of one kind of figure by one difference of bits, or (`far`) by rays. A rotation is a shift here: `from` has
 * only cells from which it leads to a cell. */
struct small_op {
    uint64_t from;
    uint64_t promoted; /* targets where it becomes another figure */
    uint8_t turn,
        turn_on; /* rotations: to the cell between, and on; without such a cell the first is none */
    uint8_t over, accept; /* sets */
    uint8_t figure, becomes;
    int8_t offset, middle;
    uint8_t far; /* 1 + which rays of the player; 0: none */
    bool takes_jumped, continues, advances, stops, turn_ends;
    uint16_t rule;
};

/* The rays of each cell, rising ones first, and which of their cells are targets. */
struct small_far {
    const struct fast_group *group;
    uint8_t rising, all;
    uint64_t rays[WORD_BITS][SMALL_RAYS_MAX], masks[WORD_BITS][SMALL_RAYS_MAX];
};

/* One question of a test, and which comes next. */
struct small_check {
    uint8_t kind; /* COUNT, COUNTER, REPETITION or PREVIOUS */
    uint8_t then, otherwise;
    int32_t min, max;
    int16_t slots[SMALL_PLAYERS]; /* by who is to move */
    uint64_t cells[SMALL_PLAYERS]
                  [SMALL_PLAYERS]; /* by who is to move, and owner: where they count */
    uint64_t figures;              /* 0: every one */
    uint64_t moves, from, to;      /* of PREVIOUS: moves as in a counter, and where */
};

struct small_result {
    uint8_t index;
    bool material;
    uint8_t first; /* of its checks */
    /* What must be for it to hold, seen at once: moves since the last that cannot be undone, and a counter. */
    uint32_t quiet_min;
    int16_t counter_min;
    uint8_t slot;
};

/* A bit for each figure and what it took: figure * (SMALL_FIGURES_MAX + 1) + 1 more than what was taken, or 0. Such a
 * move adds or resets; or it may, and checks say whether. */
struct small_counter {
    uint64_t add, reset, may_add, may_reset;
    uint8_t first_add, first_reset;
    uint8_t slot;
    int16_t start;
};

struct small_player {
    struct small_op ops[SMALL_OPS_MAX];
    uint8_t starts[SMALL_LISTS][SMALL_FIGURES_MAX + 1]; /* by figure, and one more */
    int op_count, result_count, check_count, far_count;
    struct small_result results[SMALL_RESULTS_MAX];
    struct small_check checks[SMALL_CHECKS_MAX];
    struct small_counter counters[COUNTERS_MAX];
    struct small_far fars[SMALL_FARS_MAX];
};

struct fast_small {
    const struct game *game;
    enum small_kind kind;
    struct small_layout layout;
    int figure_count, counter_count;
    bool repeats, remove_at_turn_end, takes_are_final;
    bool ranks; /* of several takes some may be left out: */
    bool most_taken, can_go_on;
    uint32_t period,
        stride; /* so many moves lie at least between one time and the next, or `stride` more, and again */
    state_index next[STATES_MAX];
    uint64_t state_keys[STATES_MAX];
    uint64_t keys[1 + SMALL_FIGURES_MAX * SMALL_PLAYERS][WORD_BITS]; /* by code and bit */
    struct small_player players[SMALL_PLAYERS];
};

struct small_stand {
    uint64_t words[SMALL_WORDS]; /* as in a position; while it plays, by bits */
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
    uint8_t what;        /* the same as in a counter */
    cell_index from, to;
    int16_t counters[COUNTER_SLOTS_MAX];
};

/* NULL if the game is not of this kind. */
struct fast_small *fast_small_new(const struct game *game);
void fast_small_free(struct fast_small *small);

/* Results and counters of one player; false: they ask for more than is known here. */
bool fast_small_fill_tests(struct fast_small *small, player_index player);

/* Plays until a result, until there is no move, or for so many moves; returns how many it took. */
uint32_t fast_small_run(const struct fast_small *small, struct small_stand *stand, uint64_t *random,
                        uint32_t plies_max, struct move *moves);

#endif
