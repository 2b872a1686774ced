#include "engine/fast/fast.h"

#include <assert.h>

#ifdef SENET_COUNTING_LOOPS
#include <cpuid.h>

static bool counts_zeros(void)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000001, &a, &b, &c, &d) != 0 && (c & bit_LZCNT) != 0;
}
#endif

const struct fast_loops *fast_loops(int words)
{
#ifdef SENET_COUNTING_LOOPS
    if (__builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2") && counts_zeros())
        return fast_loops_counting(words);
#endif
    return fast_loops_plain(words);
}

bool fast_attacked(const struct position *position, player_index player, cell_index cell)
{
    const struct game *game = position->game;
    const struct fast_view view = {.game = game,
                                   .words = position->words,
                                   .kinds = position_figure_words(position, 0),
                                   .own = fast_player_of(game, player),
                                   .player = player,
                                   .only = cell};
    return game->fast->loops->attacked(&view, game->code_figures[position->cells[cell].code]);
}

bool fast_goes_on(const struct position *position)
{
    const struct fast_view view = fast_see(position);
    struct fast_result result = {.any = true};
    position->game->fast->loops->run(&view, &result);
    return result.count > 0;
}

const char *game_slow_reason(const struct game *game, int mover)
{
    assert(mover >= 0 && mover < game->piece_count);
    if (game->format < 2)
        return "the file is of format 0 or 1, which the fast path does not play";
    if (game->fast == NULL)
        return "the tables would be too large";
    return game->fast->movers[mover].reason;
}

const char *game_slow_legality(const struct game *game)
{
    return game->fast == NULL || game->fast->filters ? NULL : game->fast->reason;
}
