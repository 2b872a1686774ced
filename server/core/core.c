/* The doors of the core: every input comes in here, is handed to the part it is for, and ends with
 * `settle`, which does what must not be done in the middle of things. */
#include "server/core/core.h"

#include "engine/memory/memory.h"
#include "engine/memory/spares.h"
#include "server/core/absence.h"
#include "server/core/bots.h"
#include "server/core/cost.h"
#include "server/core/dispatch.h"
#include "server/core/follow.h"
#include "server/core/hints.h"
#include "server/core/invitation.h"
#include "server/core/loading.h"
#include "server/core/parts.h"
#include "server/core/publish.h"
#include "server/core/seeking.h"
#include "server/core/transfer.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SERVER_VERSION "0.1.0"

void core_options_default(struct core_options *options)
{
    *options = (struct core_options){
        .commands_per_s = 500,
        .commands_burst = 400,
        .address_per_s = 4000,
        .address_burst = 8000,
        .all_per_s = 16000,
        .all_burst = 16000,
        .picture_bytes = 64 * 1024,
        .accounts_kept_max = 65536,
        .address_rooms_per_minute = 120,
        .address_rooms_burst = 240,
        .rooms_made_per_s = 100,
        .rooms_made_burst = 1000,
        .bots_max = 512,
        .bots_of_address = 64,
        .bots_of_player = 16,
        .heartbeat_ms = 15000,
        .player_heartbeat_ms = 3000,
        .auth_within_ms = 10000,
        .room_idle_ms = 60000,
        .absence_ms = 300000,
        .url = "",
        .place = "",
        .rooms_live_max = 100000,
        .definitions_mib = 256,
        .address_definitions_mib = 64,
        .transfer_units = 80000000, /* about a second */
        .rooms_per_session_max = 16,
        .recent_room_bytes = 16 * 1024,
        .recent_bytes = 256 * 1024 * 1024,
        .prune_every_ms = 3600000,
    };
}

/* --- life ------------------------------------------------------------------------------------- */

static struct frame *hello_frame(const struct core_options *options)
{
    struct writer writer;
    writer_init(&writer);
    writer_object(&writer);
    writer_key(&writer, "type"), writer_string(&writer, "hello");
    writer_key(&writer, "protocol"), writer_string(&writer, "senet.v1");
    writer_key(&writer, "server"), writer_string(&writer, SERVER_VERSION);
    writer_key(&writer, "heartbeat_ms"), writer_integer(&writer, options->heartbeat_ms);
    writer_key(&writer, "player_heartbeat_ms"),
        writer_integer(&writer, options->player_heartbeat_ms);
    writer_key(&writer, "limits");
    writer_object(&writer);
    writer_key(&writer, "message_bytes"), writer_integer(&writer, MESSAGE_BYTES_MAX);
    writer_key(&writer, "definition_bytes"), writer_integer(&writer, MESSAGE_BYTES_MAX);
    writer_key(&writer, "name_bytes"), writer_integer(&writer, DISPLAY_NAME_BYTES_MAX);
    writer_key(&writer, "chat_bytes"), writer_integer(&writer, CHAT_BYTES_MAX);
    writer_key(&writer, "rooms"), writer_integer(&writer, options->rooms_per_session_max);
    writer_end(&writer);
    writer_end(&writer);
    struct frame *frame = frame_new(writer.data, writer.length);
    writer_release(&writer);
    return frame;
}

