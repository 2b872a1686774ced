/* Action sets, the `cell_actions` of figures and movements: all there is in formats 0 and 1, and allowed in format 2. */
#include "engine/load/reader.h"

#include <string.h>

/* In the order of enum rule_action_kind. */
static const char *const action_names[] = {"move", "take", "swap", "replace", "cancel"};
static const struct name_list action_list = {"action", true, 5, action_names};

/* {"action": name, "parameters": {…}}; only `replace` has parameters. */
static bool read_long_action(struct reader *reader, const struct node *object,
                             struct rule_action *action)
{
    static const char *const keys[] = {"action", "parameters"};
    static const char *const parameter_keys[] = {"new_figure"};
    reader_check_keys(reader, object, STRICT, keys, 2);
    struct node name = node_member(object, "action");
    int kind = reader_name(reader, &name, NODE_VALUE, &action_list);
    if (kind < 0)
        return false;
    action->kind = (uint8_t)kind;
    if (action->kind == RULE_CANCEL) {
        reader_error(reader, object, NODE_VALUE, "write just \"cancel\"",
                     "`cancel` cannot be written as an object");
        return false;
    }
    struct node parameters = node_member(object, "parameters");
    if (action->kind != RULE_REPLACE) {
        if (node_type(&parameters) != NODE_ABSENT)
            reader_warn(reader, &parameters, NODE_KEY, "they are ignored",
                        "`%s` takes no parameters", action_names[kind]);
        return true;
    }
    if (!reader_expect(reader, &parameters, NODE_OBJECT))
        return false;
    reader_check_keys(reader, &parameters, STRICT, parameter_keys, 1);
    struct node new_figure = node_member(&parameters, "new_figure");
    int figure = reader_name(reader, &new_figure, NODE_VALUE, &reader->figures);
    if (figure < 0)
        return false;
    action->new_figure = (figure_index)figure;
    return true;
}

static bool read_action(struct reader *reader, const struct node *node, struct rule_action *action)
{
    *action = (struct rule_action){.new_figure = FIGURE_NONE};
    if (node_type(node) == NODE_OBJECT)
        return read_long_action(reader, node, action);
    int kind = reader_name(reader, node, NODE_VALUE, &action_list);
    if (kind < 0)
        return false;
    action->kind = (uint8_t)kind;
    if (action->kind != RULE_REPLACE)
        return true;
    reader_error(reader, node, NODE_VALUE,
                 "write {\"action\": \"replace\", \"parameters\": {\"new_figure\": …}}",
                 "`replace` needs to know its new figure");
    return false;
}

static void read_actions(struct reader *reader, const struct node *list, struct action_set *set)
{
    if (!reader_expect(reader, list, NODE_LIST) ||
        !reader_expect_at_most(reader, list, ACTIONS_MAX, "actions"))
        return;
    size_t count = node_count(list);
    struct rule_action *actions = reader_allocate(reader, count, sizeof *actions);
    if (actions == NULL)
        return;
    for (size_t i = 0; i < count; i++) {
        struct node element = node_element(list, i);
        if (read_action(reader, &element, &actions[set->action_count]))
            set->action_count++;
    }
    set->actions = actions;
}

static bool has_action(const struct action_set *set, enum rule_action_kind kind)
{
    for (int i = 0; i < set->action_count; i++)
        if (set->actions[i].kind == kind)
            return true;
    return false;
}

/* Actions see source and target as they were before the move; some combinations then do what few
 * expect. */
static void warn_of_surprises(struct reader *reader, const struct node *node,
                              const struct action_set *set, bool transition, bool after_move)
{
    if (transition && has_action(set, RULE_MOVE))
        reader_warn(reader, node, NODE_VALUE, "moves belong to `destination`",
                    "`move` in a transition leaves a copy of the figure on every cell passed");
    if (has_action(set, RULE_TAKE) && has_action(set, RULE_SWAP))
        reader_warn(reader, node, NODE_VALUE, "use one of them",
                    "`take` together with `swap` brings the taken figure back");
    if (after_move && has_action(set, RULE_REPLACE))
        reader_warn(reader, node, NODE_VALUE, "put `replace` before `move`",
                    "`replace` after `move` leaves the new figure on the cell moved from");
}

static bool replaces_after_moving(const struct action_set *set)
{
    bool moved = false;
    for (int i = 0; i < set->action_count; i++) {
        if (set->actions[i].kind == RULE_REPLACE && moved)
            return true;
        moved = moved || set->actions[i].kind == RULE_MOVE;
    }
    return false;
}

