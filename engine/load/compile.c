#include "engine/load/compile.h"
#include "engine/work.h"

#include "engine/load/compile_fast.h"
#include "engine/position.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- names and drawing ------------------------------------------------------------------------ */

static void copy_players(struct game *game, const struct definition *definition)
{
    memcpy(game->player_names, definition->player_names, sizeof game->player_names);
    memcpy(game->rotation, definition->rotation, sizeof game->rotation);
    memcpy(game->images, definition->images, sizeof game->images);
    for (int i = 0; i < definition->player_count; i++) {
        char reason[NAME_BYTES_MAX + 32];
        snprintf(reason, sizeof reason, "%s has no legal move", definition->player_names[i]);
        game->no_move_reasons[i] = game_copy_text(game, reason);
    }
}

static void copy_figures(struct game *game, const struct definition *definition)
{
    game->figure_names =
        game_allocate(game, (size_t)definition->figure_count, sizeof *game->figure_names);
    for (int i = 0; i < definition->figure_count; i++)
        game->figure_names[i] = definition->figures[i].name;
}

static void copy_start(struct game *game, const struct definition *definition)
{
    game->start = game_allocate(game, (size_t)definition->cell_count, sizeof *game->start);
    for (int i = 0; i < definition->cell_count; i++)
        if (definition->start[i].player != PLAYER_NONE)
            game->start[i] =
                game_code(game, definition->start[i].figure, definition->start[i].player);
}

/* Bit sets come in as many words as there are versions of the fast path's loops. */
static int set_words(int cells)
{
    int words = 1;
    while (words * WORD_BITS < cells)
        words *= words == 4 ? 4 : 2;
    return words;
}

static void copy_names(struct game *game, const struct definition *definition)
{
    game->dimension_count = definition->dimension_count;
    game->player_count = definition->player_count;
    game->figure_count = definition->figure_count;
    game->cell_count = definition->cell_count;
    game->shape_count = definition->shape_count;
    game->line_count = definition->line_count;
    game->cells = definition->cells;
    game->shapes = definition->shapes;
    game->lines = definition->lines;
    game->format = definition->format == 2 ? 2 : 0;
    game->name = text_or_empty(definition->name);
    game->title = text_or_empty(definition->title);
    game->description = text_or_empty(definition->description);
    memcpy(game->coordinate_names, definition->coordinate_names, sizeof game->coordinate_names);
    copy_players(game, definition);
    copy_figures(game, definition);
    copy_start(game, definition);
}

