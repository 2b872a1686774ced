#include "engine/interpreter.h"

#include "engine/condition.h"
#include "engine/rule.h"
#include "engine/turn.h"

#include <assert.h>
#include <string.h>

/* --- does it fit? ----------------------------------------------------------------------------- */

/* One question: does a movement of `mover`'s figure on `from` fit? With a `victim` an enemy is supposed to stand there,
 * whatever does, and only what would take it is meant. */
struct question {
    const struct position *position;
    player_index mover;
    cell_index from, victim;
};

static bool is_pending(const struct position *position, cell_index cell)
{
    return position->game->continues && bits_test(position_pending_words(position), cell);
}

static bool is_enemy(const struct question *question, cell_index cell)
{
    const struct position *position = question->position;
    unsigned code = position->cells[cell].code;
    return code != 0 && position->game->code_players[code] != question->mover &&
           !is_pending(position, cell);
}

/* What lies between: empty, or jumped as the movement says. */
static bool path_fits(const struct question *question, const struct modern_rule *rule,
                      const struct candidate *candidate)
{
    const struct position *position = question->position;
    const cell_index *path = position->game->paths + candidate->path;
    int jumped = 0;
    if (rule->purpose == FOR_ACTIONS && !rule->jumps)
        return true;
    for (int i = 0; i + 1 < candidate->steps; i++) {
        cell_index cell = path[i];
        if (cell == question->victim) {
            jumped++;
            continue;
        }
        if (position->cells[cell].code == 0)
            continue;
        if (!rule->jumps || is_pending(position, cell) ||
            !condition_cell_matches(position, rule->over, cell))
            return false;
        jumped++;
    }
    return !rule->jumps || (jumped >= rule->over_min && jumped <= rule->over_max);
}

static bool via_is_free(const struct question *question, const struct modern_rule *rule)
{
    for (int i = 0; i < rule->via_count; i++)
        if (question->position->cells[rule->via[i][question->from]].code != 0)
            return false;
    return true;
}

static bool takes_marked(const struct question *question, const struct modern_rule *rule,
                         cell_index to)
{
    const struct position *position = question->position;
    if (rule->takes_marked < 0 || position->cells[to].code != 0)
        return false;
    const struct mark *mark = &position->turn.marks[rule->takes_marked];
    return mark->cell == to && is_enemy(question, mark->maker);
}

/* A figure that goes on does not come back to where it stood in this turn unless it takes. */
static bool may_stand(const struct question *question, const struct modern_rule *rule,
                      cell_index to)
{
    const struct position *position = question->position;
    if (position->turn.active == CELL_NONE || rule->takes_jumped || is_enemy(question, to))
        return true;
    return !bits_test(position_visited_words(position), to);
}

static bool target_fits(const struct question *question, const struct modern_rule *rule,
                        cell_index to)
{
    const struct position *position = question->position;
    unsigned code = position->cells[to].code;
    switch ((enum rule_purpose)rule->purpose) {
    case FOR_MOVE:
    case FOR_PUT:
        return code == 0;
    case FOR_TAKE:
        if (rule->takes_jumped)
            return code == 0;
        return is_enemy(question, to) || takes_marked(question, rule, to);
    case FOR_BOTH:
        return code == 0 || is_enemy(question, to);
    case FOR_SWAP:
        return code != 0 && position->game->code_players[code] == question->mover;
    case FOR_ACTIONS:
        return true;
    }
    assert(false);
    return false;
}

static bool guard_holds(const struct position *position, uint32_t rule_index, cell_index from,
                        cell_index to)
{
    const struct rule *rule = &position->game->rules[rule_index];
    return !rule->guarded || rule_guard_holds(position, rule, from, to);
}

static enum interpreter_fit judge(const struct question *question,
                                  const struct candidate *candidate)
{
    const struct position *position = question->position;
    const struct modern_rule *rule = &position->game->modern_rules[candidate->rule];
    cell_index to = candidate->to;
    if (rule->phase != position->game->states[position->state].phase)
        return UNFIT_PHASE;
    if (position->turn.active != CELL_NONE && rule->continues == GOES_ON_NEVER)
        return UNFIT_TO_GO_ON;
    if (!target_fits(question, rule, to))
        return UNFIT_TARGET;
    if (!may_stand(question, rule, to))
        return UNFIT_VISITED;
    if (!via_is_free(question, rule))
        return UNFIT_VIA;
    if (!path_fits(question, rule, candidate))
        return UNFIT_PATH;
    if (!guard_holds(position, candidate->rule, question->from, to))
        return UNFIT_GUARD;
    if (!condition_holds(position, rule->condition, question->mover, question->from, to))
        return UNFIT_CONDITION;
    return FITS;
}

