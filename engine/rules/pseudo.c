#include "engine/rules/pseudo.h"

#include "engine/candidates.h"
#include "engine/classic/actions.h"
#include "engine/rules/change.h"
#include "engine/rules/placing.h"
#include "engine/work.h"

#include <string.h>

bool pseudo_visit_choices(struct visit *visit, const struct movement *rule, struct move move)
{
    struct choices choices = change_choices(visit->position, rule, move);
    bool forced = !choices.optional && (choices.figures & (choices.figures - 1)) == 0;
    if (choices.figures == 0 || forced)
        return visit->move(visit, move);
    for (uint64_t left = choices.figures; left != 0; left &= left - 1) {
        struct move chosen = move;
        chosen.choice = (uint8_t)word_lowest(left);
        if (visit->move(visit, chosen))
            return true;
    }
    return choices.optional && visit->move(visit, move);
}

/* Of what leads to its target. */
static void keep_nearest(struct nearest *nearest, cell_index to, const struct movement *rule,
                         const struct combined_movement *combined, struct misfit misfit)
{
    bool first = nearest->rule == NULL && nearest->combined == NULL;
    bool further = rule != NULL && misfit.why > nearest->misfit.why;
    if (to == nearest->to && (first || further || misfit.why == FITS))
        *nearest = (struct nearest){to, rule, combined, misfit};
}

/* Of the candidates for one target, from `first` on, the first that fits; NULL when none does or its actions do
 * nothing. */
static const struct candidate *first_that_fits(const struct position *position, cell_index from,
                                               uint32_t first, uint32_t end,
                                               struct nearest *nearest)
{
    const struct game *game = position->game;
    for (uint32_t i = first; i < end && game->candidates[i].to == game->candidates[first].to; i++) {
        const struct candidate *candidate = &game->candidates[i];
        const struct movement *rule = &game->movements[candidate->rule];
        struct misfit misfit = fits_judge(position, candidate, from);
        if (nearest != NULL)
            keep_nearest(nearest, candidate->to, rule, NULL, misfit);
        if (misfit.why != FITS)
            continue;
        bool acts = rule->purpose == FOR_ACTIONS;
        return acts && !action_allowed(position, candidate, from) ? NULL : candidate;
    }
    return NULL;
}

const struct candidate *pseudo_deciding(const struct position *position, cell_index from,
                                        cell_index to)
{
    const struct game *game = position->game;
    const uint32_t *starts = candidate_row(position, from);
    uint32_t first = candidate_first(game, starts[0], starts[1], to);
    return first < starts[1] ? first_that_fits(position, from, first, starts[1], NULL) : NULL;
}

struct move pseudo_move(const struct position *position, cell_index from,
                        const struct candidate *candidate)
{
    uint32_t first_rule = position->game->piece_rules[position->cells[from].code - 1];
    return (struct move){.from = from,
                         .to = candidate->to,
                         .rule = (uint16_t)(candidate->rule - first_rule),
                         .choice = CHOICE_NONE};
}

static bool visit_simple(struct visit *visit, cell_index from)
{
    const struct position *position = visit->position;
    const struct game *game = position->game;
    const uint32_t *starts = candidate_row(position, from);
    for (uint32_t i = starts[0], next = 0; i < starts[1] && !work_is_too_much(); i = next) {
        cell_index to = game->candidates[i].to;
        for (next = i + 1; next < starts[1] && game->candidates[next].to == to;)
            next++;
        const struct candidate *candidate =
            first_that_fits(position, from, i, next, visit->nearest);
        if (candidate != NULL && pseudo_visit_choices(visit, &game->movements[candidate->rule],
                                                      pseudo_move(position, from, candidate)))
            return true;
    }
    return false;
}

/* Of several for one target the first in the file, where no simple movement decides about it. */
static bool visit_combined(struct visit *visit, cell_index from)
{
    struct position *position = visit->position;
    const struct game *game = position->game;
    unsigned code = position->cells[from].code;
    uint64_t seen[WORDS_MAX] = {0};
    struct combined_instance instance = {.passed = 0};
    if (position->turn.active != CELL_NONE || position_stage(position)->phase != 0)
        return false;
    while (combined_next(game, code, from, &instance)) {
        if (bits_test(seen, instance.to))
            continue;
        struct misfit misfit = fits_combined(position, &instance);
        if (visit->nearest != NULL)
            keep_nearest(visit->nearest, instance.to, NULL, instance.movement, misfit);
        if (misfit.why == FITS)
            work_spend(WORK_CANDIDATE);
        if (misfit.why != FITS || pseudo_deciding(position, from, instance.to) != NULL)
            continue;
        bits_set(seen, instance.to);
        struct move move = {.from = from,
                            .to = instance.to,
                            .rule = (uint16_t)(RULE_COMBINED | instance.number),
                            .choice = CHOICE_NONE};
        if (visit->move(visit, move))
            return true;
    }
    return false;
}

