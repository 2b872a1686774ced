/* Pictures: kept by what they are, given out, and swept when nobody names them; and definitions, which name them. */
#ifndef SERVER_STORE_SQLITE_PICTURES_H
#define SERVER_STORE_SQLITE_PICTURES_H

#include "server/store/sqlite_driver.h"

/* Stored once by its hash, with the pictures it names. */
bool sqlite_write_definition(struct store_driver *driver, const char *hash, const char *text,
                             int64_t at_ms);
/* OK: all pictures that the text names are here. NOT_FOUND: one is not. */
enum store_status sqlite_has_pictures(struct store_driver *driver, const char *text);

enum store_status sqlite_keep_picture(struct store_driver *driver,
                                      const struct store_request *request,
                                      struct store_answer *answer);
enum store_status sqlite_picture(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer);
enum store_status sqlite_sweep_pictures(struct store_driver *driver,
                                        const struct store_request *request,
                                        struct store_answer *answer);

#endif
