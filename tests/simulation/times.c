/* What time moves took: what the log says beside what their players' own clients have measured, and what the world knows
 * of the ways between them. */
#include "tests/simulation/clocks.h"
#include "tests/simulation/parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- what time it is ---------------------------------------------------------------------------------------------- */

enum {
    STEP_MS = 100, /* a clock is put right by so much, for each answer */
    MILLION = 1000000,
    WRONG_PARTS = 200, /* a clock is wrong by such a part at most (hosts.c) */
};

/* Its own clock is the store's where it has the store for itself. */
void times_begin(struct host *host)
{
    host->known = (struct clock_known){.at_all = !host->world->leases};
    host->store_stands = false;
    host->pause = ++host->world->pauses;
}

void times_lease_lost(struct host *host)
{
    host->known.void_answer = true;
}

/* By how much a clock that runs too fast or too slow is wrong after that time. */
static uint64_t drift_ms(const struct host *host, uint64_t since_ms)
{
    return since_ms * (uint64_t)llabs(host->fast_ppm) / MILLION + 1;
}

/* One that is ahead stands until it is right. */
static uint64_t unsure_now_ms(const struct host *host)
{
    const struct clock_known *known = &host->known;
    uint64_t since_ms = host->world->now_ms - known->heard_ms;
    if (!host->world->leases)
        return 0;
    return known->unsure_ms + (since_ms < known->stands_ms ? known->stands_ms - since_ms : 0) +
           drift_ms(host, since_ms);
}

/* Each event bears the time at which it was decided. */
static void check_stamp(const struct host *host, const struct store_write *write)
{
    int64_t off_ms = write->event.at_ms - (int64_t)host->world->now_ms;
    uint64_t unsure_ms = unsure_now_ms(host);
    if (!host->known.at_all || (uint64_t)llabs(off_ms) > unsure_ms)
        violate(host->world,
                "an event of %s bears a time %" PRId64 " ms from now, which is known to %" PRIu64,
                write->room.id, off_ms, unsure_ms);
}

static void note_worst(struct host *host)
{
    uint64_t unsure_ms = unsure_now_ms(host);
    if (unsure_ms > host->known.worst_ms)
        host->known.worst_ms = unsure_ms;
}

/* NULL: nobody who is known has said it. */
static struct said *said_of(struct world *world, const char *its_player, const char *command)
{
    for (int i = 0; i < world->actor_count; i++) {
        const char *player = client_player(world->actors[i].client);
        struct said *said =
            player && strcmp(player, its_player) == 0 ? oracle_find_said(world, i, command) : NULL;
        if (said)
            return said;
    }
    return NULL;
}

/* It is known now that clocks stood while a move waited: how much of its time they did nobody can say. */
static void doubt_measure(struct host *host, const struct store_write *write)
{
    struct said *said = said_of(host->world, write->event.client, write->event.command);
    if (said && (host->store_stands || said->pause != host->pause))
        said->sound = false;
}

void times_asked(struct host *host, struct question *question)
{
    const struct store_request *request = question->request;
    note_worst(host);
    question->asked_ms = host->world->now_ms;
    question->asked_own_ms = host->own_ms;
    question->unsure_ms = host->known.worst_ms;
    if (request->ask == STORE_LEASE)
        host->known.void_answer = false;
    if (request->ask == STORE_APPEND)
        for (int i = 0; i < request->write_count; i++) {
            check_stamp(host, &request->writes[i]);
            doubt_measure(host, &request->writes[i]);
        }
}

void times_stored(struct world *world, const struct question *question)
{
    for (int i = 0; i < question->request->write_count; i++) {
        const struct store_write *write = &question->request->writes[i];
        const struct kept_room *room = memory_store_room(&world->store, write->room.id);
        struct kept_event *event = &room->events[write->event.version - 1];
        if (event->decided_ms > 0)
            continue;
        event->decided_ms = question->asked_ms;
        event->unsure_ms = question->unsure_ms;
        event->stored_ms = world->now_ms;
    }
}

/* A server reads what it was not told of, or has forgotten. */
void times_read(struct world *world, const struct store_request *request)
{
    const struct kept_room *room = memory_store_room(&world->store, request->room);
    int64_t from = request->ask == STORE_TAIL ? request->from : 1;
    for (int64_t version = from > 0 ? from : 1; room && version <= room->version; version++)
        if (room->events[version - 1].read_ms == 0)
            room->events[version - 1].read_ms = world->now_ms;
}

/* How well a clock is known when it may have been put right after a question that was so long under way. */
static struct clock_known corrected(uint64_t before_ms, uint64_t way_ms)
{
    uint64_t half_ms = (way_ms + 1) / 2;
    struct clock_known known = {.at_all = true, .unsure_ms = before_ms};
    if (before_ms > way_ms + half_ms)
        known.unsure_ms = way_ms + half_ms;
    if (before_ms > known.unsure_ms + STEP_MS)
        known.unsure_ms = before_ms - STEP_MS;
    if (before_ms > way_ms / 2)
        known.stands_ms = before_ms + half_ms < STEP_MS ? before_ms + half_ms : STEP_MS;
    return known;
}

