/* What a turn of the network's loop takes on: of everybody a little, in the order it was said, whatever lies ready at once; and to
 * everybody a little, whatever is to be shown to thousands.
 *
 * The process that serves is stopped while its kernel is filled, so all of it lies ready at one moment. Its turns have no
 * time at all, and each ends with the first thing that is done in it; or so much that only the number of closings ends it. */
#include "tests/support/test.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "server/net/net.h"
#include "tests/server/net_support.h"
#include "tests/server/socket.h"

enum {
    CROWD = 3000,
    STOP_AFTER =
        40,         /* written since something was shown to all: then the process stops by itself */
    SLOW_US = 2000, /* what a slow message takes at least */
};

/* --- the server under test: it counts, and shows to all what one says ------------------------- */

struct server {
    struct net_served served;
    uv_check_t check;
    int said, gone, gone_in_turn, gone_at_once, slow_in_turn, slow_at_once;
    peer_id all[CROWD + 16], player;
    bool all_play;
    int all_count;
    uint64_t written, written_at_once, stop_at;
};

static uint64_t written(const struct server *server)
{
    struct net_statistics statistics;
    net_read_statistics(server->served.net, &statistics);
    return statistics.writes;
}

static int outboxes_full(const struct server *server)
{
    struct net_statistics statistics;
    net_read_statistics(server->served.net, &statistics);
    return (int)statistics.outboxes_full;
}

static void on_opened(void *context, peer_id peer, const struct core_address *address)
{
    struct server *server = context;
    (void)address;
    if (server->all_count < CROWD + 16)
        server->all[server->all_count++] = peer;
    net_process_say(context, peer, "hello", 5);
}

static void show_to_all(struct server *server, const char *text, size_t length)
{
    struct frame *frame = frame_new(text, length);
    for (int i = 0; i < server->all_count; i++)
        net_send(server->served.net, server->all[i], frame);
    frame_release(frame);
}

