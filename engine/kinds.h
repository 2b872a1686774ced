/* Kinds of things a file speaks of, named alike in what load/ reads (definition.h) and in what a game is compiled to
 * (tables.h). */
#ifndef ENGINE_KINDS_H
#define ENGINE_KINDS_H

#include "engine/types.h"

struct condition_node;

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

/* One struct from the file to the move. */
struct machine_state {
    const char *name;
    enum machine_kind kind;
    player_index player; /* of MOVE and CHECK_WIN */
    state_index next[2]; /* [result]; both equal unless CHECK_WIN; meaningless for END */
    /* Of an END: winner, or drawn, or neither: then the winner is the player of the last CHECK_WIN that said yes on the way
     * here, and if there was none the game is drawn. When the states are settled, `declared` says that it is one of the two,
     * and otherwise `winner` is the only player whom the way can name, or PLAYER_NONE. */
    player_index winner;
    bool drawn, declared;
    const char *reason;
    /* Format 2. */
    uint8_t phase;    /* of MOVE */
    bool same_figure; /* of MOVE: only the figure that moved last */
    /* Settled, of MOVE or END: who moved before it, for positions set up by hand. Of MOVE: the state that waits next if nobody
     * has won, by how much the move number grows on the way there, and whether no CHECK_WIN stands on it. */
    player_index before;
    state_index then;
    uint8_t numbers;
    bool straight;
};

/* What a movement is for. */
enum rule_purpose {
    FOR_ACTIONS, /* what its action sets say, as in formats 0 and 1: the rule of the same number in `rules` */
    FOR_MOVE, /* to an empty cell */
    FOR_TAKE, /* to an enemy's, which is taken; with takes_jumped to an empty one, taking what was jumped */
    FOR_BOTH, /* MOVE or TAKE */
    FOR_SWAP, /* changes places with a figure of the mover */
    FOR_PUT,  /* puts a figure on an empty cell and stays */
};

/* Whether the figure goes on after it. */
enum rule_continues { GOES_ON_NEVER, GOES_ON_MUST, GOES_ON_MAY };

/* What a figure becomes when it ends up in a zone that it came to from another: one struct from the file to the move. */
struct promotion_rule {
    int in_zone, from_zone;                 /* of the definition; -1: anywhere */
    const struct condition_node *condition; /* NULL: always */
    uint64_t to;                            /* bits by kind; none if `taken` */
    bool taken;                             /* into the kind of what is taken */
    bool optional, at_turn_end, stops;
    const char *pointer;
    uint32_t in, from; /* when it is settled: cell sets */
};

enum result_gives { GIVES_DRAW, GIVES_WINNER, GIVES_LOSER, GIVES_FINISH };

/* Whether a player may pass. */
enum pass_rule { PASSES_NEVER, PASSES_IF, PASSES_WHEN_STUCK };

/* Which cells `remove` of after_move is about. */
enum effect_place { EFFECT_ON_TARGET, EFFECT_ON_NEIGHBOURS, EFFECT_ON_CELLS };

#endif
