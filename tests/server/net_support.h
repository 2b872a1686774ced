/* A network under test: a process of its own that serves on a real port of this machine, and ends when it is told to. */
#ifndef TESTS_SERVER_NET_SUPPORT_H
#define TESTS_SERVER_NET_SUPPORT_H

#include <sys/types.h>
#include <uv.h>

#include "server/net/net.h"

struct net_process {
    pid_t pid;
    int port;
};

/* What the process does: it opens its network, is ready, and ends itself by exit. */
typedef void net_process_main(const struct net_options *options, int ready_fd);

/* As the tests want it: a free port of 127.0.0.1. */
struct net_options net_process_options(void);
struct net_process net_process_start(const struct net_options *options, net_process_main *serve);
/* It ends by itself, leaks nothing and leaves no handle open. */
void net_process_stop(struct net_process process);

/* In the process: what every server under test has, as its first member. */
struct net_served {
    uv_loop_t loop;
    uv_signal_t signal;
    struct net *net;
    uv_handle_t *also; /* a handle of the test's own on the loop, closed with the others; or NULL */
};
/* Ports of whom nothing is asked; a test sets those it looks at. `context` begins with the net_served. */
struct net_ports net_process_ports(void *context);
/* The network on its loop, started; then handles of one's own. */
void net_process_open(struct net_served *served, const struct net_options *options,
                      const struct net_ports *ports);
/* Whoever waits learns the port; serves until it is told to end, and exits. */
void net_process_serve(struct net_served *served, int ready_fd);
void net_process_say(const struct net_served *served, peer_id peer, const char *text,
                     size_t length);

/* The test's side: a WebSocket that has heard the first word of whoever serves. */
int net_process_greeted(const struct net_process *process, const char *greeting);

#endif
