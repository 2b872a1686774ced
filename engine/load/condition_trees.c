/* Conditions, in format 2 read for one player as the mover. A condition is an object, each of whose words becomes a
 * node; all must hold. Which words there are is said in engine/condition_tree.h, how they are written here. */
#include "engine/bits.h"
#include "engine/load/fields.h"

#include <limits.h>
#include <stdio.h>

bool tests_spend(struct reader *reader, const struct node *node, int depth)
{
    if (depth > TEST_DEPTH_MAX) {
        reader_error(reader, node, "", "conditions are nested too deeply: at most %d",
                     TEST_DEPTH_MAX);
        return false;
    }
    if (reader_is_modern(reader) && reader->test_total++ == TESTS_MAX)
        reader_stop(reader, node,
                    "what stands in a list of movements counts once for each player and each use",
                    "too many conditions: at most %d are allowed in a game", TESTS_MAX);
    return true;
}

struct condition_node tests_blank(struct reader *reader, enum condition_kind kind,
                                  const struct node *node)
{
    struct condition_node blank = condition_blank(kind);
    blank.match = tests_any_figure(reader);
    blank.pointer = reader_pointer(reader, node);
    return blank;
}

/* Makes of the node one of another kind, over a copy of what it was. */
static void put_above(struct reader *reader, enum condition_kind kind, struct condition_node *node)
{
    struct condition_node *child = reader_allocate(reader, 1, sizeof *child);
    *child = *node;
    node->kind = (uint8_t)kind;
    node->children = child;
    node->child_count = 1;
}

/* --- values ----------------------------------------------------------------------------------- */

static void field_step(struct reader *reader, const struct node *node, void *place)
{
    struct condition_node *test = fields_object(reader, place);
    struct vector *delta = reader_allocate(reader, 1, sizeof *delta);
    field_delta(reader, node, delta);
    test->deltas = delta;
}

/* A step and its opposite lead along the same line: one of them is kept. */
static void field_lines(struct reader *reader, const struct node *node, void *place)
{
    struct condition_node *test = fields_object(reader, place);
    int count, kept = 0;
    const struct vector *read = sides_read_deltas(reader, node, &count);
    struct vector *steps = reader_allocate(reader, (size_t)count, sizeof *steps);
    for (int i = 0; i < count; i++)
        if (!vector_is_among(steps, kept, read[i]) &&
            !vector_is_among(steps, kept, vector_plus(vector_zero, -1, read[i])))
            steps[kept++] = read[i];
    test->deltas = steps;
    test->row_count = kept;
    if (vector_is_among(steps, kept, vector_zero))
        reader_error(reader, node, "give at least one coordinate a value",
                     "this line goes nowhere");
}

/* Through which cell of the move. */
static void field_through(struct reader *reader, const struct node *node, void *place)
{
    struct condition_node *test = fields_object(reader, place);
    test->anywhere = false;
    field_origin(reader, node, place);
}

/* `min` and `max`; without either at least one. */
static void field_least(struct reader *reader, const struct node *node, void *place)
{
    *(int32_t *)place = INT_MIN;
    field_integer(reader, node, place);
}

static void field_most(struct reader *reader, const struct node *node, void *place)
{
    struct condition_node *test = fields_object(reader, place);
    if (!node_has(node->parent, "min"))
        test->min = INT_MIN;
    field_integer(reader, node, place);
    if (test->min > test->max)
        reader_error(reader, node->parent, "", "`min` is greater than `max`");
}

/* A word about what hangs together. */
static void field_beside(struct reader *reader, const struct node *node, void *place)
{
    struct condition_node *test = place;
    test->cells = SELECT_GROUP;
    fields_read(reader, node, reader->field->fields, test);
    sides_read_neighbours(reader, node, &test->selection);
}

