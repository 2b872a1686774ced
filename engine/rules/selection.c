#include "engine/rules/selection.h"

#include "engine/rules/groups.h"
#include "engine/work.h"

#include <assert.h>
#include <string.h>

/* Adds one that is not there yet; returns how many are added. */
static int add(uint64_t *cells, cell_index cell)
{
    if (cells == NULL || cell == CELL_NONE)
        return 1;
    bool there = bits_test(cells, cell);
    bits_set(cells, cell);
    return !there;
}

static int find_one(const struct position *position, const struct selection *selection,
                    cell_index cell, uint64_t *cells)
{
    if (cell == CELL_NONE || !matching_cell(position, &selection->match, cell))
        return 0;
    return add(cells, cell);
}

/* No two steps are equal, so no cell comes twice. */
static int find_neighbours(const struct position *position, const struct selection *selection,
                           cell_index origin, uint64_t *cells)
{
    int count = 0;
    for (int i = 0; i < selection->row_count; i++) {
        cell_index cell = origin != CELL_NONE ? selection->rows[i][origin] : CELL_NONE;
        if (matching_cell(position, &selection->match, cell))
            count += add(cells, cell);
    }
    return count;
}

/* What is asked of many cells: the set of those that match, where sets tell it. */
struct sought {
    const struct cell_test *test;
    uint64_t cells[WORDS_MAX];
};

static void seek(const struct position *position, const struct cell_test *test,
                 struct sought *sought)
{
    sought->test = test;
    if (test->by_sets)
        matching_cells(position, test, sought->cells);
}

static bool is_sought(const struct position *position, const struct sought *sought, cell_index cell)
{
    if (cell == CELL_NONE || !sought->test->by_sets)
        return matching_cell(position, sought->test, cell);
    return work_spend(1) && bits_test(sought->cells, cell);
}

/* A hole ends what may be enclosed, and may be what encloses it. */
static int find_along(const struct position *position, const struct selection *selection,
                      const struct sought *inside, const struct sought *end, const cell_index *row,
                      cell_index origin, uint64_t *cells)
{
    int length = 0, count = 0;
    cell_index cell = row[origin];
    while (cell != CELL_NONE && length <= selection->length_most &&
           is_sought(position, inside, cell)) {
        length++;
        cell = row[cell];
    }
    if (length < selection->length_least || length > selection->length_most ||
        !is_sought(position, end, cell))
        return 0;
    cell = row[origin];
    for (int i = 0; i < length; i++, cell = row[cell])
        count += add(cells, cell);
    return count;
}

static int find_enclosed(const struct position *position, const struct selection *selection,
                         cell_index origin, uint64_t *cells)
{
    uint64_t own[WORDS_MAX] = {0};
    struct sought inside, end;
    int count = 0;
    seek(position, &selection->match, &inside);
    seek(position, selection->end, &end);
    for (int i = 0; i < selection->row_count && origin != CELL_NONE; i++)
        count += find_along(position, selection, &inside, &end, selection->rows[i], origin,
                            cells != NULL ? cells : own);
    return count;
}

/* The cells from which the step leads to one of these. */
static void step_back(const struct game *game, const struct step *step, const uint64_t *to,
                      uint64_t *cells)
{
    const uint64_t *floor = game_cell_set(game, step->floor);
    work_spend((unsigned)game->words);
    for (int i = 0; i < game->words && step->offset != 0; i++)
        cells[i] = bits_word_before(to, game->words, step->offset, i) & ~floor[i];
    if (step->offset != 0)
        return;
    memset(cells, 0, (size_t)game->words * sizeof *cells);
    for (int cell = 0; cell < game->cell_count && work_spend(1); cell++)
        if (step->row[cell] != CELL_NONE && bits_test(to, step->row[cell]))
            bits_set(cells, (unsigned)cell);
}

/* Adds the cells from which something is enclosed along a step, whose last cell is one of `last`. */
static void add_enclosing(const struct game *game, const struct selection *selection,
                          const struct step *step, const uint64_t *inside, uint64_t *last,
                          uint64_t *found)
{
    uint64_t before[WORDS_MAX];
    for (int length = 1; length <= selection->length_most && !bits_empty(last, game->words);
         length++) {
        step_back(game, step, last, before);
        for (int i = 0; i < game->words; i++) {
            found[i] |= length >= selection->length_least ? before[i] : 0;
            last[i] = before[i] & inside[i];
        }
    }
}

