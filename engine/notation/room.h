/* What the files of this folder share. Private to them.
 *
 *   notation.c           the room, and writing into a text of bounded size
 *   position*.c          positions: written, and read
 *   move.c               moves */
#ifndef ENGINE_NOTATION_ROOM_H
#define ENGINE_NOTATION_ROOM_H

#include "engine/notation.h"
#include "engine/notation/tables.h"
#include "engine/state.h"

struct notation {
    const struct game *game;
    const struct notation_tables *tables;
    struct position *scratch; /* where texts are set up and moves are tried */
    struct move *moves;
};

/* A text being written. What does not fit is left out, and `full` remembers it. */
struct notation_text {
    char *at, *end; /* `end` is where the final zero would still fit */
    bool full;
};

struct notation_text notation_text_begin(char *bytes, size_t size);
void notation_text_add(struct notation_text *text, const char *words);
void notation_text_add_number(struct notation_text *text, int number);

/* How many bytes of `text` are `prefix`; 0 if it begins otherwise. */
size_t notation_prefix(const char *text, const char *prefix);

/* A sentence of why, cut where it does not fit. False, for the caller to return. */
bool notation_refuse(char words[NOTATION_WORDS_BYTES], const char *format, ...);

/* The text up to the next space, cut, for a sentence. */
struct notation_quote {
    char text[40];
};
struct notation_quote notation_quote(const char *text, size_t length);

/* --- a position's text ------------------------------------------------------------------------ */

/* A text being read into the room's scratch position. */
struct position_reading {
    const struct game *game;
    struct position *position;
    const char *start, *at;
    char *words;
    state_index state;                  /* whose turn it is, as far as is known */
    int move_number;                    /* and how many moves there have been */
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
/* As notation_refuse, with words for the text up to `end`. */
bool notation_refuse_text(struct position_reading *reading, const char *format, const char *text,
                          const char *end);

/* The board, in one of its two ways, and the hands that stand behind it. False, with words, when it is none; when a figure has no letter. */
bool notation_read_board(struct position_reading *reading);
bool notation_write_board(const struct position *position, struct notation_text *text);

/* What is in hand: letters, each once for each figure, or `counted`: behind how many there are. Up to `end`. */
bool notation_read_hands(struct position_reading *reading, const char *end);
bool notation_write_hands(const struct position *position, bool counted,
                          struct notation_text *text);

#endif
