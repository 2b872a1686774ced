/* Hints: who may ask for them and when, that an address waits behind itself, what is answered, and that nobody who has gone is thought for. */
#include "engine/movegen.h"
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include <string.h>

#define TWO_SIT                                                                                    \
    "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n"                              \
    "ada: join red Ada -> ack 2; snapshot 2 red\n"
#define ALONE                                                                                      \
    "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n"                              \
    "ada: join all Ada -> ack 2; snapshot 2 all moves\n"
#define BOB_SITS                                                                                   \
    "bob: connects\nbob: auth -> welcome\n"                                                        \
    "bob: join any Bob -> ack 3; snapshot 3 green\nada hears: joined 3 moves\n"

/* What is thought about first is answered with every move of the position. */
static void answer_first(struct stage *stage)
{
    struct core_hint hints[2];
    struct move moves[16];
    struct stage_hint first = stage->hints[0];
    assert_in_range(stage->hint_count, 1, STAGE_HINTS_MAX);
    memmove(stage->hints, stage->hints + 1, (size_t)--stage->hint_count * sizeof first);
    int count = movegen_all(first.position, moves);
    count = count < first.lines ? count : first.lines;
    for (int i = 0; i < count; i++)
        hints[i] = (struct core_hint){.share = i == 0 ? 1000 : 400,
                                      .ends_in = i == 0 ? 3 : 0,
                                      .move_count = 1,
                                      .moves = {moves[i]}};
    core_hinted(stage->core, first.number, first.position, hints, count);
    position_free(first.position);
}

static const char *text_at(json_t *json, const char *key)
{
    return json_string_value(json_object_get(json, key));
}

static void while_people_play_each_other_there_are_none(void **state)
{
    struct stage *stage = *state;
    stage_play(stage,
               TWO_SIT "ada: hint -> not_started\n" BOB_SITS
                       "ada: hint -> not_over\nbob: hint -> not_over\nbob: hint 0 -> not_over\n"
                       "eve: connects\neve: hint -> unauthenticated\neve: auth -> welcome\n"
                       "eve: hint -> not_over\n");
    assert_int_equal(stage->hint_count, 0);
    stage_say(stage, "eve", "{\"type\":\"hint\",\"id\":\"x\",\"room\":\"nowhere0\"}");
    stage_play(stage, "eve hears: unknown_room\n");
}

static void after_the_game_everybody_may_ask_about_each_ply(void **state)
{
    struct stage *stage = *state;
    stage_play(
        stage, TWO_SIT BOB_SITS
        "ada: move 0_0 0_1 -> ack 4; moved 4\nbob: resign -> moved 4 moves; ack 5; resigned 5\n"
        "eve: connects\neve: auth -> welcome\neve: #h hint 0 ->\n");
    assert_int_equal(stage->hint_count, 1);
    assert_int_equal(stage->hints[0].lines, 2);
    assert_int_equal(position_to_move(stage->hints[0].position), 0);
    answer_first(stage);
    json_t *hint = stage_last(stage, "eve", "hint");
    assert_non_null(hint);
    assert_string_equal(text_at(hint, "re"), "h");
    assert_string_equal(text_at(hint, "room"), stage->room);
    assert_int_equal(json_integer_value(json_object_get(hint, "version")), 5);
    assert_int_equal(json_integer_value(json_object_get(hint, "ply")), 0);
    json_t *lines = json_object_get(hint, "lines"), *line = json_array_get(lines, 0);
    assert_int_equal(json_array_size(lines), 1); /* one runner, one move */
    assert_int_equal(json_integer_value(json_object_get(line, "value")), 1000);
    assert_int_equal(json_integer_value(json_object_get(line, "ends_in")), 3);
    json_t *made = json_array_get(json_object_get(line, "moves"), 0);
    assert_string_equal(text_at(json_object_get(made, "move"), "from"), "0_0");
    assert_string_equal(text_at(json_object_get(made, "move"), "to"), "0_1");
    assert_non_null(text_at(made, "text"));
    json_decref(hint);
    stage_play(
        stage,
        "eve hears: hint\neve: hint 2 -> bad_message\nada hears: resigned 5\nada: hint ->\n");
    assert_int_equal(position_to_move(stage->hints[0].position), 1);
    answer_first(stage);
    stage_play(stage, "ada hears: hint\n");
}

