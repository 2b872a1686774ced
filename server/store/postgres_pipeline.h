/* The appends of games going on travel in one round trip, through libpq's pipeline. Many of them are one statement, which
 * the database carries out as a whole (APPEND_ALL): a third of the work that as many statements are. It says of no room more
 * than once what becomes of it, so a room's second append begins the next statement, and writes no status, at which a trigger looks
 * for each row: what changes that goes alone. A batch that is one statement needs no
 * BEGIN and no COMMIT. */
#ifndef SERVER_STORE_POSTGRES_PIPELINE_H
#define SERVER_STORE_POSTGRES_PIPELINE_H

#include "server/store/postgres_driver.h"

/* How many requests from `from` on may travel together. */
int postgres_pipeline_length(const struct store_request *requests, int from, int count);
/* Such appends, one after the other, with the transaction's beginning (`first`) and end (`last`) where they belong. */
bool postgres_pipeline_perform(struct store_driver *driver, const struct store_request *requests,
                               int count, struct store_answer *answers, bool first, bool last);

#endif
