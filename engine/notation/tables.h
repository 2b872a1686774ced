/* What a file says about notation, looked up and copied into the game. Private to the engine and its loader. */
#ifndef ENGINE_NOTATION_TABLES_H
#define ENGINE_NOTATION_TABLES_H

#include "engine/types.h"

#include <string.h>

enum {
    NOTATION_SIGN_BYTES_MAX = 8, /* of a letter, a separator, a sign, a turn's text */
    FIELDS_MAX = 12,
    UNMOVED_LETTERS_MAX = 32,
    UNMOVED_CELLS_MAX = 8, /* of one letter */
    PARTS_MAX = 8,
    PART_BYTES_MAX = 16,
    SIGNS_MAX = 8,
};

enum notation_field_kind {
    FIELD_UNMOVED,
    FIELD_MARK,
    FIELD_COUNTER,
    FIELD_MOVE_NUMBER,
    FIELD_SAME_FIGURE,
    FIELD_HANDS,
    FIELD_UNUSED,
};

struct unmoved_letter {
    const char *text;
    int cell_count;
    const cell_index *cells;
};

struct notation_field {
    enum notation_field_kind kind;
    bool optional;
    /* Of a counter by player what stands between; of UNUSED what is written; of HANDS the same if they are empty. */
    const char *text;
    int letter_count; /* of UNMOVED */
    const struct unmoved_letter *letters;
    int mark; /* of MARK */
    bool only_takeable;
    int first_slot, slot_count; /* of COUNTER */
    int down_from;              /* -1: the value itself */
    int start;                  /* what a missing COUNTER or MOVE_NUMBER is */
};

struct condition_node;
struct game_test;

enum notation_sign_kind { SIGN_WON, SIGN_DRAWN, SIGN_OVER, SIGN_TEST };

struct notation_sign {
    enum notation_sign_kind kind;
    const char *text;
    const struct condition_node *tests[PLAYERS_MAX]; /* of TEST, by who moved */
};

struct coordinate_notation {
    const char *separator, *take, *choice;
    const char *place; /* between what is put and its cell; in algebraic texts, too */
    bool promoted;     /* the letter also where nothing is chosen but the figure becomes another */
    const char *pass;  /* NULL: the cell of `pass_figure` twice */
    figure_index pass_figure; /* FIGURE_NONE unless pass is NULL */
};

struct algebraic_notation {
    bool promoted;
    /* By figure, of omitted ones too: as a choice; "": it has none. NULL: the file says nothing of algebraic texts. */
    const char *const *letters;
    uint64_t omitted; /* figures without a letter that say where they come from when they take */
    int part_count;
    const char *const *parts; /* part * cells + cell */
    const char *take, *choice;
    int sign_count;
    const struct notation_sign *signs;
};

enum position_style { POSITION_NONE, POSITION_ROWS, POSITION_PIECES };

struct notation_tables {
    const char **letters; /* by code; NULL: none */
    const char **choices; /* by code: as a choice is written, or what is put */

    enum position_style style;
    const cell_index *order;    /* all cells as the text has them */
    const char *ends;           /* of ROWS: what stands behind each of them: 0, '/' or '|' */
    const char *const *turns;   /* by state; NULL: not to be said */
    const char *const *players; /* of PIECES: by player */
    player_index player_order[PLAYERS_MAX]; /* of PIECES: as they are written */
    bool hands_in_brackets;                 /* of ROWS: behind the board */
    int field_count;
    const struct notation_field *fields;
    int counted_count; /* counters that are in no field: counted as if a move had just led there */
    const uint8_t *counted;

    struct coordinate_notation coordinate;
    struct algebraic_notation algebraic;
    const char *pgn_variant;

    int test_count;
    const struct game_test *tests; /* engine/game_tests.h */
};

/* Behind the words that the text begins with; NULL: it does not, or is NULL itself. */
static inline const char *notation_behind(const char *text, const char *words)
{
    return text != NULL && strncmp(text, words, strlen(words)) == 0 ? text + strlen(words) : NULL;
}

#endif
