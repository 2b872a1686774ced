#include "server/house/house.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "engine/bot/searcher.h"
#include "engine/memory/memory.h"
#include "engine/position.h"
#include "protocol/client.h"
#include "server/core/list.h"
#include "server/house/bot.h"
#include "server/house/thinking.h"

enum {
    INBOX_MAX = 256,
    SEAT_BYTES = 65,
    BUCKETS = 1024, /* peers follow one another, so two in one are rare */
    /* Of a turn of the loop: between turns people are answered. */
    GUESTS_PER_TURN = 4,
    FRAMES_PER_GUEST = 16,
    TURN_US = 1000,
    MISSES_MAX = 3, /* so often a position that cannot be had is waited for */
};

struct guest {
    struct guest *next_in_bucket;
    struct house *house;
    peer_id peer;
    struct client *client;
    struct bot bot;
    int level; /* 0: it does not think */
    char room[STORE_ROOM_BYTES + 1], seat[SEAT_BYTES];
    struct frame *inbox[INBOX_MAX]; /* retained, oldest first */
    int inbox_count;
    bool opened, joined, leaving;
    struct link ready;     /* in house->ready: it has heard something, or its time has come */
    struct link thinks;    /* in house->about_to_act or ->trying_again */
    uint64_t act_at_ms;    /* 0: nothing to do */
    int64_t asked_version; /* a search is under way for it; 0: none is */
    int miss_count;
};

struct house {
    uv_timer_t timer; /* for the first of those who think */
    uv_idle_t idle;   /* while somebody is ready; it keeps the loop from sleeping */
    struct house_ports ports;
    struct guest *by_peer[BUCKETS]; /* all of them, owned */
    struct list ready;
    /* Each waits equally long, so the first of each list is due first. */
    struct list about_to_act, trying_again;
    size_t guest_count;
    peer_id last_peer;
    struct house_options options;
    struct thinking *thinking; /* NULL: guests have no level */
    void (*on_closed)(void *context);
    void *on_closed_context;
};

static void on_timer(uv_timer_t *timer);
static void on_idle(uv_idle_t *idle);

/* --- whose turn it is ------------------------------------------------------------------------- */

static void is_ready(struct guest *guest)
{
    if (link_listed(&guest->ready))
        return;
    list_append(&guest->house->ready, &guest->ready, guest);
    uv_idle_start(&guest->house->idle, on_idle);
}

static uint64_t due_ms(const struct list *list)
{
    const struct guest *first = list_first(list);
    return first == NULL ? UINT64_MAX : first->act_at_ms;
}

static void set_timer(struct house *house)
{
    uint64_t now_ms = uv_now(house->timer.loop), first_ms = due_ms(&house->about_to_act);
    if (due_ms(&house->trying_again) < first_ms)
        first_ms = due_ms(&house->trying_again);
    if (first_ms == UINT64_MAX)
        uv_timer_stop(&house->timer);
    else
        uv_timer_start(&house->timer, on_timer, first_ms > now_ms ? first_ms - now_ms : 0, 0);
}

static void act_after(struct guest *guest, struct list *list, uint64_t wait_ms)
{
    guest->act_at_ms = uv_now(guest->house->timer.loop) + wait_ms;
    list_append(list, &guest->thinks, guest);
    if (list_first(list) == guest)
        set_timer(guest->house);
}

static void wake_those_due(struct list *list, uint64_t now_ms)
{
    for (struct guest *guest; (guest = list_first(list)) != NULL && guest->act_at_ms <= now_ms;) {
        list_remove(&guest->thinks);
        is_ready(guest);
    }
}

/* What they do is done a few at a time, whoever was woken first. */
static void on_timer(uv_timer_t *timer)
{
    struct house *house = timer->data;
    wake_those_due(&house->about_to_act, uv_now(timer->loop));
    wake_those_due(&house->trying_again, uv_now(timer->loop));
    set_timer(house);
}

/* --- coming and going ------------------------------------------------------------------------- */

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
        act_after(guest, &guest->house->trying_again, BOT_TRY_AGAIN_MS);
    }
}

void house_invite(struct house *house, const char *room, const char *seat, int level,
                  const char *token)
{
    if (house->guest_count >= HOUSE_GUESTS_MAX)
        return;
    struct guest *guest = memory_zeroed(1, sizeof *guest);
    guest->house = house;
    guest->peer = ++house->last_peer | (UINT64_C(1) << 63);
    house->options.seed += UINT64_C(0x9e3779b97f4a7c15);
    guest->client = client_new(
        &(struct client_options){.token = token, .seed = house->options.seed}, on_event, guest);
    bot_init(&guest->bot, BOT_MOVES_CAPTURE, house->options.seed);
    guest->bot.keeps_moves = house->options.keeps_moves;
    if (house->thinking != NULL)
        guest->level = level > 0 ? level : house->options.level;
    strncpy(guest->room, room, sizeof guest->room - 1);
    strncpy(guest->seat, seat, sizeof guest->seat - 1);
    guest->next_in_bucket = house->by_peer[guest->peer % BUCKETS];
    house->by_peer[guest->peer % BUCKETS] = guest;
    house->guest_count++;
    is_ready(guest);
}

