/* The end of rooms on both databases: which may go and when, and that what goes is gone, and nothing else. */
#include "tests/support/test.h"

#include "tests/server/store_support.h"

#include <stdio.h>
#include <string.h>

enum { HOUR_MS = 3600000, DAY_MS = 24 * HOUR_MS, SWEEPS_MAX = 8, STEPS_MAX = 2000 };

static const int64_t long_ago = 1700000000000;

static const struct store_retention days = {.unmoved_ms = DAY_MS,
                                            .unfinished_ms = 30 * (int64_t)DAY_MS,
                                            .finished_ms = 365 * (int64_t)DAY_MS,
                                            .private_ms = 90 * (int64_t)DAY_MS};

struct wish {
    const char *room;
    enum store_room_status status;
    bool is_private;
    const char *kind; /* of all events but the first */
    int events;
    const char *definition;
};

static void name_hash(const char *definition, char *hash)
{
    memset(hash, '0', STORE_HASH_DIGITS);
    hash[STORE_HASH_DIGITS] = '\0';
    memcpy(hash, definition, strlen(definition));
}

/* The events after the first, many in one commit. */
static void continue_room(struct store_bed *bed, const struct wish *wish)
{
    struct store_request requests[STORE_BATCH_MAX];
    struct store_answer answers[STORE_BATCH_MAX];
    char commands[STORE_BATCH_MAX][16];
    for (int version = 1; version < wish->events;) {
        int count = 0;
        for (; count < STORE_BATCH_MAX && version < wish->events; count++, version++) {
            snprintf(commands[count], sizeof commands[count], "c-%d", version);
            struct store_request *request = &requests[count];
            *request = store_continuation(wish->room, version, "p_one", commands[count], "{}");
            store_turns(request, wish->status);
            request->writes[0].event.kind = wish->kind;
            request->writes[0].event.at_ms = long_ago;
        }
        bed->table->perform(bed->driver, requests, count, answers);
        for (int i = 0; i < count; i++) {
            assert_int_equal(answers[i].status, STORE_OK);
            store_answer_release(&answers[i]);
        }
        bed->table->keep_house(bed->driver);
    }
}

static void fill(struct store_bed *bed, const struct wish *wish)
{
    char hash[STORE_HASH_DIGITS + 1];
    const char *definition = wish->definition ? wish->definition : "chess";
    name_hash(definition, hash);
    struct store_request request = store_creation(wish->room, "p_one", wish->room);
    request.writes[0].room.definition_hash = hash;
    request.writes[0].definition = definition;
    request.writes[0].room.is_public = !wish->is_private;
    store_turns(&request, wish->status);
    request.writes[0].room.seat_count = 1;
    request.writes[0].room.seats[0] =
        (struct store_seat){.seat = "white", .player = "p_one", .token_hash = hash, .name = "One"};
    assert_int_equal(store_do(bed, &request), STORE_OK);
    continue_room(bed, wish);
}

static struct store_answer look(struct store_bed *bed, const struct store_retention *retention,
                                int64_t age_ms, const char *after, int64_t rooms, int64_t cleared)
{
    struct store_request request = {
        .ask = STORE_SURVEY, .room = after, .from = rooms, .to = cleared, .retention = *retention};
    request.retention.now_ms = long_ago + age_ms;
    struct store_answer answer = store_perform(bed, &request);
    assert_int_equal(answer.status, STORE_OK);
    assert_non_null(answer.survey);
    bed->table->keep_house(bed->driver);
    return answer;
}

static enum store_status remove_one(struct store_bed *bed, const char *room, int64_t version,
                                    const char *node)
{
    struct store_request request = {
        .ask = STORE_REMOVE, .room = room, .from = version, .node = node};
    return store_do(bed, &request);
}

/* One walk along all rooms, and what may go goes. How many that were, each with its reason. */
static int sweep_once(struct store_bed *bed, const struct store_retention *retention,
                      int64_t age_ms, int *reasons, bool *unclean)
{
    char after[STORE_ROOM_BYTES + 1] = "";
    int removed = 0;
    for (int step = 0; step == 0 || after[0]; step++) {
        assert_true(step < STEPS_MAX);
        struct store_answer answer = look(bed, retention, age_ms, after, 20, 10);
        for (int i = 0; i < answer.survey->expired_count; i++) {
            const struct store_expired *expired = &answer.survey->expired[i];
            if (remove_one(bed, expired->room, expired->version, NULL) != STORE_OK)
                continue;
            reasons[expired->why]++;
            removed++;
        }
        *unclean = answer.survey->unclean;
        snprintf(after, sizeof after, "%s", answer.survey->next);
        store_answer_release(&answer);
    }
    return removed;
}

