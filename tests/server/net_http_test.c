/* HTTP of the network folder, from the outside: a process of its own answers at once, later or never, and raw sockets
 * ask it, also wrongly. */
#include "tests/support/test.h"

#include <poll.h>
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

enum {
    ECHO_BYTES_MAX = 1000,
    LARGE_BYTES_MAX = 1024 * 1024,
    LATE_BYTES = 4 * 1024 * 1024,
    WAITING_MAX = 2048
};

/* --- the server under test -------------------------------------------------------------------- */

struct server {
    struct net_served served;
    uv_timer_t timer;
    bool large[WAITING_MAX];
    uint64_t waiting[WAITING_MAX]; /* tickets of /later, answered by the timer */
    int waiting_count, answered_count, in_vain_count;
};

static void answer_text(struct net_answer *answer, int status, const char *text)
{
    answer->status = status;
    answer->content_type = "text/plain";
    answer->length = strlen(text);
    answer->body = strdup(text);
}

static size_t on_body_max(void *context, enum net_method method, const char *path)
{
    (void)context;
    if (method != NET_POST)
        return 0;
    if (strcmp(path, "/large") == 0)
        return LARGE_BYTES_MAX;
    return strcmp(path, "/echo") == 0 || strcmp(path, "/later") == 0 ? ECHO_BYTES_MAX : 0;
}

static void answer_echo(const struct net_request *request, struct net_answer *answer)
{
    char text[ECHO_BYTES_MAX + 600], custom[100], type[100], choice[20];
    bool has_custom = net_request_header(request, "browser_id", custom, sizeof custom);
    net_request_header(request, "content-type", type, sizeof type);
    net_request_query(request, "choice", choice, sizeof choice);
    snprintf(text, sizeof text, "%d %s|%s|%s|%s|%s|%zu", (int)request->method, request->path,
             has_custom ? custom : "none", type, choice, request->body, request->length);
    answer_text(answer, 200, text);
    snprintf(answer->headers, sizeof answer->headers, "X-One: 1\r\nX-Two: 2\r\n");
}

static void answer_numbers(const struct server *server, struct net_answer *answer)
{
    char text[200];
    struct net_statistics statistics;
    net_read_statistics(server->served.net, &statistics);
    snprintf(text, sizeof text, "exchanges %d bodies %d answered %d in vain %d",
             (int)statistics.exchanges, (int)statistics.bodies_bytes, server->answered_count,
             server->in_vain_count);
    answer_text(answer, 200, text);
}

static enum net_reply on_request(void *context, const struct net_request *request,
                                 struct net_answer *answer)
{
    struct server *server = context;
    char words[64];
    if (request->too_long) {
        answer_text(answer, 413, "in words of the owner");
    } else if (strcmp(request->path, "/later") == 0 || strcmp(request->path, "/later/large") == 0) {
        server->large[server->waiting_count] = request->path[6] != '\0';
        server->waiting[server->waiting_count++] = request->ticket;
        return NET_LATER;
    } else if (strcmp(request->path, "/never") == 0) {
        return NET_LATER;
    } else if (strcmp(request->path, "/large") == 0) {
        snprintf(words, sizeof words, "%zu", request->length);
        answer_text(answer, 200, words);
    } else if (strcmp(request->path, "/tagged") == 0) {
        answer_text(answer, 200, "tagged");
        snprintf(answer->etag, sizeof answer->etag, "W/\"6-abc\"");
    } else if (strcmp(request->path, "/nothing") == 0) {
        answer->status = 204;
    } else if (strcmp(request->path, "/numbers") == 0) {
        answer_numbers(server, answer);
    } else if (strncmp(request->path, "/echo", 5) == 0) {
        answer_echo(request, answer);
    } else {
        return NET_NOT_HERE;
    }
    return NET_ANSWERED;
}

