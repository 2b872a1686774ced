/* Ratings on both databases: which games wait to count, in which order they have, what they did to whom, and who leads. */
#include "tests/support/test.h"

#include "tests/server/store_support.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char blitz[] = "chess/blitz", rapid[] = "chess/rapid", draughts[] = "checkers/blitz";
static const int64_t day_ms = INT64_C(86400000);
static const int64_t ended_ms = 1700000000000;

/* --- games that are over ---------------------------------------------------------------------- */

static void create(struct store_bed *bed, const char *room, const char *ladder)
{
    struct store_request request = store_creation(room, "p_a", room);
    request.writes[0].room.status = STORE_PLAYING;
    request.writes[0].room.ladder = ladder;
    request.writes[0].room.due_at_ms = ended_ms; /* as of every room with clocks */
    assert_int_equal(store_do(bed, &request), STORE_OK);
}

static void end(struct store_bed *bed, const char *room)
{
    struct store_request request = store_continuation(room, 1, "p_a", "", "{}");
    store_turns(&request, STORE_FINISHED);
    assert_int_equal(store_do(bed, &request), STORE_OK);
}

static void play(struct store_bed *bed, const char *room, const char *ladder)
{
    create(bed, room, ladder);
    end(bed, room);
}

/* On SQLite a room goes whose events are folded, as they are when the store is closed. */
static void remove_room(struct store_bed *bed, const char *room)
{
    store_bed_reopen(bed);
    const struct store_request request = {
        .ask = STORE_REMOVE, .room = room, .from = store_version(bed, room)};
    assert_int_equal(store_do(bed, &request), STORE_OK);
}

static struct store_answer ask_waiting(struct store_bed *bed, int64_t after_ms, const char *after,
                                       int64_t most)
{
    const struct store_request request = {
        .ask = STORE_RATABLE, .from = after_ms, .room = after, .to = most};
    struct store_answer answer = store_perform(bed, &request);
    assert_int_equal(answer.status, STORE_OK);
    return answer;
}

/* `rooms`: their names with spaces between, in the order in which they are to come. Asked for in pages of that size. */
static void expect_waiting(struct store_bed *bed, const char *rooms, int page)
{
    char found[512] = "", after[STORE_ROOM_BYTES + 1] = "";
    int64_t after_ms = 0;
    int count = page;
    while (count == page) {
        struct store_answer answer = ask_waiting(bed, after_ms, after, page);
        count = answer.rated_count;
        for (int i = 0; i < count; i++) {
            const struct store_rated_game *game = &answer.rated[i];
            size_t length = strlen(found);
            assert_true(game->ended_at_ms >= after_ms);
            snprintf(found + length, sizeof found - length, "%s%s", length > 0 ? " " : "",
                     game->room);
            after_ms = game->ended_at_ms;
            snprintf(after, sizeof after, "%s", game->room);
        }
        store_answer_release(&answer);
    }
    assert_string_equal(found, rooms);
}

/* When the room's game ended that waits to count. */
static int64_t end_of(struct store_bed *bed, const char *room)
{
    struct store_answer answer = ask_waiting(bed, 0, "", STORE_RATED_MAX);
    int64_t found_ms = 0;
    for (int i = 0; i < answer.rated_count; i++)
        if (strcmp(answer.rated[i].room, room) == 0)
            found_ms = answer.rated[i].ended_at_ms;
    store_answer_release(&answer);
    assert_true(found_ms > 0);
    return found_ms;
}

/* Of those that end in the same millisecond the name decides, so that one is waited for that ends later. */
static void let_time_pass(struct store_bed *bed, const char *since)
{
    int64_t then_ms = end_of(bed, since), now_ms = then_ms;
    for (int i = 0; now_ms <= then_ms; i++) {
        char room[STORE_ROOM_BYTES + 1];
        snprintf(room, sizeof room, "clock%d", i);
        play(bed, room, blitz);
        now_ms = end_of(bed, room);
        remove_room(bed, room);
    }
}

