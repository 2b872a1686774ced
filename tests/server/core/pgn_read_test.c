/* PGN read into records: what the scanner makes of a text, and the bounds. The games themselves, and every refusal's
 * words, are tested from outside (tests/end_to_end/history.test.mjs, tests/oracles/games.test.mjs). */
#include "engine/work.h"
#include "protocol/record.h"
#include "server/core/pgn.h"
#include "server/core/pgn_clock.h"
#include "server/core/pgn_read.h"
#include "server/core/replay.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 256 * 1024 };

static const char mate[] =
    "[Event \"a \\\"quoted\\\" \\\\ tag\"]\n\n1. e4! {(} $1 1... e5 (1... c5 2. Nf3 (2. Nc3 {)} "
    "d6) ; )\n)"
    " 2. Bc4 2... Nc6?! $6 3. Qh5 ?! Nf6?? ; why\n% 4. a4\n4. Qxf7# 1-0 {mate}\n";

static void words_are_told_from_what_is_read_over(void **state)
{
    (void)state;
    static const struct {
        enum pgn_token_kind kind;
        int line;
        const char *value;
    } expected[] = {
        {PGN_TAG, 1, "a \"quoted\" \\ tag"},
        {PGN_WORD, 3, "e4!"},
        {PGN_COMMENT, 3, "("},
        {PGN_WORD, 3, "e5"},
        {PGN_WORD, 4, "Bc4"},
        {PGN_WORD, 4, "Nc6?!"},
        {PGN_WORD, 4, "Qh5"},
        {PGN_WORD, 4, "Nf6??"},
        {PGN_COMMENT, 4, " why"},
        {PGN_WORD, 6, "Qxf7#"},
        {PGN_WORD, 6, "1-0"},
        {PGN_COMMENT, 6, "mate"},
        {PGN_END, 7, ""},
        {PGN_END, 7, ""},
    };
    struct pgn_scan scan;
    struct pgn_token token;
    pgn_scan_init(&scan, mate, strlen(mate));
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(pgn_scan_next(&scan, &token), expected[i].kind);
        assert_string_equal(token.value, expected[i].value);
        assert_int_equal(token.line, expected[i].line);
    }
}

static void every_beginning_of_a_text_is_read_or_refused_with_a_place(void **state)
{
    (void)state;
    for (size_t length = 0; length <= strlen(mate); length++) {
        struct pgn_scan scan;
        struct pgn_token token;
        char *text = malloc(length + 1); /* so that a sanitizer sees a byte too far */
        assert_non_null(text);
        memcpy(text, mate, length);
        pgn_scan_init(&scan, text, length);
        while (pgn_scan_next(&scan, &token) != PGN_END) {
            if (token.kind != PGN_WRONG)
                continue;
            assert_non_null(strstr(scan.words, "line "));
            assert_int_equal(pgn_scan_next(&scan, &token), PGN_END);
            break;
        }
        free(text);
    }
}

