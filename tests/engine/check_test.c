/* `senet check`: what it prints, and with which status it ends. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/cli/check.h"

/* Where the output of the command goes meanwhile. */
struct capture {
    FILE *file;
    int stream, saved;
};

static struct capture capture_start(FILE *stream)
{
    struct capture capture = {.file = tmpfile(), .stream = fileno(stream)};
    assert_non_null(capture.file);
    fflush(stream);
    capture.saved = dup(capture.stream);
    assert_true(dup2(fileno(capture.file), capture.stream) >= 0);
    return capture;
}

static void capture_end(struct capture *capture, FILE *stream, char *text, size_t size)
{
    fflush(stream);
    dup2(capture->saved, capture->stream);
    close(capture->saved);
    rewind(capture->file);
    text[fread(text, 1, size - 1, capture->file)] = '\0';
    fclose(capture->file);
}

struct answer {
    int status;
    char output[8192], errors[8192];
};

static void check(struct answer *answer, int argc, const char **argv)
{
    struct capture output = capture_start(stdout);
    struct capture errors = capture_start(stderr);
    answer->status = cli_check(argc, (char **)(uintptr_t)argv);
    capture_end(&errors, stderr, answer->errors, sizeof answer->errors);
    capture_end(&output, stdout, answer->output, sizeof answer->output);
}

static const char sound[] = "tests/engine/broken/sound.json";
static char broken[] = "/tmp/senet-check-XXXXXX";

static int write_broken(void **state)
{
    (void)state;
    int file = mkstemp(broken);
    static const char text[] = "{\"name\": \"tiny\",\n \"fgures\": {}}";
    bool written = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    close(file);
    return written ? 0 : -1;
}

static int remove_broken(void **state)
{
    (void)state;
    return unlink(broken);
}

static void a_sound_game_is_summed_up_in_a_line(void **state)
{
    (void)state;
    struct answer answer;
    check(&answer, 2, (const char *[]){"check", sound});
    assert_int_equal(answer.status, 0);
    assert_string_equal(answer.errors, "");
    assert_string_equal(answer.output, "tests/engine/broken/sound.json: hop: 9 cells, 2 figures, "
                                       "2 players, 8 states\n");
}

static void errors_are_printed_as_a_compiler_prints_them(void **state)
{
    (void)state;
    struct answer answer;
    char expected[512];
    check(&answer, 3, (const char *[]){"check", broken, sound});
    assert_int_equal(answer.status, 1);
    snprintf(
        expected, sizeof expected,
        "%s:2:2: error: unknown key `fgures` (at /fgures)\n    hint: did you mean `figures`?\n",
        broken);
    assert_non_null(strstr(answer.errors, expected));
    snprintf(expected, sizeof expected, "%s:1:1: error: `board` is missing\n", broken);
    assert_non_null(strstr(answer.errors, expected));
    /* and the sound one is checked all the same */
    assert_non_null(strstr(answer.output, "hop: 9 cells"));
}

static void programs_get_json(void **state)
{
    (void)state;
    struct answer answer;
    check(&answer, 3, (const char *[]){"check", "--json", broken});
    assert_int_equal(answer.status, 1);
    assert_string_equal(answer.errors, "");
    assert_non_null(strstr(answer.output, "\"line\": 2,\n    \"column\": 2,\n    \"pointer\": "
                                          "\"/fgures\",\n    \"message\": \"unknown key "
                                          "`fgures`\",\n    \"hint\": \"did you mean "
                                          "`figures`?\"\n"));
    check(&answer, 3, (const char *[]){"check", "--json", sound});
    assert_int_equal(answer.status, 0);
    assert_string_equal(answer.output, "[]\n");
}

