/* `senet replay`: plays an exported game again and says whether it is what it claims to be. */
#ifndef SERVER_CLI_REPLAY_H
#define SERVER_CLI_REPLAY_H

int cli_replay(int argc, char **argv);

#endif
