/* What the readers of the parts of a game file have in common: the document, what is known of it so
 * far, and the few questions everybody asks a node ("are you a list?", "which figure do you
 * name?"), with their complaints.
 *
 * The rule for all: complain at the node, go on with something harmless, so that one run finds all
 * there is to find. A name whose list could not be read is not complained about: one mistake, one
 * complaint. The definition is only handed out if there was no error. */
#ifndef ENGINE_LOAD_READER_H
#define ENGINE_LOAD_READER_H

#include "engine/arena.h"
#include "engine/load/definition.h"
#include "engine/load/document.h"
#include "engine/load/expression.h"
#include "engine/load/text.h"

#include <setjmp.h>

/* Bounds beside those of engine/types.h: they keep the compiled tables and the time a move takes
 * finite. */
enum {
    SETS_MAX = 256,              /* action sets of one list */
    SETS_TOTAL_MAX = 16384,      /* of the whole game, after joining */
    ACTIONS_MAX = 16,            /* of one set */
    CONDITIONS_MAX = 256,        /* of one `if` */
    WINS_MAX = 64,               /* win conditions of one player */
    CANDIDATES_MAX = 256 * 1024, /* cells × movements */
    POINTS_MAX = 64,             /* of a cell's outline */
    POSITION_MAX = 100000,       /* absolute value, in cell sizes, and of degrees */
    COUNTER_MAX = 1000000,       /* absolute value of the numbers conditions compare with */
    TITLE_BYTES_MAX = 200,
    DESCRIPTION_BYTES_MAX = 4000,
    IMAGE_BYTES_MAX = 512,
    COLOUR_BYTES_MAX = 64,
    EXPRESSION_MEMORY_MAX = 1024 * 1024,
    ZONES_LISTED_MAX = 16,       /* of one list of names */
    NAMED_MAX = 64,              /* named movements, named cell actions, named selections */
    DIRECTIONS_MAX = 32,         /* named ones */
    VIA_MAX = 8,                 /* cells of one `via` */
    DELTAS_MAX = 256,            /* of one list, written out */
    SHAPE_CELLS_MAX = 16 * 1024, /* of all shapes together, before `where` and `except` */
    TURNS_MAX = 254,             /* entries of `turns` */
    LINES_MAX = 4096,            /* drawn on the board */
    LINE_ENTRIES_MAX = 16,       /* of `board.lines` */
    LANGUAGES_MAX = 16,          /* of `translations` */
    IMAGE_SETS_MAX = 8,          /* of `resources.sets` */
    EXPRESSION_WORK_MAX =
        8 * 1024 * 1024, /* bytes of expressions evaluated, summed over the cells */
    ARENA_BYTES_MAX = 16 * 1024 * 1024,
};

/* Where a condition stands decides what it may ask. */
enum test_place { PLACE_ACTION, PLACE_MOVE, PLACE_AFTER, PLACE_FORBID, PLACE_RESULT };

/* A list that grows while it is read: reader_add. */
struct growing_list {
    void *elements;
    int count, room;
};

/* How a player sees the board: where the first player sees cell c this one sees linear × c + offset. */
struct mirror {
    struct vector linear[DIMENSIONS_MAX]; /* rows */
    int offset[DIMENSIONS_MAX];
    int order;               /* so often it is looked into until everything is seen as it is */
    const cell_index *cells; /* by cell: the one this player sees there; NULL: every cell itself */
};

/* A named direction as each player sees it. */
struct direction {
    bool sound;
    struct vector seen[PLAYERS_MAX];
};

struct field;

struct reader {
    const struct load_options *options;
    struct document document;
    const struct node *root;
    const struct field *field; /* the row of a table that is read now: fields.h */
    int complaints;            /* about errors, those counted that are not said again */

