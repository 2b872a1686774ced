#include "server/cli/application.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "engine/load/load.h"
#include "server/chess_mate/chess_mate.h"
#include "server/cli/answers.h"
#include "server/cli/game_folder.h"
#include "server/cli/place.h"
#include "server/cli/transfers.h"
#include "server/core/core.h"
#include "server/house/house.h"
#include "server/net/net.h"
#include "server/store/store.h"

enum {
    WORDS_BYTES = 256,
    QUIET_WITHIN_MS = 10000,  /* how long commits may take after a signal */
    GOODBYE_WITHIN_MS = 3000, /* and the peers' answers to the close frame */
    STORE_TROUBLE_MS = 10000, /* not ready for so long after the store has failed */
    STAGE_CHECK_MS = 50,
};

enum stage {
    STARTING, /* bound, but the core is not ready: nobody is let in */
    SERVING,
    QUIETING,  /* no new connections or commands; commits finish */
    CLOSING,   /* peers are told to come back */
    FINISHING, /* handles close; the loop ends by itself */
};

struct application {
    const struct config *config;
    struct log *log;
    uv_loop_t loop;
    struct core *core;
    struct store *store;
    struct net *net;
    struct transfers transfers;
    struct house *house;
    struct chess_mate *chess_mate; /* NULL: not asked for */
    struct files *files;
    uv_prepare_t prepare;
    uv_check_t check;
    uv_timer_t deadline, stage_timer;
    uv_signal_t terminated, interrupted;
    enum stage stage;
    uint64_t stage_ms, started_ms;
    uint64_t epoch_ms;    /* what to add to the loop's time for milliseconds since 1970 */
    uint64_t deadline_ms; /* what the timer is set to */
    uint64_t store_trouble_ms;
    bool store_troubled;
    char place[PLACE_BYTES];
};

/* Wall-clock time at the start plus what has passed since by the clock that never goes back. */
static uint64_t now_ms(const struct application *application)
{
    return application->epoch_ms + uv_now(&application->loop);
}

static struct core *told_the_time(struct application *application)
{
    /* Anew each time: the process may have been stopped since the loop has looked, and its lease be over. */
    uv_update_time(&application->loop);
    core_time(application->core, now_ms(application));
    return application->core;
}

/* --- the core's ports ------------------------------------------------------------------------- */

static enum send_result port_send(void *context, peer_id peer, struct frame *frame)
{
    struct application *application = context;
    if (chess_mate_owns(peer))
        return chess_mate_send(application->chess_mate, peer, frame);
    if (house_owns(peer))
        return house_send(application->house, peer, frame);
    return net_send(application->net, peer, frame);
}

static void port_close(void *context, peer_id peer, int code, const char *reason)
{
    struct application *application = context;
    if (chess_mate_owns(peer))
        chess_mate_hang_up(application->chess_mate, peer);
    else if (house_owns(peer))
        house_hang_up(application->house, peer);
    else
        net_close(application->net, peer, code, reason);
}

static bool port_store(void *context, const struct store_request *request)
{
    struct application *application = context;
    return store_ask(application->store, request);
}

static void port_house_bot(void *context, const char *room, const char *seat, const char *token)
{
    struct application *application = context;
    house_invite(application->house, room, seat, token);
}

static void port_random(void *context, void *bytes, size_t size)
{
    unsigned char *at = bytes;
    (void)context;
    while (size > 0) {
        ssize_t got = getrandom(at, size, 0);
        if (got <= 0)
            continue; /* interrupted by a signal */
        at += got;
        size -= (size_t)got;
    }
}

static void port_log(void *context, enum fact_level level, const char *fact, const char *members)
{
    const struct application *application = context;
    static const enum log_level levels[] = {
        [FACT_INFO] = LOG_LEVEL_INFO,
        [FACT_WARNING] = LOG_LEVEL_WARNING,
        [FACT_ERROR] = LOG_LEVEL_ERROR,
    };
    log_write(application->log, levels[level], fact, members);
}

/* One definition being compiled on a thread; owned by whoever holds it, never by two. */
struct compilation {
    uv_work_t work;
    struct application *application;
    uint64_t ticket;
    char *text;
    size_t length;
    int players;
    struct game *game;
    struct diagnostics diagnostics;
};

