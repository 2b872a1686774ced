#include "engine/load/notation_reader.h"

#include <stdio.h>
#include <string.h>

/* --- the two cells ---------------------------------------------------------------------------- */

static void read_pass(struct notation_reading *reading, const struct node *node)
{
    static const char *const keys[] = {"figure"};
    struct reader *reader = reading->reader;
    struct coordinate_notation *style = &reading->tables->coordinate;
    if (node_type(node) != NODE_OBJECT) {
        style->pass = notation_read_sign(reader, node, style->pass);
        if (style->pass[0] == '\0')
            reader_error(reader, node, NODE_VALUE, "", "a pass cannot be written as nothing");
        return;
    }
    struct node name = node_member(node, "figure");
    reader_check_keys(reader, node, STRICT, keys, 1);
    int figure = reader_name(reader, &name, NODE_VALUE, &reader->figures);
    if (figure < 0)
        return;
    style->pass = NULL;
    style->pass_figure = (figure_index)figure;
}

/* Whether some cell's name begins with `beginning` and the rest of it is, or begins, another's. */
static bool is_run_on(const struct definition *definition, const char *beginning,
                      const char **first, const char **second)
{
    size_t length = strlen(beginning);
    for (int i = 0; i < definition->cell_count; i++) {
        const char *name = definition->cells[i].name;
        if (strncmp(name, beginning, length) != 0 || name[length] == '\0')
            continue;
        for (int k = 0; k < definition->cell_count; k++) {
            if (strcmp(name + length, definition->cells[k].name) != 0)
                continue;
            *first = name;
            *second = definition->cells[k].name;
            return true;
        }
    }
    return false;
}

/* `a` and `b` of `a1` and `a10`: with nothing between, `a10` + `c` and `a1` + `0c` are the same text. */
static void check_names_run_on(struct notation_reading *reading, const struct node *node)
{
    const struct definition *definition = reading->reader->definition;
    for (int i = 0; i < definition->cell_count; i++)
        for (int k = 0; k < definition->cell_count; k++) {
            const char *shorter = definition->cells[i].name, *longer = definition->cells[k].name;
            size_t length = strlen(shorter);
            const char *first = NULL, *second = NULL;
            if (i == k || strncmp(shorter, longer, length) != 0 ||
                !is_run_on(definition, longer + length, &first, &second))
                continue;
            reader_error(reading->reader, node, NODE_VALUE, "write a `separator`, like \"-\"",
                         "`%s%s` may be `%s` and `%s`, or `%s` and `%s`", shorter, first, shorter,
                         first, longer, second);
            return;
        }
}

static void check_separator(struct notation_reading *reading, const struct node *node)
{
    const struct definition *definition = reading->reader->definition;
    const char *separator = reading->tables->coordinate.separator;
    if (!reading->reader->cells_known)
        return;
    if (separator[0] == '\0') {
        check_names_run_on(reading, node);
        return;
    }
    for (int i = 0; i < definition->cell_count; i++) {
        if (strstr(definition->cells[i].name, separator) == NULL)
            continue;
        reader_error(reading->reader, node, NODE_VALUE, "", "`%s` occurs in the name of cell `%s`",
                     separator, definition->cells[i].name);
        return;
    }
}

static void read_coordinate(struct notation_reading *reading, const struct node *node)
{
    static const char *const keys[] = {"separator", "take", "choice", "becomes", "pass"};
    struct reader *reader = reading->reader;
    struct coordinate_notation *style = &reading->tables->coordinate;
    struct node separator = node_member(node, "separator"), take = node_member(node, "take");
    struct node choice = node_member(node, "choice"), pass = node_member(node, "pass");
    struct node becomes = node_member(node, "becomes");
    if (!reader_expect_if_there(reader, node, NODE_OBJECT))
        return;
    reader_check_keys(reader, node, STRICT, keys, 5);
    reader_boolean(reader, &becomes, &style->becomes);
    style->separator = notation_read_sign(reader, &separator, style->separator);
    style->take = notation_read_sign(reader, &take, style->separator);
    style->choice = notation_read_sign(reader, &choice, style->choice);
    if (node_type(&pass) != NODE_ABSENT)
        read_pass(reading, &pass);
    if (node_type(&separator) == NODE_STRING)
        check_separator(reading, &separator);
}

/* --- algebraic: letters ----------------------------------------------------------------------- */