/* Until nothing is left to do; SQLite folds between two walks what may go. */
static int sweep(struct store_bed *bed, const struct store_retention *retention, int64_t age_ms,
                 int reasons[STORE_EXPIRY_COUNT])
{
    int removed = 0, last = 1;
    bool unclean = true;
    memset(reasons, 0, sizeof *reasons * STORE_EXPIRY_COUNT);
    store_bed_reopen(bed);
    for (int i = 0; i < SWEEPS_MAX && (last > 0 || unclean); i++)
        removed += last = sweep_once(bed, retention, age_ms, reasons, &unclean);
    return removed;
}

/* --- which may go --------------------------------------------------------------------------------- */

static const struct wish everything[] = {
    {"waiting", STORE_WAITING, false, "joined", 2, NULL},
    {"chatting", STORE_PLAYING, false, "chatted", 5, NULL},
    {"hidden", STORE_WAITING, true, "joined", 2, NULL},
    {"going", STORE_PLAYING, false, "moved", 4, NULL},
    {"over", STORE_FINISHED, false, "moved", 4, NULL},
    {"resigned", STORE_FINISHED, false, "resigned", 3, NULL},
    {"hiddeng", STORE_PLAYING, true, "moved", 3, NULL},
    {"hiddeno", STORE_FINISHED, true, "moved", 3, NULL},
};
enum { EVERYTHING = sizeof everything / sizeof *everything };

static void fill_everything(struct store_bed *bed)
{
    for (int i = 0; i < EVERYTHING; i++)
        fill(bed, &everything[i]);
}

static void each_kind_of_room_goes_in_its_time(struct store_bed *bed)
{
    int reasons[STORE_EXPIRY_COUNT];
    const int64_t day = DAY_MS;
    fill_everything(bed);
    assert_int_equal(sweep(bed, &days, day - 1, reasons), 0);
    assert_int_equal(sweep(bed, &days, day + HOUR_MS, reasons), 3);
    assert_int_equal(reasons[STORE_NEVER_MOVED], 3);
    assert_int_equal(store_version(bed, "waiting"), 0);
    assert_int_equal(store_version(bed, "chatting"), 0);
    assert_int_equal(store_version(bed, "hidden"), 0);
    assert_int_equal(sweep(bed, &days, 30 * day - HOUR_MS, reasons), 0);
    assert_int_equal(sweep(bed, &days, 30 * day + HOUR_MS, reasons), 1);
    assert_int_equal(reasons[STORE_ABANDONED], 1);
    assert_int_equal(store_version(bed, "going"), 0);
    assert_int_equal(sweep(bed, &days, 90 * day + HOUR_MS, reasons), 2);
    assert_int_equal(reasons[STORE_PRIVATE_AND_OLD], 2);
    assert_int_equal(store_version(bed, "over"), 4);
    assert_int_equal(store_version(bed, "resigned"), 3);
    assert_int_equal(sweep(bed, &days, 365 * day + HOUR_MS, reasons), 2);
    assert_int_equal(reasons[STORE_FINISHED_LONG_AGO], 2);
}

/* One day for rooms without a move, thirty for those that are not over: both count from when the clock runs out. */
static void a_game_by_a_clock_stays_until_that_runs_out(struct store_bed *bed)
{
    int reasons[STORE_EXPIRY_COUNT];
    const int64_t day = DAY_MS;
    struct store_known known[3] = {{.room = "chatting"}, {.room = "going"}, {.room = "waiting"}};
    for (int i = 0; i < 3; i++)
        known[i].version = long_ago + 3 * day;
    const struct store_request due = {.ask = STORE_SET_DUE, .known = known, .known_count = 3};
    fill_everything(bed);
    assert_int_equal(store_do(bed, &due), STORE_OK);
    assert_int_equal(sweep(bed, &days, 4 * day - HOUR_MS, reasons), 2);
    assert_int_equal(store_version(bed, "waiting"), 0); /* there no clock runs */
    assert_int_equal(store_version(bed, "hidden"), 0);
    assert_int_equal(store_version(bed, "chatting"), 5);
    assert_int_equal(sweep(bed, &days, 4 * day + HOUR_MS, reasons), 1);
    assert_int_equal(reasons[STORE_NEVER_MOVED], 1);
    assert_int_equal(store_version(bed, "chatting"), 0);
    assert_int_equal(sweep(bed, &days, 33 * day - HOUR_MS, reasons), 0);
    assert_int_equal(sweep(bed, &days, 33 * day + HOUR_MS, reasons), 1);
    assert_int_equal(store_version(bed, "going"), 0);
}

