/* What is done in a room by those who sit there, and what is said there. */
#include "server/core/handlers.h"

#include "server/core/absence.h"
#include "server/core/journal.h"
#include "server/core/ladder.h"
#include "server/core/making.h"

enum { BOTS_ALONE_MAX = 64 }; /* their moves between two of somebody else's */

/* --- moves ------------------------------------------------------------------------------------ */

static cell_index cell_by_coordinates(const struct game *game, const struct place *place)
{
    int coordinates[DIMENSIONS_MAX];
    int count = game_facts(game)->dimension_count;
    if (place->coordinate_count != count)
        return CELL_NONE;
    for (int i = 0; i < count; i++) {
        int j = 0;
        while (j < count &&
               !text_is(place->coordinates[j].name, game_facts(game)->coordinate_names[i]))
            j++;
        if (j == count)
            return CELL_NONE;
        coordinates[i] = place->coordinates[j].value;
    }
    return game_cell_at(game, coordinates);
}

cell_index find_place(const struct game *game, const struct place *place)
{
    if (place->name.data)
        return game_find_cell(game, place->name.data, place->name.length);
    return cell_by_coordinates(game, place);
}

static enum refusal no_such_cell(struct request *request, const char *field,
                                 const struct place *place)
{
    if (!place->name.data)
        return refuse_because(request, REFUSAL_ILLEGAL_MOVE,
                              "move.%s: the game has no cell at these coordinates", field);
    return refuse_because(request, REFUSAL_ILLEGAL_MOVE, "move.%s: the game has no cell \"%.*s\"",
                          field, (int)place->name.length, place->name.data);
}

enum refusal read_choice(struct request *request, struct text word, uint8_t *choice)
{
    const struct game *game = request->room->edition->game;
    *choice = CHOICE_NONE;
    if (!word.data)
        return REFUSAL_NONE;
    *choice = game_find_figure(game, word.data, word.length);
    if (*choice != FIGURE_NONE)
        return REFUSAL_NONE;
    return refuse_because(request, REFUSAL_ILLEGAL_MOVE,
                          "move.choice: the game has no figure \"%.*s\"", (int)word.length,
                          word.data);
}

/* On another board: whoever explains moves tries things out. */
void explain_move(const struct room *room, cell_index from, cell_index to, uint8_t choice,
                  struct explanation *explanation)
{
    struct position *scratch = room->edition->scratch;
    position_copy(scratch, room->position);
    position_explain(scratch, from, to, choice, explanation);
}

static enum refusal refuse_move(struct request *request, cell_index from, cell_index to,
                                uint8_t choice)
{
    request->explained = true;
    explain_move(request->room, from, to, choice, &request->explanation);
    return refuse_because(request, REFUSAL_ILLEGAL_MOVE, "this move is not legal: %s",
                          request->explanation.words);
}

/* A pass, or a swap of sides. */
static struct move move_of_no_cells(bool swap)
{
    return (struct move){
        .from = CELL_NONE, .to = CELL_NONE, .choice = swap ? CHOICE_SWAP : CHOICE_NONE};
}

static enum refusal play_no_cells(struct request *request, const char *seat, bool swap)
{
    struct event event = {.kind = EVENT_MOVED,
                          .seat_count = 1,
                          .seats = {text_of(seat)},
                          .pass = !swap,
                          .swap = swap};
    enum refusal refusal = journal_propose_move(request, &event, move_of_no_cells(swap));
    if (refusal == REFUSAL_ILLEGAL_MOVE && swap)
        return refuse_move(request, CELL_NONE, CELL_NONE, CHOICE_SWAP);
    if (refusal == REFUSAL_ILLEGAL_MOVE)
        return refuse_because(request, refusal, "this move is not legal: there is no passing now");
    return refusal;
}

static cell_index find_start(const struct game *game, const struct move_request *move)
{
    return move->placement ? CELL_NONE : find_place(game, &move->from);
}

