#include "server/core/map.h"

#include "engine/memory/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_MIN = 16, COMPRESSION_ROUNDS = 1, FINAL_ROUNDS = 3 };

static uint64_t rotate(uint64_t value, int bits)
{
    return value << bits | value >> (64 - bits);
}

static void sip_rounds(uint64_t v[4], int rounds)
{
    for (int i = 0; i < rounds; i++) {
        v[0] += v[1], v[1] = rotate(v[1], 13) ^ v[0], v[0] = rotate(v[0], 32);
        v[2] += v[3], v[3] = rotate(v[3], 16) ^ v[2];
        v[0] += v[3], v[3] = rotate(v[3], 21) ^ v[0];
        v[2] += v[1], v[1] = rotate(v[1], 17) ^ v[2], v[2] = rotate(v[2], 32);
    }
}

static uint64_t read_word(const unsigned char *bytes, size_t length)
{
    uint64_t word = 0;
    for (size_t i = 0; i < length; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

/* SipHash-1-3, of Aumasson and Bernstein. */
uint64_t hash_bytes(const struct hash_key *key, const void *bytes, size_t length)
{
    const unsigned char *next = bytes;
    uint64_t v[4] = {key->words[0] ^ 0x736f6d6570736575u, key->words[1] ^ 0x646f72616e646f6du,
                     key->words[0] ^ 0x6c7967656e657261u, key->words[1] ^ 0x7465646279746573u};
    size_t left = length;
    for (; left >= 8; left -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, sizeof word);
        v[3] ^= word;
        sip_rounds(v, COMPRESSION_ROUNDS);
        v[0] ^= word;
    }
    uint64_t last = read_word(next, left) | (uint64_t)length << 56;
    v[3] ^= last;
    sip_rounds(v, COMPRESSION_ROUNDS);
    v[0] ^= last;
    v[2] ^= 0xff;
    sip_rounds(v, FINAL_ROUNDS);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

void map_init(struct map *map, struct hash_key hash_key)
{
    *map = (struct map){.hash_key = hash_key};
}

void map_release(struct map *map)
{
    free(map->slots);
    *map = (struct map){.hash_key = map->hash_key};
}

/* The slot of the key, or the free one where it belongs. */
static struct map_slot *slot_of(const struct map *map, uint64_t hash, const void *key,
                                size_t length)
{
    size_t mask = map->size - 1;
    size_t i = hash & mask;
    for (;; i = (i + 1) & mask) {
        struct map_slot *slot = &map->slots[i];
        if (!slot->key)
            return slot;
        if (slot->hash == hash && slot->length == length && memcmp(slot->key, key, length) == 0)
            return slot;
    }
}

static void resize(struct map *map, size_t size)
{
    struct map_slot *old = map->slots;
    size_t old_size = map->size;
    map->slots = memory_zeroed(size, sizeof *map->slots);
    map->size = size;
    for (size_t i = 0; i < old_size; i++)
        if (old[i].key)
            *slot_of(map, old[i].hash, old[i].key, old[i].length) = old[i];
    free(old);
}

void *map_find(const struct map *map, const void *key, size_t length)
{
    if (map->count == 0)
        return NULL;
    return slot_of(map, hash_bytes(&map->hash_key, key, length), key, length)->value;
}

void map_put(struct map *map, const void *key, size_t length, void *value)
{
    assert(key && value);
    if ((map->count + 1) * 4 > map->size * 3)
        resize(map, map->size ? map->size * 2 : SIZE_MIN);
    uint64_t hash = hash_bytes(&map->hash_key, key, length);
    struct map_slot *slot = slot_of(map, hash, key, length);
    assert(!slot->key);
    *slot = (struct map_slot){hash, key, length, value};
    map->count++;
}

/* Whether a slot at `from` may move back to the hole without leaving its chain. */
static bool may_fill(const struct map *map, size_t hole, size_t from)
{
    size_t mask = map->size - 1;
    size_t home = map->slots[from].hash & mask;
    return ((from - home) & mask) >= ((from - hole) & mask);
}

void *map_remove(struct map *map, const void *key, size_t length)
{
    if (map->count == 0)
        return NULL;
    struct map_slot *slot = slot_of(map, hash_bytes(&map->hash_key, key, length), key, length);
    void *value = slot->value;
    if (!slot->key)
        return NULL;
    map->count--;
    size_t mask = map->size - 1;
    size_t hole = (size_t)(slot - map->slots);
    for (size_t i = (hole + 1) & mask; map->slots[i].key; i = (i + 1) & mask) {
        if (!may_fill(map, hole, i))
            continue;
        map->slots[hole] = map->slots[i];
        hole = i;
    }
    map->slots[hole] = (struct map_slot){0};
    return value;
}

void *map_next(const struct map *map, size_t *cursor)
{
    while (*cursor < map->size) {
        const struct map_slot *slot = &map->slots[(*cursor)++];
        if (slot->key)
            return slot->value;
    }
    return NULL;
}
