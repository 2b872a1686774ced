/* What an object of the file may say: a table with a line for each of its words, and one function that reads an object by
 * its table.
 *
 *     static const struct field promotion_fields[] = {
 *         {"to", read_promotion_to, .missing = "say which figure it becomes"},
 *         {"in", field_zone, AT(struct promotion_rule, in_zone)},
 *         {"optional", field_flag, AT(struct promotion_rule, optional)},
 *         {0},
 *     };
 *     …
 *     fields_read(reader, node, promotion_fields, promotion);
 *
 * Only here is said that a value is no object, that it has words nobody knows or words of format 2 in an older file, what
 * was probably meant, and which word is missing. What is wrong with the value of a word is said by its kind.
 *
 * Words are read in the order of the table, whatever the file's. A word that is absent, or whose value is wrong, leaves its
 * place as it was: so the defaults are written before. */
#ifndef ENGINE_LOAD_FIELDS_H
#define ENGINE_LOAD_FIELDS_H

#include "engine/load/reader.h"

/* How a value is read into the place that its row says by AT or TO; without either `place` is the object that fields_read was
 * given. `reader->field` is the row. */
typedef void field_kind(struct reader *reader, const struct node *node, void *place);
/* Reads an element of a list into zeroed memory; false: it is left out. */
typedef bool element_kind(struct reader *reader, const struct node *node, void *element);

struct field {
    const char *word;    /* NULL: the end of the table */
    field_kind *kind;    /* one of those below, or the word's own; NULL: it is read elsewhere */
    size_t offset, size; /* AT, TO, LIST_AT */
    int least, most;     /* of a number; `most` also of bytes, of elements */
    bool lines;          /* of a text: it may have several */
    /* CHOICES: their numbers count from `least`; of conditions: what else may stand in their object */
    const struct name_list *names;
    size_t list;           /* NAMES_OF */
    enum test_place place; /* of an `if`: where it stands; of its words: the first place for them */
    enum condition_kind node;   /* of a word of conditions */
    const char *what;           /* of texts, of elements in the plural: what they are called */
    element_kind *element;      /* of a list: reads one of them, which becomes `size` bytes */
    bool named;                 /* of a list: its elements stand in an object, under names */
    bool few;                   /* of a list: one, or none, may stand for a list of it */
    size_t count;               /* of a list: where it goes how many there are */
    const struct field *fields; /* of an object: its table, for the same place */
    const struct field *each;   /* of an object whose keys are names: what stands under each */
    bool always;                /* read it even where it is absent */
    bool keeps;                 /* what it says is kept: definition.h */
    const char *missing;        /* the word must be there: the hint where it is not */
    int format;                 /* 2: a word of format 2 */
    const char *
        now; /* of a word that files of format 2 wrote once: the one of the table that means the same */
    /* Unknown words are only warned of. The end of a table says so for formats 0 and 1, `each` for all. */
    bool lenient;
};

#define AT(type, member)             .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define TO(type, member)             .offset = offsetof(type, member) /* a pointer */
#define LIST_AT(type, member, total) TO(type, member), .count = offsetof(type, total)
#define NAMES_OF(member)             .list = offsetof(struct reader, member)
#define EACH(...)                    (&(const struct field){__VA_ARGS__})
#define ELEMENTS(limit, called, type, how)                                                         \
    .most = (limit), .what = (called), .size = sizeof(type), .element = (how)
#define CHOICES(what, ...)                                                                         \
    &(const struct name_list)                                                                      \
    {                                                                                              \
        what, true, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *),                   \
            (const char *const[])                                                                  \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* False when the node is no object, after complaining. */
bool fields_read(struct reader *reader, const struct node *node, const struct field *fields,
                 void *object);
/* The same, without a look at other words: who calls knows them, as coordinates beside a movement's words. */
void fields_read_known(struct reader *reader, const struct node *node, const struct field *fields,
                       void *object);
/* One word, whose node may be absent. */
void field_read_one(struct reader *reader, const struct node *node, const struct field *field,
                    void *object);
