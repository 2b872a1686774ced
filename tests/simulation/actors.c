/* The people: they come, play, talk, ask, hand their seat to another device, and leave. */
#include "tests/simulation/parts.h"

#include "tests/server/core/games.h"
#include "tests/simulation/games_on_offer.h"
#include "tests/support/test.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- what they hear -------------------------------------------------------------------------------------------------- */

static void note_room(struct world *world, const char *room)
{
    for (int i = 0; i < world->room_count; i++)
        if (strcmp(world->rooms[i], room) == 0)
            return;
    if (world->room_count < ROOMS_MAX)
        snprintf(world->rooms[world->room_count++], sizeof world->rooms[0], "%s", room);
}

static void note_key(struct world *world, const char *room, const char *json)
{
    const char *key = strstr(json, "\"key\":\"");
    if (!key)
        return;
    struct seat_key *kept = &world->keys[below(world, KEYS_MAX)];
    if (world->key_count < KEYS_MAX)
        kept = &world->keys[world->key_count++];
    snprintf(kept->room, sizeof kept->room, "%s", room);
    snprintf(kept->key, sizeof kept->key, "%.22s", key + strlen("\"key\":\""));
}

static void heard_answer(struct actor *actor, struct client *client, const char *json)
{
    if (actor->role == ROLE_OBSERVER && strncmp(json, "{\"type\":\"history\"", 17) == 0)
        oracle_heard_history(actor->world, json);
    else if (strncmp(json, "{\"type\":\"seat_key\"", 18) == 0 && client_room(client))
        note_key(actor->world, client_room(client), json);
}

static void on_event(void *context, struct client *client, const struct client_event *event)
{
    struct actor *actor = context;
    struct world *world = actor->world;
    switch (event->kind) {
    case CLIENT_ACKNOWLEDGED:
        if (event->room)
            note_room(world, event->room);
        oracle_heard_ack(world, (int)(actor - world->actors), event);
        if (event->id && strcmp(event->id, actor->seek) == 0) {
            snprintf(actor->found, sizeof actor->found, "%s", event->room);
            actor->seeks_found++;
            world->report->found++;
            actor->seek[0] = '\0';
            break;
        }
        actor->joining = actor->creating = false;
        break;
    case CLIENT_REFUSED:
        if (event->id && strcmp(event->id, actor->seek) == 0) {
            actor->seeks_cut += strcmp(event->code, "unavailable") == 0;
            actor->seek[0] = '\0';
            break;
        }
        /* It looks for the room on another server. */
        actor->broken = actor->broken || strcmp(event->code, "moved") == 0;
        actor->joining = actor->creating = actor->moving = false;
        break;
    case CLIENT_STATE:
        actor->must_move = client_must_move(client);
        actor->moving = false;
        if (client_state_text(client, "next_room")[0])
            note_room(world, client_state_text(client, "next_room"));
        break;
    case CLIENT_BROKEN:
        actor->broken = true;
        if (!strstr(event->message, "later"))
            violate(world, "a client does not understand: %s", event->message);
        break;
    case CLIENT_ANSWER:
        heard_answer(actor, client, event->json);
        break;
    case CLIENT_WELCOME:
    case CLIENT_OTHER:
        break;
    }
    if (client_sync_count(client) > 0)
        violate(world, "a client's hash differs in %s at %" PRId64, client_room(client),
                client_version(client));
}

/* --- coming ------------------------------------------------------------------------------------------------------------ */

int actor_add(struct world *world, enum role role, const char *token)
{
    int places = role == ROLE_OBSERVER ? ACTORS_MAX : ACTORS_MAX - 1;
    if (world->actor_count >= places)
        return -1;
    struct actor *actor = &world->actors[world->actor_count];
    struct client_options options = {.token = token, .seed = test_random(&world->random)};
    *actor = (struct actor){.world = world, .role = role};
    actor->host = (int)below(world, (uint64_t)world->host_count);
    actor->client = client_new(&options, on_event, actor);
    return world->actor_count++;
}

