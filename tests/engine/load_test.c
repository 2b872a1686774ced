/* Loading as a whole: what a sound file becomes, the bounds, and what happens when memory runs out.
 */
#include "tests/support/test.h"

#include "tests/engine/loading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/load/definition.h"
#include "engine/load/load.h"
#include "engine/tables.h"

enum { TEXT_BYTES = 512 * 1024 };

/* --- making files ----------------------------------------------------------------------------- */

static char *sound_text(void)
{
    char *text = test_read_file("tests/engine/broken/sound.json", NULL);
    assert_non_null(text);
    return text;
}

/* The sound file with one piece replaced, and without names of the cells, so that there may be
 * more; in new memory. */
static char *changed_text(const char *from, const char *to)
{
    static const char name[] = "\"name\": \"'abc'[x] + (y + 1)\"";
    char *sound = sound_text();
    char *name_at = strstr(sound, name);
    assert_non_null(name_at);
    memset(name_at, ' ', strlen(name));
    while (*--name_at != ',')
        continue;
    *name_at = ' ';
    char *text = loading_replace(sound, from, to);
    free(sound);
    return text;
}

static struct definition *read(const char *text, struct diagnostics *diagnostics)
{
    diagnostics_init(diagnostics);
    return definition_read(text, strlen(text), NULL, diagnostics);
}

static void expect_error(const char *from, const char *to, const char *message)
{
    char *text = changed_text(from, to);
    struct diagnostics diagnostics;
    assert_null(read(text, &diagnostics));
    bool found = false;
    for (int i = 0; i < diagnostics.count; i++)
        found = found || strcmp(diagnostics.list[i].message, message) == 0;
    if (!found)
        fail_msg("not said: %s; but: %s", message, diagnostics.list[0].message);
    diagnostics_release(&diagnostics);
    free(text);
}

static void expect_no_error(const char *from, const char *to)
{
    char *text = changed_text(from, to);
    struct diagnostics diagnostics;
    struct definition *definition = read(text, &diagnostics);
    if (definition == NULL)
        fail_msg("refused: %s", diagnostics.list[0].message);
    definition_free(definition);
    diagnostics_release(&diagnostics);
    free(text);
}

/* --- what a sound file becomes ---------------------------------------------------------------- */

static void a_sound_file_becomes_what_it_says(void **state)
{
    (void)state;
    char *text = sound_text();
    struct diagnostics diagnostics;
    struct definition *game = read(text, &diagnostics);
    free(text); /* nothing of the definition points into it */
    assert_non_null(game);
    assert_int_equal(diagnostics.count, 0);
    assert_string_equal(game->name, "hop");
    assert_string_equal(game->title, "Hop");
    assert_int_equal(game->no_moves, NO_MOVES_DRAW);
    assert_int_equal(game->max_plies, 100);
    assert_int_equal(game->dimension_count, 2);
    assert_int_equal(game->cell_count, 9);
    assert_int_equal(game->figure_count, 2);
    assert_int_equal(game->player_count, 2);
    assert_int_equal(game->shape_count, 1);
    assert_true(game->rotation[0] == 0 && game->rotation[1] == 180);

    const struct board_cell *cell = &game->cells[5]; /* 1_2 */
    assert_int_equal(cell->coordinates[0], 1);
    assert_int_equal(cell->coordinates[1], 2);
    assert_string_equal(cell->name, "b3");
    assert_true(cell->layout.x == 1 && cell->layout.y == 0);
    assert_string_equal(cell->layout.fill, "grey");
    assert_string_equal(cell->layout.selector, "gold");
    assert_string_equal(cell->layout.highlighter, "lightgreen");
    assert_int_equal(game->shapes[cell->layout.shape].point_count, 4);
    assert_true(game->shapes[0].points[2].x == 1 && game->shapes[0].points[2].y == 1);

    assert_string_equal(game->images.figures[0][0], "hop/knight.svg");
    assert_string_equal(game->images.figures[1][0], "hop/black-knight.svg");
    assert_null(game->images.figures[0][1]);
    definition_free(game);
    diagnostics_release(&diagnostics);
}

