/* Rooms that another server writes to as well, and what it says of them. */
#include "tests/server/core/other_server.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

/* --- a room that another server writes to ------------------------------------------------------------ */

#define OTHER_MOVES(stage)                                                                         \
    other_writes(stage, "moved", "", "",                                                           \
                 "{\"seat\":\"red\",\"move\":{\"from\":\"0_0\",\"to\":\"0_1\"}}")

static void swept_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT);
    other_begins(stage);
    pass(stage, 1000); /* the lease is renewed, and says so */
    other_says(stage, "one");
    other_says(stage, "two");
    stage_play(stage, "ada hears: \n");
    pass(stage, 600); /* and what it takes to ask and to read */
    stage_play(stage, "ada hears: chat 4 moves; chat 5 moves\nbob hears: chat 4; chat 5\n"
                      "ada: move 0_0 0_1 -> ack 6; moved 6\nbob hears: moved 6 moves\n");
}

static void what_another_server_has_written_is_seen_within_a_second(void **state)
{
    (void)state;
    with_lease(swept_body);
}

static void race_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT);
    other_says(stage, "first");
    stage_play(stage, "ada: #m move 0_0 0_1 -> chat 4 moves; ack 5; moved 5\n"
                      "bob hears: chat 4; moved 5 moves\n"
                      "ada: #m move 0_0 0_1 -> ack 5\n");
}

static void who_loses_a_race_sees_what_was_first_and_then_what_it_wanted(void **state)
{
    (void)state;
    with_lease(race_body);
}

static void sure_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT);
    OTHER_MOVES(stage);
    stage_play(stage, "bob: #m move 1_0 1_1 -> moved 4 moves; ack 5; moved 5\n"
                      "ada hears: moved 4; moved 5 moves\n"
                      "bob: move 1_1 1_2 -> not_your_turn\n");
}

static void a_refusal_is_never_about_an_old_room(void **state)
{
    (void)state;
    with_lease(sure_body);
}

static void offer_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT "ada: draw.offer -> ack 4; draw_offered 4 moves\n"
                              "bob hears: draw_offered 4\n");
    other_writes(stage, "draw_declined", kept(stage)->events[2].client, "m",
                 "{\"seat\":\"green\"}");
    stage_play(stage, "ada: draw.offer -> draw_declined 5 moves; ack 6; draw_offered 6 moves\n"
                      "ada: draw.offer -> ack 6\n");
}

/* It was declined there. */
static void an_offer_that_stands_no_longer_is_made_again(void **state)
{
    (void)state;
    with_lease(offer_body);
}

/* It was sent to the other server first, which has not answered any more. */
static void again_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT);
    const struct kept_room *room = kept(stage);
    other_writes(stage, "moved", room->events[1].client, "m",
                 "{\"seat\":\"red\",\"move\":{\"from\":\"0_0\",\"to\":\"0_1\"}}");
    stage_play(stage, "ada: #m move 0_0 0_1 -> moved 4; ack 4\n"
                      "bob hears: moved 4 moves\n");
    assert_int_equal(kept(stage)->version, 4);
}

static void a_command_that_another_server_has_done_is_known(void **state)
{
    (void)state;
    with_lease(again_body);
}

/* She came again and left again, there; here she has left already. */
static void left_body(struct stage *stage)
{
    stage_play(stage, "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n"
                      "ada: join red -> ack 2; snapshot 2 red\nada: leave -> ack 3\n");
    const struct kept_room *room = kept(stage);
    other_writes(stage, "joined", room->events[1].client, "j", room->events[1].body);
    other_writes(stage, "left", room->events[1].client, "m", room->events[2].body);
    stage_play(stage, "ada: #m leave -> ack 5\nada: leave -> ack 5\n");
    assert_int_equal(kept(stage)->version, 5);
}

static void whoever_has_left_at_another_server_is_told_when(void **state)
{
    (void)state;
    with_lease(left_body);
}

static void ahead_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT);
    OTHER_MOVES(stage);
    stage_play(stage, ADA_COMES_BACK "ada: resume 4 -> ack 4 events\n"
                                     "bob hears: moved 4 moves\n"
                                     "bob: move 1_0 1_1 -> ack 5; moved 5\n"
                                     "ada hears: moved 5 moves\n" ADA_COMES_BACK
                                     "ada: resume 99 -> ack 5 snapshot; snapshot 5 red moves\n");
}

static void who_has_seen_more_than_we_have_is_believed_once(void **state)
{
    (void)state;
    with_lease(ahead_body);
}

