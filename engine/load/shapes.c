#include "engine/load/fields.h"

#include <stdlib.h>

/* A board's shapes: {"box": …} and {"hexagon": …}, each with `where` and `except`. */

struct shape {
    struct amount box[DIMENSIONS_MAX];
    int side, at[DIMENSIONS_MAX]; /* of a hexagon, which lies in the box; 0: it is a box */
    struct node where;
    struct formula formula;
    const struct bounds *exceptions; /* cells with such coordinates are left out */
    int exception_count;
};

/* --- words ------------------------------------------------------------------------------------ */

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

static void read_centre(struct reader *reader, const struct node *node, void *object)
{
    struct shape *shape = object;
    reader_coordinates(reader, node, false, shape->at);
}

/* A side, or {"side": …, "at": …}. */
static void read_hexagon(struct reader *reader, const struct node *node, void *object)
{
    enum { SIDE_MAX = 64 };
    static const struct field fields[] = {
        {"side", field_integer, AT(struct shape, side), .least = 1, .most = SIDE_MAX,
         .missing = ""},
        {"at", .kind = read_centre},
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

static void read_where(struct reader *reader, const struct node *node, void *object)
{
    struct shape *shape = object;
    shape->where = *node;
    shape->formula = formula_read(reader, node, false);
}

const struct field shape_fields[] = {
    {"box", field_by_name, TO(struct shape, box), NAMES_OF(dimensions),
     .each = EACH(.kind = read_extent, .size = sizeof(struct amount), .missing = "")},
    {"hexagon", .kind = read_hexagon},
    {"where", .kind = read_where},
    {"except", field_list, LIST_AT(struct shape, exceptions, exception_count),
     ELEMENTS(CELLS_MAX, "exceptions", struct bounds, zones_read_bounds)},
    {0},
};

bool shapes_is_one(const struct node *node)
{
    for (const struct field *field = shape_fields; field->word != NULL; field++)
        if (node_has(node, field->word))
            return true;
    return false;
}

/* --- cells ------------------------------------------------------------------------------------ */

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
    struct expression_value value;
    if (shape->side > 0 && abs(cell[0] - shape->at[0] + cell[1] - shape->at[1]) >= shape->side)
        return false;
    if (node_is_there(&shape->where) &&
        !(formula_evaluate(reader, &shape->where, &shape->formula, cell, &value) &&
          formula_is_true(&value)))
        return false;
    for (int i = 0; i < shape->exception_count; i++)
        if (zones_is_within(reader, cell, &shape->exceptions[i]))
            return false;
    return true;
}

static void add_cells(struct reader *reader, struct shape *shape, struct cell_list *all)
{
    int at[DIMENSIONS_MAX] = {0}, last = reader->dimensions.count - 1;
    for (int i = 0; i <= last; i++)
        at[i] = shape->box[i].min;
    for (int i = last; i >= 0;) {
        if (is_of_shape(reader, shape, at))
            cells_add(reader, all, at, CELL_OF_SHAPE);
        for (i = last; i >= 0 && at[i] == shape->box[i].max; i--)
            at[i] = shape->box[i].min;
        if (i >= 0)
            at[i]++;
    }
}

void shapes_read(struct reader *reader, const struct node *node, struct cell_list *all)
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
        add_cells(reader, &shape, all);
    if (all->count == count_before && reader->complaints == complaints)
        reader_error(reader, node, "", "this shape has no cells");
}
