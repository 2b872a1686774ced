/* Format 2: what is kept true of a position beside its board, for whom it has not moved, and from where a cell may be
 * attacked. */
#include "engine/load/compile.h"
#include "engine/work.h"

#include <stdlib.h>
#include <string.h>

enum { ORIGINS_BYTES_MAX = 4 * 1024 * 1024 };

/* --- who has not moved ------------------------------------------------------------------------ */

static uint16_t initial_code(const struct game *game, cell_index cell)
{
    for (int i = 0; i < game->placement_count; i++)
        if (game->placements[i].cell == cell)
            return game->placements[i].code;
    return 0;
}

/* The cells whose figures must not have moved for an instance; false where the game does not begin so, or none must. */
static bool instance_right(const struct compiler *compiler, const struct complex_instance *instance,
                           uint64_t *cells)
{
    const struct game *game = compiler->game;
    const struct modern_complex *complex = &game->modern_complex[instance->movement];
    const struct complex_movement *movement = &compiler->definition->complex[instance->movement];
    const struct place *places =
        COMPILER_ITEMS(compiler, places, struct place) + instance->first_place;
    memset(cells, 0, (size_t)game->words * sizeof *cells);
    for (int i = 0; i < movement->participant_count; i++) {
        if ((complex->unmoved >> i & 1) == 0)
            continue;
        unsigned code = initial_code(game, places[i].source);
        if (code == 0 || game->code_figures[code] != movement->participants[i].figure)
            return false;
        bits_set(cells, places[i].source);
    }
    return complex->unmoved != 0;
}

static bool has_right(const struct game *game, const uint64_t *rights, const uint64_t *cells)
{
    size_t bytes = (size_t)game->words * sizeof *cells;
    for (int i = 0; i < game->right_count; i++)
        if (memcmp(rights + (size_t)i * (size_t)game->words, cells, bytes) == 0)
            return true;
    return false;
}

void compile_rights(struct compiler *compiler)
{
    struct game *game = compiler->game;
    size_t words = (size_t)game->words;
    uint64_t *rights = game_allocate(game, RIGHTS_MAX * words, sizeof *rights);
    uint64_t codes[CONTENTS_WORDS_MAX] = {0};
    const struct complex_instance *instances =
        COMPILER_ITEMS(compiler, instances, struct complex_instance);
    for (size_t i = 0; i < compiler->instances.count; i++) {
        uint64_t cells[WORDS_MAX];
        work_spend((uint64_t)game->words * 2 + (unsigned)game->right_count);
        if (!instance_right(compiler, &instances[i], cells) || has_right(game, rights, cells))
            continue;
        for (int k = 0; k < game->cell_count; k++)
            if (bits_test(cells, (unsigned)k))
                bits_set(codes, initial_code(game, (cell_index)k));
        if (game->right_count == RIGHTS_MAX) {
            game->unmoved_is_key = true;
            continue;
        }
        memcpy(rights + (size_t)game->right_count * words, cells, words * sizeof *cells);
        game->right_count++;
    }
    game->rights = rights;
    game->unmoved_codes =
        game->unmoved_is_key ? compiler->contents_all : compile_contents_set(compiler, codes);
}

static bool takes_by_actions(const struct compiler *compiler, uint32_t rule_index)
{
    const struct rule *rule = &COMPILER_ITEMS(compiler, rules, struct rule)[rule_index];
    const struct rule_set *sets = COMPILER_ITEMS(compiler, sets, struct rule_set);
    const struct rule_action *actions = COMPILER_ITEMS(compiler, actions, struct rule_action);
    for (uint32_t i = 0; i < rule->destination_count; i++) {
        const struct rule_set *set = &sets[rule->first_destination + i];
        for (uint32_t k = 0; k < set->action_count; k++)
            if (actions[set->first_action + k].kind == RULE_TAKE)
                return true;
    }
    return false;
}

static bool attacks_target(const struct compiler *compiler, uint32_t rule_index)
{
    const struct modern_rule *rule = compile_modern_rule_at(compiler, rule_index);
    if (rule->purpose == FOR_ACTIONS)
        return takes_by_actions(compiler, rule_index);
    return (rule->purpose == FOR_TAKE || rule->purpose == FOR_BOTH) && !rule->takes_jumped;
}

static void add_origins(const struct compiler *compiler, uint64_t *origins, int piece,
                        cell_index from)
{
    const struct game *game = compiler->game;
    size_t slot = (size_t)piece * (size_t)(game->cell_count + 1) + from;
    const uint32_t *starts = COMPILER_ITEMS(compiler, candidate_starts, uint32_t) + slot;
    const struct candidate *list = COMPILER_ITEMS(compiler, candidates, struct candidate);
    const cell_index *paths = COMPILER_ITEMS(compiler, paths, cell_index);
    uint64_t *first = origins + (size_t)piece * (size_t)game->cell_count * (size_t)game->words;
    for (uint32_t i = starts[0]; i < starts[1]; i++) {
        work_spend(1);
        if (attacks_target(compiler, list[i].rule))
            bits_set(first + (size_t)list[i].to * (size_t)game->words, from);
        if (!compile_modern_rule_at(compiler, list[i].rule)->takes_jumped)
            continue;
        for (int k = 0; k + 1 < list[i].steps; k++)
            bits_set(first + (size_t)paths[list[i].path + (uint32_t)k] * (size_t)game->words, from);
    }
}

void compile_origins(struct compiler *compiler)
{
    struct game *game = compiler->game;
    size_t count = (size_t)game->piece_count * (size_t)game->cell_count * (size_t)game->words;
    if (count * sizeof(uint64_t) > ORIGINS_BYTES_MAX)
        return;
    uint64_t *origins = game_allocate(game, count, sizeof *origins);
    for (int piece = 0; piece < game->piece_count; piece++)
        for (int from = 0; from < game->cell_count; from++)
            add_origins(compiler, origins, piece, (cell_index)from);
    game->attack_origins = origins;
}
