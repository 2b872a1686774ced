#include "server/core/journal.h"

#include "engine/memory/spares.h"
#include "server/core/absence.h"
#include "server/core/cost.h"
#include "server/core/follow.h"
#include "server/core/handlers.h"
#include "server/core/holdings.h"
#include "server/core/invitation.h"
#include "server/core/loading.h"
#include "server/core/names.h"
#include "server/core/page.h"
#include "server/core/publish.h"
#include "server/core/rating.h"
#include "server/core/reply.h"
#include "server/core/seeking.h"
#include "server/core/transfer.h"
#include "server/core/writing.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* --- deciding --------------------------------------------------------------------------------- */

static struct author author_of(const struct request *request)
{
    struct author author = {.peer = request->session->peer,
                            .identity = request->session->identity,
                            .came_ms = request->came_ms};
    text_copy(request->message->id, author.command, sizeof author.command);
    return author;
}

static struct decision *decision_new(const struct core *core, const struct room *room,
                                     const struct author *author, const struct event *event)
{
    struct decision *decision = spare_take(sizeof *decision);
    memset(decision, 0, offsetof(struct decision, after));
    decision->author = *author;
    decision->kind = event->kind;
    decision->at_ms = core->now_ms;
    standing_copy(&decision->after, &room->standing);
    return decision;
}

static player_index seat_named(const struct room *room, struct text seat)
{
    return game_find_player(room->edition->game, seat.data, seat.length);
}

static const struct move no_move = {.from = CELL_NONE, .to = CELL_NONE, .choice = CHOICE_NONE};

/* A move is tried on another board, which it gives. One that leads to where the game could not go on, because finding the
 * next moves would take too much work, is not made: it becomes the event that says so, and that is in the log. */
static bool try_move(const struct room *room, struct decision *decision, struct event *event,
                     struct move asked, struct position **position)
{
    bool too_much = false;
    *position = room->edition->scratch;
    position_copy(*position, room->position);
    bool legal = standing_try_move(&decision->after, *position, event, asked, &too_much);
    if (!too_much)
        return legal;
    *position = room->position;
    event->kind = decision->kind = EVENT_STOPPED;
    standing_copy(&decision->after, &room->standing);
    return standing_advance(&decision->after, room->position, event, NULL);
}

/* On another board, as a move. */
static bool try_taking_back(const struct room *room, struct decision *decision,
                            const struct event *event, struct position **position)
{
    *position = room->edition->scratch;
    decision->ply = (int)event->ply;
    return room_try_taking_back(room, event, ROOM_RECALL_WORK_MAX, *position, &decision->after);
}

static bool follows(const struct room *room, const struct author *author, struct decision *decision,
                    struct event *event, struct move asked, struct position **position)
{
    if (event->kind == EVENT_MOVED)
        return try_move(room, decision, event, asked, position);
    if (event->kind == EVENT_TAKEN_BACK)
        return try_taking_back(room, decision, event, position);
    return standing_advance(&decision->after, *position, event, &author->identity);
}

/* NULL when the event cannot follow. The room itself is not touched. `asked`: of a move. */
static struct decision *decide(struct core *core, const struct room *room,
                               const struct author *author, struct event *event, struct move asked)
{
    struct decision *decision = decision_new(core, room, author, event);
    struct position *position = room->position;
    if (!follows(room, author, decision, event, asked, &position)) {
        decision_free(decision);
        return NULL;
    }
    const struct publish_desk desk = publish_desk_of(core);
    struct publish_frames frames = publish_encode(
        &desk, room,
        &(struct publish_step){.event = event,
                               .version = room->version + 1,
                               .at_ms = core->now_ms,
                               .before = &room->standing,
                               .after = &decision->after,
                               .position_before = room->position,
                               .position_after = position,
                               .hash_before = room->hash,
                               .for_all_only = !publish_moves_wanted(
                                   room, standing_to_move(&decision->after, position))});
    decision->common = frames.common;
    decision->acting = frames.acting;
    decision->hash = frames.hash;
    decision->by_watcher = event->seat_count == 0;
    if (event->kind == EVENT_CHATTED)
        decision->chat = publish_chat_line(event, core->now_ms, room->version + 1);
    if (event->kind == EVENT_HANDED_OVER)
        decision->former = room->standing.seats[seat_named(room, event->seats[0])].holder;
    if (event->kind == EVENT_LEFT)
        decision->seats_before = standing_seats_of(&room->standing, &author->identity);
    return decision;
}

