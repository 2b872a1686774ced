/* Formats 0 and 1: the engine gives the moves of the definition taken literally (reference.c), on real files and on games
 * made up from a seed. */
#include "tests/support/test.h"

#include "engine/load/definition.h"
#include "engine/rules/change.h"
#include "engine/rules/fits.h"
#include "tests/engine/games.h"
#include "tests/engine/invent.h"
#include "tests/engine/positions.h"
#include "tests/engine/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POSITIONS_OF_EACH = 24, INVENTED_GAMES = 160, INVENTED_POSITIONS = 6 };

/* What was among the games and their moves, so that the test knows it has seen something. */
struct seen {
    int games, moves, combined_moves;
    int far,
        over_cells; /* moves of several steps; and such with action sets for the cells between */
    int guarded;    /* moves by a movement with an `if` */
    int second;     /* moves by a movement that is not the first for its target */
    int widths[WORDS_MAX + 1];
};

struct table {
    struct definition *definition;
    struct game *game;
    struct position *position, *before;
    struct undo *undo;
    struct move *moves, *others;
};

static void table_open(struct table *table, const char *name, const char *text)
{
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    table->definition = definition_read(text, strlen(text), NULL, &diagnostics);
    if (table->definition == NULL)
        fail_msg("%s: %s: %s", name, diagnostics.list[0].pointer, diagnostics.list[0].message);
    table->game = game_compile(table->definition, &diagnostics);
    assert_non_null(table->game);
    diagnostics_release(&diagnostics);
    size_t room = (size_t)game_facts(table->game)->moves_max + 1;
    table->position = position_new(table->game);
    table->before = position_new(table->game);
    table->undo = undo_new(table->game);
    table->moves = calloc(room, sizeof *table->moves);
    table->others = calloc(room, sizeof *table->others);
    assert_non_null(table->moves);
    assert_non_null(table->others);
}

static void table_close(struct table *table)
{
    free(table->others);
    free(table->moves);
    undo_free(table->undo);
    position_free(table->before);
    position_free(table->position);
    game_release(table->game);
    definition_free(table->definition);
}

static void compare_with_reference(const struct table *table, int count)
{
    const struct definition *definition = table->definition;
    int next = 0;
    for (int from = 0; from < definition->cell_count; from++)
        for (int to = 0; to < definition->cell_count; to++) {
            bool listed =
                next < count && table->moves[next].from == from && table->moves[next].to == to;
            next += listed;
            if (reference_legal(definition, table->position, (cell_index)from, (cell_index)to) !=
                listed)
                fail_msg("%s to %s: %s", definition->cells[from].name, definition->cells[to].name,
                         listed ? "should not be legal" : "should be legal");
        }
    assert_int_equal(next, count);
}

/* All questions about the moves of a position have the same answer. */
static void compare_questions(const struct table *table, int count)
{
    struct position *position = table->position;
    int from_each = 0;
    assert_int_equal(movegen_count(position), count);
    assert_int_equal(movegen_any(position), count > 0);
    for (int from = 0; from < game_facts(table->game)->cell_count; from++) {
        int here = movegen_from(position, (cell_index)from, table->others);
        for (int i = 0; i < here; i++, from_each++) {
            assert_true(move_equal(table->others[i], table->moves[from_each]));
            assert_int_equal(table->others[i].rule, table->moves[from_each].rule);
        }
    }
    assert_int_equal(from_each, count);
    for (int i = 0; i < count; i++) {
        struct move move = table->moves[i], found;
        assert_true(movegen_find(position, move.from, move.to, move.choice, &found));
        assert_int_equal(found.rule, move.rule);
    }
}

static void note_move(struct seen *seen, const struct table *table, struct move move)
{
    const struct game *game = table->game;
    seen->moves++;
    bool combined = (move.rule & RULE_COMBINED) != 0;
    seen->combined_moves += combined;
    if (combined)
        return;
    const struct candidate *candidate = fits_candidate(table->position, move);
    const struct movement *movement = &game->movements[candidate->rule];
    seen->far += candidate->steps > 1;
    seen->over_cells += candidate->steps > 1 && movement->actions.transition_count > 0;
    seen->guarded += movement->condition != NULL;
    seen->second += candidate > game->candidates && candidate[-1].to == candidate->to &&
                    candidate[-1].rule < candidate->rule;
}

