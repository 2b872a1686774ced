#include "tests/engine/modern_parts.h"

#include <stdlib.h>
#include <string.h>

static const struct modern_piece nothing = {.figure = FIGURE_NONE, .player = PLAYER_NONE};

player_index modern_to_move(const struct modern *game, const struct modern_position *position)
{
    const struct state *state = &game->states[position->state];
    if (position->end.kind != OUTCOME_PLAYING || state->kind == STATE_END)
        return PLAYER_NONE;
    return state->player;
}

cell_index modern_active(const struct modern *game, const struct modern_position *position)
{
    if (position->active == CELL_NONE && modern_to_move(game, position) != PLAYER_NONE &&
        game->states[position->state].same_figure)
        return position->last.stands;
    return position->active;
}

struct scene scene_after(const struct modern *game, const struct modern_position *position)
{
    return (struct scene){.game = game,
                          .position = position,
                          .mover = position->mover,
                          .next = modern_to_move(game, position),
                          .self = position->last.from != CELL_NONE ? position->last.from
                                                                   : position->last.to,
                          .target = position->last.to};
}

/* --- the state after a turn ------------------------------------------------------------------- */

static bool has_won(const struct modern *game, const struct modern_position *position,
                    player_index player)
{
    const json_t *all = say(game, game->root, "win_conditions");
    const json_t *conditions = json_object_get(all, game_facts(game->loaded)->player_names[player]);
    struct scene scene = scene_after(game, position);
    scene.mover = player;
    for (int i = 0; i < list_count(conditions); i++) {
        const json_t *condition = list_at(conditions, i);
        bool exists = false;
        for (int cell = 0; cell < game->cells; cell++)
            exists |= matches(&scene, say(game, condition, "filter"), (cell_index)cell);
        if (exists == is_true(json_object_get(condition, "result")))
            return true;
    }
    return false;
}

static int state_named(const struct modern *game, const char *name)
{
    for (int i = 0; i < game->state_count; i++)
        if (strcmp(game->states[i].name, name) == 0)
            return i;
    abort();
}

static bool branch_holds(const json_t *branch, bool won)
{
    const json_t *conditions = json_object_get(branch, "if");
    for (int i = 0; i < list_count(conditions); i++)
        if (is_true(json_object_get(list_at(conditions, i), "result")) == won)
            return true;
    return conditions == NULL;
}

static int state_after(const struct modern *game, const struct state *state, bool won)
{
    const json_t *next = json_object_get(state->words, "next");
    for (int i = 0; i < list_count(next); i++) {
        const json_t *branch = list_at(next, i);
        if (json_is_string(branch))
            return state_named(game, json_string_value(branch));
        if (branch_holds(branch, won))
            return state_named(game, json_string_value(json_object_get(branch, "state")));
    }
    abort();
}

/* Through states in which nobody moves. */
static void follow_states(const struct modern *game, struct modern_position *position)
{
    bool won = false;
    do {
        position->state = state_after(game, &game->states[position->state], won);
        const struct state *state = &game->states[position->state];
        position->move_number += state->kind == STATE_NEXT_MOVE;
        won = state->kind == STATE_CHECK && has_won(game, position, state->player);
        if (won)
            position->checked = state->player;
    } while (game->states[position->state].kind == STATE_CHECK ||
             game->states[position->state].kind == STATE_NEXT_MOVE);
}

static void advance_once(const struct modern *game, struct modern_position *position)
{
    if (game->states[position->state].name != NULL) {
        follow_states(game, position);
        return;
    }
    position->move_number += game->states[position->state].round_ends;
    position->state = (position->state + 1) % game->state_count;
}

static bool is_out(const struct modern *game, const struct modern_position *position)
{
    const struct state *state = &game->states[position->state];
    return state->kind == STATE_MOVE && position->out[state->player];
}

/* Whether what the turn asks is so, for its player as the mover. */
static bool turn_comes(const struct modern *game, const struct modern_position *position)
{
    const struct state *state = &game->states[position->state];
    const json_t *condition = say(game, words_of_turn(state), "if");
    struct scene scene = scene_after(game, position);
    scene.mover = scene.next = state->player;
    return state->kind != STATE_MOVE || condition == NULL || holds(&scene, condition);
}

