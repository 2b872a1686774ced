/* One position of a game: what stands where, whose turn it is, and how the state machine stands.
 *
 * A position belongs to whoever made it and is used with the game it was made for only. Making a move allocates
 * nothing. The 64-bit hash covers everything that decides how play can go on (engine/design.md says what that is in each
 * format); it is kept up to date move by move. Equal positions of equal games hash equal in every process. */
#ifndef ENGINE_POSITION_H
#define ENGINE_POSITION_H

#include <stddef.h>

#include "engine/game.h"

/* A move as a small value. What it does is looked up again in the game's tables when it is made; here it only says which figure
 * goes where, which rule of the game it was found under, and what was chosen where rules leave a choice. A placement, by which
 * a figure comes to the board from nowhere, has no cell to come from; a pass has no cells, nor has the swap of sides by which the
 * second player takes the first one's beginning for their own. */
struct move {
    cell_index from, to;
    uint16_t rule;  /* the engine's own: under which rule it was found */
    uint8_t choice; /* the kind of figure it becomes, or that is put, where rules leave a choice;
                       else CHOICE_NONE; of a swap CHOICE_SWAP */
};

static inline bool move_has_cells(struct move move)
{
    return move.to != CELL_NONE;
}

static inline bool move_is_pass(struct move move)
{
    return move.to == CELL_NONE && move.choice != CHOICE_SWAP;
}

static inline bool move_is_swap(struct move move)
{
    return move.to == CELL_NONE && move.choice == CHOICE_SWAP;
}

static inline bool move_is_placement(struct move move)
{
    return move.from == CELL_NONE && move.to != CELL_NONE;
}

static const struct move move_pass = {.from = CELL_NONE, .to = CELL_NONE, .choice = CHOICE_NONE};
static const struct move move_swap = {.from = CELL_NONE, .to = CELL_NONE, .choice = CHOICE_SWAP};

/* What conditions call `self`: where it begins, or where a figure is put. */
static inline cell_index move_self(cell_index from, cell_index to)
{
    return from != CELL_NONE ? from : to;
}

static inline bool move_equal(struct move a, struct move b)
{
    return a.from == b.from && a.to == b.to && a.choice == b.choice;
}

/* How a game stands: going on, or ended, and then for whom and why. */
enum outcome_kind {
    OUTCOME_PLAYING,
    OUTCOME_WON, /* `winner` is a player */
    OUTCOME_DRAWN,
    OUTCOME_LOST, /* `loser` has lost; of several others nobody has won alone */
};

struct outcome {
    enum outcome_kind kind;
    player_index winner;             /* PLAYER_NONE unless won */
    const char *reason;              /* "" while playing; borrowed from the game, or a constant */
    int rank_count;                  /* of games that give places: how many players have one */
    player_index ranks[PLAYERS_MAX]; /* first place first; also while playing */
    player_index loser;              /* of LOST */
    int out_count;                   /* players who were eliminated, also while playing: */
    player_index out[PLAYERS_MAX];   /* the first one first */
};

static const struct outcome outcome_playing = {
    .kind = OUTCOME_PLAYING, .winner = PLAYER_NONE, .reason = ""};

struct position;
struct undo; /* what a make has to remember; one per ply to be taken back */

struct contents {
    figure_index figure; /* FIGURE_NONE: the cell is empty, and the rest means nothing */
    player_index player;
    uint16_t moves_made;
    uint16_t last_move; /* the move number of its last `move`; 0 before the first */
};

/* The start position; holds a reference to the game. */
struct position *position_new(const struct game *game);
size_t position_bytes(const struct game *game); /* what it takes; at most POSITION_BYTES_MAX */
void position_free(struct position *position);
void position_copy(struct position *to, const struct position *from); /* of the same game */
/* Saving a position's value without its scratch space, for callers that keep many. `bytes` has room for
 * position_saved_bytes. Only a position of the same game in the same process can be restored from it. */
size_t position_saved_bytes(const struct position *position);
void position_save(const struct position *position, void *bytes);
void position_restore(struct position *position, const void *bytes);
const struct game *position_game(const struct position *position);
void position_reset(struct position *position); /* to the start */

struct contents position_contents(const struct position *position, cell_index cell);
/* Writes the cells whose contents differ between two positions of one game, in rising order; returns how many. `cells` has
 * room for all cells of the game. */
int position_difference(const struct position *position, const struct position *other,
                        cell_index *cells);
/* How many figures of the kind the player has in hand; 0 where the game has no hands. */
int position_hand(const struct position *position, player_index player, figure_index figure);
state_index position_state(const struct position *position);
player_index position_to_move(const struct position *position); /* PLAYER_NONE: it has ended */
uint32_t position_move_number(const struct position *position); /* as the format counts, from 1 */
uint32_t position_ply(const struct position *position);         /* moves made since the start */
uint64_t position_hash(const struct position *position);

/* Won or drawn by an end state; by the player to move having no legal move (what that means is the file's
 * "no_moves"); by the bound on plies. Generates moves until the first one is found: ask once per position. */
struct outcome position_outcome(struct position *position);

/* What the player to move may end the game with by saying so (a draw by threefold repetition); PLAYING: nothing. */
struct outcome position_claim(struct position *position);

/* How the game ends when whose turn it is has run out of time, if the file says so (a draw, where there is nothing left to mate
 * with); PLAYING: it says nothing of such a position. */
struct outcome position_flag(struct position *position);

/* What each player has of what the game counts at its end (the first `most` of its results), in halves: `halves` has room for
 * all players. False: it counts nothing. */
bool position_scores(const struct position *position, int *halves);

/* The figure that must or may go on in a turn of several moves; CELL_NONE: a turn begins. */
cell_index position_active(const struct position *position);
/* Whether what stands on the cell has been taken in this turn and stands there till it ends (`remove`: "turn_ends"). */
bool position_pending(const struct position *position, cell_index cell);

/* Setting a position up by hand, for `load`: clear, put the figures, then set the turn. The caller has checked the
 * indices; position_set_turn refuses (false) a state that waits for nobody and ends nothing. */
void position_clear(struct position *position);
void position_put(struct position *position, cell_index cell, struct contents contents);
bool position_set_turn(struct position *position, state_index state, uint32_t move_number);

/* What format 2 adds to a position set up by hand; to be called after position_put and before position_set_turn. A cell
 * that is put is not unmoved. */
void position_set_unmoved(struct position *position, cell_index cell);
bool position_unmoved(const struct position *position, cell_index cell);
void position_set_mark(struct position *position, int mark, cell_index cell, cell_index maker);
bool position_mark(const struct position *position, int mark, cell_index *cell, cell_index *maker);
void position_set_hand(struct position *position, player_index player, figure_index figure,
                       int count); /* at most HAND_MAX; only where the game has hands */
void position_set_counter(struct position *position, int slot, int value);
int position_counter(const struct position *position, int slot);

/* `move` must come from movegen for this very position. With `undo` NULL it cannot be taken back. */
void position_make(struct position *position, struct move move, struct undo *undo);
void position_unmake(struct position *position, const struct undo *undo);
struct undo *undo_new(const struct game *game);
void undo_free(struct undo *undo);

#endif