/* Compares one position in all ways; returns how many moves there are. */
static int compare(const struct table *table, struct seen *seen)
{
    struct position *position = table->position;
    int count = movegen_all(position, table->moves);
    compare_with_reference(table, count);
    compare_questions(table, count);
    for (int i = 0; i < count; i++) {
        note_move(seen, table, table->moves[i]);
        position_copy(table->before, position);
        position_make(position, table->moves[i], table->undo);
        assert_int_equal(position_hash(position), position_hash_from_scratch(position));
        position_unmake(position, table->undo);
        assert_true(position_equal(position, table->before));
    }
    return count;
}

static void compare_scattered(const struct table *table, uint64_t seed, int positions,
                              struct seen *seen)
{
    for (int i = 0; i < positions; i++) {
        games_scatter(table->position, &seed);
        compare(table, seen);
    }
}

static void compare_played(const struct table *table, uint64_t seed, struct seen *seen)
{
    for (int i = 0; i < POSITIONS_OF_EACH; i++) {
        int count = compare(table, seen);
        if (count == 0)
            position_reset(table->position);
        for (int ply = 0; ply < 3 && count > 0; ply++) {
            struct move move = table->moves[test_random(&seed) % (unsigned)count];
            position_make(table->position, move, NULL);
            count = movegen_all(table->position, table->moves);
        }
    }
}

static void compare_file(const char *path, struct seen *seen)
{
    char *text = test_read_file(path, NULL);
    struct table table;
    assert_non_null(text);
    table_open(&table, path, text);
    assert_int_not_equal(game_facts(table.game)->format, 2);
    compare_played(&table, 3, seen);
    compare_scattered(&table, 5, POSITIONS_OF_EACH, seen);
    table_close(&table);
    free(text);
}

static void real_files_are_played_by_the_definition(void **state)
{
    (void)state;
    static const char *const paths[] = {"tests/engine/version_0/chess.json",
                                        "tests/engine/version_0/intellector.json",
                                        "tests/engine/version_0/checkers.json"};
    static const char *const originals[] = {"chess", "checkers", "intellector"};
    struct seen seen = {0};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        compare_file(paths[i], &seen);
    for (size_t i = 0; i < sizeof originals / sizeof *originals; i++) {
        char relative[64];
        snprintf(relative, sizeof relative, "data/original-games/%s.json", originals[i]);
        char *path = test_shared_path(relative);
        if (path != NULL)
            compare_file(path, &seen);
        free(path);
    }
    assert_true(seen.moves > 1000 && seen.combined_moves > 10 && seen.over_cells > 100);
}

static void invented_games_are_played_by_the_definition(void **state)
{
    (void)state;
    struct seen seen = {0};
    for (uint64_t seed = 1; seed <= INVENTED_GAMES; seed++) {
        char name[32], *text = invent_game(seed);
        struct table table;
        snprintf(name, sizeof name, "seed %d", (int)seed);
        table_open(&table, name, text);
        seen.games++;
        seen.widths[table.game->words]++;
        compare_scattered(&table, seed, INVENTED_POSITIONS, &seen);
        table_close(&table);
        free(text);
    }
    print_message("%d games, %d moves: %d combined, %d of several steps, %d over cells with action "
                  "sets, %d with an if, %d by a second movement; widths %d %d %d %d\n",
                  seen.games, seen.moves, seen.combined_moves, seen.far, seen.over_cells,
                  seen.guarded, seen.second, seen.widths[1], seen.widths[2], seen.widths[4],
                  seen.widths[16]);
    assert_true(seen.moves > 1000 && seen.combined_moves > 10 && seen.far > 100);
    assert_true(seen.over_cells > 100 && seen.guarded > 100 && seen.second > 10);
    assert_true(seen.widths[1] > 0 && seen.widths[2] > 0 && seen.widths[4] > 0 &&
                seen.widths[16] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_files_are_played_by_the_definition),
        cmocka_unit_test(invented_games_are_played_by_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
