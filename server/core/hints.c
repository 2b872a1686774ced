#include "server/core/hints.h"

#include "engine/memory/memory.h"
#include "engine/work.h"
#include "server/core/handlers.h"
#include "server/core/reply.h"

#include <stdlib.h>

struct hint {
    struct link link; /* in hints->waiting or ->under_way */
    uint64_t number;
    peer_id peer;
    struct account *account; /* held */
    char room[ROOM_ID_BYTES + 1], command[COMMAND_ID_BYTES_MAX + 1];
    int64_t version; /* of the room then */
    int ply, lines;
    struct position *position; /* owned until it is under way */
};

/* --- their places ----------------------------------------------------------------------------- */

static void hint_free(struct core *core, struct hint *hint)
{
    list_remove(&hint->link);
    core->hints.count--;
    hint->account->hints--;
    if (!hint->position)
        hint->account->hints_under_way--;
    account_let_go(&core->accounts, hint->account, core->now_ms);
    position_free(hint->position);
    free(hint);
}

/* Of an address one; this machine's own is not limited. */
static bool may_begin(const struct hint *hint)
{
    return hint->account->unlimited || hint->account->hints_under_way == 0;
}

static void begin(struct core *core, struct hint *hint)
{
    struct position *position = hint->position;
    hint->position = NULL;
    hint->account->hints_under_way++;
    list_append(&core->hints.under_way, &hint->link, hint);
    core->ports.hint(core->ports.context, hint->number, position, hint->lines);
}

/* A place is free: the first one of those who may has it. */
static void begin_others(struct core *core)
{
    struct list *waiting = &core->hints.waiting;
    for (struct link *link = waiting->ends.next, *next; link != &waiting->ends; link = next) {
        next = link->next;
        if (may_begin(link->owner))
            begin(core, link->owner);
    }
}

static void forget(struct core *core, struct hint *hint)
{
    if (!hint->position)
        core->ports.forget_hint(core->ports.context, hint->number);
    hint_free(core, hint);
}

static struct hint *find_in(const struct list *list, peer_id peer, uint64_t number)
{
    for (struct link *link = list->ends.next; link != &list->ends; link = link->next) {
        struct hint *hint = link->owner;
        if (hint->peer == peer || hint->number == number)
            return hint;
    }
    return NULL;
}

static struct hint *find_of(const struct core *core, peer_id peer)
{
    struct hint *hint = find_in(&core->hints.waiting, peer, 0);
    return hint ? hint : find_in(&core->hints.under_way, peer, 0);
}

void hints_init(struct core *core)
{
    list_init(&core->hints.waiting);
    list_init(&core->hints.under_way);
}

void hints_release(struct core *core)
{
    for (struct hint *hint; (hint = list_first(&core->hints.waiting));)
        hint_free(core, hint);
    for (struct hint *hint; (hint = list_first(&core->hints.under_way));)
        hint_free(core, hint);
}

void hints_left(struct core *core, const struct session *session)
{
    struct hint *hint = find_of(core, session->peer);
    if (!hint)
        return;
    forget(core, hint);
    begin_others(core);
}

/* --- asking ----------------------------------------------------------------------------------- */

static bool is_persons(const struct seat *seat)
{
    return seat->taken && !seat->house;
}

/* Whether all seats that are not the server's are the same person's. */
static bool has_one_person(const struct standing *standing)
{
    const struct seat *person = NULL;
    for (int i = 0; i < standing->seat_count; i++) {
        const struct seat *seat = &standing->seats[i];
        if (!is_persons(seat))
            continue;
        if (person && !identity_equal(&person->holder, &seat->holder))
            return false;
        person = seat;
    }
    return true;
}

static enum refusal may_ask(struct request *request)
{
    const struct standing *standing = &request->room->standing;
    if (standing->status == STATUS_WAITING)
        return REFUSAL_NOT_STARTED;
    if (standing->status == STATUS_FINISHED)
        return REFUSAL_NONE;
    if (standing->rated || !has_one_person(standing))
        return refuse_because(request, REFUSAL_NOT_OVER,
                              "while people play each other there are no hints");
    return request->attachment && request->attachment->seats != 0 ? REFUSAL_NONE
                                                                  : REFUSAL_NOT_SEATED;
}

static enum refusal find_ply(struct request *request, int *ply)
{
    const struct room *room = request->room;
    struct core *core = request->core;
    int64_t asked = request->message->hint.ply;
    if (asked > room->move_count)
        return refuse_because(request, REFUSAL_BAD_MESSAGE, "ply: the room has come to %d",
                              room->move_count);
    *ply = asked < 0 ? room->move_count : (int)asked;
    if (core->hints.count >= HINTS_MAX)
        return refuse_because(request, REFUSAL_UNAVAILABLE, "too many are asking for hints");
    const struct account *account = request->session->account;
    return account->hints >= HINTS_OF_ACCOUNT && !account->unlimited ? REFUSAL_TOO_MANY
                                                                     : REFUSAL_NONE;
}

