#include "engine/fast/moves.h"
#include "engine/fast/tree.h"
#include "engine/memory/memory.h"
#include "engine/movegen.h"
#include "engine/rules/interpreter.h"
#include "engine/rules/turn.h"
#include "engine/rules/turn_ends.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A line of more moves than this, all its turns together, counts as ended there. */
enum { STEPS_MAX = 512, PLAY_DEPTH_MAX = 60 };

enum perft_way { PERFT_COUNTED, PERFT_MADE, PERFT_INTERPRETED };

/* One count of leaves: room for the moves and undo records along the line that is being looked at. */
struct counting {
    struct position *position;
    enum perft_way way;
    struct move **moves; /* by moves made */
    struct undo **undos;
    struct turn_ends *ends; /* by turns made */
    int steps;
};

static void make_room(struct counting *counting, int steps)
{
    const struct game *game = counting->position->game;
    assert(steps < STEPS_MAX);
    if (counting->moves[steps] != NULL)
        return;
    counting->moves[steps] = memory_zeroed((size_t)game->moves_max + 1, sizeof(struct move));
    counting->undos[steps] = undo_new(game);
}

static int list_moves(const struct counting *counting, struct move *moves)
{
    if (counting->way == PERFT_INTERPRETED)
        return movegen_all_interpreted(counting->position, moves);
    if (counting->position->game->format == 2 && !counting->position->game->continues)
        return fast_moves_unordered(counting->position, moves);
    return movegen_all(counting->position, moves);
}

/* Whether the turn that has been begun is not over yet: it is still the same figure's. */
static bool within_turn(const struct position *position)
{
    const struct machine_state *state = &position->game->states[position->state];
    if (position->game->format != 2 || state->kind != MACHINE_MOVE || position->turn.result != 0)
        return false;
    return position->turn.active != CELL_NONE || state->same_figure;
}

static uint64_t count_turns(struct counting *counting, int depth);

/* All ways on within a turn; each position it ends in is gone on from once. */
// NOLINTNEXTLINE(misc-no-recursion): a turn has a bound
static uint64_t count_within(struct counting *counting, int depth)
{
    struct position *position = counting->position;
    int steps = counting->steps++;
    make_room(counting, steps);
    struct move *moves = counting->moves[steps];
    struct undo *undo = counting->undos[steps];
    uint64_t leaves = 0;
    int count = list_moves(counting, moves);
    /* A shot is another position whatever it was that moved. */
    if (depth == 1 && counting->way == PERFT_COUNTED && !position->game->continues) {
        counting->steps--;
        return (uint64_t)count;
    }
    for (int i = 0; i < count; i++) {
        position_make(position, moves[i], undo);
        if (counting->steps < STEPS_MAX && within_turn(position))
            leaves += count_within(counting, depth);
        else if (turn_ends_add(&counting->ends[depth], position_hash(position)))
            leaves += count_turns(counting, depth - 1);
        position_unmake(position, moves[i], undo);
    }
    counting->steps--;
    return leaves;
}

/* Whether every move of the game is a turn. */
static bool turns_are_moves(const struct game *game)
{
    bool simple = game->format != 2 || !game->continues;
    for (int i = 0; i < game->state_count; i++)
        simple &= game->format != 2 || !game->states[i].same_figure;
    return simple;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as was asked for
static uint64_t count_turns(struct counting *counting, int depth)
{
    struct position *position = counting->position;
    bool simple = turns_are_moves(position->game);
    if (depth == 0 || counting->steps == STEPS_MAX)
        return 1;
    if (depth == 1 && simple && counting->way == PERFT_COUNTED)
        return movegen_count(position);
    int steps = counting->steps++;
    make_room(counting, steps);
    struct move *moves = counting->moves[steps];
    uint64_t leaves = 0;
    int count = list_moves(counting, moves);
    bool alike = position->game->format == 2 && position->game->continues;
    for (int i = 0; i < count; i++) {
        if (i == 0 || moves[i].from != moves[i - 1].from)
            turn_ends_clear(&counting->ends[depth]);
        position_make(position, moves[i], counting->undos[steps]);
        if (!simple && counting->steps < STEPS_MAX && within_turn(position))
            leaves += count_within(counting, depth);
        else if (!alike || turn_ends_add(&counting->ends[depth], position_hash(position)))
            leaves += count_turns(counting, depth - 1);
        position_unmake(position, moves[i], counting->undos[steps]);
    }
    counting->steps--;
    return leaves;
}

/* Without a position, where the game allows it; UINT64_MAX: it does not. */
static uint64_t play_leaves(const struct position *position, int depth, enum perft_way way)
{
    uint64_t leaves = UINT64_MAX;
    struct fast_tree *tree = NULL;
    if (way != PERFT_INTERPRETED && 2 * depth < PLAY_DEPTH_MAX)
        tree = fast_tree_new(position->game);
    if (tree != NULL && fast_tree_begin(tree, position))
        leaves = fast_tree_count(tree, depth, way == PERFT_MADE);
    fast_tree_free(tree);
    return leaves;
}

static uint64_t count_leaves(struct position *position, int depth, enum perft_way way)
{
    if (depth <= 0)
        return 1;
    uint64_t played = play_leaves(position, depth, way);
    if (played != UINT64_MAX)
        return played;
    struct counting counting = {.position = position, .way = way};
    counting.moves = memory_zeroed(STEPS_MAX, sizeof(struct move *));
    counting.undos = memory_zeroed(STEPS_MAX, sizeof(struct undo *));
    counting.ends = memory_zeroed((size_t)depth + 1, sizeof *counting.ends);
    uint64_t leaves = count_turns(&counting, depth);
    for (int i = 0; i < STEPS_MAX; i++) {
        free(counting.moves[i]);
        undo_free(counting.undos[i]);
    }
    for (int i = 0; i <= depth; i++)
        turn_ends_release(&counting.ends[i]);
    free(counting.moves);
    free(counting.undos);
    free(counting.ends);
    return leaves;
}

uint64_t perft(struct position *position, int depth)
{
    return count_leaves(position, depth, PERFT_COUNTED);
}

uint64_t perft_made(struct position *position, int depth)
{
    return count_leaves(position, depth, PERFT_MADE);
}

uint64_t perft_interpreted(struct position *position, int depth)
{
    return count_leaves(position, depth, PERFT_INTERPRETED);
}
