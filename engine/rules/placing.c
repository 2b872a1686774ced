#include "engine/rules/placing.h"

#include "engine/rules/needs.h"
#include "engine/work_shares.h"

#include <string.h>

/* --- one cell --------------------------------------------------------------------------------- */

/* What is put stays there: nothing is further along, or something is that it comes to lie on. */
static bool is_supported(const struct position *position, const struct placing_rule *rule,
                         cell_index cell)
{
    cell_index next = rule->step.row != NULL ? rule->step.row[cell] : CELL_NONE;
    return next == CELL_NONE || position->cells[next].code != 0;
}

static bool condition_is_met(const struct position *position, const struct placing_rule *rule,
                             cell_index cell)
{
    uint64_t before = work_spent();
    bool holds =
        condition_holds(position, rule->condition, position_state_player(position), cell, cell);
    work_was_for(rule->pointer, before);
    return holds;
}

/* The kinds that the entry is about, if any can be put now; of one that removes all. */
static uint64_t kinds_at_hand(const struct position *position, const struct placing_rule *rule)
{
    uint64_t held = 0;
    if (rule->removes)
        return position->game->all_figures;
    if (!rule->from_hand)
        return rule->figures;
    player_index player = position_state_player(position);
    for (uint64_t left = rule->figures; left != 0 && work_spend(1); left &= left - 1) {
        figure_index figure = (figure_index)word_lowest(left);
        if (position_held(position, player, figure) > 0)
            held |= UINT64_C(1) << figure;
    }
    return held;
}

/* Without a look at the entries before it. */
static enum misplaced judge(const struct position *position, const struct placing_rule *rule,
                            uint64_t kinds, cell_index cell)
{
    const struct game *game = position->game;
    bool occupied = position->cells[cell].code != 0;
    work_spend(WORK_CANDIDATE);
    if (rule->phase != position_stage(position)->phase)
        return MISPLACED_PHASE;
    if ((kinds & kinds_at_hand(position, rule)) == 0)
        return MISPLACED_HAND;
    if (occupied != rule->removes)
        return occupied ? MISPLACED_OCCUPIED : MISPLACED_EMPTY;
    if (!bits_test(game_cell_set(game, rule->cells), cell))
        return MISPLACED_ZONE;
    if (rule->removes && !matching_cell(position, &rule->removed, cell))
        return MISPLACED_FIGURE;
    if (!is_supported(position, rule, cell))
        return MISPLACED_DROP;
    return condition_is_met(position, rule, cell) ? PLACED_WELL : MISPLACED_CONDITION;
}

/* Of the entries before it the first one that fits anywhere waits for none, so it is not asked for those before that. */
static bool some_entry_before(const struct position *position, const struct placing_rule *rule)
{
    const struct placing_list *list = placing_list_of(position);
    for (const struct placing_rule *before = list->rules; before < rule; before++)
        for (int cell = 0; cell < position->game->cell_count && !work_is_too_much(); cell++)
            if (judge(position, before, UINT64_MAX, (cell_index)cell) == PLACED_WELL)
                return true;
    return false;
}

enum misplaced placing_judge(const struct position *position, const struct placing_rule *rule,
                             uint64_t kinds, cell_index cell)
{
    enum misplaced why = judge(position, rule, kinds, cell);
    return why == PLACED_WELL && rule->otherwise && some_entry_before(position, rule)
               ? MISPLACED_LATER
               : why;
}

const struct placing_rule *placing_deciding(const struct position *position, figure_index figure,
                                            cell_index cell)
{
    if (!placing_is_possible(position))
        return NULL;
    const struct placing_list *list = placing_list_of(position);
    uint64_t kind = UINT64_C(1) << figure;
    for (int i = 0; i < list->count; i++)
        if ((list->rules[i].removes || (list->rules[i].figures & kind) != 0) &&
            placing_judge(position, &list->rules[i], kind, cell) == PLACED_WELL)
            return &list->rules[i];
    return NULL;
}

/* --- all cells -------------------------------------------------------------------------------- */

/* Keeps those of the cells where what is put stays. */
static void keep_supported(const struct position *position, const struct placing_rule *rule,
                           uint64_t *cells)
{
    const struct game *game = position->game;
    uint64_t occupied[WORDS_MAX];
    for (int i = 0; i < game->words; i++)
        occupied[i] = matching_occupied(position, i);
    for (int i = 0; i < game->words; i++)
        cells[i] &= game_cell_set(game, rule->step.floor)[i] |
                    bits_word_before(occupied, game->words, rule->step.offset, i);
}

