/* How the reference of format 2 keeps a game, for its own files: modern_read.c and modern_sides.c make it from the file, modern_words.c
 * says what matches and conditions mean, modern_moves.c which moves there are, modern_placing.c which placements, modern_hands.c what is in hand, modern_swap.c the swap of sides,
 * modern_turn.c what they do, modern_results.c how it ends. */
#ifndef TESTS_ENGINE_MODERN_PARTS_H
#define TESTS_ENGINE_MODERN_PARTS_H

#include <jansson.h>

#include "tests/engine/modern_reference.h"

enum { VIA_MAX = 8, FAN_MAX = 96, STEPS_ANY = 1 << 20, ATTACKS_WITHIN_MAX = 15 };

typedef int matrix[DIMENSIONS_MAX][DIMENSIONS_MAX];

/* A movement of one figure of one player in one direction. */
struct rule {
    matrix turn; /* how `symmetric` has turned it, as the player sees the board */
    int delta[DIMENSIONS_MAX];
    int via_count, via[VIA_MAX][DIMENSIONS_MAX];
    int least, most;
    const json_t *counted; /* what is counted on its line: so many steps; NULL: nothing */
    json_t *words;         /* the movement's object */
    const json_t *promote; /* of its figure, or NULL */
    const json_t *actions; /* of its figure, or NULL */
    bool as_it_stands;     /* written under a player's name: its differences are not mirrored */
};

struct rules {
    int count;
    struct rule *list;
};

enum state_kind { STATE_MOVE, STATE_CHECK, STATE_NEXT_MOVE, STATE_END };

struct state {
    enum state_kind kind;
    const char *name; /* NULL: of `turns` */
    player_index player;
    const char *phase; /* NULL: none */
    bool same_figure;
    bool round_ends; /* of turns: after it the move number grows */
    const json_t *words;
};

/* What is said of a move state: the entry of `turns`, or a state's `parameters`. */
static inline const json_t *words_of_turn(const struct state *state)
{
    return state->name == NULL ? state->words : json_object_get(state->words, "parameters");
}

struct zone {
    const char *name;
    bool has[PLAYERS_MAX][MODERN_CELLS_MAX];
};

struct modern {
    json_t *root;
    struct game *loaded;
    const char *broken;
    int dimensions, cells, players, figures;
    int mirror[PLAYERS_MAX][DIMENSIONS_MAX][DIMENSIONS_MAX + 1]; /* factors, and a number */
    int zone_count;
    struct zone zones[ZONES_MAX];
    int mark_count;
    const char *marks[MARKS_MAX];
    struct rules rules[FIGURES_MAX][PLAYERS_MAX];
    int state_count, first_state;
    struct state states[STATES_MAX];
    bool turns_ask;    /* some are left out unless their `if` holds */
    bool asks_history; /* how often or when a figure was moved */
    struct modern_position start;
    json_t *made; /* movements put together from `use`, kept alive */
};

/* Who asks, and about what: conditions are about a position, a mover and two cells. */
struct scene {
    const struct modern *game;
    const struct modern_position *position;
    player_index mover, next;
    cell_index self, target;
    bool as_it_stands;
    const matrix *turn; /* of the movement whose `if` is asked; NULL: none */
    int attacks_within;
};

/* The word of the object, NULL if it is not there or broken. */
const json_t *say(const struct modern *game, const json_t *object, const char *word);
/* Whether the word is there and has this text. */
bool says(const struct modern *game, const json_t *object, const char *word, const char *text);
/* A list, or one thing that stands for a list of one. */
int list_count(const json_t *value);
const json_t *list_at(const json_t *value, int i);
bool is_true(const json_t *value);

cell_index cell_beside(const struct modern *game, cell_index cell, const int *delta);
/* A difference as the first player says it, turned for `player`; with directions. */
void read_difference(const struct modern *game, const json_t *object, player_index player,
                     bool as_it_stands, int *delta);
/* The same of a condition, which turns with the movement it stands in. */
void read_asked_difference(const struct scene *scene, const json_t *object, int *delta);
/* The directions that `symmetric` and `also_reversed` make of a difference, with the cells of `via`, which turn with it; where
 * there is an `if`, which turns too, two may be the same. */
struct fan {
    int count, vectors;
    bool asks;
    int turned[FAN_MAX][1 + VIA_MAX][DIMENSIONS_MAX];
    matrix turns[FAN_MAX];
};
/* `turn`: of the movement in whose condition it stands, or NULL. */
void read_fan(const struct modern *game, const json_t *object, player_index player,
              bool as_it_stands, const matrix *turn, struct fan *fan);
bool in_zones(const struct modern *game, const json_t *names, player_index player, cell_index cell);
bool coordinate_fits(const json_t *wanted, int value);
int dimension_of(const struct modern *game, const char *name);

/* --- what words mean --- */
bool holds(const struct scene *scene,
           const json_t *condition); /* one, or a list of which one must hold */
bool matches(const struct scene *scene, const json_t *match, cell_index cell); /* likewise */
bool between(const struct modern *game, const json_t *words, int number);      /* `min` and `max` */
/* The cells of a selection, how many; they are added to `cells`, which may be NULL. */
int selected(const struct scene *scene, const json_t *words, bool *cells);
int selected_neighbours(const struct scene *scene, const json_t *words, cell_index from,
                        bool *cells);
