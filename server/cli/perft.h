/* `senet perft FILE DEPTH [--fen TEXT] [--divide] …`: how many sequences of turns there are. See README.md. */
#ifndef SERVER_CLI_PERFT_H
#define SERVER_CLI_PERFT_H

/* argv[0] is "perft". Returns the exit status: 0, 1 when the game cannot be played, 2 when asked wrongly. */
int cli_perft(int argc, char **argv);

#endif
