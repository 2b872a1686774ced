#include "server/core/invitation.h"

#include "engine/memory/memory.h"
#include "server/core/bots.h"
#include "server/core/handlers.h"
#include "server/core/reply.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct invitation {
    struct link link; /* in core->invitations */
    char room[ROOM_ID_BYTES + 1];
    int seat, level;
    peer_id peer;
    char command[COMMAND_ID_BYTES_MAX + 1];
    uint64_t deadline_ms;
};

/* --- who they are ----------------------------------------------------------------------------- */

/* A line's end stands in no seat's name: no two bots are made of the same text. */
void invitation_token(const struct core *core, const struct room *room, int seat, int level,
                      char token[TOKEN_BYTES + 1])
{
    char text[ROOM_ID_BYTES + NAME_BYTES_MAX + 16];
    unsigned char digest[DIGEST_BYTES];
    int length = snprintf(text, sizeof text, "%s/%s", room->id, room->edition->seat_names[seat]);
    if (level > 0)
        length += snprintf(text + length, sizeof text - (size_t)length, "\n%d", level);
    digest_hmac_sha256(core->secret, sizeof core->secret, text, (size_t)length, digest);
    identity_write_token(digest, token);
}

void invitation_identity(const struct core *core, const struct room *room, int seat, int level,
                         struct identity *identity)
{
    char token[TOKEN_BYTES + 1];
    invitation_token(core, room, seat, level, token);
    identity_of_token(token, TOKEN_BYTES, identity);
}

int invitation_level(const struct core *core, const struct room *room, int seat,
                     const struct identity *player)
{
    struct identity identity;
    for (int level = 0; level <= BOT_LEVEL_MAX; level++) {
        invitation_identity(core, room, seat, level, &identity);
        if (identity_equal(&identity, player))
            return level;
    }
    return BOT_LEVEL_NONE;
}

/* Somebody who is in the room, or has just asked for it. */
static const struct session *who_is_there(const struct core *core, const struct room *room)
{
    for (int i = 0; i < room->attached_count; i++)
        if (!room->attached[i]->session->local)
            return room->attached[i]->session;
    return room->waiting_first ? session_find(core, room->waiting_first->peer) : NULL;
}

void invitation_call_house(struct core *core, const struct room *room, const struct room *people)
{
    if (room->standing.status == STATUS_FINISHED)
        return;
    for (int i = 0; i < room->standing.seat_count; i++) {
        const struct seat *seat = &room->standing.seats[i];
        int level = seat->taken && seat->house ? invitation_level(core, room, i, &seat->holder)
                                               : BOT_LEVEL_NONE;
        if (level != BOT_LEVEL_NONE)
            bots_want(core, room, i, level, who_is_there(core, people));
    }
}

/* --- inviting --------------------------------------------------------------------------------- */

int invitation_expects(const struct core *core, const struct room *room, int seat)
{
    for (struct link *link = core->invitations.ends.next; link != &core->invitations.ends;
         link = link->next) {
        const struct invitation *invitation = link->owner;
        if (invitation->seat == seat && strcmp(invitation->room, room->id) == 0)
            return invitation->level;
    }
    return BOT_LEVEL_NONE;
}

/* The first seat that is free, and that no bot is on its way to if there is such a one. */
static int choose_seat(const struct core *core, const struct room *room)
{
    for (int i = 0; i < room->standing.seat_count; i++)
        if (!room->standing.seats[i].taken && invitation_expects(core, room, i) == BOT_LEVEL_NONE)
            return i;
    return standing_free_seat(&room->standing);
}

static int house_seat(const struct room *room)
{
    for (int i = 0; i < room->standing.seat_count; i++)
        if (room->standing.seats[i].taken && room->standing.seats[i].house)
            return i;
    return SEAT_NONE;
}

/* SEAT_NONE: no seat is free. */
static enum refusal wanted_seat(const struct request *request, int *seat)
{
    const struct room *room = request->room;
    struct text word = request->message->action.seat;
    if (!word.data) {
        *seat = choose_seat(request->core, room);
        if (*seat == SEAT_NONE)
            *seat = house_seat(room);
        return *seat == SEAT_NONE ? REFUSAL_SEAT_TAKEN : REFUSAL_NONE;
    }
    player_index player = game_find_player(room->edition->game, word.data, word.length);
    *seat = (int)player;
    return player == PLAYER_NONE ? REFUSAL_NO_SUCH_SEAT : REFUSAL_NONE;
}