/* Keeps those of the cells on which stands what the entry removes. */
static void keep_removed(const struct position *position, const struct placing_rule *rule,
                         uint64_t *cells)
{
    uint64_t removed[WORDS_MAX];
    matching_cells(position, &rule->removed, removed);
    for (int i = 0; i < position->game->words; i++)
        cells[i] &= removed[i];
}

/* The empty cells of the entry's zone, word by word. */
static inline uint64_t empty_word(const struct position *position, const struct placing_rule *rule,
                                  int word)
{
    return game_cell_set(position->game, rule->cells)[word] & ~matching_occupied(position, word);
}

/* Whether an entry of the player to move lets something be done at all; of some of its kinds, bits. */
static inline bool is_open(const struct position *position, const struct placing_rule *rule,
                           uint64_t *kinds)
{
    if (rule->phase != position_stage(position)->phase || !needs_are_met(position, &rule->needs))
        return false;
    *kinds = rule->removes || rule->from_hand ? kinds_at_hand(position, rule) : rule->figures;
    return *kinds != 0;
}

enum placing_prospect placing_prospect(const struct position *position)
{
    const struct game *game = position->game;
    enum placing_prospect prospect = PLACES_NOTHING;
    uint64_t kinds, empty = 0;
    if (!placing_is_possible(position))
        return prospect;
    const struct placing_list *list = placing_list_of(position);
    const struct placing_rule *rule = list->rules, *end = rule + list->count;
    for (; rule < end && empty == 0; rule++) {
        if (!is_open(position, rule, &kinds))
            continue;
        prospect = PLACES_PERHAPS;
        for (int i = 0; i < game->words && rule->sure && game->forbid_count == 0; i++)
            empty |= empty_word(position, rule, i);
    }
    return empty != 0 ? PLACES_SURELY : prospect;
}

/* Keeps those of the cells, which are occupied or empty as the entry wants, where all else is as it asks. */
static __attribute__((noinline)) void keep_asked(const struct position *position,
                                                 const struct placing_rule *rule, uint64_t *cells)
{
    uint64_t before = work_spent();
    if (rule->step.row != NULL && rule->step.offset != 0)
        keep_supported(position, rule, cells);
    if (rule->removes)
        keep_removed(position, rule, cells);
    if (rule->step.row != NULL && rule->step.offset == 0)
        EACH_BIT (cell, cells, position->game->words)
            if (work_spend(1) && !is_supported(position, rule, (cell_index)cell))
                bits_reset(cells, (unsigned)cell);
    if (!rule->needs.whole)
        condition_keep_cells(position, rule->condition, position_state_player(position), cells);
    work_was_for(rule->pointer, before);
}

void placing_find(const struct position *position, struct placing *placing)
{
    const int words = position->game->words;
    const size_t bytes = (size_t)words * sizeof *placing->any;
    placing->list = NULL;
    placing->position = position;
    memset(placing->any, 0, bytes);
    if (!placing_is_possible(position))
        return;
    const struct placing_list *list = placing_list_of(position);
    if ((list->phases >> position_stage(position)->phase & 1) == 0)
        return;
    placing->list = list;
    for (int i = 0; i < list->count; i++) {
        const struct placing_rule *rule = &list->rules[i];
        uint64_t *cells = placing->cells[i];
        if ((rule->otherwise && !bits_empty(placing->any, words)) ||
            !is_open(position, rule, &placing->kinds[i])) {
            memset(cells, 0, bytes);
            continue;
        }
        work_spend((unsigned)words);
        for (int k = 0; k < words; k++)
            cells[k] = rule->removes ? matching_occupied(position, k) &
                                           game_cell_set(position->game, rule->cells)[k]
                                     : empty_word(position, rule, k);
        if (!rule->plain)
            keep_asked(position, rule, cells);
        for (int k = 0; k < words; k++)
            placing->any[k] |= cells[k];
    }
}

uint64_t placing_kinds_of(const struct placing *placing, cell_index cell)
{
    const struct position *position = placing->position;
    figure_index figure = position->game->code_figures[position->cells[cell].code];
    uint64_t kinds = 0;
    work_spend((unsigned)placing->list->count);
    for (int i = 0; i < placing->list->count; i++)
        if (bits_test(placing->cells[i], cell))
            kinds |= placing->list->rules[i].removes ? UINT64_C(1) << figure : placing->kinds[i];
    return kinds;
}
