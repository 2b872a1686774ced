#include "server/core/loading.h"

#include "memory/memory.h"
#include "server/core/dispatch.h"
#include "server/core/giving_way.h"
#include "server/core/holdings.h"
#include "server/core/invitation.h"
#include "server/core/journal.h"
#include "server/core/publish.h"
#include "server/core/reply.h"
#include "server/core/view.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { REBUILT_EVENTS_MAX = 64 }; /* hardly more fit into what a room keeps */

struct compilation {
    char hash[DIGEST_HEX_DIGITS + 1];
    int players;
    char key[EDITION_KEY_BYTES + 1];
    char *text; /* owned */
    size_t length;
    struct compile_waiter *first, **end;
};

/* --- the table of live rooms ------------------------------------------------------------------ */

static bool may_unload(const struct room *room)
{
    return room->people_count == 0 && room->pins == 0 && !room_busy(room) && !room->waiting_first;
}

static void detach_all(struct core *core, struct room *room, int code, const char *reason)
{
    while (room->attached_count > 0) {
        struct attachment *attachment = room->attached[room->attached_count - 1];
        session_close(core, attachment->session, code, reason);
        session_detach(core, attachment);
    }
}

void loading_forget(struct core *core, struct room *room)
{
    /* Mostly only the server's own bots are still here; they are called again when the room is. */
    detach_all(core, room, CLOSE_ROOM_GONE, "the room sleeps");
    lease_release(core, room->id, room->epoch);
    map_remove(&core->rooms, room->id, strlen(room->id));
    room_free(room, &core->catalogue);
}

static bool make_place(struct core *core)
{
    if (core->rooms.count < core->options.rooms_live_max)
        return true;
    for (struct link *link = core->idle.ends.next; link != &core->idle.ends; link = link->next) {
        if (!may_unload(link->owner))
            continue;
        loading_forget(core, link->owner);
        return true;
    }
    struct room *room = giving_way_find(core);
    if (room) {
        core->statistics.rooms_gave_way++;
        loading_forget(core, room);
    }
    return room != NULL;
}

static struct room *add_room(struct core *core, const char *id)
{
    if (!make_place(core))
        return NULL;
    struct room *room = room_new(id, ++core->last_number, &core->recent_budget, core->hash_key);
    map_put(&core->rooms, room->id, strlen(room->id), room);
    room->idle_since_ms = core->now_ms;
    list_append(&core->idle, &room->idle_link, room);
    return room;
}

struct room *loading_make_room(struct core *core)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    unsigned char bytes[ROOM_ID_BYTES];
    char id[ROOM_ID_BYTES + 1] = "";
    do {
        core->ports.random(core->ports.context, bytes, sizeof bytes);
        for (int i = 0; i < ROOM_ID_BYTES; i++)
            id[i] = alphabet[bytes[i] % (sizeof alphabet - 1)];
    } while (core_find_room(core, id));
    return add_room(core, id);
}

bool loading_forget_strangers(struct core *core, const struct account *account)
{
    for (struct link *link = core->idle.ends.next; link != &core->idle.ends; link = link->next) {
        struct room *room = link->owner;
        if (!may_unload(room) || !room->edition || room->edition->served ||
            (account && !edition_is_paid_by(room->edition, account)))
            continue;
        loading_forget(core, room);
        return true;
    }
    return false;
}

void loading_unload_idle(struct core *core)
{
    for (struct room *room; (room = list_first(&core->idle));) {
        if (core->now_ms < room->idle_since_ms + core->options.room_idle_ms)
            return;
        if (may_unload(room)) {
            loading_forget(core, room);
            continue;
        }
        room->idle_since_ms = core->now_ms;
        list_append(&core->idle, &room->idle_link, room);
    }
}

static void refuse(struct core *core, peer_id peer, struct text command, const struct room *room,
                   const struct complaint *why)
{
    struct session *session = session_find(core, peer);
    if (!session)
        return;
    struct complaint complaint = *why;
    complaint.command = command;
    complaint.room = text_of(room->id);
    complaint.version = -1;
    if (refusal_may_retry(why->refusal) && why->retry_ms == 0)
        complaint.retry_ms = RETRY_MS;
    reply_refuse(core, session, &complaint);
}

static void refuse_waiting(struct core *core, struct room *room, const struct complaint *why)
{
    while (room->waiting_first) {
        struct waiting_command *command = room->waiting_first;
        room->waiting_first = command->next;
        refuse(core, command->peer, command->message.id, room, why);
        message_release(&command->message);
        free(command);
    }
    room->waiting_end = &room->waiting_first;
    room->waiting_count = 0;
}

