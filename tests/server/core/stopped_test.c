/* A game that is cheap until one move makes every next one dear: the move is not made, the game is over, and everybody who
 * comes later reads so in the log, without asking the rules again. */
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include "engine/load/load.h"
#include "engine/trial.h"

#include <stdlib.h>
#include <string.h>

enum { ATTACKS = 100, PLIES = 10, TEXT_BYTES = 16 * 1024 };

#define KING                                                                                       \
    "{\"x\":1,\"symmetric\":\"all\"},"                                                             \
    "{\"x\":1,\"y\":1,\"symmetric\":\"all\"}"

/* When the fuse has gone six steps it is a bomb; where there is a bomb, attacks are asked for after every move. No random
 * game comes so far, so the definition is admitted. */
static char *game_with_a_fuse(void)
{
    char *text = calloc(1, TEXT_BYTES);
    assert_non_null(text);
    strcpy(
        text,
        "{\"format\":2,\"name\":\"fuse\",\"players\":[\"a\",\"b\"],"
        "\"cell\":{\"coordinates_names\":[\"x\",\"y\"],\"geometry\":[[0,0],[1,0],[1,1]],"
        "\"position\":{\"x\":\"x\",\"y\":\"y\"}},"
        "\"board\":{\"cells\":{\"box\":{\"x\":16,\"y\":16}}},"
        "\"zones\":{\"low\":\"y < 3\",\"high\":\"y > 12\",\"lit\":\"y == 9\"},"
        "\"figures\":{\"man\":{\"movement\":[" KING "]},"
        "\"fuse\":{\"movement\":[{\"y\":1}],\"promote\":{\"in\":\"lit\",\"to\":[\"bomb\"]}},"
        "\"bomb\":{\"movement\":[]}},\"turns\":[\"a\",\"b\"],"
        "\"initial_position\":{\"a\":{\"man\":[{\"zone\":\"low\"}],\"fuse\":[{\"x\":0,\"y\":3}]},"
        "\"b\":{\"man\":[{\"zone\":\"high\"}]}},"
        "\"forbid\":[{\"count\":{\"is\":{\"figure\":\"bomb\"}},\"any\":[");
    for (int i = 0; i < ATTACKS; i++)
        strcat(strcat(text, i > 0 ? "," : ""), "{\"attacked\":{\"player\":\"mover\"}}");
    strcat(text, "]}]}");
    return text;
}

/* The result that a peer's last snapshot tells. */
static void expect_told(struct stage *stage, const char *name)
{
    json_t *snapshot = stage_last(stage, name, "snapshot");
    const json_t *state = json_object_get(snapshot, "state"),
                 *result = json_object_get(state, "result");
    assert_string_equal(json_string_value(json_object_get(state, "status")), "finished");
    assert_true(json_is_true(json_object_get(result, "draw")));
    assert_string_equal(json_string_value(json_object_get(result, "reason")), ANSWERS_TOO_MUCH);
    assert_int_equal(json_integer_value(json_object_get(state, "ply")), PLIES);
    json_decref(snapshot);
}

/* Up to the end: the fuse is lit by the third move. */
static void play_to_the_end(struct stage *stage)
{
    char *definition = game_with_a_fuse();
    char *create = calloc(1, TEXT_BYTES);
    assert_non_null(create);
    snprintf(create, TEXT_BYTES, "{\"type\":\"create\",\"id\":\"c\",\"definition\":%s}",
             definition);
    stage_play(stage, "ada: connects\nada: auth -> welcome\n");
    stage_say(stage, "ada", create);
    stage_play(stage, "ada hears: ack 1\n"
                      "ada: join a -> ack 2; snapshot 2 a\n"
                      "bob: connects\nbob: auth -> welcome\n"
                      "bob: join any -> ack 3; snapshot 3 b\n"
                      "ada hears: joined 3 moves\n");
    for (int i = 0; i < PLIES / 2; i++) {
        char moves[128];
        snprintf(moves, sizeof moves, "ada: move 0_%d 0_%d\nbob: move 5_%d 5_%d\n", 3 + i, 4 + i,
                 13 - i % 2, 12 + i % 2);
        stage_play(stage, moves);
    }
    stage_forget(stage, "ada");
    stage_forget(stage, "bob");
    stage_play(stage, "ada: #last move 0_8 0_9 -> ack 14; stopped 14\n"
                      "bob hears: stopped 14\n");
    free(create);
    free(definition);
}

