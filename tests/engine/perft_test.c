/* Golden numbers: leaves of the tree of legal moves, one line a fact. */
#include "tests/support/test.h"

#include "engine/notation.h"
#include "tests/engine/games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As much as a program with sanitizers counts while one waits; tests/perft goes on from there. */
#define LEAVES_MAX 500000

enum { DEPTHS_MAX = 10 };

/* Counts as deep as the numbers go, or the bound allows. */
static void check_position(struct position *position, const uint64_t *leaves)
{
    uint64_t hash = position_hash(position);
    for (int depth = 0; depth < DEPTHS_MAX && leaves[depth] != 0 && leaves[depth] <= LEAVES_MAX;
         depth++)
        assert_int_equal(perft(position, depth + 1), leaves[depth]);
    assert_int_equal(position_hash(position), hash);
}

/* `text`: NULL for the start. */
static void check(const char *path, const char *text, const uint64_t *leaves)
{
    struct game *game = games_load_file(path, NULL);
    struct position *position = position_new(game);
    if (text != NULL) {
        struct notation *notation = notation_new(game);
        char words[NOTATION_WORDS_BYTES] = "";
        if (!notation_read_position(notation, position, text, words))
            fail_msg("%s: %s: %s", path, text, words);
        notation_free(notation);
    }
    check_position(position, leaves);
    position_free(position);
    game_release(game);
}

static void check_original(const char *name, const uint64_t *leaves)
{
    char relative[128];
    snprintf(relative, sizeof relative, "data/original-games/%s.json", name);
    char *path = test_shared_path(relative);
    if (path == NULL)
        skip();
    check(path, NULL, leaves);
    free(path);
}

static void the_original_chess_has_its_number_of_leaves(void **state)
{
    (void)state;
    const uint64_t leaves[DEPTHS_MAX] = {20, 400, 8982, 201378};
    check_original("chess", leaves);
}

static void the_original_checkers_has_its_number_of_leaves(void **state)
{
    (void)state;
    const uint64_t leaves[DEPTHS_MAX] = {7, 49, 428, 3690, 36485, 357087};
    check_original("checkers", leaves);
}

static void the_original_intellector_with_its_ifs_has_its_number_of_leaves(void **state)
{
    (void)state;
    const uint64_t leaves[DEPTHS_MAX] = {33, 1081, 36808, 1238094};
    check_original("intellector", leaves);
}

/* A line of the table: `file<TAB>position<TAB>n1 n2 n3 …`. */
static void check_line(char *line)
{
    uint64_t leaves[DEPTHS_MAX] = {0};
    char *position = strchr(line, '\t');
    assert_non_null(position);
    *position++ = '\0';
    char *numbers = strchr(position, '\t');
    assert_non_null(numbers);
    *numbers++ = '\0';
    for (int i = 0; i < DEPTHS_MAX && *numbers != '\0' && *numbers != '\n'; i++)
        leaves[i] = strtoull(numbers, &numbers, 10);
    assert_true(leaves[0] > 0);
    print_message("%s %s\n", line, position);
    check(line, strcmp(position, "start") == 0 ? NULL : position, leaves);
}

static void our_games_have_their_numbers_of_leaves(void **state)
{
    (void)state;
    FILE *file = fopen("tests/engine/perft_games.txt", "r");
    assert_non_null(file);
    char line[1024];
    int checked = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        check_line(line);
        checked++;
    }
    fclose(file);
    assert_true(checked >= 30);
}

/* Ends of all games from here. */
static int count_games(struct position *position)
{
    struct move moves[16];
    struct undo *undo = undo_new(position_game(position));
    int count = movegen_all(position, moves), games = count == 0;
    assert_in_range(count, 0, 9);
    assert_int_equal(count == 0, position_outcome(position).kind != OUTCOME_PLAYING);
    for (int i = 0; i < count; i++) {
        position_make(position, moves[i], undo);
        games += count_games(position);
        position_unmake(position, undo);
    }
    undo_free(undo);
    return games;
}

static void tic_tac_toe_is_known_whole(void **state)
{
    (void)state;
    struct game *game = games_load_file("games/tic-tac-toe.json", NULL);
    struct position *position = position_new(game);
    assert_int_equal(count_games(position), 255168);
    position_free(position);
    game_release(game);
}

static void nothing_has_one_leaf_and_a_finished_game_none(void **state)
{
    (void)state;
    struct game *game = games_load_file("tests/engine/version_0/chess.json", NULL);
    struct position *position = position_new(game);
    assert_int_equal(perft(position, 0), 1);
    position_clear(position);
    assert_int_equal(perft(position, 1), 0);
    assert_int_equal(perft(position, 3), 0);
    position_free(position);
    game_release(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_original_chess_has_its_number_of_leaves),
        cmocka_unit_test(the_original_checkers_has_its_number_of_leaves),
        cmocka_unit_test(the_original_intellector_with_its_ifs_has_its_number_of_leaves),
        cmocka_unit_test(our_games_have_their_numbers_of_leaves),
        cmocka_unit_test(tic_tac_toe_is_known_whole),
        cmocka_unit_test(nothing_has_one_leaf_and_a_finished_game_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
