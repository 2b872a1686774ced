/* Pictures for the figures of players' games. One comes over HTTP, is made harmless on a thread (server/pictures), and stored by the
 * SHA-256 of what it has become: the same picture twice is one. What is asked for comes from the store, and those asked for last
 * stay on a shelf in memory, since a room's pictures are asked for by everybody in it at once. */
#ifndef SERVER_CORE_PICTURES_H
#define SERVER_CORE_PICTURES_H

#include "server/core/core.h"
#include "server/core/list.h"
#include "server/core/map.h"

enum {
    PICTURES_ASKED_MAX = 512, /* of the store, at a time */
    PICTURES_SHELF_BYTES = 8 * 1024 * 1024,
};

struct ticket;

struct pictures {
    struct map shelf;
    struct list by_use; /* longest ago first */
    size_t bytes;       /* on the shelf */
    int asked;
};

void pictures_init(struct core *core);
void pictures_release(struct core *core);
/* The store's answer to either question. */
void pictures_answered(struct core *core, const struct ticket *ticket,
                       const struct store_answer *answer);

#endif
