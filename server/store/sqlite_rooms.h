/* Reading rooms: one to be played, a part of its history, the list of the open ones and of a player's; and what is said of
 * those that leave a server's memory. */
#ifndef SERVER_STORE_SQLITE_ROOMS_H
#define SERVER_STORE_SQLITE_ROOMS_H

#include "server/store/sqlite_driver.h"

/* Before the statements are prepared: SQL's version_of(room), which is in no table. */
bool sqlite_rooms_define(struct store_driver *driver);

enum store_status sqlite_load(struct store_driver *driver, const struct store_request *request,
                              struct store_answer *answer);
enum store_status sqlite_tail(struct store_driver *driver, const struct store_request *request,
                              struct store_answer *answer);
enum store_status sqlite_behind(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer);
enum store_status sqlite_due(struct store_driver *driver, const struct store_request *request,
                             struct store_answer *answer);
enum store_status sqlite_set_due(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer);
enum store_status sqlite_release(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer);
enum store_status sqlite_history(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer);
enum store_status sqlite_open_rooms(struct store_driver *driver,
                                    const struct store_request *request,
                                    struct store_answer *answer);
enum store_status sqlite_player_rooms(struct store_driver *driver,
                                      const struct store_request *request,
                                      struct store_answer *answer);

#endif
