/* What runs on threads: in which order, how much may wait, and what is said to whom must come later. The chores of these tests
 * are counted in units of work and in threads' time that the test hands out, so nothing here depends on a clock. */
#include "server/core/tasks.h"

#include "engine/work.h"
#include "server/core/account.h"
#include "server/core/parts.h"
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS_BYTES = 2048, CHORE_MS = 100, LANE_CHORES_MAX = TASK_LANE_PLACES_MAX / TASK_PLACES };

/* What has happened: a letter for each chore done, `!` before it where it was refused. */
struct diary {
    char words[WORDS_BYTES];
    size_t length;
    uint64_t retry_ms;
};

struct chore {
    struct task task;
    struct diary *diary;
    char letter;
    int parts;
    uint64_t units; /* of each part */
};

static void write_letter(struct diary *diary, char letter)
{
    assert_true(diary->length + 1 < WORDS_BYTES);
    diary->words[diary->length++] = letter;
    diary->words[diary->length] = '\0';
}

static bool do_part(struct task *task)
{
    struct chore *chore = (struct chore *)task;
    work_spend(chore->units);
    return --chore->parts == 0;
}

static void on_done(struct core *core, struct task *task)
{
    struct chore *chore = (struct chore *)task;
    (void)core;
    write_letter(chore->diary, chore->letter);
    free(chore);
}

static void on_refused(struct core *core, struct task *task, uint64_t retry_ms)
{
    struct chore *chore = (struct chore *)task;
    chore->diary->retry_ms = retry_ms;
    write_letter(chore->diary, '!');
    on_done(core, task);
}

static void on_release(struct core *core, struct task *task)
{
    (void)core;
    free(task);
}

struct workshop {
    struct stage stage;
    struct diary diary;
};

static struct core_address ipv4(uint8_t last)
{
    return (struct core_address){{[10] = 0xff, [11] = 0xff, [12] = 192, [13] = 0, [14] = 2, last}};
}

/* One of the 256 networks of a household. */
static struct core_address ipv6(uint8_t subnet)
{
    return (struct core_address){{0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, subnet}};
}

static uint64_t ask_large(struct workshop *workshop, struct core_address address,
                          const struct chore *wanted, size_t bytes)
{
    static const struct task_kind kind = {TASK_PLACES, do_part, on_done, on_refused, on_release};
    struct core *core = workshop->stage.core;
    struct account *account = account_of(&core->accounts, &address, core->now_ms);
    struct chore *chore = malloc(sizeof *chore);
    *chore = *wanted;
    chore->task.kind = &kind;
    chore->diary = &workshop->diary;
    uint64_t retry_ms = task_ask(core, &chore->task, account, bytes);
    if (retry_ms > 0)
        free(chore);
    account_let_go(&core->accounts, account, core->now_ms);
    return retry_ms;
}

static uint64_t ask(struct workshop *workshop, struct core_address address, char letter, int parts,
                    uint64_t units)
{
    struct chore chore = {.letter = letter, .parts = parts, .units = units};
    return ask_large(workshop, address, &chore, 0);
}

static void ask_many(struct workshop *workshop, struct core_address address, char letter, int count)
{
    for (int i = 0; i < count; i++)
        assert_int_equal(ask(workshop, address, letter, 1, 1), 0);
}

static int jobs_of(const struct workshop *workshop)
{
    int count = 0;
    for (const struct stage_job *job = workshop->stage.jobs; job; job = job->next)
        count++;
    return count;
}

/* The threads finish so many parts, the ones that began first. */
static void work(struct workshop *workshop, int parts)
{
    for (int i = 0; i < parts && workshop->stage.jobs; i++)
        stage_work_once(&workshop->stage);
}

static int setup(void **state)
{
    struct workshop *workshop = calloc(1, sizeof *workshop);
    stage_init_small(&workshop->stage);
    *state = workshop;
    return 0;
}

static int teardown(void **state)
{
    struct workshop *workshop = *state;
    stage_release(&workshop->stage);
    free(workshop);
    return 0;
}

