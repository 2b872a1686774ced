/* `senet prune`: removes from the store what has had its time. */
#ifndef SERVER_CLI_PRUNE_H
#define SERVER_CLI_PRUNE_H

#include "server/config.h"
#include "server/store/store.h"

/* As the settings say it; without the time. */
struct store_retention prune_retention(const struct config *config);
int cli_prune(int argc, char **argv);

#endif
