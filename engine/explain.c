#include "engine/explain.h"

#include "engine/rules/change.h"
#include "engine/rules/condition.h"
#include "engine/rules/interpreter.h"
#include "engine/rules/placing.h"
#include "engine/rules/turn.h"
#include "engine/words.h"
#include "engine/work.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* One question while it is answered. */
struct asked {
    struct position *position;
    const struct game *game;
    struct move move;
    player_index player; /* who is to move */
    struct explanation *answer;
    /* What else the next sentence speaks of: */
    cell_index cell, other;
    figure_index figure;
    const char *words;
};

/* --- sentences -------------------------------------------------------------------------------- */

static void point_at(void *context, const char *pointer)
{
    const struct asked *asked = context;
    struct explanation *answer = asked->answer;
    if (pointer == NULL || pointer[0] == '\0')
        return;
    if (answer->pointer_count < EXPLANATION_POINTERS_MAX)
        answer->pointers[answer->pointer_count++] = pointer;
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

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* What a word in braces stands for in a sentence. */
static const char *meaning_of(const struct asked *asked, const char *word)
{
    static const char *const names[][2] = {{"{from}", "{mover}"},
                                           {"{to}", "{target}"},
                                           {"{cell}", "{figure}"},
                                           {"{there}", "{attacker}"}};
    const cell_index cells[] = {asked->move.from, asked->move.to, asked->cell, asked->other};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        if (begins_with(word, names[i][0]))
            return asked->game->cells[cells[i]].name;
        if (begins_with(word, names[i][1]))
            return figure_on(asked, cells[i]);
    }
    if (begins_with(word, "{owner}"))
        return owner_of(asked, asked->cell);
    if (begins_with(word, "{kind}"))
        return asked->game->figure_names[asked->figure];
    if (begins_with(word, "{player}"))
        return asked->game->player_names[asked->player];
    assert(begins_with(word, "{words}"));
    return asked->words;
}

static void say(struct asked *asked, enum verdict_kind verdict, const char *sentence)
{
    struct explanation *answer = asked->answer;
    size_t used = 0, room = sizeof answer->words;
    answer->verdict = verdict;
    while (*sentence != '\0' && used < room) {
        int plain = (int)strcspn(sentence, "{");
        const char *word = sentence + plain;
        used += (size_t)snprintf(answer->words + used, room - used, "%.*s%s", plain, sentence,
                                 *word != '\0' ? meaning_of(asked, word) : "");
        sentence = word + strcspn(word, "}") + (*word != '\0');
    }
}

static void say_of(struct asked *asked, enum verdict_kind verdict, cell_index cell,
                   const char *sentence)
{
    asked->cell = cell;
    say(asked, verdict, sentence);
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
        if (condition_holds(asked->position, child, asked->player, move_self(move.from, move.to),
                            move.to) != holds)
            continue;
        const struct condition_node *part = deciding_part(asked, child, holds);
        if (part->kind == CONDITION_ATTACKED)
            return part;
        if (found == node)
            found = part;
    }
    return found;
}

/* Says why a condition of `what` that should hold does not. */
static void say_condition_fails(struct asked *asked, const struct condition_node *condition,
                                const char *what)
{
    const struct condition_node *part = deciding_part(asked, condition, false);
    cell_index origin =
        part->from_target ? asked->move.to : move_self(asked->move.from, asked->move.to);
    asked->words = what;
    asked->cell = origin;
    if (part->row_count > 0 && origin != CELL_NONE)
        asked->cell = part->rows[0][origin];
    if (part->kind == CONDITION_GROUP || part->kind == CONDITION_CONNECTED)
        say(asked, VERDICT_BLOCKED, "{words} asks something of a group that is not so");
    else if (part->kind == CONDITION_LINE)
        say(asked, VERDICT_BLOCKED, "{words} asks something of a line that is not so");
    else if (part->kind == CONDITION_SELECTED && part->cells == SELECT_ENCLOSED && part->min > 0)
        say(asked, VERDICT_BLOCKED, "{words} would enclose nothing");
    else if (part->kind != CONDITION_CELL)
        say(asked, VERDICT_BLOCKED, "{words} has a condition that does not hold");
    else if (asked->cell == CELL_NONE)
        say(asked, VERDICT_BLOCKED, "{words} asks for a cell that is not there");
    else
        say(asked, VERDICT_BLOCKED, "{words} asks something of {cell} that is not so");
    point_at(asked, part->pointer);
}