static void on_timer(uv_timer_t *timer)
{
    struct server *server = timer->data;
    for (int i = 0; i < server->waiting_count; i++) {
        struct net_answer answer = {0};
        answer_text(&answer, 200, "later");
        if (server->large[i]) {
            answer.length = LATE_BYTES;
            answer.body = realloc(answer.body, LATE_BYTES);
            memset(answer.body, 'l', LATE_BYTES);
        }
        if (net_respond(server->served.net, server->waiting[i], &answer))
            server->answered_count++;
        else
            server->in_vain_count++;
        struct net_answer second = {0};
        answer_text(&second, 200, "twice");
        if (net_respond(server->served.net, server->waiting[i], &second))
            abort(); /* nobody waits a second time */
    }
    server->waiting_count = 0;
}

/* All but one path are for everybody. */
static bool on_any_origin(void *context, const char *path)
{
    (void)context;
    return strcmp(path, "/echo") != 0;
}

static void serve(const struct net_options *options, int ready_fd)
{
    static struct server server;
    struct net_ports ports = net_process_ports(&server);
    ports.body_max = on_body_max;
    ports.request = on_request;
    ports.any_origin = on_any_origin;
    net_process_open(&server.served, options, &ports);
    uv_timer_init(&server.served.loop, &server.timer);
    server.timer.data = &server;
    server.served.also = (uv_handle_t *)&server.timer;
    uv_timer_start(&server.timer, on_timer, 100, 100);
    net_process_serve(&server.served, ready_fd);
}

/* --- the test's side -------------------------------------------------------------------------- */

static const char *const host = "127.0.0.1";

static int setup(void **state)
{
    static struct net_process running;
    struct net_options options = net_process_options();
    options.body_within_ms = 3000;
    options.answer_within_ms = 3000;
    running = net_process_start(&options, serve);
    *state = &running;
    return 0;
}

static int teardown(void **state)
{
    const struct net_process *running = *state;
    net_process_stop(*running);
    return 0;
}

static char answer[SOCKET_ANSWER_BYTES_MAX];

/* `lines` may go on behind the empty line with the body. */
static int ask(const struct net_process *running, const char *first_line, const char *lines)
{
    static char request[64 * 1024];
    snprintf(request, sizeof request, "%s HTTP/1.1\r\nHost: test\r\nConnection: close\r\n%s\r\n",
             first_line, lines);
    return socket_http(host, running->port, request, answer, sizeof answer);
}

static const char *body_of_answer(void)
{
    const char *end = strstr(answer, "\r\n\r\n");
    return end == NULL ? "" : end + 4;
}

/* Until the text has come, or the connection is over. */
static bool read_until(int fd, const char *text)
{
    size_t used = 0;
    answer[0] = '\0';
    while (strstr(answer, text) == NULL) {
        ssize_t got = recv(fd, answer + used, sizeof answer - 1 - used, 0);
        if (got <= 0)
            return false;
        used += (size_t)got;
        answer[used] = '\0';
    }
    return true;
}

static int connect_and_say(const struct net_process *running, const char *text)
{
    int fd = socket_connect(host, running->port);
    assert_true(fd >= 0);
    socket_send(fd, text, strlen(text));
    return fd;
}

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* Nothing is under way but the question itself. */
static void expect_nothing_kept(const struct net_process *running)
{
    for (int i = 0; i < 1200; i++, pause_ms(50)) {
        ask(running, "GET /numbers", "");
        if (strncmp(body_of_answer(), "exchanges 1 bodies 0 ", 21) == 0)
            return;
    }
    fail_msg("%s", body_of_answer());
}

