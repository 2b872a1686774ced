/* Where the library calls us. route() is one line per reason; what each means is in the other
 * files.
 *
 * The library would accept a handshake of any version, method and origin and without a subprotocol;
 * all that is refused here. It unmasks unmasked frames too (4.1 does, newer ones refuse them) and
 * does not let us see that they were. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/net/private.h"

enum { HEADER_BYTES_MAX = 256 };

static const char subprotocol[] = "senet.v1";

/* The value of a header, "" when it is absent, NULL when it is too long. */
static const char *header(struct lws *wsi, enum lws_token_indexes token, char *value)
{
    value[0] = '\0';
    if (lws_hdr_total_length(wsi, token) == 0)
        return value;
    return lws_hdr_copy(wsi, value, HEADER_BYTES_MAX, token) < 0 ? NULL : value;
}

/* Is `item` in a comma-separated list? `compare`: strncmp, or strncasecmp where case is free. */
static bool lists(const char *list, const char *item,
                  int (*compare)(const char *one, const char *other, size_t length))
{
    size_t length = strlen(item);
    while (*list != '\0') {
        list += strspn(list, ", \t");
        size_t part = strcspn(list, ",");
        size_t end = part;
        while (end > 0 && (list[end - 1] == ' ' || list[end - 1] == '\t'))
            end--;
        if (end == length && compare(list, item, length) == 0)
            return true;
        list += part;
    }
    return false;
}

/* Programs send no Origin and may connect; a page says where it is from, and must be from an
 * allowed place. */
static bool origin_allowed(const struct net *net, const char *origin)
{
    if (net->options.origins[0] == '\0' || origin[0] == '\0')
        return true;
    return lists(net->options.origins, origin, strncasecmp);
}

/* 0, or the HTTP status of the refusal with its words; in the order a person would ask. */
static int judge_handshake(struct connection *connection, const char **words)
{
    struct lws *wsi = connection->wsi;
    char value[HEADER_BYTES_MAX];
    *words = "a WebSocket handshake is a GET";
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0)
        return 405;
    *words = "there is no WebSocket here, but at /ws";
    const char *path = header(wsi, WSI_TOKEN_GET_URI, value);
    if (path == NULL || strcmp(path, "/ws") != 0)
        return 404;
    *words = "Connection: Upgrade is missing";
    const char *upgrade = header(wsi, WSI_TOKEN_CONNECTION, value);
    if (upgrade == NULL || !lists(upgrade, "upgrade", strncasecmp))
        return 400;
    *words = "Sec-WebSocket-Key is missing or malformed";
    const char *key = header(wsi, WSI_TOKEN_KEY, value);
    if (key == NULL || strlen(key) != 24)
        return 400;
    *words = "Sec-WebSocket-Version must be 13";
    const char *version = header(wsi, WSI_TOKEN_VERSION, value);
    if (version == NULL || strcmp(version, "13") != 0)
        return 426;
    *words = "the subprotocol must be senet.v1";
    const char *protocols = header(wsi, WSI_TOKEN_PROTOCOL, value);
    if (protocols == NULL || strlen(protocols) > 120 || !lists(protocols, subprotocol, strncmp))
        return 400;
    *words = "this origin is not allowed";
    const char *origin = header(wsi, WSI_TOKEN_ORIGIN, value);
    if (origin == NULL || !origin_allowed(connection->net, origin))
        return 403;
    *words = "too many connections from this address";
    const char *forwarded = header(wsi, WSI_TOKEN_X_FORWARDED_FOR, value);
    if (connection_count_forwarded(connection, forwarded == NULL ? "" : forwarded) != ADMISSION_OK)
        return 429;
    return 0;
}

static int on_handshake(struct connection *connection, const char *upgrade)
{
    const char *words;
    if (strcasecmp(upgrade, "websocket") != 0)
        return -1; /* h2c and whatever else */
    connection->net->statistics.handshakes++;
    int status = judge_handshake(connection, &words);
    if (status == 0)
        return 0;
    connection->net->statistics.handshakes_refused++;
    http_refuse(connection, status, words);
    return 1;
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

static int on_pong(struct connection *connection)
{
    connection->peer->heard_ms = uv_now(connection->net->loop);
    return 0;
}

/* Their answer to our close frame ends the connection; when they began, the library answers with
 * their code, and what is still queued is nobody's any more. */
static int on_peer_close(struct connection *connection)
{
    struct peer *peer = connection->peer;
    if (peer->state >= PEER_CLOSED)
        return -1;
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
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:     return on_handshake(connection, in);
    case LWS_CALLBACK_ESTABLISHED:              return on_established(connection);
    case LWS_CALLBACK_RECEIVE:                  return on_receive(connection, in, length);
    case LWS_CALLBACK_RECEIVE_PONG:             return on_pong(connection);
    case LWS_CALLBACK_SERVER_WRITEABLE:         return on_writeable(connection);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:  return on_peer_close(connection);
    case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL:  return on_unbound(connection);
    case LWS_CALLBACK_CLOSED:                   return on_closed(connection);
    case LWS_CALLBACK_HTTP:                     return http_request(connection, in);
    case LWS_CALLBACK_HTTP_BODY:                return http_body(connection, in, length);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:     return http_body_complete(connection);
    case LWS_CALLBACK_HTTP_WRITEABLE:           return http_writeable(connection);
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
