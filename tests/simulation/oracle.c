/* What the servers say is looked at before anybody hears it, beside the store and beside the log of who hears it. */
#include "tests/simulation/parts.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- texts of ours begin in a fixed order of members, which is quicker than to parse them all ------------------- */

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

/* A frame whose members stand in another order than is expected here would otherwise never be looked at again. */
static void cannot_read(struct world *world, const char *text)
{
    violate(world, "a frame that begins otherwise than it is read here: %.160s", text);
}

/* The text of a member, wherever it is; "" when there is none. */
static void find_text(const char *text, const char *member, char *value, size_t size)
{
    char key[32];
    snprintf(key, sizeof key, "\"%s\":\"", member);
    const char *at = strstr(text, key);
    value[0] = '\0';
    if (!at)
        return;
    at += strlen(key);
    if (!take_text(&at, value, size))
        value[0] = '\0';
}

/* --- the clients' logs -------------------------------------------------------------------------------------------- */

static struct said **bucket_of(struct world *world, int actor, const char *id)
{
    uint32_t hash = UINT32_C(2166136261) ^ (uint32_t)actor;
    for (; *id; id++)
        hash = (hash ^ (unsigned char)*id) * UINT32_C(16777619);
    return &world->said[hash % SAID_BUCKETS];
}

struct said *oracle_find_said(struct world *world, int actor, const char *id)
{
    struct said *said = *bucket_of(world, actor, id);
    while (said && (said->actor != actor || strcmp(said->id, id) != 0))
        said = said->next;
    return said;
}

static struct said *add_said(struct world *world, int actor, const char *id, const char *text)
{
    struct said **bucket = bucket_of(world, actor, id);
    struct said *said = calloc(1, sizeof *said);
    said->actor = actor;
    said->order = ++world->said_count;
    snprintf(said->id, sizeof said->id, "%s", id);
    find_text(text, "type", said->what, sizeof said->what);
    if (strcmp(said->what, "action") == 0)
        find_text(text, "kind", said->what, sizeof said->what);
    if (strcmp(said->what, "join") == 0)
        find_text(text, "seat", said->seat, sizeof said->seat);
    if (strcmp(said->what, "seek") == 0)
        said->sought = strstr(text, "\"range\"") ? SOUGHT_NOTHING
                       : strstr(text, "rated")   ? SOUGHT_RATED
                       : strstr(text, "three")   ? SOUGHT_THREE
                       : strstr(text, "\"red\"") ? SOUGHT_TWO_RED
                                                 : SOUGHT_TWO;
    if (strcmp(said->what, "resume") == 0)
        said->version = strtoll(strstr(text, "\"version\":") + strlen("\"version\":"), NULL, 10);
    said->next = *bucket;
    *bucket = said;
    return said;
}

static int seen_at(struct link *link, const char *room);

/* Whoever comes, or comes as something else, plays there when he is told so; until then nobody knows. */
static void forget_seat(struct link *link, const char *what, const char *text)
{
    char room[ROOM_ID_BYTES + 1];
    if (strcmp(what, "join") != 0 && strcmp(what, "leave") != 0)
        return;
    find_text(text, "room", room, sizeof room);
    int i = seen_at(link, room);
    if (i >= 0)
        link->seen[i].seated = false;
}

struct said *oracle_command(struct world *world, int actor, const char *text)
{
    char id[COMMAND_ID_BYTES_MAX + 1];
    find_text(text, "id", id, sizeof id);
    if (!id[0] || strcmp(id, "x") == 0) /* garbage */
        return NULL;
    struct said *said = oracle_find_said(world, actor, id);
    return said ? said : add_said(world, actor, id, text);
}

/* A command has reached a server. */
void oracle_said(struct world *world, struct link *link, const char *text)
{
    struct said *said = oracle_command(world, link->actor, text);
    if (!said)
        return;
    times_come(world, link, said);
    if (said->peer != link->peer)
        said->times = said->answers = 0;
    said->peer = link->peer;
    said->times++;
    forget_seat(link, said->what, text);
}

