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

static void asked_wrongly_it_says_how(void **state)
{
    (void)state;
    struct answer answer;
    check(&answer, 1, (const char *[]){"check"});
    assert_int_equal(answer.status, 2);
    assert_string_equal(answer.errors, "usage: senet check [--json] FILE...\n");
    check(&answer, 3, (const char *[]){"check", "--yaml", sound});
    assert_int_equal(answer.status, 2);
    assert_string_equal(answer.output, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_game_is_summed_up_in_a_line),
        cmocka_unit_test(errors_are_printed_as_a_compiler_prints_them),
        cmocka_unit_test(programs_get_json),
        cmocka_unit_test(a_file_that_cannot_be_read_is_another_status),
        cmocka_unit_test(asked_wrongly_it_says_how),
    };
    return cmocka_run_group_tests_name("senet check", tests, write_broken, remove_broken);
}
