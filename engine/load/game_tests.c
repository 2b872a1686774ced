#include "engine/game_tests.h"
#include "engine/load/fields.h"
#include "engine/load/notation_reader.h"

#include <string.h>

/* `tests`: what a file says of its own game. */

/* --- moves ------------------------------------------------------------------------------------ */

enum { MOVE_BYTES_MAX = 4 * NAME_BYTES_MAX - 1 };

static bool read_move(struct reader *reader, const struct node *node, void *element)
{
    const char **move = element;
    *move = reader_text(reader, node, MOVE_BYTES_MAX, false);
    return *move != NULL;
}

/* A move alone, or with the reason why it is not legal. */
static bool read_illegal(struct reader *reader, const struct node *node, void *element)
{
    static const struct field fields[] = {
        {"move", field_text, AT(struct illegal_text, move), .most = MOVE_BYTES_MAX, .missing = ""},
        {"because", field_text, AT(struct illegal_text, because), .most = REASON_BYTES_MAX},
        {0},
    };
    struct illegal_text *illegal = element;
    if (node_type(node) != NODE_OBJECT)
        return read_move(reader, node, &illegal->move);
    return fields_read(reader, node, fields, illegal) && illegal->move != NULL;
}

/* --- what is expected ------------------------------------------------------------------------- */

/* A list from depth 1 on, or an object by depth. */
static void read_perft(struct reader *reader, const struct node *node, void *place)
{
    static const struct field leaves = {
        .kind = field_integer, .size = sizeof(int), .most = GAME_TEST_NODES_MAX};
    const struct name_list *depths = CHOICES("depth", "1", "2", "3", "4", "5", "6", "7", "8");
    int *perft = place;
    if (node_type(node) == NODE_OBJECT)
        fields_read_by_name(reader, node, depths, &leaves, perft);
    else if (reader_expect_list(reader, node, GAME_TEST_DEPTH_MAX, "depths"))
        EACH_ELEMENT (each, node)
            field_read_one(reader, &each, &leaves, &perft[each.index]);
}

/* Whether the test is for as many players as play now; else its words are looked at, but not its names. */
static bool is_for_now(const struct reader *reader, const struct game_test *test)
{
    return test->players == reader->options->player_count;
}

static void read_who(struct reader *reader, const struct node *node, void *object)
{
    struct game_test *test = object;
    test->result = reader->field->least;
    if (!is_for_now(reader, test)) {
        reader_expect(reader, node, NODE_STRING);
        return;
    }
    int player = reader_name(reader, node, NODE_VALUE, &reader->players);
    if (player >= 0)
        test->who = (player_index)player;
}

/* `true`, or the reason. */
static void read_draw(struct reader *reader, const struct node *node, void *object)
{
    struct game_test *test = object;
    test->result = OUTCOME_DRAWN;
    if (node_type(node) != NODE_BOOLEAN)
        test->reason = reader_text(reader, node, REASON_BYTES_MAX, false);
}

const struct field test_result_fields[] = {
    {"winner", .kind = read_who, .least = OUTCOME_WON},
    {"loser", .kind = read_who, .least = OUTCOME_LOST},
    {"reason", field_text, AT(struct game_test, reason), .most = REASON_BYTES_MAX},
    {"draw", .kind = read_draw},
    {0},
};

static void read_result(struct reader *reader, const struct node *node, void *object)
{
    struct game_test *test = object;
    if (node_type(node) == NODE_STRING && strcmp(node_string(node), "playing") == 0)
        test->result = OUTCOME_PLAYING;
    else if (node_type(node) == NODE_STRING)
        reader_error(reader, node, "did you mean `playing`?", "no result `%s`",
                     text_quote(node_string(node)).text);
    else if (fields_read(reader, node, test_result_fields, test) &&
             node_has(node, "winner") + node_has(node, "loser") + node_has(node, "draw") != 1)
        reader_error(reader, node, "",
                     "a result has either a `winner` or a `loser`, or is a `draw`");
}

/* --- a test ----------------------------------------------------------------------------------- */

const struct field test_fields[] = {
    {"name", field_text, AT(struct game_test, name), .most = TITLE_BYTES_MAX, .missing = ""},
    {"players", field_integer, AT(struct game_test, players), .least = 1, .most = PLAYERS_MAX},
    {"position", field_text, AT(struct game_test, position), .most = GAME_TEST_POSITION_BYTES_MAX},
    {"moves", field_list, LIST_AT(struct game_test, moves, move_count),
     ELEMENTS(GAME_TEST_MOVES_MAX, "moves", char *, read_move)},
    {"perft", read_perft, AT(struct game_test, perft)},
    {"count", field_integer, AT(struct game_test, count), .most = GAME_TEST_NODES_MAX},
    {"legal", field_list, LIST_AT(struct game_test, legal, legal_count),
     ELEMENTS(GAME_TEST_LIST_MAX, "moves", char *, read_move)},
    {"illegal", field_list, LIST_AT(struct game_test, illegal, illegal_count),
     ELEMENTS(GAME_TEST_LIST_MAX, "moves", struct illegal_text, read_illegal)},
    {"result", .kind = read_result},
    {"claim", field_text, AT(struct game_test, claim), .most = REASON_BYTES_MAX},
    {"flag", field_text, AT(struct game_test, flag), .most = REASON_BYTES_MAX},
    {"after", field_text, AT(struct game_test, after), .most = GAME_TEST_POSITION_BYTES_MAX},
    {0},
};

/* Of where its moves lead. */
static bool expects_something(const struct game_test *test)
{
    bool leaves = false;
    for (int i = 0; i < GAME_TEST_DEPTH_MAX; i++)
        leaves |= test->perft[i] >= 0;
    return leaves || test->count >= 0 || test->legal_count > 0 || test->illegal_count > 0 ||
           test->result >= 0 || test->claim != NULL || test->flag != NULL || test->after != NULL;
}

static void check_test(struct reader *reader, const struct node *node, const struct game_test *test,
                       int errors_before)
{
    struct node position = node_member(node, "position"), after = node_member(node, "after");
    bool texts = test->position != NULL || test->after != NULL;
    if (texts && reader->notation->style == POSITION_NONE)
        reader_error(reader, test->position != NULL ? &position : &after,
                     "say in `notation` how positions are written",
                     "this game has no texts for positions");
    if (expects_something(test) || reader->diagnostics->error_count != errors_before)
        return;
    if (test->move_count == 0)
        reader_error(reader, node, "", "this test asks nothing");
    else
        reader_warn(reader, node, NODE_VALUE,
                    "say what has come of them: `after`, `legal`, `result`, …",
                    "this test asks only whether its moves are legal");
}

/* Which tests the game gets: with all players all of them, each saying for how many it is; with fewer, those for so many. */
bool test_read(struct reader *reader, const struct node *node, void *element)
{
    struct game_test *test = element;
    int errors_before = reader->diagnostics->error_count;
    *test = (struct game_test){
        .name = "", .number = (int)node->index, .count = -1, .result = -1, .who = PLAYER_NONE};
    memset(test->perft, -1, sizeof test->perft);
    if (fields_read(reader, node, test_fields, test))
        check_test(reader, node, test, errors_before);
    return reader->options->player_count == 0 || is_for_now(reader, test);
}
