/* Thousands of seeds, and canaries that must be found.
 *
 *     simulation_test                 what the build runs: SENET_SIMULATION_SEEDS seeds (or a default), then the canaries
 *     simulation_test FIRST COUNT     other seeds
 *     simulation_test SEED            one seed, every step told on standard error */
#include "tests/simulation/games_on_offer.h"
#include "tests/simulation/world.h"
#include "tests/support/test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SEEDS_DEFAULT = 400, CANARY_SEEDS_MAX = 400 };

static uint64_t first_seed = 1, seed_count = SEEDS_DEFAULT;

static void add(struct world_report *sum, const struct world_report *report)
{
    sum->steps += report->steps;
    sum->events += report->events;
    sum->moves += report->moves;
    sum->crashes += report->crashes;
    sum->rooms += report->rooms;
    sum->acknowledged += report->acknowledged;
    sum->shown += report->shown;
    sum->resumed += report->resumed;
    sum->resyncs += report->resyncs;
    sum->duplicates += report->duplicates;
    sum->conflicts += report->conflicts;
}

static void print(const struct world_report *sum, double seconds)
{
    printf("%" PRIu64 " seeds in %.1f s: %" PRIu64 " steps, %" PRIu64 " rooms, %" PRIu64
           " events (%" PRIu64 " moves), %" PRIu64 " acks and %" PRIu64 " events looked at\n",
           seed_count, seconds, sum->steps, sum->rooms, sum->events, sum->moves, sum->acknowledged,
           sum->shown);
    printf("%" PRIu64 " crashes, %" PRIu64 " resumes, %" PRIu64 " resyncs, %" PRIu64
           " commands sent again, %" PRIu64 " conflicts\n",
           sum->crashes, sum->resumed, sum->resyncs, sum->duplicates, sum->conflicts);
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void what_is_acknowledged_is_kept_and_all_see_the_same(void **state)
{
    (void)state;
    struct world_report sum = {.seed = 0};
    double begin = now_s();
    for (uint64_t seed = first_seed; seed < first_seed + seed_count; seed++) {
        struct world_report report;
        world_live(seed, CANARY_NONE, false, &report);
        if (report.violated) {
            fprintf(stderr, "seed %" PRIu64 ": %s\n", seed, report.words);
            fprintf(stderr, "see it with: simulation_test %" PRIu64 "\n", seed);
            world_live(seed, CANARY_NONE, true, &report);
            fail();
        }
        add(&sum, &report);
    }
    print(&sum, now_s() - begin);
    if (seed_count < 100)
        return;
    /* A world in which nothing happens proves nothing. */
    assert_true(sum.moves > seed_count && sum.crashes > seed_count && sum.rooms > seed_count);
    assert_true(sum.resumed > seed_count && sum.resyncs > 0 && sum.duplicates > 0 &&
                sum.conflicts > 0);
}

static void find_canary(enum canary canary)
{
    struct world_report report;
    for (uint64_t seed = 1; seed <= CANARY_SEEDS_MAX; seed++) {
        world_live(seed, canary, false, &report);
        if (!report.violated)
            continue;
        char words[sizeof report.words];
        snprintf(words, sizeof words, "%s", report.words);
        world_live(seed, CANARY_NONE, false, &report);
        assert_false(report.violated); /* it is the canary that was found */
        snprintf(report.words, sizeof report.words, "%s", words);
        printf("found with seed %" PRIu64 ": %s\n", seed, report.words);
        return;
    }
    fail_msg("not found in %d seeds", CANARY_SEEDS_MAX);
}

static void an_answer_before_the_disk_is_found(void **state)
{
    (void)state;
    find_canary(CANARY_EARLY_ANSWER);
}

static void a_store_that_forgets_commands_is_found(void **state)
{
    (void)state;
    find_canary(CANARY_FORGETFUL);
}

static void a_lost_frame_is_found(void **state)
{
    (void)state;
    find_canary(CANARY_LOST_FRAME);
}

static void a_wrong_patch_is_found(void **state)
{
    (void)state;
    find_canary(CANARY_WRONG_LETTER);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_acknowledged_is_kept_and_all_see_the_same),
        cmocka_unit_test(an_answer_before_the_disk_is_found),
        cmocka_unit_test(a_store_that_forgets_commands_is_found),
        cmocka_unit_test(a_lost_frame_is_found),
        cmocka_unit_test(a_wrong_patch_is_found),
    };
    const char *wanted = getenv("SENET_SIMULATION_SEEDS");
    if (wanted)
        seed_count = strtoull(wanted, NULL, 10);
    if (argc == 2) {
        struct world_report report;
        world_live(strtoull(argv[1], NULL, 10), CANARY_NONE, true, &report);
        printf("%s\n", report.violated ? report.words : "nothing is wrong");
        games_on_offer_release();
        return report.violated;
    }
    if (argc > 2) {
        first_seed = strtoull(argv[1], NULL, 10);
        seed_count = strtoull(argv[2], NULL, 10);
    }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    games_on_offer_release();
    return failed;
}
