/* Several servers: leases, who has which room in memory, lost races and what was missed, on both databases. */
#include "tests/support/test.h"

#include "tests/server/store_support.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { LONG_MS = 600000, SHORT_MS = 300, NO_TIME_MS = 1 };

static void wait_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L}, NULL);
}

/* How many other nodes there are. */
static int lease(struct store_bed *bed, const char *node, const char *place, int64_t lease_ms)
{
    struct store_request request = {.ask = STORE_LEASE,
                                    .node = node,
                                    .place = place,
                                    .url = strcmp(node, "n_a") == 0 ? "https://a.example" : "",
                                    .lease_ms = lease_ms};
    struct store_answer answer = store_perform(bed, &request);
    assert_int_equal(answer.status, STORE_OK);
    store_answer_release(&answer);
    return answer.other_nodes;
}

static void create_as(struct store_bed *bed, const char *room, const char *node)
{
    struct store_request request = store_creation(room, "p_one", room);
    request.node = node;
    assert_int_equal(store_do(bed, &request), STORE_OK);
}

/* Whether the room is in the list that the node is given of other nodes' rooms. */
static bool is_anothers(struct store_bed *bed, const char *node, const char *room)
{
    struct store_request request = {.ask = STORE_OPEN_ROOMS, .node = node};
    struct store_answer answer = store_perform(bed, &request);
    bool found = false;
    assert_int_equal(answer.status, STORE_OK);
    for (int i = 0; i < answer.room_count; i++)
        found = found || strcmp(answer.rooms[i].id, room) == 0;
    store_answer_release(&answer);
    return found;
}

/* Into the node's memory; at which version it is. */
static int64_t load(struct store_bed *bed, const char *room, const char *node)
{
    struct store_request request = store_question(STORE_LOAD, room, NULL);
    request.node = node;
    struct store_answer answer = store_perform(bed, &request);
    int64_t version = answer.status == STORE_OK ? answer.rooms[0].version : 0;
    if (answer.status == STORE_OK)
        assert_int_equal(answer.rooms[0].epoch, 1);
    store_answer_release(&answer);
    return version;
}

static enum store_status play(struct store_bed *bed, const char *room, int64_t version,
                              const char *command)
{
    struct store_request request = store_continuation(room, version, "p_one", command, "{}");
    return store_do(bed, &request);
}

static void release(struct store_bed *bed, const char *room, const char *node)
{
    struct store_turn turn = {.version = 0};
    snprintf(turn.room, sizeof turn.room, "%s", room);
    struct store_request request = {
        .ask = STORE_RELEASE, .node = node, .turns = &turn, .turn_count = 1};
    assert_int_equal(store_do(bed, &request), STORE_OK);
}

/* --- owners ------------------------------------------------------------------------------------ */

static void an_owner_is_a_hint(struct store_bed *bed)
{
    lease(bed, "n_a", "here", LONG_MS);
    lease(bed, "n_b", "there", LONG_MS);
    create_as(bed, "r", "n_a");
    assert_true(is_anothers(bed, "n_b", "r"));
    assert_int_equal(load(bed, "r", "n_b"), 1);
    assert_true(is_anothers(bed, "n_b", "r"));
    assert_int_equal(play(bed, "r", 1, "c-1"), STORE_OK);
    assert_int_equal(load(bed, "r", NULL), 2);
    assert_true(is_anothers(bed, "n_b", "r"));
}

static void the_next_one_follows(struct store_bed *bed)
{
    lease(bed, "n_a", "here", SHORT_MS);
    lease(bed, "n_b", "there", LONG_MS);
    create_as(bed, "r", "n_a");
    wait_ms(2 * SHORT_MS);
    assert_false(is_anothers(bed, "n_b", "r"));
    assert_int_equal(load(bed, "r", "n_b"), 1);
    lease(bed, "n_a", "here", LONG_MS);
    assert_true(is_anothers(bed, "n_a", "r"));
    assert_int_equal(load(bed, "r", "n_a"), 1);
    assert_false(is_anothers(bed, "n_b", "r"));
}

