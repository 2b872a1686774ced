/* Games with clocks: what a turn takes, when a flag falls, and that nobody loses time to the server. */
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include "server/core/clock.h"
#include "server/core/due.h"
#include "server/core/parts.h"

#include <stdlib.h>
#include <string.h>

/* --- one clock ---------------------------------------------------------------------------------- */

enum { TURNS_MAX = 8 };

struct course {
    const char *name;
    struct time_budget budget;
    uint32_t turns[TURNS_MAX]; /* what each takes; 0: the end */
    uint32_t left[TURNS_MAX];  /* of the main time, after it */
    int periods[TURNS_MAX];
    uint64_t falls_after; /* so long into the next turn */
};

static const struct course courses[] = {
    {"sudden death", {.initial_ms = 10000}, {3000, 4000}, {7000, 3000}, {0}, 3000},
    {"an increment",
     {.initial_ms = 10000, .increment_ms = 2000},
     {1000, 5000},
     {11000, 8000},
     {0},
     8000},
    {"a delay",
     {.initial_ms = 10000, .delay_ms = 2000},
     {1000, 2000, 5000},
     {10000, 10000, 7000},
     {0},
     9000},
    {"Bronstein's delay",
     {.initial_ms = 10000, .delay_ms = 2000, .bronstein = true},
     {1000, 2000, 5000},
     {10000, 10000, 7000},
     {0},
     7000},
    {"byo-yomi",
     {.initial_ms = 5000, .periods = 3, .period_ms = 1000},
     {4000, 1500, 900, 1100},
     {1000, 0, 0, 0},
     {3, 3, 3, 2},
     2000},
    {"so long for each turn",
     {.periods = 1, .period_ms = 1000},
     {999, 1, 500},
     {0, 0, 0},
     {1, 1, 1},
     1000},
};

static void a_turn_takes_what_the_time_control_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof courses / sizeof *courses; i++) {
        const struct course *course = &courses[i];
        struct clock clock = clock_new(&course->budget);
        for (int turn = 0; course->turns[turn] > 0; turn++) {
            clock_spend(&clock, &course->budget, course->turns[turn]);
            clock_end_turn(&clock, &course->budget);
            if (clock.left_ms != course->left[turn] || clock.periods != course->periods[turn])
                fail_msg("%s, turn %d: %u ms and %d periods", course->name, turn, clock.left_ms,
                         clock.periods);
        }
        assert_int_equal(clock_left_ms(&clock, &course->budget), course->falls_after);
    }
}

/* A flag falls at one moment, however a turn is cut into moves. */
static void a_flag_falls_at_one_moment(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        const struct time_budget budget = {.initial_ms = (uint32_t)(1 + test_random(&seed) % 50),
                                           .delay_ms = (uint32_t)(test_random(&seed) % 20),
                                           .bronstein = test_random(&seed) % 2 != 0,
                                           .periods = (int)(test_random(&seed) % 3),
                                           .period_ms = (uint32_t)(1 + test_random(&seed) % 20)};
        struct clock clock = clock_new(&budget);
        uint64_t left = clock_left_ms(&clock, &budget), spent = 0;
        while (spent < left) {
            assert_int_equal(clock_left_ms(&clock, &budget), left - spent);
            uint32_t step = (uint32_t)(1 + test_random(&seed) % 9);
            clock_spend(&clock, &budget, step);
            spent += step;
        }
        assert_int_equal(clock_left_ms(&clock, &budget), 0);
    }
}

static void the_first_that_is_due_comes_first(void **state)
{
    enum { COUNT = 200 };
    static struct due due[COUNT];
    struct dues dues = {NULL, 0, 0};
    uint64_t seed = 3;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        struct due *one = &due[test_random(&seed) % COUNT];
        if (test_random(&seed) % 3 == 0)
            due_clear(&dues, one);
        else
            due_set(&dues, one, test_random(&seed) % 1000, one);
        const struct due *least = NULL;
        for (int k = 0; k < COUNT; k++)
            if (due[k].place > 0 && (!least || due[k].at_ms < least->at_ms))
                least = &due[k];
        assert_int_equal(due_first(&dues) != NULL, least != NULL);
        if (least)
            assert_int_equal(due_first(&dues)->at_ms, least->at_ms);
    }
    for (int k = 0; k < COUNT; k++)
        due_clear(&dues, &due[k]);
    assert_null(due_first(&dues));
    dues_release(&dues);
}

