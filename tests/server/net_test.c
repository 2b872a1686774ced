/* The network folder, from the outside: a process of its own answers on a real port, and raw
 * sockets talk to it. */
#include "server/net/outbox.h"
#include "tests/support/test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "server/net/net.h"
#include "tests/server/net_support.h"
#include "tests/server/socket.h"

/* --- the server under test: it does what messages tell it ------------------------------------- */

struct server {
    struct net_served served;
    peer_id flooded;
    int full_count;
    bool measures; /* somebody wants to know how long pings take */
};

static void say(struct server *server, peer_id peer, const char *text, size_t length, uint64_t key)
{
    struct frame *frame = frame_new(text, length);
    frame->replace_key = key;
    if (net_send(server->served.net, peer, frame) == SEND_FULL)
        server->full_count++;
    frame_release(frame);
}

static void flood(struct server *server, peer_id peer, int count, size_t size)
{
    char *text = malloc(size + 1);
    server->full_count = 0;
    for (int i = 0; i < count; i++) {
        memset(text, 'x', size);
        int used = snprintf(text, size + 1, "%d ", i);
        text[used] = 'x';
        say(server, peer, text, size, 0);
    }
    free(text);
    server->flooded = peer;
}

static void on_opened(void *context, peer_id peer, const struct core_address *client)
{
    (void)client;
    say(context, peer, "hello", 5, 0);
}

static void on_said(void *context, peer_id peer, const char *text, size_t length)
{
    struct server *server = context;
    char words[64], reason[40] = "";
    int number = 0;
    size_t size = 0;
    snprintf(words, sizeof words, "%.*s", (int)length, text);
    if (sscanf(words, "close %d %39[^\n]", &number, reason) >= 1) {
        say(server, peer, "first this", 10, 0);
        net_close(server->served.net, peer, number, reason);
        say(server, peer, "never", 5, 0);
    } else if (sscanf(words, "some %d", &number) == 1) {
        bool more = net_close_some(server->served.net, (size_t)number, 1012, "restart");
        say(server, peer, more ? "more" : "all", more ? 4 : 3, 0);
    } else if (sscanf(words, "flood %d %zu", &number, &size) == 2) {
        flood(server, peer, number, size);
    } else if (sscanf(words, "replace %d", &number) == 1) {
        for (int i = 0; i < number; i++) {
            int used = snprintf(words, sizeof words, "newest %d", i);
            say(server, peer, words, (size_t)used, 7);
        }
    } else if (strcmp(words, "measure") == 0) {
        server->measures = true;
        net_measure(server->served.net, peer);
        say(server, peer, "measuring", 9, 0);
        net_measure(server->served.net, peer);
    } else if (strcmp(words, "burst") == 0) {
        for (int i = 0; i < 100; i++) {
            int used = snprintf(words, sizeof words, "burst %d", i);
            say(server, peer, words, (size_t)used, 0);
        }
    } else if (strcmp(words, "writes") == 0) {
        struct net_statistics statistics;
        net_read_statistics(server->served.net, &statistics);
        int used = snprintf(words, sizeof words, "%llu", (unsigned long long)statistics.writes);
        say(server, peer, words, (size_t)used, 0);
    } else {
        say(server, peer, text, length, 0);
    }
}

static void on_answered(void *context, peer_id peer, uint32_t round_trip_ms)
{
    char words[64];
    struct server *server = context;
    int used = snprintf(words, sizeof words, "took %u", round_trip_ms);
    if (server->measures)
        say(server, peer, words, (size_t)used, 0);
}

static void on_drained(void *context, peer_id peer)
{
    struct server *server = context;
    char words[64];
    int used = snprintf(words, sizeof words, "drained after %d refused", server->full_count);
    say(server, peer, words, (size_t)used, 0);
}

static enum net_reply on_request(void *context, const struct net_request *request,
                                 struct net_answer *answer)
{
    (void)context;
    if (strcmp(request->path, "/api/v1/long") != 0)
        return NET_NOT_HERE;
    answer->status = 200;
    answer->content_type = "application/json";
    answer->length = 200000;
    answer->body = malloc(answer->length);
    memset(answer->body, 'j', answer->length);
    return NET_ANSWERED;
}

static void serve(const struct net_options *options, int ready_fd)
{
    struct server server = {.full_count = 0};
    struct net_ports ports = net_process_ports(&server);
    ports.opened = on_opened;
    ports.said = on_said;
    ports.drained = on_drained;
    ports.answered = on_answered;
    ports.request = on_request;
    net_process_open(&server.served, options, &ports);
    net_process_serve(&server.served, ready_fd);
}

/* --- the test's side -------------------------------------------------------------------------- */

static const char *const host = "127.0.0.1";

