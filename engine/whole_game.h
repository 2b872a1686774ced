/* What a file says of the whole game: its board, the states between moves, counters, what is forbidden, what follows a move, how it ends.
 * One struct of each from the file to the move, as of conditions (condition_tree.h). What holds conditions are lists for each player
 * as the mover, but for counters. */
#ifndef ENGINE_WHOLE_GAME_H
#define ENGINE_WHOLE_GAME_H

#include "engine/condition_tree.h"
#include "engine/game.h"

/* States of the machine. */
enum machine_kind {
    MACHINE_MOVE, /* waits for a move of its player */
    MACHINE_END,
    MACHINE_CHECK_WIN, /* goes on by whether its player has won */
    MACHINE_NEXT_MOVE, /* the move number grows by one */
    MACHINE_PASS,      /* of an unknown type in a file of format 0 or 1: nothing happens */
};

/* Whether a player may pass. */
enum pass_rule { PASSES_NEVER, PASSES_IF, PASSES_WHEN_STUCK };

struct passing {
    enum pass_rule rule;
    const struct condition_node *condition; /* of PASSES_IF; NULL: always */
    const char *pointer;                    /* NULL: what the file says of all turns */
};

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
    int phase;        /* of MOVE */
    bool same_figure; /* of MOVE: only the figure that moved last */
    const struct condition_node
        *condition;      /* of MOVE: without it the turn is passed over; or NULL */
    struct passing pass; /* of MOVE; what the file says of all is here, too, when it is settled */
    /* Settled, of MOVE or END: who moved before it, for positions set up by hand. Of MOVE: the state that waits next if nobody
     * has won, by how much the move number grows on the way there, and whether no CHECK_WIN stands on it. */
    player_index before;
    state_index then;
    uint8_t numbers;
    bool straight;
};

/* Conditions that only ask which kind moved last or was taken by it: one of these did, or was. */
struct previous_kinds {
    bool known; /* the condition is such a one */
    uint64_t moved, taken;
};

/* What must be so for a condition to hold, quick to ask. */
struct condition_needs {
    uint64_t absent;      /* no figure of these kinds is on the board */
    uint8_t few_players;  /* these players, bits, */
    bool few_next;        /* and who is to move, */
    int few_most;         /* have so many figures at most, all together */
    uint8_t some_players; /* a figure of one of these stands on some_cells; 0: no need */
    uint32_t some_cells;  /* a cell set */
    int occurrences;      /* the position has been there so often; 0: no need */
    int slot;             /* this counter lies between these two; -1: no need */
    bool slot_of_next;    /* it is the first of a counter's, and that of who is to move is meant */
    int counter_min, counter_max;
    int clear;  /* this set of a position's, which begins at that word, is empty; -1: no need */
    bool whole; /* that is all the condition asks */
};

/* A part of a sum, for one player as the mover: so many times the cells that match (of a COUNT), are selected (of a SELECTED), or
 * what a counter stands at (of a COUNTER), or the figures in hand (of a HAND). */
struct score_term {
    struct condition_node counted;
    int times;
};

/* What a counter becomes after a move: `to` and the sum of the parts. */
struct counter_setting {
    const struct condition_node *condition; /* NULL: always */
    int to;
    int term_count;
    const struct score_term *terms;
    const char *pointer;
};

/* How a counter goes on after a move of one player, as far as that is quick to see. */
struct counter_course {
    bool steady; /* it grows by every move that does not reset it, and which do is known: */
    struct previous_kinds resets;
    /* What must be so for it to leave its start, and to change where it stands elsewhere. */
    struct condition_needs leaves, changes;
};

struct counter_rule {
    const char *name;
    int start;
    int first_slot;
    bool per_player; /* slots first_slot + player, else first_slot */
    bool asked;      /* somebody asks for it but `during` */
    /* Somebody asks for it before the game may end: it is counted when moves are tried out, too. */
    bool decides;
    bool late; /* only `during` needs it: counted when that asks, or the next move is made */
    struct counter_course courses[PLAYERS_MAX]; /* by mover, when it is settled */
    const struct condition_node *add[PLAYERS_MAX], *reset[PLAYERS_MAX]; /* by mover; NULL: never */
    int set_count;
    const struct counter_setting *sets[PLAYERS_MAX]; /* by mover: the first that holds */
};

struct forbid_rule {
    const struct condition_node *condition;
    const char *words; /* NULL: none in the file */
    const char *pointer;
    bool asks_moves; /* when it is settled: whether there are moves after the move */
};

/* What is done to the figures of a selection. */
enum effect_kind {
    EFFECT_REMOVE,
    EFFECT_FLIP, /* they become the mover's */
};

struct effect_rule {
    enum effect_kind kind;
    struct selection selection;
};

struct after_rule {
    const struct condition_node *condition; /* NULL: always */
    int effect_count;
    const struct effect_rule *effects;
    const char *pointer;
};

/* Figures that may be put on an empty cell from nowhere, or from the hand, or removed: an entry of `place`, for one player. */
struct placing_rule {
    uint64_t figures; /* kinds, bits: one of them; none of an entry that removes */
    bool from_hand;   /* which the player must have in hand */
    bool removes;     /* what stands there, if it is like this: */
    struct cell_test removed;
    bool otherwise; /* only where no entry before it lets anything be done */
    int zone;       /* of the definition; -1: anywhere */
    int phase;
    bool drops; /* the cell a step further is occupied, or there is none: */
    struct vector drop;
    const struct condition_node *condition; /* self and target: the cell; NULL: always */
    const char *pointer, *if_pointer;
    /* When it is settled: */
    struct condition_needs needs;
    bool plain;       /* beside its needs it asks for an empty cell of its zone only, */
    bool sure;        /* or if there is one there is another where what drops stays */
    uint32_t cells;   /* a cell set */
    struct step step; /* its row NULL: it does not drop */
};

