/* The protocol over HTTP, for those without WebSockets: a request is a peer of the core for as long as it lasts, and says there what
 * a page would say. So there is one code of rules: what a command costs, who may give it, and that it is answered when it is
 * durable are the core's to say, and the answer is the message that a WebSocket would have carried.
 *
 *     POST …/rooms/ID/moves, /seats, /actions, /chat; POST …/games/ID/rooms      one command: `Idempotency-Key` is its id
 *     GET  …/rooms/ID, …/rooms/ID/moves, …/rooms/ID/hint                         one question
 *     GET  …/rooms/ID/stream                                                     a room's events as lines, until one side goes
 *
 * Who gives a command takes no place in the room (core_peer_passes); who streams has one, as on a WebSocket. */
#ifndef SERVER_CLI_CALLERS_H
#define SERVER_CLI_CALLERS_H

#include "server/cli/transfers.h"
#include "server/core/core.h"
#include "server/core/list.h"
#include "server/core/map.h"
#include "server/net/net.h"

enum {
    CALLER_BODY_MAX = MESSAGE_BYTES_MAX - 512, /* with what stands around it a message */
    CALLERS_WAITING_MAX = 1024,                /* requests that are not answered yet */
};

struct caller;

struct callers {
    struct map by_peer;
    struct list done; /* answered or gone: the core is told in a while */
    uint64_t waiting, calls;
};

void callers_init(struct callers *callers, struct hash_key hash_key);
void callers_release(struct callers *callers);

/* Not local, and not the network's. */
static inline bool callers_own(peer_id peer)
{
    return peer >> 62 == 1;
}

/* `rest`: what follows "/api/v1/rooms/". */
enum net_reply callers_get(struct callers *callers, struct transfers *transfers, struct core *core,
                           const struct net_request *request, const char *rest,
                           struct net_answer *answer);
enum net_reply callers_post(struct callers *callers, struct transfers *transfers, struct core *core,
                            const struct net_request *request, const char *rest,
                            struct net_answer *answer);
/* A room of the game of that id. */
enum net_reply callers_create(struct callers *callers, struct transfers *transfers,
                              struct core *core, const struct net_request *request,
                              const char *game, struct net_answer *answer);

/* The core's ports. */
enum send_result callers_send(struct callers *callers, struct transfers *transfers, peer_id peer,
                              struct frame *frame);
void callers_hang_up(struct callers *callers, struct transfers *transfers, peer_id peer, int code,
                     const char *reason);
/* The network's: who streamed has gone. The core is told by callers_settle. */
void callers_gone(struct callers *callers, peer_id peer);
/* To whoever streams; they are told to come back. */
void callers_close(struct callers *callers);
/* The core hears of those who are done; not from within its ports. */
void callers_settle(struct callers *callers, struct core *core);

#endif
