/* The expressions of a game file, evaluated for one cell after the other.
 *
 * They are a small part of JavaScript: numbers, strings, the coordinates' names, Math's functions
 * and constants, arithmetic, comparison, logic, ?:, parentheses, and one character of a string
 * literal ('abc'[x]). A parser of ours admits nothing else; what it has understood it writes out
 * again, and only that is given to Duktape. Without loops, assignments and calls of anything but
 * Math every expression ends; its length and depth are bounded; and Duktape's heap has a ceiling.
 */
#ifndef ENGINE_LOAD_EXPRESSION_H
#define ENGINE_LOAD_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

enum {
    EXPRESSION_BYTES_MAX = 1000,
    EXPRESSION_DEPTH_MAX = 32,
    EXPRESSION_RESULT_BYTES = 256, /* longer strings are cut, and said to be */
};

struct expression_error {
    size_t offset; /* byte of the expression at which it is noticed */
    char message[128], hint[128];
};

enum expression_kind { EXPRESSION_NUMBER, EXPRESSION_STRING, EXPRESSION_OTHER };

struct expression_value {
    enum expression_kind kind;
    double number;
    bool cut;
    char text[EXPRESSION_RESULT_BYTES]; /* the string, or how a sentence names the value:
                                           "undefined", "NaN" */
};

struct expressions; /* a heap and the functions compiled in it */

/* `names` are the coordinates, borrowed. NULL when there is no memory for an empty heap; beyond
 * that it takes at most `memory_max` bytes. */
struct expressions *expressions_new(const char *const *names, int name_count, size_t memory_max);
/* Whether the system had no more memory for them; what failed may have been sound. */
bool expressions_starved(const struct expressions *expressions);
void expressions_free(struct expressions *expressions); /* NULL is allowed */

/* A number for expression_evaluate; -1 with `error` filled in. */
int expression_compile(struct expressions *expressions, const char *text,
                       struct expression_error *error);
/* False when memory runs out. */
bool expression_evaluate(struct expressions *expressions, int number, const int *coordinates,
                         struct expression_value *value);

/* expression_parser.c: reads what is admitted and writes what has been understood out again; nothing else reaches Duktape. Every
 * byte read gives at most itself, a space, and the "+ ( " and ") " of an index. False with `error` filled in; `written` begins as "". */
enum { EXPRESSION_WRITTEN_BYTES_MAX = EXPRESSION_BYTES_MAX * 8 + 1 };
bool expression_parse(const char *text, const char *const *names, int name_count, char *written,
                      struct expression_error *error);

#endif