static bool begins(const char *text, size_t length, const char *word)
{
    return length >= strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

static void answer(struct server *server, peer_id peer, const char *text, size_t length)
{
    char words[64];
    int used;
    if (begins(text, length, "gone")) /* how many have gone, and how many in one turn */
        used = snprintf(words, sizeof words, "%d %d", server->gone, server->gone_at_once);
    else if (begins(text, length, "how slow")) /* how many of them in one turn */
        used = snprintf(words, sizeof words, "%d", server->slow_at_once);
    else if (begins(text, length, "written")) /* to how many in one turn */
        used = snprintf(words, sizeof words, "%d", (int)server->written_at_once);
    else if (begins(text, length, "full")) /* how many had no room for more */
        used = snprintf(words, sizeof words, "%d", outboxes_full(server));
    else /* which message of all it was, and what it said */
        used = snprintf(words, sizeof words, "%d %.*s", server->said++, (int)length, text);
    net_process_say(&server->served, peer, words, (size_t)used);
}

static void take_time(struct server *server)
{
    uint64_t until_ns = uv_hrtime() + SLOW_US * UINT64_C(1000);
    while (uv_hrtime() < until_ns)
        continue;
    if (++server->slow_in_turn > server->slow_at_once)
        server->slow_at_once = server->slow_in_turn;
}

static void on_said(void *context, peer_id peer, const char *text, size_t length)
{
    struct server *server = context;
    if (begins(text, length, "slow"))
        take_time(server);
    if (begins(text, length, "show play")) /* the game of who came first begins */
        server->player = server->all[0];
    if (begins(text, length, "play"))
        server->player = peer;
    if (begins(text, length, "all play"))
        server->all_play = true;
    if (begins(text, length, "show and stop"))
        server->stop_at = written(server) + STOP_AFTER;
    if (begins(text, length, "show"))
        show_to_all(server, text, length);
    else
        answer(server, peer, text, length);
}

static void on_gone(void *context, peer_id peer)
{
    struct server *server = context;
    (void)peer;
    server->gone++;
    if (++server->gone_in_turn > server->gone_at_once)
        server->gone_at_once = server->gone_in_turn;
}

static bool on_plays(void *context, peer_id peer)
{
    const struct server *server = context;
    return server->all_play || server->player == peer;
}

static void on_check(uv_check_t *handle)
{
    struct server *server = handle->data;
    uint64_t now = written(server);
    server->gone_in_turn = server->slow_in_turn = 0;
    if (now - server->written > server->written_at_once)
        server->written_at_once = now - server->written;
    server->written = now;
    if (server->stop_at == 0 || now < server->stop_at)
        return;
    server->stop_at = 0;
    raise(SIGSTOP);
}

static void serve(const struct net_options *options, int ready_fd)
{
    static struct server server;
    struct net_ports ports = net_process_ports(&server);
    ports.opened = on_opened;
    ports.said = on_said;
    ports.gone = on_gone;
    ports.plays = ports.precedes = on_plays;
    net_process_open(&server.served, options, &ports);
    uv_check_init(&server.served.loop, &server.check);
    server.check.data = &server;
    server.served.also = (uv_handle_t *)&server.check;
    uv_check_start(&server.check, on_check);
    net_process_serve(&server.served, ready_fd);
}

/* --- the test's side -------------------------------------------------------------------------- */

static struct socket_frame frame; /* a megabyte: not for the stack */

static struct net_process start(uint32_t turn_us)
{
    struct net_options options = net_process_options();
    options.turn_us = turn_us;
    options.heartbeat_ms = options.stalled_ms = 3600 * 1000; /* nobody is dropped for being slow */
    return net_process_start(&options, serve);
}

static int open_greeted(const struct net_process *running)
{
    return net_process_greeted(running, "hello");
}

static void await_stop(const struct net_process *running)
{
    int status;
    assert_int_equal(waitpid(running->pid, &status, WUNTRACED), running->pid);
    assert_true(WIFSTOPPED(status));
}

static void stop(const struct net_process *running)
{
    kill(running->pid, SIGSTOP);
    await_stop(running);
}

static void go_on(const struct net_process *running)
{
    kill(running->pid, SIGCONT);
}

enum { SPEAKERS = 12, MESSAGES = 60, BEHIND = 4 };

static void send_numbered(int fd, int count)
{
    char words[32];
    for (int i = 0; i < count; i++) {
        snprintf(words, sizeof words, "message %d", i);
        socket_send_text(fd, words);
    }
}

/* How far apart in all that was said two messages of this peer were at most. */
static int read_numbered(int fd, int count)
{
    int apart = 0, last = -1;
    for (int i = 0; i < count; i++) {
        int place, number;
        socket_read_message(fd, &frame);
        if (sscanf(frame.payload, "%d message %d", &place, &number) != 2)
            fail_msg("%s", frame.payload);
        assert_int_equal(number, i);
        assert_true(place > last);
        if (last >= 0 && place - last > apart)
            apart = place - last;
        last = place;
    }
    return apart;
}

static void everybody_is_heard_in_turn_and_in_order(void **state)
{
    struct net_process running = start(0);
    int fds[SPEAKERS];
    (void)state;
    for (int i = 0; i < SPEAKERS; i++)
        fds[i] = open_greeted(&running);
    stop(&running);
    for (int i = 0; i < SPEAKERS; i++)
        send_numbered(fds[i], MESSAGES);
    go_on(&running);
    for (int i = 0; i < SPEAKERS; i++) {
        /* One is put off and one is ready in the kernel: two rounds at most until it is one's turn again. */
        int apart = read_numbered(fds[i], MESSAGES);
        if (apart > 2 * SPEAKERS)
            fail_msg("of peer %d, %d messages were in between", i, apart);
        close(fds[i]);
    }
    net_process_stop(running);
}

static void expect_first(int fd, const char *words)
{
    int place;
    char said[32];
    socket_send_text(fd, words);
    socket_read_message(fd, &frame);
    assert_int_equal(sscanf(frame.payload, "%d %31[^\n]", &place, said), 2);
    assert_string_equal(said, words);
}

enum { PLAYERS = 80, SAID = 12 };

static void expect_players_in_order(uint32_t turn_us, int apart_most)
{
    struct net_process running = start(turn_us);
    int fds[PLAYERS];
    for (int i = 0; i < PLAYERS; i++)
        fds[i] = open_greeted(&running);
    expect_first(fds[0], "all play");
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < PLAYERS; i++)
            expect_first(fds[i], "a move");
    stop(&running);
    for (int i = 0; i < PLAYERS; i++) {
        send_numbered(fds[i], SAID - 1);
        socket_send_frame(fds[i], 0x01, "message ", 8);
        socket_send_frame(fds[i], 0x80, "11", 2);
    }
    go_on(&running);
    for (int i = 0; i < PLAYERS; i++) {
        int apart = read_numbered(fds[i], SAID);
        if (apart > apart_most)
            fail_msg("of peer %d, %d messages were in between", i, apart);
    }
    for (int i = 0; i < PLAYERS; i++)
        close(fds[i]);
    net_process_stop(running);
}