static enum refusal play_figure(struct request *request, const char *seat,
                                const struct move_request *move)
{
    const struct game *game = request->room->edition->game;
    cell_index from = find_start(game, move), to = find_place(game, &move->to);
    uint8_t choice;
    if (from == CELL_NONE && !move->placement)
        return no_such_cell(request, "from", &move->from);
    if (to == CELL_NONE)
        return no_such_cell(request, "to", &move->to);
    enum refusal refusal = read_choice(request, move->choice, &choice);
    if (refusal != REFUSAL_NONE)
        return refusal;
    struct event event = {.kind = EVENT_MOVED,
                          .seat_count = 1,
                          .seats = {text_of(seat)},
                          .to = text_of(game_facts(game)->cells[to].name)};
    if (!move->placement)
        event.from = text_of(game_facts(game)->cells[from].name);
    if (choice != CHOICE_NONE)
        event.choice = text_of(game_facts(game)->figure_names[choice]);
    refusal = journal_propose_move(request, &event,
                                   (struct move){.from = from, .to = to, .choice = choice});
    return refusal == REFUSAL_ILLEGAL_MOVE ? refuse_move(request, from, to, choice) : refusal;
}

/* A game may leave its people out for ever: then our bots do not go on, and it stands still. */
static bool bots_play_alone(const struct room *room)
{
    if (room->move_count < BOTS_ALONE_MAX)
        return false;
    for (int i = 1; i <= BOTS_ALONE_MAX; i++)
        if (!room->standing.seats[room->moves[room->move_count - i].seat].house)
            return false;
    return true;
}

enum refusal play_move(struct request *request)
{
    const struct room *room = request->room;
    const struct move_request *move = &request->message->move.move;
    int64_t version = request->message->move.version;
    if (room->standing.status == STATUS_WAITING)
        return REFUSAL_NOT_STARTED;
    if (room->standing.status == STATUS_FINISHED)
        return REFUSAL_GAME_OVER;
    if (version >= 0 && version < room->position_version) {
        request->version = room->version;
        return REFUSAL_STALE;
    }
    player_index to_move = standing_to_move(&room->standing, room->position);
    if (!(request->attachment->seats >> to_move & 1))
        return REFUSAL_NOT_YOUR_TURN;
    if (timing_is_too_late(request->core, room, request->session->lag_ms, request->came_ms)) {
        journal_flag(request->core, request->room);
        return REFUSAL_GAME_OVER;
    }
    if (request->session->local && bots_play_alone(room))
        return refuse_because(request, REFUSAL_UNSUPPORTED, "nobody else moves");
    const char *seat = room->edition->seat_names[to_move];
    if (move->pass || move->swap)
        return play_no_cells(request, seat, move->swap);
    return play_figure(request, seat, move);
}

/* An acknowledgement says that this move was played, so another move under the same id gets none. */
enum refusal play_move_again(struct request *request, int64_t version)
{
    const struct room *room = request->room;
    const struct game *game = room->edition->game;
    const struct move_request *move = &request->message->move.move;
    int index = room_find_move(room, version);
    struct move asked = move_of_no_cells(move->swap);
    if (index < 0) { /* it ended the game instead of being made */
        acknowledge(request, version);
        return REFUSAL_NONE;
    }
    const struct made_move *made = &room->moves[index];
    if (!move->pass && !move->swap) {
        asked.from = find_start(game, move);
        asked.to = find_place(game, &move->to);
    }
    if (move->choice.data)
        asked.choice = game_find_figure(game, move->choice.data, move->choice.length);
    if (!move_equal(asked, made->move))
        return REFUSAL_ID_REUSED;
    acknowledge(request, version);
    return REFUSAL_NONE;
}

/* --- for a seat ------------------------------------------------------------------------------- */

