/* Who looked for somebody: nobody was found twice, and nobody is left who might play. */
#include "tests/simulation/parts.h"

#include <stdio.h>
#include <string.h>

static bool is_of_seeks(const struct kept_room *room)
{
    const struct kept_event *first = &room->events[0];
    return first->client[0] == '\0' && room->seat_count > 0 &&
           !strstr(first->body, "previous_room");
}

/* Rooms that were made of a player's seeks. He may not have heard of one if his connection was cut, or if nobody knew what became of
 * an append. */
static void check_found_once(struct world *world, const char *player)
{
    int rooms = 0, heard = 0;
    for (int i = 0; i < world->store.room_count; i++) {
        const struct kept_room *room = &world->store.rooms[i];
        rooms += is_of_seeks(room) && strstr(room->events[0].body, player) != NULL;
    }
    for (int i = 0; i < world->actor_count; i++) {
        const struct actor *actor = &world->actors[i];
        const char *its = client_player(actor->client);
        if (its && strcmp(its, player) == 0)
            heard += actor->seeks_found + actor->seeks_cut;
    }
    if (rooms > heard + (int)world->report->unknowns)
        violate(world, "%s was found %d times and has heard of %d", player, rooms, heard);
}

static const struct link *waiting_link(struct world *world, const struct said *said)
{
    const struct link *link =
        strcmp(said->what, "seek") == 0 && said->peer ? network_find(world, said->peer) : NULL;
    bool waits = link && link->server_there && link->client_there && !link->server_closing &&
                 strcmp(world->actors[said->actor].seek, said->id) == 0;
    return waits ? link : NULL;
}

/* Nobody waits for somebody who is there: two who look for the same are found, at one server or, with a bus, at any. */
static void check_paired(struct world *world, const struct said *one, const struct said *other)
{
    const struct link *here = waiting_link(world, one), *there = waiting_link(world, other);
    if (!here || !there || one->actor == other->actor)
        return;
    const char *mine = client_player(world->actors[one->actor].client);
    const char *theirs = client_player(world->actors[other->actor].client);
    bool meet = here->host == there->host || world->bus_up;
    bool alike = one->sought == SOUGHT_TWO
                     ? other->sought == SOUGHT_TWO || other->sought == SOUGHT_TWO_RED
                     : one->sought == SOUGHT_RATED && other->sought == SOUGHT_RATED;
    if (meet && alike && mine && theirs && strcmp(mine, theirs) != 0)
        violate(world, "%s of %s and %s of %s look for the same", one->id, mine, other->id, theirs);
}

void seeks_look_at_all(struct world *world)
{
    for (int i = 0; i < world->actor_count; i++)
        if (client_player(world->actors[i].client))
            check_found_once(world, client_player(world->actors[i].client));
    for (int i = 0; i < SAID_BUCKETS; i++)
        for (const struct said *one = world->said[i]; one; one = one->next)
            for (int j = 0; j < SAID_BUCKETS && waiting_link(world, one); j++)
                for (const struct said *other = world->said[j]; other; other = other->next)
                    check_paired(world, one, other);
}
