/* How large the database is, and what in it how much is of. */
#ifndef SERVER_STORE_SQLITE_SIZES_H
#define SERVER_STORE_SQLITE_SIZES_H

#include "server/store/sqlite_driver.h"

/* The three sizes of a survey. */
bool sqlite_read_sizes(struct store_driver *driver, struct store_survey *survey);

enum store_status sqlite_measure(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer);

#endif
