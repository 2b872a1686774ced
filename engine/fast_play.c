#include "engine/fast_play.h"

#include "engine/memory/memory.h"
#include "engine/turn_ends.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A line of more moves than there are levels, all its turns together, counts as ended there. */
enum { LEVELS_MAX = 256, TREE_DEPTH_MAX = 32, TAG_MARK = 8, TAG_RIGHTS };

/* One position. The words lie as in a position; behind them the codes by cell. */
struct stand {
    uint64_t hash, rights;
    state_index state;
    player_index player; /* to move; PLAYER_NONE: an end state */
    player_index mover;  /* who moved last */
    uint8_t phase;
    bool same_figure; /* only the figure on `stands` may move */
    bool going_on;    /* so it is, within its turn */
    uint8_t result;   /* 1 + the result that has ended the game; 0: none */
    bool material;
    uint32_t ply;
    uint32_t history; /* the ply from which on positions may come again */
    struct {
        cell_index from, to, stands;
        uint8_t code, taken;
        bool complex;
    } last;
    struct mark marks[MARKS_MAX];
    int16_t counters[COUNTER_SLOTS_MAX];
    uint64_t words[];
};

struct fast_play {
    struct game *game;
    size_t stand_bytes, codes_offset; /* the codes, counted from the stand's begin */
    unsigned char *stands;            /* LEVELS_MAX of them; the first is where it began */
    struct move *moves;               /* of each level */
    uint64_t *keys;                   /* by ply, from the beginning on; for repetition */
    bool repeats;                     /* a position may come often enough to end the game */
    bool keyed;                       /* so hashes are kept, or to know turns that end alike */
    uint32_t first_ply;
    size_t move_room;
    /* What has to be looked at after each move: in a tree of a few plies most counters end nothing. */
    bool counts;
    int looked_count[PLAYERS_MAX];
    uint8_t looked[PLAYERS_MAX][RESULTS_MAX];
};

static struct stand *level(const struct fast_play *play, int number)
{
    return (struct stand *)(void *)(play->stands + (size_t)number * play->stand_bytes);
}

static inline uint8_t *codes_of(const struct fast_play *play, struct stand *stand)
{
    return (uint8_t *)stand + play->codes_offset;
}

/* --- memory --------------------------------------------------------------------------------------------------------- */

static size_t set_count(const struct game *game)
{
    return (size_t)game->player_count + (size_t)game->figure_count + (game->continues ? 3 : 1);
}

struct fast_play *fast_play_new(const struct game *game)
{
    if (game->format != 2 || game->fast == NULL || game->fast->rules == NULL)
        return NULL;
    struct fast_play *play = memory_zeroed(1, sizeof *play);
    play->game = game_retain((struct game *)game);
    size_t words = set_count(game) * (size_t)game->words;
    play->codes_offset = sizeof(struct stand) + words * sizeof(uint64_t);
    play->stand_bytes = (play->codes_offset + (size_t)game->cell_count + 63) / 64 * 64;
    play->stands = memory_zeroed(LEVELS_MAX, play->stand_bytes);
    play->move_room = (size_t)game->moves_max + 1;
    play->moves = memory_zeroed(LEVELS_MAX * play->move_room, sizeof *play->moves);
    play->keys = memory_zeroed(LEVELS_MAX, sizeof *play->keys);
    return play;
}

void fast_play_free(struct fast_play *play)
{
    if (play == NULL)
        return;
    game_release(play->game);
    free(play->stands);
    free(play->moves);
    free(play->keys);
    free(play);
}

/* --- rights and keys ------------------------------------------------------------------------------------------------ */

static uint64_t *unmoved_words(const struct game *game, struct stand *stand)
{
    return stand->words + (size_t)(game->player_count + game->figure_count) * (size_t)game->words;
}

/* What not having moved still gives. */
static uint64_t hash_rights(const struct game *game, struct stand *stand)
{
    const uint64_t *unmoved = unmoved_words(game, stand);
    uint64_t held = 0;
    for (int i = 0; game->unmoved_is_key && i < game->words; i++)
        held = hash_mix(held ^ unmoved[i]);
    for (int i = 0; !game->unmoved_is_key && i < game->right_count; i++) {
        const uint64_t *right = game->rights + (size_t)i * (size_t)game->words;
        bool whole = true;
        for (int w = 0; w < game->words; w++)
            whole &= (right[w] & ~unmoved[w]) == 0;
        held |= (uint64_t)whole << i;
    }
    return hash_mix(held ^ (uint64_t)TAG_RIGHTS << 56);
}

