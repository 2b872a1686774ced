#include "server/store/postgres_ratings.h"

#include "server/store/postgres_statements.h"

#include <stdio.h>

/* A text too long for its place is none that this server has written. */
static void copy_short(const PGresult *result, int row, int column, char *text, size_t size)
{
    snprintf(text, size, "%s", PQgetvalue(result, row, column));
}

static struct store_strength strength_at(const PGresult *result, int row, int column)
{
    return (struct store_strength){postgres_number_at(result, row, column),
                                   postgres_number_at(result, row, column + 1),
                                   postgres_number_at(result, row, column + 2)};
}

static void copy_rating(const PGresult *result, int row, struct store_rating *rating)
{
    *rating = (struct store_rating){
        .bot = postgres_truth_at(result, row, 3),
        .strength = strength_at(result, row, 4),
        .games = postgres_number_at(result, row, 7),
        .won = postgres_number_at(result, row, 8),
        .drawn = postgres_number_at(result, row, 9),
        .rated_at_ms = postgres_number_at(result, row, 10),
        .sure_until_ms = postgres_number_at(result, row, 11),
    };
    copy_short(result, row, 0, rating->ladder, sizeof rating->ladder);
    copy_short(result, row, 1, rating->player, sizeof rating->player);
    copy_short(result, row, 2, rating->name, sizeof rating->name);
}

/* --- reading ------------------------------------------------------------------------------------ */

enum store_status postgres_ratable(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer)
{
    int most = driver_bound_rated(request);
    struct postgres_parameters parameters = {0};
    postgres_add_number(&parameters, request->from);
    postgres_add_text(&parameters, request->room);
    postgres_add_number(&parameters, most);
    if (!driver_take_rated(answer, most))
        return postgres_out_of_memory(driver);
    PGresult *result = postgres_ask(driver, RATABLE, &parameters);
    if (result == NULL)
        return STORE_FAILED;
    for (int i = 0; i < PQntuples(result) && i < most; i++) {
        struct store_rated_game *game = &answer->rated[answer->rated_count++];
        *game = (struct store_rated_game){.ended_at_ms = postgres_number_at(result, i, 2)};
        copy_short(result, i, 0, game->room, sizeof game->room);
        copy_short(result, i, 1, game->ladder, sizeof game->ladder);
    }
    PQclear(result);
    return STORE_OK;
}

/* Adds those a question finds; there is room for `most` of them. */
static enum store_status read_ratings(struct store_driver *driver,
                                      enum postgres_statement statement,
                                      const struct postgres_parameters *parameters, int most,
                                      struct store_answer *answer)
{
    PGresult *result = postgres_ask(driver, statement, parameters);
    if (result == NULL)
        return STORE_FAILED;
    for (int i = 0; i < PQntuples(result) && i < most; i++)
        copy_rating(result, i, &answer->ratings[answer->rating_count++]);
    PQclear(result);
    return STORE_OK;
}

static enum store_status read_rating(struct store_driver *driver, const char *ladder,
                                     const char *player, struct store_answer *answer)
{
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, ladder);
    postgres_add_text(&parameters, player);
    return player[0] == '\0' ? STORE_OK : read_ratings(driver, RATING_OF, &parameters, 1, answer);
}

enum store_status postgres_ratings(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer)
{
    const struct store_rated_game *wanted = request->rated;
    enum store_status status = STORE_OK;
    if (!driver_take_ratings(answer, 2 * STORE_SIDES_MAX))
        return postgres_out_of_memory(driver);
    for (int i = 0; i < wanted->side_count && status == STORE_OK; i++) {
        status = read_rating(driver, wanted->ladder, wanted->sides[i].after.player, answer);
        if (status == STORE_OK)
            status = read_rating(driver, wanted->ladder, wanted->sides[i].taken_from, answer);
    }
    return status;
}