void selection_keep_enclosing(const struct position *position, const struct selection *selection,
                              uint64_t *cells)
{
    const struct game *game = position->game;
    uint64_t inside[WORDS_MAX], ends[WORDS_MAX], last[WORDS_MAX], found[WORDS_MAX] = {0};
    const bool holes = matching_cell(position, selection->end, CELL_NONE);
    matching_cells(position, &selection->match, inside);
    matching_cells(position, selection->end, ends);
    for (int i = 0; i < game->words; i++)
        ends[i] &= ~inside[i];
    for (int k = 0; k < selection->row_count; k++) {
        const struct step *step = &selection->steps[k];
        step_back(game, step, ends, last);
        for (int i = 0; i < game->words; i++)
            last[i] = inside[i] & (last[i] | (holes ? game_cell_set(game, step->floor)[i] : 0));
        add_enclosing(game, selection, step, inside, last, found);
    }
    for (int i = 0; i < game->words; i++)
        cells[i] &= found[i];
}

static int add_all(const struct game *game, const uint64_t *found, uint64_t *cells)
{
    int count = 0;
    for (int i = 0; i < game->words; i++) {
        count += (int)word_count(found[i]);
        if (cells != NULL)
            cells[i] |= found[i];
    }
    return count;
}

static int find_group(const struct position *position, const struct selection *selection,
                      cell_index origin, uint64_t *cells)
{
    uint64_t group[WORDS_MAX];
    if (!groups_find(position, selection, origin, group))
        return 0;
    return add_all(position->game, group, cells);
}

/* Keeps of the cells those beside one; none where there is no such cell. */
static void keep_beside(const struct game *game, const struct beside *beside, cell_index origin,
                        uint64_t *cells)
{
    const uint64_t *near = origin != CELL_NONE ? beside->sets + (size_t)origin * (size_t)game->words
                                               : game_cell_set(game, CELL_SET_NONE);
    for (int i = 0; i < game->words; i++)
        cells[i] &= near[i];
}

/* A cell lies in one group, and in one region of what may be territory: whose the cells of that are does not matter. */
static int find_groups(const struct position *position, const struct selection *selection,
                       cell_index origin, uint64_t *cells)
{
    const int words = position->game->words;
    bool territory = selection->cells == SELECT_TERRITORY;
    uint64_t among[WORDS_MAX], left[WORDS_MAX], ends[WORDS_MAX], group[WORDS_MAX];
    int count = 0;
    matching_cells(position, &selection->match, among);
    memcpy(left, among, (size_t)words * sizeof *left);
    if (territory)
        matching_cells(position, selection->end, ends);
    if (selection->touches)
        keep_beside(position->game, selection->beside, origin, left);
    for (int cell = bits_next(left, words, 0); cell >= 0 && work_spend(1);
         cell = bits_next(left, words, cell + 1)) {
        cell_index first = (cell_index)cell;
        if (territory ? groups_closed_in(position, selection, among, ends, first, group)
                      : groups_find(position, selection, first, group))
            count += add_all(position->game, group, cells);
        for (int i = 0; i < words; i++)
            left[i] &= ~group[i];
    }
    return count;
}

static int find_in_zone(const struct position *position, const struct selection *selection,
                        uint64_t *cells)
{
    const uint64_t *zone = game_cell_set(position->game, selection->set);
    uint64_t matching[WORDS_MAX];
    matching_cells(position, &selection->match, matching);
    for (int i = 0; i < position->game->words; i++)
        matching[i] &= zone[i];
    return add_all(position->game, matching, cells);
}

int selection_find(const struct position *position, const struct selection *selection,
                   cell_index self, cell_index target, uint64_t *cells)
{
    cell_index origin = selection->from_target ? target : self;
    switch ((enum selection_cells)selection->cells) {
    case SELECT_NEIGHBOURS:
        return find_neighbours(position, selection, origin, cells);
    case SELECT_TARGET:
        return find_one(position, selection, target, cells);
    case SELECT_SELF:
        return find_one(position, selection, self, cells);
    case SELECT_ENCLOSED:
        return find_enclosed(position, selection, origin, cells);
    case SELECT_GROUP:
        return find_group(position, selection, origin, cells);
    case SELECT_GROUPS:
    case SELECT_TERRITORY:
        return find_groups(position, selection, origin, cells);
    case SELECT_ZONE:
        return find_in_zone(position, selection, cells);
    }
    assert(false);
    return 0;
}
