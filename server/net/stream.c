/* Answers without an end: to one request line after line, as they come. What waits for its reader is bounded as a WebSocket's is
 * (outbox.h), he is dropped in the same time when he takes nothing, and he gives way like one. Nothing he sends is read, so all that
 * is waited for is that he goes. Where there is nothing to say a blank line shows now and then whether he is still there. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "server/net/private.h"
#include "server/net/progress.h"

#include "engine/memory/memory.h"

struct net_stream {
    struct connection *connection;
    peer_id id;
    struct outbox outbox;
    char *rest; /* owned: what the socket did not take; NULL: nothing */
    size_t rest_length, rest_written;
    struct link to_write;               /* in net->streams */
    uint64_t said_ms;                   /* when something was written last, */
    uint64_t progress_ms, acknowledged; /* when he last took bytes, and how many in all */
    bool was_full;                      /* SEND_FULL was said and `drained` not yet */
    bool is_idle;                       /* a blank line is due */
    bool ends;                          /* when all is written */
};

static void wants_to_write(struct net_stream *stream)
{
    struct net *net = stream->connection->net;
    if (!link_listed(&stream->to_write))
        list_append(&net->streams, &stream->to_write, stream);
}

struct net_stream *net_stream_begin(struct net *net, uint64_t ticket, peer_id id)
{
    struct exchange *exchange = exchange_find(net, ticket);
    if (exchange == NULL)
        return NULL;
    struct connection *connection = exchange->connection;
    struct net_stream *stream = memory_zeroed(1, sizeof *stream);
    if (!exchange->is_asked)
        exchange_end(connection);
    stream->connection = connection;
    stream->id = id;
    stream->said_ms = stream->progress_ms = uv_now(net->loop);
    outbox_init_for_lines(&stream->outbox);
    stream->rest = response_head_of_stream(connection, &stream->rest_length);
    connection->stream = stream;
    connection->state = PLAIN_STREAM;
    turn_watch(connection, EPOLLRDHUP);
    net->statistics.streams++;
    net->statistics.streams_begun++;
    wants_to_write(stream);
    return stream;
}

enum send_result net_stream_send(struct net_stream *stream, struct frame *frame)
{
    struct net *net = stream->connection->net;
    if (stream->ends)
        return SEND_QUEUED;
    if (!outbox_put(&stream->outbox, frame)) {
        net->statistics.outboxes_full += !stream->was_full;
        stream->was_full = true;
        return SEND_FULL;
    }
    net->statistics.frames_sent++;
    wants_to_write(stream);
    return SEND_QUEUED;
}

void net_stream_end(struct net_stream *stream)
{
    stream->ends = true;
    wants_to_write(stream);
}

void stream_let_go(struct connection *connection)
{
    struct net_stream *stream = connection->stream;
    struct net *net = connection->net;
    if (stream == NULL)
        return;
    peer_id id = stream->id;
    connection->stream = NULL;
    net->statistics.streams--;
    list_remove(&stream->to_write);
    outbox_release(&stream->outbox);
    free(stream->rest);
    free(stream);
    net->ports.gone(net->ports.context, id);
}

peer_id stream_id(const struct net_stream *stream)
{
    return stream->id;
}

/* --- out -------------------------------------------------------------------------------------- */

/* The next bytes in the order in which they were said; a blank line only where there is nothing else. */
static size_t fill(struct net_stream *stream, unsigned char *bytes)
{
    size_t left = stream->rest_length - stream->rest_written;
    if (left > 0) {
        memcpy(bytes, stream->rest + stream->rest_written, left);
        return left;
    }
    size_t length = outbox_take(&stream->outbox, bytes, NET_SCRATCH_BYTES);
    if (length == 0 && stream->is_idle)
        bytes[length++] = '\n';
    stream->is_idle = false;
    return length;
}

static void keep_rest(struct net_stream *stream, const unsigned char *bytes, size_t length)
{
    char *rest = NULL;
    if (length > 0) {
        rest = memory_bytes(length);
        memcpy(rest, bytes, length);
    }
    free(stream->rest);
    stream->rest = rest;
    stream->rest_length = length;
    stream->rest_written = 0;
}

static void report_drained(struct net_stream *stream)
{
    struct net *net = stream->connection->net;
    if (!stream->was_full || stream->ends)
        return;
    stream->was_full = false;
    net->ports.drained(net->ports.context, stream->id);
}

/* The connection may be gone afterwards. */
void stream_write(struct connection *connection)
{
    struct net_stream *stream = connection->stream;
    struct net *net = connection->net;
    unsigned char *bytes = net->scratch;
    size_t length;
    while ((length = fill(stream, bytes)) > 0) {
        ssize_t sent = send(connection->fd, bytes, length, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN && errno != EINTR) {
            plain_close(connection);
            return;
        }
        size_t taken = sent < 0 ? 0 : (size_t)sent;
        net->statistics.bytes_sent += taken;
        if (taken > 0)
            stream->said_ms = uv_now(net->loop);
        keep_rest(stream, bytes + taken, length - taken);
        if (taken < length) {
            turn_watch(connection, EPOLLOUT | EPOLLRDHUP);
            return;
        }
    }
    stream->progress_ms = uv_now(net->loop);
    turn_watch(connection, EPOLLRDHUP);
    if (stream->ends)
        plain_leave(connection);
    else
        report_drained(stream);
}

/* --- the loop --------------------------------------------------------------------------------- */

void streams_write(struct net *net)
{
    const uint64_t until_ns = uv_hrtime() + (uint64_t)net->options.turn_us * 1000 / TURN_OTHERS;
    struct net_stream *stream;
    while ((stream = list_first(&net->streams)) != NULL) {
        list_remove(&stream->to_write);
        stream_write(stream->connection);
        if (uv_hrtime() >= until_ns)
            return;
    }
}

/* As of a WebSocket (peer.c): what the kernel holds for him is not with him yet. */
static bool is_stalled(struct net_stream *stream, uint64_t now_ms)
{
    uint64_t acknowledged = progress_of_socket(connection_socket(stream->connection)).acknowledged;
    if (acknowledged - stream->acknowledged >= NET_PROGRESS_BYTES) {
        stream->acknowledged = acknowledged;
        stream->progress_ms = now_ms;
    }
    return now_ms - stream->progress_ms >= stream->connection->net->options.stalled_ms;
}

bool stream_is_over(struct connection *connection, uint64_t now_ms)
{
    struct net_stream *stream = connection->stream;
    const struct net_options *options = &connection->net->options;
    bool waits = stream->rest != NULL || !outbox_empty(&stream->outbox);
    if (waits && is_stalled(stream, now_ms)) {
        connection->net->statistics.peers_stalled++;
        return true;
    }
    if (!waits)
        stream->progress_ms = now_ms;
    if (!waits && now_ms - stream->said_ms >= options->heartbeat_ms) {
        stream->is_idle = true;
        wants_to_write(stream);
    }
    return false;
}
