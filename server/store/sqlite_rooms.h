/* Reading rooms: one to be played, a part of its history, the list of the open ones and of a player's. */
#ifndef SERVER_STORE_SQLITE_ROOMS_H
#define SERVER_STORE_SQLITE_ROOMS_H

#include "server/store/sqlite_driver.h"

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
enum store_status sqlite_history(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer);
enum store_status sqlite_open_rooms(struct store_driver *driver,
                                    const struct store_request *request,
                                    struct store_answer *answer);
enum store_status sqlite_player_rooms(struct store_driver *driver,
                                      const struct store_request *request,
                                      struct store_answer *answer);

#endif
