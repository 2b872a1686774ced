/* What sockets have for us, in turns of bounded work.
 *
 * libuv hands out all that is ready before it comes back, thousands of sockets at once, and nobody is answered meanwhile. So
 * connections lie in epolls of our own, which are two descriptors on the loop. A turn takes a few of them at a time until
 * its time is used up. What is left is still there in the next one, and the kernel goes round: who was served stands
 * behind everybody else.
 *
 * There are two lanes, an epoll each. Who has a seat in a running game, does little else than play, and takes little time, is
 * served before all others: a thousand strangers who want something, or go, keep nobody's move waiting. Both lanes get
 * something in every turn.
 *
 * A WebSocket's bytes are read by the library, which then knows messages that nobody has looked at yet. It keeps what is
 * left of them when a slice of time is used up (lws_rx_flow_control), and goes on when its peer's turn comes again.
 *
 * The library would wait for bytes by itself. Telling it to stop and to go on for each message costs as much as a tenth of a
 * durable move, because libuv takes the descriptor out of its epoll each time. So its handle is stopped behind its back
 * (`turn_hush`), and it believes that it waits; while it waits for room to write, too, it is told to stop in earnest.
 *
 * What it closes it goes on closing when the turn is over, and looks through its table of all sockets each time (4.1): with
 * thousands of them that is more than all the rest, so closings are counted, too, and the more connections there are, the
 * fewer end in a turn. */
#include <assert.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "server/net/private.h"

/* Others have a part of it: what is said for players meanwhile, and what the store says, comes soon. */
static bool others_had_theirs(const struct net *net, uint64_t now_ns)
{
    const struct turn *turn = &net->turn;
    uint64_t served_ns = turn->others_since_ns == 0 ? 0 : now_ns - turn->others_since_ns;
    return (turn->others_ns + served_ns) / 1000 >= net->options.turn_us / TURN_OTHERS;
}

static bool closed_enough(const struct net *net)
{
    size_t closings = (size_t)net->turn.closings;
    return closings >= TURN_CLOSINGS || closings * net->all_count >= TURN_CLOSING_LOOKS;
}

/* The clock is a part of what a message costs: who has just looked at it says what it said. */
static bool is_over(const struct net *net, uint64_t now_ns)
{
    return closed_enough(net) || (now_ns - net->turn.began_ns) / 1000 >= net->options.turn_us ||
           others_had_theirs(net, now_ns);
}

bool turn_is_over(const struct net *net)
{
    return is_over(net, uv_hrtime());
}

/* --- who is waited for ------------------------------------------------------------------------ */

static void leave_batch(const struct connection *connection)
{
    struct lane_of_sockets *lane = &connection->net->turn.lanes[connection->lane];
    for (int i = lane->next; i < lane->count; i++)
        if (lane->batch[i].data.ptr == connection)
            lane->batch[i].data.ptr = NULL;
}

void turn_watch(struct connection *connection, uint32_t events)
{
    const struct turn *turn = &connection->net->turn;
    struct epoll_event event = {.events = events, .data.ptr = connection};
    int how = connection->watched == 0 ? EPOLL_CTL_ADD
              : events == 0            ? EPOLL_CTL_DEL
                                       : EPOLL_CTL_MOD;
    if (events != connection->watched)
        epoll_ctl(turn->lanes[connection->lane].epoll, how, connection->fd, &event);
    if (how == EPOLL_CTL_DEL)
        leave_batch(connection);
    connection->watched = events;
}

static void stop_library(struct connection *connection)
{
    lws_rx_flow_control(connection->wsi, 0);
    connection->is_stopped = true;
}

static void let_library_read(struct connection *connection)
{
    if (connection->is_stopped)
        lws_rx_flow_control(connection->wsi, 1);
    connection->is_stopped = false;
}

/* What libuv waits for on the library's behalf: its handle is the only one for this descriptor. NULL: for nothing. */
static uv__io_t *watcher_of(const struct connection *connection)
{
    const uv_loop_t *loop = connection->net->loop;
    return (unsigned)connection->fd < loop->nwatchers ? loop->watchers[connection->fd] : NULL;
}

void turn_hush(struct connection *connection)
{
    uv__io_t *watcher = watcher_of(connection);
    if (watcher == NULL || (watcher->pevents & POLLIN) == 0)
        return;
    if ((watcher->pevents & POLLOUT) != 0)
        stop_library(connection);
    else
        uv_poll_stop((uv_poll_t *)((char *)watcher - offsetof(uv_poll_t, io_watcher)));
}

