/* Games with clocks over a slow network: the way from and to a player is not counted as his time, up to a quota. */
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include "server/core/clock.h"

#include <string.h>

/* Of ten seconds and one for each turn a turn adds 350 ms to the quota: 50 s for a game, of which a 250th, and 150. */
enum { GAIN_MS = 350, FIRST_MS = 3 * GAIN_MS, MOST_MS = 7 * GAIN_MS };
static const struct time_budget budget = {.initial_ms = 10000, .increment_ms = 1000};

#define TWO_SIT                                                                                    \
    "ada: connects\nada: auth -> welcome\nada: "                                                   \
    "{\"type\":\"create\",\"id\":\"c\",\"game\":\"two\",\"clock\":{\"initial_ms\":10000,"          \
    "\"increment_ms\":1000}} -> ack 1\n"                                                           \
    "ada: join red Ada -> ack 2; snapshot 2 red\n"                                                 \
    "bob: connects\nbob: auth -> welcome\n"                                                        \
    "bob: join any Bob -> ack 3; snapshot 3 green\nada hears: joined 3 moves\n"
/* In a first turn nobody's clock runs. */
#define BOTH_BEGAN                                                                                 \
    "time: 5000\nada: move 0_0 0_1 -> ack 4; moved 4\nbob hears: moved 4 moves\n"                  \
    "time: 5000\nbob: move 1_0 1_1 -> ack 5; moved 5\nada hears: moved 5 moves\n"

static void takes(struct stage *stage, const char *name, uint32_t round_trip_ms)
{
    core_peer_answered(stage->core, stage_peer(stage, name)->peer, round_trip_ms);
}

static long long member(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

/* What the last event that Ada has heard says. */
static void expect_time(struct stage *stage, long long spent, long long compensated, long long lag)
{
    json_t *event = stage_last(stage, "ada", "event");
    assert_non_null(event);
    if (member(event, "spent_ms") != spent || member(event, "compensated_ms") != compensated ||
        member(event, "lag_ms") != lag)
        fail_msg("spent %lld, compensated %lld, lag %lld", member(event, "spent_ms"),
                 member(event, "compensated_ms"), member(event, "lag_ms"));
    json_decref(event);
    stage_forget(stage, "ada");
}

static void expect_left(struct stage *stage, const char *seat, long long left)
{
    stage_play(stage, "bob: sync\n");
    json_t *snapshot = stage_last(stage, "bob", "snapshot");
    const json_t *seats = json_object_get(json_object_get(snapshot, "state"), "seats");
    assert_int_equal(member(json_object_get(json_object_get(seats, seat), "clock"), "left_ms"),
                     left);
    json_decref(snapshot);
    stage_forget(stage, "bob");
}

/* --- one clock ---------------------------------------------------------------------------------- */

static void a_quota_is_used_up_and_fills_up_again(void **state)
{
    struct clock clock = clock_new(&budget);
    (void)state;
    assert_int_equal(clock_compensation(&clock, 400, 5000), 400);
    assert_int_equal(clock_compensation(&clock, 400, 100), 100); /* no more than the move took */
    assert_int_equal(clock_compensation(&clock, 9000, 9000), FIRST_MS);
    clock_compensate(&clock, 9000, FIRST_MS);
    assert_int_equal(clock_compensation(&clock, 1, 1), 0);
    for (int turn = 1; turn <= 10; turn++) {
        clock_end_turn(&clock, &budget);
        int quota = turn * GAIN_MS;
        assert_int_equal(clock_compensation(&clock, 9000, 9000), quota < MOST_MS ? quota : MOST_MS);
    }
    clock_compensate(&clock, 1, UINT32_MAX); /* as a log may say that was not written here */
    assert_int_equal(clock_grace_ms(&clock), 0);
}

/* Whoever says that he is far away wins no game by it: in all he gets what the turns have added, and what there was. */
static void a_player_gains_no_more_than_the_quota(void **state)
{
    static const struct time_budget budgets[] = {{.initial_ms = 15000},
                                                 {.initial_ms = 60000, .increment_ms = 1000},
                                                 {.initial_ms = 600000},
                                                 {.periods = 1, .period_ms = 259200000}};
    (void)state;
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        struct clock clock = clock_new(&budgets[i]);
        uint64_t seed = i, gained = 0;
        for (int turn = 1; turn <= 1000; turn++) {
            uint32_t spent = (uint32_t)(test_random(&seed) % 10000);
            uint32_t back = clock_compensation(&clock, 60000, spent);
            clock_compensate(&clock, 60000, back);
            clock_end_turn(&clock, &budgets[i]);
            gained += back;
            assert_true(gained <= (uint64_t)(turn + 3) * 1000);
        }
        assert_true(gained > 0);
    }
}

/* --- a room ------------------------------------------------------------------------------------- */

