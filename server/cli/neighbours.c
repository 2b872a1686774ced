#include "server/cli/neighbours.h"

#include <stdio.h>
#include <string.h>

static bool is_here(const struct neighbour *neighbour, uint64_t now_ms)
{
    return neighbour->id[0] != '\0' && now_ms - neighbour->heard_ms < NEIGHBOUR_FORGOTTEN_MS;
}

/* Its place, or one that is free, or NULL. */
static struct neighbour *place_for(struct neighbours *neighbours, const char *id, uint64_t now_ms)
{
    struct neighbour *vacant = NULL;
    for (int i = 0; i < NEIGHBOURS_MAX; i++) {
        struct neighbour *neighbour = &neighbours->list[i];
        if (strcmp(neighbour->id, id) == 0)
            return neighbour;
        if (vacant == NULL && !is_here(neighbour, now_ms))
            vacant = neighbour;
    }
    return vacant;
}

void neighbours_heard(struct neighbours *neighbours, const struct bus_message *message,
                      uint64_t now_ms)
{
    struct neighbour *neighbour = place_for(neighbours, message->node, now_ms);
    bool leaves = strcmp(message->state, "bye") == 0;
    if (neighbour == NULL)
        return;
    snprintf(neighbour->id, sizeof neighbour->id, "%s", leaves ? "" : message->node);
    neighbour->heard_ms = now_ms;
}

size_t neighbours_count(const struct neighbours *neighbours, uint64_t now_ms)
{
    size_t count = 0;
    for (int i = 0; i < NEIGHBOURS_MAX; i++)
        count += is_here(&neighbours->list[i], now_ms);
    return count;
}
