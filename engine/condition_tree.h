/* Conditions as trees, and what a cell may be like. There is one kind of node from the file to the move:
 * load/condition_trees.c reads it, load/compile_conditions.c settles it on the board, rules/condition.c asks it of a position.
 *
 * In format 2 each tree is made for one player as the mover: mover and enemy have become players, directions are that
 * player's. Of roles only `next` is left. */
#ifndef ENGINE_CONDITION_TREE_H
#define ENGINE_CONDITION_TREE_H

#include "engine/types.h"

#include <string.h>

enum { NUMBER_ANY = INT32_MIN };

enum tri { TRI_ANY = -1, TRI_NO = 0, TRI_YES = 1 };

static inline enum tri tri_not(enum tri value)
{
    return value == TRI_ANY ? TRI_ANY : value == TRI_NO ? TRI_YES : TRI_NO;
}

static inline enum tri tri_and(enum tri a, enum tri b)
{
    if (a == TRI_NO || b == TRI_NO)
        return TRI_NO;
    return a == TRI_ANY || b == TRI_ANY ? TRI_ANY : TRI_YES;
}

/* What a cell may be like. A hole matches only `hole`; an empty cell only `empty`; a figure if its kind and its owner
 * are named, and everything else asked of it is so. */
struct cell_test {
    uint64_t figures; /* bit by kind; 0: no figure matches */
    uint8_t players;  /* bit by player */
    bool next_player; /* also figures of `figures` that belong to who is to move */
    bool empty, hole;
    bool negated;                  /* the whole of it, `also` included */
    int8_t mark;                   /* the cell carries this mark; -1: not asked */
    int8_t unmoved;                /* 0 or 1; -1: not asked (an empty cell is not unmoved) */
    int16_t zone;                  /* of the definition: the cell lies in it; -1: anywhere */
    int32_t moves_made, last_move; /* NUMBER_ANY: not asked */
    int also_count; /* further matches that must hold too (a list of several, a `not`) */
    const struct cell_test *also;
    /* When it is settled: */
    uint32_t contents; /* a contents set: `figures` of `players`; its bit 0: an empty cell */
    uint32_t cells;    /* a cell set: the zone */
    bool simple;       /* contents and cells say all of it, and a hole does not match */
    bool by_sets;      /* nothing is asked that bit sets of the position do not say */
};

/* What a number is asked to be, mostly how many cells: both included. */
struct amount {
    int32_t min, max; /* max INT32_MAX: no upper bound */
};

static inline bool amount_is(struct amount amount, int value)
{
    return value >= amount.min && value <= amount.max;
}

/* The difference between two cells, by coordinate. */
struct vector {
    int of[DIMENSIONS_MAX];
};
static const struct vector vector_zero;

static inline struct vector vector_plus(struct vector vector, int times, struct vector other)
{
    for (int i = 0; i < DIMENSIONS_MAX; i++)
        vector.of[i] += times * other.of[i];
    return vector;
}

static inline bool vector_is_among(const struct vector *list, int count, struct vector vector)
{
    int i = 0;
    while (i < count && memcmp(&list[i], &vector, sizeof vector) != 0)
        i++;
    return i < count;
}

/* It leads nowhere. */
static inline bool vector_is_zero(struct vector vector)
{
    return vector_is_among(&vector_zero, 1, vector);
}

/* Which cells a word is about, once for all that count, remove or turn over: those that are so related to a move, and of these
 * the ones that match. load/selections.c reads it, rules/selection.c finds the cells in a position. */
enum selection_cells {
    SELECT_NEIGHBOURS, /* origin + each of deltas */
    SELECT_TARGET,     /* where the move goes, or went */
    SELECT_SELF,       /* where it begins, or began */
    SELECT_ENCLOSED, /* from the origin along each of deltas: cells that match, up to one that does not but is like `end` */
    SELECT_GROUP,  /* the origin's group, if it is so large and has so many empty cells beside it */
    SELECT_GROUPS, /* all such groups, or those beside the origin */
    SELECT_TERRITORY, /* what hangs together of cells that match, whosever, and has only cells like `end` beside it */
    SELECT_ZONE,
};

/* The cells beside each, to which or from which one of some steps leads: as sets, one for each cell, and as lists. */
struct beside {
    const uint64_t *sets;
    const uint32_t *starts; /* into `list`: cells + 1 */
    const cell_index *list;
};

