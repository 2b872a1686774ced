/* The bus as the server uses it: each server says five times a second how it is, and knows how many others do. Rooms do not go over it
 * yet. */
#ifndef SERVER_CLI_APPLICATION_BUS_H
#define SERVER_CLI_APPLICATION_BUS_H

#include "server/cli/application_parts.h"

bool application_open_bus(struct application *application, char *words, size_t words_size);
/* The core is ready: it knows the database's secret, which the bus's subjects are named by. */
void application_join_bus(struct application *application);
/* In which stage it is now. */
void application_announce(struct application *application);
void application_close_bus(struct application *application);

#endif
