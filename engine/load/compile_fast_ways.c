/* Where the movements of format 2 lead, word by word: everything about coordinates is decided here. */
#include "engine/load/compile.h"
#include "engine/load/compile_fast.h"
#include "engine/work.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- steps ------------------------------------------------------------------------------------------------------ */

const cell_index *compile_fast_next(struct fast_compiler *compiler, const int *delta)
{
    const struct game *game = compiler->game;
    size_t dimensions = (size_t)game->dimension_count;
    work_spend(1);
    for (int i = 0; i < compiler->delta_count; i++, work_spend(1))
        if (memcmp(compiler->deltas[i].delta, delta, dimensions * sizeof *delta) == 0)
            return compiler->deltas[i].next;
    /* A game with more directions than that gives the oldest table up. */
    int slot = compiler->delta_count < FAST_DELTAS_MAX ? compiler->delta_count++ : 0;
    struct delta_cells *entry = &compiler->deltas[slot];
    compile_free(compiler->game, entry->next);
    entry->next = compile_allocate(compiler->game, (size_t)game->cell_count, sizeof *entry->next);
    work_spend((uint64_t)game->cell_count * WORK_CANDIDATE);
    memcpy(entry->delta, delta, dimensions * sizeof *delta);
    for (int cell = 0; cell < game->cell_count; cell++) {
        int place[DIMENSIONS_MAX];
        const int *from = game->coordinates + (size_t)cell * dimensions;
        for (size_t d = 0; d < dimensions; d++)
            place[d] = from[d] + delta[d];
        entry->next[cell] = game_cell_at(game, place);
    }
    return entry->next;
}

