#include "server/cli/loop_time.h"

#include <stdbool.h>
#include <time.h>

static uint64_t worked_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void loop_time_turned(struct loop_time *time)
{
    uint64_t now_ns = worked_ns(), turn_us = (now_ns - time->turned_ns) / 1000;
    bool first = time->turned_ns == 0; /* the start of the program was no turn */
    time->turned_ns = now_ns;
    if (first)
        return;
    time->turns++;
    time->busy_us += turn_us;
    time->long_turns += turn_us > LOOP_LONG_TURN_US;
    if (turn_us > time->longest_us)
        time->longest_us = turn_us;
}

uint64_t loop_time_take_longest_us(struct loop_time *time)
{
    uint64_t longest_us = time->longest_us;
    time->longest_us = 0;
    return longest_us;
}