void oracle_release(struct world *world)
{
    for (int i = 0; i < SAID_BUCKETS; i++) {
        while (world->said[i]) {
            struct said *said = world->said[i];
            world->said[i] = said->next;
            free(said);
        }
    }
    for (int i = 0; i < world->shown_count; i++) {
        for (int64_t version = 0; version < world->shown[i].size; version++)
            free(world->shown[i].facts[version]);
        free(world->shown[i].facts);
    }
}

/* --- acknowledgements --------------------------------------------------------------------------------------------- */

static const struct kept_event *find_kept(const struct kept_room *room, const char *player,
                                          const char *id)
{
    return room ? memory_store_find(room, player, id) : NULL;
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

/* These make an event whenever they are acknowledged. */
static bool makes_event(const char *what)
{
    static const char *const words[] = {"move",         "chat",          "resign", "abort",
                                        "draw.decline", "claim.timeout", NULL};
    for (int i = 0; words[i]; i++)
        if (strcmp(what, words[i]) == 0)
            return true;
    return false;
}

/* The acknowledgement says at which version of which room. */
static bool is_about_a_room(const char *what)
{
    return makes_event(what) || strcmp(what, "create") == 0 || strcmp(what, "join") == 0 ||
           strcmp(what, "seek") == 0;
}

/* A client's moves stand in the log in the order in which it made them. */
static void check_order(struct world *world, const struct said *said, const char *room,
                        int64_t version)
{
    struct actor *actor = &world->actors[said->actor];
    bool same = strcmp(actor->last_move.room, room) == 0;
    if (same && (said->order > actor->last_move.order) != (version > actor->last_move.version) &&
        said->order != actor->last_move.order)
        violate(world, "move %s of %s is at %" PRId64 ", out of order", said->id, room, version);
    if (same && said->order <= actor->last_move.order)
        return;
    snprintf(actor->last_move.room, sizeof actor->last_move.room, "%.*s", ROOM_ID_BYTES, room);
    actor->last_move.order = said->order;
    actor->last_move.version = version;
}

/* "An ack means: what the command changed is on disk", once. */
static void check_ack(struct world *world, const struct link *link, const struct said *said,
                      const char *at)
{
    char room_id[ROOM_ID_BYTES + 1];
    const char *player = client_player(world->actors[link->actor].client), *id = said->id;
    if (!after(&at, "\"room\":\"") || !take_text(&at, room_id, sizeof room_id) ||
        !after(&at, ",\"version\":")) {
        if (is_about_a_room(said->what))
            cannot_read(world, at);
        return;
    }
    int64_t version = strtoll(at, NULL, 10);
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
    else if (makes_event(said->what) && !event)
        violate(world, "%s %s acknowledged, but it is not in the store", said->what, id);
    else if (strcmp(said->what, "move") == 0)
        check_order(world, said, room_id, version);
    else if (strcmp(said->what, "seek") == 0 && version == 1 &&
             !strstr(room->events[0].body, player))
        violate(world, "seek %s acknowledged, but nobody sits there", id);
    else if (strcmp(said->what, "create") == 0)
        check_created(world, player, id, room_id);
    else if (strcmp(said->what, "join") == 0 && said->seat[0] &&
             strcmp(said->seat, "spectator") != 0 && !event && !sits(room, player) &&
             (version == room->version || world->host_count == 1))
        /* Or another server has heard since that he left, and this one is about to. */
        violate(world, "join %s acknowledged, but nobody sits there", id);
}

void oracle_written_late(struct world *world, const char *id)
{
    for (int actor = 0; actor < world->actor_count; actor++) {
        struct said *said = oracle_find_said(world, actor, id);
        if (said)
            said->late = true;
    }
}

void oracle_stored(struct world *world, const char *id)
{
    for (int actor = 0; actor < world->actor_count; actor++) {
        struct said *said = oracle_find_said(world, actor, id);
        if (said)
            said->stored_at = world->report->steps;
    }
}

/* Some refusals are of what the log does not tell, who is where and what time it is: that of one who is in no room at the server
 * at which he says it again, of a claim against one who is there, of what comes when a flag has fallen. What was said elsewhere
 * before may be stored after that server has read the room; whatever else is refused, nobody can have stored. */
static bool could_not_be_known(const struct world *world, const struct said *said, const char *code)
{
    bool is_of_now = strcmp(code, "not_in_room") == 0 || strcmp(code, "game_over") == 0 ||
                     strcmp(said->what, "claim.timeout") == 0;
    return is_of_now && world->told_of > 0 && said->stored_at > world->told_of;
}

/* What was done cannot be refused for good when it is said again; but of what was written late, behind its back, a server
 * learns only when it writes to the room itself, which a refusal does not. */
static void check_refusal(struct world *world, const struct link *link, const struct said *said,
                          const char *text)
{
    char room_id[ROOM_ID_BYTES + 1], code[32];
    const char *player = client_player(world->actors[link->actor].client);
    if (!makes_event(said->what) || !player || said->late || strstr(text, "\"retry\":true"))
        return;
    find_text(text, "room", room_id, sizeof room_id);
    find_text(text, "code", code, sizeof code);
    const struct kept_room *room = memory_store_room(&world->store, room_id);
    if (room && find_kept(room, player, said->id) && !could_not_be_known(world, said, code))
        violate(world, "%s %s refused (%s), but it is in the store", said->what, said->id, code);
}

/* --- events and snapshots ------------------------------------------------------------------------------------------ */

static int seen_at(struct link *link, const char *room)
{
    int i = 0;
    while (i < link->seen_count && strcmp(link->seen[i].room, room) != 0)
        i++;
    if (i == ROOMS_OF_LINK_MAX)
        return -1;
    if (i == link->seen_count) {
        link->seen_count++;
        snprintf(link->seen[i].room, sizeof link->seen[i].room, "%s", room);
        link->seen[i].version = -1;
    }
    return i;
}

static void check_version(struct world *world, struct link *link, const char *room, int64_t version,
                          bool is_event)
{
    int i = seen_at(link, room);
    if (i < 0)
        return;
    int64_t before = link->seen[i].version;
    if (is_event && before >= 0 && version != before + 1)
        violate(world, "event %" PRId64 " of %s follows %" PRId64, version, room, before);
    link->seen[i].version = version;
}

static struct shown_room *shown_room(struct world *world, const char *id)
{
    for (int i = 0; i < world->shown_count; i++)
        if (strcmp(world->shown[i].id, id) == 0)
            return &world->shown[i];
    if (world->shown_count == ROOMS_MAX)
        return NULL;
    struct shown_room *room = &world->shown[world->shown_count++];
    snprintf(room->id, sizeof room->id, "%s", id);
    return room;
}

/* "An event that was shown once is shown alike for ever", whoever shows it. */
static void check_facts(struct world *world, const char *room_id, int64_t version, const char *text)
{
    struct shown_room *room = shown_room(world, room_id);
    const char *end = strstr(text, ",\"patch\":");
    if (!end)
        cannot_read(world, text);
    if (!room || !end)
        return;
    size_t length = (size_t)(end - text);
    if (version >= room->size) {
        int64_t size = version * 2 + 16;
        room->facts = realloc(room->facts, sizeof *room->facts * (size_t)size);
        memset(room->facts + room->size, 0, sizeof *room->facts * (size_t)(size - room->size));
        room->size = size;
    }
    char **facts = &room->facts[version];
    if (!*facts)
        *facts = strndup(text, length);
    else if (strncmp(*facts, text, length) != 0 || (*facts)[length] != '\0')
        violate(world, "event %" PRId64 " of %s was %.120s, and is %.120s", version, room_id,
                *facts, text);
}

static void check_event(struct world *world, struct link *link, const char *text, const char *at)
{
    char room_id[ROOM_ID_BYTES + 1], kind[32];
    if (!after(&at, "\"room\":\"") || !take_text(&at, room_id, sizeof room_id) ||
        !after(&at, ",\"version\":")) {
        cannot_read(world, text);
        return;
    }
    char *end;
    int64_t version = strtoll(at, &end, 10);
    at = end;
    if (!after(&at, ",\"kind\":\"") || !take_text(&at, kind, sizeof kind)) {
        cannot_read(world, text);
        return;
    }
    const struct kept_room *room = memory_store_room(&world->store, room_id);
    world->report->shown++;
    if (!room || room->version < version || strcmp(room->events[version - 1].kind, kind) != 0)
        violate(world, "%s %" PRId64 " of %s shown, but it is not in the store", kind, version,
                room_id);
    check_facts(world, room_id, version, text);
    check_version(world, link, room_id, version, true);
}

static void check_snapshot(struct world *world, struct link *link, const char *text, const char *at)
{
    char room_id[ROOM_ID_BYTES + 1], id[64];
    bool answers = after(&at, "\"re\":\"");
    if ((answers && (!take_text(&at, id, sizeof id) || !after(&at, ","))) ||
        !after(&at, "\"room\":\"") || !take_text(&at, room_id, sizeof room_id) ||
        !after(&at, ",\"version\":")) {
        cannot_read(world, text);
        return;
    }
    int64_t version = strtoll(at, NULL, 10);
    const struct kept_room *room = memory_store_room(&world->store, room_id);
    if (!room || room->version < version)
        violate(world, "a snapshot of %s at %" PRId64 ", which is not in the store", room_id,
                version);
    check_version(world, link, room_id, version, false);
    int i = seen_at(link, room_id);
    const char *seats = strstr(at, ",\"seats\":[");
    if (i >= 0 && seats)
        link->seen[i].seated = seats[strlen(",\"seats\":[")] != ']';
}

/* After a resume by events the next one follows what the client has; after one by a snapshot, and after `leave`, what
 * comes next need not follow what came before. */
static void expect_next(struct link *link, const struct said *said, const char *ack)
{
    char room[ROOM_ID_BYTES + 1];
    bool events = strstr(ack, "\"mode\":\"events\""), left = strcmp(said->what, "leave") == 0;
    if (!events && !left && !strstr(ack, "\"mode\":\"snapshot\""))
        return;
    find_text(ack, "room", room, sizeof room);
    int i = seen_at(link, room);
    if (i < 0)
        return;
    link->seen[i].version = events ? said->version : -1;
    link->seen[i].seated = events; /* a snapshot says so itself */
}

/* --- every frame ---------------------------------------------------------------------------------------------------- */

static void check_answer(struct world *world, struct link *link, const char *type, const char *at,
                         const char *text)
{
    char id[64];
    if (!take_text(&at, id, sizeof id) || strcmp(id, "x") == 0)
        return;
    struct said *said = oracle_find_said(world, link->actor, id);
    if (!said || said->peer != link->peer) {
        /* Answered where it was said, and said elsewhere since. */
        if (!said)
            violate(world, "an answer to %s, which nobody has said", id);
        return;
    }
    world->report->answered++;
    if (++said->answers > said->times)
        violate(world, "%s %s was said %d times and answered %d times", said->what, id, said->times,
                said->answers);
    if (strcmp(type, "ack") == 0 && after(&at, ",")) {
        check_ack(world, link, said, at);
        expect_next(link, said, text);
    } else if (strcmp(type, "error") == 0) {
        check_refusal(world, link, said, text);
    }
}

void oracle_sent(struct world *world, struct link *link, const char *text)
{
    const char *at = text;
    char type[32];
    if (!after(&at, "{\"type\":\"") || !take_text(&at, type, sizeof type) ||
        (!after(&at, ",") && strcmp(at, "}") != 0)) {
        cannot_read(world, text);
        return;
    }
    const char *rest = at;
    if (strcmp(type, "event") == 0)
        check_event(world, link, text, at);
    else if (strcmp(type, "snapshot") == 0)
        check_snapshot(world, link, text, at);
    if (after(&rest, "\"re\":\""))
        check_answer(world, link, type, rest, text);
}

/* --- what the servers decide ------------------------------------------------------------------------------------------- */

static bool plays_at(struct world *world, const struct host *host, const char *room,
                     const char *player)
{
    for (int i = 0; i < world->link_count; i++) {
        struct link *link = &world->links[i];
        const char *its = link->peer ? client_player(world->actors[link->actor].client) : NULL;
        if (!its || link->host != host->index || !link->server_there || link->server_closing ||
            strcmp(its, player) != 0)
            continue;
        int at = seen_at(link, room);
        if (at >= 0 && link->seen[at].seated)
            return true;
    }
    return false;
}

/* Nobody who is there loses his game for having gone. What he does at another server this one may hear too late. */
void oracle_asked(const struct host *host, const struct store_request *request)
{
    struct world *world = host->world;
    const struct store_write *write = &request->writes[0];
    char seat[80];
    if (request->ask != STORE_APPEND || strcmp(write->event.kind, "abandoned") != 0)
        return;
    const struct kept_room *room = memory_store_room(&world->store, write->room.id);
    if (!room || room->version != write->expected_version)
        return; /* somebody else has written to the room, and it comes to nothing */
    world->report->abandoned++;
    find_text(write->event.body, "seat", seat, sizeof seat);
    for (int i = 0; i < room->seat_count; i++)
        if (strcmp(room->seats[i].seat, seat) == 0 &&
            plays_at(world, host, room->id, room->seats[i].player))
            violate(world, "%s of %s is said to have gone, and is there", seat, room->id);
}

const char *oracle_to_move(const struct world *world, const char *room, int64_t version)
{
    for (int i = 0; i < world->actor_count; i++) {
        const struct client *client = world->actors[i].client;
        const char *its_room = client_room(client);
        if (its_room && strcmp(its_room, room) == 0 && client_version(client) == version)
            return client_to_move(client);
    }
    return NULL;
}

/* Whose turn it is where the store says so. */
void oracle_answered(struct world *world, const struct store_answer *answer)
{
    for (int i = 0; i < answer->room_count; i++) {
        const struct store_room *room = &answer->rooms[i];
        const char *seen = room->to_move ? oracle_to_move(world, room->id, room->version) : NULL;
        if (!seen)
            continue;
        world->report->turns++;
        if (strcmp(room->to_move, seen) != 0)
            violate(world, "the store says that %s is to move in %s, and it is %s", room->to_move,
                    room->id, seen[0] ? seen : "nobody");
    }
}

/* --- what the clients have heard -------------------------------------------------------------------------------------- */

void oracle_heard_ack(struct world *world, int actor, const struct client_event *event)
{
    struct said *said = oracle_find_said(world, actor, event->id);
    if (!said || !event->room)
        return;
    said->acknowledged = true;
    snprintf(said->room, sizeof said->room, "%s", event->room);
    said->acknowledged_version = event->version;
}

/* But for what `history` leaves out. */
static json_t *parse_facts(const char *facts)
{
    size_t length = strlen(facts);
    char *whole = malloc(length + 2);
    memcpy(whole, facts, length);
    memcpy(whole + length, "}", 2);
    json_t *json = json_loads(whole, 0, NULL);
    free(whole);
    static const char *const left_out[] = {"type", "room", "attacked", "counters"};
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        json_object_del(json, left_out[i]);
    return json;
}

/* The log as anybody may read it: all of it, and as it was shown when it happened. */
void oracle_heard_history(struct world *world, const char *text)
{
    json_t *json = json_loads(text, 0, NULL), *events = json_object_get(json, "events"), *event;
    const char *room_id = json_string_value(json_object_get(json, "room"));
    const struct shown_room *room = room_id ? shown_room(world, room_id) : NULL;
    int64_t expected = json_integer_value(json_object_get(json, "from"));
    size_t i;
    json_array_foreach(events, i, event)
    {
        int64_t version = json_integer_value(json_object_get(event, "version"));
        if (version != expected++)
            violate(world, "the history of %s has a gap before %" PRId64, room_id, version);
        if (!room || version >= room->size || !room->facts[version])
            continue;
        json_object_del(event, "type");
        json_object_del(event, "room");
        json_t *shown = parse_facts(room->facts[version]);
        if (!json_equal(shown, event))
            violate(world, "event %" PRId64 " of %s is another in its history than was shown: %s",
                    version, room_id, room->facts[version]);
        json_decref(shown);
    }
    json_decref(json);
}

/* --- the store ------------------------------------------------------------------------------------------------------------ */

static void check_last(struct world *world, const struct kept_room *room)
{
    int64_t last = room->events[room->event_count - 1].version;
    if (last != room->event_count || last != room->version)
        violate(world, "the versions of %s have a gap", room->id);
}

void oracle_look_at_store(struct world *world)
{
    for (int i = 0; i < world->store.room_count; i++)
        check_last(world, &world->store.rooms[i]);
}

static void check_commands_unique(struct world *world, const struct kept_room *room)
{
    for (int i = 0; i < room->event_count; i++) {
        const struct kept_event *event = &room->events[i];
        if (event->version != i + 1)
            violate(world, "the versions of %s have a gap", room->id);
        if (i > 0 && event->epoch < room->events[i - 1].epoch)
            violate(world, "event %" PRId64 " of %s is of an old epoch", event->version, room->id);
        if (event->command[0] &&
            memory_store_count(&world->store, room->id, event->client, event->command) != 1)
            violate(world, "%s of %s is in %s twice", event->command, event->client, room->id);
    }
}

/* What a client was told stays true. */
static void check_told(struct world *world, const struct said *said)
{
    const char *player = client_player(world->actors[said->actor].client);
    if (!said->acknowledged || !makes_event(said->what) || !player)
        return;
    const struct kept_room *room = memory_store_room(&world->store, said->room);
    const struct kept_event *event = find_kept(room, player, said->id);
    if (!event || event->version != said->acknowledged_version)
        violate(world, "client %d was told that %s %s is %" PRId64 " of %s, and it is not",
                said->actor, said->what, said->id, said->acknowledged_version, said->room);
}

/* A connection that stands has answered all that was said on it. */
static void check_answered(struct world *world, const struct said *said)
{
    if (strcmp(said->what, "seek") == 0)
        return; /* who has not been found yet; and of one that is said twice on a connection there is one answer */
    const struct link *link = said->peer ? network_find(world, said->peer) : NULL;
    if (link && link->server_there && link->client_there && !link->server_closing &&
        said->answers != said->times)
        violate(world, "%s %s was said %d times and answered %d times", said->what, said->id,
                said->times, said->answers);
}

/* A game ends once. */
static void check_ended(struct world *world, const struct kept_room *room)
{
    static const char *const ends[] = {"abandoned", "flagged", "resigned", "aborted", "drawn"};
    bool over = false;
    for (int i = 0; i < room->event_count; i++) {
        const char *kind = room->events[i].kind;
        bool ends_it = false;
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
            ends_it = ends_it || strcmp(kind, ends[k]) == 0;
        if (over && (ends_it || strcmp(kind, "moved") == 0))
            violate(world, "%s has %s at %d, after its end", room->id, kind, i + 1);
        over = over || ends_it;
    }
}

/* Of a game in which everybody has moved nobody may make one that was not played; and none goes on after it. */
static void check_aborted(struct world *world, const struct kept_room *room)
{
    char seats[STORE_SEATS_MAX][80];
    int moved = 0;
    bool aborted = false;
    for (int i = 0; i < room->event_count; i++) {
        const struct kept_event *event = &room->events[i];
        int seen = 0;
        if (strcmp(event->kind, "aborted") == 0 && moved == room->seat_count)
            violate(world, "%s was aborted at %" PRId64 ", when all had moved", room->id,
                    event->version);
        aborted = aborted || strcmp(event->kind, "aborted") == 0;
        if (strcmp(event->kind, "moved") != 0 || moved == STORE_SEATS_MAX)
            continue;
        if (aborted)
            violate(world, "%s went on after it had been aborted", room->id);
        find_text(event->body, "seat", seats[moved], sizeof seats[moved]);
        while (seen < moved && strcmp(seats[seen], seats[moved]) != 0)
            seen++;
        moved += seen == moved;
    }
}

void oracle_look_at_all(struct world *world)
{
    seeks_look_at_all(world);
    ratings_look_at_all(world);
    for (int i = 0; i < world->store.room_count; i++) {
        check_commands_unique(world, &world->store.rooms[i]);
        times_look_at(world, &world->store.rooms[i]);
        check_aborted(world, &world->store.rooms[i]);
        check_ended(world, &world->store.rooms[i]);
    }
    for (int i = 0; i < SAID_BUCKETS; i++) {
        for (const struct said *said = world->said[i]; said; said = said->next) {
            check_told(world, said);
            check_answered(world, said);
        }
    }
}

void oracle_look_at_room(struct world *world, const struct kept_room *room)
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
    if (expected)
        times_look_at_state(world, room, expected);
    free(expected);
}
