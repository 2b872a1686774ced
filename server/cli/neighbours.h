/* The servers heard of on the bus: each says five times a second how it is, and is forgotten when it has said nothing for a
 * while. That is short, because what it wrote since then nobody was told: who is not heard has everybody look into the store, and a
 * bus that stands still is to cost a move no more than a second. Private to server/cli. */
#ifndef SERVER_CLI_NEIGHBOURS_H
#define SERVER_CLI_NEIGHBOURS_H

#include "server/bus/bus.h"

enum {
    NEIGHBOURS_MAX = 64,
    NEIGHBOUR_SAYS_EVERY_MS = 200,
    NEIGHBOUR_FORGOTTEN_MS = 3 * NEIGHBOUR_SAYS_EVERY_MS,
};

struct neighbours {
    struct neighbour {
        char id[BUS_NAME_BYTES + 1]; /* "": nobody */
        uint64_t heard_ms;
    } list[NEIGHBOURS_MAX];
};

/* `message` is a BUS_NODE. Of more than NEIGHBOURS_MAX some are not kept. */
void neighbours_heard(struct neighbours *neighbours, const struct bus_message *message,
                      uint64_t now_ms);
size_t neighbours_count(const struct neighbours *neighbours, uint64_t now_ms);

#endif
