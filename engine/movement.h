/* What the figures of a game do: movements, combined movements, and the action sets of `cell_actions`. One struct of each from
 * the file to the move, as of conditions (condition_tree.h): load/ reads it, load/compile_movements.c settles it on the board,
 * rules/ plays it. */
#ifndef ENGINE_MOVEMENT_H
#define ENGINE_MOVEMENT_H

#include "engine/condition_tree.h"

/* --- action sets ---------------------------------------------------------------------------------------------------- */

enum rule_action_kind { RULE_MOVE, RULE_TAKE, RULE_SWAP, RULE_REPLACE, RULE_CANCEL };

struct rule_action {
    uint8_t kind;            /* enum rule_action_kind */
    figure_index new_figure; /* of REPLACE */
};

struct action_set {
    const struct condition_node *condition; /* NULL: always */
    int action_count;                       /* 0: a legal move that does nothing here (a pass) */
    const struct rule_action *actions;
};

static inline bool action_set_does(const struct action_set *set, enum rule_action_kind kind)
{
    for (int i = 0; i < set->action_count; i++)
        if (set->actions[i].kind == kind)
            return true;
    return false;
}

/* Already joined: the movement's own sets first, then the figure's (or: the entry's, then the combined movement's). */
struct cell_actions {
    int destination_count, transition_count;
    const struct action_set *destination, *transition;
};

/* --- movements ------------------------------------------------------------------------------------------------------ */

/* What a movement is for. */
enum rule_purpose {
    FOR_ACTIONS, /* what its action sets say, as in formats 0 and 1 */
    FOR_MOVE,    /* to an empty cell */
    FOR_TAKE, /* to an enemy's, which is taken; with takes_jumped to an empty one, taking what was jumped */
    FOR_BOTH, /* MOVE or TAKE */
    FOR_SWAP, /* changes places with a figure of the mover */
    FOR_PUT,  /* puts a figure on an empty cell and stays */
};

/* Whether the figure goes on after it. */
enum rule_continues { GOES_ON_NEVER, GOES_ON_MUST, GOES_ON_MAY };

/* What a figure becomes when it ends up in a zone that it came to from another. */
struct promotion_rule {
    int in_zone, from_zone;                 /* of the definition; -1: anywhere */
    const struct condition_node *condition; /* NULL: always */
    uint64_t to;                            /* bits by kind; none if `taken` */
    bool taken;                             /* into the kind of what is taken */
    bool optional, at_turn_end, stops;
    const char *pointer;
    uint32_t in, from; /* when it is settled: cell sets */
};

/* What a movement says by numbers and names: WORD(type, name, whose). FAST: the fast path has loops for it; GENERAL: a movement
 * that says it (its value is not 0) is left to the general code. In formats 0 and 1 the purpose is FOR_ACTIONS, and only the
 * steps are said. */
#define MOVEMENT_WORDS(WORD)                                                                       \
    WORD(enum rule_purpose, purpose, FAST)                                                         \
    WORD(enum rule_continues, continues, FAST)                                                     \
    WORD(int, phase, FAST)                                                                         \
    WORD(int, min_steps, FAST) /* from 1 on */                                                     \
    WORD(int, max_steps, FAST)                                                                     \
    WORD(bool, counts_steps, FAST) /* as many as cells on its line match `counted` */              \
    WORD(bool, jumps, FAST)        /* `over`: over_min to over_max cells between are occupied */   \
    WORD(int, over_min, FAST)                                                                      \
    WORD(int, over_max, FAST)                                                                      \
    WORD(bool, takes_jumped, FAST)                                                                 \
    WORD(int, takes_marked, FAST) /* -1: none */                                                   \
    WORD(int, mark, FAST)

/* One movement of one piece. `symmetric`, `also_reversed` and named lists are resolved: one movement for each direction, mirrored
 * already. What its words mean is in rules/fits.c. */
struct movement {
#define WORD(type, name, whose) type name;
    MOVEMENT_WORDS(WORD)
#undef WORD
    /* With those words, which lie together, what every move asks; when it is settled: */
    bool plain;           /* it takes only what is on the target or by a mark, and does not go on */
    bool promotes_at_end; /* some promotion waits for the end of the turn */
    int promotion_count;
    uint32_t promotion_cells; /* a cell set: outside none of them applies */
    uint32_t ray; /* its rays: paths from ray_starts[ray + from] to ray_starts[ray + from + 1] */

    struct cell_test over; /* what each figure jumped must be like */
    struct cell_test counted;
    int via_count;
    const struct vector *via_deltas;        /* from the start: must exist and be empty */
    const struct condition_node *condition; /* `if`; NULL: always */
    const struct promotion_rule *promotions;
    int within_zone; /* -1: anywhere */
    figure_index put;
    const char *pointer, *if_pointer; /* NULL: no `if` */

    struct vector delta;
    bool also_reversed; /* while it is read */
    struct cell_actions actions;

    /* When it is settled: */
    const cell_index *const *via;  /* rows: by the cell it starts from */
    const cell_index *const *line; /* of counts_steps: rows along the step, and back */
    uint32_t within;               /* a cell set */
    uint16_t put_code;
};

struct movement_list {
    int count;
    const struct movement *movements;
};

/* --- combined movements ---------------------------------------------------------------------------------------------- */

struct participant {
    figure_index figure;
    struct vector at;
    struct vector delta; /* `by`; all zero: it stays */
    struct cell_actions actions;
    /* Format 2: */
    bool unmoved;
    bool by_default; /* without actions: it goes to an empty cell, or one that another leaves */
    uint8_t players; /* whose it may be, bits; 0: anybody's, as in formats 0 and 1 */
};

struct combined_movement {
    int participant_count;
    const struct participant *participants;
    const char *pointer;

    /* Format 2: one for each player, `player` being the mover; only the first participant is clicked. The cells count
     * from the origin of at. */
    bool modern;
    player_index player;
    int empty_count, safe_count; /* cells that must be empty; that an enemy must not attack */
    const struct vector *empty_deltas, *safe_deltas;
    const struct condition_node *condition; /* self and target: the first participant's */
    const char *notation;                   /* NULL: none */

    /* When it is settled: */
    int beginner_count; /* participants by which it can be begun: the first ones */
    /* rows by where it is begun, beginner * participant_count + participant */
    const cell_index *const *sources;
    const cell_index *const *destinations;        /* rows by where a participant stands */
    const cell_index *const *empty, *const *safe; /* rows by where it is begun */
    bool acts;                                    /* not all participants go by default */
};

#endif
