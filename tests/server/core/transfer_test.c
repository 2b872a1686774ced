/* Games that leave as records and come again: the way through the store and the threads, what is refused, and that an
 * answer comes exactly once. What a record must be is tested from outside (tests/end_to_end/history.test.mjs). */
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include "server/core/account.h"
#include "server/core/replay.h"

#include <stdlib.h>
#include <string.h>

#define TWO_SIT                                                                                    \
    "ada: connects\n"                                                                              \
    "ada: auth -> welcome\n"                                                                       \
    "ada: create two -> ack 1\n"                                                                   \
    "ada: join red Ada -> ack 2; snapshot 2 red\n"                                                 \
    "bob: connects\n"                                                                              \
    "bob: auth -> welcome\n"                                                                       \
    "bob: join any Bob -> ack 3; snapshot 3 green\n"                                               \
    "ada hears: joined 3 moves\n"                                                                  \
    "ada: move 0_0 0_1 -> ack 4; moved 4\n"

static uint64_t requests = 1000;

static uint64_t export_room(struct stage *stage, const char *room, enum record_form form)
{
    core_export(stage->core, ++requests, &stage->address, room, form);
    stage_work(stage);
    return requests;
}

static uint64_t import_text(struct stage *stage, const char *text)
{
    core_import(stage->core, ++requests, &stage->address, text, strlen(text), true);
    stage_work(stage);
    return requests;
}

static void expect(const struct stage *stage, uint64_t request, enum refusal refusal)
{
    assert_int_equal(stage->transfer.request, request);
    assert_string_equal(refusal_code(stage->transfer.refusal), refusal_code(refusal));
}

/* The record of the last room; the caller's. */
static char *exported(struct stage *stage)
{
    expect(stage, export_room(stage, stage->room, RECORD_AS_FILE), REFUSAL_NONE);
    assert_non_null(stage->transfer.text);
    return strdup(stage->transfer.text);
}

static void with_stage(void (*body)(struct stage *stage))
{
    struct stage stage;
    stage_init_small(&stage);
    body(&stage);
    stage_release(&stage);
}

static void finished_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT "ada: chat hi -> ack 5; chat 5\nbob: resign -> moved 4 moves; chat 5 "
                              "moves; ack 6; resigned 6\n");
    char *text = exported(stage);
    assert_string_equal(stage->transfer.room, stage->room);
    assert_null(strstr(text, "key_hash"));
    expect(stage, import_text(stage, text), REFUSAL_NONE);
    char first[24], second[24];
    memcpy(first, stage->room, sizeof first);
    memcpy(second, stage->transfer.room, sizeof second);
    assert_string_not_equal(stage->transfer.room, first);
    memcpy(stage->room, stage->transfer.room, sizeof stage->room);
    const struct kept_room *kept = memory_store_room(&stage->store, stage->room);
    assert_int_equal(kept->version, 1);
    assert_int_equal(kept->seat_count, 0); /* nobody's, in the store, too */
    assert_int_equal(kept->status, STORE_FINISHED);
    assert_string_equal(kept->game, "two"); /* known by its hash */
    for (int round = 0; round < 2; round++) {
        stage_play(stage,
                   "crash:\nada: connects\nada: auth -> welcome\n"
                   "ada: resume 0 -> ack 1 snapshot; snapshot 1 spectator\n"
                   "ada: ply 1 -> ply 1 1\nada: ply 2 -> bad_message\nada: join red -> seat_taken\n"
                   "ada: resign -> not_seated\nada: rematch.offer -> not_seated\nada: seat_key -> "
                   "not_seated\n"
                   "ada: fork 1 -> ack 1\nada: join all -> ack 2; snapshot 2 all moves\n");
        memcpy(stage->room, second, sizeof stage->room);
    }
    char *again = exported(stage), *room = strstr(again, stage->room);
    assert_non_null(room);
    memcpy(room, first, ROOM_ID_BYTES);
    assert_string_equal(again, text);
    free(again);
    free(text);
}

static void a_finished_game_comes_as_it_left_and_its_seats_are_nobodys(void **state)
{
    (void)state;
    with_stage(finished_body);
}

