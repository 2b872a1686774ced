/* Who is written to next, in turns of bounded work: as sockets are read (turn.c), so they are written.
 *
 * One move is shown to everybody who watches, and each of them costs a call to the kernel: with thousands of them that is
 * longer than a turn may be. So peers with something to say to wait in queues. Who plays (the lane he is read in says so) comes
 * first, then all others in the order in which there was something for them; when the turn's time is used up, the rest waits
 * for the next one. What is said to a peer meanwhile lies in its outbox behind what lies there already, and goes out with it
 * in one write.
 *
 * Others have a part of each turn, however much there is for players, and no more. Peers whose connections end are counted, because the
 * library's closing costs more than a write. */
#include "server/net/private.h"

enum {
    ENDED_AT_ONCE = 32,
};

void writing_open(struct net *net)
{
    for (int i = 0; i < WRITING_QUEUES; i++)
        list_init(&net->writing.queues[i]);
}

static enum writing_queue queue_of(const struct peer *peer)
{
    if (peer->state != PEER_OPEN)
        return WRITING_ENDED;
    return peer->connection->lane == LANE_PLAYERS ? WRITING_PLAYERS : WRITING_OTHERS;
}

void writing_wants(struct peer *peer)
{
    struct writing *writing = &peer->connection->net->writing;
    if (!link_listed(&peer->to_write))
        list_append(&writing->queues[queue_of(peer)], &peer->to_write, peer);
}

/* Whose connection has come to its end since it was queued waits with those. */
static struct peer *take_first(struct writing *writing, enum writing_queue queue)
{
    struct peer *peer;
    while ((peer = list_first(&writing->queues[queue])) != NULL) {
        list_remove(&peer->to_write);
        if (queue == WRITING_ENDED || peer->state == PEER_OPEN)
            return peer;
        list_append(&writing->queues[WRITING_ENDED], &peer->to_write, peer);
    }
    return NULL;
}

/* At least one. What is reported here may add peers, also one that was written to already. */
static void write_until(struct writing *writing, enum writing_queue queue, uint64_t until_ns)
{
    struct peer *peer;
    while ((peer = take_first(writing, queue)) != NULL) {
        if (queue == WRITING_OTHERS)
            turn_look(peer->connection);
        peer_write(peer);
        if (uv_hrtime() >= until_ns)
            return;
    }
}

static void write_to_ended(struct writing *writing)
{
    struct peer *peer;
    for (int i = 0; i < ENDED_AT_ONCE && (peer = take_first(writing, WRITING_ENDED)) != NULL; i++)
        peer_write(peer);
}

bool writing_waits(const struct net *net)
{
    for (int i = 0; i < WRITING_QUEUES; i++)
        if (list_first(&net->writing.queues[i]) != NULL)
            return true;
    return false;
}

/* `spent_ns`: by these in this turn. */
static void write_within(struct writing *writing, enum writing_queue queue, uint64_t most_ns,
                         uint64_t *spent_ns)
{
    if (list_first(&writing->queues[queue]) == NULL)
        return;
    uint64_t began_ns = uv_hrtime();
    write_until(writing, queue, began_ns + (*spent_ns < most_ns ? most_ns - *spent_ns : 0));
    *spent_ns += uv_hrtime() - began_ns;
}

static void write_to_players(struct net *net)
{
    write_within(&net->writing, WRITING_PLAYERS, (uint64_t)net->options.turn_us * 1000,
                 &net->writing.players_ns);
}

void writing_go_on(struct net *net)
{
    write_to_players(net);
    write_within(&net->writing, WRITING_OTHERS, (uint64_t)net->options.turn_us * 1000 / TURN_OTHERS,
                 &net->writing.others_ns);
    write_to_ended(&net->writing);
}

void writing_begin(struct net *net)
{
    net->writing.players_ns = net->writing.others_ns = 0;
    write_to_players(net);
}