static void go_to_lane(struct connection *connection, enum turn_lane lane)
{
    uint32_t events = connection->watched;
    if (lane == connection->lane)
        return;
    turn_watch(connection, 0);
    connection->lane = lane;
    turn_watch(connection, events);
}

/* After each time it was served. */
static void choose_lane(struct connection *connection, uint64_t took_ns, uint64_t now_ns)
{
    const struct net_ports *ports = &connection->net->ports;
    if (now_ns - connection->lane_ns >= UINT64_C(1000000000)) {
        connection->lane_ns = now_ns;
        connection->taken_ns = 0;
    }
    connection->taken_ns += took_ns;
    bool precedes = ports->precedes != NULL && connection->taken_ns / 1000 < TURN_PLAYER_US &&
                    ports->precedes(ports->context, connection->peer->id);
    go_to_lane(connection, precedes ? LANE_PLAYERS : LANE_OTHERS);
}

void turn_look(struct connection *connection)
{
    choose_lane(connection, 0, uv_hrtime());
}

void turn_forget(struct connection *connection)
{
    struct turn *turn = &connection->net->turn;
    turn_watch(connection, 0);
    leave_batch(connection);
    if (turn->serving == connection)
        turn->serving = NULL;
}

/* --- peers the library keeps bytes of --------------------------------------------------------- */

/* Nobody has two turns in one: what is said to him has to be written in between. */
static bool had_its_turn(const struct connection *connection)
{
    return connection->served_in == connection->net->turn.number;
}

void turn_put_off(struct peer *peer)
{
    struct turn *turn = &peer->connection->net->turn;
    if (!link_listed(&peer->put_off))
        list_append(&turn->put_off, &peer->put_off, peer);
    stop_library(peer->connection);
}

void turn_stop_reading(struct peer *peer)
{
    stop_library(peer->connection);
    list_remove(&peer->put_off);
    turn_watch(peer->connection, 0);
}

void turn_heard(struct peer *peer)
{
    const struct net *net = peer->connection->net;
    uint64_t now_ns = uv_hrtime();
    if ((now_ns - net->turn.serving_ns) / 1000 >= net->options.turn_us / TURN_SLICES ||
        is_over(net, now_ns))
        turn_put_off(peer);
}

/* --- one after the other ---------------------------------------------------------------------- */

/* The library reads, or goes on with what it kept; what it finds closed it closes. */
void turn_serve(struct connection *connection)
{
    struct turn *turn = &connection->net->turn;
    struct lws_pollfd event = {.fd = connection->fd, .events = LWS_POLLIN, .revents = LWS_POLLIN};
    connection->served_in = turn->number;
    turn->serving = connection;
    turn->serving_ns = uv_hrtime();
    if (connection->peer != NULL && !connection->peer->is_unread) {
        list_remove(&connection->peer->put_off);
        let_library_read(connection);
    }
    lws_service_fd(connection->net->context, &event);
    /* It may be gone by now, and turn_forget was called. */
    if (turn->serving != NULL && connection->peer != NULL) {
        uint64_t now_ns = uv_hrtime();
        choose_lane(connection, now_ns - turn->serving_ns, now_ns);
        turn_hush(connection);
    }
    turn->serving = NULL;
}

static bool serve_who_was_put_off(struct net *net)
{
    const struct peer *peer = list_first(&net->turn.put_off);
    if (peer == NULL || had_its_turn(peer->connection))
        return false;
    turn_serve(peer->connection);
    return true;
}

/* False: it is not its turn. */
static bool serve(struct connection *connection, uint32_t events)
{
    if (had_its_turn(connection) ||
        (connection->peer != NULL && link_listed(&connection->peer->put_off)))
        return false;
    if (connection->state == PLAIN_HANDED) {
        turn_serve(connection);
    } else {
        connection->served_in = connection->net->turn.number;
        /* Who is told lines without an end says nothing more; that he goes is all there is to hear. */
        uint32_t failures =
            connection->state == PLAIN_STREAM ? EPOLLERR | EPOLLHUP | EPOLLRDHUP : EPOLLERR;
        plain_ready(connection, (events & failures) != 0);
    }
    return true;
}

