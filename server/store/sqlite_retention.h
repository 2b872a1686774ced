/* The end of rooms: which may go, and their removal. Both do a part of the work only, inside the transaction of a batch. */
#ifndef SERVER_STORE_SQLITE_RETENTION_H
#define SERVER_STORE_SQLITE_RETENTION_H

#include "server/store/sqlite_driver.h"

enum store_status sqlite_survey(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer);
enum store_status sqlite_remove(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer);

#endif
