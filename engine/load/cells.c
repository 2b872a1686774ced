#include "engine/bits.h"
#include "engine/load/fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- coordinates' names ----------------------------------------------------------------------- */

/* Names stand in JavaScript expressions and beside a movement's own words, and must not be mistaken
 * there. */
static const char *coordinate_name_fault(const struct reader *reader, const char *name)
{
    /* of JavaScript, as editors know it */
    const struct name_list *reserved = CHOICES(
        "word", "Math", "NaN", "Infinity", "undefined", "arguments", "await", "break", "case",
        "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else",
        "enum", "eval", "export", "extends", "false", "finally", "for", "function", "if",
        "implements", "import", "in", "instanceof", "interface", "let", "new", "null", "package",
        "private", "protected", "public", "return", "static", "super", "switch", "this", "throw",
        "true", "try", "typeof", "var", "void", "while", "with", "yield");
    static const char letters[] =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$";
    const struct field *word = fields_find(movement_fields, name);
    const char *fault = text_name_fault(name, NAME_BYTES_MAX);
    if (fault != NULL)
        return fault;
    if (strspn(name, letters + 10) == 0)
        return "it must begin with a letter";
    if (name[strspn(name, letters)] != '\0')
        return "only letters, digits, _ and $ are allowed";
    bool is_reserved = name_list_find(reserved, name) >= 0 || (word != NULL && word->format != 2) ||
                       (reader_is_modern(reader) && cells_is_word(name));
    return is_reserved ? "it is a reserved word" : NULL;
}

/* In format 2 coordinates stand beside more words: those of movements, of matches and of shapes. */
bool cells_is_word(const char *name)
{
    const struct name_list *words =
        CHOICES("word", "each", "by", "of", "is", "min", "max", "coordinates_delta");
    return fields_find(movement_fields, name) != NULL || fields_find(shape_fields, name) != NULL ||
           fields_find(match_fields, name) != NULL || name_list_find(words, name) >= 0;
}

static void read_coordinate_name(struct reader *reader, const struct node *element)
{
    const char *name = node_string(element), *fault = coordinate_name_fault(reader, name);
    if (!reader_expect(reader, element, NODE_STRING))
        return;
    if (fault != NULL)
        reader_error(reader, element, "", "`%s` cannot name a coordinate: %s",
                     text_quote(name).text, fault);
    else if (name_list_find(&reader->dimensions, name) >= 0)
        reader_error(reader, element, "", "coordinate `%s` is named twice", name);
    else
        reader->definition->coordinate_names[reader->dimensions.count++] =
            reader_copy_string(reader, name);
}

void dimensions_read(struct reader *reader, const struct node *list)
{
    int complaints = reader->complaints;
    if (reader_expect_list(reader, list, DIMENSIONS_MAX, "coordinates") && node_count(list) == 0)
        reader_error(reader, list, "write for example [\"x\", \"y\"]",
                     "a board needs at least one coordinate");
    if (reader->complaints != complaints)
        return;
    EACH_ELEMENT (each, list)
        read_coordinate_name(reader, &each);
    reader->dimensions.known = reader->complaints == complaints;
    reader->definition->dimension_count = reader->dimensions.count;
}

/* While reading, a cell remembers where it stood, to complain about the later of two equal ones. */
#define CELL_OF_SHAPE SIZE_MAX /* such a cell may be there already */
struct read_cell {
    int coordinates[DIMENSIONS_MAX];
    size_t index; /* in the list; or CELL_OF_SHAPE */
};

static void add_cell(struct reader *reader, struct growing_list *all, const int *coordinates,
                     size_t index)
{
    struct read_cell *cell = reader_add(reader, all, sizeof *cell);
    *cell = (struct read_cell){.index = index};
    memcpy(cell->coordinates, coordinates, sizeof cell->coordinates);
}

/* --- shapes ----------------------------------------------------------------------------------- */

/* {"box": …} and {"hexagon": …}, each with `where` and `except`. */
struct shape {
    struct amount box[DIMENSIONS_MAX];
    int side, at[DIMENSIONS_MAX]; /* of a hexagon, which lies in the box; 0: it is a box */
    struct formula where;
    const struct bounds *exceptions; /* cells with such coordinates are left out */
    int exception_count;
};

/* A number n: 0 to n - 1; or [first, last]. */
static void read_extent(struct reader *reader, const struct node *node, void *place)
{
    struct amount *range = place;
    int size = 0;
    if (node_type(node) == NODE_LIST)
        reader_range(reader, node, -COORDINATE_MAX, -COORDINATE_MAX, COORDINATE_MAX, false,
                     &range->min, &range->max);
    else if (reader_integer(reader, node, 1, CELLS_MAX, &size))
        range->max = size - 1;
}

