/* What the readers of `notation` have in common. Private to them:
 *
 *   notation.c           letters of figures; puts the parts together
 *   notation_position.c  how a position is written
 *   notation_moves.c     how a move is written
 *   game_tests.c         `tests` */
#ifndef ENGINE_LOAD_NOTATION_READER_H
#define ENGINE_LOAD_NOTATION_READER_H

#include "engine/load/notation_definition.h"
#include "engine/load/reader.h"

struct notation_reading {
    struct reader *reader;
    struct notation_definition *definition;
    struct notation_tables *tables;  /* the definition's */
    const char **letters, **choices; /* the tables' own, by code */
    int code_count;
    bool figures_known; /* nothing was wrong with the letters */
};

/* A short text; `missing` when it is absent or wrong. */
const char *notation_read_sign(struct reader *reader, const struct node *node, const char *missing);
/* Why a text cannot stand among others in a position's text; NULL: it can. */
const char *notation_word_fault(const char *text, size_t most);
const char *notation_upper(struct reader *reader, const char *letter); /* A copy; ASCII only */

/* The style comes first: it decides which letters a figure may have. */
void notation_read_position_style(struct notation_reading *reading, const struct node *notation);
void notation_read_position_words(struct notation_reading *reading, const struct node *notation);
void notation_read_moves(struct notation_reading *reading, const struct node *notation);

#endif
