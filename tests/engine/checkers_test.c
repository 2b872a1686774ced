/* games/checkers.json is played as it was in the first form of the language (version_0/checkers.json): the same moves, boards, states
 * and ends at every ply of random games, and on boards on which figures stand anyhow. */
#include "tests/support/test.h"

#include "tests/engine/games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES = 60, SCATTERED = 3000, DEPTH = 6, ENDS = 4 };

/* How the games of the first file end. */
static const char *const reasons[ENDS] = {"black has no figures left", "white has no figures left",
                                          "has no legal move", "no winner after 400 moves"};

struct side {
    struct game *game;
    struct position *position;
    struct move *moves;
    int count;
};

struct pair {
    struct side first, now;
    int ends[ENDS], kings, jumps;
};

static struct side side_new(const char *path)
{
    struct side side = {.game = games_load_file(path, NULL)};
    side.position = position_new(side.game);
    side.moves = calloc((size_t)game_facts(side.game)->moves_max + 1, sizeof *side.moves);
    assert_non_null(side.moves);
    return side;
}

static void side_free(struct side *side)
{
    free(side->moves);
    position_free(side->position);
    game_release(side->game);
}

static struct pair pair_new(void)
{
    struct pair pair = {.first = side_new("tests/engine/version_0/checkers.json"),
                        .now = side_new("games/checkers.json")};
    assert_int_equal(game_facts(pair.first.game)->format, 0);
    assert_int_equal(game_facts(pair.now.game)->format, 2);
    assert_int_equal(game_facts(pair.first.game)->cell_count,
                     game_facts(pair.now.game)->cell_count);
    return pair;
}

static void pair_free(struct pair *pair)
{
    side_free(&pair->first);
    side_free(&pair->now);
}

/* --- the same position ------------------------------------------------------------------------ */

static void compare_board(struct pair *pair)
{
    for (int i = 0; i < game_facts(pair->first.game)->cell_count; i++) {
        cell_index cell = (cell_index)i;
        struct contents first = position_contents(pair->first.position, cell);
        struct contents now = position_contents(pair->now.position, cell);
        assert_string_equal(game_facts(pair->first.game)->cells[cell].name,
                            game_facts(pair->now.game)->cells[cell].name);
        assert_int_equal(first.figure, now.figure);
        if (first.figure == FIGURE_NONE)
            continue;
        assert_int_equal(first.player, now.player);
        assert_string_equal(game_facts(pair->first.game)->figure_names[first.figure],
                            game_facts(pair->now.game)->figure_names[now.figure]);
        pair->kings += strcmp(game_facts(pair->now.game)->figure_names[now.figure], "king") == 0;
    }
}

static const char *state_name(const struct side *side)
{
    return game_state_name(side->game, position_state(side->position));
}

static void compare_end(struct pair *pair)
{
    struct outcome first = position_outcome(pair->first.position);
    struct outcome now = position_outcome(pair->now.position);
    assert_int_equal(first.kind, now.kind);
    assert_int_equal(first.winner, now.winner);
    assert_string_equal(first.reason, now.reason);
    assert_int_equal(position_claim(pair->now.position).kind, OUTCOME_PLAYING);
    for (int i = 0; i < ENDS && first.kind != OUTCOME_PLAYING; i++)
        pair->ends[i] += strstr(first.reason, reasons[i]) != NULL;
}

static void compare_moves(struct pair *pair)
{
    pair->first.count = movegen_all(pair->first.position, pair->first.moves);
    pair->now.count = movegen_all(pair->now.position, pair->now.moves);
    assert_int_equal(pair->first.count, pair->now.count);
    for (int i = 0; i < pair->first.count; i++) {
        struct move move = pair->now.moves[i];
        assert_true(move_equal(pair->first.moves[i], move));
        const int *from = game_facts(pair->now.game)->cells[move.from].coordinates;
        const int *to = game_facts(pair->now.game)->cells[move.to].coordinates;
        pair->jumps += abs(from[0] - to[0]) == 2;
    }
}

static void compare(struct pair *pair)
{
    compare_board(pair);
    assert_string_equal(state_name(&pair->first), state_name(&pair->now));
    assert_int_equal(position_to_move(pair->first.position), position_to_move(pair->now.position));
    assert_int_equal(position_move_number(pair->first.position),
                     position_move_number(pair->now.position));
    assert_int_equal(position_ply(pair->first.position), position_ply(pair->now.position));
    compare_end(pair);
    compare_moves(pair);
}

static void make(struct pair *pair, int move)
{
    position_make(pair->first.position, pair->first.moves[move], NULL);
    position_make(pair->now.position, pair->now.moves[move], NULL);
}

/* --- the tests -------------------------------------------------------------------------------- */

static void every_ply_of_random_games_is_the_same(void **state)
{
    (void)state;
    struct pair pair = pair_new();
    uint64_t seed = 11;
    for (int i = 0; i < GAMES; i++) {
        position_reset(pair.first.position);
        position_reset(pair.now.position);
        compare(&pair);
        while (pair.now.count > 0) {
            make(&pair, (int)(test_random(&seed) % (unsigned)pair.now.count));
            compare(&pair);
        }
    }
    print_message("%d jumps, %d kings; ends: %d %d %d %d\n", pair.jumps, pair.kings, pair.ends[0],
                  pair.ends[1], pair.ends[2], pair.ends[3]);
    assert_true(pair.jumps > 0 && pair.kings > 0);
    for (int i = 0; i < ENDS; i++)
        assert_true(pair.ends[i] > 0);
    pair_free(&pair);
}

static void every_move_on_any_board_is_the_same(void **state)
{
    (void)state;
    struct pair pair = pair_new();
    uint64_t first = 5, now = 5;
    for (int i = 0; i < SCATTERED; i++) {
        games_scatter(pair.first.position, &first);
        games_scatter(pair.now.position, &now);
        compare(&pair);
        if (pair.now.count == 0)
            continue;
        make(&pair, i % pair.now.count);
        compare(&pair);
    }
    assert_true(pair.jumps > 0 && pair.kings > 0);
    pair_free(&pair);
}

static void the_leaves_are_as_many(void **state)
{
    (void)state;
    struct pair pair = pair_new();
    for (int depth = 1; depth <= DEPTH; depth++)
        assert_int_equal(perft(pair.first.position, depth), perft(pair.now.position, depth));
    pair_free(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_ply_of_random_games_is_the_same),
        cmocka_unit_test(every_move_on_any_board_is_the_same),
        cmocka_unit_test(the_leaves_are_as_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
