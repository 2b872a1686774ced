/* From the checked model to tables. Private to the compile_* files.
 *
 *   compile.c              names and drawing; puts the parts together
 *   compile_states.c       the state machine
 *   compile_tables.c       growing tables with a bound; equal things stored once
 *   compile_memory.c       all memory of compiling, and its budgets
 *   compile_movements.c    movements and combined movements, settled on the board
 *   compile_candidates.c   rays, candidates, and the bounds that follow from them
 *   compile_modern_game.c  format 2: the whole game, compile_rights.c who has not moved and who attacks what,
 *                          compile_conditions.c conditions, compile_needs.c what must be so for one to hold
 *
 * A definition is sound but may still be far too large once multiplied out (figures × players ×
 * cells × directions), so all that grows has a bound; where one is reached compiling is over (compile_memory.h). */
#ifndef ENGINE_LOAD_COMPILE_H
#define ENGINE_LOAD_COMPILE_H

#include "engine/load/compile_memory.h"
#include "engine/load/definition.h"
#include "engine/tables.h"

/* --- tables ----------------------------------------------------------------------------------- */

/* Items of one size; how many there can be follows from the game's budget in bytes. */
struct table {
    struct game *game;
    void *items;
    size_t count, room, size;
};

void table_init(struct table *table, struct game *game, size_t size);
void *table_add(struct table *table); /* one more, zeroed; valid until the next call */
/* The items as memory of the game; the table is used no more. */
void *table_finish(struct table *table);

/* Sets of so many words stored once each, by number. */
struct pool {
    struct table items;
    size_t words, slot_count;
    uint32_t *slots;
};

void pool_init(struct pool *pool, struct game *game, int words);
uint32_t pool_add(struct pool *pool, const uint64_t *item);

/* --- compiling -------------------------------------------------------------------------------- */

enum { VECTORS_MAX = 1024, ROWS_MAX = 4096, MATCHES_MAX = 16 * 1024, APARTS_MAX = 4 };

/* The cells a step leads over from every cell; `far`: as long as there are any, else the first. */
struct ray_vector {
    struct vector delta;
    bool far;
    uint32_t first_start; /* into ray_starts: cells + 1 of them */
};

/* By delta: where it leads from every cell. */
struct row_entry {
    struct vector delta;
    const cell_index *row;
};

struct compiler {
    const struct definition *definition;
    struct game *game;

    struct pool cell_sets, contents_sets;
    struct table movements, vectors, ray_starts, paths, candidates, candidate_starts;
    struct table rows;    /* format 2, and combined movements */
    struct table besides; /* const struct beside * */
    struct table beginnings, conditions;

    uint32_t contents_all;
    size_t cells_looked_up;

    struct fast_game *fast;             /* compile_fast.h */
    const uint64_t *aparts[APARTS_MAX]; /* tables of its fast_apart, each once */
    int apart_count;
};

/* The number of a cell set of the game's; sets are stored once each. */
uint32_t compile_cell_set(struct compiler *compiler, const uint64_t *cells);
void compile_states(struct compiler *compiler);
/* When all else is compiled: on from where the file begins to the first state that waits for a move. */
void compile_start(struct game *game);
void compile_movements(struct compiler *compiler);
void compile_combined(struct compiler *compiler);
void compile_candidates(struct compiler *compiler);
/* The cells along the movement's ray from a cell. */
static inline const cell_index *compile_path(const struct game *game,
                                             const struct movement *movement, cell_index from)
{
    return game->paths + game->ray_starts[movement->ray + from];
}
/* How far the movement may lead along its ray from a cell, whatever stands there: the most steps; 0: nowhere. */
int compile_reach(const struct game *game, const struct movement *movement, cell_index from);
/* How many moves one target of the movement may be worth, its choices counted. */
size_t compile_choices(const struct movement *movement);

/* --- format 2: compile_conditions.c, compile_modern_game.c, compile_rights.c ------------------- */

struct step compile_step(struct compiler *compiler, struct vector delta);
/* Where each delta, less the origin from which they count, leads from each cell, as memory of the game. */
const cell_index *const *compile_row_list(struct compiler *compiler, const struct vector *deltas,
                                          int count, struct vector origin);
/* The same of lines, which run both ways: behind each step's row that of its opposite. */
const cell_index *const *compile_lines(struct compiler *compiler, const struct vector *deltas,
                                       int count);
uint32_t compile_zone(struct compiler *compiler, int zone, player_index player); /* -1: all cells */
void compile_match(struct compiler *compiler, player_index mover, struct cell_test *match);
void compile_selection(struct compiler *compiler, player_index mover, struct selection *selection);
const struct condition_node *compile_test(struct compiler *compiler,
                                          const struct condition_node *test,
                                          player_index mover); /* NULL gives NULL */
/* The same of what words of the file may be asked about, among which it is noted. */
const struct condition_node *
compile_condition(struct compiler *compiler, const struct condition_node *test, player_index mover);
void compile_note(struct compiler *compiler, const struct condition_node *node, player_index mover);
/* Where the definition has it, in what the game keeps of it; nothing is done twice. */
void compile_in_place(struct compiler *compiler, const struct condition_node *test,
                      player_index mover);
bool condition_asks(const struct condition_node *node, enum condition_kind kind);
/* Whether a `not` stands over such a question. */
bool condition_denies(const struct condition_node *node, enum condition_kind kind);
/* What must be so for the condition to hold. */
struct condition_needs condition_find_needs(const struct game *game,
                                            const struct condition_node *node);
/* What two conditions need that must both hold; of two counters, or counts, the first. */
struct condition_needs condition_needs_of_both(struct condition_needs a, struct condition_needs b);
/* The kinds it asks of the last move, if it asks for nothing else. */
struct previous_kinds condition_previous_kinds(const struct game *game,
                                               const struct condition_node *node);
/* The fewest occurrences of a position that it asks for; INT_MAX: it asks for none. */
int condition_least_occurrences(const struct condition_node *node);
/* What is left of a condition where so much is known already. */
struct known {
    const struct game *game;
    cell_index self, target; /* self CELL_NONE: neither is known */
    /* What stands on self; 0: not known. Then only matches are decided that ask for one zone: what else can never be is left
     * to be explained to players. */
    uint16_t code;
    bool moves; /* there are legal moves */
    bool stuck; /* there are none */
    bool moved; /* a move has just been made, and it was no pass */
};
enum tri condition_judge(const struct known *known, const struct condition_node *node);

void compile_modern_game(struct compiler *compiler); /* after compile_candidates */
void compile_rights(struct compiler *compiler);      /* these two are parts of it */
void compile_origins(struct game *game);

#endif
