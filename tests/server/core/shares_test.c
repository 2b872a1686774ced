/* What one address, one player and all strangers together may have of rooms, keys, bots and places in memory. */
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include <string.h>

static struct core_address address_of(uint8_t number)
{
    return (struct core_address){
        {[10] = 0xff, [11] = 0xff, [12] = 203, [13] = 0, [14] = 113, [15] = number}};
}

static void enter(struct stage *stage, const char *name, uint8_t address)
{
    char script[64];
    stage->address = address == 0 ? (struct core_address){{0}} : address_of(address);
    stage_open(stage, name, false);
    snprintf(script, sizeof script, "%s: auth -> welcome\n", name);
    stage_play(stage, script);
}

/* A core anew, with the options as they are now. */
static void begin(struct stage *stage)
{
    stage_crash(stage);
    stage_start(stage);
}

static void play_as(struct stage *stage, const char *name, const char *what)
{
    char script[200];
    snprintf(script, sizeof script, "%s: %s\n", name, what);
    stage_play(stage, script);
}

/* --- making ----------------------------------------------------------------------------------- */

static void rooms_are_made_by_the_minute(void **state)
{
    struct stage *stage = *state;
    stage->options.address_rooms_per_minute = 60;
    stage->options.address_rooms_burst = 8;
    begin(stage);
    enter(stage, "ada", 1);
    play_as(stage, "ada", "create two -> ack 1");
    play_as(stage, "ada", "create two -> ack 1");
    play_as(stage, "ada", "create two -> rate_limited"); /* a player has a quarter */
    enter(stage, "bob", 1);
    enter(stage, "cat", 1);
    enter(stage, "dan", 1);
    enter(stage, "eve", 1);
    for (int i = 0; i < 2; i++) {
        play_as(stage, "bob", "create two -> ack 1");
        play_as(stage, "cat", "create two -> ack 1");
        play_as(stage, "dan", "create two -> ack 1");
    }
    play_as(stage, "eve", "create two -> rate_limited"); /* the address has no more */
    enter(stage, "eve2", 2);
    play_as(stage, "eve2", "create two -> ack 1"); /* another has */
    stage_play(stage, "time: 4000\n");
    play_as(stage, "ada", "create two -> ack 1");
    enter(stage, "fay", 0);
    for (int i = 0; i < 20; i++)
        play_as(stage, "fay", "create two -> ack 1"); /* this machine's own are not counted */
}

/* The same player from elsewhere is the same player. */
static void a_player_takes_his_share_along(void **state)
{
    struct stage *stage = *state;
    stage->options.address_rooms_burst = 8;
    begin(stage);
    enter(stage, "ada", 1);
    enter(stage, "ada2", 2);
    play_as(stage, "ada", "create two -> ack 1");
    play_as(stage, "ada2", "create two -> ack 1");
    play_as(stage, "ada", "create two -> rate_limited");
    play_as(stage, "ada2", "create two -> rate_limited");
}

static void when_all_make_too_many_the_greedy_wait_first(void **state)
{
    struct stage *stage = *state;
    stage->options.address_rooms_burst = 40; /* ten for a player */
    stage->options.rooms_made_per_s = 1;
    stage->options.rooms_made_burst = 10;
    begin(stage);
    enter(stage, "ada", 1);
    for (int i = 0; i < 7; i++)
        play_as(stage, "ada", "create two -> ack 1");
    play_as(stage, "ada", "create two -> rate_limited");
    enter(stage, "bob", 2);
    play_as(stage, "bob", "create two -> ack 1");
    play_as(stage, "bob", "create two -> ack 1");
    play_as(stage, "ada", "create two -> rate_limited");
    struct core_statistics statistics;
    core_read_statistics(stage->core, &statistics);
    assert_int_equal(statistics.makings_refused, 2);
}

static void seat_keys_and_guesses_are_counted(void **state)
{
    struct stage *stage = *state;
    enter(stage, "ada", 1);
    enter(stage, "eve", 1);
    play_as(stage, "ada", "create two -> ack 1");
    stage_play(stage, "ada: join red -> ack 2; snapshot 2 red\n");
    int given = 0;
    for (int i = 0; i < 200; i++) {
        stage_forget(stage, "ada");
        play_as(stage, "ada", "seat_key");
        json_t *key = stage_last(stage, "ada", "seat_key");
        given += key != NULL;
        json_decref(key);
    }
    assert_int_equal(given, 60); /* a quarter of an address's 240 */
    stage_forget(stage, "ada");
}

/* --- bots ------------------------------------------------------------------------------------- */