struct placing_list {
    int count;
    const struct placing_rule *rules;
    /* When it is settled: */
    uint32_t phases;    /* in which some entry is possible, bits */
    bool chooses;       /* kinds of several sorts may be put */
    uint64_t from_hand; /* kinds that come from the hand, bits; no entry puts them from nowhere */
};

static inline uint64_t placing_list_kinds(const struct placing_list *list)
{
    uint64_t kinds = 0;
    for (int i = 0; i < list->count; i++)
        kinds |= list->rules[i].figures;
    return kinds;
}

enum result_gives {
    GIVES_DRAW,
    GIVES_WINNER,
    GIVES_LOSER,
    GIVES_FINISH,
    GIVES_ELIMINATED,
    GIVES_MOST
};

struct result_rule {
    const struct condition_node *condition;
    enum result_gives gives;
    player_index player; /* PLAYER_NONE: `next`, who is to move */
    bool next;
    bool claim;   /* only where who is to move asks for it */
    bool flag;    /* only where who is to move has run out of time */
    bool removes; /* of ELIMINATED: their figures leave the board */
    const char *reason, *pointer;
    /* Of MOST: the parts of the mover's score; by player what is added to it, in halves; who has won where several have the
     * most, PLAYER_NONE: nobody. */
    int term_count;
    const struct score_term *terms;
    int plus[PLAYERS_MAX];
    player_index tie;
    /* When it is settled: */
    bool asks_moves;  /* whether there are moves: looked at when the outcome is asked for, */
    bool lazy;        /* and only then, since it holds only without a legal move */
    bool needs_moves; /* it asks that there are some, so they are looked for after each turn */
    struct condition_needs needs;
    const struct result_rule *next_of_turn; /* the next one that is looked at after a turn */
};

/* It is looked at without being asked for. */
static inline bool result_comes(const struct result_rule *result)
{
    return !result->claim && !result->flag;
}

/* For the player who must move and cannot. */
enum no_moves { NO_MOVES_UNSAID, NO_MOVES_LOSS, NO_MOVES_DRAW, NO_MOVES_WIN };

/* What a definition says and a game knows by the same names: `whole` is all of it, to be handed on at once. What has conditions or
 * zones is settled in the game. */
#define WHOLE_GAME                                                                                 \
    union {                                                                                        \
        struct {                                                                                   \
            WHOLE_GAME_MEMBERS                                                                     \
        };                                                                                         \
        struct whole_game whole;                                                                   \
    }
#define WHOLE_GAME_MEMBERS                                                                           \
    union {                                                                                          \
        struct {                                                                                     \
            GAME_FACTS_MEMBERS                                                                       \
        };                                                                                           \
        struct game_facts facts;                                                                     \
    };                                                                                               \
    int combined_count;                                                                              \
    struct combined_movement *combined;                                                              \
    struct machine_state *states;                                                                    \
    state_index initial_state; /* of a file: perhaps one that waits for nobody */                    \
    const struct condition_node *wins[PLAYERS_MAX]; /* NULL: none */                                 \
    enum no_moves no_moves;                                                                          \
    bool unrevised; /* it is read as before the revision */                                          \
    uint32_t max_plies;                                                                              \
    /* Format 2; empty in formats 0 and 1. */                                                        \
    int counter_count;                                                                               \
    int forbid_count, result_count, after_move_count;                                                \
    struct counter_rule *counters;                                                                   \
    const char *phases[PHASES_MAX];                                                                  \
    const struct forbid_rule *forbid[PLAYERS_MAX]; /* by mover, all of one length */                 \
    const struct result_rule *results[PLAYERS_MAX];                                                  \
    const struct after_rule *after_move[PLAYERS_MAX];                                                \
    struct placing_list placing[PLAYERS_MAX]; /* by mover */                                         \
    bool takes_to_hand;                /* what a movement takes goes to the mover's hand, */         \
    figure_index in_hand[FIGURES_MAX]; /* where a figure becomes this kind */                        \
    uint16_t hands[PLAYERS_MAX][FIGURES_MAX]; /* what is in them at the start */                     \
    enum pass_rule pass;                                                                             \
    const struct condition_node *pass_condition[PLAYERS_MAX]; /* of PASSES_IF; NULL: always */       \
    bool remove_at_turn_end;                /* in a game: and there are turns of several moves */    \
    bool take_first, most_taken, can_go_on; /* priorities */                                         \
    bool                                                                                             \
        pie; /* the second player may swap sides instead of their first move: then figures change */ \
    const cell_index                                                                                 \
        *mirror;         /* their owners, and go from each cell to this one; NULL: they stay */      \
    bool repeats_boards; /* of repetition the boards are remembered, not the positions */            \
    const struct notation_tables *notation; /* notation/tables.h */
struct whole_game {
    WHOLE_GAME_MEMBERS
};

/* So many kinds of figures, as bits. */
static inline uint64_t kinds_of_count(int count)
{
    return count == FIGURES_MAX ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

/* In lexicographic order: below 0, 0 or above. */
int coordinates_compare(const int *a, const int *b, int count);
cell_index whole_game_cell_at(const struct whole_game *game,
                              const int *coordinates); /* CELL_NONE: no */

#endif
