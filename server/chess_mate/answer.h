/* Chess Mate's answers: bodies in its shapes and words, with the headers its framework sets. */
#ifndef SERVER_CHESS_MATE_ANSWER_H
#define SERVER_CHESS_MATE_ANSWER_H

#include "server/chess_mate/route.h"
#include "server/chess_mate/visit.h"
#include "server/net/net.h"

enum { ANSWER_PATH_MAX = 256, ANSWER_METHOD_MAX = 7 };

/* What is said when the id is known and the path is not: noted when the request comes, said when the id is found. */
struct answer_missing {
    enum route_kind kind;
    bool is_move;
    char method[ANSWER_METHOD_MAX + 1];
    char path[ANSWER_PATH_MAX + 1];
};
void answer_note_missing(struct answer_missing *missing, const struct net_request *request,
                         const struct route *route);

void answer_index(struct net_answer *answer);
void answer_preflight(struct net_answer *answer, const struct net_request *request);
void answer_error(struct net_answer *answer, int status, const char *words);
/* From before the framework adds the headers of CORS. */
void answer_body_error(struct net_answer *answer, int status);
void answer_unavailable(struct net_answer *answer);
/* One of that address is answered in so many milliseconds at the earliest. */
void answer_too_fast(struct net_answer *answer, uint64_t wait_ms);
/* `browser_id_json` of a new game, else NULL. */
void answer_of_visit(struct visit *visit, const char *browser_id_json,
                     const struct answer_missing *missing, struct net_answer *answer);

#endif
