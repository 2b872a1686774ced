#include "server/core/allowance.h"

enum { THOUSANDTHS = 1000 };

static uint64_t capacity(const struct allowance *allowance)
{
    return (uint64_t)allowance->burst * THOUSANDTHS;
}

void allowance_init(struct allowance *allowance, uint32_t per_s, uint32_t burst, uint64_t now_ms)
{
    *allowance = (struct allowance){.updated_ms = now_ms, .per_s = per_s, .burst = burst};
    allowance->level = capacity(allowance);
}

/* A unit per second is a thousandth per millisecond, so the rate needs no division. */
static void refill(struct allowance *allowance, uint64_t now_ms)
{
    if (now_ms <= allowance->updated_ms)
        return;
    uint64_t missing = capacity(allowance) - allowance->level;
    uint64_t passed_ms = now_ms - allowance->updated_ms;
    allowance->updated_ms = now_ms;
    if (passed_ms >= missing / allowance->per_s + 1)
        allowance->level = capacity(allowance);
    else
        allowance->level += passed_ms * allowance->per_s;
    if (allowance->level > capacity(allowance))
        allowance->level = capacity(allowance);
}

uint64_t allowance_take(struct allowance *allowance, uint32_t cost, uint64_t now_ms)
{
    if (allowance->per_s == 0)
        return 0;
    refill(allowance, now_ms);
    uint64_t price = (uint64_t)cost * THOUSANDTHS;
    if (price > capacity(allowance))
        price = capacity(allowance);
    if (allowance->level >= price) {
        allowance->level -= price;
        return 0;
    }
    uint64_t missing = price - allowance->level;
    return (missing + allowance->per_s - 1) / allowance->per_s;
}
