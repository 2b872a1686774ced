#include "tests/engine/modern_parts.h"

#include <stdlib.h>
#include <string.h>

/* --- what fits -------------------------------------------------------------------------------- */

/* How often the step must be made to go from `self` to `target`. */
bool goes_there(const struct scene *scene, const struct rule *rule, int *steps)
{
    const struct modern *game = scene->game;
    const int *from = game_facts(game->loaded)->cells[scene->self].coordinates;
    const int *to = game_facts(game->loaded)->cells[scene->target].coordinates;
    *steps = 0;
    for (int i = 0; i < game->dimensions; i++)
        if (rule->delta[i] != 0)
            *steps = (to[i] - from[i]) / rule->delta[i];
    for (int i = 0; i < game->dimensions; i++)
        if (from[i] + *steps * rule->delta[i] != to[i])
            return false;
    return *steps >= rule->least && *steps <= rule->most && *steps > 0;
}

static bool is_occupied(const struct scene *scene, cell_index cell, cell_index supposed)
{
    return cell == supposed || piece_at(scene, cell).figure != FIGURE_NONE;
}

static bool is_enemy(const struct scene *scene, cell_index cell, cell_index supposed)
{
    struct modern_piece piece = piece_at(scene, cell);
    if (cell == supposed)
        return true;
    return piece.figure != FIGURE_NONE && piece.player != scene->mover && !piece.taken;
}

/* Whether a figure between may be jumped. */
static bool may_jump(const struct scene *scene, const json_t *over, cell_index cell,
                     cell_index supposed)
{
    struct modern_piece piece = piece_at(scene, cell);
    const char *whose = json_string_value(over);
    if (piece.taken)
        return false;
    if (cell == supposed && !is_enemy(scene, cell, CELL_NONE))
        return true; // whatever it is, it may be jumped
    if (whose == NULL) {
        const json_t *is = say(scene->game, over, "is");
        return is == NULL || matches(scene, is, cell);
    }
    if (strcmp(whose, "enemy") == 0)
        return is_enemy(scene, cell, supposed);
    return strcmp(whose, "any") == 0 || (cell != supposed && piece.player == scene->mover);
}

static bool jumped_enough(const struct modern *game, const json_t *over, int jumped)
{
    const json_t *count = say(game, over, "count");
    int64_t least = 1, most = 1;
    if (json_is_integer(count))
        least = most = json_integer_value(count);
    if (json_is_array(count)) {
        least = json_integer_value(json_array_get(count, 0));
        const json_t *last = json_array_get(count, 1);
        most = json_is_integer(last) ? json_integer_value(last) : INT32_MAX;
    }
    return jumped >= least && jumped <= most;
}

/* All cells between are there, and empty or jumped. */
static bool way_is_free(const struct scene *scene, const struct rule *rule, int steps,
                        cell_index supposed, struct way *way)
{
    const struct modern *game = scene->game;
    const json_t *over = say(game, rule->words, "over"), *within = say(game, rule->words, "within");
    cell_index cell = scene->self;
    for (int step = 1; step < steps; step++) {
        cell = cell_beside(game, cell, rule->delta);
        if (cell == CELL_NONE || (within != NULL && !in_zones(game, within, scene->mover, cell)))
            return false;
        way->passed = cell;
        if (!is_occupied(scene, cell, supposed))
            continue;
        if (over == NULL || !may_jump(scene, over, cell, supposed))
            return false;
        way->jumped[way->jumped_count++] = cell;
    }
    return over == NULL || jumped_enough(game, over, way->jumped_count);
}

/* For action sets the cells between may be anything, or holes, unless a zone must hold them. */
static bool way_lies_within(const struct scene *scene, const struct rule *rule, int steps)
{
    const json_t *within = say(scene->game, rule->words, "within");
    cell_index cell = scene->self;
    for (int step = 1; step < steps && within != NULL; step++) {
        cell = cell_beside(scene->game, cell, rule->delta);
        if (cell == CELL_NONE || !in_zones(scene->game, within, scene->mover, cell))
            return false;
    }
    return true;
}

