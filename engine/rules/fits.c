#include "engine/rules/fits.h"

#include "engine/candidates.h"
#include "engine/classic/actions.h"
#include "engine/rules/condition.h"
#include "engine/work_shares.h"

#include <assert.h>

/* One question: does a movement of `mover`'s figure on `from` fit? With a `victim` an enemy is supposed to stand there,
 * whatever does, and only what would take it is meant. */
struct question {
    const struct position *position;
    player_index mover;
    cell_index from, victim;
};

/* --- does it fit? --------------------------------------------------------------------------------- */

/* Of the figure on `from`, with no victim. */
static struct question question_of(const struct position *position, cell_index from)
{
    return (struct question){
        .position = position,
        .mover = position->game->code_players[position->cells[from].code],
        .from = from,
        .victim = CELL_NONE,
    };
}

static bool is_enemy(const struct question *question, cell_index cell)
{
    const struct position *position = question->position;
    unsigned code = position->cells[cell].code;
    return code != 0 && position->game->code_players[code] != question->mover &&
           !position_waits(position, cell);
}

/* What lies between: empty, or jumped as the movement says. */
static bool path_fits(const struct question *question, const struct movement *rule,
                      const struct candidate *candidate)
{
    const struct position *position = question->position;
    const cell_index *path = position->game->paths + candidate->path;
    int jumped = 0;
    if (rule->purpose == FOR_ACTIONS && !rule->jumps)
        return true;
    for (int i = 0; i + 1 < candidate->steps && work_spend(1); i++) {
        cell_index cell = path[i];
        bool supposed = cell == question->victim && !is_enemy(question, cell);
        if (!supposed && position->cells[cell].code == 0)
            continue;
        if (!supposed && (!rule->jumps || position_waits(position, cell) ||
                          !matching_cell(position, &rule->over, cell)))
            return false;
        jumped++;
    }
    return !rule->jumps || (jumped >= rule->over_min && jumped <= rule->over_max);
}

/* The first cell of `via` that is not empty; CELL_NONE: all are. */
static cell_index blocked_via(const struct question *question, const struct movement *rule)
{
    work_spend((unsigned)rule->via_count);
    for (int i = 0; i < rule->via_count; i++) {
        cell_index cell = rule->via[i][question->from];
        if (cell == question->victim || question->position->cells[cell].code != 0)
            return cell;
    }
    return CELL_NONE;
}

/* Whether on the whole line of the movement, until the board ends either way, so many cells are as it says. */
static bool steps_fit(const struct question *question, const struct movement *rule, int steps)
{
    const struct position *position = question->position;
    int count = matching_cell(position, &rule->counted, question->from);
    for (int way = 0; way < 2; way++)
        for (cell_index cell = rule->line[way][question->from];
             cell != CELL_NONE && count <= steps && work_spend(1); cell = rule->line[way][cell])
            count += matching_cell(position, &rule->counted, cell);
    return count == steps;
}

/* A figure that goes on does not come back to where it stood in this turn unless it takes. */
static bool may_stand(const struct question *question, const struct movement *rule, cell_index to)
{
    const struct position *position = question->position;
    if (position->turn.active == CELL_NONE || rule->takes_jumped || is_enemy(question, to))
        return true;
    return !bits_test(position->visited, to);
}

static bool target_fits(const struct question *question, const struct movement *rule, cell_index to)
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
        return is_enemy(question, to) ||
               fits_marked(position, rule, (struct move){.from = question->from, .to = to}) !=
                   CELL_NONE;
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

/* What a movement asks of the cells on its way, and its `if`. */
static struct misfit judge_way(const struct question *question, const struct candidate *candidate)
{
    const struct position *position = question->position;
    const struct movement *rule = &position->game->movements[candidate->rule];
    cell_index to = candidate->to, via = blocked_via(question, rule);
    if (via != CELL_NONE)
        return (struct misfit){.why = UNFIT_VIA, .cell = via};
    if (rule->counts_steps && !steps_fit(question, rule, candidate->steps))
        return (struct misfit){.why = UNFIT_STEPS};
    if (!path_fits(question, rule, candidate))
        return (struct misfit){.why = UNFIT_PATH};
    bool holds = condition_holds(position, rule->condition, question->mover, question->from, to);
    return (struct misfit){.why = holds ? FITS : UNFIT_CONDITION};
}

static struct misfit judge(const struct question *question, const struct candidate *candidate)
{
    const struct position *position = question->position;
    const struct movement *rule = &position->game->movements[candidate->rule];
    work_spend(WORK_CANDIDATE);
    if (rule->phase != position_stage(position)->phase)
        return (struct misfit){.why = UNFIT_PHASE};
    if (position->turn.active != CELL_NONE && rule->continues == GOES_ON_NEVER)
        return (struct misfit){.why = UNFIT_TO_GO_ON};
    if (!target_fits(question, rule, candidate->to))
        return (struct misfit){.why = UNFIT_TARGET};
    if (!may_stand(question, rule, candidate->to))
        return (struct misfit){.why = UNFIT_VISITED};
    return judge_way(question, candidate);
}

