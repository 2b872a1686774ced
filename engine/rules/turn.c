#include "engine/rules/turn.h"

#include "engine/rules/change.h"
#include "engine/rules/condition.h"
#include "engine/rules/history.h"
#include "engine/rules/legal.h"
#include "engine/rules/machine.h"
#include "engine/rules/needs.h"
#include "engine/rules/selection.h"
#include "engine/work_shares.h"

#include <string.h>

/* --- taking back ------------------------------------------------------------------------------ */

/* What nobody has needed since the last move was made. */
static void count_late(struct position *position)
{
    for (int slot = 0; slot < position->game->counter_slot_count; slot++)
        position->turn.counters[slot] = (int16_t)condition_counter(position, slot);
    position->turn.late = false;
}

static inline void begin_undo(struct position *position, struct undo *undo, enum turn_depth depth)
{
    const struct game *game = position->game;
    bool counts = depth == TURN_FULL || game->forbids_repetition;
    undo->change_count = 0;
    undo->went = false;
    undo->remembers = counts && position->turn.active == CELL_NONE && game->history_max > 0;
    work_spend(WORK_TRIAL);
    if (undo->beside_bytes > 0) {
        work_spend(undo->beside_bytes / sizeof(uint64_t));
        memcpy(undo->beside, position->pending, undo->beside_bytes);
    }
    if (undo->remembers)
        repetition_note_key(position);
    if (counts && position->turn.late)
        count_late(position);
    undo->turn = position->turn;
}

/* The position before a move is one of those that have been; by a move that is final none of them can come again. */
static inline void remember(const struct making *making)
{
    if (making->final) {
        making->undo->remembers = false;
        history_forget(making->position);
    } else if (making->undo->remembers) {
        history_remember(making->position, making->undo);
    }
}

void position_unmake(struct position *position, const struct undo *undo)
{
    position_come_back(position, undo);
    if (undo->beside_bytes > 0)
        memcpy(position->pending, undo->beside, undo->beside_bytes);
    position->turn = undo->turn;
    if (undo->remembers)
        history_take_back(position, undo);
}

/* --- the end of a turn ------------------------------------------------------------------------ */

/* On to the next state that waits for somebody who is still in the game: at once, or state by state. */
static inline void advance(struct position *position)
{
    const struct machine_state *from = position_stage(position);
    if (!from->straight || position->turn.finished != 0) {
        machine_advance(position);
        return;
    }
    uint32_t number = position->turn.move_number + from->numbers;
    position->turn.move_number = number < MOVE_NUMBER_MAX ? number : MOVE_NUMBER_MAX;
    position->turn.state = from->then;
    position->turn.winner = PLAYER_NONE;
}

/* What has waited for the end of the turn. */
static void settle_turn(struct making *making, const struct movement *rule)
{
    struct position *position = making->position;
    struct turn *turn = &position->turn;
    if (position->game->continues) {
        change_remove_pending(making);
        memset(position->visited, 0, (size_t)position->game->words * sizeof *position->visited);
    }
    cell_index started = turn->started != CELL_NONE ? turn->started : turn->last.from;
    if (rule != NULL && rule->promotes_at_end && rule->purpose != FOR_PUT &&
        turn->last.stands != CELL_NONE)
        change_promote_at_end(making, rule, turn->last.stands, started);
    turn->active = CELL_NONE;
    turn->started = CELL_NONE;
    turn->may_stop = false;
}

static inline void end_turn(struct making *making, const struct movement *rule)
{
    if (making->position->game->continues || (rule != NULL && rule->promotes_at_end))
        settle_turn(making, rule);
    advance(making->position);
}

/* Whether the figure goes on; then it is the only one that may move. */
static bool goes_on(struct making *making, enum turn_depth depth)
{
    struct position *position = making->position;
    struct turn *turn = &position->turn;
    const struct movement *rule = making->rule;
    if (rule == NULL || rule->continues == GOES_ON_NEVER || making->stopped ||
        turn->last.stands == CELL_NONE)
        return false;
    cell_index active = turn->active, started = turn->started;
    bool may_stop = turn->may_stop;
    if (active == CELL_NONE)
        turn->started = making->move.from;
    turn->active = turn->last.stands;
    turn->may_stop = rule->continues == GOES_ON_MAY;
    bits_set(position->visited, making->move.from);
    bits_set(position->visited, turn->active);
    turn->last_rule = (uint32_t)(rule - position->game->movements);
    if (legal_goes_on(position, depth != TURN_TRIAL))
        return true;
    turn->active = active;
    turn->started = started;
    turn->may_stop = may_stop;
    return false;
}