/* The store said what time it is somewhere on the question's way. The first time the middle is taken for that, so the clock is
 * wrong by half the way at most. Later one that is found to be wrong by more than the way is put right by a step, and none goes too
 * far; one that is not may be wrong by half as much again. A lease that comes when it is nearly over, by
 * the server's own clock, is none (lease.c). */
static void hear_lease(struct host *host, const struct question *question)
{
    struct clock_known *known = &host->known;
    uint64_t way_ms = host->world->now_ms - question->asked_ms;
    if (question->answer.status != STORE_OK || known->void_answer ||
        host->own_ms - question->asked_own_ms >= LEASE_MS - LEASE_MS / 10)
        return;
    way_ms += drift_ms(host, way_ms); /* as its own clock measures it */
    note_worst(host);
    uint64_t worst_ms = known->at_all ? known->worst_ms : 0;
    *known = known->at_all ? corrected(unsure_now_ms(host), way_ms)
                           : (struct clock_known){.at_all = true, .unsure_ms = (way_ms + 1) / 2};
    known->heard_ms = host->world->now_ms;
    known->worst_ms = worst_ms;
    note_worst(host);
}

void times_store_said(struct host *host, const struct question *question)
{
    enum store_status status = question->answer.status;
    bool bad = status == STORE_FAILED || status == STORE_UNKNOWN;
    if (question->answer.ask == STORE_LEASE)
        hear_lease(host, question);
    if (question->answer.ask != STORE_APPEND || (!bad && status != STORE_OK))
        return;
    if (bad)
        host->pause = ++host->world->pauses;
    host->store_stands = bad;
}

/* --- on the way --------------------------------------------------------------------------------------------------- */

/* A position has come, or what leads to it. */
void times_hear(struct world *world, const struct link *link, const char *frame)
{
    static const char *const words[] = {"\"type\":\"snapshot\"", "\"kind\":\"moved\"",
                                        "\"kind\":\"taken_back\"", "\"kind\":\"joined\""};
    const struct host *host = &world->hosts[link->host];
    struct actor *actor = &world->actors[link->actor];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!strstr(frame, words[i]))
            continue;
        actor->heard_ms = world->now_ms;
        actor->heard_by = link->peer;
        actor->heard_pause = host->pause;
        actor->heard_well = !host->store_stands;
    }
}

/* He makes a move now; or says it again, which is no other move. */
void times_make(struct world *world, int actor, const char *frame)
{
    const struct actor *who = &world->actors[actor];
    if (!strstr(frame, "\"type\":\"move\""))
        return;
    struct said *said = oracle_command(world, actor, frame);
    if (!said || said->made_ms > 0)
        return;
    said->made_ms = world->now_ms;
    said->measured_ms = world->now_ms - who->heard_ms;
    said->pause = who->heard_pause;
    said->heard_by = who->heard_by;
    said->sound = who->heard_well;
}

/* Where servers hear of each other they give back what an outage has taken; nobody who has connected anew can say how much. */
static bool is_undisturbed(const struct world *world, const struct link *link,
                           const struct said *said)
{
    const struct host *host = &world->hosts[link->host];
    bool stays = said->heard_by == link->peer || !world->has_bus;
    return stays && !host->store_stands && said->pause == host->pause;
}

/* It has come to a server, on that connection. */
void times_come(struct world *world, const struct link *link, struct said *said)
{
    struct actor *actor = &world->actors[link->actor];
    if (said->made_ms == 0 || said->came_ms > 0) {
        said->measured_once = said->sound = false; /* which of them was the move nobody can say */
        return;
    }
    if (actor->came && actor->came->came_ms == world->now_ms)
        actor->came->measured_once = false; /* the answer that comes next may find both waiting */
    actor->came = said;
    said->came_ms = world->now_ms;
    said->sound = said->sound && is_undisturbed(world, link, said);
    said->lag_ms = link->lag_ms;
    said->measured_once = true;
}

/* And an answer to a ping; by which of two a move is judged that waits just then nobody can say. */
void times_answer(struct world *world, struct link *link, uint64_t pinged_ms)
{
    struct said *came = world->actors[link->actor].came;
    link->lag_ms = (uint32_t)(world->now_ms - pinged_ms);
    if (came && came->came_ms == world->now_ms)
        came->measured_once = false;
}

/* --- in the log ----------------------------------------------------------------------------------------------------- */

struct moment {
    int64_t spent, compensated, lag;
    const struct kept_event *began; /* the event that began the turn */
};