static void look(const struct fast_play *play, struct stand *stand, struct fast_view *view)
{
    *view = (struct fast_view){.game = play->game,
                               .words = stand->words,
                               .marks = stand->marks,
                               .player = stand->player,
                               .phase = stand->phase,
                               .going_on = stand->going_on,
                               .only = stand->same_figure || stand->going_on ? stand->last.stands
                                                                             : CELL_NONE};
}

/* Whether some figure of the player to move may take by the mark. */
static bool mark_counts(const struct fast_play *play, struct stand *stand, int mark)
{
    if (stand->player == PLAYER_NONE)
        return false;
    struct fast_view view;
    look(play, stand, &view);
    return fast_takes_by_mark(&view, mark);
}

static uint64_t key_of(const struct fast_play *play, struct stand *stand)
{
    const struct game *game = play->game;
    uint64_t key = stand->hash ^ stand->rights ^ fast_state_key(stand->state);
    for (int i = 0; i < game->mark_count; i++)
        if (stand->marks[i].cell != CELL_NONE && mark_counts(play, stand, i))
            key ^= hash_mix((uint64_t)TAG_MARK << 56 | (uint64_t)i << 16 | stand->marks[i].cell);
    for (int i = 0; i < game->counter_count; i++) {
        const struct counter_rule *counter = &game->counters[i];
        for (int k = 0; counter->in_key && k < (counter->per_player ? game->player_count : 1); k++)
            key = hash_mix(key ^ (uint16_t)stand->counters[counter->first_slot + k]);
    }
    return key;
}

/* --- tests ---------------------------------------------------------------------------------------------------------- */

struct question {
    const struct fast_play *play;
    struct stand *stand;
};

static inline uint64_t united(const uint64_t *words, const uint16_t *sets, int count)
{
    uint64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum |= words[sets[i]];
    return sum;
}

/* One word of the cells whose contents a COUNT is about. */
static inline uint64_t counted_word(const struct question *question, const struct fast_test *test,
                                    int word)
{
    const struct game *game = question->play->game;
    const uint64_t *words = question->stand->words + word;
    player_index next = question->stand->player;
    uint64_t cells = 0;
    if (test->player_set_count > 0)
        cells = united(words, test->player_sets, test->player_set_count);
    else if (test->every_player)
        cells = UINT64_MAX;
    if (test->next_player && next != PLAYER_NONE)
        cells |= words[(size_t)next * (size_t)game->words];
    if (!test->every_figure)
        cells &= united(words, test->figure_sets, test->figure_set_count);
    if (test->empty) {
        uint64_t occupied = 0;
        for (int i = 0; i < game->player_count; i++)
            occupied |= words[(size_t)i * (size_t)game->words];
        cells |= game->cell_sets[word] & ~occupied;
    }
    return test->cells != NULL ? cells & test->cells[word] : cells;
}

static bool count_holds(const struct question *question, const struct fast_test *test)
{
    int64_t count = 0;
    for (int i = 0; i < question->play->game->words; i++) {
        uint64_t cells = counted_word(question, test, i);
        if (cells == 0)
            continue;
        if (test->max == 0)
            return false;
        if (test->min == 1 && test->max == INT32_MAX)
            return true;
        count += word_count(cells);
    }
    return count >= test->min && count <= test->max;
}

static bool previous_holds(const struct question *question, const struct fast_test *test)
{
    const struct game *game = question->play->game;
    const struct stand *stand = question->stand;
    unsigned code = stand->last.code, taken = stand->last.taken;
    if (code == 0 || (test->figures >> game->code_figures[code] & 1) == 0 ||
        (test->players >> game->code_players[code] & 1) == 0)
        return false;
    if ((test->from != NULL && !bits_test(test->from, stand->last.from)) ||
        (test->to != NULL && !bits_test(test->to, stand->last.to)) ||
        (test->complex >= 0 && (test->complex != 0) != stand->last.complex))
        return false;
    if (test->took < 0)
        return true;
    bool took = taken != 0 && (test->taken >> game->code_figures[taken] & 1) != 0;
    return test->took == 0 ? taken == 0 : took;
}

