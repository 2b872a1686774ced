#include "engine/explain.h"

#include "engine/candidates.h"
#include "engine/classic/classic.h"
#include "engine/classic/rule.h"
#include "engine/movegen.h"
#include "engine/rules/change.h"
#include "engine/rules/condition.h"
#include "engine/rules/fits.h"
#include "engine/rules/interpreter.h"
#include "engine/rules/priority.h"
#include "engine/rules/turn.h"
#include "engine/work.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* One question while it is answered. */
struct asked {
    struct position *position;
    const struct game *game;
    struct move move;
    player_index player; /* who is to move */
    struct explanation *answer;
};

/* --- words ------------------------------------------------------------------------------------ */

static void point_at(struct asked *asked, const char *pointer)
{
    struct explanation *answer = asked->answer;
    if (pointer == NULL || pointer[0] == '\0')
        return;
    if (answer->pointer_count < EXPLANATION_POINTERS_MAX)
        answer->pointers[answer->pointer_count++] = pointer;
}

static void say(struct asked *asked, enum verdict_kind verdict, const char *format, ...)
{
    va_list arguments;
    asked->answer->verdict = verdict;
    va_start(arguments, format);
    vsnprintf(asked->answer->words, sizeof asked->answer->words, format, arguments);
    va_end(arguments);
}

static const char *cell_name(const struct asked *asked, cell_index cell)
{
    return game_cell_name(asked->game, cell);
}

/* What stands on a cell, by the name of its kind. */
static const char *figure_on(const struct asked *asked, cell_index cell)
{
    unsigned code = asked->position->cells[cell].code;
    return code == 0 ? "figure" : asked->game->figure_names[asked->game->code_figures[code]];
}

static const char *owner_of(const struct asked *asked, cell_index cell)
{
    unsigned code = asked->position->cells[cell].code;
    return code == 0 ? "nobody" : asked->game->player_names[asked->game->code_players[code]];
}

static bool is_own(const struct asked *asked, cell_index cell)
{
    unsigned code = asked->position->cells[cell].code;
    return code != 0 && asked->game->code_players[code] == asked->player;
}

/* --- conditions ------------------------------------------------------------------------------- */

/* The part of a condition that decides that it holds, or that it does not; of several that which says most. */
static const struct condition_node *deciding_part(const struct asked *asked,
                                                  const struct condition_node *node, bool holds)
{
    struct move move = asked->move;
    if (node->kind == CONDITION_NOT)
        return deciding_part(asked, node->children, !holds);
    if (node->kind != CONDITION_ALL && node->kind != CONDITION_ANY)
        return node;
    const struct condition_node *found = node;
    for (int i = 0; i < node->child_count; i++) {
        const struct condition_node *child = &node->children[i];
        if (condition_holds(asked->position, child, asked->player, move.from, move.to) != holds)
            continue;
        const struct condition_node *part = deciding_part(asked, child, holds);
        if (part->kind == CONDITION_ATTACKED)
            return part;
        if (found == node)
            found = part;
    }
    return found;
}

/* Says why a condition that should hold does not. */
static void say_condition_fails(struct asked *asked, const struct condition_node *condition,
                                const char *what)
{
    const struct condition_node *part = deciding_part(asked, condition, false);
    cell_index origin = part->from_target ? asked->move.to : asked->move.from;
    cell_index cell = origin;
    if (part->row_count > 0 && origin != CELL_NONE)
        cell = part->rows[0][origin];
    if (part->kind == CONDITION_CELL && cell == CELL_NONE)
        say(asked, VERDICT_BLOCKED, "%s asks for a cell that is not there", what);
    else if (part->kind == CONDITION_CELL)
        say(asked, VERDICT_BLOCKED, "%s asks something of %s that is not so", what,
            cell_name(asked, cell));
    else
        say(asked, VERDICT_BLOCKED, "%s has a condition that does not hold", what);
    point_at(asked, part->pointer);
}

/* --- what is forbidden ------------------------------------------------------------------------ */

