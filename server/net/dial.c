#include "server/net/dial.h"

#include "engine/memory/memory.h"

#include <assert.h>
#include <libwebsockets.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

/* Who dials plays: a server that says nothing for so long is asked whether it is there, and left when it stays silent. The library
 * does both. */
enum { SILENT_S = 3 };

static const lws_retry_bo_t silence = {.secs_since_valid_ping = SILENT_S,
                                       .secs_since_valid_hangup = 2 * SILENT_S};

struct dial {
    struct uv_loop_s *loop; /* borrowed */
    struct lws_context *lws;
    enum { DIAL_IDLE, DIAL_CONNECTING, DIAL_OPEN } state;
    struct lws *wsi; /* of the attempt or the connection; NULL when there is none */
    struct dial_address address;
    struct dial_events events;
    char *received; /* fragments of the message that is arriving */
    size_t received_length;
    int close_code;
    char close_reason[124];
    bool hanging_up;
};

static bool read_port(const char *text, int *port)
{
    char *end = NULL;
    long value = strtol(text, &end, 10);
    if (end == text || value < 1 || value > 65535)
        return false;
    *port = (int)value;
    return *end == '\0' || *end == '/';
}

static bool read_host(const char *start, size_t length, struct dial_address *address)
{
    const char *port = NULL;
    if (length > 0 && start[0] == '[') {
        const char *end = memchr(start, ']', length);
        if (end == NULL)
            return false;
        port = end + 1 < start + length && end[1] == ':' ? end + 1 : NULL;
        start++;
        length = (size_t)(end - start);
    } else {
        port = memchr(start, ':', length);
        if (port != NULL)
            length = (size_t)(port - start);
    }
    if (length == 0 || length >= sizeof address->host)
        return false;
    memcpy(address->host, start, length);
    address->host[length] = '\0';
    return port == NULL || read_port(port + 1, &address->port);
}

bool dial_address_read(const char *url, struct dial_address *address)
{
    static const struct {
        const char *scheme;
        bool secure;
    } schemes[] = {{"http://", false}, {"ws://", false}, {"https://", true}, {"wss://", true}};
    memset(address, 0, sizeof *address);
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t length = strlen(schemes[i].scheme);
        if (strncmp(url, schemes[i].scheme, length) == 0) {
            address->secure = schemes[i].secure;
            address->port = address->secure ? 443 : 80;
            url += length;
            break;
        }
    }
    if (address->port == 0)
        return false;
    const char *room = strstr(url, "/room/");
    if (room != NULL)
        snprintf(address->room, sizeof address->room, "%.*s", (int)strcspn(room + 6, "/?#"),
                 room + 6);
    return read_host(url, strcspn(url, "/?#"), address);
}

/* Connection is over, for whatever reason: forget it, then say so once. */
static void connection_over(struct dial *dial, const char *reason)
{
    if (dial->state == DIAL_IDLE)
        return;
    dial->state = DIAL_IDLE;
    dial->wsi = NULL;
    dial->received_length = 0;
    dial->hanging_up = false;
    dial->events.closed(dial->events.context, dial->close_code,
                        dial->close_reason[0] != '\0' ? dial->close_reason : reason);
}

/* Collects fragments; -1 closes the connection. */
static int receive(struct dial *dial, struct lws *wsi, const char *bytes, size_t length)
{
    if (dial->received_length + length > DIAL_RECEIVED_BYTES_MAX)
        return -1;
    if (length > 0) {
        char *more = realloc(dial->received, dial->received_length + length);
        if (more == NULL)
            return -1;
        dial->received = more;
        memcpy(dial->received + dial->received_length, bytes, length);
        dial->received_length += length;
    }
    if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) > 0)
        return 0;
    size_t whole = dial->received_length;
    dial->received_length = 0;
    dial->events.received(dial->events.context, dial->received, whole);
    return 0;
}

