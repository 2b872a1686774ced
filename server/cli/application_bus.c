#include "server/cli/application_bus.h"

#include "server/cli/application_core.h"

#include <stdio.h>
#include <string.h>

enum { TOKEN_TEXT_BYTES = 44, DATABASE_LETTERS = 20, NODE_RANDOM_BYTES = 9 };

static void say_how_we_are(struct application *application, const char *state)
{
    const struct bus_message message = {
        .subject = BUS_NODE,
        .id = application->node,
        .state = state,
        .release = SENET_VERSION,
        .load = (int64_t)net_peer_count(application->net),
    };
    if (bus_is_up(application->bus))
        bus_publish(application->bus, &message);
}

void application_announce(struct application *application)
{
    const char *state = "serving";
    if (application->stage == FINISHING)
        state = "bye";
    else if (!core_serves(application->core))
        state = "leaving";
    else if (application->stage == DRAINING)
        state = "draining";
    say_how_we_are(application, state);
}

static void tell_of_neighbours(struct application *application)
{
    size_t count = neighbours_count(&application->neighbours, uv_now(&application->loop));
    core_neighbours(application_told_the_time(application), (int)count);
}

static void on_announce(uv_timer_t *timer)
{
    struct application *application = timer->data;
    application_announce(application);
    tell_of_neighbours(application);
}

static void on_arrived(void *context, const struct bus_message *message)
{
    struct application *application = context;
    if (message->subject == BUS_NODE) {
        neighbours_heard(&application->neighbours, message, uv_now(&application->loop));
        tell_of_neighbours(application);
        /* What it has written since it was lost it could not tell. */
        if (strcmp(message->state, "back") == 0)
            core_missed(application_told_the_time(application));
    }
    core_heard(application_told_the_time(application), message);
}

static void on_missed(void *context)
{
    core_missed(application_told_the_time(context));
}

static void on_changed(void *context, bool up, const char *words)
{
    struct application *application = context;
    if (up)
        log_text(application->log, LOG_LEVEL_INFO, "bus_up", "node", application->node);
    else
        log_text(application->log, LOG_LEVEL_WARNING, "bus_down", "message", words);
    core_bus_changed(application_told_the_time(application), up);
    /* Others come back later than we do, and until they have said so they tell nothing of what they write. */
    application->neighbours = (struct neighbours){0};
    tell_of_neighbours(application);
    say_how_we_are(application, "back");
}

bool application_open_bus(struct application *application, char *words, size_t words_size)
{
    const struct config *config = application->config;
    const struct bus_ports ports = {application, on_arrived, on_missed, on_changed};
    const struct bus_options options = {
        .url = config->bus,
        .credentials = config->bus_credentials,
        .ca = config->bus_ca,
        .certificate = config->bus_certificate,
        .key = config->bus_key,
    };
    application->bus = bus_open(&application->loop, &options, &ports, words, words_size);
    return application->bus != NULL;
}

/* Of letters and digits, whatever base64 is made of. */
static void name_node(char node[BUS_NAME_BYTES + 1])
{
    unsigned char bytes[NODE_RANDOM_BYTES];
    application_random(NULL, bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(node + 2 * i, 3, "%02x", bytes[i]);
}

void application_join_bus(struct application *application)
{
    char token[TOKEN_TEXT_BYTES];
    uv_timer_init(&application->loop, &application->announce);
    application->announce.data = application;
    name_node(application->node);
    core_token_for(application->core, "bus", "database", token);
    token[DATABASE_LETTERS] = '\0';
    bus_join(application->bus, token, application->node);
    if (application->config->bus[0] == '\0')
        return;
    uv_timer_start(&application->announce, on_announce, NEIGHBOUR_SAYS_EVERY_MS,
                   NEIGHBOUR_SAYS_EVERY_MS);
}

void application_close_bus(struct application *application)
{
    bus_close(application->bus, NULL, NULL);
    application->bus = NULL;
    if (application->announce.data != NULL)
        uv_close((uv_handle_t *)&application->announce, NULL);
}
