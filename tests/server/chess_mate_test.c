/* Chess Mate's routes, bodies and board, without a server: as its own code does it, and where ours differs on purpose. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "server/chess_mate/board.h"
#include "server/chess_mate/body.h"
#include "server/chess_mate/limit.h"
#include "server/chess_mate/route.h"
#include "server/net/net.h"

struct route_row {
    const char *name, *path;
    enum net_method method;
    enum route_kind kind;
};

/* clang-format off */
static const struct route_row route_rows[] = {
    {"the index",                             "",                        NET_GET,          ROUTE_INDEX},
    {"the index with a slash",                "/",                       NET_GET,          ROUTE_INDEX},
    {"any case",                              "/LOAD-game",              NET_GET,          ROUTE_GAME},
    {"a slash at the end",                    "/load-game/",             NET_GET,          ROUTE_GAME},
    {"not two",                               "/load-game//",            NET_GET,          ROUTE_NOWHERE},
    {"more behind",                           "/load-game/x",            NET_GET,          ROUTE_NOWHERE},
    {"a new game is a POST",                  "/new-game",               NET_POST,         ROUTE_NEW_GAME},
    {"and no GET",                            "/new-game",               NET_GET,          ROUTE_NOWHERE},
    {"squares",                               "/legal-moves/a8",         NET_GET,          ROUTE_TARGETS},
    {"in lower case",                         "/legal-moves/A8",         NET_GET,          ROUTE_BAD_SQUARE},
    {"no prototype is one",                   "/legal-moves/__proto__",  NET_GET,          ROUTE_BAD_SQUARE},
    {"nor what is longer than any name",      "/legal-moves/constructorconstructor", NET_GET, ROUTE_BAD_SQUARE},
    {"no text",                               "/legal-moves/\xff",       NET_GET,          ROUTE_BAD_TEXT},
    {"a move",                                "/make-move/e2/e4",        NET_GET,          ROUTE_MOVE},
    {"is no POST",                            "/make-move/e2/e4",        NET_POST,         ROUTE_NOWHERE},
    {"to nowhere",                            "/make-move/e2/e9",        NET_GET,          ROUTE_BAD_SQUARE},
    {"with one square",                       "/make-move/e2",           NET_GET,          ROUTE_NOWHERE},
    {"with three",                            "/make-move/e2/e4/e5",     NET_GET,          ROUTE_NOWHERE},
    {"of many parts",                         "/a/b/c/d/e/f/g",          NET_GET,          ROUTE_NOWHERE},
    {"preflight is for every path",           "/nothing",                NET_OPTIONS,      ROUTE_PREFLIGHT},
    {"another method is nowhere",             "/load-game",              NET_OTHER_METHOD, ROUTE_NOWHERE},
};
/* clang-format on */

static void paths_are_read_as_express_reads_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof route_rows / sizeof *route_rows; i++) {
        const struct route_row *row = &route_rows[i];
        struct route route = route_read(row->method, row->path, false);
        if (route.kind != row->kind)
            fail_msg("%s: %d instead of %d", row->name, (int)route.kind, (int)row->kind);
    }
    assert_int_equal(route_read(NET_GET, "/legal-moves/%zz", true).kind, ROUTE_BAD_TEXT);
}

