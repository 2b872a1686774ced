/* Random moves: of a seed always the same game, each move as likely as the others, and none where there is none. */
#include "tests/support/test.h"

#include "engine/random_move.h"
#include "engine/rules/pseudo.h"
#include "tests/engine/games.h"

#include <stdlib.h>

enum { DRAWS_OF_EACH = 200, PLIES = 60, STONES_PLIES = 400 };

static struct move *room_for(const struct game *game)
{
    struct move *moves = calloc((size_t)game_facts(game)->moves_max + 1, sizeof *moves);
    assert_non_null(moves);
    return moves;
}

/* Draws from a position often enough to tell; the legal moves come from the list of all of them. */
static void assert_all_are_drawn(struct position *position)
{
    const struct game *game = position_game(position);
    struct move *legal = room_for(game), *moves = room_for(game), move;
    int count = movegen_all(position, legal), *drawn = calloc((size_t)count, sizeof *drawn);
    uint64_t seed = 5;
    assert_non_null(drawn);
    for (int i = 0; i < count * DRAWS_OF_EACH; i++) {
        int at = 0;
        assert_true(random_move(position, &seed, moves, &move));
        while (at < count && !move_equal(legal[at], move))
            at++;
        assert_true(at < count);
        drawn[at]++;
    }
    for (int i = 0; i < count; i++)
        assert_in_range(drawn[i], DRAWS_OF_EACH * 2 / 3, DRAWS_OF_EACH * 4 / 3);
    free(drawn);
    free(moves);
    free(legal);
}

static void every_legal_move_is_drawn_about_as_often(void **state)
{
    (void)state;
    struct game *game = games_load_file("games/chess.json", NULL);
    struct position *position = position_new(game);
    assert_all_are_drawn(position);
    position_free(position);
    game_release(game);
}

static int count_empty(const struct position *position)
{
    int empty = 0;
    for (int cell = 0; cell < game_facts(position_game(position))->cell_count; cell++)
        empty += position_contents(position, (cell_index)cell).figure == FIGURE_NONE;
    return empty;
}

/* Suicide and ko: what is forbidden is never drawn, and makes nothing else likelier. */
static void what_is_forbidden_is_drawn_again(void **state)
{
    (void)state;
    struct game *game = games_load_file("games/go-9.json", NULL);
    struct position *position = position_new(game);
    struct move *moves = room_for(game), move;
    uint64_t seed = 3;
    int looked = 0;
    for (int ply = 0; ply < STONES_PLIES && looked < 3; ply++) {
        int stones = movegen_all(position, moves) - 1; /* and the pass */
        bool forbids = stones > 3 && stones < count_empty(position);
        looked += forbids;
        if (forbids)
            assert_all_are_drawn(position);
        assert_true(random_move(position, &seed, moves, &move));
        if (!move_is_pass(move)) /* nobody gives up */
            position_make(position, move, NULL);
    }
    assert_int_equal(looked, 3);
    free(moves);
    position_free(position);
    game_release(game);
}

struct choice {
    int count, others;
};

static int take_choice(void *context, int count)
{
    const struct choice *choice = context;
    assert_int_equal(count, choice->count);
    return choice->others;
}

/* What is drawn from is the sorted list, though nobody sorts it. */
static void assert_found_unsorted(struct position *position, const struct move *sorted, int count)
{
    struct move *moves = room_for(position_game(position)), move;
    for (int others = 0; others < count; others += 1 + count / 8) {
        assert_int_equal(movegen_unordered(position, moves), count);
        assert_true(move_equal(pseudo_behind(moves, count, others), sorted[others]));
        struct choice choice = {count, others};
        enum movegen_chosen chosen = movegen_choose(position, moves, take_choice, &choice, &move);
        assert_int_not_equal(chosen, CHOSEN_NONE);
        if (chosen == CHOSEN_MOVE)
            assert_true(move_equal(move, sorted[others]));
        else
            assert_true(move_is_placement(sorted[others]) || move_is_pass(sorted[others]));
    }
    free(moves);
}

