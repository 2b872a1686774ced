/* One table of commands: who may send each, what it costs, which function handles it. Whatever can
 * be refused without looking at the game is refused here, in the order a person would ask. */
#ifndef SERVER_CORE_DISPATCH_H
#define SERVER_CORE_DISPATCH_H

#include "server/core/parts.h"

void dispatch_text(struct core *core, struct session *session, const char *text, size_t length);
/* The commands that waited for this room, as far as it takes them. */
void dispatch_waiting(struct core *core, struct room *room);

#endif
