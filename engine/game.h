/* A compiled game: cells, figures, players, tables of movement, the state machine.
 *
 * Immutable once loaded and reference-counted (atomically: it is compiled on one thread and played on another), so
 * that every room playing it shares one. Everything returned here is borrowed from the game and lives as long as a
 * reference to it is held. */
#ifndef ENGINE_GAME_H
#define ENGINE_GAME_H

#include "engine/types.h"

struct game;

struct game *game_retain(struct game *game);
size_t game_bytes(const struct game *game); /* of memory, with all its tables */
void game_release(struct game *game);       /* NULL is allowed */

/* --- what everybody may know of a game --------------------------------------------------------- */

/* What its texts are in other languages, as far as the file says so. A text is the file's title or description, a name, a reason. */
struct translated_text {
    const char *text, *translated;
};
struct game_translation {
    const char *language; /* a tag such as "de" or "pt-BR" */
    int text_count;
    const struct translated_text *texts;
};

/* Pictures of figures. A set without one for a figure leaves it as the game's `images` have it. */
struct image_set {
    const char *name;                              /* NULL: `images` */
    const char *figures[PLAYERS_MAX][FIGURES_MAX]; /* NULL: there is none */
};

/* What to draw: evaluated at load from the file's expressions, so that clients get numbers and colours only. */
struct point {
    double x, y;
};
struct cell_layout {
    double x, y; /* top left corner, in cell sizes; may be negative */
    int shape;   /* which of the board's shapes */
    const char *fill, *selector, *highlighter;
};
struct board_cell {
    int coordinates[DIMENSIONS_MAX];
    const char *name; /* from cell.name, or the coordinates joined by `_` */
    struct cell_layout layout;
};
/* An outline; cells with equal ones share it. */
struct board_shape {
    int point_count;
    const struct point *points;
};
/* Drawn between the middles of cells. */
struct board_line {
    cell_index from, to;
};

/* Whether the file says something that was read otherwise before this revision of the language: who keeps a game that is played
 * must remember by which it is. */
enum { LANGUAGE_REVISION = 2 };

/* As members of their own and, for who asks a game for them, as one struct. An image is as written in the file: an absolute https
 * URL, or a path relative to the game file. Of format 2 positions have marks, counters and hands beside figures; a counter that
 * each player has for themselves takes as many slots as there are players. */
#define GAME_FACTS_MEMBERS                                                                         \
    const char *name, *title; /* the title falls back to the name */                               \
    const char *description;  /* "" where the file has none */                                     \
    int format;               /* 2, or 0 for what came before */                                   \
    bool revised;             /* see LANGUAGE_REVISION */                                          \
    int dimension_count, player_count, figure_count, cell_count, shape_count, line_count;          \
    int state_count, mark_count, counter_slot_count, translation_count, image_set_count;           \
    int moves_max; /* no position has more legal moves */                                          \
    const char *coordinate_names[DIMENSIONS_MAX];                                                  \
    const char *player_names[PLAYERS_MAX];                                                         \
    const char *const *figure_names;                                                               \
    const char *marks[MARKS_MAX];                                                                  \
    bool has_hands;                                                                                \
    const struct board_cell *cells; /* in lexicographic order of the coordinates, no two equal */  \
    const struct board_shape *shapes;                                                              \
    const struct board_line *lines;                                                                \
    double rotation[PLAYERS_MAX]; /* degrees */                                                    \
    struct image_set images;      /* of who has chosen no other */                                 \
    const struct image_set *image_sets;                                                            \
    const struct game_translation *translations;
struct game_facts {
    GAME_FACTS_MEMBERS
};
const struct game_facts *game_facts(const struct game *game);

/* NULL: it says nothing in this language. */
const struct game_translation *game_translation(const struct game *game, const char *language);
/* The text itself where there is no translation, or none of it. */
const char *game_translate(const struct game_translation *translation, const char *text);

const char *game_state_name(const struct game *game, state_index state);
const char *game_state_phase(const struct game *game, state_index state); /* NULL: none */
/* Whose the counter is: PLAYER_NONE of one that all share. */
const char *game_counter_name(const struct game *game, int slot, player_index *player);

/* Names back to indices; `length` bytes of `text`, no final zero needed. *_NONE when there is no such name.
 * A cell is also found by its coordinates joined with `_`, whatever its name. */
player_index game_find_player(const struct game *game, const char *text, size_t length);
figure_index game_find_figure(const struct game *game, const char *text, size_t length);
bool game_find_state(const struct game *game, const char *text, size_t length, state_index *state);
cell_index game_find_cell(const struct game *game, const char *text, size_t length);
cell_index game_cell_at(const struct game *game, const int *coordinates);

/* How many of them stand on the board when the game begins. */
int game_start_count(const struct game *game, player_index player, figure_index figure);

#endif
