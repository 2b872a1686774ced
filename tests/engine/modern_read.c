#include "tests/engine/modern_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/load/expression.h"

/* --- words ------------------------------------------------------------------------------------ */

const json_t *say(const struct modern *game, const json_t *object, const char *word)
{
    if (game->broken != NULL && strcmp(game->broken, word) == 0)
        return NULL;
    return json_object_get(object, word);
}

bool says(const struct modern *game, const json_t *object, const char *word, const char *text)
{
    const json_t *value = say(game, object, word);
    return json_is_string(value) && strcmp(json_string_value(value), text) == 0;
}

int list_count(const json_t *value)
{
    if (value == NULL)
        return 0;
    return json_is_array(value) ? (int)json_array_size(value) : 1;
}

const json_t *list_at(const json_t *value, int i)
{
    return json_is_array(value) ? json_array_get(value, (size_t)i) : value;
}

bool is_true(const json_t *value)
{
    return json_is_true(value);
}

int dimension_of(const struct modern *game, const char *name)
{
    for (int i = 0; i < game->dimensions; i++)
        if (strcmp(game_coordinate_name(game->loaded, i), name) == 0)
            return i;
    return -1;
}

static player_index player_of(const struct modern *game, const json_t *name)
{
    const char *text = json_string_value(name);
    return text == NULL ? PLAYER_NONE : game_find_player(game->loaded, text, strlen(text));
}

/* --- expressions and mirrors ------------------------------------------------------------------ */

struct reader {
    struct modern *game;
    struct expressions *expressions;
    const char *names[DIMENSIONS_MAX];
    const char *compiled; /* the last expression, as a number */
    int number;
};

static struct expression_value evaluate(struct reader *reader, const char *text,
                                        const int *coordinates)
{
    struct expression_error error;
    struct expression_value value = {.kind = EXPRESSION_OTHER};
    if (reader->compiled != text)
        reader->number = expression_compile(reader->expressions, text, &error);
    reader->compiled = text;
    if (reader->number < 0 ||
        !expression_evaluate(reader->expressions, reader->number, coordinates, &value))
        abort();
    return value;
}

static bool expression_is_true(struct reader *reader, const char *text, const int *coordinates)
{
    struct expression_value value = evaluate(reader, text, coordinates);
    if (value.kind == EXPRESSION_NUMBER)
        return value.number != 0;
    return value.kind == EXPRESSION_STRING ? value.text[0] != '\0'
                                           : strcmp(value.text, "true") == 0;
}

/* A mirror adds multiples of the coordinates and a number: these are found by asking. */
static void read_mirror_of(struct reader *reader, player_index player, int dimension,
                           const json_t *expression)
{
    struct modern *game = reader->game;
    int *row = game->mirror[player][dimension], zero[DIMENSIONS_MAX] = {0};
    memset(row, 0, sizeof game->mirror[player][dimension]);
    if (!json_is_string(expression)) {
        row[dimension] = 1;
        return;
    }
    row[DIMENSIONS_MAX] = (int)evaluate(reader, json_string_value(expression), zero).number;
    for (int i = 0; i < game->dimensions; i++) {
        int one[DIMENSIONS_MAX] = {0};
        one[i] = 1;
        row[i] =
            (int)evaluate(reader, json_string_value(expression), one).number - row[DIMENSIONS_MAX];
    }
}

static void read_mirrors(struct reader *reader)
{
    struct modern *game = reader->game;
    const json_t *mirror = say(game, json_object_get(game->root, "board"), "mirror");
    for (int player = 0; player < game->players; player++) {
        const json_t *own =
            json_object_get(mirror, game_player_name(game->loaded, (player_index)player));
        for (int i = 0; i < game->dimensions; i++)
            read_mirror_of(reader, (player_index)player, i,
                           json_object_get(own, game_coordinate_name(game->loaded, i)));
    }
}

/* Where the cell, or difference, is for the player that the first player sees so. */
static void mirror(const struct modern *game, player_index player, bool difference,
                   int *coordinates)
{
    int image[DIMENSIONS_MAX];
    for (int i = 0; i < game->dimensions; i++) {
        const int *row = game->mirror[player][i];
        image[i] = difference ? 0 : row[DIMENSIONS_MAX];
        for (int k = 0; k < game->dimensions; k++)
            image[i] += row[k] * coordinates[k];
    }
    memcpy(coordinates, image, sizeof(int) * (size_t)game->dimensions);
}