/* An object, if it is there, whose keys are names: what stands under the k-th is read into the k-th of the places, each of
 * `each->size` bytes. Where that must be there, all names must. */
void fields_read_by_name(struct reader *reader, const struct node *node,
                         const struct name_list *names, const struct field *each, void *places);
/* Complains about a word, or those of an object, that are neither of the table nor among `others` (NULL: there are none). */
void fields_check_word(struct reader *reader, const struct node *member, const struct field *fields,
                       const struct name_list *others);
void fields_check(struct reader *reader, const struct node *object, const struct field *fields,
                  const struct name_list *others);
extern const struct field no_fields[];
const struct field *fields_find(const struct field *fields, const char *word); /* NULL: no */
/* The word of a whole file that means the same as this one now. */
const char *root_word_now(const char *word);
/* The table's words as names; `modern`: with those of format 2. */
enum { FIELDS_MAX_WORDS = 64 };
struct field_words {
    struct name_list list;
    const char *names[FIELDS_MAX_WORDS];
};
void fields_words(const struct field *fields, bool modern, struct field_words *words);

/* --- kinds ------------------------------------------------------------------------------------ */

field_kind field_flag;         /* true or false; the place may be a bool, an int or an enum tri */
field_kind field_integer;      /* from `least` to `most` */
field_kind field_amount;       /* such a number, or {"min": …, "max": …}; mostly of cells */
field_kind field_text;         /* of at most `most` bytes */
field_kind field_choice;       /* one of `names`, or of one of the reader's lists: its index */
field_kind field_object;       /* by a table of its own */
field_kind field_by_name;      /* keys are names of one of the reader's lists: `each` */
field_kind field_cell_actions; /* and behind them those of the figure or combined movement around */
field_kind field_formula;      /* a text, whose value is asked for later */
field_kind field_list;         /* of ELEMENTS */
field_kind
    field_lists; /* one that is read once for each player as the mover, into as many places */
/* of format 2: */
field_kind field_condition;         /* an `if`, at `place`: one or a list of which one must hold */
field_kind field_condition_of_each; /* read for each player as the mover */
field_kind field_match;             /* what a cell is like, or a list of which one must fit */
field_kind field_zone;
field_kind field_phase;
field_kind field_delta;     /* as it is on the board */
field_kind field_deltas;    /* a list, as that of a combined movement's `empty` cells */
field_kind field_figures;   /* one kind of figure, or a list: bits */
field_kind field_owner;     /* players, into `players` of a struct cell_test; and `next` beside */
field_kind field_hand;      /* a struct condition_node, by the table `fields` */
field_kind field_selection; /* a struct selection, of figures that are there */
/* of its members, and of the conditions that have some of them: */
field_kind field_cells, field_origin, field_steps, field_end, field_length;

/* The object that has the place of the row that is read now. */
static inline void *fields_object(const struct reader *reader, void *place)
{
    return (unsigned char *)place - reader->field->offset;
}

/* One of which nothing has been said: of all that is around the target. */
struct selection selection_blank(struct reader *reader);
/* Whether its members go together: those of `node`; NULL: it has no `cells`. */
void selection_check(struct reader *reader, const struct node *node, struct selection *selection);

/* --- lists ------------------------------------------------------------------------------------ */

/* All that stands in a list, as the row's ELEMENTS say, behind each other; NULL after complaining that it is none, or too long. */
void *elements_read(struct reader *reader, const struct node *list, const struct field *row,
                    int *count);

/* --- the words of a file ---------------------------------------------------------------------- */

field_kind players_read, layout_read, directions_read, zones_read, vocabulary_read, selections_read,
    counters_read, figures_read, combined_read, placements_read, states_read, turns_read,
    state_player_read, pass_read, placing_read, pie_read, hands_read, priority_read, wins_read;
element_kind figure_read, counter_read, state_read, forbidden_read, after_move_read, result_read,
    test_read, language_read;

/* --- tables that others look into ------------------------------------------------------------- */

extern const struct field movement_fields[], shape_fields[], match_fields[], board_fields[],
    resource_fields[], turn_fields[], sides_turned_fields[];

#endif
