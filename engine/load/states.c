#include "engine/load/fields.h"

#include <stdio.h>

/* --- win conditions --------------------------------------------------------------------------- */

static void read_wanted(struct reader *reader, const struct node *node, void *object)
{
    struct condition_node *win = object;
    bool wanted = true;
    if (reader_boolean(reader, node, &wanted) && !wanted)
        win->min = win->max = 0;
}

/* Each counts the cells that are like its filter: some, or none. */
const struct field win_fields[] = {
    {"entity", field_choice, .names = CHOICES("entity", "cell"), .missing = ""},
    {"filter", field_match, AT(struct condition_node, match), .missing = ""},
    {"type", field_choice, .names = CHOICES("type of win condition", "exists"), .missing = ""},
    {"result", read_wanted, .missing = ""},
    {0},
};

static bool read_win(struct reader *reader, const struct node *object, void *element)
{
    struct condition_node *win = element;
    *win = tests_blank(reader, CONDITION_COUNT, object);
    return fields_read(reader, object, win_fields, win);
}

void wins_read(struct reader *reader, const struct node *list, void *place)
{
    struct condition_node *any = reader_allocate(reader, 1, sizeof *any);
    const struct condition_node **wins = place;
    *any = tests_blank(reader, CONDITION_ANY, list);
    reader->mover = (player_index)(wins - reader->definition->wins);
    any->children = elements_read(
        reader, list, EACH(ELEMENTS(WINS_MAX, "win conditions", struct condition_node, read_win)),
        &any->child_count);
    *wins = any;
}

/* --- one state -------------------------------------------------------------------------------- */

/* What a state hands to its `next`: CHECK_WIN says true or false, the others nothing. */
enum result { RESULT_FALSE, RESULT_TRUE, RESULT_NOTHING };

/* Where the game goes on, and after which results: bits. */
struct branch {
    int state;
    unsigned holds;
};
enum {
    AFTER_CHECK = 1 << RESULT_FALSE | 1 << RESULT_TRUE,
    AFTER_ALL = AFTER_CHECK | 1 << RESULT_NOTHING
};

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

/* The first branch that holds after a result is the state after it. */
static void read_branches(struct reader *reader, const struct node *list,
                          struct machine_state *state)
{
    static const struct field fields[] = {
        {"state", field_choice, AT(struct branch, state), NAMES_OF(states), .missing = ""},
        {"if", .kind = read_conditions},
        {0},
    };
    static const char *const missing[][2] = {
        [RESULT_FALSE] = {"no branch for a player who has not won",
                          "add a branch with \"if\": [{\"result\": false}]"},
        [RESULT_TRUE] = {"no branch for a player who has won",
                         "add a branch with \"if\": [{\"result\": true}]"},
        [RESULT_NOTHING] = {"no branch of this list always holds",
                            "add a branch with \"if\": [{}]"},
    };
    bool checks = state->kind == MACHINE_CHECK_WIN;
    unsigned found = 0, wanted = checks ? AFTER_CHECK : 1u << RESULT_NOTHING;
    int complaints = reader->complaints;
    if (!reader_expect_list(reader, list, STATES_MAX, "branches"))
        return;
    EACH_ELEMENT (each, list) {
        struct branch branch = {.holds = AFTER_ALL};
        fields_read(reader, &each, fields, &branch);
        for (int i = 0; i < 2; i++)
            if ((branch.holds & ~found & 1u << (checks ? i : RESULT_NOTHING)) != 0)
                state->next[i] = (state_index)branch.state;
        found |= branch.holds;
    }
    bool sound = reader->complaints == complaints;
    for (int i = RESULT_FALSE; i <= RESULT_NOTHING; i++)
        if (sound && (wanted & ~found & 1u << i) != 0)
            reader_error(reader, list, missing[i][1], "%s", missing[i][0]);
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
    else if (text_nearest(word, list) >= 0)
        reader_name(reader, type, NODE_VALUE, list); /* which complains */
    else
        reader_warn(reader, type, NODE_VALUE, "the game passes through it, and nothing happens",
                    "no type of state `%s`", text_quote(word).text);
}

void state_player_read(struct reader *reader, const struct node *player, void *object)
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
    const struct machine_state *state = object;
    if (state->kind == MACHINE_MOVE || state->kind == MACHINE_CHECK_WIN)
        fields_read(reader, parameters, turn_fields, object);
    else if (reader_expect_if_there(reader, parameters, NODE_OBJECT))
        fields_check(reader, parameters, turn_fields, NULL);
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
    {"winner", field_choice, AT(struct machine_state, winner), NAMES_OF(players)},
    {"draw", field_flag, AT(struct machine_state, drawn)},
    {"reason", field_text, AT(struct machine_state, reason), .most = REASON_BYTES_MAX},
    {0},
};

