/* What a rated room says of its game once that is over: between whom it was, and how it ended. */
#ifndef SERVER_CORE_RATED_ROOM_H
#define SERVER_CORE_RATED_ROOM_H

#include "server/core/room.h"

/* Who sat down first in a seat, and who sits there now. */
struct claimants {
    const struct seat *first, *last;
};
struct claimants rated_room_claimants(const struct room *room, int seat);

/* Its players, as a question for their ratings: who sits there, and who sat there first. No sides: it does not count. */
void rated_room_read(const struct room *room, struct store_rated_game *game);

#endif
