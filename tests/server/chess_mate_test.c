/* Chess Mate's routes, bodies and board, without a server: as its own code does it, and where ours differs on purpose. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "server/chess_mate/board.h"
#include "server/chess_mate/body.h"
#include "server/chess_mate/chess_mate.h"
#include "server/chess_mate/route.h"
#include "server/net/head.h"
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

/* --- guests, each a request, on a loop of their own ------------------------------------------- */

enum { VISITS = 100, AT_ONCE = 4, TURNS_MAX = 10000 };

struct world {
    uv_loop_t loop;
    struct chess_mate *chess_mate;
    peer_id last; /* who has come in last */
    int opened, gone, answered;
};

static void on_opened(void *context, peer_id peer, const struct core_address *client)
{
    struct world *world = context;
    (void)client;
    world->last = peer;
    world->opened++;
}

static void on_said(void *context, peer_id peer, const char *text, size_t length)
{
    (void)context, (void)peer, (void)text, (void)length;
}

static void on_gone(void *context, peer_id peer)
{
    struct world *world = context;
    (void)peer;
    world->gone++;
}

static void make_token(void *context, const char *name, char *token)
{
    (void)context, (void)name;
    strcpy(token, "token");
}

static void fill_with_nothing(void *context, void *bytes, size_t size)
{
    (void)context;
    memset(bytes, 0, size);
}

static uint64_t always_allow(void *context, const struct core_address *client, uint64_t cost)
{
    (void)context, (void)client, (void)cost;
    return 0;
}

static bool take_answer(void *context, uint64_t ticket, struct net_answer *answer)
{
    struct world *world = context;
    (void)ticket;
    free(answer->body);
    world->answered++;
    return true;
}

static void open_world(struct world *world)
{
    const struct chess_mate_ports ports = {world,        on_opened,  on_said,
                                           on_gone,      make_token, fill_with_nothing,
                                           always_allow, take_answer};
    *world = (struct world){.opened = 0};
    uv_loop_init(&world->loop);
    world->chess_mate = chess_mate_new(&world->loop, &ports, "/");
}

static void close_world(struct world *world)
{
    chess_mate_close(world->chess_mate);
    uv_run(&world->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&world->loop), 0);
}

static void ask_as(struct world *world, const char *id)
{
    char text[200];
    struct head head;
    int length =
        snprintf(text, sizeof text, "GET /load-game HTTP/1.1\r\nbrowser_id: %s\r\n\r\n", id);
    assert_int_equal(head_read(text, (size_t)length, &head), HEAD_OK);
    const struct net_request request = {.method = NET_GET,
                                        .method_word = "GET",
                                        .target = "/load-game",
                                        .path = "/load-game",
                                        .body = "",
                                        .head = &head};
    struct net_answer answer = {0};
    assert_int_equal(chess_mate_request(world->chess_mate, &request, &answer), NET_LATER);
}

static void requests_that_come_at_once_are_begun_a_few_in_a_turn(void **state)
{
    struct world world;
    int most = 0;
    (void)state;
    open_world(&world);
    for (int i = 0; i < VISITS; i++) {
        char id[20];
        snprintf(id, sizeof id, "browser %d", i);
        ask_as(&world, id);
    }
    for (int turns = 0; world.opened < VISITS && turns < TURNS_MAX; turns++) {
        int before = world.opened;
        uv_run(&world.loop, UV_RUN_NOWAIT);
        most = world.opened - before > most ? world.opened - before : most;
    }
    assert_int_equal(world.opened, VISITS);
    if (most > AT_ONCE)
        fail_msg("%d were begun in one turn of the loop", most);
    close_world(&world);
}

static void requests_of_one_id_come_one_after_the_other(void **state)
{
    enum { REQUESTS = 5 };
    struct world world;
    (void)state;
    open_world(&world);
    for (int i = 0; i < REQUESTS; i++)
        ask_as(&world, "ada");
    for (int i = 0; i < REQUESTS; i++) {
        for (int turns = 0; turns < 2 * REQUESTS; turns++)
            uv_run(&world.loop, UV_RUN_NOWAIT);
        assert_int_equal(world.opened, i + 1);
        assert_int_equal(world.answered, i);
        chess_mate_hang_up(world.chess_mate, world.last);
    }
    for (int turns = 0; world.gone < REQUESTS && turns < TURNS_MAX; turns++)
        uv_run(&world.loop, UV_RUN_NOWAIT);
    assert_int_equal(world.answered, REQUESTS);
    assert_int_equal(world.gone, REQUESTS);
    close_world(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_read_as_express_reads_them),
        cmocka_unit_test(ids_in_bodies_are_read_as_javascript_takes_them),
        cmocka_unit_test(what_the_room_found_legal_is_played),
        cmocka_unit_test(check_is_seen_from_every_figure),
        cmocka_unit_test(targets_are_listed_in_the_order_of_the_original),
        cmocka_unit_test(requests_that_come_at_once_are_begun_a_few_in_a_turn),
        cmocka_unit_test(requests_of_one_id_come_one_after_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
