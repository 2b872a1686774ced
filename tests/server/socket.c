#include "tests/server/socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static const char *own_address;

void socket_come_from(const char *address)
{
    own_address = address;
}

static void bind_own(int fd)
{
    struct sockaddr_in in = {.sin_family = AF_INET};
    if (own_address != NULL && inet_pton(AF_INET, own_address, &in.sin_addr) == 1)
        bind(fd, (struct sockaddr *)&in, sizeof in);
}

int socket_connect(const char *host, int port)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons((in_port_t)port)};
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_port = htons((in_port_t)port)};
    bool is_ipv4 = inet_pton(AF_INET, host, &in.sin_addr) == 1;
    if (!is_ipv4 && inet_pton(AF_INET6, host, &in6.sin6_addr) != 1)
        return -1;
    int fd = socket(is_ipv4 ? AF_INET : AF_INET6, SOCK_STREAM, 0);
    if (is_ipv4)
        bind_own(fd);
    struct timeval timeout = {.tv_sec = 60}; /* against hanging; nothing is measured by it */
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
    int result = is_ipv4 ? connect(fd, (struct sockaddr *)&in, sizeof in)
                         : connect(fd, (struct sockaddr *)&in6, sizeof in6);
    if (result == 0)
        return fd;
    close(fd);
    return -1;
}

void socket_send(int fd, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length > 0) {
        ssize_t sent = send(fd, at, length, MSG_NOSIGNAL);
        if (sent <= 0)
            return; /* the other side has closed: what it said is what the test looks at */
        at += sent;
        length -= (size_t)sent;
    }
}

size_t socket_read_all(int fd, char *text, size_t size)
{
    size_t used = 0;
    while (used < size - 1) {
        ssize_t got = recv(fd, text + used, size - 1 - used, 0);
        if (got <= 0)
            break;
        used += (size_t)got;
    }
    text[used] = '\0';
    return used;
}

int socket_http(const char *host, int port, const char *request, char *answer, size_t size)
{
    int fd = socket_connect(host, port), status = 0;
    answer[0] = '\0';
    if (fd < 0)
        return -1;
    socket_send(fd, request, strlen(request));
    socket_read_all(fd, answer, size);
    close(fd);
    sscanf(answer, "HTTP/1.1 %d", &status);
    return status;
}

/* Up to the empty line, byte by byte, so that nothing of the frames behind it is taken. */
static int read_head(int fd)
{
    char head[4096];
    size_t used = 0;
    int status = 0;
    while (used < sizeof head - 1 && recv(fd, head + used, 1, 0) == 1) {
        head[++used] = '\0';
        if (used >= 4 && strcmp(head + used - 4, "\r\n\r\n") == 0)
            break;
    }
    head[used] = '\0';
    sscanf(head, "HTTP/1.1 %d", &status);
    return status;
}

int socket_handshake_status(const char *host, int port, const char *first_line, const char *lines)
{
    char request[4096];
    int fd = socket_connect(host, port);
    snprintf(request, sizeof request, "%s HTTP/1.1\r\nHost: test\r\n%s\r\n", first_line, lines);
    socket_send(fd, request, strlen(request));
    int status = read_head(fd);
    close(fd);
    return status;
}

int socket_open_ws(const char *host, int port)
{
    static const char request[] =
        "GET /ws HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Protocol: senet.v1\r\n\r\n";
    int fd = socket_connect(host, port);
    if (fd < 0)
        return -1;
    socket_send(fd, request, sizeof request - 1);
    if (read_head(fd) == 101)
        return fd;
    close(fd);
    return -1;
}

void socket_send_frame(int fd, unsigned char first_byte, const void *payload, size_t length)
{
    static const unsigned char mask[4] = {0x12, 0x34, 0x56, 0x78};
    unsigned char *frame = malloc(length + 14);
    size_t used = 0;
    frame[used++] = first_byte;
    if (length < 126) {
        frame[used++] = (unsigned char)(0x80 | length);
    } else if (length < 65536) {
        frame[used++] = 0x80 | 126;
        frame[used++] = (unsigned char)(length >> 8);
        frame[used++] = (unsigned char)(length & 0xff);
    } else {
        frame[used++] = 0x80 | 127;
        for (int shift = 56; shift >= 0; shift -= 8)
            frame[used++] = (unsigned char)((uint64_t)length >> shift);
    }
    memcpy(frame + used, mask, 4);
    used += 4;
    for (size_t i = 0; i < length; i++)
        frame[used + i] = ((const unsigned char *)payload)[i] ^ mask[i & 3];
    socket_send(fd, frame, used + length);
    free(frame);
}

void socket_send_text(int fd, const char *text)
{
    socket_send_frame(fd, 0x81, text, strlen(text));
}

static bool read_bytes(int fd, void *bytes, size_t length)
{
    char *at = bytes;
    while (length > 0) {
        ssize_t got = recv(fd, at, length, 0);
        if (got <= 0)
            return false;
        at += got;
        length -= (size_t)got;
    }
    return true;
}

static bool read_length(int fd, unsigned char second, size_t *length)
{
    unsigned char more[8];
    size_t count = second == 126 ? 2 : second == 127 ? 8 : 0;
    *length = second;
    if (count == 0)
        return true;
    if (!read_bytes(fd, more, count))
        return false;
    *length = 0;
    for (size_t i = 0; i < count; i++)
        *length = *length << 8 | more[i];
    return true;
}

void socket_read_frame(int fd, struct socket_frame *frame)
{
    unsigned char head[2];
    frame->opcode = -1;
    frame->close_code = 0;
    frame->payload[0] = '\0';
    if (!read_bytes(fd, head, 2) || !read_length(fd, head[1], &frame->length) ||
        frame->length >= SOCKET_FRAME_BYTES_MAX || !read_bytes(fd, frame->payload, frame->length))
        return;
    frame->payload[frame->length] = '\0';
    frame->final = (head[0] & 0x80) != 0;
    frame->opcode = head[0] & 0x7f;
    if (frame->opcode == 8 && frame->length >= 2)
        frame->close_code =
            (unsigned char)frame->payload[0] << 8 | (unsigned char)frame->payload[1];
}

void socket_read_message(int fd, struct socket_frame *frame)
{
    do {
        socket_read_frame(fd, frame);
        if (frame->opcode == 9)
            socket_send_frame(fd, 0x8a, frame->payload, frame->length);
    } while (frame->opcode == 9);
}
