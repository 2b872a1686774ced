/* Players who look for somebody to play a published game with: it is read and compiled first, and may be hidden meanwhile; other
 * servers need not have it. */
#include "server/core/seeking.h"
#include "tests/server/core/games.h"
#include "tests/server/core/other_server.h"
#include "tests/support/test.h"

#include <string.h>

#define ADA              "AdaAdaAdaAdaAdaAdaAdaAdaAdaAdaAdaAdaAdaAdaA"
#define COMES(who)       who ": connects\n" who ": auth -> welcome\n"
#define SEEK(game, rest) "{\"type\":\"seek\",\"id\":\"s\",\"game\":\"" game "\"" rest "}"

static const char other_seeker[] = "p_ABCDEFGHIJKLMNOP", other_room[] = "aRoomOfTheOthers01";

/* One that is not served, and so not in memory. */
static void publish(struct stage *stage, const char *name, const char *text)
{
    char own[4096];
    snprintf(own, sizeof own, " %s", text);
    const struct publication publication = {
        .name = name, .token = ADA, .ancestor = "", .text = own, .length = strlen(own)};
    core_publish(stage->core, 1, &stage->address, &publication);
    stage_work(stage);
    assert_int_equal(stage->published.outcome, PUBLISHED_NEW);
}

static int waiting(const struct stage *stage)
{
    return stage->core->seeking.seeks.waiting;
}

static int readings(const struct stage *stage)
{
    return stage->core->seeking.reading_count;
}

/* clang-format off */
static void newest_is_its_version(void **state)
{
    struct stage *stage = *state;
    publish(stage, "fox", game_of_two);
    stage_play(stage, COMES("ada") "ada: " SEEK("fox", ",\"seat\":\"red\"") " ->\n"
                      COMES("bob") "bob: " SEEK("fox@1", "") " -> ack 1\n" "ada hears: ack 1\n"
                      "bob: resume 0 -> ack 1 snapshot; snapshot 1 green\n"
                      "ada: resume 0 -> ack 1 snapshot; snapshot 1 red moves\n"
                      "ada: move 0_0 0_1 -> ack 2; moved 2\n");
    assert_string_equal(stage->store.rooms[0].game, "fox@1");
    publish(stage, "fox", game_of_hops);
    stage_play(stage, COMES("eve") "eve: " SEEK("fox@1", "") " ->\n"
                      COMES("dan") "dan: " SEEK("fox", "") " ->\n"
                      COMES("fay") "fay: lobby.subscribe -> lobby 1 0 seeks 2\n"
                      COMES("gus") "gus: " SEEK("fox@2", "") " -> ack 1\n" "dan hears: ack 1\n");
    assert_string_equal(stage->store.rooms[1].game, "fox@2");
    assert_int_equal(waiting(stage), 1);
}
static void clocks_seats_and_numbers_are_those_of_the_game(void **state)
{
    struct stage *stage = *state;
    publish(stage, "spots", game_of_places);
    stage_play(stage,
        COMES("ada") "ada: " SEEK("spots", ",\"players\":2,\"seat\":\"red\",\"clock\":{\"seats\":{\"blue\":{\"initial_ms\":2000}},\"initial_ms\":1000}") " ->\n"
        COMES("eve") "eve: " SEEK("spots", ",\"players\":2,\"clock\":{\"initial_ms\":1000}") " ->\n" "eve: " SEEK("spots", "") " ->\n"
        COMES("bob") "bob: " SEEK("spots@1", ",\"players\":2,\"seat\":\"blue\",\"clock\":{\"initial_ms\":1000,\"seats\":{\"red\":{\"initial_ms\":1000},\"blue\":{\"initial_ms\":2000}}}") " -> ack 1\n"
        "ada hears: ack 1\n" "eve hears:\n");
}

static void what_cannot_be_sought_is_refused(void **state)
{
    struct stage *stage = *state;
    publish(stage, "fox", game_of_two);
    stage_play(stage,
        COMES("ada") "ada: " SEEK("hen", "") " -> unknown_game\n"
        "ada: " SEEK("fox@2", "") " -> unknown_game\n" "ada: " SEEK("fox@", "") " -> unknown_game\n" "ada: " SEEK("fo", "") " -> unknown_game\n"
        "ada: " SEEK("fox", ",\"rated\":true,\"clock\":{\"initial_ms\":60000}") " -> bad_message\n"
        "ada: " SEEK("fox", ",\"players\":5") " -> bad_message\n"
        "ada: " SEEK("fox", ",\"seat\":\"blue\"") " -> no_such_seat\n"
        "ada: " SEEK("fox", ",\"clock\":{\"initial_ms\":1,\"seats\":{\"blue\":{\"initial_ms\":2}}}") " -> no_such_seat\n");
    stage->store_full = true;
    stage_play(stage, "ada: " SEEK("fox", "") " -> unavailable\n");
    stage->store_full = false;
    stage->fail_all = true;
    stage->next_status = STORE_FAILED;
    stage_play(stage, "ada: " SEEK("fox", "") " -> unavailable\n");
    stage->fail_all = false;
    stage->next_status = STORE_OK;
    stage->store.publications[0].hidden = true;
    stage_play(stage, "ada: " SEEK("fox", "") " -> unknown_game\n");
    assert_int_equal(waiting(stage) + readings(stage), 0);
}

