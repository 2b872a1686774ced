/* Seeks of several servers: the core beside another server, which is played by the test. */
#include "server/core/parts.h"
#include "tests/server/core/other_server.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

static const char other_seeker[] = "p_ABCDEFGHIJKLMNOP", other_room[] = "aRoomOfTheOthers01";

static void other_says_of_seek(struct stage *stage, const char *kind, const char *player,
                               int64_t number, const char *body)
{
    const char *digest = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    core_heard(stage->core, &(struct bus_message){.subject = BUS_SEEK,
                                                  .node = "other",
                                                  .id = player,
                                                  .kind = kind,
                                                  .client = "n_other",
                                                  .command = strcmp(kind, "waits") == 0 ? digest
                                                             : strcmp(kind, "made") == 0
                                                                 ? ""
                                                                 : lease_node(stage->core),
                                                  .version = number,
                                                  .body = body});
    stage_work(stage);
}

#define SEEK(id) "{\"type\":\"seek\",\"id\":\"" id "\",\"game\":\"two\"}"

static int64_t ada_seeks(struct stage *stage)
{
    core_bus_changed(stage->core, true);
    stage_play(stage, "ada: connects\nada: auth -> welcome\nada: " SEEK("a") " ->\n");
    assert_string_equal(stage->told.seek_kind, "waits");
    return stage->told.seek_number;
}

static void is_said(const struct stage *stage, const char *kind, const char *to)
{
    assert_string_equal(stage->told.seek_kind, kind);
    assert_string_equal(stage->told.seek_for, to);
}

static uint64_t waiting(const struct stage *stage)
{
    struct core_statistics statistics;
    core_read_statistics(stage->core, &statistics);
    return statistics.seeks_waiting;
}

static void counted_body(struct stage *stage)
{
    core_bus_changed(stage->core, true);
    other_says_of_seek(
        stage, "waits", other_seeker, 1,
        "{\"type\":\"seek\",\"id\":\"s\",\"game\":\"two\",\"seat\":\"red\",\"name\":\"Eve\"}");
    stage_play(stage, "ada: connects\nada: auth -> welcome\n");
    assert_int_equal(stage->core->seeking.seeks.waiting, 1); /* it is heard of */
    assert_int_equal(waiting(stage), 0);
    stage_play(stage,
               "ada: {\"type\":\"seek\",\"id\":\"a\",\"game\":\"two\",\"seat\":\"red\"} ->\n");
    assert_int_equal(waiting(stage), 1);
}

static void each_server_counts_its_own_seeks(void **state)
{
    (void)state;
    with_lease(counted_body);
}

static void promised_body(struct stage *stage)
{
    int64_t number = ada_seeks(stage);
    char ada[64];
    snprintf(ada, sizeof ada, "%s", stage->told.seek_player);
    other_says_of_seek(stage, "asks", ada, number + 1, other_room);
    is_said(stage, "no", "n_other");
    other_says_of_seek(stage, "asks", ada, number, other_room);
    is_said(stage, "yes", "n_other");
    other_says_of_seek(stage, "asks", ada, number, "anotherRoomOfOther");
    is_said(stage, "no", "n_other");
    /* She is nobody else's now, */
    stage_play(stage, "bob: connects\nbob: auth -> welcome\nbob: " SEEK("b") " ->\n");
    other_says_of_seek(stage, "lost", ada, number, "anotherRoomOfOther");
    stage_play(stage, "ada hears:\n");
    /* until the other one lets go of her. */
    other_says_of_seek(stage, "lost", ada, number, other_room);
    stage_play(stage, "ada hears: ack 1\nbob hears: ack 1\n");
}

static void a_promised_seek_is_nobody_elses(void **state)
{
    (void)state;
    with_lease(promised_body);
}

static void made_body(struct stage *stage)
{
    int64_t number = ada_seeks(stage);
    char ada[64];
    snprintf(ada, sizeof ada, "%s", stage->told.seek_player);
    other_says_of_seek(stage, "asks", ada, number, other_room);
    pass(stage, 1000);
    is_said(stage, "yes", "n_other"); /* again, until it is known what became of it */
    other_says_of_seek(stage, "made", ada, number, "aRoomOfTheOthers01[\"two\",2]");
    stage_play(stage, "ada hears: ack 1\nada: " SEEK("a2") " -> ack 1\n");
    other_says_of_seek(stage, "made", ada, number, "aRoomOfTheOthers01[\"two\",2]");
    stage_play(stage, "ada hears:\n");
}

static void who_is_promised_and_found_is_told_once(void **state)
{
    (void)state;
    with_lease(made_body);
}

static void silent_body(struct stage *stage)
{
    int64_t number = ada_seeks(stage);
    char ada[64];
    snprintf(ada, sizeof ada, "%s", stage->told.seek_player);
    other_says_of_seek(stage, "asks", ada, number, other_room);
    for (int i = 0; i < 13; i++)
        pass(stage, 1000);
    /* It says nothing more, and the store has no such room: she waits again. */
    is_said(stage, "waits", stage->told.seek_for);
    stage_play(stage, "bob: connects\nbob: auth -> welcome\nbob: " SEEK("b") " -> ack 1\n"
                                                                             "ada hears: ack 1\n");
}

static void who_was_promised_to_a_server_that_died_waits_again(void **state)
{
    (void)state;
    with_lease(silent_body);
}

