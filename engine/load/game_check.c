#include "engine/load/game_check.h"

#include "engine/load/document.h"
#include "engine/load/text.h"

#include <stdio.h>

struct check {
    const char *text;
    size_t length;
    struct game *smaller; /* the game for fewer players that was asked for last; NULL: none */
    int smaller_players;
    char trouble[GAME_TEST_WORDS_BYTES]; /* why there is none for so many */
};

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
                 diagnostics_first_error(&diagnostics) != NULL
                     ? diagnostics_first_error(&diagnostics)->message
                     : "the game does not load");
    diagnostics_release(&diagnostics);
}

static void run_test(struct check *check, const struct game *game, const struct game_test *test,
                     char words[GAME_TEST_WORDS_BYTES])
{
    char why[GAME_TEST_WORDS_BYTES];
    if (test->players != 0 && test->players != check->smaller_players)
        load_smaller(check, test->players);
    game = test->players != 0 ? check->smaller : game;
    if (game == NULL)
        snprintf(words, GAME_TEST_WORDS_BYTES, "%s", check->trouble);
    else if (!game_test_run(game, game_test_numbered(game, test->number), why))
        snprintf(words, GAME_TEST_WORDS_BYTES, "fails: %.*s", GAME_TEST_WORDS_BYTES - 8, why);
}

void game_check_tell(const char *text, size_t length, const struct game *game,
                     game_check_listener *tell, void *context)
{
    struct check check = {.text = text, .length = length};
    int count = 0;
    const struct game_test *tests = game_tests(game, &count);
    for (int i = 0; i < count; i++) {
        char words[GAME_TEST_WORDS_BYTES] = "";
        run_test(&check, game, &tests[i], words);
        tell(context, &tests[i], words);
    }
    game_release(check.smaller);
}

/* What fails becomes an error. */
static void complain(void *diagnostics, const struct game_test *test, const char *words)
{
    char pointer[32];
    if (words[0] == '\0')
        return;
    snprintf(pointer, sizeof pointer, "/tests/%d", test->number);
    diagnostics_add(diagnostics, (struct finding){.pointer = pointer}, "", "test `%s` %s",
                    text_quote(test->name).text, words);
}

int game_check_tests(const char *text, size_t length, const struct game *game,
                     struct diagnostics *diagnostics)
{
    int count = 0, errors_before = diagnostics->error_count;
    game_tests(game, &count);
    game_check_tell(text, length, game, complain, diagnostics);
    if (diagnostics->error_count != errors_before)
        document_locate(text, length, true, diagnostics);
    diagnostics_sort(diagnostics);
    return count;
}

void game_check_start(const struct game *game, struct diagnostics *diagnostics)
{
    struct position *position = position_new(game);
    struct outcome outcome = position_outcome(position);
    if (outcome.kind != OUTCOME_PLAYING) {
        char words[DIAGNOSTIC_TEXT_BYTES];
        game_tests_describe(game, outcome, words, sizeof words);
        diagnostics_add(diagnostics, (struct finding){.severity = DIAGNOSTIC_WARNING},
                        "look at who can move in the start position, and at what `results` ask",
                        "the game is over as it begins: %s", words);
    }
    position_free(position);
}