static bool via_is_free(const struct scene *scene, const struct rule *rule, cell_index supposed)
{
    for (int i = 0; i < rule->via_count; i++) {
        cell_index cell = cell_beside(scene->game, scene->self, rule->via[i]);
        if (cell == CELL_NONE || is_occupied(scene, cell, supposed))
            return false;
    }
    return true;
}

/* Where the figure stands that is taken by a mark on the target; CELL_NONE: nowhere. */
static cell_index taken_by_mark(const struct scene *scene, const struct rule *rule)
{
    const char *name = json_string_value(say(scene->game, rule->words, "takes_marked"));
    for (int i = 0; i < scene->game->mark_count && name != NULL; i++) {
        struct modern_mark mark = scene->position->marks[i];
        if (strcmp(scene->game->marks[i], name) != 0 || mark.cell != scene->target)
            continue;
        struct modern_piece maker = piece_at(scene, mark.maker);
        if (maker.figure != FIGURE_NONE && maker.player != scene->mover)
            return mark.maker;
    }
    return CELL_NONE;
}

/* The target is what `for` says. */
static bool purpose_fits(const struct scene *scene, const struct rule *rule, cell_index supposed,
                         struct way *way)
{
    const struct modern *game = scene->game;
    const char *purpose = json_string_value(say(game, rule->words, "for"));
    bool empty = !is_occupied(scene, scene->target, supposed);
    bool enemy = !empty && is_enemy(scene, scene->target, supposed);
    if (purpose == NULL)
        purpose = "both";
    if (strcmp(purpose, "move") == 0 || strcmp(purpose, "put") == 0)
        return empty;
    if (strcmp(purpose, "swap") == 0)
        return !empty && scene->target != supposed &&
               piece_at(scene, scene->target).player == scene->mover;
    if (says(game, rule->words, "takes", "jumped"))
        return empty;
    if (empty)
        way->marked = taken_by_mark(scene, rule);
    return enemy || way->marked != CELL_NONE || (strcmp(purpose, "both") == 0 && empty);
}

bool fits(const struct scene *asked, const struct rule *rule, cell_index supposed, struct way *way)
{
    struct scene scene = *asked;
    const struct modern *game = scene.game;
    const json_t *within, *condition;
    int steps;
    way->jumped_count = 0;
    way->marked = way->passed = CELL_NONE;
    scene.as_it_stands = rule->as_it_stands;
    bool by_actions = acts(game, rule);
    if (!goes_there(&scene, rule, &steps) ||
        (rule->counted != NULL && !counts_so_many(&scene, rule, steps)) ||
        !via_is_free(&scene, rule, supposed))
        return false;
    if (by_actions && say(game, rule->words, "over") == NULL
            ? !way_lies_within(&scene, rule, steps)
            : !way_is_free(&scene, rule, steps, supposed, way))
        return false;
    within = say(game, rule->words, "within");
    if (within != NULL && !(in_zones(game, within, scene.mover, scene.self) &&
                            in_zones(game, within, scene.mover, scene.target)))
        return false;
    condition = say(game, rule->words, "if");
    scene.turn = (const matrix *)&rule->turn;
    return (by_actions || purpose_fits(&scene, rule, supposed, way)) &&
           (condition == NULL || holds(&scene, condition));
}

/* --- promotions ------------------------------------------------------------------------------- */

/* What the figure says is for all players at once, even where its movements stand under a player's name. */
const json_t *promotions_of(const struct scene *scene, const struct rule *rule, int list,
                            struct scene *asks)
{
    *asks = *scene;
    asks->as_it_stands = list == 0 && rule->as_it_stands;
    if (acts(scene->game, rule)) // it becomes what its actions say
        return NULL;
    return list == 0 ? say(scene->game, rule->words, "promote") : rule->promote;
}

