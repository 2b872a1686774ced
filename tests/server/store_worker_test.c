/* The store's thread as the loop sees it. Run under the thread sanitizer too. */
#include "tests/support/test.h"

#include "server/store/question.h"
#include "server/store/store.h"
#include "tests/server/store_support.h"

#include <uv.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scene {
    uv_loop_t loop;
    struct store *store;
    uint64_t asked, answered, out_of_order, wake_ups;
    uint64_t statuses[STORE_FAILED + 1];
    uint64_t last_iteration, last_append; /* how many answers came before it */
    bool closed;
    /* Asks on from inside an answer until so many were answered. */
    uint64_t until;
    char text[64];
};

static void ask_next(struct scene *scene);

static void count_answer(void *context, struct store_answer *answer)
{
    struct scene *scene = context;
    scene->out_of_order += answer->ticket != scene->answered;
    if (answer->ask == STORE_APPEND)
        scene->last_append = scene->answered;
    scene->answered++;
    scene->statuses[answer->status]++;
    store_answer_release(answer);
    if (scene->asked < scene->until)
        ask_next(scene);
}

static void note_closed(void *context)
{
    struct scene *scene = context;
    scene->closed = true;
}

static void set_up(struct scene *scene)
{
    char words[160];
    *scene = (struct scene){.until = 0};
    assert_int_equal(uv_loop_init(&scene->loop), 0);
    scene->store =
        store_open("sqlite::memory:", &scene->loop, count_answer, scene, words, sizeof words);
    if (scene->store == NULL)
        fail_msg("%s", words);
}

/* Closes the store, runs the loop to its end, and finds everything answered. */
static void tear_down(struct scene *scene)
{
    store_close(scene->store, note_closed, scene);
    uv_run(&scene->loop, UV_RUN_DEFAULT);
    assert_true(scene->closed);
    assert_int_equal(scene->answered, scene->asked);
    assert_int_equal(scene->out_of_order, 0);
    assert_int_equal(uv_loop_close(&scene->loop), 0);
}

static bool ask(struct scene *scene, struct store_request request)
{
    request.ticket = scene->asked;
    bool taken = store_ask(scene->store, &request);
    scene->asked += taken;
    return taken;
}

static void create(struct scene *scene, const char *room)
{
    assert_true(ask(scene, store_creation(room, "p", room)));
}

static void ask_next(struct scene *scene)
{
    snprintf(scene->text, sizeof scene->text, "c-%d", (int)scene->asked);
    assert_true(ask(scene, store_continuation("r", (int64_t)scene->asked, "p", scene->text, "{}")));
    /* The store has copies of its own. */
    memset(scene->text, '?', sizeof scene->text - 1);
}

static void answers_come_in_the_order_asked(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    struct scene scene;
    set_up(&scene);
    create(&scene, "r");
    for (int i = 1; i < COUNT; i++) {
        if (i % 7 == 0)
            uv_run(&scene.loop, UV_RUN_NOWAIT);
        if (i % 5 == 0)
            assert_true(ask(&scene, store_question(STORE_SECRET, NULL, NULL)));
        else if (i % 11 == 0)
            assert_true(ask(&scene, store_question(STORE_OPEN_ROOMS, NULL, NULL)));
        else
            assert_true(ask(&scene, store_question(STORE_LOAD, i % 2 ? "r" : "none", NULL)));
    }
    tear_down(&scene);
    assert_int_equal(scene.answered, COUNT);
    assert_int_equal(scene.statuses[STORE_FAILED], 0);
    assert_true(scene.statuses[STORE_NOT_FOUND] > 0);
}

static void an_answer_may_ask_again(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    struct scene scene;
    set_up(&scene);
    scene.until = COUNT;
    create(&scene, "r");
    while (scene.answered < COUNT)
        uv_run(&scene.loop, UV_RUN_ONCE);
    assert_int_equal(store_waiting(scene.store), 0);
    tear_down(&scene);
    assert_int_equal(scene.statuses[STORE_OK], COUNT);
}

