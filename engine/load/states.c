#include "engine/load/reader.h"

#include <stdio.h>
#include <string.h>

/* --- win conditions --------------------------------------------------------------------------- */

static void expect_word(struct reader *reader, const struct node *node, const char *kind,
                        const char *word)
{
    const struct name_list words = {kind, true, 1, &word};
    reader_name(reader, node, NODE_VALUE, &words);
}

static void read_win(struct reader *reader, const struct node *object, struct win_condition *win)
{
    static const char *const keys[] = {"entity", "filter", "type", "result"};
    if (!reader_expect(reader, object, NODE_OBJECT))
        return;
    reader_check_keys(reader, object, STRICT, keys, 4);
    struct node entity = node_member(object, "entity");
    struct node filter = node_member(object, "filter");
    struct node type = node_member(object, "type");
    struct node result = node_member(object, "result");
    expect_word(reader, &entity, "entity", "cell");
    expect_word(reader, &type, "type of win condition", "exists");
    if (reader_expect(reader, &filter, NODE_OBJECT))
        condition_read_filter(reader, &filter, &win->filter);
    if (reader_expect(reader, &result, NODE_BOOLEAN))
        win->expected = node_boolean(&result);
}

static void read_win_list(struct reader *reader, const struct node *list, struct win_list *wins)
{
    if (!reader_expect(reader, list, NODE_LIST) ||
        !reader_expect_at_most(reader, list, WINS_MAX, "win conditions"))
        return;
    size_t count = node_count(list);
    struct win_condition *conditions = reader_allocate(reader, count, sizeof *conditions);
    if (conditions == NULL)
        return;
    for (size_t i = 0; i < count; i++) {
        struct node element = node_element(list, i);
        read_win(reader, &element, &conditions[i]);
    }
    *wins = (struct win_list){.count = (int)count, .conditions = conditions};
}

void wins_read(struct reader *reader, const struct node *root)
{
    struct node object = node_member(root, "win_conditions");
    if (!reader_expect_if_there(reader, &object, NODE_OBJECT))
        return;
    for (void *at = node_first(&object); at != NULL; at = node_next(&object, at)) {
        struct node member = node_at(&object, at);
        int player = reader_name(reader, &member, NODE_KEY, &reader->players);
        if (player >= 0)
            read_win_list(reader, &member, &reader->definition->wins[player]);
    }
}

/* --- one state -------------------------------------------------------------------------------- */

/* What a state hands to its `next`: CHECK_WIN says true or false, the others nothing. */
enum result { RESULT_FALSE, RESULT_TRUE, RESULT_NOTHING };

/* {"result": true}, or {} which always holds. */
static bool result_condition_holds(const struct node *object, enum result result)
{
    struct node wanted = node_member(object, "result");
    if (node_type(&wanted) == NODE_ABSENT)
        return true;
    if (node_type(&wanted) == NODE_NULL)
        return result == RESULT_NOTHING;
    return result == (node_boolean(&wanted) ? RESULT_TRUE : RESULT_FALSE);
}

static void check_result_condition(struct reader *reader, const struct node *object)
{
    static const char *const keys[] = {"result"};
    if (!reader_expect(reader, object, NODE_OBJECT))
        return;
    reader_check_keys(reader, object, STRICT, keys, 1);
    struct node wanted = node_member(object, "result");
    if (node_type(&wanted) != NODE_NULL)
        reader_expect_if_there(reader, &wanted, NODE_BOOLEAN);
}

/* The shape and the names of one branch; false when something is wrong with it. */
static bool check_branch(struct reader *reader, const struct node *branch)
{
    static const char *const keys[] = {"state", "if"};
    int errors_before = reader->diagnostics->error_count;
    if (!reader_expect(reader, branch, NODE_OBJECT))
        return false;
    reader_check_keys(reader, branch, STRICT, keys, 2);
    struct node state = node_member(branch, "state");
    struct node conditions = node_member(branch, "if");
    reader_name(reader, &state, NODE_VALUE, &reader->states);
    if (reader_expect_if_there(reader, &conditions, NODE_LIST)) {
        for (size_t i = 0; i < node_count(&conditions); i++) {
            struct node condition = node_element(&conditions, i);
            check_result_condition(reader, &condition);
        }
    }
    return reader->diagnostics->error_count == errors_before;
}

static bool branch_holds(const struct node *branch, enum result result)
{
    struct node conditions = node_member(branch, "if");
    if (node_type(&conditions) == NODE_ABSENT)
        return true;
    for (size_t i = 0; i < node_count(&conditions); i++) {
        struct node condition = node_element(&conditions, i);
        if (result_condition_holds(&condition, result))
            return true;
    }
    return false;
}

