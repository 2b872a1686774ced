/* What hangs together, for the reference: groups, and cells that are connected. */
#include "tests/engine/modern_parts.h"

static bool between_if_said(const struct modern *game, const json_t *amount, int number)
{
    const json_t *min = say(game, amount, "min"), *max = say(game, amount, "max");
    if (amount == NULL || json_is_integer(amount))
        return amount == NULL || number == json_integer_value(amount);
    return (min == NULL || number >= json_integer_value(min)) &&
           (max == NULL || number <= json_integer_value(max));
}

/* The steps to what is beside a cell: the word's own, or else the board's. */
static const json_t *steps_of(const struct modern *game, const json_t *words)
{
    const json_t *by = say(game, words, "by");
    return by != NULL ? by : say(game, say(game, game->root, "board"), "neighbours");
}

void add_beside(const struct scene *scene, const json_t *words, cell_index cell, bool *found)
{
    const json_t *by = steps_of(scene->game, words);
    for (int i = 0; i < list_count(by); i++) {
        struct fan fan;
        read_fan(scene->game, list_at(by, i), scene->mover, scene->as_it_stands, NULL, &fan);
        for (int k = 0; k < fan.count; k++) {
            int back[DIMENSIONS_MAX] = {0};
            for (int axis = 0; axis < scene->game->dimensions; axis++)
                back[axis] = -fan.turned[k][0][axis];
            cell_index there = cell_beside(scene->game, cell, fan.turned[k][0]);
            cell_index before = cell_beside(scene->game, cell, back);
            if (there != CELL_NONE)
                found[there] = true;
            if (before != CELL_NONE)
                found[before] = true;
        }
    }
}

/* All of `among` that hangs together with the cell, and what lies beside that. */
struct group {
    bool has[MODERN_CELLS_MAX], beside[MODERN_CELLS_MAX];
    int size;
};

static void find_group(const struct scene *scene, const json_t *words, const bool *among,
                       cell_index cell, struct group *group)
{
    cell_index waiting[MODERN_CELLS_MAX];
    int count = 0;
    *group = (struct group){.size = 0};
    group->has[cell] = true;
    waiting[count++] = cell;
    while (count > 0) {
        add_beside(scene, words, waiting[--count], group->beside);
        group->size++;
        for (int i = 0; i < scene->game->cells; i++)
            if (group->beside[i] && among[i] && !group->has[i]) {
                group->has[i] = true;
                waiting[count++] = (cell_index)i;
            }
    }
}

/* Where nothing is said any figure. */
static bool is_like(const struct scene *scene, const json_t *words, cell_index cell)
{
    const json_t *is = say(scene->game, words, "is");
    return is != NULL ? matches(scene, is, cell) : piece_at(scene, cell).figure != FIGURE_NONE;
}

/* The group of the cell, if there is one that is as the words say. A group is of one player's figures, or of empty cells. */
static bool find_fitting(const struct scene *scene, const json_t *words, cell_index cell,
                         struct group *group)
{
    const struct modern *game = scene->game;
    bool among[MODERN_CELLS_MAX];
    if (cell == CELL_NONE || !is_like(scene, words, cell))
        return false;
    for (int i = 0; i < game->cells; i++)
        among[i] = piece_at(scene, (cell_index)i).player == piece_at(scene, cell).player &&
                   is_like(scene, words, (cell_index)i);
    find_group(scene, words, among, cell, group);
    int liberties = 0;
    for (int i = 0; i < game->cells; i++)
        liberties += group->beside[i] && !group->has[i] &&
                     piece_at(scene, (cell_index)i).figure == FIGURE_NONE;
    return between_if_said(game, say(game, words, "size"), group->size) &&
           between_if_said(game, say(game, words, "liberties"), liberties);
}

bool group_holds(const struct scene *scene, const json_t *words)
{
    bool target = says(scene->game, words, "of", "target");
    return find_fitting(scene, words, target ? scene->target : scene->self, &(struct group){0});
}

void select_group(const struct scene *scene, const json_t *words, cell_index cell, bool *cells)
{
    struct group group;
    if (find_fitting(scene, words, cell, &group))
        for (int i = 0; i < scene->game->cells; i++)
            cells[i] |= group.has[i];
}

