/* The store's queue and its thread.
 *
 * What the loop asks in one turn is gathered and handed over when the turn ends: one lock, one
 * wake-up, and a batch rather than a first request that commits alone while the others wait. The
 * thread takes all that is queued, performs it as one commit, and hands the answers back together.
 * Requests and answers change hands as linked lists under one mutex; nothing else is shared but
 * counters and hints.
 *
 * Where few play, a move is a chain of hand-overs. So whoever has handed little over and can expect the answer at once
 * stays awake for it (patience.h): the thread looks for questions, the loop goes round without sleeping. Nobody does for
 * what is only read: a move is waited for by two, a room's past by one, who pays for no core. An idle server
 * sleeps, and so does one whose disk is slow, that is busy, or that has one core only.
 *
 * What can wait (question.h) is taken last, on the way there and on the way back: a few by themselves between two batches, one
 * at least in each turn. */
#include "server/store/patience.h"
#include "server/store/question.h"
#include "server/store/store.h"

#include <uv.h>

#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENT_PARTS = 8 };   /* of a turn's time for answers, so much is for them */
enum { AWAKE_QUESTIONS = 2 }; /* with more under way there is better use for a core */

/* Written by the thread, read by anybody. */
struct counters {
    atomic_uint_fast64_t commits, appends, reads, failures, batch_largest, commit_us_total;
    atomic_uint_fast64_t commits_by_time[STORE_COMMIT_BUCKETS];
};

struct store {
    /* The loop's. */
    store_on_answer *on_answer;
    void *context;
    void (*on_closed)(void *context);
    void *closed_context;
    uv_async_t wake_loop;
    uv_prepare_t before_waiting;
    uv_check_t after_waiting;
    uv_idle_t staying_awake; /* while it is active the loop does not sleep */
    int open_handles;
    struct questions asked;  /* in this turn; not handed over yet */
    struct questions untold; /* answers that earlier turns had no time for */
    uint64_t turn_ns;
    struct question_spares spares;
    size_t waiting, writes_waiting; /* the second: of those appends */
    bool closing, joined;
    struct patience for_answers;
    bool busy; /* more was answered last than anybody stays awake for */
    /* Both sides', under the mutex. */
    uv_mutex_t mutex;
    uv_cond_t wake_thread;
    struct questions queued, answered;
    bool last_asked, last_answered;
    bool loop_awake; /* it will look for answers without being woken */
    /* Hints, without the mutex: whether it is worth taking it. */
    atomic_bool has_queued, has_answered;
    /* The thread's. */
    struct patience for_questions;
    bool had_prompt; /* what was done last could not wait */
    uv_thread_t thread;
    const struct store_driver_table *table;
    struct store_driver *driver;
    struct store_request requests[STORE_BATCH_MAX];
    struct store_answer answers[STORE_BATCH_MAX];
    struct counters counters;
};

static const struct store_driver_table *const drivers[] = {&store_sqlite, &store_postgres, NULL};

/* --- the thread ------------------------------------------------------------------------------- */

/* Whoever else could use the core has it in between. */
static void look_for_questions(struct store *store)
{
    while (!atomic_load_explicit(&store->has_queued, memory_order_relaxed) &&
           patience_lasts(&store->for_questions, uv_hrtime()))
        sched_yield();
}

/* Waits for questions and takes up to a batch of them; none: the last was asked. */
static int take_batch(struct store *store, struct question_row *batch)
{
    struct questions *queued = &store->queued;
    look_for_questions(store);
    uv_mutex_lock(&store->mutex);
    while (questions_none(queued) && !store->last_asked)
        uv_cond_wait(&store->wake_thread, &store->mutex);
    int count = questions_take(queued, batch, STORE_BATCH_MAX, &store->had_prompt);
    atomic_store_explicit(&store->has_queued, !questions_none(queued) || store->last_asked,
                          memory_order_relaxed);
    uv_mutex_unlock(&store->mutex);
    patience_end(&store->for_questions, uv_hrtime());
    return count;
}

static bool wrote(const struct store *store, int count)
{
    for (int i = 0; i < count; i++)
        if (store->requests[i].ask == STORE_APPEND)
            return true;
    return false;
}

