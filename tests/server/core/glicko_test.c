/* Glicko-2 by the worked example of Mark Glickman's paper "Example of the Glicko-2 system" (2013), and what follows from its
 * formulas. */
#include "server/core/glicko.h"
#include "server/core/strength.h"
#include "tests/support/test.h"

#include <math.h>

/* To so many places, as the paper prints its numbers. */
#define AS_PRINTED(value, printed, places)                                                         \
    assert_true(fabs((value) - (printed)) <= 0.5000001 * pow(10, -(places)))

#define SCALE 173.7178

static struct glicko paper_player(double periods)
{
    const struct glicko player = {1500, 200, 0.06};
    const struct glicko_result results[] = {
        {{1400, 30, 0.06}, 1}, {{1550, 100, 0.06}, 0}, {{1700, 300, 0.06}, 0}};
    return glicko_after(&player, results, 3, periods);
}

/* The paper goes on with numbers as printed: mu' = -0.2069 and phi' = 0.8722 are what it makes 1464.06 and 151.52 of.
 * Unrounded they make 1464.0507 and 151.5165. */
static void the_paper_s_example(void **state)
{
    (void)state;
    struct glicko after = paper_player(1);
    double mu = (after.rating - 1500) / SCALE, phi = after.deviation / SCALE;
    AS_PRINTED(mu, -0.2069, 4);
    AS_PRINTED(phi, 0.8722, 4);
    AS_PRINTED(SCALE * round(mu * 1e4) / 1e4 + 1500, 1464.06, 2);
    AS_PRINTED(SCALE * round(phi * 1e4) / 1e4, 151.52, 2);
    assert_true(after.volatility >= 0.05999 && after.volatility < 0.06); /* printed as 0.05999 */
    AS_PRINTED(after.rating, 1464.0507, 4);
    AS_PRINTED(after.deviation, 151.5165, 4);
    AS_PRINTED(after.volatility, 0.0599960, 6);
}

static void who_does_not_play_is_less_sure(void **state)
{
    (void)state;
    const struct glicko player = {1700, 60, 0.06};
    double periods = glicko_periods_below(&player, 110);
    AS_PRINTED(glicko_deviation_after(&player, periods), 110, 6);
    assert_true(glicko_periods_below(&player, 50) == 0);
    assert_true(glicko_deviation_after(&player, 1e9) == 350);
    AS_PRINTED(glicko_deviation_after(&player, 0), 60, 6);
}

static struct store_rated_game game_of(struct store_strength one, struct store_strength other,
                                       int score)
{
    struct store_rated_game game = {.side_count = 2};
    game.sides[0].before = one;
    game.sides[1].before = other;
    game.sides[0].score = score;
    game.sides[1].score = 2 - score;
    strength_rate(&game);
    return game;
}

static void what_one_wins_from_an_equal_the_other_loses(void **state)
{
    (void)state;
    struct store_rated_game game = game_of(strength_new(), strength_new(), 2);
    assert_int_equal(game.sides[0].after.strength.rating, 166221);
    assert_int_equal(game.sides[1].after.strength.rating, 300000 - 166221);
    assert_int_equal(game.sides[0].after.strength.deviation, 29023);
    game = game_of(strength_new(), strength_new(), 1);
    assert_int_equal(game.sides[0].after.strength.rating, 150000);
}

/* Whoever always wins or loses, whatever the gap. */
static void nothing_leaves_its_bounds(void **state)
{
    (void)state;
    struct store_strength one = strength_new(), other = strength_new();
    for (int i = 0; i < 20000; i++) {
        struct store_rated_game game = game_of(one, other, 2);
        one = game.sides[0].after.strength;
        other = game.sides[1].after.strength;
        assert_in_range(one.rating, STRENGTH_RATING_LEAST, STRENGTH_RATING_MOST);
        assert_in_range(other.rating, STRENGTH_RATING_LEAST, STRENGTH_RATING_MOST);
        assert_in_range(one.deviation, STRENGTH_DEVIATION_LEAST, 35000);
        assert_in_range(one.volatility, 1, STRENGTH_VOLATILITY_MOST);
    }
    assert_true(one.rating > 200000);
    /* And then the other way round: a surprise each time. */
    for (int i = 0; i < 200; i++) {
        struct store_rated_game game = game_of(one, other, 0);
        one = game.sides[0].after.strength;
        other = game.sides[1].after.strength;
        assert_in_range(one.volatility, 1, STRENGTH_VOLATILITY_MOST);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_paper_s_example),
        cmocka_unit_test(who_does_not_play_is_less_sure),
        cmocka_unit_test(what_one_wins_from_an_equal_the_other_loses),
        cmocka_unit_test(nothing_leaves_its_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
