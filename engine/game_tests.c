#include "engine/game_tests.h"

#include "engine/explain.h"
#include "engine/memory/memory.h"
#include "engine/notation.h"
#include "engine/notation/tables.h"
#include "engine/tables.h"
#include "engine/work.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Some seconds: leaves are counted by tests. */
#define TEST_WORK_MAX (UINT64_C(4000) * WORK_ANSWER_MAX)

/* A test being run. */
struct run {
    const struct game *game;
    const struct game_test *test;
    struct notation *notation;
    struct position *position;
    char *words;
    char reason[NOTATION_WORDS_BYTES]; /* why a text could not be read */
};

const struct game_test *game_tests(const struct game *game, int *count)
{
    *count = game->notation->test_count;
    return game->notation->tests;
}

const struct game_test *game_test_numbered(const struct game *game, int number)
{
    for (int i = 0; i < game->notation->test_count; i++)
        if (game->notation->tests[i].number == number)
            return &game->notation->tests[i];
    return NULL;
}

/* False, for the caller to return. */
static bool fail(struct run *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->words, GAME_TEST_WORDS_BYTES, format, arguments);
    va_end(arguments);
    return false;
}

void game_tests_describe(const struct game *game, struct outcome outcome, char *words, size_t size)
{
    if (outcome.kind == OUTCOME_PLAYING)
        snprintf(words, size, "the game goes on");
    else if (outcome.kind == OUTCOME_DRAWN)
        snprintf(words, size, "it is a draw: %s", outcome.reason);
    else
        snprintf(words, size, "%s has %s: %s",
                 game->player_names[outcome.kind == OUTCOME_WON ? outcome.winner : outcome.loser],
                 outcome.kind == OUTCOME_WON ? "won" : "lost", outcome.reason);
}

/* Behind what has failed where a move was expected: that there is none may be because the game has ended. */
static bool tell_end(struct run *run)
{
    size_t used = strlen(run->words);
    struct outcome outcome = position_outcome(run->position);
    char words[NOTATION_WORDS_BYTES];
    game_tests_describe(run->game, outcome, words, sizeof words);
    if (outcome.kind != OUTCOME_PLAYING)
        snprintf(run->words + used, GAME_TEST_WORDS_BYTES - used, "; the game is over here: %s",
                 words);
    return false;
}

/* --- the way to the position ------------------------------------------------------------------ */

static bool set_up(struct run *run)
{
    const struct game_test *test = run->test;
    if (test->position != NULL &&
        !notation_read_position(run->notation, run->position, test->position, run->reason))
        return fail(run, "the position cannot be read: %s", run->reason);
    for (int i = 0; i < test->move_count; i++) {
        struct move move;
        if (!notation_read_move(run->notation, run->position, test->moves[i], &move, run->reason))
            return fail(run, "move %d: %s", i + 1, run->reason) || tell_end(run);
        position_make(run->position, move, NULL);
    }
    return true;
}

/* --- moves ------------------------------------------------------------------------------------ */

static bool count_is_right(struct run *run)
{
    if (run->test->count < 0)
        return true;
    uint64_t count = movegen_count(run->position);
    return count == (uint64_t)run->test->count ||
           fail(run, "there are %" PRIu64 " legal moves, not %d", count, run->test->count) ||
           tell_end(run);
}

/* Depth by depth, so that a number that is wrong is found before the next depth takes long. */
static bool leaves_are_right(struct run *run)
{
    for (int depth = 1; depth <= GAME_TEST_DEPTH_MAX; depth++) {
        int expected = run->test->perft[depth - 1];
        uint64_t nodes = expected >= 0 ? perft(run->position, depth) : 0;
        if (expected >= 0 && nodes != (uint64_t)expected)
            return fail(run, "perft to depth %d is %" PRIu64 ", not %d", depth, nodes, expected);
    }
    return true;
}

static bool legal_ones_are_legal(struct run *run)
{
    struct move move;
    for (int i = 0; i < run->test->legal_count; i++)
        if (!notation_read_move(run->notation, run->position, run->test->legal[i], &move,
                                run->reason))
            return fail(run, "%s, but should be legal", run->reason) || tell_end(run);
    return true;
}

