/* The fast path of format 2: what a game's movements are once their vectors have been multiplied out over the board.
 *
 * Loading sorts every movement into one of a few shapes, each with a table and a loop of its own (loops/, once
 * for each width of bit sets); movements of one figure that differ in direction only share a group. Which positions a
 * player may not leave behind (`forbid` an attacked figure) is decided without making a move: from the protected
 * figure's cell, lines of attack are looked up, and what each asks of the cells between says where the others may go.
 *
 * What has no shape keeps its words: fast_mover.reason says why, and the interpreter plays it. */
#ifndef ENGINE_FAST_FAST_H
#define ENGINE_FAST_FAST_H

#include "engine/state.h"

enum {
    FAST_CELLS_MAX = 256,  /* of a board whose lines of attack have tables */
    FAST_ACCEPTS_MAX = 18, /* kinds of target sets of one player */
    FAST_ALARMS_MAX = 4,
    FAST_GATES_MAX = 8,   /* conditions of one player's movements that ask of the position only */
    FAST_ATTACKS_MAX = 32 /* kinds of attacks on one player's figures */
};

/* What may stand on a target, or be jumped: the first are the same for everybody, the others are limited to some figures. */
enum {
    ACCEPT_EMPTY,
    ACCEPT_ENEMY,
    ACCEPT_BOTH,
    ACCEPT_SWAPPED, /* an own figure, to change places with */
    ACCEPT_BEHIND,  /* an empty cell, behind what is jumped and taken */
    ACCEPT_OWN,
    ACCEPT_ANY,
    ACCEPT_LIMITED
};

/* Cells beside which a figure of these kinds of the player's own stands are no targets. */
struct fast_apart {
    uint64_t figures;       /* 0: no need */
    const uint64_t *beside; /* by where such a figure stands these cells */
};

struct fast_accept {
    uint8_t base;     /* one of the first above */
    uint64_t figures; /* of occupied cells only those with these */
    struct fast_apart apart;
};

enum fast_shape {
    FAST_LEAP,  /* table: the targets of each cell */
    FAST_SHIFT, /* all figures at once: the target's number is the cell's plus `offset`, over `middle` if that is not 0 */
    /* table: the rays of each cell, those that rise and then as many that fall, some of them empty; the first occupied cell ends one */
    FAST_SLIDE,
    FAST_LAME, /* entries of each cell: targets, and the cells that must be empty for them */
    FAST_JUMP, /* table: rays, rising ones first; targets lie behind exactly one figure of `over` */
    FAST_COUNTED, /* table: rays as of a jump; one target, as many steps away as figures on its line are `counted` */
};

/* What a movement offers, and a view of a position wants, as bits; UNRANKED: it is no jump that has to be ranked, which are looked for
 * by themselves. Behind them one for each phase, then one for each gate: offered by who does not have to go through it, wanted
 * while it is shut. */
enum {
    FAST_TAKES = 1,
    FAST_QUIET = 2,
    FAST_GOES_ON = 4,
    FAST_UNRANKED = 8,
    FAST_PHASE = 16,
    FAST_GATE = FAST_PHASE << PHASES_MAX
};
static const uint32_t FAST_GATES = (UINT32_C(1) * FAST_GATE << FAST_GATES_MAX) - FAST_GATE;

/* Movements of one figure of one player that do the same in several directions. */
struct fast_group {
    enum fast_shape shape;
    uint8_t accept, over, counted; /* of the player's sets */
    uint32_t offers;
    uint16_t rising, falling;    /* how many of its rays are so */
    bool masked;                 /* rays have cells that are no targets: the second table */
    bool close;                  /* of a JUMP: only the cell right behind the figure */
    uint16_t over_min, over_max; /* of COUNTED: figures between */
    bool unmoved;                /* only figures that have never moved */
    bool jumps;                  /* what is between of a SHIFT must be in `over` */
    bool takes_jumped;           /* what was jumped is taken */
    int8_t takes_marked;
    int16_t offset, middle;
    uint16_t rule; /* of its first movement */
    /* What its figure becomes on some cells; NULL: nothing. */
    const struct promotion_rule *promotion;
    uint8_t more;             /* choices besides the first, on `promoted` targets */
    const uint64_t *promoted; /* the promotion's cells */
    const uint64_t *from;     /* of SHIFT: cells from which it leads anywhere */
    const uint64_t *table, *masks;
    const uint64_t
        *lines; /* of COUNTED: for each ray the whole line, until the board ends either way */
    const uint32_t *starts; /* LAME: entries by cell, `words` legs then `words` targets each */
};

