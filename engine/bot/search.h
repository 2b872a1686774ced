/* What both methods share: the position they work on, and when to stop. Private to engine/bot. */
#ifndef ENGINE_BOT_SEARCH_H
#define ENGINE_BOT_SEARCH_H

#include "engine/bot/searcher.h"
#include "engine/movegen.h"
#include "engine/state.h"
#include "engine/work.h"

struct search {
    const struct judge *judge;
    struct game *game;
    struct position *position; /* as the search found it whenever a method returns */
    struct search_order order;
    uint64_t nodes, nodes_max;
    uint64_t chance; /* of search_random */
    bool over;       /* the nodes or the work are used up, or somebody has stopped it */
};

/* What the judge says, and counts as work: it looks at each cell of a player's. */
int search_judge(const struct search *search, const struct position *position, player_index player);
/* Counts a node; false: the search is over. */
bool search_node(struct search *search);
uint64_t search_random(struct search *search);
/* The legal moves of the position as the search found it, but for those that are known. */
int search_root_moves(const struct search *search, struct move *moves);
/* How well the position that nobody has to move in ended for the player: 1 won, 0 drawn, -1 lost. */
int search_result(const struct outcome *outcome, player_index player);

struct alpha_beta;
struct alpha_beta *alpha_beta_new(struct search *search);
void alpha_beta_free(struct alpha_beta *alpha_beta);
void alpha_beta_find(struct alpha_beta *alpha_beta, struct search_answer *answer);

void playing_out_find(struct search *search, struct search_answer *answer);

#endif
