#include "server/cli/application_stages.h"

#include "server/cli/application_bus.h"
#include "server/cli/notify.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    QUIET_WITHIN_MS = 10000,  /* how long commits may take after a signal */
    GOODBYE_WITHIN_MS = 3000, /* and the peers' answers to the close frame */
    STAGE_CHECK_MS = 50,
    SLICES = 20, /* in which peers are told to come back, one with each look: a second */
    SLICE_LEAST =
        256, /* as many come back at once to a server that starts again, and nobody notices */
};

static void enter(struct application *application, enum application_stage stage)
{
    assert(stage > application->stage);
    application->stage = stage;
    application->stage_ms = uv_now(&application->loop);
    application_announce(application);
}

static uint64_t in_stage_ms(const struct application *application)
{
    return uv_now(&application->loop) - application->stage_ms;
}

enum { URL_BYTES = 96 };

static void write_url(char url[URL_BYTES], const char *scheme, const char *host, int port)
{
    bool is_ipv6 = strchr(host, ':') != NULL;
    snprintf(url, URL_BYTES, "%s://%s%s%s:%d", scheme, is_ipv6 ? "[" : "", host, is_ipv6 ? "]" : "",
             port);
}

static bool speaks_tls(const struct application *application)
{
    return application->config->tls_certificate[0] != '\0';
}

static void log_listening(const struct application *application)
{
    char host[64], url[URL_BYTES];
    int port;
    struct writer line;
    net_address(application->net, host, sizeof host, &port);
    write_url(url, speaks_tls(application) ? "https" : "http", host, port);
    log_begin(&line, LOG_LEVEL_INFO, "listening");
    writer_key(&line, "address"), writer_string(&line, host);
    writer_key(&line, "port"), writer_integer(&line, port);
    writer_key(&line, "url"), writer_string(&line, url);
    if (net_metrics_address(application->net, host, sizeof host, &port)) {
        write_url(url, "http", host, port);
        writer_key(&line, "metrics_url"), writer_string(&line, url);
    }
    writer_key(&line, "pid"), writer_integer(&line, getpid());
    /* Whoever started the program learns from this line where it is: it is written at every level. */
    const struct log always = {.out = application->log->out, .least = LOG_LEVEL_INFO};
    log_end(&always, LOG_LEVEL_INFO, &line);
    log_let_go(application->log);
}

static void finish(struct application *application)
{
    enter(application, FINISHING);
    application_close_bus(application);
    store_close(application->store, NULL, NULL);
    house_close(application->house, NULL, NULL);
    if (application->chess_mate != NULL)
        chess_mate_close(application->chess_mate);
    net_finish(application->net);
    heap_finish(&application->heap);
    uv_close((uv_handle_t *)&application->prepare, NULL);
    uv_close((uv_handle_t *)&application->check, NULL);
    uv_close((uv_handle_t *)&application->deadline, NULL);
    uv_close((uv_handle_t *)&application->stage_timer, NULL);
    uv_close((uv_handle_t *)&application->watchdog, NULL);
    uv_close((uv_handle_t *)&application->terminated, NULL);
    uv_close((uv_handle_t *)&application->interrupted, NULL);
    uv_close((uv_handle_t *)&application->hung_up, NULL);
}

static void start_serving(struct application *application)
{
    char words[APPLICATION_WORDS_BYTES];
    enter(application, SERVING);
    if (net_start(application->net, words, sizeof words)) {
        application_join_bus(application);
        log_listening(application);
        notify_say("READY=1");
        return;
    }
    log_text(application->log, LOG_LEVEL_ERROR, "cannot_listen", "message", words);
    finish(application);
}

/* Until none is left that has not been told; the time for answers begins with the last slice. */
static void close_slice(struct application *application)
{
    if (application->slice == 0)
        return;
    if (net_close_some(application->net, application->slice, 1012, "restart"))
        return;
    application->slice = 0;
    application->stage_ms = uv_now(&application->loop);
}

static void close_peers(struct application *application)
{
    size_t slice = net_peer_count(application->net) / SLICES + 1;
    if (!core_quiet(application->core))
        log_write(application->log, LOG_LEVEL_ERROR, "store_not_quiet", "");
    application->slice = slice < SLICE_LEAST ? SLICE_LEAST : slice;
    enter(application, CLOSING);
    callers_close(&application->callers);
    close_slice(application);
}

