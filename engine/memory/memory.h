/* Memory that is not there: one policy for the whole program.
 *
 * 1. What a stranger's input sizes is asked for with malloc and the like, or below a budget of its own (compiling a
 *    definition: engine/load/compile_memory.h; reading one; bodies of HTTP). NULL refuses that one thing, and
 *    nothing else happens.
 * 2. Everything else is small and bounded, and is asked for here: it is there, or the program ends. Before it
 *    ends, the reserve is given up: a piece of memory kept back from the start, large enough for whatever one
 *    turn of the loop takes. From that moment memory_is_short() says so, and the server takes up nothing
 *    that would grow (rooms, definitions, imports) until the reserve has been filled again.
 * 3. When that is used up, too, one line says so on standard error and the process ends with MEMORY_EXIT. Nothing
 *    acknowledged is lost, since what is acknowledged is on disk; it is what `kill -9` would be.
 *
 * Nobody else calls abort() or looks whether there was memory by an assertion. Safe on any thread. */
#ifndef MEMORY_MEMORY_H
#define MEMORY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum {
    MEMORY_EXIT = 71,                        /* EX_OSERR */
    MEMORY_RESERVE_BYTES = 32 * 1024 * 1024, /* address space; untouched until it is needed */
};

/* Never NULL. `size` is not 0; a count of 0 gives a piece nobody may read. */
void *memory_zeroed(size_t count, size_t size);
void *memory_resize(void *old, size_t count, size_t size); /* what is new in it is not zeroed */
void *memory_bytes(size_t bytes);                          /* not zeroed */
char *memory_text(const char *text);                       /* a copy; of NULL NULL */
FILE *memory_stream(char **text, size_t *length);          /* open_memstream */
/* For libraries that can be given a malloc: the reserve is given up for them, too, but NULL is possible. */
void *memory_for_library(size_t bytes);
/* Ends the process, as all of these do that find none: for who has been told so by a library. */
_Noreturn void memory_end_process(size_t bytes);

/* A server's: takes the reserve, or takes it again after it was given up. False: there is no such memory now. */
bool memory_fill_reserve(void);
/* The reserve has been given up since it was filled last. Never before it is first filled. */
bool memory_is_short(void);

#endif
