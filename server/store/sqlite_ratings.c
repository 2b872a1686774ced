#include "server/store/sqlite_ratings.h"

#include <stdio.h>

/* A text too long for its place is none that this server has written. */
static void copy_short(sqlite3_stmt *row, int column, char *text, size_t size)
{
    snprintf(text, size, "%s", sqlite_text_at(row, column));
}

static void copy_rating(sqlite3_stmt *row, struct store_rating *rating)
{
    *rating = (struct store_rating){
        .bot = sqlite3_column_int(row, 3) != 0,
        .strength = {.rating = sqlite3_column_int64(row, 4),
                     .deviation = sqlite3_column_int64(row, 5),
                     .volatility = sqlite3_column_int64(row, 6)},
        .games = sqlite3_column_int64(row, 7),
        .won = sqlite3_column_int64(row, 8),
        .drawn = sqlite3_column_int64(row, 9),
        .rated_at_ms = sqlite3_column_int64(row, 10),
        .sure_until_ms = sqlite3_column_int64(row, 11),
    };
    copy_short(row, 0, rating->ladder, sizeof rating->ladder);
    copy_short(row, 1, rating->player, sizeof rating->player);
    copy_short(row, 2, rating->name, sizeof rating->name);
}

/* --- reading ------------------------------------------------------------------------------------ */

enum store_status sqlite_ratable(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer)
{
    int most = driver_bound_rated(request);
    sqlite3_stmt *statement = driver->statements[RATABLE];
    enum sqlite_row row;
    if (!driver_take_rated(answer, most)) {
        sqlite_note_memory(driver);
        return STORE_FAILED;
    }
    sqlite3_bind_int64(statement, 1, request->from);
    sqlite_put_text(statement, 2, request->room);
    sqlite3_bind_int(statement, 3, most);
    while ((row = sqlite_next_row(driver, statement)) == ROW) {
        struct store_rated_game *game = &answer->rated[answer->rated_count++];
        *game = (struct store_rated_game){.ended_at_ms = sqlite3_column_int64(statement, 2)};
        copy_short(statement, 0, game->room, sizeof game->room);
        copy_short(statement, 1, game->ladder, sizeof game->ladder);
    }
    return row == ROW_FAILED ? STORE_FAILED : STORE_OK;
}

/* Adds the rows of a statement whose parameters are bound; there is room for them. */
static enum store_status read_ratings(struct store_driver *driver, sqlite3_stmt *statement,
                                      struct store_answer *answer)
{
    enum sqlite_row row;
    while ((row = sqlite_next_row(driver, statement)) == ROW)
        copy_rating(statement, &answer->ratings[answer->rating_count++]);
    return row == ROW_FAILED ? STORE_FAILED : STORE_OK;
}

static enum store_status read_rating(struct store_driver *driver, const char *ladder,
                                     const char *player, struct store_answer *answer)
{
    sqlite3_stmt *statement = driver->statements[RATING_OF];
    if (player[0] == '\0')
        return STORE_OK;
    sqlite_put_text(statement, 1, ladder);
    sqlite_put_text(statement, 2, player);
    return read_ratings(driver, statement, answer);
}

enum store_status sqlite_ratings(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer)
{
    const struct store_rated_game *wanted = request->rated;
    enum store_status status = STORE_OK;
    if (!driver_take_ratings(answer, 2 * STORE_SIDES_MAX)) {
        sqlite_note_memory(driver);
        return STORE_FAILED;
    }
    for (int i = 0; i < wanted->side_count && status == STORE_OK; i++) {
        status = read_rating(driver, wanted->ladder, wanted->sides[i].after.player, answer);
        if (status == STORE_OK)
            status = read_rating(driver, wanted->ladder, wanted->sides[i].taken_from, answer);
    }
    return status;
}

enum store_status sqlite_leaders(struct store_driver *driver, const struct store_request *request,
                                 struct store_answer *answer)
{
    int most = driver_bound_rated(request);
    sqlite3_stmt *statement = driver->statements[LEADERS];
    if (!driver_take_ratings(answer, most)) {
        sqlite_note_memory(driver);
        return STORE_FAILED;
    }
    sqlite_put_text(statement, 1, request->rated->ladder);
    sqlite3_bind_int64(statement, 2, request->from);
    sqlite3_bind_int(statement, 3, most);
    return read_ratings(driver, statement, answer);
}

