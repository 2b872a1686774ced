/* Who looks for somebody to play with, and who comes together.
 *
 * A *seek* is a player's wish. Its *terms*, one text, say what is played; only seeks of the same terms come together, and a
 * player has one of each terms at most. First come, first served: of all groups in which everybody may sit and nobody meets a
 * program that does not want to, and everybody's rating is as the others want it, the one whose members came first. A seek whose player has gone keeps its place for a while, and
 * nobody is given to it.
 *
 * This knows no sessions and no rooms; time and chance come in. Whoever calls seeks_match for each seek that has come,
 * returned or changed leaves nobody waiting who might play: all others were for nobody before, and are for nobody else since. */
#ifndef SERVER_CORE_SEEK_H
#define SERVER_CORE_SEEK_H

#include "protocol/message.h"
#include "server/core/list.h"
#include "server/core/map.h"

enum {
    SEEKS_MAX = 2048,
    SEEKS_OF_PLAYER = 8,
    SEEK_ANY_SEAT = -1,
};

/* What a player wants beside the terms. */
struct seek_wish {
    int seat; /* its number, or SEEK_ANY_SEAT */
    bool is_bot, no_bots;
    int rating_min, rating_max,
        rating_within; /* the others'; within: so near to his own, 0: anywhere */
    int rating;        /* his own; 0: it is not asked for */
};

enum seek_stage { SEEK_WAITS, SEEK_AWAY, SEEK_CHOSEN };

/* Part of what it is of; in no list while it is no seek. */
struct seek {
    enum seek_stage stage;
    struct seek_wish wish;
    uint64_t
        number; /* its place: who came first has the lowest, wherever; of equals the first by the player's id */
    uint64_t since_ms, left_ms;
    struct seek_terms *terms;
    struct seek_player *player;
    struct link line_link, order_link, player_link;
    void *of;
};

/* All seeks of the same terms that wait. */
struct seek_terms {
    char *text; /* owned */
    int count;  /* of players in a room */
    struct list line;
    int seeks; /* in any stage */
};

struct seek_player {
    char id[PLAYER_ID_BYTES + 1];
    struct list seeks;
    int count;
};

struct seeks {
    struct map terms, players;
    struct list order; /* those that wait, longest first */
    struct list away;  /* longest first */
    uint64_t last_number;
    int count, waiting; /* in any stage */
};

void seeks_init(struct seeks *seeks, struct hash_key hash_key);
void seeks_release(struct seeks *seeks); /* not what the seeks are of */

/* A player's seek of these terms; NULL: there is none. */
struct seek *seeks_find(const struct seeks *seeks, const char *terms, const char *player);
/* A player's first seek, and the next ones; NULL: no more. The one that was given may be removed before the next is asked for. */
struct seek *seeks_first(const struct seeks *seeks, const char *player);
struct seek *seeks_next(const struct seek *seek);
bool seeks_may_add(const struct seeks *seeks, const char *player);

/* A new one, which waits; rooms of these terms are for `count` players. */
void seeks_add(struct seeks *seeks, struct seek *seek, const char *terms, int count,
               const char *player, uint64_t now_ms);
/* One that has a place already, at another server. */
void seeks_add_at(struct seeks *seeks, struct seek *seek, const char *terms, int count,
                  const char *player, uint64_t number);
void seeks_remove(struct seeks *seeks, struct seek *seek);
/* Of one that waits; and back to its place of one that does not. */
void seeks_leave(struct seeks *seeks, struct seek *seek, uint64_t now_ms);
void seeks_return(struct seeks *seeks, struct seek *seek);
/* Of one that waits: whoever asked for it decides what becomes of it. */
void seeks_promise(struct seeks *seeks, struct seek *seek);
const struct seek *seeks_longest_away(const struct seeks *seeks);

/* Who plays with whom, and where each sits. */
struct seek_group {
    int count;
    struct seek *members[PLAYER_COUNT_MAX]; /* in the order in which they came */
    int seats[PLAYER_COUNT_MAX];
};
/* A seek that waits, with others who do; they are CHOSEN then. `random` decides who sits where, where nobody minds. */
bool seeks_match(struct seeks *seeks, struct seek *seek, uint64_t random, struct seek_group *group);

#endif