static void one_turn_is_one_commit(void **state)
{
    (void)state;
    enum { COUNT = STORE_BATCH_MAX };
    struct scene scene;
    struct store_statistics statistics;
    char rooms[COUNT][STORE_ROOM_BYTES + 1];
    set_up(&scene);
    for (int i = 0; i < COUNT; i++) {
        snprintf(rooms[i], sizeof rooms[i], "r%d", i);
        create(&scene, rooms[i]);
        memset(rooms[i], '?', STORE_ROOM_BYTES);
    }
    assert_int_equal(store_waiting(scene.store), COUNT);
    store_limit_turn(scene.store, UINT32_MAX);
    while (scene.answered < COUNT) {
        uint64_t before = scene.answered;
        uv_run(&scene.loop, UV_RUN_ONCE);
        scene.wake_ups += scene.answered > before;
    }
    store_read_statistics(scene.store, &statistics);
    assert_int_equal(scene.wake_ups, 1);
    assert_int_equal(statistics.commits, 1);
    assert_int_equal(statistics.appends, COUNT);
    assert_int_equal(statistics.batch_largest, COUNT);
    assert_int_equal(statistics.failures, 0);
    assert_true(statistics.commit_us_total > 0);
    tear_down(&scene);
    assert_int_equal(scene.statuses[STORE_OK], COUNT);
}

static void count_turn(uv_prepare_t *handle)
{
    (*(int *)handle->data)++;
}

/* While a long room is read, the loop sleeps. */
static void nobody_stays_awake_for_what_is_read(void **state)
{
    enum { EVENTS = 3000 };
    struct scene scene;
    uv_prepare_t prepare = {.data = NULL};
    int turns = 0;
    (void)state;
    set_up(&scene);
    create(&scene, "r");
    while (scene.asked < EVENTS)
        ask_next(&scene);
    while (scene.answered < scene.asked)
        uv_run(&scene.loop, UV_RUN_ONCE);
    uv_prepare_init(&scene.loop, &prepare);
    prepare.data = &turns;
    uv_prepare_start(&prepare, count_turn);
    assert_true(ask(&scene, store_question(STORE_LOAD, "r", NULL)));
    while (scene.answered < scene.asked)
        uv_run(&scene.loop, UV_RUN_ONCE);
    assert_in_range(turns, 1, 5);
    uv_close((uv_handle_t *)&prepare, NULL);
    tear_down(&scene);
    assert_int_equal(scene.statuses[STORE_OK], EVENTS + 1);
}

/* A turn that has no time at all takes one answer, and what is asked meanwhile is answered behind those that are left. */
static void a_turn_takes_a_part_of_the_answers(void **state)
{
    (void)state;
    enum { COUNT = 100, MORE = 50 };
    struct scene scene;
    struct store_statistics statistics;
    set_up(&scene);
    store_limit_turn(scene.store, 0);
    scene.until = COUNT + MORE;
    create(&scene, "r");
    while (scene.asked < COUNT)
        ask_next(&scene);
    while (scene.answered < scene.until) {
        uint64_t before = scene.answered;
        uv_run(&scene.loop, UV_RUN_ONCE);
        assert_in_range(scene.answered - before, 0, 1);
    }
    store_read_statistics(scene.store, &statistics);
    assert_int_equal(statistics.batch_largest, COUNT); /* they lay there all at once */
    tear_down(&scene);
    assert_int_equal(scene.statuses[STORE_OK], COUNT + MORE);
}

/* Each turn takes one append and one page: the append that is asked for last comes behind the room's creation, and a page where one
 * has been read by then. */
