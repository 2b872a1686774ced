/* Who is there: not an event, and the newest says all that those before did. */
#include "server/core/publish.h"

#include "server/core/parts.h"

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

static struct frame *presence_frame(struct core *core, const struct room *room)
{
    struct writer *writer = &core->writer;
    uint32_t connected = connected_to(room);
    writer_clear(writer);
    writer_object(writer);
    writer_member_string(writer, "type", "presence");
    writer_member_string(writer, "room", room->id);
    writer_member_integer(writer, "spectators", room->spectators);
    writer_key(writer, "connected");
    writer_array(writer);
    for (int i = 0; i < room->standing.seat_count; i++)
        if (connected >> i & 1)
            writer_string(writer, room->edition->seat_names[i]);
    writer_end(writer);
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

static void publish_presence(struct core *core, struct room *room)
{
    uint32_t connected = connected_to(room);
    if (room->spectators == room->spectators_shown && connected == room->connected_shown)
        return;
    struct frame *frame = presence_frame(core, room);
    for (int i = 0; i < room->attached_count; i++)
        tell(core, room->attached[i], frame);
    frame_release(frame);
    room->spectators_shown = room->spectators;
    room->connected_shown = connected;
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
