#include "server/core/dispatch.h"

#include "engine/memory/spares.h"
#include "server/core/cost.h"
#include "server/core/follow.h"
#include "server/core/handlers.h"
#include "server/core/invitation.h"
#include "server/core/journal.h"
#include "server/core/loading.h"
#include "server/core/reply.h"
#include "server/core/seeking.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum who {
    ANYBODY,
    PLAYER,
    VISITOR,
    SEATED
}; /* each may all that those before it may; VISITOR: is in the room */

/* A command that makes an event says which: sent a second time it is recognised by it. */
enum { NO_EVENT = EVENT_KIND_COUNT };

struct row {
    enum who who;
    uint32_t cost; /* the fixed part, in thousandths of a unit */
    bool in_room;  /* it names a room, which is brought into memory first */
    int event;
    request_handler *handle;
};

/* clang-format off */
static const struct row commands[MESSAGE_KIND_COUNT] = {
    [MESSAGE_AUTH]              = {ANYBODY,   500, false, NO_EVENT,      greet_auth},
    [MESSAGE_PING]              = {ANYBODY,   120, false, NO_EVENT,      greet_ping},
    [MESSAGE_GAMES]             = {PLAYER,    200, false, NO_EVENT,      browse_games},
    [MESSAGE_CREATE]            = {PLAYER,   1000, false, NO_EVENT,      seating_create},
    [MESSAGE_LOBBY_SUBSCRIBE]   = {PLAYER,    700, false, NO_EVENT,      browse_lobby_subscribe},
    [MESSAGE_LOBBY_UNSUBSCRIBE] = {PLAYER,    120, false, NO_EVENT,      browse_lobby_unsubscribe},
    [MESSAGE_SEEK]              = {PLAYER,    450, false, NO_EVENT,      seeking_begin},
    [MESSAGE_SEEK_CANCEL]       = {PLAYER,    150, false, NO_EVENT,      seeking_cancel},
    [MESSAGE_JOIN]              = {PLAYER,    300, true,  EVENT_JOINED,  seating_join},
    [MESSAGE_RESUME]            = {PLAYER,    400, true,  NO_EVENT,      seating_resume},
    [MESSAGE_LEAVE]             = {PLAYER,    300, true,  EVENT_LEFT,    seating_leave},
    [MESSAGE_LEGAL_MOVES]       = {PLAYER,    150, true,  NO_EVENT,      browse_legal_moves},
    [MESSAGE_HISTORY]           = {PLAYER,    200, true,  NO_EVENT,      history_ask},
    [MESSAGE_HINT]              = {PLAYER,  10000, true,  NO_EVENT,      hint_ask},
    [MESSAGE_SYNC]              = {VISITOR,   290, true,  NO_EVENT,      seating_sync},
    [MESSAGE_CHAT]              = {VISITOR,   150, true,  EVENT_CHATTED, chat_say},
    [MESSAGE_SEAT_KEY]          = {SEATED,    250, true,  EVENT_SEAT_KEY, handover_give_key},
    [MESSAGE_MOVE]              = {SEATED,    120, true,  EVENT_MOVED,   play_move},
    [MESSAGE_ACTION]            = {SEATED,    120, true,  NO_EVENT,      NULL},
};