/* --- asking the store ------------------------------------------------------------------------- */

static const char *write_body(struct writer *writer, const struct event *event)
{
    writer_clear(writer);
    event_write(event, writer);
    return writer_text(writer);
}

/* False when the store takes nothing more. */
static bool append(struct core *core, struct room *room, struct room *also,
                   struct store_request *request)
{
    struct ticket *ticket = ticket_new(core, TICKET_APPEND, room->id);
    size_t bytes = writing_bytes(request);
    cost_note(core, COST_EVENT + bytes / COST_EVENT_BYTES);
    if (room->decision->kind == EVENT_MOVED)
        cost_note(core, COST_MOVED);
    room->decision->ticket = ticket->number;
    if (also)
        also->decision->ticket = ticket->number;
    request->ask = STORE_APPEND;
    const struct session *author = session_find(core, room->decision->author.peer);
    if (!ticket_ask(core, ticket, request))
        return false;
    if (author)
        writing_charge_bytes(author->account, bytes, core->now_ms);
    return true;
}

static enum refusal propose(struct core *core, struct room *room, const struct author *author,
                            const struct event *wanted, struct move asked)
{
    struct event decided = *wanted, *event = &decided;
    assert(!room_busy(room));
    timing_measure(core, room, session_lag_ms(core, author->peer), author->came_ms, event);
    room->decision = decide(core, room, author, event, asked);
    if (!room->decision)
        return REFUSAL_ILLEGAL_MOVE;
    struct store_request append_request = {.write_count = 1};
    struct page page = {.write = &append_request.writes[0]};
    page_fill(&page, room, write_body(&core->body, event));
    page_keep_body(core, room->decision, page.write->event.body);
    if (append(core, room, NULL, &append_request))
        return REFUSAL_NONE;
    decision_free(room_abandon(room));
    return REFUSAL_UNAVAILABLE;
}

enum refusal journal_propose(struct request *request, const struct event *wanted)
{
    return journal_propose_move(request, wanted, no_move);
}

enum refusal journal_propose_move(struct request *request, const struct event *wanted,
                                  struct move asked)
{
    const struct author author = author_of(request);
    if (room_is_full_for(request->room, wanted->kind))
        return refuse_because(request, REFUSAL_TOO_MANY, "the room has had too many events");
    enum refusal refusal = writing_refuses_event(request, wanted->kind);
    return refusal != REFUSAL_NONE ? refusal
                                   : propose(request->core, request->room, &author, wanted, asked);
}

void journal_flag(struct core *core, struct room *room)
{
    const struct author nobody = {.peer = 0};
    player_index seat = standing_to_move(&room->standing, room->position);
    const struct event event = {.kind = EVENT_FLAGGED,
                                .seat_count = 1,
                                .seats = {text_of(room->edition->seat_names[seat])}};
    propose(core, room, &nobody, &event,
            no_move); /* where the store takes nothing it is tried again */
}

/* --- new rooms -------------------------------------------------------------------------------- */

static struct room *new_room(struct core *core, const struct new_room *wanted)
{
    struct room *room = loading_make_room(core, wanted->id);
    if (!room) {
        catalogue_release_edition(&core->catalogue, wanted->edition);
        return NULL;
    }
    room_open(room, wanted->edition);
    text_copy(text_of(wanted->game), room->game, sizeof room->game);
    room->is_public = wanted->is_public;
    room->created_at_ms = core->now_ms;
    room->epoch = 1;
    return room;
}

static enum refusal store_new(struct core *core, struct room *room, const struct author *author,
                              const struct event *created, const char *body)
{
    room->created_at_ms = core->now_ms;
    room->epoch = 1;
    struct event event = *created;
    room->decision = decide(core, room, author, &event, no_move);
    if (!room->decision) {
        loading_forget(core, room);
        return REFUSAL_ILLEGAL_MOVE;
    }
    struct store_request request = {.write_count = 1};
    struct page page = {.write = &request.writes[0]};
    page_fill(&page, room, body);
    if (append(core, room, NULL, &request))
        return REFUSAL_NONE;
    loading_forget(core, room);
    return REFUSAL_UNAVAILABLE;
}

