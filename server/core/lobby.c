#include "server/core/lobby.h"

#include "engine/memory/memory.h"
#include "server/core/parts.h"
#include "server/core/seeking.h"
#include "server/core/standing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPLACE_KEY_LOBBY = 1 }; /* rooms' keys are their serial numbers, which begin above */

/* One room of the list, written already. */
struct lobby_room {
    char id[ROOM_ID_BYTES + 1];
    struct link abandoned_link; /* in lobby->abandoned while none of its players is there */
    uint64_t abandoned_ms;
    enum store_room_status status;
    uint64_t created_at_ms;
    char *json; /* owned */
    size_t length;
};

void lobby_init(struct lobby *lobby, struct hash_key hash_key)
{
    *lobby = (struct lobby){.changed = false};
    map_init(&lobby->rooms, hash_key);
    list_init(&lobby->subscribers);
    list_init(&lobby->abandoned);
}

static void lobby_room_free(struct lobby_room *room)
{
    free(room->json);
    free(room);
}

void lobby_release(struct lobby *lobby)
{
    size_t cursor = 0;
    for (struct lobby_room *room; (room = map_next(&lobby->rooms, &cursor));)
        lobby_room_free(room);
    map_release(&lobby->rooms);
    free(lobby->shown);
}

static void mark_changed(struct lobby *lobby)
{
    free(lobby->shown);
    lobby->shown = NULL;
    lobby->changed = true;
}

/* --- one room --------------------------------------------------------------------------------- */

static void write_room(struct writer *writer, const struct store_room *room)
{
    static const char *const words[] = {"waiting", "playing", "finished"};
    writer_object(writer);
    writer_key(writer, "room");
    writer_string(writer, room->id);
    writer_key(writer, "game");
    writer_string(writer, room->game);
    writer_key(writer, "title");
    writer_string(writer, room->title);
    writer_key(writer, "status");
    writer_string(writer, words[room->status]);
    writer_key(writer, "players");
    writer_raw(writer, room->players, strlen(room->players));
    writer_key(writer, "seats");
    writer_object(writer);
    for (int i = 0; i < room->seat_count; i++) {
        writer_key(writer, room->seats[i].seat);
        writer_string(writer, room->seats[i].name);
    }
    writer_end(writer);
    writer_key(writer, "created_at");
    writer_integer(writer, room->created_at_ms);
    writer_end(writer);
}

static void forget(struct lobby *lobby, const char *id)
{
    struct lobby_room *room = map_find(&lobby->rooms, id, strlen(id));
    if (!room)
        return;
    map_remove(&lobby->rooms, id, strlen(id));
    list_remove(&room->abandoned_link);
    lobby_room_free(room);
    mark_changed(lobby);
}

/* Waiting ones first, then the newest: the order everybody sees, and the last is the first to go.
 */
static int compare(const void *left, const void *right)
{
    const struct lobby_room *a = *(struct lobby_room *const *)left;
    const struct lobby_room *b = *(struct lobby_room *const *)right;
    if (a->status != b->status)
        return a->status < b->status ? -1 : 1;
    if (a->created_at_ms != b->created_at_ms)
        return a->created_at_ms > b->created_at_ms ? -1 : 1;
    return strcmp(a->id, b->id);
}

static void forget_last(struct lobby *lobby)
{
    struct lobby_room *last = NULL;
    size_t cursor = 0;
    for (struct lobby_room *room; (room = map_next(&lobby->rooms, &cursor));)
        if (!last || compare(&room, &last) > 0)
            last = room;
    forget(lobby, last->id);
}

static struct lobby_room *find(const struct lobby *lobby, const char *id)
{
    return map_find(&lobby->rooms, id, strlen(id));
}

static struct lobby_room *add(struct lobby *lobby, const char *id)
{
    if (lobby->rooms.count == LOBBY_KEPT_MAX)
        forget_last(lobby);
    struct lobby_room *room = memory_zeroed(1, sizeof *room);
    snprintf(room->id, sizeof room->id, "%s", id);
    map_put(&lobby->rooms, room->id, strlen(room->id), room);
    return room;
}

/* Says nothing to anybody where nothing is new. */
static struct lobby_room *keep(struct lobby *lobby, const struct store_room *row)
{
    struct lobby_room *room = find(lobby, row->id);
    struct writer writer;
    size_t length;
    writer_init(&writer);
    write_room(&writer, row);
    char *json = writer_take(&writer, &length);
    writer_release(&writer);
    if (room && room->length == length && memcmp(room->json, json, length) == 0) {
        free(json);
        return room;
    }
    if (!room)
        room = add(lobby, row->id);
    free(room->json);
    room->json = json;
    room->length = length;
    room->status = row->status;
    room->created_at_ms = (uint64_t)row->created_at_ms;
    mark_changed(lobby);
    return room;
}

