#include "engine/rule.h"

#include "engine/work.h"

#include <assert.h>
#include <limits.h>

/* Whether an `if` holds, and for a list of sets: nothing matched, something matched, or a cancel
 * among it. */
enum verdict { VERDICT_NOTHING, VERDICT_MATCHED, VERDICT_CANCELLED };

bool rule_condition_holds(const struct position *position, const struct rule_condition *condition,
                          cell_index self, cell_index target)
{
    const struct game *game = position->game;
    if (!work_spend(1 + condition->atom_count))
        return false;
    if (target == CELL_NONE) {
        if (!condition->on_hole)
            return false;
    } else {
        if (!game_contents_set_has(game, condition->contents, position->cells[target].code))
            return false;
        if (!bits_test(game_cell_set(game, condition->target_cells), target))
            return false;
    }
    if (!bits_test(game_cell_set(game, condition->self_cells), self))
        return false;
    const struct history_atom *atoms = game->atoms + condition->first_atom;
    for (uint32_t i = 0; i < condition->atom_count; i++)
        if (!rule_atom_holds(position, atoms[i], self, target))
            return false;
    return true;
}

static bool any_condition_holds(const struct position *position, uint32_t first, uint32_t count,
                                cell_index self, cell_index target)
{
    const struct rule_condition *conditions = position->game->conditions + first;
    for (uint32_t i = 0; i < count; i++)
        if (rule_condition_holds(position, &conditions[i], self, target))
            return true;
    return false;
}

bool rule_guard_holds(const struct position *position, const struct rule *rule, cell_index from,
                      cell_index to)
{
    return any_condition_holds(position, rule->first_guard, rule->guard_count, from, to);
}

/* Judges a list of sets on one target. */
static enum verdict judge_sets(const struct position *position, uint32_t first, uint32_t count,
                               cell_index self, cell_index target)
{
    enum verdict verdict = VERDICT_NOTHING;
    const struct rule_set *sets = position->game->sets + first;
    for (uint32_t i = 0; i < count && work_spend(1); i++) {
        if (verdict == VERDICT_MATCHED && !sets[i].cancels)
            continue;
        if (!any_condition_holds(position, sets[i].first_condition, sets[i].condition_count, self,
                                 target))
            continue;
        if (sets[i].cancels)
            return VERDICT_CANCELLED;
        verdict = VERDICT_MATCHED;
    }
    return verdict;
}

