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

/* What it is called. `game_name` is the file's "name"; title and description are "" where the file has none. */
const char *game_name(const struct game *game);
const char *game_title(const struct game *game); /* falls back to the name */
const char *game_description(const struct game *game);

/* What its texts are in other languages, as far as the file says so. A text is the file's title or description, a name, a reason. */
struct translated_text {
    const char *text, *translated;
};
struct game_translation {
    const char *language; /* a tag such as "de" or "pt-BR" */
    int text_count;
    const struct translated_text *texts;
};
const struct game_translation *game_translations(const struct game *game, int *count);
/* NULL: it says nothing in this language. */
const struct game_translation *game_translation(const struct game *game, const char *language);
/* The text itself where there is no translation, or none of it. */
const char *game_translate(const struct game_translation *translation, const char *text);

int game_dimension_count(const struct game *game);
int game_cell_count(const struct game *game);
int game_player_count(const struct game *game);
int game_figure_count(const struct game *game);
int game_state_count(const struct game *game);
/* An upper bound for the number of legal moves in any position. */
int game_moves_max(const struct game *game);

const char *game_player_name(const struct game *game, player_index player);
const char *game_figure_name(const struct game *game, figure_index figure);
const char *game_state_name(const struct game *game, state_index state);
const char *game_state_phase(const struct game *game, state_index state); /* NULL: none */
const char *game_cell_name(const struct game *game, cell_index cell);
const int *game_cell_coordinates(const struct game *game,
                                 cell_index cell); /* dimension_count of them */
const char *game_coordinate_name(const struct game *game, int dimension);

/* What positions of format 2 have beside figures; 0 of everything in older games. A counter that each player has for
 * themselves takes as many slots as there are players; of one that all share, `player` becomes PLAYER_NONE. */
/* Whether the file says something that was read otherwise before this revision of the language: who keeps a game that is played
 * must remember by which it is. */
enum { LANGUAGE_REVISION = 2 };
bool game_is_revised(const struct game *game);
int game_format(const struct game *game); /* 2, or 0 for what came before */
bool game_has_hands(const struct game *game);
int game_mark_count(const struct game *game);
const char *game_mark_name(const struct game *game, int mark);
int game_counter_slot_count(const struct game *game);
const char *game_counter_name(const struct game *game, int slot, player_index *player);

/* Names back to indices; `length` bytes of `text`, no final zero needed. *_NONE when there is no such name.
 * A cell is also found by its coordinates joined with `_`, whatever its name. */
player_index game_find_player(const struct game *game, const char *text, size_t length);
figure_index game_find_figure(const struct game *game, const char *text, size_t length);
bool game_find_state(const struct game *game, const char *text, size_t length, state_index *state);
cell_index game_find_cell(const struct game *game, const char *text, size_t length);
cell_index game_cell_at(const struct game *game, const int *coordinates);

/* What to draw: evaluated at load from the file's expressions, so that clients get numbers and colours only. */
struct point {
    double x, y;
};
struct cell_layout {
    double x, y; /* top left corner, in cell sizes; may be negative */
    int shape;   /* index for game_shape */
    const char *fill, *selector, *highlighter;
};
const struct cell_layout *game_cell_layout(const struct game *game, cell_index cell);
int game_shape_count(const struct game *game);
const struct point *game_shape(const struct game *game, int shape, int *point_count);
/* How many of them stand on the board when the game begins. */
int game_start_count(const struct game *game, player_index player, figure_index figure);

/* Lines drawn between the middles of cells. */
struct board_line {
    cell_index from, to;
};
const struct board_line *game_lines(const struct game *game, int *count);
double game_rotation(const struct game *game, player_index player); /* degrees */
/* As written in the file: an absolute https URL, or a path relative to the game file; NULL when there is none. */
const char *game_image(const struct game *game, player_index player, figure_index figure);

#endif