/* --- attacks ---------------------------------------------------------------------------------- */

static const uint32_t *row_start(const struct position *position, const uint32_t *starts,
                                 cell_index from)
{
    size_t row = (size_t)position->game->cell_count + 1;
    return starts + (size_t)(position->cells[from].code - 1) * row + from;
}

/* The first of the candidates from a cell that lead to `to`; the end when there is none. */
static uint32_t first_candidate(const struct game *game, uint32_t low, uint32_t end, cell_index to)
{
    uint32_t high = end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (game->candidates[middle].to < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && game->candidates[low].to == to ? low : end;
}

/* By action sets only what is there can be asked: the movement attacks what it would take now. */
static bool actions_take(const struct position *position, const struct candidate *candidate,
                         cell_index from)
{
    const struct game *game = position->game;
    if (!rule_simple_legal(position, candidate, from))
        return false;
    int count = rule_match_simple(position, candidate, from, position->matches);
    for (int i = 0; i < count; i++) {
        const struct rule_set *set = &game->sets[position->matches[i].set];
        cell_index target = position->matches[i].target;
        for (uint32_t k = 0; k < set->action_count; k++)
            if (game->actions[set->first_action + k].kind == RULE_TAKE && target != CELL_NONE &&
                position->cells[target].code != 0)
                return true;
    }
    return false;
}

static bool attacks_target(const struct question *question, const struct candidate *candidate)
{
    const struct position *position = question->position;
    const struct modern_rule *rule = &position->game->modern_rules[candidate->rule];
    bool by_actions = rule->purpose == FOR_ACTIONS;
    if (!by_actions &&
        ((rule->purpose != FOR_TAKE && rule->purpose != FOR_BOTH) || rule->takes_jumped))
        return false;
    return via_is_free(question, rule) && path_fits(question, rule, candidate) &&
           guard_holds(position, candidate->rule, question->from, candidate->to) &&
           condition_holds(position, rule->condition, question->mover, question->from,
                           candidate->to) &&
           (!by_actions || actions_take(position, candidate, question->from));
}

static bool passes_over(const struct game *game, const struct candidate *candidate, cell_index cell)
{
    const cell_index *path = game->paths + candidate->path;
    for (int i = 0; i + 1 < candidate->steps; i++)
        if (path[i] == cell)
            return true;
    return false;
}

static bool attacks_by_jump(const struct question *question, const struct candidate *candidate)
{
    const struct position *position = question->position;
    const struct modern_rule *rule = &position->game->modern_rules[candidate->rule];
    return rule->takes_jumped && passes_over(position->game, candidate, question->victim) &&
           position->cells[candidate->to].code == 0 && via_is_free(question, rule) &&
           path_fits(question, rule, candidate) &&
           guard_holds(position, candidate->rule, question->from, candidate->to) &&
           condition_holds(position, rule->condition, question->mover, question->from,
                           candidate->to);
}

static bool figure_attacks(const struct question *question)
{
    const struct position *position = question->position;
    const struct game *game = position->game;
    const uint32_t *starts = row_start(position, game->candidate_starts, question->from);
    cell_index victim = question->victim;
    uint32_t end = starts[1];
    for (uint32_t i = first_candidate(game, starts[0], end, victim);
         i < end && game->candidates[i].to == victim; i++)
        if (attacks_target(question, &game->candidates[i]))
            return true;
    if (!game->takes_jumped)
        return false;
    for (uint32_t i = starts[0]; i < end; i++)
        if (attacks_by_jump(question, &game->candidates[i]))
            return true;
    return false;
}

/* One word of the cells with a mover's figures that geometry lets attack a cell. */
static uint64_t origins_word(const struct position *position, int figure, player_index by,
                             cell_index cell, int word)
{
    const struct game *game = position->game;
    size_t words = (size_t)game->words;
    uint64_t figures =
        position_player_words(position, by)[word] & position_figure_words(position, figure)[word];
    if (figures == 0 || game->attack_origins == NULL)
        return figures;
    size_t mover = (size_t)game_code(game, (figure_index)figure, by) - 1;
    return figures &
           game->attack_origins[(mover * (size_t)game->cell_count + cell) * words + (size_t)word];
}

bool interpreter_attacked(const struct position *position, cell_index cell, player_index by,
                          cell_index *attacker)
{
    return interpreter_attacked_by(position, cell, by, UINT64_MAX, attacker);
}

bool interpreter_attacked_by(const struct position *position, cell_index cell, player_index by,
                             uint64_t kinds, cell_index *attacker)
{
    const struct game *game = position->game;
    struct question question = {.position = position, .mover = by, .victim = cell};
    for (int figure = 0; figure < game->figure_count; figure++)
        for (int i = 0; i < game->words && (kinds >> figure & 1) != 0; i++) {
            uint64_t left = origins_word(position, figure, by, cell, i);
            for (; left != 0; left &= left - 1) {
                question.from = (cell_index)((unsigned)i * WORD_BITS + word_lowest(left));
                if (question.from == cell || is_pending(position, question.from) ||
                    !figure_attacks(&question))
                    continue;
                if (attacker != NULL)
                    *attacker = question.from;
                return true;
            }
        }
    return false;
}

/* --- complex movements ------------------------------------------------------------------------ */

bool interpreter_takes_part(const struct position *position,
                            const struct complex_instance *instance, int participant)
{
    const struct game *game = position->game;
    const struct modern_complex *complex = &game->modern_complex[instance->movement];
    cell_index source = game->places[instance->first_place + (uint32_t)participant].source;
    unsigned code = position->cells[source].code;
    if (code == 0 ||
        game->code_figures[code] != game->complex[instance->movement].figures[participant])
        return false;
    uint8_t players = complex->players[participant];
    if (players != 0 && (players >> game->code_players[code] & 1) == 0)
        return false;
    return (complex->unmoved >> participant & 1) == 0 ||
           bits_test(position_unmoved_words(position), source);
}

/* A participant without actions goes to an empty cell, or to one that another leaves. */
bool interpreter_finds_room(const struct position *position,
                            const struct complex_instance *instance, int participant)
{
    const struct game *game = position->game;
    const struct modern_complex *complex = &game->modern_complex[instance->movement];
    const struct place *places = game->places + instance->first_place;
    cell_index to = places[participant].destination;
    if ((complex->by_default >> participant & 1) == 0)
        return true;
    if (position->cells[to].code == 0)
        return true;
    for (int i = 0; i < game->complex[instance->movement].participant_count; i++)
        if (places[i].source == to && places[i].destination != to)
            return true;
    return false;
}

static bool cells_allow(const struct position *position, const struct instance_cells *cells,
                        player_index mover)
{
    const cell_index *list = position->game->condition_cells;
    for (unsigned i = 0; i < cells->empty_count; i++) {
        cell_index cell = list[cells->first_empty + i];
        if (cell == CELL_NONE || position->cells[cell].code != 0)
            return false;
    }
    for (unsigned i = 0; i < cells->safe_count; i++) {
        cell_index cell = list[cells->first_safe + i];
        if (cell != CELL_NONE && condition_cell_attacked(position, cell, mover, UINT64_MAX, NULL))
            return false;
    }
    return true;
}

bool interpreter_complex_fits(const struct position *position,
                              const struct complex_instance *instance)
{
    const struct game *game = position->game;
    const struct modern_complex *complex = &game->modern_complex[instance->movement];
    const struct place *first = game->places + instance->first_place;
    int count = game->complex[instance->movement].participant_count;
    unsigned by_default = complex->by_default;
    for (int i = 0; i < count; i++)
        if (!interpreter_takes_part(position, instance, i))
            return false;
    for (int i = 0; i < count; i++)
        if (!interpreter_finds_room(position, instance, i))
            return false;
    if (by_default != (1U << count) - 1 &&
        !rule_participants_legal(position, instance, ~by_default))
        return false;
    return condition_holds(position, complex->condition, complex->player, first->source,
                           first->destination) &&
           cells_allow(position, &game->instance_cells[instance - game->instances],
                       complex->player);
}

/* --- pseudo-legal moves ----------------------------------------------------------------------- */

/* What is done with each move found; true: that is enough. */
struct visit {
    bool (*take)(struct visit *visit, const struct position *position, struct move move);
    struct move *next; /* of those that collect */
    int best;          /* of searches */
    int depth;
};

static bool collect(struct visit *visit, const struct position *position, struct move move)
{
    (void)position;
    *visit->next++ = move;
    return false;
}

/* A move once for each thing the figure may become by it. */
static bool visit_choices(struct visit *visit, const struct position *position,
                          const struct modern_rule *rule, struct move move)
{
    bool optional = false;
    uint64_t choices = turn_choices(position, rule, move, &optional);
    bool forced = !optional && choices != 0 && (choices & (choices - 1)) == 0;
    if (choices == 0 || forced)
        return visit->take(visit, position, move);
    for (uint64_t left = choices; left != 0; left &= left - 1) {
        struct move chosen = move;
        chosen.choice = (uint8_t)word_lowest(left);
        if (visit->take(visit, position, chosen))
            return true;
    }
    return optional && visit->take(visit, position, move);
}

/* Of the candidates for one target, from `first` on, the first that fits; NULL when none does or its actions do
 * nothing. */
static const struct candidate *deciding(const struct question *question, uint32_t first,
                                        uint32_t end)
{
    const struct position *position = question->position;
    const struct game *game = position->game;
    for (uint32_t i = first; i < end && game->candidates[i].to == game->candidates[first].to; i++) {
        const struct candidate *candidate = &game->candidates[i];
        if (judge(question, candidate) != FITS)
            continue;
        bool acts = game->modern_rules[candidate->rule].purpose == FOR_ACTIONS;
        return acts && !rule_simple_legal(position, candidate, question->from) ? NULL : candidate;
    }
    return NULL;
}

static struct question question_of(const struct position *position, cell_index from)
{
    return (struct question){
        .position = position,
        .mover = position->game->code_players[position->cells[from].code],
        .from = from,
        .victim = CELL_NONE,
    };
}

enum interpreter_fit interpreter_judge(const struct position *position,
                                       const struct candidate *candidate, cell_index from)
{
    struct question question = question_of(position, from);
    return judge(&question, candidate);
}

static bool visit_simple(struct visit *visit, const struct position *position, cell_index from)
{
    const struct game *game = position->game;
    struct question question = question_of(position, from);
    const uint32_t *starts = row_start(position, game->candidate_starts, from);
    uint32_t first_rule = game->mover_rules[position->cells[from].code - 1];
    for (uint32_t i = starts[0], next = 0; i < starts[1]; i = next) {
        cell_index to = game->candidates[i].to;
        for (next = i + 1; next < starts[1] && game->candidates[next].to == to;)
            next++;
        const struct candidate *candidate = deciding(&question, i, next);
        if (candidate == NULL)
            continue;
        struct move move = {.from = from,
                            .to = to,
                            .rule = (uint16_t)(candidate->rule - first_rule),
                            .choice = CHOICE_NONE};
        if (visit_choices(visit, position, &game->modern_rules[candidate->rule], move))
            return true;
    }
    return false;
}

/* Whether a simple movement decides about the target already. */
static bool is_simple(const struct position *position, cell_index from, cell_index to)
{
    const struct game *game = position->game;
    struct question question = question_of(position, from);
    const uint32_t *starts = row_start(position, game->candidate_starts, from);
    uint32_t first = first_candidate(game, starts[0], starts[1], to);
    return first < starts[1] && deciding(&question, first, starts[1]) != NULL;
}

static bool visit_complex(struct visit *visit, const struct position *position, cell_index from)
{
    const struct game *game = position->game;
    const uint32_t *starts = row_start(position, game->instance_starts, from);
    cell_index last = CELL_NONE;
    if (starts[0] == starts[1] || position->turn.active != CELL_NONE ||
        game->states[position->state].phase != 0)
        return false;
    for (uint32_t i = starts[0]; i < starts[1]; i++) {
        cell_index to = game->instances[i].to;
        if (to == last || !interpreter_complex_fits(position, &game->instances[i]) ||
            is_simple(position, from, to))
            continue;
        last = to;
        struct move move = {.from = from,
                            .to = to,
                            .rule = (uint16_t)(RULE_COMPLEX | (i - starts[0])),
                            .choice = CHOICE_NONE};
        if (visit->take(visit, position, move))
            return true;
    }
    return false;
}

static bool visit_from(struct visit *visit, const struct position *position, cell_index from)
{
    return visit_simple(visit, position, from) || visit_complex(visit, position, from);
}

static bool comes_before(struct move a, struct move b)
{
    return a.to != b.to ? a.to < b.to : a.choice < b.choice;
}

/* Complex ones come after the simple ones; there are few of them. */
static void sort_from(struct move *moves, struct move *end)
{
    for (struct move *at = moves; at < end; at++) {
        struct move move = *at, *hole = at;
        for (; hole > moves && comes_before(move, hole[-1]); hole--)
            *hole = hole[-1];
        *hole = move;
    }
}

static player_index to_move(const struct position *position)
{
    const struct machine_state *state = &position->game->states[position->state];
    return state->kind == MACHINE_MOVE ? state->player : PLAYER_NONE;
}

/* Whose moves there are; PLAYER_NONE once the game has ended. */
static player_index generating_player(const struct position *position)
{
    if (position->ply >= position->game->max_plies || position->turn.result != 0)
        return PLAYER_NONE;
    return to_move(position);
}

void interpreter_movable(const struct position *position, uint64_t *cells)
{
    const struct game *game = position->game;
    size_t bytes = (size_t)game->words * sizeof *cells;
    player_index player = to_move(position);
    const struct turn *turn = &position->turn;
    memset(cells, 0, bytes);
    if (player == PLAYER_NONE)
        return;
    cell_index only = turn->active;
    if (only == CELL_NONE && game->states[position->state].same_figure) {
        only = turn->last.stands;
        if (only == CELL_NONE || game->code_players[position->cells[only].code] != player)
            return;
    }
    if (only != CELL_NONE)
        bits_set(cells, only);
    else
        memcpy(cells, position_player_words(position, player), bytes);
}

int interpreter_pseudo_from(const struct position *position, cell_index from, struct move *moves)
{
    struct visit visit = {.take = collect, .next = moves};
    visit_simple(&visit, position, from);
    struct move *simple_end = visit.next;
    visit_complex(&visit, position, from);
    if (visit.next != simple_end)
        sort_from(moves, visit.next);
    return (int)(visit.next - moves);
}

/* --- legality --------------------------------------------------------------------------------- */

/* The position is changed and restored: whoever gives it away as const gets it back as it was. */
static struct position *borrowed(const struct position *position)
{
    return (struct position *)position;
}

const struct forbid_rule *interpreter_forbidden(const struct position *position, struct move move)
{
    const struct game *game = position->game;
    struct position *own = borrowed(position);
    player_index mover = to_move(position);
    const struct forbid_rule *found = NULL;
    if (game->forbid_count == 0)
        return NULL;
    turn_make(own, move, own->trial, TURN_TRIAL);
    for (int i = 0; i < game->forbid_count && found == NULL; i++)
        if (condition_holds(own, game->forbid[mover][i].condition, mover, move.from, move.to))
            found = &game->forbid[mover][i];
    turn_unmake(own, own->trial);
    return found;
}

bool interpreter_legal(const struct position *position, struct move move)
{
    return interpreter_forbidden(position, move) == NULL;
}

static bool is_legal(struct visit *visit, const struct position *position, struct move move)
{
    (void)visit;
    return interpreter_legal(position, move);
}

static bool is_there(struct visit *visit, const struct position *position, struct move move)
{
    (void)visit;
    (void)position;
    (void)move;
    return true;
}

bool interpreter_goes_on(const struct position *position, bool legally)
{
    struct visit visit = {.take = legally ? is_legal : is_there};
    return visit_from(&visit, position, position->turn.active);
}

/* --- priorities ------------------------------------------------------------------------------- */

int interpreter_takes(const struct position *position, struct move move)
{
    if (move_is_pass(move) || (move.rule & RULE_COMPLEX) != 0)
        return 0;
    const struct modern_rule *rule = turn_rule(position, move);
    cell_index jumped[CELLS_MAX];
    switch ((enum rule_purpose)rule->purpose) {
    case FOR_MOVE:
    case FOR_SWAP:
    case FOR_PUT:
        return 0;
    case FOR_TAKE:
    case FOR_BOTH:
        if (rule->takes_jumped)
            return turn_jumped(position, rule, move, jumped, CELLS_MAX);
        return position->cells[move.to].code != 0 ||
               (rule->takes_marked >= 0 &&
                position->turn.marks[rule->takes_marked].cell == move.to);
    case FOR_ACTIONS:
        return actions_take(position, interpreter_candidate(position, move), move.from);
    }
    assert(false);
    return 0;
}

static int most_from(const struct position *position, struct move move, int depth);

static bool keep_best(struct visit *visit, const struct position *position, struct move move)
{
    if (!interpreter_legal(position, move))
        return false;
    int taken = most_from(position, move, visit->depth);
    if (taken > visit->best)
        visit->best = taken;
    return false;
}

/* How many figures the turn that begins with the move takes at most. A turn is looked at for LINE_MAX moves, which
 * bounds this recursion, and LINE_MOVES_MAX bounds all the looking for one list. */
static int most_from(const struct position *position, struct move move, int depth)
{
    struct position *own = borrowed(position);
    int taken = interpreter_takes(position, move);
    if (depth == LINE_MAX || own->line_moves == 0 ||
        turn_rule(position, move)->continues == GOES_ON_NEVER)
        return taken;
    own->line_moves--;
    turn_make(own, move, own->line[depth], TURN_LOOK);
    struct visit visit = {.take = keep_best, .depth = depth + 1};
    if (own->turn.active != CELL_NONE)
        visit_from(&visit, own, own->turn.active);
    turn_unmake(own, own->line[depth]);
    return taken + visit.best;
}

static int keep_takes(const struct position *position, struct move *moves, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (interpreter_takes(position, moves[i]) > 0)
            moves[kept++] = moves[i];
    return kept > 0 ? kept : count;
}

/* Of the takes those that begin the turn that takes most; what does not take stays. */
static int keep_most(const struct position *position, struct move *moves, int count)
{
    int kept = 0, best = 0;
    borrowed(position)->line_moves = LINE_MOVES_MAX;
    for (int i = 0; i < count; i++) {
        struct move move = moves[i];
        int taken = interpreter_takes(position, move) > 0 ? most_from(position, move, 0) : 0;
        if (taken > best) {
            int others = 0;
            for (int k = 0; k < kept; k++)
                if (interpreter_takes(position, moves[k]) == 0)
                    moves[others++] = moves[k];
            kept = others;
            best = taken;
        }
        if (taken == 0 || taken == best)
            moves[kept++] = move;
    }
    return kept;
}

static bool goes_on_after(const struct position *position, struct move move)
{
    struct position *own = borrowed(position);
    turn_make(own, move, own->line[0], TURN_LOOK);
    bool goes_on = own->turn.active != CELL_NONE;
    turn_unmake(own, own->line[0]);
    return goes_on;
}

/* Whether two moves jump the same figures in the same direction: by one movement from one cell, as far as to the
 * first they jump and as many. */
static bool jump_the_same(const struct position *position, struct move a, struct move b)
{
    if (a.from != b.from || a.rule != b.rule)
        return false;
    cell_index left[CELLS_MAX], right[CELLS_MAX];
    const struct modern_rule *rule = turn_rule(position, a);
    int count = turn_jumped(position, rule, a, left, CELLS_MAX);
    return count == turn_jumped(position, rule, b, right, CELLS_MAX);
}

static bool takes_by_jump(const struct position *position, struct move move)
{
    return !move_is_pass(move) && (move.rule & RULE_COMPLEX) == 0 &&
           turn_rule(position, move)->takes_jumped;
}

static int keep_going_on(const struct position *position, struct move *moves, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        bool better = false;
        if (takes_by_jump(position, moves[i]) && !goes_on_after(position, moves[i])) {
            /* Those before `i` that are still there, and those after it. */
            for (int k = 0; k < count && !better; k++) {
                bool there = k < kept || k > i;
                better = there && jump_the_same(position, moves[i], moves[k]) &&
                         goes_on_after(position, moves[k]);
            }
        }
        if (!better)
            moves[kept++] = moves[i];
    }
    return kept;
}

