#include "engine/rules/turn.h"

#include "engine/classic/action.h"
#include "engine/classic/machine.h"
#include "engine/rules/condition.h"
#include "engine/rules/interpreter.h"
#include "engine/rules/result.h"
#include "engine/work_shares.h"

#include <assert.h>
#include <string.h>

static const struct cell_record nothing = {0};

/* --- remembering ------------------------------------------------------------------------------ */

static void save_sets(const struct position *position, uint64_t *sets)
{
    size_t bytes = (size_t)position->game->words * sizeof *sets;
    work_spend((unsigned)position->game->words);
    memcpy(sets, position_pending_words(position), bytes);
    memcpy(sets + position->game->words, position_visited_words(position), bytes);
}

static void restore_sets(struct position *position, const uint64_t *sets)
{
    size_t bytes = (size_t)position->game->words * sizeof *sets;
    memcpy(position_pending_words(position), sets, bytes);
    memcpy(position_visited_words(position), sets + position->game->words, bytes);
}

/* The position before a move joins those that have been; what the ring forgets by it is kept for taking back. */
static void remember(struct position *position, struct undo *undo)
{
    int room = position->game->history_max;
    struct turn *turn = &position->turn;
    int slot = (turn->history_first + turn->history_count) % room;
    undo->lost_key = position->history[slot];
    undo->remembers = true;
    position->history[slot] = turn->key;
    if (turn->history_count < room)
        turn->history_count++;
    else
        turn->history_first = (uint16_t)((turn->history_first + 1) % room);
}

static void begin_undo(struct position *position, struct undo *undo, enum turn_depth depth)
{
    undo->hash = position->hash;
    undo->move_number = position->move_number;
    undo->state = position->state;
    undo->winner = position->winner;
    undo->change_count = 0;
    undo->turn = position->turn;
    undo->remembers = false;
    work_spend(WORK_TRIAL);
    if (undo->sets != NULL)
        save_sets(position, undo->sets);
    const struct game *game = position->game;
    bool counts = depth == TURN_FULL || game->forbids_repetition;
    if (counts && game->history_max > 0 && position->turn.active == CELL_NONE)
        remember(position, undo);
}

void turn_unmake(struct position *position, const struct undo *undo)
{
    for (uint32_t i = undo->change_count; i-- > 0;) {
        const struct cell_change *change = &undo->changes[i];
        position_write(position, change->cell, change->before);
        if (change->unmoved)
            bits_set(position_unmoved_words(position), change->cell);
    }
    if (undo->sets != NULL)
        restore_sets(position, undo->sets);
    if (undo->remembers) {
        int room = position->game->history_max;
        int slot = (undo->turn.history_first + undo->turn.history_count) % room;
        position->history[slot] = undo->lost_key;
    }
    position->hash = undo->hash;
    position->move_number = undo->move_number;
    position->state = undo->state;
    position->winner = undo->winner;
    position->turn = undo->turn;
    position->ply--;
}

/* --- what a move does on the board ------------------------------------------------------------ */

/* A move while it is being made. */
struct making {
    struct position *position;
    struct undo *undo;
    struct move move;
    const struct modern_rule *rule; /* NULL: a complex movement or a pass */
    player_index mover;
    figure_index becomes; /* by promotions that do not wait; FIGURE_NONE: it stays what it is */
    bool material;        /* what is there has changed, not only where */
    bool final;           /* no position before it can come again */
    bool stopped;         /* the turn does not go on */
};

int turn_jumped(const struct position *position, const struct modern_rule *rule, struct move move,
                cell_index *jumped, int room)
{
    const struct game *game = position->game;
    const cell_index *path = game->paths + game->ray_starts[rule->ray + move.from];
    int count = 0;
    for (int i = 0; path[i] != move.to; i++, work_spend(1))
        if (position->cells[path[i]].code != 0 && count < room)
            jumped[count++] = path[i];
    return count;
}

/* Where another player's figure stands that the move takes by its mark; CELL_NONE: none. */
static cell_index marked_victim(const struct position *position, const struct modern_rule *rule,
                                struct move move)
{
    if (rule->takes_marked < 0 || position->cells[move.to].code != 0)
        return CELL_NONE;
    const struct game *game = position->game;
    const struct mark *mark = &position->turn.marks[rule->takes_marked];
    if (mark->cell != move.to)
        return CELL_NONE;
    unsigned code = position->cells[move.from].code, maker = position->cells[mark->maker].code;
    bool enemy = maker != 0 && game->code_players[maker] != game->code_players[code];
    return enemy ? mark->maker : CELL_NONE;
}

