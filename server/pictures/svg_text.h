/* Text that is written: bounded, in one piece of memory taken at the start. */
#ifndef SERVER_PICTURES_SVG_TEXT_H
#define SERVER_PICTURES_SVG_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct svg_text {
    char *bytes; /* owned; ended by zero */
    size_t length, size;
    bool full; /* something did not fit */
};

/* False: there is no such memory. */
bool svg_text_init(struct svg_text *text, size_t size);
void svg_text_release(struct svg_text *text);
void svg_text_add(struct svg_text *text, const char *bytes, size_t length);
void svg_text_put(struct svg_text *text, const char *words);
/* As the content of an element or of an attribute's value. */
void svg_text_escape(struct svg_text *text, const char *bytes, size_t length);

#endif
