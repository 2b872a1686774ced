#include "server/core/watch.h"

#include "server/core/loading.h"
#include "server/core/parts.h"

#include <string.h>

enum {
    WALK_MS = 5000, /* a part of the rooms so often, */
    WALK_PARTS = 2,
    AHEAD_MS = 120000, /* a room in memory is due in so long at the earliest, */
    LEFT_MS = 60000,   /*   and pushed on when less than that is left */
    LOOK_MS = 5000,
    AGAIN_MS = 500, /* there were more than one question takes */
    LOOKED_AT = 32,
    UNREAD_MS = 600000, /* what cannot be brought into memory is tried again then */
};

void watch_init(struct core *core)
{
    core->watch = (struct watch){.walk_ms = core->now_ms, .look_ms = core->now_ms};
}

static bool watches(const struct core *core)
{
    return lease_held(core) && !core->stopping && core->has_secret;
}

/* --- rooms of this server --------------------------------------------------------------------- */

static bool has_to_be_pushed(const struct core *core, const struct room *room)
{
    return !room->loading && room->version > 0 && room->standing.has_clocks &&
           room->standing.status == STATUS_PLAYING &&
           (room->due_stored_ms < core->now_ms + LEFT_MS || timing_stands(core));
}

static uint64_t due_ms(const struct core *core, const struct room *room)
{
    uint64_t left_ms = timing_least_ms(core, room);
    return core->now_ms + (left_ms > AHEAD_MS ? left_ms : AHEAD_MS);
}

static bool push(const struct core *core, struct room *room, struct store_known *known)
{
    if (!has_to_be_pushed(core, room))
        return false;
    room->due_stored_ms = due_ms(core, room);
    known->version = (int64_t)room->due_stored_ms;
    memcpy(known->room, room->id, sizeof room->id);
    return true;
}

/* Whose turn it is in a room where nothing has happened since the last walk: who is quicker costs nothing. */
static bool tell_turn(const struct core *core, struct room *room, struct store_turn *turn)
{
    bool rests = room->turn_walked == room->version;
    room->turn_walked = room->version;
    if (timing_stands(core))
        room->turn_stored = 0;
    if (!rests || room->loading || !room_turn(room, turn))
        return false;
    room->turn_stored = room->version;
    return true;
}

/* Where the store took nothing all of it is told again: so it shows that it takes something, though nobody plays. */
static void walk(struct core *core)
{
    struct store_known known[STORE_KNOWN_MAX];
    struct store_turn turns[STORE_KNOWN_MAX];
    struct watch *watch = &core->watch;
    struct room *room = NULL;
    int due_count = 0, turn_count = 0;
    for (size_t left = core->rooms.count / WALK_PARTS + 1;
         left > 0 && due_count < STORE_KNOWN_MAX && turn_count < STORE_KNOWN_MAX; left--) {
        room = map_next(&core->rooms, &watch->hand);
        if (!room)
            break;
        due_count += push(core, room, &known[due_count]);
        turn_count += tell_turn(core, room, &turns[turn_count]);
    }
    if (!room)
        watch->hand = 0;
    if (due_count == STORE_KNOWN_MAX || turn_count == STORE_KNOWN_MAX)
        watch->walk_ms = core->now_ms + AGAIN_MS;
    if (due_count > 0)
        ticket_ask(core, ticket_new(core, TICKET_RELEASE, ""),
                   &(struct store_request){
                       .ask = STORE_SET_DUE, .known = known, .known_count = due_count});
    if (turn_count > 0)
        ticket_ask(core, ticket_new(core, TICKET_RELEASE, ""),
                   &(struct store_request){
                       .ask = STORE_RELEASE, .turns = turns, .turn_count = turn_count});
}

/* --- rooms of nobody -------------------------------------------------------------------------- */

/* Whoever has its store for itself knows, when it starts, that what was in memory before is in nobody's now. */
static uint64_t until_ms(const struct core *core)
{
    uint64_t pushed_ms = lease_node(core) ? 0 : core->timing.started_ms + AHEAD_MS;
    return pushed_ms > core->now_ms ? pushed_ms : core->now_ms;
}

static void look(struct core *core)
{
    struct ticket *ticket = ticket_new(core, TICKET_DUE, "");
    core->watch.is_asked =
        ticket_ask(core, ticket,
                   &(struct store_request){
                       .ask = STORE_DUE, .from = (int64_t)until_ms(core), .to = LOOKED_AT});
}

/* Nobody has asked for it: the server pays. */
static void bring(struct core *core, const char *id)
{
    const struct core_address ours = {{0}};
    struct account *account = account_of(&core->accounts, &ours, core->now_ms);
    loading_begin(core, id, account);
    account_let_go(&core->accounts, account, core->now_ms);
}

/* One that cannot be read does not stand in the way of the others. */
static void take_on(struct core *core, const struct store_answer *answer)
{
    struct store_known later[STORE_DUE_MAX];
    int count = 0;
    for (int i = 0; i < answer->known_count; i++) {
        struct room *room = core_find_room(core, answer->known[i].room);
        if (room) {
            room->due_stored_ms = 0; /* it is pushed with the others */
            continue;
        }
        later[count] = answer->known[i];
        later[count++].version = (int64_t)(core->now_ms + UNREAD_MS);
        bring(core, answer->known[i].room);
    }
    if (count > 0)
        ticket_ask(
            core, ticket_new(core, TICKET_RELEASE, ""),
            &(struct store_request){.ask = STORE_SET_DUE, .known = later, .known_count = count});
}

void watch_answered(struct core *core, const struct store_answer *answer)
{
    struct watch *watch = &core->watch;
    watch->is_asked = false;
    watch->look_ms = core->now_ms + LOOK_MS;
    if (answer->status != STORE_OK || !watches(core))
        return;
    if (answer->known_count == LOOKED_AT)
        watch->look_ms = core->now_ms + AGAIN_MS;
    take_on(core, answer);
}

/* --- time ------------------------------------------------------------------------------------- */

void watch_time(struct core *core)
{
    struct watch *watch = &core->watch;
    if (core->now_ms >= watch->walk_ms) {
        watch->walk_ms = core->now_ms + WALK_MS;
        if (watches(core))
            walk(core);
    }
    if (core->now_ms >= watch->look_ms) {
        watch->look_ms = core->now_ms + LOOK_MS;
        if (watches(core) && !watch->is_asked && lease_is_first(core))
            look(core);
    }
}

uint64_t watch_deadline_ms(const struct core *core)
{
    const struct watch *watch = &core->watch;
    return watch->walk_ms < watch->look_ms ? watch->walk_ms : watch->look_ms;
}
