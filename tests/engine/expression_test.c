/* The expressions of game files: what is admitted and what it gives, what is refused and where. */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "engine/load/expression.h"
#include "engine/load/text.h"

enum { MEMORY = 1024 * 1024, ROWS_MAX = 200 };

static const char *const names[] = {"x", "y"};
static const int coordinates[] = {3, -2};

/* At x = 3, y = -2. */
struct admitted {
    const char *text, *value;
};

/* clang-format off */
static const struct admitted admitted[] = {
    {"7", "7"}, {"0", "0"}, {"1.5", "1.5"}, {".5", "0.5"}, {"1.", "1"}, {"1e3", "1000"},
    {"2E-1", "0.2"}, {"1e+2", "100"}, {"'a'", "'a'"}, {"\"a'b\"", "'a'b'"},
    {"'it\\'s'", "'it's'"}, {"'a\\\\b'", "'a\\b'"}, {"'ä'", "'ä'"}, {"''", "''"},
    {"x", "3"}, {"y", "-2"}, {" x\t+\n1 ", "4"},
    {"x + y", "1"}, {"x - y", "5"}, {"x * y", "-6"}, {"x / y", "-1.5"}, {"x % 2", "1"},
    {"y % 4", "-2"}, {"7 % -4", "3"}, {"2 ** 3", "8"}, {"2 ** 3 ** 2", "512"},
    {"(-2) ** 2", "4"}, {"2 ** -1", "0.5"},
    {"-x", "-3"}, {"+x", "3"}, {"- -x", "3"}, {"!x", "false"}, {"!!x", "true"}, {"x - -1", "4"},
    {"0 * -1", "0"},
    {"x < 3", "false"}, {"x <= 3", "true"}, {"x > y", "true"}, {"x >= 4", "false"},
    {"x == 3", "true"}, {"x != 3", "false"}, {"x === 3", "true"}, {"x !== '3'", "true"},
    {"x == '3'", "true"}, {"x && y", "-2"}, {"0 && y", "0"}, {"0 || y", "-2"},
    {"x || y", "3"}, {"'' || 'b'", "'b'"},
    {"x ? 'a' : 'b'", "'a'"}, {"!x ? 'a' : 'b'", "'b'"},
    {"x == 1 ? 'a' : x == 2 ? 'b' : x == 3 ? 'c' : 'd'", "'c'"},
    {"x ? y ? 1 : 2 : 3", "1"}, {"x ?.5:1", "0.5"},
    {"(x)", "3"}, {"((x + 1)) * 2", "8"}, {"1 + 2 * 3", "7"}, {"(1 + 2) * 3", "9"},
    {"1 + 1 + 'a' + 1 + 1", "'2a11'"},
    {"'abcd'[x]", "'d'"}, {"'abcdefgh'[7 - x] + (y + 3)", "'e1'"}, {"'abc'[x]", "undefined"},
    {"'abc'[-1]", "undefined"}, {"'abc'[0.5]", "undefined"}, {"'abc'['1']", "'b'"},
    /* an index is a number: no property can be reached through it */
    {"'abc'['length']", "undefined"}, {"'abc'['constructor']", "undefined"},
    {"'abc'['__proto__']", "undefined"},
    {"Math.floor(x / 2)", "1"}, {"Math.abs(y)", "2"}, {"Math.max(x, y, 7)", "7"},
    {"Math.min(x, y)", "-2"}, {"Math.max()", "-Infinity"}, {"Math.sqrt(16)", "4"},
    {"Math.round(2.5)", "3"}, {"Math.ceil(1.1)", "2"}, {"Math.trunc(-1.5)", "-1"},
    {"Math.sign(y)", "-1"}, {"Math.pow(2, 10)", "1024"}, {"Math.round(Math.cbrt(27))", "3"},
    {"Math.hypot(3, 4)", "5"}, {"Math.log2(8)", "3"}, {"Math.log10(1000)", "3"},
    {"Math.log(1)", "0"}, {"Math.exp(0)", "1"}, {"Math.sin(0)", "0"}, {"Math.cos(0)", "1"},
    {"Math.tan(0)", "0"}, {"Math.asin(0)", "0"}, {"Math.acos(1)", "0"}, {"Math.atan(0)", "0"},
    {"Math.atan2(0, 1)", "0"}, {"Math.floor(Math.PI * 100)", "314"},
    {"Math.floor(Math.E * 100)", "271"}, {"Math.SQRT2 > Math.SQRT1_2", "true"},
    {"Math.LN2 < Math.LN10", "true"}, {"Math.LOG2E > Math.LOG10E", "true"},
    {"Math . abs ( y )", "2"}, {"1 / 0", "Infinity"}, {"0 / 0", "NaN"}, {"'a' * 1", "NaN"},
    {"x<!-y", "false"}, {"1 - - - 1", "0"},
};

