/* What the core keeps for one connection. A session that was closed says and hears nothing more; it
 * is freed when its peer is gone, and not before. */
#ifndef SERVER_CORE_SESSION_H
#define SERVER_CORE_SESSION_H

#include "server/core/account.h"
#include "server/core/allowance.h"
#include "server/core/core.h"
#include "server/core/list.h"
#include "server/core/room.h"

#define SESSION_NAME_OF_NOBODY "Guest" /* who has given none */

enum {
    SESSION_COST = 2900,       /* of its connection, its end included, in thousandths of a unit */
    SESSION_ID_BYTES = 18,     /* "s_" and 16 characters */
    SESSION_MALFORMED_MAX = 8, /* messages on a connection; then it is closed */
    SESSION_LIMITED_MAX = 20,  /* refusals in a row for being too fast; then it is closed */
    CLOSE_POLICY = 1008,
    CLOSE_RESTART = 1012,
    CLOSE_BAD_TOKEN = 4001,
    CLOSE_ROOM_GONE = 4004,
    CLOSE_RATE_LIMITED = 4008,
    CLOSE_REPLACED = 4009,
    CLOSE_TOO_SLOW = 4010,
};

enum session_stage { SESSION_GREETED, SESSION_KNOWN, SESSION_CLOSED };

struct session {
    /* What every message touches, together. */
    peer_id peer;
    bool local;    /* the server's own bot */
    bool no_moves; /* legal moves are told only when it asks */
    bool passes;   /* it takes no place in a room, see core_peer_passes */
    enum session_stage stage;
    struct account *account;        /* held, never NULL: of where it came from */
    struct attachment *attachments; /* owned, with the rooms they lie in */
    struct allowance allowance;
    struct allowance precedence; /* while it plays; see cost.h */
    int attachment_count, malformed_count, limited_count;
    uint32_t lag_ms; /* the last round trip to it that was measured */
    struct identity identity;

    uint64_t opened_ms;
    struct account *player_account; /* held, never NULL: of who it is, once that is known */
    char id[SESSION_ID_BYTES + 1];
    char name[DISPLAY_NAME_BYTES_MAX + 1]; /* as given with the last join */
    bool lobby_lagging;
    struct link lobby_link; /* in the lobby's list of subscribers */
    struct link stage_link; /* in core->strangers until `auth`; in core->closed after the close */
};

struct session *session_new(struct core *core, peer_id peer, bool local,
                            const struct core_address *address);
void session_free(struct core *core, struct session *session);
struct session *session_find(const struct core *core, peer_id peer); /* NULL: gone, or closed */

/* Sends unless closed. `session_send` is for what must not be lost: a peer that cannot take it is
 * closed and comes back. `session_offer` gives false when the peer could not take it. */
void session_send(struct core *core, struct session *session, struct frame *frame);
bool session_offer(struct core *core, struct session *session, struct frame *frame);
/* Sends what stands in core->writer, and clears it. */
void session_send_written(struct core *core, struct session *session);

/* Asks for the round trip to it, beside what it is sent next. */
void session_measure(struct core *core, const struct session *session);
/* 0: nobody has measured it. A closed session's as well: what came before it was closed is still judged. */
uint32_t session_lag_ms(const struct core *core, peer_id peer);

void session_close(struct core *core, struct session *session, int code, const char *reason);

struct attachment *session_attachment(const struct session *session, const struct room *room);
/* NULL when the session is in too many rooms already. One connection of a player holds its seats in
 * a room: who comes with `seated` replaces the older one. */
struct attachment *session_attach(struct core *core, struct session *session, struct room *room,
                                  bool seated);
void session_detach(struct core *core, struct attachment *attachment);

#endif