static bool attacked_holds(const struct question *question, const struct fast_test *test)
{
    const struct game *game = question->play->game;
    unsigned players = test->players;
    if (test->next_player && question->stand->player != PLAYER_NONE)
        players |= 1U << question->stand->player;
    for (int player = 0; player < game->player_count; player++) {
        struct fast_view view;
        look(question->play, question->stand, &view);
        view.player = (player_index)player;
        if ((players >> player & 1) != 0 && fast_attacked(&view, test->figures, test->cells))
            return true;
    }
    return false;
}

static int occurrences(const struct question *question)
{
    const struct fast_play *play = question->play;
    const struct stand *stand = question->stand;
    if (!play->repeats)
        return 1;
    uint64_t key = play->keys[stand->ply];
    int count = 1;
    for (uint32_t ply = stand->ply; ply-- > stand->history;)
        count += play->keys[ply] == key;
    return count;
}

static bool leaf_holds(const struct question *question, const struct fast_test *test)
{
    const struct stand *stand = question->stand;
    int64_t number = 0;
    switch ((enum fast_test_kind)test->kind) {
    case FAST_TEST_COUNT:
        return count_holds(question, test);
    case FAST_TEST_PREVIOUS:
        return previous_holds(question, test);
    case FAST_TEST_COUNTER:
        if (test->slot >= 0)
            number = stand->counters[test->slot];
        else if (stand->player != PLAYER_NONE)
            number = stand->counters[test->first_slot + stand->player];
        return number >= test->min && number <= test->max;
    case FAST_TEST_NEXT:
        return stand->player != PLAYER_NONE && (test->players >> stand->player & 1) != 0;
    case FAST_TEST_ATTACKED:
        return attacked_holds(question, test);
    case FAST_TEST_REPETITION:
        return occurrences(question) >= test->min;
    case FAST_TEST_NO_MOVES:
        return false; /* where there are no moves the tree ends anyway */
    default:
        assert(false);
        return false;
    }
}

// NOLINTNEXTLINE(misc-no-recursion): conditions nest, to a bound
static bool holds(const struct question *question, const struct fast_test *test)
{
    if (test->kind > FAST_TEST_NOT)
        return leaf_holds(question, test);
    if (test->kind == FAST_TEST_NOT)
        return !holds(question, test->children);
    bool every = test->kind == FAST_TEST_ALL;
    for (int i = 0; i < test->child_count; i++)
        if (holds(question, &test->children[i]) != every)
            return !every;
    return every;
}

/* --- moving --------------------------------------------------------------------------------------------------------- */

static inline void lift(const struct fast_play *play, struct stand *stand, cell_index cell)
{
    const struct game *game = play->game;
    uint8_t *codes = codes_of(play, stand);
    unsigned code = codes[cell];
    if (code == 0)
        return;
    size_t words = (size_t)game->words;
    bits_reset(stand->words + game->code_players[code] * words, cell);
    bits_reset(stand->words + (size_t)(game->player_count + game->code_figures[code]) * words,
               cell);
    codes[cell] = 0;
    uint64_t *unmoved = unmoved_words(game, stand);
    bool first = bits_test(unmoved, cell);
    bits_reset(unmoved, cell);
    if (!play->keyed)
        return;
    stand->hash ^= game->keys[code * (size_t)game->cell_count + cell];
    if (first)
        stand->rights = hash_rights(game, stand);
}

/* On an empty cell. */
static inline void place(const struct fast_play *play, struct stand *stand, cell_index cell,
                         unsigned code)
{
    const struct game *game = play->game;
    size_t words = (size_t)game->words;
    bits_set(stand->words + game->code_players[code] * words, cell);
    bits_set(stand->words + (size_t)(game->player_count + game->code_figures[code]) * words, cell);
    if (play->keyed)
        stand->hash ^= game->keys[code * (size_t)game->cell_count + cell];
    codes_of(play, stand)[cell] = (uint8_t)code;
}