static void name_holders(const struct room *room, struct event *created)
{
    for (int i = 0; i < room->standing.seat_count; i++) {
        const struct seat *seat = &room->standing.seats[i];
        created->holders[created->holder_count++] =
            (struct event_holder){.seat = text_of(room->edition->seat_names[i]),
                                  .player = text_of(seat->holder.player),
                                  .name = text_of(seat->name),
                                  .as = seat->as,
                                  .house = seat->house};
    }
}

static enum refusal may_begin(struct core *core, const struct new_room *wanted)
{
    const struct edition *edition = wanted->edition;
    if (!holdings_may_grow(core) || !holdings_has_room_for(core, edition))
        return REFUSAL_UNAVAILABLE;
    if (!edition->served && catalogue_game_fault(edition->game))
        return REFUSAL_BAD_DEFINITION;
    if (wanted->clock && !standing_names_players(edition->game, wanted->clock))
        return REFUSAL_NO_SUCH_SEAT;
    return REFUSAL_NONE;
}

enum refusal journal_create_seated(struct core *core, const struct author *author,
                                   const struct new_room *wanted, const struct seat *seats)
{
    enum refusal refusal = may_begin(core, wanted);
    if (refusal != REFUSAL_NONE) {
        catalogue_release_edition(&core->catalogue, wanted->edition);
        return refusal;
    }
    struct room *room = new_room(core, wanted);
    if (!room)
        return REFUSAL_TOO_MANY;
    struct event created = {.kind = EVENT_CREATED,
                            .game = text_of(room->game),
                            .clock = wanted->clock,
                            .rated = wanted->rated};
    if (seats) {
        memcpy(room->standing.seats, seats, sizeof *seats * (size_t)room->standing.seat_count);
        names_tell_all_apart(room->standing.seats, room->standing.seat_count);
        name_holders(room, &created);
    }
    edition_tell(room->edition, &created);
    return store_new(core, room, author, &created, write_body(&core->body, &created));
}

enum refusal journal_create_made(struct core *core, const struct author *author,
                                 const struct made_room *made)
{
    if (!loading_place_room(core, made->room)) {
        room_free(made->room, &core->catalogue);
        return REFUSAL_TOO_MANY;
    }
    return store_new(core, made->room, author, made->created, made->body);
}

/* The bot on a seat of the next room is another one, as good as the one before. */
static void keep_level(const struct core *core, const struct room *from, int seat, struct room *to,
                       int next)
{
    int level = invitation_level(core, from, seat, &from->standing.seats[seat].holder);
    invitation_identity(core, to, next, level == BOT_LEVEL_NONE ? 0 : level,
                        &to->standing.seats[next].holder);
}

/* Who played the first seat plays the second, and so on around; the server's bots are somebody else
 * in every room. */
static void rotate_seats(const struct core *core, const struct room *from, struct room *to)
{
    for (int i = 0; i < from->standing.seat_count; i++) {
        int next = standing_next_seat(&from->standing, i);
        struct seat *seat = &to->standing.seats[next];
        *seat = from->standing.seats[i];
        seat->has_key = false; /* a key is for one room */
        if (seat->house)
            keep_level(core, from, i, to, next);
    }
}

static enum refusal undo_rematch(struct core *core, struct room *room, struct room *next,
                                 enum refusal refusal)
{
    decision_free(room_abandon(room));
    loading_forget(core, next);
    return refusal;
}

enum refusal journal_rematch(struct request *request, const struct time_control *control)
{
    struct core *core = request->core;
    struct room *room = request->room;
    struct author author = author_of(request);
    struct room *next = new_room(core, &(struct new_room){edition_retain(room->edition), room->game,
                                                          room->is_public, NULL, NULL, false});
    if (!next)
        return REFUSAL_TOO_MANY;
    rotate_seats(core, room, next);
    struct event created = {.kind = EVENT_CREATED,
                            .game = text_of(next->game),
                            .clock = control->is_set ? control : NULL,
                            .rated = room->standing.rated,
                            .previous_room = text_of(room->id)};
    edition_tell(next->edition, &created);
    name_holders(next, &created);
    struct event rematch = {.kind = EVENT_REMATCH, .next_room = text_of(next->id)};
    next->decision = decide(core, next, &author, &created, no_move);
    room->decision = decide(core, room, &author, &rematch, no_move);
    if (!next->decision || !room->decision)
        return undo_rematch(core, room, next, REFUSAL_NOT_OVER);
    memcpy(room->decision->new_room, next->id, sizeof next->id);

