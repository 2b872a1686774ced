#include "server/net/shares.h"

#include <string.h>

#include "engine/memory/memory.h"
#include "server/net/private.h"

enum { SAMPLE = 64, TABLE_FIRST = 256 };

/* --- the table -------------------------------------------------------------------------------- */

void shares_add(struct connection *connection)
{
    struct net *net = connection->net;
    if (net->all_count == net->all_room) {
        net->all_room = net->all_room == 0 ? TABLE_FIRST : net->all_room * 2;
        net->all = memory_resize(net->all, net->all_room, sizeof(struct connection *));
    }
    connection->place = net->all_count;
    net->all[net->all_count++] = connection;
}

void shares_remove(struct connection *connection)
{
    struct net *net = connection->net;
    struct connection *last = net->all[--net->all_count];
    net->all[connection->place] = last;
    last->place = connection->place;
}

/* --- shares ----------------------------------------------------------------------------------- */

static size_t places_for_all(const struct net *net)
{
    return net->options.connections_max - net->options.connections_max / NET_RESERVE_PART;
}

static size_t fair_share(const struct net *net)
{
    size_t sharers = admission_sharers(net->admission);
    size_t share = sharers == 0 ? places_for_all(net) : places_for_all(net) / sharers;
    return share == 0 ? 1 : share;
}

bool shares_are_plenty(const struct net *net)
{
    return net->all_count <= places_for_all(net) / 2;
}

/* 0: nothing is counted for it. */
static size_t share_of(const struct connection *connection)
{
    return connection->is_counted
               ? admission_share(connection->net->admission, &connection->counted)
               : 0;
}

static bool plays(const struct connection *connection)
{
    const struct net_ports *ports = &connection->net->ports;
    if (ports->plays == NULL || (connection->peer == NULL && connection->stream == NULL))
        return false;
    return ports->plays(ports->context, connection->peer != NULL ? connection->peer->id
                                                                 : stream_id(connection->stream));
}

/* --- giving way ------------------------------------------------------------------------------- */

struct candidate {
    struct connection *connection;
    size_t share;
    bool over, plays;
    uint64_t idle_ms;
};

static bool is_leaving(const struct connection *connection)
{
    return connection->peer != NULL
               ? connection->peer->state != PEER_OPEN
               : connection->state != PLAIN_HEAD && connection->state != PLAIN_STREAM;
}

static uint64_t idle_ms(const struct connection *connection)
{
    uint64_t now_ms = uv_now(connection->net->loop);
    return now_ms - (connection->peer != NULL ? connection->peer->said_ms : connection->since_ms);
}

static bool may_go(const struct candidate *candidate)
{
    return candidate->over || (!candidate->plays && candidate->idle_ms >= NET_IDLE_MS);
}

static bool goes_before(const struct candidate *one, const struct candidate *other)
{
    if (other->connection == NULL || one->over != other->over)
        return other->connection == NULL || one->over;
    if (one->plays != other->plays)
        return !one->plays;
    if (one->share != other->share)
        return one->share > other->share;
    return one->idle_ms > other->idle_ms;
}

/* Of a few that stand beside each other, from where the last search has ended: whoever has much more than his share is
 * met soon, and to look at all would cost more than to let one in. */
static struct connection *find_who_goes(struct net *net, const struct connection *for_whom)
{
    struct candidate best = {.connection = NULL};
    size_t fair = fair_share(net);
    for (size_t i = 0; i < SAMPLE && i < net->all_count; i++) {
        struct connection *connection = net->all[net->hand++ % net->all_count];
        if (connection == for_whom || !connection->is_counted || is_leaving(connection))
            continue;
        struct candidate candidate = {.connection = connection, .share = share_of(connection)};
        candidate.over = candidate.share > fair;
        candidate.plays = plays(connection);
        candidate.idle_ms = idle_ms(connection);
        if (may_go(&candidate) && goes_before(&candidate, &best))
            best = candidate;
    }
    return best.connection;
}

static void send_away(struct connection *connection)
{
    connection->net->statistics.gave_way++;
    if (connection->peer == NULL) {
        plain_close(connection);
        return;
    }
    connection->peer->gives_way = true;
    peer_close(connection->peer, 1013, "full: who plays goes first");
}

bool shares_let_in(struct connection *connection)
{
    struct net *net = connection->net;
    if (net->all_count <= places_for_all(net))
        return true;
    if (share_of(connection) > fair_share(net))
        return false;
    struct connection *other = find_who_goes(net, connection);
    if (other != NULL)
        send_away(other);
    connection->on_reserve = other == NULL;
    return net->all_count <= net->options.connections_max;
}

bool shares_await_head(struct connection *connection)
{
    const struct net *net = connection->net;
    connection->on_reserve = net->all_count > places_for_all(net);
    return net->all_count <= net->options.connections_max;
}

bool shares_may_ask(struct connection *connection, const char *path)
{
    static const char *const health[] = {"/healthz", "/readyz", "/metrics"};
    for (size_t i = 0; i < sizeof health / sizeof *health; i++)
        if (strcmp(path, health[i]) == 0)
            return true;
    if (connection->on_reserve && connection->from_proxy)
        return shares_let_in(connection) && !connection->on_reserve;
    return !connection->on_reserve;
}

void shares_sweep(struct net *net)
{
    uint64_t now_ms = uv_now(net->loop);
    bool is_full = net->all_count > places_for_all(net);
    for (size_t i = net->all_count; i-- > 0;) {
        struct connection *connection = net->all[i];
        if (!connection->on_reserve)
            continue;
        bool is_late = connection->peer != NULL && /* what is no WebSocket ends soon by itself */
                       now_ms - connection->since_ms >= net->options.reserve_ms;
        bool may_stay = !is_full || plays(connection);
        if (may_stay || is_late)
            connection->on_reserve = false;
        if (!may_stay && is_late)
            send_away(connection);
    }
}
