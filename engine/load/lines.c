#include "engine/load/fields.h"

/* `board.lines`: for boards on whose crossings one plays. They are drawn and have no other meaning. */

struct drawing {
    struct board_line *lines;
    int count;
    /* of the entry that is read now: */
    const int (*deltas)[DIMENSIONS_MAX];
    int delta_count;
};

static void draw_from(struct reader *reader, const struct node *node, int from,
                      struct drawing *drawing)
{
    for (int i = 0; i < drawing->delta_count; i++) {
        int there[DIMENSIONS_MAX];
        for (int k = 0; k < DIMENSIONS_MAX; k++)
            there[k] = reader->definition->cells[from].coordinates[k] + drawing->deltas[i][k];
        cell_index to = cells_find(reader, there);
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
    {.word = "where"},
    {0},
};

/* From every cell for which `where` is true to those `by` leads to. */
static void read_lines(struct reader *reader, const struct node *node, struct drawing *drawing)
{
    struct node where = node_member(node, "where");
    struct formula formula = {.sound = true, .constant = true, .number = 1};
    struct expression_value value;
    int before = drawing->count, complaints = reader->complaints;
    drawing->delta_count = 0;
    fields_read(reader, node, line_fields, drawing);
    if (node_is_there(&where))
        formula = formula_read(reader, &where, false);
    for (int i = 0; formula_at(reader, &where, &formula, i, &value); i++)
        if (formula_is_true(&value))
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
