#include "tests/simulation/world.h"

#include "engine/load/load.h"
#include "protocol/client.h"
#include "protocol/message.h"
#include "server/core/core.h"
#include "tests/server/core/games.h"
#include "tests/server/core/memory_store.h"
#include "tests/simulation/games_on_offer.h"
#include "tests/support/test.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ACTORS_MAX = 12,
    LINKS_MAX = 48,
    ROOMS_MAX = 32,
    ROOMS_OPENED_MAX = 4, /* by `create`; rematches come on top */
    SAID_MAX = 16384,
    OUTBOX_MAX = 5, /* frames; small, so that it fills up */
    ROOMS_OF_LINK_MAX = 16,
    STEPS = 1500,
    REST_STEPS_MAX = 200000,
};

/* --- what the world is made of ----------------------------------------------------------------------- */

struct parcel {
    struct parcel *next;
    size_t length;
    char text[];
};
struct fifo {
    struct parcel *first, **end;
    int count;
};

/* A connection: two ends that learn of its end at different times. */
struct link {
    peer_id peer; /* 0: the slot is free */
    int actor;
    bool client_there, server_there; /* each end still has it */
    bool server_closing; /* the core has closed it: what is queued still goes, then it ends */
    bool filled;         /* the core was told that the outbox is full */
    struct fifo up, down;
    struct {
        char room[ROOM_ID_BYTES + 1];
        int64_t version; /* the last event or snapshot seen; -1: whatever comes is the first */
    } seen[ROOMS_OF_LINK_MAX];
    int seen_count;
};

enum role { ROLE_PLAYER, ROLE_SPECTATOR, ROLE_HOUSE, ROLE_OBSERVER };

struct actor {
    struct world *world;
    struct client *client;
    enum role role;
    bool retired; /* does not come back */
    bool broken;  /* its client cannot go on with this connection */
    bool joining, creating;
    char room[ROOM_ID_BYTES + 1]; /* of the house's bot */
    char seat[80];
};

struct said {
    int actor;
    char id[COMMAND_ID_BYTES_MAX + 1];
    char what[24]; /* type, or the action's kind */
    char seat[16]; /* of a join */
};

struct question {
    struct question *next;
    struct store_request *request; /* owned; NULL once performed */
    struct store_answer answer;
    bool performed;
};
struct compiling {
    struct compiling *next;
    uint64_t ticket;
    size_t length;
    int players;
    char text[];
};

struct world {
    uint64_t seed, random, now_ms;
    enum canary canary;
    bool trace, calm; /* calm: no more faults, no more wishes */
    struct core *core;
    struct memory_store store;
    struct actor actors[ACTORS_MAX];
    int actor_count;
    struct link links[LINKS_MAX];
    peer_id last_peer;
    char rooms[ROOMS_MAX][ROOM_ID_BYTES + 1];
    int room_count;
    struct question *questions;
    struct compiling *compiling;
    struct said *said;
    int said_count;
    bool stranger_wrote;
    uint32_t rooms_live_max; /* of the present core */
    struct world_report *report;
};

/* --- chance, and what went wrong ------------------------------------------------------------------------ */

static uint64_t below(struct world *world, uint64_t bound)
{
    return test_random(&world->random) % bound;
}

static bool chance(struct world *world, int in_thousand)
{
    return below(world, 1000) < (uint64_t)in_thousand;
}

static void violate(struct world *world, const char *format, ...)
{
    va_list arguments;
    if (world->report->violated)
        return;
    world->report->violated = true;
    va_start(arguments, format);
    vsnprintf(world->report->words, sizeof world->report->words, format, arguments);
    va_end(arguments);
}

