/* What commands make the loop do in games that take nearly as much work as a game may, counted in units: whatever is asked, no turn
 * of the loop does more than an answer may take. And in the games that are served, far less. */
#include "engine/load/load.h"
#include "engine/trial.h"
#include "tests/engine/hostile.h"
#include "tests/server/core/games.h"
#include "tests/server/core/stage.h"
#include "tests/support/games.h"
#include "tests/support/test.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXT_BYTES = 64 * 1024,
    ID_BYTES = 64,
    PLIES = 4,
    SERVED_PLIES = 20,
    UNLIMITED = 10 * 1000 * 1000
};

/* --- turns of the loop -------------------------------------------------------------------------- */

static void note_most(uint64_t *most, uint64_t before)
{
    uint64_t units = work_spent() - before;
    *most = units > *most ? units : *most;
}

/* The first of what waits for threads is done; what the loop does then is noted. */
static void work_once(struct stage *stage, uint64_t *most)
{
    struct job *job = stage_take_job(stage);
    job->run(job);
    uint64_t before = work_spent();
    core_worked(stage->core, job);
    note_most(most, before);
}

/* The most that a turn did: for the command, for the store's answers, for those of threads. */
static uint64_t work_of(struct stage *stage, const char *who, const char *json)
{
    uint64_t most = 0, before = work_spent();
    core_peer_said(stage->core, stage_peer(stage, who)->peer, json, strlen(json));
    note_most(&most, before);
    stage->jobs_hold = true;
    for (bool more = true; more; more = stage->jobs != NULL) {
        if (stage->jobs)
            work_once(stage, &most);
        before = work_spent();
        stage_work(stage);
        note_most(&most, before);
    }
    stage->jobs_hold = false;
    return most;
}

/* --- a table where one sits on all seats ---------------------------------------------------------- */

struct table {
    struct stage stage;
    const char *game;
    uint64_t most;          /* of all turns, */
    char what[64];          /*   and what was asked then; */
    uint64_t most_of_plies; /* of those that went through several plies */
    int commands;
};

static void ask(struct table *table, const char *what, const char *more)
{
    char json[512];
    stage_forget(&table->stage, "ada");
    snprintf(json, sizeof json, "{\"id\":\"c%d\",\"room\":\"%s\",\"type\":\"%s\"%s}",
             table->commands++, table->stage.room, what, more);
    uint64_t units = work_of(&table->stage, "ada", json);
    bool goes_back = strcmp(what, "history") == 0 || strcmp(what, "action") == 0;
    if (goes_back && units > table->most_of_plies)
        table->most_of_plies = units;
    if (goes_back || units <= table->most)
        return;
    table->most = units;
    snprintf(table->what, sizeof table->what, "%s%.40s", what, more);
}

/* One of the legal ones, as JSON; NULL: there is none. The caller's. */
static char *pick_move(struct table *table, int number)
{
    ask(table, "legal_moves", "");
    json_t *answer = stage_last(&table->stage, "ada", "legal_moves");
    const json_t *moves = json_object_get(answer, "moves");
    size_t count = json_array_size(moves);
    char *move = count == 0
                     ? NULL
                     : json_dumps(json_array_get(moves, (size_t)number * 7 % count), JSON_COMPACT);
    json_decref(answer);
    return move;
}

static void play(struct table *table, int plies)
{
    for (int i = 0; i < plies; i++) {
        char more[256], *move = pick_move(table, i);
        if (!move)
            return; /* it is over */
        snprintf(more, sizeof more, ",\"move\":%s", move);
        ask(table, "move", more);
        free(move);
    }
}

static void ask_all(struct table *table, int plies)
{
    ask(table, "join", ",\"seat\":\"all\"");
    play(table, plies);
    ask(table, "move", ",\"move\":{\"from\":\"0_0\",\"to\":\"31_31\"}");
    ask(table, "legal_moves", ",\"cell\":\"0_0\",\"explain\":true");
    ask(table, "legal_moves", ",\"cell\":\"1_11\",\"explain\":true");
    ask(table, "legal_moves", ",\"cell\":\"0_0\",\"to\":\"31_31\"");
    ask(table, "sync", "");
    ask(table, "resume", ",\"version\":0");
    ask(table, "history", ",\"ply\":1");
    ask(table, "history", ",\"moves\":true,\"from\":1");
    ask(table, "history", ",\"from\":1,\"to\":9");
    ask(table, "action", ",\"kind\":\"takeback.offer\"");
    ask(table, "history", ",\"from\":1,\"to\":9");
    ask(table, "leave", "");
    ask(table, "join", ",\"seat\":\"spectator\"");
}

static void begin(struct table *table, const char *game)
{
    *table = (struct table){.game = game};
    stage_init_small(&table->stage);
    stage_crash(&table->stage);
    table->stage.options.commands_per_s = table->stage.options.commands_burst = UNLIMITED;
    stage_start(&table->stage);
    stage_play(&table->stage, "ada: connects\nada: auth -> welcome\n");
}

/* --- games made to be slow ------------------------------------------------------------------------ */

/* How often what makes it slow may stand there. */
static const struct {
    const char *game;
    int times;
} heavy[] = {
    {"effects", 3}, {"neighbours", 21}, {"count", 5},
    {"cells", 60},  {"results", 36},    {"interpreted rays", 2},
};

