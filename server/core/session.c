#include "server/core/session.h"

#include "engine/memory/memory.h"
#include "server/core/cost.h"
#include "server/core/parts.h"
#include "server/core/publish.h"

#include <stdlib.h>
#include <string.h>

enum { ATTACHED_SIZE_MIN = 2, SESSION_SECRET_BYTES = 12 };

struct session *session_new(struct core *core, peer_id peer, bool local,
                            const struct core_address *address)
{
    unsigned char secret[SESSION_SECRET_BYTES];
    struct session *session = memory_zeroed(1, sizeof *session);
    session->peer = peer;
    session->local = local;
    session->opened_ms = core->now_ms;
    core->ports.random(core->ports.context, secret, sizeof secret);
    session->id[0] = 's', session->id[1] = '_';
    digest_write_base64url(secret, sizeof secret, session->id + 2);
    memcpy(session->name, SESSION_NAME_OF_NOBODY, sizeof SESSION_NAME_OF_NOBODY);
    allowance_init(&session->allowance, local ? 0 : core->options.commands_per_s,
                   core->options.commands_burst, core->now_ms);
    cost_begin_precedence(core, session);
    session->account = account_of(&core->accounts, address, core->now_ms);
    session->player_account = account_hold(&core->accounts.local);
    map_put(&core->sessions, &session->peer, sizeof session->peer, session);
    list_append(&core->strangers, &session->stage_link, session);
    core->statistics.peers++;
    return session;
}

void session_free(struct core *core, struct session *session)
{
    while (session->attachments)
        session_detach(core, session->attachments);
    list_remove(&session->stage_link);
    list_remove(&session->lobby_link);
    map_remove(&core->sessions, &session->peer, sizeof session->peer);
    account_let_go(&core->accounts, session->account, core->now_ms);
    account_let_go(&core->accounts, session->player_account, core->now_ms);
    core->statistics.peers--;
    core->statistics.sessions -= session->identity.player[0] != '\0';
    free(session);
}

struct session *session_find(const struct core *core, peer_id peer)
{
    struct session *session = map_find(&core->sessions, &peer, sizeof peer);
    return session && session->stage != SESSION_CLOSED ? session : NULL;
}

/* --- sending ---------------------------------------------------------------------------------- */

bool session_offer(struct core *core, struct session *session, struct frame *frame)
{
    if (session->stage == SESSION_CLOSED)
        return true; /* there is nobody to lag behind */
    return core->ports.send(core->ports.context, session->peer, frame) == SEND_QUEUED;
}

void session_send(struct core *core, struct session *session, struct frame *frame)
{
    if (!session_offer(core, session, frame))
        session_close(core, session, CLOSE_TOO_SLOW, "too slow: come back and resume");
}

void session_send_written(struct core *core, struct session *session)
{
    struct frame *frame = frame_new(core->writer.data, core->writer.length);
    writer_clear(&core->writer);
    session_send(core, session, frame);
    frame_release(frame);
}

void session_measure(struct core *core, const struct session *session)
{
    if (core->ports.measure && !session->local && !session->passes &&
        session->stage != SESSION_CLOSED)
        core->ports.measure(core->ports.context, session->peer);
}

uint32_t session_lag_ms(const struct core *core, peer_id peer)
{
    const struct session *session = map_find(&core->sessions, &peer, sizeof peer);
    return session ? session->lag_ms : 0;
}

void session_close(struct core *core, struct session *session, int code, const char *reason)
{
    if (session->stage == SESSION_CLOSED)
        return;
    session->stage = SESSION_CLOSED;
    for (struct attachment *attachment = session->attachments; attachment;
         attachment = attachment->next)
        presence_count(attachment);
    list_append(&core->closed, &session->stage_link, session);
    core->ports.close(core->ports.context, session->peer, code, reason);
}

/* --- rooms ------------------------------------------------------------------------------------ */

struct attachment *session_attachment(const struct session *session, const struct room *room)
{
    struct attachment *attachment = session->attachments;
    while (attachment && attachment->room != room)
        attachment = attachment->next;
    return attachment;
}

static void replace_older(struct core *core, const struct session *session, struct room *room)
{
    for (int i = 0; i < room->attached_count; i++) {
        struct attachment *older = room->attached[i];
        if (older->seats == 0 || older->session == session ||
            !identity_equal(&older->session->identity, &session->identity))
            continue;
        session_close(core, older->session, CLOSE_REPLACED, "replaced by a newer connection");
        older->seats = 0;
    }
}

static void take_place(struct room *room, struct attachment *attachment)
{
    if (room->attached_count == room->attached_size) {
        room->attached_size = room->attached_size ? room->attached_size * 2 : ATTACHED_SIZE_MIN;
        room->attached =
            memory_resize(room->attached, (size_t)room->attached_size, sizeof(struct attachment *));
    }
    attachment->index = room->attached_count;
    room->attached[room->attached_count++] = attachment;
}

struct attachment *session_attach(struct core *core, struct session *session, struct room *room,
                                  bool seated)
{
    struct attachment *attachment = session_attachment(session, room);
    if (!attachment) {
        if (session->attachment_count >= (int)core->options.rooms_per_session_max)
            return NULL;
        attachment = memory_zeroed(1, sizeof *attachment);
        *attachment =
            (struct attachment){.session = session, .room = room, .next = session->attachments};
        session->attachments = attachment;
        session->attachment_count++;
        session->account->in_rooms++;
        core->bots.changed |= room->people_count == 0;
        take_place(room, attachment);
        room->people_count += !session->local;
        if (room->people_count > 0)
            list_remove(&room->idle_link);
    }
    attachment->seated = seated;
    attachment->seats = seated ? standing_seats_of(&room->standing, &session->identity) : 0;
    presence_count(attachment);
    attachment->seated_ms = core->now_ms;
    if (attachment->seats != 0) {
        replace_older(core, session, room);
        outage_seen(core, room, NULL, attachment->seats);
        presence_took_seat(core, attachment);
        if (room->standing.has_clocks)
            session_measure(core, session);
    }
    publish_presence_later(core, room);
    return attachment;
}

void session_detach(struct core *core, struct attachment *attachment)
{
    struct session *session = attachment->session;
    struct room *room = attachment->room;
    struct attachment **link = &session->attachments;
    while (*link != attachment)
        link = &(*link)->next;
    *link = attachment->next;
    session->attachment_count--;
    session->account->in_rooms--;
    list_remove(&attachment->resync_link);
    presence_forget(attachment);

    struct attachment *last = room->attached[--room->attached_count];
    room->attached[attachment->index] = last;
    last->index = attachment->index;
    room->people_count -= !session->local;
    if (room->people_count == 0 && !link_listed(&room->idle_link)) {
        room->idle_since_ms = core->now_ms;
        list_append(&core->idle, &room->idle_link, room);
    }
    publish_presence_later(core, room);
    free(attachment);
}