int interpreter_keep_first(const struct position *position, struct move *moves, int count)
{
    const struct game *game = position->game;
    if (game->take_first)
        count = keep_takes(position, moves, count);
    if (game->most_taken)
        count = keep_most(position, moves, count);
    if (game->can_go_on)
        count = keep_going_on(position, moves, count);
    return count;
}

/* --- passes ----------------------------------------------------------------------------------- */

static const struct move pass = {
    .from = CELL_NONE, .to = CELL_NONE, .rule = 0, .choice = CHOICE_NONE};

bool interpreter_may_pass(const struct position *position, bool others)
{
    const struct game *game = position->game;
    player_index player = to_move(position);
    if (position->turn.active != CELL_NONE)
        return position->turn.may_stop && interpreter_legal(position, pass);
    if (game->pass == PASSES_NEVER || (game->pass == PASSES_WHEN_STUCK && others))
        return false;
    return (game->pass == PASSES_WHEN_STUCK ||
            condition_holds(position, game->pass_condition[player], player, CELL_NONE,
                            CELL_NONE)) &&
           interpreter_legal(position, pass);
}

/* --- the questions ---------------------------------------------------------------------------- */

static bool collect_legal(struct visit *visit, const struct position *position, struct move move)
{
    if (interpreter_legal(position, move))
        *visit->next++ = move;
    return false;
}

