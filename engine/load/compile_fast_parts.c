/* Movements whose promotions depend on more than where they lead, in parts. */
#include "engine/load/compile_fast.h"

#include <limits.h>

static bool is_whole(const struct movement *movement)
{
    return movement->promotion_count == 0 ||
           (movement->promotion_count == 1 && movement->promotions->from_zone < 0);
}

/* Whether all its promotions are told apart by cells alone, and make the same of the figure. */
static bool is_told_by_cells(const struct movement *movement)
{
    const struct promotion_rule *first = movement->promotions;
    if (movement->continues != GOES_ON_NEVER || movement->takes_jumped ||
        movement->purpose == FOR_PUT ||
        movement->promotion_count > (int)(CHAR_BIT * sizeof(unsigned)))
        return false;
    for (int i = 0; i < movement->promotion_count; i++) {
        const struct promotion_rule *promotion = &movement->promotions[i];
        if (promotion->condition != NULL || promotion->taken || promotion->at_turn_end ||
            promotion->to != first->to || promotion->stops != first->stops)
            return false;
    }
    return true;
}

/* Those of the movement's promotions that may apply to what begins there. */
static unsigned applying_from(const struct game *game, const struct movement *movement, int from)
{
    unsigned applying = 0;
    for (int i = 0; i < movement->promotion_count; i++)
        if (bits_test(game_cell_set(game, movement->promotions[i].from), (unsigned)from))
            applying |= 1U << i;
    return applying;
}

/* Where one of these promotions applies, all of them or those that leave no choice. */
static void find_promoted(const struct game *game, const struct movement *movement,
                          unsigned applying, bool forced, uint64_t *cells)
{
    for (int i = 0; i < movement->promotion_count; i++)
        for (int word = 0; word < game->words; word++)
            if ((applying >> i & 1) != 0 && !(forced && movement->promotions[i].optional))
                cells[word] |= game_cell_set(game, movement->promotions[i].in)[word];
}

/* Fills in where the part leads, and what becomes of the figure there; false: it leads nowhere. */
static bool finish_part(struct game *game, const struct movement *movement,
                        struct movement_part *part)
{
    uint64_t promoted[WORDS_MAX] = {0}, forced[WORDS_MAX] = {0};
    struct promotion_rule promotion = movement->promotions[0];
    find_promoted(game, movement, part->applying, true, forced);
    find_promoted(game, movement, part->applying, false, promoted);
    for (int i = 0; i < game->words; i++) {
        uint64_t all = game_cell_set(game, CELL_SET_ALL)[i];
        part->ends[i] = part->forced ? forced[i] : all & ~forced[i];
        promoted[i] &= part->ends[i];
    }
    promotion.optional = !part->forced;
    part->promotion = game_copy(game, &promotion, 1, sizeof promotion);
    part->promoted = game_copy(game, promoted, (size_t)game->words, sizeof *promoted);
    return !bits_empty(part->ends, game->words);
}

int compile_fast_parts(struct game *game, const struct movement *movement,
                       struct movement_part *parts)
{
    int count = 0, kept = 0;
    if (is_whole(movement))
        return 1;
    for (int cell = 0; cell < game->cell_count && is_told_by_cells(movement); cell++) {
        unsigned applying = applying_from(game, movement, cell);
        int first = 0;
        while (first < count && parts[first].applying != applying)
            first++;
        if (first + 2 > MOVEMENT_PARTS_MAX)
            return 0;
        count = first == count ? count + 2 : count;
        for (int i = first; i < first + 2; i++) {
            parts[i].applying = applying;
            parts[i].forced = i != first;
            bits_set(parts[i].starts, (unsigned)cell);
        }
    }
    for (int i = 0; i < count; i++)
        if (finish_part(game, movement, &parts[i]))
            parts[kept++] = parts[i];
    return kept;
}
