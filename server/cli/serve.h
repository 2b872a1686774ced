/* `senet serve`: the server. `senet serve --help` lists its settings. */
#ifndef SERVER_CLI_SERVE_H
#define SERVER_CLI_SERVE_H

/* argv[0] is "serve". Returns the exit status: 0 after SIGTERM or SIGINT, 1 when it cannot start, 2 when asked wrongly. */
int cli_serve(int argc, char **argv);

#endif