enum store_status postgres_leaders(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer)
{
    int most = driver_bound_rated(request);
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, request->rated->ladder);
    postgres_add_number(&parameters, request->from);
    postgres_add_number(&parameters, most);
    if (!driver_take_ratings(answer, most))
        return postgres_out_of_memory(driver);
    return read_ratings(driver, LEADERS, &parameters, most, answer);
}

enum store_status postgres_standings(struct store_driver *driver,
                                     const struct store_request *request,
                                     struct store_answer *answer)
{
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, request->rated->ladder);
    postgres_add_text(&parameters, request->rated->room);
    postgres_add_number(&parameters, STORE_RATED_MAX);
    if (!driver_take_ratings(answer, STORE_RATED_MAX))
        return postgres_out_of_memory(driver);
    return read_ratings(driver, STANDINGS, &parameters, STORE_RATED_MAX, answer);
}

static void copy_side(const PGresult *result, int row, struct store_rated_side *side)
{
    copy_short(result, row, 4, side->after.player, sizeof side->after.player);
    copy_short(result, row, 5, side->taken_from, sizeof side->taken_from);
    side->score = (int)postgres_number_at(result, row, 6);
    side->games_before = postgres_number_at(result, row, 7);
    side->before = strength_at(result, row, 8);
    side->idle_ms = postgres_number_at(result, row, 11);
    side->after.strength = strength_at(result, row, 12);
}

enum store_status postgres_rated(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer)
{
    int most = driver_bound_rated(request);
    struct postgres_parameters parameters = {0};
    postgres_add_number(&parameters, request->from);
    postgres_add_number(&parameters, (int64_t)most * STORE_SIDES_MAX);
    if (!driver_take_rated(answer, most))
        return postgres_out_of_memory(driver);
    PGresult *result = postgres_ask(driver, RATED, &parameters);
    if (result == NULL)
        return STORE_FAILED;
    for (int i = 0; i < PQntuples(result); i++) {
        struct store_rated_side *side =
            driver_next_side(answer, postgres_number_at(result, i, 0), most);
        if (side == NULL)
            continue;
        struct store_rated_game *game = &answer->rated[answer->rated_count - 1];
        copy_short(result, i, 1, game->room, sizeof game->room);
        copy_short(result, i, 2, game->ladder, sizeof game->ladder);
        game->ended_at_ms = postgres_number_at(result, i, 3);
        copy_side(result, i, side);
    }
    PQclear(result);
    return STORE_OK;
}

/* --- writing ------------------------------------------------------------------------------------ */

static const char *player_before(const struct store_rated_side *side)
{
    return side->taken_from[0] != '\0' ? side->taken_from : side->after.player;
}

/* How many games a player had; -1: it could not be read. */
static int64_t count_games(struct store_driver *driver, const char *ladder, const char *player)
{
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, ladder);
    postgres_add_text(&parameters, player);
    PGresult *result = postgres_ask(driver, RATING_OF, &parameters);
    if (result == NULL)
        return -1;
    int64_t games = PQntuples(result) == 1 ? postgres_number_at(result, 0, 7) : 0;
    PQclear(result);
    return games;
}

/* Whoever rates waits here for whoever does just now, and sees what that one has written. */
static enum store_status examine(struct store_driver *driver, const struct store_rated_game *game,
                                 int64_t *number)
{
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, game->room);
    if (!postgres_run(driver, LOCK_NUMBER, &(struct postgres_parameters){0}))
        return STORE_FAILED;
    PGresult *result = postgres_ask(driver, NEXT_NUMBER, &parameters);
    if (result == NULL)
        return STORE_FAILED;
    *number = postgres_number_at(result, 0, 0);
    enum store_status status = postgres_truth_at(result, 0, 1) ? STORE_OK : STORE_CONFLICT;
    PQclear(result);
    for (int i = 0; i < game->side_count && status == STORE_OK; i++) {
        const struct store_rated_side *side = &game->sides[i];
        int64_t games = count_games(driver, game->ladder, player_before(side));
        int64_t own = count_games(driver, game->ladder, side->after.player);
        if (games < 0 || own < 0)
            return STORE_FAILED;
        if (games != side->games_before || (side->taken_from[0] != '\0' && own > 0))
            status = STORE_CONFLICT;
    }
    return status;
}