/* Of all of them, if nothing else is said. */
static void field_zones(struct reader *reader, const struct node *node, void *place)
{
    struct condition_node *test = fields_object(reader, place);
    uint64_t *zones = reader_allocate(reader, ZONE_WORDS, sizeof *zones);
    if (!zones_read_named(reader, node, zones))
        return;
    test->zones = zones;
    test->min = bits_count(zones, ZONE_WORDS);
    if (test->min == 0)
        reader_error(reader, node, "", "this names no zone");
}

/* How many of the zones. */
static void field_touched(struct reader *reader, const struct node *node, void *place)
{
    struct condition_node *test = fields_object(reader, place);
    int most = test->zones != NULL ? bits_count(test->zones, ZONE_WORDS) : 0;
    field_integer(reader, node, place);
    reader_demand(reader, node->parent, "zones", !node_has(node->parent, "zones"),
                  "say which of them: \"zones\": [\"top\", \"bottom\"]");
    if (most > 0 && test->min > most)
        reader_error(reader, node, "", "there are only %d zones to be touched", most);
}

static void field_target(struct reader *reader, const struct node *node, void *place)
{
    struct condition_node *test = fields_object(reader, place);
    test->from_target = true;
    field_match(reader, node, place);
}

/* Of what the target must be like, or must not. */
static void field_is_figure(struct reader *reader, const struct node *node, void *place)
{
    struct condition_node *test = fields_object(reader, place);
    bool wanted = true;
    test->from_target = true;
    if (reader_boolean(reader, node, &wanted))
        test->match.negated = !wanted;
}

static void field_is_cell(struct reader *reader, const struct node *node, void *place)
{
    struct condition_node *test = fields_object(reader, place);
    test->match.empty = true;
    field_is_figure(reader, node, place);
}

static void field_is_enemy(struct reader *reader, const struct node *node, void *place)
{
    struct condition_node *test = fields_object(reader, place);
    test->match.players = (uint8_t)(test->match.players & ~(1u << reader->mover));
    field_is_figure(reader, node, place);
    if (reader_is_modern(reader) && reader->condition_place != PLACE_ACTION)
        return;
    test->kind = CONDITION_ENEMY;
    test->min = !test->match.negated;
}

/* Either a match, or {"is": match} or {"cell": …} and, if need be, `by` which figures. */
static void field_attacked(struct reader *reader, const struct node *node, void *place)
{
    const struct field *field = reader->field;
    struct condition_node *test = place;
    bool of_move = node_has(node, "cell"), by = node_has(node, "by");
    if (of_move || by || node_has(node, "is"))
        fields_read(reader, node, field->fields, test);
    else
        field_match(reader, node, &test->match);
    test->match.empty = false; /* only where something stands can anything be attacked */
    if (of_move)
        test->kind = CONDITION_ATTACKED_CELL;
    reader_refuse(reader, node, "is", of_move, "leave one of them out",
                  "`cell` says already what is attacked");
    reader_demand(reader, node, "is", by && !of_move, "say what is attacked: \"is\": {…}");
}

static void field_place(struct reader *reader, const struct node *node, void *place)
{
    static const struct field fields[] = {{.word = "zone"}, {.word = "coordinates"}, {0}};
    bool object = node_type(node) == NODE_OBJECT;
    int zone = -1;
    if (object && reader->dimensions.known)
        fields_check(reader, node, fields, &reader->dimensions);
    if (object)
        zone = zones_read_where(reader, node);
    else
        field_zone(reader, node, &zone);
    *(int16_t *)place = (int16_t)zone;
}

/* true, false, figures or {"figure": figures}. */
static void field_took(struct reader *reader, const struct node *node, void *place)
{
    static const struct field figure[] = {
        {"figure", field_figures, AT(struct condition_node, taken_figures), .missing = ""}, {0}};
    struct condition_node *test = fields_object(reader, place);
    test->took = TRI_YES;
    if (node_type(node) == NODE_BOOLEAN)
        test->took = node_boolean(node) ? TRI_YES : TRI_NO;
    else if (node_type(node) == NODE_OBJECT)
        fields_read(reader, node, figure, test);
    else
        field_figures(reader, node, &test->taken_figures);
}

