/* Does the other side of a socket take what is sent? */
#ifndef SERVER_NET_PROGRESS_H
#define SERVER_NET_PROGRESS_H

#include <stdint.h>

/* Bytes the other side's kernel has acknowledged, ever: grows as long as somebody reads there,
 * however slowly. */
uint64_t progress_of_socket(int fd);

#endif