static int setup(void **state)
{
    struct net_options options = net_process_options();
    struct net_process *running = malloc(sizeof *running);
    *running = net_process_start(&options, serve);
    *state = running;
    return 0;
}

static int teardown(void **state)
{
    struct net_process *running = *state;
    net_process_stop(*running);
    free(running);
    return 0;
}

static struct socket_frame frame; /* a megabyte: not for the stack */

static int open_greeted(const struct net_process *running)
{
    return net_process_greeted(running, "hello");
}

static void expect_text(int fd, const char *text)
{
    socket_read_message(fd, &frame);
    assert_int_equal(frame.opcode, 1);
    assert_true(frame.final);
    assert_string_equal(frame.payload, text);
}

/* A close frame with this code, an answer of ours, and the end of the connection. */
static void expect_close(int fd, int code)
{
    socket_read_message(fd, &frame);
    assert_int_equal(frame.opcode, 8);
    assert_int_equal(frame.close_code, code);
    socket_send_frame(fd, 0x88, frame.payload, 2);
    socket_read_message(fd, &frame);
    assert_int_equal(frame.opcode, -1);
    close(fd);
}

static void a_message_is_answered(void **state)
{
    int fd = open_greeted(*state);
    socket_send_text(fd, "{\"type\":\"ping\"}");
    expect_text(fd, "{\"type\":\"ping\"}");
    socket_send_text(fd, "\xc3\xa9 \xe2\x99\x9e \xf0\x9f\x99\x82");
    expect_text(fd, "\xc3\xa9 \xe2\x99\x9e \xf0\x9f\x99\x82");
    close(fd);
}

#define UPGRADE  "Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
#define KEY      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
#define VERSION  "Sec-WebSocket-Version: 13\r\n"
#define PROTOCOL "Sec-WebSocket-Protocol: other, senet.v1\r\n"

struct handshake {
    const char *name, *first_line, *lines;
    int status;
};

/* clang-format off */
static const struct handshake handshakes[] = {
    {"the right handshake is taken",         "GET /ws",  UPGRADE KEY VERSION PROTOCOL, 101},
    {"a foreign origin is refused",          "GET /ws",  UPGRADE KEY VERSION PROTOCOL "Origin: https://elsewhere\r\n", 403},
    {"an origin said twice is refused",      "GET /ws",  UPGRADE KEY VERSION PROTOCOL "Origin: http://test\r\nOrigin: http://test\r\n", 400},
    {"an origin of the host is taken",       "GET /ws",  UPGRADE KEY VERSION PROTOCOL "Origin: http://test\r\n", 101},
    {"version 8 is refused",                 "GET /ws",  UPGRADE KEY "Sec-WebSocket-Version: 8\r\n" PROTOCOL, 426},
    {"no version is refused",                "GET /ws",  UPGRADE KEY PROTOCOL, 426},
    {"no subprotocol is refused",            "GET /ws",  UPGRADE KEY VERSION, 400},
    {"another subprotocol is refused",       "GET /ws",  UPGRADE KEY VERSION "Sec-WebSocket-Protocol: senet.v2\r\n", 400},
    {"the library's other protocol is none", "GET /ws",  UPGRADE KEY VERSION "Sec-WebSocket-Protocol: http\r\n", 400},
    {"a subprotocol is spelt as it is",      "GET /ws",  UPGRADE KEY VERSION "Sec-WebSocket-Protocol: SENET.V1\r\n", 400},
    {"an upgrade by POST is refused",        "POST /ws", UPGRADE KEY VERSION PROTOCOL "Content-Length: 0\r\n", 405},
    {"another path is refused",              "GET /",    UPGRADE KEY VERSION PROTOCOL, 404},
    {"no key is refused",                    "GET /ws",  UPGRADE VERSION PROTOCOL, 400},
    {"a short key is refused",               "GET /ws",  UPGRADE "Sec-WebSocket-Key: abc\r\n" VERSION PROTOCOL, 400},
    {"no Connection: Upgrade is refused",    "GET /ws",  "Upgrade: websocket\r\n" KEY VERSION PROTOCOL, 400},
    {"h2c is no WebSocket",                  "GET /ws",  "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n", 426},
    {"HTTP/2 with prior knowledge is none",  "PRI *",    "", 400},
    {"a header said twice is not judged",    "GET /ws",  UPGRADE KEY VERSION PROTOCOL PROTOCOL, 400},
    {"a handshake has no body",              "GET /ws",  UPGRADE KEY VERSION PROTOCOL "Content-Length: 3\r\n", 400},
};
/* clang-format on */