/* To the next turn of somebody who is still in the game that is not left out; if all are, to the first of them. */
static void find_turn(const struct modern *game, struct modern_position *position)
{
    struct modern_position *first = NULL;
    for (int i = 0; i <= game->state_count; i++, advance_once(game, position)) {
        if (is_out(game, position))
            continue;
        if (first != NULL && position->state == first->state)
            break;
        if (turn_comes(game, position)) {
            free(first);
            return;
        }
        if (first == NULL) {
            first = malloc(sizeof *first);
            if (first == NULL)
                abort();
            *first = *position;
        }
    }
    if (first != NULL) {
        position->state = first->state;
        position->move_number = first->move_number;
    }
    free(first);
}

/* On to the next who is still in the game. */
void skip_players(const struct modern *game, struct modern_position *position)
{
    if (is_out(game, position))
        find_turn(game, position);
}

static void advance(const struct modern *game, struct modern_position *position)
{
    advance_once(game, position);
    find_turn(game, position);
}

/* --- what a move does ------------------------------------------------------------------------- */

static void take_away(const struct modern *game, struct modern_position *position, cell_index cell)
{
    keep_taken(game, position, cell);
    position->cells[cell] = nothing;
}

static void take(const struct modern *game, struct modern_position *position, cell_index cell,
                 bool jumped)
{
    position->last.took |= UINT64_C(1) << position->cells[cell].figure;
    if (jumped && says(game, game->root, "jumped_leave", "turn_ends"))
        position->cells[cell].taken = true;
    else
        take_away(game, position, cell);
}

static void move_piece(struct modern_position *position, cell_index from, cell_index to)
{
    struct modern_piece piece = position->cells[from];
    position->cells[from] = nothing;
    piece.unmoved = false;
    piece.moves_made++;
    piece.last_move = (uint16_t)position->move_number;
    position->cells[to] = piece;
}

static void set_mark(const struct modern *game, struct modern_position *position,
                     const struct rule *rule, const struct way *way)
{
    const char *name = json_string_value(say(game, rule->words, "mark"));
    for (int i = 0; i < game->mark_count && name != NULL; i++)
        if (strcmp(game->marks[i], name) == 0 && way->passed != CELL_NONE)
            position->marks[i] =
                (struct modern_mark){.cell = way->passed, .maker = position->last.stands};
}

static void promote_one(const struct modern *game, const struct scene *scene,
                        const struct rule *rule, figure_index taken, uint8_t choice,
                        struct modern_position *after)
{
    if (choice != CHOICE_NONE)
        after->cells[after->last.stands].figure = choice;
    for (int l = 0; l < PROMOTION_LISTS && choice == CHOICE_NONE; l++) {
        struct scene asks;
        const json_t *list = promotions_of(scene, rule, l, &asks);
        for (int i = 0; i < list_count(list); i++) {
            const json_t *promotion = list_at(list, i);
            const char *name = json_string_value(list_at(say(game, promotion, "to"), 0));
            if (name == NULL || is_true(say(game, promotion, "optional")) ||
                !promotion_applies(&asks, promotion, taken))
                continue;
            after->cells[after->last.stands].figure =
                strcmp(name, "taken") == 0 ? taken
                                           : game_find_figure(game->loaded, name, strlen(name));
        }
    }
}

static bool names_kind(const struct modern *game, const json_t *to, figure_index taken,
                       figure_index kind)
{
    for (int i = 0; i < list_count(to); i++) {
        const char *name = json_string_value(list_at(to, i));
        if (strcmp(name, "taken") == 0 ? taken == kind
                                       : game_find_figure(game->loaded, name, strlen(name)) == kind)
            return true;
    }
    return false;
}