static void a_released_room_is_nobodys(struct store_bed *bed)
{
    lease(bed, "n_a", "here", LONG_MS);
    lease(bed, "n_b", "there", LONG_MS);
    create_as(bed, "r", "n_a");
    release(bed, "r", "n_b"); /* not its to give */
    assert_true(is_anothers(bed, "n_b", "r"));
    release(bed, "r", "n_a");
    assert_false(is_anothers(bed, "n_b", "r"));
    assert_int_equal(play(bed, "r", 1, "c-1"), STORE_OK);
    assert_int_equal(load(bed, "r", "n_b"), 2);
    release(bed, "r", "n_a"); /* once more, too late */
    assert_true(is_anothers(bed, "n_a", "r"));
    release(bed, "none", "n_a");
}

static void who_leaves_owns_nothing(struct store_bed *bed)
{
    lease(bed, "n_a", "here", LONG_MS);
    assert_int_equal(lease(bed, "n_b", "there", LONG_MS), 1);
    create_as(bed, "r", "n_a");
    struct store_request leave = {.ask = STORE_LEAVE, .node = "n_a"};
    assert_int_equal(store_do(bed, &leave), STORE_OK);
    assert_int_equal(store_do(bed, &leave), STORE_OK);
    assert_int_equal(lease(bed, "n_b", "there", LONG_MS), 0);
    assert_false(is_anothers(bed, "n_b", "r"));
}

/* A process that was killed and started again at once. */
static void a_successor_takes_its_predecessors_place(struct store_bed *bed)
{
    lease(bed, "n_a", "here", LONG_MS);
    create_as(bed, "r", "n_a");
    assert_int_equal(lease(bed, "n_c", "here", LONG_MS), 0);
    assert_false(is_anothers(bed, "n_b", "r"));
    /* Who does not know where it is takes nobody's place. */
    lease(bed, "n_d", "", LONG_MS);
    assert_int_equal(lease(bed, "n_e", "", LONG_MS), 2);
}

