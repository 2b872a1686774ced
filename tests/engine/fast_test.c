/* The fast path of format 2 beside the interpreter: the same moves, the same successors, the same trees. */
#include "tests/support/test.h"

#include "engine/fast/fast.h"
#include "engine/notation.h"
#include "engine/rules/interpreter.h"
#include "engine/tables.h"
#include "tests/engine/games.h"
#include "tests/engine/positions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POSITIONS_OF_EACH = 120,
    PLIES_MAX_PLAYED = 250,
    WIDE_TREE_LEAVES = 30000,
};

struct bench {
    struct game *game;
    struct position *position, *other;
    struct move *moves, *slow;
};

static struct bench bench_new(struct game *game)
{
    size_t room = (size_t)game_facts(game)->moves_max + 1;
    struct bench bench = {.game = game,
                          .position = position_new(game),
                          .other = position_new(game),
                          .moves = calloc(room, sizeof *bench.moves),
                          .slow = calloc(room, sizeof *bench.slow)};
    assert_non_null(bench.moves);
    assert_non_null(bench.slow);
    return bench;
}

static void bench_free(struct bench *bench)
{
    position_free(bench->position);
    position_free(bench->other);
    free(bench->moves);
    free(bench->slow);
}

static bool listed(const struct move *moves, int count, struct move move)
{
    for (int i = 0; i < count; i++)
        if (move_equal(moves[i], move))
            return true;
    return false;
}

static void find_agrees(const struct bench *bench, int count, uint64_t *seed)
{
    struct position *position = bench->position;
    unsigned cells = (unsigned)bench->game->cell_count;
    struct move found;
    for (int i = 0; i < 8 && count > 0; i++) {
        struct move move = bench->slow[test_random(seed) % (unsigned)count];
        assert_true(movegen_find(position, move.from, move.to, move.choice, &found));
        assert_true(move_equal(found, move));
        struct move other = {.from = (cell_index)(test_random(seed) % cells),
                             .to = (cell_index)(test_random(seed) % cells),
                             .choice = CHOICE_NONE};
        assert_int_equal(movegen_find(position, other.from, other.to, other.choice, &found),
                         listed(bench->slow, count, other));
    }
}

/* Made by the rule that the fast path names and by the one the interpreter names, the successors are the same. */
static void successors_agree(struct bench *bench, int count)
{
    for (int i = 0; i < count; i += 1 + count / 12) {
        position_copy(bench->other, bench->position);
        position_make(bench->other, bench->moves[i], NULL);
        uint64_t hash = position_hash(bench->other);
        assert_int_equal(hash, position_hash_from_scratch(bench->other));
        position_copy(bench->other, bench->position);
        position_make(bench->other, bench->slow[i], NULL);
        assert_int_equal(hash, position_hash(bench->other));
    }
}

static int compare(struct bench *bench, uint64_t *seed)
{
    struct position *position = bench->position;
    int count = interpreter_moves(position, bench->slow);
    assert_int_equal(movegen_all(position, bench->moves), count);
    for (int i = 0; i < count; i++)
        assert_true(move_equal(bench->moves[i], bench->slow[i]));
    assert_int_equal(movegen_count(position), count);
    assert_int_equal(movegen_any(position), count > 0);
    find_agrees(bench, count, seed);
    successors_agree(bench, count);
    return count;
}

static void compare_game(const char *path, struct game *game, void *context)
{
    int *games = context;
    if (game->format != 2)
        return;
    struct bench bench = bench_new(game);
    uint64_t seed = 11;
    for (int i = 0; i < POSITIONS_OF_EACH; i++) {
        int count = compare(&bench, &seed);
        if (count == 0 || position_ply(bench.position) > PLIES_MAX_PLAYED)
            position_reset(bench.position);
        else
            position_make(bench.position, bench.moves[test_random(&seed) % (unsigned)count], NULL);
    }
    print_message("%s: legality %s\n", path,
                  game_slow_legality(game) == NULL ? "by lines" : game_slow_legality(game));
    bench_free(&bench);
    ++*games;
}

static void fast_path_and_interpreter_agree_on_moves_and_successors(void **state)
{
    (void)state;
    int games = 0;
    games_for_each(compare_game, &games);
    assert_true(games >= 15);
}