static void read_omitted(struct notation_reading *reading, const struct node *node)
{
    struct reader *reader = reading->reader;
    if (!reader_expect_if_there(reader, node, NODE_LIST))
        return;
    for (size_t i = 0; i < node_count(node); i++) {
        struct node element = node_element(node, i);
        int figure = reader_name(reader, &element, NODE_VALUE, &reader->figures);
        if (figure >= 0)
            reading->tables->algebraic.omitted |= UINT64_C(1) << figure;
    }
}

/* What the letters are unless said otherwise: those of the first player that has one, in capitals. */
static const char *usual_letter(struct notation_reading *reading, int figure)
{
    const struct reader *reader = reading->reader;
    for (int i = 0; i < reader->players.count; i++) {
        const char *letter = reading->choices[1 + figure * reader->players.count + i];
        if (letter != NULL)
            return notation_upper(reading->reader, letter);
    }
    return NULL;
}

static void check_algebraic_letters(struct notation_reading *reading, const struct node *node,
                                    const char **letters)
{
    const struct reader *reader = reading->reader;
    uint64_t omitted = reading->tables->algebraic.omitted;
    for (int i = 0; i < reader->figures.count; i++) {
        if (letters[i] != NULL || (omitted >> i & 1) != 0)
            continue;
        reader_error(reading->reader, node, NODE_VALUE,
                     "give it one in `figures` or `letters`, or put it into `omit`",
                     "figure `%s` has no letter", reader->figures.names[i]);
        letters[i] = "";
    }
    for (int i = 0; i < reader->figures.count; i++)
        for (int k = 0; k < i; k++)
            if (letters[i] != NULL && letters[k] != NULL && letters[i][0] != '\0' &&
                strcmp(letters[i], letters[k]) == 0)
                reader_error(reading->reader, node, NODE_VALUE, "",
                             "the figures `%s` and `%s` are both written `%s`",
                             reader->figures.names[k], reader->figures.names[i], letters[i]);
}

static void read_algebraic_letters(struct notation_reading *reading, const struct node *node)
{
    struct reader *reader = reading->reader;
    struct node omit = node_member(node, "omit"), given = node_member(node, "letters");
    const char **letters = reader_allocate(reader, (size_t)reader->figures.count, sizeof *letters);
    read_omitted(reading, &omit);
    if (letters == NULL)
        return;
    for (int i = 0; i < reader->figures.count; i++)
        letters[i] = usual_letter(reading, i);
    if (reader_expect_if_there(reader, &given, NODE_OBJECT))
        for (void *at = node_first(&given); at != NULL; at = node_next(&given, at)) {
            struct node member = node_at(&given, at);
            int figure = reader_name(reader, &member, NODE_KEY, &reader->figures);
            const char *letter = reader_text(reader, &member, LETTER_BYTES_MAX, false);
            if (figure >= 0 && letter != NULL)
                letters[figure] = letter;
        }
    if (reader->figures.known && reading->figures_known)
        check_algebraic_letters(reading, node, letters);
    for (int i = 0; i < reader->figures.count; i++)
        letters[i] = letters[i] != NULL ? letters[i] : "";
    reading->tables->algebraic.letters = letters;
}

/* --- algebraic: where it comes from ----------------------------------------------------------- */

static const char *part_text(struct reader *reader, const struct node *node,
                             const struct expression_value *value, const char *cell)
{
    char digits[32];
    const char *text = value->text;
    if (value->kind == EXPRESSION_NUMBER) {
        snprintf(digits, sizeof digits, "%.0f", value->number);
        text = digits;
    }
    bool odd = value->kind == EXPRESSION_OTHER || text[0] == '\0' ||
               strlen(text) > PART_BYTES_MAX ||
               (value->kind == EXPRESSION_NUMBER && !(value->number > -1e9 && value->number < 1e9));
    if (!odd)
        return reader_copy_string(reader, text);
    reader_error(reader, node, NODE_VALUE, "",
                 "for cell `%s` this is `%s`, which is no part of a name", cell,
                 text_quote(value->text).text);
    return NULL;
}

static bool read_part(struct reader *reader, const struct node *node, const char **parts)
{
    const struct definition *definition = reader->definition;
    struct formula formula = formula_read(reader, node, false);
    for (int i = 0; i < definition->cell_count; i++) {
        struct expression_value value;
        if (!formula_evaluate(reader, node, &formula, definition->cells[i].coordinates, &value))
            return false;
        parts[i] = part_text(reader, node, &value, definition->cells[i].name);
        if (parts[i] == NULL)
            return false;
    }
    return true;
}

