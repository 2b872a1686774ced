/* Questions about a room's past: its events, how it stood after a ply, all plies. Events are read from the store; the other
 * two are answered at once, from the moves and the positions kept in memory. */
#include "engine/work.h"
#include "server/core/cost.h"
#include "server/core/handlers.h"
#include "server/core/reply.h"
#include "server/core/view.h"

#include <string.h>

static struct writer *begin_answer(struct core *core, struct text command, const char *room)
{
    struct writer *writer = reply_begin(core, "history", command);
    writer_key(writer, "room");
    writer_string(writer, room);
    return writer;
}

/* A list ends where the frame is full, or where the rules have worked as much as they may for one answer; whoever asked goes on
 * behind its last. `before`: what had been worked then. */
static bool has_room_for_more(const struct writer *writer, uint64_t before)
{
    return writer->length < FRAME_LIST_BYTES_MAX && work_spent() - before < WORK_POSITION_MAX;
}

/* --- events ----------------------------------------------------------------------------------- */

static enum refusal ask_for_events(struct request *request)
{
    const struct message *message = request->message;
    const struct room *room = request->room;
    if (message->history.from > room->version)
        return refuse_because(request, REFUSAL_BAD_MESSAGE, "from: the room is at version %lld",
                              (long long)room->version);
    struct ticket *ticket = ticket_new(request->core, TICKET_HISTORY, room->id);
    ticket->peer = request->session->peer;
    ticket->account = account_hold(request->session->account);
    text_copy(message->id, ticket->command, sizeof ticket->command);
    ticket->from = message->history.from;
    ticket->to = message->history.to;
    if (ticket->to > room->version)
        ticket->to = room->version;
    if (ticket->to - ticket->from >= HISTORY_EVENTS_MAX)
        ticket->to = ticket->from + HISTORY_EVENTS_MAX - 1;
    struct store_request question = {
        .ask = STORE_HISTORY, .room = room->id, .from = ticket->from, .to = ticket->to};
    return ticket_ask(request->core, ticket, &question) ? REFUSAL_NONE : REFUSAL_UNAVAILABLE;
}

/* The events are told in order, and so their moves go on from each other on one board. */
struct telling {
    const struct room *room;
    struct position *position;
    int ply; /* on the board; -1: none yet */
};

static void write_text(struct writer *writer, struct telling *telling, int64_t version)
{
    const struct room *room = telling->room;
    struct standing standing;
    const struct move *unmade = NULL;
    int index = room_find_move(room, version);
    if (index < 0)
        unmade = room_recall_unmade(room, version, telling->position);
    if (index < 0 && !unmade)
        return;
    bool is_there = telling->ply == index;
    telling->ply = -1;
    if (index >= 0 && !is_there &&
        room_recall(room, index, telling->position, &standing) == ROOM_TOO_FAR)
        return;
    struct move move = unmade ? *unmade : room->moves[index].move;
    writer_key(writer, "text");
    view_write_move_text(writer, room->edition, telling->position, NULL, move);
    position_make(telling->position, move, NULL);
    telling->ply = unmade ? -1 : index + 1;
}

static void write_event(struct writer *writer, struct telling *telling,
                        const struct store_event *stored)
{
    struct event event;
    if (!event_read(stored->kind, stored->body, strlen(stored->body), &event))
        return;
    writer_object(writer);
    writer_member_integer(writer, "version", stored->version);
    writer_key(writer, "kind");
    writer_string(writer, stored->kind);
    writer_member_integer(writer, "at", stored->at_ms);
    event_write_members(&event, writer);
    if (event.kind == EVENT_MOVED)
        write_text(writer, telling, stored->version);
    writer_end(writer);
    event_release(&event);
}

void history_answered(struct core *core, const struct ticket *ticket,
                      const struct store_answer *answer)
{
    struct session *session = session_find(core, ticket->peer);
    const struct room *room = core_find_room(core, ticket->room);
    if (!session)
        return;
    /* Of a room that has left memory meanwhile nobody can say how its moves are written; asked again, it comes back. */
    if (answer->status != STORE_OK || !room || room->loading) {
        reply_unavailable(core, session, text_of(ticket->command), text_of(ticket->room));
        return;
    }
    cost_note(core, (uint64_t)answer->event_count * COST_EVENT_READ);
    struct writer *writer = begin_answer(core, text_of(ticket->command), ticket->room);
    writer_member_integer(writer, "from", ticket->from);
    writer_member_integer(writer, "version", room->version);
    struct telling telling = {.room = room, .position = room->edition->scratch, .ply = -1};
    int told = 0;
    uint64_t before = work_spent();
    writer_key(writer, "events");
    writer_array(writer);
    while (told < answer->event_count && has_room_for_more(writer, before))
        write_event(writer, &telling, &answer->events[told++]);
    writer_end(writer);
    writer_member_integer(writer, "to", ticket->from + told - 1);
    writer_end(writer);
    session_send_written(core, session);
}

