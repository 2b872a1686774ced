#include "engine/load/fields.h"

#include <stdlib.h>
#include <string.h>

/* A board's shapes: {"box": …} and {"hexagon": …}, each with `where` and `except`. */

/* What leaves cells of a shape out. */
struct sieve {
    struct reader *reader;
    struct node where, except;
    const struct bounds *exceptions; /* cells with such coordinates are left out */
    size_t exception_count;
    struct formula formula;
    struct cell_list *all; /* where the others go */
};

const struct field shape_fields[] = {
    {.word = "box"}, {.word = "hexagon"}, {.word = "where"}, {.word = "except"}, {0}};

bool shapes_is_one(const struct node *node)
{
    for (const struct field *field = shape_fields; field->word != NULL; field++) {
        struct node member = node_member(node, field->word);
        if (node_is_there(&member))
            return true;
    }
    return false;
}

static bool is_excepted(const struct sieve *sieve, const int *coordinates)
{
    for (size_t i = 0; i < sieve->exception_count; i++)
        if (zones_is_within(sieve->reader, coordinates, &sieve->exceptions[i]))
            return true;
    return false;
}

static void sift(struct sieve *sieve, const int *coordinates)
{
    bool holds = true;
    if (node_type(&sieve->where) != NODE_ABSENT &&
        !formula_holds(sieve->reader, &sieve->where, &sieve->formula, coordinates, &holds))
        return;
    if (holds && !is_excepted(sieve, coordinates))
        cells_add(sieve->reader, sieve->all, coordinates, 0, true);
}

static bool read_exception(struct reader *reader, const struct node *match, struct bounds *bounds)
{
    int coordinates[DIMENSIONS_MAX];
    *bounds = zones_no_bounds();
    if (!reader_coordinates(reader, match, false, coordinates))
        return false;
    for (int d = 0; d < reader->dimensions.count; d++) {
        struct node value = node_member(match, reader->dimensions.names[d]);
        if (node_is_there(&value))
            bounds->least[d] = bounds->most[d] = coordinates[d];
    }
    if (node_count(match) == 0)
        reader_error(reader, match, "name at least one coordinate", "this leaves every cell out");
    return node_count(match) > 0;
}

static void read_except(struct sieve *sieve)
{
    struct reader *reader = sieve->reader;
    if (!reader_expect_if_there(reader, &sieve->except, NODE_LIST) ||
        !reader_expect_at_most(reader, &sieve->except, CELLS_MAX, "exceptions"))
        return;
    struct bounds *exceptions =
        reader_allocate(reader, node_count(&sieve->except), sizeof *exceptions);
    EACH_ELEMENT (each, &sieve->except)
        sieve->exception_count +=
            read_exception(reader, &each, &exceptions[sieve->exception_count]);
    sieve->exceptions = exceptions;
}

/* All shapes of a board together look at so many cells; false after complaining. */
static bool may_look_at(struct reader *reader, const struct node *shape, size_t cells)
{
    if (cells <= (size_t)(SHAPE_CELLS_MAX - reader->shape_cells)) {
        reader->shape_cells += (int)cells;
        return true;
    }
    reader_error(reader, shape, "what `where` and `except` leave out counts too",
                 "too much to look at: at most %d cells for all shapes", SHAPE_CELLS_MAX);
    return false;
}

/* --- boxes ------------------------------------------------------------------------------------ */

struct range {
    int first, last;
};

/* A number n: 0 to n - 1; or [first, last]. */
static bool read_range(struct reader *reader, const struct node *node, struct range *range)
{
    if (node_type(node) == NODE_LIST)
        return reader_pair(reader, node, -COORDINATE_MAX, -COORDINATE_MAX, COORDINATE_MAX, false,
                           &range->first, &range->last);
    int size = 0;
    if (!reader_integer(reader, node, 1, CELLS_MAX, &size))
        return false;
    *range = (struct range){0, size - 1};
    return true;
}

