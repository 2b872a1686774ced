/* Every game in games/ keeps what its own tests promise. Each of these is a test here, called by its file and its name. */
#include "tests/support/test.h"

#include "engine/game_tests.h"
#include "tests/engine/games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROMISES_MAX = 4096, NAME_ROOM = 320 };

/* One test of one file; the game is for as many players as the test is. */
struct promise {
    char name[NAME_ROOM];
    struct game *game;
    const struct game_test *test;
};

struct promises {
    struct promise *list;
    int count;
    int games; /* that bring tests along */
};

static void add_promise(struct promises *promises, const char *path, struct game *game,
                        const struct game_test *test)
{
    assert_true(promises->count < PROMISES_MAX);
    struct promise *promise = &promises->list[promises->count++];
    promise->game = game_retain(game);
    promise->test = test;
    snprintf(promise->name, sizeof promise->name, "%s: %s", path, test->name);
}

/* The same test in the game for fewer players, where it has another place. */
static void add_for_fewer(struct promises *promises, const char *path, const struct game_test *test)
{
    struct load_options options = {.player_count = test->players};
    struct game *fewer = games_load_file(path, &options);
    const struct game_test *same = game_test_numbered(fewer, test->number);
    assert_non_null(same);
    add_promise(promises, path, fewer, same);
    game_release(fewer);
}

static void collect(const char *path, struct game *game, void *context)
{
    struct promises *promises = context;
    int count = 0;
    const struct game_test *tests = game_tests(game, &count);
    for (int i = 0; i < count; i++)
        if (tests[i].players == 0)
            add_promise(promises, path, game, &tests[i]);
        else
            add_for_fewer(promises, path, &tests[i]);
    promises->games += count > 0;
}

static void is_kept(void **state)
{
    const struct promise *promise = *state;
    char words[GAME_TEST_WORDS_BYTES];
    if (!game_test_run(promise->game, promise->test, words))
        fail_msg("%s", words);
}

static void most_games_promise_something(void **state)
{
    const struct promises *promises = *state;
    assert_true(promises->games >= 18);
}

int main(void)
{
    struct promises promises = {.list = calloc(PROMISES_MAX, sizeof *promises.list)};
    struct CMUnitTest *tests = calloc(PROMISES_MAX + 1, sizeof *tests);
    if (promises.list == NULL || tests == NULL)
        return 1;
    games_for_each(collect, &promises);
    for (int i = 0; i < promises.count; i++)
        tests[i] = (struct CMUnitTest){.name = promises.list[i].name,
                                       .test_func = is_kept,
                                       .initial_state = &promises.list[i]};
    tests[promises.count] = (struct CMUnitTest){.name = "most_games_promise_something",
                                                .test_func = most_games_promise_something,
                                                .initial_state = &promises};
    int failed = _cmocka_run_group_tests("the games' own tests", tests, (size_t)promises.count + 1,
                                         NULL, NULL);
    for (int i = 0; i < promises.count; i++)
        game_release(promises.list[i].game);
    free(promises.list);
    free(tests);
    return failed;
}
