/* Rated games: that each has counted once, for those who played it, as its log says, and that whoever works all of it out again comes to
 * the ratings that are stored. */
#include "server/core/strength.h"
#include "tests/simulation/parts.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* --- what a log says ------------------------------------------------------------------------------------------------ */

static const char *const seat_names[STORE_SIDES_MAX] = {"red", "green"};

enum { HOLDERS_BYTES = 4096 };

/* Who sat there when play began, who sits there at last, and all who ever did; half points of each, -1: it does not count. */
struct told {
    char first[STORE_SIDES_MAX][STORE_PLAYER_BYTES + 1],
        last[STORE_SIDES_MAX][STORE_PLAYER_BYTES + 1];
    char holders[STORE_SIDES_MAX][HOLDERS_BYTES]; /* with a space behind each */
    bool moved[STORE_SIDES_MAX];
    int mover;
    bool begun, over;
    /* A seat went to somebody else when it was over: before it has counted, or after. */
    bool moved_on;
    int scores[STORE_SIDES_MAX];
};

static const char *text(const json_t *object, const char *name)
{
    const char *value = json_string_value(json_object_get(object, name));
    return value ? value : "";
}

static int seat_at(const char *name)
{
    return strcmp(name, seat_names[0]) == 0 ? 0 : 1;
}

static void sit(struct told *told, int seat, const char *player, bool anew)
{
    size_t length = strlen(told->holders[seat]);
    snprintf(told->last[seat], sizeof told->last[seat], "%s", player);
    snprintf(told->holders[seat] + length, HOLDERS_BYTES - length, "%s ", player);
    told->moved_on = true;
    if (anew)
        snprintf(told->first[seat], sizeof told->first[seat], "%s", player);
}

/* A seat that is given away or left before play begins was never played. */
static void note_seats(struct told *told, const char *kind, const json_t *body)
{
    bool joined = strcmp(kind, "joined") == 0, handed = strcmp(kind, "handed_over") == 0;
    bool left = strcmp(kind, "left") == 0 && !told->begun;
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(body, "seated"), i, one)
        sit(told, seat_at(text(one, "seat")), text(one, "player"), true);
    json_array_foreach(json_object_get(body, "seats"), i, one)
    {
        int seat = seat_at(json_string_value(one));
        if (joined || handed)
            sit(told, seat, text(body, "player"), joined || !told->begun);
        else if (left)
            told->last[seat][0] = '\0';
    }
    told->begun = told->begun || (told->last[0][0] != '\0' && told->last[1][0] != '\0');
}

static void end(struct told *told, int winner, int loser)
{
    told->over = true;
    for (int i = 0; i < STORE_SIDES_MAX; i++)
        told->scores[i] = i == winner ? 2 : i == loser ? 0 : 1;
}

static void end_without(struct told *told)
{
    told->over = true;
    told->scores[0] = told->scores[1] = -1;
}

static void note_end(struct told *told, const char *kind, const json_t *body)
{
    int seat = seat_at(text(body, "seat"));
    bool flagged = strcmp(kind, "flagged") == 0;
    bool left = strcmp(kind, "abandoned") == 0 && strcmp(text(body, "as"), "win") == 0;
    if (strcmp(kind, "resigned") == 0 || left || (flagged && told->moved[seat]))
        end(told, 1 - seat, seat);
    else if (strcmp(kind, "aborted") == 0 || flagged)
        end_without(told);
    else if (strcmp(kind, "abandoned") == 0 || strcmp(kind, "drawn") == 0)
        end(told, -1, -1);
}

/* Of games whose last move wins. */
static void read_log(const struct kept_room *room, struct told *told)
{
    *told = (struct told){.mover = -1};
    for (int i = 0; i < room->event_count; i++) {
        const struct kept_event *event = &room->events[i];
        json_t *body = json_loads(event->body, 0, NULL);
        note_seats(told, event->kind, body);
        if (strcmp(event->kind, "moved") == 0) {
            told->mover = seat_at(text(body, "seat"));
            told->moved[told->mover] = true;
            told->moved_on = false;
        } else if (!told->over) {
            note_end(told, event->kind, body);
            told->moved_on = told->moved_on && !told->over;
        }
        json_decref(body);
    }
    if (!told->over)
        end(told, told->mover, 1 - told->mover);
    for (int i = 0; i < 4;
         i++) /* nobody plays against himself, before or after a seat went to somebody else */
        if (strcmp(i & 1 ? told->first[0] : told->last[0],
                   i & 2 ? told->first[1] : told->last[1]) == 0)
            end_without(told);
}

/* --- worked out again ------------------------------------------------------------------------------------------------- */

enum { PLAYERS_MAX_OF_LADDERS = 256 };

struct ledger {
    struct store_rating ratings[PLAYERS_MAX_OF_LADDERS];
    int count;
};

static struct store_rating *find(struct ledger *ledger, const char *ladder, const char *player)
{
    for (int i = 0; i < ledger->count; i++)
        if (strcmp(ledger->ratings[i].ladder, ladder) == 0 &&
            strcmp(ledger->ratings[i].player, player) == 0)
            return &ledger->ratings[i];
    return NULL;
}

