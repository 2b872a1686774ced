/* `senet ratings`: how strong players are, and whether that follows from their games. */
#ifndef SERVER_CLI_RATINGS_H
#define SERVER_CLI_RATINGS_H

int cli_ratings(int argc, char **argv);

#endif
