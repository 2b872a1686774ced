#include "engine/load/fields.h"

#include <stdio.h>
#include <string.h>

/* --- win conditions --------------------------------------------------------------------------- */

static void read_filter(struct reader *reader, const struct node *node, void *object)
{
    struct win_condition *win = object;
    if (reader_expect(reader, node, NODE_OBJECT))
        condition_read_filter(reader, node, &win->filter);
}

const struct field win_fields[] = {
    {"entity", field_choice, .names = CHOICES("entity", "cell"), .missing = ""},
    {"filter", read_filter, .missing = ""},
    {"type", field_choice, .names = CHOICES("type of win condition", "exists"), .missing = ""},
    {"result", field_flag, AT(struct win_condition, expected), .missing = ""},
    {0},
};

static bool read_win(struct reader *reader, const struct node *object, void *element)
{
    return fields_read(reader, object, win_fields, element);
}

void wins_read(struct reader *reader, const struct node *object, void *whole)
{
    struct definition *definition = whole;
    static const struct elements wins = {WINS_MAX, "win conditions", sizeof(struct win_condition),
                                         read_win};
    if (!reader_expect(reader, object, NODE_OBJECT))
        return;
    bool keeps = reader_keeps(reader, true);
    EACH_MEMBER (each, object) {
        int player = reader_name(reader, &each, NODE_KEY, &reader->players);
        struct win_list *list = player >= 0 ? &definition->wins[player] : NULL;
        if (list != NULL)
            list->conditions = elements_read(reader, &each, &wins, &list->count);
    }
    reader_keeps(reader, keeps);
}

/* --- one state -------------------------------------------------------------------------------- */

/* What a state hands to its `next`: CHECK_WIN says true or false, the others nothing. */
enum result { RESULT_FALSE, RESULT_TRUE, RESULT_NOTHING };

/* Where the game goes on, and after which results: bits. */
struct branch {
    int state;
    unsigned holds;
};
enum { AFTER_ALL = 1 << RESULT_FALSE | 1 << RESULT_TRUE | 1 << RESULT_NOTHING };

/* {"result": true}, or {} which always holds. */
static void read_result(struct reader *reader, const struct node *node, void *object)
{
    unsigned *holds = object;
    if (node_type(node) == NODE_NULL)
        *holds = 1u << RESULT_NOTHING;
    else if (reader_expect(reader, node, NODE_BOOLEAN))
        *holds = 1u << (node_boolean(node) ? RESULT_TRUE : RESULT_FALSE);
}

/* One of them must hold. */
static void read_conditions(struct reader *reader, const struct node *list, void *object)
{
    static const struct field fields[] = {{"result", .kind = read_result}, {0}};
    struct branch *branch = object;
    branch->holds = 0;
    if (!reader_expect(reader, list, NODE_LIST))
        return;
    EACH_ELEMENT (each, list) {
        unsigned holds = AFTER_ALL;
        fields_read(reader, &each, fields, &holds);
        branch->holds |= holds;
    }
}

static bool read_branch(struct reader *reader, const struct node *object, void *element)
{
    static const struct field fields[] = {
        {"state", field_name, AT(struct branch, state), NAMES_OF(states), .missing = ""},
        {"if", .kind = read_conditions},
        {0},
    };
    struct branch *branch = element;
    *branch = (struct branch){.state = -1, .holds = AFTER_ALL};
    fields_read(reader, object, fields, branch);
    return true;
}

/* The state after `result`; -1: no branch. */
static int follow(const struct branch *branches, int count, enum result result)
{
    for (int i = 0; i < count; i++)
        if ((branches[i].holds >> result & 1) != 0)
            return branches[i].state;
    return -1;
}

static void read_branches(struct reader *reader, const struct node *list,
                          struct machine_state *state)
{
    static const struct elements elements = {STATES_MAX, "branches", sizeof(struct branch),
                                             read_branch};
    int count = 0, errors_before = reader->diagnostics->error_count;
    const struct branch *branches = elements_read(reader, list, &elements, &count);
    if (branches == NULL || reader->diagnostics->error_count != errors_before)
        return;
    bool checks = state->kind == MACHINE_CHECK_WIN;
    int no = follow(branches, count, checks ? RESULT_FALSE : RESULT_NOTHING);
    int yes = follow(branches, count, checks ? RESULT_TRUE : RESULT_NOTHING);
    if (!checks && no < 0)
        reader_error(reader, list, "add a branch with \"if\": [{}]",
                     "no branch of this list always holds");
    if (checks && no < 0)
        reader_error(reader, list, "add a branch with \"if\": [{\"result\": false}]",
                     "no branch for a player who has not won");
    if (checks && yes < 0)
        reader_error(reader, list, "add a branch with \"if\": [{\"result\": true}]",
                     "no branch for a player who has won");
    state->next[0] = no < 0 ? 0 : (state_index)no;
    state->next[1] = yes < 0 ? 0 : (state_index)yes;
}

