#include "engine/load/fields.h"

#include <math.h>
#include <string.h>

/* What the file says about how the board looks: expressions in the coordinates, evaluated here once
 * for every cell. */

/* --- position --------------------------------------------------------------------------------- */

static void read_number(struct reader *reader, const struct node *node, void *place)
{
    formula_numbers(reader, node, place, sizeof(struct board_cell), POSITION_MAX);
}

const struct field position_fields[] = {
    {"x", read_number, AT(struct board_cell, layout.x), .missing = ""},
    {"y", read_number, AT(struct board_cell, layout.y), .missing = ""},
    {0},
};

/* --- outline ---------------------------------------------------------------------------------- */

/* One point of all cells, `stride` bytes from each other. */
static void read_point(struct reader *reader, const struct node *point, struct point *first,
                       size_t stride)
{
    struct node x = node_element(point, 0), y = node_element(point, 1);
    if (!reader_expect(reader, point, NODE_LIST))
        return;
    if (node_count(point) != 2) {
        reader_error(reader, point, "", "a point is a list of two: [x, y]");
        return;
    }
    formula_numbers(reader, &x, &first->x, stride, POSITION_MAX);
    formula_numbers(reader, &y, &first->y, stride, POSITION_MAX);
}

/* Cells with equal outlines share one shape. */
static void keep_shapes(struct reader *reader, const struct point *outlines, size_t count,
                        struct board_cell *cells)
{
    struct definition *definition = reader->definition;
    struct board_shape *shapes =
        reader_keep(reader, (size_t)definition->cell_count, sizeof *shapes);
    int shape_count = 0;
    for (int i = 0; i < definition->cell_count; i++) {
        const struct point *points = &outlines[(size_t)i * count];
        int shape = 0;
        while (shape < shape_count &&
               memcmp(shapes[shape].points, points, count * sizeof *points) != 0)
            shape++;
        if (shape == shape_count) {
            struct point *kept = reader_keep(reader, count, sizeof *kept);
            memcpy(kept, points, count * sizeof *kept);
            shapes[shape_count++] = (struct board_shape){(int)count, kept};
        }
        cells[i].layout.shape = shape;
    }
    definition->shapes = shapes;
    definition->shape_count = shape_count;
}

static void read_geometry(struct reader *reader, const struct node *list, void *cells)
{
    if (!reader_expect_list(reader, list, POINTS_MAX, "points"))
        return;
    size_t count = node_count(list);
    if (count < 3) {
        reader_error(reader, list, "", "an outline needs at least three points");
        return;
    }
    /* room for one cell even where there is none: its expressions are looked at all the same */
    size_t cell_count = (size_t)reader->definition->cell_count;
    struct point *outlines =
        reader_allocate(reader, count * (cell_count > 0 ? cell_count : 1), sizeof *outlines);
    int complaints = reader->complaints;
    EACH_ELEMENT (each, list)
        read_point(reader, &each, &outlines[each.index], count * sizeof *outlines);
    if (reader->complaints == complaints)
        keep_shapes(reader, outlines, count, cells);
}

/* --- colours ---------------------------------------------------------------------------------- */

static void refuse_colour(struct reader *reader, const struct formula *formula, int cell)
{
    const struct expression_value *value = &formula->value;
    struct hint hint = {""};
    if (value->kind == EXPRESSION_STRING)
        hint = colour_hint(value->text);
    reader_error(reader, &formula->node,
                 hint.text[0] != '\0' ? hint.text : "write a CSS name, #rrggbb, rgb(…) or hsl(…)",
                 "at cell `%s` this gives `%s`, not a colour", reader->definition->cells[cell].name,
                 text_quote(value->text).text);
}

/* One colour of all cells: `place` is that of the first. */
static void read_colour(struct reader *reader, const struct node *node, void *place)
{
    const char *last = ""; /* the same few come again and again: it is shared */
    if (colour_is_valid(node_string(node))) {
        reader_error(reader, node, "put quotes of its own around it: \"'grey'\"",
                     "this is a colour, but it must be an expression that gives one");
        return;
    }
    struct formula formula = formula_read(reader, node, false);
    const struct expression_value *value = &formula.value;
    for (int i = 0; formula_at(reader, &formula, i); i++) {
        if (value->kind != EXPRESSION_STRING || value->cut ||
            strlen(value->text) > COLOUR_BYTES_MAX || !colour_is_valid(value->text)) {
            refuse_colour(reader, &formula, i);
            return;
        }
        if (strcmp(value->text, last) != 0)
            last = reader_copy_string(reader, value->text);
        *(const char **)place = last;
        place = (unsigned char *)place + sizeof(struct board_cell); /* of the next cell */
    }
}

const struct field colour_fields[] = {
    {"fill", read_colour, AT(struct board_cell, layout.fill)},
    {"selector", read_colour, AT(struct board_cell, layout.selector)},
    {"highlighter", read_colour, AT(struct board_cell, layout.highlighter)},
    {.lenient = true},
};

/* --- names ------------------------------------------------------------------------------------ */

static const char *cell_name_fault(const struct expression_value *value)
{
    if (value->kind == EXPRESSION_OTHER)
        return "it is neither a string nor a number";
    if (value->cut)
        return "it is too long";
    if (value->kind == EXPRESSION_NUMBER && !isfinite(value->number))
        return "it is not a finite number";
    if (strpbrk(value->text, " \"\\<") != NULL)
        return "spaces, \", \\ and < are not allowed";
    return text_name_fault(value->text, NAME_BYTES_MAX);
}

