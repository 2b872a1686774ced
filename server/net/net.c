#include "server/net/net.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory/memory.h"
#include "server/net/certificate.h"
#include "server/net/private.h"

void net_options_default(struct net_options *options)
{
    *options = (struct net_options){
        .listen = "127.0.0.1:8080",
        .metrics_listen = "",
        .tls_certificate = "",
        .tls_key = "",
        .origins = "",
        .message_bytes_max = 16 * 1024,
        .heartbeat_ms = 15000,
        .stalled_ms = NET_STALLED_MS,
        .reserve_ms = NET_RESERVE_MS,
        .first_within_ms = NET_FIRST_WITHIN_MS,
        .head_within_ms = NET_HEAD_WITHIN_MS,
        .body_within_ms = NET_BODY_WITHIN_MS,
        .answer_within_ms = NET_ANSWER_WITHIN_MS,
        .turn_us = NET_TURN_US,
        .connections_max = 16000,
        .address_connections_max = 1000,
        .address_new_per_s = 200,
    };
}

/* The library's idle timers are off: one sorted list of them costs more than all the rest at many
 * connections. */
static const lws_retry_bo_t no_validity_timers = {0};

static bool make_context(struct net *net, char *words, size_t words_size)
{
    void *loops[] = {net->loop};
    struct lws_context_creation_info info;
    memset(&info, 0, sizeof info);
    if (net->options.library_log != NULL)
        lws_set_log_level(LLL_ERR | LLL_WARN, net->options.library_log);
    info.port = CONTEXT_PORT_NO_LISTEN_SERVER; /* we listen ourselves: see listener.c */
    info.protocols = ws_protocols();
    info.options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_UV_NO_SIGSEGV_SIGFPE_SPIN |
                   LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
    info.foreign_loops = loops;
    info.user = net;
    info.pt_serv_buf_size = NET_SCRATCH_BYTES / 4;
    info.max_http_header_data = 16 * 1024;
    info.timeout_secs = NET_HTTP_TIMEOUT_S;
    info.keepalive_timeout = NET_HTTP_TIMEOUT_S;
    info.retry_and_idle_policy = &no_validity_timers;
    info.alpn = "http/1.1";
    info.vhost_name = "senet";
    info.gid = -1;
    info.uid = -1;
    net->context = lws_create_context(&info);
    if (net->context == NULL) {
        snprintf(words, words_size,
                 "libwebsockets does not start (is libwebsockets-evlib-uv installed?)");
        return false;
    }
    net->vhost = lws_create_vhost(net->context, &info);
    if (net->vhost == NULL)
        snprintf(words, words_size, "libwebsockets makes no host");
    return net->vhost != NULL;
}

static void *library_resize(void *old, size_t size, const char *what)
{
    (void)what;
    if (size > 0)
        return memory_resize(old, 1, size);
    free(old);
    return NULL;
}

void net_use_memory(void)
{
    lws_set_allocator(library_resize);
}

static void on_prepare(uv_prepare_t *handle)
{
    writing_go_on(handle->data);
    streams_write(handle->data);
    turn_prepare(handle->data);
}

/* What the store has said to players goes out before others are read. */
static void on_check(uv_check_t *handle)
{
    writing_begin(handle->data);
    turn_take(handle->data);
    writing_go_on(handle->data);
    streams_write(handle->data);
}

static void on_sweep(uv_timer_t *handle)
{
    struct net *net = handle->data;
    net->sweeping = true; /* turns go through both */
    floods_sweep(net);
    exchanges_sweep(net);
    plain_sweep(net);
    shares_sweep(net);
    secure_sweep(net);
    listener_resume(net);
    /* The library looks at its own timers (headers that do not come, idle keep-alives) only when it
     * is called. */
    lws_cancel_service(net->context);
}

/* Frames queued while sockets were read go out in `check`, those of timers in `prepare`: both
 * before the loop sleeps. */
static void start_handles(struct net *net)
{
    uint64_t sweep_ms = net->options.heartbeat_ms / 4;
    sweep_ms = sweep_ms < 10 ? 10 : sweep_ms > 1000 ? 1000 : sweep_ms;
    uv_prepare_init(net->loop, &net->prepare);
    uv_check_init(net->loop, &net->check);
    uv_timer_init(net->loop, &net->sweep);
    net->prepare.data = net->check.data = net->sweep.data = net;
    uv_prepare_start(&net->prepare, on_prepare);
    uv_check_start(&net->check, on_check);
    uv_timer_start(&net->sweep, on_sweep, sweep_ms, sweep_ms);
}

static void make_slots(struct net *net)
{
    uint32_t count = net->options.connections_max;
    net->slots = memory_zeroed(count, sizeof(struct peer *));
    net->free_slots = memory_zeroed(count, sizeof *net->free_slots);
    for (uint32_t i = 0; i < count; i++)
        net->free_slots[i] = count - 1 - i;
    net->free_count = count;
}

static void release(struct net *net)
{
    listener_stop(net);
    turn_close(net);
    certificate_free(net->certificate);
    admission_free(net->admission);
    free(net->slots);
    free(net->free_slots);
    free(net->all);
    free(net);
}

struct net *net_new(struct uv_loop_s *loop, const struct net_options *options,
                    const struct net_ports *ports, char *words, size_t words_size)
{
    struct net *net = memory_zeroed(1, sizeof(*net));
    assert(options->connections_max > 0 && options->connections_max < 1 << 24);
    net->options = *options;
    net->ports = *ports;
    net->loop = loop;
    bool is_secure = options->tls_certificate[0] != '\0';
    turn_init(net);
    writing_open(net);
    list_init(&net->streams);
    if ((is_secure && !net_read_certificate(net, words, words_size)) ||
        !listener_bind(net, words, words_size)) {
        release(net);
        return NULL;
    }
    if (!turn_open(net)) {
        snprintf(words, words_size, "no descriptor for what waits");
        release(net);
        return NULL;
    }
    net->admission = admission_new(options->address_connections_max, options->address_new_per_s);
    make_slots(net);
    start_handles(net);
    if (make_context(net, words, words_size))
        return net;
    net_finish(net);
    uv_run(loop, UV_RUN_NOWAIT);
    net_free(net);
    return NULL;
}

bool net_start(struct net *net, char *words, size_t words_size)
{
    return listener_start(net, words, words_size);
}

void net_address(const struct net *net, char *host, size_t host_size, int *port)
{
    address_write(&net->doors[DOOR_PUBLIC].bound, host, host_size, port);
}

bool net_metrics_address(const struct net *net, char *host, size_t host_size, int *port)
{
    const struct door *door = &net->doors[DOOR_METRICS];
    if (door->fd >= 0)
        address_write(&door->bound, host, host_size, port);
    return door->fd >= 0;
}

void net_stop_accepting(struct net *net)
{
    listener_stop(net);
}

void net_finish(struct net *net)
{
    assert(!net->finishing);
    net->finishing = true;
    listener_stop(net);
    plain_close_all(net);
    secure_close_all(net);
    uv_close((uv_handle_t *)&net->prepare, NULL);
    uv_close((uv_handle_t *)&net->check, NULL);
    uv_close((uv_handle_t *)&net->sweep, NULL);
    turn_finish(net);
    lws_context_destroy(net->context);
}

void net_free(struct net *net)
{
    lws_context_destroy(net->context);
    lws_set_log_level(LLL_ERR | LLL_WARN, NULL);
    release(net);
}

void net_read_statistics(const struct net *net, struct net_statistics *statistics)
{
    *statistics = net->statistics;
    statistics->addresses = admission_entry_count(net->admission);
}
