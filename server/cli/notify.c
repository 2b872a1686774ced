#include "server/cli/notify.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* A path, or a name that begins with '@' where there is no file. */
static bool read_address(const char *text, struct sockaddr_un *address, socklen_t *size)
{
    size_t length = strlen(text);
    bool known = text[0] == '/' || text[0] == '@';
    if (!known || length < 2 || length >= sizeof address->sun_path)
        return false;
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(address->sun_path, text, length);
    if (text[0] == '@')
        address->sun_path[0] = '\0';
    *size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    return true;
}

void notify_say(const char *line)
{
    const char *text = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address;
    socklen_t size;
    if (text == NULL || !read_address(text, &address, &size))
        return;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return;
    sendto(fd, line, strlen(line), MSG_NOSIGNAL, (const struct sockaddr *)&address, size);
    close(fd);
}

uint64_t notify_watchdog_ms(void)
{
    const char *allowed_us = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
    if (allowed_us == NULL || (pid != NULL && strtoll(pid, NULL, 10) != getpid()))
        return 0;
    return strtoull(allowed_us, NULL, 10) / 2000;
}