/* The state after `result`; -1: no branch. */
static int follow(const struct reader *reader, const struct node *branches, enum result result)
{
    for (size_t i = 0; i < node_count(branches); i++) {
        struct node branch = node_element(branches, i);
        if (!branch_holds(&branch, result))
            continue;
        struct node state = node_member(&branch, "state");
        return name_list_find(&reader->states, node_string(&state));
    }
    return -1;
}

static void resolve_branches(struct reader *reader, const struct node *branches,
                             struct state_definition *state)
{
    bool checks = state->kind == MACHINE_CHECK_WIN;
    int no = follow(reader, branches, checks ? RESULT_FALSE : RESULT_NOTHING);
    int yes = follow(reader, branches, checks ? RESULT_TRUE : RESULT_NOTHING);
    if (!checks && no < 0)
        reader_error(reader, branches, NODE_VALUE, "add a branch with \"if\": [{}]",
                     "no branch of this list always holds");
    if (checks && no < 0)
        reader_error(reader, branches, NODE_VALUE,
                     "add a branch with \"if\": [{\"result\": false}]",
                     "no branch for a player who has not won");
    if (checks && yes < 0)
        reader_error(reader, branches, NODE_VALUE, "add a branch with \"if\": [{\"result\": true}]",
                     "no branch for a player who has won");
    state->next[0] = no < 0 ? 0 : (state_index)no;
    state->next[1] = yes < 0 ? 0 : (state_index)yes;
}

static void read_next(struct reader *reader, const struct node *object,
                      struct state_definition *state)
{
    struct node next = node_member(object, "next");
    if (state->kind == MACHINE_END) {
        if (node_type(&next) != NODE_ABSENT)
            reader_warn(reader, &next, NODE_KEY, "it is ignored", "nothing comes after the end");
        return;
    }
    if (node_type(&next) == NODE_LIST) {
        if (!reader_expect_at_most(reader, &next, STATES_MAX, "branches"))
            return;
        bool sound = true;
        for (size_t i = 0; i < node_count(&next); i++) {
            struct node branch = node_element(&next, i);
            sound = check_branch(reader, &branch) && sound;
        }
        if (sound)
            resolve_branches(reader, &next, state);
        return;
    }
    if (node_type(&next) == NODE_ABSENT) {
        reader_error(reader, object, NODE_VALUE, "say which state comes next", "`next` is missing");
        return;
    }
    int only = reader_name(reader, &next, NODE_VALUE, &reader->states);
    if (only >= 0)
        state->next[0] = state->next[1] = (state_index)only;
}

static void read_kind(struct reader *reader, const struct node *object,
                      struct state_definition *state)
{
    static const char *const types[] = {"move", "end", "check_win", "next_move"};
    static const enum machine_kind kinds[] = {MACHINE_MOVE, MACHINE_END, MACHINE_CHECK_WIN,
                                              MACHINE_NEXT_MOVE};
    const struct name_list list = {"type of state", true, 4, types};
    struct node type = node_member(object, "type");
    state->kind = MACHINE_PASS;
    if (!reader_expect(reader, &type, NODE_STRING))
        return;
    const char *word = node_string(&type);
    int index = name_list_find(&list, word);
    if (index >= 0)
        state->kind = kinds[index];
    else if (text_nearest(word, types, 4) >= 0)
        reader_name(reader, &type, NODE_VALUE, &list); /* which complains */
    else
        reader_warn(reader, &type, NODE_VALUE, "the game passes through it, and nothing happens",
                    "no type of state `%s`", text_quote(word).text);
}

static void read_phase(struct reader *reader, const struct node *parameters,
                       struct state_definition *state)
{
    struct node phase = node_member(parameters, "phase");
    struct node same_figure = node_member(parameters, "same_figure");
    state->phase = turns_phase(reader, &phase);
    reader_boolean(reader, &same_figure, &state->same_figure);
}

static void read_player(struct reader *reader, const struct node *object,
                        struct state_definition *state)
{
    static const char *const keys[] = {"player", "phase", "same_figure"};
    struct node parameters = node_member(object, "parameters");
    bool needed = state->kind == MACHINE_MOVE || state->kind == MACHINE_CHECK_WIN;
    state->player = PLAYER_NONE;
    if (!needed && node_type(&parameters) == NODE_ABSENT)
        return;
    if (!reader_expect(reader, &parameters, NODE_OBJECT))
        return;
    reader_check_words(reader, &parameters, LENIENT, keys, 1, 3);
    if (!needed)
        return;
    if (reader_is_modern(reader))
        read_phase(reader, &parameters, state);
    struct node player = node_member(&parameters, "player");
    int index = reader_name(reader, &player, NODE_VALUE, &reader->players);
    if (index < 0)
        return;
    state->player = (player_index)index;
    if (state->kind != MACHINE_CHECK_WIN)
        return;
    const struct node *root = object->parent->parent;
    struct node wins = node_member(root, "win_conditions");
    struct node list = node_member(&wins, reader->players.names[index]);
    bool readable = node_type(&wins) == NODE_ABSENT || node_type(&wins) == NODE_OBJECT;
    if (readable && node_type(&list) == NODE_ABSENT)
        reader_error(reader, &player, NODE_VALUE, "list them in /win_conditions",
                     "`%s` has no win conditions", text_quote(reader->players.names[index]).text);
}

