#include "engine/load/compile.h"

#include <string.h>

struct contents_class compiled_class(const struct compiler *compiler, uint32_t index,
                                     const struct class_term *terms)
{
    const struct class_entry *entry =
        &COMPILER_ITEMS(compiler, classes, const struct class_entry)[index];
    return (struct contents_class){
        .terms = terms + entry->first_term,
        .term_count = entry->term_count,
        .complement = entry->complement,
    };
}

/* The cells are in the game by now. */
static const struct board_part *lay_parts(const struct compiler *compiler,
                                          const struct class_term *terms)
{
    const struct part_entry *entries = COMPILER_ITEMS(compiler, parts, const struct part_entry);
    struct board_part *parts =
        game_allocate(compiler->game, compiler->parts.count + 1, sizeof *parts);
    for (size_t i = 0; i < compiler->parts.count; i++) {
        parts[i].contents = compiled_class(compiler, entries[i].contents_class, terms);
        parts[i].cells = game_cell_set(compiler->game, entries[i].cells);
    }
    return parts;
}

static void lay_board_sets(const struct compiler *compiler, const struct class_term *terms)
{
    struct game *game = compiler->game;
    const struct board_part *parts = lay_parts(compiler, terms);
    for (int player = 0; player < game->player_count; player++) {
        size_t count = compiler->board_sets[player].count;
        const struct set_entry *entries =
            COMPILER_ITEMS(compiler, board_sets[player], const struct set_entry);
        struct board_set *sets = game_allocate(game, count + 1, sizeof *sets);
        for (size_t i = 0; i < count; i++) {
            sets[i].parts = parts + entries[i].first_part;
            sets[i].part_count = entries[i].part_count;
        }
        game->board_sets[player] = sets;
        game->board_set_counts[player] = (int)count;
    }
}

static const struct leap_group *lay_leaps(const struct compiler *compiler, const uint64_t *words)
{
    const struct leap_entry *entries = COMPILER_ITEMS(compiler, leaps, const struct leap_entry);
    struct leap_group *leaps =
        game_allocate(compiler->game, compiler->leaps.count + 1, sizeof *leaps);
    for (size_t i = 0; i < compiler->leaps.count; i++) {
        leaps[i].table = words + entries[i].table;
        leaps[i].accept = entries[i].accept;
    }
    return leaps;
}

static const struct slide_group *lay_slides(const struct compiler *compiler, const uint64_t *words)
{
    const struct slide_entry *entries = COMPILER_ITEMS(compiler, slides, const struct slide_entry);
    struct slide_group *slides =
        game_allocate(compiler->game, compiler->slides.count + 1, sizeof *slides);
    for (size_t i = 0; i < compiler->slides.count; i++) {
        slides[i] = entries[i].group;
        slides[i].rays = words + entries[i].rays;
        slides[i].masks = words + entries[i].masks;
    }
    return slides;
}

static const struct kernel_variant *lay_variants(const struct compiler *compiler)
{
    struct game *game = compiler->game;
    const uint64_t *words = table_finish(&compiler->kernel_words.bytes, game);
    const struct leap_group *leaps = lay_leaps(compiler, words);
    const struct slide_group *slides = lay_slides(compiler, words);
    const struct variant_entry *entries =
        COMPILER_ITEMS(compiler, variants, const struct variant_entry);
    struct kernel_variant *variants =
        game_allocate(game, compiler->variants.count + 1, sizeof *variants);
    for (size_t i = 0; i < compiler->variants.count; i++)
        variants[i] = (struct kernel_variant){
            .leaps = leaps + entries[i].first_leap,
            .leap_count = entries[i].leap_count,
            .slides = slides + entries[i].first_slide,
            .slide_count = entries[i].slide_count,
        };
    return variants;
}

/* From which cells a mover's complex movements can begin. */
static const uint64_t *lay_complex_cells(const struct game *game, int mover, uint64_t *cells)
{
    const uint32_t *starts = game->instance_starts + (size_t)mover * (size_t)(game->cell_count + 1);
    for (int cell = 0; cell < game->cell_count; cell++)
        if (starts[cell] != starts[cell + 1])
            bits_set(cells, (unsigned)cell);
    return cells;
}

static void lay_movers(const struct compiler *compiler)
{
    struct game *game = compiler->game;
    const struct kernel_variant *variants = lay_variants(compiler);
    const struct mover_entry *entries = COMPILER_ITEMS(compiler, movers, const struct mover_entry);
    struct mover *movers = game_allocate(game, compiler->movers.count, sizeof *movers);
    for (size_t i = 0; i < compiler->movers.count; i++) {
        uint64_t *cells = game_allocate(game, (size_t)game->words, sizeof *cells);
        movers[i] = entries[i].mover;
        movers[i].variants = variants + entries[i].first_variant;
        movers[i].complex_cells = lay_complex_cells(game, (int)i, cells);
    }
    game->movers = movers;
}

void compile_kernel_tables(struct compiler *compiler)
{
    struct game *game = compiler->game;
    const struct class_term *terms = table_finish(&compiler->terms, game);
    lay_board_sets(compiler, terms);
    lay_movers(compiler);
    for (int player = 0; player < game->player_count; player++)
        for (int i = 0; i < game->win_counts[player]; i++)
            game->wins[player][i].contents =
                compiled_class(compiler, compiler->win_classes[player][i], terms);
}
