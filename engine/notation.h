/* Positions and moves as texts, in the way the game's players write them.
 *
 * Which letters, which order, which signs: all of it is said by the game file ("notation"). A game that says nothing still
 * has texts for its moves: the names of the two cells. Texts are bounded, end in zero, and are read with everything in
 * them taken for hostile.
 *
 * A `struct notation` is the room somebody needs to write and read with; it allocates nothing after notation_new and is
 * used by one at a time. */
#ifndef ENGINE_NOTATION_H
#define ENGINE_NOTATION_H

#include "engine/movegen.h"

enum {
    NOTATION_POSITION_BYTES = 16 * 1024, /* of any position's text, with the final zero */
    NOTATION_MOVE_BYTES = 256,           /* of any move's text, with the final zero */
    NOTATION_WORDS_BYTES = 256,          /* of why a text could not be read */
};

enum notation_style {
    NOTATION_COORDINATE, /* e2e4; every game has it, and it says all there is to know of a move */
    NOTATION_ALGEBRAIC,  /* Nf3+; of games that declare it */
};

struct notation;

struct notation *notation_new(const struct game *game); /* holds a reference to the game */
void notation_free(struct notation *notation);          /* NULL is allowed */

bool game_has_position_notation(const struct game *game);
bool game_has_move_notation(const struct game *game, enum notation_style style);
const char *game_pgn_variant(const struct game *game); /* "" where the file has none */

/* False when the position cannot be said: the game declares no positions, a figure has no letter, nobody is to move. What
 * is going on within a turn of several moves is not in the text. */
bool notation_write_position(struct notation *notation, struct position *position,
                             char text[NOTATION_POSITION_BYTES]);

/* False, with a sentence in `words`, when the text says no position of this game; then `position` is as it was. */
bool notation_read_position(struct notation *notation, struct position *position, const char *text,
                            char words[NOTATION_WORDS_BYTES]);

/* `move` is legal in `before`; `after` is the position it led to, so that it has not to be made once more; NULL: it is not at hand. */
void notation_write_move(struct notation *notation, struct position *before, struct position *after,
                         struct move move, enum notation_style style,
                         char text[NOTATION_MOVE_BYTES]);

/* The legal move that a text of either style means; false, with a sentence in `words`, when there is none or more than one. */
bool notation_read_move(struct notation *notation, struct position *position, const char *text,
                        struct move *move, char words[NOTATION_WORDS_BYTES]);

/* The cells and the choice that a coordinate text names, legal or not. False when the text is of another form. */
bool notation_parse_move(struct notation *notation, const struct position *position,
                         const char *text, struct move *move);

#endif
