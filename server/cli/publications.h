/* Games that players publish, over HTTP: POST /api/v1/games/NAME, …/NAME/listing and …/NAME@N/report, GET /api/v1/games/NAME@N, its picture …/board.svg, and
 * /api/v1/published. The core's answers come when the store and a thread are done, or at once. */
#ifndef SERVER_CLI_PUBLICATIONS_H
#define SERVER_CLI_PUBLICATIONS_H

#include "server/cli/transfers.h"

struct files;
struct page_cache;

/* What pictures of boards are made of, and where they are kept by the hash of the definition, compressed from the second time
 * on. */
struct publication_pictures {
    struct files *files;
    struct page_cache *drawn;
};

/* `rest`: what follows "/api/v1/games/". */
enum net_reply publications_post(struct transfers *transfers, struct core *core,
                                 const struct net_request *request, const char *rest,
                                 struct net_answer *answer);
enum net_reply publications_get(struct transfers *transfers, struct core *core,
                                const struct net_request *request, const char *rest,
                                struct net_answer *answer);
enum net_reply publications_list(struct transfers *transfers, struct core *core,
                                 const struct net_request *request, struct net_answer *answer);
/* `rest`: what follows "/api/v1/ratings/": GAME/SPEED, or GAME/SPEED/PLAYER. */
enum net_reply publications_ratings(struct transfers *transfers, struct core *core,
                                    const struct net_request *request, const char *rest,
                                    struct net_answer *answer);
/* The core's ports. */
void publications_answered(struct transfers *transfers, const struct publication_pictures *pictures,
                           uint64_t request, const struct published_answer *said);
bool publications_drawn(struct transfers *transfers, const struct publication_pictures *pictures,
                        uint64_t request, const char *definition_hash);

#endif