static void a_rated_game_waits_from_its_end_on(struct store_bed *bed)
{
    create(bed, "z", blitz);
    play(bed, "plain", NULL);
    expect_waiting(bed, "", 10);
    end(bed, "z");
    expect_waiting(bed, "z", 10);
    let_time_pass(bed, "z");
    play(bed, "a", rapid);
    expect_waiting(bed, "z a", 10);
    store_bed_reopen(bed);
    expect_waiting(bed, "z a", 1);

    struct store_answer answer = ask_waiting(bed, 0, "", 10);
    assert_string_equal(answer.rated[0].ladder, blitz);
    assert_string_equal(answer.rated[1].ladder, rapid);
    assert_int_equal(answer.rated[0].number, 0);
    store_answer_release(&answer);

    remove_room(bed, "z");
    expect_waiting(bed, "a", 10);
}

/* --- what they come to ------------------------------------------------------------------------ */

/* A player's side of a game: who, with how many games before, comes to which rating. */
static struct store_rated_side side_of(const char *player, int64_t games_before, int64_t rating)
{
    struct store_rated_side side = {
        .score = 1, .before = {150000, 35000, 60000}, .games_before = games_before, .idle_ms = 77};
    side.after = (struct store_rating){.strength = {rating, 9000, 59999},
                                       .games = games_before + 1,
                                       .won = games_before,
                                       .drawn = 1,
                                       .rated_at_ms = ended_ms,
                                       .sure_until_ms = ended_ms + day_ms};
    snprintf(side.after.player, sizeof side.after.player, "%s", player);
    snprintf(side.after.name, sizeof side.after.name, "%.40s ♟", player);
    return side;
}

static struct store_rated_game game_of(const char *room, const char *ladder,
                                       struct store_rated_side one, struct store_rated_side other)
{
    struct store_rated_game game = {
        .ended_at_ms = ended_ms, .side_count = STORE_SIDES_MAX, .sides = {one, other}};
    snprintf(game.room, sizeof game.room, "%s", room);
    snprintf(game.ladder, sizeof game.ladder, "%s", ladder);
    return game;
}

static enum store_status rate(struct store_bed *bed, const struct store_rated_game *game)
{
    const struct store_request request = {.ask = STORE_RATE, .rated = game};
    return store_do(bed, &request);
}

/* Of two who have not played before. */
static void count(struct store_bed *bed, const char *room, const char *ladder,
                  struct store_rated_side one, struct store_rated_side other)
{
    const struct store_rated_game game = game_of(room, ladder, one, other);
    play(bed, room, ladder);
    assert_int_equal(rate(bed, &game), STORE_OK);
}

static struct store_answer ask_rating(struct store_bed *bed, const char *ladder, const char *player)
{
    struct store_rated_game wanted = {.side_count = 1};
    snprintf(wanted.ladder, sizeof wanted.ladder, "%s", ladder);
    snprintf(wanted.sides[0].after.player, sizeof wanted.sides[0].after.player, "%s", player);
    const struct store_request request = {.ask = STORE_RATINGS, .rated = &wanted};
    struct store_answer answer = store_perform(bed, &request);
    assert_int_equal(answer.status, STORE_OK);
    return answer;
}

/* 0 games: there is no rating. */
static void expect_rating(struct store_bed *bed, const char *ladder, const char *player,
                          int64_t games, int64_t rating)
{
    struct store_answer answer = ask_rating(bed, ladder, player);
    assert_int_equal(answer.rating_count, games > 0);
    if (games > 0) {
        const struct store_rating *found = &answer.ratings[0];
        assert_string_equal(found->ladder, ladder);
        assert_string_equal(found->player, player);
        assert_int_equal(found->games, games);
        assert_int_equal(found->strength.rating, rating);
    }
    store_answer_release(&answer);
}