static void unfinished_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT);
    char *text = exported(stage);
    expect(stage, import_text(stage, text), REFUSAL_NONE);
    memcpy(stage->room, stage->transfer.room, sizeof stage->room);
    stage_play(
        stage,
        "crash:\neve: connects\neve: auth -> welcome\n"
        "eve: join red -> ack 2; snapshot 2 red\n"
        "zoe: connects\nzoe: auth -> welcome\nzoe: join green -> ack 3; snapshot 3 green moves\n"
        "zoe: move 1_0 1_1 -> ack 4; moved 4\nzoe: ply 1 -> ply 1 3\nzoe: ply 0 -> ply 0 1\n");
    free(text);
}

static void a_game_that_goes_on_waits_for_players(void **state)
{
    (void)state;
    with_stage(unfinished_body);
}

static void unknown_body(struct stage *stage)
{
    expect(stage, export_room(stage, "abcdefgh", RECORD_AS_FILE), REFUSAL_UNKNOWN_ROOM);
    expect(stage, export_room(stage, "abc", RECORD_AS_FILE), REFUSAL_UNKNOWN_ROOM);
    expect(stage, export_room(stage, "", RECORD_AS_PGN), REFUSAL_UNKNOWN_ROOM);
    stage_play(stage, TWO_SIT);
    expect(stage, export_room(stage, stage->room, RECORD_AS_PGN), REFUSAL_UNSUPPORTED);
    expect(stage, import_text(stage, "{}"), REFUSAL_BAD_MESSAGE);
    assert_non_null(strstr(stage->transfer.words, "senet_export"));
    int events = stage->store.room_count;
    expect(stage, import_text(stage, "[[[[[[[[[[[[["), REFUSAL_BAD_MESSAGE);
    expect(stage, import_text(stage, "[Variant \"Nobody's\"]\n1. e4 *"), REFUSAL_BAD_MESSAGE);
    assert_string_equal(stage->transfer.words,
                        "no game of this server is written in PGN as `Nobody's`");
    expect(stage, import_text(stage, "1. e4 *"), REFUSAL_BAD_MESSAGE);
    assert_int_equal(stage->store.room_count, events);
}

static void what_cannot_be_is_refused_and_nothing_is_stored(void **state)
{
    (void)state;
    with_stage(unknown_body);
}

static void failing_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT);
    char *text = exported(stage);
    int rooms = stage->store.room_count;
    stage_play(stage, "store: is broken\n");
    expect(stage, export_room(stage, stage->room, RECORD_AS_FILE), REFUSAL_UNAVAILABLE);
    expect(stage, import_text(stage, text), REFUSAL_UNAVAILABLE);
    stage_play(stage, "store: is whole\nstore: is full\n");
    expect(stage, export_room(stage, stage->room, RECORD_AS_FILE), REFUSAL_UNAVAILABLE);
    expect(stage, import_text(stage, text), REFUSAL_UNAVAILABLE);
    stage_play(stage, "store: is empty\nstore: conflicts 1\n");
    expect(stage, import_text(stage, text), REFUSAL_UNAVAILABLE);
    assert_int_equal(stage->store.room_count, rooms);
    expect(stage, import_text(stage, text), REFUSAL_NONE);
    assert_int_equal(stage->store.room_count, rooms + 1);
    core_stop(stage->core);
    expect(stage, import_text(stage, text), REFUSAL_UNAVAILABLE);
    expect(stage, export_room(stage, stage->room, RECORD_AS_FILE), REFUSAL_UNAVAILABLE);
    free(text);
}

static void a_store_that_cannot_answer_is_said_so(void **state)
{
    (void)state;
    with_stage(failing_body);
}

static const struct core_address someone = {{[10] = 0xff, [11] = 0xff, [12] = 192, [15] = 1}};
static const struct core_address another = {{[10] = 0xff, [11] = 0xff, [12] = 192, [15] = 2}};

static int count_jobs(const struct stage *stage)
{
    int count = 0;
    for (const struct stage_job *job = stage->jobs; job; job = job->next)
        count++;
    return count;
}

