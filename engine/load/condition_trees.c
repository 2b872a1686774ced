/* Conditions of format 2, read for one player as the mover. A condition is an object, each of whose words becomes a
 * test; all must hold. */
#include "engine/load/reader.h"

#include <limits.h>
#include <string.h>

static const int here[1][DIMENSIONS_MAX];

struct condition_place {
    struct reader *reader;
    enum test_place place;
    int depth;
};

/* The tests of one condition while they are read. */
struct test_list {
    struct condition_node *tests;
    int count, room;
};

bool tests_spend(struct reader *reader, const struct node *node, int depth)
{
    if (depth > TEST_DEPTH_MAX) {
        reader_error(reader, node, NODE_VALUE, "", "conditions are nested too deeply: at most %d",
                     TEST_DEPTH_MAX);
        return false;
    }
    if (reader->test_total < TESTS_MAX) {
        reader->test_total++;
        return true;
    }
    if (!reader->tests_reported)
        reader_error(reader, node, NODE_VALUE,
                     "what stands in a list of movements counts once for each player and each use",
                     "too many conditions: at most %d are allowed in a game", TESTS_MAX);
    reader->tests_reported = true;
    return false;
}

static struct condition_node blank(const struct reader *reader, enum condition_kind kind)
{
    return (struct condition_node){.kind = (uint8_t)kind,
                                   .match = tests_any_figure(reader),
                                   .deltas = here,
                                   .row_count = 1,
                                   .max = INT_MAX,
                                   .from_zone = -1,
                                   .to_zone = -1,
                                   .took = TRI_ANY,
                                   .complex = TRI_ANY,
                                   .passed = TRI_ANY,
                                   .taken_figures = UINT64_MAX,
                                   .attackers = UINT64_MAX};
}

/* NULL after complaining; good until the next one is added. */
static struct condition_node *add(const struct condition_place *in, const struct node *node,
                                  struct test_list *list, enum condition_kind kind)
{
    struct reader *reader = in->reader;
    if (!tests_spend(reader, node, in->depth))
        return NULL;
    if (list->count == list->room) {
        int room = list->room == 0 ? 2 : 2 * list->room;
        struct condition_node *tests = reader_allocate(reader, (size_t)room, sizeof *tests);
        if (tests == NULL)
            return NULL;
        if (list->count > 0)
            memcpy(tests, list->tests, (size_t)list->count * sizeof *tests);
        list->tests = tests;
        list->room = room;
    }
    struct condition_node *test = &list->tests[list->count++];
    *test = blank(reader, kind);
    test->pointer = reader_pointer(reader, node);
    return test;
}

/* `min` and `max`; without either at least one. */
static void read_range(struct reader *reader, const struct node *object, int least, int most,
                       struct condition_node *test)
{
    struct node min = node_member(object, "min"), max = node_member(object, "max");
    bool from = node_type(&min) != NODE_ABSENT, to = node_type(&max) != NODE_ABSENT;
    test->min = from ? least : to ? INT_MIN : 1;
    if (from)
        reader_integer(reader, &min, least, most, &test->min);
    if (to)
        reader_integer(reader, &max, least, most, &test->max);
    if (from && to && test->min > test->max)
        reader_error(reader, object, NODE_VALUE, "", "`min` is greater than `max`");
}

/* `of`: whether it counts from the target. */
static bool read_origin(struct reader *reader, const struct node *node)
{
    static const char *const names[] = {"self", "target"};
    static const struct name_list list = {"cell of a move", true, 2, names};
    return node_type(node) != NODE_ABSENT && reader_name(reader, node, NODE_VALUE, &list) == 1;
}

/* --- cells ------------------------------------------------------------------------------------ */

static void read_self(const struct condition_place *in, const struct node *node,
                      struct test_list *list)
{
    struct cell_test match;
    struct condition_node *test = add(in, node, list, CONDITION_CELL);
    if (test == NULL || !tests_read_match(in->reader, node, &match))
        return;
    test->match = match;
    test->from_target = strcmp(node->key, "target") == 0;
}

static void read_is(struct reader *reader, const struct node *object, struct condition_node *test)
{
    struct node is = node_member(object, "is");
    if (node_type(&is) == NODE_ABSENT)
        reader_error(reader, object, NODE_VALUE, "say what must stand there: \"is\": {…}",
                     "`is` is missing");
    else
        tests_read_match(reader, &is, &test->match);
}