/* Neither twice the same, nor one that reads like another cell's coordinates. */
static bool names_are_unique(struct reader *reader, const struct node *node,
                             const char *const *names)
{
    const struct definition *definition = reader->definition;
    for (int i = 0; i < definition->cell_count; i++)
        for (int j = 0; j < definition->cell_count; j++) {
            bool same = strcmp(names[i], names[j]) == 0;
            if (i == j || (!same && strcmp(names[i], definition->cells[j].name) != 0))
                continue;
            reader_error(reader, node, "every cell needs a name of its own",
                         same ? "the cells `%s` and `%s` are both named `%s`"
                              : "the name of cell `%s` is the coordinates of cell `%s`",
                         definition->cells[i].name, definition->cells[j].name, names[i]);
            return false;
        }
    return true;
}

static void read_names(struct reader *reader, const struct node *node, void *object)
{
    struct board_cell *cells = object;
    const struct definition *definition = reader->definition;
    if (!reader->cells_known)
        return;
    const char **names = reader_allocate(reader, (size_t)definition->cell_count, sizeof *names);
    struct formula formula = formula_read(reader, node, false);
    for (int i = 0; formula_at(reader, &formula, i); i++) {
        const char *fault = cell_name_fault(&formula.value);
        if (fault != NULL) {
            reader_error(reader, node, "", "at cell `%s` this gives `%s`: %s",
                         definition->cells[i].name, text_quote(formula.value.text).text, fault);
            return;
        }
        names[i] = reader_copy_string(reader, formula.value.text);
    }
    if (!formula.sound || !names_are_unique(reader, node, names))
        return;
    for (int i = 0; i < definition->cell_count; i++)
        cells[i].name = names[i];
}

const struct field cell_fields[] = {
    {.word = "coordinates_names", .missing = ""},
    {"position", field_object, .fields = position_fields, .missing = ""},
    {"geometry", read_geometry, .missing = ""},
    {"colors", field_object, .fields = colour_fields},
    {"name", .kind = read_names},
    {.lenient = true},
};

void layout_read(struct reader *reader, const struct node *cell, void *object)
{
    struct definition *definition = object;
    struct board_cell *cells = reader_keep(reader, (size_t)definition->cell_count, sizeof *cells);
    for (int i = 0; i < definition->cell_count; i++) {
        cells[i] = definition->cells[i];
        cells[i].layout.fill = "darkgrey";
        cells[i].layout.selector = "skyblue";
        cells[i].layout.highlighter = "lightgreen";
    }
    definition->cells = cells;
    fields_read(reader, cell, cell_fields, cells);
}

/* --- lines ------------------------------------------------------------------------------------ */

/* `board.lines`: for boards on whose crossings one plays. They are drawn and have no other meaning. */

struct drawing {
    struct board_line *lines;
    int count;
    /* of the entry that is read now: */
    const struct vector *deltas;
    int delta_count;
    struct formula where;
};

static void draw_from(struct reader *reader, const struct node *node, int from,
                      struct drawing *drawing)
{
    for (int i = 0; i < drawing->delta_count; i++) {
        int there[DIMENSIONS_MAX];
        for (int k = 0; k < DIMENSIONS_MAX; k++)
            there[k] = reader->definition->cells[from].coordinates[k] + drawing->deltas[i].of[k];
        cell_index to = whole_game_cell_at(&reader->definition->whole, there);
        if (to == CELL_NONE || to == from)
            continue;
        if (drawing->count == LINES_MAX)
            reader_stop(reader, node, "", "too many lines: at most %d are allowed", LINES_MAX);
        drawing->lines[drawing->count++] = (struct board_line){(cell_index)from, to};
    }
}

const struct field line_fields[] = {
    {"by", field_deltas, LIST_AT(struct drawing, deltas, delta_count),
     .missing = "write for example {\"by\": [{\"x\": 1}]}"},
    {"where", field_formula, TO(struct drawing, where)},
    {0},
};

/* From every cell for which `where` is true to those `by` leads to. */
static void read_lines(struct reader *reader, const struct node *node, struct drawing *drawing)
{
    const struct expression_value everywhere = {.kind = EXPRESSION_NUMBER, .number = 1};
    int before = drawing->count, complaints = reader->complaints;
    drawing->delta_count = 0;
    drawing->where = (struct formula){.sound = true, .constant = true, .value = everywhere};
    fields_read(reader, node, line_fields, drawing);
    for (int i = 0; formula_at(reader, &drawing->where, i); i++)
        if (formula_is_true(&drawing->where))
            draw_from(reader, node, i, drawing);
    if (drawing->count == before && reader->cells_known && reader->complaints == complaints)
        reader_error(reader, node, "", "this draws no line between two cells");
}

void lines_read(struct reader *reader, const struct node *root)
{
    struct node board = node_member(root, "board"), list = node_member(&board, "lines");
    if (!node_is_there(&list) || !reader_expect_list(reader, &list, LINE_ENTRIES_MAX, "entries"))
        return;
    struct drawing drawing = {.lines = reader_keep(reader, LINES_MAX, sizeof *drawing.lines)};
    /* the board itself has the lines, as the first player names directions */
    reader->absolute = true;
    reader->mover = 0;
    EACH_ELEMENT (each, &list)
        read_lines(reader, &each, &drawing);
    reader->absolute = false;
    reader->definition->lines = drawing.lines;
    reader->definition->line_count = drawing.count;
}
