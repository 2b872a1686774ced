#include "server/core/lobby.h"

#include "engine/memory/memory.h"
#include "server/core/ladder.h"
#include "server/core/parts.h"
#include "server/core/seeking.h"
#include "server/core/standing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    REPLACE_KEY_LOBBY = 1, /* rooms' keys are their serial numbers, which begin above */
    ROUND_MS = 1000,
    ROUND_PARTS = 5, /* so each room is told of every five seconds */
    KEPT_MS = 15000, /* a room that another server has named, whatever the store says */
    READ_MS = 1000,
    READ_MS_SELDOM = 10000, /* with a bus, or where nobody else was */
    ROW_BYTES_MAX = 8192,   /* of another server */
};

/* One room of the list, written already. */
struct lobby_room {
    char id[ROOM_ID_BYTES + 1];
    struct link abandoned_link; /* in lobby->abandoned while none of its players is there */
    uint64_t abandoned_ms;
    bool is_ours;
    uint64_t heard_ms; /* another server has named it last; 0: none has */
    enum store_room_status status;
    uint64_t created_at_ms;
    char *json; /* owned */
    size_t length;
};

void lobby_init(struct lobby *lobby, struct hash_key hash_key)
{
    *lobby = (struct lobby){.was_alone = true};
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

/* Where programs sit; not a word where none does. */
static void write_bots(struct writer *writer, const struct store_room *room)
{
    bool any = false;
    for (int i = 0; i < room->seat_count; i++) {
        if (!room->seats[i].bot)
            continue;
        if (!any) {
            writer_key(writer, "bots");
            writer_array(writer);
        }
        any = true;
        writer_string(writer, room->seats[i].seat);
    }
    if (any)
        writer_end(writer);
}

static void write_members(struct writer *writer, const struct store_room *room)
{
    static const char *const words[] = {"waiting", "playing", "finished"};
    writer_key(writer, "room");
    writer_string(writer, room->id);
    writer_key(writer, "game");
    writer_string(writer, room->game);
    writer_key(writer, "title");
    writer_string(writer, room->title);
    writer_key(writer, "status");
    writer_string(writer, words[room->status]);
    if (room->ladder)
        writer_member_string(writer, "rated", ladder_speed_word(room->ladder));
    writer_key(writer, "players");
    writer_raw(writer, room->players, strlen(room->players));
    writer_key(writer, "seats");
    writer_object(writer);
    for (int i = 0; i < room->seat_count; i++) {
        writer_key(writer, room->seats[i].seat);
        writer_string(writer, room->seats[i].name);
    }
    writer_end(writer);
    write_bots(writer, room);
    writer_key(writer, "created_at");
    writer_integer(writer, room->created_at_ms);
}

static void write_room(struct writer *writer, const struct store_room *room)
{
    writer_object(writer);
    write_members(writer, room);
    writer_end(writer);
}

/* Whose turn it is: what is in memory, if it is not older than the row; else what was said when it left. */
static void write_turn(struct core *core, const struct store_room *row)
{
    const struct room *room = core_find_room(core, row->id);
    const char *to_move = row->to_move;
    if (room && room->version >= row->version) {
        player_index seat = room_to_move(room);
        to_move = seat == PLAYER_NONE ? NULL : room->edition->seat_names[seat];
    }
    if (to_move)
        writer_member_string(&core->writer, "to_move", to_move);
}

/* A room of the session's player. */
static void write_mine(struct core *core, const struct session *session,
                       const struct store_room *room)
{
    struct writer *writer = &core->writer;
    writer_object(writer);
    write_members(writer, room);
    writer_key(writer, "yours");
    writer_array(writer);
    for (int i = 0; i < room->seat_count; i++)
        if (strcmp(room->seats[i].player, session->identity.player) == 0)
            writer_string(writer, room->seats[i].seat);
    writer_end(writer);
    write_turn(core, room);
    writer_end(writer);
}

static struct lobby_room *find(const struct lobby *lobby, const char *id)
{
    return map_find(&lobby->rooms, id, strlen(id));
}

static bool forget(struct lobby *lobby, const char *id)
{
    struct lobby_room *room = find(lobby, id);
    if (!room)
        return false;
    map_remove(&lobby->rooms, id, strlen(id));
    list_remove(&room->abandoned_link);
    lobby_room_free(room);
    mark_changed(lobby);
    return true;
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

static struct lobby_room *add(struct lobby *lobby, const char *id)
{
    if (lobby->rooms.count == LOBBY_KEPT_MAX)
        forget_last(lobby);
    struct lobby_room *room = memory_zeroed(1, sizeof *room);
    snprintf(room->id, sizeof room->id, "%s", id);
    map_put(&lobby->rooms, room->id, strlen(room->id), room);
    return room;
}

/* A room as it is listed. */
struct listed {
    const char *id;
    enum store_room_status status;
    int64_t created_at_ms;
    char *json; /* taken */
    size_t length;
};

/* Says nothing to anybody where nothing is new, and gives NULL. */
static struct lobby_room *keep_json(struct lobby *lobby, const struct listed *listed)
{
    struct lobby_room *room = find(lobby, listed->id);
    if (room && room->length == listed->length &&
        memcmp(room->json, listed->json, listed->length) == 0) {
        free(listed->json);
        return NULL;
    }
    if (!room)
        room = add(lobby, listed->id);
    free(room->json);
    room->json = listed->json;
    room->length = listed->length;
    room->status = listed->status;
    room->created_at_ms = (uint64_t)listed->created_at_ms;
    mark_changed(lobby);
    return room;
}

static struct lobby_room *keep(struct lobby *lobby, const struct store_room *row)
{
    struct listed listed = {
        .id = row->id, .status = row->status, .created_at_ms = row->created_at_ms};
    struct writer writer;
    writer_init(&writer);
    write_room(&writer, row);
    listed.json = writer_take(&writer, &listed.length);
    writer_release(&writer);
    return keep_json(lobby, &listed);
}

/* --- rooms of other servers --------------------------------------------------------------------- */

static bool listed(const struct lobby_room *room, const struct store_room *rooms, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(rooms[i].id, room->id) == 0)
            return true;
    return false;
}

static bool plays_here(const struct core *core, const char *id)
{
    const struct room *room = core_find_room(core, id);
    return room && room->players > 0;
}

static bool is_known_here(const struct core *core, const struct lobby_room *room)
{
    return room->is_ours &&
           (link_listed(&room->abandoned_link) || core_find_room(core, room->id) != NULL);
}

static bool was_named(const struct core *core, const struct lobby_room *room)
{
    return room->heard_ms > 0 && core->now_ms < room->heard_ms + KEPT_MS;
}

/* Not in the list, and nobody knows better. */
static struct lobby_room *find_stale(const struct core *core, const struct store_room *rooms,
                                     int count)
{
    size_t cursor = 0;
    for (struct lobby_room *room; (room = map_next(&core->lobby.rooms, &cursor));)
        if (!is_known_here(core, room) && !was_named(core, room) && !listed(room, rooms, count))
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

static void refresh_from(struct core *core, const struct store_room *rooms, int count)
{
    struct lobby *lobby = &core->lobby;
    for (struct lobby_room *room; (room = find_stale(core, rooms, count));)
        forget(lobby, room->id);
    for (int i = 0; i < count; i++) {
        const struct lobby_room *room = find(lobby, rooms[i].id);
        bool is_newer = room && (is_known_here(core, room) || room->heard_ms >= lobby->asked_ms);
        if (!is_newer && !core_find_room(core, rooms[i].id) && !is_of_one(&rooms[i]))
            keep(lobby, &rooms[i]);
    }
}

void lobby_read(struct core *core, const struct store_answer *answer)
{
    struct lobby *lobby = &core->lobby;
    lobby->is_asked = false;
    if (answer->status == STORE_OK)
        refresh_from(core, answer->rooms, answer->room_count);
    else
        core_log(core, FACT_ERROR, "lobby_failed", "", answer->words);
}

void lobby_read_soon(struct core *core)
{
    core->lobby.read_ms = core->now_ms;
}

/* Rooms of others are looked for among all there are: not where there are no others, nor were any the last time. */
static void ask(struct core *core)
{
    struct lobby *lobby = &core->lobby;
    bool is_alone = core->lease.other_nodes == 0, was_alone = lobby->was_alone;
    lobby->asked_ms = core->now_ms;
    bool is_seldom = core->follow.has_bus || is_alone;
    lobby->read_ms = core->now_ms + (is_seldom ? READ_MS_SELDOM : READ_MS);
    lobby->was_alone = is_alone;
    if (is_alone && was_alone) {
        refresh_from(core, NULL, 0);
        return;
    }
    lobby->is_asked =
        ticket_ask(core, ticket_new(core, TICKET_LOBBY, ""),
                   &(struct store_request){.ask = STORE_OPEN_ROOMS, .node = lease_node(core)});
}

/* `room` NULL: it is listed no more. */
static void tell_others(struct core *core, const char *id, const struct lobby_room *room)
{
    struct bus_message message = {.subject = BUS_LOBBY, .id = id, .body = ""};
    if (!core->follow.has_bus)
        return;
    if (room) {
        message.version = room->status;
        message.at_ms = (int64_t)room->created_at_ms;
        message.body = room->json;
    }
    core->ports.publish(core->ports.context, &message);
}

static void forget_and_tell(struct core *core, const char *id)
{
    const struct lobby_room *room = find(&core->lobby, id);
    bool is_ours = room && room->is_ours;
    forget(&core->lobby, id);
    if (is_ours)
        tell_others(core, id, NULL);
}

static void tell_again(struct core *core)
{
    struct lobby *lobby = &core->lobby;
    lobby->round_ms = core->now_ms + ROUND_MS;
    for (size_t left = lobby->rooms.count / ROUND_PARTS + 1; left > 0; left--) {
        const struct lobby_room *room = map_next(&lobby->rooms, &lobby->hand);
        if (!room) {
            lobby->hand = 0;
            return;
        }
        if (is_known_here(core, room))
            tell_others(core, room->id, room);
    }
}

static bool is_sound(const struct bus_message *message)
{
    size_t length = strlen(message->body);
    return room_id_fits(strlen(message->id)) && length <= ROW_BYTES_MAX &&
           message->version <= STORE_PLAYING && message_is_object(message->body, length);
}

void lobby_heard(struct core *core, const struct bus_message *message)
{
    struct lobby *lobby = &core->lobby;
    if (plays_here(core, message->id))
        return;
    if (message->body[0] == '\0') {
        forget(lobby, message->id);
        return;
    }
    if (!is_sound(message))
        return;
    struct listed listed = {.id = message->id,
                            .status = (enum store_room_status)message->version,
                            .created_at_ms = message->at_ms,
                            .length = strlen(message->body)};
    listed.json = memory_bytes(listed.length + 1);
    memcpy(listed.json, message->body, listed.length + 1);
    keep_json(lobby, &listed);
    struct lobby_room *room = find(lobby, message->id);
    room->heard_ms = core->now_ms;
    room->is_ours = false;
    list_remove(&room->abandoned_link);
}

void lobby_forget(struct core *core, const char *room)
{
    forget_and_tell(core, room);
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

/* `ladder` has room for its name. */
static struct store_room row_of(const struct room *room, char ladder[STORE_LADDER_BYTES + 1])
{
    struct store_room row = {.id = room->id,
                             .game = room->game,
                             .title = game_facts(room->edition->game)->title,
                             .status = (enum store_room_status)room->standing.status,
                             .created_at_ms = (int64_t)room->created_at_ms,
                             .players = room->edition->players_text};
    if (room->standing.rated) {
        ladder_of(room->game, &room->standing, ladder);
        row.ladder = ladder;
    }
    for (int i = 0; i < room->standing.seat_count; i++) {
        const struct seat *seat = &room->standing.seats[i];
        if (seat->taken)
            row.seats[row.seat_count++] = (struct store_seat){.seat = room->edition->seat_names[i],
                                                              .name = seat->name,
                                                              .bot = seat->as == PLAYER_BOT};
    }
    return row;
}

static bool is_somebody_there(const struct room *room)
{
    const struct elsewhere *other = room->elsewhere;
    while (other && other->seats == 0)
        other = other->next;
    return room->players > 0 || other;
}

/* A new room has its time of grace as if its maker had been there until now. */
void lobby_note(struct core *core, const struct room *room)
{
    struct lobby *lobby = &core->lobby;
    if (!room->edition || !room->is_public)
        return;
    if (room->standing.status == STATUS_FINISHED || is_for_one(room) || was_left(room)) {
        forget_and_tell(core, room->id);
        return;
    }
    bool there = is_somebody_there(room);
    bool is_new = core->now_ms < room->created_at_ms + LOBBY_GRACE_MS;
    if (!there && !is_new && !find(lobby, room->id))
        return;
    char ladder[STORE_LADDER_BYTES + 1];
    const struct store_room row = row_of(room, ladder);
    bool is_changed = keep(lobby, &row) != NULL;
    struct lobby_room *listed = find(lobby, room->id);
    is_changed |= !listed->is_ours;
    listed->is_ours = true;
    set_abandoned(core, listed, !there);
    if (is_changed)
        tell_others(core, room->id, listed);
}

static uint64_t abandoned_deadline_ms(const struct lobby *lobby)
{
    const struct lobby_room *room = list_first(&lobby->abandoned);
    return room ? room->abandoned_ms + LOBBY_GRACE_MS : UINT64_MAX;
}

static void forget_abandoned(struct core *core)
{
    char id[ROOM_ID_BYTES + 1];
    while (core->now_ms >= abandoned_deadline_ms(&core->lobby)) {
        const struct lobby_room *room = list_first(&core->lobby.abandoned);
        memcpy(id, room->id, sizeof id);
        forget_and_tell(core, id);
    }
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

bool lobby_subscribe(struct core *core, struct session *session, struct text command, int from)
{
    struct ticket *ticket = ticket_new(core, TICKET_MINE, "");
    ticket->peer = session->peer;
    ticket->account = account_hold(session->account);
    text_copy(command, ticket->command, sizeof ticket->command);
    return ticket_ask(core, ticket,
                      &(struct store_request){.ask = STORE_PLAYER_ROOMS,
                                              .player = session->identity.player,
                                              .from = from});
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
        write_mine(core, session, &mine[i]);
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

static bool is_among_others(const struct core *core)
{
    return lease_node(core) && lease_held(core) && !core->stopping;
}

static uint64_t others_deadline_ms(const struct core *core)
{
    const struct lobby *lobby = &core->lobby;
    if (!is_among_others(core))
        return UINT64_MAX;
    return lobby->is_asked || lobby->round_ms < lobby->read_ms ? lobby->round_ms : lobby->read_ms;
}

uint64_t lobby_deadline_ms(const struct core *core)
{
    uint64_t abandoned_ms = abandoned_deadline_ms(&core->lobby), tell_ms = tell_deadline_ms(core),
             others_ms = others_deadline_ms(core);
    uint64_t ours_ms = abandoned_ms < tell_ms ? abandoned_ms : tell_ms;
    return ours_ms < others_ms ? ours_ms : others_ms;
}

static void look_at_others(struct core *core)
{
    struct lobby *lobby = &core->lobby;
    if (!is_among_others(core))
        return;
    if (core->now_ms >= lobby->round_ms)
        tell_again(core);
    if (core->now_ms >= lobby->read_ms && !lobby->is_asked)
        ask(core);
}

static void tell(struct core *core)
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

void lobby_time(struct core *core)
{
    look_at_others(core);
    forget_abandoned(core);
    tell(core);
}
