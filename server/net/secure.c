/* TLS, in front of everything else. What is decrypted goes into one end of a pair of sockets; from the other end on a
 * connection is what it is without TLS: plain.c reads and writes it, and the library takes it over.
 *
 * So nothing behind this file knows of TLS, and without TLS none of this is there. It costs a connection two more
 * descriptors and two more copies, beside what the encryption costs. Bytes are taken from one side only when the other
 * side has taken what came before: whoever is too fast waits in the kernel, as without TLS. */
#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/net/certificate.h"
#include "server/net/private.h"
#include "server/net/progress.h"

enum {
    RECORD_BYTES = 16 * 1024, /* what TLS encrypts at once */
    HANDSHAKE_WITHIN_MS = 10000,
    LEAVING_WITHIN_MS = 5000, /* for the last words of a connection that is closed here */
};

/* What came from one side and did not fit into the other yet. */
struct rest {
    unsigned char *bytes;
    size_t length, written;
};

struct secure {
    struct net *net;
    struct connection *connection; /* NULL: closed here; its last words are still written */
    struct secure *previous, *next;
    SSL *ssl;
    int outer, inner; /* inner: -1 until the handshake is done */
    uv_poll_t *outer_poll, *inner_poll;
    struct rest inward, outward;
    bool outer_over, inner_over; /* nothing more comes from there */
    bool inner_closed;           /* nobody reads there */
    bool told_over;              /* our close_notify is written */
    bool wants_to_write;         /* so says TLS, of whatever it does just now */
    uint64_t due_ms;             /* of the handshake, and of leaving */
};

static void on_ready(uv_poll_t *poll, int status, int events);

/* --- life ------------------------------------------------------------------------------------- */

static void on_poll_closed(uv_handle_t *handle)
{
    free(handle);
}

static uv_poll_t *make_poll(struct secure *secure, int fd)
{
    uv_poll_t *poll = malloc(sizeof *poll);
    if (poll == NULL)
        return NULL;
    if (uv_poll_init_socket(secure->net->loop, poll, fd) != 0) {
        free(poll);
        return NULL;
    }
    poll->data = secure;
    return poll;
}

static void close_side(uv_poll_t *poll, int fd)
{
    if (poll != NULL)
        uv_close((uv_handle_t *)poll, on_poll_closed);
    if (fd >= 0)
        close(fd);
}

static void end(struct secure *secure)
{
    struct net *net = secure->net;
    if (secure->connection != NULL)
        secure->connection->secure = NULL;
    if (secure->previous != NULL)
        secure->previous->next = secure->next;
    else
        net->secure = secure->next;
    if (secure->next != NULL)
        secure->next->previous = secure->previous;
    close_side(secure->outer_poll, secure->outer);
    close_side(secure->inner_poll, secure->inner);
    SSL_free(secure->ssl);
    free(secure->inward.bytes);
    free(secure->outward.bytes);
    free(secure);
    ERR_clear_error();
}

/* The connection behind it reads that it is over, or is not there yet. */
static void break_off(struct secure *secure)
{
    struct connection *connection = secure->inner < 0 ? secure->connection : NULL;
    struct connection *reader = secure->inner < 0 ? NULL : secure->connection;
    end(secure);
    if (connection != NULL)
        connection_free(connection);
    else if (reader != NULL)
        plain_more_came(reader);
}

bool secure_begin(struct connection *connection, int fd)
{
    struct net *net = connection->net;
    struct secure *secure = calloc(1, sizeof *secure);
    if (secure == NULL)
        return false;
    *secure = (struct secure){.net = net, .outer = fd, .inner = -1};
    secure->ssl = SSL_new(net->certificate);
    secure->outer_poll = make_poll(secure, fd);
    if (secure->ssl == NULL || secure->outer_poll == NULL || SSL_set_fd(secure->ssl, fd) != 1) {
        SSL_free(secure->ssl);
        close_side(secure->outer_poll, -1);
        free(secure);
        return false;
    }
    SSL_set_accept_state(secure->ssl);
    secure->connection = connection;
    secure->due_ms = uv_now(net->loop) + HANDSHAKE_WITHIN_MS;
    secure->next = net->secure;
    if (net->secure != NULL)
        net->secure->previous = secure;
    net->secure = secure;
    connection->secure = secure;
    uv_poll_start(secure->outer_poll, UV_READABLE, on_ready);
    return true;
}