/* What nobody is asked about: an entry that is not optional decides; FIGURE_NONE: there is none. */
static figure_index forced_kind(const struct modern *game, const struct scene *scene,
                                const struct rule *rule, figure_index taken)
{
    for (int l = 0; l < PROMOTION_LISTS; l++) {
        struct scene asks;
        const json_t *list = promotions_of(scene, rule, l, &asks);
        for (int i = 0; i < list_count(list); i++) {
            const json_t *promotion = list_at(list, i);
            const char *name = json_string_value(list_at(say(game, promotion, "to"), 0));
            if (name == NULL || is_true(say(game, promotion, "optional")) ||
                !promotion_applies(&asks, promotion, taken))
                continue;
            return strcmp(name, "taken") == 0 ? taken
                                              : game_find_figure(game->loaded, name, strlen(name));
        }
    }
    return FIGURE_NONE;
}

/* Whether a promotion that has happened ends the turn: one of the entries that give what it has become says so. */
static bool promotion_stops(const struct modern *game, const struct scene *scene,
                            const struct rule *rule, figure_index taken, uint8_t choice)
{
    figure_index kind = choice != CHOICE_NONE ? choice : forced_kind(game, scene, rule, taken);
    for (int l = 0; l < PROMOTION_LISTS; l++) {
        struct scene asks;
        const json_t *list = promotions_of(scene, rule, l, &asks);
        for (int i = 0; i < list_count(list); i++) {
            const json_t *promotion = list_at(list, i);
            bool happens =
                kind != FIGURE_NONE && names_kind(game, say(game, promotion, "to"), taken, kind);
            if (happens && is_true(say(game, promotion, "stops")) &&
                promotion_applies(&asks, promotion, taken))
                return true;
        }
    }
    return false;
}

static struct scene scene_of(const struct modern *game, const struct modern_position *before,
                             struct modern_move move)
{
    player_index player = modern_to_move(game, before);
    return (struct scene){.game = game,
                          .position = before,
                          .mover = player,
                          .next = player,
                          .self = move.from,
                          .target = move.to};
}

/* What the way takes: the last of it, for promotions into it. */
static figure_index take_all(const struct modern *game, const struct scene *scene,
                             const struct rule *rule, const struct way *way,
                             struct modern_position *after)
{
    figure_index taken = FIGURE_NONE;
    if (says(game, rule->words, "takes", "jumped")) {
        for (int i = 0; i < way->jumped_count; i++) {
            taken = piece_at(scene, way->jumped[i]).figure;
            take(game, after, way->jumped[i], true);
        }
    } else if (way->marked != CELL_NONE) {
        taken = piece_at(scene, way->marked).figure;
        take(game, after, way->marked, false);
    } else if (piece_at(scene, scene->target).figure != FIGURE_NONE &&
               !says(game, rule->words, "for", "swap")) {
        taken = piece_at(scene, scene->target).figure;
        take(game, after, scene->target, false);
    }
    return taken;
}

static void put_piece(const struct modern *game, const struct rule *rule, cell_index cell,
                      struct modern_position *after)
{
    const char *name = json_string_value(say(game, rule->words, "put"));
    if (name != NULL)
        after->cells[cell] = (struct modern_piece){
            .figure = game_find_figure(game->loaded, name, strlen(name)), .player = after->mover};
}

static void swap_pieces(struct modern_position *after, struct modern_move move)
{
    struct modern_piece other = after->cells[move.to];
    move_piece(after, move.from, move.to);
    other.unmoved = false;
    after->cells[move.from] = other;
}

/* Whether the turn goes on: the movement says so, nothing stops it, and there is a legal move to go on with; or, where it
 * is only tried, one that fits. */
static bool goes_on(const struct modern *game, const struct modern_position *before,
                    const struct rule *rule, bool tried, struct modern_position *after)
{
    struct modern_move *moves;
    int legal = 0;
    if (say(game, rule->words, "continue") == NULL || after->last.stands == CELL_NONE)
        return false;
    memcpy(after->visited, before->visited, sizeof after->visited);
    after->visited[after->last.from] = true;
    after->active = after->last.stands;
    after->may_stop = says(game, rule->words, "continue", "may");
    after->rule = rule;
    if (before->active == CELL_NONE)
        after->started = after->last.from;
    int count = continuations(game, after, &moves);
    for (int i = 0; i < count && legal == 0; i++) {
        struct modern_position next;
        if (!tried)
            carry_out(game, after, moves[i], true, &next);
        legal += tried || !is_forbidden(game, &next);
    }
    free(moves);
    return legal > 0;
}