struct core *core_new(const struct core_options *options, const struct core_ports *ports,
                      uint64_t now_ms)
{
    struct core *core = memory_zeroed(1, sizeof *core);
    core->options = *options;
    core->ports = *ports;
    core->now_ms = now_ms;
    timing_clock_set(core);
    core->start_again_ms = UINT64_MAX;
    core->recent_budget =
        (struct recent_budget){options->recent_room_bytes, options->recent_bytes, 0};
    core->last_number = 1; /* the lobby's replace_key is 1, the rooms' are their numbers */
    ports->random(ports->context, &core->hash_key, sizeof core->hash_key);
    map_init(&core->tickets, core->hash_key);
    map_init(&core->sessions, core->hash_key);
    map_init(&core->rooms, core->hash_key);
    map_init(&core->compilations, core->hash_key);
    accounts_init(&core->accounts,
                  &(struct account_limits){.per_s = options->address_per_s,
                                           .burst = options->address_burst,
                                           .rooms_per_minute = options->address_rooms_per_minute,
                                           .rooms_burst = options->address_rooms_burst,
                                           .keys_per_minute = KEYS_PER_MINUTE,
                                           .keys_burst = KEYS_BURST,
                                           .publications_per_minute = PUBLICATIONS_PER_MINUTE,
                                           .publications_burst = PUBLICATIONS_BURST,
                                           .day_bytes = options->address_day_bytes,
                                           .kept_max = (int)options->accounts_kept_max},
                  core->hash_key);
    allowance_init(&core->working, options->all_per_s, options->all_burst, now_ms);
    allowance_init(&core->making, options->rooms_made_per_s, options->rooms_made_burst, now_ms);
    bots_init(core);
    pictures_init(core);
    catalogue_init(&core->catalogue, core->hash_key);
    core->catalogue.accounts = &core->accounts;
    lobby_init(&core->lobby, core->hash_key);
    seeking_init(core);
    hints_init(core);
    list_init(&core->strangers);
    list_init(&core->closed);
    list_init(&core->idle);
    list_init(&core->presence);
    list_init(&core->resyncs);
    list_init(&core->invitations);
    writer_init(&core->writer);
    writer_init(&core->body);
    for (int i = 0; i < 2; i++)
        core->cells[i] = memory_zeroed(1, sizeof *core->cells[i]);
    tasks_init(&core->tasks);
    core->hello = hello_frame(options);
    lease_init(core);
    follow_init(core);
    housekeeping_init(core);
    watch_init(core);
    rating_init(core);
    return core;
}

static void free_all(struct core *core)
{
    size_t cursor = 0;
    for (struct room *room; (room = map_next(&core->rooms, &cursor));) {
        timing_leaves(core, room);
        follow_leaves(core, room);
        room_free(room, &core->catalogue);
    }
    cursor = 0;
    for (struct ticket *ticket; (ticket = map_next(&core->tickets, &cursor));) {
        if (ticket->task)
            ticket->task->kind->release(core, ticket->task);
        free(ticket->clock);
        spare_give(ticket, sizeof *ticket);
    }
}

void core_free(struct core *core)
{
    if (!core)
        return;
    for (size_t cursor = 0; core->sessions.count > 0; cursor = 0)
        session_free(core, map_next(&core->sessions, &cursor));
    free_all(core);
    hints_release(core);
    invitation_release(core);
    seeking_release(core);
    bots_release(core);
    timing_release(core);
    follow_release(core);
    pictures_release(core);
    tasks_release(core);
    lobby_release(&core->lobby);
    catalogue_release(&core->catalogue);
    map_release(&core->tickets);
    map_release(&core->sessions);
    map_release(&core->rooms);
    map_release(&core->compilations);
    accounts_release(&core->accounts);
    writer_release(&core->writer);
    writer_release(&core->body);
    free(core->cells[0]);
    free(core->cells[1]);
    frame_release(core->hello);
    free(core);
}

bool core_add_game(struct core *core, const char *id, struct game *game, const char *text,
                   size_t length)
{
    assert(strlen(id) <= WORD_BYTES_MAX);
    return catalogue_serve(&core->catalogue, id, text, length, game_retain(game));
}

bool core_add_game_for(struct core *core, const char *id, int players, struct game *game)
{
    return catalogue_serve_for(&core->catalogue, id, players, game_retain(game));
}

