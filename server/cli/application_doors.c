#include "server/cli/application_doors.h"

#include "server/cli/answers.h"
#include "server/cli/application_core.h"
#include "server/cli/page.h"
#include "server/house/thinking.h"

#include <string.h>

enum { STORE_TROUBLE_MS = 10000 }; /* not ready for so long after the store has failed */

/* Thousandths of a unit: a file, or a page that is kept, beside its bytes. Who owes is refused pages. A page that is there is nothing without
 * its files, so they are refused only to who owes so much that a person's browser never comes there. */
enum { FILE_COST = 800, FILES_PATIENCE_MS = 10000 };

static void on_peer_opened(void *context, peer_id peer, const struct core_address *client)
{
    core_peer_opened(application_told_the_time(context), peer, false, client);
}

static void on_visit_opened(void *context, peer_id peer, const struct core_address *client)
{
    core_peer_opened(application_told_the_time(context), peer, true, client);
}

static void on_bot_opened(void *context, peer_id peer)
{
    const struct core_address ours = {{0}};
    core_peer_opened(application_told_the_time(context), peer, true, &ours);
}

static void on_said(void *context, peer_id peer, const char *text, size_t length)
{
    core_peer_said(application_told_the_time(context), peer, text, length);
}

static void on_drained(void *context, peer_id peer)
{
    core_peer_drained(application_told_the_time(context), peer);
}

static void on_answered(void *context, peer_id peer, uint32_t round_trip_ms)
{
    core_peer_answered(application_told_the_time(context), peer, round_trip_ms);
}

static void on_gone(void *context, peer_id peer)
{
    struct application *application = context;
    if (callers_own(peer))
        callers_gone(&application->callers, peer);
    else
        core_peer_gone(application_told_the_time(context), peer);
}

static bool on_plays(void *context, peer_id peer)
{
    const struct application *application = context;
    return core_peer_plays(application->core, peer);
}

static bool on_precedes(void *context, peer_id peer)
{
    const struct application *application = context;
    return core_peer_precedes(application->core, peer);
}

static void on_gave(void *context, const struct core_address *client, size_t bytes)
{
    const struct application *application = context;
    core_charge(application->core, client, answers_cost_of_file(bytes));
}

void application_on_store_answered(void *context, struct store_answer *answer)
{
    struct application *application = context;
    application->store_troubled = answer->status == STORE_FAILED || answer->status == STORE_UNKNOWN;
    if (application->store_troubled)
        application->store_trouble_ms = uv_now(&application->loop);
    core_store_answered(application_told_the_time(application), answer);
}

static bool is_ready(const struct application *application)
{
    bool in_trouble = application->store_troubled &&
                      uv_now(&application->loop) - application->store_trouble_ms < STORE_TROUBLE_MS;
    return application->stage == SERVING && core_ready(application->core) && !in_trouble;
}

/* Below "/" is the page, too: what it is made of stays where it is, but for "/" itself. */
static bool is_for_chess_mate(const struct application *application, enum net_method method,
                              const char *path)
{
    if (application->chess_mate == NULL || !chess_mate_owns_path(application->chess_mate, path))
        return false;
    bool lasting;
    bool is_page = strcmp(path, "/") != 0 &&
                   (files_find(application->files, path, &lasting) != NULL || page_is_at(path));
    return method != NET_GET || !is_page;
}

static size_t on_body_max(void *context, enum net_method method, const char *path)
{
    size_t most = answers_body_max(method, path);
    if (most == 0 && is_for_chess_mate(context, method, path))
        most = CHESS_MATE_BODY_MAX;
    return most;
}

/* Metrics tell much about who plays when: they may have an address of their own, and it has nothing else. */
static bool is_on_this_address(const struct application *application,
                               const struct net_request *request)
{
    bool is_metrics = strcmp(request->path, "/metrics") == 0;
    bool is_health =
        strcmp(request->path, "/healthz") == 0 || strcmp(request->path, "/readyz") == 0;
    if (request->for_metrics)
        return is_metrics || is_health;
    return !is_metrics || application->config->metrics_listen[0] == '\0';
}

static struct page_sources sources_of_pages(const struct application *application)
{
    return (struct page_sources){
        .core = application->core,
        .files = application->files,
        .engine = application->browser_engine,
        .cache = application->pages,
        .is_secure = application->config->tls_certificate[0] != '\0',
        .trust_forwarded = application->config->trust_forwarded,
    };
}

static bool answer_with_page(const struct application *application,
                             const struct net_request *request, struct net_answer *answer)
{
    const struct page_sources sources = sources_of_pages(application);
    bool is_here = page_is_at(request->path);
    uint64_t cost;
    if (request->bad_escapes || (!is_here && !page_tells_nothing_is_here(&sources, request)) ||
        !page_answer(&sources, request, answer, &cost))
        return false;
    if (!is_here)
        answer->status = 404;
    core_charge(application->core, &request->client, cost + answers_cost_of_file(answer->length));
    return true;
}

static enum net_reply answer_with_file_or_page(const struct application *application,
                                               const struct net_request *request,
                                               struct net_answer *answer)
{
    bool is_page = request->method == NET_GET && page_is_at(request->path);
    uint64_t wait_ms = core_take(application->core, &request->client, FILE_COST);
    if (wait_ms > (is_page ? 0 : FILES_PATIENCE_MS)) {
        answers_too_fast(answer, wait_ms);
        return NET_ANSWERED;
    }
    if (wait_ms > 0)
        core_charge(application->core, &request->client, FILE_COST);
    bool is_got = request->method == NET_GET;
    return is_got && answer_with_page(application, request, answer) ? NET_ANSWERED : NET_NOT_HERE;
}

