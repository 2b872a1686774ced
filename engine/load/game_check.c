#include "engine/load/game_check.h"

#include "engine/game_tests.h"
#include "engine/load/document.h"
#include "engine/load/text.h"

#include <assert.h>
#include <stdio.h>

struct check {
    const char *text;
    size_t length;
    const struct game *whole; /* the game for all players */
    struct game *smaller;     /* the one for fewer that was asked for last; NULL: none */
    int smaller_players;
    struct document document;
    struct diagnostics *diagnostics;
};

static void report(struct check *check, int number, const char *message, const char *words)
{
    struct node root = document_root(&check->document), tests = node_member(&root, "tests");
    struct node test = node_element(&tests, (size_t)number), name = node_member(&test, "name");
    struct location location = document_locate(&check->document, &test, NODE_VALUE);
    char sentence[2 * DIAGNOSTIC_TEXT_BYTES], pointer[DIAGNOSTIC_POINTER_BYTES];
    node_pointer(&test, pointer, sizeof pointer);
    snprintf(sentence, sizeof sentence, "test `%s` %s: %s", text_quote(node_string(&name)).text,
             message, words);
    diagnostics_add_at(check->diagnostics, DIAGNOSTIC_ERROR, location.line, location.column,
                       pointer, sentence, "");
}

/* The game a test is for; NULL after saying why there is none. */
static const struct game *find_game(struct check *check, int number, int players)
{
    if (players == 0)
        return check->whole;
    if (players == check->smaller_players)
        return check->smaller;
    struct diagnostics diagnostics;
    struct load_options options = {.player_count = players};
    diagnostics_init(&diagnostics);
    game_release(check->smaller);
    check->smaller_players = players;
    check->smaller = game_load(check->text, check->length, &options, &diagnostics);
    if (check->smaller == NULL)
        report(check, number, "cannot be run for so many players",
               diagnostics.count > 0 ? diagnostics.list[0].message : "the game does not load");
    diagnostics_release(&diagnostics);
    return check->smaller;
}

/* Games for different numbers of players have different tests; their numbers are the file's. */
static int find_test(const struct game *game, int number)
{
    for (int i = 0; i < game_test_count(game); i++)
        if (game_test_number(game, i) == number)
            return i;
    return -1;
}

static void run_test(struct check *check, int test)
{
    int number = game_test_number(check->whole, test);
    const struct game *game = find_game(check, number, game_test_players(check->whole, test));
    char words[GAME_TEST_WORDS_BYTES];
    if (game == NULL)
        return;
    int there = find_test(game, number);
    assert(there >= 0);
    if (!game_test_run(game, there, words))
        report(check, number, "fails", words);
}

int game_check_tests(const char *text, size_t length, const struct game *game,
                     struct diagnostics *diagnostics)
{
    struct check check = {
        .text = text, .length = length, .whole = game, .diagnostics = diagnostics};
    int count = game_test_count(game);
    if (count == 0 || !document_open(&check.document, text, length, diagnostics))
        return 0;
    for (int i = 0; i < count; i++)
        run_test(&check, i);
    game_release(check.smaller);
    document_close(&check.document);
    diagnostics_sort(diagnostics);
    return count;
}
