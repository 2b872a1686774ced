/* A position's text: the board first, in rows or in lists of pieces, then whose turn it is, then the fields. Private to the
 * position* files of this folder. */
#ifndef ENGINE_NOTATION_READING_H
#define ENGINE_NOTATION_READING_H

#include "engine/notation/room.h"
#include "engine/state.h"

/* A text being read into the room's scratch position. */
struct position_reading {
    const struct game *game;
    struct position *position;
    const char *start, *at;
    char *words;
    state_index
        state; /* whose turn it is, and how many moves there have been, as far as is known */
    int move_number;
    const struct notation_field *field; /* that is read */
};

struct position_writing {
    struct notation *notation;
    struct position *position;
    const struct notation_field *field; /* that is written */
    struct notation_text text;
};

void notation_skip_spaces(struct position_reading *reading);
/* Up to the next space. */
size_t notation_word_length(const char *text);
/* A number of at most `most`; false when there is none, or it is larger. */
bool notation_read_number(const char **at, int most, int *number);
/* As notation_refuse, with words for `length` bytes of text. */
bool notation_refuse_text(struct position_reading *reading, const char *format, const char *text,
                          size_t length);

/* The board, in one of its two ways. False, with words, when it is none; when a figure has no letter. */
bool notation_read_board(struct position_reading *reading);
bool notation_write_board(const struct position *position, struct notation_text *text);

#endif
