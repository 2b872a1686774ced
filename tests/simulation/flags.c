/* Flags at rest: nobody moves any more, nothing fails, and whoever's clock runs has a flag that falls. */
#include "tests/simulation/clocks.h"
#include "tests/simulation/parts.h"

#include <inttypes.h>
#include <string.h>

enum {
    /* A flag falls later than the clock is over: by what is given back of a way (7 s at most), by what a server is waited for that
     * may have gone, and as clocks are wrong. */
    LATE_MS = 60 * 1000,
    LATE_PARTS = 100,
    /* A room that is in nobody's memory is due within ten minutes, or when a clock may run out (server/core/watch.c); and then the
     * turn begins anew where its server has crashed. */
    FOUND_MS = 610 * 1000,
};

static bool may_fall(const struct kept_room *room)
{
    return room->status == STORE_PLAYING && strstr(room->events[0].body, "\"clock\"") != NULL;
}

/* Who is there keeps the room in a server's memory, since he was shown how it stands; UINT64_MAX: nobody is. */
static uint64_t attended_since_ms(struct world *world, const struct kept_room *room)
{
    uint64_t since_ms = UINT64_MAX;
    for (int i = 0; i < world->actor_count; i++) {
        const struct actor *actor = &world->actors[i];
        const char *its = client_room(actor->client);
        if (its && strcmp(its, room->id) == 0 && network_link_of(world, i) &&
            client_ready(actor->client) && actor->heard_ms < since_ms)
            since_ms = actor->heard_ms;
    }
    return since_ms;
}

/* Of whoever is to move; where nobody says who that is, of whoever has most. */
static uint64_t left_ms(const struct world *world, const struct kept_room *room,
                        struct clocks *clocks)
{
    int64_t most_ms = 0;
    const char *to_move = oracle_to_move(world, room->id, room->version);
    for (int i = 0; i < room->seat_count; i++)
        clocks_seat(clocks, room->seats[i].seat);
    for (int i = 0; i < clocks->count; i++) {
        bool may_be = !to_move || strcmp(to_move, clocks->seats[i].seat) == 0;
        int64_t its_ms = clocks_left_ms(&clocks->seats[i]);
        most_ms = may_be && its_ms > most_ms ? its_ms : most_ms;
    }
    return (uint64_t)most_ms;
}

static uint64_t later(uint64_t one_ms, uint64_t other_ms)
{
    return one_ms > other_ms ? one_ms : other_ms;
}

/* Before there was rest clocks may have stood, or turns begun anew, for any time. */
static uint64_t falls_by_ms(struct world *world, const struct kept_room *room)
{
    struct clocks clocks;
    if (!clocks_work_out(&clocks, room))
        return 0;
    uint64_t left = left_ms(world, room, &clocks);
    uint64_t since_ms = later(clocks.began->decided_ms, world->rested_ms);
    uint64_t found_ms = since_ms + later(left, FOUND_MS);
    uint64_t attended_ms = later(attended_since_ms(world, room), since_ms);
    clocks_release(&clocks);
    return (attended_ms < found_ms ? attended_ms : found_ms) + left + left / LATE_PARTS + LATE_MS;
}

uint64_t flags_next_ms(struct world *world)
{
    uint64_t next_ms = 0;
    for (int i = 0; i < world->store.room_count; i++) {
        const struct kept_room *room = &world->store.rooms[i];
        uint64_t by_ms = may_fall(room) ? falls_by_ms(world, room) : 0;
        if (by_ms > 0 && by_ms < world->now_ms)
            violate(world, "nobody's flag has fallen in %s until %" PRIu64 ", %" PRIu64 " ms ago",
                    room->id, by_ms, world->now_ms - by_ms);
        next_ms = by_ms > 0 && (next_ms == 0 || by_ms < next_ms) ? by_ms : next_ms;
    }
    return next_ms;
}

bool flags_awaited(const struct world *world)
{
    for (int i = 0; i < world->store.room_count; i++)
        if (may_fall(&world->store.rooms[i]))
            return true;
    return false;
}
