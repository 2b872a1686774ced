#include "tests/support/test.h"

#include "tests/engine/loading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "engine/load/extends.h"
#include "engine/load/load.h"

enum { TEXT_BYTES = 512 * 1024 };

/* --- failing memory: the n-th allocation from now on, and all after it, fail ------------------ */

static long allocations_left = -1; /* -1: no end */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *piece, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *piece, size_t size);

static bool memory_is_out(void)
{
    if (allocations_left < 0)
        return false;
    if (allocations_left == 0)
        return true;
    allocations_left--;
    return false;
}

void *__wrap_malloc(size_t size)
{
    return memory_is_out() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return memory_is_out() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *piece, size_t size)
{
    return memory_is_out() ? NULL : __real_realloc(piece, size);
}

static struct game *load(const char *text, const struct bases *bases,
                         struct diagnostics *diagnostics)
{
    struct whole_text whole;
    struct game *game = NULL;
    if (whole_text_read(&whole, text, strlen(text), bases, diagnostics))
        game = game_load(whole.text, whole.length, NULL, diagnostics);
    whole_text_release(&whole);
    return game;
}

void loading_expect_allocations_may_fail(const char *text, const struct bases *bases, long all_of,
                                         long step)
{
    struct game *game = NULL;
    int refused = 0;
    json_set_alloc_funcs(__wrap_malloc, free);
    for (long n = 0; game == NULL && n < 100000; n += n < all_of ? 1 : step) {
        struct diagnostics diagnostics;
        diagnostics_init(&diagnostics);
        allocations_left = n;
        game = load(text, bases, &diagnostics);
        allocations_left = -1;
        assert_int_equal(game == NULL, diagnostics.error_count > 0);
        if (game == NULL && !diagnostics.no_memory)
            fail_msg("the file is blamed where there was no memory: %s",
                     diagnostics.list[0].message);
        refused += game == NULL;
        diagnostics_release(&diagnostics);
    }
    assert_non_null(game);
    assert_true(refused > all_of * 3 / 4);
    game_release(game);
    json_set_alloc_funcs(malloc, free);
}

/* --- making files ----------------------------------------------------------------------------- */

char *loading_replace(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (at == NULL)
        fail_msg("the file does not say: %s", from);
    size_t size = strlen(text) + strlen(to) + 1;
    char *changed = malloc(size);
    assert_non_null(changed);
    snprintf(changed, size, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return changed;
}

const char *loading_repeat(const char *before, const char *unit, int count, const char *after)
{
    static char text[TEXT_BYTES];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", before);
    for (int i = 0; i < count; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, i == 0 ? "" : ",");
        used += (size_t)snprintf(text + used, sizeof text - used, unit, i, i);
    }
    snprintf(text + used, sizeof text - used, "%s", after);
    return text;
}