/* --- a room ------------------------------------------------------------------------------------- */

#define CREATE(clock)                                                                              \
    "ada: connects\nada: auth -> welcome\nada: "                                                   \
    "{\"type\":\"create\",\"id\":\"c\",\"game\":\"two\",\"clock\":" clock "} -> ack 1\n"
#define TWO_SIT                                                                                    \
    "ada: join red Ada -> ack 2; snapshot 2 red\n"                                                 \
    "bob: connects\nbob: auth -> welcome\n"                                                        \
    "bob: join any Bob -> ack 3; snapshot 3 green\nada hears: joined 3 moves\n"
#define TEN_SECONDS CREATE("{\"initial_ms\":10000,\"increment_ms\":1000}") TWO_SIT
/* In a first turn nobody's clock runs. */
#define BOTH_BEGAN                                                                                 \
    "time: 5000\nada: move 0_0 0_1 -> ack 4; moved 4\nbob hears: moved 4 moves\n"                  \
    "time: 5000\nbob: move 1_0 1_1 -> ack 5; moved 5\nada hears: moved 5 moves\n"

static void expect_left(struct stage *stage, long long red, long long green)
{
    stage_play(stage, "ada: sync\n");
    json_t *snapshot = stage_last(stage, "ada", "snapshot");
    const json_t *seats = json_object_get(json_object_get(snapshot, "state"), "seats");
    const long long expected[] = {red, green};
    static const char *const names[] = {"red", "green"};
    for (int i = 0; i < 2; i++) {
        const json_t *clock = json_object_get(json_object_get(seats, names[i]), "clock");
        assert_non_null(clock);
        assert_int_equal(json_integer_value(json_object_get(clock, "left_ms")), expected[i]);
    }
    json_decref(snapshot);
    stage_forget(stage, "ada");
}

/* `how` ends: the name of who won, "nobody", or of several "NAME lost". */
static void expect_end(struct stage *stage, const char *name, const char *how, const char *reason)
{
    char script[64], end[64] = "nobody";
    snprintf(script, sizeof script, "%s: sync\n", name);
    stage_play(stage, script);
    json_t *snapshot = stage_last(stage, name, "snapshot");
    const json_t *result = json_object_get(json_object_get(snapshot, "state"), "result");
    const json_t *won = json_object_get(result, "winner"), *lost = json_object_get(result, "loser");
    assert_non_null(result);
    if (won || lost)
        snprintf(end, sizeof end, "%s%s", json_string_value(won ? won : lost), won ? "" : " lost");
    assert_string_equal(end, how);
    assert_string_equal(json_string_value(json_object_get(result, "reason")), reason);
    json_decref(snapshot);
    stage_forget(stage, name);
}

static void turns_take_time_and_the_log_knows_it(void **state)
{
    stage_play(*state, TEN_SECONDS BOTH_BEGAN
               "time: 3000\nada: move 0_1 0_2 -> ack 6; moved 6\nbob hears: moved 6 moves\n");
    expect_left(*state, 8000, 10000);
    stage_play(*state,
               "time: 4000\nbob: move 1_1 1_2 -> ack 7; moved 7\nada hears: moved 7 moves\n");
    expect_left(*state, 8000, 7000);
    stage_play(*state, "crash:\nada: connects\nada: auth -> welcome\nada: resume 0 -> ack 7 "
                       "snapshot; snapshot 7 red moves\n");
    expect_left(*state, 8000, 7000);
}

static void whose_flag_falls_has_lost(void **state)
{
    stage_play(*state, TEN_SECONDS BOTH_BEGAN "time: 9999\nada: ply 2 -> ply 2 5\ntime: 1\n"
                                              "ada hears: flagged 6\nbob hears: flagged 6\n"
                                              "ada: move 0_1 0_2 -> game_over\n");
    expect_end(*state, "ada", "green", "time");
}

