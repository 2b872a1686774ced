/* What goes out about a room: events to everybody attached, snapshots to one (snapshot.c), presence (presence.c).
 *
 * An event is encoded once per view (with the legal moves for the seat that must act, without for
 * all others) before it is durable, and the same bytes go to every peer of that view once it is. A
 * spectator whose outbox is full is left out until it has drained, and then gets one snapshot, but not one after
 * another; a player is closed, because a player must not miss anything. Presence is nothing to lag for. */
#ifndef SERVER_CORE_PUBLISH_H
#define SERVER_CORE_PUBLISH_H

#include "server/core/core.h"
#include "server/core/room.h"

/* What an event changes: how the room stood before it and stands after it. */
struct publish_step {
    const struct event *event;
    int64_t version;
    uint64_t at_ms;
    const struct standing *before, *after;
    struct position *position_before, *position_after;
    uint32_t hash_before; /* of the state; of no meaning for the first event */
    bool for_all_only;    /* nobody will need it with legal moves */
};
/* How it is sent: to all, and (or NULL) to the seat that must act. The caller's references. */
struct publish_frames {
    struct frame *common, *acting;
    uint32_t hash; /* of the state after it */
};
/* Where it is written. The loop has one for all rooms, and a thread its own. */
struct publish_desk {
    struct writer *writer;
    struct view_cells *cells[2];
    struct move *moves; /* room for moves_max of them */
};
struct publish_desk publish_desk_of(struct core *core);
struct publish_frames publish_encode(const struct publish_desk *desk, const struct room *room,
                                     const struct publish_step *step);
/* So much is missing in the room that who is here gets one snapshot at the end of it, and no events until then; the end. */
void publish_hold_back(struct room *room);
void publish_catch_up_held(struct core *core, struct room *room);
void publish_event(struct core *core, struct room *room, const struct decision *decision);

/* To one of those attached, as said above. */
void publish_deliver(struct core *core, struct attachment *attachment, struct frame *frame);
/* Into the desk's writer, as members of an object that is open: what is so before all have begun (the game may be aborted, no
 * clock runs yet); the legal moves, and how many there are where not all are said. */
void publish_write_beginning(const struct publish_desk *desk, const struct standing *standing,
                             const struct position *position);
void publish_write_legal_moves(const struct publish_desk *desk, const struct edition *edition,
                               struct position *position);
/* Whether somebody who is there is to be told his legal moves; else they are left out, and made when somebody comes who is. */
bool publish_moves_wanted(const struct room *room, player_index to_move);
/* Whether one of the seats is to move. */
bool publish_must_act(const struct room *room, uint32_t seats);

/* `command` answers a `sync`; NULL: nobody asked. */
void publish_snapshot(struct core *core, struct attachment *attachment, const char *command,
                      bool with_layout);
/* Whether the events after `version` are all in memory. */
bool publish_has_since(const struct room *room, int64_t version);
void publish_since(struct core *core, struct attachment *attachment, int64_t version);
/* A line of chat as snapshots show it; the caller's. */
char *publish_chat_line(const struct event *event, uint64_t at_ms, int64_t version);

/* After each change of what it is there as: its seats, or that its session was closed. Who is there is counted as people come and
 * go, and nobody looks at all of them. */
void presence_count(struct attachment *attachment);
/* Before it goes. */
void presence_forget(struct attachment *attachment);
/* The seats that somebody holds who is there, at any server. */
uint32_t presence_connected(const struct room *room);
/* Other servers: the newest connection of a player holds his seats, wherever it is; what they say of who is there; and what has to
 * be said, or forgotten, now and then. */
void presence_took_seat(struct core *core, const struct attachment *attachment);
void presence_heard(struct core *core, const struct bus_message *message);
/* What is known of who is there at that server; NULL: of too many something is known. */
struct elsewhere *presence_at(struct core *core, struct room *room, const char *node);
void presence_time(struct core *core);
uint64_t presence_deadline_ms(const struct core *core);
void publish_presence_to(struct core *core, struct attachment *attachment);
void publish_presence_later(struct core *core, struct room *room);
void publish_presence_due(struct core *core);

void publish_drained(struct core *core, struct session *session);
void publish_resync_due(struct core *core);
uint64_t publish_resync_deadline_ms(const struct core *core);

#endif
