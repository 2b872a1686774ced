/* Games of connection, played out: small boards of hex are won by who begins, and with the pie rule by the other one. The
 * boards are games/hex.json with other cells. */
#include "tests/support/test.h"

#include "tests/engine/games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 20, PLIES_OF_HEX = 25 + 1 /* a swap */ };

/* What is known of positions: whether who is to move wins. */
struct known {
    uint64_t hash; /* 0: nothing */
    bool wins;
};

struct search {
    struct position *position;
    struct undo *undo[PLIES_OF_HEX];
    struct known *known;
};

static bool wins(const struct search *search, int depth);

static bool has_winning_move(const struct search *search, int depth)
{
    struct move moves[PLIES_OF_HEX];
    int count = movegen_all(search->position, moves);
    assert_true(count > 0); /* there are no draws: a full board has a chain */
    for (int i = 0; i < count; i++) {
        struct move move = moves[(i + count / 2) % count]; /* those in the middle are the best */
        position_make(search->position, move, search->undo[depth]);
        bool won = position_outcome(search->position).kind == OUTCOME_WON;
        won = won || !wins(search, depth + 1);
        position_unmake(search->position, search->undo[depth]);
        if (won)
            return true;
    }
    return false;
}

static bool wins(const struct search *search, int depth)
{
    uint64_t hash = position_hash(search->position) | 1;
    struct known *known = &search->known[hash / 2 % SLOTS];
    if (known->hash == hash)
        return known->wins;
    bool won = has_winning_move(search, depth);
    *known = (struct known){hash, won};
    return won;
}

/* Whether who begins wins on a board of so many rows; after a first move, if there is one. */
static bool first_player_wins(int size, const char *first, bool pie)
{
    char text[512];
    snprintf(
        text, sizeof text,
        "{\"extends\":\"hex\",\"name\":\"small\",\"tests\":null,\"board\":{\"cells\":{\"box\":"
        "{\"x\":%d,"
        "\"y\":%d}}},\"pie\":%s,\"zones\":{\"far\":{\"red\":\"y == %d\",\"blue\":\"x == %d\"}}}",
        size, size, pie ? "true" : "false", size - 1, size - 1);
    struct game *game = games_load_text(text, NULL);
    struct search search = {.position = position_new(game),
                            .known = calloc(SLOTS, sizeof *search.known)};
    assert_non_null(search.position);
    assert_non_null(search.known);
    for (int i = 0; i < PLIES_OF_HEX; i++)
        search.undo[i] = undo_new(game);
    bool won;
    if (first != NULL) {
        cell_index cell = game_find_cell(game, first, strlen(first));
        struct move move;
        assert_true(movegen_find(search.position, CELL_NONE, cell, CHOICE_NONE, &move));
        position_make(search.position, move, search.undo[0]);
        won = !wins(&search, 1);
    } else {
        won = wins(&search, 0);
    }
    for (int i = 0; i < PLIES_OF_HEX; i++)
        undo_free(search.undo[i]);
    position_free(search.position);
    game_release(game);
    free(search.known);
    return won;
}

static void who_begins_wins_small_hex(void **state)
{
    (void)state;
    for (int size = 1; size <= 4; size++)
        assert_true(first_player_wins(size, NULL, false));
}

/* Whatever the first stone is good for, the other player may have it. */
static void with_the_pie_rule_the_other_player_wins(void **state)
{
    (void)state;
    for (int size = 2; size <= 4; size++)
        assert_false(first_player_wins(size, NULL, true));
    assert_false(first_player_wins(3, "b2", true));
    assert_false(first_player_wins(3, "a1", true));
}

/* A program written for hex alone says the same. */
static void first_moves_of_small_hex_win_or_lose_as_is_known(void **state)
{
    (void)state;
    static const char *const rows[3][3] = {
        {"a1", "b1", "c1"}, {"a2", "b2", "c2"}, {"a3", "b3", "c3"}};
    static const char should[3][4] = {"--w", "www", "w--"};
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            assert_int_equal(first_player_wins(3, rows[row][column], false),
                             should[row][column] == 'w');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_begins_wins_small_hex),
        cmocka_unit_test(with_the_pie_rule_the_other_player_wins),
        cmocka_unit_test(first_moves_of_small_hex_win_or_lose_as_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