static void field_pass(struct reader *reader, const struct node *node, void *place)
{
    field_flag(reader, node, place);
    if (node_count(node->parent) > 1)
        reader_error_key(reader, node, "leave the rest out",
                         "a pass has no figure, no cells and takes nothing");
}

/* Of one that each player has the mover's, if nothing else is said. */
static void field_counter(struct reader *reader, const struct node *node, void *place)
{
    struct condition_node *test = fields_object(reader, place);
    struct counter_rule *counter = counters_find(reader, node);
    if (counter == NULL)
        return;
    counter->asked = true;
    counter->decides |= reader->condition_place != PLACE_RESULT;
    test->first_slot = (int16_t)counter->first_slot;
    test->slot = (int16_t)(counter->first_slot + (counter->per_player ? reader->mover : 0));
}

/* The mover's, if nothing else is said. */
void field_hand(struct reader *reader, const struct node *node, void *place)
{
    struct condition_node *test = place;
    test->kind = CONDITION_HAND;
    test->match.players = (uint8_t)(1u << reader->mover);
    fields_read(reader, node, reader->field->fields, test);
    hands_demand(reader, node);
}

/* Whose slot; of several players one of several. */
static void field_slots(struct reader *reader, const struct node *node, void *place)
{
    struct condition_node *test = fields_object(reader, place);
    struct node name = node_member(node->parent, "name");
    const struct counter_rule *counter = node_is_there(&name) ? counters_find(reader, &name) : NULL;
    if (counter == NULL)
        return;
    if (!counter->per_player) {
        reader_error_key(reader, node, "say \"per_player\": true where it is defined",
                         "counter `%s` is not counted for each player",
                         text_quote(counter->name).text);
        return;
    }
    field_owner(reader, node, place);
    test->slot = -1;
    for (int i = 0; i < reader->players.count; i++)
        if (!test->match.next_player && test->match.players == 1u << i)
            test->slot = (int16_t)(test->first_slot + i);
}

static void field_players(struct reader *reader, const struct node *node, void *place)
{
    struct player_set set;
    if (sides_read_players(reader, node, &set))
        *(uint8_t *)place = set.next ? sides_everybody(reader) : set.players;
}

/* Of the whole board, or of a selection. */
static void field_count(struct reader *reader, const struct node *node, void *place)
{
    const struct field *members = reader->field->fields;
    struct condition_node *test = place;
    bool selected = node_has(node, "cells");
    int complaints = reader->complaints;
    if (selected) {
        test->kind = CONDITION_SELECTED;
        test->selection = selection_blank(reader);
    }
    if (fields_read(reader, node, members, test) && reader->complaints == complaints)
        selection_check(reader, node, selected ? &test->selection : NULL);
    reader_demand(reader, node, "is", !selected, "say what must stand there: \"is\": {…}");
}

/* --- conditions within conditions ------------------------------------------------------------- */

static element_kind read_condition;

static void read_all_of(struct reader *reader, const struct node *list, struct condition_node *test)
{
    reader->condition_depth++;
    test->children = elements_read(
        reader, list,
        EACH(ELEMENTS(CONDITIONS_MAX, "conditions", struct condition_node, read_condition)),
        &test->child_count);
    reader->condition_depth--;
}

/* One condition or a list of which one must hold. */
static bool read_some(struct reader *reader, const struct node *node, struct condition_node *test)
{
    if (node_type(node) != NODE_LIST)
        return read_condition(reader, node, test);
    if (!tests_spend(reader, node, reader->condition_depth))
        return false;
    *test = tests_blank(reader, CONDITION_ANY, node);
    read_all_of(reader, node, test);
    if (test->child_count == 1)
        *test = test->children[0];
    return true;
}

static void field_negated(struct reader *reader, const struct node *node, void *place)
{
    struct condition_node *test = fields_object(reader, place);
    struct condition_node *inner = reader_allocate(reader, 1, sizeof *inner);
    reader->condition_depth++;
    if (read_some(reader, node, inner)) {
        test->children = inner;
        test->child_count = 1;
    }
    reader->condition_depth--;
}

