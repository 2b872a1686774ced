/* An outgoing WebSocket connection to a Senet server: what bots use. The other side of ws.c, on the
 * same library.
 *
 * One dial is one connection after another: dial_connect may be called again after `closed`. Text
 * frames only; what arrives in fragments is handed over whole. Everything happens on the loop's
 * thread. */
#ifndef SERVER_NET_DIAL_H
#define SERVER_NET_DIAL_H

#include <stdbool.h>
#include <stddef.h>

struct uv_loop_s;
struct dial;

struct dial_events {
    void *context;
    void (*opened)(void *context);
    void (*received)(void *context, const char *text, size_t length);
    /* The connection is over, or was never made; `code` is the close code, 0 when there was none.
     */
    void (*closed)(void *context, int code, const char *reason);
    /* The next frame to send, borrowed for the call, or NULL: asked for whenever the socket can
     * take one. */
    const char *(*next_frame)(void *context, size_t *length);
};

enum { DIAL_RECEIVED_BYTES_MAX = 4 * 1024 * 1024, DIAL_HOST_BYTES_MAX = 256 };

/* Where a server is: "http://host:port", "ws://host/ws", "https://host/room/ROOM"… The path is not
 * used but for the room in it. */
struct dial_address {
    char host[DIAL_HOST_BYTES_MAX];
    int port;
    bool secure;
    char room[24]; /* "" when the address names none */
};
bool dial_address_read(const char *url, struct dial_address *address);

struct dial *dial_new(struct uv_loop_s *loop, const struct dial_address *address,
                      const struct dial_events *events);
void dial_connect(struct dial *dial);
/* From the next connection on it is another server. */
void dial_turn_to(struct dial *dial, const struct dial_address *address);
void dial_wants_to_send(struct dial *dial); /* next_frame has something */
void dial_hang_up(struct dial *dial);       /* `closed` follows */
/* Three steps, as the library wants it: destroys, runs the loop until its handles are closed,
 * destroys again. */
void dial_free(struct dial *dial);

#endif
