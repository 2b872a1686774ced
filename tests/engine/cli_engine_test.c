/* `senet engine` as another program sees it: lines in, lines out. */
#include "tests/support/test.h"

#include "server/cli/perft.h"
#include "tests/engine/games.h"
#include "tests/engine/talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *ask(const char *lines)
{
    return talk("tests/engine/version_0/chess.json", lines, strlen(lines));
}

static void a_new_game_is_shown_whole(void **state)
{
    (void)state;
    char *answers = ask("{\"do\":\"new\",\"id\":7}\n");
    json_t *value = talk_answer(answers, 0), *shown = json_object_get(value, "state");
    assert_int_equal(json_integer_value(json_object_get(value, "id")), 7);
    assert_int_equal(json_object_size(json_object_get(shown, "cells")), 32);
    assert_string_equal(talk_text(value, "state", "to_move"), "white");
    assert_string_equal(talk_text(value, "state", "status"), "playing");
    assert_int_equal(strlen(talk_text(value, "state", "hash")), 16);
    assert_int_equal(json_integer_value(json_object_get(shown, "move_number")), 1);
    json_decref(value);
    free(answers);
}

static void a_move_is_made_and_taken_back(void **state)
{
    (void)state;
    char *answers = ask("{\"do\":\"state\"}\n"
                        "{\"do\":\"move\",\"move\":{\"from\":\"e2\",\"to\":\"e4\"},\"id\":\"a\"}\n"
                        "{\"do\":\"undo\"}\n"
                        "{\"do\":\"undo\"}\n");
    json_t *start = talk_answer(answers, 0), *moved = talk_answer(answers, 1),
           *back = talk_answer(answers, 2);
    json_t *cells = json_object_get(json_object_get(moved, "state"), "cells");
    assert_null(json_object_get(cells, "e2"));
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(cells, "e4"), "moves_made")), 1);
    assert_string_equal(talk_text(moved, "state", "to_move"), "black");
    assert_string_equal(json_string_value(json_object_get(moved, "id")), "a");
    assert_true(json_equal(start, back));
    talk_assert_refused(answers, 3, "nothing_to_undo");
    json_decref(start);
    json_decref(moved);
    json_decref(back);
    free(answers);
}

static void a_cell_may_be_said_in_three_ways(void **state)
{
    (void)state;
    struct game *game = games_load_file("tests/engine/version_0/chess.json", NULL);
    const int *from = game_facts(game)->cells[game_find_cell(game, "e2", 2)].coordinates;
    const int *to = game_facts(game)->cells[game_find_cell(game, "e4", 2)].coordinates;
    char lines[512];
    snprintf(lines, sizeof lines,
             "{\"do\":\"move\",\"move\":{\"from\":{\"%s\":%d,\"%s\":%d},\"to\":\"%d_%d\"}}\n"
             "{\"do\":\"new\"}\n{\"do\":\"move\",\"move\":{\"from\":\"e2\",\"to\":\"e4\"}}\n",
             game_facts(game)->coordinate_names[0], from[0], game_facts(game)->coordinate_names[1],
             from[1], to[0], to[1]);
    char *answers = ask(lines);
    json_t *first = talk_answer(answers, 0), *second = talk_answer(answers, 2);
    assert_non_null(json_object_get(first, "state"));
    assert_true(json_equal(first, second));
    json_decref(first);
    json_decref(second);
    free(answers);
    game_release(game);
}

static void moves_are_listed_and_leaves_counted(void **state)
{
    (void)state;
    char *answers = ask("{\"do\":\"moves\"}\n{\"do\":\"perft\",\"depth\":3}\n"
                        "{\"do\":\"perft\",\"depth\":0}\n{\"do\":\"perft\",\"depth\":11}\n"
                        "{\"do\":\"perft\"}\n");
    json_t *moves = talk_answer(answers, 0), *nodes = talk_answer(answers, 1),
           *none = talk_answer(answers, 2);
    assert_int_equal(json_array_size(json_object_get(moves, "moves")), 20);
    assert_int_equal(json_integer_value(json_object_get(nodes, "nodes")), 8902);
    assert_int_equal(json_integer_value(json_object_get(none, "nodes")), 1);
    talk_assert_refused(answers, 3, "bad_request");
    talk_assert_refused(answers, 4, "bad_request");
    json_decref(moves);
    json_decref(nodes);
    json_decref(none);
    free(answers);
}