struct refused {
    const char *text;
    int offset;
    const char *message, *hint;
};

static const struct refused refused[] = {
    {"", 0, "the expression ends too early", ""},
    {"  ", 2, "the expression ends too early", ""},
    {"x +", 3, "the expression ends too early", ""},
    {"x y", 2, "the expression should end here", ""},
    {"x)", 1, "the expression should end here", ""},
    {"(x", 2, "`)` is missing here", ""},
    {"x ? 1", 5, "`:` is missing here", ""},
    {"* x", 0, "a value is missing here", ""},
    {"x + * y", 4, "a value is missing here", ""},
    {"1, 2", 1, "the expression should end here", ""},
    {"x = 3", 2, "`=` is not allowed in an expression", "to compare, write =="},
    {"x += 3", 2, "`+=` is not allowed in an expression", ""},
    {"x => x", 2, "`=>` is not allowed in an expression", "to compare, write =="},
    {"x++", 1, "`++` is not allowed in an expression", ""},
    {"--x", 0, "`--` is not allowed in an expression", ""},
    {"x <!--y", 4, "`--` is not allowed in an expression", ""},
    {"x // y", 2, "`//` is not allowed in an expression", ""},
    {"x /* y */", 2, "`/*` is not allowed in an expression", ""},
    {"x & 1", 2, "`&` is not allowed in an expression", ""},
    {"~x", 0, "`~` is not allowed in an expression", ""},
    {"x >>> 1", 2, "`>>>` is not allowed in an expression", ""},
    {"x ?? y", 2, "`??` is not allowed in an expression", ""},
    {"x; y", 1, "`;` is not allowed in an expression", ""},
    {"{}", 0, "`{` is not allowed in an expression", ""},
    {"[1][0]", 0, "a value is missing here", ""},
    {"/a/", 0, "a value is missing here", ""},
    {"`x`", 0, "this character is not allowed in an expression", ""},
    {"x # y", 2, "this character is not allowed in an expression", ""},
    {"ä", 0, "this character is not allowed in an expression", ""},
    {"z", 0, "no coordinate `z`", "only the coordinates and Math have names here: `x` `y`"},
    {"xy", 0, "no coordinate `xy`", "only the coordinates and Math have names here: `x` `y`"},
    {"x in y", 2, "the expression should end here", ""},
    {"typeof x", 0, "no coordinate `typeof`",
     "only the coordinates and Math have names here: `x` `y`"},
    {"this", 0, "no coordinate `this`", "only the coordinates and Math have names here: `x` `y`"},
    {"function () {}", 0, "no coordinate `function`",
     "only the coordinates and Math have names here: `x` `y`"},
    {"eval('1')", 0, "no coordinate `eval`",
     "only the coordinates and Math have names here: `x` `y`"},
    {"x.y", 1, "`.` is not allowed after a coordinate", ""},
    {"x[0]", 1, "`[` is not allowed after a coordinate", ""},
    {"x(1)", 1, "`(` is not allowed after a coordinate", ""},
    {"'a'.length", 3, "`.` is not allowed after a string", ""},
    {"'a'('b')", 3, "`(` is not allowed after a string", ""},
    {"'a'[0][0]", 6, "the expression should end here", ""},
    {"('abc')[0]", 7, "the expression should end here", ""},
    {"'abc'[0", 7, "`]` is missing here", ""},
    {"'abc'[]", 6, "a value is missing here", ""},
    {"(x).y", 3, "the expression should end here", ""},
    {"1 .toString()", 2, "the expression should end here", ""},
    {"Math", 4, "`.` is missing here", ""},
    {"Math[0]", 4, "`.` is missing here", ""},
    {"Math.random()", 5, "`Math` has nothing allowed of this name", ""},
    {"Math.constructor", 5, "`Math` has nothing allowed of this name", ""},
    {"Math.abs", 8, "`(` is missing here", ""},
    {"Math.abs(1", 10, "`)` is missing here", ""},
    {"Math.abs(1).x", 11, "the expression should end here", ""},
    {"Math.max(1 2)", 11, "`)` is missing here", ""},
    {"Math.PI()", 7, "the expression should end here", ""},
    {"'a", 0, "this string does not end, or has an escape not allowed", ""},
    {"'a\"", 0, "this string does not end, or has an escape not allowed", ""},
    {"'a\nb'", 0, "this string does not end, or has an escape not allowed", ""},
    {"'\\u0041'", 0, "this string does not end, or has an escape not allowed", ""},
    {"'\\", 0, "this string does not end, or has an escape not allowed", ""},
    {"010", 0, "this is not a number", "write it in decimal, without leading zeros"},
    {"0x10", 0, "this is not a number", "write it in decimal, without leading zeros"},
    {"1e", 0, "this is not a number", "write it in decimal, without leading zeros"},
    {"3x", 0, "this is not a number", "write it in decimal, without leading zeros"},
    {"1..x", 2, "the expression should end here", ""},
    {"-x ** 2", 3, "`**` after a sign is ambiguous", "add parentheses"},
    {"x **= 2", 2, "`**=` is not allowed in an expression", ""},
    {"'\xe2\x80\xa8'", 0, "the expression cannot be compiled", ""},
};
/* clang-format on */