static int bucket_of(uint64_t spent_us)
{
    int bucket = 0;
    while (bucket < STORE_COMMIT_BUCKETS - 1 && spent_us >= (uint64_t)STORE_COMMIT_US_FIRST
                                                                << bucket)
        bucket++;
    return bucket;
}

static void count_batch(struct store *store, int count, uint64_t spent_us)
{
    struct counters *counters = &store->counters;
    uint64_t appends = 0, reads = 0, failures = 0, asked = 0;
    for (int i = 0; i < count; i++) {
        bool append = store->requests[i].ask == STORE_APPEND;
        asked += append;
        appends += append && store->answers[i].status == STORE_OK;
        reads += !append;
        failures +=
            store->answers[i].status == STORE_FAILED || store->answers[i].status == STORE_UNKNOWN;
    }
    atomic_fetch_add(&counters->appends, appends);
    atomic_fetch_add(&counters->reads, reads);
    atomic_fetch_add(&counters->failures, failures);
    if (appends > 0) {
        atomic_fetch_add(&counters->commits, 1);
        atomic_fetch_add(&counters->commit_us_total, spent_us);
        atomic_fetch_add(&counters->commits_by_time[bucket_of(spent_us)], 1);
    }
    if (asked > atomic_load(&counters->batch_largest))
        atomic_store(&counters->batch_largest, asked);
}

static void perform_batch(struct store *store, const struct question_row *batch, int count)
{
    int i = 0;
    for (const struct question *question = batch->first; question != NULL;
         question = question->next)
        store->requests[i++] = question->request;
    assert(i == count);
    uint64_t began_ns = uv_hrtime();
    store->table->perform(store->driver, store->requests, count, store->answers);
    count_batch(store, count, (uv_hrtime() - began_ns) / 1000);
    i = 0;
    for (struct question *question = batch->first; question != NULL; question = question->next)
        question->answer = store->answers[i++];
}

static void hand_back(struct store *store, struct question_row *batch, bool last)
{
    struct questions done = {0};
    while (batch->first != NULL)
        questions_put(&done, question_row_take(batch));
    uv_mutex_lock(&store->mutex);
    questions_move(&store->answered, &done);
    store->last_answered = last;
    atomic_store_explicit(&store->has_answered, true, memory_order_relaxed);
    bool asleep = !store->loop_awake;
    uv_mutex_unlock(&store->mutex);
    if (asleep)
        uv_async_send(&store->wake_loop);
}

static void run_thread(void *context)
{
    struct store *store = context;
    struct question_row batch;
    int count;
    while ((count = take_batch(store, &batch)) > 0) {
        perform_batch(store, &batch, count);
        hand_back(store, &batch, false);
        if (count <= AWAKE_QUESTIONS && wrote(store, count))
            patience_begin(&store->for_questions, uv_hrtime());
        store->table->keep_house(store->driver);
    }
    store->table->close(store->driver);
    hand_back(store, &batch, true);
}

/* --- the loop --------------------------------------------------------------------------------- */

static void on_handle_closed(uv_handle_t *handle)
{
    struct store *store = handle->data;
    if (--store->open_handles > 0)
        return;
    void (*on_closed)(void *context) = store->on_closed;
    void *context = store->closed_context;
    uv_cond_destroy(&store->wake_thread);
    uv_mutex_destroy(&store->mutex);
    question_spares_release(&store->spares);
    free(store);
    if (on_closed != NULL)
        on_closed(context);
}

static void close_handles(struct store *store)
{
    uv_close((uv_handle_t *)&store->wake_loop, on_handle_closed);
    uv_close((uv_handle_t *)&store->before_waiting, on_handle_closed);
    uv_close((uv_handle_t *)&store->after_waiting, on_handle_closed);
    uv_close((uv_handle_t *)&store->staying_awake, on_handle_closed);
}

/* Behind those that earlier turns had no time for. Whether the last one is among them. */
static bool collect_answers(struct store *store)
{
    uv_mutex_lock(&store->mutex);
    bool some = !questions_none(&store->answered), last = store->last_answered;
    questions_move(&store->untold, &store->answered);
    atomic_store_explicit(&store->has_answered, false, memory_order_relaxed);
    uv_mutex_unlock(&store->mutex);
    if (some)
        patience_end(&store->for_answers, uv_hrtime());
    return last;
}

