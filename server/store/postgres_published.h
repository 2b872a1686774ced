/* Games that players publish: a next version of a name, one that is read, the list of them, what is listed, hidden, and gone
 * for good. */
#ifndef SERVER_STORE_POSTGRES_PUBLISHED_H
#define SERVER_STORE_POSTGRES_PUBLISHED_H

#include "server/store/postgres_driver.h"

enum store_status postgres_publish(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer);
enum store_status postgres_published(struct store_driver *driver,
                                     const struct store_request *request,
                                     struct store_answer *answer);
enum store_status postgres_publications(struct store_driver *driver,
                                        const struct store_request *request,
                                        struct store_answer *answer);
enum store_status postgres_list(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer);
enum store_status postgres_report(struct store_driver *driver, const struct store_request *request,
                                  struct store_answer *answer);
enum store_status postgres_reports(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer);
enum store_status postgres_unpublish(struct store_driver *driver,
                                     const struct store_request *request,
                                     struct store_answer *answer);

#endif