static void a_handler_gets_method_path_query_headers_and_body(void **state)
{
    assert_int_equal(ask(*state, "POST /echo?a=1&choice=kn%69ght&b",
                         "Content-Type: application/json; charset=utf-8\r\nBrowser_ID: $2a$08$x\r\n"
                         "Content-Length: 5\r\n\r\nhello"),
                     200);
    assert_string_equal(body_of_answer(),
                        "1 /echo|$2a$08$x|application/json; charset=utf-8|knight|hello|5");
    assert_non_null(strstr(answer, "\r\nX-One: 1\r\nX-Two: 2\r\n"));
    assert_int_equal(ask(*state, "GET /echo/%65%20x", ""), 200);
    assert_string_equal(body_of_answer(), "0 /echo/e x|none||||0");
    assert_int_equal(ask(*state, "OPTIONS /echo", ""), 200);
    assert_string_equal(body_of_answer(), "2 /echo|none||||0");
    assert_int_equal(ask(*state, "HEAD /echo", ""), 200);
    assert_string_equal(body_of_answer(), "");
    assert_non_null(strstr(answer, "\r\nContent-Length: 17\r\n"));
    assert_int_equal(ask(*state, "PATCH /echo", "Content-Length: 0\r\n"), 200);
    assert_string_equal(body_of_answer(), "3 /echo|none||||0");
}

static void a_post_without_a_body_is_answered(void **state)
{
    assert_int_equal(ask(*state, "POST /echo", "Content-Length: 0\r\n"), 200);
    assert_string_equal(body_of_answer(), "1 /echo|none||||0");
    assert_int_equal(ask(*state, "POST /echo", ""), 200);
    assert_string_equal(body_of_answer(), "1 /echo|none||||0");
}

static void headers_are_still_there_after_a_slow_body(void **state)
{
    int fd = connect_and_say(*state,
                             "POST /echo?choice=rook HTTP/1.1\r\nHost: test\r\nbrowser_id: me\r\n"
                             "Content-Length: 4\r\n\r\n");
    for (int i = 0; i < 4; i++) {
        pause_ms(60);
        socket_send(fd, &"slow"[i], 1);
    }
    assert_true(read_until(fd, "|4"));
    assert_string_equal(body_of_answer(), "1 /echo|me||rook|slow|4");
    close(fd);
}

/* All are answered, in order, whatever they are and however many wait behind. */
static void what_is_written_at_once_is_answered_one_by_one(void **state)
{
    static const char *const requests[] = {
        "GET /echo HTTP/1.1\r\nHost: t\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\n\r\nx",
        "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 0\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: t\r\n\r\n",
        "POST /later HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\n\r\nx",
        "GET /later HTTP/1.1\r\nHost: t\r\n\r\n"};
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "GET /echo/1 HTTP/1.1\r\nHost: t\r\n\r\n%s%s%sGET /echo/2 HTTP/1.1\r\nHost: t\r\n\r\n",
            requests[i], requests[i], requests[i]);
        int fd = connect_and_say(*state, text);
        assert_true(read_until(fd, "/echo/2|none||||0"));
        int count = 0;
        for (const char *at = answer; (at = strstr(at, "HTTP/1.1 200 ")) != NULL; at++)
            count++;
        assert_int_equal(count, 5);
        close(fd);
    }
    expect_nothing_kept(*state);
}

/* Behind a refusal nobody reads; the refusal arrives all the same, and the server goes on. */
static void what_is_pipelined_behind_a_refusal_is_not_read(void **state)
{
    static const char *const requests[] = {
        "BREW / HTTP/1.1\r\nHost: t\r\n\r\n",
        "GET /ws HTTP/1.1\r\nHost: t\r\nUpgrade: websocket\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 5000\r\n\r\n", "nonsense\r\n\r\n"};
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        static char text[64 * 1024];
        size_t used = (size_t)snprintf(text, sizeof text,
                                       "GET /echo/1 HTTP/1.1\r\nHost: t\r\n\r\n%s", requests[i]);
        while (used < sizeof text - 200)
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "GET /echo/2 HTTP/1.1\r\nHost: t\r\n\r\n");
        int fd = connect_and_say(*state, text);
        assert_false(read_until(fd, "/echo/2"));
        assert_non_null(strstr(answer, "/echo/1|none||||0"));
        assert_non_null(strstr(answer, "\r\nConnection: close\r\n"));
        close(fd);
        assert_int_equal(ask(*state, "GET /echo", ""), 200);
    }
    expect_nothing_kept(*state);
}

