#include "server/core/publish.h"

#include "server/core/parts.h"
#include "server/core/pgn.h"
#include "server/core/view.h"

#include <stdlib.h>
#include <string.h>

static void write_text(struct writer *writer, const char *key, const char *text)
{
    writer_key(writer, key);
    writer_string(writer, text);
}

static void write_integer(struct writer *writer, const char *key, int64_t value)
{
    writer_key(writer, key);
    writer_integer(writer, value);
}

static void write_hash(struct writer *writer, uint32_t hash)
{
    char text[STATE_HASH_DIGITS + 1];
    state_hash_text(hash, text);
    write_text(writer, "hash", text);
}

static void write_legal_moves(const struct publish_desk *desk, const struct edition *edition,
                              const struct position *position)
{
    writer_key(desk->writer, "legal_moves");
    view_write_legal_moves(desk->writer, edition, position, CELL_NONE, desk->moves);
}

struct publish_desk publish_desk_of(struct core *core)
{
    return (struct publish_desk){
        &core->writer, {core->cells[0], core->cells[1]}, core->catalogue.moves};
}

static bool must_act(const struct room *room, uint32_t seats)
{
    player_index to_move = standing_to_move(&room->standing, room->position);
    return to_move != PLAYER_NONE && seats >> to_move & 1;
}

/* --- events ----------------------------------------------------------------------------------- */

static void write_event_head(struct writer *writer, const struct room *room,
                             const struct publish_step *step)
{
    writer_clear(writer);
    writer_object(writer);
    write_text(writer, "type", "event");
    write_text(writer, "room", room->id);
    write_integer(writer, "version", step->version);
    write_text(writer, "kind", event_kind_word(step->event->kind));
    write_integer(writer, "at", (int64_t)step->at_ms);
    event_write_members(step->event, writer);
    if (step->event->kind != EVENT_MOVED)
        return;
    writer_key(writer, "text");
    view_write_move_text(writer, room->edition, step->position_before, step->position_after,
                         step->after->last);
}

/* Both frames have the same beginning, so the one for all is the other without its last member. */
static void write_frames(const struct publish_desk *desk, const struct edition *edition,
                         const struct publish_step *step, struct publish_frames *frames)
{
    struct writer *writer = desk->writer;
    size_t length = writer->length;
    if (!step->for_all_only && standing_to_move(step->after, step->position_after) != PLAYER_NONE) {
        write_legal_moves(desk, edition, step->position_after);
        writer_end(writer);
        frames->acting = frame_new(writer->data, writer->length);
        writer->data[length] = '}';
        frames->common = frame_new(writer->data, length + 1);
    } else {
        writer_end(writer);
        frames->common = frame_new(writer->data, writer->length);
    }
    writer_clear(writer);
}

struct publish_frames publish_encode(const struct publish_desk *desk, const struct room *room,
                                     const struct publish_step *step)
{
    struct state before, after;
    struct publish_frames frames = {NULL, NULL, 0};
    struct writer *writer = desk->writer;
    struct view was = {step->before, step->position_before, &before, desk->cells[0]};
    struct view is = {step->after, step->position_after, &after, desk->cells[1]};
    if (step->version == 1) { /* the first event has no state before it */
        view_fill(&after, desk->cells[1], room->edition, step->after, step->position_after);
        frames.hash = state_hash(&after);
    }
    view_fill_difference(&was, &is, room->edition);
    if (step->version > 1)
        frames.hash = state_hash_patched(step->hash_before, &before, &after);
    write_event_head(writer, room, step);
    writer_key(writer, "patch");
    state_write_patch(&before, &after, writer);
    write_hash(writer, frames.hash);
    write_frames(desk, room->edition, step, &frames);
    return frames;
}

static void deliver(struct core *core, struct attachment *attachment, struct frame *frame)
{
    if (attachment->lagging || session_offer(core, attachment->session, frame))
        return;
    if (attachment->seats != 0)
        session_close(core, attachment->session, CLOSE_TOO_SLOW, "too slow: come back and resume");
    else
        attachment->lagging = true;
}