/* The last of what the move takes; 0: nothing. */
static uint16_t taken_code(const struct position *position, const struct modern_rule *rule,
                           struct move move)
{
    uint16_t target = position->cells[move.to].code;
    if (rule->takes_jumped) {
        cell_index jumped[CELLS_MAX];
        int count = turn_jumped(position, rule, move, jumped, CELLS_MAX);
        return count > 0 ? position->cells[jumped[count - 1]].code : 0;
    }
    if (rule->purpose == FOR_SWAP || rule->purpose == FOR_PUT || rule->purpose == FOR_MOVE)
        return 0;
    cell_index victim = marked_victim(position, rule, move);
    return victim != CELL_NONE ? position->cells[victim].code : target;
}

/* Whether the promotion applies to the move now; `to` becomes what it offers. */
static bool promotion_offers(const struct position *position, const struct modern_rule *rule,
                             const struct promotion_rule *promotion, struct move move, uint64_t *to)
{
    const struct game *game = position->game;
    unsigned code = position->cells[move.from].code;
    work_spend(1);
    if (promotion->at_turn_end || !bits_test(game_cell_set(game, promotion->in), move.to) ||
        !bits_test(game_cell_set(game, promotion->from), move.from) ||
        !condition_holds(position, promotion->condition, game->code_players[code], move.from,
                         move.to))
        return false;
    *to = promotion->to;
    if (!promotion->taken)
        return true;
    unsigned taken = taken_code(position, rule, move);
    if (taken == 0 || game->code_figures[taken] == game->code_figures[code])
        return false;
    *to |= UINT64_C(1) << game->code_figures[taken];
    return true;
}

uint64_t turn_choices(const struct position *position, const struct modern_rule *rule,
                      struct move move, bool *optional)
{
    uint64_t choices = 0;
    *optional = true;
    if (rule->promotion_count == 0 || rule->purpose == FOR_PUT ||
        !bits_test(game_cell_set(position->game, rule->promotion_cells), move.to))
        return 0;
    for (int i = 0; i < rule->promotion_count; i++) {
        uint64_t to = 0;
        if (!promotion_offers(position, rule, &rule->promotions[i], move, &to))
            continue;
        choices |= to;
        *optional = *optional && rule->promotions[i].optional;
    }
    return choices;
}

/* What it becomes, asked of the position before the move. Sets `stopped` where a promotion that stops gives it. */
static figure_index promoted(struct making *making)
{
    bool optional = false;
    uint64_t choices = turn_choices(making->position, making->rule, making->move, &optional);
    if (choices == 0)
        return FIGURE_NONE;
    figure_index figure = making->move.choice;
    if (figure == CHOICE_NONE) {
        if (optional)
            return FIGURE_NONE;
        figure = (figure_index)word_lowest(choices);
    }
    for (int i = 0; i < making->rule->promotion_count; i++) {
        uint64_t to = 0;
        const struct promotion_rule *promotion = &making->rule->promotions[i];
        if (promotion->stops &&
            promotion_offers(making->position, making->rule, promotion, making->move, &to) &&
            (to >> figure & 1) != 0)
            making->stopped = true;
    }
    return figure;
}

static void take(struct making *making, cell_index cell)
{
    making->material = true;
    making->final |= making->position->game->takes_are_final;
    position_change(making->position, making->undo, cell, nothing);
}

static void take_jumped(struct making *making)
{
    struct position *position = making->position;
    cell_index jumped[CELLS_MAX];
    int count = turn_jumped(position, making->rule, making->move, jumped, CELLS_MAX);
    bool waits = position->game->remove_at_turn_end;
    for (int i = 0; i < count; i++) {
        if (!waits) {
            take(making, jumped[i]);
            continue;
        }
        bits_set(position_pending_words(position), jumped[i]);
        making->material = true;
        making->final |= position->game->takes_are_final;
    }
}

/* One step further in the history of a figure. */
static struct cell_record moved_record(const struct position *position, cell_index from)
{
    struct cell_record record = position->cells[from];
    if (!position->game->tracks_history)
        return record;
    if (record.moves_made < UINT16_MAX)
        record.moves_made++;
    record.last_move = (uint16_t)position->move_number;
    return record;
}

