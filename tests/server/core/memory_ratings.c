#include "tests/server/core/memory_ratings.h"

#include "server/store/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void memory_ratings_release(struct memory_ratings *ratings)
{
    free(ratings->games);
    free(ratings->ratings);
    *ratings = (struct memory_ratings){.game_count = 0};
}

static struct store_rated_game *find_game(const struct memory_ratings *ratings, const char *room)
{
    for (int i = 0; i < ratings->game_count; i++)
        if (strcmp(ratings->games[i].room, room) == 0)
            return &ratings->games[i];
    return NULL;
}

void memory_ratings_over(struct memory_ratings *ratings, const char *room, const char *ladder,
                         int64_t ended_at_ms)
{
    if (find_game(ratings, room))
        return;
    ratings->games =
        realloc(ratings->games, ((size_t)ratings->game_count + 1) * sizeof *ratings->games);
    struct store_rated_game *game = &ratings->games[ratings->game_count++];
    *game = (struct store_rated_game){.ended_at_ms = ended_at_ms};
    snprintf(game->room, sizeof game->room, "%s", room);
    snprintf(game->ladder, sizeof game->ladder, "%s", ladder);
}

static void forget(struct memory_ratings *ratings, struct store_rated_game *game)
{
    *game = ratings->games[--ratings->game_count];
}

void memory_ratings_gone(struct memory_ratings *ratings, const char *room)
{
    struct store_rated_game *game = find_game(ratings, room);
    if (game && game->number == 0)
        forget(ratings, game);
}

static int compare_ends(const void *left, const void *right)
{
    const struct store_rated_game *a = left, *b = right;
    if (a->ended_at_ms != b->ended_at_ms)
        return a->ended_at_ms < b->ended_at_ms ? -1 : 1;
    return strcmp(a->room, b->room);
}

static int compare_numbers(const void *left, const void *right)
{
    const struct store_rated_game *a = left, *b = right;
    return a->number < b->number ? -1 : a->number > b->number;
}

static bool is_after(const struct store_rated_game *game, const struct store_request *request)
{
    if (request->ask == STORE_RATED)
        return game->number > request->from;
    return game->number == 0 &&
           (game->ended_at_ms > request->from ||
            (game->ended_at_ms == request->from && strcmp(game->room, request->room) > 0));
}

static enum store_status list_games(struct memory_ratings *ratings,
                                    const struct store_request *request,
                                    struct store_answer *answer)
{
    if (ratings->game_count > 0)
        qsort(ratings->games, (size_t)ratings->game_count, sizeof *ratings->games,
              request->ask == STORE_RATED ? compare_numbers : compare_ends);
    answer->rated = arena_take(&answer->arena, STORE_RATED_MAX * sizeof *answer->rated);
    for (int i = 0; i < ratings->game_count && answer->rated_count < request->to; i++)
        if (is_after(&ratings->games[i], request))
            answer->rated[answer->rated_count++] = ratings->games[i];
    return STORE_OK;
}

static struct store_rating *find_rating(const struct memory_ratings *ratings, const char *ladder,
                                        const char *player)
{
    for (int i = 0; i < ratings->rating_count; i++)
        if (strcmp(ratings->ratings[i].ladder, ladder) == 0 &&
            strcmp(ratings->ratings[i].player, player) == 0)
            return &ratings->ratings[i];
    return NULL;
}

static void give(const struct store_rating *rating, struct store_answer *answer)
{
    if (rating)
        answer->ratings[answer->rating_count++] = *rating;
}

static int compare_strengths(const void *left, const void *right)
{
    const struct store_rating *a = left, *b = right;
    if (a->strength.rating != b->strength.rating)
        return a->strength.rating > b->strength.rating ? -1 : 1;
    return strcmp(a->player, b->player);
}

static enum store_status list_ratings(struct memory_ratings *ratings,
                                      const struct store_request *request,
                                      struct store_answer *answer)
{
    const struct store_rated_game *wanted = request->rated;
    answer->ratings = arena_take(&answer->arena, STORE_RATED_MAX * sizeof *answer->ratings);
    for (int i = 0; request->ask == STORE_RATINGS && i < wanted->side_count; i++) {
        give(find_rating(ratings, wanted->ladder, wanted->sides[i].after.player), answer);
        give(find_rating(ratings, wanted->ladder, wanted->sides[i].taken_from), answer);
    }
    if (request->ask == STORE_RATINGS)
        return STORE_OK;
    if (ratings->rating_count > 0)
        qsort(ratings->ratings, (size_t)ratings->rating_count, sizeof *ratings->ratings,
              compare_strengths);
    for (int i = 0; i < ratings->rating_count && answer->rating_count < request->to; i++)
        if (strcmp(ratings->ratings[i].ladder, wanted->ladder) == 0 &&
            ratings->ratings[i].sure_until_ms > request->from)
            give(&ratings->ratings[i], answer);
    return STORE_OK;
}

static const char *player_before(const struct store_rated_side *side)
{
    return side->taken_from[0] ? side->taken_from : side->after.player;
}

static bool is_as_before(const struct memory_ratings *ratings, const struct store_rated_game *game)
{
    for (int i = 0; i < game->side_count; i++) {
        const struct store_rated_side *side = &game->sides[i];
        const struct store_rating *was = find_rating(ratings, game->ladder, player_before(side));
        if ((was ? was->games : 0) != side->games_before ||
            (side->taken_from[0] && find_rating(ratings, game->ladder, side->after.player)))
            return false;
    }
    return true;
}

static void set(struct memory_ratings *ratings, const char *ladder,
                const struct store_rated_side *side)
{
    struct store_rating *rating = find_rating(ratings, ladder, player_before(side));
    if (!rating) {
        ratings->ratings = realloc(ratings->ratings,
                                   ((size_t)ratings->rating_count + 1) * sizeof *ratings->ratings);
        rating = &ratings->ratings[ratings->rating_count++];
    }
    *rating = side->after;
    snprintf(rating->ladder, sizeof rating->ladder, "%s", ladder);
}

static enum store_status rate(struct memory_ratings *ratings, const struct store_rated_game *game)
{
    struct store_rated_game *waiting = find_game(ratings, game->room);
    if (!waiting || waiting->number > 0 || !is_as_before(ratings, game))
        return STORE_CONFLICT;
    if (game->side_count == 0) {
        forget(ratings, waiting);
        return STORE_OK;
    }
    *waiting = *game;
    waiting->number = ++ratings->last_number;
    for (int i = 0; i < game->side_count; i++)
        set(ratings, game->ladder, &game->sides[i]);
    return STORE_OK;
}

enum store_status memory_ratings_answer(struct memory_ratings *ratings,
                                        const struct store_request *request,
                                        struct store_answer *answer)
{
    if (request->ask == STORE_RATABLE || request->ask == STORE_RATED)
        return list_games(ratings, request, answer);
    return request->ask == STORE_RATE ? rate(ratings, request->rated)
                                      : list_ratings(ratings, request, answer);
}
