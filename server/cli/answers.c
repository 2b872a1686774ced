#include "server/cli/answers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory/memory.h"
#include "protocol/record.h"
#include "protocol/writer.h"
#include "server/cli/callers.h"
#include "server/cli/heap.h"
#include "server/cli/loop_time.h"
#include "server/cli/picture_doors.h"
#include "server/cli/publications.h"
#include "server/cli/qr.h"
#include "server/cli/transfers.h"
#include "server/house/house.h"
#include "server/net/files.h"

/* For a thousandth of a unit of cost: written, and copied. */
enum { BYTES_OF_THOUSANDTH = 45, FILE_BYTES_OF_THOUSANDTH = 200 };

/* Of what looks after the server: who owes less is answered. Nobody who only looks how it is comes there. */
enum { OPERATORS_PATIENCE_MS = 10000 };

enum { LANGUAGE_BYTES = 32 };

/* Of a room as a file, beside what its request costs. */
enum { EXPORT_COST = 4800 };

static void answer_words(struct net_answer *answer, int status, const char *words)
{
    answer->status = status;
    answer->content_type = "text/plain; charset=utf-8";
    answer->body = memory_text(words);
    answer->length = strlen(words);
}

static void answer_json(struct net_answer *answer, struct writer *writer)
{
    answer->status = 200;
    answer->content_type = "application/json";
    answer->body = writer_take(writer, &answer->length);
}

static enum net_reply get_games(const struct answers_sources *sources,
                                const struct net_request *request, const char *rest,
                                struct net_answer *answer)
{
    char language[LANGUAGE_BYTES] = "";
    struct writer writer;
    (void)rest;
    if (!net_request_query(request, "language", language, sizeof language))
        language[0] = '\0';
    writer_init(&writer);
    core_write_games(sources->core, language, &writer);
    answer_json(answer, &writer);
    return NET_ANSWERED;
}

static enum net_reply get_game(const struct answers_sources *sources,
                               const struct net_request *request, const char *rest,
                               struct net_answer *answer)
{
    struct writer writer;
    writer_init(&writer);
    if (core_write_game(sources->core, rest, &writer)) {
        answer_json(answer, &writer);
        return NET_ANSWERED;
    }
    writer_release(&writer);
    return publications_get(sources->transfers, sources->core, request, rest, answer);
}

static enum net_reply post_game(const struct answers_sources *sources,
                                const struct net_request *request, const char *rest,
                                struct net_answer *answer)
{
    return publications_post(sources->transfers, sources->core, request, rest, answer);
}

/* "ID/rooms": a new room of the game. */
static enum net_reply post_game_or_room(const struct answers_sources *sources,
                                        const struct net_request *request, const char *rest,
                                        struct net_answer *answer)
{
    char game[WORD_BYTES_MAX + 1];
    size_t length = strcspn(rest, "/");
    if (strcmp(rest + length, "/rooms") != 0 || length > WORD_BYTES_MAX)
        return post_game(sources, request, rest, answer);
    memcpy(game, rest, length);
    game[length] = '\0';
    return callers_create(sources->callers, sources->transfers, sources->core, request, game,
                          answer);
}

static enum net_reply post_command(const struct answers_sources *sources,
                                   const struct net_request *request, const char *rest,
                                   struct net_answer *answer)
{
    return callers_post(sources->callers, sources->transfers, sources->core, request, rest, answer);
}

static enum net_reply get_published(const struct answers_sources *sources,
                                    const struct net_request *request, const char *rest,
                                    struct net_answer *answer)
{
    (void)rest;
    return publications_list(sources->transfers, sources->core, request, answer);
}

static enum net_reply get_ratings(const struct answers_sources *sources,
                                  const struct net_request *request, const char *rest,
                                  struct net_answer *answer)
{
    return publications_ratings(sources->transfers, sources->core, request, rest, answer);
}

static enum net_reply post_picture(const struct answers_sources *sources,
                                   const struct net_request *request, const char *rest,
                                   struct net_answer *answer)
{
    (void)rest;
    return picture_doors_post(sources->transfers, sources->core, request, answer);
}

static enum net_reply get_picture(const struct answers_sources *sources,
                                  const struct net_request *request, const char *rest,
                                  struct net_answer *answer)
{
    return picture_doors_get(sources->transfers, sources->core, request, rest, answer);
}

