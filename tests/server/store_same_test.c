/* One seeded script of commands on both databases: every answer and, in the end, every event log is the same, byte by
 * byte. */
#include "tests/support/test.h"

#include "tests/server/store_support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMMANDS = 100000, ROOMS = 200, BATCH = 64, PLAYERS = 12 };

struct script {
    uint64_t random;
    int64_t versions[ROOMS];
    enum store_room_status statuses[ROOMS];
};

struct drawn {
    struct store_request request;
    char room[STORE_ROOM_BYTES + 1], client[16], command[16], body[64], hash[16];
    struct store_turn turn;
};

static uint64_t draw(struct script *script, uint64_t bound)
{
    return test_random(&script->random) % bound;
}

static void name_room(struct drawn *drawn, int room)
{
    snprintf(drawn->room, sizeof drawn->room, "room%d", room);
}

/* Mostly the next move of some room; now and then one that is late, repeats a command, takes a seat, ends the game, or
 * only asks. */
static void draw_append(struct script *script, struct drawn *drawn)
{
    int room = (int)draw(script, ROOMS);
    int64_t version = script->versions[room];
    name_room(drawn, room);
    snprintf(drawn->client, sizeof drawn->client, "p_%d", (int)draw(script, PLAYERS));
    snprintf(drawn->command, sizeof drawn->command, "c-%d", (int)draw(script, 2000));
    snprintf(drawn->body, sizeof drawn->body, "{\"n\":%" PRIu64 "}", draw(script, 1000000));
    if (draw(script, 8) == 0)
        drawn->command[0] = drawn->client[0] = '\0';
    if (version == 0) {
        drawn->request = store_creation(drawn->room, drawn->client, drawn->command);
    } else {
        int64_t off = draw(script, 12) == 0 ? 1 : 0;
        drawn->request = store_continuation(drawn->room, version - (version > off ? off : 0),
                                            drawn->client, drawn->command, drawn->body);
    }
    struct store_room *row = &drawn->request.writes[0].room;
    bool stays = version > 0 && draw(script, 4) != 0;
    row->status = stays ? script->statuses[room] : (enum store_room_status)draw(script, 3);
    drawn->request.writes[0].status_stays = stays;
    if (draw(script, 10) != 0)
        return;
    drawn->request.writes[0].seats_changed = true;
    row->seat_count = 1 + (int)draw(script, 2);
    for (int i = 0; i < row->seat_count; i++)
        row->seats[i] = (struct store_seat){.seat = i == 0 ? "white" : "black",
                                            .player = drawn->client,
                                            .token_hash = "cafe",
                                            .name = drawn->body,
                                            .bot = i == 1};
}

/* A few names and a few texts, so that names are fought for and texts come again. */
static void draw_publishing(struct script *script, struct drawn *drawn)
{
    static const enum store_ask asks[] = {STORE_PUBLISH, STORE_PUBLISH, STORE_PUBLISHED,
                                          STORE_PUBLICATIONS, STORE_LIST};
    snprintf(drawn->room, sizeof drawn->room, "game-%d", (int)draw(script, 9));
    snprintf(drawn->client, sizeof drawn->client, "token-%d", (int)draw(script, 2));
    snprintf(drawn->hash, sizeof drawn->hash, "hash-%d", (int)draw(script, 4));
    snprintf(drawn->command, sizeof drawn->command, "game-%d", (int)draw(script, 9));
    bool derived = draw(script, 3) == 0;
    drawn->request = (struct store_request){
        .ask = draw(script, 30) == 0 ? STORE_UNPUBLISH : asks[draw(script, 5)],
        .from = (int64_t)draw(script, 2),
        .publication = {.name = drawn->room,
                        .version = (int64_t)draw(script, 4),
                        .definition_hash = drawn->hash,
                        .title = drawn->hash,
                        .players = "[\"white\",\"black\"]",
                        .ancestor = derived ? drawn->command : "",
                        .ancestor_version = derived ? (int64_t)draw(script, 3) : 0,
                        .publisher = drawn->client,
                        .at_ms = 1700000000000 + (int64_t)draw(script, 50)},
        .definition = drawn->hash,
        .listing = (enum store_wish)draw(script, 3),
        .hiding = (enum store_wish)(draw(script, 12) == 0 ? STORE_YES : draw(script, 2))};
    if (drawn->request.ask == STORE_LIST && draw(script, 2) == 0)
        drawn->request.publication.publisher = NULL;
}

