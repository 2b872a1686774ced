/* What is wrong with a game file, said to its author: where (JSON pointer, line, column), what, and
 * a hint.
 *
 * A loader collects all it finds, up to DIAGNOSTICS_MAX; `dropped` counts the rest. Messages are
 * whole sentences without a final full stop; hints start with a lower-case word and are "" when
 * there is nothing to suggest. */
#ifndef ENGINE_LOAD_DIAGNOSTIC_H
#define ENGINE_LOAD_DIAGNOSTIC_H

#include <stdbool.h>
#include <stddef.h>

enum {
    DIAGNOSTICS_MAX = 100,
    DIAGNOSTIC_POINTER_BYTES = 256,
    DIAGNOSTIC_TEXT_BYTES = 256,
};

enum diagnostic_severity { DIAGNOSTIC_ERROR, DIAGNOSTIC_WARNING };

/* What of a value a finding is about: its key, where it begins, or of a text this byte of it, from NODE_LETTER on. */
enum node_part { NODE_KEY = -1, NODE_VALUE, NODE_LETTER };

struct diagnostic {
    enum diagnostic_severity severity;
    bool placed;                            /* line and column are known; else both are 1 */
    int line, column;                       /* from 1; columns count bytes */
    int part;                               /* enum node_part */
    char pointer[DIAGNOSTIC_POINTER_BYTES]; /* RFC 6901; "" is the whole file; cut with … when too
                                               long */
    char message[DIAGNOSTIC_TEXT_BYTES];
    char hint[DIAGNOSTIC_TEXT_BYTES];
};

struct diagnostics {
    struct diagnostic *list; /* owned; ordered by line and column once loading is over */
    int count, dropped;
    int error_count; /* warnings do not keep a game from loading */
    bool no_memory;  /* the file may be sound: there was no memory to see */
};

void diagnostics_init(struct diagnostics *diagnostics);
void diagnostics_release(struct diagnostics *diagnostics);

/* For the loader. What is wrong with which part of which value. */
struct finding {
    const char *pointer; /* NULL: the whole file */
    enum diagnostic_severity severity;
    int part;
    int line, column; /* 0: document_locate will say where it is */
};
#define WHOLE_FILE ((struct finding){.pointer = NULL})
/* Errors are counted even where there is no room to keep them, but none that is there already. */
void diagnostics_add(struct diagnostics *diagnostics, struct finding finding, const char *hint,
                     const char *format, ...);
/* An error that is not the file's fault: there is no memory to load it with, now. */
void diagnostics_add_no_memory(struct diagnostics *diagnostics);
/* One more of this severity would be kept. */
bool diagnostics_have_room(const struct diagnostics *diagnostics,
                           enum diagnostic_severity severity);
void diagnostics_sort(struct diagnostics *diagnostics); /* by place */
/* The first error by place; NULL: there is none. */
const struct diagnostic *diagnostics_first_error(const struct diagnostics *diagnostics);

#endif