static void say_attack(struct asked *asked, const struct forbid_rule *forbidden,
                       struct attack attack)
{
    const char *victim = figure_on(asked, attack.victim), *there = cell_name(asked, attack.victim);
    const char *attacker = figure_on(asked, attack.attacker);
    const char *from = cell_name(asked, attack.attacker);
    if (is_own(asked, attack.victim))
        say(asked, VERDICT_FORBIDDEN, "would leave the %s on %s attacked by the %s on %s", victim,
            there, attacker, from);
    else
        say(asked, VERDICT_FORBIDDEN, "%s: the %s on %s would be attacked by the %s on %s",
            forbidden->words != NULL ? forbidden->words : "this is forbidden", victim, there,
            attacker, from);
}

/* The position is as it is after the move. */
static void say_forbidden(struct asked *asked, const struct forbid_rule *forbidden)
{
    const struct condition_node *part = deciding_part(asked, forbidden->condition, true);
    struct attack attack;
    if (part->kind == CONDITION_ATTACKED &&
        condition_next_attack(asked->position, part, 0, &attack))
        say_attack(asked, forbidden, attack);
    else
        say(asked, VERDICT_FORBIDDEN, "%s",
            forbidden->words != NULL ? forbidden->words
                                     : "a rule forbids the position that would come of it");
    point_at(asked, forbidden->pointer);
    if (part != forbidden->condition)
        point_at(asked, part->pointer);
}

/* Whether something forbids the move; if so, says what. */
static bool is_forbidden(struct asked *asked)
{
    const struct forbid_rule *forbidden = legal_forbidden(asked->position, asked->move);
    if (forbidden == NULL)
        return false;
    turn_make(asked->position, asked->move, asked->position->trial, TURN_TRIAL);
    say_forbidden(asked, forbidden);
    turn_unmake(asked->position, asked->position->trial);
    return true;
}

/* --- why a movement does not fit -------------------------------------------------------------- */

static void say_target(struct asked *asked, const struct modern_rule *rule)
{
    cell_index to = asked->move.to;
    const char *name = cell_name(asked, to);
    if (rule->purpose == FOR_SWAP)
        say(asked, VERDICT_BLOCKED, "on %s is no figure of %s to change places with", name,
            asked->game->player_names[asked->player]);
    else if (asked->position->cells[to].code == 0)
        say(asked, VERDICT_BLOCKED, "on %s is nothing to take", name);
    else if (is_own(asked, to))
        say(asked, VERDICT_BLOCKED, "on %s stands %s's own %s", name, owner_of(asked, to),
            figure_on(asked, to));
    else
        say(asked, VERDICT_BLOCKED, "%s is not empty: the %s of %s stands there", name,
            figure_on(asked, to), owner_of(asked, to));
}

static void say_path(struct asked *asked, const struct modern_rule *rule,
                     const struct candidate *candidate)
{
    const cell_index *path = asked->game->paths + candidate->path;
    int occupied = 0;
    cell_index last = CELL_NONE;
    for (int i = 0; i + 1 < candidate->steps; i++) {
        if (path[i] == CELL_NONE || asked->position->cells[path[i]].code == 0)
            continue;
        occupied++;
        last = path[i];
    }
    if (!rule->jumps)
        say(asked, VERDICT_BLOCKED, "the %s on %s is in the way", figure_on(asked, last),
            cell_name(asked, last));
    else if (occupied == 0)
        say(asked, VERDICT_BLOCKED, "there is nothing to jump over between %s and %s",
            cell_name(asked, asked->move.from), cell_name(asked, asked->move.to));
    else
        say(asked, VERDICT_BLOCKED, "it cannot jump over what stands between %s and %s",
            cell_name(asked, asked->move.from), cell_name(asked, asked->move.to));
}

static void say_via(struct asked *asked, const struct modern_rule *rule)
{
    for (int i = 0; i < rule->via_count; i++) {
        cell_index cell = rule->via[i][asked->move.from];
        if (asked->position->cells[cell].code == 0)
            continue;
        say(asked, VERDICT_BLOCKED, "its way leads by %s, where the %s of %s stands",
            cell_name(asked, cell), figure_on(asked, cell), owner_of(asked, cell));
        return;
    }
}

