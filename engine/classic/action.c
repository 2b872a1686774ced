#include "engine/classic/action.h"

#include "engine/classic/rule.h"
#include "engine/work.h"

#include <assert.h>

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

static uint16_t with_figure(const struct game *game, uint16_t code, figure_index figure)
{
    return game_code(game, figure, game->code_players[code]);
}

/* Carries out one action of an actor on `target`. On a hole only `replace` does anything. */
static void run_action(struct position *position, struct undo *undo, const struct actors *actors,
                       struct actor *actor, struct rule_action action, cell_index target)
{
    static const struct cell_record empty = {0};
    cell_index from = actor->cell;
    struct cell_record *figure = &actor->figure;
    bool hole = target == CELL_NONE;
    switch ((enum rule_action_kind)action.kind) {
    case RULE_MOVE:
        if (hole)
            return;
        figure->last_move = (uint16_t)position->move_number;
        position_change(position, undo, target, *figure);
        position_change(position, undo, from, empty);
        return;
    case RULE_TAKE:
        if (!hole)
            position_change(position, undo, target, empty);
        return;
    case RULE_SWAP:
        if (hole)
            return;
        position_change(position, undo, from, captured_target(position, undo, actors, target));
        position_change(position, undo, target, *figure);
        return;
    case RULE_REPLACE:
        figure->code = with_figure(position->game, figure->code, action.new_figure);
        position_change(position, undo, from, *figure);
        return;
    case RULE_CANCEL:
        assert(false);
    }
}

static void run_matches(struct position *position, struct undo *undo, struct actors *actors,
                        int count)
{
    for (int i = 0; i < count; i++) {
        struct match match = position->matches[i];
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

void action_run_simple(struct position *position, struct undo *undo,
                       const struct candidate *candidate, cell_index from)
{
    struct actors actors = {.count = 0};
    add_actor(position, &actors, from);
    int count = rule_match_simple(position, candidate, from, position->matches);
    assert(count > 0 || work_is_too_much());
    struct cell_record *figure = &actors.list[0].figure;
    if (figure->moves_made < UINT16_MAX)
        figure->moves_made++;
    position_change(position, undo, from, *figure);
    run_matches(position, undo, &actors, count);
}

void action_run_complex(struct position *position, struct undo *undo,
                        const struct complex_instance *instance, unsigned others)
{
    static const struct cell_record empty = {0};
    const struct place *places = instance->places;
    struct actors actors = {.count = 0};
    for (int i = 0; i < instance->movement->participant_count; i++)
        add_actor(position, &actors, places[i].source);
    int count = rule_match_complex(position, instance, position->matches);
    for (int i = 0; i < actors.count; i++)
        if ((others >> i & 1) != 0)
            position_change(position, undo, places[i].source, empty);
    if ((others >> instance->clicked & 1) == 0) {
        struct actor *clicked = &actors.list[actors.owners[instance->clicked]];
        if (clicked->figure.moves_made < UINT16_MAX)
            clicked->figure.moves_made++;
        position_change(position, undo, places[instance->clicked].source, clicked->figure);
    }
    run_matches(position, undo, &actors, count);
}