static bool read_ranges(struct reader *reader, const struct node *box,
                        struct range ranges[DIMENSIONS_MAX])
{
    bool sound = true;
    if (!reader_expect(reader, box, NODE_OBJECT))
        return false;
    EACH_MEMBER (each, box) {
        int dimension = reader_name(reader, &each, NODE_KEY, &reader->dimensions);
        sound = dimension >= 0 && read_range(reader, &each, &ranges[dimension]) && sound;
    }
    size_t cells = 1;
    for (int i = 0; i < reader->dimensions.count; i++) {
        struct node member = node_member(box, reader->dimensions.names[i]);
        if (node_type(&member) == NODE_ABSENT) {
            reader_error(reader, box, "", "coordinate `%s` is missing",
                         reader->dimensions.names[i]);
            sound = false;
        }
        if (sound && cells <= SHAPE_CELLS_MAX)
            cells *= (size_t)(ranges[i].last - ranges[i].first + 1);
    }
    return sound && may_look_at(reader, box, cells);
}

static void sift_box(struct sieve *sieve, const struct node *box)
{
    struct range ranges[DIMENSIONS_MAX] = {{0}};
    int at[DIMENSIONS_MAX] = {0}, dimensions = sieve->reader->dimensions.count;
    if (!read_ranges(sieve->reader, box, ranges))
        return;
    for (int i = 0; i < dimensions; i++)
        at[i] = ranges[i].first;
    for (int i = 0; i >= 0;) {
        sift(sieve, at);
        for (i = dimensions - 1; i >= 0 && at[i] == ranges[i].last; i--)
            at[i] = ranges[i].first;
        if (i >= 0)
            at[i]++;
    }
}

/* --- hexagons --------------------------------------------------------------------------------- */

struct hexagon {
    int side, at[DIMENSIONS_MAX];
};

static void read_centre(struct reader *reader, const struct node *node, void *object)
{
    struct hexagon *hexagon = object;
    reader_coordinates(reader, node, false, hexagon->at);
}

/* A side, or {"side": …, "at": …}. */
static bool read_hexagon(struct reader *reader, const struct node *node, struct hexagon *hexagon)
{
    enum { SIDE_MAX = 64 };
    static const struct field fields[] = {
        {"side", field_integer, AT(struct hexagon, side), .least = 1, .most = SIDE_MAX,
         .missing = ""},
        {"at", .kind = read_centre},
        {0},
    };
    int errors_before = reader->diagnostics->error_count;
    if (reader->dimensions.count != 2)
        reader_error_key(reader, node, "", "a hexagon needs two coordinates, this game has %d",
                         reader->dimensions.count);
    else if (node_type(node) == NODE_NUMBER)
        reader_integer(reader, node, 1, SIDE_MAX, &hexagon->side);
    else
        fields_read(reader, node, fields, hexagon);
    return reader->diagnostics->error_count == errors_before;
}

static void sift_hexagon(struct sieve *sieve, const struct node *node)
{
    struct hexagon hexagon = {.side = 0};
    if (!read_hexagon(sieve->reader, node, &hexagon))
        return;
    int side = hexagon.side;
    size_t width = 2 * (size_t)side - 1;
    if (!may_look_at(sieve->reader, node, width * width))
        return;
    for (int q = 1 - side; q < side; q++) {
        for (int r = 1 - side; r < side; r++) {
            if (abs(q + r) >= side)
                continue;
            int cell[DIMENSIONS_MAX] = {hexagon.at[0] + q, hexagon.at[1] + r};
            sift(sieve, cell);
        }
    }
}

void shapes_read(struct reader *reader, const struct node *shape, struct cell_list *all)
{
    struct node box = node_member(shape, "box"), hexagon = node_member(shape, "hexagon");
    struct sieve sieve = {.reader = reader,
                          .where = node_member(shape, "where"),
                          .except = node_member(shape, "except"),
                          .all = all};
    int errors_before = reader->diagnostics->error_count, count_before = all->count;
    fields_check(reader, shape, shape_fields, NULL);
    if (node_type(&sieve.where) != NODE_ABSENT)
        sieve.formula = formula_read(reader, &sieve.where, false);
    read_except(&sieve);
    bool is_box = node_type(&box) != NODE_ABSENT, is_hexagon = node_type(&hexagon) != NODE_ABSENT;
    if (is_box == is_hexagon)
        reader_error(reader, shape, "write {\"box\": …} or {\"hexagon\": …}",
                     is_box ? "a shape is either a box or a hexagon"
                            : "this shape is neither a box nor a hexagon");
    else if (is_box)
        sift_box(&sieve, &box);
    else
        sift_hexagon(&sieve, &hexagon);
    if (all->count == count_before && reader->diagnostics->error_count == errors_before)
        reader_error(reader, shape, "", "this shape has no cells");
}
