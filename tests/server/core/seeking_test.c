/* Players who look for somebody: what they are told, when, and what becomes of it when connections, the store or the server fail. */
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include "server/core/parts.h"
#include "server/core/seeking.h"

#include <stdlib.h>
#include <string.h>

#define COMES(who)       who ": connects\n" who ": auth -> welcome\n"
#define SEEK(id, rest)   "{\"type\":\"seek\",\"id\":\"" id "\",\"game\":\"two\"" rest "}"
#define CANCEL(id, rest) "{\"type\":\"seek.cancel\",\"id\":\"" id "\"" rest "}"
#define RED              ",\"seat\":\"red\",\"name\":\"Ada\""
#define RATED            ",\"rated\":true,\"clock\":{\"initial_ms\":60000}"
#define MINUTE           ",\"clock\":{\"initial_ms\":60000}"

struct scene {
    const char *name, *script;
};

/* clang-format off */
static const struct scene scenes[] = {
    {"two find each other, and have a room that is being played",
     COMES("ada") "ada: " SEEK("a", RED) " ->\n"
     COMES("bob") "bob: " SEEK("b", ",\"name\":\"Bob\"") " -> ack 1\n" "ada hears: ack 1\n"
     "ada: resume 0 -> ack 1 snapshot; snapshot 1 red moves\n" "bob: join any -> ack 1; snapshot 1 green\n"
     "ada: move 0_0 0_1 -> ack 2; moved 2\n" "bob hears: moved 2 moves\n"},
    {"other games, clocks and numbers of players do not go together",
     COMES("ada") "ada: " SEEK("a", "") " ->\n" COMES("bob") "bob: " SEEK("b", MINUTE) " ->\n"
     COMES("eve") "eve: {\"type\":\"seek\",\"id\":\"e\",\"game\":\"places\"} ->\n"
     COMES("dan") "dan: {\"type\":\"seek\",\"id\":\"d\",\"game\":\"places\",\"players\":2} ->\n"
     COMES("fay") "fay: {\"type\":\"seek\",\"id\":\"f\",\"game\":\"places\",\"players\":2} -> ack 1\n" "dan hears: ack 1\n"
     COMES("gus") "gus: " SEEK("g", MINUTE) " -> ack 1\n" "bob hears: ack 1\n" "ada hears:\n" "eve hears:\n"},
    {"equal clocks are equal however they are written",
     COMES("ada") "ada: " SEEK("a", ",\"clock\":{\"initial_ms\":1000,\"seats\":{\"green\":{\"initial_ms\":2000},\"red\":{\"initial_ms\":1000}}}") " ->\n"
     COMES("bob") "bob: " SEEK("b", ",\"clock\":{\"seats\":{\"green\":{\"initial_ms\":2000}},\"initial_ms\":1000}") " -> ack 1\n" "ada hears: ack 1\n"},
    {"two who want the same seat do not go together",
     COMES("ada") "ada: " SEEK("a", RED) " ->\n" COMES("bob") "bob: " SEEK("b", RED) " ->\n"
     COMES("eve") "eve: " SEEK("e", ",\"seat\":\"green\"") " -> ack 1\n" "ada hears: ack 1\n" "bob hears:\n"},
    {"whoever looks for people meets no bot",
     COMES("ada") "ada: " SEEK("a", ",\"bots\":false") " ->\n" COMES("bob") "bob: " SEEK("b", ",\"as\":\"bot\"") " ->\n"
     COMES("eve") "eve: " SEEK("e", ",\"bots\":true") " -> ack 1\n" "ada hears: ack 1\n"
     COMES("dan") "dan: " SEEK("d", "") " -> ack 1\n" "bob hears: ack 1\n"},
    {"three are needed for a game of three",
     COMES("ada") "ada: {\"type\":\"seek\",\"id\":\"a\",\"game\":\"three\"} ->\n"
     COMES("bob") "bob: {\"type\":\"seek\",\"id\":\"b\",\"game\":\"three\",\"seat\":\"blue\"} ->\n"
     COMES("eve") "eve: {\"type\":\"seek\",\"id\":\"e\",\"game\":\"three\",\"players\":3} -> ack 1\n" "ada hears: ack 1\n" "bob hears: ack 1\n"},
    {"nobody plays with himself: the same again takes the place of what was said before",
     COMES("ada") "ada: " SEEK("a", "") " ->\n" COMES("ada2") "ada2: " SEEK("a2", "") " ->\n" "ada hears: withdrawn\n"
     COMES("bob") "bob: " SEEK("b", "") " -> ack 1\n" "ada2 hears: ack 1\n" "ada hears:\n"},
    {"a command that is sent again has one answer",
     COMES("ada") "ada: " SEEK("a", "") " ->\n" "ada: " SEEK("a", "") " ->\n" "ada: " SEEK("a3", "") " -> withdrawn\n"
     COMES("bob") "bob: " SEEK("b", "") " -> ack 1\n" "ada hears: ack 1\n"},
    {"nobody is told before it is durable; what else he looked for is withdrawn at once",
     COMES("ada") "ada: " SEEK("a", "") " ->\n" "ada: " SEEK("a2", MINUTE) " ->\n" COMES("bob") "store: holds\n"
     "bob: " SEEK("b", "") " ->\n" "ada hears: withdrawn\n"
     COMES("eve") "eve: " SEEK("e", "") " ->\n" "eve: " SEEK("e2", MINUTE) " ->\n"
     "store: answers\n" "ada hears: ack 1\n" "bob hears: ack 1\n" "eve hears:\n"},
    {"a store that fails: both may try again, and find each other then",
     COMES("ada") "ada: " SEEK("a", "") " ->\n" COMES("bob") "store: fails\n" "bob: " SEEK("b", "") " -> unavailable\n"
     "ada hears: unavailable\n" "store: is full\n"
     "ada: " SEEK("a", "") " ->\n" "bob: " SEEK("b", "") " -> unavailable\n" "ada hears: unavailable\n" "store: is empty\n"
     "store: conflicts\n" "ada: " SEEK("a", "") " ->\n" "bob: " SEEK("b", "") " -> unavailable\n" "ada hears: unavailable\n"
     "bob: " SEEK("b", "") " ->\n" "ada: " SEEK("a", "") " -> ack 1\n" "bob hears: ack 1\n"},
    {"what is cancelled is withdrawn: one, or all of a player's",
     COMES("ada") "ada: " SEEK("a", "") " ->\n" "ada: " SEEK("a2", MINUTE) " ->\n" "ada: " SEEK("a3", ",\"clock\":{\"initial_ms\":1}") " ->\n"
     "ada: " CANCEL("c", ",\"seek\":\"a2\"") " -> withdrawn; ack 0\n" "ada: " CANCEL("c2", ",\"seek\":\"a2\"") " -> ack 0\n"
     COMES("bob") "bob: " SEEK("b", MINUTE) " ->\n" COMES("ada2") "ada2: " CANCEL("c3", "") " -> ack 0\n" "ada hears: withdrawn; withdrawn\n"
     "bob: " SEEK("b2", "") " ->\n"},
    {"once somebody is found it is too late to cancel",
     COMES("ada") "ada: " SEEK("a", "") " ->\n" COMES("bob") "store: holds\n" "bob: " SEEK("b", "") " ->\n"
     "bob: " CANCEL("c", "") " -> ack 0\n" "store: answers\n" "bob hears: ack 1\n" "ada hears: ack 1\n"},
    {"nobody is given to one who is not there; who comes back has his place, and who does not is forgotten",
     COMES("ada") "ada: " SEEK("a", RED) " ->\n" "ada: goes\n" COMES("bob") "bob: " SEEK("b", RED) " ->\n"
     COMES("eve") "eve: " SEEK("e", ",\"clock\":{\"initial_ms\":1}") " ->\n" "time: 9000\n"
     COMES("ada") "ada: " SEEK("a9", RED) " ->\n" COMES("dan") "dan: " SEEK("d", "") " -> ack 1\n" "ada hears: ack 1\n" "bob hears:\n"
     "bob: goes\n" "time: 10000\n" COMES("bob") COMES("fay") "fay: " SEEK("f", RED) " ->\n" "bob: " SEEK("b", RED) " ->\n"
     COMES("gus") "gus: " SEEK("g", "") " -> ack 1\n" "fay hears: ack 1\n" "bob hears:\n"},
    {"who was away when somebody was found hears of it: once, until the room has seen him",
     COMES("ada") "ada: " SEEK("a", RED) " ->\n" COMES("bob") "store: holds\n" "bob: " SEEK("b", "") " ->\n" "ada: goes\n"
     COMES("ada2") "ada2: " SEEK("a2", RED) " ->\n" "ada2: goes\n" "store: answers\n" "bob hears: ack 1\n"
     COMES("ada") "ada: " SEEK("a3", RED) " -> ack 1\n" "ada: " SEEK("a4", RED) " -> ack 1\n"
     "ada: resume 0 -> ack 1 snapshot; snapshot 1 red moves\n" "ada: " SEEK("a5", RED) " ->\n"
     "bob: " SEEK("b2", MINUTE) " ->\n" "time: 10000\n" "bob: " SEEK("b3", "") " -> withdrawn; ack 1\n" "ada hears: ack 1\n"},
    {"a server that ends forgets who looks, and no room",
     COMES("ada") "ada: " SEEK("a", RED MINUTE) " ->\n" COMES("bob") "bob: " SEEK("b", MINUTE ",\"name\":\"Bob\"") " -> ack 1\n"
     "bob: " SEEK("b2", ",\"clock\":{\"initial_ms\":7}") " ->\n" "crash:\n"
     COMES("eve") "eve: " SEEK("e", ",\"clock\":{\"initial_ms\":7}") " ->\n"
     COMES("ada") "ada: resume 0 -> ack 1 snapshot; snapshot 1 red moves\n" COMES("bob") "bob: resume 0 -> ack 1 snapshot; snapshot 1 green\n"
     "bob: resign -> ack 2; resigned 2\n" "ada hears: resigned 2\n" "ada: rematch.offer -> ack 3; rematch_offered 3\n"},
    {"what cannot be is refused",
     COMES("ada") "ada: {\"type\":\"seek\",\"id\":\"1\",\"game\":\"none\"} -> unknown_game\n"
     "ada: " SEEK("2", ",\"seat\":\"blue\"") " -> no_such_seat\n" "ada: " SEEK("3", ",\"players\":3") " -> bad_message\n"
     "ada: " SEEK("4", ",\"clock\":{\"initial_ms\":0}") " -> bad_message\n"
     "ada: " SEEK("5", ",\"clock\":{\"initial_ms\":1,\"seats\":{\"blue\":{\"initial_ms\":1}}}") " -> no_such_seat\n"
     "ada: {\"type\":\"seek\",\"id\":\"6\"} -> bad_message\n" "ada: " CANCEL("7", ",\"seek\":\"\\u00e9\"") " -> bad_message\n"
     "bob: connects\n" "bob: " SEEK("b", "") " -> unauthenticated\n" "stop:\n" "ada: " SEEK("8", "") " -> unavailable\n"},
    {"a player looks for eight things at a time",
     COMES("ada")
     "ada: " SEEK("1", ",\"clock\":{\"initial_ms\":1}") " ->\n" "ada: " SEEK("2", ",\"clock\":{\"initial_ms\":2}") " ->\n"
     "ada: " SEEK("3", ",\"clock\":{\"initial_ms\":3}") " ->\n" "ada: " SEEK("4", ",\"clock\":{\"initial_ms\":4}") " ->\n"
     "ada: " SEEK("5", ",\"clock\":{\"initial_ms\":5}") " ->\n" "ada: " SEEK("6", ",\"clock\":{\"initial_ms\":6}") " ->\n"
     "ada: " SEEK("7", ",\"clock\":{\"initial_ms\":7}") " ->\n" "ada: " SEEK("8", ",\"clock\":{\"initial_ms\":8}") " ->\n"
     "ada: " SEEK("9", ",\"clock\":{\"initial_ms\":9}") " -> too_many\n"},
    {"who looks for a rated game meets only whom he wants, and who wants him",
     COMES("ada") "ada: " SEEK("a", RATED ",\"range\":{\"min\":1501}") " ->\n" COMES("bob") "bob: " SEEK("b", RATED) " ->\n"
     COMES("eve") "eve: " SEEK("e", RATED ",\"range\":{\"max\":1499}") " ->\n" COMES("gus") "gus: " SEEK("g", MINUTE) " ->\n"
     COMES("dan") "dan: " SEEK("d", RATED ",\"range\":{\"min\":1500,\"max\":1500}") " -> ack 1\n" "bob hears: ack 1\n"
     "ada: " SEEK("a2", RATED ",\"range\":{\"min\":1500}") " -> withdrawn\n"
     COMES("fay") "fay: " SEEK("f", RATED) " -> ack 1\n" "ada hears: ack 1\n" "eve hears:\n" "gus hears:\n"},
    {"nobody waits whose rating cannot be read",
     COMES("ada") "store: is broken\n" "ada: " SEEK("a", RATED) " -> unavailable\n" "store: is whole\n"
     "ada: " SEEK("a", RATED) " ->\n" COMES("bob") "bob: " SEEK("b", RATED) " -> ack 1\n" "ada hears: ack 1\n"},
    {"while a rating is read he may cancel, go, come back and say something else",
     COMES("ada") "store: holds\n" "ada: " SEEK("a", RATED) " ->\n" "ada: " CANCEL("c", "") " -> ack 0\n" "store: answers\n" "ada hears: withdrawn\n"
     "store: holds\n" "ada: " SEEK("a2", RATED) " ->\n" "ada: goes\n" "store: answers\n" COMES("bob") "bob: " SEEK("b", RATED) " ->\n"
     COMES("ada") "ada: " SEEK("a3", RATED) " -> ack 1\n" "bob hears: ack 1\n"
     COMES("eve") "store: holds\n" "eve: " SEEK("e", RATED) " ->\n" "eve: " SEEK("e2", RATED ",\"range\":{\"min\":2000}") " -> withdrawn\n" "store: answers\n"
     COMES("dan") "dan: " SEEK("d", RATED) " ->\n" "eve hears:\n"},
    {"who has found somebody meanwhile waits for nobody when his rating is known",
     COMES("ada") "ada: " SEEK("a", "") " ->\n" "store: holds\n" "ada: " SEEK("a2", RATED) " ->\n" COMES("bob") "bob: " SEEK("b", "") " ->\n"
     "store: answers\n" "ada hears: withdrawn; ack 1\n" "bob hears: ack 1\n" COMES("eve") "eve: " SEEK("e", RATED) " ->\n"},
    {"the lobby says who looks for whom, once a second",
     COMES("eve") "eve: lobby.subscribe -> lobby 0 0\n" COMES("ada") "ada: " SEEK("a", RED) " ->\n" "time: 1000\n" "eve hears: lobby 0 0 seeks 1\n"
     "ada: goes\n" "time: 1000\n" "eve hears: lobby 0 0\n" COMES("ada") "ada: " SEEK("a", RED) " ->\n" "time: 1000\n" "eve hears: lobby 0 0 seeks 1\n"
     COMES("bob") "bob: " SEEK("b", "") " -> ack 1\n" "time: 1000\n" "eve hears: lobby 1 0\n" "ada: lobby.subscribe -> ack 1; lobby 1 1\n"},
};
/* clang-format on */

