/* Answers without an end, from the outside: lines as they are said, blank ones where nothing is, readers that do not read or go. */
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

enum { LINE_BYTES = 4000, HEARTBEAT_MS = 200, STALLED_MS = 600, PATIENT_MS = 120000 };

/* --- the server under test -------------------------------------------------------------------- */

struct server {
    struct net_served served;
    uv_timer_t timer;
    struct net_stream *flood; /* whose reader was too slow, until he has drained it */
    uint64_t late;            /* a ticket whose stream begins with the timer; 0: none */
    int sent, gone_count, drained_count;
};

static enum send_result say_line(struct net_stream *stream, const char *text, size_t length)
{
    struct frame *frame = frame_new(text, length);
    enum send_result result = net_stream_send(stream, frame);
    frame_release(frame);
    return result;
}

static void answer_numbers(const struct server *server, struct net_answer *answer)
{
    struct net_statistics statistics;
    net_read_statistics(server->served.net, &statistics);
    answer->body = malloc(200);
    answer->status = 200;
    answer->content_type = "text/plain";
    answer->length =
        (size_t)snprintf(answer->body, 200, "streams %d gone %d drained %d sent %d exchanges %d",
                         (int)statistics.streams, server->gone_count, server->drained_count,
                         server->sent, (int)statistics.exchanges);
}

static void flood(struct server *server, struct net_stream *stream)
{
    static char line[LINE_BYTES];
    memset(line, 'x', sizeof line);
    server->sent = 0;
    while (say_line(stream, line, sizeof line) == SEND_QUEUED)
        server->sent++;
    server->flood = stream;
}

static enum net_reply on_request(void *context, const struct net_request *request,
                                 struct net_answer *answer)
{
    struct server *server = context;
    if (strcmp(request->path, "/numbers") == 0) {
        answer_numbers(server, answer);
        return NET_ANSWERED;
    }
    if (strcmp(request->path, "/late") == 0) {
        server->late = request->ticket;
        return NET_LATER;
    }
    if (strcmp(request->path, "/quiet") != 0 && strcmp(request->path, "/flood") != 0 &&
        strcmp(request->path, "/end") != 0)
        return NET_NOT_HERE;
    struct net_stream *stream =
        net_stream_begin(server->served.net, request->ticket, request->ticket | UINT64_C(1) << 62);
    say_line(stream, "{\"first\":1}", 11);
    if (strcmp(request->path, "/flood") == 0)
        flood(server, stream);
    if (strcmp(request->path, "/end") == 0)
        net_stream_end(stream);
    return NET_STREAMS;
}

static void on_drained(void *context, peer_id peer)
{
    struct server *server = context;
    if (peer >> 62 != 1 || server->flood == NULL)
        abort();
    server->drained_count++;
    say_line(server->flood, "drained", 7);
    net_stream_end(server->flood);
    server->flood = NULL;
}

static void on_gone(void *context, peer_id peer)
{
    struct server *server = context;
    if (peer >> 62 != 1)
        abort();
    server->gone_count++;
    server->flood = NULL;
}

static void on_timer(uv_timer_t *timer)
{
    struct server *server = timer->data;
    if (server->late == 0)
        return;
    struct net_stream *stream =
        net_stream_begin(server->served.net, server->late, server->late | UINT64_C(1) << 62);
    if (stream != NULL)
        say_line(stream, "late", 4);
    server->late = 0;
}

static void serve(const struct net_options *options, int ready_fd)
{
    static struct server server;
    struct net_ports ports = net_process_ports(&server);
    ports.request = on_request;
    ports.drained = on_drained;
    ports.gone = on_gone;
    net_process_open(&server.served, options, &ports);
    uv_timer_init(&server.served.loop, &server.timer);
    server.timer.data = &server;
    server.served.also = (uv_handle_t *)&server.timer;
    uv_timer_start(&server.timer, on_timer, 100, 100);
    net_process_serve(&server.served, ready_fd);
}

/* --- the test's side -------------------------------------------------------------------------- */

static const char *const host = "127.0.0.1";

static int start(void **state, uint32_t stalled_ms)
{
    static struct net_process running;
    struct net_options options = net_process_options();
    options.heartbeat_ms = HEARTBEAT_MS;
    options.stalled_ms = stalled_ms;
    running = net_process_start(&options, serve);
    *state = &running;
    return 0;
}

static int setup(void **state)
{
    return start(state, PATIENT_MS);
}

static int setup_impatient(void **state)
{
    return start(state, STALLED_MS);
}

static int teardown(void **state)
{
    const struct net_process *running = *state;
    net_process_stop(*running);
    return 0;
}

static char text[1024 * 1024];

/* Until it has come, or the connection is over. */
static bool read_until(int fd, const char *wanted)
{
    size_t used = 0;
    text[0] = '\0';
    while (strstr(text, wanted) == NULL) {
        ssize_t got = recv(fd, text + used, sizeof text - 1 - used, 0);
        if (got <= 0)
            return false;
        used += (size_t)got;
        text[used] = '\0';
    }
    return true;
}

