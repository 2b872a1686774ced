/* Requests that last longer than the turn they came in: how many there may be, how many bytes of bodies, and until
 * when.
 *
 * A body is counted in full when it is announced and kept as it comes, so one who announces much holds no memory,
 * and one who sends much was let in. Counting walks over all exchanges; that is done once a request and they are few. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/net/private.h"

#include "engine/memory/memory.h"

enum { BODY_BYTES_FIRST = 1024 };

static const struct address *whose(const struct connection *connection)
{
    return connection->is_counted ? &connection->counted : &connection->remote;
}

/* Behind a proxy are many people, and loopback is a proxy or a test: only the bound for all holds there. */
static bool is_exempt(const struct connection *connection)
{
    return !connection->is_counted &&
           (connection->from_proxy || address_is_loopback(&connection->remote));
}

static bool is_of(const struct exchange *exchange, const struct connection *connection)
{
    return memcmp(whose(exchange->connection), whose(connection), sizeof(struct address)) == 0;
}

enum exchange_refusal exchange_may_begin(const struct connection *connection, size_t declared)
{
    const struct net *net = connection->net;
    size_t count = 0, bytes = declared;
    if (net->statistics.exchanges == NET_EXCHANGES_MAX ||
        net->statistics.bodies_bytes + declared > NET_BODIES_BYTES_MAX)
        return EXCHANGE_TOO_MANY;
    if (is_exempt(connection))
        return EXCHANGE_OK;
    for (size_t i = 0; i < NET_EXCHANGES_MAX; i++) {
        if (net->exchanges[i] == NULL || !is_of(net->exchanges[i], connection))
            continue;
        count++;
        bytes += net->exchanges[i]->declared;
    }
    return count >= NET_EXCHANGES_OF_ADDRESS_MAX || bytes > NET_BODIES_OF_ADDRESS_BYTES_MAX
               ? EXCHANGE_TOO_MANY_OF_ADDRESS
               : EXCHANGE_OK;
}

/* The next number whose slot is free; there is one. */
static uint64_t next_ticket(struct net *net)
{
    do
        net->last_ticket++;
    while (net->exchanges[net->last_ticket % NET_EXCHANGES_MAX] != NULL);
    return net->last_ticket;
}

void exchange_begin(struct connection *connection, struct exchange *exchange)
{
    struct net *net = connection->net;
    assert(connection->exchange == NULL);
    exchange->ticket = next_ticket(net);
    exchange->connection = connection;
    exchange->due_ms = uv_now(net->loop) + net->options.body_within_ms;
    net->exchanges[exchange->ticket % NET_EXCHANGES_MAX] = exchange;
    net->statistics.exchanges++;
    net->statistics.bodies_bytes += exchange->declared;
    connection->exchange = exchange;
}

bool exchange_keep(struct exchange *exchange, const char *bytes, size_t length)
{
    if (length > exchange->declared - exchange->length)
        return false;
    size_t needed = exchange->length + length + 1;
    if (needed > exchange->room) {
        size_t room = needed < BODY_BYTES_FIRST ? BODY_BYTES_FIRST : needed * 2;
        exchange->room = room > exchange->declared + 1 ? exchange->declared + 1 : room;
        exchange->body = memory_resize(exchange->body, exchange->room, 1);
    }
    if (length > 0) /* an empty body has no bytes to point to */
        memcpy(exchange->body + exchange->length, bytes, length);
    exchange->length += length;
    exchange->body[exchange->length] = '\0';
    return true;
}

struct exchange *exchange_find(const struct net *net, uint64_t ticket)
{
    struct exchange *exchange = net->exchanges[ticket % NET_EXCHANGES_MAX];
    return exchange != NULL && exchange->ticket == ticket ? exchange : NULL;
}

void exchange_free(struct exchange *exchange)
{
    free(exchange->text);
    free(exchange->path);
    free(exchange->body);
    free(exchange);
}

void exchange_end(struct connection *connection)
{
    struct exchange *exchange = connection->exchange;
    struct net *net = connection->net;
    if (exchange == NULL)
        return;
    connection->exchange = NULL;
    net->exchanges[exchange->ticket % NET_EXCHANGES_MAX] = NULL;
    net->statistics.exchanges--;
    net->statistics.bodies_bytes -= exchange->declared;
    exchange_free(exchange);
}

static void expire(struct net *net, struct exchange *exchange)
{
    static const char late_body[] = "408 the body did not come in time\n";
    static const char late_answer[] = "503 no answer in time\n";
    struct net_answer answer = {.status = exchange->whole ? 503 : 408,
                                .content_type = "text/plain; charset=utf-8"};
    snprintf(answer.headers, sizeof answer.headers, "%s%s",
             exchange->whole ? "Retry-After: 1\r\n" : "",
             exchange->connection->any_origin ? response_any_origin : "");
    exchange->close |= !exchange->whole;
    answer.body = memory_text(exchange->whole ? late_answer : late_body);
    answer.length = strlen(answer.body);
    net->statistics.http_timeouts++;
    net_respond(net, exchange->ticket, &answer);
}

void exchanges_sweep(struct net *net)
{
    uint64_t now_ms = uv_now(net->loop);
    for (size_t i = 0; net->statistics.exchanges > 0 && i < NET_EXCHANGES_MAX; i++) {
        struct exchange *exchange = net->exchanges[i];
        if (exchange != NULL && exchange->due_ms <= now_ms)
            expire(net, exchange);
    }
}