static void movements_conditions_and_actions_are_joined(void **state)
{
    (void)state;
    char *text = sound_text();
    struct diagnostics diagnostics;
    struct definition *game = read(text, &diagnostics);
    const struct movement_list *knight = game->figures[0].movement;
    assert_int_equal(knight[0].count, 4);
    assert_ptr_equal(knight[0].movements, knight[1].movements);
    assert_int_equal(knight[0].movements[1].delta.of[1], -knight[0].movements[0].delta.of[1]);
    assert_null(knight[0].movements[0].condition);
    assert_int_equal(knight[0].movements[2].delta.of[1], -1);
    assert_int_equal(knight[0].movements[2].condition->kind, CONDITION_CELL);
    assert_int_equal(knight[0].movements[2].condition->match.moves_made, 0);
    assert_string_equal(knight[0].movements[2].pointer, "/figures/knight/movement/1");

    const struct cell_actions *actions = &knight[0].movements[0].actions;
    assert_int_equal(actions->destination_count, 2);
    assert_int_equal(actions->transition_count, 0);
    assert_int_equal(actions->destination[0].action_count, 2);
    assert_int_equal(actions->destination[0].actions[1].kind, RULE_MOVE);
    const struct condition_node *empty = actions->destination[1].condition;
    assert_int_equal(empty->kind, CONDITION_CELL);
    assert_true(empty->from_target);
    assert_true(empty->match.empty && empty->match.figures == 0);

    const struct movement_list *rook = game->figures[1].movement;
    assert_int_equal(rook[0].movements[0].delta.of[0], 1);
    assert_int_equal(rook[1].movements[0].delta.of[1], 1);
    assert_int_equal(rook[1].movements[0].condition->kind, CONDITION_ALL);
    assert_int_equal(rook[1].movements[0].condition->child_count, 0);
    assert_int_equal(rook[0].movements[0].actions.destination[0].actions[0].new_figure, 0);
    assert_int_equal(rook[0].movements[0].actions.transition[0].actions[0].kind, RULE_CANCEL);

    /* the participant's own sets come before those of the combined movement */
    assert_int_equal(game->combined_count, 1);
    const struct participant *partner = &game->combined[0].participants[1];
    assert_int_equal(partner->figure, 1);
    assert_int_equal(partner->at.of[0], 1);
    assert_int_equal(partner->delta.of[0], -1);
    assert_int_equal(partner->actions.destination_count, 2);
    assert_int_equal(partner->actions.destination[0].action_count, 1);
    assert_int_equal(partner->actions.destination[1].action_count, 0);
    assert_int_equal(partner->actions.destination[1].condition->children[0].kind,
                     CONDITION_CURRENT_MOVE);
    definition_free(game);
    diagnostics_release(&diagnostics);
    free(text);
}

static void passive_states_at_the_beginning_are_run(void **state)
{
    (void)state;
    char *text = sound_text();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    struct game *begun = game_load(text, strlen(text), NULL, &diagnostics);
    assert_string_equal(begun->states[begun->initial_state].name, "white_moves");
    assert_int_equal(begun->initial_move_number, 2);
    game_release(begun);
    diagnostics_release(&diagnostics);
    struct definition *game = read(text, &diagnostics);
    const struct machine_state *look = &game->states[1];
    assert_string_equal(game->states[look->next[0]].name, "white_moves");
    assert_string_equal(game->states[look->next[1]].name, "black_won");
    assert_int_equal(game->states[6].winner, 0);
    assert_string_equal(game->states[6].reason, "the knight is lost");
    assert_int_equal(game->states[7].winner, PLAYER_NONE);
    definition_free(game);
    diagnostics_release(&diagnostics);
    free(text);
}

static void a_movements_own_condition_can_be_ignored(void **state)
{
    (void)state;
    char *text = sound_text();
    const struct load_options options = {.ignore_movement_if = true};
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    struct definition *game = definition_read(text, strlen(text), &options, &diagnostics);
    assert_non_null(game);
    assert_null(game->figures[0].movement[0].movements[2].condition);
    assert_null(game->figures[1].movement[1].movements[0].condition);
    definition_free(game);
    diagnostics_release(&diagnostics);
    free(text);
}

static void players_are_found_in_order_of_appearance(void **state)
{
    (void)state;
    char *text = changed_text("\"players\": [\"white\", \"black\"],", "");
    struct diagnostics diagnostics;
    struct definition *game = read(text, &diagnostics);
    assert_non_null(game);
    assert_string_equal(game->player_names[0], "white");
    assert_string_equal(game->player_names[1], "black");
    definition_free(game);
    diagnostics_release(&diagnostics);
    free(text);
    text = changed_text("[\"white\", \"black\"]", "[\"black\", \"green\", \"white\"]");
    game = read(text, &diagnostics);
    assert_non_null(game);
    assert_int_equal(game->player_count, 3);
    assert_string_equal(game->player_names[1], "green");
    definition_free(game);
    diagnostics_release(&diagnostics);
    free(text);
}

