/* How much somebody may ask for: a bucket of tokens that fills with time. A command takes its cost
 * out of it; what cannot be taken has to wait. Time is a parameter. */
#ifndef SERVER_CORE_ALLOWANCE_H
#define SERVER_CORE_ALLOWANCE_H

#include <stdint.h>

struct allowance {
    uint64_t level; /* in thousandths of a unit, so that one millisecond always counts */
    uint64_t updated_ms;
    uint32_t per_s, burst;
};

/* Full at first. `per_s` 0: nothing is ever limited. */
void allowance_init(struct allowance *allowance, uint32_t per_s, uint32_t burst, uint64_t now_ms);

/* 0 and the cost is taken, or, taking nothing, the milliseconds until it could be. A cost above the
 * burst is granted when the bucket is full. */
uint64_t allowance_take(struct allowance *allowance, uint32_t cost, uint64_t now_ms);

#endif
