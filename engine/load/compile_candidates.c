#include "engine/load/compile.h"
#include "engine/work.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NO_VECTOR UINT32_MAX

enum {
    MODERN_MOVES_MAX = 1024 * 1024,
    LOOK_UPS_MAX = 32 * 1024 * 1024, /* of cells by coordinates, to lay out everything */
};

/* --- rays ------------------------------------------------------------------------------------- */

static uint32_t find_vector(struct compiler *compiler, const int *delta, bool repeat)
{
    int count = compiler->game->dimension_count;
    struct ray_vector *vectors = COMPILER_ITEMS(compiler, vectors, struct ray_vector);
    for (size_t i = 0; i < compiler->vectors.count; i++)
        if (memcmp(vectors[i].delta, delta, (size_t)count * sizeof *delta) == 0) {
            vectors[i].repeat |= repeat;
            return (uint32_t)i;
        }
    struct ray_vector *vector = table_add(&compiler->vectors, 1);
    memcpy(vector->delta, delta, (size_t)count * sizeof *delta);
    vector->repeat = repeat;
    return (uint32_t)(compiler->vectors.count - 1);
}

static bool is_zero(const int *delta, int count)
{
    for (int i = 0; i < count; i++)
        if (delta[i] != 0)
            return false;
    return true;
}

/* Whether more than one step may be taken. */
static bool goes_far(const struct movement *movement)
{
    return movement->repeat || movement->max_steps > 1;
}

/* Notes which vectors each movement of each piece uses. */
static void collect_vectors(struct compiler *compiler)
{
    const struct game *game = compiler->game;
    for (int piece = 0; piece < game->piece_count; piece++) {
        const struct movement_list *list = compiler_movements(compiler, piece);
        for (int i = 0; i < list->count; i++) {
            const struct movement *movement = &list->movements[i];
            size_t rule = (size_t)game->piece_rules[piece] + (size_t)i;
            uint32_t *pair = compiler->movement_vectors + 2 * rule;
            pair[0] = pair[1] = NO_VECTOR;
            if (is_zero(movement->delta, game->dimension_count))
                continue;
            int back[DIMENSIONS_MAX] = {0};
            for (int k = 0; k < game->dimension_count; k++)
                back[k] = -movement->delta[k];
            pair[0] = find_vector(compiler, movement->delta, goes_far(movement));
            if (movement->also_reversed)
                pair[1] = find_vector(compiler, back, goes_far(movement));
        }
    }
}

struct box {
    int low[DIMENSIONS_MAX], high[DIMENSIONS_MAX];
};

static struct box bounding_box(const struct game *game)
{
    struct box box;
    for (int i = 0; i < game->dimension_count; i++) {
        box.low[i] = box.high[i] = game_cell_coordinates(game, 0)[i];
        for (int cell = 1; cell < game->cell_count; cell++) {
            int value = game_cell_coordinates(game, (cell_index)cell)[i];
            if (value < box.low[i])
                box.low[i] = value;
            if (value > box.high[i])
                box.high[i] = value;
        }
    }
    return box;
}

/* Takes one step; false when it leads out of the box. */
static bool step(const struct box *box, int dimensions, int *coordinates, const int *delta)
{
    for (int i = 0; i < dimensions; i++) {
        coordinates[i] += delta[i];
        if (coordinates[i] < box->low[i] || coordinates[i] > box->high[i])
            return false;
    }
    return true;
}

/* Writes what lies along the vector from one cell, holes included, up to the last cell. */
static void lay_ray(struct compiler *compiler, const struct box *box,
                    const struct ray_vector *vector, cell_index from)
{
    const struct game *game = compiler->game;
    int at[DIMENSIONS_MAX];
    memcpy(at, game_cell_coordinates(game, from), (size_t)game->dimension_count * sizeof *at);
    size_t holes = 0;
    while (step(box, game->dimension_count, at, vector->delta)) {
        work_spend(WORK_CANDIDATE);
        if (++compiler->cells_looked_up > LOOK_UPS_MAX) {
            compiler->too_large = true;
            return;
        }
        cell_index cell = game_cell_at(game, at);
        if (cell == CELL_NONE) {
            holes++;
        } else {
            cell_index *cells = table_add(&compiler->paths, holes + 1);
            for (size_t i = 0; i < holes; i++)
                cells[i] = CELL_NONE;
            cells[holes] = cell;
            holes = 0;
        }
        if (!vector->repeat)
            return;
    }
}

