/* A room's past: how it stood after each ply, what its plies were, and new rooms that begin there. */
#include "tests/server/core/games.h"
#include "tests/server/core/stage.h"
#include "tests/support/test.h"

#include "engine/load/load.h"
#include "engine/work.h"
#include "server/core/past.h"
#include "tests/engine/positions.h"

#include <stdlib.h>
#include <string.h>

enum { PLIES = 230, HASH_BYTES = 16, TEXT_BYTES = 64 };

/* What everybody saw, ply by ply. */
struct seen {
    char hash[HASH_BYTES];
    char text[TEXT_BYTES]; /* of the move that led there; "" where nobody made one */
    long long version;
};
struct game_seen {
    char room[24];
    int plies;
    struct seen seen[PLIES + 1];
};

static void say(struct stage *stage, const char *format, ...)
{
    char inside[1024], json[1100];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(inside, sizeof inside, format, arguments);
    va_end(arguments);
    snprintf(json, sizeof json, "{\"id\":\"h%d\",%s}", ++stage->id_count, inside);
    stage_forget(stage, "ada");
    stage_say(stage, "ada", json);
}

/* The allowance is for people. */
static void take_a_breath(struct stage *stage)
{
    stage->now_ms += 1000;
    core_time(stage->core, stage->now_ms);
}

static void note(struct game_seen *game, const json_t *frame)
{
    struct seen *seen = &game->seen[game->plies];
    seen->version = json_integer_value(json_object_get(frame, "version"));
    snprintf(seen->hash, sizeof seen->hash, "%s",
             json_string_value(json_object_get(frame, "hash")));
    const char *text = json_string_value(json_object_get(frame, "text"));
    snprintf(seen->text, sizeof seen->text, "%s", text ? text : "");
}

/* One of the moves offered, the same for one seed. */
static bool move(struct stage *stage, struct game_seen *game, const char *from, uint64_t *seed)
{
    json_t *frame = stage_last(stage, "ada", from);
    json_t *moves = json_object_get(frame, "legal_moves");
    if (json_array_size(moves) == 0) {
        json_decref(frame);
        return false;
    }
    size_t index = (size_t)(test_random(seed) % json_array_size(moves));
    char *text = json_dumps(json_array_get(moves, index), JSON_COMPACT);
    json_decref(frame);
    take_a_breath(stage);
    say(stage, "\"type\":\"move\",\"room\":\"%s\",\"move\":%s", game->room, text);
    free(text);
    frame = stage_last(stage, "ada", "event");
    assert_non_null(frame);
    game->plies++;
    note(game, frame);
    json_decref(frame);
    return true;
}

static void sit(struct stage *stage, struct game_seen *game)
{
    snprintf(game->room, sizeof game->room, "%s", stage->room);
    say(stage, "\"type\":\"join\",\"room\":\"%s\",\"seat\":\"all\"", game->room);
    json_t *snapshot = stage_last(stage, "ada", "snapshot");
    game->plies =
        (int)json_integer_value(json_object_get(json_object_get(snapshot, "state"), "ply"));
    note(game, snapshot);
    json_decref(snapshot);
}

static void play(struct stage *stage, struct game_seen *game, int plies, uint64_t seed)
{
    const char *from = "snapshot";
    sit(stage, game);
    while (game->plies < plies && move(stage, game, from, &seed))
        from = "event";
}

static void expect_ply(struct stage *stage, const struct game_seen *game, int ply)
{
    take_a_breath(stage);
    say(stage, "\"type\":\"history\",\"room\":\"%s\",\"ply\":%d", game->room, ply);
    json_t *answer = stage_last(stage, "ada", "history");
    assert_non_null(answer);
    const char *hash = json_string_value(json_object_get(answer, "hash"));
    if (strcmp(hash, game->seen[ply].hash) != 0)
        fail_msg("ply %d: %s, seen was %s", ply, hash, game->seen[ply].hash);
    assert_int_equal(json_integer_value(json_object_get(answer, "version")),
                     game->seen[ply].version);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(answer, "state"), "ply")),
                     ply);
    json_decref(answer);
}

static void expect_all(struct stage *stage, const struct game_seen *game, int first)
{
    expect_ply(stage, game, game->plies);
    for (int ply = first; ply <= game->plies; ply++)
        expect_ply(stage, game, ply);
    for (int ply = game->plies; ply >= first; ply -= 7)
        expect_ply(stage, game, ply);
}

