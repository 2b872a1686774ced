/* Golden numbers: leaves of the tree of legal moves, one line a fact. */
#include "tests/support/test.h"

#include "tests/engine/games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTHS_MAX = 8 };

static void check(const char *path, const uint64_t *leaves)
{
    struct game *game = games_load_file(path, NULL);
    struct position *position = position_new(game);
    uint64_t hash = position_hash(position);
    for (int depth = 0; depth < DEPTHS_MAX && leaves[depth] != 0; depth++)
        assert_int_equal(perft(position, depth + 1), leaves[depth]);
    assert_int_equal(position_hash(position), hash);
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
    check(path, leaves);
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

/* A line of the table: `file<TAB>n1 n2 n3 …`. */
static void check_line(char *line)
{
    char path[256];
    uint64_t leaves[DEPTHS_MAX] = {0};
    char *numbers = strchr(line, '\t');
    assert_non_null(numbers);
    *numbers++ = '\0';
    snprintf(path, sizeof path, "games/%.200s", line);
    for (int i = 0; i < DEPTHS_MAX && *numbers != '\0' && *numbers != '\n'; i++)
        leaves[i] = strtoull(numbers, &numbers, 10);
    print_message("%s\n", path);
    check(path, leaves);
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
    assert_true(checked >= 3);
}

static void nothing_has_one_leaf_and_a_finished_game_none(void **state)
{
    (void)state;
    struct game *game = games_load_file("games/chess.json", NULL);
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
        cmocka_unit_test(nothing_has_one_leaf_and_a_finished_game_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
