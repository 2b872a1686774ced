/* Where this process is, in words that no other living process has: of this boot of the machine and this network the
 * address on which it listens, for a process has that alone. Whoever comes to a place knows that those who were there
 * before have ended. */
#ifndef SERVER_CLI_PLACE_H
#define SERVER_CLI_PLACE_H

#include <stddef.h>

enum { PLACE_BYTES = 256 };

/* "" when the system does not say enough to be sure. */
void place_write(const char *host, int port, char place[PLACE_BYTES]);

#endif