static struct move *legal_from(const struct position *position, cell_index from, struct move *moves)
{
    struct visit visit = {.take = collect_legal, .next = moves};
    visit_simple(&visit, position, from);
    struct move *simple_end = visit.next;
    visit_complex(&visit, position, from);
    if (visit.next != simple_end)
        sort_from(moves, visit.next);
    return visit.next;
}

static bool has_priorities(const struct game *game)
{
    return game->take_first || game->most_taken || game->can_go_on;
}

/* A pass gives way to a take that goes first, but not where it ends a turn that may go on. */
static bool pass_gives_way(const struct position *position, const struct move *moves, int count)
{
    return position->game->take_first && position->turn.active == CELL_NONE && count > 0 &&
           interpreter_takes(position, moves[0]) > 0;
}

int interpreter_moves(const struct position *position, struct move *moves)
{
    const struct game *game = position->game;
    struct move *end = moves;
    uint64_t cells[WORDS_MAX];
    if (generating_player(position) == PLAYER_NONE)
        return 0;
    interpreter_movable(position, cells);
    for (int i = 0; i < game->words; i++)
        for (uint64_t left = cells[i]; left != 0; left &= left - 1)
            end = legal_from(position, (cell_index)((unsigned)i * WORD_BITS + word_lowest(left)),
                             end);
    int count = (int)(end - moves);
    if (has_priorities(game))
        count = interpreter_keep_first(position, moves, count);
    if (!pass_gives_way(position, moves, count) && interpreter_may_pass(position, count > 0))
        moves[count++] = pass;
    return count;
}