bool promotion_applies(const struct scene *scene, const json_t *promotion, figure_index taken)
{
    const struct modern *game = scene->game;
    const json_t *in = say(game, promotion, "in"), *from = say(game, promotion, "from");
    const json_t *condition = say(game, promotion, "if");
    if (says(game, promotion, "when", "turn_ends"))
        return false;
    if (says(game, promotion, "to", "taken") &&
        (taken == FIGURE_NONE || taken == piece_at(scene, scene->self).figure))
        return false;
    return (in == NULL || in_zones(game, in, scene->mover, scene->target)) &&
           (from == NULL || in_zones(game, from, scene->mover, scene->self)) &&
           (condition == NULL || holds(scene, condition));
}

/* What the figure may become, as bits, and whether it may stay what it is. */
static uint64_t kinds_to_become(const struct scene *scene, const struct rule *rule,
                                figure_index taken, bool *may_stay)
{
    const struct modern *game = scene->game;
    uint64_t kinds = 0;
    *may_stay = true;
    if (says(game, rule->words, "for", "put")) // the figure stays what it is
        return 0;
    for (int l = 0; l < PROMOTION_LISTS; l++) {
        struct scene asks;
        const json_t *list = promotions_of(scene, rule, l, &asks);
        for (int i = 0; i < list_count(list); i++) {
            const json_t *promotion = list_at(list, i), *to = say(game, promotion, "to");
            if (!promotion_applies(&asks, promotion, taken))
                continue;
            *may_stay &= is_true(say(game, promotion, "optional"));
            for (int k = 0; k < list_count(to); k++) {
                const char *name = json_string_value(list_at(to, k));
                figure_index kind = strcmp(name, "taken") == 0
                                        ? taken
                                        : game_find_figure(game->loaded, name, strlen(name));
                kinds |= UINT64_C(1) << kind;
            }
        }
    }
    return kinds;
}

/* --- lists ------------------------------------------------------------------------------------ */

void append(struct list *list, struct modern_move move)
{
    if (list->count == list->room) {
        list->room = list->room == 0 ? 64 : list->room * 2;
        list->moves = realloc(list->moves, (size_t)list->room * sizeof *list->moves);
        if (list->moves == NULL)
            abort();
    }
    list->moves[list->count++] = move;
}

/* One move for each thing the figure may become; if there is only one, nothing is asked. */
static void append_choices(struct list *list, const struct scene *scene, const struct rule *rule,
                           const struct way *way)
{
    figure_index taken = piece_at(scene, scene->target).figure;
    struct modern_move move = {
        .from = scene->self, .to = scene->target, .choice = CHOICE_NONE, .rule = rule};
    if (way->marked != CELL_NONE)
        taken = piece_at(scene, way->marked).figure;
    if (says(scene->game, rule->words, "takes", "jumped") && way->jumped_count > 0)
        taken = piece_at(scene, way->jumped[way->jumped_count - 1]).figure;
    if (says(scene->game, rule->words, "for", "swap"))
        taken = FIGURE_NONE;
    bool may_stay;
    uint64_t kinds = kinds_to_become(scene, rule, taken, &may_stay);
    bool one = (kinds & (kinds - 1)) == 0 && !(kinds != 0 && may_stay);
    for (int kind = 0; kind < scene->game->figures && !one; kind++)
        if ((kinds >> kind & 1) != 0) {
            move.choice = (uint8_t)kind;
            append(list, move);
        }
    move.choice = CHOICE_NONE;
    if (kinds == 0 || one || may_stay)
        append(list, move);
}

static bool phase_fits(const struct modern *game, const struct modern_position *position,
                       const struct rule *rule)
{
    const char *phase = json_string_value(say(game, rule->words, "phase"));
    const char *now = game->states[position->state].phase;
    return phase == NULL || now == NULL ? phase == now : strcmp(phase, now) == 0;
}