    /* Format 2. Lists of movements and conditions are read once for each player who may move: */
    player_index mover;      /* this one; deltas are turned to how they see the board, */
    bool absolute;           /* unless they stand under a player's name */
    struct name_list absent; /* players of the file who do not play now */
    struct name_list steps;  /* coordinates and, behind them, directions */
    struct name_list zones, selections, directions, named_movements, named_actions, marks, phases,
        counters;
    struct mirror mirrors[PLAYERS_MAX];
    bool mirrors_broken; /* then nobody complains about what they would have changed */
    struct direction *direction_list;
    struct whereabouts *zone_places;   /* what the nameless zones are */
    struct symmetry *symmetry;         /* room to write a movement out in */
    struct differences *differences;   /* of the board; NULL: nobody has asked for them */
    struct cell_actions outer_actions; /* of the figure or combined movement around what is read */
    const struct promotion_rule *outer_promotions; /* of the figure */
    int outer_promotion_count;
    struct growing_list movements; /* so far, of one figure for one player */
    int movements_visited;         /* elements of its lists, those of named lists each time */
    bool movement_used[NAMED_MAX];
    bool movement_open[NAMED_MAX];     /* named lists we are inside of */
    bool within_selection;             /* what is read now stands in `selections` */
    struct notation_tables *notation;  /* the definition's, while `notation` and `tests` are read */
    uint8_t letter_cases[PLAYERS_MAX]; /* enum letter_case */
    bool letters_broken;               /* something was wrong with figures' letters */
    int shape_cells;                   /* looked at so far */
    bool foreign_image;                /* a picture on another server was warned of */
    bool repeats;                      /* some condition has asked for repetition */
    bool mirror_missed;                /* figures stand on others because nothing mirrors them */
    int test_total;
    int condition_depth;             /* of the condition that is being read, */
    enum test_place condition_place; /* and where it stands */

    struct diagnostics *diagnostics;
    jmp_buf over; /* where reading ends when it cannot go on */
    bool keeps;   /* what is allocated now goes to the arena of what is kept: definition.h */
    struct definition *definition;
    struct expressions *expressions; /* NULL while the coordinates' names are not known */
    struct name_list dimensions, figures, players, states;
    bool cells_known;
    int sets_total, candidates;
    size_t expression_work;
};

/* --- complaining ------------------------------------------------------------------------------ */

void reader_say(struct reader *reader, enum diagnostic_severity severity, const struct node *node,
                int part, const char *hint, const char *format, ...);
#define reader_error_at(reader, node, part, ...)                                                   \
    reader_say(reader, DIAGNOSTIC_ERROR, node, part, __VA_ARGS__)
#define reader_warn(reader, node, part, ...)                                                       \
    reader_say(reader, DIAGNOSTIC_WARNING, node, part, __VA_ARGS__)
/* At the node's value, or at its key; a `part` may also be a letter of a text. */
#define reader_error(reader, node, ...)     reader_error_at(reader, node, NODE_VALUE, __VA_ARGS__)
#define reader_error_key(reader, node, ...) reader_error_at(reader, node, NODE_KEY, __VA_ARGS__)
/* Reading is over in this moment, by a jump back to definition_read. That is safe because all that is taken while reading
 * is in the arenas, the document and the expressions, which go there. */
_Noreturn void reader_end(struct reader *reader);
#define reader_stop(reader, node, ...) (reader_error(reader, node, __VA_ARGS__), reader_end(reader))
_Noreturn void reader_starved(struct reader *reader); /* the system has no more memory */

/* Memory of the definition; who asks need not look whether there was any: where there is none, reading is over. */
void *reader_allocate(struct reader *reader, size_t count, size_t size);
/* The same of what the game keeps. */
void *reader_keep(struct reader *reader, size_t count, size_t size);
/* One more element of the list, all of which are of this size. */
void *reader_add(struct reader *reader, struct growing_list *list, size_t size);
/* What is allocated from now on goes to `kept`, or not; what was so before. */
static inline bool reader_keeps(struct reader *reader, bool keeps)
{
    bool before = reader->keeps;
    reader->keeps = keeps;
    return before;
}
char *reader_copy_string(struct reader *reader, const char *string);
const char *reader_pointer(struct reader *reader, const struct node *node);

/* What does not go together: where the word is there, and this is so, its key is complained about. */
void reader_refuse(struct reader *reader, const struct node *object, const char *word, bool wrong,
                   const char *hint, const char *message);
/* What goes only together: where the word is missing, and this is so. */
void reader_demand(struct reader *reader, const struct node *object, const char *word, bool wanted,
                   const char *hint);

/* --- asking a node ---------------------------------------------------------------------------- */

/* It is there and of that type; else complains. */
bool reader_expect(struct reader *reader, const struct node *node, enum node_type type);
/* The same, but absence is not complained about. */
bool reader_expect_if_there(struct reader *reader, const struct node *node, enum node_type type);
/* A list or object of at most `most` elements; `what` in the plural. */
bool reader_expect_at_most(struct reader *reader, const struct node *node, size_t most,
                           const char *what);