static void on_compile(uv_work_t *work)
{
    struct compilation *compilation = work->data;
    const struct load_options options = {.player_count = compilation->players};
    compilation->game =
        game_load(compilation->text, compilation->length, &options, &compilation->diagnostics);
}

static void on_compiled(uv_work_t *work, int status)
{
    struct compilation *compilation = work->data;
    (void)status; /* never cancelled: the loop runs until every compilation is back */
    core_compiled(told_the_time(compilation->application), compilation->ticket, compilation->game,
                  &compilation->diagnostics);
    diagnostics_release(&compilation->diagnostics);
    free(compilation->text);
    free(compilation);
}

static void port_compile(void *context, uint64_t ticket, const char *text, size_t length,
                         int players)
{
    struct application *application = context;
    struct compilation *compilation = calloc(1, sizeof *compilation);
    assert(compilation != NULL);
    compilation->work.data = compilation;
    compilation->application = application;
    compilation->ticket = ticket;
    compilation->text = malloc(length + 1);
    assert(compilation->text != NULL);
    memcpy(compilation->text, text, length);
    compilation->text[length] = '\0';
    compilation->length = length;
    compilation->players = players;
    diagnostics_init(&compilation->diagnostics);
    uv_queue_work(&application->loop, &compilation->work, on_compile, on_compiled);
}

/* Work of the core's own on a thread. */
struct core_work {
    uv_work_t work;
    struct application *application;
    struct job *job;
};

static uint64_t thread_ms(void)
{
    struct timespec worked;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &worked);
    return (uint64_t)worked.tv_sec * 1000 + (uint64_t)worked.tv_nsec / 1000000;
}

static void on_work(uv_work_t *work)
{
    struct core_work *core_work = work->data;
    core_work->job->run(core_work->job);
}

static void on_worked(uv_work_t *work, int status)
{
    struct core_work *core_work = work->data;
    (void)status; /* never cancelled, as above */
    core_worked(told_the_time(core_work->application), core_work->job);
    free(core_work);
}

static void port_work(void *context, struct job *job)
{
    struct application *application = context;
    struct core_work *core_work = calloc(1, sizeof *core_work);
    assert(core_work != NULL);
    *core_work = (struct core_work){.application = application, .job = job};
    core_work->work.data = core_work;
    job->work_ms = thread_ms;
    uv_queue_work(&application->loop, &core_work->work, on_work, on_worked);
}

static void port_transferred(void *context, uint64_t request, const struct transfer_answer *answer)
{
    struct application *application = context;
    transfers_answered(&application->transfers, request, answer);
}

/* --- the core's doors ------------------------------------------------------------------------- */

static void on_peer_opened(void *context, peer_id peer)
{
    core_peer_opened(told_the_time(context), peer, false);
}

static void on_guest_opened(void *context, peer_id peer)
{
    core_peer_opened(told_the_time(context), peer, true);
}

static void on_said(void *context, peer_id peer, const char *text, size_t length)
{
    core_peer_said(told_the_time(context), peer, text, length);
}

static void on_drained(void *context, peer_id peer)
{
    core_peer_drained(told_the_time(context), peer);
}

static void on_gone(void *context, peer_id peer)
{
    core_peer_gone(told_the_time(context), peer);
}

static void on_store_answered(void *context, struct store_answer *answer)
{
    struct application *application = context;
    application->store_troubled = answer->status == STORE_FAILED;
    if (application->store_troubled)
        application->store_trouble_ms = uv_now(&application->loop);
    core_store_answered(told_the_time(application), answer);
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
    bool is_page = files_find(application->files, path) != NULL || strncmp(path, "/room/", 6) == 0;
    return method != NET_GET || !is_page;
}

static size_t on_body_max(void *context, enum net_method method, const char *path)
{
    size_t most = answers_body_max(method, path);
    if (most == 0 && is_for_chess_mate(context, method, path))
        most = CHESS_MATE_BODY_MAX;
    return most;
}