static void a_record_and_other_json_is_not_taken_for_pgn(void **state)
{
    (void)state;
    static const char *const others[] = {"",   "{}", "[]", "[1]", "[true]",
                                         "[[", "12", "1",  "[",   " "};
    static const char *const texts[] = {"[Event \"x\"]",  "1.e4", "\xef\xbb\xbf\r\n[ White",
                                        " 1. d4",         "*",    "% a line\n1. d4",
                                        "; a line\n1. d4"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(pgn_is(others[i], strlen(others[i])));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_true(pgn_is(texts[i], strlen(texts[i])));
}

/* --- with chess ------------------------------------------------------------------------------- */

struct chess {
    char definition[FILE_BYTES_MAX];
    struct pgn_source source;
    char words[PGN_WORDS_BYTES];
    size_t length;
};

static int load_chess(void **state)
{
    struct chess *chess = calloc(1, sizeof *chess);
    FILE *file = fopen(SENET_SOURCE_DIR "/games/chess.json", "rb");
    assert_non_null(chess);
    assert_non_null(file);
    size_t length = fread(chess->definition, 1, sizeof chess->definition, file);
    fclose(file);
    chess->source =
        (struct pgn_source){.id = {"chess", 5}, .definition = {chess->definition, length}};
    *state = chess;
    return 0;
}

static int free_chess(void **state)
{
    free(*state);
    return 0;
}

static char *read(struct chess *chess, const char *text)
{
    return pgn_read(text, strlen(text), &chess->source, &chess->length, chess->words);
}

static void the_record_names_the_game_and_what_happened(void **state)
{
    struct chess *chess = *state;
    struct record record;
    char *text = read(chess, mate), words[RECORD_WORDS_BYTES];
    assert_non_null(text);
    assert_string_equal(chess->words, "");
    assert_true(record_read(text, chess->length, &record, words));
    assert_int_equal(record.event_count, 10); /* created, two joined, seven moves */
    assert_memory_equal(record.game.data, "chess", record.game.length);
    assert_int_equal(record.definition.length, chess->source.definition.length);
    record_release(&record);
    free(text);
}

/* --- time ------------------------------------------------------------------------------------- */

static void time_is_written_and_read_in_pgns_words(void **state)
{
    (void)state;
    static const struct {
        struct time_budget budget;
        const char *text;
    } rows[] = {
        {{.initial_ms = 300000}, "300"},
        {{.initial_ms = 300000, .increment_ms = 3000}, "300+3"},
        {{.initial_ms = 500, .increment_ms = 20}, "0.5+0.02"},
        {{.periods = 1, .period_ms = 259200000}, "1/259200"},
        {{.initial_ms = 2592000000}, "2592000"},
        {{.initial_ms = 300000, .delay_ms = 5000}, "?"},
        {{.initial_ms = 300000, .delay_ms = 5000, .bronstein = true}, "?"},
        {{.initial_ms = 600000, .periods = 3, .period_ms = 30000}, "?"},
    };
    struct time_control control = {.is_set = false};
    char text[PGN_TIME_BYTES];
    pgn_clock_write_control(&control, text);
    assert_string_equal(text, "-");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        control = (struct time_control){.is_set = true, .all = rows[i].budget};
        pgn_clock_write_control(&control, text);
        assert_string_equal(text, rows[i].text);
        assert_int_equal(pgn_clock_read_control(text, &control), text[0] != '?');
        assert_true(!control.is_set || time_budget_equal(&control.all, &rows[i].budget));
    }
    control = (struct time_control){.is_set = true, .all = rows[0].budget, .own_count = 1};
    control.own[0].budget.initial_ms = 1;
    pgn_clock_write_control(&control, text);
    assert_string_equal(text, "?");
    static const char *const none[] = {"",
                                       "-",
                                       "?",
                                       "0",
                                       "40/9000",
                                       "40/7200:3600",
                                       "*180",
                                       "1/",
                                       "+3",
                                       "300+",
                                       "300+3x",
                                       "2592001",
                                       "1/0",
                                       "-300",
                                       "300 ",
                                       "1e3",
                                       "9999999999999999999999",
                                       "300++3"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(pgn_clock_read_control(none[i], &control) || control.is_set);
}

static void clocks_are_written_and_read(void **state)
{
    (void)state;
    static const uint32_t times[] = {0,      1,         10,        100,        999,
                                     1000,   59999,     60000,     3599999,    3600000,
                                     297123, 359999000, 360000000, TIME_MS_MAX};
    char text[PGN_TIME_BYTES], comment[PGN_TIME_BYTES + 32];
    uint32_t left_ms;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        pgn_clock_write(times[i], text);
        snprintf(comment, sizeof comment, " [%%eval 0.1] [%%clk %s ] why", text);
        assert_true(pgn_clock_read(comment, &left_ms));
        assert_int_equal(left_ms, times[i]);
    }
    pgn_clock_write(297500, text);
    assert_string_equal(text, "0:04:57.5");
    static const char *const none[] = {"",
                                       "[%clk",
                                       "[%clk ]",
                                       "[%clk 5]",
                                       "[%clk 0:05]",
                                       "[%clk 0:05:]",
                                       "[%clk 0:05:00",
                                       "[%clk -1:05:00]",
                                       "[%clk 0:05:00x]",
                                       "[%clk 721:00:00]",
                                       "[%clk 999999999999:00:00]",
                                       "[%emt 0:05:00]"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(pgn_clock_read(none[i], &left_ms));
}

static char *write_again(struct chess *chess, const char *text)
{
    struct replay replay = {.bases = NULL};
    size_t length;
    char *record = read(chess, text);
    assert_string_equal(chess->words, "");
    assert_true(replay_run(&replay, record, chess->length, NULL, NULL));
    char *again = pgn_write(&replay, &length);
    replay_release(&replay);
    free(record);
    return again;
}

/* As lichess tells a game, and as it is told here: once more it is the same, to the byte. */
static void a_game_with_clocks_comes_in_and_goes_out(void **state)
{
    struct chess *chess = *state;
    char *once = write_again(
        chess,
        "[White \"Ada\"]\n[Black \"Bob\"]\n[Date \"2024.02.29\"]\n[Result \"0-1\"]\n"
        "[TimeControl \"180+2\"]\n[Termination \"Time forfeit\"]\n\n"
        "1. e4 { [%eval 0.17] [%clk 0:03:00] } 1... e5 { [%clk 0:03:00] } "
        "2. Nf3 $1 (2. f4 {[%clk 0:00:01]}) { [%clk 0:02:59] } 2... Nc6 {why} {[%clk 0:00:02.5]}"
        " 3. Bc4 {[%clk 0:00:01.9]} 3... Nf6 4. d3 {[%clk 9:59:59]} Bc5 0-1");
    assert_non_null(strstr(once, "\n[TimeControl \"180+2\"]\n[Termination \"time forfeit\"]\n"));
    assert_non_null(strstr(once,
                           "\n1. e4 {[%clk 0:03:00]} e5 {[%clk 0:03:00]} 2. Nf3 {[%clk 0:02:59]} "
                           "Nc6 {[%clk\n0:00:02.5]} 3. Bc4 {[%clk 0:00:02]} Nf6 {[%clk "
                           "0:00:04.5]} 4. d3 {[%clk\n0:00:04]} Bc5 {[%clk 0:00:06.5]} {time} "
                           "0-1\n"));
    char *twice = write_again(chess, once);
    char *of_now = strstr(once, "[White "), *of_then = strstr(twice, "[White ");
    assert_string_equal(of_then, of_now);
    free(once);
    free(twice);
}

/* The winner is to move: it was no flag that fell. */
static void who_was_not_to_move_has_not_lost_on_time(void **state)
{
    struct chess *chess = *state;
    char *text = write_again(chess, "[TimeControl \"60\"]\n[Termination \"time forfeit\"]\n\n"
                                    "1. e4 e5 2. Nf3 Nc6 0-1");
    assert_non_null(strstr(text, "{time} 0-1"));
    free(text);
    text = write_again(chess, "[TimeControl \"60\"]\n[Termination \"time forfeit\"]\n\n"
                              "1. e4 e5 2. Nf3 Nc6 1-0");
    assert_non_null(strstr(text, "{resignation} 1-0"));
    free(text);
    text = write_again(chess, "[TimeControl \"-\"]\n\n1. e4 {[%clk 0:01:00]} e5 1-0");
    assert_null(strstr(text, "TimeControl"));
    assert_null(strstr(text, "%clk"));
    free(text);
}

static void a_text_that_takes_too_long_is_refused(void **state)
{
    struct chess *chess = *state;
    struct work_stretch stretch = work_begin(100);
    assert_null(read(chess, mate));
    assert_false(work_end(&stretch));
    assert_non_null(strstr(chess->words, "this game takes too long to be read"));
}

static void what_is_no_game_is_refused(void **state)
{
    struct chess *chess = *state;
    struct pgn_source source = chess->source;
    chess->source.definition = (struct text){"{}", 2};
    assert_null(read(chess, mate));
    assert_non_null(strstr(chess->words, "does not say how its games are written in PGN"));
    chess->source = source;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_told_from_what_is_read_over),
        cmocka_unit_test(every_beginning_of_a_text_is_read_or_refused_with_a_place),
        cmocka_unit_test(a_record_and_other_json_is_not_taken_for_pgn),
        cmocka_unit_test(the_record_names_the_game_and_what_happened),
        cmocka_unit_test(time_is_written_and_read_in_pgns_words),
        cmocka_unit_test(clocks_are_written_and_read),
        cmocka_unit_test(a_game_with_clocks_comes_in_and_goes_out),
        cmocka_unit_test(who_was_not_to_move_has_not_lost_on_time),
        cmocka_unit_test(a_text_that_takes_too_long_is_refused),
        cmocka_unit_test(what_is_no_game_is_refused),
    };
    return cmocka_run_group_tests(tests, load_chess, free_chess);
}
