/* General code, fast code and reference of format 2 side by side: on every game of games/. */
#include "tests/support/test.h"

#include "engine/load/load.h"
#include "tests/engine/games.h"
#include "tests/engine/modern_invent.h"
#include "tests/engine/modern_net.h"
#include "tests/support/games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With sanitizers, or without optimisation, it takes ten times as long: less is played there, and no word is taken away (below);
 * `tests/run perft` does all of it. */
#if defined __SANITIZE_ADDRESS__ || !defined __OPTIMIZE__
enum { SHIPPED_PLIES = 8, LEAVES_MAX = 30, INVENTED_GAMES = 300, HAS_CANARIES = 0 };
#else
enum { SHIPPED_PLIES = 30, LEAVES_MAX = 200, INVENTED_GAMES = 2000, HAS_CANARIES = 1 };
#endif

enum { SHIPPED_GAMES = 1, MOVES_MAX = 300 };

/* --- the games that are there ----------------------------------------------------------------- */

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
    if (game_facts(game)->format != 2)
        return;
    char *text = test_read_game(path, NULL);
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
    assert_true(games >= 20);
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
    char *text = test_read_game(line, NULL);
    if (strstr(text, "\"format\"") != NULL) {
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

/* --- games made up ---------------------------------------------------------------------------- */

enum { INVENTED_PLIES = 14, GAMES_OF_EACH = 2, PERFT_DEPTH = 2, PERFT_MOVES = 12 };

struct tally {
    uint64_t games, refused, plies;
};

/* Of turns of several moves the leaves are too many to be counted slowly. */
static bool has_long_turns(const char *text)
{
    return strstr(text, "\"continue\"") != NULL || strstr(text, "\"same_figure\"") != NULL;
}

/* False with words and the game's text where the three disagree. */
static bool play_invented(uint64_t seed, struct tally *tally)
{
    const struct net_limits limits = {.plies = INVENTED_PLIES, .successors = 2, .moves = MOVES_MAX};
    char words[NET_WORDS_BYTES];
    bool same = true;
    char *text = modern_invent(seed);
    struct net_texts texts = {.general = text, .fast = text, .reference = text};
    struct net *net = net_new(&texts, words);
    tally->games++;
    if (net == NULL) {
        tally->refused++;
        if (getenv("SENET_REFUSED") != NULL)
            print_message("seed %llu: %s\n", (unsigned long long)seed, words);
        free(text);
        return true;
    }
    uint64_t chance = seed;
    for (int i = 0; i < GAMES_OF_EACH && same; i++)
        same = net_play(net, &chance, &limits, &tally->plies, words);
    if (same && !has_long_turns(text) && net_moves_at_start(net) <= PERFT_MOVES)
        same = net_perft(net, PERFT_DEPTH, words);
    if (!same)
        fprintf(stderr, "seed %llu: %s\n%s\n", (unsigned long long)seed, words, text);
    net_free(net);
    free(text);
    return same;
}

static bool play_from(uint64_t first, uint64_t count, struct tally *played)
{
    struct tally tally = {0};
    uint64_t different = 0;
    for (uint64_t seed = first; seed < first + count; seed++)
        different += !play_invented(seed, &tally);
    print_message("%llu games from seed %llu: %llu refused, %llu positions compared, %llu games "
                  "that are not played alike\n",
                  (unsigned long long)tally.games, (unsigned long long)first,
                  (unsigned long long)tally.refused, (unsigned long long)tally.plies,
                  (unsigned long long)different);
    *played = tally;
    return different == 0;
}

static void invented_games_are_played_as_the_reference_says(void **state)
{
    (void)state;
    struct tally tally;
    assert_true(play_from(1, INVENTED_GAMES, &tally));
    assert_true(tally.refused * 4 <=
                tally.games); /* beyond some share it is the inventor's fault */
}

/* Games that were once not played alike, as the inventor wrote them then. */
static void games_that_once_differed_are_counted_alike(void **state)
{
    (void)state;
    static const char text[] =
        "{\"format\":2,\"name\":\"invented\",\"players\":[\"p0\",\"p1\"],\"board\":{\"cells\":{"
        "\"box\":{\"x\":"
        "4,\"y\":4}},\"mirror\":{\"p1\":{\"y\":\"3 - "
        "y\"}}},\"cell\":{\"coordinates_names\":[\"x\",\"y\"],"
        "\"geometry\":[[0,0],[1,0],[1,1]],\"position\":{\"x\":\"x\",\"y\":\"x\"}},\"figures\":{"
        "\"f0\":{"
        "\"movement\":[{\"y\":1,\"symmetric\":\"all\",\"repeat\":[2,2],\"over\":\"enemy\",\"for\":"
        "\"take\","
        "\"takes\":\"jumped\"}]}},\"initial_position\":{\"p0\":{\"f0\":[{\"x\":2,\"y\":1}]},\"p1\":"
        "{\"f0\":[{"
        "\"x\":3,\"y\":2}]},\"each\":{\"f0\":[{\"x\":0,\"y\":3},{\"x\":1,\"y\":3},{\"x\":2,\"y\":3}"
        ",{"
        "\"x\":3,\"y\":3}]}},\"jumped_leave\":\"turn_ends\",\"turns\":[\"p0\",\"p1\"]}";
    char words[NET_WORDS_BYTES];
    struct net *net = open_net(text, "what is jumped where no turn goes on");
    if (!net_perft(net, 2, words) || !net_perft(net, 3, words))
        fail_msg("%s", words);
    net_free(net);
    static const char tried_out[] =
        "{\"format\":2,\"name\":\"invented\",\"players\":[\"p0\",\"p1\"],\"board\":{\"cells\""
        ":{\"box\":{\"x\":5,\"y\":5}},\"mirror\":{\"p1\":{\"y\":\"4 - y\"}}},\"cell\":{\"coor"
        "dinates_names\":[\"x\",\"y\"],\"geometry\":[[0,0],[1,0],[1,1]],\"position\":{\"x\":\""
        "x\",\"y\":\"x\"}},\"zones\":{\"zone0\":{\"each\":\"y == 4\"},\"zone1\":\"(x + 1) % 2"
        " == 0\",\"zone2\":{\"p0\":\"x > 0\"}},\"figures\":{\"f0\":{\"movement\":[{\"x\":1,\""
        "y\":-1,\"symmetric\":\"all\"}]},\"f1\":{\"movement\":[{\"x\":1,\"y\":-1,\"for\":\"ta"
        "ke\",\"symmetric\":\"signs\",\"takes_marked\":\"m\",\"if\":{\"self\":{\"zone\":\"zon"
        "e2\"}}},{\"x\":1,\"for\":\"swap\",\"within\":\"zone0\"},{\"x\":-1,\"symmetric\":\"mi"
        "rror\",\"repeat\":[2,2],\"for\":\"move\",\"mark\":\"m\"}]},\"f2\":{\"movement\":[{\""
        "x\":2,\"y\":1,\"symmetric\":\"mirror\",\"for\":\"move\"},{\"y\":1,\"symmetric\":\"mi"
        "rror\",\"for\":\"move\",\"repeat\":[2,2],\"mark\":\"m\"},{\"x\":1,\"symmetric\":\"mi"
        "rror\",\"repeat\":[2,2],\"for\":\"move\",\"mark\":\"m\"}]}},\"initial_position\":{\""
        "p0\":{\"f2\":[{\"x\":0,\"y\":0},{\"x\":1,\"y\":3},{\"x\":4,\"y\":3}],\"f1\":[{\"x\":"
        "1,\"y\":2},{\"x\":2,\"y\":4}]},\"p1\":{\"f2\":[{\"x\":4,\"y\":2}]}},\"forbid\":[{\"a"
        "ttacked\":{\"figure\":\"f1\",\"player\":\"mover\"},\"words\":\"attacked\"}],\"turns\""
        ":[\"p0\",\"p1\"]}";
    net = open_net(tried_out, "what is taken by a mark where every move is tried out");
    for (int depth = 1; depth <= 5; depth++)
        if (!net_perft(net, depth, words))
            fail_msg("%s", words);
    net_free(net);
    static const char asked_once[] =
        "{\"format\":2,\"name\":\"invented\",\"players\":[\"p0\",\"p1\"],\"board\":{\"cells\""
        ":{\"box\":{\"x\":8}},\"neighbours\":[{\"x\":1,\"symmetric\":\"mirror\"}]},\"cell\":{"
        "\"coordinates_names\":[\"x\"],\"geometry\":[[0,0],[1,0],[1,1]],\"position\":{\"x\":\""
        "x\",\"y\":\"x\"}},\"zones\":{\"zone0\":{\"each\":\"x == 7\"},\"zone1\":\"(x + 1) % 2"
        " == 0\",\"zone2\":[{\"x\":{\"min\":0}}]},\"takes_to\":\"hand\",\"movements\":{\"line"
        "s\":[{\"x\":1,\"symmetric\":\"all\",\"repeat\":true}],\"leaps\":[{\"x\":-1},{\"x\":-"
        "1}]},\"actions\":{\"deeds\":{\"destination\":[{\"actions\":[\"take\",\"move\"],\"if\""
        ":{\"computed\":{\"is_cell\":true}}},{\"actions\":[\"cancel\"],\"if\":[{\"computed\":"
        "{\"moves_after_last_move\":1},\"target\":{}},{\"computed\":{\"moves_after_last_move\""
        ":1}}]}],\"transition\":[{\"actions\":[\"cancel\"],\"if\":{\"computed\":{\"moves_afte"
        "r_last_move\":0},\"self\":{}}},{\"actions\":[\"cancel\"],\"if\":{\"computed\":{\"is_"
        "enemy\":false}}}]}},\"figures\":{\"f0\":{\"movement\":[{\"use\":\"lines\"},{\"x\":1,"
        "\"symmetric\":\"all\",\"repeat\":true,\"cell_actions\":{\"destination\":[{\"actions\""
        ":[\"swap\"]}],\"transition\":[{\"actions\":[\"take\"],\"if\":{\"computed\":{\"moves_"
        "after_last_move\":0},\"target\":{\"figure\":\"f1\",\"moves_made\":1,\"x\":4}}}]}}],\""
        "cell_actions\":{\"destination\":[{\"actions\":[{\"action\":\"replace\",\"parameters\""
        ":{\"new_figure\":\"f0\"}},\"swap\"],\"if\":{\"computed\":{\"is_figure\":false}}}],\""
        "transition\":[{\"actions\":[\"swap\"],\"if\":{\"computed\":{\"is_cell\":false}}},{\""
        "actions\":[\"cancel\"],\"if\":{\"computed\":{\"moves_after_last_move\":1}}}]}},\"f1\""
        ":{\"movement\":[{\"x\":1,\"cell_actions\":\"deeds\"}],\"in_hand\":\"f0\"}},\"initial"
        "_position\":{\"p0\":{\"f1\":[{\"x\":4}]},\"p1\":{\"f0\":[{\"x\":2}],\"f1\":[{\"x\":6"
        "}]}},\"priority\":[\"take\"],\"turns\":[{\"player\":\"p0\",\"if\":{\"any\":[{\"at\":"
        "{\"of\":\"self\",\"is\":{\"figure\":[\"f0\",\"f1\"]}}},{\"attacked\":{\"is\":{\"play"
        "er\":\"enemy\"},\"by\":[\"f0\",\"f1\"]}}],\"previous\":{\"figure\":\"f1\",\"from\":\""
        "zone2\",\"took\":false,\"placed\":false}}},{\"player\":\"p1\",\"if\":{\"hand\":{\"pl"
        "ayer\":\"enemy\",\"min\":3}},\"pass\":true}],\"place\":[{\"put\":\"f1\",\"in\":\"zon"
        "e0\"}]}";
    net =
        open_net(asked_once, "turns are asked once a round, however late the move number is then");
    if (!net_perft(net, 3, words))
        fail_msg("%s", words);
    net_free(net);
    static const char counts_attacks[] =
        "{\"format\":2,\"name\":\"invented\",\"players\":[\"p0\",\"p1\"],\"board\":{\"cells\""
        ":{\"box\":{\"x\":5,\"y\":5}},\"neighbours\":[{\"y\":1,\"symmetric\":\"mirror\"}]},\""
        "cell\":{\"coordinates_names\":[\"x\",\"y\"],\"geometry\":[[0,0],[1,0],[1,1]],\"posit"
        "ion\":{\"x\":\"x\",\"y\":\"x\"}},\"zones\":{\"zone0\":{\"each\":\"y == 4\"},\"zone1"
        "\":\"(x + 0) % 2 == 0\",\"zone2\":{\"p0\":\"x < 2\"}},\"figures\":{\"f0\":{\"movemen"
        "t\":[{\"y\":1,\"symmetric\":\"all\",\"repeat\":true,\"over\":\"any\",\"for\":\"take"
        "\",\"takes\":\"jumped\",\"promote\":[{\"to\":\"taken\",\"in\":[\"zone0\",\"zone1\"],"
        "\"if\":{\"computed\":{\"is_figure\":false}},\"stops\":true},{\"to\":\"taken\",\"in\""
        ":\"zone1\",\"optional\":true}],\"continue\":\"must\"},{\"x\":2,\"y\":1,\"repeat\":tr"
        "ue,\"over\":{},\"promote\":{\"to\":[\"f0\"],\"in\":[\"zone0\",\"zone1\"],\"when\":\""
        "turn_ends\",\"if\":{\"not\":{\"self\":{\"not\":{\"figure\":\"f0\",\"coordinates\":{"
        "\"x\":{\"min\":2}}},\"zone\":\"zone0\"}}}}},{\"x\":-1,\"y\":1,\"symmetric\":\"all\","
        "\"repeat\":true,\"over\":{\"is\":{\"y\":4},\"count\":2},\"for\":\"put\",\"put\":\"f0"
        "\"}],\"promote\":{\"to\":\"taken\",\"in\":\"zone2\",\"stops\":true}}},\"initial_posi"
        "tion\":{\"p0\":{\"f0\":[{\"x\":0,\"y\":0},{\"x\":1,\"y\":3},{\"x\":2,\"y\":0},{\"x\""
        ":3,\"y\":3},{\"x\":4,\"y\":0},{\"x\":4,\"y\":2},{\"x\":4,\"y\":4}]},\"p1\":{\"f0\":["
        "{\"x\":0,\"y\":2},{\"x\":2,\"y\":3},{\"x\":3,\"y\":1}]}},\"counters\":{\"all\":{\"ad"
        "d\":true,\"reset\":{\"attacked\":{\"figure\":\"f0\",\"player\":\"mover\"}}},\"own\":"
        "{\"per_player\":true,\"add\":true}},\"jumped_leave\":\"turn_ends\",\"stuck\":\"loss\","
        "\"turns\":[\"p0\",\"p1\"],\"place\":{\"p0\":[{\"put\":\"f0\"}],\"p1\":[{\"put\":\"f0"
        "\",\"in\":\"zone1\",\"drop\":{\"x\":-1,\"y\":1},\"if\":[{\"target\":{\"x\":2},\"self"
        "\":{\"exists\":true}},{\"line\":{\"by\":[{\"y\":1,\"symmetric\":\"mirror\"}],\"is\":"
        "{\"player\":\"mover\"},\"min\":3}}]},{\"put\":\"f0\",\"in\":\"zone2\",\"if\":{\"neig"
        "hbours\":{\"by\":[{\"y\":1,\"symmetric\":\"all\"}],\"is\":{\"empty\":true}},\"target"
        "\":{\"figure\":null,\"not\":{\"unmoved\":true}}}}]}}";
    net = open_net(counts_attacks, "a counter is reset by an attack while a turn goes on");
    uint64_t chance = 9342, plies = 0;
    const struct net_limits limits = {.plies = INVENTED_PLIES, .successors = 2, .moves = MOVES_MAX};
    for (int i = 0; i < GAMES_OF_EACH; i++)
        if (!net_play(net, &chance, &limits, &plies, words))
            fail_msg("%s", words);
    net_free(net);
}

/* --- canaries --------------------------------------------------------------------------------- */

enum { WORDS_MAX_KNOWN = 256, CANARY_GAMES = 1600, CANARY_TRIES = 100 };

struct vocabulary {
    int count;
    char words[WORDS_MAX_KNOWN][32];
    int games[WORDS_MAX_KNOWN];
};

/* Names that are no words, and words that have nothing to do with the rules or without which no file is one. */
static bool is_name(const char *word)
{
    static const char *const names[] = {"x",
                                        "y",
                                        "z",
                                        "forward",
                                        "aside",
                                        "m",
                                        "all_",
                                        "own",
                                        "lines",
                                        "leaps",
                                        "name",
                                        "format",
                                        "cell",
                                        "players",
                                        "box",
                                        "hexagon",
                                        "where",
                                        "except",
                                        "board",
                                        "cells",
                                        "coordinates_names",
                                        "geometry",
                                        "position",
                                        "figures",
                                        "movement",
                                        "round",
                                        "turns",
                                        "initial_position",
                                        "figure_",
                                        "words",
                                        "reason",
                                        "game_states",
                                        "initial_game_state",
                                        "type",
                                        "parameters",
                                        "entity",
                                        "state",
                                        "over_",
                                        "deeds",
                                        "action",
                                        "parameters"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], word) == 0)
            return true;
    if (strncmp(word, "move_", 5) == 0 || strncmp(word, "check_", 6) == 0)
        return true;
    return strchr("pf", word[0]) != NULL && word[1] >= '0' && word[1] <= '9';
}

