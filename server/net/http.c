/* Requests: judged by their heads, their bodies read where the owner wants one, then answered by the owner or from the
 * files, at once or later. One connection has one request at a time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/memory/memory.h"
#include "server/net/private.h"
#include "server/net/utf8.h"

enum {
    URI_BYTES_MAX = 2048,
    LENGTH_DIGITS_MAX = 15,
};

struct method {
    const char *word;
    enum net_method method;
};

static const struct method methods[] = {
    {"GET", NET_GET},
    {"HEAD", NET_GET},
    {"POST", NET_POST},
    {"OPTIONS", NET_OPTIONS},
    {"PUT", NET_OTHER_METHOD},
    {"PATCH", NET_OTHER_METHOD},
    {"DELETE", NET_OTHER_METHOD},
};

void http_refuse(struct connection *connection, int status, const char *words)
{
    char text[160], headers[200];
    bool later = status == 429 || status == 503;
    snprintf(headers, sizeof headers, "%s%s%s", status == 405 ? "Allow: GET, HEAD\r\n" : "",
             later ? "Retry-After: 1\r\n" : "", connection->any_origin ? response_any_origin : "");
    struct response response = {.close = true, .headers = headers};
    connection->net->statistics.http_refused++;
    exchange_end(connection);
    response_refusal(&response, status, words, text, sizeof text);
    respond(connection, &response);
}

bool http_is_upgrade(const struct head *head)
{
    const char *upgrade = head_find(head, "upgrade");
    return upgrade != NULL && head_lists(upgrade, "websocket");
}

/* --- what may be asked about a request -------------------------------------------------------- */

bool net_request_header(const struct net_request *request, const char *name, char *value,
                        size_t size)
{
    const char *text = head_find(request->head, name);
    value[0] = '\0';
    if (text != NULL && !utf8_valid(text, strlen(text)))
        return utf8_from_latin1(text, value, size);
    if (text == NULL || strlen(text) >= size)
        return false;
    memcpy(value, text, strlen(text) + 1);
    return true;
}

bool net_request_has_header(const struct net_request *request, const char *name)
{
    return head_find(request->head, name) != NULL;
}

bool net_request_query(const struct net_request *request, const char *name, char *value,
                       size_t size)
{
    if (head_query(request->head, name, value, size) && utf8_valid(value, strlen(value)))
        return true;
    value[0] = '\0';
    return false;
}

/* --- files ------------------------------------------------------------------------------------ */

/* Compared without the mark of a weak one: for a GET both are good enough. */
static bool has_etag(const struct head *head, const char *etag)
{
    const char *value = head_find(head, "if-none-match");
    return value != NULL && (strstr(value, strchr(etag, '"')) != NULL || strcmp(value, "*") == 0);
}

/* Who reloads wants it all. */
static bool wants_no_cache(const struct head *head)
{
    const char *value = head_find(head, "cache-control");
    return value != NULL && head_lists(value, "no-cache");
}

/* The shortest of those it takes. */
static enum files_coding wanted_coding(const struct head *head)
{
    const char *value = head_find(head, "accept-encoding");
    for (int coding = FILES_CODING_COUNT - 1; value != NULL && coding > FILES_PLAIN; coding--)
        if (head_accepts(value, files_coding_name((enum files_coding)coding)))
            return (enum files_coding)coding;
    return FILES_PLAIN;
}

enum files_coding net_request_coding(const struct net_request *request)
{
    return wanted_coding(request->head);
}

enum files_coding net_ticket_coding(const struct net *net, uint64_t ticket)
{
    const struct exchange *exchange = exchange_find(net, ticket);
    return exchange == NULL ? FILES_PLAIN : wanted_coding(&exchange->head);
}

static const char files_lasting[] = "public, max-age=31536000, immutable";

static bool answer_file(const struct exchange *exchange, struct response *response)
{
    struct files *files = exchange->connection->net->options.files;
    struct file *file = NULL;
    bool lasting = false;
    if (files != NULL && !exchange->connection->for_metrics)
        file = files_find(files, exchange->path, &lasting);
    if (file == NULL)
        return false;
    const struct variant *variant = files_variant(files, file, wanted_coding(&exchange->head));
    response->status = has_etag(&exchange->head, variant->etag) ? 304 : 200;
    response->content_type = file->content_type;
    response->cache_control = lasting ? files_lasting : NULL;
    if (file->is_text)
        response->headers = files_coding_headers((enum files_coding)(variant - file->variants));
    response->etag = variant->etag;
    response->bytes = variant->bytes;
    response->length = variant->length;
    return true;
}