/* Whether the cell, or with CELL_NONE what lies beyond the edge, closes a territory in: where nothing is said the mover's
 * figures and the edge do. */
static bool is_end(const struct scene *scene, const json_t *words, cell_index cell)
{
    const json_t *end = say(scene->game, words, "end");
    if (end != NULL)
        return matches(scene, end, cell);
    return cell == CELL_NONE || (piece_at(scene, cell).figure != FIGURE_NONE &&
                                 piece_at(scene, cell).player == scene->mover);
}

/* Whether a step from the cell leads off the board. */
static bool is_at_edge(const struct scene *scene, const json_t *words, cell_index cell)
{
    const json_t *by = steps_of(scene->game, words);
    for (int i = 0; i < list_count(by); i++) {
        struct fan fan;
        read_fan(scene->game, list_at(by, i), scene->mover, scene->as_it_stands, NULL, &fan);
        for (int k = 0; k < 2 * fan.count; k++) {
            int step[DIMENSIONS_MAX] = {0};
            for (int axis = 0; axis < scene->game->dimensions; axis++)
                step[axis] = k % 2 == 0 ? fan.turned[k / 2][0][axis] : -fan.turned[k / 2][0][axis];
            if (cell_beside(scene->game, cell, step) == CELL_NONE)
                return true;
        }
    }
    return false;
}

void select_territory(const struct scene *scene, const json_t *words, bool *cells)
{
    const struct modern *game = scene->game;
    const json_t *is = say(game, words, "is");
    bool among[MODERN_CELLS_MAX];
    for (int i = 0; i < game->cells; i++)
        among[i] = is != NULL ? matches(scene, is, (cell_index)i)
                              : piece_at(scene, (cell_index)i).figure == FIGURE_NONE;
    for (int i = 0; i < game->cells; i++) {
        struct group region;
        bool closed = true, touched = false;
        if (!among[i])
            continue;
        find_group(scene, words, among, (cell_index)i, &region);
        for (int k = 0; k < game->cells; k++) {
            bool outside = region.beside[k] && !region.has[k];
            touched |= outside && is_end(scene, words, (cell_index)k);
            closed &= !outside || is_end(scene, words, (cell_index)k);
            closed &= !region.has[k] || !is_at_edge(scene, words, (cell_index)k) ||
                      is_end(scene, words, CELL_NONE);
        }
        cells[i] |= closed && touched;
    }
}

static int zones_touched(const struct scene *scene, const json_t *zones, const struct group *group)
{
    int count = 0;
    for (int i = 0; i < list_count(zones); i++) {
        bool here = false, again = false;
        for (int k = 0; k < i; k++)
            again |= json_equal(list_at(zones, k), list_at(zones, i));
        for (int cell = 0; cell < scene->game->cells; cell++)
            here |= group->has[cell] &&
                    in_zones(scene->game, list_at(zones, i), scene->mover, (cell_index)cell);
        count += here && !again;
    }
    return count;
}

static int zones_named(const json_t *zones)
{
    int count = 0;
    for (int i = 0; i < list_count(zones); i++) {
        bool again = false;
        for (int k = 0; k < i; k++)
            again |= json_equal(list_at(zones, k), list_at(zones, i));
        count += !again;
    }
    return count;
}

/* Whose the cells are is not asked. */
bool connected_holds(const struct scene *scene, const json_t *words)
{
    const struct modern *game = scene->game;
    const json_t *zones = say(game, words, "zones"), *least = say(game, words, "at_least");
    bool among[MODERN_CELLS_MAX];
    int all = 0;
    for (int i = 0; i < game->cells; i++)
        all += among[i] = is_like(scene, words, (cell_index)i);
    for (int i = 0; i < game->cells; i++) {
        struct group group;
        if (!among[i])
            continue;
        find_group(scene, words, among, (cell_index)i, &group);
        if (zones == NULL)
            return group.size == all;
        if (zones_touched(scene, zones, &group) >=
            (least != NULL ? json_integer_value(least) : zones_named(zones)))
            return true;
    }
    return false;
}
