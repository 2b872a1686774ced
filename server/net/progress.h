/* What the kernel counts of a socket. */
#ifndef SERVER_NET_PROGRESS_H
#define SERVER_NET_PROGRESS_H

#include <stdint.h>

/* Bytes, ever. */
struct progress {
    uint64_t acknowledged; /* by the other side's kernel: grows as long as somebody reads there */
    uint64_t received;     /* by ours, whether they have been read or not */
};
struct progress progress_of_socket(int fd);
/* Received and not read yet. */
uint64_t progress_unread(int fd);

#endif