static void outlines_may_differ_from_cell_to_cell(void **state)
{
    (void)state;
    char *text = changed_text("[\"1 + 0 * x\", 1]", "[\"x == 1 ? 0.5 : 1\", 1]");
    struct diagnostics diagnostics;
    struct definition *game = read(text, &diagnostics);
    assert_non_null(game);
    assert_int_equal(game->shape_count, 2);
    assert_int_equal(game->cells[0].layout.shape, 0);
    assert_int_equal(game->cells[3].layout.shape, 1);
    assert_int_equal(game->cells[8].layout.shape, 0);
    assert_true(game->shapes[1].points[2].x == 0.5);
    definition_free(game);
    diagnostics_release(&diagnostics);
    free(text);
}

static void original_games_load_unchanged(void **state)
{
    (void)state;
    static const char *const names[] = {"chess", "checkers", "intellector"};
    static const int cells[] = {64, 64, 59}, placements[] = {32, 24, 28};
    for (int i = 0; i < 3; i++) {
        char relative[64];
        snprintf(relative, sizeof relative, "data/original-games/%s.json", names[i]);
        char *path = test_shared_path(relative);
        if (path == NULL)
            skip();
        size_t length;
        char *text = test_read_file(path, &length);
        struct diagnostics diagnostics;
        struct definition *game = read(text, &diagnostics);
        assert_non_null(game);
        assert_int_equal(diagnostics.error_count,
                         0); /* a warning says that pictures of elsewhere are not shown */
        assert_string_equal(game->name, names[i]);
        assert_int_equal(game->cell_count, cells[i]);
        int placed = 0;
        for (int cell = 0; cell < game->cell_count; cell++)
            placed += game->start[cell].player != PLAYER_NONE;
        assert_int_equal(placed, placements[i]);
        definition_free(game);
        diagnostics_release(&diagnostics);
        free(text);
        free(path);
    }
}

/* --- bounds ----------------------------------------------------------------------------------- */

static void files_are_bounded(void **state)
{
    (void)state;
    char *text = malloc(DEFINITION_BYTES_MAX + 1);
    memset(text, ' ', DEFINITION_BYTES_MAX + 1);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    assert_null(definition_read(text, DEFINITION_BYTES_MAX + 1, NULL, &diagnostics));
    assert_string_equal(diagnostics.list[0].message,
                        "the file is too large: 262145 bytes, at most 262144 are allowed");
    diagnostics_release(&diagnostics);
    /* one byte less is looked at */
    assert_null(definition_read(text, DEFINITION_BYTES_MAX, NULL, &diagnostics));
    assert_int_equal(strncmp(diagnostics.list[0].message, "this is not JSON", 16), 0);
    diagnostics_release(&diagnostics);
    free(text);
}

#define KNIGHT "{\"x\": 1, \"y\": 2, \"also_reversed\": true}"
#define SET    "{\"actions\": [\"move\"], \"if\": [{\"target\": {\"figure\": null}}]}"

