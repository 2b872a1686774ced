#include "tests/server/core/memory_store.h"

#include "server/store/arena.h"
#include "server/store/retention.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAIL_EVENTS = 8 }; /* few, so that a tail has parts */

static char *copied(const char *text)
{
    return strdup(text ? text : "");
}

/* --- requests ------------------------------------------------------------------------------------- */

struct owned_request {
    struct store_request request;
    void *arena;
};

static const char *own(struct owned_request *owned, const char *text)
{
    return text ? arena_copy(&owned->arena, text, strlen(text)) : NULL;
}

static void own_write(struct owned_request *owned, struct store_write *write)
{
    struct store_room *room = &write->room;
    const char **texts[] = {&room->id,
                            &room->game,
                            &room->title,
                            &room->definition_hash,
                            &room->players,
                            &room->ladder,
                            &write->definition,
                            &write->event.kind,
                            &write->event.client,
                            &write->event.command,
                            &write->event.body};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = own(owned, *texts[i]);
    for (int i = 0; i < room->seat_count; i++) {
        struct store_seat *seat = &room->seats[i];
        seat->seat = own(owned, seat->seat);
        seat->player = own(owned, seat->player);
        seat->token_hash = own(owned, seat->token_hash);
        seat->name = own(owned, seat->name);
    }
}

static void own_publication(struct owned_request *owned, struct store_publication *publication)
{
    const char **texts[] = {&publication->name,     &publication->definition_hash,
                            &publication->title,    &publication->players,
                            &publication->ancestor, &publication->publisher};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = own(owned, *texts[i]);
}

struct store_request *store_request_copy(const struct store_request *request)
{
    struct owned_request *owned = calloc(1, sizeof *owned);
    owned->request = *request;
    owned->request.room = own(owned, request->room);
    owned->request.player = own(owned, request->player);
    owned->request.node = own(owned, request->node);
    owned->request.place = own(owned, request->place);
    owned->request.url = own(owned, request->url);
    owned->request.definition = own(owned, request->definition);
    own_publication(owned, &owned->request.publication);
    owned->request.picture.hash = own(owned, request->picture.hash);
    if (request->picture.length > 0)
        owned->request.picture.bytes =
            arena_copy(&owned->arena, request->picture.bytes, request->picture.length);
    for (int i = 0; i < request->write_count; i++)
        own_write(owned, &owned->request.writes[i]);
    if (request->turn_count > 0)
        owned->request.turns =
            (const void *)arena_copy(&owned->arena, (const char *)request->turns,
                                     sizeof *request->turns * (size_t)request->turn_count);
    if (request->rated)
        owned->request.rated = (const void *)arena_copy(&owned->arena, (const char *)request->rated,
                                                        sizeof *request->rated);
    if (request->known_count > 0)
        owned->request.known =
            (const void *)arena_copy(&owned->arena, (const char *)request->known,
                                     sizeof *request->known * (size_t)request->known_count);
    return &owned->request;
}

void store_request_free(struct store_request *request)
{
    struct owned_request *owned = (struct owned_request *)request;
    arena_release(&owned->arena);
    free(owned);
}

/* --- what is kept ------------------------------------------------------------------------------------ */

void memory_store_init(struct memory_store *store)
{
    *store = (struct memory_store){.room_count = 0};
}

static void release_seats(struct kept_room *room)
{
    for (int i = 0; i < room->seat_count; i++) {
        free(room->seats[i].seat);
        free(room->seats[i].player);
        free(room->seats[i].token_hash);
        free(room->seats[i].name);
    }
    room->seat_count = 0;
}

static void release_room(struct kept_room *room)
{
    release_seats(room);
    for (int i = 0; i < room->event_count; i++) {
        free(room->events[i].kind);
        free(room->events[i].client);
        free(room->events[i].command);
        free(room->events[i].body);
    }
    free(room->events);
    free(room->commands);
    free(room->id);
    free(room->game);
    free(room->title);
    free(room->definition_hash);
    free(room->definition);
    free(room->players);
    free(room->ladder);
}

void memory_store_release(struct memory_store *store)
{
    for (int i = 0; i < store->room_count; i++)
        release_room(&store->rooms[i]);
    free(store->rooms);
    memory_ratings_release(&store->ratings);
    for (int i = 0; i < store->publication_count; i++) {
        struct kept_publication *kept = &store->publications[i];
        char *const texts[] = {kept->name,  kept->publisher, kept->hash,    kept->definition,
                               kept->title, kept->players,   kept->ancestor};
        for (size_t j = 0; j < sizeof texts / sizeof *texts; j++)
            free(texts[j]);
    }
    free(store->publications);
    for (int i = 0; i < store->picture_count; i++)
        free(store->pictures[i].bytes);
    free(store->pictures);
    memory_store_init(store);
}

