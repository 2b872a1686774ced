/* Pictures: kept by what they are, given out, and swept when nobody names them. What definitions name is the database's to note. */
#ifndef SERVER_STORE_POSTGRES_PICTURES_H
#define SERVER_STORE_POSTGRES_PICTURES_H

#include "server/store/postgres_driver.h"

enum store_status postgres_keep_picture(struct store_driver *driver,
                                        const struct store_request *request,
                                        struct store_answer *answer);
enum store_status postgres_picture(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer);
enum store_status postgres_sweep_pictures(struct store_driver *driver,
                                          const struct store_request *request,
                                          struct store_answer *answer);

#endif
