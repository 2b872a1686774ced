/* What the readers of the parts of a game file have in common: the document, what is known of it so
 * far, and the few questions everybody asks a node ("are you a list?", "which figure do you
 * name?"), with their complaints.
 *
 * The rule for all: complain at the node, go on with something harmless, so that one run finds all
 * there is to find. A name whose list could not be read is not complained about: one mistake, one
 * complaint. The definition is only handed out if there was no error. */
#ifndef ENGINE_LOAD_READER_H
#define ENGINE_LOAD_READER_H

#include "engine/load/arena.h"
#include "engine/load/definition.h"
#include "engine/load/document.h"
#include "engine/load/expression.h"
#include "engine/load/text.h"

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
    REASON_BYTES_MAX = 200,
    IMAGE_BYTES_MAX = 512,
    COLOUR_BYTES_MAX = 64,
    EXPRESSION_MEMORY_MAX = 1024 * 1024,
    EXPRESSION_WORK_MAX =
        8 * 1024 * 1024, /* bytes of expressions evaluated, summed over the cells */
    ARENA_BYTES_MAX = 64 * 1024 * 1024,
};

struct reader {
    const struct load_options *options;
    struct document document;
    struct diagnostics *diagnostics;
    struct arena *arena;
    struct definition *definition;
    struct expressions *expressions; /* NULL while the coordinates' names are not known */
    struct name_list dimensions, figures, players, states;
    bool cells_known;
    int sets_total;
    bool sets_reported;
    int candidates;
    bool candidates_reported;
    size_t expression_work;
    bool expression_work_reported;
    bool memory_reported;
};

/* --- complaining ------------------------------------------------------------------------------ */

void reader_error(struct reader *reader, const struct node *node, enum node_part part,
                  const char *hint, const char *format, ...);
void reader_warn(struct reader *reader, const struct node *node, enum node_part part,
                 const char *hint, const char *format, ...);
/* At byte `offset` of the node's string. */
void reader_error_in_string(struct reader *reader, const struct node *node, size_t offset,
                            const char *message, const char *hint);
void reader_out_of_memory(struct reader *reader);

/* Memory of the definition; NULL after complaining. */
void *reader_allocate(struct reader *reader, size_t count, size_t size);
char *reader_copy_string(struct reader *reader, const char *string);
const char *reader_pointer(struct reader *reader, const struct node *node);

/* --- asking a node ---------------------------------------------------------------------------- */

/* It is there and of that type; else complains. */
bool reader_expect(struct reader *reader, const struct node *node, enum node_type type);
/* The same, but absence is not complained about. */
bool reader_expect_if_there(struct reader *reader, const struct node *node, enum node_type type);
/* A list or object of at most `most` elements; `what` in the plural. */
bool reader_expect_at_most(struct reader *reader, const struct node *node, size_t most,
                           const char *what);

/* Unknown keys of an object. Strict: errors. Lenient, where the original program ignored them:
 * warnings, unless they are near to a known one and therefore slips. */
enum strictness { STRICT, LENIENT };
void reader_check_keys(struct reader *reader, const struct node *object, enum strictness strictness,
                       const char *const *keys, int key_count);

bool reader_integer(struct reader *reader, const struct node *node, int least, int most,
                    int *value);
bool reader_boolean(struct reader *reader, const struct node *node,
                    bool *value); /* absent: false, no complaint */
/* A text of at most `most` bytes; NULL when absent (no complaint) or wrong. Control characters only
 * if `lines`, and then only line feeds and tabs. */
const char *reader_text(struct reader *reader, const struct node *node, size_t most, bool lines);
/* The index of the name that the node's key or string value says; −1 after complaining. */
int reader_name(struct reader *reader, const struct node *node, enum node_part part,
                const struct name_list *names);
/* A list of the keys of an object that are acceptable names, for what defines names. */
bool reader_define_names(struct reader *reader, const struct node *object, int most,
                         struct name_list *names);

/* Coordinates by name. Missing ones are 0, unless `all` are wanted. False after complaining. */
bool reader_coordinates(struct reader *reader, const struct node *object, bool all,
                        int coordinates[DIMENSIONS_MAX]);
/* One of them, as a key of `member`'s object. */
bool reader_coordinate(struct reader *reader, const struct node *member,
                       int coordinates[DIMENSIONS_MAX]);

/* --- the readers ------------------------------------------------------------------------------ */

void players_read(struct reader *reader, const struct node *root);
void cells_read(struct reader *reader, const struct node *root); /* and coordinate names */
cell_index cells_find(const struct reader *reader, const int *coordinates);
void layout_read(struct reader *reader, const struct node *cell);
void condition_read(struct reader *reader, const struct node *object, struct condition *condition);
void condition_list_read(struct reader *reader, const struct node *list,
                         struct condition_list *conditions);
/* A filter as win conditions have it: the fields of a cell. */
void condition_read_filter(struct reader *reader, const struct node *object,
                           struct condition *condition);
void cell_actions_read(struct reader *reader, const struct node *object,
                       struct cell_actions *actions);
void cell_actions_join(struct reader *reader, const struct node *node,
                       const struct cell_actions *first, const struct cell_actions *second,
                       struct cell_actions *joined);
void figures_read(struct reader *reader, const struct node *root);
void complex_read(struct reader *reader, const struct node *root);
void placements_read(struct reader *reader, const struct node *root);
void wins_read(struct reader *reader, const struct node *root);
void states_read(struct reader *reader, const struct node *root);
void resources_read(struct reader *reader, const struct node *root);

#endif
