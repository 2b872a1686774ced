/* What an address may ask for, over all its connections: the records themselves, and who is refused. */
#include "server/core/account.h"

#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include <string.h>

enum { PER_S = 10, BURST = 100, KEPT_MAX = 8 };

static const struct account_limits limits = {.per_s = PER_S, .burst = BURST, .kept_max = KEPT_MAX};

static struct core_address ipv4(uint8_t last)
{
    return (struct core_address){{[10] = 0xff, [11] = 0xff, [12] = 192, [13] = 0, [14] = 2, last}};
}

/* `subnet`: bits 48 to 64; `host` is of no importance. */
static struct core_address ipv6(uint16_t subnet, uint8_t host)
{
    return (struct core_address){{[0] = 0x20,
                                  [1] = 0x01,
                                  [2] = 0x0d,
                                  [3] = 0xb8,
                                  [6] = (uint8_t)(subnet >> 8),
                                  [7] = (uint8_t)subnet,
                                  [15] = host}};
}

static int setup(void **state)
{
    static struct accounts accounts;
    accounts_init(&accounts, &limits, (struct hash_key){{1, 2}});
    *state = &accounts;
    return 0;
}

static int teardown(void **state)
{
    accounts_release(*state);
    return 0;
}

static struct account *of(struct accounts *accounts, struct core_address address, uint64_t now_ms)
{
    return account_of(accounts, &address, now_ms);
}

/* --- records ---------------------------------------------------------------------------------- */

static void an_address_has_one_account_and_a_64_is_one_address(void **state)
{
    struct accounts *accounts = *state;
    struct account *ada = of(accounts, ipv4(1), 0);
    assert_ptr_equal(of(accounts, ipv4(1), 0), ada);
    assert_ptr_not_equal(of(accounts, ipv4(2), 0), ada);
    assert_null(ada->wider);
    struct account *home = of(accounts, ipv6(1, 1), 0), *same = of(accounts, ipv6(1, 2), 0),
                   *next = of(accounts, ipv6(2, 1), 0), *far = of(accounts, ipv6(0x100, 1), 0);
    assert_ptr_equal(home, same);
    assert_ptr_not_equal(home, next);
    assert_ptr_equal(home->wider, next->wider);
    assert_ptr_not_equal(home->wider, far->wider);
}

static void a_56_is_charged_for_all_of_its_64s(void **state)
{
    struct accounts *accounts = *state;
    for (uint16_t subnet = 0; subnet < ACCOUNT_WIDER_TIMES; subnet++) {
        struct account *home = of(accounts, ipv6(subnet, 1), 0);
        assert_int_equal(account_wait_ms(home, BURST * 1000, 0), 0);
        account_charge(home, BURST * 1000, 0);
    }
    struct account *next = of(accounts, ipv6(0xff, 1), 0);
    assert_int_equal(account_wait_ms(next, PER_S * ACCOUNT_WIDER_TIMES * 1000, 0), 1000);
    assert_int_equal(account_wait_ms(of(accounts, ipv6(0x100, 1), 0), 1000, 0), 0);
}

static void this_machine_is_never_charged(void **state)
{
    struct accounts *accounts = *state;
    struct account *local = of(accounts, (struct core_address){{0}}, 0);
    assert_true(local->unlimited);
    account_charge(local, UINT64_MAX, 0);
    assert_int_equal(account_wait_ms(local, UINT64_MAX, 0), 0);
    account_let_go(accounts, local, 0);
    assert_int_equal(accounts->all.count, 0);
}

static void coming_back_is_no_way_to_begin_anew(void **state)
{
    struct accounts *accounts = *state;
    struct account *ada = of(accounts, ipv4(1), 0);
    account_charge(ada, BURST * 1000, 0);
    account_let_go(accounts, ada, 0);
    ada = of(accounts, ipv4(1), 1000);
    assert_int_equal(account_wait_ms(ada, 2 * PER_S * 1000, 1000), 1000);
    account_let_go(accounts, ada, 1000);
}

static void who_owes_nothing_is_forgotten(void **state)
{
    struct accounts *accounts = *state;
    struct account *home = of(accounts, ipv6(1, 1), 0);
    account_let_go(accounts, home, 0);
    assert_int_equal(accounts->all.count, 0);
    home = of(accounts, ipv6(1, 1), 0);
    account_charge(home, PER_S * 1000, 0);
    account_let_go(accounts, home, 0);
    assert_int_equal(accounts->all.count, 2);
    account_let_go(accounts, of(accounts, ipv4(1), 999), 999);
    assert_int_equal(accounts->all.count, 2);
    account_let_go(accounts, of(accounts, ipv4(1), 1000), 1000);
    assert_int_equal(accounts->all.count, 0);
}

/* In an order of debts that goes up and down, so that the heap has something to do. */
static void of_too_many_the_one_that_owes_least_is_forgotten(void **state)
{
    struct accounts *accounts = *state;
    for (int i = 0; i < 3 * KEPT_MAX; i++) {
        struct account *account = of(accounts, ipv4((uint8_t)i), 0);
        account_charge(account, (uint64_t)(1 + i * 7 % (3 * KEPT_MAX)) * 1000, 0);
        account_let_go(accounts, account, 0);
        assert_true(accounts->kept_count <= KEPT_MAX);
    }
    for (int i = 0; i < 3 * KEPT_MAX; i++) {
        int owed = 1 + i * 7 % (3 * KEPT_MAX);
        struct account *account = of(accounts, ipv4((uint8_t)i), 0);
        assert_int_equal(account_wait_ms(account, BURST * 1000, 0),
                         owed > 2 * KEPT_MAX ? owed * 1000 / PER_S : 0);
        account_let_go(accounts, account, 0);
    }
}