static void count_game(const char *path, struct game *game, void *context)
{
    (void)context;
    if (game->format != 2 || strstr(path, "amazons") != NULL)
        return;
    struct position *position = position_new(game);
    uint64_t leaves = 0; /* of wide trees the next depth has too many */
    for (int depth = 1; depth <= 3 && leaves < WIDE_TREE_LEAVES; depth++) {
        leaves = perft(position, depth);
        assert_int_equal(perft_by(position, depth, PERFT_MADE), leaves);
        if (leaves < 12000)
            assert_int_equal(perft_by(position, depth, PERFT_INTERPRETED), leaves);
    }
    position_free(position);
}

static void trees_have_the_same_leaves_counted_in_three_ways(void **state)
{
    (void)state;
    assert_true(games_for_each(count_game, NULL) >= 15);
}

/* --- figures of many directions ----------------------------------------------------------------------------------- */

/* A row of cells with one figure of the first player in the middle, which moves by these words. */
static struct game *load_row(int cells, int from, const char *movement, const char *priority,
                             const char *others)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    fprintf(file,
            "{\"format\":2,\"name\":\"row\",\"cell\":{\"coordinates_names\":[\"x\"],\"name\":\"x\","
            "\"geometry\":[[0,0],[1,0],[1,1]],\"position\":{\"x\":\"x\",\"y\":\"0\"}},"
            "\"players\":[\"a\",\"b\"],\"board\":{\"cells\":{\"box\":{\"x\":%d}}},"
            "\"figures\":{\"king\":{\"movement\":[%s]}},\"priority\":[%s],"
            "\"initial_position\":{\"a\":{\"king\":[{\"x\":%d}]},\"b\":{\"king\":[%s]}},"
            "\"turns\":[\"a\",\"b\"]}",
            cells, movement, priority, from, others);
    fclose(file);
    struct game *game = games_load_text(text, NULL);
    free(text);
    return game;
}

/* A list of objects, each a number as `x` and these words. */
static char *repeated(const char *words, const int *numbers, int count)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s{\"x\":%d%s}", i == 0 ? "" : ",", numbers[i], words);
    fclose(file);
    return text;
}

static void assert_moves_of(struct game *game, int expected)
{
    struct bench bench = bench_new(game);
    uint64_t seed = 3;
    for (int i = 0; i < game->piece_count; i++)
        assert_null(game_slow_reason(game, i));
    assert_int_equal(compare(&bench, &seed), expected);
    bench_free(&bench);
    game_release(game);
}

/* An enemy stands so near in each of them that it can be jumped, and none on the cell behind another. */
static void a_figure_jumps_in_more_than_forty_directions(void **state)
{
    (void)state;
    enum { MIDDLE = 63, FAR = 31 };
    int deltas[2 * FAR], places[2 * FAR], count = 0;
    for (int k = 1; k <= FAR; k++) {
        int odd_power = 0;
        for (int half = k; half % 2 == 0; half /= 2)
            odd_power ^= 1;
        for (int sign = -1; sign <= 1 && odd_power == 0; sign += 2) {
            deltas[count] = sign * k;
            places[count++] = MIDDLE + sign * k;
        }
    }
    assert_true(count > 40);
    char *movement = repeated(",\"repeat\":[2,2],\"over\":\"enemy\",\"for\":\"take\","
                              "\"takes\":\"jumped\",\"continue\":\"must\"",
                              deltas, count);
    char *others = repeated("", places, count);
    assert_moves_of(load_row(2 * MIDDLE + 1, MIDDLE, movement, "\"take\",\"can_go_on\"", others),
                    count);
    free(movement);
    free(others);
}

/* Half of them lead off the board at once, and are rays all the same. */
static void a_figure_slides_in_256_directions(void **state)
{
    (void)state;
    enum { DIRECTIONS = 256, CELLS = DIRECTIONS / 2 };
    int deltas[DIRECTIONS];
    for (int i = 0; i < DIRECTIONS; i++)
        deltas[i] = i + 1;
    char *movement = repeated(",\"repeat\":[1,2]", deltas, DIRECTIONS);
    assert_moves_of(load_row(CELLS, 0, movement, "", "{\"x\":127}"), CELLS - 1);
    free(movement);
}

/* Kings on two edges take one each, in more ways than the fast path keeps at once; the rook that is looked at after them takes
 * three, so that it must. */
