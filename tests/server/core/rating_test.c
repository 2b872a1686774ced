/* Rated games come to count: once, whoever is there, and for whoever sat down. */
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
#define TABLE                                                     \
    "ada: connects\n" "ada: auth -> welcome\n"                    \
    "bob: connects\n" "bob: auth -> welcome\n"
#define TWO_SIT                                                   \
    "ada: join red Ada -> ack 2; snapshot 2 red\n"                \
    "bob: join any Bob -> ack 3; snapshot 3 green\n"              \
    "ada hears: joined 3 moves\n"
#define BOTH_BEGIN                                                \
    "ada: move 0_0 0_1 -> ack 4; moved 4\n" "bob hears: moved 4 moves\n" \
    "bob: move 1_0 1_1 -> ack 5; moved 5\n" "ada hears: moved 5 moves\n"
/* clang-format on */

static void create(struct stage *stage, const char *id)
{
    char line[256];
    snprintf(
        line, sizeof line,
        "ada: {\"type\":\"create\",\"id\":\"%s\",\"game\":\"two\",\"clock\":{\"initial_ms\":60000},"
        "\"rated\":true} -> ack 1\n",
        id);
    stage_play(stage, line);
}

static const struct store_rating *rating_of(const struct stage *stage, const char *name)
{
    for (int i = 0; i < stage->store.ratings.rating_count; i++)
        if (strcmp(stage->store.ratings.ratings[i].name, name) == 0)
            return &stage->store.ratings.ratings[i];
    return NULL;
}

static void expect(const struct stage *stage, const char *name, int64_t rating, int64_t games)
{
    const struct store_rating *found = rating_of(stage, name);
    assert_non_null(found);
    assert_string_equal(found->ladder, "two/bullet");
    assert_int_equal(found->strength.rating, rating);
    assert_int_equal(found->games, games);
}

static void a_game_counts_once(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, TABLE);
    create(stage, "c");
    stage_play(stage, TWO_SIT BOTH_BEGIN "ada: resign -> ack 6; resigned 6\n");
    assert_int_equal(stage->store.ratings.game_count, 1);
    stage_play(stage, "time: 1000\ntime: 1000\ntime: 1000\n");
    expect(stage, "Bob", 166221, 1);
    expect(stage, "Ada", 133779, 1);
    assert_int_equal(stage->store.ratings.last_number, 1);
}

/* At another speed, perhaps, but never without a clock or with odds. */
static void a_rematch_is_rated_as_well(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, TABLE);
    create(stage, "c");
    stage_play(stage, TWO_SIT
               "ada: resign -> ack 4; resigned 4\nbob hears: resigned 4\n"
               "ada: rematch.offer \"none\" -> bad_message\n"
               "ada: rematch.offer "
               "{\"initial_ms\":60000,\"seats\":{\"green\":{\"initial_ms\":1}}} -> bad_message\n"
               "ada: rematch.offer {\"initial_ms\":300000} -> ack 5; rematch_offered 5\n"
               "bob: rematch.accept -> rematch_offered 5; ack 6; rematch 6\n");
    stage_go_on(stage, "ada");
    stage_play(stage, "ada hears: rematch 6\nada: join any\n");
    json_t *snapshot = stage_last(stage, "ada", "snapshot");
    assert_string_equal(json_string_value(json_object_get(snapshot, "rated")), "blitz");
    json_decref(snapshot);
}

/* Nobody has the room in memory. */
static void it_counts_after_a_crash(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, TABLE);
    create(stage, "c");
    stage_play(stage, TWO_SIT BOTH_BEGIN "ada: resign -> ack 6; resigned 6\ncrash:\n"
                                         "time: 1000\ntime: 1000\ntime: 1000\n");
    expect(stage, "Bob", 166221, 1);
    assert_int_equal(stage->store.ratings.last_number, 1);
}

static void one_that_was_not_begun_does_not(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, TABLE);
    create(stage, "c");
    stage_play(stage, TWO_SIT "ada: abort -> ack 4; aborted 4\n"
                              "time: 1000\ntime: 1000\n");
    assert_int_equal(stage->store.ratings.game_count, 0);
    assert_int_equal(stage->store.ratings.rating_count, 0);
}

/* One who has no rating there is the same person on another device, and takes the rating along. */
static void the_key_moves_the_rating(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, TABLE);
    create(stage, "c");
    stage_play(stage, TWO_SIT BOTH_BEGIN "ada: resign -> ack 6; resigned 6\n"
                                         "bob hears: resigned 6\ntime: 1000\ntime: 1000\n");
    create(stage, "d");
    stage_play(stage,
               TWO_SIT BOTH_BEGIN "ada: seat_key -> seat_key 6 key; seat_key 6 moves\n"
                                  "eve: connects\neve: auth -> welcome\n"
                                  "eve: take Eve -> ack 7; snapshot 7 red moves\n"
                                  "eve: resign -> ack 8; resigned 8\ntime: 1000\ntime: 1000\n");
    assert_null(rating_of(stage, "Ada"));
    assert_int_equal(rating_of(stage, "Eve")->games, 2);
    assert_int_equal(rating_of(stage, "Bob")->won, 2);
    assert_int_equal(stage->store.ratings.rating_count, 2);
}

/* So a game about to be lost is not given away. */
static void one_who_has_a_rating_plays_for_who_sat_down(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, TABLE "eve: connects\neve: auth -> welcome\n");
    create(stage, "c");
    stage_play(
        stage,
        "ada: join red Ada -> ack 2; snapshot 2 red\n"
        "eve: join any Eve -> ack 3; snapshot 3 green\n"
        "ada hears: joined 3 moves\n"
        "ada: move 0_0 0_1 -> ack 4; moved 4\neve: move 1_0 1_1 -> moved 4 moves; ack 5; moved 5\n"
        "ada: resign -> moved 5 moves; ack 6; resigned 6\ntime: 1000\ntime: 1000\n");
    expect(stage, "Eve", 166221, 1);
    create(stage, "d");
    stage_play(stage,
               TWO_SIT BOTH_BEGIN "ada: seat_key -> seat_key 6 key; seat_key 6 moves\n"
                                  "eve: take Eve -> resigned 6; ack 7; snapshot 7 red moves\n"
                                  "eve: resign -> ack 8; resigned 8\ntime: 1000\ntime: 1000\n");
    expect(stage, "Eve", 166221, 1);
    assert_int_equal(rating_of(stage, "Ada")->games, 2);
}

/* It is the opponent's hand that may not take it. */
static void nobody_takes_both_seats(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, TABLE);
    create(stage, "c");
    stage_play(stage, "ada: join all -> seat_taken\n" TWO_SIT
                      "ada: seat_key -> seat_key 4 key; seat_key 4 moves\n"
                      "bob: take Bob -> seat_key 4; seat_taken\n");
}

#define ON_STAGE(test) cmocka_unit_test_setup_teardown(test, stage_set_small, stage_clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_STAGE(a_game_counts_once),       ON_STAGE(a_rematch_is_rated_as_well),
        ON_STAGE(it_counts_after_a_crash),  ON_STAGE(one_that_was_not_begun_does_not),
        ON_STAGE(the_key_moves_the_rating), ON_STAGE(one_who_has_a_rating_plays_for_who_sat_down),
        ON_STAGE(nobody_takes_both_seats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
