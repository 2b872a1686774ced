/* A room's state as a value; its JSON document; the RFC 7396 merge patch from one to another; and
 * its hash.
 *
 * Strings are borrowed from whoever filled the state in, and states that are compared use the same
 * arrays of names. The document, the patch and the hash are those of README.md ("Events, state,
 * snapshots"). */
#ifndef PROTOCOL_STATE_H
#define PROTOCOL_STATE_H

#include "protocol/message.h"
#include "protocol/writer.h"

enum { STATE_SEATS_MAX = 8 };

struct state_cell {
    const char *figure; /* NULL: the cell is empty */
    const char *player;
    uint32_t moves_made, last_move;
};

struct state_seat {
    const char *player; /* the id; NULL: the seat is free */
    const char *name;
    enum player_kind as;
    bool has_clock;
    uint32_t
        left_ms; /* what was left when its last turn ended, or the last move of this one was made */
    uint32_t periods; /* of byo-yomi */
};

/* How a game ends, or would. */
struct state_end {
    const char *winner; /* NULL: nobody; a draw, */
    const char *reason;
    bool aborted;      /* unless the game does not count, */
    const char *loser; /* or one of several has lost */
};

enum state_status { STATUS_WAITING, STATUS_PLAYING, STATUS_FINISHED };

struct state {
    int cell_count, seat_count;
    const char *const *cell_names; /* shared by all states of a game */
    const char *const *seat_names;
    struct state_cell *cells; /* the caller's storage */
    struct state_seat seats[STATE_SEATS_MAX];
    enum state_status status;
    const char *state, *to_move; /* to_move NULL: nobody */
    uint32_t move_number, ply;
    const char *last_from, *last_to, *last_choice; /* NULL: from nowhere; no last move; no choice */
    bool last_pass, last_swap; /* the last move was a pass, or a swap of sides */
    const char *active; /* the cell whose figure goes on in a turn of several moves; or NULL */
    int taken_count;    /* cells whose figures have been taken and stand till the turn ends */
    const char *const *taken;                                            /* borrowed */
    const char *draw_offer, *rematch_offer, *takeback_offer, *next_room; /* NULL: none */
    bool has_claim; /* whoever is to move may end the game with it */
    struct state_end claim;
    bool has_result;
    struct state_end result;
    int rank_count; /* players who have a place, first place first */
    const char *ranks[STATE_SEATS_MAX];
    int out_count; /* players who were eliminated, the first one first */
    const char *out[STATE_SEATS_MAX];
};

const char *status_word(enum state_status status);

void state_write(const struct state *state, struct writer *writer);
/* Writes the patch object; `{}` when nothing differs. */
void state_write_patch(const struct state *before, const struct state *after,
                       struct writer *writer);
uint32_t state_hash(const struct state *state);
/* The hash of `after`, from that of `before`, looking only at what differs. */
uint32_t state_hash_patched(uint32_t hash, const struct state *before, const struct state *after);
enum { STATE_HASH_DIGITS = 8 };
void state_hash_text(uint32_t hash, char text[STATE_HASH_DIGITS + 1]);

#endif
