/* The small integers the engine is made of, and the bounds on everything a game file may ask for.
 *
 * Strings exist only in a compiled game's name tables; a position, a move and an outcome know cells, figures,
 * players and states by index. The bounds are what keeps a hostile file's work and memory finite: a file that
 * exceeds one is refused with a diagnostic naming it. */
#ifndef ENGINE_TYPES_H
#define ENGINE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DIMENSIONS_MAX = 8,
    CELLS_MAX = 1024,
    FIGURES_MAX = 64, /* kinds of figure */
    PLAYERS_MAX = 8,
    STATES_MAX = 256,       /* of the state machine */
    MOVEMENTS_MAX = 1024,   /* of one figure */
    COMBINED_MAX = 256,     /* combined movements of one game */
    PARTICIPANTS_MAX = 8,   /* figures of one combined movement */
    NAME_BYTES_MAX = 64,    /* of any name, without the final zero */
    REASON_BYTES_MAX = 200, /* why a game is over; no text of a board is longer */
    DEFINITION_BYTES_MAX = 256 * 1024,
    POSITION_BYTES_MAX = 1024 * 1024, /* of a position in memory */
    COORDINATE_MAX = 10000,           /* absolute value */
    PLIES_MAX = 20000,                /* no game is longer; a file may say less ("max_plies") */
    PLIES_DEFAULT = 2000,
    WORDS_MAX = CELLS_MAX / 64, /* of a set of cells, as bits */
    ZONES_MAX = 256, /* named ones; conditions may add nameless ones up to ZONE_SETS_MAX */
    ZONE_WORDS = ZONES_MAX / 64,
    ZONE_SETS_MAX = 1024,   /* sets of cells, each by player */
    PHASES_MAX = 16,        /* of a turn; 0 is the phase without a name */
    MARKS_MAX = 4,          /* kinds of marks a movement may leave on cells */
    COUNTERS_MAX = 8,       /* per game */
    COUNTER_SLOTS_MAX = 16, /* counters, those by player once for each */
    COUNTER_VALUE_MAX = 30000,
    RESULTS_MAX = 64,
    SCORE_TERMS_MAX = 16, /* with these three a score in halves is an int */
    SCORE_TIMES_MAX = 1000,
    SCORE_PLUS_MAX = 10000,
    FORBID_MAX = 16,
    AFTER_MOVE_MAX = 16,
    PROMOTIONS_MAX = 8, /* entries of one movement, its figure's included */
    PLACING_MAX = 16,   /* entries of `place`, for one player */
    HAND_MAX = 1000,    /* figures of one kind in one hand; what comes there beyond is gone */
    TESTS_MAX = 4096,   /* nodes of all conditions of one game */
    TEST_DEPTH_MAX = 8,
};

typedef uint16_t cell_index; /* cells in lexicographic order of their coordinates */
typedef uint8_t figure_index;
typedef uint8_t player_index;
typedef uint8_t state_index;

#define CELL_NONE   ((cell_index)UINT16_MAX)
#define FIGURE_NONE ((figure_index)UINT8_MAX)
#define PLAYER_NONE ((player_index)UINT8_MAX)
#define CHOICE_NONE UINT8_MAX
#define CHOICE_SWAP ((uint8_t)(UINT8_MAX - 1)) /* no figure: sides are swapped */

#endif
