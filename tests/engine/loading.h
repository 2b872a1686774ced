/* What tests of loading need: a file with a piece replaced, long lists, and memory that fails.
 * Programs with this file wrap malloc, calloc and realloc (-Wl,--wrap=…). */
#ifndef TESTS_ENGINE_LOADING_H
#define TESTS_ENGINE_LOADING_H

#include <stddef.h>

struct bases; /* what the file may extend; NULL: nothing */

/* `text` with its first `from` replaced; in new memory. Fails where it does not say it. */
char *loading_replace(const char *text, const char *from, const char *to);
/* `unit` with its %d as 0, 1, 2 …, with commas between; in static memory. */
const char *loading_repeat(const char *before, const char *unit, int count, const char *after);

/* Whatever allocation fails, loading the file says that there is no memory and blames nobody (or, where it never
 * noticed, has loaded it), and nothing leaks.
 * Every one of the first `all_of` is failed, then one in `step`: a thorough look costs as much as it finds. */
void loading_expect_allocations_may_fail(const char *text, const struct bases *bases, long all_of,
                                         long step);

#endif