static void what_has_no_time_is_kept_for_ever(struct store_bed *bed)
{
    const struct store_retention never = {.unmoved_ms = 0};
    int reasons[STORE_EXPIRY_COUNT];
    fill_everything(bed);
    assert_int_equal(sweep(bed, &never, 10000 * (int64_t)DAY_MS, reasons), 0);
    for (int i = 0; i < EVERYTHING; i++)
        assert_int_equal(store_version(bed, everything[i].room), everything[i].events);
}

static void a_survey_counts_every_room_once(struct store_bed *bed)
{
    struct store_tally sum[STORE_STATUS_COUNT][2];
    char after[STORE_ROOM_BYTES + 1] = "";
    int steps = 0;
    memset(sum, 0, sizeof sum);
    fill_everything(bed);
    do {
        struct store_answer answer = look(bed, &days, 0, after, 3, 0);
        assert_int_equal(answer.survey->expired_count, 0);
        assert_true(answer.survey->database_bytes > 0);
        for (int status = 0; status < STORE_STATUS_COUNT; status++)
            for (int i = 0; i < 2; i++) {
                sum[status][i].rooms += answer.survey->tallies[status][i].rooms;
                sum[status][i].events += answer.survey->tallies[status][i].events;
            }
        snprintf(after, sizeof after, "%s", answer.survey->next);
        store_answer_release(&answer);
        steps++;
    } while (after[0] && steps < STEPS_MAX);
    assert_in_range(steps, 3, 4);
    assert_int_equal(sum[STORE_WAITING][true].rooms, 1);
    assert_int_equal(sum[STORE_WAITING][false].rooms, 1);
    assert_int_equal(sum[STORE_PLAYING][true].rooms, 2);
    assert_int_equal(sum[STORE_PLAYING][true].events, 9);
    assert_int_equal(sum[STORE_PLAYING][false].rooms, 1);
    assert_int_equal(sum[STORE_FINISHED][true].events, 7);
    assert_int_equal(sum[STORE_FINISHED][false].events, 3);
}

static void a_survey_of_no_rooms_tells_sizes(struct store_bed *bed)
{
    fill_everything(bed);
    struct store_answer answer = look(bed, &days, 1000 * (int64_t)DAY_MS, "here", 0, 0);
    assert_int_equal(answer.survey->expired_count, 0);
    assert_string_equal(answer.survey->next, "here");
    assert_true(answer.survey->database_bytes > 0);
    store_answer_release(&answer);
}

/* --- what is gone ------------------------------------------------------------------------------------ */

static int count_rooms(struct store_bed *bed, enum store_ask ask)
{
    struct store_request request = store_question(ask, NULL, "p_one");
    struct store_answer answer = store_perform(bed, &request);
    assert_int_equal(answer.status, STORE_OK);
    store_answer_release(&answer);
    return answer.room_count;
}

static void what_is_gone_is_nowhere(struct store_bed *bed)
{
    fill(bed, &(struct wish){"r", STORE_WAITING, false, "joined", 2, NULL});
    store_bed_reopen(bed);
    assert_int_equal(remove_one(bed, "r", 2, NULL), STORE_OK);
    assert_int_equal(store_version(bed, "r"), 0);
    struct store_request request = store_question(STORE_HISTORY, "r", NULL);
    request.from = 1, request.to = 2;
    assert_int_equal(store_do(bed, &request), STORE_NOT_FOUND);
    assert_int_equal(count_rooms(bed, STORE_OPEN_ROOMS), 0);
    assert_int_equal(count_rooms(bed, STORE_PLAYER_ROOMS), 0);
    request = store_continuation("r", 2, "p_one", "late", "{}");
    assert_int_equal(store_do(bed, &request), STORE_CONFLICT);
    assert_int_equal(remove_one(bed, "r", 2, NULL), STORE_CONFLICT);
    /* Whoever made it may make it anew, by the same command. */
    request = store_creation("r", "p_one", "r");
    assert_int_equal(store_do(bed, &request), STORE_OK);
    assert_int_equal(store_version(bed, "r"), 1);
}

