/* Reading rooms: one to be played, a part of its history, the list of the open ones and of a player's; and what is said of
 * those that leave a server's memory. */
#ifndef SERVER_STORE_POSTGRES_ROOMS_H
#define SERVER_STORE_POSTGRES_ROOMS_H

#include "server/store/postgres_driver.h"

enum store_status postgres_load(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer);
enum store_status postgres_tail(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer);
enum store_status postgres_behind(struct store_driver *driver, const struct store_request *request,
                                  struct store_answer *answer);
enum store_status postgres_due(struct store_driver *driver, const struct store_request *request,
                               struct store_answer *answer);
enum store_status postgres_set_due(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer);
enum store_status postgres_release(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer);
enum store_status postgres_history(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer);
enum store_status postgres_open_rooms(struct store_driver *driver,
                                      const struct store_request *request,
                                      struct store_answer *answer);
enum store_status postgres_player_rooms(struct store_driver *driver,
                                        const struct store_request *request,
                                        struct store_answer *answer);

#endif
