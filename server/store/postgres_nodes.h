/* Servers that share the database: their leases, by its clock, the rooms they own, and the secret they share. */
#ifndef SERVER_STORE_POSTGRES_NODES_H
#define SERVER_STORE_POSTGRES_NODES_H

#include "server/store/postgres_driver.h"

/* The room becomes the node's, or stays whose it is. It waits for whatever is being committed to the room, so what is
 * read afterwards is all there will ever be of earlier epochs. */
enum store_status postgres_claim(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer);
enum store_status postgres_release(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer);
enum store_status postgres_lease(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer);
enum store_status postgres_leave(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer);
enum store_status postgres_secret(struct store_driver *driver, const struct store_request *request,
                                  struct store_answer *answer);

#endif