static void make_complex(const struct fast_play *play, struct stand *stand, struct move move,
                         unsigned code)
{
    const struct fast_mover *mover = &play->game->fast->movers[code - 1];
    const struct fast_complex *complex = mover->complex + mover->complex_starts[move.from];
    while (complex->rule != move.rule)
        complex++;
    for (int i = 0; i < complex->participant_count; i++)
        lift(play, stand, complex->participants[i].source);
    for (int i = 0; i < complex->participant_count; i++)
        place(play, stand, complex->participants[i].destination, complex->participants[i].code);
    stand->last.complex = true;
}

/* What the figure is after the move. */
static unsigned become(const struct fast_play *play, struct stand *stand,
                       const struct fast_group *group, struct move move, unsigned code)
{
    const struct game *game = play->game;
    if (group->promotion == 0)
        return code;
    const struct fast_promotion *promotion = &game->fast->promotions[group->promotion];
    figure_index figure = move.choice;
    if (figure == CHOICE_NONE)
        figure = promotion->becomes;
    if (figure == FIGURE_NONE || promotion->turn_ends || !bits_test(promotion->cells, move.to))
        return code;
    stand->material = true;
    return game_code(game, figure, game->code_players[code]);
}

/* The cell between, of a movement of two steps. */
static cell_index passed_cell(const struct game *game, const struct fast_group *group,
                              struct move move)
{
    if (group->shape == FAST_SHIFT)
        return (cell_index)(move.from + group->middle);
    size_t words = (size_t)game->words;
    for (uint32_t i = group->starts[move.from]; i < group->starts[move.from + 1]; i++) {
        const uint64_t *entry = group->table + (size_t)i * 2 * words;
        if (!bits_test(entry + words, move.to))
            continue;
        for (size_t w = 0; w < words; w++)
            if (entry[w] != 0)
                return (cell_index)(w * WORD_BITS + word_lowest(entry[w]));
    }
    assert(false);
    return CELL_NONE;
}

/* The first is right for all but shifts, which have a group for each difference of numbers. */
static const struct fast_group *move_group(const struct fast_mover *mover, struct move move)
{
    const struct fast_group *group = &mover->groups[mover->rule_groups[move.rule]];
    while (group->shape == FAST_SHIFT &&
           (move.from + group->offset != move.to || !bits_test(group->from, move.from)))
        group++;
    return group;
}

/* The nearest of some cells in the sense of a ray. */
static cell_index nearest(const uint64_t *ray, const uint64_t *cells, size_t words, bool falling)
{
    for (size_t i = 0; i < words; i++) {
        size_t word = falling ? words - 1 - i : i;
        uint64_t here = ray[word] & cells[word];
        if (here != 0)
            return (cell_index)(word * WORD_BITS +
                                (falling ? word_highest(here) : word_lowest(here)));
    }
    return CELL_NONE;
}

/* Whom a jump takes. */
static cell_index jumped_cell(const struct game *game, const struct stand *stand,
                              const struct fast_group *group, struct move move)
{
    if (group->shape != FAST_JUMP)
        return passed_cell(game, group, move);
    size_t words = (size_t)game->words, all = (size_t)(group->rising + group->falling);
    uint64_t occupied[WORDS_MAX] = {0};
    for (int player = 0; player < game->player_count; player++)
        for (size_t i = 0; i < words; i++)
            occupied[i] |= stand->words[(size_t)player * words + i];
    for (size_t i = 0; i < all; i++) {
        const uint64_t *ray = group->table + ((size_t)move.from * all + i) * words;
        if (bits_test(ray, move.to))
            return nearest(ray, occupied, words, i >= group->rising);
    }
    assert(false);
    return CELL_NONE;
}

static uint64_t *pending_words(const struct game *game, struct stand *stand)
{
    return unmoved_words(game, stand) + game->words;
}

