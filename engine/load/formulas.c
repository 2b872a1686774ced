#include "engine/load/reader.h"
#include "engine/work.h"

#include <math.h>
#include <string.h>

/* The heap is made when the first expression is met. */
static bool have_expressions(struct reader *reader)
{
    if (reader->expressions != NULL || !reader->dimensions.known)
        return reader->expressions != NULL;
    reader->expressions =
        expressions_new(reader->dimensions.names, reader->dimensions.count, EXPRESSION_MEMORY_MAX);
    if (reader->expressions == NULL)
        reader_starved(reader);
    return reader->expressions != NULL;
}

struct formula formula_read(struct reader *reader, const struct node *node, bool may_be_number)
{
    struct formula formula = {.sound = false};
    if (may_be_number && node_type(node) == NODE_NUMBER) {
        formula.sound = formula.constant = true;
        formula.number = node_number(node);
        return formula;
    }
    enum node_type type = node_type(node);
    if (may_be_number && type != NODE_ABSENT && type != NODE_STRING) {
        reader_error(reader, node, NODE_VALUE, "write an expression as a string, like \"2 * x\"",
                     "this must be a number or an expression");
        return formula;
    }
    if (!reader_expect(reader, node, NODE_STRING) || !have_expressions(reader))
        return formula;
    struct expression_error error;
    formula.length = strlen(node_string(node));
    formula.compiled = expression_compile(reader->expressions, node_string(node), &error);
    formula.sound = formula.compiled >= 0;
    if (!formula.sound)
        reader_error_in_string(reader, node, error.offset, error.message, error.hint);
    return formula;
}

static void report_work(struct reader *reader, const struct node *node)
{
    if (!reader->expression_work_reported && reader->definition->cell_count == 0)
        reader_error(reader, node, NODE_VALUE, "",
                     "too much to compute: a long expression for so many cells");
    else if (!reader->expression_work_reported)
        reader_error(reader, node, NODE_VALUE, "",
                     "too much to compute: long expressions on a board of %d cells",
                     reader->definition->cell_count);
    reader->expression_work_reported = true;
}

bool formula_evaluate(struct reader *reader, const struct node *node, struct formula *formula,
                      const int *coordinates, struct expression_value *value)
{
    enum { CALL_WORK = 32 };
    if (!formula->sound)
        return false;
    if (formula->constant) {
        *value = (struct expression_value){.kind = EXPRESSION_NUMBER, .number = formula->number};
        return true;
    }
    reader->expression_work += formula->length + CALL_WORK;
    work_spend(WORK_EXPRESSION * (1 + formula->length / 16));
    if (reader->expression_work > EXPRESSION_WORK_MAX) {
        formula->sound = false;
        report_work(reader, node);
        return false;
    }
    if (expression_evaluate(reader->expressions, formula->compiled, coordinates, value))
        return true;
    formula->sound = false;
    reader_error(reader, node, NODE_VALUE, "", "this expression needs too much memory");
    return false;
}

bool formula_holds(struct reader *reader, const struct node *node, struct formula *formula,
                   const int *coordinates, bool *holds)
{
    struct expression_value value;
    if (!formula_evaluate(reader, node, formula, coordinates, &value))
        return false;
    if (value.kind == EXPRESSION_NUMBER)
        *holds = value.number != 0 && !isnan(value.number);
    else if (value.kind == EXPRESSION_STRING)
        *holds = value.text[0] != '\0';
    else
        *holds = strcmp(value.text, "true") == 0;
    return true;
}