static bool run_for_number(struct store_driver *driver, enum postgres_statement statement,
                           int64_t number)
{
    struct postgres_parameters parameters = {0};
    postgres_add_number(&parameters, number);
    return postgres_run(driver, statement, &parameters);
}

static void add_strength(struct postgres_parameters *parameters,
                         const struct store_strength *strength)
{
    postgres_add_number(parameters, strength->rating);
    postgres_add_number(parameters, strength->deviation);
    postgres_add_number(parameters, strength->volatility);
}

static bool write_side(struct store_driver *driver, int64_t number, int i,
                       const struct store_rated_side *side)
{
    struct postgres_parameters parameters = {0};
    postgres_add_number(&parameters, number);
    postgres_add_number(&parameters, i);
    postgres_add_text(&parameters, side->after.player);
    postgres_add_text(&parameters, side->taken_from);
    postgres_add_number(&parameters, side->score);
    postgres_add_number(&parameters, side->games_before);
    add_strength(&parameters, &side->before);
    postgres_add_number(&parameters, side->idle_ms);
    add_strength(&parameters, &side->after.strength);
    return postgres_run(driver, ADD_SIDE, &parameters);
}

static bool write_rating(struct store_driver *driver, const char *ladder,
                         const struct store_rated_side *side)
{
    const struct store_rating *rating = &side->after;
    struct postgres_parameters old = {0}, parameters = {0};
    postgres_add_text(&old, ladder);
    postgres_add_text(&old, player_before(side));
    postgres_add_text(&parameters, ladder);
    postgres_add_text(&parameters, rating->player);
    postgres_add_text(&parameters, rating->name);
    postgres_add_boolean(&parameters, rating->bot);
    add_strength(&parameters, &rating->strength);
    postgres_add_number(&parameters, rating->games);
    postgres_add_number(&parameters, rating->won);
    postgres_add_number(&parameters, rating->drawn);
    postgres_add_number(&parameters, rating->rated_at_ms);
    postgres_add_number(&parameters, rating->sure_until_ms);
    return postgres_run(driver, CLEAR_RATING, &old) &&
           postgres_run(driver, ADD_RATING, &parameters);
}

static bool forget(struct store_driver *driver, const char *room)
{
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, room);
    return postgres_run(driver, FORGET_GAME, &parameters);
}

static bool write_game(struct store_driver *driver, const struct store_rated_game *game,
                       int64_t number)
{
    struct postgres_parameters parameters = {0};
    postgres_add_text(&parameters, game->room);
    postgres_add_number(&parameters, number);
    bool done =
        postgres_run(driver, COUNT_GAME, &parameters) && run_for_number(driver, SET_NUMBER, number);
    for (int i = 0; i < game->side_count && done; i++)
        done = write_side(driver, number, i, &game->sides[i]) &&
               write_rating(driver, game->ladder, &game->sides[i]);
    return done && run_for_number(driver, CLEAR_OLD_GAME, number - STORE_RATED_KEPT) &&
           run_for_number(driver, CLEAR_OLD_RATINGS, driver_rating_too_old(game));
}

enum store_status postgres_rate(struct store_driver *driver, const struct store_request *request,
                                struct store_answer *answer)
{
    const struct store_rated_game *game = request->rated;
    int64_t number = 0;
    (void)answer;
    enum store_status status = examine(driver, game, &number);
    if (status != STORE_OK)
        return status;
    bool done =
        game->side_count == 0 ? forget(driver, game->room) : write_game(driver, game, number);
    return done ? STORE_OK : STORE_FAILED;
}