static int64_t integer(const json_t *body, const char *name)
{
    return json_integer_value(json_object_get(body, name));
}

/* A turn begins by one server's clock and ends by another's: each is wrong by what it is. Where the first one is ahead of the
 * second, the turn begins there when it is heard of, and ends by the same clock, which may have been put right meanwhile. */
static int64_t unsure_ms(const struct kept_event *began, const struct kept_event *ended)
{
    bool more = began->unsure_ms > ended->unsure_ms;
    return (int64_t)(ended->unsure_ms + (more ? began->unsure_ms : ended->unsure_ms));
}

/* A turn begins when its event is durable; for who has read that in the store, when it was decided. Where another server has told how
 * long the store took, its clock has measured that. */
static uint64_t begins_ms(const struct kept_event *began, const struct kept_event *ended)
{
    bool was_read = began->read_ms > 0 && began->read_ms <= ended->decided_ms;
    uint64_t took_ms = began->stored_ms - began->decided_ms;
    uint64_t wrong_ms = began->unsure_ms > 0 ? took_ms / WRONG_PARTS : 0;
    return was_read ? began->decided_ms : began->stored_ms - wrong_ms;
}

/* And it ends when the move comes, whatever that waits for then. */
static uint64_t ends_ms(const struct kept_event *event, const struct said *said)
{
    bool waited = said && said->measured_once && said->came_ms < event->decided_ms;
    return waited ? said->came_ms : event->decided_ms;
}

/* Where nothing has disturbed it, the server has seen at least what the player has used; and it never counts what has not
 * passed. */
static void check_used(struct world *world, const struct kept_room *room,
                       const struct kept_event *event, const struct said *said,
                       const struct moment *moment)
{
    int64_t seen = moment->spent + moment->compensated;
    int64_t unsure = unsure_ms(moment->began, event);
    int64_t took = (int64_t)(ends_ms(event, said) - begins_ms(moment->began, event));
    if (seen > took + unsure)
        violate(world,
                "%s %" PRId64 ": %" PRId64 " ms are counted of %" PRId64 ", known to %" PRId64,
                room->id, event->version, seen, took, unsure);
    if (!said || !said->sound || said->came_ms != event->decided_ms)
        return;
    world->report->timed++;
    if (seen < (int64_t)said->measured_ms - unsure)
        violate(world,
                "%s %" PRId64 ": who made it has used %" PRIu64 " ms, the log says %" PRId64
                ", known to %" PRId64,
                room->id, event->version, said->measured_ms, seen, unsure);
}

/* What is given back is no more than the way that was measured on this very connection. */
static void check_compensated(struct world *world, const struct kept_room *room,
                              const struct kept_event *event, const struct said *said,
                              const struct moment *moment)
{
    if (moment->compensated > moment->lag)
        violate(world, "%s %" PRId64 ": %" PRId64 " ms are given back for a way of %" PRId64,
                room->id, event->version, moment->compensated, moment->lag);
    if (said && said->measured_once && said->came_ms == event->decided_ms &&
        moment->lag != (int64_t)said->lag_ms)
        violate(world, "%s %" PRId64 ": the way is said to be %" PRId64 " ms, and was %u", room->id,
                event->version, moment->lag, said->lag_ms);
}

static int64_t quota_gain_ms(const struct worked_budget *budget)
{
    int64_t turn_ms = budget->increment_ms + budget->delay_ms;
    if (budget->periods > 0)
        turn_ms += budget->period_ms / 2;
    int64_t gain_ms = (budget->initial_ms + 40 * turn_ms) / 250 + 150;
    return gain_ms < 1000 ? gain_ms : 1000;
}

/* A turn of several moves adds to it once; here each does, which is rather too much. */
static void check_quota(struct world *world, const struct kept_room *room,
                        const struct kept_event *event, int64_t *quota, int64_t gain_ms,
                        int64_t compensated)
{
    if (compensated > *quota)
        violate(world, "%s %" PRId64 ": %" PRId64 " ms are given back of a quota of %" PRId64,
                room->id, event->version, compensated, *quota);
    *quota += gain_ms - compensated;
    *quota = *quota < 7 * gain_ms ? *quota : 7 * gain_ms;
}

/* Whose clock was over has made no move. */
static void check_in_time(struct world *world, const struct kept_room *room,
                          const struct kept_event *event, const struct worked_clock *clock,
                          int64_t spent_ms)
{
    if (spent_ms >= clocks_left_ms(clock))
        violate(world, "%s %" PRId64 ": %s has used %" PRId64 " ms and had %" PRId64, room->id,
                event->version, clock->seat, spent_ms, clocks_left_ms(clock));
}

/* What is looked at while the clocks of a room are worked out. */
struct look {
    struct world *world;
    const struct kept_room *room;
    struct clocks clocks;
    int64_t quotas[STORE_SEATS_MAX];
    bool has_quota[STORE_SEATS_MAX];
};

