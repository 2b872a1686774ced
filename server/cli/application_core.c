#include "server/cli/application_core.h"

#include "engine/load/load.h"
#include "engine/memory/memory.h"
#include "server/cli/application_memory.h"
#include "server/cli/picture_doors.h"
#include "server/cli/prune.h"
#include "server/cli/publications.h"
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WORK_NICENESS = 10 };

static enum send_result port_send(void *context, peer_id peer, struct frame *frame)
{
    struct application *application = context;
    if (chess_mate_owns(peer))
        return chess_mate_send(application->chess_mate, peer, frame);
    if (house_owns(peer))
        return house_send(application->house, peer, frame);
    if (callers_own(peer))
        return callers_send(&application->callers, &application->transfers, peer, frame);
    return net_send(application->net, peer, frame);
}

static void port_close(void *context, peer_id peer, int code, const char *reason)
{
    struct application *application = context;
    if (chess_mate_owns(peer))
        chess_mate_hang_up(application->chess_mate, peer);
    else if (house_owns(peer))
        house_hang_up(application->house, peer);
    else if (callers_own(peer))
        callers_hang_up(&application->callers, &application->transfers, peer, code, reason);
    else
        net_close(application->net, peer, code, reason);
}

/* Of those who are here, and of those who only pass, there is no way to measure. */
static void port_measure(void *context, peer_id peer)
{
    const struct application *application = context;
    if (!chess_mate_owns(peer) && !house_owns(peer) && !callers_own(peer))
        net_measure(application->net, peer);
}

static bool port_store(void *context, const struct store_request *request)
{
    struct application *application = context;
    return store_ask(application->store, request);
}

static void port_publish(void *context, const struct bus_message *message)
{
    struct application *application = context;
    bus_publish(application->bus, message);
}

static void port_house_bot(void *context, const char *room, const char *seat, int level,
                           const char *token)
{
    struct application *application = context;
    house_invite(application->house, room, seat, level, token);
}

static void port_hint(void *context, uint64_t number, struct position *position, int lines)
{
    struct application *application = context;
    house_hint(application->house, number, position, lines);
}

static void port_forget_hint(void *context, uint64_t number)
{
    struct application *application = context;
    house_forget_hint(application->house, number);
}

void application_random(void *context, void *bytes, size_t size)
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

void application_log(void *context, enum fact_level level, const char *fact, const char *members)
{
    const struct application *application = context;
    static const enum log_level levels[] = {
        [FACT_INFO] = LOG_LEVEL_INFO,
        [FACT_WARNING] = LOG_LEVEL_WARNING,
        [FACT_ERROR] = LOG_LEVEL_ERROR,
    };
    log_write(application->log, levels[level], fact, members);
}

/* Work of the core's own on a thread. */
struct core_work {
    uv_work_t work;
    struct application *application;
    struct job *job;
};

/* What strangers want worked out must not take the processor from the loop, which answers those who play. The threads
 * are libuv's, and whatever they are asked for besides can wait as well. Where a thread may not
 * lower its priority it goes on as it is. */
static void let_the_loop_go_first(void)
{
    static _Thread_local bool lowered;
    if (lowered)
        return;
    lowered = true;
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), WORK_NICENESS);
}

static void on_work(uv_work_t *work)
{
    struct core_work *core_work = work->data;
    let_the_loop_go_first();
    core_work->job->run(core_work->job);
}

static void on_worked(uv_work_t *work, int status)
{
    struct core_work *core_work = work->data;
    (void)status; /* never cancelled: the loop runs until every job is back */
    core_worked(application_told_the_time(core_work->application), core_work->job);
    free(core_work);
}

static void port_work(void *context, struct job *job)
{
    struct application *application = context;
    struct core_work *core_work = memory_zeroed(1, sizeof *core_work);
    *core_work = (struct core_work){.application = application, .job = job};
    core_work->work.data = core_work;
    uv_queue_work(&application->loop, &core_work->work, on_work, on_worked);
}

static void port_transferred(void *context, uint64_t request, const struct transfer_answer *answer)
{
    struct application *application = context;
    transfers_answered(&application->transfers, request, answer);
}

static void port_published(void *context, uint64_t request, const struct published_answer *answer)
{
    struct application *application = context;
    const struct publication_pictures pictures = {application->files, application->drawn};
    publications_answered(&application->transfers, &pictures, request, answer);
}

static bool port_drawn(void *context, uint64_t request, const char *definition_hash)
{
    struct application *application = context;
    const struct publication_pictures pictures = {application->files, application->drawn};
    return publications_drawn(&application->transfers, &pictures, request, definition_hash);
}

static void port_pictured(void *context, uint64_t request, const struct picture_answer *answer)
{
    struct application *application = context;
    picture_doors_answered(&application->transfers, request, answer);
}

void application_make_core(struct application *application, const char *store)
{
    const struct config *config = application->config;
    char host[64];
    int port;
    const struct core_ports ports = {
        .context = application,
        .send = port_send,
        .close = port_close,
        .store = port_store,
        .publish = port_publish,
        .house_bot = port_house_bot,
        .measure = port_measure,
        .hint = port_hint,
        .forget_hint = port_forget_hint,
        .work = port_work,
        .transferred = port_transferred,
        .published = port_published,
        .drawn = port_drawn,
        .pictured = port_pictured,
        .memory_is_short = application_memory_is_short,
        .random = application_random,
        .log = application_log,
    };
    struct core_options options;
    core_options_default(&options);
    options.commands_per_s = config->commands_per_second;
    options.commands_burst = config->commands_burst;
    options.address_per_s = config->address_commands_per_second;
    options.address_burst = config->address_commands_burst;
    options.all_per_s = options.all_burst = config->all_commands_per_second;
    options.address_rooms_per_minute = config->address_rooms_per_minute;
    options.address_rooms_burst = config->address_rooms_burst;
    options.rooms_made_per_s = config->rooms_made_per_second;
    options.rooms_made_burst = config->rooms_made_burst;
    options.bots_max = config->bots;
    options.bots_of_address = config->address_bots;
    options.bots_of_player = config->player_bots;
    options.bot_level = config->bot_level;
    options.heartbeat_ms = config->heartbeat_ms;
    options.player_heartbeat_ms = config->player_heartbeat_ms;
    options.auth_within_ms = config->auth_within_ms;
    options.room_idle_ms = config->room_idle_ms;
    options.absence_ms = config->absence_ms;
    options.rooms_live_max = config->rooms;
    options.picture_bytes = config->picture_kib * 1024;
    options.address_day_bytes = config->address_mib_per_day << 20;
    options.retention = prune_retention(config);
    options.prune_every_ms = (uint64_t)config->prune_every_s * 1000;
    options.store_bytes_max = (uint64_t)config->store_mib << 20;
    options.disk_bytes_min = (uint64_t)config->disk_free_mib << 20;
    options.definitions_mib = config->definitions_mib;
    options.address_definitions_mib = config->address_definitions_mib;
    net_address(application->net, host, sizeof host, &port);
    place_write(host, port, application->place);
    options.lease_ms = store_is_shared(store) ? config->lease_ms : 0;
    options.place = application->place;
    options.url = config->advertise;
    application->core = core_new(&options, &ports, application_now_ms(application));
}
