#include "tests/bench/sightings.h"

#include <assert.h>
#include <stdatomic.h>
#include <sys/mman.h>

struct sighting {
    _Atomic uint64_t first_us, last_us, count; /* no time is zero */
};

struct sightings {
    struct sighting moves[SIGHTINGS_MAX];
};

void *shared_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(memory != MAP_FAILED);
    return memory;
}

struct sightings *sightings_new(void)
{
    return shared_memory(sizeof(struct sightings));
}

void sightings_add(struct sightings *sightings, uint64_t move, uint64_t now_us)
{
    if (move >= SIGHTINGS_MAX)
        return;
    struct sighting *sighting = &sightings->moves[move];
    uint64_t first_us = sighting->first_us, last_us = sighting->last_us;
    while ((first_us == 0 || first_us > now_us) &&
           !atomic_compare_exchange_weak(&sighting->first_us, &first_us, now_us))
        ;
    while (last_us < now_us && !atomic_compare_exchange_weak(&sighting->last_us, &last_us, now_us))
        ;
    sighting->count++;
}

uint64_t sightings_spread(const struct sightings *sightings, uint64_t spectators,
                          struct histogram *spread)
{
    uint64_t partly = 0;
    for (size_t i = 0; i < SIGHTINGS_MAX; i++) {
        const struct sighting *sighting = &sightings->moves[i];
        if (sighting->count == spectators)
            histogram_add(spread, sighting->last_us - sighting->first_us);
        else
            partly += sighting->count > 0;
    }
    return partly;
}
