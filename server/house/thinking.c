#include "server/house/thinking.h"

#include "engine/memory/memory.h"
#include "server/core/list.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

enum { NICER_BY = 10 };

struct thought {
    struct link link; /* in thinking->waiting, ->under_way or ->answered */
    struct thinking *thinking;
    struct thinking_question question;
    uint64_t end_ns; /* of its time */
    atomic_bool forgotten;
    int found_count;
    struct search_answer found[SEARCH_LINES_MAX];
};

/* A judge, and how many threads ask it now. */
struct kept_judge {
    struct judge *judge;
    int askers;
    uint64_t used; /* by the count of questions: the smallest goes first */
};

struct thinking {
    uv_async_t answers;
    thinking_answered *answered_to;
    void *context;
    uv_thread_t threads[THINKING_THREADS_MAX];
    int thread_count;
    uv_mutex_t lock; /* of all that follows */
    uv_cond_t wake;
    struct list waiting, under_way, answered;
    int waiting_count;
    bool closing;
    struct kept_judge judges[THINKING_JUDGES_MAX];
    uint64_t questions;
};

/* --- judges ----------------------------------------------------------------------------------- */

/* NULL: none is kept for the game. The lock is held. */
static struct kept_judge *find_judge(struct thinking *thinking, const struct game *game)
{
    for (int i = 0; i < THINKING_JUDGES_MAX; i++)
        if (thinking->judges[i].judge != NULL && judge_game(thinking->judges[i].judge) == game)
            return &thinking->judges[i];
    return NULL;
}

/* Of those nobody asks the one that was not asked for longest. There are more places than threads. */
static struct kept_judge *find_place(struct thinking *thinking)
{
    struct kept_judge *oldest = NULL;
    for (int i = 0; i < THINKING_JUDGES_MAX; i++) {
        struct kept_judge *kept = &thinking->judges[i];
        if (kept->askers == 0 && (oldest == NULL || kept->used < oldest->used))
            oldest = kept;
    }
    assert(oldest != NULL);
    return oldest;
}

/* Held until let_judge_go. It is made without the lock; of two made at once one is thrown away. */
static struct kept_judge *hold_judge(struct thinking *thinking, const struct game *game)
{
    uv_mutex_lock(&thinking->lock);
    struct kept_judge *kept = find_judge(thinking, game);
    if (kept == NULL) {
        uv_mutex_unlock(&thinking->lock);
        struct judge *made = judge_new(game), *spare = made;
        uv_mutex_lock(&thinking->lock);
        kept = find_judge(thinking, game);
        if (kept == NULL) {
            kept = find_place(thinking);
            spare = kept->judge;
            kept->judge = made;
        }
        judge_free(spare);
    }
    kept->askers++;
    kept->used = ++thinking->questions;
    uv_mutex_unlock(&thinking->lock);
    return kept;
}

static void let_judge_go(struct thinking *thinking, struct kept_judge *kept)
{
    uv_mutex_lock(&thinking->lock);
    kept->askers--;
    uv_mutex_unlock(&thinking->lock);
}

/* --- on a thread ------------------------------------------------------------------------------ */

static bool is_stopped(void *context)
{
    struct thought *thought = context;
    return atomic_load(&thought->forgotten) || uv_hrtime() >= thought->end_ns;
}

static void think(struct thought *thought)
{
    const struct thinking_question *question = &thought->question;
    if (atomic_load(&thought->forgotten))
        return;
    struct kept_judge *kept = hold_judge(thought->thinking, position_game(question->position));
    struct searcher *searcher = searcher_new(kept->judge);
    struct search_order order = {.level = question->level,
                                 .seed = question->seed,
                                 .stopped = is_stopped,
                                 .context = thought};
    if (question->level == 0) {
        order.nodes = SEARCH_HINT_NODES;
        thought->found_count = searcher_find_lines(searcher, question->position, &order,
                                                   question->lines, thought->found);
    } else {
        thought->found[0] = searcher_find(searcher, question->position, &order);
        thought->found_count = thought->found[0].found ? 1 : 0;
    }
    searcher_free(searcher);
    let_judge_go(thought->thinking, kept);
}

static uint64_t time_of_one(const struct thinking *thinking)
{
    uint64_t ms = THINKING_TIME_MS / (1 + (uint64_t)thinking->waiting_count);
    return (ms < THINKING_TIME_LEAST_MS ? THINKING_TIME_LEAST_MS : ms) * UINT64_C(1000000);
}

/* The lock is held. NULL: it is over. */
static struct thought *wait_for_one(struct thinking *thinking)
{
    struct thought *thought;
    while ((thought = list_first(&thinking->waiting)) == NULL && !thinking->closing)
        uv_cond_wait(&thinking->wake, &thinking->lock);
    if (thinking->closing)
        return NULL;
    thinking->waiting_count--;
    thought->end_ns = uv_hrtime() + time_of_one(thinking);
    list_append(&thinking->under_way, &thought->link, thought);
    return thought;
}

