/* What holds in every game: each file in games/, and the originals where they are at hand, is
 * played at random. */
#include "tests/support/test.h"

#include "engine/explain.h"
#include "engine/random_move.h"
#include "engine/rules/interpreter.h"
#include "tests/engine/games.h"
#include "tests/engine/positions.h"

#include <stdlib.h>
#include <string.h>

enum {
    GAMES_OF_EACH = 6,
    PLIES_PROBED = 60,
    FIND_EVERY = 6,
    EXPLAIN_EVERY = 20,
    PAIRS_ASKED = 500
};

/* One game under test, with room for what every law needs. */
struct trial {
    struct game *game;
    struct position *position, *copy;
    struct undo *undo;
    struct move *moves, *here;
    int asked; /* how often all pairs of cells were asked about */
};

static struct trial trial_new(struct game *game)
{
    struct trial trial = {
        .game = game,
        .position = position_new(game),
        .copy = position_new(game),
        .undo = undo_new(game),
        .moves = calloc((size_t)game_facts(game)->moves_max + 1, sizeof *trial.moves),
    };
    trial.here = calloc((size_t)game_facts(game)->moves_max + 1, sizeof *trial.here);
    assert_non_null(trial.moves);
    assert_non_null(trial.here);
    return trial;
}

static void trial_free(struct trial *trial)
{
    free(trial->here);
    free(trial->moves);
    undo_free(trial->undo);
    position_free(trial->copy);
    position_free(trial->position);
}

static bool before(struct move a, struct move b)
{
    if (a.from != b.from)
        return a.from < b.from;
    return a.to != b.to ? a.to < b.to : a.choice < b.choice;
}

static void moves_are_sorted_and_each_is_found(struct trial *trial, int count)
{
    assert_true(count <= game_facts(trial->game)->moves_max);
    for (int i = 0; i < count; i++) {
        struct move move = trial->moves[i], found;
        if (i > 0)
            assert_true(before(trial->moves[i - 1], move));
        assert_true(movegen_find(trial->position, move.from, move.to, move.choice, &found));
        assert_true(move_equal(move, found));
        assert_int_equal(move.rule, found.rule);
    }
}

/* What may be asked of two cells: no choice, and one figure or every one to become. */
static bool is_listed(const struct trial *trial, int first, int count, uint8_t choice)
{
    struct move begin = trial->moves[first];
    for (int i = first;
         i < count && trial->moves[i].from == begin.from && trial->moves[i].to == begin.to; i++)
        if (trial->moves[i].choice == choice)
            return true;
    return false;
}

static void one_choice_is_found_if_listed(struct trial *trial, struct move asked, bool listed)
{
    struct move found;
    assert_int_equal(movegen_find(trial->position, asked.from, asked.to, asked.choice, &found),
                     listed);
}

static void one_choice_is_explained(struct trial *trial, struct move asked, bool listed)
{
    struct explanation why;
    position_explain(trial->position, asked.from, asked.to, asked.choice, &why);
    if ((why.verdict == VERDICT_LEGAL) != listed)
        fail_msg("%s to %s (%u): \"%s\", but it is %slisted",
                 asked.from == CELL_NONE ? "-" : game_facts(trial->game)->cells[asked.from].name,
                 asked.to == CELL_NONE ? "-" : game_facts(trial->game)->cells[asked.to].name,
                 asked.choice, why.words, listed ? "" : "not ");
    assert_string_not_equal(why.words, "");
    if (listed && asked.from != CELL_NONE)
        assert_true(why.pointer_count > 0);
    assert_true(position_equal(trial->position, trial->copy));
}

typedef void (*ask_function)(struct trial *trial, struct move asked, bool listed);

/* Asks about one pair of cells: where a move is listed, at `next`, about every choice, else about one. */
static void ask_about_pair(struct trial *trial, struct move asked, int next, int count,
                           ask_function ask)
{
    int figures = game_facts(trial->game)->figure_count;
    bool here =
        next < count && trial->moves[next].from == asked.from && trial->moves[next].to == asked.to;
    ask(trial, asked, here && is_listed(trial, next, count, CHOICE_NONE));
    int first = here ? 0 : (asked.from + asked.to) % figures, last = here ? figures : first + 1;
    for (int figure = first; figure < last; figure++) {
        asked.choice = (uint8_t)figure;
        ask(trial, asked, here && is_listed(trial, next, count, asked.choice));
    }
}

/* The first move from `next` on that comes after all of `from` to `to`. */
static int behind(const struct trial *trial, int next, int count, int from, int to)
{
    while (next < count && move_has_cells(trial->moves[next]) &&
           (trial->moves[next].from < from ||
            (trial->moves[next].from == from && trial->moves[next].to <= to)))
        next++;
    return next;
}