static void alone_one_may_ask_while_it_is_played_and_who_watches_may_not(void **state)
{
    struct stage *stage = *state;
    stage_play(stage,
               ALONE "eve: connects\neve: auth -> welcome\neve: hint -> not_seated\n"
                     "eve: join spectator -> ack 2; snapshot 2 spectator\neve: hint -> not_seated\n"
                     "ada: hint ->\n");
    answer_first(stage);
    stage_play(stage, "ada hears: hint\n");
}

static void against_the_server_s_bot_one_may_ask(void **state)
{
    struct stage *stage = *state;
    char json[256];
    stage_play(stage, TWO_SIT "ada: bot.invite ->\n");
    stage_open(stage, "bot", true);
    snprintf(json, sizeof json, "{\"type\":\"auth\",\"id\":\"1\",\"token\":\"%s\"}",
             stage->house_token);
    stage_say(stage, "bot", json);
    stage_play(stage, "bot: join green Robot -> welcome; ack 3; snapshot 3 green bare\n"
                      "ada hears: joined 3 moves; ack 3\nada: hint ->\n");
    answer_first(stage);
    stage_play(stage, "ada hears: hint\n");
}

static void the_next_question_takes_the_place_of_the_one_before(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, ALONE "ada: move 0_0 0_1 -> ack 3; moved 3 moves\nada: #a hint ->\n"
                            "ada: #b hint 0 -> withdrawn\n");
    assert_int_equal(stage->hint_count, 1);
    assert_int_equal(position_to_move(stage->hints[0].position), 0);
    answer_first(stage);
    json_t *hint = stage_last(stage, "ada", "hint");
    assert_string_equal(text_at(hint, "re"), "b");
    json_decref(hint);
    stage_play(stage, "ada hears: hint\n");
}

static void who_has_gone_is_not_thought_for(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, ALONE "ada: hint ->\nada: goes\n");
    assert_int_equal(stage->hint_count, 0);
}

/* Everybody of one address, but for this machine's own. */
static void an_address_waits_behind_itself(void **state)
{
    struct stage *stage = *state;
    char name[16], script[128];
    enum { ASKERS = 17 };
    stage->address.bytes[0] = 0x20;
    stage_play(stage, ALONE "ada: resign -> ack 3; resigned 3\n");
    for (int i = 0; i < ASKERS; i++) {
        snprintf(name, sizeof name, "eve%d", i);
        snprintf(script, sizeof script, "%s: connects\n%s: auth -> welcome\n%s: hint 0 -> %s\n",
                 name, name, name, i < 16 ? "" : "too_many");
        stage_play(stage, script);
        assert_int_equal(stage->hint_count, 1);
    }
    stage->address.bytes[0] = 0x21;
    stage_play(stage, "bob: connects\nbob: auth -> welcome\nbob: hint 0 ->\n");
    assert_int_equal(stage->hint_count, 2);
    answer_first(stage);
    stage_play(stage, "eve0 hears: hint\neve1 hears:\n");
    assert_int_equal(stage->hint_count, 2);
    answer_first(stage);
    stage_play(stage, "bob hears: hint\neve1 hears:\neve1: goes\n");
    assert_int_equal(stage->hint_count, 1);
    answer_first(stage);
    stage_play(stage, "eve2 hears: hint\n");
    for (int i = 3; i < 16; i++)
        answer_first(stage);
    assert_int_equal(stage->hint_count, 0);
}

int main(void)
{
#define HINT_TEST(test) cmocka_unit_test_setup_teardown(test, stage_set_small, stage_clear)
    const struct CMUnitTest tests[] = {
        HINT_TEST(while_people_play_each_other_there_are_none),
        HINT_TEST(after_the_game_everybody_may_ask_about_each_ply),
        HINT_TEST(alone_one_may_ask_while_it_is_played_and_who_watches_may_not),
        HINT_TEST(against_the_server_s_bot_one_may_ask),
        HINT_TEST(the_next_question_takes_the_place_of_the_one_before),
        HINT_TEST(who_has_gone_is_not_thought_for),
        HINT_TEST(an_address_waits_behind_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
