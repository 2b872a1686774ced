/* How much a picture draws: an element that is used is drawn again, and what it uses with it, so a few lines may ask for
 * thousands of millions. All that one element has another one drawn for (use, clip-path, mask, a gradient's href) is an
 * edge; what an element draws is itself, what is in it and what its edges lead to. */
#ifndef SERVER_PICTURES_SVG_DRAWN_H
#define SERVER_PICTURES_SVG_DRAWN_H

#include "server/pictures/picture.h"

struct svg_drawn;

struct svg_drawn *svg_drawn_new(void); /* NULL: there is no memory for it */
void svg_drawn_free(struct svg_drawn *drawn);

/* In the order of the file; -1: there are too many. */
int svg_drawn_begin(struct svg_drawn *drawn, int line);
void svg_drawn_end(struct svg_drawn *drawn, int element);
/* Texts of at most SVG_ID_BYTES_MAX bytes, copied. Of the element that began last. False: there are too many. */
void svg_drawn_name(struct svg_drawn *drawn, const char *id, size_t length);
bool svg_drawn_refer(struct svg_drawn *drawn, const char *id, size_t length);

/* NULL: it is little enough; else what is wrong, and in which line. */
const char *svg_drawn_fault(struct svg_drawn *drawn, int *line);

#endif