_Static_assert((int)BOT_LEVEL_MAX == (int)SEARCH_LEVEL_MAX &&
                   (int)HINT_LINES_MAX == (int)SEARCH_LINES_MAX,
               "the protocol has the searcher's levels and lines");

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
    is_ready(guest);
    return SEND_QUEUED;
}

void house_hang_up(struct house *house, peer_id peer)
{
    struct guest *guest = find(house, peer);
    if (guest == NULL)
        return;
    guest->leaving = true;
    is_ready(guest);
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
    guest->house->guest_count--;
    list_remove(&guest->ready);
    list_remove(&guest->thinks);
    if (guest->asked_version != 0)
        thinking_forget(guest->house->thinking, guest->peer);
    for (int i = 0; i < guest->inbox_count; i++)
        frame_release(guest->inbox[i]);
    client_free(guest->client);
    free(guest);
}

static void let_go(struct guest *guest)
{
    const struct house_ports *ports = &guest->house->ports;
    peer_id peer = guest->peer;
    guest_free(guest);
    ports->gone(ports->context, peer);
}

/* --- a guest's turn --------------------------------------------------------------------------- */

/* The rest is for its next turn. */
static void listen_to_server(struct guest *guest)
{
    int count = guest->inbox_count < FRAMES_PER_GUEST ? guest->inbox_count : FRAMES_PER_GUEST;
    for (int i = 0; i < count; i++) {
        struct frame *frame = guest->inbox[i];
        client_received(guest->client, frame_payload(frame), frame->payload_length);
        frame_release(frame);
    }
    guest->inbox_count -= count;
    memmove(guest->inbox, guest->inbox + count,
            (size_t)guest->inbox_count * sizeof(struct frame *));
    if (guest->inbox_count > 0)
        is_ready(guest);
}

static void speak(struct guest *guest)
{
    struct house *house = guest->house;
    const char *frame;
    size_t length;
    while (!guest->leaving && (frame = client_next_frame(guest->client, &length)) != NULL)
        house->ports.said(house->ports.context, guest->peer, frame, length);
}

/* False: the position cannot be had now, and is asked for once more a little later; true also where it is waited for no longer. */
static bool search(struct guest *guest)
{
    struct house *house = guest->house;
    int64_t version = client_version(guest->client);
    struct position *position = house->ports.position(house->ports.context, guest->room, version);
    if (position == NULL && ++guest->miss_count <= MISSES_MAX)
        return false;
    guest->miss_count = 0;
    if (position == NULL) {
        bot_act(&guest->bot, guest->client);
        return true;
    }
    house->options.seed += UINT64_C(0x9e3779b97f4a7c15);
    if (guest->asked_version != 0)
        thinking_forget(house->thinking, guest->peer);
    guest->asked_version = version;
    thinking_ask(house->thinking, &(struct thinking_question){.asker = guest->peer,
                                                              .version = version,
                                                              .level = guest->level,
                                                              .seed = house->options.seed,
                                                              .position = position});
    return true;
}

static void act(struct guest *guest)
{
    if (guest->level == 0 || !bot_must_choose(&guest->bot, guest->client))
        bot_act(&guest->bot, guest->client);
    else if (!search(guest))
        act_after(guest, &guest->house->trying_again, BOT_TRY_AGAIN_MS);
}

/* Whoever waits for a search does nothing until something has changed. */
static bool wants_to_act(const struct guest *guest)
{
    return bot_wants_to_act(&guest->bot, guest->client) &&
           (guest->asked_version == 0 || guest->asked_version != client_version(guest->client));
}

static void think(struct guest *guest, uint64_t now_ms)
{
    struct house *house = guest->house;
    if (client_state_text(guest->client, "next_room")[0] != '\0')
        guest->leaving = true; /* the core invites again for the next room */
    if (!wants_to_act(guest)) {
        guest->act_at_ms = 0;
        list_remove(&guest->thinks);
    } else if (guest->act_at_ms == 0) {
        act_after(guest, &house->about_to_act, house->options.think_ms);
    } else if (guest->act_at_ms <= now_ms) {
        guest->act_at_ms = 0;
        list_remove(&guest->thinks);
        act(guest);
    }
}

