/* The bus's queues and its thread.
 *
 * What the loop publishes in one turn is handed over when the turn ends. The thread connects, sends, and asks the broker once
 * a second whether it is there; where it is not, it lets the connection go, waits a little longer each time, and makes a new
 * one. What arrives comes on a thread of the broker's, is read there, and waits for the loop. All of it changes hands as
 * lists under one mutex; nothing else is shared but counters.
 *
 * While the bus is down nothing is kept to be sent later: hints grow old. The thread may be held up in the library
 * (nats.c), so closing does not wait for ever: after CLOSE_WITHIN_MS it is left behind, and whoever of the two is last gives the
 * memory back. */
#include "server/bus/bus.h"

#include "server/bus/broker.h"
#include "server/bus/parcel.h"

#include <uv.h>

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHECK_EVERY_MS = 1000,
    REST_FIRST_MS = 100, /* before the next attempt; it doubles, and half of it is left to chance */
    REST_LAST_MS = 4000,
    CLOSE_WITHIN_MS = 4000, /* an attempt to connect or a question, and what follows it */
    MS = 1000000,
};

enum state { UNTRIED, UP, DOWN };

struct counters {
    atomic_uint_fast64_t connects, sent, sent_bytes, unsent, arrived, arrived_bytes, missed,
        malformed;
};

struct bus {
    /* The loop's. */
    struct bus_ports ports;
    void (*on_closed)(void *context);
    void *closed_context;
    uv_async_t wake_loop;
    uv_prepare_t before_waiting;
    uv_timer_t patience; /* while it closes */
    int open_handles;
    bool joined, closing;
    enum state told;
    uint64_t told_connects;
    struct parcels asked; /* in this turn; not handed over yet */
    struct parcels untold;
    /* Both sides', under the mutex. */
    uv_mutex_t mutex;
    uv_cond_t wake_thread;
    struct parcels outgoing, incoming;
    enum state state;
    uint64_t connects;
    char words[BROKER_WORDS_BYTES]; /* why it is down */
    bool lost, some_missed;
    bool told_to_end, ended, left_behind, loop_done;
    /* The thread's. */
    uv_thread_t thread;
    struct broker *broker; /* NULL: there is none */
    uint64_t random;
    char prefix[WIRE_SUBJECT_BYTES], node[BUS_NAME_BYTES + 1];
    /* Anybody's. */
    struct counters counters;
    atomic_size_t waiting, waiting_bytes; /* on their way out */
};

/* --- the threads ------------------------------------------------------------------------------ */

/* Under the mutex: whoever was left behind has no loop any more. */
static void wake(struct bus *bus)
{
    if (!bus->left_behind)
        uv_async_send(&bus->wake_loop);
}

static void count_out(struct bus *bus, size_t count, size_t bytes)
{
    atomic_fetch_sub(&bus->waiting, count);
    atomic_fetch_sub(&bus->waiting_bytes, bytes);
}

static void drop(struct bus *bus, struct parcels *parcels)
{
    atomic_fetch_add(&bus->counters.unsent, parcels->count);
    count_out(bus, parcels->count, parcels->bytes);
    parcels_clear(parcels);
}

/* So that servers that have lost a broker together do not come back all at once. */
static uint64_t draw(struct bus *bus, uint64_t below)
{
    bus->random = bus->random * 6364136223846793005u + 1442695040888963407u;
    return (bus->random >> 33) % below;
}

static void on_missed(void *context)
{
    struct bus *bus = context;
    atomic_fetch_add(&bus->counters.missed, 1);
    uv_mutex_lock(&bus->mutex);
    bus->some_missed = true;
    wake(bus);
    uv_mutex_unlock(&bus->mutex);
}

static void on_lost(void *context)
{
    struct bus *bus = context;
    uv_mutex_lock(&bus->mutex);
    bus->lost = true;
    uv_cond_signal(&bus->wake_thread);
    uv_mutex_unlock(&bus->mutex);
}

static struct parcel *read_parcel(const char *subject, const char *bytes, size_t length)
{
    if (length > WIRE_BYTES_MAX || strlen(subject) >= WIRE_SUBJECT_BYTES)
        return NULL;
    struct parcel *parcel = parcel_new(subject, bytes, length);
    if (parcel == NULL || wire_read(&parcel->message, parcel->subject, parcel->bytes, length))
        return parcel;
    free(parcel);
    return NULL;
}