struct fast_participant {
    cell_index source, destination;
    figure_index figure;
};

/* A combined movement from one cell, found possible but for what stands where. */
struct fast_combined {
    const uint64_t *cells; /* those that must be empty, then those that must never have moved */
    cell_index from, to;
    uint16_t rule;
    uint8_t participant_count, safe_count;
    struct fast_participant participants[PARTICIPANTS_MAX];
    cell_index safe[PARTICIPANTS_MAX];
};

/* What all figures of one kind of one player do. */
struct fast_mover {
    const char *reason; /* why it is interpreted; NULL: it is not */
    figure_index figure;
    uint16_t words; /* where the set of its kind begins in a position's */
    bool royal;     /* a move may not leave it attacked */
    bool
        special; /* it is, or begins combined movements, or groups decide between each other, or are ranked */
    int group_count, combined_count;
    const struct fast_group *groups;
    const struct fast_combined *combined; /* by cell they begin from */
    const uint16_t *combined_starts;      /* by cell, and one more */
    bool has_ranked;                      /* jumps */
    bool combined_unmoved; /* all combined movements ask that this figure has never moved */
    bool overlaps;         /* two groups may lead from one cell to one target: the first decides */
};

/* --- attacks --------------------------------------------------------------------------------------------------- */

/* Attacks by figures of some kinds of one player: one on a cell of reach[cell] attacks it. If it is a line, only if
 * exactly `jumped` of the cells between are occupied, each by a figure of the set `over` of its player. */
struct fast_attack {
    player_index player;
    uint64_t attackers; /* kinds, bits */
    uint64_t kinds;     /* what stands on the attacked cell must be of these figures */
    bool on_empty;      /* an empty cell is attacked, too */
    bool line;
    uint8_t jumped;
    bool close;   /* what is jumped stands right before the attacked cell */
    bool limited; /* not every figure may be jumped */
    uint64_t over_figures;
    struct fast_apart apart; /* of the attackers' player */
    const uint64_t *reach;
};

/* Something forbidden cannot hold after a move unless the counter has grown to min by it. */
struct fast_alarm {
    uint8_t slot;
    int min;
};

/* Something that must hold for some movements of one kind of figure, wherever they lead: it is asked once for all. */
struct fast_gate {
    const struct condition_node *condition;
    struct condition_needs needs; /* its */
    figure_index figure;
};

/* Of players for whom what is forbidden after a placement is decided by the empty cells beside groups and by the board alone:
 * liberties.h. */
struct fast_liberties {
    const struct beside *beside; /* NULL: placements are tried out */
    bool repeats;                /* no board may come again */
};

struct fast_player {
    int accept_count, attack_count, mover_count, alarm_count, gate_count;
    uint32_t offers; /* what some of its movements offer */
    struct fast_accept accepts[FAST_ACCEPTS_MAX];
    const struct fast_attack *attacks; /* by all others, on this player's figures */
    uint64_t royals;                   /* figures a move may not leave attacked, bits */
    uint64_t spared; /* figures of the only other player's that it may not leave attacked, bits */
    uint64_t tried;  /* kinds whose placement lines of attack do not tell all about, bits */
    const struct fast_mover
        *movers[FIGURES_MAX]; /* with shapes, that move or take part in combined movements */
    struct fast_alarm alarms[FAST_ALARMS_MAX];
    struct fast_gate gates[FAST_GATES_MAX];
    unsigned work;        /* of the figure that takes the most, in units of engine/work.h */
    unsigned attack_work; /* of asking whether a cell is attacked */
    uint64_t attackers;   /* kinds whose attacks on its figures the tables tell; 0: they do not */
    bool has_combined;
    bool jumped_lines, limited_lines, kept_off; /* some of the attacks on its figures are so */
    bool slow;                                  /* some figure of the player is to be interpreted */
    struct fast_liberties liberties;
};

struct fast_loops;

struct fast_game {
    const struct fast_loops *loops;
    struct fast_mover *movers; /* by code - 1 */
    struct fast_player players[PLAYERS_MAX];
    /* Of lines of attack: by cell * cells + attacker's cell which of the paths lies between. */
    const uint16_t *between;
    const uint64_t *paths;
    const char *reason; /* why every move has to be tried out; NULL: no need */
    bool filters;       /* what `forbid` says is decided by lines of attack */
    bool
        unranked; /* captures would have to be ranked by what follows them, but not all are jumps */
};

