/* What is kept and what is not: rooms whose time is over, what one address may write, a store that is full. */
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define TWO_PLAY                                                      \
    "ada: connects\n" "ada: auth -> welcome\n"                        \
    "ada: create two -> ack 1\n"                                      \
    "ada: join red Ada -> ack 2; snapshot 2 red\n"                    \
    "bob: connects\n" "bob: auth -> welcome\n"                        \
    "bob: join any Bob -> ack 3; snapshot 3 green\n"                  \
    "ada hears: joined 3 moves\n"                                     \
    "ada: move 0_0 0_1 -> ack 4; moved 4\n"                           \
    "bob hears: moved 4 moves\n"
/* clang-format on */

static const int64_t hour_ms = 3600000, day_ms = 86400000;

static int set_stage(void **state)
{
    struct stage *stage = malloc(sizeof *stage);
    assert_non_null(stage);
    stage_init_small(stage);
    stage_crash(stage);
    stage->options.retention = (struct store_retention){
        .unmoved_ms = day_ms, .unfinished_ms = 3 * day_ms, .finished_ms = 5 * day_ms};
    stage->options.prune_every_ms = (uint64_t)hour_ms;
    stage->options.store_bytes_max = 1000000;
    stage->options.address_day_bytes = 4000;
    stage_start(stage);
    *state = stage;
    return 0;
}

static int clear_stage(void **state)
{
    stage_release(*state);
    free(*state);
    return 0;
}

/* Hour by hour, so that the server walks along its store, and each walk comes to its end. */
static void pass_hours(struct stage *stage, int hours)
{
    for (int i = 0; i < hours * 60; i++)
        stage_play(stage, "time: 60000\n");
}

static struct core_statistics statistics_of(const struct stage *stage)
{
    struct core_statistics statistics;
    core_read_statistics(stage->core, &statistics);
    return statistics;
}

/* --- rooms ------------------------------------------------------------------------------------ */

static void a_room_goes_when_its_time_is_over_and_nobody_is_there(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, "ada: connects\n"
                      "ada: auth -> welcome\n"
                      "ada: create two -> ack 1\n"
                      "ada: join red -> ack 2; snapshot 2 red\n");
    pass_hours(stage, 30);
    assert_non_null(memory_store_room(&stage->store, stage->room)); /* she waits there */
    stage_play(stage, "ada: goes\n");
    pass_hours(stage, 2);
    assert_null(memory_store_room(&stage->store, stage->room));
    assert_int_equal(statistics_of(stage).removed_rooms[STORE_NEVER_MOVED], 1);
    assert_int_equal(statistics_of(stage).removed_events, 2);
    stage_play(stage, "bob: connects\n"
                      "bob: auth -> welcome\n"
                      "bob: lobby.subscribe -> lobby 0 0\n"
                      "bob: join any -> unknown_room\n");
}

static void a_game_under_way_has_more_time(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, TWO_PLAY "ada: goes\n"
                               "bob: goes\n");
    pass_hours(stage, 70);
    assert_non_null(memory_store_room(&stage->store, stage->room));
    struct core_statistics statistics = statistics_of(stage);
    assert_int_equal(statistics.stored[STORE_PLAYING][true].rooms, 1);
    assert_int_equal(statistics.stored[STORE_PLAYING][true].events, 4);
    assert_in_range(statistics.walks, 60, 71);
    pass_hours(stage, 3);
    assert_null(memory_store_room(&stage->store, stage->room));
    assert_int_equal(statistics_of(stage).removed_rooms[STORE_ABANDONED], 1);
}

/* Their ids were shorter. */
static void rooms_of_earlier_servers_go_as_well(void **state)
{
    struct stage *stage = *state;
    struct store_answer answer;
    struct store_request request = {.ask = STORE_APPEND, .write_count = 1};
    request.writes[0].room = (struct store_room){.id = "8letters", .is_public = true};
    request.writes[0].event = (struct store_event){.version = 1, .kind = "created", .at_ms = 1};
    memory_store_perform(&stage->store, &request, &answer);
    store_answer_release(&answer);
    assert_non_null(memory_store_room(&stage->store, "8letters"));
    pass_hours(stage, 2);
    assert_null(memory_store_room(&stage->store, "8letters"));
}

static void a_store_that_fails_is_asked_again(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, "ada: connects\n"
                      "ada: auth -> welcome\n"
                      "ada: create two -> ack 1\n"
                      "ada: goes\n"
                      "store: is broken\n");
    pass_hours(stage, 26);
    assert_non_null(memory_store_room(&stage->store, stage->room));
    stage_play(stage, "store: is whole\n");
    pass_hours(stage, 2);
    assert_null(memory_store_room(&stage->store, stage->room));
}