static void make_jump(const struct fast_play *play, struct stand *stand, struct move move,
                      const struct fast_group *group, unsigned code)
{
    const struct game *game = play->game;
    cell_index jumped = jumped_cell(game, stand, group, move);
    unsigned after = become(play, stand, group, move, code);
    stand->last.taken = codes_of(play, stand)[jumped];
    stand->material = true;
    stand->history = game->takes_are_final ? stand->ply : stand->history;
    if (game->remove_at_turn_end)
        bits_set(pending_words(game, stand), jumped);
    else
        lift(play, stand, jumped);
    lift(play, stand, move.from);
    place(play, stand, move.to, after);
}

/* Whether the figure that has just jumped jumps on. */
static bool goes_on(const struct fast_play *play, struct stand *stand,
                    const struct fast_group *group)
{
    const struct game *game = play->game;
    if (group->continues == GOES_ON_NEVER)
        return false;
    unsigned code = codes_of(play, stand)[stand->last.to];
    const struct fast_promotion *promotion = &game->fast->promotions[group->promotion];
    if (group->promotion != 0 && promotion->stops && !promotion->turn_ends &&
        code != stand->last.code)
        return false;
    struct fast_view view;
    look(play, stand, &view);
    view.only = stand->last.to;
    view.going_on = true;
    return fast_jumps_on(&view, game->code_figures[code]);
}

/* What was taken leaves, and what waits for the end of the turn to be promoted is. */
static void end_turn(const struct fast_play *play, struct stand *stand,
                     const struct fast_group *group)
{
    const struct game *game = play->game;
    uint64_t *pending = pending_words(game, stand);
    for (int i = 0; game->continues && i < game->words; i++)
        for (; pending[i] != 0; pending[i] &= pending[i] - 1)
            lift(play, stand, (cell_index)((unsigned)i * WORD_BITS + word_lowest(pending[i])));
    const struct fast_promotion *promotion = &game->fast->promotions[group->promotion];
    unsigned code = codes_of(play, stand)[stand->last.to];
    if (group->promotion == 0 || !promotion->turn_ends ||
        !bits_test(promotion->cells, stand->last.to) || promotion->becomes == FIGURE_NONE)
        return;
    stand->material = true;
    lift(play, stand, stand->last.to);
    place(play, stand, stand->last.to,
          game_code(game, promotion->becomes, game->code_players[code]));
}

static void make_simple(const struct fast_play *play, struct stand *stand, struct move move,
                        const struct fast_group *group, unsigned code)
{
    const struct game *game = play->game;
    uint8_t *codes = codes_of(play, stand);
    if (group->purpose == FOR_PUT) {
        stand->last.stands = move.from;
        stand->material = true;
        place(play, stand, move.to, group->put_code);
        return;
    }
    unsigned other = codes[move.to];
    cell_index victim = other != 0 ? move.to : CELL_NONE;
    if (group->takes_marked >= 0 && other == 0 && stand->marks[group->takes_marked].cell == move.to)
        victim = stand->marks[group->takes_marked].maker;
    unsigned after = become(play, stand, group, move, code);
    lift(play, stand, move.from);
    if (group->purpose == FOR_SWAP) {
        lift(play, stand, move.to);
        place(play, stand, move.from, other);
    } else if (victim != CELL_NONE) {
        stand->last.taken = codes[victim];
        stand->material = true;
        stand->history = game->takes_are_final ? stand->ply : stand->history;
        lift(play, stand, victim);
    }
    place(play, stand, move.to, after);
}

static void clear_marks(const struct game *game, struct stand *stand)
{
    for (int i = 0; i < game->mark_count; i++)
        stand->marks[i] = (struct mark){.cell = CELL_NONE, .maker = CELL_NONE};
}

static void count(struct question *question)
{
    const struct game *game = question->play->game;
    struct stand *stand = question->stand;
    for (int i = 0; i < game->counter_count; i++) {
        const struct counter_rule *counter = &game->counters[i];
        const struct fast_test *add = game->fast->rules->counters[i].add[stand->mover];
        const struct fast_test *reset = game->fast->rules->counters[i].reset[stand->mover];
        int16_t *slot =
            &stand->counters[counter->first_slot + (counter->per_player ? stand->mover : 0)];
        if (reset != NULL && holds(question, reset))
            *slot = (int16_t)counter->start;
        else if (add != NULL && *slot < COUNTER_VALUE_MAX && holds(question, add))
            ++*slot;
    }
}