enum refusal history_too_far(struct request *request)
{
    return refuse_because(request, REFUSAL_TOO_MANY,
                          "to find out how this game stood then would take too much work");
}

/* --- a ply ------------------------------------------------------------------------------------ */

static enum refusal tell_state(struct request *request)
{
    struct core *core = request->core;
    const struct room *room = request->room;
    struct position *position = room->edition->scratch;
    int64_t ply = request->message->history.ply;
    struct standing standing;
    struct state state;
    char hash[STATE_HASH_DIGITS + 1];
    if (ply > room->move_count)
        return refuse_because(request, REFUSAL_BAD_MESSAGE, "ply: the room has come to %d",
                              room->move_count);
    int64_t version = room_recall(room, (int)ply, position, &standing);
    if (version == ROOM_TOO_FAR)
        return history_too_far(request);
    view_fill(&state, core->cells[0], room->edition, &standing, position);
    struct writer *writer = begin_answer(core, request->message->id, room->id);
    writer_member_integer(writer, "ply", ply);
    writer_member_integer(writer, "version", version);
    writer_key(writer, "state");
    state_write(&state, writer);
    state_hash_text(state_hash(&state), hash);
    writer_key(writer, "hash");
    writer_string(writer, hash);
    view_write_remarks(writer, room->edition, position);
    writer_end(writer);
    session_send_written(core, request->session);
    return REFUSAL_NONE;
}

/* --- all plies -------------------------------------------------------------------------------- */

/* `position` is the board before the move, and after it when this is done. */
static void write_ply(struct writer *writer, const struct room *room, int index,
                      struct position *position)
{
    const struct made_move *made = &room->moves[index];
    struct edition *edition = room->edition;
    writer_object(writer);
    writer_member_integer(writer, "ply", index + 1);
    writer_member_integer(writer, "version", made->version);
    writer_key(writer, "seat");
    writer_string(writer, edition->seat_names[made->seat]);
    writer_key(writer, "move");
    view_write_move(writer, edition, made->move);
    writer_key(writer, "text");
    view_write_move_text(writer, edition, position, NULL, made->move);
    position_make(position, made->move, NULL);
    writer_end(writer);
}

static enum refusal tell_moves(struct request *request)
{
    const struct room *room = request->room;
    struct position *position = room->edition->scratch;
    int64_t from = request->message->history.from;
    struct standing standing;
    uint64_t before = work_spent();
    if (from > room->move_count)
        return refuse_because(request, REFUSAL_BAD_MESSAGE, "from: the room has come to ply %d",
                              room->move_count);
    int end = room->move_count - (int)from > HISTORY_MOVES_MAX ? (int)from + HISTORY_MOVES_MAX
                                                               : room->move_count;
    if (room_recall(room, (int)from, position, &standing) == ROOM_TOO_FAR)
        return history_too_far(request);
    struct writer *writer = begin_answer(request->core, request->message->id, room->id);
    writer_member_integer(writer, "version", room->version);
    writer_member_integer(writer, "from", from);
    writer_member_integer(writer, "plies", room->move_count);
    writer_key(writer, "moves");
    writer_array(writer);
    for (int i = (int)from; i < end && (i == (int)from || has_room_for_more(writer, before)); i++)
        write_ply(writer, room, i, position);
    writer_end(writer);
    writer_end(writer);
    session_send_written(request->core, request->session);
    return REFUSAL_NONE;
}

enum refusal history_ask(struct request *request)
{
    switch (request->message->history.ask) {
    case HISTORY_EVENTS:
        return ask_for_events(request);
    case HISTORY_STATE:
        return tell_state(request);
    case HISTORY_MOVES:
        return tell_moves(request);
    }
    return REFUSAL_UNSUPPORTED;
}
