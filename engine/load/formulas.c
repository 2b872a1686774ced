#include "engine/load/reader.h"
#include "engine/work.h"

#include <math.h>
#include <string.h>

/* The heap is made when the first expression is met. */
static bool have_expressions(struct reader *reader)
{
    if (reader->expressions == NULL && reader->dimensions.known) {
        reader->expressions = expressions_new(reader->dimensions.names, reader->dimensions.count,
                                              EXPRESSION_MEMORY_MAX);
        if (reader->expressions == NULL)
            reader_starved(reader);
    }
    return reader->expressions != NULL;
}

struct formula formula_read(struct reader *reader, const struct node *node, bool may_be_number)
{
    struct formula formula = {.node = *node};
    struct expression_error error;
    const char *text = node_string(node);
    enum node_type type = may_be_number ? node_type(node) : NODE_STRING;
    if (type == NODE_NUMBER) {
        formula.sound = formula.constant = true;
        formula.value =
            (struct expression_value){.kind = EXPRESSION_NUMBER, .number = node_number(node)};
    } else if (type != NODE_ABSENT && type != NODE_STRING) {
        reader_error(reader, node, "write an expression as a string, like \"2 * x\"",
                     "this must be a number or an expression");
    } else if (reader_expect(reader, node, NODE_STRING) && have_expressions(reader)) {
        formula.length = strlen(text);
        formula.compiled = expression_compile(reader->expressions, text, &error);
        formula.sound = formula.compiled >= 0;
        if (!formula.sound)
            reader_error_at(reader, node, NODE_LETTER + (int)error.offset, error.hint, "%s",
                            error.message);
    }
    return formula;
}

bool formula_evaluate(struct reader *reader, struct formula *formula, const int *coordinates)
{
    enum { CALL_WORK = 32 };
    if (!formula->sound || formula->constant)
        return formula->sound;
    reader->expression_work += formula->length + CALL_WORK;
    work_spend(WORK_EXPRESSION * (1 + formula->length / 16));
    if (reader->expression_work > EXPRESSION_WORK_MAX)
        reader_stop(reader, &formula->node, "",
                    "too much to compute: long expressions for so many cells");
    if (expression_evaluate(reader->expressions, formula->compiled, coordinates, &formula->value))
        return true;
    formula->sound = false;
    reader_error(reader, &formula->node, "", "this expression needs too much memory");
    return false;
}

bool formula_at(struct reader *reader, struct formula *formula, int cell)
{
    const struct definition *definition = reader->definition;
    return cell < definition->cell_count &&
           formula_evaluate(reader, formula, definition->cells[cell].coordinates);
}

static void refuse_number(struct reader *reader, const struct formula *formula, int cell, int most)
{
    const struct node *node = &formula->node;
    const struct expression_value *value = &formula->value;
    const char *name = reader->definition->cells[cell].name;
    if (node_type(node) == NODE_NUMBER)
        reader_error(reader, node, "", "this number is out of bounds: it must be from %d to %d",
                     -most, most);
    else if (value->kind == EXPRESSION_NUMBER && isfinite(value->number))
        reader_error(reader, node, "", "at cell `%s` this gives %s, but it must be from %d to %d",
                     name, value->text, -most, most);
    else
        reader_error(reader, node, "", "at cell `%s` this gives `%s`, not a finite number", name,
                     text_quote(value->text).text);
}

void formula_numbers(struct reader *reader, const struct node *node, void *first, size_t stride,
                     int most)
{
    struct formula formula = formula_read(reader, node, true);
    const double *number = &formula.value.number;
    for (int i = 0; formula_at(reader, &formula, i); i++) {
        if (formula.value.kind != EXPRESSION_NUMBER || !isfinite(*number) ||
            (most != 0 && fabs(*number) > most)) {
            refuse_number(reader, &formula, i, most);
            return;
        }
        memcpy((unsigned char *)first + (size_t)i * stride, number, sizeof *number);
    }
}

bool formula_is_true(const struct formula *formula)
{
    const struct expression_value *value = &formula->value;
    if (value->kind == EXPRESSION_NUMBER)
        return value->number != 0 && !isnan(value->number);
    if (value->kind == EXPRESSION_STRING)
        return value->text[0] != '\0';
    return strcmp(value->text, "true") == 0;
}
