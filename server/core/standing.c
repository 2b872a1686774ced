#include "server/core/standing.h"

#include "engine/movegen.h"
#include "engine/trial.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* What an event changes. The one who steps knows the board as well. */
struct step {
    struct standing *standing;
    struct position *position;
    const struct game *game;
    const struct event *event;
    const struct identity *holder;
    const struct move
        *asked;        /* the cells and the choice of a move; NULL: only the event names them */
    uint64_t work_max; /* units for what a move leads to */
    bool too_much;     /* it has taken more */
};

void standing_init(struct standing *standing, const struct game *game)
{
    *standing = (struct standing){.status = STATUS_WAITING,
                                  .seat_count = game_facts(game)->player_count,
                                  .draw.seat = SEAT_NONE,
                                  .rematch.seat = SEAT_NONE,
                                  .takeback.seat = SEAT_NONE,
                                  .mover = SEAT_NONE,
                                  .claim = {.kind = OUTCOME_PLAYING, .winner = PLAYER_NONE},
                                  .winner = PLAYER_NONE,
                                  .loser = PLAYER_NONE};
    assert(standing->seat_count <= STATE_SEATS_MAX);
}

void standing_copy(struct standing *to, const struct standing *from)
{
    memcpy(to, from, offsetof(struct standing, seats));
    memcpy(to->seats, from->seats, sizeof *from->seats * (size_t)from->seat_count);
    chat_rules_copy(&to->chat, &from->chat);
    if (from->offers_clocks)
        memcpy(to->offered, from->offered, sizeof from->offered);
    if (!from->has_clocks)
        return;
    memcpy(to->clocks, from->clocks, sizeof from->clocks);
    memcpy(to->budgets, from->budgets, sizeof from->budgets);
}

/* --- questions -------------------------------------------------------------------------------- */

bool standing_may_abort(const struct standing *standing)
{
    return standing->status == STATUS_PLAYING && !standing->in_earnest;
}

player_index standing_to_move(const struct standing *standing, const struct position *position)
{
    return standing->status == STATUS_PLAYING ? position_to_move(position) : PLAYER_NONE;
}

/* --- the state machine: the one function that changes the status ------------------------------ */

static void enter(struct standing *standing, enum state_status status)
{
    assert(status == standing->status + 1);
    standing->status = status;
    standing->draw = standing->takeback = (struct offer){.seat = SEAT_NONE};
    standing->claim = (struct outcome){.kind = OUTCOME_PLAYING, .winner = PLAYER_NONE};
}

static void finish(struct standing *standing, player_index winner, const char *reason)
{
    standing->has_result = true;
    standing->winner = winner;
    snprintf(standing->reason, sizeof standing->reason, "%s", reason);
    enter(standing, STATUS_FINISHED);
}

/* Of two the other one wins. Else one has lost, the game is over, and nobody has won. */
static void finish_lost(struct standing *standing, int seat, const char *reason)
{
    if (standing->seat_count == 2) {
        finish(standing, (player_index)(1 - seat), reason);
        return;
    }
    standing->loser = (player_index)seat;
    finish(standing, PLAYER_NONE, reason);
}

static void finish_by(struct standing *standing, const struct outcome *outcome)
{
    standing->loser = outcome->kind == OUTCOME_LOST ? outcome->loser : PLAYER_NONE;
    finish(standing, outcome->kind == OUTCOME_WON ? outcome->winner : PLAYER_NONE, outcome->reason);
}

static void keep_ranks(struct standing *standing, const struct outcome *outcome)
{
    standing->rank_count = outcome->rank_count;
    memcpy(standing->ranks, outcome->ranks, sizeof standing->ranks);
    standing->out_count = outcome->out_count;
    memcpy(standing->out, outcome->out, sizeof standing->out);
}

/* After a move, and before the first one: has the game come to an end by its own rules? If not, may it be ended by
 * them? Who would have to work too long to know has come to an end, too. */