void publish_event(struct core *core, struct room *room, const struct decision *decision)
{
    player_index to_move = standing_to_move(&room->standing, room->position);
    uint32_t acting = to_move == PLAYER_NONE ? 0 : UINT32_C(1) << to_move;
    for (int i = 0; i < room->attached_count; i++) {
        struct attachment *attachment = room->attached[i];
        bool acts = (attachment->seats & acting) && decision->acting;
        deliver(core, attachment, acts ? decision->acting : decision->common);
    }
}

bool publish_has_since(const struct room *room, int64_t version)
{
    return version == room->version ||
           (version < room->version && recent_find(&room->recent, version + 1));
}

void publish_since(struct core *core, struct attachment *attachment, int64_t version)
{
    struct room *room = attachment->room;
    bool acts = must_act(room, attachment->seats) && room->last_acting;
    while (++version <= room->version) {
        bool last = version == room->version;
        deliver(core, attachment,
                last && acts ? room->last_acting : recent_find(&room->recent, version));
    }
}

char *publish_chat_line(const struct event *event, uint64_t at_ms, int64_t version)
{
    struct writer writer;
    writer_init(&writer);
    writer_object(&writer);
    write_integer(&writer, "at", (int64_t)at_ms);
    event_write_members(event, &writer);
    write_integer(&writer, "version", version);
    writer_end(&writer);
    char *text = writer_take(&writer, NULL);
    writer_release(&writer);
    return text;
}

/* --- snapshots -------------------------------------------------------------------------------- */

static void write_game(struct writer *writer, const struct room *room)
{
    writer_key(writer, "game");
    writer_object(writer);
    write_text(writer, "id", room->game);
    write_text(writer, "title", game_title(room->edition->game));
    write_text(writer, "description", game_description(room->edition->game));
    if (pgn_has(room->edition->game)) {
        writer_key(writer, "pgn");
        writer_boolean(writer, true);
    }
    writer_end(writer);
}

static const char *seat_word(const struct room *room, uint32_t seats)
{
    if (seats == 0)
        return "spectator";
    if (seats == standing_all_seats(&room->standing) && room->standing.seat_count > 1)
        return "all";
    return room->edition->seat_names[standing_first(seats)];
}

static void write_seats(struct writer *writer, const struct room *room, uint32_t seats)
{
    write_text(writer, "seat", seat_word(room, seats));
    writer_key(writer, "seats");
    writer_array(writer);
    for (int i = 0; i < room->standing.seat_count; i++)
        if (seats >> i & 1)
            writer_string(writer, room->edition->seat_names[i]);
    writer_end(writer);
}

static void write_chat(struct writer *writer, const struct room *room)
{
    int first = room->chat_count > ROOM_CHAT_KEPT ? room->chat_count - ROOM_CHAT_KEPT : 0;
    writer_key(writer, "chat");
    writer_array(writer);
    for (int i = first; i < room->chat_count; i++) {
        const char *line = room->chat[i % ROOM_CHAT_KEPT];
        writer_raw(writer, line, strlen(line));
    }
    writer_end(writer);
}

static void write_moves(struct writer *writer, const struct room *room)
{
    writer_key(writer, "moves");
    writer_array(writer);
    for (int i = 0; i < room->move_count; i++) {
        const struct made_move *made = &room->moves[i];
        writer_object(writer);
        write_text(writer, "seat", room->edition->seat_names[made->seat]);
        writer_key(writer, "move");
        view_write_move(writer, room->edition, made->move);
        write_integer(writer, "version", made->version);
        writer_end(writer);
    }
    writer_end(writer);
}

static void write_state(struct core *core, const struct room *room)
{
    struct state state;
    view_fill(&state, core->cells[0], room->edition, &room->standing, room->position);
    writer_key(&core->writer, "state");
    state_write(&state, &core->writer);
    write_hash(&core->writer, room->hash);
}