/* The other way round: a mirror done often enough is none, and the time before is what undoes it. */
static void unmirror(const struct modern *game, player_index player, bool difference,
                     int *coordinates)
{
    int wanted[DIMENSIONS_MAX], next[DIMENSIONS_MAX];
    size_t bytes = sizeof(int) * (size_t)game->dimensions;
    memcpy(wanted, coordinates, bytes);
    for (int turns = 0; turns < 4096; turns++) {
        memcpy(next, coordinates, bytes);
        mirror(game, player, difference, next);
        if (memcmp(next, wanted, bytes) == 0)
            return;
        memcpy(coordinates, next, bytes);
    }
    abort();
}

/* --- differences ------------------------------------------------------------------------------ */

cell_index cell_beside(const struct modern *game, cell_index cell, const int *delta)
{
    int there[DIMENSIONS_MAX] = {0};
    if (cell == CELL_NONE)
        return CELL_NONE;
    for (int i = 0; i < game->dimensions; i++)
        there[i] = game_cell_coordinates(game->loaded, cell)[i] + delta[i];
    return game_cell_at(game->loaded, there);
}

static void add_coordinates(const struct modern *game, const json_t *object, int times, int *sum)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)object, name, value)
    {
        int dimension = dimension_of(game, name);
        if (dimension >= 0)
            sum[dimension] += times * (int)json_integer_value(value);
    }
}

/* A direction is for all, or for each player. */
static const json_t *direction_of_player(const struct modern *game, const json_t *direction,
                                         player_index player)
{
    return json_object_get(direction, game_player_name(game->loaded, player));
}

static bool is_by_player(const json_t *direction)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)direction, name, value)
    {
        if (json_is_object(value))
            return true;
    }
    return false;
}

/* `seen` is meant as the first player sees it, `stands` as it stands. */
static void read_parts(const struct modern *game, const json_t *object, player_index player,
                       int *seen, int *stands, int *coordinates)
{
    const json_t *directions = say(game, game->root, "directions");
    const char *name;
    json_t *value;
    add_coordinates(game, object, 1, coordinates);
    json_object_foreach((json_t *)object, name, value)
    {
        const json_t *direction = json_object_get(directions, name);
        if (direction == NULL || !json_is_integer(value))
            continue;
        int times = (int)json_integer_value(value);
        if (is_by_player(direction))
            add_coordinates(game, direction_of_player(game, direction, player), times, stands);
        else
            add_coordinates(game, direction, times, seen);
    }
}

/* Turns a difference the way the player looks: the one in which `symmetric` is meant. */
static void read_view(const struct modern *game, const json_t *object, player_index player,
                      bool as_it_stands, int *view)
{
    int seen[DIMENSIONS_MAX] = {0}, stands[DIMENSIONS_MAX] = {0};
    int coordinates[DIMENSIONS_MAX] = {0};
    read_parts(game, object, player, seen, stands, coordinates);
    if (as_it_stands)
        mirror(game, player, true, seen);
    else
        unmirror(game, player, true, stands);
    for (int i = 0; i < game->dimensions; i++)
        view[i] = coordinates[i] + seen[i] + stands[i];
}

void read_difference(const struct modern *game, const json_t *object, player_index player,
                     bool as_it_stands, int *delta)
{
    memset(delta, 0, sizeof(int) * DIMENSIONS_MAX);
    read_view(game, object, player, as_it_stands, delta);
    if (!as_it_stands)
        mirror(game, player, true, delta);
}

/* --- symmetry --------------------------------------------------------------------------------- */

typedef int matrix[DIMENSIONS_MAX][DIMENSIONS_MAX];

static void fan_add(const struct modern *game, struct fan *fan,
                    const int (*vectors)[DIMENSIONS_MAX], const matrix *turn, int sign)
{
    int turned[1 + VIA_MAX][DIMENSIONS_MAX] = {{0}};
    for (int v = 0; v < fan->vectors; v++)
        for (int i = 0; i < game->dimensions; i++)
            for (int k = 0; k < game->dimensions; k++)
                turned[v][i] += sign * (*turn)[i][k] * vectors[v][k];
    for (int i = 0; i < fan->count; i++)
        if (memcmp(fan->turned[i], turned, sizeof turned) == 0)
            return;
    if (fan->count == FAN_MAX)
        abort();
    memcpy(fan->turned[fan->count++], turned, sizeof turned);
}

