/* Chess Mate's HTTP API, over rooms of our chess.
 *
 * A browser id is a player: the token is made of the server's secret and the id, so it is the same after every restart
 * and nothing is kept here. That player's one room of chess, both seats taken, is the game. Each request is a visit: a
 * local peer that says to the core what a page would say, and is answered over HTTP once what it asked for is durable. Visits
 * of one browser id come one after the other. */
#ifndef SERVER_CHESS_MATE_CHESS_MATE_H
#define SERVER_CHESS_MATE_CHESS_MATE_H

#include "server/core/core.h"
#include "server/net/net.h"

struct uv_loop_s;
struct chess_mate;

enum {
    CHESS_MATE_BODY_MAX = 100 * 1024,
    CHESS_MATE_VISITS_MAX = 512,
    CHESS_MATE_VISIT_MS = 12000, /* longer than net waits for an answer */
};

struct chess_mate_ports {
    void *context;
    /* The core's doors. */
    void (*opened)(void *context, peer_id peer, const struct core_address *client);
    void (*said)(void *context, peer_id peer, const char *text, size_t length);
    void (*gone)(void *context, peer_id peer);
    /* The token of the player a name stands for (core_token_for); `token` has room for it and a zero. */
    void (*token)(void *context, const char *name, char *token);
    void (*random)(void *context, void *bytes, size_t size);
    /* core_take: a visit says to the core what costs its address the rest. */
    uint64_t (*take)(void *context, const struct core_address *client, uint64_t thousandths);
    bool (*respond)(void *context, uint64_t ticket, struct net_answer *answer);
};

/* `prefix`: where the API begins, "/" or like "/chess-mate"; borrowed. */
struct chess_mate *chess_mate_new(struct uv_loop_s *loop, const struct chess_mate_ports *ports,
                                  const char *prefix);
/* Freed on the loop once its handle is closed. */
void chess_mate_close(struct chess_mate *chess_mate);

/* Is the path below the prefix? Then chess_mate_request answers whatever is asked there. */
bool chess_mate_owns_path(const struct chess_mate *chess_mate, const char *path);
enum net_reply chess_mate_request(struct chess_mate *chess_mate, const struct net_request *request,
                                  struct net_answer *answer);
/* No more visits begin: 503 for whoever wants one. */
void chess_mate_stop(struct chess_mate *chess_mate);

/* Of the local peers (those with the highest bit set) ours have the next one set, too. */
static inline bool chess_mate_owns(peer_id peer)
{
    return peer >> 62 == 3;
}
enum send_result chess_mate_send(struct chess_mate *chess_mate, peer_id peer, struct frame *frame);
void chess_mate_hang_up(struct chess_mate *chess_mate, peer_id peer);

#endif
