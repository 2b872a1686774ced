/* A server among others: the core under a lease, with another server played by the test on the same store. */
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define TWO_SIT                                                       \
    "ada: connects\n" "ada: auth -> welcome\n"                        \
    "ada: create two -> ack 1\n"                                      \
    "ada: join red Ada -> ack 2; snapshot 2 red\n"                    \
    "bob: connects\n" "bob: auth -> welcome\n"                        \
    "bob: join any Bob -> ack 3; snapshot 3 green\n"                  \
    "ada hears: joined 3 moves\n"
#define ADA_COMES_BACK "ada: goes\n" "ada: connects\n" "ada: auth -> welcome\n"
/* clang-format on */

enum { LEASE_MS = 10000, LATE_MS = 9000 /* when it is over by our own clock */ };

static void with_lease(void (*body)(struct stage *stage))
{
    struct stage *stage = malloc(sizeof *stage);
    stage_init_small(stage);
    stage_crash(stage);
    stage->options.lease_ms = LEASE_MS;
    stage->options.place = "here";
    stage->options.url = "https://a.example";
    stage_start(stage);
    assert_true(core_ready(stage->core));
    body(stage);
    stage_release(stage);
    free(stage);
}

static void pass(struct stage *stage, int ms)
{
    char line[32];
    snprintf(line, sizeof line, "time: %d", ms);
    stage_play(stage, line);
}

/* --- the other server ----------------------------------------------------------------------------- */

static enum store_status tell_store(struct stage *stage, const struct store_request *request)
{
    struct store_answer answer;
    memory_store_perform(&stage->store, request, &answer);
    store_answer_release(&answer);
    return answer.status;
}

static void other_begins(struct stage *stage)
{
    tell_store(stage, &(struct store_request){.ask = STORE_LEASE,
                                              .node = "n_other",
                                              .place = "there",
                                              .url = "https://b.example",
                                              .lease_ms = 1000000});
}

static enum store_status other_claims(struct stage *stage)
{
    return tell_store(
        stage, &(struct store_request){.ask = STORE_LOAD, .node = "n_other", .room = stage->room});
}

static const struct kept_room *kept(struct stage *stage)
{
    return memory_store_room(&stage->store, stage->room);
}

static void expect_moved(struct stage *stage, const char *who)
{
    json_t *error = stage_last(stage, who, "error");
    assert_non_null(error);
    assert_string_equal(json_string_value(json_object_get(error, "code")), "moved");
    assert_string_equal(json_string_value(json_object_get(error, "url")), "https://b.example");
    assert_true(json_is_true(json_object_get(error, "retry")));
    assert_true(json_integer_value(json_object_get(error, "retry_ms")) > 0);
    json_decref(error);
    stage_forget(stage, who);
}

/* --- cases ---------------------------------------------------------------------------------------- */

static void renewed_body(struct stage *stage)
{
    other_begins(stage);
    stage_play(stage, TWO_SIT);
    for (int i = 0; i < 12; i++) {
        pass(stage, LEASE_MS / 4);
        assert_int_equal(other_claims(stage), STORE_OWNED);
    }
    stage_play(stage, "ada: move 0_0 0_1 -> ack 4; moved 4\n");
    assert_int_equal(kept(stage)->epoch, 1);
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
    assert_true(kept(stage)->epoch > 1);
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
    assert_int_equal(kept(stage)->version, 4); /* written, in an epoch that was not over */
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
    assert_int_equal(other_claims(stage), STORE_OK);
    stage_play(stage, "store: is whole\n");
    pass(stage, LEASE_MS / 10);
    assert_true(core_ready(stage->core));
    stage_play(stage, "ada: resume 3");
    expect_moved(stage, "ada");
    stage_play(stage, "ada: join any");
    expect_moved(stage, "ada");
    stage_play(stage, "ada: create two -> ack 1\n");
}

static void a_room_that_was_taken_is_moved(void **state)
{
    (void)state;
    with_lease(taken_body);
}

/* The store's clock jumps: we think that all is well. */
static void fenced_body(struct stage *stage)
{
    other_begins(stage);
    stage_play(stage, TWO_SIT);
    stage->store.now_ms += 2 * LEASE_MS;
    assert_int_equal(other_claims(stage), STORE_OK);
    stage_play(stage, "ada: move 0_0 0_1 -> closed 1012\n"
                      "bob hears: closed 1012\n");
    assert_int_equal(kept(stage)->version, 3);
    stage_play(stage, ADA_COMES_BACK "ada: resume 3");
    expect_moved(stage, "ada");
}

static void an_append_of_an_old_epoch_is_dropped_with_its_room(void **state)
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
    assert_int_equal(other_claims(stage), STORE_OK);
    stage_play(stage, "ada: join any");
    expect_moved(stage, "ada");
}

static void a_room_that_leaves_memory_is_given_back(void **state)
{
    (void)state;
    with_lease(idle_body);
}

static void late_claim_body(struct stage *stage)
{
    other_begins(stage);
    stage_play(stage, TWO_SIT);
    for (int i = 0; i < 3; i++)
        pass(stage, LATE_MS);
    stage_play(stage, "ada hears: closed 1012\n" ADA_COMES_BACK "store: holds\n"
                      "ada: resume 3 -> \n");
    pass(stage, LATE_MS);
    stage_play(stage, "ada hears: unavailable\n"
                      "store: answers\n"
                      "ada hears: \n");
    assert_int_equal(other_claims(stage), STORE_OK);
}

static void a_claim_that_is_answered_too_late_is_given_back(void **state)
{
    (void)state;
    with_lease(late_claim_body);
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
    assert_int_equal(other_claims(stage), STORE_OWNED);
    stage_play(stage, "store: answers\n"
                      "ada hears: ack 4; moved 4\n");
    assert_true(core_quiet(stage->core));
    assert_int_equal(other_claims(stage), STORE_OK);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_renewed_lease_keeps_the_rooms),
        cmocka_unit_test(who_was_stopped_for_too_long_lets_go_of_all_rooms),
        cmocka_unit_test(what_was_under_way_is_not_acknowledged_after_the_lease),
        cmocka_unit_test(a_room_that_was_taken_is_moved),
        cmocka_unit_test(an_append_of_an_old_epoch_is_dropped_with_its_room),
        cmocka_unit_test(a_room_that_leaves_memory_is_given_back),
        cmocka_unit_test(a_claim_that_is_answered_too_late_is_given_back),
        cmocka_unit_test(a_rematch_under_way_outlives_the_lease),
        cmocka_unit_test(a_server_that_ends_gives_all_back_after_its_last_commit),
        cmocka_unit_test(the_lobby_follows_the_rooms_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