static void everything_that_can_be_many_is_bounded(void **state)
{
    (void)state;
    expect_error("\"cells\": [", loading_repeat("\"cells\": [", "{\"x\": %d, \"y\": 9}", 1016, ","),
                 "too many cells: 1025, at most 1024 are allowed");
    expect_no_error("\"cells\": [",
                    loading_repeat("\"cells\": [", "{\"x\": 2%d, \"y\": 9}", 1, ","));
    expect_error("\"figures\": {",
                 loading_repeat("\"figures\": {", "\"f%d\": {\"movement\": []}", 63, ","),
                 "too many figures: 65, at most 64 are allowed");
    expect_no_error("\"figures\": {",
                    loading_repeat("\"figures\": {", "\"f%d\": {\"movement\": []}", 62, ","));
    expect_error("\"black\"],", loading_repeat("\"black\",", "\"p%d\"", 7, "],"),
                 "too many players: at most 8 are allowed");
    expect_error("\"game_states\": {",
                 loading_repeat("\"game_states\": {", "\"s%d\": {\"type\": \"end\"}", 249, ","),
                 "too many states: 257, at most 256 are allowed");
    expect_no_error("\"game_states\": {",
                    loading_repeat("\"game_states\": {", "\"s%d\": {\"type\": \"end\"}", 248, ","));
    expect_error(KNIGHT, loading_repeat("", "{\"x\": 1, \"y\": %d}", 1024, ""),
                 "too many movements: 1025, at most 1024 are allowed");
    expect_no_error(KNIGHT, loading_repeat("", "{\"x\": 1, \"y\": %d}", 1023, ""));
    expect_error("\"complex_movement\": [",
                 loading_repeat("\"complex_movement\": [",
                                "{\"figures\": [], \"cell_actions\": {}}", 256, ","),
                 "too many combined movements: 257, at most 256 are allowed");
    expect_error(
        "{\"figure\": \"knight\", \"coordinates_delta\": {\"x\": 1}}",
        loading_repeat("", "{\"figure\": \"knight\", \"coordinates_delta\": {\"x\": %d}}", 8, ""),
        "too many figures: 9, at most 8 are allowed");
    expect_error(SET, loading_repeat("", "{\"actions\": []}", 256, ""),
                 "too many action sets: 257, at most 256 are allowed");
    expect_error("[{\"target\": {\"figure\": null}}]", loading_repeat("[", "{}", 257, "]"),
                 "too many conditions: 257, at most 256 are allowed");
    expect_error("\"white\": [{\"entity\"",
                 loading_repeat("\"white\": [",
                                "{\"entity\": \"cell\", \"type\": \"exists\", \"result\": "
                                "true, \"filter\": {}}",
                                64, ",{\"entity\""),
                 "too many win conditions: 65, at most 64 are allowed");
    expect_error("[{\"state\": \"pause\"",
                 loading_repeat("[", "{\"state\": \"pause\"}", 256, ",{\"state\": \"pause\""),
                 "too many branches: 257, at most 256 are allowed");
    expect_error("[[0, 0], ", loading_repeat("[", "[%d, 0]", 62, ","),
                 "too many points: 65, at most 64 are allowed");
    expect_error("\"title\": \"Hop\"", loading_repeat("\"title\": \"", "%d", 100, "\""),
                 "`title` is too long: at most 200 bytes are allowed");
    expect_error("\"hop/knight.svg\"", loading_repeat("\"", "%d", 200, "\""),
                 "this cannot be an image: it is too long");
}

static void work_is_bounded(void **state)
{
    (void)state;
    /* a thousand cells, and eleven figures of twenty-four movements each */
    char *cells = strdup(loading_repeat("\"cells\": [", "{\"x\": %d, \"y\": 9}", 1000, ","));
    char *large = changed_text("\"cells\": [", cells);
    char *at = strstr(large, "\"figures\": {") + strlen("\"figures\": {");
    static char text[2 * TEXT_BYTES];
    size_t used = (size_t)snprintf(text, sizeof text, "%.*s", (int)(at - large), large);
    for (int i = 0; i < 11; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "\"f%d\": {\"movement\": [%s]},",
                                 i, loading_repeat("", "{\"x\": 1, \"y\": %d}", 24, ""));
    snprintf(text + used, sizeof text - used, "%s", at);
    struct diagnostics diagnostics;
    assert_null(read(text, &diagnostics));
    int said = 0;
    for (int i = 0; i < diagnostics.count; i++)
        said += strcmp(diagnostics.list[i].message,
                       "too many movements for a board of 1009 cells") == 0;
    assert_int_equal(said, 1);
    diagnostics_release(&diagnostics);
    free(large);
    free(cells);

    /* the figure's hundred and one sets count for each of its two hundred movements */
    char *sets = strdup(loading_repeat("", "{\"actions\": []}", 100, "," SET));
    char *many_sets = changed_text(SET, sets);
    at = strstr(many_sets, KNIGHT);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - many_sets), many_sets,
             loading_repeat("", "{\"x\": 1, \"y\": %d}", 200, ""), at + strlen(KNIGHT));
    assert_null(read(text, &diagnostics));
    assert_int_equal(diagnostics.error_count, 1);
    assert_string_equal(diagnostics.list[0].message,
                        "too many action sets: at most 16384 are allowed in a game");
    diagnostics_release(&diagnostics);
    free(many_sets);
    free(sets);
}

static void computing_is_bounded(void **state)
{
    (void)state;
    /* ten expressions of some nine hundred bytes for a thousand cells */
    char *cells = strdup(loading_repeat("\"cells\": [", "{\"x\": %d, \"y\": 9}", 1000, ","));
    char *large = changed_text("\"cells\": [", cells);
    char expression[1024] = "0";
    while (strlen(expression) < 900)
        strncat(expression, "+x*0", sizeof expression - strlen(expression) - 1);
    char *at = strstr(large, "[[0, 0]") + 1;
    static char text[2 * TEXT_BYTES];
    size_t used = (size_t)snprintf(text, sizeof text, "%.*s", (int)(at - large), large);
    for (int i = 0; i < 10; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "[\"%s\", 0],", expression);
    snprintf(text + used, sizeof text - used, "%s", at);
    struct diagnostics diagnostics;
    assert_null(read(text, &diagnostics));
    assert_int_equal(diagnostics.error_count, 1);
    bool said = false;
    for (int i = 0; i < diagnostics.count; i++)
        said = said || strcmp(diagnostics.list[i].message, "too much to compute: long expressions "
                                                           "for so many cells") == 0;
    assert_true(said);
    diagnostics_release(&diagnostics);
    free(large);
    free(cells);
}