/* --- what is forbidden ------------------------------------------------------------------------ */

/* The position is as it is after the move. */
static void say_forbidden(struct asked *asked, const struct forbid_rule *forbidden)
{
    const struct condition_node *part = deciding_part(asked, forbidden->condition, true);
    cell_index victim = CELL_NONE;
    if (part->kind == CONDITION_ATTACKED)
        victim = condition_next_victim(asked->position, part, 0, &asked->other);
    const char *sentence = "{words}";
    asked->words = forbidden->words;
    if (victim != CELL_NONE) {
        asked->cell = victim;
        if (asked->words == NULL)
            asked->words = "this is forbidden";
        sentence =
            is_own(asked, victim)
                ? "would leave the {figure} on {cell} attacked by the {attacker} on {there}"
                : "{words}: the {figure} on {cell} would be attacked by the {attacker} on {there}";
    } else if (asked->words == NULL) {
        asked->words = "a rule forbids the position that would come of it";
    }
    say(asked, VERDICT_FORBIDDEN, sentence);
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
    turn_make(asked->position, asked->move, asked->position->trials[0], TURN_TRIAL);
    say_forbidden(asked, forbidden);
    position_unmake(asked->position, asked->position->trials[0]);
    return true;
}

/* --- why a movement does not fit -------------------------------------------------------------- */

static void say_target(struct asked *asked, const struct movement *rule)
{
    asked->cell = asked->move.to;
    if (rule->purpose == FOR_SWAP)
        say(asked, VERDICT_BLOCKED, "on {to} is no figure of {player} to change places with");
    else if (asked->position->cells[asked->move.to].code == 0)
        say(asked, VERDICT_BLOCKED, "on {to} is nothing to take");
    else if (is_own(asked, asked->move.to))
        say(asked, VERDICT_BLOCKED, "on {to} stands {owner}'s own {figure}");
    else
        say(asked, VERDICT_BLOCKED, "{to} is not empty: the {figure} of {owner} stands there");
}

static void say_path(struct asked *asked, const struct movement *rule)
{
    cell_index between[CELLS_MAX];
    int occupied = change_jumped(asked->position, rule, asked->move, between);
    if (!rule->jumps)
        say_of(asked, VERDICT_BLOCKED, between[occupied - 1],
               "the {figure} on {cell} is in the way");
    else if (occupied == 0)
        say(asked, VERDICT_BLOCKED, "there is nothing to jump over between {from} and {to}");
    else
        say(asked, VERDICT_BLOCKED, "it cannot jump over what stands between {from} and {to}");
}

static void say_misfit(struct asked *asked, const struct nearest *nearest)
{
#define MISFIT(name, sentence) sentence,
    /* What fits and is not legal all the same has action sets that do nothing. */
    static const char *const sentences[] = {"no action of the movement applies, or one cancels it",
                                            MISFITS(MISFIT)};
#undef MISFIT
    const struct movement *rule = nearest->rule;
    const struct misfit misfit = nearest->misfit;
    asked->cell = misfit.cell;
    asked->other = misfit.attacker;
    asked->figure = misfit.figure;
    if (rule == NULL)
        point_at(asked, nearest->combined->pointer);
    else if (misfit.why == UNFIT_CONDITION)
        point_at(asked, rule->if_pointer);
    if (misfit.why == UNFIT_TARGET)
        say_target(asked, rule);
    else if (misfit.why == UNFIT_PATH)
        say_path(asked, rule);
    else if (misfit.why == UNFIT_CONDITION)
        say_condition_fails(asked, rule != NULL ? rule->condition : nearest->combined->condition,
                            "the movement");
    else
        say(asked, VERDICT_BLOCKED, sentences[misfit.why]);
    if (rule != NULL)
        point_at(asked, rule->pointer);
}

/* --- choices ---------------------------------------------------------------------------------- */