/* The room a rematch was about to make. */
static void forget_next(struct core *core, const struct decision *decision)
{
    struct room *next = decision->new_room[0] ? core_find_room(core, decision->new_room) : NULL;
    if (next)
        loading_give_up(core, next, REFUSAL_UNAVAILABLE);
}

void loading_drop(struct core *core, struct room *room, const char *words)
{
    if (words)
        core_log(core, FACT_WARNING, "room_dropped", room->id, words);
    static const struct complaint why = {.refusal = REFUSAL_UNAVAILABLE};
    core->statistics.rooms_moved++;
    detach_all(core, room, CLOSE_RESTART, "moved");
    struct decision *decision = room_abandon(room);
    if (decision) {
        /* Who was attached has been closed and says it again; who was not has to be told. */
        journal_refuse_author(core, decision, REFUSAL_UNAVAILABLE, room);
        forget_next(core, decision);
    }
    decision_free(decision);
    refuse_waiting(core, room, &why);
    room->loading = false;
    loading_forget(core, room);
}

/* --- reading a room from the store ------------------------------------------------------------ */

struct room *loading_begin(struct core *core, const char *id)
{
    struct room *room = holdings_may_grow(core) ? add_room(core, id) : NULL;
    if (!room)
        return NULL;
    room->loading = true;
    struct ticket *ticket = ticket_new(core, TICKET_LOAD, id);
    room->load_ticket = ticket->number;
    if (ticket_ask(
            core, ticket,
            &(struct store_request){.ask = STORE_LOAD, .room = id, .node = lease_node(core)}))
        return room;
    room->loading = false;
    loading_forget(core, room);
    return NULL;
}

static void give_up_because(struct core *core, struct room *room, const struct complaint *why)
{
    refuse_waiting(core, room, why);
    room->loading = false;
    loading_forget(core, room);
}

void loading_give_up(struct core *core, struct room *room, enum refusal refusal)
{
    give_up_because(core, room, &(struct complaint){.refusal = refusal});
}

static bool read_identity(const struct store_seat *row, struct identity *identity)
{
    if (strlen(row->player) != PLAYER_ID_BYTES ||
        !digest_read_hex(row->token_hash, strlen(row->token_hash), identity->token_hash,
                         sizeof identity->token_hash))
        return false;
    memcpy(identity->player, row->player, sizeof identity->player);
    return true;
}

static bool read_seat(const struct store_seat *row, struct seat *seat)
{
    if (!read_identity(row, &seat->holder) || strlen(row->name) > DISPLAY_NAME_BYTES_MAX)
        return false;
    text_copy(text_of(row->name), seat->name, sizeof seat->name);
    seat->taken = true;
    seat->as = row->bot ? PLAYER_BOT : PLAYER_HUMAN;
    seat->house = row->house;
    return true;
}

static int seat_of_row(const struct room *room, const struct store_seat *row)
{
    player_index player = game_find_player(room->edition->game, row->seat, strlen(row->seat));
    return player == PLAYER_NONE ? SEAT_NONE : (int)player;
}

/* A rematch begins with its seats taken, and they stay so: the row has them. */
static bool take_row_seats(struct room *room, const struct store_room *row)
{
    for (int i = 0; i < row->seat_count; i++) {
        int seat = seat_of_row(room, &row->seats[i]);
        if (seat == SEAT_NONE || !read_seat(&row->seats[i], &room->standing.seats[seat]))
            return false;
    }
    return standing_free_seat(&room->standing) == SEAT_NONE;
}

/* Who joined, or took over, is in the event by id; the token's digest is in the row, as long as the
 * seat is held. */
static struct identity joined_identity(struct text player, const struct store_room *row)
{
    struct identity identity;
    for (int i = 0; i < row->seat_count; i++)
        if (text_is(player, row->seats[i].player) && read_identity(&row->seats[i], &identity))
            return identity;
    return identity_told(player);
}