static void come_back(struct stage *stage)
{
    stage_crash(stage);
    stage_start(stage);
    stage_play(stage, "ada: connects\nada: auth -> welcome\n");
}

static void every_ply_is_as_it_was_seen(const char *name, int plies)
{
    struct stage stage;
    struct game_seen game = {.plies = 0};
    stage_init(&stage);
    stage_play(&stage, "ada: connects\nada: auth -> welcome\n");
    say(&stage, "\"type\":\"create\",\"game\":\"%s\"", name);
    stage_play(&stage, "ada hears: ack 1\n");
    play(&stage, &game, plies, 7);
    expect_all(&stage, &game, 0);
    come_back(&stage);
    expect_all(&stage, &game, 0);
    say(&stage, "\"type\":\"history\",\"room\":\"%s\",\"ply\":%d", game.room, game.plies + 1);
    stage_play(&stage, "ada hears: bad_message\n");
    stage_release(&stage);
}

static void every_ply_of_chess_is_as_it_was_seen_also_after_a_restart(void **state)
{
    (void)state;
    every_ply_is_as_it_was_seen("chess", PLIES);
}

static void turns_of_several_moves_and_passes_have_a_ply_each(void **state)
{
    (void)state;
    every_ply_is_as_it_was_seen("hops", PLIES);
}

static void a_game_of_places_has_its_plies_up_to_the_end(void **state)
{
    (void)state;
    every_ply_is_as_it_was_seen("places", PLIES);
}

/* What was seen of the fork's past is what the other room showed, but for who sits there. */
static void expect_shared_past(struct stage *stage, const char *one, const char *other, int ply)
{
    static const char *const own[] = {"seats", "status"};
    json_t *states[2];
    for (int i = 0; i < 2; i++) {
        take_a_breath(stage);
        say(stage, "\"type\":\"history\",\"room\":\"%s\",\"ply\":%d", i == 0 ? one : other, ply);
        json_t *answer = stage_last(stage, "ada", "history");
        assert_non_null(answer);
        states[i] = json_incref(json_object_get(answer, "state"));
        json_decref(answer);
        for (size_t j = 0; j < sizeof own / sizeof *own; j++)
            json_object_del(states[i], own[j]);
    }
    assert_true(json_equal(states[0], states[1]));
    json_decref(states[0]);
    json_decref(states[1]);
}

static void a_fork_begins_where_the_other_room_was_and_goes_its_own_way(void **state)
{
    static const int plies[] = {0, 1, 49, 50, 51, 123};
    (void)state;
    struct stage stage;
    struct game_seen game = {.plies = 0};
    stage_init(&stage);
    stage_play(&stage, "ada: connects\nada: auth -> welcome\nada: create chess -> ack 1\n");
    play(&stage, &game, 130, 11);
    assert_int_equal(game.plies, 130);
    for (size_t i = 0; i < sizeof plies / sizeof *plies; i++) {
        struct game_seen fork = {.plies = 0};
        take_a_breath(&stage);
        say(&stage, "\"type\":\"create\",\"fork\":{\"room\":\"%s\",\"ply\":%d}", game.room,
            plies[i]);
        stage_play(&stage, "ada hears: ack 1\n");
        assert_string_not_equal(stage.room, game.room);
        play(&stage, &fork, plies[i] + 60, 100 + i);
        assert_int_equal(fork.plies, plies[i] + 60);
        expect_all(&stage, &fork, plies[i]);
        for (int ply = 0; ply < plies[i]; ply += 9)
            expect_shared_past(&stage, game.room, fork.room, ply);
        come_back(&stage);
        expect_all(&stage, &fork, plies[i]);
        for (int ply = plies[i] - 1; ply >= 0; ply -= 11)
            expect_shared_past(&stage, game.room, fork.room, ply);
        expect_ply(&stage, &game, game.plies); /* the first room has not changed */
    }
    stage_release(&stage);
}