static struct kept_room *find_room(const struct memory_store *store, const char *id)
{
    for (int i = 0; i < store->room_count; i++)
        if (strcmp(store->rooms[i].id, id) == 0)
            return &store->rooms[i];
    return NULL;
}

const struct kept_room *memory_store_room(const struct memory_store *store, const char *id)
{
    return find_room(store, id);
}

const char *memory_store_to_move(const struct memory_store *store, const struct kept_room *room)
{
    bool is_known = room->turn_version == room->version ||
                    (store->stale_turns && room->status == STORE_PLAYING);
    return is_known && room->to_move[0] ? room->to_move : NULL;
}

/* --- commands, found by a hash of who said them ------------------------------------------------------- */

static int bucket_of(const struct kept_room *room, const char *client, const char *command)
{
    uint32_t hash = UINT32_C(2166136261);
    for (; *client; client++)
        hash = (hash ^ (unsigned char)*client) * UINT32_C(16777619);
    for (; *command; command++)
        hash = (hash ^ (unsigned char)*command) * UINT32_C(16777619);
    return (int)(hash & (uint32_t)(room->event_size - 1));
}

static void index_event(struct kept_room *room, int at)
{
    struct kept_event *event = &room->events[at];
    int bucket = bucket_of(room, event->client, event->command);
    event->next = room->commands[bucket];
    room->commands[bucket] = at;
}

/* The next event of that command from `at` on along its bucket; -1: there is none. */
static int find_next(const struct kept_room *room, int at, const char *client, const char *command)
{
    while (at >= 0 && (strcmp(room->events[at].command, command) != 0 ||
                       strcmp(room->events[at].client, client) != 0))
        at = room->events[at].next;
    return at;
}

const struct kept_event *memory_store_find(const struct kept_room *room, const char *client,
                                           const char *command)
{
    const struct kept_event *first = NULL;
    for (int at = room->commands[bucket_of(room, client, command)];
         (at = find_next(room, at, client, command)) >= 0; at = room->events[at].next)
        first = &room->events[at];
    return first;
}

int memory_store_count(const struct memory_store *store, const char *room, const char *client,
                       const char *command)
{
    const struct kept_room *kept = find_room(store, room);
    int count = 0;
    if (!kept)
        return 0;
    for (int at = kept->commands[bucket_of(kept, client, command)];
         (at = find_next(kept, at, client, command)) >= 0; at = kept->events[at].next)
        count++;
    return count;
}

/* --- appending ------------------------------------------------------------------------------------------ */

static bool same_command(const struct memory_store *store, const struct kept_event *kept,
                         const struct store_event *event)
{
    return !store->forgetful && event->command[0] && strcmp(kept->client, event->client) == 0 &&
           strcmp(kept->command, event->command) == 0;
}

static enum store_status duplicate(struct store_answer *answer, const struct kept_room *room,
                                   const struct kept_event *event)
{
    snprintf(answer->duplicate_room, sizeof answer->duplicate_room, "%s", room->id);
    snprintf(answer->duplicate_kind, sizeof answer->duplicate_kind, "%s", event->kind);
    answer->duplicate_version = event->version;
    return STORE_DUPLICATE;
}

static enum store_status examine(const struct memory_store *store, const struct store_write *write,
                                 struct store_answer *answer)
{
    const struct kept_room *room = find_room(store, write->room.id);
    if (write->expected_version == 0) {
        for (int i = 0; i < store->room_count; i++)
            if (same_command(store, &store->rooms[i].events[0], &write->event))
                return duplicate(answer, &store->rooms[i], &store->rooms[i].events[0]);
        return room ? STORE_CONFLICT : STORE_OK;
    }
    if (!room)
        return STORE_CONFLICT;
    answer->conflict_version = room->version;
    const struct kept_event *done =
        memory_store_find(room, write->event.client, write->event.command);
    if (done && same_command(store, done, &write->event))
        return duplicate(answer, room, done);
    bool fits = room->version == write->expected_version &&
                (room->epoch == write->epoch || store->unfenced);
    return fits ? STORE_OK : STORE_CONFLICT;
}

static struct kept_room *add_room(struct memory_store *store, const struct store_write *write,
                                  const char *node)
{
    if (store->room_count == store->room_size) {
        store->room_size = store->room_size ? store->room_size * 2 : 16;
        store->rooms = realloc(store->rooms, sizeof *store->rooms * (size_t)store->room_size);
    }
    struct kept_room *room = &store->rooms[store->room_count++];
    *room = (struct kept_room){.id = copied(write->room.id),
                               .game = copied(write->room.game),
                               .title = copied(write->room.title),
                               .definition_hash = copied(write->room.definition_hash),
                               .definition = copied(write->definition),
                               .players = copied(write->room.players),
                               .ladder = write->room.ladder ? copied(write->room.ladder) : NULL,
                               .is_public = write->room.is_public,
                               .created_at_ms = write->room.created_at_ms,
                               .due_at_ms = write->room.due_at_ms,
                               .epoch = 1};
    snprintf(room->owner, sizeof room->owner, "%s", node ? node : "");
    return room;
}

