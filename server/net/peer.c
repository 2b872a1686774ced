/* Peers: messages in, frames out, liveness. The only file that writes to a WebSocket.
 *
 * Frames are framed already and go out raw, everything a peer has queued in one write at the end of
 * the loop's turn. The library buffers what the socket does not take; a frame written while it does
 * so would corrupt the stream, so it is asked before every write, and a WRITEABLE callback is
 * requested only then. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory/memory.h"
#include "server/net/private.h"
#include "server/net/progress.h"
#include "server/net/utf8.h"

enum {
    SLOT_BITS = 24,
    OPCODE_CLOSE = 8,
    OPCODE_PING = 9,
    PING_BYTES = 6, /* a word and a number */
    NS_PER_MS = 1000 * 1000,
    CONTROL_BYTES_MAX = 127,
    MESSAGE_BYTES_FIRST = 2048,
    SWEPT_AT_ONCE = 256,
};

static peer_id peer_id_of(uint64_t serial, uint32_t slot)
{
    peer_id id = serial << SLOT_BITS | slot;
    assert(id >> 63 == 0); /* the highest bit marks local peers, which are not ours */
    return id;
}

static struct peer *find(const struct net *net, peer_id id)
{
    uint32_t slot = (uint32_t)(id & ((1U << SLOT_BITS) - 1));
    if (slot >= net->slots_used || net->slots[slot] == NULL || net->slots[slot]->id != id)
        return NULL;
    return net->slots[slot];
}

void peer_open(struct connection *connection)
{
    struct net *net = connection->net;
    assert(net->free_count > 0); /* no more connections than slots */
    uint32_t slot = net->free_slots[--net->free_count];
    struct peer *peer = memory_zeroed(1, sizeof(*peer));
    uint64_t now_ms = uv_now(net->loop);
    peer->id = peer_id_of(++net->serial, slot);
    peer->connection = connection;
    peer->heard_ms = peer->said_ms = peer->pinged_ms = peer->progress_ms = now_ms;
    outbox_init(&peer->outbox);
    connection->peer = peer;
    net->slots[slot] = peer;
    if (slot >= net->slots_used)
        net->slots_used = slot + 1;
    net->statistics.peers++;
    flood_begin(peer);
    turn_put_off(peer); /* something may have come behind the handshake */
    const struct core_address client = connection_client(connection, NULL);
    net->ports.opened(net->ports.context, peer->id, &client);
}

void peer_remove(struct connection *connection)
{
    struct net *net = connection->net;
    struct peer *peer = connection->peer;
    peer_id id = peer->id;
    uint32_t slot = (uint32_t)(id & ((1U << SLOT_BITS) - 1));
    connection->peer = NULL;
    net->slots[slot] = NULL;
    net->free_slots[net->free_count++] = slot;
    net->statistics.peers--;
    turn_forget(connection);
    net->turn.closings++;
    list_remove(&peer->put_off);
    list_remove(&peer->to_write);
    outbox_release(&peer->outbox);
    free(peer->message);
    free(peer);
    net->ports.gone(net->ports.context, id);
}

/* --- in --------------------------------------------------------------------------------------- */

static void say(struct peer *peer, const char *text, size_t length)
{
    struct net *net = peer->connection->net;
    if (!utf8_valid(text, length)) {
        peer_refuse(peer, 1007, "not UTF-8");
        return;
    }
    net->statistics.messages_received++;
    peer->said_ms = uv_now(net->loop);
    net->ports.said(net->ports.context, peer->id, text, length);
    turn_heard(peer);
}

static void keep_part(struct peer *peer, const char *bytes, size_t length)
{
    size_t needed = peer->message_length + length;
    if (needed > peer->message_room || peer->message == NULL) {
        peer->message_room = needed < MESSAGE_BYTES_FIRST ? MESSAGE_BYTES_FIRST : needed * 2;
        peer->message = memory_resize(peer->message, peer->message_room, 1);
    }
    memcpy(peer->message + peer->message_length, bytes, length);
    peer->message_length = needed;
}

