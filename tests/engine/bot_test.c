/* The bot: what it finds follows from the seed, it can be stopped, it sees what is forced, and it does not lose to chance. */
#include "tests/support/test.h"

#include "engine/bot/judge.h"
#include "engine/bot/searcher.h"
#include "engine/notation.h"
#include "engine/random_move.h"
#include "tests/engine/games.h"

#include <stdlib.h>
#include <string.h>

struct table {
    struct game *game;
    struct judge *judge;
    struct searcher *searcher;
    struct position *position;
    struct move *moves;
};

static struct table sit_down(struct game *game)
{
    struct table table = {.game = game, .judge = judge_new(game)};
    table.searcher = searcher_new(table.judge);
    table.position = position_new(game);
    table.moves = calloc((size_t)game_facts(game)->moves_max + 1, sizeof *table.moves);
    assert_non_null(table.moves);
    return table;
}

static void get_up(struct table *table)
{
    free(table->moves);
    position_free(table->position);
    searcher_free(table->searcher);
    judge_free(table->judge);
}

static void set_up(struct table *table, const char *text)
{
    char words[NOTATION_WORDS_BYTES];
    struct notation *notation = notation_new(table->game);
    assert_true(notation_read_position(notation, table->position, text, words));
    notation_free(notation);
}

/* --- what is forced --------------------------------------------------------------------------- */

/* A fifth of what level 8 looks at. */
enum { MATE_NODES = 50000 };

static const struct {
    const char *name, *position;
} mates_in_two[] = {
    {"a crowded board", "2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1"},
    {"with a check at first", "8/6K1/1p1B1RB1/8/2Q5/2n1kP1N/3b4/4n3 w - - 0 1"},
    {"with none", "B7/K1B1p1Q1/5r2/7p/1P1kp1bR/3P3R/1P1NP3/2n5 w - - 0 1"},
    {"Morphy's problem", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"},
    {"Taverner 1881", "3brrb1/2N4B/8/2p4Q/2p2k2/5P2/4P1KR/2N2RB1 w - - 0 1"},
    {"Buckle 1840", "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1"},
    {"Morphy at the opera", "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 1"},
    {"Paulsen 1862", "1rb4r/pkPp3p/1b1P3n/1Q6/N3Pp2/8/P1P3PP/7K w - - 1 1"},
    {"a queen for a rook's mate", "r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 1"},
    {"a queen for a pinned pawn", "5rkr/pp2Rp2/1b1p1Pb1/3P2Q1/2n3P1/2p5/P4P2/4R1K1 w - - 1 1"},
    {"a queen for a bishop's mate", "1r1kr3/Nbppn1pp/1b6/8/6Q1/3B1P2/Pq3P1P/3RR1K1 w - - 1 1"},
    {"a queen on the sixth", "r4br1/3b1kpp/1q1P4/1pp1RP1N/p7/6Q1/PPB3PP/2KR4 w - - 1 1"},
    {"a queen for a rook's pawn", "r1b2k1r/ppppq3/5N1p/4P2Q/4PP2/1B6/PP5P/n2K2R1 w - - 1 1"},
};

static void it_mates_in_two(void **state)
{
    (void)state;
    struct game *game = games_load_file("games/chess.json", NULL);
    struct table table = sit_down(game);
    for (size_t i = 0; i < sizeof mates_in_two / sizeof *mates_in_two; i++) {
        const struct search_order order = {
            .level = SEARCH_LEVEL_MAX, .nodes = MATE_NODES, .seed = i};
        set_up(&table, mates_in_two[i].position);
        struct search_answer answer = searcher_find(table.searcher, table.position, &order);
        if (answer.value != SEARCH_WIN - 3)
            fail_msg("%s: %d after %d nodes, not a mate in two", mates_in_two[i].name, answer.value,
                     (int)answer.nodes);
    }
    get_up(&table);
    game_release(game);
}

static void it_takes_what_wins_and_stops_what_would(void **state)
{
    (void)state;
    struct game *game = games_load_file("games/tic-tac-toe.json", NULL);
    struct table table = sit_down(game);
    const struct search_order order = {.level = 5, .nodes = 7000, .seed = 7};
    static const char *const moves[] = {"a1", "b2",
                                        "a2"}; /* who is next stops a3, and wins then or draws */
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        struct move move;
        cell_index to = game_find_cell(game, moves[i], strlen(moves[i]));
        assert_true(movegen_find(table.position, CELL_NONE, to, CHOICE_NONE, &move));
        position_make(table.position, move, NULL);
    }
    struct search_answer answer = searcher_find(table.searcher, table.position, &order);
    assert_true(answer.found);
    assert_string_equal(game_facts(game)->cells[answer.move.to].name, "a3");
    get_up(&table);
    game_release(game);
}