/* NULL: to find out how it stood would take too much work. */
static struct position *copy_position(const struct room *room, int ply)
{
    struct position *position = position_new(room->edition->game);
    struct standing standing;
    if (ply == room->move_count)
        position_copy(position, room->position);
    else if (room_recall(room, ply, position, &standing) == ROOM_TOO_FAR) {
        position_free(position);
        return NULL;
    }
    return position;
}

/* The question before is answered: nobody waits for it any more. */
static void withdraw(struct core *core, struct session *session)
{
    struct hint *hint = find_of(core, session->peer);
    if (!hint)
        return;
    reply_refuse(core, session,
                 &(struct complaint){.refusal = REFUSAL_WITHDRAWN,
                                     .command = text_of(hint->command),
                                     .room = text_of(hint->room),
                                     .words = "another hint was asked for",
                                     .version = -1});
    forget(core, hint);
}

enum refusal hint_ask(struct request *request)
{
    struct core *core = request->core;
    const struct room *room = request->room;
    int ply = 0;
    enum refusal refusal = core->ports.hint ? may_ask(request) : REFUSAL_UNSUPPORTED;
    if (refusal != REFUSAL_NONE)
        return refusal;
    withdraw(core, request->session);
    refusal = find_ply(request, &ply);
    if (refusal != REFUSAL_NONE)
        return refusal;
    struct position *position = copy_position(room, ply);
    if (!position)
        return history_too_far(request);
    struct hint *hint = memory_zeroed(1, sizeof *hint);
    *hint = (struct hint){.number = ++core->last_number,
                          .peer = request->session->peer,
                          .account = account_hold(request->session->account),
                          .version = room->version,
                          .ply = ply,
                          .lines = request->message->hint.lines,
                          .position = position};
    text_copy(text_of(room->id), hint->room, sizeof hint->room);
    text_copy(request->message->id, hint->command, sizeof hint->command);
    hint->account->hints++;
    core->hints.count++;
    list_append(&core->hints.waiting, &hint->link, hint);
    begin_others(core);
    return REFUSAL_NONE;
}

/* --- answering -------------------------------------------------------------------------------- */

/* The moves are made on `board`, for the text of the next one. */
static void write_line(struct writer *writer, struct edition *edition, struct position *board,
                       const struct core_hint *hint)
{
    writer_object(writer);
    writer_member_integer(writer, "value", hint->share);
    if (hint->ends_in > 0)
        writer_member_integer(writer, "ends_in", hint->ends_in);
    writer_key(writer, "moves");
    writer_array(writer);
    for (int i = 0; i < hint->move_count && !work_is_too_much(); i++) {
        writer_object(writer);
        writer_key(writer, "move");
        view_write_move(writer, edition, hint->moves[i]);
        writer_key(writer, "text");
        view_write_move_text(writer, edition, board, NULL, hint->moves[i]);
        writer_end(writer);
        position_make(board, hint->moves[i], NULL);
    }
    writer_end(writer);
    writer_end(writer);
}

static void tell(struct core *core, struct session *session, const struct hint *hint,
                 struct edition *edition, struct position *position, const struct core_hint *hints,
                 int count)
{
    struct work_stretch stretch = work_begin(WORK_ANSWER_MAX);
    struct writer *writer = reply_begin(core, "hint", text_of(hint->command));
    writer_key(writer, "room");
    writer_string(writer, hint->room);
    writer_member_integer(writer, "version", hint->version);
    writer_member_integer(writer, "ply", hint->ply);
    writer_key(writer, "lines");
    writer_array(writer);
    for (int i = 0; i < count && !work_is_too_much(); i++) {
        position_copy(edition->scratch, position);
        write_line(writer, edition, edition->scratch, &hints[i]);
    }
    work_end(&stretch);
    writer_end(writer);
    writer_end(writer);
    session_send_written(core, session);
}

void hints_answered(struct core *core, uint64_t number, struct position *position,
                    const struct core_hint *hints, int count)
{
    struct hint *hint = find_in(&core->hints.under_way, 0, number);
    if (!hint)
        return;
    struct session *session = session_find(core, hint->peer);
    const struct room *room = core_find_room(core, hint->room);
    /* How moves are written is known to the room; asked again it comes back. */
    if (session && room && room->edition && room->edition->game == position_game(position))
        tell(core, session, hint, room->edition, position, hints, count);
    else if (session)
        reply_unavailable(core, session, text_of(hint->command), text_of(hint->room));
    hint_free(core, hint);
    begin_others(core);
}