enum { ALWAYS = -1 };
struct action_row {
    int during; /* a status, or ALWAYS */
    int event;
    request_handler *handle; /* NULL: unsupported */
};
static const struct action_row actions[ACTION_REQUEST_COUNT] = {
    [ACTION_REQUEST_RESIGN]          = {STATUS_PLAYING,  EVENT_RESIGNED,         play_resign},
    [ACTION_REQUEST_ABORT]           = {STATUS_PLAYING,  EVENT_ABORTED,          play_abort},
    [ACTION_REQUEST_DRAW_OFFER]      = {STATUS_PLAYING,  EVENT_DRAW_OFFERED,     play_draw_offer},
    [ACTION_REQUEST_DRAW_ACCEPT]     = {STATUS_PLAYING,  EVENT_DRAW_ACCEPTED,    play_draw_accept},
    [ACTION_REQUEST_DRAW_DECLINE]    = {STATUS_PLAYING,  EVENT_DRAW_DECLINED,    play_draw_decline},
    [ACTION_REQUEST_TAKEBACK_OFFER]  = {STATUS_PLAYING,  EVENT_TAKEBACK_OFFERED, play_takeback_offer},
    [ACTION_REQUEST_TAKEBACK_ACCEPT] = {STATUS_PLAYING,  EVENT_TAKEBACK_ACCEPTED, play_takeback_accept},
    [ACTION_REQUEST_TAKEBACK_DECLINE] = {STATUS_PLAYING, EVENT_TAKEBACK_DECLINED, play_takeback_decline},
    [ACTION_REQUEST_REMATCH_OFFER]   = {STATUS_FINISHED, EVENT_REMATCH_OFFERED,  play_rematch_offer},
    [ACTION_REQUEST_REMATCH_ACCEPT]  = {STATUS_FINISHED, EVENT_REMATCH_ACCEPTED, play_rematch_accept},
    [ACTION_REQUEST_REMATCH_DECLINE] = {STATUS_FINISHED, EVENT_REMATCH_DECLINED, play_rematch_decline},
    [ACTION_REQUEST_CLAIM_RESULT]    = {STATUS_PLAYING,  EVENT_CLAIMED,          play_claim},
    [ACTION_REQUEST_CLAIM_TIMEOUT]   = {STATUS_PLAYING,  EVENT_ABANDONED,        play_claim_timeout},
    [ACTION_REQUEST_BOT_INVITE]      = {STATUS_WAITING,  NO_EVENT,               invitation_make},
    [ACTION_REQUEST_CHAT_EVERYBODY]  = {ALWAYS,          EVENT_CHAT_ALLOWED,     chat_allow},
    [ACTION_REQUEST_CHAT_PLAYERS]    = {ALWAYS,          EVENT_CHAT_ALLOWED,     chat_allow},
    [ACTION_REQUEST_CHAT_NOBODY]     = {ALWAYS,          EVENT_CHAT_ALLOWED,     chat_allow},
    [ACTION_REQUEST_CHAT_MUTE]       = {ALWAYS,          EVENT_MUTED,            chat_mute},
    [ACTION_REQUEST_CHAT_UNMUTE]     = {ALWAYS,          EVENT_UNMUTED,          chat_mute},
};
/* clang-format on */

enum {
    DEFINITION_COST = 800, /* before it is known what there is to compile */
    NEW_EDITION_COST = 2500,
    FORK_COST = 1600,
    GUIDE_COST = 900,
    LIST_COST = 80, /* of all games */
    REFUSED_COST = 200,
    LIMITED_COST = 200
};

static uint64_t cost_of_definition(const struct message *message)
{
    if (message->kind == MESSAGE_CREATE && message->create.definition.data)
        return DEFINITION_COST + NEW_EDITION_COST;
    if (message->kind == MESSAGE_GAMES && message->games.op == GAMES_GUIDE)
        return GUIDE_COST;
    if (message->kind == MESSAGE_GAMES && message->games.op == GAMES_LIST)
        return LIST_COST;
    return message->kind == MESSAGE_GAMES && message->games.op == GAMES_VALIDATE ? DEFINITION_COST
                                                                                 : 0;
}

static uint64_t cost_of(const struct message *message)
{
    bool fork = message->kind == MESSAGE_CREATE && message->create.is_fork;
    return commands[message->kind].cost + cost_of_definition(message) + (fork ? FORK_COST : 0);
}

static int event_of(const struct message *message)
{
    if (message->kind == MESSAGE_ACTION)
        return actions[message->action.kind].event;
    if (message->kind == MESSAGE_JOIN && message->join.key.data)
        return EVENT_HANDED_OVER;
    return commands[message->kind].event;
}

/* --- for handlers ----------------------------------------------------------------------------- */

enum refusal refuse_because(struct request *request, enum refusal refusal, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(request->words, sizeof request->words, format, arguments);
    va_end(arguments);
    return refusal;
}

void acknowledge(struct request *request, int64_t version)
{
    reply_ack(request->core, request->session, request->message->id,
              request->room ? request->room->id : NULL, version, NULL);
}

enum refusal change_nothing(struct request *request)
{
    request->changes_nothing = true;
    return REFUSAL_NONE;
}

/* --- answers ---------------------------------------------------------------------------------- */

static void answer(struct request *request, enum refusal refusal)
{
    if (refusal == REFUSAL_NONE) {
        if (request->changes_nothing)
            acknowledge(request, request->room->version);
        return;
    }
    if (refusal_may_retry(refusal) && request->retry_ms == 0)
        request->retry_ms = RETRY_MS;
    reply_refuse(
        request->core, request->session,
        &(struct complaint){.refusal = refusal,
                            .command = request->message->id,
                            .room = request->message->room,
                            .words = request->words,
                            .version = request->version,
                            .retry_ms = request->retry_ms,
                            .explanation = request->explained ? &request->explanation : NULL});
    if (refusal == REFUSAL_BAD_TOKEN)
        session_close(request->core, request->session, CLOSE_BAD_TOKEN, "bad token");
}

