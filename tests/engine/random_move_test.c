/* Random moves: of a seed always the same game, each move as likely as the others, and none where there is none. */
#include "tests/support/test.h"

#include "engine/random_move.h"
#include "tests/engine/games.h"

#include <stdlib.h>

enum { DRAWS_OF_EACH = 200, PLIES = 60 };

static struct move *room_for(const struct game *game)
{
    struct move *moves = calloc((size_t)game_moves_max(game) + 1, sizeof *moves);
    assert_non_null(moves);
    return moves;
}

static void every_legal_move_is_drawn_about_as_often(void **state)
{
    (void)state;
    struct game *game = games_load_file("games/chess.json", NULL);
    struct position *position = position_new(game);
    struct move *moves = room_for(game), move;
    uint64_t seed = 5;
    int drawn[20] = {0};
    for (int i = 0; i < 20 * DRAWS_OF_EACH; i++) {
        assert_true(random_move(position, &seed, moves, &move));
        for (int k = 0; k < 20; k++)
            drawn[k] += move_equal(moves[k], move);
    }
    for (int k = 0; k < 20; k++)
        assert_in_range(drawn[k], DRAWS_OF_EACH * 3 / 4, DRAWS_OF_EACH * 5 / 4);
    free(moves);
    position_free(position);
    game_release(game);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_legal_move_is_drawn_about_as_often),
        cmocka_unit_test(a_seed_gives_the_same_game_again),
        cmocka_unit_test(where_there_is_no_move_the_seed_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
