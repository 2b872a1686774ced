/* Whose turn it is in rooms that nobody has in memory: true of the version it was said of, and of no other; and the list of a
 * player's rooms, which begins with those where it is his. The same suite for every store. */
#include "tests/support/test.h"

#include "tests/server/store_support.h"

#include <stdio.h>
#include <string.h>

static const struct store_seat white = {"white", "p_a", "cafe", "Ada", false, false};
static const struct store_seat black = {"black", "p_b", "cafe", "Bob", false, false};

static void create(struct store_bed *bed, const char *room, int64_t at_ms)
{
    struct store_request request = store_creation(room, "p_a", room);
    struct store_room *row = &request.writes[0].room;
    row->created_at_ms = at_ms;
    row->status = STORE_PLAYING;
    row->seats[row->seat_count++] = white;
    row->seats[row->seat_count++] = black;
    assert_int_equal(store_do(bed, &request), STORE_OK);
}

static void go_on(struct store_bed *bed, const char *room, int64_t version,
                  enum store_room_status status)
{
    struct store_request request = store_continuation(room, version, "p_a", "", "{}");
    store_turns(&request, status);
    assert_int_equal(store_do(bed, &request), STORE_OK);
}

static struct store_turn turn_of(const char *room, int64_t version, const char *to_move)
{
    struct store_turn turn = {.version = version};
    snprintf(turn.room, sizeof turn.room, "%s", room);
    snprintf(turn.to_move, sizeof turn.to_move, "%s", to_move);
    return turn;
}

static void leaves(struct store_bed *bed, const char *node, const struct store_turn *turns,
                   int count)
{
    const struct store_request request = {
        .ask = STORE_RELEASE, .node = node, .turns = turns, .turn_count = count};
    assert_int_equal(store_do(bed, &request), STORE_OK);
}

static void say(struct store_bed *bed, const char *room, int64_t version, const char *to_move)
{
    const struct store_turn turn = turn_of(room, version, to_move);
    leaves(bed, NULL, &turn, 1);
}

/* NULL: nobody knows. In a list, and where the room is read. */
static void expect_turn(struct store_bed *bed, const char *room, const char *to_move)
{
    static const enum store_ask asks[] = {STORE_LOAD, STORE_TAIL, STORE_OPEN_ROOMS,
                                          STORE_PLAYER_ROOMS};
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        struct store_request request = store_question(asks[i], room, "p_a");
        struct store_answer answer = store_perform(bed, &request);
        const struct store_room *found = answer.rooms;
        assert_int_equal(answer.status, STORE_OK);
        while (found < answer.rooms + answer.room_count && strcmp(found->id, room) != 0)
            found++;
        assert_true(found < answer.rooms + answer.room_count);
        if (to_move == NULL)
            assert_null(found->to_move);
        else
            assert_string_equal(found->to_move, to_move);
        store_answer_release(&answer);
    }
}

static void a_turn_is_known_of_one_version(struct store_bed *bed)
{
    create(bed, "r", 1000);
    create(bed, "s", 2000);
    expect_turn(bed, "r", NULL);
    say(bed, "r", 1, "white");
    expect_turn(bed, "r", "white");
    expect_turn(bed, "s", NULL);
    store_bed_reopen(bed);
    expect_turn(bed, "r", "white");
    go_on(bed, "r", 1, STORE_PLAYING);
    expect_turn(bed, "r", NULL);
    store_bed_reopen(bed);
    expect_turn(bed, "r", NULL);
    say(bed, "r", 2, "the \"κ\" one");
    expect_turn(bed, "r", "the \"κ\" one");
    go_on(bed, "r", 2, STORE_PLAYING);
    say(bed, "r", 3, "black");
    expect_turn(bed, "r", "black");
    go_on(bed, "s", 1, STORE_PLAYING);
    say(bed, "s", 2, "white");
    expect_turn(bed, "s", "white");
    expect_turn(bed, "r", "black");
}

static void what_is_said_of_another_version_changes_nothing(struct store_bed *bed)
{
    create(bed, "r", 1000);
    go_on(bed, "r", 1, STORE_PLAYING);
    say(bed, "r", 1, "white"); /* by who has missed the last event */
    expect_turn(bed, "r", NULL);
    say(bed, "r", 2, "black");
    say(bed, "r", 1, "white");
    say(bed, "r", 3, "white");
    say(bed, "r", 0, "");
    say(bed, "gone", 1, "white");
    expect_turn(bed, "r", "black");
    go_on(bed, "r", 2, STORE_PLAYING);
    expect_turn(bed, "r", NULL); /* what was said too early does not come true */
}

static void a_batch_sees_its_own_events(struct store_bed *bed)
{
    create(bed, "r", 1000);
    create(bed, "s", 2000);
    const struct store_turn turns[] = {turn_of("r", 2, "white"), turn_of("s", 1, "black")};
    struct store_request requests[] = {
        store_continuation("r", 1, "p_a", "c-1", "{}"),
        {.ask = STORE_RELEASE, .turns = turns, .turn_count = 2},
        store_continuation("s", 1, "p_a", "c-2", "{}"),
    };
    store_turns(&requests[0], STORE_PLAYING);
    store_turns(&requests[2], STORE_PLAYING);
    struct store_answer answers[3];
    bed->table->perform(bed->driver, requests, 3, answers);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(answers[i].status, STORE_OK);
        store_answer_release(&answers[i]);
    }
    expect_turn(bed, "r", "white");
    expect_turn(bed, "s", NULL);
}

