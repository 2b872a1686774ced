/* What is asked for has to be paid for, whatever became of it: who gets how much done, and what was charged. */
#include "server/core/cost.h"

#include "engine/load/load.h"
#include "tests/server/core/games.h"
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct core_address far_away = {
    {[10] = 0xff, [11] = 0xff, [12] = 192, [14] = 2, [15] = 7}};

static int setup(void **state)
{
    static struct stage stage;
    stage_init_small(&stage);
    *state = &stage;
    return 0;
}

static int teardown(void **state)
{
    stage_release(*state);
    return 0;
}

static void open_from(struct stage *stage, const char *name, struct core_address address)
{
    stage->address = address;
    stage_open(stage, name, false);
}

static int count_heard(struct stage *stage, const char *name, const char *words)
{
    int count = 0;
    for (const struct heard *heard = stage_peer(stage, name)->first; heard; heard = heard->next)
        count += strstr(heard->text, words) != NULL;
    return count;
}

static uint64_t charged(struct stage *stage)
{
    struct core_statistics statistics;
    core_read_statistics(stage->core, &statistics);
    return statistics.cost;
}

/* --- floods ----------------------------------------------------------------------------------- */

enum { FLOOD = 10000, FLOOD_MS = 500 };

struct flood {
    const char *name, *text, *answered;
};

/* clang-format off */
static const struct flood floods[] = {
    {"who says what nobody understands is heard as long as it can pay", "{\"type\":\"what\",\"id\":\"x\"}", "unknown_type"},
    {"who asks for what is granted, alike",                             "{\"type\":\"ping\",\"id\":\"x\"}", "pong"},
    {"and who says no name",              "{\"type\":\"games\",\"id\":\"x\",\"op\":\"list\"}", "unauthenticated"},
};
/* clang-format on */

static void check_flood(void **state)
{
    const struct flood *flood = *state;
    struct stage stage;
    stage_init_small(&stage);
    open_from(&stage, "flooder", far_away);
    uint64_t before = charged(&stage);
    for (int i = 0; i < FLOOD; i++) {
        stage.now_ms += i % (FLOOD / FLOOD_MS) == 0;
        core_time(stage.core, stage.now_ms);
        core_peer_said(stage.core, stage_peer(&stage, "flooder")->peer, flood->text,
                       strlen(flood->text));
    }
    assert_int_equal(stage_peer(&stage, "flooder")->close_code, CLOSE_RATE_LIMITED);
    int answered = count_heard(&stage, "flooder", flood->answered);
    int limited = count_heard(&stage, "flooder", "rate_limited");
    assert_in_range(limited, SESSION_LIMITED_MAX, 10 * SESSION_LIMITED_MAX);
    assert_in_range(answered, 100, FLOOD * 3 / 4);
    const struct core_options *options = &stage.options;
    uint64_t most = (options->commands_burst + options->commands_per_s * FLOOD_MS / 1000) * 1000ull;
    assert_in_range(charged(&stage) - before, 1, most + 10 * SESSION_LIMITED_MAX * 1000);
    stage_release(&stage);
}

/* Who has been closed and comes back has nothing new from its address. */
static void a_flood_over_many_connections_ends_with_the_address(void **state)
{
    struct stage *stage = *state;
    int answered = 0, opened = 0;
    for (; opened < STAGE_PEERS_MAX; opened++) {
        char name[16];
        snprintf(name, sizeof name, "f%d", opened);
        open_from(stage, name, far_away);
        while (stage_peer(stage, name)->close_code == 0)
            stage_say(stage, name, floods[0].text);
        answered += count_heard(stage, name, "unknown_type");
        if (count_heard(stage, name, "unknown_type") == 0)
            break;
    }
    assert_in_range(opened, 2, STAGE_PEERS_MAX - 1);
    assert_in_range(answered, stage->options.address_burst / 4, 8 * stage->options.address_burst);
}

/* From as many addresses as there are places, each within its own limits; somebody else just plays. */
static void a_busy_server_lets_the_greedy_wait_and_nobody_else(void **state)
{
    enum { GREEDY = 24, EACH = 1000 };
    struct stage *stage = *state;
    stage->options.all_per_s = stage->options.all_burst = 500;
    stage_crash(stage);
    stage_start(stage);
    int answered = 0, waited = 0;
    for (int i = 0; i < GREEDY; i++) {
        struct core_address address = far_away;
        char name[16];
        snprintf(name, sizeof name, "g%d", i);
        address.bytes[14] = (uint8_t)(10 + i);
        open_from(stage, name, address);
        for (int n = 0; n < EACH && stage_peer(stage, name)->close_code == 0; n++)
            stage_say(stage, name, "{\"type\":\"ping\",\"id\":\"x\"}");
        answered += count_heard(stage, name, "pong");
        waited += count_heard(stage, name, "rate_limited");
    }
    assert_in_range(answered, 1000, GREEDY * EACH / 3);
    assert_true(waited > GREEDY * 10);
    open_from(stage, "ada", far_away);
    stage_play(stage, "ada: auth -> welcome\ntime: 100\nada: create two -> ack 1\ntime: 100\n"
                      "ada: join all -> ack 2; snapshot 2 all moves\ntime: 100\n"
                      "ada: move 0_0 0_1 -> ack 3; moved 3 moves\n");
}

