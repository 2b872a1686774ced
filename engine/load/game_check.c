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
    char trouble[GAME_TEST_WORDS_BYTES]; /* why there is none for so many */
};

/* Where results become errors. */
struct complaints {
    struct document document;
    struct diagnostics *diagnostics;
};

static void complain(void *context, const struct game_check_result *result)
{
    struct complaints *complaints = context;
    if (result->passed)
        return;
    struct node root = document_root(&complaints->document), tests = node_member(&root, "tests");
    struct node test = node_element(&tests, (size_t)result->number);
    struct location location = document_locate(&complaints->document, &test, NODE_VALUE);
    char sentence[2 * DIAGNOSTIC_TEXT_BYTES], pointer[DIAGNOSTIC_POINTER_BYTES];
    node_pointer(&test, pointer, sizeof pointer);
    snprintf(sentence, sizeof sentence, "test `%s` %s", text_quote(result->name).text,
             result->words);
    diagnostics_add_at(complaints->diagnostics, DIAGNOSTIC_ERROR, location.line, location.column,
                       pointer, sentence, "");
}

static void load_smaller(struct check *check, int players)
{
    struct diagnostics diagnostics;
    struct load_options options = {.player_count = players};
    diagnostics_init(&diagnostics);
    game_release(check->smaller);
    check->smaller_players = players;
    check->smaller = game_load(check->text, check->length, &options, &diagnostics);
    if (check->smaller == NULL)
        snprintf(check->trouble, sizeof check->trouble, "cannot be run for so many players: %s",
                 diagnostics.count > 0 ? diagnostics.list[0].message : "the game does not load");
    diagnostics_release(&diagnostics);
}

/* The game a test is for; NULL when there is none. */
static const struct game *find_game(struct check *check, int players)
{
    if (players == 0)
        return check->whole;
    if (players != check->smaller_players)
        load_smaller(check, players);
    return check->smaller;
}

static bool run_test(struct check *check, const struct game_test *test,
                     char words[GAME_TEST_WORDS_BYTES])
{
    const struct game *game = find_game(check, test->players);
    if (game == NULL) {
        snprintf(words, GAME_TEST_WORDS_BYTES, "%s", check->trouble);
        return false;
    }
    char why[GAME_TEST_WORDS_BYTES];
    if (game_test_run(game, game_test_numbered(game, test->number), why))
        return true;
    snprintf(words, GAME_TEST_WORDS_BYTES, "fails: %.*s", GAME_TEST_WORDS_BYTES - 8, why);
    return false;
}

void game_check_tell(const char *text, size_t length, const struct game *game,
                     void (*tell)(void *context, const struct game_check_result *result),
                     void *context)
{
    struct check check = {.text = text, .length = length, .whole = game};
    int count = 0;
    const struct game_test *tests = game_tests(game, &count);
    for (int i = 0; i < count; i++) {
        char words[GAME_TEST_WORDS_BYTES] = "";
        bool passed = run_test(&check, &tests[i], words);
        tell(context, &(struct game_check_result){tests[i].name, tests[i].number, passed, words});
    }
    game_release(check.smaller);
}

int game_check_tests(const char *text, size_t length, const struct game *game,
                     struct diagnostics *diagnostics)
{
    struct complaints complaints = {.diagnostics = diagnostics};
    int count = 0;
    game_tests(game, &count);
    if (count == 0 || !document_open(&complaints.document, text, length, diagnostics))
        return 0;
    game_check_tell(text, length, game, complain, &complaints);
    document_close(&complaints.document);
    diagnostics_sort(diagnostics);
    return count;
}