/* Going on: only by what says so, and not to where it has been, unless it takes. */
static bool goes_on_by(const struct scene *scene, const struct rule *rule, const struct way *way)
{
    if (scene->position->active == CELL_NONE)
        return true;
    if (say(scene->game, rule->words, "continue") == NULL)
        return false;
    bool takes = says(scene->game, rule->words, "takes", "jumped") || way->marked != CELL_NONE ||
                 is_enemy(scene, scene->target, CELL_NONE);
    return takes || !scene->position->visited[scene->target];
}

static struct scene scene_before(const struct modern *game, const struct modern_position *position)
{
    player_index player = modern_to_move(game, position);
    return (struct scene){.game = game,
                          .position = position,
                          .mover = player,
                          .next = player,
                          .self = CELL_NONE,
                          .target = CELL_NONE};
}

/* The first movement of the figure that fits decides. */
static bool append_simple(struct list *list, const struct scene *scene)
{
    struct modern_piece piece = piece_at(scene, scene->self);
    const struct rules *rules = &scene->game->rules[piece.figure][piece.player];
    for (int i = 0; i < rules->count; i++) {
        const struct rule *rule = &rules->list[i];
        struct way way;
        if (!fits(scene, rule, CELL_NONE, &way) ||
            !phase_fits(scene->game, scene->position, rule) || !goes_on_by(scene, rule, &way))
            continue;
        if (!acts(scene->game, rule))
            append_choices(list, scene, rule, &way);
        else if (actions_allow(scene, rule))
            append(list, (struct modern_move){.from = scene->self,
                                              .to = scene->target,
                                              .choice = CHOICE_NONE,
                                              .rule = rule});
        else
            return false;
        return true;
    }
    return false;
}

/* --- combined movements ------------------------------------------------------------------------ */

/* Where a participant stands, or goes. The first of them stands on `scene->self`. */
cell_index combined_cell(const struct scene *scene, const json_t *movement, int participant,
                         bool goal)
{
    const struct modern *game = scene->game;
    const json_t *figures = json_object_get(movement, "figures");
    const json_t *words = list_at(figures, participant);
    int first[DIMENSIONS_MAX], place[DIMENSIONS_MAX], delta[DIMENSIONS_MAX];
    read_difference(game, say(game, list_at(figures, 0), "at"), scene->mover, false, first);
    read_difference(game, say(game, words, "at"), scene->mover, false, place);
    read_difference(game, say(game, words, "by"), scene->mover, false, delta);
    for (int i = 0; i < game->dimensions; i++)
        place[i] += (goal ? delta[i] : 0) - first[i];
    return cell_beside(game, scene->self, place);
}

/* A cell of `empty` or `safe`, counted from the origin. */
static cell_index origin_cell(const struct scene *scene, const json_t *movement,
                              const json_t *difference)
{
    const struct modern *game = scene->game;
    const json_t *figures = json_object_get(movement, "figures");
    int first[DIMENSIONS_MAX], place[DIMENSIONS_MAX];
    read_difference(game, say(game, list_at(figures, 0), "at"), scene->mover, false, first);
    read_difference(game, difference, scene->mover, false, place);
    for (int i = 0; i < game->dimensions; i++)
        place[i] -= first[i];
    return cell_beside(game, scene->self, place);
}

static bool leaves(const struct scene *scene, const json_t *movement, cell_index cell)
{
    for (int i = 0; i < list_count(json_object_get(movement, "figures")); i++)
        if (combined_cell(scene, movement, i, false) == cell &&
            combined_cell(scene, movement, i, true) != cell)
            return true;
    return false;
}

static bool participant_fits(const struct scene *scene, const json_t *movement, int participant)
{
    const struct modern *game = scene->game;
    const json_t *words = list_at(json_object_get(movement, "figures"), participant);
    cell_index source = combined_cell(scene, movement, participant, false);
    cell_index goal = combined_cell(scene, movement, participant, true);
    const json_t *whose = say(game, words, "player"), *unmoved = say(game, words, "unmoved");
    const char *kind = json_string_value(json_object_get(words, "figure"));
    bool acts = figure_acts(game, movement, participant);
    if (source == CELL_NONE || (goal == CELL_NONE && !acts))
        return false;
    struct modern_piece piece = piece_at(scene, source);
    if (piece.figure != game_find_figure(game->loaded, kind, strlen(kind)) ||
        (is_true(unmoved) && !piece.unmoved))
        return false;
    if (whose == NULL ? piece.player != scene->mover : !named_player(scene, whose, piece.player))
        return false;
    if (acts)
        return figure_may_act(scene, movement, participant);
    return goal == source || piece_at(scene, goal).figure == FIGURE_NONE ||
           leaves(scene, movement, goal);
}

