/* What the server answers over HTTP beside its files: the API's lists, its health, its figures. */
#ifndef SERVER_CLI_ANSWERS_H
#define SERVER_CLI_ANSWERS_H

#include "server/bus/bus.h"
#include "server/core/core.h"
#include "server/net/net.h"
#include "server/store/store.h"

struct callers;
struct files;
struct heap_figures;
struct house;
struct transfers;

struct answers_sources {
    struct core *core;
    struct transfers *transfers;
    struct callers *callers;
    const struct store *store;
    const struct net *net;
    const struct bus *bus;
    size_t neighbours; /* servers heard of on it */
    const struct house *house;
    const struct files *files;
    struct loop_time *loop_time;
    const struct heap_figures *heap;
    bool ready; /* takes commands, and the store answers */
    uint64_t up_ms;
};

/* The two questions of net about a request (see struct net_ports). */
size_t answers_body_max(enum net_method method, const char *path);
enum net_reply answers_request(const struct answers_sources *sources,
                               const struct net_request *request, struct net_answer *answer);
/* What so many bytes of a file cost that goes out as it lies in memory, in thousandths of a unit. */
uint64_t answers_cost_of_file(size_t bytes);
/* 429, and when to come again. */
void answers_too_fast(struct net_answer *answer, uint64_t wait_ms);

#endif