static void keep_seats(struct kept_room *room, const struct store_room *row)
{
    release_seats(room);
    for (int i = 0; i < row->seat_count; i++)
        room->seats[room->seat_count++] = (struct kept_seat){copied(row->seats[i].seat),
                                                             copied(row->seats[i].player),
                                                             copied(row->seats[i].token_hash),
                                                             copied(row->seats[i].name),
                                                             row->seats[i].bot,
                                                             row->seats[i].house};
}

static void grow(struct kept_room *room)
{
    room->event_size = room->event_size ? room->event_size * 2 : 16;
    room->events = realloc(room->events, sizeof *room->events * (size_t)room->event_size);
    room->commands = realloc(room->commands, sizeof *room->commands * (size_t)room->event_size);
    for (int i = 0; i < room->event_size; i++)
        room->commands[i] = -1;
    for (int i = 0; i < room->event_count; i++)
        index_event(room, i);
}

static void keep_write(struct memory_store *store, const struct store_write *write,
                       const char *node)
{
    struct kept_room *room = find_room(store, write->room.id);
    if (!room)
        room = add_room(store, write, node);
    if (room->event_count == room->event_size)
        grow(room);
    room->events[room->event_count++] =
        (struct kept_event){.version = write->event.version,
                            .epoch = write->expected_version == 0 ? 1 : write->epoch,
                            .at_ms = write->event.at_ms,
                            .kind = copied(write->event.kind),
                            .client = copied(write->event.client),
                            .command = copied(write->event.command),
                            .body = copied(write->event.body),
                            .next = -1};
    index_event(room, room->event_count - 1);
    room->version = write->event.version;
    assert(!write->status_stays || write->room.status == room->status);
    if (room->ladder && room->status != STORE_FINISHED && write->room.status == STORE_FINISHED)
        memory_ratings_over(&store->ratings, room->id, room->ladder, write->event.at_ms);
    room->status = write->room.status;
    if (write->expected_version == 0 || write->seats_changed)
        keep_seats(room, &write->room);
}

static enum store_status append(struct memory_store *store, const struct store_request *request,
                                struct store_answer *answer)
{
    for (int i = 0; i < request->write_count; i++) {
        enum store_status status = examine(store, &request->writes[i], answer);
        if (status != STORE_OK)
            return status;
    }
    for (int i = 0; i < request->write_count; i++)
        keep_write(store, &request->writes[i], request->node);
    return STORE_OK;
}

/* --- nodes ------------------------------------------------------------------------------------------------- */

static struct kept_node *find_node(struct memory_store *store, const char *id)
{
    for (int i = 0; i < store->node_count; i++)
        if (strcmp(store->nodes[i].id, id) == 0)
            return &store->nodes[i];
    return NULL;
}

static enum store_status lease(struct memory_store *store, const struct store_request *request,
                               struct store_answer *answer)
{
    struct kept_node *node = find_node(store, request->node);
    answer->is_first = true;
    for (int i = 0; i < store->node_count; i++) {
        struct kept_node *other = &store->nodes[i];
        if (other == node)
            continue;
        if (request->place[0] && strcmp(other->place, request->place) == 0)
            other->lease_until_ms = 0;
        bool lives = other->lease_until_ms > store->now_ms;
        answer->other_nodes += lives;
        answer->is_first = answer->is_first && !(lives && strcmp(other->id, request->node) < 0);
    }
    answer->now_ms = store->now_ms;
    for (int i = 0; i < store->node_count && !node; i++)
        if (store->nodes[i].lease_until_ms <= store->now_ms)
            node = &store->nodes[i]; /* of somebody who is no more */
    if (!node) {
        if (store->node_count == MEMORY_STORE_NODES_MAX)
            return STORE_FAILED;
        node = &store->nodes[store->node_count++];
    }
    snprintf(node->id, sizeof node->id, "%s", request->node);
    snprintf(node->place, sizeof node->place, "%s", request->place);
    snprintf(node->url, sizeof node->url, "%s", request->url);
    node->lease_until_ms = store->now_ms + request->lease_ms;
    return STORE_OK;
}

static enum store_status release(struct memory_store *store, const struct store_request *request)
{
    for (int i = 0; i < request->turn_count; i++) {
        const struct store_turn *turn = &request->turns[i];
        struct kept_room *room = find_room(store, turn->room);
        if (room && request->node && strcmp(room->owner, request->node) == 0)
            room->owner[0] = '\0';
        if (!room || room->version != turn->version)
            continue;
        room->turn_version = turn->version;
        snprintf(room->to_move, sizeof room->to_move, "%s", turn->to_move);
    }
    return STORE_OK;
}