static void say_unfit(struct asked *asked, const struct candidate *candidate, enum fit fit)
{
    const struct modern_rule *rule = &asked->game->modern_rules[candidate->rule];
    const char *figure = figure_on(asked, asked->move.from);
    switch (fit) {
    case UNFIT_PHASE:
        say(asked, VERDICT_BLOCKED, "this movement of the %s belongs to another part of the turn",
            figure);
        break;
    case UNFIT_TO_GO_ON:
        say(asked, VERDICT_BLOCKED, "the %s goes on with its turn, and this movement does not",
            figure);
        break;
    case UNFIT_TARGET:
        say_target(asked, rule);
        break;
    case UNFIT_VISITED:
        say(asked, VERDICT_BLOCKED, "the %s has been on %s in this turn already", figure,
            cell_name(asked, asked->move.to));
        break;
    case UNFIT_VIA:
        say_via(asked, rule);
        break;
    case UNFIT_PATH:
        say_path(asked, rule, candidate);
        break;
    case UNFIT_GUARD:
        say(asked, VERDICT_BLOCKED, "the movement has a condition that does not hold");
        break;
    case UNFIT_CONDITION:
        point_at(asked, rule->if_pointer);
        say_condition_fails(asked, rule->condition, "the movement");
        break;
    case FITS: /* and yet it does nothing */
        say(asked, VERDICT_BLOCKED, "no action of the movement applies");
        break;
    }
    point_at(asked, rule->pointer);
}

/* --- simple movements ------------------------------------------------------------------------- */

static const uint32_t *candidates_of(const struct asked *asked, const uint32_t *starts)
{
    return candidate_row(asked->position, starts, asked->move.from);
}

/* Of several candidates that do not fit the one that came furthest. */
struct nearest {
    const struct candidate *candidate;
    enum fit fit;
};

/* The candidate that decides about the two cells; NULL when none fits, and then the nearest one is known. */
static const struct candidate *find_candidate(const struct asked *asked, struct nearest *nearest)
{
    const uint32_t *starts = candidates_of(asked, asked->game->candidate_starts);
    for (uint32_t i = starts[0]; i < starts[1]; i++) {
        const struct candidate *candidate = &asked->game->candidates[i];
        if (candidate->to != asked->move.to)
            continue;
        enum fit fit = fits_judge(asked->position, candidate, asked->move.from);
        if (fit == FITS) {
            bool acts = asked->game->modern_rules[candidate->rule].purpose == FOR_ACTIONS;
            if (!acts || rule_simple_legal(asked->position, candidate, asked->move.from))
                return candidate;
            *nearest = (struct nearest){candidate, FITS};
            return NULL;
        }
        if (nearest->candidate == NULL || fit > nearest->fit)
            *nearest = (struct nearest){candidate, fit};
    }
    return NULL;
}

/* --- complex movements ------------------------------------------------------------------------ */

static void say_complex(struct asked *asked, const struct complex_instance *instance,
                        struct misfit misfit)
{
    const struct modern_complex *complex = &asked->game->modern_complex[instance->movement];
    const char *cell = misfit.cell != CELL_NONE ? cell_name(asked, misfit.cell) : "";
    point_at(asked, complex->pointer);
    switch (misfit.why) {
    case COMPLEX_MISSING:
        say(asked, VERDICT_BLOCKED, "it takes a %s on %s, which is not there",
            asked->game->figure_names[misfit.figure], cell);
        return;
    case COMPLEX_MOVED:
        say(asked, VERDICT_BLOCKED, "the %s on %s has moved before",
            asked->game->figure_names[misfit.figure], cell);
        return;
    case COMPLEX_NO_ROOM:
        say(asked, VERDICT_BLOCKED, "%s is not empty: the %s of %s stands there", cell,
            figure_on(asked, misfit.cell), owner_of(asked, misfit.cell));
        return;
    case COMPLEX_CONDITION:
        say_condition_fails(asked, complex->condition, "the movement");
        return;
    case COMPLEX_NOT_EMPTY:
        say(asked, VERDICT_BLOCKED, "%s must be empty, but the %s of %s stands there", cell,
            figure_on(asked, misfit.cell), owner_of(asked, misfit.cell));
        return;
    case COMPLEX_UNSAFE:
        say(asked, VERDICT_BLOCKED, "%s is attacked by the %s on %s", cell,
            figure_on(asked, misfit.attacker), cell_name(asked, misfit.attacker));
        return;
    case COMPLEX_IDLE:
    case COMPLEX_FITS:
        say(asked, VERDICT_BLOCKED, "not all its figures can do their part");
        return;
    }
}

