/* `senet playouts FILE…`: what comes of a game's rules when it is played by chance. See README.md. */
#ifndef SERVER_CLI_PLAYOUTS_H
#define SERVER_CLI_PLAYOUTS_H

/* argv[0] is "playouts". Returns the exit status: 0, 1 when the game cannot be played, 2 when asked wrongly. */
int cli_playouts(int argc, char **argv);

#endif
