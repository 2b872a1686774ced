/* Appending. A request is examined first, against the heads and the tables, and only then written, so a conflict or a
 * duplicate costs the others of its batch nothing. A request of several statements has a savepoint. */
#ifndef SERVER_STORE_SQLITE_APPEND_H
#define SERVER_STORE_SQLITE_APPEND_H

#include "server/store/sqlite_driver.h"

enum store_status sqlite_append(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer);

#endif