static void read_next(struct reader *reader, const struct node *next, void *object)
{
    struct machine_state *state = object;
    if (node_type(next) == NODE_LIST) {
        read_branches(reader, next, state);
        return;
    }
    int only = reader_name(reader, next, NODE_VALUE, &reader->states);
    if (only >= 0)
        state->next[0] = state->next[1] = (state_index)only;
}

static void refuse_next(struct reader *reader, const struct node *next, void *state)
{
    (void)state;
    reader_warn(reader, next, NODE_KEY, "it is ignored", "nothing comes after the end");
}

static void read_kind(struct reader *reader, const struct node *type, struct machine_state *state)
{
    /* as in enum machine_kind */
    const struct name_list *list =
        CHOICES("type of state", "move", "end", "check_win", "next_move");
    const char *word = node_string(type);
    state->kind = MACHINE_PASS;
    if (!reader_expect(reader, type, NODE_STRING))
        return;
    if (name_list_find(list, word) >= 0)
        state->kind = (enum machine_kind)name_list_find(list, word);
    else if (text_nearest(word, list->names, list->count) >= 0)
        reader_name(reader, type, NODE_VALUE, list); /* which complains */
    else
        reader_warn(reader, type, NODE_VALUE, "the game passes through it, and nothing happens",
                    "no type of state `%s`", text_quote(word).text);
}

static void read_player(struct reader *reader, const struct node *player, void *object)
{
    struct machine_state *state = object;
    struct node wins = node_member(reader->root, "win_conditions");
    int index = reader_name(reader, player, NODE_VALUE, &reader->players);
    if (index < 0)
        return;
    state->player = (player_index)index;
    struct node list = node_member(&wins, reader->players.names[index]);
    bool readable = !node_is_there(&wins) || node_type(&wins) == NODE_OBJECT;
    if (state->kind == MACHINE_CHECK_WIN && readable && !node_is_there(&list))
        reader_error(reader, player, "list them in /win_conditions", "`%s` has no win conditions",
                     text_quote(reader->players.names[index]).text);
}

static void read_parameters(struct reader *reader, const struct node *parameters, void *object)
{
    static const struct field fields[] = {
        {"player", read_player, .missing = ""},
        {"phase", field_phase, AT(struct machine_state, phase), .format = 2},
        {"same_figure", field_flag, AT(struct machine_state, same_figure), .format = 2},
        {.lenient = true},
    };
    const struct machine_state *state = object;
    if (state->kind == MACHINE_MOVE || state->kind == MACHINE_CHECK_WIN)
        fields_read(reader, parameters, fields, object);
    else if (reader_expect_if_there(reader, parameters, NODE_OBJECT))
        fields_check(reader, parameters, fields, NULL);
}

static const struct field state_fields[] = {
    {.word = "type"},
    {"parameters", read_parameters, .always = true},
    {"next", read_next, .missing = "say which state comes next"},
    {0},
};

static const struct field end_fields[] = {
    {.word = "type"},
    {"parameters", .kind = read_parameters},
    {"next", .kind = refuse_next},
    {"winner", field_name, AT(struct machine_state, winner), NAMES_OF(players)},
    {"draw", field_flag, AT(struct machine_state, drawn)},
    {"reason", field_text, AT(struct machine_state, reason), .most = REASON_BYTES_MAX},
    {0},
};

static bool read_state(struct reader *reader, const struct node *object, void *element)
{
    struct machine_state *state = element;
    struct node type = node_member(object, "type"), winner = node_member(object, "winner");
    state->name = reader_kept_name(object, &reader->states);
    state->player = state->winner = PLAYER_NONE;
    state->reason = "";
    if (!reader_expect(reader, object, NODE_OBJECT))
        return true;
    read_kind(reader, &type, state);
    fields_read(reader, object, state->kind == MACHINE_END ? end_fields : state_fields, state);
    if (state->drawn && node_is_there(&winner))
        reader_error_key(reader, &winner, "leave one of them out", "a drawn game has no winner");
    return true;
}

/* --- the machine as a whole ------------------------------------------------------------------- */

