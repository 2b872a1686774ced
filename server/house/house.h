/* The server's own bots: guests that sit in rooms as local peers.
 *
 * A guest is a protocol/client and a bot whose connection is a queue. The core's ports hand frames
 * for local peers here (house_owns); what guests say goes back to the core through house_ports, in
 * a later turn of the loop, because a port must not call back into the core. Guests wait for a
 * moment before they move, so that a person can follow. Those with a level search on threads
 * (thinking.h), on a copy of the position; what they found they say like anybody else. */
#ifndef SERVER_HOUSE_HOUSE_H
#define SERVER_HOUSE_HOUSE_H

#include "server/core/core.h"

struct uv_loop_s;
struct house;

enum { HOUSE_GUESTS_MAX = 4096, HOUSE_THINK_MS = 400 };

struct house_ports {
    void *context;
    void (*opened)(void *context, peer_id peer);
    void (*said)(void *context, peer_id peer, const char *text, size_t length);
    void (*gone)(void *context, peer_id peer);
    /* A copy of how the room stood at this version, which is the guest's then; NULL: it is another one by now, or the room is not here. */
    struct position *(*position)(void *context, const char *room, int64_t version);
    /* What house_hint wanted to know, as core_hinted has it. */
    void (*hinted)(void *context, uint64_t number, struct position *position,
                   const struct core_hint *hints, int count);
};

struct house_options {
    uint64_t seed;
    uint64_t think_ms; /* so long a guest waits before it moves */
    bool keeps_moves;  /* nobody may take a move back */
    int level; /* of engine/bot/searcher.h, of guests that were invited without one; 0: they take what they can, and
                  move by chance otherwise */
    int threads; /* on which those of a level think; 0: none has one */
};

struct house *house_new(struct uv_loop_s *loop, const struct house_ports *ports,
                        const struct house_options *options);
/* Guests say no word more; `on_closed` is called on the loop once the house's handle is closed and
 * it is freed. */
void house_close(struct house *house, void (*on_closed)(void *context), void *context);

/* Local peers have the highest bit of their number set. */
static inline bool house_owns(peer_id peer)
{
    return (peer >> 63) != 0;
}

/* The three ports of the core (`level` 0: as the options have it), which invites no more than HOUSE_GUESTS_MAX. */
void house_invite(struct house *house, const char *room, const char *seat, int level,
                  const char *token);
enum send_result house_send(struct house *house, peer_id peer, struct frame *frame);
void house_hang_up(struct house *house, peer_id peer);

/* And two more, of houses with threads: the position is taken. Numbers have the highest bit not set. */
void house_hint(struct house *house, uint64_t number, struct position *position, int lines);
void house_forget_hint(struct house *house, uint64_t number);

size_t house_guest_count(const struct house *house);

#endif