/* --- rooms of other servers --------------------------------------------------------------------- */

static bool listed(const struct lobby_room *room, const struct store_room *rooms, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(rooms[i].id, room->id) == 0)
            return true;
    return false;
}

/* Not in the list, and nobody here knows better. */
static struct lobby_room *find_stale(const struct core *core, const struct store_room *rooms,
                                     int count)
{
    size_t cursor = 0;
    for (struct lobby_room *room; (room = map_next(&core->lobby.rooms, &cursor));)
        if (!link_listed(&room->abandoned_link) && !core_find_room(core, room->id) &&
            !listed(room, rooms, count))
            return room;
    return NULL;
}

/* One player with all the seats, on one screen. */
static bool is_of_one(const struct store_room *row)
{
    bool same = row->status == STORE_PLAYING && row->seat_count > 1;
    for (int i = 1; same && i < row->seat_count; i++)
        same = strcmp(row->seats[i].player, row->seats[0].player) == 0;
    return same;
}

void lobby_refresh(struct core *core, const struct store_room *rooms, int count)
{
    struct lobby *lobby = &core->lobby;
    for (struct lobby_room *room; (room = find_stale(core, rooms, count));)
        forget(lobby, room->id);
    for (int i = 0; i < count; i++)
        if (!core_find_room(core, rooms[i].id) && !is_of_one(&rooms[i]))
            keep(lobby, &rooms[i]);
}

void lobby_forget(struct core *core, const char *room)
{
    forget(&core->lobby, room);
}

/* --- rooms of ours ------------------------------------------------------------------------------ */

/* One player with all the seats, on one screen: nobody else is wanted there. */
static bool is_for_one(const struct room *room)
{
    const struct standing *standing = &room->standing;
    return standing->seat_count > 1 && standing->seats[0].taken &&
           standing_seats_of(standing, &standing->seats[0].holder) == standing_all_seats(standing);
}

/* Whoever sat there has gone, and has not just lost the connection. */
static bool was_left(const struct room *room)
{
    bool taken = false;
    for (int i = 0; i < room->standing.seat_count; i++)
        taken |= room->standing.seats[i].taken;
    return room->version > 1 && !taken;
}

static void set_abandoned(struct core *core, struct lobby_room *room, bool abandoned)
{
    if (abandoned == link_listed(&room->abandoned_link))
        return;
    list_remove(&room->abandoned_link);
    if (!abandoned)
        return;
    room->abandoned_ms = core->now_ms;
    list_append(&core->lobby.abandoned, &room->abandoned_link, room);
}

static struct store_room row_of(const struct room *room)
{
    struct store_room row = {.id = room->id,
                             .game = room->game,
                             .title = game_title(room->edition->game),
                             .status = (enum store_room_status)room->standing.status,
                             .created_at_ms = (int64_t)room->created_at_ms,
                             .players = room->edition->players_text};
    for (int i = 0; i < room->standing.seat_count; i++)
        if (room->standing.seats[i].taken)
            row.seats[row.seat_count++] = (struct store_seat){.seat = room->edition->seat_names[i],
                                                              .name = room->standing.seats[i].name};
    return row;
}

/* A new room has its time of grace as if its maker had been there until now. */
void lobby_note(struct core *core, const struct room *room)
{
    struct lobby *lobby = &core->lobby;
    if (!room->edition || !room->is_public)
        return;
    if (room->standing.status == STATUS_FINISHED || is_for_one(room) || was_left(room)) {
        forget(lobby, room->id);
        return;
    }
    bool there = room->players > 0;
    bool is_new = core->now_ms < room->created_at_ms + LOBBY_GRACE_MS;
    if (!there && !is_new && !find(lobby, room->id))
        return;
    const struct store_room row = row_of(room);
    set_abandoned(core, keep(lobby, &row), !there);
}

static uint64_t abandoned_deadline_ms(const struct lobby *lobby)
{
    const struct lobby_room *room = list_first(&lobby->abandoned);
    return room ? room->abandoned_ms + LOBBY_GRACE_MS : UINT64_MAX;
}

void lobby_forget_abandoned(struct core *core)
{
    while (core->now_ms >= abandoned_deadline_ms(&core->lobby))
        forget(&core->lobby, ((struct lobby_room *)list_first(&core->lobby.abandoned))->id);
}

/* --- the list --------------------------------------------------------------------------------- */

