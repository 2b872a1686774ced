#include "engine/load/notation_reader.h"

#include <string.h>

/* --- lists of texts --------------------------------------------------------------------------- */

static const char *read_text(struct reader *reader, const struct node *node, size_t most)
{
    if (!reader_expect(reader, node, NODE_STRING))
        return NULL;
    return reader_text(reader, node, most, false);
}

static int read_texts(struct reader *reader, const struct node *list, size_t most,
                      const char *const **texts)
{
    if (!reader_expect_if_there(reader, list, NODE_LIST) ||
        !reader_expect_at_most(reader, list, most, "moves"))
        return 0;
    const char **read = reader_allocate(reader, node_count(list), sizeof *read);
    int count = 0;
    for (size_t i = 0; read != NULL && i < node_count(list); i++) {
        struct node element = node_element(list, i);
        const char *text = read_text(reader, &element, 4 * NAME_BYTES_MAX - 1);
        if (text != NULL)
            read[count++] = text;
    }
    *texts = read;
    return count;
}

static void read_illegal(struct reader *reader, const struct node *list, struct game_test *test)
{
    static const char *const keys[] = {"move", "because"};
    if (!reader_expect_if_there(reader, list, NODE_LIST) ||
        !reader_expect_at_most(reader, list, GAME_TEST_LIST_MAX, "moves"))
        return;
    struct illegal_text *illegal = reader_allocate(reader, node_count(list), sizeof *illegal);
    test->illegal = illegal;
    for (size_t i = 0; illegal != NULL && i < node_count(list); i++) {
        struct node element = node_element(list, i), move = element;
        struct illegal_text *text = &illegal[test->illegal_count];
        if (node_type(&element) == NODE_OBJECT) {
            struct node because = node_member(&element, "because");
            reader_check_keys(reader, &element, STRICT, keys, 2);
            text->because = reader_text(reader, &because, REASON_BYTES_MAX, false);
            move = node_member(&element, "move");
        }
        text->move = read_text(reader, &move, 4 * NAME_BYTES_MAX - 1);
        test->illegal_count += text->move != NULL;
    }
}

/* --- what is expected ------------------------------------------------------------------------- */

static void read_perft(struct reader *reader, const struct node *list, struct game_test *test)
{
    if (!reader_expect_if_there(reader, list, NODE_LIST) ||
        !reader_expect_at_most(reader, list, GAME_TEST_DEPTH_MAX, "depths"))
        return;
    for (size_t i = 0; i < node_count(list); i++) {
        struct node element = node_element(list, i);
        int nodes = 0;
        if (!reader_integer(reader, &element, 0, GAME_TEST_NODES_MAX, &nodes))
            return;
        test->perft[test->perft_count++] = (uint32_t)nodes;
    }
}

/* Whether the test is for as many players as play now; else its words are looked at, but not its names. */
static bool is_for_now(const struct reader *reader, const struct game_test *test)
{
    int now = reader->options != NULL ? reader->options->player_count : 0;
    return test->players == now;
}

static void read_winner(struct reader *reader, const struct node *node, struct game_test *test)
{
    test->result = EXPECT_WON;
    if (!is_for_now(reader, test)) {
        reader_expect(reader, node, NODE_STRING);
        return;
    }
    int player = reader_name(reader, node, NODE_VALUE, &reader->players);
    if (player >= 0)
        test->winner = (player_index)player;
}

static void read_result(struct reader *reader, const struct node *node, struct game_test *test)
{
    static const char *const keys[] = {"winner", "reason", "draw"};
    struct node winner = node_member(node, "winner"), draw = node_member(node, "draw");
    struct node reason = node_member(node, "reason");
    if (node_type(node) == NODE_STRING && strcmp(node_string(node), "playing") == 0) {
        test->result = EXPECT_PLAYING;
        return;
    }
    if (node_type(node) == NODE_STRING) {
        reader_error(reader, node, NODE_VALUE, "did you mean `playing`?", "no result `%s`",
                     text_quote(node_string(node)).text);
        return;
    }
    if (!reader_expect(reader, node, NODE_OBJECT))
        return;
    reader_check_keys(reader, node, STRICT, keys, 3);
    bool won = node_type(&winner) != NODE_ABSENT, drawn = node_type(&draw) != NODE_ABSENT;
    if (won == drawn) {
        reader_error(reader, node, NODE_VALUE, "", "a result has either a `winner` or is a `draw`");
        return;
    }
    if (won) {
        read_winner(reader, &winner, test);
        test->reason = reader_text(reader, &reason, REASON_BYTES_MAX, false);
        return;
    }
    test->result = EXPECT_DRAWN;
    if (node_type(&draw) != NODE_BOOLEAN)
        test->reason = read_text(reader, &draw, REASON_BYTES_MAX);
}