/* The browser's engine, once it is there, for who can unpack it. */
static bool answer_late_file(const struct exchange *exchange, struct response *response)
{
    const struct connection *connection = exchange->connection;
    const struct net_options *options = &connection->net->options;
    const char *accepted = head_find(&exchange->head, "accept-encoding");
    bool lasting;
    if (connection->for_metrics || accepted == NULL || !head_accepts(accepted, "gzip"))
        return false;
    const struct file *file = late_file_find(options->late_file, exchange->path, &lasting);
    if (file == NULL)
        return false;
    const struct variant *packed = &file->variants[FILES_PLAIN];
    response->status = has_etag(&exchange->head, packed->etag) ? 304 : 200;
    response->content_type = file->content_type;
    response->cache_control = lasting ? files_lasting : NULL;
    response->etag = packed->etag;
    response->headers = "Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n";
    response->bytes = packed->bytes;
    response->length = packed->length;
    return true;
}

/* --- answers ---------------------------------------------------------------------------------- */

static void say_answer(struct connection *connection, struct net_answer *answer)
{
    const struct exchange *exchange = connection->exchange;
    struct response response = {
        .status = answer->status,
        .content_type = answer->content_type,
        .cache_control = answer->cache_control,
        .policy = answer->policy,
        .framed = answer->framed,
        .headers = answer->headers,
        .etag = answer->etag[0] == '\0' ? NULL : answer->etag,
        .bytes = (const unsigned char *)answer->body,
        .owned = answer->body,
        .length = answer->length,
        .head_only = exchange->head_only,
        .close = exchange->close,
    };
    if (response.etag != NULL && exchange->method == NET_GET && response.status == 200 &&
        has_etag(&exchange->head, response.etag) && !wants_no_cache(&exchange->head))
        response.status = 304;
    answer->body = NULL;
    exchange_end(connection);
    respond(connection, &response);
}

static void tell_given(const struct connection *connection, size_t bytes)
{
    const struct net *net = connection->net;
    const struct head *head = &connection->exchange->head;
    const struct core_address client =
        connection_client(connection, head_find(head, "x-forwarded-for"));
    if (net->ports.gave != NULL)
        net->ports.gave(net->ports.context, &client, bytes);
}

static void say_file_or_nothing(struct connection *connection)
{
    const struct exchange *exchange = connection->exchange;
    char text[64];
    struct response response = {.head_only = exchange->head_only, .close = exchange->close};
    if (exchange->bad_escapes) {
        response_refusal(&response, 400, "malformed escapes", text, sizeof text);
    } else if (exchange->method != NET_GET) {
        response_refusal(&response, 405, "only GET and HEAD", text, sizeof text);
        response.headers = "Allow: GET, HEAD\r\n";
    } else if (!answer_file(exchange, &response) && !answer_late_file(exchange, &response)) {
        response_refusal(&response, 404, "not here", text, sizeof text);
    } else if (response.status == 200 && !response.head_only) {
        tell_given(connection, response.length);
    }
    exchange_end(connection);
    respond(connection, &response);
}

/* The answer comes later: nobody reads the body any more. */
static void await_answer(struct exchange *exchange)
{
    struct net *net = exchange->connection->net;
    free(exchange->body);
    exchange->body = NULL;
    net->statistics.bodies_bytes -= exchange->declared;
    exchange->declared = exchange->length = exchange->room = 0;
    exchange->due_ms = uv_now(net->loop) + net->options.answer_within_ms;
    plain_await_answer(exchange->connection);
}

