/* Conditions of formats 0 and 1, as a list of atoms all of which must hold: in action sets, in the `if` of a movement, in win
 * conditions. Format 2 reads them where it has action sets and win conditions. */
#include "engine/load/reader.h"

#include <string.h>

/* The atoms of one condition while it is read: never more than this many different things can be
 * asked. */
enum { ATOMS_MAX = 4 * 2 + 4 * DIMENSIONS_MAX + 4 + 1 };
enum { OLD_FIELDS = 5, OLD_WORDS = 4 }; /* of a cell, of a condition */

struct atom_list {
    struct atom atoms[ATOMS_MAX];
    int count;
};

static void add_atom(struct atom_list *list, enum atom_kind kind, int dimension, int32_t value)
{
    /* a key can stand only once in an object; where it stands twice that is an error already */
    if (list->count < ATOMS_MAX)
        list->atoms[list->count++] =
            (struct atom){.kind = kind, .dimension = dimension, .value = value};
}

/* The kinds of atoms about one cell, by whose it is. */
struct side {
    enum atom_kind figure, player, moves_made, last_move, coordinate;
};

static const struct side self_side = {
    .figure = ATOM_SELF_FIGURE,
    .player = ATOM_SELF_PLAYER,
    .moves_made = ATOM_SELF_MOVES_MADE,
    .last_move = ATOM_SELF_LAST_MOVE,
    .coordinate = ATOM_SELF_COORDINATE,
};

static const struct side target_side = {
    .figure = ATOM_TARGET_FIGURE,
    .player = ATOM_TARGET_PLAYER,
    .moves_made = ATOM_TARGET_MOVES_MADE,
    .last_move = ATOM_TARGET_LAST_MOVE,
    .coordinate = ATOM_TARGET_COORDINATE,
};

/* In format 2: who moves, or the only other player; -1: it is not such a word. */
static int find_role(struct reader *reader, const struct node *node, const struct name_list *names)
{
    if (!reader_is_modern(reader) || names != &reader->players)
        return -1;
    const char *word = node_string(node);
    if (strcmp(word, "mover") == 0)
        return reader->mover;
    if (strcmp(word, "enemy") != 0)
        return -1;
    if (reader->players.count == 2)
        return 1 - reader->mover;
    reader_error(reader, node, NODE_VALUE, "write it in the `if` of the movement",
                 "`enemy` is not one player here");
    return reader->mover;
}

static void read_name_atom(struct reader *reader, const struct node *node,
                           const struct name_list *names, enum atom_kind kind,
                           struct atom_list *list)
{
    if (node_type(node) == NODE_ABSENT)
        return;
    if (node_type(node) == NODE_NULL) {
        add_atom(list, kind, 0, ATOM_ABSENT);
        return;
    }
    int index = find_role(reader, node, names);
    if (index < 0)
        index = reader_name(reader, node, NODE_VALUE, names);
    if (index >= 0)
        add_atom(list, kind, 0, index);
}

static void read_number_atom(struct reader *reader, const struct node *node, bool may_be_absent,
                             enum atom_kind kind, struct atom_list *list)
{
    if (node_type(node) == NODE_ABSENT)
        return;
    if (may_be_absent && node_type(node) == NODE_NULL) {
        add_atom(list, kind, 0, ATOM_ABSENT);
        return;
    }
    int value = 0;
    if (reader_integer(reader, node, -COUNTER_MAX, COUNTER_MAX, &value))
        add_atom(list, kind, 0, value);
}

/* `others`: keys that are not looked at; NULL: none. */
static void read_coordinate_atoms(struct reader *reader, const struct node *object,
                                  const struct name_list *others, enum atom_kind kind,
                                  struct atom_list *list)
{
    if (!reader_expect_if_there(reader, object, NODE_OBJECT))
        return;
    for (struct node member = node_begin(object); node_is_there(&member);
         member = node_after(&member)) {
        if (others != NULL && (name_list_find(others, member.key) >= 0 ||
                               name_list_find(&reader->dimensions, member.key) < 0))
            continue; /* which is complained about elsewhere */
        int dimension = reader_name(reader, &member, NODE_KEY, &reader->dimensions);
        int value = 0;
        if (dimension >= 0 &&
            reader_integer(reader, &member, -COORDINATE_MAX, COORDINATE_MAX, &value))
            add_atom(list, kind, dimension, value);
    }
}

