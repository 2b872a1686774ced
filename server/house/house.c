#include "server/house/house.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "engine/memory/memory.h"
#include "protocol/client.h"
#include "server/house/bot.h"

enum {
    INBOX_MAX = 256,
    SEAT_BYTES = 65,
    BUCKETS = 1024,    /* peers follow one another, so two in one are rare */
    BUSY_PER_TURN = 4, /* guests that do something in one turn: between turns people are answered */
};

struct guest {
    struct guest *next, *next_in_bucket;
    struct house *house;
    peer_id peer;
    struct client *client;
    struct bot bot;
    char room[STORE_ROOM_BYTES + 1], seat[SEAT_BYTES];
    struct frame *inbox[INBOX_MAX]; /* retained, oldest first */
    int inbox_count;
    bool opened, joined, leaving;
    uint64_t act_at_ms; /* 0: nothing to do */
};

struct house {
    uv_timer_t timer;
    struct house_ports ports;
    struct guest *guests;
    struct guest *by_peer[BUCKETS];
    struct guest *next_guest; /* whose turn comes first; NULL: the first one's */
    size_t guest_count;
    peer_id last_peer;
    uint64_t seed, think_ms;
    void (*on_closed)(void *context);
    void *on_closed_context;
};

static void turn(uv_timer_t *timer);

static void wake(struct house *house, uint64_t in_ms)
{
    if (!uv_is_active((uv_handle_t *)&house->timer) || uv_timer_get_due_in(&house->timer) > in_ms)
        uv_timer_start(&house->timer, turn, in_ms, 0);
}

static void on_event(void *context, struct client *client, const struct client_event *event)
{
    struct guest *guest = context;
    (void)client;
    /* Whatever breaks the conversation, and a room that goes on elsewhere, ends the visit. */
    if (event->kind == CLIENT_BROKEN)
        guest->leaving = true;
    if (event->kind != CLIENT_REFUSED || strcmp(guest->room, "") == 0)
        return;
    if (client_room(guest->client) == NULL) {
        guest->leaving = true;
    } else if (event->retry) {
        bot_forget_answer(&guest->bot);
        guest->act_at_ms = uv_now(guest->house->timer.loop) + BOT_TRY_AGAIN_MS;
    }
}

void house_invite(struct house *house, const char *room, const char *seat, const char *token)
{
    if (house->guest_count >= HOUSE_GUESTS_MAX)
        return;
    struct guest *guest = memory_zeroed(1, sizeof *guest);
    guest->house = house;
    guest->peer = ++house->last_peer | (UINT64_C(1) << 63);
    house->seed += UINT64_C(0x9e3779b97f4a7c15);
    guest->client =
        client_new(&(struct client_options){.token = token, .seed = house->seed}, on_event, guest);
    bot_init(&guest->bot, BOT_MOVES_CAPTURE, house->seed);
    strncpy(guest->room, room, sizeof guest->room - 1);
    strncpy(guest->seat, seat, sizeof guest->seat - 1);
    guest->next = house->guests;
    house->guests = guest;
    guest->next_in_bucket = house->by_peer[guest->peer % BUCKETS];
    house->by_peer[guest->peer % BUCKETS] = guest;
    house->guest_count++;
    wake(house, 0);
}

static struct guest *find(struct house *house, peer_id peer)
{
    struct guest *guest = house->by_peer[peer % BUCKETS];
    while (guest != NULL && guest->peer != peer)
        guest = guest->next_in_bucket;
    return guest;
}

enum send_result house_send(struct house *house, peer_id peer, struct frame *frame)
{
    struct guest *guest = find(house, peer);
    if (guest == NULL || guest->leaving)
        return SEND_QUEUED;
    if (guest->inbox_count == INBOX_MAX)
        return SEND_FULL;
    guest->inbox[guest->inbox_count++] = frame_retain(frame);
    wake(house, 0);
    return SEND_QUEUED;
}

void house_hang_up(struct house *house, peer_id peer)
{
    struct guest *guest = find(house, peer);
    if (guest == NULL)
        return;
    guest->leaving = true;
    wake(house, 0);
}

size_t house_guest_count(const struct house *house)
{
    return house->guest_count;
}

static void guest_free(struct guest *guest)
{
    struct guest **link = &guest->house->by_peer[guest->peer % BUCKETS];
    while (*link != guest)
        link = &(*link)->next_in_bucket;
    *link = guest->next_in_bucket;
    for (int i = 0; i < guest->inbox_count; i++)
        frame_release(guest->inbox[i]);
    client_free(guest->client);
    free(guest);
}

