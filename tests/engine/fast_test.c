/* The fast path of format 2 beside the interpreter: the same moves, the same successors, the same trees, and random games
 * on small positions that whole positions can follow move by move. */
#include "tests/support/test.h"

#include "engine/fast.h"
#include "engine/fast_play.h"
#include "engine/notation.h"
#include "engine/tables.h"
#include "tests/engine/games.h"

#include <stdlib.h>
#include <string.h>

enum {
    POSITIONS_OF_EACH = 120,
    PICKS_OF_EACH_MOVE = 40,
    PLIES_MAX_PLAYED = 250,
    DRAWN_POSITIONS = 150
};

struct bench {
    struct game *game;
    struct position *position, *other;
    struct move *moves, *slow;
};

static struct bench bench_new(struct game *game)
{
    size_t room = (size_t)game_moves_max(game) + 1;
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
    const struct position *position = bench->position;
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
    const struct position *position = bench->position;
    int count = movegen_all_interpreted(position, bench->slow);
    assert_int_equal(movegen_all(position, bench->moves), count);
    for (int i = 0; i < count; i++)
        assert_true(move_equal(bench->moves[i], bench->slow[i]));
    assert_int_equal(movegen_count(position), count);
    assert_int_equal(movegen_any(position), count > 0);
    struct move picked;
    assert_int_equal(movegen_pick(position, test_random(seed), &picked), count > 0);
    assert_true(count == 0 || listed(bench->slow, count, picked));
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
    print_message("%s: legality %s; played fast: %s\n", path,
                  game_slow_legality(game) == NULL ? "by lines" : game_slow_legality(game),
                  game->fast->play_reason == NULL ? "yes" : game->fast->play_reason);
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

static void pick_game(const char *path, struct game *game, void *context)
{
    (void)context;
    (void)path;
    if (game->format != 2)
        return;
    struct bench bench = bench_new(game);
    uint64_t seed = 5;
    int count = movegen_all(bench.position, bench.moves);
    if (count > 100) {
        bench_free(&bench);
        return;
    }
    int *picks = calloc((size_t)count, sizeof *picks);
    assert_non_null(picks);
    for (int i = 0; i < count * PICKS_OF_EACH_MOVE; i++) {
        struct move move;
        assert_true(movegen_pick(bench.position, test_random(&seed), &move));
        for (int k = 0; k < count; k++)
            picks[k] += move_equal(bench.moves[k], move);
    }
    for (int k = 0; k < count; k++)
        assert_in_range(picks[k], PICKS_OF_EACH_MOVE / 4, PICKS_OF_EACH_MOVE * 5 / 2);
    free(picks);
    bench_free(&bench);
}

static void every_move_is_picked_about_as_often(void **state)
{
    (void)state;
    assert_true(games_for_each(pick_game, NULL) >= 15);
}

static void count_game(const char *path, struct game *game, void *context)
{
    (void)context;
    if (game->format != 2 || strstr(path, "amazons") != NULL)
        return;
    struct position *position = position_new(game);
    for (int depth = 1; depth <= 3; depth++) {
        uint64_t leaves = perft(position, depth);
        assert_int_equal(perft_made(position, depth), leaves);
        if (leaves < 12000)
            assert_int_equal(perft_interpreted(position, depth), leaves);
    }
    position_free(position);
}

static void trees_have_the_same_leaves_counted_in_three_ways(void **state)
{
    (void)state;
    assert_true(games_for_each(count_game, NULL) >= 15);
}

/* A random game on small positions, followed on a whole one: every move is legal there, and it ends the same. */
static int follow(struct fast_play *play, struct position *position, uint64_t *seed,
                  struct move *moves)
{
    player_index winner = PLAYER_NONE;
    position_reset(position);
    assert_true(fast_play_begin(play, position));
    uint32_t plies = fast_play_out(play, seed, PLIES_MAX, &winner, moves);
    for (uint32_t i = 0; i < plies; i++) {
        struct move found;
        assert_true(movegen_find(position, moves[i].from, moves[i].to, moves[i].choice, &found));
        assert_int_equal(position_outcome(position).kind, OUTCOME_PLAYING);
        position_make(position, found, NULL);
    }
    struct outcome outcome = position_outcome(position);
    assert_int_not_equal(outcome.kind, OUTCOME_PLAYING);
    assert_int_equal(outcome.winner, winner);
    return (int)plies;
}

static void follow_game(const char *path, struct game *game, void *context)
{
    int *games = context;
    struct fast_play *play = fast_play_new(game);
    if (play == NULL)
        return;
    struct position *position = position_new(game);
    struct move *moves = calloc(PLIES_MAX + 1, sizeof *moves);
    assert_non_null(moves);
    uint64_t seed = 77;
    int plies = 0;
    for (int i = 0; i < 6 && plies < 1500; i++)
        plies += follow(play, position, &seed, moves);
    print_message("%s: %d moves followed\n", path, plies);
    free(moves);
    position_free(position);
    fast_play_free(play);
    ++*games;
}

static void whole_positions_follow_random_games_to_the_same_end(void **state)
{
    (void)state;
    int games = 0;
    games_for_each(follow_game, &games);
    assert_true(games >= 10);
}

/* Draws of random games from one position: how often each of its legal moves came as the move of this number, in games
 * that begin with `before`. */
static void draw(struct fast_play *play, const struct bench *bench, int count, uint32_t number,
                 struct move before, uint64_t *seed)
{
    enum { DRAWS_MAX = 200000 };
    int *draws = calloc((size_t)count, sizeof *draws);
    int drawn = 0;
    assert_non_null(draws);
    for (int i = 0; i < DRAWS_MAX && drawn < count * PICKS_OF_EACH_MOVE; i++) {
        struct move moves[2];
        player_index winner = PLAYER_NONE;
        uint32_t plies = fast_play_out(play, seed, number + 1, &winner, moves);
        if (plies <= number || (number > 0 && !move_equal(moves[0], before)))
            continue;
        int which = 0;
        while (which < count && !move_equal(bench->slow[which], moves[number]))
            which++;
        assert_true(which < count);
        draws[which]++;
        drawn++;
    }
    for (int i = 0; i < count && drawn == count * PICKS_OF_EACH_MOVE; i++)
        assert_in_range(draws[i], PICKS_OF_EACH_MOVE / 4, PICKS_OF_EACH_MOVE * 5 / 2);
    free(draws);
}

static player_index player_of(const struct position *position)
{
    return position->game->states[position->state].player;
}

/* Also of the second move of a turn. */
static void draw_here(struct fast_play *play, const struct bench *bench, uint64_t *seed)
{
    struct position *position = bench->position, *other = bench->other;
    int count = movegen_all_interpreted(position, bench->slow);
    if (count == 0 || count > 60 || !fast_play_begin(play, position))
        return;
    struct move first = bench->slow[test_random(seed) % (unsigned)count];
    draw(play, bench, count, 0, first, seed);
    position_copy(other, position);
    position_make(other, first, NULL);
    if (player_of(other) != player_of(position))
        return;
    count = movegen_all_interpreted(other, bench->slow);
    if (count > 0 && count <= 60)
        draw(play, bench, count, 1, first, seed);
}

static void draw_game(const char *path, struct game *game, void *context)
{
    int *games = context;
    struct fast_play *play = fast_play_new(game);
    (void)path;
    if (play == NULL)
        return;
    struct bench bench = bench_new(game);
    uint64_t seed = 21;
    for (int i = 0; i < DRAWN_POSITIONS; i++) {
        draw_here(play, &bench, &seed);
        int count = movegen_all(bench.position, bench.moves);
        if (count == 0 || position_ply(bench.position) > PLIES_MAX_PLAYED)
            position_reset(bench.position);
        else
            position_make(bench.position, bench.moves[test_random(&seed) % (unsigned)count], NULL);
    }
    bench_free(&bench);
    fast_play_free(play);
    ++*games;
}

static void random_games_draw_every_legal_move_about_as_often(void **state)
{
    (void)state;
    int games = 0;
    games_for_each(draw_game, &games);
    assert_true(games >= 10);
}

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
    assert_null(game->fast->play_reason);
    struct notation *notation = notation_new(game);
    struct position *marked = position_new(game), *plain = position_new(game);
    char words[NOTATION_WORDS_BYTES];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(notation_read_position(notation, marked, rows[i].marked, words));
        assert_true(notation_read_position(notation, plain, rows[i].plain, words));
        for (int depth = 1; depth <= 5; depth++) {
            uint64_t leaves = perft_interpreted(marked, depth);
            assert_int_equal(perft(marked, depth), leaves);
            assert_int_equal(perft_made(marked, depth), leaves);
            assert_true((leaves == perft(plain, depth)) == rows[i].same);
        }
    }
    position_free(marked);
    position_free(plain);
    notation_free(notation);
    game_release(game);
}