static void read_at(const struct condition_place *in, const struct node *node,
                    struct test_list *list)
{
    static const char *const keys[] = {"of", "by", "is"};
    struct reader *reader = in->reader;
    struct condition_node *test = add(in, node, list, CONDITION_CELL);
    if (test == NULL)
        return;
    reader_check_keys(reader, node, STRICT, keys, 3);
    struct node of = node_member(node, "of"), by = node_member(node, "by");
    test->from_target = read_origin(reader, &of);
    read_is(reader, node, test);
    int seen[DIMENSIONS_MAX];
    int(*delta)[DIMENSIONS_MAX] = reader_allocate(reader, 1, sizeof *delta);
    if (node_type(&by) == NODE_ABSENT || delta == NULL ||
        !sides_read_delta(reader, &by, NULL, seen))
        return;
    sides_turn(reader, seen, *delta);
    test->deltas = (const int(*)[DIMENSIONS_MAX])delta;
}

static void read_neighbours(const struct condition_place *in, const struct node *node,
                            struct test_list *list)
{
    static const char *const keys[] = {"of", "by", "is", "min", "max"};
    struct reader *reader = in->reader;
    struct condition_node *test = add(in, node, list, CONDITION_NEIGHBOURS);
    if (test == NULL)
        return;
    reader_check_keys(reader, node, STRICT, keys, 5);
    struct node of = node_member(node, "of"), by = node_member(node, "by");
    test->from_target = read_origin(reader, &of);
    read_is(reader, node, test);
    read_range(reader, node, 0, DELTAS_MAX, test);
    if (node_type(&by) == NODE_ABSENT)
        reader_error(reader, node, NODE_VALUE, "list the steps to them: \"by\": [{…}]",
                     "`by` is missing");
    else
        sides_read_deltas(reader, &by, &test->row_count, &test->deltas);
}

static void read_count(const struct condition_place *in, const struct node *node,
                       struct test_list *list)
{
    static const char *const keys[] = {"is", "min", "max"};
    struct condition_node *test = add(in, node, list, CONDITION_COUNT);
    if (test == NULL)
        return;
    reader_check_keys(in->reader, node, STRICT, keys, 3);
    read_is(in->reader, node, test);
    read_range(in->reader, node, 0, CELLS_MAX, test);
}

/* Either a match, or {"is": match} or {"cell": …} and, if need be, `by` which figures. */
static void read_attacked(const struct condition_place *in, const struct node *node,
                          struct test_list *list)
{
    static const char *const keys[] = {"cell", "is", "by"};
    struct reader *reader = in->reader;
    struct node cell = node_member(node, "cell"), is = node_member(node, "is");
    struct node by = node_member(node, "by");
    bool of_move = node_type(&cell) != NODE_ABSENT, of_match = node_type(&is) != NODE_ABSENT;
    bool by_some = node_type(&by) != NODE_ABSENT;
    struct condition_node *test =
        add(in, node, list, of_move ? CONDITION_ATTACKED_CELL : CONDITION_ATTACKED);
    if (test == NULL)
        return;
    if (of_move || of_match || by_some)
        reader_check_keys(reader, node, STRICT, keys, 3);
    if (by_some)
        tests_read_figures(reader, &by, &test->attackers);
    if (of_move) {
        test->from_target = read_origin(reader, &cell);
        if (of_match)
            reader_error(reader, &is, NODE_KEY, "leave one of them out",
                         "`cell` says already what is attacked");
        return;
    }
    if (by_some && !of_match)
        reader_error(reader, node, NODE_VALUE, "say what is attacked: \"is\": {…}",
                     "`is` is missing");
    else if (tests_read_match(reader, of_match ? &is : node, &test->match))
        /* only where something stands can anything be attacked */
        test->match.empty = false;
}

/* --- the old words ---------------------------------------------------------------------------- */

static void add_cell_test(const struct condition_place *in, const struct node *node,
                          struct test_list *list, const struct cell_test *match)
{
    struct condition_node *test = add(in, node, list, CONDITION_CELL);
    if (test == NULL)
        return;
    test->from_target = true;
    test->match = *match;
}

