#include "engine/rules/change.h"

#include "engine/classic/actions.h"
#include "engine/rules/condition.h"
#include "engine/rules/fits.h"
#include "engine/rules/placing.h"
#include "engine/work.h"

#include <assert.h>

/* --- what is taken ---------------------------------------------------------------------------- */

int change_jumped(const struct position *position, const struct movement *rule, struct move move,
                  cell_index *jumped)
{
    const struct game *game = position->game;
    const cell_index *path = game->paths + game->ray_starts[rule->ray + move.from];
    int count = 0;
    for (int i = 0; path[i] != move.to; i++, work_spend(1))
        if (position->cells[path[i]].code != 0 && count < CELLS_MAX)
            jumped[count++] = path[i];
    return count;
}

int change_taken(const struct position *position, const struct movement *rule, struct move move,
                 cell_index *taken)
{
    if (rule->takes_jumped)
        return change_jumped(position, rule, move, taken);
    if (rule->purpose == FOR_SWAP || rule->purpose == FOR_PUT || rule->purpose == FOR_MOVE)
        return 0;
    taken[0] = fits_marked(position, rule, move);
    if (taken[0] == CELL_NONE)
        taken[0] = move.to;
    return position->cells[taken[0]].code != 0;
}

/* The last of what the move takes; 0: nothing. */
static uint16_t taken_code(const struct position *position, const struct movement *rule,
                           struct move move)
{
    cell_index taken[CELLS_MAX];
    int count = change_taken(position, rule, move, taken);
    return count > 0 ? position->cells[taken[count - 1]].code : 0;
}

/* --- what it becomes ------------------------------------------------------------------------- */

/* What the promotion offers to make of the figure by the move; 0: it does not apply now. */
static uint64_t offered_by(const struct position *position, const struct movement *rule,
                           const struct promotion_rule *promotion, struct move move)
{
    const struct game *game = position->game;
    unsigned code = position->cells[move.from].code;
    work_spend(1);
    if (promotion->at_turn_end || !bits_test(game_cell_set(game, promotion->in), move.to) ||
        !bits_test(game_cell_set(game, promotion->from), move.from) ||
        !condition_holds(position, promotion->condition, game->code_players[code], move.from,
                         move.to))
        return 0;
    if (!promotion->taken)
        return promotion->to;
    unsigned taken = taken_code(position, rule, move);
    if (taken == 0 || game->code_figures[taken] == game->code_figures[code])
        return 0;
    return promotion->to | UINT64_C(1) << game->code_figures[taken];
}

struct choices change_choices(const struct position *position, const struct movement *rule,
                              struct move move)
{
    struct choices choices = {.optional = true};
    if (rule->promotion_count == 0 || rule->purpose == FOR_PUT ||
        !bits_test(game_cell_set(position->game, rule->promotion_cells), move.to))
        return choices;
    for (int i = 0; i < rule->promotion_count; i++) {
        uint64_t to = offered_by(position, rule, &rule->promotions[i], move);
        choices.figures |= to;
        choices.stopping |= rule->promotions[i].stops ? to : 0;
        choices.optional &= to == 0 || rule->promotions[i].optional;
    }
    return choices;
}

/* What it becomes, asked of the position before the move. Sets `stopped` where a promotion that stops gives it. */
static figure_index find_promotion(struct making *making)
{
    struct choices choices = change_choices(making->position, making->rule, making->move);
    figure_index figure = making->move.choice;
    if (choices.figures == 0 || (figure == CHOICE_NONE && choices.optional))
        return FIGURE_NONE;
    if (figure == CHOICE_NONE)
        figure = (figure_index)word_lowest(choices.figures);
    making->stopped = (choices.stopping >> figure & 1) != 0;
    return figure;
}

/* --- what is done ----------------------------------------------------------------------------- */

/* What is taken goes to the mover's hand, where it may become another kind. */
static __attribute__((noinline)) void put_in_hand(struct making *making, unsigned code)
{
    struct position *position = making->position;
    const struct game *game = position->game;
    figure_index figure = game->in_hand[game->code_figures[code]];
    unsigned held = position_held(position, making->mover, figure);
    if (held < HAND_MAX)
        position_keep(position, game_code(game, figure, making->mover) - 1U, held + 1);
}

