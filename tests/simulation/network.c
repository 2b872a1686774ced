/* Connections: frames that take their time, ends that learn late that the other one has gone. */
#include "tests/simulation/parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- frames on their way ---------------------------------------------------------------------------------------- */

static void fifo_init(struct fifo *fifo)
{
    *fifo = (struct fifo){.end = &fifo->first};
}

static struct parcel *fifo_put(struct fifo *fifo, const char *text, size_t length)
{
    struct parcel *parcel = malloc(sizeof *parcel + length + 1);
    parcel->next = NULL;
    parcel->pinged_ms = 0;
    parcel->length = length;
    memcpy(parcel->text, text, length);
    parcel->text[length] = '\0';
    *fifo->end = parcel;
    fifo->end = &parcel->next;
    fifo->count++;
    return parcel;
}

static struct parcel *fifo_take(struct fifo *fifo)
{
    struct parcel *parcel = fifo->first;
    if (!parcel)
        return NULL;
    fifo->first = parcel->next;
    if (!fifo->first)
        fifo->end = &fifo->first;
    fifo->count--;
    return parcel;
}

static void fifo_clear(struct fifo *fifo)
{
    for (struct parcel *parcel; (parcel = fifo_take(fifo));)
        free(parcel);
}

/* --- links --------------------------------------------------------------------------------------------------------- */

struct link *network_find(struct world *world, peer_id peer)
{
    for (int i = 0; i < world->link_count; i++)
        if (world->links[i].peer == peer)
            return &world->links[i];
    return NULL;
}

struct link *network_link_of(struct world *world, int actor)
{
    for (int i = 0; i < world->link_count; i++)
        if (world->links[i].peer && world->links[i].actor == actor && world->links[i].client_there)
            return &world->links[i];
    return NULL;
}

static struct link *free_link(struct world *world)
{
    for (int i = 0; i < LINKS_MAX; i++) {
        if (world->links[i].peer)
            continue;
        if (i == world->link_count)
            world->link_count++;
        return &world->links[i];
    }
    return NULL;
}

static void free_link_if_over(struct world *world, struct link *link)
{
    if (link->client_there || link->server_there)
        return;
    fifo_clear(&link->up);
    fifo_clear(&link->down);
    link->peer = 0;
    while (world->link_count > 0 && !world->links[world->link_count - 1].peer)
        world->link_count--;
}

static struct core *core_of(struct world *world, const struct link *link)
{
    return world->hosts[link->host].core;
}

void network_connect(struct world *world, int index)
{
    struct actor *actor = &world->actors[index];
    struct host *host = &world->hosts[actor->host];
    if (network_link_of(world, index) || actor->retired || host_still(host))
        return;
    struct link *link = free_link(world);
    if (!link)
        return;
    *link = (struct link){.peer = ++world->last_peer,
                          .actor = index,
                          .host = actor->host,
                          .client_there = true,
                          .server_there = true};
    fifo_init(&link->up);
    fifo_init(&link->down);
    trace(world, "actor %d connects to %d as %" PRIu64, index, actor->host, link->peer);
    client_opened(actor->client);
    core_peer_opened(host->core, link->peer, actor->role == ROLE_HOUSE,
                     &(struct core_address){{0}});
}

void network_end_client(struct world *world, struct link *link)
{
    struct actor *actor = &world->actors[link->actor];
    if (!link->client_there)
        return;
    link->client_there = false;
    actor->seeks_cut += actor->seek[0] != '\0';
    actor->broken = actor->joining = actor->moving = false;
    /* Replaced by a newer connection: it is a person who decides to come back. */
    if (link->close_code == 4009 && !world->calm && chance(world, 700))
        actor->retired = true;
    if (link->close_code == 4004 &&
        actor->role == ROLE_HOUSE) /* it is called again when the room wakes */
        actor->retired = true;
    if (actor->role != ROLE_HOUSE && !world->calm)
        actor->host = (int)below(world, (uint64_t)world->host_count);
    client_closed(actor->client);
    fifo_clear(&link->down);
    free_link_if_over(world, link);
}

void network_end_server(struct world *world, struct link *link)
{
    peer_id peer = link->peer;
    if (!link->server_there)
        return;
    link->server_there = false;
    fifo_clear(&link->up);
    core_peer_gone(core_of(world, link), peer);
    free_link_if_over(world, link);
}

void network_end_host(struct world *world, int host)
{
    for (int i = 0; i < LINKS_MAX; i++) {
        struct link *link = &world->links[i];
        if (!link->peer || link->host != host)
            continue;
        link->server_there = false;
        network_end_client(world, link);
        if (link->peer)
            free_link_if_over(world, link);
    }
}