static void moves_are_listed_as_if_it_were_anothers_turn(void **state)
{
    (void)state;
    char *answers = ask("{\"do\":\"state\"}\n"
                        "{\"do\":\"moves\",\"ahead\":\"black\"}\n"
                        "{\"do\":\"moves\",\"ahead\":\"black\",\"from\":\"b8\"}\n"
                        "{\"do\":\"moves\",\"ahead\":\"green\"}\n"
                        "{\"do\":\"state\"}\n");
    json_t *before = talk_answer(answers, 0), *all = talk_answer(answers, 1),
           *knight = talk_answer(answers, 2), *after = talk_answer(answers, 4);
    json_t *first = json_array_get(json_object_get(knight, "moves"), 0);
    assert_int_equal(json_array_size(json_object_get(all, "moves")), 20);
    assert_int_equal(json_array_size(json_object_get(knight, "moves")), 2);
    assert_string_equal(json_string_value(json_object_get(first, "from")), "b8");
    talk_assert_refused(answers, 3, "bad_request");
    assert_true(json_equal(before, after));
    json_decref(before);
    json_decref(all);
    json_decref(knight);
    json_decref(after);
    free(answers);
}

static void refusals_say_why_and_the_conversation_goes_on(void **state)
{
    (void)state;
    static const struct {
        const char *line, *code;
    } refusals[] = {
        {"{", "bad_json"},
        {"nonsense", "bad_json"},
        {"{\"do\":\"state\",\"do\":\"state\"}", "bad_json"},
        {"[]", "bad_request"},
        {"{\"do\":1}", "bad_request"},
        {"{\"do\":\"dance\"}", "unknown_command"},
        {"{\"do\":\"move\"}", "bad_request"},
        {"{\"do\":\"move\",\"move\":{\"from\":\"e2\",\"to\":\"e9\"}}", "unknown_cell"},
        {"{\"do\":\"move\",\"move\":{\"from\":{\"x\":1},\"to\":\"e4\"}}", "unknown_cell"},
        {"{\"do\":\"move\",\"move\":{\"from\":\"e2\",\"to\":\"e5\"}}", "illegal_move"},
        {"{\"do\":\"move\",\"move\":{\"from\":\"e7\",\"to\":\"e5\"}}", "illegal_move"},
        {"{\"do\":\"load\"}", "bad_state"},
        {"{\"do\":\"load\",\"state\":{\"cells\":{},\"state\":\"heaven\"}}", "bad_state"},
        {"{\"do\":\"load\",\"state\":{\"cells\":{\"z9\":{\"figure\":\"king\",\"player\":\"white\"}}"
         ","
         "\"state\":\"white_move\"}}",
         "bad_state"},
        {"{\"do\":\"load\",\"state\":{\"cells\":{\"e4\":{\"figure\":\"cat\",\"player\":\"white\"}},"
         "\"state\":\"white_move\"}}",
         "bad_state"},
        {"{\"do\":\"load\",\"state\":{\"cells\":{\"e4\":{\"figure\":\"king\",\"player\":\"white\","
         "\"moves_made\":-1}},\"state\":\"white_move\"}}",
         "bad_state"},
    };
    enum { COUNT = sizeof refusals / sizeof *refusals };
    char lines[8192] = "{\"do\":\"state\"}\n";
    for (size_t i = 0; i < COUNT; i++) {
        strcat(lines, refusals[i].line);
        strcat(lines, "\n");
    }
    strcat(lines, "\n{\"do\":\"state\"}\n");
    char *answers = ask(lines);
    for (size_t i = 0; i < COUNT; i++)
        talk_assert_refused(answers, (int)i + 1, refusals[i].code);
    json_t *first = talk_answer(answers, 0), *last = talk_answer(answers, COUNT + 1);
    assert_true(json_equal(first, last));
    json_decref(first);
    json_decref(last);
    free(answers);
}

static void a_line_too_long_is_refused_and_the_next_answered(void **state)
{
    (void)state;
    static const char after[] = "\n{\"do\":\"moves\"}";
    size_t length = 1024 * 1024 + 2;
    char *lines = malloc(length + sizeof after);
    assert_non_null(lines);
    memset(lines, 'x', length);
    memcpy(lines + length, after, sizeof after);
    char *answers = talk("tests/engine/version_0/chess.json", lines, length + sizeof after - 1);
    talk_assert_refused(answers, 0, "too_long");
    json_t *moves = talk_answer(answers, 1);
    assert_int_equal(json_array_size(json_object_get(moves, "moves")), 20);
    json_decref(moves);
    free(answers);
    free(lines);
}

static void bytes_that_are_no_text_do_no_harm(void **state)
{
    (void)state;
    static const char bytes[] = "\xff\xfe\0{\n{\"do\":\"\xc3\"}\n{\"do\":\"\xe2\x82\xac\xe2\x82\xac"
                                "\xe2\x82\xac \"x}\n{\"do\":\"state\"}\n";
    char *answers = talk("tests/engine/version_0/chess.json", bytes, sizeof bytes - 1);
    for (int i = 0; i < 3; i++)
        talk_assert_refused(answers, i, "bad_json");
    json_t *last = talk_answer(answers, 3);
    assert_non_null(json_object_get(last, "state"));
    json_decref(last);
    free(answers);
}

