#include "server/cli/page_cache.h"

#include "engine/memory/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct page {
    struct file file; /* its path is the key; first, so that one is the other */
    uint64_t used;    /* when it was last asked for; 0: no page is here */
    bool again;       /* more than once */
};

struct page_cache {
    struct files *files;
    uint64_t clock; /* counts what is asked */
    struct page pages[PAGE_CACHE_PAGES];
};

struct page_cache *page_cache_new(struct files *files)
{
    struct page_cache *cache = memory_zeroed(1, sizeof *cache);
    cache->files = files;
    return cache;
}

static void forget(struct page_cache *cache, struct page *page)
{
    files_release_variants(cache->files, &page->file);
    free((void *)page->file.path);
    *page = (struct page){0};
}

void page_cache_free(struct page_cache *cache)
{
    if (cache == NULL)
        return;
    for (int i = 0; i < PAGE_CACHE_PAGES; i++)
        forget(cache, &cache->pages[i]);
    free(cache);
}

struct file *page_cache_find(struct page_cache *cache, const char *key)
{
    for (int i = 0; i < PAGE_CACHE_PAGES; i++) {
        struct page *page = &cache->pages[i];
        if (page->used == 0 || strcmp(page->file.path, key) != 0)
            continue;
        page->used = ++cache->clock;
        page->again = true;
        return &page->file;
    }
    return NULL;
}

static bool goes_before(const struct page *one, const struct page *other)
{
    return one->again != other->again ? !one->again : one->used < other->used;
}

/* Those asked for once go first, then who was asked for longest ago. A page that was popular and is no more looks like any
 * other after a while: each that goes makes those that stay prove themselves anew. */
static struct page *place_for_another(struct page_cache *cache)
{
    struct page *place = &cache->pages[0];
    for (int i = 1; i < PAGE_CACHE_PAGES; i++)
        if (goes_before(&cache->pages[i], place))
            place = &cache->pages[i];
    if (place->again)
        for (int i = 0; i < PAGE_CACHE_PAGES; i++)
            cache->pages[i].again = false;
    forget(cache, place);
    return place;
}

struct file *page_cache_keep(struct page_cache *cache, const char *key, const char *content_type,
                             /* NOLINTNEXTLINE(readability-non-const-parameter): it is owned */
                             char *text, size_t length)
{
    if (length > PAGE_CACHE_BYTES_MAX || memory_is_short())
        return NULL;
    struct page *page = place_for_another(cache);
    page->used = ++cache->clock;
    page->file =
        (struct file){.path = memory_text(key), .content_type = content_type, .is_text = true};
    page->file.variants[FILES_PLAIN] =
        (struct variant){.tried = true, .bytes = (unsigned char *)text, .length = length};
    files_write_etag(&page->file.variants[FILES_PLAIN]);
    return &page->file;
}

const struct variant *page_cache_variant(struct page_cache *cache, struct file *file,
                                         enum files_coding coding, bool *made)
{
    const struct page *page = (const struct page *)file;
    if (!page->again)
        coding = FILES_PLAIN;
    *made = !file->variants[coding].tried;
    return files_variant(cache->files, file, coding);
}