/* Who sits in a rematch from the start is in its first event; in rooms of earlier servers only in the row. */
static bool take_rematch_seats(struct room *room, const struct event *created,
                               const struct store_room *row)
{
    if (created->holder_count == 0)
        return take_row_seats(room, row);
    for (int i = 0; i < created->holder_count; i++) {
        const struct event_holder *holder = &created->holders[i];
        player_index seat =
            game_find_player(room->edition->game, holder->seat.data, holder->seat.length);
        if (seat == PLAYER_NONE || holder->name.length > DISPLAY_NAME_BYTES_MAX)
            return false;
        struct seat *taken = &room->standing.seats[seat];
        *taken = (struct seat){.taken = true,
                               .house = holder->house,
                               .as = holder->as,
                               .holder = joined_identity(holder->player, row)};
        text_copy(holder->name, taken->name, sizeof taken->name);
    }
    return true;
}

/* The frames in which the event was sent, once more: after a restart clients miss no more than they did before. */
static void rebuild_frames(struct core *core, struct room *room, const struct publish_step *step)
{
    struct publish_frames frames = publish_encode(core, room, step);
    room->hash = frames.hash;
    room_keep_frames(room, frames.common, frames.acting);
    frame_release(frames.common);
    frame_release(frames.acting);
}

static uint32_t hash_now(struct core *core, const struct room *room)
{
    struct state state;
    view_fill(&state, core->cells[0], room->edition, &room->standing, room->position);
    return state_hash(&state);
}

/* Takes the step of an event, and keeps the frames of the last ones. The scratch board is the one before a move. */
static bool take_step(struct core *core, struct room *room, const struct event *event,
                      const struct store_event *stored, const struct store_room *row)
{
    struct identity identity = joined_identity(event->player, row);
    bool shown = stored->version > 1 && stored->version > row->version - REBUILT_EVENTS_MAX;
    if (!shown)
        return room_replay(room, event, &identity, (uint64_t)stored->at_ms);
    struct standing before = room->standing;
    struct position *position_before = room->position;
    if (room->recent.count == 0)
        room->hash = hash_now(core, room);
    if (event->kind == EVENT_MOVED) {
        position_before = room->edition->scratch;
        position_copy(position_before, room->position);
    }
    if (!room_replay(room, event, &identity, (uint64_t)stored->at_ms))
        return false;
    rebuild_frames(core, room,
                   &(struct publish_step){.event = event,
                                          .version = stored->version,
                                          .at_ms = (uint64_t)stored->at_ms,
                                          .before = &before,
                                          .after = &room->standing,
                                          .position_before = position_before,
                                          .position_after = room->position,
                                          .hash_before = room->hash,
                                          .for_all_only = stored->version < row->version});
    return true;
}

static void remember_command(struct room *room, const struct store_event *stored,
                             enum event_kind kind)
{
    if (strlen(stored->command) <= COMMAND_ID_BYTES_MAX &&
        strlen(stored->client) <= PLAYER_ID_BYTES)
        room_know_command(room, stored->client, text_of(stored->command), kind, stored->version);
}

/* `rematch`: of an earlier server; who sat there from the start stands nowhere but in the row, which says who sits there last. So what was
 * sent before seats were handed over cannot be made again. */
static bool replay_event(struct core *core, struct room *room, const struct store_event *stored,
                         const struct store_room *row, bool *rematch)
{
    struct event event;
    if (stored->version != room->version + 1 ||
        !event_read(stored->kind, stored->body, strlen(stored->body), &event))
        return false;
    bool done = true;
    if (event.kind == EVENT_CREATED && event.previous_room.data) {
        *rematch = event.holder_count == 0;
        done = take_rematch_seats(room, &event, row);
    }
    done = done && take_step(core, room, &event, stored, row);
    if (done && event.kind == EVENT_HANDED_OVER && *rematch)
        recent_clear(&room->recent);
    if (done)
        remember_command(room, stored, event.kind);
    event_release(&event);
    return done;
}

/* What the events lead to is what the row says. */
static bool agrees(const struct room *room, const struct store_room *row)
{
    int taken = 0;
    for (int i = 0; i < room->standing.seat_count; i++)
        taken += room->standing.seats[i].taken;
    if (room->imported)
        taken = 0; /* by nobody of ours */
    return room->version == row->version && room->version > 0 &&
           (int)room->standing.status == (int)row->status && taken == row->seat_count;
}

static bool replay(struct core *core, struct room *room, const struct store_answer *answer)
{
    const struct store_room *row = &answer->rooms[0];
    bool rematch = false;
    for (int i = 0; i < answer->event_count; i++)
        if (!replay_event(core, room, &answer->events[i], row, &rematch))
            return false;
    room->hash = hash_now(core, room);
    return agrees(room, row);
}