static void moves_are_listed_with_their_texts_two_hundred_at_a_time(void **state)
{
    (void)state;
    struct stage stage;
    struct game_seen game = {.plies = 0};
    stage_init(&stage);
    stage_play(&stage, "ada: connects\nada: auth -> welcome\nada: create chess -> ack 1\n");
    play(&stage, &game, PLIES, 5);
    assert_int_equal(game.plies, PLIES);
    stage_play(
        &stage,
        "time: 1000\nada hears: ack 232; moved 232 moves\nada: plies 0 -> plies 0 200 230\n");
    say(&stage, "\"type\":\"history\",\"room\":\"%s\",\"moves\":true,\"from\":200", game.room);
    json_t *answer = stage_last(&stage, "ada", "history");
    json_t *moves = json_object_get(answer, "moves"), *first = json_array_get(moves, 0);
    assert_int_equal(json_array_size(moves), 30);
    assert_int_equal(json_integer_value(json_object_get(first, "ply")), 201);
    assert_int_equal(json_integer_value(json_object_get(first, "version")), 203);
    assert_string_equal(json_string_value(json_object_get(first, "seat")), "white");
    json_decref(answer);
    stage_play(&stage, "ada hears: plies 200 30 230\nada: plies 230 -> plies 230 0 230\n"
                       "ada: plies 231 -> bad_message\n");
    stage_release(&stage);
}

/* Texts of moves are written by making them, so a page ends where that was enough work for one answer. */
static void a_page_of_a_dear_game_is_short_and_the_next_goes_on(void **state)
{
    (void)state;
    struct stage stage;
    struct game_seen game = {.plies = 0};
    char *definition = games_dear(), create[20 * 1024];
    stage_init_small(&stage);
    stage_play(&stage, "ada: connects\nada: auth -> welcome\n");
    snprintf(create, sizeof create, "{\"type\":\"create\",\"id\":\"c\",\"definition\":%s}",
             definition);
    free(definition);
    stage_say(&stage, "ada", create);
    stage_play(&stage, "ada hears: ack 1\n");
    play(&stage, &game, 60, 7);
    assert_int_equal(game.plies, 60);
    int pages = 0, told = 0;
    while (told < game.plies) {
        take_a_breath(&stage);
        say(&stage, "\"type\":\"history\",\"room\":\"%s\",\"moves\":true,\"from\":%d", game.room,
            told);
        json_t *answer = stage_last(&stage, "ada", "history");
        assert_non_null(answer);
        json_t *moves = json_object_get(answer, "moves");
        size_t count = json_array_size(moves);
        assert_in_range(count, 1, 40);
        assert_int_equal(json_integer_value(json_object_get(json_array_get(moves, 0), "ply")),
                         told + 1);
        told += (int)count;
        pages++;
        json_decref(answer);
    }
    assert_in_range(pages, 3, 60);
    stage_release(&stage);
}

/* A move told again has the text that it was seen with. */
static void expect_text(const struct game_seen *game, const json_t *told)
{
    int ply = game->plies;
    long long version = json_integer_value(json_object_get(told, "version"));
    while (game->seen[ply].version != version)
        assert_true(ply-- > 0);
    assert_string_not_equal(game->seen[ply].text, "");
    assert_string_equal(json_string_value(json_object_get(told, "text")), game->seen[ply].text);
}

static int expect_texts(const struct game_seen *game, const json_t *list, bool events)
{
    int count = 0;
    size_t index;
    json_t *told;
    json_array_foreach(list, index, told)
    {
        const char *kind = json_string_value(json_object_get(told, "kind"));
        if (events && strcmp(kind, "moved") != 0)
            continue;
        expect_text(game, told);
        count++;
    }
    return count;
}

static int expect_texts_of_history(struct stage *stage, const struct game_seen *game,
                                   const char *range, const char *member)
{
    take_a_breath(stage);
    say(stage, "\"type\":\"history\",\"room\":\"%s\",%s", game->room, range);
    json_t *answer = stage_last(stage, "ada", "history");
    assert_non_null(answer);
    int count = expect_texts(game, json_object_get(answer, member), strcmp(member, "events") == 0);
    json_decref(answer);
    return count;
}

static int expect_texts_of_resume(struct stage *stage, const struct game_seen *game, int ply)
{
    int count = 0;
    take_a_breath(stage);
    say(stage, "\"type\":\"resume\",\"room\":\"%s\",\"version\":%lld", game->room,
        game->seen[ply].version);
    for (struct heard *heard = stage_peer(stage, "ada")->first; heard; heard = heard->next) {
        json_t *frame = json_loads(heard->text, 0, NULL);
        if (strcmp(json_string_value(json_object_get(frame, "type")), "event") == 0) {
            expect_text(game, frame);
            count++;
        }
        json_decref(frame);
    }
    return count;
}