/* The moves of one turn stop the clock once, and are given one increment, or one delay. */
static void a_turn_of_several_moves_is_one_turn(void **state)
{
    static const struct {
        const char *clock;
        long long left; /* after a turn of 1500 and 2500 ms */
    } cases[] = {
        {"\"increment_ms\":1000", 7000},
        {"\"delay_ms\":3000", 9000},
        {"\"delay_ms\":3000,\"bronstein\":true", 9000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char create[256];
        snprintf(create, sizeof create,
                 "ada: connects\nada: auth -> welcome\n"
                 "ada: {\"type\":\"create\",\"id\":\"c\",\"game\":\"hops\","
                 "\"clock\":{\"initial_ms\":10000,%s}} -> ack 1\n",
                 cases[i].clock);
        stage_clear(state);
        stage_set_small(state);
        stage_play(*state, create);
        stage_play(*state, TWO_SIT
                   "ada: move 5_1 6_1=lord -> ack 4; moved 4\nbob hears: moved 4 moves\n"
                   "bob: move 3_1 2_1 -> ack 5; moved 5\nada hears: moved 5 moves\n"
                   "time: 1500\nada: move 0_0 2_0 -> ack 6; moved 6 moves\nbob hears: moved 6\n"
                   "time: 2500\nada: move 2_0 4_0 -> ack 7; moved 7\nbob hears: moved 7 moves\n");
        expect_left(*state, cases[i].left, 10000);
    }
}

/* Of several, one has lost then, and nobody has won. */
static void of_three_the_flag_loses(void **state)
{
    stage_play(*state, "ada: connects\nada: auth -> welcome\n"
                       "ada: {\"type\":\"create\",\"id\":\"c\",\"game\":\"three\","
                       "\"clock\":{\"initial_ms\":10000}} -> ack 1\n"
                       "ada: join red -> ack 2; snapshot 2 red\n"
                       "bob: connects\nbob: auth -> welcome\n"
                       "bob: join green -> ack 3; snapshot 3 green\nada hears: joined 3\n"
                       "eve: connects\neve: auth -> welcome\n"
                       "eve: join blue -> ack 4; snapshot 4 blue\nada hears: joined 4 moves\n"
                       "ada: move 0_0 0_1 -> ack 5; moved 5\nbob hears: joined 4; moved 5 moves\n"
                       "bob: move 1_0 1_1 -> ack 6; moved 6\neve hears: moved 5; moved 6 moves\n"
                       "eve: move 2_0 2_1 -> ack 7; moved 7\n"
                       "ada hears: moved 6; moved 7 moves\ntime: 4000\n"
                       "ada: move 0_1 0_2 -> ack 8; moved 8\nbob hears: moved 7; moved 8 moves\n"
                       "time: 9999\nbob hears: \ntime: 1\nbob hears: flagged 9\n");
    expect_left(*state, 6000, 0);
    expect_end(*state, "ada", "green lost", "time");
}

/* It waits behind the flag, which is not on disk yet. */
static void a_move_that_comes_too_late_is_none(void **state)
{
    stage_play(*state, TEN_SECONDS BOTH_BEGAN
               "store: holds\ntime: 10000\nada: move 0_1 0_2\nbob hears: \n"
               "store: answers\nbob hears: flagged 6\nada hears: flagged 6; game_over\n");
    expect_end(*state, "ada", "green", "time");
}

static void who_does_not_begin_has_played_no_game(void **state)
{
    stage_play(*state, TEN_SECONDS "time: 59999\nada: ply 0 -> ply 0 3\ntime: 1\nada hears: "
                                   "flagged 4\nbob hears: flagged 4\n");
    expect_end(*state, "ada", "nobody", "red did not begin");
}

static void while_the_store_takes_nothing_clocks_stand(void **state)
{
    stage_play(*state, TEN_SECONDS BOTH_BEGAN
               "time: 2000\nstore: is broken\nada: move 0_1 0_2 -> unavailable\n"
               "time: 60000\nstore: is whole\n"
               "time: 1000\nada: move 0_1 0_2 -> ack 6; moved 6\n");
    expect_left(*state, 10000 - 2000 + 1000, 10000);
}

/* The time of whoever waits for the answer does not run either. */
static void while_the_store_is_slow_to_say_no_clocks_stand(void **state)
{
    stage_play(*state, TEN_SECONDS BOTH_BEGAN
               "time: 2000\nstore: holds\nada: move 0_1 0_2 -> \ntime: 7000\nstore: is broken\n"
               "store: answers\nada hears: unavailable\nstore: is whole\n"
               "time: 1000\nada: move 0_1 0_2 -> ack 6; moved 6\n");
    expect_left(*state, 10000 - 2000 + 1000, 10000);
}

/* Who is next sees the move when it is on disk, and his turn begins then. */
static void how_long_a_move_takes_to_be_stored_is_nobodys_time(void **state)
{
    stage_play(*state, TEN_SECONDS BOTH_BEGAN
               "time: 2000\nstore: holds\nada: move 0_1 0_2 -> \ntime: 7000\n"
               "store: answers\nada hears: ack 6; moved 6\nbob hears: moved 6 moves\n"
               "time: 1000\nbob: move 1_1 1_2 -> ack 7; moved 7\n");
    expect_left(*state, 10000 - 2000 + 1000, 10000 - 1000 + 1000);
}

/* His turn is over when his move has come. */
static void what_a_move_waits_for_is_not_its_players_time(void **state)
{
    stage_play(*state, TEN_SECONDS BOTH_BEGAN
               "time: 2000\nstore: holds\nbob: chat hm -> \nada: move 0_1 0_2 -> \ntime: 20000\n"
               "store: answers\nada hears: chat 6 moves; ack 7; moved 7\n");
    expect_left(*state, 10000 - 2000 + 1000, 10000);
}

/* It was written, as is found when the store is asked again. */
static void while_nobody_knows_what_became_of_a_move_clocks_stand(void **state)
{
    stage_play(*state, TEN_SECONDS BOTH_BEGAN
               "time: 2000\nstore: holds\nada: move 0_1 0_2 -> \ntime: 7000\n"
               "store: loses answers\nstore: answers\nada hears: moved 6; ack 6\n"
               "bob hears: moved 6 moves\nstore: keeps answers\n"
               "bob: move 1_1 1_2 -> ack 7; moved 7\n");
    expect_left(*state, 10000 - 2000 + 1000, 10000 + 1000);
}

/* What the server tells the store by itself shows that it takes something again, though nobody plays. */
static void when_the_store_takes_something_again_clocks_go_on(void **state)
{
    stage_play(*state, TEN_SECONDS BOTH_BEGAN
               "time: 2000\nstore: is broken\nada: move 0_1 0_2 -> unavailable\n"
               "time: 60000\nada: ply 2 -> ply 2 5\nstore: is whole\n"
               "time: 7999\nada: ply 2 -> ply 2 5\ntime: 20000\nada hears: flagged 6\n");
    expect_end(*state, "ada", "green", "time");
}

/* Or its machine; what was left of the turn before that is left. */
static void while_the_server_is_stopped_clocks_stand(void **state)
{
    stage_play(*state, TEN_SECONDS BOTH_BEGAN
               "time: 9000\nleap: 3600000\n"
               "time: 900\nada: move 0_1 0_2 -> ack 6; moved 6\nbob hears: moved 6 moves\n");
    expect_left(*state, 10000 - 9000 - 900 + 1000, 10000);
    stage_play(*state,
               "leap: 9000\ntime: 9999\nada: ply 3 -> ply 3 6\ntime: 1\nada hears: flagged 7\n");
    expect_end(*state, "ada", "red", "time");
}

static void a_turn_begins_anew_where_the_server_did(void **state)
{
    stage_play(*state, TEN_SECONDS BOTH_BEGAN
               "time: 9000\ncrash:\nleap: 3600000\n"
               "ada: connects\nada: auth -> welcome\nada: resume 5 -> ack 5 events\n"
               "time: 4000\nada: move 0_1 0_2 -> ack 6; moved 6\n");
    expect_left(*state, 10000 - 4000 + 1000, 10000);
}

static void a_long_game_is_played_at_a_sitting_too(void **state)
{
    stage_play(*state, CREATE("{\"initial_ms\":5400000,\"increment_ms\":30000}") TWO_SIT BOTH_BEGAN
               "time: 9000\ncrash:\nleap: 3600000\n"
               "ada: connects\nada: auth -> welcome\nada: resume 5 -> ack 5 events\n"
               "time: 4000\nada: move 0_1 0_2 -> ack 6; moved 6\n");
    expect_left(*state, 5400000 - 4000 + 30000, 5400000);
}

static void by_correspondence_days_count_however_often_the_server_starts(void **state)
{
    stage_play(*state,
               CREATE("{\"initial_ms\":0,\"periods\":1,\"period_ms\":259200000}") TWO_SIT BOTH_BEGAN
               "time: 200000000\ncrash:\n"
               "ada: connects\nada: auth -> welcome\nada: resume 5 -> ack 5 events\n"
               "time: 59199999\nada: ply 2 -> ply 2 5\ntime: 1\nada hears: flagged 6\n");
    expect_end(*state, "ada", "green", "time");
}

/* A member of the last frame of that kind that is not looked at yet, as canonical text; "" where there is none. */
static void expect_said(struct stage *stage, const char *name, const char *type, const char *member,
                        const char *expected)
{
    json_t *frame = stage_last(stage, name, type);
    assert_non_null(frame);
    const json_t *value = json_object_get(frame, member);
    char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    assert_string_equal(text ? text : "", expected);
    free(text);
    json_decref(frame);
}

/* With what ada is shown when she asks, or by what happened last. */
static void expect_to_begin(struct stage *stage, const char *type, bool expected)
{
    if (strcmp(type, "snapshot") == 0)
        stage_play(stage, "ada: sync\n");
    expect_said(stage, "ada", type, "to_begin", expected ? "true" : "");
    stage_forget(stage, "ada");
    stage_forget(stage, "bob");
}

/* That somebody has begun is not taken back with his move, and what was played before a fork is no beginning in it. */
static void who_has_to_begin_is_said(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, TEN_SECONDS);
    expect_to_begin(stage, "snapshot", true);
    stage_play(stage, "ada: move 0_0 0_1\n");
    expect_to_begin(stage, "event", true);
    stage_play(stage, "ada: takeback.offer\nbob: takeback.accept\n");
    expect_to_begin(stage, "event", false);
    expect_to_begin(stage, "snapshot", false);
    stage_play(stage, "ada: move 0_0 0_1\n");
    stage_forget(stage, "bob");
    stage_play(stage, "bob: move 1_0 1_1\n");
    expect_to_begin(stage, "event", false);
    stage_play(stage, "ada: {\"type\":\"create\",\"id\":\"f\",\"fork\":{\"room\":\"$R\",\"ply\":2},"
                      "\"clock\":{\"initial_ms\":10000}} -> ack 1\n"
                      "ada: join red -> ack 2; snapshot 2 red\nbob: join any\n");
    expect_to_begin(stage, "snapshot", true);
    stage_play(stage,
               "ada: create two -> ack 1\nada: join red -> ack 2; snapshot 2 red\nbob: join any\n");
    expect_to_begin(stage, "snapshot", false);
}

