/* Loading files of format 2: what a sound one becomes for each player, the bounds, and what happens when memory runs out.
 * What is said about broken ones stands in broken/modern.txt. */
#include "tests/support/test.h"

#include "tests/engine/loading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bits.h"
#include "engine/load/definition.h"

enum { TEXT_BYTES = 512 * 1024, WHITE = 0, BLACK = 1, RED = 2 };

/* --- making files ----------------------------------------------------------------------------- */

static char *sound_text(void)
{
    char *text = test_read_file("tests/engine/broken/modern.json", NULL);
    assert_non_null(text);
    return text;
}

/* The sound file with one piece replaced; in new memory. */
static char *changed_text(const char *from, const char *to)
{
    char *sound = sound_text();
    char *text = loading_replace(sound, from, to);
    free(sound);
    return text;
}

static struct definition *read_for(const char *text, int player_count,
                                   struct diagnostics *diagnostics)
{
    struct load_options options = {.player_count = player_count};
    diagnostics_init(diagnostics);
    return definition_read(text, strlen(text), &options, diagnostics);
}

/* The definition of the sound file with one piece replaced. */
static struct definition *read_changed(const char *from, const char *to)
{
    char *text = changed_text(from, to);
    struct diagnostics diagnostics;
    struct definition *definition = read_for(text, 0, &diagnostics);
    if (definition == NULL)
        fail_msg("refused: %s", diagnostics.list[0].message);
    diagnostics_release(&diagnostics);
    free(text);
    return definition;
}

static void expect_error(const char *from, const char *to, const char *message)
{
    char *text = changed_text(from, to);
    struct diagnostics diagnostics;
    assert_null(read_for(text, 0, &diagnostics));
    int found = 0;
    for (int i = 0; i < diagnostics.count; i++)
        found += strcmp(diagnostics.list[i].message, message) == 0;
    if (found != 1)
        fail_msg("said %d times: %s; first: %s", found, message, diagnostics.list[0].message);
    diagnostics_release(&diagnostics);
    free(text);
}

/* --- asking a definition ---------------------------------------------------------------------- */

static int cell_named(const struct definition *game, const char *name)
{
    for (int i = 0; i < game->cell_count; i++)
        if (strcmp(game->cells[i].name, name) == 0)
            return i;
    fail_msg("no cell %s", name);
    return -1;
}

static int zone_named(const struct definition *game, const char *name)
{
    for (int i = 0; i < game->zone_count; i++)
        if (game->zones[i].name != NULL && strcmp(game->zones[i].name, name) == 0)
            return i;
    fail_msg("no zone %s", name);
    return -1;
}

static bool is_in(const struct definition *game, const char *zone, int player, const char *cell)
{
    return bits_test(game->zones[zone_named(game, zone)].cells[player],
                     (unsigned)cell_named(game, cell));
}

static const struct movement_list *movements_of(const struct definition *game, const char *figure,
                                                int player)
{
    for (int i = 0; i < game->figure_count; i++)
        if (strcmp(game->figure_names[i], figure) == 0)
            return &game->figures[i].movement[player];
    fail_msg("no figure %s", figure);
    return NULL;
}

static bool goes(const struct movement *movement, int x, int y)
{
    return movement->delta.of[0] == x && movement->delta.of[1] == y;
}

static int count_going(const struct movement_list *list, int x, int y)
{
    int count = 0;
    for (int i = 0; i < list->count; i++)
        count += goes(&list->movements[i], x, y);
    return count;
}

static const struct placement *placed_on(const struct definition *game, const char *cell)
{
    const struct placement *placement = &game->start[cell_named(game, cell)];
    return placement->player != PLAYER_NONE ? placement : NULL;
}

static int count_placed(const struct definition *game)
{
    int count = 0;
    for (int cell = 0; cell < game->cell_count; cell++)
        count += game->start[cell].player != PLAYER_NONE;
    return count;
}

/* --- what a sound file becomes ---------------------------------------------------------------- */

static void the_board_is_its_shapes(void **state)
{
    (void)state;
    struct definition *game = read_changed("siege", "siege");
    assert_int_equal(game->format, 2);
    assert_int_equal(game->cell_count, 24); /* five by five without the middle */
    for (int i = 0; i < game->cell_count; i++)
        assert_true(game->cells[i].coordinates[0] != 2 || game->cells[i].coordinates[1] != 2);
    definition_free(game);

    game = read_changed(
        "\"where\": \"x + y > 0\", \"except\": [{\"x\": 2, \"y\": 2}]}, {\"x\": 0, \"y\": 0}",
        "\"except\": [{\"x\": 2, \"y\": 2}]}, {\"box\": {\"x\": 5, \"y\": 5}}");
    assert_int_equal(game->cell_count, 25); /* all united, each once */
    definition_free(game);
}

static void zones_are_each_players_own(void **state)
{
    (void)state;
    struct definition *game = read_changed("siege", "siege");
    assert_true(is_in(game, "home", WHITE, "a1") && !is_in(game, "home", WHITE, "a5"));
    assert_true(is_in(game, "home", BLACK, "a5") && !is_in(game, "home", BLACK, "a1"));
    assert_true(is_in(game, "home", RED, "e3") && !is_in(game, "home", RED, "a1"));
    for (int player = WHITE; player <= RED; player++) {
        assert_true(is_in(game, "corner", player, "a1") && is_in(game, "corner", player, "e2"));
        assert_true(is_in(game, "corner", player, "a5") && !is_in(game, "corner", player, "b5"));
    }
    assert_true(is_in(game, "camp", WHITE, "c2") && !is_in(game, "camp", BLACK, "c2"));
    assert_true(is_in(game, "camp", BLACK, "c4") && !is_in(game, "camp", RED, "c4"));
    definition_free(game);
}

