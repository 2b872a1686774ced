/* A game that has hardly begun may be aborted by any of its players; then it is over, and does not count. */
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#define TWO_SIT                                                                                    \
    "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n"                              \
    "ada: join red Ada -> ack 2; snapshot 2 red\n"                                                 \
    "bob: connects\nbob: auth -> welcome\n"                                                        \
    "bob: join any Bob -> ack 3; snapshot 3 green\nada hears: joined 3 moves\n"
#define THREE_SIT                                                                                  \
    "ada: join red -> ack 2; snapshot 2 red\n"                                                     \
    "bob: connects\nbob: auth -> welcome\nbob: join green -> ack 3; snapshot 3 green\n"            \
    "eve: connects\neve: auth -> welcome\neve: join blue -> ack 4; snapshot 4 blue\n"              \
    "ada hears: joined 3; joined 4 moves\nbob hears: joined 4\n"

static void with_stage(void (*body)(struct stage *stage))
{
    struct stage *stage = malloc(sizeof *stage);
    assert_non_null(stage);
    stage_init_small(stage);
    body(stage);
    stage_release(stage);
    free(stage);
}

static void expect_aborted(struct stage *stage, const char *name, const char *reason)
{
    char script[64];
    snprintf(script, sizeof script, "%s: sync\n", name);
    stage_play(stage, script);
    json_t *snapshot = stage_last(stage, name, "snapshot");
    const json_t *state = json_object_get(snapshot, "state"),
                 *result = json_object_get(state, "result");
    assert_string_equal(json_string_value(json_object_get(state, "status")), "finished");
    assert_true(json_is_true(json_object_get(result, "aborted")));
    assert_string_equal(json_string_value(json_object_get(result, "reason")), reason);
    assert_int_equal(json_object_size(result), 2);
    assert_int_equal(memory_store_room(&stage->store, stage->room)->status, STORE_FINISHED);
    json_decref(snapshot);
}

/* Whether the last frame of that type, not compared yet, says that the game may be aborted. */
static bool says_so(struct stage *stage, const char *name, const char *type)
{
    json_t *frame = stage_last(stage, name, type);
    assert_non_null(frame);
    const json_t *may = json_object_get(frame, "may_abort");
    assert_true(!may || json_is_true(may));
    bool so = may != NULL;
    json_decref(frame);
    return so;
}

/* Of one who has heard nothing that is still to be compared. */
static bool may_be_aborted(struct stage *stage, const char *name)
{
    char script[64];
    snprintf(script, sizeof script, "%s: sync\n", name);
    stage_play(stage, script);
    bool so = says_so(stage, name, "snapshot");
    stage_forget(stage, name);
    return so;
}

/* --- until when ------------------------------------------------------------------------------------------ */

static void before_any_move_body(struct stage *stage)
{
    stage_play(stage,
               "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n"
               "ada: abort -> not_in_room\nada: join red Ada -> ack 2; snapshot 2 red\n"
               "ada: abort -> not_started\n"
               "bob: connects\nbob: auth -> welcome\n"
               "bob: join any Bob -> ack 3; snapshot 3 green\nada hears: joined 3 moves\n"
               "eve: connects\neve: auth -> welcome\n"
               "eve: join spectator -> ack 3; snapshot 3 spectator\neve: abort -> not_seated\n"
               "bob: #a abort -> ack 4; aborted 4\nada hears: aborted 4\n"
               "eve hears: aborted 4\nbob: #a abort -> ack 4\nada: abort -> game_over\n"
               "ada: move 0_0 0_1 -> game_over\nada: resign -> game_over\n");
    expect_aborted(stage, "ada", "aborted by green");
    stage_play(stage, "crash:\nbob: connects\nbob: auth -> welcome\n"
                      "bob: resume 0 -> ack 4 snapshot; snapshot 4 green\n"
                      "bob: #a abort -> ack 4\n");
    expect_aborted(stage, "bob", "aborted by green");
}

static void before_any_move_either_player_may_and_it_holds_after_a_crash(void **state)
{
    (void)state;
    with_stage(before_any_move_body);
}

static void after_one_move_body(struct stage *stage)
{
    stage_play(stage,
               TWO_SIT "ada: move 0_0 0_1 -> ack 4; moved 4\n"
                       "ada: abort -> ack 5; aborted 5\nbob hears: moved 4 moves; aborted 5\n");
    expect_aborted(stage, "bob", "aborted by red");
}

static void after_ones_own_move_one_may_as_long_as_the_other_has_made_none(void **state)
{
    (void)state;
    with_stage(after_one_move_body);
}

static void too_late_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT "ada: move 0_0 0_1 -> ack 4; moved 4\n");
    assert_true(may_be_aborted(stage, "ada"));
    stage_play(stage, "bob: move 1_0 1_1 -> moved 4 moves; ack 5; moved 5\n"
                      "ada: abort -> moved 5 moves; too_late\nbob: abort -> too_late\n");
    assert_false(may_be_aborted(stage, "ada"));
    stage_play(stage,
               "crash:\nada: connects\nada: auth -> welcome\n"
               "ada: resume 0 -> ack 5 snapshot; snapshot 5 red moves\nada: abort -> too_late\n");
    assert_false(may_be_aborted(stage, "ada"));
}

