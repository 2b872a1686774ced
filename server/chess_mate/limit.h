/* How many requests one address may send: a bucket of tokens for each, in a table of a fixed size.
 *
 * Where the table is full, the address that has been silent longest is forgotten, and begins with a full bucket if it comes
 * back: whoever has thousands of addresses has thousands of buckets anyway. Time is a parameter. */
#ifndef SERVER_CHESS_MATE_LIMIT_H
#define SERVER_CHESS_MATE_LIMIT_H

#include <stddef.h>
#include <stdint.h>

enum { LIMIT_ROWS = 256, LIMIT_ROW_ADDRESSES = 8 };

struct limit;

/* `per_s` 0: nothing is ever limited. */
struct limit *limit_new(uint32_t per_s, uint32_t burst);
void limit_free(struct limit *limit);

/* 0 and the request is counted, or the milliseconds until one could be. `client` all zero: nobody's. */
struct core_address;
uint64_t limit_take(struct limit *limit, const struct core_address *client, uint64_t now_ms);

#endif
