#include "engine/rules/interpreter_parts.h"

#include "engine/candidates.h"
#include "engine/classic/rule.h"
#include "engine/rules/condition.h"
#include "engine/rules/turn.h"
#include "engine/work_shares.h"

#include <assert.h>
#include <string.h>

/* --- pseudo-legal moves --------------------------------------------------------------------------- */

static bool collect(struct visit *visit, const struct position *position, struct move move)
{
    (void)position;
    *visit->next++ = move;
    return !work_spend(1);
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
        if (question_judge(question, candidate) != FITS)
            continue;
        bool acts = game->modern_rules[candidate->rule].purpose == FOR_ACTIONS;
        return acts && !rule_simple_legal(position, candidate, question->from) ? NULL : candidate;
    }
    return NULL;
}

static bool visit_simple(struct visit *visit, const struct position *position, cell_index from)
{
    const struct game *game = position->game;
    struct question question = question_of(position, from);
    const uint32_t *starts = interpreter_row(position, game->candidate_starts, from);
    uint32_t first_rule = game->mover_rules[position->cells[from].code - 1];
    for (uint32_t i = starts[0], next = 0; i < starts[1] && !work_is_too_much(); i = next) {
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
    const uint32_t *starts = interpreter_row(position, game->candidate_starts, from);
    work_spend(WORK_CANDIDATE);
    uint32_t first = candidate_first(game, starts[0], starts[1], to);
    return first < starts[1] && deciding(&question, first, starts[1]) != NULL;
}

static bool visit_complex(struct visit *visit, const struct position *position, cell_index from)
{
    const struct game *game = position->game;
    const uint32_t *starts = interpreter_row(position, game->instance_starts, from);
    cell_index last = CELL_NONE;
    if (starts[0] == starts[1] || position->turn.active != CELL_NONE ||
        game->states[position->state].phase != 0)
        return false;
    for (uint32_t i = starts[0]; i < starts[1] && work_spend(1); i++) {
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

bool interpreter_visit(struct visit *visit, const struct position *position, cell_index from)
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
        work_spend((uint64_t)(at - hole));
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

/* --- legality ------------------------------------------------------------------------------------- */

struct position *interpreter_borrowed(const struct position *position)
{
    return (struct position *)position;
}

const struct forbid_rule *interpreter_forbidden(const struct position *position, struct move move)
{
    const struct game *game = position->game;
    struct position *own = interpreter_borrowed(position);
    player_index mover = to_move(position);
    const struct forbid_rule *found = NULL;
    if (game->forbid_count == 0 || work_is_too_much())
        return NULL;
    turn_make(own, move, own->trial, TURN_TRIAL);
    for (int i = 0; i < game->forbid_count && found == NULL; i++) {
        uint64_t before = work_spent();
        if (condition_holds(own, game->forbid[mover][i].condition, mover, own->turn.last.from,
                            own->turn.last.to))
            found = &game->forbid[mover][i];
        work_was_for(game->forbid[mover][i].pointer, before);
    }
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
    return interpreter_visit(&visit, position, position->turn.active);
}

/* --- passes --------------------------------------------------------------------------------------- */

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

/* --- the questions -------------------------------------------------------------------------------- */

static bool collect_legal(struct visit *visit, const struct position *position, struct move move)
{
    if (interpreter_legal(position, move))
        *visit->next++ = move;
    return work_is_too_much();
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
    work_spend((unsigned)all);
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
            if (interpreter_visit(&visit, position,
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
            if (bits_test(cells, (unsigned)cell) &&
                interpreter_visit(&visit, position, (cell_index)cell))
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
    work_spend(1);
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
    if (!interpreter_visit(&wanted.visit, position, from))
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
    const uint32_t *starts = interpreter_row(position, game->candidate_starts, from);
    if (candidate_first(game, starts[0], starts[1], to) < starts[1])
        return true;
    const uint32_t *complex = interpreter_row(position, game->instance_starts, from);
    for (uint32_t i = complex[0]; i < complex[1]; i++)
        if (game->instances[i].to == to)
            return true;
    return false;
}

const struct candidate *interpreter_candidate(const struct position *position, struct move move)
{
    const struct game *game = position->game;
    const uint32_t *starts = interpreter_row(position, game->candidate_starts, move.from);
    uint32_t rule = game->mover_rules[position->cells[move.from].code - 1] + move.rule;
    uint32_t at = candidate_first(game, starts[0], starts[1], move.to);
    while (at < starts[1] && game->candidates[at].rule != rule)
        at++;
    assert(at < starts[1] && game->candidates[at].to == move.to);
    return &game->candidates[at];
}

/* --- marks ---------------------------------------------------------------------------------------- */

static bool takes_by_mark(const struct position *position, cell_index from, int mark, cell_index to)
{
    const struct game *game = position->game;
    struct question question = question_of(position, from);
    const uint32_t *starts = interpreter_row(position, game->candidate_starts, from);
    uint32_t first = candidate_first(game, starts[0], starts[1], to);
    const struct candidate *candidate =
        first < starts[1] ? deciding(&question, first, starts[1]) : NULL;
    if (candidate == NULL)
        return false;
    const struct modern_rule *rule = &game->modern_rules[candidate->rule];
    if (rule->takes_marked != mark || !question_takes_marked(&question, rule, to))
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
            uint64_t left = interpreter_origins_word(position, figure, player, cell, i);
            for (; left != 0; left &= left - 1) {
                unsigned from = (unsigned)i * WORD_BITS + word_lowest(left);
                if (takes_by_mark(position, (cell_index)from, mark, cell))
                    return true;
            }
        }
    return false;
}
