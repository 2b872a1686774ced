/* The corners of the format, each in the smallest game that has it: a strip of cells, x from 0 to 7, where only what
 * the test writes can happen. */
#include "tests/support/test.h"

#include "tests/engine/games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 16 * 1024 };

/* What a test may say differently from the plain strip. */
struct strip {
    const char *figures, *combined, *states, *wins, *more;
    int hole; /* a cell that is missing; 0 for none */
};

static const char plain_states[] =
    "\"a_moves\":{\"type\":\"move\",\"parameters\":{\"player\":\"a\"},\"next\":\"b_moves\"},"
    "\"b_moves\":{\"type\":\"move\",\"parameters\":{\"player\":\"b\"},\"next\":\"count\"},"
    "\"count\":{\"type\":\"next_move\",\"next\":\"a_moves\"}";

static const char *or_else(const char *text, const char *other)
{
    return text != NULL ? text : other;
}

static void write_strip(const struct strip *strip, char *text)
{
    char cells[512] = "";
    for (int x = 0; x < 8; x++) {
        char cell[32];
        if (x != 0 && x == strip->hole)
            continue;
        snprintf(cell, sizeof cell, "%s{\"x\":%d}", x > 0 ? "," : "", x);
        strcat(cells, cell);
    }
    snprintf(text, TEXT_BYTES,
             "{\"name\":\"strip\",\"players\":[\"a\",\"b\"],%s"
             "\"cell\":{\"coordinates_names\":[\"x\"],\"geometry\":[[0,0],[0,1],[1,1]],"
             "\"position\":{\"x\":\"x\",\"y\":\"0\"}},"
             "\"board\":{\"rotation_angle\":{\"a\":0,\"b\":0},\"cells\":[%s]},"
             "\"figures\":{%s},\"complex_movement\":[%s],"
             "\"initial_position\":{\"a\":{\"man\":[{\"x\":0}]},\"b\":{\"man\":[{\"x\":7}]}},"
             "\"win_conditions\":{%s},"
             "\"game_states\":{%s},\"initial_game_state\":\"a_moves\"}",
             or_else(strip->more, ""), cells, strip->figures, or_else(strip->combined, ""),
             or_else(strip->wins, ""), or_else(strip->states, plain_states));
}

/* A position of such a game. */
struct table {
    struct game *game;
    struct position *position;
};

static struct table table_new(const struct strip *strip)
{
    char *text = malloc(TEXT_BYTES);
    assert_non_null(text);
    write_strip(strip, text);
    struct table table = {.game = games_load_text(text, NULL)};
    table.position = position_new(table.game);
    free(text);
    return table;
}

static void table_free(struct table *table)
{
    position_free(table->position);
    game_release(table->game);
}

/* Sets the strip up from a line like "a.bB..aA": small letters are men, capital ones kings; a dot is an empty cell, a
 * dash a cell that does not exist. `mover` is to move. */
static void set_up(struct table *table, const char *line, char mover)
{
    position_clear(table->position);
    for (int x = 0; x < 8; x++) {
        if (line[x] == '.' || line[x] == '-')
            continue;
        char lower = (char)(line[x] | 0x20);
        struct contents contents = {
            .figure = line[x] == lower ? game_find_figure(table->game, "man", 3)
                                       : game_find_figure(table->game, "king", 4),
            .player = game_find_player(table->game, &lower, 1),
        };
        assert_int_not_equal(contents.figure, FIGURE_NONE);
        position_put(table->position, game_cell_at(table->game, &x), contents);
    }
    state_index state = 0;
    assert_true(game_find_state(table->game, mover == 'a' ? "a_moves" : "b_moves", 7, &state));
    assert_true(position_set_turn(table->position, state, 5));
}

static void assert_line(const struct table *table, const char *line)
{
    char now[9] = "--------";
    for (int x = 0; x < 8; x++) {
        cell_index cell = game_cell_at(table->game, &x);
        if (cell == CELL_NONE)
            continue;
        struct contents contents = position_contents(table->position, cell);
        now[x] = '.';
        if (contents.figure == FIGURE_NONE)
            continue;
        char name = game_facts(table->game)->player_names[contents.player][0];
        bool man = strcmp(game_facts(table->game)->figure_names[contents.figure], "man") == 0;
        now[x] = (char)(man ? name : name & ~0x20);
    }
    assert_string_equal(now, line);
}