static void beyond_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT);
    OTHER_MOVES(stage);
    stage_play(stage, "ada: history 4 9 -> moved 4; history 4 4 1\n"
                      "bob hears: moved 4 moves\n"
                      "ada: history 5 9 -> bad_message\n");
    other_writes(stage, "moved", "", "",
                 "{\"seat\":\"green\",\"move\":{\"from\":\"1_0\",\"to\":\"1_1\"}}");
    stage_play(stage, "bob: ply 2 -> moved 5; ply 2 5\n"
                      "ada hears: moved 5 moves\n"
                      "bob: ply 3 -> bad_message\n");
}

static void who_asks_for_more_of_the_past_than_we_know_is_told_it(void **state)
{
    (void)state;
    with_lease(beyond_body);
}

static void far_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT "eve: connects\neve: auth -> welcome\n"
                              "eve: join spectator -> ack 3; snapshot 3 spectator\n");
    for (int i = 0; i < 40; i++)
        other_says(stage, "so much");
    pass(stage, 1000);
    stage_play(stage, "ada hears: snapshot 43 red moves bare\n"
                      "bob hears: snapshot 43 green bare\n"
                      "eve hears: snapshot 43 spectator bare\n"
                      "ada: move 0_0 0_1 -> ack 44; moved 44\n"
                      "eve hears: moved 44\n");
}

static void who_has_missed_very_much_gets_a_snapshot(void **state)
{
    (void)state;
    with_lease(far_body);
}

static void removed_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT);
    assert_int_equal(
        tell_store(stage, &(struct store_request){.ask = STORE_LEAVE, .node = kept(stage)->owner}),
        STORE_OK);
    assert_int_equal(tell_store(stage, &(struct store_request){.ask = STORE_REMOVE,
                                                               .room = stage->room,
                                                               .node = "n_other",
                                                               .from = 3}),
                     STORE_OK);
    pass(stage, 1000);
    stage_play(stage, "ada hears: closed 1012\n"
                      "bob hears: closed 1012\n" ADA_COMES_BACK "ada: resume 3 -> unknown_room\n");
}

static void a_room_that_was_removed_leaves_memory(void **state)
{
    (void)state;
    with_lease(removed_body);
}

/* An append was late, or an operator writes: the server cannot read it then, and nobody tells it. */
static void a_server_alone_finds_what_it_could_not_read(void **state)
{
    (void)state;
    struct stage *stage = malloc(sizeof *stage);
    stage_init_small(stage);
    stage_play(stage, TWO_SIT);
    stage_play(stage, "store: conflicts 1\nstore: holds\nada: #m move 0_0 0_1 ->\n"
                      "store: is broken\nstore: answers\nada hears: unavailable\n"
                      "time: 1000\nstore: is whole\n");
    other_says(stage, "as if it were ours");
    pass(stage, 1000);
    stage_play(stage, "ada hears: chat 4 moves\nbob hears: chat 4\n");
    assert_true(core_deadline_ms(stage->core) >= stage->now_ms + 1000);
    stage_release(stage);
    free(stage);
}

static void refused_leave_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT "eve: connects\neve: auth -> welcome\n"
                              "eve: join spectator -> ack 3; snapshot 3 spectator\n"
                              "store: is broken\neve: leave -> unavailable\nstore: is whole\n"
                              "ada: chat still there? -> ack 4; chat 4 moves\n"
                              "eve hears: chat 4\neve: leave -> ack 4\n"
                              "ada: chat gone -> ack 5; chat 5 moves\neve hears: \n");
}

static void whose_leave_is_refused_has_not_left(void **state)
{
    (void)state;
    with_lease(refused_leave_body);
}

/* --- what other servers say -------------------------------------------------------------------------- */

/* As the other server says it of the room's event of that version. */
static void other_tells(struct stage *stage, int64_t version)
{
    const struct kept_event *event = &kept(stage)->events[version - 1];
    core_heard(stage->core, &(struct bus_message){.subject = BUS_ROOM,
                                                  .id = stage->room,
                                                  .node = "other",
                                                  .version = version,
                                                  .at_ms = event->at_ms,
                                                  .kind = event->kind,
                                                  .client = event->client,
                                                  .command = event->command,
                                                  .body = event->body});
    stage_work(stage);
}