int own_seat(const struct request *request)
{
    const struct room *room = request->room;
    uint32_t seats = request->attachment->seats;
    player_index to_move = standing_to_move(&room->standing, room->position);
    if (to_move != PLAYER_NONE && seats >> to_move & 1)
        return (int)to_move;
    return standing_first(seats);
}

static enum refusal propose_for_seat(struct request *request, enum event_kind kind, int seat)
{
    struct event event = {.kind = kind,
                          .seat_count = 1,
                          .seats = {text_of(request->room->edition->seat_names[seat])}};
    return journal_propose(request, &event);
}

/* --- giving up, agreeing ---------------------------------------------------------------------- */

enum refusal play_resign(struct request *request)
{
    return propose_for_seat(request, EVENT_RESIGNED, own_seat(request));
}

enum refusal play_abort(struct request *request)
{
    if (!standing_may_abort(&request->room->standing))
        return REFUSAL_TOO_LATE;
    return propose_for_seat(request, EVENT_ABORTED, own_seat(request));
}

enum refusal play_claim(struct request *request)
{
    const struct room *room = request->room;
    player_index to_move = standing_to_move(&room->standing, room->position);
    if (!(request->attachment->seats >> to_move & 1))
        return REFUSAL_NOT_YOUR_TURN;
    if (room->standing.claim.kind == OUTCOME_PLAYING)
        return refuse_because(request, REFUSAL_NO_OFFER, "there is nothing to claim");
    return propose_for_seat(request, EVENT_CLAIMED, (int)to_move);
}

/* Whoever is to move has gone: for how long is for this server to know, and the event says no more than that it was so. */
enum refusal play_claim_timeout(struct request *request)
{
    const struct room *room = request->room;
    bool as_draw = request->message->action.as_draw;
    int seat = (int)standing_to_move(&room->standing, room->position);
    uint64_t left_ms = absence_left_ms(request->core, room, seat);
    if (timing_is_over(request->core, room)) {
        journal_flag(request->core, request->room);
        return REFUSAL_GAME_OVER;
    }
    if (left_ms == ABSENCE_NEVER)
        return refuse_because(request, REFUSAL_NO_OFFER, "nobody is away whose turn it is");
    if (left_ms > 0)
        return refuse_because(request, REFUSAL_NO_OFFER, "%s may come back for another %d s",
                              room->edition->seat_names[seat], (int)((left_ms + 999) / 1000));
    if (!as_draw && room->standing.seat_count != 2)
        return refuse_because(request, REFUSAL_NO_OFFER,
                              "among more than two it can only be claimed as a draw");
    int by = standing_first(request->attachment->seats);
    struct event event = {.kind = EVENT_ABANDONED,
                          .seat_count = 1,
                          .seats = {text_of(room->edition->seat_names[seat])},
                          .by = text_of(room->edition->seat_names[by]),
                          .as_draw = as_draw};
    return journal_propose(request, &event);
}

/* The seat of the session's that has not said yes to the offer, or SEAT_NONE. */
static int asked_seat(const struct request *request, const struct offer *offer)
{
    return offer->seat == SEAT_NONE ? SEAT_NONE
                                    : standing_first(request->attachment->seats & ~offer->yes);
}

static bool agreed_with(const struct request *request, const struct offer *offer, int seat)
{
    return (offer->yes | UINT32_C(1) << seat) == standing_all_seats(&request->room->standing);
}

/* A second offer of one's own changes nothing; one against another's offer is a yes to it. */
static enum refusal offer_again(struct request *request, const struct offer *offer,
                                request_handler *accept)
{
    if (asked_seat(request, offer) != SEAT_NONE)
        return accept(request);
    return change_nothing(request);
}

enum refusal play_draw_offer(struct request *request)
{
    const struct offer *draw = &request->room->standing.draw;
    int seat = own_seat(request);
    if (draw->seat != SEAT_NONE)
        return offer_again(request, draw, play_draw_accept);
    return propose_for_seat(request, EVENT_DRAW_OFFERED, seat);
}

