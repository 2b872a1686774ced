/* `senet bot URL [--room ID | --seek GAME] [--seat NAME] [--moves random]`: a bot on the other end of a socket.
 */
#ifndef SERVER_CLI_BOT_H
#define SERVER_CLI_BOT_H

int cli_bot(int argc, char **argv);

#endif