static void look_at_results(struct question *question)
{
    const struct fast_play *play = question->play;
    const struct game *game = play->game;
    struct stand *stand = question->stand;
    const struct result_rule *results = game->results[stand->mover];
    const struct fast_test *tests = game->fast->rules->results[stand->mover];
    for (int k = 0; k < play->looked_count[stand->mover]; k++) {
        int i = play->looked[stand->mover][k];
        if ((results[i].material && !stand->material) || !holds(question, &tests[i]))
            continue;
        stand->result = (uint8_t)(i + 1);
        return;
    }
}

/* Whether a count may be as low as asked within so many moves: one takes a figure and makes another of its own, at most. */
static bool may_fall_to(const struct fast_play *play, const struct fast_test *test, int moves)
{
    struct question question = {.play = play, .stand = level(play, 0)};
    int64_t count = 0;
    if (test->cells != NULL || test->empty || test->next_player)
        return true;
    for (int i = 0; i < play->game->words; i++)
        count += word_count(counted_word(&question, test, i));
    return count - 2 * (int64_t)moves <= test->max;
}

/* Whether a test may come to hold within so many moves from where the play began. */
// NOLINTNEXTLINE(misc-no-recursion): conditions nest, to a bound
static bool may_hold(const struct fast_play *play, const struct fast_test *test, int moves)
{
    const struct stand *stand = level(play, 0);
    bool some = test->kind != FAST_TEST_ANY;
    int most = 0;
    switch ((enum fast_test_kind)test->kind) {
    case FAST_TEST_ALL:
        for (int i = 0; i < test->child_count; i++)
            some = some && may_hold(play, &test->children[i], moves);
        return some;
    case FAST_TEST_ANY:
        for (int i = 0; i < test->child_count; i++)
            some = some || may_hold(play, &test->children[i], moves);
        return some;
    case FAST_TEST_REPETITION:
        return play->repeats;
    case FAST_TEST_COUNTER:
        most = test->slot >= 0 ? stand->counters[test->slot] : 0;
        for (int i = 0; test->slot < 0 && i < play->game->player_count; i++)
            if (stand->counters[test->first_slot + i] > most)
                most = stand->counters[test->first_slot + i];
        return most + moves >= test->min;
    case FAST_TEST_COUNT:
        return may_fall_to(play, test, moves);
    default:
        return true;
    }
}

// NOLINTNEXTLINE(misc-no-recursion): conditions nest, to a bound
static bool asks_counters(const struct fast_test *test)
{
    bool asks = test->kind == FAST_TEST_COUNTER;
    for (int i = 0; i < test->child_count; i++)
        asks |= asks_counters(&test->children[i]);
    return asks;
}

/* Notes which results can come within so many moves, and whether counters matter for them. */
static void choose_results(struct fast_play *play, int moves)
{
    const struct game *game = play->game;
    play->counts = false;
    for (int player = 0; player < game->player_count; player++) {
        play->looked_count[player] = 0;
        for (int i = 0; i < game->result_count; i++) {
            const struct result_rule *result = &game->results[player][i];
            const struct fast_test *test = &game->fast->rules->results[player][i];
            if (result->claim || result->lazy || !may_hold(play, test, moves))
                continue;
            play->counts |= asks_counters(test);
            play->looked[player][play->looked_count[player]++] = (uint8_t)i;
        }
    }
    for (int i = 0; i < game->counter_count; i++)
        play->counts |= play->repeats && game->counters[i].in_key;
}

/* What a simple movement does, its mark included; true: the turn goes on. */
static bool make_by_group(const struct fast_play *play, struct stand *stand, struct move move,
                          unsigned code)
{
    const struct game *game = play->game;
    const struct fast_group *group = move_group(&game->fast->movers[code - 1], move);
    if (group->takes_jumped)
        make_jump(play, stand, move, group, code);
    else
        make_simple(play, stand, move, group, code);
    clear_marks(game, stand);
    if (group->mark >= 0)
        stand->marks[group->mark] =
            (struct mark){.cell = passed_cell(game, group, move), .maker = move.to};
    if (!game->fast->turns && group->promotion == 0)
        return false;
    stand->going_on = goes_on(play, stand, group);
    if (!stand->going_on && (game->continues || group->promotion != 0))
        end_turn(play, stand, group);
    return stand->going_on;
}

