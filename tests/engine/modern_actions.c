#include "tests/engine/modern_parts.h"

#include <string.h>

/* Movements, and figures of combined movements, that say what they do in action sets. */

enum { SOURCES = 2, SETS_MAX_HERE = 64 };

struct set_list {
    int count;
    const json_t *sets[SETS_MAX_HERE];
};

/* `cell_actions`, or the one of this name. */
static const json_t *actions_named(const struct modern *game, const json_t *actions)
{
    if (!json_is_string(actions))
        return actions;
    return json_object_get(say(game, game->root, "actions"), json_string_value(actions));
}

/* The sets for the `destination` or a `transition`: the movement's own first, then what is said for all. */
static struct set_list sets_for(const struct modern *game, const json_t *const *sources,
                                const char *where)
{
    struct set_list list = {.count = 0};
    for (int i = 0; i < SOURCES; i++) {
        const json_t *sets = say(game, actions_named(game, sources[i]), where);
        for (int k = 0; k < list_count(sets) && list.count < SETS_MAX_HERE; k++)
            list.sets[list.count++] = list_at(sets, k);
    }
    return list;
}

static int count_sets(const struct modern *game, const json_t *actions)
{
    const json_t *sources[SOURCES] = {actions, NULL};
    return sets_for(game, sources, "destination").count +
           sets_for(game, sources, "transition").count;
}

bool acts(const struct modern *game, const struct rule *rule)
{
    return say(game, rule->words, "cell_actions") != NULL || count_sets(game, rule->actions) > 0;
}

/* --- which sets match ------------------------------------------------------------------------- */

static const char *action_name(const json_t *action)
{
    return json_string_value(json_is_object(action) ? json_object_get(action, "action") : action);
}

static bool has_action(const struct modern *game, const json_t *set, const char *name)
{
    const json_t *actions = say(game, set, "actions");
    for (int i = 0; i < list_count(actions); i++)
        if (strcmp(action_name(list_at(actions, i)), name) == 0)
            return true;
    return false;
}

static bool set_matches(const struct scene *asked, const json_t *set, cell_index cell)
{
    struct scene scene = *asked;
    const json_t *condition = say(scene.game, set, "if");
    scene.target = cell;
    return condition == NULL || holds(&scene, condition);
}

/* Whether the sets allow it on this cell; `matched` becomes true when one says anything. */
static bool sets_allow(const struct scene *scene, const struct set_list *list, cell_index cell,
                       bool *matched)
{
    for (int i = 0; i < list->count; i++) {
        if (!set_matches(scene, list->sets[i], cell))
            continue;
        if (has_action(scene->game, list->sets[i], "cancel"))
            return false;
        *matched = true;
    }
    return true;
}

/* The cells between, near to far, holes among them. */
static int cells_between(const struct scene *scene, const struct rule *rule, cell_index *cells)
{
    const struct modern *game = scene->game;
    int steps = 0, there[DIMENSIONS_MAX] = {0};
    if (!goes_there(scene, rule, &steps))
        return 0;
    for (int step = 1; step < steps; step++) {
        for (int i = 0; i < game->dimensions; i++)
            there[i] =
                game_facts(game->loaded)->cells[scene->self].coordinates[i] + step * rule->delta[i];
        cells[step - 1] = game_cell_at(game->loaded, there);
    }
    return steps - 1;
}

/* The sets a movement has, and where they are asked. */
struct deed {
    struct set_list destination, transition;
    cell_index between[MODERN_CELLS_MAX];
    int between_count;
};

static struct deed deed_of(const struct scene *scene, const struct rule *rule)
{
    const json_t *sources[SOURCES] = {say(scene->game, rule->words, "cell_actions"), rule->actions};
    struct deed deed = {.destination = sets_for(scene->game, sources, "destination"),
                        .transition = sets_for(scene->game, sources, "transition")};
    deed.between_count = cells_between(scene, rule, deed.between);
    return deed;
}

bool actions_allow(const struct scene *scene, const struct rule *rule)
{
    struct deed deed = deed_of(scene, rule);
    bool matched = false;
    if (!sets_allow(scene, &deed.destination, scene->target, &matched))
        return false;
    for (int i = 0; i < deed.between_count; i++)
        if (!sets_allow(scene, &deed.transition, deed.between[i], &matched))
            return false;
    return matched;
}

