/* What the server holds in memory for strangers' games: their editions, and the positions of rooms that play them. All
 * of it is counted, and bounded; what nobody plays makes room for what somebody wants to play. */
#ifndef SERVER_CORE_HOLDINGS_H
#define SERVER_CORE_HOLDINGS_H

#include "server/core/parts.h"

extern const char holdings_full_words[], holdings_no_memory_words[];

/* So many bytes more may be held: editions nobody plays, then rooms nobody is in, leave memory for them. */
bool holdings_make_room(struct core *core, size_t bytes);
/* For one more room of the edition. */
bool holdings_has_room_for(struct core *core, const struct edition *edition);
/* There is memory for something new. Where there is not, what nobody plays leaves memory. */
bool holdings_may_grow(struct core *core);

#endif