/* Whether the first figure would be attacked there, had it gone there from where it stands. */
static bool is_safe(const struct scene *scene, cell_index cell)
{
    struct modern_position tried = *scene->position;
    struct scene there = *scene;
    there.position = &tried;
    tried.cells[scene->self].figure = FIGURE_NONE;
    tried.cells[scene->self].player = PLAYER_NONE;
    tried.cells[cell] = piece_at(scene, scene->self);
    for (int player = 0; player < scene->game->players; player++)
        if (player != scene->mover && is_attacked(&there, cell, (player_index)player, NULL))
            return false;
    return true;
}

bool combined_fits(const struct scene *scene, const json_t *movement)
{
    const struct modern *game = scene->game;
    const json_t *empty = say(game, movement, "empty"), *safe = say(game, movement, "safe");
    const json_t *condition = say(game, movement, "if");
    for (int i = 0; i < list_count(json_object_get(movement, "figures")); i++)
        if (!participant_fits(scene, movement, i))
            return false;
    for (int i = 0; i < list_count(empty); i++) {
        cell_index cell = origin_cell(scene, movement, list_at(empty, i));
        if (cell == CELL_NONE || piece_at(scene, cell).figure != FIGURE_NONE)
            return false;
    }
    for (int i = 0; i < list_count(safe); i++) {
        cell_index cell = origin_cell(scene, movement, list_at(safe, i));
        if (cell != CELL_NONE && !is_safe(scene, cell))
            return false;
    }
    return condition == NULL || holds(scene, condition);
}

static void append_combined(struct list *list, const struct scene *scene)
{
    const json_t *movements = say(scene->game, scene->game->root, "combined_movements");
    for (int i = 0; i < list_count(movements); i++) {
        const json_t *movement = list_at(movements, i);
        if (combined_cell(scene, movement, 0, false) != scene->self ||
            combined_cell(scene, movement, 0, true) != scene->target ||
            !combined_fits(scene, movement))
            continue;
        append(list, (struct modern_move){.from = scene->self,
                                          .to = scene->target,
                                          .choice = CHOICE_NONE,
                                          .rule = movement,
                                          .combined = true});
        return;
    }
}

/* --- all moves before anything is forbidden --------------------------------------------------- */

static bool may_move(const struct modern *game, const struct modern_position *position,
                     cell_index cell)
{
    struct modern_piece piece = position->cells[cell];
    if (piece.figure == FIGURE_NONE || piece.player != modern_to_move(game, position) ||
        piece.taken)
        return false;
    if (position->active != CELL_NONE)
        return position->active == cell;
    return !game->states[position->state].same_figure || position->last.stands == cell;
}

static void append_figures(struct list *list, const struct modern *game,
                           const struct modern_position *position)
{
    struct scene scene = scene_before(game, position);
    const char *phase = game->states[position->state].phase;
    for (int from = 0; from < game->cells; from++) {
        if (!may_move(game, position, (cell_index)from))
            continue;
        for (int to = 0; to < game->cells; to++) {
            scene.self = (cell_index)from;
            scene.target = (cell_index)to;
            if (!append_simple(list, &scene) && from != to && phase == NULL &&
                position->active == CELL_NONE)
                append_combined(list, &scene);
        }
    }
    append_placements(list, &scene);
}

int continuations(const struct modern *game, const struct modern_position *position,
                  struct modern_move **moves)
{
    struct list list = {.count = 0};
    append_figures(&list, game, position);
    *moves = list.moves;
    return list.count;
}

