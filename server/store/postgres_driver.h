/* What the files of the PostgreSQL driver share: the connection, and what is known of the batch under way. Private to
 * server/store/postgres*.c. */
#ifndef SERVER_STORE_POSTGRES_DRIVER_H
#define SERVER_STORE_POSTGRES_DRIVER_H

#include "server/store/driver.h"

#include <libpq-fe.h>

struct store_driver {
    char *url;
    PGconn *connection;
    int answer_ms;          /* how long it may be silent when it has been asked */
    int wait_ms;            /* how long a batch waits for a database that is away */
    _Atomic int64_t end_ms; /* then nothing is waited for any more; 0: no end is in sight */
    bool silent;            /* the connection was given up because it was silent for longer */
    bool away;      /* the last batch could not be performed: the next one does not wait as long */
    bool alone;     /* this batch takes one row: it may wait for it */
    bool by_itself; /* no other server was here for a day, one that hangs and has rows neither */
    bool again;     /* this batch may have been committed by an earlier try */
    char words[DRIVER_WORDS_BYTES];
};

enum store_status
postgres_out_of_memory(struct store_driver *driver); /* STORE_FAILED, with words */

#endif