/* The instance that fits; NULL when none does, and then `nearest` is the first that leads there, if any, and why it does
 * not fit. */
static const struct complex_instance *
find_instance(struct asked *asked, const struct complex_instance **nearest, struct misfit *misfit)
{
    const uint32_t *starts = candidates_of(asked, asked->game->instance_starts);
    if (asked->position->turn.active != CELL_NONE ||
        asked->game->states[asked->position->state].phase != 0)
        return NULL;
    for (uint32_t i = starts[0]; i < starts[1]; i++) {
        const struct complex_instance *instance = &asked->game->instances[i];
        if (instance->to != asked->move.to)
            continue;
        struct misfit here = fits_complex(asked->position, instance);
        if (here.why == COMPLEX_FITS) {
            asked->move.rule = (uint16_t)(RULE_COMPLEX | (i - starts[0]));
            return instance;
        }
        if (*nearest != NULL)
            continue;
        *nearest = instance;
        *misfit = here;
    }
    return NULL;
}

/* --- choices ---------------------------------------------------------------------------------- */

static bool is_offered(uint64_t choices, bool optional, uint8_t choice)
{
    bool forced = !optional && choices != 0 && (choices & (choices - 1)) == 0;
    if (choice == CHOICE_NONE)
        return optional || choices == 0 || forced;
    return !forced && choice < FIGURES_MAX && (choices >> choice & 1) != 0;
}

static void point_at_promotions(struct asked *asked, const struct modern_rule *rule)
{
    const struct game *game = asked->game;
    for (int i = 0; i < rule->promotion_count; i++)
        if (bits_test(game_cell_set(game, rule->promotions[i].in), asked->move.to) &&
            bits_test(game_cell_set(game, rule->promotions[i].from), asked->move.from))
            point_at(asked, rule->promotions[i].pointer);
}

static bool choice_is_wrong(struct asked *asked, const struct modern_rule *rule)
{
    bool optional = true;
    uint64_t choices = 0;
    if (rule != NULL)
        choices = change_choices(asked->position, rule, asked->move, &optional);
    if (is_offered(choices, optional, asked->move.choice))
        return false;
    if (rule != NULL)
        point_at_promotions(asked, rule);
    const char *figure = figure_on(asked, asked->move.from);
    if (asked->move.choice == CHOICE_NONE)
        say(asked, VERDICT_CHOICE, "say what the %s becomes on %s", figure,
            cell_name(asked, asked->move.to));
    else if (asked->move.choice < asked->game->figure_count)
        say(asked, VERDICT_CHOICE, "the %s cannot choose to become a %s by this move", figure,
            asked->game->figure_names[asked->move.choice]);
    else
        say(asked, VERDICT_CHOICE, "there is no such figure to become");
    return true;
}

/* --- priorities ------------------------------------------------------------------------------- */

static void say_other(struct asked *asked, const struct move *moves, int count)
{
    const struct position *position = asked->position;
    int taken = priority_takes(position, asked->move);
    const struct move *other = NULL;
    for (int i = 0; i < count && other == NULL; i++)
        if (!move_is_pass(moves[i]) && priority_takes(position, moves[i]) > 0)
            other = &moves[i];
    if (other == NULL) {
        say(asked, VERDICT_PRIORITY, "another move goes first");
        return;
    }
    const char *from = cell_name(asked, other->from), *to = cell_name(asked, other->to);
    const char *figure = figure_on(asked, other->from);
    if (taken == 0)
        say(asked, VERDICT_PRIORITY, "taking goes first: the %s on %s can take by going to %s",
            figure, from, to);
    else if (asked->game->most_taken)
        say(asked, VERDICT_PRIORITY, "the %s on %s takes more by going to %s", figure, from, to);
    else
        say(asked, VERDICT_PRIORITY, "from another cell behind what it takes the %s could go on",
            figure_on(asked, asked->move.from));
    point_at(asked, "/priority");
}