static void read_sets(struct reader *reader, const struct node *list, bool transition, int *count,
                      const struct action_set **sets)
{
    static const char *const keys[] = {"actions", "if"};
    if (!reader_expect_if_there(reader, list, NODE_LIST) ||
        !reader_expect_at_most(reader, list, SETS_MAX, "action sets"))
        return;
    size_t wanted = node_count(list);
    struct action_set *read = reader_allocate(reader, wanted, sizeof *read);
    if (read == NULL)
        return;
    bool moved = false;
    for (size_t i = 0; i < wanted; i++) {
        struct node element = node_element(list, i);
        if (!reader_expect(reader, &element, NODE_OBJECT))
            continue;
        struct action_set *set = &read[i];
        reader_check_keys(reader, &element, STRICT, keys, 2);
        struct node actions = node_member(&element, "actions");
        struct node conditions = node_member(&element, "if");
        set->pointer = reader_pointer(reader, &element);
        read_actions(reader, &actions, set);
        condition_list_read(reader, &conditions, &set->condition);
        warn_of_surprises(reader, &element, set, transition, moved || replaces_after_moving(set));
        moved = moved || has_action(set, RULE_MOVE);
    }
    *count = (int)wanted;
    *sets = read;
}

/* In format 2 a text stands for one of the file's `actions`. */
static void read_named(struct reader *reader, const struct node *name, struct cell_actions *actions)
{
    int index = reader_name(reader, name, NODE_VALUE, &reader->named_actions);
    if (index < 0 || reader->action_broken[index])
        return;
    int errors_before = reader->diagnostics->error_count;
    struct node all = node_member(reader->root, "actions");
    struct node object = node_member(&all, reader->named_actions.names[index]);
    if (reader_expect(reader, &object, NODE_OBJECT))
        cell_actions_read(reader, &object, actions);
    reader->action_broken[index] = reader->diagnostics->error_count != errors_before;
}

void cell_actions_read(struct reader *reader, const struct node *object,
                       struct cell_actions *actions)
{
    static const char *const keys[] = {"destination", "transition"};
    *actions = (struct cell_actions){.destination_count = 0};
    if (reader_is_modern(reader) && node_type(object) == NODE_STRING) {
        read_named(reader, object, actions);
        return;
    }
    if (!reader_expect_if_there(reader, object, NODE_OBJECT))
        return;
    reader_check_keys(reader, object, STRICT, keys, 2);
    struct node destination = node_member(object, "destination");
    struct node transition = node_member(object, "transition");
    read_sets(reader, &destination, false, &actions->destination_count, &actions->destination);
    read_sets(reader, &transition, true, &actions->transition_count, &actions->transition);
}

/* Shared with the one it comes from where the other is empty. */
static void join_sets(struct reader *reader, const struct node *node, int first_count,
                      const struct action_set *first, int second_count,
                      const struct action_set *second, int *count, const struct action_set **joined)
{
    *count = 0;
    if (first_count + second_count > SETS_TOTAL_MAX - reader->sets_total) {
        if (!reader->sets_reported)
            reader_error(reader, node, NODE_VALUE,
                         "the sets of a figure count once for each of its movements",
                         "too many action sets: at most %d are allowed in a game", SETS_TOTAL_MAX);
        reader->sets_reported = true;
        return;
    }
    reader->sets_total += first_count + second_count;
    if (first_count == 0 || second_count == 0) {
        *joined = first_count == 0 ? second : first;
        *count = first_count + second_count;
        return;
    }
    struct action_set *sets =
        reader_allocate(reader, (size_t)first_count + (size_t)second_count, sizeof *sets);
    if (sets == NULL)
        return;
    memcpy(sets, first, (size_t)first_count * sizeof *sets);
    memcpy(sets + first_count, second, (size_t)second_count * sizeof *sets);
    *joined = sets;
    *count = first_count + second_count;
}

void cell_actions_join(struct reader *reader, const struct node *node,
                       const struct cell_actions *first, const struct cell_actions *second,
                       struct cell_actions *joined)
{
    join_sets(reader, node, first->destination_count, first->destination, second->destination_count,
              second->destination, &joined->destination_count, &joined->destination);
    join_sets(reader, node, first->transition_count, first->transition, second->transition_count,
              second->transition, &joined->transition_count, &joined->transition);
}
