/* `senet check [--json | --explain] FILE…`: what is wrong with game files, as a compiler says it: first with their words,
 * then, where those are sound, what their own tests find. */
#ifndef SERVER_CLI_CHECK_H
#define SERVER_CLI_CHECK_H

/* 0: no errors; 1: errors; 2: asked wrongly, or a file cannot be read. argv[0] is "check". */
int cli_check(int argc, char **argv);

#endif
