/* What strangers' definitions may take in memory, together and of one address, and who makes room for whom. */
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 2048, MIB = 1024 * 1024 };

/* Between 8/3 and 4 MiB in memory, so two fit in eight and three do not; other words make another one. */
static const char *large_game(char words)
{
    static char text[TEXT_BYTES];
    snprintf(
        text, sizeof text,
        "{\"format\":2,\"name\":\"x\",\"title\":\"%c\",\"cell\":{\"coordinates_names\":[\"x\","
        "\"y\"],"
        "\"position\":{\"x\":\"x\",\"y\":\"y\"},\"geometry\":[[0,0],[1,0],[1,1],[0,1]]},"
        "\"board\":{\"cells\":{\"box\":{\"x\":24,\"y\":24}}},\"figures\":{\"q\":{\"movement\":["
        "{\"x\":1,\"symmetric\":\"all\",\"repeat\":true},"
        "{\"x\":1,\"y\":1,\"symmetric\":\"all\",\"repeat\":true}]}},"
        "\"players\":[\"a\",\"b\"],\"turns\":[\"a\",\"b\"],"
        "\"initial_position\":{\"a\":{\"q\":[{\"x\":0,\"y\":0}]},\"b\":{\"q\":[{\"x\":1,\"y\":2}]}}"
        ","
        "\"results\":[{\"if\":{\"no_moves\":true},\"result\":\"draw\",\"reason\":\"stuck\"}]}",
        words);
    return text;
}

static int setup(void **state)
{
    struct stage *stage = calloc(1, sizeof *stage);
    stage_init_small(stage);
    *state = stage;
    return 0;
}

static int teardown(void **state)
{
    stage_release(*state);
    free(*state);
    return 0;
}

static void begin(struct stage *stage, uint32_t mib, uint32_t address_mib)
{
    stage_crash(stage);
    stage->options.definitions_mib = mib;
    stage->options.address_definitions_mib = address_mib;
    stage_start(stage);
}

static void come(struct stage *stage, const char *name, uint8_t address)
{
    char line[64];
    stage->address =
        (struct core_address){{[10] = 0xff, [11] = 0xff, [12] = 192, [13] = 0, [14] = 2, address}};
    stage_open(stage, name, false);
    snprintf(line, sizeof line, "%s: auth\n", name);
    stage_play(stage, line);
}

static uint64_t bytes_held(const struct stage *stage)
{
    struct core_statistics statistics;
    core_read_statistics(stage->core, &statistics);
    return statistics.definition_bytes;
}

/* The answer: "ack", or the code of a refusal, which is then told when to come back. */
static const char *create(struct stage *stage, const char *name, char words, const char *why)
{
    static int number;
    static char text[TEXT_BYTES + 64], code[32];
    stage_forget(stage, name);
    snprintf(text, sizeof text, "{\"type\":\"create\",\"id\":\"large%d\",\"definition\":%s}",
             ++number, large_game(words));
    stage_say(stage, name, text);
    stage_work(stage);
    json_t *error = stage_last(stage, name, "error");
    snprintf(code, sizeof code, "%s",
             error ? json_string_value(json_object_get(error, "code")) : "ack");
    if (error) {
        assert_non_null(strstr(json_string_value(json_object_get(error, "message")), why));
        assert_true(json_integer_value(json_object_get(error, "retry_ms")) > 0);
    }
    json_decref(error);
    json_t *ack = stage_last(stage, name, "ack");
    if (ack)
        snprintf(stage->room, sizeof stage->room, "%s",
                 json_string_value(json_object_get(ack, "room")));
    json_decref(ack);
    stage_forget(stage, name);
    return code;
}

static void what_nobody_plays_makes_room(void **state)
{
    struct stage *stage = *state;
    begin(stage, 8, 64);
    come(stage, "ada", 1);
    for (char words = 'a'; words < 'j'; words++) {
        assert_string_equal(create(stage, "ada", words, ""), "ack");
        assert_in_range(bytes_held(stage), 2 * MIB, 8 * MIB);
        stage_play(stage, "time: 5000\n"); /* compiling costs */
    }
}

static void what_is_played_stays_and_the_next_one_is_refused(void **state)
{
    struct stage *stage = *state;
    begin(stage, 8, 64);
    come(stage, "ada", 1);
    come(stage, "bob", 2);
    assert_string_equal(create(stage, "ada", 'a', ""), "ack");
    stage_play(stage, "ada: join a -> ack 2; snapshot 2 a\n");
    assert_string_equal(create(stage, "bob", 'b', ""), "ack");
    stage_play(stage, "bob: join a -> ack 2; snapshot 2 a\n");
    uint64_t held = bytes_held(stage);
    assert_in_range(held, 16 * MIB / 3, 8 * MIB);
    assert_string_equal(create(stage, "ada", 'c', "take all the memory"), "unavailable");
    assert_int_equal(bytes_held(stage), held);
    /* Games of the server's own are not counted, and those that were refused nothing go on. */
    stage_play(stage, "ada: create two -> ack 1\n");
    assert_string_equal(create(stage, "ada", 'a', ""), "ack");
}

static void one_address_has_its_own_bound(void **state)
{
    struct stage *stage = *state;
    begin(stage, 64, 4);
    come(stage, "ada", 1);
    come(stage, "bob", 2);
    assert_string_equal(create(stage, "ada", 'a', ""), "ack");
    stage_play(stage, "ada: join a -> ack 2; snapshot 2 a\n");
    assert_string_equal(create(stage, "ada", 'b', "your own address"), "unavailable");
    come(stage, "ada2", 1);
    assert_string_equal(create(stage, "ada2", 'b', "your own address"), "unavailable");
    /* Out of the room she does not play any more: it makes room for her next one. */
    stage_play(stage, "ada: leave -> ack 3\n");
    assert_string_equal(create(stage, "ada", 'c', ""), "ack");
    assert_string_equal(create(stage, "bob", 'b', ""), "ack");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_nobody_plays_makes_room, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_played_stays_and_the_next_one_is_refused, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(one_address_has_its_own_bound, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