static void players_are_heard_in_order(void **state)
{
    (void)state;
    expect_players_in_order(1000 * 1000, PLAYERS * SAID);
}

static void players_who_come_when_a_turn_is_over_wait_for_the_next(void **state)
{
    (void)state;
    expect_players_in_order(0, 3 * PLAYERS);
}

enum { OTHERS = 200, BEFORE = 8 };

/* How many are heard before the player's move when all say something at once. */
static int others_before(const struct net_process *running, int player, const int *others)
{
    int place;
    stop(running);
    for (int i = 0; i < OTHERS; i++)
        socket_send_text(others[i], "me, too");
    socket_send_text(player, "a move");
    go_on(running);
    socket_read_message(player, &frame);
    assert_int_equal(sscanf(frame.payload, "%d a move", &place), 1);
    return place;
}

/* Each turn takes one of the players and one or two of the others: so many others at most come before. */
static void who_plays_is_heard_before_a_crowd(void **state)
{
    struct net_process running = start(0);
    static int fds[OTHERS];
    int player = open_greeted(&running), said, place;
    (void)state;
    socket_send_text(player, "play");
    socket_read_message(player, &frame);
    assert_int_equal(sscanf(frame.payload, "%d play", &said), 1);
    for (int i = 0; i < OTHERS; i++)
        fds[i] = open_greeted(&running);
    place = others_before(&running, player, fds);
    if (place - said > BEFORE)
        fail_msg("%d others came before", place - said - 1);
    for (int i = 0; i < OTHERS; i++)
        close(fds[i]);
    close(player);
    net_process_stop(running);
}

/* He was shown so, and has said nothing since. */
static void whose_game_begins_is_heard_before_a_crowd(void **state)
{
    struct net_process running = start(0);
    static int fds[OTHERS];
    int player = open_greeted(&running), place;
    (void)state;
    for (int i = 0; i < OTHERS; i++)
        fds[i] = open_greeted(&running);
    socket_send_text(fds[0], "show play");
    socket_read_message(player, &frame);
    for (int i = 0; i < OTHERS; i++)
        socket_read_message(fds[i], &frame);
    place = others_before(&running, player, fds);
    if (place > BEFORE)
        fail_msg("%d others came before", place);
    for (int i = 0; i < OTHERS; i++)
        close(fds[i]);
    close(player);
    net_process_stop(running);
}