static void a_file_that_cannot_be_read_is_another_status(void **state)
{
    (void)state;
    struct answer answer;
    check(&answer, 3, (const char *[]){"check", "/nowhere/at/all", sound});
    assert_int_equal(answer.status, 2);
    assert_string_equal(answer.errors, "/nowhere/at/all: No such file or directory\n");
    assert_non_null(strstr(answer.output, "hop"));
    check(&answer, 3, (const char *[]){"check", "--json", "/nowhere/at/all"});
    assert_int_equal(answer.status, 2);
    assert_non_null(strstr(answer.output, "No such file"));
}

/* A game of format 2 with tests: on one line of three cells a stone steps to the next. */
static const char tested[] =
    "{\"format\": 2, \"name\": \"line\", \"players\": [\"a\", \"b\"],\n"
    " \"cell\": {\"coordinates_names\": [\"x\"], \"name\": \"'abc'[x]\", \"geometry\": [[0, 0], "
    "[1, 0], [0, 1]],\n"
    "  \"position\": {\"x\": \"x\", \"y\": 0}}, \"board\": {\"cells\": {\"box\": {\"x\": 3}}},\n"
    " \"figures\": {\"stone\": {\"movement\": [{\"x\": 1, \"for\": \"move\"}]}},\n"
    " \"initial_position\": {\"a\": {\"stone\": [\"a\"]}}, \"turns\": [\"a\", \"b\"], \"pass\": "
    "\"when_stuck\",\n"
    " \"tests\": [\n"
    "  {\"name\": \"it steps\", \"moves\": [\"a-b\"], \"illegal\": [\"a-b\"]},\n"
    "  %s]}\n";

static void check_text(struct answer *answer, const char *option, const char *text)
{
    char path[] = "/tmp/senet-check-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    if (option != NULL)
        check(answer, 3, (const char *[]){"check", option, path});
    else
        check(answer, 2, (const char *[]){"check", path});
    unlink(path);
}

static void check_with_test(struct answer *answer, const char *option, const char *test)
{
    char text[2048];
    // NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): the text above, with one place in it
    snprintf(text, sizeof text, tested, test);
    check_text(answer, option, text);
}

static void a_file_is_held_to_its_own_tests(void **state)
{
    (void)state;
    static const struct {
        const char *test, *finding;
    } rows[] = {
        {"{\"name\": \"two\", \"count\": 2}", "there are 1 legal moves, not 2"},
        {"{\"name\": \"two\", \"perft\": [1, 2]}", "perft to depth 2 is 1, not 2"},
        {"{\"name\": \"two\", \"moves\": [\"a-b\", \"b-c\"]}",
         "move 2: `b-c` is not a legal move here"},
        {"{\"name\": \"two\", \"legal\": [\"a-c\"]}",
         "`a-c` is not a legal move here, but should be legal"},
        {"{\"name\": \"two\", \"illegal\": [\"a-b\"]}", "`a-b` is legal, but should not be"},
        {"{\"name\": \"two\", \"illegal\": [\"#!\"]}", "`#!` is the text of no move"},
        {"{\"name\": \"two\", \"illegal\": [{\"move\": \"a-c\", \"because\": \"the moon\"}]}",
         "`a-c` is illegal for another reason: "},
        {"{\"name\": \"two\", \"result\": {\"winner\": \"a\"}}",
         "another result: the game goes on"},
        {"{\"name\": \"two\", \"claim\": \"a draw\"}", "nothing may be claimed"},
        {"{\"name\": \"two\", \"players\": 1, \"count\": 1}",
         "test `two` cannot be run for so many players: "},
    };
    struct answer answer;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_with_test(&answer, NULL, rows[i].test);
        assert_int_equal(answer.status, 1);
        if (strstr(answer.errors, rows[i].finding) == NULL)
            fail_msg("%s: %s", rows[i].test, answer.errors);
        assert_non_null(strstr(answer.errors, ":8:3: error: test `two` "));
        assert_non_null(strstr(answer.errors, " (at /tests/1)\n"));
        assert_non_null(strstr(answer.output, ", 2 tests\n"));
    }
    check_with_test(&answer, NULL,
                    "{\"name\": \"all of it\", \"moves\": [\"a-b\", \"pass\"], \"count\": 1, "
                    "\"perft\": [1, 1], \"legal\": [\"b-c\"], \"result\": \"playing\", "
                    "\"claim\": \"\"}");
    assert_string_equal(answer.errors, "");
    assert_int_equal(answer.status, 0);
    check_with_test(&answer, "--json", rows[0].test);
    assert_int_equal(answer.status, 1);
    assert_non_null(strstr(answer.output, "\"pointer\": \"/tests/1\""));
}

