/* Servers: their leases, the rooms they own, and the secret they share. A file has one server at a time (a lock keeps the
 * second one out), so here this is the contract kept to, and not what guards the log. */
#ifndef SERVER_STORE_SQLITE_NODES_H
#define SERVER_STORE_SQLITE_NODES_H

#include "server/store/sqlite_driver.h"

/* The room is the node's from now on, unless it is another's. */
bool sqlite_own(struct store_driver *driver, const struct store_request *request);
/* STORE_OK: nobody's but perhaps the node's (NULL: of no node at all); else STORE_CONFLICT. */
enum store_status sqlite_check_owner(struct store_driver *driver, const char *room,
                                     const char *node);
/* If it is the node's it is nobody's. */
bool sqlite_give_back(struct store_driver *driver, const char *room, const char *node);
enum store_status sqlite_lease(struct store_driver *driver, const struct store_request *request,
                               struct store_answer *answer);
enum store_status sqlite_leave(struct store_driver *driver, const struct store_request *request,
                               struct store_answer *answer);
enum store_status sqlite_secret(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer);

#endif