static void end_turn(const struct modern *game, const struct rule *rule,
                     struct modern_position *after);

static void move_simply(const struct modern *game, const struct modern_position *before,
                        struct modern_move move, bool tried, struct modern_position *after)
{
    const struct rule *rule = move.rule;
    struct scene scene = scene_of(game, before, move);
    struct way way;
    fits(&scene, rule, CELL_NONE, &way);
    scene.as_it_stands = rule->as_it_stands;
    if (acts(game, rule)) {
        act(&scene, rule, after);
        if (!goes_on(game, before, rule, tried, after))
            end_turn(game, rule, after);
        return;
    }
    figure_index taken = take_all(game, &scene, rule, &way, after);
    after->last.stands = move.to;
    if (says(game, rule->words, "for", "put")) {
        put_piece(game, rule, move.to, after);
        after->last.stands = move.from;
    } else if (says(game, rule->words, "for", "swap")) {
        swap_pieces(after, move);
    } else {
        move_piece(after, move.from, move.to);
    }
    set_mark(game, after, rule, &way);
    bool puts = says(game, rule->words, "for", "put");
    if (!puts)
        promote_one(game, &scene, rule, taken, move.choice, after);
    if ((!puts && promotion_stops(game, &scene, rule, taken, move.choice)) ||
        !goes_on(game, before, rule, tried, after))
        end_turn(game, rule, after);
}

static void move_together(const struct modern *game, const struct modern_position *before,
                          struct modern_move move, struct modern_position *after)
{
    const json_t *movement = move.rule;
    struct scene scene = scene_of(game, before, move);
    int count = list_count(json_object_get(movement, "figures"));
    bool acts = false;
    for (int i = 0; i < count; i++)
        acts |= figure_acts(game, movement, i);
    for (int i = 0; i < count; i++)
        if (!figure_acts(game, movement, i) &&
            combined_cell(&scene, movement, i, false) != combined_cell(&scene, movement, i, true))
            after->cells[combined_cell(&scene, movement, i, false)] = nothing;
    if (acts)
        act_together(&scene, movement, after);
    for (int i = 0; i < count; i++) {
        cell_index source = combined_cell(&scene, movement, i, false);
        cell_index goal = combined_cell(&scene, movement, i, true);
        struct modern_piece piece = before->cells[source];
        if (figure_acts(game, movement, i) || source == goal)
            continue;
        piece.unmoved = false;
        piece.moves_made++;
        piece.last_move = (uint16_t)before->move_number;
        after->cells[goal] = piece;
    }
    if (acts)
        note_kinds_gone(&scene, after);
    after->last.combined = true;
    if (after->cells[move.to].figure != FIGURE_NONE) // it may have taken itself
        after->last.stands = move.to;
    end_turn(game, NULL, after);
}

/* --- the end of a turn ------------------------------------------------------------------------ */

/* Where it stands is self and target of what the promotion asks; it comes from where the turn began. */
static bool applies_at_end(const struct scene *scene, const json_t *promotion, cell_index started)
{
    const struct modern *game = scene->game;
    const json_t *in = say(game, promotion, "in"), *from = say(game, promotion, "from");
    const json_t *condition = say(game, promotion, "if");
    return says(game, promotion, "when", "turn_ends") &&
           (in == NULL || in_zones(game, in, scene->mover, scene->self)) &&
           (from == NULL || in_zones(game, from, scene->mover, started)) &&
           (condition == NULL || holds(scene, condition));
}

