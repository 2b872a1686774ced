#include "server/cli/ratings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory/memory.h"
#include "server/cli/default_store.h"
#include "server/core/map.h"
#include "server/core/rated_log.h"
#include "server/core/strength.h"

enum { URL_BYTES = 4096, WORDS_BYTES = URL_BYTES + 128 };

static const char usage[] =
    "usage: senet ratings [--check] [--store URL]\n"
    "\n"
    "Works the ratings out again from the games that have counted, in the order in which they did, "
    "and prints\n"
    "a line for each: ladder, player, rating, deviation, volatility, games, separated by tabs.\n"
    "`--check` prints only where a game or a rating in the store is another one, or where the log "
    "of a game's room,\n"
    "if it is still there, says something else; then the exit status is 1.\n"
    "Also while servers use the store; a game that comes to count meanwhile may be reported.\n"
    "The URL is the one given to `senet serve`; without it SENET_STORE, else the default store.\n"
    "Exit status: 0 done, 1 the store cannot be used or something differs, 2 wrong arguments.\n";

/* What somebody's games have come to so far. */
struct account_of_games {
    char key[STORE_LADDER_BYTES + STORE_PLAYER_BYTES + 2];
    struct store_strength strength;
    int64_t games, ended_at_ms;
};

struct ledger {
    struct store_beside *store;
    bool checks;
    struct map players; /* of struct account_of_games */
    struct rated_log log;
    int64_t first;   /* number of the first game there is: those before it are not known any more */
    int64_t last_ms; /* when the last one ended */
    uint64_t games, logs, differences;
    char words[WORDS_BYTES]; /* why the store cannot be used */
};

/* False, with words, if the store cannot be used; else the answer is the caller's. */
static bool ask(struct ledger *ledger, const struct store_request *request,
                struct store_answer *answer)
{
    return store_beside_ask(ledger->store, request, answer, ledger->words, sizeof ledger->words);
}

static void write_key(const char *ladder, const char *player, char *key, size_t size)
{
    snprintf(key, size, "%s %s", ladder, player);
}

static struct account_of_games *find(const struct ledger *ledger, const char *ladder,
                                     const char *player)
{
    char key[sizeof((struct account_of_games *)0)->key];
    write_key(ladder, player, key, sizeof key);
    return map_find(&ledger->players, key, strlen(key));
}

static void forget(struct ledger *ledger, struct account_of_games *account)
{
    if (account == NULL)
        return;
    map_remove(&ledger->players, account->key, strlen(account->key));
    free(account);
}

static bool same(const struct store_strength *one, const struct store_strength *other)
{
    return one->rating == other->rating && one->deviation == other->deviation &&
           one->volatility == other->volatility;
}

static void differs(struct ledger *ledger, const char *what, const char *ladder, const char *player,
                    int64_t number)
{
    ledger->differences++;
    if (number > 0)
        printf("game %" PRId64 ": %s\t%s\t%s\n", number, what, ladder, player);
    else
        printf("%s\t%s\t%s\n", what, ladder, player);
}

/* --- games -------------------------------------------------------------------------------------- */

/* As the games before have left the player. Of one whose games are not known any more what this one says is believed; and who had not
 * played for long had been forgotten. */
static void set_before(struct ledger *ledger, const struct store_rated_game *game,
                       struct store_rated_side *side)
{
    const char *player = side->taken_from[0] ? side->taken_from : side->after.player;
    struct account_of_games *account = find(ledger, game->ladder, player);
    int64_t kept_ms = INT64_C(86400000) * STORE_RATING_KEPT_DAYS;
    struct store_strength said = side->before, before = strength_new();
    int64_t games = 0, idle_ms = 0;
    if (account && side->games_before == 0 && game->ended_at_ms > account->ended_at_ms + kept_ms) {
        forget(ledger, account);
        account = NULL;
    }
    if (account) {
        before = account->strength;
        games = account->games;
        if (game->ended_at_ms > account->ended_at_ms)
            idle_ms = game->ended_at_ms - account->ended_at_ms;
    } else if (side->games_before > 0 && ledger->first > 1) {
        before = said;
        games = side->games_before;
        idle_ms = side->idle_ms;
    }
    if (!same(&said, &before) || side->games_before != games || side->idle_ms != idle_ms)
        differs(ledger, "it began elsewhere", game->ladder, player, game->number);
    side->before = before;
    side->games_before = games;
    side->idle_ms = idle_ms;
    if (side->taken_from[0])
        forget(ledger, account);
}