/* --- for the other parts --------------------------------------------------------------------- */

struct room *core_find_room(const struct core *core, const char *id)
{
    return map_find(&core->rooms, id, strlen(id));
}

void core_count_guess(struct core *core, struct account *account)
{
    core->statistics.rooms_unknown++;
    account_charge(account, (uint64_t)GUESS_COST * 1000, core->now_ms);
}

void core_log(struct core *core, enum fact_level level, const char *fact, const char *room,
              const char *words)
{
    struct writer writer;
    writer_init(&writer);
    writer_object(&writer);
    writer_key(&writer, "room"), writer_string(&writer, room);
    writer_key(&writer, "words"), writer_string(&writer, words);
    writer_end(&writer);
    writer.data[writer.length - 1] = '\0'; /* the members without the braces around them */
    core->ports.log(core->ports.context, level, fact, writer.data + 1);
    writer_release(&writer);
}

/* --- the end of a turn ------------------------------------------------------------------------ */

/* Sessions that were closed leave their rooms here and not where they were closed: somebody up the
 * stack may have been walking along a room's peers. */
static void settle(struct core *core)
{
    for (struct session *session; (session = list_first(&core->closed));) {
        list_remove(&session->stage_link);
        lobby_unsubscribe(session);
        seeking_left(core, session);
        hints_left(core, session);
        while (session->attachments)
            session_detach(core, session->attachments);
    }
    bots_settle(core);
    if (core->stopping && core->waiting_for_store == 0)
        lease_leave(core);
}

/* --- starting and stopping -------------------------------------------------------------------- */

static void ask_for_start(struct core *core, enum ticket_kind kind, enum store_ask ask)
{
    struct ticket *ticket = ticket_new(core, kind, "");
    if (!ticket_ask(core, ticket, &(struct store_request){.ask = ask}))
        core->start_again_ms = core->now_ms + RETRY_MS;
}

void core_start(struct core *core)
{
    core->start_again_ms = UINT64_MAX;
    lease_time(core);
    if (!core->has_secret)
        ask_for_start(core, TICKET_SECRET, STORE_SECRET);
}

void core_stop(struct core *core)
{
    core->stopping = true;
    settle(core);
}

bool core_quiet(const struct core *core)
{
    return core->waiting_for_store == 0 && (!core->stopping || core->lease.left);
}

bool core_cut_off(const struct core *core)
{
    return lease_node(core) && !lease_held(core);
}

/* --- time ------------------------------------------------------------------------------------- */

static void close_strangers(struct core *core)
{
    for (struct session *session; (session = list_first(&core->strangers));) {
        if (core->now_ms < session->opened_ms + core->options.auth_within_ms)
            return;
        session_close(core, session, CLOSE_POLICY, "no auth");
    }
}

/* What has a time of its own so far begins anew. */
void core_set_clock(struct core *core, int64_t now_ms)
{
    const struct core_options *options = &core->options;
    core->offset_ms += now_ms - (int64_t)core->now_ms;
    core->now_ms = (uint64_t)now_ms;
    timing_clock_set(core);
    allowance_init(&core->working, options->all_per_s, options->all_burst, core->now_ms);
    allowance_init(&core->making, options->rooms_made_per_s, options->rooms_made_burst,
                   core->now_ms);
    if (core->start_again_ms != UINT64_MAX)
        core->start_again_ms = core->now_ms + RETRY_MS;
    core->presence_round_ms = core->lobby.round_ms = core->now_ms;
    core->seeking.tell_ms = core->seeking.round_ms = core->now_ms;
    follow_init(core);
    housekeeping_init(core);
    watch_init(core);
    rating_init(core);
}

/* When the clock is put back, it stands still until it is right. */
static void tell_time(struct core *core, uint64_t told_ms)
{
    uint64_t now_ms = (uint64_t)((int64_t)told_ms + core->offset_ms);
    if (now_ms <= core->now_ms)
        return;
    uint64_t before_ms = core->now_ms;
    core->now_ms = now_ms;
    timing_passes(core, before_ms);
}

