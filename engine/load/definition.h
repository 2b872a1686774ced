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

#include "engine/load/load.h"
#include "engine/movement.h"
#include "engine/whole_game.h"

/* Format 2 speaks of players by their part in a move (mover, enemy, next). Whatever holds conditions is therefore read
 * once for each player as the mover, with directions and zones mirrored for that player. Zones are numbers of
 * `definition.zones`. */

struct figure_definition {
    const char *pointer;
    struct movement_list movement[PLAYERS_MAX]; /* equal unless the file has them by player */
};

/* What stands on a cell at the start. */
struct placement {
    figure_index figure;
    player_index player; /* PLAYER_NONE: the cell is empty */
};

/* A set of cells as each player's own: WORDS_MAX words of bits. Nameless ones come from coordinates in matches. */
struct zone_definition {
    const char *name; /* NULL: nameless */
    const uint64_t *cells[PLAYERS_MAX];
};

struct definition {
    WHOLE_GAME;
    int zone_count;
    struct zone_definition *zones; /* room for ZONE_SETS_MAX of them */
    const struct figure_definition *figures;
    struct placement *start; /* by cell */
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