static enum net_reply on_request(void *context, const struct net_request *request,
                                 struct net_answer *answer)
{
    struct application *application = context;
    struct answers_sources sources = {
        .core = told_the_time(application),
        .transfers = &application->transfers,
        .store = application->store,
        .net = application->net,
        .house = application->house,
        .ready = is_ready(application),
        .up_ms = uv_now(&application->loop) - application->started_ms,
    };
    enum net_reply reply = answers_request(&sources, request, answer);
    if (reply == NET_NOT_HERE && is_for_chess_mate(application, request->method, request->path))
        reply = chess_mate_request(application->chess_mate, request, answer);
    return reply;
}

/* --- stages ----------------------------------------------------------------------------------- */

static void enter(struct application *application, enum stage stage)
{
    assert(stage > application->stage);
    application->stage = stage;
    application->stage_ms = uv_now(&application->loop);
}

static uint64_t in_stage_ms(const struct application *application)
{
    return uv_now(&application->loop) - application->stage_ms;
}

static void log_listening(const struct application *application)
{
    char host[64], url[96];
    int port;
    struct writer line;
    net_address(application->net, host, sizeof host, &port);
    bool is_ipv6 = strchr(host, ':') != NULL;
    snprintf(url, sizeof url, is_ipv6 ? "http://[%s]:%d" : "http://%s:%d", host, port);
    log_begin(&line, LOG_LEVEL_INFO, "listening");
    writer_key(&line, "address"), writer_string(&line, host);
    writer_key(&line, "port"), writer_integer(&line, port);
    writer_key(&line, "url"), writer_string(&line, url);
    writer_key(&line, "pid"), writer_integer(&line, getpid());
    /* Whoever started the program learns from this line where it is: it is written at every level. */
    const struct log always = {.out = application->log->out, .least = LOG_LEVEL_INFO};
    log_end(&always, LOG_LEVEL_INFO, &line);
    log_let_go(application->log);
}

static void finish(struct application *application)
{
    enter(application, FINISHING);
    store_close(application->store, NULL, NULL);
    house_close(application->house, NULL, NULL);
    if (application->chess_mate != NULL)
        chess_mate_close(application->chess_mate);
    net_finish(application->net);
    uv_close((uv_handle_t *)&application->prepare, NULL);
    uv_close((uv_handle_t *)&application->check, NULL);
    uv_close((uv_handle_t *)&application->deadline, NULL);
    uv_close((uv_handle_t *)&application->stage_timer, NULL);
    uv_close((uv_handle_t *)&application->terminated, NULL);
    uv_close((uv_handle_t *)&application->interrupted, NULL);
}

static void start_serving(struct application *application)
{
    char words[WORDS_BYTES];
    enter(application, SERVING);
    if (net_start(application->net, words, sizeof words)) {
        log_listening(application);
        return;
    }
    log_text(application->log, LOG_LEVEL_ERROR, "cannot_listen", "message", words);
    finish(application);
}

static void close_peers(struct application *application)
{
    if (!core_quiet(application->core))
        log_write(application->log, LOG_LEVEL_ERROR, "store_not_quiet", "");
    enter(application, CLOSING);
    net_close_all(application->net, 1012, "restart");
}

/* The one function that moves the server from stage to stage. */
static void advance(struct application *application)
{
    switch (application->stage) {
    case STARTING:
        if (core_ready(application->core))
            start_serving(application);
        return;
    case SERVING:
        return; /* until a signal comes */
    case QUIETING:
        if (core_quiet(application->core) || in_stage_ms(application) >= QUIET_WITHIN_MS)
            close_peers(application);
        return;
    case CLOSING:
        if (net_peer_count(application->net) == 0 || in_stage_ms(application) >= GOODBYE_WITHIN_MS)
            finish(application);
        return;
    case FINISHING:
        return;
    }
}

static void on_stage_timer(uv_timer_t *timer)
{
    advance(timer->data);
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct application *application = handle->data;
    if (application->stage >= QUIETING)
        _exit(128 + number); /* asked twice: at once, as a crash would */
    log_text(application->log, LOG_LEVEL_INFO, "stopping", "signal",
             number == SIGTERM ? "SIGTERM" : "SIGINT");
    net_stop_accepting(application->net);
    if (application->chess_mate != NULL)
        chess_mate_stop(application->chess_mate);
    core_stop(told_the_time(application));
    enter(application, QUIETING);
    uv_timer_start(&application->stage_timer, on_stage_timer, STAGE_CHECK_MS, STAGE_CHECK_MS);
}

