/* A game in PGN from somebody else: it is read or refused with words, and never worse. What is read is a record that is
 * sound; written as PGN and read once more it is the same game, and then the same text.
 *
 * The input is a text whose Variant names the game, one of a few of games/. */
#include "engine/load/load.h"
#include "server/core/pgn.h"
#include "server/core/pgn_read.h"
#include "server/core/replay.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/games.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"chess", "breakthrough", "raumschach", "three-check", "makruk"};
enum { GAMES = sizeof names / sizeof *names };

struct known_game {
    char *definition;
    size_t length;
    struct game *game;
};

static void load(struct known_game *known, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/games/%s.json", SENET_SOURCE_DIR, name);
    known->definition = test_read_game(path, &known->length);
    assert(known->definition != NULL);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    known->game = game_load(known->definition, known->length, NULL, &diagnostics);
    diagnostics_release(&diagnostics);
    assert(known->game != NULL && pgn_has(known->game));
}

/* Loaded once each, and kept for as long as the fuzzer runs. NULL: none is written so. */
static const struct known_game *game_of(const char *variant)
{
    static struct known_game known[GAMES];
    for (int i = 0; i < GAMES; i++) {
        if (known[i].game == NULL)
            load(&known[i], names[i]);
        if (pgn_is_of(known[i].game, variant))
            return &known[i];
    }
    return NULL;
}

/* False, with words, where it is refused; else the replay of its record. */
static bool read(const char *text, size_t length, const struct known_game *known,
                 struct replay *replay)
{
    char words[PGN_WORDS_BYTES];
    size_t record_length;
    const struct pgn_source source = {
        .id = {"id", 2}, .definition = {known->definition, known->length}, .game = known->game};
    char *record = pgn_read(text, length, &source, &record_length, words);
    assert((record == NULL) == (words[0] != '\0'));
    if (record == NULL)
        return false;
    assert(replay_run(replay, record, record_length, NULL, NULL));
    free(record);
    return true;
}

static void check_same(const struct replay *first, const struct replay *second)
{
    assert(position_hash(first->position) == position_hash(second->position));
    assert(first->standing.status == second->standing.status);
    assert(strcmp(first->standing.reason, second->standing.reason) == 0);
    assert(first->move_count == second->move_count);
    for (int i = 0; i < first->standing.seat_count; i++)
        assert(strcmp(first->standing.seats[i].name, second->standing.seats[i].name) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct replay first = {.words = ""}, second = {.words = ""};
    const char *text = (const char *)data;
    char variant[PGN_VALUE_BYTES];
    pgn_is(text, size);
    pgn_read_variant(text, size, variant);
    const struct known_game *known = game_of(variant);
    if (known == NULL || !read(text, size, known, &first))
        return 0;
    size_t written_length, again_length;
    char *written = pgn_write(&first, &written_length);
    assert(pgn_is(written, written_length));
    assert(read(written, written_length, known, &second));
    check_same(&first, &second);
    char *again = pgn_write(&second, &again_length);
    assert(strcmp(written, again) == 0);
    free(written);
    free(again);
    replay_release(&first);
    replay_release(&second);
    return 0;
}