static void keep_after(struct ledger *ledger, const struct store_rated_game *game,
                       const struct store_rated_side *side)
{
    struct account_of_games *account = find(ledger, game->ladder, side->after.player);
    if (account == NULL) {
        account = memory_zeroed(1, sizeof *account);
        write_key(game->ladder, side->after.player, account->key, sizeof account->key);
        map_put(&ledger->players, account->key, strlen(account->key), account);
    }
    account->strength = side->after.strength;
    account->games = side->games_before + 1;
    account->ended_at_ms = game->ended_at_ms;
    if (game->ended_at_ms > ledger->last_ms)
        ledger->last_ms = game->ended_at_ms;
}

static void work_out(struct ledger *ledger, const struct store_rated_game *stored)
{
    struct store_rated_game game = *stored;
    if (ledger->games++ == 0)
        ledger->first = game.number;
    if (game.side_count != STORE_SIDES_MAX || game.sides[0].score + game.sides[1].score != 2) {
        differs(ledger, "it is not between two", game.ladder, game.room, game.number);
        return;
    }
    for (int i = 0; i < game.side_count; i++)
        set_before(ledger, &game, &game.sides[i]);
    strength_rate(&game);
    for (int i = 0; i < game.side_count; i++) {
        if (!same(&game.sides[i].after.strength, &stored->sides[i].after.strength))
            differs(ledger, "it came to something else", game.ladder, game.sides[i].after.player,
                    game.number);
        keep_after(ledger, &game, &game.sides[i]);
    }
}

/* --- their logs ---------------------------------------------------------------------------------- */

/* The log names who sat down first and who sat there last. The rating is one of theirs, or went from the first to the last. */
static bool is_between(const struct store_rated_side *counted, const struct store_rated_side *told)
{
    bool is_last = strcmp(counted->after.player, told->after.player) == 0;
    if (counted->taken_from[0])
        return is_last && strcmp(counted->taken_from, told->taken_from) == 0;
    return is_last || strcmp(counted->after.player, told->taken_from) == 0;
}

static void compare_with_log(struct ledger *ledger, const struct store_rated_game *counted,
                             const struct store_rated_game *told)
{
    if (told->side_count == 0) {
        differs(ledger, "its log says that it does not count", counted->ladder, counted->room,
                counted->number);
        return;
    }
    if (strcmp(counted->ladder, told->ladder) != 0)
        differs(ledger, "its log is of another ladder", counted->ladder, counted->room,
                counted->number);
    for (int i = 0; i < STORE_SIDES_MAX && i < counted->side_count; i++) {
        const struct store_rated_side *side = &counted->sides[i];
        if (!is_between(side, &told->sides[i]))
            differs(ledger, "its log says that somebody else played", counted->ladder,
                    side->after.player, counted->number);
        if (side->score != told->sides[i].score)
            differs(ledger, "its log says that it ended otherwise", counted->ladder,
                    side->after.player, counted->number);
    }
}

/* A room is kept for a time, what has counted for longer. */
static bool check_log(struct ledger *ledger, const struct store_rated_game *counted)
{
    struct store_answer answer;
    struct store_rated_game told = {.side_count = 0};
    const struct store_request request = {.ask = STORE_LOAD, .room = counted->room};
    if (!ask(ledger, &request, &answer))
        return false;
    bool stands = answer.status == STORE_OK;
    ledger->logs += stands;
    if (stands && rated_log_read(&ledger->log, &answer, &told))
        compare_with_log(ledger, counted, &told);
    else if (stands)
        differs(ledger, "its log cannot be followed", counted->ladder, counted->room,
                counted->number);
    store_answer_release(&answer);
    return true;
}

static bool read_games(struct ledger *ledger)
{
    int64_t last = 0;
    int count = STORE_RATED_MAX;
    bool usable = true;
    while (usable && count == STORE_RATED_MAX) {
        struct store_answer answer;
        const struct store_request request = {
            .ask = STORE_RATED, .from = last, .to = STORE_RATED_MAX};
        if (!ask(ledger, &request, &answer))
            return false;
        count = answer.rated_count;
        for (int i = 0; i < count && usable; i++) {
            work_out(ledger, &answer.rated[i]);
            usable = !ledger->checks || check_log(ledger, &answer.rated[i]);
        }
        if (count > 0)
            last = answer.rated[count - 1].number;
        store_answer_release(&answer);
    }
    return usable;
}

/* --- ratings ------------------------------------------------------------------------------------ */