static void expect_texts_everywhere(struct stage *stage, const struct game_seen *game, int first)
{
    int plies = game->plies - first, back = plies < 7 ? plies : 7, last = game->plies;
    char range[64];
    assert_true(plies > 0);
    snprintf(range, sizeof range, "\"from\":%lld,\"to\":%lld", game->seen[first].version,
             game->seen[last].version);
    assert_int_equal(expect_texts_of_history(stage, game, range, "events"), plies);
    snprintf(range, sizeof range, "\"from\":%lld,\"to\":%lld", game->seen[last - back + 1].version,
             game->seen[last].version);
    assert_int_equal(expect_texts_of_history(stage, game, range, "events"), back);
    snprintf(range, sizeof range, "\"moves\":true,\"from\":%d", first);
    assert_int_equal(expect_texts_of_history(stage, game, range, "moves"), plies);
    assert_int_equal(expect_texts_of_resume(stage, game, last - back), back);
}

/* Of rooms and of a fork, before and after a restart; algebraic where the file declares that, else coordinates. */
static void a_move_has_the_same_text_wherever_it_is_told(void **state)
{
    static const char *const games[] = {"chess", "hops", "places"};
    (void)state;
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        struct stage stage;
        struct game_seen game = {.plies = 0}, fork = {.plies = 0};
        stage_init(&stage);
        stage_play(&stage, "ada: connects\nada: auth -> welcome\n");
        say(&stage, "\"type\":\"create\",\"game\":\"%s\"", games[i]);
        stage_play(&stage, "ada hears: ack 1\n");
        play(&stage, &game, 120, 3);
        expect_texts_everywhere(&stage, &game, 0);
        int begun = game.plies / 2;
        take_a_breath(&stage);
        say(&stage, "\"type\":\"create\",\"fork\":{\"room\":\"%s\",\"ply\":%d}", game.room, begun);
        stage_play(&stage, "ada hears: ack 1\n");
        play(&stage, &fork, begun + 8, 3);
        expect_texts_everywhere(&stage, &fork, begun);
        come_back(&stage);
        expect_texts_everywhere(&stage, &game, 0);
        expect_texts_everywhere(&stage, &fork, begun);
        stage_release(&stage);
    }
}

static void texts_are_the_games_own(void **state)
{
    static const char *const texts[] = {"f3", "e5", "g4", "Qh4#"};
    (void)state;
    struct stage stage;
    stage_init(&stage);
    stage_play(&stage,
               "ada: connects\nada: auth -> welcome\nada: create chess -> ack 1\n"
               "ada: join all -> ack 2; snapshot 2 all moves\n"
               "ada: move f2 f3 -> ack 3; moved 3 moves\nada: move e7 e5 -> ack 4; moved 4 moves\n"
               "ada: move g2 g4 -> ack 5; moved 5 moves\nada: move d8 h4 -> ack 6; moved 6\n");
    say(&stage, "\"type\":\"history\",\"room\":\"%s\",\"moves\":true", stage.room);
    json_t *answer = stage_last(&stage, "ada", "history");
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(json_string_value(json_object_get(
                                json_array_get(json_object_get(answer, "moves"), i), "text")),
                            texts[i]);
    json_decref(answer);
    /* and what the last move ended cannot be gone on with */
    stage_play(
        &stage,
        "ada hears: plies 0 4 4\nada: fork 4 -> game_over\nada: fork 5 -> bad_message\n"
        "ada: ply 4 -> ply 4 6\nada: fork 3 -> ack 1\nada: join white -> ack 2; snapshot 2 white\n"
        "ada: ply 3 -> ply 3 2\nada: join black -> ack 3; snapshot 3 all moves\n"
        "ada: ply 3 -> ply 3 3\nada: ply 2 -> ply 2 1\nada: move d8 h4 -> ack 4; moved 4\n"
        "crash:\nada: connects\nada: auth -> welcome\nada: ply 4 -> ply 4 4\nada: ply 3 -> ply 3 "
        "3\n");
    stage_release(&stage);
}