/* However much time a turn has: who plays may come, or be acknowledged, meanwhile. */
static void who_does_not_play_has_a_part_of_a_turn(void **state)
{
    enum { SLOW = 30, TURN_US = 20 * SLOW_US, AT_ONCE = 20 / 8 + 2 };
    struct net_process running = start(TURN_US);
    int fds[SLOW], at_once = 0;
    (void)state;
    for (int i = 0; i < SLOW; i++)
        fds[i] = open_greeted(&running);
    stop(&running);
    for (int i = 0; i < SLOW; i++)
        socket_send_text(fds[i], "slow");
    go_on(&running);
    for (int i = 0; i < SLOW; i++)
        socket_read_message(fds[i], &frame);
    socket_send_text(fds[0], "how slow");
    socket_read_message(fds[0], &frame);
    assert_int_equal(sscanf(frame.payload, "%d", &at_once), 1);
    if (at_once < 1 || at_once > AT_ONCE)
        fail_msg("%d in one turn", at_once);
    for (int i = 0; i < SLOW; i++)
        close(fds[i]);
    net_process_stop(running);
}

/* The library has read them together with what asked for the WebSocket. */
static void what_is_said_behind_the_handshake_is_heard(void **state)
{
    struct net_process running = start(0);
    static const char request[] =
        "GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Protocol: senet.v1\r\n\r\n";
    char byte;
    int fd = socket_connect("127.0.0.1", running.port);
    (void)state;
    stop(&running);
    socket_send(fd, request, sizeof request - 1);
    send_numbered(fd, BEHIND);
    go_on(&running);
    for (int ends = 0; ends < 4;) { /* the answer's head: up to its empty line */
        assert_int_equal(read(fd, &byte, 1), 1);
        ends = byte == (ends % 2 == 0 ? '\r' : '\n') ? ends + 1 : 0;
    }
    socket_read_message(fd, &frame);
    assert_string_equal(frame.payload, "hello");
    read_numbered(fd, BEHIND);
    close(fd);
    net_process_stop(running);
}

/* The library answers when it is told that there is room to write. */
static void expect_pong(int fd)
{
    socket_send_frame(fd, 0x89, "there?", 6);
    socket_read_frame(fd, &frame);
    assert_int_equal(frame.opcode, 10);
}

static void expect_a_few_at_a_time(bool they_play)
{
    enum { LEAVERS = 400, AT_ONCE = 20 };
    struct net_process running = start(1000 * 1000);
    static int fds[LEAVERS];
    int stays = open_greeted(&running), gone = 0, at_once = 0;
    for (int i = 0; i < LEAVERS; i++)
        fds[i] = open_greeted(&running);
    if (they_play)
        expect_first(stays, "all play");
    for (int i = 0; i < LEAVERS && they_play; i++) {
        expect_first(fds[i], "a move");
        if (i % 2 == 0)
            expect_pong(fds[i]);
    }
    stop(&running);
    for (int i = 0; i < LEAVERS; i++)
        close(fds[i]);
    socket_send_text(stays, "gone");
    go_on(&running);
    socket_read_message(stays, &frame);
    assert_int_equal(sscanf(frame.payload, "%d %d", &gone, &at_once), 2);
    while (gone < LEAVERS) { /* each question is a turn at least */
        socket_send_text(stays, "gone");
        socket_read_message(stays, &frame);
        assert_int_equal(sscanf(frame.payload, "%d %d", &gone, &at_once), 2);
    }
    if (at_once > AT_ONCE)
        fail_msg("%d went in one turn", at_once);
    close(stays);
    net_process_stop(running);
}

static void thousands_who_go_at_once_leave_a_few_at_a_time(void **state)
{
    (void)state;
    expect_a_few_at_a_time(false);
}

/* However they were read and answered before. */
static void players_who_go_at_once_leave_a_few_at_a_time(void **state)
{
    (void)state;
    expect_a_few_at_a_time(true);
}

/* --- what is shown to many -------------------------------------------------------------------- */

static void expect_text(int fd, const char *text)
{
    socket_read_message(fd, &frame);
    assert_int_equal(frame.opcode, 1);
    assert_string_equal(frame.payload, text);
}

static bool has_heard_something(int fd)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    return poll(&ready, 1, 0) == 1;
}

static int count_who_heard(const int *fds, int count)
{
    int heard = 0;
    for (int i = 0; i < count; i++)
        heard += has_heard_something(fds[i]);
    return heard;
}

