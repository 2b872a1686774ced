/* The connection: made so that a server that is gone is noticed within seconds, made again when it is lost, and what is
 * said over it outside the prepared statements. */
#ifndef SERVER_STORE_POSTGRES_CONNECTION_H
#define SERVER_STORE_POSTGRES_CONNECTION_H

#include "server/store/postgres_driver.h"
#include "server/store/postgres_wait.h"

enum { POSTGRES_RETRY_MS = 100 }; /* between two tries to connect */

bool postgres_dial(struct store_driver *driver);
/* A new connection, ready to work; tried again until the time is over. */
bool postgres_reconnect(struct store_driver *driver, int64_t deadline_ms);
void postgres_disconnect(struct store_driver *driver);
bool postgres_is_alive(const struct store_driver *driver);
bool postgres_execute(struct store_driver *driver, const char *sql);
/* Ends a transaction. False, too, where the database has only given it up: it answers COMMIT with ROLLBACK then, and calls
 * that no error. */
bool postgres_commit(struct store_driver *driver);

/* What the library says last becomes the driver's words. */
void postgres_note(struct store_driver *driver);
/* The first line of what the library says, without its end. */
void postgres_say(char *words, size_t size, const char *what, const char *message);

#endif
