/* What is decided in a room as the store is given it, and as other servers are told of it once it is durable. */
#ifndef SERVER_CORE_PAGE_H
#define SERVER_CORE_PAGE_H

#include "server/core/parts.h"

/* A write with the texts it borrows. */
struct page {
    struct store_write *write;
    char ladder[STORE_LADDER_BYTES + 1];
    char token_hashes[STATE_SEATS_MAX][DIGEST_HEX_DIGITS + 1];
};

/* Whether who sits where is another afterwards. */
bool page_changes_seats(enum event_kind kind);

/* The room's decision, whose event reads `body` (borrowed). */
void page_fill(struct page *page, const struct room *room, const char *body);

/* What other servers are told when it is durable. Who sits where, with what token, they read in the store. */
void page_keep_body(const struct core *core, struct decision *decision, const char *body);
void page_tell_others(const struct core *core, const struct room *room,
                      const struct decision *decision);

#endif
