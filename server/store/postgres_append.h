/* Appending. An append is one statement (append_event in migrations/postgres): it finds out itself whether the command was
 * seen before and whether the room is at the expected version, so neighbours of a batch cost each other nothing. */
#ifndef SERVER_STORE_POSTGRES_APPEND_H
#define SERVER_STORE_POSTGRES_APPEND_H

#include "server/store/postgres_statements.h"

/* All writes of a request or none. */
enum store_status postgres_append(struct store_driver *driver, const struct store_request *request,
                                  struct store_answer *answer);
/* Which statement appends to a room that is there; its parameters, and what a row of its answer or APPEND_ALL's says: for a pipeline. */
enum postgres_statement postgres_append_statement(const struct store_driver *driver);
void postgres_append_put(struct postgres_parameters *parameters, const struct store_write *write);
enum store_status postgres_append_judge(const PGresult *result, int row,
                                        struct store_answer *answer);

#endif