static char *text_of_heavy(int number)
{
    for (int i = 0; i < hostile_count(); i++)
        if (strcmp(hostile_name(i), heavy[number].game) == 0)
            return hostile_text(i, heavy[number].times);
    fail_msg("there is no hostile game %s", heavy[number].game);
    return NULL;
}

static void no_turn_of_the_loop_does_more_than_an_answer_may_take(void **state)
{
    struct table *table = malloc(sizeof *table);
    char *create = malloc(TEXT_BYTES);
    (void)state;
    for (size_t i = 0; i < sizeof heavy / sizeof *heavy; i++) {
        char *definition = text_of_heavy((int)i);
        begin(table, heavy[i].game);
        assert_true(strlen(definition) < TEXT_BYTES - ID_BYTES);
        snprintf(create, TEXT_BYTES, "{\"type\":\"create\",\"id\":\"c\",\"definition\":%s}",
                 definition);
        stage_say(&table->stage, "ada", create);
        stage_play(&table->stage, "ada hears: ack 1\n");
        ask_all(table, PLIES);
        print_message("%s: %llu units: %s\n", table->game, (unsigned long long)table->most,
                      table->what);
        assert_in_range(table->most, WORK_POSITION_MAX / 2, WORK_ANSWER_MAX);
        assert_true(table->most_of_plies <= WORK_ANSWER_MAX);
        stage_release(&table->stage);
        free(definition);
    }
    free(create);
    free(table);
}

/* The texts of moves that were taken back are found by playing what was on the board then; where that is dear, they are not told. */
static void what_would_take_too_much_to_find_out_is_left_out(void **state)
{
    enum { MOVES = 20, PAGES = 80 };
    struct table *table = malloc(sizeof *table);
    char *definition = games_dear(), *create = malloc(TEXT_BYTES);
    int with = 0, without = 0;
    (void)state;
    begin(table, "dear");
    snprintf(create, TEXT_BYTES, "{\"type\":\"create\",\"id\":\"c\",\"definition\":%s}",
             definition);
    stage_say(&table->stage, "ada", create);
    stage_play(&table->stage, "ada hears: ack 1\n");
    ask(table, "join", ",\"seat\":\"all\"");
    play(table, MOVES);
    for (int i = 0; i < MOVES; i++)
        ask(table, "action", ",\"kind\":\"takeback.offer\"");
    for (int from = 1, pages = 0; from <= 2 * (MOVES + 1); pages++) {
        char more[64];
        assert_true(pages < PAGES);
        snprintf(more, sizeof more, ",\"from\":%d,\"to\":%d", from, 2 * (MOVES + 1));
        ask(table, "history", more);
        json_t *answer = stage_last(&table->stage, "ada", "history"), *event;
        size_t index;
        json_array_foreach(json_object_get(answer, "events"), index, event)
        {
            bool moved = strcmp(json_string_value(json_object_get(event, "kind")), "moved") == 0;
            bool has_text = json_object_get(event, "text") != NULL;
            with += moved && has_text;
            without += moved && !has_text;
        }
        from = (int)json_integer_value(json_object_get(answer, "to")) + 1;
        json_decref(answer);
    }
    print_message("%d with, %d without, %llu units\n", with, without,
                  (unsigned long long)table->most_of_plies);
    assert_int_equal(with + without, MOVES);
    assert_true(with > 0 && without > 0);
    assert_true(table->most_of_plies <= WORK_ANSWER_MAX);
    stage_release(&table->stage);
    free(create);
    free(definition);
    free(table);
}

/* --- games that are served ------------------------------------------------------------------------ */

/* A page of the past, and the way back to a ply, have several plies in them. */
enum { FAR_BELOW = 100, PLIES_BELOW = 40 };

static void games_that_are_served_are_far_below(void **state)
{
    struct table *table = malloc(sizeof *table);
    DIR *folder = opendir(SENET_SOURCE_DIR "/games");
    int games = 0;
    (void)state;
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[512];
        size_t length;
        const char *end = strrchr(entry->d_name, '.');
        if (!end || strcmp(end, ".json") != 0)
            continue;
        snprintf(path, sizeof path, "%s/games/%s", SENET_SOURCE_DIR, entry->d_name);
        char *text = test_read_game(path, &length);
        struct diagnostics diagnostics;
        diagnostics_init(&diagnostics);
        struct game *game = game_load(text, length, NULL, &diagnostics);
        assert_non_null(game);
        begin(table, entry->d_name);
        assert_true(core_add_game(table->stage.core, "served", game, text, length));
        stage_play(&table->stage, "ada: create served -> ack 1\n");
        ask_all(table, SERVED_PLIES);
        if (table->most * FAR_BELOW > WORK_ANSWER_MAX ||
            table->most_of_plies * PLIES_BELOW > WORK_ANSWER_MAX)
            fail_msg("%s: %llu units for %s, %llu for several plies", table->game,
                     (unsigned long long)table->most, table->what,
                     (unsigned long long)table->most_of_plies);
        games++;
        stage_release(&table->stage);
        game_release(game);
        diagnostics_release(&diagnostics);
        free(text);
    }
    closedir(folder);
    assert_true(games > 40);
    free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_turn_of_the_loop_does_more_than_an_answer_may_take),
        cmocka_unit_test(what_would_take_too_much_to_find_out_is_left_out),
        cmocka_unit_test(games_that_are_served_are_far_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
