/* What a file says may have been read otherwise before: a room is played as its game was read when it was made, whatever is
 * read anew since. Here it is what `no_moves` means where only some of `results` asks for it. */
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

/* The second move leaves b stuck, and no result holds then: today that is a draw, and it was a win. */
#define STUCK          GAME("]}")
#define STUCK_FOR_SURE GAME(",{\"if\":{\"no_moves\":true},\"result\":\"draw\"}]}")
#define GAME(more)                                                                                 \
    "{\"format\":2,\"name\":\"stuck\",\"players\":[\"a\",\"b\"],"                                  \
    "\"cell\":{\"coordinates_names\":[\"x\"],\"geometry\":[[0,0],[1,0],[1,1]],"                    \
    "\"position\":{\"x\":\"x\",\"y\":0}},\"board\":{\"cells\":{\"box\":{\"x\":5}}},"               \
    "\"figures\":{\"man\":{\"movement\":[{\"x\":1,\"for\":\"move\"}]}},"                           \
    "\"initial_position\":{\"a\":{\"man\":[{\"x\":0}]},\"b\":{\"man\":[{\"x\":4}]}},"              \
    "\"turns\":[\"a\",\"b\"],\"results\":[{\"if\":{\"no_moves\":true,"                             \
    "\"count\":{\"is\":{\"player\":\"b\"},\"max\":0}},\"result\":{\"winner\":\"a\"},"              \
    "\"reason\":\"gone\"}" more

static void play(struct stage *stage)
{
    stage_play(stage, "ada: connects\nada: auth -> welcome\n");
    stage_say(stage, "ada", "{\"type\":\"create\",\"id\":\"c\",\"definition\":" STUCK "}");
    stage_play(stage, "ada hears: ack 1\n"
                      "ada: join all -> ack 2; snapshot 2 all moves\n");
    stage_forget(stage, "ada");
    stage_play(stage, "ada: move 0 1 -> ack 3; moved 3\n");
}

static const char *first_body(struct stage *stage)
{
    return memory_store_room(&stage->store, stage->room)->events[0].body;
}

/* Who has won, by the state that is told after a restart; "": nobody. */
static void expect_winner(struct stage *stage, const char *winner)
{
    stage_crash(stage);
    stage_start(stage);
    stage_play(stage, "bob: connects\nbob: auth -> welcome\nbob: resume 0\n");
    json_t *snapshot = stage_last(stage, "bob", "snapshot");
    const json_t *result = json_object_get(json_object_get(snapshot, "state"), "result");
    const char *told = json_string_value(json_object_get(result, "winner"));
    assert_non_null(result);
    assert_string_equal(told == NULL ? "" : told, winner);
    assert_string_equal(json_string_value(json_object_get(result, "reason")),
                        "b has no legal move");
    json_decref(snapshot);
}

static void a_new_room_says_by_which_revision_it_is_played(void **state)
{
    (void)state;
    struct stage stage;
    stage_init_small(&stage);
    play(&stage);
    assert_non_null(strstr(first_body(&stage), "\"language\":2"));
    expect_winner(&stage, "");
    stage_release(&stage);
}

static void one_that_does_not_say_it_is_played_as_it_was(void **state)
{
    (void)state;
    static const char word[] = ",\"language\":2";
    struct stage stage;
    stage_init_small(&stage);
    play(&stage);
    char *at = strstr(first_body(&stage), word);
    assert_non_null(at);
    memmove(at, at + strlen(word), strlen(at + strlen(word)) + 1);
    expect_winner(&stage, "a");
    stage_release(&stage);
}

/* Of games that say nothing of the kind it is not noted. */
static void where_it_makes_no_difference_nothing_is_said(void **state)
{
    (void)state;
    struct stage stage;
    stage_init_small(&stage);
    stage_play(&stage, "ada: connects\nada: auth -> welcome\n");
    stage_say(&stage, "ada",
              "{\"type\":\"create\",\"id\":\"c\",\"definition\":" STUCK_FOR_SURE "}");
    stage_play(&stage, "ada hears: ack 1\n");
    assert_null(strstr(first_body(&stage), "language"));
    stage_release(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_room_says_by_which_revision_it_is_played),
        cmocka_unit_test(one_that_does_not_say_it_is_played_as_it_was),
        cmocka_unit_test(where_it_makes_no_difference_nothing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