static void many_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT);
    char *text = exported(stage);
    int before = stage->transfer.count;
    int most = TASK_LANE_PLACES_MAX / TASK_PLACES + TASKS_LANE_AT_WORK_MAX;
    stage->address = someone;
    stage->jobs_hold = true;
    for (int i = 0; i < most; i++)
        import_text(stage, text);
    assert_int_equal(count_jobs(stage), TASKS_LANE_AT_WORK_MAX);
    assert_int_equal(stage->transfer.count, before);
    expect(stage, import_text(stage, text), REFUSAL_UNAVAILABLE);
    assert_true(stage->transfer.retry_ms > 0);
    expect(stage, export_room(stage, stage->room, RECORD_AS_FILE), REFUSAL_UNAVAILABLE);
    stage->jobs_hold = false;
    stage_work(stage);
    assert_int_equal(stage->transfer.count, before + most + 2);
    assert_int_equal(stage->transfer.refusal, REFUSAL_NONE);
    /* and what is under way when a server dies is nobody's worry */
    stage->jobs_hold = true;
    for (int i = 0; i < 5; i++)
        import_text(stage, text);
    stage_crash(stage);
    stage_start(stage);
    stage->jobs_hold = false;
    expect(stage, import_text(stage, text), REFUSAL_NONE);
    free(text);
}

static void a_few_are_worked_at_and_what_is_too_much_is_refused(void **state)
{
    (void)state;
    with_stage(many_body);
}

static void allowance_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT);
    char *text = exported(stage);
    size_t length = strlen(text);
    text = realloc(text, RECORD_BYTES_MAX + 2);
    memset(text + length, ' ', RECORD_BYTES_MAX + 1 - length);
    text[RECORD_BYTES_MAX + 1] = '\0';
    stage->address = someone;
    expect(stage, import_text(stage, text), REFUSAL_BAD_MESSAGE);
    assert_non_null(strstr(stage->transfer.words, "1048576"));
    text[RECORD_BYTES_MAX] = '\0';
    for (int i = 0; i < ACCOUNT_IMPORTS_BURST / 1025; i++)
        expect(stage, import_text(stage, text), REFUSAL_NONE);
    expect(stage, import_text(stage, text), REFUSAL_RATE_LIMITED);
    uint64_t then_ms = stage->now_ms + stage->transfer.retry_ms;
    core_time(stage->core, stage->now_ms = then_ms - 1);
    expect(stage, import_text(stage, text), REFUSAL_RATE_LIMITED);
    stage->address = another; /* whom that does not concern */
    expect(stage, import_text(stage, text), REFUSAL_NONE);
    stage->address = someone;
    core_time(stage->core, stage->now_ms = then_ms);
    expect(stage, import_text(stage, text), REFUSAL_NONE);
    free(text);
}

static void an_address_may_import_so_fast_and_no_faster(void **state)
{
    (void)state;
    with_stage(allowance_body);
}

/* As many as an address may make by any other way; and the same of all addresses together, those first who brought most. */
static void rooms_body(struct stage *stage)
{
    enum { ROOMS = 4, ALL = 8 };
    stage_play(stage, TWO_SIT);
    char *text = exported(stage);
    stage_crash(stage);
    stage->options.address_rooms_burst = ROOMS;
    stage->options.address_rooms_per_minute = 60;
    stage->options.rooms_made_burst = ALL;
    stage->options.rooms_made_per_s = 1;
    stage_start(stage);
    stage->address = someone;
    for (int i = 0; i < ROOMS; i++)
        expect(stage, import_text(stage, text), REFUSAL_NONE);
    expect(stage, import_text(stage, text), REFUSAL_RATE_LIMITED);
    stage_play(stage, "ada: connects\nada: auth -> welcome\nada: create two -> rate_limited\n");
    uint64_t then_ms = stage->now_ms + stage->transfer.retry_ms;
    core_time(stage->core, stage->now_ms = then_ms - 1);
    expect(stage, import_text(stage, text), REFUSAL_RATE_LIMITED);
    core_time(stage->core, stage->now_ms = then_ms);
    expect(stage, import_text(stage, text), REFUSAL_NONE);
    /* Half of what all may make is left: now those wait first who have made more. */
    stage->address = another;
    for (int i = 0; i < ROOMS - 1; i++)
        expect(stage, import_text(stage, text), REFUSAL_NONE);
    expect(stage, import_text(stage, text), REFUSAL_RATE_LIMITED);
    stage->address.bytes[15]++;
    expect(stage, import_text(stage, text), REFUSAL_NONE);
    stage->address = (struct core_address){{0}};
    for (int i = 0; i < 2 * ALL; i++) /* this machine's own are not counted */
        expect(stage, import_text(stage, text), REFUSAL_NONE);
    free(text);
}

