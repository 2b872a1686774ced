/* Who is there: not an event, and the newest says all that those before did. */
#include "server/core/publish.h"

#include "engine/memory/memory.h"
#include "server/core/absence.h"
#include "server/core/parts.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROUND_MS = 1000,
    ROUND_PARTS = 5, /* so each room is told of every five seconds */
    KEPT_MS = 15000, /* of who is in a room at a server that says nothing more */
    SERVERS_MAX = 16,
};

static void add(const struct attachment *attachment, int by)
{
    struct room *room = attachment->room;
    uint32_t seats = attachment->counted_seats;
    room->spectators += seats == 0 ? by : 0;
    room->players += seats != 0 && !attachment->session->local ? by : 0;
    for (int i = 0; i < STATE_SEATS_MAX; i++)
        room->connections[i] += seats >> i & 1 ? by : 0;
}

void presence_forget(struct attachment *attachment)
{
    if (attachment->counted)
        add(attachment, -1);
    attachment->counted = false;
}

void presence_count(struct attachment *attachment)
{
    presence_forget(attachment);
    if (attachment->session->stage == SESSION_CLOSED)
        return;
    attachment->counted = true;
    attachment->counted_seats = attachment->seats;
    add(attachment, 1);
}

static uint32_t connected_to(const struct room *room)
{
    uint32_t connected = 0;
    for (int i = 0; i < STATE_SEATS_MAX; i++)
        connected |= room->connections[i] > 0 ? UINT32_C(1) << i : 0;
    return connected;
}

uint32_t presence_connected(const struct room *room)
{
    uint32_t connected = connected_to(room);
    for (const struct elsewhere *other = room->elsewhere; other; other = other->next)
        connected |= other->seats;
    return connected;
}

static int spectators_anywhere(const struct room *room)
{
    int spectators = room->spectators;
    for (const struct elsewhere *other = room->elsewhere; other; other = other->next)
        spectators += other->spectators;
    return spectators;
}

/* How long it is until the others may claim the game. */
static void write_absent(struct core *core, const struct room *room)
{
    struct writer *writer = &core->writer;
    uint32_t absent = absence_seats(core, room);
    if (absent == 0)
        return;
    writer_key(writer, "absent");
    writer_object(writer);
    for (int i = 0; i < room->standing.seat_count; i++)
        if (absent >> i & 1)
            writer_member_integer(writer, room->edition->seat_names[i],
                                  (int64_t)absence_left_ms(core, room, i));
    writer_end(writer);
}

static struct frame *presence_frame(struct core *core, const struct room *room)
{
    struct writer *writer = &core->writer;
    uint32_t connected = presence_connected(room);
    writer_clear(writer);
    writer_object(writer);
    writer_member_string(writer, "type", "presence");
    writer_member_string(writer, "room", room->id);
    writer_member_integer(writer, "spectators", spectators_anywhere(room));
    writer_key(writer, "connected");
    writer_array(writer);
    for (int i = 0; i < room->standing.seat_count; i++)
        if (connected >> i & 1)
            writer_string(writer, room->edition->seat_names[i]);
    writer_end(writer);
    write_absent(core, room);
    if (room->standing.has_clocks &&
        standing_to_move(&room->standing, room->position) != PLAYER_NONE)
        writer_member_integer(writer, "turn_ms", timing_spent_ms(core, room));
    writer_end(writer);
    struct frame *frame = frame_new(writer->data, writer->length);
    frame->replace_key = room->serial;
    writer_clear(writer);
    return frame;
}

/* Nobody lags for it: whoever cannot take it now is told how things are when there is room again. */
static void tell(struct core *core, struct attachment *attachment, struct frame *frame)
{
    attachment->presence_missed =
        attachment->lagging || !session_offer(core, attachment->session, frame);
}

void publish_presence_to(struct core *core, struct attachment *attachment)
{
    absence_note(core, attachment->room);
    struct frame *frame = presence_frame(core, attachment->room);
    tell(core, attachment, frame);
    frame_release(frame);
}

/* Each of those who are told costs a write: where very many are, they come and go all the time, and are told less often. */
static uint64_t rest_ms(const struct room *room)
{
    return room->attached_count < PRESENCE_REST_MS_MAX ? (uint64_t)room->attached_count
                                                       : PRESENCE_REST_MS_MAX;
}

void publish_presence_later(struct core *core, struct room *room)
{
    absence_note(core, room);
    if (link_listed(&room->presence_link))
        return;
    uint64_t rested_ms = room->presence_sent_ms + rest_ms(room);
    room->presence_due_ms = core->now_ms + PRESENCE_INTERVAL_MS;
    if (room->presence_due_ms < rested_ms)
        room->presence_due_ms = rested_ms;
    if (!list_first(&core->presence) || room->presence_due_ms < core->presence_due_ms)
        core->presence_due_ms = room->presence_due_ms;
    list_append(&core->presence, &room->presence_link, room);
}

/* --- other servers ------------------------------------------------------------------------------ */