/* Takes the edition. */
static void finish_loading(struct core *core, struct room *room, struct edition *edition,
                           const struct store_answer *answer)
{
    const struct store_room *row = &answer->rooms[0];
    if (!holdings_has_room_for(core, edition)) {
        catalogue_release_edition(&core->catalogue, edition);
        loading_give_up(core, room, REFUSAL_UNAVAILABLE);
        return;
    }
    room_open(room, edition);
    room->is_public = row->is_public;
    room->epoch = row->epoch;
    if (strlen(row->game) <= WORD_BYTES_MAX)
        text_copy(text_of(row->game), room->game, sizeof room->game);
    if (!replay(core, room, answer)) {
        core_log(core, FACT_ERROR, "replay_failed", room->id,
                 "the stored events do not lead to the stored room");
        loading_give_up(core, room, REFUSAL_UNAVAILABLE);
        return;
    }
    room->loading = false;
    invitation_call_house(core, room, room);
    dispatch_waiting(core, room);
}

/* For how many players the room was made: its first event says so. 0: as many as the game has. */
static int players_of(const struct store_answer *answer)
{
    struct event event;
    if (answer->event_count == 0)
        return 0;
    const struct store_event *first = &answer->events[0];
    if (!event_read(first->kind, first->body, strlen(first->body), &event))
        return 0;
    int players = event.players;
    event_release(&event);
    return players;
}

/* The answer waits with the room while the definition is being compiled. */
static void keep_answer(struct room *room, struct store_answer *answer)
{
    room->loaded = memory_bytes(sizeof *room->loaded);
    *room->loaded = *answer;
    *answer = (struct store_answer){.arena = NULL};
}

/* Another server has it. If that one has died, its lease is over soon. */
static void refer(struct core *core, struct room *room, const struct store_answer *answer)
{
    uint64_t left_ms = answer->lease_left_ms > 0 ? (uint64_t)answer->lease_left_ms : 1;
    give_up_because(core, room,
                    &(struct complaint){.refusal = REFUSAL_MOVED,
                                        .url = answer->owner_url,
                                        .retry_ms = left_ms < RETRY_MS ? left_ms : RETRY_MS});
}

/* Whoever wakes a room pays for its definition. */
static struct account *account_of_first(struct core *core, const struct room *room)
{
    const struct session *session =
        room->waiting_first ? session_find(core, room->waiting_first->peer) : NULL;
    return session ? account_hold(session->account) : NULL;
}

void loading_answered(struct core *core, const struct ticket *ticket, struct store_answer *answer)
{
    struct room *room = core_find_room(core, ticket->room);
    bool loaded = answer->status == STORE_OK;
    if (!room || !room->loading || room->load_ticket != ticket->number) {
        if (loaded)
            lease_release(core, ticket->room, answer->rooms[0].epoch);
        return;
    }
    if (answer->status == STORE_OWNED) {
        refer(core, room, answer);
        return;
    }
    if (!loaded) {
        bool unknown = answer->status == STORE_NOT_FOUND;
        if (!unknown) {
            core->statistics.store_failures++;
            core_log(core, FACT_ERROR, "load_failed", room->id, answer->words);
        }
        loading_give_up(core, room, unknown ? REFUSAL_UNKNOWN_ROOM : REFUSAL_UNAVAILABLE);
        return;
    }
    room->epoch = answer->rooms[0].epoch;
    const char *hash = answer->rooms[0].definition_hash;
    int players = players_of(answer);
    struct edition *edition = catalogue_find_edition(&core->catalogue, hash, players);
    if (edition) {
        finish_loading(core, room, edition, answer);
        return;
    }
    struct compile_waiter *waiter = memory_zeroed(1, sizeof *waiter);
    memcpy(waiter->room, room->id, sizeof room->id);
    waiter->account = account_of_first(core, room);
    keep_answer(room, answer);
    loading_compile(core, room->loaded->rooms[0].definition_hash, players, room->loaded->definition,
                    room->loaded->definition_length, waiter);
}

/* --- compiling -------------------------------------------------------------------------------- */

static struct compilation *compilation_new(const char *hash, int players, const char *text,
                                           size_t length)
{
    struct compilation *compilation = memory_zeroed(1, sizeof *compilation);
    compilation->text = memory_bytes(length + 1);
    memcpy(compilation->hash, hash, DIGEST_HEX_DIGITS);
    compilation->players = players;
    catalogue_key(hash, players, compilation->key);
    memcpy(compilation->text, text, length);
    compilation->text[length] = '\0';
    compilation->length = length;
    compilation->end = &compilation->first;
    return compilation;
}