static void a_head_may_come_byte_by_byte_and_a_malformed_one_is_refused(void **state)
{
    static const char request[] = "GET /echo/drip HTTP/1.1\r\nHost: t\r\nbrowser_id: me\r\n\r\n";
    int fd = connect_and_say(*state, "");
    for (size_t i = 0; i < sizeof request - 1; i++) {
        socket_send(fd, request + i, 1);
        pause_ms(2);
    }
    assert_true(read_until(fd, "/echo/drip|me||||0"));
    close(fd);
    static const struct {
        const char *text;
        int status;
    } rows[] = {
        {"GET / HTTP/1.1\r\nHost: t\r\nbad header: x\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: t\r\nX : y\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: t\r\nX: y\r\n folded\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: t\nX: y\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: t\r\nX: \001\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nX: y\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: t\r\nHost: u\r\n\r\n", 400},
        {"GET  / HTTP/1.1\r\nHost: t\r\n\r\n", 400},
        {"GET http://t/echo HTTP/1.1\r\nHost: u\r\n\r\n", 200},
        {"GET http://t/echo HTTP/1.1\r\n\r\n", 400},
        {"GET ftp://t/ HTTP/1.1\r\nHost: t\r\n\r\n", 400},
        {"GET /#x HTTP/1.1\r\nHost: t\r\n\r\n", 400},
        {"GET /\r\n\r\n", 400},
        {"\r\n\r\n", 400},
        {"GET / HTTP/2.0\r\nHost: t\r\n\r\n", 505},
        {"GET /%zz HTTP/1.1\r\nHost: t\r\n\r\n", 400},
        {"GET /%00 HTTP/1.1\r\nHost: t\r\n\r\n", 400},
        {"GET /% HTTP/1.1\r\nHost: t\r\n\r\n", 400},
        {"GET /echo HTTP/1.0\r\n\r\n", 200},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int status = 0;
        fd = connect_and_say(*state, rows[i].text);
        read_until(fd, "\r\n\r\n");
        sscanf(answer, "HTTP/1.1 %d", &status);
        close(fd);
        if (status != rows[i].status)
            fail_msg("%s: %d", rows[i].text, status);
    }
}

/* Nobody can keep a connection by saying half a request. */
static void who_says_half_a_head_costs_no_time(void **state)
{
    struct timespec before, after;
    int fd = connect_and_say(*state, "GET /echo HTTP/1.1\r\nHost: t\r\n");
    clockid_t clock;
    assert_int_equal(clock_getcpuclockid(((struct net_process *)*state)->pid, &clock), 0);
    pause_ms(100);
    clock_gettime(clock, &before);
    pause_ms(1000);
    clock_gettime(clock, &after);
    double seconds =
        (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) / 1e9;
    assert_true(seconds < 0.5); /* it does not go round while it waits */
    socket_send(fd, "\r\n", 2);
    assert_true(read_until(fd, "/echo|none||||0"));
    close(fd);
    fd = connect_and_say(*state, "GET /echo HTTP/1.1\r\nHo");
    shutdown(fd, SHUT_WR);
    assert_false(read_until(fd, "HTTP"));
    close(fd);
}

/* A slow reader of something large is not cut off while it reads. */
static void a_large_late_answer_arrives_whole(void **state)
{
    int fd = connect_and_say(*state, "GET /later/large HTTP/1.1\r\nHost: t\r\n\r\n");
    pause_ms(500);
    static char bytes[64 * 1024];
    size_t length = 0;
    ssize_t got;
    while (length < LATE_BYTES && (got = recv(fd, bytes, sizeof bytes, 0)) > 0) {
        length += (size_t)got;
        pause_ms(1);
    }
    assert_true(length >= LATE_BYTES);
    close(fd);
    expect_nothing_kept(*state);
}

