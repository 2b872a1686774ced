#include "server/store/patience.h"

enum {
    WAIT_NS_MAX = 4 * PATIENCE_NS, /* a wait of so long or longer says no more than that */
    PARTS = 4,                     /* how much of the expectation each new wait is */
};

void patience_begin(struct patience *patience, uint64_t now_ns)
{
    patience->since_ns = now_ns;
}

void patience_end(struct patience *patience, uint64_t now_ns)
{
    if (patience->since_ns == 0)
        return;
    uint64_t waited_ns = now_ns - patience->since_ns;
    if (waited_ns > WAIT_NS_MAX)
        waited_ns = WAIT_NS_MAX;
    patience->expected_ns -= patience->expected_ns / PARTS;
    patience->expected_ns += waited_ns / PARTS;
    patience->since_ns = 0;
}

bool patience_lasts(const struct patience *patience, uint64_t now_ns)
{
    return !patience->hopeless && patience->since_ns != 0 && patience->expected_ns < PATIENCE_NS &&
           now_ns - patience->since_ns < PATIENCE_NS;
}
