/* Time in PGN: the tag TimeControl, and what a clock said after a move, as the comment [%clk 0:04:57.5]. Values in, values out.
 *
 * PGN has words for sudden death (300), an increment (300+3) and so long for each turn (1/259200), in seconds; for other ways of
 * ours, and for players whose times differ, it has `?`. */
#ifndef SERVER_CORE_PGN_CLOCK_H
#define SERVER_CORE_PGN_CLOCK_H

#include "protocol/time_control.h"
#include "server/core/clock.h"

enum { PGN_TIME_BYTES = 48 };

/* The tag's value. */
void pgn_clock_write_control(const struct time_control *control, char text[PGN_TIME_BYTES]);
/* False: it says none, or one that we have no clock for. */
bool pgn_clock_read_control(const char *text, struct time_control *control);

/* H:MM:SS, with thousandths where there are any. */
void pgn_clock_write(uint32_t left_ms, char text[PGN_TIME_BYTES]);
/* Of a comment, which may say other things as well; false: it says nothing of a clock, or more than one of ours has. */
bool pgn_clock_read(const char *comment, uint32_t *left_ms);

/* How much of its time a turn took, if the clock says `after` now. `turn_ends`: with this move, and so an increment was added. What
 * our clocks cannot say (more than there was) took nothing. */
uint32_t pgn_clock_spent(const struct clock *clock, const struct time_budget *budget,
                         bool turn_ends, uint32_t after_ms);

#endif
