/* Sockets that are no WebSockets, or not yet: read and written by ourselves, because the library's HTTP (4.1) goes round
 * for ever over what is pipelined behind some requests, and answers some malformed ones in words of its own.
 *
 * The head of a request is looked at in the kernel's buffer (MSG_PEEK) until it is complete. If it asks for a WebSocket,
 * the socket goes to the library as untouched as it came; if not, exactly the head is taken out, and later exactly its
 * body. So nothing is ever kept of what a client sends ahead. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/net/private.h"

#include "engine/memory/memory.h"

/* --- life ------------------------------------------------------------------------------------- */

static void unlink_plain(struct connection *connection)
{
    struct net *net = connection->net;
    if (connection->previous != NULL)
        connection->previous->next = connection->next;
    else
        net->plain = connection->next;
    if (connection->next != NULL)
        connection->next->previous = connection->previous;
    connection->previous = connection->next = NULL;
    connection->is_plain = false;
}

void plain_close(struct connection *connection)
{
    if (!connection->is_plain) { /* TLS has not begun here yet */
        secure_close(connection->secure);
        return;
    }
    unlink_plain(connection);
    turn_forget(connection);
    close(connection->fd);
    stream_let_go(connection);
    connection_free(connection);
}

static void postpone(struct connection *connection, uint64_t within_ms)
{
    connection->due_ms = uv_now(connection->net->loop) + within_ms;
}

/* Ready only when more is there than we have seen: otherwise half a head would wake us again and again. */
static void want_more_than(struct connection *connection, size_t bytes)
{
    int least = (int)bytes + 1;
    connection->peeked = bytes;
    setsockopt(connection->fd, SOL_SOCKET, SO_RCVLOWAT, &least, sizeof least);
}

static void await_head(struct connection *connection)
{
    const struct net_options *options = &connection->net->options;
    connection->state = PLAIN_HEAD;
    want_more_than(connection, 0);
    postpone(connection,
             connection->has_spoken ? options->head_within_ms : options->first_within_ms);
    turn_watch(connection, EPOLLIN);
}

void plain_begin(struct connection *connection, int fd)
{
    struct net *net = connection->net;
    connection->is_plain = true;
    connection->fd = fd;
    connection->next = net->plain;
    if (net->plain != NULL)
        net->plain->previous = connection;
    net->plain = connection;
    await_head(connection);
}

/* From here on its bytes are the library's, the head among them. */
static void hand_over(struct connection *connection)
{
    struct net *net = connection->net;
    want_more_than(connection, 0);
    unlink_plain(connection);
    connection->state = PLAIN_HANDED;
    struct lws *wsi =
        lws_adopt_socket_vhost(net->vhost, connection->fd); /* closes the socket when it fails */
    if (wsi == NULL) {
        connection->watched = 0;
        connection_free(connection);
        return;
    }
    connection->wsi = wsi;
    lws_set_opaque_user_data(wsi, connection);
    turn_serve(connection);
}

/* --- in --------------------------------------------------------------------------------------- */

/* Takes the head out of the kernel's buffer, where it is complete. */
static void take_head(struct connection *connection, size_t length)
{
    char *text = memory_bytes(length + 1);
    ssize_t got = recv(connection->fd, text, length, 0);
    if (got != (ssize_t)length) {
        free(text);
        plain_close(connection);
        return;
    }
    text[length] = '\0';
    want_more_than(connection, 0);
    http_request(connection, text, length);
}

static void judge_head(struct connection *connection, const char *peeked, size_t length)
{
    struct net *net = connection->net;
    char *text = (char *)net->scratch + HEAD_BYTES_MAX; /* a copy to be cut into pieces */
    struct head head;
    const char *words;
    memcpy(text, peeked, length);
    text[length] = '\0';
    if (head_read(text, length, &head) != HEAD_OK || !http_is_upgrade(&head)) {
        take_head(connection, length);
        return;
    }
    net->statistics.handshakes++;
    connection->any_origin = false;
    int status = ws_judge_handshake(connection, &head, &words);
    if (status == 0) {
        hand_over(connection);
        return;
    }
    net->statistics.handshakes_refused++;
    http_refuse(connection, status, words);
}

