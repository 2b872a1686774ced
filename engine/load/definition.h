/* A game file, read and checked: the model between JSON text and compiled tables.
 *
 * Every name has become an index, every short form its long form, every expression its value per cell. What stands here is known to be sound: all indices are in range, deltas that repeat are not zero,
 * the state machine has no cycle of passive states and every branch is there, every figure stands on a cell of its
 * own. definition_read makes it (root.c and the readers), compile.c turns it into a game.
 *
 * All memory belongs to the definition's two arenas and goes with definition_free; but one of them, with all texts and what is
 * said of notation, is shared with the games that are compiled of it. Strings end in zero. */
#ifndef ENGINE_LOAD_DEFINITION_H
#define ENGINE_LOAD_DEFINITION_H

#include "engine/board.h"
#include "engine/kinds.h"
#include "engine/load/load.h"
#include "engine/movement.h"
#include "engine/whole_game.h"

/* Format 2 speaks of players by their part in a move (mover, enemy, next). Whatever holds conditions is therefore read
 * once for each player as the mover, with directions and zones mirrored for that player. Zones are numbers of
 * `definition.zones`. */

struct figure_definition {
    const char *name, *pointer;
    struct movement_list movement[PLAYERS_MAX]; /* equal unless the file has them by player */
};

/* For the player who must move and cannot. */
enum no_moves { NO_MOVES_LOSS, NO_MOVES_DRAW, NO_MOVES_WIN };

/* What stands on a cell at the start. */
struct placement {
    figure_index figure;
    player_index player; /* PLAYER_NONE: the cell is empty */
};

/* A set of cells as each player's own: cells[player][cell]. Nameless ones come from coordinates in matches. */
struct zone_definition {
    const char *name; /* NULL: nameless */
    const bool *cells[PLAYERS_MAX];
};

struct definition {
    /* Format 2; in formats 0 and 1 `format` is 0 and the rest of this part empty. */
    int format;
    int zone_count, phase_count, mark_count, counter_count, counter_slot_count;
    const struct zone_definition *zones;
    const char *phases[PHASES_MAX], *marks[MARKS_MAX];
    const struct counter_rule *counters;
    int forbid_count, result_count, after_move_count;
    const struct forbid_rule *forbid[PLAYERS_MAX];  /* by mover, all of one length */
    const struct result_rule *results[PLAYERS_MAX]; /* by mover */
    const struct after_rule *after_move[PLAYERS_MAX];
    enum pass_rule pass;
    const struct condition_node *pass_test[PLAYERS_MAX]; /* of PASSES_IF; NULL: always */
    bool remove_at_turn_end;
    bool take_first, most_taken, can_go_on; /* priority */
    /* in what is kept; with conditions as they are read */
    const struct notation_tables *notation;

    const char *name, *title, *description;
    int dimension_count, player_count, figure_count, cell_count, shape_count, line_count,
        complex_count, state_count;
    const char *coordinate_names[DIMENSIONS_MAX];
    const char *player_names[PLAYERS_MAX];
    double rotation[PLAYERS_MAX];
    const struct figure_definition *figures;
    const struct board_cell *cells; /* in lexicographic order of the coordinates, no two equal */
    const struct board_shape *shapes;
    const struct board_line *lines;
    const char *images[PLAYERS_MAX][FIGURES_MAX];
    const struct complex_movement *complex;
    const struct machine_state *states;
    state_index initial_state; /* where the file begins: perhaps one that waits for nobody */
    const struct condition_node *wins[PLAYERS_MAX]; /* NULL: none */
    struct placement *start;                        /* by cell */
    enum no_moves no_moves;
    uint32_t max_plies;
    struct arena *arena, *kept;
};

/* A definition owned by the caller, or NULL with errors. Never calls compile. */
struct definition *definition_read(const char *text, size_t length,
                                   const struct load_options *options,
                                   struct diagnostics *diagnostics);
void definition_free(struct definition *definition);

/* compile.c: cannot fail for a definition that definition_read has made, except by a bound on the tables' size, which
 * it reports as a diagnostic. It shares what the definition keeps for it, and copies the rest. */
struct game *game_compile(const struct definition *definition, struct diagnostics *diagnostics);

#endif
