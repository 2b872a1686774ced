/* What is said to the database, and what it answers: every wait is bounded. A database that is gone says so, one that hangs (its
 * processes stopped, its disk stuck, its machine frozen) says nothing, and whoever asked would never be answered, nor could the
 * server end. After POSTGRES_ANSWER_MS of silence the connection is given up, as if it had been cut. */
#ifndef SERVER_STORE_POSTGRES_WAIT_H
#define SERVER_STORE_POSTGRES_WAIT_H

#include "server/store/postgres_driver.h"

enum {
    POSTGRES_ANSWER_MS = 15000, /* more than a statement may take (statement_timeout) */
};

int64_t postgres_now_ms(void);

/* From another thread: all that is waited for from now on is over in seconds. Whether it is by now. */
void postgres_hurry(struct store_driver *driver);
bool postgres_is_over(struct store_driver *driver);
/* The next result of what was sent, as PQgetResult has it: NULL at its end. The caller's. */
PGresult *postgres_receive(struct store_driver *driver);
/* All that was `sent` brings, of several results the last; NULL, too, where it could not be sent. The caller's. */
PGresult *postgres_receive_last(struct store_driver *driver, int sent);

#endif