uint32_t rule_first_candidate(const struct game *game, uint32_t low, uint32_t end, cell_index to)
{
    uint32_t high = end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (game->candidates[middle].to < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && game->candidates[low].to == to ? low : end;
}

const struct candidate *rule_find_simple(const struct position *position, cell_index from,
                                         cell_index to)
{
    const struct game *game = position->game;
    unsigned code = position->cells[from].code;
    assert(code != 0);
    work_spend(WORK_CANDIDATE);
    const uint32_t *starts =
        game->candidate_starts + (size_t)(code - 1) * (size_t)(game->cell_count + 1) + from;
    uint32_t end = starts[1], low = rule_first_candidate(game, starts[0], end, to);
    for (; low < end && game->candidates[low].to == to; low++) {
        const struct rule *rule = &game->rules[game->candidates[low].rule];
        if (!rule->guarded ||
            any_condition_holds(position, rule->first_guard, rule->guard_count, from, to))
            return &game->candidates[low];
    }
    return NULL;
}

bool rule_simple_legal(const struct position *position, const struct candidate *candidate,
                       cell_index from)
{
    const struct game *game = position->game;
    const struct rule *rule = &game->rules[candidate->rule];
    enum verdict verdict =
        judge_sets(position, rule->first_destination, rule->destination_count, from, candidate->to);
    if (verdict == VERDICT_CANCELLED)
        return false;
    if (rule->transition_count == 0)
        return verdict == VERDICT_MATCHED;
    const cell_index *path = game->paths + candidate->path;
    for (int i = 0; i + 1 < candidate->steps && work_spend(1); i++) {
        enum verdict here =
            judge_sets(position, rule->first_transition, rule->transition_count, from, path[i]);
        if (here == VERDICT_CANCELLED)
            return false;
        if (here == VERDICT_MATCHED)
            verdict = VERDICT_MATCHED;
    }
    return verdict == VERDICT_MATCHED;
}

/* The rule of a participant depends on whose figure stands there now; NULL when it is not the right
 * figure. */
static const struct rule *participant_rule(const struct position *position,
                                           const struct complex_rule *complex, int participant,
                                           cell_index source)
{
    const struct game *game = position->game;
    unsigned code = position->cells[source].code;
    if (code == 0 || game->code_figures[code] != complex->figures[participant])
        return NULL;
    uint32_t index = complex->first_rule + (uint32_t)(participant * game->player_count) +
                     game->code_players[code];
    return &game->rules[index];
}

bool rule_complex_legal(const struct position *position, const struct complex_instance *instance)
{
    const struct game *game = position->game;
    const struct complex_rule *complex = &game->complex[instance->movement];
    const struct place *places = game->places + instance->first_place;
    for (int i = 0; i < complex->participant_count; i++) {
        unsigned code = position->cells[places[i].source].code;
        work_spend(1);
        if (code == 0 || game->code_figures[code] != complex->figures[i])
            return false;
    }
    return rule_participants_legal(position, instance, UINT_MAX);
}

bool rule_participants_legal(const struct position *position,
                             const struct complex_instance *instance, unsigned participants)
{
    const struct game *game = position->game;
    const struct complex_rule *complex = &game->complex[instance->movement];
    const struct place *places = game->places + instance->first_place;
    for (int i = 0; i < complex->participant_count; i++) {
        if ((participants >> i & 1) == 0)
            continue;
        const struct rule *rule = participant_rule(position, complex, i, places[i].source);
        if (judge_sets(position, rule->first_destination, rule->destination_count, places[i].source,
                       places[i].destination) != VERDICT_MATCHED)
            return false;
    }
    return true;
}

static int match_sets(const struct position *position, uint32_t first, uint32_t count,
                      cell_index self, struct match where, struct match *matches)
{
    int matched = 0;
    const struct rule_set *sets = position->game->sets + first;
    for (uint32_t i = 0; i < count && work_spend(1); i++) {
        if (!any_condition_holds(position, sets[i].first_condition, sets[i].condition_count, self,
                                 where.target))
            continue;
        assert(!sets[i].cancels);
        where.set = first + i;
        matches[matched++] = where;
    }
    return matched;
}

int rule_match_simple(const struct position *position, const struct candidate *candidate,
                      cell_index from, struct match *matches)
{
    const struct game *game = position->game;
    const struct rule *rule = &game->rules[candidate->rule];
    struct match where = {.target = candidate->to};
    int count = match_sets(position, rule->first_destination, rule->destination_count, from, where,
                           matches);
    if (rule->transition_count == 0)
        return count;
    const cell_index *path = game->paths + candidate->path;
    for (int i = 0; i + 1 < candidate->steps && work_spend(1); i++) {
        where.target = path[i];
        count += match_sets(position, rule->first_transition, rule->transition_count, from, where,
                            matches + count);
    }
    return count;
}

int rule_match_complex(const struct position *position, const struct complex_instance *instance,
                       struct match *matches)
{
    const struct game *game = position->game;
    const struct complex_rule *complex = &game->complex[instance->movement];
    const struct place *places = game->places + instance->first_place;
    int count = 0;
    for (int i = 0; i < complex->participant_count; i++) {
        const struct rule *rule = participant_rule(position, complex, i, places[i].source);
        assert(rule != NULL);
        struct match where = {.target = places[i].destination, .participant = (uint8_t)i};
        count += match_sets(position, rule->first_destination, rule->destination_count,
                            places[i].source, where, matches + count);
    }
    return count;
}
