#include "engine/load/notation_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void notation_read_position_style(struct notation_reading *reading, const struct node *notation)
{
    static const char *const words[] = {"rows", "pieces"};
    const struct name_list styles = {.kind = "style", .known = true, .count = 2, .names = words};
    struct node position = node_member(notation, "position");
    struct node style = node_member(&position, "style");
    if (node_type(&position) != NODE_OBJECT)
        return;
    int word = node_type(&style) == NODE_ABSENT
                   ? 0
                   : reader_name(reading->reader, &style, NODE_VALUE, &styles);
    reading->tables->style = word == 1 ? POSITION_PIECES : POSITION_ROWS;
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Where a cell stands in the text. */
struct text_place {
    double level, row, column;
    cell_index cell;
};

/* Levels and rows from high to low, columns from low to high. */
static int compare_places(const void *first, const void *second)
{
    const struct text_place *a = first, *b = second;
    if (a->level != b->level)
        return a->level > b->level ? -1 : 1;
    if (a->row != b->row)
        return a->row > b->row ? -1 : 1;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    return (a->cell > b->cell) - (a->cell < b->cell);
}

/* One number for every cell, written where `place` + `offset` points to. */
static bool read_numbers(struct notation_reading *reading, const struct node *node,
                         struct text_place *places, size_t offset)
{
    struct reader *reader = reading->reader;
    struct formula formula = formula_read(reader, node, true);
    for (int i = 0; i < reader->definition->cell_count; i++) {
        struct expression_value value;
        if (!formula_evaluate(reader, node, &formula, reader->definition->cells[i].coordinates,
                              &value))
            return false;
        if (value.kind != EXPRESSION_NUMBER || !isfinite(value.number)) {
            reader_error(reader, node, NODE_VALUE, "", "for cell `%s` this is %s, not a number",
                         reader->definition->cells[i].name, text_quote(value.text).text);
            return false;
        }
        memcpy((unsigned char *)&places[i] + offset, &value.number, sizeof value.number);
    }
    return true;
}

static void store_order(struct notation_reading *reading, const struct text_place *places,
                        int count)
{
    cell_index *order = reader_allocate(reading->reader, (size_t)count, sizeof *order);
    char *ends = reader_allocate(reading->reader, (size_t)count, sizeof *ends);
    if (order == NULL || ends == NULL)
        return;
    for (int i = 0; i < count; i++) {
        order[i] = places[i].cell;
        if (i + 1 == count)
            break;
        if (places[i].level != places[i + 1].level)
            ends[i] = '|';
        else if (places[i].row != places[i + 1].row)
            ends[i] = '/';
    }
    reading->tables->order = order;
    reading->tables->ends = ends;
}

static void read_rows(struct notation_reading *reading, const struct node *position)
{
    struct reader *reader = reading->reader;
    struct node rows = node_member(position, "rows"), columns = node_member(position, "columns");
    struct node levels = node_member(position, "levels");
    int count = reader->definition->cell_count;
    if (!reader->cells_known)
        return;
    struct text_place *places = reader_allocate(reader, (size_t)count, sizeof *places);
    if (places == NULL)
        return;
    for (int i = 0; i < count; i++)
        places[i].cell = (cell_index)i;
    if (!read_numbers(reading, &rows, places, offsetof(struct text_place, row)) ||
        !read_numbers(reading, &columns, places, offsetof(struct text_place, column)))
        return;
    if (node_type(&levels) != NODE_ABSENT &&
        !read_numbers(reading, &levels, places, offsetof(struct text_place, level)))
        return;
    qsort(places, (size_t)count, sizeof *places, compare_places);
    for (int i = 0; i + 1 < count; i++) {
        const struct text_place *a = &places[i], *b = &places[i + 1];
        if (a->level != b->level || a->row != b->row || a->column != b->column)
            continue;
        reader_error(reader, position, NODE_VALUE, "let `columns`, or `levels`, tell them apart",
                     "the cells `%s` and `%s` have the same place in the text",
                     reader->definition->cells[a->cell].name,
                     reader->definition->cells[b->cell].name);
        return;
    }
    store_order(reading, places, count);
}

/* --- whose turn ------------------------------------------------------------------------------- */

/* The state that a key of `turn` means: by its name, or the first in which the player moves. */
static int find_turn(struct reader *reader, const struct node *member)
{
    const struct definition *definition = reader->definition;
    for (int i = 0; i < definition->state_count; i++)
        if (strcmp(definition->states[i].name, member->key) == 0)
            return i;
    if (reader->absent.count > 0 && name_list_find(&reader->players, member->key) < 0)
        return -1; /* it may be the state of somebody who does not play now */
    int player = reader_name(reader, member, NODE_KEY, &reader->players);
    for (int i = 0; player >= 0 && i < definition->state_count; i++)
        if (definition->states[i].kind == MACHINE_MOVE && definition->states[i].player == player)
            return i;
    return -1;
}

static const char *read_word(struct reader *reader, const struct node *node, const char *what)
{
    if (!reader_expect(reader, node, NODE_STRING))
        return NULL;
    const char *fault = notation_word_fault(node_string(node), NOTATION_SIGN_BYTES_MAX);
    if (fault == NULL)
        return reader_text(reader, node, NOTATION_SIGN_BYTES_MAX, false);
    reader_error(reader, node, NODE_VALUE, "", "`%s` cannot be %s: %s",
                 text_quote(node_string(node)).text, what, fault);
    return NULL;
}

static void check_turns(struct notation_reading *reading, const struct node *turn,
                        const char *const *turns)
{
    const struct definition *definition = reading->reader->definition;
    for (int i = 0; i < definition->state_count; i++) {
        if (turns[i] == NULL && definition->states[i].kind == MACHINE_MOVE)
            reader_error(reading->reader, turn, NODE_VALUE, "",
                         "how the turn of state `%s` is written is not said",
                         definition->states[i].name);
        for (int k = 0; k < i; k++)
            if (turns[i] != NULL && turns[k] != NULL && strcmp(turns[i], turns[k]) == 0)
                reader_error(reading->reader, turn, NODE_VALUE, "",
                             "the turns of `%s` and `%s` are both written `%s`",
                             definition->states[k].name, definition->states[i].name, turns[i]);
    }
}

static void read_turns(struct notation_reading *reading, const struct node *position)
{
    struct reader *reader = reading->reader;
    const struct definition *definition = reader->definition;
    struct node turn = node_member(position, "turn");
    const char **turns = reader_allocate(reader, (size_t)definition->state_count, sizeof *turns);
    if (!reader_expect(reader, &turn, NODE_OBJECT) || turns == NULL)
        return;
    for (void *at = node_first(&turn); at != NULL; at = node_next(&turn, at)) {
        struct node member = node_at(&turn, at);
        int state = find_turn(reader, &member);
        const char *text = read_word(reader, &member, "the text of a turn");
        if (state >= 0)
            turns[state] = text != NULL ? text : "?";
    }
    if (reader->diagnostics->error_count == 0)
        check_turns(reading, &turn, turns);
    reading->tables->turns = turns;
}

/* --- pieces ----------------------------------------------------------------------------------- */

/* Cells whose names are numbers are written in their order, all others in the board's. */
static void order_by_number(struct notation_reading *reading)
{
    struct reader *reader = reading->reader;
    int count = reader->definition->cell_count;
    struct text_place *places = reader_allocate(reader, (size_t)count, sizeof *places);
    cell_index *order = reader_allocate(reader, (size_t)count, sizeof *order);
    if (!reader->cells_known || places == NULL || order == NULL)
        return;
    for (int i = 0; i < count; i++) {
        places[i].cell = (cell_index)i;
        places[i].column = strtod(reader->definition->cells[i].name, NULL);
    }
    qsort(places, (size_t)count, sizeof *places, compare_places);
    for (int i = 0; i < count; i++)
        order[i] = places[i].cell;
    reading->tables->order = order;
}

static void read_players(struct notation_reading *reading, const struct node *position)
{
    struct reader *reader = reading->reader;
    struct node players = node_member(position, "players");
    const char **texts = reader_allocate(reader, (size_t)reader->players.count, sizeof *texts);
    int count = 0;
    if (!reader_expect(reader, &players, NODE_OBJECT) || texts == NULL)
        return;
    for (void *at = node_first(&players); at != NULL; at = node_next(&players, at)) {
        struct node member = node_at(&players, at);
        int player = reader_name(reader, &member, NODE_KEY, &reader->players);
        const char *text = read_word(reader, &member, "the text of a player");
        if (player < 0)
            continue;
        texts[player] = text != NULL ? text : "?";
        reading->tables->player_order[count++] = (player_index)player;
    }
    for (int i = 0; i < reader->players.count; i++) {
        if (texts[i] == NULL)
            reader_error(reader, &players, NODE_VALUE, "", "how `%s` is written is not said",
                         reader->players.names[i]);
        for (int k = 0; k < i; k++)
            if (texts[i] != NULL && texts[k] != NULL && strcmp(texts[i], texts[k]) == 0)
                reader_error(reader, &players, NODE_VALUE, "",
                             "`%s` and `%s` are both written `%s`", reader->players.names[k],
                             reader->players.names[i], texts[i]);
    }
    reading->tables->players = texts;
}

/* --- fields ----------------------------------------------------------------------------------- */

static void read_unmoved_cells(struct reader *reader, const struct node *list,
                               struct unmoved_letter *letter)
{
    if (!reader_expect(reader, list, NODE_LIST) ||
        !reader_expect_at_most(reader, list, UNMOVED_CELLS_MAX, "cells"))
        return;
    cell_index *cells = reader_allocate(reader, node_count(list), sizeof *cells);
    letter->cells = cells;
    for (size_t i = 0; cells != NULL && i < node_count(list); i++) {
        struct node element = node_element(list, i);
        cell_index cell = zones_cell(reader, &element);
        if (cell != CELL_NONE)
            cells[letter->cell_count++] = cell;
    }
    if (node_count(list) == 0)
        reader_error(reader, list, NODE_VALUE, "", "a letter speaks of at least one cell");
}

/* `-` says that nothing is unmoved; no letter may look like it, or like the beginning of another. */
static void check_unmoved_key(struct reader *reader, const struct node *member,
                              const struct unmoved_letter *letters, int count)
{
    const char *fault = notation_word_fault(member->key, NOTATION_SIGN_BYTES_MAX);
    if (fault == NULL && member->key[0] == '-')
        fault = "it begins with a dash";
    for (int i = 0; fault == NULL && i < count; i++) {
        size_t shorter = strlen(letters[i].text);
        if (strlen(member->key) < shorter)
            shorter = strlen(member->key);
        if (strncmp(letters[i].text, member->key, shorter) == 0)
            fault = "it cannot be told from another one";
    }
    if (fault != NULL)
        reader_error(reader, member, NODE_KEY, "", "`%s` cannot be a letter here: %s",
                     text_quote(member->key).text, fault);
}

static void read_unmoved(struct reader *reader, const struct node *node,
                         struct notation_field *field)
{
    if (!reader_expect(reader, node, NODE_OBJECT) ||
        !reader_expect_at_most(reader, node, UNMOVED_LETTERS_MAX, "letters"))
        return;
    struct unmoved_letter *letters = reader_allocate(reader, node_count(node), sizeof *letters);
    field->letters = letters;
    for (void *at = node_first(node); letters != NULL && at != NULL; at = node_next(node, at)) {
        struct node member = node_at(node, at);
        check_unmoved_key(reader, &member, letters, field->letter_count);
        const char *text = reader_copy_string(reader, member.key);
        if (text == NULL)
            return;
        letters[field->letter_count].text = text;
        read_unmoved_cells(reader, &member, &letters[field->letter_count]);
        field->letter_count++;
    }
}

static void read_counter(struct reader *reader, const struct node *node, const struct node *name,
                         struct notation_field *field)
{
    struct node separator = node_member(node, "separator"), down = node_member(node, "down_from");
    int counter = reader_name(reader, name, NODE_VALUE, &reader->counters);
    field->text = notation_read_sign(reader, &separator, "+");
    if (field->text[0] == '\0' || strpbrk(field->text, "0123456789 ") != NULL)
        reader_error(reader, &separator, NODE_VALUE, "",
                     "numbers cannot be separated by nothing, digits or spaces");
    if (node_type(&down) != NODE_ABSENT)
        reader_integer(reader, &down, 0, COUNTER_VALUE_MAX, &field->down_from);
    if (counter < 0 || counter >= reader->definition->counter_count)
        return;
    const struct counter_definition *definition = &reader->definition->counters[counter];
    field->first_slot = definition->first_slot;
    field->slot_count = definition->per_player ? reader->players.count : 1;
    field->start = definition->start;
}

static void read_field_kind(struct reader *reader, const struct node *node,
                            const struct node *value, struct notation_field *field)
{
    switch (field->kind) {
    case FIELD_UNMOVED:
        read_unmoved(reader, value, field);
        return;
    case FIELD_MARK: {
        struct node takeable = node_member(node, "only_takeable");
        field->mark = reader_name(reader, value, NODE_VALUE, &reader->marks);
        reader_boolean(reader, &takeable, &field->only_takeable);
        return;
    }
    case FIELD_COUNTER:
        read_counter(reader, node, value, field);
        return;
    case FIELD_MOVE_NUMBER:
        reader_integer(reader, value, 0, UINT16_MAX, &field->start);
        return;
    case FIELD_SAME_FIGURE:
    case FIELD_UNUSED: {
        const char *text = read_word(reader, value, "the text of a field");
        field->text = text != NULL ? text : "-";
        return;
    }
    }
}

static void read_field(struct reader *reader, const struct node *node, struct notation_field *field)
{
    static const char *const kinds[] = {
        [FIELD_UNMOVED] = "unmoved",         [FIELD_MARK] = "mark",
        [FIELD_COUNTER] = "counter",         [FIELD_MOVE_NUMBER] = "move_number",
        [FIELD_SAME_FIGURE] = "same_figure", [FIELD_UNUSED] = "unused",
    };
    static const char *const keys[] = {"unmoved",     "mark",     "counter",  "move_number",
                                       "same_figure", "unused",   "optional", "only_takeable",
                                       "down_from",   "separator"};
    int errors = reader->diagnostics->error_count;
    struct node optional = node_member(node, "optional");
    *field = (struct notation_field){.mark = -1, .down_from = -1, .text = "-"};
    if (!reader_expect(reader, node, NODE_OBJECT))
        return;
    reader_check_keys(reader, node, STRICT, keys, sizeof keys / sizeof *keys);
    reader_boolean(reader, &optional, &field->optional);
    int found = 0;
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++) {
        struct node value = node_member(node, kinds[i]);
        if (node_type(&value) == NODE_ABSENT)
            continue;
        field->kind = (enum notation_field_kind)i;
        if (found++ == 0)
            read_field_kind(reader, node, &value, field);
    }
    if (found != 1 && reader->diagnostics->error_count == errors)
        reader_error(reader, node, NODE_VALUE,
                     "one of `unmoved`, `mark`, `counter`, `move_number`, `same_figure`, `unused`",
                     "a field says one thing");
}

