/* Memory that is given out in pieces and taken back as a whole: a definition's.
 *
 * What it gives is zeroed. It refuses beyond its ceiling as it does when the system has no more, so
 * that a hostile file cannot make a small text large in memory. */
#ifndef ENGINE_LOAD_ARENA_H
#define ENGINE_LOAD_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct arena *arena_new(size_t bytes_max); /* NULL when there is no memory */
void arena_free(struct arena *arena);      /* NULL is allowed */

/* Room for `count` things of `size` bytes, aligned for anything; NULL when there is none. Nothing
 * asked is not an error: the answer is a valid pointer that must not be read. */
void *arena_allocate(struct arena *arena, size_t count, size_t size);
/* Whether something was refused because the system had no more, not because of the ceiling. */
bool arena_starved(const struct arena *arena);
char *arena_copy_string(struct arena *arena, const char *string);

#endif