static void each_scene(void **state)
{
    struct stage *stage = malloc(sizeof *stage);
    (void)state;
    assert_non_null(stage);
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        print_message("    %s\n", scenes[i].name);
        stage_init_small(stage);
        stage_play(stage, scenes[i].script);
        stage_release(stage);
    }
    free(stage);
}

/* A record of such a room is verified like any other, and read by others. */
static void a_room_of_a_pairing_is_exported(void **state)
{
    struct stage *stage = *state;
    stage_play(stage, COMES("ada") "ada: " SEEK("a", RED MINUTE) " ->\n" COMES("bob") "bob: " SEEK(
                          "b", MINUTE) " -> ack 1\nbob: join any -> ack 1; snapshot 1 green\nbob: "
                                       "resign -> ack 2; resigned 2\n");
    core_export(stage->core, 1, &stage->address, stage->room, RECORD_AS_FILE);
    stage_work(stage);
    assert_int_equal(stage->transfer.refusal, REFUSAL_NONE);
    assert_non_null(strstr(stage->transfer.text, "\"seated\":[{\"seat\":\"red\""));
    char *text = strdup(stage->transfer.text);
    core_import(stage->core, 2, &stage->address, text, strlen(text), true);
    stage_work(stage);
    assert_int_equal(stage->transfer.refusal, REFUSAL_NONE);
    free(text);
}