/* Who comes, asks and goes in any order: every record is somebody's, or kept, or gone. */
static void whatever_comes_and_goes_nothing_is_lost_or_left(void **state)
{
    enum { HELD_MAX = 40, STEPS = 20000 };
    struct accounts *accounts = *state;
    struct account *held[HELD_MAX] = {NULL};
    uint64_t random = 11, now_ms = 0;
    for (int i = 0; i < STEPS; i++) {
        struct account **place = &held[test_random(&random) % HELD_MAX];
        uint16_t number = (uint16_t)(test_random(&random) % 1024);
        now_ms += test_random(&random) % 100;
        if (*place) {
            account_charge(*place, test_random(&random) % (BURST * 1000), now_ms);
            account_let_go(accounts, *place, now_ms);
            *place = NULL;
        } else {
            *place = of(accounts, number % 2 ? ipv6(number, 1) : ipv4((uint8_t)number), now_ms);
        }
        assert_true(accounts->kept_count <= KEPT_MAX);
        assert_true(accounts->all.count <= 2 * (KEPT_MAX + HELD_MAX));
    }
    for (int i = 0; i < HELD_MAX; i++)
        if (held[i])
            account_let_go(accounts, held[i], now_ms);
    account_let_go(accounts, of(accounts, ipv4(1), now_ms + 1000000), now_ms + 1000000);
    assert_int_equal(accounts->all.count, 0);
}

/* --- in the core ------------------------------------------------------------------------------ */

static int count_heard(struct stage *stage, const char *name, const char *word)
{
    int count = 0;
    for (const struct heard *heard = stage_peer(stage, name)->first; heard; heard = heard->next)
        count += strstr(heard->text, word) != NULL;
    return count;
}

static int ask_until_refused(struct stage *stage, const char *name)
{
    int asked = 0;
    while (asked < 100000 && count_heard(stage, name, "rate_limited") == 0) {
        stage_forget(stage, name);
        stage_say(stage, name, "{\"type\":\"ping\",\"id\":\"p\"}");
        asked++;
    }
    return asked - 1;
}

static void open_from(struct stage *stage, const char *name, struct core_address address)
{
    stage->address = address;
    stage_open(stage, name, false);
}

static void many_connections_of_an_address_share_what_it_has(void **state)
{
    struct stage *stage = *state;
    const int connection = (int)stage->options.commands_burst;
    const int address = (int)stage->options.address_burst;
    int granted = 0;
    char name[16];
    open_from(stage, "other", ipv4(2));
    int alone = ask_until_refused(stage, "other");
    for (int i = 0; i * connection <= address; i++) {
        snprintf(name, sizeof name, "g%d", i);
        open_from(stage, name, ipv4(1));
        granted += ask_until_refused(stage, name);
    }
    assert_in_range(granted, alone * (address / connection) * 9 / 10,
                    alone * (address / connection));
    open_from(stage, "late", ipv4(1));
    assert_int_equal(ask_until_refused(stage, "late"), 0);
}

static void who_tries_out_ids_of_rooms_is_soon_to_wait(void **state)
{
    struct stage *stage = *state;
    const int address = (int)stage->options.address_burst;
    int guesses = 0;
    open_from(stage, "mallory", ipv4(1));
    stage_say(stage, "mallory", "{\"type\":\"auth\",\"id\":\"a\"}");
    while (guesses < address && count_heard(stage, "mallory", "rate_limited") == 0) {
        stage_forget(stage, "mallory");
        stage_say(stage, "mallory", "{\"type\":\"leave\",\"id\":\"g\",\"room\":\"guess\"}");
        guesses += count_heard(stage, "mallory", "unknown_room");
    }
    assert_true(guesses > 0 && guesses <= address / GUESS_COST);
    struct core_statistics statistics;
    core_read_statistics(stage->core, &statistics);
    assert_int_equal(statistics.rooms_unknown, guesses);
}

int main(void)
{
#define RECORD_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
#define STAGE_TEST(test)  cmocka_unit_test_setup_teardown(test, stage_set_small, stage_clear)
    const struct CMUnitTest tests[] = {
        RECORD_TEST(an_address_has_one_account_and_a_64_is_one_address),
        RECORD_TEST(a_56_is_charged_for_all_of_its_64s),
        RECORD_TEST(this_machine_is_never_charged),
        RECORD_TEST(coming_back_is_no_way_to_begin_anew),
        RECORD_TEST(who_owes_nothing_is_forgotten),
        RECORD_TEST(of_too_many_the_one_that_owes_least_is_forgotten),
        RECORD_TEST(whatever_comes_and_goes_nothing_is_lost_or_left),
        STAGE_TEST(many_connections_of_an_address_share_what_it_has),
        STAGE_TEST(who_tries_out_ids_of_rooms_is_soon_to_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
