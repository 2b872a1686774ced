/* A server among others: its lease, its rooms and duties, and the store's clock. */
#include "server/core/parts.h"
#include "tests/server/core/other_server.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

static void renewed_body(struct stage *stage)
{
    other_begins(stage);
    stage_play(stage, TWO_SIT);
    for (int i = 0; i < 12; i++) {
        pass(stage, LEASE_MS / 4);
        other_loads(stage);
        assert_string_not_equal(kept(stage)->owner, "n_other");
    }
    stage_play(stage, "ada: move 0_0 0_1 -> ack 4; moved 4\n");
}

static void a_renewed_lease_keeps_the_rooms(void **state)
{
    (void)state;
    with_lease(renewed_body);
}

static void stopped_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT);
    pass(stage, LATE_MS - 1);
    stage_play(stage, "ada hears: \n");
    pass(stage, LATE_MS);
    stage_play(stage, "ada hears: closed 1012\n"
                      "bob hears: closed 1012\n" ADA_COMES_BACK "ada: resume 3 -> ack 3 events\n"
                      "ada: move 0_0 0_1 -> ack 4; moved 4\n");
}

static void who_was_stopped_for_too_long_lets_go_of_all_rooms(void **state)
{
    (void)state;
    with_lease(stopped_body);
}

static void under_way_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT "store: holds\n"
                              "ada: #m move 0_0 0_1 -> \n");
    pass(stage, LATE_MS);
    stage_play(stage, "ada hears: closed 1012\n"
                      "store: answers\n"
                      "bob hears: closed 1012\n");
    assert_int_equal(kept(stage)->version, 4); /* written all the same */
    stage_play(stage, ADA_COMES_BACK "ada: resume 3 -> ack 4 events; moved 4\n"
                                     "ada: #m move 0_0 0_1 -> ack 4\n");
    assert_int_equal(kept(stage)->version, 4);
}

static void what_was_under_way_is_not_acknowledged_after_the_lease(void **state)
{
    (void)state;
    with_lease(under_way_body);
}

static void taken_body(struct stage *stage)
{
    other_begins(stage);
    stage_play(stage, TWO_SIT "store: is broken\n");
    for (int i = 0; i < 12; i++)
        pass(stage, LEASE_MS / 10);
    assert_false(core_ready(stage->core));
    stage_play(stage, "ada hears: closed 1012\n" ADA_COMES_BACK "ada: resume 3 -> unavailable\n"
                      "ada: create two -> unavailable\n"
                      "ada: ping -> pong\n");
    other_says(stage, "still here");
    stage_play(stage, "store: is whole\n");
    pass(stage, LEASE_MS / 10);
    assert_true(core_ready(stage->core));
    stage_play(stage, "ada: resume 3 -> ack 4 events; chat 4 moves\n"
                      "ada: move 0_0 0_1 -> ack 5; moved 5\n"
                      "ada: create two -> ack 1\n");
}

static void who_was_cut_off_has_no_rooms_until_its_next_lease(void **state)
{
    (void)state;
    with_lease(taken_body);
}

static void fenced_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT);
    ((struct kept_room *)kept(stage))->epoch = 7;
    stage_play(stage, "ada: move 0_0 0_1 -> ack 4; moved 4\n"
                      "bob hears: moved 4 moves\n");
    assert_int_equal(kept(stage)->events[3].epoch, 7);
}

static void an_epoch_that_an_operator_begins_is_followed(void **state)
{
    (void)state;
    with_lease(fenced_body);
}

static void idle_body(struct stage *stage)
{
    other_begins(stage);
    stage_play(stage, "ada: connects\n"
                      "ada: auth -> welcome\n"
                      "ada: create two -> ack 1\n");
    for (int i = 0; i < 40; i++)
        pass(stage, LEASE_MS / 5);
    assert_string_equal(kept(stage)->owner, "");
    other_loads(stage);
    assert_string_equal(kept(stage)->owner, "n_other");
    stage_play(stage, "ada: join any -> ack 2; snapshot 2 red\n");
    assert_string_equal(kept(stage)->owner, "n_other");
}

static void a_room_that_leaves_memory_is_given_back(void **state)
{
    (void)state;
    with_lease(idle_body);
}

static void rematch_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT "ada: resign -> ack 4; resigned 4\n"
                              "bob hears: resigned 4\n"
                              "ada: rematch.offer -> ack 5; rematch_offered 5\n"
                              "store: holds\n"
                              "bob: #r rematch.accept -> rematch_offered 5\n");
    pass(stage, LATE_MS);
    stage_play(stage, "bob hears: closed 1012\n"
                      "store: answers\n"
                      "bob: goes\nbob: connects\nbob: auth -> welcome\n"
                      "bob: resume 5 -> ack 6 events; rematch 6\n"
                      "bob: #r rematch.accept -> ack 6\n");
    assert_int_equal(stage->store.room_count, 2);
}

