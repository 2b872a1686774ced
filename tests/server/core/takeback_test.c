/* Moves that are taken back: who may ask, who has to agree, and that nothing is left of them but the log. */
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#define TWO_SIT                                                                                    \
    "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n"                              \
    "ada: join red Ada -> ack 2; snapshot 2 red\n"                                                 \
    "bob: connects\nbob: auth -> welcome\n"                                                        \
    "bob: join any Bob -> ack 3; snapshot 3 green\nada hears: joined 3 moves\n"
#define THREE_SIT                                                                                  \
    "ada: connects\nada: auth -> welcome\nada: create three -> ack 1\n"                            \
    "ada: join red -> ack 2; snapshot 2 red\n"                                                     \
    "bob: connects\nbob: auth -> welcome\nbob: join green -> ack 3; snapshot 3 green\n"            \
    "eve: connects\neve: auth -> welcome\neve: join blue -> ack 4; snapshot 4 blue\n"              \
    "ada hears: joined 3; joined 4 moves\nbob hears: joined 4\n"

static void plays(void **state, const char *script)
{
    stage_play(*state, script);
}

/* --- who and when ------------------------------------------------------------------------------- */

static void the_other_one_has_to_agree(void **state)
{
    plays(state, TWO_SIT
          "ada: takeback.offer -> no_offer\nada: takeback.accept -> no_offer\n"
          "ada: takeback.decline -> no_offer\n"
          "ada: move 0_0 0_1 -> ack 4; moved 4\n"
          "bob: takeback.offer -> moved 4 moves; no_offer\n"
          "ada: #t takeback.offer -> ack 5; takeback_offered 5\n"
          "ada: takeback.offer -> ack 5\nada: takeback.accept -> no_offer\n"
          "ada: #t takeback.offer -> ack 5\n"
          "bob: takeback.decline -> takeback_offered 5 moves; ack 6; takeback_declined 6 moves\n"
          "ada: takeback.offer -> takeback_declined 6; ack 7; takeback_offered 7\n"
          "bob: #y takeback.accept -> takeback_offered 7 moves; ack 8; taken_back 8\n"
          "bob: #y takeback.accept -> ack 8\nbob: takeback.accept -> no_offer\n"
          "ada hears: taken_back 8 moves\n"
          "bob: move 1_0 1_1 -> not_your_turn\n"
          "ada: move 0_0 0_1 4 -> stale\n"
          "ada: move 0_0 0_1 8 -> ack 9; moved 9\n"
          "ada: plies 0 -> plies 0 1 1\nbob: ply 1 -> moved 9 moves; ply 1 9\n");
}

static void the_next_move_ends_the_offer(void **state)
{
    plays(state,
          TWO_SIT "ada: move 0_0 0_1 -> ack 4; moved 4\n"
                  "ada: takeback.offer -> ack 5; takeback_offered 5\n"
                  "bob: move 1_0 1_1 -> moved 4 moves; takeback_offered 5 moves; ack 6; moved 6\n"
                  "bob: takeback.accept -> no_offer\n"
                  "ada: takeback.offer -> moved 6 moves; ack 7; "
                  "takeback_offered 7 moves\n"
                  "bob: takeback.offer -> takeback_offered 7; ack 8; taken_back 8\n"
                  "ada hears: taken_back 8 moves\n"
                  "ada: plies 0 -> plies 0 0 0\n");
}

static void of_three_all_have_to_agree(void **state)
{
    plays(state,
          THREE_SIT "ada: move 0_0 0_1 -> ack 5; moved 5\n"
                    "bob: move 1_0 1_1 -> moved 5 moves; ack 6; moved 6\n"
                    "ada: takeback.offer -> moved 6; ack 7; takeback_offered 7\n"
                    "bob: takeback.accept -> takeback_offered 7; ack 8; takeback_accepted 8\n"
                    "bob: takeback.accept -> no_offer\n"
                    "eve: takeback.accept -> moved 5; moved 6 moves; takeback_offered 7 moves; "
                    "takeback_accepted 8 moves; "
                    "ack 9; taken_back 9\n"
                    "ada hears: takeback_accepted 8; taken_back 9 moves\n"
                    "ada: ply 0 -> ply 0 4\nada: plies 0 -> plies 0 0 0\n");
}

