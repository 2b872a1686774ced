/* Whatever the bytes, loading answers: a game with no errors, or errors and no game, each at a
 * place in the file. A game that loads starts with a position in which play can go on. */
#include <assert.h>
#include <string.h>

#include "engine/load/load.h"
#include "engine/movegen.h"
#include "engine/position.h"
#include "tests/engine/positions.h"
#include "tests/fuzz/fuzz.h"

static int count_lines(const uint8_t *data, size_t size)
{
    int lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n';
    return lines;
}

static void check_diagnostics(const struct diagnostics *diagnostics, const uint8_t *data,
                              size_t size)
{
    int lines = count_lines(data, size), errors = 0;
    assert(diagnostics->count <= DIAGNOSTICS_MAX);
    for (int i = 0; i < diagnostics->count; i++) {
        const struct diagnostic *found = &diagnostics->list[i];
        assert(found->line >= 1 && found->line <= lines);
        assert(found->column >= 1);
        assert(found->message[0] != '\0');
        assert(found->pointer[0] == '\0' || found->pointer[0] == '/');
        errors += found->severity == DIAGNOSTIC_ERROR;
    }
    assert(errors <= diagnostics->error_count);
    assert((errors > 0) == (diagnostics->error_count > 0));
}

static void play_a_move(const struct game *game)
{
    struct position *position = position_new(game);
    assert(position != NULL);
    struct outcome outcome = position_outcome(position);
    assert(outcome.kind != OUTCOME_PLAYING || movegen_any(position));
    assert(position_hash(position) == position_hash_from_scratch(position));
    position_free(position);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    struct game *game = game_load((const char *)data, size, NULL, &diagnostics);
    assert((game == NULL) == (diagnostics.error_count > 0));
    check_diagnostics(&diagnostics, data, size);
    if (game != NULL)
        play_a_move(game);
    game_release(game);
    diagnostics_release(&diagnostics);
    return 0;
}
