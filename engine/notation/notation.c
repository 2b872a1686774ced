#include "engine/notation/room.h"

#include "engine/memory/memory.h"

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
    notation->moves = memory_bytes(((size_t)game->moves_max + 1) * sizeof *notation->moves);
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
    return style == NOTATION_COORDINATE || game->notation->algebraic.letters != NULL;
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
