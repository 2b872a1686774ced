/* Whatever the bytes, also over another file, loading answers: a game with no errors, or errors and no game, each at a
 * place in the file. A game that loads starts with a position in which play can go on. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/load/extends.h"
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

static const char small[] =
    "{\"format\": 2, \"name\": \"small\", \"players\": [\"a\", \"b\"],\n"
    " \"cell\": {\"coordinates_names\": [\"x\"], \"geometry\": [[0, 0], [1, 0], [0, 1]],\n"
    "  \"position\": {\"x\": \"x\", \"y\": 0}},\n"
    " \"board\": {\"cells\": {\"box\": {\"x\": 4}}},\n"
    " \"figures\": {\"man\": {\"movement\": [{\"x\": 1, \"symmetric\": \"all\"}]}},\n"
    " \"initial_position\": {\"a\": {\"man\": [\"0\"]}, \"b\": {\"man\": [\"3\"]}},\n"
    " \"turns\": [\"a\", \"b\"]}\n";

struct bytes {
    const uint8_t *data;
    size_t size;
};

/* A sound game under any name but one: "self" is the file that is loaded. */
static char *find(const void *context, const char *name, size_t *length)
{
    const struct bytes *file = context;
    bool self = strcmp(name, "self") == 0;
    *length = self ? file->size : sizeof small - 1;
    char *text = malloc(*length + 1);
    if (text != NULL)
        memcpy(text, self ? (const char *)file->data : small, *length);
    return text;
}

static struct game *load(const struct bytes *file, struct diagnostics *diagnostics)
{
    const struct bases bases = {find, file};
    struct whole_text whole;
    struct game *game = NULL;
    if (whole_text_read(&whole, (const char *)file->data, file->size, &bases, diagnostics)) {
        assert(whole.layer_count == 0 || whole.length <= DEFINITION_BYTES_MAX);
        game = game_load(whole.text, whole.length, NULL, diagnostics);
    }
    whole_text_locate(&whole, diagnostics);
    whole_text_release(&whole);
    return game;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    struct game *game = load(&(struct bytes){data, size}, &diagnostics);
    assert((game == NULL) == (diagnostics.error_count > 0));
    check_diagnostics(&diagnostics, data, size);
    if (game != NULL)
        play_a_move(game);
    game_release(game);
    diagnostics_release(&diagnostics);
    return 0;
}
