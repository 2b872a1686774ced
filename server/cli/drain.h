/* `senet drain PID`: ends a server as SIGTERM does, and waits until it has ended. */
#ifndef SERVER_CLI_DRAIN_H
#define SERVER_CLI_DRAIN_H

int cli_drain(int argc, char **argv);

#endif