bool named_player(const struct scene *scene, const json_t *names, player_index player);
struct modern_piece piece_at(const struct scene *scene, cell_index cell);
bool named_figure(const struct modern *game, const json_t *names, figure_index figure);
bool place_holds(const struct scene *scene, const json_t *place, cell_index cell);
bool is_attacked(const struct scene *scene, cell_index cell, player_index by, const json_t *kinds);
/* Of the position, or of the board whatever else is so. */
int occurrences(const struct modern *game, const struct modern_position *position, bool board,
                int back); /* of the positions before it only so many */

/* --- what hangs together: modern_groups.c --- */
bool group_holds(const struct scene *scene, const json_t *words);
bool connected_holds(const struct scene *scene, const json_t *words);
/* The cells of the cell's group, if it is as the selection says. */
void select_group(const struct scene *scene, const json_t *words, cell_index cell, bool *cells);
void select_territory(const struct scene *scene, const json_t *words, bool *cells);
/* Adds the cells beside one, to which or from which a step leads. */
void add_beside(const struct scene *scene, const json_t *words, cell_index cell, bool *found);

/* --- moves --- */
struct list {
    struct modern_move *moves;
    int count, room;
};
void append(struct list *list, struct modern_move move);
/* Whether the movement leads there. `supposed`: a cell where an enemy is taken to stand. `between` gets the cells between
 * that are occupied. */
struct way {
    int jumped_count;
    cell_index jumped[MODERN_CELLS_MAX];
    cell_index marked; /* where the figure stands that is taken by a mark */
    cell_index passed; /* the last of the cells between */
};
bool fits(const struct scene *scene, const struct rule *rule, cell_index supposed, struct way *way);
bool counts_so_many(const struct scene *scene, const struct rule *rule, int steps);
bool goes_there(const struct scene *scene, const struct rule *rule, int *steps);
bool has_moves(const struct modern *game, const struct modern_position *position);
/* Legal moves of such figures, from and to such cells. */
bool has_moves_like(const struct scene *scene, const json_t *words);
/* Moves of the figure that goes on, before forbid and priority are asked. */
int continuations(const struct modern *game, const struct modern_position *position,
                  struct modern_move **moves);
bool combined_fits(const struct scene *scene, const json_t *movement);
cell_index combined_cell(const struct scene *scene, const json_t *movement, int participant,
                         bool goal);
/* Those of the movement (0) and of its figure (1), with who asks. */
enum { PROMOTION_LISTS = 2 };
const json_t *promotions_of(const struct scene *scene, const struct rule *rule, int list,
                            struct scene *asks);
bool promotion_applies(const struct scene *scene, const json_t *promotion, figure_index taken);

/* --- the swap of sides: modern_swap.c --- */
bool may_swap(const struct modern *game, const struct modern_position *position);
/* Every figure becomes the other's, where its player sees the cell that it left. */
void swap_sides(const struct modern *game, struct modern_position *position);

/* --- placements: modern_placing.c --- */
bool is_placement(struct modern_move move);
/* Of whoever is to move in the scene. */
void append_placements(struct list *list, const struct scene *asked);
void carry_out_placement(const struct modern *game, struct modern_move move,
                         struct modern_position *after);

/* --- hands: modern_hands.c --- */
void read_hands(struct modern *game);
/* What stands there is taken: it may go to the hand of who moved. */
void keep_taken(const struct modern *game, struct modern_position *position, cell_index cell);
bool is_from_hand(const struct modern *game, const json_t *entry);
int hand_of(const struct scene *scene, const json_t *words);
bool hand_holds(const struct scene *scene, const json_t *words);

/* --- action sets: modern_actions.c --- */
bool acts(const struct modern *game, const struct rule *rule);
/* One of them matches, and none that matches cancels. */
bool actions_allow(const struct scene *scene, const struct rule *rule);
bool actions_take(const struct scene *scene, const struct rule *rule, bool target_only);
void act(const struct scene *scene, const struct rule *rule, struct modern_position *after);
/* Of a combined movement: whether one of its figures says what it does, and may; what those do who say it; and what other
 * players have lost by it. */
bool figure_acts(const struct modern *game, const json_t *movement, int participant);
bool figure_may_act(const struct scene *scene, const json_t *movement, int participant);
void act_together(const struct scene *scene, const json_t *movement, struct modern_position *after);
void note_kinds_gone(const struct scene *scene, struct modern_position *after);

/* --- positions --- */
void modern_learn(struct modern *game); /* what makes positions the same, once the file is read */

/* --- turns --- */
/* `tried`: to see whether it is forbidden; then a turn goes on where a movement fits, forbidden or not. */
void carry_out(const struct modern *game, const struct modern_position *before,
               struct modern_move move, bool tried, struct modern_position *after);
bool is_forbidden(const struct modern *game, const struct modern_position *after);
int count_taken(const struct modern *game, const struct modern_position *before,
                struct modern_move move);
struct scene scene_after(const struct modern *game, const struct modern_position *position);
int sum_of(const struct scene *scene, const json_t *parts);
int counter_value(const struct scene *scene, const char *name, player_index player);
bool counter_holds(const struct scene *scene, const json_t *test);
void skip_players(const struct modern *game, struct modern_position *position);

/* --- how it ends --- */
bool is_too_long(const struct modern *game, const struct modern_position *position);
void look_at_results(const struct modern *game, struct modern_position *position);

#endif