static void expect(struct request *request, int seat, int level)
{
    struct core *core = request->core;
    struct invitation *invitation = memory_zeroed(1, sizeof *invitation);
    *invitation = (struct invitation){.seat = seat,
                                      .level = level,
                                      .peer = request->session->peer,
                                      .deadline_ms = core->now_ms + INVITATION_WAIT_MS};
    memcpy(invitation->room, request->room->id, sizeof invitation->room);
    text_copy(request->message->id, invitation->command, sizeof invitation->command);
    list_append(&core->invitations, &invitation->link, invitation);
    core->invitation_count++;
}

enum refusal invitation_make(struct request *request)
{
    struct core *core = request->core;
    const struct room *room = request->room;
    int seat;
    if (room->standing.status == STATUS_FINISHED)
        return REFUSAL_GAME_OVER;
    if (room->standing.rated)
        return refuse_because(request, REFUSAL_UNSUPPORTED, "the server's bots have no rating");
    enum refusal refusal = wanted_seat(request, &seat);
    if (refusal != REFUSAL_NONE)
        return refusal;
    if (room->standing.seats[seat].taken) {
        if (!room->standing.seats[seat].house)
            return REFUSAL_SEAT_TAKEN;
        acknowledge(request, room->version); /* it sits there already: this was sent again */
        return REFUSAL_NONE;
    }
    if (!core->has_secret)
        return REFUSAL_UNAVAILABLE;
    if (core->invitation_count >= INVITATIONS_MAX || !bots_may_invite(core, request->session)) {
        core->statistics.bots_refused++;
        return refuse_because(request, REFUSAL_TOO_MANY, "too many of the server's bots");
    }
    /* Where one is on its way it is waited for, whatever its level. */
    int level = invitation_expects(core, room, seat);
    bool on_its_way = level != BOT_LEVEL_NONE;
    if (!on_its_way)
        level = request->message->action.level > 0 ? request->message->action.level
                                                   : (int)core->options.bot_level;
    expect(request, seat, level);
    if (!on_its_way)
        bots_want(core, room, seat, level, request->session);
    return REFUSAL_NONE;
}

/* --- the answer ------------------------------------------------------------------------------- */

static void forget(struct core *core, struct invitation *invitation)
{
    list_remove(&invitation->link);
    core->invitation_count--;
    free(invitation);
}

static void answer(struct core *core, const struct invitation *invitation, const struct room *room)
{
    struct session *session = session_find(core, invitation->peer);
    struct text command = text_of(invitation->command);
    if (!session)
        return;
    if (room->standing.seats[invitation->seat].house)
        reply_ack(core, session, command, room->id, room->version, NULL);
    else
        reply_refuse(core, session,
                     &(struct complaint){.refusal = REFUSAL_SEAT_TAKEN,
                                         .command = command,
                                         .room = text_of(room->id),
                                         .version = -1});
}

void invitation_joined(struct core *core, const struct room *room)
{
    struct link *next;
    for (struct link *link = core->invitations.ends.next; link != &core->invitations.ends;
         link = next) {
        struct invitation *invitation = link->owner;
        next = link->next;
        if (strcmp(invitation->room, room->id) != 0 ||
            !room->standing.seats[invitation->seat].taken)
            continue;
        answer(core, invitation, room);
        forget(core, invitation);
    }
}

void invitation_give_up(struct core *core)
{
    for (struct invitation *invitation;
         (invitation = list_first(&core->invitations)) && invitation->deadline_ms <= core->now_ms;
         forget(core, invitation)) {
        struct session *session = session_find(core, invitation->peer);
        if (session)
            reply_unavailable(core, session, text_of(invitation->command),
                              text_of(invitation->room));
    }
}

uint64_t invitation_deadline_ms(const struct core *core)
{
    const struct invitation *first = list_first(&core->invitations);
    return first ? first->deadline_ms : UINT64_MAX;
}

void invitation_release(struct core *core)
{
    for (struct invitation *invitation; (invitation = list_first(&core->invitations));)
        forget(core, invitation);
}
