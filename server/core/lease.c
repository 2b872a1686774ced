#include "server/core/lease.h"

#include "engine/memory/memory.h"
#include "server/core/follow.h"
#include "server/core/loading.h"
#include "server/core/parts.h"
#include "server/core/seeking.h"

#include <stdlib.h>
#include <string.h>

enum {
    NODE_SECRET_BYTES = 12,
    NODE_MS =
        3000, /* and at most the lease: so long the store takes us to be there, and a duty is ours */
    SURE_MS = 500, /* an answer comes sooner, unless something is wrong */
    RENEWALS = 3,  /* in the shorter time, so that one may fail */
    MARGIN_PARTS =
        10, /* a tenth of the lease: for clocks that do not run alike, and for what is under way */
    ASK_AGAIN_PARTS = 20 /* after a failure */
};

static void name_node(struct core *core)
{
    unsigned char bytes[NODE_SECRET_BYTES];
    struct lease *lease = &core->lease;
    core->ports.random(core->ports.context, bytes, sizeof bytes);
    lease->node[0] = 'n', lease->node[1] = '_';
    digest_write_base64url(bytes, sizeof bytes, lease->node + 2);
}

void lease_init(struct core *core)
{
    core->lease = (struct lease){.held = core->options.lease_ms == 0, .ask_ms = UINT64_MAX};
    if (core->lease.held)
        return;
    name_node(core);
    core->lease.ask_ms = core->now_ms;
}

bool lease_held(const struct core *core)
{
    return core->lease.held;
}

bool lease_is_sure(const struct core *core)
{
    const struct lease *lease = &core->lease;
    bool waits = lease->asked && core->now_ms > lease->asked_ms + SURE_MS;
    return lease->held && (!lease->node[0] || (!lease->failing && !waits));
}

const char *lease_node(const struct core *core)
{
    return core->lease.node[0] ? core->lease.node : NULL;
}

/* --- asking ----------------------------------------------------------------------------------- */

static uint64_t node_ms(const struct core *core)
{
    return core->options.lease_ms < NODE_MS ? core->options.lease_ms : NODE_MS;
}

static uint64_t without_margin_ms(uint64_t ms)
{
    return ms - ms / MARGIN_PARTS;
}

static void ask(struct core *core)
{
    struct lease *lease = &core->lease;
    struct ticket *ticket = ticket_new(core, TICKET_LEASE, "");
    memcpy(ticket->node, lease->node, sizeof ticket->node);
    lease->asked_ms = core->now_ms;
    lease->ask_ms = core->now_ms + core->options.lease_ms / ASK_AGAIN_PARTS;
    lease->asked = ticket_ask(core, ticket,
                              &(struct store_request){.ask = STORE_LEASE,
                                                      .node = lease->node,
                                                      .place = core->options.place,
                                                      .url = core->options.url,
                                                      .lease_ms = (int64_t)node_ms(core)});
    if (lease->asked)
        lease->ask_ms = UINT64_MAX;
}

/* The rooms of this server, by id: dropping one may end another. */
static size_t list_rooms(const struct core *core, char (**ids)[ROOM_ID_BYTES + 1])
{
    size_t count = 0, cursor = 0;
    *ids = memory_zeroed(core->rooms.count + 1, sizeof **ids);
    for (const struct room *room; (room = map_next(&core->rooms, &cursor));)
        memcpy((*ids)[count++], room->id, sizeof room->id);
    return count;
}

/* A room that is about to be made goes with the one whose rematch it is, if there is such a one. */
static void drop_rooms(struct core *core)
{
    char(*ids)[ROOM_ID_BYTES + 1];
    size_t count = list_rooms(core, &ids);
    for (int made = 1; made >= 0; made--) {
        for (size_t i = 0; i < count; i++) {
            struct room *room = core_find_room(core, ids[i]);
            if (!room || (room->version == 0 && made))
                continue;
            room->epoch = 0; /* whose it is now is not for us to say */
            loading_drop(core, room, NULL);
        }
    }
    free(ids);
}

/* Whoever is in no room, too: here nobody is found who would play. Our own bots have gone with their rooms. */
static void send_away(struct core *core)
{
    size_t cursor = 0;
    for (struct session *session; (session = map_next(&core->sessions, &cursor));)
        if (!session->local)
            session_close(core, session, CLOSE_RESTART, "moved");
}

static void lose(struct core *core)
{
    core_log(core, FACT_ERROR, "lease_lost", "", "the store did not renew it in time");
    core->statistics.leases_lost++;
    core->lease.held = false;
    /* Since when the store has taken nothing is not known; when this lease was asked for it did. */
    timing_store_said(core, STORE_FAILED,
                      core->lease.until_ms - without_margin_ms(core->options.lease_ms));
    drop_rooms(core);
    send_away(core);
    seeking_cut_off(core);
    name_node(core);
    if (!core->lease.asked)
        core->lease.ask_ms = core->now_ms;
}