static void on_heard(void *context, const char *subject, const char *bytes, size_t length)
{
    struct bus *bus = context;
    struct parcel *parcel = read_parcel(subject, bytes, length);
    if (parcel == NULL) {
        atomic_fetch_add(&bus->counters.malformed, 1);
        return;
    }
    atomic_fetch_add(&bus->counters.arrived, 1);
    atomic_fetch_add(&bus->counters.arrived_bytes, length);
    uv_mutex_lock(&bus->mutex);
    bool taken = !parcels_full(&bus->incoming);
    if (taken)
        parcels_append(&bus->incoming, parcel);
    wake(bus);
    uv_mutex_unlock(&bus->mutex);
    if (taken)
        return;
    free(parcel);
    on_missed(bus);
}

/* What is to be sent, or NULL after a while without anything. */
static struct parcel *next_parcel(struct bus *bus, bool *go_on)
{
    uv_mutex_lock(&bus->mutex);
    if (bus->outgoing.first == NULL && !bus->lost && !bus->told_to_end)
        uv_cond_timedwait(&bus->wake_thread, &bus->mutex, (uint64_t)CHECK_EVERY_MS * MS);
    struct parcel *parcel = bus->lost ? NULL : parcels_take(&bus->outgoing);
    *go_on = !bus->lost && !(bus->told_to_end && parcel == NULL);
    uv_mutex_unlock(&bus->mutex);
    return parcel;
}

static bool send_parcel(struct bus *bus, struct parcel *parcel)
{
    enum broker_sent sent =
        broker_send(bus->broker, parcel->subject, parcel->bytes, parcel->length);
    atomic_fetch_add(&bus->counters.sent, sent == BROKER_SENT);
    atomic_fetch_add(&bus->counters.sent_bytes, sent == BROKER_SENT ? parcel->length : 0);
    atomic_fetch_add(&bus->counters.unsent, sent != BROKER_SENT);
    count_out(bus, 1, parcel_size(parcel));
    free(parcel);
    return sent != BROKER_LOST;
}

static bool was_lost(struct bus *bus)
{
    uv_mutex_lock(&bus->mutex);
    bool lost = bus->lost;
    uv_mutex_unlock(&bus->mutex);
    return lost;
}

/* Until the connection is lost or everything is over. */
static void speak(struct bus *bus)
{
    uint64_t checked_ns = uv_hrtime();
    bool is_there = true, go_on = true;
    while (is_there && go_on) {
        struct parcel *parcel = next_parcel(bus, &go_on);
        if (parcel != NULL)
            is_there = send_parcel(bus, parcel);
        if (is_there && uv_hrtime() - checked_ns >= (uint64_t)CHECK_EVERY_MS * MS) {
            is_there = broker_check(bus->broker);
            checked_ns = uv_hrtime();
        }
    }
    if (is_there && !was_lost(bus))
        broker_check(bus->broker); /* then what was sent last is there */
}

static void enter(struct bus *bus, enum state state, const char *words)
{
    uv_mutex_lock(&bus->mutex);
    bus->state = state;
    bus->connects += state == UP;
    if (state == DOWN)
        drop(bus, &bus->outgoing);
    snprintf(bus->words, sizeof bus->words, "%s", words);
    wake(bus);
    uv_mutex_unlock(&bus->mutex);
    atomic_fetch_add(&bus->counters.connects, state == UP);
}

/* Whether there was a connection. */
static bool be_connected(struct bus *bus)
{
    const struct broker_ear ear = {bus, on_heard, on_missed, on_lost};
    char words[BROKER_WORDS_BYTES];
    uv_mutex_lock(&bus->mutex);
    bus->lost = false;
    uv_mutex_unlock(&bus->mutex);
    if (!broker_connect(bus->broker, bus->prefix, bus->node, &ear, words)) {
        enter(bus, DOWN, words);
        return false;
    }
    enter(bus, UP, "");
    speak(bus);
    enter(bus, DOWN, "the broker is gone, or does not answer");
    broker_disconnect(bus->broker);
    return true;
}

/* False: it is over. */
static bool rest(struct bus *bus, uint64_t rest_ms)
{
    uint64_t now_ns = uv_hrtime();
    uint64_t until_ns = now_ns + (rest_ms / 2 + draw(bus, rest_ms / 2 + 1)) * MS;
    uv_mutex_lock(&bus->mutex);
    for (; !bus->told_to_end && now_ns < until_ns; now_ns = uv_hrtime())
        uv_cond_timedwait(&bus->wake_thread, &bus->mutex, until_ns - now_ns);
    bool go_on = !bus->told_to_end;
    uv_mutex_unlock(&bus->mutex);
    return go_on;
}

static void release(struct bus *bus)
{
    parcels_clear(&bus->asked);
    parcels_clear(&bus->untold);
    parcels_clear(&bus->outgoing);
    parcels_clear(&bus->incoming);
    uv_cond_destroy(&bus->wake_thread);
    uv_mutex_destroy(&bus->mutex);
    if (bus->broker != NULL)
        broker_free(bus->broker);
    free(bus);
}

