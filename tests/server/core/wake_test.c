/* What the loop does of long games and what it leaves to threads, counted in units of work: waking a room, forking it, and
 * taking one in from a record. */
#include "engine/work.h"
#include "server/core/cost.h"
#include "server/core/parts.h"
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

enum {
    LONG_EVENTS = 6000,
    LONG_PLIES = 1900,
    LOOP_UNITS_MAX =
        20000, /* a fifth of a millisecond: an answer about a position of a small game */
};

#define TWO_SIT                                                                                    \
    "ada: connects\nada: auth -> welcome\nada: create hops -> ack 1\n"                             \
    "ada: join all Ada -> ack 2; snapshot 2 all moves\n"

/* As many events more of the room as the store would have kept them. */
static void append_to(struct stage *stage, const char *kind, const char *const bodies[2], int count)
{
    const struct kept_room *kept = memory_store_room(&stage->store, stage->room);
    char id[sizeof stage->room], command[32];
    snprintf(id, sizeof id, "%s", kept->id);
    for (int i = 0; i < count; i++) {
        struct store_answer answer;
        kept = memory_store_room(&stage->store, id);
        snprintf(command, sizeof command, "w-%d", i);
        struct store_request request = {
            .ask = STORE_APPEND,
            .write_count = 1,
            .writes[0] = {.room = {.id = id,
                                   .game = kept->game,
                                   .title = kept->title,
                                   .definition_hash = kept->definition_hash,
                                   .is_public = kept->is_public,
                                   .status = kept->status,
                                   .version = kept->version + 1,
                                   .players = kept->players},
                          .expected_version = kept->version,
                          .epoch = kept->epoch,
                          .event = {.version = kept->version + 1,
                                    .at_ms = (int64_t)stage->now_ms,
                                    .kind = kind,
                                    .client = "p_aaaaaaaaaaaaaaaa",
                                    .command = command,
                                    .body = bodies[i % 2]}}};
        memory_store_perform(&stage->store, &request, &answer);
        assert_int_equal(answer.status, STORE_OK);
        store_answer_release(&answer);
    }
}

/* What the loop and the threads have done, a turn and a part at a time. */
struct measured {
    uint64_t loop_most, part_most;
    int parts;
};

static void note_most(uint64_t *most, uint64_t units)
{
    if (*most < units)
        *most = units;
}

static void answer_store(struct stage *stage, struct measured *measured)
{
    uint64_t before = work_spent();
    stage->jobs_hold = true;
    stage_work(stage);
    stage->jobs_hold = false;
    note_most(&measured->loop_most, work_spent() - before);
}

static void work_part(struct stage *stage, struct measured *measured)
{
    struct job *job = stage_take_job(stage);
    uint64_t before = work_spent();
    job->run(job);
    uint64_t between = work_spent();
    core_worked(stage->core, job);
    note_most(&measured->part_most, between - before);
    note_most(&measured->loop_most, work_spent() - between);
    measured->parts++;
}

static struct measured work_all(struct stage *stage)
{
    struct measured measured = {.parts = 0};
    for (answer_store(stage, &measured); stage->jobs; answer_store(stage, &measured))
        work_part(stage, &measured);
    return measured;
}

/* Without waiting for what comes of it. */
static struct measured say(struct stage *stage, const char *name, const char *json)
{
    uint64_t before = work_spent();
    core_peer_said(stage->core, stage_peer(stage, name)->peer, json, strlen(json));
    uint64_t units = work_spent() - before;
    struct measured measured = work_all(stage);
    note_most(&measured.loop_most, units);
    return measured;
}

static struct measured resume(struct stage *stage, const char *name)
{
    char text[128];
    snprintf(text, sizeof text, "{\"type\":\"resume\",\"id\":\"r\",\"room\":\"%s\",\"version\":0}",
             stage->room);
    return say(stage, name, text);
}

static int setup(void **state)
{
    struct stage *stage = calloc(1, sizeof *stage);
    stage_init_small(stage);
    stage_play(stage, TWO_SIT);
    *state = stage;
    return 0;
}

static int teardown(void **state)
{
    stage_release(*state);
    free(*state);
    return 0;
}

static void chat_much(struct stage *stage)
{
    static const char *const bodies[2] = {
        "{\"player\":\"p_aaaaaaaaaaaaaaaa\",\"name\":\"Ada\",\"text\":\"one\"}",
        "{\"player\":\"p_aaaaaaaaaaaaaaaa\",\"name\":\"Ada\",\"text\":\"two\"}"};
    append_to(stage, "chat", bodies, LONG_EVENTS);
}

/* Both pass, and nobody says that the position has come before. */
static void pass_much(struct stage *stage)
{
    static const char *const bodies[2] = {"{\"seat\":\"red\",\"move\":{\"pass\":true}}",
                                          "{\"seat\":\"green\",\"move\":{\"pass\":true}}"};
    append_to(stage, "moved", bodies, LONG_PLIES);
}

static void come_back(struct stage *stage)
{
    stage_crash(stage);
    stage_start(stage);
    stage_play(stage, "zoe: connects\nzoe: auth -> welcome\n");
}

static void assert_version(struct stage *stage, const char *name, int64_t version)
{
    json_t *snapshot = stage_last(stage, name, "snapshot");
    assert_non_null(snapshot);
    assert_int_equal(json_integer_value(json_object_get(snapshot, "version")), version);
    json_decref(snapshot);
}

