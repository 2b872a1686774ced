/* Many lives, each from its seed, and canaries that must be found.
 *
 *     simulation_test                   what the build runs: SENET_SIMULATION_SEEDS seeds (or a default), then the canaries
 *     simulation_test FIRST COUNT       other seeds
 *     simulation_test --moves N [--first SEED] [--jobs N] [--servers N]   as many lives as it takes, in so many processes; with so many
 *                                       servers in all of them, or as each seed says
 *     simulation_test SEED [--servers N]   one seed, every step told on standard error */
#include "tests/simulation/games_on_offer.h"
#include "tests/simulation/world.h"
#include "tests/support/test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { JOBS_MAX = 64, SEEDS_DEFAULT = 100, CANARY_SEEDS_MAX = 400, ENOUGH_MOVES = 100000 };

static uint64_t first_seed = 1, seed_count = SEEDS_DEFAULT;

static void add(struct world_report *sum, const struct world_report *report)
{
    sum->steps += report->steps;
    sum->events += report->events;
    sum->moves += report->moves;
    sum->crashes += report->crashes;
    sum->rooms += report->rooms;
    sum->acknowledged += report->acknowledged;
    sum->answered += report->answered;
    sum->unknowns += report->unknowns;
    sum->failures += report->failures;
    sum->leases_lost += report->leases_lost;
    sum->followed += report->followed;
    sum->abandoned += report->abandoned;
    sum->promises += report->promises;
    sum->found += report->found;
    sum->rated += report->rated;
    sum->clocked += report->clocked;
    sum->timed += report->timed;
    sum->compensated += report->compensated;
    sum->turns += report->turns;
    sum->clocked_of_three += report->clocked_of_three;
    sum->clocks += report->clocks;
    sum->taken_back += report->taken_back;
    sum->flags += report->flags;
    sum->waits += report->waits;
    for (int i = 0; i <= WORLD_SERVERS_MAX; i++)
        sum->moves_at[i] += report->moves_at[i];
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
           " commands known again, %" PRIu64 " conflicts, %" PRIu64 " failures, %" PRIu64
           " unknown commits, %" PRIu64 " leases lost, %" PRIu64
           " events of other servers, %" PRIu64 " games claimed for absence, %" PRIu64
           " seeks that found somebody, %" PRIu64 " promised to other servers, %" PRIu64
           " moves by the clock, %" PRIu64 " of them timed as their players' clients have, %" PRIu64
           " with time given back, %" PRIu64 " rated games worked out again, %" PRIu64
           " turns the store knew\n",
           sum->crashes, sum->resumed, sum->resyncs, sum->duplicates, sum->conflicts, sum->failures,
           sum->unknowns, sum->leases_lost, sum->followed, sum->abandoned, sum->found,
           sum->promises, sum->clocked, sum->timed, sum->compensated, sum->rated, sum->turns);
    printf("clocks of %" PRIu64 " games worked out anew, %" PRIu64 " of more than two; %" PRIu64
           " takebacks and %" PRIu64 " flags there, %" PRIu64 " times awaited\n",
           sum->clocks, sum->clocked_of_three, sum->taken_back, sum->flags, sum->waits);
    printf("moves with one server %" PRIu64 ", with two %" PRIu64 ", with three %" PRIu64 "\n",
           sum->moves_at[1], sum->moves_at[2], sum->moves_at[3]);
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
        world_live(seed, 0, CANARY_NONE, false, &report);
        if (report.violated) {
            fprintf(stderr, "seed %" PRIu64 ": %s\n", seed, report.words);
            fprintf(stderr, "see it with: simulation_test %" PRIu64 "\n", seed);
            world_live(seed, 0, CANARY_NONE, true, &report);
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
    assert_true(sum.failures > seed_count && sum.unknowns > 0 && sum.leases_lost > 0 &&
                sum.followed > seed_count);
    assert_true(sum.found > seed_count && sum.promises > seed_count / 10);
    assert_true(sum.timed > seed_count && sum.compensated > seed_count);
    assert_true(sum.rated > seed_count / 10 && sum.turns > seed_count / 10);
    assert_true(sum.abandoned > 0 || seed_count < 500); /* in some lives of a hundred */
    /* Nor does an oracle that has looked at nothing: each move is acknowledged, and shown to somebody. */
    assert_true(sum.acknowledged > sum.moves && sum.shown > sum.events &&
                sum.answered > sum.acknowledged);
}