static void one_of_them_is_the_first(struct store_bed *bed)
{
    struct store_request request = {
        .ask = STORE_LEASE, .place = "", .url = "", .lease_ms = SHORT_MS};
    static const struct {
        const char *node;
        bool is_first;
    } rows[] = {{"n_b", true}, {"n_c", false}, {"n_a", true}, {"n_b", false}, {"n_a", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        request.node = rows[i].node;
        struct store_answer answer = store_perform(bed, &request);
        assert_int_equal(answer.is_first, rows[i].is_first);
        assert_in_range(answer.now_ms, 1600000000000, 9000000000000);
        store_answer_release(&answer);
    }
    wait_ms(2 * SHORT_MS);
    request.node = "n_c";
    struct store_answer answer = store_perform(bed, &request);
    assert_true(answer.is_first);
    store_answer_release(&answer);
}

static void what_is_not_is_not_loaded(struct store_bed *bed)
{
    lease(bed, "n_a", "here", LONG_MS);
    struct store_request request = store_question(STORE_LOAD, "none", NULL);
    request.node = "n_a";
    assert_int_equal(store_do(bed, &request), STORE_NOT_FOUND);
}

/* --- races ------------------------------------------------------------------------------------- */

static void a_lost_race_says_where_the_room_is(struct store_bed *bed)
{
    create_as(bed, "r", NULL);
    for (int64_t version = 1; version < 4; version++) {
        char command[8] = {'c', '-', (char)('0' + version), '\0'};
        assert_int_equal(play(bed, "r", version, command), STORE_OK);
    }
    struct store_request request = store_continuation("r", 2, "p_two", "late", "{}");
    struct store_answer answer = store_perform(bed, &request);
    assert_int_equal(answer.status, STORE_CONFLICT);
    assert_int_equal(answer.conflict_version, 4);
    store_answer_release(&answer);
    /* In another epoch nothing is written either. */
    request = store_continuation("r", 4, "p_two", "late", "{}");
    request.writes[0].epoch = 2;
    answer = store_perform(bed, &request);
    assert_int_equal(answer.status, STORE_CONFLICT);
    assert_int_equal(answer.conflict_version, 4);
    store_answer_release(&answer);
    /* What was done before is known to whoever asks, wherever he believes the room to be. */
    assert_int_equal(play(bed, "r", 1, "c-3"), STORE_DUPLICATE);
    assert_int_equal(play(bed, "none", 1, "c-3"), STORE_CONFLICT);
    assert_int_equal(store_version(bed, "r"), 4);
}

/* As they come from a batch of a server whose rooms others write to as well. */
static void losers_cost_the_others_of_a_batch_nothing(struct store_bed *bed)
{
    enum { COUNT = 6 };
    static const char *const rooms[COUNT] = {"f", "b", "d", "a", "e", "c"};
    struct store_request requests[COUNT];
    struct store_answer answers[COUNT];
    for (int i = 0; i < COUNT; i++)
        create_as(bed, rooms[i], NULL);
    assert_int_equal(play(bed, "d", 1, "first"), STORE_OK);
    assert_int_equal(play(bed, "e", 1, "again"), STORE_OK);
    for (int i = 0; i < COUNT; i++)
        requests[i] = store_continuation(rooms[i], 1, "p_one", i == 4 ? "again" : "batch", "{}");
    bed->table->perform(bed->driver, requests, COUNT, answers);
    for (int i = 0; i < COUNT; i++) {
        enum store_status wanted = i == 2 ? STORE_CONFLICT : STORE_OK;
        assert_int_equal(answers[i].status, i == 4 ? STORE_DUPLICATE : wanted);
        assert_int_equal(answers[i].conflict_version, i == 2 ? 2 : answers[i].conflict_version);
        store_answer_release(&answers[i]);
        assert_int_equal(store_version(bed, rooms[i]), 2);
    }
}

/* --- what was missed ---------------------------------------------------------------------------- */

static void a_tail_begins_where_it_is_asked_for(struct store_bed *bed)
{
    enum { EVENTS = STORE_TAIL_MAX + 40 };
    create_as(bed, "r", NULL);
    for (int version = 1; version < EVENTS; version++) {
        char command[16];
        snprintf(command, sizeof command, "c-%d", version);
        assert_int_equal(play(bed, "r", version, command), STORE_OK);
    }
    static const struct {
        int64_t from;
        int first, count;
    } rows[] = {{EVENTS, EVENTS, 1},
                {EVENTS + 1, 0, 0},
                {EVENTS - 30, EVENTS - 30, 31},
                {10, 10, STORE_TAIL_MAX},
                {-5, 1, STORE_TAIL_MAX}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct store_request request = {.ask = STORE_TAIL, .room = "r", .from = rows[i].from};
        struct store_answer answer = store_perform(bed, &request);
        assert_int_equal(answer.status, STORE_OK);
        assert_int_equal(answer.room_count, 1);
        assert_int_equal(answer.rooms[0].version, EVENTS);
        assert_int_equal(answer.rooms[0].epoch, 1);
        assert_int_equal(answer.event_count, rows[i].count);
        for (int j = 0; j < answer.event_count; j++)
            assert_int_equal(answer.events[j].version, rows[i].first + j);
        store_answer_release(&answer);
    }
    struct store_request none = {.ask = STORE_TAIL, .room = "none", .from = 1};
    assert_int_equal(store_do(bed, &none), STORE_NOT_FOUND);
}

static void who_is_behind_is_told(struct store_bed *bed)
{
    create_as(bed, "r", NULL);
    create_as(bed, "s", NULL);
    assert_int_equal(play(bed, "s", 1, "c-1"), STORE_OK);
    const struct store_known known[] = {{"r", 1}, {"s", 1}, {"gone", 7}};
    struct store_request request = {.ask = STORE_BEHIND, .known = known, .known_count = 3};
    struct store_answer answer = store_perform(bed, &request);
    assert_int_equal(answer.status, STORE_OK);
    assert_int_equal(answer.known_count, 2);
    for (int i = 0; i < 2; i++) {
        bool gone = strcmp(answer.known[i].room, "gone") == 0;
        assert_int_equal(answer.known[i].version, gone ? 0 : 2);
        assert_true(gone || strcmp(answer.known[i].room, "s") == 0);
    }
    store_answer_release(&answer);
    request.known_count = 0;
    assert_int_equal(store_do(bed, &request), STORE_OK);
}

static void expect_due(struct store_bed *bed, int64_t until_ms, int64_t most, const char *rooms)
{
    struct store_request request = {.ask = STORE_DUE, .from = until_ms, .to = most};
    struct store_answer answer = store_perform(bed, &request);
    char found[64] = "";
    assert_int_equal(answer.status, STORE_OK);
    for (int i = 0; i < answer.known_count; i++) {
        strcat(found, answer.known[i].room);
        assert_in_range(answer.known[i].version, 1, until_ms);
    }
    assert_string_equal(found, rooms);
    store_answer_release(&answer);
}

static void set_due(struct store_bed *bed, const char *room, int64_t at_ms)
{
    struct store_known known = {.version = at_ms};
    snprintf(known.room, sizeof known.room, "%s", room);
    const struct store_request request = {.ask = STORE_SET_DUE, .known = &known, .known_count = 1};
    assert_int_equal(store_do(bed, &request), STORE_OK);
}

static enum store_status go_on(struct store_bed *bed, const char *room, int64_t version,
                               enum store_room_status status)
{
    struct store_request request = store_continuation(room, version, "p_one", "", "{}");
    store_turns(&request, status);
    return store_do(bed, &request);
}

static void a_room_is_due_while_it_is_played(struct store_bed *bed)
{
    struct store_request made = store_creation("a", "p_one", "a");
    made.writes[0].room.due_at_ms = 1000;
    store_turns(&made, STORE_WAITING);
    assert_int_equal(store_do(bed, &made), STORE_OK);
    create_as(bed, "b", NULL);
    create_as(bed, "c", NULL);
    expect_due(bed, 5000, 9, ""); /* it waits */
    for (int i = 0; i < 3; i++)
        assert_int_equal(go_on(bed, (const char *[]){"a", "b", "c"}[i], 1, STORE_PLAYING),
                         STORE_OK);
    expect_due(bed, 5000, 9, "a"); /* of the others nothing is known */
    expect_due(bed, 999, 9, "");
    set_due(bed, "b", 500);
    set_due(bed, "c", 2000);
    set_due(bed, "gone", 1);
    expect_due(bed, 5000, 9, "bac");
    expect_due(bed, 5000, 2, "ba");
    expect_due(bed, 5000, 0, "");
    set_due(bed, "b", 6000);
    expect_due(bed, 5000, 9, "ac");
    assert_int_equal(go_on(bed, "a", 2, STORE_FINISHED), STORE_OK);
    expect_due(bed, 9000, 9, "cb");
}

/* clang-format off */
static const struct store_case cases[] = {
    {"a room is due while it is played, as it was said last", a_room_is_due_while_it_is_played},
    {"an owner is who has the room in memory, and keeps nobody from anything", an_owner_is_a_hint},
    {"once its lease has run out the next one to load a room is its owner", the_next_one_follows},
    {"a room is given back by its owner only", a_released_room_is_nobodys},
    {"a node that leaves owns nothing", who_leaves_owns_nothing},
    {"a successor at the same place ends its predecessor's lease", a_successor_takes_its_predecessors_place},
    {"of all nodes one is told that it is the first, by the store's clock", one_of_them_is_the_first},
    {"a room that is not cannot be loaded", what_is_not_is_not_loaded},
    {"who loses a race is told where the room is", a_lost_race_says_where_the_room_is},
    {"lost races cost the others of a batch nothing", losers_cost_the_others_of_a_batch_nothing},
    {"a tail begins where it is asked for, and has an end", a_tail_begins_where_it_is_asked_for},
    {"of many rooms those are named that are elsewhere than believed", who_is_behind_is_told},
};
/* clang-format on */

int main(void)
{
    return store_run_cases("store leases", cases, (int)(sizeof cases / sizeof *cases));
}