static enum net_reply get_rooms(const struct answers_sources *sources,
                                const struct net_request *request, const char *rest,
                                struct net_answer *answer)
{
    struct writer writer;
    (void)request;
    (void)rest;
    writer_init(&writer);
    core_write_lobby(sources->core, &writer);
    answer_json(answer, &writer);
    return NET_ANSWERED;
}

static enum net_reply get_record(const struct answers_sources *sources,
                                 const struct net_request *request, const char *rest,
                                 struct net_answer *answer)
{
    return transfers_export(sources->transfers, sources->core, request, rest, answer);
}

/* What the store is asked for as a file is dear; a room itself is shown as on a WebSocket, and pays there. */
static enum net_reply get_room(const struct answers_sources *sources,
                               const struct net_request *request, const char *rest,
                               struct net_answer *answer)
{
    enum net_reply reply =
        callers_get(sources->callers, sources->transfers, sources->core, request, rest, answer);
    if (reply != NET_NOT_HERE)
        return reply;
    uint64_t wait_ms = core_take(sources->core, &request->client, EXPORT_COST);
    if (wait_ms == 0)
        return get_record(sources, request, rest, answer);
    answers_too_fast(answer, wait_ms);
    return NET_ANSWERED;
}

static enum net_reply post_record(const struct answers_sources *sources,
                                  const struct net_request *request, const char *rest,
                                  struct net_answer *answer)
{
    (void)rest;
    return transfers_import(sources->transfers, sources->core, request, answer);
}

static enum net_reply post_qr(const struct answers_sources *sources,
                              const struct net_request *request, const char *rest,
                              struct net_answer *answer)
{
    (void)sources;
    (void)rest;
    answer->body = qr_picture(request->body, request->length, &answer->length);
    if (answer->body == NULL) {
        answer_words(answer, 400, "400 a text of 1 to 512 bytes, without a zero\n");
        return NET_ANSWERED;
    }
    answer->status = 200;
    answer->content_type = "image/svg+xml";
    answer->cache_control = "no-store";
    return NET_ANSWERED;
}

static enum net_reply get_health(const struct answers_sources *sources,
                                 const struct net_request *request, const char *rest,
                                 struct net_answer *answer)
{
    (void)sources;
    (void)request;
    (void)rest;
    answer_words(answer, 200, "alive\n");
    return NET_ANSWERED;
}

static enum net_reply get_readiness(const struct answers_sources *sources,
                                    const struct net_request *request, const char *rest,
                                    struct net_answer *answer)
{
    char no[4];
    (void)rest;
    /* HAProxy takes a 404 for "nobody new", and any other no for dead (`http-check disable-on-404`). */
    bool by_404 = net_request_query(request, "no", no, sizeof no) && strcmp(no, "404") == 0;
    if (sources->ready)
        answer_words(answer, 200, "ready\n");
    else
        answer_words(answer, by_404 ? 404 : 503, "not ready\n");
    return NET_ANSWERED;
}

struct figure {
    const char *name, *help;
    bool is_counter; /* only grows; else a gauge */
    uint64_t value;
};

static void write_figures(FILE *out, const struct figure *figures, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(out, "# HELP senet_%s %s\n# TYPE senet_%s %s\nsenet_%s %" PRIu64 "\n",
                figures[i].name, figures[i].help, figures[i].name,
                figures[i].is_counter ? "counter" : "gauge", figures[i].name, figures[i].value);
}

/* One figure by the words or numbers of a label. */
static void write_family(FILE *out, const char *name, const char *help)
{
    fprintf(out, "# HELP senet_%s %s\n# TYPE senet_%s counter\n", name, help, name);
}

static void write_refusals(FILE *out, const struct core_statistics *figures)
{
    write_family(out, "refusals_by_code_total", "commands answered with this error");
    for (int i = REFUSAL_NONE + 1; i < REFUSAL_COUNT; i++)
        fprintf(out, "senet_refusals_by_code_total{code=\"%s\"} %" PRIu64 "\n",
                refusal_code((enum refusal)i), figures->refusals_by[i]);
}