const struct machine_state no_state = {
    .name = "", .player = PLAYER_NONE, .winner = PLAYER_NONE, .reason = ""};

bool state_read(struct reader *reader, const struct node *object, void *element)
{
    struct machine_state *state = element;
    struct node type = node_member(object, "type");
    *state = no_state;
    state->name = reader_copy_string(reader, object->key);
    if (!reader_expect(reader, object, NODE_OBJECT))
        return true;
    read_kind(reader, &type, state);
    fields_read(reader, object, state->kind == MACHINE_END ? end_fields : state_fields, state);
    reader_refuse(reader, object, "winner", state->drawn, "leave one of them out",
                  "a drawn game has no winner");
    return true;
}

/* --- the machine as a whole ------------------------------------------------------------------- */

/* The way through states that wait for nobody. */
struct walk {
    const struct machine_state *states;
    bool out[STATES_MAX]; /* known to come out */
    state_index path[STATES_MAX];
    int depth;
};

/* The path comes back to where it was after `first` steps. */
static void report_circle(struct reader *reader, const struct node *object, const struct walk *walk,
                          int first)
{
    char circle[DIAGNOSTIC_TEXT_BYTES] = "";
    const char *name = walk->states[walk->path[first]].name;
    struct node state = node_member(object, name);
    size_t used = 0;
    for (int i = first; i < walk->depth && used < sizeof circle; i++)
        used += (size_t)snprintf(circle + used, sizeof circle - used, "`%s` → ",
                                 text_quote(walk->states[walk->path[i]].name).text);
    reader_error_key(reader, &state, "a `move` or `end` state must come between them",
                     "the game would go round for ever: %s`%s`", circle, text_quote(name).text);
}

/* Whatever the results, it comes from this state to one that waits for a move or ends the game. */
static bool comes_out(struct reader *reader, const struct node *object, struct walk *walk,
                      state_index index)
{
    const struct machine_state *state = &walk->states[index];
    if (walk->out[index] || state->kind == MACHINE_MOVE || state->kind == MACHINE_END)
        return true;
    for (int i = 0; i < walk->depth; i++) {
        if (walk->path[i] != index)
            continue;
        report_circle(reader, object, walk, i);
        return false;
    }
    walk->path[walk->depth++] = index;
    walk->out[index] = comes_out(reader, object, walk, state->next[0]) &&
                       comes_out(reader, object, walk, state->next[1]);
    walk->depth--;
    return walk->out[index];
}

static void reach(const struct machine_state *states, state_index index, bool *reached)
{
    if (reached[index])
        return;
    reached[index] = true;
    for (int i = 0; i < 2 && states[index].kind != MACHINE_END; i++)
        reach(states, states[index].next[i], reached);
}

static void warn_of_unreachable(struct reader *reader, const struct node *object, int first)
{
    const struct machine_state *states = reader->definition->states;
    bool reached[STATES_MAX] = {false};
    reach(states, (state_index)first, reached);
    for (int i = 0; i < reader->definition->state_count; i++) {
        struct node state = node_member(object, states[i].name);
        if (!reached[i])
            reader_warn(reader, &state, NODE_KEY, "", "the game never comes to state `%s`",
                        text_quote(states[i].name).text);
    }
}

void states_read(struct reader *reader, const struct node *object, void *place)
{
    struct definition *definition = reader->definition;
    struct node initial = node_member(reader->root, "initial_game_state");
    if (reader_is_modern(reader) && (!node_is_there(object) || node_has(reader->root, "turns")))
        return;
    int first = reader_name(reader, &initial, NODE_VALUE, &reader->states);
    if (!reader->states.known)
        return;
    int errors_before = reader->diagnostics->error_count;
    field_list(reader, object, place);
    /* what follows goes from state to state and needs all of them to be sound */
    if (first < 0 || reader->diagnostics->error_count != errors_before)
        return;
    struct walk walk = {.states = definition->states};
    for (int i = 0; i < definition->state_count; i++)
        if (!comes_out(reader, object, &walk, (state_index)i))
            return;
    warn_of_unreachable(reader, object, first);
    definition->initial_state = (state_index)first;
}
