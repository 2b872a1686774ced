/* Whoever plays at another server loses no time when that one goes: what passes until he is seen again does not count. */
#include "server/core/parts.h"
#include "tests/server/core/other_server.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define PLAYING                                                       \
    "ada: connects\n" "ada: auth -> welcome\n"                        \
    "ada: {\"type\":\"create\",\"id\":\"c\",\"game\":\"two\",\"clock\":{\"initial_ms\":20000}} -> ack 1\n" \
    "ada: join red Ada -> ack 2; snapshot 2 red\n"                    \
    "bob: connects\n" "bob: auth -> welcome\n"                        \
    "bob: join any Bob -> ack 3; snapshot 3 green\n"                  \
    "ada hears: joined 3 moves\n"                                     \
    "ada: move 0_0 0_1 -> ack 4; moved 4\n" "bob hears: moved 4 moves\n" \
    "bob: move 1_0 1_1 -> ack 5; moved 5\n" "ada hears: moved 5 moves\n"
#define BOB_COMES_BACK "bob: connects\n" "bob: auth -> welcome\n" "bob: resume 6 -> ack 6 events\n"
/* clang-format on */

enum { INITIAL_MS = 20000, GREEN = 2 };

/* Another server says how it is. */
static void says(struct stage *stage, const char *node, const char *state)
{
    core_heard(stage->core, &(struct bus_message){
                                .subject = BUS_NODE, .id = node, .node = node, .state = state});
    stage_work(stage);
}

static void has(struct stage *stage, const char *node, int64_t seats)
{
    core_heard(
        stage->core,
        &(struct bus_message){
            .subject = BUS_HERE, .id = stage->room, .node = node, .seats = seats, .client = ""});
    stage_work(stage);
}

static void seconds(struct stage *stage, int count)
{
    for (int i = 0; i < count; i++)
        pass(stage, 1000);
}

/* And meanwhile that server says that it is there. */
static void seconds_with(struct stage *stage, const char *node, int count)
{
    for (int i = 0; i < count; i++) {
        pass(stage, 1000);
        says(stage, node, "serving");
    }
}

/* … and who is there. */
static void keep_saying(struct stage *stage, const char *node, int64_t seats, int count)
{
    for (int i = 0; i < count; i++) {
        has(stage, node, seats);
        seconds_with(stage, node, 1);
    }
}

/* Bob has gone on at the server b, and it is his turn. */
static void bob_is_at_b(struct stage *stage)
{
    core_bus_changed(stage->core, true);
    stage_play(stage, PLAYING "bob: goes\n");
    seconds_with(stage, "b", 1);
    has(stage, "b", GREEN);
    stage_play(stage, "ada: move 0_1 0_2 -> ack 6; moved 6\n");
    seconds_with(stage, "b", 2);
}

static int64_t left_of_green_to(struct stage *stage, const char *name)
{
    char sync[32];
    snprintf(sync, sizeof sync, "%s: sync\n", name);
    stage_forget(stage, name);
    stage_play(stage, sync);
    json_t *snapshot = stage_last(stage, name, "snapshot");
    const json_t *clock = json_object_get(
        json_object_get(json_object_get(json_object_get(snapshot, "state"), "seats"), "green"),
        "clock");
    int64_t left_ms = json_integer_value(json_object_get(clock, "left_ms"));
    json_decref(snapshot);
    stage_forget(stage, name);
    return left_ms;
}

static int64_t left_of_green(struct stage *stage)
{
    return left_of_green_to(stage, "ada");
}

static int64_t turn_ms(struct stage *stage)
{
    stage_forget(stage, "ada");
    stage_play(stage, "ada: sync\n");
    json_t *snapshot = stage_last(stage, "ada", "snapshot");
    int64_t ms = json_integer_value(json_object_get(snapshot, "turn_ms"));
    json_decref(snapshot);
    stage_forget(stage, "ada");
    return ms;
}

static void bob_moves(struct stage *stage)
{
    stage_forget(stage, "bob");
    stage_play(stage, "bob: move 1_1 1_2 -> ack 7; moved 7\n");
}

static void killed_body(struct stage *stage)
{
    bob_is_at_b(stage);
    seconds(stage, 5);
    assert_int_equal(turn_ms(stage), 2000);
    stage_play(stage, BOB_COMES_BACK);
    assert_int_equal(turn_ms(stage), 2000);
    seconds(stage, 3);
    assert_int_equal(turn_ms(stage), 5000);
    bob_moves(stage);
    assert_int_equal(left_of_green(stage), INITIAL_MS - 5000);
}

static void until_he_is_back_his_clock_stands(void **state)
{
    (void)state;
    with_lease(killed_body);
}