static void write_closings(FILE *out, const struct net_statistics *figures)
{
    write_family(out, "closed_total", "WebSockets we closed with this code");
    for (int i = 0; i < NET_CLOSE_CODES; i++)
        if (net_close_codes[i] != 0)
            fprintf(out, "senet_closed_total{code=\"%d\"} %" PRIu64 "\n", net_close_codes[i],
                    figures->closed[i]);
        else
            fprintf(out, "senet_closed_total{code=\"other\"} %" PRIu64 "\n", figures->closed[i]);
}

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* clang-format off */
static void write_core(FILE *out, const struct core *core)
{
    struct core_statistics core_figures;
    core_read_statistics(core, &core_figures);
    const struct figure figures[] = {
        {"sessions",                    "connections that said who they are",           false, core_figures.sessions},
        {"rooms_live",                  "rooms in memory",                              false, core_figures.rooms_live},
        {"editions",                    "compiled games in memory",                     false, core_figures.editions},
        {"definition_bytes",            "memory held for players' own games",           false, core_figures.definition_bytes},
        {"rooms_waiting_for_store",     "rooms whose last event is not durable yet",    false, core_figures.rooms_waiting_for_store},
        {"spectators",                  "sessions that watch",                          false, core_figures.spectators},
        {"commands_total",              "commands received",                            true,  core_figures.commands},
        {"refusals_total",              "commands answered with an error",              true,  core_figures.refusals},
        {"cost_total",                  "charged, in thousandths of a unit",            true,  core_figures.cost},
        {"tasks_waiting",               "work for threads that waits its turn",         false, core_figures.tasks_waiting},
        {"tasks_at_work",               "work for threads that is being done",          false, core_figures.tasks_at_work},
        {"tasks_refused_total",         "work for threads there was no place for",      true,  core_figures.tasks_refused},
        {"events_total",                "events made durable",                          true,  core_figures.events},
        {"moves_total",                 "moves made durable",                           true,  core_figures.moves},
        {"rooms_unknown_total",         "rooms asked for that are not there",           true,  core_figures.rooms_unknown},
        {"duplicates_total",            "commands sent again",                          true,  core_figures.duplicates},
        {"resumes_by_events_total",     "resumed with the missing events",              true,  core_figures.resumes_by_events},
        {"resumes_by_snapshot_total",   "resumed with a snapshot",                      true,  core_figures.resumes_by_snapshot},
        {"resyncs_total",               "slow spectators caught up with a snapshot",    true,  core_figures.resyncs},
        {"games_rated_total",           "rated games that have come to count, or were found not to",  true,  core_figures.games_rated},
        {"makings_refused_total",       "rooms, imports, seat keys and publications that were too many",       true,  core_figures.makings_refused},
        {"rooms_gave_way_total",        "rooms that left memory to make room for others", true, core_figures.rooms_gave_way},
        {"house_bots_waiting",          "seats that wait for a bot of the server's",    false, core_figures.bots_waiting},
        {"house_bots_refused_total",    "invitations that were too many",               true,  core_figures.bots_refused},
        {"house_bots_gave_way_total",   "bots that left their seat for somebody else's turn", true, core_figures.bots_gave_way},
        {"seeks_waiting",               "seeks of players at this server that wait",    false, core_figures.seeks_waiting},
        {"seeks_paired_total",          "rooms made for players who looked for somebody", true, core_figures.seeks_paired},
        {"store_refusals_total",        "commands the store could not take",            true,  core_figures.store_failures},
        {"conflicts_total",             "races for a room's next version that were lost", true, core_figures.conflicts},
        {"followed_events_total",       "events of other servers that were taken in",   true,  core_figures.followed},
        {"gaps_filled_total",           "times that events of other servers were read in the store", true, core_figures.gaps},
        {"leases_lost_total",           "leases that could not be renewed in time",     true,  core_figures.leases_lost},
        {"rooms_moved_total",           "rooms that were taken from their players",     true,  core_figures.rooms_moved},
    };
    write_figures(out, figures, COUNT_OF(figures));
    write_refusals(out, &core_figures);
}

static void write_written(FILE *out, const struct core_statistics *figures)
{
    static const char *const kinds[CORE_WRITTEN_KINDS] = {
        "rooms", "moves", "chat", "events", "definitions", "published", "pictures"};
    write_family(out, "written_bytes_total", "that the store was given to keep, about");
    for (int i = 0; i < CORE_WRITTEN_KINDS; i++)
        fprintf(out, "senet_written_bytes_total{kind=\"%s\"} %" PRIu64 "\n", kinds[i], figures->written[i]);
}

