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

struct diagnostic {
    enum diagnostic_severity severity;
    int line, column;                       /* from 1; columns count bytes */
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

/* For the loader. Errors are counted even where there is no room to keep them. */
void diagnostics_add_at(struct diagnostics *diagnostics, enum diagnostic_severity severity,
                        int line, int column, const char *pointer, const char *message,
                        const char *hint);
/* Adds a finding at `pointer` when only the pointer is known: line 1, column 1. For compile.c. */
void diagnostics_add(struct diagnostics *diagnostics, enum diagnostic_severity severity,
                     const char *pointer, const char *message, const char *hint);
/* An error that is not the file's fault: there is no memory to load it with, now. */
void diagnostics_add_no_memory(struct diagnostics *diagnostics);
/* One more of this severity would be kept. */
bool diagnostics_have_room(const struct diagnostics *diagnostics,
                           enum diagnostic_severity severity);
void diagnostics_sort(struct diagnostics *diagnostics); /* by place */

#endif
