/* Requests: judged by their heads, their bodies read where the owner wants one, then answered by the owner or from the
 * files, at once or later.
 *
 * One connection has one request at a time. After a request that may have a body, and after an answer that came later,
 * the connection is closed: with a next request in its buffer the library (4.1) would go round for ever, waiting for a
 * socket it does not ask about. While an answer is awaited nothing is read: what a client pipelines waits in the kernel. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/net/private.h"
#include "server/net/utf8.h"

enum {
    URI_BYTES_MAX = 2048,
    HEADERS_BYTES_MAX = 8 * 1024,
    ROOM_BYTES_MAX = 32,
    LENGTH_DIGITS_MAX = 15,
    WAITING_GRACE_S = 10, /* the library's own time-out is only for the case that ours fails */
};

struct method {
    enum lws_token_indexes token;
    enum net_method method;
};

static const struct method methods[] = {
    {WSI_TOKEN_GET_URI, NET_GET},
    {WSI_TOKEN_HEAD_URI, NET_GET},
    {WSI_TOKEN_POST_URI, NET_POST},
    {WSI_TOKEN_OPTIONS_URI, NET_OPTIONS},
    {WSI_TOKEN_PUT_URI, NET_OTHER_METHOD},
    {WSI_TOKEN_PATCH_URI, NET_OTHER_METHOD},
    {WSI_TOKEN_DELETE_URI, NET_OTHER_METHOD},
};

/* What of a request is known from its head. */
struct head {
    const char *path;
    enum net_method method;
    bool head_only;
    size_t declared; /* length of its body */
    bool
        close; /* what follows on the connection is not read: the end of the body is unknown or not wanted */
};

void http_refuse(struct connection *connection, int status, const char *words)
{
    char text[160];
    struct response response = {.close = true};
    if (status == 405)
        response.headers = "Allow: GET, HEAD\r\n";
    connection->net->statistics.http_refused++;
    response_refusal(&response, status, words, text, sizeof text);
    respond(connection, &response);
}

static int refuse(struct connection *connection, int status, const char *words)
{
    http_refuse(connection, status, words);
    return -1;
}

/* --- what may be asked about a request -------------------------------------------------------- */

struct known_header {
    const char *name;
    enum lws_token_indexes token;
};

static const struct known_header known_headers[] = {
    {"accept", WSI_TOKEN_HTTP_ACCEPT},
    {"access-control-request-headers", WSI_TOKEN_HTTP_AC_REQUEST_HEADERS},
    {"cache-control", WSI_TOKEN_HTTP_CACHE_CONTROL},
    {"content-encoding", WSI_TOKEN_HTTP_CONTENT_ENCODING},
    {"content-type", WSI_TOKEN_HTTP_CONTENT_TYPE},
    {"host", WSI_TOKEN_HOST},
    {"origin", WSI_TOKEN_ORIGIN},
};

/* Those the library has no number for it keeps by name. */
static int copy_header(struct lws *wsi, const char *name, char *value, size_t size)
{
    char with_colon[64];
    for (size_t i = 0; i < sizeof known_headers / sizeof *known_headers; i++)
        if (strcmp(known_headers[i].name, name) == 0)
            return lws_hdr_total_length(wsi, known_headers[i].token) == 0
                       ? -1
                       : lws_hdr_copy(wsi, value, (int)size, known_headers[i].token);
    int length = snprintf(with_colon, sizeof with_colon, "%s:", name);
    assert(length < (int)sizeof with_colon);
    return lws_hdr_custom_copy(wsi, value, (int)size, with_colon, length);
}

bool net_request_header(const struct net_request *request, const char *name, char *value,
                        size_t size)
{
    value[0] = '\0';
    int length = copy_header(request->connection->wsi, name, value, size);
    if (length >= 0 && utf8_valid(value, (size_t)length))
        return true;
    value[0] = '\0';
    return false;
}

