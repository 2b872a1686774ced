/* Frames that are no messages: pings, pongs nobody asked for, empty fragments.
 *
 * The library answers pings and shows them to nobody. What it has shown us is known, and the kernel knows what came in
 * all; the rest is what it did not show. A little of that is a client that pings; much is a flood. Asking the kernel
 * is a system call, so each sweep looks at some of the peers. */
#include "server/net/private.h"
#include "server/net/progress.h"

enum {
    LOOKS = 1024, /* peers a sweep */
    LOOKS_AT_ONCE = 32,
    HEADER_BYTES = 48, /* of a frame, and of the record of TLS it may come in; rather too much */
    UNSEEN_BYTES_MAX = 8 * 1024, /* between two looks */
};

void flood_begin(struct peer *peer)
{
    peer->received = progress_of_socket(connection_socket(peer->connection)).received;
}

void flood_seen(struct peer *peer, size_t length)
{
    if (length > 0)
        peer->received += length + HEADER_BYTES;
}

/* With TLS also what is decrypted and waits in the pair. */
static uint64_t unread_of(const struct connection *connection)
{
    uint64_t decrypted = progress_unread(lws_get_socket_fd(connection->wsi));
    return connection->secure == NULL ? decrypted : decrypted + secure_unread(connection->secure);
}

static void look(struct net *net, struct peer *peer)
{
    uint64_t received = progress_of_socket(connection_socket(peer->connection)).received;
    if (received <= peer->received + UNSEEN_BYTES_MAX) {
        peer->received = received;
        return;
    }
    /* Messages that wait in the kernel have not been shown to us, either. */
    uint64_t unread = unread_of(peer->connection);
    if (received - peer->received <= unread + UNSEEN_BYTES_MAX)
        return;
    net->statistics.peers_flooding++;
    if (peer->connection->is_counted)
        admission_charge(net->admission, &peer->connection->counted, uv_now(net->loop));
    peer_refuse(peer, 1008, "too many control frames");
    peer_stop_reading(peer);
}

void floods_sweep(struct net *net)
{
    net->flood_looks = LOOKS < net->slots_used ? LOOKS : net->slots_used;
}

bool floods_sweep_on(struct net *net)
{
    for (int i = 0; net->flood_looks > 0 && i < LOOKS_AT_ONCE; i++) {
        struct peer *peer = net->slots[net->flood_hand++ % net->slots_used];
        if (peer != NULL && peer->state == PEER_OPEN)
            look(net, peer);
        net->flood_looks--;
    }
    return net->flood_looks > 0;
}
