/* Memory that is given out in pieces and taken back as a whole: a definition's, and what a game keeps of it.
 *
 * What it gives is zeroed. It refuses beyond its ceiling as it does when the system has no more, so
 * that a hostile file cannot make a small text large in memory. */
#ifndef ENGINE_ARENA_H
#define ENGINE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct arena *arena_new(size_t bytes_max); /* NULL when there is no memory */
/* Another one who has it; each gives it back. */
struct arena *arena_share(struct arena *arena);
void arena_free(struct arena *arena); /* gone with the last who has it; NULL is allowed */

/* Room for `count` things of `size` bytes, aligned for anything; NULL when there is none. Nothing
 * asked is not an error: the answer is a valid pointer that must not be read. */
void *arena_allocate(struct arena *arena, size_t count, size_t size);
size_t arena_bytes(const struct arena *arena); /* what it has taken */
/* Whether something was refused because the system had no more, not because of the ceiling. */
bool arena_starved(const struct arena *arena);

#endif