struct turning {
    const struct modern *game;
    struct fan *fan;
    const int (*vectors)[DIMENSIONS_MAX];
    bool reversed;
};

static void turn(const struct turning *turning, const matrix *turn)
{
    fan_add(turning->game, turning->fan, turning->vectors, turn, 1);
    if (turning->reversed)
        fan_add(turning->game, turning->fan, turning->vectors, turn, -1);
}

/* Every change of signs of this order of the coordinates; with `first` only of the first. */
static void turn_signs(const struct turning *turning, const int *order, bool first)
{
    int dimensions = turning->game->dimensions;
    for (int signs = 0; signs < 1 << (first ? 1 : dimensions); signs++) {
        matrix change = {{0}};
        for (int i = 0; i < dimensions; i++)
            change[i][order[i]] = signs >> i & 1 ? -1 : 1;
        turn(turning, (const matrix *)&change);
    }
}

static void turn_orders(const struct turning *turning, int *order, int from)
{
    if (from == turning->game->dimensions) {
        turn_signs(turning, order, false);
        return;
    }
    for (int i = from; i < turning->game->dimensions; i++) {
        int swapped = order[from];
        order[from] = order[i];
        order[i] = swapped;
        turn_orders(turning, order, from + 1);
        order[i] = order[from];
        order[from] = swapped;
    }
}

/* Six turns, and six of the mirror image, in two axial coordinates. */
static void turn_hexagon(const struct turning *turning)
{
    for (int image = 0; image < 2; image++) {
        matrix change = {{0}};
        change[0][image] = 1;
        change[1][1 - image] = 1;
        for (int i = 2; i < turning->game->dimensions; i++)
            change[i][i] = 1;
        for (int turns = 0; turns < 6; turns++) {
            turn(turning, (const matrix *)&change);
            for (int k = 0; k < 2; k++) {
                int q = change[0][k], r = change[1][k];
                change[0][k] = -r;
                change[1][k] = q + r;
            }
        }
    }
}

void read_fan(const struct modern *game, const json_t *object, player_index player,
              bool as_it_stands, struct fan *fan)
{
    int vectors[1 + VIA_MAX][DIMENSIONS_MAX] = {{0}};
    const json_t *via = say(game, object, "via");
    fan->count = 0;
    fan->vectors = 1 + list_count(via);
    read_view(game, object, player, as_it_stands, vectors[0]);
    for (int i = 1; i < fan->vectors; i++)
        read_view(game, list_at(via, i - 1), player, as_it_stands, vectors[i]);
    struct turning turning = {.game = game,
                              .fan = fan,
                              .vectors = (const int(*)[DIMENSIONS_MAX])vectors,
                              .reversed = is_true(say(game, object, "also_reversed"))};
    int order[DIMENSIONS_MAX] = {0, 1, 2, 3, 4, 5, 6, 7};
    if (says(game, object, "symmetric", "all"))
        turn_orders(&turning, order, 0);
    else if (says(game, object, "symmetric", "signs"))
        turn_signs(&turning, order, false);
    else if (says(game, object, "symmetric", "hexagon"))
        turn_hexagon(&turning);
    else if (says(game, object, "symmetric", "mirror"))
        turn_signs(&turning, order, true);
    else
        turn(&turning, (const matrix *)&(matrix){{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}});
    for (int i = 0; i < fan->count && !as_it_stands; i++)
        for (int v = 0; v < fan->vectors; v++)
            mirror(game, player, true, fan->turned[i][v]);
}

/* --- cells ------------------------------------------------------------------------------------ */

bool coordinate_fits(const json_t *wanted, int value)
{
    if (json_is_integer(wanted))
        return json_integer_value(wanted) == value;
    const json_t *min = json_object_get(wanted, "min"), *max = json_object_get(wanted, "max");
    return (min == NULL || value >= json_integer_value(min)) &&
           (max == NULL || value <= json_integer_value(max));
}

static bool coordinates_fit(const struct modern *game, const json_t *wanted, const int *cell)
{
    for (int i = 0; i < game->dimensions; i++) {
        const json_t *value = json_object_get(wanted, game_coordinate_name(game->loaded, i));
        if (value != NULL && !coordinate_fits(value, cell[i]))
            return false;
    }
    return true;
}