static void read_fields(struct notation_reading *reading, const struct node *position)
{
    struct reader *reader = reading->reader;
    struct node list = node_member(position, "fields");
    if (!reader_expect_if_there(reader, &list, NODE_LIST) ||
        !reader_expect_at_most(reader, &list, FIELDS_MAX, "fields"))
        return;
    struct notation_field *fields = reader_allocate(reader, node_count(&list), sizeof *fields);
    for (size_t i = 0; fields != NULL && i < node_count(&list); i++) {
        struct node element = node_element(&list, i);
        read_field(reader, &element, &fields[i]);
    }
    if (fields == NULL)
        return;
    reading->tables->fields = fields;
    reading->tables->field_count = (int)node_count(&list);
}

/* --- counters that are not written ------------------------------------------------------------- */

static void read_counted(struct notation_reading *reading, const struct node *position)
{
    struct reader *reader = reading->reader;
    struct notation_tables *tables = reading->tables;
    struct node list = node_member(position, "counted");
    if (!reader_expect_if_there(reader, &list, NODE_LIST) ||
        !reader_expect_at_most(reader, &list, COUNTERS_MAX, "counters"))
        return;
    for (size_t i = 0; i < node_count(&list); i++) {
        struct node element = node_element(&list, i);
        int counter = reader_name(reader, &element, NODE_VALUE, &reader->counters);
        if (counter >= 0)
            tables->counted[tables->counted_count++] = (uint8_t)counter;
    }
}

/* --- all of it -------------------------------------------------------------------------------- */

void notation_read_position_words(struct notation_reading *reading, const struct node *notation)
{
    static const char *const rows[] = {"style", "turn",    "fields", "counted",
                                       "rows",  "columns", "levels"};
    static const char *const pieces[] = {"style", "turn", "fields", "counted", "players"};
    struct node position = node_member(notation, "position");
    if (!reader_expect_if_there(reading->reader, &position, NODE_OBJECT))
        return;
    read_turns(reading, &position);
    read_fields(reading, &position);
    read_counted(reading, &position);
    if (reading->tables->style == POSITION_PIECES) {
        reader_check_keys(reading->reader, &position, STRICT, pieces, 5);
        read_players(reading, &position);
        order_by_number(reading);
        return;
    }
    reader_check_keys(reading->reader, &position, STRICT, rows, 7);
    read_rows(reading, &position);
}
