/* The server's own bots: which seats want one, which have one, and who asked for it.
 *
 * So many play at a time, for an address, for a player and in all; the others stand in a queue, where
 * those come first whose address has fewest at play. When all places are taken and somebody waits
 * who has much fewer than another, a bot of that one leaves its seat for a while and waits in its turn;
 * its room stands still until then. A bot only plays where people are. */
#ifndef SERVER_CORE_BOTS_H
#define SERVER_CORE_BOTS_H

#include "server/core/parts.h"

/* May the session invite one more? */
bool bots_may_invite(const struct core *core, const struct session *session);
/* A bot of the level is to sit on the seat, for whoever is there; `session` NULL: nobody is. */
void bots_want(struct core *core, const struct room *room, int seat, int level,
               const struct session *session);
/* A local peer has gone: if it was one of ours, somebody else's turn comes. */
void bots_gone(struct core *core, const struct session *session);
/* Gives places to those who wait, when it is time. */
void bots_settle(struct core *core);
uint64_t bots_deadline_ms(const struct core *core);

void bots_init(struct core *core);
void bots_release(struct core *core);

#endif