static bool may_move(const struct position *position, cell_index from)
{
    uint64_t cells[WORDS_MAX];
    if (from >= position->game->cell_count || generating_player(position) == PLAYER_NONE)
        return false;
    interpreter_movable(position, cells);
    return bits_test(cells, from);
}

int interpreter_from(const struct position *position, cell_index from, struct move *moves)
{
    const struct game *game = position->game;
    int count = 0;
    if (!may_move(position, from))
        return 0;
    if (!has_priorities(game))
        return (int)(legal_from(position, from, moves) - moves);
    int all = interpreter_moves(position, position->moves);
    for (int i = 0; i < all; i++)
        if (position->moves[i].from == from)
            moves[count++] = position->moves[i];
    return count;
}

bool interpreter_any_despite_result(const struct position *position)
{
    const struct game *game = position->game;
    uint64_t cells[WORDS_MAX];
    struct visit visit = {.take = is_legal};
    if (to_move(position) == PLAYER_NONE)
        return false;
    interpreter_movable(position, cells);
    for (int i = 0; i < game->words; i++)
        for (uint64_t left = cells[i]; left != 0; left &= left - 1)
            if (visit_from(&visit, position,
                           (cell_index)((unsigned)i * WORD_BITS + word_lowest(left))))
                return true;
    return interpreter_may_pass(position, false);
}