static enum store_status leave(struct memory_store *store, const struct store_request *request)
{
    struct kept_node *node = find_node(store, request->node);
    if (node)
        node->lease_until_ms = 0;
    return STORE_OK;
}

/* --- reading ------------------------------------------------------------------------------------------------ */

static const char *give(struct store_answer *answer, const char *text)
{
    return arena_copy(&answer->arena, text, strlen(text));
}

static void give_room(const struct memory_store *store, struct store_answer *answer,
                      const struct kept_room *kept)
{
    struct store_room *room = &answer->rooms[answer->room_count++];
    const char *to_move = memory_store_to_move(store, kept);
    *room = (struct store_room){.id = give(answer, kept->id),
                                .game = give(answer, kept->game),
                                .title = give(answer, kept->title),
                                .definition_hash = give(answer, kept->definition_hash),
                                .is_public = kept->is_public,
                                .status = kept->status,
                                .version = kept->version,
                                .epoch = kept->epoch,
                                .created_at_ms = kept->created_at_ms,
                                .players = give(answer, kept->players),
                                .ladder = kept->ladder ? give(answer, kept->ladder) : NULL,
                                .to_move = to_move ? give(answer, to_move) : NULL,
                                .seat_count = kept->seat_count};
    for (int i = 0; i < kept->seat_count; i++)
        room->seats[i] = (struct store_seat){give(answer, kept->seats[i].seat),
                                             give(answer, kept->seats[i].player),
                                             give(answer, kept->seats[i].token_hash),
                                             give(answer, kept->seats[i].name),
                                             kept->seats[i].bot,
                                             kept->seats[i].house};
}

static void give_events(struct store_answer *answer, const struct kept_room *kept, int64_t from,
                        int64_t to)
{
    answer->events =
        arena_take(&answer->arena, sizeof *answer->events * (size_t)(kept->event_count + 1));
    for (int i = 0; i < kept->event_count; i++) {
        const struct kept_event *event = &kept->events[i];
        if (event->version < from || event->version > to)
            continue;
        answer->events[answer->event_count++] = (struct store_event){event->version,
                                                                     event->at_ms,
                                                                     give(answer, event->kind),
                                                                     give(answer, event->client),
                                                                     give(answer, event->command),
                                                                     give(answer, event->body)};
    }
}

static void own_room(struct memory_store *store, struct kept_room *room, const char *node)
{
    const struct kept_node *owner = find_node(store, room->owner);
    if (!owner || owner->lease_until_ms <= store->now_ms)
        snprintf(room->owner, sizeof room->owner, "%s", node);
}

static enum store_status load(struct memory_store *store, const struct store_request *request,
                              struct store_answer *answer)
{
    struct kept_room *room = find_room(store, request->room);
    if (!room)
        return STORE_NOT_FOUND;
    if (request->node)
        own_room(store, room, request->node);
    answer->rooms = arena_take(&answer->arena, sizeof *answer->rooms);
    give_room(store, answer, room);
    answer->definition = give(answer, room->definition);
    answer->definition_length = strlen(room->definition);
    give_events(answer, room, 1, INT64_MAX);
    return STORE_OK;
}

static enum store_status tail(struct memory_store *store, const struct store_request *request,
                              struct store_answer *answer)
{
    const struct kept_room *room = find_room(store, request->room);
    if (!room)
        return STORE_NOT_FOUND;
    answer->rooms = arena_take(&answer->arena, sizeof *answer->rooms);
    give_room(store, answer, room);
    give_events(answer, room, request->from, request->from + TAIL_EVENTS - 1);
    return STORE_OK;
}

static enum store_status behind(struct memory_store *store, const struct store_request *request,
                                struct store_answer *answer)
{
    size_t count = (size_t)request->known_count + 1;
    answer->known = arena_take(&answer->arena, sizeof *answer->known * count);
    for (int i = 0; i < request->known_count; i++) {
        const struct kept_room *room = find_room(store, request->known[i].room);
        int64_t version = room ? room->version : 0;
        if (version == request->known[i].version)
            continue;
        answer->known[answer->known_count] = request->known[i];
        answer->known[answer->known_count++].version = version;
    }
    return STORE_OK;
}

