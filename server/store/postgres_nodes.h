/* Servers that share the database: their leases, by its clock, the rooms they own, and the secret they share. */
#ifndef SERVER_STORE_POSTGRES_NODES_H
#define SERVER_STORE_POSTGRES_NODES_H

#include "server/store/postgres_driver.h"

/* The room is the node's from now on, unless it is another's, or somebody is writing to it. */
bool postgres_own(struct store_driver *driver, const struct store_request *request);
enum store_status postgres_lease(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer);
enum store_status postgres_leave(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer);
enum store_status postgres_secret(struct store_driver *driver, const struct store_request *request,
                                  struct store_answer *answer);

#endif