static void what_a_game_came_to_is_kept(struct store_bed *bed)
{
    struct store_rated_side one = side_of("p_one", 0, 166200);
    one.score = 2;
    one.after.bot = true;
    count(bed, "r", blitz, one, side_of("p_two", 0, -12));
    store_bed_reopen(bed);
    expect_waiting(bed, "", 10);

    struct store_answer answer = ask_rating(bed, blitz, "p_one");
    assert_int_equal(answer.rating_count, 1);
    const struct store_rating *rating = &answer.ratings[0];
    assert_string_equal(rating->name, "p_one ♟");
    assert_true(rating->bot);
    assert_int_equal(rating->strength.rating, 166200);
    assert_int_equal(rating->strength.deviation, 9000);
    assert_int_equal(rating->strength.volatility, 59999);
    assert_int_equal(rating->games, 1);
    assert_int_equal(rating->won, 0);
    assert_int_equal(rating->drawn, 1);
    assert_int_equal(rating->rated_at_ms, ended_ms);
    assert_int_equal(rating->sure_until_ms, ended_ms + day_ms);
    store_answer_release(&answer);
    expect_rating(bed, blitz, "p_two", 1, -12);
    expect_rating(bed, rapid, "p_one", 0, 0);
    expect_rating(bed, blitz, "p_three", 0, 0);

    const struct store_request question = {.ask = STORE_RATED, .to = 10};
    answer = store_perform(bed, &question);
    assert_int_equal(answer.rated_count, 1);
    const struct store_rated_game *game = &answer.rated[0];
    assert_int_equal(game->number, 1);
    assert_string_equal(game->room, "r");
    assert_string_equal(game->ladder, blitz);
    assert_int_equal(game->side_count, 2);
    assert_string_equal(game->sides[0].after.player, "p_one");
    assert_int_equal(game->sides[0].score, 2);
    assert_int_equal(game->sides[0].before.rating, 150000);
    assert_int_equal(game->sides[0].before.deviation, 35000);
    assert_int_equal(game->sides[0].before.volatility, 60000);
    assert_int_equal(game->sides[0].idle_ms, 77);
    assert_int_equal(game->sides[0].after.strength.rating, 166200);
    assert_string_equal(game->sides[1].after.player, "p_two");
    assert_int_equal(game->sides[1].after.strength.rating, -12);
    store_answer_release(&answer);
}

static void a_game_counts_once_and_only_from_where_its_players_are(struct store_bed *bed)
{
    struct store_rated_game game =
        game_of("r", blitz, side_of("p_one", 0, 160000), side_of("p_two", 0, 140000));
    assert_int_equal(rate(bed, &game), STORE_CONFLICT); /* there is no such room */
    create(bed, "r", blitz);
    assert_int_equal(rate(bed, &game), STORE_CONFLICT); /* it is not over */
    end(bed, "r");
    assert_int_equal(rate(bed, &game), STORE_OK);
    assert_int_equal(rate(bed, &game), STORE_CONFLICT);
    play(bed, "s", blitz);
    game = game_of("s", blitz, side_of("p_one", 1, 170000), side_of("p_two", 0, 130000));
    assert_int_equal(rate(bed, &game), STORE_CONFLICT);
    expect_rating(bed, blitz, "p_one", 1, 160000);
    expect_waiting(bed, "s", 10);
    game = game_of("s", blitz, side_of("p_one", 1, 170000), side_of("p_two", 1, 130000));
    assert_int_equal(rate(bed, &game), STORE_OK);
    expect_rating(bed, blitz, "p_one", 2, 170000);
    expect_rating(bed, blitz, "p_two", 2, 130000);

    /* One that does not count after all. */
    play(bed, "t", blitz);
    game = game_of("t", blitz, side_of("", 0, 0), side_of("", 0, 0));
    game.side_count = 0;
    assert_int_equal(rate(bed, &game), STORE_OK);
    assert_int_equal(rate(bed, &game), STORE_CONFLICT);
    expect_waiting(bed, "", 10);

    /* What has counted outlives its room. */
    remove_room(bed, "r");
    expect_rating(bed, blitz, "p_one", 2, 170000);
}

static void a_rating_goes_along_with_a_seat(struct store_bed *bed)
{
    count(bed, "r", blitz, side_of("p_old", 0, 160000), side_of("p_two", 0, 140000));
    struct store_rated_side taken = side_of("p_new", 1, 165000);
    snprintf(taken.taken_from, sizeof taken.taken_from, "p_old");
    count(bed, "s", blitz, taken, side_of("p_two", 1, 135000));
    expect_rating(bed, blitz, "p_old", 0, 0);
    expect_rating(bed, blitz, "p_new", 2, 165000);
    store_bed_reopen(bed);
    const struct store_request question = {.ask = STORE_RATED, .from = 1, .to = 10};
    struct store_answer answer = store_perform(bed, &question);
    assert_int_equal(answer.rated_count, 1);
    assert_string_equal(answer.rated[0].sides[0].taken_from, "p_old");
    assert_string_equal(answer.rated[0].sides[1].taken_from, "");
    store_answer_release(&answer);

    /* Not to somebody who has one of his own. */
    play(bed, "t", blitz);
    taken = side_of("p_two", 2, 1);
    snprintf(taken.taken_from, sizeof taken.taken_from, "p_new");
    const struct store_rated_game game = game_of("t", blitz, taken, side_of("p_four", 0, 1));
    assert_int_equal(rate(bed, &game), STORE_CONFLICT);
    expect_rating(bed, blitz, "p_new", 2, 165000);
}

