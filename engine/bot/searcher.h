/* Finds a good move in any game: the rules are the engine's, what is good the judge's.
 *
 * A searcher works on a copy of the position and belongs to who made it; it is used by one thread at a time. What it finds follows from
 * the position, the order and the judge alone: as much is searched as the order says in nodes and in work, never in time. Who
 * wants to stop it for another reason says so by `stopped`, which is asked every few nodes; then the best so far is the answer.
 *
 *   node    a position that was looked at
 *   ply     a move of one player; the depth of a search is counted in plies
 *   value   for who is to move, in parts of JUDGE_LOGIT; beyond SEARCH_WIN - SEARCH_PLIES_MAX a win is certain, in as many plies as
 *           are missing to SEARCH_WIN
 *   line    the principal variation: the best moves of all as far as they are known */
#ifndef ENGINE_BOT_SEARCHER_H
#define ENGINE_BOT_SEARCHER_H

#include "engine/bot/judge.h"
#include "engine/position.h"

enum {
    SEARCH_LEVEL_MAX = 8,
    SEARCH_LINES_MAX = 5,
    SEARCH_HINT_NODES = 20000, /* for each line that somebody is shown */
    SEARCH_PLIES_MAX = 128,
    SEARCH_LINE_MAX = 16,
    SEARCH_WIN = 30000,
};

enum search_method {
    SEARCH_BY_GAME,     /* what the judge says */
    SEARCH_ALPHA_BETA,  /* to a depth, with quiescence; for two players */
    SEARCH_PLAYING_OUT, /* a Monte-Carlo tree */
};

struct search_order {
    int level; /* 1 to SEARCH_LEVEL_MAX: says nodes, work and how often it slips */
    enum search_method method;
    uint64_t nodes; /* at most, and none is drawn by lot; 0: as the level says */
    uint64_t seed;
    const struct move *
        besides; /* moves that are known: others are looked for; NULL: the best, and its value if there is a choice */
    int besides_count;
    bool (*stopped)(void *context); /* NULL: nobody stops it */
    void *context;
};

struct search_answer {
    bool found; /* false: there is no legal move */
    struct move move;
    int value, depth;
    uint64_t nodes;
    int line_count;
    struct move line[SEARCH_LINE_MAX]; /* the first is `move` */
};

/* A value as people read it: `share` of the points that who is to move may expect, in thousandths, 1000 and 0 only where it is certain;
 * `ends_in` so many plies then, 0 where that is not known. */
struct search_share {
    int share, ends_in;
};
struct search_share search_share(int value);

struct searcher;

struct searcher *searcher_new(const struct judge *judge); /* which it borrows */
void searcher_free(struct searcher *searcher);            /* NULL is allowed */
/* `position` is of the judge's game. */
struct search_answer searcher_find(struct searcher *searcher, const struct position *position,
                                   const struct search_order *order);
/* The best moves, each with what may follow it, the best first: the order is given once for each, and what was found before is left
 * out. Writes `most` at most, and says how many there are. */
int searcher_find_lines(struct searcher *searcher, const struct position *position,
                        const struct search_order *order, int most, struct search_answer *answers);

#endif
