#include "server/core/follow.h"

#include "engine/memory/memory.h"
#include "server/core/dispatch.h"
#include "server/core/journal.h"
#include "server/core/loading.h"
#include "server/core/publish.h"
#include "server/core/reply.h"
#include "server/core/step.h"

#include <stdlib.h>
#include <string.h>

enum {
    RACES_MAX = 8, /* lost by one command */
    PAUSE_MS_FIRST =
        16, /* after the second race lost, at most; twice as long after each one more, */
    PAUSE_MS_MAX = 512,       /*   up to this */
    SWEEP_MS = 1000,          /* where all that others write is heard: */
    SWEEP_PARTS = 10,         /*   one of so many parts of all rooms */
    SWEEP_ALL_MS = 600,       /* else all: with two questions to the store a second at most */
    FAR_EVENTS = 32,          /* missed: who is here gets one snapshot instead */
    HELD_MAX = 32,            /* events that came too early, of one room */
    HELD_BYTES_MAX = 8 << 20, /* and of all */
};

/* An event that came too early, with its texts. */
struct held_event {
    struct held_event *next;
    size_t bytes;
    int64_t took_ms; /* until it was durable, as its author has told */
    struct store_event event;
    char texts[];
};

/* --- reading what was missed ------------------------------------------------------------------ */

static void hear(struct room *room, int64_t version)
{
    if (version > room->following.heard)
        room->following.heard = version;
}

static void free_first_held(struct core *core, struct following *following)
{
    struct held_event *held = following->held;
    following->held = held->next;
    following->held_count--;
    core->follow.held_bytes -= held->bytes;
    free(held);
}

static bool sweeps(const struct core *core)
{
    const struct follow *follow = &core->follow;
    return (lease_node(core) || follow->in_doubt) && !follow->is_asked && !core->stopping;
}

/* Every hint of every other server comes, or there is no other server. */
static bool hears_all(const struct core *core)
{
    int heard = core->follow.has_bus ? core->follow.neighbours : 0;
    return heard >= core->lease.other_nodes;
}

static uint64_t next_sweep_ms(const struct core *core)
{
    return core->now_ms + (hears_all(core) ? SWEEP_MS : SWEEP_ALL_MS);
}

/* Some room is not as it is believed to be: all are looked at. */
static void doubt(struct core *core)
{
    struct follow *follow = &core->follow;
    if (!sweeps(core))
        follow->sweep_ms = next_sweep_ms(core);
    follow->in_doubt = true;
    follow->is_whole = true;
    follow->hand = 0;
}

/* What waits goes on as if the room were level: whatever it appends finds out, or the next sweep. */
static void give_up(struct core *core, struct room *room)
{
    struct following *following = &room->following;
    bool lost = following->state == FOLLOW_LOST;
    struct command *command = lost ? room_take_first(room) : NULL;
    struct session *session = command ? session_find(core, command->peer) : NULL;
    due_clear(&core->follow.dues, &following->due);
    following->state = FOLLOW_LEVEL;
    following->heard = room->version;
    following->in_doubt = true;
    doubt(core);
    if (session)
        reply_unavailable(core, session, command->message.id, command->message.room);
    command_free(command);
    publish_catch_up_held(core, room);
    dispatch_waiting(core, room);
}

static void ask_for_tail(struct core *core, struct room *room)
{
    struct following *following = &room->following;
    struct ticket *ticket = ticket_new(core, TICKET_TAIL, room->id);
    following->ticket = ticket->number;
    ticket->from = room->version;
    following->is_stale = false;
    if (following->state == FOLLOW_LEVEL)
        following->state = FOLLOW_CATCHING_UP;
    if (ticket_ask(core, ticket,
                   &(struct store_request){
                       .ask = STORE_TAIL, .room = room->id, .from = room->version + 1}))
        return;
    following->ticket = 0;
    give_up(core, room);
}

