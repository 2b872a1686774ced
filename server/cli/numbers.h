/* Numbers of the command line. */
#ifndef SERVER_CLI_NUMBERS_H
#define SERVER_CLI_NUMBERS_H

#include <stdbool.h>

/* A whole number from `least` to `most` and nothing else. */
bool number_read(const char *text, int least, int most, int *number);

#endif
