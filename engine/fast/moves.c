/* What movegen.h asks: by the fast path where the game has one, by the interpreter where it has not. */
#include "engine/fast/fast.h"
#include "engine/fast/liberties.h"
#include "engine/memory/memory.h"
#include "engine/movegen.h"
#include "engine/rules/interpreter.h"
#include "engine/rules/needs.h"
#include "engine/rules/placing.h"
#include "engine/work.h"

#include <assert.h>
#include <stdlib.h>

/* --- which way ------------------------------------------------------------------------------------------------------ */

/* Of the player's gates those whose condition does not hold. */
static inline uint32_t shut_gates(const struct position *position, const struct fast_view *view)
{
    uint32_t shut = 0, bit = FAST_GATE;
    const struct fast_gate *gate = view->own->gates, *end = gate + view->own->gate_count;
    for (; gate < end; gate++, bit <<= 1)
        if (!needs_hold(position, &gate->needs, gate->condition, view->player))
            shut |= bit;
    return shut;
}

/* The view of a position, and the state it is in; NULL once the game has ended. */
static inline __attribute__((always_inline)) const struct machine_state *
view_position(const struct position *position, struct fast_view *view)
{
    const struct machine_state *state = position_stage(position);
    const struct turn *turn = &position->turn;
    work_spend(WORK_QUESTION);
    if (state->kind != MACHINE_MOVE || turn->result != 0 || turn->ply >= position->game->max_plies)
        return NULL;
    *view = fast_see(position);
    if (view->own != NULL)
        view->wants |= shut_gates(position, view);
    return state;
}

static bool has_slow_figure(const struct position *position, player_index player)
{
    const struct game *game = position->game;
    const uint64_t *own = position_player_words(position, player);
    for (int figure = 0; figure < game->figure_count; figure++) {
        const uint64_t *here = position_figure_words(position, figure);
        if (game->fast->movers[figure * game->player_count + player].reason == NULL)
            continue;
        for (int i = 0; i < game->words; i++)
            if ((own[i] & here[i]) != 0)
                return true;
    }
    return false;
}

/* Whether some figure of the player to move is there that has no shape; or none may move, but the player may pass; or sides may
 * be swapped, soon or now. */
static inline bool needs_interpreter(const struct position *position,
                                     const struct machine_state *state,
                                     const struct fast_view *view)
{
    const struct fast_game *fast = position->game->fast;
    if (fast == NULL || fast->unranked || position->turn.may_swap)
        return true;
    if (state->same_figure && view->only == CELL_NONE)
        return true;
    return view->own->slow && has_slow_figure(position, view->player);
}

/* Whether something may be forbidden now that lines of attack do not tell. */
static inline bool alarmed(const struct position *position, const struct fast_player *own)
{
    for (int i = 0; i < own->alarm_count; i++)
        if (position->turn.counters[own->alarms[i].slot] + 1 >= own->alarms[i].min)
            return true;
    return false;
}

/* Looks for captures, which go first: of all figures, whatever `view` is limited to. True: they are all that is wanted. */
static bool run_takes(const struct position *position, struct fast_view *view,
                      struct fast_result *result)
{
    struct fast_view whole = *view;
    struct fast_result takes = {.trial = result->trial, .is_legal = legal_move};
    const struct move *first = result->moves;
    whole.wants |= FAST_TAKES;
    if ((view->wants & FAST_GOES_ON) == 0 && !position_stage(position)->same_figure)
        whole.only = CELL_NONE;
    bool wanted = whole.only == view->only && !result->finds;
    position->game->fast->loops->run(&whole, wanted ? result : &takes);
    bool some = takes.count > 0 || (wanted && (result->count > 0 || result->moves != first));
    view->wants |= some ? FAST_TAKES : FAST_QUIET;
    return wanted && some;
}

/* --- placements ----------------------------------------------------------------------------------------------------- */

static void deliver(struct position *position, struct fast_result *result, struct move move,
                    bool tried)
{
    if ((result->any && result->count > 0) ||
        (tried && (work_is_too_much() || !legal_move(position, move))))
        return;
    if (result->moves != NULL)
        *result->moves++ = move;
    else
        result->count++;
}

/* All kinds that may be put on a cell; some are tried out. */
static void place_kinds(struct position *position, const struct placing *placing,
                        struct fast_result *result, cell_index to, uint64_t tried)
{
    for (uint64_t left = placing_kinds_of(placing, to); left != 0; left &= left - 1)
        deliver(position, result, placing_move(position, to, word_lowest(left)),
                (tried >> word_lowest(left) & 1) != 0);
}