static void read_parts(struct notation_reading *reading, const struct node *node)
{
    struct reader *reader = reading->reader;
    size_t cells = (size_t)reader->definition->cell_count;
    if (!reader_expect_if_there(reader, node, NODE_LIST) ||
        !reader_expect_at_most(reader, node, PARTS_MAX, "parts") || !reader->cells_known)
        return;
    const char **parts = reader_allocate(reader, node_count(node) * cells, sizeof *parts);
    for (size_t i = 0; parts != NULL && i < node_count(node); i++) {
        struct node element = node_element(node, i);
        if (!read_part(reader, &element, parts + i * cells))
            return;
    }
    reading->tables->algebraic.parts = parts;
    reading->tables->algebraic.part_count = (int)node_count(node);
}

/* --- algebraic: signs ------------------------------------------------------------------------- */

static void read_sign_condition(struct notation_reading *reading, const struct node *node, int sign)
{
    struct reader *reader = reading->reader;
    player_index mover = reader->mover;
    for (int i = 0; i < reader->players.count; i++) {
        reader->mover = (player_index)i;
        reading->definition->signs[sign][i] = tests_read(reader, node, PLACE_RESULT);
    }
    reader->mover = mover;
}

static void read_sign(struct notation_reading *reading, const struct node *node, int number)
{
    static const char *const keys[] = {"if", "result", "sign"};
    static const char *const words[] = {"won", "drawn", "over"};
    const struct name_list results = {.kind = "result", .known = true, .count = 3, .names = words};
    struct reader *reader = reading->reader;
    struct notation_sign *sign = &reading->tables->algebraic.signs[number];
    struct node condition = node_member(node, "if"), result = node_member(node, "result");
    struct node text = node_member(node, "sign");
    *sign = (struct notation_sign){.kind = SIGN_TEST, .text = ""};
    if (!reader_expect(reader, node, NODE_OBJECT))
        return;
    reader_check_keys(reader, node, STRICT, keys, 3);
    if (reader_expect(reader, &text, NODE_STRING))
        sign->text = notation_read_sign(reader, &text, "");
    if ((node_type(&condition) == NODE_ABSENT) == (node_type(&result) == NODE_ABSENT)) {
        reader_error(reader, node, NODE_VALUE, "", "a sign needs either `if` or `result`");
    } else if (node_type(&result) != NODE_ABSENT) {
        int word = reader_name(reader, &result, NODE_VALUE, &results);
        sign->kind = word <= 0 ? SIGN_WON : word == 1 ? SIGN_DRAWN : SIGN_OVER;
    } else {
        read_sign_condition(reading, &condition, number);
    }
}

static void read_signs(struct notation_reading *reading, const struct node *list)
{
    if (!reader_expect_if_there(reading->reader, list, NODE_LIST) ||
        !reader_expect_at_most(reading->reader, list, SIGNS_MAX, "signs"))
        return;
    for (size_t i = 0; i < node_count(list); i++) {
        struct node element = node_element(list, i);
        read_sign(reading, &element, (int)i);
    }
    reading->tables->algebraic.sign_count = (int)node_count(list);
}

static void read_algebraic(struct notation_reading *reading, const struct node *node)
{
    static const char *const keys[] = {"omit",   "letters", "parts", "take",
                                       "choice", "becomes", "signs"};
    struct reader *reader = reading->reader;
    struct algebraic_notation *style = &reading->tables->algebraic;
    struct node parts = node_member(node, "parts"), take = node_member(node, "take");
    struct node choice = node_member(node, "choice"), signs = node_member(node, "signs");
    struct node becomes = node_member(node, "becomes");
    if (!reader_expect_if_there(reader, node, NODE_OBJECT))
        return;
    reader_check_keys(reader, node, STRICT, keys, 7);
    reader_boolean(reader, &becomes, &style->becomes);
    style->declared = true;
    style->take = notation_read_sign(reader, &take, "");
    style->choice = notation_read_sign(reader, &choice, "");
    read_algebraic_letters(reading, node);
    read_parts(reading, &parts);
    read_signs(reading, &signs);
}

/* --- all of it -------------------------------------------------------------------------------- */

void notation_read_moves(struct notation_reading *reading, const struct node *notation)
{
    static const char *const keys[] = {"coordinate", "algebraic"};
    struct node moves = node_member(notation, "moves");
    struct node coordinate = node_member(&moves, "coordinate");
    struct node algebraic = node_member(&moves, "algebraic");
    if (!reader_expect_if_there(reading->reader, &moves, NODE_OBJECT))
        return;
    reader_check_keys(reading->reader, &moves, STRICT, keys, 2);
    read_coordinate(reading, &coordinate);
    read_algebraic(reading, &algebraic);
}
