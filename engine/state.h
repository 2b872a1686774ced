/* How a position lies in memory. Private to the engine.
 *
 * One allocation. Its value, which is what a copy copies, begins with `turn` and ends with the cells. Behind it lies scratch
 * space: the action sets a move matches, undo records of the position's own, the ring of earlier positions and room for
 * moves. Bit sets by player and by figure say the same as the cells do. */
#ifndef ENGINE_STATE_H
#define ENGINE_STATE_H

#include "engine/position.h"
#include "engine/tables.h"

/* Eight bytes, so that it is copied as one. */
struct cell_record {
    uint16_t code; /* 0: empty, and then the others are 0 */
    uint16_t moves_made;
    uint16_t last_move;
    uint16_t unmoved; /* 1: the figure has never moved */
};
static const struct cell_record cell_empty;

struct cell_change {
    struct cell_record before;
    cell_index cell;
};

struct mark {
    cell_index cell, maker; /* CELL_NONE: not made by the last move */
};

/* The last move made, for `previous` and for turns of several moves. */
struct last_move {
    cell_index from, to;
    uint16_t code;     /* what moved, as it was before; 0: no move yet, or a pass */
    uint16_t taken;    /* the last of what it took; 0: nothing */
    cell_index stands; /* where what moved stands now; CELL_NONE: nothing moved, or it is gone */
    bool combined;
    bool pass;
};

/* What a position has beside what stands where; a move is taken back by giving it back as it was. */
struct turn {
    uint64_t hash; /* of what stands where, and of what is in hand */
    uint32_t move_number;
    uint32_t ply;
    state_index state;
    player_index winner; /* whom the last CHECK_WIN on the way here named; mostly PLAYER_NONE */
    cell_index active;   /* the figure that goes on; CELL_NONE: a turn begins */
    cell_index started;  /* where it stood when the turn began */
    uint32_t last_rule;  /* by which the figure that goes on came here */
    bool may_stop;       /* a pass ends the turn */
    bool may_swap;       /* of the pie rule: the second player has not moved yet */
    bool keyed;          /* `key` is this position's; else it is found when it is needed */
    bool late;           /* counters that are `late` stand as before the last move */
    uint8_t finished;    /* players who have a place or are out, bits */
    uint8_t place_count;
    uint8_t out_count;  /* who was eliminated: theirs are the last places, from behind */
    uint8_t result;     /* 1 + the result that ended the game; 0: none */
    player_index mover; /* who moved last, for results */
    struct last_move last;
    uint16_t history_first, history_count; /* the positions before this one, in the ring */
    uint64_t key; /* the same as before: the position has been there; where that is asked for */
    player_index places[PLAYERS_MAX];
    struct mark marks[MARKS_MAX];
    int16_t counters[COUNTER_SLOTS_MAX];
};

struct undo {
    uint32_t change_count;
    struct turn turn;
    bool remembers;               /* the ring of positions took one in */
    bool went;                    /* position_go did all that has changed on the board */
    uint64_t lost_key;            /* what the ring of positions forgot by this move */
    size_t beside_bytes;          /* 0: the game has no hands, and no turn goes on */
    void *beside;                 /* pending, visited and hands as they were */
    struct cell_change changes[]; /* a cell at most once: as it was before the move */
};

/* How far a search along a turn looks ahead, in moves. */
enum { LINE_MAX = 64, HISTORY_ALIKE = 2048 };

struct match {
    const struct action_set *set;
    cell_index target;
    uint8_t participant;
};

/* What is known while a question about a position is answered. */
struct asking {
    int8_t attack_depth; /* attacks asked for within attacks; see condition.c */
    int8_t stuck; /* whether there is no legal move, while results are looked at; -1: not known */
    bool replies; /* a move is tried, and it is asked whether there is one after it */
    bool trusts;  /* cells of combined movements are not asked whether they are safe */
    /* Whether there is a legal move like what the node says, in the position, which is tried and given back. */
    bool (*has_move)(struct position *position, const struct condition_node *like);
    struct position *tried;
};

struct position {
    struct game *game;
    struct asking *asking;
    struct match *matches;
    struct undo *scratch;
    /* The cells whose figures have never moved; and, within a turn of several moves, those taken that still stand (`remove` at
     * the end of the turn), and those the moving figure has stood on. Each lies right behind the one before, then the hands. */
    uint64_t *unmoved, *pending, *visited;
    uint16_t *hands; /* by piece, how many of it are in hand; NULL: the game has no hands */
    struct cell_record *cells;
    /* Legality is tried out on the position itself, which is restored: hence these of its own, of a move and of those after it,
     * where somebody asks for them. Whoever asks what has to be tried out gives the position without const. */
    struct undo *trials[2];
    uint64_t *history;   /* a ring of history_max keys */
    uint8_t *keys_alike; /* how many of them are alike, by what is left of them: HISTORY_ALIKE */
    struct undo *line[LINE_MAX]; /* by depth, of the searches that priorities make; or NULL */
    struct move *moves;          /* room for all moves, where priorities need to know them */

    struct turn turn;
    uint64_t unmoved_hash; /* of what has never moved */
    uint64_t words[]; /* by player, by figure; unmoved, pending, visited; then hands and cells */
};

/* The state that the machine waits in, or has ended in. */
static inline const struct machine_state *position_stage(const struct position *position)
{
    return &position->game->states[position->turn.state];
}