static void make(const struct fast_play *play, struct stand *stand, struct move move)
{
    const struct game *game = play->game;
    unsigned code = codes_of(play, stand)[move.from];
    struct question question = {.play = play, .stand = stand};
    stand->mover = stand->player;
    stand->material = false;
    stand->ply++;
    stand->last.from = move.from;
    stand->last.to = stand->last.stands = move.to;
    stand->last.code = (uint8_t)code;
    stand->last.taken = 0;
    stand->last.complex = false;
    if (game_contents_set_has(game, game->advancing_codes, code))
        stand->history = stand->ply;
    if ((move.rule & FAST_RULE_COMPLEX) != 0) {
        make_complex(play, stand, move, code);
        clear_marks(game, stand);
    } else if (make_by_group(play, stand, move, code)) {
        play->keys[stand->ply] = 0;
        if (play->counts)
            count(&question);
        return;
    }
    stand->state = game->fast->rules->next[stand->state];
    const struct machine_state *state = &game->states[stand->state];
    stand->player = state->kind == MACHINE_MOVE ? state->player : PLAYER_NONE;
    stand->phase = state->phase;
    stand->same_figure = state->same_figure;
    if (play->counts)
        count(&question);
    if (play->repeats)
        play->keys[stand->ply] = key_of(play, stand);
    look_at_results(&question);
}

/* --- beginning ------------------------------------------------------------------------------------------------------ */

bool fast_play_begin(struct fast_play *play, const struct position *position)
{
    const struct game *game = play->game;
    struct stand *stand = level(play, 0);
    const struct turn *turn = &position->turn;
    assert(position->game == game);
    const struct machine_state *state = &game->states[position->state];
    if (turn->active != CELL_NONE ||
        (turn->history_count > 0 && game->fast->rules->repetitions_min > 0))
        return false;
    memset(stand, 0, play->stand_bytes);
    memcpy(stand->words, position->words, set_count(game) * (size_t)game->words * sizeof(uint64_t));
    for (int i = 0; i < game->cell_count; i++) {
        unsigned code = position->cells[i].code;
        codes_of(play, stand)[i] = (uint8_t)code;
        if (code != 0)
            stand->hash ^= game->keys[code * (size_t)game->cell_count + (size_t)i];
    }
    stand->state = position->state;
    stand->player = state->kind == MACHINE_MOVE ? state->player : PLAYER_NONE;
    stand->mover = turn->mover;
    stand->phase = state->phase;
    stand->same_figure = state->same_figure;
    stand->result = turn->result;
    stand->last.from = turn->last.from;
    stand->last.to = turn->last.to;
    stand->last.stands = turn->last.stands;
    stand->last.code = (uint8_t)turn->last.code;
    stand->last.taken = (uint8_t)turn->last.taken;
    stand->last.complex = turn->last.complex;
    memcpy(stand->marks, turn->marks, sizeof stand->marks);
    memcpy(stand->counters, turn->counters, sizeof stand->counters);
    stand->rights = hash_rights(game, stand);
    play->first_ply = position->ply;
    play->repeats = game->fast->rules->repetitions_min > 0;
    play->keys[0] = play->repeats ? key_of(play, stand) : 0;
    return !state->same_figure || stand->last.stands != CELL_NONE;
}

static bool is_over(const struct fast_play *play, const struct stand *stand)
{
    return stand->player == PLAYER_NONE || stand->result != 0 ||
           stand->ply + play->first_ply >= play->game->max_plies;
}

/* --- trees ---------------------------------------------------------------------------------------------------------- */

/* Captures first, where the game wants it so. */
static void ask(const struct fast_play *play, struct stand *stand, struct fast_result *result)
{
    struct fast_view view;
    look(play, stand, &view);
    if (play->game->take_first) {
        struct move *first = result->moves;
        view.takes_only = true;
        fast_run(&view, result);
        if (result->count > 0 || result->moves != first)
            return;
        view.takes_only = false;
        view.quiet_only = true;
    }
    fast_run(&view, result);
}

