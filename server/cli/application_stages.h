/* A server's life goes through its stages once, in order: it starts, serves, and after a signal finishes what was begun. The
 * loop's own handles drive it: before it sleeps it learns until when it may, after that it is asked whether the next
 * stage has come. */
#ifndef SERVER_CLI_APPLICATION_STAGES_H
#define SERVER_CLI_APPLICATION_STAGES_H

#include "server/cli/application_parts.h"

void application_start_handles(struct application *application);

#endif