/* A side, or {"side": …, "at": …}. */
static void read_hexagon(struct reader *reader, const struct node *node, void *object)
{
    enum { SIDE_MAX = 64 };
    const struct field fields[] = {
        {"side", field_integer, AT(struct shape, side), .least = 1, .most = SIDE_MAX,
         .missing = ""},
        {"at", field_by_name, TO(struct shape, at), NAMES_OF(dimensions),
         .each = EACH(.kind = field_integer, .size = sizeof(int), .least = -COORDINATE_MAX,
                      .most = COORDINATE_MAX)},
        {0},
    };
    struct shape *shape = object;
    if (reader->dimensions.count != 2)
        reader_error_key(reader, node, "", "a hexagon needs two coordinates, this game has %d",
                         reader->dimensions.count);
    else if (node_type(node) == NODE_NUMBER)
        reader_integer(reader, node, 1, SIDE_MAX, &shape->side);
    else
        fields_read(reader, node, fields, shape);
    for (int i = 0; i < 2; i++)
        shape->box[i] =
            (struct amount){shape->at[i] - shape->side + 1, shape->at[i] + shape->side - 1};
}

const struct field shape_fields[] = {
    {"box", field_by_name, TO(struct shape, box), NAMES_OF(dimensions),
     .each = EACH(.kind = read_extent, .size = sizeof(struct amount), .missing = "")},
    {"hexagon", .kind = read_hexagon},
    {"where", field_formula, TO(struct shape, where)},
    {"except", field_list, LIST_AT(struct shape, exceptions, exception_count),
     ELEMENTS(CELLS_MAX, "exceptions", struct bounds, zones_read_bounds)},
    {0},
};

static bool is_shape(const struct node *node)
{
    for (const struct field *field = shape_fields; field->word != NULL; field++)
        if (node_has(node, field->word))
            return true;
    return false;
}

/* All shapes of a board together look at so many cells; false after complaining. */
static bool may_look_at(struct reader *reader, const struct node *node, const struct shape *shape)
{
    size_t cells = 1;
    for (int i = 0; i < reader->dimensions.count && cells <= SHAPE_CELLS_MAX; i++)
        cells *= (size_t)(shape->box[i].max - shape->box[i].min + 1);
    if (cells <= (size_t)(SHAPE_CELLS_MAX - reader->shape_cells)) {
        reader->shape_cells += (int)cells;
        return true;
    }
    reader_error(reader, node, "what `where` and `except` leave out counts too",
                 "too much to look at: at most %d cells for all shapes", SHAPE_CELLS_MAX);
    return false;
}

static bool is_of_shape(struct reader *reader, struct shape *shape, const int *cell)
{
    if (shape->side > 0 && abs(cell[0] - shape->at[0] + cell[1] - shape->at[1]) >= shape->side)
        return false;
    if (node_is_there(&shape->where.node) &&
        !(formula_evaluate(reader, &shape->where, cell) && formula_is_true(&shape->where)))
        return false;
    for (int i = 0; i < shape->exception_count; i++)
        if (zones_is_within(reader, cell, &shape->exceptions[i]))
            return false;
    return true;
}

static void add_shape(struct reader *reader, struct shape *shape, struct growing_list *all)
{
    int at[DIMENSIONS_MAX] = {0}, last = reader->dimensions.count - 1;
    for (int i = 0; i <= last; i++)
        at[i] = shape->box[i].min;
    for (int i = last; i >= 0;) {
        if (is_of_shape(reader, shape, at))
            add_cell(reader, all, at, CELL_OF_SHAPE);
        for (i = last; i >= 0 && at[i] == shape->box[i].max; i--)
            at[i] = shape->box[i].min;
        if (i >= 0)
            at[i]++;
    }
}

static void read_shape(struct reader *reader, const struct node *node, struct growing_list *all)
{
    struct node box = node_member(node, "box"), hexagon = node_member(node, "hexagon");
    struct shape shape = {.side = 0};
    int complaints = reader->complaints, count_before = all->count;
    fields_read(reader, node, shape_fields, &shape);
    if (node_is_there(&box) == node_is_there(&hexagon))
        reader_error(reader, node, "write {\"box\": …} or {\"hexagon\": …}",
                     node_is_there(&box) ? "a shape is either a box or a hexagon"
                                         : "this shape is neither a box nor a hexagon");
    else if (reader->complaints == complaints &&
             may_look_at(reader, node_is_there(&box) ? &box : &hexagon, &shape))
        add_shape(reader, &shape, all);
    if (all->count == count_before && reader->complaints == complaints)
        reader_error(reader, node, "", "this shape has no cells");
}