static void a_body_of_a_megabyte_arrives_and_one_byte_more_is_refused_unread(void **state)
{
    const struct net_process *running = *state;
    char head[200];
    char *body = calloc(1, LARGE_BYTES_MAX + 1);
    memset(body, 'b', LARGE_BYTES_MAX);
    snprintf(head, sizeof head, "POST /large HTTP/1.1\r\nHost: test\r\nContent-Length: %d\r\n\r\n",
             LARGE_BYTES_MAX);
    int fd = connect_and_say(running, head);
    socket_send(fd, body, LARGE_BYTES_MAX);
    assert_true(read_until(fd, "1048576"));
    close(fd);
    free(body);
    assert_int_equal(ask(running, "POST /large", "Content-Length: 1048577\r\n"), 413);
    assert_string_equal(body_of_answer(), "in words of the owner");
    assert_non_null(strstr(answer, "\r\nConnection: close\r\n"));
    assert_int_equal(ask(running, "POST /echo", "Content-Length: 1001\r\n"), 413);
    assert_int_equal(ask(running, "POST /other", "Content-Length: 1\r\n\r\nx"), 405);
    expect_nothing_kept(running);
}

/* Also when the body does come, more than the kernel holds, before the answer is read. */
static void a_refusal_is_read_by_who_sends_the_body_all_the_same(void **state)
{
    int fd = connect_and_say(*state,
                             "POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 200000\r\n\r\n");
    char *body = calloc(1, 200000);
    send(fd, body, 200000, MSG_NOSIGNAL);
    free(body);
    assert_true(read_until(fd, "in words of the owner"));
    close(fd);
}

static void lengths_that_are_none_are_refused(void **state)
{
    static const struct {
        const char *lines;
        int status;
    } rows[] = {
        {"Content-Length: -1\r\n", 400},
        {"Content-Length: +5\r\n\r\nhello", 400},
        {"Content-Length: 0x5\r\n\r\nhello", 400},
        {"Content-Length: 5, 5\r\n\r\nhello", 400},
        {"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", 400},
        {"Content-Length: five\r\n\r\nhello", 400},
        {"Content-Length: 99999999999999999999\r\n", 400},
        {"Content-Length: 999999999999999\r\n", 413},
        {"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 200},
        {"Transfer-Encoding: chunked\r\n\r\n5\r\nhellox", 400},
        {"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nhello", 400},
        {"Transfer-Encoding: gzip\r\n\r\nhello", 501},
        {"Expect: the-unexpected\r\nContent-Length: 5\r\n\r\nhello", 417},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int status = ask(*state, "POST /echo", rows[i].lines);
        if (status != rows[i].status)
            fail_msg("%s: %d", rows[i].lines, status);
    }
    expect_nothing_kept(*state);
}

static void who_expects_to_be_told_to_go_on_is_told(void **state)
{
    int fd = connect_and_say(*state, "POST /echo HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\n"
                                     "Content-Length: 5\r\n\r\n");
    assert_true(read_until(fd, "\r\n\r\n"));
    assert_string_equal(answer, "HTTP/1.1 100 Continue\r\n\r\n");
    socket_send(fd, "hello", 5);
    assert_true(read_until(fd, "hello|5"));
    close(fd);
    assert_int_equal(ask(*state, "POST /echo", "Expect: 100-continue\r\nContent-Length: 5000\r\n"),
                     413);
}

static void a_length_that_lies_ends_the_connection(void **state)
{
    int fd = connect_and_say(
        *state,
        "POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\nhello, more than that");
    assert_true(read_until(fd, "|he|2"));
    shutdown(fd, SHUT_WR);
    while (recv(fd, answer, sizeof answer, 0) > 0)
        continue;
    close(fd);
    fd = connect_and_say(*state,
                         "POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 500\r\n\r\nhello");
    shutdown(fd, SHUT_WR); /* no more will come */
    assert_false(read_until(fd, "200"));
    close(fd);
    expect_nothing_kept(*state);
}

static bool may_be_read_by_any(void)
{
    return strstr(answer, "\r\nAccess-Control-Allow-Origin: *\r\n") != NULL &&
           strstr(answer, "\r\nAccess-Control-Expose-Headers: Retry-After\r\n") != NULL;
}

static void drip(const struct net_process *running, const char *path)
{
    char request[128];
    snprintf(request, sizeof request,
             "POST %s HTTP/1.1\r\nHost: test\r\nContent-Length: 500\r\n\r\n", path);
    int fd = connect_and_say(running, request);
    bool answered = false;
    for (int i = 0; i < 100 && !answered; i++) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        send(fd, "x", 1, MSG_NOSIGNAL);
        answered = poll(&ready, 1, 100) > 0;
    }
    assert_true(answered);
    assert_true(read_until(fd, "the body did not come in time"));
    assert_memory_equal(answer, "HTTP/1.1 408", 12);
    assert_non_null(strstr(answer, "\r\nConnection: close\r\n"));
    close(fd);
}