static void a_game_that_is_over_as_it_begins_is_warned_of(void **state)
{
    (void)state;
    struct answer answer;
    check_text(&answer, NULL,
               "{\"extends\": \"chess\", \"name\": \"short\", \"tests\": null, \"results\": [\n"
               "  {\"if\": {\"count\": {\"is\": {\"figure\": \"king\"}}}, \"result\": \"draw\", "
               "\"reason\": \"two kings\"}]}");
    assert_int_equal(answer.status, 0);
    assert_non_null(strstr(answer.errors, "warning: the game is over as it begins: it is a draw: "
                                          "two kings"));
}

static void how_it_was_compiled_is_explained(void **state)
{
    (void)state;
    struct answer answer;
    check_with_test(&answer, "--explain", "{\"name\": \"one\", \"count\": 1}");
    assert_int_equal(answer.status, 0);
    assert_non_null(strstr(answer.output, "\n    at most "));
    assert_non_null(strstr(answer.output, "\n    stone: "));
}

/* Beside the file there is no chess: it came with the program. */
static void what_a_file_extends_is_merged_into_it(void **state)
{
    (void)state;
    struct answer answer;
    check_text(
        &answer, NULL,
        "{\"extends\": \"chess\", \"name\": \"bare\", \"results\": [], \"tests\": [\n"
        "  {\"name\": \"as ever\", \"perft\": [20]}, {\"name\": \"not so\", \"count\": 3}]}");
    assert_int_equal(answer.status, 1);
    assert_non_null(strstr(answer.errors, ":2:39: error: test `not so` fails"));
    assert_non_null(strstr(answer.output, ": bare: 64 cells"));
    check(&answer, 3, (const char *[]){"check", "--merged", "games/chess.json"});
    char *chess = test_read_file("games/chess.json", NULL);
    assert_int_equal(answer.status, 0);
    assert_memory_equal(answer.output, chess, sizeof answer.output - 1);
    free(chess);
}

static void asked_wrongly_it_says_how(void **state)
{
    (void)state;
    struct answer answer;
    check(&answer, 1, (const char *[]){"check"});
    assert_int_equal(answer.status, 2);
    assert_string_equal(answer.errors, "usage: senet check [--json | --explain] FILE...\n"
                                       "       senet check --merged FILE\n");
    check(&answer, 3, (const char *[]){"check", "--yaml", sound});
    assert_int_equal(answer.status, 2);
    assert_string_equal(answer.output, "");
    check(&answer, 4, (const char *[]){"check", "--json", "--explain", sound});
    assert_int_equal(answer.status, 2);
    check(&answer, 4, (const char *[]){"check", "--merged", sound, sound});
    assert_int_equal(answer.status, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_game_is_summed_up_in_a_line),
        cmocka_unit_test(errors_are_printed_as_a_compiler_prints_them),
        cmocka_unit_test(programs_get_json),
        cmocka_unit_test(a_file_that_cannot_be_read_is_another_status),
        cmocka_unit_test(a_file_is_held_to_its_own_tests),
        cmocka_unit_test(a_game_that_is_over_as_it_begins_is_warned_of),
        cmocka_unit_test(how_it_was_compiled_is_explained),
        cmocka_unit_test(what_a_file_extends_is_merged_into_it),
        cmocka_unit_test(asked_wrongly_it_says_how),
    };
    return cmocka_run_group_tests_name("senet check", tests, write_broken, remove_broken);
}