static void hint_body(struct stage *stage)
{
    core_bus_changed(stage->core, true);
    stage_play(stage, TWO_SIT);
    assert_int_equal(stage->told.version, 3);
    assert_string_equal(stage->told.kind, "joined");
    assert_string_equal(stage->told.body, "");
    stage_play(stage, "ada: #m move 0_0 0_1 -> ack 4; moved 4\nbob hears: moved 4 moves\n");
    assert_int_equal(stage->told.version, 4);
    assert_string_equal(stage->told.command, "m");
    assert_string_equal(stage->told.body, kept(stage)->events[3].body);
    int count = stage->told.count;
    other_says(stage, "one");
    other_says(stage, "two");
    other_says(stage, "three");
    other_tells(stage, 5);
    stage_play(stage, "ada hears: chat 5\nbob hears: chat 5 moves\n");
    other_tells(stage, 4); /* ours, and known */
    other_tells(stage, 5); /* twice */
    stage_play(stage, "ada hears: \n");
    other_tells(stage, 7); /* the one before is read */
    stage_play(stage, "ada hears: chat 6; chat 7\nbob hears: chat 6 moves; chat 7 moves\n");
    other_tells(stage, 6);
    stage_play(stage, "ada hears: \n");
    assert_int_equal(stage->told.count, count); /* who follows tells nobody */
}

static void what_others_say_is_shown_at_once_and_in_order(void **state)
{
    (void)state;
    with_lease(hint_body);
}

/* It died before it told anybody. */
static void passed_on_body(struct stage *stage)
{
    core_bus_changed(stage->core, true);
    stage_play(stage, TWO_SIT);
    const struct kept_room *room = kept(stage);
    int count = stage->told.count;
    other_writes(stage, "moved", room->events[1].client, "m",
                 "{\"seat\":\"red\",\"move\":{\"from\":\"0_0\",\"to\":\"0_1\"}}");
    stage_play(stage, "ada: #m move 0_0 0_1 -> moved 4; ack 4\nbob hears: moved 4 moves\n");
    assert_int_equal(stage->told.count, count + 1);
    assert_int_equal(stage->told.version, 4);
    assert_string_equal(stage->told.kind, "");
    assert_string_equal(stage->told.body, "");
    /* Whoever appends tells enough. */
    other_says(stage, "first");
    stage_play(stage, "bob: #n move 1_0 1_1 -> chat 5 moves; ack 6; moved 6\n"
                      "ada hears: chat 5; moved 6 moves\n");
    assert_int_equal(stage->told.count, count + 2);
    assert_string_equal(stage->told.kind, "moved");
}

static void what_was_read_and_nobody_told_is_passed_on(void **state)
{
    (void)state;
    with_lease(passed_on_body);
}

static void silent_body(struct stage *stage)
{
    core_bus_changed(stage->core, true);
    core_neighbours(stage->core, 1);
    stage_play(stage, TWO_SIT);
    other_says(stage, "its last words");
    core_neighbours(stage->core, 0);
    pass(stage, 1);
    stage_play(stage, "ada hears: chat 4 moves\n");
}

static void what_a_server_wrote_that_is_heard_no_more_is_looked_for(void **state)
{
    (void)state;
    with_lease(silent_body);
}

/* Our own append may be on disk already, and what the other says comes after it. */
static void held_body(struct stage *stage)
{
    core_bus_changed(stage->core, true);
    stage_play(stage, TWO_SIT "store: holds\nada: #m move 0_0 0_1 -> \n");
    other_says(stage, "first");
    other_tells(stage, 4);
    stage_play(stage, "ada hears: \nstore: answers\n"
                      "ada hears: chat 4 moves; ack 5; moved 5\nbob hears: chat 4; moved 5 moves\n"
                      "store: holds\nbob: #n move 1_0 1_1 -> \n");
    core_heard(stage->core, &(struct bus_message){.subject = BUS_ROOM,
                                                  .id = stage->room,
                                                  .version = 7,
                                                  .at_ms = (int64_t)stage->now_ms,
                                                  .kind = "chat",
                                                  .client = "p_other",
                                                  .command = "",
                                                  .body = "{}"});
    stage_play(stage, "bob hears: \n");
}

static void what_others_say_waits_while_an_append_of_our_own_is_under_way(void **state)
{
    (void)state;
    with_lease(held_body);
}

