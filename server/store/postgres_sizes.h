/* How large what is in the database is, by kind. */
#ifndef SERVER_STORE_POSTGRES_SIZES_H
#define SERVER_STORE_POSTGRES_SIZES_H

#include "server/store/postgres_driver.h"

enum store_status postgres_measure(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer);

#endif