static bool sets_take(const struct scene *scene, const struct set_list *list, cell_index cell)
{
    if (cell == CELL_NONE || piece_at(scene, cell).figure == FIGURE_NONE)
        return false;
    for (int i = 0; i < list->count; i++)
        if (set_matches(scene, list->sets[i], cell) &&
            has_action(scene->game, list->sets[i], "take"))
            return true;
    return false;
}

bool actions_take(const struct scene *scene, const struct rule *rule, bool target_only)
{
    struct deed deed = deed_of(scene, rule);
    bool takes = actions_allow(scene, rule) && sets_take(scene, &deed.destination, scene->target);
    for (int i = 0; i < deed.between_count && !target_only && !takes; i++)
        takes = actions_allow(scene, rule) && sets_take(scene, &deed.transition, deed.between[i]);
    return takes;
}

/* --- what they do ----------------------------------------------------------------------------- */

/* The figure as it was before the move, changed by `replace` only. */
struct actor {
    const struct scene *scene; /* before the move */
    cell_index cell;
    bool reached; /* its target has been changed */
    struct modern_piece piece;
    const struct actor *all; /* who acts together with it, itself included */
    int count;
};

/* What stands on a cell as a figure that acts sees it: another one that acts as that has become. */
static struct modern_piece captured_piece(const struct actor *actor, cell_index cell)
{
    for (int i = 0; i < actor->count; i++)
        if (actor->all[i].cell == cell)
            return actor->all[i].piece;
    return piece_at(actor->scene, cell);
}

static void do_action(struct actor *actor, const json_t *action, cell_index cell,
                      struct modern_position *after)
{
    const struct modern *game = actor->scene->game;
    const char *name = action_name(action);
    const char *kind =
        json_string_value(say(game, json_object_get(action, "parameters"), "new_figure"));
    actor->piece.unmoved = false;
    if (strcmp(name, "replace") == 0 && kind != NULL) {
        actor->piece.figure = game_find_figure(game->loaded, kind, strlen(kind));
        after->cells[actor->cell] = actor->piece;
    }
    if (cell == CELL_NONE)
        return;
    actor->reached |= cell == actor->scene->target && strcmp(name, "replace") != 0;
    if (strcmp(name, "take") == 0) {
        after->cells[cell] = (struct modern_piece){.figure = FIGURE_NONE, .player = PLAYER_NONE};
    } else if (strcmp(name, "move") == 0) {
        actor->piece.last_move = (uint16_t)actor->scene->position->move_number;
        after->cells[cell] = actor->piece;
        after->cells[actor->cell] =
            (struct modern_piece){.figure = FIGURE_NONE, .player = PLAYER_NONE};
    } else if (strcmp(name, "swap") == 0) {
        after->cells[actor->cell] = captured_piece(actor, cell);
        after->cells[actor->cell].unmoved = false;
        after->cells[cell] = actor->piece;
    }
}

static void do_sets(struct actor *actor, const struct set_list *list, cell_index cell,
                    struct modern_position *after)
{
    for (int i = 0; i < list->count; i++) {
        const json_t *actions = say(actor->scene->game, list->sets[i], "actions");
        if (!set_matches(actor->scene, list->sets[i], cell))
            continue;
        for (int k = 0; k < list_count(actions); k++)
            do_action(actor, list_at(actions, k), cell, after);
    }
}

/* What other players have on no cell any more that the move has changed: the kinds, as bits. */
static uint64_t kinds_gone(const struct scene *scene, const struct modern_position *after)
{
    int before_count[FIGURES_MAX][PLAYERS_MAX] = {{0}},
        after_count[FIGURES_MAX][PLAYERS_MAX] = {{0}};
    uint64_t kinds = 0;
    for (int cell = 0; cell < scene->game->cells; cell++) {
        struct modern_piece was = piece_at(scene, (cell_index)cell), is = after->cells[cell];
        if (was.figure == is.figure && was.player == is.player)
            continue;
        if (was.figure != FIGURE_NONE)
            before_count[was.figure][was.player]++;
        if (is.figure != FIGURE_NONE)
            after_count[is.figure][is.player]++;
    }
    for (int figure = 0; figure < scene->game->figures; figure++)
        for (int player = 0; player < scene->game->players; player++)
            if (player != scene->mover && before_count[figure][player] > 0 &&
                after_count[figure][player] == 0)
                kinds |= UINT64_C(1) << figure;
    return kinds;
}