static void who_has_not_played_for_two_years_is_forgotten(struct store_bed *bed)
{
    count(bed, "r", blitz, side_of("p_one", 0, 160000), side_of("p_two", 0, 140000));
    struct store_rated_side one = side_of("p_3", 0, 1), other = side_of("p_4", 0, 2);
    struct store_rated_game game = game_of("s", rapid, one, other);
    game.ended_at_ms += STORE_RATING_KEPT_DAYS * day_ms;
    game.sides[0].after.rated_at_ms = game.sides[1].after.rated_at_ms = game.ended_at_ms;
    play(bed, "s", rapid);
    assert_int_equal(rate(bed, &game), STORE_OK);
    expect_rating(bed, blitz, "p_one", 1, 160000);
    game.ended_at_ms += 1;
    snprintf(game.room, sizeof game.room, "t");
    game.sides[0] = side_of("p_3", 1, 3);
    game.sides[1] = side_of("p_4", 1, 4);
    game.sides[0].after.rated_at_ms = game.sides[1].after.rated_at_ms = game.ended_at_ms;
    play(bed, "t", rapid);
    assert_int_equal(rate(bed, &game), STORE_OK);
    expect_rating(bed, blitz, "p_one", 0, 0);
    expect_rating(bed, blitz, "p_two", 0, 0);
    expect_rating(bed, rapid, "p_3", 2, 3);
}

/* --- many ------------------------------------------------------------------------------------- */

enum { PAIRS = 150, PLAYERS = 2 * PAIRS }; /* more games, and more ratings, than an answer holds */

/* The better a player, the later its name; every seventh is not sure any more, and some are as good as the next one. */
static struct store_rated_side player_of_many(int number)
{
    char name[STORE_PLAYER_BYTES + 1];
    snprintf(name, sizeof name, "p_%03d", number);
    struct store_rated_side side = side_of(name, 0, 100000 + number / 2 * 2);
    if (number % 7 == 0)
        side.after.sure_until_ms = ended_ms - 1;
    return side;
}

static void play_many(struct store_bed *bed)
{
    for (int i = 0; i < PAIRS; i++) {
        char room[STORE_ROOM_BYTES + 1];
        snprintf(room, sizeof room, "r%d", i);
        count(bed, room, blitz, player_of_many(2 * i), player_of_many(2 * i + 1));
    }
    /* Who would lead here leads elsewhere only. */
    count(bed, "rapid", rapid, side_of("p_000", 0, 300000), side_of("p_x", 0, 200000));
    count(bed, "draughts", draughts, side_of("p_y", 0, 310000), side_of("p_000", 0, 290000));
}

static struct store_answer ask_leaders(struct store_bed *bed, const char *ladder, int64_t at_ms,
                                       int64_t most)
{
    struct store_rated_game wanted = {.side_count = 0};
    snprintf(wanted.ladder, sizeof wanted.ladder, "%s", ladder);
    const struct store_request request = {
        .ask = STORE_LEADERS, .rated = &wanted, .from = at_ms, .to = most};
    struct store_answer answer = store_perform(bed, &request);
    assert_int_equal(answer.status, STORE_OK);
    return answer;
}

/* The next one below that number who is sure: of two who are as good as each other the first by name is first. */
static int next_leader(int number)
{
    do
        number = number % 2 == 0 ? number + 1 : number - 3;
    while (number % 7 == 0);
    return number;
}

static void expect_leaders(struct store_bed *bed, int64_t most, int count)
{
    struct store_answer answer = ask_leaders(bed, blitz, ended_ms, most);
    int number = PLAYERS + 1;
    assert_int_equal(answer.rating_count, count);
    for (int i = 0; i < count; i++) {
        number = next_leader(number);
        const struct store_rated_side expected = player_of_many(number);
        assert_string_equal(answer.ratings[i].player, expected.after.player);
        assert_int_equal(answer.ratings[i].strength.rating, expected.after.strength.rating);
        assert_string_equal(answer.ratings[i].ladder, blitz);
    }
    store_answer_release(&answer);
}