static void learn_word(struct vocabulary *known, const char *word)
{
    for (int i = 0; i < known->count; i++)
        if (strcmp(known->words[i], word) == 0) {
            known->games[i]++;
            return;
        }
    if (known->count == WORDS_MAX_KNOWN || strlen(word) >= sizeof known->words[0])
        return;
    strcpy(known->words[known->count], word);
    known->games[known->count++] = 1;
}

/* The words of a text: keys of its objects. */
static void learn_words(struct vocabulary *known, const char *text)
{
    struct vocabulary here = {0};
    for (const char *at = strchr(text, '"'); at != NULL; at = strchr(at, '"')) {
        const char *end = strchr(++at, '"');
        char word[32];
        if (end == NULL)
            break;
        if (end[1] == ':' && (size_t)(end - at) < sizeof word) {
            memcpy(word, at, (size_t)(end - at));
            word[end - at] = '\0';
            bool zone = strncmp(word, "zone", 4) == 0 && word[4] >= '0' && word[4] <= '9';
            if (!is_name(word) && !zone && strncmp(word, "chosen", 6) != 0)
                learn_word(&here, word);
        }
        at = end + 1;
    }
    for (int i = 0; i < here.count; i++)
        learn_word(known, here.words[i]);
}

enum actor { GENERAL, FAST, REFERENCE, ACTORS };