/* Asks about pairs of cells: all from some of the cells where there are many, and from others each time. */
static void ask_about_all(struct trial *trial, int count, ask_function ask)
{
    int next = 0, cells = game_facts(trial->game)->cell_count;
    int every = 1 + cells * cells / PAIRS_ASKED, turn = trial->asked++ % every;
    for (int from = 0; from < cells; from++) {
        for (int to = 0; to < cells && from % every == turn; to++) {
            struct move asked = {
                .from = (cell_index)from, .to = (cell_index)to, .choice = CHOICE_NONE};
            ask_about_pair(trial, asked, next, count, ask);
            next = behind(trial, next, count, from, to);
        }
        next = behind(trial, next, count, from, cells);
    }
    for (int to = 0; to < cells; to++) { /* from nowhere */
        struct move asked = {.from = CELL_NONE, .to = (cell_index)to, .choice = CHOICE_NONE};
        ask_about_pair(trial, asked, next, count, ask);
        next = behind(trial, next, count, CELL_NONE, to);
    }
    bool swaps = next < count && move_is_swap(trial->moves[next]);
    struct move swap = {.from = CELL_NONE, .to = CELL_NONE, .choice = CHOICE_SWAP};
    ask(trial, swap, swaps);
    next += swaps;
    bool passes = next < count;
    struct move pass = {.from = CELL_NONE, .to = CELL_NONE, .choice = CHOICE_NONE};
    ask(trial, pass, passes);
    assert_int_equal(next + passes, count);
}

static void what_is_not_listed_is_not_found(struct trial *trial, int count)
{
    ask_about_all(trial, count, one_choice_is_found_if_listed);
}

static void explanations_agree_with_the_list(struct trial *trial, int count)
{
    position_copy(trial->copy, trial->position);
    ask_about_all(trial, count, one_choice_is_explained);
}

static void all_ways_of_asking_agree(struct trial *trial, int count)
{
    struct move *here = trial->here;
    assert_int_equal(movegen_count(trial->position), count);
    assert_int_equal(movegen_any(trial->position), count > 0);
    int next = 0;
    for (int from = 0; from < game_facts(trial->game)->cell_count; from++) {
        int found = movegen_from(trial->position, (cell_index)from, here);
        for (int i = 0; i < found; i++)
            assert_true(move_equal(here[i], trial->moves[next++]));
    }
    while (next < count && move_is_placement(trial->moves[next]))
        next++;
    if (next < count && move_is_swap(trial->moves[next]))
        next++;
    if (next < count)
        assert_true(move_is_pass(trial->moves[next++]));
    assert_int_equal(next, count);
    assert_int_equal(interpreter_moves(trial->position, here), count);
    for (int i = 0; i < count; i++)
        assert_true(move_equal(here[i], trial->moves[i]));
}

static void each_move_can_be_taken_back(struct trial *trial, int count)
{
    for (int i = 0; i < count; i++) {
        position_copy(trial->copy, trial->position);
        position_make(trial->position, trial->moves[i], trial->undo);
        assert_int_equal(position_hash(trial->position),
                         position_hash_from_scratch(trial->position));
        assert_int_equal(position_ply(trial->position), position_ply(trial->copy) + 1);
        assert_false(position_equal(trial->position, trial->copy));
        position_unmake(trial->position, trial->undo);
        assert_true(position_equal(trial->position, trial->copy));
        assert_int_equal(position_hash(trial->position), position_hash(trial->copy));
        assert_int_equal(position_ply(trial->position), position_ply(trial->copy));
    }
}

static void set_up_by_hand(struct trial *trial)
{
    const struct position *from = trial->position;
    position_clear(trial->copy);
    for (int i = 0; i < game_facts(trial->game)->cell_count; i++) {
        position_put(trial->copy, (cell_index)i, position_contents(from, (cell_index)i));
        if (position_unmoved(from, (cell_index)i))
            position_set_unmoved(trial->copy, (cell_index)i);
    }
    for (int i = 0; i < game_facts(trial->game)->mark_count; i++) {
        cell_index cell = 0, maker = 0;
        if (position_mark(from, i, &cell, &maker))
            position_set_mark(trial->copy, i, cell, maker);
    }
    for (int i = 0; i < game_facts(trial->game)->counter_slot_count; i++)
        position_set_counter(trial->copy, i, position_counter(from, i));
    for (int i = 0; i < game_facts(trial->game)->player_count && game_facts(trial->game)->has_hands;
         i++)
        for (int k = 0; k < game_facts(trial->game)->figure_count; k++)
            position_set_hand(trial->copy, (player_index)i, (figure_index)k,
                              position_hand(from, (player_index)i, (figure_index)k));
}

