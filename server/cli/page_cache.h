/* Pages that were filled in, so that a visitor costs no more than for a file. A page is known by what stands in its
 * blanks, which visitors choose in part (the host they name), so there are few of them, and one that is asked for again
 * replaces one that was not. It is compressed when it is asked for a second time: who invents hosts gains nothing. */
#ifndef SERVER_CLI_PAGE_CACHE_H
#define SERVER_CLI_PAGE_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "server/net/files.h"

enum { PAGE_CACHE_PAGES = 64, PAGE_CACHE_BYTES_MAX = 64 * 1024 /* a longer one is not kept */ };

struct page_cache;
struct page_cache *page_cache_new(struct files *files);
void page_cache_free(struct page_cache *cache);

/* NULL: it is not there. */
struct file *page_cache_find(struct page_cache *cache, const char *key);
/* Takes the text (from malloc). NULL: it is not kept, and stays the caller's. */
struct file *page_cache_keep(struct page_cache *cache, const char *key, const char *content_type,
                             char *text, size_t length);
/* As the page is to be given out. `made`: it was compressed for that now. */
const struct variant *page_cache_variant(struct page_cache *cache, struct file *file,
                                         enum files_coding coding, bool *made);

#endif
