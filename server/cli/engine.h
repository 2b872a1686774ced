/* `senet engine [FILE [--players N] [--ignore-movement-if]]`: the rules of one game for other programs.
 *
 * One JSON object a line on standard input, one answer a line on standard output, in order. See README.md. */
#ifndef SERVER_CLI_ENGINE_H
#define SERVER_CLI_ENGINE_H

#include <stdbool.h>
#include <stdio.h>

struct engine;

/* argv[0] is "engine". Returns the exit status: 0, 1 when the game or the output fails, 2 when asked wrongly. */
int cli_engine(int argc, char **argv);

/* Answers lines from `in` on `out` until the end or `quit`; false when `out` fails. */
bool engine_serve(struct engine *engine, FILE *in, FILE *out);

#endif