/* A list of so many. */
bool reader_expect_list(struct reader *reader, const struct node *node, size_t most,
                        const char *what);

static inline bool reader_is_modern(const struct reader *reader)
{
    return reader->definition->format == 2;
}

bool reader_integer(struct reader *reader, const struct node *node, int least, int most,
                    int *value);
/* [first, last], both at most `most`, with first ≤ last, or a number that is both; `endless`: `last` may be null, and is what
 * stands there. */
void reader_range(struct reader *reader, const struct node *node, int least_first, int least_last,
                  int most, bool endless, int *first, int *last);
bool reader_boolean(struct reader *reader, const struct node *node,
                    bool *value); /* absent: false, no complaint */
/* A text of at most `most` bytes; NULL when absent (no complaint) or wrong. Control characters only
 * if `lines`, and then only line feeds and tabs. */
const char *reader_text(struct reader *reader, const struct node *node, size_t most, bool lines);
/* That there is no such name, and which one may be meant. */
void reader_say_unknown(struct reader *reader, enum diagnostic_severity severity,
                        const struct node *node, enum node_part part,
                        const struct name_list *names);
/* The index of the name that the node's key or string value says; −1 after complaining. */
int reader_name(struct reader *reader, const struct node *node, enum node_part part,
                const struct name_list *names);
/* One name or a list of them, as bits that are set in words, which were 0; `once`: none may stand twice. False after complaining. */
bool reader_names(struct reader *reader, const struct node *node, const struct name_list *names,
                  bool once, uint64_t *words);
/* One more name, which is the node's key or string value; false after complaining, though it may be there all the same. `room` is where the list's names are. */
bool reader_add_name(struct reader *reader, const struct node *node, enum node_part part,
                     struct name_list *names, const char **room, int most);
/* The keys of an object that defines names. It may be absent: then there are none, and that is known. False: there is
 * nothing to read. */
bool reader_read_names(struct reader *reader, const struct node *object, const char *kind, int most,
                       struct name_list *names);

/* Coordinates by name. Missing ones are 0, unless `all` are wanted. False after complaining. */
bool reader_coordinates(struct reader *reader, const struct node *object, bool all,
                        int coordinates[DIMENSIONS_MAX]);

/* --- expressions ------------------------------------------------------------------------------ */

/* What a node says, and what that gave when it was evaluated last. A plain number stands for itself, where one may. */
struct formula {
    struct node node;
    bool sound;
    bool constant; /* it has its value already */
    int compiled;
    size_t length;
    struct expression_value value;
};
struct formula formula_read(struct reader *reader, const struct node *node, bool may_be_number);
/* False after complaining; there is one complaint for each expression, whatever the number of
 * cells. */
bool formula_evaluate(struct reader *reader, struct formula *formula, const int *coordinates);
/* The same at a cell of the board; false where there is none of this number, too. */
bool formula_at(struct reader *reader, struct formula *formula, int cell);
/* A finite number of each cell, from -most to most (0: any); the first goes to `first`, each further one `stride` bytes on. */
void formula_numbers(struct reader *reader, const struct node *node, void *first, size_t stride,
                     int most);
/* Whether JavaScript would call its value true. */
bool formula_is_true(const struct formula *formula);

/* --- what format 2 asks everywhere ------------------------------------------------------------- */

/* Some players, by name or by their part in a move. */
struct player_set {
    uint8_t players; /* bits */
    bool next;       /* also who is to move */
};
/* A text, or a list of them; false after complaining. */
bool sides_read_players(struct reader *reader, const struct node *node, struct player_set *set);
uint8_t sides_everybody(const struct reader *reader);
/* Coordinates and directions as the mover sees them, in an object that may have the words of the table `beside` too.
 * False after complaining. */
bool sides_read_delta(struct reader *reader, const struct node *object, const struct field *beside,
                      struct vector *delta);
/* Complains about a movement whose delta is 0. */
bool sides_goes_nowhere(struct reader *reader, const struct node *object, struct vector delta);
/* The same on the board. */
struct vector sides_turn(const struct reader *reader, struct vector seen);
/* And back. */
struct vector sides_unturn(const struct reader *reader, struct vector delta);
/* Whether it means something as the cells of a selection, or is kept for that: no zone may be called so. */
bool selections_is_word(const char *name);
/* A list of deltas (or one), turned; each may say `symmetric`. */
const struct vector *sides_read_deltas(struct reader *reader, const struct node *node, int *count);
/* The steps of the board's `neighbours`, which a word means whose object has no `by`; complains where there are none. */
void sides_read_neighbours(struct reader *reader, const struct node *object,
                           struct selection *selection);