static bool find(const struct table *table, int from, int to, struct move *move)
{
    return movegen_find(table->position, game_cell_at(table->game, &from),
                        game_cell_at(table->game, &to), CHOICE_NONE, move);
}

/* Plays a move that must be legal and checks the strip after it, and that it can be taken back. */
static void play(struct table *table, const char *before, int from, int to, const char *after)
{
    struct move move;
    struct undo *undo = undo_new(table->game);
    set_up(table, before, 'a');
    assert_true(find(table, from, to, &move));
    position_make(table->position, move, undo);
    assert_line(table, after);
    position_unmake(table->position, undo);
    assert_line(table, before);
    position_make(table->position, move, NULL);
    undo_free(undo);
}

static struct contents contents_at(const struct table *table, int x)
{
    return position_contents(table->position, game_cell_at(table->game, &x));
}

/* The targets of the figure on `from`, as a line of crosses. */
static void assert_targets(struct table *table, const char *line, int from, const char *targets)
{
    char found[9] = "........";
    set_up(table, line, 'a');
    for (int to = 0; to < 8; to++) {
        struct move move;
        if (game_cell_at(table->game, &to) != CELL_NONE && find(table, from, to, &move))
            found[to] = 'x';
    }
    assert_string_equal(found, targets);
}

#define ONE_FIGURE(movement, actions)                                                              \
    "\"man\":{\"movement\":[" movement "],\"cell_actions\":{" actions "}},"                        \
    "\"king\":{\"movement\":[]}"

/* --- actions ---------------------------------------------------------------------------------- */

static void a_move_counts_for_the_mover_and_notes_the_move_number(void **state)
{
    (void)state;
    const struct strip strip = {
        .figures = ONE_FIGURE("{\"x\":2}", "\"destination\":[{\"actions\":[\"move\"]}]")};
    struct table table = table_new(&strip);
    play(&table, "a.b.....", 0, 2, "..a.....");
    assert_int_equal(contents_at(&table, 2).moves_made, 1);
    assert_int_equal(contents_at(&table, 2).last_move, 5);
    table_free(&table);
}

static void a_set_without_actions_is_a_pass_that_counts(void **state)
{
    (void)state;
    const struct strip strip = {.figures =
                                    ONE_FIGURE("{\"x\":1}", "\"destination\":[{\"actions\":[]}]")};
    struct table table = table_new(&strip);
    play(&table, "a.......", 0, 1, "a.......");
    assert_int_equal(contents_at(&table, 0).moves_made, 1);
    assert_int_equal(contents_at(&table, 0).last_move, 0);
    table_free(&table);
}

static void swapped_figures_change_places_and_only_the_mover_counts(void **state)
{
    (void)state;
    const struct strip strip = {
        .figures = ONE_FIGURE("{\"x\":1}", "\"destination\":[{\"actions\":[\"swap\"]}]")};
    struct table table = table_new(&strip);
    play(&table, "ab......", 0, 1, "ba......");
    assert_int_equal(contents_at(&table, 1).moves_made, 1);
    assert_int_equal(contents_at(&table, 1).last_move, 0);
    assert_int_equal(contents_at(&table, 0).moves_made, 0);
    table_free(&table);
}

static void later_actions_see_the_figures_as_they_were_captured(void **state)
{
    (void)state;
    const struct strip take_swap = {
        .figures = ONE_FIGURE("{\"x\":1}", "\"destination\":[{\"actions\":[\"take\",\"swap\"]}]")};
    struct table table = table_new(&take_swap);
    play(&table, "ab......", 0, 1, "ba......"); /* what was taken is back */
    table_free(&table);
#define CROWN "{\"action\":\"replace\",\"parameters\":{\"new_figure\":\"king\"}}"
    const struct strip before = {
        .figures = ONE_FIGURE("{\"x\":1}", "\"destination\":[{\"actions\":[" CROWN ",\"move\"]}]")};
    table = table_new(&before);
    play(&table, "a.......", 0, 1, ".A......");
    table_free(&table);
    const struct strip after = {
        .figures = ONE_FIGURE("{\"x\":1}", "\"destination\":[{\"actions\":[\"move\"," CROWN "]}]")};
    table = table_new(&after);
    play(&table, "a.......", 0, 1, "Aa......"); /* doubled */
    table_free(&table);
}