enum store_status sqlite_standings(struct store_driver *driver, const struct store_request *request,
                                   struct store_answer *answer)
{
    sqlite3_stmt *statement = driver->statements[STANDINGS];
    if (!driver_take_ratings(answer, STORE_RATED_MAX)) {
        sqlite_note_memory(driver);
        return STORE_FAILED;
    }
    sqlite_put_text(statement, 1, request->rated->ladder);
    sqlite_put_text(statement, 2, request->rated->room);
    sqlite3_bind_int(statement, 3, STORE_RATED_MAX);
    return read_ratings(driver, statement, answer);
}

static void copy_side(sqlite3_stmt *row, struct store_rated_side *side)
{
    copy_short(row, 4, side->after.player, sizeof side->after.player);
    copy_short(row, 5, side->taken_from, sizeof side->taken_from);
    side->score = sqlite3_column_int(row, 6);
    side->games_before = sqlite3_column_int64(row, 7);
    side->before = (struct store_strength){
        sqlite3_column_int64(row, 8), sqlite3_column_int64(row, 9), sqlite3_column_int64(row, 10)};
    side->idle_ms = sqlite3_column_int64(row, 11);
    side->after.strength =
        (struct store_strength){sqlite3_column_int64(row, 12), sqlite3_column_int64(row, 13),
                                sqlite3_column_int64(row, 14)};
}

enum store_status sqlite_rated(struct store_driver *driver, const struct store_request *request,
                               struct store_answer *answer)
{
    int most = driver_bound_rated(request);
    sqlite3_stmt *statement = driver->statements[RATED];
    enum sqlite_row row;
    if (!driver_take_rated(answer, most)) {
        sqlite_note_memory(driver);
        return STORE_FAILED;
    }
    sqlite3_bind_int64(statement, 1, request->from);
    sqlite3_bind_int(statement, 2, most * STORE_SIDES_MAX);
    while ((row = sqlite_next_row(driver, statement)) == ROW) {
        struct store_rated_side *side =
            driver_next_side(answer, sqlite3_column_int64(statement, 0), most);
        if (side == NULL)
            continue;
        struct store_rated_game *game = &answer->rated[answer->rated_count - 1];
        copy_short(statement, 1, game->room, sizeof game->room);
        copy_short(statement, 2, game->ladder, sizeof game->ladder);
        game->ended_at_ms = sqlite3_column_int64(statement, 3);
        copy_side(statement, side);
    }
    return row == ROW_FAILED ? STORE_FAILED : STORE_OK;
}

/* --- writing ------------------------------------------------------------------------------------ */

static enum store_status is_ratable(struct store_driver *driver, const char *room)
{
    sqlite3_stmt *statement = driver->statements[IS_RATABLE];
    sqlite_put_text(statement, 1, room);
    enum sqlite_row row = sqlite_next_row(driver, statement);
    sqlite3_reset(statement);
    if (row == ROW_FAILED)
        return STORE_FAILED;
    return row == ROW ? STORE_OK : STORE_CONFLICT;
}

static const char *player_before(const struct store_rated_side *side)
{
    return side->taken_from[0] != '\0' ? side->taken_from : side->after.player;
}

/* How many games a player had; -1: it could not be read. */
static int64_t count_games(struct store_driver *driver, const char *ladder, const char *player)
{
    sqlite3_stmt *statement = driver->statements[RATING_OF];
    sqlite_put_text(statement, 1, ladder);
    sqlite_put_text(statement, 2, player);
    enum sqlite_row row = sqlite_next_row(driver, statement);
    int64_t games = row == ROW ? sqlite3_column_int64(statement, 7) : 0;
    sqlite3_reset(statement);
    return row == ROW_FAILED ? -1 : games;
}

