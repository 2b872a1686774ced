#include "server/core/allowance.h"

enum { THOUSANDTHS = 1000 };

static int64_t capacity(const struct allowance *allowance)
{
    return (int64_t)allowance->burst * THOUSANDTHS;
}

void allowance_init(struct allowance *allowance, uint32_t per_s, uint32_t burst, uint64_t now_ms)
{
    *allowance = (struct allowance){.updated_ms = now_ms, .per_s = per_s, .burst = burst};
    allowance->level = capacity(allowance);
}

/* A unit per second is a thousandth per millisecond, so the rate needs no division. */
static uint64_t wait_for(const struct allowance *allowance, int64_t level)
{
    if (level <= allowance->level)
        return 0;
    uint64_t missing = (uint64_t)(level - allowance->level);
    return (missing + allowance->per_s - 1) / allowance->per_s;
}

uint64_t allowance_full_ms(const struct allowance *allowance)
{
    if (allowance->per_s == 0)
        return 0;
    return allowance->updated_ms + wait_for(allowance, capacity(allowance));
}

static void refill(struct allowance *allowance, uint64_t now_ms)
{
    if (now_ms <= allowance->updated_ms)
        return;
    uint64_t passed_ms = now_ms - allowance->updated_ms;
    if (now_ms >= allowance_full_ms(allowance))
        allowance->level = capacity(allowance);
    else
        allowance->level += (int64_t)(passed_ms * allowance->per_s);
    allowance->updated_ms = now_ms;
}

static int64_t price_of(const struct allowance *allowance, uint64_t thousandths)
{
    uint64_t most = (uint64_t)capacity(allowance);
    return (int64_t)(thousandths < most ? thousandths : most);
}

uint64_t allowance_lacks_ms(struct allowance *allowance, uint64_t thousandths, uint64_t now_ms)
{
    if (allowance->per_s == 0)
        return 0;
    refill(allowance, now_ms);
    return wait_for(allowance, price_of(allowance, thousandths));
}

uint64_t allowance_wait_ms(struct allowance *allowance, uint32_t cost, uint64_t now_ms)
{
    return allowance_lacks_ms(allowance, (uint64_t)cost * THOUSANDTHS, now_ms);
}

uint64_t allowance_take(struct allowance *allowance, uint32_t cost, uint64_t now_ms)
{
    uint64_t wait_ms = allowance_wait_ms(allowance, cost, now_ms);
    if (wait_ms == 0)
        allowance->level -= price_of(allowance, (uint64_t)cost * THOUSANDTHS);
    return wait_ms;
}

void allowance_charge(struct allowance *allowance, uint64_t thousandths, uint64_t now_ms)
{
    int64_t lowest = -(int64_t)allowance->per_s * THOUSANDTHS * ALLOWANCE_OWED_S_MAX;
    if (allowance->per_s == 0)
        return;
    refill(allowance, now_ms);
    if (thousandths >= (uint64_t)(allowance->level - lowest))
        allowance->level = lowest;
    else
        allowance->level -= (int64_t)thousandths;
}

void allowance_give(struct allowance *allowance, uint64_t thousandths, uint64_t now_ms)
{
    refill(allowance, now_ms);
    if (allowance->level < 0)
        allowance->level = 0;
    allowance->level += price_of(allowance, thousandths);
    if (allowance->level > capacity(allowance))
        allowance->level = capacity(allowance);
}

bool allowance_has_some(struct allowance *allowance, uint64_t now_ms)
{
    refill(allowance, now_ms);
    return allowance->level > 0;
}

uint32_t allowance_used(struct allowance *allowance, uint64_t now_ms)
{
    if (allowance->per_s == 0 || allowance->burst == 0)
        return 0;
    refill(allowance, now_ms);
    return (uint32_t)((capacity(allowance) - allowance->level) * THOUSANDTHS / capacity(allowance));
}

bool allowance_leaves(struct allowance *common, uint32_t used, uint64_t now_ms)
{
    enum { ALL = THOUSANDTHS, PLENTY = ALL / 2 };
    uint32_t gone = allowance_used(common, now_ms);
    uint32_t left = gone < ALL ? ALL - gone : 0;
    return left >= PLENTY || used <= ALL * left / PLENTY;
}