static void tell(struct store *store, struct question *question)
{
    assert(store->waiting > 0);
    store->waiting--;
    store->writes_waiting -= question->request.ask == STORE_APPEND;
    store->on_answer(store->context, &question->answer);
    question_free(&store->spares, question);
}

/* One at least, if there is one; how many. */
static int tell_until(struct store *store, struct question_row *row, uint64_t end_ns)
{
    int count = 0;
    for (; row->first != NULL && (count == 0 || uv_hrtime() < end_ns); count++)
        tell(store, question_row_take(row));
    return count;
}

/* An answer may be 200 events to tell: the others wait for the next turn. */
static void take_answers(struct store *store)
{
    bool last = collect_answers(store);
    uint64_t end_ns = uv_hrtime() + store->turn_ns;
    int prompt = tell_until(store, &store->untold.urgent, end_ns);
    prompt += tell_until(store, &store->untold.prompt, end_ns);
    /* Whatever else the turn has left: a player's next move waits behind what is told of the past. */
    uint64_t patient_ns = uv_hrtime() + store->turn_ns / PATIENT_PARTS;
    int count = prompt + tell_until(store, &store->untold.patient,
                                    patient_ns < end_ns ? patient_ns : end_ns);
    if (count > 0)
        store->busy = count > AWAKE_QUESTIONS;
    if (!questions_none(&store->untold)) {
        uv_async_send(&store->wake_loop);
        return;
    }
    if (!last || store->joined)
        return;
    store->joined = true;
    uv_thread_join(&store->thread);
    close_handles(store);
}

/* It only wakes the loop. Answers are taken in one place, so that they have their part of a turn once. */
static void on_answers(uv_async_t *handle)
{
    (void)handle;
}

static void hand_over(struct store *store)
{
    bool last = store->closing;
    if (questions_none(&store->asked) && !last)
        return;
    uv_mutex_lock(&store->mutex);
    questions_move(&store->queued, &store->asked);
    store->last_asked = last;
    atomic_store_explicit(&store->has_queued, true, memory_order_relaxed);
    uv_mutex_unlock(&store->mutex);
    uv_cond_signal(&store->wake_thread);
    patience_begin(&store->for_answers, uv_hrtime());
}

static void on_awake(uv_idle_t *handle)
{
    (void)handle;
    sched_yield(); /* whoever else could use the core has it in between */
}

/* From here on the thread wakes the loop; what it has answered until now it has not. */
static void fall_asleep(struct store *store)
{
    uv_idle_stop(&store->staying_awake);
    uv_mutex_lock(&store->mutex);
    store->loop_awake = false;
    bool answered = !questions_none(&store->answered) || store->last_answered;
    uv_mutex_unlock(&store->mutex);
    if (answered)
        uv_async_send(&store->wake_loop);
}

static void stay_awake(struct store *store)
{
    uv_idle_start(&store->staying_awake, on_awake);
    uv_mutex_lock(&store->mutex);
    store->loop_awake = true;
    uv_mutex_unlock(&store->mutex);
}

static void on_before_waiting(uv_prepare_t *handle)
{
    struct store *store = handle->data;
    hand_over(store);
    bool is_awake = uv_is_active((uv_handle_t *)&store->staying_awake);
    bool hopes = store->writes_waiting > 0 && store->waiting <= AWAKE_QUESTIONS && !store->busy &&
                 !store->closing && patience_lasts(&store->for_answers, uv_hrtime());
    if (hopes && !is_awake)
        stay_awake(store);
    else if (!hopes && is_awake)
        fall_asleep(store);
}

static void on_after_waiting(uv_check_t *handle)
{
    struct store *store = handle->data;
    if (!questions_none(&store->untold) ||
        atomic_load_explicit(&store->has_answered, memory_order_relaxed))
        take_answers(store);
    hand_over(store);
}

/* --- opening and closing ---------------------------------------------------------------------- */

const struct store_driver_table *store_find_driver(const char *url)
{
    for (int i = 0; drivers[i] != NULL; i++) {
        size_t length = strlen(drivers[i]->scheme);
        if (strncmp(url, drivers[i]->scheme, length) == 0 && url[length] == ':')
            return drivers[i];
    }
    return NULL;
}

bool store_is_shared(const char *url)
{
    const struct store_driver_table *table = store_find_driver(url);
    return table != NULL && table->shared;
}

