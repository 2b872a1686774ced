/* When those who watch a room see its moves: in memory that all processes share that have spectators among them. A move has been seen
 * by as many as have shown it, or a later one, once each; what counts is the time between the first of them and the last. */
#ifndef TESTS_BENCH_SIGHTINGS_H
#define TESTS_BENCH_SIGHTINGS_H

#include "tests/bench/histogram.h"

#include <stddef.h>

enum { SIGHTINGS_MAX = 8192 };

struct sightings; /* of one room */

/* Zeroed, shared with processes that are begun later; ends with the process. */
void *shared_memory(size_t bytes);

struct sightings *sightings_new(void);
/* `move` counts all moves of the room; those that come after SIGHTINGS_MAX are not looked at. */
void sightings_add(struct sightings *sightings, uint64_t move, uint64_t now_us);
/* From the first to the last, of the moves that all of so many have seen; returns how many moves others have seen only in part. */
uint64_t sightings_spread(const struct sightings *sightings, uint64_t spectators,
                          struct histogram *spread);

#endif
