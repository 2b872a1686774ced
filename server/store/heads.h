/* What the driver remembers of the rooms that are being played: each room's *head* (its last
 * version and status) and which commands it has seen. An index kept in memory, made from the log
 * when a room is first appended to and thrown away when it grows too large. It may rule, because
 * one process writes the log: see README.md.
 *
 * A room's commands are a set of (keyed hash, version). A hash says "perhaps"; the event of that
 * version says yes or no. */
#ifndef SERVER_STORE_HEADS_H
#define SERVER_STORE_HEADS_H

#include "server/store/store.h"

struct heads;

struct head_command {
    uint32_t hash, version; /* version 0: an empty place */
};

struct head {
    char room[STORE_ROOM_BYTES + 1];
    enum store_room_status status;
    int64_t version, epoch;
    int64_t
        recent_last; /* sequence of its newest event in recent_event, if that is not folded yet */
    /* Private. */
    uint64_t used;
    uint32_t command_count, command_room;
    struct head_command *commands;
};

struct heads *heads_new(void); /* NULL: out of memory, or no randomness for the hash's key */
void heads_free(struct heads *heads);
void heads_clear(struct heads *heads);

/* NULL: not remembered. A head stays where it is until heads_clear, heads_trim or heads_forget. */
struct head *heads_find(struct heads *heads, const char *room);
struct head *heads_add(struct heads *heads,
                       const char *room); /* not there yet; NULL: out of memory */
void heads_remove(struct heads *heads, struct head *head);
/* Forgets what was not used lately, then everything, until less than `bytes_max` is held; but no room with recent events,
 * those after the sequence `folded`. */
void heads_trim(struct heads *heads, size_t bytes_max, int64_t folded);
/* Forgets what was not used for `unused_ms`, within as long again; but no room as above. Time is told, and only goes forward. */
void heads_forget(struct heads *heads, uint64_t now_ms, uint64_t unused_ms, int64_t folded);

uint32_t heads_hash(const struct heads *heads, const char *client, const char *command);
/* After true the next heads_add_command of this head cannot fail. */
bool heads_reserve_command(struct heads *heads, struct head *head);
void heads_add_command(struct head *head, uint32_t hash, int64_t version);
/* The versions whose command has this hash, one a call; 0 when there are no more. `*cursor` begins
 * as 0. */
int64_t head_next_version(const struct head *head, uint32_t hash, uint32_t *cursor);

#endif