struct tree {
    struct fast_play *play;
    bool made;
    struct turn_ends ends[TREE_DEPTH_MAX]; /* by depth that is left */
};

static uint64_t count_leaves(struct tree *tree, int number, int depth);

/* All moves from here, each gone on from: within a turn that goes on, or after it, once for all that end alike. */
// NOLINTNEXTLINE(misc-no-recursion): a turn has a bound
static uint64_t count_turns(struct tree *tree, int number, int depth, uint64_t begun)
{
    struct fast_play *play = tree->play;
    struct stand *stand = level(play, number);
    struct move *moves = play->moves + (size_t)number * play->move_room;
    struct fast_result result = {.moves = moves};
    uint64_t leaves = 0;
    ask(play, stand, &result);
    for (struct move *move = moves; move < result.moves; move++) {
        struct stand *next = level(play, number + 1);
        memcpy(next, stand, play->stand_bytes);
        uint64_t from = stand->going_on ? begun : hash_mix(move->from);
        make(play, next, *move);
        if (next->going_on && number + 2 < LEVELS_MAX)
            leaves += count_turns(tree, number + 1, depth, from);
        else if (turn_ends_add(&tree->ends[depth], next->hash ^ from))
            leaves += count_leaves(tree, number + 1, depth - 1);
    }
    return leaves;
}

/* Whether what is to move now leads on within the turn: a move with its shot is one. */
static bool leads_on(const struct fast_play *play, const struct stand *stand)
{
    const struct game *game = play->game;
    const struct machine_state *state = &game->states[game->fast->rules->next[stand->state]];
    return state->kind == MACHINE_MOVE && state->same_figure;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as was asked for
static uint64_t count_leaves(struct tree *tree, int number, int depth)
{
    struct fast_play *play = tree->play;
    struct stand *stand = level(play, number);
    if (depth == 0 || number + 1 == LEVELS_MAX)
        return 1;
    if (is_over(play, stand))
        return 0;
    bool on = leads_on(play, stand);
    struct fast_result result = {.count = 0};
    struct fast_view view;
    look(play, stand, &view);
    view.takes_only = play->game->fast->turns;
    if (view.takes_only)
        fast_run(&view, &result);
    if (result.count > 0 || stand->going_on) {
        turn_ends_clear(&tree->ends[depth]);
        return count_turns(tree, number, depth, 0);
    }
    if (depth == 1 && !on && !tree->made) {
        view.quiet_only = view.takes_only;
        view.takes_only = false;
        if (view.quiet_only)
            fast_run(&view, &result);
        else
            ask(play, stand, &result);
        return result.count;
    }
    struct move *moves = play->moves + (size_t)number * play->move_room;
    result.moves = moves;
    ask(play, stand, &result);
    uint64_t leaves = 0;
    for (struct move *move = moves; move < result.moves; move++) {
        struct stand *next = level(play, number + 1);
        memcpy(next, stand, play->stand_bytes);
        make(play, next, *move);
        leaves += count_leaves(tree, number + 1, on && next->result == 0 ? depth : depth - 1);
    }
    return leaves;
}

uint64_t fast_play_perft(struct fast_play *play, int depth, bool made)
{
    const struct game *game = play->game;
    int repetitions = game->fast->rules->repetitions_min;
    struct tree *tree = memory_zeroed(1, sizeof *tree);
    assert(depth < TREE_DEPTH_MAX);
    tree->play = play;
    tree->made = made;
    /* To come for the n-th time takes four moves each time, at least. */
    play->repeats = repetitions > 0 && depth >= 2 * (repetitions - 1);
    int moves_of_turn = 1;
    for (int i = 0; i < game->state_count; i++)
        moves_of_turn += game->states[i].same_figure;
    if (game->fast->turns)
        moves_of_turn = game->cell_count;
    play->keyed = play->repeats || game->fast->turns;
    choose_results(play, depth * moves_of_turn);
    uint64_t leaves = count_leaves(tree, 0, depth);
    for (int i = 0; i < TREE_DEPTH_MAX; i++)
        turn_ends_release(&tree->ends[i]);
    free(tree);
    return leaves;
}
