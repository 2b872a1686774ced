#include "tests/bench/histogram.h"

#include <stddef.h>

void histogram_add(struct histogram *histogram, uint64_t us)
{
    unsigned shift = us < 64 ? 0 : (unsigned)(63 - __builtin_clzll(us)) - 5;
    size_t bucket = us < 64 ? (size_t)us : (size_t)shift * 32 + (size_t)(us >> shift) + 0;
    if (bucket >= HISTOGRAM_BUCKETS)
        bucket = HISTOGRAM_BUCKETS - 1;
    histogram->counts[bucket]++;
    histogram->total++;
    if (us > histogram->max)
        histogram->max = us;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
    for (size_t bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++)
        into->counts[bucket] += from->counts[bucket];
    into->total += from->total;
    if (from->max > into->max)
        into->max = from->max;
}

double histogram_quantile_ms(const struct histogram *histogram, double quantile)
{
    uint64_t wanted = (uint64_t)((double)histogram->total * quantile), seen = 0;
    for (size_t bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++) {
        seen += histogram->counts[bucket];
        if (seen <= wanted)
            continue;
        if (bucket < 64)
            return (double)bucket / 1000;
        uint64_t shift = bucket / 32 - 1;
        return (double)((bucket - shift * 32) << shift) / 1000;
    }
    return (double)histogram->max / 1000;
}
