#include "server/core/loading.h"

#include "engine/memory/memory.h"
#include "server/core/compile.h"
#include "server/core/follow.h"
#include "server/core/giving_way.h"
#include "server/core/holdings.h"
#include "server/core/invitation.h"
#include "server/core/journal.h"
#include "server/core/reply.h"
#include "server/core/wake.h"

#include <stdlib.h>
#include <string.h>

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
    struct store_turn turn;
    /* Mostly only the server's own bots are still here; they are called again when the room is. */
    detach_all(core, room, CLOSE_ROOM_GONE, "the room sleeps");
    room_turn(room, &turn);
    lease_release(core, &turn, room->epoch);
    timing_leaves(core, room);
    follow_leaves(core, room);
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

static void place(struct core *core, struct room *room)
{
    room->serial = ++core->last_number;
    map_put(&core->rooms, room->id, strlen(room->id), room);
    room->idle_since_ms = core->now_ms;
    list_append(&core->idle, &room->idle_link, room);
}

static struct room *add_room(struct core *core, const char *id)
{
    if (!make_place(core))
        return NULL;
    struct room *room = room_new(id, 0, &core->recent_budget, core->hash_key);
    place(core, room);
    return room;
}

void loading_make_id(const struct core *core, char id[ROOM_ID_BYTES + 1])
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    unsigned char bytes[ROOM_ID_BYTES];
    id[ROOM_ID_BYTES] = '\0';
    do {
        core->ports.random(core->ports.context, bytes, sizeof bytes);
        for (int i = 0; i < ROOM_ID_BYTES; i++)
            id[i] = alphabet[bytes[i] % (sizeof alphabet - 1)];
    } while (core_find_room(core, id));
}

struct room *loading_make_room(struct core *core, const char *wanted)
{
    char id[ROOM_ID_BYTES + 1];
    if (wanted)
        return core_find_room(core, wanted) ? NULL : add_room(core, wanted);
    loading_make_id(core, id);
    return add_room(core, id);
}

bool loading_place_room(struct core *core, struct room *room)
{
    if (!make_place(core))
        return false;
    loading_make_id(core, room->id);
    place(core, room);
    return true;
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
        if (may_unload(room) && !timing_keeps(core, room)) {
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
        struct command *command = room_take_first(room);
        refuse(core, command->peer, command->message.id, room, why);
        command_free(command);
    }
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

struct room *loading_begin(struct core *core, const char *id, struct account *account)
{
    struct room *room = holdings_may_grow(core) ? add_room(core, id) : NULL;
    if (!room)
        return NULL;
    room->loading = true;
    struct ticket *ticket = ticket_new(core, TICKET_LOAD, id);
    room->load_ticket = ticket->number;
    ticket->account = account_hold(account);
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

/* The room that was made takes the place of the one that waited for it. */
static void take_place(struct core *core, struct room *waiting, struct room *made)
{
    made->serial = waiting->serial;
    made->idle_since_ms = waiting->idle_since_ms;
    made->waiting_count = waiting->waiting_count;
    made->following.heard = waiting->following.heard;
    made->following.told = waiting->following.told;
    if (waiting->waiting_first) {
        made->waiting_first = waiting->waiting_first;
        made->waiting_end = waiting->waiting_end;
        waiting->waiting_first = NULL;
    }
    map_remove(&core->rooms, waiting->id, strlen(waiting->id));
    room_free(waiting, &core->catalogue);
    map_put(&core->rooms, made->id, strlen(made->id), made);
    list_append(&core->idle, &made->idle_link, made);
    timing_woken(core, made);
}

void loading_woken(struct core *core, struct room *room, struct room *made)
{
    if (!made) {
        core_log(core, FACT_ERROR, "replay_failed", room->id,
                 "the stored events do not lead to the stored room");
        loading_give_up(core, room, REFUSAL_UNAVAILABLE);
        return;
    }
    take_place(core, room, made);
    invitation_call_house(core, made, made);
    follow_go_on(core, made);
}

/* Takes the edition and the answer. */
static void wake(struct core *core, struct room *room, struct account *account,
                 struct edition *edition, struct store_answer *answer)
{
    if (!holdings_has_room_for(core, edition)) {
        catalogue_release_edition(&core->catalogue, edition);
        loading_give_up(core, room, REFUSAL_UNAVAILABLE);
        return;
    }
    uint64_t retry_ms = wake_ask(core, room, account, edition, answer);
    if (retry_ms > 0)
        loading_refused(core, room->id, retry_ms);
}

/* The answer waits with the room while the definition is being compiled. */
static void keep_answer(struct room *room, struct store_answer *answer)
{
    room->loaded = memory_bytes(sizeof *room->loaded);
    *room->loaded = *answer;
    *answer = (struct store_answer){.arena = NULL};
}

static void compile_room(struct core *core, struct room *room, struct account *account, int players)
{
    const struct store_answer *answer = room->loaded;
    const struct compile_source source = {.hash = answer->rooms[0].definition_hash,
                                          .text = {answer->definition, answer->definition_length},
                                          .players = players};
    struct compile_wish wish = {.purpose = COMPILE_FOR_ROOM};
    memcpy(wish.room, room->id, sizeof room->id);
    uint64_t retry_ms = compile_ask(core, account, &source, &wish);
    if (retry_ms > 0)
        loading_refused(core, room->id, retry_ms);
}

/* The edition that the room is played by, if it is in memory; else what to compile. A room that does not say by which revision of
 * the language is played by the first, where that makes a difference. */
static struct edition *find_edition(struct core *core, const char *hash, int *players, int language)
{
    struct edition *edition = catalogue_find_edition(&core->catalogue, hash, *players);
    if (language != 0 || (edition && !game_facts(edition->game)->revised))
        return edition;
    if (edition)
        catalogue_release_edition(&core->catalogue, edition);
    *players |= EDITION_UNREVISED;
    return catalogue_find_edition(&core->catalogue, hash, *players);
}

void loading_answered(struct core *core, const struct ticket *ticket, struct store_answer *answer)
{
    struct room *room = core_find_room(core, ticket->room);
    bool loaded = answer->status == STORE_OK;
    if (!room || !room->loading || room->load_ticket != ticket->number) {
        struct store_turn turn = {.version = 0};
        memcpy(turn.room, ticket->room, sizeof ticket->room);
        if (loaded)
            lease_release(core, &turn, answer->rooms[0].epoch);
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
    int language = 0, players = 0;
    if (answer->event_count > 0)
        players = event_read_players(answer->events[0].body, &language);
    struct edition *edition = find_edition(core, hash, &players, language);
    if (edition) {
        wake(core, room, ticket->account, edition, answer);
        return;
    }
    keep_answer(room, answer);
    compile_room(core, room, ticket->account, players);
}

void loading_compiled(struct core *core, const char *id, struct account *account,
                      struct edition *edition)
{
    struct room *room = core_find_room(core, id);
    if (!room || !room->loaded)
        return;
    struct store_answer *answer = room->loaded;
    room->loaded = NULL;
    if (edition) {
        wake(core, room, account, edition_retain(edition), answer);
    } else {
        core_log(core, FACT_ERROR, "replay_failed", room->id, "its definition does not compile");
        loading_give_up(core, room, REFUSAL_UNAVAILABLE);
    }
    store_answer_release(answer);
    free(answer);
}

void loading_refused(struct core *core, const char *id, uint64_t retry_ms)
{
    struct room *room = core_find_room(core, id);
    if (room && room->loading)
        give_up_because(core, room,
                        &(struct complaint){.refusal = REFUSAL_UNAVAILABLE, .retry_ms = retry_ms});
}