/* --- many findings ---------------------------------------------------------------------------- */

static void findings_beyond_a_hundred_are_counted(void **state)
{
    (void)state;
    char *text = changed_text(KNIGHT, loading_repeat("", "{\"z\": %d}", 150, ""));
    struct diagnostics diagnostics;
    assert_null(read(text, &diagnostics));
    assert_int_equal(diagnostics.count, DIAGNOSTICS_MAX);
    assert_int_equal(diagnostics.dropped, 50);
    assert_int_equal(diagnostics.error_count, 150);
    for (int i = 1; i < diagnostics.count; i++)
        assert_true(diagnostics.list[i - 1].line <= diagnostics.list[i].line);
    diagnostics_release(&diagnostics);
    free(text);
}

static void an_error_takes_the_place_of_a_warning(void **state)
{
    (void)state;
    char *text = changed_text("\"title\": \"Hop\"", loading_repeat("", "\"other%d\": 0", 120, ""));
    char *at = strstr(text, "\"initial_game_state\": \"begin\"");
    at[strlen("\"initial_game_state\": \"begi")] = 'x';
    struct diagnostics diagnostics;
    assert_null(read(text, &diagnostics));
    assert_int_equal(diagnostics.count, DIAGNOSTICS_MAX);
    assert_int_equal(diagnostics.error_count, 1);
    int errors = 0;
    for (int i = 0; i < diagnostics.count; i++)
        errors += diagnostics.list[i].severity == DIAGNOSTIC_ERROR;
    assert_int_equal(errors, 1);
    diagnostics_release(&diagnostics);
    free(text);
}

static void long_pointers_and_words_are_cut(void **state)
{
    (void)state;
    char key[600] = "\"title\": \"Hop\", \"";
    for (int i = 0; i < 130; i++)
        strncat(key, "ä~/", sizeof key - strlen(key) - 1);
    strncat(key, "\": 1", sizeof key - strlen(key) - 1);
    char *text = changed_text("\"title\": \"Hop\"", key);
    struct diagnostics diagnostics;
    struct definition *game = read(text, &diagnostics);
    assert_non_null(game);
    const struct diagnostic *found = &diagnostics.list[0];
    assert_true(strlen(found->pointer) < DIAGNOSTIC_POINTER_BYTES);
    assert_string_equal(found->pointer + strlen(found->pointer) - strlen("…"), "…");
    assert_non_null(strstr(found->message, "…`"));
    /* it is found all the same: at its key */
    int line = 1;
    const char *at = text, *wanted = strstr(text, "\"ä~/");
    for (const char *next = strchr(at, '\n'); next != NULL && next < wanted; line++) {
        at = next + 1;
        next = strchr(at, '\n');
    }
    assert_int_equal(found->line, line);
    assert_int_equal(found->column, wanted - at + 1);
    definition_free(game);
    diagnostics_release(&diagnostics);
    free(text);
}

/* --- memory ----------------------------------------------------------------------------------- */

static void any_allocation_may_fail(void **state)
{
    (void)state;
    char *text = sound_text();
    loading_expect_allocations_may_fail(text, NULL, 400, 3);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_file_becomes_what_it_says),
        cmocka_unit_test(movements_conditions_and_actions_are_joined),
        cmocka_unit_test(passive_states_at_the_beginning_are_run),
        cmocka_unit_test(a_movements_own_condition_can_be_ignored),
        cmocka_unit_test(players_are_found_in_order_of_appearance),
        cmocka_unit_test(outlines_may_differ_from_cell_to_cell),
        cmocka_unit_test(original_games_load_unchanged),
        cmocka_unit_test(files_are_bounded),
        cmocka_unit_test(everything_that_can_be_many_is_bounded),
        cmocka_unit_test(work_is_bounded),
        cmocka_unit_test(computing_is_bounded),
        cmocka_unit_test(findings_beyond_a_hundred_are_counted),
        cmocka_unit_test(an_error_takes_the_place_of_a_warning),
        cmocka_unit_test(long_pointers_and_words_are_cut),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("loading", tests, NULL, NULL);
}
