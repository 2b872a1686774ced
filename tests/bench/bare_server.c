/* What the library costs by itself: a libwebsockets server that moves the same frames as a room of
 * two, and knows nothing else. Written as the library's own examples are: one message per WRITEABLE
 * callback.
 *
 *     bare_server PORT [SPECTATORS]
 *
 * Connections are paired in the order they come; whatever one says is answered by an ack, and an
 * event goes to both (with a list of legal moves to the other one). Further connections than a
 * first pair, when SPECTATORS is given, get the first pair's events. */
#include <assert.h>
#include <libwebsockets.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUEUE_MAX = 64, PEERS_MAX = 40000 };

struct peer {
    struct lws *wsi;
    int index;
    const char *queue[QUEUE_MAX]; /* constant texts */
    int first, count;
};

static struct peer *peers[PEERS_MAX];
static int peer_count, spectators;

static const char ack[] = "{\"type\":\"ack\",\"re\":\"m17\",\"room\":\"bareroom\",\"version\":42}";
static char event_common[2048], event_to_move[4096], snapshot[4096];

static void push(struct peer *peer, const char *text)
{
    if (peer == NULL || peer->wsi == NULL)
        return;
    assert(peer->count < QUEUE_MAX);
    peer->queue[(peer->first + peer->count++) % QUEUE_MAX] = text;
    lws_callback_on_writable(peer->wsi);
}

static void on_move(struct peer *peer)
{
    push(peer, ack);
    push(peer, event_common);
    push(peers[peer->index ^ 1], event_to_move);
    if (peer->index < 2)
        for (int i = 2; i < 2 + spectators && i < peer_count; i++)
            push(peers[i], event_common);
}

static int write_one(struct peer *peer)
{
    unsigned char buffer[LWS_PRE + 4096];
    if (peer->count == 0)
        return 0;
    const char *text = peer->queue[peer->first];
    size_t length = strlen(text);
    peer->first = (peer->first + 1) % QUEUE_MAX;
    peer->count--;
    memcpy(buffer + LWS_PRE, text, length);
    if (lws_write(peer->wsi, buffer + LWS_PRE, length, LWS_WRITE_TEXT) < 0)
        return -1;
    if (peer->count > 0)
        lws_callback_on_writable(peer->wsi);
    return 0;
}

static int route(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *bytes,
                 size_t length)
{
    struct peer *peer = user;
    (void)bytes;
    (void)length;
    switch ((int)reason) {
    case LWS_CALLBACK_ESTABLISHED:
        assert(peer_count < PEERS_MAX);
        *peer = (struct peer){.wsi = wsi, .index = peer_count};
        peers[peer_count++] = peer;
        /* The second of a pair begins. */
        if (peer->index % 2 == 1 && (spectators == 0 || peer->index < 2))
            push(peer, snapshot);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        if (lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0)
            on_move(peer);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return write_one(peer);
    case LWS_CALLBACK_CLOSED:
        peer->wsi = NULL;
        peers[peer->index] = NULL;
        return 0;
    default:
        return 0;
    }
}

static void make_frames(void)
{
    static const char moves[] =
        "\"legal_moves\":[{\"from\":\"a7\",\"to\":\"a6\"},{\"from\":\"a7\",\"to\":\"a5\"},"
        "{\"from\":\"b7\",\"to\":\"b6\"},{\"from\":\"b7\",\"to\":\"b5\"},"
        "{\"from\":\"c7\",\"to\":\"c6\"},{\"from\":\"c7\",\"to\":\"c5\"},"
        "{\"from\":\"d7\",\"to\":\"d6\"},{\"from\":\"d7\",\"to\":\"d5\"},"
        "{\"from\":\"e7\",\"to\":\"e6\"},{\"from\":\"e7\",\"to\":\"e5\"},"
        "{\"from\":\"f7\",\"to\":\"f6\"},{\"from\":\"f7\",\"to\":\"f5\"},"
        "{\"from\":\"g7\",\"to\":\"g6\"},{\"from\":\"g7\",\"to\":\"g5\"},"
        "{\"from\":\"h7\",\"to\":\"h6\"},{\"from\":\"h7\",\"to\":\"h5\"},"
        "{\"from\":\"b8\",\"to\":\"a6\"},{\"from\":\"b8\",\"to\":\"c6\"},"
        "{\"from\":\"g8\",\"to\":\"f6\"},{\"from\":\"g8\",\"to\":\"h6\"}]";
    static const char members[] =
        "\"room\":\"bareroom\",\"version\":42,\"kind\":\"moved\",\"at\":1790000000000,\"seat\":"
        "\"white\","
        "\"move\":{\"from\":\"e2\",\"to\":\"e4\"},\"patch\":{\"cells\":{\"e2\":null,\"e4\":{"
        "\"figure\":"
        "\"pawn\",\"last_move\":1,\"moves_made\":1,\"player\":\"white\"}},\"last_move\":{\"from\":"
        "\"e2\",\"to\":\"e4\"},\"ply\":1,\"state\":\"black_move\",\"to_move\":\"black\"},"
        "\"hash\":\"9c1f03aa\"";
    snprintf(event_common, sizeof event_common, "{\"type\":\"event\",%s}", members);
    snprintf(event_to_move, sizeof event_to_move, "{\"type\":\"event\",%s,%s}", members, moves);
    snprintf(snapshot, sizeof snapshot, "{\"type\":\"snapshot\",\"room\":\"bareroom\",%s}", moves);
}

int main(int argc, char **argv)
{
    static const struct lws_protocols protocols[] = {
        {.name = "senet.v1",
         .callback = route,
         .per_session_data_size = sizeof(struct peer),
         .rx_buffer_size = 1024},
        {.name = NULL},
    };
    static const lws_retry_bo_t no_validity = {0};
    if (argc < 2)
        return 2;
    spectators = argc > 2 ? atoi(argv[2]) : 0;
    make_frames();
    lws_set_log_level(LLL_ERR, NULL);
    struct lws_context_creation_info info = {
        .port = atoi(argv[1]),
        .iface = "127.0.0.1",
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_DISABLE_IPV6,
        .retry_and_idle_policy = &no_validity,
    };
    struct lws_context *context = lws_create_context(&info);
    if (context == NULL)
        return 1;
    while (lws_service(context, 0) >= 0)
        ;
    lws_context_destroy(context);
    return 0;
}