/* A step, from all cells at once. */
struct step {
    const cell_index *row; /* by cell: where it leads; CELL_NONE: to a hole */
    uint32_t floor;        /* a cell set: from where it does */
    int offset; /* by so much the number of the cell there is higher, from all others; 0: it differs */
};

/* The shortest lines that are long enough, by the cells that lie on them: as sets, one behind the other. */
struct spans {
    const uint32_t *starts; /* by cell, and one more: which of the sets */
    const uint64_t *sets;
};

/* Whether it is about what hangs together, by steps that are meant in both directions. */
static inline bool selection_hangs_together(unsigned cells)
{
    return cells == SELECT_GROUP || cells == SELECT_GROUPS || cells == SELECT_TERRITORY;
}

#define SELECTION_MEMBERS                                                                                 \
    uint8_t cells; /* enum selection_cells */                                                             \
    /* The origin is where the figure goes to (or, of `over`, what it jumps), not where it comes from. */ \
    bool from_target;                                                                                     \
    bool touches;                /* of GROUPS: only those that have a cell beside the origin */           \
    int16_t zone;                /* of ZONE: of the definition */                                         \
    int row_count;               /* of NEIGHBOURS, ENCLOSED and groups */                                 \
    const struct vector *deltas; /* row_count of them; NULL when it is settled */                         \
    struct cell_test match;                                                                               \
    const struct cell_test *end;   /* of ENCLOSED and TERRITORY */                                        \
    int length_least, length_most; /* of ENCLOSED: so many cells along one step */                        \
    struct amount size, liberties; /* of groups */                                                        \
    /* When it is settled: */                                                                             \
    uint32_t                                                                                              \
        set; /* of ZONE: a cell set; of TERRITORY: the cells from which some step leads to a hole */      \
    const struct beside *beside; /* of what hangs together, instead of rows */                            \
    const struct step *steps;    /* of ENCLOSED: one for each row */                                      \
    const cell_index *const                                                                               \
        *rows; /* for each delta the cell it leads to from each cell; CELL_NONE: a hole */
struct selection {
    SELECTION_MEMBERS
};

/* Whether contents do not tell: something is asked of what the figure or the cell has been through. */
static inline bool cell_test_asks_history(const struct cell_test *test)
{
    return test->mark >= 0 || test->unmoved >= 0 || test->moves_made != NUMBER_ANY ||
           test->last_move != NUMBER_ANY;
}

enum condition_kind {
    CONDITION_ALL,      /* of the children; none: true */
    CONDITION_ANY,      /* of the children; none: false */
    CONDITION_NOT,      /* of the one child; the last kind that is made of others */
    CONDITION_CELL,     /* origin + delta matches; the first kind that has a match */
    CONDITION_SELECTED, /* the selection has between min and max cells */
    CONDITION_COUNT,    /* between min and max cells of the board match */
    CONDITION_LINE,     /* along a step and its opposite between min and max cells in a row match */
    CONDITION_GROUP,    /* the group of origin is so large, and has so many empty cells beside it */
    CONDITION_CONNECTED, /* all cells that match hang together; or some that do touch min of the zones */
    /* A cell that matches is attacked by a player who does not own what stands on it; the last kind that has a match. */
    CONDITION_ATTACKED,
    CONDITION_ATTACKED_CELL, /* origin + delta is attacked by a player other than the mover */
    CONDITION_PREVIOUS,      /* the last move was like this */
    CONDITION_COUNTER,       /* the counter's slot (of several, some slot) is between min and max */
    CONDITION_HAND, /* between min and max figures of the kinds of `match` are in the hands of its players */
    CONDITION_NEXT,  /* who is to move is one of `players` */
    CONDITION_ENEMY, /* of action sets, where self may be anybody's: whether another's figure stands on target is min, 0 or 1 */
    CONDITION_CURRENT_MOVE,          /* the move number is min */
    CONDITION_MOVES_AFTER_LAST_MOVE, /* the move number minus last_move of the figure on self is min */
    CONDITION_REPETITION, /* the position, or the board, is there for at least the min-th time (since a counter began); results and forbid only */
    CONDITION_NO_MOVES, /* who is to move has no legal move, or none like this; results and forbid only */
};

/* What a node says of cells is a selection: `match` of CELL (of origin + the one delta), SELECTED, COUNT, LINE, GROUP,
 * CONNECTED, ATTACKED; of PREVIOUS kind and owner of the figure. Of LINE row_count counts twice as many as there are deltas when it is settled: behind each
 * delta's row that of its opposite. */
