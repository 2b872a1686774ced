/* Whose turn it is in rooms that have left memory: the store is told when they go, and tells it of their players' rooms. */
#include "tests/server/core/other_server.h"
#include "tests/support/test.h"

#include <string.h>

/* clang-format off */
#define ALL_GO "ada: goes\n" "bob: goes\n"
#define ADA_IS_BACK "ada: connects\n" "ada: auth -> welcome\n"
#define BOB_IS_BACK "bob: connects\n" "bob: auth -> welcome\n"
/* clang-format on */

static uint64_t rooms_live(const struct stage *stage)
{
    struct core_statistics statistics;
    core_read_statistics(stage->core, &statistics);
    return statistics.rooms_live;
}

/* In the only room of this player; "": it is not said. */
static void expect_told(struct stage *stage, const char *name, const char *to_move)
{
    char line[64];
    stage_forget(stage, name);
    snprintf(line, sizeof line, "{\"type\":\"lobby.subscribe\",\"id\":\"l%d\"}", ++stage->id_count);
    stage_say(stage, name, line);
    json_t *lobby = stage_last(stage, name, "lobby");
    const json_t *mine = json_object_get(lobby, "mine");
    assert_int_equal(json_array_size(mine), 1);
    const char *told = json_string_value(json_object_get(json_array_get(mine, 0), "to_move"));
    assert_string_equal(told ? told : "", to_move);
    json_decref(lobby);
    stage_forget(stage, name);
}

static void leave_memory(struct stage *stage)
{
    for (int i = 0; i < 40; i++)
        pass(stage, 2000);
    assert_int_equal(rooms_live(stage), 0);
}

static void it_is_told_without_the_room(struct stage *stage)
{
    stage_play(stage, TWO_SIT "ada: move 0_0 0_1 -> ack 4; moved 4\n" ALL_GO);
    leave_memory(stage);
    stage_play(stage, ADA_IS_BACK);
    expect_told(stage, "ada", "green");
    assert_int_equal(rooms_live(stage), 0);
    stage_play(stage, BOB_IS_BACK "bob: resume 4 -> ack 4 events\n");
    expect_told(stage, "ada", "green");
    stage_play(stage, "bob: move 1_0 1_1 -> ack 5; moved 5\n");
    expect_told(stage, "ada", "red"); /* as it is in memory */
    stage_play(stage, ALL_GO "crash:\n" ADA_IS_BACK);
    assert_int_equal(rooms_live(stage), 0);
    expect_told(stage, "ada", ""); /* what it was before is not taken for what it is */
}

static void a_room_that_left_memory_is_told_with_its_turn(void **state)
{
    it_is_told_without_the_room(*state);
}

static void among_other_servers_as_well(void **state)
{
    (void)state;
    with_lease(it_is_told_without_the_room);
}

static void who_waits_or_is_done_has_no_turn(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, "ada: connects\n"
                      "ada: auth -> welcome\n"
                      "ada: create two -> ack 1\n"
                      "ada: join red Ada -> ack 2; snapshot 2 red\n"
                      "ada: goes\n");
    leave_memory(stage);
    stage_play(stage, ADA_IS_BACK);
    expect_told(stage, "ada", "");
    stage_play(stage, "ada: resume 2 -> ack 2 events\n" BOB_IS_BACK
                      "bob: join any Bob -> ack 3; snapshot 3 green\n"
                      "ada hears: joined 3 moves\n" ALL_GO);
    leave_memory(stage);
    stage_play(stage, ADA_IS_BACK);
    expect_told(stage, "ada", "red");
    stage_play(stage, "ada: resume 3 -> ack 3 events\n"
                      "ada: resign -> ack 4; resigned 4\n"
                      "ada: goes\n");
    leave_memory(stage);
    stage_play(stage, ADA_IS_BACK);
    expect_told(stage, "ada", "");
}

/* What the store knows already it is not told: who only looks at a room makes nobody write. */
static void who_only_looks_leaves_it_as_it_is(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, TWO_SIT ALL_GO);
    leave_memory(stage);
    strcpy(stage->store.rooms[0].to_move, "marked");
    stage_play(stage, BOB_IS_BACK "bob: resume 3 -> ack 3 events\n"
                                  "bob: goes\n");
    leave_memory(stage);
    assert_string_equal(kept(stage)->to_move, "marked");
    stage_play(stage, ADA_IS_BACK "ada: resume 3 -> ack 3 events\n"
                                  "ada: move 0_0 0_1 -> ack 4; moved 4\n"
                                  "ada: goes\n");
    leave_memory(stage);
    assert_string_equal(kept(stage)->to_move, "green");
}

