/* A PNG: its structure, its sums and every byte of its pixels looked at, and nothing but the picture kept. */
#ifndef SERVER_PICTURES_PNG_H
#define SERVER_PICTURES_PNG_H

#include "server/pictures/picture.h"

#define PNG_SIGNATURE "\x89PNG\r\n\x1a\n"
enum { PNG_SIGNATURE_BYTES = 8 };

enum picture_outcome png_read(const unsigned char *bytes, size_t length, struct picture *picture);

#endif
