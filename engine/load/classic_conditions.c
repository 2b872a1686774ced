/* Conditions of formats 0 and 1, as a list of atoms all of which must hold: in action sets, in the `if` of a movement, in win
 * conditions. Format 2 reads them where it has action sets and win conditions. */
#include "engine/load/fields.h"

#include <string.h>

/* The atoms of one condition while it is read: never more than this many different things can be
 * asked. */
enum { ATOMS_MAX = 4 * 2 + 4 * DIMENSIONS_MAX + 4 + 1 };

/* The kinds of atoms about the target are those about the figure's own cell, so many further on. */
enum { SELF = 0, TARGET = ATOM_TARGET_FIGURE - ATOM_SELF_FIGURE };

struct atom_list {
    struct atom atoms[ATOMS_MAX];
    int count;
    int side; /* whose cell is asked about: SELF or TARGET */
};

static void add_atom(struct atom_list *list, int kind, int dimension, int32_t value)
{
    /* a key can stand only once in an object; where it stands twice that is an error already */
    if (list->count < ATOMS_MAX)
        list->atoms[list->count++] = (struct atom){
            .kind = (enum atom_kind)(list->side + kind), .dimension = dimension, .value = value};
}

/* --- a cell ----------------------------------------------------------------------------------- */

/* In format 2: who moves, or the only other player; -1: it is not such a word. */
static int find_role(struct reader *reader, const struct node *node)
{
    if (!reader_is_modern(reader))
        return -1;
    const char *word = node_string(node);
    if (strcmp(word, "mover") == 0)
        return reader->mover;
    if (strcmp(word, "enemy") != 0)
        return -1;
    if (reader->players.count == 2)
        return 1 - reader->mover;
    reader_error(reader, node, "write it in the `if` of the movement",
                 "`enemy` is not one player here");
    return reader->mover;
}

static void read_figure(struct reader *reader, const struct node *node, void *list)
{
    int figure = ATOM_ABSENT;
    if (node_type(node) != NODE_NULL)
        figure = reader_name(reader, node, NODE_VALUE, &reader->figures);
    if (figure >= 0 || figure == ATOM_ABSENT)
        add_atom(list, ATOM_SELF_FIGURE, 0, figure);
}

static void read_player(struct reader *reader, const struct node *node, void *list)
{
    int player = ATOM_ABSENT;
    if (node_type(node) != NODE_NULL)
        player = find_role(reader, node);
    if (player == -1)
        player = reader_name(reader, node, NODE_VALUE, &reader->players);
    if (player >= 0 || player == ATOM_ABSENT)
        add_atom(list, ATOM_SELF_PLAYER, 0, player);
}

static void read_number(struct reader *reader, const struct node *node, void *list)
{
    const struct field *field = reader->field;
    int value = 0;
    if (reader_integer(reader, node, -COUNTER_MAX, COUNTER_MAX, &value))
        add_atom(list, field->least, 0, value);
}

static void read_number_or_null(struct reader *reader, const struct node *node, void *list)
{
    const struct field *field = reader->field;
    if (node_type(node) == NODE_NULL)
        add_atom(list, field->least, 0, ATOM_ABSENT);
    else
        read_number(reader, node, list);
}

static void read_coordinate(struct reader *reader, const struct node *member,
                            struct atom_list *list)
{
    int dimension = reader_name(reader, member, NODE_KEY, &reader->dimensions), value = 0;
    if (dimension >= 0 && reader_integer(reader, member, -COORDINATE_MAX, COORDINATE_MAX, &value))
        add_atom(list, ATOM_SELF_COORDINATE, dimension, value);
}

const struct field filter_fields[] = {
    {.word = "coordinates"},
    {"figure", .kind = read_figure},
    {"player", .kind = read_player},
    {"moves_made", read_number_or_null, .least = ATOM_SELF_MOVES_MADE},
    {"last_move", read_number_or_null, .least = ATOM_SELF_LAST_MOVE},
    {0},
};

/* The conditions of action sets are those of format 0. */
static void refuse_in_actions(struct reader *reader, const struct node *member)
{
    reader_error_key(reader, member, "write it in the `if` of the movement",
                     "`%s` is not possible in `cell_actions`", member->key);
}

/* In format 2 coordinates may stand among the fields. */
static void check_cell_words(struct reader *reader, const struct node *object)
{
    bool modern = reader_is_modern(reader);
    EACH_MEMBER (each, object) {
        if (modern && fields_find(match_fields, each.key) != NULL &&
            fields_find(filter_fields, each.key) == NULL)
            refuse_in_actions(reader, &each);
        else if (!modern || reader->dimensions.known)
            fields_check_word(reader, &each, filter_fields, modern ? &reader->dimensions : NULL);
    }
}