int actor_add_house(struct world *world, int host, const char *room, const char *seat,
                    const char *token)
{
    int index = 0;
    while (index < world->actor_count && (world->actors[index].role != ROLE_HOUSE ||
                                          strcmp(world->actors[index].room, room) != 0 ||
                                          strcmp(world->actors[index].seat, seat) != 0))
        index++;
    if (index == world->actor_count)
        index = actor_add(world, ROLE_HOUSE, token);
    if (index < 0)
        return index;
    struct actor *actor = &world->actors[index];
    actor->retired = false;
    actor->host = host;
    snprintf(actor->room, sizeof actor->room, "%s", room);
    snprintf(actor->seat, sizeof actor->seat, "%s", seat);
    return index;
}

static const char *choose_game(struct world *world)
{
    struct game_on_offer *games = games_on_offer();
    uint64_t at = below(world, 100);
    if (chance(world, world->weather.long_games))
        return "wander";
    for (int i = 0; i < GAMES_ON_OFFER; i++) {
        if (at < (uint64_t)games[i].weight)
            return games[i].id;
        at -= (uint64_t)games[i].weight;
    }
    return games[0].id;
}

/* Of which some are too little for anybody. */
static void make_room_with_clocks(struct world *world, const struct actor *actor)
{
    static const char *const more[] = {"",
                                       ",\"increment_ms\":500",
                                       ",\"delay_ms\":300",
                                       ",\"delay_ms\":700,\"bronstein\":true",
                                       ",\"periods\":2,\"period_ms\":1500",
                                       ",\"seats\":{\"green\":{\"initial_ms\":9000,"
                                       "\"increment_ms\":400}}"};
    char text[256];
    const char *game = choose_game(world);
    bool last_move_wins = strcmp(game, "two") == 0 || strcmp(game, "wander") == 0;
    snprintf(text, sizeof text,
             "\"type\":\"create\",\"game\":\"%s\"%s,\"clock\":{\"initial_ms\":%d%s}", game,
             last_move_wins && chance(world, 500) ? ",\"rated\":true" : "",
             (int)(100 + below(world, chance(world, 500) ? 30000 : 30 * 60 * 1000)),
             more[below(world, sizeof more / sizeof *more)]);
    client_command(actor->client, text);
}

static void make_room(struct world *world, struct actor *actor)
{
    actor->creating = true;
    static const char prefix[] = "{\"title\":\"my own\",";
    char definition[8192];
    if (chance(world, 600)) {
        make_room_with_clocks(world, actor);
        return;
    }
    if (!chance(world, world->weather.talk / 5)) {
        client_create(actor->client, choose_game(world));
        return;
    }
    snprintf(definition, sizeof definition, "%s%s", prefix, game_of_two + 1);
    client_create(actor->client, definition);
}

/* Somebody to play with, wherever he is. */
static void look_for_somebody(struct world *world, struct actor *actor)
{
#define RATED "\"game\":\"two\",\"rated\":true,\"clock\":{\"initial_ms\":20000}"
    static const char *const wishes[] = {
        "\"game\":\"two\"",
        "\"game\":\"two\"",
        "\"game\":\"three\"",
        "\"game\":\"two\",\"seat\":\"red\"",
        RATED,
        RATED ",\"range\":{\"min\":1500}",
    };
    char text[160];
    snprintf(text, sizeof text, "\"type\":\"seek\",%s", wishes[below(world, 6)]);
    const char *id = client_command(actor->client, text);
    if (id)
        snprintf(actor->seek, sizeof actor->seek, "%s", id);
}

static int count_waiting(const struct world *world)
{
    int count = 0;
    for (int i = 0; i < world->store.room_count; i++)
        count += world->store.rooms[i].status == STORE_WAITING;
    return count;
}

