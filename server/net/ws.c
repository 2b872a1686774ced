/* Where the library calls us. route() is one line per reason; what each means is in the other
 * files.
 *
 * The library would accept a handshake of any version, method and origin and without a subprotocol;
 * all that is refused here, before the library sees it. It unmasks unmasked frames too (4.1 does, newer ones refuse them) and
 * does not let us see that they were. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/net/private.h"
#include "server/net/utf8.h"

enum { HEADER_BYTES_MAX = 256, CLOSE_CODE_MAX = 4999 };

static const char subprotocol[] = "senet.v1";

/* "" when it is absent, NULL when it is too long. */
static const char *header(const struct head *head, const char *name)
{
    const char *value = head_find(head, name);
    if (value == NULL)
        return "";
    return strlen(value) < HEADER_BYTES_MAX ? value : NULL;
}

/* Is `item` in a comma-separated list, in just this case? */
static bool lists(const char *list, const char *item)
{
    size_t length = strlen(item);
    while (*list != '\0') {
        list += strspn(list, ", \t");
        size_t part = strcspn(list, ",");
        size_t end = part;
        while (end > 0 && (list[end - 1] == ' ' || list[end - 1] == '\t'))
            end--;
        if (end == length && strncmp(list, item, length) == 0)
            return true;
        list += part;
    }
    return false;
}

