/* Who has gone from a game that others wait to go on with.
 *
 * A seat is absent while no connection holds it, at this server or any other; the server's own bots never are. How long is
 * counted from when it was seen here, in playing time (timing.h): an outage of the store counts against nobody. After the
 * grace that its clock gives, and when it is to move, another player may end the game by a claim, or wait. Before everybody has had a
 * turn there is nothing to claim (the game may be aborted), nor in games in which who has a turn does not sit there all the
 * time. Where there are other servers and they are not heard, nothing is known, and nothing is counted. */
#ifndef SERVER_CORE_ABSENCE_H
#define SERVER_CORE_ABSENCE_H

#include "server/core/room.h"

struct core;

#define ABSENCE_NEVER UINT64_MAX

/* After each change of who is there. */
void absence_note(struct core *core, struct room *room);
/* After each event: the rules of above may apply to others than before. */
void absence_event(struct core *core, struct room *room);
/* What was seen of other servers may be wrong by now. */
void absence_begin_anew(struct core *core);

/* So many milliseconds until there is a claim against this seat; 0: there is one, when it is to move; ABSENCE_NEVER: its player is here, or there is none. */
uint64_t absence_left_ms(const struct core *core, const struct room *room, int seat);
/* The seats against which there is one or will be. */
uint32_t absence_seats(const struct core *core, const struct room *room);

#endif
