#include "tests/engine/modern_reader.h"

#include <stdlib.h>
#include <string.h>

/* --- mirrors ---------------------------------------------------------------------------------- */

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
    row[DIMENSIONS_MAX] = (int)read_expression(reader, json_string_value(expression), zero).number;
    for (int i = 0; i < game->dimensions; i++) {
        int one[DIMENSIONS_MAX] = {0};
        one[i] = 1;
        row[i] = (int)read_expression(reader, json_string_value(expression), one).number -
                 row[DIMENSIONS_MAX];
    }
}

void read_mirrors(struct reader *reader)
{
    struct modern *game = reader->game;
    const json_t *mirror = say(game, json_object_get(game->root, "board"), "mirror");
    for (int player = 0; player < game->players; player++) {
        const json_t *own = json_object_get(mirror, game_facts(game->loaded)->player_names[player]);
        for (int i = 0; i < game->dimensions; i++)
            read_mirror_of(reader, (player_index)player, i,
                           json_object_get(own, game_facts(game->loaded)->coordinate_names[i]));
    }
}

/* Where the cell, or difference, is for the player that the first player sees so. */
void mirror(const struct modern *game, player_index player, bool difference, int *coordinates)
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
void unmirror(const struct modern *game, player_index player, bool difference, int *coordinates)
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
        there[i] = game_facts(game->loaded)->cells[cell].coordinates[i] + delta[i];
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
    return json_object_get(direction, game_facts(game->loaded)->player_names[player]);
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

static void turn_vector(const struct modern *game, const matrix *turn, int *vector)
{
    int turned[DIMENSIONS_MAX] = {0};
    for (int i = 0; turn != NULL && i < game->dimensions; i++)
        for (int k = 0; k < game->dimensions; k++)
            turned[i] += (*turn)[i][k] * vector[k];
    if (turn != NULL)
        memcpy(vector, turned, sizeof turned);
}

void read_asked_difference(const struct scene *scene, const json_t *object, int *delta)
{
    memset(delta, 0, sizeof(int) * DIMENSIONS_MAX);
    read_view(scene->game, object, scene->mover, scene->as_it_stands, delta);
    turn_vector(scene->game, scene->turn, delta);
    if (!scene->as_it_stands)
        mirror(scene->game, scene->mover, true, delta);
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

static void fan_add(const struct modern *game, struct fan *fan,
                    const int (*vectors)[DIMENSIONS_MAX], const matrix *turn, int sign)
{
    int turned[1 + VIA_MAX][DIMENSIONS_MAX] = {{0}};
    for (int v = 0; v < fan->vectors; v++)
        for (int i = 0; i < game->dimensions; i++)
            for (int k = 0; k < game->dimensions; k++)
                turned[v][i] += sign * (*turn)[i][k] * vectors[v][k];
    for (int i = 0; i < fan->count && !fan->asks; i++)
        if (memcmp(fan->turned[i], turned, sizeof turned) == 0)
            return;
    if (fan->count == FAN_MAX)
        abort();
    for (int i = 0; i < game->dimensions; i++)
        for (int k = 0; k < game->dimensions; k++)
            fan->turns[fan->count][i][k] = sign * (*turn)[i][k];
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
              bool as_it_stands, const matrix *turned, struct fan *fan)
{
    int vectors[1 + VIA_MAX][DIMENSIONS_MAX] = {{0}};
    const json_t *via = say(game, object, "via");
    fan->count = 0;
    fan->asks = say(game, object, "if") != NULL;
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
    for (int i = 0; i < fan->count; i++)
        for (int v = 0; v < fan->vectors; v++) {
            turn_vector(game, turned, fan->turned[i][v]);
            if (!as_it_stands)
                mirror(game, player, true, fan->turned[i][v]);
        }
}