static void on_deadline(uv_timer_t *timer)
{
    struct application *application = timer->data;
    application->deadline_ms = UINT64_MAX;
    told_the_time(application);
}

/* Before the loop sleeps: until when it may. */
static void on_prepare(uv_prepare_t *handle)
{
    struct application *application = handle->data;
    uint64_t deadline_ms = core_deadline_ms(application->core);
    if (deadline_ms == application->deadline_ms)
        return;
    application->deadline_ms = deadline_ms;
    uint64_t now = now_ms(application);
    if (deadline_ms == UINT64_MAX)
        uv_timer_stop(&application->deadline);
    else
        uv_timer_start(&application->deadline, on_deadline,
                       deadline_ms > now ? deadline_ms - now : 0, 0);
}

static void on_check(uv_check_t *handle)
{
    advance(handle->data);
}

/* --- life ------------------------------------------------------------------------------------- */

static void start_handles(struct application *application)
{
    uv_loop_t *loop = &application->loop;
    uv_prepare_init(loop, &application->prepare);
    uv_check_init(loop, &application->check);
    uv_timer_init(loop, &application->deadline);
    uv_timer_init(loop, &application->stage_timer);
    uv_signal_init(loop, &application->terminated);
    uv_signal_init(loop, &application->interrupted);
    application->prepare.data = application->check.data = application->deadline.data =
        application->stage_timer.data = application->terminated.data =
            application->interrupted.data = application;
    uv_prepare_start(&application->prepare, on_prepare);
    uv_check_start(&application->check, on_check);
    uv_signal_start(&application->terminated, on_signal, SIGTERM);
    uv_signal_start(&application->interrupted, on_signal, SIGINT);
}

/* After the network, whose address is our place. */
static void make_core(struct application *application, const char *store)
{
    const struct config *config = application->config;
    char host[64];
    int port;
    const struct core_ports ports = {
        .context = application,
        .send = port_send,
        .close = port_close,
        .store = port_store,
        .compile = port_compile,
        .house_bot = port_house_bot,
        .work = port_work,
        .transferred = port_transferred,
        .random = port_random,
        .log = port_log,
    };
    struct core_options options;
    core_options_default(&options);
    options.commands_per_s = config->commands_per_second;
    options.commands_burst = config->commands_burst;
    options.heartbeat_ms = config->heartbeat_ms;
    options.auth_within_ms = config->auth_within_ms;
    options.room_idle_ms = config->room_idle_ms;
    options.rooms_live_max = config->rooms;
    net_address(application->net, host, sizeof host, &port);
    place_write(host, port, application->place);
    options.lease_ms = store_is_shared(store) ? config->lease_ms : 0;
    options.place = application->place;
    options.url = config->advertise;
    application->core = core_new(&options, &ports, now_ms(application));
}

static void make_house(struct application *application)
{
    const struct house_ports ports = {application, on_guest_opened, on_said, on_gone};
    uint64_t seed;
    port_random(NULL, &seed, sizeof seed);
    application->house =
        house_new(&application->loop, &ports, seed, application->config->bot_think_ms);
}

static void port_token(void *context, const char *name, char *token)
{
    const struct application *application = context;
    core_token_for(application->core, "chess-mate", name, token);
}

static bool port_respond(void *context, uint64_t ticket, struct net_answer *answer)
{
    const struct application *application = context;
    return net_respond(application->net, ticket, answer);
}

static void make_chess_mate(struct application *application)
{
    const char *prefix = application->config->chess_mate;
    const struct chess_mate_ports ports = {
        application, on_guest_opened, on_said, on_gone, port_token, port_random, port_respond,
    };
    if (prefix[0] != '\0')
        application->chess_mate = chess_mate_new(&application->loop, &ports, prefix);
}