static inline void keep_taken(struct making *making, unsigned code)
{
    if (making->position->game->takes_to_hand && code != 0)
        put_in_hand(making, code);
}

/* What was taken before and waits there for the end of the turn is gone as well. */
static void clear_cell(struct making *making, cell_index cell)
{
    making->final |= making->position->game->takes_are_final;
    if (making->position->game->continues)
        bits_reset(making->position->pending, cell);
    position_change(making->position, making->undo, cell, cell_empty);
}

static void take(struct making *making, cell_index cell)
{
    keep_taken(making, making->position->cells[cell].code);
    clear_cell(making, cell);
}

bool change_remove(struct making *making, cell_index cell)
{
    bool stands = making->position->cells[cell].code != 0;
    if (stands)
        clear_cell(making, cell);
    return stands;
}

bool change_flip(struct making *making, cell_index cell)
{
    struct position *position = making->position;
    const struct game *game = position->game;
    struct cell_record record = position->cells[cell];
    if (record.code == 0 || game->code_players[record.code] == making->mover)
        return false;
    record.code = game_code(game, game->code_figures[record.code], making->mover);
    position_change(position, making->undo, cell, record);
    return true;
}

/* What is jumped may wait for the end of the turn. */
static void take_all(struct making *making)
{
    struct position *position = making->position;
    cell_index taken[CELLS_MAX];
    int count = change_taken(position, making->rule, making->move, taken);
    bool waits = making->rule->takes_jumped && position->game->remove_at_turn_end;
    for (int i = 0; i < count; i++) {
        if (!waits) {
            take(making, taken[i]);
            continue;
        }
        bits_set(position->pending, taken[i]);
        making->final |= position->game->takes_are_final;
    }
}

/* One step further in the history of a figure. */
static inline struct cell_record moved_record(const struct position *position, cell_index from)
{
    struct cell_record record = position->cells[from];
    record.unmoved = 0;
    if (!position->game->tracks_history)
        return record;
    if (record.moves_made < UINT16_MAX)
        record.moves_made++;
    record.last_move = (uint16_t)position->turn.move_number;
    return record;
}

/* The same, as what it becomes. */
static struct cell_record become_record(struct making *making)
{
    struct cell_record record = moved_record(making->position, making->move.from);
    if (making->becomes != FIGURE_NONE)
        record.code = game_code(making->position->game, making->becomes, making->mover);
    return record;
}

/* The figure goes to the target, as what it becomes; what stood there is gone. */
static void go_there(struct making *making)
{
    struct position *position = making->position;
    const struct game *game = position->game;
    struct move move = making->move;
    struct cell_record record = become_record(making);
    making->final |=
        game_contents_set_has(game, game->advancing_codes, position->cells[move.from].code);
    take_all(making);
    position_change(position, making->undo, move.from, cell_empty);
    position_change(position, making->undo, move.to, record);
}

/* The same where nothing but that can be: most moves of most games. */
static void go_plainly(struct making *making)
{
    struct position *position = making->position;
    const struct game *game = position->game;
    struct move move = making->move;
    unsigned code = position->cells[move.from].code;
    bool takes = position->cells[move.to].code != 0;
    making->final = (takes && game->takes_are_final) ||
                    game_contents_set_has(game, game->advancing_codes, code);
    position->turn.last.taken = position->cells[move.to].code;
    keep_taken(making, position->turn.last.taken);
    position_go(position, making->undo, move.from, move.to);
}