/* --- asking ---------------------------------------------------------------------------------------------------- */

/* A position as the loops see it; the words lie as in a position. */
struct fast_view {
    const struct game *game;
    const uint64_t *words, *kinds; /* by player, by kind of figure */
    const struct mark *marks;
    const struct fast_player *own; /* of `player`; NULL: the game has no tables */
    player_index player;
    cell_index only; /* the figure that may move; CELL_NONE: any */
    /* What a movement must offer: UNRANKED; the phase; gates that are shut; GOES_ON within a turn of several moves; TAKES, and moves that take nothing are left
     * out; QUIET, and those that take something are: it is known that there are none. */
    uint32_t wants;
};

/* What is wanted, and what comes of it. */
struct fast_result {
    struct move *moves; /* where to list; NULL: count. Moves on behind what was listed */
    uint64_t count;     /* when not listed */
    bool any;           /* the count need only tell whether there are any */
    /* Not NULL: where it is quick to tell only the move is listed that comes behind as many as this says, given how many there are,
     * and `count` is 1. */
    int (*choose)(void *context, int count);
    void *context;
    bool only_places; /* nothing is listed where no figure may move, but placements are possible */
    bool finds; /* only the move to this cell with this choice, of the only figure of the view */
    cell_index to;
    uint8_t choice;
    struct position *trial; /* not NULL: every move has to be tried out on it, by */
    bool (*is_legal)(struct position *trial, struct move move);
};

/* The loops for sets of so many words, on this processor. */
struct fast_loops {
    /* Adds the moves of all figures with shapes; those that leave a protected figure attacked are left out where lines of
     * attack decide that. */
    void (*run)(const struct fast_view *view, struct fast_result *result);
    /* Whether the only figure of the view, which is of this kind, is attacked. */
    bool (*attacked)(const struct fast_view *view, figure_index figure);
    /* Where a figure that is put on an empty cell leaves no protected figure attacked; false: that depends on the figure. */
    bool (*placeable)(const struct fast_view *view, uint64_t *cells);
};

const struct fast_loops *fast_loops(int words);
/* They are compiled twice: for every processor, and for those that count the ones of a word, and the zeros before its first, in one
 * instruction. */
const struct fast_loops *fast_loops_plain(int words);
const struct fast_loops *fast_loops_counting(int words);

static inline const struct fast_player *fast_player_of(const struct game *game, player_index player)
{
    return game->fast != NULL ? &game->fast->players[player] : NULL;
}

/* A position that waits for a move, as it is seen by the player to move, all gates being open. */
static inline __attribute__((always_inline)) struct fast_view
fast_see(const struct position *position)
{
    const struct machine_state *state = position_stage(position);
    const struct turn *turn = &position->turn;
    struct fast_view view = {.game = position->game,
                             .words = position->words,
                             .kinds = position_figure_words(position, 0),
                             .marks = turn->marks,
                             .own = fast_player_of(position->game, state->player),
                             .player = state->player,
                             .only = turn->active,
                             .wants = FAST_UNRANKED | (uint32_t)FAST_PHASE << state->phase};
    if (turn->active != CELL_NONE)
        view.wants |= FAST_GOES_ON;
    else if (state->same_figure)
        view.only = turn->last.stands;
    return view;
}

/* Whether attacks by figures of these kinds on a player's figures are in tables. */
static inline bool fast_knows_attacks(const struct game *game, player_index player, uint64_t kinds)
{
    return game->fast != NULL && game->fast->players[player].attackers != 0 &&
           game->fast->players[player].attackers == (kinds & game->all_figures);
}

/* Whether others attack the cell, on which a figure of the player's stands; only where that is known. */
bool fast_attacked(const struct position *position, player_index player, cell_index cell);

/* Whether the figure that goes on has a movement to do so, */
bool fast_goes_on(const struct position *position);

/* which is known of such pieces where nothing is forbidden. To rank what it may jump would take longer than to try one. */
static inline bool fast_knows_moves(const struct game *game, unsigned code)
{
    return game->fast != NULL && game->forbid_count == 0 &&
           game->fast->movers[code - 1].reason == NULL && !game->fast->movers[code - 1].has_ranked;
}

/* Why a mover is not on the fast path, for authors; NULL: it is. */
const char *game_slow_reason(const struct game *game, int mover);
/* Why moves have to be made to know whether they are legal; NULL: they have not, or version 0. */
const char *game_slow_legality(const struct game *game);

#endif
