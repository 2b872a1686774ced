/* The public rooms that wait or play and where a player is, as everybody sees them, and who wants to hear of changes.
 *
 * A room of ours is listed while somebody who sits there is connected, and for LOBBY_GRACE_MS after that (a new one from
 * its creation): after a restart it comes back with its players. Not listed are rooms where one player has all the seats.
 * Of rooms of other servers we know only that they are in memory there. The list is bounded: beyond LOBBY_KEPT_MAX the
 * oldest playing room is forgotten. Every room can still be entered by its id. */
#ifndef SERVER_CORE_LOBBY_H
#define SERVER_CORE_LOBBY_H

#include "protocol/message.h"
#include "protocol/writer.h"
#include "server/core/frame.h"
#include "server/core/list.h"
#include "server/core/map.h"
#include "server/store/store.h"

#include <stdbool.h>

enum {
    LOBBY_KEPT_MAX = 1000,
    LOBBY_SHOWN_MAX = 100,
    LOBBY_INTERVAL_MS = 1000,
    LOBBY_GRACE_MS = 60000
};

struct core;
struct session;
struct room;

struct lobby {
    struct map rooms; /* of struct lobby_room */
    struct list subscribers;
    struct list abandoned; /* rooms of ours where no player is, longest first */
    bool changed;          /* since the subscribers were told */
    uint64_t told_ms;
    char *shown; /* the list as JSON, NULL when it has to be written anew; owned */
    size_t shown_length;
};

void lobby_init(struct lobby *lobby, struct hash_key hash_key);
void lobby_release(struct lobby *lobby);

/* The rooms of other servers, as the store has them now. */
void lobby_refresh(struct core *core, const struct store_room *rooms, int count);
/* Call after every event that changes seats or status, and when players come and go. */
void lobby_note(struct core *core, const struct room *room);
/* The room is no more. */
void lobby_forget(struct core *core, const char *room);
void lobby_write(const struct lobby *lobby, struct writer *writer);

/* Asks the store for the rooms of the session's player, then answers; false: the store cannot be
 * asked. */
bool lobby_subscribe(struct core *core, struct session *session, struct text command);
void lobby_answer(struct core *core, struct session *session, const char *command,
                  const struct store_room *mine, int count);
void lobby_unsubscribe(struct session *session);
void lobby_drained(struct core *core, struct session *session);

void lobby_forget_abandoned(struct core *core);
void lobby_tell(struct core *core); /* when it is time */
uint64_t lobby_deadline_ms(const struct core *core);

#endif