static void change_places(struct making *making)
{
    struct position *position = making->position;
    struct move move = making->move;
    struct cell_record record = become_record(making);
    struct cell_record other = position->cells[move.to];
    position_change(position, making->undo, move.from, other);
    position_change(position, making->undo, move.to, record);
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
static cell_index where_it_stands(const struct making *making)
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

static void run_actions(struct making *making)
{
    struct position *position = making->position;
    const struct candidate *candidate = fits_candidate(position, making->move);
    figure_index figure = making->becomes;
    uint16_t code = position->cells[making->move.from].code;
    action_run(position, making->undo, candidate, making->move.from);
    struct cell_record record = position->cells[making->move.to];
    if (figure == FIGURE_NONE || record.code != code)
        return;
    record.code = game_code(position->game, figure, making->mover);
    position_change(position, making->undo, making->move.to, record);
}

static void make_combined(struct making *making)
{
    struct position *position = making->position;
    struct combined_instance instance;
    combined_lay(position->game, making->move.rule & ~RULE_COMBINED, making->move.from, &instance);
    const struct place *places = instance.places;
    bool acts = instance.movement->acts;
    int count = instance.movement->participant_count;
    struct cell_record records[PARTICIPANTS_MAX];
    unsigned going = 0; /* who stays has not moved */
    for (int i = 0; i < count; i++) {
        bool goes = places[i].source != places[i].destination;
        going |= (unsigned)(goes && instance.movement->participants[i].by_default) << i;
        records[i] = moved_record(position, places[i].source);
    }
    if (acts)
        action_run_group(position, making->undo, &instance, going);
    for (int i = 0; i < count && !acts; i++)
        if ((going >> i & 1) != 0)
            position_change(position, making->undo, places[i].source, cell_empty);
    for (int i = 0; i < count; i++)
        if ((going >> i & 1) != 0)
            position_change(position, making->undo, places[i].destination, records[i]);
    position->turn.last.combined = true;
    if (acts)
        position->turn.last.taken = lost_code(making);
    if (position->cells[making->move.to].code == 0) /* it has taken itself */
        position->turn.last.stands = CELL_NONE;
}

static void make_simple(struct making *making)
{
    struct position *position = making->position;
    struct last_move *last = &position->turn.last;
    if (making->rule->plain && making->becomes == FIGURE_NONE && !position->game->tracks_history &&
        (making->rule->takes_marked < 0 ||
         fits_marked(position, making->rule, making->move) == CELL_NONE)) {
        go_plainly(making);
        return;
    }
    last->taken = taken_code(position, making->rule, making->move);
    switch ((enum rule_purpose)making->rule->purpose) {
    case FOR_MOVE:
    case FOR_TAKE:
    case FOR_BOTH:
        go_there(making);
        return;
    case FOR_SWAP:
        change_places(making);
        return;
    case FOR_PUT:
        position_change(position, making->undo, making->move.to,
                        (struct cell_record){.code = making->rule->put_code});
        last->stands = making->move.from;
        return;
    case FOR_ACTIONS:
        run_actions(making);
        last->taken = lost_code(making);
        last->stands = where_it_stands(making);
        return;
    }
    assert(false);
}

/* What comes to the board has not been moved, and it is not where the game began with it. What is removed is, for what is asked
 * of the move, both what moved and what was taken. */
static void make_placement(struct making *making)
{
    struct position *position = making->position;
    struct move move = making->move;
    figure_index figure = placing_figure(move);
    struct last_move last = {.from = CELL_NONE,
                             .to = move.to,
                             .code = game_code(position->game, figure, making->mover),
                             .taken = position->cells[move.to].code};
    bool removes = placing_removes(position, move);
    last.stands = removes ? CELL_NONE : move.to;
    position->turn.last = last;
    if (removes) {
        change_remove(making, move.to);
        return;
    }
    if ((position->game->placing[making->mover].from_hand >> figure & 1) != 0)
        position_keep(position, last.code - 1U, position_held(position, making->mover, figure) - 1);
    position_change(position, making->undo, move.to, (struct cell_record){.code = last.code});
}

void change_board(struct making *making)
{
    struct position *position = making->position;
    struct move move = making->move;
    if (move_is_placement(move)) {
        make_placement(making);
        return;
    }
    if ((move.rule & RULE_COMBINED) == 0) {
        making->rule = change_rule(position, move);
        if (making->rule->promotion_count > 0 &&
            bits_test(game_cell_set(position->game, making->rule->promotion_cells), move.to))
            making->becomes = find_promotion(making);
    }
    position->turn.last = (struct last_move){
        .from = move.from,
        .to = move.to,
        .stands = move.to,
        .code = position->cells[move.from].code,
    };
    if (making->rule == NULL)
        make_combined(making);
    else
        make_simple(making);
}

/* --- when the turn ends ----------------------------------------------------------------------- */

void change_remove_pending(struct making *making)
{
    EACH_BIT (cell, making->position->pending, making->position->game->words)
        take(making, (cell_index)cell);
}

void change_promote_at_end(struct making *making, const struct movement *rule, cell_index cell,
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
        position_change(position, making->undo, cell, record);
        return;
    }
}