/* The moves that fit are visited: `found` says that some leads to the target, `chosen` that it is by the choice asked about. */
struct looking {
    struct visit visit;
    struct move *move; /* asked about; becomes what is found */
    bool found, chosen;
};

static bool look_at_move(struct visit *visit, struct move move)
{
    struct looking *looking = (struct looking *)visit;
    if (move.to != looking->move->to)
        return false;
    looking->found = true;
    looking->chosen = move.choice == looking->move->choice;
    looking->move->rule = move.rule;
    return looking->chosen;
}

static void say_choice(struct asked *asked)
{
    words_of_promotion(asked->position, asked->move, point_at, asked);
    asked->figure = asked->move.choice;
    if (asked->move.choice == CHOICE_NONE)
        say(asked, VERDICT_CHOICE, "say what the {mover} becomes on {to}");
    else if (asked->move.choice < asked->game->figure_count)
        say(asked, VERDICT_CHOICE, "the {mover} cannot choose to become a {kind} by this move");
    else
        say(asked, VERDICT_CHOICE, "there is no such figure to become");
}

/* --- priorities ------------------------------------------------------------------------------- */

static void say_other(struct asked *asked, const struct move *moves, int count)
{
    const struct position *position = asked->position;
    int taken = priority_takes(position, asked->move), i = 0;
    while (i < count && priority_takes(position, moves[i]) == 0)
        i++;
    if (i == count) {
        say(asked, VERDICT_PRIORITY, "another move goes first");
        return;
    }
    asked->cell = moves[i].from;
    asked->other = moves[i].to;
    if (taken == 0)
        say(asked, VERDICT_PRIORITY,
            "taking goes first: the {figure} on {cell} can take by going to {there}");
    else if (asked->game->most_taken)
        say(asked, VERDICT_PRIORITY, "the {figure} on {cell} takes more by going to {there}");
    else
        say(asked, VERDICT_PRIORITY,
            "from another cell behind what it takes the {mover} could go on");
    point_at(asked, "/priority");
}

/* Whether `priority` puts other moves before one that is legal otherwise. */
static bool comes_second(struct asked *asked)
{
    struct position *position = asked->position;
    if (!priority_is_asked(asked->game))
        return false;
    int count = interpreter_moves(position, position->moves);
    if (pseudo_is_among(position->moves, count, &asked->move))
        return false;
    say_other(asked, position->moves, count);
    return true;
}

/* --- passes and moves -------------------------------------------------------------------------- */

static void explain_swap(struct asked *asked)
{
    if (!asked->game->pie) {
        say(asked, VERDICT_NO_MOVEMENT, "sides are not swapped in this game");
        return;
    }
    if (position_may_swap(asked->position))
        say(asked, VERDICT_LEGAL, "swaps sides");
    else
        say(asked, VERDICT_BLOCKED, "sides are swapped only in the second player's first turn");
    point_at(asked, "/pie");
}

static void explain_pass(struct asked *asked)
{
    struct position *position = asked->position;
    struct move found;
    const struct passing *pass = &position_stage(asked->position)->pass;
    const char *pointer = pass->pointer != NULL ? pass->pointer : "/pass";
    cell_index active = position->turn.active;
    bool begins = active == CELL_NONE;
    if (interpreter_find(position, CELL_NONE, CELL_NONE, CHOICE_NONE, &found)) {
        say(asked, VERDICT_LEGAL, begins ? "passes" : "ends the turn");
        point_at(asked, pointer);
    } else if (!begins && !position->turn.may_stop) {
        say_of(asked, VERDICT_PRIORITY, active, "the {figure} on {cell} must go on");
    } else if (begins && pass->rule == PASSES_NEVER) {
        say(asked, VERDICT_NO_MOVEMENT,
            pass->pointer != NULL ? "there is no passing in this turn"
                                  : "there is no passing in this game");
    } else {
        point_at(asked, pointer);
        if (begins && pass->rule == PASSES_IF &&
            !condition_holds(position, pass->condition, asked->player, CELL_NONE, CELL_NONE))
            say_condition_fails(asked, pass->condition, "passing");
        else if (!is_forbidden(asked))
            say(asked, pass->rule == PASSES_WHEN_STUCK ? VERDICT_BLOCKED : VERDICT_PRIORITY,
                "there are moves that go before passing");
    }
}