/* The conditions of action sets are those of format 0. */
static void refuse_in_actions(struct reader *reader, const struct node *member)
{
    reader_error(reader, member, NODE_KEY, "write it in the `if` of the movement",
                 "`%s` is not possible in `cell_actions`", member->key);
}

/* In format 2 coordinates may stand among the fields. */
static void check_fields(struct reader *reader, const struct node *object,
                         const struct name_list *fields)
{
    static const char *const words[] = {"zone", "empty", "marked", "unmoved", "exists", "not"};
    enum { WORDS = sizeof words / sizeof *words };
    static const struct name_list modern = {.known = true, .count = WORDS, .names = words};
    const char *names[OLD_FIELDS + WORDS + DIMENSIONS_MAX];
    int count = 0;
    for (int i = 0; i < fields->count; i++)
        names[count++] = fields->names[i];
    for (int i = 0; reader_is_modern(reader) && i < reader->dimensions.count; i++)
        names[count++] = reader->dimensions.names[i];
    for (struct node member = node_begin(object);
         reader_is_modern(reader) && node_is_there(&member); member = node_after(&member)) {
        if (name_list_find(&modern, member.key) < 0)
            continue;
        refuse_in_actions(reader, &member);
        names[count++] = member.key;
    }
    if (!reader_is_modern(reader) || reader->dimensions.known)
        reader_check_keys(reader, object, STRICT, names, count);
}

/* A subset of the fields of a cell. */
static void read_cell_atoms(struct reader *reader, const struct node *object,
                            const struct side *side, struct atom_list *list)
{
    static const char *const keys[] = {"coordinates", "figure", "player", "moves_made",
                                       "last_move"};
    static const struct name_list fields = {.known = true, .count = OLD_FIELDS, .names = keys};
    check_fields(reader, object, &fields);
    struct node figure = node_member(object, "figure");
    struct node player = node_member(object, "player");
    struct node moves_made = node_member(object, "moves_made");
    struct node last_move = node_member(object, "last_move");
    struct node coordinates = node_member(object, "coordinates");
    read_name_atom(reader, &figure, &reader->figures, side->figure, list);
    read_name_atom(reader, &player, &reader->players, side->player, list);
    read_number_atom(reader, &moves_made, true, side->moves_made, list);
    read_number_atom(reader, &last_move, true, side->last_move, list);
    read_coordinate_atoms(reader, &coordinates, NULL, side->coordinate, list);
    if (reader_is_modern(reader))
        read_coordinate_atoms(reader, object, &fields, side->coordinate, list);
}

static void read_computed_atoms(struct reader *reader, const struct node *object,
                                struct atom_list *list)
{
    static const struct {
        const char *name;
        enum atom_kind kind;
    } predicates[] = {
        {"is_cell", ATOM_IS_CELL}, {"is_figure", ATOM_IS_FIGURE}, {"is_enemy", ATOM_IS_ENEMY}};
    static const char *const names[] = {"is_cell", "is_figure", "is_enemy",
                                        "moves_after_last_move"};
    const struct name_list functions = {"computed function", true, 4, names};
    for (struct node member = node_begin(object); node_is_there(&member);
         member = node_after(&member)) {
        int index = reader_name(reader, &member, NODE_KEY, &functions);
        bool wanted = false;
        if (index == 3)
            read_number_atom(reader, &member, false, ATOM_MOVES_AFTER_LAST_MOVE, list);
        else if (index >= 0 && reader_boolean(reader, &member, &wanted))
            add_atom(list, predicates[index].kind, 0, wanted);
    }
}