static void a_move_on_the_way_leaves_a_copy_there(void **state)
{
    (void)state;
    const struct strip strip = {.figures = ONE_FIGURE("{\"x\":1,\"repeat\":true}",
                                                      "\"destination\":[{\"actions\":[\"move\"]}],"
                                                      "\"transition\":[{\"actions\":[\"move\"]}]")};
    struct table table = table_new(&strip);
    play(&table, "a.b.....", 0, 3, ".aaa....");
    table_free(&table);
}

static void everything_on_the_way_can_be_taken(void **state)
{
    (void)state;
    const struct strip strip = {.figures =
                                    ONE_FIGURE("{\"x\":1,\"repeat\":true}",
                                               "\"destination\":[{\"actions\":[\"move\"],"
                                               "\"if\":[{\"computed\":{\"is_figure\":false}}]}],"
                                               "\"transition\":[{\"actions\":[\"take\"],"
                                               "\"if\":[{\"computed\":{\"is_enemy\":true}}]}]")};
    struct table table = table_new(&strip);
    play(&table, "abab.b..", 0, 4, "..a.ab..");
    /* Where nothing is done at the end, what is taken on the way makes the move legal: a shot. */
    play(&table, "abab.b..", 0, 3, "a.ab.b..");
    table_free(&table);
}

/* --- which rule decides ----------------------------------------------------------------------- */

static void the_first_movement_that_fits_decides_even_against_a_later_one(void **state)
{
    (void)state;
    const struct strip strip = {
        .figures =
            ONE_FIGURE("{\"x\":2,\"cell_actions\":{\"destination\":[{\"actions\":[\"cancel\"]}]}},"
                       "{\"x\":1,\"repeat\":true}",
                       "\"destination\":[{\"actions\":[\"move\"]}]")};
    struct table table = table_new(&strip);
    assert_targets(&table, "a.......", 0, ".x.xxxxx");
    table_free(&table);
}

static void a_movement_whose_if_fails_leaves_the_cell_to_the_next(void **state)
{
    (void)state;
    const struct strip strip = {
        .figures = ONE_FIGURE("{\"x\":2,\"if\":[{\"self\":{\"moves_made\":3}}],"
                              "\"cell_actions\":{\"destination\":[{\"actions\":[\"cancel\"]}]}},"
                              "{\"x\":1,\"repeat\":true}",
                              "\"destination\":[{\"actions\":[\"move\"]}]")};
    struct table table = table_new(&strip);
    assert_targets(&table, "a.......", 0, ".xxxxxxx");
    table_free(&table);
}

static void a_ray_passes_over_holes_unless_something_cancels(void **state)
{
    (void)state;
    const struct strip open = {.hole = 3,
                               .figures =
                                   ONE_FIGURE("{\"x\":1,\"repeat\":true}",
                                              "\"destination\":[{\"actions\":[\"move\"]}],"
                                              "\"transition\":[{\"actions\":[\"cancel\"],"
                                              "\"if\":[{\"computed\":{\"is_figure\":true}}]}]")};
    struct table table = table_new(&open);
    assert_targets(&table, "a..-.b..", 0, ".xx.xx..");
    table_free(&table);
    const struct strip closed = {.hole = 3,
                                 .figures =
                                     ONE_FIGURE("{\"x\":1,\"repeat\":true}",
                                                "\"destination\":[{\"actions\":[\"move\"]}],"
                                                "\"transition\":[{\"actions\":[\"cancel\"],"
                                                "\"if\":[{\"computed\":{\"is_cell\":false}}]}]")};
    table = table_new(&closed);
    assert_targets(&table, "a..-.b..", 0, ".xx.....");
    table_free(&table);
}

