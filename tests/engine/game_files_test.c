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
    int test;
};

struct promises {
    struct promise *list;
    int count;
    int games; /* that bring tests along */
};

static void add(struct promises *promises, const char *path, struct game *game, int test)
{
    assert_true(promises->count < PROMISES_MAX);
    struct promise *promise = &promises->list[promises->count++];
    promise->game = game_retain(game);
    promise->test = test;
    snprintf(promise->name, sizeof promise->name, "%s: %s", path, game_test_name(game, test));
}

/* The same test in the game for fewer players, where it has another place. */
static void add_for_fewer(struct promises *promises, const char *path, const struct game *game,
                          int test)
{
    struct load_options options = {.player_count = game_test_players(game, test)};
    struct game *fewer = games_load_file(path, &options);
    int number = game_test_number(game, test), found = 0;
    for (int i = 0; i < game_test_count(fewer); i++) {
        if (game_test_number(fewer, i) != number)
            continue;
        add(promises, path, fewer, i);
        found++;
    }
    assert_int_equal(found, 1);
    game_release(fewer);
}

static void collect(const char *path, struct game *game, void *context)
{
    struct promises *promises = context;
    for (int i = 0; i < game_test_count(game); i++)
        if (game_test_players(game, i) == 0)
            add(promises, path, game, i);
        else
            add_for_fewer(promises, path, game, i);
    promises->games += game_test_count(game) > 0;
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