static void who_plays_all_sides_asks_nobody(void **state)
{
    plays(state, "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n"
                 "ada: join all -> ack 2; snapshot 2 all moves\n"
                 "ada: takeback.offer -> no_offer\n"
                 "ada: move 0_0 0_1 -> ack 3; moved 3 moves\n"
                 "ada: move 1_0 1_1 -> ack 4; moved 4 moves\n"
                 "ada: takeback.offer -> ack 5; taken_back 5 moves\n"
                 "ada: takeback.offer -> ack 6; taken_back 6 moves\n"
                 "ada: takeback.offer -> no_offer\n"
                 "ada: move 0_0 0_1 -> ack 7; moved 7 moves\n");
}

static void a_finished_game_stays_as_it_is(void **state)
{
    plays(state, TWO_SIT "ada: move 0_0 0_1 -> ack 4; moved 4\n"
                         "bob: resign -> moved 4 moves; ack 5; resigned 5\n"
                         "ada: takeback.offer -> resigned 5; game_over\n");
}

static void who_watches_has_nothing_to_say(void **state)
{
    plays(
        state, TWO_SIT
        "ada: move 0_0 0_1 -> ack 4; moved 4\n"
        "eve: connects\neve: auth -> welcome\neve: join spectator -> ack 4; snapshot 4 spectator\n"
        "eve: takeback.offer -> not_seated\n"
        "ada: takeback.offer -> ack 5; takeback_offered 5\n"
        "eve: takeback.accept -> takeback_offered 5; not_seated\n"
        "bob: takeback.accept -> moved 4 moves; takeback_offered 5 moves; ack 6; taken_back 6\n"
        "eve hears: taken_back 6\n");
}

/* What a fork came with nobody there has played. */
static void the_past_of_a_fork_stays(void **state)
{
    plays(state, TWO_SIT "ada: move 0_0 0_1 -> ack 4; moved 4\n"
                         "bob: move 1_0 1_1 -> moved 4 moves; ack 5; moved 5\n"
                         "ada: fork 1 -> moved 5 moves; ack 1\n"
                         "ada: join all -> ack 2; snapshot 2 all moves\n"
                         "ada: takeback.offer -> no_offer\n"
                         "ada: move 1_0 1_1 -> ack 3; moved 3 moves\n"
                         "ada: takeback.offer -> ack 4; taken_back 4 moves\n"
                         "ada: takeback.offer -> no_offer\n"
                         "ada: plies 0 -> plies 0 1 1\n");
}

static void a_turn_of_several_moves_goes_as_a_whole(void **state)
{
    plays(state, "ada: connects\nada: auth -> welcome\nada: create hops -> ack 1\n"
                 "ada: join all -> ack 2; snapshot 2 all moves\n"
                 "ada: move 0_0 2_0 -> ack 3; moved 3 moves\n"
                 "ada: move 2_0 4_0 -> ack 4; moved 4 moves\n"
                 "ada: takeback.offer -> ack 5; taken_back 5 moves\n"
                 "ada: plies 0 -> plies 0 0 0\n"
                 "ada: move 0_0 2_0 -> ack 6; moved 6 moves\n");
}

/* Nobody has answered it; once it is over they are asked. */
static void a_turn_that_is_not_over_is_ones_own(void **state)
{
    plays(state, "ada: connects\nada: auth -> welcome\nada: create hops -> ack 1\n"
                 "ada: join red -> ack 2; snapshot 2 red\n"
                 "bob: connects\nbob: auth -> welcome\n"
                 "bob: join green -> ack 3; snapshot 3 green\nada hears: joined 3 moves\n"
                 "ada: move 0_0 2_0 -> ack 4; moved 4 moves\n"
                 "bob: takeback.offer -> moved 4; no_offer\n"
                 "ada: takeback.offer -> ack 5; taken_back 5 moves\n"
                 "bob hears: taken_back 5\n"
                 "ada: move 0_0 2_0 -> ack 6; moved 6 moves\n"
                 "ada: move 2_0 4_0 -> ack 7; moved 7\n"
                 "ada: takeback.offer -> ack 8; takeback_offered 8\n");
}

/* Or else thinking would cost nothing. */
static void with_a_clock_the_other_one_is_asked_in_any_turn(void **state)
{
    plays(state, "ada: connects\nada: auth -> welcome\n"
                 "ada: {\"type\":\"create\",\"id\":\"1\",\"game\":\"hops\","
                 "\"clock\":{\"initial_ms\":10000}} -> ack 1\n"
                 "ada: join red -> ack 2; snapshot 2 red\n"
                 "bob: connects\nbob: auth -> welcome\n"
                 "bob: join green -> ack 3; snapshot 3 green\nada hears: joined 3 moves\n"
                 "ada: move 0_0 2_0 -> ack 4; moved 4 moves\n"
                 "ada: takeback.offer -> ack 5; takeback_offered 5 moves\n");
}

