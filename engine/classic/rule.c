#include "engine/classic/rule.h"

#include "engine/work.h"

#include <assert.h>

/* Of a list of action sets on one target. */
enum verdict { VERDICT_NOTHING, VERDICT_MATCHED, VERDICT_CANCELLED };

/* --- conditions ------------------------------------------------------------------------------- */

/* What the file asks of a number or a name of what stands on the target; an empty cell has ATOM_ABSENT. */
static bool is_of_target(const struct atom *atom, struct cell_record figure, int32_t value)
{
    return (figure.code == 0 ? ATOM_ABSENT : value) == atom->value;
}

static bool atom_holds(const struct position *position, const struct atom *atom, cell_index self,
                       cell_index target)
{
    static const struct cell_record nothing = {0};
    const struct game *game = position->game;
    bool hole = target == CELL_NONE;
    struct cell_record figure = position->cells[self];
    struct cell_record there = hole ? nothing : position->cells[target];
    player_index player = game->code_players[figure.code];
    switch (atom->kind) {
    case ATOM_SELF_FIGURE:
        return game->code_figures[figure.code] == atom->value;
    case ATOM_SELF_PLAYER:
        return player == atom->value;
    case ATOM_SELF_MOVES_MADE:
        return figure.moves_made == atom->value;
    case ATOM_SELF_LAST_MOVE:
        return figure.last_move == atom->value;
    case ATOM_SELF_COORDINATE:
        return game_cell_coordinates(game, self)[atom->dimension] == atom->value;
    case ATOM_TARGET_FIGURE:
        return !hole && is_of_target(atom, there, game->code_figures[there.code]);
    case ATOM_TARGET_PLAYER:
        return !hole && is_of_target(atom, there, game->code_players[there.code]);
    case ATOM_TARGET_MOVES_MADE:
        return !hole && is_of_target(atom, there, there.moves_made);
    case ATOM_TARGET_LAST_MOVE:
        return !hole && is_of_target(atom, there, there.last_move);
    case ATOM_TARGET_COORDINATE:
        return !hole && game_cell_coordinates(game, target)[atom->dimension] == atom->value;
    case ATOM_IS_CELL:
        return !hole == (atom->value != 0);
    case ATOM_IS_FIGURE:
        return (there.code != 0) == (atom->value != 0);
    case ATOM_IS_ENEMY:
        return (there.code != 0 && game->code_players[there.code] != player) == (atom->value != 0);
    case ATOM_MOVES_AFTER_LAST_MOVE:
        return (int64_t)position->move_number - figure.last_move == atom->value;
    case ATOM_CURRENT_MOVE:
        return (int64_t)position->move_number == atom->value;
    }
    assert(false);
    return false;
}

bool rule_condition_holds(const struct position *position, const struct condition *condition,
                          cell_index self, cell_index target)
{
    if (!work_spend(1 + (unsigned)condition->atom_count))
        return false;
    for (int i = 0; i < condition->atom_count; i++)
        if (!atom_holds(position, &condition->atoms[i], self, target))
            return false;
    return true;
}

bool rule_any_holds(const struct position *position, const struct condition_list *conditions,
                    cell_index self, cell_index target)
{
    for (int i = 0; i < conditions->count; i++)
        if (rule_condition_holds(position, &conditions->conditions[i], self, target))
            return true;
    return !conditions->present && work_spend(1);
}

/* --- legality --------------------------------------------------------------------------------- */

/* Judges a list of sets on one target. */
static enum verdict judge_sets(const struct position *position, const struct action_set *sets,
                               int count, cell_index self, cell_index target)
{
    enum verdict verdict = VERDICT_NOTHING;
    for (int i = 0; i < count && work_spend(1); i++) {
        if ((verdict == VERDICT_MATCHED && !action_set_does(&sets[i], RULE_CANCEL)) ||
            !rule_any_holds(position, &sets[i].condition, self, target))
            continue;
        if (action_set_does(&sets[i], RULE_CANCEL))
            return VERDICT_CANCELLED;
        verdict = VERDICT_MATCHED;
    }
    return verdict;
}

bool rule_simple_legal(const struct position *position, const struct candidate *candidate,
                       cell_index from)
{
    const struct game *game = position->game;
    const struct cell_actions *actions = &game->movements[candidate->rule].actions;
    const cell_index *path = game->paths + candidate->path;
    int between = actions->transition_count > 0 ? candidate->steps - 1 : 0;
    bool matched = false;
    for (int i = 0; i < between && work_spend(1); i++) {
        enum verdict here =
            judge_sets(position, actions->transition, actions->transition_count, from, path[i]);
        if (here == VERDICT_CANCELLED)
            return false;
        matched |= here == VERDICT_MATCHED;
    }
    enum verdict target =
        judge_sets(position, actions->destination, actions->destination_count, from, candidate->to);
    return target == VERDICT_MATCHED || (target == VERDICT_NOTHING && matched);
}

bool rule_participants_act(const struct position *position, const struct complex_instance *instance)
{
    const struct complex_movement *movement = instance->movement;
    for (int i = 0; i < movement->participant_count; i++) {
        const struct participant *participant = &movement->participants[i];
        const struct place *place = &instance->places[i];
        if (!participant->by_default &&
            judge_sets(position, participant->actions.destination,
                       participant->actions.destination_count, place->source,
                       place->destination) != VERDICT_MATCHED)
            return false;
    }
    return true;
}

/* --- what is carried out ---------------------------------------------------------------------- */

static int match_sets(const struct position *position, const struct action_set *sets, int count,
                      cell_index self, struct match where, struct match *matches)
{
    int matched = 0;
    for (int i = 0; i < count && work_spend(1); i++) {
        if (!rule_any_holds(position, &sets[i].condition, self, where.target))
            continue;
        where.set = &sets[i];
        matches[matched++] = where;
    }
    return matched;
}

int rule_match_simple(const struct position *position, const struct candidate *candidate,
                      cell_index from, struct match *matches)
{
    const struct game *game = position->game;
    const struct cell_actions *actions = &game->movements[candidate->rule].actions;
    struct match where = {.target = candidate->to};
    int count = match_sets(position, actions->destination, actions->destination_count, from, where,
                           matches);
    const cell_index *path = game->paths + candidate->path;
    int between = actions->transition_count > 0 ? candidate->steps - 1 : 0;
    for (int i = 0; i < between && work_spend(1); i++) {
        where.target = path[i];
        count += match_sets(position, actions->transition, actions->transition_count, from, where,
                            matches + count);
    }
    return count;
}

int rule_match_complex(const struct position *position, const struct complex_instance *instance,
                       struct match *matches)
{
    const struct complex_movement *movement = instance->movement;
    int count = 0;
    for (int i = 0; i < movement->participant_count; i++) {
        const struct cell_actions *actions = &movement->participants[i].actions;
        struct match where = {.target = instance->places[i].destination, .participant = (uint8_t)i};
        count += match_sets(position, actions->destination, actions->destination_count,
                            instance->places[i].source, where, matches + count);
    }
    return count;
}
