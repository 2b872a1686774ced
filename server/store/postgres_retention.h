/* The end of rooms: which may go, and their removal. Both do a part of the work only, inside the transaction of a batch. */
#ifndef SERVER_STORE_POSTGRES_RETENTION_H
#define SERVER_STORE_POSTGRES_RETENTION_H

#include "server/store/postgres_driver.h"

enum store_status postgres_survey(struct store_driver *driver, const struct store_request *request,
                                  struct store_answer *answer);
enum store_status postgres_remove(struct store_driver *driver, const struct store_request *request,
                                  struct store_answer *answer);

#endif