static bool is_passive(const struct machine_state *state)
{
    return state->kind != MACHINE_MOVE && state->kind != MACHINE_END;
}

/* The one it goes to from `index`, and so on, comes back to `index` in the end. */
static void report_circle(struct reader *reader, const struct node *object,
                          const struct machine_state *states, const bool *ends, state_index index)
{
    char circle[DIAGNOSTIC_TEXT_BYTES] = "";
    state_index at = index;
    for (size_t used = 0; used < sizeof circle && (used == 0 || at != index);) {
        used += (size_t)snprintf(circle + used, sizeof circle - used, "`%s` → ",
                                 text_quote(states[at].name).text);
        at = states[at].next[ends[states[at].next[0]] ? 1 : 0];
    }
    struct node state = node_member(object, states[index].name);
    reader_error_key(reader, &state, "a `move` or `end` state must come between them",
                     "the game would go round for ever: %s`%s`", circle,
                     text_quote(states[index].name).text);
}

/* Whatever the results, it comes from every state to one that waits for a move or ends the game. */
static bool reject_circles(struct reader *reader, const struct node *object,
                           const struct machine_state *states, int count)
{
    bool ends[STATES_MAX] = {false}, seen[STATES_MAX] = {false};
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < count; i++) {
            const state_index *next = states[i].next;
            if (ends[i] || (is_passive(&states[i]) && !(ends[next[0]] && ends[next[1]])))
                continue;
            ends[i] = changed = true;
        }
    }
    int index = 0;
    while (index < count && ends[index])
        index++;
    if (index == count)
        return true;
    /* it may lead to the circle; so many steps on it is there */
    for (; !seen[index]; index = states[index].next[ends[states[index].next[0]] ? 1 : 0])
        seen[index] = true;
    report_circle(reader, object, states, ends, (state_index)index);
    return false;
}

static void warn_of_unreachable(struct reader *reader, const struct node *object,
                                const struct machine_state *states, int count, int first)
{
    bool reached[STATES_MAX] = {false};
    reached[first] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < 2 * count; i++) {
            const struct machine_state *state = &states[i / 2];
            bool goes = reached[i / 2] && state->kind != MACHINE_END;
            if (!goes || reached[state->next[i % 2]])
                continue;
            reached[state->next[i % 2]] = changed = true;
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
static bool atom_holds_at_start(const struct atom *atom, const struct board_cell *cell,
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

/* The start position as the passive states before the first move see it. */
struct start {
    const struct definition *definition;
    const struct placement *on[CELLS_MAX];
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

/* Runs the passive states the game begins with; there is no cycle among them. */
static void enter_first_state(struct reader *reader, const struct node *initial,
                              const struct machine_state *states, state_index index)
{
    struct definition *definition = reader->definition;
    struct start start = {.definition = definition};
    for (int i = 0; i < definition->placement_count; i++)
        start.on[definition->placements[i].cell] = &definition->placements[i];
    definition->initial_move_number = 1;
    while (is_passive(&states[index])) {
        const struct machine_state *state = &states[index];
        bool won =
            state->kind == MACHINE_CHECK_WIN && has_won(&start, &definition->wins[state->player]);
        if (state->kind == MACHINE_NEXT_MOVE)
            definition->initial_move_number++;
        index = state->next[won];
    }
    definition->initial_state = index;
    if (states[index].kind == MACHINE_END)
        reader_error(reader, initial, "", "the game ends before the first move");
}

void states_read(struct reader *reader, const struct node *object, void *element)
{
    static const struct elements elements = {.size = sizeof(struct machine_state),
                                             .read = read_state};
    struct definition *definition = element;
    struct node turns = node_member(reader->root, "turns");
    struct node initial = node_member(reader->root, "initial_game_state");
    if (reader_is_modern(reader) && (!node_is_there(object) || node_is_there(&turns)))
        return;
    int first = reader_name(reader, &initial, NODE_VALUE, &reader->states);
    if (!reader->states.known)
        return;
    int count = 0, errors_before = reader->diagnostics->error_count;
    const struct machine_state *states = elements_of(reader, object, &elements, &count);
    definition->states = states;
    definition->state_count = count;
    /* what follows goes from state to state and needs all of them to be sound */
    if (first < 0 || reader->diagnostics->error_count != errors_before ||
        !reject_circles(reader, object, states, count))
        return;
    warn_of_unreachable(reader, object, states, count, first);
    if (reader->diagnostics->error_count == 0)
        enter_first_state(reader, &initial, states, (state_index)first);
}