bool interpreter_any(const struct position *position)
{
    return generating_player(position) != PLAYER_NONE && interpreter_any_despite_result(position);
}

static bool find_pass(const struct position *position, struct move *move)
{
    const struct game *game = position->game;
    bool turn_begins = position->turn.active == CELL_NONE;
    *move = pass;
    if (generating_player(position) == PLAYER_NONE)
        return false;
    if (!turn_begins || (game->pass == PASSES_IF && !game->take_first))
        return interpreter_may_pass(position, true);
    if (game->pass == PASSES_NEVER)
        return false;
    if (!has_priorities(game)) {
        struct visit visit = {.take = is_legal};
        uint64_t cells[WORDS_MAX];
        interpreter_movable(position, cells);
        for (int cell = 0; cell < game->cell_count; cell++)
            if (bits_test(cells, (unsigned)cell) && visit_from(&visit, position, (cell_index)cell))
                return false;
        return interpreter_may_pass(position, false);
    }
    int all = interpreter_moves(position, position->moves);
    return all > 0 && move_is_pass(position->moves[all - 1]);
}

struct wanted {
    struct visit visit;
    struct move move;
};

static bool is_wanted(struct visit *visit, const struct position *position, struct move move)
{
    struct wanted *wanted = (struct wanted *)visit;
    if (!move_equal(move, wanted->move) || !interpreter_legal(position, move))
        return false;
    wanted->move = move;
    return true;
}