void secure_let_go(struct secure *secure)
{
    secure->connection = NULL;
    secure->due_ms = uv_now(secure->net->loop) + LEAVING_WITHIN_MS;
}

int secure_socket(const struct secure *secure)
{
    return secure->outer;
}

uint64_t secure_unread(const struct secure *secure)
{
    return progress_unread(secure->outer) + secure->inward.length - secure->inward.written;
}

void secure_close(struct secure *secure)
{
    break_off(secure);
}

/* --- bytes ------------------------------------------------------------------------------------ */

/* What is left of bytes in the scratch, which others use next. */
static bool keep_rest(struct rest *kept, const struct rest *fresh)
{
    size_t length = fresh->length - fresh->written;
    if (length == 0)
        return true;
    *kept = (struct rest){.bytes = malloc(length), .length = length};
    if (kept->bytes != NULL)
        memcpy(kept->bytes, fresh->bytes + fresh->written, length);
    return kept->bytes != NULL;
}

static void forget_if_written(struct rest *kept)
{
    if (kept->written < kept->length)
        return;
    free(kept->bytes);
    *kept = (struct rest){0};
}

/* False when TLS is broken, and with it the connection. */
static bool may_go_on(struct secure *secure, int answer)
{
    switch (SSL_get_error(secure->ssl, answer)) {
    case SSL_ERROR_WANT_WRITE:
        secure->wants_to_write = true;
        return true;
    case SSL_ERROR_WANT_READ:
        return true;
    case SSL_ERROR_ZERO_RETURN: /* the other side has said that nothing more comes */
        secure->outer_over = true;
        return true;
    default:
        return false;
    }
}

/* Into the pair. Bytes for a connection that is closed here are nobody's. */
static void write_inward(struct secure *secure, struct rest *rest)
{
    while (rest->written < rest->length && !secure->inner_closed) {
        ssize_t sent = send(secure->inner, rest->bytes + rest->written,
                            rest->length - rest->written, MSG_NOSIGNAL);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        secure->inner_closed = sent < 0;
        rest->written += sent > 0 ? (size_t)sent : 0;
    }
    if (secure->inner_closed)
        rest->written = rest->length;
}

/* False when TLS is broken. */
static bool write_outward(struct secure *secure, struct rest *rest)
{
    while (rest->written < rest->length) {
        int sent = SSL_write(secure->ssl, rest->bytes + rest->written,
                             (int)(rest->length - rest->written));
        if (sent <= 0)
            return may_go_on(secure, sent);
        rest->written += (size_t)sent;
    }
    return true;
}

static bool move_inward(struct secure *secure)
{
    bool came = false;
    write_inward(secure, &secure->inward);
    forget_if_written(&secure->inward);
    while (secure->inward.bytes == NULL && !secure->outer_over && !secure->inner_closed) {
        int got = SSL_read(secure->ssl, secure->net->scratch, RECORD_BYTES);
        if (got <= 0 && !may_go_on(secure, got))
            return false;
        if (got <= 0)
            break;
        struct rest fresh = {.bytes = secure->net->scratch, .length = (size_t)got};
        write_inward(secure, &fresh);
        if (!keep_rest(&secure->inward, &fresh))
            return false;
        came = true;
    }
    if (secure->outer_over && secure->inward.bytes == NULL)
        shutdown(secure->inner, SHUT_WR);
    if ((came || secure->outer_over) && secure->connection != NULL)
        plain_more_came(secure->connection);
    return true;
}

/* After the last word of ours: TLS first, then the socket. */
static void say_over(struct secure *secure)
{
    if (secure->told_over)
        return;
    secure->told_over = true;
    SSL_shutdown(secure->ssl);
    shutdown(secure->outer, SHUT_WR);
}

static bool move_outward(struct secure *secure)
{
    if (!write_outward(secure, &secure->outward))
        return false;
    forget_if_written(&secure->outward);
    while (secure->outward.bytes == NULL && !secure->inner_over) {
        ssize_t got = recv(secure->inner, secure->net->scratch, RECORD_BYTES, 0);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return true;
        secure->inner_over = got <= 0;
        if (got <= 0)
            break;
        struct rest fresh = {.bytes = secure->net->scratch, .length = (size_t)got};
        if (!write_outward(secure, &fresh) || !keep_rest(&secure->outward, &fresh))
            return false;
    }
    if (secure->inner_over && secure->outward.bytes == NULL)
        say_over(secure);
    return true;
}