void core_time(struct core *core, uint64_t now_ms)
{
    tell_time(core, now_ms);
    lease_time(core);
    if (core->start_again_ms <= core->now_ms)
        core_start(core);
    close_strangers(core);
    timing_time(core);
    follow_time(core);
    invitation_give_up(core);
    seeking_time(core);
    loading_unload_idle(core);
    presence_time(core);
    publish_presence_due(core);
    publish_resync_due(core);
    housekeeping_time(core);
    watch_time(core);
    rating_time(core);
    settle(core);
    lobby_time(core); /* tells what all of this has changed */
    settle(core);
}

static void sooner(uint64_t *deadline_ms, uint64_t other_ms)
{
    if (other_ms < *deadline_ms)
        *deadline_ms = other_ms;
}

static uint64_t deadline_of(const struct core *core)
{
    uint64_t deadline_ms = lobby_deadline_ms(core);
    const struct session *stranger = list_first(&core->strangers);
    const struct room *idle = list_first(&core->idle);
    sooner(&deadline_ms, core->start_again_ms);
    sooner(&deadline_ms, lease_deadline_ms(core));
    sooner(&deadline_ms, housekeeping_deadline_ms(core));
    sooner(&deadline_ms, watch_deadline_ms(core));
    sooner(&deadline_ms, rating_deadline_ms(core));
    sooner(&deadline_ms, invitation_deadline_ms(core));
    sooner(&deadline_ms, seeking_deadline_ms(core));
    sooner(&deadline_ms, bots_deadline_ms(core));
    sooner(&deadline_ms, timing_deadline_ms(core));
    sooner(&deadline_ms, follow_deadline_ms(core));
    sooner(&deadline_ms, presence_deadline_ms(core));
    sooner(&deadline_ms, publish_resync_deadline_ms(core));
    if (stranger)
        sooner(&deadline_ms, stranger->opened_ms + core->options.auth_within_ms);
    if (idle)
        sooner(&deadline_ms, idle->idle_since_ms + core->options.room_idle_ms);
    if (list_first(&core->presence))
        sooner(&deadline_ms, core->presence_due_ms);
    return deadline_ms;
}

/* Told as the time is told. */
uint64_t core_deadline_ms(const struct core *core)
{
    uint64_t deadline_ms = deadline_of(core);
    int64_t offset_ms = core->offset_ms;
    if (deadline_ms == UINT64_MAX || offset_ms == 0)
        return deadline_ms;
    return (int64_t)deadline_ms > offset_ms ? (uint64_t)((int64_t)deadline_ms - offset_ms) : 0;
}

/* --- peers ------------------------------------------------------------------------------------ */

/* A line's end stands in no room's id and no seat's name: no bot of ours is ever made of the same text. */
void core_token_for(const struct core *core, const char *purpose, const char *name, char *token)
{
    unsigned char digest[DIGEST_BYTES];
    size_t length = strlen(purpose) + 1 + strlen(name);
    char *text = memory_bytes(length + 1);
    assert(core->has_secret);
    snprintf(text, length + 1, "%s\n%s", purpose, name);
    digest_hmac_sha256(core->secret, sizeof core->secret, text, length, digest);
    free(text);
    identity_write_token(digest, token);
}

void core_peer_opened(struct core *core, peer_id peer, bool local,
                      const struct core_address *address)
{
    struct session *session = session_new(core, peer, local, address);
    cost_charge(core, session, SESSION_COST);
    session_send(core, session, core->hello);
    settle(core);
}

void core_peer_passes(struct core *core, peer_id peer, const struct core_address *address)
{
    struct session *session = session_new(core, peer, false, address);
    session->passes = true;
    session_send(core, session, core->hello);
    settle(core);
}