static enum net_reply on_request(void *context, const struct net_request *request,
                                 struct net_answer *answer)
{
    struct application *application = context;
    if (!is_on_this_address(application, request))
        return NET_NOT_HERE;
    struct answers_sources sources = {
        .core = application_told_the_time(application),
        .transfers = &application->transfers,
        .callers = &application->callers,
        .store = application->store,
        .net = application->net,
        .bus = application->bus,
        .neighbours = neighbours_count(&application->neighbours, uv_now(&application->loop)),
        .house = application->house,
        .files = application->files,
        .loop_time = &application->loop_time,
        .heap = &application->heap.figures,
        .ready = is_ready(application),
        .up_ms = uv_now(&application->loop) - application->started_ms,
    };
    enum net_reply reply = answers_request(&sources, request, answer);
    if (reply == NET_NOT_HERE && is_for_chess_mate(application, request->method, request->path))
        reply = chess_mate_request(application->chess_mate, request, answer);
    if (reply != NET_NOT_HERE)
        return reply;
    return answer_with_file_or_page(application, request, answer);
}

static bool on_any_origin(void *context, const char *path)
{
    return is_for_chess_mate(context, NET_GET, path);
}

static struct position *port_position(void *context, const char *room, int64_t version)
{
    const struct application *application = context;
    return core_copy_position(application->core, room, version);
}

static void port_hinted(void *context, uint64_t number, struct position *position,
                        const struct core_hint *hints, int count)
{
    core_hinted(application_told_the_time(context), number, position, hints, count);
}

/* Of the cores that the process may use; at least one. */
static int threads_of_bots(const struct config *config)
{
    unsigned threads = uv_available_parallelism() * config->bot_cores / 100;
    return threads < 1 ? 1 : threads > THINKING_THREADS_MAX ? THINKING_THREADS_MAX : (int)threads;
}

void application_make_house(struct application *application)
{
    const struct config *config = application->config;
    const struct house_ports ports = {application, on_bot_opened, on_said,
                                      on_gone,     port_position, port_hinted};
    struct house_options options = {.think_ms = config->bot_think_ms,
                                    .keeps_moves = config->bot_keeps_moves,
                                    .level = (int)config->bot_level,
                                    .threads = threads_of_bots(config)};
    application_random(NULL, &options.seed, sizeof options.seed);
    application->house = house_new(&application->loop, &ports, &options);
}

static void port_token(void *context, const char *name, char *token)
{
    const struct application *application = context;
    core_token_for(application->core, "chess-mate", name, token);
}

static uint64_t port_take(void *context, const struct core_address *client, uint64_t thousandths)
{
    const struct application *application = context;
    return core_take(application->core, client, thousandths);
}

static bool port_respond(void *context, uint64_t ticket, struct net_answer *answer)
{
    const struct application *application = context;
    return net_respond(application->net, ticket, answer);
}

void application_make_chess_mate(struct application *application)
{
    const char *prefix = application->config->chess_mate;
    const struct chess_mate_ports ports = {
        application, on_visit_opened,    on_said,   on_gone,
        port_token,  application_random, port_take, port_respond,
    };
    if (prefix[0] != '\0')
        application->chess_mate = chess_mate_new(&application->loop, &ports, prefix);
}

/* Runs on the library's behalf, which gives no context along: straight to the log's stream. */
static void on_library_log(int level, const char *line)
{
    const struct log log = {.out = stdout, .least = LOG_LEVEL_INFO};
    char words[APPLICATION_WORDS_BYTES];
    (void)level;
    snprintf(words, sizeof words, "%.*s", (int)strcspn(line, "\n"), line);
    log_text(&log, LOG_LEVEL_WARNING, "libwebsockets", "message", words);
}

bool application_make_net(struct application *application,
                          const struct application_options *options, char *words, size_t words_size)
{
    const struct config *config = options->config;
    const struct net_ports ports = {
        application, on_peer_opened, on_said,         on_drained, on_answered, on_gone, on_body_max,
        on_request,  on_any_origin,  application_log, on_plays,   on_precedes, on_gave,
    };
    struct net_options net_options;
    net_options_default(&net_options);
    net_options.listen = config->listen;
    net_options.tls_certificate = config->tls_certificate;
    net_options.tls_key = config->tls_key;
    net_options.metrics_listen = config->metrics_listen;
    net_options.origins = config->origins;
    net_options.heartbeat_ms = config->heartbeat_ms;
    net_options.connections_max = options->connections_max;
    net_options.address_connections_max = config->address_connections;
    net_options.address_new_per_s = config->address_rate;
    net_options.limit_loopback = config->limit_loopback;
    net_options.trust_forwarded = config->trust_forwarded;
    net_options.files = application->files;
    net_options.late_file = application->browser_engine;
    if (application->log->least <= LOG_LEVEL_WARNING)
        net_options.library_log = on_library_log;
    application->net = net_new(&application->loop, &net_options, &ports, words, words_size);
    application->transfers.net = application->net;
    return application->net != NULL;
}