/* Whoever would rather play looks for a place where it is missed. */
static const char *choose_room(struct world *world)
{
    const char *room = NULL;
    for (int i = 0; i < 8; i++) {
        room = world->rooms[below(world, (uint64_t)world->room_count)];
        const struct kept_room *kept = memory_store_room(&world->store, room);
        if ((kept && kept->status == STORE_WAITING) || chance(world, world->weather.restless))
            break;
    }
    return room;
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
    if (actor->found[0]) {
        actor->joining = client_join(actor->client, actor->found, "any", NULL, false);
        actor->found[0] = '\0';
        return;
    }
    if (actor->role == ROLE_PLAYER && !actor->seek[0] && !world->calm &&
        world->store.room_count < world->weather.rooms_opened_max && chance(world, 150)) {
        look_for_somebody(world, actor);
        return;
    }
    if (world->key_count > 0 && chance(world, 100)) {
        const struct seat_key *key = &world->keys[below(world, (uint64_t)world->key_count)];
        actor->joining = client_join_with_key(actor->client, key->room, key->key, "Eve", false);
        return;
    }
    bool room_for_more = world->store.room_count < world->weather.rooms_opened_max &&
                         (count_waiting(world) == 0 || chance(world, world->weather.restless));
    if (world->room_count == 0 || chance(world, 100)) {
        if (room_for_more && !actor->creating && actor->role == ROLE_PLAYER)
            make_room(world, actor);
        return;
    }
    if (!chance(world, world->weather.restless))
        return;
    const char *room = choose_room(world);
    actor->joining = client_join(actor->client, room, seat, "Ann", false);
}

/* --- playing -------------------------------------------------------------------------------------------------------------- */

static void make_move(struct world *world, struct actor *actor)
{
    const char *from, *to, *choice;
    int count = client_legal_move_count(actor->client);
    if (count == 0)
        return;
    client_legal_move(actor->client, (int)below(world, (uint64_t)count), &from, &to, &choice);
    bool wrong = chance(world, world->weather.talk / 7);
    actor->moving = client_move(actor->client, from, wrong ? from : to, choice);
}

/* The other one is there mostly, and it is refused. */
static void claim_absence(struct world *world, struct actor *actor)
{
    char text[160];
    snprintf(text, sizeof text,
             "\"type\":\"action\",\"room\":\"%s\",\"kind\":\"claim.timeout\",\"as\":\"%s\"",
             client_room(actor->client), chance(world, 500) ? "win" : "draw");
    client_command(actor->client, text);
}

static void act_while_playing(struct world *world, struct actor *actor)
{
    struct client *client = actor->client;
    bool waits = actor->moving && !chance(world, world->weather.talk);
    if (client_must_move(client) && !waits && chance(world, 900))
        make_move(world, actor);
    else if (client_state_text(client, "draw_offer")[0] && chance(world, 500))
        client_action(client,
                      chance(world, world->weather.ends * 20) ? "draw.accept" : "draw.decline");
    else if (client_state_text(client, "takeback_offer")[0] && chance(world, 500))
        client_action(client, chance(world, 700) ? "takeback.accept" : "takeback.decline");
    else if (!client_must_move(client) && chance(world, 5 + world->weather.ends * 2))
        claim_absence(world, actor);
    else if (chance(world, world->weather.ends))
        client_action(client, "draw.offer");
    else if (chance(world, world->weather.takebacks))
        client_action(client, "takeback.offer");
    else if (chance(world, world->weather.ends))
        client_action(client, chance(world, 500) ? "abort" : "resign");
}

/* Offers with the same clock and with others meet; an acceptance mostly names none. */
static void talk_of_a_rematch(struct world *world, struct actor *actor)
{
    static const char *const kinds[] = {"rematch.offer", "rematch.accept", "rematch.accept",
                                        "rematch.decline"};
    static const char *const clocks[] = {"",
                                         "",
                                         "",
                                         "",
                                         ",\"clock\":\"none\"",
                                         ",\"clock\":{\"initial_ms\":20000}",
                                         ",\"clock\":{\"initial_ms\":9000,\"increment_ms\":500}"};
    char text[192];
    snprintf(text, sizeof text, "\"type\":\"action\",\"room\":\"%s\",\"kind\":\"%s\"%s",
             client_room(actor->client), kinds[below(world, 4)],
             clocks[below(world, sizeof clocks / sizeof *clocks)]);
    client_command(actor->client, text);
}

static void act_when_finished(struct world *world, struct actor *actor)
{
    const char *next = client_state_text(actor->client, "next_room");
    if (next[0] && !actor->joining && chance(world, 500))
        actor->joining = client_join(actor->client, next,
                                     actor->role == ROLE_PLAYER ? "any" : "spectator", NULL, false);
    else if (actor->role == ROLE_PLAYER && chance(world, world->weather.restless) &&
             world->room_count < ROOMS_MAX / 2)
        talk_of_a_rematch(world, actor);
    else if (actor->role == ROLE_PLAYER && chance(world, 20))
        client_leave(actor->client);
}

