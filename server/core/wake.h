/* A stored room brought into memory: its events are played again, through the engine, on a thread and in parts. The room is
 * made where nobody else sees it and takes the place of the one that waits in the table; commands that came meanwhile wait
 * there. */
#ifndef SERVER_CORE_WAKE_H
#define SERVER_CORE_WAKE_H

#include "server/core/parts.h"

/* What the store says of a room that is loading, and its game; both are taken. 0: loading_woken follows. Else the
 * milliseconds after which there will be a place for it. */
uint64_t wake_ask(struct core *core, const struct room *room, struct account *account,
                  struct edition *edition, struct store_answer *loaded);

#endif