/* The pair behind TLS knows no least number of bytes: whoever writes into it says when there are more. */
static void await_rest_of_head(struct connection *connection, size_t seen)
{
    want_more_than(connection, seen);
    if (connection->secure != NULL)
        turn_watch(connection, 0);
}

/* Whoever has begun is waited for no longer than others: however it drips, the head is to be whole. */
static void note_that_it_speaks(struct connection *connection)
{
    if (connection->has_spoken)
        return;
    connection->has_spoken = true;
    postpone(connection, connection->net->options.head_within_ms);
}

static void look_at_head(struct connection *connection)
{
    char *bytes = (char *)connection->net->scratch;
    ssize_t got = recv(connection->fd, bytes, HEAD_BYTES_MAX, MSG_PEEK);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    size_t seen = connection->peeked;
    if (got <= 0 || (size_t)got <= seen) { /* over, or it will never be complete */
        plain_close(connection);
        return;
    }
    note_that_it_speaks(connection);
    size_t length = head_length(bytes, (size_t)got, seen);
    if (length > 0)
        judge_head(connection, bytes, length);
    else if (got == HEAD_BYTES_MAX)
        http_refuse(connection, 431, "the headers are too long");
    else
        await_rest_of_head(connection, (size_t)got);
}

void plain_more_came(struct connection *connection)
{
    if (connection->state == PLAIN_HEAD)
        turn_watch(connection, EPOLLIN);
}

void plain_read_body(struct connection *connection)
{
    connection->state = PLAIN_BODY;
    turn_watch(connection, EPOLLIN);
}

/* The chunks are looked at in the kernel's buffer, and exactly what is the body's taken out: what a client sends behind it
 * is the next request's. */
static void take_chunks(struct connection *connection)
{
    struct exchange *exchange = connection->exchange;
    char *bytes = (char *)connection->net->scratch;
    size_t most = NET_SCRATCH_BYTES / 2, used, kept;
    ssize_t got = recv(connection->fd, bytes, most, MSG_PEEK);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        plain_close(connection);
        return;
    }
    enum chunks_answer answer = chunks_read(&exchange->chunks, bytes, (size_t)got, &used, &kept);
    if (recv(connection->fd, bytes + most, used, 0) != (ssize_t)used)
        plain_close(connection);
    else if (answer == CHUNKS_MALFORMED)
        http_refuse(connection, 400, "malformed chunks");
    else if (!exchange_keep(exchange, bytes, kept))
        http_body_too_long(connection);
    else if (answer == CHUNKS_DONE)
        http_body_complete(connection);
}

static void take_sized_body(struct connection *connection)
{
    struct exchange *exchange = connection->exchange;
    char *bytes = (char *)connection->net->scratch;
    size_t most = exchange->declared - exchange->length;
    ssize_t got =
        recv(connection->fd, bytes, most < NET_SCRATCH_BYTES ? most : NET_SCRATCH_BYTES, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0 || !exchange_keep(exchange, bytes, (size_t)got)) {
        plain_close(connection);
        return;
    }
    if (exchange->length == exchange->declared)
        http_body_complete(connection);
}

static void take_body(struct connection *connection)
{
    if (connection->exchange->in_chunks)
        take_chunks(connection);
    else
        take_sized_body(connection);
}

void plain_await_answer(struct connection *connection)
{
    connection->state = PLAIN_ANSWER;
    turn_watch(connection, 0);
}