static void run_thread(void *context)
{
    struct thinking *thinking = context;
    struct thought *thought;
    /* Of this thread alone, as Linux has it; where it cannot be had, it is as nice as the others. */
    int niceness = nice(NICER_BY);
    (void)niceness;
    uv_mutex_lock(&thinking->lock);
    while ((thought = wait_for_one(thinking)) != NULL) {
        uv_mutex_unlock(&thinking->lock);
        think(thought);
        uv_mutex_lock(&thinking->lock);
        list_append(&thinking->answered, &thought->link, thought);
        uv_async_send(&thinking->answers);
    }
    uv_mutex_unlock(&thinking->lock);
}

/* --- on the loop ------------------------------------------------------------------------------ */

static void thought_free(struct thought *thought)
{
    list_remove(&thought->link);
    position_free(thought->question.position);
    free(thought);
}

static struct thought *next_answered(struct thinking *thinking)
{
    uv_mutex_lock(&thinking->lock);
    struct thought *thought = list_first(&thinking->answered);
    if (thought != NULL)
        list_remove(&thought->link);
    uv_mutex_unlock(&thinking->lock);
    return thought;
}

static void on_answers(uv_async_t *async)
{
    struct thinking *thinking = async->data;
    for (struct thought *thought; (thought = next_answered(thinking)) != NULL;
         thought_free(thought)) {
        if (!atomic_load(&thought->forgotten))
            thinking->answered_to(thinking->context, &thought->question, thought->found,
                                  thought->found_count);
    }
}

void thinking_ask(struct thinking *thinking, const struct thinking_question *question)
{
    struct thought *thought = memory_zeroed(1, sizeof *thought);
    thought->thinking = thinking;
    thought->question = *question;
    uv_mutex_lock(&thinking->lock);
    list_append(&thinking->waiting, &thought->link, thought);
    thinking->waiting_count++;
    uv_cond_signal(&thinking->wake);
    uv_mutex_unlock(&thinking->lock);
}

static void forget_in(struct list *list, uint64_t asker, bool all)
{
    for (struct link *link = list->ends.next; link != &list->ends; link = link->next) {
        struct thought *thought = link->owner;
        if (all || thought->question.asker == asker)
            atomic_store(&thought->forgotten, true);
    }
}

static void forget(struct thinking *thinking, uint64_t asker, bool all)
{
    forget_in(&thinking->waiting, asker, all);
    forget_in(&thinking->under_way, asker, all);
    forget_in(&thinking->answered, asker, all);
}

void thinking_forget(struct thinking *thinking, uint64_t asker)
{
    uv_mutex_lock(&thinking->lock);
    forget(thinking, asker, false);
    uv_mutex_unlock(&thinking->lock);
}

struct thinking *thinking_new(struct uv_loop_s *loop, int thread_count, thinking_answered *answered,
                              void *context)
{
    struct thinking *thinking = memory_zeroed(1, sizeof *thinking);
    assert(thread_count >= 1 && thread_count < THINKING_JUDGES_MAX);
    thinking->answered_to = answered;
    thinking->context = context;
    list_init(&thinking->waiting);
    list_init(&thinking->under_way);
    list_init(&thinking->answered);
    uv_async_init(loop, &thinking->answers, on_answers);
    thinking->answers.data = thinking;
    uv_mutex_init(&thinking->lock);
    uv_cond_init(&thinking->wake);
    while (thinking->thread_count < thread_count &&
           uv_thread_create(&thinking->threads[thinking->thread_count], run_thread, thinking) == 0)
        thinking->thread_count++;
    assert(thinking->thread_count > 0);
    return thinking;
}

static void free_all(struct list *list)
{
    for (struct thought *thought; (thought = list_first(list)) != NULL;)
        thought_free(thought);
}

static void on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void thinking_close(struct thinking *thinking)
{
    uv_mutex_lock(&thinking->lock);
    thinking->closing = true;
    forget(thinking, 0, true);
    uv_cond_broadcast(&thinking->wake);
    uv_mutex_unlock(&thinking->lock);
    for (int i = 0; i < thinking->thread_count; i++)
        uv_thread_join(&thinking->threads[i]);
    free_all(&thinking->waiting);
    free_all(&thinking->answered);
    for (int i = 0; i < THINKING_JUDGES_MAX; i++)
        judge_free(thinking->judges[i].judge);
    uv_mutex_destroy(&thinking->lock);
    uv_cond_destroy(&thinking->wake);
    uv_close((uv_handle_t *)&thinking->answers, on_closed);
}
