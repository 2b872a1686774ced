#include "engine/load/notation_reader.h"

#include <stdlib.h>
#include <string.h>

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

static struct text_place *all_places(struct reader *reader)
{
    size_t count = (size_t)reader->definition->cell_count;
    struct text_place *places = reader_allocate(reader, count, sizeof *places);
    for (size_t i = 0; i < count; i++)
        places[i].cell = (cell_index)i;
    return places;
}

static void keep_order(struct reader *reader, struct text_place *places, int count)
{
    cell_index *order = reader_allocate(reader, (size_t)count, sizeof *order);
    char *ends = reader_allocate(reader, (size_t)count, sizeof *ends);
    qsort(places, (size_t)count, sizeof *places, compare_places);
    for (int i = 0; i < count; i++)
        order[i] = places[i].cell;
    for (int i = 0; i + 1 < count; i++)
        if (places[i].level != places[i + 1].level)
            ends[i] = '|';
        else if (places[i].row != places[i + 1].row)
            ends[i] = '/';
    reader->notation->order = order;
    reader->notation->ends = ends;
}

static void read_axis(struct reader *reader, const struct node *node, void *place)
{
    formula_numbers(reader, node, place, sizeof(struct text_place), 0);
}

static const struct field axis_fields[] = {
    {"rows", read_axis, AT(struct text_place, row), .missing = ""},
    {"columns", read_axis, AT(struct text_place, column), .missing = ""},
    {"levels", read_axis, AT(struct text_place, level)},
    {.word = "hands"},
    {0},
};

/* Hands behind the board. */
static const struct field brackets = {"hands", field_choice,
                                      AT(struct notation_tables, hands_in_brackets), .least = 1,
                                      .names = CHOICES("way", "brackets")};

static void read_rows(struct reader *reader, const struct node *position)
{
    struct text_place *places = all_places(reader);
    struct node hands = node_member(position, "hands");
    int count = reader->definition->cell_count, complaints = reader->complaints;
    field_read_one(reader, &hands, &brackets, reader->notation);
    hands_demand(reader, &hands);
    if (!reader->cells_known)
        return;
    fields_read_known(reader, position, axis_fields, places);
    keep_order(reader, places, count);
    for (int i = 0; i + 1 < count && reader->complaints == complaints; i++) {
        const struct text_place *a = &places[i], *b = &places[i + 1];
        if (reader->notation->ends[i] == 0 && a->column == b->column)
            reader_error(reader, position, "let `columns`, or `levels`, tell them apart",
                         "the cells `%s` and `%s` have the same place in the text",
                         reader->definition->cells[a->cell].name,
                         reader->definition->cells[b->cell].name);
    }
}

/* --- whose turn ------------------------------------------------------------------------------- */

/* The state that a key of `turn` means: by its name, or the first in which the player moves. */
static int find_turn(struct reader *reader, const struct node *member)
{
    const struct definition *definition = reader->definition;
    int state = name_list_find(&reader->states, member->key);
    if (state >= 0)
        return state;
    if (reader->absent.count > 0 && name_list_find(&reader->players, member->key) < 0)
        return -1; /* it may be the state of somebody who does not play now */
    int player = reader_name(reader, member, NODE_KEY, &reader->players);
    for (int i = 0; player >= 0 && i < definition->state_count; i++)
        if (definition->states[i].kind == MACHINE_MOVE && definition->states[i].player == player)
            return i;
    return -1;
}

/* The states in which somebody moves must be written. */
static void read_turns(struct reader *reader, const struct node *turn, void *object)
{
    static const struct field word = {.kind = notation_word, .what = "the text of a turn"};
    struct notation_tables *tables = object;
    const struct definition *definition = reader->definition;
    const char *names[STATES_MAX], *unused;
    const char **turns = reader_allocate(reader, (size_t)definition->state_count, sizeof *turns);
    if (!reader_expect(reader, turn, NODE_OBJECT))
        return;
    EACH_MEMBER (each, turn) {
        int state = find_turn(reader, &each);
        field_read_one(reader, &each, &word, state >= 0 ? &turns[state] : &unused);
    }
    for (int i = 0; i < definition->state_count; i++)
        names[i] = turns[i] != NULL || definition->states[i].kind == MACHINE_MOVE
                       ? definition->states[i].name
                       : NULL;
    if (reader->diagnostics->error_count == 0)
        notation_check_texts(reader, turn, turns, names, definition->state_count, false);
    tables->turns = turns;
}

