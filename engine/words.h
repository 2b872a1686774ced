/* The words of a game's file and its board: which cells a word speaks of in a position, by which word a move was made or a game
 * ended, and which such words there are. Words are named by JSON pointers into the file. */
#ifndef ENGINE_WORDS_H
#define ENGINE_WORDS_H

#include "engine/position.h"

/* What cells have to do with a word. */
#define WORD_ROLES(X)                                                                              \
    X(FROM, "from")         /* a figure stands there to which the word applies */                  \
    X(REACH, "reach")       /* it leads there from such a figure, by geometry */                   \
    X(TO, "to")             /* and now legally */                                                  \
    X(ZONE, "zone")         /* they lie in what is named */                                        \
    X(MATCHING, "matching") /* they are now like what is asked */                                  \
    X(ATTACKED, "attacked") /* what is asked to be attacked, and is */                             \
    X(ATTACKER, "attacker") /* by a figure there */

#define ROLE(name, word) WORD_##name,
enum word_role { WORD_ROLES(ROLE) WORD_ROLE_COUNT };
#undef ROLE

struct word_cells {
    const char *pointer; /* as it was asked for; NULL: no word within it speaks of cells */
    uint64_t sets[WORD_ROLE_COUNT][PLAYERS_MAX][WORDS_MAX]; /* bits, by who moves */
};

/* Movements of figures elsewhere than on `from` and of other kinds than `figure` are left out, unless these are CELL_NONE and
 * FIGURE_NONE. `position` is changed and restored; `moves` has room for
 * moves_max. */
void words_cells(struct position *position, const char *pointer, cell_index from,
                 figure_index figure, struct move *moves, struct word_cells *answer);

/* Where a movement of the figure leads from the cell, by geometry alone; adds to `cells`. */
void words_reach(const struct game *game, figure_index figure, player_index player, cell_index from,
                 uint64_t *cells);

/* The movement, combined movement or entry of `place` a legal move is made by; "" for a pass. */
const char *words_of_move(const struct position *position, struct move move);
/* The result that an outcome of this game comes from; "": none of `results`. */
const char *words_of_outcome(const struct game *game, struct outcome outcome);

/* Every movement, combined movement, entry of `place`, promotion and result. */
void words_each(const struct game *game, void (*tell)(void *context, const char *pointer),
                void *context);
/* The promotions that apply to a legal move of the figure there. */
void words_of_promotion(const struct position *position, struct move move,
                        void (*tell)(void *context, const char *pointer), void *context);

#endif
