/* What an HTTP answer looks like. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/net/private.h"

#include "engine/memory/memory.h"

enum { ANSWER_HEAD_BYTES_MAX = 4096 };

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
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {413, "Payload Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Content"},
    {426, "Upgrade Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
    {505, "HTTP Version Not Supported"},
};

/* On every answer. A page of ours is made of our files alone and stands in nobody's frame, but for the one that is made for that:
 * nothing that strangers write makes a browser speak to anybody else. `data:` is for the picture of a link; a room may be on another
 * server (`ws:`). */
#define PAGE_POLICY                                                                                \
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "                 \
    "font-src 'self'; manifest-src 'self'; img-src 'self' data:; connect-src 'self' ws: wss:; "    \
    "base-uri 'none'; form-action 'none'; frame-ancestors "
static const char page_policy[] = PAGE_POLICY "'none'";
static const char framed_policy[] = PAGE_POLICY "*";
static const char no_frames[] = "X-Frame-Options: DENY\r\n";
static const char security_headers[] = "X-Content-Type-Options: nosniff\r\n"
                                       "Cross-Origin-Opener-Policy: same-origin\r\n"
                                       "Referrer-Policy: same-origin\r\n";

const char response_any_origin[] =
    "Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: Retry-After\r\n";

static const char *status_words(int status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].status == status)
            return statuses[i].words;
    return "Answer";
}

/* Browsers come back by TLS alone, for half a year after each answer. */
static const char transport_security[] = "Strict-Transport-Security: max-age=15768000\r\n";

static size_t write_head(const struct connection *connection, const struct response *response,
                         char *text)
{
    char etag[FILES_ETAG_BYTES + 64] = "", content[160] = "", kept[40] = "Connection: close";
    char sized[48] = "";
    if (response->etag != NULL)
        snprintf(etag, sizeof etag, "ETag: %s\r\n", response->etag);
    if (response->content_type != NULL)
        snprintf(content, sizeof content, "Content-Type: %s\r\n", response->content_type);
    if (!response->is_endless)
        snprintf(sized, sizeof sized, "Content-Length: %zu\r\n", response->length);
    if (!response->close)
        snprintf(kept, sizeof kept, "Keep-Alive: timeout=%d", NET_HTTP_KEPT_S);
    const char *cache = response->cache_control;
    const char *policy = response->framed ? framed_policy : page_policy;
    int length = snprintf(text, ANSWER_HEAD_BYTES_MAX,
                          "HTTP/1.1 %d %s\r\n%s%s%sCache-Control: %s\r\n"
                          "Content-Security-Policy: %s\r\n%s%s%s%s%s%s\r\n\r\n",
                          response->status, status_words(response->status), content, sized, etag,
                          cache == NULL ? "no-cache" : cache,
                          response->policy == NULL ? policy : response->policy,
                          response->framed ? "" : no_frames, security_headers,
                          connection->is_secure ? transport_security : "",
                          response->headers == NULL ? "" : response->headers,
                          response->status == 426 ? "Sec-WebSocket-Version: 13\r\n" : "", kept);
    assert(length > 0 && length < ANSWER_HEAD_BYTES_MAX);
    return (size_t)length;
}

void respond(struct connection *connection, const struct response *response)
{
    bool bare = response->head_only || response->status == 304;
    struct body *body = &connection->body;
    assert(body->head == NULL && body->owned == NULL);
    *body = (struct body){.head = memory_bytes(ANSWER_HEAD_BYTES_MAX),
                          .bytes = response->bytes,
                          .owned = response->owned,
                          .length = bare ? 0 : response->length,
                          .close = response->close};
    body->head_length = write_head(connection, response, body->head);
    plain_write(connection);
}

char *response_head_of_stream(const struct connection *connection, size_t *length)
{
    /* A proxy that waits for more before it passes a line on would keep the game from who watches it. */
    static const struct response response = {.status = 200,
                                             .content_type = "application/x-ndjson",
                                             .cache_control = "no-store",
                                             .headers = "X-Accel-Buffering: no\r\n",
                                             .is_endless = true,
                                             .close = true};
    char *head = memory_bytes(ANSWER_HEAD_BYTES_MAX);
    *length = write_head(connection, &response, head);
    return head;
}

void response_refusal(struct response *response, int status, const char *words, char *text,
                      size_t text_size)
{
    response->status = status;
    response->content_type = "text/plain; charset=utf-8";
    response->etag = NULL;
    response->length = (size_t)snprintf(text, text_size, "%d %s\n", status, words);
    response->owned = memory_text(text);
    response->bytes = (const unsigned char *)response->owned;
}