static void lay_rays(struct compiler *compiler)
{
    const struct game *game = compiler->game;
    struct box box = bounding_box(game);
    for (size_t i = 0; i < compiler->vectors.count && !compiler_stopped(compiler); i++) {
        struct ray_vector *vector = &COMPILER_ITEMS(compiler, vectors, struct ray_vector)[i];
        vector->first_start = (uint32_t)compiler->ray_starts.count;
        for (int cell = 0; cell < game->cell_count; cell++) {
            *(uint32_t *)table_add(&compiler->ray_starts, 1) = (uint32_t)compiler->paths.count;
            lay_ray(compiler, &box, vector, (cell_index)cell);
        }
        *(uint32_t *)table_add(&compiler->ray_starts, 1) = (uint32_t)compiler->paths.count;
    }
}

/* --- what can be said of a candidate without a position --------------------------------------- */

/* Whether the two cells leave the condition possible; a hole is CELL_NONE. */
static bool condition_possible(const struct compiler *compiler,
                               const struct rule_condition *condition, cell_index self,
                               cell_index target)
{
    if (!bits_test(compiler_cell_set(compiler, condition->self_cells), self))
        return false;
    if (target == CELL_NONE)
        return condition->on_hole;
    return bits_test(compiler_cell_set(compiler, condition->target_cells), target);
}

/* Whether some set that does not cancel may match. */
static bool sets_possible(const struct compiler *compiler, uint32_t first, uint32_t count,
                          cell_index self, cell_index target)
{
    const struct rule_set *sets = COMPILER_ITEMS(compiler, sets, struct rule_set);
    const struct rule_condition *conditions =
        COMPILER_ITEMS(compiler, conditions, struct rule_condition);
    for (uint32_t i = first; i < first + count; i++) {
        if (sets[i].cancels)
            continue;
        for (uint32_t k = 0; k < sets[i].condition_count; k++)
            if (condition_possible(compiler, &conditions[sets[i].first_condition + k], self,
                                   target))
                return true;
    }
    return false;
}

static bool candidate_possible(const struct compiler *compiler, const struct candidate *candidate,
                               cell_index from)
{
    const struct rule *rule = &COMPILER_ITEMS(compiler, rules, struct rule)[candidate->rule];
    if (sets_possible(compiler, rule->first_destination, rule->destination_count, from,
                      candidate->to))
        return true;
    const cell_index *path = COMPILER_ITEMS(compiler, paths, cell_index) + candidate->path;
    for (int i = 0; i + 1 < candidate->steps; i++)
        if (sets_possible(compiler, rule->first_transition, rule->transition_count, from, path[i]))
            return true;
    return false;
}

enum guard { GUARD_NEVER, GUARD_SOMETIMES, GUARD_ALWAYS };

static enum guard judge_guard(const struct compiler *compiler, const struct candidate *candidate,
                              cell_index from)
{
    const struct rule *rule = &COMPILER_ITEMS(compiler, rules, struct rule)[candidate->rule];
    const struct rule_condition *conditions =
        COMPILER_ITEMS(compiler, conditions, struct rule_condition) + rule->first_guard;
    if (!rule->guarded)
        return GUARD_ALWAYS;
    enum guard guard = GUARD_NEVER;
    for (uint32_t i = 0; i < rule->guard_count; i++) {
        if (!condition_possible(compiler, &conditions[i], from, candidate->to))
            continue;
        if (conditions[i].atom_count == 0 && conditions[i].contents == compiler->contents_all)
            return GUARD_ALWAYS;
        guard = GUARD_SOMETIMES;
    }
    return guard;
}

/* --- simple candidates ------------------------------------------------------------------------ */

/* The candidates of one piece from one cell, before sorting. */
struct fan {
    struct candidate *list;
    size_t count;
};