static void write_snapshot(struct core *core, const struct room *room, uint32_t seats,
                           const char *command, bool with_layout)
{
    struct writer *writer = &core->writer;
    const struct publish_desk desk = publish_desk_of(core);
    writer_clear(writer);
    writer_object(writer);
    write_text(writer, "type", "snapshot");
    if (command)
        write_text(writer, "re", command);
    write_text(writer, "room", room->id);
    write_integer(writer, "version", room->version);
    write_game(writer, room);
    write_seats(writer, room, seats);
    write_text(writer, "visibility", room->is_public ? "public" : "private");
    write_state(core, room);
    if (with_layout) {
        writer_key(writer, "layout");
        writer_raw(writer, room->edition->layout, room->edition->layout_length);
    }
    if (must_act(room, seats))
        write_legal_moves(&desk, room->edition, room->position);
    write_chat(writer, room);
    write_moves(writer, room);
    writer_end(writer);
}

void publish_snapshot(struct core *core, struct attachment *attachment, const char *command,
                      bool with_layout)
{
    write_snapshot(core, attachment->room, attachment->seats, command, with_layout);
    struct frame *frame = frame_new(core->writer.data, core->writer.length);
    writer_clear(&core->writer);
    if (command)
        session_send(core, attachment->session, frame); /* an answer must not be lost */
    else
        deliver(core, attachment, frame);
    frame_release(frame);
}

/* --- presence --------------------------------------------------------------------------------- */

static int count_spectators(const struct room *room, uint32_t *connected)
{
    int spectators = 0;
    *connected = 0;
    for (int i = 0; i < room->attached_count; i++) {
        const struct attachment *attachment = room->attached[i];
        if (attachment->session->stage == SESSION_CLOSED)
            continue;
        spectators += attachment->seats == 0;
        *connected |= attachment->seats;
    }
    return spectators;
}

static struct frame *presence_frame(struct core *core, const struct room *room, int spectators,
                                    uint32_t connected)
{
    struct writer *writer = &core->writer;
    writer_clear(writer);
    writer_object(writer);
    write_text(writer, "type", "presence");
    write_text(writer, "room", room->id);
    write_integer(writer, "spectators", spectators);
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

void publish_presence_to(struct core *core, struct attachment *attachment)
{
    uint32_t connected;
    int spectators = count_spectators(attachment->room, &connected);
    struct frame *frame = presence_frame(core, attachment->room, spectators, connected);
    deliver(core, attachment, frame);
    frame_release(frame);
}

void publish_presence_later(struct core *core, struct room *room)
{
    if (link_listed(&room->presence_link))
        return;
    if (!list_first(&core->presence))
        core->presence_due_ms = core->now_ms + PRESENCE_INTERVAL_MS;
    list_append(&core->presence, &room->presence_link, room);
}

static void publish_presence(struct core *core, struct room *room)
{
    uint32_t connected;
    int spectators = count_spectators(room, &connected);
    if (spectators == room->spectators_shown && connected == room->connected_shown)
        return;
    struct frame *frame = presence_frame(core, room, spectators, connected);
    for (int i = 0; i < room->attached_count; i++)
        deliver(core, room->attached[i], frame);
    frame_release(frame);
    room->spectators_shown = spectators;
    room->connected_shown = connected;
}

void publish_presence_due(struct core *core)
{
    if (core->now_ms < core->presence_due_ms)
        return;
    for (struct room *room; (room = list_first(&core->presence));) {
        list_remove(&room->presence_link);
        publish_presence(core, room);
    }
}

/* --- slow readers ----------------------------------------------------------------------------- */

void publish_drained(struct core *core, struct session *session)
{
    for (struct attachment *attachment = session->attachments; attachment;
         attachment = attachment->next) {
        if (!attachment->lagging)
            continue;
        attachment->lagging = false;
        core->statistics.resyncs++;
        publish_snapshot(core, attachment, NULL, false);
        publish_presence_to(core, attachment);
    }
}
