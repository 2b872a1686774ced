/* Whether a cell of a position is like a match of the file (struct cell_test), and which cells are. */
#ifndef ENGINE_MATCHING_H
#define ENGINE_MATCHING_H

#include "engine/state.h"

#include <limits.h>

/* CELL_NONE: a hole. */
bool matching_cell(const struct position *position, const struct cell_test *test, cell_index cell);

/* Whether what the code stands for would match, as far as kind and owner go. */
bool matching_contents(const struct position *position, const struct cell_test *test,
                       unsigned code);

/* One word of the cells on which figures of some players stand (bits). */
static inline uint64_t matching_players(const struct position *position, unsigned players, int word)
{
    uint64_t cells = 0;
    for (int i = 0; i < position->game->player_count; i++)
        if ((players >> i & 1) != 0)
            cells |= position_player_words(position, i)[word];
    return cells;
}

/* The same of all players. */
static inline uint64_t matching_occupied(const struct position *position, int word)
{
    return matching_players(position, UINT_MAX, word);
}

/* The cells that match, as a set of game->words words. */
void matching_cells(const struct position *position, const struct cell_test *test, uint64_t *cells);

/* How many they are. */
int matching_count(const struct position *position, const struct cell_test *test);

/* Whether there are so many of them, both included; INT32_MAX: no upper bound. */
bool matching_count_is(const struct position *position, const struct cell_test *test, int min,
                       int max);

#endif