static void what_is_being_read_is_cancelled_and_bounded(void **state)
{
    struct stage *stage = *state;
    publish(stage, "fox", game_of_two);
    stage->store_holds = true;
    stage_play(stage, COMES("ada") COMES("bob"));
    for (int i = 0; i < SEEKS_OF_PLAYER; i++)
        stage_play(stage, "ada: " SEEK("fox", "") " ->\n");
    stage_play(stage, "ada: " SEEK("fox", "") " -> too_many\n" "bob: " SEEK("fox", "") " ->\n");
    assert_int_equal(readings(stage), SEEKS_OF_PLAYER + 1);
    stage_play(stage, "bob: {\"type\":\"seek.cancel\",\"id\":\"c\",\"seek\":\"s\"} -> withdrawn; ack 0\n"
                      "ada: goes\n" "store: answers\n");
    assert_int_equal(waiting(stage) + readings(stage), 0);
    stage->jobs_hold = true;
    stage_play(stage, "bob: " SEEK("fox", "") " ->\n");
    assert_int_equal(readings(stage), 1);
    stage_play(stage, "bob: {\"type\":\"seek.cancel\",\"id\":\"c\"} -> withdrawn; ack 0\n");
    stage->jobs_hold = false;
    stage_work(stage);
    stage_play(stage, "bob hears:\n");
    assert_int_equal(waiting(stage) + readings(stage), 0);
}

/* Whoever has found somebody looks for nobody else, whatever he was about to look for. */
static void who_is_found_reads_no_more(void **state)
{
    struct stage *stage = *state;
    publish(stage, "fox", game_of_two);
    stage_play(stage, COMES("ada") COMES("bob") "ada: " SEEK("two", "") " ->\n");
    stage->jobs_hold = true;
    stage_play(stage, "ada: {\"type\":\"seek\",\"id\":\"f\",\"game\":\"fox\"} ->\n"
                      "bob: " SEEK("two", "") " -> ack 1\n" "ada hears: withdrawn; ack 1\n");
    stage->jobs_hold = false;
    stage_work(stage);
    assert_int_equal(waiting(stage) + readings(stage), 0);
}

static void the_same_said_again_has_its_place(void **state)
{
    struct stage *stage = *state;
    publish(stage, "fox", game_of_two);
    stage_play(stage, COMES("ada") "ada: " SEEK("fox", "") " ->\n"
                      COMES("ada2") "ada2: " SEEK("fox@1", "") " ->\n" "ada hears: withdrawn\n" "ada2: goes\n"
                      COMES("ada3") "ada3: " SEEK("fox", "") " ->\n");
    assert_int_equal(waiting(stage), 1);
}

/* What is under way when the server ends is nobody's any more. */
static void a_server_that_ends_reads_no_more(void **state)
{
    struct stage *stage = *state;
    publish(stage, "fox", game_of_two);
    stage->store_holds = true;
    stage_play(stage, COMES("ada") "ada: " SEEK("fox", "") " ->\n" "crash:\n");
    assert_int_equal(readings(stage), 0);
}
/* clang-format on */

/* --- several servers -------------------------------------------------------------------------- */

static void other_says_of_seek(struct stage *stage, const char *kind, int64_t number,
                               const char *body)
{
    const char *digest = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    core_heard(stage->core, &(struct bus_message){.subject = BUS_SEEK,
                                                  .node = "other",
                                                  .id = other_seeker,
                                                  .kind = kind,
                                                  .client = "n_other",
                                                  .command = strcmp(kind, "waits") == 0
                                                                 ? digest
                                                                 : lease_node(stage->core),
                                                  .version = number,
                                                  .body = body});
    stage_work(stage);
}

#define TOLD(game, rest)                                                                           \
    "{\"type\":\"seek\",\"id\":\"s\",\"game\":\"" game                                             \
    "\",\"title\":\"Two\",\"name\":\"Eve\"" rest "}"

static void told_body(struct stage *stage)
{
    core_bus_changed(stage->core, true);
    publish(stage, "fox", game_of_two);
    stage_play(stage, COMES("ada") "ada: " SEEK("fox", ",\"seat\":\"green\"") " ->\n");
    assert_string_equal(stage->told.seek_kind, "waits");
    assert_non_null(strstr(stage->told.seek_body, "\"game\":\"fox@1\",\"players\":2"));
    assert_non_null(strstr(stage->told.seek_body, "\"title\":\"two\",\"seat_number\":1"));
}

static void other_servers_are_told_what_they_need(void **state)
{
    (void)state;
    with_lease(told_body);
}

