/* The net: general code, fast code and reference play the same game side by side, and at every ply must agree on legal
 * moves, successors, ends and claims.
 *
 * Each of the three has a text of its own, which is mostly the same. Where it is not, one of them plays another rule than
 * the others: so it is seen whether the net would find a word that one of them gets wrong. */
#ifndef TESTS_ENGINE_MODERN_NET_H
#define TESTS_ENGINE_MODERN_NET_H

#include "engine/game.h"
#include "tests/engine/modern_reference.h"

enum { NET_WORDS_BYTES = 1024 };

struct net;

struct net_texts {
    const char *general, *fast, *reference;
    const char *broken; /* a word that the reference leaves out, or NULL */
    int player_count;   /* 0: all */
};

/* NULL with words when a text is not loaded or the reference does not know a word. */
struct net *net_new(const struct net_texts *texts, char *words);
void net_free(struct net *net);

struct net_limits {
    int plies;      /* of a game at most */
    int successors; /* of each position, besides the one that is played */
    uint64_t moves; /* a position with more ends the game */
};

/* Plays one game at random from the seed. False with words where they disagree. `plies` counts what was compared. */
bool net_play(struct net *net, uint64_t *seed, const struct net_limits *limits, uint64_t *plies,
              char *words);

/* The same from a position of this notation; and the numbers of leaves down to `depth`. */
bool net_read(struct net *net, const char *position, char *words);
bool net_perft(struct net *net, int depth, char *words);
int net_moves_at_start(const struct net *net);

#endif