enum refusal play_draw_accept(struct request *request)
{
    const struct offer *draw = &request->room->standing.draw;
    int seat = asked_seat(request, draw);
    if (seat == SEAT_NONE)
        return REFUSAL_NO_OFFER;
    if (!agreed_with(request, draw, seat))
        return propose_for_seat(request, EVENT_DRAW_ACCEPTED, seat);
    struct event event = {.kind = EVENT_DRAWN};
    return journal_propose(request, &event);
}

/* Whoever was asked may decline, one who has agreed already too; not its maker. */
static int declining_seat(const struct request *request, const struct offer *offer)
{
    if (offer->seat == SEAT_NONE)
        return SEAT_NONE;
    return standing_first(request->attachment->seats & ~(UINT32_C(1) << offer->seat));
}

enum refusal play_draw_decline(struct request *request)
{
    int seat = declining_seat(request, &request->room->standing.draw);
    if (seat == SEAT_NONE)
        return REFUSAL_NO_OFFER;
    return propose_for_seat(request, EVENT_DRAW_DECLINED, seat);
}

/* --- taking back ------------------------------------------------------------------------------ */

/* Whoever holds several of the seats says yes once. */
static bool everybody_agrees(const struct standing *standing, uint32_t yes)
{
    uint32_t seats = 0;
    for (int i = 0; i < standing->seat_count; i++)
        if (yes >> i & 1)
            seats |= standing_seats_of(standing, &standing->seats[i].holder);
    return seats == standing_all_seats(standing);
}

static enum refusal take_back(struct request *request, int seat)
{
    const struct room *room = request->room;
    struct event event = {.kind = EVENT_TAKEN_BACK,
                          .seat_count = 1,
                          .seats = {text_of(room->edition->seat_names[seat])},
                          .ply = room_last_turn(room, UINT32_C(1) << seat)};
    return journal_propose(request, &event);
}

/* Nobody has answered a turn that its player has not finished. With a clock the others are asked all the same: the time since
 * the last move would not be counted. */
static bool may_think_again(const struct room *room, int seat)
{
    const struct standing *standing = &room->standing;
    return !standing->has_clocks && room->moves[room->move_count - 1].seat == seat &&
           (int)standing_to_move(standing, room->position) == seat;
}

/* The last turn of those he holds; whoever plays all sides asks nobody. */
enum refusal play_takeback_offer(struct request *request)
{
    const struct room *room = request->room;
    const struct offer *takeback = &room->standing.takeback;
    if (takeback->seat != SEAT_NONE)
        return offer_again(request, takeback, play_takeback_accept);
    int ply = room_last_turn(room, request->attachment->seats);
    if (ply < 0)
        return refuse_because(request, REFUSAL_NO_OFFER, "there is no move of yours to take back");
    int seat = room->moves[ply].seat;
    if (may_think_again(room, seat) || everybody_agrees(&room->standing, UINT32_C(1) << seat))
        return take_back(request, seat);
    return propose_for_seat(request, EVENT_TAKEBACK_OFFERED, seat);
}

enum refusal play_takeback_accept(struct request *request)
{
    const struct standing *standing = &request->room->standing;
    const struct offer *takeback = &standing->takeback;
    int seat = asked_seat(request, takeback);
    if (seat == SEAT_NONE)
        return REFUSAL_NO_OFFER;
    if (everybody_agrees(standing, takeback->yes | UINT32_C(1) << seat))
        return take_back(request, takeback->seat);
    return propose_for_seat(request, EVENT_TAKEBACK_ACCEPTED, seat);
}

enum refusal play_takeback_decline(struct request *request)
{
    int seat = declining_seat(request, &request->room->standing.takeback);
    if (seat == SEAT_NONE)
        return REFUSAL_NO_OFFER;
    return propose_for_seat(request, EVENT_TAKEBACK_DECLINED, seat);
}

/* --- playing again ---------------------------------------------------------------------------- */

