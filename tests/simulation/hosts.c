/* Servers: a core each, its ports, its end and its next life. */
#include "tests/simulation/parts.h"

#include "engine/load/load.h"
#include "tests/simulation/games_on_offer.h"
#include "tests/support/test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WRONG_MS_MAX = 60 * 60 * 1000, FAST_PPM_MAX = 5000 };

/* --- the ports ---------------------------------------------------------------------------------------------------- */

static void show_oracle(struct world *world, struct link *link, char *text)
{
    char *member = world->canary == CANARY_RENAMED ? strstr(text, "\"version\"") : NULL;
    if (member)
        member[2] = 'a'; /* "varsion" */
    oracle_sent(world, link, text);
    if (member)
        member[2] = 'e';
}

static enum send_result on_send(void *context, peer_id peer, struct frame *frame)
{
    struct host *host = context;
    struct world *world = host->world;
    struct link *link = network_find(world, peer);
    if (!link || !link->server_there || link->server_closing) {
        violate(world, "sent to a peer that is not there");
        return SEND_QUEUED;
    }
    if (link->down.count >= world->weather.outbox_max) {
        link->filled = true;
        return SEND_FULL;
    }
    char *text = strndup(frame_payload(frame), frame->payload_length);
    show_oracle(world, link, text);
    bool event = strncmp(text, "{\"type\":\"event\"", 15) == 0;
    char *letter = event ? strstr(text, "\"reason\"") : NULL;
    if (world->canary == CANARY_WRONG_LETTER && letter)
        letter[2] = 'a'; /* "raason" */
    bool lost = event && world->canary == CANARY_LOST_FRAME && chance(world, 100);
    if (link->client_there && !lost)
        network_deliver(link, text, strlen(text));
    free(text);
    return SEND_QUEUED;
}

static void on_measure(void *context, peer_id peer)
{
    struct host *host = context;
    struct link *link = network_find(host->world, peer);
    if (!link || !link->server_there || link->server_closing)
        violate(host->world, "the way to a peer that is not there is to be measured");
    else
        network_ping(host->world, link);
}

static void on_close(void *context, peer_id peer, int code, const char *reason)
{
    struct host *host = context;
    struct link *link = network_find(host->world, peer);
    trace(host->world, "server %d closes %" PRIu64 ": %d %s", host->index, peer, code, reason);
    if (!link || link->server_closing) {
        violate(host->world, "closed twice");
        return;
    }
    link->server_closing = true;
    link->close_code = code;
}

static bool on_store(void *context, const struct store_request *request)
{
    return disk_ask(context, request);
}

static void on_work(void *context, struct job *job)
{
    struct host *host = context;
    struct working *working = calloc(1, sizeof *working);
    *working = (struct working){.next = host->working, .job = job};
    host->working = working;
}

static void on_house_bot(void *context, const char *room, const char *seat, int level,
                         const char *token)
{
    struct host *host = context;
    (void)level;
    actor_add_house(host->world, host->index, room, seat, token);
}

static void on_publish(void *context, const struct bus_message *message)
{
    bus_say(context, message);
}

static void on_random(void *context, void *bytes, size_t size)
{
    struct host *host = context;
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)bytes)[i] = (unsigned char)test_random(&host->world->random);
}

static void on_log(void *context, enum fact_level level, const char *fact, const char *members)
{
    struct host *host = context;
    (void)level;
    trace(host->world, "log of %d: %s %s", host->index, fact, members);
    if (strcmp(fact, "lease_lost") == 0)
        times_lease_lost(host);
    if (strcmp(fact, "replay_failed") == 0)
        violate(host->world, "%s: %s", fact, members);
}

/* --- life and death -------------------------------------------------------------------------------------------------- */

bool host_still(const struct host *host)
{
    return host->world->now_ms < host->still_until_ms;
}

uint64_t host_look_at_clock(struct host *host)
{
    int64_t since_ms = (int64_t)(host->world->now_ms - host->began_ms);
    host->own_ms =
        host->world->now_ms + (uint64_t)(host->wrong_ms + since_ms * host->fast_ppm / 1000000);
    return host->own_ms;
}

void host_start(struct host *host)
{
    struct world *world = host->world;
    bool shared = world->leases && world->host_count > 1;
    host->wrong_ms = shared ? (int64_t)below(world, 2 * WRONG_MS_MAX) - WRONG_MS_MAX : 0;
    host->fast_ppm = shared ? (int64_t)below(world, 2 * FAST_PPM_MAX) - FAST_PPM_MAX : 0;
    host->began_ms = world->now_ms;
    snprintf(host->bus_name, sizeof host->bus_name, "%s.%" PRIu64, host->name,
             world->report->crashes);
    struct core_ports ports = {.context = host,
                               .send = on_send,
                               .close = on_close,
                               .measure = on_measure,
                               .store = on_store,
                               .work = on_work,
                               .publish = on_publish,
                               .house_bot = on_house_bot,
                               .random = on_random,
                               .log = on_log};
    struct core_options options;
    core_options_default(&options);
    options.recent_room_bytes = 500 + (uint32_t)below(world, (uint64_t)world->weather.recent_bytes);
    options.recent_bytes = 5 * (uint32_t)world->weather.recent_bytes;
    options.room_idle_ms = 3000;
    options.absence_ms = 200; /* some steps: nobody is away for long */
    host->rooms_live_max =
        world->calm ? ROOMS_MAX : (uint32_t)(world->weather.rooms_live_min + (int)below(world, 8));
    options.rooms_live_max = host->rooms_live_max;
    if (world->leases) {
        options.lease_ms = LEASE_MS;
        options.url = options.place = host->name;
    }
    times_begin(host);
    host->core = core_new(&options, &ports, host_look_at_clock(host));
    struct game_on_offer *games = games_on_offer();
    for (int i = 0; i < GAMES_ON_OFFER; i++)
        core_add_game(host->core, games[i].id, games[i].game, games[i].text, games[i].length);
    core_start(host->core);
    if (world->bus_up)
        core_bus_changed(host->core, true);
    bus_tell_of_neighbours(host);
}

static void add_statistics(struct world_report *report, const struct core *core)
{
    struct core_statistics statistics;
    core_read_statistics(core, &statistics);
    report->events += statistics.events;
    report->moves += statistics.moves;
    report->duplicates += statistics.duplicates;
    report->conflicts += statistics.conflicts;
    report->resyncs += statistics.resyncs;
    report->leases_lost += statistics.leases_lost;
    report->followed += statistics.followed;
    report->resumed += statistics.resumes_by_events + statistics.resumes_by_snapshot;
}

void host_crash(struct host *host)
{
    struct world *world = host->world;
    trace(world, "server %d crashes", host->index);
    world->report->crashes++;
    add_statistics(world->report, host->core);
    core_free(host->core);
    host->core = NULL;
    host->still_until_ms = 0;
    host->told_ms = world->now_ms;
    disk_crash(host);
    bus_crash(host);
    while (host->working) {
        struct working *working = host->working;
        host->working = working->next;
        free(working);
    }
    network_end_host(world, host->index);
}

static bool work_once(struct host *host)
{
    struct working *working = host->working;
    if (!working || host_still(host))
        return false;
    host->working = working->next;
    working->job->run(working->job);
    core_worked(host->core, working->job);
    free(working);
    return true;
}

bool host_step_work(struct world *world)
{
    for (int i = 0; i < world->host_count; i++)
        if (work_once(&world->hosts[i]))
            return true;
    return false;
}