static void an_append_does_not_wait_behind_pages_of_the_past(void **state)
{
    (void)state;
    enum { PAGES = 1000 };
    struct scene scene;
    set_up(&scene);
    store_limit_turn(scene.store, 0);
    create(&scene, "r");
    for (int i = 0; i < PAGES; i++)
        assert_true(ask(&scene, store_question(STORE_HISTORY, "r", NULL)));
    assert_true(ask(&scene, store_continuation("r", 1, "p", "c-1", "{}")));
    while (scene.answered < scene.asked)
        uv_run(&scene.loop, UV_RUN_ONCE);
    assert_in_range(scene.last_append, 1, 2);
    /* Itself, and every page behind it. */
    assert_int_equal(scene.out_of_order, PAGES + (scene.last_append == 1));
    scene.out_of_order = 0;
    tear_down(&scene);
    assert_int_equal(scene.statuses[STORE_OK], PAGES + 2);
}

enum { MOVES = 5, PAGES_ASKED = 7, MOST = 3 };

static void put_questions(struct questions *questions, struct question_spares *spares)
{
    for (int i = 0; i < MOVES + PAGES_ASKED; i++) {
        struct store_request page = store_question(STORE_HISTORY, "r", NULL);
        struct store_request move = store_continuation("r", i, "p", "c", "{}");
        struct question *question = question_new(spares, i < PAGES_ASKED ? &page : &move);
        assert_non_null(question);
        questions_put(questions, question);
    }
    struct question *lease = question_new(
        spares,
        &(struct store_request){.ask = STORE_LEASE, .node = "n", .place = "here", .url = ""});
    assert_non_null(lease);
    questions_put(questions, lease);
}

/* So many, all of the one kind. */
static void expect_batch(struct question_row *batch, struct question_spares *spares, int count,
                         enum store_ask ask)
{
    for (int i = 0; i < count; i++) {
        assert_non_null(batch->first);
        assert_int_equal(batch->first->request.ask, ask);
        question_free(spares, question_row_take(batch));
    }
    assert_null(batch->first);
}

/* A move would be answered when they have been read, and what has been asked first has not been asked by players. And a lease waits
 * for nobody. */
static void moves_and_pages_of_the_past_are_not_done_together(void **state)
{
    static const struct {
        int count;
        enum store_ask ask;
    } batches[] = {{1, STORE_LEASE},
                   {MOST, STORE_APPEND},
                   {QUESTIONS_PATIENT, STORE_HISTORY},
                   {MOVES - MOST, STORE_APPEND},
                   {PAGES_ASKED - QUESTIONS_PATIENT, STORE_HISTORY},
                   {0, STORE_HISTORY}};
    struct questions questions = {0};
    struct question_spares spares = {0};
    struct question_row batch;
    bool had_prompt = false;
    (void)state;
    put_questions(&questions, &spares);
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        assert_int_equal(questions_take(&questions, &batch, MOST, &had_prompt), batches[i].count);
        expect_batch(&batch, &spares, batches[i].count, batches[i].ask);
    }
    assert_true(questions_none(&questions));
    question_spares_release(&spares);
}

static void closing_waits_for_answers_that_are_left(void **state)
{
    (void)state;
    enum { COUNT = 100, TOLD = 3 };
    struct scene scene;
    set_up(&scene);
    store_limit_turn(scene.store, 0);
    create(&scene, "r");
    while (scene.asked < COUNT)
        ask_next(&scene);
    while (scene.answered < TOLD)
        uv_run(&scene.loop, UV_RUN_ONCE);
    tear_down(&scene);
    assert_int_equal(scene.statuses[STORE_OK], COUNT);
}

static void closing_finishes_what_was_asked(void **state)
{
    (void)state;
    enum { COUNT = 5 * STORE_BATCH_MAX + 3 };
    struct scene scene;
    set_up(&scene);
    create(&scene, "r");
    for (int i = 1; i < COUNT; i++)
        ask_next(&scene);
    tear_down(&scene);
    assert_int_equal(scene.statuses[STORE_OK], COUNT);
}

static void nothing_is_asked_after_closing(void **state)
{
    (void)state;
    struct scene scene;
    set_up(&scene);
    create(&scene, "r");
    store_close(scene.store, note_closed, &scene);
    struct store_request request = store_question(STORE_SECRET, NULL, NULL);
    assert_false(store_ask(scene.store, &request));
    uv_run(&scene.loop, UV_RUN_DEFAULT);
    assert_true(scene.closed);
    assert_int_equal(scene.answered, 1);
    assert_int_equal(uv_loop_close(&scene.loop), 0);
}

