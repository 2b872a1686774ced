/* Counting trees of moves: games of moving figures on a position that carries only what moves and ends ask for. What is
 * worked out here is what engine/position.c works out; a test compares the trees. */
#ifndef ENGINE_FAST_TREE_H
#define ENGINE_FAST_TREE_H

#include "engine/fast/fast.h"

/* What a result or counter asks, with everything about names and zones decided. */
enum fast_test_kind {
    FAST_TEST_ALL,
    FAST_TEST_ANY,
    FAST_TEST_NOT,
    FAST_TEST_COUNT,
    FAST_TEST_PREVIOUS,
    FAST_TEST_COUNTER,
    FAST_TEST_NEXT,
    FAST_TEST_ATTACKED,
    FAST_TEST_REPETITION,
    FAST_TEST_NO_MOVES,
};

struct fast_test {
    uint8_t kind;
    uint8_t child_count;
    uint8_t players;  /* of COUNT, PREVIOUS, ATTACKED: whose; of NEXT: who */
    bool next_player; /* also of who is to move */
    bool empty;       /* of COUNT: also empty cells */
    bool every_player, every_figure;
    int8_t took, complex; /* of PREVIOUS: -1 not asked */
    int16_t slot, first_slot;
    int32_t min, max;
    uint64_t figures, taken;
    /* Of COUNT: the sets of the kinds, if not of every kind, and of the owners, if not of all, or if of every kind. */
    const uint16_t *figure_sets, *player_sets; /* where they begin in the words */
    uint8_t figure_set_count, player_set_count;
    const uint64_t *cells, *from, *to; /* NULL: anywhere */
    const struct fast_test *children;
};

struct fast_counter {
    const struct fast_test *add[PLAYERS_MAX], *reset[PLAYERS_MAX]; /* NULL: never */
};

struct fast_rules {
    const struct fast_counter *counters;
    const struct fast_test *results[PLAYERS_MAX]; /* by mover, as many as the game has */
    const state_index *next;                      /* by state: the next that waits or ends */
    int repetitions_min; /* how often a position must come for a result that is no claim; 0: never asked */
};

/* What the state adds to the key of a position. */
static inline uint64_t fast_state_key(state_index state)
{
    return hash_mix(UINT64_C(7) << 56 | state);
}

/* The levels of a tree of one game; its own memory, none of it asked for while it counts. */
struct fast_tree;
struct fast_tree *fast_tree_new(const struct game *game);
void fast_tree_free(struct fast_tree *tree);

/* Takes the position over; false if what it carries needs the whole position. */
bool fast_tree_begin(struct fast_tree *tree, const struct position *position);

/* Leaves of the tree of turns. */
uint64_t fast_tree_count(struct fast_tree *tree, int depth, bool made);

#endif
