/* The event log in its two halves: what is recent lies in the order of arrival, each event naming its room's previous
 * one; what is folded lies side by side by room. Whoever reads here does not see the difference. */
#ifndef SERVER_STORE_SQLITE_EVENTS_H
#define SERVER_STORE_SQLITE_EVENTS_H

#include "server/store/sqlite_driver.h"

/* The event's columns into a statement that writes it, from the first parameter on. */
void sqlite_event_put(sqlite3_stmt *statement, const char *room, const struct store_event *event);
/* Steps to one event of a room, in whichever half of the log; reset `*found` after ROW. Its columns are EVENT_COLUMNS. */
enum sqlite_row sqlite_event_find(struct store_driver *driver, const struct head *head,
                                  int64_t version, sqlite3_stmt **found);
/* All from `from` to `to`, or STORE_FAILED. */
enum store_status sqlite_events_read(struct store_driver *driver, const char *room, int64_t from,
                                     int64_t to, struct store_answer *answer);

#endif
