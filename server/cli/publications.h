/* Games that players publish, over HTTP: POST /api/v1/games/NAME, …/NAME/listing and …/NAME@N/report, GET /api/v1/games/NAME@N, its picture …/board.svg, and
 * /api/v1/published. The core's answers come when the store and a thread are done, or at once. */
#ifndef SERVER_CLI_PUBLICATIONS_H
#define SERVER_CLI_PUBLICATIONS_H

#include "server/cli/transfers.h"

struct files;

/* `rest`: what follows "/api/v1/games/". */
enum net_reply publications_post(struct transfers *transfers, struct core *core,
                                 const struct net_request *request, const char *rest,
                                 struct net_answer *answer);
enum net_reply publications_get(struct transfers *transfers, struct core *core,
                                const struct net_request *request, const char *rest,
                                struct net_answer *answer);
enum net_reply publications_list(struct transfers *transfers, struct core *core,
                                 const struct net_request *request, struct net_answer *answer);
/* The core's port. */
void publications_answered(struct transfers *transfers, struct files *files, uint64_t request,
                           const struct published_answer *said);

#endif
