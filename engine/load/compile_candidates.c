#include "engine/candidates.h"
#include "engine/load/compile.h"
#include "engine/work.h"

#include <stdlib.h>
#include <string.h>

enum {
    MODERN_MOVES_MAX = 1024 * 1024,
    LOOK_UPS_MAX = 32 * 1024 * 1024, /* of cells by coordinates, to lay out everything */
};

/* --- rays ------------------------------------------------------------------------------------- */

struct box {
    int low[DIMENSIONS_MAX], high[DIMENSIONS_MAX];
};

static struct box bounding_box(const struct game *game)
{
    struct box box;
    for (int i = 0; i < game->dimension_count; i++) {
        box.low[i] = box.high[i] = game->cells[0].coordinates[i];
        for (int cell = 1; cell < game->cell_count; cell++) {
            int value = game->cells[cell].coordinates[i];
            if (value < box.low[i])
                box.low[i] = value;
            if (value > box.high[i])
                box.high[i] = value;
        }
    }
    return box;
}

/* Takes one step; false when it leads out of the box. */
static bool step(const struct box *box, int dimensions, int *coordinates, struct vector delta)
{
    for (int i = 0; i < dimensions; i++) {
        coordinates[i] += delta.of[i];
        if (coordinates[i] < box->low[i] || coordinates[i] > box->high[i])
            return false;
    }
    return true;
}

/* Writes what lies along a delta from one cell, holes included, up to the last cell or the first step. */
static void lay_ray(struct compiler *compiler, const struct box *box, struct vector delta, bool far,
                    cell_index from)
{
    const struct game *game = compiler->game;
    int at[DIMENSIONS_MAX];
    size_t holes = 0;
    if (vector_is_zero(delta))
        return;
    memcpy(at, game->cells[from].coordinates, (size_t)game->dimension_count * sizeof *at);
    while (step(box, game->dimension_count, at, delta)) {
        work_spend(WORK_CANDIDATE);
        if (++compiler->cells_looked_up > LOOK_UPS_MAX)
            compile_too_large(compiler->game);
        cell_index cell = game_cell_at(game, at);
        if (cell == CELL_NONE) {
            holes++;
        } else {
            for (; holes > 0; holes--)
                *(cell_index *)table_add(&compiler->paths) = CELL_NONE;
            *(cell_index *)table_add(&compiler->paths) = cell;
        }
        if (!far)
            return;
    }
}

/* The rays along a delta from all cells: where they begin in ray_starts. */
static uint32_t find_rays(struct compiler *compiler, const struct box *box, struct vector delta,
                          bool far)
{
    const struct game *game = compiler->game;
    struct ray_vector *vectors = compiler->vectors.items;
    for (size_t i = 0; i < compiler->vectors.count; i++)
        if (vectors[i].far == far && vector_is_among(&vectors[i].delta, 1, delta))
            return vectors[i].first_start;
    if (compiler->vectors.count == VECTORS_MAX)
        compile_too_large(compiler->game);
    struct ray_vector *vector = table_add(&compiler->vectors);
    uint32_t first = (uint32_t)compiler->ray_starts.count;
    *vector = (struct ray_vector){delta, far, first};
    for (int cell = 0; cell < game->cell_count; cell++) {
        *(uint32_t *)table_add(&compiler->ray_starts) = (uint32_t)compiler->paths.count;
        lay_ray(compiler, box, delta, far, (cell_index)cell);
    }
    *(uint32_t *)table_add(&compiler->ray_starts) = (uint32_t)compiler->paths.count;
    return first;
}

static void lay_rays(struct compiler *compiler)
{
    struct game *game = compiler->game;
    struct box box = bounding_box(game);
    for (uint32_t i = 0; i < game->piece_rules[game->piece_count]; i++) {
        struct movement *movement = &game->movements[i];
        movement->ray = find_rays(compiler, &box, movement->delta, movement->max_steps > 1);
    }
    game->ray_starts = table_finish(&compiler->ray_starts);
    game->paths = table_finish(&compiler->paths);
}

/* --- simple candidates ------------------------------------------------------------------------ */

/* Only what is possible by where it leads, and by what that says of its condition. */
static void add_ray(struct compiler *compiler, uint32_t rule, cell_index from)
{
    const struct game *game = compiler->game;
    const struct movement *movement = &game->movements[rule];
    uint32_t path = game->ray_starts[movement->ray + from];
    int most = compile_reach(game, movement, from);
    for (int steps = movement->min_steps; steps <= most; steps++) {
        const struct candidate candidate = {.rule = rule,
                                            .path = path,
                                            .to = game->paths[path + (uint32_t)steps - 1],
                                            .steps = (uint16_t)steps};
        const struct known known = {.game = game, .self = from, .target = candidate.to};
        if (steps <= movement->over_min || candidate.to == CELL_NONE)
            continue;
        work_spend(WORK_CANDIDATE);
        if (condition_judge(&known, movement->condition) != TRI_NO)
            memcpy(table_add(&compiler->candidates), &candidate, sizeof candidate);
    }
}

/* By target; for one target in the order of the movements. A movement reaches a target at most
 * once. */
static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *left = a, *right = b;
    if (left->to != right->to)
        return left->to < right->to ? -1 : 1;
    return (left->rule > right->rule) - (left->rule < right->rule);
}

