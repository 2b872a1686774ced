/* The core and its ports: what it wants of the world leads to the network, the house, the store, the threads and the
 * log. */
#ifndef SERVER_CLI_APPLICATION_CORE_H
#define SERVER_CLI_APPLICATION_CORE_H

#include "server/cli/application_parts.h"

/* After the network, whose address is our place. */
void application_make_core(struct application *application, const char *store);

/* Two of the ports, which others have as well. */
void application_random(void *context, void *bytes, size_t size);
void application_log(void *context, enum fact_level level, const char *fact, const char *members);

#endif