static void think(struct stage *stage, int seconds)
{
    for (int i = 0; i < seconds; i++)
        pass(stage, 1000);
}

/* The room is in memory throughout: a turn that stands is told, with its room's owner as he was, and who moves soon makes nobody write. */
static void it_is_told_while_somebody_thinks(struct stage *stage)
{
    stage_play(stage, TWO_SIT "ada: move 0_0 0_1 -> ack 4; moved 4\n"
                              "bob hears: moved 4 moves\n");
    char owner[sizeof kept(stage)->owner];
    memcpy(owner, kept(stage)->owner, sizeof owner);
    think(stage, 25);
    assert_int_equal(kept(stage)->turn_version, 4);
    assert_string_equal(kept(stage)->to_move, "green");
    assert_memory_equal(kept(stage)->owner, owner, sizeof owner);
    strcpy(stage->store.rooms[0].to_move, "marked");
    think(stage, 25); /* it is known: it is not told again */
    assert_string_equal(kept(stage)->to_move, "marked");
    stage_play(stage, "bob: move 1_0 1_1 -> ack 5; moved 5\n"
                      "ada hears: moved 5 moves\n");
    think(stage, 3);
    stage_play(stage, "ada: move 0_1 0_2 -> ack 6; moved 6\n");
    assert_int_equal(kept(stage)->turn_version, 4);
    assert_true(rooms_live(stage) == 1);
    think(stage, 25);
    assert_int_equal(kept(stage)->turn_version, 6);
    stage_play(stage, "crash:\n" ADA_IS_BACK);
    expect_told(stage, "ada", "green");
}

static void a_turn_that_stands_is_told(void **state)
{
    it_is_told_while_somebody_thinks(*state);
}

static void and_so_it_is_among_other_servers(void **state)
{
    (void)state;
    with_lease(it_is_told_while_somebody_thinks);
}

static void it_ends_in_peace(struct stage *stage)
{
    stage_play(stage, TWO_SIT "store: holds\n"
                              "ada: move 0_0 0_1 -> \n"
                              "stop:\n");
    assert_false(core_quiet(stage->core));
    assert_int_equal(kept(stage)->turn_version, 0);
    stage_play(stage, "store: answers\n"
                      "ada hears: ack 4; moved 4\n");
    assert_true(core_quiet(stage->core));
    assert_int_equal(kept(stage)->turn_version, 4);
    stage_play(stage, ALL_GO "crash:\n" BOB_IS_BACK);
    assert_int_equal(rooms_live(stage), 0);
    expect_told(stage, "bob", "green");
}

static void a_server_that_ends_tells_it_of_all_rooms_after_its_last_commit(void **state)
{
    it_ends_in_peace(*state);
}

static void and_so_does_one_among_others(void **state)
{
    (void)state;
    with_lease(it_ends_in_peace);
}

/* Another server has gone on with the room, and this one has not heard of it. */
static void behind_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT ALL_GO "stop:\ntime: 1\n");
    assert_int_equal(kept(stage)->turn_version, 3);
    stage_play(stage, "crash:\n" ADA_IS_BACK "ada: resume 3 -> ack 3 events\n"
                      "ada: move 0_0 0_1 -> ack 4; moved 4\n");
    other_says(stage, "hello");
    stage_play(stage, "stop:\ntime: 1\n");
    assert_int_equal(kept(stage)->version, 5);
    assert_int_equal(kept(stage)->turn_version, 3);
    stage_play(stage, "ada: goes\n"
                      "crash:\n" ADA_IS_BACK);
    expect_told(stage, "ada", "");
}

static void who_is_behind_tells_nothing(void **state)
{
    (void)state;
    with_lease(behind_body);
}

#define ON_STAGE(test) cmocka_unit_test_setup_teardown(test, stage_set_small, stage_clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_STAGE(a_room_that_left_memory_is_told_with_its_turn),
        cmocka_unit_test(among_other_servers_as_well),
        ON_STAGE(who_waits_or_is_done_has_no_turn),
        ON_STAGE(who_only_looks_leaves_it_as_it_is),
        ON_STAGE(a_turn_that_stands_is_told),
        cmocka_unit_test(and_so_it_is_among_other_servers),
        ON_STAGE(a_server_that_ends_tells_it_of_all_rooms_after_its_last_commit),
        cmocka_unit_test(and_so_does_one_among_others),
        cmocka_unit_test(who_is_behind_tells_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
