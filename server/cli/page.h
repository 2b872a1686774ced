/* The page's address and its HTML: `index.html` of the files, with what a program that shows a link wants to know of it
 * (Open Graph) and where the files of this version are. */
#ifndef SERVER_CLI_PAGE_H
#define SERVER_CLI_PAGE_H

#include <stdbool.h>

#include "server/net/net.h"

struct core;
struct files;
struct late_file;
struct page_cache;

struct page_sources {
    const struct core *core;
    const struct files *files;
    struct late_file *engine; /* of browsers */
    struct page_cache *cache;
    bool is_secure;       /* it is reached by TLS */
    bool trust_forwarded; /* a proxy says whether it is */
};

/* "/", "/room/ID", "/game/NAME@N", "/make": the page reads from its own address what it is to show. */
bool page_is_at(const char *path);
/* Somebody looks, in a browser's address field, for what is not here: the page says so. */
bool page_tells_nothing_is_here(const struct page_sources *sources,
                                const struct net_request *request);
/* What it takes beyond giving out a file, in thousandths of a unit (server/core/cost.h). */
enum { PAGE_COST = 200, PAGE_FILLED_COST = 600, PAGE_COMPRESSED_COST = 25000 };
/* False: there is no index.html. `cost` is set to what it took. */
bool page_answer(const struct page_sources *sources, const struct net_request *request,
                 struct net_answer *answer, uint64_t *cost);

#endif
