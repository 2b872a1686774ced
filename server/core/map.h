/* A hash map from short byte strings to pointers. Keys are borrowed from the values and must not
 * change while they are in the map. The hash is SipHash under a random key, so that nobody can
 * choose names that collide. */
#ifndef SERVER_CORE_MAP_H
#define SERVER_CORE_MAP_H

#include <stddef.h>
#include <stdint.h>

struct hash_key {
    uint64_t words[2];
};
uint64_t hash_bytes(const struct hash_key *key, const void *bytes, size_t length);

struct map_slot {
    uint64_t hash;
    const void *key; /* NULL: the slot is free */
    size_t length;
    void *value;
};
struct map {
    struct hash_key hash_key;
    struct map_slot *slots; /* owned; a power of two of them */
    size_t size, count;
};

void map_init(struct map *map, struct hash_key hash_key);
void map_release(struct map *map);

void *map_find(const struct map *map, const void *key, size_t length); /* NULL: there is none */
void map_put(struct map *map, const void *key, size_t length, void *value); /* a new key */
void *map_remove(struct map *map, const void *key, size_t length); /* what was there, or NULL */

/* Visits all values: start with a cursor of 0; NULL at the end. The map must not change meanwhile.
 */
void *map_next(const struct map *map, size_t *cursor);

#endif