static void say_kept(struct peer *peer)
{
    unsigned char *message = peer->message;
    size_t length = peer->message_length;
    peer->message = NULL;
    peer->message_length = peer->message_room = 0;
    say(peer, (const char *)message, length);
    free(message);
}

void peer_receive(struct connection *connection, const char *bytes, size_t length,
                  size_t still_to_come, bool is_last)
{
    struct net *net = connection->net;
    struct peer *peer = connection->peer;
    size_t most = net->options.message_bytes_max;
    net->statistics.bytes_received += length;
    peer->heard_ms = uv_now(net->loop);
    flood_seen(peer, length);
    if (peer->state != PEER_OPEN) {
        peer->ignored += length;
        if (peer->ignored > NET_CLOSED_READING_BYTES)
            peer_stop_reading(peer);
        return;
    }
    /* Whatever length is declared, no more than `most` is ever kept. */
    if (still_to_come > most || peer->message_length + length + still_to_come > most) {
        peer_refuse(peer, 1009, "message too big");
        return;
    }
    if (is_last && peer->message == NULL) {
        say(peer, bytes, length);
        return;
    }
    keep_part(peer, bytes, length);
    if (is_last)
        say_kept(peer);
}

void peer_refuse(struct peer *peer, int code, const char *reason)
{
    if (peer->state != PEER_OPEN)
        return;
    peer->connection->net->statistics.peers_violating++;
    peer_close(peer, code, reason);
}

void peer_stop_reading(struct peer *peer)
{
    if (peer->is_unread)
        return;
    peer->is_unread = true;
    turn_stop_reading(peer);
}

/* --- out -------------------------------------------------------------------------------------- */

enum send_result net_send(struct net *net, peer_id id, struct frame *frame)
{
    struct peer *peer = find(net, id);
    if (peer == NULL || peer->state != PEER_OPEN)
        return SEND_QUEUED; /* `gone` is on its way to whoever sends */
    if (!outbox_put(&peer->outbox, frame)) {
        net->statistics.outboxes_full += !peer->was_full;
        peer->was_full = true;
        return SEND_FULL;
    }
    net->statistics.frames_sent++;
    writing_wants(peer);
    return SEND_QUEUED;
}

void peer_close(struct peer *peer, int code, const char *reason)
{
    if (peer->state != PEER_OPEN)
        return;
    peer->state = PEER_CLOSING;
    peer->closing_ms = uv_now(peer->connection->net->loop);
    peer->close_code = (uint16_t)code;
    size_t length = strnlen(reason, NET_REASON_BYTES_MAX);
    memcpy(peer->close_reason, reason, length);
    peer->close_reason[length] = '\0';
    free(peer->message);
    peer->message = NULL;
    writing_wants(peer);
}

void net_close(struct net *net, peer_id id, int code, const char *reason)
{
    struct peer *peer = find(net, id);
    if (peer != NULL)
        peer_close(peer, code, reason);
}

bool net_close_some(struct net *net, size_t most, int code, const char *reason)
{
    for (uint32_t slot = 0; slot < net->slots_used; slot++) {
        struct peer *peer = net->slots[slot];
        if (peer == NULL || peer->state != PEER_OPEN)
            continue;
        if (most-- == 0)
            return true;
        peer_close(peer, code, reason);
    }
    return false;
}

size_t net_peer_count(const struct net *net)
{
    return net->statistics.peers + net->statistics.streams;
}

/* Whoever is still asked is not asked again before the answer, or it would never be known which one it is. */
void net_measure(struct net *net, peer_id id)
{
    struct peer *peer = find(net, id);
    if (peer == NULL || peer->state != PEER_OPEN || peer->wants_ping || peer->ping_ns > 0)
        return;
    peer->wants_ping = true;
    writing_wants(peer);
}