/* One that is being read was asked for too early. */
static void read_anew(struct core *core, struct room *room)
{
    if (room->following.ticket != 0)
        room->following.is_stale = true;
    else
        ask_for_tail(core, room);
}

static bool take_event(struct core *core, struct room *room, const struct store_event *stored,
                       int64_t took_ms, const struct store_room *row)
{
    struct stepped stepped;
    struct stepper stepper = {.desk = publish_desk_of(core),
                              .room = room,
                              .row = row,
                              .shown_from = stored->version,
                              .acting_from = stored->version,
                              .hash_known = true};
    if (!step_take(&stepper, stored, &stepped))
        return false;
    core->statistics.followed++;
    journal_followed(core, room, &stepped, stored->at_ms + took_ms);
    return true;
}

static bool take_tail(struct core *core, struct room *room, const struct store_answer *answer)
{
    const struct store_room *row = &answer->rooms[0];
    room->epoch = row->epoch;
    room->following.in_doubt = false;
    hear(room, row->version);
    if (row->version - room->version > FAR_EVENTS)
        publish_hold_back(room);
    for (int i = 0; i < answer->event_count; i++) {
        const struct store_event *stored = &answer->events[i];
        if (stored->version > room->version && !take_event(core, room, stored, 0, row))
            return false;
    }
    return true;
}

void follow_answered(struct core *core, const struct ticket *ticket,
                     const struct store_answer *answer)
{
    struct room *room = core_find_room(core, ticket->room);
    if (!room || room->following.ticket != ticket->number)
        return;
    room->following.ticket = 0;
    if (answer->status == STORE_NOT_FOUND) {
        loading_drop(core, room, "it was removed");
    } else if (answer->status != STORE_OK) {
        core->statistics.store_failures++;
        core_log(core, FACT_ERROR, "follow_failed", room->id, answer->words);
        give_up(core, room);
    } else if (answer->rooms[0].version < ticket->from) {
        loading_drop(core, room, "the store has less of it than was heard"); /* a lie, or a loss */
    } else if (room_holds(room)) {
        hear(room, answer->rooms[0].version); /* our own append tells whether that matters */
    } else if (!take_tail(core, room, answer)) {
        loading_drop(core, room, "the log cannot be followed");
    } else {
        if (room->following.is_stale)
            ask_for_tail(core, room);
        follow_go_on(core, room);
    }
}

/* False: the log cannot be followed, and the room has gone. */
static bool take_held(struct core *core, struct room *room)
{
    struct following *following = &room->following;
    bool sound = true;
    while (sound && following->held && following->held->event.version <= room->version + 1) {
        if (following->held->event.version == room->version + 1)
            sound = take_event(core, room, &following->held->event, following->held->took_ms, NULL);
        free_first_held(core, following);
    }
    if (!sound)
        loading_drop(core, room, "the log cannot be followed");
    return sound;
}

/* What we have read in the store and nobody has told: its author may have died before it did. */
static void pass_on(struct core *core, struct room *room)
{
    struct following *following = &room->following;
    if (!core->follow.has_bus || room->loading || room->decision ||
        room->version <= following->told)
        return;
    following->told = room->version;
    core->ports.publish(core->ports.context, &(struct bus_message){.subject = BUS_ROOM,
                                                                   .id = room->id,
                                                                   .version = room->version,
                                                                   .kind = "",
                                                                   .client = "",
                                                                   .command = ""});
}

void follow_go_on(struct core *core, struct room *room)
{
    struct following *following = &room->following;
    if (room->loading || room_holds(room) || !take_held(core, room) || following->ticket != 0)
        return;
    if (room->version < following->heard) {
        core->statistics.gaps++;
        ask_for_tail(core, room);
        return;
    }
    publish_catch_up_held(core, room);
    if (following->due.place > 0)
        return;
    following->state = FOLLOW_LEVEL;
    room->pins++;
    dispatch_waiting(core, room);
    pass_on(core, room);
    room->pins--;
}

