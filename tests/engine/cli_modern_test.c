/* `senet engine` about games of format 2: texts, choices, passes, claims, turns of several moves, explanations. */
#include "tests/support/test.h"

#include "tests/engine/talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A talk about games/NAME.json; the answers as a list. */
static json_t *talk_about(const char *name, const char *lines)
{
    char path[128];
    snprintf(path, sizeof path, "games/%s.json", name);
    char *answers = talk(path, lines, strlen(lines));
    json_t *list = json_array();
    int count = 0;
    for (const char *at = answers; *at != '\0'; at = strchr(at, '\n') + 1)
        json_array_append_new(list, talk_answer(answers, count++));
    free(answers);
    return list;
}

static json_t *state_of(json_t *answers, size_t n)
{
    json_t *state = json_object_get(json_array_get(answers, n), "state");
    assert_non_null(state);
    return state;
}

static void assert_code(json_t *answers, size_t n, const char *code)
{
    const char *got = talk_text(json_array_get(answers, n), "error", "code");
    assert_non_null(got);
    assert_string_equal(got, code);
}

static void assert_member(json_t *object, const char *key, const char *expected)
{
    const char *text = json_string_value(json_object_get(object, key));
    if (expected == NULL) {
        assert_null(json_object_get(object, key));
        return;
    }
    if (text == NULL)
        fail_msg("there is no `%s`", key);
    assert_string_equal(text, expected);
}

static void a_move_is_told_in_both_styles(void **state)
{
    (void)state;
    json_t *answers = talk_about("chess", "{\"do\":\"move\",\"move\":\"Nf3\",\"short\":true}\n"
                                          "{\"do\":\"move\",\"move\":\"e7e5\",\"short\":true}\n"
                                          "{\"do\":\"moves\"}\n"
                                          "{\"do\":\"moves\",\"algebraic\":true}\n");
    json_t *move = json_object_get(json_array_get(answers, 0), "move");
    assert_member(move, "from", "g1");
    assert_member(move, "to", "f3");
    assert_member(move, "text", "g1f3");
    assert_member(move, "algebraic", "Nf3");
    assert_member(state_of(answers, 1), "position",
                  "rnbqkbnr/pppp1ppp/8/4p3/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2");
    assert_null(json_object_get(state_of(answers, 1), "cells"));
    json_t *plain = json_object_get(json_array_get(answers, 2), "moves");
    json_t *both = json_object_get(json_array_get(answers, 3), "moves");
    assert_int_equal(json_array_size(plain), json_array_size(both));
    assert_member(json_array_get(plain, 0), "text", "a2a3");
    assert_member(json_array_get(plain, 0), "algebraic", NULL);
    assert_member(json_array_get(both, 0), "algebraic", "a3");
    json_decref(answers);
}

static void a_choice_is_named(void **state)
{
    (void)state;
    json_t *answers = talk_about(
        "chess",
        "{\"do\":\"load\",\"position\":\"7k/P7/8/8/8/8/8/K7 w - - 0 1\",\"short\":true}\n"
        "{\"do\":\"move\",\"move\":{\"from\":\"a7\",\"to\":\"a8\"}}\n"
        "{\"do\":\"move\",\"move\":{\"from\":\"a7\",\"to\":\"a8\",\"choice\":\"cat\"}}\n"
        "{\"do\":\"move\",\"move\":{\"from\":\"a7\",\"to\":\"a8\",\"choice\":\"pawn\"}}\n"
        "{\"do\":\"move\",\"move\":{\"from\":\"a7\",\"to\":\"a8\",\"choice\":\"knight\"}}\n"
        "{\"do\":\"undo\",\"short\":true}\n"
        "{\"do\":\"move\",\"move\":\"a7a8q\"}\n");
    assert_code(answers, 1, "illegal_move");
    assert_code(answers, 2, "unknown_choice");
    assert_code(answers, 3, "illegal_move");
    json_t *cells = json_object_get(state_of(answers, 4), "cells");
    assert_member(json_object_get(cells, "a8"), "figure", "knight");
    cells = json_object_get(state_of(answers, 6), "cells");
    assert_member(json_object_get(cells, "a8"), "figure", "queen");
    assert_member(json_object_get(json_array_get(answers, 6), "move"), "choice", "queen");
    json_decref(answers);
}

