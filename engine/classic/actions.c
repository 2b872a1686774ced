#include "engine/classic/actions.h"

#include "engine/rules/condition.h"
#include "engine/work.h"

#include <assert.h>

/* --- which match ------------------------------------------------------------------------------ */

/* The sets that match for a move, in the order in which they are carried out; nobody asks for more once it is cancelled, by one of them or
 * because a participant that does not go by default has none. */
struct matches {
    struct match *list;
    int count;
    bool cancelled;
};

/* Of a list of sets on one target. Their conditions do not ask who moves. */
static void match_sets(const struct position *position, const struct action_set *sets, int count,
                       cell_index self, struct match where, struct matches *found)
{
    for (int i = 0; i < count && !found->cancelled && work_spend(1); i++) {
        if (!condition_holds(position, sets[i].condition, PLAYER_NONE, self, where.target))
            continue;
        where.set = &sets[i];
        found->list[found->count++] = where;
        found->cancelled = action_set_does(&sets[i], RULE_CANCEL);
    }
}

static struct matches match_simple(const struct position *position,
                                   const struct candidate *candidate, cell_index from)
{
    const struct game *game = position->game;
    const struct cell_actions *actions = &game->movements[candidate->rule].actions;
    const cell_index *path = game->paths + candidate->path;
    struct matches found = {.list = position->matches};
    match_sets(position, actions->destination, actions->destination_count, from,
               (struct match){.target = candidate->to}, &found);
    int between = actions->transition_count > 0 ? candidate->steps - 1 : 0;
    for (int i = 0; i < between && work_spend(1); i++)
        match_sets(position, actions->transition, actions->transition_count, from,
                   (struct match){.target = path[i]}, &found);
    return found;
}

static struct matches match_combined(const struct position *position,
                                     const struct combined_instance *instance)
{
    struct matches found = {.list = position->matches};
    for (int i = 0; i < instance->movement->participant_count && !found.cancelled; i++) {
        const struct participant *participant = &instance->movement->participants[i];
        struct match where = {.target = instance->places[i].destination, .participant = (uint8_t)i};
        int before = found.count;
        match_sets(position, participant->actions.destination,
                   participant->actions.destination_count, instance->places[i].source, where,
                   &found);
        found.cancelled |= found.count == before && !participant->by_default;
    }
    return found;
}

bool action_allowed(const struct position *position, const struct candidate *candidate,
                    cell_index from)
{
    struct matches found = match_simple(position, candidate, from);
    return found.count > 0 && !found.cancelled;
}

bool action_group_allowed(const struct position *position, const struct combined_instance *instance)
{
    return !match_combined(position, instance).cancelled;
}

bool action_takes(const struct position *position, const struct candidate *candidate,
                  cell_index from, bool on_target)
{
    struct matches found = match_simple(position, candidate, from);
    for (int i = 0; i < found.count && !found.cancelled; i++) {
        cell_index target = found.list[i].target;
        if ((!on_target || target == candidate->to) && target != CELL_NONE &&
            position->cells[target].code != 0 && action_set_does(found.list[i].set, RULE_TAKE))
            return true;
    }
    return false;
}

/* --- what they do ----------------------------------------------------------------------------- */

/* The figures a move is about, as they were captured when it was put together. Actions change these
 * and the board apart from each other, as the format defines: a later action still sees the
 * captured figure. */
struct actor {
    cell_index cell;
    struct cell_record figure;
};
struct actors {
    int count;
    struct actor list[PARTICIPANTS_MAX];
    uint8_t owners[PARTICIPANTS_MAX]; /* by participant: two on one cell are one actor, the first */
};

/* What a captured target looks like now: an actor's own cell may have been changed through it. */
static struct cell_record captured_target(const struct position *position, const struct undo *undo,
                                          const struct actors *actors, cell_index cell)
{
    work_spend((unsigned)actors->count + undo->change_count);
    for (int i = 0; i < actors->count; i++)
        if (actors->list[i].cell == cell)
            return actors->list[i].figure;
    for (uint32_t i = 0; i < undo->change_count; i++)
        if (undo->changes[i].cell == cell)
            return undo->changes[i].before;
    return position->cells[cell];
}

/* Carries out one action of an actor on `target`. On a hole only `replace` does anything. */
static void run_action(struct position *position, struct undo *undo, const struct actors *actors,
                       struct actor *actor, struct rule_action action, cell_index target)
{
    cell_index from = actor->cell;
    struct cell_record *figure = &actor->figure;
    if (target == CELL_NONE && action.kind != RULE_REPLACE)
        return;
    switch ((enum rule_action_kind)action.kind) {
    case RULE_MOVE:
        figure->last_move = (uint16_t)position->turn.move_number;
        position_change(position, undo, target, *figure);
        position_change(position, undo, from, cell_empty);
        return;
    case RULE_TAKE:
        position_change(position, undo, target, cell_empty);
        return;
    case RULE_SWAP:
        position_change(position, undo, from, captured_target(position, undo, actors, target));
        position_change(position, undo, target, *figure);
        return;
    case RULE_REPLACE:
        figure->code = game_code(position->game, action.new_figure,
                                 position->game->code_players[figure->code]);
        position_change(position, undo, from, *figure);
        return;
    case RULE_CANCEL:
        assert(false);
    }
}

/* `clicked`, if it acts (else NULL), has made one move more before anything else is done. */
static void run_matches(struct position *position, struct undo *undo, struct actors *actors,
                        struct actor *clicked, const struct matches *matches)
{
    if (clicked != NULL) {
        if (clicked->figure.moves_made < UINT16_MAX)
            clicked->figure.moves_made++;
        position_change(position, undo, clicked->cell, clicked->figure);
    }
    for (int i = 0; i < matches->count; i++) {
        struct match match = matches->list[i];
        struct actor *actor = &actors->list[actors->owners[match.participant]];
        work_spend((unsigned)match.set->action_count);
        for (int k = 0; k < match.set->action_count; k++)
            run_action(position, undo, actors, actor, match.set->actions[k], match.target);
    }
}

static void add_actor(const struct position *position, struct actors *actors, cell_index cell)
{
    int owner = 0;
    while (owner < actors->count && actors->list[owner].cell != cell)
        owner++;
    int participant = actors->count++;
    actors->owners[participant] = (uint8_t)owner;
    actors->list[participant] = (struct actor){.cell = cell, .figure = position->cells[cell]};
}

void action_run(struct position *position, struct undo *undo, const struct candidate *candidate,
                cell_index from)
{
    struct actors actors = {.count = 0};
    add_actor(position, &actors, from);
    struct matches matches = match_simple(position, candidate, from);
    assert(matches.count > 0 || work_is_too_much());
    run_matches(position, undo, &actors, actors.list, &matches);
}

void action_run_group(struct position *position, struct undo *undo,
                      const struct combined_instance *instance, unsigned others)
{
    const struct place *places = instance->places;
    struct actors actors = {.count = 0};
    for (int i = 0; i < instance->movement->participant_count; i++)
        add_actor(position, &actors, places[i].source);
    struct matches matches = match_combined(position, instance);
    for (int i = 0; i < actors.count; i++)
        if ((others >> i & 1) != 0)
            position_change(position, undo, places[i].source, cell_empty);
    struct actor *clicked = &actors.list[actors.owners[instance->clicked]];
    bool acts = (others >> instance->clicked & 1) == 0;
    run_matches(position, undo, &actors, acts ? clicked : NULL, &matches);
}
