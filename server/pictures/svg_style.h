/* CSS, as little of it as pictures need: properties of the list, and rules with plain selectors. */
#ifndef SERVER_PICTURES_SVG_STYLE_H
#define SERVER_PICTURES_SVG_STYLE_H

#include "server/pictures/svg_values.h"

enum { SVG_SELECTOR_BYTES_MAX = 200 };

/* What is in a style attribute names of this file. */
struct svg_targets {
    struct svg_target all[4];
    int count;
};

/* Blanks where comments were. */
void svg_style_strip(char *style, size_t length);
/* Of a style attribute. False, with a fault. */
bool svg_style_write_inline(const char *style, size_t length, struct svg_text *out,
                            struct svg_targets *targets, char fault[SVG_FAULT_BYTES]);
/* Of a style element. */
bool svg_style_write_sheet(const char *sheet, size_t length, struct svg_text *out,
                           char fault[SVG_FAULT_BYTES]);

#endif