static void a_body_that_drips_is_given_up(void **state)
{
    drip(*state, "/echo");
    assert_null(strstr(answer, "Access-Control"));
    drip(*state, "/later");
    assert_true(may_be_read_by_any());
    expect_nothing_kept(*state);
}

static void an_answer_may_come_later(void **state)
{
    assert_int_equal(ask(*state, "GET /later", ""), 200);
    assert_string_equal(body_of_answer(), "later");
    assert_int_equal(ask(*state, "HEAD /later", ""), 200);
    assert_string_equal(body_of_answer(), "");
    assert_non_null(strstr(answer, "\r\nContent-Length: 5\r\n"));
    assert_int_equal(ask(*state, "POST /later", "Content-Length: 5\r\n\r\nhello"), 200);
    assert_string_equal(body_of_answer(), "later");
}

static void an_answer_that_does_not_come_is_503(void **state)
{
    assert_int_equal(ask(*state, "GET /never", ""), 503);
    assert_non_null(strstr(answer, "\r\nRetry-After: 1\r\n"));
    assert_true(may_be_read_by_any());
    expect_nothing_kept(*state);
}

static void who_left_before_the_answer_is_forgotten(void **state)
{
    for (int i = 0; i < 50; i++)
        close(connect_and_say(*state, "GET /later HTTP/1.1\r\nHost: test\r\n\r\n"));
    expect_nothing_kept(*state);
}