/* Whose moves there are by the state machine; PLAYER_NONE: the game has come to an end state. */
static inline player_index position_state_player(const struct position *position)
{
    const struct machine_state *state = position_stage(position);
    return state->kind == MACHINE_MOVE ? state->player : PLAYER_NONE;
}

/* Whether the player to move may swap sides instead of moving: the game goes on, and it is the second player's first turn. */
static inline bool position_may_swap(const struct position *position)
{
    const struct machine_state *states = position->game->states;
    player_index player = position_state_player(position);
    return position->turn.may_swap && player != PLAYER_NONE &&
           player != states[position->game->initial_state].player &&
           position->turn.active == CELL_NONE;
}

static inline uint64_t *position_player_words(const struct position *position, int player)
{
    const struct game *game = position->game;
    return (uint64_t *)position->words + (size_t)player * (size_t)game->words;
}

static inline uint64_t *position_figure_words(const struct position *position, int figure)
{
    const struct game *game = position->game;
    return (uint64_t *)position->words +
           (size_t)(game->player_count + figure) * (size_t)game->words;
}

/* How many figures of a kind a player has in hand. */
static inline unsigned position_held(const struct position *position, player_index player,
                                     figure_index figure)
{
    return position->hands != NULL ? position->hands[game_code(position->game, figure, player) - 1]
                                   : 0;
}

/* Whether what stands there has never moved. Who compiles a word that asks for it says so: else nobody keeps it. */
static inline bool position_never_moved(const struct position *position, cell_index cell)
{
    assert(position->game->tracks_unmoved);
    return bits_test(position->unmoved, cell);
}

/* Whether what stands there has been taken in this turn. */
static inline bool position_waits(const struct position *position, cell_index cell)
{
    return position->game->continues && bits_test(position->pending, cell);
}

/* What one cell adds to the hash. The mixing function is a bijection of 64 bits, so different
 * contents of a cell always differ; nothing depends on the process. */
#define HASH_STEP UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t hash_mix(uint64_t value)
{
    value += HASH_STEP;
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

/* Who has not moved. */
static inline uint64_t hash_unmoved(cell_index cell)
{
    return hash_mix(UINT64_C(0x756e6d6f76656400) ^ (uint64_t)cell << 48);
}

static inline uint64_t hash_cell(cell_index cell, struct cell_record record)
{
    return hash_mix((uint64_t)cell << 48 | (uint64_t)record.code << 32 |
                    (uint64_t)record.moves_made << 16 | record.last_move);
}

/* The same by table, where there is one: of games without history. Of an empty cell it is 0. */
static inline uint64_t position_key(const struct game *game, cell_index cell,
                                    struct cell_record record)
{
    if (game->keys != NULL)
        return game->keys[(size_t)record.code * (size_t)game->cell_count + cell];
    return record.code != 0 ? hash_cell(cell, record) : 0;
}

/* A part of the hash that is not on the board: what it is, which of them, and its value. */
static inline uint64_t hash_part(unsigned tag, unsigned index, uint64_t value)
{
    return hash_mix(hash_mix((uint64_t)tag << 32 | index) ^ value);
}

/* What is in hand; 0: nothing of it. */
static inline uint64_t hash_hand(unsigned piece, unsigned count)
{
    enum { TAG_HAND = 201 }; /* those of turns and keys are lower */
    return count != 0 ? hash_part(TAG_HAND, piece, count) : 0;
}

static inline uint64_t hash_turn(state_index state, uint32_t move_number)
{
    return hash_mix(~((uint64_t)state << 32 | move_number));
}

/* A start position in zeroed memory of position_bytes that goes as it came; without a reference to the game. */
struct position *position_lay(struct game *game, void *memory);
/* How many bytes the value of a position takes, from `turn` to the last cell. */
size_t position_value_bytes(const struct game *game);

/* Changes a cell, its bit sets and the hash. */
void position_write(struct position *position, cell_index cell, struct cell_record record);

/* The same within a move: `undo` remembers what was there before it. Whoever stands there has moved, or is gone. */
void position_change(struct position *position, struct undo *undo, cell_index cell,
                     struct cell_record record);

/* The same of a move's first two changes, where no history is kept: what stood on `from` stands on `to`, where it may have taken
 * something. */
void position_go(struct position *position, struct undo *undo, cell_index from, cell_index to);
/* So many of the piece are in its player's hand from now on; changes the hash. */
void position_keep(struct position *position, unsigned piece, unsigned count);

/* Where the ring keeps what came so many positions after the first it knows. */
static inline int position_key_slot(const struct position *position, int number)
{
    int slot = position->turn.history_first + number, room = position->game->history_max;
    return slot < room ? slot : slot - room;
}

/* How many of the keys in the ring are like this one, itself included, at least; UINT8_MAX: it is not known any more. */
static inline uint8_t *position_keys_alike(const struct position *position, uint64_t key)
{
    return &position->keys_alike[key % HISTORY_ALIKE];
}

/* A slot of the ring gets a key. The 0 of one that never had any counts as well, though nobody has counted it: of keys like 0 it is
 * never known how many there are. */
static inline void position_put_key(struct position *position, int slot, uint64_t key)
{
    uint8_t *before = position_keys_alike(position, position->history[slot]);
    *before = (uint8_t)(*before - (*before != UINT8_MAX));
    uint8_t *now = position_keys_alike(position, key);
    *now = (uint8_t)(*now + (*now != UINT8_MAX));
    position->history[slot] = key;
}

/* Takes back all that a move has changed on the board, but not its hash. */
void position_come_back(struct position *position, const struct undo *undo);

#endif
