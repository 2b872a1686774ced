/* How long a side of the store's hand-over stays awake, with a clock of the test's. */
#include "tests/support/test.h"

#include "server/store/patience.h"

enum { US = 1000, MS = 1000 * US };

static void who_waits_for_nothing_may_sleep(void **state)
{
    struct patience patience = {.hopeless = false};
    (void)state;
    assert_false(patience_lasts(&patience, 5 * MS));
    patience_begin(&patience, 5 * MS);
    assert_true(patience_lasts(&patience, 5 * MS + 1));
    patience_end(&patience, 5 * MS + 200 * US);
    assert_false(patience_lasts(&patience, 5 * MS + 200 * US));
}

static void nobody_waits_awake_for_longer_than_the_bound(void **state)
{
    struct patience patience = {.hopeless = false};
    (void)state;
    patience_begin(&patience, MS);
    assert_true(patience_lasts(&patience, MS + PATIENCE_NS - 1));
    assert_false(patience_lasts(&patience, MS + PATIENCE_NS));
}

static void long_waits_lose_patience_and_short_ones_bring_it_back(void **state)
{
    struct patience patience = {.hopeless = false};
    uint64_t now_ns = MS;
    int waits = 0;
    (void)state;
    patience_begin(&patience, now_ns);
    patience_end(&patience,
                 now_ns += UINT64_C(3600) * 1000 * MS); /* an hour counts as a few milliseconds */
    patience_begin(&patience, now_ns);
    assert_false(patience_lasts(&patience, now_ns));
    do {
        patience_end(&patience, now_ns += 100 * US);
        patience_begin(&patience, now_ns);
        waits++;
    } while (!patience_lasts(&patience, now_ns));
    assert_in_range(waits, 1, 10);
}

static void on_one_core_nobody_stays_awake(void **state)
{
    struct patience patience = {.hopeless = true};
    (void)state;
    patience_begin(&patience, MS);
    assert_false(patience_lasts(&patience, MS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_waits_for_nothing_may_sleep),
        cmocka_unit_test(nobody_waits_awake_for_longer_than_the_bound),
        cmocka_unit_test(long_waits_lose_patience_and_short_ones_bring_it_back),
        cmocka_unit_test(on_one_core_nobody_stays_awake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