/* In the order a person would ask. A header said twice is not judged: the library might read the other one. */
static bool said_once(const struct head *head)
{
    static const char *const names[] = {"upgrade",
                                        "connection",
                                        "sec-websocket-key",
                                        "sec-websocket-version",
                                        "sec-websocket-protocol",
                                        "origin",
                                        "host"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (head_count(head, names[i]) > 1)
            return false;
    return true;
}

int ws_judge_handshake(struct connection *connection, const struct head *head, const char **words)
{
    *words = "a WebSocket handshake is a GET";
    if (strcmp(head->method, "GET") != 0)
        return 405;
    *words = "there is no WebSocket here, but at /ws";
    if (strcmp(head->target, "/ws") != 0 || connection->for_metrics)
        return 404;
    *words = "a header of the handshake is said twice";
    if (!said_once(head) || head_find(head, "content-length") != NULL ||
        head_find(head, "transfer-encoding") != NULL || head->minor == 0)
        return 400;
    *words = "Connection: Upgrade is missing";
    const char *upgrade = header(head, "connection");
    if (upgrade == NULL || !head_lists(upgrade, "upgrade"))
        return 400;
    *words = "Sec-WebSocket-Key is missing or malformed";
    const char *key = header(head, "sec-websocket-key");
    if (key == NULL || strlen(key) != 24)
        return 400;
    *words = "Sec-WebSocket-Version must be 13";
    const char *version = header(head, "sec-websocket-version");
    if (version == NULL || strcmp(version, "13") != 0)
        return 426;
    *words = "the subprotocol must be senet.v1";
    const char *protocols = header(head, "sec-websocket-protocol");
    if (protocols == NULL || strlen(protocols) > 120 || !lists(protocols, subprotocol))
        return 400;
    *words = "this origin is not allowed";
    if (!origin_allowed(connection, head))
        return 403;
    *words = "too many connections from this address";
    const char *forwarded = header(head, "x-forwarded-for");
    if (connection_count_forwarded(connection, forwarded == NULL ? "" : forwarded) != ADMISSION_OK)
        return 429;
    return 0;
}

/* Judged before it was handed over. */
static int on_handshake(const char *upgrade)
{
    return strcasecmp(upgrade, "websocket") == 0 ? 0 : -1;
}

static int on_receive(struct connection *connection, const char *bytes, size_t length)
{
    struct lws *wsi = connection->wsi;
    if (lws_frame_is_binary(wsi))
        peer_refuse(connection->peer, 1003, "text frames only");
    peer_receive(connection, bytes, length, lws_remaining_packet_payload(wsi),
                 lws_is_final_fragment(wsi) != 0);
    return 0;
}

static int on_pong(struct connection *connection, const unsigned char *payload, size_t length)
{
    peer_answered_ping(connection->peer, payload, length);
    return 0;
}

static void set_code(unsigned char *payload, unsigned code)
{
    payload[0] = (unsigned char)(code >> 8);
    payload[1] = (unsigned char)(code & 0xff);
}

/* The library answers with a copy of what lies here. It has put 1002 in the place of most codes that are none, and lets
 * those above 4999 pass, and words that are no text. */
static void correct_close(unsigned char *payload, size_t length)
{
    if (length < 2)
        return;
    if ((payload[0] << 8 | payload[1]) > CLOSE_CODE_MAX)
        set_code(payload, 1002);
    if (utf8_valid((const char *)payload + 2, length - 2))
        return;
    set_code(payload, 1007);
    memset(payload + 2, '?', length - 2);
}

/* Their answer to our close frame ends the connection; when they began, what they have asked before is still answered, as
 * far as the socket takes it, and then the library answers with their code. */
static int on_peer_close(struct connection *connection, unsigned char *payload, size_t length)
{
    struct peer *peer = connection->peer;
    if (peer->state >= PEER_CLOSED)
        return -1;
    correct_close(payload, length);
    peer_write_now(peer);
    peer->state = PEER_CLOSED;
    peer->closing_ms = peer->closed_ms = uv_now(connection->net->loop);
    outbox_release(&peer->outbox);
    return 0;
}

/* The library closes for a reason of its own (a malformed frame): nothing may be written after its
 * close frame. */
static int on_unbound(struct connection *connection)
{
    struct peer *peer = connection->peer;
    if (peer == NULL || peer->state >= PEER_CLOSED)
        return 0;
    peer->state = PEER_CLOSED;
    peer->closing_ms = peer->closed_ms = uv_now(connection->net->loop);
    return 0;
}

static int on_established(struct connection *connection)
{
    peer_open(connection);
    return 0;
}

static int on_closed(struct connection *connection)
{
    if (connection->peer != NULL)
        peer_remove(connection);
    return 0;
}

static int on_writeable(struct connection *connection)
{
    peer_writeable(connection->peer);
    return 0;
}

static int on_destroyed(struct connection *connection, struct lws *wsi)
{
    lws_set_opaque_user_data(wsi, NULL);
    connection_free(connection);
    return 0;
}

static int route(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                 size_t length)
{
    struct connection *connection = lws_get_opaque_user_data(wsi);
    (void)user;
    if (connection == NULL)
        return 0; /* the library's own pipe, or a socket still being adopted */
    /* The library has many reasons that are not ours to answer. */
    // clang-format off
    switch ((int)reason) {
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:     return on_handshake(in);
    case LWS_CALLBACK_ESTABLISHED:              return on_established(connection);
    case LWS_CALLBACK_RECEIVE:                  return on_receive(connection, in, length);
    case LWS_CALLBACK_RECEIVE_PONG:             return on_pong(connection, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE:         return on_writeable(connection);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:  return on_peer_close(connection, in, length);
    case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL:  return on_unbound(connection);
    case LWS_CALLBACK_CLOSED:                   return on_closed(connection);
    case LWS_CALLBACK_HTTP:                     return -1; /* it sees no handshake where we did */
    case LWS_CALLBACK_WSI_DESTROY:              return on_destroyed(connection, wsi);
    default:                                    return 0;
    }
    // clang-format on
}

/* The first is for what is no WebSocket. The library would agree to its name as a subprotocol, so it
 * is one that cannot be asked for.
 *
 * A byte of the library's per-session memory is asked for because it tells the end of a binding
 * only to those that have some. */
static const struct lws_protocols protocols[] = {
    {.name = "plain HTTP", .callback = route, .tx_packet_size = NET_SCRATCH_BYTES},
    {.name = subprotocol,
     .callback = route,
     .per_session_data_size = 1,
     .rx_buffer_size = NET_RECEIVE_BYTES,
     .tx_packet_size = NET_SCRATCH_BYTES},
    {.name = NULL},
};

const struct lws_protocols *ws_protocols(void)
{
    return protocols;
}
