/* Games over HTTP as files: GET /api/v1/rooms/ID/export and /pgn, POST /api/v1/rooms. The core's answers come when the
 * store and a thread are done, or at once. */
#ifndef SERVER_CLI_TRANSFERS_H
#define SERVER_CLI_TRANSFERS_H

#include "server/core/core.h"
#include "server/net/net.h"

struct transfers {
    struct net *net;
    /* The request being looked at: its answer, if it comes at once. */
    uint64_t asking;
    struct net_answer *answer;
    bool answered;
};

/* Of "Authorization: Bearer TOKEN", in `value`; NULL: there is none. */
const char *transfers_token(const struct net_request *request, char *value, size_t size);
/* A question whose answer may come before it is asked to the end: between the two the core is asked, and `end` says
 * whether it has answered. */
void transfers_begin(struct transfers *transfers, const struct net_request *request,
                     struct net_answer *answer);
enum net_reply transfers_end(struct transfers *transfers);
/* The answer to that one, or to an earlier one. Takes it. */
void transfers_give(struct transfers *transfers, uint64_t request, struct net_answer *answer);

/* `rest`: what follows "/api/v1/rooms/". */
enum net_reply transfers_export(struct transfers *transfers, struct core *core,
                                const struct net_request *request, const char *rest,
                                struct net_answer *answer);
enum net_reply transfers_import(struct transfers *transfers, struct core *core,
                                const struct net_request *request, struct net_answer *answer);
/* The core's port. */
void transfers_answered(struct transfers *transfers, uint64_t request,
                        const struct transfer_answer *said);

#endif
