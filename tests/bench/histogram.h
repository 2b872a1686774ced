/* How long things took, in buckets of 1/64 of a power of two: what lies in memory that processes share may be added up. */
#ifndef TESTS_BENCH_HISTOGRAM_H
#define TESTS_BENCH_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_BUCKETS = 64 * 32 };

/* Zero is an empty one. */
struct histogram {
    uint64_t counts[HISTOGRAM_BUCKETS], total, max;
};

void histogram_add(struct histogram *histogram, uint64_t us);
void histogram_merge(struct histogram *into, const struct histogram *from);
/* In milliseconds; `quantile` is below 1. */
double histogram_quantile_ms(const struct histogram *histogram, double quantile);

#endif
