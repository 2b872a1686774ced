#include "engine/classic/rule.h"

#include "engine/work.h"

#include <assert.h>
#include <limits.h>

/* Of a list of action sets on one target. */
enum verdict { VERDICT_NOTHING, VERDICT_MATCHED, VERDICT_CANCELLED };

/* Whether a history atom holds for the figure on `self` and what stands on `target`. */
static bool atom_holds(const struct position *position, struct history_atom atom, cell_index self,
                       cell_index target)
{
    const struct cell_record *cells = position->cells;
    switch (atom.kind) {
    case HISTORY_SELF_MOVES_MADE:
        return cells[self].moves_made == atom.value;
    case HISTORY_SELF_LAST_MOVE:
        return cells[self].last_move == atom.value;
    case HISTORY_SELF_MOVES_AFTER_LAST_MOVE:
        return (int64_t)position->move_number - cells[self].last_move == atom.value;
    case HISTORY_CURRENT_MOVE:
        return (int64_t)position->move_number == atom.value;
    case HISTORY_TARGET_MOVES_MADE:
        return cells[target].moves_made == atom.value;
    case HISTORY_TARGET_LAST_MOVE:
        return cells[target].last_move == atom.value;
    }
    assert(false);
    return false;
}

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
        if (!atom_holds(position, atoms[i], self, target))
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

struct rule_ray rule_ray_of(const struct candidate *candidate)
{
    return (struct rule_ray){.rule = candidate->rule,
                             .path = candidate->path,
                             .matches = RULE_NOWHERE,
                             .cancels = RULE_NOWHERE};
}

/* Judges the cells between; looks at the ray only as far as that has not been done. */
static enum verdict judge_between(const struct position *position,
                                  const struct candidate *candidate, cell_index from,
                                  struct rule_ray *ray)
{
    const struct game *game = position->game;
    const struct rule *rule = &game->rules[candidate->rule];
    const cell_index *path = game->paths + candidate->path;
    int between = candidate->steps - 1;
    for (; ray->seen < between && ray->cancels == RULE_NOWHERE && work_spend(1); ray->seen++) {
        enum verdict here = judge_sets(position, rule->first_transition, rule->transition_count,
                                       from, path[ray->seen]);
        if (here == VERDICT_CANCELLED)
            ray->cancels = ray->seen;
        else if (here == VERDICT_MATCHED && ray->matches == RULE_NOWHERE)
            ray->matches = ray->seen;
    }
    if (ray->cancels < between)
        return VERDICT_CANCELLED;
    return ray->matches < between ? VERDICT_MATCHED : VERDICT_NOTHING;
}

bool rule_legal_along(const struct position *position, const struct candidate *candidate,
                      cell_index from, struct rule_ray *ray)
{
    const struct rule *rule = &position->game->rules[candidate->rule];
    enum verdict between = VERDICT_NOTHING;
    if (rule->transition_count > 0)
        between = judge_between(position, candidate, from, ray);
    if (between == VERDICT_CANCELLED)
        return false;
    enum verdict target =
        judge_sets(position, rule->first_destination, rule->destination_count, from, candidate->to);
    return target == VERDICT_MATCHED || (target == VERDICT_NOTHING && between == VERDICT_MATCHED);
}

bool rule_simple_legal(const struct position *position, const struct candidate *candidate,
                       cell_index from)
{
    struct rule_ray ray = rule_ray_of(candidate);
    return rule_legal_along(position, candidate, from, &ray);
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