static void fill_ping(const struct peer *peer, unsigned char payload[PING_BYTES])
{
    static const char word[] = "senet";
    memcpy(payload, word, PING_BYTES - 1);
    payload[PING_BYTES - 1] = peer->ping;
}

/* Its answer echoes what it carries. */
static size_t write_ping(struct peer *peer, unsigned char *bytes)
{
    peer->wants_ping = false;
    peer->ping++;
    peer->ping_ns = uv_hrtime();
    bytes[0] = 0x80 | OPCODE_PING;
    bytes[1] = PING_BYTES;
    fill_ping(peer, bytes + 2);
    return 2 + PING_BYTES;
}

/* What was not asked for, or is late, says only that somebody is there; and it counts as what it is, see flood.c. */
void peer_answered_ping(struct peer *peer, const unsigned char *payload, size_t length)
{
    const struct net *net = peer->connection->net;
    unsigned char expected[PING_BYTES];
    peer->heard_ms = uv_now(net->loop);
    fill_ping(peer, expected);
    if (peer->ping_ns == 0 || length != PING_BYTES || memcmp(payload, expected, PING_BYTES) != 0)
        return;
    uint64_t round_trip_ms = (uv_hrtime() - peer->ping_ns) / NS_PER_MS;
    peer->ping_ns = 0;
    flood_seen(peer, length);
    if (net->ports.answered != NULL && peer->state == PEER_OPEN)
        net->ports.answered(net->ports.context, peer->id, (uint32_t)round_trip_ms);
}

const uint16_t net_close_codes[NET_CLOSE_CODES] = {1000, 1003, 1007, 1008, 1009, 1012, 1013,
                                                   4001, 4004, 4008, 4009, 4010, 0};

static void count_closed(struct net *net, uint16_t code)
{
    int i = 0;
    while (net_close_codes[i] != 0 && net_close_codes[i] != code)
        i++;
    net->statistics.closed[i]++;
}

static size_t write_close(struct peer *peer, unsigned char *bytes)
{
    count_closed(peer->connection->net, peer->close_code);
    size_t length = strlen(peer->close_reason);
    peer->state = PEER_CLOSED;
    peer->closed_ms = uv_now(peer->connection->net->loop);
    bytes[0] = 0x80 | OPCODE_CLOSE;
    bytes[1] = (unsigned char)(2 + length);
    bytes[2] = (unsigned char)(peer->close_code >> 8);
    bytes[3] = (unsigned char)(peer->close_code & 0xff);
    memcpy(bytes + 4, peer->close_reason, length);
    return 4 + length;
}

/* The next bytes for the peer: whole frames or the rest of one, control frames only between frames.
 */
static size_t fill(struct peer *peer, unsigned char *bytes)
{
    size_t used = 0;
    if (peer->state >= PEER_CLOSED)
        return 0;
    if (peer->wants_ping && peer->outbox.offset == 0)
        used = write_ping(peer, bytes);
    used += outbox_take(&peer->outbox, bytes + used, NET_SCRATCH_BYTES - CONTROL_BYTES_MAX - used);
    if (peer->state == PEER_CLOSING && outbox_empty(&peer->outbox))
        used += write_close(peer, bytes + used);
    return used;
}

/* Ends the connection without a word, for a socket that takes none. `peer` may be gone afterwards:
 * the library closes at once unless it still holds bytes; those fail now, and then it does. */
static void drop(struct peer *peer)
{
    struct lws *wsi = peer->connection->wsi;
    peer->state = PEER_DROPPED;
    shutdown(lws_get_socket_fd(wsi), SHUT_RDWR);
    lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC);
}

