/* Format 2: what is kept true of a position beside its board, for whom it has not moved, and from where a cell may be
 * attacked. */
#include "engine/candidates.h"
#include "engine/load/compile.h"
#include "engine/work.h"

#include <string.h>

enum { ORIGINS_BYTES_MAX = 4 * 1024 * 1024 };

/* --- who has not moved ------------------------------------------------------------------------ */

/* The cells whose figures must not have moved for an instance; false where the game does not begin so, or none must. */
static bool instance_right(const struct game *game, const struct combined_instance *instance,
                           uint64_t *cells)
{
    const struct combined_movement *movement = instance->movement;
    bool some = false;
    memset(cells, 0, (size_t)game->words * sizeof *cells);
    for (int i = 0; i < movement->participant_count; i++) {
        if (!movement->participants[i].unmoved)
            continue;
        unsigned code = game->start[instance->places[i].source];
        if (code == 0 || game->code_figures[code] != movement->participants[i].figure)
            return false;
        bits_set(cells, instance->places[i].source);
        some = true;
    }
    return some;
}

/* Where there are too many of them all that has not moved is asked for, and no more are looked for. */
void compile_rights(struct compiler *compiler)
{
    struct game *game = compiler->game;
    uint64_t codes[CONTENTS_WORDS_MAX] = {0}, cells[WORDS_MAX];
    struct pool rights;
    pool_init(&rights, game, game->words);
    for (int piece = 0; piece < game->piece_count; piece++)
        for (int from = 0; from < game->cell_count; from++) {
            struct combined_instance instance = {.passed = 0};
            while (combined_next(game, (unsigned)piece + 1, (cell_index)from, &instance)) {
                work_spend((uint64_t)game->words * 2 + rights.items.count);
                if (rights.items.count > RIGHTS_MAX || !instance_right(game, &instance, cells))
                    continue;
                pool_add(&rights, cells);
                EACH_BIT (i, cells, game->words)
                    bits_set(codes, game->start[i]);
            }
        }
    game->unmoved_is_key |= rights.items.count > RIGHTS_MAX;
    game->right_count = game->unmoved_is_key ? 0 : (int)rights.items.count;
    game->rights = table_finish(&rights.items);
    game->unmoved_codes =
        game->unmoved_is_key ? compiler->contents_all : pool_add(&compiler->contents_sets, codes);
}

static bool takes_by_actions(const struct cell_actions *actions)
{
    for (int i = 0; i < actions->destination_count; i++)
        if (action_set_does(&actions->destination[i], RULE_TAKE))
            return true;
    return false;
}

static bool attacks_target(const struct movement *movement)
{
    if (movement->purpose == FOR_ACTIONS)
        return takes_by_actions(&movement->actions);
    return (movement->purpose == FOR_TAKE || movement->purpose == FOR_BOTH) &&
           !movement->takes_jumped;
}

static void add_origins(const struct game *game, uint64_t *origins, int piece, cell_index from)
{
    size_t slot = (size_t)piece * (size_t)(game->cell_count + 1) + from;
    uint64_t *first = origins + (size_t)piece * (size_t)game->cell_count * (size_t)game->words;
    for (uint32_t i = game->candidate_starts[slot]; i < game->candidate_starts[slot + 1]; i++) {
        const struct candidate *candidate = &game->candidates[i];
        const struct movement *movement = &game->movements[candidate->rule];
        work_spend(1);
        if (attacks_target(movement))
            bits_set(first + (size_t)candidate->to * (size_t)game->words, from);
        if (!movement->takes_jumped)
            continue;
        for (int k = 0; k + 1 < candidate->steps; k++)
            bits_set(first +
                         (size_t)game->paths[candidate->path + (uint32_t)k] * (size_t)game->words,
                     from);
    }
}

void compile_origins(struct game *game)
{
    size_t count = (size_t)game->piece_count * (size_t)game->cell_count * (size_t)game->words;
    /* formats 0 and 1 have no word that asks for attacks */
    if (game->format != 2 || count * sizeof(uint64_t) > ORIGINS_BYTES_MAX)
        return;
    uint64_t *origins = game_allocate(game, count, sizeof *origins);
    for (int piece = 0; piece < game->piece_count; piece++)
        for (int from = 0; from < game->cell_count; from++)
            add_origins(game, origins, piece, (cell_index)from);
    game->attack_origins = origins;
}