/* The figure goes to the target, as what it becomes; what stood there is gone. */
static void go(struct making *making)
{
    struct position *position = making->position;
    const struct game *game = position->game;
    struct move move = making->move;
    struct cell_record record = moved_record(position, move.from);
    figure_index figure = making->becomes;
    cell_index victim = marked_victim(position, making->rule, move);
    making->final |= game_contents_set_has(game, game->advancing_codes, record.code);
    if (figure != FIGURE_NONE) {
        record.code = game_code(game, figure, making->mover);
        making->material = true;
    }
    if (making->rule->takes_jumped)
        take_jumped(making);
    else if (victim != CELL_NONE)
        take(making, victim);
    else if (position->cells[move.to].code != 0)
        take(making, move.to);
    position_change(position, making->undo, move.from, nothing);
    position_change(position, making->undo, move.to, record);
}

/* The same where nothing but that can be: most moves of most games. */
static void go_plainly(struct making *making)
{
    struct position *position = making->position;
    const struct game *game = position->game;
    struct move move = making->move;
    struct cell_record record = moved_record(position, move.from);
    bool takes = position->cells[move.to].code != 0;
    making->material = takes;
    making->final = (takes && game->takes_are_final) ||
                    game_contents_set_has(game, game->advancing_codes, record.code);
    position->turn.last.taken = position->cells[move.to].code;
    position_change(position, making->undo, move.from, nothing);
    position_change(position, making->undo, move.to, record);
}

static void change_places(struct making *making)
{
    struct position *position = making->position;
    struct move move = making->move;
    struct cell_record record = moved_record(position, move.from);
    struct cell_record other = position->cells[move.to];
    figure_index figure = making->becomes;
    if (figure != FIGURE_NONE) {
        record.code = game_code(position->game, figure, making->mover);
        making->material = true;
    }
    position_change(position, making->undo, move.from, other);
    position_change(position, making->undo, move.to, record);
}

static void put(struct making *making)
{
    struct cell_record record = {.code = making->rule->put_code};
    making->material = true;
    position_change(making->position, making->undo, making->move.to, record);
}

/* By action sets nobody says beforehand what is taken: another player's figure that is on no changed cell any more. */
static uint16_t lost_code(const struct making *making)
{
    const struct position *position = making->position;
    const struct game *game = position->game;
    for (uint32_t i = making->undo->change_count; i-- > 0;) {
        uint16_t before = making->undo->changes[i].before.code;
        bool still_there = false;
        if (before == 0 || game->code_players[before] == making->mover)
            continue;
        work_spend(making->undo->change_count);
        for (uint32_t k = 0; k < making->undo->change_count && !still_there; k++)
            still_there = position->cells[making->undo->changes[k].cell].code == before;
        if (!still_there)
            return before;
    }
    return 0;
}

/* After action sets: on the target if they have brought it there, or where it was; CELL_NONE: nowhere any more. */
static cell_index where_it_is(const struct making *making)
{
    const struct position *position = making->position;
    const cell_index places[] = {making->move.to, making->move.from};
    for (int i = 0; i < 2; i++) {
        unsigned code = position->cells[places[i]].code;
        bool own = code != 0 && position->game->code_players[code] == making->mover;
        for (uint32_t k = 0; k < making->undo->change_count && own; k++)
            if (making->undo->changes[k].cell == places[i])
                return places[i];
    }
    return CELL_NONE;
}

static void act(struct making *making)
{
    struct position *position = making->position;
    const struct candidate *candidate = interpreter_candidate(position, making->move);
    figure_index figure = making->becomes;
    uint16_t code = position->cells[making->move.from].code;
    action_run_simple(position, making->undo, candidate, making->move.from);
    making->material = true;
    struct cell_record record = position->cells[making->move.to];
    if (figure == FIGURE_NONE || record.code != code)
        return;
    record.code = game_code(position->game, figure, making->mover);
    position_change(position, making->undo, making->move.to, record);
}

static void make_complex(struct making *making)
{
    struct position *position = making->position;
    const struct game *game = position->game;
    const struct complex_instance *instance = turn_instance(position, making->move);
    const struct modern_complex *complex = &game->modern_complex[instance->movement];
    const struct place *places = game->places + instance->first_place;
    int count = game->complex[instance->movement].participant_count;
    struct cell_record records[PARTICIPANTS_MAX];
    unsigned going = 0; /* who stays has not moved */
    for (int i = 0; i < count; i++) {
        bool goes = places[i].source != places[i].destination;
        going |= (unsigned)(goes && (complex->by_default >> i & 1) != 0) << i;
        records[i] = moved_record(position, places[i].source);
    }
    bool all_by_default = complex->by_default == (1U << count) - 1;
    if (!all_by_default) {
        making->material = true;
        action_run_complex(position, making->undo, instance, going);
    }
    for (int i = 0; i < count && all_by_default; i++)
        if ((going >> i & 1) != 0)
            position_change(position, making->undo, places[i].source, nothing);
    for (int i = 0; i < count; i++)
        if ((going >> i & 1) != 0)
            position_change(position, making->undo, places[i].destination, records[i]);
    position->turn.last.complex = true;
    if (!all_by_default)
        position->turn.last.taken = lost_code(making);
}

