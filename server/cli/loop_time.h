/* How long the loop's thread works between two looks for something new: meanwhile nobody is answered. Processor time, so that a machine
 * that is busy with others does not show. Private to server/cli. */
#ifndef SERVER_CLI_LOOP_TIME_H
#define SERVER_CLI_LOOP_TIME_H

#include <stdint.h>

enum { LOOP_LONG_TURN_US = 5000 };

struct loop_time {
    uint64_t turned_ns; /* at the end of the last turn */
    uint64_t turns, long_turns;
    uint64_t busy_us, longest_us; /* in all; of one turn, since this was asked for last */
};

/* Once a turn, on the loop's thread. */
void loop_time_turned(struct loop_time *time);
uint64_t loop_time_take_longest_us(struct loop_time *time);

#endif