static struct request request_of(struct core *core, struct session *session,
                                 const struct message *message)
{
    return (struct request){.core = core, .session = session, .message = message, .version = -1};
}

/* --- in a room -------------------------------------------------------------------------------- */

/* What was done since, on top of what was taken before. */
static void charge_done(struct core *core, struct session *session, const struct room *room,
                        const struct cost_stretch *stretch)
{
    struct cost cost = cost_end(core, stretch);
    cost_charge(core, session, cost.all);
    if (room)
        cost_charge_author(core, session, room->edition, &cost);
}

/* Whether the command was done before; then it is answered. */
static bool answer_again(struct request *request, enum refusal *refusal)
{
    int event = event_of(request->message);
    if (event == NO_EVENT)
        return false;
    const struct known_command *known =
        room_find_command(request->room, request->session->identity.player, request->message->id);
    if (!known)
        return false;
    request->core->statistics.duplicates++;
    *refusal = REFUSAL_NONE;
    if (!journal_same_command(known->kind, (enum event_kind)event))
        *refusal = REFUSAL_ID_REUSED;
    else if (event == EVENT_JOINED || event == EVENT_HANDED_OVER)
        *refusal = seating_join_again(request, known->version);
    else if (event == EVENT_MOVED)
        *refusal = play_move_again(request, known->version);
    else if (event == EVENT_SEAT_KEY)
        reply_seat_key(request->core, request->session, request->message->id, request->room->id,
                       known->version, NULL);
    else
        acknowledge(request, known->version);
    return true;
}

static enum refusal handle_action(struct request *request)
{
    const struct action_row *row = &actions[request->message->action.kind];
    int status = (int)request->room->standing.status;
    if (row->handle == invitation_make || row->during == ALWAYS)
        return row->handle(request); /* the first knows an invitation that was followed already */
    if (status < row->during)
        return row->during == STATUS_PLAYING ? REFUSAL_NOT_STARTED : REFUSAL_NOT_OVER;
    if (status > row->during)
        return REFUSAL_GAME_OVER;
    return row->handle(request);
}

static enum refusal handle_in_room(struct request *request)
{
    const struct message *message = request->message;
    const struct row *row = &commands[message->kind];
    enum refusal refusal;
    if (message->kind == MESSAGE_ACTION && !actions[message->action.kind].handle)
        return REFUSAL_UNSUPPORTED;
    if (answer_again(request, &refusal))
        return refusal;
    if (row->who >= VISITOR && !request->attachment)
        return REFUSAL_NOT_IN_ROOM;
    if (row->who >= SEATED && request->attachment->seats == 0)
        return REFUSAL_NOT_SEATED;
    return row->handle ? row->handle(request) : handle_action(request);
}

/* Whether it says something about how the room stands. */
static bool is_about_standing(enum refusal refusal)
{
    switch (refusal) {
    case REFUSAL_SEAT_TAKEN:
    case REFUSAL_NOT_SEATED:
    case REFUSAL_NOT_STARTED:
    case REFUSAL_GAME_OVER:
    case REFUSAL_NOT_OVER:
    case REFUSAL_TOO_LATE:
    case REFUSAL_NOT_YOUR_TURN:
    case REFUSAL_ILLEGAL_MOVE:
    case REFUSAL_STALE:
    case REFUSAL_BAD_KEY:
    case REFUSAL_NO_OFFER:
    case REFUSAL_MUTED:
    case REFUSAL_NOT_IN_ROOM: /* of what may have been done already, from another server */
        return true;
    case REFUSAL_NONE:
    case REFUSAL_BAD_JSON:
    case REFUSAL_BAD_MESSAGE:
    case REFUSAL_UNKNOWN_TYPE:
    case REFUSAL_UNAUTHENTICATED:
    case REFUSAL_BAD_TOKEN:
    case REFUSAL_UNKNOWN_ROOM:
    case REFUSAL_UNKNOWN_GAME:
    case REFUSAL_BAD_DEFINITION:
    case REFUSAL_NO_SUCH_SEAT:
    case REFUSAL_ID_REUSED:
    case REFUSAL_TOO_MANY:
    case REFUSAL_RATE_LIMITED:
    case REFUSAL_UNAVAILABLE:
    case REFUSAL_MOVED:
    case REFUSAL_UNSUPPORTED:
    case REFUSAL_WITHDRAWN:
    case REFUSAL_COUNT:
        return false;
    }
    return false;
}

/* Where others write to the room, too, or it could not be read, it may stand otherwise than we know. */
static bool is_unsure(const struct core *core, const struct room *room,
                      const struct command *command)
{
    return (lease_node(core) || room->following.in_doubt) && !command->is_sure;
}