static void ask_who_is_ready(struct lane_of_sockets *lane)
{
    int count = epoll_wait(lane->epoll, lane->batch, TURN_BATCH, 0);
    lane->next = 0;
    lane->count = count > 0 ? count : 0;
}

/* One at least, if somebody is ready; false: those were all whose turn it could be. */
static bool serve_lane(struct net *net, struct lane_of_sockets *lane)
{
    bool served = false;
    if (!lane->is_ready)
        return false;
    if (lane->next == lane->count)
        ask_who_is_ready(lane);
    while (lane->next < lane->count && !(served && turn_is_over(net))) {
        const struct epoll_event *event = &lane->batch[lane->next++];
        if (event->data.ptr != NULL)
            served |= serve(event->data.ptr, event->events);
    }
    lane->is_ready = served && (lane->next < lane->count || lane->count == TURN_BATCH);
    return lane->is_ready;
}

static bool serve_others(struct net *net)
{
    struct turn *turn = &net->turn;
    turn->others_since_ns = uv_hrtime();
    bool more = serve_who_was_put_off(net);
    more |= serve_lane(net, &turn->lanes[LANE_OTHERS]);
    turn->others_ns += uv_hrtime() - turn->others_since_ns;
    turn->others_since_ns = 0;
    return more;
}

/* A sweep that has not come to its end, those who were put off and those who are ready, in turns. */
static void take(struct net *net)
{
    struct turn *turn = &net->turn;
    bool more;
    turn->began_ns = uv_hrtime();
    turn->number++;
    turn->closings = 0;
    turn->others_ns = 0;
    do {
        more = serve_lane(net, &turn->lanes[LANE_PLAYERS]);
        more |= peers_sweep_on(net);
        more |= floods_sweep_on(net);
        more |= serve_others(net);
    } while (more && !turn_is_over(net));
    turn->is_ready = turn->lanes[LANE_PLAYERS].is_ready = turn->lanes[LANE_OTHERS].is_ready = false;
}

/* --- the loop --------------------------------------------------------------------------------- */

static void on_ready(uv_poll_t *poll, int status, int events)
{
    struct net *net = poll->data;
    (void)status, (void)events;
    for (int i = 0; i < LANE_COUNT; i++)
        net->turn.lanes[i].is_ready |= poll == &net->turn.lanes[i].poll;
    net->turn.is_ready = true;
}

/* It keeps the loop from sleeping. */
static void on_idle(uv_idle_t *idle)
{
    struct net *net = idle->data;
    net->turn.is_ready = true;
}

void turn_take(struct net *net)
{
    if (net->turn.is_ready)
        take(net);
    net->turn.handshakes = 0;
}

/* Who is ready, the kernel knows; of the rest the loop has to be told before it sleeps. */
void turn_prepare(struct net *net)
{
    struct turn *turn = &net->turn;
    if (list_first(&turn->put_off) != NULL || writing_waits(net) || net->sweeping ||
        list_first(&net->streams) != NULL || net->flood_looks > 0)
        uv_idle_start(&turn->idle, on_idle);
    else
        uv_idle_stop(&turn->idle);
}

void turn_init(struct net *net)
{
    list_init(&net->turn.put_off);
    for (int i = 0; i < LANE_COUNT; i++)
        net->turn.lanes[i].epoll = -1;
}

bool turn_open(struct net *net)
{
    struct turn *turn = &net->turn;
    for (int i = 0; i < LANE_COUNT; i++)
        if ((turn->lanes[i].epoll = epoll_create1(EPOLL_CLOEXEC)) < 0)
            return false;
    for (int i = 0; i < LANE_COUNT; i++) {
        int status = uv_poll_init(net->loop, &turn->lanes[i].poll, turn->lanes[i].epoll);
        assert(status == 0);
        turn->lanes[i].poll.data = net;
        uv_poll_start(&turn->lanes[i].poll, UV_READABLE, on_ready);
    }
    uv_idle_init(net->loop, &turn->idle);
    turn->idle.data = net;
    return true;
}

void turn_finish(struct net *net)
{
    for (int i = 0; i < LANE_COUNT; i++)
        uv_close((uv_handle_t *)&net->turn.lanes[i].poll, NULL);
    uv_close((uv_handle_t *)&net->turn.idle, NULL);
}

void turn_close(struct net *net)
{
    for (int i = 0; i < LANE_COUNT; i++)
        if (net->turn.lanes[i].epoll >= 0)
            close(net->turn.lanes[i].epoll);
}
