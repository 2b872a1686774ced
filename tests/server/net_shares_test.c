/* Many addresses of this machine at one network: who gives way when it is full, and what those cost who send what nobody
 * asked for, or read nothing. */
#include "tests/support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "server/net/net.h"
#include "server/net/shares.h"
#include "tests/server/net_support.h"
#include "tests/server/socket.h"

/* --- the server under test -------------------------------------------------------------------- */

enum { MARKED_MAX = 256 };

struct server {
    struct net_served served;
    peer_id players[MARKED_MAX];
    int player_count;
};

static void on_opened(void *context, peer_id peer, const struct core_address *address)
{
    (void)address;
    net_process_say(context, peer, "hello", 5);
}

static void on_said(void *context, peer_id peer, const char *text, size_t length)
{
    struct server *server = context;
    static char much[200 * 1024];
    if (length == 4 && memcmp(text, "play", 4) == 0)
        server->players[server->player_count++] = peer;
    if (length == 5 && memcmp(text, "close", 5) == 0)
        net_close(server->served.net, peer, 4008, "closed");
    if (length == 4 && memcmp(text, "much", 4) == 0)
        net_process_say(&server->served, peer, memset(much, 'm', sizeof much), sizeof much);
    net_process_say(&server->served, peer, text, length);
}

static bool on_plays(void *context, peer_id peer)
{
    const struct server *server = context;
    for (int i = 0; i < server->player_count; i++)
        if (server->players[i] == peer)
            return true;
    return false;
}

static enum net_reply on_request(void *context, const struct net_request *request,
                                 struct net_answer *answer)
{
    (void)context;
    if (strcmp(request->path, "/healthz") != 0)
        return NET_NOT_HERE;
    answer->status = 200;
    return NET_ANSWERED;
}

static void serve(const struct net_options *options, int ready_fd)
{
    struct server server = {.player_count = 0};
    struct net_ports ports = net_process_ports(&server);
    ports.opened = on_opened;
    ports.said = on_said;
    ports.request = on_request;
    ports.plays = on_plays;
    net_process_open(&server.served, options, &ports);
    net_process_serve(&server.served, ready_fd);
}

/* --- the test's side -------------------------------------------------------------------------- */

static const char *const host = "127.0.0.1";
static struct socket_frame frame; /* a megabyte: not for the stack */

enum { PLACES = 128, FOR_ALL = PLACES - PLACES / NET_RESERVE_PART };

static struct net_process start_small(void)
{
    struct net_options options = net_process_options();
    options.limit_loopback = true;
    options.connections_max = PLACES;
    options.reserve_ms = 1000;
    options.address_new_per_s = 1000;
    return net_process_start(&options, serve);
}

static int open_from(const struct net_process *running, const char *address)
{
    socket_come_from(address);
    int fd = socket_open_ws(host, running->port);
    socket_come_from(NULL);
    if (fd >= 0)
        socket_read_message(fd, &frame);
    return fd;
}

static void play(int fd)
{
    socket_send_text(fd, "play");
    socket_read_message(fd, &frame);
    assert_string_equal(frame.payload, "play");
}

/* Whether it is still there; if not, it was told why. */
static bool is_served(int fd)
{
    socket_send_text(fd, "there?");
    socket_read_message(fd, &frame);
    if (frame.opcode != 8)
        return true;
    assert_int_equal(frame.close_code, 1013);
    return false;
}