static void movements_are_turned_to_how_each_player_sees_the_board(void **state)
{
    (void)state;
    struct definition *game = read_changed("siege", "siege");
    /* one step forward, two forward, two diagonal takes, and a jump along y */
    const struct movement_list *white = movements_of(game, "man", WHITE);
    const struct movement_list *black = movements_of(game, "man", BLACK);
    const struct movement_list *red = movements_of(game, "man", RED);
    assert_int_equal(white->count, 5);
    assert_true(goes(&white->movements[0], 0, 1) && goes(&black->movements[0], 0, -1));
    assert_true(goes(&red->movements[0], -1, 0));
    /* `side` is given for each player, and `mirror` is what the player calls left and right */
    assert_true(goes(&white->movements[2], 1, 1) && goes(&white->movements[3], -1, 1));
    assert_true(goes(&black->movements[2], -1, -1) && goes(&black->movements[3], 1, -1));
    assert_true(goes(&red->movements[2], -1, 1) && goes(&red->movements[3], -1, -1));
    assert_true(goes(&red->movements[4], -1, 0) && red->movements[4].takes_jumped);
    /* under a player's name nothing is turned */
    assert_true(goes(&movements_of(game, "guard", WHITE)->movements[0], 1, 0));
    assert_true(goes(&movements_of(game, "guard", BLACK)->movements[0], -1, 0));
    assert_int_equal(movements_of(game, "guard", RED)->count, 0);
    definition_free(game);
}

static void the_words_of_movements_are_kept(void **state)
{
    (void)state;
    struct definition *game = read_changed("siege", "siege");
    const struct movement *man = movements_of(game, "man", BLACK)->movements;
    assert_int_equal(man[0].purpose, FOR_MOVE);
    assert_int_equal(man[0].max_steps, 1);
    assert_int_equal(man[1].min_steps, 2);
    assert_int_equal(man[1].mark, 0);
    assert_non_null(man[1].condition);
    assert_int_equal(man[2].takes_marked, 0);
    assert_int_equal(man[4].continues, GOES_ON_MUST);
    assert_int_equal(man[4].over.players, 1 << WHITE | 1 << RED);
    assert_int_equal(man[0].promotion_count, 2);
    assert_int_equal(word_count(man[0].promotions[0].to), 2);
    assert_true(man[0].promotions[1].taken && man[0].promotions[1].optional);

    const struct movement *archer = movements_of(game, "archer", WHITE)->movements;
    assert_int_equal(archer[0].over_min, 1);
    assert_int_equal(archer[0].over_max, 2);
    assert_int_equal(archer[0].max_steps, 3);
    assert_int_equal(archer[2].purpose, FOR_PUT);
    assert_string_equal(game->figure_names[archer[2].put], "stone");
    assert_string_equal(game->phases[archer[2].phase], "shoot");

    const struct movement *fool = movements_of(game, "fool", RED)->movements;
    assert_int_equal(fool[0].purpose, FOR_ACTIONS);
    assert_true(goes(&fool[0], -1, 0) && goes(&fool[1], 1, 0));
    assert_int_equal(fool[0].actions.destination[0].condition->child_count, 2);
    definition_free(game);
}

static void named_lists_stand_in_their_place(void **state)
{
    (void)state;
    struct definition *game = read_changed("siege", "siege");
    const struct movement_list *tower = movements_of(game, "tower", WHITE);
    assert_int_equal(tower->count, 8);
    assert_int_equal(tower->movements[0].purpose, FOR_BOTH);
    assert_int_equal(tower->movements[0].max_steps, CELLS_MAX);
    assert_int_equal(tower->movements[4].purpose, FOR_SWAP);
    assert_int_equal(tower->movements[4].max_steps, 2);
    assert_string_equal(tower->movements[4].pointer, "/movements/line/0");
    assert_int_equal(movements_of(game, "lady", WHITE)->count, 4 + 4 + 8);
    definition_free(game);
}

static void the_words_of_the_outer_use_count(void **state)
{
    (void)state;
    struct definition *game =
        read_changed("\"star\": [\"line\",",
                     "\"short\": [{\"use\": \"line\", \"for\": \"move\", \"repeat\": 3}],"
                     "\"star\": [{\"use\": \"short\", \"for\": \"take\"},");
    const struct movement *lady = movements_of(game, "lady", WHITE)->movements;
    assert_int_equal(lady[0].purpose, FOR_TAKE);
    assert_int_equal(lady[0].max_steps, 3);
    definition_free(game);
}

/* `via` is turned with its movement, for every player. */
static void cells_of_via_turn_with_the_movement(void **state)
{
    (void)state;
    struct definition *game = read_changed("siege", "siege");
    for (int player = WHITE; player <= RED; player++) {
        const struct movement_list *lady = movements_of(game, "lady", player);
        for (int i = 8; i < 16; i++) {
            const struct movement *leap = &lady->movements[i];
            assert_int_equal(leap->via_count, 1);
            /* the leg lies along the longer side */
            assert_int_equal(2 * leap->via_deltas[0].of[0], leap->delta.of[0] / 2 * 2);
            assert_int_equal(2 * leap->via_deltas[0].of[1], leap->delta.of[1] / 2 * 2);
        }
    }
    definition_free(game);
}

