/* Rooms that other servers write to as well: everybody follows the log.
 *
 * Where several servers share a store there is no owner of a room. Any of them judges a command and appends what it leads to;
 * the version is the fence, and of two that append the same version one has lost the race. It reads what it missed, shows
 * it, and judges the command again, some times, with pauses of chance between; then the answer is `unavailable`. What others
 * append is taken in in order: an event that is the next one is a step of the room (step.h), an older one is known, one
 * further on says that there is more to read. While an append of our own is under way all that waits: if it comes to be, it
 * comes first.
 *
 * Whoever has written an event tells the others (bus.h), which may be lost, doubled or late; and who has read what nobody told,
 * since its author may have died before it did. The versions of rooms in memory are
 * asked for again and again: every second of a tenth of them; or of all, and so often that what was asked for and read is a second
 * old at most, where the store knows of servers that are not heard on a bus. And what would be
 * refused for how the room stands is judged again once the room has been read: a refusal is never about an old room. */
#ifndef SERVER_CORE_FOLLOW_H
#define SERVER_CORE_FOLLOW_H

#include "server/core/parts.h"

/* What a command led to was not appended, since the room is elsewhere: at `version` at least, 0 says nothing. The command
 * (taken; or NULL) is judged again. */
void follow_lost(struct core *core, struct room *room, struct command *command, int64_t version);
/* The command (taken) is judged again when the room is known to be as the store has it. */
void follow_make_sure(struct core *core, struct room *room, struct command *command);
/* Nothing of our own is under way in the room any more: what others have written comes next, and then the commands that wait. */
void follow_go_on(struct core *core, struct room *room);

/* Another server has written that; or its words are to be read in the store. Then: everything may be otherwise than heard. */
void follow_heard(struct core *core, const struct bus_message *message);
void follow_sweep_all(struct core *core);

void follow_answered(struct core *core, const struct ticket *ticket,
                     const struct store_answer *answer);
void follow_swept(struct core *core, const struct store_answer *answer);

void follow_init(struct core *core);
void follow_leaves(struct core *core, struct room *room);
void follow_release(struct core *core);
void follow_time(struct core *core);
uint64_t follow_deadline_ms(const struct core *core);

#endif
