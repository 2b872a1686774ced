/* The heads (heads.h) of this database: made from the log, and made again whenever they may not be true any more. */
#ifndef SERVER_STORE_SQLITE_HEADS_H
#define SERVER_STORE_SQLITE_HEADS_H

#include "server/store/sqlite_driver.h"

/* Made from the log if it is not remembered. NO_ROW: there is no such room. */
enum sqlite_row sqlite_heads_find(struct store_driver *driver, const char *room,
                                  struct head **found);
/* An event of the room, its command with it. False, noted: out of memory; never so after heads_reserve_command. */
bool sqlite_heads_remember(struct store_driver *driver, struct head *head, int64_t version,
                           const char *client, const char *command);
/* Inside a transaction: what another process has written meanwhile, we do not know. */
bool sqlite_heads_check(struct store_driver *driver);

#endif
