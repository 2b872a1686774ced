#include "server/store/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES_MIN = 1024, BLOCK_BYTES_MAX = 64 * 1024 };

struct block {
    struct block *older;
    size_t size, used;
    alignas(max_align_t) unsigned char bytes[];
};

/* Blocks grow, so a large answer is a few of them; what is larger has one of its own. */
static struct block *add_block(struct block *newest, size_t size)
{
    size_t room = newest == NULL ? BLOCK_BYTES_MIN : newest->size * 2;
    if (room > BLOCK_BYTES_MAX)
        room = BLOCK_BYTES_MAX;
    if (room < size)
        room = size;
    struct block *block = malloc(sizeof *block + room);
    if (block == NULL)
        return NULL;
    block->older = newest;
    block->size = room;
    block->used = 0;
    return block;
}

void *arena_take(void **arena, size_t size)
{
    size = (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    struct block *block = *arena;
    if (block == NULL || block->size - block->used < size) {
        block = add_block(block, size);
        if (block == NULL)
            return NULL;
        *arena = block;
    }
    void *piece = block->bytes + block->used;
    block->used += size;
    return piece;
}

char *arena_copy(void **arena, const char *text, size_t length)
{
    char *copy = arena_take(arena, length + 1);
    if (copy == NULL)
        return NULL;
    if (length > 0)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void arena_release(void **arena)
{
    struct block *block = *arena;
    while (block != NULL) {
        struct block *older = block->older;
        free(block);
        block = older;
    }
    *arena = NULL;
}