static bool zone_has(const struct modern *game, const char *name, player_index player,
                     cell_index cell)
{
    for (int i = 0; i < game->zone_count; i++)
        if (strcmp(game->zones[i].name, name) == 0)
            return game->zones[i].has[player][cell];
    return false;
}

bool in_zones(const struct modern *game, const json_t *names, player_index player, cell_index cell)
{
    for (int i = 0; i < list_count(names); i++)
        if (zone_has(game, json_string_value(list_at(names, i)), player, cell))
            return true;
    return false;
}

/* Whether the cell at these coordinates is one of `cells`: an expression, or a list of coordinates, names and zones. */
static bool cells_have(struct reader *reader, const json_t *cells, player_index player,
                       const int *coordinates)
{
    const struct modern *game = reader->game;
    if (json_is_string(cells))
        return expression_is_true(reader, json_string_value(cells), coordinates);
    cell_index cell = game_cell_at(game->loaded, coordinates);
    for (int i = 0; i < list_count(cells); i++) {
        const json_t *entry = list_at(cells, i);
        const char *name = json_string_value(entry);
        if (name != NULL) {
            if (game_find_cell(game->loaded, name, strlen(name)) == cell)
                return true;
        } else if (json_object_get(entry, "zone") != NULL) {
            if (in_zones(game, json_object_get(entry, "zone"), player, cell))
                return true;
        } else if (coordinates_fit(game, entry, coordinates)) {
            return true;
        }
    }
    return false;
}

static void read_zone(struct reader *reader, struct zone *zone, const json_t *words)
{
    const struct modern *game = reader->game;
    const json_t *each = json_is_object(words) ? say(game, words, "each") : NULL;
    for (int player = 0; player < game->players; player++)
        for (int cell = 0; cell < game->cells; cell++) {
            const int *at = game_cell_coordinates(game->loaded, (cell_index)cell);
            const json_t *own = words;
            int seen[DIMENSIONS_MAX];
            memcpy(seen, at, sizeof(int) * (size_t)game->dimensions);
            if (each != NULL) {
                own = each;
                unmirror(game, (player_index)player, false, seen);
            } else if (json_is_object(words)) {
                own = json_object_get(words, game_player_name(game->loaded, (player_index)player));
            }
            zone->has[player][cell] = cells_have(reader, own, (player_index)player, seen);
        }
}

static void read_zones(struct reader *reader)
{
    const char *name;
    json_t *words;
    json_object_foreach((json_t *)say(reader->game, reader->game->root, "zones"), name, words)
    {
        struct zone *zone = &reader->game->zones[reader->game->zone_count++];
        zone->name = name;
        read_zone(reader, zone, words);
    }
}

static void put_at_start(struct modern *game, player_index player, const char *figure,
                         cell_index cell)
{
    game->start.cells[cell] =
        (struct modern_piece){.figure = game_find_figure(game->loaded, figure, strlen(figure)),
                              .player = player,
                              .unmoved = true};
}

static void read_placements(struct reader *reader, const json_t *figures, player_index player,
                            bool mirrored)
{
    struct modern *game = reader->game;
    const char *figure;
    json_t *cells;
    json_object_foreach((json_t *)figures, figure, cells)
    {
        for (int cell = 0; cell < game->cells; cell++) {
            int seen[DIMENSIONS_MAX];
            const int *at = game_cell_coordinates(game->loaded, (cell_index)cell);
            memcpy(seen, at, sizeof(int) * (size_t)game->dimensions);
            if (mirrored)
                unmirror(game, player, false, seen);
            if (cells_have(reader, cells, mirrored ? 0 : player, seen))
                put_at_start(game, player, figure, (cell_index)cell);
        }
    }
}

static void read_start(struct reader *reader)
{
    struct modern *game = reader->game;
    const json_t *initial = json_object_get(game->root, "initial_position");
    for (int cell = 0; cell < game->cells; cell++)
        game->start.cells[cell] =
            (struct modern_piece){.figure = FIGURE_NONE, .player = PLAYER_NONE};
    for (int player = 0; player < game->players; player++) {
        read_placements(reader, say(game, initial, "each"), (player_index)player, true);
        read_placements(
            reader, json_object_get(initial, game_player_name(game->loaded, (player_index)player)),
            (player_index)player, false);
    }
}

/* --- movements -------------------------------------------------------------------------------- */