static void write_sizes(FILE *out, const struct core_statistics *figures)
{
    static const char *const kinds[STORE_SIZES] = {"rooms", "events", "definitions", "published", "pictures"};
    fputs("# HELP senet_stored_bytes on disk, about, as last measured\n# TYPE senet_stored_bytes gauge\n", out);
    for (int size = 0; size < STORE_SIZES; size++)
        fprintf(out, "senet_stored_bytes{kind=\"%s\"} %" PRIu64 "\n", kinds[size], figures->stored_bytes[size]);
}

/* What the store holds, by kind, as the last whole walk along it has counted; what was removed, by why. */
static void write_kept(FILE *out, const struct core *core)
{
    static const char *const statuses[STORE_STATUS_COUNT] = {"waiting", "playing", "finished"};
    static const char *const reasons[STORE_EXPIRY_COUNT] = {
        "", "never_moved", "abandoned", "finished", "private"};
    static const char *const names[] = {"stored_rooms", "stored_events"};
    struct core_statistics core_figures;
    core_read_statistics(core, &core_figures);
    for (int events = 0; events < 2; events++) {
        fprintf(out, "# HELP senet_%s in the store, as last counted\n# TYPE senet_%s gauge\n", names[events], names[events]);
        for (int status = 0; status < STORE_STATUS_COUNT; status++)
            for (int i = 0; i < 2; i++) {
                const struct store_tally *tally = &core_figures.stored[status][i];
                fprintf(out, "senet_%s{status=\"%s\",visibility=\"%s\"} %" PRIu64 "\n", names[events], statuses[status],
                        i ? "public" : "private", events ? tally->events : tally->rooms);
            }
    }
    write_sizes(out, &core_figures);
    write_written(out, &core_figures);
    fputs("# HELP senet_removed_rooms_total rooms whose time was over\n# TYPE senet_removed_rooms_total counter\n", out);
    for (int why = STORE_KEPT + 1; why < STORE_EXPIRY_COUNT; why++)
        fprintf(out, "senet_removed_rooms_total{why=\"%s\"} %" PRIu64 "\n", reasons[why], core_figures.removed_rooms[why]);
    const struct figure figures[] = {
        {"stored_pictures",             "pictures in the store, as last counted",       false, core_figures.stored_pictures},
        {"stored_picture_bytes",        "their bytes",                                  false, core_figures.stored_picture_bytes},
        {"removed_pictures_total",      "pictures no game names any more",              true,  core_figures.removed_pictures},
        {"removed_events_total",        "events that went with them",                   true,  core_figures.removed_events},
        {"removed_definitions_total",   "definitions nobody plays any more",            true,  core_figures.removed_definitions},
        {"prune_walks_total",           "whole walks along the store",                  true,  core_figures.walks},
        {"store_bytes",                 "size of the database",                         false, core_figures.store_bytes},
        {"store_unused_bytes",          "of them free for what comes (SQLite)",         false, core_figures.store_unused_bytes},
        {"store_disk_free_bytes",       "free on its disk; 0: unknown",                 false, core_figures.disk_bytes},
        {"store_full",                  "1: no new rooms",                              false, core_figures.store_full},
    };
    write_figures(out, figures, COUNT_OF(figures));
}

static void write_commits(FILE *out, const struct store_statistics *figures)
{
    uint64_t count = 0;
    fputs("# HELP senet_store_commit_seconds how long transactions took that made something durable\n"
          "# TYPE senet_store_commit_seconds histogram\n", out);
    for (int i = 0; i < STORE_COMMIT_BUCKETS; i++) {
        count += figures->commits_by_time[i];
        if (i < STORE_COMMIT_BUCKETS - 1)
            fprintf(out, "senet_store_commit_seconds_bucket{le=\"%g\"} %" PRIu64 "\n", (double)(STORE_COMMIT_US_FIRST << i) / 1e6, count);
        else
            fprintf(out, "senet_store_commit_seconds_bucket{le=\"+Inf\"} %" PRIu64 "\n", count);
    }
    fprintf(out, "senet_store_commit_seconds_sum %.6f\nsenet_store_commit_seconds_count %" PRIu64 "\n", (double)figures->commit_us_total / 1e6, count);
}