/* --- what is left ------------------------------------------------------------------------------- */

enum { STEPS = 400, COURSE_MAX = 400, HASH_BYTES = 16 };

/* What was seen of each ply that is one. */
struct course {
    int plies;
    char hashes[COURSE_MAX + 1][HASH_BYTES];
    char moves[16 * 1024]; /* the list of legal moves, as JSON */
};

static void see(struct course *course, int ply, const json_t *frame)
{
    json_t *moves = json_object_get(frame, "legal_moves");
    char *text = json_dumps(moves ? moves : json_null(), JSON_COMPACT | JSON_ENCODE_ANY);
    course->plies = ply;
    snprintf(course->moves, sizeof course->moves, "%s", text);
    assert_true(strlen(text) < sizeof course->moves);
    snprintf(course->hashes[ply], HASH_BYTES, "%s",
             json_string_value(json_object_get(frame, "hash")));
    free(text);
}

static json_t *ask(struct stage *stage, const char *what, const char *expected)
{
    char json[512];
    snprintf(json, sizeof json, "{\"id\":\"q%d\",\"room\":\"%s\",%s}", ++stage->id_count,
             stage->room, what);
    stage->now_ms += 1000;
    core_time(stage->core, stage->now_ms);
    stage_forget(stage, "ada");
    stage_say(stage, "ada", json);
    json_t *frame = stage_last(stage, "ada", expected);
    if (!frame)
        fail_msg("%s: %s", what,
                 stage_peer(stage, "ada")->first ? stage_peer(stage, "ada")->first->text
                                                 : "nothing");
    return frame;
}

static void sit(struct stage *stage, struct course *course, const char *how)
{
    json_t *snapshot = ask(stage, how, "snapshot");
    const json_t *state = json_object_get(snapshot, "state");
    see(course, (int)json_integer_value(json_object_get(state, "ply")), snapshot);
    json_decref(snapshot);
}

/* Nobody can tell that there was ever another move: the same state, the same hash, the same moves. */
static void take_back(struct stage *stage, struct course *course)
{
    char before[HASH_BYTES];
    json_t *event = ask(stage, "\"type\":\"action\",\"kind\":\"takeback.offer\"", "event");
    int ply = (int)json_integer_value(json_object_get(event, "ply"));
    assert_string_equal(json_string_value(json_object_get(event, "kind")), "taken_back");
    assert_int_equal(ply, course->plies - 1);
    memcpy(before, course->hashes[ply], sizeof before);
    see(course, ply, event);
    assert_string_equal(course->hashes[ply], before);
    json_decref(event);
}

static void make_move(struct stage *stage, struct course *course, uint64_t *seed)
{
    json_t *moves = json_loads(course->moves, JSON_DECODE_ANY, NULL);
    char *text = json_dumps(
        json_array_get(moves, (size_t)(test_random(seed) % json_array_size(moves))), JSON_COMPACT);
    char what[256];
    snprintf(what, sizeof what, "\"type\":\"move\",\"move\":%s", text);
    json_t *event = ask(stage, what, "event");
    see(course, course->plies + 1, event);
    json_decref(event);
    json_decref(moves);
    free(text);
}

static void expect_plies(struct stage *stage, const struct course *course)
{
    for (int ply = 0; ply <= course->plies; ply++) {
        char what[64];
        snprintf(what, sizeof what, "\"type\":\"history\",\"ply\":%d", ply);
        json_t *answer = ask(stage, what, "history");
        assert_string_equal(json_string_value(json_object_get(answer, "hash")),
                            course->hashes[ply]);
        json_decref(answer);
    }
}

static char *exported(struct stage *stage)
{
    core_export(stage->core, 77, &stage->address, stage->room, RECORD_AS_FILE);
    stage_work(stage);
    assert_non_null(stage->transfer.text);
    return strdup(stage->transfer.text);
}

