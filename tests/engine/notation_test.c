/* Positions and moves as texts: what the field writes is read, and what is written is what the field writes. */
#include "tests/support/test.h"

#include "engine/notation.h"
#include "engine/random_move.h"
#include "tests/engine/games.h"
#include "tests/engine/positions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- a game being talked about ---------------------------------------------------------------- */

struct table {
    struct game *game;
    struct notation *notation;
    struct position *position;
    struct move *moves;
};

static struct table open_game(struct game *game)
{
    struct table table = {
        .game = game,
        .notation = notation_new(game),
        .position = position_new(game),
        .moves = malloc(((size_t)game_facts(game)->moves_max + 1) * sizeof *table.moves)};
    assert_non_null(table.moves);
    return table;
}

static struct table open_file(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "games/%s.json", name);
    return open_game(games_load_file(path, NULL));
}

static void close_game(struct table *table)
{
    notation_free(table->notation);
    position_free(table->position);
    free(table->moves);
    game_release(table->game);
}

static void set_up(struct table *table, const char *text)
{
    char words[NOTATION_WORDS_BYTES];
    if (!notation_read_position(table->notation, table->position, text, words))
        fail_msg("%s: %s", text, words);
}

static void assert_written(struct table *table, const char *expected)
{
    char text[NOTATION_POSITION_BYTES];
    assert_true(notation_write_position(table->notation, table->position, text));
    assert_string_equal(text, expected);
}

static void play(struct table *table, const char *text)
{
    char words[NOTATION_WORDS_BYTES];
    struct move move;
    if (!notation_read_move(table->notation, table->position, text, &move, words))
        fail_msg("%s", words);
    position_make(table->position, move, NULL);
}

static void play_all(struct table *table, const char *texts)
{
    char copy[1024];
    assert_true(strlen(texts) < sizeof copy);
    strcpy(copy, texts);
    for (char *text = strtok(copy, " "); text != NULL; text = strtok(NULL, " "))
        play(table, text);
}

/* --- positions of the field ------------------------------------------------------------------- */

struct start_text {
    const char *name, *game, *text;
};