static void a_hole_has_no_figure_and_can_make_a_move_legal(void **state)
{
    (void)state;
    const struct strip strip = {.hole = 3,
                                .figures =
                                    ONE_FIGURE("{\"x\":1,\"repeat\":true}",
                                               "\"destination\":[{\"actions\":[\"move\"],"
                                               "\"if\":[{\"target\":{\"player\":\"b\"}}]}],"
                                               "\"transition\":[{\"actions\":[\"take\"],"
                                               "\"if\":[{\"computed\":{\"is_cell\":false}}]}]")};
    struct table table = table_new(&strip);
    assert_targets(&table, "a..-.b..", 0, "....xxxx");
    play(&table, "a..-.b..", 0, 4, "a..-.b.."); /* taking from a hole takes nothing */
    play(&table, "a..-.b..", 0, 5, "...-.a..");
    table_free(&table);
}

static void a_combined_movement_is_tried_only_where_no_simple_one_is_legal(void **state)
{
    (void)state;
    const struct strip strip = {
        .figures = ONE_FIGURE("{\"x\":1}", "\"destination\":[{\"actions\":[\"move\"],"
                                           "\"if\":[{\"computed\":{\"is_figure\":false}}]}]"),
        .combined = "{\"figures\":[{\"figure\":\"man\",\"coordinates_delta\":{\"x\":1}},"
                    "{\"figure\":\"man\",\"relative_position\":{\"x\":1},"
                    "\"coordinates_delta\":{\"x\":1}}],"
                    "\"cell_actions\":{\"destination\":[{\"actions\":[\"move\"]}]}}"};
    struct table table = table_new(&strip);
    /* The front one of two goes alone; the back one pushes it, and is then itself overwritten by nobody: it moved
     * first, the front one's captured self moves second. */
    play(&table, "aa......", 1, 2, "a.a.....");
    play(&table, "aa......", 0, 1, "..a.....");
    table_free(&table);
}

static void any_of_a_group_may_begin_it_and_the_others_do_not_count(void **state)
{
    (void)state;
    const struct strip strip = {
        .figures = ONE_FIGURE("{\"x\":7}", "\"destination\":[]"),
        .combined =
            "{\"figures\":[{\"figure\":\"man\",\"coordinates_delta\":{\"x\":2}},"
            "{\"figure\":\"man\",\"relative_position\":{\"x\":3},"
            "\"coordinates_delta\":{\"x\":-2}}],"
            "\"cell_actions\":{\"destination\":[{\"actions\":[\"move\"],"
            "\"if\":[{\"self\":{\"moves_made\":0},\"computed\":{\"is_figure\":false}}]}]}}"};
    struct table table = table_new(&strip);
    play(&table, ".a..b...", 1, 3, "..ba....");
    assert_int_equal(contents_at(&table, 3).moves_made, 1);
    assert_int_equal(contents_at(&table, 2).moves_made, 0);
    assert_int_equal(contents_at(&table, 2).last_move, 5);
    play(&table, ".b..a...", 4, 2, "..ab....");
    assert_targets(&table, ".a.bb...", 1, "........");
    table_free(&table);
}

/* --- the end ---------------------------------------------------------------------------------- */

static struct outcome outcome_without_moves(const char *more)
{
    const struct strip strip = {
        .more = more,
        .figures = ONE_FIGURE("{\"x\":1}", "\"destination\":[{\"actions\":[\"move\"]}]")};
    struct table table = table_new(&strip);
    set_up(&table, "b......a", 'a');
    struct outcome outcome = position_outcome(table.position);
    assert_string_equal(outcome.reason, "a has no legal move");
    assert_int_equal(position_to_move(table.position), 0);
    outcome.reason = "";
    table_free(&table);
    return outcome;
}

