/* Bit sets, interpreter and the definition taken literally give the same moves. */
#include "tests/support/test.h"

#include "engine/fast.h"
#include "engine/load/definition.h"
#include "engine/tables.h"
#include "tests/engine/games.h"
#include "tests/engine/invent.h"
#include "tests/engine/reference.h"

#include <stdlib.h>
#include <string.h>

enum { POSITIONS_OF_EACH = 300, INVENTED_GAMES = 160, INVENTED_POSITIONS = 6 };

/* The moves of one position, found in both ways. */
struct pair {
    struct move *fast, *slow;
};

static struct pair pair_new(const struct game *game)
{
    size_t room = (size_t)game_moves_max(game) + 1;
    struct pair pair = {.fast = calloc(room, sizeof *pair.fast),
                        .slow = calloc(room, sizeof *pair.slow)};
    assert_non_null(pair.fast);
    assert_non_null(pair.slow);
    return pair;
}

static void pair_free(struct pair *pair)
{
    free(pair->fast);
    free(pair->slow);
}

/* Compares and returns how many moves there are. */
static int compare(const struct position *position, struct pair *pair)
{
    int fast = movegen_all(position, pair->fast);
    int slow = movegen_all_interpreted(position, pair->slow);
    assert_int_equal(fast, slow);
    assert_int_equal(movegen_count(position), slow);
    for (int i = 0; i < fast; i++) {
        assert_true(move_equal(pair->fast[i], pair->slow[i]));
        // In format 2 movements that differ in their direction only are one group to the fast path.
        if (position_game(position)->format < 2)
            assert_int_equal(pair->fast[i].rule, pair->slow[i].rule);
    }
    return fast;
}

static void compare_played(const char *path, struct game *game, void *context)
{
    (void)context;
    struct pair pair = pair_new(game);
    struct position *position = position_new(game);
    uint64_t seed = 3;
    int recognised = 0;
    for (int i = 0; i < POSITIONS_OF_EACH; i++) {
        int count = compare(position, &pair);
        if (count == 0)
            position_reset(position);
        else
            position_make(position, pair.fast[test_random(&seed) % (unsigned)count], NULL);
    }
    for (int i = 0; i < POSITIONS_OF_EACH; i++) {
        games_scatter(position, &seed);
        compare(position, &pair);
    }
    for (int i = 0; i < game->mover_count; i++)
        recognised += game_slow_reason(game, i) == NULL;
    print_message("%s: %d of %d movers are fast\n", path, recognised, game->mover_count);
    position_free(position);
    pair_free(&pair);
}

static void kernels_and_interpreter_agree_on_every_game(void **state)
{
    (void)state;
    assert_true(games_for_each(compare_played, NULL) >= 3);
}

static void every_figure_of_our_games_has_a_kernel(void **state)
{
    (void)state;
    static const char *const paths[] = {"tests/engine/version_0/chess.json",
                                        "tests/engine/version_0/intellector.json"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct game *game = games_load_file(paths[i], NULL);
        for (int k = 0; k < game->mover_count; k++)
            assert_true(game->movers[k].recognised);
        game_release(game);
    }
}

/* --- invented games --------------------------------------------------------------------------- */

/* What the invented games have had among them, so that the test knows it has seen something. */
struct seen {
    int games, moves, complex_moves, slides, shots, masked, leaps, interpreted, guarded,
        widths[WORDS_MAX + 1];
};

static void compare_with_reference(const struct definition *definition,
                                   const struct position *position, const struct pair *pair,
                                   int count)
{
    int next = 0;
    for (int from = 0; from < definition->cell_count; from++)
        for (int to = 0; to < definition->cell_count; to++) {
            bool listed =
                next < count && pair->slow[next].from == from && pair->slow[next].to == to;
            next += listed;
            if (reference_legal(definition, position, (cell_index)from, (cell_index)to) != listed)
                fail_msg("%s to %s: %s", definition->cells[from].name, definition->cells[to].name,
                         listed ? "should not be legal" : "should be legal");
        }
    assert_int_equal(next, count);
}

static void note_variant(struct seen *seen, const struct kernel_variant *variant)
{
    seen->leaps += variant->leap_count;
    seen->slides += variant->slide_count;
    for (int i = 0; i < variant->slide_count; i++) {
        seen->shots += variant->slides[i].shooting;
        seen->masked += variant->slides[i].masked;
    }
}

static void note_game(struct seen *seen, const struct game *game)
{
    seen->games++;
    seen->widths[game->words]++;
    for (int i = 0; i < game->mover_count; i++) {
        const struct mover *mover = &game->movers[i];
        seen->interpreted += !mover->recognised;
        seen->guarded += mover->recognised && mover->guard_count > 0;
        for (unsigned v = 0; mover->recognised && v < 1U << mover->guard_count; v++)
            note_variant(seen, &mover->variants[v]);
    }
}

static void play_invented(const struct definition *definition, struct game *game, uint64_t seed,
                          struct seen *seen)
{
    struct pair pair = pair_new(game);
    struct position *position = position_new(game), *before = position_new(game);
    struct undo *undo = undo_new(game);
    note_game(seen, game);
    for (int i = 0; i < INVENTED_POSITIONS; i++) {
        games_scatter(position, &seed);
        int count = compare(position, &pair);
        compare_with_reference(definition, position, &pair, count);
        seen->moves += count;
        for (int k = 0; k < count; k++) {
            seen->complex_moves += pair.fast[k].rule != 0;
            position_copy(before, position);
            position_make(position, pair.fast[k], undo);
            assert_int_equal(position_hash(position), position_hash_from_scratch(position));
            position_unmake(position, pair.fast[k], undo);
            assert_true(position_equal(position, before));
        }
    }
    undo_free(undo);
    position_free(before);
    position_free(position);
    pair_free(&pair);
}

static void invent_and_play(uint64_t seed, struct seen *seen)
{
    char *text = invent_game(seed);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    struct definition *definition = definition_read(text, strlen(text), NULL, &diagnostics);
    if (definition == NULL)
        fail_msg("seed %llu: %s: %s", (unsigned long long)seed, diagnostics.list[0].pointer,
                 diagnostics.list[0].message);
    struct game *game = game_compile(definition, &diagnostics);
    assert_non_null(game);
    play_invented(definition, game, seed, seen);
    game_release(game);
    definition_free(definition);
    diagnostics_release(&diagnostics);
    free(text);
}

static void invented_games_are_played_by_the_definition(void **state)
{
    (void)state;
    struct seen seen = {0};
    for (uint64_t seed = 1; seed <= INVENTED_GAMES; seed++)
        invent_and_play(seed, &seen);
    print_message("%d games, %d moves (%d complex), %d groups of slides (%d shooting, %d masked), "
                  "%d movers interpreted, %d guarded; widths %d %d %d %d\n",
                  seen.games, seen.moves, seen.complex_moves, seen.slides, seen.shots, seen.masked,
                  seen.interpreted, seen.guarded, seen.widths[1], seen.widths[2], seen.widths[4],
                  seen.widths[16]);
    assert_true(seen.moves > 1000 && seen.complex_moves > 10 && seen.leaps > 10);
    assert_true(seen.slides > 10 && seen.shots > 10 && seen.masked > 10);
    assert_true(seen.interpreted > 10 && seen.guarded > 10);
    assert_true(seen.widths[1] > 0 && seen.widths[2] > 0 && seen.widths[4] > 0 &&
                seen.widths[16] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_and_interpreter_agree_on_every_game),
        cmocka_unit_test(every_figure_of_our_games_has_a_kernel),
        cmocka_unit_test(invented_games_are_played_by_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