/* A delta, and what is turned with it: the cells of `via`, and those that the conditions of `if` name. */
enum { ASKED_MAX = 64, PATH_MAX = 1 + VIA_MAX + ASKED_MAX };
struct path {
    int count;
    struct vector vectors[PATH_MAX];
    uint8_t list[PATH_MAX]; /* 0: delta or via; else one of a list, whose order does not matter */
};
struct symmetry {
    int count;
    struct path paths[DELTAS_MAX];
    /* The nodes of a condition whose cells turn with the movement, and where they are in the path. */
    int turned_count;
    struct {
        const struct condition_node *node;
        int first;
    } turned[ASKED_MAX];
};
/* What the word `symmetric` makes of the path, into the reader's room; absent: the path alone. No two are equal. False after
 * complaining. */
bool symmetry_expand(struct reader *reader, const struct node *word, bool also_reversed,
                     const struct path *path);
/* Adds the cells that the condition names to the path, but those that are the same in all directions. */
void symmetry_gather(struct reader *reader, const struct node *word, bool also_reversed,
                     const struct condition_node *test, struct path *path);
/* The condition as it is in the path's direction; `object`: the movement, which is to blame if that is too much. */
const struct condition_node *symmetry_turn(struct reader *reader, const struct node *object,
                                           const struct condition_node *test,
                                           const struct path *path);

/* The differences between two cells of the board, each once: as many as a figure may have movements, and one more if there are
 * more. They are the same as all players see them. */
struct differences {
    int count;
    struct vector *list;
};
const struct differences *differences_of_board(struct reader *reader);

/* Warns of what is hardly meant, once all has been read without an error. */
void suspicions_say(struct reader *reader, const struct node *root);

/* An object whose keys are players, not coordinates. */
bool sides_names_players(const struct reader *reader, const struct node *object);

/* What coordinates are asked to be. */
struct bounds {
    struct amount of[DIMENSIONS_MAX];
};
/* An object of them into a struct bounds; false after complaining. */
bool zones_read_bounds(struct reader *reader, const struct node *object, void *place);
bool zones_is_within(const struct reader *reader, const int *coordinates,
                     const struct bounds *bounds);
/* A zone's name or a list of them, as bits of ZONE_WORDS words that were 0; false after complaining. */
bool zones_read_named(struct reader *reader, const struct node *node, uint64_t *zones);
/* The zone that `zone` and coordinates of an object say together; -1: they say nothing, or a complaint. */
int zones_read_where(struct reader *reader, const struct node *object);
cell_index zones_find(const struct reader *reader, const char *name); /* CELL_NONE: no */
/* One cell of a coordinates object or a name; CELL_NONE after complaining. */
cell_index zones_cell(struct reader *reader, const struct node *node);

/* A node about which nothing has been said. */
struct condition_node tests_blank(struct reader *reader, enum condition_kind kind,
                                  const struct node *node);
/* One more test; false after complaining that they are too deep. */
bool tests_spend(struct reader *reader, const struct node *node, int depth);
/* Every cell with a figure on it. */
struct cell_test tests_any_figure(const struct reader *reader);

/* The counter that the node names; NULL after complaining, or where it could not be read. */
struct counter_rule *counters_find(struct reader *reader, const struct node *name);
/* Complains about a word that speaks of hands where there are none. */
void hands_demand(struct reader *reader, const struct node *node);
extern const struct machine_state no_state; /* waits for nobody's move */

/* The movements of one figure for the player `mover`. */
void movements_read(struct reader *reader, const struct node *list, const struct node *promote,
                    struct movement_list *movements);
void movements_read_unused(struct reader *reader);

/* --- the readers ------------------------------------------------------------------------------ */

void dimensions_read(struct reader *reader, const struct node *list);
bool cells_is_word(const char *name); /* a word that stands beside coordinates in format 2 */
void lines_read(struct reader *reader, const struct node *root);
void cell_actions_read(struct reader *reader, const struct node *object,
                       struct cell_actions *actions);
/* `notation` and `tests`. Of every game, in what it keeps: one that says nothing has texts of moves, by the names of their cells. To
 * be called last, when all names and conditions can be looked up. */
void notation_read(struct reader *reader, const struct node *root);

#endif