bool net_request_query(const struct net_request *request, const char *name, char *value,
                       size_t size)
{
    char member[URI_BYTES_MAX + 1];
    size_t name_length = strlen(name);
    value[0] = '\0';
    for (int i = 0;; i++) {
        int length = lws_hdr_copy_fragment(request->connection->wsi, member, sizeof member,
                                           WSI_TOKEN_HTTP_URI_ARGS, i);
        if (length < 0)
            return false;
        if (strncmp(member, name, name_length) != 0 || member[name_length] != '=')
            continue;
        const char *text = member + name_length + 1;
        if (strlen(text) >= size || !utf8_valid(text, strlen(text)))
            return false;
        memcpy(value, text, strlen(text) + 1);
        return true;
    }
}

/* --- files ------------------------------------------------------------------------------------ */

/* The links people share lead to the page, which reads the room from its own address. */
static bool is_page(const char *path)
{
    if (strcmp(path, "/") == 0)
        return true;
    if (strncmp(path, "/room/", 6) != 0)
        return false;
    size_t length =
        strspn(path + 6, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");
    return length > 0 && length <= ROOM_BYTES_MAX && path[6 + length] == '\0';
}

/* Compared without the mark of a weak one: for a GET both are good enough. */
static bool has_etag(struct lws *wsi, const char *etag)
{
    char value[256];
    if (lws_hdr_copy(wsi, value, sizeof value, WSI_TOKEN_HTTP_IF_NONE_MATCH) <= 0)
        return false;
    return strstr(value, strchr(etag, '"')) != NULL || strcmp(value, "*") == 0;
}

/* Who reloads wants it all. */
static bool wants_no_cache(struct lws *wsi)
{
    char value[64];
    return lws_hdr_copy(wsi, value, sizeof value, WSI_TOKEN_HTTP_CACHE_CONTROL) > 0 &&
           strstr(value, "no-cache") != NULL;
}

static bool answer_file(struct connection *connection, const char *path, struct response *response)
{
    const struct file *file = NULL;
    if (connection->net->options.files != NULL)
        file = files_find(connection->net->options.files, is_page(path) ? "/index.html" : path);
    if (file == NULL)
        return false;
    response->status = has_etag(connection->wsi, file->etag) ? 304 : 200;
    response->content_type = file->content_type;
    response->etag = file->etag;
    response->bytes = file->bytes;
    response->length = file->length;
    return true;
}

/* --- answers ---------------------------------------------------------------------------------- */

static int say_answer(struct connection *connection, const struct head *head,
                      struct net_answer *answer)
{
    struct response response = {
        .status = answer->status,
        .content_type = answer->content_type,
        .cache_control = answer->cache_control,
        .headers = answer->headers,
        .etag = answer->etag[0] == '\0' ? NULL : answer->etag,
        .bytes = (const unsigned char *)answer->body,
        .owned = answer->body,
        .length = answer->length,
        .head_only = head->head_only,
        .close = head->close,
    };
    if (response.etag != NULL && head->method == NET_GET && response.status == 200 &&
        has_etag(connection->wsi, response.etag) && !wants_no_cache(connection->wsi))
        response.status = 304;
    answer->body = NULL;
    return respond(connection, &response);
}

static int say_file_or_nothing(struct connection *connection, const struct head *head)
{
    char text[64];
    struct response response = {.head_only = head->head_only, .close = head->close};
    if (head->method != NET_GET) {
        response_refusal(&response, 405, "only GET and HEAD", text, sizeof text);
        response.headers = "Allow: GET, HEAD\r\n";
    } else if (!answer_file(connection, head->path, &response)) {
        response_refusal(&response, 404, "not here", text, sizeof text);
    }
    return respond(connection, &response);
}

/* The answer comes later: nobody reads the body any more, nothing more is taken from the socket, and the answer is its
 * last. */
static int await_answer(struct exchange *exchange)
{
    struct net *net = exchange->connection->net;
    struct lws *wsi = exchange->connection->wsi;
    free(exchange->body);
    exchange->body = NULL;
    net->statistics.bodies_bytes -= exchange->declared;
    exchange->declared = exchange->length = exchange->room = 0;
    exchange->whole = exchange->close = true;
    exchange->due_ms = uv_now(net->loop) + net->options.answer_within_ms;
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT,
                    (int)(net->options.answer_within_ms / 1000) + WAITING_GRACE_S);
    return lws_rx_flow_control(wsi, 0) < 0 ? -1 : 0;
}

