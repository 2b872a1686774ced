/* What servers tell each other: lost, doubled, late and out of order; for a while there is no bus at all, or one of them is cut off
 * from it and does not know. */
#include "tests/simulation/parts.h"

#include <stdlib.h>
#include <string.h>

enum { RUMOURS_MAX = 100, OUT_OF_ORDER = 4, SAYS_MS = 1000 };

struct rumour {
    struct rumour *next;
    struct bus_message message; /* its texts are its own */
};

static char *own(const char *text)
{
    return strdup(text ? text : "");
}

static struct rumour *rumour_new(const struct bus_message *message)
{
    struct rumour *rumour = calloc(1, sizeof *rumour);
    rumour->message = *message;
    rumour->message.id = own(message->id);
    rumour->message.node = own(message->node);
    rumour->message.kind = own(message->kind);
    rumour->message.client = own(message->client);
    rumour->message.command = own(message->command);
    rumour->message.body = own(message->body);
    return rumour;
}

static void rumour_free(struct rumour *rumour)
{
    const struct bus_message *message = &rumour->message;
    const char *const texts[] = {message->id,     message->node,    message->kind,
                                 message->client, message->command, message->body};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free((char *)texts[i]);
    free(rumour);
}

static void send_to(struct host *host, const struct bus_message *message)
{
    struct rumour **end = &host->rumours;
    if (host->rumour_count == RUMOURS_MAX) {
        host->missed = true;
        return;
    }
    while (*end)
        end = &(*end)->next;
    *end = rumour_new(message);
    host->rumour_count++;
}

/* As the bus does, it names who says it. */
void bus_say(struct host *from, const struct bus_message *said)
{
    struct world *world = from->world;
    struct bus_message named = *said;
    const struct bus_message *message = &named;
    named.node = from->bus_name;
    if (said->subject == BUS_SEEK)
        world->report->promises += strcmp(said->kind, "yes") == 0;
    for (int i = 0; i < world->host_count && world->bus_up && !from->cut_off; i++) {
        struct host *host = &world->hosts[i];
        if (host == from || host->cut_off ||
            (!world->calm && chance(world, world->weather.rumours_lost)))
            continue;
        send_to(host, message);
        if (chance(world, world->weather.rumours_lost))
            send_to(host, message);
    }
}

static bool hear(struct host *host)
{
    struct rumour **link = &host->rumours;
    if (!*link || host_still(host))
        return false;
    for (uint64_t skip = below(host->world, OUT_OF_ORDER); skip > 0 && (*link)->next; skip--)
        link = &(*link)->next;
    struct rumour *rumour = *link;
    *link = rumour->next;
    host->rumour_count--;
    core_time(host->core,
              host_look_at_clock(host)); /* a loop that has stood still looks at its clock first */
    core_heard(host->core, &rumour->message);
    rumour_free(rumour);
    if (host->missed)
        core_missed(host->core);
    host->missed = false;
    return true;
}

bool bus_step(struct world *world)
{
    int first = (int)below(world, (uint64_t)world->host_count);
    for (int i = 0; i < world->host_count; i++)
        if (hear(&world->hosts[(first + i) % world->host_count]))
            return true;
    return false;
}

void bus_crash(struct host *host)
{
    while (host->rumours) {
        struct rumour *rumour = host->rumours;
        host->rumours = rumour->next;
        rumour_free(rumour);
    }
    host->rumour_count = 0;
    host->missed = false;
}

/* Each says every second that it is there. */
void bus_say_who_is_there(struct world *world)
{
    for (int i = 0; i < world->host_count; i++) {
        struct host *host = &world->hosts[i];
        if (host_still(host) || world->now_ms < host->says_ms)
            continue;
        host->says_ms = world->now_ms + SAYS_MS;
        bus_say(host,
                &(struct bus_message){.subject = BUS_NODE,
                                      .id = host->name,
                                      .state = core_serves(host->core) ? "serving" : "leaving"});
    }
}

void bus_tell_of_neighbours(struct host *host)
{
    struct world *world = host->world;
    int count = 0;
    for (int i = 0; i < world->host_count && world->bus_up && !host->cut_off; i++)
        count += i != host->index && !world->hosts[i].cut_off;
    core_neighbours(host->core, count);
}

static void tell_all_of_neighbours(struct world *world)
{
    for (int i = 0; i < world->host_count; i++)
        bus_tell_of_neighbours(&world->hosts[i]);
}

static void cut_one_off(struct world *world)
{
    struct host *host = &world->hosts[below(world, (uint64_t)world->host_count)];
    host->cut_off = !host->cut_off;
    trace(world, "%s is cut off from the bus: %d", host->name, host->cut_off);
    tell_all_of_neighbours(world);
}

/* What is on its way comes all the same. */
void bus_flip(struct world *world)
{
    if (!world->has_bus)
        return;
    if (chance(world, 500)) {
        cut_one_off(world);
        return;
    }
    world->bus_up = !world->bus_up;
    trace(world, "the bus is %s", world->bus_up ? "up" : "down");
    for (int i = 0; i < world->host_count; i++)
        core_bus_changed(world->hosts[i].core, world->bus_up);
    tell_all_of_neighbours(world);
}

void bus_rest(struct world *world)
{
    for (int i = 0; i < world->host_count; i++)
        world->hosts[i].cut_off = false;
    tell_all_of_neighbours(world);
}
