#include "tests/support/test.h"

#include "tests/server/net_support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/server/socket.h"

struct net_options net_process_options(void)
{
    struct net_options options;
    net_options_default(&options);
    options.listen = "127.0.0.1:0";
    return options;
}

struct net_process net_process_start(const struct net_options *options, net_process_main *serve)
{
    struct net_process process = {0};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    process.pid = fork();
    if (process.pid == 0) {
        close(ends[0]);
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that is interrupted leaves nothing behind */
        signal(SIGPIPE, SIG_IGN);
        serve(options, ends[1]);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &process.port, sizeof process.port), sizeof process.port);
    close(ends[0]);
    return process;
}

void net_process_stop(struct net_process process)
{
    int status = 0;
    kill(process.pid, SIGTERM);
    assert_int_equal(waitpid(process.pid, &status, 0), process.pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* --- in the process --------------------------------------------------------------------------- */

static void ignore_opened(void *context, peer_id peer, const struct core_address *client)
{
    (void)context, (void)peer, (void)client;
}

static void ignore_said(void *context, peer_id peer, const char *text, size_t length)
{
    (void)context, (void)peer, (void)text, (void)length;
}

static void ignore(void *context, peer_id peer)
{
    (void)context, (void)peer;
}

static size_t want_no_body(void *context, enum net_method method, const char *path)
{
    (void)context, (void)method, (void)path;
    return 0;
}

static enum net_reply have_nothing(void *context, const struct net_request *request,
                                   struct net_answer *answer)
{
    (void)context, (void)request, (void)answer;
    return NET_NOT_HERE;
}

static bool for_our_pages(void *context, const char *path)
{
    (void)context, (void)path;
    return false;
}

static void print_fact(void *context, enum fact_level level, const char *fact, const char *members)
{
    (void)context, (void)level;
    fprintf(stderr, "%s %s\n", fact, members);
}

struct net_ports net_process_ports(void *context)
{
    return (struct net_ports){.context = context,
                              .opened = ignore_opened,
                              .said = ignore_said,
                              .drained = ignore,
                              .gone = ignore,
                              .body_max = want_no_body,
                              .request = have_nothing,
                              .any_origin = for_our_pages,
                              .log = print_fact};
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct net_served *served = handle->data;
    (void)number;
    uv_close((uv_handle_t *)handle, NULL);
    if (served->also != NULL)
        uv_close(served->also, NULL);
    net_finish(served->net);
}

void net_process_open(struct net_served *served, const struct net_options *options,
                      const struct net_ports *ports)
{
    char words[200];
    uv_loop_init(&served->loop);
    served->net = net_new(&served->loop, options, ports, words, sizeof words);
    if (served->net == NULL || !net_start(served->net, words, sizeof words)) {
        fprintf(stderr, "%s\n", words);
        exit(1);
    }
    uv_signal_init(&served->loop, &served->signal);
    served->signal.data = served;
    uv_signal_start(&served->signal, on_signal, SIGTERM);
}

void net_process_serve(struct net_served *served, int ready_fd)
{
    char host[64];
    int port;
    net_address(served->net, host, sizeof host, &port);
    if (write(ready_fd, &port, sizeof port) != sizeof port)
        exit(1);
    uv_run(&served->loop, UV_RUN_DEFAULT);
    net_free(served->net);
    exit(uv_loop_close(&served->loop) == 0 ? 0 : 3);
}

void net_process_say(const struct net_served *served, peer_id peer, const char *text, size_t length)
{
    struct frame *frame = frame_new(text, length);
    net_send(served->net, peer, frame);
    frame_release(frame);
}

/* --- the test's side -------------------------------------------------------------------------- */

int net_process_greeted(const struct net_process *process, const char *greeting)
{
    static struct socket_frame frame; /* a megabyte: not for the stack */
    int fd = socket_open_ws("127.0.0.1", process->port);
    assert_true(fd >= 0);
    socket_read_message(fd, &frame);
    assert_string_equal(frame.payload, greeting);
    return fd;
}