/* Not what the hands cannot say: the middle of a turn, the last move where it counts, places and results. */
static void what_is_set_up_by_hand_is_equal(struct trial *trial)
{
    if (!position_stands_alone(trial->position))
        return;
    set_up_by_hand(trial);
    assert_true(position_set_turn(trial->copy, position_state(trial->position),
                                  position_move_number(trial->position)));
    assert_true(position_equal(trial->copy, trial->position));
    assert_int_equal(position_hash(trial->copy), position_hash(trial->position));
}

static void the_outcome_fits(struct trial *trial, int count)
{
    struct outcome outcome = position_outcome(trial->position);
    assert_non_null(outcome.reason);
    if (count > 0) {
        assert_int_equal(outcome.kind, OUTCOME_PLAYING);
        assert_int_not_equal(position_to_move(trial->position), PLAYER_NONE);
    } else {
        assert_int_not_equal(outcome.kind, OUTCOME_PLAYING);
        assert_string_not_equal(outcome.reason, "");
    }
    assert_int_equal(outcome.kind == OUTCOME_WON, outcome.winner != PLAYER_NONE);
}

/* Plays one game to its end; returns a number that tells this game from every other. */
static uint64_t play(struct trial *trial, uint64_t seed)
{
    uint64_t trail = 0;
    struct move move;
    position_reset(trial->position);
    while (true) {
        int count = movegen_all(trial->position, trial->moves);
        moves_are_sorted_and_each_is_found(trial, count);
        the_outcome_fits(trial, count);
        if (position_ply(trial->position) < PLIES_PROBED) {
            if (position_ply(trial->position) % FIND_EVERY == seed % FIND_EVERY)
                what_is_not_listed_is_not_found(trial, count);
            if (position_ply(trial->position) % EXPLAIN_EVERY == seed % EXPLAIN_EVERY)
                explanations_agree_with_the_list(trial, count);
            all_ways_of_asking_agree(trial, count);
            each_move_can_be_taken_back(trial, count);
            what_is_set_up_by_hand_is_equal(trial);
        }
        if (count == 0)
            break;
        move = trial->moves[test_random(&seed) % (unsigned)count];
        assert_true(position_ply(trial->position) < PLIES_MAX);
        position_make(trial->position, move, NULL);
        trail = trail * 31 + position_hash(trial->position);
    }
    return trail;
}

static void play_all(const char *path, struct game *game, void *context)
{
    (void)context;
    print_message("%s\n", path);
    struct trial trial = trial_new(game);
    for (uint64_t seed = 0; seed < GAMES_OF_EACH; seed++)
        play(&trial, seed);
    trial_free(&trial);
}

static void the_laws_hold_in_every_game(void **state)
{
    (void)state;
    assert_true(games_for_each(play_all, NULL) >= 3);
}

static void play_twice(const char *path, struct game *game, void *context)
{
    (void)context;
    struct trial trial = trial_new(game);
    struct game *again = games_load_file(path, NULL);
    struct trial other = trial_new(again);
    assert_int_equal(play(&trial, 7), play(&other, 7));
    assert_int_not_equal(play(&trial, 7), play(&trial, 8));
    trial_free(&other);
    trial_free(&trial);
    game_release(again);
}

static void the_same_seed_plays_the_same_game_with_the_same_hashes(void **state)
{
    (void)state;
    assert_true(games_for_each(play_twice, NULL) >= 3);
}

/* Save and load change nothing also where no game leads. */
static void scatter(const char *path, struct game *game, void *context)
{
    print_message("%s\n", path);
    (void)context;
    struct trial trial = trial_new(game);
    uint64_t seed = 11;
    for (int i = 0; i < 40; i++) {
        games_scatter(trial.position, &seed);
        if (position_to_move(trial.position) == PLAYER_NONE)
            continue;
        int count = movegen_all(trial.position, trial.moves);
        moves_are_sorted_and_each_is_found(&trial, count);
        what_is_not_listed_is_not_found(&trial, count);
        if (i % 8 == 0)
            explanations_agree_with_the_list(&trial, count);
        all_ways_of_asking_agree(&trial, count);
        each_move_can_be_taken_back(&trial, count);
        what_is_set_up_by_hand_is_equal(&trial);
    }
    trial_free(&trial);
}

static void the_laws_hold_in_positions_no_game_leads_to(void **state)
{
    (void)state;
    assert_true(games_for_each(scatter, NULL) >= 3);
}