struct misfit fits_judge(const struct position *position, const struct candidate *candidate,
                         cell_index from)
{
    struct question question = question_of(position, from);
    uint64_t before = work_spent();
    struct misfit misfit = judge(&question, candidate);
    work_was_for(position->game->movements[candidate->rule].pointer, before);
    return misfit;
}

cell_index fits_marked(const struct position *position, const struct movement *rule,
                       struct move move)
{
    if (rule->takes_marked < 0 || position->cells[move.to].code != 0)
        return CELL_NONE;
    const struct mark *mark = &position->turn.marks[rule->takes_marked];
    struct question question = question_of(position, move.from);
    return mark->cell == move.to && is_enemy(&question, mark->maker) ? mark->maker : CELL_NONE;
}

/* --- candidates ------------------------------------------------------------------------------- */

const struct candidate *fits_candidate(const struct position *position, struct move move)
{
    const struct game *game = position->game;
    const uint32_t *starts = candidate_row(position, move.from);
    uint32_t rule = game->piece_rules[position->cells[move.from].code - 1] + move.rule;
    uint32_t at = candidate_first(game, starts[0], starts[1], move.to);
    while (at < starts[1] && game->candidates[at].rule != rule)
        at++;
    assert(at < starts[1] && game->candidates[at].to == move.to);
    return &game->candidates[at];
}

bool fits_leads(const struct position *position, cell_index from, cell_index to)
{
    const struct game *game = position->game;
    const uint32_t *starts = candidate_row(position, from);
    struct combined_instance instance = {.passed = 0};
    if (candidate_first(game, starts[0], starts[1], to) < starts[1])
        return true;
    while (combined_next(game, position->cells[from].code, from, &instance))
        if (instance.to == to)
            return true;
    return false;
}

/* --- attacks -------------------------------------------------------------------------------------- */

static bool attacks_target(const struct question *question, const struct candidate *candidate)
{
    const struct position *position = question->position;
    const struct movement *rule = &position->game->movements[candidate->rule];
    bool by_actions = rule->purpose == FOR_ACTIONS;
    work_spend(WORK_CANDIDATE);
    if (!by_actions &&
        ((rule->purpose != FOR_TAKE && rule->purpose != FOR_BOTH) || rule->takes_jumped))
        return false;
    return judge_way(question, candidate).why == FITS &&
           (!by_actions || action_takes(position, candidate, question->from, true));
}

static bool passes_over(const struct game *game, const struct candidate *candidate, cell_index cell)
{
    const cell_index *path = game->paths + candidate->path;
    for (int i = 0; i + 1 < candidate->steps && work_spend(1); i++)
        if (path[i] == cell)
            return true;
    return false;
}

static bool attacks_by_jump(const struct question *question, const struct candidate *candidate)
{
    const struct position *position = question->position;
    const struct movement *rule = &position->game->movements[candidate->rule];
    return rule->takes_jumped && passes_over(position->game, candidate, question->victim) &&
           position->cells[candidate->to].code == 0 && judge_way(question, candidate).why == FITS;
}

static bool figure_attacks(const struct question *question)
{
    const struct position *position = question->position;
    const struct game *game = position->game;
    const uint32_t *starts = candidate_row(position, question->from);
    cell_index victim = question->victim;
    uint32_t end = starts[1];
    if (!work_spend(WORK_SEARCH)) /* to find the first of them */
        return false;
    for (uint32_t i = candidate_first(game, starts[0], end, victim);
         i < end && game->candidates[i].to == victim; i++) {
        uint64_t before = work_spent();
        bool attacks = attacks_target(question, &game->candidates[i]);
        work_was_for(game->movements[game->candidates[i].rule].pointer, before);
        if (attacks)
            return true;
    }
    if (!game->takes_jumped)
        return false;
    for (uint32_t i = starts[0]; i < end && work_spend(1); i++)
        if (attacks_by_jump(question, &game->candidates[i]))
            return true;
    return false;
}

uint64_t fits_origins_word(const struct position *position, int figure, player_index by,
                           cell_index cell, int word)
{
    const struct game *game = position->game;
    uint64_t figures =
        position_player_words(position, by)[word] & position_figure_words(position, figure)[word];
    if (figures == 0 || game->attack_origins == NULL)
        return figures;
    size_t piece = (size_t)game_code(game, (figure_index)figure, by) - 1;
    size_t row = piece * (size_t)game->cell_count + cell;
    return figures & game->attack_origins[row * (size_t)game->words + (size_t)word];
}