    struct writer body;
    writer_init(&body);
    struct store_request append_request = {.write_count = 2};
    struct page first = {.write = &append_request.writes[0]};
    struct page second = {.write = &append_request.writes[1]};
    page_fill(&first, next, write_body(&body, &created));
    page_fill(&second, room, write_body(&core->body, &rematch));
    page_keep_body(core, room->decision, second.write->event.body);
    bool asked = append(core, room, next, &append_request);
    writer_release(&body);
    return asked ? REFUSAL_NONE : undo_rematch(core, room, next, REFUSAL_UNAVAILABLE);
}

/* --- it is durable ---------------------------------------------------------------------------- */

bool journal_let_in(struct core *core, struct session *session, struct room *room,
                    struct text command, int64_t version, bool seated)
{
    struct attachment *attachment =
        session->passes ? NULL : session_attach(core, session, room, seated);
    if (session->passes)
        reply_ack(core, session, command, room->id, version, NULL);
    if (!attachment)
        return session->passes;
    attachment->lagging = false;
    reply_ack(core, session, command, room->id, version, NULL);
    publish_snapshot(core, attachment, NULL, true);
    publish_presence_to(core, attachment);
    return true;
}

/* Who comes or goes does not see the event of it: one gets a snapshot instead, the other has gone.
 */
static void leave_out(struct core *core, const struct session *author, const struct room *room)
{
    struct attachment *attachment = author ? session_attachment(author, room) : NULL;
    if (attachment)
        session_detach(core, attachment);
}

static void refresh_seats(struct room *room)
{
    for (int i = 0; i < room->attached_count; i++) {
        struct attachment *attachment = room->attached[i];
        if (!attachment->seated)
            continue;
        attachment->seats = standing_seats_of(&room->standing, &attachment->session->identity);
        presence_count(attachment);
    }
}

/* Whose seats have gone to somebody else hears of it, and then that the game is played elsewhere. */
static void close_former(struct core *core, const struct room *room, const struct identity *former)
{
    for (int i = 0; i < room->attached_count; i++) {
        const struct attachment *attachment = room->attached[i];
        if (attachment->seated && identity_equal(&attachment->session->identity, former))
            session_close(core, attachment->session, CLOSE_REPLACED, "the seats were handed over");
    }
}

static void announce_seats(struct core *core, struct room *room, const struct decision *decision,
                           struct session *author)
{
    struct text command = text_of(decision->author.command);
    leave_out(core, author, room);
    refresh_seats(room);
    publish_event(core, room, decision);
    publish_presence_later(core, room);
    if (decision->kind == EVENT_HANDED_OVER)
        close_former(core, room, &decision->former);
    if (!author)
        return;
    bool in = decision->kind != EVENT_LEFT &&
              journal_let_in(core, author, room, command, room->version, true);
    if (!in)
        reply_ack(core, author, command, room->id, room->version, NULL);
}

static void announce(struct core *core, struct room *room, const struct decision *decision)
{
    struct session *author = session_find(core, decision->author.peer);
    const enum event_kind kind = decision->kind;
    if (kind == EVENT_JOINED || kind == EVENT_LEFT || kind == EVENT_HANDED_OVER) {
        announce_seats(core, room, decision, author);
        if (kind == EVENT_JOINED)
            invitation_joined(core, room);
        return;
    }
    if (kind == EVENT_SEAT_KEY && author) {
        reply_seat_key(core, author, text_of(decision->author.command), room->id, room->version,
                       decision->key);
    } else if (kind != EVENT_SEAT_KEY) {
        if (author && kind == EVENT_MOVED)
            cost_made_move(core, author);
        if (author && decision->kind == EVENT_MOVED && room->standing.has_clocks)
            session_measure(core, author);
        if (decision->author.request)
            transfer_created(core, decision->author.request, room->id);
        if (decision->author.pairing)
            seeking_made(core, decision->author.pairing, room);
        if (author)
            reply_ack(core, author, text_of(decision->author.command), room->id, room->version,
                      NULL);
    }
    publish_event(core, room, decision);
}