/* Ada has moved at the server b, 200 ms ago, and it says how long it waited for the store. */
static void ada_moves_at_b(struct stage *stage, int64_t took_ms)
{
    core_bus_changed(stage->core, true);
    stage_play(stage, PLAYING "ada: goes\n");
    seconds_with(stage, "b", 2);
    int64_t at_ms = (int64_t)stage->core->now_ms; /* which is the store's time */
    pass(stage, 200);
    other_writes(stage, "moved", "", "",
                 "{\"seat\":\"red\",\"move\":{\"from\":\"0_1\",\"to\":\"0_2\"}}");
    const struct kept_event *event = &kept(stage)->events[5];
    core_heard(stage->core, &(struct bus_message){.subject = BUS_ROOM,
                                                  .id = stage->room,
                                                  .node = "b",
                                                  .version = 6,
                                                  .at_ms = at_ms,
                                                  .took_ms = took_ms,
                                                  .kind = event->kind,
                                                  .client = "",
                                                  .command = "",
                                                  .body = event->body});
    stage_work(stage);
    stage_play(stage, "bob hears: moved 6 moves\n");
}

/* Who is next sees it when it is on disk, at whichever server. */
static void slow_body(struct stage *stage)
{
    ada_moves_at_b(stage, 150);
    stage_play(stage,
               "store: holds\n"
               "bob: move 1_1 1_2 -> \ntime: 70\nstore: answers\nbob hears: ack 7; moved 7\n");
    assert_int_equal(left_of_green_to(stage, "bob"), INITIAL_MS - 50);
    assert_int_equal(stage->told.version, 7);
    assert_int_equal(stage->told.took_ms, 70);
}

/* Its machine's clock was an hour ahead, and it was stopped before the store had told it the time. */
static void what_stood_by_a_wrong_clock_is_no_time_of_a_turn(void **state)
{
    (void)state;
    enum { WRONG_MS = 60 * 60 * 1000 };
    struct stage *stage = stage_of_leases();
    stage->store_holds = true;
    stage->store.now_ms = (int64_t)stage->now_ms;
    stage->now_ms += WRONG_MS;
    stage_start(stage);
    stage_play(stage, "eve: connects\n");
    pass(stage, 4000);
    stage_play(stage, "store: answers\ntime: 1000\n");
    assert_true(core_ready(stage->core));
    ada_moves_at_b(stage, 0);
    pass(stage, 1000);
    stage_play(stage, "bob: move 1_1 1_2 -> ack 7; moved 7\n");
    int64_t used_ms = INITIAL_MS - left_of_green_to(stage, "bob");
    assert_in_range(used_ms, 1200 - 100, 1200); /* its clock is put right by 100 ms meanwhile */
    stage_release(stage);
    free(stage);
}

static void how_long_another_server_waited_for_the_store_is_nobodys_time(void **state)
{
    (void)state;
    with_lease(slow_body);
}

/* A move that was sent again at once, before anybody can know what has become of the server. */
static void quick_body(struct stage *stage)
{
    bob_is_at_b(stage);
    pass(stage, 700);
    stage_play(stage, BOB_COMES_BACK);
    bob_moves(stage);
    assert_int_equal(left_of_green(stage), INITIAL_MS - 2000);
}

static void who_is_quicker_than_the_silence_loses_nothing(void **state)
{
    (void)state;
    with_lease(quick_body);
}

static void hops_body(struct stage *stage)
{
    bob_is_at_b(stage);
    pass(stage, 900);
    stage_play(stage, BOB_COMES_BACK);
    has(stage, "b", 0);
    bob_moves(stage);
    assert_int_equal(left_of_green(stage), INITIAL_MS - 2900);
}

static void who_changes_servers_by_himself_gains_nothing(void **state)
{
    (void)state;
    with_lease(hops_body);
}

static void reload_body(struct stage *stage)
{
    bob_is_at_b(stage);
    seconds(stage, 3);
    stage_play(stage, BOB_COMES_BACK "bob: goes\n");
    seconds(stage, 4);
    stage_play(stage, BOB_COMES_BACK);
    bob_moves(stage);
    assert_int_equal(left_of_green(stage), INITIAL_MS - 6000);
}

static void who_goes_again_goes_by_himself(void **state)
{
    (void)state;
    with_lease(reload_body);
}

static void third_body(struct stage *stage)
{
    bob_is_at_b(stage);
    seconds(stage, 4);
    has(stage, "c", GREEN);
    seconds_with(stage, "c", 3);
    assert_int_equal(turn_ms(stage), 5000);
}

static void the_others_see_it_when_he_comes_back_to_a_third_one(void **state)
{
    (void)state;
    with_lease(third_body);
}

/* The flag is that server's to let fall, as long as it is there. */
static void flag_body(struct stage *stage)
{
    bob_is_at_b(stage);
    keep_saying(stage, "b", GREEN, 18);
    stage_play(stage, "ada hears: \n");
    keep_saying(stage, "b", GREEN, 2);
    stage_play(stage, "ada hears: flagged 7\n");
}

