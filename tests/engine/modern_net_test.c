/* General code, fast code and reference of format 2 side by side: on every game of games/. */
#include "tests/support/test.h"

#include "engine/load/load.h"
#include "tests/engine/games.h"
#include "tests/engine/modern_net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the games that are there ----------------------------------------------------------------- */

enum { SHIPPED_GAMES = 1, SHIPPED_PLIES = 30, LEAVES_MAX = 200, MOVES_MAX = 300 };

static struct net *open_net(const char *text, const char *name)
{
    char words[NET_WORDS_BYTES];
    struct net_texts texts = {.general = text, .fast = text, .reference = text};
    struct net *net = net_new(&texts, words);
    if (net == NULL)
        fail_msg("%s: %s", name, words);
    return net;
}

static void play_shipped(const char *path, struct game *game, void *context)
{
    const struct net_limits limits = {.plies = SHIPPED_PLIES, .successors = 1, .moves = MOVES_MAX};
    int *games = context;
    char words[NET_WORDS_BYTES];
    if (game_format(game) != 2)
        return;
    char *text = test_read_file(path, NULL);
    struct net *net = open_net(text, path);
    uint64_t seed = 31, plies = 0;
    for (int i = 0; i < SHIPPED_GAMES; i++)
        if (!net_play(net, &seed, &limits, &plies, words))
            fail_msg("%s: %s", path, words);
    net_free(net);
    free(text);
    ++*games;
}

static void shipped_games_are_played_as_the_reference_says(void **state)
{
    (void)state;
    int games = 0;
    games_for_each(play_shipped, &games);
    assert_true(games >= 19);
}

/* A line of the table: `file<TAB>position<TAB>n1 n2 n3 …`. */
static void count_line(char *line)
{
    char words[NET_WORDS_BYTES];
    char *position = strchr(line, '\t');
    assert_non_null(position);
    *position++ = '\0';
    char *numbers = strchr(position, '\t');
    assert_non_null(numbers);
    *numbers++ = '\0';
    char *text = test_read_file(line, NULL);
    if (strstr(text, "\"format\": 2") != NULL) {
        struct net *net = open_net(text, line);
        if (strcmp(position, "start") != 0 && !net_read(net, position, words))
            fail_msg("%s: %s", line, words);
        for (int depth = 1; *numbers != '\0' && *numbers != '\n'; depth++)
            if (strtoull(numbers, &numbers, 10) <= LEAVES_MAX && !net_perft(net, depth, words))
                fail_msg("%s %s: %s", line, position, words);
        net_free(net);
    }
    free(text);
}

static void shipped_games_have_the_leaves_the_reference_counts(void **state)
{
    (void)state;
    FILE *file = fopen("tests/engine/perft_games.txt", "r");
    assert_non_null(file);
    char line[1024];
    int counted = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        count_line(line);
        counted++;
    }
    fclose(file);
    assert_true(counted >= 70);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_games_are_played_as_the_reference_says),
        cmocka_unit_test(shipped_games_have_the_leaves_the_reference_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
