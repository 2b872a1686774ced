/* How a room stands, but for what is on the board: who sits where, what was offered, how it ended.
 * A value; an event leads from one standing to the next, and standing_advance is the only function
 * that takes this step, for a new event and for one read back from the store alike.
 *
 *     WAITING ── the last seat is taken ──► PLAYING ── a result, a claim, resignation, draw, an abort ──► FINISHED
 */
#ifndef SERVER_CORE_STANDING_H
#define SERVER_CORE_STANDING_H

#include "engine/position.h"
#include "protocol/event.h"
#include "protocol/state.h"
#include "server/core/chat_rules.h"
#include "server/core/clock.h"
#include "server/core/identity.h"

enum { SEAT_NONE = -1, REASON_BYTES = 160 };

struct seat {
    bool taken, house; /* house: by the server's own bot */
    enum player_kind as;
    struct identity holder;
    char name[DISPLAY_NAME_BYTES_MAX + 1];
    bool has_key; /* whoever brings the key takes the holder's place */
    unsigned char key_hash[DIGEST_BYTES];
};

struct offer {
    int seat;     /* who made it; SEAT_NONE: there is none */
    uint32_t yes; /* the seats that agree, its maker's included */
};

/* Why a game of two is over whose loser's flag has fallen. */
#define STANDING_OUT_OF_TIME "time"

struct standing {
    enum state_status status;
    struct offer draw, rematch, takeback;
    char next_room[ROOM_ID_BYTES + 1]; /* "" before a rematch */
    bool has_move;                     /* somebody has moved: `last` is what */
    struct move last;
    uint32_t opened;      /* the seats that have moved here: those of a fork's past do not count; */
    int mover;            /*   the last of them, or SEAT_NONE */
    bool in_earnest;      /* each has had a turn, or somebody a second one: too late to abort */
    struct outcome claim; /* how whoever is to move may end the game; PLAYING: in no way */
    bool has_result;
    player_index winner; /* PLAYER_NONE: a draw, */
    player_index loser;  /* unless one of several has lost, */
    bool aborted;        /*   unless the game does not count */
    char reason[REASON_BYTES];
    bool has_clocks;
    bool offers_clocks;   /* the rematch that is offered would have other ones: */
    bool offered_are_set; /*   `offered`; else none */
    bool rated;           /* the result counts for its players' ratings */
    uint32_t gained_ms;   /* by the clock of who made the last move, when the turn ended */
    int rank_count;       /* of games that give places: who has one, first place first */
    player_index ranks[PLAYERS_MAX];
    int out_count; /* who was eliminated, the first one first */
    player_index out[PLAYERS_MAX];
    /* Large, and little of it in use; the rest is never looked at. */
    int seat_count;
    struct seat seats[STATE_SEATS_MAX]; /* by the game's players */
    struct chat_rules chat;
    struct clock clocks[STATE_SEATS_MAX]; /* where the game has them, */
    struct time_budget budgets[STATE_SEATS_MAX];
    struct time_budget offered[STATE_SEATS_MAX];
};

void standing_init(struct standing *standing, const struct game *game);
/* What is in use of it: two seats of eight, and mostly nobody who is muted. */
void standing_copy(struct standing *to, const struct standing *from);

/* One event, or one step of one (see unfold.h). False when it cannot follow, and nothing is changed that matters: a name
 * the game does not know, a seat that is not free, a move that is not legal. A move is made on `position`; who joins
 * brings the identity `holder` (else NULL). */
bool standing_advance(struct standing *standing, struct position *position,
                      const struct event *event, const struct identity *holder);

/* The same of a move that is being made now, not again, and that is `asked` by its cells: what comes of it, the next legal moves included, may take the engine
 * WORK_POSITION_MAX units. `too_much`: it has taken more; then the standing and the position are of no use. */
bool standing_try_move(struct standing *standing, struct position *position,
                       const struct event *event, struct move asked, bool *too_much);

/* Moves are taken back: `position` is where it was after the last of those that stay, and `last` is that (NULL: none was made). False when the event
 * cannot follow. */
/* What the clocks had gained by the moves that are gone they have lost by now. */
bool standing_take_back(struct standing *standing, struct position *position,
                        const struct event *event, const struct move *last);

/* Makes of a standing what it was right after the move that led to `position`, or when play began there (`last` NULL). Who
 * sits where, and what the clocks say, is not looked at. */
void standing_rewind(struct standing *standing, struct position *position, const struct move *last);

uint32_t standing_seats_of(const struct standing *standing, const struct identity *identity);
/* All seats of whoever was given the key of that digest; none: it opens nothing. */
uint32_t standing_seats_by_key(const struct standing *standing,
                               const unsigned char key_hash[DIGEST_BYTES]);
uint32_t standing_all_seats(const struct standing *standing);
int standing_free_seat(const struct standing *standing); /* the first one, or SEAT_NONE */
int standing_first(uint32_t seats); /* the lowest seat of a set, or SEAT_NONE */
/* Whether a player may end the game as if it had not been played. */
bool standing_may_abort(const struct standing *standing);
/* Whose clock runs; PLAYER_NONE: nobody's. In his first turn nobody's does. */
player_index standing_runs(const struct standing *standing, const struct position *position);
/* Whoever has a time of his own must be one who plays. */
bool standing_names_players(const struct game *game, const struct time_control *control);
/* What it was made with; not set where the game has no clocks. */
void standing_time_control(const struct standing *standing, const struct game *game,
                           struct time_control *control);
/* Where who sits there plays in a rematch. */
int standing_next_seat(const struct standing *standing, int seat);
/* What a rematch has unless it is agreed on otherwise: each player the time that he has in this game. */
void standing_usual_control(const struct standing *standing, const struct game *game,
                            struct time_control *control);
/* What a rematch has: what its offer says, if that is another one. */
void standing_next_control(const struct standing *standing, const struct game *game,
                           struct time_control *control);
/* Whether all players of the game have the same time by both. */
bool standing_same_control(const struct game *game, const struct time_control *one,
                           const struct time_control *other);
/* Of events: all players' clocks as they begin, and what a rematch is offered with (NULL: the same as this game). False: somebody
 * is named who does not play. */
bool standing_set_clocks(struct standing *standing, const struct game *game,
                         const struct time_control *control);
bool standing_offer_clocks(struct standing *standing, const struct game *game,
                           const struct time_control *control);
/* Whose seat must act now; PLAYER_NONE unless playing. */
player_index standing_to_move(const struct standing *standing, const struct position *position);

#endif