static void a_flag_waits_until_it_is_known_that_his_server_is_there(void **state)
{
    (void)state;
    with_lease(flag_body);
}

/* Two seconds before his flag falls the server dies; it is forgotten fifteen seconds later, and then his time goes on. */
static void forgotten_body(struct stage *stage)
{
    bob_is_at_b(stage);
    keep_saying(stage, "b", GREEN, 16);
    seconds(stage, 14);
    stage_play(stage, "ada hears: \n");
    seconds(stage, 1);
    stage_play(stage, "ada hears: \n");
    seconds(stage, 4);
    stage_play(stage, "ada hears: flagged 7\n");
}

static void nobody_stands_for_ever(void **state)
{
    (void)state;
    with_lease(forgotten_body);
}

static void leaves_body(struct stage *stage)
{
    bob_is_at_b(stage);
    says(stage, "b", "leaving");
    has(stage, "b", 0);
    pass(stage, 400);
    assert_int_equal(turn_ms(stage), 2000);
    says(stage, "b", "bye");
    pass(stage, 400);
    stage_play(stage, BOB_COMES_BACK);
    bob_moves(stage);
    assert_int_equal(left_of_green(stage), INITIAL_MS - 2000);
}

static void when_a_server_ends_clocks_stand_at_once(void **state)
{
    (void)state;
    with_lease(leaves_body);
}

/* Who has gone by himself has time that goes on. */
static void gone_body(struct stage *stage)
{
    bob_is_at_b(stage);
    has(stage, "b", 0);
    seconds(stage, 5);
    stage_play(stage, BOB_COMES_BACK);
    bob_moves(stage);
    assert_int_equal(left_of_green(stage), INITIAL_MS - 7000);
}

static void who_had_gone_before_his_server_did_is_not_waited_for(void **state)
{
    (void)state;
    with_lease(gone_body);
}

static void unheard_body(struct stage *stage)
{
    bob_is_at_b(stage);
    core_bus_changed(stage->core, false);
    seconds(stage, 5);
    stage_play(stage, BOB_COMES_BACK);
    bob_moves(stage);
    assert_int_equal(left_of_green(stage), INITIAL_MS - 7000);
}

static void without_a_bus_nothing_is_known(void **state)
{
    (void)state;
    with_lease(unheard_body);
}

/* --- a room that was not in memory here ----------------------------------------------------------- */

/* Nobody is here any more, and others are in memory instead. */
static void room_leaves(struct stage *stage)
{
    char room[sizeof stage->room];
    memcpy(room, stage->room, sizeof room);
    stage_play(stage, "eve: connects\neve: auth -> welcome\n");
    for (int i = 0; i < 3 && core_find_room(stage->core, room); i++)
        stage_play(stage, "eve: create two -> ack 1\n");
    assert_null(core_find_room(stage->core, room));
    memcpy(stage->room, room, sizeof room);
}

/* Both play at b: Ada has moved there, and it is Bob's turn. */
static void both_are_at_b(struct stage *stage)
{
    core_bus_changed(stage->core, true);
    stage_play(stage, PLAYING "bob: goes\nada: goes\n");
    room_leaves(stage);
    seconds_with(stage, "b", 1);
    other_writes(stage, "moved", "", "",
                 "{\"seat\":\"red\",\"move\":{\"from\":\"0_1\",\"to\":\"0_2\"}}");
    seconds_with(stage, "b", 2);
    seconds_with(stage, "c", 1);
}

static void with_little_room(void (*body)(struct stage *stage))
{
    struct stage *stage = stage_of_leases();
    stage->options.rooms_live_max = 2;
    stage->store.now_ms = (int64_t)stage->now_ms; /* the other server writes by it */
    stage_start(stage);
    body(stage);
    stage_release(stage);
    free(stage);
}

static void read_body(struct stage *stage)
{
    both_are_at_b(stage);
    seconds_with(stage, "c", 2);
    stage_play(stage, "ada: connects\nada: auth -> welcome\nada: resume 6 -> ack 6 events\n");
    seconds_with(stage, "c", 1);
    assert_int_equal(turn_ms(stage), 2000);
    stage_play(stage, BOB_COMES_BACK);
    seconds_with(stage, "c", 1);
    bob_moves(stage);
    assert_int_equal(left_of_green(stage), INITIAL_MS - 3000);
}

static void it_is_the_same_for_a_room_that_was_not_here(void **state)
{
    (void)state;
    with_little_room(read_body);
}