static void what_state_shows_load_takes(void **state)
{
    (void)state;
    char *answers = ask("{\"do\":\"move\",\"move\":{\"from\":\"e2\",\"to\":\"e4\"}}\n"
                        "{\"do\":\"move\",\"move\":{\"from\":\"a7\",\"to\":\"a6\"}}\n");
    json_t *moved = talk_answer(answers, 1);
    json_object_set_new(moved, "do", json_string("load"));
    char *line = json_dumps(moved, JSON_COMPACT);
    json_object_del(moved, "do");
    free(answers);
    answers = ask(line);
    json_t *loaded = talk_answer(answers, 0);
    assert_true(json_equal(json_object_get(moved, "state"), json_object_get(loaded, "state")));
    json_decref(moved);
    json_decref(loaded);
    free(answers);
    free(line);
}

static void a_game_that_is_over_says_who_won(void **state)
{
    (void)state;
    char *answers = ask("{\"do\":\"load\",\"state\":{\"state\":\"white_move\",\"cells\":{"
                        "\"e1\":{\"figure\":\"king\",\"player\":\"white\"},"
                        "\"e4\":{\"figure\":\"rook\",\"player\":\"white\"},"
                        "\"e8\":{\"figure\":\"king\",\"player\":\"black\"}}}}\n"
                        "{\"do\":\"move\",\"move\":{\"from\":\"e4\",\"to\":\"e8\"}}\n"
                        "{\"do\":\"moves\"}\n"
                        "{\"do\":\"move\",\"move\":{\"from\":\"e1\",\"to\":\"e2\"}}\n"
                        "{\"do\":\"quit\"}\n{\"do\":\"state\"}\n");
    json_t *over = talk_answer(answers, 1), *moves = talk_answer(answers, 2),
           *quit = talk_answer(answers, 4);
    json_t *result = json_object_get(json_object_get(over, "state"), "result");
    assert_string_equal(talk_text(over, "state", "status"), "finished");
    assert_null(talk_text(over, "state", "to_move"));
    assert_string_equal(json_string_value(json_object_get(result, "winner")), "white");
    assert_true(strlen(json_string_value(json_object_get(result, "reason"))) > 0);
    assert_int_equal(json_array_size(json_object_get(moves, "moves")), 0);
    talk_assert_refused(answers, 3, "game_over");
    assert_true(json_is_true(json_object_get(quit, "quit")));
    assert_string_equal(strchr(strstr(answers, "\"quit\""), '\n'), "\n");
    json_decref(over);
    json_decref(moves);
    json_decref(quit);
    free(answers);
}

/* --- perft ------------------------------------------------------------------------------------ */

/* Runs the command in a process of its own and returns what it printed. */
static char *run_perft(char **argv, int argc, int *status)
{
    FILE *out = tmpfile();
    assert_non_null(out);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(fileno(out), STDOUT_FILENO);
        int code = cli_perft(argc, argv);
        fflush(stdout);
        _exit(code);
    }
    waitpid(child, status, 0);
    rewind(out);
    const size_t room = 65536;
    char *text = calloc(1, room);
    assert_non_null(text);
    assert_true(fread(text, 1, room - 1, out) < room - 1);
    fclose(out);
    return text;
}

static void perft_prints_a_line_for_each_depth(void **state)
{
    (void)state;
    char *argv[] = {"perft", "tests/engine/version_0/chess.json", "2", "--divide", NULL};
    int status = 0;
    char *text = run_perft(argv, 4, &status);
    assert_int_equal(WEXITSTATUS(status), 0);
    unsigned long long sum = 0;
    int lines = 0;
    char *line = text;
    for (; *line != '\0' && strchr(line, '-') != NULL; line = strchr(line, '\n') + 1, lines++)
        sum += strtoull(strchr(line, '\t') + 1, NULL, 10);
    assert_int_equal(lines, 20);
    assert_int_equal(sum, 400);
    for (int depth = 1; depth <= 2; depth++) {
        char *end = NULL;
        assert_int_equal(strtol(line, &end, 10), depth);
        assert_int_equal(*end, '\t');
        assert_int_equal(strtoull(end + 1, &end, 10), depth == 1 ? 20 : 400);
        assert_int_equal(*end, '\t');
        assert_true(strtod(end + 1, &end) >= 0);
        assert_int_equal(*end, '\n');
        line = end + 1;
    }
    assert_string_equal(line, "");
    free(text);
}

