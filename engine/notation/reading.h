/* A position's text being read: the board first, in rows or in lists of pieces, then whose turn it is, then the fields.
 * Private to the position* files of this folder. */
#ifndef ENGINE_NOTATION_READING_H
#define ENGINE_NOTATION_READING_H

#include "engine/notation/room.h"
#include "engine/tables.h"

/* A text being read into the room's scratch position. */
struct position_reading {
    struct notation *notation;
    const struct game *game;
    struct position *position;
    const char *start, *at;
    char *words;
};

void notation_skip_spaces(struct position_reading *reading);
/* Up to the next space. */
size_t notation_word_length(const char *text);
/* A number of at most `most`; false when there is none, or it is larger. */
bool notation_read_number(const char **at, int most, int *number);

/* The board, in one of its two ways. False, with words. */
bool notation_read_rows(struct position_reading *reading);
bool notation_read_pieces(struct position_reading *reading);

#endif