/* What the client has to say goes on its way; sometimes twice. */
void network_flush(struct world *world, struct link *link)
{
    size_t length;
    for (const char *frame;
         (frame = client_next_frame(world->actors[link->actor].client, &length));) {
        times_make(world, link->actor, frame);
        fifo_put(&link->up, frame, length);
        if (!world->calm && chance(world, world->weather.said_twice))
            fifo_put(&link->up, frame, length);
    }
}

/* Its answer comes back the same way, among what else is said. */
void network_ping(struct world *world, struct link *link)
{
    if (link->client_there)
        fifo_put(&link->down, "", 0)->pinged_ms = world->now_ms;
}

void network_deliver(struct link *link, const char *text, size_t length)
{
    fifo_put(&link->down, text, length);
}

/* --- steps ----------------------------------------------------------------------------------------------------------- */

typedef bool fits_link(const struct world *world, const struct link *link);

static struct link *pick_link(struct world *world, fits_link *fits)
{
    struct link *picked = NULL;
    uint64_t count = 0;
    for (int i = 0; i < world->link_count; i++)
        if (world->links[i].peer && fits(world, &world->links[i]) && below(world, ++count) == 0)
            picked = &world->links[i];
    return picked;
}

static bool server_awake(const struct world *world, const struct link *link)
{
    return link->server_there && !host_still(&world->hosts[link->host]);
}

static bool has_up(const struct world *world, const struct link *link)
{
    return link->up.first && server_awake(world, link);
}

static bool has_down(const struct world *world, const struct link *link)
{
    (void)world;
    return link->client_there && link->down.first;
}

static bool is_closing(const struct world *world, const struct link *link)
{
    return link->server_closing && server_awake(world, link);
}

static bool is_half_cut(const struct world *world, const struct link *link)
{
    return !link->client_there && server_awake(world, link);
}

static bool is_whole(const struct world *world, const struct link *link)
{
    return link->client_there && server_awake(world, link);
}

static void say_next(struct world *world, struct link *link)
{
    struct parcel *parcel = fifo_take(&link->up);
    if (parcel->pinged_ms > 0) {
        times_answer(world, link, parcel->pinged_ms);
        core_peer_answered(core_of(world, link), link->peer, link->lag_ms);
        free(parcel);
        return;
    }
    trace(world, "%d says %.120s", link->actor, parcel->text);
    oracle_said(world, link, parcel->text);
    core_peer_said(core_of(world, link), link->peer, parcel->text, parcel->length);
    free(parcel);
}

bool network_step_up(struct world *world)
{
    struct link *link = pick_link(world, has_up);
    if (link)
        say_next(world, link);
    return link;
}

static void hear(struct world *world, struct link *link, const struct parcel *parcel)
{
    struct actor *actor = &world->actors[link->actor];
    if (parcel->pinged_ms > 0) {
        fifo_put(&link->up, "", 0)->pinged_ms = parcel->pinged_ms;
        return;
    }
    trace(world, "%d hears %.120s", link->actor, parcel->text);
    times_hear(world, link, parcel->text);
    client_received(actor->client, parcel->text, parcel->length);
}

bool network_step_down(struct world *world)
{
    struct link *link = pick_link(world, has_down);
    if (!link)
        return false;
    struct parcel *parcel = fifo_take(&link->down);
    hear(world, link, parcel);
    free(parcel);
    network_flush(world, link);
    if (link->filled && link->down.count == 0 && !link->server_closing &&
        server_awake(world, link)) {
        link->filled = false;
        core_peer_drained(core_of(world, link), link->peer);
    }
    if (world->actors[link->actor].broken)
        network_end_client(world, link);
    return true;
}

/* What the core has closed is over for the client once all has been delivered, and the core learns of it. */
bool network_step_close(struct world *world)
{
    struct link *link = pick_link(world, is_closing);
    if (!link || (link->client_there && link->down.first))
        return false;
    network_end_client(world, link);
    network_end_server(world, link);
    return true;
}

bool network_step_notice(struct world *world)
{
    struct link *link = pick_link(world, is_half_cut);
    if (link)
        network_end_server(world, link);
    return link;
}

void network_cut(struct world *world)
{
    struct link *link = pick_link(world, is_whole);
    if (!link)
        return;
    trace(world, "the connection of %d breaks", link->actor);
    while (link->up.first && chance(world, 500))
        say_next(world, link);
    fifo_clear(&link->up);
    network_end_client(world, link);
}

void network_say_garbage(struct world *world)
{
    static const char *const garbage[] = {"{", "[]", "{\"type\":\"what\",\"id\":\"x\"}",
                                          "{\"type\":\"move\",\"id\":\"x\"}", "\xff"};
    struct link *link = pick_link(world, is_whole);
    const char *text = garbage[below(world, 5)];
    if (link)
        fifo_put(&link->up, text, strlen(text));
}