static void read_statistics_atoms(struct reader *reader, const struct node *object,
                                  struct atom_list *list)
{
    static const char *const names[] = {"current_move"};
    const struct name_list statistics = {"statistic", true, 1, names};
    for (struct node member = node_begin(object); node_is_there(&member);
         member = node_after(&member)) {
        if (reader_name(reader, &member, NODE_KEY, &statistics) >= 0)
            read_number_atom(reader, &member, false, ATOM_CURRENT_MOVE, list);
    }
}

static void keep(struct reader *reader, const struct atom_list *list, struct condition *condition)
{
    struct atom *atoms = reader_allocate(reader, (size_t)list->count, sizeof *atoms);
    if (atoms == NULL)
        return;
    memcpy(atoms, list->atoms, (size_t)list->count * sizeof *atoms);
    *condition = (struct condition){.atom_count = list->count, .atoms = atoms};
}

static void check_words(struct reader *reader, const struct node *object,
                        const char *const keys[OLD_WORDS])
{
    for (struct node member = node_begin(object);
         reader_is_modern(reader) && node_is_there(&member); member = node_after(&member)) {
        const struct name_list old = {.known = true, .count = OLD_WORDS, .names = keys};
        if (tests_is_word(member.key) && name_list_find(&old, member.key) < 0) {
            refuse_in_actions(reader, &member);
            return;
        }
    }
    reader_check_keys(reader, object, STRICT, keys, OLD_WORDS);
}

void condition_read(struct reader *reader, const struct node *object, struct condition *condition)
{
    static const char *const keys[] = {"statistics", "self", "target", "computed"};
    struct atom_list list = {.count = 0};
    check_words(reader, object, keys);
    struct node statistics = node_member(object, "statistics");
    struct node self = node_member(object, "self");
    struct node target = node_member(object, "target");
    struct node computed = node_member(object, "computed");
    if (reader_expect_if_there(reader, &statistics, NODE_OBJECT))
        read_statistics_atoms(reader, &statistics, &list);
    if (reader_expect_if_there(reader, &self, NODE_OBJECT))
        read_cell_atoms(reader, &self, &self_side, &list);
    if (reader_expect_if_there(reader, &target, NODE_OBJECT))
        read_cell_atoms(reader, &target, &target_side, &list);
    if (reader_expect_if_there(reader, &computed, NODE_OBJECT))
        read_computed_atoms(reader, &computed, &list);
    keep(reader, &list, condition);
}

void condition_read_filter(struct reader *reader, const struct node *object,
                           struct condition *condition)
{
    struct atom_list list = {.count = 0};
    read_cell_atoms(reader, object, &target_side, &list);
    keep(reader, &list, condition);
}

void condition_list_read_one(struct reader *reader, const struct node *object,
                             struct condition_list *conditions)
{
    struct condition *condition = reader_allocate(reader, 1, sizeof *condition);
    if (condition == NULL)
        return;
    condition_read(reader, object, condition);
    *conditions = (struct condition_list){.present = true, .count = 1, .conditions = condition};
}

void condition_list_read(struct reader *reader, const struct node *list,
                         struct condition_list *conditions)
{
    *conditions = (struct condition_list){.present = node_type(list) != NODE_ABSENT};
    if (reader_is_modern(reader) && node_type(list) == NODE_OBJECT) {
        condition_list_read_one(reader, list, conditions);
        return;
    }
    if (!reader_expect_if_there(reader, list, NODE_LIST) ||
        !reader_expect_at_most(reader, list, CONDITIONS_MAX, "conditions"))
        return;
    size_t count = node_count(list);
    struct condition *read = reader_allocate(reader, count, sizeof *read);
    if (read == NULL)
        return;
    for (size_t i = 0; i < count; i++) {
        struct node element = node_element(list, i);
        if (reader_expect(reader, &element, NODE_OBJECT))
            condition_read(reader, &element, &read[i]);
    }
    conditions->count = (int)count;
    conditions->conditions = read;
}
