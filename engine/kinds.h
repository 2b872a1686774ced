/* Kinds of things a file speaks of, named alike in what load/ reads (definition.h) and in what a game is compiled to
 * (tables.h). */
#ifndef ENGINE_KINDS_H
#define ENGINE_KINDS_H

#include "engine/types.h"

enum rule_action_kind { RULE_MOVE, RULE_TAKE, RULE_SWAP, RULE_REPLACE, RULE_CANCEL };

struct rule_action {
    uint8_t kind;            /* enum rule_action_kind */
    figure_index new_figure; /* of REPLACE */
};

/* States of the machine. */
enum machine_kind {
    MACHINE_MOVE, /* waits for a move of its player */
    MACHINE_END,
    MACHINE_CHECK_WIN, /* goes on by whether its player has won */
    MACHINE_NEXT_MOVE, /* the move number grows by one */
    MACHINE_PASS,      /* of an unknown type in a file of format 0 or 1: nothing happens */
};

/* Which cells `remove` of after_move is about. */
enum effect_place { EFFECT_ON_TARGET, EFFECT_ON_NEIGHBOURS, EFFECT_ON_CELLS };

#endif