static void who_cannot_move_loses_or_draws_or_wins_as_the_file_says(void **state)
{
    (void)state;
    struct outcome lost = outcome_without_moves("");
    assert_int_equal(lost.kind, OUTCOME_WON);
    assert_int_equal(lost.winner, 1);
    struct outcome drawn = outcome_without_moves("\"no_moves\":\"draw\",");
    assert_int_equal(drawn.kind, OUTCOME_DRAWN);
    assert_int_equal(drawn.winner, PLAYER_NONE);
    struct outcome won = outcome_without_moves("\"no_moves\":\"win\",");
    assert_int_equal(won.kind, OUTCOME_WON);
    assert_int_equal(won.winner, 0);
}

static void the_bound_on_plies_ends_the_game_as_a_draw(void **state)
{
    (void)state;
    const struct strip strip = {.more = "\"max_plies\":3,",
                                .figures =
                                    ONE_FIGURE("{\"x\":1,\"also_reversed\":true}",
                                               "\"destination\":[{\"actions\":[\"move\"]}]")};
    struct table table = table_new(&strip);
    static const int moves[][2] = {{0, 1}, {7, 6}, {1, 2}};
    for (int i = 0; i < 3; i++) {
        struct move move;
        assert_int_equal(position_outcome(table.position).kind, OUTCOME_PLAYING);
        assert_true(find(&table, moves[i][0], moves[i][1], &move));
        position_make(table.position, move, NULL);
    }
    struct outcome outcome = position_outcome(table.position);
    assert_int_equal(outcome.kind, OUTCOME_DRAWN);
    assert_string_equal(outcome.reason, "no winner after 3 moves");
    assert_int_equal(movegen_count(table.position), 0);
    struct move move;
    assert_false(find(&table, 6, 5, &move));
    table_free(&table);
}

static const char winning_states[] =
    "\"a_moves\":{\"type\":\"move\",\"parameters\":{\"player\":\"a\"},\"next\":\"a_won\"},"
    "\"b_moves\":{\"type\":\"move\",\"parameters\":{\"player\":\"b\"},\"next\":\"a_moves\"},"
    "\"a_won\":{\"type\":\"check_win\",\"parameters\":{\"player\":\"a\"},\"next\":["
    "{\"state\":\"game_over\",\"if\":[{\"result\":true}]},"
    "{\"state\":\"b_won\",\"if\":[{\"result\":false}]}]},"
    "\"b_won\":{\"type\":\"check_win\",\"parameters\":{\"player\":\"b\"},\"next\":["
    "{\"state\":\"game_over\",\"if\":[{\"result\":true}]},"
    "{\"state\":\"b_moves\",\"if\":[{\"result\":false}]}]},"
    "\"game_over\":{\"type\":\"end\"}";

static void the_winner_is_whom_the_last_check_on_the_way_named(void **state)
{
    (void)state;
    const struct strip strip = {
        .states = winning_states,
        .wins = "\"a\":[{\"entity\":\"cell\",\"type\":\"exists\",\"result\":true,"
                "\"filter\":{\"player\":\"a\",\"coordinates\":{\"x\":5}}}],"
                "\"b\":[{\"entity\":\"cell\",\"type\":\"exists\",\"result\":true,"
                "\"filter\":{\"figure\":\"man\",\"moves_made\":1,\"coordinates\":{\"x\":6}}}]",
        .figures = ONE_FIGURE("{\"x\":1,\"repeat\":true}",
                              "\"destination\":[{\"actions\":[\"take\",\"move\"]}]")};
    struct table table = table_new(&strip);
    play(&table, "a......b", 0, 5, ".....a.b");
    struct outcome outcome = position_outcome(table.position);
    assert_int_equal(outcome.kind, OUTCOME_WON);
    assert_int_equal(outcome.winner, 0);
    assert_string_equal(outcome.reason, "game over");
    assert_int_equal(position_to_move(table.position), PLAYER_NONE);
    play(&table, "a......b", 0, 6, "......ab");
    assert_int_equal(position_outcome(table.position).winner, 1);
    play(&table, "a.b.....", 0, 4, "..b.a...");
    assert_int_equal(position_outcome(table.position).kind, OUTCOME_PLAYING);
    /* Set up by hand there is no way, and this end can have two winners: nobody is named. */
    state_index over = 0;
    assert_true(game_find_state(table.game, "game_over", 9, &over));
    assert_true(position_set_turn(table.position, over, 1));
    assert_int_equal(position_outcome(table.position).kind, OUTCOME_DRAWN);
    assert_true(game_find_state(table.game, "a_won", 5, &over));
    assert_false(position_set_turn(table.position, over, 1));
    table_free(&table);
}

