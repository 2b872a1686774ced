/* Values of attributes and properties, read to the last letter and written anew: a few kinds of tokens, and nothing else. So
 * there is no way to write a comment, an escape, an address or a function that is not in the list. */
#ifndef SERVER_PICTURES_SVG_VALUES_H
#define SERVER_PICTURES_SVG_VALUES_H

#include "server/pictures/svg_text.h"
#include "server/pictures/svg_words.h"

enum { SVG_ID_BYTES_MAX = 64, SVG_FAULT_BYTES = 96 };

/* What a value names of this very file; 0: nothing. */
struct svg_target {
    size_t at, length; /* in what was written */
};

/* Adds the value to `out`. False: `fault` says what is wrong with it ("reaches out of the file"). Not for SVG_SHEET. */
bool svg_value_write(enum svg_value kind, const char *value, size_t length, struct svg_text *out,
                     struct svg_target *target, char fault[SVG_FAULT_BYTES]);
/* Whether it can be the name of an element or of a class. */
bool svg_is_name(const char *name, size_t length);

#endif