/* --- order ------------------------------------------------------------------------------------ */

static void who_asks_for_a_lot_is_served_in_turns_with_others(void **state)
{
    struct workshop *workshop = *state;
    ask_many(workshop, ipv4(1), 'a', 20);
    ask_many(workshop, ipv4(2), 'b', 1);
    ask_many(workshop, ipv4(3), 'c', 1);
    assert_int_equal(jobs_of(workshop), TASKS_AT_WORK_MAX);
    work(workshop, 100);
    assert_string_equal(workshop->diary.words, "aabcaaaaaaaaaaaaaaaaaa");
}

static void one_address_leaves_a_thread_to_others(void **state)
{
    struct workshop *workshop = *state;
    ask_many(workshop, ipv4(1), 'a', 20);
    assert_int_equal(jobs_of(workshop), TASKS_LANE_AT_WORK_MAX);
}

/* By work, and not by number: six addresses have as many threads between them as the one that asks for little. */
static void who_asks_for_little_does_not_wait_behind_who_asks_for_much(void **state)
{
    struct workshop *workshop = *state;
    for (int i = 0; i < 24; i++)
        ask(workshop, ipv4((uint8_t)(10 + i % 6)), 'm', 1, 1000000);
    ask_many(workshop, ipv4(1), 'l', 8);
    work(workshop, 100);
    const char *words = workshop->diary.words;
    assert_int_equal(strlen(words), 32);
    assert_in_range(strrchr(words, 'l') - words, 8, 28);
}

static void a_short_task_passes_a_long_one_of_its_own_address(void **state)
{
    struct workshop *workshop = *state;
    ask(workshop, ipv4(1), 'L', 10, 1000);
    ask(workshop, ipv4(1), 'M', 10, 1000);
    ask_many(workshop, ipv4(1), 's', 3);
    work(workshop, 100);
    assert_string_equal(workshop->diary.words, "sssLM");
}

/* Nothing is saved up while nothing is asked for. */
static void who_comes_back_begins_where_the_others_are(void **state)
{
    struct workshop *workshop = *state;
    ask_many(workshop, ipv4(1), 'a', 30);
    work(workshop, 100);
    ask_many(workshop, ipv4(2), 'b', 10);
    ask_many(workshop, ipv4(1), 'a', 10);
    workshop->diary.length = 0;
    work(workshop, 12);
    const char *words = workshop->diary.words;
    int own = 0;
    for (size_t i = 0; i < strlen(words); i++)
        own += words[i] == 'b';
    assert_in_range(own, 5, 9);
    work(workshop, 100);
}

static void networks_of_one_household_share_their_turns(void **state)
{
    struct workshop *workshop = *state;
    ask_many(workshop, ipv6(1), 'a', 10);
    ask_many(workshop, ipv6(2), 'a', 10);
    assert_int_equal(jobs_of(workshop), TASKS_LANE_AT_WORK_MAX);
    ask_many(workshop, ipv4(1), 'b', 1);
    work(workshop, 4);
    assert_non_null(strchr(workshop->diary.words, 'b'));
    work(workshop, 100);
}

/* --- bounds ----------------------------------------------------------------------------------- */

static void an_address_may_wait_for_so_much_and_others_still_come(void **state)
{
    struct workshop *workshop = *state;
    ask_many(workshop, ipv4(1), 'a', LANE_CHORES_MAX + TASKS_LANE_AT_WORK_MAX);
    assert_true(ask(workshop, ipv4(1), 'x', 1, 1) > 0);
    assert_int_equal(ask(workshop, ipv4(2), 'b', 1, 1), 0);
    work(workshop, 1);
    assert_int_equal(ask(workshop, ipv4(1), 'a', 1, 1), 0);
    work(workshop, 100);
    assert_null(strchr(workshop->diary.words, 'x'));
    assert_int_equal(workshop->diary.length, LANE_CHORES_MAX + TASKS_LANE_AT_WORK_MAX + 2);
}

