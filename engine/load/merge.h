/* RFC 7396 on texts: a patch is laid over a target, member by member. What comes of it is made of pieces of the two, in the order
 * and with the line ends they have there. */
#ifndef ENGINE_LOAD_MERGE_H
#define ENGINE_LOAD_MERGE_H

#include <stdbool.h>
#include <stddef.h>

struct merged {
    char *text; /* in memory from malloc, ends in zero */
    size_t length;
    bool starved;  /* there was no memory: the text is not whole */
    bool too_long; /* nor here */
};

/* Both are JSON, objects, and end in zero. `left_out` is a member of the patch itself that is not handed on; the
 * target has none of that name. Members of the two are the same if `meant` has one word for their names. At most
 * `most` bytes. */
struct merged merge_texts(const char *target, const char *patch, const char *left_out,
                          const char *(*meant)(const char *name), size_t most);

#endif