/* One whose games are all forgotten is believed. */
static void compare(struct ledger *ledger, const struct store_rating *rating)
{
    struct account_of_games *account = find(ledger, rating->ladder, rating->player);
    bool is_known = account != NULL;
    if (is_known &&
        (!same(&account->strength, &rating->strength) || account->games != rating->games))
        differs(ledger, "the rating is another one", rating->ladder, rating->player, 0);
    if (!is_known && ledger->first <= 1)
        differs(ledger, "no games led there", rating->ladder, rating->player, 0);
    forget(ledger, account);
}

static void print(struct ledger *ledger, const struct store_rating *rating)
{
    const struct account_of_games *account = find(ledger, rating->ladder, rating->player);
    if (account == NULL)
        return;
    const struct store_strength *strength = &account->strength;
    printf("%s\t%s\t%" PRId64 ".%02d\t%" PRId64 ".%02d\t0.%06d\t%" PRId64 "\n", rating->ladder,
           rating->player, strength->rating / 100, (int)(strength->rating % 100),
           strength->deviation / 100, (int)(strength->deviation % 100), (int)strength->volatility,
           account->games);
}

static bool read_ratings(struct ledger *ledger,
                         void (*look)(struct ledger *ledger, const struct store_rating *rating))
{
    struct store_rated_game after = {.side_count = 0};
    int count = STORE_RATED_MAX;
    while (count == STORE_RATED_MAX) {
        struct store_answer answer;
        const struct store_request request = {.ask = STORE_STANDINGS, .rated = &after};
        if (!ask(ledger, &request, &answer))
            return false;
        count = answer.rating_count;
        for (int i = 0; i < count; i++)
            look(ledger, &answer.ratings[i]);
        if (count > 0) {
            memcpy(after.ladder, answer.ratings[count - 1].ladder, sizeof after.ladder);
            memcpy(after.room, answer.ratings[count - 1].player, sizeof after.room);
        }
        store_answer_release(&answer);
    }
    return true;
}

/* --- the command ---------------------------------------------------------------------------------- */

static void release(struct ledger *ledger)
{
    size_t cursor = 0;
    for (struct account_of_games *account; (account = map_next(&ledger->players, &cursor));)
        free(account);
    map_release(&ledger->players);
    rated_log_release(&ledger->log);
}

/* Ratings that should be there: all but of whoever had not played for so long that they went with a game that was the last. */
static void miss(struct ledger *ledger)
{
    size_t cursor = 0;
    for (const struct account_of_games *account; (account = map_next(&ledger->players, &cursor));)
        if (account->ended_at_ms > ledger->last_ms - INT64_C(86400000) * STORE_RATING_KEPT_DAYS) {
            ledger->differences++;
            printf("the rating is not there\t%s\n", account->key);
        }
}

static int complain(const char *words)
{
    fprintf(stderr, "senet ratings: %s\n", words);
    return 1;
}

static bool go_through(struct ledger *ledger)
{
    bool done = read_games(ledger) && read_ratings(ledger, ledger->checks ? compare : print);
    if (done && ledger->checks)
        miss(ledger);
    return done;
}

static int run(const char *url, bool check)
{
    struct store_beside store;
    struct ledger ledger = {.store = &store, .checks = check, .first = 1};
    if (!store_beside_open(&store, url, ledger.words, sizeof ledger.words))
        return complain(ledger.words);
    map_init(&ledger.players, (struct hash_key){{0}});
    rated_log_init(&ledger.log);
    bool done = go_through(&ledger);
    release(&ledger);
    store_beside_close(&store);
    if (!done)
        return complain(ledger.words);
    if (check)
        fprintf(stderr, "%" PRIu64 " games, %" PRIu64 " with their logs, %" PRIu64 " differences\n",
                ledger.games, ledger.logs, ledger.differences);
    return ledger.differences > 0;
}

int cli_ratings(int argc, char **argv)
{
    char standard[URL_BYTES], words[WORDS_BYTES];
    const char *url = getenv("SENET_STORE");
    bool check = false;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--store") == 0 && i + 1 < argc) {
            url = argv[++i];
        } else if (strcmp(argv[i], "--check") == 0) {
            check = true;
        } else {
            fputs(usage, stderr);
            return 2;
        }
    }
    if (url == NULL || url[0] == '\0') {
        if (!default_store(standard, sizeof standard, words, sizeof words))
            return complain(words);
        url = standard;
    }
    return run(url, check);
}
