/* `senet play FILE`: a game in a terminal, against bots or for both sides. See README.md. */
#ifndef SERVER_CLI_PLAY_H
#define SERVER_CLI_PLAY_H

/* argv[0] is "play". Returns the exit status: 0, 1 when the game cannot be played, 2 when asked wrongly. */
int cli_play(int argc, char **argv);

#endif