bool interpreter_find(const struct position *position, cell_index from, cell_index to,
                      uint8_t choice, struct move *move)
{
    const struct game *game = position->game;
    if (from == CELL_NONE)
        return to == CELL_NONE && choice == CHOICE_NONE && find_pass(position, move);
    if (to >= game->cell_count || !may_move(position, from))
        return false;
    struct wanted wanted = {.visit = {.take = is_wanted},
                            .move = {.from = from, .to = to, .choice = choice}};
    if (!visit_from(&wanted.visit, position, from))
        return false;
    *move = wanted.move;
    if (!has_priorities(game))
        return true;
    int all = interpreter_moves(position, position->moves);
    for (int i = 0; i < all; i++)
        if (move_equal(position->moves[i], *move))
            return true;
    return false;
}

bool interpreter_leads(const struct position *position, cell_index from, cell_index to)
{
    const struct game *game = position->game;
    const uint32_t *starts = row_start(position, game->candidate_starts, from);
    if (first_candidate(game, starts[0], starts[1], to) < starts[1])
        return true;
    const uint32_t *complex = row_start(position, game->instance_starts, from);
    for (uint32_t i = complex[0]; i < complex[1]; i++)
        if (game->instances[i].to == to)
            return true;
    return false;
}

const struct candidate *interpreter_candidate(const struct position *position, struct move move)
{
    const struct game *game = position->game;
    const uint32_t *starts = row_start(position, game->candidate_starts, move.from);
    uint32_t rule = game->mover_rules[position->cells[move.from].code - 1] + move.rule;
    uint32_t at = first_candidate(game, starts[0], starts[1], move.to);
    while (at < starts[1] && game->candidates[at].rule != rule)
        at++;
    assert(at < starts[1] && game->candidates[at].to == move.to);
    return &game->candidates[at];
}