static void look_for_end(struct standing *standing, struct position *position)
{
    struct work_stretch stretch = work_begin(WORK_AGAIN_MAX);
    struct outcome outcome = position_outcome(position);
    struct outcome claim = {.kind = OUTCOME_PLAYING, .winner = PLAYER_NONE, .reason = ""};
    if (outcome.kind == OUTCOME_PLAYING)
        claim = position_claim(position);
    if (!work_end(&stretch)) {
        finish(standing, PLAYER_NONE, ANSWERS_TOO_MUCH);
        return;
    }
    keep_ranks(standing, &outcome);
    standing->claim = claim;
    if (outcome.kind != OUTCOME_PLAYING)
        finish_by(standing, &outcome);
}

static void start_when_full(struct step *step)
{
    if (standing_free_seat(step->standing) != SEAT_NONE)
        return;
    enter(step->standing, STATUS_PLAYING);
    look_for_end(step->standing, step->position);
}

/* --- the steps, one per kind of event --------------------------------------------------------- */

static int find_seat(const struct step *step, struct text name)
{
    player_index player = game_find_player(step->game, name.data, name.length);
    return player == PLAYER_NONE ? SEAT_NONE : (int)player;
}

/* The seat of an event that has one. */
static int event_seat(const struct step *step)
{
    return step->event->seat_count == 1 ? find_seat(step, step->event->seats[0]) : SEAT_NONE;
}

/* Whoever brings the tokens of those who sit has seated them already. */
static bool seat_holder(struct step *step, const struct event_holder *holder)
{
    int number = find_seat(step, holder->seat);
    if (number == SEAT_NONE || holder->name.length > DISPLAY_NAME_BYTES_MAX)
        return false;
    struct seat *seat = &step->standing->seats[number];
    if (seat->taken)
        return true;
    *seat = (struct seat){.taken = true,
                          .house = holder->house,
                          .as = holder->as,
                          .holder = identity_told(holder->player)};
    text_copy(holder->name, seat->name, sizeof seat->name);
    return true;
}

/* A rematch, and a room for those who found each other, begins with its seats taken; any other one is empty. */
static bool step_created(struct step *step)
{
    if (step->event->clock != NULL &&
        !standing_set_clocks(step->standing, step->game, step->event->clock))
        return false;
    step->standing->rated = step->event->rated;
    for (int i = 0; i < step->event->holder_count; i++)
        if (!seat_holder(step, &step->event->holders[i]))
            return false;
    if (step->event->previous_room.data || step->event->holder_count > 0)
        start_when_full(step);
    return true;
}

static bool seats_named(const struct step *step, uint32_t *seats)
{
    *seats = 0;
    for (int i = 0; i < step->event->seat_count; i++) {
        int seat = find_seat(step, step->event->seats[i]);
        if (seat == SEAT_NONE)
            return false;
        *seats |= UINT32_C(1) << seat;
    }
    return *seats != 0;
}

static bool step_joined(struct step *step)
{
    const struct event *event = step->event;
    struct standing *standing = step->standing;
    uint32_t seats;
    if (standing->status != STATUS_WAITING || !step->holder || !seats_named(step, &seats) ||
        event->name.length > DISPLAY_NAME_BYTES_MAX)
        return false;
    for (int i = 0; i < standing->seat_count; i++)
        if (seats >> i & 1 && standing->seats[i].taken)
            return false;
    for (int i = 0; i < standing->seat_count; i++) {
        struct seat *seat = &standing->seats[i];
        if (!(seats >> i & 1))
            continue;
        *seat = (struct seat){
            .taken = true, .house = event->house, .as = event->as, .holder = *step->holder};
        text_copy(event->name, seat->name, sizeof seat->name);
    }
    start_when_full(step);
    return true;
}

static bool step_left(struct step *step)
{
    uint32_t seats;
    if (step->standing->status != STATUS_WAITING || !seats_named(step, &seats))
        return false;
    for (int i = 0; i < step->standing->seat_count; i++)
        if (seats >> i & 1)
            step->standing->seats[i] = (struct seat){.taken = false};
    return true;
}