/* --- hints ------------------------------------------------------------------------------------ */

static size_t add_text(struct held_event *held, size_t length, const char **copy, const char *text)
{
    size_t size = strlen(text) + 1;
    memcpy(held->texts + length, text, size);
    *copy = held->texts + length;
    return length + size;
}

static struct held_event *held_new(const struct store_event *event, int64_t took_ms)
{
    size_t bytes = strlen(event->kind) + strlen(event->client) + strlen(event->command) +
                   strlen(event->body) + 4;
    struct held_event *held = memory_bytes(sizeof *held + bytes);
    *held = (struct held_event){.bytes = sizeof *held + bytes, .took_ms = took_ms, .event = *event};
    size_t length = add_text(held, 0, &held->event.kind, event->kind);
    length = add_text(held, length, &held->event.client, event->client);
    length = add_text(held, length, &held->event.command, event->command);
    add_text(held, length, &held->event.body, event->body);
    return held;
}

/* Whatever finds no place is read in the store. */
static void hold(struct core *core, struct room *room, const struct store_event *event,
                 int64_t took_ms)
{
    struct following *following = &room->following;
    struct held_event **link = &following->held;
    while (*link && (*link)->event.version < event->version)
        link = &(*link)->next;
    if ((*link && (*link)->event.version == event->version) || following->held_count == HELD_MAX ||
        core->follow.held_bytes > HELD_BYTES_MAX)
        return;
    struct held_event *held = held_new(event, took_ms);
    held->next = *link;
    *link = held;
    following->held_count++;
    core->follow.held_bytes += held->bytes;
}

static bool is_whole(const struct bus_message *message)
{
    return message->kind[0] != '\0' && message->body[0] != '\0';
}

void follow_heard(struct core *core, const struct bus_message *message)
{
    struct room *room = core_find_room(core, message->id);
    if (room && message->version > room->following.told)
        room->following.told = message->version;
    if (!room || message->version <= room->version)
        return;
    const struct store_event event = {.version = message->version,
                                      .at_ms = message->at_ms,
                                      .kind = message->kind,
                                      .client = message->client,
                                      .command = message->command,
                                      .body = message->body};
    hear(room, message->version);
    if (!room->loading && is_whole(message))
        hold(core, room, &event, message->took_ms);
    if (room->version > 0)
        follow_go_on(core, room);
}

/* --- races ------------------------------------------------------------------------------------ */

static uint64_t pause_ms(struct core *core, int races_lost)
{
    uint32_t chance, most = PAUSE_MS_FIRST;
    for (int i = 2; i < races_lost && most < PAUSE_MS_MAX; i++)
        most *= 2;
    core->ports.random(core->ports.context, &chance, sizeof chance);
    return 1 + chance % most;
}

static void judge_again(struct core *core, struct room *room, struct command *command)
{
    room_put_first(room, command);
    room->following.state = FOLLOW_LOST;
    if (command->races_lost > 1)
        due_set(&core->follow.dues, &room->following.due,
                core->now_ms + pause_ms(core, command->races_lost), room);
}

static void refuse(struct core *core, struct command *command)
{
    struct session *session = session_find(core, command->peer);
    if (session)
        reply_unavailable(core, session, command->message.id, command->message.room);
    command_free(command);
}

void follow_lost(struct core *core, struct room *room, struct command *command, int64_t version)
{
    room->pins++;
    hear(room, version);
    if (command && ++command->races_lost > RACES_MAX)
        refuse(core, command);
    else if (command)
        judge_again(core, room, command);
    if (version <= room->version)
        read_anew(core, room);
    follow_go_on(core, room);
    room->pins--;
}

void follow_make_sure(struct core *core, struct room *room, struct command *command)
{
    command->is_sure = true;
    room_put_first(room, command);
    room->following.state = FOLLOW_LOST;
    read_anew(core, room);
}