/* Little has room on its way to him. */
static int ask(const struct net_process *running, const char *path, const char *version)
{
    char request[200];
    int few = 32768, fd = socket_connect(host, running->port);
    assert_true(fd >= 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &few, sizeof few);
    snprintf(request, sizeof request, "GET %s %s\r\nHost: test\r\n\r\n", path, version);
    socket_send(fd, request, strlen(request));
    return fd;
}

static void expect_numbers(const struct net_process *running, const char *wanted)
{
    static char answer[SOCKET_ANSWER_BYTES_MAX];
    for (int i = 0; i < 1200; i++) {
        socket_http(host, running->port,
                    "GET /numbers HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n", answer,
                    sizeof answer);
        if (strstr(answer, wanted) != NULL)
            return;
        nanosleep(&(struct timespec){0, 50 * 1000000}, NULL);
    }
    fail_msg("%s instead of %s", answer, wanted);
}

static void lines_come_without_an_end(void **state)
{
    int fd = ask(*state, "/quiet", "HTTP/1.1");
    assert_true(read_until(fd, "{\"first\":1}\n"));
    assert_int_equal(memcmp(text, "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n", 52),
                     0);
    assert_null(strstr(text, "Content-Length"));
    assert_non_null(strstr(text, "\r\nConnection: close\r\n"));
    expect_numbers(*state, "streams 1 gone 0 drained 0 sent 0 exchanges 1");
    assert_true(read_until(fd, "\n\n")); /* and blank ones */
    close(fd);
    expect_numbers(*state, "streams 0 gone 1");
}

static void a_stream_may_begin_later(void **state)
{
    int fd = ask(*state, "/late", "HTTP/1.0");
    assert_true(read_until(fd, "\r\n\r\nlate\n"));
    close(fd);
    expect_numbers(*state, "streams 0 gone 1");
}

static void who_has_gone_before_it_begins_is_forgotten(void **state)
{
    int fd = ask(*state, "/late", "HTTP/1.1");
    shutdown(fd, SHUT_RDWR);
    close(fd);
    expect_numbers(*state, "streams 0");
}

static void the_end_comes_behind_the_last_line(void **state)
{
    int fd = ask(*state, "/end", "HTTP/1.1");
    assert_false(read_until(fd, "no such line"));
    assert_non_null(strstr(text, "\r\n\r\n{\"first\":1}\n"));
    close(fd);
    expect_numbers(*state, "streams 0 gone 1");
}

static size_t count_lines(void)
{
    size_t count = 0;
    for (const char *at = strstr(text, "\r\n\r\n") + 4; (at = strchr(at, '\n')) != NULL; at++)
        count++;
    return count;
}

/* What he is told is bounded, and all of it is there when he has read it. */
static void a_slow_reader_gets_every_line_that_was_taken(void **state)
{
    char wanted[64];
    int fd = ask(*state, "/flood", "HTTP/1.1");
    assert_false(read_until(fd, "no such line"));
    size_t lines = count_lines();
    assert_true(lines > 20 && lines < 256);
    assert_non_null(strstr(text, "x\ndrained\n"));
    snprintf(wanted, sizeof wanted, "streams 0 gone 1 drained 1 sent %d", (int)lines - 2);
    expect_numbers(*state, wanted);
    close(fd);
}

static void who_reads_nothing_is_dropped(void **state)
{
    int fd = ask(*state, "/flood", "HTTP/1.1");
    expect_numbers(*state, "streams 0 gone 1 drained 0");
    close(fd);
}

/* Nothing he sends is read, and he may send what he likes. */
static void what_is_sent_behind_the_request_is_not_read(void **state)
{
    static char more[64 * 1024];
    int fd = ask(*state, "/quiet", "HTTP/1.1");
    memset(more, 'y', sizeof more);
    assert_true(read_until(fd, "{\"first\":1}\n"));
    send(fd, more, sizeof more, MSG_DONTWAIT | MSG_NOSIGNAL);
    assert_true(read_until(fd, "\n\n"));
    expect_numbers(*state, "streams 1 gone 0");
    close(fd);
    expect_numbers(*state, "streams 0 gone 1");
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
#define STREAM_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        STREAM_TEST(lines_come_without_an_end),
        STREAM_TEST(a_stream_may_begin_later),
        STREAM_TEST(who_has_gone_before_it_begins_is_forgotten),
        STREAM_TEST(the_end_comes_behind_the_last_line),
        STREAM_TEST(a_slow_reader_gets_every_line_that_was_taken),
        cmocka_unit_test_setup_teardown(who_reads_nothing_is_dropped, setup_impatient, teardown),
        STREAM_TEST(what_is_sent_behind_the_request_is_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
