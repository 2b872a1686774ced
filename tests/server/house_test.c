/* The house's guests, on a loop of their own with a core that is made up: it lets everybody in, always has them move, and says
 * as many moves as fit into a message of its own. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "engine/movegen.h"
#include "server/house/bot.h"
#include "server/house/house.h"
#include "tests/engine/games.h"

enum {
    GUESTS = 200,
    ROUNDS = 3,
    AT_ONCE = 4, /* guests that do something in one turn of the loop */
    TURNS_MAX = 1000 * 1000,
    MOVES = 10,  /* of the long list, */
    FITTING = 3, /*   and so many of them fit */
    TRIES = 300,
    HINT = 17, /* and one that is forgotten behind it */
    HINT_LINES = 2,
};

struct seat {
    peer_id peer;
    int version, moves;
};

struct world {
    uv_loop_t loop;
    struct house *house;
    struct seat seats[GUESTS];
    int seat_count, gone;
    peer_id speaker; /* who spoke last in this turn */
    int spoke;       /* and how many have */
    const char *cells;
    bool is_long;
    int chosen[MOVES], asked, hinted;
};

/* --- the made-up core ------------------------------------------------------------------------- */

static struct seat *seat_of(struct world *world, peer_id peer)
{
    for (int i = 0; i < world->seat_count; i++)
        if (world->seats[i].peer == peer)
            return &world->seats[i];
    fail_msg("nobody has come as %llu", (unsigned long long)peer);
    return NULL;
}

static void say(struct world *world, peer_id peer, const char *text)
{
    struct frame *frame = frame_new(text, strlen(text));
    assert_int_equal(house_send(world->house, peer, frame), SEND_QUEUED);
    frame_release(frame);
}

/* The moves from `skip` on. */
static void write_moves(const struct world *world, int skip, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "[");
    int end = !world->is_long ? 1 : skip + FITTING < MOVES ? skip + FITTING : MOVES;
    for (int i = skip; i < end; i++)
        used += (size_t)snprintf(text + used, size - used, "%s{\"from\":\"a%d\",\"to\":\"b%d\"}",
                                 i > skip ? "," : "", i, i);
    snprintf(text + used, size - used, "]");
}

static void say_state(struct world *world, const struct seat *seat)
{
    char text[1024], moves[256], count[40] = "";
    write_moves(world, 0, moves, sizeof moves);
    if (world->is_long)
        snprintf(count, sizeof count, ",\"legal_moves_count\":%d", MOVES);
    snprintf(text, sizeof text,
             "{\"type\":\"snapshot\",\"room\":\"room0001\",\"version\":%d,\"state\":{\"cells\":%s,"
             "\"seats\":{\"white\":{\"player\":\"p_%llu\"}},\"status\":\"playing\","
             "\"to_move\":\"white\"},\"legal_moves\":%s%s}",
             seat->version, world->cells, (unsigned long long)seat->peer, moves, count);
    say(world, seat->peer, text);
}

static void acknowledge(struct world *world, const struct seat *seat, const char *id)
{
    char text[128];
    snprintf(text, sizeof text,
             "{\"type\":\"ack\",\"re\":\"%s\",\"room\":\"room0001\",\"version\":%d}", id,
             seat->version);
    say(world, seat->peer, text);
    say_state(world, seat);
}

static void answer_moves(struct world *world, const struct seat *seat, const char *id, int skip)
{
    char text[512], moves[256];
    world->asked++;
    write_moves(world, skip, moves, sizeof moves);
    snprintf(text, sizeof text,
             "{\"type\":\"legal_moves\",\"re\":\"%s\",\"room\":\"room0001\",\"version\":%d,"
             "\"moves\":%s,\"skip\":%d,\"count\":%d}",
             id, seat->version, moves, skip, MOVES);
    say(world, seat->peer, text);
}

static int number_behind(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    assert_non_null(at);
    return (int)strtol(at + strlen(word), NULL, 10);
}

/* Whoever moves may do so once more when everybody else has. */
static void note_move(struct world *world, struct seat *seat, const char *text)
{
    seat->version++;
    seat->moves++;
    for (int i = 0; i < world->seat_count; i++)
        assert_in_range(world->seats[i].moves + 1, seat->moves, GUESTS * TRIES);
    int index = number_behind(text, "\"to\":\"b");
    assert_in_range(index, 0, MOVES - 1);
    world->chosen[index]++;
}