/* Everything of the request is there that will ever be. */
static void dispatch(struct connection *connection, bool too_long)
{
    struct net *net = connection->net;
    struct exchange *exchange = connection->exchange;
    struct net_answer answer = {0};
    const struct net_request request = {
        .ticket = exchange->ticket,
        .method = exchange->method,
        .method_word = exchange->head.method,
        .target = exchange->head.target,
        .bad_escapes = exchange->bad_escapes,
        .path = exchange->path,
        .body = exchange->body == NULL ? "" : exchange->body,
        .length = exchange->length,
        .too_long = too_long,
        .head = &exchange->head,
        .client = connection_client(connection, head_find(&exchange->head, "x-forwarded-for")),
        .for_metrics = connection->for_metrics,
    };
    exchange->whole = exchange->is_asked = true;
    switch (net->ports.request(net->ports.context, &request, &answer)) {
    case NET_LATER:
        exchange->is_asked = false;
        await_answer(exchange);
        return;
    case NET_STREAMS:
        exchange_end(connection);
        return;
    case NET_ANSWERED:
        say_answer(connection, &answer);
        return;
    case NET_NOT_HERE:
        say_file_or_nothing(connection);
        return;
    }
}

bool net_respond(struct net *net, uint64_t ticket, struct net_answer *answer)
{
    struct exchange *exchange = exchange_find(net, ticket);
    if (exchange != NULL) {
        say_answer(exchange->connection, answer);
        return true;
    }
    free(answer->body);
    answer->body = NULL;
    return false;
}

/* --- requests --------------------------------------------------------------------------------- */

static bool read_method(struct exchange *exchange)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (strcmp(methods[i].word, exchange->head.method) != 0)
            continue;
        exchange->method = methods[i].method;
        exchange->head_only = strcmp(methods[i].word, "HEAD") == 0;
        return true;
    }
    return false;
}

/* Digits only, and once: what else it may be every program reads differently. */
static bool read_length(struct exchange *exchange, size_t *declared)
{
    const char *value = head_find(&exchange->head, "content-length");
    *declared = 0;
    if (value == NULL)
        return true;
    size_t digits = strspn(value, "0123456789");
    if (digits == 0 || digits > LENGTH_DIGITS_MAX || value[digits] != '\0' ||
        head_count(&exchange->head, "content-length") > 1)
        return false;
    *declared = strtoull(value, NULL, 10);
    return true;
}

static void read_closing(struct exchange *exchange)
{
    const char *connection = head_find(&exchange->head, "connection");
    exchange->close =
        exchange->head.minor == 0 || (connection != NULL && head_lists(connection, "close"));
}

static size_t fields_length(const struct head *head)
{
    size_t length = 0;
    for (int i = 0; i < head->field_count; i++)
        length += strlen(head->fields[i].value);
    return length;
}

/* In chunks, or as long as it says. Both at once is how requests are smuggled past proxies. */
static int judge_encoding(struct exchange *exchange, const char **words)
{
    const struct head *head = &exchange->head;
    const char *encoding = head_find(head, "transfer-encoding");
    if (encoding == NULL)
        return 0;
    *words = "a body in chunks has no Content-Length, and is of HTTP/1.1";
    if (head_find(head, "content-length") != NULL || head->minor == 0)
        return 400;
    *words = "no transfer coding but chunked";
    if (strcasecmp(encoding, "chunked") != 0 || head_count(head, "transfer-encoding") > 1)
        return 501;
    exchange->in_chunks = true;
    return 0;
}

static int judge_body(struct exchange *exchange, size_t *declared, const char **words)
{
    bool may_have = exchange->method != NET_GET && exchange->method != NET_OPTIONS;
    int status = judge_encoding(exchange, words);
    if (status != 0)
        return status;
    *words = "Content-Length is no number";
    if (!read_length(exchange, declared))
        return 400;
    *words = "a request with a body";
    if ((*declared > 0 || exchange->in_chunks) && !may_have)
        return 400;
    *words = "no such expectation is met here";
    const char *expect = head_find(&exchange->head, "expect");
    return expect != NULL && strcasecmp(expect, "100-continue") != 0 ? 417 : 0;
}

/* 0, or why the request is refused before anybody looks what it asks for. */
static int judge_request(struct exchange *exchange, size_t *declared, const char **words)
{
    const struct head *head = &exchange->head;
    *words = "no such method";
    if (!read_method(exchange))
        return 501;
    *words = "the address is too long";
    if (strlen(head->target) > URI_BYTES_MAX || strlen(head->query) > URI_BYTES_MAX)
        return 414;
    *words = "the headers are too long";
    if (fields_length(head) > NET_HEADER_BYTES_MAX)
        return 431;
    *words = "Host has to be said, once";
    if (head_count(head, "host") != 1 && (head->minor > 0 || head_count(head, "host") > 1))
        return 400;
    int status = judge_body(exchange, declared, words);
    if (status != 0)
        return status;
    *words = "this is the WebSocket's address";
    if (strcmp(exchange->path, "/ws") == 0)
        return exchange->method == NET_GET ? 426 : 405;
    return 0;
}