void lease_time(struct core *core)
{
    struct lease *lease = &core->lease;
    if (!lease->node[0] || lease->left)
        return;
    if (lease->held && core->now_ms >= lease->until_ms)
        lose(core);
    if (core->now_ms >= lease->ask_ms)
        ask(core);
}

uint64_t lease_deadline_ms(const struct core *core)
{
    const struct lease *lease = &core->lease;
    if (!lease->node[0] || lease->left)
        return UINT64_MAX;
    return lease->held && lease->until_ms < lease->ask_ms ? lease->until_ms : lease->ask_ms;
}

/* --- the answer ------------------------------------------------------------------------------- */

enum { CLOCK_STEP_MS = 100 }; /* at most, for each renewal */

/* It was asked at some time between the question and the answer. */
static void keep_clock(struct core *core, int64_t now_ms)
{
    struct lease *lease = &core->lease;
    int64_t under_way_ms = (int64_t)(core->now_ms - lease->asked_ms);
    int64_t off_ms = now_ms - (int64_t)core->now_ms + under_way_ms / 2;
    if (!lease->has_clock) {
        lease->has_clock = true;
        core_set_clock(core, (int64_t)core->now_ms + off_ms);
        lease->asked_ms = core->now_ms - (uint64_t)under_way_ms;
        return;
    }
    if (off_ms > under_way_ms)
        core->offset_ms += off_ms < CLOCK_STEP_MS ? off_ms : CLOCK_STEP_MS;
    if (off_ms < -under_way_ms)
        core->offset_ms += off_ms > -CLOCK_STEP_MS ? off_ms : -CLOCK_STEP_MS;
}

bool lease_is_first(const struct core *core)
{
    const struct lease *lease = &core->lease;
    return !lease->node[0] || (lease->held && core->now_ms < lease->first_until_ms);
}

void lease_answered(struct core *core, const struct ticket *ticket,
                    const struct store_answer *answer)
{
    struct lease *lease = &core->lease;
    uint64_t lease_ms = core->options.lease_ms;
    lease->asked = false;
    if (answer->status != STORE_OK) {
        lease->ask_ms = core->now_ms + lease_ms / ASK_AGAIN_PARTS;
        if (!lease->failing)
            core_log(core, FACT_WARNING, "lease_failed", "", answer->words);
        lease->failing = true;
        return;
    }
    lease->failing = false;
    /* An answer to a node that lost its lease meanwhile, or one that comes too late to be of use: neither for the lease
     * nor for the clock, which would be wrong by half of its way. */
    uint64_t good_ms = without_margin_ms(lease_ms);
    if (strcmp(ticket->node, lease->node) != 0 || core->now_ms >= lease->asked_ms + good_ms) {
        lease->ask_ms = core->now_ms;
        return;
    }
    keep_clock(core, answer->now_ms);
    if (!lease->held)
        timing_store_said(core, STORE_OK, core->now_ms);
    lease->held = true;
    lease->first_until_ms =
        answer->is_first ? lease->asked_ms + without_margin_ms(node_ms(core)) : 0;
    lease->until_ms = lease->asked_ms + good_ms;
    lease->ask_ms = lease->asked_ms + node_ms(core) / RENEWALS;
    bool is_joined = answer->other_nodes > lease->other_nodes;
    lease->other_nodes = answer->other_nodes;
    if (is_joined) { /* by one that may have begun a moment ago */
        lobby_read_soon(core);
        follow_sweep_all(core);
    }
}

/* --- giving up -------------------------------------------------------------------------------- */

static void release(struct core *core, const struct store_turn *turns, int count)
{
    ticket_ask(
        core, ticket_new(core, TICKET_RELEASE, ""),
        &(struct store_request){
            .ask = STORE_RELEASE, .node = lease_node(core), .turns = turns, .turn_count = count});
}

void lease_release(struct core *core, const struct store_turn *turn, int64_t epoch)
{
    bool has_something_to_say = lease_node(core) ? epoch != 0 : turn->version != 0;
    if (has_something_to_say && !core->lease.left)
        release(core, turn, 1);
}

/* A node's rooms are nobody's when it leaves: of those of which there is nothing else to say nothing is said. */
static void release_all(struct core *core)
{
    struct store_turn turns[STORE_KNOWN_MAX];
    size_t cursor = 0;
    int count = 0;
    for (const struct room *room; (room = map_next(&core->rooms, &cursor));) {
        count += room_turn(room, &turns[count]);
        if (count < STORE_KNOWN_MAX)
            continue;
        release(core, turns, count);
        count = 0;
    }
    if (count > 0)
        release(core, turns, count);
}

void lease_leave(struct core *core)
{
    struct lease *lease = &core->lease;
    if (lease->left)
        return;
    lease->left = true;
    release_all(core);
    if (lease_node(core))
        ticket_ask(core, ticket_new(core, TICKET_RELEASE, ""),
                   &(struct store_request){.ask = STORE_LEAVE, .node = lease->node});
}
