/* The running server: core, store, network and house joined on one loop.
 *
 * This is the only place where they meet. The core's ports lead to the others; what the others have to say goes in by the
 * core's doors, with the time told first. Life goes through its stages once, in order. */
#ifndef SERVER_CLI_APPLICATION_H
#define SERVER_CLI_APPLICATION_H

#include "server/config.h"
#include "server/log.h"
#include "server/net/files.h"

struct application;

struct application_options {
    const struct config *config;
    struct log *log; /* held; let go behind the line that says where the server listens */
    const char *store, *games, *web, *schema; /* resolved: a URL and three directories */
    const char *engine;       /* the browser's, packed: a file that may come later */
    uint32_t connections_max; /* as many as there are descriptors for */
};

/* NULL when something cannot start; the log says what. */
struct application *application_new(const struct application_options *options);
/* Serves until SIGTERM or SIGINT, then finishes what was begun: returns once every commit is done, every peer is told to
 * come back and every handle is closed. A second signal ends the program at once. */
void application_run(struct application *application);
void application_free(struct application *application);

#endif