static void the_way_is_not_counted_and_the_event_says_so(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, TWO_SIT BOTH_BEGAN);
    takes(stage, "ada", 300);
    stage_play(stage, "time: 3000\nada: move 0_1 0_2\n");
    expect_time(stage, 2700, 300, 300);
    expect_left(stage, "red", 10000 - 2700 + 1000);
    stage_play(stage, "time: 2000\nbob: move 1_1 1_2\n"); /* nobody has measured his */
    expect_time(stage, 2000, 0, 0);
    stage_play(stage, "time: 100\nada: move 0_2 0_3\n"); /* no more than it took */
    expect_time(stage, 0, 100, 300);
    expect_left(stage, "red", 10000 - 2700 + 1000 + 1000);
}

static void who_reads_the_log_finds_the_clocks_and_the_quota(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, TWO_SIT BOTH_BEGAN);
    takes(stage, "ada", 4000);
    stage_play(stage, "time: 5000\nada: move 0_1 0_2\n");
    expect_time(stage, 5000 - FIRST_MS, FIRST_MS, 4000);
    stage_play(stage, "bob: sync\n");
    json_t *before = stage_last(stage, "bob", "snapshot");
    stage_play(stage, "crash:\nbob: connects\nbob: auth -> welcome\nbob: resume 0\n");
    json_t *after = stage_last(stage, "bob", "snapshot");
    assert_string_equal(json_string_value(json_object_get(before, "hash")),
                        json_string_value(json_object_get(after, "hash")));
    json_decref(before);
    json_decref(after);
    stage_forget(stage, "bob");
    stage_play(stage, "ada: connects\nada: auth -> welcome\nada: resume 0\nbob: move 1_1 1_2\n");
    stage_forget(stage, "ada");
    takes(stage, "ada", 4000);
    stage_play(stage, "time: 1000\nada: move 0_2 0_3\n"); /* one turn has filled it up */
    expect_time(stage, 1000 - GAIN_MS, GAIN_MS, 4000);
}

/* The flag waits for a move that may be on its way, and no longer. */
static void a_move_on_its_way_was_made_in_time(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, TWO_SIT);
    takes(stage, "ada", 300);
    stage_play(stage, BOTH_BEGAN "time: 10200\nada: move 0_1 0_2\n");
    expect_time(stage, 9900, 300, 300);
    expect_left(stage, "red", 100 + 1000);
    stage_play(stage, "bob: move 1_1 1_2\ntime: 1399\nada: ply 4 -> moved 7 moves; ply 4 7\n"
                      "time: 1\nada hears: flagged 8\nbob hears: ack 7; moved 7; flagged 8\n");
}

/* The log says how far away he was; he is nearer now, and what is given back is what the way takes now. */
static void a_move_made_too_late_is_none_though_the_flag_waits(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, TWO_SIT);
    takes(stage, "ada", 300);
    stage_play(stage, BOTH_BEGAN);
    takes(stage, "ada", 50);
    stage_play(stage, "time: 10100\nada: move 0_1 0_2 -> game_over; flagged 6\n");
}

/* Asked when he sits down, and with each acknowledgement; those on this machine are never asked. */
static void the_round_trip_is_measured_beside_the_acknowledgement(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, TWO_SIT);
    assert_int_equal(stage->measured, stage_peer(stage, "bob")->peer);
    int count = stage->measured_count;
    stage_play(stage, "time: 5000\nada: move 0_0 0_1 -> ack 4; moved 4\n");
    assert_int_equal(stage->measured_count, count + 1);
    assert_int_equal(stage->measured, stage_peer(stage, "ada")->peer);
    stage_play(stage, "ada: move 0_1 0_2 -> not_your_turn\n");
    stage_play(stage, "eve: connects\neve: auth -> welcome\neve: create two -> ack 1\n"
                      "eve: join all -> ack 2; snapshot 2 all moves\n"
                      "eve: move 0_0 0_1 -> ack 3; moved 3 moves\n"); /* without a clock */
    assert_int_equal(stage->measured_count, count + 1);
    stage_open(stage, "robot", true);
    stage_play(stage,
               "robot: auth -> welcome\nrobot: {\"type\":\"create\",\"id\":\"r\",\"game\":\"two\","
               "\"clock\":{\"initial_ms\":10000}} -> ack 1\n"
               "robot: join all -> ack 2; snapshot 2 all moves bare\n"
               "robot: move 0_0 0_1 -> ack 3; moved 3 moves\n");
    assert_int_equal(stage->measured_count, count + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quota_is_used_up_and_fills_up_again),
        cmocka_unit_test(a_player_gains_no_more_than_the_quota),
        cmocka_unit_test_setup_teardown(the_way_is_not_counted_and_the_event_says_so,
                                        stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(who_reads_the_log_finds_the_clocks_and_the_quota,
                                        stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(a_move_on_its_way_was_made_in_time, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(a_move_made_too_late_is_none_though_the_flag_waits,
                                        stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(the_round_trip_is_measured_beside_the_acknowledgement,
                                        stage_set_small, stage_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