/* --- what is forbidden, and what goes first --------------------------------------------------- */

static bool is_legal(const struct modern *game, const struct modern_position *position,
                     struct modern_move move)
{
    struct modern_position after;
    carry_out(game, position, move, true, &after);
    return !is_forbidden(game, &after);
}

static void keep(struct list *list, const bool *kept)
{
    int count = 0;
    for (int i = 0; i < list->count; i++)
        if (kept[i])
            list->moves[count++] = list->moves[i];
    list->count = count;
}

static void keep_legal(struct list *list, const struct modern *game,
                       const struct modern_position *position)
{
    bool *kept = calloc((size_t)list->count + 1, sizeof *kept);
    for (int i = 0; i < list->count; i++)
        kept[i] = is_legal(game, position, list->moves[i]);
    keep(list, kept);
    free(kept);
}

static bool has_priority(const struct modern *game, const char *word)
{
    const json_t *priority = say(game, game->root, "priority");
    for (int i = 0; i < list_count(priority); i++)
        if (strcmp(json_string_value(list_at(priority, i)), word) == 0)
            return game->broken == NULL || strcmp(game->broken, word) != 0;
    return false;
}

/* How much a turn takes that begins with this move, at most. */
static int most_taken(const struct modern *game, const struct modern_position *position,
                      struct modern_move move)
{
    struct modern_position after;
    int taken = count_taken(game, position, move), most = 0;
    carry_out(game, position, move, false, &after);
    if (after.active == CELL_NONE)
        return taken;
    struct list list = {.count = 0};
    append_figures(&list, game, &after);
    keep_legal(&list, game, &after);
    for (int i = 0; i < list.count; i++) {
        int more = most_taken(game, &after, list.moves[i]);
        most = more > most ? more : most;
    }
    free(list.moves);
    return taken + most;
}

static void keep_highest(struct list *list, const int *values)
{
    bool *kept = calloc((size_t)list->count + 1, sizeof *kept);
    int most = 0;
    for (int i = 0; i < list->count; i++)
        most = values[i] > most ? values[i] : most;
    for (int i = 0; i < list->count; i++)
        kept[i] = values[i] == most;
    keep(list, kept);
    free(kept);
}

static bool same_jump(const struct modern *game, const struct modern_position *position,
                      struct modern_move a, struct modern_move b)
{
    struct scene scene = scene_before(game, position);
    struct way first, second;
    const struct rule *rule = a.rule;
    if (a.combined || b.combined || a.from != b.from || a.from == CELL_NONE ||
        !says(game, rule->words, "takes", "jumped"))
        return false;
    scene.self = a.from;
    scene.target = a.to;
    fits(&scene, a.rule, CELL_NONE, &first);
    scene.target = b.to;
    fits(&scene, b.rule, CELL_NONE, &second);
    return first.jumped_count > 0 && first.jumped_count == second.jumped_count &&
           memcmp(first.jumped, second.jumped, sizeof *first.jumped * (size_t)first.jumped_count) ==
               0;
}

static void keep_going_on(struct list *list, const struct modern *game,
                          const struct modern_position *position)
{
    bool *goes_on = calloc((size_t)list->count + 1, sizeof *goes_on);
    bool *kept = calloc((size_t)list->count + 1, sizeof *kept);
    for (int i = 0; i < list->count; i++) {
        struct modern_position after;
        carry_out(game, position, list->moves[i], false, &after);
        goes_on[i] = after.active != CELL_NONE;
    }
    for (int i = 0; i < list->count; i++) {
        kept[i] = true;
        for (int k = 0; k < list->count && !goes_on[i]; k++)
            if (goes_on[k] && same_jump(game, position, list->moves[i], list->moves[k]))
                kept[i] = false;
    }
    keep(list, kept);
    free(kept);
    free(goes_on);
}

