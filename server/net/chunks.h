/* A body in chunks (RFC 9112, section 7.1), read as it comes. What chunks say beside the body, extensions and trailers, is
 * read over; it is bounded, as are the digits of a length. No memory of its own. */
#ifndef SERVER_NET_CHUNKS_H
#define SERVER_NET_CHUNKS_H

#include <stddef.h>

enum { CHUNK_DIGITS_MAX = 8, CHUNKS_ASIDE_BYTES_MAX = 4096 };

enum chunks_state {
    CHUNKS_LENGTH, /* zero is where a body begins */
    CHUNKS_EXTENSION,
    CHUNKS_LENGTH_END,
    CHUNKS_DATA,
    CHUNKS_DATA_CR,
    CHUNKS_DATA_LF,
    CHUNKS_TRAILER_BEGIN,
    CHUNKS_TRAILER,
    CHUNKS_TRAILER_END,
    CHUNKS_LAST,
};

struct chunks {
    enum chunks_state state;
    size_t left; /* bytes of this chunk that are still to come */
    int digits;
    size_t aside; /* bytes read over, in all chunks */
};

enum chunks_answer { CHUNKS_MORE, CHUNKS_DONE, CHUNKS_MALFORMED };

/* Reads `length` bytes and moves those of the body, *kept of them, to their beginning. *used: how many were read; all of
 * them unless the body is complete before. */
enum chunks_answer chunks_read(struct chunks *chunks, char *bytes, size_t length, size_t *used,
                               size_t *kept);

#endif