static void throw_away(struct connection *connection)
{
    ssize_t got = recv(connection->fd, connection->net->scratch, NET_SCRATCH_BYTES, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    connection->thrown_away += got > 0 ? (size_t)got : 0;
    if (got <= 0 || connection->thrown_away > NET_HTTP_LEAVING_BYTES)
        plain_close(connection);
}

/* --- out -------------------------------------------------------------------------------------- */

static void clear_body(struct connection *connection)
{
    free(connection->body.head);
    free(connection->body.owned);
    connection->body = (struct body){0};
}

void plain_leave(struct connection *connection)
{
    stream_let_go(connection);
    connection->state = PLAIN_LEAVING;
    connection->thrown_away = 0;
    want_more_than(connection, 0);
    shutdown(connection->fd, SHUT_WR);
    postpone(connection, NET_HTTP_LEAVING_MS);
    turn_watch(connection, EPOLLIN);
}

static size_t fill(const struct body *body, unsigned char *bytes)
{
    size_t head = body->head_length - body->head_written;
    size_t part = body->length - body->written;
    memcpy(bytes, body->head + body->head_written, head);
    if (part > NET_SCRATCH_BYTES - head)
        part = NET_SCRATCH_BYTES - head;
    if (part > 0)
        memcpy(bytes + head, body->bytes + body->written, part);
    return head + part;
}

static void count_written(struct body *body, size_t count)
{
    size_t head = body->head_length - body->head_written;
    size_t of_head = count < head ? count : head;
    body->head_written += of_head;
    body->written += count - of_head;
}

void plain_write(struct connection *connection)
{
    struct body *body = &connection->body;
    unsigned char *bytes = connection->net->scratch;
    while (body->head_written < body->head_length || body->written < body->length) {
        ssize_t sent = send(connection->fd, bytes, fill(body, bytes), MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN && errno != EINTR) {
            plain_close(connection);
            return;
        }
        if (sent < 0) {
            connection->state = PLAIN_WRITING;
            turn_watch(connection, EPOLLOUT);
            return;
        }
        count_written(body, (size_t)sent);
        postpone(connection, connection->net->options.stalled_ms);
    }
    bool close = body->close;
    clear_body(connection);
    if (close)
        plain_leave(connection);
    else
        await_head(connection);
}

/* --- the loop --------------------------------------------------------------------------------- */

void plain_ready(struct connection *connection, bool failed)
{
    if (failed) {
        plain_close(connection);
        return;
    }
    switch (connection->state) {
    case PLAIN_HEAD:
        look_at_head(connection);
        return;
    case PLAIN_BODY:
        take_body(connection);
        return;
    case PLAIN_WRITING:
        plain_write(connection);
        return;
    case PLAIN_STREAM:
        stream_write(connection);
        return;
    case PLAIN_LEAVING:
        throw_away(connection);
        return;
    case PLAIN_ANSWER:
    case PLAIN_HANDED:
        return;
    }
}

/* Who has said nothing yet is waited for long where nobody else needs the place. */
static uint64_t due_ms(const struct connection *connection, bool is_plenty)
{
    return connection->has_spoken || is_plenty
               ? connection->due_ms
               : connection->since_ms + connection->net->options.head_within_ms;
}

static bool is_over(struct connection *connection, bool is_plenty, uint64_t now_ms)
{
    switch (connection->state) {
    case PLAIN_BODY:
    case PLAIN_ANSWER:
        return false; /* its exchange says */
    case PLAIN_STREAM:
        return stream_is_over(connection, now_ms);
    case PLAIN_HEAD:
    case PLAIN_WRITING:
    case PLAIN_LEAVING:
    case PLAIN_HANDED:
        return due_ms(connection, is_plenty) <= now_ms;
    }
    return false;
}

void plain_sweep(struct net *net)
{
    uint64_t now_ms = uv_now(net->loop);
    bool is_plenty = shares_are_plenty(net);
    for (struct connection *connection = net->plain, *next; connection != NULL; connection = next) {
        next = connection->next;
        if (is_over(connection, is_plenty, now_ms))
            plain_close(connection);
    }
}

void plain_close_all(struct net *net)
{
    while (net->plain != NULL)
        plain_close(net->plain);
}
