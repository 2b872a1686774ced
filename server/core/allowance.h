/* How much somebody may ask for: a bucket of tokens that fills with time. A command takes its cost
 * out of it; what cannot be taken has to wait. What something has cost can be charged afterwards, too:
 * then the bucket may owe, and gives nothing before that is paid back. Time is a parameter. */
#ifndef SERVER_CORE_ALLOWANCE_H
#define SERVER_CORE_ALLOWANCE_H

#include <stdbool.h>
#include <stdint.h>

struct allowance {
    int64_t
        level; /* in thousandths of a unit, so that one millisecond always counts; below 0: owed */
    uint64_t updated_ms;
    uint32_t per_s, burst;
};

/* Nobody waits longer than this for what was charged before. */
enum { ALLOWANCE_OWED_S_MAX = 60 };

/* Full at first. `per_s` 0: nothing is ever limited. */
void allowance_init(struct allowance *allowance, uint32_t per_s, uint32_t burst, uint64_t now_ms);

/* 0 and the cost is taken, or, taking nothing, the milliseconds until it could be. A cost above the
 * burst is granted when the bucket is full. */
uint64_t allowance_take(struct allowance *allowance, uint32_t cost, uint64_t now_ms);
/* The same question, and nothing is taken; the second one in thousandths of a unit. */
uint64_t allowance_wait_ms(struct allowance *allowance, uint32_t cost, uint64_t now_ms);
uint64_t allowance_lacks_ms(struct allowance *allowance, uint64_t thousandths, uint64_t now_ms);
/* Taken whether it is there or not. */
void allowance_charge(struct allowance *allowance, uint64_t thousandths, uint64_t now_ms);

/* So much is there again, and what was owed is forgiven. */
void allowance_give(struct allowance *allowance, uint64_t thousandths, uint64_t now_ms);
/* Whether it owes nothing and has something left. */
bool allowance_has_some(struct allowance *allowance, uint64_t now_ms);

/* How much of it is used up, in thousandths; more than all, when it owes. 0: nothing is limited. */
uint32_t allowance_used(struct allowance *allowance, uint64_t now_ms);

/* Of what all have together, half is open to all; of the rest the less is left the less one may have used of one's own, `used`
 * as above. Whether it leaves anything for such a one. */
bool allowance_leaves(struct allowance *common, uint32_t used, uint64_t now_ms);

/* When it will be full again, if nothing more is taken. */
uint64_t allowance_full_ms(const struct allowance *allowance);

#endif