static void deciding_body(struct stage *stage)
{
    int64_t number = ada_seeks(stage);
    char room[ROOM_ID_BYTES + 1];
    other_says_of_seek(stage, "waits", other_seeker, number + 1,
                       "{\"type\":\"seek\",\"id\":\"s\",\"game\":\"two\",\"name\":\"Eve\"}");
    is_said(stage, "asks", "n_other");
    snprintf(room, sizeof room, "%.*s", ROOM_ID_BYTES, stage->told.seek_body);
    assert_int_equal(stage->store.room_count, 0);
    other_says_of_seek(stage, "yes", other_seeker, number + 1, room);
    stage_play(stage, "ada hears: ack 1\n");
    is_said(stage, "made", "");
    assert_int_equal(stage->store.room_count, 1);
    assert_string_equal(stage->store.rooms[0].id, room);
    int count = stage->told.seek_count;
    other_says_of_seek(stage, "yes", other_seeker, number + 1, room); /* it has not heard */
    is_said(stage, "made", "");
    assert_int_equal(stage->told.seek_count, count + 1);
    assert_int_equal(stage->store.room_count, 1);
}

static void who_came_first_has_the_server_that_decides(void **state)
{
    (void)state;
    with_lease(deciding_body);
}

static void refused_body(struct stage *stage)
{
    int64_t number = ada_seeks(stage);
    char room[ROOM_ID_BYTES + 1];
    other_says_of_seek(stage, "waits", other_seeker, number + 1, SEEK("s"));
    snprintf(room, sizeof room, "%.*s", ROOM_ID_BYTES, stage->told.seek_body);
    other_says_of_seek(stage, "no", other_seeker, number + 1, room);
    stage_play(stage, "bob: connects\nbob: auth -> welcome\nbob: " SEEK("b") " -> ack 1\n"
                                                                             "ada hears: ack 1\n");
    other_says_of_seek(stage, "yes", other_seeker, number + 1, room); /* too late */
    is_said(stage, "lost", "n_other");
    assert_int_equal(stage->store.room_count, 1);
}

static void whoever_is_not_promised_gets_no_room_and_the_others_find_somebody_else(void **state)
{
    (void)state;
    with_lease(refused_body);
}

/* Of a rated game the rating is told with it, and what is wanted of the other's. */
static void rated_body(struct stage *stage)
{
    static const char far[] = "{\"type\":\"seek\",\"id\":\"s\",\"game\":\"two\",\"rated\":true,"
                              "\"clock\":{\"initial_ms\":60000},\"rating\":1700}",
                      near[] = "{\"type\":\"seek\",\"id\":\"s\",\"game\":\"two\",\"rated\":true,"
                               "\"clock\":{\"initial_ms\":60000},\"rating\":1600}",
                      proud[] = "{\"type\":\"seek\",\"id\":\"s\",\"game\":\"two\",\"rated\":true,"
                                "\"clock\":{\"initial_ms\":60000},\"rating\":1550,"
                                "\"range\":{\"min\":1501}}";
    core_bus_changed(stage->core, true);
    stage_play(stage, "ada: connects\nada: auth -> welcome\n"
                      "ada: {\"type\":\"seek\",\"id\":\"a\",\"game\":\"two\",\"rated\":true,"
                      "\"clock\":{\"initial_ms\":60000},\"range\":{\"max\":1600}} ->\n");
    int64_t number = stage->told.seek_number;
    assert_string_equal(stage->told.seek_kind, "waits");
    assert_non_null(strstr(stage->told.seek_body, "\"rating\":1500,\"range\":{\"max\":1600}"));
    other_says_of_seek(stage, "waits", "p_farAwayFarAway_1", number + 1, far);
    other_says_of_seek(stage, "waits", "p_proudProudProud1", number + 2, proud);
    is_said(stage, "waits", stage->told.seek_for);
    other_says_of_seek(stage, "waits", other_seeker, number + 3, near);
    is_said(stage, "asks", "n_other");
    assert_string_equal(stage->told.seek_player, other_seeker);
}

static void ratings_suit_across_servers(void **state)
{
    (void)state;
    with_lease(rated_body);
}

static void left_body(struct stage *stage)
{
    pass(stage, 1000); /* whoever comes now comes after that one */
    core_bus_changed(stage->core, true);
    other_says_of_seek(stage, "waits", other_seeker, 7, SEEK("s"));
    stage_play(stage, "ada: connects\nada: auth -> welcome\nada: " SEEK(
                          "a") " ->\n"
                               "bob: connects\nbob: auth -> welcome\nbob: " SEEK("b") " ->\n");
    other_says_of_seek(stage, "gone", other_seeker, 7, "");
    stage_play(stage, "ada hears: ack 1\nbob hears: ack 1\n");
    other_says_of_seek(stage, "waits", other_seeker, 8, "{\"type\":\"ping\",\"id\":\"s\"}");
    other_says_of_seek(stage, "waits", other_seeker, 8, "{");
    other_says_of_seek(stage, "waits", "", 8, SEEK("s"));
    stage_play(stage, "eve: connects\neve: auth -> welcome\neve: lobby.subscribe -> lobby 1 0\n");
}

static void who_was_left_to_another_server_finds_somebody_when_that_one_has_none(void **state)
{
    (void)state;
    with_lease(left_body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_server_counts_its_own_seeks),
        cmocka_unit_test(a_promised_seek_is_nobody_elses),
        cmocka_unit_test(who_is_promised_and_found_is_told_once),
        cmocka_unit_test(who_was_promised_to_a_server_that_died_waits_again),
        cmocka_unit_test(who_came_first_has_the_server_that_decides),
        cmocka_unit_test(whoever_is_not_promised_gets_no_room_and_the_others_find_somebody_else),
        cmocka_unit_test(who_was_left_to_another_server_finds_somebody_when_that_one_has_none),
        cmocka_unit_test(ratings_suit_across_servers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