static void number_codes(struct game *game)
{
    game->words = set_words(game->cell_count);
    game->piece_count = game->figure_count * game->player_count;
    game->code_count = 1 + game->piece_count;
    game->contents_words = bits_words(game->code_count);
    game->all_figures =
        game->figure_count == FIGURES_MAX ? UINT64_MAX : (UINT64_C(1) << game->figure_count) - 1;
    size_t count = (size_t)game->code_count;
    game->code_figures = game_allocate(game, count, sizeof *game->code_figures);
    game->code_players = game_allocate(game, count, sizeof *game->code_players);
    game->code_figures[0] = FIGURE_NONE;
    game->code_players[0] = PLAYER_NONE;
    game->code_sets = game_allocate(game, count, sizeof *game->code_sets);
    for (int code = 1; code < game->code_count; code++) {
        game->code_figures[code] = (figure_index)((code - 1) / game->player_count);
        game->code_players[code] = (player_index)((code - 1) % game->player_count);
        game->code_sets[code].player = (uint16_t)(game->code_players[code] * game->words);
        game->code_sets[code].figure =
            (uint16_t)((game->player_count + game->code_figures[code]) * game->words);
    }
    game->tracks_history = game->format != 2;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Every table a compiler has, with its bound, in one list for all that has to be done to each. */
#define COMPILER_TABLES(X)                                                                         \
    X(movements, struct movement, RULES_MAX)                                                       \
    X(vectors, struct ray_vector, 1024)                                                            \
    X(ray_starts, uint32_t, CANDIDATES_MAX)                                                        \
    X(paths, cell_index, PATH_CELLS_MAX)                                                           \
    X(candidates, struct candidate, CANDIDATES_MAX)                                                \
    X(candidate_starts, uint32_t, CANDIDATES_MAX)                                                  \
    X(rows, struct row_entry, 4096)                                                                \
    X(beginnings, uint16_t, RULES_MAX)

bool compiler_stopped(const struct compiler *compiler)
{
#define FULL(table, type, limit) || compiler->table.full
    return compiler->too_large || work_is_too_much() || compiler->cell_sets.bytes.full ||
           compiler->contents_sets.bytes.full COMPILER_TABLES(FULL);
#undef FULL
}

static void init_compiler(struct compiler *compiler, const struct definition *definition,
                          struct game *game)
{
    compiler->definition = definition;
    pool_init(&compiler->cell_sets, game, SET_BYTES_MAX);
    pool_init(&compiler->contents_sets, game, SET_BYTES_MAX);
#define INIT(table, type, limit) table_init(&compiler->table, game, sizeof(type), limit);
    COMPILER_TABLES(INIT)
#undef INIT
    game->piece_rules =
        game_allocate(game, (size_t)game->piece_count + 1, sizeof *game->piece_rules);

    uint64_t cells[WORDS_MAX] = {0}, contents[CONTENTS_WORDS_MAX] = {0};
    for (int i = 0; i < game->cell_count; i++)
        bits_set(cells, (unsigned)i);
    for (int i = 0; i < game->code_count; i++)
        bits_set(contents, (unsigned)i);
    uint32_t all = compile_cell_set(compiler, cells);
    memset(cells, 0, sizeof cells);
    uint32_t none = compile_cell_set(compiler, cells);
    assert(all == CELL_SET_ALL && none == CELL_SET_NONE);
    compiler->contents_all = compile_contents_set(compiler, contents);
}

/* Moves the tables into the game. */
static void finish(struct compiler *compiler)
{
    struct game *game = compiler->game;
    game->cell_sets = table_finish(&compiler->cell_sets.bytes, game);
    game->contents_sets = table_finish(&compiler->contents_sets.bytes, game);
    game->movements = table_finish(&compiler->movements, game);
    game->ray_starts = table_finish(&compiler->ray_starts, game);
    game->paths = table_finish(&compiler->paths, game);
    game->candidates = table_finish(&compiler->candidates, game);
    game->candidate_starts = table_finish(&compiler->candidate_starts, game);
}

static const char too_large_hint[] = "use fewer cells, figures, movements or conditions";

struct compile_job {
    const struct definition *definition;
    struct compiler compiler;
    bool stopped;
};

static void compile_whole(void *context)
{
    struct compile_job *job = context;
    struct compiler *compiler = &job->compiler;
    struct game *game = compiler->game;
    copy_names(game, job->definition);
    number_codes(game);
    init_compiler(compiler, job->definition, game);
    compile_states(compiler);
    compile_movements(compiler);
    if (!compiler_stopped(compiler))
        compile_complex(compiler);
    if (!compiler_stopped(compiler))
        compile_candidates(compiler);
    if (game->format == 2 && !compiler_stopped(compiler))
        compile_modern_game(compiler);
    if (!compiler_stopped(compiler))
        compile_notation(compiler);
    job->stopped = compiler_stopped(compiler);
    if (job->stopped)
        return;
    finish(compiler);
    if (position_bytes(game) <= POSITION_BYTES_MAX)
        compile_start(compiler);
    job->stopped = compiler->refusal != NULL;
}

static void compile_loops(void *context)
{
    const struct compile_job *job = context;
    compile_fast(job->compiler.game);
}

/* What is said of a game that cannot be compiled; false: it can. */
static bool report_refusal(const struct compile_memory *memory, const struct compile_job *job,
                           enum compile_end end, struct diagnostics *diagnostics)
{
    const struct compiler *compiler = &job->compiler;
    const struct game *game = memory->game;
    char words[DIAGNOSTIC_TEXT_BYTES];
    if (end == COMPILE_NO_MEMORY) {
        diagnostics_add_no_memory(diagnostics);
    } else if (end == COMPILE_TOO_LARGE) {
        snprintf(
            words, sizeof words,
            "Multiplied out, this game is too large: it would take more than %d MiB of memory, "
            "most of it for what stands here",
            GAME_BYTES_MAX / (1024 * 1024));
        diagnostics_add(diagnostics, DIAGNOSTIC_ERROR, compile_memory_largest(memory), words,
                        too_large_hint);
    } else if (job->stopped && compiler->refusal != NULL) {
        diagnostics_add(diagnostics, DIAGNOSTIC_ERROR, compiler->refusal, compiler->refusal_words,
                        "");
    } else if (job->stopped) {
        diagnostics_add(diagnostics, DIAGNOSTIC_ERROR, "",
                        "Multiplied out, this game is too large: figures, players, cells, "
                        "directions and conditions together exceed the engine's tables",
                        too_large_hint);
    } else if (position_bytes(game) > POSITION_BYTES_MAX) {
        snprintf(words, sizeof words,
                 "a position of this game would take %zu KiB, at most %d KiB "
                 "are allowed: so much can be moved, taken or changed at once",
                 position_bytes(game) / 1024, POSITION_BYTES_MAX / 1024);
        diagnostics_add(diagnostics, DIAGNOSTIC_ERROR, compile_memory_largest(memory), words,
                        too_large_hint);
    } else {
        return false;
    }
    return true;
}

struct game *game_compile(const struct definition *definition, struct diagnostics *diagnostics)
{
    struct compile_memory memory;
    struct compile_job job = {.definition = definition};
    if (!compile_memory_begin(&memory, definition->kept)) {
        diagnostics_add_no_memory(diagnostics);
        return NULL;
    }
    struct game *game = job.compiler.game = memory.game;
    enum compile_end end = compile_memory_run(&memory, compile_whole, &job);
    bool refused = report_refusal(&memory, &job, end, diagnostics);
    /* A game whose fast tables do not fit is played without them. */
    if (!refused && compile_memory_run(&memory, compile_loops, &job) == COMPILE_NO_MEMORY) {
        diagnostics_add_no_memory(diagnostics);
        refused = true;
    }
    compile_memory_end(&memory);
    if (!refused)
        return game;
    game_release(game);
    return NULL;
}