/* --- marks ------------------------------------------------------------------------------------ */

static bool takes_by_mark(const struct position *position, cell_index from, int mark, cell_index to)
{
    const struct game *game = position->game;
    struct question question = question_of(position, from);
    const uint32_t *starts = row_start(position, game->candidate_starts, from);
    uint32_t first = first_candidate(game, starts[0], starts[1], to);
    const struct candidate *candidate =
        first < starts[1] ? deciding(&question, first, starts[1]) : NULL;
    if (candidate == NULL)
        return false;
    const struct modern_rule *rule = &game->modern_rules[candidate->rule];
    if (rule->takes_marked != mark || !takes_marked(&question, rule, to))
        return false;
    uint32_t first_rule = game->mover_rules[position->cells[from].code - 1];
    struct move move = {.from = from,
                        .to = to,
                        .rule = (uint16_t)(candidate->rule - first_rule),
                        .choice = CHOICE_NONE};
    struct visit visit = {.take = game->forbids_repetition ? is_there : is_legal};
    return visit_choices(&visit, position, rule, move);
}

bool interpreter_mark_counts(const struct position *position, int mark)
{
    const struct game *game = position->game;
    cell_index cell = position->turn.marks[mark].cell;
    player_index player = to_move(position);
    for (int figure = 0; figure < game->figure_count && player != PLAYER_NONE; figure++)
        for (int i = 0; i < game->words; i++) {
            uint64_t left = origins_word(position, figure, player, cell, i);
            for (; left != 0; left &= left - 1) {
                unsigned from = (unsigned)i * WORD_BITS + word_lowest(left);
                if (takes_by_mark(position, (cell_index)from, mark, cell))
                    return true;
            }
        }
    return false;
}
