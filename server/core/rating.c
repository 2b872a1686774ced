#include "server/core/rating.h"

#include "server/core/ladder.h"
#include "server/core/loading.h"
#include "server/core/parts.h"
#include "server/core/rated_room.h"
#include "server/core/strength.h"

#include <stdio.h>
#include <string.h>

enum {
    LOOK_MS = 5000,    /* for what ended at other servers, or before a crash */
    AGAIN_MS = 100,    /* there were more than one question takes */
    BROUGHT_MS = 1000, /* rooms are being brought into memory */
    LOOKED_AT = 32,
};

void rating_init(struct core *core)
{
    core->rating.look_ms = core->now_ms;
    core->rating.after_ms = 0;
    core->rating.after[0] = '\0';
}

void rating_note(struct core *core, const struct room *room)
{
    if (room->standing.rated && room->standing.status == STATUS_FINISHED)
        core->rating.look_ms = core->now_ms;
}

/* --- what it does ----------------------------------------------------------------------------- */

static const struct store_rating *find(const struct store_answer *answer, const char *player)
{
    for (int i = 0; i < answer->rating_count; i++)
        if (strcmp(answer->ratings[i].player, player) == 0)
            return &answer->ratings[i];
    return NULL;
}

/* Who came later and has a rating of his own played for somebody else; else he has that one's. */
static const struct store_rating *choose(struct store_rated_side *side,
                                         const struct store_answer *answer)
{
    const struct store_rating *own = find(answer, side->after.player);
    const struct store_rating *former = side->taken_from[0] ? find(answer, side->taken_from) : NULL;
    if (own && side->taken_from[0]) {
        memcpy(side->after.player, side->taken_from, sizeof side->after.player);
        own = former;
    } else if (!own && former) {
        return former;
    }
    side->taken_from[0] = '\0';
    return own;
}

static void set_before(struct store_rated_side *side, const struct store_rating *rating,
                       int64_t ended_at_ms)
{
    side->before = rating ? rating->strength : strength_new();
    side->games_before = rating ? rating->games : 0;
    side->idle_ms =
        rating && ended_at_ms > rating->rated_at_ms ? ended_at_ms - rating->rated_at_ms : 0;
    side->after.games = side->games_before + 1;
    side->after.won = (rating ? rating->won : 0) + (side->score == 2);
    side->after.drawn = (rating ? rating->drawn : 0) + (side->score == 1);
}

static void name_player(const struct room *room, int seat, struct store_rating *rating)
{
    struct claimants claimants = rated_room_claimants(room, seat);
    const struct seat *who = strcmp(claimants.last->holder.player, rating->player) == 0
                                 ? claimants.last
                                 : claimants.first;
    snprintf(rating->name, sizeof rating->name, "%s", who->name);
    rating->bot = who->as == PLAYER_BOT;
}

static void work_out(const struct room *room, struct store_rated_game *game,
                     const struct store_answer *answer)
{
    for (int i = 0; i < game->side_count; i++) {
        struct store_rated_side *side = &game->sides[i];
        set_before(side, choose(side, answer), game->ended_at_ms);
        name_player(room, i, &side->after);
    }
    strength_rate(game);
    for (int i = 0; i < game->side_count; i++) {
        struct store_rating *after = &game->sides[i].after;
        after->rated_at_ms = game->ended_at_ms;
        after->sure_until_ms = game->ended_at_ms + strength_sure_ms(&after->strength);
    }
}

/* --- the duty --------------------------------------------------------------------------------- */

static bool may_look(const struct core *core)
{
    return core_ready(core) && lease_is_first(core) && !core->stopping;
}

static struct room *find_over(const struct core *core, const char *id)
{
    struct room *room = core_find_room(core, id);
    return room && !room->loading && room->edition && room->version > 0 ? room : NULL;
}

static void write_down(struct core *core, const struct store_rated_game *game)
{
    ticket_ask(core, ticket_new(core, TICKET_RATING, game->room),
               &(struct store_request){.ask = STORE_RATE, .rated = game});
}

/* Nobody has asked for it: the server pays. */
static void bring(struct core *core, const char *id)
{
    const struct core_address ours = {{0}};
    struct account *account = account_of(&core->accounts, &ours, core->now_ms);
    loading_begin(core, id, account);
    account_let_go(&core->accounts, account, core->now_ms);
}

