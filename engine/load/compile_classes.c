/* Classes of contents, and the board sets of a position they are told by. */
#include "engine/load/compile_kernels.h"

#include <string.h>

/* A position's words begin with one bit set for each player, then one for each figure. */
static uint16_t player_words(const struct game *game, int player)
{
    return (uint16_t)(player * game->words);
}

static uint16_t figure_words(const struct game *game, int figure)
{
    return (uint16_t)((game->player_count + figure) * game->words);
}

static void add_term(struct compiler *compiler, uint16_t first, uint16_t second)
{
    struct class_term *term = table_add(&compiler->terms, 1);
    *term = (struct class_term){.first = first, .second = second};
}

static bool all_of_player(const struct game *game, const uint64_t *codes, int player)
{
    for (int figure = 0; figure < game->figure_count; figure++)
        if (!bits_test(codes, game_code(game, (figure_index)figure, (player_index)player)))
            return false;
    return true;
}

static bool all_of_figure(const struct game *game, const uint64_t *codes, int figure)
{
    for (int player = 0; player < game->player_count; player++)
        if (!bits_test(codes, game_code(game, (figure_index)figure, (player_index)player)))
            return false;
    return true;
}

/* Terms for a set of codes without 0: whole players first, then whole figures, then what is left.
 */
static void add_terms(struct compiler *compiler, const uint64_t *codes)
{
    const struct game *game = compiler->game;
    bool whole[PLAYERS_MAX];
    for (int player = 0; player < game->player_count; player++) {
        whole[player] = all_of_player(game, codes, player);
        if (whole[player])
            add_term(compiler, player_words(game, player), player_words(game, player));
    }
    for (int figure = 0; figure < game->figure_count; figure++) {
        bool whole_figure = all_of_figure(game, codes, figure);
        bool named = false;
        for (int player = 0; player < game->player_count && !named; player++) {
            uint16_t code = game_code(game, (figure_index)figure, (player_index)player);
            if (whole[player] || !bits_test(codes, code))
                continue;
            uint16_t words = figure_words(game, figure);
            add_term(compiler, words, whole_figure ? words : player_words(game, player));
            named = whole_figure;
        }
    }
}

uint32_t compile_class(struct compiler *compiler, uint32_t contents)
{
    const uint32_t *known = COMPILER_ITEMS(compiler, class_contents, uint32_t);
    for (size_t i = 0; i < compiler->class_contents.count; i++)
        if (known[i] == contents)
            return (uint32_t)i;
    uint64_t codes[CONTENTS_WORDS_MAX];
    memcpy(codes, compiler_contents(compiler, contents),
           (size_t)compiler->game->contents_words * sizeof *codes);
    struct class_entry class = {.complement = bits_test(codes, 0),
                                .first_term = (uint32_t)compiler->terms.count};
    if (class.complement) {
        for (int i = 0; i < compiler->game->code_count; i++)
            codes[i / WORD_BITS] ^= UINT64_C(1) << (i % WORD_BITS);
    }
    add_terms(compiler, codes);
    class.term_count = (uint16_t)(compiler->terms.count - class.first_term);
    memcpy(table_add(&compiler->classes, 1), &class, sizeof class);
    *(uint32_t *)table_add(&compiler->class_contents, 1) = contents;
    return (uint32_t)(compiler->classes.count - 1);
}

uint16_t kernel_board_set(struct kernel *kernel, const struct part_entry *parts, size_t count)
{
    struct compiler *compiler = kernel->compiler;
    struct table *sets = &compiler->board_sets[kernel->player];
    const struct part_entry *all = COMPILER_ITEMS(compiler, parts, struct part_entry);
    for (size_t i = 0; i < sets->count; i++) {
        const struct set_entry *set = (const struct set_entry *)(void *)sets->items + i;
        if (set->part_count == count &&
            (count == 0 || memcmp(all + set->first_part, parts, count * sizeof *parts) == 0))
            return (uint16_t)i;
    }
    if (sets->count == BOARD_SETS_MAX) {
        kernel->refused = true;
        return 0;
    }
    struct set_entry *set = table_add(sets, 1);
    set->first_part = (uint32_t)compiler->parts.count;
    set->part_count = (uint16_t)count;
    if (count > 0)
        memcpy(table_add(&compiler->parts, count), parts, count * sizeof *parts);
    return (uint16_t)(sets->count - 1);
}

uint16_t kernel_board_set_of_class(struct kernel *kernel, uint32_t contents)
{
    struct part_entry part = {.contents_class = compile_class(kernel->compiler, contents),
                              .cells = CELL_SET_ALL};
    return kernel_board_set(kernel, &part, 1);
}