/* Everything of the request is there that will ever be. */
static int dispatch(struct connection *connection, const struct head *head,
                    const struct net_request *request)
{
    struct net *net = connection->net;
    struct net_answer answer = {0};
    enum net_reply reply =
        net->finishing ? NET_NOT_HERE : net->ports.request(net->ports.context, request, &answer);
    if (reply == NET_LATER)
        return await_answer(connection->exchange);
    int result = reply == NET_ANSWERED ? say_answer(connection, head, &answer)
                                       : say_file_or_nothing(connection, head);
    exchange_end(connection);
    return result;
}

/* Outside of the library's callbacks: it tells nobody that a socket may be written to whose reading is held up. */
static void respond_late(struct exchange *exchange, struct net_answer *answer)
{
    struct connection *connection = exchange->connection;
    const struct head head = {NULL, exchange->method, exchange->head_only, 0, true};
    exchange_end(connection);
    if (say_answer(connection, &head, answer) < 0)
        lws_set_timeout(connection->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}

bool net_respond(struct net *net, uint64_t ticket, struct net_answer *answer)
{
    struct exchange *exchange = exchange_find(net, ticket);
    if (exchange == NULL || net->finishing) {
        free(answer->body);
        answer->body = NULL;
        return false;
    }
    respond_late(exchange, answer);
    return true;
}

int http_writeable(struct connection *connection)
{
    return respond_more(connection);
}

/* --- requests --------------------------------------------------------------------------------- */

static size_t headers_length(struct lws *wsi)
{
    size_t length = 0;
    for (int token = 0; token < WSI_TOKEN_COUNT; token++) {
        int part = lws_hdr_total_length(wsi, (enum lws_token_indexes)token);
        length += part > 0 ? (size_t)part : 0;
    }
    return length;
}

static bool read_method(struct lws *wsi, struct head *head)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (lws_hdr_total_length(wsi, methods[i].token) == 0)
            continue;
        head->method = methods[i].method;
        head->head_only = methods[i].token == WSI_TOKEN_HEAD_URI;
        return true;
    }
    return false;
}

/* Digits only, once: what the library would make of anything else is not what a proxy makes of it. */
static bool read_length(struct lws *wsi, struct head *head)
{
    char value[LENGTH_DIGITS_MAX + 1];
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) == 0)
        return true;
    int length = lws_hdr_copy(wsi, value, sizeof value, WSI_TOKEN_HTTP_CONTENT_LENGTH);
    if (length <= 0 || strspn(value, "0123456789") != (size_t)length)
        return false;
    head->declared = strtoull(value, NULL, 10);
    return true;
}

/* 0, or why the request is refused before anybody looks what it asks for. */
static int judge_request(struct lws *wsi, struct head *head, const char **words)
{
    *words = "no such method";
    if (!read_method(wsi, head))
        return 405;
    *words = "the address is too long";
    if (strlen(head->path) > URI_BYTES_MAX ||
        lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_URI_ARGS) > URI_BYTES_MAX)
        return 414;
    *words = "the headers are too long";
    if (headers_length(wsi) > HEADERS_BYTES_MAX)
        return 431;
    *words = "a body in chunks: its length has to be said";
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0)
        return head->method == NET_GET ? 400 : 411;
    *words = "Content-Length is no number";
    if (!read_length(wsi, head))
        return 400;
    *words = "a request with a body";
    if (head->declared > 0 && (head->method == NET_GET || head->method == NET_OPTIONS))
        return 400;
    *words = "this is the WebSocket's address";
    if (strcmp(head->path, "/ws") == 0)
        return head->method == NET_GET ? 426 : 405;
    return 0;
}

