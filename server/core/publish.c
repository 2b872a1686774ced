#include "server/core/publish.h"

#include "engine/memory/memory.h"
#include "server/core/cost.h"
#include "server/core/parts.h"
#include "server/core/view.h"

#include <stdlib.h>
#include <string.h>

static void write_hash(struct writer *writer, uint32_t hash)
{
    char text[STATE_HASH_DIGITS + 1];
    state_hash_text(hash, text);
    writer_member_string(writer, "hash", text);
}

static void write_true(struct writer *writer, const char *name)
{
    writer_key(writer, name);
    writer_boolean(writer, true);
}

void publish_write_beginning(const struct publish_desk *desk, const struct standing *standing,
                             const struct position *position)
{
    if (standing_may_abort(standing))
        write_true(desk->writer, "may_abort");
    if (standing->has_clocks && standing_to_move(standing, position) != PLAYER_NONE &&
        standing_runs(standing, position) == PLAYER_NONE)
        write_true(desk->writer, "to_begin");
}

void publish_write_legal_moves(const struct publish_desk *desk, const struct edition *edition,
                               struct position *position)
{
    writer_key(desk->writer, "legal_moves");
    struct view_moves_written written =
        view_write_legal_moves(desk->writer, edition, position, CELL_NONE, 0, desk->moves);
    if (written.given < written.count)
        writer_member_integer(desk->writer, "legal_moves_count", written.count);
}

struct publish_desk publish_desk_of(struct core *core)
{
    return (struct publish_desk){
        &core->writer, {core->cells[0], core->cells[1]}, core->catalogue.moves};
}

bool publish_must_act(const struct room *room, uint32_t seats)
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
    writer_member_string(writer, "type", "event");
    writer_member_string(writer, "room", room->id);
    writer_member_integer(writer, "version", step->version);
    writer_member_string(writer, "kind", event_kind_word(step->event->kind));
    writer_member_integer(writer, "at", (int64_t)step->at_ms);
    event_write_members(step->event, writer);
    if (step->event->kind == EVENT_MOVED) {
        writer_key(writer, "text");
        view_write_move_text(writer, room->edition, step->position_before, step->position_after,
                             step->after->last);
    }
    if (step->position_before != step->position_after)
        view_write_remarks(writer, room->edition, step->position_after);
}