/* As Debian's Fairy-Stockfish 11.1 writes them. */
static const struct start_text starts[] = {
    {"chess begins as the field writes it", "chess",
     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
    {"atomic chess begins as the field writes it", "atomic",
     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
    {"antichess begins as the field writes it", "antichess",
     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"},
    {"three-check begins as the field writes it", "three-check",
     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1"},
    {"racing kings begins as the field writes it", "racing-kings",
     "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"},
    {"horde begins as the field writes it", "horde",
     "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1"},
    {"makruk begins as the field writes it", "makruk",
     "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"},
    {"xiangqi begins as the field writes it", "xiangqi",
     "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"},
    {"janggi begins with both players' set-ups", "janggi",
     "r2a1a2r/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/R2A1A2R b1 2B2N2b2n - 0 1"},
    {"breakthrough begins as the field writes it", "breakthrough",
     "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1"},
};

static void the_start_is_written_and_read(void **state)
{
    const struct start_text *start = *state;
    struct table table = open_file(start->game);
    assert_written(&table, start->text);
    uint64_t hash = position_hash(table.position);
    set_up(&table, start->text);
    assert_written(&table, start->text);
    assert_true(position_hash(table.position) == hash);
    close_game(&table);
}

static void castling_rights_are_read_as_they_stand(void **state)
{
    (void)state;
    struct table table = open_file("chess");
    set_up(&table, "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1");
    assert_written(&table, "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1");
    play_all(&table, "O-O O-O-O");
    assert_written(&table, "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2");
    /* a right whose rook is not there is nobody's */
    set_up(&table, "4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1");
    assert_written(&table, "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    close_game(&table);
}

static void a_mark_is_written_where_it_matters(void **state)
{
    (void)state;
    struct table table = open_file("chess");
    play_all(&table, "e4 a6 e5");
    assert_written(&table, "rnbqkbnr/1ppppppp/p7/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
    play(&table, "d5");
    assert_written(&table, "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3");
    set_up(&table, "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3");
    play(&table, "exd6");
    assert_written(&table, "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3");
    /* nobody can have made it: then it means nothing */
    set_up(&table, "4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1");
    assert_written(&table, "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1");
    close_game(&table);
}

static void what_is_missing_at_the_end_is_as_usual(void **state)
{
    (void)state;
    struct table table = open_file("chess");
    set_up(&table, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -");
    assert_written(&table, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1");
    set_up(&table, "  8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8   b ");
    assert_written(&table, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1");
    close_game(&table);
}

static void counters_of_each_player_stand_together(void **state)
{
    (void)state;
    struct table table = open_file("three-check");
    play_all(&table, "e4 f6 Qh5 g6");
    assert_written(&table, "rnbqkbnr/ppppp2p/5pp1/7Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2+3 0 3");
    set_up(&table, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_written(&table, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1");
    set_up(&table, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - +1+2 5 9");
    assert_written(&table, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 2+1 5 9");
    close_game(&table);
}

static void lists_of_pieces_are_read_with_ranges(void **state)
{
    (void)state;
    struct table table = open_file("international-draughts");
    char start[NOTATION_POSITION_BYTES];
    assert_true(notation_write_position(table.notation, table.position, start));
    uint64_t hash = position_hash(table.position);
    set_up(&table, "W:W31-50:B1-20");
    assert_written(&table, start);
    assert_true(position_hash(table.position) == hash);
    set_up(&table, "B:BK3,1,7 : WK50, 40.");
    assert_written(&table, "B:W40,K50:B1,K3,7");
    close_game(&table);
}

static void who_alone_may_go_on_is_in_the_text(void **state)
{
    (void)state;
    struct table table = open_file("amazons");
    static const char text[] = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 ws d1 1";
    set_up(&table, text);
    assert_written(&table, text);
    int count = movegen_all(table.position, table.moves);
    assert_true(count > 0);
    for (int i = 0; i < count; i++)
        assert_int_equal(table.moves[i].from, game_find_cell(table.game, "d1", 2));
    play(&table, "d1-d7");
    assert_written(&table, "3q2q3/10/10/q2X5q/10/10/Q8Q/10/10/3Q2Q3 b - 1");
    close_game(&table);
}

static void counters_of_no_field_are_counted_once(void **state)
{
    (void)state;
    struct table table = open_file("janggi");
    /* the generals face each other: that must end, as Fairy-Stockfish says too */
    set_up(&table, "2baa1bn1/7rr/3C1k1c1/1pp5p/3p2p2/P1P4P1/2nP4P/2N2K1CN/9/1RB1AAB1R w - - 0 17");
    assert_int_equal(movegen_all(table.position, table.moves), 3);
    set_up(&table, "2baa1bn1/7rr/3Ck2c1/1pp5p/3p2p2/P1P4P1/2nP4P/2N2K1CN/9/1RB1AAB1R w - - 0 17");
    assert_true(movegen_all(table.position, table.moves) > 30);
    close_game(&table);
}

static void files_of_whole_games_know_the_variant(void **state)
{
    (void)state;
    struct table three = open_file("three-check"), plain = open_file("checkers");
    assert_string_equal(game_pgn_variant(three.game), "Three-check");
    assert_string_equal(game_pgn_variant(plain.game), "");
    close_game(&three);
    close_game(&plain);
}

static void boards_of_another_shape_have_rows_too(void **state)
{
    (void)state;
    struct table table = open_file("glinski");
    char text[NOTATION_POSITION_BYTES];
    assert_true(notation_write_position(table.notation, table.position, text));
    int rows = 1;
    for (const char *at = text; *at != ' '; at++)
        rows += *at == '/';
    assert_int_equal(rows, 11);
    set_up(&table, text);
    assert_written(&table, text);
    set_up(&table, "1/3/5/7/9/5B5/11/11/11/11/K9k w - 0 1");
    assert_int_equal(position_contents(table.position, game_find_cell(table.game, "f6", 2)).player,
                     0);
    close_game(&table);
}

struct refused_text {
    const char *name, *game, *text, *words;
};

static const struct refused_text refused[] = {
    {"an empty text", "chess", "", "row 1 has too few cells"},
    {"a row too short", "chess", "7/8/8/8/8/8/8/8 w - - 0 1", "row 1 has too few cells"},
    {"a row too long", "chess", "8/44p/8/8/8/8/8/8 w - - 0 1", "row 2 has too many cells"},
    {"a number too large for its row", "chess", "8/9/8/8/8/8/8/8 w - - 0 1",
     "row 2 has too many cells"},
    {"a number too large for anything", "chess", "99999999999999999999/8 w - - 0 1",
     "row 1 has too many cells"},
    {"no empty cells counted", "chess", "0/8/8/8/8/8/8/8 w - - 0 1", "row 1 counts 0 empty cells"},
    {"rows missing", "chess", "8/8/8 w - - 0 1", "the text ends after row 3"},
    {"rows too many", "chess", "8/8/8/8/8/8/8/8/8 w - - 0 1", "row 8 has too many cells"},
    {"a level where a row ends", "chess", "8|8/8/8/8/8/8/8 w - - 0 1",
     "behind row 1 stands `|`, not `/`"},
    {"no such figure", "chess", "8/8/8/3x4/8/8/8/8 w - - 0 1",
     "no figure is written `x4/8/8/8/8` (byte 8, row 4)"},
    {"nobody's turn", "chess", "8/8/8/8/8/8/8/8 x - - 0 1", "nobody's turn is written `x`"},
    {"no such right", "chess", "8/8/8/8/8/8/8/8 w KX - 0 1", "nothing unmoved is written `X`"},
    {"no such cell", "chess", "8/8/8/8/8/8/8/8 w - e9 0 1", "there is no cell `e9`"},
    {"a counter that is no number", "chess", "8/8/8/8/8/8/8/8 w - - x 1",
     "`x` is not what a counter looks like here"},
    {"a counter with something behind", "chess", "8/8/8/8/8/8/8/8 w - - 1x 1",
     "`1x` is not what a counter looks like here"},
    {"a move number that is none", "chess", "8/8/8/8/8/8/8/8 w - - 0 -1", "`-1` is no move number"},
    {"a move number too large", "chess", "8/8/8/8/8/8/8/8 w - - 0 65536",
     "`65536` is no move number"},
    {"too much", "chess", "8/8/8/8/8/8/8/8 w - - 0 1 and more",
     "there is more text than fields: `and more`"},
    {"a game without such texts", "checkers", "8/8/8/8/8/8/8/8 w - - 0 1",
     "this game says nothing about how positions are written"},
    {"pieces of nobody", "international-draughts", "W:X1", "no player is written `X1`"},
    {"a piece on no cell", "international-draughts", "W:W51",
     "`51` is neither a cell nor a range of cells"},
    {"a range out of the board", "international-draughts", "W:W49-51", "there is no cell 51"},
    {"a range backwards", "international-draughts", "W:W7-5",
     "`7-5` is neither a cell nor a range of cells"},
    {"a cell twice", "international-draughts", "W:W5:B5", "cell 5 is named twice"},
    {"a list with a gap", "international-draughts", "W:W5,,6",
     "`` is neither a cell nor a range of cells"},
    {"a figure that goes on, on an empty cell", "amazons",
     "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 ws a1 1", "on `a1` stands nobody who may go on"},
    {"a figure of the other player that goes on", "amazons",
     "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 ws a7 1", "on `a7` stands nobody who may go on"},
    {"a figure that goes on, on no cell", "amazons",
     "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 ws z1 1", "there is no cell `z1`"},
    {"something behind the pieces", "international-draughts", "W:W5;6",
     "`5;6` is neither a cell nor a range of cells"},
};

static void is_refused(void **state)
{
    const struct refused_text *row = *state;
    struct table table = open_file(row->game);
    char words[NOTATION_WORDS_BYTES] = "";
    uint64_t hash = position_hash(table.position);
    assert_false(notation_read_position(table.notation, table.position, row->text, words));
    assert_string_equal(words, row->words);
    assert_true(position_hash(table.position) == hash);
    close_game(&table);
}

/* --- moves of the field ----------------------------------------------------------------------- */

struct written_move {
    const char *name, *game, *position, *coordinate, *algebraic;
};

/* As Stockfish and the PGN standard want them. */
static const struct written_move written[] = {
    {"a pawn's step", "chess", NULL, "e2e4", "e4"},
    {"a knight's move", "chess", NULL, "g1f3", "Nf3"},
    {"a pawn takes from its file", "chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"},
    {"taking in passing", "chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"},
    {"the file tells two rooks apart", "chess", "4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"},
    {"the rank tells two rooks apart", "chess", "R7/7k/8/8/8/8/4K3/R7 w - - 0 1", "a1a4", "R1a4"},
    {"file and rank tell three queens apart", "chess", "7k/8/8/8/Q7/8/8/QK1Q4 w - - 0 1", "a1d4",
     "Qa1d4+"},
    {"the file comes first where both are enough", "chess", "4k3/8/8/8/8/N7/8/2NK4 w - - 0 1",
     "c1b3", "Nb3"},
    {"a pinned knight is no rival", "chess", "4k3/4r3/8/8/8/4N3/8/1N2K3 w - - 0 1", "b1d2", "Nd2"},
    {"a free knight is a rival", "chess", "4k3/8/8/8/8/1N6/8/3K1N2 w - - 0 1", "f1d2", "Nfd2"},
    {"a queen is no rival of a rook", "chess", "4k3/8/8/8/8/8/4K3/R6Q w - - 0 1", "a1d1", "Rd1"},
    {"rivals that take", "chess", "4k3/8/8/3p4/8/2N2N2/4K3/8 w - - 0 1", "c3d5", "Nxd5"},
    {"a promotion", "chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q", "a8=Q"},
    {"a promotion that gives check", "chess", "7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8r", "a8=R+"},
    {"a promotion that takes", "chess", "1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8n", "axb8=N"},
    {"castling short", "chess", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O"},
    {"castling long with check", "chess", "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"},
    {"mate", "chess", "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8", "Ra8#"},
    {"black's mate", "chess", "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
     "d8h4", "Qh4#"},
    {"stalemate has no sign", "chess", "7k/8/5QK1/8/8/8/8/8 w - - 0 1", "f6f7", "Qf7"},
    {"a discovered check", "chess", "4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "e4c5", "Nc5+"},
    {"a letter without a choice", "makruk", "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1", "e5e6m", NULL},
    {"a rank of two digits", "xiangqi", NULL, "b3b10", NULL},
    {"a general that stays", "janggi",
     "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1", "e2e2", NULL},
    {"a horse is set up", "janggi", NULL, "n*b10", NULL},
    {"a draughtsman takes", "international-draughts", "W:W28:B23", "28x19", NULL},
    {"a draughtsman steps", "international-draughts", "W:W28:B1", "28-22", NULL},
};

static void assert_reads_back(struct table *table, struct move move, const char *text)
{
    char words[NOTATION_WORDS_BYTES] = "";
    struct move read;
    if (!notation_read_move(table->notation, table->position, text, &read, words))
        fail_msg("%s", words);
    if (!move_equal(read, move))
        fail_msg("`%s` is read as another move", text);
}

static void is_written_as_the_field_does(void **state)
{
    const struct written_move *row = *state;
    struct table table = open_file(row->game);
    char text[NOTATION_MOVE_BYTES], words[NOTATION_WORDS_BYTES] = "";
    struct move move;
    if (row->position != NULL)
        set_up(&table, row->position);
    if (!notation_read_move(table.notation, table.position, row->coordinate, &move, words))
        fail_msg("%s", words);
    notation_write_move(table.notation, table.position, NULL, move, NOTATION_COORDINATE, text);
    assert_string_equal(text, row->coordinate);
    if (row->algebraic != NULL) {
        notation_write_move(table.notation, table.position, NULL, move, NOTATION_ALGEBRAIC, text);
        assert_string_equal(text, row->algebraic);
        assert_reads_back(&table, move, text);
    }
    close_game(&table);
}

static void placements_are_written_by_their_cell(void **state)
{
    (void)state;
    static const char text[] =
        "{\"format\":2,\"name\":\"put\",\"players\":[\"white\",\"black\"],\"cell\":{"
        "\"coordinates_names\":[\"x\"],\"name\":\"'abc'[x] + 1\",\"geometry\":[[0,0],[1,0],[1,1]],"
        "\"position\":{\"x\":\"x\",\"y\":0}},\"board\":{\"cells\":{\"box\":{\"x\":3}}},"
        "\"figures\":{\"pawn\":{\"movement\":[{\"x\":1}]},\"knight\":{\"movement\":[]}},"
        "\"place\":{\"white\":[{\"put\":[\"pawn\",\"knight\"]}],\"black\":[{\"put\":\"knight\"}]},"
        "\"turns\":[\"white\",\"black\"],\"notation\":{\"case\":{\"white\":\"upper\",\"black\":"
        "\"lower\"},"
        "\"figures\":{\"pawn\":\"p\",\"knight\":\"n\"},\"moves\":{\"coordinate\":{\"separator\":"
        "\"\"},"
        "\"algebraic\":{\"omit\":[\"pawn\"],\"parts\":[\"'abc'[x]\"]}}}}";
    static const struct {
        const char *read, *coordinate, *algebraic; /* NULL: it means nothing */
    } moves[] = {{"a1", NULL, NULL},        {"@a1", NULL, NULL},  {"r@a1", NULL, NULL},
                 {"knight@a1", NULL, NULL}, {"n@d1", NULL, NULL}, {"n@", NULL, NULL},
                 {"P@a1", "p@a1", "P@a1"},  {"n@b1", NULL, NULL}, {"c1", "c1", "@c1"},
                 {"a1b1", "a1b1", "b1"},    {"a1", "a1", "@a1"}};
    struct table table = {.game = games_load_text(text, NULL)};
    table.position = position_new(table.game);
    table.notation = notation_new(table.game);
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        char told[NOTATION_MOVE_BYTES], words[NOTATION_WORDS_BYTES] = "";
        struct move move;
        bool read = notation_read_move(table.notation, table.position, moves[i].read, &move, words);
        if (read != (moves[i].coordinate != NULL))
            fail_msg("`%s`: %s", moves[i].read, read ? "should not be read" : words);
        if (!read)
            continue;
        notation_write_move(table.notation, table.position, NULL, move, NOTATION_COORDINATE, told);
        assert_string_equal(told, moves[i].coordinate);
        assert_reads_back(&table, move, told);
        notation_write_move(table.notation, table.position, NULL, move, NOTATION_ALGEBRAIC, told);
        assert_string_equal(told, moves[i].algebraic);
        assert_reads_back(&table, move, told);
        position_make(table.position, move, NULL);
    }
    close_game(&table);
}

static void reading_is_tolerant(void **state)
{
    (void)state;
    static const struct {
        const char *position, *text, *coordinate;
    } rows[] = {
        {NULL, "Ngf3", "g1f3"},
        {NULL, "Ng1f3", "g1f3"},
        {NULL, "N1f3!?", "g1f3"},
        {NULL, "e4!", "e2e4"},
        {NULL, "e2-e4", NULL},
        {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "0-0", "e1g1"},
        {"7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8Q", "a7a8q"},
        {"7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8Q", "a7a8q"},
        {"7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=Q+", "a7a8q"},
        {"7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8", NULL},
        {"7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8", NULL},
        {"7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=K", NULL},
        {"7k/8/6K1/8/8/8/8/R7 w - - 0 1", "Ra8", "a1a8"},
        {"7k/8/6K1/8/8/8/8/R7 w - - 0 1", "Ra8#!!", "a1a8"},
        {"4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rd1", NULL},
        {"4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rxd1", NULL},
        {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "ed5", "e4d5"},
        {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd", NULL},
        {NULL, "", NULL},
        {NULL, "+", NULL},
        {NULL, "Nf6", NULL},
        {NULL, "e2e5", NULL},
        {NULL, "0000", NULL},
        {NULL, "bf3", NULL},
    };
    struct table table = open_file("chess");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[NOTATION_MOVE_BYTES] = "nothing", words[NOTATION_WORDS_BYTES] = "";
        struct move move;
        position_reset(table.position);
        if (rows[i].position != NULL)
            set_up(&table, rows[i].position);
        bool read = notation_read_move(table.notation, table.position, rows[i].text, &move, words);
        if (read != (rows[i].coordinate != NULL))
            fail_msg("`%s`: %s", rows[i].text, read ? "should not be read" : words);
        assert_int_equal(read, words[0] == '\0');
        if (!read)
            continue;
        notation_write_move(table.notation, table.position, NULL, move, NOTATION_COORDINATE, text);
        assert_string_equal(text, rows[i].coordinate);
    }
    close_game(&table);
}

static void words_say_what_is_wrong_with_a_move(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"Rd1", "`Rd1` may mean more than one move"},
        {"a1b2", "`a1b2` is not a legal move here"},
        {"hello", "`hello` means no legal move here"},
    };
    struct table table = open_file("chess");
    set_up(&table, "4k3/8/8/8/8/8/4K3/R6R w - - 0 1");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char words[NOTATION_WORDS_BYTES];
        struct move move;
        assert_false(
            notation_read_move(table.notation, table.position, rows[i].text, &move, words));
        assert_string_equal(words, rows[i].words);
    }
    close_game(&table);
}

/* --- laws of all games ------------------------------------------------------------------------ */

/* The text is read again as a position with the same text and the same moves; but for a swap of sides, which no text tells of. */
static void assert_position_returns(struct table *table, struct position *other,
                                    struct move *other_moves)
{
    char text[NOTATION_POSITION_BYTES], again[NOTATION_POSITION_BYTES], words[NOTATION_WORDS_BYTES];
    if (!notation_write_position(table->notation, table->position, text))
        fail_msg("a position has no text");
    if (!notation_read_position(table->notation, other, text, words))
        fail_msg("%s: %s", text, words);
    assert_true(notation_write_position(table->notation, other, again));
    assert_string_equal(again, text);
    int count = movegen_all(table->position, table->moves),
        others = movegen_all(other, other_moves);
    if (count > others && move_is_swap(table->moves[count - 1]))
        count--;
    if (count != others)
        fail_msg("%s: %d moves, read again %d", text, count, others);
    for (int i = 0; i < count; i++)
        assert_true(move_equal(table->moves[i], other_moves[i]));
}

/* Every legal move has a text of its own, in each style, and is found by it. */
static void assert_moves_return(struct table *table, struct move *moves)
{
    int count = movegen_all(table->position, moves);
    for (int i = 0; i < count; i++) {
        char text[NOTATION_MOVE_BYTES];
        notation_write_move(table->notation, table->position, NULL, moves[i], NOTATION_COORDINATE,
                            text);
        assert_reads_back(table, moves[i], text);
        if (!game_has_move_notation(table->game, NOTATION_ALGEBRAIC))
            continue;
        notation_write_move(table->notation, table->position, NULL, moves[i], NOTATION_ALGEBRAIC,
                            text);
        assert_reads_back(table, moves[i], text);
    }
}

static void walk(struct table *table, struct position *other, struct move *moves, uint64_t *seed)
{
    enum { PLIES = 60 };
    position_reset(table->position);
    for (int ply = 0; ply < PLIES; ply++) {
        bool turn_begins = position_active(table->position) == CELL_NONE;
        if (position_outcome(table->position).kind != OUTCOME_PLAYING)
            return;
        if (turn_begins && game_has_position_notation(table->game))
            assert_position_returns(table, other, moves);
        if (ply % 6 == 0)
            assert_moves_return(table, moves);
        struct move move;
        if (!random_move(table->position, seed, moves, &move))
            return;
        position_make(table->position, move, NULL);
    }
}

static void check_returns(const char *path, struct game *game, void *context)
{
    struct table table = open_game(game_retain(game));
    struct position *other = position_new(game);
    struct move *moves = malloc(((size_t)game_facts(game)->moves_max + 1) * sizeof *moves);
    assert_non_null(moves);
    uint64_t *seed = context;
    (void)path;
    for (int i = 0; i < 3; i++)
        walk(&table, other, moves, seed);
    free(moves);
    position_free(other);
    close_game(&table);
}

static void what_is_written_is_read_again(void **state)
{
    (void)state;
    uint64_t seed = 20261121;
    assert_true(games_for_each(check_returns, &seed) >= 20);
}

/* Bytes changed at random: read as something sound, or refused with a sentence. */
static void check_noise(const char *path, struct game *game, void *context)
{
    struct table table = open_game(game_retain(game));
    uint64_t *seed = context;
    char text[NOTATION_POSITION_BYTES];
    (void)path;
    for (int i = 0; i < 200 && notation_write_position(table.notation, table.position, text); i++) {
        char words[NOTATION_WORDS_BYTES] = "";
        size_t length = strlen(text);
        for (int k = 0; k < 3; k++)
            text[test_random(seed) % length] = (char)(test_random(seed) % 127 + 1);
        if (notation_read_position(table.notation, table.position, text, words))
            assert_true(position_hash(table.position) ==
                        position_hash_from_scratch(table.position));
        else
            assert_true(words[0] != '\0');
        position_reset(table.position);
    }
    close_game(&table);
}

static void noise_is_refused_or_makes_sense(void **state)
{
    (void)state;
    uint64_t seed = 7;
    games_for_each(check_noise, &seed);
}

/* --- the program ------------------------------------------------------------------------------ */

#define ROWS(table) (sizeof(table) / sizeof *(table))

int main(void)
{
    static const struct CMUnitTest fixed[] = {
        cmocka_unit_test(castling_rights_are_read_as_they_stand),
        cmocka_unit_test(a_mark_is_written_where_it_matters),
        cmocka_unit_test(what_is_missing_at_the_end_is_as_usual),
        cmocka_unit_test(counters_of_each_player_stand_together),
        cmocka_unit_test(lists_of_pieces_are_read_with_ranges),
        cmocka_unit_test(who_alone_may_go_on_is_in_the_text),
        cmocka_unit_test(counters_of_no_field_are_counted_once),
        cmocka_unit_test(files_of_whole_games_know_the_variant),
        cmocka_unit_test(boards_of_another_shape_have_rows_too),
        cmocka_unit_test(reading_is_tolerant),
        cmocka_unit_test(placements_are_written_by_their_cell),
        cmocka_unit_test(words_say_what_is_wrong_with_a_move),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(noise_is_refused_or_makes_sense),
    };
    enum { COUNT = ROWS(fixed) + ROWS(starts) + ROWS(refused) + ROWS(written) };
    static struct CMUnitTest tests[COUNT];
    size_t count = 0;
    for (size_t i = 0; i < ROWS(starts); i++)
        tests[count++] = (struct CMUnitTest){starts[i].name, the_start_is_written_and_read, NULL,
                                             NULL, (void *)(uintptr_t)&starts[i]};
    for (size_t i = 0; i < ROWS(refused); i++)
        tests[count++] = (struct CMUnitTest){refused[i].name, is_refused, NULL, NULL,
                                             (void *)(uintptr_t)&refused[i]};
    for (size_t i = 0; i < ROWS(written); i++)
        tests[count++] = (struct CMUnitTest){written[i].name, is_written_as_the_field_does, NULL,
                                             NULL, (void *)(uintptr_t)&written[i]};
    memcpy(tests + count, fixed, sizeof fixed);
    return _cmocka_run_group_tests("notation", tests, COUNT, NULL, NULL);
}
