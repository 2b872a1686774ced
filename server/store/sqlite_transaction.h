/* A transaction's beginning, when it is made sure that what is remembered is true, and the end of one that came to
 * nothing, after which nothing remembered is believed. */
#ifndef SERVER_STORE_SQLITE_TRANSACTION_H
#define SERVER_STORE_SQLITE_TRANSACTION_H

#include "server/store/sqlite_driver.h"

bool sqlite_transaction_begin(struct store_driver *driver, bool writes);
bool sqlite_transaction_commit(struct store_driver *driver);
/* Its words stay: they say why. */
void sqlite_transaction_roll_back(struct store_driver *driver);

#endif