static void run_thread(void *context)
{
    struct bus *bus = context;
    uint64_t rest_ms = REST_FIRST_MS;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    do {
        rest_ms = be_connected(bus) ? REST_FIRST_MS : rest_ms * 2;
        rest_ms = rest_ms > REST_LAST_MS ? REST_LAST_MS : rest_ms;
    } while (rest(bus, rest_ms));
    uv_mutex_lock(&bus->mutex);
    bus->ended = true;
    wake(bus);
    bool last = bus->loop_done;
    uv_mutex_unlock(&bus->mutex);
    if (last)
        release(bus);
}

/* --- the loop: what has come ------------------------------------------------------------------ */

static void tell_state(struct bus *bus, enum state state, const char *words)
{
    if (bus->told == state || state == UNTRIED)
        return;
    bus->told = state;
    bus->ports.changed(bus->ports.context, state == UP, words);
}

struct news {
    enum state state;
    uint64_t connects;
    char words[BROKER_WORDS_BYTES];
    bool some_missed, ended;
};

static struct news take_news(struct bus *bus)
{
    uv_mutex_lock(&bus->mutex);
    struct news news = {.state = bus->state,
                        .connects = bus->connects,
                        .some_missed = bus->some_missed,
                        .ended = bus->ended};
    memcpy(news.words, bus->words, sizeof news.words);
    bus->some_missed = false;
    if (bus->untold.first == NULL) /* else they wait there, where there is a bound */
        parcels_move(&bus->untold, &bus->incoming);
    uv_mutex_unlock(&bus->mutex);
    return news;
}

/* One at least, if there is one, and what the turn has time for. */
static void tell_messages(struct bus *bus)
{
    uint64_t end_ns = uv_hrtime() + (uint64_t)BUS_TURN_US * 1000;
    for (struct parcel *parcel; (parcel = parcels_take(&bus->untold)) != NULL;) {
        bus->ports.arrived(bus->ports.context, &parcel->message);
        free(parcel);
        if (uv_hrtime() >= end_ns)
            break;
    }
    if (bus->untold.first != NULL)
        uv_async_send(&bus->wake_loop);
}

static void end(struct bus *bus);

static void on_news(uv_async_t *handle)
{
    struct bus *bus = handle->data;
    struct news news = take_news(bus);
    if (bus->closing) {
        if (news.ended)
            end(bus);
        return;
    }
    /* However quickly one connection followed the other: what was said in between is lost. */
    if (news.connects != bus->told_connects && bus->told == UP)
        tell_state(bus, DOWN, "the connection was lost for a moment");
    bus->told_connects = news.connects;
    tell_state(bus, news.state, news.words);
    if (news.some_missed)
        bus->ports.missed(bus->ports.context);
    tell_messages(bus);
}

/* --- the loop: what goes out ------------------------------------------------------------------ */

bool bus_is_up(const struct bus *bus)
{
    return bus->told == UP;
}

static void on_before_waiting(uv_prepare_t *handle)
{
    struct bus *bus = handle->data;
    if (bus->asked.first == NULL)
        return;
    uv_mutex_lock(&bus->mutex);
    if (bus->state == UP)
        parcels_move(&bus->outgoing, &bus->asked);
    else
        drop(bus, &bus->asked);
    uv_cond_signal(&bus->wake_thread);
    uv_mutex_unlock(&bus->mutex);
}

static bool refuse(struct bus *bus)
{
    atomic_fetch_add(&bus->counters.unsent, 1);
    return false;
}

bool bus_publish(struct bus *bus, const struct bus_message *message)
{
    char subject[WIRE_SUBJECT_BYTES], bytes[WIRE_BYTES_MAX];
    size_t length;
    if (bus->broker == NULL)
        return false;
    if (bus->told != UP || bus->closing || atomic_load(&bus->waiting) >= BUS_QUEUE_MAX ||
        atomic_load(&bus->waiting_bytes) >= BUS_QUEUE_BYTES_MAX ||
        !wire_write(message, bus->prefix, bus->node, subject, bytes, &length))
        return refuse(bus);
    struct parcel *parcel = parcel_new(subject, bytes, length);
    if (parcel == NULL)
        return refuse(bus);
    atomic_fetch_add(&bus->waiting, 1);
    atomic_fetch_add(&bus->waiting_bytes, parcel_size(parcel));
    parcels_append(&bus->asked, parcel);
    return true;
}

/* --- opening and closing ---------------------------------------------------------------------- */

