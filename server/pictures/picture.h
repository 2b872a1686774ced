/* Pictures that strangers bring for the figures of their games: read whole, held against a list of what is allowed, and
 * written anew. What comes out is made of nothing but words of our own lists; what goes in is never given to anybody.
 *
 * Of an SVG what draws and is allowed is kept, what does not draw (comments, metadata, other programs' words) is taken
 * out, and what would do anything else (scripts, events, references to elsewhere, animation) or would change the picture
 * by being left out refuses all of it, in words that name line and element. Of a PNG the chunks that make the picture
 * are kept, when their sums, their sizes and all of their pixels are right.
 *
 * The same bytes give the same answer, and what was written, read again, is itself. Nothing here looks at a file, the
 * network or the time. */
#ifndef SERVER_PICTURES_PICTURE_H
#define SERVER_PICTURES_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum picture_kind { PICTURE_SVG, PICTURE_PNG };

enum {
    PICTURE_BYTES_MAX = 128 * 1024, /* whatever a server allows */
    PICTURE_SIDE_MAX = 1024,        /* of a PNG, in pixels */
    PICTURE_ELEMENTS_MAX = 2000,    /* of an SVG */
    PICTURE_DEPTH_MAX = 32,
    PICTURE_DRAWN_MAX = 20000,  /* elements drawn, as often as they are used */
    PICTURE_REFERENCES_MAX = 8, /* one behind the other */
    PICTURE_NUMBER_MAX = 1000000,
    PICTURE_RULES_MAX = 256, /* of its style sheets */
    PICTURE_WORDS_BYTES = 240,
};

enum picture_outcome { PICTURE_READ, PICTURE_REFUSED, PICTURE_NO_MEMORY };

struct picture {
    enum picture_kind kind;
    char *bytes; /* owned */
    size_t length;
    char words[PICTURE_WORDS_BYTES]; /* why it was refused */
    uint64_t looked_at;              /* bytes and elements, about: what it cost */
};

/* Before the first thread that reads one. */
void picture_begin(void);

/* `bytes_max`: of what comes and of what is written. Any thread. The picture is to be released whatever the outcome. */
enum picture_outcome picture_read(enum picture_kind kind, const void *bytes, size_t length,
                                  size_t bytes_max, struct picture *picture);
void picture_release(struct picture *picture);

#endif