/* The earliest one that is due after `after`, or, of the same moment, behind it. */
static const struct kept_room *next_due(const struct memory_store *store, int64_t until_ms,
                                        const struct kept_room *after)
{
    const struct kept_room *next = NULL;
    for (int i = 0; i < store->room_count; i++) {
        const struct kept_room *room = &store->rooms[i];
        bool is_due =
            room->status == STORE_PLAYING && room->due_at_ms > 0 && room->due_at_ms <= until_ms;
        bool follows = !after || room->due_at_ms > after->due_at_ms ||
                       (room->due_at_ms == after->due_at_ms && room > after);
        if (is_due && follows && (!next || room->due_at_ms < next->due_at_ms))
            next = room;
    }
    return next;
}

static enum store_status list_due(const struct memory_store *store,
                                  const struct store_request *request, struct store_answer *answer)
{
    const struct kept_room *room = NULL;
    answer->known = arena_take(&answer->arena, sizeof *answer->known * STORE_DUE_MAX);
    while (answer->known_count < request->to && answer->known_count < STORE_DUE_MAX &&
           (room = next_due(store, request->from, room))) {
        struct store_known *known = &answer->known[answer->known_count++];
        *known = (struct store_known){.version = room->due_at_ms};
        snprintf(known->room, sizeof known->room, "%s", room->id);
    }
    return STORE_OK;
}

static enum store_status set_due(struct memory_store *store, const struct store_request *request)
{
    for (int i = 0; i < request->known_count; i++) {
        struct kept_room *room = find_room(store, request->known[i].room);
        if (room)
            room->due_at_ms = request->known[i].version;
    }
    return STORE_OK;
}

static enum store_status history(struct memory_store *store, const struct store_request *request,
                                 struct store_answer *answer)
{
    const struct kept_room *room = find_room(store, request->room);
    if (!room)
        return STORE_NOT_FOUND;
    give_events(answer, room, request->from, request->to);
    return STORE_OK;
}

static bool sits_in(const struct kept_room *room, const char *player)
{
    for (int i = 0; i < room->seat_count; i++)
        if (strcmp(room->seats[i].player, player) == 0)
            return true;
    return false;
}

/* Newest first; whoever reads it sorts again. */
static bool is_anothers(struct memory_store *store, const struct kept_room *room, const char *node)
{
    const struct kept_node *owner = find_node(store, room->owner);
    return owner && strcmp(owner->id, node) != 0 && owner->lease_until_ms > store->now_ms;
}

static bool is_open(struct memory_store *store, const struct kept_room *room, const char *node)
{
    return room->is_public && room->status != STORE_FINISHED &&
           (!node || is_anothers(store, room, node));
}

static enum store_status list(struct memory_store *store, const struct store_request *request,
                              int bound, struct store_answer *answer)
{
    answer->rooms = arena_take(&answer->arena, sizeof *answer->rooms * (size_t)bound);
    for (int i = store->room_count - 1; i >= 0 && answer->room_count < bound; i--)
        if (is_open(store, &store->rooms[i], request->node))
            give_room(store, answer, &store->rooms[i]);
    return STORE_OK;
}

/* In which part of the list of this player. */
enum part { TO_MOVE, GOES_ON, OVER, PARTS };
static enum part part_of(const struct memory_store *store, const struct kept_room *room,
                         const char *player)
{
    const char *to_move = memory_store_to_move(store, room);
    if (room->status == STORE_FINISHED)
        return OVER;
    for (int i = 0; i < room->seat_count && to_move; i++)
        if (strcmp(room->seats[i].player, player) == 0 && strcmp(room->seats[i].seat, to_move) == 0)
            return TO_MOVE;
    return GOES_ON;
}

static enum store_status list_of_player(struct memory_store *store,
                                        const struct store_request *request,
                                        struct store_answer *answer)
{
    int64_t skip = request->from;
    answer->rooms =
        arena_take(&answer->arena, sizeof *answer->rooms * (size_t)STORE_PLAYER_ROOMS_MAX);
    for (int part = 0; part < PARTS; part++)
        for (int i = store->room_count - 1; i >= 0; i--) {
            const struct kept_room *room = &store->rooms[i];
            if (!sits_in(room, request->player) ||
                (int)part_of(store, room, request->player) != part)
                continue;
            if (skip-- <= 0 && answer->room_count < STORE_PLAYER_ROOMS_MAX)
                give_room(store, answer, room);
        }
    return STORE_OK;
}

/* --- the end of rooms ------------------------------------------------------------------------------------------ */

static struct retention_facts facts_of(const struct kept_room *room, bool *moved)
{
    *moved = false;
    for (int i = 0; i < room->event_count; i++)
        *moved = *moved || strcmp(room->events[i].kind, "moved") == 0;
    return (struct retention_facts){.status = room->status,
                                    .is_public = room->is_public,
                                    .version = room->version,
                                    .last_ms = room->events[room->event_count - 1].at_ms,
                                    .due_ms = room->due_at_ms};
}