void compilation_free(struct core *core, struct compilation *compilation)
{
    while (compilation->first) {
        struct compile_waiter *waiter = compilation->first;
        compilation->first = waiter->next;
        if (waiter->account)
            account_let_go(&core->accounts, waiter->account, core->now_ms);
        free(waiter);
    }
    free(compilation->text);
    free(compilation);
}

void loading_compile(struct core *core, const char *hash, int players, const char *text,
                     size_t length, struct compile_waiter *waiter)
{
    char key[EDITION_KEY_BYTES + 1];
    catalogue_key(hash, players, key);
    struct compilation *compilation = map_find(&core->compilations, key, EDITION_KEY_BYTES);
    if (compilation) {
        *compilation->end = waiter;
        compilation->end = &waiter->next;
        return;
    }
    compilation = compilation_new(hash, players, text, length);
    *compilation->end = waiter;
    compilation->end = &waiter->next;
    map_put(&core->compilations, compilation->key, EDITION_KEY_BYTES, compilation);
    struct ticket *ticket = ticket_new(core, TICKET_COMPILE, "");
    ticket->compilation = compilation;
    core->ports.compile(core->ports.context, ticket->number, compilation->text, compilation->length,
                        players);
}

/* What became of a definition. */
struct compiled {
    struct edition *edition; /* NULL: none */
    const struct diagnostics *diagnostics;
    const char *missing; /* why not now, though nothing is wrong with it; NULL: something is */
};

static void room_compiled(struct core *core, const struct compile_waiter *waiter,
                          const struct compiled *compiled)
{
    struct room *room = core_find_room(core, waiter->room);
    if (!room || !room->loaded)
        return;
    struct store_answer *answer = room->loaded;
    room->loaded = NULL;
    if (compiled->edition) {
        finish_loading(core, room, edition_retain(compiled->edition), answer);
    } else if (compiled->missing) {
        loading_give_up(core, room, REFUSAL_UNAVAILABLE);
    } else {
        core_log(core, FACT_ERROR, "replay_failed", room->id, "its definition does not compile");
        loading_give_up(core, room, REFUSAL_UNAVAILABLE);
    }
    store_answer_release(answer);
    free(answer);
}

static void create_compiled(struct core *core, const struct compile_waiter *waiter,
                            const struct compiled *compiled)
{
    struct edition *edition = compiled->edition;
    struct session *session = session_find(core, waiter->author.peer);
    enum refusal refusal = compiled->missing ? REFUSAL_UNAVAILABLE : REFUSAL_BAD_DEFINITION;
    if (!session)
        return;
    if (edition)
        refusal = core->stopping || !lease_held(core)
                      ? REFUSAL_UNAVAILABLE
                      : journal_create(core, &waiter->author,
                                       &(struct new_room){edition_retain(edition), "",
                                                          waiter->is_public, NULL});
    if (refusal == REFUSAL_NONE)
        return;
    reply_refuse(core, session,
                 &(struct complaint){
                     .refusal = refusal,
                     .command = text_of(waiter->author.command),
                     .words = compiled->missing,
                     .version = -1,
                     .retry_ms = refusal_may_retry(refusal) ? RETRY_MS : 0,
                     .diagnostics = edition || compiled->missing ? NULL : compiled->diagnostics});
}

void loading_compiled(struct core *core, struct compilation *compilation, struct game *game,
                      const struct diagnostics *diagnostics)
{
    struct compiled compiled = {.diagnostics = diagnostics};
    map_remove(&core->compilations, compilation->key, EDITION_KEY_BYTES);
    if (!game && diagnostics->no_memory) {
        compiled.missing = holdings_no_memory_words;
    } else if (game) {
        const struct definition_text definition = {compilation->hash, compilation->text,
                                                   compilation->length, compilation->players};
        struct account *account = compilation->first ? compilation->first->account : NULL;
        compiled.edition = holdings_add(core, &definition, game, account, &compiled.missing);
        if (compiled.edition)
            compiled.missing = NULL;
    }
    for (struct compile_waiter *waiter = compilation->first; waiter; waiter = waiter->next) {
        if (waiter->room[0])
            room_compiled(core, waiter, &compiled);
        else
            create_compiled(core, waiter, &compiled);
    }
    catalogue_release_edition(&core->catalogue, compiled.edition);
    compilation_free(core, compilation);
}