/* An address has 64 in all, its players' together; whoever is refused for that has changed nothing. */
static void an_address_has_a_bound(void **state)
{
    struct stage *stage = *state;
    int refused = 0;
    stage->address = (struct core_address){{[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 1}};
    for (int i = 0; i < SEEKING_OF_ADDRESS + 3; i++) {
        char name[16], line[160];
        snprintf(name, sizeof name, "x%c%c", 'a' + i / 26, 'a' + i % 26);
        snprintf(line, sizeof line, "%s: connects\n%s: auth -> welcome\n", name, name);
        stage_play(stage, line);
        stage_say(stage, name, SEEK("s", RED));
        json_t *error = stage_last(stage, name, "error");
        refused += error != NULL;
        if (error)
            assert_string_equal(json_string_value(json_object_get(error, "code")), "too_many");
        json_decref(error);
        stage_forget(stage, name);
    }
    assert_int_equal(refused, 3);
}

/* --- a thousand seekers ------------------------------------------------------------------------- */

enum { SEEKERS = 1000, STEPS = 12000, CALM_STEPS = 4 };

struct seeker {
    char name[16];
    char player[PLAYER_ID_BYTES + 1];
    bool here, seeks;
    char room[ROOM_ID_BYTES + 1]; /* that it was told of */
    int game, command, answers;
    int lost; /* how often it went while it looked for somebody */
};

static const struct {
    const char *words; /* of the command */
    int players;
} wishes[] = {{"\"game\":\"two\"", 2},
              {"\"game\":\"two\",\"clock\":{\"initial_ms\":60000}", 2},
              {"\"game\":\"three\"", 3},
              {"\"game\":\"places\",\"players\":2", 2}};
enum { WISHES = sizeof wishes / sizeof *wishes };

struct crowd {
    struct stage *stage;
    struct seeker seekers[SEEKERS];
    uint64_t random;
    int told;
};

static uint64_t below(struct crowd *crowd, uint64_t bound)
{
    return test_random(&crowd->random) % bound;
}

static const struct kept_seat *seat_in(const struct kept_room *room, const char *player)
{
    const struct kept_seat *found = NULL;
    for (int i = 0; i < room->seat_count; i++)
        if (strcmp(room->seats[i].player, player) == 0) {
            assert_null(found); /* nobody sits there twice */
            found = &room->seats[i];
        }
    return found;
}

/* Everything a seeker has heard: answers to its one command at a time. */
static void hear(struct crowd *crowd, struct seeker *seeker)
{
    for (struct heard *heard = stage_peer(crowd->stage, seeker->name)->first; heard;
         heard = heard->next) {
        char expected[24];
        json_t *json = json_loads(heard->text, 0, NULL);
        const char *type = json_string_value(json_object_get(json, "type"));
        const char *re = json_string_value(json_object_get(json, "re"));
        snprintf(expected, sizeof expected, "s%d", seeker->command);
        bool answer = re && strcmp(re, expected) == 0;
        seeker->answers += answer;
        if (answer && strcmp(type, "ack") == 0) {
            const char *id = json_string_value(json_object_get(json, "room"));
            const struct kept_room *room = memory_store_room(&crowd->stage->store, id);
            assert_non_null(room); /* durable before it is told */
            assert_non_null(seat_in(room, seeker->player));
            assert_int_equal(room->seat_count, wishes[seeker->game].players);
            snprintf(seeker->room, sizeof seeker->room, "%s", id);
            crowd->told++;
        }
        if (answer)
            seeker->seeks = false;
        json_decref(json);
    }
    assert_true(seeker->answers <= 1);
    stage_forget(crowd->stage, seeker->name);
}

static void come(struct crowd *crowd, struct seeker *seeker)
{
    char line[64];
    snprintf(line, sizeof line, "%s: connects\n%s: auth -> welcome\n", seeker->name, seeker->name);
    stage_open(crowd->stage, seeker->name, false);
    char token[TOKEN_BYTES + 1], auth[96];
    memset(token, 'A', TOKEN_BYTES);
    token[TOKEN_BYTES] = '\0';
    memcpy(token, seeker->name, strlen(seeker->name));
    snprintf(auth, sizeof auth, "{\"type\":\"auth\",\"id\":\"h\",\"token\":\"%s\"}", token);
    stage_say(crowd->stage, seeker->name, auth);
    struct identity identity;
    assert_true(identity_of_token(token, TOKEN_BYTES, &identity));
    memcpy(seeker->player, identity.player, sizeof seeker->player);
    seeker->here = true;
}

static void seek(struct crowd *crowd, struct seeker *seeker)
{
    static const char *const seats[] = {"", "", ",\"seat\":\"red\"", ",\"seat\":\"blue\""};
    char json[256];
    int seat = (int)below(crowd, 4);
    seeker->game = (int)below(crowd, WISHES);
    seeker->seeks = true;
    seeker->answers = 0;
    snprintf(json, sizeof json, "{\"type\":\"seek\",\"id\":\"s%d\",%s%s%s%s}", ++seeker->command,
             wishes[seeker->game].words, seat == 3 && seeker->game < 2 ? "" : seats[seat],
             below(crowd, 5) == 0 ? ",\"as\":\"bot\"" : "",
             below(crowd, 5) == 0 ? ",\"bots\":false" : "");
    stage_say(crowd->stage, seeker->name, json);
    hear(crowd, seeker);
}

static void go(struct crowd *crowd, struct seeker *seeker)
{
    char line[32];
    hear(crowd, seeker);
    seeker->lost += seeker->seeks;
    snprintf(line, sizeof line, "%s: goes\n", seeker->name);
    stage_play(crowd->stage, line);
    seeker->here = seeker->seeks = false;
}

static void weather(struct crowd *crowd)
{
    static const char *const lines[] = {"time: 700\n",      "time: 4000\n",   "store: holds\n",
                                        "store: answers\n", "store: fails\n", "store: answers\n"};
    stage_play(crowd->stage, lines[below(crowd, sizeof lines / sizeof *lines)]);
}

static void step(struct crowd *crowd)
{
    struct seeker *seeker = &crowd->seekers[below(crowd, SEEKERS)];
    if (below(crowd, 20) == 0)
        weather(crowd);
    if (seeker->here)
        hear(crowd, seeker);
    if (seeker->room[0])
        return; /* it has found somebody */
    if (!seeker->here)
        come(crowd, seeker);
    else if (!seeker->seeks)
        seek(crowd, seeker);
    else if (below(crowd, 3) == 0)
        go(crowd, seeker);
    else if (below(crowd, 3) == 0)
        stage_say(crowd->stage, seeker->name, "{\"type\":\"seek.cancel\",\"id\":\"c\"}");
}

/* All that was asked for is answered, and whoever is away is forgotten. */
static void calm_down(struct crowd *crowd)
{
    for (int i = 0; i < CALM_STEPS; i++)
        stage_play(crowd->stage, "store: answers\ntime: 4000\n");
    crowd->stage->next_status = STORE_OK;
    for (int i = 0; i < SEEKERS; i++)
        if (crowd->seekers[i].here)
            hear(crowd, &crowd->seekers[i]);
}

static bool may_meet(const struct seek *one, const struct seek *other)
{
    bool seats = one->wish.seat == SEEK_ANY_SEAT || one->wish.seat != other->wish.seat;
    return one->terms == other->terms && seats && !(one->wish.no_bots && other->wish.is_bot) &&
           !(other->wish.no_bots && one->wish.is_bot);
}

/* Of those who wait no two could play a game of two. */
static void nobody_is_left(struct crowd *crowd)
{
    const struct seeks *seeks = &crowd->stage->core->seeking.seeks;
    int waiting = 0, expected = 0;
    for (struct link *one = seeks->order.ends.next; one != &seeks->order.ends; one = one->next) {
        const struct seek *seek = one->owner;
        waiting++;
        for (struct link *two = one->next; two != &seeks->order.ends && seek->terms->count == 2;
             two = two->next)
            assert_false(may_meet(seek, two->owner));
    }
    for (int i = 0; i < SEEKERS; i++)
        expected += crowd->seekers[i].here && crowd->seekers[i].seeks;
    assert_int_equal(waiting, expected);
    assert_int_equal(seeks->count, expected);
}

/* In one room; whoever went while others were found may sit in one more that it never heard of. */
static void everybody_plays_once(struct crowd *crowd)
{
    const struct memory_store *store = &crowd->stage->store;
    for (int i = 0; i < SEEKERS; i++) {
        const struct seeker *seeker = &crowd->seekers[i];
        int rooms = 0;
        for (int k = 0; k < store->room_count && seeker->player[0]; k++)
            rooms += seat_in(&store->rooms[k], seeker->player) != NULL;
        assert_in_range(rooms, seeker->room[0] ? 1 : 0, 1 + seeker->lost);
    }
    assert_true(crowd->told > SEEKERS / 2);
}

static void a_thousand_seekers(void **state)
{
    struct crowd *crowd = calloc(1, sizeof *crowd);
    crowd->stage = *state;
    crowd->random = 11;
    for (int i = 0; i < SEEKERS; i++)
        snprintf(crowd->seekers[i].name, sizeof crowd->seekers[i].name, "s%c%c%c", 'a' + i / 676,
                 'a' + i / 26 % 26, 'a' + i % 26);
    for (int i = 0; i < STEPS && crowd->stage->peer_count < STAGE_PEERS_MAX; i++)
        step(crowd);
    calm_down(crowd);
    nobody_is_left(crowd);
    everybody_plays_once(crowd);
    free(crowd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_scene),
        cmocka_unit_test_setup_teardown(a_room_of_a_pairing_is_exported, stage_set_small,
                                        stage_clear),
        cmocka_unit_test_setup_teardown(an_address_has_a_bound, stage_set_small, stage_clear),
        cmocka_unit_test_setup_teardown(a_thousand_seekers, stage_set_small, stage_clear),
    };
    return cmocka_run_group_tests_name("seeking", tests, NULL, NULL);
}