static const struct kept_room *next_room(const struct memory_store *store, const char *after)
{
    const struct kept_room *next = NULL;
    for (int i = 0; i < store->room_count; i++) {
        const struct kept_room *room = &store->rooms[i];
        if (strcmp(room->id, after) > 0 && (!next || strcmp(room->id, next->id) < 0))
            next = room;
    }
    return next;
}

static enum store_status survey(struct memory_store *store, const struct store_request *request,
                                struct store_answer *answer)
{
    struct store_survey *survey = arena_take(&answer->arena, sizeof *survey);
    const struct kept_room *room = NULL;
    bool moved;
    memset(survey, 0, sizeof *survey);
    survey->next = give(answer, request->room);
    survey->disk_bytes = -1;
    survey->database_bytes = store->bytes;
    for (int i = 0; i < retention_rooms(request) && !retention_is_enough(survey); i++) {
        room = next_room(store, survey->next);
        survey->next = room ? give(answer, room->id) : "";
        if (!room)
            break;
        const struct retention_facts facts = facts_of(room, &moved);
        retention_note(survey, survey->next, &facts,
                       retention_judge(&request->retention, &facts, moved));
    }
    answer->survey = survey;
    return STORE_OK;
}

static enum store_status remove_room(struct memory_store *store,
                                     const struct store_request *request)
{
    struct kept_room *room = find_room(store, request->room);
    if (!room || room->version != request->from)
        return STORE_CONFLICT;
    const struct kept_node *owner = find_node(store, room->owner);
    bool anothers = owner && (!request->node || strcmp(owner->id, request->node) != 0);
    if (anothers && owner->lease_until_ms > store->now_ms)
        return STORE_CONFLICT;
    memory_ratings_gone(&store->ratings, room->id);
    release_room(room);
    *room = store->rooms[--store->room_count];
    return STORE_OK;
}

/* --- published games ---------------------------------------------------------------------------------- */

/* Version 0: the newest. */
static struct kept_publication *find_publication(const struct memory_store *store, const char *name,
                                                 int64_t version)
{
    for (int i = store->publication_count - 1; i >= 0; i--) {
        struct kept_publication *kept = &store->publications[i];
        if (strcmp(kept->name, name) == 0 && (version == 0 || kept->version == version))
            return kept;
    }
    return NULL;
}

static void give_publication(const struct memory_store *store, struct store_answer *answer,
                             const struct kept_publication *kept)
{
    const struct kept_publication *newest = find_publication(store, kept->name, 0);
    answer->publications[answer->publication_count++] =
        (struct store_publication){.name = give(answer, kept->name),
                                   .version = kept->version,
                                   .versions = newest->version,
                                   .definition_hash = give(answer, kept->hash),
                                   .title = give(answer, kept->title),
                                   .players = give(answer, kept->players),
                                   .ancestor = give(answer, kept->ancestor),
                                   .ancestor_version = kept->ancestor_version,
                                   .publisher = give(answer, newest->publisher),
                                   .listed = newest->listed,
                                   .hidden = newest->hidden,
                                   .at_ms = kept->at_ms};
}

static void take_publications(struct store_answer *answer)
{
    answer->publications =
        arena_take(&answer->arena, STORE_PUBLICATIONS_MAX * sizeof *answer->publications);
}

static void keep_publication(struct memory_store *store, const struct store_request *request,
                             const struct kept_publication *newest)
{
    const struct store_publication *wanted = &request->publication;
    const struct kept_publication next = {.name = copied(wanted->name),
                                          .publisher = copied(wanted->publisher),
                                          .hash = copied(wanted->definition_hash),
                                          .definition = copied(request->definition),
                                          .title = copied(wanted->title),
                                          .players = copied(wanted->players),
                                          .ancestor = copied(wanted->ancestor),
                                          .version = newest ? newest->version + 1 : 1,
                                          .ancestor_version = wanted->ancestor_version,
                                          .at_ms = wanted->at_ms,
                                          .listed = newest && newest->listed,
                                          .hidden = newest && newest->hidden};
    size_t count = (size_t)store->publication_count + 1;
    store->publications = realloc(store->publications, count * sizeof *store->publications);
    store->publications[store->publication_count++] = next;
}

static void set_listing(struct kept_publication *newest, enum store_wish listing,
                        enum store_wish hiding)
{
    if (listing != STORE_AS_IT_IS)
        newest->listed = listing == STORE_YES;
    if (hiding != STORE_AS_IT_IS)
        newest->hidden = hiding == STORE_YES;
}