static void listen_to_server(struct guest *guest)
{
    for (int i = 0; i < guest->inbox_count; i++) {
        struct frame *frame = guest->inbox[i];
        client_received(guest->client, frame_payload(frame), frame->payload_length);
        frame_release(frame);
    }
    guest->inbox_count = 0;
}

static void speak(struct guest *guest)
{
    struct house *house = guest->house;
    const char *frame;
    size_t length;
    while (!guest->leaving && (frame = client_next_frame(guest->client, &length)) != NULL)
        house->ports.said(house->ports.context, guest->peer, frame, length);
}

static void think(struct guest *guest, uint64_t now_ms)
{
    struct house *house = guest->house;
    if (client_state_text(guest->client, "next_room")[0] != '\0')
        guest->leaving = true; /* the core invites again for the next room */
    if (!bot_wants_to_act(&guest->bot, guest->client)) {
        guest->act_at_ms = 0;
    } else if (guest->act_at_ms == 0) {
        guest->act_at_ms = now_ms + house->think_ms;
    } else if (guest->act_at_ms <= now_ms) {
        guest->act_at_ms = 0;
        bot_act(&guest->bot, guest->client);
    }
    if (guest->act_at_ms != 0)
        wake(house, guest->act_at_ms > now_ms ? guest->act_at_ms - now_ms : 0);
}

static void guest_turn(struct guest *guest, uint64_t now_ms)
{
    struct house *house = guest->house;
    if (!guest->opened) {
        guest->opened = true;
        house->ports.opened(house->ports.context, guest->peer);
        client_opened(guest->client);
    }
    listen_to_server(guest);
    if (!guest->joined && client_player(guest->client) != NULL) {
        guest->joined = true;
        client_join(guest->client, guest->room, guest->seat, "Senet's bot", true);
    }
    if (!guest->leaving)
        think(guest, now_ms);
    speak(guest);
}

/* Who is told nothing and has nothing to do yet stays as it is. */
static bool is_busy(const struct guest *guest, uint64_t now_ms)
{
    bool acts = guest->act_at_ms != 0 && guest->act_at_ms <= now_ms;
    return !guest->leaving && (!guest->opened || guest->inbox_count > 0 || acts);
}

static void let_go_of_leaving(struct house *house)
{
    for (struct guest **link = &house->guests; *link != NULL;) {
        struct guest *guest = *link;
        if (!guest->leaving) {
            link = &guest->next;
            continue;
        }
        *link = guest->next;
        if (house->next_guest == guest)
            house->next_guest = guest->next;
        house->guest_count--;
        house->ports.gone(house->ports.context, guest->peer);
        guest_free(guest);
    }
}

/* One turn of the house: guests listen, think and speak, until a few of them had something to do; the next turn goes on
 * behind those. Who leaves is freed at the end. What the core answers lands in the inboxes and wakes the house again. */
static void turn(uv_timer_t *timer)
{
    struct house *house = timer->data;
    uint64_t now_ms = uv_now(timer->loop);
    struct guest *guest = house->next_guest != NULL ? house->next_guest : house->guests;
    int busy = 0;
    for (size_t i = 0; i < house->guest_count && guest != NULL && busy < BUSY_PER_TURN; i++) {
        if (is_busy(guest, now_ms)) {
            busy++;
            guest_turn(guest, now_ms);
        } else if (guest->act_at_ms != 0) {
            wake(house, guest->act_at_ms - now_ms);
        }
        guest = guest->next != NULL ? guest->next : house->guests;
    }
    house->next_guest = guest;
    if (busy == BUSY_PER_TURN)
        wake(house, 0);
    let_go_of_leaving(house);
}

struct house *house_new(struct uv_loop_s *loop, const struct house_ports *ports, uint64_t seed,
                        uint64_t think_ms)
{
    struct house *house = memory_zeroed(1, sizeof *house);
    house->ports = *ports;
    house->seed = seed;
    house->think_ms = think_ms;
    uv_timer_init(loop, &house->timer);
    house->timer.data = house;
    return house;
}

static void on_timer_closed(uv_handle_t *handle)
{
    struct house *house = handle->data;
    void (*on_closed)(void *) = house->on_closed;
    void *context = house->on_closed_context;
    free(house);
    if (on_closed != NULL)
        on_closed(context);
}

void house_close(struct house *house, void (*on_closed)(void *context), void *context)
{
    house->on_closed = on_closed;
    house->on_closed_context = context;
    while (house->guests != NULL) {
        struct guest *guest = house->guests;
        house->guests = guest->next;
        guest_free(guest);
    }
    house->guest_count = 0;
    uv_close((uv_handle_t *)&house->timer, on_timer_closed);
}