/* What is pipelined while an answer is awaited stays in the kernel: the sender is held up. */
static void who_waits_cannot_fill_our_memory(void **state)
{
    static char chunk[64 * 1024];
    int fd = connect_and_say(*state, "GET /never HTTP/1.1\r\nHost: test\r\n\r\n");
    size_t sent = 0;
    memset(chunk, 'x', sizeof chunk);
    for (int i = 0; i < 20; i++) {
        ssize_t part = send(fd, chunk, sizeof chunk, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (part > 0)
            sent += (size_t)part;
        else
            pause_ms(20);
    }
    pause_ms(200);
    for (int i = 0; i < 400; i++) {
        ssize_t part = send(fd, chunk, sizeof chunk, MSG_DONTWAIT | MSG_NOSIGNAL);
        sent += part > 0 ? (size_t)part : 0;
    }
    assert_true(sent < (size_t)16 * 1024 * 1024);
    close(fd);
    expect_nothing_kept(*state);
}

static void a_tagged_answer_is_not_sent_again(void **state)
{
    assert_int_equal(ask(*state, "GET /tagged", ""), 200);
    assert_non_null(strstr(answer, "\r\nETag: W/\"6-abc\"\r\n"));
    assert_int_equal(ask(*state, "GET /tagged", "If-None-Match: W/\"6-abc\"\r\n"), 304);
    assert_string_equal(body_of_answer(), "");
    assert_int_equal(ask(*state, "GET /tagged", "If-None-Match: \"x\", \"6-abc\"\r\n"), 304);
    assert_int_equal(ask(*state, "HEAD /tagged", "If-None-Match: *\r\n"), 304);
    assert_int_equal(ask(*state, "GET /tagged", "If-None-Match: W/\"6-abd\"\r\n"), 200);
    assert_int_equal(
        ask(*state, "POST /tagged", "If-None-Match: W/\"6-abc\"\r\nContent-Length: 0\r\n"), 200);
    assert_int_equal(
        ask(*state, "GET /tagged", "If-None-Match: W/\"6-abc\"\r\nCache-Control: no-cache\r\n"),
        200);
}

static void an_answer_may_have_no_body(void **state)
{
    assert_int_equal(ask(*state, "GET /nothing", ""), 204);
    assert_null(strstr(answer, "Content-Type:"));
}

/* More than one address may have: from loopback, with its limits on. */
static void an_address_has_its_share_of_what_is_under_way(void **state)
{
    struct net_options options = net_process_options();
    int fds[NET_BODIES_OF_ADDRESS_BYTES_MAX / LARGE_BYTES_MAX];
    (void)state;
    options.limit_loopback = true;
    struct net_process running = net_process_start(&options, serve);
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        fds[i] = connect_and_say(&running, "POST /large HTTP/1.1\r\nHost: test\r\nExpect: "
                                           "100-continue\r\nContent-Length: 1048576\r\n\r\n");
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        assert_true(read_until(fds[i], "100 Continue"));
    assert_int_equal(ask(&running, "POST /large", "Content-Length: 1048576\r\n"), 429);
    assert_non_null(strstr(answer, "\r\nRetry-After: 1\r\n"));
    assert_true(may_be_read_by_any());
    assert_int_equal(ask(&running, "POST /echo", "Content-Length: 0\r\n"), 200);
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        close(fds[i]);
    expect_nothing_kept(&running);
    net_process_stop(running);
}

/* A thousand that wait, and one more. */
static void no_more_wait_than_may(void **state)
{
    static int fds[NET_EXCHANGES_MAX];
    for (int i = 0; i < NET_EXCHANGES_MAX; i++)
        fds[i] =
            connect_and_say(*state, "POST /large HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\n"
                                    "Content-Length: 9\r\n\r\n");
    int status = 0;
    for (int i = 0; i < 50 && status != 503; i++)
        status = ask(*state, "GET /echo", "");
    assert_int_equal(status, 503);
    for (int i = 0; i < NET_EXCHANGES_MAX; i++)
        close(fds[i]);
    expect_nothing_kept(*state);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
#define HTTP_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        HTTP_TEST(a_handler_gets_method_path_query_headers_and_body),
        HTTP_TEST(a_post_without_a_body_is_answered),
        HTTP_TEST(headers_are_still_there_after_a_slow_body),
        HTTP_TEST(what_is_written_at_once_is_answered_one_by_one),
        HTTP_TEST(what_is_pipelined_behind_a_refusal_is_not_read),
        HTTP_TEST(a_head_may_come_byte_by_byte_and_a_malformed_one_is_refused),
        HTTP_TEST(who_says_half_a_head_costs_no_time),
        HTTP_TEST(a_large_late_answer_arrives_whole),
        HTTP_TEST(a_body_of_a_megabyte_arrives_and_one_byte_more_is_refused_unread),
        HTTP_TEST(a_refusal_is_read_by_who_sends_the_body_all_the_same),
        HTTP_TEST(lengths_that_are_none_are_refused),
        HTTP_TEST(who_expects_to_be_told_to_go_on_is_told),
        HTTP_TEST(a_length_that_lies_ends_the_connection),
        HTTP_TEST(a_body_that_drips_is_given_up),
        HTTP_TEST(an_answer_may_come_later),
        HTTP_TEST(an_answer_that_does_not_come_is_503),
        HTTP_TEST(who_left_before_the_answer_is_forgotten),
        HTTP_TEST(who_waits_cannot_fill_our_memory),
        HTTP_TEST(a_tagged_answer_is_not_sent_again),
        HTTP_TEST(an_answer_may_have_no_body),
        cmocka_unit_test(an_address_has_its_share_of_what_is_under_way),
        HTTP_TEST(no_more_wait_than_may),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
