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

/* In the process: the network on its loop, started. */
struct net *net_process_open(uv_loop_t *loop, const struct net_options *options,
                             const struct net_ports *ports);
/* Once it can be told to end: whoever waits learns the port. */
void net_process_ready(const struct net *net, int ready_fd);
/* Ports of a network of whom little is asked. */
void net_process_log(void *context, enum fact_level level, const char *fact, const char *members);
void net_process_ignore(void *context, peer_id peer);

#endif