/* That the turn is a certain figure's. */
static void say_whose_turn(struct asked *asked)
{
    const struct turn *turn = &asked->position->turn;
    if (turn->active != CELL_NONE)
        say_of(asked, VERDICT_PRIORITY, turn->active, "the {figure} on {cell} goes on first");
    else if (turn->last.stands != CELL_NONE)
        say_of(asked, VERDICT_PRIORITY, turn->last.stands,
               "only the {figure} on {cell} may act now");
    else
        say(asked, VERDICT_PRIORITY, "only the figure that moved last may act now");
}

/* Whether the figure may move at all now; if not, says why. */
static bool may_begin(struct asked *asked)
{
    uint64_t cells[WORDS_MAX];
    pseudo_movable(asked->position, cells);
    if (bits_test(cells, asked->move.from))
        return true;
    say_whose_turn(asked);
    return false;
}

static void say_legal(struct asked *asked, const struct nearest *nearest)
{
    const struct movement *rule = nearest->rule;
    const char *sentence = "the {mover} on {from} goes to {to}";
    if (priority_takes(asked->position, asked->move) > 0)
        sentence = "the {mover} on {from} goes to {to} and takes";
    if (rule != NULL && rule->purpose == FOR_PUT)
        sentence = "the {mover} on {from} puts a figure on {to}";
    say(asked, VERDICT_LEGAL, sentence);
    point_at(asked, rule != NULL ? rule->pointer : nearest->combined->pointer);
    if (rule == NULL)
        return;
    point_at(asked, rule->if_pointer);
    if (change_choices(asked->position, rule, asked->move).figures != 0)
        words_of_promotion(asked->position, asked->move, point_at, asked);
}

/* --- placements -------------------------------------------------------------------------------- */

/* Of the entries that may put the figure (or any), that which comes furthest. */
static const struct placing_rule *nearest_placing(const struct asked *asked, enum misplaced *why)
{
    const struct placing_list *list = &asked->game->placing[asked->player];
    const struct placing_rule *nearest = NULL;
    uint8_t choice = asked->move.choice;
    *why = MISPLACED_PHASE;
    uint64_t kinds = choice != CHOICE_NONE ? UINT64_C(1) << choice : UINT64_MAX;
    for (int i = 0; i < list->count; i++) {
        const struct placing_rule *rule = &list->rules[i];
        if (choice != CHOICE_NONE && (rule->figures & kinds) == 0)
            continue;
        enum misplaced here = placing_judge(asked->position, rule, kinds, asked->move.to);
        if (nearest != NULL && here <= *why)
            continue;
        nearest = rule;
        *why = here;
    }
    return nearest;
}

static void say_misplaced(struct asked *asked, const struct placing_rule *rule, enum misplaced why)
{
#define MISPLACED(name, sentence) sentence,
    static const char *const sentences[] = {MISPLACEMENTS(MISPLACED)};
#undef MISPLACED
    asked->cell = asked->move.to;
    asked->figure = asked->move.choice;
    if (asked->figure == FIGURE_NONE && !rule->removes)
        asked->figure = (figure_index)word_lowest(rule->figures);
    if (why == MISPLACED_DROP)
        asked->cell = rule->step.row[asked->move.to];
    if (why == MISPLACED_CONDITION) {
        point_at(asked, rule->if_pointer);
        say_condition_fails(asked, rule->condition,
                            rule->removes ? "removing it" : "putting a figure there");
    } else if (why == MISPLACED_LATER && !rule->removes) {
        say(asked, VERDICT_BLOCKED,
            "a figure may be put on {to} only where nothing else can be done");
    } else {
        say(asked, VERDICT_BLOCKED, sentences[why]);
    }
    point_at(asked, rule->pointer);
}

static void say_placed(struct asked *asked, const struct placing_rule *rule)
{
    asked->figure = placing_figure(asked->move);
    if (rule->removes)
        say_of(asked, VERDICT_LEGAL, asked->move.to,
               "{player} removes the {figure} of {owner} on {to}");
    else
        say(asked, VERDICT_LEGAL, "{player} puts a {kind} on {to}");
    point_at(asked, rule->pointer);
    point_at(asked, rule->if_pointer);
}