static void with_stage(void (*body)(struct stage *stage))
{
    struct stage stage;
    stage_init_small(&stage);
    play_to_the_end(&stage);
    body(&stage);
    stage_release(&stage);
}

static void ends_body(struct stage *stage)
{
    stage_play(stage, "ada: move 0_8 0_9 -> game_over\n"
                      "bob: rematch.offer -> ack 15; rematch_offered 15\n"
                      "ada hears: rematch_offered 15\n"
                      "ada: sync\n");
    expect_told(stage, "ada");
}

static void a_move_that_makes_the_next_ones_too_dear_ends_the_game(void **state)
{
    (void)state;
    with_stage(ends_body);
}

static void restart_body(struct stage *stage)
{
    stage_crash(stage);
    stage_start(stage);
    stage_play(stage, "ada: connects\nada: auth -> welcome\n"
                      "ada: #last move 0_8 0_9 -> ack 14\n"
                      "bob: connects\nbob: auth -> welcome\n"
                      "bob: resume 0\n");
    expect_told(stage, "bob");
    stage_forget(stage, "bob");
    stage_play(stage, "bob: ply 10 -> ply 10 13\nbob: history 14 14 -> history 14 14 1\n");
}

static void it_is_over_after_a_restart_too_and_the_command_is_known(void **state)
{
    (void)state;
    with_stage(restart_body);
}

static void import_body(struct stage *stage)
{
    core_export(stage->core, 1, &stage->address, stage->room, RECORD_AS_FILE);
    stage_work(stage);
    assert_int_equal(stage->transfer.refusal, REFUSAL_NONE);
    char *text = strdup(stage->transfer.text);
    assert_non_null(strstr(text, "\"stopped\""));
    core_import(stage->core, 2, &stage->address, text, strlen(text), true);
    stage_work(stage);
    assert_int_equal(stage->transfer.refusal, REFUSAL_NONE);
    stage_play(stage, "ada: fork 10 -> ack 1\n");
    snprintf(stage->room, sizeof stage->room, "%s", stage->transfer.room);
    stage_play(stage, "eve: connects\neve: auth -> welcome\neve: resume 0\n");
    expect_told(stage, "eve");
    free(text);
}

static void its_record_is_a_record_like_any_other(void **state)
{
    (void)state;
    with_stage(import_body);
}

static void its_definition_is_admitted(void **state)
{
    (void)state;
    const struct load_options options = {.try_out = true};
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    char *text = game_with_a_fuse();
    struct game *game = game_load(text, strlen(text), &options, &diagnostics);
    assert_non_null(game);
    game_release(game);
    diagnostics_release(&diagnostics);
    free(text);
}

/* Whoever creates a room of it, or asks whether it is sound, reads which words are too much. */
static void a_definition_that_is_too_much_from_the_start_is_refused(void **state)
{
    (void)state;
    struct stage stage;
    stage_init_small(&stage);
    char *lit = game_with_a_fuse(), *message = calloc(1, TEXT_BYTES);
    assert_non_null(message);
    char *start = strstr(lit, "\"fuse\":[{\"x\":0,\"y\":3}]");
    assert_non_null(start);
    static const char bomb[] = {'b', 'o', 'm', 'b'};
    memcpy(start + 1, bomb, sizeof bomb);
    static const char *const messages[] = {
        "{\"type\":\"create\",\"id\":\"c\",\"definition\":%s}",
        "{\"type\":\"games\",\"id\":\"v\",\"op\":\"validate\",\"definition\":%s}",
    };
    stage_play(&stage, "ada: connects\nada: auth -> welcome\n");
    for (int i = 0; i < 2; i++) {
        snprintf(message, TEXT_BYTES, messages[i], lit);
        stage_say(&stage, "ada", message);
        stage_work(&stage);
        json_t *answer = stage_last(&stage, "ada", i == 0 ? "error" : "games");
        char *text = json_dumps(answer, 0);
        if (!strstr(text, "units of work") || !strstr(text, "/forbid/0"))
            fail_msg("%s", text);
        free(text);
        json_decref(answer);
    }
    free(message);
    free(lit);
    stage_release(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_definition_is_admitted),
        cmocka_unit_test(a_definition_that_is_too_much_from_the_start_is_refused),
        cmocka_unit_test(a_move_that_makes_the_next_ones_too_dear_ends_the_game),
        cmocka_unit_test(its_record_is_a_record_like_any_other),
        cmocka_unit_test(it_is_over_after_a_restart_too_and_the_command_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