static void opens_and_closes_without_a_question(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        struct scene scene;
        set_up(&scene);
        tear_down(&scene);
    }
}

static void the_queue_has_a_bound(void **state)
{
    (void)state;
    struct scene scene;
    set_up(&scene);
    struct store_request request = store_question(STORE_HISTORY, "none", NULL);
    while (ask(&scene, request))
        assert_true(scene.asked <= STORE_QUEUE_MAX);
    assert_int_equal(scene.asked, STORE_QUEUE_MAX);
    assert_int_equal(store_waiting(scene.store), STORE_QUEUE_MAX);
    while (scene.answered == 0)
        uv_run(&scene.loop, UV_RUN_ONCE);
    assert_true(ask(&scene, request));
    tear_down(&scene);
    assert_int_equal(scene.statuses[STORE_NOT_FOUND], STORE_QUEUE_MAX + 1);
}

static void statistics_may_be_read_at_any_time(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    struct scene scene;
    struct store_statistics before = {0}, now;
    set_up(&scene);
    scene.until = COUNT;
    create(&scene, "r");
    while (scene.answered < COUNT) {
        store_read_statistics(scene.store, &now);
        assert_true(now.appends >= before.appends && now.commits >= before.commits);
        before = now;
        uv_run(&scene.loop, UV_RUN_NOWAIT);
    }
    store_read_statistics(scene.store, &now);
    assert_int_equal(now.appends, COUNT);
    tear_down(&scene);
}

static void a_store_that_cannot_open_says_why(void **state)
{
    (void)state;
    uv_loop_t loop;
    char words[160] = "";
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_null(store_open("cards:in-a-box", &loop, count_answer, NULL, words, sizeof words));
    assert_non_null(strstr(words, "not a store this server knows"));
    assert_null(
        store_open("sqlite:///dev/null/deep/x.db", &loop, count_answer, NULL, words, sizeof words));
    assert_non_null(strstr(words, "cannot make the folders"));
    assert_int_equal(uv_loop_close(&loop), 0);
}

int main(void)
{
    /* clang-format off */
    const struct CMUnitTest tests[] = {
        {"answers come in the order asked", answers_come_in_the_order_asked, NULL, NULL, NULL},
        {"an answer may ask again", an_answer_may_ask_again, NULL, NULL, NULL},
        {"what is asked in one turn is one commit and one wake-up", one_turn_is_one_commit, NULL, NULL, NULL},
        {"nobody stays awake for what is read", nobody_stays_awake_for_what_is_read, NULL, NULL, NULL},
        {"a turn takes a part of the answers", a_turn_takes_a_part_of_the_answers, NULL, NULL, NULL},
        {"an append does not wait behind pages of the past", an_append_does_not_wait_behind_pages_of_the_past, NULL, NULL, NULL},
        {"moves and pages of the past are not done together", moves_and_pages_of_the_past_are_not_done_together, NULL, NULL, NULL},
        {"closing waits for answers that are left", closing_waits_for_answers_that_are_left, NULL, NULL, NULL},
        {"closing finishes what was asked", closing_finishes_what_was_asked, NULL, NULL, NULL},
        {"nothing is asked after closing", nothing_is_asked_after_closing, NULL, NULL, NULL},
        {"a store opens and closes without a question", opens_and_closes_without_a_question, NULL, NULL, NULL},
        {"the queue has a bound", the_queue_has_a_bound, NULL, NULL, NULL},
        {"statistics may be read at any time", statistics_may_be_read_at_any_time, NULL, NULL, NULL},
        {"a store that cannot open says why", a_store_that_cannot_open_says_why, NULL, NULL, NULL},
    };
    /* clang-format on */
    return cmocka_run_group_tests_name("store's thread", tests, NULL, NULL);
}