/* --- a test ----------------------------------------------------------------------------------- */

static const char *const keys[] = {"name",  "players", "position", "moves", "perft", "count",
                                   "legal", "illegal", "result",   "claim", "after"};

static bool asks_something(const struct game_test *test)
{
    return test->move_count > 0 || test->perft_count > 0 || test->count >= 0 ||
           test->legal_count > 0 || test->illegal_count > 0 || test->result != EXPECT_NOTHING ||
           test->claim != NULL || test->after != NULL;
}

static void read_expectations(struct reader *reader, const struct node *node,
                              struct game_test *test)
{
    struct node perft = node_member(node, "perft"), count = node_member(node, "count");
    struct node legal = node_member(node, "legal"), illegal = node_member(node, "illegal");
    struct node result = node_member(node, "result"), claim = node_member(node, "claim");
    struct node after = node_member(node, "after");
    read_perft(reader, &perft, test);
    if (node_type(&count) != NODE_ABSENT)
        reader_integer(reader, &count, 0, GAME_TEST_NODES_MAX, &test->count);
    test->legal_count = read_texts(reader, &legal, GAME_TEST_LIST_MAX, &test->legal);
    read_illegal(reader, &illegal, test);
    if (node_type(&result) != NODE_ABSENT)
        read_result(reader, &result, test);
    test->claim = reader_text(reader, &claim, REASON_BYTES_MAX, false);
    test->after = reader_text(reader, &after, GAME_TEST_POSITION_BYTES_MAX, false);
}

static void read_test(struct reader *reader, const struct node *node, bool positions,
                      struct game_test *test)
{
    struct node name = node_member(node, "name"), players = node_member(node, "players");
    struct node position = node_member(node, "position"), after = node_member(node, "after");
    struct node moves = node_member(node, "moves");
    *test = (struct game_test){.name = "", .count = -1, .winner = PLAYER_NONE};
    if (!reader_expect(reader, node, NODE_OBJECT))
        return;
    reader_check_keys(reader, node, STRICT, keys, sizeof keys / sizeof *keys);
    const char *text = read_text(reader, &name, TITLE_BYTES_MAX);
    test->name = text != NULL ? text : "";
    if (node_type(&players) != NODE_ABSENT)
        reader_integer(reader, &players, 1, PLAYERS_MAX, &test->players);
    test->position = reader_text(reader, &position, GAME_TEST_POSITION_BYTES_MAX, false);
    test->move_count = read_texts(reader, &moves, GAME_TEST_MOVES_MAX, &test->moves);
    int errors = reader->diagnostics->error_count;
    read_expectations(reader, node, test);
    bool texts = test->position != NULL || test->after != NULL;
    if (texts && !positions)
        reader_error(reader, test->position != NULL ? &position : &after, NODE_VALUE,
                     "say in `notation` how positions are written",
                     "this game has no texts for positions");
    if (!asks_something(test) && reader->diagnostics->error_count == errors)
        reader_error(reader, node, NODE_VALUE, "", "this test asks nothing");
}

/* Which tests the game gets: with all players all of them, each saying for how many it is; with fewer, those for so many. */
static bool is_kept(const struct reader *reader, const struct game_test *test)
{
    bool all = reader->options == NULL || reader->options->player_count == 0;
    return all || is_for_now(reader, test);
}

void game_tests_read(struct reader *reader, const struct node *root, struct notation_tables *tables)
{
    struct node list = node_member(root, "tests");
    if (!reader_expect_if_there(reader, &list, NODE_LIST) ||
        !reader_expect_at_most(reader, &list, GAME_TESTS_MAX, "tests"))
        return;
    struct game_test *tests = reader_allocate(reader, node_count(&list), sizeof *tests);
    if (tests == NULL)
        return;
    for (size_t i = 0; i < node_count(&list); i++) {
        struct node element = node_element(&list, i);
        struct game_test *test = &tests[tables->test_count];
        read_test(reader, &element, tables->style != POSITION_NONE, test);
        test->number = (int)i;
        tables->test_count += is_kept(reader, test);
    }
    tables->tests = tests;
}