/* False when the socket is broken. Outside of the library's callbacks and inside alike. */
static bool flush(struct peer *peer)
{
    struct net *net = peer->connection->net;
    struct lws *wsi = peer->connection->wsi;
    unsigned char *bytes = net->scratch + LWS_PRE;
    while (!lws_partial_buffered(wsi)) {
        size_t length = fill(peer, bytes);
        if (length == 0)
            return true;
        net->statistics.writes++;
        net->statistics.bytes_sent += length;
        if (lws_write(wsi, bytes, length, LWS_WRITE_RAW) < 0)
            return false;
    }
    net->statistics.writes_partial++;
    lws_callback_on_writable(wsi);
    turn_hush(peer->connection);
    return true;
}

void peer_write_now(struct peer *peer)
{
    flush(peer); /* of a broken socket the library tells us itself */
}

static bool all_is_written(const struct peer *peer)
{
    return outbox_empty(&peer->outbox) && !lws_partial_buffered(peer->connection->wsi);
}

static void report_drained(struct peer *peer)
{
    struct net *net = peer->connection->net;
    if (!peer->was_full || !all_is_written(peer) || peer->state != PEER_OPEN)
        return;
    peer->was_full = false;
    net->ports.drained(net->ports.context, peer->id);
}

void peer_writeable(struct peer *peer)
{
    writing_wants(peer); /* in its turn, like the others */
}

void peer_write(struct peer *peer)
{
    if (flush(peer))
        report_drained(peer);
    else
        drop(peer);
}

/* --- liveness --------------------------------------------------------------------------------- */

static bool is_stalled(struct peer *peer, uint64_t now_ms)
{
    if (all_is_written(peer)) {
        peer->progress_ms = now_ms;
        return false;
    }
    uint64_t acknowledged = progress_of_socket(connection_socket(peer->connection)).acknowledged;
    if (acknowledged - peer->acknowledged >= NET_PROGRESS_BYTES) {
        peer->acknowledged = acknowledged;
        peer->progress_ms = now_ms;
    }
    return now_ms - peer->progress_ms >= peer->connection->net->options.stalled_ms;
}

static bool is_closing_too_long(const struct peer *peer, uint64_t now_ms)
{
    if (peer->gives_way && now_ms - peer->closing_ms >= NET_GIVING_WAY_MS)
        return true;
    if (peer->state == PEER_CLOSED && now_ms - peer->closed_ms >= NET_CLOSE_ANSWER_MS)
        return true;
    return peer->state != PEER_OPEN && now_ms - peer->closing_ms >= NET_CLOSE_TOTAL_MS;
}

static void sweep_peer(struct net *net, struct peer *peer, uint64_t now_ms)
{
    if (peer->state == PEER_DROPPED)
        return;
    if (is_closing_too_long(peer, now_ms)) {
        drop(peer);
        return;
    }
    if (now_ms - peer->heard_ms >= 2 * (uint64_t)net->options.heartbeat_ms) {
        net->statistics.peers_silent++;
        drop(peer);
        return;
    }
    if (peer->state != PEER_OPEN && now_ms - peer->closing_ms >= NET_CLOSED_READING_MS)
        peer_stop_reading(peer);
    if (is_stalled(peer, now_ms)) {
        net->statistics.peers_stalled++;
        drop(peer);
        return;
    }
    if (now_ms - peer->pinged_ms >= net->options.heartbeat_ms && peer->state == PEER_OPEN) {
        peer->pinged_ms = now_ms;
        peer->wants_ping = true;
        writing_wants(peer);
    }
}

bool peers_sweep_on(struct net *net)
{
    uint64_t now_ms = uv_now(net->loop);
    for (int i = 0; net->sweeping && i < SWEPT_AT_ONCE && net->sweep_slot < net->slots_used; i++) {
        struct peer *peer = net->slots[net->sweep_slot++];
        if (peer != NULL)
            sweep_peer(net, peer, now_ms);
        if (turn_is_over(net))
            break;
    }
    if (net->sweep_slot < net->slots_used)
        return net->sweeping;
    net->sweeping = false;
    net->sweep_slot = 0;
    return false;
}
