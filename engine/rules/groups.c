#include "engine/rules/groups.h"

#include "engine/work.h"

#include <limits.h>
#include <string.h>

void groups_spread(const struct game *game, const uint64_t *beside, const uint64_t *among,
                   uint64_t *group)
{
    const int words = game->words;
    uint64_t fresh[WORDS_MAX]; /* cells of the group beside which nobody has looked yet */
    memcpy(fresh, group, (size_t)words * sizeof *fresh);
    for (int cell = bits_next(fresh, words, 0); cell >= 0 && work_spend((unsigned)words);
         cell = bits_next(fresh, words, 0)) {
        const uint64_t *near = beside + (size_t)cell * (size_t)words;
        bits_reset(fresh, (unsigned)cell);
        for (int i = 0; i < words; i++) {
            uint64_t found = near[i] & among[i] & ~group[i];
            group[i] |= found;
            fresh[i] |= found;
        }
    }
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

bool groups_find(const struct position *position, const struct selection *selection,
                 cell_index cell, uint64_t *group)
{
    const struct game *game = position->game;
    uint64_t among[WORDS_MAX];
    memset(group, 0, (size_t)game->words * sizeof *group);
    if (cell == CELL_NONE || !matching_cell(position, &selection->match, cell))
        return false;
    matching_cells(position, &selection->match, among);
    keep_like(position, cell, among);
    bits_set(group, cell);
    groups_spread(game, selection->beside, among, group);
    return true;
}

static int count_liberties(const struct position *position, const uint64_t *beside,
                           const uint64_t *group)
{
    const int words = position->game->words;
    uint64_t found[WORDS_MAX] = {0};
    int count = 0;
    for (int cell = bits_next(group, words, 0); cell >= 0 && work_spend((unsigned)words);
         cell = bits_next(group, words, cell + 1))
        for (int i = 0; i < words; i++)
            found[i] |= beside[(size_t)cell * (size_t)words + (size_t)i];
    for (int i = 0; i < words; i++)
        count += (int)word_count(found[i] & ~group[i] & ~matching_players(position, UINT_MAX, i));
    return count;
}

bool groups_fits(const struct position *position, const struct selection *selection,
                 const uint64_t *group)
{
    const struct amount liberties = selection->liberties;
    int size = 0;
    for (int i = 0; i < position->game->words; i++)
        size += (int)word_count(group[i]);
    if (!amount_is(selection->size, size))
        return false;
    return (liberties.min <= 0 && liberties.max == INT32_MAX) ||
           amount_is(liberties, count_liberties(position, selection->beside, group));
}
