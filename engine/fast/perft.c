/* Leaves of the tree of turns, counted on one position that moves are made on and taken back. */
#include "engine/memory/memory.h"
#include "engine/movegen.h"
#include "engine/rules/change.h"
#include "engine/rules/interpreter.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A line of more moves than this, all its turns together, counts as ended there. */
enum { STEPS_MAX = 512 };

/* --- how turns of several moves end ---------------------------------------------------------------------------------- */

/* The positions such turns end in, so that those that end alike count once: a set of hashes. Begins zeroed. */
struct turn_ends {
    uint64_t *slots; /* 0: free */
    size_t count, room;
};

/* Where a hash is, or where it would be put. */
static uint64_t *find_slot(const struct turn_ends *ends, uint64_t hash)
{
    size_t at = (size_t)hash & (ends->room - 1);
    while (ends->slots[at] != 0 && ends->slots[at] != hash)
        at = (at + 1) & (ends->room - 1);
    return &ends->slots[at];
}

static void grow_ends(struct turn_ends *ends)
{
    const struct turn_ends before = *ends;
    ends->room = before.room * 2 + (before.room == 0 ? 64 : 0);
    ends->slots = memory_zeroed(ends->room, sizeof *ends->slots);
    for (size_t i = 0; i < before.room; i++)
        if (before.slots[i] != 0)
            *find_slot(ends, before.slots[i]) = before.slots[i];
    free(before.slots);
}

/* True if it is new. */
static bool add_end(struct turn_ends *ends, uint64_t hash)
{
    hash += hash == 0;
    if (2 * ends->count >= ends->room)
        grow_ends(ends);
    uint64_t *slot = find_slot(ends, hash);
    if (*slot == hash)
        return false;
    *slot = hash;
    ends->count++;
    return true;
}

/* --- counting -------------------------------------------------------------------------------------------------------- */

/* One count of leaves: room for the moves and undo records along the line that is being looked at. */
struct counting {
    struct position *position;
    enum perft_way way;
    bool turns_are_moves; /* every turn is one move */
    struct move **moves;  /* by moves made */
    struct undo **undos;
    struct turn_ends *ends; /* by turns that are left */
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
        return interpreter_moves(counting->position, moves);
    return movegen_unordered(counting->position, moves);
}

static bool find_turns_are_moves(const struct game *game)
{
    bool moves = !game->continues;
    for (int i = 0; i < game->state_count; i++)
        moves &= !game->states[i].same_figure;
    return moves;
}

/* Whether the turn that has been begun is not over yet: it is still the same figure's. */
static bool is_within_turn(const struct position *position)
{
    const struct machine_state *state = position_stage(position);
    return state->kind == MACHINE_MOVE && position->turn.result == 0 &&
           (position->turn.active != CELL_NONE || state->same_figure);
}

/* Whether what is to move now is followed by another move of the same turn. */
static bool leads_on(const struct position *position)
{
    const struct machine_state *states = position->game->states;
    const struct machine_state *next = &states[states[position->turn.state].then];
    return position->game->turns_ask || (next->kind == MACHINE_MOVE && next->same_figure);
}

/* Whether a move, if it ends the turn at once, leads where no other from its cell does. */
static bool ends_alone(const struct position *position, struct move move)
{
    if (move.from == CELL_NONE) /* a pass, a placement */
        return true;
    if ((move.rule & RULE_COMBINED) != 0 || move.choice != CHOICE_NONE)
        return false;
    const struct movement *rule = change_rule(position, move);
    return rule->continues == GOES_ON_NEVER &&
           (rule->purpose == FOR_MOVE || rule->purpose == FOR_TAKE || rule->purpose == FOR_BOTH);
}

/* Whether each of these moves is a turn, and leads where no other does. */
static bool are_turns(const struct position *position, const struct move *moves, int count)
{
    const struct game *game = position->game;
    bool turns = !leads_on(position) && (!game->continues || game->after_move_count == 0);
    for (int i = 0; i < count && game->continues && turns; i++)
        turns = ends_alone(position, moves[i]);
    return turns;
}

/* A number for the figure that begins a turn; each placement is a turn of its own. */
static uint64_t beginning_of(struct move move)
{
    if (!move_is_placement(move))
        return hash_mix(move.from);
    return hash_mix((uint64_t)move.from << 32 | (uint64_t)move.to << 8 | move.choice);
}

static uint64_t count_turns(struct counting *counting, int depth);

/* All moves from here, each gone on from: within its turn, or after it, once for all turns of one figure that end alike.
 * `begun` stands for that figure; 0: a turn begins. */
static uint64_t count_moves(struct counting *counting, int depth, uint64_t begun)
{
    struct position *position = counting->position;
    int steps = counting->steps++;
    make_room(counting, steps);
    struct move *moves = counting->moves[steps];
    struct undo *undo = counting->undos[steps];
    uint64_t leaves = 0;
    int count = list_moves(counting, moves);
    bool turns = counting->turns_are_moves ||
                 (counting->way == PERFT_COUNTED && are_turns(position, moves, count));
    bool several =
        !counting->turns_are_moves && (begun != 0 || (position->game->continues && !turns));
    if (depth == 1 && counting->way == PERFT_COUNTED && turns) {
        counting->steps--;
        return (uint64_t)count;
    }
    for (int i = 0; i < count; i++) {
        uint64_t figure = begun;
        if (begun == 0 && !counting->turns_are_moves)
            figure = beginning_of(moves[i]);
        position_make(position, moves[i], undo);
        if (!counting->turns_are_moves && counting->steps < STEPS_MAX && is_within_turn(position))
            leaves += count_moves(counting, depth, figure);
        else if (!several || add_end(&counting->ends[depth], position_hash(position) ^ figure))
            leaves += count_turns(counting, depth - 1);
        position_unmake(position, undo);
    }
    counting->steps--;
    return leaves;
}

static uint64_t count_turns(struct counting *counting, int depth)
{
    if (depth == 0 || counting->steps == STEPS_MAX)
        return 1;
    if (depth == 1 && counting->turns_are_moves && counting->way == PERFT_COUNTED)
        return movegen_count(counting->position);
    struct turn_ends *ends = &counting->ends[depth];
    if (ends->count > 0)
        memset(ends->slots, 0, ends->room * sizeof *ends->slots);
    ends->count = 0;
    return count_moves(counting, depth, 0);
}

uint64_t perft_by(struct position *position, int depth, enum perft_way way)
{
    if (depth <= 0)
        return 1;
    struct counting counting = {
        .position = position, .way = way, .turns_are_moves = find_turns_are_moves(position->game)};
    counting.moves = memory_zeroed(STEPS_MAX, sizeof(struct move *));
    counting.undos = memory_zeroed(STEPS_MAX, sizeof(struct undo *));
    counting.ends = memory_zeroed((size_t)depth + 1, sizeof *counting.ends);
    uint64_t leaves = count_turns(&counting, depth);
    for (int i = 0; i < STEPS_MAX; i++) {
        free(counting.moves[i]);
        undo_free(counting.undos[i]);
    }
    for (int i = 0; i <= depth; i++)
        free(counting.ends[i].slots);
    free(counting.moves);
    free(counting.undos);
    free(counting.ends);
    return leaves;
}

uint64_t perft(struct position *position, int depth)
{
    return perft_by(position, depth, PERFT_COUNTED);
}
