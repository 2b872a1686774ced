/* The bucket of tokens, as rows: what is asked when, and how long it has to wait. */
#include "server/core/allowance.h"

#include "tests/support/test.h"

enum { ASKS_MAX = 8, GRANTED = 0 };

struct ask {
    uint64_t at_ms;
    uint32_t cost;
    uint64_t wait_ms;
};
struct row {
    const char *name;
    uint32_t per_s, burst;
    int ask_count;
    struct ask asks[ASKS_MAX];
};

/* clang-format off */
static const struct row rows[] = {
    {"a burst is granted at once, then one waits", 10, 3, 5,
     {{0, 1, GRANTED}, {0, 1, GRANTED}, {0, 1, GRANTED}, {0, 1, 100}, {99, 1, 1}}},
    {"what was refused has taken nothing", 10, 1, 4,
     {{0, 1, GRANTED}, {50, 1, 50}, {50, 1, 50}, {100, 1, GRANTED}}},
    {"the bucket fills with time, a thousandth a millisecond", 1000, 1000, 4,
     {{0, 1000, GRANTED}, {1, 1, GRANTED}, {1, 1, 1}, {3, 2, GRANTED}}},
    {"the bucket never holds more than its burst", 10, 2, 3,
     {{0, 2, GRANTED}, {1000000000, 2, GRANTED}, {1000000000, 1, 100}}},
    {"a cost above the burst is granted when the bucket is full", 10, 5, 3,
     {{0, 20, GRANTED}, {0, 20, 500}, {500, 20, GRANTED}}},
    {"time that goes back gives nothing", 10, 1, 3,
     {{1000, 1, GRANTED}, {500, 1, 100}, {1100, 1, GRANTED}}},
    {"without a rate nothing is limited", 0, 0, 2, {{0, 1000, GRANTED}, {0, 1000, GRANTED}}},
};
/* clang-format on */

static void check_row(void **state)
{
    const struct row *row = *state;
    struct allowance allowance;
    allowance_init(&allowance, row->per_s, row->burst, 0);
    for (int i = 0; i < row->ask_count; i++)
        assert_int_equal(allowance_take(&allowance, row->asks[i].cost, row->asks[i].at_ms),
                         row->asks[i].wait_ms);
}

static void what_was_charged_afterwards_is_paid_back_first(void **state)
{
    (void)state;
    struct allowance allowance;
    allowance_init(&allowance, 10, 20, 0);
    allowance_charge(&allowance, 50000, 0); /* 30 units more than there are */
    assert_int_equal(allowance_wait_ms(&allowance, 0, 0), 3000);
    assert_int_equal(allowance_take(&allowance, 1, 0), 3100);
    assert_int_equal(allowance_full_ms(&allowance), 5000);
    assert_int_equal(allowance_take(&allowance, 1, 3099), 1);
    assert_int_equal(allowance_take(&allowance, 1, 3100), GRANTED);
}

static void nobody_owes_more_than_a_minute(void **state)
{
    (void)state;
    struct allowance allowance;
    allowance_init(&allowance, 10, 20, 0);
    for (int i = 0; i < 3; i++)
        allowance_charge(&allowance, UINT64_MAX, 0);
    assert_int_equal(allowance_wait_ms(&allowance, 0, 0), ALLOWANCE_OWED_S_MAX * 1000);
    assert_int_equal(allowance_take(&allowance, 20, ALLOWANCE_OWED_S_MAX * 1000 + 2000), GRANTED);
}

static void over_a_long_time_the_rate_is_kept(void **state)
{
    (void)state;
    struct allowance allowance;
    uint64_t seed = 7, now_ms = 0, granted = 0;
    allowance_init(&allowance, 200, 400, now_ms);
    while (now_ms < 1000000) {
        uint32_t cost = 1 + (uint32_t)(test_random(&seed) % 20);
        uint64_t wait_ms = allowance_take(&allowance, cost, now_ms);
        if (wait_ms == 0) {
            granted += cost;
            continue;
        }
        /* Exactly that long, and not a millisecond less. */
        assert_true(allowance_take(&allowance, cost, now_ms + wait_ms - 1) > 0);
        assert_int_equal(allowance_take(&allowance, cost, now_ms += wait_ms), 0);
        granted += cost;
    }
    assert_in_range(granted, 200000, 200000 + 400 + 20);
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[ROWS + 3];
    for (size_t i = 0; i < ROWS; i++)
        tests[i] = (struct CMUnitTest){
            .name = rows[i].name, .test_func = check_row, .initial_state = (void *)&rows[i]};
    tests[ROWS] = (struct CMUnitTest)cmocka_unit_test(over_a_long_time_the_rate_is_kept);
    tests[ROWS + 1] =
        (struct CMUnitTest)cmocka_unit_test(what_was_charged_afterwards_is_paid_back_first);
    tests[ROWS + 2] = (struct CMUnitTest)cmocka_unit_test(nobody_owes_more_than_a_minute);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