static void unknown_body(struct stage *stage)
{
    static const char *const bad[] = {
        TOLD("fox", ",\"players\":2"),
        TOLD("fox@1", ""),
        TOLD("fox@1", ",\"players\":2,\"seat\":\"red\""),
        TOLD("fox@1", ",\"players\":2,\"seat_number\":1"),
        TOLD("fox@1", ",\"players\":2,\"seat\":\"red\",\"seat_number\":2"),
        TOLD("fox@1", ",\"players\":2,\"rated\":true"),
        SEEK("fox@1", ",\"players\":2"),
    };
    core_bus_changed(stage->core, true);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        other_says_of_seek(stage, "waits", 5, bad[i]);
    assert_int_equal(waiting(stage), 0);
    other_says_of_seek(stage, "waits", 5,
                       TOLD("fox@1", ",\"players\":2,\"seat\":\"red\",\"seat_number\":0"));
    assert_int_equal(waiting(stage), 1);
    stage_play(stage, COMES("eve") "eve: lobby.subscribe -> lobby 0 0 seeks 1\n");
    /* She came second: the other server decides, and asks for her. */
    publish(stage, "fox", game_of_two);
    pass(stage, 1000);
    stage_play(stage, COMES("ada") "ada: " SEEK("fox", "") " ->\n");
    int64_t number = stage->told.seek_number;
    char ada[64];
    snprintf(ada, sizeof ada, "%s", stage->told.seek_player);
    core_heard(stage->core, &(struct bus_message){.subject = BUS_SEEK,
                                                  .node = "other",
                                                  .id = ada,
                                                  .kind = "asks",
                                                  .client = "n_other",
                                                  .command = lease_node(stage->core),
                                                  .version = number,
                                                  .body = other_room});
    stage_work(stage);
    assert_string_equal(stage->told.seek_kind, "yes");
}

static void a_game_of_another_server_need_not_be_here(void **state)
{
    (void)state;
    with_lease(unknown_body);
}

static void ask_of_other(struct stage *stage, char room[ROOM_ID_BYTES + 1])
{
    core_bus_changed(stage->core, true);
    publish(stage, "fox", game_of_two);
    stage_play(stage, COMES("ada") "ada: " SEEK("fox", "") " ->\n");
    int64_t number = stage->told.seek_number;
    other_says_of_seek(stage, "waits", number + 1,
                       TOLD("fox@1", ",\"players\":2,\"seat\":\"red\",\"seat_number\":0"));
    assert_string_equal(stage->told.seek_kind, "asks");
    snprintf(room, ROOM_ID_BYTES + 1, "%.*s", ROOM_ID_BYTES, stage->told.seek_body);
}

static void paired_body(struct stage *stage)
{
    char room[ROOM_ID_BYTES + 1];
    ask_of_other(stage, room);
    other_says_of_seek(stage, "yes", stage->told.seek_number, room);
    stage_play(stage, "ada hears: ack 1\n");
    assert_string_equal(stage->told.seek_kind, "made");
    assert_int_equal(stage->store.room_count, 1);
    assert_string_equal(stage->store.rooms[0].game, "fox@1");
}

static void players_of_two_servers_come_together(void **state)
{
    (void)state;
    with_lease(paired_body);
}

static void hidden_body(struct stage *stage)
{
    char room[ROOM_ID_BYTES + 1];
    ask_of_other(stage, room);
    stage->store.publications[0].hidden = true;
    other_says_of_seek(stage, "yes", stage->told.seek_number, room);
    stage_play(stage, "ada hears: unknown_game\n");
    assert_string_equal(stage->told.seek_kind, "lost");
    assert_int_equal(stage->store.room_count, 0);
    assert_int_equal(waiting(stage), 0);
}

static void late_body(struct stage *stage)
{
    char room[ROOM_ID_BYTES + 1];
    ask_of_other(stage, room);
    stage->store_holds = true;
    other_says_of_seek(stage, "yes", stage->told.seek_number, room);
    stage->now_ms += SEEKING_ASK_MS;
    core_time(stage->core, stage->now_ms);
    stage->store_holds = false;
    stage_work(stage);
    stage_play(stage, "ada hears: unavailable\n");
    assert_int_equal(stage->store.room_count, 0);
}

static void what_was_hidden_meanwhile_makes_no_room(void **state)
{
    (void)state;
    with_lease(hidden_body);
}

static void a_store_that_answers_late_makes_no_room(void **state)
{
    (void)state;
    with_lease(late_body);
}

int main(void)
{
#define SMALL(test) cmocka_unit_test_setup_teardown(test, stage_set_small, stage_clear)
    const struct CMUnitTest tests[] = {
        SMALL(newest_is_its_version),
        SMALL(clocks_seats_and_numbers_are_those_of_the_game),
        SMALL(what_cannot_be_sought_is_refused),
        SMALL(what_is_being_read_is_cancelled_and_bounded),
        SMALL(who_is_found_reads_no_more),
        SMALL(the_same_said_again_has_its_place),
        SMALL(a_server_that_ends_reads_no_more),
        cmocka_unit_test(other_servers_are_told_what_they_need),
        cmocka_unit_test(a_game_of_another_server_need_not_be_here),
        cmocka_unit_test(players_of_two_servers_come_together),
        cmocka_unit_test(what_was_hidden_meanwhile_makes_no_room),
        cmocka_unit_test(a_store_that_answers_late_makes_no_room),
    };
    return cmocka_run_group_tests_name("seeking_published", tests, NULL, NULL);
}