/* What `symmetric` makes of a movement: how many directions, none of them twice. */
static void symmetries_make_each_direction_once(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        int count;
    } cases[] = {
        {"\"x\": 1", 1},
        {"\"x\": 1, \"also_reversed\": true", 2},
        {"\"x\": 1, \"symmetric\": \"mirror\"", 2},
        {"\"y\": 1, \"symmetric\": \"mirror\"", 1},
        {"\"x\": 1, \"y\": 1, \"symmetric\": \"mirror\", \"also_reversed\": true", 4},
        {"\"x\": 1, \"symmetric\": \"all\"", 4},
        {"\"x\": 1, \"y\": 1, \"symmetric\": \"all\"", 4},
        {"\"x\": 1, \"y\": -2, \"symmetric\": \"all\", \"also_reversed\": true", 8},
        {"\"x\": 1, \"symmetric\": \"signs\"", 2},
        {"\"x\": 1, \"y\": 2, \"symmetric\": \"signs\"", 4},
        {"\"x\": 1, \"symmetric\": \"hexagon\"", 6},
        {"\"x\": 1, \"y\": 1, \"symmetric\": \"hexagon\"", 6},
        {"\"x\": 1, \"y\": 2, \"symmetric\": \"hexagon\"", 12},
        {"\"x\": 1, \"y\": 1, \"via\": [{\"x\": 1}], \"symmetric\": \"all\"", 8},
        {"\"x\": 2, \"y\": 2, \"via\": [{\"x\": 1, \"y\": 1}], \"symmetric\": \"all\"", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char to[256];
        snprintf(to, sizeof to, "\"stone\": {\"movement\": [{%s}]}", cases[i].words);
        struct definition *game = read_changed("\"stone\": {\"movement\": []}", to);
        const struct movement_list *list = movements_of(game, "stone", WHITE);
        if (list->count != cases[i].count)
            fail_msg("%s: %d", cases[i].words, list->count);
        for (int j = 0; j < list->count; j++)
            if (list->movements[j].via_count == 0)
                assert_int_equal(count_going(list, list->movements[j].delta.of[0],
                                             list->movements[j].delta.of[1]),
                                 1);
        definition_free(game);
    }
}

static void positions_are_mirrored_and_zones_filled(void **state)
{
    (void)state;
    struct definition *game = read_changed("siege", "siege");
    assert_int_equal(count_placed(game), 9 + 3);
    assert_int_equal(placed_on(game, "c2")->player, WHITE);
    assert_int_equal(placed_on(game, "c4")->player, BLACK);
    assert_int_equal(placed_on(game, "d3")->player, RED);
    assert_int_equal(placed_on(game, "e4")->player, RED);
    assert_null(placed_on(game, "a1"));
    definition_free(game);
}

static void turns_are_states(void **state)
{
    (void)state;
    static const char *const names[] = {"white", "white_shoot", "black", "red", "next_move"};
    struct definition *game = read_changed("siege", "siege");
    assert_int_equal(game->state_count, 5);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(game->states[i].name, names[i]);
        assert_int_equal(game->states[i].next[0], (i + 1) % 5);
        assert_int_equal(game->states[i].kind, i < 4 ? MACHINE_MOVE : MACHINE_NEXT_MOVE);
    }
    assert_true(game->states[1].same_figure && game->states[1].phase == 1);
    assert_int_equal(game->initial_state, 0);
    definition_free(game);

    game = read_changed("\"turns\": [\"white\",", "\"turns\": [\"white\", \"white\", \"white\",");
    assert_string_equal(game->states[1].name, "white_2");
    assert_string_equal(game->states[2].name, "white_3");
    definition_free(game);
}

static void what_is_asked_after_a_move_is_read_for_each_mover(void **state)
{
    (void)state;
    struct definition *game = read_changed("siege", "siege");
    assert_int_equal(game->counter_count, 2);
    assert_int_equal(game->counter_slot_count, 1 + 3);
    assert_int_equal(game->counters[1].first_slot, 1);
    assert_int_equal(game->forbid_count, 2);
    assert_int_equal(game->result_count, 5);
    assert_true(game->remove_at_turn_end && game->take_first && game->most_taken);
    assert_false(game->can_go_on);
    assert_int_equal(game->pass, PASSES_IF);
    for (int mover = WHITE; mover <= RED; mover++) {
        const struct condition_node *attacked = game->forbid[mover][0].condition;
        assert_int_equal(attacked->kind, CONDITION_ATTACKED);
        assert_int_equal(attacked->match.players, 1 << mover);
        const struct result_rule *results = game->results[mover];
        assert_int_equal(results[0].gives, GIVES_WINNER);
        assert_int_equal(results[0].player, mover);
        assert_int_equal(results[0].condition->kind, CONDITION_ALL);
        assert_int_equal(results[0].condition->children[1].players, 7 & ~(1 << mover));
        assert_true(results[1].next && results[1].player == PLAYER_NONE);
        assert_int_equal(results[1].condition->slot, -1);
        assert_int_equal(results[1].condition->first_slot, 1);
        assert_int_equal(results[2].gives, GIVES_FINISH);
        assert_true(results[3].claim);
        assert_int_equal(game->after_move[mover][0].effects[0].selection.row_count, 4);
        assert_int_equal(game->pass_condition[mover]->kind, CONDITION_NOT);
    }
    definition_free(game);
}

static void combined_movements_are_each_players_own(void **state)
{
    (void)state;
    struct definition *game = read_changed("siege", "siege");
    assert_int_equal(game->combined_count, 3);
    for (int player = WHITE; player <= RED; player++) {
        const struct combined_movement *movement = &game->combined[player];
        assert_int_equal(movement->player, player);
        assert_true(movement->participants[0].unmoved && movement->participants[0].by_default);
        assert_int_equal(movement->participants[0].players, 1 << player);
        assert_int_equal(movement->participants[1].players, 7);
        assert_string_equal(movement->notation, "o-o");
    }
    assert_int_equal(game->combined[RED].participants[1].at.of[1], 2);
    assert_int_equal(game->combined[RED].empty_deltas[0].of[1], 1);
    definition_free(game);

    /* who is named first is the only one who may */
    game = read_changed("{\"figure\": \"lady\", \"unmoved\": true,",
                        "{\"figure\": \"lady\", \"player\": \"black\",");
    assert_int_equal(game->combined_count, 1);
    assert_int_equal(game->combined[0].player, BLACK);
    definition_free(game);
}

