#include "server/pictures/picture.h"

#include "server/pictures/png.h"
#include "server/pictures/svg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void picture_begin(void)
{
    svg_begin();
}

static enum picture_outcome refuse(struct picture *picture, const char *words)
{
    snprintf(picture->words, sizeof picture->words, "%s", words);
    return PICTURE_REFUSED;
}

static bool begins_with(const unsigned char *bytes, size_t length, const char *magic, size_t size)
{
    return length >= size && memcmp(bytes, magic, size) == 0;
}

enum picture_outcome picture_read(enum picture_kind kind, const void *bytes, size_t length,
                                  size_t bytes_max, struct picture *picture)
{
    *picture = (struct picture){.kind = kind, .looked_at = length};
    if (bytes_max > PICTURE_BYTES_MAX)
        bytes_max = PICTURE_BYTES_MAX;
    if (length == 0)
        return refuse(picture, "the file is empty");
    if (length > bytes_max) {
        snprintf(picture->words, sizeof picture->words,
                 "the file has %zu bytes; a picture has at most %zu", length, bytes_max);
        return PICTURE_REFUSED;
    }
    bool is_png = begins_with(bytes, length, PNG_SIGNATURE, PNG_SIGNATURE_BYTES);
    if (kind == PICTURE_PNG)
        return is_png ? png_read(bytes, length, picture) : refuse(picture, "this is not a PNG");
    if (is_png)
        return refuse(picture, "this is a PNG and not an SVG");
    if (begins_with(bytes, length, "\x1f\x8b", 2))
        return refuse(picture, "this SVG is packed (svgz): unpack it first");
    return svg_read(bytes, length, bytes_max, picture);
}

void picture_release(struct picture *picture)
{
    free(picture->bytes);
    picture->bytes = NULL;
}
