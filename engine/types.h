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
    STATES_MAX = 256,     /* of the state machine */
    MOVEMENTS_MAX = 256,  /* of one figure */
    COMPLEX_MAX = 256,    /* complex movements of one game */
    PARTICIPANTS_MAX = 8, /* figures of one complex movement */
    NAME_BYTES_MAX = 64,  /* of any name, without the final zero */
    DEFINITION_BYTES_MAX = 256 * 1024,
    COORDINATE_MAX = 10000, /* absolute value */
    PLIES_MAX = 20000,      /* no game is longer; a file may say less ("max_plies") */
    PLIES_DEFAULT = 2000,
};

typedef uint16_t cell_index; /* cells in lexicographic order of their coordinates */
typedef uint8_t figure_index;
typedef uint8_t player_index;
typedef uint8_t state_index;

#define CELL_NONE   ((cell_index)UINT16_MAX)
#define FIGURE_NONE ((figure_index)UINT8_MAX)
#define PLAYER_NONE ((player_index)UINT8_MAX)
#define CHOICE_NONE UINT8_MAX

#endif