static void read_end(struct reader *reader, const struct node *object,
                     struct state_definition *state)
{
    static const char *const words[] = {"winner", "draw", "reason"};
    struct node winner = node_member(object, "winner");
    struct node draw = node_member(object, "draw");
    struct node reason = node_member(object, "reason");
    state->winner = PLAYER_NONE;
    state->reason = "";
    for (int i = 0; state->kind != MACHINE_END && i < 3; i++) {
        struct node member = node_member(object, words[i]);
        if (node_type(&member) != NODE_ABSENT)
            reader_error(reader, &member, NODE_KEY, "", "only an `end` state has a `%s`", words[i]);
    }
    if (state->kind != MACHINE_END)
        return;
    reader_boolean(reader, &draw, &state->drawn);
    const char *text = reader_text(reader, &reason, REASON_BYTES_MAX, false);
    if (text != NULL)
        state->reason = text;
    if (node_type(&winner) == NODE_ABSENT)
        return;
    int player = reader_name(reader, &winner, NODE_VALUE, &reader->players);
    if (player >= 0)
        state->winner = (player_index)player;
    if (state->drawn)
        reader_error(reader, &winner, NODE_KEY, "leave one of them out",
                     "a drawn game has no winner");
}

static void read_state(struct reader *reader, const struct node *object,
                       struct state_definition *state)
{
    static const char *const keys[] = {"type", "parameters", "next", "winner", "draw", "reason"};
    if (!reader_expect(reader, object, NODE_OBJECT))
        return;
    reader_check_keys(reader, object, STRICT, keys, 6);
    read_kind(reader, object, state);
    read_player(reader, object, state);
    read_end(reader, object, state);
    read_next(reader, object, state);
}

/* --- the machine as a whole ------------------------------------------------------------------- */

static bool is_passive(const struct state_definition *state)
{
    return state->kind != MACHINE_MOVE && state->kind != MACHINE_END;
}

enum colour { UNSEEN, ON_THE_WAY, DONE };

struct walk {
    struct reader *reader;
    const struct state_definition *states;
    const struct node *object;
    enum colour colours[STATES_MAX];
    state_index way[STATES_MAX];
    int depth;
    bool cyclic;
};

static void report_cycle(struct walk *walk, state_index back_to)
{
    char circle[DIAGNOSTIC_TEXT_BYTES];
    size_t used = 0;
    int start = walk->depth - 1;
    while (walk->way[start] != back_to)
        start--;
    for (int i = start; i < walk->depth && used < sizeof circle; i++)
        used += (size_t)snprintf(circle + used, sizeof circle - used, "`%s` → ",
                                 text_quote(walk->states[walk->way[i]].name).text);
    if (used < sizeof circle)
        snprintf(circle + used, sizeof circle - used, "`%s`",
                 text_quote(walk->states[back_to].name).text);
    struct node state = node_member(walk->object, walk->states[back_to].name);
    reader_error(walk->reader, &state, NODE_KEY, "a `move` or `end` state must come between them",
                 "the game would go round for ever: %s", circle);
    walk->cyclic = true;
}

/* Depth first through the passive states; at most STATES_MAX deep. */
static void look_for_cycles(struct walk *walk, state_index index)
{
    const struct state_definition *state = &walk->states[index];
    if (!is_passive(state) || walk->colours[index] == DONE)
        return;
    if (walk->colours[index] == ON_THE_WAY) {
        report_cycle(walk, index);
        return;
    }
    walk->colours[index] = ON_THE_WAY;
    walk->way[walk->depth++] = index;
    look_for_cycles(walk, state->next[0]);
    if (state->next[1] != state->next[0])
        look_for_cycles(walk, state->next[1]);
    walk->depth--;
    walk->colours[index] = DONE;
}

static bool reject_cycles(struct reader *reader, const struct node *object,
                          const struct state_definition *states, int count)
{
    struct walk walk = {.reader = reader, .states = states, .object = object};
    for (int i = 0; i < count; i++)
        look_for_cycles(&walk, (state_index)i);
    return !walk.cyclic;
}