/* Whether anything may be put on the board now; if not, says why. */
static bool may_place(struct asked *asked)
{
    const struct position *position = asked->position;
    if (asked->game->placing[asked->player].count == 0) {
        say(asked, VERDICT_NO_MOVEMENT, "{player} puts no figures on the board");
        return false;
    }
    if (placing_is_possible(position))
        return true;
    say_whose_turn(asked);
    return false;
}

static void explain_placement(struct asked *asked)
{
    enum misplaced why;
    struct move *move = &asked->move;
    if (!may_place(asked))
        return;
    bool chooses = asked->game->placing[asked->player].chooses;
    const struct placing_rule *rule = nearest_placing(asked, &why);
    if (rule == NULL || (!chooses && move->choice != CHOICE_NONE))
        say(asked, VERDICT_CHOICE, "there is no such figure to put on the board");
    else if (why != PLACED_WELL)
        say_misplaced(asked, rule, why);
    else if (chooses && move->choice == CHOICE_NONE && !rule->removes)
        say(asked, VERDICT_CHOICE, "say what is put on {to}");
    else {
        move->rule = rule->removes
                         ? asked->game->code_figures[asked->position->cells[move->to].code]
                         : (uint16_t)word_lowest(rule->figures);
        if (move->choice != CHOICE_NONE)
            move->rule = move->choice;
        if (!is_forbidden(asked) && !comes_second(asked))
            say_placed(asked, rule);
    }
}

/* --- figures ----------------------------------------------------------------------------------- */

static void explain_figure(struct asked *asked)
{
    struct nearest nearest = {.to = asked->move.to};
    struct looking looking = {
        .visit = {.position = asked->position, .move = look_at_move, .nearest = &nearest},
        .move = &asked->move};
    if (!may_begin(asked))
        return;
    pseudo_visit(&looking.visit, asked->move.from);
    if (!looking.found && nearest.rule == NULL && nearest.combined == NULL)
        say(asked, VERDICT_NO_MOVEMENT, "no movement leads the {mover} from {from} to {to}");
    else if (!looking.found)
        say_misfit(asked, &nearest);
    else if (!looking.chosen)
        say_choice(asked);
    else if (!is_forbidden(asked) && !comes_second(asked))
        say_legal(asked, &nearest);
}

/* --- the question ----------------------------------------------------------------------------- */

/* What concerns neither the movement nor where it leads; false when all is said. */
static bool may_ask(struct asked *asked)
{
    const struct game *game = asked->game;
    cell_index from = asked->move.from, to = asked->move.to;
    struct outcome outcome = position_outcome(asked->position);
    if (outcome.kind != OUTCOME_PLAYING) {
        asked->words = outcome.reason;
        say(asked, VERDICT_GAME_OVER, "the game is over: {words}");
        return false;
    }
    if (from == CELL_NONE && to == CELL_NONE &&
        (asked->move.choice == CHOICE_NONE || move_is_swap(asked->move)))
        return true;
    if (from == CELL_NONE && to < game->cell_count &&
        (asked->move.choice < game->figure_count || asked->move.choice == CHOICE_NONE))
        return true;
    if (from >= game->cell_count || to >= game->cell_count) {
        say(asked, VERDICT_NO_MOVEMENT, "there is no such cell");
        return false;
    }
    if (is_own(asked, from))
        return true;
    if (asked->position->cells[from].code == 0)
        say(asked, VERDICT_NOT_YOURS, "on {from} is no figure");
    else
        say_of(asked, VERDICT_NOT_YOURS, from,
               "the {figure} on {cell} is {owner}'s, and it is {player}'s turn");
    return false;
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
    bool asks = may_ask(&asked);
    if (asks && move_is_swap(asked.move))
        explain_swap(&asked);
    else if (asks && to == CELL_NONE)
        explain_pass(&asked);
    else if (asks && from == CELL_NONE)
        explain_placement(&asked);
    else if (asks)
        explain_figure(&asked);
    if (work_end(&stretch))
        return;
    *explanation = (struct explanation){.verdict = VERDICT_NO_MOVEMENT};
    say(&asked, VERDICT_BLOCKED, "to say why would take too much work");
}