static void read_is_something(const struct condition_place *in, const struct node *member,
                              int index, struct test_list *list)
{
    struct reader *reader = in->reader;
    bool wanted = false;
    if (!reader_boolean(reader, member, &wanted))
        return;
    struct cell_test match = tests_any_figure(reader);
    if (index == 0)
        match.empty = true; /* is_cell */
    if (index == 2)
        match.players = (uint8_t)(match.players & ~(1u << reader->mover)); /* is_enemy */
    match.negated = !wanted;
    add_cell_test(in, member, list, &match);
}

static void read_computed(const struct condition_place *in, const struct node *node,
                          struct test_list *list)
{
    static const char *const names[] = {"is_cell", "is_figure", "is_enemy",
                                        "moves_after_last_move"};
    static const struct name_list functions = {"computed function", true, 4, names};
    struct reader *reader = in->reader;
    if (!reader_expect(reader, node, NODE_OBJECT))
        return;
    for (void *at = node_first(node); at != NULL; at = node_next(node, at)) {
        struct node member = node_at(node, at);
        int index = reader_name(reader, &member, NODE_KEY, &functions);
        if (index >= 0 && index < 3)
            read_is_something(in, &member, index, list);
        if (index != 3)
            continue;
        struct condition_node *test = add(in, &member, list, CONDITION_MOVES_AFTER_LAST_MOVE);
        if (test != NULL)
            reader_integer(reader, &member, -COUNTER_MAX, COUNTER_MAX, &test->min);
    }
}

static void read_statistics(const struct condition_place *in, const struct node *node,
                            struct test_list *list)
{
    static const char *const names[] = {"current_move"};
    static const struct name_list statistics = {"statistic", true, 1, names};
    struct reader *reader = in->reader;
    if (!reader_expect(reader, node, NODE_OBJECT))
        return;
    for (void *at = node_first(node); at != NULL; at = node_next(node, at)) {
        struct node member = node_at(node, at);
        if (reader_name(reader, &member, NODE_KEY, &statistics) < 0)
            continue;
        struct condition_node *test = add(in, &member, list, CONDITION_CURRENT_MOVE);
        if (test != NULL)
            reader_integer(reader, &member, -COUNTER_MAX, COUNTER_MAX, &test->min);
    }
}

/* --- the game --------------------------------------------------------------------------------- */

static int read_place(struct reader *reader, const struct node *node)
{
    if (node_type(node) == NODE_ABSENT)
        return -1;
    if (node_type(node) == NODE_OBJECT) {
        struct cell_test match;
        for (void *at = node_first(node); at != NULL; at = node_next(node, at)) {
            struct node member = node_at(node, at);
            if (strcmp(member.key, "zone") == 0 || strcmp(member.key, "coordinates") == 0 ||
                name_list_find(&reader->dimensions, member.key) >= 0 || !reader->dimensions.known)
                continue;
            reader_error(reader, &member, NODE_KEY, "only a zone and coordinates can be asked for",
                         "`%s` cannot stand here", text_quote(member.key).text);
            return -1;
        }
        return tests_read_match(reader, node, &match) ? match.zone : -1;
    }
    return zones_named(reader, node);
}

/* true, false, figures or {"figure": figures}. */
static void read_took(struct reader *reader, const struct node *node, struct condition_node *test)
{
    static const char *const keys[] = {"figure"};
    if (node_type(node) == NODE_ABSENT)
        return;
    if (node_type(node) == NODE_BOOLEAN) {
        test->took = node_boolean(node) ? TRI_YES : TRI_NO;
        return;
    }
    test->took = TRI_YES;
    if (node_type(node) == NODE_OBJECT) {
        reader_check_keys(reader, node, STRICT, keys, 1);
        struct node figure = node_member(node, "figure");
        tests_read_figures(reader, &figure, &test->taken_figures);
    } else {
        tests_read_figures(reader, node, &test->taken_figures);
    }
}

