#include "engine/bot/hunt.h"

#include "engine/memory/memory.h"
#include "engine/state.h"
#include "engine/tables.h"

#include <stdlib.h>
#include <string.h>

enum {
    HUNT_CELLS_MAX = 400, /* distances are kept for each two of them */
    FEW = 2,              /* figures that somebody has at most who is hunted */
    UNREACHED = UINT8_MAX,
    WHOLE = 1000,
};
/* In logits: in the remotest place against the least remote one; beside it against as far from it as can be. */
static const double remote_logits = 3, near_logits = 1.5;

struct hunt {
    const struct game *game;
    uint16_t royal[2];               /* codes, by player */
    double worth[CODES_MAX], enough; /* of figures by code; so much more is needed to hunt */
    uint8_t *distances; /* moves of the royal figure on an empty board: cell * cells + cell */
    int farthest;
    int *remote; /* by cell, in parts of WHOLE */
};

/* --- which figures they are ------------------------------------------------------------------- */

/* The kinds that the condition asks to be attacked, in bits. */
static uint64_t attacked_kinds(const struct condition_node *node)
{
    uint64_t kinds = node->kind == CONDITION_ATTACKED ? node->match.figures : 0;
    if (node->kind == CONDITION_ALL || node->kind == CONDITION_ANY)
        for (int i = 0; i < node->child_count; i++)
            kinds |= attacked_kinds(&node->children[i]);
    return kinds;
}

static int standing_at_start(const struct game *game, unsigned code)
{
    int count = 0;
    for (int cell = 0; cell < game->cell_count; cell++)
        count += game->start[cell] == code;
    return count;
}

/* The code of the player's one royal figure; 0: there is none, or there are several. */
static uint16_t find_royal(const struct game *game, player_index player)
{
    uint64_t kinds = 0;
    uint16_t royal = 0;
    for (int i = 0; i < game->forbid_count; i++)
        if (game->forbid[player][i].condition != NULL)
            kinds |= attacked_kinds(game->forbid[player][i].condition);
    for (int code = 1; code < game->code_count; code++) {
        if (game->code_players[code] != player || (kinds >> game->code_figures[code] & 1) == 0 ||
            standing_at_start(game, (unsigned)code) == 0)
            continue;
        if (royal != 0 || standing_at_start(game, (unsigned)code) > 1)
            return 0;
        royal = (uint16_t)code;
    }
    return royal;
}

/* --- distances -------------------------------------------------------------------------------- */

/* Round by round from one cell. `queue` has room for all cells. */
static void measure_from(struct hunt *hunt, int piece, int from, int *queue)
{
    const struct game *game = hunt->game;
    const uint32_t *rows = game->candidate_starts + (size_t)piece * ((size_t)game->cell_count + 1);
    uint8_t *distance = hunt->distances + (size_t)from * (size_t)game->cell_count;
    int first = 0, end = 0, sum = 0;
    memset(distance, UNREACHED, (size_t)game->cell_count);
    distance[from] = 0;
    queue[end++] = from;
    while (first < end) {
        int cell = queue[first++];
        sum += distance[cell];
        hunt->farthest = distance[cell] > hunt->farthest ? distance[cell] : hunt->farthest;
        for (uint32_t i = rows[cell]; i < rows[cell + 1] && distance[cell] + 1 < UNREACHED; i++) {
            int to = game->candidates[i].to;
            if (distance[to] != UNREACHED)
                continue;
            distance[to] = (uint8_t)(distance[cell] + 1);
            queue[end++] = to;
        }
    }
    hunt->remote[from] = WHOLE * sum / end;
}

