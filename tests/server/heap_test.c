/* What was freed goes back to the system, also from below what lives. */
#include "tests/support/test.h"

#include "server/cli/heap.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOOK_EVERY_MS = 5,
    PIECES = 40000,
    PIECE_BYTES = 1000,
    ALL_BYTES = PIECES * PIECE_BYTES,
    LEAST_BACK = ALL_BYTES / 2,
};

/* Sanitizers bring allocators of their own, of which nothing is told here. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || !defined __GLIBC__
static const bool is_told = false;
#else
static const bool is_told = true;
#endif

static void run_until_looked(struct heap *heap, uv_loop_t *loop)
{
    heap->figures.resident_bytes = 0;
    while (heap->figures.resident_bytes == 0)
        uv_run(loop, UV_RUN_ONCE);
}

/* One look may have begun before: two are enough. */
static struct heap_figures look(struct heap *heap, uv_loop_t *loop)
{
    run_until_looked(heap, loop);
    run_until_looked(heap, loop);
    return heap->figures;
}

static void what_is_freed_goes_back_though_nothing_grows(void **state)
{
    static char *pieces[PIECES];
    uv_loop_t loop;
    struct heap heap = {.is_under_way = false};
    (void)state;
    uv_loop_init(&loop);
    heap_start(&heap, &loop, LOOK_EVERY_MS);
    for (int i = 0; i < PIECES; i++) {
        pieces[i] = malloc(PIECE_BYTES);
        assert_non_null(pieces[i]);
        memset(pieces[i], i, PIECE_BYTES);
    }
    struct heap_figures full = look(&heap, &loop);
    for (int i = 0; i < PIECES - 1; i++)
        free(pieces[i]);
    struct heap_figures freed = look(&heap, &loop);
    if (is_told) {
        assert_true(full.used_bytes > ALL_BYTES);
        assert_true(freed.used_bytes + LEAST_BACK < full.used_bytes);
        assert_true(freed.trims > full.trims);
        assert_true(freed.resident_bytes + LEAST_BACK < full.resident_bytes);
        assert_int_equal(look(&heap, &loop).trims, freed.trims); /* nothing more is free */
    }
    free(pieces[PIECES - 1]);
    heap_finish(&heap);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_freed_goes_back_though_nothing_grows),
    };
    heap_set_bounds();
    return cmocka_run_group_tests_name("heap", tests, NULL, NULL);
}
