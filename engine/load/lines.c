#include "engine/load/fields.h"

#include <string.h>

/* `board.lines`: for boards on whose crossings one plays. They are drawn and have no other meaning. */

struct gathered_lines {
    struct board_line *lines;
    int count;
    bool full;
};

static void add_line(struct gathered_lines *gathered, cell_index from, cell_index to)
{
    if (gathered->count == LINES_MAX)
        gathered->full = true;
    else
        gathered->lines[gathered->count++] = (struct board_line){from, to};
}

static void add_from(const struct reader *reader, cell_index from,
                     const int (*deltas)[DIMENSIONS_MAX], int delta_count,
                     struct gathered_lines *gathered)
{
    for (int i = 0; i < delta_count; i++) {
        int there[DIMENSIONS_MAX];
        for (int k = 0; k < DIMENSIONS_MAX; k++)
            there[k] = reader->definition->cells[from].coordinates[k] + deltas[i][k];
        cell_index to = cells_find(reader, there);
        if (to != CELL_NONE && to != from)
            add_line(gathered, from, to);
    }
}

const struct field line_fields[] = {
    {.word = "by", .missing = "write for example {\"by\": [{\"x\": 1}]}"},
    {.word = "where"},
    {0},
};

/* From every cell for which `where` is true to those `by` leads to. */
static void read_lines(struct reader *reader, const struct node *node,
                       struct gathered_lines *gathered)
{
    if (!fields_read(reader, node, line_fields, NULL))
        return;
    struct node by = node_member(node, "by"), where = node_member(node, "where");
    const int(*deltas)[DIMENSIONS_MAX] = NULL;
    int count = 0, before = gathered->count;
    if (!node_is_there(&by))
        return;
    bool filtered = node_type(&where) != NODE_ABSENT;
    struct formula formula = {.sound = false};
    if (filtered)
        formula = formula_read(reader, &where, false);
    if (!sides_read_deltas(reader, &by, &count, &deltas) || !reader->cells_known ||
        (filtered && !formula.sound))
        return;
    for (int i = 0; i < reader->definition->cell_count && !gathered->full; i++) {
        bool holds = !filtered;
        const int *coordinates = reader->definition->cells[i].coordinates;
        if (filtered && !formula_holds(reader, &where, &formula, coordinates, &holds))
            return;
        if (holds)
            add_from(reader, (cell_index)i, deltas, count, gathered);
    }
    if (gathered->count == before)
        reader_error(reader, node, "", "this draws no line between two cells");
}

void lines_read(struct reader *reader, const struct node *root)
{
    struct node board = node_member(root, "board"), list = node_member(&board, "lines");
    if (!node_is_there(&list) || !reader_expect_list(reader, &list, LINE_ENTRIES_MAX, "entries"))
        return;
    bool keeps = reader_keeps(reader, true);
    struct gathered_lines gathered = {
        .lines = reader_allocate(reader, LINES_MAX, sizeof *gathered.lines)};
    reader_keeps(reader, keeps);
    bool absolute = reader->absolute;
    reader->absolute = true; /* the board itself has the lines, whoever looks at it */
    EACH_ELEMENT (entry, &list)
        read_lines(reader, &entry, &gathered);
    reader->absolute = absolute;
    if (gathered.full)
        reader_error(reader, &list, "", "too many lines: at most %d are allowed", LINES_MAX);
    reader->definition->lines = gathered.lines;
    reader->definition->line_count = gathered.count;
}