static void trace(const struct world *world, const char *format, ...)
{
    va_list arguments;
    if (!world->trace)
        return;
    va_start(arguments, format);
    fprintf(stderr, "%6" PRIu64 "  ", world->report->steps);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

/* --- frames on their way --------------------------------------------------------------------------------- */

static void fifo_init(struct fifo *fifo)
{
    *fifo = (struct fifo){.end = &fifo->first};
}

static void fifo_put(struct fifo *fifo, const char *text, size_t length)
{
    struct parcel *parcel = malloc(sizeof *parcel + length + 1);
    parcel->next = NULL;
    parcel->length = length;
    memcpy(parcel->text, text, length);
    parcel->text[length] = '\0';
    *fifo->end = parcel;
    fifo->end = &parcel->next;
    fifo->count++;
}

static struct parcel *fifo_take(struct fifo *fifo)
{
    struct parcel *parcel = fifo->first;
    if (!parcel)
        return NULL;
    fifo->first = parcel->next;
    if (!fifo->first)
        fifo->end = &fifo->first;
    fifo->count--;
    return parcel;
}

static void fifo_clear(struct fifo *fifo)
{
    for (struct parcel *parcel; (parcel = fifo_take(fifo));)
        free(parcel);
}

static struct link *find_link(struct world *world, peer_id peer)
{
    for (int i = 0; i < LINKS_MAX; i++)
        if (world->links[i].peer == peer)
            return &world->links[i];
    return NULL;
}

static struct link *link_of(struct world *world, int actor)
{
    for (int i = 0; i < LINKS_MAX; i++)
        if (world->links[i].peer && world->links[i].actor == actor && world->links[i].client_there)
            return &world->links[i];
    return NULL;
}

static void free_link_if_over(struct link *link)
{
    if (link->client_there || link->server_there)
        return;
    fifo_clear(&link->up);
    fifo_clear(&link->down);
    link->peer = 0;
}

static void client_end(struct world *world, struct link *link)
{
    if (!link->client_there)
        return;
    link->client_there = false;
    world->actors[link->actor].broken = false;
    world->actors[link->actor].joining = false;
    client_closed(world->actors[link->actor].client);
    fifo_clear(&link->down);
    free_link_if_over(link);
}

static void server_end(struct world *world, struct link *link)
{
    peer_id peer = link->peer;
    if (!link->server_there)
        return;
    link->server_there = false;
    fifo_clear(&link->up);
    core_peer_gone(world->core, peer);
    free_link_if_over(link);
}

/* --- what the core says is looked at before anybody hears it --------------------------------------------- */

/* The frames of ours that matter begin in a fixed order of members, which is quicker than to parse them all. */
static bool after(const char **at, const char *text)
{
    size_t length = strlen(text);
    if (strncmp(*at, text, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool take_text(const char **at, char *text, size_t size)
{
    size_t length = strcspn(*at, "\"");
    if (length >= size)
        return false;
    memcpy(text, *at, length);
    text[length] = '\0';
    *at += length + 1;
    return true;
}

static const struct said *find_said(const struct world *world, int actor, const char *id)
{
    for (int i = world->said_count - 1; i >= 0; i--)
        if (world->said[i].actor == actor && strcmp(world->said[i].id, id) == 0)
            return &world->said[i];
    return NULL;
}

static const struct kept_event *find_kept(const struct kept_room *room, const char *player,
                                          const char *id)
{
    for (int i = 0; room && i < room->event_count; i++)
        if (strcmp(room->events[i].client, player) == 0 && strcmp(room->events[i].command, id) == 0)
            return &room->events[i];
    return NULL;
}

static void check_created(struct world *world, const char *player, const char *id, const char *room)
{
    int count = 0;
    bool here = false;
    for (int i = 0; i < world->store.room_count; i++) {
        const struct kept_event *first = &world->store.rooms[i].events[0];
        if (strcmp(first->client, player) != 0 || strcmp(first->command, id) != 0)
            continue;
        count++;
        here = here || strcmp(world->store.rooms[i].id, room) == 0;
    }
    if (count != 1 || !here)
        violate(world, "create %s acknowledged with room %s, but %d rooms were made of it", id,
                room, count);
}

static bool sits(const struct kept_room *room, const char *player)
{
    for (int i = 0; room && i < room->seat_count; i++)
        if (strcmp(room->seats[i].player, player) == 0)
            return true;
    return false;
}

static bool is_one_of(const char *what, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(what, *words) == 0)
            return true;
    return false;
}

/* "An ack means: what the command changed is on disk", once. */
static void check_ack(struct world *world, const struct link *link, const char *at)
{
    static const char *const always[] = {"move", "chat", "resign", "draw.decline", NULL};
    char id[64], room_id[16];
    const char *player = client_player(world->actors[link->actor].client);
    if (!after(&at, "\"re\":\"") || !take_text(&at, id, sizeof id) || !after(&at, ",\"room\":\"") ||
        !take_text(&at, room_id, sizeof room_id) || !after(&at, ",\"version\":"))
        return;
    int64_t version = strtoll(at, NULL, 10);
    const struct said *said = find_said(world, link->actor, id);
    if (!player || !said) {
        violate(world, "an ack for %s, which nobody has said", id);
        return;
    }
    world->report->acknowledged++;
    const struct kept_room *room = memory_store_room(&world->store, room_id);
    int count = memory_store_count(&world->store, room_id, player, id);
    const struct kept_event *event = find_kept(room, player, id);
    if (!room || version > room->version || count > 1)
        violate(world, "%s %s acknowledged at %" PRId64 " of %s, which the store has %d times",
                said->what, id, version, room_id, count);
    else if (event && event->version != version)
        violate(world, "%s %s acknowledged at %" PRId64 ", but it was %" PRId64, said->what, id,
                version, event->version);
    else if (is_one_of(said->what, always) && !event)
        violate(world, "%s %s acknowledged, but it is not in the store", said->what, id);
    else if (strcmp(said->what, "create") == 0)
        check_created(world, player, id, room_id);
    else if (strcmp(said->what, "join") == 0 && strcmp(said->seat, "spectator") != 0 && !event &&
             !sits(room, player))
        violate(world, "join %s acknowledged, but nobody sits there", id);
}

static void check_version(struct world *world, struct link *link, const char *room, int64_t version,
                          bool is_event)
{
    int i = 0;
    while (i < link->seen_count && strcmp(link->seen[i].room, room) != 0)
        i++;
    if (i == ROOMS_OF_LINK_MAX)
        return;
    if (i == link->seen_count) {
        link->seen_count++;
        snprintf(link->seen[i].room, sizeof link->seen[i].room, "%s", room);
        link->seen[i].version = -1;
    }
    int64_t before = link->seen[i].version;
    if (is_event && before >= 0 && version != before + 1)
        violate(world, "event %" PRId64 " of %s follows %" PRId64, version, room, before);
    link->seen[i].version = version;
}

static void check_event(struct world *world, struct link *link, const char *at)
{
    char room_id[16], kind[32];
    if (!after(&at, "\"room\":\"") || !take_text(&at, room_id, sizeof room_id) ||
        !after(&at, ",\"version\":"))
        return;
    char *end;
    int64_t version = strtoll(at, &end, 10);
    at = end;
    if (!after(&at, ",\"kind\":\"") || !take_text(&at, kind, sizeof kind))
        return;
    const struct kept_room *room = memory_store_room(&world->store, room_id);
    world->report->shown++;
    if (!room || room->version < version || strcmp(room->events[version - 1].kind, kind) != 0)
        violate(world, "%s %" PRId64 " of %s shown, but it is not in the store", kind, version,
                room_id);
    check_version(world, link, room_id, version, true);
}

static void check_snapshot(struct world *world, struct link *link, const char *at)
{
    char room_id[16], id[64];
    if (after(&at, "\"re\":\"") && (!take_text(&at, id, sizeof id) || !after(&at, ",")))
        return;
    if (!after(&at, "\"room\":\"") || !take_text(&at, room_id, sizeof room_id) ||
        !after(&at, ",\"version\":"))
        return;
    int64_t version = strtoll(at, NULL, 10);
    const struct kept_room *room = memory_store_room(&world->store, room_id);
    if (!room || room->version < version)
        violate(world, "a snapshot of %s at %" PRId64 ", which is not in the store", room_id,
                version);
    check_version(world, link, room_id, version, false);
}

/* After `resume` and after `leave` what comes next need not follow what came before. */
static void forget_seen(struct link *link, const char *ack)
{
    const char *room = strstr(ack, "\"room\":\"");
    for (int i = 0; room && i < link->seen_count; i++)
        if (strncmp(room + strlen("\"room\":\""), link->seen[i].room, ROOM_ID_BYTES) == 0)
            link->seen[i].version = -1;
}

static void check_frame(struct world *world, struct link *link, const char *text)
{
    const char *at = text;
    if (after(&at, "{\"type\":\"ack\",")) {
        const char *id = at;
        char name[64] = "";
        check_ack(world, link, at);
        if (after(&id, "\"re\":\""))
            take_text(&id, name, sizeof name);
        const struct said *said = find_said(world, link->actor, name);
        if (strstr(text, "\"mode\":") || (said && strcmp(said->what, "leave") == 0))
            forget_seen(link, text);
    } else if (after(&at, "{\"type\":\"event\",")) {
        check_event(world, link, at);
    } else if (after(&at, "{\"type\":\"snapshot\",")) {
        check_snapshot(world, link, at);
    }
}

/* --- the ports ---------------------------------------------------------------------------------------------- */

static enum send_result on_send(void *context, peer_id peer, struct frame *frame)
{
    struct world *world = context;
    struct link *link = find_link(world, peer);
    if (!link || !link->server_there || link->server_closing) {
        violate(world, "sent to a peer that is not there");
        return SEND_QUEUED;
    }
    if (link->down.count >= OUTBOX_MAX) {
        link->filled = true;
        return SEND_FULL;
    }
    char *text = strndup(frame_payload(frame), frame->payload_length);
    check_frame(world, link, text);
    bool event = strncmp(text, "{\"type\":\"event\"", 15) == 0;
    char *letter = event ? strstr(text, "\"reason\"") : NULL;
    if (world->canary == CANARY_WRONG_LETTER && letter)
        letter[2] = 'a'; /* "raason" */
    bool lost = event && world->canary == CANARY_LOST_FRAME && chance(world, 100);
    if (link->client_there && !lost)
        fifo_put(&link->down, text, strlen(text));
    free(text);
    return SEND_QUEUED;
}

static void on_close(void *context, peer_id peer, int code, const char *reason)
{
    struct world *world = context;
    struct link *link = find_link(world, peer);
    trace(world, "the server closes %" PRIu64 ": %d %s", peer, code, reason);
    if (!link || link->server_closing)
        violate(world, "closed twice");
    else
        link->server_closing = true;
}

static bool on_store(void *context, const struct store_request *request)
{
    struct world *world = context;
    struct question **end = &world->questions;
    if (!world->calm && chance(world, 5))
        return false;
    struct question *question = calloc(1, sizeof *question);
    question->request = store_request_copy(request);
    while (*end)
        end = &(*end)->next;
    *end = question;
    if (world->canary != CANARY_EARLY_ANSWER || request->ask != STORE_APPEND)
        return true;
    /* The lie: an answer that may arrive before its request has been performed. */
    struct question *lie = calloc(1, sizeof *lie);
    lie->performed = true;
    lie->answer =
        (struct store_answer){.ticket = request->ticket, .ask = request->ask, .status = STORE_OK};
    lie->next = world->questions;
    world->questions = lie;
    return true;
}

static void on_compile(void *context, uint64_t ticket, const char *text, size_t length, int players)
{
    struct world *world = context;
    struct compiling *compiling = calloc(1, sizeof *compiling + length + 1);
    compiling->ticket = ticket;
    compiling->length = length;
    compiling->players = players;
    memcpy(compiling->text, text, length);
    compiling->next = world->compiling;
    world->compiling = compiling;
}

static int add_actor(struct world *world, enum role role, const char *token);
static void connect_actor(struct world *world, int index);

static void on_house_bot(void *context, const char *room, const char *seat, const char *token)
{
    struct world *world = context;
    for (int i = 0; i < world->actor_count; i++) {
        struct actor *actor = &world->actors[i];
        if (actor->role == ROLE_HOUSE && strcmp(actor->room, room) == 0 &&
            strcmp(actor->seat, seat) == 0) {
            actor->retired = false;
            return;
        }
    }
    int index = add_actor(world, ROLE_HOUSE, token);
    if (index < 0)
        return;
    snprintf(world->actors[index].room, sizeof world->actors[index].room, "%s", room);
    snprintf(world->actors[index].seat, sizeof world->actors[index].seat, "%s", seat);
}

static void on_random(void *context, void *bytes, size_t size)
{
    struct world *world = context;
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)bytes)[i] = (unsigned char)test_random(&world->random);
}

static void on_log(void *context, enum fact_level level, const char *fact, const char *members)
{
    struct world *world = context;
    (void)level;
    trace(world, "log: %s %s", fact, members);
    if (strcmp(fact, "replay_failed") == 0)
        violate(world, "%s: %s", fact, members);
}

static void start_core(struct world *world)
{
    struct core_ports ports = {.context = world,
                               .send = on_send,
                               .close = on_close,
                               .store = on_store,
                               .compile = on_compile,
                               .house_bot = on_house_bot,
                               .random = on_random,
                               .log = on_log};
    struct core_options options;
    core_options_default(&options);
    options.recent_room_bytes = 500 + (uint32_t)below(world, 4000);
    options.recent_bytes = 20000;
    options.room_idle_ms = 3000;
    world->rooms_live_max = world->calm ? ROOMS_MAX : 4 + (uint32_t)below(world, 8);
    options.rooms_live_max = world->rooms_live_max;
    world->core = core_new(&options, &ports, world->now_ms);
    struct game_on_offer *games = games_on_offer();
    for (int i = 0; i < GAMES_ON_OFFER; i++)
        core_add_game(world->core, games[i].id, games[i].game, games[i].text, games[i].length);
    core_start(world->core);
}

/* --- the store's pace --------------------------------------------------------------------------------------- */

static void check_versions(struct world *world)
{
    for (int i = 0; i < world->store.room_count; i++) {
        const struct kept_room *room = &world->store.rooms[i];
        int64_t last = room->events[room->event_count - 1].version;
        if (last != room->event_count || last != room->version)
            violate(world, "the versions of %s have a gap", room->id);
    }
}

static void perform(struct world *world, struct question *question)
{
    struct store_request *request = question->request;
    bool append = request->ask == STORE_APPEND;
    if (!world->calm && chance(world, 30)) {
        question->answer = (struct store_answer){.ticket = request->ticket,
                                                 .ask = request->ask,
                                                 .status = STORE_FAILED,
                                                 .words = "on purpose"};
    } else {
        memory_store_perform(&world->store, request, &question->answer);
        if (append)
            check_versions(world);
    }
    trace(world, "the store performs %" PRIu64 ": %d", request->ticket, question->answer.status);
    store_request_free(question->request);
    question->request = NULL;
    question->performed = true;
}

static void answer_one(struct world *world, struct question **link)
{
    struct question *question = *link;
    *link = question->next;
    trace(world, "the store answers %" PRIu64, question->answer.ticket);
    core_store_answered(world->core, &question->answer);
    free(question);
}

static struct question **pick_question(struct world *world, bool performed)
{
    struct question **picked = NULL;
    uint64_t count = 0;
    for (struct question **link = &world->questions; *link; link = &(*link)->next)
        if ((*link)->performed == performed && below(world, ++count) == 0)
            picked = link;
    return picked;
}

static bool step_perform(struct world *world)
{
    struct question **link = pick_question(world, false);
    if (link)
        perform(world, *link);
    return link;
}

static bool step_answer(struct world *world)
{
    struct question **link = pick_question(world, true);
    if (link)
        answer_one(world, link);
    return link;
}

static bool step_compile(struct world *world)
{
    struct compiling *compiling = world->compiling;
    struct diagnostics diagnostics;
    if (!compiling)
        return false;
    world->compiling = compiling->next;
    diagnostics_init(&diagnostics);
    const struct load_options options = {.player_count = compiling->players};
    struct game *game = game_load(compiling->text, compiling->length, &options, &diagnostics);
    core_compiled(world->core, compiling->ticket, game, &diagnostics);
    diagnostics_release(&diagnostics);
    free(compiling);
    return true;
}

/* Another process writes to a room of ours. */
static void step_stranger(struct world *world)
{
    if (world->store.room_count == 0)
        return;
    const struct kept_room *room =
        &world->store.rooms[below(world, (uint64_t)world->store.room_count)];
    struct store_request request = {.ask = STORE_APPEND, .write_count = 1};
    request.writes[0] = (struct store_write){
        .room = {.id = room->id, .status = room->status},
        .expected_version = room->version,
        .epoch = room->epoch,
        .event = {.version = room->version + 1,
                  .at_ms = (int64_t)world->now_ms,
                  .kind = "chat",
                  .client = "p_strangerstranger",
                  .command = "",
                  .body =
                      "{\"player\":\"p_strangerstranger\",\"name\":\"Stranger\",\"text\":\"x\"}"}};
    struct store_answer answer;
    memory_store_perform(&world->store, &request, &answer);
    trace(world, "a stranger writes to %s: %d", room->id, answer.status);
    store_answer_release(&answer);
    world->stranger_wrote = true;
}

/* --- the network's pace ------------------------------------------------------------------------------------- */

static void connect_actor(struct world *world, int index)
{
    struct link *link = find_link(world, 0);
    struct actor *actor = &world->actors[index];
    if (!link || link_of(world, index) || actor->retired)
        return;
    *link = (struct link){
        .peer = ++world->last_peer, .actor = index, .client_there = true, .server_there = true};
    fifo_init(&link->up);
    fifo_init(&link->down);
    trace(world, "actor %d connects as %" PRIu64, index, link->peer);
    client_opened(actor->client);
    core_peer_opened(world->core, link->peer, actor->role == ROLE_HOUSE);
}

/* What the client has to say goes on its way; sometimes twice. */
static void flush_client(struct world *world, struct link *link)
{
    size_t length;
    for (const char *frame;
         (frame = client_next_frame(world->actors[link->actor].client, &length));) {
        char *copy = strndup(frame, length);
        fifo_put(&link->up, copy, length);
        if (!world->calm && chance(world, 60))
            fifo_put(&link->up, copy, length);
        free(copy);
    }
}

static struct link *pick_link(struct world *world, bool (*fits)(const struct link *link))
{
    struct link *picked = NULL;
    uint64_t count = 0;
    for (int i = 0; i < LINKS_MAX; i++)
        if (world->links[i].peer && fits(&world->links[i]) && below(world, ++count) == 0)
            picked = &world->links[i];
    return picked;
}

static bool has_up(const struct link *link)
{
    return link->server_there && link->up.first;
}

static bool has_down(const struct link *link)
{
    return link->client_there && link->down.first;
}

static bool is_closing(const struct link *link)
{
    return link->server_closing && link->server_there;
}

static bool is_half_cut(const struct link *link)
{
    return link->server_there && !link->client_there;
}

static bool is_whole(const struct link *link)
{
    return link->server_there && link->client_there;
}

static void note_said(struct world *world, int actor, const char *text)
{
    json_t *json = json_loads(text, 0, NULL);
    const char *id = json_string_value(json_object_get(json, "id"));
    const char *what = json_string_value(json_object_get(json, "type"));
    const char *seat = json_string_value(json_object_get(json, "seat"));
    if (what && strcmp(what, "action") == 0)
        what = json_string_value(json_object_get(json, "kind"));
    if (id && what && strlen(id) <= COMMAND_ID_BYTES_MAX && world->said_count < SAID_MAX &&
        !find_said(world, actor, id)) {
        struct said *said = &world->said[world->said_count++];
        said->actor = actor;
        snprintf(said->id, sizeof said->id, "%s", id);
        snprintf(said->what, sizeof said->what, "%.23s", what);
        snprintf(said->seat, sizeof said->seat, "%.15s", seat ? seat : "");
    }
    json_decref(json);
}

static bool step_up(struct world *world)
{
    struct link *link = pick_link(world, has_up);
    if (!link)
        return false;
    struct parcel *parcel = fifo_take(&link->up);
    trace(world, "%d says %.120s", link->actor, parcel->text);
    note_said(world, link->actor, parcel->text);
    core_peer_said(world->core, link->peer, parcel->text, parcel->length);
    free(parcel);
    return true;
}

static bool step_down(struct world *world)
{
    struct link *link = pick_link(world, has_down);
    if (!link)
        return false;
    struct parcel *parcel = fifo_take(&link->down);
    trace(world, "%d hears %.120s", link->actor, parcel->text);
    client_received(world->actors[link->actor].client, parcel->text, parcel->length);
    free(parcel);
    flush_client(world, link);
    if (link->filled && link->down.count == 0 && link->server_there && !link->server_closing) {
        link->filled = false;
        core_peer_drained(world->core, link->peer);
    }
    if (world->actors[link->actor].broken)
        client_end(world, link);
    return true;
}

/* What the core has closed is over for the client once all has been delivered, and the core learns of it. */
static bool step_close(struct world *world)
{
    struct link *link = pick_link(world, is_closing);
    if (!link || link->down.first)
        return false;
    client_end(world, link);
    server_end(world, link);
    return true;
}

static bool step_notice(struct world *world)
{
    struct link *link = pick_link(world, is_half_cut);
    if (!link)
        return false;
    server_end(world, link);
    return true;
}

static void step_cut(struct world *world)
{
    struct link *link = pick_link(world, is_whole);
    if (!link)
        return;
    trace(world, "the connection of %d breaks", link->actor);
    while (link->up.first && chance(world, 500)) {
        struct parcel *parcel = fifo_take(&link->up);
        note_said(world, link->actor, parcel->text);
        core_peer_said(world->core, link->peer, parcel->text, parcel->length);
        free(parcel);
    }
    fifo_clear(&link->up);
    client_end(world, link);
}

static void step_garbage(struct world *world)
{
    static const char *const garbage[] = {"{", "[]", "{\"type\":\"what\",\"id\":\"x\"}",
                                          "{\"type\":\"move\",\"id\":\"x\"}", "\xff"};
    struct link *link = pick_link(world, is_whole);
    const char *text = garbage[below(world, 5)];
    if (link)
        fifo_put(&link->up, text, strlen(text));
}

static void crash(struct world *world)
{
    trace(world, "the server crashes");
    world->report->crashes++;
    struct core_statistics statistics;
    core_read_statistics(world->core, &statistics);
    world->report->events += statistics.events;
    world->report->moves += statistics.moves;
    world->report->duplicates += statistics.duplicates;
    world->report->conflicts += statistics.conflicts;
    world->report->resyncs += statistics.resyncs;
    world->report->resumed += statistics.resumes_by_events + statistics.resumes_by_snapshot;
    core_free(world->core);
    /* What was asked may have been done, though nobody will hear of it; in the order asked. */
    bool done = true;
    while (world->questions) {
        struct question *question = world->questions;
        world->questions = question->next;
        done = done && !chance(world, 300);
        if (!question->performed && done)
            perform(world, question);
        if (question->request)
            store_request_free(question->request);
        else
            store_answer_release(&question->answer);
        free(question);
    }
    while (world->compiling) {
        struct compiling *compiling = world->compiling;
        world->compiling = compiling->next;
        free(compiling);
    }
    for (int i = 0; i < LINKS_MAX; i++) {
        world->links[i].server_there = false;
        if (world->links[i].peer)
            client_end(world, &world->links[i]);
        if (world->links[i].peer)
            free_link_if_over(&world->links[i]);
    }
    world->core = NULL;
}

/* --- the actors -------------------------------------------------------------------------------------------------- */

static void note_room(struct world *world, const char *room)
{
    for (int i = 0; i < world->room_count; i++)
        if (strcmp(world->rooms[i], room) == 0)
            return;
    if (world->room_count < ROOMS_MAX)
        snprintf(world->rooms[world->room_count++], sizeof world->rooms[0], "%s", room);
}

static void on_event(void *context, struct client *client, const struct client_event *event)
{
    struct actor *actor = context;
    struct world *world = actor->world;
    switch (event->kind) {
    case CLIENT_ACKNOWLEDGED:
        if (event->room)
            note_room(world, event->room);
        actor->joining = actor->creating = false;
        break;
    case CLIENT_REFUSED:
        actor->joining = actor->creating = false;
        break;
    case CLIENT_STATE:
        if (client_state_text(client, "next_room")[0])
            note_room(world, client_state_text(client, "next_room"));
        break;
    case CLIENT_BROKEN:
        actor->broken = true;
        if (!strstr(event->message, "later"))
            violate(world, "a client does not understand: %s", event->message);
        break;
    case CLIENT_WELCOME:
    case CLIENT_ANSWER:
    case CLIENT_OTHER:
        break;
    }
    if (client_sync_count(client) > 0)
        violate(world, "a client's hash differs in %s at %" PRId64, client_room(client),
                client_version(client));
}

static int add_actor(struct world *world, enum role role, const char *token)
{
    if (world->actor_count == ACTORS_MAX)
        return -1;
    struct actor *actor = &world->actors[world->actor_count];
    struct client_options options = {.token = token, .seed = test_random(&world->random)};
    *actor = (struct actor){.world = world, .role = role};
    actor->client = client_new(&options, on_event, actor);
    return world->actor_count++;
}

static const char *choose_game(struct world *world)
{
    struct game_on_offer *games = games_on_offer();
    uint64_t at = below(world, 100);
    for (int i = 0; i < GAMES_ON_OFFER; i++) {
        if (at < (uint64_t)games[i].weight)
            return games[i].id;
        at -= (uint64_t)games[i].weight;
    }
    return games[0].id;
}

static void make_room(struct world *world, struct actor *actor)
{
    actor->creating = true;
    static const char prefix[] = "{\"title\":\"my own\",";
    char definition[8192];
    if (!chance(world, 200)) {
        client_create(actor->client, choose_game(world));
        return;
    }
    snprintf(definition, sizeof definition, "%s%s", prefix, game_of_two + 1);
    client_create(actor->client, definition);
}

static void enter_room(struct world *world, struct actor *actor)
{
    static const char *const seats[] = {"any", "any", "any", "any", "all", "green", "spectator"};
    const char *seat = actor->role == ROLE_PLAYER ? seats[below(world, 7)] : "spectator";
    if (actor->joining)
        return;
    if (actor->role == ROLE_HOUSE) {
        actor->joining = client_join(actor->client, actor->room, actor->seat, "Robot", true);
        return;
    }
    if (world->room_count == 0 || chance(world, 30)) {
        if (world->store.room_count < ROOMS_OPENED_MAX && !actor->creating)
            make_room(world, actor);
        return;
    }
    const char *room = world->rooms[below(world, (uint64_t)world->room_count)];
    actor->joining = client_join(actor->client, room, seat, "Ann", false);
}

static void make_move(struct world *world, struct actor *actor)
{
    const char *from, *to, *choice;
    int count = client_legal_move_count(actor->client);
    if (count == 0)
        return;
    client_legal_move(actor->client, (int)below(world, (uint64_t)count), &from, &to, &choice);
    client_move(actor->client, from, chance(world, 30) ? from : to, choice);
}

static void act_while_playing(struct world *world, struct actor *actor)
{
    struct client *client = actor->client;
    if (client_must_move(client) && chance(world, 800))
        make_move(world, actor);
    else if (client_state_text(client, "draw_offer")[0] && chance(world, 500))
        client_action(client, chance(world, 500) ? "draw.accept" : "draw.decline");
    else if (chance(world, 30))
        client_action(client, "draw.offer");
    else if (chance(world, 20))
        client_action(client, "resign");
}

static void act_when_finished(struct world *world, struct actor *actor)
{
    static const char *const kinds[] = {"rematch.offer", "rematch.accept", "rematch.accept",
                                        "rematch.decline"};
    const char *next = client_state_text(actor->client, "next_room");
    if (next[0] && !actor->joining && chance(world, 500))
        actor->joining = client_join(actor->client, next,
                                     actor->role == ROLE_PLAYER ? "any" : "spectator", NULL, false);
    else if (actor->role == ROLE_PLAYER && chance(world, 400))
        client_action(actor->client, kinds[below(world, 4)]);
}

static void ask_something(struct world *world, struct actor *actor)
{
    static const char *const questions[] = {
        "\"type\":\"games\",\"op\":\"list\"", "\"type\":\"lobby.subscribe\"",
        "\"type\":\"lobby.unsubscribe\"", "\"type\":\"ping\"",
        "\"type\":\"join\",\"room\":\"nowhere0\",\"seat\":\"any\""};
    char text[128];
    const char *room = client_room(actor->client);
    uint64_t which = below(world, 8);
    if (which < 5)
        client_command(actor->client, questions[which]);
    else if (room) {
        const char *type = which == 5 ? "history\",\"from\":1,\"to\":\"" : NULL;
        snprintf(text, sizeof text, "\"type\":\"%s\",\"room\":\"%s\"%s",
                 type         ? "history"
                 : which == 6 ? "legal_moves"
                              : "sync",
                 room, type ? ",\"from\":1,\"to\":9" : "");
        client_command(actor->client, text);
    }
}

static void act(struct world *world, struct actor *actor)
{
    struct client *client = actor->client;
    const char *status = client_status(client);
    if (!client_room(client)) {
        enter_room(world, actor);
        return;
    }
    if (!client_ready(client) && !chance(world, 300))
        return;
    if (chance(world, 100))
        client_chat(client, "hello");
    if (chance(world, 60))
        ask_something(world, actor);
    if (chance(world, 10) && actor->role != ROLE_HOUSE)
        client_leave(client);
    if (strcmp(status, "playing") == 0)
        act_while_playing(world, actor);
    else if (strcmp(status, "finished") == 0)
        act_when_finished(world, actor);
    else if (chance(world, 60) && actor->role == ROLE_PLAYER)
        client_action(client, "bot.invite");
}

static void step_act(struct world *world)
{
    int index = (int)below(world, (uint64_t)world->actor_count);
    struct link *link = link_of(world, index);
    if (world->actors[index].retired)
        return;
    if (!link) {
        connect_actor(world, index);
        return;
    }
    act(world, &world->actors[index]);
    flush_client(world, link);
}

/* The same player once more, on another device. */
static void step_twin(struct world *world)
{
    int index = (int)below(world, (uint64_t)world->actor_count);
    const struct actor *actor = &world->actors[index];
    if (actor->role != ROLE_PLAYER || !client_token(actor->client))
        return;
    char token[64], room[ROOM_ID_BYTES + 1] = "";
    snprintf(token, sizeof token, "%s", client_token(actor->client));
    if (client_room(actor->client))
        snprintf(room, sizeof room, "%s", client_room(actor->client));
    int twin = add_actor(world, ROLE_PLAYER, token);
    if (twin >= 0 && room[0])
        client_join(world->actors[twin].client, room, "any", NULL, false);
}

/* --- time -------------------------------------------------------------------------------------------------------------- */

static void step_time(struct world *world, uint64_t passed_ms)
{
    world->now_ms += passed_ms;
    core_time(world->core, world->now_ms);
    if (core_deadline_ms(world->core) <= world->now_ms)
        violate(world, "the core wants to be woken at a time that has passed");
}

static void step_fault(struct world *world)
{
    uint64_t which = below(world, 100);
    if (which < 45)
        step_cut(world);
    else if (which < 55)
        step_garbage(world);
    else if (which < 60)
        step_twin(world);
    else if (which < 75)
        step_stranger(world);
    else if (which < 85)
        step_time(world, 6000);
    else {
        crash(world);
        start_core(world);
    }
}

static void step(struct world *world)
{
    uint64_t which = below(world, 1000);
    world->report->steps++;
    if (which < 230)
        step_up(world);
    else if (which < 530)
        step_down(world);
    else if (which < 650)
        step_perform(world);
    else if (which < 770)
        step_answer(world);
    else if (which < 790)
        step_compile(world);
    else if (which < 810)
        step_close(world);
    else if (which < 820)
        step_notice(world);
    else if (which < 850)
        step_time(world, below(world, 100));
    else if (which < 990)
        step_act(world);
    else
        step_fault(world);
}

/* --- rest: no more faults; everything is delivered, everybody is connected ------------------------------------------------ */

static bool pump(struct world *world)
{
    bool moved = false;
    moved |= step_up(world);
    moved |= step_down(world);
    moved |= step_perform(world);
    moved |= step_answer(world);
    moved |= step_compile(world);
    moved |= step_close(world);
    moved |= step_notice(world);
    return moved;
}

static bool all_connected(struct world *world)
{
    bool all = true;
    for (int i = 0; i < world->actor_count; i++) {
        if (world->actors[i].retired || link_of(world, i))
            continue;
        connect_actor(world, i);
        all = false;
    }
    return all;
}

static void rest(struct world *world)
{
    for (int i = 0; i < REST_STEPS_MAX && !world->report->violated; i++) {
        world->report->steps++;
        if (pump(world))
            continue;
        step_time(world, 1100);
        if (all_connected(world) && !pump(world))
            return;
    }
    violate(world, "the world does not come to rest");
}

/* One device of each player stays: two would replace each other for ever. The house's bots do as they are told, and go when
 * their room sleeps. */
static void retire_some(struct world *world)
{
    for (int i = 0; i < world->actor_count; i++) {
        struct actor *actor = &world->actors[i];
        actor->retired = actor->retired || actor->role == ROLE_HOUSE;
        for (int j = i + 1; j < world->actor_count && !actor->retired; j++) {
            const char *mine = client_token(actor->client);
            const char *theirs = client_token(world->actors[j].client);
            actor->retired = mine && theirs && strcmp(mine, theirs) == 0;
        }
        struct link *link = link_of(world, i);
        if (actor->retired && link)
            client_end(world, link);
    }
}

static void compare_room(struct world *world, const struct kept_room *room)
{
    char *expected = NULL;
    for (int i = world->actor_count - 1; i >= 0; i--) {
        struct actor *actor = &world->actors[i];
        const char *its_room = client_room(actor->client);
        if (actor->retired || !its_room || strcmp(its_room, room->id) != 0)
            continue;
        const char *state = client_state_json(actor->client);
        if (!client_ready(actor->client) || client_version(actor->client) != room->version) {
            violate(world, "actor %d is at %" PRId64 " of %s, the store at %" PRId64, i,
                    client_version(actor->client), room->id, room->version);
            break;
        }
        if (!expected)
            expected = strdup(state);
        else if (strcmp(expected, state) != 0)
            violate(world, "two clients see %s differently:\n%s\n%s", room->id, expected, state);
    }
    free(expected);
}

static void observe(struct world *world)
{
    int observer = add_actor(world, ROLE_OBSERVER, NULL);
    for (int i = 0; i < world->store.room_count && observer >= 0; i++) {
        const struct kept_room *room = &world->store.rooms[i];
        client_join(world->actors[observer].client, room->id, "spectator", NULL, false);
        struct link *link = link_of(world, observer);
        if (link)
            flush_client(world, link);
        rest(world);
        if (!client_room(world->actors[observer].client))
            violate(world, "room %s cannot be entered any more", room->id);
        compare_room(world, room);
    }
}

static void check_commands_unique(struct world *world)
{
    for (int i = 0; i < world->store.room_count; i++) {
        const struct kept_room *room = &world->store.rooms[i];
        for (int j = 0; j < room->event_count; j++) {
            const struct kept_event *event = &room->events[j];
            if (event->command[0] &&
                memory_store_count(&world->store, room->id, event->client, event->command) != 1)
                violate(world, "%s of %s is in %s twice", event->command, event->client, room->id);
        }
    }
}

static void come_to_rest(struct world *world)
{
    world->calm = true;
    retire_some(world);
    /* A room that a stranger wrote to is found out with the next append; here a restart does. And everybody has to find
     * a place in the end. */
    bool too_small = world->store.room_count > (int)world->rooms_live_max;
    if (world->stranger_wrote || too_small || chance(world, 500)) {
        crash(world);
        start_core(world);
    }
    if (world->actor_count == ACTORS_MAX) { /* the observer needs a place */
        struct link *link = link_of(world, ACTORS_MAX - 1);
        if (link)
            client_end(world, link);
        for (int i = 0; i < LINKS_MAX; i++)
            if (world->links[i].peer && world->links[i].actor == ACTORS_MAX - 1)
                server_end(world, &world->links[i]);
        client_free(world->actors[--world->actor_count].client);
    }
    rest(world);
    observe(world);
    check_commands_unique(world);
    check_versions(world);
}

/* --- one life ----------------------------------------------------------------------------------------------------------------- */

void world_live(uint64_t seed, enum canary canary, bool with_trace, struct world_report *report)
{
    struct world *world = calloc(1, sizeof *world);
    *report = (struct world_report){.seed = seed};
    world->said = calloc(SAID_MAX, sizeof *world->said);
    world->seed = seed;
    world->random = seed;
    world->canary = canary;
    world->trace = with_trace;
    world->now_ms = 1790000000000;
    world->report = report;
    memory_store_init(&world->store);
    world->store.forgetful = canary == CANARY_FORGETFUL;
    start_core(world);
    int players = 2 + (int)below(world, 3), spectators = (int)below(world, 3);
    for (int i = 0; i < players; i++)
        add_actor(world, ROLE_PLAYER, NULL);
    for (int i = 0; i < spectators; i++)
        add_actor(world, ROLE_SPECTATOR, NULL);
    for (int i = 0; i < STEPS && !report->violated; i++)
        step(world);
    if (!report->violated)
        come_to_rest(world);
    report->rooms = (uint64_t)world->store.room_count;
    crash(world);
    for (int i = 0; i < world->actor_count; i++)
        client_free(world->actors[i].client);
    memory_store_release(&world->store);
    free(world->said);
    free(world);
}
