/* What the store has to know of rooms though nothing happens there, and games with clocks that nobody has in memory.
 *
 * A flag is seen by who has the room in memory (timing.h). For the others the store knows when a room is *due*: not later than
 * a clock may run out there, whatever is played meanwhile, so that nothing has to be written with a move. Each server pushes on
 * what its own rooms are due at, a minute before; what is due all the same is in nobody's memory, after a crash perhaps (who has its store for itself looks at once). One of
 * all servers looks for such rooms and brings them into its memory, a few at a time, where their flags fall.
 *
 * On the same walk through its rooms a server tells whose turn it is where somebody thinks for longer than a walk takes, for the
 * order of their players' lists. */
#ifndef SERVER_CORE_WATCH_H
#define SERVER_CORE_WATCH_H

#include "server/store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct core;

enum { WATCH_FIRST_MS = 60000 }; /* so long after it was made a room with clocks is due */

struct watch {
    uint64_t walk_ms, look_ms;
    size_t hand; /* where the walk through the rooms goes on */
    bool is_asked;
};

void watch_init(struct core *core);
void watch_time(struct core *core);
uint64_t watch_deadline_ms(const struct core *core);
void watch_answered(struct core *core, const struct store_answer *answer);

#endif