/* What a file says by words of before is what it would say by those of now. */
static void words_that_were_called_otherwise_mean_the_same(void **state)
{
    (void)state;
    const char *const words[][2] = {
        {"\"combined_movements\"", "\"complex_movement\""},
        {"\"at\": {\"x\": 2}, \"by\": {\"x\": -1}", "\"coordinates_delta\": {\"x\": -1}, "
                                                    "\"relative_position\": {\"x\": 2}"},
        {"\"jumped_leave\": \"turn_ends\"", "\"remove\": \"turn_ends\", \"no_moves\": \"win\""},
        {"{\"previous\": {\"took\": true}}", "{\"previous\": {\"complex\": true}}"}};
    char *text = sound_text();
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *changed = loading_replace(text, words[i][0], words[i][1]);
        free(text);
        text = changed;
    }
    struct diagnostics diagnostics;
    struct definition *game = read_for(text, 0, &diagnostics);
    assert_non_null(game);
    assert_int_equal(diagnostics.count, 6); /* a warning for each */
    assert_int_equal(game->combined_count, 3);
    assert_int_equal(game->combined[WHITE].participants[1].at.of[0], 2);
    assert_int_equal(game->combined[WHITE].participants[1].delta.of[0], -1);
    assert_true(game->remove_at_turn_end);
    assert_int_equal(game->no_moves, NO_MOVES_WIN);
    assert_int_equal(game->counters[0].reset[WHITE]->combined, TRI_YES);
    diagnostics_release(&diagnostics);
    definition_free(game);
    free(text);
}

/* --- conditions ------------------------------------------------------------------------------- */

/* The sound file with this condition for passing: what White's becomes. */
static struct definition *read_condition(const char *condition, const struct condition_node **test)
{
    char to[1024];
    snprintf(to, sizeof to, "\"pass\": %s", condition);
    struct definition *game = read_changed(
        "\"pass\": {\"not\": {\"attacked\": {\"figure\": \"lady\", \"player\": \"mover\"}}}", to);
    *test = game->pass_condition[WHITE];
    assert_non_null(*test);
    return game;
}

static void the_old_words_become_tests(void **state)
{
    (void)state;
    const struct condition_node *test;
    struct definition *game = read_condition(
        "{\"computed\": {\"is_cell\": false, \"is_figure\": true, \"is_enemy\": true,"
        " \"moves_after_last_move\": 2}, \"statistics\": {\"current_move\": 3}}",
        &test);
    assert_int_equal(test->kind, CONDITION_ALL);
    assert_int_equal(test->child_count, 5);
    const struct cell_test *cell = &test->children[0].match, *figure = &test->children[1].match;
    assert_true(cell->negated && cell->empty && !cell->hole);
    assert_true(!figure->negated && !figure->empty && figure->figures == 0x7f);
    assert_int_equal(test->children[2].match.players, 1 << BLACK | 1 << RED);
    assert_true(test->children[2].from_target);
    assert_int_equal(test->children[3].kind, CONDITION_MOVES_AFTER_LAST_MOVE);
    assert_int_equal(test->children[3].min, 2);
    assert_int_equal(test->children[4].kind, CONDITION_CURRENT_MOVE);
    assert_int_equal(test->children[4].min, 3);
    definition_free(game);
}

static void the_new_words_become_tests(void **state)
{
    (void)state;
    const struct condition_node *test;
    struct definition *game = read_condition(
        "[{\"at\": [{\"by\": {\"forward\": 2}, \"is\": {}}, {\"of\": \"target\", \"is\": [{}]}]},"
        " {\"previous\": {\"player\": [\"enemy\", \"next\"], \"combined\": false, \"took\": "
        "false}},"
        " {\"counter\": {\"name\": \"checks\", \"player\": [\"enemy\", \"next\"], \"max\": 2}},"
        " {\"attacked\": [{\"cell\": \"target\", \"by\": \"man\"}], \"next\": [\"mover\", "
        "\"black\"]}]",
        &test);
    assert_int_equal(test->kind, CONDITION_ANY);
    assert_int_equal(test->child_count, 4);
    const struct condition_node *at = test->children[0].children;
    assert_int_equal(at[0].deltas[0].of[1], 2);
    assert_true(at[1].from_target);
    const struct condition_node *previous = &test->children[1];
    assert_int_equal(previous->match.players, 1 << BLACK | 1 << RED);
    assert_true(previous->match.next_player);
    assert_int_equal(previous->combined, TRI_NO);
    assert_int_equal(previous->took, TRI_NO);
    const struct condition_node *counter = &test->children[2];
    assert_int_equal(counter->kind, CONDITION_COUNTER);
    assert_int_equal(counter->slot, -1);
    assert_int_equal(counter->first_slot, 1);
    assert_int_equal(counter->match.players, 1 << BLACK | 1 << RED);
    assert_true(counter->match.next_player);
    assert_int_equal(counter->max, 2);
    const struct condition_node *attacked = test->children[3].children;
    assert_int_equal(attacked[0].kind, CONDITION_ATTACKED_CELL);
    assert_int_equal(attacked[0].attackers, 1 << 2);
    assert_int_equal(attacked[1].players, 1 << WHITE | 1 << BLACK);
    definition_free(game);
}

