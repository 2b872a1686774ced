/* What a game is compiled to. Private to the engine; everybody else sees game.h.
 *
 * Words used here and in the files that work with it:
 *
 *   code          what may stand on a cell as one number: 0 is nothing, 1 + figure * players + player a figure
 *   piece         a figure of a player; its number is its code - 1 (the mover is a player: who moves, or has moved)
 *   cell set      which cells, as a bit set of `words` words
 *   contents set  which codes, as a bit set of `contents_words` words
 *   candidate     a movement that leads from one cell to another, before asking what stands where
 *   path          the cells strictly between, nearest first; CELL_NONE where the board has a hole
 */
#ifndef ENGINE_TABLES_H
#define ENGINE_TABLES_H

#include "engine/bits.h"
#include "engine/movement.h"
#include "engine/whole_game.h"

#include <stdatomic.h>

enum {
    CODES_MAX = 1 + FIGURES_MAX * PLAYERS_MAX,
    CONTENTS_WORDS_MAX = (CODES_MAX + WORD_BITS - 1) / WORD_BITS,
    MOVE_NUMBER_MAX = UINT16_MAX,
};

/* --- rules ------------------------------------------------------------------------------------ */

struct candidate {
    uint32_t rule; /* the number of the movement in the game */
    uint32_t path;
    cell_index to;
    uint16_t steps; /* one more than there are cells on the path */
};

enum { RIGHTS_MAX = 64, HISTORY_MAX = 1024 };

/* --- the whole -------------------------------------------------------------------------------- */

/* Where the bit sets of a code's player and figure begin in a position's words; of nothing they are one set. */
struct code_sets {
    uint16_t player, figure;
};

struct game_condition {
    const struct condition_node *node;
    player_index player;
};

/* A piece of a game's memory; taken by load/compile_memory.h, given back with the game. */
struct owned_memory {
    struct owned_memory *next;
    max_align_t bytes[];
};

struct game {
    atomic_int references;
    struct owned_memory *owned;
    struct arena *kept;               /* texts and notation, as they were read */
    size_t bytes;                     /* of all that, roughly what it costs */
    struct compile_memory *compiling; /* NULL once it is done */

    WHOLE_GAME;
    const char *no_move_reasons[PLAYERS_MAX];
    const char *bound_reason;

    int words, contents_words, code_count, piece_count;
    figure_index *code_figures; /* by code; of code 0: NONE */
    player_index *code_players;
    struct code_sets *code_sets;
    uint64_t *cell_sets; /* the first is all cells, the second none */
    uint64_t *contents_sets;
    uint64_t all_figures; /* bits */

    /* Those of one piece lie beside each other, and move.rule counts from the first of them. */
    struct movement *movements;
    uint32_t *piece_rules; /* the first movement of each piece, and one more */
    /* The combined movements a piece may begin: their numbers times PARTICIPANTS_MAX, and which participant it is. */
    uint16_t *beginnings;
    uint32_t *beginning_starts; /* by piece, and one more */
    struct candidate *candidates;
    /* piece * (cells + 1) + from; sorted by `to`, alternatives in order */
    uint32_t *candidate_starts;
    cell_index *paths;
    uint32_t *ray_starts; /* into `paths`; see movement.ray */

    uint32_t initial_move_number;
    uint16_t *start; /* what stands on each cell at the start, as codes */

    /* Format 2. */
    /* piece * cells + cell: cells from which that piece may attack it, as far as geometry says; NULL: too many to list */
    const uint64_t *attack_origins;
    const struct result_rule *first_of_turn[PLAYERS_MAX]; /* as their next_of_turn */
    bool takes_jumped;                                    /* some movement does */
    bool continues;      /* some movement does: pending and visited are in use */
    bool tracks_history; /* something asks for moves_made or last_move; of formats 0 and 1 always */
    bool tracks_previous; /* something asks for the last move when moves or ends are looked for */
    bool tracks_unmoved;
    bool unmoved_is_key; /* a condition asks who has not moved: all of it tells positions apart */
    bool forbids_repetition;
    bool forbids_stuck;     /* what is forbidden asks whether there are moves after a move */
    bool flips;             /* figures change their owners */
    bool checks_wins;       /* a CHECK_WIN stands on the way of turns */
    bool counts_late;       /* some counter is `late` */
    bool turns_ask;         /* some turn is passed over unless its condition holds, */
    bool turns_count;       /* and may ask for what is counted after a move, by attacks too */
    bool takes_are_final;   /* nothing brings a figure back: a take cuts the history of positions */
    bool gives_places;      /* some result finishes or eliminates a player */
    bool may_end_moving;    /* a result that comes asks for moves, and may hold with some */
    bool places_figures;    /* somebody may put figures on the board from nowhere */
    uint32_t unmoved_codes; /* a contents set: those whose not having moved is of interest */
    uint32_t advancing_codes; /* a contents set: those whose moves can never be undone */
    int right_count;
    const uint64_t
        *rights; /* right_count times `words`: unmoved cells that together give a right */
    /* Of counters that are never reset nor set: another value of one makes another position; bits. */
    uint32_t key_slots;
    int history_max;      /* positions remembered; 0: nothing asks for repetition */
    bool repeats;         /* something does */
    int occurrences_min;  /* nothing but claims and flags asks for fewer of them */
    const uint64_t *keys; /* code * cells + cell; NULL: mixed when needed */
    /* All conditions that speak of moves and of the whole game, and for which player as the mover. */
    size_t condition_count;
    const struct game_condition *conditions;

    const struct fast_game *fast; /* engine/fast.h; NULL: nothing is recognised */

    int matches_max; /* action sets matched by one move, at most */
    int changes_max; /* cells changed by one move, at most */
};

enum { CELL_SET_ALL = 0, CELL_SET_NONE = 1 };

static inline const uint64_t *game_cell_set(const struct game *game, uint32_t set)
{
    return game->cell_sets + (size_t)set * (size_t)game->words;
}

static inline bool game_contents_set_has(const struct game *game, uint32_t set, unsigned code)
{
    return bits_test(game->contents_sets + (size_t)set * (size_t)game->contents_words, code);
}

/* All players, as bits. */
static inline uint8_t game_everybody(const struct game *game)
{
    return (uint8_t)((1U << game->player_count) - 1);
}

/* Whose slot it is. */
static inline const struct counter_rule *game_counter_of(const struct game *game, int slot)
{
    int number = game->counter_count - 1;
    while (number > 0 && game->counters[number].first_slot > slot)
        number--;
    return &game->counters[number];
}

static inline uint16_t game_code(const struct game *game, figure_index figure, player_index player)
{
    return (uint16_t)(1 + figure * game->player_count + player);
}

#endif