static void make_simple(struct making *making)
{
    struct position *position = making->position;
    struct last_move *last = &position->turn.last;
    if (making->rule->plain) {
        go_plainly(making);
        return;
    }
    last->taken = taken_code(position, making->rule, making->move);
    switch ((enum rule_purpose)making->rule->purpose) {
    case FOR_MOVE:
    case FOR_TAKE:
    case FOR_BOTH:
        go(making);
        return;
    case FOR_SWAP:
        change_places(making);
        return;
    case FOR_PUT:
        put(making);
        last->stands = making->move.from;
        return;
    case FOR_ACTIONS:
        act(making);
        last->taken = lost_code(making);
        last->stands = where_it_is(making);
        return;
    }
    assert(false);
}

/* --- what follows it -------------------------------------------------------------------------- */

static void clear_set(const struct position *position, uint64_t *words)
{
    work_spend((unsigned)position->game->words);
    memset(words, 0, (size_t)position->game->words * sizeof *words);
}

/* What was taken leaves when the turn ends. */
static void remove_pending(struct making *making)
{
    struct position *position = making->position;
    uint64_t *pending = position_pending_words(position);
    for (int i = 0; i < position->game->words; i++)
        for (; pending[i] != 0; pending[i] &= pending[i] - 1) {
            unsigned cell = (unsigned)i * WORD_BITS + word_lowest(pending[i]);
            position_change(position, making->undo, (cell_index)cell, nothing);
            making->material = true;
        }
}

/* Promotions that wait for the end of the turn: of the figure where it stands now. */
static void promote_at_end(struct making *making, const struct modern_rule *rule, cell_index cell,
                           cell_index started)
{
    struct position *position = making->position;
    const struct game *game = position->game;
    struct cell_record record = position->cells[cell];
    work_spend((unsigned)rule->promotion_count);
    for (int i = 0; i < rule->promotion_count; i++) {
        const struct promotion_rule *promotion = &rule->promotions[i];
        if (!promotion->at_turn_end || promotion->to == 0 || record.code == 0 ||
            !bits_test(game_cell_set(game, promotion->in), cell) ||
            !bits_test(game_cell_set(game, promotion->from), started) ||
            !condition_holds(position, promotion->condition, making->mover, cell, cell))
            continue;
        figure_index figure = (figure_index)word_lowest(promotion->to);
        if (figure == game->code_figures[record.code])
            return;
        record.code = game_code(game, figure, making->mover);
        making->material = true;
        position_change(position, making->undo, cell, record);
        return;
    }
}

/* On to the next state that waits for somebody who is still in the game. */
static void advance(struct position *position)
{
    const struct game *game = position->game;
    player_index winner = PLAYER_NONE;
    for (int i = 0; i <= game->state_count; i++) {
        machine_advance(position);
        if (position->winner != PLAYER_NONE)
            winner = position->winner;
        const struct machine_state *state = &game->states[position->state];
        if (state->kind != MACHINE_MOVE || (position->turn.finished >> state->player & 1) == 0)
            break;
    }
    position->winner = winner;
}

static void end_turn(struct making *making, const struct modern_rule *rule)
{
    struct position *position = making->position;
    struct turn *turn = &position->turn;
    if (position->game->continues) {
        remove_pending(making);
        clear_set(position, position_visited_words(position));
    }
    cell_index started = turn->started != CELL_NONE ? turn->started : turn->last.from;
    if (rule != NULL && rule->promotion_count > 0 && rule->purpose != FOR_PUT &&
        turn->last.stands != CELL_NONE)
        promote_at_end(making, rule, turn->last.stands, started);
    turn->active = CELL_NONE;
    turn->started = CELL_NONE;
    turn->may_stop = false;
    advance(position);
}