/* --- the cells -------------------------------------------------------------------------------- */

static int compare_read_cells(const void *left, const void *right)
{
    const struct read_cell *a = left, *b = right;
    int order = coordinates_compare(a->coordinates, b->coordinates, DIMENSIONS_MAX);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

static const char *joined_name(struct reader *reader, const int *coordinates)
{
    char text[DIMENSIONS_MAX * 12];
    int used = 0;
    for (int i = 0; i < reader->dimensions.count; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, i == 0 ? "%d" : "_%d",
                         coordinates[i]);
    return reader_copy_string(reader, text);
}

/* Sorted, and complained about where two of the list are equal; where one is of a shape they become one. */
static void sort_cells(struct reader *reader, const struct node *list, struct growing_list *all)
{
    struct read_cell *read = all->elements;
    int kept = all->count > 0;
    if (kept > 0)
        qsort(read, (size_t)all->count, sizeof *read, compare_read_cells);
    for (int i = 1; i < all->count; i++) {
        const struct read_cell *last = &read[kept - 1];
        if (coordinates_compare(last->coordinates, read[i].coordinates, DIMENSIONS_MAX) != 0) {
            read[kept++] = read[i];
        } else if (read[i].index != CELL_OF_SHAPE) {
            struct node later = node_element(list, read[i].index);
            char hint[64];
            snprintf(hint, sizeof hint, "the first is /board/cells/%zu", last->index);
            reader_error(reader, &later, hint, "this cell is there already");
        }
    }
    all->count = kept;
}

static void keep_cells(struct reader *reader, const struct growing_list *all)
{
    const struct read_cell *read = all->elements;
    struct board_cell *cells = reader_allocate(reader, (size_t)all->count, sizeof *cells);
    struct placement *start = reader_allocate(reader, (size_t)all->count, sizeof *start);
    for (int i = 0; i < all->count; i++) {
        start[i].player = PLAYER_NONE;
        memcpy(cells[i].coordinates, read[i].coordinates, sizeof cells[i].coordinates);
        cells[i].name = joined_name(reader, cells[i].coordinates);
    }
    reader->definition->start = start;
    reader->definition->cells = cells;
    reader->definition->cell_count = all->count;
}

/* In format 2 shapes may stand in the list, and one in its place. */
static void read_cells(struct reader *reader, const struct node *list, void *definition)
{
    bool shape = reader_is_modern(reader) && node_type(list) == NODE_OBJECT;
    struct growing_list all = {.count = 0};
    int coordinates[DIMENSIONS_MAX], complaints = reader->complaints;
    (void)definition;
    if (!shape && !reader_expect_list(reader, list, CELLS_MAX, "cells"))
        return;
    if (node_count(list) == 0)
        reader_error(reader, list, "", "a board needs at least one cell");
    if (node_count(list) == 0 || !reader->dimensions.known)
        return;
    EACH_OF (each, list)
        if (shape || (reader_is_modern(reader) && is_shape(&each)))
            read_shape(reader, &each, &all);
        else if (reader_coordinates(reader, &each, true, coordinates))
            add_cell(reader, &all, coordinates, each.index);
    sort_cells(reader, list, &all);
    if (all.count <= CELLS_MAX)
        keep_cells(reader, &all);
    else if (reader->complaints == complaints)
        reader_error(reader, list, "", "too many cells: %d, at most %d are allowed", all.count,
                     CELLS_MAX);
    reader->cells_known = reader->complaints == complaints;
}

/* --- turning the board ------------------------------------------------------------------------ */

static void read_angle(struct reader *reader, const struct node *node, void *place)
{
    double *angle = place, number = node_number(node);
    if (!reader_expect(reader, node, NODE_NUMBER))
        return;
    if (number < -POSITION_MAX || number > POSITION_MAX)
        reader_error(reader, node, "",
                     "this angle is out of bounds: it must be from %d to %d degrees", -POSITION_MAX,
                     POSITION_MAX);
    else
        *angle = number;
}

const struct field board_fields[] = {
    {"rotation_angle", field_by_name, TO(struct definition, rotation), NAMES_OF(players),
     .each = EACH(.kind = read_angle, .size = sizeof(double))},
    {"cells", read_cells, .missing = ""},
    {.word = "mirror", .format = 2},
    {.word = "neighbours", .format = 2},
    {.word = "lines", .format = 2},
    {.lenient = true},
};

/* --- what stands on them at the start --------------------------------------------------------- */

/* `mirrored`: where it is depends on how the player sees the board. */
static void place(struct reader *reader, const struct node *node, int player, int figure,
                  cell_index cell, bool mirrored)
{
    struct placement *placement = &reader->definition->start[cell];
    bool unseen = mirrored && player > 0 && reader->mirrors[player].cells == NULL;
    if (placement->player == PLAYER_NONE && player >= 0 && figure >= 0)
        *placement = (struct placement){(figure_index)figure, (player_index)player};
    else if (placement->player != PLAYER_NONE && placement->player != player && unseen)
        reader->mirror_missed = true;
    else if (placement->player != PLAYER_NONE && !reader->mirrors_broken) {
        char hint[DIAGNOSTIC_TEXT_BYTES];
        snprintf(hint, sizeof hint, "the other is %s %s",
                 text_quote(reader->players.names[placement->player]).text,
                 text_quote(reader->figures.names[placement->figure]).text);
        reader_error(reader, node, hint, "there are two figures on cell `%s`",
                     reader->definition->cells[cell].name);
    }
}

/* In format 2 a cell may be named, and a zone stands for its cells. `each`: as the first player sees it. */
static void place_at(struct reader *reader, const struct node *node, int player, int figure,
                     bool each)
{
    static const struct field fields[] = {{"zone", field_zone, .size = sizeof(int)}, {0}};
    struct node name = node_member(node, "zone");
    if (reader_is_modern(reader) && node_is_there(&name)) {
        int zone = -1;
        fields_read(reader, node, fields, &zone);
        if (zone >= 0 && player >= 0)
            EACH_BIT (cell, reader->definition->zones[zone].cells[player], WORDS_MAX)
                place(reader, node, player, figure, (cell_index)cell, true);
        return;
    }
    if (!reader_is_modern(reader) && !reader_expect(reader, node, NODE_OBJECT))
        return;
    cell_index cell = zones_cell(reader, node);
    if (cell == CELL_NONE)
        return;
    if (each && reader->mirrors[player].cells != NULL)
        cell = reader->mirrors[player].cells[cell];
    place(reader, node, player, figure, cell, each);
}

static void place_figures(struct reader *reader, const struct node *figures, int player, bool each)
{
    if (!reader_expect(reader, figures, NODE_OBJECT))
        return;
    EACH_MEMBER (member, figures) {
        int figure = reader_name(reader, &member, NODE_KEY, &reader->figures);
        if (!reader_expect(reader, &member, NODE_LIST))
            continue;
        EACH_ELEMENT (element, &member)
            place_at(reader, &element, player, figure, each);
    }
}

/* Said once, and not of every cell. */
static void say_mirror_is_missing(struct reader *reader, const struct node *placements, int player)
{
    const struct definition *definition = reader->definition;
    int last = definition->dimension_count - 1, least = COORDINATE_MAX, most = -COORDINATE_MAX;
    const char *name = reader->players.names[player], *axis = reader->dimensions.names[last];
    char hint[DIAGNOSTIC_TEXT_BYTES];
    for (int i = 0; i < definition->cell_count; i++) {
        int at = definition->cells[i].coordinates[last];
        least = at < least ? at : least;
        most = at > most ? at : most;
    }
    snprintf(hint, sizeof hint,
             "say in `board` how they see it: \"mirror\": {\"%s\": {\"%s\": \"%d - %s\"}}",
             text_quote(name).text, axis, least + most, axis);
    reader_error_key(reader, placements, hint,
                     "`%s` would stand on the cells of others: the board has no `mirror` for them",
                     text_quote(name).text);
    reader->mirror_missed = false;
}

void placements_read(struct reader *reader, const struct node *object, void *whole)
{
    (void)whole;
    if (!reader_expect(reader, object, NODE_OBJECT))
        return;
    EACH_MEMBER (each, object) {
        bool for_each = reader_is_modern(reader) && strcmp(each.key, "each") == 0;
        int first = for_each ? 0 : reader_name(reader, &each, NODE_KEY, &reader->players);
        int last = for_each ? reader->players.count - 1 : first;
        for (int player = first; player <= last; player++) {
            if (player >= 0 || !reader_is_modern(reader))
                place_figures(reader, &each, player, for_each);
            if (reader->mirror_missed && !reader->mirrors_broken)
                say_mirror_is_missing(reader, &each, player);
        }
    }
}