/* A room leaves memory, mostly at the version it is at. */
static void draw_release(struct script *script, struct drawn *drawn)
{
    int room = (int)draw(script, ROOMS);
    name_room(drawn, room);
    drawn->turn = (struct store_turn){.version = script->versions[room] - (draw(script, 6) == 0)};
    memcpy(drawn->turn.room, drawn->room, sizeof drawn->turn.room);
    snprintf(drawn->turn.to_move, sizeof drawn->turn.to_move, "%s",
             draw(script, 2) == 0 ? "white" : "black");
    drawn->request =
        (struct store_request){.ask = STORE_RELEASE, .turns = &drawn->turn, .turn_count = 1};
}

static void draw_request(struct script *script, struct drawn *drawn)
{
    static const enum store_ask asks[] = {STORE_HISTORY, STORE_OPEN_ROOMS, STORE_PLAYER_ROOMS,
                                          STORE_LOAD};
    uint64_t what = draw(script, 400);
    if (what >= 396) {
        draw_publishing(script, drawn);
        return;
    }
    if (what >= 384) {
        draw_release(script, drawn);
        return;
    }
    if (what >= 4) {
        draw_append(script, drawn);
        return;
    }
    name_room(drawn, (int)draw(script, ROOMS));
    snprintf(drawn->client, sizeof drawn->client, "p_%d", (int)draw(script, PLAYERS));
    drawn->request = store_question(asks[what], drawn->room, drawn->client);
    drawn->request.from = (int64_t)draw(script, 300);
    drawn->request.to = drawn->request.from + (int64_t)draw(script, 300);
}

static void expect_same_room(const struct store_room *a, const struct store_room *b)
{
    assert_string_equal(a->id, b->id);
    assert_string_equal(a->game, b->game);
    assert_string_equal(a->title, b->title);
    assert_string_equal(a->definition_hash, b->definition_hash);
    assert_string_equal(a->players, b->players);
    assert_int_equal(a->is_public, b->is_public);
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->version, b->version);
    assert_int_equal(a->created_at_ms, b->created_at_ms);
    assert_string_equal(a->to_move ? a->to_move : "", b->to_move ? b->to_move : "");
    assert_int_equal(a->seat_count, b->seat_count);
    for (int i = 0; i < a->seat_count; i++) {
        assert_string_equal(a->seats[i].seat, b->seats[i].seat);
        assert_string_equal(a->seats[i].player, b->seats[i].player);
        assert_string_equal(a->seats[i].token_hash, b->seats[i].token_hash);
        assert_string_equal(a->seats[i].name, b->seats[i].name);
        assert_int_equal(a->seats[i].bot, b->seats[i].bot);
        assert_int_equal(a->seats[i].house, b->seats[i].house);
    }
}

static void expect_same_publication(const struct store_publication *a,
                                    const struct store_publication *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->version, b->version);
    assert_int_equal(a->versions, b->versions);
    assert_string_equal(a->definition_hash, b->definition_hash);
    assert_string_equal(a->title, b->title);
    assert_string_equal(a->players, b->players);
    assert_string_equal(a->ancestor, b->ancestor);
    assert_int_equal(a->ancestor_version, b->ancestor_version);
    assert_string_equal(a->publisher, b->publisher);
    assert_int_equal(a->listed, b->listed);
    assert_int_equal(a->hidden, b->hidden);
    assert_int_equal(a->at_ms, b->at_ms);
}