/* The same over HTTP, where nobody has a session. */
static void a_busy_server_lets_the_greedy_wait_over_http_too(void **state)
{
    enum { GREEDY = 24, EACH = 2000, PAGE = 1000 };
    struct stage *stage = *state;
    const struct core_address ours = {{0}};
    stage->options.all_per_s = stage->options.all_burst = 500;
    stage_crash(stage);
    stage_start(stage);
    int answered = 0;
    for (int i = 0; i < GREEDY; i++) {
        struct core_address address = far_away;
        address.bytes[14] = (uint8_t)(10 + i);
        for (int n = 0; n < EACH; n++)
            answered += core_take(stage->core, &address, PAGE) == 0;
        assert_true(core_take(stage->core, &address, PAGE) > 0);
    }
    assert_in_range(answered, 500, GREEDY * EACH / 3);
    for (int i = 0; i < 20; i++) { /* what a page takes, with its files */
        assert_int_equal(core_take(stage->core, &far_away, PAGE), 0);
        assert_int_equal(core_take(stage->core, &ours, PAGE), 0);
    }
}

/* --- what it was ------------------------------------------------------------------------------ */

static uint64_t charged_for(struct stage *stage, const char *script)
{
    uint64_t before = charged(stage);
    stage_play(stage, script);
    return charged(stage) - before;
}

static void what_does_more_costs_more(void **state)
{
    struct stage *stage = *state;
    open_from(stage, "ada", far_away);
    stage_play(stage, "ada: auth -> welcome\n"
                      "ada: create two -> ack 1\n"
                      "ada: join all -> ack 2; snapshot 2 all moves\n");
    uint64_t small = charged_for(stage, "ada: resume 0\n");
    uint64_t again = charged_for(stage, "ada: resume 0\n");
    assert_int_equal(small, again);
    for (int i = 0; i < 40; i++)
        stage_play(stage, "ada: chat a-line-that-stays-and-is-told-to-whoever-comes-after-it\n");
    uint64_t large = charged_for(stage, "ada: resume 0\n");
    assert_true(large > small);
    stage_forget(stage, "ada");
}

static size_t bytes_heard(struct stage *stage, const char *name)
{
    size_t bytes = 0;
    for (const struct heard *heard = stage_peer(stage, name)->first; heard; heard = heard->next)
        bytes += strlen(heard->text);
    return bytes;
}

/* What was sent before and is sent once more costs its bytes, too. */
static void who_comes_back_pays_for_what_is_sent_again(void **state)
{
    enum { SENT_AGAIN = 225, LINES = 20 }; /* bytes that cost a thousandth */
    struct stage *stage = *state;
    open_from(stage, "ada", far_away);
    stage_play(stage, "ada: auth -> welcome\n"
                      "ada: create two -> ack 1\n"
                      "ada: join all -> ack 2; snapshot 2 all moves\n");
    for (int i = 0; i < LINES; i++)
        stage_play(stage, "ada: chat a-line-that-stays-and-is-told-to-whoever-comes-after-it\n");
    stage_forget(stage, "ada");
    uint64_t nothing = charged_for(stage, "ada: resume 22\n");
    size_t acknowledged = bytes_heard(stage, "ada");
    stage_forget(stage, "ada");
    uint64_t lines = charged_for(stage, "ada: resume 2\n");
    size_t bytes = bytes_heard(stage, "ada") - acknowledged;
    assert_in_range(bytes, LINES * (SENT_AGAIN + 10), LINES * 1000);
    assert_in_range(lines - nothing, bytes / SENT_AGAIN - LINES, bytes / SENT_AGAIN + 2);
    assert_true(lines > nothing);
    stage_forget(stage, "ada");
}

/* A file is told as it is: its bytes cost a part of what written ones do. */
static void what_lies_ready_costs_less_than_what_is_written(void **state)
{
    enum { SPACES = 9000, BYTES_WRITTEN = 45, OF_THE_COMMAND = 250 };
    struct stage *stage = *state;
    struct diagnostics diagnostics;
    size_t length = strlen(game_of_two) + SPACES;
    char *text = malloc(length + 1);
    snprintf(text, length + 1, "%s%*s", game_of_two, SPACES, "");
    diagnostics_init(&diagnostics);
    struct game *game = game_load(text, length, NULL, &diagnostics);
    assert_non_null(game);
    assert_true(core_add_game(stage->core, "long", game, text, length));
    open_from(stage, "ada", far_away);
    stage_play(stage, "ada: auth -> welcome\n");
    uint64_t before = charged(stage);
    stage_say(stage, "ada", "{\"type\":\"games\",\"op\":\"get\",\"id\":\"g\",\"game\":\"long\"}");
    assert_in_range(charged(stage) - before, OF_THE_COMMAND,
                    OF_THE_COMMAND + SPACES / BYTES_WRITTEN / 2);
    stage_forget(stage, "ada");
    game_release(game);
    diagnostics_release(&diagnostics);
    free(text);
}

