/* Selections of cells, as games/README.md describes them. */
#include "tests/engine/modern_parts.h"

#include <string.h>

static bool is_selected(const struct scene *scene, const json_t *words, cell_index cell)
{
    const json_t *is = say(scene->game, words, "is");
    if (is == NULL) // any figure
        return cell != CELL_NONE && scene->position->cells[cell].figure != FIGURE_NONE;
    return matches(scene, is, cell);
}

/* A cell that two of the steps lead to counts once. */
int selected_neighbours(const struct scene *scene, const json_t *words, cell_index from,
                        bool *cells)
{
    const struct modern *game = scene->game;
    const json_t *by = say(game, words, "by");
    int number = 0;
    for (int i = 0; i < list_count(by); i++) {
        struct fan fan;
        read_fan(game, list_at(by, i), scene->mover, scene->as_it_stands, scene->turn, &fan);
        for (int k = 0; k < fan.count; k++) {
            cell_index cell = cell_beside(game, from, fan.turned[k][0]);
            if ((cell != CELL_NONE && cells[cell]) || !is_selected(scene, words, cell))
                continue;
            number++;
            if (cell != CELL_NONE)
                cells[cell] = true;
        }
    }
    return number;
}

static bool has_length(const struct scene *scene, const json_t *words, int number)
{
    const json_t *length = say(scene->game, words, "length");
    const json_t *least = list_at(length, 0);
    const json_t *most = json_is_array(length) ? list_at(length, 1) : length;
    return number >= (least != NULL ? json_integer_value(least) : 1) &&
           (!json_is_integer(most) || number <= json_integer_value(most));
}

static void select_along(const struct scene *scene, const json_t *words, cell_index from,
                         const int *step, bool *cells)
{
    const struct modern *game = scene->game;
    const json_t *end = say(game, words, "end");
    cell_index passed[MODERN_CELLS_MAX], cell = cell_beside(game, from, step);
    int count = 0;
    for (; cell != CELL_NONE && is_selected(scene, words, cell);
         cell = cell_beside(game, cell, step))
        passed[count++] = cell;
    if (has_length(scene, words, count) && end != NULL && matches(scene, end, cell))
        for (int i = 0; i < count; i++)
            cells[passed[i]] = true;
}

static void select_enclosed(const struct scene *scene, const json_t *words, cell_index from,
                            bool *cells)
{
    const json_t *by = say(scene->game, words, "by");
    for (int i = 0; i < list_count(by); i++) {
        struct fan fan;
        read_fan(scene->game, list_at(by, i), scene->mover, scene->as_it_stands, scene->turn, &fan);
        for (int k = 0; k < fan.count && from != CELL_NONE; k++)
            select_along(scene, words, from, fan.turned[k][0], cells);
    }
}

int selected(const struct scene *scene, const json_t *words, bool *cells)
{
    const struct modern *game = scene->game;
    const json_t *meant = say(game, words, "cells");
    const char *name = json_string_value(meant);
    const json_t *said = name != NULL ? say(game, say(game, game->root, "selections"), name) : NULL;
    cell_index from = says(game, words, "of", "self") ? scene->self : scene->target;
    bool own[MODERN_CELLS_MAX] = {false};
    int number = 0;
    if (cells == NULL)
        cells = own;
    if (name == NULL)
        return 0;
    if (said != NULL)
        return selected(scene, said, cells);
    if (strcmp(name, "neighbours") == 0)
        return selected_neighbours(scene, words, from, cells);
    if (strcmp(name, "enclosed") == 0)
        select_enclosed(scene, words, from, cells);
    if (strcmp(name, "group") == 0)
        select_group(scene, words, from, cells);
    bool beside[MODERN_CELLS_MAX] = {false}, near = say(game, words, "of") != NULL;
    if (near && from != CELL_NONE)
        add_beside(scene, words, from, beside);
    for (int cell = 0; cell < game->cells && strcmp(name, "groups") == 0; cell++)
        if (!near || beside[cell])
            select_group(scene, words, (cell_index)cell, cells);
    if (strcmp(name, "territory") == 0)
        select_territory(scene, words, cells);
    for (int cell = 0; cell < game->cells; cell++) {
        bool meant_here = (strcmp(name, "target") == 0 && cell == scene->target) ||
                          (strcmp(name, "self") == 0 && cell == scene->self) ||
                          in_zones(game, meant, scene->mover, (cell_index)cell);
        cells[cell] |= meant_here && is_selected(scene, words, (cell_index)cell);
        number += cells[cell];
    }
    return number;
}