static void the_longest_take_is_found_after_very_many_shorter_ones(void **state)
{
    (void)state;
    enum { SIZE = 11 };
    const char *jump = "\"repeat\":[2,20],\"over\":\"enemy\",\"for\":\"take\",\"takes\":\"jumped\","
                       "\"continue\":\"must\"";
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    fprintf(file,
            "{\"format\":2,\"name\":\"takes\",\"cell\":{\"coordinates_names\":[\"x\",\"y\"],"
            "\"name\":\"x * 11 + "
            "y\",\"geometry\":[[0,0],[1,0],[1,1]],\"position\":{\"x\":\"x\",\"y\":\"y\"}},"
            "\"players\":[\"a\",\"b\"],\"board\":{\"cells\":{\"box\":{\"x\":%d,\"y\":%d}}},"
            "\"figures\":{"
            "\"king\":{\"movement\":[{\"x\":1,\"y\":0,%s},{\"x\":0,\"y\":1,%s}]},"
            "\"rook\":{\"movement\":[{\"x\":1,\"y\":1,%s},{\"x\":1,\"y\":-1,%s}]}},"
            "\"priority\":[\"take\",\"most_taken\"],\"turns\":[\"a\",\"b\"],"
            "\"initial_position\":{\"a\":{\"rook\":[{\"x\":0,\"y\":0}],\"king\":[{\"x\":0,\"y\":2}",
            SIZE, SIZE, jump, jump, jump, jump);
    for (int i = 3; i < SIZE; i++) {
        fprintf(file, ",{\"x\":0,\"y\":%d}", i);
        if (i != 4)
            fprintf(file, ",{\"x\":%d,\"y\":0}", i);
    }
    fprintf(file, "]},\"b\":{\"king\":[{\"x\":1,\"y\":1}");
    for (int i = 2; i < SIZE; i++)
        fprintf(file, ",{\"x\":1,\"y\":%d},{\"x\":%d,\"y\":1}", i, i);
    fprintf(file, "]}}}");
    fclose(file);
    assert_moves_of(games_load_text(text, NULL), 1);
    free(text);
}

/* --- trees ---------------------------------------------------------------------------------------------------------- */

/* Chess in which a position that comes again is a draw, to have repetitions within a small tree. */
static struct game *load_impatient_chess(void)
{
    static const char five[] = "{\"repetition\": 5}", two[] = "{\"repetition\": 2}";
    char *text = test_read_file("games/chess.json", NULL);
    char *at = strstr(text, five);
    assert_non_null(at);
    memcpy(at, two, sizeof two - 1);
    struct game *game = games_load_text(text, NULL);
    free(text);
    return game;
}

/* Black pawns beside a white one that has just made its double step: taking in passing is illegal (on a line from the
 * king, and on the row that both pawns leave), or legal though pinned, or simply legal. Where it is illegal the tree is that
 * of the position without the step, since white comes back to it within four moves. */
static void trees_end_by_repetition_where_a_double_step_cannot_be_taken(void **state)
{
    (void)state;
    static const struct {
        const char *marked, *plain;
        bool same;
    } rows[] = {
        {"3k4/8/8/8/3pP3/8/8/K2R4 b - e3 0 1", "3k4/8/8/8/3pP3/8/8/K2R4 b - - 0 1", true},
        {"8/8/8/8/R2pP2k/8/8/4K3 b - e3 0 1", "8/8/8/8/R2pP2k/8/8/4K3 b - - 0 1", true},
        {"8/8/8/2k5/3pP3/8/8/4K1B1 b - e3 0 1", "8/8/8/2k5/3pP3/8/8/4K1B1 b - - 0 1", false},
        {"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1", false},
    };
    struct game *game = load_impatient_chess();
    struct notation *notation = notation_new(game);
    struct position *marked = position_new(game), *plain = position_new(game);
    char words[NOTATION_WORDS_BYTES];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(notation_read_position(notation, marked, rows[i].marked, words));
        assert_true(notation_read_position(notation, plain, rows[i].plain, words));
        for (int depth = 1; depth <= 5; depth++) {
            uint64_t leaves = perft_by(marked, depth, PERFT_INTERPRETED);
            assert_int_equal(perft(marked, depth), leaves);
            assert_int_equal(perft_by(marked, depth, PERFT_MADE), leaves);
            assert_true((leaves == perft(plain, depth)) == rows[i].same);
        }
    }
    position_free(marked);
    position_free(plain);
    notation_free(notation);
    game_release(game);
}

