/* A bare TCP client that speaks just enough HTTP and WebSocket to be wrong on purpose. */
#ifndef TESTS_SERVER_SOCKET_H
#define TESTS_SERVER_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SOCKET_FRAME_BYTES_MAX = 1024 * 1024, SOCKET_ANSWER_BYTES_MAX = 256 * 1024 };

/* Connected, with a receive time-out of five seconds; -1 when nobody listens. `host` is an IPv4 or
 * IPv6 literal. */
int socket_connect(const char *host, int port);
/* From then on IPv4 connections come from this address of our own, like 127.0.0.2; NULL: from any. */
void socket_come_from(const char *address);
void socket_send(int fd, const void *bytes, size_t length);
/* Reads until the other side closes or `size` is reached; ended by zero. */
size_t socket_read_all(int fd, char *text, size_t size);
/* One HTTP exchange on a connection of its own: the status, and the whole answer in `answer`. */
int socket_http(const char *host, int port, const char *request, char *answer, size_t size);

/* A WebSocket after a handshake at /ws; -1 when it was refused. */
int socket_open_ws(const char *host, int port);
/* The status a handshake is answered with; `lines` are its headers, each ended by \r\n. */
int socket_handshake_status(const char *host, int port, const char *first_line, const char *lines);

struct socket_frame {
    int opcode; /* -1: the connection is over */
    bool final;
    size_t length;
    char payload[SOCKET_FRAME_BYTES_MAX]; /* ended by zero */
    int close_code;                       /* of opcode 8, with its reason in payload + 2 */
};
/* Sends one masked frame; first_byte is FIN and opcode. */
void socket_send_frame(int fd, unsigned char first_byte, const void *payload, size_t length);
void socket_send_text(int fd, const char *text);
void socket_read_frame(int fd, struct socket_frame *frame);
/* The next frame that is not a ping (pings are answered). */
void socket_read_message(int fd, struct socket_frame *frame);

#endif
