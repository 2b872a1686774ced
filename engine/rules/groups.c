#include "engine/rules/groups.h"

#include "engine/work.h"

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

int groups_count_beside(const struct game *game, const uint64_t *beside, const uint64_t *group,
                        const uint64_t *free)
{
    const int words = game->words;
    uint64_t found[WORDS_MAX] = {0};
    int count = 0;
    for (int cell = bits_next(group, words, 0); cell >= 0 && work_spend((unsigned)words);
         cell = bits_next(group, words, cell + 1)) {
        const uint64_t *near = beside + (size_t)cell * (size_t)words;
        for (int i = 0; i < words; i++)
            found[i] |= near[i] & free[i];
    }
    for (int i = 0; i < words; i++)
        count += (int)word_count(found[i]);
    return count;
}