static void promote_at_end(const struct modern *game, const struct rule *rule, cell_index started,
                           struct modern_position *after)
{
    struct scene scene = scene_after(game, after), asks;
    scene.self = scene.target = after->last.stands;
    for (int l = 0; l < PROMOTION_LISTS; l++) {
        const json_t *list = promotions_of(&scene, rule, l, &asks);
        for (int i = 0; i < list_count(list); i++) {
            const json_t *promotion = list_at(list, i);
            const char *name = json_string_value(list_at(say(game, promotion, "to"), 0));
            if (name == NULL || !applies_at_end(&asks, promotion, started))
                continue;
            after->cells[scene.self].figure = game_find_figure(game->loaded, name, strlen(name));
            return;
        }
    }
}

static void end_turn(const struct modern *game, const struct rule *rule,
                     struct modern_position *after)
{
    for (int cell = 0; cell < game->cells; cell++)
        if (after->cells[cell].taken)
            take_away(game, after, (cell_index)cell);
    cell_index started = after->started != CELL_NONE ? after->started : after->last.from;
    after->active = after->started = CELL_NONE;
    after->may_stop = false;
    memset(after->visited, 0, sizeof after->visited);
    if (rule != NULL && after->last.stands != CELL_NONE && !says(game, rule->words, "for", "put"))
        promote_at_end(game, rule, started, after);
    advance(game, after);
}

/* --- after a move ----------------------------------------------------------------------------- */

/* All cells are found before anything is done to them. */
static void take_effect(const struct scene *scene, const json_t *effect,
                        struct modern_position *after)
{
    const json_t *remove = say(scene->game, effect, "remove");
    const json_t *flip = say(scene->game, effect, "flip");
    bool cells[MODERN_CELLS_MAX] = {false};
    selected(scene, remove != NULL ? remove : flip, cells);
    for (int cell = 0; cell < scene->game->cells; cell++) {
        struct modern_piece *piece = &after->cells[cell];
        if (!cells[cell] || piece->figure == FIGURE_NONE)
            continue;
        if (remove == NULL) {
            piece->unmoved &= piece->player == scene->mover;
            piece->player = scene->mover;
            continue;
        }
        *piece = nothing;
        if (after->last.stands == cell)
            after->last.stands = CELL_NONE;
    }
}

static void do_after_move(const struct modern *game, struct modern_position *after)
{
    const json_t *entries = say(game, game->root, "after_move");
    for (int i = 0; i < list_count(entries); i++) {
        const json_t *entry = list_at(entries, i), *condition = say(game, entry, "if");
        const json_t *effects = say(game, entry, "do");
        struct scene scene = scene_after(game, after);
        if (condition != NULL && !holds(&scene, condition))
            continue;
        for (int k = 0; k < list_count(effects); k++)
            take_effect(&scene, list_at(effects, k), after);
    }
    if (after->active != CELL_NONE && after->cells[after->active].figure == FIGURE_NONE)
        end_turn(game, NULL, after);
}

static bool is_wanted(const struct scene *scene, const json_t *words)
{
    return json_is_boolean(words) ? is_true(words) : words != NULL && holds(scene, words);
}

/* Whether one of the settings holds; then the counter has become what it says. */
static bool is_set(const struct scene *scene, const json_t *settings, int *value)
{
    const struct modern *game = scene->game;
    for (int i = 0; i < list_count(settings); i++) {
        const json_t *setting = list_at(settings, i), *when = say(game, setting, "if");
        if (when != NULL && !holds(scene, when))
            continue;
        *value = (int)json_integer_value(say(game, setting, "to")) +
                 sum_of(scene, say(game, setting, "plus"));
        if (*value < 0 || *value > COUNTER_VALUE_MAX)
            *value = *value < 0 ? 0 : COUNTER_VALUE_MAX;
        return true;
    }
    return false;
}

