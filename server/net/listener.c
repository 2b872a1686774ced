/* The listening sockets. Ours, not the library's: it binds exactly what was asked (the library
 * listens everywhere unless told not to), takes a free port, refuses before anything is spent, and
 * closes first when the server stops. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/net/private.h"

#include "engine/memory/memory.h"

enum { BACKLOG = 4096, ACCEPTS_PER_TURN = 64 };

static bool fail(char *words, size_t words_size, const char *what, const char *why)
{
    snprintf(words, words_size, "%s: %s", what, why);
    return false;
}

static bool set_nonblocking(int fd)
{
    return fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

/* The socket or -1; the first step that fails leaves its errno. */
static int open_socket(const struct sockaddr_storage *address)
{
    int on = 1, buffer = NET_SEND_BUFFER_BYTES;
    socklen_t size =
        address->ss_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
    int fd = socket(address->ss_family, SOCK_STREAM, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    /* Accepted sockets inherit both. A move is one small write that must not wait for the last one's ACK. */
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (address->ss_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (bind(fd, (const struct sockaddr *)address, size) == 0 && set_nonblocking(fd))
        return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

static bool bind_door(struct door *door, char *words, size_t words_size)
{
    struct sockaddr_storage address;
    socklen_t size = sizeof door->bound;
    if (!address_read_listen(door->listen, &address))
        return fail(words, words_size, door->listen,
                    "not an address and port, like 127.0.0.1:8080 or [::1]:8080");
    door->fd = open_socket(&address);
    if (door->fd < 0)
        return fail(words, words_size, door->listen, strerror(errno));
    getsockname(door->fd, (struct sockaddr *)&door->bound, &size);
    return true;
}

bool listener_bind(struct net *net, char *words, size_t words_size)
{
    net->doors[DOOR_PUBLIC].listen = net->options.listen;
    net->doors[DOOR_METRICS].listen = net->options.metrics_listen;
    for (int i = 0; i < DOOR_COUNT; i++) {
        net->doors[i].net = net;
        net->doors[i].fd = -1;
    }
    for (int i = 0; i < DOOR_COUNT; i++)
        if (net->doors[i].listen[0] != '\0' && !bind_door(&net->doors[i], words, words_size))
            return false;
    return true;
}

static bool is_exempt(const struct net *net, const struct address *address)
{
    return address_is_loopback(address) && !net->options.limit_loopback;
}

/* Who is behind a trusted proxy is known only once its headers are there. */
static bool is_proxy(const struct net *net, const struct address *address)
{
    return net->options.trust_forwarded &&
           (address_is_loopback(address) || address_is_private(address));
}

static enum admission_answer count_for(struct connection *connection, const struct address *address)
{
    struct net *net = connection->net;
    if (is_exempt(net, address))
        return ADMISSION_OK;
    connection->counted = address_group(address);
    enum admission_answer answer =
        admission_enter(net->admission, &connection->counted, uv_now(net->loop));
    connection->is_counted = answer == ADMISSION_OK;
    return answer;
}

/* A list of addresses; the last was added by the proxy we trust, the others by whoever. */
static struct address forwarded_address(const struct connection *connection,
                                        const char *forwarded_for)
{
    const char *last = strrchr(forwarded_for, ',');
    last = last == NULL ? forwarded_for : last + 1;
    while (*last == ' ')
        last++;
    char text[ADDRESS_TEXT_BYTES];
    struct address address;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(last, " "), last);
    return address_read(text, &address) ? address : connection->remote;
}

enum admission_answer connection_count_forwarded(struct connection *connection,
                                                 const char *forwarded_for)
{
    if (!connection->from_proxy || connection->is_counted)
        return ADMISSION_OK;
    struct address address = forwarded_address(connection, forwarded_for);
    enum admission_answer answer = count_for(connection, &address);
    if (answer == ADMISSION_OK && !shares_let_in(connection))
        answer = ADMISSION_TOO_MANY;
    connection->net->statistics.refused_address += answer != ADMISSION_OK;
    return answer;
}

int connection_socket(const struct connection *connection)
{
    if (connection->secure != NULL)
        return secure_socket(connection->secure);
    return connection->wsi != NULL ? lws_get_socket_fd(connection->wsi) : connection->fd;
}

struct core_address connection_client(const struct connection *connection,
                                      const char *forwarded_for)
{
    struct core_address client = {{0}};
    struct address address = connection->is_counted ? connection->counted : connection->remote;
    if (connection->from_proxy && forwarded_for != NULL)
        address = forwarded_address(connection, forwarded_for);
    if (is_exempt(connection->net, &address))
        return client;
    struct address group = address_group(&address);
    memcpy(client.bytes, group.bytes, sizeof client.bytes);
    return client;
}

/* Without the library: what is refused here shall cost nothing. */
static void refuse(int fd, const char *status)
{
    char text[160];
    int length = snprintf(text, sizeof text,
                          "HTTP/1.1 %s\r\nContent-Length: 0\r\nRetry-After: 5\r\n"
                          "Connection: close\r\n\r\n",
                          status);
    send(fd, text, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL);
    close(fd);
}

static struct connection *connection_new(struct net *net, const struct sockaddr *remote)
{
    struct connection *connection = memory_zeroed(1, sizeof(*connection));
    connection->net = net;
    address_of_socket(remote, &connection->remote);
    connection->from_proxy = is_proxy(net, &connection->remote);
    connection->since_ms = uv_now(net->loop);
    shares_add(connection);
    net->statistics.connections++;
    return connection;
}

void connection_free(struct connection *connection)
{
    if (connection->peer != NULL)
        peer_remove(connection);
    turn_forget(connection);
    if (connection->is_counted)
        admission_leave(connection->net->admission, &connection->counted);
    shares_remove(connection);
    connection->net->statistics.connections--;
    if (connection->secure != NULL)
        secure_let_go(connection->secure);
    exchange_end(connection);
    free(connection->body.head);
    free(connection->body.owned);
    free(connection);
}

static void take(const struct door *door, int fd, const struct sockaddr *remote)
{
    struct net *net = door->net;
    net->statistics.accepted++;
    struct connection *connection = connection_new(net, remote);
    connection->for_metrics = door == &net->doors[DOOR_METRICS];
    if (!connection->from_proxy && count_for(connection, &connection->remote) != ADMISSION_OK) {
        net->statistics.refused_address++;
        connection_free(connection);
        refuse(fd, "429 Too Many Requests");
        return;
    }
    if (connection->from_proxy ? !shares_await_head(connection) : !shares_let_in(connection)) {
        net->statistics.refused_full++;
        connection_free(connection);
        refuse(fd, "503 Service Unavailable");
        return;
    }
    connection->is_secure = net->certificate != NULL && !connection->for_metrics;
    bool is_taken = set_nonblocking(fd) && (!connection->is_secure || secure_begin(connection, fd));
    if (is_taken && !connection->is_secure)
        plain_begin(connection, fd);
    if (!is_taken) {
        connection_free(connection);
        close(fd);
    }
}

/* Newcomers take no more of a turn than all others who do not play. */
static void on_readable(uv_poll_t *handle, int status, int events)
{
    struct door *door = handle->data;
    const uint64_t until_ns =
        uv_hrtime() + (uint64_t)door->net->options.turn_us * 1000 / TURN_OTHERS;
    (void)events;
    errno = 0;
    for (int i = 0; status == 0 && i < ACCEPTS_PER_TURN && (i == 0 || uv_hrtime() < until_ns);
         i++) {
        struct sockaddr_storage remote;
        socklen_t size = sizeof remote;
        int fd = accept(door->fd, (struct sockaddr *)&remote, &size);
        if (fd >= 0)
            take(door, fd, (const struct sockaddr *)&remote);
        else if (errno != ECONNABORTED && errno != EINTR)
            break;
    }
    /* No descriptor is free: asking again at once would only burn the processor. The sweep resumes.
     */
    if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
        uv_poll_stop(handle);
}

void listener_resume(struct net *net)
{
    for (int i = 0; i < DOOR_COUNT; i++) {
        struct door *door = &net->doors[i];
        if (door->accepting && !uv_is_active((const uv_handle_t *)&door->poll))
            uv_poll_start(&door->poll, UV_READABLE, on_readable);
    }
}

static bool open_door(struct door *door, char *words, size_t words_size)
{
    if (listen(door->fd, BACKLOG) != 0)
        return fail(words, words_size, door->listen, strerror(errno));
    uv_poll_init_socket(door->net->loop, &door->poll, door->fd);
    door->poll.data = door;
    door->accepting = true;
    uv_poll_start(&door->poll, UV_READABLE, on_readable);
    return true;
}

bool listener_start(struct net *net, char *words, size_t words_size)
{
    for (int i = 0; i < DOOR_COUNT; i++)
        if (net->doors[i].fd >= 0 && !open_door(&net->doors[i], words, words_size))
            return false;
    return true;
}

void listener_stop(struct net *net)
{
    for (int i = 0; i < DOOR_COUNT; i++) {
        struct door *door = &net->doors[i];
        if (door->accepting)
            uv_close((uv_handle_t *)&door->poll, NULL);
        door->accepting = false;
        if (door->fd >= 0)
            close(door->fd);
        door->fd = -1;
    }
}