static void perft_counts_the_same_in_every_way(void **state)
{
    (void)state;
    static const char kiwipete[] =
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
    char *argv[][7] = {
        {"perft", "games/chess.json", "3", "--fen", (char *)(uintptr_t)kiwipete, NULL},
        {"perft", "--fen", (char *)(uintptr_t)kiwipete, "games/chess.json", "--made", "3", NULL},
        {"perft", "games/chess.json", "--interpreted", "3", "--fen", (char *)(uintptr_t)kiwipete,
         NULL},
    };
    for (size_t i = 0; i < sizeof argv / sizeof *argv; i++) {
        int status = 0, argc = 0;
        while (argc < 7 && argv[i][argc] != NULL)
            argc++;
        char *text = run_perft(argv[i], argc, &status);
        assert_int_equal(WEXITSTATUS(status), 0);
        assert_int_equal(strncmp(text, "1\t48\t", 5), 0);
        assert_non_null(strstr(text, "\n2\t2039\t"));
        assert_non_null(strstr(text, "\n3\t97862\t"));
        free(text);
    }
}

static void perft_divides_by_the_texts_of_moves(void **state)
{
    (void)state;
    char *argv[] = {"perft", "games/chess.json",         "1", "--divide",
                    "--fen", "7k/P7/8/8/8/8/8/K7 w - -", NULL};
    int status = 0;
    char *text = run_perft(argv, 6, &status);
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_non_null(strstr(text, "a1b2\t1\n"));
    assert_non_null(strstr(text, "a7a8n\t1\n"));
    free(text);
    /* a jump that goes on is not yet a turn */
    char *draughts[] = {
        "perft", "games/english-draughts.json", "1", "--divide", "--fen", "B:W18,27:B14,1", NULL};
    text = run_perft(draughts, 6, &status);
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(strncmp(text, "14x23\t1\n1\t1\t", 12), 0);
    free(text);
}

static void perft_plays_with_fewer(void **state)
{
    (void)state;
    char *argv[] = {"perft", "games/chinese-checkers.json", "1", "--players", "2", NULL};
    char *wrong[] = {"perft", "games/chess.json", "1", "--players", "5", NULL};
    int status = 0;
    char *text = run_perft(argv, 5, &status);
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(strncmp(text, "1\t14\t", 5), 0);
    free(text);
    free(run_perft(wrong, 5, &status));
    assert_int_equal(WEXITSTATUS(status), 1);
}

static void perft_refuses_what_it_does_not_understand(void **state)
{
    (void)state;
    char *asked[][5] = {
        {"perft", NULL},
        {"perft", "tests/engine/version_0/chess.json", "0", NULL},
        {"perft", "tests/engine/version_0/chess.json", "2x", NULL},
        {"perft", "tests/engine/version_0/chess.json", "2", "3", NULL},
        {"perft", "tests/engine/version_0/chess.json", "2", "--sideways", NULL},
    };
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        int argc = 0, status = 0;
        while (asked[i][argc] != NULL)
            argc++;
        char *text = run_perft(asked[i], argc, &status);
        assert_int_equal(WEXITSTATUS(status), 2);
        assert_string_equal(text, "");
        free(text);
    }
    char *missing[] = {"perft", "games/no_such_game.json", "2", NULL};
    int status = 0;
    free(run_perft(missing, 3, &status));
    assert_int_equal(WEXITSTATUS(status), 1);
    char *nonsense[] = {"perft", "games/chess.json", "2", "--fen", "8/8", NULL};
    char *text = run_perft(nonsense, 5, &status);
    assert_int_equal(WEXITSTATUS(status), 1);
    assert_string_equal(text, "");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_game_is_shown_whole),
        cmocka_unit_test(a_move_is_made_and_taken_back),
        cmocka_unit_test(a_cell_may_be_said_in_three_ways),
        cmocka_unit_test(moves_are_listed_and_leaves_counted),
        cmocka_unit_test(moves_are_listed_as_if_it_were_anothers_turn),
        cmocka_unit_test(refusals_say_why_and_the_conversation_goes_on),
        cmocka_unit_test(a_line_too_long_is_refused_and_the_next_answered),
        cmocka_unit_test(bytes_that_are_no_text_do_no_harm),
        cmocka_unit_test(what_state_shows_load_takes),
        cmocka_unit_test(a_game_that_is_over_says_who_won),
        cmocka_unit_test(perft_prints_a_line_for_each_depth),
        cmocka_unit_test(perft_counts_the_same_in_every_way),
        cmocka_unit_test(perft_divides_by_the_texts_of_moves),
        cmocka_unit_test(perft_plays_with_fewer),
        cmocka_unit_test(perft_refuses_what_it_does_not_understand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