static void expect_leader(struct store_bed *bed, const char *ladder, int64_t at_ms, int count,
                          const char *player)
{
    struct store_answer answer = ask_leaders(bed, ladder, at_ms, 50);
    assert_int_equal(answer.rating_count, count);
    if (count > 0)
        assert_string_equal(answer.ratings[0].player, player);
    store_answer_release(&answer);
}

static void the_best_lead_who_are_sure(struct store_bed *bed)
{
    play_many(bed);
    expect_leaders(bed, 50, 50);
    expect_leaders(bed, 1, 1);
    store_bed_reopen(bed);
    expect_leaders(bed, STORE_RATED_MAX, STORE_RATED_MAX);
    expect_leaders(bed, STORE_RATED_MAX + 1, STORE_RATED_MAX);
    expect_leader(bed, rapid, ended_ms, 2, "p_000");
    expect_leader(bed, draughts, ended_ms, 2, "p_y");
    expect_leader(bed, "chess/bullet", ended_ms, 0, NULL);
    expect_leader(bed, rapid, ended_ms + day_ms - 1, 2, "p_000");
    expect_leader(bed, rapid, ended_ms + day_ms, 0, NULL);
}

static void games_are_told_in_the_order_in_which_they_have_counted(struct store_bed *bed)
{
    play_many(bed);
    int64_t last = 0;
    int count = STORE_RATED_MAX;
    while (count == STORE_RATED_MAX) {
        const struct store_request request = {
            .ask = STORE_RATED, .from = last, .to = STORE_RATED_MAX};
        struct store_answer answer = store_perform(bed, &request);
        assert_int_equal(answer.status, STORE_OK);
        count = answer.rated_count;
        for (int i = 0; i < count; i++) {
            const struct store_rated_game *game = &answer.rated[i];
            char room[STORE_ROOM_BYTES + 1];
            snprintf(room, sizeof room, "r%" PRId64, last);
            assert_int_equal(game->number, ++last);
            assert_int_equal(game->side_count, 2);
            if (last > PAIRS)
                continue;
            const struct store_rated_side second = player_of_many((int)(2 * last - 1));
            assert_string_equal(game->room, room);
            assert_string_equal(game->sides[1].after.player, second.after.player);
        }
        store_answer_release(&answer);
    }
    assert_int_equal(last, PAIRS + 2);
}

static void all_ratings_are_told_page_by_page(struct store_bed *bed)
{
    play_many(bed);
    struct store_rated_game after = {.side_count = 0};
    int count = STORE_RATED_MAX, told = 0;
    while (count == STORE_RATED_MAX) {
        const struct store_request request = {.ask = STORE_STANDINGS, .rated = &after};
        struct store_answer answer = store_perform(bed, &request);
        assert_int_equal(answer.status, STORE_OK);
        count = answer.rating_count;
        for (int i = 0; i < count; i++) {
            const struct store_rating *rating = &answer.ratings[i];
            int ladders = strcmp(rating->ladder, after.ladder);
            assert_true(ladders > 0 || (ladders == 0 && strcmp(rating->player, after.room) > 0));
            memcpy(after.ladder, rating->ladder, sizeof after.ladder);
            memcpy(after.room, rating->player, sizeof after.room);
        }
        told += count;
        store_answer_release(&answer);
    }
    assert_int_equal(told, PLAYERS + 4);
}

/* clang-format off */
static const struct store_case cases[] = {
    {"a rated game waits to count from its end on, the first that ended first, and goes with its room", a_rated_game_waits_from_its_end_on},
    {"what a game came to is kept, of it and of its players", what_a_game_came_to_is_kept},
    {"a game counts once, and only if its players are where they were", a_game_counts_once_and_only_from_where_its_players_are},
    {"a rating goes along with a seat", a_rating_goes_along_with_a_seat},
    {"who has not played for two years is forgotten", who_has_not_played_for_two_years_is_forgotten},
    {"those lead who are sure, the best first, of one ladder", the_best_lead_who_are_sure},
    {"games are told in the order in which they have counted", games_are_told_in_the_order_in_which_they_have_counted},
    {"all ratings are told page by page", all_ratings_are_told_page_by_page},
};
/* clang-format on */

int main(void)
{
    return store_run_cases("store ratings", cases, (int)(sizeof cases / sizeof *cases));
}