static void read_repeat(const struct modern *game, struct rule *rule)
{
    const json_t *repeat = say(game, rule->words, "repeat");
    rule->least = 1;
    rule->most = repeat == NULL || json_is_false(repeat) ? 1 : STEPS_ANY;
    if (json_is_integer(repeat))
        rule->most = (int)json_integer_value(repeat);
    if (json_is_array(repeat)) {
        rule->least = (int)json_integer_value(json_array_get(repeat, 0));
        if (json_is_integer(json_array_get(repeat, 1)))
            rule->most = (int)json_integer_value(json_array_get(repeat, 1));
    }
}

struct mover {
    struct modern *game;
    const json_t *figure;
    player_index player;
    bool as_it_stands;
    struct rules *rules;
};

static void add_rules(const struct mover *mover, json_t *words)
{
    struct fan fan;
    const struct modern *game = mover->game;
    read_fan(game, words, mover->player, mover->as_it_stands, &fan);
    for (int i = 0; i < fan.count; i++) {
        struct rules *rules = mover->rules;
        rules->list = realloc(rules->list, (size_t)(rules->count + 1) * sizeof *rules->list);
        if (rules->list == NULL)
            abort();
        struct rule *rule = &rules->list[rules->count++];
        *rule = (struct rule){.words = words,
                              .promote = say(game, mover->figure, "promote"),
                              .actions = say(game, mover->figure, "cell_actions"),
                              .via_count = fan.vectors - 1,
                              .as_it_stands = mover->as_it_stands};
        memcpy(rule->delta, fan.turned[i][0], sizeof rule->delta);
        memcpy(rule->via, fan.turned[i][1], sizeof(int[DIMENSIONS_MAX]) * (size_t)rule->via_count);
        read_repeat(game, rule);
    }
}

static void read_movements(const struct mover *mover, const json_t *list, const json_t *instead);

/* A name of `movements`, or an object that may say `use`; `instead`: words that stand in place of its own. */
static void read_movement(const struct mover *mover, const json_t *movement, const json_t *instead)
{
    struct modern *game = mover->game;
    const json_t *named = say(game, game->root, "movements");
    if (json_is_string(movement)) {
        read_movements(mover, json_object_get(named, json_string_value(movement)), instead);
        return;
    }
    json_t *words = json_copy((json_t *)movement);
    json_object_update(words, (json_t *)instead);
    json_array_append_new(game->made, words);
    const char *used = json_string_value(say(game, movement, "use"));
    if (used == NULL) {
        add_rules(mover, words);
        return;
    }
    json_object_del(words, "use");
    read_movements(mover, json_object_get(named, used), words);
}

static void read_movements(const struct mover *mover, const json_t *list, const json_t *instead)
{
    for (int i = 0; i < list_count(list); i++)
        read_movement(mover, list_at(list, i), instead);
}

static void read_figures(struct modern *game)
{
    json_t *nothing = json_object();
    json_array_append_new(game->made, nothing);
    for (int figure = 0; figure < game->figures; figure++)
        for (int player = 0; player < game->players; player++) {
            const json_t *words =
                json_object_get(json_object_get(game->root, "figures"),
                                game_figure_name(game->loaded, (figure_index)figure));
            const json_t *movement = json_object_get(words, "movement");
            struct mover mover = {.game = game,
                                  .figure = words,
                                  .player = (player_index)player,
                                  .as_it_stands = json_is_object(movement),
                                  .rules = &game->rules[figure][player]};
            if (json_is_object(movement))
                movement =
                    json_object_get(movement, game_player_name(game->loaded, (player_index)player));
            read_movements(&mover, movement, nothing);
        }
}

/* --- turns ------------------------------------------------------------------------------------ */

static struct state state_of(const struct modern *game, const json_t *words)
{
    return (struct state){
        .kind = STATE_MOVE,
        .words = words,
        .player = player_of(game, json_is_string(words) ? words : json_object_get(words, "player")),
        .phase = json_string_value(say(game, words, "phase")),
        .same_figure = is_true(say(game, words, "same_figure"))};
}

static void read_turns(struct modern *game, const json_t *turns)
{
    for (int i = 0; i < list_count(turns); i++) {
        struct state state = state_of(game, list_at(turns, i));
        if (state.player != PLAYER_NONE)
            game->states[game->state_count++] = state;
    }
    game->states[game->state_count - 1].round_ends = true;
}

