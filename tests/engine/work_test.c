/* Work is counted: what hostile games cost is refused, where it is refused the words are named, and nothing that is asked of
 * the engine goes far beyond its limit. Units are asserted, never time; how long a unit takes is tests/bench/work_bench. */
#include "tests/support/test.h"

#include "engine/explain.h"
#include "engine/load/load.h"
#include "engine/random_move.h"
#include "engine/trial.h"
#include "engine/work.h"
#include "tests/engine/games.h"
#include "tests/engine/hostile.h"
#include "tests/engine/positions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one step may cost that is not looked at on its way: the limit is passed by no more. */
enum { OVERSHOOT_MAX = WORK_ANSWER_MAX / 5, SHIPPED_TIMES = 100, PLIES = 4 };

/* --- stretches ---------------------------------------------------------------------------------- */

static void an_inner_stretch_allows_no_more_than_the_outer(void **state)
{
    (void)state;
    struct work_stretch outer = work_begin(10);
    struct work_stretch inner = work_begin(100);
    assert_true(work_spend(10));
    assert_false(work_spend(1));
    assert_false(work_end(&inner));
    assert_true(work_is_too_much());
    assert_false(work_end(&outer));
    assert_true(work_spend(1000));
}

static void what_an_inner_stretch_left_over_is_the_outers(void **state)
{
    (void)state;
    struct work_stretch outer = work_begin(100);
    struct work_stretch inner = work_begin(10);
    assert_false(work_spend(20));
    assert_false(work_end(&inner));
    assert_false(work_is_too_much());
    assert_true(work_spend(80));
    assert_true(work_end(&outer));
}

/* --- hostile games ------------------------------------------------------------------------------ */

static struct game *load(const char *text, bool try_out, struct diagnostics *diagnostics)
{
    const struct load_options options = {.try_out = try_out};
    diagnostics_init(diagnostics);
    return game_load(text, strlen(text), &options, diagnostics);
}

static void expect_refused(const char *name, int times, const char *message)
{
    for (int i = 0; i < hostile_count(); i++) {
        struct diagnostics diagnostics;
        if (strcmp(hostile_name(i), name) != 0)
            continue;
        char *text = hostile_text(i, times);
        assert_null(load(text, true, &diagnostics));
        if (strstr(diagnostics.list[0].message, message) == NULL)
            fail_msg("%s: %s", name, diagnostics.list[0].message);
        diagnostics_release(&diagnostics);
        free(text);
        return;
    }
    fail_msg("there is no hostile game %s", name);
}

static void expect_blamed(const char *text, int times)
{
    struct diagnostics diagnostics;
    assert_null(load(text, true, &diagnostics));
    assert_int_equal(diagnostics.error_count, 1);
    const struct diagnostic *said = &diagnostics.list[0];
    if (strncmp(said->pointer, "/forbid/0", strlen("/forbid/0")) != 0)
        fail_msg("%d times: blamed %s: %s", times, said->pointer, said->message);
    if (strstr(said->message, "in the start position") == NULL)
        fail_msg("%d times: %s: %s", times, said->pointer, said->message);
    assert_non_null(strstr(said->message, "units of work"));
    assert_non_null(strstr(said->hint, "attacks"));
    assert_true(said->line > 1);
    diagnostics_release(&diagnostics);
}

/* Some hundred bytes that took seconds, and what 16 KiB hold: attacks asked for after each of a thousand moves, and none found. */
static void a_condition_that_asks_for_too_many_attacks_is_refused_by_its_words(void **state)
{
    static const int times[] = {1, 35, 256};
    (void)state;
    assert_string_equal(hostile_name(0), "attacked, but for walls");
    assert_string_equal(hostile_name(1), "attacked");
    for (int game = 0; game < 2; game++)
        for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
            char *text = hostile_text(game, times[i]);
            expect_blamed(text, times[i]);
            free(text);
        }
    expect_refused("attacked", 450, "too many conditions: 450, at most 256 are allowed");
}

static void a_game_of_more_than_some_thousands_of_moves_is_refused(void **state)
{
    (void)state;
    expect_refused("many moves", 0, "legal moves in the start position, at most 4096 are allowed");
}

static void a_game_that_multiplies_while_it_is_loaded_is_refused(void **state)
{
    (void)state;
    expect_refused("neighbours of holes", 0, "this game is too large");
}

static void expect_answered_within(const char *name, struct position *position,
                                   const struct move *move)
{
    struct answers answers;
    uint64_t before = work_spent();
    position_answer(position, move, WORK_ANSWER_MAX, &answers);
    if (work_spent() - before > WORK_ANSWER_MAX + OVERSHOOT_MAX)
        fail_msg("%s: %llu units for an answer", name, (unsigned long long)(work_spent() - before));
    assert_int_equal(position_hash(position), position_hash_from_scratch(position));
}