static void read_previous(const struct condition_place *in, const struct node *node,
                          struct test_list *list)
{
    static const char *const keys[] = {"figure", "player",  "from",  "to",
                                       "took",   "complex", "passed"};
    struct reader *reader = in->reader;
    struct condition_node *test = add(in, node, list, CONDITION_PREVIOUS);
    if (test == NULL)
        return;
    reader_check_keys(reader, node, STRICT, keys, 7);
    struct node figure = node_member(node, "figure"), player = node_member(node, "player");
    struct node passed = node_member(node, "passed");
    struct node from = node_member(node, "from"), to = node_member(node, "to");
    struct node took = node_member(node, "took"), complex = node_member(node, "complex");
    struct player_set set;
    bool value = false;
    if (node_type(&figure) != NODE_ABSENT)
        tests_read_figures(reader, &figure, &test->match.figures);
    if (node_type(&player) != NODE_ABSENT && sides_read_players(reader, &player, &set)) {
        test->match.players = set.players;
        test->match.next_player = set.next;
    }
    test->from_zone = (int16_t)read_place(reader, &from);
    test->to_zone = (int16_t)read_place(reader, &to);
    read_took(reader, &took, test);
    if (reader_boolean(reader, &complex, &value))
        test->complex = value ? TRI_YES : TRI_NO;
    if (!reader_boolean(reader, &passed, &value))
        return;
    test->passed = value ? TRI_YES : TRI_NO;
    if (node_count(node) > 1)
        reader_error(reader, &passed, NODE_KEY, "leave the rest out",
                     "a pass has no figure, no cells and takes nothing");
}

/* One slot, or (several players are meant) one of several. */
static void set_slots(const struct condition_place *in, const struct node *node,
                      struct test_list *list, const struct player_set *set)
{
    struct reader *reader = in->reader;
    struct condition_node *test = &list->tests[list->count - 1];
    struct test_list slots = {.count = 0};
    int first = test->first_slot;
    for (int i = 0; i < reader->players.count; i++) {
        if ((set->players >> i & 1) == 0)
            continue;
        struct condition_node *slot = add(in, node, &slots, CONDITION_COUNTER);
        if (slot == NULL)
            return;
        *slot = *test;
        slot->slot = (int16_t)(first + i);
    }
    if (set->next) {
        struct condition_node *slot = add(in, node, &slots, CONDITION_COUNTER);
        if (slot == NULL)
            return;
        *slot = *test;
        slot->slot = -1;
    }
    if (slots.count == 1) {
        *test = slots.tests[0];
        return;
    }
    const char *pointer = test->pointer;
    *test = blank(reader, CONDITION_ANY);
    test->pointer = pointer;
    test->children = slots.tests;
    test->child_count = slots.count;
}

static void read_counter(const struct condition_place *in, const struct node *node,
                         struct test_list *list)
{
    static const char *const keys[] = {"name", "player", "min", "max"};
    struct reader *reader = in->reader;
    struct condition_node *test = add(in, node, list, CONDITION_COUNTER);
    if (test == NULL)
        return;
    reader_check_keys(reader, node, STRICT, keys, 4);
    struct node name = node_member(node, "name"), player = node_member(node, "player");
    read_range(reader, node, -COUNTER_VALUE_MAX, COUNTER_VALUE_MAX, test);
    int index = reader_name(reader, &name, NODE_VALUE, &reader->counters);
    if (index < 0 || index >= reader->definition->counter_count)
        return;
    const struct counter_definition *counter = &reader->definition->counters[index];
    test->slot = test->first_slot = (int16_t)counter->first_slot;
    struct player_set set = {.players = (uint8_t)(1u << reader->mover)};
    if (node_type(&player) != NODE_ABSENT && !counter->per_player)
        reader_error(reader, &player, NODE_KEY, "say \"per_player\": true where it is defined",
                     "counter `%s` is not counted for each player", text_quote(counter->name).text);
    else if (node_type(&player) != NODE_ABSENT && !sides_read_players(reader, &player, &set))
        return;
    if (counter->per_player)
        set_slots(in, node, list, &set);
}

static void read_next(const struct condition_place *in, const struct node *node,
                      struct test_list *list)
{
    struct player_set set;
    struct condition_node *test = add(in, node, list, CONDITION_NEXT);
    if (test != NULL && sides_read_players(in->reader, node, &set))
        test->players = set.next ? sides_everybody(in->reader) : set.players;
}

static void read_repetition(const struct condition_place *in, const struct node *node,
                            struct test_list *list)
{
    enum { TIMES_MAX = 100 };
    struct condition_node *test = add(in, node, list, CONDITION_REPETITION);
    if (test != NULL)
        reader_integer(in->reader, node, 2, TIMES_MAX, &test->min);
}