static void each_seat_may_have_a_time_of_its_own(void **state)
{
    stage_play(*state, CREATE("{\"initial_ms\":10000,\"seats\":{\"green\":{\"initial_ms\":2000}}}")
                           TWO_SIT BOTH_BEGAN);
    expect_left(*state, 10000, 2000);
    stage_play(*state, "ada: move 0_1 0_2 -> ack 6; moved 6\nbob hears: moved 6 moves\ntime: "
                       "2000\nbob hears: flagged 7\nada hears: flagged 7\n");
    expect_end(*state, "ada", "red", "time");
    stage_play(*state, "ada: rematch.offer -> ack 8; rematch_offered 8\nbob: rematch.accept -> "
                       "rematch_offered 8; ack 9; rematch 9\n");
    stage_go_on(*state, "ada");
    stage_play(*state, "ada: join any\n"); /* who had more time has it on the other side as well */
    expect_said(*state, "ada", "snapshot", "clock",
                "{\"initial_ms\":2000,\"seats\":{\"green\":{\"initial_ms\":10000}}}");
}

#define FAST "{\"increment_ms\":100,\"initial_ms\":5000}"
#define ODDS "{\"initial_ms\":5000,\"seats\":{\"green\":{\"initial_ms\":1000}}}"

/* Who accepts says what, or takes what stands. */
static void a_rematch_may_have_another_clock(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, TEN_SECONDS "ada: resign -> ack 4; resigned 4\nbob hears: resigned 4\n"
                                  "ada: rematch.offer {} -> bad_message\n"
                                  "ada: rematch.offer \"some\" -> bad_message\n"
                                  "ada: rematch.offer "
                                  "{\"initial_ms\":1,\"seats\":{\"blue\":{\"initial_ms\":1}}} -> "
                                  "no_such_seat\n"
                                  "ada: rematch.offer " FAST " -> ack 5; rematch_offered 5\n");
    expect_said(stage, "bob", "event", "clock", FAST);
    stage_play(stage, "bob hears: rematch_offered 5\n"
                      "ada: rematch.offer " FAST " -> ack 5\n"
                      "bob: rematch.accept \"none\" -> no_offer\n"
                      "bob: rematch.accept " ODDS " -> no_offer\n"
                      "bob: rematch.offer -> ack 6; rematch_offered 6\n"
                      "ada: sync\n");
    expect_said(stage, "ada", "event", "clock", "");
    expect_said(stage, "ada", "snapshot", "rematch_clock", "");
    stage_play(stage, "ada hears: rematch_offered 6; snapshot 6 red\n"
                      "ada: rematch.offer \"none\" -> ack 7; rematch_offered 7\ncrash:\n"
                      "bob: connects\nbob: auth -> welcome\nbob: resume 0\n");
    expect_said(stage, "bob", "snapshot", "rematch_clock", "\"none\"");
    stage_play(stage, "bob hears: ack 7 snapshot; snapshot 7 green\n"
                      "bob: rematch.decline -> ack 8; rematch_declined 8\nbob: sync\n");
    expect_said(stage, "bob", "snapshot", "rematch_clock", "");
    stage_play(stage, "bob hears: snapshot 8 green\n"
                      "bob: rematch.offer " ODDS " -> ack 9; rematch_offered 9\ncrash:\n"
                      "ada: connects\nada: auth -> welcome\nada: resume 9 -> ack 9 events\n"
                      "ada: rematch.accept " ODDS "\n");
    stage_go_on(stage, "ada");
    stage_play(stage, "ada: join any\n");
    expect_said(stage, "ada", "snapshot", "clock", ODDS);
}