struct condition_node {
    union {
        struct {
            SELECTION_MEMBERS
        };
        struct selection selection;
    };
    uint8_t kind;    /* enum condition_kind */
    uint8_t players; /* of NEXT: bits */
    bool picks;    /* of NO_MOVES: only moves of figures of `match` from and to such cells count */
    bool anywhere; /* of LINE: it need not run through the origin */
    bool of_board; /* of REPETITION: who is to move, and all else, does not matter */
    int8_t took, combined, passed, placed; /* of PREVIOUS: enum tri */
    /* Of COUNTER; -1: some slot from first_slot on, of those whom `match` names. Of REPETITION: only as many positions back
     * as this counter stands at; -1: all. */
    int16_t slot;
    int16_t first_slot;
    int16_t from_zone, to_zone; /* of PREVIOUS and NO_MOVES; -1: anywhere */
    int child_count;
    const struct condition_node *children;
    int32_t min, max;       /* both included; max INT32_MAX: no upper bound */
    uint64_t taken_figures; /* of PREVIOUS with took YES: of these kinds */
    uint64_t attackers;     /* of ATTACKED and ATTACKED_CELL: by figures of these kinds */
    const uint64_t *zones;  /* of CONNECTED: bits by zone; NULL: all that match is meant */
    const char *pointer;    /* where it stands in the file */
    /* When it is settled: */
    /* Of LINE; NULL: lines may be too long, or these too many. Of ANY: of its children, if all are lines through one cell that
     * differ in where they may run only. */
    const struct spans *spans;
    uint32_t from_cells, to_cells; /* of PREVIOUS and NO_MOVES: cell sets */
    int zone_count;
    const uint32_t *zone_cells; /* a cell set for each of the zones */
};

/* Such a node always holds. */
static inline bool condition_says_nothing(const struct condition_node *node)
{
    return node->kind == CONDITION_ALL && node->child_count == 0;
}

/* A node of which nothing has been said. */
static inline struct condition_node condition_blank(enum condition_kind kind)
{
    return (struct condition_node){
        .kind = (uint8_t)kind,
        .deltas = &vector_zero,
        .row_count = 1,
        .anywhere = true,
        .zone = -1,
        .length_least = 1,
        .length_most = CELLS_MAX,
        .min = 1,
        .max = INT32_MAX,
        .slot = -1,
        .from_zone = -1,
        .to_zone = -1,
        .took = TRI_ANY,
        .combined = TRI_ANY,
        .passed = TRI_ANY,
        .placed = TRI_ANY,
        .taken_figures = UINT64_MAX,
        .attackers = UINT64_MAX,
        .size = {0, INT32_MAX},
        .liberties = {0, INT32_MAX},
    };
}

/* --- the words ---------------------------------------------------------------------------------
 *
 * A word of a condition becomes a node, what it says the node's fields. Here each word stands once: load/ reads by these
 * lists, tests/engine invents games by them and holds protocol/schema/game.schema.json against them. What a word means is
 * in rules/condition.c.
 *
 *   MEMBER(word, value, field, least, most, missing)  `missing`: the word must be there, and the hint where it is not
 *   VALUE(word, node, value, field, least, most, place)
 *   FORMER(word, now)  what a file may still write instead of `now`
 *   OBJECT(word, node, value, place)  what has members, MEMBERS_word; or a list of such, all of which must hold
 *   WORDS(word, place)                its members are words of conditions themselves, WORDS_word
 *
 * `value` says how it is written: load/ has a field_… for it, the inventor an invent_…. `place` is the first of enum test_place
 * where it may be asked; words for action sets are those of formats 0 and 1. */

#define MEMBERS_at(MEMBER)                                                                         \
    MEMBER(of, origin, from_target, 0, 0, NULL)                                                    \
    MEMBER(by, step, row_count, 0, 0, NULL)                                                        \
    MEMBER(is, match, match, 0, 0, "say what must stand there: \"is\": {…}")

/* Also of `remove`, `flip` and what stands in `selections`. */
#define MEMBERS_selection(MEMBER)                                                                  \
    MEMBER(cells, cells, cells, 0, 0, NULL)                                                        \
    MEMBER(of, origin, from_target, 0, 0, NULL)                                                    \
    MEMBER(by, steps, row_count, 0, 0, NULL)                                                       \
    MEMBER(is, match, match, 0, 0, NULL)                                                           \
    MEMBER(end, end, end, 0, 0, NULL)                                                              \
    MEMBER(length, length, length_least, 0, 0, NULL)                                               \
    MEMBER(size, amount, size, 0, 0, NULL)                                                         \
    MEMBER(liberties, amount, liberties, 0, 0, NULL)