/* clang-format off */
static const struct act {
    const char *name, *script;
} acts[] = {
    {"a state after a ply says nothing of what came after it",
     "ada: connects\n" "ada: auth -> welcome\n" "ada: create two -> ack 1\n" "ada: ply 0 -> ply 0 1\n" "ada: ply 1 -> bad_message\n"
     "ada: join all -> ack 2; snapshot 2 all moves\n" "ada: ply 0 -> ply 0 2\n"
     "ada: chat hello -> ack 3; chat 3 moves\n" "ada: ply 0 -> ply 0 2\n"
     "ada: move 0_0 0_1 -> ack 4; moved 4 moves\n" "ada: draw.offer -> ack 5; draw_offered 5 moves\n"
     "ada: ply 1 -> ply 1 4\n" "ada: resign -> ack 6; resigned 6\n" "ada: ply 1 -> ply 1 4\n"
     "ada: fork 1 -> ack 1\n" "ada: join all -> ack 2; snapshot 2 all moves\n" "ada: move 1_0 1_1 -> ack 3; moved 3 moves\n"},
    {"a fork is refused in words when there is no such room or ply",
     "ada: connects\n" "ada: {\"type\":\"create\",\"id\":\"k\",\"fork\":{\"room\":\"abcdefgh\",\"ply\":0}} -> unauthenticated\n"
     "ada: auth -> welcome\n"
     "ada: {\"type\":\"create\",\"id\":\"k\",\"fork\":{\"room\":\"abcdefgh\",\"ply\":0}} -> unknown_room\n"
     "ada: {\"type\":\"create\",\"id\":\"k\",\"fork\":{\"room\":\"abc\",\"ply\":0}} -> unknown_room\n"
     "ada: create two -> ack 1\n" "ada: fork 1 -> bad_message\n" "ada: fork 0 -> ack 1\n"},
    {"a fork sent again is the same room, also after a restart",
     "ada: connects\n" "ada: auth -> welcome\n" "ada: create two -> ack 1\n" "ada: join all -> ack 2; snapshot 2 all moves\n"
     "ada: move 0_0 0_1 -> ack 3; moved 3 moves\n"
     "ada: {\"type\":\"create\",\"id\":\"f\",\"fork\":{\"room\":\"$R\",\"ply\":1}} -> ack 1\n"
     "crash:\n" "ada: connects\n" "ada: auth -> welcome\n" "ada: join all -> ack 2; snapshot 2 all moves\n"
     "ada: {\"type\":\"create\",\"id\":\"f\",\"fork\":{\"room\":\"$R\",\"ply\":1}} -> ack 1\n" "ada: ply 1 -> ply 1 2\n"},
};
/* clang-format on */

static void run_act(void **state)
{
    const struct act *act = *state;
    struct stage stage;
    stage_init_small(&stage);
    stage_play(&stage, act->script);
    stage_release(&stage);
}