/* The candidates of one piece from one cell. */
static void lay_fan(struct compiler *compiler, int piece, cell_index from)
{
    const struct game *game = compiler->game;
    size_t first = compiler->candidates.count;
    for (uint32_t rule = game->piece_rules[piece]; rule < game->piece_rules[piece + 1]; rule++)
        add_ray(compiler, rule, from);
    struct candidate *all = compiler->candidates.items;
    qsort(all + first, compiler->candidates.count - first, sizeof *all, compare_candidates);
}

static void lay_candidates(struct compiler *compiler)
{
    struct game *game = compiler->game;
    for (int piece = 0; piece < game->piece_count; piece++) {
        game->compiling->subject = game->code_figures[piece + 1];
        for (int from = 0; from <= game->cell_count; from++) {
            *(uint32_t *)table_add(&compiler->candidate_starts) =
                (uint32_t)compiler->candidates.count;
            if (from < game->cell_count)
                lay_fan(compiler, piece, (cell_index)from);
        }
    }
    game->candidates = table_finish(&compiler->candidates);
    game->candidate_starts = table_finish(&compiler->candidate_starts);
}

/* --- bounds ----------------------------------------------------------------------------------- */

static void need_matches(struct game *game, size_t matches)
{
    if (matches > MATCHES_MAX)
        compile_too_large(game);
    if ((int)matches > game->matches_max)
        game->matches_max = (int)matches;
}

/* How many moves the candidates of a piece from a cell are worth, at most. */
static size_t weigh_simple(struct game *game, size_t slot)
{
    size_t targets = 0;
    for (uint32_t i = game->candidate_starts[slot]; i < game->candidate_starts[slot + 1]; i++) {
        const struct candidate *candidate = &game->candidates[i];
        const struct movement *movement = &game->movements[candidate->rule];
        const struct cell_actions *actions = &movement->actions;
        targets += compile_choices(movement);
        need_matches(game, (size_t)actions->destination_count +
                               (size_t)actions->transition_count * (candidate->steps - 1U));
        if (actions->transition_count > 0 && candidate->steps + 1 > game->changes_max)
            game->changes_max = candidate->steps + 1;
    }
    return targets;
}

static size_t count_combined(const struct game *game, int piece, cell_index from)
{
    struct combined_instance instance = {.passed = 0};
    size_t count = 0;
    while (combined_next(game, (unsigned)piece + 1, from, &instance))
        count++;
    return count;
}

/* What a player puts on the board from nowhere, or from the hand: so many moves at most. */
static size_t placings_most(const struct game *game)
{
    size_t most = 0;
    for (int player = 0; player < game->player_count; player++) {
        size_t kinds = word_count(placing_list_kinds(&game->placing[player]));
        if (kinds == 0 && game->placing[player].count > 0)
            kinds = 1; /* all entries remove: one figure on a cell */
        most = kinds > most ? kinds : most;
    }
    return most * (size_t)game->cell_count;
}

/* A pass more; and what changes by jumping, by what is done after a move, by what leaves when a turn ends. */
static void find_modern_bounds(struct game *game)
{
    int most = 0, effects = 0;
    for (uint32_t i = 0; i < game->piece_rules[game->piece_count]; i++) {
        const struct movement *movement = &game->movements[i];
        int jumped = movement->over_max < game->cell_count ? movement->over_max : game->cell_count;
        most = movement->takes_jumped && jumped > most ? jumped : most;
    }
    for (int i = 0; i < game->after_move_count; i++)
        for (int k = 0; k < game->after_move[0][i].effect_count; k++) {
            const struct selection *of = &game->after_move[0][i].effects[k].selection;
            bool few = of->cells == SELECT_NEIGHBOURS || of->cells == SELECT_TARGET ||
                       of->cells == SELECT_SELF;
            effects += few ? of->row_count + 1 : game->cell_count;
        }
    bool all = game->remove_at_turn_end || game->pie;
    for (int i = 0; i < game->result_count; i++)
        all |= game->results[0][i].removes;
    if (all)
        most = game->cell_count;
    game->moves_max += 1 + game->pie;
    game->changes_max += most + effects;
}

static void find_bounds(struct game *game)
{
    size_t moves = 0, others = (size_t)game->cell_count - 1;
    game->changes_max = 2 * PARTICIPANTS_MAX;
    for (int i = 0; i < game->combined_count; i++) {
        size_t matches = 0;
        for (int k = 0; k < game->combined[i].participant_count; k++)
            matches += (size_t)game->combined[i].participants[k].actions.destination_count;
        need_matches(game, matches);
    }
    for (int from = 0; from < game->cell_count; from++) {
        size_t most = 0;
        for (int piece = 0; piece < game->piece_count; piece++) {
            size_t slot = (size_t)piece * (size_t)(game->cell_count + 1) + (size_t)from;
            size_t targets =
                weigh_simple(game, slot) + count_combined(game, piece, (cell_index)from);
            most = targets > most ? targets : most;
        }
        if (game->format != 2 && most > others)
            most = others;
        moves += most;
    }
    moves += placings_most(game);
    if (moves > MODERN_MOVES_MAX)
        compile_too_large(game);
    game->moves_max = (int)moves;
    if (game->format == 2)
        find_modern_bounds(game);
    if (game->changes_max > game->cell_count)
        game->changes_max = game->cell_count;
}

void compile_candidates(struct compiler *compiler)
{
    lay_rays(compiler);
    lay_candidates(compiler);
    find_bounds(compiler->game);
}
