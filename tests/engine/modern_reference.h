/* Format 2 once more, written from games/README.md alone: which moves are legal, what they do, how it ends.
 *
 * It knows no table and no set, reads the words where they stand in the file's JSON each time they are asked, and tries
 * everything out on copies: slow, and therefore easy to believe. From the loaded game it takes names and coordinates of
 * cells, players, figures and counters only.
 *
 * A word can be *broken*: then the reference reads the file as if the word were not there. That is how it is seen
 * whether a comparison would notice. */
#ifndef TESTS_ENGINE_MODERN_REFERENCE_H
#define TESTS_ENGINE_MODERN_REFERENCE_H

#include "engine/position.h"

enum { MODERN_CELLS_MAX = 368, MODERN_REFUSAL_BYTES = 512 };

struct modern; /* a game */

struct modern_piece {
    figure_index figure; /* FIGURE_NONE: the cell is empty */
    player_index player;
    bool unmoved, taken; /* taken: it stands there until the turn ends, and only blocks */
    uint16_t moves_made, last_move;
};

struct modern_mark {
    cell_index cell, maker;
};

/* The last move; `exists` is false before the first. */
struct modern_last {
    bool exists, pass, combined;
    player_index player;
    figure_index figure; /* what moved, as it was before */
    cell_index from, to, stands;
    uint64_t took; /* the kinds it took, bits */
};

/* A position is a value; `past` leads to the ones before it, which must live as long as it is used. */
struct modern_position {
    const struct modern_position *past;
    struct modern_piece cells[MODERN_CELLS_MAX];
    int state;
    uint32_t move_number, ply;
    cell_index active;              /* the figure that goes on; CELL_NONE: a turn begins */
    bool may_stop;                  /* and a pass ends its turn */
    bool may_swap;                  /* whoever does not begin has not moved yet */
    bool visited[MODERN_CELLS_MAX]; /* where it stood in this turn */
    struct modern_mark marks[MARKS_MAX];
    int counters[COUNTER_SLOTS_MAX];
    int hands[PLAYERS_MAX][FIGURES_MAX];
    bool replies;         /* it is only asked whether something can follow a move that is tried */
    cell_index started;   /* where its turn began */
    const void *rule;     /* by what movement it came where it is */
    player_index mover;   /* who moved last, or would have before the start */
    player_index checked; /* whom the last win check on the way here named */
    struct modern_last last;
    bool out[PLAYERS_MAX]; /* players who have a place or are eliminated */
    int place_count, eliminated_count;
    player_index eliminated[PLAYERS_MAX];
    player_index places[PLAYERS_MAX];
    struct outcome end; /* a result has ended the game */
};

struct modern_move {
    cell_index from, to; /* CELL_NONE both: a pass, or with CHOICE_SWAP a swap of sides */
    uint8_t choice;
    const void *rule; /* by what movement, or entry of `place`; NULL: neither */
    bool combined;
    figure_index
        put; /* of a placement (`from` is CELL_NONE, `to` a cell): what comes to the board */
};

/* `text` is what `loaded` was made of. NULL with a list of words in `refusal` when the file says what the reference does
 * not know. `broken`: a word, or NULL. */
struct modern *modern_new(const char *text, const struct game *loaded, const char *broken,
                          char *refusal);
void modern_free(struct modern *game);
int modern_mark_count(const struct modern *game);

void modern_start(const struct modern *game, struct modern_position *position);
/* What the engine's position says by its getters; nothing of what was before it. */
void modern_from(const struct modern *game, const struct position *from,
                 struct modern_position *position);

player_index modern_to_move(const struct modern *game, const struct modern_position *position);

/* The only figure that may move: it goes on, or the turn is for the same figure; CELL_NONE: any may. */
cell_index modern_active(const struct modern *game, const struct modern_position *position);

/* The legal moves in the order of movegen_all; the list is the caller's to free. */
int modern_moves(const struct modern *game, const struct modern_position *position,
                 struct modern_move **moves);
/* `after` remembers `before`, which must outlive it. */
void modern_make(const struct modern *game, const struct modern_position *before,
                 struct modern_move move, struct modern_position *after);

struct outcome modern_outcome(const struct modern *game, const struct modern_position *position);
/* Of a game that goes on. */
/* Of each player, in halves; false where the file counts none. */
bool modern_scores(const struct modern *game, const struct modern_position *position, int *halves);
struct outcome modern_claim(const struct modern *game, const struct modern_position *position);
/* When the time of who is to move is over; PLAYING: the file says nothing of it. */
struct outcome modern_flag(const struct modern *game, const struct modern_position *position);

/* The leaves of the tree of turns: a turn of several moves of one figure counts as one, and two ways through it to the same position are one. */
uint64_t modern_perft(const struct modern *game, const struct modern_position *position, int depth);

#endif
