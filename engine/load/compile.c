#include "engine/load/compile.h"

#include "engine/load/compile_fast.h"
#include "engine/notation/tables.h"
#include "engine/position.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* --- names and drawing ------------------------------------------------------------------------ */

static void name_reasons(struct game *game)
{
    for (int i = 0; i < game->player_count; i++) {
        char reason[NAME_BYTES_MAX + 32];
        snprintf(reason, sizeof reason, "%s has no legal move", game->player_names[i]);
        game->no_move_reasons[i] = game_copy_text(game, reason);
    }
}

static void copy_start(struct game *game, const struct placement *start)
{
    game->start = game_allocate(game, (size_t)game->cell_count, sizeof *game->start);
    for (int i = 0; i < game->cell_count; i++)
        if (start[i].player != PLAYER_NONE)
            game->start[i] = game_code(game, start[i].figure, start[i].player);
}

/* Bit sets come in as many words as there are versions of the fast path's loops. */
static int set_words(int cells)
{
    int words = 1;
    while (words * WORD_BITS < cells)
        words *= words == 4 ? 4 : 2;
    return words;
}

static void number_codes(struct game *game)
{
    game->words = set_words(game->cell_count);
    game->piece_count = game->figure_count * game->player_count;
    game->code_count = 1 + game->piece_count;
    game->contents_words = (game->code_count + WORD_BITS - 1) / WORD_BITS;
    game->all_figures = kinds_of_count(game->figure_count);
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

/* --- notation --------------------------------------------------------------------------------- */

static void compile_notation(struct compiler *compiler)
{
    struct game *game = compiler->game;
    struct notation_tables *tables = GAME_COPY(game, game->notation, 1);
    struct algebraic_notation *algebraic = &tables->algebraic;
    struct notation_sign *signs = GAME_COPY(game, algebraic->signs, algebraic->sign_count);
    for (int i = 0; i < algebraic->sign_count; i++)
        for (int k = 0; signs[i].kind == SIGN_TEST && k < game->player_count; k++)
            signs[i].tests[k] = compile_test(compiler, signs[i].tests[k], (player_index)k);
    algebraic->signs = signs;
    game->notation = tables;
}

/* --- the whole -------------------------------------------------------------------------------- */

static void init_compiler(struct compiler *compiler, struct game *game)
{
    pool_init(&compiler->cell_sets, game, game->words);
    pool_init(&compiler->contents_sets, game, game->contents_words);
    table_init(&compiler->movements, game, sizeof(struct movement));
    table_init(&compiler->vectors, game, sizeof(struct ray_vector));
    table_init(&compiler->ray_starts, game, sizeof(uint32_t));
    table_init(&compiler->paths, game, sizeof(cell_index));
    table_init(&compiler->candidates, game, sizeof(struct candidate));
    table_init(&compiler->candidate_starts, game, sizeof(uint32_t));
    table_init(&compiler->rows, game, sizeof(struct row_entry));
    table_init(&compiler->besides, game, sizeof(struct beside *));
    table_init(&compiler->beginnings, game, sizeof(uint16_t));
    table_init(&compiler->conditions, game, sizeof(struct game_condition));
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
    compiler->contents_all = pool_add(&compiler->contents_sets, contents);
}

static void compile_whole(struct compiler *compiler)
{
    struct game *game = compiler->game;
    game->whole = compiler->definition->whole;
    if (game->title[0] == '\0')
        game->title = game->name;
    name_reasons(game);
    copy_start(game, compiler->definition->start);
    number_codes(game);
    init_compiler(compiler, game);
    compile_states(compiler);
    compile_movements(compiler);
    compile_combined(compiler);
    compile_candidates(compiler);
    compile_modern_game(compiler);
    compile_notation(compiler);
    game->cell_sets = table_finish(&compiler->cell_sets.items);
    game->contents_sets = table_finish(&compiler->contents_sets.items);
    game->condition_count = compiler->conditions.count;
    game->conditions = table_finish(&compiler->conditions);
    if (position_bytes(game) > POSITION_BYTES_MAX)
        compile_refuse(game, NULL, NULL,
                       "a position of this game would take %zu KiB, at most %d KiB "
                       "are allowed: so much can be moved, taken or changed at once",
                       position_bytes(game) / 1024, POSITION_BYTES_MAX / 1024);
    compile_start(game);
}

struct game *game_compile(const struct definition *definition, struct diagnostics *diagnostics)
{
    struct compile_memory memory = {
        .definition = definition, .diagnostics = diagnostics, .subject = SUBJECT_WHOLE};
    struct game *game = compile_memory_begin(&memory);
    struct compiler compiler = {.definition = definition, .game = game};
    if (game == NULL) {
        diagnostics_add_no_memory(diagnostics);
        return NULL;
    }
    enum compile_end end = compile_memory_run(game, compile_whole, &compiler);
    /* A game whose fast tables do not fit is played without them. */
    memory.diagnostics = NULL;
    if (end == COMPILE_DONE &&
        compile_memory_run(game, compile_fast, &compiler) == COMPILE_NO_MEMORY)
        end = COMPILE_NO_MEMORY;
    if (end == COMPILE_NO_MEMORY)
        diagnostics_add_no_memory(diagnostics);
    game->compiling = NULL; /* it takes no more memory */
    if (end == COMPILE_DONE)
        return game;
    game_release(game);
    return NULL;
}
