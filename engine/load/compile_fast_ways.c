/* Where the movements of format 2 lead, word by word: everything about coordinates is decided here. */
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

/* --- tests that coordinates decide ------------------------------------------------------------------------------- */

/* A test seen from one mover and one pair of cells. */
struct glance {
    struct fast_compiler *compiler;
    player_index player;
    figure_index figure;
    cell_index from, to;
};

uint64_t compile_fast_all_figures(const struct fast_compiler *compiler)
{
    int count = compiler->game->figure_count;
    return count == FIGURES_MAX ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

uint8_t compile_fast_all_players(const struct fast_compiler *compiler)
{
    return (uint8_t)((1U << compiler->game->player_count) - 1);
}

static enum tri tri_and(enum tri a, enum tri b)
{
    if (a == TRI_NO || b == TRI_NO)
        return TRI_NO;
    return a == TRI_ANY || b == TRI_ANY ? TRI_ANY : TRI_YES;
}

static bool asks_history(const struct cell_test *match)
{
    return match->mark >= 0 || match->unmoved >= 0 || match->moves_made != NUMBER_ANY ||
           match->last_move != NUMBER_ANY;
}

/* What stands on a cell is known at load on the mover's own cell only. */
static enum tri contents_known(const struct glance *glance, const struct cell_test *match,
                               bool is_self)
{
    const struct fast_compiler *compiler = glance->compiler;
    bool figure = (match->figures >> glance->figure & 1) != 0;
    bool player = (match->players >> glance->player & 1) != 0;
    if (is_self && !figure)
        return TRI_NO;
    if (is_self && player)
        return asks_history(match) ? TRI_ANY : TRI_YES;
    if (is_self && !match->next_player)
        return TRI_NO;
    uint64_t figures = compile_fast_all_figures(compiler);
    uint8_t players = compile_fast_all_players(compiler);
    if (!match->empty && (match->figures & figures) == 0)
        return TRI_NO;
    if (match->empty && (match->figures & figures) == figures &&
        (match->players & players) == players && !asks_history(match))
        return TRI_YES;
    return TRI_ANY;
}

static enum tri glance_match(const struct glance *glance, const struct cell_test *match,
                             cell_index cell)
{
    const struct definition *definition = glance->compiler->definition;
    enum tri result = TRI_YES;
    work_spend(4);
    if (cell == CELL_NONE)
        result = match->hole ? TRI_YES : TRI_NO;
    else if (match->zone >= 0 && !definition->zones[match->zone].cells[glance->player][cell])
        result = TRI_NO;
    else
        result = contents_known(glance, match, cell == glance->from);
    for (int i = 0; i < match->also_count; i++)
        result = tri_and(result, glance_match(glance, &match->also[i], cell));
    return match->negated ? tri_not(result) : result;
}

static cell_index test_cell(const struct glance *glance, const struct condition_node *test,
                            int delta)
{
    cell_index origin = !test->from_target ? glance->from : glance->to;
    return compile_fast_next(glance->compiler, test->deltas[delta])[origin];
}

static enum tri glance_neighbours(const struct glance *glance, const struct condition_node *test)
{
    int least = 0, most = 0;
    for (int i = 0; i < test->row_count; i++) {
        enum tri one = glance_match(glance, &test->match, test_cell(glance, test, i));
        least += one == TRI_YES;
        most += one != TRI_NO;
    }
    if (least >= test->min && most <= test->max)
        return TRI_YES;
    return most < test->min || least > test->max ? TRI_NO : TRI_ANY;
}

// NOLINTNEXTLINE(misc-no-recursion): conditions nest, to a bound
static enum tri glance_test(const struct glance *glance, const struct condition_node *test)
{
    enum tri result = TRI_ANY;
    if (!work_spend(2))
        return result;
    switch (test->kind) {
    case CONDITION_ALL:
        result = TRI_YES;
        for (int i = 0; i < test->child_count; i++)
            result = tri_and(result, glance_test(glance, &test->children[i]));
        return result;
    case CONDITION_ANY:
        result = TRI_YES;
        for (int i = 0; i < test->child_count; i++)
            result = tri_and(result, tri_not(glance_test(glance, &test->children[i])));
        return tri_not(result);
    case CONDITION_NOT:
        return tri_not(glance_test(glance, &test->children[0]));
    case CONDITION_CELL:
        return glance_match(glance, &test->match, test_cell(glance, test, 0));
    case CONDITION_NEIGHBOURS:
        return glance_neighbours(glance, test);
    default:
        return TRI_ANY;
    }
}

/* --- tests that have a shape -------------------------------------------------------------------------------------- */

bool compile_fast_match_plain(const struct cell_test *match)
{
    return !match->hole && !match->negated && match->also_count == 0 && !match->next_player &&
           match->mark < 0 && match->moves_made == NUMBER_ANY && match->last_move == NUMBER_ANY;
}

// NOLINTNEXTLINE(misc-no-recursion): conditions nest, to a bound
bool compile_fast_contents(const struct fast_compiler *compiler, const struct cell_test *match,
                           struct fast_contents *contents)
{
    uint64_t figures = compile_fast_all_figures(compiler);
    uint8_t players = compile_fast_all_players(compiler);
    if (match->zone >= 0 || match->next_player || asks_history(match))
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

static bool is_zero(const struct fast_compiler *compiler, const int *delta)
{
    for (int i = 0; i < compiler->game->dimension_count; i++)
        if (delta[i] != 0)
            return false;
    return true;
}

/* `{"self": {"unmoved": true}}`. */
static bool asks_unmoved(const struct fast_compiler *compiler, const struct condition_node *test)
{
    return test->kind == CONDITION_CELL && !test->from_target &&
           is_zero(compiler, test->deltas[0]) && compile_fast_match_plain(&test->match) &&
           test->match.unmoved == 1;
}

/* `{"target": {"figure": …}}`, the target being whose it must be anyway. */
static bool asks_target(const struct fast_compiler *compiler, const struct condition_node *test,
                        player_index player, enum rule_purpose purpose,
                        struct fast_contents *contents)
{
    unsigned own = 1U << player;
    unsigned wanted = purpose == FOR_SWAP ? own : compile_fast_all_players(compiler) & ~own;
    return test->kind == CONDITION_CELL && test->from_target &&
           is_zero(compiler, test->deltas[0]) &&
           compile_fast_contents(compiler, &test->match, contents) &&
           (contents->players & wanted) == wanted && contents->figures != 0;
}

/* Goes through what must all hold: what has a shape is noted in `needs`, the rest is asked of the two cells. */
// NOLINTNEXTLINE(misc-no-recursion): conditions nest, to a bound
static enum tri glance_needs(const struct glance *glance, const struct condition_node *test,
                             enum rule_purpose purpose, struct fast_needs *needs)
{
    enum tri result = TRI_YES;
    if (test->kind == CONDITION_ALL || (test->kind == CONDITION_ANY && test->child_count == 1)) {
        for (int i = 0; i < test->child_count; i++)
            result = tri_and(result, glance_needs(glance, &test->children[i], purpose, needs));
        return result;
    }
    struct condition_node rest = *test;
    struct fast_contents contents;
    if (asks_target(glance->compiler, test, glance->player, purpose, &contents)) {
        needs->occupied |= !contents.empty;
        needs->figures &= contents.figures;
        return TRI_YES;
    }
    if (asks_unmoved(glance->compiler, test)) {
        needs->unmoved = true;
        rest.match.unmoved = -1;
    }
    return glance_test(glance, &rest);
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
    struct glance glance = {.compiler = compiler,
                            .player = player,
                            .figure = game->code_figures[mover + 1],
                            .from = from};
    cell_index path[CELLS_MAX];
    bool known = true;
    if (!in_zone(compiler, movement->within, player, from) || !via_exists(compiler, movement, from))
        return true;
    cell_index cell = from;
    for (int steps = 1; steps <= movement->max_steps && steps < CELLS_MAX && work_spend(4);
         steps++) {
        cell = compile_fast_next(compiler, movement->delta)[cell];
        if (cell == CELL_NONE || !in_zone(compiler, movement->within, player, cell))
            break;
        struct fast_needs needs = {.figures = UINT64_MAX};
        glance.to = cell;
        enum tri fits = steps < movement->min_steps ? TRI_NO : TRI_YES;
        if (fits == TRI_YES && movement->test != NULL)
            fits = glance_needs(&glance, movement->test, movement->purpose, &needs);
        known = known && fits != TRI_ANY;
        struct fast_way way = {
            .from = from, .to = cell, .steps = steps, .target = fits == TRI_YES, .path = path};
        visit(context, &way);
        path[steps - 1] = cell;
    }
    return known;
}

const char *compile_fast_needs(const struct fast_compiler *compiler,
                               const struct movement *movement, int mover, struct fast_needs *needs)
{
    *needs = (struct fast_needs){.figures = UINT64_MAX};
    if (!movement->modern)
        return "its actions are written out";
    if (movement->test == NULL)
        return NULL;
    const struct game *game = compiler->game;
    struct glance glance = {.compiler = (struct fast_compiler *)compiler,
                            .player = game->code_players[mover + 1],
                            .figure = game->code_figures[mover + 1]};
    glance_needs(&glance, movement->test, movement->purpose, needs);
    if ((movement->purpose == FOR_MOVE || movement->purpose == FOR_PUT) && needs->occupied)
        return "it goes to an empty cell that is not empty";
    return NULL;
}