static void invite(struct stage *stage, const char *name, const char *answer)
{
    char script[200];
    snprintf(
        script, sizeof script,
        "%s: create two -> ack 1\n%s: join red -> ack 2; snapshot 2 red\n%s: bot.invite ->%s\n",
        name, name, name, answer);
    stage_play(stage, script);
}

/* The house's answer to its last call. */
static void sit_down(struct stage *stage, const char *bot)
{
    char json[300];
    stage->address = (struct core_address){{0}};
    stage_open(stage, bot, true);
    snprintf(json, sizeof json, "{\"type\":\"auth\",\"id\":\"1\",\"token\":\"%s\"}",
             stage->house_token);
    stage_say(stage, bot, json);
    snprintf(json, sizeof json,
             "{\"type\":\"join\",\"id\":\"2\",\"room\":\"%s\",\"seat\":\"%s\",\"as\":\"bot\"}",
             stage->house_room, stage->house_seat);
    stage_say(stage, bot, json);
    stage_forget(stage, bot);
}

static void one_player_has_so_many_bots(void **state)
{
    struct stage *stage = *state;
    stage->options.bots_of_player = 2;
    stage->options.bots_of_address = 3;
    begin(stage);
    enter(stage, "ada", 1);
    enter(stage, "bob", 1);
    enter(stage, "eve", 2);
    invite(stage, "ada", "");
    invite(stage, "ada", "");
    invite(stage, "ada", " too_many");
    invite(stage, "bob", "");
    invite(stage, "bob", " too_many");
    invite(stage, "eve", "");
    assert_int_equal(stage->house_count, 4);
}

/* Two play; the third comes from an address that has none, and one of those that has two makes room. */
static void bots_wait_for_their_turn(void **state)
{
    struct stage *stage = *state;
    stage->options.bots_max = 2;
    begin(stage);
    enter(stage, "ada", 1);
    invite(stage, "ada", "");
    sit_down(stage, "botone");
    stage_play(stage, "ada hears: joined 3 moves; ack 3\n");
    invite(stage, "ada", "");
    sit_down(stage, "bottwo");
    stage_play(stage, "ada hears: joined 3 moves; ack 3\n");
    assert_int_equal(stage->house_count, 2);
    enter(stage, "bob", 2);
    invite(stage, "bob", "");
    assert_int_equal(stage->house_count, 2);
    assert_int_equal(stage_peer(stage, "botone")->close_code, 4004);
    core_peer_gone(stage->core, stage_peer(stage, "botone")->peer);
    assert_int_equal(stage->house_count, 3);
    sit_down(stage, "botthree");
    stage_play(stage, "bob hears: joined 3 moves; ack 3\n");
    /* The one that left is called again when there is a place. */
    struct core_statistics statistics;
    core_read_statistics(stage->core, &statistics);
    assert_int_equal(statistics.bots_waiting, 1);
    core_peer_gone(stage->core, stage_peer(stage, "botthree")->peer);
    assert_int_equal(stage->house_count, 4);
    stage_forget(stage, "ada");
}

/* While many play, who comes is called a little later, and a few at a time. */
static void among_many_bots_a_few_are_called_at_a_time(void **state)
{
    enum { SITTING = 14, BOTS = 28, AT_A_TIME = 8 };
    struct stage *stage = *state;
    int rounds = 0;
    stage->options.bots_of_player = stage->options.bots_of_address = BOTS;
    begin(stage);
    for (int i = 0; i < BOTS; i++) {
        char name[16], bot[16];
        snprintf(name, sizeof name, "ada%d", i);
        snprintf(bot, sizeof bot, "bot%d", i);
        enter(stage, name, (uint8_t)(i + 1));
        invite(stage, name, "");
        if (i >= SITTING)
            continue;
        sit_down(stage, bot);
        stage_forget(stage, name);
    }
    assert_in_range(stage->house_count, SITTING, BOTS - AT_A_TIME);
    for (int called; stage->house_count < BOTS && rounds < BOTS; rounds++) {
        called = stage->house_count;
        stage_play(stage, "time: 10\n");
        assert_in_range(stage->house_count - called, 1, AT_A_TIME);
    }
    assert_int_equal(stage->house_count, BOTS);
    assert_true(rounds > 1);
}

