#include "engine/load/notation_reader.h"

#include <stdio.h>
#include <string.h>

enum { SIGN = NOTATION_SIGN_BYTES_MAX };

/* --- the two cells ---------------------------------------------------------------------------- */

/* A word, or the figure that stays where it is. */
static void read_pass(struct reader *reader, const struct node *node, void *object)
{
    static const struct field fields[] = {
        {"figure", field_choice, AT(struct coordinate_notation, pass_figure), NAMES_OF(figures),
         .missing = ""},
        {0},
    };
    struct coordinate_notation *style = object;
    if (node_type(node) == NODE_OBJECT) {
        style->pass = NULL;
        fields_read(reader, node, fields, style);
        return;
    }
    field_text(reader, node, &style->pass);
    if (style->pass[0] == '\0')
        reader_error(reader, node, "", "a pass cannot be written as nothing");
}

/* `a` and `b` of `a1` and `a10`: with nothing between, `a10` + `c` and `a1` + `0c` are the same text. */
static void check_names_run_on(struct reader *reader, const struct node *node, const char *shorter,
                               const char *longer)
{
    const struct definition *definition = reader->definition;
    const char *rest = notation_behind(longer, shorter);
    for (int i = 0; rest != NULL && i < definition->cell_count; i++) {
        const char *first = definition->cells[i].name, *second = notation_behind(first, rest);
        if (second == NULL || zones_find(reader, second) == CELL_NONE)
            continue;
        reader_error(reader, node, "write a `separator`, like \"-\"",
                     "`%s%s` may be `%s` and `%s`, or `%s` and `%s`", shorter, first, shorter,
                     first, longer, second);
        return;
    }
}

static void check_separator(struct reader *reader, const struct node *node)
{
    const struct board_cell *cells = reader->definition->cells;
    const char *separator = reader->notation->coordinate.separator;
    int count = reader->cells_known ? reader->definition->cell_count : 0;
    int complaints = reader->complaints;
    for (int i = 0; i < count && reader->complaints == complaints; i++) {
        if (separator[0] != '\0' && strstr(cells[i].name, separator) != NULL)
            reader_error(reader, node, "", "`%s` occurs in the name of cell `%s`", separator,
                         cells[i].name);
        for (int k = 0; separator[0] == '\0' && k < count; k++)
            if (i != k)
                check_names_run_on(reader, node, cells[i].name, cells[k].name);
    }
}

/* How kinds are written that are chosen or put, where that is not their letter. */
static void read_choices(struct reader *reader, const struct node *node, void *object)
{
    static const struct field text = {
        .kind = notation_word, .size = sizeof(char *), .what = "the text of a choice"};
    const char *texts[FIGURES_MAX] = {NULL};
    (void)object;
    fields_read_by_name(reader, node, &reader->figures, &text, texts);
    for (int i = 0; i < reader->figures.count; i++)
        for (int player = 0; texts[i] != NULL && player < reader->players.count; player++)
            reader->notation->choices[notation_code(reader, i, player)] = texts[i];
}

const struct field coordinate_fields[] = {
    {"separator", field_text, AT(struct coordinate_notation, separator), .most = SIGN},
    {"take", field_text, AT(struct coordinate_notation, take), .most = SIGN},
    {"choice", field_text, AT(struct coordinate_notation, choice), .most = SIGN},
    {"promoted", field_flag, AT(struct coordinate_notation, promoted)},
    {.word = "becomes", .now = "promoted"},
    {"letters", .kind = read_choices},
    {"place", field_text, AT(struct coordinate_notation, place), .most = SIGN},
    {"pass", .kind = read_pass, .most = SIGN},
    {0},
};

static void read_coordinate(struct reader *reader, const struct node *node, void *place)
{
    struct coordinate_notation *style = place;
    struct node separator = node_member(node, "separator"), take = node_member(node, "take");
    fields_read(reader, node, coordinate_fields, style);
    if (!node_is_there(&take))
        style->take = style->separator;
    if (style->place[0] == '\0')
        reader_error(reader, node, "", "between what is put and its cell there must be a sign");
    if (node_type(&separator) == NODE_STRING)
        check_separator(reader, &separator);
}

/* --- placements ------------------------------------------------------------------------------- */

