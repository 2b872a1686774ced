/* What a file of format 2 says of the whole game: counters, what is forbidden, what follows a move, how it ends. One struct of each
 * from the file to the move, as of conditions (condition_tree.h): load/results.c reads it, load/compile_modern_game.c settles it on
 * the board. All but counters are lists for each player as the mover. */
#ifndef ENGINE_WHOLE_GAME_H
#define ENGINE_WHOLE_GAME_H

#include "engine/condition_tree.h"
#include "engine/kinds.h"

/* Conditions that only ask which kind moved last or was taken by it: one of these did, or was. */
struct previous_kinds {
    bool known; /* the condition is such a one */
    uint64_t moved, taken;
};

/* What must be so for a condition to hold, quick to ask. */
struct condition_needs {
    uint64_t absent;      /* no figure of these kinds is on the board */
    uint8_t without;      /* these players have no figure, bits */
    bool without_next;    /* nor has who is to move */
    uint8_t some_players; /* a figure of one of these stands on some_cells; 0: no need */
    uint32_t some_cells;  /* a cell set */
    int occurrences;      /* the position has been there so often; 0: no need */
    int slot;             /* this counter has reached counter_min; -1: no need */
    int counter_min;
};

struct counter_rule {
    const char *name;
    int start;
    bool per_player; /* slots first_slot + player, else first_slot */
    int first_slot;
    const struct condition_node *add[PLAYERS_MAX], *reset[PLAYERS_MAX]; /* by mover; NULL: never */
    const char *pointer;
    /* When it is settled: */
    bool in_key; /* it is never reset, so a position with another value of it is another position */
    struct condition_needs needs[PLAYERS_MAX]; /* of `add` */
    struct previous_kinds resets[PLAYERS_MAX]; /* what `reset` says, if it is known */
};

struct forbid_rule {
    const struct condition_node *condition;
    const char *words; /* NULL: none in the file */
    const char *pointer;
};

struct effect_rule {
    enum effect_place place;
    int zone;      /* of ON_CELLS, in the definition */
    int row_count; /* of ON_NEIGHBOURS: of the move's target */
    const int (*deltas)[DIMENSIONS_MAX];
    struct cell_test match;
    /* When it is settled: */
    uint32_t cells; /* of ON_CELLS: a cell set */
    const cell_index *const *rows;
};

struct after_rule {
    const struct condition_node *condition; /* NULL: always */
    int effect_count;
    const struct effect_rule *effects;
    const char *pointer;
};

struct result_rule {
    const struct condition_node *condition;
    enum result_gives gives;
    player_index player; /* PLAYER_NONE: `next`, who is to move */
    bool next;
    bool claim;
    const char *reason, *pointer;
    /* When it is settled: */
    bool
        lazy; /* holds only where there is no legal move: looked at when somebody asks for the outcome */
    bool
        mixed; /* asks for legal moves, but may hold though there are some: looked at after each turn, too */
    bool
        needs_moves; /* of a mixed one: it asks for there being moves, so they are looked for after each turn */
    bool
        material; /* asks only how many of what kinds there are: cannot begin to hold by a turn that changes no
                         kind or number */
    struct condition_needs needs;
    /* The next result that is looked at after a turn; [1]: one that has changed what is on the board. */
    const struct result_rule *next_of_turn[2];
};

#endif