static void watch(const struct secure *secure)
{
    bool inward = secure->inward.bytes == NULL && !secure->outer_over && !secure->inner_closed;
    int outer = (inward ? UV_READABLE : 0) | (secure->wants_to_write ? UV_WRITABLE : 0);
    int inner = (secure->outward.bytes == NULL && !secure->inner_over ? UV_READABLE : 0) |
                (secure->inward.bytes != NULL ? UV_WRITABLE : 0);
    if (outer != 0)
        uv_poll_start(secure->outer_poll, outer, on_ready);
    else
        uv_poll_stop(secure->outer_poll);
    if (inner != 0)
        uv_poll_start(secure->inner_poll, inner, on_ready);
    else
        uv_poll_stop(secure->inner_poll);
}

static void move(struct secure *secure)
{
    ERR_clear_error();
    secure->wants_to_write = false;
    if (!move_inward(secure) || !move_outward(secure)) {
        break_off(secure);
        return;
    }
    /* A connection that is closed here reads no more, and all it had to say is said. */
    if (secure->told_over && (secure->connection == NULL || secure->outer_over)) {
        end(secure);
        return;
    }
    watch(secure);
}

/* --- the handshake ---------------------------------------------------------------------------- */

static bool open_pair(struct secure *secure)
{
    int ends[2], buffer = NET_SEND_BUFFER_BYTES;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    secure->inner = ends[1];
    secure->inner_poll = make_poll(secure, ends[1]);
    if (secure->inner_poll != NULL) {
        plain_begin(secure->connection, ends[0]);
        return true;
    }
    close(ends[0]);
    close_side(secure->inner_poll, ends[1]);
    secure->inner = -1;
    secure->inner_poll = NULL;
    return false;
}

/* Somebody speaks HTTP without TLS: that much can be said. */
static void say_what_is_spoken_here(const struct secure *secure)
{
    static const char words[] = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\n"
                                "Content-Length: 21\r\nConnection: close\r\n\r\n"
                                "400 https only, here\n";
    if (ERR_GET_REASON(ERR_peek_error()) == SSL_R_HTTP_REQUEST)
        send(secure->outer, words, sizeof words - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void shake_hands(struct secure *secure)
{
    ERR_clear_error();
    secure->wants_to_write = false;
    int answer = SSL_do_handshake(secure->ssl);
    if (answer == 1 && open_pair(secure)) {
        secure->net->statistics.tls_handshakes++;
        move(secure);
        return;
    }
    if (answer == 1 || !may_go_on(secure, answer) || secure->outer_over) {
        secure->net->statistics.tls_refused++;
        say_what_is_spoken_here(secure);
        break_off(secure);
        return;
    }
    uv_poll_start(secure->outer_poll, UV_READABLE | (secure->wants_to_write ? UV_WRITABLE : 0),
                  on_ready);
}

/* --- the loop --------------------------------------------------------------------------------- */

static void on_ready(uv_poll_t *poll, int status, int events)
{
    struct secure *secure = poll->data;
    bool is_handshake = secure->inner < 0;
    (void)events;
    if (status >= 0 && is_handshake && secure->net->turn.handshakes++ >= TURN_HANDSHAKES)
        return; /* it is there in the next turn as well */
    if (status < 0)
        break_off(secure);
    else if (is_handshake)
        shake_hands(secure);
    else
        move(secure);
}

void secure_sweep(struct net *net)
{
    uint64_t now_ms = uv_now(net->loop);
    for (struct secure *secure = net->secure, *next; secure != NULL; secure = next) {
        next = secure->next;
        bool waits = secure->inner < 0 || secure->connection == NULL;
        if (!waits || secure->due_ms > now_ms)
            continue;
        net->statistics.tls_refused += secure->inner < 0;
        break_off(secure);
    }
}

void secure_close_all(struct net *net)
{
    while (net->secure != NULL)
        break_off(net->secure);
}

/* --- the certificate -------------------------------------------------------------------------- */

bool net_read_certificate(struct net *net, char *words, size_t words_size)
{
    const struct net_options *options = &net->options;
    SSL_CTX *certificate =
        certificate_read(options->tls_certificate, options->tls_key, words, words_size);
    if (certificate == NULL)
        return false;
    SSL_CTX_free(net->certificate);
    net->certificate = certificate;
    return true;
}