/* The cells that the event names; from CELL_NONE where a figure is put on the board. False: there are none such. */
static bool find_cells(const struct game *game, const struct event *event, cell_index *from,
                       cell_index *to)
{
    bool placement = event->from.data == NULL;
    *from = placement ? CELL_NONE : game_find_cell(game, event->from.data, event->from.length);
    *to = game_find_cell(game, event->to.data, event->to.length);
    return (placement || *from != CELL_NONE) && *to != CELL_NONE;
}

/* The move that the event names; false: there are no such cells, or no such figure. */
static bool read_move(const struct step *step, struct move *named)
{
    const struct event *event = step->event;
    uint8_t choice = CHOICE_NONE;
    *named = (struct move){.from = CELL_NONE, .to = CELL_NONE, .choice = CHOICE_NONE};
    if (event->swap)
        named->choice = CHOICE_SWAP;
    if (event->pass || event->swap)
        return true;
    bool found = find_cells(step->game, event, &named->from, &named->to);
    if (event->choice.data)
        choice = game_find_figure(step->game, event->choice.data, event->choice.length);
    named->choice = choice;
    return found && (!event->choice.data || choice != FIGURE_NONE);
}

static bool find_move(const struct step *step, struct move *move)
{
    struct move named;
    if (step->asked != NULL)
        named = *step->asked;
    else if (!read_move(step, &named))
        return false;
    return step->asked != NULL
               ? movegen_find(step->position, named.from, named.to, named.choice, move)
               : movegen_find_made(step->position, named.from, named.to, named.choice, move);
}

static bool find_move_in_time(const struct step *step, struct move *move)
{
    struct work_stretch stretch = work_begin(WORK_AGAIN_MAX);
    bool found = find_move(step, move);
    return work_end(&stretch) && found;
}

/* The moves of one turn are one; a player whom the rules leave out for long does not keep the game in its beginning. */
static void note_mover(struct standing *standing, int seat)
{
    uint32_t bit = UINT32_C(1) << seat;
    bool again = standing->opened & bit && standing->mover != seat;
    standing->opened |= bit;
    standing->mover = seat;
    if (again || standing->opened == standing_all_seats(standing))
        standing->in_earnest = true;
}

/* Makes the move, and finds out what has come of it; a game that goes on must know its legal moves as well. */
static void make_move(struct step *step, struct move move, bool early)
{
    struct standing *standing = step->standing;
    struct work_stretch stretch = work_begin(step->work_max);
    position_make(step->position, move, NULL);
    standing->has_move = true;
    standing->last = move;
    standing->draw = standing->takeback = (struct offer){.seat = SEAT_NONE};
    if (!early)
        look_for_end(standing, step->position);
    if (step->work_max == WORK_POSITION_MAX && standing->status == STATUS_PLAYING)
        movegen_count(step->position);
    step->too_much = !work_end(&stretch);
}

/* The moves of one turn stop the clock once. */
static void spend_time(struct step *step, int seat)
{
    struct standing *standing = step->standing;
    clock_spend(&standing->clocks[seat], &standing->budgets[seat], step->event->spent_ms);
    if ((int)standing_to_move(standing, step->position) != seat)
        standing->gained_ms = clock_end_turn(&standing->clocks[seat], &standing->budgets[seat]);
}

static bool step_moved(struct step *step)
{
    struct standing *standing = step->standing;
    struct move move;
    bool early = step->event->seat_count == 0; /* before anybody sat down */
    int seat = early ? (int)position_to_move(step->position) : event_seat(step);
    if (standing->status != (early ? STATUS_WAITING : STATUS_PLAYING) ||
        seat != (int)position_to_move(step->position) || !find_move_in_time(step, &move))
        return false;
    bool runs = !early && (int)standing_runs(standing, step->position) == seat;
    if (!early)
        note_mover(standing, seat);
    make_move(step, move, early);
    standing->gained_ms = 0;
    if (!early && standing->has_clocks)
        clock_compensate(&standing->clocks[seat], step->event->lag_ms, step->event->compensated_ms);
    if (runs)
        spend_time(step, seat);
    return !(early && step->too_much);
}

static bool names_a_move(const struct step *step)
{
    cell_index from, to;
    return step->event->pass || step->event->swap ||
           find_cells(step->game, step->event, &from, &to);
}