/* What a task holds takes places, too; one that takes more than there are waits alone. */
static void large_tasks_take_more_places(void **state)
{
    struct workshop *workshop = *state;
    const struct chore chore = {.letter = 'a', .parts = 1, .units = 1};
    for (int i = 0; i < TASKS_LANE_AT_WORK_MAX + 1; i++)
        assert_int_equal(ask_large(workshop, ipv4(1), &chore, (size_t)8192 * 1024), 0);
    assert_true(ask(workshop, ipv4(1), 'x', 1, 1) > 0);
    work(workshop, 100);
    assert_string_equal(workshop->diary.words, "aaa");
}

static void when_all_is_taken_the_longest_lane_gives_way(void **state)
{
    struct workshop *workshop = *state;
    int lanes = TASK_PLACES_MAX / TASK_LANE_PLACES_MAX;
    for (int i = 0; i < lanes; i++)
        while (ask(workshop, ipv4((uint8_t)(10 + i)), 'a', 1, 1) == 0)
            ;
    assert_int_equal(workshop->stage.core->tasks.places, TASK_PLACES_MAX);
    assert_int_equal(workshop->diary.length, 0);
    assert_int_equal(ask(workshop, ipv4(1), 'b', 1, 1), 0);
    assert_string_equal(workshop->diary.words, "!a");
    assert_true(workshop->diary.retry_ms > 0);
    for (int i = 0; i < 20; i++)
        assert_int_equal(ask(workshop, ipv4(1), 'b', 1, 1), 0);
    assert_int_equal(workshop->stage.core->tasks.places, TASK_PLACES_MAX);
    work(workshop, 10 + lanes);
    assert_non_null(strchr(workshop->diary.words, 'b'));
}

/* Threads take CHORE_MS for each chore, TASKS_LANE_AT_WORK_MAX of one address at a time. */
static void pass(struct workshop *workshop, uint64_t ms)
{
    core_time(workshop->stage.core, workshop->stage.now_ms += ms);
}

static void work_in_time(struct workshop *workshop, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        int under_way = jobs_of(workshop);
        pass(workshop, CHORE_MS);
        work(workshop, under_way);
    }
}

static void who_comes_again_when_told_finds_a_place_and_not_much_before(void **state)
{
    struct workshop *workshop = *state;
    for (int i = 0; i < 30; i++) { /* so that it is known how long a chore takes */
        ask_many(workshop, ipv4(1), 'w', 1);
        work_in_time(workshop, 1);
    }
    ask_many(workshop, ipv4(1), 'a', LANE_CHORES_MAX + TASKS_LANE_AT_WORK_MAX);
    uint64_t retry_ms = ask(workshop, ipv4(1), 'x', 1, 1);
    assert_in_range(retry_ms, CHORE_MS, CHORE_MS * 3 / 2);
    pass(workshop, CHORE_MS - 1);
    assert_true(ask(workshop, ipv4(1), 'x', 1, 1) > 0);
    pass(workshop, 1);
    work(workshop, TASKS_LANE_AT_WORK_MAX);
    pass(workshop, retry_ms - CHORE_MS);
    assert_int_equal(ask(workshop, ipv4(1), 'a', 1, 1), 0);
}

/* With others one's turn comes later, and so one is told. */
static void with_many_others_the_time_is_longer(void **state)
{
    struct workshop *workshop = *state;
    for (int i = 0; i < 30; i++) {
        ask_many(workshop, ipv4(1), 'w', 1);
        work_in_time(workshop, 1);
    }
    for (uint8_t i = 0; i < 12; i++)
        ask_many(workshop, ipv4((uint8_t)(20 + i)), 'o', 20);
    while (ask(workshop, ipv4(1), 'a', 1, 1) == 0)
        ;
    uint64_t retry_ms = ask(workshop, ipv4(1), 'x', 1, 1), passed_ms = 0;
    while (ask(workshop, ipv4(1), 'y', 1, 1) > 0) {
        work_in_time(workshop, 1);
        passed_ms += CHORE_MS;
        assert_true(passed_ms < 10000);
    }
    assert_in_range(retry_ms, passed_ms * 2 / 3, passed_ms * 3 / 2);
}