/* Whether `priority` puts other moves before one that is legal otherwise. */
static bool comes_second(struct asked *asked)
{
    const struct game *game = asked->game;
    if (!game->take_first && !game->most_taken && !game->can_go_on)
        return false;
    struct position *position = asked->position;
    int count = interpreter_moves(position, position->moves);
    for (int i = 0; i < count; i++)
        if (move_equal(position->moves[i], asked->move))
            return false;
    say_other(asked, position->moves, count);
    return true;
}

/* --- passes ----------------------------------------------------------------------------------- */

static void explain_pass(struct asked *asked)
{
    const struct game *game = asked->game;
    struct position *position = asked->position;
    struct move found;
    const struct condition_node *condition = game->pass_condition[asked->player];
    cell_index active = position->turn.active;
    if (interpreter_find(position, CELL_NONE, CELL_NONE, CHOICE_NONE, &found)) {
        say(asked, VERDICT_LEGAL, active != CELL_NONE ? "ends the turn" : "passes");
        point_at(asked, "/pass");
        return;
    }
    if (active != CELL_NONE && !position->turn.may_stop) {
        say(asked, VERDICT_PRIORITY, "the %s on %s must go on", figure_on(asked, active),
            cell_name(asked, active));
        return;
    }
    if (active == CELL_NONE && game->pass == PASSES_NEVER) {
        say(asked, VERDICT_NO_MOVEMENT, "there is no passing in this game");
        return;
    }
    point_at(asked, "/pass");
    if (active == CELL_NONE && game->pass == PASSES_IF &&
        !condition_holds(position, condition, asked->player, CELL_NONE, CELL_NONE))
        say_condition_fails(asked, condition, "passing");
    else if (!is_forbidden(asked))
        say(asked, game->pass == PASSES_WHEN_STUCK ? VERDICT_BLOCKED : VERDICT_PRIORITY,
            "there are moves that go before passing");
}

/* --- format 2 --------------------------------------------------------------------------------- */

/* Whether the figure may move at all now; if not, says why. */
static bool may_begin(struct asked *asked)
{
    const struct position *position = asked->position;
    uint64_t cells[WORDS_MAX];
    cell_index only = position->turn.active;
    pseudo_movable(position, cells);
    if (bits_test(cells, asked->move.from))
        return true;
    if (only != CELL_NONE)
        say(asked, VERDICT_PRIORITY, "the %s on %s goes on first", figure_on(asked, only),
            cell_name(asked, only));
    else if (position->turn.last.stands != CELL_NONE)
        say(asked, VERDICT_PRIORITY, "only the %s on %s may act now",
            figure_on(asked, position->turn.last.stands),
            cell_name(asked, position->turn.last.stands));
    else
        say(asked, VERDICT_PRIORITY, "only the figure that moved last may act now");
    return false;
}

static void say_legal(struct asked *asked, const struct modern_rule *rule, const char *pointer)
{
    const char *figure = figure_on(asked, asked->move.from);
    bool puts = rule != NULL && rule->purpose == FOR_PUT;
    int taken = priority_takes(asked->position, asked->move);
    say(asked, VERDICT_LEGAL, "the %s on %s %s %s%s", figure, cell_name(asked, asked->move.from),
        puts ? "puts a figure on" : "goes to", cell_name(asked, asked->move.to),
        taken > 0 ? " and takes" : "");
    point_at(asked, pointer);
    if (rule == NULL)
        return;
    point_at(asked, rule->if_pointer);
    if (change_choices(asked->position, rule, asked->move, &(bool){false}) != 0)
        point_at_promotions(asked, rule);
}

static void explain_modern(struct asked *asked)
{
    struct nearest nearest = {0};
    const struct complex_instance *instance = NULL, *nearest_instance = NULL;
    struct misfit misfit;
    if (!may_begin(asked))
        return;
    const struct candidate *candidate = find_candidate(asked, &nearest);
    if (candidate == NULL)
        instance = find_instance(asked, &nearest_instance, &misfit);
    if (candidate == NULL && instance == NULL) {
        if (nearest.candidate != NULL)
            say_unfit(asked, nearest.candidate, nearest.fit);
        else if (nearest_instance != NULL)
            say_complex(asked, nearest_instance, misfit);
        else
            say(asked, VERDICT_NO_MOVEMENT, "no movement leads the %s from %s to %s",
                figure_on(asked, asked->move.from), cell_name(asked, asked->move.from),
                cell_name(asked, asked->move.to));
        return;
    }
    const struct modern_rule *rule = NULL;
    if (candidate != NULL) {
        rule = &asked->game->modern_rules[candidate->rule];
        unsigned code = asked->position->cells[asked->move.from].code;
        asked->move.rule = (uint16_t)(candidate->rule - asked->game->piece_rules[code - 1]);
    }
    if (choice_is_wrong(asked, rule) || is_forbidden(asked) || comes_second(asked))
        return;
    say_legal(asked, rule,
              rule != NULL ? rule->pointer : asked->game->complex_pointers[instance->movement]);
}