/* Leaves out cells where nothing may be put, and says placements of which kinds on the others have to be tried out. */
static uint64_t keep_legal(const struct position *position, const struct fast_view *view,
                           struct placing *placing)
{
    const struct game *game = position->game;
    uint64_t cells[WORDS_MAX];
    if (game->forbid_count == 0)
        return 0;
    if (view->own->liberties.beside != NULL) {
        liberties_keep_legal(position, placing);
        return 0;
    }
    if (!game->fast->filters || view->own->tried == UINT64_MAX || alarmed(position, view->own) ||
        !game->fast->loops->placeable(view, cells))
        return UINT64_MAX;
    for (int i = 0; i < game->words; i++)
        placing->any[i] &= cells[i];
    return view->own->tried;
}

/* Adds the placements: by sets of cells; and only where something is forbidden that neither liberties nor lines of attack decide, or
 * asked of each cell, one by one. */
static void run_placements(struct position *position, const struct fast_view *view,
                           struct fast_result *result)
{
    const struct game *game = position->game;
    struct placing placing;
    placing_find(position, &placing);
    if (placing.list == NULL)
        return;
    uint64_t tried = keep_legal(position, view, &placing);
    if (result->moves == NULL && tried == 0 && !placing.list->chooses) {
        result->count += (uint64_t)bits_count(placing.any, game->words);
        return;
    }
    EACH_BIT (to, placing.any, game->words)
        place_kinds(position, &placing, result, (cell_index)to, tried);
}

/* --- all of them ---------------------------------------------------------------------------------------------------- */

/* Runs with captures first where the game wants it so. */
static inline void run_in_order(struct position *position, struct fast_view *view,
                                struct fast_result *result)
{
    const struct game *game = position->game;
    if (!game->fast->filters || alarmed(position, view->own)) {
        result->trial = position;
        result->is_legal = legal_move;
    }
    if ((view->wants & ~view->own->offers) != 0)
        return; /* its figures stay where they are, now or always */
    if (!game->take_first || !run_takes(position, view, result))
        game->fast->loops->run(view, result);
}

/* Whether passing is among the moves, when there are others or not. It gives way to a take that goes first, but not where
 * it ends a turn that may go on. */
static inline bool may_pass(struct position *position, const struct machine_state *state,
                            const struct fast_view *view, bool others)
{
    bool going_on = (view->wants & FAST_GOES_ON) != 0;
    if (state->pass.rule == PASSES_NEVER && !going_on)
        return false;
    if (others && (view->wants & FAST_TAKES) != 0 && !going_on)
        return false;
    return interpreter_may_pass(position, others);
}

/* --- the answers ---------------------------------------------------------------------------------------------------- */

enum { ONLY_PLACES = -1 };

/* Lists all moves and returns how many; or, where one is to be chosen, that one alone if it is a figure's; or nothing, if there are
 * ONLY_PLACES. */
static int list_moves(struct position *position, struct fast_result *result)
{
    struct fast_view view;
    struct move *moves = result->moves;
    const struct machine_state *state = view_position(position, &view);
    if (state == NULL)
        return 0;
    if (needs_interpreter(position, state, &view))
        return interpreter_moves(position, moves);
    bool places = position->game->places_figures;
    if (result->choose != NULL)
        places = placing_prospect(position) != PLACES_NOTHING;
    if (places && result->only_places && (view.wants & ~view.own->offers) != 0)
        return ONLY_PLACES;
    if (places || state->pass.rule == PASSES_IF || view.only != CELL_NONE)
        result->choose = NULL;
    run_in_order(position, &view, result);
    if (places && (view.wants & FAST_TAKES) == 0)
        run_placements(position, &view, result);
    if (may_pass(position, state, &view, result->moves > moves))
        *result->moves++ = move_pass;
    work_spend((uint64_t)(result->moves - moves));
    return (int)(result->moves - moves);
}

int movegen_unordered(struct position *position, struct move *moves)
{
    struct fast_result result = {.moves = moves};
    return list_moves(position, &result);
}