static enum store_status publish(struct memory_store *store, const struct store_request *request,
                                 struct store_answer *answer)
{
    const struct store_publication *wanted = &request->publication;
    const struct kept_publication *newest = find_publication(store, wanted->name, 0);
    enum store_status status = STORE_OK;
    if (wanted->ancestor_version > 0 &&
        !find_publication(store, wanted->ancestor, wanted->ancestor_version))
        return STORE_NOT_FOUND;
    if (newest && strcmp(newest->publisher, wanted->publisher) != 0)
        status = STORE_CONFLICT;
    else if (newest && strcmp(newest->hash, wanted->definition_hash) == 0)
        status = STORE_DUPLICATE;
    else
        keep_publication(store, request, newest);
    if (status != STORE_CONFLICT)
        set_listing(find_publication(store, wanted->name, 0), request->listing, STORE_AS_IT_IS);
    take_publications(answer);
    give_publication(store, answer, find_publication(store, wanted->name, 0));
    return status;
}

static enum store_status published(struct memory_store *store, const struct store_request *request,
                                   struct store_answer *answer)
{
    const struct kept_publication *kept =
        find_publication(store, request->publication.name, request->publication.version);
    if (!kept)
        return STORE_NOT_FOUND;
    take_publications(answer);
    give_publication(store, answer, kept);
    answer->definition = give(answer, kept->definition);
    answer->definition_length = strlen(kept->definition);
    return STORE_OK;
}

/* Those that come after `after` in the list, the first of them; NULL: none. */
static const struct kept_publication *next_listed(const struct memory_store *store,
                                                  const struct store_publication *after)
{
    const struct kept_publication *next = NULL;
    for (int i = 0; i < store->publication_count; i++) {
        const struct kept_publication *kept = &store->publications[i];
        if (kept != find_publication(store, kept->name, 0) || !kept->listed || kept->hidden)
            continue;
        bool later = kept->at_ms < after->at_ms ||
                     (kept->at_ms == after->at_ms && strcmp(kept->name, after->name) < 0);
        bool sooner = !next || kept->at_ms > next->at_ms ||
                      (kept->at_ms == next->at_ms && strcmp(kept->name, next->name) > 0);
        if (later && sooner)
            next = kept;
    }
    return next;
}

static enum store_status publications(struct memory_store *store,
                                      const struct store_request *request,
                                      struct store_answer *answer)
{
    struct store_publication after = request->publication;
    const struct kept_publication *next;
    take_publications(answer);
    while (answer->publication_count < STORE_PUBLICATIONS_MAX &&
           (next = next_listed(store, &after))) {
        give_publication(store, answer, next);
        after.at_ms = next->at_ms;
        after.name = next->name;
    }
    return STORE_OK;
}

static enum store_status list_game(struct memory_store *store, const struct store_request *request,
                                   struct store_answer *answer)
{
    const struct store_publication *wanted = &request->publication;
    struct kept_publication *newest = find_publication(store, wanted->name, 0);
    (void)answer;
    if (!newest)
        return STORE_NOT_FOUND;
    if (wanted->publisher && strcmp(newest->publisher, wanted->publisher) != 0)
        return STORE_CONFLICT;
    set_listing(newest, request->listing, request->hiding);
    return STORE_OK;
}

/* --- pictures ------------------------------------------------------------------------------------------- */

static struct kept_picture *find_picture(const struct memory_store *store, const char *hash)
{
    for (int i = 0; i < store->picture_count; i++)
        if (strcmp(store->pictures[i].hash, hash) == 0)
            return &store->pictures[i];
    return NULL;
}

static enum store_status keep_picture(struct memory_store *store,
                                      const struct store_request *request)
{
    const struct store_picture *wanted = &request->picture;
    struct kept_picture *kept = find_picture(store, wanted->hash);
    if (kept) {
        kept->at_ms = wanted->at_ms;
        return STORE_DUPLICATE;
    }
    size_t count = (size_t)store->picture_count + 1;
    store->pictures = realloc(store->pictures, count * sizeof *store->pictures);
    kept = &store->pictures[store->picture_count++];
    *kept = (struct kept_picture){
        .length = wanted->length, .kind = wanted->kind, .at_ms = wanted->at_ms};
    snprintf(kept->hash, sizeof kept->hash, "%s", wanted->hash);
    kept->bytes = malloc(wanted->length);
    memcpy(kept->bytes, wanted->bytes, wanted->length);
    return STORE_OK;
}

static enum store_status picture(const struct memory_store *store,
                                 const struct store_request *request, struct store_answer *answer)
{
    const struct kept_picture *kept = find_picture(store, request->picture.hash);
    if (!kept)
        return STORE_NOT_FOUND;
    struct store_picture *given = arena_take(&answer->arena, sizeof *given);
    *given = (struct store_picture){.kind = kept->kind,
                                    .bytes = arena_copy(&answer->arena, kept->bytes, kept->length),
                                    .length = kept->length};
    answer->picture = given;
    return STORE_OK;
}