/* --- talking -------------------------------------------------------------------------------------------------------------- */

static void ask_of_the_past(struct world *world, struct actor *actor, const char *room)
{
    char text[160];
    int ply = (int)below(world, 4);
    if (!room)
        return;
    if (chance(world, 300) && world->room_count < ROOMS_MAX / 2 &&
        world->store.room_count < world->weather.rooms_opened_max)
        snprintf(text, sizeof text, "\"type\":\"create\",\"fork\":{\"room\":\"%s\",\"ply\":%d}%s",
                 room, ply,
                 chance(world, 500) ? ",\"clock\":{\"initial_ms\":9000,\"increment_ms\":400}" : "");
    else if (chance(world, 500))
        snprintf(text, sizeof text, "\"type\":\"history\",\"room\":\"%s\",\"ply\":%d", room, ply);
    else
        snprintf(text, sizeof text, "\"type\":\"history\",\"room\":\"%s\",\"moves\":true", room);
    client_command(actor->client, text);
}

static void ask_something(struct world *world, struct actor *actor)
{
    static const char *const questions[] = {
        "\"type\":\"games\",\"op\":\"list\"", "\"type\":\"lobby.subscribe\"",
        "\"type\":\"lobby.unsubscribe\"", "\"type\":\"ping\"",
        "\"type\":\"join\",\"room\":\"nowhere0\",\"seat\":\"any\""};
    static const char *const of_room[] = {"history", "legal_moves", "sync"};
    char text[128];
    const char *room = client_room(actor->client);
    uint64_t which = below(world, 12);
    if (which < 5) {
        client_command(actor->client, questions[which]);
    } else if (which == 8) {
        client_seat_key(actor->client);
    } else if (which > 8) {
        ask_of_the_past(world, actor, room);
    } else if (room) {
        snprintf(text, sizeof text, "\"type\":\"%s\",\"room\":\"%s\"%s", of_room[which - 5], room,
                 which == 5 ? ",\"from\":1,\"to\":9" : "");
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
    if (chance(world, world->weather.talk / 2))
        client_chat(client, "hello");
    if (chance(world, world->weather.talk / 3))
        ask_something(world, actor);
    if (chance(world, world->weather.talk / 20) && actor->role != ROLE_HOUSE)
        client_leave(client);
    if (strcmp(status, "playing") == 0)
        act_while_playing(world, actor);
    else if (strcmp(status, "finished") == 0)
        act_when_finished(world, actor);
    else if (chance(world, world->weather.restless / 5) && actor->role == ROLE_PLAYER)
        client_action(client, "bot.invite");
}

/* Mostly it is somebody whose turn it is. */
static int choose_actor(struct world *world)
{
    int index = (int)below(world, (uint64_t)world->actor_count);
    if (chance(world, 300))
        return index;
    for (int i = 0; i < world->actor_count; i++) {
        int next = (index + i) % world->actor_count;
        const struct actor *actor = &world->actors[next];
        if (actor->must_move && !actor->moving && !actor->retired)
            return next;
    }
    return index;
}

void actor_act(struct world *world)
{
    int index = choose_actor(world);
    struct link *link = network_link_of(world, index);
    if (world->actors[index].retired)
        return;
    if (!link) {
        network_connect(world, index);
        return;
    }
    act(world, &world->actors[index]);
    network_flush(world, link);
}

void actor_add_twin(struct world *world)
{
    int index = (int)below(world, (uint64_t)world->actor_count);
    const struct actor *actor = &world->actors[index];
    if (actor->role != ROLE_PLAYER || !client_token(actor->client))
        return;
    char token[64], room[ROOM_ID_BYTES + 1] = "";
    snprintf(token, sizeof token, "%s", client_token(actor->client));
    if (client_room(actor->client))
        snprintf(room, sizeof room, "%s", client_room(actor->client));
    int twin = actor_add(world, ROLE_PLAYER, token);
    if (twin >= 0 && room[0])
        client_join(world->actors[twin].client, room, "any", NULL, false);
}