/* Whether the figure goes on; then it is the only one that may move. */
static bool goes_on(struct making *making, enum turn_depth depth)
{
    struct position *position = making->position;
    struct turn *turn = &position->turn;
    const struct modern_rule *rule = making->rule;
    if (rule == NULL || rule->continues == GOES_ON_NEVER || making->stopped ||
        turn->last.stands == CELL_NONE)
        return false;
    struct turn before = *turn;
    if (turn->active == CELL_NONE)
        turn->started = making->move.from;
    turn->active = turn->last.stands;
    turn->may_stop = rule->continues == GOES_ON_MAY;
    bits_set(position_visited_words(position), making->move.from);
    bits_set(position_visited_words(position), turn->active);
    turn->last_rule = (uint32_t)(rule - position->game->modern_rules);
    if (interpreter_goes_on(position, depth != TURN_TRIAL))
        return true;
    turn->active = before.active;
    turn->started = before.started;
    turn->may_stop = before.may_stop;
    return false;
}

static bool effect_clears(struct making *making, const struct effect_rule *effect, cell_index cell)
{
    struct position *position = making->position;
    if (cell == CELL_NONE || position->cells[cell].code == 0 ||
        !condition_cell_matches(position, &effect->match, cell))
        return false;
    take(making, cell);
    return true;
}

/* Cells are judged before any is cleared only so far as a match looks at its own cell: that is all it can look at. */
static bool run_effect(struct making *making, const struct effect_rule *effect)
{
    const struct game *game = making->position->game;
    bool changed = false;
    if (effect->place == EFFECT_ON_TARGET)
        return effect_clears(making, effect, making->move.to);
    if (effect->place == EFFECT_ON_NEIGHBOURS) {
        work_spend((unsigned)effect->row_count);
        for (int i = 0; i < effect->row_count && making->move.to != CELL_NONE; i++)
            changed |= effect_clears(making, effect, effect->rows[i][making->move.to]);
        return changed;
    }
    work_spend((unsigned)game->cell_count / 4);
    for (int cell = 0; cell < game->cell_count; cell++)
        if (bits_test(game_cell_set(game, effect->cells), (unsigned)cell))
            changed |= effect_clears(making, effect, (cell_index)cell);
    return changed;
}

static bool run_after_move(struct making *making)
{
    struct position *position = making->position;
    const struct game *game = position->game;
    bool changed = false;
    for (int i = 0; i < game->after_move_count; i++) {
        const struct after_rule *after = &game->after_move[making->mover][i];
        uint64_t before = work_spent();
        bool holds = condition_holds(position, after->condition, making->mover, making->move.from,
                                     making->move.to);
        for (int k = 0; k < after->effect_count && holds; k++)
            changed |= run_effect(making, &after->effects[k]);
        work_was_for(after->pointer, before);
    }
    return changed;
}

static void count(struct making *making)
{
    struct position *position = making->position;
    const struct game *game = position->game;
    for (int i = 0; i < game->counter_count; i++) {
        const struct counter_rule *counter = &game->counters[i];
        int slot = counter->first_slot + (counter->per_player ? making->mover : 0);
        const struct condition_node *reset = counter->reset[making->mover];
        const struct condition_node *add = counter->add[making->mover];
        cell_index from = making->move.from, to = making->move.to;
        if (reset != NULL && condition_holds(position, reset, making->mover, from, to))
            position->turn.counters[slot] = (int16_t)counter->start;
        else if (add != NULL && position->turn.counters[slot] < COUNTER_VALUE_MAX &&
                 condition_holds(position, add, making->mover, from, to))
            position->turn.counters[slot]++;
    }
}

/* The state comes first, for `next` is who is to move after it; where the way asks who has won, it is walked once more
 * if something was removed. */
static void follow_up(struct making *making, bool ended)
{
    struct position *position = making->position;
    const struct game *game = position->game;
    bool changed = game->after_move_count > 0 && run_after_move(making);
    struct turn *turn = &position->turn;
    if (changed && turn->last.stands != CELL_NONE && position->cells[turn->last.stands].code == 0) {
        turn->last.stands = CELL_NONE;
        if (!ended)
            end_turn(making, NULL);
    } else if (changed && ended && game->checks_wins) {
        position->state = making->undo->state;
        position->move_number = making->undo->move_number;
        advance(position);
    }
    count(making);
}

