/* Where the movements of format 2 lead, word by word: everything about coordinates is decided here. */
#include "engine/load/compile_fast.h"
#include "engine/work.h"

#include <string.h>

/* --- tests that have a shape -------------------------------------------------------------------------------------- */

bool compile_fast_contents(const struct game *game, const struct cell_test *match,
                           struct fast_contents *contents)
{
    uint64_t figures = game->all_figures;
    uint8_t players = game_everybody(game);
    if (match->cells != CELL_SET_ALL || match->next_player || cell_test_asks_history(match))
        return false;
    contents->empty = match->empty;
    contents->figures = match->figures & figures;
    contents->players = match->players & players;
    for (int i = 0; i < match->also_count; i++) {
        struct fast_contents also;
        if (!compile_fast_contents(game, &match->also[i], &also))
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

/* `{"self": {"unmoved": true}}`, and perhaps more that must hold, too. */
static bool asks_unmoved(const struct condition_node *test)
{
    return is_there(test, false) && !test->match.negated && test->match.unmoved == 1;
}

/* `{"target": {"figure": …}}`, the target being whose it must be anyway. */
static bool asks_target(const struct game *game, const struct condition_node *test,
                        player_index player, enum rule_purpose purpose,
                        struct fast_contents *contents)
{
    unsigned own = 1U << player;
    unsigned wanted = purpose == FOR_SWAP ? own : game_everybody(game) & ~own;
    return is_there(test, true) && compile_fast_contents(game, &test->match, contents) &&
           (contents->players & wanted) == wanted && contents->figures != 0;
}

/* `{"at": {"of": "target", "by": …, "is": {"empty": false}}}` of the cell right before the target. */
static bool asks_close(const struct game *game, const struct movement *movement,
                       const struct condition_node *test)
{
    const uint32_t *starts = game->ray_starts + movement->ray;
    struct fast_contents contents;
    if (test->kind != CONDITION_CELL || !test->from_target ||
        !compile_fast_contents(game, &test->match, &contents) || contents.empty ||
        contents.figures != game->all_figures || contents.players != game_everybody(game))
        return false;
    for (int cell = 0; cell < game->cell_count; cell++) {
        cell_index next = starts[cell] < starts[cell + 1] ? game->paths[starts[cell]] : CELL_NONE;
        if (next != CELL_NONE && test->rows[0][next] != cell)
            return false;
    }
    return true;
}

/* `{"neighbours": {"of": "target", "by": …, "is": {"figure": …, "player": "mover"}, "max": 0}}`. */
static bool asks_apart(const struct game *game, const struct condition_node *test,
                       player_index player)
{
    const struct cell_test *match = &test->match;
    return test->kind == CONDITION_SELECTED && test->cells == SELECT_NEIGHBOURS &&
           test->from_target && test->min <= 0 && test->max == 0 && match->simple &&
           !match->empty && match->cells == CELL_SET_ALL &&
           (match->figures & game->all_figures) != 0 &&
           (match->players & game_everybody(game)) == 1U << player;
}

/* Whether what the condition asks does not depend on the move. */
static bool asks_position(const struct condition_node *test)
{
    bool asks = test->kind == CONDITION_COUNTER || test->kind == CONDITION_COUNT ||
                test->kind == CONDITION_HAND || test->kind == CONDITION_PREVIOUS;
    for (int i = 0; i < test->child_count && test->kind <= CONDITION_NOT; i++) {
        asks = asks_position(&test->children[i]);
        if (!asks)
            break;
    }
    return asks;
}

/* Whether they are one, or both ask the same of a counter. */
static bool asks_the_same(const struct condition_node *a, const struct condition_node *b)
{
    bool counters = a->kind == CONDITION_COUNTER && b->kind == CONDITION_COUNTER;
    return strcmp(a->pointer, b->pointer) == 0 ||
           (counters && a->slot >= 0 && a->slot == b->slot && a->min == b->min && a->max == b->max);
}

/* The gate of the condition, as a bit; 0: there are too many. Movements in several directions say it at one place. */
static uint32_t gate_of(const struct compiler *compiler, const struct condition_node *test,
                        unsigned code)
{
    const struct game *game = compiler->game;
    struct fast_player *player = &compiler->fast->players[game->code_players[code]];
    figure_index figure = game->code_figures[code];
    int i = 0;
    while (i < player->gate_count &&
           (player->gates[i].figure != figure || !asks_the_same(player->gates[i].condition, test)))
        i++;
    if (i == FAST_GATES_MAX)
        return 0;
    if (i == player->gate_count)
        player->gates[player->gate_count++] =
            (struct fast_gate){test, condition_find_needs(game, test), figure};
    return UINT32_C(1) * FAST_GATE << i;
}

/* Goes through what must all hold: what has a shape is noted in `needs`, the rest is asked of what is known. */
static enum tri judge_needs(const struct compiler *compiler, const struct known *known,
                            const struct condition_node *test, const struct movement *movement,
                            struct fast_needs *needs)
{
    enum tri result = TRI_YES;
    if (test->kind == CONDITION_ALL || (test->kind == CONDITION_ANY && test->child_count == 1)) {
        for (int i = 0; i < test->child_count; i++)
            result =
                tri_and(result, judge_needs(compiler, known, &test->children[i], movement, needs));
        return result;
    }
    /* what holds before the movement may not when it goes on */
    bool once = movement->continues == GOES_ON_NEVER && asks_position(test);
    uint32_t gate = once ? gate_of(compiler, test, known->code) : 0;
    if (gate != 0) {
        needs->gates |= gate;
        return TRI_YES;
    }
    struct condition_node rest = *test;
    struct fast_contents contents;
    if (movement->jumps && asks_close(known->game, movement, test)) {
        needs->close = true;
        return TRI_YES;
    }
    if (asks_target(known->game, test, known->game->code_players[known->code], movement->purpose,
                    &contents)) {
        needs->occupied |= !contents.empty;
        needs->figures &= contents.figures;
        return TRI_YES;
    }
    if (!movement->takes_jumped && (needs->apart == NULL || needs->apart == test) &&
        asks_apart(known->game, test, known->game->code_players[known->code])) {
        needs->apart = test;
        return TRI_YES;
    }
    if (asks_unmoved(test)) {
        needs->unmoved = true;
        rest.match.unmoved = -1;
    }
    return condition_judge(known, &rest);
}

static struct known known_of(const struct game *game, int mover, cell_index from)
{
    return (struct known){
        .game = game, .self = from, .target = from, .code = (uint16_t)(mover + 1)};
}

/* --- ways ----------------------------------------------------------------------------------------------------------- */

bool compile_fast_ways(const struct compiler *compiler, const struct movement *movement, int mover,
                       void (*visit)(void *context, const struct fast_way *way), void *context)
{
    const struct game *game = compiler->game;
    bool sure = true;
    for (int from = 0; from < game->cell_count; from++) {
        struct known known = known_of(game, mover, (cell_index)from);
        struct fast_way way = {known.self, .path = compile_path(game, movement, known.self)};
        int most = compile_reach(game, movement, known.self);
        for (way.steps = movement->min_steps; way.steps <= most && work_spend(4); way.steps++) {
            struct fast_needs needs = {.figures = UINT64_MAX};
            enum tri fits = TRI_YES;
            way.to = known.target = way.path[way.steps - 1];
            if (movement->condition != NULL)
                fits = judge_needs(compiler, &known, movement->condition, movement, &needs);
            sure = sure && fits != TRI_ANY;
            if (fits == TRI_YES)
                visit(context, &way);
        }
    }
    return sure;
}

/* A word that no loop knows; NULL: the movement says none. */
static const char *unknown_word(const struct movement *movement)
{
    enum { FAST, GENERAL };
#define UNKNOWN(type, name, whose)                                                                 \
    if ((whose) == GENERAL && movement->name != 0)                                                 \
        return "its `" #name "` is for the general code";
    MOVEMENT_WORDS(UNKNOWN)
#undef UNKNOWN
    return NULL;
}

const char *compile_fast_needs(const struct compiler *compiler, const struct movement *movement,
                               int mover, struct fast_needs *needs)
{
    *needs = (struct fast_needs){.figures = UINT64_MAX};
    if (unknown_word(movement) != NULL || movement->condition == NULL)
        return unknown_word(movement);
    const struct known known = known_of(compiler->game, mover, 0);
    judge_needs(compiler, &known, movement->condition, movement, needs);
    bool to_empty = movement->purpose == FOR_MOVE || movement->purpose == FOR_PUT ||
                    (movement->purpose == FOR_TAKE && movement->takes_jumped);
    if (to_empty && needs->occupied)
        return "it goes to an empty cell that is not empty";
    return NULL;
}

/* --- accept sets ---------------------------------------------------------------------------------------------------- */

bool compile_fast_apart(struct compiler *compiler, const struct fast_needs *needs,
                        struct fast_apart *apart)
{
    struct game *game = compiler->game;
    const struct condition_node *node = needs->apart;
    size_t size = (size_t)game->cell_count * (size_t)game->words;
    int known = 0;
    *apart = (struct fast_apart){.figures = 0};
    if (node == NULL)
        return true;
    uint64_t *beside = compile_allocate(game, size, sizeof *beside);
    for (int i = 0; i < node->row_count; i++)
        for (int cell = 0; cell < game->cell_count; cell++)
            if (node->rows[i][cell] != CELL_NONE)
                bits_set(beside + (size_t)node->rows[i][cell] * (size_t)game->words,
                         (unsigned)cell);
    while (known < compiler->apart_count &&
           memcmp(compiler->aparts[known], beside, size * sizeof *beside) != 0)
        known++;
    if (known == compiler->apart_count && known < APARTS_MAX)
        compiler->aparts[compiler->apart_count++] = game_copy(game, beside, size, sizeof *beside);
    compile_free(game, beside);
    if (known == APARTS_MAX)
        return false;
    apart->figures = node->match.figures & game->all_figures;
    apart->beside = compiler->aparts[known];
    return true;
}