static void write_value(const struct expression_value *value, char *text, size_t size)
{
    const char *quote = value->kind == EXPRESSION_STRING ? "'" : "";
    snprintf(text, size, "%s%s%s", quote, value->text, quote);
}

static void gives_the_value(void **state)
{
    const struct admitted *row = *state;
    struct expressions *expressions = expressions_new(names, 2, MEMORY);
    assert_non_null(expressions);
    struct expression_error error;
    struct expression_value value;
    char text[512];
    int number = expression_compile(expressions, row->text, &error);
    if (number < 0)
        fail_msg("%s: %s", row->text, error.message);
    assert_true(expression_evaluate(expressions, number, coordinates, &value));
    write_value(&value, text, sizeof text);
    assert_string_equal(text, row->value);
    expressions_free(expressions);
}

static void is_refused(void **state)
{
    const struct refused *row = *state;
    struct expressions *expressions = expressions_new(names, 2, MEMORY);
    assert_non_null(expressions);
    struct expression_error error;
    assert_int_equal(expression_compile(expressions, row->text, &error), -1);
    assert_string_equal(error.message, row->message);
    assert_string_equal(error.hint, row->hint);
    assert_int_equal(error.offset, row->offset);
    /* and one that is refused does no harm to the next */
    int number = expression_compile(expressions, "x", &error);
    struct expression_value value;
    assert_true(number >= 0 && expression_evaluate(expressions, number, coordinates, &value));
    assert_true(value.number == 3);
    expressions_free(expressions);
}

/* `unit` repeated, between `before` and `after`. */
static int compile_repeated(const char *before, const char *unit, int count, const char *after,
                            struct expression_error *error)
{
    char text[4096] = "";
    struct expressions *expressions = expressions_new(names, 2, MEMORY);
    assert_non_null(expressions);
    size_t used = (size_t)snprintf(text, sizeof text, "%s", before);
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", unit);
    snprintf(text + used, sizeof text - used, "%s", after);
    int number = expression_compile(expressions, text, error);
    expressions_free(expressions);
    return number;
}

static void length_is_bounded(void **state)
{
    (void)state;
    struct expression_error error;
    assert_true(compile_repeated("", "1", EXPRESSION_BYTES_MAX, "", &error) >= 0);
    assert_int_equal(compile_repeated("", "1", EXPRESSION_BYTES_MAX + 1, "", &error), -1);
    assert_string_equal(error.message,
                        "the expression is too long: at most 1000 bytes are allowed");
}

static void depth_is_bounded(void **state)
{
    (void)state;
    static const char *const deep[] = {"(",    "-(", "x ? (", "Math.abs(",
                                       "'a'[", "!",  "1 ? ",  "2 ** "};
    struct expression_error error;
    for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
        assert_int_equal(compile_repeated("", deep[i], EXPRESSION_DEPTH_MAX + 1, "x", &error), -1);
        assert_string_equal(error.message, "the expression is nested too deeply");
    }
    assert_true(compile_repeated("", "!", EXPRESSION_DEPTH_MAX - 1, "x", &error) >= 0);
}

static void long_chains_are_not_deep(void **state)
{
    (void)state;
    struct expression_error error;
    assert_true(compile_repeated("0", " + x", 200, "", &error) >= 0);
    assert_true(compile_repeated("", "x?1:", 200, "2", &error) >= 0);
    assert_true(compile_repeated("0", "+x", 499, "", &error) >= 0);
    assert_true(compile_repeated("0", "+'a'[x]", 140, "", &error) >= 0);
}

static void long_results_are_cut(void **state)
{
    (void)state;
    char text[EXPRESSION_BYTES_MAX + 1] = "'";
    memset(text + 1, 'a', 400);
    text[401] = '\'';
    struct expressions *expressions = expressions_new(names, 2, MEMORY);
    struct expression_error error;
    struct expression_value value;
    int number = expression_compile(expressions, text, &error);
    assert_true(expression_evaluate(expressions, number, coordinates, &value));
    assert_true(value.cut);
    assert_int_equal(strlen(value.text), EXPRESSION_RESULT_BYTES - 1);
    expressions_free(expressions);
}

