/* What a definition may become in memory: the game, its positions, and the peak while it is compiled. */
#include "tests/support/test.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/load/compile_memory.h"
#include "engine/load/load.h"
#include "engine/load/reader.h"
#include "engine/position.h"

/* --- what the engine has taken ---------------------------------------------------------------- */

static size_t taken, most_taken;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *piece, size_t size);
void __real_free(void *piece);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *piece, size_t size);
void __wrap_free(void *piece);

static void *counted(void *piece)
{
    taken += piece == NULL ? 0 : malloc_usable_size(piece);
    if (taken > most_taken)
        most_taken = taken;
    return piece;
}

static void uncount(void *piece)
{
    taken -= piece == NULL ? 0 : malloc_usable_size(piece);
}

void *__wrap_malloc(size_t size)
{
    return counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *piece, size_t size)
{
    uncount(piece);
    return counted(__real_realloc(piece, size));
}

void __wrap_free(void *piece)
{
    uncount(piece);
    __real_free(piece);
}

/* --- definitions that are small in words ------------------------------------------------------ */

enum { TEXT_BYTES = 16 * 1024 };

/* `figures` kinds that go like queens, of `players` players, on a board of that shape. */
static const char *queens(int figures, int players, const char *coordinates, const char *box,
                          const char *steps)
{
    static char text[TEXT_BYTES];
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    fprintf(out,
            "{\"format\":2,\"name\":\"x\",\"title\":\"x\",\"cell\":{\"coordinates_names\":[%s],"
            "\"position\":{\"x\":\"x\",\"y\":\"y\"},\"geometry\":[[0,0],[1,0],[1,1],[0,1]]},\n"
            "\"board\":{\"cells\":{\"box\":{%s}}},\n\"figures\":{",
            coordinates, box);
    for (int i = 0; i < figures; i++)
        fprintf(out, "%s\n\"q%d\":{\"movement\":[%s]}", i > 0 ? "," : "", i, steps);
    fputs("},\n\"players\":[", out);
    for (int i = 0; i < players; i++)
        fprintf(out, "%s\"%c\"", i > 0 ? "," : "", 'a' + i);
    fputs("],\"turns\":[", out);
    for (int i = 0; i < players; i++)
        fprintf(out, "%s\"%c\"", i > 0 ? "," : "", 'a' + i);
    fputs("],\"initial_position\":{\"a\":{\"q0\":[{\"x\":0,\"y\":0,\"z\":0}]},"
          "\"b\":{\"q0\":[{\"x\":1,\"y\":2,\"z\":0}]}},"
          "\"results\":[{\"if\":{\"no_moves\":true},\"result\":\"draw\",\"reason\":\"stuck\"}]}",
          out);
    assert_int_equal(fclose(out), 0);
    for (char *at; strstr(coordinates, "z") == NULL && (at = strstr(text, ",\"z\":0")) != NULL;)
        memset(at, ' ', strlen(",\"z\":0"));
    return text;
}

static const char plane[] = "\"x\",\"y\"", space[] = "\"x\",\"y\",\"z\"";
static const char plane_steps[] = "{\"x\":1,\"symmetric\":\"all\",\"repeat\":true},"
                                  "{\"x\":1,\"y\":1,\"symmetric\":\"all\",\"repeat\":true}";
static const char space_steps[] = "{\"x\":1,\"symmetric\":\"all\",\"repeat\":true},"
                                  "{\"x\":1,\"y\":1,\"symmetric\":\"all\",\"repeat\":true},"
                                  "{\"x\":1,\"y\":1,\"z\":1,\"symmetric\":\"all\",\"repeat\":true}";

static struct game *load(const char *text, struct diagnostics *diagnostics)
{
    diagnostics_init(diagnostics);
    return game_load(text, strlen(text), NULL, diagnostics);
}

/* 85 MiB before there was a budget. */
static void a_few_hundred_bytes_do_not_become_a_hundred_million(void **state)
{
    (void)state;
    struct diagnostics diagnostics;
    const char *text = queens(3, 8, plane, "\"x\":32,\"y\":32", plane_steps);
    assert_true(strlen(text) < 958);
    most_taken = taken;
    size_t before = taken;
    assert_null(load(text, &diagnostics));
    assert_int_equal(diagnostics.error_count, 1);
    assert_false(diagnostics.no_memory);
    const struct diagnostic *found = diagnostics_first_error(&diagnostics);
    assert_string_equal(found->pointer, "/figures/q0");
    assert_int_equal(found->line, 4);
    assert_string_equal(found->message,
                        "Multiplied out, this game is too large: it would take more than 8 MiB of "
                        "memory, most of it for what stands here");
    assert_string_equal(found->hint, "use fewer cells, figures, movements or conditions");
    diagnostics_release(&diagnostics);
    assert_int_equal(taken, before);
    assert_true(most_taken - before < GAME_BYTES_MAX + COMPILE_BYTES_MAX + ARENA_BYTES_MAX);
}

/* What is counted is what is taken, and positions are what they say. */
static void a_game_says_truly_what_it_takes(void **state)
{
    (void)state;
    static const char *const files[] = {"games/chess.json", "games/raumschach.json",
                                        "games/chinese-checkers.json", "games/checkers.json"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct diagnostics diagnostics;
        char *text = test_read_file(files[i], NULL);
        assert_non_null(text);
        size_t before = taken;
        struct game *game = load(text, &diagnostics);
        assert_non_null(game);
        diagnostics_release(&diagnostics);
        size_t bytes = taken - before;
        assert_true(game_bytes(game) >= bytes - bytes / 4);
        assert_true(game_bytes(game) <= bytes + bytes / 4);
        assert_true(game_bytes(game) < GAME_BYTES_MAX / 4);
        struct position *position = position_new(game);
        assert_true(taken - before - bytes >= position_bytes(game));
        assert_true(position_bytes(game) < POSITION_BYTES_MAX / 8);
        position_free(position);
        game_release(game);
        assert_int_equal(taken, before);
        free(text);
    }
}

static void expect_admitted(const char *text)
{
    struct diagnostics diagnostics;
    struct game *game = load(text, &diagnostics);
    if (game == NULL)
        fail_msg("refused: %s", diagnostics.list[0].message);
    diagnostics_release(&diagnostics);
    game_release(game);
}

static void large_games_of_sense_are_admitted(void **state)
{
    (void)state;
    expect_admitted(queens(8, 2, plane, "\"x\":19,\"y\":19", plane_steps));
    expect_admitted(queens(5, 2, space, "\"x\":8,\"y\":8,\"z\":8", space_steps));
    expect_admitted(queens(2, 4, plane, "\"x\":24,\"y\":24", plane_steps));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_hundred_bytes_do_not_become_a_hundred_million),
        cmocka_unit_test(a_game_says_truly_what_it_takes),
        cmocka_unit_test(large_games_of_sense_are_admitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
