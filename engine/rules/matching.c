#include "engine/rules/matching.h"

#include "engine/work.h"

bool matching_contents(const struct position *position, const struct cell_test *test, unsigned code)
{
    const struct game *game = position->game;
    if (game_contents_set_has(game, test->contents, code))
        return true;
    return test->next_player && code != 0 &&
           game->code_players[code] == position_state_player(position) &&
           (test->figures >> game->code_figures[code] & 1) != 0;
}

static bool history_matches(const struct cell_test *test, struct cell_record record)
{
    if (test->moves_made != NUMBER_ANY && test->moves_made != record.moves_made)
        return false;
    return test->last_move == NUMBER_ANY || test->last_move == record.last_move;
}

/* All of a match but its `not`. */
static bool positively_matches(const struct position *position, const struct cell_test *test,
                               cell_index cell)
{
    if (cell == CELL_NONE) {
        if (!test->hole)
            return false;
    } else {
        struct cell_record record = position->cells[cell];
        if (!matching_contents(position, test, record.code) ||
            !bits_test(game_cell_set(position->game, test->cells), cell) ||
            !history_matches(test, record))
            return false;
        if (test->mark >= 0 && position->turn.marks[test->mark].cell != cell)
            return false;
        if (test->unmoved >= 0 &&
            (record.code == 0 || position_never_moved(position, cell) != (test->unmoved != 0)))
            return false;
    }
    for (int i = 0; i < test->also_count; i++)
        if (!matching_cell(position, &test->also[i], cell))
            return false;
    return true;
}

bool matching_cell(const struct position *position, const struct cell_test *test, cell_index cell)
{
    if (!work_spend(test->simple ? 1 : 2))
        return false;
    if (!test->simple)
        return positively_matches(position, test, cell) != test->negated;
    return cell != CELL_NONE &&
           game_contents_set_has(position->game, test->contents, position->cells[cell].code) &&
           bits_test(game_cell_set(position->game, test->cells), cell);
}

/* One word of the cells a test names, by bit sets, as far as contents and zone go. */
static inline uint64_t simple_word(const struct position *position, const struct cell_test *test,
                                   int word)
{
    const struct game *game = position->game;
    uint64_t kinds = test->figures & game->all_figures, of_kinds = 0;
    unsigned players = test->players;
    if (test->next_player && position_state_player(position) != PLAYER_NONE)
        players |= 1U << position_state_player(position);
    work_spend((unsigned)game->player_count);
    uint64_t cells = matching_players(position, players, word);
    for (uint64_t left = kinds; kinds != game->all_figures && left != 0;
         left &= left - 1, work_spend(1))
        of_kinds |= position_figure_words(position, (int)word_lowest(left))[word];
    if (kinds != game->all_figures)
        cells &= of_kinds;
    if (test->empty)
        cells |= ~matching_occupied(position, word);
    return cells & game_cell_set(game, test->cells)[word];
}

/* All of it. */
static uint64_t matching_word(const struct position *position, const struct cell_test *test,
                              int word)
{
    uint64_t cells = simple_word(position, test, word);
    if (test->simple)
        return cells;
    if (test->mark >= 0) {
        cell_index marked = position->turn.marks[test->mark].cell;
        bool here = marked != CELL_NONE && marked / WORD_BITS == word;
        cells &= here ? UINT64_C(1) << (marked % WORD_BITS) : 0;
    }
    if (test->unmoved >= 0) {
        uint64_t unmoved = position->unmoved[word];
        cells &= matching_occupied(position, word) & (test->unmoved != 0 ? unmoved : ~unmoved);
    }
    for (int i = 0; i < test->also_count && cells != 0; i++)
        cells &= matching_word(position, &test->also[i], word);
    return test->negated ? ~cells & game_cell_set(position->game, CELL_SET_ALL)[word] : cells;
}

void matching_cells(const struct position *position, const struct cell_test *test, uint64_t *cells)
{
    const struct game *game = position->game;
    for (int i = 0; i < game->words; i++)
        cells[i] = test->simple    ? simple_word(position, test, i)
                   : test->by_sets ? matching_word(position, test, i)
                                   : 0;
    if (test->simple || test->by_sets)
        return;
    for (int cell = 0; cell < game->cell_count && !work_is_too_much(); cell++)
        if (matching_cell(position, test, (cell_index)cell))
            bits_set(cells, (unsigned)cell);
}

int matching_count(const struct position *position, const struct cell_test *test)
{
    uint64_t cells[WORDS_MAX];
    matching_cells(position, test, cells);
    return bits_count(cells, position->game->words);
}

/* Most often it is asked whether there are any at all. */
bool matching_count_is(const struct position *position, const struct cell_test *test, int min,
                       int max)
{
    bool none = max == 0, some = min == 1 && max == INT32_MAX;
    uint64_t cells[WORDS_MAX];
    int count = 0;
    if (!test->by_sets)
        matching_cells(position, test, cells);
    for (int i = 0; i < position->game->words; i++) {
        uint64_t word = test->by_sets ? matching_word(position, test, i) : cells[i];
        if (word != 0 && (none || some))
            return some;
        count += (int)word_count(word);
    }
    return count >= min && count <= max;
}