/* What was used stays used, what was gained is lost. */
static void time_is_not_taken_back(void **state)
{
    stage_play(*state, TEN_SECONDS BOTH_BEGAN
               "time: 3000\nada: move 0_1 0_2 -> ack 6; moved 6\nbob hears: moved 6 moves\n"
               "ada: takeback.offer -> ack 7; takeback_offered 7\n"
               "bob: takeback.accept -> takeback_offered 7 moves; ack 8; taken_back 8\nada hears: "
               "taken_back 8 moves\n");
    expect_left(*state, 7000, 10000);
    stage_play(*state, "time: 7000\nada hears: flagged 9\n");
    expect_end(*state, "ada", "green", "time");
}

static const struct kept_room *kept(const struct stage *stage)
{
    return memory_store_room(&stage->store, stage->room);
}

/* As long as it takes, and a minute at a time: rooms leave memory and come back by the clock. */
static void wait_until_finished(struct stage *stage, int minutes_max)
{
    for (int i = 0; i < minutes_max && kept(stage)->status != STORE_FINISHED; i++)
        stage_play(stage, "time: 60000\n");
    assert_int_equal(kept(stage)->status, STORE_FINISHED);
    assert_string_equal(kept(stage)->events[kept(stage)->event_count - 1].kind, "flagged");
}

