/* Is a text a colour as CSS writes it? What clients receive as a colour is nothing else. */
#ifndef ENGINE_LOAD_COLOUR_H
#define ENGINE_LOAD_COLOUR_H

#include <stdbool.h>

/* A name, #rgb, #rgba, #rrggbb, #rrggbbaa, or rgb() rgba() hsl() hsla() with plain numbers and
 * percentages. */
bool colour_is_valid(const char *text);

/* The name nearest to `text`, or NULL: for a hint. */
const char *colour_nearest_name(const char *text);

#endif