/* A room in memory that has not heard of its end yet will. */
static void look_at(struct core *core, const struct store_rated_game *waiting)
{
    struct store_rated_game game = *waiting;
    const struct room *room = find_over(core, waiting->room);
    if (!room) {
        if (!core_find_room(core, waiting->room))
            bring(core, waiting->room);
        core->rating.look_ms = core->now_ms + BROUGHT_MS;
        return;
    }
    if (room->standing.status != STATUS_FINISHED)
        return;
    rated_room_read(room, &game);
    if (game.side_count == 0) {
        write_down(core, &game);
        return;
    }
    struct ticket *ticket = ticket_new(core, TICKET_RATING, game.room);
    ticket->from = game.ended_at_ms;
    ticket_ask(core, ticket, &(struct store_request){.ask = STORE_RATINGS, .rated = &game});
}

static void took_stock(struct core *core, const struct store_answer *answer)
{
    struct rating *rating = &core->rating;
    rating->is_asked = false;
    rating->look_ms = core->now_ms + LOOK_MS;
    if (answer->status != STORE_OK || !may_look(core))
        return;
    for (int i = 0; i < answer->rated_count; i++)
        look_at(core, &answer->rated[i]);
    bool more = answer->rated_count == LOOKED_AT;
    rating->after_ms = more ? answer->rated[LOOKED_AT - 1].ended_at_ms : 0;
    snprintf(rating->after, sizeof rating->after, "%s",
             more ? answer->rated[LOOKED_AT - 1].room : "");
    if (more)
        rating->look_ms = core->now_ms + AGAIN_MS;
}

static void read_strengths(struct core *core, const struct ticket *ticket,
                           const struct store_answer *answer)
{
    struct store_rated_game game = {.ended_at_ms = ticket->from};
    const struct room *room = find_over(core, ticket->room);
    if (answer->status != STORE_OK || !room || room->standing.status != STATUS_FINISHED)
        return;
    rated_room_read(room, &game);
    if (game.side_count > 0)
        work_out(room, &game, answer);
    write_down(core, &game);
}

static void rated(struct core *core, const struct ticket *ticket, const struct store_answer *answer)
{
    core->statistics.games_rated += answer->status == STORE_OK;
    if (answer->status == STORE_FAILED)
        core_log(core, FACT_WARNING, "rating_failed", ticket->room, answer->words);
}

void rating_time(struct core *core)
{
    struct rating *rating = &core->rating;
    if (core->now_ms < rating->look_ms)
        return;
    rating->look_ms = core->now_ms + LOOK_MS;
    if (rating->is_asked || !may_look(core))
        return;
    rating->is_asked = ticket_ask(core, ticket_new(core, TICKET_RATING, ""),
                                  &(struct store_request){.ask = STORE_RATABLE,
                                                          .from = rating->after_ms,
                                                          .room = rating->after,
                                                          .to = LOOKED_AT});
}

uint64_t rating_deadline_ms(const struct core *core)
{
    return core->rating.look_ms;
}

/* --- over HTTP -------------------------------------------------------------------------------- */

static void say(struct core *core, uint64_t request, const struct published_answer *answer)
{
    core->ports.published(core->ports.context, request, answer);
}

static void write_rating(struct core *core, const struct store_rating *rating)
{
    struct writer *writer = &core->writer;
    int64_t now_ms = (int64_t)core->now_ms;
    int64_t deviation = strength_deviation_after(&rating->strength, now_ms - rating->rated_at_ms);
    writer_object(writer);
    writer_member_string(writer, "player", rating->player);
    if (rating->games > 0) {
        writer_member_string(writer, "name", rating->name);
        writer_member_string(writer, "as", rating->bot ? "bot" : "human");
    }
    writer_member_integer(writer, "rating", (rating->strength.rating + 50) / 100);
    writer_member_integer(writer, "deviation", (deviation + 50) / 100);
    writer_key(writer, "provisional");
    writer_boolean(writer, now_ms >= rating->sure_until_ms);
    writer_member_integer(writer, "games", rating->games);
    writer_member_integer(writer, "won", rating->won);
    writer_member_integer(writer, "drawn", rating->drawn);
    writer_member_integer(writer, "lost", rating->games - rating->won - rating->drawn);
    if (rating->games > 0)
        writer_member_integer(writer, "rated_at", rating->rated_at_ms);
    writer_end(writer);
}