/* Who says `Expect` sends the body only after these words. */
static int say_continue(struct connection *connection)
{
    static const char words[] = "HTTP/1.1 100 Continue\r\n\r\n";
    unsigned char *bytes = connection->net->scratch + LWS_PRE;
    if (lws_hdr_total_length(connection->wsi, WSI_TOKEN_HTTP_EXPECT) == 0)
        return 0;
    memcpy(bytes, words, sizeof words - 1);
    return lws_write(connection->wsi, bytes, sizeof words - 1, LWS_WRITE_HTTP) < 0 ? -1 : 0;
}

static bool expects_something_else(struct lws *wsi)
{
    char value[32];
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_EXPECT) == 0)
        return false;
    return lws_hdr_copy(wsi, value, sizeof value, WSI_TOKEN_HTTP_EXPECT) < 0 ||
           strcasecmp(value, "100-continue") != 0;
}

static int begin(struct connection *connection, const struct head *head)
{
    switch (exchange_begin(connection, head->method, head->path, head->declared)) {
    case EXCHANGE_TOO_MANY_OF_ADDRESS:
        return refuse(connection, 429, "too many requests under way from this address");
    case EXCHANGE_TOO_MANY:
        return refuse(connection, 503, "too many requests under way");
    case EXCHANGE_OK:
        break;
    }
    connection->exchange->head_only = head->head_only;
    connection->exchange->close = head->close;
    return 0;
}

int http_request(struct connection *connection, const char *path)
{
    struct net *net = connection->net;
    struct head head = {.path = path};
    const char *words;
    net->statistics.http_requests++;
    int status = judge_request(connection->wsi, &head, &words);
    if (status == 0 && expects_something_else(connection->wsi))
        status = 417, words = "no such expectation is met here";
    if (status != 0)
        return refuse(connection, status, words);
    size_t most = head.declared == 0 || net->finishing
                      ? 0
                      : net->ports.body_max(net->ports.context, head.method, path);
    bool is_read = head.declared > 0 && head.declared <= most;
    head.close = head.method != NET_GET && head.method != NET_OPTIONS;
    size_t declared = head.declared;
    head.declared = is_read ? declared : 0;
    if (begin(connection, &head) != 0)
        return -1;
    if (is_read)
        return say_continue(connection);
    const struct net_request request = {
        .ticket = connection->exchange->ticket,
        .method = head.method,
        .path = connection->exchange->path,
        .body = "",
        .too_long = declared > most && most > 0,
        .connection = connection,
    };
    return dispatch(connection, &head, &request);
}

int http_body(struct connection *connection, const char *bytes, size_t length)
{
    struct exchange *exchange = connection->exchange;
    if (exchange == NULL)
        return 0; /* it is refused already, and the connection about to close */
    return exchange_keep(exchange, bytes, length) ? 0 : -1;
}

int http_body_complete(struct connection *connection)
{
    struct exchange *exchange = connection->exchange;
    if (exchange == NULL || exchange->length == 0)
        return 0; /* the library says this of an empty body too, after that was answered */
    if (exchange->length < exchange->declared)
        return -1;
    exchange->whole = true;
    const struct head head = {exchange->path, exchange->method, exchange->head_only,
                              exchange->declared, exchange->close};
    const struct net_request request = {
        .ticket = exchange->ticket,
        .method = exchange->method,
        .path = exchange->path,
        .body = exchange->body,
        .length = exchange->length,
        .connection = connection,
    };
    return dispatch(connection, &head, &request);
}
