/* Who has gone when it is his turn is waited for, and then the others may end the game. */
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define ADA_AND_BOB                                                   \
    "ada: join red Ada -> ack 2; snapshot 2 red\n"                    \
    "bob: connects\n" "bob: auth -> welcome\n"                        \
    "bob: join any Bob -> ack 3; snapshot 3 green\n"                  \
    "ada hears: joined 3 moves\n"
#define BOTH_BEGAN                                                    \
    "ada: move 0_0 0_1 -> ack 4; moved 4\n" "bob hears: moved 4 moves\n" \
    "bob: move 1_0 1_1 -> ack 5; moved 5\n" "ada hears: moved 5 moves\n"
#define CREATE(clock)                                                 \
    "ada: connects\n" "ada: auth -> welcome\n"                        \
    "ada: {\"type\":\"create\",\"id\":\"c\",\"game\":\"two\"" clock "} -> ack 1\n"
#define PLAYING CREATE("") ADA_AND_BOB BOTH_BEGAN
/* And it is green's turn. */
#define GREEN_GOES                                                    \
    "ada: move 0_1 0_2 -> ack 6; moved 6\n" "bob: goes\n"
#define BOB_RESUMES "bob: connects\n" "bob: auth -> welcome\n"
/* clang-format on */

static void expect_end(struct stage *stage, const char *winner, const char *reason)
{
    stage_play(stage, "ada: sync\n");
    json_t *snapshot = stage_last(stage, "ada", "snapshot");
    const json_t *result = json_object_get(json_object_get(snapshot, "state"), "result");
    const json_t *won = json_object_get(result, "winner");
    assert_non_null(result);
    assert_string_equal(won ? json_string_value(won) : "nobody", winner);
    assert_string_equal(json_string_value(json_object_get(result, "reason")), reason);
    json_decref(snapshot);
    stage_forget(stage, "ada");
}

static void after_five_minutes_the_game_may_be_claimed_and_it_is_in_the_log(void **state)
{
    stage_play(*state, PLAYING GREEN_GOES
               "time: 1000\nada sees: 0 red; green away 299900\n"
               "time: 298999\nada: claim.timeout win -> no_offer\n"
               "time: 1\nada: #w claim.timeout win -> ack 7; abandoned 7\n"
               "ada: #w claim.timeout win -> ack 7\nada: claim.timeout draw -> game_over\n"
               "time: 200\nada sees: 0 red\n");
    expect_end(*state, "red", "absence");
    stage_play(*state, "crash:\nada: connects\nada: auth -> welcome\n"
                       "ada: resume 0 -> ack 7 snapshot; snapshot 7 red\n");
    expect_end(*state, "red", "absence");
    stage_play(*state,
               BOB_RESUMES "bob: #w claim.timeout win -> not_in_room\n"
                           "bob: resume 6 -> ack 7 events; abandoned 7\n"
                           "bob: claim.timeout win -> game_over\nbob: rematch.offer -> ack 8; "
                           "rematch_offered 8\nada: rematch.accept -> rematch_offered 8; ack 9; "
                           "rematch 9\n");
}

static void it_may_be_claimed_as_a_draw(void **state)
{
    stage_play(*state,
               PLAYING GREEN_GOES "time: 300000\nada: claim.timeout draw -> ack 7; abandoned 7\n");
    expect_end(*state, "nobody", "green was absent");
}

static void who_comes_back_is_waited_for_anew(void **state)
{
    stage_play(*state, PLAYING GREEN_GOES
               "time: 299000\n" BOB_RESUMES
               "bob: resume 6 -> ack 6 events\ntime: 2000\nada sees: 0 red green\n"
               "ada: claim.timeout win -> no_offer\nbob: goes\n"
               "time: 299999\nada: claim.timeout win -> no_offer\n"
               "time: 1\nada: claim.timeout win -> ack 7; abandoned 7\n");
}

static void nobody_is_claimed_against_in_a_turn_of_ones_own(void **state)
{
    stage_play(*state, PLAYING "bob: goes\ntime: 400000\nada sees: 0 red; green away 299900\n"
                               "ada: claim.timeout win -> no_offer\n"
                               "ada: move 0_1 0_2 -> ack 6; moved 6\n"
                               "ada: claim.timeout win -> ack 7; abandoned 7\n");
}

/* It may be aborted then. */
static void who_has_not_begun_is_not_claimed_against(void **state)
{
    stage_play(*state, CREATE("") ADA_AND_BOB "ada: move 0_0 0_1 -> ack 4; moved 4\nbob: goes\n"
                                              "time: 400000\nada sees: 0 red\n"
                                              "ada: claim.timeout win -> no_offer\n"
                                              "ada: abort -> ack 5; aborted 5\n");
}

static void who_watches_claims_nothing_and_neither_does_who_is_to_move(void **state)
{
    stage_play(*state, PLAYING GREEN_GOES
               "eve: connects\neve: auth -> welcome\n"
               "eve: join spectator -> ack 6; snapshot 6 spectator\ntime: 400000\n"
               "eve: claim.timeout win -> not_seated\nada: goes\n" BOB_RESUMES
               "bob: resume 6 -> ack 6 events\ntime: 400000\n"
               "bob: claim.timeout win -> no_offer\n");
}

