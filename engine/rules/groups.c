#include "engine/rules/groups.h"

#include "engine/work.h"

#include <limits.h>
#include <string.h>

enum { FEW_WORDS = 4 }; /* of a set; of more of them lists of neighbours are shorter */

static void spread_by_sets(const struct game *game, const struct beside *beside,
                           const uint64_t *among, uint64_t *group)
{
    const int words = game->words;
    uint64_t fresh[WORDS_MAX]; /* cells of the group beside which nobody has looked yet */
    memcpy(fresh, group, (size_t)words * sizeof *fresh);
    for (int cell = bits_next(fresh, words, 0); cell >= 0 && work_spend((unsigned)words);
         cell = bits_next(fresh, words, 0)) {
        const uint64_t *near = beside->sets + (size_t)cell * (size_t)words;
        bits_reset(fresh, (unsigned)cell);
        for (int i = 0; i < words; i++) {
            uint64_t found = near[i] & among[i] & ~group[i];
            group[i] |= found;
            fresh[i] |= found;
        }
    }
}

/* The cells beside one: a list that ends before `end`. */
static const cell_index *beside_cell(const struct beside *beside, cell_index cell,
                                     const cell_index **end)
{
    *end = beside->list + beside->starts[cell + 1];
    work_spend(beside->starts[cell + 1] - beside->starts[cell]);
    return beside->list + beside->starts[cell];
}

static void spread_by_lists(const struct game *game, const struct beside *beside,
                            const uint64_t *among, uint64_t *group)
{
    cell_index waiting[CELLS_MAX]; /* cells of the group beside which nobody has looked yet */
    const cell_index *end;
    int count = 0;
    EACH_BIT (cell, group, game->words)
        waiting[count++] = (cell_index)cell;
    while (count > 0 && work_spend(1))
        for (const cell_index *near = beside_cell(beside, waiting[--count], &end); near < end;
             near++)
            if (bits_test(among, *near) && !bits_test(group, *near)) {
                bits_set(group, *near);
                waiting[count++] = *near;
            }
}

void groups_spread(const struct game *game, const struct beside *beside, const uint64_t *among,
                   uint64_t *group)
{
    if (game->words <= FEW_WORDS)
        spread_by_sets(game, beside, among, group);
    else
        spread_by_lists(game, beside, among, group);
}

bool groups_closed_in(const struct position *position, const struct selection *selection,
                      const uint64_t *among, const uint64_t *ends, cell_index first,
                      uint64_t *region)
{
    const struct game *game = position->game;
    const uint64_t *rim = game_cell_set(game, selection->set);
    cell_index waiting[CELLS_MAX];
    const cell_index *end;
    bool touched = false, open = false, at_rim = false;
    int count = 0;
    memset(region, 0, (size_t)game->words * sizeof *region);
    bits_set(region, first);
    waiting[count++] = first;
    while (count > 0 && work_spend(1)) {
        cell_index cell = waiting[--count];
        at_rim |= bits_test(rim, cell);
        for (const cell_index *near = beside_cell(selection->beside, cell, &end); near < end;
             near++) {
            bool inside = bits_test(among, *near);
            touched |= !inside && bits_test(ends, *near);
            open |= !inside && !bits_test(ends, *near);
            if (!inside || bits_test(region, *near))
                continue;
            bits_set(region, *near);
            waiting[count++] = *near;
        }
    }
    return touched && !open && (!at_rim || matching_cell(position, selection->end, CELL_NONE));
}

/* Of a list that matches: those of the cell's player, or empty as it is. */
static void keep_like(const struct position *position, cell_index cell, uint64_t *cells)
{
    const struct game *game = position->game;
    unsigned code = position->cells[cell].code;
    unsigned players = code != 0 ? 1U << game->code_players[code] : UINT_MAX;
    for (int i = 0; i < game->words; i++) {
        uint64_t owned = matching_players(position, players, i);
        cells[i] &= code != 0 ? owned : ~owned;
    }
}

/* Of a figure: its group takes in its cells one by one, as long as it has no more empty cells beside it than it may have, and
 * then it is known whether it has as many as it must. Most groups have too many at once. */
static bool spreads_within(const struct position *position, const struct selection *selection,
                           cell_index cell, uint64_t *group)
{
    const player_index *owners = position->game->code_players;
    player_index owner = owners[position->cells[cell].code];
    uint64_t empty[WORDS_MAX] = {0};
    cell_index waiting[CELLS_MAX]; /* cells of the group beside which nobody has looked yet */
    const cell_index *end;
    int count = 0, liberties = 0;
    waiting[count++] = cell;
    while (count > 0 && work_spend(1))
        for (const cell_index *near = beside_cell(selection->beside, waiting[--count], &end);
             near < end; near++) {
            unsigned code = position->cells[*near].code;
            if (code == 0) {
                liberties += !bits_test(empty, *near);
                bits_set(empty, *near);
                if (liberties > selection->liberties.max)
                    return false;
            } else if (owners[code] == owner && !bits_test(group, *near) &&
                       matching_cell(position, &selection->match, *near)) {
                bits_set(group, *near);
                waiting[count++] = *near;
            }
        }
    return liberties >= selection->liberties.min;
}

/* Whether the group has so many empty cells beside it; counts no further than it has to. */
static bool has_liberties(const struct position *position, const struct beside *beside,
                          const uint64_t *group, struct amount wanted)
{
    const int words = position->game->words;
    const int enough = wanted.max == INT32_MAX ? wanted.min : wanted.max + 1;
    uint64_t found[WORDS_MAX] = {0};
    const cell_index *end;
    int count = 0;
    for (int cell = bits_next(group, words, 0); cell >= 0 && count < enough && work_spend(1);
         cell = bits_next(group, words, cell + 1))
        for (const cell_index *near = beside_cell(beside, (cell_index)cell, &end); near < end;
             near++) {
            bool empty = position->cells[*near].code == 0 && !bits_test(group, *near);
            count += empty && !bits_test(found, *near);
            bits_set(found, *near);
        }
    return amount_is(wanted, count);
}

bool groups_find(const struct position *position, const struct selection *selection,
                 cell_index cell, uint64_t *group)
{
    const struct game *game = position->game;
    uint64_t among[WORDS_MAX];
    memset(group, 0, (size_t)game->words * sizeof *group);
    if (cell == CELL_NONE || !matching_cell(position, &selection->match, cell))
        return false;
    bits_set(group, cell);
    if (position->cells[cell].code != 0 && selection->liberties.max != INT32_MAX)
        return spreads_within(position, selection, cell, group) &&
               amount_is(selection->size, bits_count(group, game->words));
    matching_cells(position, &selection->match, among);
    keep_like(position, cell, among);
    groups_spread(game, selection->beside, among, group);
    return amount_is(selection->size, bits_count(group, game->words)) &&
           has_liberties(position, selection->beside, group, selection->liberties);
}
