#include "engine/fast/liberties.h"

#include "engine/fast/fast.h"
#include "engine/rules/history.h"
#include "engine/work.h"

#include <string.h>

/* The stones of one player that hang together: a stretch of `stones`. */
struct chain {
    uint16_t first, count;
    cell_index liberty; /* one of them; CELL_NONE: it has none */
    bool more;          /* it has another one */
};

struct chains {
    const struct position *position;
    const struct beside *beside;
    uint16_t of[CELLS_MAX]; /* by cell with a stone: 1 + its chain; 0: not known yet */
    struct chain list[CELLS_MAX];
    cell_index stones[CELLS_MAX];
    int count, stone_count;
};

static void note_liberty(struct chain *chain, cell_index cell)
{
    if (chain->liberty == CELL_NONE)
        chain->liberty = cell;
    chain->more |= chain->liberty != cell;
}

/* The chain of a stone that belongs to none yet. */
static void follow_chain(struct chains *chains, cell_index cell)
{
    const struct position *position = chains->position;
    const player_index *owners = position->game->code_players;
    const struct beside *beside = chains->beside;
    player_index owner = owners[position->cells[cell].code];
    struct chain chain = {.first = (uint16_t)chains->stone_count, .liberty = CELL_NONE};
    uint16_t number = (uint16_t)++chains->count;
    chains->of[cell] = number;
    chains->stones[chains->stone_count++] = cell;
    for (int i = chain.first; i < chains->stone_count; i++) {
        uint32_t first = beside->starts[chains->stones[i]],
                 end = beside->starts[chains->stones[i] + 1];
        work_spend(end - first);
        for (uint32_t k = first; k < end; k++) {
            cell_index near = beside->list[k];
            unsigned code = position->cells[near].code;
            if (code == 0)
                note_liberty(&chain, near);
            if (code == 0 || chains->of[near] != 0 || owners[code] != owner)
                continue;
            chains->of[near] = number;
            chains->stones[chains->stone_count++] = near;
        }
    }
    chain.count = (uint16_t)(chains->stone_count - chain.first);
    chains->list[number - 1] = chain;
}

static void find_chains(struct chains *chains)
{
    const struct position *position = chains->position;
    const int cells = position->game->cell_count;
    memset(chains->of, 0, (size_t)cells * sizeof *chains->of);
    work_spend((unsigned)cells / 2);
    for (int cell = 0; cell < cells; cell++)
        if (position->cells[cell].code != 0 && chains->of[cell] == 0)
            follow_chain(chains, (cell_index)cell);
}

/* What all stones of the chain add to the hash. */
static uint64_t key_of(const struct chains *chains, const struct chain *chain)
{
    const struct position *position = chains->position;
    uint64_t key = 0;
    work_spend(chain->count);
    for (int i = chain->first; i < chain->first + chain->count; i++)
        key ^= position_key(position->game, chains->stones[i], position->cells[chains->stones[i]]);
    return key;
}

/* Whether a stone put on an empty cell has a liberty, when those around that have none are gone; `key` of the board becomes that
 * of the board without them. */
static bool breathes(const struct chains *chains, cell_index cell, player_index player,
                     uint64_t *key)
{
    const struct position *position = chains->position;
    const cell_index *near = chains->beside->list + chains->beside->starts[cell];
    int count = (int)(chains->beside->starts[cell + 1] - chains->beside->starts[cell]);
    bool free = false;
    for (int i = 0; i < count; i++) {
        unsigned code = position->cells[near[i]].code, number = chains->of[near[i]];
        free |= code == 0;
        if (code == 0)
            continue;
        const struct chain *chain = &chains->list[number - 1];
        bool own = position->game->code_players[code] == player, again = false;
        free |= own == chain->more;
        for (int k = 0; k < i; k++) /* of empty cells it is 0 */
            again |= chains->of[near[k]] == number;
        if (!own && !chain->more && !again)
            *key ^= key_of(chains, chain);
    }
    return free;
}

void liberties_keep_legal(const struct position *position, struct placing *placing)
{
    const struct game *game = position->game;
    player_index player = position_state_player(position);
    const struct fast_liberties *table = &game->fast->players[player].liberties;
    figure_index figure = (figure_index)word_lowest(placing->list->rules[0].figures);
    struct cell_record stone = {.code = game_code(game, figure, player)};
    struct chains chains;
    chains.position = position;
    chains.beside = table->beside;
    chains.count = chains.stone_count = 0;
    find_chains(&chains);
    for (int i = 0; i < game->words; i++)
        for (uint64_t left = placing->any[i]; left != 0 && work_spend(WORK_CANDIDATE);
             left &= left - 1) {
            cell_index cell = (cell_index)((unsigned)i * WORD_BITS + word_lowest(left));
            uint64_t key = position->turn.hash ^ position_key(game, cell, stone);
            if (!breathes(&chains, cell, player, &key) ||
                (table->repeats && history_has(position, key)))
                placing->any[i] &= ~(left & -left);
        }
    for (int rule = 0; rule < placing->list->count; rule++)
        for (int i = 0; i < game->words; i++)
            placing->cells[rule][i] &= placing->any[i];
}
