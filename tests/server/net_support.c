#include "tests/support/test.h"

#include "tests/server/net_support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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

struct net *net_process_open(uv_loop_t *loop, const struct net_options *options,
                             const struct net_ports *ports)
{
    char words[200];
    struct net *net = net_new(loop, options, ports, words, sizeof words);
    if (net == NULL || !net_start(net, words, sizeof words)) {
        fprintf(stderr, "%s\n", words);
        exit(1);
    }
    return net;
}

void net_process_ready(const struct net *net, int ready_fd)
{
    char host[64];
    int port;
    net_address(net, host, sizeof host, &port);
    if (write(ready_fd, &port, sizeof port) != sizeof port)
        exit(1);
}

void net_process_log(void *context, enum fact_level level, const char *fact, const char *members)
{
    (void)context;
    (void)level;
    fprintf(stderr, "%s %s\n", fact, members);
}

void net_process_ignore(void *context, peer_id peer)
{
    (void)context;
    (void)peer;
}