bool fits_attacks(const struct position *position, cell_index cell, player_index by, uint64_t kinds,
                  cell_index *attacker)
{
    const struct game *game = position->game;
    struct question question = {.position = position, .mover = by, .victim = cell};
    for (uint64_t asked = kinds & game->all_figures; asked != 0; asked &= asked - 1) {
        int figure = (int)word_lowest(asked);
        work_spend((unsigned)game->words);
        for (int i = 0; i < game->words; i++) {
            uint64_t left = fits_origins_word(position, figure, by, cell, i);
            for (; left != 0; left &= left - 1) {
                question.from = (cell_index)((unsigned)i * WORD_BITS + word_lowest(left));
                if (question.from == cell || position_waits(position, question.from) ||
                    !figure_attacks(&question))
                    continue;
                if (attacker != NULL)
                    *attacker = question.from;
                return true;
            }
        }
    }
    return false;
}

/* --- combined movements ---------------------------------------------------------------------------- */

static enum fit participant_fits(const struct position *position,
                                 const struct participant *participant, cell_index source)
{
    const struct game *game = position->game;
    unsigned code = position->cells[source].code;
    if (game->code_figures[code] != participant->figure)
        return UNFIT_MISSING;
    if (participant->players != 0 && (participant->players >> game->code_players[code] & 1) == 0)
        return UNFIT_MOVED;
    bool moved = participant->unmoved && !position_never_moved(position, source);
    return moved ? UNFIT_MOVED : FITS;
}

/* A participant without actions goes to an empty cell, or to one that another leaves, or it stays. */
static bool finds_room(const struct position *position, const struct combined_instance *instance,
                       int participant)
{
    const struct place *places = instance->places;
    cell_index to = places[participant].destination;
    if (!instance->movement->participants[participant].by_default ||
        position->cells[to].code == 0 || places[participant].source == to)
        return true;
    for (int i = 0; i < instance->movement->participant_count; i++)
        if (places[i].source == to && places[i].destination != to)
            return true;
    return false;
}

static struct misfit judge_participants(const struct position *position,
                                        const struct combined_instance *instance)
{
    const struct participant *participants = instance->movement->participants;
    const struct place *places = instance->places;
    for (int i = 0; i < instance->movement->participant_count; i++) {
        enum fit why = participant_fits(position, &participants[i], places[i].source);
        if (why != FITS)
            return (struct misfit){why, participants[i].figure, places[i].source, CELL_NONE};
    }
    for (int i = 0; i < instance->movement->participant_count; i++)
        if (!finds_room(position, instance, i))
            return (struct misfit){UNFIT_NO_ROOM, participants[i].figure, places[i].destination,
                                   CELL_NONE};
    return (struct misfit){.why = FITS};
}

/* Whether the first figure would be attacked if it stood on the cell and not where it stands, whatever is there now. */
static bool is_unsafe(struct position *position, const struct combined_instance *instance,
                      cell_index cell, cell_index *attacker)
{
    cell_index from = instance->places[0].source;
    struct cell_record figure = position->cells[from], there = position->cells[cell];
    work_spend((uint64_t)4 * WORK_CHANGE);
    position_write(position, from, cell_empty);
    position_write(position, cell, figure);
    bool attacked =
        condition_cell_attacked(position, cell, instance->movement->player, UINT64_MAX, attacker);
    position_write(position, cell, there);
    position_write(position, from, figure);
    return attacked;
}

static struct misfit judge_cells(struct position *position,
                                 const struct combined_instance *instance)
{
    const struct combined_movement *movement = instance->movement;
    cell_index attacker = CELL_NONE;
    work_spend((unsigned)movement->empty_count);
    for (int i = 0; i < movement->empty_count; i++) {
        cell_index cell = movement->empty[i][instance->from];
        if (cell == CELL_NONE)
            return (struct misfit){.why = UNFIT_IDLE, .cell = CELL_NONE};
        if (position->cells[cell].code != 0)
            return (struct misfit){.why = UNFIT_NOT_EMPTY, .cell = cell};
    }
    for (int i = 0; i < movement->safe_count && !position->asking->trusts; i++) {
        cell_index cell = movement->safe[i][instance->from];
        if (cell != CELL_NONE && is_unsafe(position, instance, cell, &attacker))
            return (struct misfit){.why = UNFIT_UNSAFE, .cell = cell, .attacker = attacker};
    }
    return (struct misfit){.why = FITS};
}

static struct misfit judge_combined(struct position *position,
                                    const struct combined_instance *instance)
{
    const struct combined_movement *movement = instance->movement;
    work_spend(WORK_CANDIDATE + (unsigned)movement->participant_count);
    struct misfit misfit = judge_participants(position, instance);
    if (misfit.why != FITS)
        return misfit;
    if (!condition_holds(position, movement->condition, movement->player, instance->from,
                         instance->to))
        return (struct misfit){.why = UNFIT_CONDITION, .cell = CELL_NONE};
    misfit = judge_cells(position, instance);
    if (misfit.why == FITS && movement->acts && !action_group_allowed(position, instance))
        misfit = (struct misfit){.why = UNFIT_IDLE, .cell = CELL_NONE};
    return misfit;
}

struct misfit fits_combined(struct position *position, const struct combined_instance *instance)
{
    uint64_t before = work_spent();
    struct misfit misfit = judge_combined(position, instance);
    work_was_for(instance->movement->pointer, before);
    return misfit;
}
