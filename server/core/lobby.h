/* The public rooms that wait or play and where a player is, as everybody sees them, and who wants to hear of changes.
 *
 * A room of ours is listed while somebody who sits there is connected, and for LOBBY_GRACE_MS after that (a new one from
 * its creation): after a restart it comes back with its players. Not listed are rooms where one player has all the seats.
 *
 * Each server tells the others by the bus which rooms it lists, as they change and every five seconds; who sits here lists the room
 * himself. What is not told is read in the store: which rooms are in memory elsewhere, every ten seconds, or each second
 * where there is no bus. A room leaves the list when the one says so, or when neither names it any more. The list is bounded: beyond LOBBY_KEPT_MAX the
 * oldest playing room is forgotten. Every room can still be entered by its id. */
#ifndef SERVER_CORE_LOBBY_H
#define SERVER_CORE_LOBBY_H

#include "protocol/message.h"
#include "protocol/writer.h"
#include "server/bus/bus.h"
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
    bool was_alone;             /* when the store was to be asked last, no other server was there */
    uint64_t read_ms, asked_ms; /* when the store is asked next, and was asked last */
    bool is_asked;
    uint64_t round_ms; /* when other servers are told again, of a part of the rooms, */
    size_t hand;       /*   from here on */
    char *shown;       /* the list as JSON, NULL when it has to be written anew; owned */
    size_t shown_length;
};

void lobby_init(struct lobby *lobby, struct hash_key hash_key);
void lobby_release(struct lobby *lobby);

/* The rooms of other servers: as the store has them, as one of them says, and to be asked for soon. */
void lobby_read(struct core *core, const struct store_answer *answer);
void lobby_heard(struct core *core, const struct bus_message *message);
void lobby_read_soon(struct core *core);
/* Call after every event that changes seats or status, and when players come and go. */
void lobby_note(struct core *core, const struct room *room);
/* The room is no more. */
void lobby_forget(struct core *core, const char *room);
void lobby_write(const struct lobby *lobby, struct writer *writer);

/* Asks the store for the rooms of the session's player, those after the first `from`, then answers; false: the store cannot be
 * asked. */
bool lobby_subscribe(struct core *core, struct session *session, struct text command, int from);
void lobby_answer(struct core *core, struct session *session, const char *command,
                  const struct store_room *mine, int count);
void lobby_unsubscribe(struct session *session);
void lobby_drained(struct core *core, struct session *session);

void lobby_time(struct core *core);
uint64_t lobby_deadline_ms(const struct core *core);

#endif