/* Once there is a next room everybody has what they asked for: the state names it. */
static bool has_next_room(struct request *request)
{
    if (!request->room->standing.next_room[0])
        return false;
    acknowledge(request, request->room->version);
    return true;
}

static enum refusal make_next_room(struct request *request, const struct time_control *control)
{
    enum refusal refusal = making_room(request);
    return refusal == REFUSAL_NONE ? journal_rematch(request, control) : refusal;
}

/* The clock that a rematch is asked for with: without a word of it each player has the time of this game. */
static enum refusal read_wanted(struct request *request, struct time_control *wanted)
{
    const struct room *room = request->room;
    const struct game *game = room->edition->game;
    const void *clock = request->message->action.clock;
    char words[TIME_WORDS_BYTES];
    standing_usual_control(&room->standing, game, wanted);
    if (!clock)
        return REFUSAL_NONE;
    if (!time_control_read_offer(clock, wanted, words))
        return REFUSAL_BAD_MESSAGE;
    if (!standing_names_players(game, wanted))
        return REFUSAL_NO_SUCH_SEAT;
    const char *why = room->standing.rated ? ladder_refuses(game, wanted) : NULL;
    return why ? refuse_because(request, REFUSAL_BAD_MESSAGE, "clock: rated: %s", why)
               : REFUSAL_NONE;
}

static bool is_offered(const struct room *room, const struct time_control *wanted)
{
    struct time_control offered;
    standing_next_control(&room->standing, room->edition->game, &offered);
    return standing_same_control(room->edition->game, &offered, wanted);
}

static enum refusal offer_rematch(struct request *request, const struct time_control *wanted)
{
    const struct room *room = request->room;
    struct time_control usual;
    standing_usual_control(&room->standing, room->edition->game, &usual);
    bool same = standing_same_control(room->edition->game, &usual, wanted);
    struct event event = {.kind = EVENT_REMATCH_OFFERED,
                          .seat_count = 1,
                          .seats = {text_of(room->edition->seat_names[own_seat(request)])},
                          .clock = same ? NULL : wanted};
    return journal_propose(request, &event);
}

/* An offer of another clock takes the place of the one that stands. */
enum refusal play_rematch_offer(struct request *request)
{
    const struct standing *standing = &request->room->standing;
    struct time_control wanted;
    if (has_next_room(request))
        return REFUSAL_NONE;
    enum refusal refusal = read_wanted(request, &wanted);
    if (refusal != REFUSAL_NONE)
        return refusal;
    if (standing->rematch.seat != SEAT_NONE && is_offered(request->room, &wanted))
        return offer_again(request, &standing->rematch, play_rematch_accept);
    if (standing->seat_count == 1)
        return make_next_room(request, &wanted); /* nobody else has to agree */
    return offer_rematch(request, &wanted);
}

enum refusal play_rematch_accept(struct request *request)
{
    const struct offer *rematch = &request->room->standing.rematch;
    if (has_next_room(request))
        return REFUSAL_NONE;
    int seat = asked_seat(request, rematch);
    if (seat == SEAT_NONE)
        return REFUSAL_NO_OFFER;
    struct time_control control;
    enum refusal refusal = read_wanted(request, &control);
    if (refusal != REFUSAL_NONE)
        return refusal;
    if (request->message->action.clock && !is_offered(request->room, &control))
        return refuse_because(request, REFUSAL_NO_OFFER, "another clock is offered now");
    standing_next_control(&request->room->standing, request->room->edition->game, &control);
    if (agreed_with(request, rematch, seat))
        return make_next_room(request, &control);
    return propose_for_seat(request, EVENT_REMATCH_ACCEPTED, seat);
}

enum refusal play_rematch_decline(struct request *request)
{
    int seat = declining_seat(request, &request->room->standing.rematch);
    if (seat == SEAT_NONE)
        return REFUSAL_NO_OFFER;
    return propose_for_seat(request, EVENT_REMATCH_DECLINED, seat);
}