static void a_rematch_under_way_outlives_the_lease(void **state)
{
    (void)state;
    with_lease(rematch_body);
}

static void stop_body(struct stage *stage)
{
    other_begins(stage);
    stage_play(stage, TWO_SIT "store: holds\n"
                              "ada: move 0_0 0_1 -> \n"
                              "stop:\n");
    assert_false(core_quiet(stage->core));
    other_loads(stage);
    assert_string_not_equal(kept(stage)->owner, "n_other");
    stage_play(stage, "store: answers\n"
                      "ada hears: ack 4; moved 4\n");
    assert_true(core_quiet(stage->core));
    other_loads(stage);
    assert_string_equal(kept(stage)->owner, "n_other");
}

static void a_server_that_ends_gives_all_back_after_its_last_commit(void **state)
{
    (void)state;
    with_lease(stop_body);
}

static void lobby_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT "eve: connects\n"
                              "eve: auth -> welcome\n");
    other_begins(stage);
    struct store_request creation = {.ask = STORE_APPEND, .node = "n_other", .write_count = 1};
    creation.writes[0] = (struct store_write){
        .room = {.id = "elsewhr1",
                 .game = "two",
                 .title = "Two",
                 .definition_hash = "x",
                 .is_public = true,
                 .players = "[]"},
        .event = {.version = 1, .kind = "created", .client = "p", .command = "", .body = "{}"}};
    assert_int_equal(tell_store(stage, &creation), STORE_OK);
    stage_play(stage, "eve: lobby.subscribe -> lobby 1 0\n");
    pass(stage, LEASE_MS / 3);
    pass(stage, LEASE_MS / 3);
    stage_forget(stage, "eve");
    stage_play(stage, "eve: lobby.subscribe -> lobby 2 0\n");
    creation.writes[0].expected_version = 1;
    creation.writes[0].epoch = 1;
    creation.writes[0].room.status = STORE_FINISHED;
    creation.writes[0].event.version = 2;
    assert_int_equal(tell_store(stage, &creation), STORE_OK);
    pass(stage, LEASE_MS / 3);
    pass(stage, LEASE_MS / 3);
    stage_forget(stage, "eve");
    stage_play(stage, "eve: lobby.subscribe -> lobby 1 0\n");
}

static void the_lobby_follows_the_rooms_of_others(void **state)
{
    (void)state;
    with_lease(lobby_body);
}

/* --- duties -------------------------------------------------------------------------------------- */

static void duty_body(struct stage *stage)
{
    assert_true(lease_is_first(stage->core));
    tell_store(stage,
               &(struct store_request){
                   .ask = STORE_LEASE, .node = "a_first", .place = "there", .lease_ms = 3000});
    pass(stage, 1000);
    assert_false(lease_is_first(stage->core));
    for (int i = 0; i < 3; i++)
        pass(stage, 1000);
    assert_true(lease_is_first(stage->core)); /* the other one has said nothing more */
    stage_play(stage, "store: is broken\n");
    pass(stage, 2700);
    assert_true(core_ready(stage->core));
    assert_false(lease_is_first(stage->core)); /* somebody else's by now, perhaps */
    stage_play(stage, "store: is whole\n");
    pass(stage, LEASE_MS / 20);
    assert_true(lease_is_first(stage->core));
}

static void a_duty_is_taken_over_seconds_after_its_server_has_gone(void **state)
{
    (void)state;
    with_lease(duty_body);
}

/* --- the store's clock ------------------------------------------------------------------------------ */

/* Its way would make the clock wrong by up to half of it. */
static void an_answer_that_was_long_under_way_sets_no_clock(void **state)
{
    (void)state;
    struct stage *stage = malloc(sizeof *stage);
    stage_init_small(stage);
    stage_crash(stage);
    stage->options.lease_ms = LEASE_MS;
    stage->store_holds = true;
    stage_start(stage);
    for (int i = 0; i < 6; i++)
        pass(stage, LEASE_MS / 2);
    assert_false(core_ready(stage->core));
    stage_play(stage, "store: answers\ntime: 1\n");
    assert_true(core_ready(stage->core));
    stage_play(stage, TWO_SIT);
    assert_int_equal(kept(stage)->events[0].at_ms, stage->store.now_ms);
    stage_release(stage);
    free(stage);
}