static void count_counters(const struct modern *game, struct modern_position *after)
{
    struct scene scene = scene_after(game, after); // a counter sees those before it as they are now
    const json_t *counters = say(game, game->root, "counters");
    for (int slot = 0; slot < game_facts(game->loaded)->counter_slot_count; slot++) {
        player_index whose = PLAYER_NONE;
        const json_t *words =
            json_object_get(counters, game_counter_name(game->loaded, slot, &whose));
        bool own = is_true(say(game, words, "per_player"));
        if (own && whose != after->mover)
            continue;
        if (is_wanted(&scene, say(game, words, "reset")))
            after->counters[slot] = (int)json_integer_value(say(game, words, "start"));
        else if (is_set(&scene, say(game, words, "set"), &after->counters[slot]))
            continue;
        else if (is_wanted(&scene, say(game, words, "add")) &&
                 after->counters[slot] < COUNTER_VALUE_MAX)
            after->counters[slot]++;
    }
}

static void forget_marks(struct modern_position *position)
{
    for (int i = 0; i < MARKS_MAX; i++)
        position->marks[i] = (struct modern_mark){.cell = CELL_NONE, .maker = CELL_NONE};
}

void carry_out(const struct modern *game, const struct modern_position *before,
               struct modern_move move, bool tried, struct modern_position *after)
{
    player_index player = modern_to_move(game, before);
    bool stops = move.rule == NULL && before->active != CELL_NONE;
    *after = *before;
    after->past = before;
    after->ply++;
    after->mover = player;
    if (player != game->states[game->first_state].player)
        after->may_swap = false;
    forget_marks(after);
    if (stops) { // a pass that ends a turn is no move of its own
        end_turn(game, before->rule, after);
        return;
    }
    bool swaps = move.to == CELL_NONE && move.choice == CHOICE_SWAP; // is like no move before
    after->last = (struct modern_last){.exists = !swaps,
                                       .pass = move.rule == NULL && !swaps,
                                       .player = player,
                                       .figure = FIGURE_NONE,
                                       .from = move.from,
                                       .to = move.to,
                                       .stands = CELL_NONE};
    if (move.from != CELL_NONE)
        after->last.figure = before->cells[move.from].figure;
    if (swaps)
        swap_sides(game, after);
    if (is_placement(move))
        carry_out_placement(game, move, after);
    if (move.from == CELL_NONE)
        end_turn(game, NULL, after);
    else if (move.combined)
        move_together(game, before, move, after);
    else
        move_simply(game, before, move, tried, after);
    do_after_move(game, after);
    count_counters(game, after);
    if (after->active == CELL_NONE && game->turns_ask) { // by the position as it has become
        after->state = before->state;
        after->move_number = before->move_number;
        advance(game, after);
    }
}

int count_taken(const struct modern *game, const struct modern_position *before,
                struct modern_move move)
{
    const struct rule *rule = move.rule;
    struct scene scene = scene_of(game, before, move);
    struct way way;
    if (move.from == CELL_NONE || move.combined)
        return 0;
    if (acts(game, rule))
        return actions_take(&scene, rule, false);
    fits(&scene, rule, CELL_NONE, &way);
    if (says(game, rule->words, "takes", "jumped"))
        return way.jumped_count;
    return way.marked != CELL_NONE || (piece_at(&scene, move.to).figure != FIGURE_NONE &&
                                       !says(game, rule->words, "for", "swap"));
}

static bool asks_for_moves(const struct modern *game, const json_t *value)
{
    const char *name;
    json_t *child;
    size_t i;
    json_object_foreach((json_t *)value, name, child)
    {
        if ((strcmp(name, "no_moves") == 0 && say(game, value, name) != NULL) ||
            asks_for_moves(game, child))
            return true;
    }
    json_array_foreach((json_t *)value, i, child)
    {
        if (asks_for_moves(game, child))
            return true;
    }
    return false;
}

/* What asks whether there are moves is not asked of these moves themselves. */
bool is_forbidden(const struct modern *game, const struct modern_position *after)
{
    const json_t *forbid = say(game, game->root, "forbid");
    struct modern_position asked = *after;
    asked.replies = true;
    struct scene scene = scene_after(game, &asked);
    for (int i = 0; i < list_count(forbid); i++) {
        const json_t *entry = list_at(forbid, i);
        if (!(after->replies && asks_for_moves(game, entry)) && holds(&scene, entry))
            return true;
    }
    return false;
}