/* --- bounds ----------------------------------------------------------------------------------- */

/* A file within every bound of its own that would need tables without end. */
static char *monstrous_game(void)
{
    const size_t room = DEFINITION_BYTES_MAX;
    char *text = malloc(room);
    assert_non_null(text);
    FILE *out = fmemopen(text, room, "w");
    assert_non_null(out);
    fputs("{\"name\":\"monster\",\"players\":[\"a\",\"b\"],\"cell\":{\"coordinates_names\":"
          "[\"x\",\"y\"],\"geometry\":[[0,0],[0,1],[1,1]],\"position\":{\"x\":\"x\",\"y\":\"y\"}},"
          "\"board\":{\"rotation_angle\":{\"a\":0,\"b\":0},\"cells\":[",
          out);
    for (int i = 0; i < CELLS_MAX; i++)
        fprintf(out, "%s{\"x\":%d,\"y\":%d}", i > 0 ? "," : "", i / 32, i % 32);
    fputs("]},\"figures\":{", out);
    for (int i = 0; i < 10; i++) {
        fprintf(out, "%s\"f%d\":{\"movement\":[", i > 0 ? "," : "", i);
        for (int k = 0; k < 24; k++)
            fprintf(out,
                    "%s{\"x\":%d,\"y\":%d,\"repeat\":true,\"also_reversed\":true,"
                    "\"if\":[{\"computed\":{\"is_enemy\":true}}]}",
                    k > 0 ? "," : "", k % 3, 1 + k % 2);
        fputs("],\"cell_actions\":{\"destination\":[{\"actions\":[\"move\"]}]}}", out);
    }
    fputs("},\"initial_position\":{\"a\":{\"f0\":[{\"x\":0,\"y\":0}]},\"b\":{\"f0\":"
          "[{\"x\":1,\"y\":0}]}},\"win_conditions\":{},\"game_states\":{",
          out);
    fprintf(out, "%s},\"initial_game_state\":\"a_moves\"}", plain_states);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void a_game_too_large_for_the_tables_is_refused_with_a_diagnostic(void **state)
{
    (void)state;
    char *text = monstrous_game();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    assert_null(game_load(text, strlen(text), NULL, &diagnostics));
    assert_int_equal(diagnostics.error_count, 1);
    assert_non_null(strstr(diagnostics.list[0].message, "too large"));
    diagnostics_release(&diagnostics);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_counts_for_the_mover_and_notes_the_move_number),
        cmocka_unit_test(a_set_without_actions_is_a_pass_that_counts),
        cmocka_unit_test(swapped_figures_change_places_and_only_the_mover_counts),
        cmocka_unit_test(later_actions_see_the_figures_as_they_were_captured),
        cmocka_unit_test(a_move_on_the_way_leaves_a_copy_there),
        cmocka_unit_test(everything_on_the_way_can_be_taken),
        cmocka_unit_test(the_first_movement_that_fits_decides_even_against_a_later_one),
        cmocka_unit_test(a_movement_whose_if_fails_leaves_the_cell_to_the_next),
        cmocka_unit_test(a_ray_passes_over_holes_unless_something_cancels),
        cmocka_unit_test(a_hole_has_no_figure_and_can_make_a_move_legal),
        cmocka_unit_test(a_combined_movement_is_tried_only_where_no_simple_one_is_legal),
        cmocka_unit_test(any_of_a_group_may_begin_it_and_the_others_do_not_count),
        cmocka_unit_test(who_cannot_move_loses_or_draws_or_wins_as_the_file_says),
        cmocka_unit_test(the_bound_on_plies_ends_the_game_as_a_draw),
        cmocka_unit_test(the_winner_is_whom_the_last_check_on_the_way_named),
        cmocka_unit_test(a_game_too_large_for_the_tables_is_refused_with_a_diagnostic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
