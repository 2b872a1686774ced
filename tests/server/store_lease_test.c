/* Who plays which room: leases, owners and epochs, on both databases. */
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

/* The epoch in which the room is the node's now; 0: it is another's. */
static int64_t claim(struct store_bed *bed, const char *room, const char *node)
{
    struct store_request request = store_question(STORE_LOAD, room, NULL);
    request.node = node;
    struct store_answer answer = store_perform(bed, &request);
    int64_t epoch = answer.status == STORE_OK ? answer.rooms[0].epoch : 0;
    if (answer.status != STORE_OK)
        assert_int_equal(answer.status, STORE_OWNED);
    store_answer_release(&answer);
    return epoch;
}

static enum store_status play(struct store_bed *bed, const char *room, int64_t version,
                              int64_t epoch, const char *command)
{
    struct store_request request = store_continuation(room, version, "p_one", command, "{}");
    request.writes[0].epoch = epoch;
    return store_do(bed, &request);
}

static void release(struct store_bed *bed, const char *room, const char *node, int64_t epoch)
{
    struct store_request request = {
        .ask = STORE_RELEASE, .room = room, .node = node, .epoch = epoch};
    assert_int_equal(store_do(bed, &request), STORE_OK);
}

/* --- cases ------------------------------------------------------------------------------------ */

static void a_live_owner_keeps_its_room(struct store_bed *bed)
{
    lease(bed, "n_a", "here", LONG_MS);
    lease(bed, "n_b", "there", LONG_MS);
    create_as(bed, "r", "n_a");
    struct store_request request = store_question(STORE_LOAD, "r", NULL);
    request.node = "n_b";
    struct store_answer answer = store_perform(bed, &request);
    assert_int_equal(answer.status, STORE_OWNED);
    assert_string_equal(answer.owner_url, "https://a.example");
    assert_in_range(answer.lease_left_ms, 1, LONG_MS);
    assert_int_equal(answer.room_count, 0);
    store_answer_release(&answer);
    assert_int_equal(play(bed, "r", 1, 1, "c-1"), STORE_OK);
    assert_int_equal(claim(bed, "r", "n_b"), 0);
    /* Who only reads asks nobody. */
    assert_int_equal(store_version(bed, "r"), 2);
    assert_int_equal(play(bed, "r", 2, 1, "c-2"), STORE_OK);
}

static void who_does_not_say_where_has_no_url(struct store_bed *bed)
{
    lease(bed, "n_b", "there", LONG_MS);
    create_as(bed, "r", "n_b");
    struct store_request request = store_question(STORE_LOAD, "r", NULL);
    request.node = "n_a";
    struct store_answer answer = store_perform(bed, &request);
    assert_int_equal(answer.status, STORE_OWNED);
    assert_string_equal(answer.owner_url, "");
    store_answer_release(&answer);
}

static void an_old_epoch_writes_nothing(struct store_bed *bed)
{
    lease(bed, "n_a", "here", SHORT_MS);
    lease(bed, "n_b", "there", LONG_MS);
    create_as(bed, "r", "n_a");
    assert_int_equal(play(bed, "r", 1, 1, "c-1"), STORE_OK);
    wait_ms(2 * SHORT_MS);
    int64_t epoch = claim(bed, "r", "n_b");
    assert_true(epoch > 1);
    assert_int_equal(play(bed, "r", 2, 1, "c-2"), STORE_CONFLICT);
    struct store_request both = store_continuation("r", 2, "p_one", "c-3", "{}");
    struct store_request next = store_creation("next", "p_one", "c-3");
    both.write_count = 2;
    both.writes[1] = next.writes[0];
    assert_int_equal(store_do(bed, &both), STORE_CONFLICT);
    assert_int_equal(store_version(bed, "next"), 0);
    /* What was done before is known to whoever asks. */
    assert_int_equal(play(bed, "r", 2, 1, "c-1"), STORE_DUPLICATE);
    assert_int_equal(play(bed, "r", 2, epoch, "c-2"), STORE_OK);
    /* Its lease renewed, the old one still has no room of others. */
    lease(bed, "n_a", "here", LONG_MS);
    assert_int_equal(claim(bed, "r", "n_a"), 0);
    assert_int_equal(play(bed, "r", 3, 1, "c-4"), STORE_CONFLICT);
    store_bed_reopen(bed);
    assert_int_equal(play(bed, "r", 3, 1, "c-4"), STORE_CONFLICT);
    assert_int_equal(play(bed, "r", 3, epoch, "c-4"), STORE_OK);
    assert_int_equal(store_version(bed, "r"), 4);
}

static void a_renewed_lease_goes_on(struct store_bed *bed)
{
    lease(bed, "n_a", "here", NO_TIME_MS);
    create_as(bed, "r", "n_a");
    lease(bed, "n_a", "here", LONG_MS);
    wait_ms(10);
    assert_int_equal(claim(bed, "r", "n_b"), 0);
    assert_int_equal(play(bed, "r", 1, 1, "c-1"), STORE_OK);
}

static void one_s_own_room_is_claimed_again(struct store_bed *bed)
{
    lease(bed, "n_a", "here", LONG_MS);
    create_as(bed, "r", "n_a");
    int64_t epoch = claim(bed, "r", "n_a");
    assert_true(epoch > 1);
    assert_int_equal(play(bed, "r", 1, 1, "c-1"), STORE_CONFLICT);
    assert_int_equal(play(bed, "r", 1, epoch, "c-1"), STORE_OK);
    assert_true(claim(bed, "r", "n_a") > epoch);
}