static void read_states(struct modern *game, const json_t *states)
{
    const char *name;
    json_t *words;
    json_object_foreach((json_t *)states, name, words)
    {
        struct state *state = &game->states[game->state_count++];
        *state = state_of(game, json_object_get(words, "parameters"));
        state->name = name;
        state->words = words;
        const char *type = json_string_value(json_object_get(words, "type"));
        if (strcmp(type, "check_win") == 0)
            state->kind = STATE_CHECK;
        else if (strcmp(type, "next_move") == 0)
            state->kind = STATE_NEXT_MOVE;
        else if (strcmp(type, "end") == 0)
            state->kind = STATE_END;
    }
    const char *first = json_string_value(json_object_get(game->root, "initial_game_state"));
    for (int i = 0; i < game->state_count; i++)
        if (strcmp(game->states[i].name, first) == 0)
            game->first_state = i;
}

static void read_marks(struct modern *game)
{
    game->mark_count = game_mark_count(game->loaded);
    for (int i = 0; i < game->mark_count; i++)
        game->marks[i] = game_mark_name(game->loaded, i);
}

/* --- what is not known here ------------------------------------------------------------------- */

/* Words of format 2 that the reference has not learned. */
static const char *const unknown[] = {"cell_actions", "actions"};

static void refuse(const json_t *value, char *refusal)
{
    const char *name;
    json_t *child;
    size_t i;
    json_object_foreach((json_t *)value, name, child)
    {
        for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++)
            if (strcmp(unknown[k], name) == 0 && strstr(refusal, name) == NULL)
                snprintf(refusal + strlen(refusal), MODERN_REFUSAL_BYTES - strlen(refusal), "%s%s",
                         refusal[0] == '\0' ? "" : ", ", name);
        refuse(child, refusal);
    }
    json_array_foreach((json_t *)value, i, child)
    {
        refuse(child, refusal);
    }
}

static bool is_known(const struct modern *game, char *refusal)
{
    refusal[0] = '\0';
    refuse(game->root, refusal);
    if (game_format(game->loaded) != 2)
        snprintf(refusal, MODERN_REFUSAL_BYTES, "not of format 2");
    if (game->cells > MODERN_CELLS_MAX || game->dimensions > 3)
        snprintf(refusal, MODERN_REFUSAL_BYTES, "more than %d cells, or three coordinates",
                 MODERN_CELLS_MAX);
    return refusal[0] == '\0';
}

static void open_expressions(struct reader *reader)
{
    const struct modern *game = reader->game;
    for (int i = 0; i < game->dimensions; i++)
        reader->names[i] = game_coordinate_name(game->loaded, i);
    reader->expressions = expressions_new(reader->names, game->dimensions, (size_t)1 << 24);
    if (reader->expressions == NULL)
        abort();
}

static void read_game(struct modern *game)
{
    struct reader reader = {.game = game};
    open_expressions(&reader);
    read_mirrors(&reader);
    read_zones(&reader);
    read_start(&reader);
    expressions_free(reader.expressions);
    read_marks(game);
    read_figures(game);
    const json_t *turns = json_object_get(game->root, "turns");
    if (turns != NULL)
        read_turns(game, turns);
    else
        read_states(game, json_object_get(game->root, "game_states"));
}

struct modern *modern_new(const char *text, const struct game *loaded, const char *broken,
                          char *refusal)
{
    struct modern *game = calloc(1, sizeof *game);
    if (game == NULL)
        abort();
    game->loaded = game_retain((struct game *)loaded);
    game->root = json_loads(text, 0, NULL);
    game->made = json_array();
    game->broken = broken;
    game->dimensions = game_dimension_count(loaded);
    game->cells = game_cell_count(loaded);
    game->players = game_player_count(loaded);
    game->figures = game_figure_count(loaded);
    if (!is_known(game, refusal)) {
        modern_free(game);
        return NULL;
    }
    read_game(game);
    return game;
}

void modern_free(struct modern *game)
{
    if (game == NULL)
        return;
    for (int figure = 0; figure < game->figures; figure++)
        for (int player = 0; player < game->players; player++)
            free(game->rules[figure][player].list);
    json_decref(game->made);
    json_decref(game->root);
    game_release(game->loaded);
    free(game);
}

int modern_mark_count(const struct modern *game)
{
    return game->mark_count;
}
