/* Games that players publish: immutable versions of a name, for everybody to read and to play. A version is the definition's
 * text, compiled here once before it is taken; it comes over HTTP, because it is longer than a frame may be. A name is
 * its first publisher's, by their token. A room of such a game has its definition pinned as every room has, and is called
 * after the version. Nothing about them is kept in memory: what the store says counts, so servers that share it agree, and
 * what an operator hides is hidden at once. */
#ifndef SERVER_CORE_PUBLISHING_H
#define SERVER_CORE_PUBLISHING_H

#include "server/core/compile.h"
#include "server/core/holdings.h"

enum { PUBLICATIONS_ASKED_MAX = 64 }; /* of the store, at a time */

/* `create` with the name of a game that is not the server's own. */
enum refusal publishing_create(struct request *request, const struct author *author,
                               const struct time_control *clock);

/* The definition somebody wants to publish: what came of compiling it (NULL: nothing), or that there is no place for it. */
void publishing_compiled(struct core *core, const struct compile_wish *wish,
                         struct account *account, const struct definition_text *definition,
                         const struct game *game, const struct diagnostics *diagnostics);
void publishing_refused(struct core *core, uint64_t request, uint64_t retry_ms);

/* What showing.h asks of the store, and says over HTTP: the game, borrowed, that there is none, or no place for it (above). */
bool publishing_may_ask(const struct core *core);
bool publishing_ask_for(struct core *core, struct ticket *ticket, const struct published_id *id);
void publishing_say_game(const struct core *core, uint64_t request, const struct game *game,
                         const char *definition_hash);
/* Whether the version the store has read may be played. */
enum refusal publishing_may_play(const struct core *core, const struct store_answer *answer,
                                 const char **words);
void publishing_unknown(const struct core *core, uint64_t request);

/* The store's answer to any of the questions above. */
void publishing_answered(struct core *core, struct ticket *ticket,
                         const struct store_answer *answer);

#endif