/* --- placements ------------------------------------------------------------------------------- */

static bool visit_kinds(struct visit *visit, cell_index to, uint64_t kinds)
{
    for (uint64_t left = kinds; left != 0; left &= left - 1)
        if (visit->move(visit, placing_move(visit->position, to, word_lowest(left))))
            return true;
    return false;
}

bool pseudo_visit_placements(struct visit *visit, cell_index to)
{
    struct placing placing;
    int words = visit->position->game->words;
    if (!visit->position->game->places_figures)
        return false;
    placing_find(visit->position, &placing);
    for (int cell = bits_next(placing.any, words, 0); cell >= 0 && !work_is_too_much();
         cell = bits_next(placing.any, words, cell + 1))
        if ((to == CELL_NONE || to == cell) &&
            visit_kinds(visit, (cell_index)cell, placing_kinds_of(&placing, (cell_index)cell)))
            return true;
    return false;
}

bool pseudo_visit(struct visit *visit, cell_index from)
{
    return visit_simple(visit, from) || visit_combined(visit, from);
}

bool pseudo_is_there(struct visit *visit, struct move move)
{
    (void)visit;
    (void)move;
    return true;
}

/* --- in order --------------------------------------------------------------------------------- */

static uint64_t sort_key(struct move move)
{
    return (uint64_t)move.from << 32 | (uint64_t)move.to << 8 | move.choice;
}

static bool is_sorted(const struct move *moves, int count)
{
    int at = 1;
    while (at < count && sort_key(moves[at - 1]) < sort_key(moves[at]))
        at++;
    return at >= count;
}

/* Shell's sort: the list comes in a few rising runs, that of placements in one. */
void pseudo_sort(struct move *moves, int count)
{
    work_spend((uint64_t)count * WORK_CANDIDATE);
    if (is_sorted(moves, count))
        return;
    static const int gaps[] = {701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
        for (int i = gaps[g]; i < count; i++) {
            struct move move = moves[i];
            int at = i;
            for (; at >= gaps[g] && sort_key(moves[at - gaps[g]]) > sort_key(move); at -= gaps[g])
                moves[at] = moves[at - gaps[g]];
            moves[at] = move;
        }
}

struct move pseudo_behind(struct move *moves, int count, int others)
{
    uint16_t counts[CELLS_MAX];
    cell_index from = 0;
    int figures = 0;
    work_spend((uint64_t)count * 2);
    if (is_sorted(moves, count))
        return moves[others];
    memset(counts, 0, sizeof counts);
    for (int i = 0; i < count; i++)
        if (moves[i].from != CELL_NONE) {
            counts[moves[i].from]++;
            figures++;
        }
    if (others >= figures) {
        from = CELL_NONE;
        others -= figures;
    }
    while (from != CELL_NONE && others >= counts[from])
        others -= counts[from++];
    count = pseudo_keep_from(moves, count, from, moves);
    pseudo_sort(moves, count);
    return moves[others];
}

int pseudo_keep_from(const struct move *all, int count, cell_index from, struct move *moves)
{
    int kept = 0;
    work_spend((unsigned)count);
    for (int i = 0; i < count; i++)
        if (all[i].from == from)
            moves[kept++] = all[i];
    return kept;
}

bool pseudo_is_among(const struct move *all, int count, struct move *move)
{
    int at = 0;
    while (at < count && !move_equal(all[at], *move))
        at++;
    if (at < count)
        *move = all[at];
    return at < count;
}

/* --- who may move ----------------------------------------------------------------------------- */

void pseudo_movable(const struct position *position, uint64_t *cells)
{
    const struct game *game = position->game;
    size_t bytes = (size_t)game->words * sizeof *cells;
    player_index player = position_state_player(position);
    const struct turn *turn = &position->turn;
    memset(cells, 0, bytes);
    if (player == PLAYER_NONE)
        return;
    cell_index only = turn->active;
    if (only == CELL_NONE && position_stage(position)->same_figure) {
        only = turn->last.stands;
        if (only == CELL_NONE || game->code_players[position->cells[only].code] != player)
            return;
    }
    if (only != CELL_NONE)
        bits_set(cells, only);
    else
        memcpy(cells, position_player_words(position, player), bytes);
}

bool pseudo_visit_all(struct visit *visit)
{
    uint64_t cells[WORDS_MAX];
    pseudo_movable(visit->position, cells);
    EACH_BIT (cell, cells, visit->position->game->words)
        if (pseudo_visit(visit, (cell_index)cell))
            return true;
    return pseudo_visit_placements(visit, CELL_NONE);
}