/* Both frames have the same beginning, so the one for all is the other without its last member. */
static void write_frames(const struct publish_desk *desk, const struct edition *edition,
                         const struct publish_step *step, struct publish_frames *frames)
{
    struct writer *writer = desk->writer;
    size_t length = writer->length;
    if (!step->for_all_only && standing_to_move(step->after, step->position_after) != PLAYER_NONE) {
        publish_write_legal_moves(desk, edition, step->position_after);
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
    publish_write_beginning(desk, step->after, step->position_after);
    write_frames(desk, room->edition, step, &frames);
    return frames;
}

void publish_deliver(struct core *core, struct attachment *attachment, struct frame *frame)
{
    if (attachment->lagging || session_offer(core, attachment->session, frame))
        return;
    if (attachment->seats != 0)
        session_close(core, attachment->session, CLOSE_TOO_SLOW, "too slow: come back and resume");
    else
        attachment->lagging = true;
}

bool publish_moves_wanted(const struct room *room, player_index to_move)
{
    int i = 0;
    while (to_move != PLAYER_NONE && i < room->attached_count &&
           (room->attached[i]->session->no_moves || !(room->attached[i]->seats >> to_move & 1)))
        i++;
    return to_move != PLAYER_NONE && i < room->attached_count;
}

/* The newest event with the legal moves, which nobody wanted when it was made. */
static struct frame *add_moves(struct core *core, const struct room *room,
                               const struct frame *common)
{
    const struct publish_desk desk = publish_desk_of(core);
    struct writer *writer = desk.writer;
    size_t length = common->payload_length;
    writer_clear(writer);
    writer_object(writer);
    publish_write_legal_moves(&desk, room->edition, room->position);
    writer_end(writer);
    char *text = memory_bytes(length + writer->length);
    memcpy(text, frame_payload(common), length);
    memcpy(text + length - 1, writer->data, writer->length);
    text[length - 1] = ',';
    struct frame *frame = frame_new(text, length - 1 + writer->length);
    free(text);
    writer_clear(writer);
    return frame;
}

/* The newest event, which is `common` for most, as this one is to have it. */
static struct frame *newest_for(struct core *core, struct room *room,
                                const struct attachment *attachment, struct frame *common)
{
    if (attachment->session->no_moves || !publish_must_act(room, attachment->seats))
        return common;
    if (!room->last_acting)
        room->last_acting = add_moves(core, room, common);
    return room->last_acting;
}

void publish_event(struct core *core, struct room *room, const struct decision *decision)
{
    for (int i = 0; i < room->attached_count; i++) {
        struct attachment *attachment = room->attached[i];
        publish_deliver(core, attachment, newest_for(core, room, attachment, decision->common));
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
    while (++version <= room->version) {
        struct frame *frame = recent_find(&room->recent, version);
        if (version == room->version)
            frame = newest_for(core, room, attachment, frame);
        cost_note_given(core, frame->payload_length);
        publish_deliver(core, attachment, frame);
    }
}

char *publish_chat_line(const struct event *event, uint64_t at_ms, int64_t version)
{
    struct writer writer;
    writer_init(&writer);
    writer_object(&writer);
    writer_member_integer(&writer, "at", (int64_t)at_ms);
    event_write_members(event, &writer);
    writer_member_integer(&writer, "version", version);
    writer_end(&writer);
    char *text = writer_take(&writer, NULL);
    writer_release(&writer);
    return text;
}

/* --- slow readers ----------------------------------------------------------------------------- */

static void catch_up(struct core *core, struct attachment *attachment)
{
    list_remove(&attachment->resync_link);
    attachment->lagging = false;
    attachment->resynced_ms = core->now_ms;
    core->statistics.resyncs++;
    publish_snapshot(core, attachment, NULL, false);
    publish_presence_to(core, attachment);
}

void publish_hold_back(struct room *room)
{
    for (int i = 0; i < room->attached_count; i++) {
        struct attachment *attachment = room->attached[i];
        attachment->held_back = attachment->held_back || !attachment->lagging;
        attachment->lagging = true;
    }
}

void publish_catch_up_held(struct core *core, struct room *room)
{
    for (int i = 0; i < room->attached_count; i++) {
        struct attachment *attachment = room->attached[i];
        if (attachment->held_back && attachment->lagging)
            catch_up(core, attachment);
        attachment->held_back = false;
    }
}

/* Whoever lags again soon after one snapshot waits for the next. */
static void catch_up_later(struct core *core, struct attachment *attachment)
{
    attachment->resync_due_ms = core->now_ms + RESYNC_INTERVAL_MS;
    list_append(&core->resyncs, &attachment->resync_link, attachment);
}

void publish_drained(struct core *core, struct session *session)
{
    for (struct attachment *attachment = session->attachments; attachment;
         attachment = attachment->next) {
        bool soon = attachment->resynced_ms > 0 &&
                    core->now_ms < attachment->resynced_ms + RESYNC_INTERVAL_MS;
        if (attachment->lagging && soon)
            catch_up_later(core, attachment);
        else if (attachment->lagging)
            catch_up(core, attachment);
        else if (attachment->presence_missed)
            publish_presence_to(core, attachment);
    }
}

void publish_resync_due(struct core *core)
{
    for (struct attachment *attachment; (attachment = list_first(&core->resyncs));) {
        if (core->now_ms < attachment->resync_due_ms)
            return;
        list_remove(&attachment->resync_link);
        if (attachment->lagging)
            catch_up(core, attachment);
    }
}

uint64_t publish_resync_deadline_ms(const struct core *core)
{
    const struct attachment *attachment = list_first(&core->resyncs);
    return attachment ? attachment->resync_due_ms : UINT64_MAX;
}