/* `newcomer`: whose seats are held here from now on; or NULL. */
static void tell_others(struct core *core, struct room *room, const struct attachment *newcomer)
{
    if (!core->follow.has_bus || core->stopping) /* whoever goes now does not go by himself */
        return;
    room->spectators_told = room->spectators;
    room->connected_told = connected_to(room);
    struct bus_message message = {.subject = BUS_HERE,
                                  .id = room->id,
                                  .spectators = room->spectators_told,
                                  .seats = room->connected_told};
    if (newcomer) {
        message.client = newcomer->session->identity.player;
        message.at_ms = (int64_t)newcomer->seated_ms;
    }
    core->ports.publish(core->ports.context, &message);
}

void presence_took_seat(struct core *core, const struct attachment *attachment)
{
    if (!attachment->session->local)
        tell_others(core, attachment->room, attachment);
}

static struct elsewhere *find_server(struct room *room, const char *node)
{
    int count = 0;
    for (struct elsewhere *other = room->elsewhere; other; other = other->next, count++)
        if (strcmp(other->node, node) == 0)
            return other;
    if (count == SERVERS_MAX)
        return NULL;
    struct elsewhere *other = memory_zeroed(1, sizeof *other);
    memcpy(other->node, node, strlen(node) + 1);
    other->next = room->elsewhere;
    room->elsewhere = other;
    return other;
}

struct elsewhere *presence_at(struct core *core, struct room *room, const char *node)
{
    struct elsewhere *other = find_server(room, node);
    if (other)
        other->until_ms = core->now_ms + KEPT_MS;
    return other;
}

static void replace(struct core *core, struct room *room, const char *player, int64_t at_ms)
{
    for (int i = 0; i < room->attached_count; i++) {
        struct attachment *attachment = room->attached[i];
        if (attachment->seats == 0 || attachment->session->local ||
            (int64_t)attachment->seated_ms >= at_ms ||
            strcmp(attachment->session->identity.player, player) != 0)
            continue;
        session_close(core, attachment->session, CLOSE_REPLACED, "replaced by a newer connection");
        attachment->seats = 0;
    }
}

void presence_heard(struct core *core, const struct bus_message *message)
{
    struct room *room = core_find_room(core, message->id);
    if (!room || room->loading || strlen(message->node) > BUS_NAME_BYTES ||
        !outage_serves(core, message->node))
        return;
    if (message->client[0] != '\0')
        tell_others(core, room, NULL); /* who has just come to them has perhaps been here */
    struct elsewhere *other = presence_at(core, room, message->node);
    if (other) {
        bool fits =
            message->spectators >= 0 && message->spectators <= INT32_MAX / (2 * SERVERS_MAX);
        outage_seen(core, room, other, (uint32_t)message->seats);
        other->spectators = fits ? (int)message->spectators : 0;
        other->seats = (uint32_t)message->seats;
        other->presumed = 0;
        publish_presence_later(core, room);
    }
    if (message->client[0] != '\0')
        replace(core, room, message->client, message->at_ms);
}

static void forget_silent(struct core *core, struct room *room)
{
    for (struct elsewhere **link = &room->elsewhere; *link;) {
        struct elsewhere *other = *link;
        if (core->now_ms < other->until_ms) {
            link = &other->next;
            continue;
        }
        outage_forgotten(core, room, other);
        *link = other->next;
        free(other);
        timing_changed(core, room);
        publish_presence_later(core, room);
    }
}

void presence_time(struct core *core)
{
    if (core->now_ms < presence_deadline_ms(core))
        return;
    core->presence_round_ms = core->now_ms + ROUND_MS;
    for (size_t left = core->rooms.count / ROUND_PARTS + 1; left > 0; left--) {
        struct room *room = map_next(&core->rooms, &core->presence_hand);
        if (!room) {
            core->presence_hand = 0;
            return;
        }
        forget_silent(core, room);
        absence_note(core, room);
        absence_event(core, room);
        if (room->spectators > 0 || connected_to(room) != 0)
            tell_others(core, room, NULL);
    }
}

uint64_t presence_deadline_ms(const struct core *core)
{
    return lease_node(core) ? core->presence_round_ms : UINT64_MAX;
}

static void publish_presence(struct core *core, struct room *room)
{
    uint32_t connected = presence_connected(room), absent = absence_seats(core, room);
    int spectators = spectators_anywhere(room);
    if (room->spectators != room->spectators_told || connected_to(room) != room->connected_told)
        tell_others(core, room, NULL);
    if (spectators == room->spectators_shown && connected == room->connected_shown &&
        absent == room->absent_shown && !room->pause.is_new)
        return;
    struct frame *frame = presence_frame(core, room);
    for (int i = 0; i < room->attached_count; i++)
        tell(core, room->attached[i], frame);
    frame_release(frame);
    room->spectators_shown = spectators;
    room->connected_shown = connected;
    room->absent_shown = absent;
    room->pause.is_new = false;
    room->presence_sent_ms = core->now_ms;
}

void publish_presence_due(struct core *core)
{
    if (core->now_ms < core->presence_due_ms)
        return;
    core->presence_due_ms = UINT64_MAX;
    for (struct link *link = core->presence.ends.next, *next; link != &core->presence.ends;
         link = next) {
        struct room *room = link->owner;
        next = link->next;
        if (core->now_ms < room->presence_due_ms) {
            if (room->presence_due_ms < core->presence_due_ms)
                core->presence_due_ms = room->presence_due_ms;
            continue;
        }
        list_remove(link);
        lobby_note(core, room);
        publish_presence(core, room);
    }
}