static struct exchange *make_exchange(char *text)
{
    struct exchange *exchange = memory_zeroed(1, sizeof *exchange);
    exchange->text = text;
    return exchange;
}

/* Who says `Expect` sends the body only after these words. */
static bool say_continue(const struct connection *connection)
{
    static const char words[] = "HTTP/1.1 100 Continue\r\n\r\n";
    if (head_find(&connection->exchange->head, "expect") == NULL)
        return true;
    return send(connection->fd, words, sizeof words - 1, MSG_NOSIGNAL) == sizeof words - 1;
}

static void begin(struct connection *connection, struct exchange *exchange, size_t declared)
{
    struct net *net = connection->net;
    bool has_body = declared > 0 || exchange->in_chunks;
    size_t most =
        !has_body ? 0 : net->ports.body_max(net->ports.context, exchange->method, exchange->path);
    bool is_read = has_body && most > 0 && declared <= most;
    exchange->close |= has_body && !is_read;
    exchange->declared = !is_read ? 0 : exchange->in_chunks ? most : declared;
    enum exchange_refusal refusal = exchange_may_begin(connection, exchange->declared);
    if (refusal != EXCHANGE_OK) {
        exchange_free(exchange);
        http_refuse(connection, refusal == EXCHANGE_TOO_MANY ? 503 : 429,
                    refusal == EXCHANGE_TOO_MANY ? "too many requests under way"
                                                 : "too many requests under way from this address");
        return;
    }
    exchange_begin(connection, exchange);
    if (!is_read)
        dispatch(connection, most > 0 && declared > most);
    else if (say_continue(connection))
        plain_read_body(connection);
    else
        plain_close(connection);
}

static int status_of(enum head_answer answer, const char **words)
{
    switch (answer) {
    case HEAD_OK:
        return 0;
    case HEAD_MALFORMED:
        *words = "not a request";
        return 400;
    case HEAD_TOO_MANY_FIELDS:
        *words = "too many headers";
        return 431;
    case HEAD_OTHER_VERSION:
        *words = "HTTP/1.1 is spoken here";
        return 505;
    }
    return 400;
}

/* What a GET says, browsers keep from pages of other origins by themselves. */
static bool may_change_things(const struct connection *connection, const struct exchange *exchange)
{
    return exchange->method == NET_GET || exchange->method == NET_OPTIONS ||
           connection->any_origin || origin_allowed(connection, &exchange->head);
}

void http_request(struct connection *connection, char *text, size_t length)
{
    struct exchange *exchange = make_exchange(text);
    size_t declared = 0;
    const char *words = "";
    const struct net *net = connection->net;
    connection->net->statistics.http_requests++;
    connection->any_origin = false;
    int status = status_of(head_read(text, length, &exchange->head), &words);
    if (status == 0) {
        size_t target_length = strlen(exchange->head.target);
        exchange->path = memory_bytes(target_length + 1);
        exchange->bad_escapes =
            !head_unescape(exchange->head.target, target_length, false, exchange->path);
        connection->any_origin = net->ports.any_origin(net->ports.context, exchange->path);
        read_closing(exchange);
        exchange->close |= connection->on_reserve;
        status = judge_request(exchange, &declared, &words);
    }
    if (status == 0 && !may_change_things(connection, exchange)) {
        status = 403;
        words = "this origin is not allowed";
    }
    if (status == 0 && !shares_may_ask(connection, exchange->path)) {
        status = 503;
        words = "all connections are in use";
    }
    if (status == 0) {
        begin(connection, exchange, declared);
        return;
    }
    exchange_free(exchange);
    http_refuse(connection, status, words);
}

void http_body_complete(struct connection *connection)
{
    dispatch(connection, false);
}

void http_body_too_long(struct connection *connection)
{
    struct exchange *exchange = connection->exchange;
    exchange->length = 0;
    exchange->close = true;
    dispatch(connection, true);
}