static void quiet(struct application *application)
{
    net_stop_accepting(application->net);
    if (application->chess_mate != NULL)
        chess_mate_stop(application->chess_mate);
    core_stop(application_told_the_time(application));
    enter(application, QUIETING);
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
    case DRAINING:
        if (in_stage_ms(application) >= application->config->drain_ms)
            quiet(application);
        return;
    case QUIETING:
        if (core_quiet(application->core) || core_cut_off(application->core) ||
            in_stage_ms(application) >= QUIET_WITHIN_MS)
            close_peers(application);
        return;
    case CLOSING:
        if (net_peer_count(application->net) == 0 ||
            (application->slice == 0 && in_stage_ms(application) >= GOODBYE_WITHIN_MS))
            finish(application);
        return;
    case FINISHING:
        return;
    }
}

static void on_stage_timer(uv_timer_t *timer)
{
    struct application *application = timer->data;
    if (application->stage == CLOSING)
        close_slice(application);
    advance(application);
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct application *application = handle->data;
    if (application->stage >= DRAINING)
        _exit(128 + number); /* asked twice: at once, as a crash would */
    log_text(application->log, LOG_LEVEL_INFO, "stopping", "signal",
             number == SIGTERM ? "SIGTERM" : "SIGINT");
    notify_say("STOPPING=1");
    bool at_once = application->stage == STARTING || application->config->drain_ms == 0;
    enter(application, DRAINING);
    if (at_once)
        quiet(application);
    uv_timer_start(&application->stage_timer, on_stage_timer, STAGE_CHECK_MS, STAGE_CHECK_MS);
}

static void on_hang_up(uv_signal_t *handle, int number)
{
    const struct application *application = handle->data;
    char words[APPLICATION_WORDS_BYTES];
    (void)number;
    if (net_read_certificate(application->net, words, sizeof words))
        log_text(application->log, LOG_LEVEL_INFO, "certificate_read", "file",
                 application->config->tls_certificate);
    else
        log_text(application->log, LOG_LEVEL_ERROR, "certificate_stays", "message", words);
}

static void on_deadline(uv_timer_t *timer)
{
    struct application *application = timer->data;
    application->deadline_ms = UINT64_MAX;
    application_told_the_time(application);
}

/* Before the loop sleeps: until when it may. */
static void on_prepare(uv_prepare_t *handle)
{
    struct application *application = handle->data;
    callers_settle(&application->callers, application->core);
    uint64_t deadline_ms = core_deadline_ms(application->core);
    if (deadline_ms == application->deadline_ms)
        return;
    application->deadline_ms = deadline_ms;
    uint64_t now = application_now_ms(application);
    if (deadline_ms == UINT64_MAX)
        uv_timer_stop(&application->deadline);
    else
        uv_timer_start(&application->deadline, on_deadline,
                       deadline_ms > now ? deadline_ms - now : 0, 0);
}

static void on_check(uv_check_t *handle)
{
    struct application *application = handle->data;
    callers_settle(&application->callers, application->core);
    loop_time_turned(&application->loop_time);
    advance(application);
}

/* A loop that turns says so, and systemd ends one that does not. */
static void on_watchdog(uv_timer_t *timer)
{
    (void)timer;
    notify_say("WATCHDOG=1");
}

static void start_watchdog(struct application *application)
{
    uint64_t every_ms = notify_watchdog_ms();
    uv_timer_init(&application->loop, &application->watchdog);
    if (every_ms > 0)
        uv_timer_start(&application->watchdog, on_watchdog, every_ms, every_ms);
}

void application_start_handles(struct application *application)
{
    uv_loop_t *loop = &application->loop;
    start_watchdog(application);
    heap_start(&application->heap, loop, HEAP_LOOK_EVERY_MS);
    uv_prepare_init(loop, &application->prepare);
    uv_check_init(loop, &application->check);
    uv_timer_init(loop, &application->deadline);
    uv_timer_init(loop, &application->stage_timer);
    uv_signal_init(loop, &application->terminated);
    uv_signal_init(loop, &application->interrupted);
    uv_signal_init(loop, &application->hung_up);
    application->prepare.data = application->check.data = application->deadline.data =
        application->stage_timer.data = application->terminated.data =
            application->interrupted.data = application->hung_up.data = application;
    uv_prepare_start(&application->prepare, on_prepare);
    uv_check_start(&application->check, on_check);
    uv_signal_start(&application->terminated, on_signal, SIGTERM);
    uv_signal_start(&application->interrupted, on_signal, SIGINT);
    if (speaks_tls(application))
        uv_signal_start(&application->hung_up, on_hang_up, SIGHUP);
}