static void write_store(FILE *out, const struct store *store)
{
    struct store_statistics store_figures;
    store_read_statistics(store, &store_figures);
    const struct figure figures[] = {
        {"store_waiting",               "requests that wait for the store",             false, store_waiting(store)},
        {"store_commits_total",         "transactions",                                 true,  store_figures.commits},
        {"store_appends_total",         "appends in them",                              true,  store_figures.appends},
        {"store_reads_total",           "reads",                                        true,  store_figures.reads},
        {"store_failures_total",        "requests that failed",                         true,  store_figures.failures},
        {"store_batch_largest",         "most requests in one transaction so far",      false, store_figures.batch_largest},
        {"store_commit_microseconds_total", "time spent in transactions",               true,  store_figures.commit_us_total},
        {"store_memory_bytes",          "of the process, held by SQLite, its cache above all", false, store_figures.memory_bytes},
    };
    write_figures(out, figures, COUNT_OF(figures));
    write_commits(out, &store_figures);
}

static void write_net(FILE *out, const struct net *net)
{
    struct net_statistics net_figures;
    net_read_statistics(net, &net_figures);
    const struct figure figures[] = {
        {"connections",                 "open sockets",                                 false, net_figures.connections},
        {"peers",                       "open WebSockets",                              false, net_figures.peers},
        {"addresses",                   "with connections, or with many just before",   false, net_figures.addresses},
        {"accepted_total",              "sockets accepted",                             true,  net_figures.accepted},
        {"refused_full_total",          "sockets refused: all connections in use",      true,  net_figures.refused_full},
        {"gave_way_total",              "connections closed to make room for others",   true,  net_figures.gave_way},
        {"refused_address_total",       "sockets refused: too many from an address",    true,  net_figures.refused_address},
        {"handshakes_total",            "WebSocket handshakes",                         true,  net_figures.handshakes},
        {"handshakes_refused_total",    "WebSocket handshakes refused",                 true,  net_figures.handshakes_refused},
        {"messages_received_total",     "messages received",                            true,  net_figures.messages_received},
        {"received_bytes_total",        "their bytes",                                  true,  net_figures.bytes_received},
        {"frames_sent_total",           "frames queued for peers",                      true,  net_figures.frames_sent},
        {"sent_bytes_total",            "bytes written to peers",                       true,  net_figures.bytes_sent},
        {"writes_total",                "writes to peers",                              true,  net_figures.writes},
        {"writes_partial_total",        "writes the socket did not take whole",         true,  net_figures.writes_partial},
        {"outboxes_full_total",         "peers that read too slowly for a while",       true,  net_figures.outboxes_full},
        {"peers_stalled_total",         "peers dropped: they read nothing",             true,  net_figures.peers_stalled},
        {"peers_silent_total",          "peers dropped: no answer to pings",            true,  net_figures.peers_silent},
        {"peers_violating_total",       "peers closed: not the protocol",               true,  net_figures.peers_violating},
        {"peers_flooding_total",        "peers closed: too many control frames",        true,  net_figures.peers_flooding},
        {"tls_handshakes_total",        "TLS handshakes",                               true,  net_figures.tls_handshakes},
        {"tls_refused_total",           "TLS handshakes that came to nothing",          true,  net_figures.tls_refused},
        {"http_requests_total",         "HTTP requests",                                true,  net_figures.http_requests},
        {"http_refused_total",          "HTTP requests refused before being looked at", true,  net_figures.http_refused},
        {"http_timeouts_total",         "HTTP requests or answers that came too late",  true,  net_figures.http_timeouts},
        {"http_waiting",                "HTTP requests under way",                      false, net_figures.exchanges},
        {"http_bodies_bytes",           "announced by requests under way",              false, net_figures.bodies_bytes},
        {"http_streams",                "rooms that are watched over HTTP",             false, net_figures.streams},
        {"http_streams_total",          "of them, since the start",                     true,  net_figures.streams_begun},
    };
    write_figures(out, figures, COUNT_OF(figures));
    write_closings(out, &net_figures);
}
/* clang-format on */