static void games_of_two_loops_of_their_own_are_recognised(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        bool small, slides;
    } games[] = {
        {"games/breakthrough.json", true, false},
        {"games/english-draughts.json", true, false},
        {"games/international-draughts.json", true, false},
        {"games/russian-draughts.json", true, false},
        {"games/amazons.json", false, true},
        {"games/chess.json", false, false},
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        struct game *game = games_load_file(games[i].path, NULL);
        struct fast_play *play = fast_play_new(game);
        assert_non_null(play);
        assert_int_equal(fast_play_is_small(play), games[i].small);
        assert_int_equal(fast_play_slides(play), games[i].slides);
        fast_play_free(play);
        game_release(game);
    }
}

static void games_whose_moves_are_counted_in_steps_are_recognised(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        bool steps;
    } games[] = {
        {"games/chess.json", true},        {"games/glinski.json", true},
        {"games/makruk.json", true},       {"games/raumschach.json", true},
        {"games/breakthrough.json", true}, {"games/xiangqi.json", false},
        {"games/atomic.json", false},      {"games/english-draughts.json", false},
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        struct game *game = games_load_file(games[i].path, NULL);
        for (int player = 0; player < game->player_count; player++)
            assert_int_equal(game->fast->players[player].steps != NULL, games[i].steps);
        game_release(game);
    }
}

static void chess_needs_neither_interpreter_nor_trial(void **state)
{
    (void)state;
    struct game *game = games_load_file("games/chess.json", NULL);
    for (int i = 0; i < game->mover_count; i++)
        assert_null(game_slow_reason(game, i));
    assert_null(game_slow_legality(game));
    assert_null(game->fast->play_reason);
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
        cmocka_unit_test(every_move_is_picked_about_as_often),
        cmocka_unit_test(trees_have_the_same_leaves_counted_in_three_ways),
        cmocka_unit_test(whole_positions_follow_random_games_to_the_same_end),
        cmocka_unit_test(random_games_draw_every_legal_move_about_as_often),
        cmocka_unit_test(trees_end_by_repetition_where_a_double_step_cannot_be_taken),
        cmocka_unit_test(games_of_two_loops_of_their_own_are_recognised),
        cmocka_unit_test(games_whose_moves_are_counted_in_steps_are_recognised),
        cmocka_unit_test(chess_needs_neither_interpreter_nor_trial),
        cmocka_unit_test(a_figure_without_a_shape_says_which_movement_and_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
