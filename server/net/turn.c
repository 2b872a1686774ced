/* What sockets have for us, in turns of bounded work.
 *
 * libuv hands out all that is ready before it comes back, thousands of sockets at once, and nobody is answered meanwhile. So
 * connections lie in an epoll of our own, which is one descriptor on the loop. A turn takes a few of them at a time until
 * its time is used up. What is left is still there in the next one, and the kernel goes round: who was served stands
 * behind everybody else.
 *
 * A WebSocket's bytes are read by the library, which then knows messages that nobody has looked at yet. It keeps what is
 * left of them when a slice of time is used up (lws_rx_flow_control), and goes on when its peer's turn comes again. The
 * library is told about nothing else: its own handles wait for room to write only.
 *
 * What it closes it goes on closing when the turn is over, and looks through its table of all sockets each time (4.1): with
 * thousands of them that is more than all the rest, so closings are counted, too. */
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "server/net/private.h"

static uint64_t spent_us(uint64_t since_ns)
{
    return (uv_hrtime() - since_ns) / 1000;
}

bool turn_is_over(const struct net *net)
{
    return net->turn.closings >= TURN_CLOSINGS ||
           spent_us(net->turn.began_ns) >= net->options.turn_us;
}

/* --- who is waited for ------------------------------------------------------------------------ */

void turn_watch(struct connection *connection, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = connection};
    int how = connection->watched == 0 ? EPOLL_CTL_ADD
              : events == 0            ? EPOLL_CTL_DEL
                                       : EPOLL_CTL_MOD;
    if (events != connection->watched)
        epoll_ctl(connection->net->turn.epoll, how, connection->fd, &event);
    connection->watched = events;
}

void turn_forget(struct connection *connection)
{
    struct turn *turn = &connection->net->turn;
    turn_watch(connection, 0);
    for (int i = 0; i < turn->batch_count; i++)
        if (turn->batch[i].data.ptr == connection)
            turn->batch[i].data.ptr = NULL;
    if (turn->serving == connection)
        turn->serving = NULL;
}

/* --- peers the library keeps bytes of --------------------------------------------------------- */

void turn_put_off(struct peer *peer)
{
    struct turn *turn = &peer->connection->net->turn;
    if (!link_listed(&peer->put_off))
        list_append(&turn->put_off, &peer->put_off, peer);
    lws_rx_flow_control(peer->connection->wsi, 0);
}

void turn_put_off_if_over(struct peer *peer)
{
    const struct net *net = peer->connection->net;
    const struct turn *turn = &net->turn;
    if (turn->serving == peer->connection &&
        (spent_us(turn->serving_ns) >= net->options.turn_us / TURN_SLICES || turn_is_over(net)))
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
    if (connection->peer != NULL) {
        list_remove(&connection->peer->put_off);
        lws_rx_flow_control(connection->wsi, 1);
    }
    lws_service_fd(connection->net->context, &event);
    /* It may be gone by now, and turn_forget was called. */
    if (turn->serving != NULL && connection->peer != NULL)
        lws_rx_flow_control(connection->wsi, 0);
    turn->serving = NULL;
}

/* Nobody has two turns in one: what is said to him has to be written in between. */
static bool had_its_turn(const struct connection *connection)
{
    return connection->served_in == connection->net->turn.number;
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
        plain_ready(connection, (events & EPOLLERR) != 0);
    }
    return true;
}

/* False: nobody is ready whose turn it could be. */
static bool serve_who_is_ready(struct net *net)
{
    struct turn *turn = &net->turn;
    bool served = false;
    turn->batch_count = epoll_wait(turn->epoll, turn->batch, TURN_BATCH, 0);
    for (int i = 0; i < turn->batch_count && !(served && turn_is_over(net)); i++) {
        struct connection *connection = turn->batch[i].data.ptr;
        if (connection != NULL)
            served |= serve(connection, turn->batch[i].events);
    }
    turn->batch_count = 0;
    return served;
}

/* A sweep that has not come to its end, those who were put off and those who are ready, in turns. */
static void take(struct net *net)
{
    bool more;
    net->turn.began_ns = uv_hrtime();
    net->turn.number++;
    net->turn.closings = 0;
    do {
        more = peers_sweep_on(net);
        more |= floods_sweep_on(net);
        more |= serve_who_was_put_off(net);
        more |= serve_who_is_ready(net);
    } while (more && !turn_is_over(net));
    net->turn.is_ready = false;
}

/* --- the loop --------------------------------------------------------------------------------- */

static void on_ready(uv_poll_t *poll, int status, int events)
{
    struct net *net = poll->data;
    (void)status, (void)events;
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
    if (list_first(&turn->put_off) != NULL || net->dirty_count > 0 || net->sweeping ||
        net->flood_looks > 0)
        uv_idle_start(&turn->idle, on_idle);
    else
        uv_idle_stop(&turn->idle);
}

bool turn_open(struct net *net)
{
    struct turn *turn = &net->turn;
    list_init(&turn->put_off);
    turn->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (turn->epoll < 0 || uv_poll_init(net->loop, &turn->poll, turn->epoll) != 0)
        return false;
    uv_idle_init(net->loop, &turn->idle);
    turn->poll.data = turn->idle.data = net;
    uv_poll_start(&turn->poll, UV_READABLE, on_ready);
    return true;
}

void turn_finish(struct net *net)
{
    uv_close((uv_handle_t *)&net->turn.poll, NULL);
    uv_close((uv_handle_t *)&net->turn.idle, NULL);
}

void turn_close(struct net *net)
{
    if (net->turn.epoll >= 0)
        close(net->turn.epoll);
}