static void field_conditions(struct reader *reader, const struct node *node, void *place)
{
    read_all_of(reader, node, fields_object(reader, place));
}

/* --- the words -------------------------------------------------------------------------------- */

enum { FEW = 32 }; /* of one word in one condition */

#define MEMBER(name, how, member, from, to, hint)                                                  \
    {#name,           field_##how,  AT(struct condition_node, member),                             \
     .least = (from), .most = (to), .missing = (hint)},
#define FORMER(name, then) {.word = #name, .now = #then},
#define NOTHING(...)

/* Whether there is any move; or any of such figures, from and to such cells. */
static void field_no_moves(struct reader *reader, const struct node *node, void *place)
{
    static const struct field members[] = {MEMBERS_no_moves(MEMBER){0}};
    struct condition_node *test = fields_object(reader, place);
    bool wanted = true;
    test->picks = node_type(node) == NODE_OBJECT && node_count(node) > 0;
    if (test->picks && reader->condition_place == PLACE_FORBID)
        reader_error(reader, node, "write \"no_moves\": true",
                     "which moves there are not can only be asked in `results`");
    if (node_type(node) == NODE_OBJECT)
        fields_read(reader, node, members, test);
    else if (reader_boolean(reader, node, &wanted) && !wanted)
        put_above(reader, CONDITION_NOT, test);
}

/* Of the board alone, or of all that tells positions apart. One game remembers one of the two. */
static void field_repeated(struct reader *reader, const struct node *node, void *place)
{
    *(bool *)place = reader_name(reader, node, NODE_VALUE,
                                 CHOICES("thing that repeats", "position", "board")) == 1;
}

/* A counter of all moves, which says how far back one looks. */
static void field_during(struct reader *reader, const struct node *node, void *place)
{
    const struct counter_rule *counter = counters_find(reader, node);
    if (counter == NULL)
        return;
    *(int16_t *)place = (int16_t)counter->first_slot;
    if (counter->per_player)
        reader_error(reader, node, "take a counter that has no \"per_player\"",
                     "counter `%s` counts each player's own moves, not all",
                     text_quote(counter->name).text);
}

/* How often, or that with what repeats. */
static void field_repetition(struct reader *reader, const struct node *node, void *place)
{
    static const struct field members[] = {MEMBERS_repetition(MEMBER){0}};
    struct condition_node *test = fields_object(reader, place);
    if (node_type(node) == NODE_OBJECT)
        fields_read(reader, node, members, test);
    else
        field_read_one(reader, node, &members[0], test);
    if (reader->repeats && reader->definition->repeats_boards != test->of_board)
        reader_error(reader, node, "say the same `of` everywhere",
                     "a game remembers positions or boards, not both");
    reader->repeats = true;
    reader->definition->repeats_boards = test->of_board;
}

#define MEMBERS(name, node, how, where)                                                            \
    static const struct field name##_members[] = {MEMBERS_##name(MEMBER){0}};
/* NOLINTNEXTLINE(bugprone-sizeof-expression): the size of a pointer is meant. */
CONDITION_WORDS(NOTHING, MEMBERS, NOTHING)