static int remove_and_count_definitions(struct store_bed *bed, const char *room, int64_t version)
{
    struct store_request request = {.ask = STORE_REMOVE, .room = room, .from = version};
    struct store_answer answer = store_perform(bed, &request);
    assert_int_equal(answer.status, STORE_OK);
    store_answer_release(&answer);
    return answer.removed_definitions;
}

static void a_definition_goes_with_its_last_room(struct store_bed *bed)
{
    fill(bed, &(struct wish){"a", STORE_WAITING, false, "joined", 1, "own"});
    fill(bed, &(struct wish){"b", STORE_WAITING, false, "joined", 1, "own"});
    fill(bed, &(struct wish){"c", STORE_WAITING, false, "joined", 1, NULL});
    assert_int_equal(remove_and_count_definitions(bed, "a", 1), 0);
    assert_int_equal(store_version(bed, "b"), 1); /* reads its definition */
    assert_int_equal(remove_and_count_definitions(bed, "b", 1), 1);
    assert_int_equal(store_version(bed, "c"), 1);
    fill(bed, &(struct wish){"d", STORE_WAITING, false, "joined", 1, "own"});
    assert_int_equal(store_version(bed, "d"), 1);
}

/* Begun by one process, carried on by another. */
static void a_long_room_goes_in_parts(struct store_bed *bed)
{
    enum { LONG = 600 };
    fill(bed, &(struct wish){"long", STORE_FINISHED, false, "moved", LONG, NULL});
    fill(bed, &(struct wish){"longer", STORE_FINISHED, false, "moved", 3, NULL});
    store_bed_reopen(bed);
    assert_int_equal(remove_one(bed, "long", LONG, NULL), STORE_OK);
    assert_int_equal(store_version(bed, "long"), 0);
    struct store_request history = store_question(STORE_HISTORY, "long", NULL);
    history.from = LONG - 1, history.to = LONG;
    assert_int_equal(store_do(bed, &history), STORE_NOT_FOUND);
    /* Nobody gets its id as long as something is left of it. */
    struct store_request again = store_creation("long", "p_two", "long");
    assert_int_equal(store_do(bed, &again), STORE_CONFLICT);
    struct store_answer answer = look(bed, &days, 0, "", 1, 0);
    assert_true(answer.survey->unclean);
    store_answer_release(&answer);
    store_bed_reopen(bed);
    bool unclean = true;
    int steps = 0;
    for (; unclean && steps < STEPS_MAX; steps++) {
        answer = look(bed, &days, 0, "", 0, 100);
        unclean = answer.survey->unclean;
        store_answer_release(&answer);
    }
    assert_in_range(steps, 4, LONG / 100 + 1);
    assert_int_equal(store_do(bed, &again), STORE_OK);
    assert_int_equal(store_version(bed, "long"), 1);
    assert_int_equal(store_version(bed, "longer"), 3);
}

/* --- what stays ---------------------------------------------------------------------------------------- */

static void a_room_that_went_on_stays(struct store_bed *bed)
{
    fill(bed, &(struct wish){"r", STORE_PLAYING, false, "moved", 3, NULL});
    store_bed_reopen(bed);
    assert_int_equal(remove_one(bed, "r", 2, NULL), STORE_CONFLICT);
    assert_int_equal(remove_one(bed, "other", 2, NULL), STORE_CONFLICT);
    struct store_request request = store_continuation("r", 3, "p_one", "c-late", "{}");
    store_turns(&request, STORE_PLAYING);
    assert_int_equal(store_do(bed, &request), STORE_OK);
    assert_int_equal(remove_one(bed, "r", 3, NULL), STORE_CONFLICT);
    assert_int_equal(store_version(bed, "r"), 4);
}

static void lease(struct store_bed *bed, const char *node, int64_t lease_ms)
{
    struct store_request request = {
        .ask = STORE_LEASE, .node = node, .place = node, .url = "", .lease_ms = lease_ms};
    assert_int_equal(store_do(bed, &request), STORE_OK);
}