/* A subset of the fields of a cell. */
static void read_cell(struct reader *reader, const struct node *object, struct atom_list *list)
{
    struct node coordinates = node_member(object, "coordinates");
    check_cell_words(reader, object);
    fields_read_known(reader, object, filter_fields, list);
    if (reader_expect_if_there(reader, &coordinates, NODE_OBJECT))
        EACH_MEMBER (each, &coordinates)
            read_coordinate(reader, &each, list);
    EACH_MEMBER (each, object)
        if (reader_is_modern(reader) && fields_find(filter_fields, each.key) == NULL &&
            name_list_find(&reader->dimensions, each.key) >= 0)
            read_coordinate(reader, &each, list);
}

/* --- a condition ------------------------------------------------------------------------------ */

static void read_side(struct reader *reader, const struct node *node, void *object)
{
    const struct field *field = reader->field;
    struct atom_list *list = object;
    list->side = field->least;
    if (reader_expect(reader, node, NODE_OBJECT))
        read_cell(reader, node, list);
    list->side = SELF;
}

static void read_flag(struct reader *reader, const struct node *node, void *list)
{
    const struct field *field = reader->field;
    bool wanted = false;
    if (reader_boolean(reader, node, &wanted))
        add_atom(list, field->least, 0, wanted);
}

static const struct field computed_fields[] = {
    {"is_cell", read_flag, .least = ATOM_IS_CELL},
    {"is_figure", read_flag, .least = ATOM_IS_FIGURE},
    {"is_enemy", read_flag, .least = ATOM_IS_ENEMY},
    {"moves_after_last_move", read_number, .least = ATOM_MOVES_AFTER_LAST_MOVE},
    {0},
};

static const struct field statistics_fields[] = {
    {"current_move", read_number, .least = ATOM_CURRENT_MOVE},
    {0},
};

/* Words that are called something: "computed function", "statistic". */
static void read_named(struct reader *reader, const struct node *object, const char *kind,
                       const struct field *fields, struct atom_list *list)
{
    struct field_words words;
    fields_words(fields, false, &words);
    words.list.kind = kind;
    if (!reader_expect(reader, object, NODE_OBJECT))
        return;
    EACH_MEMBER (each, object) {
        int index = reader_name(reader, &each, NODE_KEY, &words.list);
        if (index >= 0)
            field_read_one(reader, &each, &fields[index], list);
    }
}

static void read_computed(struct reader *reader, const struct node *node, void *list)
{
    read_named(reader, node, "computed function", computed_fields, list);
}

static void read_statistics(struct reader *reader, const struct node *node, void *list)
{
    read_named(reader, node, "statistic", statistics_fields, list);
}

const struct field action_condition_fields[] = {
    {"statistics", .kind = read_statistics},
    {"self", read_side, .least = SELF},
    {"target", read_side, .least = TARGET},
    {"computed", .kind = read_computed},
    {0},
};

static void keep(struct reader *reader, const struct atom_list *list, struct condition *condition)
{
    struct atom *atoms = reader_allocate(reader, (size_t)list->count, sizeof *atoms);
    memcpy(atoms, list->atoms, (size_t)list->count * sizeof *atoms);
    *condition = (struct condition){.atom_count = list->count, .atoms = atoms};
}

/* Of the words of format 2 the first one is said. */
static void check_words(struct reader *reader, const struct node *object)
{
    EACH_MEMBER (each, object) {
        if (!reader_is_modern(reader) || !tests_is_word(each.key) ||
            fields_find(action_condition_fields, each.key) != NULL)
            continue;
        refuse_in_actions(reader, &each);
        return;
    }
    fields_check(reader, object, action_condition_fields, NULL);
}

static bool read_condition(struct reader *reader, const struct node *object, void *condition)
{
    struct atom_list list = {.count = 0};
    if (!reader_expect(reader, object, NODE_OBJECT))
        return true;
    check_words(reader, object);
    fields_read_known(reader, object, action_condition_fields, &list);
    keep(reader, &list, condition);
    return true;
}

void condition_read_filter(struct reader *reader, const struct node *object, void *condition)
{
    struct atom_list list = {.side = TARGET};
    if (!reader_expect(reader, object, NODE_OBJECT))
        return;
    read_cell(reader, object, &list);
    keep(reader, &list, condition);
}

void condition_list_read_one(struct reader *reader, const struct node *object,
                             struct condition_list *conditions)
{
    struct condition *condition = reader_allocate(reader, 1, sizeof *condition);
    read_condition(reader, object, condition);
    *conditions = (struct condition_list){.present = true, .count = 1, .conditions = condition};
}

void condition_list_read(struct reader *reader, const struct node *list,
                         struct condition_list *conditions)
{
    static const struct elements elements = {CONDITIONS_MAX, "conditions", sizeof(struct condition),
                                             read_condition};
    *conditions = (struct condition_list){.present = node_is_there(list)};
    if (reader_is_modern(reader) && node_type(list) == NODE_OBJECT)
        condition_list_read_one(reader, list, conditions);
    else if (node_is_there(list))
        conditions->conditions = elements_read(reader, list, &elements, &conditions->count);
}
