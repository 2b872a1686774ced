/* The ratings of a store in memory: games that wait to count, those that have, and what they came to. */
#ifndef TESTS_SERVER_CORE_MEMORY_RATINGS_H
#define TESTS_SERVER_CORE_MEMORY_RATINGS_H

#include "server/store/store.h"

struct memory_ratings {
    struct store_rated_game *games; /* those with a number in its order, among others */
    int game_count;
    struct store_rating *ratings;
    int rating_count;
    int64_t last_number;
};

void memory_ratings_release(struct memory_ratings *ratings);
void memory_ratings_over(struct memory_ratings *ratings, const char *room, const char *ladder,
                         int64_t ended_at_ms);
void memory_ratings_gone(struct memory_ratings *ratings, const char *room);
/* Any of the questions about ratings. */
enum store_status memory_ratings_answer(struct memory_ratings *ratings,
                                        const struct store_request *request,
                                        struct store_answer *answer);

#endif