/* --- pieces ----------------------------------------------------------------------------------- */

/* Cells whose names are numbers are written in their order, all others in the board's. */
static void order_by_number(struct reader *reader)
{
    struct text_place *places = all_places(reader);
    for (int i = 0; i < reader->definition->cell_count; i++)
        places[i].column = strtod(reader->definition->cells[i].name, NULL);
    if (reader->cells_known)
        keep_order(reader, places, reader->definition->cell_count);
}

static void read_players(struct reader *reader, const struct node *players, void *object)
{
    static const struct field word = {
        .kind = notation_word, .size = sizeof(char *), .what = "the text of a player"};
    struct notation_tables *tables = object;
    const char **texts = reader_allocate(reader, (size_t)reader->players.count, sizeof *texts);
    int count = 0, complaints = reader->complaints;
    fields_read_by_name(reader, players, &reader->players, &word, texts);
    EACH_MEMBER (each, players) {
        int player = name_list_find(&reader->players, each.key);
        if (player >= 0)
            tables->player_order[count++] = (player_index)player;
    }
    if (reader->complaints == complaints)
        notation_check_texts(reader, players, texts, reader->players.names, reader->players.count,
                             false);
    tables->players = texts;
    order_by_number(reader);
}

/* --- fields ----------------------------------------------------------------------------------- */

/* `-` says that nothing is unmoved; no letter may look like it, or like the beginning of one before it. */
static const char *unmoved_letter_fault(const struct node *letter)
{
    const char *fault = notation_word_fault(letter->key);
    if (fault == NULL && letter->key[0] == '-')
        fault = "it begins with a dash";
    EACH_MEMBER (before, letter->parent) {
        size_t length = strlen(letter->key), other = strlen(before.key);
        if (fault != NULL || strcmp(before.key, letter->key) == 0)
            break;
        if (strncmp(letter->key, before.key, length < other ? length : other) == 0)
            fault = "it cannot be told from another one";
    }
    return fault;
}

/* A letter, the key, and the cells it speaks of. */
static bool read_letter(struct reader *reader, const struct node *list, void *element)
{
    struct unmoved_letter *letter = element;
    const char *fault = unmoved_letter_fault(list);
    if (fault != NULL)
        reader_error_key(reader, list, "", "`%s` cannot be a letter here: %s",
                         text_quote(list->key).text, fault);
    letter->text = reader_copy_string(reader, list->key);
    if (!reader_expect_list(reader, list, UNMOVED_CELLS_MAX, "cells"))
        return true;
    cell_index *cells = reader_allocate(reader, node_count(list), sizeof *cells);
    letter->cells = cells;
    EACH_ELEMENT (each, list) {
        cell_index cell = zones_cell(reader, &each);
        if (cell != CELL_NONE)
            cells[letter->cell_count++] = cell;
    }
    if (node_count(list) == 0)
        reader_error(reader, list, "", "a letter speaks of at least one cell");
    return true;
}

static void read_counter(struct reader *reader, const struct node *name, void *object)
{
    struct notation_field *field = object;
    struct counter_rule *counter = counters_find(reader, name);
    field->text = "+";
    if (counter == NULL)
        return;
    counter->asked = true;
    field->first_slot = counter->first_slot;
    field->slot_count = counter->per_player ? reader->players.count : 1;
    field->start = counter->start;
}

static void read_separator(struct reader *reader, const struct node *node, void *object)
{
    struct notation_field *field = object;
    field_text(reader, node, &field->text);
    if (field->text[0] == '\0' || strpbrk(field->text, "0123456789 ") != NULL)
        reader_error(reader, node, "", "numbers cannot be separated by nothing, digits or spaces");
}

