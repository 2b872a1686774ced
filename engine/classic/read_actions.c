/* Action sets, the `cell_actions` of figures and movements: all there is in formats 0 and 1, and allowed in format 2. */
#include "engine/load/fields.h"

#include <string.h>

/* In the order of enum rule_action_kind. */
static const char *const action_names[] = {"move", "take", "swap", "replace", "cancel"};
enum { NO_ACTION = UINT8_MAX }; /* there was a mistake */
static const struct name_list action_list = {"action", true, 5, action_names};

static const struct field parameter_fields[] = {
    {"new_figure", field_choice, AT(struct rule_action, new_figure), NAMES_OF(figures),
     .missing = ""},
    {0},
};

static const struct field action_fields[] = {
    {"action", field_choice, AT(struct rule_action, kind), .names = &action_list, .missing = ""},
    {.word = "parameters"},
    {0},
};

/* {"action": name, "parameters": {…}}; only `replace` has parameters. */
static void read_long_action(struct reader *reader, const struct node *object,
                             struct rule_action *action)
{
    struct node parameters = node_member(object, "parameters");
    fields_read(reader, object, action_fields, action);
    if (action->kind == RULE_CANCEL)
        reader_error(reader, object, "write just \"cancel\"",
                     "`cancel` cannot be written as an object");
    else if (action->kind == RULE_REPLACE)
        fields_read(reader, &parameters, parameter_fields, action);
    else if (action->kind != NO_ACTION && node_is_there(&parameters))
        reader_warn(reader, &parameters, NODE_KEY, "they are ignored", "`%s` takes no parameters",
                    action_names[action->kind]);
}

static bool read_action(struct reader *reader, const struct node *node, void *element)
{
    struct rule_action *action = element;
    *action = (struct rule_action){.kind = NO_ACTION, .new_figure = FIGURE_NONE};
    if (node_type(node) == NODE_OBJECT) {
        read_long_action(reader, node, action);
        return true;
    }
    int kind = reader_name(reader, node, NODE_VALUE, &action_list);
    if (kind == RULE_REPLACE)
        reader_error(reader, node,
                     "write {\"action\": \"replace\", \"parameters\": {\"new_figure\": …}}",
                     "`replace` needs to know its new figure");
    action->kind = (uint8_t)kind;
    return kind >= 0;
}

/* Actions see source and target as they were before the move; some combinations then do what few
 * expect. `replaces_late`: after a move. */
static void warn_of_surprises(struct reader *reader, const struct node *node,
                              const struct action_set *set, bool transition, bool replaces_late)
{
    if (transition && action_set_does(set, RULE_MOVE))
        reader_warn(reader, node, NODE_VALUE, "moves belong to `destination`",
                    "`move` in a transition leaves a copy of the figure on every cell passed");
    if (action_set_does(set, RULE_TAKE) && action_set_does(set, RULE_SWAP))
        reader_warn(reader, node, NODE_VALUE, "use one of them",
                    "`take` together with `swap` brings the taken figure back");
    if (replaces_late)
        reader_warn(reader, node, NODE_VALUE, "put `replace` before `move`",
                    "`replace` after `move` leaves the new figure on the cell moved from");
}

static void read_conditions(struct reader *reader, const struct node *node, void *place)
{
    if (reader_is_modern(reader) || reader_expect(reader, node, NODE_LIST))
        field_condition(reader, node, place);
}

const struct field action_set_fields[] = {
    {"actions", field_list, LIST_AT(struct action_set, actions, action_count),
     ELEMENTS(ACTIONS_MAX, "actions", struct rule_action, read_action), .missing = ""},
    {"if", read_conditions, TO(struct action_set, condition), .place = PLACE_ACTION},
    {0},
};

static bool read_set(struct reader *reader, const struct node *object, void *element)
{
    fields_read(reader, object, action_set_fields, element);
    return true;
}

const struct field cell_actions_fields[] = {
    {"destination", field_list, LIST_AT(struct cell_actions, destination, destination_count),
     ELEMENTS(SETS_MAX, "action sets", struct action_set, read_set), .keeps = true},
    {"transition", field_list, LIST_AT(struct cell_actions, transition, transition_count),
     ELEMENTS(SETS_MAX, "action sets", struct action_set, read_set), .keeps = true},
    {0},
};

static void check_sets(struct reader *reader, const struct node *list, bool transition, int count,
                       const struct action_set *sets)
{
    bool moved = false;
    for (int i = 0; i < count; i++) {
        struct node node = node_element(list, (size_t)i);
        bool replaces_late = false;
        for (int k = 0; k < sets[i].action_count; k++) {
            replaces_late |= moved && sets[i].actions[k].kind == RULE_REPLACE;
            moved |= sets[i].actions[k].kind == RULE_MOVE;
        }
        warn_of_surprises(reader, &node, &sets[i], transition, replaces_late);
    }
}

/* In format 2 a text stands for one of the file's `actions`. */
static void read_named(struct reader *reader, const struct node *name, struct cell_actions *actions)
{
    int index = reader_name(reader, name, NODE_VALUE, &reader->named_actions);
    if (index < 0)
        return;
    struct node all = node_member(reader->root, "actions");
    struct node object = node_member(&all, reader->named_actions.names[index]);
    if (reader_expect(reader, &object, NODE_OBJECT))
        cell_actions_read(reader, &object, actions);
}

void cell_actions_read(struct reader *reader, const struct node *object,
                       struct cell_actions *actions)
{
    *actions = (struct cell_actions){.destination_count = 0};
    struct node destination = node_member(object, "destination");
    struct node transition = node_member(object, "transition");
    if (reader_is_modern(reader) && node_type(object) == NODE_STRING)
        read_named(reader, object, actions);
    else if (node_is_there(object) && fields_read(reader, object, cell_actions_fields, actions)) {
        check_sets(reader, &destination, false, actions->destination_count, actions->destination);
        check_sets(reader, &transition, true, actions->transition_count, actions->transition);
    }
}

/* Shared with the one it comes from where the other is empty. */
static const struct action_set *join_sets(struct reader *reader, const struct node *node,
                                          int first_count, const struct action_set *first,
                                          int second_count, const struct action_set *second)
{
    if (first_count + second_count > SETS_TOTAL_MAX - reader->sets_total)
        reader_stop(reader, node, "the sets of a figure count once for each of its movements",
                    "too many action sets: at most %d are allowed in a game", SETS_TOTAL_MAX);
    reader->sets_total += first_count + second_count;
    if (first_count == 0 || second_count == 0)
        return first_count == 0 ? second : first;
    struct action_set *sets =
        reader_keep(reader, (size_t)first_count + (size_t)second_count, sizeof *sets);
    memcpy(sets, first, (size_t)first_count * sizeof *sets);
    memcpy(sets + first_count, second, (size_t)second_count * sizeof *sets);
    return sets;
}

void field_cell_actions(struct reader *reader, const struct node *node, void *place)
{
    const struct cell_actions *outer = &reader->outer_actions;
    struct cell_actions own, *joined = place;
    cell_actions_read(reader, node, &own);
    joined->destination = join_sets(reader, node->parent, own.destination_count, own.destination,
                                    outer->destination_count, outer->destination);
    joined->destination_count = own.destination_count + outer->destination_count;
    joined->transition = join_sets(reader, node->parent, own.transition_count, own.transition,
                                   outer->transition_count, outer->transition);
    joined->transition_count = own.transition_count + outer->transition_count;
}