static bool same(const struct store_strength *one, const struct store_strength *other)
{
    return one->rating == other->rating && one->deviation == other->deviation &&
           one->volatility == other->volatility;
}

static void begin_side(struct world *world, struct ledger *ledger,
                       const struct store_rated_game *game, struct store_rated_side *side)
{
    const char *before = side->taken_from[0] ? side->taken_from : side->after.player;
    const struct store_rating *known = find(ledger, game->ladder, before);
    struct store_strength strength = known ? known->strength : strength_new();
    if (!same(&strength, &side->before) || (known ? known->games : 0) != side->games_before)
        violate(world, "game %" PRId64 " began with another rating of %s", game->number, before);
    side->before = strength;
    side->idle_ms = known && game->ended_at_ms > known->rated_at_ms
                        ? game->ended_at_ms - known->rated_at_ms
                        : 0;
}

static void keep(struct ledger *ledger, const struct store_rated_game *game,
                 const struct store_rated_side *side)
{
    const char *before = side->taken_from[0] ? side->taken_from : side->after.player;
    struct store_rating *known = find(ledger, game->ladder, before);
    if (!known) {
        if (ledger->count == PLAYERS_MAX_OF_LADDERS)
            return;
        known = &ledger->ratings[ledger->count++];
        *known = (struct store_rating){.games = 0};
        snprintf(known->ladder, sizeof known->ladder, "%s", game->ladder);
    }
    snprintf(known->player, sizeof known->player, "%s", side->after.player);
    known->strength = side->after.strength;
    known->games++;
    known->rated_at_ms = game->ended_at_ms;
}

static bool has_held(const struct told *told, int seat, const char *player)
{
    const char *found = strstr(told->holders[seat], player);
    return found && found[strlen(player)] == ' ';
}

static void check_played(struct world *world, const struct store_rated_game *game)
{
    const struct kept_room *room = memory_store_room(&world->store, game->room);
    struct told told;
    if (!room)
        return;
    read_log(room, &told);
    for (int i = 0; i < STORE_SIDES_MAX; i++) {
        const struct store_rated_side *side = &game->sides[i];
        bool played = strcmp(side->after.player, told.first[i]) == 0 ||
                      strcmp(side->after.player, told.last[i]) == 0 ||
                      (told.moved_on && has_held(&told, i, side->after.player));
        bool scored = side->score == told.scores[i] || (told.moved_on && told.scores[i] < 0);
        if (!scored || !played)
            violate(world, "%s has counted as %d for %s, and its log says %d for %s", room->id,
                    side->score, side->after.player, told.scores[i], told.last[i]);
    }
}

static void work_out(struct world *world, struct ledger *ledger,
                     const struct store_rated_game *stored)
{
    struct store_rated_game game = *stored;
    check_played(world, stored);
    for (int i = 0; i < STORE_SIDES_MAX; i++)
        begin_side(world, ledger, &game, &game.sides[i]);
    strength_rate(&game);
    for (int i = 0; i < STORE_SIDES_MAX; i++) {
        if (!same(&game.sides[i].after.strength, &stored->sides[i].after.strength))
            violate(world, "game %" PRId64 " came to another rating of %s", game.number,
                    game.sides[i].after.player);
        keep(ledger, &game, &game.sides[i]);
    }
    world->report->rated++;
}

static const struct store_rated_game *find_game(const struct memory_ratings *ratings,
                                                const char *room)
{
    for (int i = 0; i < ratings->game_count; i++)
        if (strcmp(ratings->games[i].room, room) == 0)
            return &ratings->games[i];
    return NULL;
}

/* All that are over have counted, or do not. */
static void check_counted(struct world *world, const struct kept_room *room)
{
    const struct store_rated_game *game = find_game(&world->store.ratings, room->id);
    struct told told;
    if (!room->ladder || room->status != STORE_FINISHED)
        return;
    read_log(room, &told);
    if (told.moved_on)
        return;
    if ((told.scores[0] >= 0) != (game && game->number > 0))
        violate(world, "%s is over (%d), and has%s counted", room->id, told.scores[0],
                game && game->number > 0 ? "" : " not");
}

void ratings_look_at_all(struct world *world)
{
    const struct memory_ratings *ratings = &world->store.ratings;
    struct ledger *ledger = calloc(1, sizeof *ledger);
    int known = 0;
    for (int i = 0; i < world->store.room_count; i++)
        check_counted(world, &world->store.rooms[i]);
    for (int64_t number = 1; number <= ratings->last_number; number++)
        for (int i = 0; i < ratings->game_count; i++)
            if (ratings->games[i].number == number)
                work_out(world, ledger, &ratings->games[i]);
    for (int i = 0; i < ratings->rating_count; i++) {
        const struct store_rating *rating = &ratings->ratings[i];
        const struct store_rating *worked = find(ledger, rating->ladder, rating->player);
        known += worked != NULL;
        if (!worked || !same(&worked->strength, &rating->strength) ||
            worked->games != rating->games)
            violate(world, "%s of %s is stored otherwise than it is worked out", rating->player,
                    rating->ladder);
    }
    if (known != ledger->count)
        violate(world, "%d ratings are stored of %d", known, ledger->count);
    free(ledger);
}
