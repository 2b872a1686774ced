/* What the server answers over HTTP beside its files: the API's lists, its health, its figures. */
#ifndef SERVER_CLI_ANSWERS_H
#define SERVER_CLI_ANSWERS_H

#include "server/core/core.h"
#include "server/net/net.h"
#include "server/store/store.h"

struct house;

struct answers_sources {
    const struct core *core;
    const struct store *store;
    const struct net *net;
    const struct house *house;
    bool ready; /* takes commands, and the store answers */
    uint64_t up_ms;
};

/* False: no such path. */
bool answers_get(const struct answers_sources *sources, const char *path,
                 struct net_answer *answer);

#endif