/* Nothing is asked of the rules: that the move led to too much work was found out once, and what is too much may change. */
static bool step_stopped(struct step *step)
{
    struct standing *standing = step->standing;
    if (standing->status != STATUS_PLAYING ||
        event_seat(step) != (int)position_to_move(step->position) || !names_a_move(step))
        return false;
    finish(standing, PLAYER_NONE, ANSWERS_TOO_MUCH);
    return true;
}

static bool step_resigned(struct step *step)
{
    struct standing *standing = step->standing;
    int seat = event_seat(step);
    if (standing->status != STATUS_PLAYING || seat == SEAT_NONE)
        return false;
    finish_lost(standing, seat, "resignation");
    return true;
}

/* What the game's file says of it; PLAYING: nothing, or it would take too long to know. */
static struct outcome flag_means(struct position *position)
{
    struct work_stretch stretch = work_begin(WORK_POSITION_MAX);
    struct outcome outcome = position_flag(position);
    return work_end(&stretch) ? outcome : (struct outcome){.kind = OUTCOME_PLAYING};
}

/* The flag of whoever is to move has fallen. A game in which he has not begun does not count. */
static bool step_flagged(struct step *step)
{
    struct standing *standing = step->standing;
    int seat = event_seat(step);
    bool began = seat != SEAT_NONE && (standing->opened >> seat & 1) != 0;
    if (standing->status != STATUS_PLAYING || !standing->has_clocks || seat == SEAT_NONE ||
        seat != (int)position_to_move(step->position))
        return false;
    if (!began) {
        char reason[REASON_BYTES];
        snprintf(reason, sizeof reason, "%s did not begin",
                 game_facts(step->game)->player_names[seat]);
        standing->aborted = true;
        finish(standing, PLAYER_NONE, reason);
        return true;
    }
    standing->clocks[seat] = (struct clock){.left_ms = 0};
    struct outcome outcome = flag_means(step->position);
    if (outcome.kind != OUTCOME_PLAYING)
        finish_by(standing, &outcome);
    else
        finish_lost(standing, seat, STANDING_OUT_OF_TIME);
    return true;
}

static bool step_aborted(struct step *step)
{
    struct standing *standing = step->standing;
    int seat = event_seat(step);
    if (!standing_may_abort(standing) || seat == SEAT_NONE)
        return false;
    char reason[REASON_BYTES];
    snprintf(reason, sizeof reason, "aborted by %s", game_facts(step->game)->player_names[seat]);
    standing->aborted = true;
    finish(standing, PLAYER_NONE, reason);
    return true;
}

/* Only whoever is to move may claim, and only what there is. */
static bool step_claimed(struct step *step)
{
    struct standing *standing = step->standing;
    struct outcome claim = standing->claim;
    if (standing->status != STATUS_PLAYING || claim.kind == OUTCOME_PLAYING ||
        event_seat(step) != (int)position_to_move(step->position))
        return false;
    finish_by(standing, &claim);
    return true;
}

/* Whoever is to move had gone for so long that another one may end the game: of two as a win, too. That he was gone is for
 * whoever decides it to know; a log only tells. */
static bool step_abandoned(struct step *step)
{
    struct standing *standing = step->standing;
    int seat = event_seat(step), by = find_seat(step, step->event->by);
    if (standing->status != STATUS_PLAYING || !standing->in_earnest || seat == SEAT_NONE ||
        by == SEAT_NONE || by == seat || seat != (int)position_to_move(step->position))
        return false;
    if (!step->event->as_draw && standing->seat_count != 2)
        return false;
    char reason[REASON_BYTES];
    snprintf(reason, sizeof reason, "%s was absent", game_facts(step->game)->player_names[seat]);
    if (step->event->as_draw)
        finish(standing, PLAYER_NONE, reason);
    else
        finish(standing, (player_index)by, "absence");
    return true;
}