static void once_both_have_moved_it_is_too_late(void **state)
{
    (void)state;
    with_stage(too_late_body);
}

static void three_body(struct stage *stage)
{
    stage_play(stage, "ada: connects\nada: auth -> welcome\nada: create three -> ack 1\n" THREE_SIT
                      "ada: move 0_0 0_1 -> ack 5; moved 5\n"
                      "bob: move 1_0 1_1 -> moved 5 moves; ack 6; moved 6\n");
    assert_true(may_be_aborted(stage, "bob"));
    stage_play(stage, "eve: abort -> moved 5; moved 6 moves; ack 7; aborted 7\n");
    expect_aborted(stage, "eve", "aborted by blue");
}

static void of_three_all_must_have_moved(void **state)
{
    (void)state;
    with_stage(three_body);
}

/* The third one moves so late that the others are in the middle of their game. */
static const char latecomer[] =
    "{\\\"format\\\":2,\\\"name\\\":\\\"late\\\",\\\"players\\\":[\\\"red\\\",\\\"green\\\","
    "\\\"blue\\\"],\\\"cell\\\":{\\\"coordinates_names\\\":[\\\"x\\\",\\\"y\\\"],"
    "\\\"geometry\\\":[[0,0],[1,0],[1,1]],\\\"position\\\":{\\\"x\\\":\\\"x\\\",\\\"y\\\":"
    "\\\"y\\\"}},"
    "\\\"board\\\":{\\\"cells\\\":{\\\"box\\\":{\\\"x\\\":3,\\\"y\\\":9}}},"
    "\\\"figures\\\":{\\\"man\\\":{\\\"movement\\\":[{\\\"y\\\":1}]}},"
    "\\\"turns\\\":[\\\"red\\\",\\\"green\\\",\\\"red\\\",\\\"green\\\",\\\"blue\\\"],"
    "\\\"initial_position\\\":{\\\"red\\\":{\\\"man\\\":[\\\"0_0\\\"]},\\\"green\\\":{\\\"man\\\":"
    "[\\\"1_0\\\"]},\\\"blue\\\":{\\\"man\\\":[\\\"2_0\\\"]}}}";

static void latecomer_body(struct stage *stage)
{
    char create[2048];
    snprintf(create, sizeof create,
             "ada: connects\nada: auth -> welcome\n"
             "ada: {\"type\":\"create\",\"id\":\"late\",\"definition\":\"%s\"} -> ack 1\n",
             latecomer);
    stage_play(stage, create);
    stage_play(stage, THREE_SIT "ada: move 0_0 0_1 -> ack 5; moved 5\n"
                                "bob: move 1_0 1_1 -> moved 5 moves; ack 6; moved 6\n");
    assert_true(may_be_aborted(stage, "bob"));
    stage_play(stage, "ada: move 0_1 0_2 -> moved 6 moves; ack 7; moved 7\n"
                      "eve: abort -> moved 5; moved 6; moved 7; too_late\n");
}

static void
a_player_who_waits_long_for_a_first_turn_does_not_keep_the_game_in_its_beginning(void **state)
{
    (void)state;
    with_stage(latecomer_body);
}

/* Red's turn is of two moves. */
static void long_turn_body(struct stage *stage)
{
    stage_play(stage, "ada: connects\nada: auth -> welcome\nada: create hops -> ack 1\n"
                      "ada: join red Ada -> ack 2; snapshot 2 red\n"
                      "bob: connects\nbob: auth -> welcome\n"
                      "bob: join any Bob -> ack 3; snapshot 3 green\nada hears: joined 3 moves\n"
                      "ada: move 0_0 2_0 -> ack 4; moved 4 moves\n"
                      "ada: move 2_0 4_0 -> ack 5; moved 5\n"
                      "bob: abort -> moved 4; moved 5 moves; ack 6; aborted 6\n");
    expect_aborted(stage, "bob", "aborted by green");
}

static void a_turn_of_several_moves_is_one(void **state)
{
    (void)state;
    with_stage(long_turn_body);
}

static void alone_body(struct stage *stage)
{
    stage_play(stage,
               "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n"
               "ada: join all -> ack 2; snapshot 2 all moves\n"
               "ada: move 0_0 0_1 -> ack 3; moved 3 moves\nada: abort -> ack 4; aborted 4\n");
    expect_aborted(stage, "ada", "aborted by green"); /* whose turn it was */
}

static void whoever_has_all_seats_may_too(void **state)
{
    (void)state;
    with_stage(alone_body);
}

/* Nobody has moved in it yet. */
static void fork_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT "ada: move 0_0 0_1\nbob: move 1_0 1_1\nada: move 0_1 0_2\n"
                              "eve: connects\neve: auth -> welcome\neve: fork 3 -> ack 1\n"
                              "eve: join all -> ack 2; snapshot 2 all moves\n");
    assert_true(may_be_aborted(stage, "eve"));
    stage_play(stage,
               "eve: move 1_1 1_2 -> ack 3; moved 3 moves\neve: abort -> ack 4; aborted 4\n");
    expect_aborted(stage, "eve", "aborted by red");
}

