/* What the files of this folder share. Private to them.
 *
 *   notation.c           the room, and writing into a text of bounded size
 *   position*.c          positions: written, and read
 *   move.c               moves */
#ifndef ENGINE_NOTATION_ROOM_H
#define ENGINE_NOTATION_ROOM_H

#include "engine/notation.h"
#include "engine/notation/tables.h"

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

#endif