static void add_ray(const struct compiler *compiler, struct fan *fan, size_t room, uint32_t rule,
                    uint32_t vector_index, bool repeat, cell_index from)
{
    if (vector_index == NO_VECTOR)
        return;
    const struct ray_vector *vector =
        &COMPILER_ITEMS(compiler, vectors, struct ray_vector)[vector_index];
    const uint32_t *starts =
        COMPILER_ITEMS(compiler, ray_starts, uint32_t) + vector->first_start + from;
    const cell_index *cells = COMPILER_ITEMS(compiler, paths, cell_index);
    for (uint32_t i = starts[0]; i < starts[1] && (repeat || i == starts[0]); i++) {
        if (cells[i] == CELL_NONE)
            continue;
        if (fan->count == room || !work_spend(WORK_CANDIDATE))
            return;
        fan->list[fan->count++] = (struct candidate){
            .rule = rule,
            .path = starts[0],
            .to = cells[i],
            .steps = (uint16_t)(i - starts[0] + 1),
        };
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

/* Whether a modern rule fits depends on what stands where, so another may always come after it. */
static enum guard judge_candidate(const struct compiler *compiler,
                                  const struct candidate *candidate, cell_index from)
{
    enum guard guard = judge_guard(compiler, candidate, from);
    if (compiler->game->format != 2)
        return guard;
    if (guard == GUARD_NEVER || !compile_modern_possible(compiler, candidate, from))
        return GUARD_NEVER;
    return GUARD_SOMETIMES;
}

static bool legal_sometimes(const struct compiler *compiler, const struct candidate *candidate,
                            cell_index from)
{
    if (compiler->game->format == 2 &&
        COMPILER_ITEMS(compiler, modern_rules, struct modern_rule)[candidate->rule].purpose !=
            FOR_ACTIONS)
        return true;
    return candidate_possible(compiler, candidate, from);
}

/* Keeps of the alternatives for one target those that may ever decide, and of these nothing after
 * the last that may ever be legal; returns how many. */
static size_t keep_alternatives(const struct compiler *compiler, struct candidate *list,
                                size_t count, cell_index from)
{
    size_t kept = 0, last_possible = 0;
    for (size_t i = 0; i < count; i++) {
        enum guard guard = judge_candidate(compiler, &list[i], from);
        if (guard == GUARD_NEVER)
            continue;
        list[kept++] = list[i];
        if (legal_sometimes(compiler, &list[kept - 1], from))
            last_possible = kept;
        if (guard == GUARD_ALWAYS)
            break;
    }
    return last_possible;
}

static void store_fan(struct compiler *compiler, struct fan *fan, cell_index from)
{
    if (fan->count > 1)
        qsort(fan->list, fan->count, sizeof *fan->list, compare_candidates);
    for (size_t i = 0, next = 0; i < fan->count; i = next) {
        next = i + 1;
        while (next < fan->count && fan->list[next].to == fan->list[i].to)
            next++;
        size_t kept = keep_alternatives(compiler, fan->list + i, next - i, from);
        if (kept > 0)
            memcpy(table_add(&compiler->candidates, kept), fan->list + i, kept * sizeof *fan->list);
    }
}

static void compile_simple(struct compiler *compiler)
{
    const struct game *game = compiler->game;
    size_t room = (size_t)game->cell_count * MOVEMENTS_MAX * 2;
    struct fan fan = {.list = compile_allocate(compiler->game, room, sizeof *fan.list)};
    for (int piece = 0; piece < game->piece_count; piece++) {
        const struct movement_list *list = compiler_movements(compiler, piece);
        compile_memory_for_figure(compiler->game, game->code_figures[piece + 1]);
        for (int from = 0; from < game->cell_count; from++) {
            *(uint32_t *)table_add(&compiler->candidate_starts, 1) =
                (uint32_t)compiler->candidates.count;
            fan.count = 0;
            for (int i = 0; i < list->count && !compiler_stopped(compiler); i++) {
                uint32_t rule = game->piece_rules[piece] + (uint32_t)i;
                const uint32_t *pair = compiler->movement_vectors + (size_t)2 * rule;
                bool repeat = goes_far(&list->movements[i]);
                add_ray(compiler, &fan, room, rule, pair[0], repeat, (cell_index)from);
                add_ray(compiler, &fan, room, rule, pair[1], repeat, (cell_index)from);
            }
            store_fan(compiler, &fan, (cell_index)from);
        }
        *(uint32_t *)table_add(&compiler->candidate_starts, 1) =
            (uint32_t)compiler->candidates.count;
    }
    compile_free(compiler->game, fan.list);
}

/* --- complex instances ------------------------------------------------------------------------ */

static cell_index cell_beside(const struct game *game, cell_index from, const int *minus,
                              const int *plus)
{
    int at[DIMENSIONS_MAX];
    memcpy(at, game_cell_coordinates(game, from), (size_t)game->dimension_count * sizeof *at);
    for (int i = 0; i < game->dimension_count; i++)
        at[i] += (plus != NULL ? plus[i] : 0) - (minus != NULL ? minus[i] : 0);
    return game_cell_at(game, at);
}

/* Whether a participant's own sets leave it possible; the clicked one is the mover's, others
 * anybody's. */
static bool participant_possible(const struct compiler *compiler,
                                 const struct complex_rule *complex, int participant,
                                 struct place place, int player)
{
    int players = compiler->game->player_count;
    const struct rule *rules = COMPILER_ITEMS(compiler, rules, struct rule) + complex->first_rule +
                               (size_t)participant * (size_t)players;
    for (int i = 0; i < players; i++) {
        if (player >= 0 && i != player)
            continue;
        if (sets_possible(compiler, rules[i].first_destination, rules[i].destination_count,
                          place.source, place.destination))
            return true;
    }
    return false;
}

/* Where everybody stands and goes when `clicked` begins from `from`; false when that cannot be. */
static bool lay_places(struct compiler *compiler, size_t movement_index, int clicked, int player,
                       cell_index from, struct place *places)
{
    const struct game *game = compiler->game;
    const struct complex_movement *movement = &compiler->definition->complex[movement_index];
    const struct complex_rule *complex =
        &COMPILER_ITEMS(compiler, complex, struct complex_rule)[movement_index];
    const int *origin = movement->participants[clicked].relative_position;
    for (int i = 0; i < movement->participant_count; i++) {
        const struct participant *participant = &movement->participants[i];
        compiler->too_large |= ++compiler->cells_looked_up > LOOK_UPS_MAX;
        work_spend(WORK_SEARCH);
        places[i].source = cell_beside(game, from, origin, participant->relative_position);
        if (places[i].source == CELL_NONE)
            return false;
        places[i].destination = cell_beside(game, places[i].source, NULL, participant->delta);
        bool possible =
            participant->by_default
                ? places[i].destination != CELL_NONE
                : participant_possible(compiler, complex, i, places[i], i == clicked ? player : -1);
        if (!possible)
            return false;
    }
    return places[clicked].destination != CELL_NONE;
}

static void add_instances(struct compiler *compiler, int piece, cell_index from)
{
    const struct game *game = compiler->game;
    int player = game->code_players[piece + 1], figure = game->code_figures[piece + 1];
    for (size_t i = 0; i < compiler->complex.count; i++) {
        const struct complex_movement *movement = &compiler->definition->complex[i];
        for (int k = 0; k < movement->participant_count; k++) {
            struct place places[PARTICIPANTS_MAX];
            bool others = movement->modern && (k != 0 || movement->player != player);
            if (others || movement->participants[k].figure != figure ||
                is_zero(movement->participants[k].delta, game->dimension_count) ||
                !lay_places(compiler, i, k, player, from, places))
                continue;
            struct complex_instance instance = {
                .first_place = (uint32_t)compiler->places.count,
                .to = places[k].destination,
                .movement = (uint16_t)i,
                .clicked = (uint8_t)k,
            };
            size_t count = (size_t)movement->participant_count;
            memcpy(table_add(&compiler->places, count), places, count * sizeof *places);
            memcpy(table_add(&compiler->instances, 1), &instance, sizeof instance);
        }
    }
}

static int compare_instances(const void *a, const void *b)
{
    const struct complex_instance *left = a, *right = b;
    if (left->to != right->to)
        return left->to < right->to ? -1 : 1;
    if (left->movement != right->movement)
        return left->movement < right->movement ? -1 : 1;
    return (left->clicked > right->clicked) - (left->clicked < right->clicked);
}

static void compile_complex(struct compiler *compiler)
{
    const struct game *game = compiler->game;
    for (int piece = 0; piece < game->piece_count; piece++) {
        for (int from = 0; from < game->cell_count; from++) {
            size_t first = compiler->instances.count;
            *(uint32_t *)table_add(&compiler->instance_starts, 1) = (uint32_t)first;
            if (compiler_stopped(compiler))
                continue;
            add_instances(compiler, piece, (cell_index)from);
            if (compiler_stopped(compiler) || compiler->instances.count == first)
                continue;
            qsort(COMPILER_ITEMS(compiler, instances, struct complex_instance) + first,
                  compiler->instances.count - first, sizeof(struct complex_instance),
                  compare_instances);
        }
        *(uint32_t *)table_add(&compiler->instance_starts, 1) = (uint32_t)compiler->instances.count;
    }
}

/* --- bounds ----------------------------------------------------------------------------------- */

/* What a figure on one cell can cost: targets, conditions looked at. */
struct cost {
    size_t targets, work;
};

static size_t sets_work(const struct compiler *compiler, uint32_t first, uint32_t count)
{
    const struct rule_set *sets = COMPILER_ITEMS(compiler, sets, struct rule_set);
    size_t work = 0;
    for (uint32_t i = first; i < first + count; i++)
        work += 1 + sets[i].condition_count;
    return work;
}

/* Takes a rule followed over `between` cells into the game's bounds; returns the conditions to look
 * at. */
static size_t weigh_rule(struct compiler *compiler, const struct rule *rule, size_t between)
{
    struct game *game = compiler->game;
    size_t matches = rule->destination_count + rule->transition_count * between;
    if (matches > MATCHES_MAX)
        compiler->too_large = true;
    else if ((int)matches > game->matches_max)
        game->matches_max = (int)matches;
    return sets_work(compiler, rule->first_destination, rule->destination_count) +
           rule->guard_count +
           sets_work(compiler, rule->first_transition, rule->transition_count) * between;
}

static struct cost weigh_simple(struct compiler *compiler, size_t slot)
{
    const struct rule *rules = COMPILER_ITEMS(compiler, rules, struct rule);
    const uint32_t *starts = COMPILER_ITEMS(compiler, candidate_starts, uint32_t) + slot;
    const struct candidate *list = COMPILER_ITEMS(compiler, candidates, struct candidate);
    struct cost cost = {0};
    for (uint32_t i = starts[0]; i < starts[1]; i++) {
        if (compiler->game->format == 2)
            cost.targets += compile_modern_choices(compiler, list[i].rule);
        else if (i == starts[0] || list[i].to != list[i - 1].to)
            cost.targets++;
        size_t between = (size_t)list[i].steps - 1;
        cost.work += 1 + weigh_rule(compiler, &rules[list[i].rule], between);
        int changes = (int)between + 2;
        if (rules[list[i].rule].transition_count > 0 && changes > compiler->game->changes_max)
            compiler->game->changes_max = changes;
    }
    return cost;
}

/* One movement's participants together, whoever owns them. */
static size_t weigh_complex_rule(struct compiler *compiler, const struct complex_rule *complex)
{
    struct game *game = compiler->game;
    const struct rule *rules = COMPILER_ITEMS(compiler, rules, struct rule) + complex->first_rule;
    size_t work = 0, matches = 0;
    for (int i = 0; i < complex->participant_count; i++) {
        size_t most_work = 0, most_matches = 0;
        for (int k = 0; k < game->player_count; k++) {
            const struct rule *rule = &rules[i * game->player_count + k];
            size_t here = weigh_rule(compiler, rule, 0);
            most_work = here > most_work ? here : most_work;
            if (rule->destination_count > most_matches)
                most_matches = rule->destination_count;
        }
        work += most_work;
        matches += most_matches;
    }
    if (matches > MATCHES_MAX)
        compiler->too_large = true;
    else if ((int)matches > game->matches_max)
        game->matches_max = (int)matches;
    return work;
}

static struct cost weigh_instances(const struct compiler *compiler, size_t slot,
                                   const size_t *complex_work)
{
    const uint32_t *starts = COMPILER_ITEMS(compiler, instance_starts, uint32_t) + slot;
    const struct complex_instance *list =
        COMPILER_ITEMS(compiler, instances, struct complex_instance);
    struct cost cost = {.targets = starts[1] - starts[0]};
    for (uint32_t i = starts[0]; i < starts[1]; i++)
        cost.work += complex_work[list[i].movement];
    return cost;
}

/* A pass more; and what changes by jumping, by what is done after a move, by what leaves when a turn ends. */
static void find_modern_bounds(struct compiler *compiler)
{
    struct game *game = compiler->game;
    const struct definition *definition = compiler->definition;
    int most = 0, effects = 0;
    for (size_t i = 0; i < compiler->modern_rules.count; i++) {
        const struct modern_rule *rule =
            &COMPILER_ITEMS(compiler, modern_rules, struct modern_rule)[i];
        int jumped = rule->over_max < game->cell_count ? rule->over_max : game->cell_count;
        most = rule->takes_jumped && jumped > most ? jumped : most;
    }
    for (int i = 0; i < definition->after_move_count; i++)
        for (int k = 0; k < definition->after_move[0][i].effect_count; k++) {
            const struct effect_rule *effect = &definition->after_move[0][i].effects[k];
            effects += effect->place == EFFECT_ON_CELLS ? game->cell_count : effect->row_count + 1;
        }
    if (definition->remove_at_turn_end)
        most = game->cell_count;
    game->moves_max += 1;
    game->from_moves_max += 1;
    game->changes_max += most + effects;
}

static void find_bounds(struct compiler *compiler)
{
    struct game *game = compiler->game;
    size_t complex_work[COMPLEX_MAX] = {0};
    game->changes_max = 2 * PARTICIPANTS_MAX;
    for (size_t i = 0; i < compiler->complex.count; i++)
        complex_work[i] = weigh_complex_rule(
            compiler, &COMPILER_ITEMS(compiler, complex, struct complex_rule)[i]);
    size_t moves = 0, work = 0;
    for (int from = 0; from < game->cell_count; from++) {
        struct cost most = {0};
        for (int piece = 0; piece < game->piece_count; piece++) {
            size_t slot = (size_t)piece * (size_t)(game->cell_count + 1) + (size_t)from;
            struct cost simple = weigh_simple(compiler, slot);
            struct cost complex = weigh_instances(compiler, slot, complex_work);
            size_t targets = simple.targets + complex.targets;
            most.targets = targets > most.targets ? targets : most.targets;
            if (simple.work + complex.work > most.work)
                most.work = simple.work + complex.work;
        }
        size_t others = (size_t)game->cell_count - 1;
        if (game->format != 2 && most.targets > others)
            most.targets = others;
        if ((int)most.targets > game->from_moves_max)
            game->from_moves_max = (int)most.targets;
        moves += most.targets;
        work += most.work;
    }
    if (work > POSITION_WORK_MAX || moves > MODERN_MOVES_MAX)
        compiler->too_large = true;
    game->moves_max = (int)moves;
    if (game->format == 2)
        find_modern_bounds(compiler);
    if (game->changes_max > game->cell_count)
        game->changes_max = game->cell_count;
}

void compile_candidates(struct compiler *compiler)
{
    size_t rule_count = compiler->rules.count;
    compiler->movement_vectors =
        compile_allocate(compiler->game, 2 * rule_count + 2, sizeof *compiler->movement_vectors);
    collect_vectors(compiler);
    lay_rays(compiler);
    if (!compiler_stopped(compiler))
        compile_simple(compiler);
    if (!compiler_stopped(compiler))
        compile_complex(compiler);
    if (!compiler_stopped(compiler))
        find_bounds(compiler);
}