static void a_flag_falls_where_nobody_has_been_for_days(void **state)
{
    struct stage *stage = *state;
    stage_play(stage,
               CREATE("{\"initial_ms\":0,\"periods\":1,\"period_ms\":259200000}") TWO_SIT BOTH_BEGAN
               "ada: goes\nbob: goes\ntime: 70000\ntime: 70000\ntime: 70000\n");
    assert_null(core_find_room(stage->core, stage->room));
    uint64_t began_ms = stage->now_ms - 210000;
    wait_until_finished(stage, 3 * 24 * 60 + 5);
    assert_in_range(stage->now_ms - began_ms, 259200000, 259200000 + 120000);
    for (int i = 0; i < 3; i++)
        stage_play(stage, "time: 70000\n");
    assert_null(core_find_room(stage->core, stage->room));
}

/* And its turn begins anew. */
static void after_a_crash_nobody_has_to_come_back_for_a_flag_to_fall(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, CREATE("{\"initial_ms\":300000}") TWO_SIT BOTH_BEGAN "time: 100000\n"
                                                                           "crash:\ntime: 1\n");
    assert_null(core_find_room(stage->core, stage->room));
    uint64_t began_ms = stage->now_ms;
    wait_until_finished(stage, 60);
    assert_in_range(stage->now_ms - began_ms, 300000, 300000 + 4 * 60000);
}