/* --- what follows a move ---------------------------------------------------------------------- */

/* All cells are found before any is changed. */
static bool run_effect(struct making *making, const struct effect_rule *effect)
{
    struct position *position = making->position;
    uint64_t cells[WORDS_MAX] = {0};
    bool changed = false;
    cell_index to = making->move.to, self = move_self(making->move.from, to);
    if (selection_find(position, &effect->selection, self, to, cells) == 0)
        return false;
    EACH_BIT (cell, cells, position->game->words)
        changed |= effect->kind == EFFECT_FLIP ? change_flip(making, (cell_index)cell)
                                               : change_remove(making, (cell_index)cell);
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
        bool holds = condition_holds_after(position, after->condition, making->mover);
        for (int k = 0; k < after->effect_count && holds; k++)
            changed |= run_effect(making, &after->effects[k]);
        work_was_for(after->pointer, before);
    }
    return changed;
}

static inline bool was_reset_by_kind(const struct position *position,
                                     const struct previous_kinds *kinds)
{
    const struct last_move *last = &position->turn.last;
    const figure_index *figures = position->game->code_figures;
    work_spend(2);
    return (last->code != 0 && (kinds->moved >> figures[last->code] & 1) != 0) ||
           (last->taken != 0 && (kinds->taken >> figures[last->taken] & 1) != 0);
}

static inline bool was_reset(const struct position *position, const struct counter_rule *counter,
                             player_index mover)
{
    const struct condition_node *reset = counter->reset[mover];
    if (counter->courses[mover].resets.known)
        return was_reset_by_kind(position, &counter->courses[mover].resets);
    return reset != NULL && condition_holds_after(position, reset, mover);
}

static inline bool grows(const struct position *position, const struct counter_rule *counter,
                         player_index mover, int value)
{
    const struct condition_node *add = counter->add[mover];
    if (add == NULL || value == COUNTER_VALUE_MAX)
        return false;
    return condition_says_nothing(add) || condition_holds_after(position, add, mover);
}

/* Counters stay within what they can stand at. */
static int value_of(const struct position *position, const struct counter_setting *setting)
{
    int value = setting->to + condition_sum(position, setting->terms, setting->term_count);
    if (value > COUNTER_VALUE_MAX)
        return COUNTER_VALUE_MAX;
    return value < 0 ? 0 : value;
}

/* Sets it as the file says for the last move; false: it says nothing. */
static bool set_counter(const struct position *position, const struct counter_rule *counter,
                        player_index mover, int16_t *value)
{
    const struct counter_setting *setting = counter->sets[mover];
    for (int i = 0; i < counter->set_count; i++, setting++) {
        uint64_t before = work_spent();
        bool holds = condition_holds_after(position, setting->condition, mover);
        if (holds)
            *value = (int16_t)value_of(position, setting);
        work_was_for(setting->pointer, before);
        if (holds)
            return true;
    }
    return false;
}

/* One that does not grow, is not set and stands where it starts stays there, be it reset or not; whether one is set may take many
 * conditions, so that is asked last. */
void turn_count(const struct position *position, const struct counter_rule *counter,
                player_index mover, int16_t *value)
{
    bool sets = counter->set_count > 0;
    bool adds = !sets && grows(position, counter, mover, *value);
    if ((sets || adds || *value != counter->start) && was_reset(position, counter, mover))
        *value = (int16_t)counter->start;
    else if (sets ? !set_counter(position, counter, mover, value) &&
                        grows(position, counter, mover, *value)
                  : adds)
        ++*value;
}

/* Those that only results ask for stand as before while a move is tried out. Most stand at their start, and stay there. */
static inline void count_counters(const struct making *making, enum turn_depth depth)
{
    struct position *position = making->position;
    const struct game *game = position->game;
    const player_index mover = making->mover;
    const struct counter_rule *counter = game->counters, *end = counter + game->counter_count;
    bool all = depth == TURN_FULL || game->forbids_repetition;
    for (; counter < end; counter++) {
        if (counter->late || !(all || counter->decides))
            continue;
        int16_t *value = &position->turn.counters[counter->first_slot];
        value += counter->per_player ? mover : 0;
        const struct counter_course *course = &counter->courses[mover];
        if (course->steady) {
            bool reset = was_reset_by_kind(position, &course->resets);
            *value = (int16_t)(reset ? counter->start : *value + (*value < COUNTER_VALUE_MAX));
            continue;
        }
        bool away = *value != counter->start;
        if (needs_are_met(position, away ? &course->changes : &course->leaves))
            turn_count(position, counter, mover, value);
    }
    position->turn.late = game->counts_late;
}