/* It is about a time that the room has not come to, as far as we know. */
static bool asks_beyond(const struct message *message, const struct room *room)
{
    switch (message->history.ask) {
    case HISTORY_EVENTS:
        return message->history.from > room->version;
    case HISTORY_STATE:
        return message->history.ply > room->move_count;
    case HISTORY_MOVES:
        return message->history.from > room->move_count;
    }
    return false;
}

/* Who comes back or asks has seen more of the room than we have; or sits already, as far as we know: he may have left elsewhere. Who leaves
 * has gone at once, which nobody may be refused who has. */
static bool must_be_sure(const struct core *core, const struct session *session,
                         const struct room *room, const struct command *command)
{
    const struct message *message = &command->message;
    if (!is_unsure(core, room, command))
        return false;
    if (message->kind == MESSAGE_RESUME)
        return message->resume.version > room->version;
    if (message->kind == MESSAGE_HISTORY)
        return asks_beyond(message, room);
    if (message->kind == MESSAGE_LEAVE)
        return true;
    return message->kind == MESSAGE_JOIN && !text_is(message->join.seat, "spectator") &&
           standing_seats_of(&room->standing, &session->identity) != 0;
}

/* What it led to, if it did, keeps the command until it is durable. */
static void keep_or_free(struct room *room, struct command *command)
{
    struct decision *decision = room->decision;
    if (decision && !decision->command && decision->author.peer == command->peer)
        decision->command = command;
    else
        command_free(command);
}

/* What it would hold there, of one that takes no place in the room. */
static uint32_t passing_seats(const struct session *session, const struct room *room)
{
    return session->passes && room->version > 0
               ? standing_seats_of(&room->standing, &session->identity)
               : 0;
}

/* Takes the command. */
static void judge(struct core *core, struct session *session, struct room *room,
                  struct command *command)
{
    struct request request = request_of(core, session, &command->message);
    struct cost_stretch stretch = cost_begin(core);
    bool decides = !room->decision;
    enum refusal refusal = REFUSAL_UNAVAILABLE;
    request.room = room;
    request.came_ms = command->came_ms;
    struct attachment passing = {
        .session = session, .room = room, .seats = passing_seats(session, room)};
    request.attachment = session->passes ? &passing : session_attachment(session, room);
    room->pins++;
    bool unsure = !core->stopping && must_be_sure(core, session, room, command);
    if (!core->stopping && !unsure)
        refusal = handle_in_room(&request);
    /* A flag that falls as the move comes is a decision, too, and may lose its race. */
    bool is_about_now = request.changes_nothing || is_about_standing(refusal);
    unsure = unsure || (decides && is_unsure(core, room, command) && is_about_now);
    if (!unsure)
        answer(&request, refusal);
    charge_done(core, session, room, &stretch);
    if (unsure)
        follow_make_sure(core, room, command);
    else if (decides)
        keep_or_free(room, command);
    else
        command_free(command);
    room->pins--;
}

/* --- waiting for one's turn ------------------------------------------------------------------- */

static bool may_wait(const struct room *room, const struct session *session)
{
    const struct attachment *attachment = session_attachment(session, room);
    bool plays = (attachment && attachment->seats != 0) || passing_seats(session, room) != 0;
    return room->waiting_count < (plays ? ROOM_WAITING_MAX : ROOM_WAITING_WATCHERS_MAX);
}

/* Takes the command. */
static void wait_for_turn(struct core *core, struct session *session, struct room *room,
                          struct command *command)
{
    if (!may_wait(room, session)) {
        reply_unavailable(core, session, command->message.id, command->message.room);
        command_free(command);
        return;
    }
    *room->waiting_end = command;
    room->waiting_end = &command->next;
    room->waiting_count++;
}

void dispatch_waiting(struct core *core, struct room *room)
{
    room->pins++;
    while (room->waiting_first && !room_busy(room)) {
        struct command *command = room_take_first(room);
        struct session *session = session_find(core, command->peer);
        if (session)
            judge(core, session, room, command);
        else
            command_free(command);
    }
    room->pins--;
}

/* Who comes to watch changes nothing, though `join` mostly does: a crowd does not queue behind the players. */
static bool may_change(const struct message *message)
{
    if (message->kind == MESSAGE_JOIN && text_is(message->join.seat, "spectator"))
        return false;
    return message->kind == MESSAGE_ACTION || commands[message->kind].event != NO_EVENT;
}

/* Questions about a room are answered at once from what is durable; whatever may change it keeps
 * its turn. Of a room that is being made or read nothing is known to be durable. */
