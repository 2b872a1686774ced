/* Hints for what authors write who know other formats, or JavaScript better than JSON. */
#ifndef ENGINE_LOAD_ADVICE_H
#define ENGINE_LOAD_ADVICE_H

#include "engine/load/text.h"

/* Of a key that this table does not have; "": none. `of_cells`: it says what a cell is like; `known`: the words that would be
 * possible. */
const char *advice_on_key(const char *key, bool of_cells, const struct name_list *known);

/* Of a text that is no JSON: what the parser stopped at, and where behind it in the text; "": none. */
const char *advice_on_text(const char *text, size_t position, const char *complaint);

#endif
