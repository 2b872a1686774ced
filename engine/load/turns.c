#include "engine/load/fields.h"

#include <stdio.h>

/* `turns` instead of a state machine; passing, priorities, and when jumped figures leave the board. */

/* --- turns ------------------------------------------------------------------------------------ */

/* `white`, with its phase `white_shoot`, and where there is one already `white_2`, `white_shoot_2` … */
static const char *state_name(struct reader *reader, const char *base)
{
    char name[2 * NAME_BYTES_MAX + 16];
    snprintf(name, sizeof name, "%s", base);
    for (int i = 2; name_list_find(&reader->states, name) >= 0; i++)
        snprintf(name, sizeof name, "%s_%d", base, i);
    return reader_copy_string(reader, name);
}

/* Asked of the mover, whose turn it is. Whoever does not play has no turn, and nothing is read. */
static void read_turn_condition(struct reader *reader, const struct node *node, void *object)
{
    struct machine_state *state = object;
    if (state->player == PLAYER_NONE)
        return;
    reader->mover = state->player;
    field_condition(reader, node, &state->condition);
}

/* True: a condition says when. */
static bool read_pass_rule(struct reader *reader, const struct node *pass, enum pass_rule *rule)
{
    *rule = PASSES_IF;
    if (node_type(pass) == NODE_BOOLEAN) {
        *rule = node_boolean(pass) ? PASSES_IF : PASSES_NEVER;
        return false;
    }
    if (node_type(pass) != NODE_STRING)
        return true;
    reader_name(reader, pass, NODE_VALUE, CHOICES("way to pass", "when_stuck"));
    *rule = PASSES_WHEN_STUCK;
    return false;
}

static void read_turn_pass(struct reader *reader, const struct node *pass, void *object)
{
    struct machine_state *state = object;
    if (state->player == PLAYER_NONE)
        return;
    state->pass.pointer = reader_pointer(reader, pass);
    reader->mover = state->player;
    if (read_pass_rule(reader, pass, &state->pass.rule))
        field_condition(reader, pass, &state->pass.condition);
}

/* Also the parameters of a state. */
const struct field turn_fields[] = {
    {"player", state_player_read, .missing = ""},
    {"phase", field_phase, AT(struct machine_state, phase), .format = 2},
    {"same_figure", field_flag, AT(struct machine_state, same_figure), .format = 2},
    {"if", .kind = read_turn_condition, .place = PLACE_AFTER, .format = 2},
    {"pass", .kind = read_turn_pass, .place = PLACE_AFTER, .format = 2},
    {.lenient = true},
};

/* False when it is left out: a mistake, or somebody who does not play. */
static bool read_turn(struct reader *reader, const struct node *node, struct machine_state *state)
{
    *state = no_state;
    if (node_type(node) == NODE_OBJECT)
        fields_read(reader, node, turn_fields, state);
    else
        field_read_one(reader, node, &turn_fields[0], state);
    if (state->player == PLAYER_NONE)
        return false;
    char base[2 * NAME_BYTES_MAX + 2];
    snprintf(base, sizeof base, "%s%s%s", reader->players.names[state->player],
             state->phase > 0 ? "_" : "", reader->definition->phases[state->phase]);
    state->name = state_name(reader, base);
    return true;
}

void turns_read(struct reader *reader, const struct node *list, void *object)
{
    struct definition *definition = object;
    if (!reader_expect_list(reader, list, TURNS_MAX, "turns"))
        return;
    size_t wanted = node_count(list);
    struct machine_state *states = reader_allocate(reader, wanted + 1, sizeof *states);
    const char **names = reader_allocate(reader, wanted + 1, sizeof *names);
    int count = 0;
    reader->states.names = names;
    EACH_ELEMENT (each, list)
        if (read_turn(reader, &each, &states[count])) {
            names[count] = states[count].name;
            reader->states.count = ++count;
        }
    if (wanted == 0 && reader->players.known)
        reader_error(reader, list, "list who moves after whom", "nobody has a turn");
    if (count == 0)
        return;
    for (int i = 0; i < count; i++)
        states[i].next[0] = states[i].next[1] = (state_index)(i + 1);
    states[count] = no_state;
    states[count].name = names[count] = state_name(reader, "next_move");
    states[count].kind = MACHINE_NEXT_MOVE;
    definition->states = states;
    definition->state_count = reader->states.count = count + 1;
    definition->initial_state = 0;
}

/* --- passing, priorities, removing ------------------------------------------------------------ */

void pass_read(struct reader *reader, const struct node *pass, void *object)
{
    struct definition *definition = object;
    if (read_pass_rule(reader, pass, &definition->pass))
        field_condition_of_each(reader, pass, definition->pass_condition);
}

void priority_read(struct reader *reader, const struct node *list, void *object)
{
    const struct name_list *words = CHOICES("priority", "take", "most_taken", "can_go_on");
    struct definition *definition = object;
    uint64_t named = 0;
    if (reader_expect(reader, list, NODE_LIST))
        reader_names(reader, list, words, true, &named);
    definition->take_first = (named & 1) != 0;
    definition->most_taken = (named & 2) != 0;
    definition->can_go_on = (named & 4) != 0;
}