static void every_wrong_handshake_is_refused(void **state)
{
    const struct net_process *running = *state;
    for (size_t i = 0; i < sizeof handshakes / sizeof *handshakes; i++) {
        const struct handshake *row = &handshakes[i];
        int status = socket_handshake_status(host, running->port, row->first_line, row->lines);
        if (status != row->status)
            fail_msg("%s: %d instead of %d", row->name, status, row->status);
    }
}

static void no_other_subprotocol_is_agreed_to(void **state)
{
    const struct net_process *running = *state;
    char answer[4096];
    int fd = socket_connect(host, running->port);
    static const char request[] = "GET /ws HTTP/1.1\r\nHost: test\r\n" UPGRADE KEY VERSION
                                  "Sec-WebSocket-Protocol: http, plain, senet.v1\r\n\r\n";
    socket_send(fd, request, sizeof request - 1);
    ssize_t got = recv(fd, answer, sizeof answer - 1, 0);
    assert_true(got > 0);
    answer[got] = '\0';
    assert_non_null(strstr(answer, " 101 "));
    assert_non_null(strstr(answer, "Protocol: senet.v1\r\n"));
    close(fd);
}

static void compression_is_not_agreed_to(void **state)
{
    const struct net_process *running = *state;
    char answer[4096];
    int fd = socket_connect(host, running->port);
    static const char request[] =
        "GET /ws HTTP/1.1\r\nHost: test\r\n" UPGRADE KEY VERSION PROTOCOL
        "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n";
    socket_send(fd, request, sizeof request - 1);
    ssize_t got = recv(fd, answer, sizeof answer - 1, 0);
    assert_true(got > 0);
    answer[got] = '\0';
    assert_non_null(strstr(answer, " 101 "));
    assert_non_null(strstr(answer, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
    assert_null(strstr(answer, "deflate"));
    close(fd);
}

static void origins_outside_of_the_list_are_refused(void **state)
{
    struct net_options options = net_process_options();
    options.origins = "https://senet.example, http://localhost:3000";
    struct net_process running = net_process_start(&options, serve);
    static const char first[] = "GET /ws";
    (void)state;
    assert_int_equal(socket_handshake_status(host, running.port, first,
                                             UPGRADE KEY VERSION PROTOCOL
                                             "Origin: http://localhost:3000\r\n"),
                     101);
    assert_int_equal(socket_handshake_status(host, running.port, first,
                                             UPGRADE KEY VERSION PROTOCOL
                                             "Origin: https://senet.example.evil.com\r\n"),
                     403);
    assert_int_equal(socket_handshake_status(host, running.port, first,
                                             UPGRADE KEY VERSION PROTOCOL "Origin: null\r\n"),
                     403);
    assert_int_equal(
        socket_handshake_status(host, running.port, first, UPGRADE KEY VERSION PROTOCOL), 101);
    net_process_stop(running);
}

static void a_binary_message_closes_with_1003(void **state)
{
    int fd = open_greeted(*state);
    socket_send_frame(fd, 0x82, "abc", 3);
    expect_close(fd, 1003);
}

static void a_message_that_is_not_utf8_closes_with_1007(void **state)
{
    static const char *const wrong[] = {"\xff",        "\xc0\xaf",         "\xed\xa0\x80",
                                        "abc\xe2\x99", "\xf4\x90\x80\x80", "12345678\x80"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int fd = open_greeted(*state);
        socket_send_text(fd, wrong[i]);
        expect_close(fd, 1007);
    }
}

static void a_character_may_be_split_between_fragments(void **state)
{
    int fd = open_greeted(*state);
    socket_send_frame(fd, 0x01, "\xe2", 1);
    socket_send_frame(fd, 0x00, "\x99", 1);
    socket_send_frame(fd, 0x80, "\x9e", 1);
    expect_text(fd, "\xe2\x99\x9e");
    close(fd);
}

static void fragments_are_put_together_and_pings_may_stand_between(void **state)
{
    int fd = open_greeted(*state);
    char part[3000];
    memset(part, 'p', sizeof part);
    socket_send_frame(fd, 0x01, part, sizeof part);
    socket_send_frame(fd, 0x89, "are you there", 13);
    socket_send_frame(fd, 0x00, "", 0);
    socket_send_frame(fd, 0x80, part, sizeof part);
    socket_read_frame(fd, &frame);
    assert_int_equal(frame.opcode, 10);
    assert_string_equal(frame.payload, "are you there");
    socket_read_message(fd, &frame);
    assert_int_equal(frame.length, 2 * sizeof part);
    close(fd);
}

static void the_largest_message_passes_and_one_byte_more_closes_with_1009(void **state)
{
    static char text[16 * 1024 + 1];
    memset(text, 'm', sizeof text);
    int fd = open_greeted(*state);
    socket_send_frame(fd, 0x81, text, sizeof text - 1);
    socket_read_message(fd, &frame);
    assert_int_equal(frame.length, sizeof text - 1);
    socket_send_frame(fd, 0x81, text, sizeof text);
    expect_close(fd, 1009);
}

static void many_fragments_that_are_too_much_together_close_with_1009(void **state)
{
    static char text[4096];
    memset(text, 'm', sizeof text);
    int fd = open_greeted(*state);
    for (int i = 0; i < 5; i++)
        socket_send_frame(fd, i == 0 ? 0x01 : 0x00, text, sizeof text);
    expect_close(fd, 1009);
}

static void a_declared_length_of_two_to_the_forty_closes_with_1009(void **state)
{
    static const unsigned char head[] = {0x81, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    int fd = open_greeted(*state);
    char some[2000];
    memset(some, 'x', sizeof some);
    socket_send(fd, head, sizeof head);
    socket_send(fd, some, sizeof some);
    expect_close(fd, 1009);
}

static void a_malformed_frame_closes_with_1002(void **state)
{
    static const unsigned char first_bytes[] = {0x83, 0xc1, 0x80, 0x09};
    for (size_t i = 0; i < sizeof first_bytes; i++) {
        int fd = open_greeted(*state);
        socket_send_frame(fd, first_bytes[i], "x", 1);
        socket_read_message(fd, &frame);
        assert_int_equal(frame.opcode, 8);
        assert_int_equal(frame.close_code, 1002);
        close(fd);
    }
}

/* What libwebsockets 4.1 does: it reads unmasked frames like others. Newer ones close with 1002. */
static void an_unmasked_frame_is_read_or_closes_with_1002(void **state)
{
    int fd = open_greeted(*state);
    socket_send(fd, "\x81\x04oops", 6);
    socket_read_message(fd, &frame);
    if (frame.opcode == 8)
        assert_int_equal(frame.close_code, 1002);
    else
        assert_string_equal(frame.payload, "oops");
    close(fd);
}

static void a_close_carries_code_and_reason_and_comes_after_what_was_queued(void **state)
{
    int fd = open_greeted(*state);
    socket_send_text(fd, "close 4001 this token is not ours");
    expect_text(fd, "first this");
    socket_read_message(fd, &frame);
    assert_int_equal(frame.opcode, 8);
    assert_int_equal(frame.close_code, 4001);
    assert_string_equal(frame.payload + 2, "this token is not ours");
    socket_send_frame(fd, 0x88, frame.payload, 2);
    socket_read_message(fd, &frame);
    assert_int_equal(frame.opcode, -1);
    close(fd);
}

/* The one that asks has come last, and is the last to be closed. */
static void peers_are_closed_some_at_a_time(void **state)
{
    enum { COUNT = 5 };
    struct net_options options = net_process_options();
    struct net_process process = net_process_start(&options, serve);
    int fds[COUNT];
    (void)state;
    for (int i = 0; i < COUNT; i++)
        fds[i] = net_process_greeted(&process, "hello");
    int last = fds[COUNT - 1];
    socket_send_text(last, "some 2");
    expect_text(last, "more");
    expect_close(fds[0], 1012);
    expect_close(fds[1], 1012);
    socket_send_text(fds[2], "still here");
    expect_text(fds[2], "still here");
    socket_send_text(last, "some 2");
    expect_text(last, "more");
    expect_close(fds[2], 1012);
    expect_close(fds[3], 1012);
    socket_send_text(last, "some 0");
    expect_text(last, "more");
    socket_send_text(last, "some 1");
    expect_close(last, 1012);
    for (int i = 0; i < COUNT; i++)
        close(fds[i]);
    net_process_stop(process);
}

static void a_client_that_closes_is_answered_with_its_code(void **state)
{
    int fd = open_greeted(*state);
    socket_send_frame(fd, 0x88, "\x03\xe9", 2);
    socket_read_message(fd, &frame);
    assert_int_equal(frame.opcode, 8);
    assert_int_equal(frame.close_code, 1001);
    socket_read_message(fd, &frame);
    assert_int_equal(frame.opcode, -1);
    close(fd);
}

static void replaceable_frames_keep_only_the_newest(void **state)
{
    int fd = open_greeted(*state);
    socket_send_text(fd, "replace 50");
    expect_text(fd, "newest 49");
    socket_send_text(fd, "after");
    expect_text(fd, "after");
    close(fd);
}

static void what_one_turn_queues_is_written_at_once(void **state)
{
    int fd = open_greeted(*state);
    socket_send_text(fd, "writes");
    socket_read_message(fd, &frame);
    int before = atoi(frame.payload);
    socket_send_text(fd, "burst");
    for (int i = 0; i < 100; i++)
        socket_read_message(fd, &frame);
    assert_string_equal(frame.payload, "burst 99");
    socket_send_text(fd, "writes");
    socket_read_message(fd, &frame);
    assert_int_equal(atoi(frame.payload), before + 2); /* the first answer, and the burst */
    close(fd);
}

static void a_slow_reader_gets_whole_frames_in_order_up_to_the_bound_and_then_drained(void **state)
{
    int fd = open_greeted(*state);
    struct timespec pause = {.tv_nsec = 50 * 1000 * 1000};
    socket_send_text(fd, "flood 1000 10000");
    nanosleep(&pause, NULL);
    int next = 0;
    for (;;) {
        socket_read_message(fd, &frame);
        assert_int_equal(frame.opcode, 1);
        if (strncmp(frame.payload, "drained", 7) == 0)
            break;
        assert_int_equal(frame.length, 10000);
        assert_int_equal(atoi(frame.payload), next);
        next++;
        if (next % 4 == 0)
            nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
    }
    char expected[64];
    snprintf(expected, sizeof expected, "drained after %d refused", 1000 - next);
    assert_string_equal(frame.payload, expected);
    assert_int_equal(next, OUTBOX_BYTES_MAX / 10000); /* one turn, nothing written between */
    socket_send_text(fd, "and on");
    expect_text(fd, "and on");
    close(fd);
}

static void a_frame_larger_than_a_write_arrives_whole(void **state)
{
    int fd = open_greeted(*state);
    socket_send_text(fd, "flood 1 900000");
    socket_read_message(fd, &frame);
    assert_int_equal(frame.length, 900000);
    assert_int_equal(strspn(frame.payload + 2, "x"), 900000 - 2);
    socket_send_text(fd, "flood 1000 10");
    for (int i = 0; i < 256; i++) {
        socket_read_message(fd, &frame);
        assert_int_equal(atoi(frame.payload), i);
    }
    expect_text(fd, "drained after 744 refused");
    close(fd);
}

static void a_peer_that_leaves_with_a_full_outbox_is_forgotten(void **state)
{
    const struct net_process *running = *state;
    for (int i = 0; i < 20; i++) {
        int fd = open_greeted(running);
        socket_send_text(fd, "flood 1000 10000");
        socket_read_message(fd, &frame);
        struct linger at_once = {.l_onoff = 1};
        if (i % 2 == 0)
            setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        close(fd);
    }
    a_message_is_answered(state);
}

static void pings_come_and_a_silent_peer_is_dropped(void **state)
{
    struct net_options options = net_process_options();
    options.heartbeat_ms = 1200; /* who answers may come late by as much: the machine may be busy */
    struct net_process running = net_process_start(&options, serve);
    (void)state;
    int silent = open_greeted(&running), answering = open_greeted(&running);
    for (int i = 0; i < 3; i++) {
        socket_read_frame(answering, &frame);
        assert_int_equal(frame.opcode, 9);
        socket_send_frame(answering, 0x8a, frame.payload, frame.length);
    }
    int pings = 0;
    for (socket_read_frame(silent, &frame); frame.opcode == 9; pings++)
        socket_read_frame(silent, &frame);
    assert_int_equal(frame.opcode, -1);
    assert_in_range(pings, 1, 3);
    socket_send_text(answering, "still here");
    expect_text(answering, "still here");
    close(silent);
    close(answering);
    net_process_stop(running);
}

static void expect_ping(int fd, struct socket_frame *ping)
{
    socket_read_frame(fd, ping);
    assert_int_equal(ping->opcode, 9);
}

/* One ping, in front of what is said; its own answer counts, once, and no other one. */
static void a_round_trip_is_measured(void **state)
{
    enum { AWAY_MS = 60 };
    static struct socket_frame ping;
    const struct timespec away = {.tv_nsec = AWAY_MS * 1000 * 1000};
    unsigned took;
    int fd = open_greeted(*state);
    socket_send_text(fd, "measure");
    expect_ping(fd, &ping);
    expect_text(fd, "measuring");
    ping.payload[ping.length - 1]++;
    socket_send_frame(fd, 0x8a, ping.payload, ping.length); /* another one's */
    ping.payload[ping.length - 1]--;
    socket_send_text(fd, "measure"); /* is being done */
    expect_text(fd, "measuring");
    nanosleep(&away, NULL);
    socket_send_frame(fd, 0x8a, ping.payload, ping.length);
    socket_send_frame(fd, 0x8a, ping.payload, ping.length);
    socket_send_text(fd, "once");
    socket_read_message(fd, &frame);
    assert_int_equal(sscanf(frame.payload, "took %u", &took), 1);
    assert_true(took >= AWAY_MS);
    expect_text(fd, "once");
    socket_send_text(fd, "measure");
    expect_ping(fd, &ping);
    close(fd);
}

/* More of them than a flood may be of what was not asked for. */
static void who_answers_pings_floods_nobody(void **state)
{
    static struct socket_frame ping;
    int fd = open_greeted(*state);
    for (int i = 0; i < 2000; i++) {
        socket_send_text(fd, "measure");
        expect_ping(fd, &ping);
        expect_text(fd, "measuring");
        socket_send_frame(fd, 0x8a, ping.payload, ping.length);
        socket_read_message(fd, &frame);
        assert_int_equal(strncmp(frame.payload, "took ", 5), 0);
    }
    close(fd);
}

static void who_reads_nothing_is_dropped_and_who_reads_slowly_is_not(void **state)
{
    struct net_options options = net_process_options();
    options.stalled_ms = 1500;   /* far more than a busy machine keeps us from reading */
    options.heartbeat_ms = 4000; /* looked at every second */
    struct net_process running = net_process_start(&options, serve);
    int small = 32 * 1024, slow = open_greeted(&running), stuck = open_greeted(&running);
    static char some[16 * 1024];
    size_t total = 0;
    ssize_t got;
    (void)state;
    setsockopt(slow, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    setsockopt(stuck, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    socket_send_text(slow, "flood 1 900000");
    socket_send_text(stuck, "flood 1 900000");
    /* Some 4 seconds, more than what is allowed without progress. The kernel says so after some 32 KB: in
     * smaller pieces a busy machine would be late with that. */
    for (int i = 0; i < 55; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 70 * 1000 * 1000}, NULL);
        got = recv(slow, some, sizeof some, MSG_DONTWAIT);
        total += got > 0 ? (size_t)got : 0;
    }
    while (total < 900000 && (got = recv(slow, some, sizeof some, 0)) > 0)
        total += (size_t)got;
    assert_true(total >= 900000);
    for (total = 0; (got = recv(stuck, some, sizeof some, 0)) > 0;)
        total += (size_t)got;
    assert_true(total < 900000);
    close(slow);
    close(stuck);
    net_process_stop(running);
}

static void an_address_has_its_limits(void **state)
{
    struct net_options options = net_process_options();
    options.limit_loopback = true;
    options.address_connections_max = 3;
    options.address_new_per_s = 4;
    struct net_process running = net_process_start(&options, serve);
    int fds[3];
    (void)state;
    for (int i = 0; i < 3; i++)
        fds[i] = open_greeted(&running);
    assert_int_equal(socket_handshake_status(host, running.port, "GET /ws", ""), 429);
    close(fds[0]);
    int again = -1;
    for (int i = 0; i < 3000 && again < 0; i++) { /* until it is seen that the first one has gone */
        nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
        again = socket_open_ws(host, running.port);
    }
    assert_true(again >= 0);
    close(again);
    close(fds[1]);
    close(fds[2]);
    nanosleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL);
    int refused = 0;
    for (int i = 0; i < 40; i++)
        refused +=
            socket_handshake_status(host, running.port, "GET /", "Connection: close\r\n") == 429;
    assert_in_range(refused, 1, 39); /* how many depends on how long the others take */
    net_process_stop(running);
}

static void a_trusted_proxy_says_whom_to_count(void **state)
{
    struct net_options options = net_process_options();
    options.trust_forwarded = true;
    options.address_connections_max = 1;
    struct net_process running = net_process_start(&options, serve);
    static const char lines[] = UPGRADE KEY VERSION PROTOCOL;
    char first[600], other[600], request[700];
    (void)state;
    snprintf(first, sizeof first, "%sX-Forwarded-For: 10.9.9.9, 203.0.113.7\r\n", lines);
    snprintf(other, sizeof other, "%sX-Forwarded-For: 203.0.113.7, 203.0.113.8\r\n", lines);
    int fd = socket_connect(host, running.port);
    snprintf(request, sizeof request, "GET /ws HTTP/1.1\r\nHost: test\r\n%s\r\n", first);
    socket_send(fd, request, strlen(request));
    assert_int_equal(recv(fd, request, 12, 0), 12);
    assert_memory_equal(request, "HTTP/1.1 101", 12);
    assert_int_equal(socket_handshake_status(host, running.port, "GET /ws", first), 429);
    assert_int_equal(socket_handshake_status(host, running.port, "GET /ws", other), 101);
    close(fd);
    net_process_stop(running);
}

static void more_than_all_connections_are_refused_with_503(void **state)
{
    struct net_options options = net_process_options();
    options.connections_max = 2;
    struct net_process running = net_process_start(&options, serve);
    (void)state;
    int a = open_greeted(&running), b = open_greeted(&running);
    assert_int_equal(socket_handshake_status(host, running.port, "GET /ws", ""), 503);
    close(a);
    close(b);
    net_process_stop(running);
}

static void the_bound_address_is_the_asked_one_only(void **state)
{
    const struct net_process *running = *state;
    (void)state;
    assert_int_equal(socket_connect("127.0.0.2", running->port), -1);
    assert_int_equal(socket_connect("::1", running->port), -1);
    struct net_options options = net_process_options();
    options.listen = "[::1]:0";
    struct net_process six = net_process_start(&options, serve);
    assert_int_equal(socket_connect("127.0.0.1", six.port), -1);
    int fd = socket_open_ws("::1", six.port);
    assert_true(fd >= 0);
    close(fd);
    net_process_stop(six);
    options.listen = "0.0.0.0:0";
    struct net_process all = net_process_start(&options, serve);
    fd = socket_open_ws("127.0.0.2", all.port);
    assert_true(fd >= 0);
    close(fd);
    net_process_stop(all);
}

static void a_taken_port_and_a_wrong_address_are_said_in_words(void **state)
{
    const struct net_process *running = *state;
    static const char *const wrong[] = {"8080", "127.0.0.1",  "nowhere:1",   "127.0.0.1:70000",
                                        "[::1", "127.0.0.1:", "127.0.0.1:-1"};
    struct net_options options = net_process_options();
    struct net_ports ports = {0};
    char words[200], listen[64];
    uv_loop_t loop;
    uv_loop_init(&loop);
    snprintf(listen, sizeof listen, "127.0.0.1:%d", running->port);
    options.listen = listen;
    assert_null(net_new(&loop, &options, &ports, words, sizeof words));
    assert_non_null(strstr(words, "in use"));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        options.listen = wrong[i];
        assert_null(net_new(&loop, &options, &ports, words, sizeof words));
        assert_non_null(strstr(words, "not an address"));
    }
    uv_loop_close(&loop);
}

/* --- HTTP ------------------------------------------------------------------------------------- */

static char answer[SOCKET_ANSWER_BYTES_MAX];

static int ask(const struct net_process *running, const char *first_line, const char *lines)
{
    static char request[64 * 1024];
    snprintf(request, sizeof request, "%s HTTP/1.1\r\nHost: test\r\nConnection: close\r\n%s\r\n",
             first_line, lines);
    return socket_http(host, running->port, request, answer, sizeof answer);
}

static void the_page_and_its_files_are_served(void **state)
{
    struct net_options options = net_process_options();
    struct files *files = files_new();
    char words[200], etag[64], lines[128];
    (void)state;
    assert_true(files_load(files, "server/web", "", false, words, sizeof words));
    assert_true(files_load(files, "games", "/games", true, words, sizeof words));
    files_seal(files);
    options.files = files;
    struct net_process running = net_process_start(&options, serve);
    assert_int_equal(ask(&running, "GET /index.html", ""), 200);
    assert_non_null(strstr(answer, "Content-Type: text/html"));
    assert_non_null(strstr(answer, "Content-Security-Policy: default-src 'none';"));
    assert_non_null(strstr(answer, "X-Content-Type-Options: nosniff"));
    assert_non_null(strstr(answer, "Referrer-Policy:"));
    const char *tag = strstr(answer, "ETag: ");
    assert_non_null(tag);
    assert_int_equal(sscanf(tag, "ETag: %63[^\r]", etag), 1);
    snprintf(lines, sizeof lines, "If-None-Match: %s\r\n", etag);
    assert_int_equal(ask(&running, "GET /index.html", lines), 304);
    assert_string_equal(strstr(answer, "\r\n\r\n"), "\r\n\r\n");
    assert_int_equal(ask(&running, "GET /index.html", "If-None-Match: \"another\"\r\n"), 200);
    assert_int_equal(ask(&running, "HEAD /index.html?seat=white", ""), 200);
    assert_string_equal(strstr(answer, "\r\n\r\n"), "\r\n\r\n");
    assert_int_equal(ask(&running, "GET /main.js", ""), 200);
    assert_non_null(strstr(answer, "Content-Type: text/javascript"));
    assert_int_equal(ask(&running, "GET /games/chess.json", ""), 404);
    net_process_stop(running);
    files_free(files);
}

static void what_is_not_there_is_not_found_however_it_is_asked(void **state)
{
    const struct net_process *running = *state;
    static const char *const paths[] = {
        "GET /nothing",       "GET /../../etc/passwd",       "GET /%2e%2e/%2e%2e/etc/passwd",
        "GET /games/../../x", "GET /games/..%2f..%2fREADME", "GET //etc/passwd"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        int status = ask(running, paths[i], "");
        if (status != 404 && status != 403)
            fail_msg("%s: %d", paths[i], status);
    }
}

static void what_is_no_plain_get_is_refused(void **state)
{
    const struct net_process *running = *state;
    static char uri[4096], cookie[9200];
    snprintf(uri, sizeof uri, "GET /%03000d", 1);
    snprintf(cookie, sizeof cookie, "Cookie: %09000d\r\n", 1);
    assert_int_equal(ask(running, "POST /", "Content-Length: 3\r\n\r\nabc"), 405);
    assert_non_null(strstr(answer, "Allow: GET, HEAD"));
    assert_int_equal(ask(running, "DELETE /", ""), 405);
    assert_int_equal(ask(running, "PUT /", "Content-Length: 0\r\n"), 405);
    assert_int_equal(ask(running, "GET /", "Content-Length: 3\r\n\r\nabc"), 400);
    assert_int_equal(ask(running, "GET /ws", ""), 426);
    assert_int_equal(ask(running, uri, ""), 414);
    assert_int_equal(ask(running, "GET /", cookie), 431);
    a_message_is_answered(state);
}

static void an_answer_larger_than_a_write_arrives_whole(void **state)
{
    assert_int_equal(ask(*state, "GET /api/v1/long", ""), 200);
    assert_non_null(strstr(answer, "Content-Length: 200000\r\n"));
    assert_int_equal(strlen(strstr(answer, "\r\n\r\n") + 4), 200000);
}

static void a_connection_is_kept_for_the_next_request(void **state)
{
    const struct net_process *running = *state;
    static const char request[] = "GET /nothing HTTP/1.1\r\nHost: test\r\n\r\n";
    int fd = socket_connect(host, running->port);
    for (int i = 0; i < 3; i++) {
        socket_send(fd, request, sizeof request - 1);
        ssize_t got = recv(fd, answer, 4096, 0);
        assert_true(got > 12);
        assert_memory_equal(answer, "HTTP/1.1 404", 12);
    }
    close(fd);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
#define NET_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        NET_TEST(a_message_is_answered),
        NET_TEST(every_wrong_handshake_is_refused),
        NET_TEST(no_other_subprotocol_is_agreed_to),
        NET_TEST(compression_is_not_agreed_to),
        cmocka_unit_test(origins_outside_of_the_list_are_refused),
        NET_TEST(a_binary_message_closes_with_1003),
        NET_TEST(a_message_that_is_not_utf8_closes_with_1007),
        NET_TEST(a_character_may_be_split_between_fragments),
        NET_TEST(fragments_are_put_together_and_pings_may_stand_between),
        NET_TEST(the_largest_message_passes_and_one_byte_more_closes_with_1009),
        NET_TEST(many_fragments_that_are_too_much_together_close_with_1009),
        NET_TEST(a_declared_length_of_two_to_the_forty_closes_with_1009),
        NET_TEST(a_malformed_frame_closes_with_1002),
        NET_TEST(an_unmasked_frame_is_read_or_closes_with_1002),
        NET_TEST(a_close_carries_code_and_reason_and_comes_after_what_was_queued),
        NET_TEST(peers_are_closed_some_at_a_time),
        NET_TEST(a_client_that_closes_is_answered_with_its_code),
        NET_TEST(replaceable_frames_keep_only_the_newest),
        NET_TEST(what_one_turn_queues_is_written_at_once),
        NET_TEST(a_slow_reader_gets_whole_frames_in_order_up_to_the_bound_and_then_drained),
        NET_TEST(a_frame_larger_than_a_write_arrives_whole),
        NET_TEST(a_peer_that_leaves_with_a_full_outbox_is_forgotten),
        NET_TEST(a_round_trip_is_measured),
        NET_TEST(who_answers_pings_floods_nobody),
        cmocka_unit_test(pings_come_and_a_silent_peer_is_dropped),
        cmocka_unit_test(who_reads_nothing_is_dropped_and_who_reads_slowly_is_not),
        cmocka_unit_test(an_address_has_its_limits),
        cmocka_unit_test(a_trusted_proxy_says_whom_to_count),
        cmocka_unit_test(more_than_all_connections_are_refused_with_503),
        NET_TEST(the_bound_address_is_the_asked_one_only),
        NET_TEST(a_taken_port_and_a_wrong_address_are_said_in_words),
        cmocka_unit_test(the_page_and_its_files_are_served),
        NET_TEST(what_is_not_there_is_not_found_however_it_is_asked),
        NET_TEST(what_is_no_plain_get_is_refused),
        NET_TEST(an_answer_larger_than_a_write_arrives_whole),
        NET_TEST(a_connection_is_kept_for_the_next_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
