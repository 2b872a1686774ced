/* What the server holds in memory for strangers' games: their editions, and the positions of rooms that play them. All
 * of it is counted, and bounded; what nobody plays makes room for what somebody wants to play. */
#ifndef SERVER_CORE_HOLDINGS_H
#define SERVER_CORE_HOLDINGS_H

#include "server/core/parts.h"

extern const char holdings_no_memory_words[], holdings_own_words[];

struct definition_text {
    const char *hash, *text; /* borrowed */
    size_t length;
    int players;
};

/* So many bytes more may be held: editions nobody plays, then rooms nobody is in, leave memory for them. */
bool holdings_make_room(struct core *core, size_t bytes);
/* And so many more by this account, which NULL and those without limits always may. */
bool holdings_may_bring(struct core *core, const struct account *account, size_t bytes);
/* The edition of a game that was compiled, brought by the account (NULL: by nobody who pays), with a reference of the
 * caller's. Takes the game. NULL: there is no room for it, and `why` says whose. */
struct edition *holdings_add(struct core *core, const struct definition_text *definition,
                             struct game *game, struct account *account, const char **why);
/* For one more room of the edition. */
bool holdings_has_room_for(struct core *core, const struct edition *edition);
/* There is memory for something new. Where there is not, what nobody plays leaves memory. */
bool holdings_may_grow(struct core *core);

#endif