static void moves_that_a_fork_came_with_do_not_count(void **state)
{
    (void)state;
    with_stage(fork_body);
}

/* --- what is said of it ----------------------------------------------------------------------------------- */

static void told_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT "ada: chat hello\n");
    assert_true(says_so(stage, "ada", "event"));
    stage_play(stage, "ada: abort\n");
    assert_false(says_so(stage, "ada", "event"));
    json_t *event = stage_last(stage, "ada", "event");
    char *patch = json_dumps(json_object_get(event, "patch"), JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(patch, "{\"result\":{\"aborted\":true,\"reason\":\"aborted by red\"},"
                               "\"status\":\"finished\",\"to_move\":null}");
    free(patch);
    json_decref(event);
    stage_play(
        stage,
        "ada: rematch.offer -> ack 4; chat 4 moves; ack 5; aborted 5; ack 6; rematch_offered 6\n"
        "bob: rematch.accept -> chat 4; aborted 5; rematch_offered 6; ack 7; rematch 7\n");
}

static void who_is_there_is_told_whether_it_may_be_and_may_ask_for_another_game(void **state)
{
    (void)state;
    with_stage(told_body);
}

static void lobby_body(struct stage *stage)
{
    stage_play(stage,
               TWO_SIT "eve: connects\neve: auth -> welcome\neve: lobby.subscribe -> lobby 1 0\n"
                       "ada: abort -> ack 4; aborted 4\ntime: 1000\neve hears: lobby 0 0\n");
}

static void the_lobby_does_not_list_it_any_more(void **state)
{
    (void)state;
    with_stage(lobby_body);
}

/* --- as a file -------------------------------------------------------------------------------------------- */

static char *exported(struct stage *stage, uint64_t request)
{
    core_export(stage->core, request, &stage->address, stage->room, RECORD_AS_FILE);
    stage_work(stage);
    assert_int_equal(stage->transfer.request, request);
    assert_non_null(stage->transfer.text);
    return strdup(stage->transfer.text);
}

static void record_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT "ada: move 0_0 0_1\nbob: abort\nada: chat bye\n");
    char first[ROOM_ID_BYTES + 1];
    char *text = exported(stage, 1001);
    memcpy(first, stage->room, sizeof first);
    core_import(stage->core, 1002, &stage->address, text, strlen(text), true);
    stage_work(stage);
    assert_int_equal(stage->transfer.refusal, REFUSAL_NONE);
    memcpy(stage->room, stage->transfer.room, sizeof stage->room);
    stage_play(stage, "crash:\neve: connects\neve: auth -> welcome\n"
                      "eve: resume 0 -> ack 1 snapshot; snapshot 1 spectator\n"
                      "eve: join red -> seat_taken\neve: ply 1 -> ply 1 1\n");
    expect_aborted(stage, "eve", "aborted by green");
    char *again = exported(stage, 1003), *room = strstr(again, stage->room);
    assert_non_null(room);
    memcpy(room, first, ROOM_ID_BYTES);
    assert_string_equal(again, text);
    free(again);
    free(text);
}

static void it_leaves_as_a_record_and_comes_again(void **state)
{
    (void)state;
    with_stage(record_body);
}

/* A record in which it was aborted when that was no longer possible is none. */
static void late_record_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT "ada: move 0_0 0_1\nbob: move 1_0 1_1\nada: resign\n");
    char *text = exported(stage, 1001), *kind = strstr(text, "\"resigned\"");
    assert_non_null(kind);
    memcpy(kind, "\"aborted\" ", strlen("\"aborted\" "));
    core_import(stage->core, 1002, &stage->address, text, strlen(text), true);
    stage_work(stage);
    assert_string_equal(refusal_code(stage->transfer.refusal), "bad_message");
    assert_non_null(strstr(stage->transfer.words, "event 6 (aborted) cannot follow"));
    free(text);
}

static void a_record_in_which_it_comes_too_late_is_refused(void **state)
{
    (void)state;
    with_stage(late_record_body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_any_move_either_player_may_and_it_holds_after_a_crash),
        cmocka_unit_test(after_ones_own_move_one_may_as_long_as_the_other_has_made_none),
        cmocka_unit_test(once_both_have_moved_it_is_too_late),
        cmocka_unit_test(of_three_all_must_have_moved),
        cmocka_unit_test(
            a_player_who_waits_long_for_a_first_turn_does_not_keep_the_game_in_its_beginning),
        cmocka_unit_test(a_turn_of_several_moves_is_one),
        cmocka_unit_test(whoever_has_all_seats_may_too),
        cmocka_unit_test(moves_that_a_fork_came_with_do_not_count),
        cmocka_unit_test(who_is_there_is_told_whether_it_may_be_and_may_ask_for_another_game),
        cmocka_unit_test(the_lobby_does_not_list_it_any_more),
        cmocka_unit_test(it_leaves_as_a_record_and_comes_again),
        cmocka_unit_test(a_record_in_which_it_comes_too_late_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
