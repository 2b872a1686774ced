/* What time moves took: what the log says beside what their players' own clients have measured, and what the world knows
 * of the ways between them. */
#include "tests/simulation/parts.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* --- on the way --------------------------------------------------------------------------------------------------- */

/* Whatever may make clocks stand, or begin a turn anew. */
static uint64_t pauses(const struct world *world)
{
    return world->report->crashes + world->store_stood;
}

/* A position has come, or what leads to it. */
void times_hear(struct world *world, struct actor *actor, const char *frame)
{
    static const char *const words[] = {"\"type\":\"snapshot\"", "\"kind\":\"moved\"",
                                        "\"kind\":\"taken_back\"", "\"kind\":\"joined\""};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!strstr(frame, words[i]))
            continue;
        actor->heard_ms = world->now_ms;
        actor->heard_pauses = pauses(world);
        actor->heard_well = !world->store_stands;
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
    said->pauses = pauses(world);
    said->sound = who->heard_well && who->heard_pauses == said->pauses;
}

/* It has come to a server, on that connection. */
void times_come(struct world *world, const struct link *link, struct said *said)
{
    struct actor *actor = &world->actors[link->actor];
    if (said->made_ms == 0 || said->came_ms > 0) {
        said->measured_once = false;
        return;
    }
    if (actor->came && actor->came->came_ms == world->now_ms)
        actor->came->measured_once = false; /* the answer that comes next may find both waiting */
    actor->came = said;
    said->came_ms = world->now_ms;
    said->sound = said->sound && !world->store_stands && said->pauses == pauses(world);
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

void times_store_said(struct world *world, enum store_ask ask, enum store_status status)
{
    bool bad = status == STORE_FAILED || status == STORE_UNKNOWN;
    if (ask != STORE_APPEND || (!bad && status != STORE_OK))
        return;
    world->store_stood += bad;
    world->store_stands = bad;
}

/* --- in the log ----------------------------------------------------------------------------------------------------- */

struct moment {
    int64_t spent, compensated, lag;
    int64_t took; /* by the times of the log: since the event that began the turn */
};

static int64_t integer(const json_t *body, const char *name)
{
    return json_integer_value(json_object_get(body, name));
}

/* Where nothing has disturbed it, the server has seen at least what the player has used; and it never counts what it has
 * not seen. A
 * server that may not be alone has the store's clock, as well as it is known, and is not held to the millisecond. */
static void check_used(struct world *world, const struct kept_room *room,
                       const struct kept_event *event, const struct said *said,
                       const struct moment *moment)
{
    int64_t seen = moment->spent + moment->compensated;
    if (world->leases)
        return;
    if (seen > moment->took)
        violate(world, "%s %" PRId64 ": %" PRId64 " ms are counted of %" PRId64, room->id,
                event->version, seen, moment->took);
    if (!said || !said->sound || said->came_ms != (uint64_t)event->at_ms)
        return;
    world->report->timed++;
    if (seen < (int64_t)said->measured_ms)
        violate(world, "%s %" PRId64 ": who made it has used %" PRIu64 " ms, the log says %" PRId64,
                room->id, event->version, said->measured_ms, seen);
}

/* What is given back is no more than the way that was measured on this very connection. */
static void check_compensated(struct world *world, const struct kept_room *room,
                              const struct kept_event *event, const struct said *said,
                              const struct moment *moment)
{
    if (moment->compensated > moment->lag)
        violate(world, "%s %" PRId64 ": %" PRId64 " ms are given back for a way of %" PRId64,
                room->id, event->version, moment->compensated, moment->lag);
    if (said && said->measured_once && said->came_ms == (uint64_t)event->at_ms &&
        moment->lag != (int64_t)said->lag_ms)
        violate(world, "%s %" PRId64 ": the way is said to be %" PRId64 " ms, and was %u", room->id,
                event->version, moment->lag, said->lag_ms);
}

static int64_t quota_gain_ms(const json_t *clock)
{
    int64_t turn = integer(clock, "increment_ms") + integer(clock, "delay_ms");
    if (integer(clock, "periods") > 0)
        turn += integer(clock, "period_ms") / 2;
    int64_t gain = (integer(clock, "initial_ms") + 40 * turn) / 250 + 150;
    return gain < 1000 ? gain : 1000;
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

static bool begins_turn(const char *kind)
{
    return strcmp(kind, "moved") == 0 || strcmp(kind, "taken_back") == 0 ||
           strcmp(kind, "joined") == 0 || strcmp(kind, "created") == 0;
}

static struct said *said_of(struct world *world, const struct kept_event *event)
{
    for (int i = 0; i < world->actor_count; i++) {
        const char *player = client_player(world->actors[i].client);
        struct said *said = player && strcmp(player, event->client) == 0
                                ? oracle_find_said(world, i, event->command)
                                : NULL;
        if (said)
            return said;
    }
    return NULL;
}

static int seat_of(char seats[STORE_SEATS_MAX][80], int *count, const char *seat)
{
    int i = 0;
    while (i < *count && strcmp(seats[i], seat) != 0)
        i++;
    if (i == *count && *count < STORE_SEATS_MAX)
        snprintf(seats[(*count)++], sizeof seats[0], "%s", seat);
    return i < STORE_SEATS_MAX ? i : 0;
}

static void look_at_events(struct world *world, const struct kept_room *room, int64_t gain_ms)
{
    char seats[STORE_SEATS_MAX][80];
    int64_t quotas[STORE_SEATS_MAX], moves[STORE_SEATS_MAX] = {0};
    int64_t began_ms = room->events[0].at_ms;
    int count = 0;
    for (int i = 0; i < STORE_SEATS_MAX; i++)
        quotas[i] = 3 * gain_ms;
    for (int i = 0; i < room->event_count; i++) {
        const struct kept_event *event = &room->events[i];
        if (strcmp(event->kind, "moved") == 0) {
            json_t *body = json_loads(event->body, 0, NULL);
            const struct moment moment = {.spent = integer(body, "spent_ms"),
                                          .compensated = integer(body, "compensated_ms"),
                                          .lag = integer(body, "lag_ms"),
                                          .took = event->at_ms - began_ms};
            const struct said *said = said_of(world, event);
            int seat = seat_of(seats, &count, json_string_value(json_object_get(body, "seat")));
            check_compensated(world, room, event, said, &moment);
            world->report->clocked++;
            if (moves[seat]++ > 0) /* in his first turn nobody's clock runs */
                check_used(world, room, event, said, &moment);
            world->report->compensated += moment.compensated > 0;
            check_quota(world, room, event, &quotas[seat], gain_ms, moment.compensated);
            json_decref(body);
        }
        if (begins_turn(event->kind))
            began_ms = event->at_ms;
    }
}

void times_look_at(struct world *world, const struct kept_room *room)
{
    if (!strstr(room->events[0].body, "\"clock\""))
        return;
    json_t *created = json_loads(room->events[0].body, 0, NULL);
    look_at_events(world, room, quota_gain_ms(json_object_get(created, "clock")));
    json_decref(created);
}