/* clang-format off */
static void write_bus(FILE *out, const struct answers_sources *sources)
{
    struct bus_statistics bus_figures;
    bus_read_statistics(sources->bus, &bus_figures);
    const struct figure figures[] = {
        {"bus_up",                      "1: the bus carries what is said",              false, bus_figures.up},
        {"bus_nodes",                   "other servers heard of on the bus",            false, sources->neighbours},
        {"bus_waiting",                 "messages that wait to be sent",                false, bus_figures.waiting},
        {"bus_connects_total",          "connections to the broker",                    true,  bus_figures.connects},
        {"bus_sent_total",              "messages sent",                                true,  bus_figures.sent},
        {"bus_sent_bytes_total",        "their bytes",                                  true,  bus_figures.sent_bytes},
        {"bus_unsent_total",            "messages dropped: the bus was down, slow, or refused them", true, bus_figures.unsent},
        {"bus_arrived_total",           "messages of other servers",                    true,  bus_figures.arrived},
        {"bus_arrived_bytes_total",     "their bytes",                                  true,  bus_figures.arrived_bytes},
        {"bus_missed_total",            "messages of other servers dropped: too many waited", true, bus_figures.missed},
        {"bus_malformed_total",         "messages that no server of ours has sent",     true,  bus_figures.malformed},
    };
    write_figures(out, figures, COUNT_OF(figures));
}
/* clang-format on */

/* clang-format off */
static void write_loop(FILE *out, struct loop_time *time)
{
    const struct figure figures[] = {
        {"loop_turns_total",             "rounds of input, work and output",             true,  time->turns},
        {"loop_long_turns_total",        "of them above 5 ms of processor time", true, time->long_turns},
        {"loop_busy_microseconds_total", "processor time of them all",                    true,  time->busy_us},
        {"loop_longest_turn_microseconds", "since this was asked for last",              false, loop_time_take_longest_us(time)},
    };
    write_figures(out, figures, COUNT_OF(figures));
}
/* clang-format on */

/* clang-format off */
static void write_heap(FILE *out, const struct heap_figures *heap)
{
    const struct figure figures[] = {
        {"resident_bytes",               "of the process in RAM, as last looked at (every 10 s)", false, heap->resident_bytes},
        {"heap_used_bytes",              "of its heaps: asked for and not freed, then",   false, heap->used_bytes},
        {"heap_trims_total",             "times that freed memory went back to the system", true, heap->trims},
        {"heap_trim_microseconds_total", "that this took, on a thread",                   true,  heap->trim_us_total},
    };
    write_figures(out, figures, COUNT_OF(figures));
}
/* clang-format on */

static enum net_reply get_metrics(const struct answers_sources *sources,
                                  const struct net_request *request, const char *rest,
                                  struct net_answer *answer)
{
    const struct figure own[] = {
        {"up_milliseconds", "since the start", false, sources->up_ms},
        {"house_bots", "bots of the server's own that play", false,
         house_guest_count(sources->house)},
        {"files_bytes", "files in memory, and what of them and of pages is compressed", false,
         files_bytes(sources->files)},
        {"http_calls_total", "commands, questions and streams of the protocol over HTTP", true,
         sources->callers->calls},
    };
    (void)request;
    (void)rest;
    FILE *out = memory_stream(&answer->body, &answer->length);
    write_figures(out, own, COUNT_OF(own));
    write_loop(out, sources->loop_time);
    write_heap(out, sources->heap);
    write_core(out, sources->core);
    write_kept(out, sources->core);
    write_store(out, sources->store);
    write_net(out, sources->net);
    write_bus(out, sources);
    fclose(out);
    answer->status = 200;
    answer->content_type = "text/plain; version=0.0.4; charset=utf-8";
    return NET_ANSWERED;
}

struct endpoint {
    enum net_method method;
    const char *path; /* ending in '/': whatever follows is given to `answer` */
    size_t body_max;
    /* Thousandths of a unit, see server/core/cost.h; 0: nobody is ever refused. */
    uint32_t cost, cost_of_kib; /* and each KiB of the body */
    uint32_t patience_ms;       /* who owes less than what comes back in that time is answered */
    enum net_reply (*answer)(const struct answers_sources *sources,
                             const struct net_request *request, const char *rest,
                             struct net_answer *answer);
};