static void advance_again(const struct making *making)
{
    struct position *position = making->position;
    position->turn.state = making->undo->turn.state;
    position->turn.move_number = making->undo->turn.move_number;
    advance(position);
}

/* The state comes first, for `next` is who is to move after it; where the way asks who has won, it is walked once more
 * if something was removed, and where turns ask something, when all has been done and counted. */
static inline void follow_up(struct making *making, bool ended, enum turn_depth depth)
{
    struct position *position = making->position;
    const struct game *game = position->game;
    bool changed = game->after_move_count > 0 && run_after_move(making);
    struct turn *turn = &position->turn;
    if (changed && turn->last.stands != CELL_NONE && position->cells[turn->last.stands].code == 0) {
        turn->last.stands = CELL_NONE;
        if (!ended)
            end_turn(making, NULL);
        ended = true;
    } else if (changed && ended && game->checks_wins) {
        advance_again(making);
    }
    count_counters(making, depth);
    if (ended && (game->turns_count || (game->turns_ask && changed)))
        advance_again(making);
}

/* The key is that of turns that are over. It is found now if a repetition could be, else when the next move is made. */
static inline void finish_turn(struct position *position, enum turn_depth depth)
{
    const struct game *game = position->game;
    if (depth != TURN_FULL && !game->forbids_repetition)
        return;
    position->turn.keyed = false;
    if (position->turn.history_count + 1 >= game->occurrences_min || game->gives_places)
        repetition_note_key(position);
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

/* A pass, or the swap of sides, which takes nothing and forgets nothing of positions before it. A pass may end a turn of several moves:
 * then nothing follows it. */
static void make_without_cells(struct making *making, bool stops)
{
    struct position *position = making->position;
    struct turn *turn = &position->turn;
    bool swaps = move_is_swap(making->move);
    if (!stops)
        turn->last = (struct last_move){
            .from = CELL_NONE, .to = CELL_NONE, .stands = CELL_NONE, .pass = !swaps};
    clear_marks(position);
    remember(making);
    if (swaps)
        change_sides(making);
    end_turn(making, stops ? &position->game->movements[turn->last_rule] : NULL);
}

/* Whether it ends the turn. */
static inline bool make_move(struct making *making, enum turn_depth depth)
{
    change_board(making);
    clear_marks(making->position);
    if (making->rule != NULL && making->rule->mark >= 0)
        mark_passed(making);
    remember(making);
    bool ended = !goes_on(making, depth);
    if (ended)
        end_turn(making, making->rule);
    return ended;
}

void turn_make(struct position *position, struct move move, struct undo *undo,
               enum turn_depth depth)
{
    struct making making = {
        .position = position, .undo = undo, .move = move, .becomes = FIGURE_NONE};
    struct turn *turn = &position->turn;
    const struct machine_state *states = position->game->states;
    bool ended = true, stops = move_is_pass(move) && turn->active != CELL_NONE;
    begin_undo(position, undo, depth);
    position->turn.ply++;
    turn->mover = making.mover = states[position->turn.state].player;
    if (turn->may_swap && making.mover != states[position->game->initial_state].player)
        turn->may_swap = false;
    if (move_has_cells(move))
        ended = make_move(&making, depth);
    else
        make_without_cells(&making, stops);
    if (!stops)
        follow_up(&making, ended, depth);
    if (turn->active == CELL_NONE)
        finish_turn(position, depth);
}

/* --- setting up ------------------------------------------------------------------------------- */

void position_clear(struct position *position)
{
    const struct game *game = position->game;
    struct turn *turn = &position->turn;
    memset(&position->turn, 0, position_value_bytes(game));
    position->turn.state = game->initial_state;
    position->turn.move_number = game->initial_move_number;
    position->turn.winner = position_stage(position)->winner;
    turn->active = turn->started = CELL_NONE;
    turn->mover = PLAYER_NONE;
    turn->last = (struct last_move){.from = CELL_NONE, .to = CELL_NONE, .stands = CELL_NONE};
    clear_marks(position);
    for (int slot = 0; slot < game->counter_slot_count; slot++)
        turn->counters[slot] = (int16_t)game_counter_of(game, slot)->start;
}