static void on_opened(void *context, peer_id peer)
{
    struct world *world = context;
    assert_in_range(world->seat_count, 0, GUESTS - 1);
    world->seats[world->seat_count++] = (struct seat){.peer = peer, .version = 1};
}

static void on_said(void *context, peer_id peer, const char *said, size_t length)
{
    struct world *world = context;
    struct seat *seat = seat_of(world, peer);
    char text[512], id[40], answer[128];
    assert_in_range(length, 1, sizeof text - 1);
    memcpy(text, said, length);
    text[length] = '\0';
    assert_int_equal(sscanf(strstr(text, "\"id\":\""), "\"id\":\"%39[^\"]", id), 1);
    world->spoke += world->speaker != peer;
    world->speaker = peer;
    if (strstr(text, "\"type\":\"auth\"") != NULL) {
        snprintf(answer, sizeof answer,
                 "{\"type\":\"welcome\",\"re\":\"%s\",\"player\":\"p_%llu\"}", id,
                 (unsigned long long)peer);
        say(world, peer, answer);
    } else if (strstr(text, "\"type\":\"legal_moves\"") != NULL) {
        answer_moves(world, seat, id, number_behind(text, "\"skip\":"));
    } else {
        if (strstr(text, "\"type\":\"move\"") != NULL)
            note_move(world, seat, text);
        acknowledge(world, seat, id);
    }
}

static void on_gone(void *context, peer_id peer)
{
    struct world *world = context;
    (void)peer;
    world->gone++;
}

static void on_hinted(void *context, uint64_t number, struct position *position,
                      const struct core_hint *hints, int count)
{
    struct world *world = context;
    struct move legal;
    assert_int_equal(number, HINT);
    assert_int_equal(count, HINT_LINES);
    for (int i = 0; i < count; i++) {
        struct move move = hints[i].moves[0];
        assert_in_range(hints[i].move_count, 1, CORE_HINT_MOVES_MAX);
        assert_in_range(hints[i].share, 1, 999); /* nobody has won at the start */
        assert_int_equal(hints[i].ends_in, 0);
        assert_true(movegen_find(position, move.from, move.to, move.choice, &legal));
        assert_false(i > 0 && move_equal(move, hints[0].moves[0]));
    }
    world->hinted++;
}

/* --- the test's side -------------------------------------------------------------------------- */

static struct world *open_world(int guests, const char *cells, bool is_long)
{
    static struct world world;
    const struct house_ports ports = {&world, on_opened, on_said, on_gone, NULL, on_hinted};
    const struct house_options options = {.seed = 1, .threads = 1};
    memset(&world, 0, sizeof world);
    world.cells = cells;
    world.is_long = is_long;
    uv_loop_init(&world.loop);
    world.house = house_new(&world.loop, &ports, &options);
    for (int i = 0; i < guests; i++)
        house_invite(world.house, "room0001", "white", 0, "token");
    assert_int_equal(house_guest_count(world.house), guests);
    return &world;
}

static void close_world(struct world *world)
{
    house_close(world->house, NULL, NULL);
    uv_run(&world->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&world->loop), 0);
}

/* Turns of the loop until so many moves were made in all; how many guests spoke in one turn at most. */
static int turn_until(struct world *world, int moves)
{
    int most = 0, made = 0;
    for (int turns = 0; made < moves && turns < TURNS_MAX; turns++) {
        world->spoke = 0;
        world->speaker = 0;
        uv_run(&world->loop, UV_RUN_NOWAIT);
        if (world->spoke > most)
            most = world->spoke;
        made = 0;
        for (int i = 0; i < world->seat_count; i++)
            made += world->seats[i].moves;
    }
    assert_in_range(made, moves, moves + AT_ONCE);
    return most;
}

static void many_whose_time_has_come_go_a_few_at_a_time_and_in_turns(void **state)
{
    struct world *world = open_world(GUESTS, "{}", false);
    (void)state;
    int most = turn_until(world, GUESTS * ROUNDS);
    if (most > AT_ONCE)
        fail_msg("%d spoke in one turn of the loop", most);
    assert_int_equal(world->seat_count, GUESTS);
    for (int i = 0; i < GUESTS; i++) {
        assert_in_range(world->seats[i].moves, ROUNDS - 1, ROUNDS + 1);
        house_hang_up(world->house, world->seats[i].peer);
    }
    for (int turns = 0; world->gone < GUESTS && turns < TURNS_MAX; turns++)
        uv_run(&world->loop, UV_RUN_NOWAIT);
    assert_int_equal(world->gone, GUESTS);
    assert_int_equal(house_guest_count(world->house), 0);
    close_world(world);
}

