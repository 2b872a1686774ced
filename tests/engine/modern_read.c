#include "tests/engine/modern_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        if (strcmp(game_facts(game->loaded)->coordinate_names[i], name) == 0)
            return i;
    return -1;
}

static player_index player_of(const struct modern *game, const json_t *name)
{
    const char *text = json_string_value(name);
    return text == NULL ? PLAYER_NONE : game_find_player(game->loaded, text, strlen(text));
}

/* --- expressions ------------------------------------------------------------------------------ */

struct expression_value read_expression(struct reader *reader, const char *text,
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
    struct expression_value value = read_expression(reader, text, coordinates);
    if (value.kind == EXPRESSION_NUMBER)
        return value.number != 0;
    return value.kind == EXPRESSION_STRING ? value.text[0] != '\0'
                                           : strcmp(value.text, "true") == 0;
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
        const json_t *value =
            json_object_get(wanted, game_facts(game->loaded)->coordinate_names[i]);
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
            const int *at = game_facts(game->loaded)->cells[cell].coordinates;
            const json_t *own = words;
            int seen[DIMENSIONS_MAX];
            memcpy(seen, at, sizeof(int) * (size_t)game->dimensions);
            if (each != NULL) {
                own = each;
                unmirror(game, (player_index)player, false, seen);
            } else if (json_is_object(words)) {
                own = json_object_get(words, game_facts(game->loaded)->player_names[player]);
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
            const int *at = game_facts(game->loaded)->cells[cell].coordinates;
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
        read_placements(reader,
                        json_object_get(initial, game_facts(game->loaded)->player_names[player]),
                        (player_index)player, false);
    }
}

/* --- movements -------------------------------------------------------------------------------- */

static void read_repeat(const struct modern *game, struct rule *rule)
{
    const json_t *repeat = say(game, rule->words, "repeat");
    rule->least = 1;
    rule->counted = json_is_object(repeat) ? say(game, repeat, "count") : NULL;
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

static struct rule *append_rule(struct rules *rules, struct rule rule)
{
    rules->list = realloc(rules->list, (size_t)(rules->count + 1) * sizeof *rules->list);
    if (rules->list == NULL)
        abort();
    rules->list[rules->count] = rule;
    return &rules->list[rules->count++];
}

/* From every cell to every other, each difference once. */
static void add_differences(const struct mover *mover, json_t *words)
{
    const struct modern *game = mover->game;
    for (int from = 0; from < game->cells; from++)
        for (int to = 0; to < game->cells; to++) {
            struct rule rule = {.words = words,
                                .promote = say(game, mover->figure, "promote"),
                                .actions = say(game, mover->figure, "cell_actions"),
                                .least = 1,
                                .most = 1,
                                .as_it_stands = mover->as_it_stands};
            bool known = from == to;
            for (int i = 0; i < game->dimensions; i++) {
                rule.delta[i] = game_facts(game->loaded)->cells[to].coordinates[i] -
                                game_facts(game->loaded)->cells[from].coordinates[i];
                rule.turn[i][i] = 1;
            }
            for (int i = 0; i < mover->rules->count && !known; i++)
                known = mover->rules->list[i].words == words &&
                        memcmp(mover->rules->list[i].delta, rule.delta, sizeof rule.delta) == 0;
            if (!known)
                append_rule(mover->rules, rule);
        }
}

static void add_rules(const struct mover *mover, json_t *words)
{
    struct fan fan;
    const struct modern *game = mover->game;
    if (is_true(say(game, words, "anywhere"))) {
        add_differences(mover, words);
        return;
    }
    read_fan(game, words, mover->player, mover->as_it_stands, NULL, &fan);
    for (int i = 0; i < fan.count; i++) {
        struct rule *rule = append_rule(
            mover->rules, (struct rule){.words = words,
                                        .promote = say(game, mover->figure, "promote"),
                                        .actions = say(game, mover->figure, "cell_actions"),
                                        .via_count = fan.vectors - 1,
                                        .as_it_stands = mover->as_it_stands});
        memcpy(rule->turn, fan.turns[i], sizeof rule->turn);
        memcpy(rule->delta, fan.turned[i][0], sizeof rule->delta);
        memcpy(rule->via, fan.turned[i][1], sizeof(int[DIMENSIONS_MAX]) * (size_t)rule->via_count);
        read_repeat(game, rule);
    }
}

static void read_movements(const struct mover *mover, const json_t *list, const json_t *instead);

/* A name of `movements`, or an object that may say `use`, or `by`; `instead`: words that stand in place of its own. */
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
    const json_t *differences = say(game, movement, "by");
    for (int i = 0; differences != NULL && i < list_count(differences); i++) {
        json_t *one = json_copy(words);
        json_object_del(one, "by");
        json_object_update(one, (json_t *)list_at(differences, i));
        json_array_append_new(game->made, one);
        add_rules(mover, one);
    }
    if (differences != NULL)
        return;
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
            const json_t *words = json_object_get(json_object_get(game->root, "figures"),
                                                  game_facts(game->loaded)->figure_names[figure]);
            const json_t *movement = json_object_get(words, "movement");
            struct mover mover = {.game = game,
                                  .figure = words,
                                  .player = (player_index)player,
                                  .as_it_stands = json_is_object(movement),
                                  .rules = &game->rules[figure][player]};
            if (json_is_object(movement))
                movement =
                    json_object_get(movement, game_facts(game->loaded)->player_names[player]);
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
    game->mark_count = game_facts(game->loaded)->mark_count;
    for (int i = 0; i < game->mark_count; i++)
        game->marks[i] = game_facts(game->loaded)->marks[i];
}

/* --- what is not known here ------------------------------------------------------------------- */

static bool is_known(const struct modern *game, char *refusal)
{
    refusal[0] = '\0';
    if (game_facts(game->loaded)->format != 2)
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
        reader->names[i] = game_facts(game->loaded)->coordinate_names[i];
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
    read_hands(game);
    expressions_free(reader.expressions);
    read_marks(game);
    modern_learn(game);
    read_figures(game);
    const json_t *turns = json_object_get(game->root, "turns");
    if (turns != NULL)
        read_turns(game, turns);
    else
        read_states(game, json_object_get(game->root, "game_states"));
    for (int i = 0; i < game->state_count; i++)
        game->turns_ask |= say(game, words_of_turn(&game->states[i]), "if") != NULL;
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
    game->dimensions = game_facts(loaded)->dimension_count;
    game->cells = game_facts(loaded)->cell_count;
    game->players = game_facts(loaded)->player_count;
    game->figures = game_facts(loaded)->figure_count;
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