static void ids_in_bodies_are_read_as_javascript_takes_them(void **state)
{
    static const struct {
        const char *body;
        enum body_answer answer;
        const char *id, *id_json;
    } rows[] = {
        {"", BODY_NO_ID, NULL, NULL},
        {"{}", BODY_NO_ID, NULL, NULL},
        {"[]", BODY_NO_ID, NULL, NULL},
        {"{\"browser_id\":\"\"}", BODY_NO_ID, NULL, NULL},
        {"{\"browser_id\":0.0}", BODY_NO_ID, NULL, NULL},
        {"{\"browser_id\":null}", BODY_NO_ID, NULL, NULL},
        {"{\"browser_id\":\"a\\\"b\"}", BODY_OK, "a\"b", "\"a\\\"b\""},
        {"{\"browser_id\":17}", BODY_OK, "17", "17"},
        {"{\"browser_id\":1.5e2}", BODY_OK, "150", "150"},
        {"{\"browser_id\":true}", BODY_OK, "true", "true"},
        {"{\"browser_id\":{}}", BODY_STRANGE_ID, NULL, NULL},
        {"{\"browser_id\":\"a\\u0000b\"}", BODY_STRANGE_ID, NULL, NULL},
        {"{\"browser_id\":\"a\\tb\"}", BODY_STRANGE_ID, NULL, NULL},
        {"{\"browser_id\":\" a\"}", BODY_STRANGE_ID, NULL, NULL},
        {"{", BODY_MALFORMED, NULL, NULL},
        {"7", BODY_MALFORMED, NULL, NULL},
        {"{} x", BODY_MALFORMED, NULL, NULL},
        {"\xff", BODY_MALFORMED, NULL, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *id, *id_json;
        enum body_answer answer = body_read_id(rows[i].body, strlen(rows[i].body), &id, &id_json);
        if (answer != rows[i].answer)
            fail_msg("%s: %d", rows[i].body, (int)answer);
        if (answer == BODY_OK) {
            assert_string_equal(id, rows[i].id);
            assert_string_equal(id_json, rows[i].id_json);
        }
        free(id);
        free(id_json);
    }
}

/* "e2e4 e7e8n": as the room would have found them legal. */
static void play(struct board *board, const char *moves)
{
    static const char *const figures[] = {"queen", "rook", "bishop", "knight"};
    for (const char *at = moves; *at != '\0';) {
        char from[3] = {at[0], at[1]}, to[3] = {at[2], at[3]};
        const char *choice = at[4] == 'r'   ? figures[1]
                             : at[4] == 'b' ? figures[2]
                             : at[4] == 'n' ? figures[3]
                                            : NULL;
        board_play(board, square_of_name(from), square_of_name(to), choice, 0);
        at += strcspn(at, " ");
        at += *at == ' ';
    }
}

static char piece_on(const struct board *board, const char *name)
{
    return board->piece[square_of_name(name)];
}

static void what_the_room_found_legal_is_played(void **state)
{
    struct board board;
    (void)state;
    board_init(&board);
    play(&board, "e2e4 d7d5 e4d5 e7e5 d5e6 a7a6 e6f7 e8e7 f7g8n e7e6");
    assert_int_equal(piece_on(&board, "g8"), 'N');
    assert_int_equal(piece_on(&board, "e5"), 0); /* taken in passing */
    assert_int_equal(board.taken[0][0], 3);
    assert_int_equal(board.taken[0][1], 1);
    assert_int_equal(board.taken[1][0], 0);
    play(&board, "g1f3 b8c6 f1c4 c8d7 e1g1 d8e7 a2a3 a8d8");
    assert_int_equal(piece_on(&board, "g1"), 'K');
    assert_int_equal(piece_on(&board, "f1"), 'R');
    assert_int_equal(piece_on(&board, "h1"), 0);
    assert_int_equal(board.ply, 18);
    assert_int_equal(board_turn(&board), 'W');
}

static void check_is_seen_from_every_figure(void **state)
{
    static const struct {
        const char *moves;
        bool check;
    } rows[] = {
        {"e2e4", false},
        {"e2e4 f7f6 d1h5", true},
        {"e2e4 e7e5 d1h5 g7g6", false},
        {"e2e4 d7d5 f1b5", true},
        {"e2e4 d7d5 f1b5 c7c6", false},
        {"b1c3 a7a6 c3d5 a6a5 d5c7", true},
        {"e2e4 d7d5 e4d5 e8d7 d5e6", true},
        {"e2e4 e7e5 e1e2 e5e4 e2e3", false},
        {"a2a4 e7e5 a1a3 e5e4 a3e3 a7a6 e3e4", true},
        {"a2a4 e7e6 a1a3 b7b6 a3e3", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct board board;
        board_init(&board);
        play(&board, rows[i].moves);
        if (board_in_check(&board) != rows[i].check)
            fail_msg("%s", rows[i].moves);
    }
}

static void targets_are_listed_in_the_order_of_the_original(void **state)
{
    static const struct {
        const char *moves, *from, *unordered, *ordered;
    } rows[] = {
        {"", "e2", "e4 e3", "e3 e4"},
        {"", "b1", "c3 a3", "a3 c3"},
        {"e2e4 d7d5", "e4", "d5 e5", "e5 d5"},
        {"e2e4 d7d5", "f1", "a6 b5 c4 d3 e2", "e2 d3 c4 b5 a6"},
        {"e2e4 d7d5 g1f3 a7a6 f1e2 a6a5", "e1", "g1 f1", "f1 g1"},
        {"e2e4 a7a6 e4e5 d7d5", "e5", "d6 e6", "e6 d6"},
        {"a2a4 b7b5 a4b5 a7a6", "a1", "a6 a5 a4 a3 a2", "a2 a3 a4 a5 a6"},
        {"", "e2", "e3 e3 e4 e3", "e3 e4"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct board board;
        int targets[16], count = 0;
        char text[64] = "";
        board_init(&board);
        play(&board, rows[i].moves);
        for (const char *at = rows[i].unordered; *at != '\0'; at += at[2] == ' ' ? 3 : 2)
            targets[count++] = square_of_name((char[]){at[0], at[1], '\0'});
        count = board_order_targets(&board, square_of_name(rows[i].from), targets, count);
        for (int k = 0; k < count; k++) {
            char name[3];
            square_write_name(targets[k], name);
            strcat(text, k == 0 ? "" : " ");
            strcat(text, name);
        }
        assert_string_equal(text, rows[i].ordered);
    }
}

/* --- how many requests an address may send ---------------------------------------------------- */

enum { PER_S = 2, BURST = 5 };

static struct core_address client_of(uint32_t number)
{
    struct core_address client = {{0}};
    memcpy(client.bytes, &number, sizeof number);
    return client;
}

static int count_granted(struct limit *limit, const struct core_address *client, int asked,
                         uint64_t now_ms)
{
    int granted = 0;
    for (int i = 0; i < asked; i++)
        granted += limit_take(limit, client, now_ms) == 0;
    return granted;
}

static void an_address_has_a_burst_and_then_so_many_a_second(void **state)
{
    (void)state;
    struct limit *limit = limit_new(PER_S, BURST);
    struct core_address ada = client_of(1), bob = client_of(2);
    assert_int_equal(count_granted(limit, &ada, 20, 1000), BURST);
    assert_int_equal(limit_take(limit, &ada, 1000), 500);
    assert_int_equal(limit_take(limit, &ada, 1499), 1);
    assert_int_equal(limit_take(limit, &ada, 1500), 0);
    assert_int_equal(count_granted(limit, &ada, 20, 11500), BURST);
    assert_int_equal(count_granted(limit, &bob, 20, 1000), BURST);
    int granted = 0;
    for (uint64_t now_ms = 20000; now_ms < 30000; now_ms += 10)
        granted += limit_take(limit, &ada, now_ms) == 0;
    assert_in_range(granted, BURST + 10 * PER_S - 1, BURST + 10 * PER_S);
    limit_free(limit);
}

static void nobody_is_not_limited_nor_anybody_by_a_rate_of_nothing(void **state)
{
    (void)state;
    struct limit *limit = limit_new(PER_S, BURST), *none = limit_new(0, BURST);
    struct core_address ada = client_of(1), nobody = {{0}};
    assert_int_equal(count_granted(limit, &nobody, 1000, 1), 1000);
    assert_int_equal(count_granted(none, &ada, 1000, 1), 1000);
    limit_free(limit);
    limit_free(none);
}

/* Who asks all the time stays known however many others come by. */
static void of_too_many_addresses_the_longest_silent_is_forgotten(void **state)
{
    (void)state;
    struct limit *limit = limit_new(PER_S, BURST);
    struct core_address ada = client_of(1), early = client_of(2);
    uint32_t crowd = 4 * LIMIT_ROWS * LIMIT_ROW_ADDRESSES;
    assert_int_equal(count_granted(limit, &early, 20, 1), BURST);
    int granted = 0;
    for (uint32_t i = 0; i < crowd; i++) {
        struct core_address other = client_of(1000 + i);
        assert_int_equal(limit_take(limit, &other, 10 + i / 100), 0);
        granted += limit_take(limit, &ada, 10 + i / 100) == 0;
    }
    assert_in_range(granted, BURST, BURST + 1);
    assert_int_equal(count_granted(limit, &early, 20, 10 + crowd / 100), BURST);
    limit_free(limit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_read_as_express_reads_them),
        cmocka_unit_test(ids_in_bodies_are_read_as_javascript_takes_them),
        cmocka_unit_test(what_the_room_found_legal_is_played),
        cmocka_unit_test(check_is_seen_from_every_figure),
        cmocka_unit_test(targets_are_listed_in_the_order_of_the_original),
        cmocka_unit_test(an_address_has_a_burst_and_then_so_many_a_second),
        cmocka_unit_test(nobody_is_not_limited_nor_anybody_by_a_rate_of_nothing),
        cmocka_unit_test(of_too_many_addresses_the_longest_silent_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