uint64_t compile_fast_all_figures(const struct fast_compiler *compiler)
{
    int count = compiler->game->figure_count;
    return count == FIGURES_MAX ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

uint8_t compile_fast_all_players(const struct fast_compiler *compiler)
{
    return (uint8_t)((1U << compiler->game->player_count) - 1);
}

/* --- tests that have a shape -------------------------------------------------------------------------------------- */

bool compile_fast_match_plain(const struct cell_test *match)
{
    return !match->hole && !match->negated && match->also_count == 0 && !match->next_player &&
           match->mark < 0 && match->moves_made == NUMBER_ANY && match->last_move == NUMBER_ANY;
}

bool compile_fast_contents(const struct fast_compiler *compiler, const struct cell_test *match,
                           struct fast_contents *contents)
{
    uint64_t figures = compile_fast_all_figures(compiler);
    uint8_t players = compile_fast_all_players(compiler);
    if (match->zone >= 0 || match->next_player || cell_test_asks_history(match))
        return false;
    contents->empty = match->empty;
    contents->figures = match->figures & figures;
    contents->players = match->players & players;
    for (int i = 0; i < match->also_count; i++) {
        struct fast_contents also;
        if (!compile_fast_contents(compiler, &match->also[i], &also))
            return false;
        contents->empty = contents->empty && also.empty;
        contents->figures &= also.figures;
        contents->players &= also.players;
    }
    if (!match->negated)
        return true;
    contents->empty = !contents->empty;
    if (contents->figures == 0 || contents->players == 0) {
        contents->figures = figures;
        contents->players = players;
    } else if (contents->players == players) {
        contents->figures = figures & ~contents->figures;
    } else if (contents->figures == figures) {
        contents->players = players & (uint8_t)~contents->players;
    } else {
        return false;
    }
    return true;
}

/* It is about self or the target, not about a cell so far from it: only no difference at all leads back to the first cell. */
static bool is_there(const struct condition_node *test, bool target)
{
    return test->kind == CONDITION_CELL && test->from_target == target && test->rows[0][0] == 0;
}

/* `{"self": {"unmoved": true}}`. */
static bool asks_unmoved(const struct condition_node *test)
{
    return is_there(test, false) && compile_fast_match_plain(&test->match) &&
           test->match.unmoved == 1;
}

/* `{"target": {"figure": …}}`, the target being whose it must be anyway. */
static bool asks_target(const struct fast_compiler *compiler, const struct condition_node *test,
                        player_index player, enum rule_purpose purpose,
                        struct fast_contents *contents)
{
    unsigned own = 1U << player;
    unsigned wanted = purpose == FOR_SWAP ? own : compile_fast_all_players(compiler) & ~own;
    return is_there(test, true) && compile_fast_contents(compiler, &test->match, contents) &&
           (contents->players & wanted) == wanted && contents->figures != 0;
}

/* Goes through what must all hold: what has a shape is noted in `needs`, the rest is asked of what is known. */
static enum tri judge_needs(const struct fast_compiler *compiler, const struct known *known,
                            const struct condition_node *test, enum rule_purpose purpose,
                            struct fast_needs *needs)
{
    enum tri result = TRI_YES;
    if (test->kind == CONDITION_ALL || (test->kind == CONDITION_ANY && test->child_count == 1)) {
        for (int i = 0; i < test->child_count; i++)
            result =
                tri_and(result, judge_needs(compiler, known, &test->children[i], purpose, needs));
        return result;
    }
    struct condition_node rest = *test;
    struct fast_contents contents;
    if (asks_target(compiler, test, compiler->game->code_players[known->code], purpose,
                    &contents)) {
        needs->occupied |= !contents.empty;
        needs->figures &= contents.figures;
        return TRI_YES;
    }
    if (asks_unmoved(test)) {
        needs->unmoved = true;
        rest.match.unmoved = -1;
    }
    return condition_judge(known, &rest);
}

/* The movement's condition as it is settled on the board. */
static const struct condition_node *condition_of(const struct fast_compiler *compiler,
                                                 const struct movement *movement, int mover)
{
    const struct game *game = compiler->game;
    const struct movement *first = compiler->definition->figures[game->code_figures[mover + 1]]
                                       .movement[game->code_players[mover + 1]]
                                       .movements;
    return game->modern_rules[game->piece_rules[mover] + (uint32_t)(movement - first)].condition;
}

static struct known known_of(const struct game *game, int mover, cell_index from)
{
    return (struct known){.game = game,
                          .cell_sets = game->cell_sets,
                          .self = from,
                          .target = from,
                          .code = (uint16_t)(mover + 1)};
}

/* --- ways ----------------------------------------------------------------------------------------------------------- */

static bool in_zone(const struct fast_compiler *compiler, int zone, player_index player,
                    cell_index cell)
{
    return zone < 0 || compiler->definition->zones[zone].cells[player][cell];
}

static bool via_exists(struct fast_compiler *compiler, const struct movement *movement,
                       cell_index from)
{
    for (int i = 0; i < movement->via_count; i++)
        if (compile_fast_next(compiler, movement->via[i])[from] == CELL_NONE)
            return false;
    return true;
}

bool compile_fast_ways(struct fast_compiler *compiler, const struct movement *movement, int mover,
                       cell_index from, void (*visit)(void *context, const struct fast_way *way),
                       void *context)
{
    const struct game *game = compiler->game;
    player_index player = game->code_players[mover + 1];
    struct known known = known_of(game, mover, from);
    const struct condition_node *condition = condition_of(compiler, movement, mover);
    cell_index path[CELLS_MAX];
    bool sure = true;
    if (!in_zone(compiler, movement->within, player, from) || !via_exists(compiler, movement, from))
        return true;
    cell_index cell = from;
    for (int steps = 1; steps <= movement->max_steps && steps < CELLS_MAX && work_spend(4);
         steps++) {
        cell = compile_fast_next(compiler, movement->delta)[cell];
        if (cell == CELL_NONE || !in_zone(compiler, movement->within, player, cell))
            break;
        struct fast_needs needs = {.figures = UINT64_MAX};
        known.target = cell;
        enum tri fits = steps < movement->min_steps ? TRI_NO : TRI_YES;
        if (fits == TRI_YES && condition != NULL)
            fits = judge_needs(compiler, &known, condition, movement->purpose, &needs);
        sure = sure && fits != TRI_ANY;
        struct fast_way way = {
            .from = from, .to = cell, .steps = steps, .target = fits == TRI_YES, .path = path};
        visit(context, &way);
        path[steps - 1] = cell;
    }
    return sure;
}

/* A word that no loop knows; NULL: the movement says none. */
static const char *unknown_word(const struct movement *movement)
{
    enum { FAST, GENERAL };
#define UNKNOWN(read, played, name, whose)                                                         \
    if ((whose) == GENERAL && movement->name != 0)                                                 \
        return "its `" #name "` is for the general code";
    MOVEMENT_WORDS(UNKNOWN)
#undef UNKNOWN
    return NULL;
}

const char *compile_fast_needs(const struct fast_compiler *compiler,
                               const struct movement *movement, int mover, struct fast_needs *needs)
{
    *needs = (struct fast_needs){.figures = UINT64_MAX};
    if (!movement->modern)
        return "its actions are written out";
    if (unknown_word(movement) != NULL || movement->test == NULL)
        return unknown_word(movement);
    const struct known known = known_of(compiler->game, mover, 0);
    judge_needs(compiler, &known, condition_of(compiler, movement, mover), movement->purpose,
                needs);
    bool to_empty = movement->purpose == FOR_MOVE || movement->purpose == FOR_PUT ||
                    (movement->purpose == FOR_TAKE && movement->takes_jumped);
    if (to_empty && needs->occupied)
        return "it goes to an empty cell that is not empty";
    return NULL;
}