/* clang-format off */
static const struct endpoint endpoints[] = {
    {NET_GET,  "/api/v1/games",  0,                 1000,     0, 0, get_games},
    {NET_GET,  "/api/v1/games/", 0,                  800,     0, 0, get_game},
    {NET_POST, "/api/v1/games/", PUBLISH_BYTES_MAX, 5000,  1400, 0, post_game_or_room},
    {NET_GET,  "/api/v1/published", 0,              900,     0, 0, get_published},
    {NET_GET,  "/api/v1/ratings/", 0,              1000,     0, 0, get_ratings},
    {NET_POST, "/api/v1/pictures", CORE_PICTURE_BYTES_MAX, 5500, 0, 0, post_picture},
    {NET_GET,  "/pictures/",     0,                  800,     0, 0, get_picture},
    {NET_GET,  "/api/v1/rooms",  0,                 1900,     0, 0, get_rooms},
    {NET_POST, "/api/v1/rooms",  RECORD_BYTES_MAX, 40000,   800, 0, post_record},
    {NET_GET,  "/api/v1/rooms/", 0,                  200,     0, 0, get_room},
    {NET_POST, "/api/v1/rooms/", CALLER_BODY_MAX,    200,     0, 0, post_command},
    {NET_POST, "/api/v1/qr",     QR_BYTES_MAX,      2300,     0, 0, post_qr},
    {NET_GET,  "/healthz",       0,                    0,     0, 0, get_health},
    {NET_GET,  "/readyz",        0,                    0,     0, 0, get_readiness},
    {NET_GET,  "/metrics",       0,                 1900,     0, OPERATORS_PATIENCE_MS, get_metrics},
};
/* clang-format on */

/* What follows the endpoint's path, or NULL when this is another path. */
static const char *match(const struct endpoint *endpoint, const char *path)
{
    size_t length = strlen(endpoint->path);
    bool open_ended = endpoint->path[length - 1] == '/';
    if (strncmp(path, endpoint->path, length) != 0)
        return NULL;
    return path[length] == '\0' || open_ended ? path + length : NULL;
}

size_t answers_body_max(enum net_method method, const char *path)
{
    for (size_t i = 0; i < COUNT_OF(endpoints); i++)
        if (endpoints[i].method == method && match(&endpoints[i], path) != NULL)
            return endpoints[i].body_max;
    return 0;
}

static void answer_other_methods(struct net_answer *answer, bool get, bool post)
{
    answer_words(answer, 405, "405 not with this method\n");
    snprintf(answer->headers, sizeof answer->headers, "Allow: %s%s%s\r\n", get ? "GET, HEAD" : "",
             get && post ? ", " : "", post ? "POST" : "");
}

void answers_too_fast(struct net_answer *answer, uint64_t wait_ms)
{
    answer_words(answer, 429, "429 too many requests from this address\n");
    snprintf(answer->headers, sizeof answer->headers, "Retry-After: %" PRIu64 "\r\n",
             (wait_ms + 999) / 1000);
}

uint64_t answers_cost_of_file(size_t bytes)
{
    return bytes / FILE_BYTES_OF_THOUSANDTH;
}

/* Their own address is the operators', who know whom they let in there. */
static uint64_t cost_of(const struct endpoint *endpoint, const struct net_request *request)
{
    if (request->for_metrics)
        return 0;
    return endpoint->cost + (uint64_t)endpoint->cost_of_kib * request->length / 1024;
}

/* What is written costs as it does on a WebSocket; what comes later is charged where it is made. */
static enum net_reply ask(const struct endpoint *endpoint, const struct answers_sources *sources,
                          const struct net_request *request, const char *rest,
                          struct net_answer *answer)
{
    struct core *core = sources->core;
    uint64_t cost = cost_of(endpoint, request);
    if (cost == 0)
        return endpoint->answer(sources, request, rest, answer);
    uint64_t wait_ms = core_take(core, &request->client, cost);
    if (wait_ms > endpoint->patience_ms) {
        answers_too_fast(answer, wait_ms);
        return NET_ANSWERED;
    }
    if (wait_ms > 0)
        core_charge(core, &request->client, cost);
    enum net_reply reply = endpoint->answer(sources, request, rest, answer);
    if (reply == NET_ANSWERED)
        core_charge(core, &request->client, answer->length / BYTES_OF_THOUSANDTH);
    return reply;
}

enum net_reply answers_request(const struct answers_sources *sources,
                               const struct net_request *request, struct net_answer *answer)
{
    bool get = false, post = false;
    for (size_t i = 0; i < COUNT_OF(endpoints); i++) {
        const char *rest = match(&endpoints[i], request->path);
        if (rest == NULL)
            continue;
        if (endpoints[i].method != request->method) {
            get |= endpoints[i].method == NET_GET;
            post |= endpoints[i].method == NET_POST;
            continue;
        }
        if (!request->too_long)
            return ask(&endpoints[i], sources, request, rest, answer);
        answer_words(answer, 413, "413 too long\n");
        return NET_ANSWERED;
    }
    if (!get && !post)
        return NET_NOT_HERE;
    answer_other_methods(answer, get, post);
    return NET_ANSWERED;
}