/* From mean distances to parts of WHOLE between the least remote cell that the figure comes to and the remotest one. */
static void compare_remoteness(struct hunt *hunt, int start)
{
    const struct game *game = hunt->game;
    const uint8_t *distance = hunt->distances + (size_t)start * (size_t)game->cell_count;
    int least = INT32_MAX, most = 0;
    for (int cell = 0; cell < game->cell_count; cell++) {
        int mean = hunt->remote[cell];
        if (distance[cell] == UNREACHED)
            continue;
        least = mean < least ? mean : least;
        most = mean > most ? mean : most;
    }
    for (int cell = 0; cell < game->cell_count; cell++) {
        int above = hunt->remote[cell] - least;
        hunt->remote[cell] = above <= 0 || most <= least ? 0 : WHOLE * above / (most - least);
    }
}

static void measure(struct hunt *hunt)
{
    const struct game *game = hunt->game;
    int *queue = memory_bytes((size_t)game->cell_count * sizeof *queue), start = 0;
    hunt->distances = memory_bytes((size_t)game->cell_count * (size_t)game->cell_count);
    hunt->remote = memory_bytes((size_t)game->cell_count * sizeof *hunt->remote);
    hunt->farthest = 1;
    for (int cell = 0; cell < game->cell_count; cell++) {
        measure_from(hunt, hunt->royal[0] - 1, cell, queue);
        if (game->start[cell] == hunt->royal[0])
            start = cell;
    }
    compare_remoteness(hunt, start);
    free(queue);
}

/* --- life ------------------------------------------------------------------------------------- */

struct hunt *hunt_new(const struct game *game, const double *worth)
{
    const double share = 1.0 / 16; /* of an army */
    if (game->player_count != 2 || game->cell_count > HUNT_CELLS_MAX)
        return NULL;
    struct hunt *hunt = memory_zeroed(1, sizeof *hunt);
    hunt->game = game;
    for (int player = 0; player < 2; player++)
        hunt->royal[player] = find_royal(game, (player_index)player);
    if (hunt->royal[0] == 0 || hunt->royal[1] == 0) {
        free(hunt);
        return NULL;
    }
    memcpy(hunt->worth, worth, (size_t)game->code_count * sizeof *worth);
    hunt->worth[hunt->royal[0]] = hunt->worth[hunt->royal[1]] = 0;
    for (int cell = 0; cell < game->cell_count; cell++)
        hunt->enough += share * hunt->worth[game->start[cell]] / 2;
    measure(hunt);
    return hunt;
}

void hunt_free(struct hunt *hunt)
{
    if (hunt == NULL)
        return;
    free(hunt->remote);
    free(hunt->distances);
    free(hunt);
}

/* --- values ----------------------------------------------------------------------------------- */

struct army {
    double worth;
    int royal; /* its cell; -1: it has none */
};

static struct army army_of(const struct hunt *hunt, const struct position *position,
                           player_index player)
{
    const uint64_t *words = position_player_words(position, player);
    struct army army = {.royal = -1};
    for (int word = 0; word < hunt->game->words; word++)
        for (uint64_t left = words[word]; left != 0; left &= left - 1) {
            int cell = (int)((unsigned)word * WORD_BITS + word_lowest(left));
            unsigned code = position->cells[cell].code;
            army.worth += hunt->worth[code];
            if (code == hunt->royal[player])
                army.royal = cell;
        }
    return army;
}

/* Of the hunter; 0 where nobody is hunted. */
static double chase(const struct hunt *hunt, const struct position *position, player_index hunter)
{
    player_index hunted = 1 - hunter;
    if (bits_count(position_player_words(position, hunted), hunt->game->words) > FEW)
        return 0;
    struct army own = army_of(hunt, position, hunter), other = army_of(hunt, position, hunted);
    if (own.royal < 0 || other.royal < 0 || own.worth < other.worth + hunt->enough)
        return 0;
    int distance = hunt->distances[own.royal * hunt->game->cell_count + other.royal];
    double near = distance == UNREACHED ? 0 : 1 - (double)distance / hunt->farthest;
    return remote_logits * hunt->remote[other.royal] / WHOLE + near_logits * near;
}

int hunt_value(const struct hunt *hunt, const struct position *position, player_index player,
               int unit)
{
    if (hunt == NULL)
        return 0;
    return (int)(unit * (chase(hunt, position, player) - chase(hunt, position, 1 - player)));
}