static bool is_named(const struct memory_store *store, const char *hash)
{
    bool named = false;
    for (int i = 0; i < store->room_count; i++)
        named = named || strstr(store->rooms[i].definition, hash);
    for (int i = 0; i < store->publication_count; i++)
        named = named || strstr(store->publications[i].definition, hash);
    return named;
}

/* All at once. */
static enum store_status sweep(struct memory_store *store, const struct store_request *request,
                               struct store_answer *answer)
{
    struct store_sweep *swept = arena_take(&answer->arena, sizeof *swept);
    *swept = (struct store_sweep){.next = ""};
    for (int i = store->picture_count - 1; i >= 0; i--) {
        struct kept_picture *kept = &store->pictures[i];
        bool over = kept->at_ms < request->picture.at_ms && !is_named(store, kept->hash);
        *(over ? &swept->removed : &swept->kept) += 1;
        *(over ? &swept->removed_bytes : &swept->kept_bytes) += kept->length;
        if (!over || request->to == 0)
            continue;
        free(kept->bytes);
        *kept = store->pictures[--store->picture_count];
    }
    answer->sweep = swept;
    return STORE_OK;
}

/* A room and a picture in each of two parts; what they take is taken from the events. */
static enum store_status measure(const struct memory_store *store,
                                 const struct store_request *request, struct store_answer *answer)
{
    struct store_measure *measured = arena_take(&answer->arena, sizeof *measured);
    bool is_first = request->room[0] == '\0';
    int64_t bytes = 100 * (is_first ? store->room_count : store->picture_count);
    *measured = (struct store_measure){.next = is_first ? "1" : ""};
    measured->bytes[is_first ? STORE_SIZE_ROOMS : STORE_SIZE_PICTURES] = bytes;
    measured->bytes[STORE_SIZE_EVENTS] = (is_first ? 0 : 100000) - bytes;
    answer->measure = measured;
    return STORE_OK;
}

void memory_store_perform(struct memory_store *store, const struct store_request *request,
                          struct store_answer *answer)
{
    *answer = (struct store_answer){.ticket = request->ticket, .ask = request->ask};
    switch (request->ask) {
    case STORE_APPEND:
        answer->status = append(store, request, answer);
        return;
    case STORE_LOAD:
        answer->status = load(store, request, answer);
        return;
    case STORE_TAIL:
        answer->status = tail(store, request, answer);
        return;
    case STORE_BEHIND:
        answer->status = behind(store, request, answer);
        return;
    case STORE_DUE:
        answer->status = list_due(store, request, answer);
        return;
    case STORE_SET_DUE:
        answer->status = set_due(store, request);
        return;
    case STORE_HISTORY:
        answer->status = history(store, request, answer);
        return;
    case STORE_OPEN_ROOMS:
        answer->status = list(store, request, STORE_OPEN_ROOMS_MAX, answer);
        return;
    case STORE_PLAYER_ROOMS:
        answer->status = list_of_player(store, request, answer);
        return;
    case STORE_SECRET:
        answer->secret = give(answer, "00112233445566778899aabbccddeeff");
        answer->status = STORE_OK;
        return;
    case STORE_LEASE:
        answer->status = lease(store, request, answer);
        return;
    case STORE_RELEASE:
        answer->status = release(store, request);
        return;
    case STORE_LEAVE:
        answer->status = leave(store, request);
        return;
    case STORE_SURVEY:
        answer->status = survey(store, request, answer);
        return;
    case STORE_REMOVE:
        answer->status = remove_room(store, request);
        return;
    case STORE_PUBLISH:
        answer->status = publish(store, request, answer);
        return;
    case STORE_PUBLISHED:
        answer->status = published(store, request, answer);
        return;
    case STORE_PUBLICATIONS:
        answer->status = publications(store, request, answer);
        return;
    case STORE_KEEP_PICTURE:
        answer->status = keep_picture(store, request);
        return;
    case STORE_PICTURE:
        answer->status = picture(store, request, answer);
        return;
    case STORE_SWEEP_PICTURES:
        answer->status = sweep(store, request, answer);
        return;
    case STORE_MEASURE:
        answer->status = measure(store, request, answer);
        return;
    case STORE_LIST:
        answer->status = list_game(store, request, answer);
        return;
    case STORE_REPORT:
        answer->status = find_publication(store, request->report.name, request->report.version)
                             ? STORE_OK
                             : STORE_NOT_FOUND;
        return;
    case STORE_RATABLE:
    case STORE_RATINGS:
    case STORE_LEADERS:
    case STORE_RATE:
    case STORE_RATED:
        answer->status = memory_ratings_answer(&store->ratings, request, answer);
        return;
    case STORE_STANDINGS: /* asked beside servers only */
    case STORE_REPORTS:   /* likewise */
    case STORE_UNPUBLISH:
        answer->status = STORE_FAILED;
        return;
    }
}