/* --- what a flag means -------------------------------------------------------------------------- */

/* Red has two men, green one; by its file whose opponent is alone does not lose by time. */
#define FILE_OF_FLAGS                                                                              \
    "{\"format\":2,\"name\":\"flags\",\"players\":[\"red\",\"green\"],"                            \
    "\"cell\":{\"coordinates_names\":[\"x\"],\"geometry\":[[0,0],[1,0],[1,1],[0,1]],"              \
    "\"position\":{\"x\":\"x\",\"y\":\"0\"}},\"board\":{\"cells\":{\"box\":{\"x\":9}}},"           \
    "\"figures\":{\"man\":{\"movement\":[{\"x\":1,\"symmetric\":\"all\"}]}},"                      \
    "\"initial_position\":{\"red\":{\"man\":[\"0\",\"2\"]},\"green\":{\"man\":[\"8\"]}},"          \
    "\"turns\":[\"red\",\"green\"],\"results\":[{\"if\":{\"count\":{\"is\":{\"player\":\"mover\"}" \
    ","                                                                                            \
    "\"max\":1}},\"flag\":true,\"result\":\"draw\",\"reason\":\"alone\"}]}"
#define GAME_OF_FLAGS                                                                              \
    "ada: connects\nada: auth -> welcome\nada: "                                                   \
    "{\"type\":\"create\",\"id\":\"c\",\"definition\":" FILE_OF_FLAGS                              \
    ",\"clock\":{\"initial_ms\":10000}} -> ack 1\n"                                                \
    "ada: join red Ada -> ack 2; snapshot 2 red\n"                                                 \
    "bob: connects\nbob: auth -> welcome\nbob: join any Bob -> ack 3; snapshot 3 green\n"          \
    "ada hears: joined 3 moves\n"                                                                  \
    "ada: move 2 3 -> ack 4; moved 4\nbob hears: moved 4 moves\n"                                  \
    "bob: move 8 7 -> ack 5; moved 5\nada hears: moved 5 moves\n"

static void the_file_says_what_a_flag_means(void **state)
{
    stage_play(*state, GAME_OF_FLAGS "time: 10000\nada hears: flagged 6\nbob hears: flagged 6\n");
    expect_end(*state, "ada", "nobody", "alone");
}

static void where_it_says_nothing_the_flag_loses(void **state)
{
    stage_play(*state, GAME_OF_FLAGS "ada: move 3 4 -> ack 6; moved 6\nbob hears: moved 6 moves\n"
                                     "time: 10000\nada hears: flagged 7\nbob hears: flagged 7\n");
    expect_end(*state, "ada", "red", "time");
}

/* Whoever reads the log finds the same, and so does the server that lets the flag fall where nobody is. */
static void it_means_the_same_where_nobody_is(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, GAME_OF_FLAGS "crash:\n");
    wait_until_finished(stage, 10);
    stage_play(stage, "ada: connects\nada: auth -> welcome\nada: resume 5 -> ack 6 events; flagged "
                      "6\n");
    expect_end(stage, "ada", "nobody", "alone");
    stage_play(stage, "crash:\nada: connects\nada: auth -> welcome\nada: resume 0\n");
    expect_end(stage, "ada", "nobody", "alone");
}

static void nothing_is_written_for_a_game_without_a_clock(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n" TWO_SIT
                      "time: 200000\n");
    assert_int_equal(kept(stage)->due_at_ms, 0);
}

#define FORK(clock)                                                                                \
    "ada: {\"type\":\"create\",\"id\":\"f\",\"fork\":{\"room\":\"$R\",\"ply\":1},\"clock\":" clock \
    "}"