static bool must_wait(const struct room *room, const struct message *message)
{
    return room->loading || room->version == 0 ||
           (may_change(message) && (room_busy(room) || room->waiting_first));
}

/* Takes the message. */
static struct command *command_new(const struct core *core, const struct session *session,
                                   const struct message *message)
{
    struct command *command = spare_take(sizeof *command);
    command->next = NULL;
    command->peer = session->peer;
    command->came_ms = timing_now_ms(core);
    command->races_lost = 0;
    command->is_sure = false;
    command->message = *message;
    return command;
}

/* Takes the message. */
static void dispatch_to_room(struct core *core, struct session *session, struct message *message)
{
    char id[ROOM_ID_BYTES + 1];
    text_copy(message->room, id, sizeof id);
    struct room *room = core_find_room(core, id);
    if (!room)
        room = loading_begin(core, id, session->account);
    if (!room) {
        reply_unavailable(core, session, message->id, message->room);
        message_release(message);
    } else if (must_wait(room, message)) {
        wait_for_turn(core, session, room, command_new(core, session, message));
    } else {
        judge(core, session, room, command_new(core, session, message));
    }
}

/* Who has no lease has no rooms, and makes none. */
static bool plays(const struct message *message)
{
    return commands[message->kind].in_room || message->kind == MESSAGE_CREATE ||
           message->kind == MESSAGE_SEEK;
}

/* --- from the wire ---------------------------------------------------------------------------- */

/* A fork is about the room it begins from. */
static bool names_room(const struct message *message)
{
    return commands[message->kind].in_room ||
           (message->kind == MESSAGE_CREATE && message->create.is_fork);
}

/* Takes the message. */
static void dispatch_message(struct core *core, struct session *session, struct message *message)
{
    const struct row *row = &commands[message->kind];
    struct request request = request_of(core, session, message);
    struct cost_stretch stretch = cost_begin(core);
    enum refusal refusal = REFUSAL_NONE;
    if (row->who > ANYBODY && session->stage != SESSION_KNOWN)
        refusal = REFUSAL_UNAUTHENTICATED;
    else if (core->stopping || (!lease_held(core) && plays(message)))
        refusal = REFUSAL_UNAVAILABLE;
    else if (names_room(message) && !room_id_fits(message->room.length))
        refusal = REFUSAL_UNKNOWN_ROOM; /* no room is called so */
    else if (names_room(message)) {
        dispatch_to_room(core, session, message);
        return;
    } else
        refusal = row->handle(&request);
    answer(&request, refusal);
    charge_done(core, session, NULL, &stretch);
    message_release(message);
}

static void refuse_malformed(struct core *core, struct session *session, enum refusal refusal,
                             const struct message_fault *fault)
{
    reply_refuse(core, session,
                 &(struct complaint){.refusal = refusal,
                                     .command = text_of(fault->reply_id),
                                     .words = fault->words,
                                     .version = -1});
    if (refusal != REFUSAL_UNKNOWN_TYPE && ++session->malformed_count >= SESSION_MALFORMED_MAX)
        session_close(core, session, CLOSE_POLICY, "too many malformed messages");
}

/* To be told so costs, too: who goes on all the same gets nothing more through, and is closed. */
static void refuse_limited(struct core *core, struct session *session, uint64_t cost,
                           struct text command, struct text room)
{
    cost_charge(core, session, LIMITED_COST);
    reply_refuse(core, session,
                 &(struct complaint){.refusal = REFUSAL_RATE_LIMITED,
                                     .command = command,
                                     .room = room,
                                     .version = -1,
                                     .retry_ms = cost_wait_ms(core, session, cost)});
    if (++session->limited_count >= SESSION_LIMITED_MAX)
        session_close(core, session, CLOSE_RATE_LIMITED, "rate limited");
}

/* Whatever was said has to be paid for, sense or nonsense. */
void dispatch_text(struct core *core, struct session *session, const char *text, size_t length)
{
    struct message message;
    struct message_fault fault;
    core->statistics.commands++;
    enum refusal refusal = message_read(text, length, &message, &fault);
    bool understood = refusal == REFUSAL_NONE;
    uint64_t cost = cost_of_reading(text, length) + (understood ? cost_of(&message) : REFUSED_COST);
    if (cost_take(core, session, cost) > 0) {
        refuse_limited(core, session, cost, understood ? message.id : text_of(fault.reply_id),
                       understood ? message.room : (struct text){NULL, 0});
        if (understood)
            message_release(&message);
        return;
    }
    session->limited_count = 0;
    if (understood)
        dispatch_message(core, session, &message);
    else
        refuse_malformed(core, session, refusal, &fault);
}
