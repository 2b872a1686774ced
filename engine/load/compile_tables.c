#include "engine/load/compile.h"
#include "engine/state.h"

#include <assert.h>
#include <string.h>

static void reserve(struct table *table, size_t room)
{
    if (room <= table->room)
        return;
    size_t more = table->room == 0 ? 64 : table->room * 2;
    if (more < room)
        more = room;
    table->items = compile_resize(table->game, table->items, more, table->size);
    table->room = more;
}

void table_init(struct table *table, struct game *game, size_t size)
{
    memset(table, 0, sizeof *table);
    table->game = game;
    table->size = size;
    reserve(table, 1); /* an empty table has items to point at, too */
}

void *table_add(struct table *table, size_t count)
{
    compile_expect(table->game, count * table->size);
    reserve(table, table->count + count + 1);
    unsigned char *item = table->items + table->count * table->size;
    memset(item, 0, count * table->size);
    table->count += count;
    return item;
}

void *table_finish(const struct table *table, struct game *game)
{
    compile_fulfil(game, table->count * table->size);
    void *items = game_allocate(game, table->count + 1, table->size);
    if (table->count > 0)
        memcpy(items, table->items, table->count * table->size);
    return items;
}

/* --- pools ------------------------------------------------------------------------------------ */

struct pool_entry {
    size_t offset, length;
    uint64_t hash;
};

void pool_init(struct pool *pool, struct game *game)
{
    memset(pool, 0, sizeof *pool);
    table_init(&pool->bytes, game, 1);
    table_init(&pool->entries, game, sizeof(struct pool_entry));
}

/* Of whole words. */
static uint64_t hash_words(const void *bytes, size_t length)
{
    uint64_t hash = 0, word;
    for (size_t i = 0; i < length; i += sizeof word) {
        memcpy(&word, (const unsigned char *)bytes + i, sizeof word);
        hash = hash_mix(hash ^ word);
    }
    return hash;
}

static void rehash(struct pool *pool)
{
    size_t slot_count = pool->slot_count == 0 ? 256 : pool->slot_count * 2;
    compile_free(pool->bytes.game, pool->slots);
    pool->slots = compile_allocate(pool->bytes.game, slot_count, sizeof *pool->slots);
    pool->slot_count = slot_count;
    const struct pool_entry *entries = (const void *)pool->entries.items;
    for (size_t i = 0; i < pool->entries.count; i++) {
        size_t slot = entries[i].hash & (slot_count - 1);
        while (pool->slots[slot] != 0)
            slot = (slot + 1) & (slot_count - 1);
        pool->slots[slot] = (uint32_t)(i + 1);
    }
}

size_t pool_add(struct pool *pool, const void *bytes, size_t length)
{
    if ((pool->entries.count + 1) * 2 > pool->slot_count)
        rehash(pool);
    uint64_t hash = hash_words(bytes, length);
    const struct pool_entry *entries = (const void *)pool->entries.items;
    size_t slot = hash & (pool->slot_count - 1);
    for (; pool->slots[slot] != 0; slot = (slot + 1) & (pool->slot_count - 1)) {
        const struct pool_entry *entry = &entries[pool->slots[slot] - 1];
        if (entry->hash == hash && entry->length == length &&
            memcmp(pool->bytes.items + entry->offset, bytes, length) == 0)
            return entry->offset;
    }
    size_t offset = pool->bytes.count;
    memcpy(table_add(&pool->bytes, length), bytes, length);
    struct pool_entry *entry = table_add(&pool->entries, 1);
    *entry = (struct pool_entry){.offset = offset, .length = length, .hash = hash};
    pool->slots[slot] = (uint32_t)pool->entries.count;
    return offset;
}

/* --- sets ------------------------------------------------------------------------------------- */

uint32_t compile_cell_set(struct compiler *compiler, const uint64_t *words)
{
    size_t bytes = (size_t)compiler->game->words * sizeof *words;
    return (uint32_t)(pool_add(&compiler->cell_sets, words, bytes) / bytes);
}

uint32_t compile_contents_set(struct compiler *compiler, const uint64_t *words)
{
    size_t bytes = (size_t)compiler->game->contents_words * sizeof *words;
    return (uint32_t)(pool_add(&compiler->contents_sets, words, bytes) / bytes);
}
