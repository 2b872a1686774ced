/* A node of a tree of moves (tree.h), as the files that count trees see it: tree.c begins and counts, tree_make.c makes
 * moves, tree_tests.c says what ends a game. */
#ifndef ENGINE_FAST_TREE_NODE_H
#define ENGINE_FAST_TREE_NODE_H

#include "engine/fast/tree.h"

/* A line of more moves than there are levels, all its turns together, counts as ended there. */
enum { LEVELS_MAX = 256 };

/* One position. The words lie as in a position; behind them the codes by cell. */
struct tree_node {
    uint64_t hash, rights;
    state_index state;
    player_index player; /* to move; PLAYER_NONE: an end state */
    player_index mover;  /* who moved last */
    uint8_t phase;
    bool same_figure; /* only the figure on `stands` may move */
    bool going_on;    /* so it is, within its turn */
    uint8_t result;   /* 1 + the result that has ended the game; 0: none */
    bool material;
    uint32_t ply;
    uint32_t history; /* the ply from which on positions may come again */
    struct {
        cell_index from, to, stands;
        uint8_t code, taken;
        bool complex;
    } last;
    struct mark marks[MARKS_MAX];
    int16_t counters[COUNTER_SLOTS_MAX];
    uint64_t words[];
};

struct fast_tree {
    struct game *game;
    size_t node_bytes, codes_offset; /* the codes, counted from the node's begin */
    unsigned char *nodes;            /* LEVELS_MAX of them; the first is where it began */
    struct move *moves;              /* of each level */
    uint64_t *keys;                  /* by ply, from the beginning on; for repetition */
    bool repeats;                    /* a position may come often enough to end the game */
    bool keyed;                      /* so hashes are kept, or to know turns that end alike */
    uint32_t first_ply;
    size_t move_room;
    /* What has to be looked at after each move: in a tree of a few plies most counters end nothing. */
    bool counts;
    int looked_count[PLAYERS_MAX];
    uint8_t looked[PLAYERS_MAX][RESULTS_MAX];
};

static inline struct tree_node *tree_level(const struct fast_tree *tree, int number)
{
    return (struct tree_node *)(void *)(tree->nodes + (size_t)number * tree->node_bytes);
}

static inline uint8_t *tree_codes(const struct fast_tree *tree, struct tree_node *node)
{
    return (uint8_t *)node + tree->codes_offset;
}

static inline uint64_t *tree_unmoved(const struct game *game, struct tree_node *node)
{
    return node->words + (size_t)(game->player_count + game->figure_count) * (size_t)game->words;
}

static inline void tree_look(const struct fast_tree *tree, struct tree_node *node,
                             struct fast_view *view)
{
    *view = (struct fast_view){.game = tree->game,
                               .words = node->words,
                               .marks = node->marks,
                               .player = node->player,
                               .phase = node->phase,
                               .going_on = node->going_on,
                               .only = node->same_figure || node->going_on ? node->last.stands
                                                                           : CELL_NONE};
}

/* What not having moved still gives; and what tells whether a position has been there before. */
uint64_t tree_hash_rights(const struct game *game, struct tree_node *node);
uint64_t tree_key(const struct fast_tree *tree, struct tree_node *node);

/* Makes a move of the player to move: the board, whether the turn goes on, counters, the end. */
void tree_make(const struct fast_tree *tree, struct tree_node *node, struct move move);

/* After a move: counters count; and the first result that holds ends the game. */
void tree_count(const struct fast_tree *tree, struct tree_node *node);
void tree_find_result(const struct fast_tree *tree, struct tree_node *node);
/* Notes which results can come within so many moves, and whether counters matter for them. */
void tree_choose_results(struct fast_tree *tree, int moves);

#endif
