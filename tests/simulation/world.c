/* A life: steps from a seed, then rest, then a last look at everything. */
#include "tests/simulation/world.h"

#include "tests/simulation/parts.h"
#include "tests/support/test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A round is a second and some; after so many of the others every server has asked about every room, though it asks about a
 * tenth of them a second (follow.c). */
enum { REST_STEPS_MAX = 400000, REST_ROUNDS = 3, SWEEP_ROUNDS = 13, BREATH_MS = 1000 };
enum { FLAGS_AWAITED = 300 }; /* of 1,000 lives */

/* --- chance, and what went wrong --------------------------------------------------------------------------------------- */

uint64_t below(struct world *world, uint64_t bound)
{
    return test_random(&world->random) % bound;
}

bool chance(struct world *world, int in_thousand)
{
    return in_thousand > 0 && below(world, 1000) < (uint64_t)in_thousand;
}

void violate(struct world *world, const char *format, ...)
{
    va_list arguments;
    if (world->report->violated)
        return;
    world->report->violated = true;
    va_start(arguments, format);
    vsnprintf(world->report->words, sizeof world->report->words, format, arguments);
    va_end(arguments);
}

void trace(const struct world *world, const char *format, ...)
{
    va_list arguments;
    if (!world->trace)
        return;
    va_start(arguments, format);
    fprintf(stderr, "%6" PRIu64 "  ", world->report->steps);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

/* --- time ---------------------------------------------------------------------------------------------------------------- */

static void tell_time(struct world *world, struct host *host)
{
    if (host_still(host))
        return;
    uint64_t now_ms = host_look_at_clock(host);
    if (world->now_ms - host->told_ms > BREATH_MS) /* and clocks stood */
        host->pause = ++world->pauses;
    host->told_ms = world->now_ms;
    core_time(host->core, now_ms);
    if (core_deadline_ms(host->core) <= now_ms)
        violate(world, "server %d wants to be woken at a time that has passed", host->index);
}

/* Each server that does not stand still is told at least once a second, as it wants to be where a clock runs. */
static void pass_time(struct world *world, uint64_t passed_ms)
{
    const uint64_t until_ms = world->now_ms + passed_ms;
    do {
        uint64_t left_ms = until_ms - world->now_ms;
        world->now_ms += left_ms < BREATH_MS ? left_ms : BREATH_MS;
        world->store.now_ms = (int64_t)world->now_ms;
        for (int i = 0; i < world->host_count; i++)
            tell_time(world, &world->hosts[i]);
        bus_say_who_is_there(world);
    } while (world->now_ms < until_ms);
}

/* --- steps ------------------------------------------------------------------------------------------------------------------ */

static void crash_one(struct world *world)
{
    struct host *host = &world->hosts[below(world, (uint64_t)world->host_count)];
    host_crash(host);
    host_start(host);
}

/* As a process that is stopped does; perhaps for longer than its lease runs. */
static void stand_still(struct world *world)
{
    struct host *host = &world->hosts[below(world, (uint64_t)world->host_count)];
    uint64_t until_ms = world->now_ms + below(world, 2 * (uint64_t)LEASE_MS);
    if (until_ms > host->still_until_ms) /* whoever goes on is told the time first: pass_time */
        host->still_until_ms = until_ms;
    trace(world, "server %d stands still", host->index);
}

static void fault(struct world *world)
{
    uint64_t which = below(world, 100);
    if (which < 43)
        network_cut(world);
    else if (which < 53)
        network_say_garbage(world);
    else if (which < 55)
        actor_add_twin(world);
    else if (which < 66)
        disk_stranger(world);
    else if (which < 70)
        disk_fence(world);
    else if (which < 78)
        pass_time(world, 6000);
    else if (which < 82)
        world->store_still = (int)below(world, 300);
    else if (which < 87)
        stand_still(world);
    else if (which < 88)
        bus_flip(world);
    else if (which < 90)
        world->store_away = (int)below(world, 40);
    else
        crash_one(world);
}

static void step(struct world *world)
{
    uint64_t which = below(world, 1000);
    world->report->steps++;
    if (below(world, 10000) < (uint64_t)world->weather.faults)
        fault(world);
    else if (which < 220)
        network_step_up(world);
    else if (which < 530)
        network_step_down(world);
    else if (which < 650)
        disk_step_perform(world);
    else if (which < 770)
        disk_step_answer(world);
    else if (which < 785)
        host_step_work(world);
    else if (which < 805)
        network_step_close(world);
    else if (which < 815)
        network_step_notice(world);
    else if (which < 820)
        disk_step_late(world);
    else if (which < 850)
        bus_step(world);
    else if (which < 880)
        pass_time(world, below(world, 100));
    else
        actor_act(world);
}

/* --- rest: no more faults; everything is delivered, everybody is connected -------------------------------------------------- */

static bool pump(struct world *world, bool *heard)
{
    bool moved = false;
    *heard |= network_step_up(world);
    *heard |= network_step_down(world);
    *heard |= network_step_close(world);
    *heard |= network_step_notice(world);
    moved |= disk_step_perform(world);
    moved |= disk_step_answer(world);
    moved |= host_step_work(world);
    moved |= bus_step(world);
    return moved || *heard;
}

static bool all_connected(struct world *world)
{
    bool all = true;
    for (int i = 0; i < world->actor_count; i++) {
        if (world->actors[i].retired || network_link_of(world, i))
            continue;
        network_connect(world, i);
        all = false;
    }
    return all;
}

/* Servers of one store ask it for news all the time: it is enough that nobody hears anything, for some of their rounds. */
static void rest_for(struct world *world, int rounds)
{
    bool heard = true;
    int quiet = 0;
    for (int i = 0; i < REST_STEPS_MAX && !world->report->violated; i++) {
        bool hears = false;
        world->report->steps++;
        bool moved = pump(world, &hears);
        heard |= hears;
        if (moved)
            continue;
        quiet = heard || !all_connected(world) ? 0 : quiet + 1;
        heard = false;
        if (quiet == rounds)
            return;
        pass_time(world, 1100);
    }
    violate(world, "the world does not come to rest");
}

static void rest(struct world *world)
{
    rest_for(world, REST_ROUNDS);
}

/* One device of each player stays: two would replace each other for ever. The house's bots do as they are told, and go when
 * their room sleeps. */
static void retire_some(struct world *world)
{
    for (int i = 0; i < world->actor_count; i++) {
        struct actor *actor = &world->actors[i];
        actor->retired = actor->retired || actor->role == ROLE_HOUSE;
        for (int j = i + 1; j < world->actor_count && !actor->retired; j++) {
            const char *mine = client_token(actor->client);
            const char *theirs = client_token(world->actors[j].client);
            actor->retired = mine && theirs && strcmp(mine, theirs) == 0;
        }
        struct link *link = network_link_of(world, i);
        if (actor->retired && link)
            network_end_client(world, link);
    }
}

static void observer_says(struct world *world, int observer)
{
    struct link *link = network_link_of(world, observer);
    if (link)
        network_flush(world, link);
    rest(world);
}

static void read_history(struct world *world, int observer, const struct kept_room *room)
{
    char question[96];
    for (int64_t from = 1; from <= room->version && !world->report->violated; from += 200) {
        snprintf(question, sizeof question,
                 "\"type\":\"history\",\"room\":\"%s\",\"from\":%" PRId64 ",\"to\":%" PRId64,
                 room->id, from, from + 199);
        client_command(world->actors[observer].client, question);
        observer_says(world, observer);
    }
}

/* A newcomer visits every room. */
static void observe(struct world *world)
{
    int observer = actor_add(world, ROLE_OBSERVER, NULL);
    for (int i = 0; i < world->store.room_count && observer >= 0; i++) {
        const struct kept_room *room = &world->store.rooms[i];
        client_join(world->actors[observer].client, room->id, "spectator", NULL, false);
        observer_says(world, observer);
        if (!client_room(world->actors[observer].client))
            violate(world, "room %s cannot be entered any more", room->id);
        oracle_look_at_room(world, room);
        if (chance(world, world->weather.restless + 100))
            read_history(world, observer, room);
    }
}

/* A server that has its store for itself finds out with the next append that a room was written to behind its back; here a
 * restart does. Others heal alone. And everybody has to find a place in the end. */
static void start_again_if_need_be(struct world *world)
{
    bool too_small = false, unaware = world->written_elsewhere && !world->leases;
    for (int i = 0; i < world->host_count; i++)
        too_small |= world->store.room_count + world->actor_count > /* who may just be making one */
                     (int)world->hosts[i].rooms_live_max;
    if (!unaware && !too_small && chance(world, 700))
        return;
    for (int i = 0; i < world->host_count; i++)
        host_crash(&world->hosts[i]);
    for (int i = 0; i < world->actor_count; i++)
        world->actors[i].host = 0;
    world->host_count = 1;
    host_start(&world->hosts[0]);
}

static void pass_a_second(struct world *world)
{
    bool heard;
    pass_time(world, BREATH_MS);
    all_connected(world);
    do {
        heard = false;
        world->report->steps++;
    } while (pump(world, &heard));
}

/* Nobody moves any more, and time goes on until no clock runs. */
static void let_flags_fall(struct world *world)
{
    world->report->waits += flags_awaited(world);
    for (uint64_t next_ms; (next_ms = flags_next_ms(world)) > 0 && !world->report->violated;)
        while (world->now_ms <= next_ms && flags_awaited(world))
            pass_a_second(world);
}

static void come_to_rest(struct world *world)
{
    world->calm = true;
    bus_rest(world);
    for (int i = 0; i < world->host_count; i++)
        world->hosts[i].still_until_ms = 0;
    retire_some(world);
    while (disk_step_late(world))
        ;
    start_again_if_need_be(world);
    for (int i = 0; i < 10; i++) /* leases are renewed, or are over */
        pass_time(world, LEASE_MS / 8);
    rest_for(world, SWEEP_ROUNDS);
    world->rested_ms = world->now_ms;
    if (chance(world, FLAGS_AWAITED))
        let_flags_fall(world);
    observe(world);
    /* For the last invitation to be given up. Not at one leap: a lease that is over by it sends everybody away, who come back
     * and invite again. */
    for (int i = 0; i < 6; i++)
        rest(world);
    flags_next_ms(world);
    oracle_look_at_all(world);
}

/* --- one life ----------------------------------------------------------------------------------------------------------------- */

/* Storms find what is rare; in fair weather there is much play between two faults. */
static void choose_weather(struct world *world)
{
    static const struct weather storm = {.steps = 1500,
                                         .faults = 100,
                                         .said_twice = 50,
                                         .store_faults = 30,
                                         .rumours_lost = 150,
                                         .talk = 200,
                                         .ends = 25,
                                         .takebacks = 50,
                                         .restless = 300,
                                         .outbox_max = 5,
                                         .recent_bytes = 4000,
                                         .rooms_live_min = 4,
                                         .rooms_opened_max = 4};
    static const struct weather fair = {.steps = 60000,
                                        .faults = 5,
                                        .said_twice = 5,
                                        .store_faults = 2,
                                        .rumours_lost = 10,
                                        .talk = 8,
                                        .takebacks = 3,
                                        .restless = 30,
                                        .outbox_max = 16,
                                        .recent_bytes = 40000,
                                        .rooms_live_min = 24,
                                        .long_games = 900,
                                        .rooms_opened_max = 24};
    world->weather = chance(world, 700) ? storm : fair;
    world->weather.in_order = chance(world, 500);
}

static void people_arrive(struct world *world)
{
    bool storm = world->weather.faults > 50;
    int players = storm ? 2 + (int)below(world, 3) : 6 + (int)below(world, 5);
    int spectators = storm ? (int)below(world, 3) : (int)below(world, 2);
    for (int i = 0; i < players; i++)
        actor_add(world, ROLE_PLAYER, NULL);
    for (int i = 0; i < spectators; i++)
        actor_add(world, ROLE_SPECTATOR, NULL);
}

static void release(struct world *world)
{
    for (int i = 0; i < world->host_count; i++)
        host_crash(&world->hosts[i]);
    while (disk_step_late(world))
        ;
    for (int i = 0; i < world->actor_count; i++)
        client_free(world->actors[i].client);
    memory_store_release(&world->store);
    oracle_release(world);
    free(world);
}

void world_live(uint64_t seed, int servers, enum canary canary, bool with_trace,
                struct world_report *report)
{
    struct world *world = calloc(1, sizeof *world);
    *report = (struct world_report){.seed = seed};
    world->seed = seed;
    world->random = seed;
    world->canary = canary;
    world->trace = with_trace;
    world->now_ms = 1790000000000;
    world->report = report;
    memory_store_init(&world->store);
    world->store.forgetful = canary == CANARY_FORGETFUL;
    choose_weather(world);
    world->store.unfenced = canary == CANARY_UNFENCED;
    world->store.stale_turns = canary == CANARY_STALE_TURN;
    world->host_count = chance(world, 500) ? 2 + (int)below(world, HOSTS_MAX - 1) : 1;
    if (servers > 0)
        world->host_count = servers;
    world->has_bus = world->bus_up = world->host_count > 1 && chance(world, 700);
    world->leases = world->host_count > 1 || chance(world, 200);
    world->store.now_ms = (int64_t)world->now_ms;
    for (int i = 0; i < world->host_count; i++) {
        world->hosts[i] = (struct host){.world = world, .index = i};
        snprintf(world->hosts[i].name, sizeof world->hosts[i].name, "http://%d", i);
        host_start(&world->hosts[i]);
    }
    int servers_first = world->host_count;
    people_arrive(world);
    for (int i = 0; i < world->weather.steps && !report->violated; i++)
        step(world);
    if (!report->violated)
        come_to_rest(world);
    report->rooms = (uint64_t)world->store.room_count;
    report->moves_at[servers_first] = report->moves;
    release(world);
}