/* An offer is made, agreed to by one more, or gone. */
static bool wish(const struct step *step, struct offer *offer, enum event_kind offered,
                 enum event_kind accepted)
{
    int seat = event_seat(step);
    if (seat == SEAT_NONE || (step->event->kind == accepted && offer->seat == SEAT_NONE))
        return false;
    if (step->event->kind == offered)
        *offer = (struct offer){seat, UINT32_C(1) << seat};
    else if (step->event->kind == accepted)
        offer->yes |= UINT32_C(1) << seat;
    else
        *offer = (struct offer){.seat = SEAT_NONE};
    return true;
}

static bool step_draw(struct step *step)
{
    return step->standing->status == STATUS_PLAYING &&
           wish(step, &step->standing->draw, EVENT_DRAW_OFFERED, EVENT_DRAW_ACCEPTED);
}

static bool step_drawn(struct step *step)
{
    if (step->standing->status != STATUS_PLAYING)
        return false;
    finish(step->standing, PLAYER_NONE, "agreement");
    return true;
}

static bool step_takeback_wish(struct step *step)
{
    struct standing *standing = step->standing;
    return standing->status == STATUS_PLAYING && standing->has_move &&
           wish(step, &standing->takeback, EVENT_TAKEBACK_OFFERED, EVENT_TAKEBACK_ACCEPTED);
}

/* The moves of a game are known to who follows all of it, and taken back there: standing_take_back. */
static bool step_taken_back(struct step *step)
{
    (void)step;
    return false;
}

static bool step_rematch_wish(struct step *step)
{
    struct standing *standing = step->standing;
    return standing->status == STATUS_FINISHED &&
           wish(step, &standing->rematch, EVENT_REMATCH_OFFERED, EVENT_REMATCH_ACCEPTED) &&
           (step->event->kind == EVENT_REMATCH_ACCEPTED ||
            standing_offer_clocks(standing, step->game, step->event->clock));
}

static bool step_rematch(struct step *step)
{
    if (step->standing->status != STATUS_FINISHED || !room_id_fits(step->event->next_room.length))
        return false;
    text_copy(step->event->next_room, step->standing->next_room, sizeof step->standing->next_room);
    step->standing->rematch = (struct offer){.seat = SEAT_NONE};
    step->standing->offers_clocks = false;
    return true;
}

static bool all_taken(const struct standing *standing, uint32_t seats)
{
    for (int i = 0; i < standing->seat_count; i++)
        if (seats >> i & 1 && !standing->seats[i].taken)
            return false;
    return true;
}

/* The new key takes the place of the old one. A log that has been in other hands has no digests:
 * then there is a key that nobody has. */
static bool step_seat_key(struct step *step)
{
    struct text text = step->event->key_hash;
    unsigned char hash[DIGEST_BYTES] = {0};
    uint32_t seats;
    if (!seats_named(step, &seats) || !all_taken(step->standing, seats) ||
        (text.data && !digest_read_hex(text.data, text.length, hash, sizeof hash)))
        return false;
    for (int i = 0; i < step->standing->seat_count; i++) {
        struct seat *seat = &step->standing->seats[i];
        if (!(seats >> i & 1))
            continue;
        seat->has_key = text.data != NULL;
        memcpy(seat->key_hash, hash, sizeof hash);
    }
    return true;
}

/* The key is used up. What was offered and agreed to is the seat's, so it stands. */
static bool step_handed_over(struct step *step)
{
    const struct event *event = step->event;
    uint32_t seats;
    if (!step->holder || !seats_named(step, &seats) || !all_taken(step->standing, seats) ||
        event->name.length > DISPLAY_NAME_BYTES_MAX)
        return false;
    for (int i = 0; i < step->standing->seat_count; i++) {
        if (!(seats >> i & 1))
            continue;
        struct seat *seat = &step->standing->seats[i];
        *seat = (struct seat){.taken = true, .as = event->as, .holder = *step->holder};
        text_copy(event->name, seat->name, sizeof seat->name);
    }
    return true;
}

static bool step_chat_allowed(struct step *step)
{
    step->standing->chat.voices = step->event->voices;
    return event_seat(step) != SEAT_NONE;
}

static bool step_muted(struct step *step)
{
    return event_seat(step) != SEAT_NONE &&
           chat_rules_mute(&step->standing->chat, step->event->player);
}

