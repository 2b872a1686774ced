/* An SVG, read by libxml2 without network, entities or declarations, and written anew while it is read. */
#ifndef SERVER_PICTURES_SVG_H
#define SERVER_PICTURES_SVG_H

#include "server/pictures/picture.h"

void svg_begin(void);
enum picture_outcome svg_read(const char *bytes, size_t length, size_t bytes_max,
                              struct picture *picture);

#endif