/* The list of all moves and the drawing know the same ones, in every game. */
static void draw_along(const char *path, struct game *game, void *context)
{
    (void)context;
    struct position *position = position_new(game);
    struct move *moves = room_for(game), move, same;
    uint64_t seed = 17;
    for (int ply = 0; ply < PLIES && position_outcome(position).kind == OUTCOME_PLAYING; ply++) {
        int count = movegen_all(position, moves);
        assert_found_unsorted(position, moves, count);
        bool drawn = random_move(position, &seed, moves, &move);
        assert_int_equal(drawn, count > 0);
        if (!drawn)
            break;
        if (!movegen_find(position, move.from, move.to, move.choice, &same) ||
            !move_equal(move, same))
            fail_msg("%s: a move was drawn that is not legal", path);
        position_make(position, move, NULL);
    }
    free(moves);
    position_free(position);
}

static void only_legal_moves_are_drawn(void **state)
{
    (void)state;
    assert_true(games_for_each(draw_along, NULL) >= 15);
}

static uint64_t play(struct position *position, struct move *moves, uint64_t seed)
{
    struct move move;
    position_reset(position);
    for (int i = 0; i < PLIES && position_outcome(position).kind == OUTCOME_PLAYING &&
                    random_move(position, &seed, moves, &move);
         i++)
        position_make(position, move, NULL);
    return position_hash(position);
}

static void play_twice(const char *path, struct game *game, void *context)
{
    (void)path;
    (void)context;
    struct position *position = position_new(game);
    struct move *moves = room_for(game);
    assert_int_equal(play(position, moves, 11), play(position, moves, 11));
    free(moves);
    position_free(position);
}

static void a_seed_gives_the_same_game_again(void **state)
{
    (void)state;
    assert_true(games_for_each(play_twice, NULL) >= 15);
}

static void where_there_is_no_move_the_seed_stays(void **state)
{
    (void)state;
    struct game *game = games_load_file("games/chess.json", NULL);
    struct position *position = position_new(game);
    struct move *moves = room_for(game), move;
    uint64_t seed = 9;
    position_clear(position); /* an empty board */
    assert_false(random_move(position, &seed, moves, &move));
    assert_int_equal(seed, 9);
    free(moves);
    position_free(position);
    game_release(game);
}

static bool is_first_cell(const void *context, const struct position *position, cell_index to)
{
    (void)context, (void)position;
    return to == 0;
}

/* What is wanted; then a pass where there is one, else any of the others. */
static void what_is_not_wanted_is_drawn_last(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        bool passes;
    } rows[] = {{"games/go-9.json", true}, {"games/tic-tac-toe.json", false}};
    const struct random_taste taste = {is_first_cell, NULL};
    for (int i = 0; i < 2; i++) {
        struct game *game = games_load_file(rows[i].file, NULL);
        struct position *position = position_new(game);
        struct move *moves = room_for(game), move;
        for (uint64_t seed = 0; seed < DRAWS_OF_EACH; seed++) {
            uint64_t chance = seed;
            position_reset(position);
            assert_true(random_move_wanted(position, &chance, moves, &taste, &move));
            assert_int_equal(move.to, 0);
            position_make(position, move, NULL);
            assert_true(random_move_wanted(position, &chance, moves, &taste, &move));
            assert_true(rows[i].passes ? move_is_pass(move) : move.to > 0 && move.to < 9);
        }
        position_free(position);
        free(moves);
        game_release(game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_wanted_is_drawn_last),
        cmocka_unit_test(every_legal_move_is_drawn_about_as_often),
        cmocka_unit_test(what_is_forbidden_is_drawn_again),
        cmocka_unit_test(only_legal_moves_are_drawn),
        cmocka_unit_test(a_seed_gives_the_same_game_again),
        cmocka_unit_test(where_there_is_no_move_the_seed_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