static bool step_unmuted(struct step *step)
{
    return event_seat(step) != SEAT_NONE &&
           chat_rules_unmute(&step->standing->chat, step->event->player);
}

static bool step_nothing(struct step *step)
{
    (void)step;
    return true;
}

static bool take_step(struct step *step)
{
    static bool (*const steps[EVENT_KIND_COUNT])(struct step *) = {
        [EVENT_CREATED] = step_created,
        [EVENT_JOINED] = step_joined,
        [EVENT_LEFT] = step_left,
        [EVENT_MOVED] = step_moved,
        [EVENT_STOPPED] = step_stopped,
        [EVENT_FLAGGED] = step_flagged,
        [EVENT_RESIGNED] = step_resigned,
        [EVENT_ABORTED] = step_aborted,
        [EVENT_DRAW_OFFERED] = step_draw,
        [EVENT_DRAW_DECLINED] = step_draw,
        [EVENT_DRAW_ACCEPTED] = step_draw,
        [EVENT_TAKEBACK_OFFERED] = step_takeback_wish,
        [EVENT_TAKEBACK_DECLINED] = step_takeback_wish,
        [EVENT_TAKEBACK_ACCEPTED] = step_takeback_wish,
        [EVENT_TAKEN_BACK] = step_taken_back,
        [EVENT_CLAIMED] = step_claimed,
        [EVENT_ABANDONED] = step_abandoned,
        [EVENT_DRAWN] = step_drawn,
        [EVENT_REMATCH_OFFERED] = step_rematch_wish,
        [EVENT_REMATCH_DECLINED] = step_rematch_wish,
        [EVENT_REMATCH_ACCEPTED] = step_rematch_wish,
        [EVENT_REMATCH] = step_rematch,
        [EVENT_CHATTED] = step_nothing,
        [EVENT_SEAT_KEY] = step_seat_key,
        [EVENT_HANDED_OVER] = step_handed_over,
        [EVENT_CHAT_ALLOWED] = step_chat_allowed,
        [EVENT_MUTED] = step_muted,
        [EVENT_UNMUTED] = step_unmuted,
    };
    return steps[step->event->kind](step);
}

bool standing_advance(struct standing *standing, struct position *position,
                      const struct event *event, const struct identity *holder)
{
    struct step step = {.standing = standing,
                        .position = position,
                        .game = position_game(position),
                        .event = event,
                        .holder = holder,
                        .work_max = WORK_AGAIN_MAX};
    return take_step(&step);
}

bool standing_try_move(struct standing *standing, struct position *position,
                       const struct event *event, struct move asked, bool *too_much)
{
    struct step step = {.standing = standing,
                        .position = position,
                        .game = position_game(position),
                        .event = event,
                        .asked = &asked,
                        .work_max = WORK_POSITION_MAX};
    bool legal = take_step(&step);
    *too_much = step.too_much;
    return legal;
}

/* Whose turn it is again makes a move in the place of one of his: that is no second turn. */
bool standing_take_back(struct standing *standing, struct position *position,
                        const struct event *event, const struct move *last)
{
    struct step step = {.standing = standing, .game = position_game(position), .event = event};
    if (standing->status != STATUS_PLAYING || event_seat(&step) == SEAT_NONE)
        return false;
    standing->has_move = last != NULL;
    if (last)
        standing->last = *last;
    standing->mover = (int)position_to_move(position);
    standing->draw = standing->takeback = (struct offer){.seat = SEAT_NONE};
    look_for_end(standing, position);
    return standing->status == STATUS_PLAYING;
}

void standing_rewind(struct standing *standing, struct position *position, const struct move *last)
{
    struct standing then;
    standing_init(&then, position_game(position));
    memcpy(then.seats, standing->seats, sizeof then.seats);
    memcpy(then.clocks, standing->clocks, sizeof then.clocks);
    memcpy(then.budgets, standing->budgets, sizeof then.budgets);
    then.has_clocks = standing->has_clocks;
    then.rated = standing->rated;
    then.status = STATUS_PLAYING;
    then.has_move = last != NULL;
    if (last)
        then.last = *last;
    *standing = then;
    look_for_end(standing, position);
}