enum movegen_chosen movegen_choose(struct position *position, struct move *moves,
                                   int (*choose)(void *context, int count), void *context,
                                   struct move *move)
{
    const struct game *game = position->game;
    struct fast_result result = {.moves = moves, .choose = choose, .context = context};
    bool stay = game->piece_rules[game->piece_count] == 0 && game->combined_count == 0;
    bool places = placing_is_possible(position) && !placing_list_of(position)->chooses &&
                  !priority_is_asked(game) && !position->turn.may_swap;
    result.only_places = places && game->forbid_count == 0;
    if (places && stay && position->turn.result == 0 && position->turn.ply < game->max_plies)
        return CHOSEN_PLACES;
    int count = list_moves(position, &result);
    if (count <= 0)
        return count == 0 ? CHOSEN_NONE : CHOSEN_PLACES;
    *move = result.count == 1 ? *moves : pseudo_behind(moves, count, choose(context, count));
    return CHOSEN_MOVE;
}

int movegen_all(struct position *position, struct move *moves)
{
    int count = movegen_unordered(position, moves);
    pseudo_sort(moves, count);
    return count;
}

/* Which captures take the most is known of all figures together only. */
static bool ranks_all(const struct position *position, const struct fast_view *view)
{
    return position->game->most_taken && view->only == CELL_NONE;
}

int movegen_from(struct position *position, cell_index from, struct move *moves)
{
    struct fast_view view;
    assert(from < position->game->cell_count);
    const struct machine_state *state = view_position(position, &view);
    if (state == NULL || !bits_test(position_player_words(position, view.player), from))
        return 0;
    if (needs_interpreter(position, state, &view))
        return interpreter_from(position, from, moves);
    if (view.only != CELL_NONE && view.only != from)
        return 0;
    if (ranks_all(position, &view))
        return pseudo_keep_from(position->moves, movegen_all(position, position->moves), from,
                                moves);
    view.only = from;
    struct fast_result result = {.moves = moves};
    run_in_order(position, &view, &result);
    pseudo_sort(moves, (int)(result.moves - moves));
    return (int)(result.moves - moves);
}

static uint64_t count_interpreted(struct position *position)
{
    struct move *moves = memory_bytes(((size_t)position->game->moves_max + 1) * sizeof *moves);
    int count = interpreter_moves(position, moves);
    free(moves);
    return (uint64_t)count;
}

uint64_t movegen_count(struct position *position)
{
    struct fast_view view;
    const struct machine_state *state = view_position(position, &view);
    if (state == NULL)
        return 0;
    if (needs_interpreter(position, state, &view))
        return count_interpreted(position);
    struct fast_result result = {.count = 0};
    run_in_order(position, &view, &result);
    if (position->game->places_figures && (view.wants & FAST_TAKES) == 0)
        run_placements(position, &view, &result);
    return result.count + may_pass(position, state, &view, result.count > 0);
}

static __attribute__((noinline)) bool any_move(struct position *position)
{
    struct fast_view view;
    const struct machine_state *state = view_position(position, &view);
    if (state == NULL)
        return false;
    if (needs_interpreter(position, state, &view))
        return interpreter_any(position);
    if (may_pass(position, state, &view, false))
        return true;
    struct fast_result result = {.any = true};
    run_in_order(position, &view, &result);
    if (result.count == 0 && position->game->places_figures && (view.wants & FAST_TAKES) == 0)
        run_placements(position, &view, &result);
    return result.count > 0;
}

bool movegen_any(struct position *position)
{
    bool over = position->turn.result != 0 || position->turn.ply >= position->game->max_plies;
    return (!over && placing_prospect(position) == PLACES_SURELY) || any_move(position);
}

bool movegen_find(struct position *position, cell_index from, cell_index to, uint8_t choice,
                  struct move *move)
{
    struct fast_view view;
    const struct machine_state *state = view_position(position, &view);
    if (state == NULL)
        return false;
    if (from == CELL_NONE || needs_interpreter(position, state, &view))
        return interpreter_find(position, from, to, choice, move);
    if (from >= position->game->cell_count || to >= position->game->cell_count ||
        (view.only != CELL_NONE && view.only != from))
        return false;
    *move = (struct move){.from = from, .to = to, .choice = choice};
    if (ranks_all(position, &view))
        return pseudo_is_among(position->moves, movegen_unordered(position, position->moves), move);
    view.only = from;
    struct fast_result result = {.finds = true, .to = to, .choice = choice, .moves = move};
    run_in_order(position, &view, &result);
    return result.moves > move;
}

bool movegen_find_made(struct position *position, cell_index from, cell_index to, uint8_t choice,
                       struct move *move)
{
    if (movegen_find(position, from, to, choice, move))
        return true;
    position->asking->trusts = true;
    bool found = interpreter_find(position, from, to, choice, move);
    position->asking->trusts = false;
    return found;
}
