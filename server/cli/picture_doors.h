/* Pictures over HTTP: POST /api/v1/pictures, GET /pictures/HASH.svg and .png. What is given out can run nothing, even where
 * somebody opens it as a page. */
#ifndef SERVER_CLI_PICTURE_DOORS_H
#define SERVER_CLI_PICTURE_DOORS_H

#include "server/cli/transfers.h"

enum net_reply picture_doors_post(struct transfers *transfers, struct core *core,
                                  const struct net_request *request, struct net_answer *answer);
/* `rest`: what follows "/pictures/". */
enum net_reply picture_doors_get(struct transfers *transfers, struct core *core,
                                 const struct net_request *request, const char *rest,
                                 struct net_answer *answer);
/* The core's port. */
void picture_doors_answered(struct transfers *transfers, uint64_t request,
                            const struct picture_answer *said);

#endif