static void lie_body(struct stage *stage)
{
    core_bus_changed(stage->core, true);
    stage_play(stage, TWO_SIT);
    core_heard(stage->core, &(struct bus_message){
                                .subject = BUS_ROOM,
                                .id = stage->room,
                                .version = 4,
                                .at_ms = (int64_t)stage->now_ms,
                                .kind = "chat",
                                .client = "p_other",
                                .command = "",
                                .body = "{\"player\":\"p_liar\",\"name\":\"L\",\"text\":\"x\"}"});
    stage_play(stage, "ada hears: chat 4 moves\nada: #m move 0_0 0_1 -> closed 1012\n"
                      "bob hears: chat 4; closed 1012\n" ADA_COMES_BACK
                      "ada: resume 4 -> ack 3 snapshot; snapshot 3 red moves\n"
                      "ada: #m move 0_0 0_1 -> ack 4; moved 4\n");
}

static void what_is_not_in_the_store_does_not_stay(void **state)
{
    (void)state;
    with_lease(lie_body);
}

static void other_lists(struct stage *stage, const char *row)
{
    core_heard(stage->core, &(struct bus_message){.subject = BUS_LOBBY,
                                                  .id = "elsewhr1",
                                                  .node = "other",
                                                  .version = STORE_WAITING,
                                                  .at_ms = stage->store.now_ms,
                                                  .body = row});
    stage_play(stage, "eve: connects\neve: auth -> welcome\n");
}

static void listed_body(struct stage *stage)
{
    core_bus_changed(stage->core, true);
    stage_play(stage, TWO_SIT);
    assert_non_null(strstr(stage->told.row, "\"status\":\"playing\""));
    assert_non_null(strstr(stage->told.row, "\"green\":\"Bob\""));
    int count = stage->told.lobby_count;
    stage_play(stage, "ada: move 0_0 0_1 -> ack 4; moved 4\n");
    assert_int_equal(stage->told.lobby_count, count); /* as it was */
    for (int i = 0; i < 6; i++)
        pass(stage, 1000);
    assert_true(stage->told.lobby_count > count); /* for whoever has not heard */
    other_lists(stage, "{\"room\":\"elsewhr1\"}");
    stage_play(stage, "eve: lobby.subscribe -> lobby 2 0\neve: goes\n");
    other_lists(stage, "");
    stage_play(stage, "eve: lobby.subscribe -> lobby 1 0\neve: goes\n");
    other_lists(stage, "{\"room\":");
    stage_play(stage, "eve: lobby.subscribe -> lobby 1 0\neve: goes\n");
    other_lists(stage, "{\"room\":\"elsewhr1\"}");
    for (int i = 0; i < 14; i++)
        pass(stage, 1000);
    stage_play(stage, "eve: lobby.subscribe -> lobby 2 0\n");
    for (int i = 0; i < 12; i++)
        pass(stage, 1000);
    stage_forget(stage, "eve");
    stage_play(stage, "eve: lobby.subscribe -> lobby 1 0\n"); /* nobody has named it any more */
    stage_play(stage, "ada: resign -> ack 5; resigned 5\n");
    assert_string_equal(stage->told.row, "");
}

static void a_room_that_another_server_names_is_listed(void **state)
{
    (void)state;
    with_lease(listed_body);
}

/* He sits here, and his opponent has just gone elsewhere. */
static void shared_body(struct stage *stage)
{
    core_bus_changed(stage->core, true);
    stage_play(stage, TWO_SIT "ada: goes\nbob: goes\neve: connects\neve: auth -> welcome\n"
                              "eve: join spectator -> ack 3; snapshot 3 spectator\n");
    for (int i = 0; i < 80; i++) {
        core_heard(
            stage->core,
            &(struct bus_message){
                .subject = BUS_HERE, .id = stage->room, .node = "b", .seats = 1, .client = ""});
        pass(stage, 1000);
    }
    stage_forget(stage, "eve");
    stage_play(stage, "eve: lobby.subscribe -> lobby 1 0\n");
}

static void a_room_whose_players_are_elsewhere_stays_listed(void **state)
{
    (void)state;
    with_lease(shared_body);
}

static void other_has(struct stage *stage, const char *node, int64_t spectators, int64_t seats,
                      const char *newcomer, int64_t at_ms)
{
    core_heard(stage->core, &(struct bus_message){.subject = BUS_HERE,
                                                  .id = stage->room,
                                                  .node = node,
                                                  .spectators = spectators,
                                                  .seats = seats,
                                                  .client = newcomer,
                                                  .at_ms = at_ms});
}

