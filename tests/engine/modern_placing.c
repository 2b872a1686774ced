#include "tests/engine/modern_parts.h"

#include <string.h>

bool is_placement(struct modern_move move)
{
    return move.from == CELL_NONE && move.to != CELL_NONE;
}

/* One list for all, or one for each player. */
static const json_t *entries_of(const struct scene *scene)
{
    const json_t *place = say(scene->game, scene->game->root, "place");
    return json_is_object(place)
               ? json_object_get(place, game_facts(scene->game->loaded)->player_names[scene->mover])
               : place;
}

static bool phase_is(const struct scene *scene, const json_t *entry)
{
    const char *phase = json_string_value(say(scene->game, entry, "phase"));
    const char *now = scene->game->states[scene->position->state].phase;
    return phase == NULL || now == NULL ? phase == now : strcmp(phase, now) == 0;
}

/* What is put stays there: the next cell along the way it drops is occupied, or there is none. */
static bool stays(const struct scene *scene, const json_t *drop)
{
    int delta[DIMENSIONS_MAX];
    if (drop == NULL)
        return true;
    read_difference(scene->game, drop, scene->mover, scene->as_it_stands, delta);
    cell_index next = cell_beside(scene->game, scene->target, delta);
    return next == CELL_NONE || piece_at(scene, next).figure != FIGURE_NONE;
}

/* What is put comes to an empty cell, what is removed is like what the entry says. */
static bool suits(const struct scene *scene, const json_t *entry)
{
    const json_t *removed = say(scene->game, entry, "remove");
    bool empty = piece_at(scene, scene->target).figure == FIGURE_NONE;
    return removed != NULL ? !empty && matches(scene, removed, scene->target) : empty;
}

static bool entry_fits(const struct scene *scene, const json_t *entry, int kind)
{
    const struct modern *game = scene->game;
    const json_t *in = say(game, entry, "in"), *condition = say(game, entry, "if");
    if (is_from_hand(game, entry) && scene->position->hands[scene->mover][kind] == 0)
        return false;
    return phase_is(scene, entry) && suits(scene, entry) &&
           (in == NULL || in_zones(game, in, scene->mover, scene->target)) &&
           stays(scene, say(game, entry, "drop")) && (condition == NULL || holds(scene, condition));
}

/* Whether some entry names the kind, be it in its place now or not. */
static bool is_put_at_all(const struct scene *scene, const json_t *entries, int kind)
{
    for (int i = 0; i < list_count(entries); i++)
        if (say(scene->game, list_at(entries, i), "remove") == NULL &&
            named_figure(scene->game, say(scene->game, list_at(entries, i), "put"),
                         (figure_index)kind))
            return true;
    return false;
}

/* Whether the entry is about the kind: on the target, if it removes. */
static bool is_of_kind(const struct scene *scene, const json_t *entry, int kind)
{
    return say(scene->game, entry, "remove") != NULL
               ? piece_at(scene, scene->target).figure == kind
               : named_figure(scene->game, say(scene->game, entry, "put"), (figure_index)kind);
}

/* Whether one of the first `count` entries lets something be done on some cell. */
static bool some_fit(const struct scene *asked, const json_t *entries, int count)
{
    struct scene scene = *asked;
    for (int cell = 0; cell < scene.game->cells; cell++) {
        scene.self = scene.target = (cell_index)cell;
        for (int i = 0; i < count; i++)
            for (int kind = 0; kind < scene.game->figures; kind++)
                if (is_of_kind(&scene, list_at(entries, i), kind) &&
                    entry_fits(&scene, list_at(entries, i), kind))
                    return true;
    }
    return false;
}

/* An entry that lets the kind be put on the target, or removed from it; NULL: none does. */
static const json_t *entry_for(const struct scene *scene, const json_t *entries, int kind)
{
    const struct modern *game = scene->game;
    for (int i = 0; i < list_count(entries); i++) {
        const json_t *entry = list_at(entries, i);
        if (is_of_kind(scene, entry, kind) && entry_fits(scene, entry, kind) &&
            (!is_true(say(game, entry, "otherwise")) || !some_fit(scene, entries, i)))
            return entry;
    }
    return NULL;
}

/* What is put is chosen where the player can ever put several kinds. */
static void append_on_target(struct list *list, const struct scene *scene, const json_t *entries)
{
    int kinds = 0;
    for (int kind = 0; kind < scene->game->figures; kind++)
        kinds += is_put_at_all(scene, entries, kind);
    for (int kind = 0; kind < scene->game->figures; kind++) {
        const json_t *entry = entry_for(scene, entries, kind);
        if (entry != NULL)
            append(list, (struct modern_move){
                             .from = CELL_NONE,
                             .to = scene->target,
                             .choice = kinds > 1 && say(scene->game, entry, "remove") == NULL
                                           ? (uint8_t)kind
                                           : CHOICE_NONE,
                             .rule = entry,
                             .put = (figure_index)kind});
    }
}

void append_placements(struct list *list, const struct scene *asked)
{
    const struct modern *game = asked->game;
    struct scene scene = *asked;
    const struct modern_position *position = scene.position;
    const json_t *entries = entries_of(&scene);
    scene.as_it_stands = json_is_object(say(game, game->root, "place"));
    if (position->active != CELL_NONE || game->states[position->state].same_figure)
        return;
    for (int cell = 0; cell < game->cells; cell++) {
        scene.self = scene.target = (cell_index)cell;
        append_on_target(list, &scene, entries);
    }
}

/* What is put has not moved, and is not where the game began with it. */
void carry_out_placement(const struct modern *game, struct modern_move move,
                         struct modern_position *after)
{
    if (is_from_hand(game, move.rule))
        after->hands[after->mover][move.put]--;
    after->last.figure = move.put;
    if (after->cells[move.to].figure != FIGURE_NONE) {
        after->last.took |= UINT64_C(1) << move.put;
        after->cells[move.to] = (struct modern_piece){.figure = FIGURE_NONE, .player = PLAYER_NONE};
        return;
    }
    after->last.stands = move.to;
    after->cells[move.to] = (struct modern_piece){.figure = move.put, .player = after->mover};
}