/* Of one player, who may have none yet; or the best, with what they are the best in. */
static void write_answer(struct core *core, const struct ticket *ticket,
                         const struct store_answer *answer)
{
    struct store_rating none = {.strength = strength_new()};
    struct writer *writer = &core->writer;
    writer_clear(writer);
    if (ticket->command[0]) {
        text_copy(text_of(ticket->command), none.player, sizeof none.player);
        write_rating(core, answer->rating_count > 0 ? &answer->ratings[0] : &none);
        return;
    }
    writer_object(writer);
    writer_member_string(writer, "game", core->catalogue.games[ticket->from].id);
    writer_member_string(writer, "speed", ladder_speed_of((int)ticket->to));
    writer_key(writer, "players");
    writer_array(writer);
    for (int i = 0; i < answer->rating_count; i++)
        write_rating(core, &answer->ratings[i]);
    writer_end(writer);
    writer_end(writer);
}

static void tell(struct core *core, const struct ticket *ticket, const struct store_answer *answer)
{
    core->rating.questions--;
    if (answer->status != STORE_OK) {
        say(core, ticket->request,
            &(struct published_answer){.outcome = PUBLISHED_UNAVAILABLE,
                                       .words = refusal_words(REFUSAL_UNAVAILABLE),
                                       .retry_ms = RETRY_MS});
        return;
    }
    write_answer(core, ticket, answer);
    const char *json = writer_text(&core->writer);
    say(core, ticket->request,
        &(struct published_answer){
            .outcome = PUBLISHED_OK, .words = "", .json = json, .length = core->writer.length});
}

void rating_answered(struct core *core, const struct ticket *ticket,
                     const struct store_answer *answer)
{
    if (answer->ask == STORE_RATABLE)
        took_stock(core, answer);
    else if (answer->ask == STORE_RATE)
        rated(core, ticket, answer);
    else if (ticket->room[0])
        read_strengths(core, ticket, answer);
    else
        tell(core, ticket, answer);
}

static bool find_ladder(const struct core *core, const char *game, const char *speed,
                        struct ticket *ticket, struct store_rated_game *wanted)
{
    const struct served_game *found = catalogue_find_game(&core->catalogue, game, strlen(game));
    int number = 0;
    while (number < LADDER_SPEEDS && strcmp(ladder_speed_of(number), speed) != 0)
        number++;
    if (!found || number == LADDER_SPEEDS)
        return false;
    ticket->from = found - core->catalogue.games;
    ticket->to = number;
    ladder_write(found->id, speed, wanted->ladder);
    return true;
}

void core_read_ratings(struct core *core, uint64_t request, const struct core_address *address,
                       const char *game, const char *speed, const char *player)
{
    struct store_rated_game wanted = {.side_count = 0};
    struct ticket *ticket = ticket_new(core, TICKET_RATING, "");
    if (!find_ladder(core, game, speed, ticket, &wanted) || strlen(player) > PLAYER_ID_BYTES) {
        ticket_drop(core, ticket);
        say(core, request,
            &(struct published_answer){.outcome = PUBLISHED_UNKNOWN,
                                       .words = "there is no such ladder"});
        return;
    }
    struct account *account = account_of(&core->accounts, address, core->now_ms);
    ticket->account = account_hold(account);
    account_let_go(&core->accounts, account, core->now_ms);
    ticket->request = request;
    text_copy(text_of(player), ticket->command, sizeof ticket->command);
    struct store_request question = {.ask = STORE_LEADERS,
                                     .rated = &wanted,
                                     .from = (int64_t)core->now_ms,
                                     .to = RATING_LEADERS};
    if (player[0]) {
        question.ask = STORE_RATINGS;
        wanted.side_count = 1;
        text_copy(text_of(player), wanted.sides[0].after.player,
                  sizeof wanted.sides[0].after.player);
    }
    bool may_ask = core_ready(core) && core->rating.questions < RATING_QUESTIONS_MAX;
    if (!may_ask)
        ticket_drop(core, ticket);
    if (may_ask && ticket_ask(core, ticket, &question))
        core->rating.questions++;
    else
        say(core, request,
            &(struct published_answer){.outcome = PUBLISHED_UNAVAILABLE,
                                       .words = refusal_words(REFUSAL_UNAVAILABLE),
                                       .retry_ms = RETRY_MS});
}