static void look_at_move(struct look *look, const struct kept_event *event, const json_t *body)
{
    struct world *world = look->world;
    const struct said *said = said_of(world, event->client, event->command);
    const struct moment moment = {.spent = integer(body, "spent_ms"),
                                  .compensated = integer(body, "compensated_ms"),
                                  .lag = integer(body, "lag_ms"),
                                  .began = look->clocks.began};
    int seat = clocks_seat(&look->clocks, json_string_value(json_object_get(body, "seat")));
    const struct worked_clock *clock = &look->clocks.seats[seat];
    int64_t gain_ms = quota_gain_ms(&clock->budget);
    if (!look->has_quota[seat])
        look->quotas[seat] = 3 * gain_ms;
    look->has_quota[seat] = true;
    check_compensated(world, look->room, event, said, &moment);
    if (clock->has_moved) { /* in his first turn nobody's clock runs */
        check_used(world, look->room, event, said, &moment);
        check_in_time(world, look->room, event, clock, moment.spent);
    }
    check_quota(world, look->room, event, &look->quotas[seat], gain_ms, moment.compensated);
    world->report->clocked++;
    world->report->compensated += moment.compensated > 0;
}

/* Nobody's flag falls while he has time left. */
static void look_at_flag(struct look *look, const struct kept_event *event, const json_t *body)
{
    const struct kept_event *began = look->clocks.began;
    int seat = clocks_seat(&look->clocks, json_string_value(json_object_get(body, "seat")));
    int64_t left_ms = clocks_left_ms(&look->clocks.seats[seat]);
    int64_t passed_ms = (int64_t)(event->decided_ms - begins_ms(began, event));
    int64_t unsure = unsure_ms(began, event);
    look->world->report->flags++;
    if (passed_ms + unsure < left_ms)
        violate(look->world,
                "%s %" PRId64 ": the flag of %s fell after %" PRId64 " ms, known to %" PRId64
                ", and there were %" PRId64,
                look->room->id, event->version, look->clocks.seats[seat].seat, passed_ms, unsure,
                left_ms);
}

void times_look_at(struct world *world, const struct kept_room *room)
{
    struct look look = {.world = world, .room = room};
    if (!clocks_begin(&look.clocks, room))
        return;
    for (int i = 1; i < room->event_count; i++) {
        const struct kept_event *event = &room->events[i];
        json_t *body = clocks_need_body(event->kind) ? json_loads(event->body, 0, NULL) : NULL;
        if (strcmp(event->kind, "moved") == 0)
            look_at_move(&look, event, body);
        if (strcmp(event->kind, "flagged") == 0)
            look_at_flag(&look, event, body);
        clocks_follow(&look.clocks, event, body);
        world->report->taken_back += strcmp(event->kind, "taken_back") == 0;
        json_decref(body);
    }
    world->report->clocked_of_three += look.clocks.count > 2;
    clocks_release(&look.clocks);
}

/* --- as a newcomer sees it -------------------------------------------------------------------------------------------- */

static bool is_so(struct clocks *clocks, int seat, const json_t *told)
{
    struct worked_rest rest = clocks_rest(&clocks->seats[seat]);
    return integer(told, "left_ms") == rest.left_ms && integer(told, "periods") == rest.periods;
}

static void check_clock(struct world *world, const struct kept_room *room, struct clocks *clocks,
                        const char *name, const json_t *told)
{
    int seat = clocks_seat(clocks, name);
    bool perhaps = clocks->unclear && clocks->turn_of == seat, right = is_so(clocks, seat, told);
    struct worked_rest rest = clocks_rest(&clocks->seats[seat]);
    if (!right && perhaps) {
        clocks_turn_of(clocks, NULL);
        right = is_so(clocks, seat, told);
    }
    if (!right)
        violate(world,
                "the clock of %s in %s is shown with %" PRId64 " ms and %" PRId64
                " periods, its log leads to %" PRId64 " and %" PRId64,
                name, room->id, integer(told, "left_ms"), integer(told, "periods"), rest.left_ms,
                rest.periods);
}

void times_look_at_state(struct world *world, const struct kept_room *room, const char *state)
{
    struct clocks clocks;
    if (!clocks_work_out(&clocks, room))
        return;
    json_t *json = json_loads(state, 0, NULL), *seat;
    const char *name;
    if (!clocks.unclear && !clocks.stopped)
        clocks_turn_of(&clocks, json_string_value(json_object_get(json, "to_move")));
    json_object_foreach(json_object_get(json, "seats"), name, seat)
        check_clock(world, room, &clocks, name, json_object_get(seat, "clock"));
    world->report->clocks++;
    json_decref(json);
    clocks_release(&clocks);
}