static void expect_same(const struct store_answer *a, const struct store_answer *b)
{
    assert_int_equal(a->ticket, b->ticket);
    assert_int_equal(a->status, b->status);
    assert_string_equal(a->duplicate_room, b->duplicate_room);
    assert_int_equal(a->duplicate_version, b->duplicate_version);
    assert_string_equal(a->duplicate_kind, b->duplicate_kind);
    assert_int_equal(a->room_count, b->room_count);
    for (int i = 0; i < a->room_count; i++)
        expect_same_room(&a->rooms[i], &b->rooms[i]);
    if (a->ask == STORE_PUBLISHED || a->ask == STORE_PUBLICATIONS) {
        assert_int_equal(a->publication_count, b->publication_count);
        for (int i = 0; i < a->publication_count; i++)
            expect_same_publication(&a->publications[i], &b->publications[i]);
    }
    assert_int_equal(a->definition == NULL, b->definition == NULL);
    if (a->definition != NULL)
        assert_string_equal(a->definition, b->definition);
    assert_int_equal(a->event_count, b->event_count);
    for (int i = 0; i < a->event_count; i++) {
        assert_int_equal(a->events[i].version, b->events[i].version);
        assert_int_equal(a->events[i].at_ms, b->events[i].at_ms);
        assert_string_equal(a->events[i].kind, b->events[i].kind);
        assert_string_equal(a->events[i].client, b->events[i].client);
        assert_string_equal(a->events[i].command, b->events[i].command);
        assert_string_equal(a->events[i].body, b->events[i].body);
    }
}

static void follow(struct script *script, const struct store_request *request,
                   const struct store_answer *answer)
{
    if (request->ask != STORE_APPEND || answer->status != STORE_OK)
        return;
    int room = (int)strtol(request->writes[0].room.id + strlen("room"), NULL, 10);
    script->versions[room] = request->writes[0].expected_version + 1;
    script->statuses[room] = request->writes[0].room.status;
}

static int run_batch(struct script *script, struct store_bed *one, struct store_bed *other)
{
    static struct drawn drawn[BATCH];
    struct store_request requests[BATCH];
    struct store_answer answers[BATCH], others[BATCH];
    int count = 1 + (int)draw(script, BATCH);
    for (int i = 0; i < count; i++) {
        draw_request(script, &drawn[i]);
        requests[i] = drawn[i].request;
        requests[i].ticket = (uint64_t)i;
    }
    one->table->perform(one->driver, requests, count, answers);
    other->table->perform(other->driver, requests, count, others);
    int written = 0;
    for (int i = 0; i < count; i++) {
        expect_same(&answers[i], &others[i]);
        follow(script, &requests[i], &answers[i]);
        written += requests[i].ask == STORE_APPEND && answers[i].status == STORE_OK;
        store_answer_release(&answers[i]);
        store_answer_release(&others[i]);
    }
    one->table->keep_house(one->driver);
    other->table->keep_house(other->driver);
    return written;
}

static void both_databases_tell_the_same_story(void **state)
{
    (void)state;
    struct script *script = calloc(1, sizeof *script);
    struct store_bed sqlite, postgres;
    assert_non_null(script);
    script->random = 20261121;
    store_bed_init(&sqlite, &store_sqlite);
    store_bed_init(&postgres, &store_postgres);
    int commands = 0;
    while (commands < COMMANDS) {
        int written = run_batch(script, &sqlite, &postgres);
        commands += written > 0 ? written : 1;
    }
    int64_t events = 0;
    for (int i = 0; i < ROOMS; i++) {
        char room[16];
        snprintf(room, sizeof room, "room%d", i);
        struct store_request question = store_question(STORE_LOAD, room, NULL);
        struct store_answer a = store_perform(&sqlite, &question);
        struct store_answer b = store_perform(&postgres, &question);
        expect_same(&a, &b);
        assert_int_equal(a.event_count, script->versions[i]);
        events += a.event_count;
        store_answer_release(&a);
        store_answer_release(&b);
    }
    assert_true(events > COMMANDS * 8 / 10);
    store_bed_release(&sqlite);
    store_bed_release(&postgres);
    free(script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_databases_tell_the_same_story)};
    if (store_bed_postgres() == NULL) {
        print_message("skipped: SENET_TEST_POSTGRES names no PostgreSQL\n");
        return 77; /* what ctest calls skipped */
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
