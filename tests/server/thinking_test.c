/* Threads that think for the house: legal moves come back on the loop, the same for the same seed, several for a hint, none for who does not
 * want to know any more; and the threads end when they are told to, whatever they are at. */
#include "tests/support/test.h"

#include "engine/movegen.h"
#include "server/house/thinking.h"
#include "tests/engine/games.h"

#include <stdatomic.h>
#include <time.h>
#include <uv.h>

/* Where it is not 0 so much passes with each look at the clock, and no other time. */
static atomic_uint_fast64_t passes_ns, made_up_ns;

/* In place of the library's. */
uint64_t uv_hrtime(void)
{
    uint64_t step_ns = atomic_load(&passes_ns);
    struct timespec now;
    if (step_ns > 0)
        return atomic_fetch_add(&made_up_ns, step_ns);
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

enum { THREADS = 3, QUESTIONS = 24, FORGOTTEN = 7, HINT_LINES = 2 };

struct world {
    uv_loop_t loop;
    struct thinking *thinking;
    struct game *games[2];
    struct position *starts[2];
    struct move found[QUESTIONS];
    uint64_t nodes; /* of the last answer */
    int answered[QUESTIONS], answer_count;
};

static void on_answer(void *context, const struct thinking_question *question,
                      const struct search_answer *answers, int count)
{
    struct world *world = context;
    uint64_t asker = question->asker;
    struct move legal;
    assert_in_range(asker, 0, QUESTIONS - 1);
    assert_int_equal(question->version, asker + 100);
    assert_ptr_equal(position_game(question->position), world->games[asker % 2]);
    assert_int_equal(count, question->level == 0 ? HINT_LINES : 1);
    for (int i = 0; i < count; i++) {
        struct move move = answers[i].move;
        assert_true(answers[i].found);
        assert_true(movegen_find(question->position, move.from, move.to, move.choice, &legal));
        for (int k = 0; k < i; k++)
            assert_false(move_equal(move, answers[k].move));
    }
    world->found[asker] = answers[0].move;
    world->nodes = answers[0].nodes;
    world->answered[asker]++;
    world->answer_count++;
}

static void open_world(struct world *world)
{
    static const char *const files[] = {"games/chess.json", "games/hex.json"};
    *world = (struct world){.answer_count = 0};
    uv_loop_init(&world->loop);
    world->thinking = thinking_new(&world->loop, THREADS, on_answer, world);
    for (int i = 0; i < 2; i++) {
        world->games[i] = games_load_file(files[i], NULL);
        world->starts[i] = position_new(world->games[i]);
    }
}

static void close_world(struct world *world)
{
    thinking_close(world->thinking);
    uv_run(&world->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&world->loop), 0);
    for (int i = 0; i < 2; i++) {
        position_free(world->starts[i]);
        game_release(world->games[i]);
    }
}

/* The asker's number says which game, and its pair the seed. */
static void ask(struct world *world, int asker, int level)
{
    struct position *position = position_new(world->games[asker % 2]);
    thinking_ask(world->thinking, &(struct thinking_question){.asker = (uint64_t)asker,
                                                              .version = asker + 100,
                                                              .level = level,
                                                              .lines = HINT_LINES,
                                                              .seed = (uint64_t)(asker / 4),
                                                              .position = position});
}

static void everybody_is_answered_and_a_seed_gives_the_same_move(void **state)
{
    struct world world;
    (void)state;
    open_world(&world);
    for (int i = 0; i < QUESTIONS; i++)
        ask(&world, i, 1); /* which is done before the time is looked at */
    while (world.answer_count < QUESTIONS)
        uv_run(&world.loop, UV_RUN_ONCE);
    for (int i = 0; i < QUESTIONS; i++) {
        assert_int_equal(world.answered[i], 1);
        if (i % 4 < 2)
            assert_true(move_equal(world.found[i], world.found[i + 2]));
    }
    close_world(&world);
}

static void who_is_forgotten_is_not_answered(void **state)
{
    struct world world;
    (void)state;
    open_world(&world);
    for (int i = 0; i < QUESTIONS; i++)
        ask(&world, i, 1);
    thinking_forget(world.thinking, FORGOTTEN);
    while (world.answer_count < QUESTIONS - 1)
        uv_run(&world.loop, UV_RUN_ONCE);
    assert_int_equal(world.answered[FORGOTTEN], 0);
    close_world(&world);
}

static void a_hint_has_several_lines(void **state)
{
    struct world world;
    (void)state;
    open_world(&world);
    for (int i = 0; i < 2; i++)
        ask(&world, i, 0);
    while (world.answer_count < 2)
        uv_run(&world.loop, UV_RUN_ONCE);
    close_world(&world);
}

static void threads_end_in_the_middle_of_a_search(void **state)
{
    struct world world;
    (void)state;
    open_world(&world);
    for (int i = 0; i < QUESTIONS; i++)
        ask(&world, i, 8);
    close_world(&world);
    assert_int_equal(world.answer_count, 0);
}

static uint64_t nodes_where_a_look_takes(uint64_t ms)
{
    struct world world;
    open_world(&world);
    atomic_store(&passes_ns, ms * 1000000);
    ask(&world, 0, 8);
    while (world.answer_count < 1)
        uv_run(&world.loop, UV_RUN_ONCE);
    atomic_store(&passes_ns, 0);
    close_world(&world);
    return world.nodes;
}

/* Of THINKING_TIME_MS there are so many looks at the clock; what was best until then is the answer. */
static void time_ends_a_search(void **state)
{
    (void)state;
    uint64_t some = nodes_where_a_look_takes(THINKING_TIME_MS / 4),
             more = nodes_where_a_look_takes(THINKING_TIME_MS / 32);
    assert_in_range(some, 1, more - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_is_answered_and_a_seed_gives_the_same_move),
        cmocka_unit_test(who_is_forgotten_is_not_answered),
        cmocka_unit_test(a_hint_has_several_lines),
        cmocka_unit_test(threads_end_in_the_middle_of_a_search),
        cmocka_unit_test(time_ends_a_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
