/* Texts of positions and moves are read or refused, never worse. What is read as a position is a sound one: it is written, read again,
 * and then the same; what is read as a move is legal, and is what its own text says.
 *
 * The input is lines: the first names a game of games/, the second is a position (empty: the start), the rest are moves. */
#include "engine/load/load.h"
#include "engine/notation.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/games.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOVES_MAX = 16 };

static const char *const games[] = {
    "chess",
    "xiangqi",
    "janggi",
    "makruk",
    "glinski",
    "three-check",
    "intellector",
    "amazons",
    "raumschach",
    "checkers",
    "international-draughts",
};
enum { GAMES = sizeof games / sizeof *games };

static struct game *load(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/games/%s.json", SENET_SOURCE_DIR, name);
    size_t length = 0;
    char *text = test_read_game(path, &length);
    assert(text != NULL);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    struct game *game = game_load(text, length, NULL, &diagnostics);
    assert(game != NULL);
    diagnostics_release(&diagnostics);
    free(text);
    return game;
}

/* Loaded once each, and kept for as long as the fuzzer runs. */
static const struct game *game_of(const char *name)
{
    static struct game *loaded[GAMES];
    for (int i = 0; i < GAMES; i++) {
        if (strcmp(name, games[i]) != 0)
            continue;
        if (loaded[i] == NULL)
            loaded[i] = load(name);
        return loaded[i];
    }
    return NULL;
}

/* --- the law ---------------------------------------------------------------------------------- */

struct reading {
    struct notation *notation;
    struct position *position, *again;
    char words[NOTATION_WORDS_BYTES];
};

static void hold_position(struct reading *reading)
{
    static char text[NOTATION_POSITION_BYTES], second[NOTATION_POSITION_BYTES];
    if (!notation_write_position(reading->notation, reading->position, text))
        return;
    assert(notation_read_position(reading->notation, reading->again, text, reading->words));
    assert(notation_write_position(reading->notation, reading->again, second));
    assert(strcmp(text, second) == 0);
}

static void read_position(struct reading *reading, const char *text)
{
    uint64_t before = position_hash(reading->position);
    reading->words[0] = '\0';
    if (notation_read_position(reading->notation, reading->position, text, reading->words)) {
        hold_position(reading);
        return;
    }
    assert(reading->words[0] != '\0');
    assert(position_hash(reading->position) == before);
}

static void hold_move(struct reading *reading, struct move move, enum notation_style style)
{
    char text[NOTATION_MOVE_BYTES];
    struct move again;
    if (!game_has_move_notation(position_game(reading->position), style))
        return;
    notation_write_move(reading->notation, reading->position, NULL, move, style, text);
    assert(notation_read_move(reading->notation, reading->position, text, &again, reading->words));
    /* in a position no game leads to, two moves may look alike; their cells are told all the same */
    assert(style == NOTATION_ALGEBRAIC || move_equal(move, again));
}

static bool read_move(struct reading *reading, const char *text)
{
    struct move move, found;
    if (!notation_read_move(reading->notation, reading->position, text, &move, reading->words))
        return false;
    if (!move_is_pass(move)) {
        assert(movegen_find(reading->position, move.from, move.to, move.choice, &found));
        hold_move(reading, move, NOTATION_ALGEBRAIC);
    }
    hold_move(reading, move, NOTATION_COORDINATE);
    position_make(reading->position, move, NULL);
    return true;
}

static void read_lines(struct reading *reading, char *lines)
{
    char *line = lines;
    for (int i = 0; line != NULL && i <= MOVES_MAX; i++) {
        char *end = strchr(line, '\n');
        if (end != NULL)
            *end++ = '\0';
        if (i == 0 && line[0] != '\0')
            read_position(reading, line);
        else if (i > 0 && !read_move(reading, line))
            return;
        line = end;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *lines = malloc(size + 1);
    assert(lines != NULL);
    memcpy(lines, data, size);
    lines[size] = '\0';
    char *rest = strchr(lines, '\n');
    if (rest != NULL)
        *rest++ = '\0';
    const struct game *game = rest != NULL ? game_of(lines) : NULL;
    if (game != NULL) {
        struct reading reading = {.notation = notation_new(game),
                                  .position = position_new(game),
                                  .again = position_new(game)};
        read_lines(&reading, rest);
        notation_free(reading.notation);
        position_free(reading.position);
        position_free(reading.again);
    }
    free(lines);
    return 0;
}
