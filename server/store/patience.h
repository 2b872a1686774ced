/* How long one side of a hand-over may stay awake for the other.
 *
 * To wake a sleeper on a sleeping core costs up to a tenth of a millisecond; to stay awake costs a core. So a side waits
 * with open eyes only while it can expect the other one at once, by what it has lived through lately, and never longer
 * than PATIENCE_NS. Times are nanoseconds of a clock that never goes back; each side has a struct of its own. */
#ifndef SERVER_STORE_PATIENCE_H
#define SERVER_STORE_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

enum { PATIENCE_NS = 1000000 };

struct patience {
    bool hopeless; /* never stays awake */
    /* private */
    uint64_t expected_ns; /* a running mean */
    uint64_t since_ns;    /* when it handed over last; 0: it waits for nothing */
};

void patience_begin(struct patience *patience, uint64_t now_ns);
/* The wait is over. */
void patience_end(struct patience *patience, uint64_t now_ns);
bool patience_lasts(const struct patience *patience, uint64_t now_ns);

#endif