/* Whoever only watches with the player's token is no player who is there. */
static void a_seat_is_held_by_who_plays(void **state)
{
    stage_play(*state, PLAYING GREEN_GOES BOB_RESUMES
               "bob: join spectator -> ack 6; snapshot 6 spectator\ntime: 300000\n"
               "ada: claim.timeout win -> ack 7; abandoned 7\nbob hears: abandoned 7\n");
}

#define SIXTH(clock, ms)                                                                           \
    CREATE(",\"clock\":" clock)                                                                    \
    ADA_AND_BOB BOTH_BEGAN GREEN_GOES "time: 1000\nada sees: 0 red; green away " ms "\n"

static void the_shorter_the_game_the_shorter_the_wait(void **state)
{
    stage_play(*state, SIXTH("{\"initial_ms\":600000}", "99900"));
    stage_play(*state, "time: 99000\nada: claim.timeout win -> ack 7; abandoned 7\n");
}

static void but_there_is_time_to_come_back(void **state)
{
    stage_play(*state, SIXTH("{\"initial_ms\":60000}", "14900"));
}

static void and_nobody_waits_for_very_long(void **state)
{
    stage_play(*state, SIXTH("{\"initial_ms\":1800000,\"increment_ms\":30000}", "119900"));
}

static void by_correspondence_nobody_is_expected_to_sit_there(void **state)
{
    stage_play(*state, CREATE(",\"clock\":{\"initial_ms\":0,\"periods\":1,\"period_ms\":259200000}")
                           ADA_AND_BOB BOTH_BEGAN GREEN_GOES
               "time: 36000000\nada sees: 0 red\nada: claim.timeout win -> no_offer\n");
}

static void a_flag_that_has_fallen_comes_first(void **state)
{
    stage_play(*state, CREATE(",\"clock\":{\"initial_ms\":10000}") ADA_AND_BOB BOTH_BEGAN GREEN_GOES
               "time: 10000\nada hears: flagged 7\nada: claim.timeout draw -> game_over\n");
}

static void while_the_store_takes_nothing_nobody_is_gone_for_longer(void **state)
{
    stage_play(*state, PLAYING GREEN_GOES
               "store: is broken\nada: chat hello -> unavailable\ntime: 900000\nstore: is whole\n"
               "ada: claim.timeout win -> no_offer\nada: chat hello -> ack 7; chat 7\n"
               "time: 299999\nada: claim.timeout win -> no_offer\n"
               "time: 1\nada: claim.timeout win -> ack 8; abandoned 8\n");
}

/* What a server saw before it was started is not known any more. */
/* Without a clock as well. */
static void while_the_server_is_stopped_nobody_is_gone_for_longer(void **state)
{
    stage_play(*state, PLAYING GREEN_GOES
               "time: 1000\nada sees: 0 red; green away 299900\n"
               "leap: 3600000\ntime: 298999\nada: claim.timeout win -> no_offer\n"
               "time: 1\nada: claim.timeout win -> ack 7; abandoned 7\n");
}

static void after_a_restart_it_is_counted_anew(void **state)
{
    stage_play(*state, PLAYING GREEN_GOES
               "time: 299000\ncrash:\nada: connects\nada: auth -> welcome\n"
               "ada: resume 6 -> ack 6 events\ntime: 299999\nada: claim.timeout win -> no_offer\n"
               "time: 1\nada: claim.timeout win -> ack 7; abandoned 7\n");
}

static void among_three_the_game_can_only_end(void **state)
{
    stage_play(*state,
               "ada: connects\nada: auth -> welcome\nada: create three -> ack 1\n"
               "ada: join red -> ack 2; snapshot 2 red\n"
               "bob: connects\nbob: auth -> welcome\nbob: join green -> ack 3; snapshot 3 green\n"
               "eve: connects\neve: auth -> welcome\neve: join blue -> ack 4; snapshot 4 blue\n"
               "ada hears: joined 3; joined 4 moves\nbob hears: joined 4\n"
               "ada: move 0_0 0_1 -> ack 5; moved 5\n"
               "bob: move 1_0 1_1 -> moved 5 moves; ack 6; moved 6\n"
               "eve: move 2_0 2_1 -> moved 5; moved 6 moves; ack 7; moved 7\n"
               "ada: move 0_1 0_2 -> moved 6; moved 7 moves; ack 8; moved 8\nbob: goes\n"
               "time: 300000\nada: claim.timeout win -> no_offer\n"
               "ada: claim.timeout draw -> ack 9; abandoned 9\n");
    expect_end(*state, "nobody", "green was absent");
}

