/* The page's address and its HTML: `index.html` of the files, with what a program that shows a link wants to know of it
 * (Open Graph) and where the files of this version are. */
#ifndef SERVER_CLI_PAGE_H
#define SERVER_CLI_PAGE_H

#include <stdbool.h>

#include "server/net/net.h"

struct core;
struct files;

struct page_sources {
    const struct core *core;
    const struct files *files;
    bool is_secure;       /* it is reached by TLS */
    bool trust_forwarded; /* a proxy says whether it is */
};

/* "/", "/room/ID", "/game/NAME@N", "/make": the page reads from its own address what it is to show. */
bool page_is_at(const char *path);
/* False: there is no index.html. */
bool page_answer(const struct page_sources *sources, const struct net_request *request,
                 struct net_answer *answer);

#endif
