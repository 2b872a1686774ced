/* The server's own list of games: every *.json of a folder. */
#ifndef SERVER_CLI_GAME_FOLDER_H
#define SERVER_CLI_GAME_FOLDER_H

#include "server/core/core.h"
#include "server/log.h"

/* How many games the core has now. A file with errors is left out, each of its diagnostics a line of the log. -1 when
 * the folder cannot be read. */
int game_folder_load(const char *directory, struct core *core, const struct log *log);

#endif
