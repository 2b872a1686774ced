#include "engine/rules/placing.h"

#include "engine/rules/condition.h"
#include "engine/rules/matching.h"
#include "engine/work_shares.h"

#include <limits.h>
#include <string.h>

bool placing_is_possible(const struct position *position)
{
    const struct game *game = position->game;
    return game->places_figures && position_state_player(position) != PLAYER_NONE &&
           position->turn.active == CELL_NONE && !game->states[position->state].same_figure;
}

const struct placing_list *placing_list_of(const struct position *position)
{
    return &position->game->placing[position_state_player(position)];
}

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
    if (rule->phase != game->states[position->state].phase)
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

/* Of the kinds that the entry is about those on the cell, where it may be done. */
static uint64_t kinds_on(const struct position *position, const struct placing_rule *rule,
                         uint64_t kinds, cell_index cell)
{
    if (!rule->removes)
        return kinds;
    return UINT64_C(1) << position->game->code_figures[position->cells[cell].code];
}

uint64_t placing_kinds(const struct position *position, cell_index cell)
{
    uint64_t kinds = 0;
    if (!placing_is_possible(position))
        return 0;
    const struct placing_list *list = placing_list_of(position);
    for (int i = 0; i < list->count; i++)
        if (placing_judge(position, &list->rules[i], UINT64_MAX, cell) == PLACED_WELL)
            kinds |=
                kinds_on(position, &list->rules[i], kinds_at_hand(position, &list->rules[i]), cell);
    return kinds;
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
                           const uint64_t *empty, uint64_t *cells)
{
    const struct game *game = position->game;
    const uint64_t *all = game_cell_set(game, CELL_SET_ALL);
    uint64_t occupied[WORDS_MAX];
    for (int i = 0; i < game->words; i++)
        occupied[i] = all[i] & ~empty[i];
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

/* Keeps those of the cells that are as the entry asks. */
static void keep_fitting(const struct position *position, const struct placing_rule *rule,
                         uint64_t *cells)
{
    uint64_t before = work_spent();
    if (rule->removes)
        keep_removed(position, rule, cells);
    if (rule->step.row != NULL && rule->step.offset == 0)
        EACH_BIT (cell, cells, position->game->words)
            if (work_spend(1) && !is_supported(position, rule, (cell_index)cell))
                bits_reset(cells, (unsigned)cell);
    if (rule->condition != NULL)
        condition_keep_cells(position, rule->condition, position_state_player(position), cells);
    work_was_for(rule->pointer, before);
}

/* Whether sets of what stands where do not say all that the entry asks. */
static bool asks_more(const struct placing_rule *rule)
{
    return rule->condition != NULL || rule->removes || rule->step.row != NULL;
}

static void keep_asked(const struct position *position, const struct placing_rule *rule,
                       const uint64_t *empty, uint64_t *cells)
{
    if (rule->step.row != NULL && rule->step.offset != 0)
        keep_supported(position, rule, empty, cells);
    keep_fitting(position, rule, cells);
}

/* Where the entry lets something be done, if it does now; they are added to those of the others. */
static void find_cells(struct placing *placing, int number, bool now, const uint64_t *empty)
{
    const struct position *position = placing->position;
    const struct placing_rule *rule = &placing->list->rules[number];
    const int words = position->game->words;
    const uint64_t *zone = game_cell_set(position->game, rule->cells);
    uint64_t *cells = placing->cells[number];
    work_spend((unsigned)words);
    for (int i = 0; i < words; i++)
        cells[i] = now ? (rule->removes ? ~empty[i] : empty[i]) & zone[i] : 0;
    if (now && asks_more(rule))
        keep_asked(position, rule, empty, cells);
    for (int i = 0; i < words; i++)
        placing->any[i] |= cells[i];
}

void placing_find(const struct position *position, struct placing *placing)
{
    const struct game *game = position->game;
    const uint8_t phase = game->states[position->state].phase;
    uint64_t empty[WORDS_MAX];
    for (int i = 0; i < game->words; i++) {
        placing->any[i] = 0;
        empty[i] = game_cell_set(game, CELL_SET_ALL)[i] & ~matching_players(position, UINT_MAX, i);
    }
    placing->list = NULL;
    if (!placing_is_possible(position) ||
        (placing_list_of(position)->phases >> game->states[position->state].phase & 1) == 0)
        return;
    placing->position = position;
    placing->list = placing_list_of(position);
    for (int i = 0; i < placing->list->count; i++) {
        const struct placing_rule *rule = &placing->list->rules[i];
        bool waits = rule->otherwise && !bits_empty(placing->any, game->words);
        placing->kinds[i] = kinds_at_hand(position, rule);
        find_cells(placing, i, !waits && rule->phase == phase && placing->kinds[i] != 0, empty);
    }
}

uint64_t placing_kinds_of(const struct placing *placing, cell_index cell)
{
    uint64_t kinds = 0;
    work_spend((unsigned)placing->list->count);
    for (int i = 0; i < placing->list->count; i++)
        if (bits_test(placing->cells[i], cell))
            kinds |= kinds_on(placing->position, &placing->list->rules[i], placing->kinds[i], cell);
    return kinds;
}
