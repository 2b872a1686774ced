/* PGN read into records: what the scanner makes of a text, and the bounds. The games themselves, and every refusal's
 * words, are tested from outside (tests/end_to_end/history.test.mjs, tests/oracles/games.test.mjs). */
#include "engine/work.h"
#include "protocol/record.h"
#include "server/core/pgn_read.h"
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
        cmocka_unit_test(a_text_that_takes_too_long_is_refused),
        cmocka_unit_test(what_is_no_game_is_refused),
    };
    return cmocka_run_group_tests(tests, load_chess, free_chess);
}