static void a_room_in_others_hands_stays(struct store_bed *bed)
{
    lease(bed, "n_a", HOUR_MS);
    lease(bed, "n_b", HOUR_MS);
    struct store_request request = store_creation("r", "p_one", "r");
    request.node = "n_a";
    assert_int_equal(store_do(bed, &request), STORE_OK);
    assert_int_equal(remove_one(bed, "r", 1, "n_b"), STORE_CONFLICT);
    assert_int_equal(remove_one(bed, "r", 1, NULL), STORE_CONFLICT);
    assert_int_equal(store_version(bed, "r"), 1);
    const struct store_turn turn = {.room = "r"};
    request = (struct store_request){
        .ask = STORE_RELEASE, .node = "n_a", .turns = &turn, .turn_count = 1};
    assert_int_equal(store_do(bed, &request), STORE_OK);
    assert_int_equal(remove_one(bed, "r", 1, "n_b"), STORE_OK);
    /* One's own is for oneself to know. */
    request = store_creation("s", "p_one", "s");
    request.node = "n_a";
    assert_int_equal(store_do(bed, &request), STORE_OK);
    assert_int_equal(remove_one(bed, "s", 1, "n_a"), STORE_OK);
    assert_int_equal(store_version(bed, "s"), 0);
}

/* In one commit with the moves of others, and with the room's own next one. */
static void a_batch_keeps_its_order(struct store_bed *bed)
{
    fill(bed, &(struct wish){"old", STORE_PLAYING, false, "moved", 2, NULL});
    fill(bed, &(struct wish){"new", STORE_PLAYING, false, "moved", 2, NULL});
    store_bed_reopen(bed);
    struct store_request requests[] = {
        store_continuation("new", 2, "p_one", "c-3", "{}"),
        {.ask = STORE_REMOVE, .room = "old", .from = 2},
        store_continuation("old", 2, "p_one", "c-3", "{}"),
        {.ask = STORE_REMOVE, .room = "new", .from = 2},
        store_continuation("new", 3, "p_one", "c-4", "{}"),
    };
    const enum store_status expected[] = {STORE_OK, STORE_OK, STORE_CONFLICT, STORE_CONFLICT,
                                          STORE_OK};
    enum { COUNT = sizeof expected / sizeof *expected };
    struct store_answer answers[COUNT];
    bed->table->perform(bed->driver, requests, COUNT, answers);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(answers[i].status, expected[i]);
        store_answer_release(&answers[i]);
    }
    assert_int_equal(store_version(bed, "old"), 0);
    assert_int_equal(store_version(bed, "new"), 4);
}

/* Of many rooms, in many steps, exactly those go that may. */
static void a_sweep_leaves_exactly_what_is_to_be_kept(struct store_bed *bed)
{
    enum { ROOMS = 60 };
    char id[STORE_ROOM_BYTES + 1];
    int reasons[STORE_EXPIRY_COUNT];
    for (int i = 0; i < ROOMS; i++) {
        snprintf(id, sizeof id, "r%03d", i);
        fill(bed, &(struct wish){id, i % 3 == 0 ? STORE_FINISHED : STORE_PLAYING, i % 5 == 0,
                                 i % 2 == 0 ? "moved" : "chatted", 2 + i % 7, NULL});
    }
    int removed = sweep(bed, &days, 2 * (int64_t)DAY_MS, reasons);
    assert_int_equal(removed, reasons[STORE_NEVER_MOVED]);
    for (int i = 0; i < ROOMS; i++) {
        snprintf(id, sizeof id, "r%03d", i);
        bool goes = i % 2 != 0 && i % 3 != 0;
        assert_int_equal(store_version(bed, id), goes ? 0 : 2 + i % 7);
        removed -= goes;
    }
    assert_int_equal(removed, 0);
}

int main(void)
{
    static const struct store_case cases[] = {
#define CASE(name) {#name, name}
        CASE(each_kind_of_room_goes_in_its_time),
        CASE(a_game_by_a_clock_stays_until_that_runs_out),
        CASE(what_has_no_time_is_kept_for_ever),
        CASE(a_survey_counts_every_room_once),
        CASE(a_survey_of_no_rooms_tells_sizes),
        CASE(what_is_gone_is_nowhere),
        CASE(a_definition_goes_with_its_last_room),
        CASE(a_long_room_goes_in_parts),
        CASE(a_room_that_went_on_stays),
        CASE(a_room_in_others_hands_stays),
        CASE(a_batch_keeps_its_order),
        CASE(a_sweep_leaves_exactly_what_is_to_be_kept),
    };
    return store_run_cases("store_retention_test", cases, sizeof cases / sizeof *cases);
}