/* A figure that is put is written by its cell alone: that must not look like a move between two others. */
static bool looks_like_a_move(const struct reader *reader, const char *name, const char *separator)
{
    const struct definition *definition = reader->definition;
    for (int i = 0; i < definition->cell_count; i++) {
        const char *first = notation_behind(name, definition->cells[i].name);
        const char *rest = first != NULL ? notation_behind(first, separator) : NULL;
        for (int k = 0; rest != NULL && k < definition->cell_count; k++)
            if (notation_behind(rest, definition->cells[k].name) != NULL)
                return true;
    }
    return false;
}

/* Where several kinds may be put, the kind and a sign stand before the cell; nothing else has such a sign. */
static bool has_sign(const struct reader *reader, const char *text)
{
    return text != NULL && strstr(text, reader->notation->coordinate.place) != NULL;
}

/* How a kind is written that is put, for a player. */
static const char *placed_text(const struct reader *reader, int figure, int player)
{
    const char *letter = reader->notation->choices[notation_code(reader, figure, player)];
    return letter != NULL ? letter : reader->figures.names[figure];
}

static void check_placed_kinds(struct reader *reader, const struct node *place, int player)
{
    const char *texts[FIGURES_MAX];
    uint64_t kinds = placing_list_kinds(&reader->definition->placing[player]);
    for (int i = 0; i < reader->figures.count; i++)
        texts[i] = (kinds >> i & 1) != 0 ? placed_text(reader, i, player) : "";
    notation_check_texts(reader, place, texts, reader->figures.names, reader->figures.count, false);
}

static void check_cell(struct reader *reader, const struct node *place, const char *name)
{
    const struct coordinate_notation *style = &reader->notation->coordinate;
    if (looks_like_a_move(reader, name, style->separator) ||
        looks_like_a_move(reader, name, style->take))
        reader_error(reader, place, "call the cell otherwise, or write a `separator`",
                     "that a figure is put on `%s` looks like a move between two cells", name);
    if (style->pass != NULL && strcmp(style->pass, name) == 0)
        reader_error(reader, place, "call one of them otherwise",
                     "that a figure is put on `%s` looks like a pass", name);
    if (has_sign(reader, name))
        reader_error(reader, place, "", "the name of cell `%s` has the sign of placements", name);
}

void notation_check_placements(struct reader *reader, const struct node *root)
{
    const struct coordinate_notation *style = &reader->notation->coordinate;
    struct node place = node_member(root, "place");
    int complaints = reader->complaints;
    if (!node_is_there(&place) || !reader->cells_known || !reader->figures.known)
        return;
    for (int i = 0; i < reader->definition->cell_count && reader->complaints == complaints; i++)
        check_cell(reader, &place, reader->definition->cells[i].name);
    bool signs = has_sign(reader, style->separator) || has_sign(reader, style->take) ||
                 has_sign(reader, style->choice);
    for (int i = 0; i < reader->figures.count * reader->players.count; i++)
        signs |= has_sign(reader, reader->notation->choices[1 + i]);
    for (int i = 0; i < reader->figures.count; i++)
        signs |= has_sign(reader, reader->figures.names[i]);
    if (signs)
        reader_error(reader, &place, "write something else there",
                     "`%s` stands in placements alone, and in no other sign or letter",
                     style->place);
    for (int player = 0; player < reader->players.count; player++)
        check_placed_kinds(reader, &place, player);
}

/* --- algebraic: letters ----------------------------------------------------------------------- */

static void read_omitted(struct reader *reader, const struct node *node, void *place)
{
    if (reader_expect(reader, node, NODE_LIST) && node_count(node) > 0)
        field_figures(reader, node, place);
}

/* What the letters are unless said otherwise: those of the first player that has one, in capitals. */
static const char *usual_letter(struct reader *reader, int figure)
{
    for (int i = 0; i < reader->players.count; i++) {
        const char *letter = reader->notation->choices[notation_code(reader, figure, i)];
        if (letter != NULL)
            return notation_in_case(reader, letter, CASE_UPPER);
    }
    return NULL;
}

/* What is another kind in a hand may be written as that which it is like: a promoted queen as a queen. */
static void check_letters(struct reader *reader, const struct node *node, const char **letters)
{
    for (int promoted = 0; promoted < 2; promoted++) {
        const char *texts[FIGURES_MAX];
        for (int i = 0; i < reader->figures.count; i++)
            texts[i] = (reader->definition->in_hand[i] != i) == promoted ? letters[i] : "";
        notation_check_texts(reader, node, texts, reader->figures.names, reader->figures.count,
                             false);
    }
}