/* None of these but the first can fail once there is memory; the async handle fails where the
 * process has no descriptors left. */
static bool start_handles(struct store *store, struct uv_loop_s *loop)
{
    if (uv_async_init(loop, &store->wake_loop, on_answers) != 0)
        return false;
    uv_prepare_init(loop, &store->before_waiting);
    uv_check_init(loop, &store->after_waiting);
    uv_idle_init(loop, &store->staying_awake);
    store->wake_loop.data = store->before_waiting.data = store->after_waiting.data =
        store->staying_awake.data = store;
    store->open_handles = 4;
    store->for_answers.hopeless = store->for_questions.hopeless = uv_available_parallelism() < 2;
    uv_prepare_start(&store->before_waiting, on_before_waiting);
    uv_check_start(&store->after_waiting, on_after_waiting);
    uv_unref((uv_handle_t *)&store->before_waiting);
    uv_unref((uv_handle_t *)&store->after_waiting);
    return true;
}

static bool start(struct store *store, struct uv_loop_s *loop)
{
    if (uv_mutex_init(&store->mutex) != 0)
        return false;
    if (uv_cond_init(&store->wake_thread) != 0)
        goto without_condition;
    if (!start_handles(store, loop))
        goto without_handles;
    if (uv_thread_create(&store->thread, run_thread, store) == 0)
        return true;
    store->table->close(store->driver);
    close_handles(store); /* frees the store, in the loop's next turn */
    return false;

without_handles:
    uv_cond_destroy(&store->wake_thread);
without_condition:
    uv_mutex_destroy(&store->mutex);
    store->table->close(store->driver);
    free(store);
    return false;
}

struct store *store_open(const char *url, struct uv_loop_s *loop, store_on_answer *on_answer,
                         void *context, char *words, size_t words_size)
{
    const struct store_driver_table *table = store_find_driver(url);
    if (table == NULL) {
        snprintf(words, words_size,
                 "%.60s is not a store this server knows (sqlite:…, postgresql:…)", url);
        return NULL;
    }
    struct store *store = calloc(1, sizeof *store);
    if (store == NULL) {
        snprintf(words, words_size, "out of memory");
        return NULL;
    }
    store->on_answer = on_answer;
    store->context = context;
    store_limit_turn(store, STORE_TURN_US);
    store->table = table;
    store->driver = table->open(url, words, words_size);
    if (store->driver == NULL) {
        free(store);
        return NULL;
    }
    if (start(store, loop))
        return store;
    snprintf(words, words_size, "cannot start the store's thread");
    return NULL;
}

void store_limit_turn(struct store *store, uint32_t turn_us)
{
    store->turn_ns = (uint64_t)turn_us * 1000;
}

bool store_ask(struct store *store, const struct store_request *request)
{
    if (store->closing || store->waiting >= STORE_QUEUE_MAX)
        return false;
    struct question *question = question_new(&store->spares, request);
    if (question == NULL)
        return false;
    questions_put(&store->asked, question);
    store->waiting++;
    store->writes_waiting += request->ask == STORE_APPEND;
    return true;
}

size_t store_waiting(const struct store *store)
{
    return store->waiting;
}

void store_close(struct store *store, void (*on_closed)(void *context), void *context)
{
    assert(!store->closing);
    store->closing = true;
    store->on_closed = on_closed;
    store->closed_context = context;
    if (store->table->hurry != NULL)
        store->table->hurry(store->driver);
    hand_over(store);
}

void store_read_statistics(const struct store *store, struct store_statistics *statistics)
{
    const struct counters *counters = &store->counters;
    *statistics = (struct store_statistics){
        .commits = atomic_load(&counters->commits),
        .appends = atomic_load(&counters->appends),
        .reads = atomic_load(&counters->reads),
        .failures = atomic_load(&counters->failures),
        .batch_largest = atomic_load(&counters->batch_largest),
        .commit_us_total = atomic_load(&counters->commit_us_total),
        .memory_bytes = store->table->memory_bytes ? store->table->memory_bytes() : 0,
    };
    for (int i = 0; i < STORE_COMMIT_BUCKETS; i++)
        statistics->commits_by_time[i] = atomic_load(&counters->commits_by_time[i]);
}