static void a_long_room_wakes_in_parts_and_not_on_the_loop(void **state)
{
    struct stage *stage = *state;
    chat_much(stage);
    come_back(stage);
    struct measured measured = resume(stage, "zoe");
    assert_version(stage, "zoe", LONG_EVENTS + 2);
    assert_in_range(measured.parts, 2, 20);
    assert_in_range(measured.part_most, TASK_PART_UNITS, TASK_PART_UNITS + LOOP_UNITS_MAX);
    assert_in_range(measured.loop_most, 0, LOOP_UNITS_MAX);
}

/* Two rooms of one address take turns; the short one is there first. */
static void a_short_room_does_not_wait_for_a_long_one(void **state)
{
    struct stage *stage = *state;
    char longer[sizeof stage->room], shorter[sizeof stage->room], text[160];
    memcpy(longer, stage->room, sizeof longer);
    chat_much(stage);
    stage_play(stage, "ada: create two -> ack 1\n");
    memcpy(shorter, stage->room, sizeof shorter);
    come_back(stage);
    stage->jobs_hold = true;
    const char *const rooms[] = {longer, shorter};
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text,
                 "{\"type\":\"resume\",\"id\":\"r%d\",\"room\":\"%s\",\"version\":0}", i, rooms[i]);
        core_peer_said(stage->core, stage_peer(stage, "zoe")->peer, text, strlen(text));
        stage_work(stage);
    }
    stage->jobs_hold = false;
    stage_work_once(stage);
    stage_work_once(stage);
    assert_version(stage, "zoe", 1);
    stage_work(stage);
    assert_version(stage, "zoe", LONG_EVENTS + 2);
}

static void who_has_gone_meanwhile_is_not_answered_and_the_room_stays(void **state)
{
    struct stage *stage = *state;
    chat_much(stage);
    come_back(stage);
    stage->jobs_hold = true;
    char text[128];
    snprintf(text, sizeof text, "{\"type\":\"resume\",\"id\":\"r\",\"room\":\"%s\",\"version\":0}",
             stage->room);
    core_peer_said(stage->core, stage_peer(stage, "zoe")->peer, text, strlen(text));
    stage_work(stage);
    core_peer_gone(stage->core, stage_peer(stage, "zoe")->peer);
    stage->jobs_hold = false;
    stage_work(stage);
    struct core_statistics statistics;
    core_read_statistics(stage->core, &statistics);
    assert_int_equal(statistics.rooms_live, 1);
}

static void moves_of_a_fork_are_made_on_a_thread(void **state)
{
    struct stage *stage = *state;
    char text[160];
    pass_much(stage);
    come_back(stage);
    resume(stage, "zoe");
    assert_version(stage, "zoe", LONG_PLIES + 2);
    snprintf(text, sizeof text,
             "{\"type\":\"create\",\"id\":\"f\",\"fork\":{\"room\":\"%s\",\"ply\":%d}}",
             stage->room, LONG_PLIES - 1);
    int rooms = stage->store.room_count;
    struct core_statistics before, after;
    core_read_statistics(stage->core, &before);
    struct measured measured = say(stage, "zoe", text);
    core_read_statistics(stage->core, &after);
    assert_int_equal(stage->store.room_count, rooms + 1);
    /* what a thread did for it is charged like what the loop does */
    assert_true(after.cost - before.cost >= cost_of_work(measured.part_most));
    assert_in_range(measured.loop_most, 0, LOOP_UNITS_MAX);
    assert_true(measured.part_most > LONG_PLIES);
    /* and when that room is read its first event is as long */
    snprintf(stage->room, sizeof stage->room, "%s", stage->store.rooms[rooms].id);
    come_back(stage);
    measured = resume(stage, "zoe");
    assert_version(stage, "zoe", 1);
    assert_in_range(measured.loop_most, 0, LOOP_UNITS_MAX);
}

static void moves_of_an_import_are_made_on_a_thread(void **state)
{
    struct stage *stage = *state;
    pass_much(stage);
    come_back(stage);
    core_export(stage->core, 1, &stage->address, stage->room, RECORD_AS_FILE);
    stage_work(stage);
    assert_int_equal(stage->transfer.refusal, REFUSAL_NONE);
    char *record = strdup(stage->transfer.text);
    uint64_t before = work_spent();
    core_import(stage->core, 2, &stage->address, record, strlen(record), true);
    uint64_t units = work_spent() - before;
    struct measured measured = work_all(stage);
    assert_int_equal(stage->transfer.refusal, REFUSAL_NONE);
    assert_in_range(units, 0, LOOP_UNITS_MAX);
    assert_in_range(measured.loop_most, 0, LOOP_UNITS_MAX);
    assert_true(measured.part_most > LONG_PLIES);
    free(record);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define ROW(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        ROW(a_long_room_wakes_in_parts_and_not_on_the_loop),
        ROW(a_short_room_does_not_wait_for_a_long_one),
        ROW(who_has_gone_meanwhile_is_not_answered_and_the_room_stays),
        ROW(moves_of_a_fork_are_made_on_a_thread),
        ROW(moves_of_an_import_are_made_on_a_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