/* The store's machine is too far away, or too busy, to answer sooner. */
static void clock_body(struct stage *stage)
{
    enum { SLOW_MS = 150, WRONG_MS = 1000 };
    stage->store.now_ms += WRONG_MS;
    for (int i = 0; i < 2 * WRONG_MS / 100; i++) {
        stage->store_holds = true;
        pass(stage, 1000); /* it asks */
        pass(stage, SLOW_MS);
        stage_play(stage, "store: answers\ntime: 1\n");
    }
    stage_play(stage, TWO_SIT);
    int64_t off_ms = kept(stage)->events[0].at_ms - stage->store.now_ms;
    assert_in_range(off_ms + 2 * SLOW_MS, 0, 4 * SLOW_MS);
}

static void a_wrong_clock_is_put_right_by_answers_that_take_their_time(void **state)
{
    (void)state;
    with_lease(clock_body);
}

/* --- clocks --------------------------------------------------------------------------------------- */

#define TEN_SECONDS_BEGUN                                                                          \
    "ada: connects\nada: auth -> welcome\nada: "                                                   \
    "{\"type\":\"create\",\"id\":\"c\",\"game\":\"two\",\"clock\":{\"initial_ms\":10000}} -> ack " \
    "1\n"                                                                                          \
    "ada: join red Ada -> ack 2; snapshot 2 red\n"                                                 \
    "bob: connects\nbob: auth -> welcome\n"                                                        \
    "bob: join any Bob -> ack 3; snapshot 3 green\nada hears: joined 3 moves\n"                    \
    "ada: move 0_0 0_1 -> ack 4; moved 4\nbob hears: moved 4 moves\n"                              \
    "bob: move 1_0 1_1 -> ack 5; moved 5\nada hears: moved 5 moves\n"

static long spent_ms(const struct kept_event *event)
{
    static const char word[] = "\"spent_ms\":";
    const char *found = strstr(event->body, word);
    return found ? strtol(found + strlen(word), NULL, 10) : 0;
}

/* Renewed each second: it took something a second ago, perhaps, and is asked again soon after it does so again. */
static void hung_body(struct stage *stage)
{
    stage_play(stage, TEN_SECONDS_BEGUN "time: 2000\nstore: holds\ntime: 30000\n"
                                        "ada hears: closed 1012\nbob hears: closed 1012\n"
                                        "store: answers\ntime: 1000\n" ADA_COMES_BACK
                                        "ada: resume 5 -> ack 5 events\n"
                                        "time: 1000\nada: move 0_1 0_2 -> ack 6; moved 6\n");
    assert_in_range(spent_ms(&kept(stage)->events[5]), 2000 - 1000, 2000 + 1000 + 1000);
}

static void while_a_store_that_hangs_gives_no_lease_clocks_stand(void **state)
{
    (void)state;
    with_lease(hung_body);
}

/* He may move as long as he has a connection, but nobody could tell him that he has. */
static void silent_body(struct stage *stage)
{
    stage_play(stage, TEN_SECONDS_BEGUN "time: 5000\nstore: holds\ntime: 6000\nada hears: \n");
    assert_int_equal(kept(stage)->version, 5);
    stage_play(stage, "store: answers\ntime: 1000\nada hears: flagged 6\nbob hears: flagged 6\n");
}

static void no_flag_falls_while_the_store_is_silent(void **state)
{
    (void)state;
    with_lease(silent_body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_renewed_lease_keeps_the_rooms),
        cmocka_unit_test(who_was_stopped_for_too_long_lets_go_of_all_rooms),
        cmocka_unit_test(what_was_under_way_is_not_acknowledged_after_the_lease),
        cmocka_unit_test(who_was_cut_off_has_no_rooms_until_its_next_lease),
        cmocka_unit_test(an_epoch_that_an_operator_begins_is_followed),
        cmocka_unit_test(a_room_that_leaves_memory_is_given_back),
        cmocka_unit_test(a_rematch_under_way_outlives_the_lease),
        cmocka_unit_test(a_server_that_ends_gives_all_back_after_its_last_commit),
        cmocka_unit_test(the_lobby_follows_the_rooms_of_others),
        cmocka_unit_test(an_answer_that_was_long_under_way_sets_no_clock),
        cmocka_unit_test(a_wrong_clock_is_put_right_by_answers_that_take_their_time),
        cmocka_unit_test(a_duty_is_taken_over_seconds_after_its_server_has_gone),
        cmocka_unit_test(while_a_store_that_hangs_gives_no_lease_clocks_stand),
        cmocka_unit_test(no_flag_falls_while_the_store_is_silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