static void what_is_kept_is_measured_by_kind(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, TWO_PLAY);
    assert_int_equal(statistics_of(stage).stored_bytes[STORE_SIZE_ROOMS], 0);
    pass_hours(stage, 2);
    struct core_statistics statistics = statistics_of(stage);
    assert_true(statistics.walks >= 2); /* of which none adds to the one before */
    assert_int_equal(statistics.stored_bytes[STORE_SIZE_ROOMS], 100);
    assert_int_equal(statistics.stored_bytes[STORE_SIZE_EVENTS], 100000 - 100);
    assert_int_equal(statistics.stored_bytes[STORE_SIZE_PICTURES], 0);
}

/* --- the store as a whole --------------------------------------------------------------------- */

static void a_full_store_takes_no_new_rooms_and_games_go_on(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, TWO_PLAY);
    stage->store.bytes = 1000000;
    stage_play(stage, "time: 10000\n"
                      "ada: create two -> unavailable\n"
                      "ada: fork 1 -> unavailable\n"
                      "ada: define -> unavailable\n"
                      "bob: move 1_0 1_1 -> ack 5; moved 5\n"
                      "ada hears: moved 5 moves\n"
                      "ada: chat hello -> ack 6; chat 6 moves\n"
                      "bob hears: chat 6\n");
    assert_int_equal(statistics_of(stage).store_full, 1);
    stage->store.bytes = 999999;
    stage_play(stage, "time: 10000\n"
                      "ada: create two -> ack 1\n");
}

/* --- one address ------------------------------------------------------------------------------- */

static uint64_t talk_until_refused(struct stage *stage, int *lines)
{
    for (*lines = 0; *lines < 1000; ++*lines) {
        stage_forget(stage, "ada");
        stage_play(stage, "ada: chat some_words_that_are_kept_for_long\n");
        json_t *error = stage_last(stage, "ada", "error");
        if (!error)
            continue;
        assert_string_equal(json_string_value(json_object_get(error, "code")), "rate_limited");
        assert_non_null(strstr(json_string_value(json_object_get(error, "message")), "in a day"));
        uint64_t retry_ms = (uint64_t)json_integer_value(json_object_get(error, "retry_ms"));
        json_decref(error);
        return retry_ms;
    }
    return 0;
}

static void who_has_written_a_days_worth_only_plays_on(void **state)
{
    struct stage *stage = *state;
    int lines;
    stage->address = (struct core_address){{[10] = 0xff, [11] = 0xff, [12] = 192, [15] = 1}};
    stage_play(stage, TWO_PLAY);
    uint64_t retry_ms = talk_until_refused(stage, &lines);
    assert_in_range(lines, 2, 30);
    assert_in_range(retry_ms, 1, 60 * 1000 + 64 * 1000);
    stage_forget(stage, "ada");
    stage_forget(stage, "bob");
    stage_play(stage, "ada: create two -> rate_limited\n"
                      "ada: define -> rate_limited\n"
                      "bob: fork 1 -> rate_limited\n"
                      "bob: chat hm -> rate_limited\n"
                      "bob: seat_key -> rate_limited\n"
                      "bob: ping -> pong\n"
                      "bob: move 1_0 1_1\n");
    json_t *moved = stage_last(stage, "ada", "event");
    assert_non_null(moved);
    json_decref(moved);
    stage->address.bytes[15] = 2;
    stage_play(stage, "eva: connects\n"
                      "eva: auth -> welcome\n"
                      "eva: create two -> ack 1\n");
    /* It comes back, and what is said is true. */
    char line[32];
    snprintf(line, sizeof line, "time: %d\n", (int)retry_ms + 64000);
    stage_play(stage, line);
    stage_forget(stage, "ada");
    stage_play(stage, "ada: create two -> ack 1\n");
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_stage, clear_stage)
    const struct CMUnitTest tests[] = {
        CASE(a_room_goes_when_its_time_is_over_and_nobody_is_there),
        CASE(a_game_under_way_has_more_time),
        CASE(rooms_of_earlier_servers_go_as_well),
        CASE(a_store_that_fails_is_asked_again),
        CASE(what_is_kept_is_measured_by_kind),
        CASE(a_full_store_takes_no_new_rooms_and_games_go_on),
        CASE(who_has_written_a_days_worth_only_plays_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