static void a_released_room_is_free(struct store_bed *bed)
{
    lease(bed, "n_a", "here", LONG_MS);
    lease(bed, "n_b", "there", LONG_MS);
    create_as(bed, "r", "n_a");
    release(bed, "r", "n_b", 1); /* not its to give */
    release(bed, "r", "n_a", 7); /* not of this epoch */
    assert_int_equal(claim(bed, "r", "n_b"), 0);
    release(bed, "r", "n_a", 1);
    assert_int_equal(play(bed, "r", 1, 1, "c-1"), STORE_CONFLICT);
    int64_t epoch = claim(bed, "r", "n_b");
    assert_true(epoch > 1);
    release(bed, "r", "n_a", 1); /* once more, too late */
    assert_int_equal(play(bed, "r", 1, epoch, "c-1"), STORE_OK);
    assert_int_equal(claim(bed, "r", "n_a"), 0);
    release(bed, "none", "n_a", 1);
}

static void who_leaves_owns_nothing(struct store_bed *bed)
{
    lease(bed, "n_a", "here", LONG_MS);
    assert_int_equal(lease(bed, "n_b", "there", LONG_MS), 1);
    create_as(bed, "r", "n_a");
    create_as(bed, "s", "n_a");
    struct store_request leave = {.ask = STORE_LEAVE, .node = "n_a"};
    assert_int_equal(store_do(bed, &leave), STORE_OK);
    assert_int_equal(store_do(bed, &leave), STORE_OK);
    assert_int_equal(lease(bed, "n_b", "there", LONG_MS), 0);
    assert_true(claim(bed, "r", "n_b") > 1);
    assert_true(claim(bed, "s", "n_b") > 1);
}

/* A process that was killed and started again at once need not wait for its own lease. */
static void a_successor_takes_its_predecessor_s_place(struct store_bed *bed)
{
    lease(bed, "n_a", "here", LONG_MS);
    create_as(bed, "r", "n_a");
    assert_int_equal(lease(bed, "n_c", "here", LONG_MS), 0);
    int64_t epoch = claim(bed, "r", "n_c");
    assert_true(epoch > 1);
    assert_int_equal(play(bed, "r", 1, 1, "c-1"), STORE_CONFLICT);
    assert_int_equal(play(bed, "r", 1, epoch, "c-1"), STORE_OK);
    /* Who does not know where it is takes nobody's place. */
    lease(bed, "n_d", "", LONG_MS);
    assert_int_equal(lease(bed, "n_e", "", LONG_MS), 2);
}

static void a_batch_sees_its_own_claims(struct store_bed *bed)
{
    enum { COUNT = 5 };
    lease(bed, "n_a", "here", LONG_MS);
    lease(bed, "n_b", "there", LONG_MS);
    create_as(bed, "r", NULL);
    struct store_request requests[COUNT];
    struct store_answer answers[COUNT];
    requests[0] = store_question(STORE_LOAD, "r", NULL);
    requests[0].node = "n_b";
    requests[1] = store_continuation("r", 1, "p_one", "c-1", "{}"); /* of epoch 1 */
    requests[2] = store_continuation("r", 1, "p_one", "c-2", "{}");
    requests[2].writes[0].epoch = 2;
    requests[3] =
        (struct store_request){.ask = STORE_RELEASE, .room = "r", .node = "n_b", .epoch = 2};
    requests[4] = requests[0];
    requests[4].node = "n_a";
    bed->table->perform(bed->driver, requests, COUNT, answers);
    static const enum store_status wanted[] = {STORE_OK, STORE_CONFLICT, STORE_OK, STORE_OK,
                                               STORE_OK};
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(answers[i].status, wanted[i]);
        if (i == COUNT - 1)
            assert_int_equal(answers[i].rooms[0].version, 2);
        store_answer_release(&answers[i]);
    }
}

static void nobody_claims_what_is_not(struct store_bed *bed)
{
    lease(bed, "n_a", "here", LONG_MS);
    struct store_request request = store_question(STORE_LOAD, "none", NULL);
    request.node = "n_a";
    assert_int_equal(store_do(bed, &request), STORE_NOT_FOUND);
}

/* clang-format off */
static const struct store_case cases[] = {
    {"a room stays with its owner while the lease runs, and others learn where that is", a_live_owner_keeps_its_room},
    {"an owner that does not say where it is has no URL", who_does_not_say_where_has_no_url},
    {"once a lease has run out the room is taken, and nothing of the old epoch is written", an_old_epoch_writes_nothing},
    {"a lease that is renewed goes on", a_renewed_lease_goes_on},
    {"whoever claims its own room begins a new epoch", one_s_own_room_is_claimed_again},
    {"a released room is free at once, and released only by its owner", a_released_room_is_free},
    {"all rooms of a node that leaves are free", who_leaves_owns_nothing},
    {"a successor at the same place need not wait for its predecessor's lease", a_successor_takes_its_predecessor_s_place},
    {"claims, appends and releases of one batch see each other", a_batch_sees_its_own_claims},
    {"a room that is not cannot be claimed", nobody_claims_what_is_not},
};
/* clang-format on */

int main(void)
{
    return store_run_cases("store leases", cases, (int)(sizeof cases / sizeof *cases));
}
