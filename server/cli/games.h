/* `senet games`: what an operator does about the games that players have published. */
#ifndef SERVER_CLI_GAMES_H
#define SERVER_CLI_GAMES_H

int cli_games(int argc, char **argv);

#endif
