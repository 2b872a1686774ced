/* The list that decides: which elements, attributes and properties a picture may have. What is not here is not written. */
#ifndef SERVER_PICTURES_SVG_WORDS_H
#define SERVER_PICTURES_SVG_WORDS_H

#include <stdbool.h>
#include <stddef.h>

enum svg_element {
    SVG_REFUSED, /* it draws, moves or does something we do not let in */
    SVG_ROOT,
    SVG_DRAWS,
    SVG_WORDS, /* of which the text is kept */
    SVG_STYLE,
    SVG_TAKEN_OUT, /* with all that is in it: it draws nothing */
};

/* How a value is read: svg_values.h. */
enum svg_value {
    SVG_PLAIN,  /* numbers, words, colours, functions that reach nowhere */
    SVG_PAINT,  /* and a gradient: url(#id) */
    SVG_PART,   /* none, or url(#id) of an element that is drawn for it */
    SVG_PATH,   /* letters and numbers */
    SVG_TARGET, /* #id */
    SVG_NAME,   /* an id */
    SVG_NAMES,  /* of classes */
    SVG_FONT,   /* names of fonts */
    SVG_SHEET,  /* properties */
};

struct svg_word {
    const char *name;
    enum svg_value value;
    bool is_property; /* may stand in a style, too */
};

enum svg_element svg_find_element(const char *name);
/* NULL: it is not allowed. */
const struct svg_word *svg_find_attribute(const char *name, size_t length);
const struct svg_word *svg_find_property(const char *name, size_t length);
/* Of values: rgb(, translate( and the like. */
bool svg_is_function(const char *name, size_t length);

#endif