/* The server is there when the room is read, and dies so many seconds later, without a word of who sits there with it. */
static int64_t turn_after_dying(struct stage *stage, int lived)
{
    both_are_at_b(stage);
    stage_play(stage, "ada: connects\nada: auth -> welcome\nada: resume 6 -> ack 6 events\n");
    has(stage, "c", 0);
    seconds_with(stage, "b", lived);
    seconds(stage, 4);
    return turn_ms(stage);
}

static void untold_body(struct stage *stage)
{
    assert_int_equal(turn_after_dying(stage, 1), 4000);
}

static void a_server_may_die_before_it_says_who_is_there(void **state)
{
    (void)state;
    with_little_room(untold_body);
}

static void nobody_body(struct stage *stage)
{
    assert_int_equal(turn_after_dying(stage, 7), 14000);
}

static void a_server_that_had_time_to_say_so_had_nobody(void **state)
{
    (void)state;
    with_little_room(nobody_body);
}

/* Bob waits at b when Ada comes here, and the game begins. */
static void begins_body(struct stage *stage)
{
    core_bus_changed(stage->core, true);
    stage_play(
        stage,
        "bob: connects\nbob: auth -> welcome\n"
        "bob: {\"type\":\"create\",\"id\":\"c\",\"game\":\"two\",\"clock\":{\"initial_ms\":20000}} "
        "-> ack 1\n"
        "bob: join green Bob -> ack 2; snapshot 2 green\n"
        "bob: goes\n");
    room_leaves(stage);
    seconds_with(stage, "b", 1);
    stage_play(stage, "ada: connects\nada: auth -> welcome\n"
                      "ada: join red Ada -> ack 3; snapshot 3 red moves\n"
                      "ada: move 0_0 0_1 -> ack 4; moved 4\n");
    seconds_with(stage, "b", 1);
    seconds(stage, 4);
    assert_int_equal(turn_ms(stage), 1000);
}

static void nor_does_who_waits_there_for_the_game_to_begin_lose_time(void **state)
{
    (void)state;
    with_little_room(begins_body);
}

/* Of two other servers one has died, and he was at the one that is there. */
static void vouched_body(struct stage *stage)
{
    both_are_at_b(stage);
    seconds_with(stage, "c", 2);
    stage_play(stage, BOB_COMES_BACK);
    has(stage, "c", GREEN);
    has(stage, "c", 0);
    stage_play(stage, "ada: connects\nada: auth -> welcome\nada: resume 6 -> ack 6 events\n");
    bob_moves(stage);
    assert_int_equal(left_of_green(stage), INITIAL_MS - 5000);
}

static void a_server_that_had_him_says_so(void **state)
{
    (void)state;
    with_little_room(vouched_body);
}

/* And so do we, before he is sent away. */
static void newcomer_body(struct stage *stage)
{
    core_bus_changed(stage->core, true);
    stage_play(stage, PLAYING);
    int told = stage->told.here_count;
    core_heard(stage->core, &(struct bus_message){.subject = BUS_HERE,
                                                  .id = stage->room,
                                                  .node = "b",
                                                  .seats = GREEN,
                                                  .client = "p_somebody",
                                                  .at_ms = (int64_t)stage->now_ms});
    assert_int_equal(stage->told.here_count, told + 1);
    assert_int_equal(stage->told.seats, 1 + GREEN);
}

static void who_hears_of_a_newcomer_says_who_is_here(void **state)
{
    (void)state;
    with_lease(newcomer_body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(until_he_is_back_his_clock_stands),
        cmocka_unit_test(how_long_another_server_waited_for_the_store_is_nobodys_time),
        cmocka_unit_test(what_stood_by_a_wrong_clock_is_no_time_of_a_turn),
        cmocka_unit_test(who_is_quicker_than_the_silence_loses_nothing),
        cmocka_unit_test(who_changes_servers_by_himself_gains_nothing),
        cmocka_unit_test(who_goes_again_goes_by_himself),
        cmocka_unit_test(the_others_see_it_when_he_comes_back_to_a_third_one),
        cmocka_unit_test(a_flag_waits_until_it_is_known_that_his_server_is_there),
        cmocka_unit_test(nobody_stands_for_ever),
        cmocka_unit_test(when_a_server_ends_clocks_stand_at_once),
        cmocka_unit_test(who_had_gone_before_his_server_did_is_not_waited_for),
        cmocka_unit_test(without_a_bus_nothing_is_known),
        cmocka_unit_test(it_is_the_same_for_a_room_that_was_not_here),
        cmocka_unit_test(a_server_may_die_before_it_says_who_is_there),
        cmocka_unit_test(a_server_that_had_time_to_say_so_had_nobody),
        cmocka_unit_test(nor_does_who_waits_there_for_the_game_to_begin_lose_time),
        cmocka_unit_test(a_server_that_had_him_says_so),
        cmocka_unit_test(who_hears_of_a_newcomer_says_who_is_here),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