/* The second pass ends a game of go: it is taken where that wins; and who would lose by it does not pass first. */
static void it_passes_only_where_that_does_not_lose(void **state)
{
    (void)state;
    static const char won[] = "4xo3/4xo3/4xo3/4xo3/4xo3/4xo3/4xo3/4xo3/4xo3 x 1 1",
                      lost[] = "4xo3/4xo3/4xo3/4xo3/4xo3/3xo4/3xo4/3xo4/3xo4 x 0 1";
    struct game *game = games_load_file("games/go-9.json", NULL);
    struct table table = sit_down(game);
    for (uint64_t seed = 0; seed < 4; seed++) {
        const struct search_order order = {.level = 1, .nodes = 2500, .seed = seed};
        set_up(&table, won);
        struct search_answer answer = searcher_find(table.searcher, table.position, &order);
        assert_true(move_is_pass(answer.move));
        assert_int_equal(search_share(answer.value).share, 1000);
        set_up(&table, lost);
        answer = searcher_find(table.searcher, table.position, &order);
        assert_false(move_is_pass(answer.move));
    }
    get_up(&table);
    game_release(game);
}

/* --- won endings ------------------------------------------------------------------------------ */

/* Of chess and of small games; `winner` by the order of the players in the file. */
static const struct {
    const char *file, *position;
    player_index winner;
} won_endings[] = {
    {"games/chess.json", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1", 0},
    {"games/chess.json", "8/8/8/3k4/8/8/8/KR6 w - - 0 1", 0},
    {"games/chess.json", "7R/8/8/4k3/8/2K5/8/8 w - - 0 1", 0},
    {"games/chess.json", "8/8/3K4/8/8/4k3/8/7R w - - 0 1", 0},
    {"games/los-alamos.json", "6/6/3k2/6/6/KQ4 w - - 0 1", 0},
    {"games/los-alamos.json", "6/6/3k2/6/6/KR4 w - - 0 1", 0},
    {"games/minixiangqi.json", "2k4/7/7/7/7/7/R3K2 w", 0},
    {"games/minixiangqi.json", "7/7/3k3/7/7/7/4K1R w", 0},
    {"games/minishogi.json", "2k2/5/5/5/K4 b 2G 1", 0},
    {"games/minishogi.json", "2k2/5/5/5/K4 b RS 1", 0},
    {"games/english-draughts.json", "W:WK14,K15:BK4", 1},
    {"games/english-draughts.json", "B:WK29:BK14,K15", 0},
};
enum { ENDING_NODES = 3000, ENDING_PLIES = 99 };

/* Against the best defence it knows itself, before fifty moves are over. */
static void win_ending(struct table *table, const char *file, const char *position,
                       player_index winner)
{
    set_up(table, position);
    int ply = 0;
    for (; ply < ENDING_PLIES && position_to_move(table->position) != PLAYER_NONE; ply++) {
        const struct search_order order = {
            .level = SEARCH_LEVEL_MAX, .nodes = ENDING_NODES, .seed = (uint64_t)ply};
        struct search_answer answer = searcher_find(table->searcher, table->position, &order);
        if (!answer.found)
            break;
        position_make(table->position, answer.move, NULL);
    }
    struct outcome outcome = position_outcome(table->position);
    if (outcome.kind != OUTCOME_WON || outcome.winner != winner)
        fail_msg("%s: %s is not won after %d plies", file, position, ply);
}

static void it_wins_won_endings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof won_endings / sizeof *won_endings; i++) {
        struct game *game = games_load_file(won_endings[i].file, NULL);
        struct table table = sit_down(game);
        win_ending(&table, won_endings[i].file, won_endings[i].position, won_endings[i].winner);
        get_up(&table);
        game_release(game);
    }
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Each from another move, no better than the one before as far as is known, legal to its end. */
static void check_lines(struct table *table, const struct search_answer *lines, int count)
{
    for (int i = 0; i < count; i++) {
        assert_true(move_equal(lines[i].move, lines[i].line[0]));
        assert_true(i == 0 || lines[i].value <= lines[i - 1].value);
        for (int k = 0; k < i; k++)
            assert_false(move_equal(lines[i].move, lines[k].move));
        struct position *board = position_new(table->game);
        position_copy(board, table->position);
        for (int ply = 0; ply < lines[i].line_count; ply++) {
            struct move move = lines[i].line[ply], legal;
            assert_true(movegen_find(board, move.from, move.to, move.choice, &legal));
            position_make(board, move, NULL);
        }
        position_free(board);
    }
}

