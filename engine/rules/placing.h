/* Placements: where a player may put figures on the board, from nowhere or from the hand, by the entries of `place`, and which; and,
 * as a placement on a cell that is occupied, which they may remove. Nobody is asked here what is forbidden. */
#ifndef ENGINE_RULES_PLACING_H
#define ENGINE_RULES_PLACING_H

#include "engine/state.h"

/* The cells of each entry of the player to move, and of all together; of what is said here as many words are set as the game's
 * sets have. */
struct placing {
    const struct position *position;
    const struct placing_list *list; /* NULL: nothing is put now */
    uint64_t any[WORDS_MAX];
    uint64_t kinds[PLACING_MAX]; /* of each entry, bits: those of them that can be put now */
    uint64_t cells[PLACING_MAX][WORDS_MAX];
};

/* Whether a figure may be put on some cell at all now: it is the game's, and the turn is not a certain figure's. */
static inline bool placing_is_possible(const struct position *position)
{
    const struct game *game = position->game;
    return game->places_figures && position_state_player(position) != PLAYER_NONE &&
           position->turn.active == CELL_NONE && !position_stage(position)->same_figure;
}
void placing_find(const struct position *position, struct placing *placing);
/* Whether something can be put, as far as that is quick to see: an entry has what it needs, and asks for an empty cell only. */
enum placing_prospect { PLACES_NOTHING, PLACES_PERHAPS, PLACES_SURELY };
enum placing_prospect placing_prospect(const struct position *position);
/* The kinds that may be put on the cell, bits; of an occupied one the kind that stands there and may be removed. */
uint64_t placing_kinds_of(const struct placing *placing, cell_index cell);
/* The entries of the player to move; only while there is one. */
static inline const struct placing_list *placing_list_of(const struct position *position)
{
    return &position->game->placing[position_state_player(position)];
}

/* Why an entry does not let its figures be put on a cell: the first reason in the order in which they are looked at, and the
 * sentence by which explain.c says it, as of movements (fits.h). */
#define MISPLACEMENTS(MISPLACED)                                                                   \
    MISPLACED(PHASE, "figures are put on the board in another part of the turn")                   \
    MISPLACED(HAND, "{player} has no {kind} in hand")                                              \
    MISPLACED(OCCUPIED, "{to} is not empty: the {figure} of {owner} stands there")                 \
    MISPLACED(EMPTY, "{to} is empty: there is nothing to remove")                                  \
    MISPLACED(ZONE, "{player} may put nothing on {to}")                                            \
    MISPLACED(FIGURE, "the {figure} of {owner} on {to} may not be removed")                        \
    MISPLACED(DROP, "what is put on {to} would not stay there: it would fall to {cell}")           \
    MISPLACED(CONDITION, "")                                                                       \
    MISPLACED(LATER, "the {figure} of {owner} on {to} may be removed only where no other can")

#define MISPLACED(name, sentence) MISPLACED_##name,
enum misplaced { MISPLACEMENTS(MISPLACED) PLACED_WELL };
#undef MISPLACED
/* Of these kinds, bits; of several one of them. */
enum misplaced placing_judge(const struct position *position, const struct placing_rule *rule,
                             uint64_t kinds, cell_index cell);

/* The first entry by which the figure may be put on the cell; NULL: none. */
const struct placing_rule *placing_deciding(const struct position *position, figure_index figure,
                                            cell_index cell);

/* The move; which kind it is is chosen wherever the player may put several at all. */
static inline struct move placing_move(const struct position *position, cell_index to,
                                       unsigned figure)
{
    bool chooses = placing_list_of(position)->chooses && position->cells[to].code == 0;
    return (struct move){.from = CELL_NONE,
                         .to = to,
                         .rule = (uint16_t)figure,
                         .choice = chooses ? (uint8_t)figure : CHOICE_NONE};
}

/* Whether it removes what stands there: asked before it is made. */
static inline bool placing_removes(const struct position *position, struct move move)
{
    return move_is_placement(move) && position->cells[move.to].code != 0;
}

/* The kind that a placement puts, or removes. */
static inline figure_index placing_figure(struct move move)
{
    return (figure_index)move.rule;
}

#endif
