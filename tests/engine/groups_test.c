/* Groups against numbers that are known: so many positions of go have no group without liberties. */
#include "tests/support/test.h"

#include "tests/engine/games.h"

#include <stdio.h>
#include <string.h>

/* How many positions of a board of go have no group without liberties, of all there can be. */
static int count_legal_positions(int size)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{\"format\":2,\"name\":\"go\",\"players\":[\"black\",\"white\"],\"cell\":{"
             "\"coordinates_names\":[\"x\",\"y\"],"
             "\"geometry\":[[0,0],[1,0],[1,1]],\"position\":{\"x\":\"x\",\"y\":\"y\"}},\"board\":{"
             "\"cells\":{\"box\":{\"x\":%d,"
             "\"y\":%d}},\"neighbours\":[{\"x\":1,\"symmetric\":\"all\"}]},\"figures\":{\"stone\":{"
             "\"movement\":[]}},"
             "\"place\":[{\"put\":\"stone\"}],\"turns\":[\"black\",\"white\"],\"results\":[{\"if\":"
             "{\"count\":{\"cells\":\"groups\","
             "\"liberties\":0}},\"result\":\"draw\",\"reason\":\"illegal\"},{\"if\":{\"count\":{"
             "\"is\":{\"exists\":true}}},"
             "\"result\":\"draw\",\"reason\":\"legal\"}]}",
             size, size);
    struct game *game = games_load_text(text, NULL);
    struct position *position = position_new(game);
    int cells = size * size, all = 1, legal = 0;
    state_index state = position_state(position);
    for (int i = 0; i < cells; i++)
        all *= 3;
    for (int number = 0; number < all; number++) {
        position_clear(position);
        for (int cell = 0, left = number; cell < cells; cell++, left /= 3)
            if (left % 3 != 0)
                position_put(position, (cell_index)cell,
                             (struct contents){.player = (player_index)(left % 3 - 1)});
        assert_true(position_set_turn(position, state, 1));
        legal += strcmp(position_outcome(position).reason, "legal") == 0;
    }
    position_free(position);
    game_release(game);
    return legal;
}

/* oeis.org/A094777 */
static void small_boards_of_go_have_so_many_legal_positions(void **state)
{
    (void)state;
    assert_int_equal(count_legal_positions(1), 1);
    assert_int_equal(count_legal_positions(2), 57);
    assert_int_equal(count_legal_positions(3), 12675);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_boards_of_go_have_so_many_legal_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