static void matches_ask_for_what_they_say(void **state)
{
    (void)state;
    static const struct {
        const char *match;
        bool hole, empty, negated;
        uint64_t figures;
        int also;
    } cases[] = {
        {"{}", false, true, false, 0x7f, 0},
        {"{\"figure\": \"lady\"}", false, false, false, 2, 0},
        {"{\"figure\": [\"lady\", \"man\"]}", false, false, false, 6, 0},
        {"{\"figure\": null}", false, true, false, 0, 0},
        {"{\"player\": null}", false, true, false, 0, 0},
        {"{\"moves_made\": null}", false, true, false, 0, 0},
        {"{\"empty\": true}", false, true, false, 0, 0},
        {"{\"empty\": false}", false, false, false, 0x7f, 0},
        {"{\"unmoved\": false}", false, false, false, 0x7f, 0},
        {"{\"exists\": false}", true, false, false, 0, 0},
        {"{\"exists\": true}", false, true, false, 0x7f, 0},
        {"{\"not\": {\"figure\": \"lady\"}}", true, true, false, 0x7f, 1},
        {"{\"not\": [{\"figure\": \"lady\"}, {}], \"x\": 1}", false, true, false, 0x7f, 2},
        {"[{\"figure\": \"lady\"}]", false, false, false, 2, 0},
        {"[{\"figure\": \"lady\"}, {\"empty\": true}]", true, true, true, 0x7f, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char condition[256];
        const struct condition_node *test;
        snprintf(condition, sizeof condition, "{\"self\": %s}", cases[i].match);
        struct definition *game = read_condition(condition, &test);
        const struct cell_test *match = &test->match;
        if (match->hole != cases[i].hole || match->empty != cases[i].empty ||
            match->negated != cases[i].negated || match->figures != cases[i].figures ||
            match->also_count != cases[i].also)
            fail_msg("%s", cases[i].match);
        for (int j = 0; j < match->also_count; j++)
            assert_true(match->also[j].negated);
        definition_free(game);
    }
}

/* Coordinates are those of the board, whoever asks; together with a zone they cut it. */
static void coordinates_of_a_match_are_a_zone(void **state)
{
    (void)state;
    const struct condition_node *test;
    struct definition *game =
        read_condition("{\"self\": {\"zone\": \"home\", \"x\": {\"max\": 1}}}", &test);
    assert_int_equal(game->pass_condition[RED]->match.zone, test->match.zone);
    const struct zone_definition *zone = &game->zones[test->match.zone];
    assert_null(zone->name);
    assert_true(bits_test(zone->cells[WHITE], (unsigned)cell_named(game, "b1")));
    assert_false(bits_test(zone->cells[WHITE], (unsigned)cell_named(game, "c1")));
    assert_true(bits_test(zone->cells[BLACK], (unsigned)cell_named(game, "b5")));
    assert_false(bits_test(zone->cells[BLACK], (unsigned)cell_named(game, "b1")));
    definition_free(game);
}

static void small_words_are_understood(void **state)
{
    (void)state;
    struct definition *game = read_changed(
        "\"pass\": {\"not\": {\"attacked\": {\"figure\": \"lady\", \"player\": \"mover\"}}}",
        "\"pass\": true");
    assert_int_equal(game->pass, PASSES_IF);
    assert_null(game->pass_condition[WHITE]);
    definition_free(game);
    game = read_changed("\"no_moves\": true, \"next\"", "\"no_moves\": false, \"next\"");
    assert_int_equal(game->results[WHITE][0].condition->children[0].kind, CONDITION_NOT);
    definition_free(game);
    game = read_changed("\"over\": \"enemy\"", "\"over\": \"mover\"");
    assert_int_equal(movements_of(game, "man", RED)->movements[4].over.players, 1 << RED);
    definition_free(game);
    game = read_changed("\"camp\": {\"white\": \"y < 2\"", "\"camp\": {\"white\": {\"y\": 1}");
    assert_true(is_in(game, "camp", WHITE, "c2") && !is_in(game, "camp", WHITE, "c1"));
    definition_free(game);
    game = read_changed("\"within\": [\"camp\", \"corner\"]", "\"within\": [\"camp\"]");
    assert_int_equal(movements_of(game, "lady", RED)->movements[8].within_zone,
                     zone_named(game, "camp"));
    definition_free(game);
    game = read_changed("\"home\": {\"each\": \"y == 0\"}",
                        "\"home\": {\"each\": \"'ab'[y] == 'b' ? 0 : 'x'\"}");
    assert_true(is_in(game, "home", WHITE, "a1") && !is_in(game, "home", WHITE, "a2"));
    definition_free(game);
    game = read_changed("\"home\": {\"each\": \"y == 0\"}", "\"home\": {\"each\": \"1 - y\"}");
    assert_true(is_in(game, "home", WHITE, "a1") && !is_in(game, "home", WHITE, "a2"));
    definition_free(game);
}

/* --- other boards ----------------------------------------------------------------------------- */

/* A game for two on these coordinates and cells, with one stone that moves so. */
static char *small_text(const char *coordinates, const char *board, const char *movement)
{
    static char text[16 * 1024];
    snprintf(text, sizeof text,
             "{\"format\": 2, \"name\": \"small\", \"players\": [\"white\", \"black\"],"
             "\"cell\": {\"coordinates_names\": [%s], \"geometry\": [[0,0],[1,0],[1,1]],"
             "\"position\": {\"x\": 0, \"y\": 0}}, \"board\": {%s},"
             "\"figures\": {\"stone\": {\"movement\": [{%s}]}}, \"turns\": [\"white\", \"black\"]}",
             coordinates, board, movement);
    return text;
}

static void shapes_and_turns_of_other_boards(void **state)
{
    (void)state;
    static const struct {
        const char *coordinates, *board, *movement;
        int cells, movements; /* if it is sound */
        const char *message;  /* else */
    } cases[] = {
        {"\"q\", \"r\"", "\"cells\": {\"hexagon\": 6}", "\"q\": 1, \"symmetric\": \"hexagon\"", 91,
         6, NULL},
        {"\"q\", \"r\"", "\"cells\": {\"hexagon\": {\"side\": 2, \"at\": {\"q\": 3}}}", "\"r\": 1",
         7, 1, NULL},
        {"\"a\", \"b\", \"c\"", "\"cells\": {\"box\": {\"a\": 5, \"b\": 5, \"c\": 5}}",
         "\"a\": 1, \"b\": 1, \"c\": 1, \"symmetric\": \"all\"", 125, 8, NULL},
        {"\"a\", \"b\", \"c\"", "\"cells\": {\"box\": {\"a\": 5, \"b\": 5, \"c\": 5}}",
         "\"a\": 2, \"b\": 1, \"symmetric\": \"all\"", 125, 24, NULL},
        {"\"a\"", "\"cells\": {\"hexagon\": 3}", "\"a\": 1", 0, 0,
         "a hexagon needs two coordinates, this game has 1"},
        {"\"a\"", "\"cells\": {\"box\": {\"a\": 8}}", "\"a\": 1, \"symmetric\": \"hexagon\"", 0, 0,
         "`hexagon` needs two coordinates, this game has 1"},
        {"\"a\", \"b\"",
         "\"cells\": {\"box\": {\"a\": 5, \"b\": 1}}, \"mirror\": {\"black\": {\"b\": \"0\"}}",
         "\"a\": 1", 0, 0, "this mirror cannot be undone"},
        {"\"a\", \"b\"",
         "\"cells\": [{\"box\": {\"a\": 600, \"b\": 1}}, {\"box\": {\"a\": 600, \"b\": [1, 1]}}]",
         "\"a\": 1", 0, 0, "too many cells: 1200, at most 1024 are allowed"},
        {"\"a\", \"b\", \"c\", \"d\", \"e\"",
         "\"cells\": {\"box\": {\"a\": 2, \"b\": 2, \"c\": 2, \"d\": 2, \"e\": 2}}",
         "\"a\": 1, \"b\": 2, \"c\": 3, \"d\": 4, \"e\": 5, \"symmetric\": \"all\"", 0, 0,
         "too many directions: at most 256 are allowed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = small_text(cases[i].coordinates, cases[i].board, cases[i].movement);
        struct diagnostics diagnostics;
        struct definition *game = read_for(text, 0, &diagnostics);
        if (cases[i].message != NULL) {
            assert_null(game);
            assert_string_equal(diagnostics.list[0].message, cases[i].message);
        } else {
            assert_non_null(game);
            assert_int_equal(game->cell_count, cases[i].cells);
            assert_int_equal(movements_of(game, "stone", BLACK)->count, cases[i].movements);
        }
        definition_free(game);
        diagnostics_release(&diagnostics);
    }
}

/* A row of fifty cells has 1275 ranges: more than there may be zones. */
static void nameless_zones_are_bounded(void **state)
{
    (void)state;
    static char results[TEXT_BYTES / 2], text[TEXT_BYTES];
    size_t used = 0;
    for (int i = 0, least = 0, most = 0; i < 1025; i++) {
        bool first = i % 205 == 0, last = i % 205 == 204;
        used += (size_t)snprintf(results + used, sizeof results - used,
                                 "%s{\"self\": {\"x\": {\"min\": %d, \"max\": %d}}}%s",
                                 i == 0  ? "{\"if\": ["
                                 : first ? ", {\"if\": ["
                                         : ", ",
                                 least, most, last ? "], \"result\": \"draw\"}" : "");
        most++;
        least += most == 50;
        most = most == 50 ? least : most;
    }
    snprintf(text, sizeof text,
             "{\"format\": 2, \"name\": \"row\", \"players\": [\"white\"], \"cell\": "
             "{\"coordinates_names\": [\"x\"], \"geometry\": [[0,0],[1,0],[1,1]], \"position\": "
             "{\"x\": \"x\", \"y\": 0}}, \"board\": {\"cells\": {\"box\": {\"x\": 50}}}, "
             "\"figures\": {\"stone\": {\"movement\": []}}, \"turns\": [\"white\"], "
             "\"results\": [%s]}",
             results);
    struct diagnostics diagnostics;
    assert_null(read_for(text, 0, &diagnostics));
    assert_int_equal(diagnostics.error_count, 1);
    assert_string_equal(diagnostics.list[0].message,
                        "too many zones, with those that conditions name by coordinates: at most "
                        "1024 are allowed");
    diagnostics_release(&diagnostics);
}

/* An enemy in the condition of an action is the other player, where there is only one. */
static void an_enemy_of_two_is_the_other(void **state)
{
    (void)state;
    char *text =
        changed_text("\"self\": {\"player\": \"mover\"}", "\"self\": {\"player\": \"enemy\"}");
    struct diagnostics diagnostics;
    struct definition *game = read_for(text, 2, &diagnostics);
    assert_non_null(game);
    for (int player = WHITE; player <= BLACK; player++) {
        const struct movement *fool = movements_of(game, "fool", player)->movements;
        const struct condition_node *condition = fool->actions.destination[0].condition;
        assert_int_equal(condition->child_count, 2);
        condition = &condition->children[condition->children[0].from_target];
        assert_int_equal(condition->kind, CONDITION_CELL);
        assert_int_equal(condition->match.players, 1 << (1 - player));
    }
    definition_free(game);
    diagnostics_release(&diagnostics);
    free(text);
}

/* --- with fewer players ----------------------------------------------------------------------- */

static void who_does_not_play_is_left_out(void **state)
{
    (void)state;
    char *text = sound_text();
    struct diagnostics diagnostics;
    struct definition *game = read_for(text, 2, &diagnostics);
    assert_non_null(game);
    assert_int_equal(diagnostics.count, 0);
    diagnostics_release(&diagnostics);
    assert_int_equal(game->player_count, 2);
    assert_int_equal(game->state_count, 4);
    assert_int_equal(count_placed(game), 6 + 1);
    assert_int_equal(game->combined_count, 2);
    assert_null(placed_on(game, "e4"));
    definition_free(game);

    game = read_for(text, 3, &diagnostics);
    assert_non_null(game);
    assert_int_equal(game->player_count, 3);
    definition_free(game);
    diagnostics_release(&diagnostics);

    assert_null(read_for(text, 4, &diagnostics));
    assert_string_equal(diagnostics.list[0].message, "this game is not for 4 players");
    diagnostics_release(&diagnostics);
    free(text);

    /* a combined movement with somebody who does not play cannot happen */
    text = changed_text("\"player\": \"any\"", "\"player\": \"red\"");
    game = read_for(text, 2, &diagnostics);
    assert_non_null(game);
    assert_int_equal(game->combined_count, 0);
    definition_free(game);
    diagnostics_release(&diagnostics);
    free(text);

    text = test_read_file("tests/engine/broken/sound.json", NULL);
    assert_null(read_for(text, 3, &diagnostics));
    assert_string_equal(diagnostics.list[0].message, "this game is not for 3 players");
    diagnostics_release(&diagnostics);
    game = read_for(text, 2, &diagnostics);
    assert_non_null(game);
    definition_free(game);
    diagnostics_release(&diagnostics);
    free(text);
}

/* --- bounds ----------------------------------------------------------------------------------- */

static void everything_that_can_be_many_is_bounded(void **state)
{
    (void)state;
    expect_error("\"zones\": {",
                 loading_repeat("\"zones\": {", "\"z%d\": [{\"x\": 1}]", ZONES_MAX, ","),
                 "too many zones: 261, at most 256 are allowed");
    expect_error("\"directions\": {",
                 loading_repeat("\"directions\": {", "\"d%d\": {\"x\": 1}", 32, ","),
                 "too many directions: 34, at most 32 are allowed");
    expect_error("\"movements\": {", loading_repeat("\"movements\": {", "\"m%d\": []", 64, ","),
                 "too many named movements: 66, at most 64 are allowed");
    expect_error("\"actions\": {", loading_repeat("\"actions\": {", "\"a%d\": {}", 64, ","),
                 "too many named actions: 65, at most 64 are allowed");
    expect_error("\"counters\": {", loading_repeat("\"counters\": {", "\"c%d\": {}", 8, ","),
                 "too many counters: 10, at most 8 are allowed");
    expect_error("\"forbid\": [", loading_repeat("\"forbid\": [", "{\"repetition\": 5}", 16, ","),
                 "too many forbidden positions: 18, at most 16 are allowed");
    expect_error("\"after_move\": [", loading_repeat("\"after_move\": [", "{\"do\": []}", 16, ","),
                 "too many entries: 17, at most 16 are allowed");
    expect_error("\"results\": [",
                 loading_repeat("\"results\": [", "{\"if\": {}, \"result\": \"draw\"}", 64, ","),
                 "too many results: 69, at most 64 are allowed");
    expect_error("\"turns\": [", loading_repeat("\"turns\": [", "\"white\"", 251, ","),
                 "too many turns: 255, at most 254 are allowed");
    expect_error(
        "\"turns\": [",
        loading_repeat("\"turns\": [", "{\"player\": \"white\", \"phase\": \"p%d\"}", 15, ","),
        "too many phases: at most 16 are allowed");
    expect_error("\"combined_movements\": [",
                 loading_repeat("\"combined_movements\": [", "{\"figures\": []}", 85, ","),
                 "too many combined movements: 258, at most 256 are allowed");
    expect_error("\"do\": [",
                 loading_repeat("\"do\": [", "{\"remove\": {\"cells\": \"target\"}}", 16, ","),
                 "too many actions: 17, at most 16 are allowed");
}

static void movements_are_bounded(void **state)
{
    (void)state;
    static const char stone[] = "\"stone\": {\"movement\": []}";
    expect_error(stone,
                 loading_repeat("\"stone\": {\"movement\": [",
                                "{\"x\": %d, \"y\": 100, \"symmetric\": \"all\"}", 140, "]}"),
                 "too many movements: at most 1024 are allowed for one figure");
    /* lists in lists in lists: each visit counts, even of empty ones */
    expect_error("\"movements\": {",
                 "\"movements\": {\"a\": [\"b\", \"b\", \"b\", \"b\", \"b\", \"b\", \"b\", \"b\"],"
                 "\"b\": [\"c\", \"c\", \"c\", \"c\", \"c\", \"c\", \"c\", \"c\"],"
                 "\"c\": [\"d\", \"d\", \"d\", \"d\", \"d\", \"d\", \"d\", \"d\"],"
                 "\"d\": [\"e\", \"e\", \"e\", \"e\", \"e\", \"e\", \"e\", \"e\"], \"e\": [],",
                 "too many movements: at most 1024 are allowed for one figure");
    expect_error(
        "\"figures\": {",
        loading_repeat("\"figures\": {",
                       "\"f%d\": {\"movement\": [\"line\", \"line\", \"line\", \"line\", \"line\", "
                       "\"line\", \"line\", \"line\", \"line\", \"line\", \"line\", \"line\", "
                       "\"line\", \"line\", \"line\", \"line\", \"line\", \"line\", \"line\", "
                       "\"line\", \"line\", \"line\", \"line\", \"line\", \"line\", \"line\", "
                       "\"line\", \"line\", \"line\", \"line\", \"line\", \"line\", \"line\", "
                       "\"line\", \"line\", \"line\", \"line\", \"line\", \"line\", \"line\", "
                       "\"line\", \"line\", \"line\", \"line\", \"line\", \"line\", \"line\"]}",
                       56, ","),
        "too many movements for a board of 24 cells");
}

static void conditions_are_bounded(void **state)
{
    (void)state;
    expect_error(
        "\"forbid\": [",
        loading_repeat(
            "\"forbid\": [{\"any\": [",
            "{\"any\": [{\"next\": \"white\"}, {\"next\": \"white\"}, {\"next\": \"white\"}, "
            "{\"next\": \"white\"}, {\"next\": \"white\"}, {\"next\": \"white\"}]}",
            200, "]},"),
        "too many conditions: at most 4096 are allowed in a game");
    expect_error("\"forbid\": [",
                 loading_repeat("\"forbid\": [{\"any\": [", "{\"next\": \"white\"}", 257, "]},"),
                 "too many conditions: 257, at most 256 are allowed");
    expect_error("\"forbid\": [",
                 loading_repeat("\"forbid\": [{\"at\": [", "{\"is\": {}}", 33, "]},"),
                 "too many conditions: 33, at most 32 are allowed");
}

static void nameless_zones_are_shared(void **state)
{
    (void)state;
    struct definition *game = read_changed("siege", "siege");
    int before = game->zone_count;
    definition_free(game);
    /* the same cells again and again are one zone more, whoever asks */
    game = read_changed(
        "\"forbid\": [",
        loading_repeat("\"forbid\": [{\"any\": [", "{\"self\": {\"x\": 3, \"y\": 1}}", 50, "]},"));
    assert_int_equal(game->zone_count, before + 1);
    definition_free(game);
}

static void computing_shapes_is_bounded(void **state)
{
    (void)state;
    char shape[1200];
    snprintf(shape, sizeof shape,
             "{\"box\": {\"x\": 128, \"y\": 128}, \"where\": \"x < 5 && y < 5 && x + y > 0%900s\"",
             "");
    expect_error("{\"box\": {\"x\": 5, \"y\": [0, 4]}, \"where\": \"x + y > 0\"", shape,
                 "too much to compute: long expressions for so many cells");
}

/* --- memory ----------------------------------------------------------------------------------- */

static void sets_of_pictures_have_a_name_and_leave_out_what_they_like(void **state)
{
    (void)state;
    struct definition *game = read_changed(
        "\"pass\"",
        "\"resources\": {\"images\": {\"figures\": {\"black\": {\"man\": \"s/man.svg\"}}}, "
        "\"sets\": {\"Plain\": {"
        "\"figures\": {\"black\": {\"lady\": \"s/plain.svg\"}}}, \"None\": {}}}, \"pass\"");
    enum { LADY = 1, MAN = 2 };
    assert_string_equal(game->figure_names[LADY], "lady");
    assert_string_equal(game->figure_names[MAN], "man");
    assert_null(game->images.name);
    assert_string_equal(game->images.figures[BLACK][MAN], "s/man.svg");
    assert_null(game->images.figures[BLACK][LADY]);
    assert_int_equal(game->image_set_count, 2);
    assert_string_equal(game->image_sets[0].name, "Plain");
    assert_string_equal(game->image_sets[0].figures[BLACK][LADY], "s/plain.svg");
    assert_null(game->image_sets[0].figures[BLACK][MAN]);
    assert_null(game->image_sets[0].figures[WHITE][LADY]);
    assert_string_equal(game->image_sets[1].name, "None");
    assert_null(game->image_sets[1].figures[BLACK][LADY]);
    definition_free(game);
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    char *text = sound_text();
    loading_expect_allocations_may_fail(text, NULL, 60, 4);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_board_is_its_shapes),
        cmocka_unit_test(zones_are_each_players_own),
        cmocka_unit_test(movements_are_turned_to_how_each_player_sees_the_board),
        cmocka_unit_test(the_words_of_movements_are_kept),
        cmocka_unit_test(named_lists_stand_in_their_place),
        cmocka_unit_test(the_words_of_the_outer_use_count),
        cmocka_unit_test(cells_of_via_turn_with_the_movement),
        cmocka_unit_test(symmetries_make_each_direction_once),
        cmocka_unit_test(positions_are_mirrored_and_zones_filled),
        cmocka_unit_test(turns_are_states),
        cmocka_unit_test(what_is_asked_after_a_move_is_read_for_each_mover),
        cmocka_unit_test(combined_movements_are_each_players_own),
        cmocka_unit_test(words_that_were_called_otherwise_mean_the_same),
        cmocka_unit_test(the_old_words_become_tests),
        cmocka_unit_test(the_new_words_become_tests),
        cmocka_unit_test(matches_ask_for_what_they_say),
        cmocka_unit_test(coordinates_of_a_match_are_a_zone),
        cmocka_unit_test(small_words_are_understood),
        cmocka_unit_test(shapes_and_turns_of_other_boards),
        cmocka_unit_test(nameless_zones_are_bounded),
        cmocka_unit_test(an_enemy_of_two_is_the_other),
        cmocka_unit_test(who_does_not_play_is_left_out),
        cmocka_unit_test(everything_that_can_be_many_is_bounded),
        cmocka_unit_test(movements_are_bounded),
        cmocka_unit_test(conditions_are_bounded),
        cmocka_unit_test(nameless_zones_are_shared),
        cmocka_unit_test(computing_shapes_is_bounded),
        cmocka_unit_test(sets_of_pictures_have_a_name_and_leave_out_what_they_like),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
