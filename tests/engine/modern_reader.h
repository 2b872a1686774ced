/* The reading half of the reference, for its own files. */
#ifndef TESTS_ENGINE_MODERN_READER_H
#define TESTS_ENGINE_MODERN_READER_H

#include "engine/load/expression.h"
#include "tests/engine/modern_parts.h"

/* --- modern_read.c --- */
struct reader {
    struct modern *game;
    struct expressions *expressions;
    const char *names[DIMENSIONS_MAX];
    const char *compiled; /* the last expression, as a number */
    int number;
};
struct expression_value read_expression(struct reader *reader, const char *text,
                                        const int *coordinates);

/* --- modern_sides.c: how each player sees the board --- */
void read_mirrors(struct reader *reader);
/* Where the cell, or difference, is for the player that the first player sees so; and the other way round. */
void mirror(const struct modern *game, player_index player, bool difference, int *coordinates);
void unmirror(const struct modern *game, player_index player, bool difference, int *coordinates);

#endif