/* Taken back and played again, again and again: what stands is what the moves that are left lead to; also after a restart, and in the file. */
static void nothing_is_left_of_it_in(const char *game, uint64_t seed)
{
    struct stage *stage = malloc(sizeof *stage);
    struct course *course = malloc(sizeof *course);
    char script[128];
    assert_true(stage && course);
    stage_init(stage);
    snprintf(script, sizeof script,
             "ada: connects\nada: auth -> welcome\nada: create %s -> ack 1\n", game);
    stage_play(stage, script);
    sit(stage, course, "\"type\":\"join\",\"seat\":\"all\"");
    int first = course->plies;
    for (int i = 0; i < STEPS && course->plies < COURSE_MAX; i++) {
        bool over = strcmp(course->moves, "[]") == 0 || strcmp(course->moves, "null") == 0;
        if (over)
            break;
        if (course->plies > first && test_random(&seed) % 5 < 2)
            take_back(stage, course);
        else
            make_move(stage, course, &seed);
    }
    expect_plies(stage, course);
    char hash[HASH_BYTES];
    memcpy(hash, course->hashes[course->plies], sizeof hash);
    int plies = course->plies;
    stage_play(stage, "crash:\nada: connects\nada: auth -> welcome\n");
    sit(stage, course, "\"type\":\"resume\",\"version\":0");
    assert_int_equal(course->plies, plies);
    assert_string_equal(course->hashes[plies], hash);
    expect_plies(stage, course);
    char *text = exported(stage);
    core_import(stage->core, 78, &stage->address, text, strlen(text), true);
    stage_work(stage);
    assert_int_equal(stage->transfer.refusal, REFUSAL_NONE);
    memcpy(stage->room, stage->transfer.room, sizeof stage->room);
    snprintf(script, sizeof script, "\"type\":\"history\",\"moves\":true,\"from\":%d", plies);
    json_t *answer = ask(stage, script, "history");
    assert_int_equal(json_integer_value(json_object_get(answer, "plies")), plies);
    json_decref(answer);
    free(text);
    stage_release(stage);
    free(stage);
    free(course);
}

static void nothing_is_left_of_it(void **state)
{
    (void)state;
    nothing_is_left_of_it_in("chess", 1);
    nothing_is_left_of_it_in("chess", 2);
    nothing_is_left_of_it_in("three", 3);
    nothing_is_left_of_it_in("places", 4);
}

static bool may_be_claimed(struct stage *stage)
{
    stage_play(stage, "ada: sync\n");
    json_t *snapshot = stage_last(stage, "ada", "snapshot");
    bool may = json_object_get(json_object_get(snapshot, "state"), "claim") != NULL;
    json_decref(snapshot);
    stage_forget(stage, "ada");
    return may;
}

#define KNIGHTS_OUT "ada: move g1 f3\nada: move g8 f6\n"
#define KNIGHTS_BACK                                                                               \
    "ada: move f3 g1\n"                                                                            \
    "ada: move f6 g8\n"

/* A position that was taken back has not been there. */
static void repetitions_count_anew(void **state)
{
    (void)state;
    struct stage *stage = malloc(sizeof *stage);
    assert_non_null(stage);
    stage_init(stage);
    stage_play(stage,
               "ada: connects\nada: auth -> welcome\nada: create chess -> ack 1\nada: join all\n"
               "ada: move e2 e4\nada: move e7 e5\n" KNIGHTS_OUT KNIGHTS_BACK KNIGHTS_OUT
               "ada: move f3 g1\n");
    assert_false(may_be_claimed(stage));
    stage_play(stage, "ada: move f6 g8\n");
    assert_true(may_be_claimed(stage));
    for (int i = 0; i < 2; i++) {
        stage_play(stage, "ada: takeback.offer\nada: takeback.offer\n");
        assert_false(may_be_claimed(stage));
        stage_play(stage, "ada: move f3 g1\n");
        assert_false(
            may_be_claimed(stage)); /* it is counted once, not once for each time it was made */
        stage_play(stage, "ada: move f6 g8\n");
        assert_true(may_be_claimed(stage));
    }
    stage_release(stage);
    free(stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_other_one_has_to_agree, stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(the_next_move_ends_the_offer, stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(of_three_all_have_to_agree, stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(who_plays_all_sides_asks_nobody, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(a_finished_game_stays_as_it_is, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(who_watches_has_nothing_to_say, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(the_past_of_a_fork_stays, stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(a_turn_of_several_moves_goes_as_a_whole, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(a_turn_that_is_not_over_is_ones_own, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(with_a_clock_the_other_one_is_asked_in_any_turn,
                                        stage_set_small, stage_clear),
        cmocka_unit_test(repetitions_count_anew),
        cmocka_unit_test(nothing_is_left_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