static void a_hint_is_thought_out_and_told_unless_it_is_forgotten(void **state)
{
    (void)state;
    struct world *world = open_world(0, "{}", false);
    struct game *game = games_load_file("games/tic-tac-toe-4.json", NULL);
    house_hint(world->house, HINT, position_new(game), HINT_LINES);
    house_hint(world->house, HINT + 1, position_new(game), HINT_LINES);
    house_forget_hint(world->house, HINT + 1);
    while (world->hinted == 0)
        uv_run(&world->loop, UV_RUN_ONCE);
    close_world(world);
    assert_int_equal(world->hinted, 1);
    game_release(game);
}

/* Each as often as any other, about: the seed is always the same. */
static void of_a_list_that_is_cut_short_every_move_may_be_chosen(void **state)
{
    struct world *world = open_world(1, "{}", true);
    (void)state;
    turn_until(world, TRIES);
    for (int i = 0; i < MOVES; i++)
        assert_in_range(world->chosen[i], TRIES / MOVES / 2, TRIES / MOVES * 2);
    assert_in_range(world->asked, TRIES / 2, TRIES);
    close_world(world);
}

/* On b8 stands somebody. */
static void who_can_capture_in_what_it_sees_does(void **state)
{
    struct world *world = open_world(1, "{\"b8\":{}}", true);
    (void)state;
    turn_until(world, TRIES);
    assert_int_equal(world->chosen[6] + world->chosen[7], 0);
    assert_in_range(world->chosen[8], TRIES / MOVES * 2, TRIES);
    assert_in_range(world->chosen[9], 1, TRIES);
    close_world(world);
}

/* --- one that goes from room to room, as `senet bot --stay` does --------------------------------- */

static void ignore_event(void *context, struct client *client, const struct client_event *event)
{
    (void)context, (void)client, (void)event;
}

static void hear(struct client *client, const char *text)
{
    size_t length;
    while (client_next_frame(client, &length) != NULL)
        continue;
    client_received(client, text, strlen(text));
}

/* The client's commands are numbered from 1 in each connection. */
static void come_into(struct client *client, const char *room, int command)
{
    char text[512];
    client_join(client, room, "white", NULL, true);
    snprintf(text, sizeof text, "{\"type\":\"ack\",\"re\":\"1-%d\",\"room\":\"%s\",\"version\":3}",
             command, room);
    hear(client, text);
    snprintf(
        text, sizeof text,
        "{\"type\":\"snapshot\",\"room\":\"%s\",\"version\":3,\"seat\":\"white\",\"seats\":["
        "\"white\"],"
        "\"state\":{\"cells\":{},\"seats\":{\"white\":{\"player\":\"p_1\"}},\"status\":\"playing\","
        "\"to_move\":\"white\"},\"legal_moves\":[{\"from\":\"a1\",\"to\":\"a2\"}]}",
        room);
    hear(client, text);
}

static struct client *one_who_came_in(void)
{
    struct client *client = client_new(&(struct client_options){.seed = 1}, ignore_event, NULL);
    client_opened(client);
    hear(client, "{\"type\":\"hello\",\"protocol\":\"senet.v1\",\"server\":\"0.1.0\",\"heartbeat_"
                 "ms\":15000,\"limits\":{}}");
    hear(client, "{\"type\":\"welcome\",\"re\":\"1-1\",\"session\":\"s_1\",\"player\":\"p_1\","
                 "\"token\":\"secret\"}");
    come_into(client, "room0001", 2);
    return client;
}

static void another_room_has_versions_of_its_own(void **state)
{
    struct bot bot;
    struct client *client = one_who_came_in();
    (void)state;
    bot_init(&bot, BOT_MOVES_RANDOM, 1);
    assert_true(bot_wants_to_act(&bot, client));
    bot_act(&bot, client); /* 1-3 */
    assert_false(bot_wants_to_act(&bot, client));
    come_into(client, "room0002", 4);
    assert_true(bot_wants_to_act(&bot, client));
    client_free(client);
}