const struct field notation_field_fields[] = {
    {"unmoved", field_list, LIST_AT(struct notation_field, letters, letter_count),
     ELEMENTS(UNMOVED_LETTERS_MAX, "letters", struct unmoved_letter, read_letter), .named = true},
    {"mark", field_choice, AT(struct notation_field, mark), NAMES_OF(marks)},
    {"only_takeable", field_flag, AT(struct notation_field, only_takeable)},
    {"counter", .kind = read_counter},
    {"separator", .kind = read_separator, .most = NOTATION_SIGN_BYTES_MAX},
    {"down_from", field_integer, AT(struct notation_field, down_from), .most = COUNTER_VALUE_MAX},
    {"move_number", field_integer, AT(struct notation_field, start), .most = UINT16_MAX},
    {"same_figure", notation_word, AT(struct notation_field, text), .what = "the text of a field"},
    {"hands", notation_word, AT(struct notation_field, text), .what = "the text of a field"},
    {"unused", notation_word, AT(struct notation_field, text), .what = "the text of a field"},
    {"optional", field_flag, AT(struct notation_field, optional)},
    {0},
};

static bool read_field(struct reader *reader, const struct node *node, void *element)
{
    /* in the order of enum notation_field_kind */
    const struct name_list *kinds = CHOICES("kind", "unmoved", "mark", "counter", "move_number",
                                            "same_figure", "hands", "unused");
    struct notation_field *field = element;
    struct node hands = node_member(node, "hands");
    int errors = reader->diagnostics->error_count, said = 0;
    *field = (struct notation_field){.mark = -1, .down_from = -1, .text = "-"};
    if (!fields_read(reader, node, notation_field_fields, field))
        return true;
    hands_demand(reader, &hands);
    for (int i = 0; i < kinds->count; i++)
        if (node_has(node, kinds->names[i])) {
            field->kind = (enum notation_field_kind)i;
            said++;
        }
    if (said != 1 && reader->diagnostics->error_count == errors)
        reader_error(reader, node,
                     "one of `unmoved`, `mark`, `counter`, `move_number`, `same_figure`, `hands`, "
                     "`unused`",
                     "a field says one thing");
    return true;
}

/* --- counters that are not written ------------------------------------------------------------- */

static bool read_counted(struct reader *reader, const struct node *name, void *element)
{
    struct counter_rule *counter = counters_find(reader, name);
    if (counter == NULL)
        return false;
    counter->asked = true;
    *(uint8_t *)element = (uint8_t)(counter - reader->definition->counters);
    return true;
}

/* --- all of it -------------------------------------------------------------------------------- */

static const struct field pieces[] = {{"players", read_players, .missing = ""}, {0}};
static const struct field position_fields[] = {
    {"style", field_choice, AT(struct notation_tables, style), .least = POSITION_ROWS,
     .names = CHOICES("style", "rows", "pieces")},
    {"turn", read_turns, .missing = ""},
    {"fields", field_list, LIST_AT(struct notation_tables, fields, field_count),
     ELEMENTS(FIELDS_MAX, "fields", struct notation_field, read_field)},
    {"counted", field_list, LIST_AT(struct notation_tables, counted, counted_count),
     ELEMENTS(COUNTERS_MAX, "counters", uint8_t, read_counted)},
    {0},
};

void notation_position_read(struct reader *reader, const struct node *position, void *object)
{
    struct notation_tables *tables = object;
    struct field_words others;
    struct node style = node_member(position, "style");
    if (!reader_expect(reader, position, NODE_OBJECT))
        return;
    tables->style = POSITION_ROWS;
    /* what else may stand there depends on it */
    field_read_one(reader, &style, &position_fields[0], tables);
    bool rows = tables->style == POSITION_ROWS;
    fields_words(rows ? axis_fields : pieces, false, &others);
    fields_check(reader, position, position_fields, &others.list);
    fields_read_known(reader, position, position_fields, tables);
    if (rows)
        read_rows(reader, position);
    else
        fields_read_known(reader, position, pieces, tables);
}
