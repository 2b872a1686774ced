/* The schema in the database: an older one is brought up to date, a newer one refused. */
#ifndef SERVER_STORE_POSTGRES_SCHEMA_H
#define SERVER_STORE_POSTGRES_SCHEMA_H

#include "server/store/postgres_driver.h"

/* One transaction, under a lock of its own: two servers that begin together migrate once. */
bool postgres_migrate(struct store_driver *driver);

#endif