static int ask_number(int fd, const char *question)
{
    socket_send_text(fd, question);
    socket_read_message(fd, &frame);
    return (int)strtol(frame.payload, NULL, 10);
}

/* They came before the player, and still it sees its move before most of them. */
static void a_move_is_shown_to_thousands_in_many_turns_and_to_players_first(void **state)
{
    enum { AT_ONCE = 8 };
    struct net_process running = start(0);
    static int fds[CROWD];
    (void)state;
    for (int i = 0; i < CROWD; i++)
        fds[i] = open_greeted(&running);
    int player = open_greeted(&running);
    socket_send_text(player, "play");
    socket_read_message(player, &frame);
    socket_send_text(player, "show and stop");
    await_stop(&running);
    assert_true(has_heard_something(player));
    int heard = count_who_heard(fds, CROWD);
    if (heard > STOP_AFTER + AT_ONCE)
        fail_msg("%d had it at once", heard);
    go_on(&running);
    expect_text(player, "show and stop");
    socket_send_text(player, "show again");
    expect_text(player, "show again");
    int at_once = ask_number(player, "written");
    if (at_once > AT_ONCE)
        fail_msg("%d were written to in one turn", at_once);
    for (int i = 0; i < CROWD; i++) {
        expect_text(fds[i], "show and stop");
        expect_text(fds[i], "show again");
        close(fds[i]);
    }
    close(player);
    net_process_stop(running);
}

static void show_numbered(char *text, int number)
{
    memcpy(text, "show ", 5);
    text[5] = (char)('0' + number / 100);
    text[6] = (char)('0' + number / 10 % 10);
    text[7] = (char)('0' + number % 10);
}

/* More than its outbox and the kernel hold is not for who reads nothing; the others get all of it, in order. */
static void who_is_deaf_costs_the_others_nothing(void **state)
{
    enum { WATCHERS = 20, DEAF = 5, SHOWN = 300, READ = 10, LENGTH = 12000 };
    struct net_process running = start(0);
    static char text[LENGTH + 1];
    int fds[WATCHERS], deaf[DEAF];
    (void)state;
    memset(text, 'x', LENGTH);
    for (int i = 0; i < DEAF; i++)
        deaf[i] = open_greeted(&running);
    for (int i = 0; i < WATCHERS; i++)
        fds[i] = open_greeted(&running);
    for (int n = 0; n < SHOWN; n++) {
        show_numbered(text, n);
        socket_send_text(fds[n % WATCHERS], text);
        for (int i = 0; i < WATCHERS; i++)
            expect_text(fds[i], text);
    }
    assert_int_equal(ask_number(fds[0], "full"), DEAF);
    for (int i = 0; i < DEAF; i++) { /* what it has got is in order, too, and it is still there */
        for (int n = 0; n < READ; n++) {
            show_numbered(text, n);
            expect_text(deaf[i], text);
        }
        close(deaf[i]);
    }
    for (int i = 0; i < WATCHERS; i++)
        close(fds[i]);
    net_process_stop(running);
}

static bool may_open_so_many(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    return limit.rlim_max >= CROWD + 100 && setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

int main(void)
{
    if (!may_open_so_many())
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_is_heard_in_turn_and_in_order),
        cmocka_unit_test(players_are_heard_in_order),
        cmocka_unit_test(players_who_come_when_a_turn_is_over_wait_for_the_next),
        cmocka_unit_test(who_plays_is_heard_before_a_crowd),
        cmocka_unit_test(whose_game_begins_is_heard_before_a_crowd),
        cmocka_unit_test(who_does_not_play_has_a_part_of_a_turn),
        cmocka_unit_test(what_is_said_behind_the_handshake_is_heard),
        cmocka_unit_test(thousands_who_go_at_once_leave_a_few_at_a_time),
        cmocka_unit_test(players_who_go_at_once_leave_a_few_at_a_time),
        cmocka_unit_test(a_move_is_shown_to_thousands_in_many_turns_and_to_players_first),
        cmocka_unit_test(who_is_deaf_costs_the_others_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
