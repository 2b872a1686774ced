/* A client on a WebSocket: carries its bytes, and brings it back after whatever happens, until its game is over.
 *
 * Blocks; everything the client is told (client.h) is told from here. For bots and small programs; who has a loop of their
 * own uses the client by itself. */
#ifndef SERVER_CLI_CLIENT_RUN_H
#define SERVER_CLI_CLIENT_RUN_H

#include <stdbool.h>

struct client;

/* `url`: where the server is, http(s)://host:port or ws(s)://…. Asked after whatever was heard: is it over? Returns 0 when it
 * is; else the close code after which a client does not come back by itself (client_returns_after), or -1 for no URL. */
int client_run(struct client *client, const char *url,
               bool (*is_over)(const struct client *client));

#endif
