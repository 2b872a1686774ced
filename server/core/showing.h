/* A published game shown to somebody who has not played it: how it is played (`guide`), and its board as it stands at the start,
 * which whoever asks over HTTP draws. Both need the game compiled: it is read from the store, and found in memory or compiled
 * now, when it stays there as games do that nobody plays (holdings.h). */
#ifndef SERVER_CORE_SHOWING_H
#define SERVER_CORE_SHOWING_H

#include "server/core/compile.h"

/* `guide` of a game that is not the server's own. REFUSAL_NONE: the answer comes by itself. */
enum refusal showing_guide(struct request *request);

/* What the store says, and what came of compiling it: `missing` says why there is no edition now, NULL that it cannot be one. */
void showing_answered(struct core *core, const struct ticket *ticket,
                      const struct store_answer *answer);
void showing_compiled(struct core *core, const struct compile_wish *wish,
                      const struct edition *edition, const char *missing);
void showing_refused(struct core *core, const struct compile_wish *wish, uint64_t retry_ms);

#endif
