/* Whatever is written, an expression is refused at a place in it, or it ends and gives a value,
 * twice the same. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/load/expression.h"
#include "engine/load/text.h"
#include "tests/fuzz/fuzz.h"

enum { MEMORY = 1024 * 1024 };

static void evaluate_twice(struct expressions *expressions, int number, const char *text)
{
    static const int coordinates[] = {3, -2};
    struct expression_value first, second;
    bool gives = expression_evaluate(expressions, number, coordinates, &first);
    assert(gives == expression_evaluate(expressions, number, coordinates, &second));
    if (!gives)
        return;
    assert(first.kind == second.kind);
    assert(strcmp(first.text, second.text) == 0);
    assert(strlen(first.text) < EXPRESSION_RESULT_BYTES);
    /* Functions and objects cannot be reached, so their text comes only from a string that says it. */
    assert(strpbrk(text, "'\"") != NULL || strstr(first.text, "[native code]") == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"x", "y"};
    char *text = malloc(size + 1);
    struct expressions *expressions = expressions_new(names, 2, MEMORY);
    assert(text != NULL && expressions != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    struct expression_error error;
    int number = text_is_utf8(text) ? expression_compile(expressions, text, &error) : -2;
    if (number == -1)
        assert(error.message[0] != '\0' && error.offset <= strlen(text));
    if (number >= 0)
        evaluate_twice(expressions, number, text);
    expressions_free(expressions);
    free(text);
    return 0;
}