void core_peer_said(struct core *core, peer_id peer, const char *text, size_t length)
{
    struct session *session = session_find(core, peer);
    if (session)
        dispatch_text(core, session, text, length);
    settle(core);
}

static bool plays(const struct session *session)
{
    const struct attachment *attachment = session ? session->attachments : NULL;
    while (attachment &&
           (attachment->seats == 0 || attachment->room->standing.status != STATUS_PLAYING))
        attachment = attachment->next;
    return attachment != NULL;
}

bool core_peer_plays(const struct core *core, peer_id peer)
{
    return plays(session_find(core, peer));
}

bool core_peer_precedes(const struct core *core, peer_id peer)
{
    struct session *session = session_find(core, peer);
    return session && allowance_has_some(&session->precedence, core->now_ms) && plays(session);
}

void core_peer_drained(struct core *core, peer_id peer)
{
    struct session *session = session_find(core, peer);
    if (!session)
        return;
    publish_drained(core, session);
    lobby_drained(core, session);
    settle(core);
}

void core_peer_answered(struct core *core, peer_id peer, uint32_t round_trip_ms)
{
    struct session *session = session_find(core, peer);
    if (session)
        session->lag_ms = round_trip_ms;
}

void core_peer_gone(struct core *core, peer_id peer)
{
    struct session *session = map_find(&core->sessions, &peer, sizeof peer);
    if (session) {
        bots_gone(core, session);
        seeking_left(core, session);
        hints_left(core, session);
        session_free(core, session);
    }
    settle(core);
}

/* --- answers ---------------------------------------------------------------------------------- */

void core_store_answered(struct core *core, struct store_answer *answer)
{
    ticket_answered(core, answer);
    store_answer_release(answer);
    settle(core);
}

void core_worked(struct core *core, struct job *job)
{
    task_worked(core, job);
    settle(core);
}

void core_hinted(struct core *core, uint64_t number, struct position *position,
                 const struct core_hint *hints, int count)
{
    hints_answered(core, number, position, hints, count);
    settle(core);
}

/* --- other servers ---------------------------------------------------------------------------- */

void core_heard(struct core *core, const struct bus_message *message)
{
    outage_heard(core, message);
    if (message->subject == BUS_ROOM)
        follow_heard(core, message);
    if (message->subject == BUS_HERE)
        presence_heard(core, message);
    if (message->subject == BUS_LOBBY)
        lobby_heard(core, message);
    if (message->subject == BUS_SEEK)
        seeking_heard(core, message);
    settle(core);
}

void core_missed(struct core *core)
{
    absence_begin_anew(core);
    follow_sweep_all(core);
    lobby_read_soon(core);
}

void core_bus_changed(struct core *core, bool is_up)
{
    core->follow.has_bus = is_up;
    outage_forget(core);
    absence_begin_anew(core);
    follow_sweep_all(core);
    lobby_read_soon(core);
}

/* One that has gone, or was not there until now, may have written what it has not told. */
void core_neighbours(struct core *core, int count)
{
    if (count != core->follow.neighbours)
        follow_sweep_all(core);
    core->follow.neighbours = count;
}

/* --- cost over HTTP --------------------------------------------------------------------------- */

uint64_t core_take(struct core *core, const struct core_address *address, uint64_t thousandths)
{
    struct account *account = account_of(&core->accounts, address, core->now_ms);
    uint64_t wait_ms = cost_account_wait_ms(core, account, thousandths);
    if (wait_ms == 0)
        cost_charge_account(core, account, thousandths);
    account_let_go(&core->accounts, account, core->now_ms);
    return wait_ms;
}

void core_charge(struct core *core, const struct core_address *address, uint64_t thousandths)
{
    struct account *account = account_of(&core->accounts, address, core->now_ms);
    cost_charge_account(core, account, thousandths);
    account_let_go(&core->accounts, account, core->now_ms);
}
