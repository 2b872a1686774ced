/* What a turn of the network's loop takes on: of everybody a little, in the order it was said, whatever lies ready at once.
 *
 * The process that serves is stopped while its kernel is filled, so all of it lies ready at one moment. Its turns have no
 * time at all, and each ends with the first thing that is done in it; or so much that only the number of closings ends it. */
#include "tests/support/test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "server/net/net.h"
#include "tests/server/net_support.h"
#include "tests/server/socket.h"

/* --- the server under test: it counts --------------------------------------------------------- */

struct server {
    uv_loop_t loop;
    uv_signal_t signal;
    uv_check_t check;
    struct net *net;
    int said, gone, gone_in_turn, gone_at_once;
    peer_id player; /* who said that he plays */
};

static void say(const struct server *server, peer_id peer, const char *words)
{
    struct frame *frame = frame_new(words, strlen(words));
    net_send(server->net, peer, frame);
    frame_release(frame);
}

static void on_opened(void *context, peer_id peer, const struct core_address *address)
{
    (void)address;
    say(context, peer, "hello");
}

/* Which message of all it was, and what it said; or how many have gone, and how many in one turn. */
static void on_said(void *context, peer_id peer, const char *text, size_t length)
{
    struct server *server = context;
    char words[64];
    if (length == 4 && memcmp(text, "play", 4) == 0)
        server->player = peer;
    if (length == 4 && memcmp(text, "gone", 4) == 0)
        snprintf(words, sizeof words, "%d %d", server->gone, server->gone_at_once);
    else
        snprintf(words, sizeof words, "%d %.*s", server->said++, (int)length, text);
    say(server, peer, words);
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
    return server->player == peer;
}

static void on_check(uv_check_t *handle)
{
    struct server *server = handle->data;
    server->gone_in_turn = 0;
}

static size_t on_body_max(void *context, enum net_method method, const char *path)
{
    (void)context, (void)method, (void)path;
    return 0;
}

static enum net_reply on_request(void *context, const struct net_request *request,
                                 struct net_answer *answer)
{
    (void)context, (void)request, (void)answer;
    return NET_NOT_HERE;
}

static bool on_any_origin(void *context, const char *path)
{
    (void)context, (void)path;
    return false;
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct server *server = handle->data;
    (void)number;
    uv_close((uv_handle_t *)handle, NULL);
    uv_close((uv_handle_t *)&server->check, NULL);
    net_finish(server->net);
}

static void serve(const struct net_options *options, int ready_fd)
{
    struct server server = {0};
    struct net_ports ports = {&server,     on_opened,  on_said,       net_process_ignore, on_gone,
                              on_body_max, on_request, on_any_origin, net_process_log,    on_plays};
    uv_loop_init(&server.loop);
    server.net = net_process_open(&server.loop, options, &ports);
    uv_signal_init(&server.loop, &server.signal);
    uv_check_init(&server.loop, &server.check);
    server.signal.data = server.check.data = &server;
    uv_signal_start(&server.signal, on_signal, SIGTERM);
    uv_check_start(&server.check, on_check);
    net_process_ready(server.net, ready_fd);
    uv_run(&server.loop, UV_RUN_DEFAULT);
    net_free(server.net);
    exit(uv_loop_close(&server.loop) == 0 ? 0 : 3);
}

/* --- the test's side -------------------------------------------------------------------------- */

static struct socket_frame frame; /* a megabyte: not for the stack */

static struct net_process start(uint32_t turn_us)
{
    struct net_options options = net_process_options();
    options.turn_us = turn_us;
    return net_process_start(&options, serve);
}

static int open_greeted(const struct net_process *running)
{
    int fd = socket_open_ws("127.0.0.1", running->port);
    assert_true(fd >= 0);
    socket_read_message(fd, &frame);
    assert_string_equal(frame.payload, "hello");
    return fd;
}

static void stop(const struct net_process *running)
{
    int status;
    kill(running->pid, SIGSTOP);
    assert_int_equal(waitpid(running->pid, &status, WUNTRACED), running->pid);
    assert_true(WIFSTOPPED(status));
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

/* Each turn takes one of the players and one or two of the others: so many others at most come before. */
static void who_plays_is_heard_before_a_crowd(void **state)
{
    enum { CROWD = 200, BEFORE = 8 };
    struct net_process running = start(0);
    static int fds[CROWD];
    int player = open_greeted(&running), said, place;
    (void)state;
    socket_send_text(player, "play");
    socket_read_message(player, &frame);
    assert_int_equal(sscanf(frame.payload, "%d play", &said), 1);
    for (int i = 0; i < CROWD; i++)
        fds[i] = open_greeted(&running);
    stop(&running);
    for (int i = 0; i < CROWD; i++)
        socket_send_text(fds[i], "me, too");
    socket_send_text(player, "a move");
    go_on(&running);
    socket_read_message(player, &frame);
    assert_int_equal(sscanf(frame.payload, "%d a move", &place), 1);
    if (place - said > BEFORE)
        fail_msg("%d others came before", place - said - 1);
    for (int i = 0; i < CROWD; i++)
        close(fds[i]);
    close(player);
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

static void thousands_who_go_at_once_leave_a_few_at_a_time(void **state)
{
    enum { LEAVERS = 400, AT_ONCE = 20 };
    struct net_process running = start(1000 * 1000);
    static int fds[LEAVERS];
    int stays = open_greeted(&running), gone = 0, at_once = 0;
    (void)state;
    for (int i = 0; i < LEAVERS; i++)
        fds[i] = open_greeted(&running);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_is_heard_in_turn_and_in_order),
        cmocka_unit_test(who_plays_is_heard_before_a_crowd),
        cmocka_unit_test(what_is_said_behind_the_handshake_is_heard),
        cmocka_unit_test(thousands_who_go_at_once_leave_a_few_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