static int write_next(struct dial *dial, struct lws *wsi)
{
    if (dial->hanging_up) {
        lws_close_reason(wsi, LWS_CLOSE_STATUS_NORMAL, NULL, 0);
        return -1;
    }
    size_t length = 0;
    const char *frame = dial->events.next_frame(dial->events.context, &length);
    if (frame == NULL)
        return 0;
    unsigned char *buffer = malloc(LWS_PRE + length);
    if (buffer == NULL)
        return -1;
    memcpy(buffer + LWS_PRE, frame, length);
    int written = lws_write(wsi, buffer + LWS_PRE, length, LWS_WRITE_TEXT);
    free(buffer);
    if (written < 0)
        return -1;
    lws_callback_on_writable(wsi);
    return 0;
}

static void note_close(struct dial *dial, const unsigned char *bytes, size_t length)
{
    if (length < 2)
        return;
    dial->close_code = bytes[0] << 8 | bytes[1];
    snprintf(dial->close_reason, sizeof dial->close_reason, "%.*s", (int)(length - 2), bytes + 2);
}

static int route(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *bytes,
                 size_t length)
{
    (void)user;
    struct dial *dial = lws_context_user(lws_get_context(wsi));
    if (dial == NULL || dial->state == DIAL_IDLE)
        return 0;
    switch ((int)reason) {
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        dial->state = DIAL_OPEN;
        dial->wsi = wsi;
        dial->events.opened(dial->events.context);
        lws_callback_on_writable(wsi);
        return 0;
    case LWS_CALLBACK_CLIENT_RECEIVE:
        return receive(dial, wsi, bytes, length);
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return write_next(dial, wsi);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        note_close(dial, bytes, length);
        return 0;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        connection_over(dial, bytes != NULL ? bytes : "no connection");
        return 0;
    case LWS_CALLBACK_CLIENT_CLOSED:
        connection_over(dial, "the connection ended");
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        /* A server that dies between accepting and answering ends an attempt without a word of the two above. */
        if (wsi == dial->wsi)
            connection_over(dial, "no answer");
        return 0;
    default:
        return 0;
    }
}

static const struct lws_protocols protocols[] = {
    {.name = "senet.v1", .callback = route, .rx_buffer_size = 4096},
    {.name = NULL},
};

struct dial *dial_new(struct uv_loop_s *loop, const struct dial_address *address,
                      const struct dial_events *events)
{
    struct dial *dial = memory_zeroed(1, sizeof *dial);
    dial->loop = loop;
    dial->address = *address;
    dial->events = *events;
    lws_set_log_level(LLL_ERR, NULL);
    void *loops[] = {loop};
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT,
        .foreign_loops = loops,
        .user = dial,
    };
    dial->lws = lws_create_context(&info);
    assert(dial->lws != NULL);
    return dial;
}

void dial_connect(struct dial *dial)
{
    assert(dial->state == DIAL_IDLE);
    dial->state = DIAL_CONNECTING;
    dial->close_code = 0;
    dial->close_reason[0] = '\0';
    struct lws_client_connect_info info = {
        .context = dial->lws,
        .address = dial->address.host,
        .host = dial->address.host,
        .port = dial->address.port,
        .path = "/ws",
        .protocol = "senet.v1",
        .pwsi = &dial->wsi,
        .retry_and_idle_policy = &silence,
        .ssl_connection = dial->address.secure ? LCCSCF_USE_SSL : 0,
    };
    /* A connection that fails at once may have been reported by CLIENT_CONNECTION_ERROR, or not at
     * all. */
    if (lws_client_connect_via_info(&info) == NULL)
        connection_over(dial, "no connection");
}

void dial_turn_to(struct dial *dial, const struct dial_address *address)
{
    dial->address = *address;
}

void dial_wants_to_send(struct dial *dial)
{
    if (dial->state == DIAL_OPEN)
        lws_callback_on_writable(dial->wsi);
}

void dial_hang_up(struct dial *dial)
{
    dial->hanging_up = true;
    dial_wants_to_send(dial);
}

void dial_free(struct dial *dial)
{
    dial->state = DIAL_IDLE;
    lws_context_destroy(dial->lws);
    uv_run(dial->loop, UV_RUN_DEFAULT);
    lws_context_destroy(dial->lws);
    free(dial->received);
    free(dial);
}
