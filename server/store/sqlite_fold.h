/* Folding: recent events are copied, sorted by room, into the folded half, a part at a time, so that no batch waits long;
 * with the last of them they are deleted from the recent one. */
#ifndef SERVER_STORE_SQLITE_FOLD_H
#define SERVER_STORE_SQLITE_FOLD_H

#include "server/store/sqlite_driver.h"

bool sqlite_fold_is_due(const struct store_driver *driver);
/* The next part, in a transaction of its own. False: it came to nothing, and will be tried later. */
bool sqlite_fold(struct store_driver *driver);

#endif