/* Whether the net finds that one of the three does not know the word in this game. 0: no, 1: yes, -1: it cannot be tried. */
static int finds(const char *text, uint64_t seed, const char *word, enum actor who, bool without)
{
    const struct net_limits limits = {.plies = INVENTED_PLIES, .successors = 2, .moves = MOVES_MAX};
    char words[NET_WORDS_BYTES];
    uint64_t plies = 0;
    char *changed = who == REFERENCE ? NULL : modern_changed(text, word, without);
    struct net_texts texts = {.general = who == GENERAL ? changed : text,
                              .fast = who == FAST ? changed : text,
                              .reference = text,
                              .broken = who == REFERENCE ? word : NULL};
    struct net *net = net_new(&texts, words);
    int found = net == NULL ? -1 : 0;
    for (int i = 0; i < GAMES_OF_EACH && found == 0; i++)
        found = !net_play(net, &seed, &limits, &plies, words);
    if (net != NULL)
        net_free(net);
    free(changed);
    return found;
}

/* In how many games it was looked for until it was found; 0: it was not; -1: it could not be tried. */
static int tries_until_found(char *const *texts, const char *word, enum actor who)
{
    char key[64];
    int tried = 0;
    snprintf(key, sizeof key, "\"%s\":", word);
    for (int i = 0; i < CANARY_GAMES && tried < CANARY_TRIES; i++) {
        if (strstr(texts[i], key) == NULL)
            continue;
        int found = finds(texts[i], (uint64_t)i + 1, word, who, true);
        if (found <= 0 && who != REFERENCE)
            found = finds(texts[i], (uint64_t)i + 1, word, who, false);
        tried += found >= 0;
        if (found > 0)
            return tried;
    }
    return tried == 0 ? -1 : 0;
}