static void it_tells_several_lines_the_best_first(void **state)
{
    (void)state;
    static const char *const files[] = {"games/chess.json", "games/connect-four.json"};
    const struct search_order order = {.level = 1, .nodes = 800};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct game *game = games_load_file(files[i], NULL);
        struct table table = sit_down(game);
        struct search_answer lines[SEARCH_LINES_MAX], again[SEARCH_LINES_MAX];
        int count = searcher_find_lines(table.searcher, table.position, &order, 4, lines);
        assert_int_equal(count, 4);
        check_lines(&table, lines, count);
        searcher_find_lines(table.searcher, table.position, &order, 4, again);
        for (int k = 0; k < count; k++) {
            assert_true(move_equal(lines[k].move, again[k].move));
            assert_int_equal(lines[k].value, again[k].value);
        }
        get_up(&table);
        game_release(game);
    }
}

/* One move mates, the others are worth less; one is left; none is. */
static void of_few_moves_there_are_few_lines(void **state)
{
    (void)state;
    struct game *game = games_load_file("games/chess.json", NULL);
    struct table table = sit_down(game);
    const struct search_order order = {.level = 1, .nodes = 3000};
    struct search_answer lines[SEARCH_LINES_MAX];
    set_up(&table, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    int count = searcher_find_lines(table.searcher, table.position, &order, 3, lines);
    assert_int_equal(count, 3);
    struct search_share best = search_share(lines[0].value), next = search_share(lines[1].value);
    assert_int_equal(best.share, 1000);
    assert_int_equal(best.ends_in, 3);
    assert_in_range(next.share, 1, 999);
    assert_int_equal(next.ends_in, 0);
    set_up(&table, "7k/8/8/8/8/8/1r6/K7 w - - 0 1"); /* the rook can only be taken */
    count = searcher_find_lines(table.searcher, table.position, &order, 3, lines);
    assert_int_equal(count, 1);
    assert_true(lines[0].depth > 1);
    set_up(&table, "7k/8/8/8/8/1q6/8/K7 w - - 0 1"); /* stalemate */
    assert_int_equal(searcher_find_lines(table.searcher, table.position, &order, 3, lines), 0);
    get_up(&table);
    game_release(game);
}

static void a_value_is_a_share_of_the_points(void **state)
{
    (void)state;
    assert_int_equal(search_share(0).share, 500);
    assert_in_range(search_share(JUDGE_LOGIT).share, 725, 737);
    assert_int_equal(search_share(JUDGE_VALUE_MAX).share, 999);
    assert_int_equal(search_share(-JUDGE_VALUE_MAX).share, 1);
    assert_int_equal(search_share(SEARCH_WIN - 1).ends_in, 1);
    assert_int_equal(search_share(4 - SEARCH_WIN).share, 0);
    assert_int_equal(search_share(4 - SEARCH_WIN).ends_in, 4);
    assert_int_equal(search_share(SEARCH_WIN - SEARCH_PLIES_MAX).share, 1000);
    assert_int_equal(search_share(SEARCH_WIN - SEARCH_PLIES_MAX).ends_in, 0);
}

/* --- low levels ------------------------------------------------------------------------------- */

/* Of so many seeds, how many take the mate in one. */
static int mates_taken(struct table *table, int level, int seeds)
{
    int taken = 0;
    set_up(table, "6k1/5ppp/8/8/8/8/8/1R4K1 w - - 0 1");
    for (int seed = 0; seed < seeds; seed++) {
        const struct search_order order = {.level = level, .seed = (uint64_t)seed};
        struct search_answer answer = searcher_find(table->searcher, table->position, &order);
        taken += strcmp(game_facts(table->game)->cells[answer.move.to].name, "b8") == 0;
    }
    return taken;
}

static void a_low_level_slips_the_less_the_higher_it_is(void **state)
{
    (void)state;
    enum { SEEDS = 100, SLIPPING = 4 };
    struct game *game = games_load_file("games/chess.json", NULL);
    struct table table = sit_down(game);
    int before = SEEDS / 5;
    for (int level = 1; level <= SLIPPING; level++) {
        int taken = mates_taken(&table, level, SEEDS);
        assert_true(taken > before && taken < SEEDS);
        before = taken;
    }
    assert_int_equal(mates_taken(&table, SLIPPING + 1, SEEDS / 10), SEEDS / 10);
    get_up(&table);
    game_release(game);
}

/* --- the same again --------------------------------------------------------------------------- */

static void scatter(struct table *table, int plies)
{
    struct move move;
    uint64_t seed = 3;
    position_reset(table->position);
    for (int i = 0; i < plies && random_move(table->position, &seed, table->moves, &move); i++)
        position_make(table->position, move, NULL);
}

/* Of every game: a legal move, twice the same, and the position is left as it was. */
static void find_twice(const char *path, struct game *game, void *context)
{
    (void)path;
    (void)context;
    struct table table = sit_down(game);
    const struct search_order order = {.level = 3, .nodes = 600, .seed = 11};
    for (int plies = 0; plies < 16; plies += 5) {
        scatter(&table, plies);
        if (position_outcome(table.position).kind != OUTCOME_PLAYING)
            break;
        uint64_t hash = position_hash(table.position);
        struct search_answer answer = searcher_find(table.searcher, table.position, &order);
        struct search_answer again = searcher_find(table.searcher, table.position, &order);
        struct move move;
        assert_true(answer.found);
        assert_true(move_equal(answer.move, again.move));
        assert_int_equal(answer.nodes, again.nodes);
        assert_int_equal(answer.value, again.value);
        assert_true(move_is_pass(answer.move) ||
                    movegen_find(table.position, answer.move.from, answer.move.to,
                                 answer.move.choice, &move));
        assert_int_equal(position_hash(table.position), hash);
    }
    get_up(&table);
}

static void a_seed_finds_the_same_move_again(void **state)
{
    (void)state;
    assert_true(games_for_each(find_twice, NULL) > 0);
}

static bool stops_at_once(void *context)
{
    ++*(int *)context;
    return true;
}

static void it_can_be_stopped(void **state)
{
    (void)state;
    static const char *const files[] = {"games/chess.json", "games/hex.json"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct game *game = games_load_file(files[i], NULL);
        struct table table = sit_down(game);
        int asked = 0;
        const struct search_order order = {
            .level = SEARCH_LEVEL_MAX, .stopped = stops_at_once, .context = &asked};
        struct search_answer answer = searcher_find(table.searcher, table.position, &order);
        assert_true(answer.found);
        assert_true(answer.nodes < 2000);
        assert_int_equal(asked, 1);
        get_up(&table);
        game_release(game);
    }
}

static void nothing_is_found_where_the_game_is_over(void **state)
{
    (void)state;
    struct game *game = games_load_file("games/chess.json", NULL);
    struct table table = sit_down(game);
    const struct search_order order = {.level = 2};
    set_up(&table, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    assert_false(searcher_find(table.searcher, table.position, &order).found);
    get_up(&table);
    game_release(game);
}

/* --- beside chance ---------------------------------------------------------------------------- */

/* Whether the bot, who plays `seat`, has lost. */
static bool loses(struct table *table, const struct search_order *order, player_index seat,
                  uint64_t seed)
{
    struct move move;
    position_reset(table->position);
    for (player_index mover; (mover = position_to_move(table->position)) != PLAYER_NONE;) {
        if (mover == seat) {
            struct search_answer answer = searcher_find(table->searcher, table->position, order);
            if (!answer.found)
                break;
            move = answer.move;
        } else if (!random_move(table->position, &seed, table->moves, &move)) {
            break;
        }
        position_make(table->position, move, NULL);
    }
    struct outcome outcome = position_outcome(table->position);
    return outcome.kind == OUTCOME_WON && outcome.winner != seat;
}

/* As they were measured beside each other (tests/bench/README.md). */
static void each_game_is_searched_by_the_stronger_method(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        bool plays_out;
    } rows[] = {{"games/chess.json", false},       {"games/shogi.json", false},
                {"games/hex.json", true},          {"games/reversi.json", true},
                {"games/connect-four.json", true}, {"games/clobber.json", true},
                {"games/yavalath.json", false},    {"games/nine-mens-morris.json", false},
                {"games/antichess.json", false},   {"games/chinese-checkers.json", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct game *game = games_load_file(rows[i].file, NULL);
        struct judge *judge = judge_new(game);
        assert_int_equal(judge_plays_out(judge), rows[i].plays_out);
        judge_free(judge);
        game_release(game);
    }
}

static void random_play_never_beats_it(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        int nodes, games;
    } rows[] = {{"games/tic-tac-toe.json", 2000, 100}, {"games/hex.json", 600, 4},
                {"games/breakthrough.json", 600, 4},   {"games/connect-four.json", 600, 6},
                {"games/amazons.json", 2000, 2},       {"games/go-9.json", 400, 2},
                {"games/ataxx.json", 500, 6},          {"games/crazyhouse.json", 500, 6},
                {"games/minishogi.json", 500, 6},      {"games/clobber.json", 3500, 40}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct game *game = games_load_file(rows[i].file, NULL);
        struct table table = sit_down(game);
        for (int number = 0; number < rows[i].games; number++) {
            const struct search_order order = {.level = SEARCH_LEVEL_MAX,
                                               .nodes = (uint64_t)rows[i].nodes,
                                               .seed = (uint64_t)number};
            assert_false(loses(&table, &order, (player_index)(number % 2), (uint64_t)number));
        }
        get_up(&table);
        game_release(game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_mates_in_two),
        cmocka_unit_test(it_wins_won_endings),
        cmocka_unit_test(it_takes_what_wins_and_stops_what_would),
        cmocka_unit_test(it_passes_only_where_that_does_not_lose),
        cmocka_unit_test(it_tells_several_lines_the_best_first),
        cmocka_unit_test(of_few_moves_there_are_few_lines),
        cmocka_unit_test(a_value_is_a_share_of_the_points),
        cmocka_unit_test(a_low_level_slips_the_less_the_higher_it_is),
        cmocka_unit_test(a_seed_finds_the_same_move_again),
        cmocka_unit_test(it_can_be_stopped),
        cmocka_unit_test(nothing_is_found_where_the_game_is_over),
        cmocka_unit_test(each_game_is_searched_by_the_stronger_method),
        cmocka_unit_test(random_play_never_beats_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