/* Nothing is taken before what was done is paid back. */
static void who_owes_waits_and_then_goes_on(void **state)
{
    struct stage *stage = *state;
    stage->options.commands_burst = 50;
    stage->options.commands_per_s = 10;
    stage_crash(stage);
    stage_start(stage);
    open_from(stage, "ada", far_away);
    stage_say(stage, "ada", "{\"type\":\"auth\",\"id\":\"a\"}");
    struct session *session =
        map_find(&stage->core->sessions, &stage_peer(stage, "ada")->peer, sizeof(peer_id));
    cost_charge(stage->core, session, 100000);
    stage_say(stage, "ada", "{\"type\":\"ping\",\"id\":\"b\"}");
    json_t *refused = stage_last(stage, "ada", "error");
    assert_string_equal(json_string_value(json_object_get(refused, "code")), "rate_limited");
    uint64_t retry_ms = (uint64_t)json_integer_value(json_object_get(refused, "retry_ms"));
    json_decref(refused);
    assert_in_range(retry_ms, 5000, 10000);
    stage->now_ms += retry_ms;
    core_time(stage->core, stage->now_ms);
    stage_say(stage, "ada", "{\"type\":\"ping\",\"id\":\"c\"}");
    assert_int_equal(count_heard(stage, "ada", "pong"), 1);
}

/* --- whose game it is ------------------------------------------------------------------------- */

static void a_slow_game_is_charged_to_who_brought_it(void **state)
{
    struct stage *stage = *state;
    struct accounts *accounts = &stage->core->accounts;
    struct core_address home = far_away;
    home.bytes[15]++;
    struct account *author = account_of(accounts, &home, stage->now_ms);
    open_from(stage, "ada", far_away);
    struct session *player =
        map_find(&stage->core->sessions, &stage_peer(stage, "ada")->peer, sizeof(peer_id));
    struct edition edition = {.author = author};
    const struct cost usual = {.all = 900, .work = 200}, slow = {.all = 90000, .work = 90000};
    cost_charge_author(stage->core, player, &edition, &usual);
    assert_int_equal(author->work.level, (int64_t)stage->options.address_burst * 1000);
    cost_charge_author(stage->core, player, &edition, &slow);
    assert_in_range(author->work.level, 0, (int64_t)stage->options.address_burst * 1000 - 80000);
    edition.author = player->account;
    int64_t own = player->account->work.level;
    cost_charge_author(stage->core, player, &edition, &slow);
    assert_int_equal(player->account->work.level, own); /* it has paid as a player */
    account_let_go(accounts, author, stage->now_ms);
}

static void who_brings_a_game_is_known_as_long_as_it_is_played(void **state)
{
    struct stage *stage = *state;
    struct core_address home = far_away;
    open_from(stage, "ada", home);
    stage_say(stage, "ada", "{\"type\":\"auth\",\"id\":\"a\"}");
    json_t *definition = json_loads(game_of_two, 0, NULL);
    json_object_set_new(definition, "title", json_string("Another of two"));
    json_t *create =
        json_pack("{s:s,s:s,s:o}", "type", "create", "id", "c", "definition", definition);
    char *text = json_dumps(create, JSON_COMPACT);
    stage_say(stage, "ada", text);
    assert_int_equal(count_heard(stage, "ada", "\"ack\""), 1);
    size_t cursor = 0;
    int authored = 0;
    for (const struct edition *edition;
         (edition = map_next(&stage->core->catalogue.editions, &cursor));)
        if (edition->author) {
            authored++;
            assert_memory_equal(edition->author->key.bytes, home.bytes, sizeof home.bytes);
        }
    assert_int_equal(authored, 1);
    free(text);
    json_decref(create);
}

int main(void)
{
    enum { FLOODS = sizeof floods / sizeof *floods };
#define STAGE_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest others[] = {
        STAGE_TEST(a_flood_over_many_connections_ends_with_the_address),
        STAGE_TEST(a_busy_server_lets_the_greedy_wait_and_nobody_else),
        STAGE_TEST(a_busy_server_lets_the_greedy_wait_over_http_too),
        STAGE_TEST(what_does_more_costs_more),
        STAGE_TEST(who_comes_back_pays_for_what_is_sent_again),
        STAGE_TEST(what_lies_ready_costs_less_than_what_is_written),
        STAGE_TEST(who_owes_waits_and_then_goes_on),
        STAGE_TEST(a_slow_game_is_charged_to_who_brought_it),
        STAGE_TEST(who_brings_a_game_is_known_as_long_as_it_is_played),
    };
    struct CMUnitTest tests[FLOODS + sizeof others / sizeof *others];
    for (size_t i = 0; i < FLOODS; i++)
        tests[i] = (struct CMUnitTest){
            .name = floods[i].name, .test_func = check_flood, .initial_state = (void *)&floods[i]};
    memcpy(tests + FLOODS, others, sizeof others);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