static void finish_turn(struct making *making, enum turn_depth depth)
{
    struct position *position = making->position;
    const struct game *game = position->game;
    struct turn *turn = &position->turn;
    bool went_on = making->undo->turn.active != CELL_NONE; /* earlier moves of it changed things */
    if (game->history_max > 0 && (depth == TURN_FULL || game->forbids_repetition))
        turn->key = result_key(position);
    if (depth != TURN_FULL)
        return;
    result_look(position, making->material || went_on);
    if (game->history_max > 0 && turn->place_count != making->undo->turn.place_count)
        turn->key = result_key(position);
}

/* No position that has been can come again: they are forgotten. */
static void forget(const struct making *making)
{
    int room = making->position->game->history_max;
    struct turn *turn = &making->position->turn;
    if (!making->final || room == 0)
        return;
    turn->history_first = (uint16_t)((turn->history_first + turn->history_count) % room);
    turn->history_count = 0;
}

static void clear_marks(struct position *position)
{
    for (int i = 0; i < position->game->mark_count; i++)
        position->turn.marks[i] = (struct mark){.cell = CELL_NONE, .maker = CELL_NONE};
}

/* A movement marks the cell it passes over. */
static void mark_passed(struct making *making)
{
    struct position *position = making->position;
    const struct game *game = position->game;
    const cell_index *path = game->paths + game->ray_starts[making->rule->ray + making->move.from];
    if (path[0] == making->move.to)
        return;
    position->turn.marks[making->rule->mark] =
        (struct mark){.cell = path[0], .maker = making->move.to};
}

static void make_pass(struct making *making, enum turn_depth depth)
{
    struct position *position = making->position;
    struct turn *turn = &position->turn;
    bool stops = turn->active != CELL_NONE;
    if (!stops)
        turn->last = (struct last_move){
            .from = CELL_NONE, .to = CELL_NONE, .stands = CELL_NONE, .pass = true};
    clear_marks(position);
    const struct modern_rule *rule = NULL;
    if (stops)
        rule = &position->game->modern_rules[turn->last_rule];
    end_turn(making, rule);
    if (!stops)
        follow_up(making, true);
    finish_turn(making, depth);
}

void turn_make(struct position *position, struct move move, struct undo *undo,
               enum turn_depth depth)
{
    const struct game *game = position->game;
    struct turn *turn = &position->turn;
    struct making making = {
        .position = position, .undo = undo, .move = move, .becomes = FIGURE_NONE};
    begin_undo(position, undo, depth);
    position->ply++;
    making.mover = game->states[position->state].player;
    turn->mover = making.mover;
    if (move_is_pass(move)) {
        make_pass(&making, depth);
        return;
    }
    if ((move.rule & RULE_COMPLEX) == 0) {
        making.rule = turn_rule(position, move);
        if (!making.rule->plain)
            making.becomes = promoted(&making);
    }
    turn->last = (struct last_move){
        .from = move.from,
        .to = move.to,
        .stands = move.to,
        .code = position->cells[move.from].code,
    };
    if (making.rule == NULL) {
        make_complex(&making);
        clear_marks(position);
    } else {
        make_simple(&making);
        clear_marks(position);
        if (making.rule->mark >= 0)
            mark_passed(&making);
    }
    forget(&making);
    bool ended = !goes_on(&making, depth);
    if (ended)
        end_turn(&making, making.rule);
    follow_up(&making, ended);
    if (position->turn.active == CELL_NONE)
        finish_turn(&making, depth);
}

/* --- setting up ------------------------------------------------------------------------------- */

void turn_clear(struct position *position)
{
    const struct game *game = position->game;
    struct turn *turn = &position->turn;
    turn->active = turn->started = CELL_NONE;
    turn->mover = PLAYER_NONE;
    turn->last = (struct last_move){.from = CELL_NONE, .to = CELL_NONE, .stands = CELL_NONE};
    for (int i = 0; i < MARKS_MAX; i++)
        turn->marks[i] = (struct mark){.cell = CELL_NONE, .maker = CELL_NONE};
    for (int i = 0; i < game->counter_count; i++)
        for (int k = 0; k < (game->counters[i].per_player ? game->player_count : 1); k++)
            turn->counters[game->counters[i].first_slot + k] = (int16_t)game->counters[i].start;
}

void turn_begin(struct position *position)
{
    const struct game *game = position->game;
    struct turn *turn = &position->turn;
    turn->mover = game->states[position->state].before;
    turn->result = 0;
    turn->history_first = turn->history_count = 0;
    if (game->history_max > 0)
        turn->key = result_key(position);
    result_look(position, true);
    if (game->history_max > 0 && turn->place_count > 0)
        turn->key = result_key(position);
}