static void what_comes_in_is_a_room_of_its_address(void **state)
{
    (void)state;
    with_stage(rooms_body);
}

/* However its moves lie in the record: all of them in one event, too. */
static void slow_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT);
    char *text = exported(stage);
    int rooms = stage->store.room_count;
    stage_crash(stage);
    stage->options.transfer_units = 10;
    stage_start(stage);
    expect(stage, import_text(stage, text), REFUSAL_BAD_MESSAGE);
    assert_string_equal(stage->transfer.words, "this game takes too long to be played again");
    assert_int_equal(stage->store.room_count, rooms);
    free(text);
}

static void a_game_that_takes_too_long_is_refused(void **state)
{
    (void)state;
    with_stage(slow_body);
}

/* An earlier server wrote no names into a rematch's first event. */
static void older_body(struct stage *stage)
{
    stage_play(
        stage,
        "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n"
        "ada: join all Ada -> ack 2; snapshot 2 all moves\nada: resign -> ack 3; resigned 3\n"
        "ada: rematch.offer -> ack 4; rematch_offered 4\nada: rematch.accept\n");
    stage_go_on(stage, "ada");
    char *seated =
        strstr(memory_store_room(&stage->store, stage->room)->events[0].body, ",\"seated\":");
    assert_non_null(seated);
    strcpy(seated, "}");
    char *text = exported(stage);
    struct replay replay = {.words = ""};
    assert_true(replay_run(&replay, text, strlen(text), NULL, NULL));
    assert_int_equal(replay.standing.status, STATUS_PLAYING);
    assert_string_equal(replay.standing.seats[1].name, "Ada");
    replay_release(&replay);
    free(text);
}

static void a_rematch_of_an_earlier_server_leaves_with_its_players(void **state)
{
    (void)state;
    with_stage(older_body);
}

/* A key of the room it left must open nothing in the room it comes to. */
static void key_body(struct stage *stage)
{
    stage_play(stage, TWO_SIT "bob: seat_key -> moved 4 moves; seat_key 5 key; seat_key 5 moves\n"
                              "bob: resign -> ack 6; resigned 6\n");
    char *text = exported(stage);
    assert_null(strstr(text, "key_hash"));
    /* as if somebody had put it back: {"seats":["green"],… of the event gets a digest of a key that is known */
    const char *at = strstr(text, "\"kind\":\"seat_key\",\"body\":{");
    assert_non_null(at);
    at = strchr(at + strlen("\"kind\":\"seat_key\",\"body\""), '{') + 1;
    const char *digest =
        "\"key_hash\":\"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\",";
    char *spoilt = calloc(1, strlen(text) + strlen(digest) + 1);
    memcpy(spoilt, text, (size_t)(at - text));
    strcat(spoilt, digest);
    strcat(spoilt, at);
    expect(stage, import_text(stage, spoilt), REFUSAL_NONE);
    const struct kept_room *kept = memory_store_room(&stage->store, stage->transfer.room);
    assert_null(strstr(kept->events[0].body, "key_hash"));
    assert_null(strstr(kept->events[0].body, "seat_key"));
    free(spoilt);
    free(text);
}

static void keys_stay_behind(void **state)
{
    (void)state;
    with_stage(key_body);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finished_game_comes_as_it_left_and_its_seats_are_nobodys),
        cmocka_unit_test(a_game_that_goes_on_waits_for_players),
        cmocka_unit_test(what_cannot_be_is_refused_and_nothing_is_stored),
        cmocka_unit_test(a_store_that_cannot_answer_is_said_so),
        cmocka_unit_test(a_few_are_worked_at_and_what_is_too_much_is_refused),
        cmocka_unit_test(an_address_may_import_so_fast_and_no_faster),
        cmocka_unit_test(what_comes_in_is_a_room_of_its_address),
        cmocka_unit_test(a_game_that_takes_too_long_is_refused),
        cmocka_unit_test(a_rematch_of_an_earlier_server_leaves_with_its_players),
        cmocka_unit_test(keys_stay_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