static void find_canary(enum canary canary)
{
    struct world_report report;
    for (uint64_t seed = 1; seed <= CANARY_SEEDS_MAX; seed++) {
        world_live(seed, 0, canary, false, &report);
        if (!report.violated)
            continue;
        char words[sizeof report.words];
        snprintf(words, sizeof words, "%s", report.words);
        world_live(seed, 0, CANARY_NONE, false, &report);
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

static void a_store_that_ignores_epochs_is_found(void **state)
{
    (void)state;
    find_canary(CANARY_UNFENCED);
}

static void an_unknown_commit_taken_for_done_is_found(void **state)
{
    (void)state;
    find_canary(CANARY_UNKNOWN_DONE);
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

static void a_turn_that_is_over_is_found(void **state)
{
    (void)state;
    find_canary(CANARY_STALE_TURN);
}

static void a_frame_that_the_oracle_does_not_understand_is_found(void **state)
{
    (void)state;
    find_canary(CANARY_RENAMED);
}

/* --- until so many moves have been played ------------------------------------------------------------------ */

struct marathon {
    uint64_t moves, first, jobs;
    int servers; /* 0: as the seeds say */
};

/* One process's share: every `jobs`th seed. What it saw goes through the pipe. */
static void run_share(const struct marathon *marathon, uint64_t job, int pipe)
{
    struct world_report sum = {.seed = 0}, report;
    uint64_t share = marathon->moves / marathon->jobs + 1, seeds = 0;
    for (uint64_t seed = marathon->first + job; sum.moves < share; seed += marathon->jobs) {
        world_live(seed, marathon->servers, CANARY_NONE, false, &report);
        if (report.violated) {
            printf("VIOLATION with seed %" PRIu64 ": %s\n", seed, report.words);
            printf("see it with: simulation_test %" PRIu64, seed);
            if (marathon->servers)
                printf(" --servers %d", marathon->servers);
            printf("\n");
            sum.violated = true;
            break;
        }
        add(&sum, &report);
        seeds++;
    }
    sum.seed = seeds;
    fflush(stdout);
    bool told = write(pipe, &sum, sizeof sum) == (ssize_t)sizeof sum;
    games_on_offer_release();
    _exit(told ? 0 : 1);
}

/* Of a million moves by three servers half are by the clock; there are some 3,800 flags, 530 takebacks and 390 games of more than two.
 * Of few moves nothing is asked. */
static bool saw_too_little_of_clocks(const struct world_report *sum)
{
    return sum->clocked < sum->moves / 4 ||
           (sum->moves >= ENOUGH_MOVES &&
            (sum->flags < sum->moves / 1000 || sum->taken_back < sum->moves / 5000 ||
             sum->clocked_of_three < sum->moves / 10000 || sum->clocks < sum->moves / 200));
}

static int run_marathon(const struct marathon *marathon)
{
    struct world_report sum = {.seed = 0}, report;
    double begin = now_s();
    int ends[2], failed = 0;
    if (pipe(ends) != 0)
        return 2;
    printf("%" PRIu64 " moves, seeds from %" PRIu64 ", %" PRIu64 " processes\n", marathon->moves,
           marathon->first, marathon->jobs);
    fflush(stdout);
    for (uint64_t job = 0; job < marathon->jobs; job++)
        if (fork() == 0)
            run_share(marathon, job, ends[1]);
    close(ends[1]);
    seed_count = 0;
    while (read(ends[0], &report, sizeof report) == (ssize_t)sizeof report) {
        add(&sum, &report);
        failed |= report.violated;
        seed_count += report.seed;
    }
    for (int status; wait(&status) > 0;)
        failed |= status != 0;
    print(&sum, now_s() - begin);
    failed |= sum.moves < marathon->moves; /* a process that could not be begun played none */
    failed |= saw_too_little_of_clocks(&sum);
    printf("%s\n", failed ? "FAILED" : "no violation");
    return failed;
}

static bool read_marathon(int argc, char **argv, struct marathon *marathon)
{
    *marathon = (struct marathon){.first = 1, .jobs = 1};
    for (int i = 1; i + 1 < argc; i += 2) {
        uint64_t value = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--moves") == 0)
            marathon->moves = value;
        else if (strcmp(argv[i], "--first") == 0)
            marathon->first = value;
        else if (strcmp(argv[i], "--servers") == 0 && value > 0 && value <= WORLD_SERVERS_MAX)
            marathon->servers = (int)value;
        else if (strcmp(argv[i], "--jobs") == 0 && value > 0 && value <= JOBS_MAX)
            marathon->jobs = value;
        else
            return false;
    }
    return marathon->moves > 0;
}

int main(int argc, char **argv)
{
    struct marathon marathon;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_acknowledged_is_kept_and_all_see_the_same),
        cmocka_unit_test(an_answer_before_the_disk_is_found),
        cmocka_unit_test(a_store_that_forgets_commands_is_found),
        cmocka_unit_test(a_store_that_ignores_epochs_is_found),
        cmocka_unit_test(an_unknown_commit_taken_for_done_is_found),
        cmocka_unit_test(a_lost_frame_is_found),
        cmocka_unit_test(a_wrong_patch_is_found),
        cmocka_unit_test(a_turn_that_is_over_is_found),
        cmocka_unit_test(a_frame_that_the_oracle_does_not_understand_is_found),
    };
    const char *wanted = getenv("SENET_SIMULATION_SEEDS");
    if (wanted)
        seed_count = strtoull(wanted, NULL, 10);
    if (read_marathon(argc, argv, &marathon))
        return run_marathon(&marathon);
    bool has_servers = argc == 4 && strcmp(argv[2], "--servers") == 0;
    if (argc == 2 || has_servers) {
        struct world_report report;
        int servers = has_servers ? atoi(argv[3]) : 0;
        if (servers < 0 || servers > WORLD_SERVERS_MAX)
            return 2;
        world_live(strtoull(argv[1], NULL, 10), servers, CANARY_NONE, true, &report);
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