/* --- sweeping: what no hint has told ---------------------------------------------------------- */

void follow_init(struct core *core)
{
    core->follow.sweep_ms = next_sweep_ms(core);
}

void follow_leaves(struct core *core, struct room *room)
{
    due_clear(&core->follow.dues, &room->following.due);
    while (room->following.held)
        free_first_held(core, &room->following);
}

void follow_release(struct core *core)
{
    dues_release(&core->follow.dues);
}

static bool may_be_behind(const struct room *room)
{
    return !room->loading && room->version > 0 && room->following.ticket == 0;
}

/* Where the last one has ended. What has no place in one question comes with the next one. */
static int list_rooms(struct core *core, struct store_known *known)
{
    int count = 0, most = STORE_KNOWN_MAX;
    size_t part = core->rooms.count / SWEEP_PARTS + 1;
    const struct room *room = NULL;
    if (hears_all(core) && !core->follow.is_whole && part < STORE_KNOWN_MAX)
        most = (int)part;
    while (count < most && (room = map_next(&core->rooms, &core->follow.hand))) {
        if (!may_be_behind(room))
            continue;
        known[count].version = room->version;
        memcpy(known[count++].room, room->id, sizeof room->id);
    }
    if (!room) {
        core->follow.hand = 0;
        core->follow.is_whole = false;
    }
    return count;
}

static void sweep(struct core *core)
{
    struct follow *follow = &core->follow;
    struct store_known known[STORE_KNOWN_MAX];
    if (follow->hand == 0) {
        follow->sweep_ms = next_sweep_ms(core);
        follow->in_doubt = false;
    }
    int count = list_rooms(core, known);
    if (count == 0)
        return;
    follow->is_asked = ticket_ask(
        core, ticket_new(core, TICKET_BEHIND, ""),
        &(struct store_request){.ask = STORE_BEHIND, .known = known, .known_count = count});
    if (!follow->is_asked)
        doubt(core);
}

static void look_at(struct core *core, const struct store_known *known)
{
    struct room *room = core_find_room(core, known->room);
    if (!room || !may_be_behind(room))
        return;
    hear(room, known->version);
    if (known->version == 0 && !room->decision)
        ask_for_tail(core, room);
    else if (room->following.state == FOLLOW_LEVEL)
        follow_go_on(core, room);
}

void follow_swept(struct core *core, const struct store_answer *answer)
{
    core->follow.is_asked = false;
    if (answer->status != STORE_OK)
        doubt(core);
    for (int i = 0; i < answer->known_count; i++)
        look_at(core, &answer->known[i]);
    bool goes_on = !hears_all(core) || core->follow.is_whole;
    if (core->follow.hand != 0 && goes_on && lease_held(core) && !core->stopping)
        sweep(core);
}

void follow_sweep_all(struct core *core)
{
    core->follow.hand = 0;
    core->follow.is_whole = true;
    core->follow.sweep_ms = core->now_ms;
}

/* --- time ------------------------------------------------------------------------------------- */

void follow_time(struct core *core)
{
    struct follow *follow = &core->follow;
    for (const struct due *due; (due = due_first(&follow->dues)) && due->at_ms <= core->now_ms;) {
        struct room *room = due->of;
        due_clear(&follow->dues, &room->following.due);
        follow_go_on(core, room);
    }
    if (!sweeps(core) || core->now_ms < follow->sweep_ms)
        return;
    follow->sweep_ms = next_sweep_ms(core);
    if (lease_held(core))
        sweep(core);
}

uint64_t follow_deadline_ms(const struct core *core)
{
    const struct due *due = due_first(&core->follow.dues);
    uint64_t due_ms = due ? due->at_ms : UINT64_MAX;
    return sweeps(core) && core->follow.sweep_ms < due_ms ? core->follow.sweep_ms : due_ms;
}