static void lease(struct store_bed *bed, const char *node)
{
    const struct store_request request = {
        .ask = STORE_LEASE, .node = node, .place = node, .url = "", .lease_ms = 3600000};
    assert_int_equal(store_do(bed, &request), STORE_OK);
}

/* Whether others than this node see the room in the memory of another one. */
static bool is_anothers(struct store_bed *bed, const char *node)
{
    struct store_request request = store_question(STORE_OPEN_ROOMS, NULL, NULL);
    request.node = node;
    struct store_answer answer = store_perform(bed, &request);
    bool found = answer.room_count == 1;
    store_answer_release(&answer);
    return found;
}

static void who_is_not_its_owner_may_say_it_too(struct store_bed *bed)
{
    lease(bed, "n_a");
    lease(bed, "n_b");
    create(bed, "r", 1000);
    struct store_request load = store_question(STORE_LOAD, "r", NULL);
    load.node = "n_a";
    assert_int_equal(store_do(bed, &load), STORE_OK);
    const struct store_turn said = turn_of("r", 1, "white"), nothing = turn_of("r", 0, "");
    leaves(bed, "n_b", &said, 1);
    assert_true(is_anothers(bed, "n_b"));
    expect_turn(bed, "r", "white");
    leaves(bed, "n_a", &nothing, 1);
    assert_false(is_anothers(bed, "n_b"));
    expect_turn(bed, "r", "white");
}

/* --- the list --------------------------------------------------------------------------------- */

enum { ROOMS = 120, DUE = 70 }; /* more than a page where it is white's turn */

/* The list as it should be, by the rooms' numbers: the parts one after the other, each newest first. */
static int sort(int order[ROOMS], const int part[ROOMS])
{
    int count = 0;
    for (int wanted = 0; wanted < 3; wanted++)
        for (int i = ROOMS - 1; i >= 0; i--)
            if (part[i] == wanted)
                order[count++] = i;
    return count;
}

static void expect_list(struct store_bed *bed, const char *player, const int part[ROOMS])
{
    int order[ROOMS], count = sort(order, part), told = 0;
    assert_int_equal(count, ROOMS);
    struct store_request request = store_question(STORE_PLAYER_ROOMS, NULL, player);
    while (told < count) {
        request.from = told;
        struct store_answer answer = store_perform(bed, &request);
        int left = count - told;
        assert_int_equal(answer.status, STORE_OK);
        assert_int_equal(answer.room_count,
                         left < STORE_PLAYER_ROOMS_MAX ? left : STORE_PLAYER_ROOMS_MAX);
        for (int i = 0; i < answer.room_count; i++) {
            char name[16];
            snprintf(name, sizeof name, "r%d", order[told++]);
            assert_string_equal(answer.rooms[i].id, name);
        }
        store_answer_release(&answer);
    }
}

static void where_it_is_ones_turn_comes_first(struct store_bed *bed)
{
    char names[ROOMS][16];
    int of_white[ROOMS], of_black[ROOMS];
    struct store_turn turns[ROOMS];
    for (int i = 0; i < ROOMS; i++) {
        snprintf(names[i], sizeof names[i], "r%d", i);
        create(bed, names[i], 1000 + i);
        /* The oldest are white's, the next ones black's, and of the newest nobody has said anything. */
        turns[i] = turn_of(names[i], i < DUE + 20 ? 1 : 0,
                           i < DUE        ? "white"
                           : i < DUE + 20 ? "black"
                                          : "");
        of_white[i] = i < DUE ? 0 : 1;
        of_black[i] = i >= DUE && i < DUE + 20 ? 0 : 1;
    }
    leaves(bed, NULL, turns, ROOMS);
    expect_list(bed, "p_a", of_white);
    expect_list(bed, "p_b", of_black);
    store_bed_reopen(bed);
    expect_list(bed, "p_a", of_white);

    go_on(bed, "r7", 1, STORE_PLAYING); /* who knows */
    go_on(bed, "r8", 1, STORE_FINISHED);
    go_on(bed, "r75", 1, STORE_PLAYING);
    say(bed, "r75", 2, "white");
    of_white[7] = 1;
    of_white[8] = of_black[8] = 2;
    of_white[75] = 0;
    of_black[75] = 1;
    expect_list(bed, "p_a", of_white);
    expect_list(bed, "p_b", of_black);
}

/* clang-format off */
static const struct store_case cases[] = {
    {"whose turn it is is known of the version it was said of", a_turn_is_known_of_one_version},
    {"what is said of another version changes nothing", what_is_said_of_another_version_changes_nothing},
    {"in a batch what is said is compared with the events before it", a_batch_sees_its_own_events},
    {"who does not own the room may say it too, and it stays its owner's", who_is_not_its_owner_may_say_it_too},
    {"a player's rooms begin with those where it is his turn, on every page", where_it_is_ones_turn_comes_first},
};
/* clang-format on */

int main(void)
{
    return store_run_cases("store turns", cases, (int)(sizeof cases / sizeof *cases));
}
