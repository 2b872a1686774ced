#include "engine/load/compile.h"
#include "engine/state.h"

#include <string.h>

/* Room for one more item, and one behind it: an empty table has items to point at, too. */
static void reserve(struct table *table)
{
    if (table->count + 2 <= table->room)
        return;
    size_t more = table->room == 0 ? 64 : table->room * 2;
    void *items = compile_allocate(table->game, more, table->size);
    if (table->count > 0)
        memcpy(items, table->items, table->count * table->size);
    compile_free(table->game, table->items);
    table->items = items;
    table->room = more;
}

void table_init(struct table *table, struct game *game, size_t size)
{
    memset(table, 0, sizeof *table);
    table->game = game;
    table->size = size;
    reserve(table);
}

void *table_add(struct table *table)
{
    compile_expect(table->game, table->size);
    reserve(table);
    return (unsigned char *)table->items + table->count++ * table->size;
}

void *table_finish(struct table *table)
{
    struct game *game = table->game;
    compile_fulfil(game, table->count * table->size);
    void *items = game_copy(game, table->items, table->count + 1, table->size);
    compile_free(game, table->items);
    table->items = NULL;
    return items;
}

/* --- pools ------------------------------------------------------------------------------------ */

void pool_init(struct pool *pool, struct game *game, int words)
{
    memset(pool, 0, sizeof *pool);
    pool->words = (size_t)words;
    table_init(&pool->items, game, pool->words * sizeof(uint64_t));
}

/* Where the item's number stands, or may be put: 0 there. */
static uint32_t *find_slot(const struct pool *pool, const uint64_t *item)
{
    const uint64_t *items = pool->items.items;
    uint64_t hash = 0;
    for (size_t i = 0; i < pool->words; i++)
        hash = hash_mix(hash ^ item[i]);
    size_t slot = hash & (pool->slot_count - 1);
    while (pool->slots[slot] != 0 &&
           memcmp(items + (pool->slots[slot] - 1) * pool->words, item, pool->items.size) != 0)
        slot = (slot + 1) & (pool->slot_count - 1);
    return &pool->slots[slot];
}

static void rehash(struct pool *pool)
{
    struct game *game = pool->items.game;
    const uint64_t *items = pool->items.items;
    pool->slot_count = pool->slot_count == 0 ? 256 : pool->slot_count * 2;
    compile_free(game, pool->slots);
    pool->slots = compile_allocate(game, pool->slot_count, sizeof *pool->slots);
    for (size_t i = 0; i < pool->items.count; i++)
        *find_slot(pool, items + i * pool->words) = (uint32_t)(i + 1);
}

uint32_t pool_add(struct pool *pool, const uint64_t *item)
{
    if ((pool->items.count + 1) * 2 > pool->slot_count)
        rehash(pool);
    uint32_t *slot = find_slot(pool, item);
    if (*slot == 0) {
        memcpy(table_add(&pool->items), item, pool->items.size);
        *slot = (uint32_t)pool->items.count;
    }
    return *slot - 1;
}

uint32_t compile_cell_set(struct compiler *compiler, const uint64_t *cells)
{
    uint32_t set = pool_add(&compiler->cell_sets, cells);
    compiler->game->cell_sets = compiler->cell_sets.items.items;
    return set;
}