static void read_letters(struct reader *reader, const struct node *node, void *object)
{
    struct algebraic_notation *style = object;
    static const struct field letter = {.kind = field_text, .size = sizeof(char *), .most = SIGN};
    bool known = reader->figures.known && !reader->letters_broken;
    const char **letters = reader_allocate(reader, (size_t)reader->figures.count, sizeof *letters);
    for (int i = 0; i < reader->figures.count; i++)
        letters[i] = usual_letter(reader, i);
    fields_read_by_name(reader, node, &reader->figures, &letter, letters);
    for (int i = 0; i < reader->figures.count; i++) {
        bool omitted = (style->omitted >> i & 1) != 0;
        if (letters[i] == NULL && !omitted && known)
            reader_error(reader, node,
                         "give it one in `figures` or `letters`, or put it into `omit`",
                         "figure `%s` has no letter", reader->figures.names[i]);
        letters[i] = letters[i] != NULL ? letters[i] : "";
    }
    if (known)
        check_letters(reader, node, letters);
    style->letters = letters;
}

/* --- algebraic: where it comes from ----------------------------------------------------------- */

/* NULL after complaining. */
static const char *part_of_name(struct reader *reader, const struct formula *formula, int cell)
{
    const struct expression_value *value = &formula->value;
    char digits[32];
    const char *text = value->text;
    bool number = value->kind == EXPRESSION_NUMBER;
    if (number) {
        snprintf(digits, sizeof digits, "%.0f", value->number);
        text = digits;
    }
    if (value->kind != EXPRESSION_OTHER && text[0] != '\0' && strlen(text) <= PART_BYTES_MAX &&
        (!number || (value->number > -1e9 && value->number < 1e9)))
        return reader_copy_string(reader, text);
    reader_error(reader, &formula->node, "",
                 "for cell `%s` this is `%s`, which is no part of a name",
                 reader->definition->cells[cell].name, text_quote(value->text).text);
    return NULL;
}

/* A part of each cell's name after the other, by cell. */
static void read_parts(struct reader *reader, const struct node *node, void *object)
{
    struct algebraic_notation *style = object;
    int complaints = reader->complaints;
    if (!reader_expect_list(reader, node, PARTS_MAX, "parts") || !reader->cells_known)
        return;
    size_t count = node_count(node) * (size_t)reader->definition->cell_count;
    const char **part = reader_allocate(reader, count, sizeof *part);
    style->parts = part;
    EACH_ELEMENT (each, node) {
        struct formula formula = formula_read(reader, &each, false);
        for (int i = 0; formula_at(reader, &formula, i); i++)
            if ((*part++ = part_of_name(reader, &formula, i)) == NULL)
                return;
    }
    if (reader->complaints == complaints)
        style->part_count = (int)node_count(node);
}

/* --- algebraic: signs ------------------------------------------------------------------------- */

const struct field notation_sign_fields[] = {
    {"if", field_condition_of_each, TO(struct notation_sign, tests), .place = PLACE_RESULT},
    {"result", field_choice, AT(struct notation_sign, kind),
     .names = CHOICES("result", "won", "drawn", "over")},
    {"sign", field_text, AT(struct notation_sign, text), .most = SIGN, .missing = ""},
    {0},
};

static bool read_sign(struct reader *reader, const struct node *node, void *element)
{
    struct notation_sign *sign = element;
    *sign = (struct notation_sign){.kind = SIGN_TEST, .text = ""};
    if (fields_read(reader, node, notation_sign_fields, sign) &&
        node_has(node, "if") == node_has(node, "result"))
        reader_error(reader, node, "", "a sign needs either `if` or `result`");
    return true;
}

const struct field algebraic_fields[] = {
    {"omit", read_omitted, AT(struct algebraic_notation, omitted)},
    {"letters", read_letters, .always = true},
    {"parts", .kind = read_parts},
    {"take", field_text, AT(struct algebraic_notation, take), .most = SIGN},
    {"choice", field_text, AT(struct algebraic_notation, choice), .most = SIGN},
    {"promoted", field_flag, AT(struct algebraic_notation, promoted)},
    {.word = "becomes", .now = "promoted"},
    {"signs", field_list, LIST_AT(struct algebraic_notation, signs, sign_count),
     ELEMENTS(SIGNS_MAX, "signs", struct notation_sign, read_sign)},
    {0},
};

const struct field notation_moves_fields[] = {
    {"coordinate", read_coordinate, AT(struct notation_tables, coordinate)},
    {"algebraic", field_object, AT(struct notation_tables, algebraic), .fields = algebraic_fields},
    {0},
};
