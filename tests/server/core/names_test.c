/* Nobody in a room is taken for somebody else by name. */
#include "server/core/names.h"
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

static bool alike(const char *one, const char *other)
{
    return names_look_alike(text_of(one), text_of(other));
}

static void what_looks_alike(void **state)
{
    static const char *const pairs[][2] = {
        {"Ada", "Ada"},
        {"Ada", "aDA"},
        {"Ada", "A d a."},
        {"Ada", "\xd0\x90\xd0\xb4\xd0\xb0" /* Cyrillic, but for the d */},
        {"Bob", "B0b"},
        {"Ilse", "l1se"},
        {"Ada", "A\xe2\x80\x8b"
                "da" /* a space of no width */},
        {"Ada", "\xef\xbc\xa1\xef\xbd\x84\xef\xbd\x81" /* full width */},
        {"Eve", "\xce\x95ve" /* Greek */},
    };
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (i != 3)
            assert_true(alike(pairs[i][0], pairs[i][1]) && alike(pairs[i][1], pairs[i][0]));
    assert_false(alike(pairs[3][0], pairs[3][1])); /* its d is another letter */
}

static void what_does_not(void **state)
{
    (void)state;
    assert_false(alike("Ada", "Adam"));
    assert_false(alike("Ada", "Ade"));
    assert_false(alike("Ada", "Ad\xc3\xa1"));
    assert_false(alike("\xe2\x99\x9f", "\xe2\x99\x9e"));
    assert_false(alike("...", "!!!"));
    assert_true(alike("...", "..."));
    assert_false(alike("Ada 2", "Ada 3"));
}

static void every_name_is_looked_at_to_its_end(void **state)
{
    uint64_t random = 7;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        char name[DISPLAY_NAME_BYTES_MAX + 1] = {0};
        for (int at = 0; at < DISPLAY_NAME_BYTES_MAX; at++)
            name[at] = (char)(1 + test_random(&random) % 255);
        assert_true(alike(name, name));
    }
}

#define ADA_SITS                                                                                   \
    "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n"                              \
    "ada: join red Ada -> ack 2; snapshot 2 red\n"

static void expect_names(struct stage *stage, const char *red, const char *green)
{
    stage_forget(stage, "ada");
    stage_play(stage, "ada: sync\n");
    json_t *snapshot = stage_last(stage, "ada", "snapshot");
    const json_t *seats = json_object_get(json_object_get(snapshot, "state"), "seats");
    const char *const names[] = {"red", "green"}, *const wanted[] = {red, green};
    for (int i = 0; i < 2; i++)
        assert_string_equal(
            json_string_value(json_object_get(json_object_get(seats, names[i]), "name")),
            wanted[i]);
    json_decref(snapshot);
    stage_forget(stage, "ada");
}

static void who_sits_down_second_has_a_number(void **state)
{
    stage_play(*state, ADA_SITS "bob: connects\nbob: auth -> welcome\n"
                                "bob: join any ADA -> ack 3; snapshot 3 green\n");
    expect_names(*state, "Ada", "ADA (2)");
}

/* And there is room for the number. */
static void a_long_name_is_cut_between_two_letters(void **state)
{
    stage_play(*state,
               "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n"
               "ada: join red \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
               "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
               "xyz -> ack 2; snapshot 2 red\n"
               "bob: connects\nbob: auth -> welcome\n"
               "bob: join any \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
               "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
               "xyz -> ack 3; snapshot 3 green\n");
    expect_names(*state,
                 "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
                 "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4xyz",
                 "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
                 "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 (2)");
}

static void guests_are_guests(void **state)
{
    stage_play(*state, "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n"
                       "ada: join red -> ack 2; snapshot 2 red\n"
                       "bob: connects\nbob: auth -> welcome\n"
                       "bob: join any -> ack 3; snapshot 3 green\n");
    expect_names(*state, "Guest", "Guest");
}

static void expect_line(struct stage *stage, const char *name)
{
    json_t *line = stage_last(stage, "ada", "event");
    assert_string_equal(json_string_value(json_object_get(line, "kind")), "chat");
    assert_string_equal(json_string_value(json_object_get(line, "name")), name);
    json_decref(line);
    stage_forget(stage, "ada");
}

static void who_watches_does_not_speak_as_a_player(void **state)
{
    stage_play(*state, ADA_SITS "eve: connects\neve: auth -> welcome\n"
                                "eve: join spectator Ada -> ack 2; snapshot 2 spectator\n"
                                "eve: chat hello\n");
    expect_line(*state, "Ada (2)");
    stage_play(*state, "bob: connects\nbob: auth -> welcome\n"
                       "bob: join spectator Ada -> ack 3; snapshot 3 spectator\nbob: chat hello\n");
    expect_line(*state, "Ada (3)");
}

/* Who plays on elsewhere under the seat's name has it. */
static void a_seat_that_is_taken_over_keeps_its_name(void **state)
{
    stage_play(*state, ADA_SITS
               "bob: connects\nbob: auth -> welcome\n"
               "bob: join any Bob -> ack 3; snapshot 3 green\n"
               "ada hears: joined 3 moves\nbob: seat_key\nbob hears: seat_key 4 key; seat_key 4\n"
               "eve: connects\neve: auth -> welcome\neve: take\n");
    expect_names(*state, "Ada", "Bob");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_looks_alike),
        cmocka_unit_test(what_does_not),
        cmocka_unit_test(every_name_is_looked_at_to_its_end),
        cmocka_unit_test_setup_teardown(who_sits_down_second_has_a_number, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(a_long_name_is_cut_between_two_letters, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(guests_are_guests, stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(who_watches_does_not_speak_as_a_player, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(a_seat_that_is_taken_over_keeps_its_name, stage_set_small,
                                        stage_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
