#include "engine/arena.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { BLOCK_BYTES = 4096, ALIGNMENT = 16 };

struct block {
    struct block *next;
    size_t used, room;
    max_align_t bytes[]; /* so that what follows is aligned for anything */
};

struct arena {
    struct block *first;
    size_t bytes, bytes_max;
    atomic_int holders;
    bool starved;
};

struct arena *arena_new(size_t bytes_max)
{
    struct arena *arena = calloc(1, sizeof *arena);
    if (arena == NULL)
        return NULL;
    arena->bytes_max = bytes_max;
    atomic_init(&arena->holders, 1);
    return arena;
}

struct arena *arena_share(struct arena *arena)
{
    atomic_fetch_add_explicit(&arena->holders, 1, memory_order_relaxed);
    return arena;
}

void arena_free(struct arena *arena)
{
    if (arena == NULL || atomic_fetch_sub_explicit(&arena->holders, 1, memory_order_acq_rel) != 1)
        return;
    while (arena->first != NULL) {
        struct block *next = arena->first->next;
        free(arena->first);
        arena->first = next;
    }
    free(arena);
}

static struct block *add_block(struct arena *arena, size_t room)
{
    if (room > arena->bytes_max - arena->bytes)
        return NULL;
    struct block *block = calloc(1, sizeof *block + room);
    if (block == NULL) {
        arena->starved = true;
        return NULL;
    }
    block->room = room;
    block->next = arena->first;
    arena->first = block;
    arena->bytes += room;
    return block;
}

void *arena_allocate(struct arena *arena, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - ALIGNMENT) / size)
        return NULL;
    size_t wanted = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (wanted == 0)
        wanted = ALIGNMENT;
    struct block *block = arena->first;
    if (block == NULL || block->room - block->used < wanted)
        block = add_block(arena, wanted > BLOCK_BYTES ? wanted : BLOCK_BYTES);
    if (block == NULL)
        return NULL;
    void *piece = (char *)block->bytes + block->used;
    block->used += wanted;
    return piece;
}

size_t arena_bytes(const struct arena *arena)
{
    return sizeof *arena + arena->bytes;
}

bool arena_starved(const struct arena *arena)
{
    return arena->starved;
}
