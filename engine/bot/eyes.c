#include "engine/bot/eyes.h"

#include "engine/memory/memory.h"
#include "engine/work.h"

#include <stdlib.h>

enum { BESIDE_MAX = 12 }; /* of one cell; where more are, there is nothing like an eye */

struct eyes {
    const struct beside *beside;
    /* Behind the corners: cells beside two of those that lie beside the cell. By cell, as in `beside`. */
    uint32_t *starts;
    cell_index *corners;
};

static bool has_few(const struct beside *beside, int cell_count)
{
    for (int cell = 0; cell < cell_count; cell++)
        if (beside->starts[cell + 1] - beside->starts[cell] > BESIDE_MAX)
            return false;
    return true;
}

/* What lies beside what, by the word that groups without liberties are removed. */
static const struct beside *find_beside(const struct game *game)
{
    for (int i = 0; i < game->after_move_count; i++) {
        const struct after_rule *after = &game->after_move[0][i];
        for (int k = 0; k < after->effect_count; k++) {
            const struct selection *selection = &after->effects[k].selection;
            if (after->effects[k].kind == EFFECT_REMOVE && selection->cells == SELECT_GROUPS &&
                selection->liberties.max == 0)
                return selection->beside;
        }
    }
    return NULL;
}

static bool lies_beside(const struct beside *beside, cell_index cell, cell_index other)
{
    for (uint32_t i = beside->starts[cell]; i < beside->starts[cell + 1]; i++)
        if (beside->list[i] == other)
            return true;
    return false;
}

static void add_corners(struct eyes *eyes, cell_index cell, uint16_t *ways, int cell_count)
{
    const struct beside *beside = eyes->beside;
    uint32_t end = eyes->starts[cell];
    for (int other = 0; other < cell_count; other++)
        ways[other] = 0;
    for (uint32_t i = beside->starts[cell]; i < beside->starts[cell + 1]; i++) {
        cell_index near = beside->list[i];
        for (uint32_t k = beside->starts[near]; k < beside->starts[near + 1]; k++)
            if (++ways[beside->list[k]] == 2 && beside->list[k] != cell &&
                !lies_beside(beside, cell, beside->list[k]))
                eyes->corners[end++] = beside->list[k];
    }
    eyes->starts[cell + 1] = end;
}

struct eyes *eyes_new(const struct game *game)
{
    const struct beside *beside = find_beside(game);
    size_t cells = (size_t)game->cell_count, most = 0;
    if (beside == NULL || !has_few(beside, game->cell_count))
        return NULL;
    /* No more than two steps that are taken lead to each. */
    for (size_t i = 0; i < beside->starts[cells]; i++)
        most += beside->starts[beside->list[i] + 1] - beside->starts[beside->list[i]];
    struct eyes *eyes = memory_zeroed(1, sizeof *eyes);
    uint16_t *ways = memory_bytes(cells * sizeof *ways);
    eyes->beside = beside;
    eyes->starts = memory_zeroed(cells + 1, sizeof *eyes->starts);
    eyes->corners = memory_bytes((most / 2 + 1) * sizeof *eyes->corners);
    for (int cell = 0; cell < game->cell_count; cell++)
        add_corners(eyes, (cell_index)cell, ways, game->cell_count);
    free(ways);
    return eyes;
}

void eyes_free(struct eyes *eyes)
{
    if (eyes == NULL)
        return;
    free(eyes->corners);
    free(eyes->starts);
    free(eyes);
}

/* An eye is none if others hold too many of its corners: two in the middle of the board, one at its edge. */
bool eyes_has(const struct eyes *eyes, const struct position *position, cell_index cell,
              player_index player)
{
    enum { CORNERS_OF_THE_MIDDLE = 4 };
    const player_index *owners = position->game->code_players;
    const struct beside *beside = eyes->beside;
    uint32_t first = eyes->starts[cell], end = eyes->starts[cell + 1], others = 0;
    work_spend(beside->starts[cell + 1] - beside->starts[cell] + end - first);
    for (uint32_t i = beside->starts[cell]; i < beside->starts[cell + 1]; i++) {
        unsigned code = position->cells[beside->list[i]].code;
        if (code == 0 || owners[code] != player)
            return false;
    }
    for (uint32_t i = first; i < end; i++) {
        unsigned code = position->cells[eyes->corners[i]].code;
        others += code != 0 && owners[code] != player;
    }
    return others < (end - first < CORNERS_OF_THE_MIDDLE ? 1 : 2);
}