static void the_house_s_bot_is_never_away(void **state)
{
    struct stage *stage = *state;
    char line[256];
    stage_play(stage, CREATE("") "ada: join red Ada -> ack 2; snapshot 2 red\n"
                                 "ada: bot.invite green ->\n");
    assert_int_equal(stage->house_count, 1);
    stage_open(stage, "robot", true);
    snprintf(line, sizeof line, "{\"type\":\"auth\",\"id\":\"h1\",\"token\":\"%s\"}",
             stage->house_token);
    stage_say(stage, "robot", line);
    stage_play(stage, "robot: join green Robot -> welcome; ack 3; snapshot 3 green bare\nada "
                      "hears: joined 3 moves; ack 3\n"
                      "ada: move 0_0 0_1 -> ack 4; moved 4\nrobot: move 1_0 1_1 -> moved 4 moves; "
                      "ack 5; moved 5\n"
                      "ada hears: moved 5 moves\nada: move 0_1 0_2 -> ack 6; moved 6\n"
                      "robot: goes\ntime: 900000\nada sees: 0 red\n"
                      "ada: claim.timeout win -> no_offer\n");
}

/* --- with other servers --------------------------------------------------------------------------- */

static void pass(struct stage *stage, int times)
{
    for (; times > 0; times--)
        stage_play(stage, "time: 1000\n");
}

/* Another server that shares the store says who is there with it. */
static void other_has_green(struct stage *stage, bool here)
{
    core_heard(stage->core, &(struct bus_message){.subject = BUS_HERE,
                                                  .id = stage->room,
                                                  .node = "b",
                                                  .seats = here ? 2 : 0,
                                                  .client = ""});
}

static void other_begins(struct stage *stage)
{
    struct store_answer answer;
    memory_store_perform(&stage->store,
                         &(struct store_request){.ask = STORE_LEASE,
                                                 .node = "n_other",
                                                 .place = "there",
                                                 .url = "https://b.example",
                                                 .lease_ms = 100000000},
                         &answer);
    store_answer_release(&answer);
}

static void with_others(void (*body)(struct stage *stage))
{
    struct stage *stage = malloc(sizeof *stage);
    assert_non_null(stage);
    stage_init_small(stage);
    stage_crash(stage);
    stage->options.lease_ms = 10000;
    stage->options.place = "here";
    stage->options.url = "https://a.example";
    stage_start(stage);
    other_begins(stage);
    pass(stage, 10);
    body(stage);
    stage_release(stage);
    free(stage);
}

static void elsewhere_body(struct stage *stage)
{
    core_bus_changed(stage->core, true);
    stage_play(stage, PLAYING GREEN_GOES);
    for (int i = 0; i < 80; i++) {
        other_has_green(stage, true);
        pass(stage, 5);
    }
    stage_play(stage, "ada: claim.timeout win -> no_offer\n");
    other_has_green(stage, false);
    pass(stage, 299);
    stage_play(stage, "ada: claim.timeout win -> no_offer\n");
    pass(stage, 1);
    stage_play(stage, "ada: claim.timeout win -> ack 7; abandoned 7\n");
}

static void who_is_there_at_another_server_is_there(void **state)
{
    (void)state;
    with_others(elsewhere_body);
}

static void unheard_body(struct stage *stage)
{
    stage_play(stage, PLAYING GREEN_GOES);
    pass(stage, 600);
    stage_play(stage, "ada sees: 0 red\nada: claim.timeout win -> no_offer\n");
    core_bus_changed(stage->core, true);
    pass(stage, 5);
    core_missed(stage->core);
    pass(stage, 290);
    stage_play(stage, "ada: claim.timeout win -> no_offer\n");
    pass(stage, 20);
    stage_play(stage, "ada: claim.timeout win -> ack 7; abandoned 7\n");
}

static void as_long_as_the_others_are_not_heard_nobody_is_known_to_be_gone(void **state)
{
    (void)state;
    with_others(unheard_body);
}

#define ON_STAGE(test) cmocka_unit_test_setup_teardown(test, stage_set_small, stage_clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_STAGE(after_five_minutes_the_game_may_be_claimed_and_it_is_in_the_log),
        ON_STAGE(it_may_be_claimed_as_a_draw),
        ON_STAGE(who_comes_back_is_waited_for_anew),
        ON_STAGE(nobody_is_claimed_against_in_a_turn_of_ones_own),
        ON_STAGE(who_has_not_begun_is_not_claimed_against),
        ON_STAGE(who_watches_claims_nothing_and_neither_does_who_is_to_move),
        ON_STAGE(a_seat_is_held_by_who_plays),
        ON_STAGE(the_shorter_the_game_the_shorter_the_wait),
        ON_STAGE(but_there_is_time_to_come_back),
        ON_STAGE(and_nobody_waits_for_very_long),
        ON_STAGE(by_correspondence_nobody_is_expected_to_sit_there),
        ON_STAGE(a_flag_that_has_fallen_comes_first),
        ON_STAGE(while_the_store_takes_nothing_nobody_is_gone_for_longer),
        ON_STAGE(while_the_server_is_stopped_nobody_is_gone_for_longer),
        ON_STAGE(after_a_restart_it_is_counted_anew),
        ON_STAGE(among_three_the_game_can_only_end),
        ON_STAGE(the_house_s_bot_is_never_away),
        cmocka_unit_test(who_is_there_at_another_server_is_there),
        cmocka_unit_test(as_long_as_the_others_are_not_heard_nobody_is_known_to_be_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
