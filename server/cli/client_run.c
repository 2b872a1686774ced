#include "server/cli/client_run.h"

#include "protocol/client.h"
#include "server/net/dial.h"

#include <uv.h>

struct run {
    struct client *client;
    bool (*is_over)(const struct client *client);
    uv_loop_t loop;
    uv_timer_t reconnect;
    struct dial *dial;
    bool over;
    int code;
};

static void finish(struct run *run, int code)
{
    run->over = true;
    run->code = code;
    uv_stop(&run->loop);
}

static void on_opened(void *context)
{
    struct run *run = context;
    client_opened(run->client);
}

static void on_received(void *context, const char *text, size_t length)
{
    struct run *run = context;
    client_received(run->client, text, length);
    if (run->is_over(run->client))
        finish(run, 0);
    else if (client_is_broken(run->client))
        dial_hang_up(run->dial);
    dial_wants_to_send(run->dial);
}

static const char *on_next_frame(void *context, size_t *length)
{
    struct run *run = context;
    return client_next_frame(run->client, length);
}

static void on_reconnect(uv_timer_t *timer)
{
    struct run *run = timer->data;
    dial_connect(run->dial);
}

static void on_closed(void *context, int code, const char *reason)
{
    struct run *run = context;
    (void)reason;
    client_closed(run->client);
    if (run->over)
        return;
    if (client_returns_after(code))
        uv_timer_start(&run->reconnect, on_reconnect, client_reconnect_delay_ms(run->client), 0);
    else
        finish(run, code);
}

int client_run(struct client *client, const char *url, bool (*is_over)(const struct client *client))
{
    struct run run = {.client = client, .is_over = is_over};
    const struct dial_events events = {.context = &run,
                                       .opened = on_opened,
                                       .received = on_received,
                                       .closed = on_closed,
                                       .next_frame = on_next_frame};
    struct dial_address address;
    if (url == NULL || !dial_address_read(url, &address))
        return -1;
    uv_loop_init(&run.loop);
    uv_timer_init(&run.loop, &run.reconnect);
    run.reconnect.data = &run;
    run.dial = dial_new(&run.loop, &address, &events);
    dial_connect(run.dial);
    uv_run(&run.loop, UV_RUN_DEFAULT); /* which takes note of uv_stop, also of one before */
    uv_close((uv_handle_t *)&run.reconnect, NULL);
    dial_free(run.dial);
    uv_run(&run.loop, UV_RUN_DEFAULT);
    uv_loop_close(&run.loop);
    return run.code;
}