static void a_pass_is_a_move_too(void **state)
{
    (void)state;
    json_t *answers =
        talk_about("janggi", "{\"do\":\"load\",\"position\":\"rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/"
                             "P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1\",\"short\":true}\n"
                             "{\"do\":\"moves\"}\n"
                             "{\"do\":\"move\",\"move\":{\"pass\":true},\"short\":true}\n"
                             "{\"do\":\"move\",\"move\":\"e9e9\",\"short\":true}\n");
    json_t *moves = json_object_get(json_array_get(answers, 1), "moves");
    json_t *pass = json_array_get(moves, json_array_size(moves) - 1);
    assert_true(json_is_true(json_object_get(pass, "pass")));
    assert_member(pass, "text", "e2e2");
    assert_member(pass, "from", NULL);
    assert_member(state_of(answers, 2), "to_move", "han");
    assert_member(json_object_get(state_of(answers, 3), "result"), "reason",
                  "both passed: more points");
    json_decref(answers);
    answers = talk_about("chess", "{\"do\":\"move\",\"move\":{\"pass\":true}}\n");
    assert_code(answers, 0, "illegal_move");
    json_decref(answers);
}

static void positions_go_in_and_out_as_texts(void **state)
{
    (void)state;
    json_t *answers = talk_about("chess", "{\"do\":\"fen\"}\n"
                                          "{\"do\":\"fen\",\"fen\":\"8/8/8/8/8/8/8/K1k5 w\"}\n"
                                          "{\"do\":\"fen\"}\n"
                                          "{\"do\":\"fen\",\"fen\":\"8/8 w\"}\n"
                                          "{\"do\":\"load\",\"position\":7}\n"
                                          "{\"do\":\"fen\"}\n");
    static const char kings[] = "8/8/8/8/8/8/8/K1k5 w - - 0 1";
    assert_member(json_array_get(answers, 0), "fen",
                  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_member(state_of(answers, 1), "position", kings);
    assert_member(json_array_get(answers, 2), "fen", kings);
    assert_code(answers, 3, "bad_position");
    assert_string_equal(talk_text(json_array_get(answers, 3), "error", "message"),
                        "the text ends after row 2");
    assert_code(answers, 4, "bad_request");
    assert_member(json_array_get(answers, 5), "fen", kings);
    json_decref(answers);
    answers = talk_about("checkers", "{\"do\":\"fen\"}\n{\"do\":\"fen\",\"fen\":\"8\"}\n");
    assert_code(answers, 0, "no_notation");
    assert_code(answers, 1, "no_notation");
    json_decref(answers);
}

/* Three moves into a game, with all that a position of format 2 has beside figures. */
static void what_state_shows_load_takes(void **state)
{
    (void)state;
    static const struct {
        const char *game, *moves[5];
    } games[] = {
        {"chess", {"e4", "a6", "e5", "d5", NULL}},
        {"three-check", {"e4", "f6", "Qh5", NULL}},
        {"chess", {"e4", "e5", "Ke2", NULL}},
        {"xiangqi", {"h3e3", "h10g8", NULL}},
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        char lines[4096] = "";
        for (int k = 0; games[i].moves[k] != NULL; k++)
            snprintf(lines + strlen(lines), sizeof lines - strlen(lines),
                     "{\"do\":\"move\",\"move\":\"%s\"}\n", games[i].moves[k]);
        strcat(lines, "{\"do\":\"state\"}\n{\"do\":\"perft\",\"depth\":2}\n");
        json_t *first = talk_about(games[i].game, lines);
        size_t count = json_array_size(first);
        json_t *load = json_pack("{s:s,s:O}", "do", "load", "state", state_of(first, count - 2));
        char *line = json_dumps(load, JSON_COMPACT);
        char again[16384];
        snprintf(again, sizeof again, "%s\n{\"do\":\"perft\",\"depth\":2}\n", line);
        json_t *second = talk_about(games[i].game, again);
        assert_true(json_equal(state_of(first, count - 2), state_of(second, 0)));
        assert_true(json_equal(json_array_get(first, count - 1), json_array_get(second, 1)));
        free(line);
        json_decref(load);
        json_decref(first);
        json_decref(second);
    }
}

static void a_state_that_makes_no_sense_is_refused(void **state)
{
    (void)state;
#define LOAD(more) "{\"do\":\"load\",\"state\":{\"state\":\"white\"," more "}}\n"
    json_t *answers = talk_about(
        "chess",
        LOAD("\"cells\":{},\"marks\":{\"passed_over\":{\"cell\":\"e3\"}}")
            LOAD("\"cells\":{},\"marks\":{\"passed_over\":{\"cell\":\"e3\",\"maker\":\"e4\"}}")
                LOAD("\"cells\":{},\"counters\":{\"quiet\":\"x\"}")
                    LOAD("\"cells\":{},\"active\":\"e4\"")
                        LOAD("\"cells\":{\"e1\":{\"figure\":\"king\",\"player\":\"white\","
                             "\"moved\":true}}"));
#undef LOAD
    for (size_t i = 0; i < 5; i++)
        assert_code(answers, i, "bad_state");
    json_decref(answers);
}

static void a_draw_may_be_claimed_and_taken_back(void **state)
{
    (void)state;
    static const char *const moves[] = {"Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"};
    char lines[2048] = "{\"do\":\"claim\"}\n";
    for (size_t i = 0; i < 8; i++)
        snprintf(lines + strlen(lines), sizeof lines - strlen(lines),
                 "{\"do\":\"move\",\"move\":\"%s\",\"short\":true}\n", moves[i]);
    strcat(lines, "{\"do\":\"outcome\"}\n{\"do\":\"claim\",\"short\":true}\n{\"do\":\"moves\"}\n"
                  "{\"do\":\"move\",\"move\":\"e4\"}\n{\"do\":\"claim\"}\n"
                  "{\"do\":\"undo\",\"short\":true}\n{\"do\":\"move\",\"move\":\"e4\"}\n");
    json_t *answers = talk_about("chess", lines);
    assert_code(answers, 0, "nothing_to_claim");
    assert_null(json_object_get(state_of(answers, 7), "claims"));
    json_t *outcome = json_object_get(json_array_get(answers, 9), "outcome");
    assert_member(outcome, "status", "playing");
    assert_string_equal(json_string_value(json_array_get(json_object_get(outcome, "claims"), 0)),
                        "threefold repetition");
    json_t *claimed = state_of(answers, 10);
    assert_member(claimed, "status", "finished");
    assert_true(json_is_true(json_object_get(json_object_get(claimed, "result"), "draw")));
    assert_int_equal(json_array_size(json_object_get(json_array_get(answers, 11), "moves")), 0);
    assert_code(answers, 12, "game_over");
    assert_code(answers, 13, "game_over");
    assert_member(state_of(answers, 14), "status", "playing");
    assert_member(state_of(answers, 15), "to_move", "black");
    json_decref(answers);
}

static void a_turn_of_several_moves_says_who_goes_on(void **state)
{
    (void)state;
    json_t *answers = talk_about(
        "english-draughts", "{\"do\":\"load\",\"position\":\"B:W18,27:B14,1\",\"short\":true}\n"
                            "{\"do\":\"move\",\"move\":\"14x23\",\"short\":true}\n"
                            "{\"do\":\"move\",\"move\":\"1-5\",\"short\":true}\n"
                            "{\"do\":\"move\",\"move\":\"23x32\",\"short\":true}\n"
                            "{\"do\":\"undo\",\"short\":true}\n");
    assert_member(state_of(answers, 0), "active", NULL);
    assert_member(state_of(answers, 1), "active", "23");
    assert_member(state_of(answers, 1), "to_move", "black");
    assert_code(answers, 2, "illegal_move");
    assert_member(state_of(answers, 3), "active", NULL);
    assert_true(json_equal(state_of(answers, 1), state_of(answers, 4)));
    json_decref(answers);
    answers = talk_about("amazons", "{\"do\":\"move\",\"move\":\"d1-d7\",\"short\":true}\n"
                                    "{\"do\":\"move\",\"move\":\"d7-d1\",\"short\":true}\n");
    assert_member(state_of(answers, 0), "active", "d7");
    assert_member(state_of(answers, 1), "active", NULL);
    assert_member(state_of(answers, 1), "to_move", "black");
    json_decref(answers);
}

static void assert_verdict(json_t *answers, size_t n, const char *verdict, const char *words)
{
    json_t *explanation = json_object_get(json_array_get(answers, n), "explanation");
    assert_non_null(explanation);
    assert_member(explanation, "verdict", verdict);
    const char *said = json_string_value(json_object_get(explanation, "words"));
    assert_non_null(said);
    if (strstr(said, words) == NULL)
        fail_msg("`%s` does not say `%s`", said, words);
    assert_true(json_is_array(json_object_get(explanation, "pointers")));
}

static void moves_are_explained(void **state)
{
    (void)state;
    json_t *answers = talk_about(
        "chess",
        "{\"do\":\"load\",\"position\":\"4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1\",\"short\":true}\n"
        "{\"do\":\"explain\",\"from\":\"e2\",\"to\":\"c3\"}\n"
        "{\"do\":\"explain\",\"move\":\"e1d1\"}\n"
        "{\"do\":\"explain\",\"move\":{\"from\":\"e1\",\"to\":\"e5\"}}\n"
        "{\"do\":\"explain\",\"move\":{\"from\":\"e8\",\"to\":\"e2\"}}\n"
        "{\"do\":\"explain\",\"move\":{\"pass\":true}}\n"
        "{\"do\":\"explain\",\"from\":\"z9\",\"to\":\"e2\"}\n"
        "{\"do\":\"move\",\"move\":\"e2c3\"}\n");
    assert_verdict(answers, 1, "forbidden", "e1");
    assert_verdict(answers, 2, "legal", "");
    assert_verdict(answers, 3, "no_movement", "");
    assert_verdict(answers, 4, "not_yours", "");
    assert_verdict(answers, 5, "no_movement", "pass");
    assert_code(answers, 6, "unknown_cell");
    assert_code(answers, 7, "illegal_move");
    json_t *error = json_object_get(json_array_get(answers, 7), "error");
    json_t *explanation = json_object_get(json_array_get(answers, 1), "explanation");
    assert_member(error, "verdict", "forbidden");
    assert_true(
        json_equal(json_object_get(error, "message"), json_object_get(explanation, "words")));
    assert_true(json_array_size(json_object_get(error, "pointers")) > 0);
    json_decref(answers);
}

static void texts_that_mean_nothing_are_refused(void **state)
{
    (void)state;
    json_t *answers = talk_about("chess", "{\"do\":\"move\",\"move\":\"hello\"}\n"
                                          "{\"do\":\"move\",\"move\":\"Rd1\"}\n"
                                          "{\"do\":\"move\",\"move\":\"e2e5\"}\n"
                                          "{\"do\":\"move\",\"move\":[]}\n"
                                          "{\"do\":\"move\",\"move\":\"\"}\n");
    assert_code(answers, 0, "illegal_move");
    assert_code(answers, 1, "illegal_move");
    assert_code(answers, 2, "illegal_move");
    assert_code(answers, 3, "bad_request");
    assert_code(answers, 4, "illegal_move");
    json_decref(answers);
}

/* What is asked of a part answers for the part alone; what says nothing of cells, for what stands around it. */
static void a_word_speaks_of_its_own_cells(void **state)
{
    (void)state;
    json_t *answers =
        talk_about("atomic", "{\"do\":\"cells\",\"pointer\":\"/results/3/if/2/not/any/1\"}\n"
                             "{\"do\":\"cells\",\"pointer\":\"/figures/pawn/movement/0/y\"}\n");
    json_t *part = json_object_get(json_array_get(answers, 0), "cells");
    json_t *step = json_object_get(json_array_get(answers, 1), "cells");
    assert_member(part, "pointer", "/results/3/if/2/not/any/1");
    json_t *cells = json_object_get(json_array_get(json_object_get(part, "sets"), 0), "cells");
    assert_int_equal(json_array_size(cells), 32); /* of one colour, not of both */
    assert_member(step, "kind", "movement");
    assert_member(step, "pointer", "/figures/pawn/movement/0");
    json_decref(answers);
}

/* The swap of sides has no cells, of whatever words one asks. */
static void a_swap_leads_to_no_cell(void **state)
{
    (void)state;
    json_t *answers = talk_about("hex", "{\"do\":\"move\",\"move\":\"f6\"}\n"
                                        "{\"do\":\"cells\",\"pointer\":\"\"}\n");
    json_t *sets = json_object_get(json_object_get(json_array_get(answers, 1), "cells"), "sets");
    json_t *to = json_array_get(sets, 1);
    assert_member(to, "role", "to");
    assert_int_equal(json_array_size(json_object_get(to, "cells")), 120);
    json_decref(answers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_is_told_in_both_styles),
        cmocka_unit_test(a_choice_is_named),
        cmocka_unit_test(a_pass_is_a_move_too),
        cmocka_unit_test(positions_go_in_and_out_as_texts),
        cmocka_unit_test(what_state_shows_load_takes),
        cmocka_unit_test(a_state_that_makes_no_sense_is_refused),
        cmocka_unit_test(a_draw_may_be_claimed_and_taken_back),
        cmocka_unit_test(a_turn_of_several_moves_says_who_goes_on),
        cmocka_unit_test(moves_are_explained),
        cmocka_unit_test(a_word_speaks_of_its_own_cells),
        cmocka_unit_test(a_swap_leads_to_no_cell),
        cmocka_unit_test(texts_that_mean_nothing_are_refused),
    };
    return cmocka_run_group_tests_name("senet engine of format 2", tests, NULL, NULL);
}