#define MEMBERS_neighbours(MEMBER)                                                                 \
    MEMBER(of, origin, from_target, 0, 0, NULL)                                                    \
    MEMBER(by, steps, row_count, 0, 0, "list the steps to them: \"by\": [{…}]")                    \
    MEMBER(is, match, match, 0, 0, "say what must stand there: \"is\": {…}")                       \
    MEMBER(min, least, min, 0, DELTAS_MAX, NULL)                                                   \
    MEMBER(max, most, max, 0, DELTAS_MAX, NULL)

#define MEMBERS_count(MEMBER)                                                                      \
    MEMBERS_selection(MEMBER) MEMBER(min, least, min, 0, CELLS_MAX, NULL)                          \
        MEMBER(max, most, max, 0, CELLS_MAX, NULL)

#define MEMBERS_line(MEMBER)                                                                       \
    MEMBER(through, through, from_target, 0, 0, NULL)                                              \
    MEMBER(by, lines, row_count, 0, 0, "list the steps along which it runs: \"by\": [{…}]")        \
    MEMBER(is, match, match, 0, 0, "say what must stand there: \"is\": {…}")                       \
    MEMBER(min, least, min, 1, CELLS_MAX, "say how many cells: \"min\": 3")                        \
    MEMBER(max, most, max, 1, CELLS_MAX, NULL)

#define MEMBERS_group(MEMBER)                                                                      \
    MEMBER(of, origin, from_target, 0, 0, NULL)                                                    \
    MEMBER(by, steps, row_count, 0, 0, NULL)                                                       \
    MEMBER(is, match, match, 0, 0, NULL)                                                           \
    MEMBER(size, amount, size, 0, 0, NULL)                                                         \
    MEMBER(liberties, amount, liberties, 0, 0, NULL)

#define MEMBERS_connected(MEMBER)                                                                  \
    MEMBER(zones, zones, zones, 0, 0, NULL)                                                        \
    MEMBER(at_least, touched, min, 1, ZONES_LISTED_MAX, NULL)                                      \
    MEMBER(by, steps, row_count, 0, 0, NULL)                                                       \
    MEMBER(is, match, match, 0, 0, "say what must hang together: \"is\": {…}")

#define MEMBERS_attacked(MEMBER)                                                                   \
    MEMBER(cell, origin, from_target, 0, 0, NULL)                                                  \
    MEMBER(is, match, match, 0, 0, NULL)                                                           \
    MEMBER(by, figures, attackers, 0, 0, NULL)

#define MEMBERS_previous(MEMBER)                                                                   \
    MEMBER(figure, figures, match.figures, 0, 0, NULL)                                             \
    MEMBER(player, owner, match.players, 0, 0, NULL)                                               \
    MEMBER(from, place, from_zone, 0, 0, NULL)                                                     \
    MEMBER(to, place, to_zone, 0, 0, NULL)                                                         \
    MEMBER(took, took, took, 0, 0, NULL)                                                           \
    MEMBER(combined, flag, combined, 0, 0, NULL)                                                   \
    FORMER(complex, combined)                                                                      \
    MEMBER(passed, pass, passed, 0, 0, NULL)                                                       \
    MEMBER(placed, flag, placed, 0, 0, NULL)

#define MEMBERS_counter(MEMBER)                                                                    \
    MEMBER(name, counter, slot, 0, 0, "")                                                          \
    MEMBER(player, slots, match.players, 0, 0, NULL)                                               \
    MEMBER(min, least, min, -COUNTER_VALUE_MAX, COUNTER_VALUE_MAX, NULL)                           \
    MEMBER(max, most, max, -COUNTER_VALUE_MAX, COUNTER_VALUE_MAX, NULL)

#define MEMBERS_hand(MEMBER)                                                                       \
    MEMBER(player, owner, match.players, 0, 0, NULL)                                               \
    MEMBER(figure, figures, match.figures, 0, 0, NULL)                                             \
    MEMBER(min, least, min, 0, HAND_MAX, NULL)                                                     \
    MEMBER(max, most, max, 0, HAND_MAX, NULL)