static void here_body(struct stage *stage)
{
    core_bus_changed(stage->core, true);
    stage_play(stage, TWO_SIT);
    pass(stage, 200);
    assert_int_equal(stage->told.seats, 3);
    assert_int_equal(stage->told.spectators, 0);
    stage_play(stage, "bob: goes\n");
    pass(stage, 200);
    assert_int_equal(stage->told.seats, 1);
    stage_play(stage, "ada sees: 0 red\n");
    other_has(stage, "b", 2, 2, "", 0);
    other_has(stage, "c", 40, 0, "", 0);
    pass(stage, 200);
    stage_play(stage, "ada sees: 42 red green\n");
    other_has(stage, "b", 0, 0, "", 0);
    pass(stage, 200);
    stage_play(stage, "ada sees: 40 red\n");
    int told = stage->told.here_count;
    for (int i = 0; i < 6; i++)
        pass(stage, 1000);
    assert_true(stage->told.here_count > told); /* again and again, for whoever has not heard */
    for (int i = 0; i < 20; i++)
        pass(stage, 1000);
    stage_play(stage, "ada sees: 0 red\n"); /* c says nothing any more */
}

static void who_is_there_is_the_sum_of_what_all_servers_say(void **state)
{
    (void)state;
    with_lease(here_body);
}

static void newest_body(struct stage *stage)
{
    core_bus_changed(stage->core, true);
    stage_play(stage, TWO_SIT);
    const char *ada = kept(stage)->seats[0].player;
    other_has(stage, "b", 0, 1, ada, stage->store.now_ms - 1); /* older than ours */
    stage_play(stage, "ada hears: \n");
    pass(stage, 200);
    other_has(stage, "b", 0, 1, ada, stage->store.now_ms);
    stage_play(stage, "ada hears: closed 4009\n"
                      "bob hears: \n");
    pass(stage, 200);
    stage_play(stage, ADA_COMES_BACK "ada: resume 3 -> ack 3 events\n");
    assert_string_equal(stage->told.newcomer, ada);
    assert_int_equal(stage->told.at_ms, stage->store.now_ms);
}

static void the_newest_connection_of_a_player_holds_his_seat_wherever_it_is(void **state)
{
    (void)state;
    with_lease(newest_body);
}

static void swept_in_parts_body(struct stage *stage)
{
    core_bus_changed(stage->core, true);
    stage_play(stage, TWO_SIT);
    other_says(stage, "never heard of");
    for (int i = 0; i < 12; i++)
        pass(stage, 1000);
    stage_play(stage, "ada hears: chat 4 moves\n");
    other_says(stage, "when it broke");
    core_bus_changed(stage->core, false);
    pass(stage, 1);
    stage_play(stage, "ada hears: chat 5 moves\n");
    other_says(stage, "too much");
    core_missed(stage->core);
    pass(stage, 1);
    stage_play(stage, "ada hears: chat 6 moves\n");
}

static void what_was_never_heard_of_is_found(void **state)
{
    (void)state;
    with_lease(swept_in_parts_body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_another_server_has_written_is_seen_within_a_second),
        cmocka_unit_test(who_loses_a_race_sees_what_was_first_and_then_what_it_wanted),
        cmocka_unit_test(a_refusal_is_never_about_an_old_room),
        cmocka_unit_test(an_offer_that_stands_no_longer_is_made_again),
        cmocka_unit_test(a_command_that_another_server_has_done_is_known),
        cmocka_unit_test(whoever_has_left_at_another_server_is_told_when),
        cmocka_unit_test(who_has_seen_more_than_we_have_is_believed_once),
        cmocka_unit_test(who_asks_for_more_of_the_past_than_we_know_is_told_it),
        cmocka_unit_test(who_has_missed_very_much_gets_a_snapshot),
        cmocka_unit_test(a_room_that_was_removed_leaves_memory),
        cmocka_unit_test(a_server_alone_finds_what_it_could_not_read),
        cmocka_unit_test(whose_leave_is_refused_has_not_left),
        cmocka_unit_test(what_others_say_is_shown_at_once_and_in_order),
        cmocka_unit_test(what_was_read_and_nobody_told_is_passed_on),
        cmocka_unit_test(what_a_server_wrote_that_is_heard_no_more_is_looked_for),
        cmocka_unit_test(what_others_say_waits_while_an_append_of_our_own_is_under_way),
        cmocka_unit_test(what_is_not_in_the_store_does_not_stay),
        cmocka_unit_test(who_is_there_is_the_sum_of_what_all_servers_say),
        cmocka_unit_test(a_room_that_another_server_names_is_listed),
        cmocka_unit_test(a_room_whose_players_are_elsewhere_stays_listed),
        cmocka_unit_test(the_newest_connection_of_a_player_holds_his_seat_wherever_it_is),
        cmocka_unit_test(what_was_never_heard_of_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