static void keep_first(struct list *list, const struct modern *game,
                       const struct modern_position *position)
{
    int *values = calloc((size_t)list->count + 1, sizeof *values);
    if (has_priority(game, "take")) {
        for (int i = 0; i < list->count; i++)
            values[i] = count_taken(game, position, list->moves[i]) > 0;
        keep_highest(list, values);
    }
    if (has_priority(game, "most_taken")) {
        for (int i = 0; i < list->count; i++)
            values[i] = count_taken(game, position, list->moves[i]) == 0
                            ? 0
                            : most_taken(game, position, list->moves[i]);
        keep_highest(list, values);
    }
    if (has_priority(game, "can_go_on"))
        keep_going_on(list, game, position);
    free(values);
}

static bool may_pass(const struct modern *game, const struct modern_position *position, bool stuck)
{
    const json_t *own = say(game, words_of_turn(&game->states[position->state]), "pass");
    const json_t *pass = own != NULL ? own : say(game, game->root, "pass");
    struct scene scene = scene_before(game, position);
    if (position->active != CELL_NONE)
        return position->may_stop;
    if (pass == NULL || json_is_boolean(pass))
        return is_true(pass);
    return json_is_string(pass) ? stuck : holds(&scene, pass);
}

static const struct modern_move pass = {.from = CELL_NONE, .to = CELL_NONE, .choice = CHOICE_NONE};
static const struct modern_move swap = {.from = CELL_NONE, .to = CELL_NONE, .choice = CHOICE_SWAP};

static void append_before_pass(struct list *list, struct modern_move move)
{
    struct modern_move last = move;
    if (list->count > 0 && list->moves[list->count - 1].to == CELL_NONE) {
        last = list->moves[list->count - 1];
        list->moves[list->count - 1] = move;
    }
    append(list, last);
}

static struct list all_moves(const struct modern *game, const struct modern_position *position)
{
    struct list list = {.count = 0};
    append_figures(&list, game, position);
    keep_legal(&list, game, position);
    bool passes = may_pass(game, position, list.count == 0) && is_legal(game, position, pass);
    if (passes && position->active == CELL_NONE)
        append(&list, pass);
    keep_first(&list, game, position);
    if (passes && position->active != CELL_NONE) // it ends a turn that has begun
        append(&list, pass);
    if (may_swap(game, position))
        append_before_pass(&list, swap);
    return list;
}

int modern_moves(const struct modern *game, const struct modern_position *position,
                 struct modern_move **moves)
{
    *moves = NULL;
    if (modern_to_move(game, position) == PLAYER_NONE || is_too_long(game, position))
        return 0;
    struct list list = all_moves(game, position);
    *moves = list.moves;
    return list.count;
}

bool has_moves_like(const struct scene *scene, const json_t *words)
{
    const struct modern *game = scene->game;
    const json_t *figure = say(game, words, "figure");
    bool found = false;
    if (modern_to_move(game, scene->position) == PLAYER_NONE)
        return false;
    struct list list = all_moves(game, scene->position);
    for (int i = 0; i < list.count && !found; i++) {
        struct modern_move move = list.moves[i];
        if (move.to == CELL_NONE)
            continue;
        figure_index kind = is_placement(move) ? move.put : piece_at(scene, move.from).figure;
        found = (figure == NULL || named_figure(game, figure, kind)) &&
                place_holds(scene, say(game, words, "from"), move.from) &&
                place_holds(scene, say(game, words, "to"), move.to);
    }
    free(list.moves);
    return found;
}

/* Priorities leave something of what is legal: one legal move is enough. */
bool has_moves(const struct modern *game, const struct modern_position *position)
{
    struct list list = {.count = 0};
    bool found = false;
    if (modern_to_move(game, position) == PLAYER_NONE)
        return false;
    if (may_swap(game, position))
        return true;
    append_figures(&list, game, position);
    for (int i = 0; i < list.count && !found; i++)
        found = is_legal(game, position, list.moves[i]);
    free(list.moves);
    return found || (may_pass(game, position, true) && is_legal(game, position, pass));
}
