/* What the readers of `notation` have in common. Private to them:
 *
 *   notation.c           letters of figures; puts the parts together
 *   notation_position.c  how a position is written
 *   notation_moves.c     how a move is written
 *   game_tests.c         `tests` */
#ifndef ENGINE_LOAD_NOTATION_READER_H
#define ENGINE_LOAD_NOTATION_READER_H

#include "engine/load/fields.h"
#include "engine/notation/tables.h"

enum letter_case { CASE_SAME, CASE_UPPER, CASE_LOWER };

/* The number by which tables have how a figure of a player is written: its code in a game. */
static inline int notation_code(const struct reader *reader, int figure, int player)
{
    return 1 + figure * reader->players.count + player;
}

/* Why a text cannot stand among others in a position's text; NULL: it can. */
const char *notation_word_fault(const char *text);
/* Of things of these names each must be written (NULL: it need not be), and no two alike; where they stand in a row the longest that
 * is there is read, and must be what is meant. */
void notation_check_texts(struct reader *reader, const struct node *node, const char *const *texts,
                          const char *const *names, int count, bool in_row);
/* A copy; ASCII only. */
const char *notation_in_case(struct reader *reader, const char *letter, enum letter_case letters);

field_kind notation_word;          /* such a text; `what` it is */
field_kind notation_position_read; /* into struct notation_tables */
extern const struct field notation_moves_fields[];
/* Whether texts of placements can be told from others, once all of it is read. */
void notation_check_placements(struct reader *reader, const struct node *root);

#endif