static void negate(const struct condition_place *in, struct test_list *list)
{
    struct condition_node *inner = reader_allocate(in->reader, 1, sizeof *inner);
    if (inner == NULL)
        return;
    struct condition_node *test = &list->tests[list->count - 1];
    *inner = *test;
    *test = blank(in->reader, CONDITION_NOT);
    test->pointer = inner->pointer;
    test->children = inner;
    test->child_count = 1;
}

static void read_no_moves(const struct condition_place *in, const struct node *node,
                          struct test_list *list)
{
    bool wanted = true;
    if (add(in, node, list, CONDITION_NO_MOVES) != NULL &&
        reader_boolean(in->reader, node, &wanted) && !wanted)
        negate(in, list);
}

/* --- together --------------------------------------------------------------------------------- */

static bool read_condition(const struct condition_place *in, const struct node *object,
                           const struct name_list *words, struct condition_node *test);

static struct condition_place deeper(const struct condition_place *in)
{
    return (struct condition_place){in->reader, in->place, in->depth + 1};
}

static void read_all_of(const struct condition_place *in, const struct node *node,
                        struct condition_node *test)
{
    struct condition_place inside = deeper(in);
    size_t wanted = node_count(node);
    struct condition_node *children = reader_allocate(in->reader, wanted, sizeof *children);
    int count = 0;
    for (size_t i = 0; children != NULL && i < wanted; i++) {
        struct node element = node_element(node, i);
        if (read_condition(&inside, &element, NULL, &children[count]))
            count++;
    }
    test->children = children;
    test->child_count = count;
}

/* One condition or a list of which one must hold. */
static bool read_some(const struct condition_place *in, const struct node *node,
                      struct condition_node *test)
{
    struct reader *reader = in->reader;
    if (node_type(node) != NODE_LIST)
        return read_condition(in, node, NULL, test);
    if (!reader_expect_at_most(reader, node, CONDITIONS_MAX, "conditions") ||
        !tests_spend(reader, node, in->depth))
        return false;
    *test = blank(reader, CONDITION_ANY);
    test->pointer = reader_pointer(reader, node);
    read_all_of(in, node, test);
    if (test->child_count == 1) {
        struct condition_node only = test->children[0];
        *test = only;
    }
    return true;
}

static void read_not(const struct condition_place *in, const struct node *node,
                     struct test_list *list)
{
    struct condition_place inside = deeper(in);
    struct condition_node *inner = reader_allocate(in->reader, 1, sizeof *inner);
    struct condition_node *test = add(in, node, list, CONDITION_NOT);
    if (inner == NULL || test == NULL || !read_some(&inside, node, inner))
        return;
    test->children = inner;
    test->child_count = 1;
}

static void read_several(const struct condition_place *in, const struct node *node,
                         struct test_list *list)
{
    enum condition_kind kind = strcmp(node->key, "any") == 0 ? CONDITION_ANY : CONDITION_ALL;
    struct condition_node *test = add(in, node, list, kind);
    if (test != NULL && reader_expect(in->reader, node, NODE_LIST) &&
        reader_expect_at_most(in->reader, node, CONDITIONS_MAX, "conditions"))
        read_all_of(in, node, test);
}

typedef void read_word(const struct condition_place *in, const struct node *node,
                       struct test_list *list);

enum { FEW = 32 }; /* of one word in one condition */

/* A word that may be given a list: each of it must hold. */
static void read_each(const struct condition_place *in, const struct node *node,
                      struct test_list *list, read_word *read)
{
    struct reader *reader = in->reader;
    if (node_type(node) != NODE_LIST) {
        if (reader_expect(reader, node, NODE_OBJECT))
            read(in, node, list);
        return;
    }
    if (!reader_expect_at_most(reader, node, FEW, "conditions"))
        return;
    for (size_t i = 0; i < node_count(node); i++) {
        struct node element = node_element(node, i);
        if (reader_expect(reader, &element, NODE_OBJECT))
            read(in, &element, list);
    }
}

