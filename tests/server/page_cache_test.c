/* Pages that are kept: few, whatever visitors call themselves. */
#include "tests/support/test.h"

#include "server/cli/page_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 4000 };

static char *text_of(const char *key)
{
    char *text = malloc(LENGTH);
    memset(text, 'x', LENGTH);
    memcpy(text, key, strlen(key));
    return text;
}

static struct file *keep(struct page_cache *cache, const char *key)
{
    struct file *page = page_cache_keep(cache, key, "text/html", text_of(key), LENGTH);
    assert_non_null(page);
    return page;
}

static bool is_kept(struct page_cache *cache, const char *key)
{
    return page_cache_find(cache, key) != NULL;
}

static void a_page_is_found_by_its_key_and_compressed_when_it_is_asked_for_again(void **state)
{
    struct files *files = files_new();
    struct page_cache *cache = page_cache_new(files);
    bool made;
    (void)state;
    assert_null(page_cache_find(cache, "one"));
    struct file *page = keep(cache, "one");
    const struct variant *variant = page_cache_variant(cache, page, FILES_BROTLI, &made);
    assert_false(made);
    assert_int_equal(variant->length, LENGTH);
    assert_ptr_equal(page_cache_find(cache, "one"), page);
    variant = page_cache_variant(cache, page, FILES_BROTLI, &made);
    assert_true(made);
    assert_true(variant->length < LENGTH / 10);
    assert_string_not_equal(variant->etag, page->variants[FILES_PLAIN].etag);
    assert_ptr_equal(page_cache_variant(cache, page, FILES_BROTLI, &made), variant);
    assert_false(made);
    page_cache_free(cache);
    assert_int_equal(files_bytes(files), 0);
    files_free(files);
}

static void a_flood_of_keys_takes_no_more_places_and_leaves_those_that_are_asked_for(void **state)
{
    struct files *files = files_new();
    struct page_cache *cache = page_cache_new(files);
    char key[32];
    int kept = 0;
    bool made;
    (void)state;
    keep(cache, "popular");
    for (int i = 0; i < 100 * PAGE_CACHE_PAGES; i++) {
        snprintf(key, sizeof key, "invented %d", i);
        page_cache_variant(cache, keep(cache, key), FILES_BROTLI, &made);
        assert_false(made);
        assert_true(i % 10 != 0 || is_kept(cache, "popular"));
    }
    assert_int_equal(files_bytes(files), 0);
    for (int i = 0; i < 100 * PAGE_CACHE_PAGES; i++) {
        snprintf(key, sizeof key, "invented %d", i);
        kept += is_kept(cache, key);
    }
    assert_int_equal(kept, PAGE_CACHE_PAGES - 1);
    page_cache_free(cache);
    files_free(files);
}

static void what_was_popular_goes_in_the_end(void **state)
{
    struct files *files = files_new();
    struct page_cache *cache = page_cache_new(files);
    char key[32];
    bool made;
    (void)state;
    for (int i = 0; i < 3 * PAGE_CACHE_PAGES; i++) {
        snprintf(key, sizeof key, "page %d", i);
        keep(cache, key);
        page_cache_variant(cache, page_cache_find(cache, key), FILES_GZIP, &made);
        assert_true(made);
    }
    assert_false(is_kept(cache, "page 0"));
    assert_true(is_kept(cache, key));
    /* What was compressed for pages that are gone is gone, too. */
    assert_true(files_bytes(files) <= PAGE_CACHE_PAGES * LENGTH / 10);
    page_cache_free(cache);
    assert_int_equal(files_bytes(files), 0);
    files_free(files);
}

static void a_long_text_stays_with_who_brought_it(void **state)
{
    struct files *files = files_new();
    struct page_cache *cache = page_cache_new(files);
    char *text = calloc(1, PAGE_CACHE_BYTES_MAX + 1);
    (void)state;
    assert_null(page_cache_keep(cache, "long", "text/html", text, PAGE_CACHE_BYTES_MAX + 1));
    assert_false(is_kept(cache, "long"));
    free(text);
    page_cache_free(cache);
    files_free(files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_is_found_by_its_key_and_compressed_when_it_is_asked_for_again),
        cmocka_unit_test(a_flood_of_keys_takes_no_more_places_and_leaves_those_that_are_asked_for),
        cmocka_unit_test(what_was_popular_goes_in_the_end),
        cmocka_unit_test(a_long_text_stays_with_who_brought_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
