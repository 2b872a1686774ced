/* Opening the file: whose it is, of which schema, how it is to be written, and what the last server left in its log.
 * What is not ours, or of a newer server, stays as it is. */
#ifndef SERVER_STORE_SQLITE_OPEN_H
#define SERVER_STORE_SQLITE_OPEN_H

#include "server/store/sqlite_driver.h"

bool sqlite_open_database(struct store_driver *driver, char *words, size_t words_size);
/* Beside a server that may have it open: only of this program's schema. */
bool sqlite_open_beside(struct store_driver *driver, char *words, size_t words_size);

#endif
