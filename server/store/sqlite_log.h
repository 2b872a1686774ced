/* The length of the write-ahead log. A commit that makes its file longer waits for the file system's journal besides its own
 * pages, twice as long in all; so the file is made longer some steps ahead, with zeros, in which SQLite
 * sees the log's end as it does in what is left of an older one. */
#ifndef SERVER_STORE_SQLITE_LOG_H
#define SERVER_STORE_SQLITE_LOG_H

#include "server/store/sqlite_driver.h"

bool sqlite_log_is_short(const struct store_driver *driver);
/* What fails here costs speed and nothing else: it is tried again after the next checkpoint. */
void sqlite_log_lengthen(struct store_driver *driver);

#endif
