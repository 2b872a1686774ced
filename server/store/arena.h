/* Memory of one lifetime: taken in pieces, released at once. The arena is named by a pointer that
 * begins as NULL. */
#ifndef SERVER_STORE_ARENA_H
#define SERVER_STORE_ARENA_H

#include <stddef.h>

void *arena_take(void **arena, size_t size);                     /* NULL: out of memory */
char *arena_copy(void **arena, const char *text, size_t length); /* ends in zero */
void arena_release(void **arena);

#endif