static void names_lead_back_to_what_they_name(const char *path, struct game *game, void *context)
{
    (void)path;
    (void)context;
    for (int i = 0; i < game_facts(game)->cell_count; i++) {
        cell_index cell = (cell_index)i;
        const char *name = game_facts(game)->cells[cell].name;
        assert_int_equal(game_find_cell(game, name, strlen(name)), cell);
        assert_int_equal(game_cell_at(game, game_facts(game)->cells[cell].coordinates), cell);
    }
    for (int i = 0; i < game_facts(game)->figure_count; i++) {
        const char *name = game_facts(game)->figure_names[i];
        assert_int_equal(game_find_figure(game, name, strlen(name)), i);
    }
    for (int i = 0; i < game_facts(game)->player_count; i++) {
        const char *name = game_facts(game)->player_names[i];
        assert_int_equal(game_find_player(game, name, strlen(name)), i);
    }
    for (int i = 0; i < game_facts(game)->state_count; i++) {
        state_index state = 0;
        const char *name = game_state_name(game, (state_index)i);
        assert_true(game_find_state(game, name, strlen(name), &state));
        assert_int_equal(state, i);
    }
    assert_int_equal(game_find_cell(game, "no such cell", 12), CELL_NONE);
    assert_int_equal(game_find_figure(game, "", 0), FIGURE_NONE);
    assert_int_equal(game_find_player(game, "nobody", 6), PLAYER_NONE);
}

static void every_name_is_found(void **state)
{
    (void)state;
    assert_true(games_for_each(names_lead_back_to_what_they_name, NULL) >= 3);
}

enum { SMALL_CELLS = 128, SMALL_BYTES = 1024 * 1024, SMALL_POSITION_BYTES = 4096 };

/* Up to 128 cells, twice the board of chess, a game is at most 1 MiB, and the value of a position of go at most 4 KiB. */
static void a_game_is_small(const char *path, struct game *game, void *context)
{
    (void)context;
    if (game_facts(game)->cell_count <= SMALL_CELLS && game_bytes(game) > SMALL_BYTES)
        fail_msg("%s takes %zu KiB", path, game_bytes(game) / 1024);
    if (strcmp(path, "games/go.json") == 0) {
        struct position *position = position_new(game);
        assert_in_range(position_saved_bytes(position), 1, SMALL_POSITION_BYTES);
        position_free(position);
    }
}

static void games_and_positions_are_small(void **state)
{
    (void)state;
    assert_true(games_for_each(a_game_is_small, NULL) >= 3);
}

/* Back by the move before last, if that can be, so that positions come again; or a move by chance. */
static bool go_back_and_forth(struct position *position, uint64_t *seed, struct move *moves,
                              struct move before_last, struct move *move)
{
    return (move_has_cells(before_last) && !move_is_placement(before_last) &&
            movegen_find(position, before_last.to, before_last.from, CHOICE_NONE, move)) ||
           random_move(position, seed, moves, move);
}

/* What has been counts in a copy, and in what was saved, as it does in the position itself. */
static void go_on_alike(const char *path, struct game *game, void *context)
{
    enum { COPY_PLIES = 60, COPIED_EVERY = 5 };
    struct position *positions[3]; /* the position, a copy, what was saved */
    struct move *moves = calloc((size_t)game_facts(game)->moves_max + 1, sizeof *moves), move;
    struct move made[2] = {move_pass, move_pass};
    uint64_t seed = 23;
    (void)context;
    for (int i = 0; i < 3; i++)
        positions[i] = position_new(game);
    for (int ply = 0; ply < COPY_PLIES; ply++) {
        if (ply % COPIED_EVERY == 0) {
            void *bytes = malloc(position_saved_bytes(positions[0]));
            assert_non_null(bytes);
            position_save(positions[0], bytes);
            position_copy(positions[1], positions[0]);
            position_restore(positions[2], bytes);
            free(bytes);
        }
        enum outcome_kind kind = position_outcome(positions[0]).kind;
        if (position_outcome(positions[1]).kind != kind ||
            position_outcome(positions[2]).kind != kind)
            fail_msg("%s: a copy ends otherwise after %d plies", path, ply);
        if (kind != OUTCOME_PLAYING ||
            !go_back_and_forth(positions[0], &seed, moves, made[ply % 2], &move))
            break;
        made[ply % 2] = move;
        for (int i = 0; i < 3; i++)
            position_make(positions[i], move, NULL);
    }
    for (int i = 0; i < 3; i++)
        position_free(positions[i]);
    free(moves);
}

static void copies_go_on_as_the_position_does(void **state)
{
    (void)state;
    assert_true(games_for_each(go_on_alike, NULL) >= 3);
}

/* With an argument: only the tests whose name it is a pattern for. */
int main(int argument_count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_laws_hold_in_every_game),
        cmocka_unit_test(the_laws_hold_in_positions_no_game_leads_to),
        cmocka_unit_test(the_same_seed_plays_the_same_game_with_the_same_hashes),
        cmocka_unit_test(every_name_is_found),
        cmocka_unit_test(copies_go_on_as_the_position_does),
        cmocka_unit_test(games_and_positions_are_small),
    };
    if (argument_count > 1)
        cmocka_set_test_filter(arguments[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
