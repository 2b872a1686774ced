/* The expressions admitted (expression.h): read, and what has been understood written out again. Nothing else reaches
 * Duktape. */
#ifndef ENGINE_LOAD_EXPRESSION_PARSER_H
#define ENGINE_LOAD_EXPRESSION_PARSER_H

#include "engine/load/expression.h"

enum {
    /* every byte read gives at most itself, a space, and the "+ ( " and ") " of an index */
    EXPRESSION_WRITTEN_BYTES_MAX = EXPRESSION_BYTES_MAX * 8 + 1,
};

/* `names` are the coordinates. False with `error` filled in; `written` begins as "" and has
 * EXPRESSION_WRITTEN_BYTES_MAX of room. */
bool expression_parse(const char *text, const char *const *names, int name_count, char *written,
                      struct expression_error *error);

#endif