/* What was played before nobody there has played: all have all their time, and a first turn. */
static void a_fork_has_clocks_of_its_own(void **state)
{
    stage_play(*state, "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n" TWO_SIT
                       "ada: move 0_0 0_1 -> ack 4; moved 4\nbob hears: moved 4 moves\n");
    stage_play(
        *state,
        FORK("{\"initial_ms\":1,\"seats\":{\"blue\":{\"initial_ms\":1}}}") " -> no_such_seat\n");
    stage_play(
        *state,
        FORK(
            "{\"initial_ms\":4000,\"increment_ms\":500}") " -> ack 1\n"
                                                          "ada: join red -> ack 2; snapshot 2 red\n"
                                                          "bob: join any -> ack 3; snapshot 3 "
                                                          "green moves\nada hears: joined 3\n"
                                                          "time: 5000\nbob: move 1_0 1_1 -> ack 4; "
                                                          "moved 4\nada hears: moved 4 moves\n"
                                                          "time: 5000\nada: move 0_1 0_2 -> ack 5; "
                                                          "moved 5\nbob hears: moved 5 moves\n");
    expect_left(*state, 4000, 4000);
    stage_play(*state,
               "time: 1500\nbob: move 1_1 1_2 -> ack 6; moved 6\nada hears: moved 6 moves\n");
    expect_left(*state, 4000, 3000);
    stage_play(*state, "crash:\nada: connects\nada: auth -> welcome\nada: resume 0 -> ack 6 "
                       "snapshot; snapshot 6 red moves\n");
    expect_left(*state, 4000, 3000);
    stage_play(*state, "time: 4000\nada hears: flagged 7\n");
    expect_end(*state, "ada", "green", "time");
}

static void a_clock_nobody_can_read_is_refused(void **state)
{
    stage_play(
        *state,
        "ada: connects\nada: auth -> welcome\n"
        "ada: {\"type\":\"create\",\"id\":\"1\",\"game\":\"two\",\"clock\":{}} -> bad_message\n"
        "ada: {\"type\":\"create\",\"id\":\"2\",\"game\":\"two\",\"clock\":{\"initial_ms\":-1}} -> "
        "bad_message\n"
        "ada: "
        "{\"type\":\"create\",\"id\":\"3\",\"game\":\"two\",\"clock\":{\"initial_ms\":2592000001}} "
        "-> bad_message\n"
        "ada: "
        "{\"type\":\"create\",\"id\":\"4\",\"game\":\"two\",\"clock\":{\"initial_ms\":1,"
        "\"periods\":2}} -> bad_message\n"
        "ada: "
        "{\"type\":\"create\",\"id\":\"5\",\"game\":\"two\",\"clock\":{\"initial_ms\":1,\"seats\":{"
        "\"blue\":{\"initial_ms\":1}}}} -> no_such_seat\n"
        "ada: {\"type\":\"create\",\"id\":\"6\",\"game\":\"two\",\"clock\":{\"initial_ms\":1}} -> "
        "ack 1\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_takes_what_the_time_control_says),
        cmocka_unit_test(a_flag_falls_at_one_moment),
        cmocka_unit_test(the_first_that_is_due_comes_first),
        cmocka_unit_test_setup_teardown(turns_take_time_and_the_log_knows_it, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(whose_flag_falls_has_lost, stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(a_turn_of_several_moves_is_one_turn, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(of_three_the_flag_loses, stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(a_move_that_comes_too_late_is_none, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(who_does_not_begin_has_played_no_game, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(while_the_server_is_stopped_clocks_stand, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(while_the_store_takes_nothing_clocks_stand, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(while_the_store_is_slow_to_say_no_clocks_stand,
                                        stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(how_long_a_move_takes_to_be_stored_is_nobodys_time,
                                        stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(what_a_move_waits_for_is_not_its_players_time,
                                        stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(while_nobody_knows_what_became_of_a_move_clocks_stand,
                                        stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(when_the_store_takes_something_again_clocks_go_on,
                                        stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(a_turn_begins_anew_where_the_server_did, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(a_long_game_is_played_at_a_sitting_too, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(
            by_correspondence_days_count_however_often_the_server_starts, stage_set_small,
            stage_clear),
        cmocka_unit_test_setup_teardown(each_seat_may_have_a_time_of_its_own, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(a_rematch_may_have_another_clock, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(time_is_not_taken_back, stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(a_flag_falls_where_nobody_has_been_for_days,
                                        stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(after_a_crash_nobody_has_to_come_back_for_a_flag_to_fall,
                                        stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(the_file_says_what_a_flag_means, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(where_it_says_nothing_the_flag_loses, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(it_means_the_same_where_nobody_is, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(nothing_is_written_for_a_game_without_a_clock,
                                        stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(a_fork_has_clocks_of_its_own, stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(who_has_to_begin_is_said, stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(a_clock_nobody_can_read_is_refused, stage_set_small,
                                        stage_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