static void write_list(const struct lobby *lobby, struct writer *writer)
{
    struct lobby_room *sorted[LOBBY_KEPT_MAX];
    size_t count = 0, cursor = 0;
    for (struct lobby_room *room; (room = map_next(&lobby->rooms, &cursor));)
        sorted[count++] = room;
    qsort(sorted, count, sizeof(struct lobby_room *), compare);
    writer_array(writer);
    for (size_t i = 0; i < count && i < LOBBY_SHOWN_MAX; i++)
        writer_raw(writer, sorted[i]->json, sorted[i]->length);
    writer_end(writer);
}

static void refresh(struct lobby *lobby)
{
    struct writer list;
    if (lobby->shown)
        return;
    writer_init(&list);
    write_list(lobby, &list);
    lobby->shown = writer_take(&list, &lobby->shown_length);
    writer_release(&list);
}

void lobby_write(const struct lobby *lobby, struct writer *writer)
{
    if (lobby->shown)
        writer_raw(writer, lobby->shown, lobby->shown_length);
    else
        write_list(lobby, writer);
}

/* --- subscribers ------------------------------------------------------------------------------ */

bool lobby_subscribe(struct core *core, struct session *session, struct text command)
{
    struct ticket *ticket = ticket_new(core, TICKET_MINE, "");
    ticket->peer = session->peer;
    ticket->account = account_hold(session->account);
    text_copy(command, ticket->command, sizeof ticket->command);
    return ticket_ask(
        core, ticket,
        &(struct store_request){.ask = STORE_PLAYER_ROOMS, .player = session->identity.player});
}

/* Who comes from within wants his own rooms, and does not stay. */
void lobby_answer(struct core *core, struct session *session, const char *command,
                  const struct store_room *mine, int count)
{
    struct writer *writer = &core->writer;
    refresh(&core->lobby);
    writer_clear(writer);
    writer_object(writer);
    writer_key(writer, "type");
    writer_string(writer, "lobby");
    writer_key(writer, "re");
    writer_string(writer, command);
    writer_key(writer, "rooms");
    if (session->local)
        writer_array(writer), writer_end(writer);
    else
        lobby_write(&core->lobby, writer);
    writer_key(writer, "seeks");
    seeking_write(core, writer);
    writer_key(writer, "mine");
    writer_array(writer);
    for (int i = 0; i < count; i++)
        write_room(writer, &mine[i]);
    writer_end(writer);
    writer_end(writer);
    session_send_written(core, session);
    if (session->stage == SESSION_KNOWN && !session->local)
        list_append(&core->lobby.subscribers, &session->lobby_link, session);
}

void lobby_unsubscribe(struct session *session)
{
    list_remove(&session->lobby_link);
    session->lobby_lagging = false;
}

static struct frame *lobby_frame(struct core *core)
{
    struct writer *writer = &core->writer;
    refresh(&core->lobby);
    writer_clear(writer);
    writer_object(writer);
    writer_key(writer, "type");
    writer_string(writer, "lobby");
    writer_key(writer, "rooms");
    lobby_write(&core->lobby, writer);
    writer_key(writer, "seeks");
    seeking_write(core, writer);
    writer_end(writer);
    struct frame *frame = frame_new(writer->data, writer->length);
    frame->replace_key = REPLACE_KEY_LOBBY;
    writer_clear(writer);
    return frame;
}

void lobby_drained(struct core *core, struct session *session)
{
    if (!session->lobby_lagging)
        return;
    struct frame *frame = lobby_frame(core);
    session->lobby_lagging = !session_offer(core, session, frame);
    frame_release(frame);
}

static uint64_t tell_deadline_ms(const struct core *core)
{
    if (!core->lobby.changed || !list_first(&core->lobby.subscribers))
        return UINT64_MAX;
    return core->lobby.told_ms + LOBBY_INTERVAL_MS;
}

uint64_t lobby_deadline_ms(const struct core *core)
{
    uint64_t abandoned_ms = abandoned_deadline_ms(&core->lobby), tell_ms = tell_deadline_ms(core);
    return abandoned_ms < tell_ms ? abandoned_ms : tell_ms;
}

void lobby_tell(struct core *core)
{
    struct lobby *lobby = &core->lobby;
    if (core->now_ms < tell_deadline_ms(core))
        return;
    struct frame *frame = lobby_frame(core);
    for (struct link *link = lobby->subscribers.ends.next; link != &lobby->subscribers.ends;
         link = link->next) {
        struct session *session = link->owner;
        if (!session->lobby_lagging)
            session->lobby_lagging = !session_offer(core, session, frame);
    }
    frame_release(frame);
    lobby->changed = false;
    lobby->told_ms = core->now_ms;
}
