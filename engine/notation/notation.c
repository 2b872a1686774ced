#include "engine/notation/room.h"

#include "engine/memory/memory.h"
#include "engine/state.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the room --------------------------------------------------------------------------------- */

struct notation *notation_new(const struct game *game)
{
    struct notation *notation = memory_zeroed(1, sizeof *notation);
    notation->game = game;
    notation->tables = game->notation;
    notation->scratch = position_new(game); /* it holds the reference */
    notation->moves = memory_bytes(((size_t)game_moves_max(game) + 1) * sizeof *notation->moves);
    return notation;
}

void notation_free(struct notation *notation)
{
    if (notation == NULL)
        return;
    free(notation->moves);
    position_free(notation->scratch);
    free(notation);
}

bool game_has_position_notation(const struct game *game)
{
    return game->notation->style != POSITION_NONE;
}

bool game_has_move_notation(const struct game *game, enum notation_style style)
{
    return style == NOTATION_COORDINATE || game->notation->algebraic.declared;
}

const char *game_pgn_variant(const struct game *game)
{
    return game->notation->pgn_variant;
}

/* --- texts ------------------------------------------------------------------------------------ */

struct notation_text notation_text_begin(char *bytes, size_t size)
{
    bytes[0] = '\0';
    return (struct notation_text){.at = bytes, .end = bytes + size - 1};
}

void notation_text_add(struct notation_text *text, const char *words)
{
    size_t length = strlen(words);
    if (text->full || (size_t)(text->end - text->at) < length) {
        text->full = true;
        return;
    }
    memcpy(text->at, words, length + 1);
    text->at += length;
}

void notation_text_add_byte(struct notation_text *text, char byte)
{
    notation_text_add(text, (char[]){byte, '\0'});
}

void notation_text_add_number(struct notation_text *text, int number)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%d", number);
    notation_text_add(text, digits);
}

size_t notation_prefix(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? length : 0;
}

bool notation_refuse(char words[NOTATION_WORDS_BYTES], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, NOTATION_WORDS_BYTES, format, arguments);
    va_end(arguments);
    return false;
}

/* Cut between characters, and without what a terminal might obey. */
struct notation_quote notation_quote(const char *text, size_t length)
{
    struct notation_quote quote;
    size_t most = sizeof quote.text - 4, count = 0;
    while (count < length && count < most && text[count] != '\0') {
        unsigned char byte = (unsigned char)text[count];
        quote.text[count] = byte < 0x20 || byte >= 0x7f ? '?' : (char)byte;
        count++;
    }
    bool cut = count < length && text[count] != '\0';
    memcpy(quote.text + count, cut ? "..." : "", cut ? 4 : 1);
    return quote;
}

/* --- what a move does ------------------------------------------------------------------------- */

/* The position after a move, on the scratch position. */
static const struct position *try_move(struct notation *notation, const struct position *position,
                                       struct move move)
{
    position_copy(notation->scratch, position);
    position_make(notation->scratch, move, NULL);
    return notation->scratch;
}

figure_index notation_becomes_by(const struct position *before, const struct position *after,
                                 struct move move)
{
    if (move_is_pass(move) || move.choice != CHOICE_NONE)
        return move.choice; /* FIGURE_NONE and CHOICE_NONE are the same number */
    struct contents was = position_contents(before, move.from);
    struct contents is = position_contents(after, move.to);
    bool moved = position_contents(after, move.from).figure == FIGURE_NONE;
    bool becomes =
        moved && is.figure != FIGURE_NONE && is.player == was.player && is.figure != was.figure;
    return becomes ? is.figure : FIGURE_NONE;
}

figure_index notation_becomes(struct notation *notation, const struct position *position,
                              struct move move)
{
    if (move_is_pass(move) || move.choice != CHOICE_NONE)
        return move.choice;
    return notation_becomes_by(position, try_move(notation, position, move), move);
}

static unsigned count_others(const struct position *position, player_index player)
{
    const struct game *game = position->game;
    unsigned count = 0;
    for (int i = 0; i < game->player_count; i++)
        for (int word = 0; i != player && word < game->words; word++)
            count += word_count(position_player_words(position, i)[word]);
    return count;
}

bool notation_takes_by(const struct position *before, const struct position *after,
                       struct move move)
{
    if (move_is_pass(move))
        return false;
    player_index player = position_to_move(before);
    if (count_others(after, player) < count_others(before, player))
        return true;
    /* what was jumped may stand there until the turn ends, but the move knows that it took */
    return after->turn.last.taken != 0;
}

bool notation_takes(struct notation *notation, const struct position *position, struct move move)
{
    return !move_is_pass(move) &&
           notation_takes_by(position, try_move(notation, position, move), move);
}