#define VALUE(name, kind, how, member, from, to, where)                                            \
    {#name,                                                                                        \
     field_##how,                                                                                  \
     AT(struct condition_node, member),                                                            \
     .node = CONDITION_##kind,                                                                     \
     .least = (from),                                                                              \
     .most = (to),                                                                                 \
     .place = PLACE_##where,                                                                       \
     .format = PLACE_##where == PLACE_ACTION ? 0 : 2},
#define OBJECT(name, kind, how, where)                                                             \
    {#name,                                                                                        \
     field_##how,                                                                                  \
     .node = CONDITION_##kind,                                                                     \
     .place = PLACE_##where,                                                                       \
     .fields = name##_members,                                                                     \
     .format = 2},
#define WORDS(name, where) {.word = #name, .place = PLACE_##where, .fields = name##_words},
#define INNER(name, where) static const struct field name##_words[] = {WORDS_##name(VALUE){0}};
CONDITION_WORDS(NOTHING, NOTHING, INNER)
static const struct field condition_words[] = {CONDITION_WORDS(VALUE, OBJECT, WORDS){0}};

static void read_value(struct reader *reader, const struct node *node, const struct field *word,
                       struct growing_list *list)
{
    if (!tests_spend(reader, node, reader->condition_depth))
        return;
    struct condition_node *test = reader_add(reader, list, sizeof *test);
    *test = tests_blank(reader, word->node, node);
    field_read_one(reader, node, word, test);
}

static void read_words(struct reader *reader, const struct node *object, const struct field *words,
                       struct growing_list *list);

/* Everywhere else a list means that one of it is enough. */
static void warn_of_list(struct reader *reader, const struct node *member)
{
    if (node_type(member) != NODE_LIST || node_count(member) < 2)
        return;
    char hint[96];
    snprintf(hint, sizeof hint, "say so: \"all\": [{\"%s\": {…}}, {\"%s\": {…}}]", member->key,
             member->key);
    reader_warn(reader, member, NODE_KEY, hint, "of this list of `%s` all must hold", member->key);
}

/* A value becomes a node; so does each object of a list of them, and each of the words within a word. */
static void read_word(struct reader *reader, const struct node *member, const struct field *word,
                      struct growing_list *list)
{
    static const char *const refusals[] = {[PLACE_MOVE] = "`%s` is not possible in `cell_actions`",
                                           [PLACE_FORBID] =
                                               "`%s` can only be asked in `forbid` and `results`"};
    bool modern = reader_is_modern(reader);
    if (reader->condition_place < word->place && modern)
        reader_error_key(reader, member,
                         word->place == PLACE_MOVE ? "write it in the `if` of the movement" : "",
                         refusals[word->place], member->key);
    else if (word->format == 2 && !modern)
        return;
    else if (word->kind == NULL)
        read_words(reader, member, word->fields, list);
    else if (word->fields == NULL)
        read_value(reader, member, word, list);
    else if (reader_expect_at_most(reader, member, FEW, "conditions")) {
        warn_of_list(reader, member);
        EACH_OF (each, member)
            if (reader_expect(reader, &each, NODE_OBJECT))
                read_value(reader, &each, word, list);
    }
}

static void read_words(struct reader *reader, const struct node *object, const struct field *words,
                       struct growing_list *list)
{
    bool outermost = words == condition_words;
    if (!reader_expect(reader, object, NODE_OBJECT))
        return;
    fields_check(reader, object, words, outermost ? reader->field->names : NULL);
    EACH_MEMBER (each, object) {
        const struct field *word = fields_find(words, each.key);
        if (word != NULL)
            read_word(reader, &each, word, list);
    }
}

static bool read_condition(struct reader *reader, const struct node *object, void *element)
{
    struct condition_node *test = element;
    struct growing_list list = {.count = 0};
    if (!reader_expect(reader, object, NODE_OBJECT) ||
        !tests_spend(reader, object, reader->condition_depth))
        return false;
    read_words(reader, object, condition_words, &list);
    if (list.count == 1) {
        *test = *(const struct condition_node *)list.elements;
        return true;
    }
    *test = tests_blank(reader, CONDITION_ALL, object);
    test->children = list.elements;
    test->child_count = list.count;
    return true;
}

/* --- an `if` ---------------------------------------------------------------------------------- */

void field_condition(struct reader *reader, const struct node *node, void *place)
{
    const struct condition_node **kept = place;
    struct condition_node *test = reader_allocate(reader, 1, sizeof *test);
    reader->condition_place = reader->field->place;
    reader->condition_depth = 1;
    *kept = read_some(reader, node, test) ? test : NULL;
}