/* A word that one of the three does not know any more, or takes for something else, must be noticed. */
static void a_word_that_one_of_the_three_gets_wrong_is_found(void **state)
{
    (void)state;
    if (!HAS_CANARIES)
        skip();
    static const char *const names[ACTORS] = {"general", "fast", "reference"};
    struct vocabulary *known = calloc(1, sizeof *known);
    char **texts = calloc(CANARY_GAMES, sizeof *texts);
    int missed[ACTORS] = {0};
    assert_non_null(known);
    assert_non_null(texts);
    for (int i = 0; i < CANARY_GAMES; i++) {
        texts[i] = modern_invent((uint64_t)i + 1);
        learn_words(known, texts[i]);
    }
    for (int who = 0; who < ACTORS; who++)
        for (int i = 0; i < known->count; i++) {
            int tries = tries_until_found(texts, known->words[i], (enum actor)who);
            if (tries <= 0)
                print_message("%s without `%s` (in %d of %d games): %s\n", names[who],
                              known->words[i], known->games[i], CANARY_GAMES,
                              tries == 0 ? "not found" : "no file is one without it");
            missed[who] += tries == 0;
        }
    print_message("%d words; missed: general %d, fast %d, reference %d\n", known->count,
                  missed[GENERAL], missed[FAST], missed[REFERENCE]);
    for (int i = 0; i < CANARY_GAMES; i++)
        free(texts[i]);
    free(texts);
    free(known);
    assert_int_equal(missed[GENERAL] + missed[FAST] + missed[REFERENCE], 0);
}

/* `modern_net_test GAMES [SEED]` plays so many invented games from this seed on, and says where the three disagree. */
int main(int argument_count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_games_are_played_as_the_reference_says),
        cmocka_unit_test(shipped_games_have_the_leaves_the_reference_counts),
        cmocka_unit_test(invented_games_are_played_as_the_reference_says),
        cmocka_unit_test(games_that_once_differed_are_counted_alike),
        cmocka_unit_test(a_word_that_one_of_the_three_gets_wrong_is_found),
    };
    if (argument_count > 1 && arguments[1][0] >= '0' && arguments[1][0] <= '9')
        return !play_from(argument_count > 2 ? strtoull(arguments[2], NULL, 10) : 1,
                          strtoull(arguments[1], NULL, 10), &(struct tally){0});
    if (argument_count > 1)
        cmocka_set_test_filter(arguments[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