/* A search for a version that is gone by now is another one's: that has been asked for, or will be. */
static void play_found(struct guest *guest, const struct thinking_question *question,
                       const struct search_answer *answer)
{
    int64_t version = question->version;
    if (guest == NULL || guest->leaving || guest->asked_version != version)
        return;
    guest->asked_version = 0;
    bool must_choose =
        client_version(guest->client) == version && bot_must_choose(&guest->bot, guest->client);
    if (must_choose && answer == NULL)
        bot_act(&guest->bot, guest->client);
    else if (must_choose && !bot_end_game(&guest->bot, guest->client, question->position,
                                          search_share(answer->value).share))
        bot_play_found(&guest->bot, guest->client, position_game(question->position), answer->move);
    is_ready(guest);
}

static void write_hint(const struct search_answer *answer, struct core_hint *hint)
{
    struct search_share share = search_share(answer->value);
    *hint = (struct core_hint){.share = share.share, .ends_in = share.ends_in};
    while (hint->move_count < answer->line_count && hint->move_count < CORE_HINT_MOVES_MAX) {
        hint->moves[hint->move_count] = answer->line[hint->move_count];
        hint->move_count++;
    }
}

static void on_thought(void *context, const struct thinking_question *question,
                       const struct search_answer *answers, int count)
{
    const struct house *house = context;
    struct core_hint hints[SEARCH_LINES_MAX];
    if (question->level != 0) {
        play_found(find(context, question->asker), question, count == 0 ? NULL : answers);
        return;
    }
    for (int i = 0; i < count; i++)
        write_hint(&answers[i], &hints[i]);
    house->ports.hinted(house->ports.context, question->asker, question->position, hints, count);
}

/* --- hints ------------------------------------------------------------------------------------ */

void house_hint(struct house *house, uint64_t number, struct position *position, int lines)
{
    assert(house->thinking != NULL && !house_owns(number));
    thinking_ask(house->thinking, &(struct thinking_question){
                                      .asker = number, .lines = lines, .position = position});
}

void house_forget_hint(struct house *house, uint64_t number)
{
    thinking_forget(house->thinking, number);
}

static void join(struct guest *guest)
{
    char name[DISPLAY_NAME_BYTES_MAX + 1] = "Senet's bot";
    if (guest->level > 0)
        snprintf(name, sizeof name, "Senet, level %d", guest->level);
    guest->joined = true;
    client_join(guest->client, guest->room, guest->seat, name, true);
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
        join(guest);
    }
    if (!guest->leaving)
        think(guest, now_ms);
    speak(guest);
}

/* One turn of the house: a few guests listen, think and speak, and stand behind all others then. What the core answers lands in
 * the inboxes. */
static void on_idle(uv_idle_t *idle)
{
    struct house *house = idle->data;
    uint64_t began_ns = uv_hrtime();
    struct guest *guest;
    for (int i = 0; i < GUESTS_PER_TURN && (guest = list_first(&house->ready)) != NULL; i++) {
        list_remove(&guest->ready);
        if (!guest->leaving)
            guest_turn(guest, uv_now(idle->loop));
        if (guest->leaving)
            let_go(guest);
        if (uv_hrtime() - began_ns >= TURN_US * UINT64_C(1000))
            break;
    }
    if (list_first(&house->ready) == NULL)
        uv_idle_stop(idle);
}

/* --- life ------------------------------------------------------------------------------------- */

struct house *house_new(struct uv_loop_s *loop, const struct house_ports *ports,
                        const struct house_options *options)
{
    struct house *house = memory_zeroed(1, sizeof *house);
    house->ports = *ports;
    house->options = *options;
    if (options->threads > 0)
        house->thinking = thinking_new(loop, options->threads, on_thought, house);
    list_init(&house->ready);
    list_init(&house->about_to_act);
    list_init(&house->trying_again);
    uv_timer_init(loop, &house->timer);
    uv_idle_init(loop, &house->idle);
    house->timer.data = house->idle.data = house;
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

static void on_idle_closed(uv_handle_t *handle)
{
    struct house *house = handle->data;
    uv_close((uv_handle_t *)&house->timer, on_timer_closed);
}

void house_close(struct house *house, void (*on_closed)(void *context), void *context)
{
    house->on_closed = on_closed;
    house->on_closed_context = context;
    for (int i = 0; i < BUCKETS; i++)
        while (house->by_peer[i] != NULL)
            guest_free(house->by_peer[i]);
    if (house->thinking != NULL)
        thinking_close(house->thinking);
    uv_timer_stop(&house->timer);
    uv_close((uv_handle_t *)&house->idle, on_idle_closed);
}