static void expect_explained_within(const char *name, struct position *position, struct move move)
{
    struct explanation explanation;
    uint64_t before = work_spent(), hash = position_hash(position);
    position_explain(position, move.from, move.to, move.choice, &explanation);
    if (work_spent() - before > WORK_ANSWER_MAX + OVERSHOOT_MAX)
        fail_msg("%s: %llu units to explain", name, (unsigned long long)(work_spent() - before));
    assert_int_equal(position_hash(position), hash);
}

static void play_within(const char *name, const struct game *game)
{
    struct position *position = position_new(game);
    struct move *moves = malloc(((size_t)game_facts(game)->moves_max + 1) * sizeof *moves);
    uint64_t seed = 7;
    struct move move;
    assert_non_null(moves);
    expect_answered_within(name, position, NULL);
    for (int ply = 0; ply < PLIES; ply++) {
        struct work_stretch stretch = work_begin(WORK_ANSWER_MAX);
        bool found = random_move(position, &seed, moves, &move);
        if (!work_end(&stretch) || !found)
            break;
        expect_explained_within(name, position, move);
        expect_answered_within(name, position, &move);
    }
    free(moves);
    position_free(position);
}

static void no_answer_about_a_hostile_game_goes_far_beyond_its_limit(void **state)
{
    (void)state;
    int played = 0;
    for (int i = 0; i < hostile_count(); i++) {
        char *text = hostile_text(i, 0);
        struct diagnostics diagnostics;
        struct game *game = load(text, false, &diagnostics);
        if (game != NULL)
            play_within(hostile_name(i), game);
        played += game != NULL;
        game_release(game);
        diagnostics_release(&diagnostics);
        free(text);
    }
    assert_true(played >= hostile_count() - 2);
}

/* Two figures each of which may not go where the other attacks. */
static void attacks_that_depend_on_each_other_come_to_an_end(void **state)
{
    (void)state;
    struct game *game = games_load_text(
        "{\"format\":2,\"name\":\"s\",\"cell\":{\"coordinates_names\":[\"x\"],\"name\":\"x\","
        "\"geometry\":[[0,0],[1,0],[1,1]],\"position\":{\"x\":\"x\",\"y\":\"0\"}},"
        "\"players\":[\"a\",\"b\"],\"board\":{\"cells\":{\"box\":{\"x\":6}}},"
        "\"figures\":{\"king\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\","
        "\"if\":{\"not\":{\"attacked\":{\"cell\":\"target\"}}}}]}},"
        "\"initial_position\":{\"a\":{\"king\":[{\"x\":2}]},\"b\":{\"king\":[{\"x\":4}]}},"
        "\"turns\":[\"a\",\"b\"]}",
        NULL);
    struct position *position = position_new(game);
    struct move move;
    assert_true(movegen_find(position, 2, 1, CHOICE_NONE, &move));
    assert_false(movegen_find(position, 2, 3, CHOICE_NONE, &move));
    position_free(position);
    game_release(game);
}

static void what_is_too_much_is_an_end_that_nobody_wins(void **state)
{
    (void)state;
    char *text = hostile_text(0, 0);
    struct diagnostics diagnostics;
    struct game *game = load(text, false, &diagnostics);
    assert_non_null(game);
    struct position *position = position_new(game), *same = position_new(game);
    struct answers answers;
    assert_false(position_answer(position, NULL, WORK_ANSWER_MAX, &answers));
    assert_int_equal(answers.outcome.kind, OUTCOME_DRAWN);
    assert_int_equal(answers.outcome.winner, PLAYER_NONE);
    assert_string_equal(answers.outcome.reason, ANSWERS_TOO_MUCH);
    assert_true(position_equal(position, same));
    position_free(position);
    position_free(same);
    game_release(game);
    diagnostics_release(&diagnostics);
    free(text);
}

/* --- games that are played ---------------------------------------------------------------------- */

static void expect_small(const char *path, struct game *game, void *context)
{
    (void)context;
    struct trial trial = game_try(game), again = game_try(game);
    if (trial.verdict != TRIAL_FINE || trial.most_work * SHIPPED_TIMES > WORK_ANSWER_MAX)
        fail_msg("%s: %llu units for an answer", path, (unsigned long long)trial.most_work);
    assert_int_equal(trial.most_work, again.most_work);
    assert_int_equal(trial.most_moves, again.most_moves);
}

static void games_we_ship_are_far_below(void **state)
{
    (void)state;
    assert_true(games_for_each(expect_small, NULL) >= 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_inner_stretch_allows_no_more_than_the_outer),
        cmocka_unit_test(what_an_inner_stretch_left_over_is_the_outers),
        cmocka_unit_test(a_condition_that_asks_for_too_many_attacks_is_refused_by_its_words),
        cmocka_unit_test(a_game_of_more_than_some_thousands_of_moves_is_refused),
        cmocka_unit_test(a_game_that_multiplies_while_it_is_loaded_is_refused),
        cmocka_unit_test(no_answer_about_a_hostile_game_goes_far_beyond_its_limit),
        cmocka_unit_test(attacks_that_depend_on_each_other_come_to_an_end),
        cmocka_unit_test(what_is_too_much_is_an_end_that_nobody_wins),
        cmocka_unit_test(games_we_ship_are_far_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
