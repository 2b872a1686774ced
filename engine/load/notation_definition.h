/* The words `notation` and `tests` of a file, read: the tables as the game will have them, in the definition's memory, and
 * what has still to be compiled into them. */
#ifndef ENGINE_LOAD_NOTATION_DEFINITION_H
#define ENGINE_LOAD_NOTATION_DEFINITION_H

#include "engine/load/definition.h"
#include "engine/notation/tables.h"

struct node;
struct reader;

struct notation_definition {
    struct notation_tables tables; /* without what counters begin with */
    const struct condition_node *signs[SIGNS_MAX][PLAYERS_MAX]; /* of SIGN_TEST, by who moved */
};

/* Of every game, in what it keeps: one that says nothing has texts of moves, by the names of their cells. To be called last,
 * when all names and conditions can be looked up. */
void notation_read(struct reader *reader, const struct node *root);

/* `tests`; called by notation_read. */
void game_tests_read(struct reader *reader, const struct node *root,
                     struct notation_tables *tables);

#endif
