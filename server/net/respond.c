/* An HTTP answer onto the socket: its head and as much of its body as one write takes, the rest when the socket takes
 * more. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/net/private.h"

enum { HEAD_BYTES_MAX = 2048, PART_BYTES = 32 * 1024 };

struct status {
    int status;
    const char *words;
};

static const struct status statuses[] = {
    {200, "OK"},
    {201, "Created"},
    {204, "No Content"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {411, "Length Required"},
    {413, "Payload Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {426, "Upgrade Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {503, "Service Unavailable"},
};

/* On every answer. A page of ours runs our scripts only; games may bring images from elsewhere. */
static const char security_headers[] =
    "Content-Security-Policy: default-src 'self'; img-src 'self' https: data:; "
    "style-src 'self' 'unsafe-inline'; connect-src 'self' ws: wss:\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: same-origin\r\n";

static const char *status_words(int status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].status == status)
            return statuses[i].words;
    return "Answer";
}

static size_t write_head(const struct response *response, char *text)
{
    char etag[FILES_ETAG_BYTES + 64] = "", content[160] = "";
    if (response->etag != NULL)
        snprintf(etag, sizeof etag, "ETag: %s\r\n", response->etag);
    if (response->content_type != NULL)
        snprintf(content, sizeof content, "Content-Type: %s\r\n", response->content_type);
    const char *cache = response->cache_control;
    int length =
        snprintf(text, HEAD_BYTES_MAX,
                 "HTTP/1.1 %d %s\r\n%sContent-Length: %zu\r\n%sCache-Control: %s\r\n%s%s%s%s\r\n",
                 response->status, status_words(response->status), content, response->length, etag,
                 cache == NULL ? "no-cache" : cache, security_headers,
                 response->headers == NULL ? "" : response->headers,
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

int respond(struct connection *connection, const struct response *response)
{
    unsigned char *bytes = connection->net->scratch + LWS_PRE;
    bool bare = response->head_only || response->status == 304 || response->length == 0;
    size_t used = write_head(response, (char *)bytes);
    size_t part = bare ? 0 : response->length;
    if (part > PART_BYTES)
        part = PART_BYTES;
    if (part > 0)
        memcpy(bytes + used, response->bytes, part);
    clear_body(connection);
    connection->body =
        (struct body){response->bytes, response->owned, response->length, part, response->close};
    if (lws_write(connection->wsi, bytes, used + part, LWS_WRITE_HTTP) < 0)
        return -1;
    if (bare || part == response->length)
        return finish(connection, response->close);
    /* Reading was held up while an answer was awaited: only who is read from is told that more may be written. */
    lws_rx_flow_control(connection->wsi, 1);
    lws_callback_on_writable(connection->wsi);
    return 0;
}

int respond_more(struct connection *connection)
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
        return finish(connection, body->close);
    lws_callback_on_writable(connection->wsi);
    return 0;
}

void response_refusal(struct response *response, int status, const char *words, char *text,
                      size_t text_size)
{
    response->status = status;
    response->content_type = "text/plain; charset=utf-8";
    response->etag = NULL;
    response->length = (size_t)snprintf(text, text_size, "%d %s\n", status, words);
    response->bytes = (const unsigned char *)text;
}