static const char left_out[] =
    "{\"format\":2,\"name\":\"left out\",\"players\":[\"red\",\"green\"],"
    "\"cell\":{\"coordinates_names\":[\"x\",\"y\"],\"geometry\":[[0,0],[1,0],[1,1],[0,1]],"
    "\"position\":{\"x\":\"x\",\"y\":\"y\"}},"
    "\"board\":{\"cells\":{\"box\":{\"x\":3,\"y\":1}}},"
    "\"figures\":{\"man\":{\"movement\":[{\"x\":1,\"for\":\"move\"},{\"x\":-1,\"for\":\"move\"}]}},"
    "\"turns\":[\"red\"],"
    "\"initial_position\":{\"red\":{\"man\":[\"0_0\"]},\"green\":{\"man\":[\"2_0\"]}},"
    "\"results\":[{\"if\":{\"count\":{\"is\":{\"player\":\"red\"},\"min\":5}},\"result\":\"draw\","
    "\"reason\":\"never\"}]}";

static void bots_do_not_play_on_alone(void **state)
{
    struct stage *stage = *state;
    char json[2000];
    int made = 0;
    enter(stage, "ada", 1);
    snprintf(json, sizeof json, "{\"type\":\"create\",\"id\":\"c\",\"definition\":%s}", left_out);
    stage_say(stage, "ada", json);
    stage_play(stage, "ada hears: ack 1\nada: join green -> ack 2; snapshot 2 green\n"
                      "ada: bot.invite ->\n");
    sit_down(stage, "bot");
    for (int i = 0; i < 200; i++) {
        snprintf(json, sizeof json,
                 "{\"type\":\"move\",\"id\":\"m%d\",\"room\":\"%s\",\"move\":{\"from\":\"%d_0\","
                 "\"to\":\"%d_0\"}}",
                 i, stage->room, i % 2, 1 - i % 2);
        stage_forget(stage, "bot");
        stage_forget(stage, "ada");
        stage_say(stage, "bot", json);
        json_t *ack = stage_last(stage, "bot", "ack");
        made += ack != NULL;
        json_decref(ack);
    }
    assert_int_equal(made, 64);
    stage_forget(stage, "bot");
}

/* --- places in memory ------------------------------------------------------------------------- */

static void who_only_watches_gives_way_to_players(void **state)
{
    struct stage *stage = *state;
    stage->options.rooms_live_max = 4;
    begin(stage);
    enter(stage, "eve", 1);
    for (int i = 0; i < 4; i++) {
        play_as(stage, "eve", "create two -> ack 1");
        play_as(stage, "eve", "join spectator -> ack 1; snapshot 1 spectator");
    }
    enter(stage, "ada", 2);
    play_as(stage, "ada", "create two -> ack 1");
    play_as(stage, "ada", "join all -> ack 2; snapshot 2 all moves");
    assert_int_equal(stage_peer(stage, "eve")->close_code, 4004);
    struct core_statistics statistics;
    core_read_statistics(stage->core, &statistics);
    assert_int_equal(statistics.rooms_gave_way, 1);

    /* A game with its players there stays, whoever else comes. */
    for (int i = 0; i < 3; i++) {
        char name[8], script[200];
        snprintf(name, sizeof name, "eve%d", i + 2);
        enter(stage, name, 1);
        for (int k = 0; k < 4; k++) {
            snprintf(script, sizeof script, "{\"type\":\"create\",\"id\":\"c%d\",\"game\":\"two\"}",
                     k);
            stage_say(stage, name, script);
            json_t *ack = stage_last(stage, name, "ack");
            snprintf(script, sizeof script,
                     "{\"type\":\"join\",\"id\":\"j%d\",\"room\":\"%s\",\"seat\":\"spectator\"}", k,
                     ack ? json_string_value(json_object_get(ack, "room")) : "nowhere0");
            stage_say(stage, name, script);
            json_decref(ack);
        }
        stage_forget(stage, name);
    }
    core_read_statistics(stage->core, &statistics);
    assert_true(statistics.rooms_gave_way > 3);
    assert_in_range(statistics.rooms_live, 1, 4);
    assert_int_equal(stage_peer(stage, "ada")->close_code, 0);
}

int main(void)
{
#define STAGE_TEST(test) cmocka_unit_test_setup_teardown(test, stage_set_small, stage_clear)
    const struct CMUnitTest tests[] = {
        STAGE_TEST(rooms_are_made_by_the_minute),
        STAGE_TEST(a_player_takes_his_share_along),
        STAGE_TEST(when_all_make_too_many_the_greedy_wait_first),
        STAGE_TEST(seat_keys_and_guesses_are_counted),
        STAGE_TEST(one_player_has_so_many_bots),
        STAGE_TEST(bots_wait_for_their_turn),
        STAGE_TEST(among_many_bots_a_few_are_called_at_a_time),
        STAGE_TEST(bots_do_not_play_on_alone),
        STAGE_TEST(who_only_watches_gives_way_to_players),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
