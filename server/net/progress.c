#include "server/net/progress.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* The kernel's own header: the C library's struct tcp_info ends before the fields, and the two
 * exclude each other. */
#include <linux/tcp.h>

struct progress progress_of_socket(int fd)
{
    struct tcp_info info;
    socklen_t size = sizeof info;
    memset(&info, 0, sizeof info);
    getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size);
    return (struct progress){.acknowledged = info.tcpi_bytes_acked,
                             .received = info.tcpi_bytes_received};
}

uint64_t progress_unread(int fd)
{
    int waiting = 0;
    return ioctl(fd, FIONREAD, &waiting) == 0 ? (uint64_t)waiting : 0;
}