static void count(struct core *core, const struct decision *decision)
{
    core->statistics.events++;
    core->statistics.moves += decision->kind == EVENT_MOVED;
}

static void note_in_lobby(struct core *core, const struct room *room, enum event_kind kind)
{
    if (kind == EVENT_CREATED || page_changes_seats(kind) ||
        room->standing.status == STATUS_FINISHED)
        lobby_note(core, room);
    rating_note(core, room);
}

void journal_followed(struct core *core, struct room *room, const struct stepped *stepped,
                      int64_t shown_ms)
{
    struct decision shown;
    memset(&shown, 0, offsetof(struct decision, after));
    shown.kind = stepped->kind;
    shown.former = stepped->former;
    shown.common = recent_find(&room->recent, room->version);
    shown.acting = room->last_acting;
    timing_event(core, room, stepped->kind, timing_then_ms(core, shown_ms));
    announce(core, room, &shown);
    absence_event(core, room);
    note_in_lobby(core, room, stepped->kind);
}

/* The room that a rematch has made: nobody is there yet, and nobody asked for it but through the
 * old one. */
static void settle_rematch(struct core *core, const struct room *former, const char *id)
{
    struct room *next = core_find_room(core, id);
    struct decision *decision = room_settle(next);
    timing_event(core, next, decision->kind, timing_now_ms(core));
    count(core, decision);
    note_in_lobby(core, next, decision->kind);
    decision_free(decision);
    invitation_call_house(core, next, former);
    follow_go_on(core, next);
}

static void settle(struct core *core, struct room *room)
{
    struct decision *decision = room_settle(room);
    timing_event(core, room, decision->kind, timing_now_ms(core));
    count(core, decision);
    if (room->version > 1)
        page_tell_others(core, room, decision);
    room->following.told = room->version;
    if (decision->new_room[0])
        settle_rematch(core, room, decision->new_room);
    announce(core, room, decision);
    absence_event(core, room);
    note_in_lobby(core, room, decision->kind);
    decision_free(decision);
    follow_go_on(core, room);
}

/* --- it is not -------------------------------------------------------------------------------- */

bool journal_same_command(enum event_kind done, enum event_kind wanted)
{
    /* An offer, and a yes to one, may have become the agreement itself; a move, the end. */
    static const enum event_kind families[EVENT_KIND_COUNT] = {
        [EVENT_DRAW_OFFERED] = EVENT_DRAWN,
        [EVENT_DRAW_ACCEPTED] = EVENT_DRAWN,
        [EVENT_DRAWN] = EVENT_DRAWN,
        [EVENT_TAKEBACK_OFFERED] = EVENT_TAKEN_BACK,
        [EVENT_TAKEBACK_ACCEPTED] = EVENT_TAKEN_BACK,
        [EVENT_TAKEN_BACK] = EVENT_TAKEN_BACK,
        [EVENT_REMATCH_OFFERED] = EVENT_REMATCH,
        [EVENT_REMATCH_ACCEPTED] = EVENT_REMATCH,
        [EVENT_REMATCH] = EVENT_REMATCH,
        [EVENT_MOVED] = EVENT_MOVED,
        [EVENT_STOPPED] = EVENT_MOVED,
    };
    return done == wanted ||
           (families[done] != EVENT_CREATED && families[done] == families[wanted]);
}

static bool find_kind(const char *word, enum event_kind *kind)
{
    for (int i = 0; i < EVENT_KIND_COUNT; i++) {
        *kind = (enum event_kind)i;
        if (strcmp(event_kind_word(*kind), word) == 0)
            return true;
    }
    return false;
}

/* Takes back what was decided and answers its author. Then the room of a `create` is no room at
 * all. */
static void retract(struct core *core, struct room *room)
{
    struct decision *decision = room_abandon(room);
    if (decision->new_room[0])
        loading_give_up(core, core_find_room(core, decision->new_room), REFUSAL_UNKNOWN_ROOM);
    decision_free(decision);
    if (room->version == 0)
        loading_give_up(core, room, REFUSAL_UNKNOWN_ROOM);
    else
        follow_go_on(core, room);
}

/* Somebody else has written to the room, or may have: what was decided there is decided anew. `version`: where it is at least. */
static void lose_race(struct core *core, struct room *room, int64_t version)
{
    struct decision *decision = room_abandon(room);
    struct command *command = decision->command;
    decision->command = NULL;
    if (decision->new_room[0])
        loading_give_up(core, core_find_room(core, decision->new_room), REFUSAL_UNKNOWN_ROOM);
    decision_free(decision);
    follow_lost(core, room, command, version);
}

