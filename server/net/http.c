/* GET and HEAD for the page, its files, the games' images and what the owner answers. Everything is
 * in memory. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/net/private.h"

enum {
    URI_BYTES_MAX = 2048,
    HEADERS_BYTES_MAX = 8 * 1024,
    HEAD_BYTES_MAX = 1024,
    PART_BYTES = 32 * 1024,
    ROOM_BYTES_MAX = 32,
};

struct status {
    int status;
    const char *words;
};

static const struct status statuses[] = {
    {200, "OK"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {414, "URI Too Long"},
    {426, "Upgrade Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {503, "Service Unavailable"},
};

/* On every answer. A page of ours runs our scripts only; games may bring images from elsewhere. */
static const char security_headers[] =
    "Cache-Control: no-cache\r\n"
    "Content-Security-Policy: default-src 'self'; img-src 'self' https: data:; "
    "style-src 'self' 'unsafe-inline'; connect-src 'self' ws: wss:\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: same-origin\r\n";

struct response {
    int status;
    const char *content_type, *etag; /* etag: NULL where there is none */
    const unsigned char *bytes;
    char *owned; /* the bytes, when they are not borrowed */
    size_t length;
    bool head_only, close;
};

static const char *status_words(int status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].status == status)
            return statuses[i].words;
    return "Answer";
}

static size_t write_head(const struct response *response, char *text)
{
    char etag[FILES_ETAG_BYTES + 16] = "";
    if (response->etag != NULL)
        snprintf(etag, sizeof etag, "ETag: %s\r\n", response->etag);
    int length = snprintf(
        text, HEAD_BYTES_MAX,
        "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s%s%s%s%s\r\n",
        response->status, status_words(response->status), response->content_type, response->length,
        etag, security_headers, response->status == 405 ? "Allow: GET, HEAD\r\n" : "",
        response->status == 426 ? "Sec-WebSocket-Version: 13\r\n" : "",
        response->close ? "Connection: close\r\n" : "");
    assert(length > 0 && length < HEAD_BYTES_MAX);
    return (size_t)length;
}

static void clear_body(struct connection *connection)
{
    free(connection->body.owned);
    connection->body = (struct body){0};
}

static int finish(struct connection *connection, bool close)
{
    clear_body(connection);
    if (close)
        return -1; /* the library writes first what it still holds */
    return lws_http_transaction_completed(connection->wsi) != 0 ? -1 : 0;
}

/* Head and as much of the body as fits in one write; the rest when the socket takes more. */
static int respond(struct connection *connection, const struct response *response)
{
    unsigned char *bytes = connection->net->scratch + LWS_PRE;
    bool bare = response->head_only || response->status == 304;
    size_t used = write_head(response, (char *)bytes);
    size_t part = bare ? 0 : response->length;
    if (part > PART_BYTES)
        part = PART_BYTES;
    if (part > 0)
        memcpy(bytes + used, response->bytes, part);
    clear_body(connection);
    connection->body = (struct body){response->bytes, response->owned, response->length, part};
    if (lws_write(connection->wsi, bytes, used + part, LWS_WRITE_HTTP) < 0)
        return -1;
    if (bare || part == response->length)
        return finish(connection, response->close);
    lws_callback_on_writable(connection->wsi);
    return 0;
}

int http_writeable(struct connection *connection)
{
    struct body *body = &connection->body;
    unsigned char *bytes = connection->net->scratch + LWS_PRE;
    size_t part = body->length - body->written;
    if (part == 0)
        return 0;
    if (part > PART_BYTES)
        part = PART_BYTES;
    memcpy(bytes, body->bytes + body->written, part);
    body->written += part;
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_HTTP_CONTENT, NET_HTTP_TIMEOUT_S);
    if (lws_write(connection->wsi, bytes, part, LWS_WRITE_HTTP) < 0)
        return -1;
    if (body->written == body->length)
        return finish(connection, false);
    lws_callback_on_writable(connection->wsi);
    return 0;
}

static void refusal(struct response *response, int status, const char *words, char *text,
                    size_t text_size)
{
    response->status = status;
    response->content_type = "text/plain; charset=utf-8";
    response->etag = NULL;
    response->length = (size_t)snprintf(text, text_size, "%d %s\n", status, words);
    response->bytes = (const unsigned char *)text;
}

void http_refuse(struct connection *connection, int status, const char *words)
{
    char text[160];
    struct response response = {.close = true};
    refusal(&response, status, words, text, sizeof text);
    respond(connection, &response);
}

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

static bool has_etag(struct lws *wsi, const char *etag)
{
    char value[256];
    if (lws_hdr_copy(wsi, value, sizeof value, WSI_TOKEN_HTTP_IF_NONE_MATCH) <= 0)
        return false;
    return strstr(value, etag) != NULL || strcmp(value, "*") == 0;
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

static bool answer_owner(struct connection *connection, const char *path, struct response *response)
{
    struct net *net = connection->net;
    struct net_answer answer = {0};
    if (net->finishing || !net->ports.get(net->ports.context, path, &answer))
        return false;
    response->status = answer.status;
    response->content_type = answer.content_type;
    response->owned = answer.body;
    response->bytes = (const unsigned char *)answer.body;
    response->length = answer.length;
    return true;
}

static size_t headers_length(struct lws *wsi)
{
    size_t length = 0;
    for (int token = 0; token < WSI_TOKEN_COUNT; token++) {
        int part = lws_hdr_total_length(wsi, (enum lws_token_indexes)token);
        length += part > 0 ? (size_t)part : 0;
    }
    return length;
}

static bool has_body(struct lws *wsi)
{
    char value[32];
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0)
        return true;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) == 0)
        return false;
    return lws_hdr_copy(wsi, value, sizeof value, WSI_TOKEN_HTTP_CONTENT_LENGTH) < 0 ||
           strcmp(value, "0") != 0;
}

/* 0, or why the request is refused before anybody looks what it asks for. */
static int judge_request(struct lws *wsi, const char *path, const char **words)
{
    *words = "only GET and HEAD";
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0 &&
        lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) == 0)
        return 405;
    *words = "the address is too long";
    if (strlen(path) > URI_BYTES_MAX ||
        lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_URI_ARGS) > URI_BYTES_MAX)
        return 414;
    *words = "the headers are too long";
    if (headers_length(wsi) > HEADERS_BYTES_MAX)
        return 431;
    *words = "a request with a body";
    if (has_body(wsi))
        return 400;
    *words = "this is the WebSocket's address";
    if (strcmp(path, "/ws") == 0)
        return 426;
    return 0;
}

int http_request(struct connection *connection, const char *path)
{
    struct lws *wsi = connection->wsi;
    const char *words;
    connection->net->statistics.http_requests++;
    int status = judge_request(wsi, path, &words);
    if (status != 0) {
        http_refuse(connection, status, words);
        return -1;
    }
    char text[64];
    struct response response = {.head_only = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0};
    if (!answer_owner(connection, path, &response) && !answer_file(connection, path, &response))
        refusal(&response, 404, "not here", text, sizeof text);
    return respond(connection, &response);
}
