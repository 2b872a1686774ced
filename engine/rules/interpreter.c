#include "engine/rules/interpreter.h"

#include "engine/rules/condition.h"
#include "engine/rules/placing.h"
#include "engine/work.h"

/* --- passes ------------------------------------------------------------------------------------ */

bool interpreter_may_pass(struct position *position, bool others)
{
    const struct machine_state *state = position_stage(position);
    if (position->turn.active != CELL_NONE)
        return position->turn.may_stop && legal_move(position, move_pass);
    if (state->pass.rule == PASSES_NEVER || (state->pass.rule == PASSES_WHEN_STUCK && others))
        return false;
    return condition_holds(position, state->pass.condition, state->player, CELL_NONE, CELL_NONE) &&
           legal_move(position, move_pass);
}

/* --- the questions -------------------------------------------------------------------------------- */

/* Whose moves there are; PLAYER_NONE once the game has ended. */
static player_index generating_player(const struct position *position)
{
    if (position->turn.ply >= position->game->max_plies || position->turn.result != 0)
        return PLAYER_NONE;
    return position_state_player(position);
}

static bool collect_legal(struct visit *visit, struct move move)
{
    if (legal_move(visit->position, move))
        *visit->next++ = move;
    return work_is_too_much();
}

/* From one cell, or with CELL_NONE all there are. */
static int collect(struct position *position, cell_index from, struct move *moves)
{
    struct visit visit = {.position = position, .move = collect_legal, .next = moves};
    if (from == CELL_NONE)
        pseudo_visit_all(&visit);
    else
        pseudo_visit(&visit, from);
    pseudo_sort(moves, (int)(visit.next - moves));
    return (int)(visit.next - moves);
}

/* A pass gives way to a take that goes first, but not where it ends a turn that may go on. */
static bool pass_gives_way(struct position *position, const struct move *moves, int count)
{
    return position->game->take_first && position->turn.active == CELL_NONE && count > 0 &&
           priority_takes(position, moves[0]) > 0;
}

static int all_moves(struct position *position, struct move *moves)
{
    int count = collect(position, CELL_NONE, moves);
    if (priority_is_asked(position->game))
        count = priority_keep(position, moves, count);
    bool passes =
        !pass_gives_way(position, moves, count) && interpreter_may_pass(position, count > 0);
    if (position_may_swap(position))
        moves[count++] = move_swap;
    if (passes)
        moves[count++] = move_pass;
    return count;
}

int interpreter_moves(struct position *position, struct move *moves)
{
    return generating_player(position) == PLAYER_NONE ? 0 : all_moves(position, moves);
}

static bool may_move(const struct position *position, cell_index from)
{
    uint64_t cells[WORDS_MAX];
    if (from >= position->game->cell_count || generating_player(position) == PLAYER_NONE)
        return false;
    pseudo_movable(position, cells);
    return bits_test(cells, from);
}

int interpreter_from(struct position *position, cell_index from, struct move *moves)
{
    if (!may_move(position, from))
        return 0;
    if (!priority_is_asked(position->game))
        return collect(position, from, moves);
    int all = interpreter_moves(position, position->moves);
    return pseudo_keep_from(position->moves, all, from, moves);
}

bool interpreter_any(struct position *position)
{
    struct visit visit = {.position = position, .move = legal_visit};
    return position_state_player(position) != PLAYER_NONE &&
           (position_may_swap(position) || pseudo_visit_all(&visit) ||
            interpreter_may_pass(position, false));
}

static bool begins_like(const struct position *position, const struct condition_node *like,
                        cell_index from)
{
    const struct game *game = position->game;
    figure_index figure = game->code_figures[position->cells[from].code];
    return (like->match.figures >> figure & 1) != 0 &&
           bits_test(game_cell_set(game, like->from_cells), from);
}

/* The same of a whole move; what is put comes from no place that could be asked for. */
static bool is_like(const struct position *position, const struct condition_node *like,
                    struct move move)
{
    work_spend(1);
    if (!move_has_cells(move) || !bits_test(game_cell_set(position->game, like->to_cells), move.to))
        return false;
    if (move_is_placement(move))
        return (like->match.figures >> placing_figure(move) & 1) != 0 && like->from_zone < 0;
    return begins_like(position, like, move.from);
}

static bool is_liked(struct visit *visit, struct move move)
{
    return is_like(visit->position, visit->like, move) && legal_move(visit->position, move);
}

static bool any_first_like(struct position *position, const struct condition_node *like)
{
    int count = all_moves(position, position->moves), i = 0;
    while (i < count && !is_like(position, like, position->moves[i]))
        i++;
    return i < count;
}

bool interpreter_any_like(struct position *position, const struct condition_node *like)
{
    struct visit visit = {.position = position, .move = is_liked, .like = like};
    uint64_t cells[WORDS_MAX];
    if (priority_is_asked(position->game))
        return any_first_like(position, like);
    pseudo_movable(position, cells);
    EACH_BIT (cell, cells, position->game->words)
        if (begins_like(position, like, (cell_index)cell) && pseudo_visit(&visit, (cell_index)cell))
            return true;
    return pseudo_visit_placements(&visit, CELL_NONE);
}

/* Where no priority is asked. */
static bool finds_pass(struct position *position)
{
    struct visit visit = {.position = position, .move = legal_visit};
    bool gives_way = position->turn.active == CELL_NONE &&
                     position_stage(position)->pass.rule == PASSES_WHEN_STUCK;
    return interpreter_may_pass(position, gives_way && pseudo_visit_all(&visit));
}

static bool is_wanted(struct visit *visit, struct move move)
{
    work_spend(1);
    if (!move_equal(move, visit->wanted) || !legal_move(visit->position, move))
        return false;
    visit->wanted = move;
    return true;
}

bool interpreter_find(struct position *position, cell_index from, cell_index to, uint8_t choice,
                      struct move *move)
{
    *move = (struct move){.from = from, .to = to, .choice = choice};
    if (generating_player(position) == PLAYER_NONE)
        return false;
    if (priority_is_asked(position->game))
        return pseudo_is_among(position->moves, all_moves(position, position->moves), move);
    if (to == CELL_NONE && choice == CHOICE_SWAP)
        return from == CELL_NONE && position_may_swap(position);
    if (to == CELL_NONE)
        return from == CELL_NONE && choice == CHOICE_NONE && finds_pass(position);
    struct visit visit = {.position = position, .move = is_wanted, .wanted = *move};
    bool found = false;
    if (from != CELL_NONE)
        found = may_move(position, from) && pseudo_visit(&visit, from);
    else if (to < position->game->cell_count)
        found = pseudo_visit_placements(&visit, to);
    *move = visit.wanted;
    return found;
}
