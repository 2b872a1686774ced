/* A game file, read and checked: the model between JSON text and compiled tables.
 *
 * Every name has become an index, every short form its long form, every expression its value per cell; conditions are
 * lists of atoms. What stands here is known to be sound: all indices are in range, deltas that repeat are not zero,
 * the state machine has no cycle of passive states and every branch is there, every figure stands on a cell of its
 * own. definition_read makes it (definition.c and its siblings), compile.c turns it into a game.
 *
 * All memory belongs to the definition's arena and goes with definition_free. Strings end in zero. */
#ifndef ENGINE_LOAD_DEFINITION_H
#define ENGINE_LOAD_DEFINITION_H

#include "engine/game.h"
#include "engine/load/diagnostic.h"
#include "engine/load/load.h"

/* --- conditions ------------------------------------------------------------------------------------------------ */

/* One test of one thing. SELF_ is about the cell the figure stands on, TARGET_ about the cell looked at (destination
 * or transition cell); every TARGET_ atom is false on a hole (a transition cell that does not exist). */
enum atom_kind {
    ATOM_SELF_FIGURE,
    ATOM_SELF_PLAYER,
    ATOM_SELF_MOVES_MADE,
    ATOM_SELF_LAST_MOVE,
    ATOM_SELF_COORDINATE,
    ATOM_TARGET_FIGURE,
    ATOM_TARGET_PLAYER,
    ATOM_TARGET_MOVES_MADE,
    ATOM_TARGET_LAST_MOVE,
    ATOM_TARGET_COORDINATE,
    ATOM_IS_CELL,
    ATOM_IS_FIGURE,
    ATOM_IS_ENEMY,              /* value 0 or 1; on a hole all three are 0 */
    ATOM_MOVES_AFTER_LAST_MOVE, /* the move number minus self's last_move */
    ATOM_CURRENT_MOVE,
};

#define ATOM_ABSENT                                                                                \
    INT32_MIN /* the file's null: the cell has no such thing, that is, it is empty */

struct atom {
    enum atom_kind kind;
    int dimension; /* of a COORDINATE */
    int32_t
        value; /* index, number, 0/1, or ATOM_ABSENT; numbers on an empty cell are equal to ATOM_ABSENT only */
};

/* All of its atoms hold. No atoms: always. */
struct condition {
    int atom_count;
    const struct atom *atoms;
};

/* An `if`: at least one condition holds. Absent: always; present and empty: never. */
struct condition_list {
    bool present;
    int count;
    const struct condition *conditions;
};

/* --- actions --------------------------------------------------------------------------------------------------- */

enum action_kind { ACTION_MOVE, ACTION_TAKE, ACTION_SWAP, ACTION_REPLACE, ACTION_CANCEL };

struct action {
    enum action_kind kind;
    figure_index new_figure; /* of a REPLACE */
};

struct action_set {
    struct condition_list condition;
    int action_count; /* 0: a legal move that does nothing here (a pass) */
    const struct action *actions;
    const char *pointer; /* where it stands in the file */
};

/* Already joined: the movement's own sets first, then the figure's (or: the entry's, then the complex movement's). */
struct cell_actions {
    int destination_count, transition_count;
    const struct action_set *destination, *transition;
};

/* --- movement -------------------------------------------------------------------------------------------------- */

struct movement {
    int delta[DIMENSIONS_MAX];
    bool also_reversed, repeat; /* repeat: any number of steps; then delta is not zero */
    struct condition_list
        condition; /* the movement's own `if`; if it fails the next movement is tried */
    struct cell_actions actions;
    const char *pointer;
};

struct movement_list {
    int count;
    const struct movement *movements;
};

struct figure_definition {
    const char *name;
    struct movement_list
        movement[PLAYERS_MAX]; /* equal for all players unless the file has them by player */
};

struct participant {
    figure_index figure;
    int relative_position[DIMENSIONS_MAX];
    int delta[DIMENSIONS_MAX]; /* coordinates_delta; all zero: it stays */
    struct cell_actions actions;
};

struct complex_movement {
    int participant_count;
    const struct participant *participants;
    const char *pointer;
};

/* --- states and wins ------------------------------------------------------------------------------------------- */

enum state_kind {
    STATE_MOVE, /* waits for `player` */
    STATE_END,
    STATE_CHECK_WIN, /* did `player` win? */
    STATE_NEXT_MOVE, /* the move number grows by one */
    STATE_PASS,      /* an unknown type of a version-0 file: nothing happens here */
};

struct state_definition {
    const char *name;
    enum state_kind kind;
    player_index player; /* of MOVE and CHECK_WIN */
    state_index next[2]; /* [result]; both equal unless CHECK_WIN; meaningless for END */
    /* of END: winner, or drawn, or neither: then the winner is the player of the last CHECK_WIN that said yes on the
     * way here, and if there was none the game is drawn. */
    player_index winner;
    bool drawn;
    const char *reason; /* "" when the file gives none */
};

/* Holds if (some cell matches `filter`) == `expected`. The atoms are TARGET_ ones, over all cells, empty ones too. */
struct win_condition {
    struct condition filter;
    bool expected;
};
struct win_list {
    int count; /* the player has won if any of them holds */
    const struct win_condition *conditions;
};

enum no_moves {
    NO_MOVES_LOSS,
    NO_MOVES_DRAW,
    NO_MOVES_WIN
}; /* for the player who must move and cannot */

/* --- the whole ------------------------------------------------------------------------------------------------- */

struct cell_definition {
    int coordinates[DIMENSIONS_MAX];
    const char *name; /* from cell.name, or the coordinates joined by `_` */
    struct cell_layout layout;
};

struct shape_definition {
    int point_count;
    const struct point *points;
};

struct placement {
    cell_index cell;
    figure_index figure;
    player_index player;
};

struct definition {
    const char *name, *title, *description;
    int dimension_count, player_count, figure_count, cell_count, shape_count, complex_count,
        state_count, placement_count;
    const char *coordinate_names[DIMENSIONS_MAX];
    const char *player_names[PLAYERS_MAX];
    double rotation[PLAYERS_MAX];
    const struct figure_definition *figures;
    const struct cell_definition
        *cells; /* in lexicographic order of the coordinates, no two equal */
    const struct shape_definition *shapes;
    const char *images[PLAYERS_MAX][FIGURES_MAX];
    const struct complex_movement *complex;
    const struct state_definition *states;
    state_index
        initial_state; /* of kind MOVE or END, after running the passive ones it may begin with */
    uint32_t initial_move_number;
    struct win_list wins[PLAYERS_MAX];
    const struct placement *placements;
    enum no_moves no_moves;
    uint32_t max_plies;
    void *arena;
};

/* A definition owned by the caller, or NULL with errors. Never calls compile. */
struct definition *definition_read(const char *text, size_t length,
                                   const struct load_options *options,
                                   struct diagnostics *diagnostics);
void definition_free(struct definition *definition);

/* compile.c: cannot fail for a definition that definition_read has made, except by a bound on the tables' size, which
 * it reports as a diagnostic. Copies what it needs. */
struct game *game_compile(const struct definition *definition, struct diagnostics *diagnostics);

/* Adds a finding at `pointer` when only the pointer is known: line 1, column 1. For compile.c. */
void diagnostics_add(struct diagnostics *diagnostics, enum diagnostic_severity severity,
                     const char *pointer, const char *message, const char *hint);

#endif