/* Whether a text could be a move somewhere, so that a slip of the pen does not pass for an illegal move. */
static bool looks_like_a_move(const struct game *game, const char *text)
{
    for (int i = 0; i < game->cell_count; i++)
        if (strstr(text, game->cells[i].name) != NULL)
            return true;
    for (int i = 0; i < game->combined_count; i++) {
        const char *name = game->combined[i].notation;
        if (name != NULL && notation_behind(text, name) != NULL)
            return true;
    }
    return false;
}

static bool is_illegal(struct run *run, const struct illegal_text *illegal)
{
    struct move move;
    if (notation_read_move(run->notation, run->position, illegal->move, &move, run->reason))
        return fail(run, "`%s` is legal, but should not be", illegal->move);
    bool parsed = notation_parse_move(run->notation, run->position, illegal->move, &move);
    if (!parsed && !looks_like_a_move(run->game, illegal->move))
        return fail(run, "`%s` is the text of no move", illegal->move);
    if (illegal->because == NULL)
        return true;
    if (!parsed)
        return fail(run, "why `%s` is illegal can be asked only by the names of two cells",
                    illegal->move);
    struct explanation explanation;
    position_explain(run->position, move.from, move.to, move.choice, &explanation);
    return strstr(explanation.words, illegal->because) != NULL ||
           fail(run, "`%s` is illegal for another reason: %s", illegal->move, explanation.words);
}

static bool illegal_ones_are_illegal(struct run *run)
{
    for (int i = 0; i < run->test->illegal_count; i++)
        if (!is_illegal(run, &run->test->illegal[i]))
            return false;
    return true;
}

/* --- how it stands ---------------------------------------------------------------------------- */

static bool is_expected(const struct game_test *test, struct outcome outcome)
{
    return (int)outcome.kind == test->result &&
           (outcome.kind != OUTCOME_WON || outcome.winner == test->who) &&
           (outcome.kind != OUTCOME_LOST || outcome.loser == test->who) &&
           (test->reason == NULL || strcmp(test->reason, outcome.reason) == 0);
}

static bool result_is_right(struct run *run)
{
    if (run->test->result < 0)
        return true;
    char words[NOTATION_WORDS_BYTES];
    struct outcome outcome = position_outcome(run->position);
    game_tests_describe(run->game, outcome, words, sizeof words);
    return is_expected(run->test, outcome) || fail(run, "another result: %s", words);
}

/* How the game ends if somebody asks for it: by this reason, or "", not at all; `expected` NULL: that is not asked. */
static bool end_is_right(struct run *run, const char *expected,
                         struct outcome (*ask)(struct position *position), const char *another,
                         const char *none)
{
    if (expected == NULL)
        return true;
    struct outcome end = ask(run->position);
    const char *reason = end.kind == OUTCOME_PLAYING ? "" : end.reason;
    return strcmp(reason, expected) == 0 || fail(run, reason[0] != '\0' ? another : none, reason);
}

static bool text_is_right(struct run *run)
{
    if (run->test->after == NULL)
        return true;
    char *text = memory_bytes(NOTATION_POSITION_BYTES);
    bool written = notation_write_position(run->notation, run->position, text);
    bool right = written && strcmp(text, run->test->after) == 0;
    if (!right)
        fail(run, "the position is `%s`", written ? text : "without a text");
    free(text);
    return right;
}

bool game_test_run(const struct game *game, const struct game_test *test,
                   // NOLINTNEXTLINE(readability-non-const-parameter): written through `run`
                   char words[GAME_TEST_WORDS_BYTES])
{
    struct run run = {.game = game,
                      .test = test,
                      .notation = notation_new(game),
                      .position = position_new(game),
                      .words = words};
    struct work_stretch stretch = work_begin(TEST_WORK_MAX);
    bool right =
        set_up(&run) && count_is_right(&run) && legal_ones_are_legal(&run) &&
        illegal_ones_are_illegal(&run) && result_is_right(&run) &&
        end_is_right(&run, test->claim, position_claim, "`%s` may be claimed",
                     "nothing may be claimed") &&
        end_is_right(&run, test->flag, position_flag, "whose time is over ends the game by `%s`",
                     "whose time is over has lost") &&
        text_is_right(&run) && leaves_are_right(&run);
    if (!work_end(&stretch))
        right = fail(&run, "it takes too much work to try");
    notation_free(run.notation);
    position_free(run.position);
    return right;
}