static bool is_movers(const struct scene *scene, const struct modern_position *after,
                      cell_index cell)
{
    return after->cells[cell].figure != FIGURE_NONE && after->cells[cell].player == scene->mover;
}

void act(const struct scene *scene, const struct rule *rule, struct modern_position *after)
{
    struct deed deed = deed_of(scene, rule);
    struct actor actor = {
        .scene = scene, .cell = scene->self, .piece = piece_at(scene, scene->self), .count = 1};
    actor.all = &actor;
    actor.piece.unmoved = false;
    actor.piece.moves_made++;
    after->cells[actor.cell] = actor.piece;
    do_sets(&actor, &deed.destination, scene->target, after);
    for (int i = 0; i < deed.between_count; i++)
        do_sets(&actor, &deed.transition, deed.between[i], after);
    after->last.took = kinds_gone(scene, after);
    if (actor.reached && is_movers(scene, after, scene->target))
        after->last.stands = scene->target;
    else
        after->last.stands = is_movers(scene, after, scene->self) ? scene->self : CELL_NONE;
}

/* --- combined movements ------------------------------------------------------------------------ */

/* What one of the figures says itself, then what the combined movement says for all. */
static struct set_list sets_of_figure(const struct modern *game, const json_t *movement,
                                      int participant)
{
    const json_t *words = list_at(json_object_get(movement, "figures"), participant);
    const json_t *sources[SOURCES] = {say(game, words, "cell_actions"),
                                      say(game, movement, "cell_actions")};
    return sets_for(game, sources, "destination");
}

bool figure_acts(const struct modern *game, const json_t *movement, int participant)
{
    const json_t *words = list_at(json_object_get(movement, "figures"), participant);
    return count_sets(game, say(game, words, "cell_actions")) +
               count_sets(game, say(game, movement, "cell_actions")) >
           0;
}

/* The same question from the figure's own cell, about where it goes. */
static struct scene scene_of_figure(const struct scene *scene, const json_t *movement,
                                    int participant)
{
    struct scene own = *scene;
    own.self = combined_cell(scene, movement, participant, false);
    own.target = combined_cell(scene, movement, participant, true);
    return own;
}

bool figure_may_act(const struct scene *scene, const json_t *movement, int participant)
{
    struct set_list list = sets_of_figure(scene->game, movement, participant);
    struct scene own = scene_of_figure(scene, movement, participant);
    bool matched = false;
    return sets_allow(&own, &list, own.target, &matched) && matched;
}

void act_together(const struct scene *scene, const json_t *movement, struct modern_position *after)
{
    struct actor actors[PARTICIPANTS_MAX];
    struct scene scenes[PARTICIPANTS_MAX];
    int count = list_count(json_object_get(movement, "figures")), owners[PARTICIPANTS_MAX];
    for (int i = 0; i < count; i++) {
        scenes[i] = scene_of_figure(scene, movement, i);
        actors[i] = (struct actor){.scene = &scenes[i],
                                   .cell = scenes[i].self,
                                   .piece = piece_at(scene, scenes[i].self),
                                   .all = actors,
                                   .count = count};
        owners[i] = 0; /* two on one cell are one figure */
        while (actors[owners[i]].cell != actors[i].cell)
            owners[i]++;
    }
    if (figure_acts(scene->game, movement, 0)) { /* who is clicked is moved */
        actors[0].piece.moves_made++;
        actors[0].piece.unmoved = false;
        after->cells[actors[0].cell] = actors[0].piece;
    }
    for (int i = 0; i < count; i++) {
        struct set_list list = sets_of_figure(scene->game, movement, i);
        actors[owners[i]].scene = &scenes[i];
        do_sets(&actors[owners[i]], &list, scenes[i].target, after);
    }
}

void note_kinds_gone(const struct scene *scene, struct modern_position *after)
{
    after->last.took = kinds_gone(scene, after);
}
