/* Who plays is heard before others as long as what he asks for is little beside his moves. A seat alone is worth nothing: a
 * stranger has both of them in a room of his own. */
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

static bool precedes(struct stage *stage, const char *name)
{
    return core_peer_precedes(stage->core, stage_peer(stage, name)->peer);
}

static bool plays(struct stage *stage, const char *name)
{
    return core_peer_plays(stage->core, stage_peer(stage, name)->peer);
}

static void pass_time(struct stage *stage, uint64_t ms)
{
    stage->now_ms += ms;
    core_time(stage->core, stage->now_ms);
}

/* Both have been there for a while when it begins. */
static void begin_game(struct stage *stage)
{
    stage_open(stage, "ada", false);
    stage_open(stage, "bob", false);
    stage_play(stage, "ada: auth -> welcome\n"
                      "bob: auth -> welcome\n"
                      "ada: create two -> ack 1\n"
                      "ada: join red -> ack 2; snapshot 2 red\n");
    assert_false(precedes(stage, "ada"));
    pass_time(stage, 10000);
    stage_play(stage, "bob: join green -> ack 3; snapshot 3 green\n"
                      "ada hears: joined 3 moves\n");
    pass_time(stage, 2000);
}

/* The past of the room, again and again; how often until others are heard as soon. */
static int ask_until_it_is_too_much(struct stage *stage, const char *name)
{
    char question[120];
    int asked = 0;
    snprintf(question, sizeof question,
             "{\"type\":\"history\",\"id\":\"h\",\"room\":\"%s\",\"from\":1,\"to\":3}",
             stage->room);
    while (asked < 1000 && precedes(stage, name)) {
        stage_say(stage, name, question);
        asked++;
    }
    stage_forget(stage, name);
    return asked;
}

static void who_only_asks_is_heard_like_anybody(void **state)
{
    struct stage *stage = *state;
    begin_game(stage);
    assert_true(precedes(stage, "ada") && precedes(stage, "bob"));
    assert_in_range(ask_until_it_is_too_much(stage, "ada"), 5, 100);
    assert_true(plays(stage, "ada")); /* so nobody takes his place */
    assert_true(precedes(stage, "bob"));
}

/* What waits for the store's answer is not free until it comes. */
static void what_is_asked_at_once_counts(void **state)
{
    struct stage *stage = *state;
    begin_game(stage);
    stage->store_holds = true;
    assert_in_range(ask_until_it_is_too_much(stage, "ada"), 5, 200);
    stage->store_holds = false;
    stage_work(stage);
    stage_forget(stage, "ada");
}

static void who_moves_comes_first_again(void **state)
{
    struct stage *stage = *state;
    begin_game(stage);
    ask_until_it_is_too_much(stage, "ada");
    stage_play(stage, "ada: move 0_0 0_1 -> ack 4; moved 4\n"
                      "bob hears: moved 4 moves\n");
    assert_true(precedes(stage, "ada"));
    /* As far as one move goes, which is less than what he had at first. */
    assert_in_range(ask_until_it_is_too_much(stage, "ada"), 1, 40);
}

/* A refused one is none. */
static void a_move_that_is_not_made_earns_nothing(void **state)
{
    struct stage *stage = *state;
    begin_game(stage);
    ask_until_it_is_too_much(stage, "ada");
    stage_play(stage, "ada: move 0_0 0_3 -> illegal_move\n");
    assert_false(precedes(stage, "ada"));
}

static void who_asks_for_little_comes_first_after_a_while(void **state)
{
    struct stage *stage = *state;
    begin_game(stage);
    ask_until_it_is_too_much(stage, "ada");
    pass_time(stage, 5000);
    assert_true(precedes(stage, "ada"));
}

static void who_has_no_seat_never_does(void **state)
{
    struct stage *stage = *state;
    begin_game(stage);
    stage_open(stage, "eve", false);
    stage_play(stage, "eve: auth -> welcome\n"
                      "eve: join spectator -> ack 3; snapshot 3 spectator\n");
    pass_time(stage, 60000);
    assert_false(precedes(stage, "eve"));
}

int main(void)
{
#define STAGE_TEST(test) cmocka_unit_test_setup_teardown(test, stage_set_small, stage_clear)
    const struct CMUnitTest tests[] = {
        STAGE_TEST(who_only_asks_is_heard_like_anybody),
        STAGE_TEST(what_is_asked_at_once_counts),
        STAGE_TEST(who_moves_comes_first_again),
        STAGE_TEST(a_move_that_is_not_made_earns_nothing),
        STAGE_TEST(who_asks_for_little_comes_first_after_a_while),
        STAGE_TEST(who_has_no_seat_never_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
