#include "server/chess_mate/limit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory/memory.h"
#include "server/core/allowance.h"
#include "server/net/net.h"

struct entry {
    struct core_address client;
    struct allowance allowance;
    bool used;
};

struct limit {
    uint32_t per_s, burst;
    struct entry rows[LIMIT_ROWS][LIMIT_ROW_ADDRESSES];
};

struct limit *limit_new(uint32_t per_s, uint32_t burst)
{
    struct limit *limit = memory_zeroed(1, sizeof *limit);
    limit->per_s = per_s;
    limit->burst = burst;
    return limit;
}

void limit_free(struct limit *limit)
{
    free(limit);
}

static struct entry *row_of(struct limit *limit, const struct core_address *client)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < sizeof client->bytes; i++)
        hash = (hash ^ client->bytes[i]) * UINT64_C(0x100000001b3);
    hash ^= hash >> 32;
    return limit->rows[hash % LIMIT_ROWS];
}

/* The client's, or a free one, or that of who has been silent longest. */
static struct entry *find(struct limit *limit, const struct core_address *client, uint64_t now_ms)
{
    struct entry *row = row_of(limit, client), *other = row;
    for (int i = 0; i < LIMIT_ROW_ADDRESSES; i++) {
        struct entry *entry = &row[i];
        if (entry->used && memcmp(&entry->client, client, sizeof *client) == 0)
            return entry;
        if (other->used &&
            (!entry->used || entry->allowance.updated_ms < other->allowance.updated_ms))
            other = entry;
    }
    other->client = *client;
    allowance_init(&other->allowance, limit->per_s, limit->burst, now_ms);
    other->used = true;
    return other;
}

uint64_t limit_take(struct limit *limit, const struct core_address *client, uint64_t now_ms)
{
    static const struct core_address nobody;
    if (memcmp(client, &nobody, sizeof nobody) == 0 || limit->per_s == 0)
        return 0;
    return allowance_take(&find(limit, client, now_ms)->allowance, 1, now_ms);
}
