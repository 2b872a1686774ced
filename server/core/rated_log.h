/* What the log of a rated room says of its game, for whoever checks what has counted (`senet ratings --check`): its events are taken
 * in again by the rules they were played by, as when a server wakes the room. For a command of its own, not for the loop. */
#ifndef SERVER_CORE_RATED_LOG_H
#define SERVER_CORE_RATED_LOG_H

#include "server/core/catalogue.h"
#include "server/core/recent.h"
#include "server/store/store.h"

/* Games compiled for logs read before stay, as far as there is room. */
struct rated_log {
    struct catalogue catalogue;
    struct recent_budget budget;
};

void rated_log_init(struct rated_log *log);
void rated_log_release(struct rated_log *log);
/* `loaded` answers a STORE_LOAD of the room. `game` is as rated_room_read gives it, without a result where the game is not over.
 * False: the log cannot be followed. */
bool rated_log_read(struct rated_log *log, const struct store_answer *loaded,
                    struct store_rated_game *game);

#endif