/* --- definitions ------------------------------------------------------------------------------ */

static void open_from(struct stage *stage, const char *name, uint8_t last)
{
    char line[96];
    stage->address = ipv4(last);
    snprintf(line, sizeof line, "%s: connects\n%s: auth -> welcome\n", name, name);
    stage_play(stage, line);
    stage_forget(stage, name);
}

static void validate(struct stage *stage, const char *name, int number, int definition)
{
    char text[160];
    snprintf(text, sizeof text,
             "{\"type\":\"games\",\"id\":\"v%d\",\"op\":\"validate\",\"definition\":{\"no\":%d}}",
             number, definition);
    core_peer_said(stage->core, stage_peer(stage, name)->peer, text, strlen(text));
}

static int answers_to(struct stage *stage, const char *name)
{
    int count = 0;
    for (const struct heard *heard = stage_peer(stage, name)->first; heard; heard = heard->next)
        count += strstr(heard->text, "\"valid\":false") != NULL;
    return count;
}

/* One address validates as fast as it may; another asks once and waits for a thread to become free, and no longer. */
static void validations_of_one_address_do_not_hold_up_another(void **state)
{
    struct workshop *workshop = *state;
    struct stage *stage = &workshop->stage;
    open_from(stage, "eve", 66);
    open_from(stage, "ada", 1);
    for (int i = 0; i < 45; i++)
        validate(stage, "eve", i, i);
    validate(stage, "ada", 1000, 1000);
    assert_int_equal(answers_to(stage, "ada"), 0);
    work(workshop, TASKS_AT_WORK_MAX);
    assert_int_equal(answers_to(stage, "ada"), 1);
    json_t *refused = stage_last(stage, "eve", "error");
    assert_non_null(refused);
    assert_string_equal(json_string_value(json_object_get(refused, "code")), "unavailable");
    assert_true(json_integer_value(json_object_get(refused, "retry_ms")) > 0);
    json_decref(refused);
    stage_work(stage);
    assert_int_equal(answers_to(stage, "eve"), LANE_CHORES_MAX + TASKS_LANE_AT_WORK_MAX);
}

/* It is compiled once, in the turn of whoever's comes first. */
static void who_wants_the_same_definition_does_not_wait_in_the_longer_lane(void **state)
{
    struct workshop *workshop = *state;
    struct stage *stage = &workshop->stage;
    open_from(stage, "eve", 66);
    open_from(stage, "ada", 1);
    for (int i = 0; i < 30; i++)
        validate(stage, "eve", i, i);
    validate(stage, "ada", 1000, 29);
    work(workshop, TASKS_AT_WORK_MAX);
    assert_int_equal(answers_to(stage, "ada"), 1);
    stage_work(stage);
    assert_int_equal(answers_to(stage, "eve"), 30);
    assert_int_equal(answers_to(stage, "ada"), 1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define ROW(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        ROW(who_asks_for_a_lot_is_served_in_turns_with_others),
        ROW(one_address_leaves_a_thread_to_others),
        ROW(who_asks_for_little_does_not_wait_behind_who_asks_for_much),
        ROW(a_short_task_passes_a_long_one_of_its_own_address),
        ROW(who_comes_back_begins_where_the_others_are),
        ROW(networks_of_one_household_share_their_turns),
        ROW(an_address_may_wait_for_so_much_and_others_still_come),
        ROW(large_tasks_take_more_places),
        ROW(when_all_is_taken_the_longest_lane_gives_way),
        ROW(who_comes_again_when_told_finds_a_place_and_not_much_before),
        ROW(with_many_others_the_time_is_longer),
        ROW(validations_of_one_address_do_not_hold_up_another),
        ROW(who_wants_the_same_definition_does_not_wait_in_the_longer_lane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