static void on_handle_closed(uv_handle_t *handle)
{
    struct bus *bus = handle->data;
    if (--bus->open_handles > 0)
        return;
    void (*on_closed)(void *context) = bus->on_closed;
    void *context = bus->closed_context;
    uv_mutex_lock(&bus->mutex);
    bus->loop_done = true;
    bool last = bus->ended || !bus->left_behind;
    uv_mutex_unlock(&bus->mutex);
    if (last)
        release(bus);
    if (on_closed != NULL)
        on_closed(context);
}

static void close_handles(struct bus *bus)
{
    uv_close((uv_handle_t *)&bus->wake_loop, on_handle_closed);
    uv_close((uv_handle_t *)&bus->before_waiting, on_handle_closed);
    uv_close((uv_handle_t *)&bus->patience, on_handle_closed);
}

static void end(struct bus *bus)
{
    if (bus->joined)
        uv_thread_join(&bus->thread);
    bus->joined = false;
    close_handles(bus);
}

static void on_patience_ended(uv_timer_t *timer)
{
    struct bus *bus = timer->data;
    uv_mutex_lock(&bus->mutex);
    bool ended = bus->ended;
    bus->left_behind = !ended;
    uv_mutex_unlock(&bus->mutex);
    if (ended)
        return; /* on_news is about to be called */
    pthread_detach(bus->thread);
    close_handles(bus);
}

void bus_close(struct bus *bus, void (*on_closed)(void *context), void *context)
{
    assert(!bus->closing);
    on_before_waiting(&bus->before_waiting);
    bus->closing = true;
    bus->on_closed = on_closed;
    bus->closed_context = context;
    if (!bus->joined) {
        end(bus);
        return;
    }
    uv_timer_start(&bus->patience, on_patience_ended, CLOSE_WITHIN_MS, 0);
    uv_mutex_lock(&bus->mutex);
    bus->told_to_end = true;
    uv_cond_signal(&bus->wake_thread);
    uv_mutex_unlock(&bus->mutex);
}

/* The first alone can fail, where the process has no descriptors left. */
static bool start_handles(struct bus *bus, struct uv_loop_s *loop)
{
    if (uv_async_init(loop, &bus->wake_loop, on_news) != 0)
        return false;
    uv_prepare_init(loop, &bus->before_waiting);
    uv_timer_init(loop, &bus->patience);
    bus->wake_loop.data = bus->before_waiting.data = bus->patience.data = bus;
    bus->open_handles = 3;
    uv_prepare_start(&bus->before_waiting, on_before_waiting);
    uv_unref((uv_handle_t *)&bus->before_waiting);
    return true;
}

static bool open_broker(struct bus *bus, const struct bus_options *options, char *words,
                        size_t words_size)
{
    if (options->url[0] == '\0')
        return true;
    bus->broker = broker_new(options, words, words_size);
    return bus->broker != NULL;
}

struct bus *bus_open(struct uv_loop_s *loop, const struct bus_options *options,
                     const struct bus_ports *ports, char *words, size_t words_size)
{
    struct bus *bus = calloc(1, sizeof *bus);
    snprintf(words, words_size, "out of memory");
    if (bus == NULL)
        return NULL;
    bus->ports = *ports;
    if (uv_mutex_init(&bus->mutex) != 0)
        goto without_mutex;
    if (uv_cond_init(&bus->wake_thread) != 0)
        goto without_condition;
    if (!open_broker(bus, options, words, words_size))
        goto without_broker;
    if (start_handles(bus, loop))
        return bus;
    snprintf(words, words_size, "no descriptor for the bus");
    if (bus->broker != NULL)
        broker_free(bus->broker);
without_broker:
    uv_cond_destroy(&bus->wake_thread);
without_condition:
    uv_mutex_destroy(&bus->mutex);
without_mutex:
    free(bus);
    return NULL;
}

void bus_join(struct bus *bus, const char *database, const char *node)
{
    assert(!bus->joined && !bus->closing);
    if (bus->broker == NULL)
        return;
    wire_prefix(bus->prefix, database);
    snprintf(bus->node, sizeof bus->node, "%s", node);
    bus->random = uv_hrtime();
    bus->joined = uv_thread_create(&bus->thread, run_thread, bus) == 0;
}

void bus_read_statistics(const struct bus *bus, struct bus_statistics *statistics)
{
    const struct counters *counters = &bus->counters;
    *statistics = (struct bus_statistics){
        .up = bus_is_up(bus),
        .waiting = atomic_load(&bus->waiting),
        .connects = atomic_load(&counters->connects),
        .sent = atomic_load(&counters->sent),
        .sent_bytes = atomic_load(&counters->sent_bytes),
        .unsent = atomic_load(&counters->unsent),
        .arrived = atomic_load(&counters->arrived),
        .arrived_bytes = atomic_load(&counters->arrived_bytes),
        .missed = atomic_load(&counters->missed),
        .malformed = atomic_load(&counters->malformed),
    };
}