/* The state that `history` shows of a ply, as text; the caller's. */
static char *state_text(struct stage *stage, int ply)
{
    say(stage, "\"type\":\"history\",\"room\":\"%s\",\"ply\":%d", stage->room, ply);
    json_t *answer = stage_last(stage, "ada", "history");
    char *text = json_dumps(json_object_get(answer, "state"), JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(answer);
    return text;
}

static void who_held_a_seat_then_is_shown_then(void **state)
{
    (void)state;
    struct stage stage;
    stage_init_small(&stage);
    stage_play(&stage, "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n"
                       "ada: join all Ada -> ack 2; snapshot 2 all moves\n"
                       "ada: move 0_0 0_1 -> ack 3; moved 3 moves\n");
    char *before[2] = {state_text(&stage, 0), state_text(&stage, 1)};
    stage_play(&stage,
               "ada hears: ply 1 3\nada: seat_key -> seat_key 4 key; seat_key 4 moves\n"
               "eve: connects\neve: auth -> welcome\neve: take Eve -> ack 5; snapshot 5 all moves\n"
               "eve: move 1_0 1_1 -> ack 6; moved 6 moves\n");
    for (int round = 0; round < 2; round++) {
        stage_crash(&stage);
        stage_start(&stage);
        stage_play(&stage, "ada: connects\nada: auth -> welcome\n");
        for (int ply = 0; ply < 2; ply++) {
            char *after = state_text(&stage, ply);
            assert_string_equal(after, before[ply]);
            free(after);
        }
        char *last = state_text(&stage, 2);
        assert_non_null(strstr(last, "\"name\":\"Eve\""));
        free(last);
    }
    free(before[0]);
    free(before[1]);
    stage_release(&stage);
}

static void a_rematch_knows_who_sat_there_from_the_start(void **state)
{
    (void)state;
    struct stage stage;
    stage_init_small(&stage);
    stage_play(
        &stage,
        "ada: connects\nada: auth -> welcome\nada: create two -> ack 1\n"
        "ada: join all Ada -> ack 2; snapshot 2 all moves\n"
        "ada: resign -> ack 3; resigned 3\nada: rematch.offer -> ack 4; rematch_offered 4\n");
    say(&stage, "\"type\":\"action\",\"kind\":\"rematch.accept\",\"room\":\"%s\"", stage.room);
    json_t *rematch = stage_last(&stage, "ada", "event");
    char next[24];
    snprintf(next, sizeof next, "%s", json_string_value(json_object_get(rematch, "next_room")));
    json_decref(rematch);
    stage_play(&stage, "ada hears: ack 5; rematch 5\n");
    memcpy(stage.room, next, sizeof next);
    char *before = state_text(&stage, 0);
    assert_non_null(strstr(before, "\"name\":\"Ada\""));
    stage_play(&stage,
               "ada hears: ply 0 1\nada: resume 0 -> ack 1 snapshot; snapshot 1 all moves\n"
               "ada: seat_key -> seat_key 2 key; seat_key 2 moves\n"
               "eve: connects\neve: auth -> welcome\neve: take Eve -> ack 3; snapshot 3 all moves\n"
               "eve: move 0_0 0_1 -> ack 4; moved 4 moves\n");
    come_back(&stage);
    char *after = state_text(&stage, 0);
    assert_string_equal(after, before);
    free(before);
    free(after);
    stage_release(&stage);
}

/* A game whose every move takes a tenth of an answer is never more than five of them from what is kept. */
static void expect_dear_moves_are_kept_closer(struct position *position, struct position *again)
{
    struct past past;
    past_init(&past);
    for (int ply = 1; ply <= 200; ply++)
        past_note(&past, position, ply, WORK_ANSWER_MAX / 10);
    for (int ply = 0; ply <= 200; ply++)
        assert_in_range(past_restore(&past, again, ply), ply < 5 ? 0 : ply - 4, ply);
    past_release(&past);
}

static void what_is_kept_of_the_past_is_bounded(void **state)
{
    (void)state;
    size_t length;
    char *text = test_read_file("games/chess.json", &length);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    struct game *game = game_load(text, length, NULL, &diagnostics);
    struct position *position = position_new(game), *again = position_new(game);
    struct past past;
    expect_dear_moves_are_kept_closer(position, again);
    past_init(&past);
    int plies = (PAST_BYTES_MAX / (int)position_saved_bytes(position) + 10) * PAST_INTERVAL;
    for (int ply = 1; ply <= plies; ply++) {
        past_note(&past, position, ply, 100);
        assert_true(past.bytes <= PAST_BYTES_MAX);
    }
    assert_int_equal(past.interval, 2 * PAST_INTERVAL);
    for (int ply = 0; ply <= plies; ply += 33) {
        int restored = past_restore(&past, again, ply);
        assert_true(restored <= ply && ply - restored < 2 * PAST_INTERVAL);
        assert_true(position_equal(position, again));
    }
    past_release(&past);
    position_free(position);
    position_free(again);
    game_release(game);
    diagnostics_release(&diagnostics);
    free(text);
}

int main(void)
{
    enum { ACTS = sizeof acts / sizeof *acts };
    static const struct CMUnitTest fixed[] = {
        cmocka_unit_test(every_ply_of_chess_is_as_it_was_seen_also_after_a_restart),
        cmocka_unit_test(turns_of_several_moves_and_passes_have_a_ply_each),
        cmocka_unit_test(a_game_of_places_has_its_plies_up_to_the_end),
        cmocka_unit_test(a_fork_begins_where_the_other_room_was_and_goes_its_own_way),
        cmocka_unit_test(moves_are_listed_with_their_texts_two_hundred_at_a_time),
        cmocka_unit_test(a_page_of_a_dear_game_is_short_and_the_next_goes_on),
        cmocka_unit_test(a_move_has_the_same_text_wherever_it_is_told),
        cmocka_unit_test(texts_are_the_games_own),
        cmocka_unit_test(who_held_a_seat_then_is_shown_then),
        cmocka_unit_test(a_rematch_knows_who_sat_there_from_the_start),
        cmocka_unit_test(what_is_kept_of_the_past_is_bounded),
    };
    enum { FIXED = sizeof fixed / sizeof *fixed };
    static struct CMUnitTest tests[FIXED + ACTS];
    memcpy(tests, fixed, sizeof fixed);
    for (size_t i = 0; i < ACTS; i++)
        tests[FIXED + i] = (struct CMUnitTest){.name = acts[i].name,
                                               .test_func = run_act,
                                               .initial_state = (void *)(uintptr_t)&acts[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