static void warn_of_unreachable(struct reader *reader, const struct node *object,
                                const struct state_definition *states, int count, int first)
{
    bool reached[STATES_MAX] = {false};
    state_index queue[STATES_MAX];
    int queued = 0;
    reached[first] = true;
    queue[queued++] = (state_index)first;
    for (int i = 0; i < queued; i++) {
        const struct state_definition *state = &states[queue[i]];
        for (int branch = 0; state->kind != MACHINE_END && branch < 2; branch++) {
            state_index next = state->next[branch];
            if (!reached[next])
                queue[queued++] = next;
            reached[next] = true;
        }
    }
    for (int i = 0; i < count; i++) {
        struct node state = node_member(object, states[i].name);
        if (!reached[i])
            reader_warn(reader, &state, NODE_KEY, "", "the game never comes to state `%s`",
                        text_quote(states[i].name).text);
    }
}

/* --- the start -------------------------------------------------------------------------------- */

/* Does the cell match, in the start position? `on_it` is NULL where it is empty. */
static bool atom_holds_at_start(const struct atom *atom, const struct cell_definition *cell,
                                const struct placement *on_it)
{
    if (atom->kind == ATOM_TARGET_COORDINATE)
        return cell->coordinates[atom->dimension] == atom->value;
    if (on_it == NULL)
        return atom->value == ATOM_ABSENT;
    if (atom->kind == ATOM_TARGET_FIGURE)
        return atom->value == on_it->figure;
    if (atom->kind == ATOM_TARGET_PLAYER)
        return atom->value == on_it->player;
    return atom->value == 0; /* nobody has moved */
}

/* The start position as the passive states before the first move see it; it does not change, so neither does who has won
 * in it. */
struct start {
    const struct definition *definition;
    const struct placement *on[CELLS_MAX];
    bool known[PLAYERS_MAX], won[PLAYERS_MAX];
};

static bool condition_holds_at_start(const struct start *start, const struct condition *condition,
                                     int cell)
{
    for (int i = 0; i < condition->atom_count; i++)
        if (!atom_holds_at_start(&condition->atoms[i], &start->definition->cells[cell],
                                 start->on[cell]))
            return false;
    return true;
}

static bool has_won(const struct start *start, const struct win_list *wins)
{
    for (int i = 0; i < wins->count; i++) {
        bool exists = false;
        for (int cell = 0; cell < start->definition->cell_count && !exists; cell++)
            exists = condition_holds_at_start(start, &wins->conditions[i].filter, cell);
        if (exists == wins->conditions[i].expected)
            return true;
    }
    return false;
}

static bool has_won_at_start(struct start *start, player_index player)
{
    if (!start->known[player])
        start->won[player] = has_won(start, &start->definition->wins[player]);
    start->known[player] = true;
    return start->won[player];
}

/* Runs the passive states the game begins with; there is no cycle among them. */
static void enter_first_state(struct reader *reader, const struct node *initial,
                              const struct state_definition *states, state_index index)
{
    struct definition *definition = reader->definition;
    struct start start = {.definition = definition};
    for (int i = 0; i < definition->placement_count; i++)
        start.on[definition->placements[i].cell] = &definition->placements[i];
    definition->initial_move_number = 1;
    while (is_passive(&states[index])) {
        const struct state_definition *state = &states[index];
        bool won = state->kind == MACHINE_CHECK_WIN && has_won_at_start(&start, state->player);
        if (state->kind == MACHINE_NEXT_MOVE)
            definition->initial_move_number++;
        index = state->next[won];
    }
    definition->initial_state = index;
    if (states[index].kind == MACHINE_END)
        reader_error(reader, initial, NODE_VALUE, "", "the game ends before the first move");
}

void states_read(struct reader *reader, const struct node *root)
{
    struct node object = node_member(root, "game_states");
    struct node initial = node_member(root, "initial_game_state");
    int first = reader_name(reader, &initial, NODE_VALUE, &reader->states);
    if (!reader->states.known)
        return;
    int count = reader->states.count;
    struct state_definition *states = reader_allocate(reader, (size_t)count, sizeof *states);
    if (states == NULL)
        return;
    int index = 0, errors_before = reader->diagnostics->error_count;
    for (void *at = node_first(&object); at != NULL; at = node_next(&object, at), index++) {
        struct node member = node_at(&object, at);
        states[index].name = reader->states.names[index];
        read_state(reader, &member, &states[index]);
    }
    reader->definition->states = states;
    reader->definition->state_count = count;
    /* what follows goes from state to state and needs all of them to be sound */
    if (first < 0 || reader->diagnostics->error_count != errors_before ||
        !reject_cycles(reader, &object, states, count))
        return;
    warn_of_unreachable(reader, &object, states, count, first);
    if (reader->diagnostics->error_count == 0)
        enter_first_state(reader, &initial, states, (state_index)first);
}