/* --- formats 0 and 1 -------------------------------------------------------------------------- */

static void explain_classic(struct asked *asked)
{
    struct move move = asked->move;
    const char *figure = figure_on(asked, move.from), *from = cell_name(asked, move.from);
    const struct candidate *candidate = classic_candidate(asked->position, move.from, move.to);
    if (movegen_find(asked->position, move.from, move.to, move.choice, &move)) {
        say(asked, VERDICT_LEGAL, "the %s on %s goes to %s", figure, from,
            cell_name(asked, move.to));
        point_at(asked, classic_pointer(asked->position, move));
        return;
    }
    if (asked->move.choice != CHOICE_NONE) {
        say(asked, VERDICT_CHOICE, "there is nothing to choose");
        return;
    }
    if (candidate == NULL) {
        say(asked, VERDICT_NO_MOVEMENT, "no movement leads the %s from %s to %s", figure, from,
            cell_name(asked, move.to));
        return;
    }
    say(asked, VERDICT_BLOCKED, "no action of the movement applies, or one cancels it");
    point_at(asked, asked->game->rule_pointers[candidate->rule]);
}

/* --- the question ----------------------------------------------------------------------------- */

/* What concerns neither the movement nor where it leads; false when all is said. */
static bool may_ask(struct asked *asked)
{
    const struct game *game = asked->game;
    cell_index from = asked->move.from, to = asked->move.to;
    struct outcome outcome = position_outcome(asked->position);
    if (outcome.kind != OUTCOME_PLAYING) {
        say(asked, VERDICT_GAME_OVER, "the game is over: %s", outcome.reason);
        return false;
    }
    if (from == CELL_NONE && to == CELL_NONE && asked->move.choice == CHOICE_NONE)
        return true;
    if (from >= game->cell_count || to >= game->cell_count) {
        say(asked, VERDICT_NO_MOVEMENT, "there is no such cell");
        return false;
    }
    if (is_own(asked, from))
        return true;
    if (asked->position->cells[from].code == 0)
        say(asked, VERDICT_NOT_YOURS, "on %s is no figure", cell_name(asked, from));
    else
        say(asked, VERDICT_NOT_YOURS, "the %s on %s is %s's, and it is %s's turn",
            figure_on(asked, from), cell_name(asked, from), owner_of(asked, from),
            game->player_names[asked->player]);
    return false;
}

static void explain_move(struct asked *asked)
{
    bool modern = asked->game->format == 2, passes = asked->move.from == CELL_NONE;
    if (!modern && passes)
        say(asked, VERDICT_NO_MOVEMENT, "there is no passing in this game");
    else if (!modern)
        explain_classic(asked);
    else if (passes)
        explain_pass(asked);
    else
        explain_modern(asked);
}

void position_explain(struct position *position, cell_index from, cell_index to, uint8_t choice,
                      struct explanation *explanation)
{
    struct asked asked = {
        .position = position,
        .game = position->game,
        .move = {.from = from, .to = to, .choice = choice},
        .player = position_to_move(position),
        .answer = explanation,
    };
    struct work_stretch stretch = work_begin(WORK_ANSWER_MAX);
    *explanation = (struct explanation){.verdict = VERDICT_NO_MOVEMENT};
    if (may_ask(&asked))
        explain_move(&asked);
    if (work_end(&stretch))
        return;
    *explanation = (struct explanation){.verdict = VERDICT_NO_MOVEMENT};
    say(&asked, VERDICT_BLOCKED, "to say why would take too much work");
}
