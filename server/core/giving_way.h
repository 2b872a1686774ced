/* Which room leaves memory for another one when all places are taken and in each are people: one that is only
 * watched before one whose players wait or are done, of those whose address is in most rooms; a game that
 * its players are at never. */
#ifndef SERVER_CORE_GIVING_WAY_H
#define SERVER_CORE_GIVING_WAY_H

#include "server/core/parts.h"

/* One of a few that were looked at; NULL: none may go. */
struct room *giving_way_find(struct core *core);
/* Whether the session's address has its share of places already. */
bool giving_way_has_share(const struct core *core, const struct session *session);

#endif