static const struct {
    const char *word;
    read_word *read;
    bool several;             /* may be a list of which each must hold */
    enum test_place earliest; /* from this place on */
} condition_words[] = {
    {"self", read_self, false, PLACE_MOVE},
    {"target", read_self, false, PLACE_MOVE},
    {"computed", read_computed, false, PLACE_MOVE},
    {"statistics", read_statistics, false, PLACE_MOVE},
    {"at", read_at, true, PLACE_MOVE},
    {"neighbours", read_neighbours, true, PLACE_MOVE},
    {"count", read_count, true, PLACE_MOVE},
    {"attacked", read_attacked, true, PLACE_MOVE},
    {"previous", read_previous, true, PLACE_MOVE},
    {"counter", read_counter, true, PLACE_MOVE},
    {"next", read_next, false, PLACE_MOVE},
    {"not", read_not, false, PLACE_MOVE},
    {"any", read_several, false, PLACE_MOVE},
    {"all", read_several, false, PLACE_MOVE},
    {"repetition", read_repetition, false, PLACE_FORBID},
    {"no_moves", read_no_moves, false, PLACE_RESULT},
};
enum { CONDITION_WORDS = sizeof condition_words / sizeof *condition_words };

bool tests_is_word(const char *word)
{
    for (int i = 0; i < CONDITION_WORDS; i++)
        if (strcmp(condition_words[i].word, word) == 0)
            return true;
    return false;
}

static void report_word(struct reader *reader, const struct node *member,
                        const struct name_list *others)
{
    const char *names[CONDITION_WORDS + 8];
    int count = 0;
    for (; count < CONDITION_WORDS; count++)
        names[count] = condition_words[count].word;
    for (int i = 0; others != NULL && i < others->count && i < 8; i++)
        names[count++] = others->names[i];
    if (reader_is_reserved(member->key))
        reader_refuse_reserved(reader, member);
    else
        reader_error(reader, member, NODE_KEY, text_hint(member->key, names, count).text,
                     "unknown condition `%s`", text_quote(member->key).text);
}

static void read_member(const struct condition_place *in, const struct node *member,
                        const struct name_list *others, struct test_list *list)
{
    for (int i = 0; i < CONDITION_WORDS; i++) {
        if (strcmp(condition_words[i].word, member->key) != 0)
            continue;
        if (in->place < condition_words[i].earliest)
            reader_error(in->reader, member, NODE_KEY, "",
                         condition_words[i].earliest == PLACE_RESULT
                             ? "`%s` can only be asked in `results`"
                             : "`%s` can only be asked in `forbid` and `results`",
                         member->key);
        else if (condition_words[i].several)
            read_each(in, member, list, condition_words[i].read);
        else
            condition_words[i].read(in, member, list);
        return;
    }
    if (others == NULL || name_list_find(others, member->key) < 0)
        report_word(in->reader, member, others);
}

static bool read_condition(const struct condition_place *in, const struct node *object,
                           const struct name_list *words, struct condition_node *test)
{
    struct reader *reader = in->reader;
    struct test_list list = {.count = 0};
    if (!reader_expect(reader, object, NODE_OBJECT) || !tests_spend(reader, object, in->depth))
        return false;
    for (void *at = node_first(object); at != NULL; at = node_next(object, at)) {
        struct node member = node_at(object, at);
        read_member(in, &member, words, &list);
    }
    if (list.count == 1) {
        *test = list.tests[0];
        return true;
    }
    *test = blank(reader, CONDITION_ALL);
    test->pointer = reader_pointer(reader, object);
    test->children = list.tests;
    test->child_count = list.count;
    return true;
}

const struct condition_node *tests_always(struct reader *reader, const struct node *node)
{
    struct condition_node *test = reader_allocate(reader, 1, sizeof *test);
    if (test == NULL)
        return NULL;
    *test = blank(reader, CONDITION_ALL);
    test->pointer = reader_pointer(reader, node);
    return test;
}

const struct condition_node *tests_read(struct reader *reader, const struct node *node,
                                        enum test_place place)
{
    struct condition_place in = {reader, place, 1};
    if (node_type(node) == NODE_ABSENT)
        return NULL;
    struct condition_node *test = reader_allocate(reader, 1, sizeof *test);
    return test != NULL && read_some(&in, node, test) ? test : NULL;
}

const struct condition_node *tests_read_among(struct reader *reader, const struct node *object,
                                              enum test_place place, const struct name_list *words)
{
    struct condition_place in = {reader, place, 1};
    struct condition_node *test = reader_allocate(reader, 1, sizeof *test);
    return test != NULL && read_condition(&in, object, words, test) ? test : NULL;
}