static void many_expressions_share_one_heap(void **state)
{
    (void)state;
    struct expressions *expressions = expressions_new(names, 2, MEMORY);
    struct expression_error error;
    struct expression_value value;
    for (int i = 0; i < 150; i++) {
        char text[32];
        snprintf(text, sizeof text, "x + %d", i);
        assert_int_equal(expression_compile(expressions, text, &error), i);
    }
    for (int i = 0; i < 150; i++) {
        assert_true(expression_evaluate(expressions, i, coordinates, &value));
        assert_true(value.number == 3 + i);
    }
    expressions_free(expressions);
}

/* With every ceiling from nothing to enough: a refusal, never a crash, and at last it works. */
static void memory_has_a_ceiling(void **state)
{
    (void)state;
    int not_compiled = 0, not_evaluated = 0, worked = 0;
    for (size_t most = 0; most < 16384; most += 64) {
        struct expressions *expressions = expressions_new(names, 2, most);
        assert_non_null(expressions);
        struct expression_error error;
        struct expression_value value;
        int number = expression_compile(
            expressions, "'abcdefgh'[x] + (x + 1) + x / 7 + (x / 7 + 'abc') + x / 7 + x / 7",
            &error);
        if (number < 0) {
            assert_string_equal(error.message, "the expression cannot be compiled");
            not_compiled++;
        } else if (!expression_evaluate(expressions, number, coordinates, &value)) {
            not_evaluated++;
        } else {
            assert_int_equal(strncmp(value.text, "d40.4285", 8), 0);
            worked++;
        }
        expressions_free(expressions);
    }
    /* what compiles leaves room behind for what evaluating takes, so that hardly ever fails */
    assert_true(not_compiled > 0 && worked > 0);
    assert_int_equal(not_compiled + not_evaluated + worked, 16384 / 64);
}

static void colours_are_recognised(void **state)
{
    (void)state;
    static const char *const colours[] = {"red",
                                          "darkslategrey",
                                          "transparent",
                                          "#fff",
                                          "#ffff",
                                          "#a0B1c2",
                                          "#a0b1c2d3",
                                          "rgb(1, 2, 3)",
                                          "rgba(1,2,3,0.5)",
                                          "hsl(120, 40%, 50%)",
                                          "hsla(120, 40%, 50%, .5)",
                                          "rgb(1 2 3)",
                                          "rgb(1 2 3 / 50%)",
                                          "rgb( -1 , +2 , 3 )"};
    static const char *const others[] = {"",
                                         "Red",
                                         "reddish",
                                         "#",
                                         "#ff",
                                         "#fffff",
                                         "#ggg",
                                         "rgb",
                                         "rgb()",
                                         "rgb(1)",
                                         "rgb(1,2)",
                                         "rgb(1,2,3",
                                         "rgb(1,2,3,4,5)",
                                         "rgb(1,2,3) ",
                                         "rgb(a,2,3)",
                                         "rgb(1,,3)",
                                         "rgb(1.,2,3)",
                                         "rgb(1 2/3)",
                                         "rgb(var(--x),2,3)",
                                         "url(x)",
                                         "red;",
                                         "hsl(1deg, 2%, 3%)",
                                         "rgb(-,2,3)"};
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
        if (!colour_is_valid(colours[i]))
            fail_msg("a colour: %s", colours[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (colour_is_valid(others[i]))
            fail_msg("not a colour: %s", others[i]);
    assert_string_equal(colour_hint("lightgren").text, "did you mean `lightgreen`?");
    assert_string_equal(colour_hint("unicorn").text, "");
}

int main(void)
{
    struct CMUnitTest rows[ROWS_MAX];
    char sentences[ROWS_MAX][128];
    size_t count = 0;
    for (size_t i = 0; i < sizeof admitted / sizeof *admitted; i++, count++) {
        assert_true(count < ROWS_MAX);
        snprintf(sentences[count], sizeof *sentences, "%s gives %s", admitted[i].text,
                 admitted[i].value);
        rows[count] = (struct CMUnitTest){.name = sentences[count],
                                          .test_func = gives_the_value,
                                          .initial_state = (void *)(uintptr_t)&admitted[i]};
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++, count++) {
        assert_true(count < ROWS_MAX);
        snprintf(sentences[count], sizeof *sentences, "%s is refused", refused[i].text);
        rows[count] = (struct CMUnitTest){.name = sentences[count],
                                          .test_func = is_refused,
                                          .initial_state = (void *)(uintptr_t)&refused[i]};
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(length_is_bounded),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(long_chains_are_not_deep),
        cmocka_unit_test(long_results_are_cut),
        cmocka_unit_test(many_expressions_share_one_heap),
        cmocka_unit_test(memory_has_a_ceiling),
        cmocka_unit_test(colours_are_recognised),
    };
    int failed = _cmocka_run_group_tests("expressions, row by row", rows, count, NULL, NULL);
    return failed + cmocka_run_group_tests_name("expressions", tests, NULL, NULL);
}