/* Runs on the library's behalf, which gives no context along: straight to the log's stream. */
static void on_library_log(int level, const char *line)
{
    const struct log log = {.out = stdout, .least = LOG_LEVEL_INFO};
    char words[WORDS_BYTES];
    (void)level;
    snprintf(words, sizeof words, "%.*s", (int)strcspn(line, "\n"), line);
    log_text(&log, LOG_LEVEL_WARNING, "libwebsockets", "message", words);
}

static bool make_net(struct application *application, const struct application_options *options,
                     char *words, size_t words_size)
{
    const struct config *config = options->config;
    const struct net_ports ports = {
        application, on_peer_opened, on_said,    on_drained,
        on_gone,     on_body_max,    on_request, port_log,
    };
    struct net_options net_options;
    net_options_default(&net_options);
    net_options.listen = config->listen;
    net_options.origins = config->origins;
    net_options.heartbeat_ms = config->heartbeat_ms;
    net_options.connections_max = options->connections_max;
    net_options.address_connections_max = config->address_connections;
    net_options.address_new_per_s = config->address_rate;
    net_options.limit_loopback = config->limit_loopback;
    net_options.trust_forwarded = config->trust_forwarded;
    net_options.files = application->files;
    if (application->log->least <= LOG_LEVEL_WARNING)
        net_options.library_log = on_library_log;
    application->net = net_new(&application->loop, &net_options, &ports, words, words_size);
    application->transfers.net = application->net;
    return application->net != NULL;
}

static bool load_files(struct application *application, const struct application_options *options)
{
    char words[WORDS_BYTES];
    application->files = files_new();
    if (files_load(application->files, options->web, "", false, words, sizeof words) &&
        files_load(application->files, options->games, "/games", true, words, sizeof words))
        return true;
    log_text(application->log, LOG_LEVEL_ERROR, "cannot_read_files", "message", words);
    return false;
}

static bool load_games(struct application *application, const char *directory)
{
    int count = game_folder_load(directory, application->core, application->log);
    if (count < 0)
        log_text(application->log, LOG_LEVEL_ERROR, "cannot_read_games", "directory", directory);
    else if (count == 0)
        log_text(application->log, LOG_LEVEL_WARNING, "no_games", "directory", directory);
    return count >= 0;
}

static uint64_t wall_clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* What has handles on the loop comes last, and the store last of all: nothing can fail after it. */
static bool start(struct application *application, const struct application_options *options)
{
    char words[WORDS_BYTES];
    if (!load_files(application, options))
        return false;
    if (!make_net(application, options, words, sizeof words)) {
        log_text(application->log, LOG_LEVEL_ERROR, "cannot_listen", "message", words);
        return false;
    }
    make_core(application, options->store);
    if (!load_games(application, options->games))
        return false;
    application->store = store_open(options->store, &application->loop, on_store_answered,
                                    application, words, sizeof words);
    if (application->store == NULL) {
        log_text(application->log, LOG_LEVEL_ERROR, "cannot_open_store", "message", words);
        return false;
    }
    return true;
}

/* After a start that failed half way: closes what was opened. */
static void give_up(struct application *application)
{
    if (application->net != NULL)
        net_finish(application->net);
    uv_run(&application->loop, UV_RUN_DEFAULT);
    application_free(application);
}

struct application *application_new(const struct application_options *options)
{
    struct application *application = calloc(1, sizeof *application);
    assert(application != NULL);
    application->config = options->config;
    application->log = options->log;
    application->deadline_ms = UINT64_MAX;
    uv_loop_init(&application->loop);
    application->started_ms = uv_now(&application->loop);
    application->epoch_ms = wall_clock_ms() - uv_now(&application->loop);
    if (!start(application, options)) {
        give_up(application);
        return NULL;
    }
    make_house(application);
    make_chess_mate(application);
    start_handles(application);
    core_start(told_the_time(application));
    return application;
}

void application_run(struct application *application)
{
    uv_run(&application->loop, UV_RUN_DEFAULT);
    log_write(application->log, LOG_LEVEL_INFO, "stopped", "");
}

void application_free(struct application *application)
{
    if (application->net != NULL)
        net_free(application->net);
    core_free(application->core);
    files_free(application->files);
    int left = uv_loop_close(&application->loop);
    assert(left == 0);
    (void)left;
    free(application);
}