static int health_from(const struct net_process *running, const char *address)
{
    char answer[500];
    socket_come_from(address);
    int status = socket_http(host, running->port,
                             "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                             answer, sizeof answer);
    socket_come_from(NULL);
    return status;
}

static void close_all(const int *fds, int count)
{
    for (int i = 0; i < count; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

static void who_has_most_gives_way(void **state)
{
    struct net_process running = start_small();
    int greedy[FOR_ALL], others[6], gone = 0;
    (void)state;
    for (int i = 0; i < FOR_ALL; i++) {
        greedy[i] = open_from(&running, "127.0.0.2");
        assert_true(greedy[i] >= 0);
        if (i < 20)
            play(greedy[i]);
    }
    socket_come_from("127.0.0.2");
    assert_int_equal(socket_handshake_status(host, running.port, "GET /ws", ""), 503);
    socket_come_from(NULL);
    assert_int_equal(health_from(&running, "127.0.0.3"), 200);
    for (int i = 0; i < 6; i++) {
        char address[20];
        snprintf(address, sizeof address, "127.0.0.%d", 10 + i);
        others[i] = open_from(&running, address);
        assert_true(others[i] >= 0);
    }
    for (int i = 0; i < 6; i++)
        assert_true(is_served(others[i]));
    for (int i = 0; i < FOR_ALL; i++) {
        bool served = is_served(greedy[i]);
        assert_true(served || i >= 20); /* those who play stay */
        gone += !served;
    }
    assert_int_equal(gone, 7); /* for the six, and for the health check */
    close_all(greedy, FOR_ALL);
    close_all(others, 6);
    net_process_stop(running);
}

/* Each of them has his share, so nobody gives way; the reserve is for those who come back to a game. */
static void the_reserve_is_for_players_and_health_checks(void **state)
{
    struct net_process running = start_small();
    int crowd[FOR_ALL];
    char address[20], answer[500];
    (void)state;
    for (int i = 0; i < FOR_ALL; i++) {
        snprintf(address, sizeof address, "127.0.1.%d", 1 + i);
        crowd[i] = open_from(&running, address);
        assert_true(crowd[i] >= 0);
        play(crowd[i]);
    }
    assert_int_equal(health_from(&running, "127.0.2.1"), 200);
    socket_come_from("127.0.2.2");
    assert_int_equal(
        socket_http(host, running.port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", answer, sizeof answer),
        503);
    socket_come_from(NULL);
    int player = open_from(&running, "127.0.2.3"), visitor = open_from(&running, "127.0.2.4");
    assert_true(player >= 0 && visitor >= 0);
    play(player);
    do
        socket_read_frame(visitor, &frame);
    while (frame.opcode == 9 || frame.opcode == 1);
    assert_int_equal(frame.opcode, 8);
    assert_int_equal(frame.close_code, 1013);
    assert_true(is_served(player));
    for (int i = 0; i < FOR_ALL; i++)
        assert_true(is_served(crowd[i]));
    close(player), close(visitor);
    close_all(crowd, FOR_ALL);
    net_process_stop(running);
}

/* Sockets that never say anything take no place from anybody, and hold none in the reserve. */
static void silent_sockets_keep_nobody_out(void **state)
{
    struct net_process running = start_small();
    int silent[PLACES * 2];
    (void)state;
    for (int i = 0; i < PLACES * 2; i++) {
        socket_come_from(i % 2 == 0 ? "127.0.0.2" : "127.0.0.3");
        silent[i] = socket_connect(host, running.port);
    }
    assert_int_equal(health_from(&running, "127.0.0.4"), 200);
    int honest = open_from(&running, "127.0.0.4");
    assert_true(honest >= 0 && is_served(honest));
    close(honest);
    close_all(silent, PLACES * 2);
    net_process_stop(running);
}

/* --- patience --------------------------------------------------------------------------------- */

/* A head within 200 ms; for the first byte there is more than a minute. */
static struct net_process start_patient(void)
{
    struct net_options options = net_process_options();
    options.connections_max = PLACES;
    options.head_within_ms = 200;
    options.heartbeat_ms = 400; /* and is looked at so often */
    return net_process_start(&options, serve);
}

/* A request on a connection that stays; whether it was answered. */
static bool is_answered(int fd)
{
    static const char request[] = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
    char answer[2000];
    size_t used = 0;
    send(fd, request, sizeof request - 1, MSG_NOSIGNAL);
    do {
        ssize_t got = recv(fd, answer + used, sizeof answer - 1 - used, 0);
        if (got <= 0)
            return false;
        used += (size_t)got;
        answer[used] = '\0';
    } while (strstr(answer, "\r\n\r\n") == NULL);
    return strncmp(answer, "HTTP/1.1 200 ", 13) == 0;
}

/* By the server, and without a word. */
static void assert_closed(int fd)
{
    char byte;
    ssize_t got = recv(fd, &byte, 1, 0);
    assert_true(got == 0 || (got < 0 && errno == ECONNRESET));
    close(fd);
}

static void who_connects_ahead_is_waited_for(void **state)
{
    struct net_process running = start_patient();
    int ahead = socket_connect(host, running.port), used = socket_connect(host, running.port);
    (void)state;
    assert_true(is_answered(used));
    assert_closed(used); /* which came later, and has been idle for less */
    assert_true(is_answered(ahead));
    assert_closed(ahead); /* from now on it is as all others */
    net_process_stop(running);
}

/* Neither who stops in the middle of a head nor who goes on for ever. */
static void who_has_begun_is_not_waited_for(void **state)
{
    static const char head[] = "GET /healthz HTTP/1.1\r\nHost: x\r\n";
    struct net_process running = start_patient();
    int stopped = socket_connect(host, running.port), dripping = socket_connect(host, running.port);
    bool is_over = false;
    (void)state;
    socket_send(stopped, head, sizeof head - 1);
    socket_send(dripping, head, sizeof head - 1);
    for (int i = 0; i < 500 && !is_over; i++) {
        is_over = send(dripping, "x", 1, MSG_NOSIGNAL) < 0;
        nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
    }
    assert_true(is_over);
    close(dripping);
    assert_closed(stopped);
    net_process_stop(running);
}

static void where_places_are_few_nobody_is_waited_for(void **state)
{
    struct net_process running = start_patient();
    int ahead[FOR_ALL / 2 + 1];
    int count = sizeof ahead / sizeof *ahead;
    (void)state;
    for (int i = 0; i < count; i++)
        ahead[i] = socket_connect(host, running.port);
    assert_closed(ahead[0]); /* before all others, and while there are so many */
    close_all(ahead + 1, count - 1);
    net_process_stop(running);
}

/* --- floods ----------------------------------------------------------------------------------- */

enum { FLOOD_BYTES_MAX = 512 * 1024 * 1024, WAIT_MS = 10, WAITS_MAX = 100 };

/* True when the other side takes no more for a second; false when the connection ends, or never stops to take. */
static bool push(int fd, const unsigned char *bytes, size_t length)
{
    size_t pushed = 0;
    int waits = 0;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    while (waits < WAITS_MAX && pushed < FLOOD_BYTES_MAX) {
        ssize_t sent = send(fd, bytes + pushed % length, length - pushed % length, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN)
            return false;
        if (sent < 0)
            nanosleep(&(struct timespec){.tv_nsec = WAIT_MS * 1000000L}, NULL);
        waits = sent < 0 ? waits + 1 : 0;
        pushed += sent < 0 ? 0 : (size_t)sent;
    }
    return waits == WAITS_MAX;
}

static size_t many_frames(unsigned char first_byte, size_t payload, unsigned char *bytes,
                          size_t size)
{
    size_t used = 0;
    while (used + 6 + payload <= size) {
        bytes[used] = first_byte;
        bytes[used + 1] = (unsigned char)(0x80 | payload);
        memset(bytes + used + 2, 0, 4 + payload);
        used += 6 + payload;
    }
    return used;
}

static unsigned char flood[60000];

/* Long before the connection is cut off. */
static void who_was_closed_is_not_read_for_long(void **state)
{
    struct net_process running = start_small();
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        int fd = open_from(&running, "127.0.0.2");
        size_t length = many_frames(kind == 0 ? 0x81 : 0x89, 20, flood, sizeof flood);
        socket_send_text(fd, "close");
        assert_true(push(fd, flood, length));
        close(fd);
    }
    net_process_stop(running);
}

static void too_many_control_frames_close_with_1008(void **state)
{
    static const unsigned char kinds[] = {0x89, 0x8a}; /* pings; pongs nobody asked for */
    struct net_process running = start_small();
    (void)state;
    for (size_t i = 0; i < sizeof kinds; i++) {
        int fd = open_from(&running, "127.0.0.2");
        size_t length = many_frames(kinds[i], 0, flood, sizeof flood);
        push(fd, flood, length);
        fcntl(fd, F_SETFL, 0);
        do
            socket_read_frame(fd, &frame);
        while (frame.opcode == 10 || frame.opcode == 9);
        assert_int_equal(frame.opcode, 8);
        assert_int_equal(frame.close_code, 1008);
        close(fd);
    }
    net_process_stop(running);
}

/* A client that pings now and then, and one whose messages come faster than they are read, do nothing wrong. */
static void messages_and_some_pings_are_no_flood(void **state)
{
    struct net_process running = start_small();
    size_t messages = many_frames(0x81, 100, flood, sizeof flood);
    int fd = open_from(&running, "127.0.0.2"), echoed = 0, sent = (int)(messages / 106);
    (void)state;
    for (int round = 0; round < 12; round++) {
        for (int i = 0; i < 20; i++)
            socket_send_frame(fd, 0x89, "are you there", 13);
        socket_send(fd, flood, messages);
        for (echoed = 0; echoed < sent; echoed += frame.opcode == 1) {
            socket_read_frame(fd, &frame);
            assert_true(frame.opcode == 1 || frame.opcode == 10 || frame.opcode == 9);
        }
        nanosleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL);
    }
    assert_true(is_served(fd));
    close(fd);
    net_process_stop(running);
}

/* Who takes a byte now and then is deaf as well. */
static void who_reads_next_to_nothing_is_dropped(void **state)
{
    struct net_options options = net_process_options();
    options.stalled_ms = 1000;
    options.heartbeat_ms = 400; /* and is looked at so often */
    struct net_process running = net_process_start(&options, serve);
    int size = 4096, fd = socket(AF_INET, SOCK_STREAM, 0);
    char byte;
    (void)state;
    close(fd);
    fd = open_from(&running, NULL);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    for (int i = 0; i < 100; i++)
        socket_send_text(fd, "much");
    bool ended = false;
    for (int i = 0; i < 200 && !ended; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
        ended = recv(fd, &byte, 1, 0) != 1;
        ended |= send(fd, "\x8a\x80\0\0\0\0", 6, MSG_NOSIGNAL) < 0; /* it is there, it says */
    }
    assert_true(ended);
    close(fd);
    net_process_stop(running);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_has_most_gives_way),
        cmocka_unit_test(the_reserve_is_for_players_and_health_checks),
        cmocka_unit_test(silent_sockets_keep_nobody_out),
        cmocka_unit_test(who_connects_ahead_is_waited_for),
        cmocka_unit_test(who_has_begun_is_not_waited_for),
        cmocka_unit_test(where_places_are_few_nobody_is_waited_for),
        cmocka_unit_test(who_was_closed_is_not_read_for_long),
        cmocka_unit_test(too_many_control_frames_close_with_1008),
        cmocka_unit_test(messages_and_some_pings_are_no_flood),
        cmocka_unit_test(who_reads_next_to_nothing_is_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