#define MEMBERS_no_moves(MEMBER)                                                                   \
    MEMBER(figure, figures, match.figures, 0, 0, NULL)                                             \
    MEMBER(from, place, from_zone, 0, 0, NULL)                                                     \
    MEMBER(to, place, to_zone, 0, 0, NULL)

#define MEMBERS_repetition(MEMBER)                                                                 \
    MEMBER(times, integer, min, 2, 100, "say how often: \"times\": 2")                             \
    MEMBER(of, repeated, of_board, 0, 0, NULL)                                                     \
    MEMBER(during, during, slot, 0, 0, NULL)

#define WORDS_computed(VALUE)                                                                      \
    VALUE(is_cell, CELL, is_cell, match, 0, 0, ACTION)                                             \
    VALUE(is_figure, CELL, is_figure, match, 0, 0, ACTION)                                         \
    VALUE(is_enemy, CELL, is_enemy, match, 0, 0, ACTION)                                           \
    VALUE(moves_after_last_move, MOVES_AFTER_LAST_MOVE, integer, min, -COUNTER_MAX, COUNTER_MAX,   \
          ACTION)

#define WORDS_statistics(VALUE)                                                                    \
    VALUE(current_move, CURRENT_MOVE, integer, min, -COUNTER_MAX, COUNTER_MAX, ACTION)

#define CONDITION_WORDS(VALUE, OBJECT, WORDS)                                                      \
    VALUE(self, CELL, match, match, 0, 0, ACTION)                                                  \
    VALUE(target, CELL, target, match, 0, 0, ACTION)                                               \
    WORDS(computed, ACTION)                                                                        \
    WORDS(statistics, ACTION)                                                                      \
    OBJECT(at, CELL, object, MOVE)                                                                 \
    OBJECT(neighbours, SELECTED, object, MOVE)                                                     \
    OBJECT(count, COUNT, count, MOVE)                                                              \
    OBJECT(line, LINE, object, MOVE)                                                               \
    OBJECT(group, GROUP, beside, MOVE)                                                             \
    OBJECT(connected, CONNECTED, beside, MOVE)                                                     \
    OBJECT(attacked, ATTACKED, attacked, MOVE)                                                     \
    OBJECT(previous, PREVIOUS, object, MOVE)                                                       \
    OBJECT(counter, COUNTER, object, MOVE)                                                         \
    OBJECT(hand, HAND, hand, MOVE)                                                                 \
    VALUE(next, NEXT, players, players, 0, 0, MOVE)                                                \
    VALUE(not, NOT, negated, child_count, 0, 0, MOVE)                                              \
    VALUE(any, ANY, conditions, child_count, 0, 0, MOVE)                                           \
    VALUE(all, ALL, conditions, child_count, 0, 0, MOVE)                                           \
    VALUE(repetition, REPETITION, repetition, min, 0, 0, FORBID)                                   \
    VALUE(no_moves, NO_MOVES, no_moves, min, 0, 0, FORBID)

/* What a cell may be like: MATCH(word, value, field, of, format), `of` being what it speaks of: the CELL; a FIGURE on it; or NOBODY,
 * that is a figure, or where it is null none. OTHER(word, format): read by itself, since it goes with others or changes their
 * meaning. `format`: 0, or 2 of a word that older files do not have. */
#define MATCH_WORDS(MATCH, OTHER)                                                                  \
    MATCH(figure, figures, figures, NOBODY, 0)                                                     \
    MATCH(player, owner, players, NOBODY, 0)                                                       \
    MATCH(empty, empty, empty, CELL, 2)                                                            \
    OTHER(zone, 2)                                                                                 \
    MATCH(marked, mark, mark, CELL, 2)                                                             \
    MATCH(unmoved, flag, unmoved, FIGURE, 2)                                                       \
    OTHER(exists, 2)                                                                               \
    OTHER(not, 2)                                                                                  \
    OTHER(coordinates, 0)                                                                          \
    MATCH(moves_made, integer, moves_made, NOBODY, 0)                                              \
    MATCH(last_move, integer, last_move, NOBODY, 0)

static inline bool condition_has_match(const struct condition_node *node)
{
    return node->kind >= CONDITION_CELL && node->kind <= CONDITION_ATTACKED;
}

/* Whether its deltas turn with a movement that is written once for several directions. */
static inline bool condition_turns(const struct condition_node *node)
{
    bool groups = selection_hangs_together(node->cells);
    return node->kind == CONDITION_CELL || (node->kind == CONDITION_SELECTED && !groups) ||
           node->kind == CONDITION_LINE;
}

#endif