static void expect_answer(bool keeps_moves, const char *kind)
{
    struct bot bot;
    size_t length;
    struct client *client = one_who_came_in();
    bot_init(&bot, BOT_MOVES_RANDOM, 1);
    bot.keeps_moves = keeps_moves;
    hear(client,
         "{\"type\":\"snapshot\",\"room\":\"room0001\",\"version\":4,\"seat\":\"white\","
         "\"seats\":[\"white\"],\"state\":{\"cells\":{},\"seats\":{\"white\":{\"player\":\"p_1\"}},"
         "\"status\":\"playing\",\"to_move\":\"white\",\"takeback_offer\":\"black\"},"
         "\"legal_moves\":[{\"from\":\"a1\",\"to\":\"a2\"}]}");
    assert_true(bot_wants_to_act(&bot, client));
    bot_act(&bot, client);
    const char *frame = client_next_frame(client, &length);
    assert_non_null(frame);
    assert_non_null(strstr(frame, kind));
    client_free(client);
}

static void who_asks_to_take_back_is_answered_before_a_move(void **state)
{
    (void)state;
    expect_answer(false, "takeback.accept");
    expect_answer(true, "takeback.decline");
}

/* --- instead of a move ------------------------------------------------------------------------ */

/* Knights out and home again: so often the start stands there. */
static struct position *chess_after(struct game *game, int rounds)
{
    static const char *const cells[][2] = {{"g1", "f3"}, {"g8", "f6"}, {"f3", "g1"}, {"f6", "g8"}};
    struct position *position = position_new(game);
    for (int i = 0; i < rounds * 4; i++) {
        struct move move;
        assert_true(movegen_find(position, game_find_cell(game, cells[i % 4][0], 2),
                                 game_find_cell(game, cells[i % 4][1], 2), CHOICE_NONE, &move));
        position_make(position, move, NULL);
    }
    return position;
}

/* `kind` NULL: it plays on. */
static void expect_end(struct position *position, const char *offer, int share, const char *kind)
{
    struct bot bot;
    size_t length;
    char text[512];
    struct client *client = one_who_came_in();
    bot_init(&bot, BOT_MOVES_RANDOM, 1);
    snprintf(
        text, sizeof text,
        "{\"type\":\"snapshot\",\"room\":\"room0001\",\"version\":4,\"seat\":\"white\",\"seats\":["
        "\"white\"],\"state\":{\"cells\":{},\"seats\":{\"white\":{\"player\":\"p_1\"}},"
        "\"status\":\"playing\",\"to_move\":\"white\"%s},\"legal_moves\":[]}",
        offer);
    hear(client, text);
    assert_true(bot_end_game(&bot, client, position, share) == (kind != NULL));
    const char *frame = client_next_frame(client, &length);
    assert_true((frame != NULL) == (kind != NULL));
    assert_true(kind == NULL || strstr(frame, kind) != NULL);
    assert_true(bot_wants_to_act(&bot, client) == (kind == NULL));
    client_free(client);
}

static void a_draw_is_claimed_or_agreed_to_where_it_is_better(void **state)
{
    static const char offer[] = ",\"draw_offer\":\"black\"";
    struct game *game = games_load_file("games/chess.json", NULL);
    struct position *first = chess_after(game, 0), *third = chess_after(game, 2);
    (void)state;
    expect_end(third, "", 400, "claim.result");
    expect_end(third, "", 600, NULL);
    expect_end(first, "", 100, NULL);
    expect_end(first, offer, 100, "draw.accept");
    expect_end(first, offer, 500, NULL);
    position_free(third);
    position_free(first);
    game_release(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_whose_time_has_come_go_a_few_at_a_time_and_in_turns),
        cmocka_unit_test(a_hint_is_thought_out_and_told_unless_it_is_forgotten),
        cmocka_unit_test(of_a_list_that_is_cut_short_every_move_may_be_chosen),
        cmocka_unit_test(who_can_capture_in_what_it_sees_does),
        cmocka_unit_test(another_room_has_versions_of_its_own),
        cmocka_unit_test(who_asks_to_take_back_is_answered_before_a_move),
        cmocka_unit_test(a_draw_is_claimed_or_agreed_to_where_it_is_better),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