/* The players are where they were when it was worked out what the game does to them. */
static enum store_status examine(struct store_driver *driver, const struct store_rated_game *game)
{
    enum store_status status = is_ratable(driver, game->room);
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

static bool run_for_number(struct store_driver *driver, enum sqlite_statement name, int64_t number)
{
    sqlite3_bind_int64(driver->statements[name], 1, number);
    return sqlite_run(driver, name);
}

static bool write_side(struct store_driver *driver, int64_t number, int i,
                       const struct store_rated_side *side)
{
    sqlite3_stmt *statement = driver->statements[ADD_SIDE];
    const struct store_strength *before = &side->before, *after = &side->after.strength;
    sqlite3_bind_int64(statement, 1, number);
    sqlite3_bind_int(statement, 2, i);
    sqlite_put_text(statement, 3, side->after.player);
    sqlite_put_text(statement, 4, side->taken_from);
    sqlite3_bind_int(statement, 5, side->score);
    sqlite3_bind_int64(statement, 6, side->games_before);
    sqlite3_bind_int64(statement, 7, before->rating);
    sqlite3_bind_int64(statement, 8, before->deviation);
    sqlite3_bind_int64(statement, 9, before->volatility);
    sqlite3_bind_int64(statement, 10, side->idle_ms);
    sqlite3_bind_int64(statement, 11, after->rating);
    sqlite3_bind_int64(statement, 12, after->deviation);
    sqlite3_bind_int64(statement, 13, after->volatility);
    return sqlite_run(driver, ADD_SIDE);
}

static bool write_rating(struct store_driver *driver, const char *ladder,
                         const struct store_rated_side *side)
{
    const struct store_rating *rating = &side->after;
    sqlite_put_text(driver->statements[CLEAR_RATING], 1, ladder);
    sqlite_put_text(driver->statements[CLEAR_RATING], 2, player_before(side));
    sqlite3_stmt *statement = driver->statements[SET_RATING];
    sqlite_put_text(statement, 1, ladder);
    sqlite_put_text(statement, 2, rating->player);
    sqlite_put_text(statement, 3, rating->name);
    sqlite3_bind_int(statement, 4, rating->bot);
    sqlite3_bind_int64(statement, 5, rating->strength.rating);
    sqlite3_bind_int64(statement, 6, rating->strength.deviation);
    sqlite3_bind_int64(statement, 7, rating->strength.volatility);
    sqlite3_bind_int64(statement, 8, rating->games);
    sqlite3_bind_int64(statement, 9, rating->won);
    sqlite3_bind_int64(statement, 10, rating->drawn);
    sqlite3_bind_int64(statement, 11, rating->rated_at_ms);
    sqlite3_bind_int64(statement, 12, rating->sure_until_ms);
    return sqlite_run(driver, CLEAR_RATING) && sqlite_run(driver, SET_RATING);
}

static bool forget(struct store_driver *driver, const char *room)
{
    sqlite_put_text(driver->statements[FORGET_GAME], 1, room);
    return sqlite_run(driver, FORGET_GAME);
}

static bool write_game(struct store_driver *driver, const struct store_rated_game *game)
{
    sqlite3_stmt *last = driver->statements[LAST_NUMBER];
    if (sqlite_next_row(driver, last) != ROW)
        return false;
    int64_t number = sqlite3_column_int64(last, 0) + 1;
    sqlite3_reset(last);
    sqlite_put_text(driver->statements[COUNT_GAME], 1, game->room);
    sqlite3_bind_int64(driver->statements[COUNT_GAME], 2, number);
    bool done = sqlite_run(driver, COUNT_GAME);
    for (int i = 0; i < game->side_count && done; i++)
        done = write_side(driver, number, i, &game->sides[i]) &&
               write_rating(driver, game->ladder, &game->sides[i]);
    return done && run_for_number(driver, CLEAR_OLD_GAME, number - STORE_RATED_KEPT) &&
           run_for_number(driver, CLEAR_OLD_SIDES, number - STORE_RATED_KEPT) &&
           run_for_number(driver, CLEAR_OLD_RATINGS, driver_rating_too_old(game));
}

/* The statements violate nothing: one that fails loses the transaction, and none is left half done. */
enum store_status sqlite_rate(struct store_driver *driver, const struct store_request *request,
                              struct store_answer *answer)
{
    const struct store_rated_game *game = request->rated;
    enum store_status status = examine(driver, game);
    (void)answer;
    if (status != STORE_OK)
        return status;
    if (game->side_count == 0 ? forget(driver, game->room) : write_game(driver, game))
        return STORE_OK;
    driver->lost = true;
    return STORE_FAILED;
}