void journal_refuse_author(struct core *core, const struct decision *decision, enum refusal refusal,
                           const struct room *room)
{
    struct session *author = session_find(core, decision->author.peer);
    if (decision->author.request)
        transfer_refused(core, decision->author.request, refusal,
                         refusal_may_retry(refusal) ? RETRY_MS : 0);
    if (decision->author.pairing)
        seeking_refused(core, decision->author.pairing, refusal);
    if (!author)
        return;
    struct complaint complaint = {.refusal = refusal,
                                  .command = text_of(decision->author.command),
                                  .version = -1,
                                  .retry_ms = refusal_may_retry(refusal) ? RETRY_MS : 0};
    if (room->version > 0)
        complaint.room = text_of(room->id);
    reply_refuse(core, author, &complaint);
}

/* The store has this command already: the answer is the one it got then. If it is an event that the room has not come to
 * yet, it is judged again there. */
static void answer_duplicate(struct core *core, struct room *room,
                             const struct store_answer *answer)
{
    struct decision *decision = room->decision;
    struct session *author = session_find(core, decision->author.peer);
    enum event_kind done;
    if (room->version > 0 && answer->duplicate_version > room->version) {
        lose_race(core, room, answer->duplicate_version);
        return;
    }
    core->statistics.duplicates++;
    if (!find_kind(answer->duplicate_kind, &done) || !journal_same_command(done, decision->kind))
        journal_refuse_author(core, decision, REFUSAL_ID_REUSED, room);
    else if (author && !author->passes &&
             (decision->kind == EVENT_JOINED || decision->kind == EVENT_HANDED_OVER))
        session_close(core, author, CLOSE_RESTART,
                      "come back and resume"); /* it expects a snapshot */
    else if (author && decision->kind == EVENT_SEAT_KEY)
        reply_seat_key(core, author, text_of(decision->author.command), answer->duplicate_room,
                       answer->duplicate_version, NULL);
    else if (author)
        reply_ack(core, author, text_of(decision->author.command), answer->duplicate_room,
                  answer->duplicate_version, NULL);
    retract(core, room);
}

static void refuse_and_retract(struct core *core, struct room *room)
{
    journal_refuse_author(core, room->decision, REFUSAL_UNAVAILABLE, room);
    retract(core, room);
}

static void answer_failure(struct core *core, struct room *room, const struct store_answer *answer)
{
    core->statistics.store_failures++;
    core_log(core, FACT_ERROR, "append_failed", room->id, answer->words);
    refuse_and_retract(core, room);
}

/* It may have been written: whoever has read the room knows. */
static void answer_unknown(struct core *core, struct room *room, const struct store_answer *answer)
{
    core->statistics.store_failures++;
    core_log(core, FACT_ERROR, "append_unknown", room->id, answer->words);
    if (room->version == 0)
        refuse_and_retract(core, room);
    else
        lose_race(core, room, 0);
}

static void answer_conflict(struct core *core, struct room *room, const struct store_answer *answer)
{
    core->statistics.conflicts++;
    if (room->version == 0)
        refuse_and_retract(core,
                           room); /* the id of a new room was taken: the next one will not be */
    else
        lose_race(core, room, answer->conflict_version);
}

void journal_answered(struct core *core, const struct ticket *ticket,
                      const struct store_answer *answer)
{
    struct room *room = core_find_room(core, ticket->room);
    bool decided = room && room->decision && room->decision->ticket == ticket->number;
    timing_store_said(core, answer->status, decided ? room->decision->at_ms : core->now_ms);
    if (!decided)
        return;
    switch (answer->status) {
    case STORE_OK:
        settle(core, room);
        return;
    case STORE_DUPLICATE:
        answer_duplicate(core, room, answer);
        return;
    case STORE_CONFLICT:
        answer_conflict(core, room, answer);
        return;
    case STORE_NOT_FOUND:
    case STORE_NO_PICTURE:
    case STORE_FAILED:
        answer_failure(core, room, answer);
        return;
    case STORE_UNKNOWN:
        answer_unknown(core, room, answer);
        return;
    }
}
