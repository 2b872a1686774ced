/* Pieces of memory that are kept for the next of their size. */
#include "engine/memory/spares.h"

#include "tests/support/test.h"

#include <malloc.h>
#include <string.h>

/* A sanitizer's allocator does not say how much is in use, and nothing is kept beside it. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { IS_COUNTED = 0 };
#else
enum { IS_COUNTED = 1 };
#endif

enum { TIMES = 4, MANY = TIMES * SPARES_KEPT_BYTES / SPARE_BYTES_MAX };

static size_t in_use(void)
{
    return mallinfo2().uordblks;
}

static void every_piece_is_as_large_as_was_asked_for(void **state)
{
    enum { SIZES = SPARE_BYTES_MAX + 200 };
    static unsigned char *pieces[SIZES + 1];
    (void)state;
    for (int round = 0; round < 2; round++) {
        for (size_t size = 1; size <= SIZES; size += 13) {
            pieces[size] = spare_take(size);
            memset(pieces[size], (int)(size % 251), size);
        }
        for (size_t size = 1; size <= SIZES; size += 13) {
            for (size_t i = 0; i < size; i++)
                assert_int_equal(pieces[size][i], size % 251);
            spare_give(pieces[size], size);
        }
    }
    spare_give(NULL, 5);
}

static void what_is_given_back_is_taken_again_and_bounded(void **state)
{
    static void *pieces[MANY];
    (void)state;
    if (!IS_COUNTED)
        return;
    for (int i = 0; i < MANY; i++)
        pieces[i] = spare_take(SPARE_BYTES_MAX);
    size_t all = in_use();
    for (int i = 0; i < MANY; i++)
        spare_give(pieces[i], SPARE_BYTES_MAX);
    size_t kept = in_use(), given = all - kept;
    assert_true(given >= (TIMES - 1) * (size_t)SPARES_KEPT_BYTES);
    assert_true(given <= TIMES * (size_t)SPARES_KEPT_BYTES * 2);
    for (int i = 0; i < MANY / TIMES / 2; i++)
        pieces[i] = spare_take(SPARE_BYTES_MAX);
    assert_int_equal(in_use(), kept);
    for (int i = 0; i < MANY / TIMES / 2; i++)
        spare_give(pieces[i], SPARE_BYTES_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_given_back_is_taken_again_and_bounded),
        cmocka_unit_test(every_piece_is_as_large_as_was_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