/* Eight players with forty kinds have more codes than a byte can say. */
static void the_last_of_many_kinds_moves_together_with_another(void **state)
{
    (void)state;
    enum { KINDS = 40 };
    const char *players = "\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\"";
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    fprintf(
        file,
        "{\"format\":2,\"name\":\"many\",\"cell\":{\"coordinates_names\":[\"x\",\"y\"],"
        "\"name\":\"8 * x + y\",\"geometry\":[[0,0],[1,0],[1,1]],"
        "\"position\":{\"x\":\"x\",\"y\":\"y\"}},\"players\":[%s],\"turns\":[%s],"
        "\"board\":{\"cells\":{\"box\":{\"x\":4,\"y\":8}}},\"combined_movements\":[{\"figures\":["
        "{\"figure\":\"k%d\",\"by\":{\"x\":1}},"
        "{\"figure\":\"k%d\",\"at\":{\"x\":2},\"by\":{\"x\":1}}]}],\"initial_position\":{",
        players, players, KINDS - 1, KINDS - 2);
    for (int player = 0; player < PLAYERS_MAX; player++)
        fprintf(file, "%s\"%c\":{\"k%d\":[{\"x\":0,\"y\":%d}],\"k%d\":[{\"x\":2,\"y\":%d}]}",
                player == 0 ? "" : ",", 'a' + player, KINDS - 1, player, KINDS - 2, player);
    fprintf(file, "},\"figures\":{");
    for (int kind = 0; kind < KINDS; kind++)
        fprintf(file, "%s\"k%d\":{\"movement\":[{\"x\":-1}]}", kind == 0 ? "" : ",", kind);
    fprintf(file, "}}");
    fclose(file);
    assert_moves_of(games_load_text(text, NULL), 2); /* the other alone, and both */
    free(text);
}

static void assert_all_fast(const char *path)
{
    struct game *game = games_load_file(path, NULL);
    for (int i = 0; i < game->piece_count; i++)
        assert_null(game_slow_reason(game, i));
    assert_null(game_slow_legality(game));
    game_release(game);
}

/* In shogi what a figure becomes depends on where it comes from; grasshoppers land right behind what they jump; in lines of action steps
 * are counted. */
static void such_games_need_neither_interpreter_nor_trial(void **state)
{
    (void)state;
    assert_all_fast("games/chess.json");
    assert_all_fast("games/shogi.json");
    assert_all_fast("games/grasshopper.json");
    assert_all_fast("games/lines-of-action.json");
}

/* Where an explosion changes what is attacked, moves are tried out, but found by shapes. */
static void captures_kept_apart_from_the_own_king_need_no_interpreter(void **state)
{
    (void)state;
    struct game *game = games_load_file("games/atomic.json", NULL);
    for (int i = 0; i < game->piece_count; i++)
        assert_null(game_slow_reason(game, i));
    for (int i = 0; i < game->player_count; i++)
        assert_true(fast_knows_attacks(game, (player_index)i, game->all_figures));
    game_release(game);
}

static void a_figure_without_a_shape_says_which_movement_and_why(void **state)
{
    (void)state;
    struct game *game = games_load_file("games/intellector.json", NULL);
    figure_index figure = game_find_figure(game, "dominator", 9);
    const char *reason = game_slow_reason(game, figure * game->player_count);
    assert_non_null(reason);
    assert_non_null(strstr(reason, "/movements/edges/0"));
    game_release(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_path_and_interpreter_agree_on_moves_and_successors),
        cmocka_unit_test(trees_have_the_same_leaves_counted_in_three_ways),
        cmocka_unit_test(trees_end_by_repetition_where_a_double_step_cannot_be_taken),
        cmocka_unit_test(a_figure_jumps_in_more_than_forty_directions),
        cmocka_unit_test(a_figure_slides_in_256_directions),
        cmocka_unit_test(the_longest_take_is_found_after_very_many_shorter_ones),
        cmocka_unit_test(the_last_of_many_kinds_moves_together_with_another),
        cmocka_unit_test(such_games_need_neither_interpreter_nor_trial),
        cmocka_unit_test(captures_kept_apart_from_the_own_king_need_no_interpreter),
        cmocka_unit_test(a_figure_without_a_shape_says_which_movement_and_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
