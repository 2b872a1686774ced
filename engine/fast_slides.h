/* Random games of figures that only slide over empty cells, and put others so (a move and its shot): nothing is taken,
 * counted or compared, and the game ends where there is no move. All that a move asks is then one look along the rays of
 * each figure that may move. Everything else is left to fast_play.c, which also finds out who has won. */
#ifndef ENGINE_FAST_SLIDES_H
#define ENGINE_FAST_SLIDES_H

#include "engine/fast_play.h"

enum { SLIDES_RAYS_MAX = 16, SLIDES_MOVERS_MAX = 8 };

/* How a figure of one player moves, or what it puts, in one state: all its rays together. */
struct slides_way {
    figure_index figure;
    uint16_t put_code;   /* 0: it moves itself */
    uint8_t rising, all; /* rays */
    uint64_t *table;     /* by cell: rising rays first */
    uint16_t rules[SLIDES_RAYS_MAX];
};

struct slides_state {
    player_index player;
    state_index next;
    bool same_figure;
    int way_count;
    struct slides_way ways[SLIDES_MOVERS_MAX];
};

struct fast_slides {
    const struct game *game;
    struct slides_state states[STATES_MAX];
};

struct slides_stand {
    uint64_t *words; /* as in a position */
    state_index state;
    player_index mover; /* who moved last */
    bool stuck;         /* there is no move */
    cell_index from, to, stands;
    uint16_t code; /* of the last move */
};

/* NULL if the game is not of this kind. */
struct fast_slides *fast_slides_new(const struct game *game);
void fast_slides_free(struct fast_slides *slides);

/* Plays until there is no move, or for so many moves; returns how many it took. */
uint32_t fast_slides_run(const struct fast_slides *slides, struct slides_stand *stand,
                         uint64_t *random, uint32_t plies_max, struct move *moves);

#endif
