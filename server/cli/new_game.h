/* `senet new`: a game file to begin with. See README.md. */
#ifndef SERVER_CLI_NEW_GAME_H
#define SERVER_CLI_NEW_GAME_H

/* argv[0] is "new". Returns the exit status: 0, 1 when the file cannot be made, 2 when asked wrongly. */
int cli_new(int argc, char **argv);

#endif
