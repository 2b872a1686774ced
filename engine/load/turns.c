#include "engine/load/reader.h"

#include <stdio.h>
#include <string.h>

/* `turns` instead of a state machine; passing, priorities, and when jumped figures leave the board. */

int turns_phase(struct reader *reader, const struct node *node)
{
    if (node_type(node) == NODE_ABSENT)
        return 0;
    if (!reader_expect(reader, node, NODE_STRING))
        return 0;
    const char *name = node_string(node);
    bool slip = text_nearest(name, reader->phases.names, reader->phases.count) >= 0;
    int phase = name_list_find(&reader->phases, name);
    if (phase < 0 && slip) {
        reader_name(reader, node, NODE_VALUE, &reader->phases); /* which complains */
        return 0;
    }
    /* a phase that no turn has: such a movement is never played, but it attacks */
    return phase >= 0 ? phase : vocabulary_add_phase(reader, node);
}

/* --- turns ------------------------------------------------------------------------------------ */

static bool is_taken(const struct state_definition *states, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(states[i].name, name) == 0)
            return true;
    return false;
}

/* `white`, with its phase `white_shoot`, and where there is one already `white_2`, `white_shoot_2` … */
static const char *state_name(struct reader *reader, const struct state_definition *states,
                              int count, const char *base)
{
    char name[2 * NAME_BYTES_MAX + 16];
    snprintf(name, sizeof name, "%s", base);
    for (int i = 2; is_taken(states, count, name); i++)
        snprintf(name, sizeof name, "%s_%d", base, i);
    return reader_copy_string(reader, name);
}

/* False when it is left out: a mistake, or somebody who does not play. */
static bool read_turn(struct reader *reader, const struct node *node,
                      struct state_definition *states, int count)
{
    static const char *const keys[] = {"player", "phase", "same_figure"};
    struct state_definition *state = &states[count];
    *state = (struct state_definition){
        .kind = MACHINE_MOVE, .winner = PLAYER_NONE, .reason = "", .name = ""};
    struct node player = *node, phase = {.value = NULL};
    if (node_type(node) == NODE_OBJECT) {
        reader_check_keys(reader, node, STRICT, keys, 3);
        player = node_member(node, "player");
        phase = node_member(node, "phase");
        struct node same_figure = node_member(node, "same_figure");
        reader_boolean(reader, &same_figure, &state->same_figure);
    }
    int index = reader_name(reader, &player, NODE_VALUE, &reader->players);
    if (index < 0)
        return false;
    state->player = (player_index)index;
    state->phase = turns_phase(reader, &phase);
    char base[2 * NAME_BYTES_MAX + 2];
    snprintf(base, sizeof base, "%s%s%s", reader->players.names[index], state->phase > 0 ? "_" : "",
             reader->definition->phases[state->phase]);
    const char *name = state_name(reader, states, count, base);
    if (name != NULL)
        state->name = name;
    return name != NULL;
}

static void read_turns(struct reader *reader, const struct node *list)
{
    struct definition *definition = reader->definition;
    if (!reader_expect(reader, list, NODE_LIST) ||
        !reader_expect_at_most(reader, list, TURNS_MAX, "turns"))
        return;
    size_t wanted = node_count(list);
    struct state_definition *states = reader_allocate(reader, wanted + 1, sizeof *states);
    if (states == NULL)
        return;
    int count = 0;
    for (size_t i = 0; i < wanted; i++) {
        struct node element = node_element(list, i);
        if (read_turn(reader, &element, states, count))
            count++;
    }
    if (count == 0 && (wanted > 0 || !reader->players.known))
        return; /* it has been said why */
    if (count == 0) {
        reader_error(reader, list, NODE_VALUE, "list who moves after whom", "nobody has a turn");
        return;
    }
    for (int i = 0; i < count; i++)
        states[i].next[0] = states[i].next[1] = (state_index)(i + 1);
    const char *name = state_name(reader, states, count, "next_move");
    states[count] = (struct state_definition){.name = name != NULL ? name : "",
                                              .kind = MACHINE_NEXT_MOVE,
                                              .player = PLAYER_NONE,
                                              .winner = PLAYER_NONE,
                                              .reason = ""};
    definition->states = states;
    definition->state_count = count + 1;
    definition->initial_state = 0;
    definition->initial_move_number = 1;
}

/* --- passing, priorities, removing ------------------------------------------------------------ */

static void read_pass(struct reader *reader, const struct node *pass)
{
    struct definition *definition = reader->definition;
    if (node_type(pass) == NODE_ABSENT)
        return;
    if (node_type(pass) == NODE_BOOLEAN) {
        definition->pass = node_boolean(pass) ? PASSES_IF : PASSES_NEVER;
        return;
    }
    if (node_type(pass) == NODE_STRING) {
        static const char *const names[] = {"when_stuck"};
        static const struct name_list list = {"way to pass", true, 1, names};
        reader_name(reader, pass, NODE_VALUE, &list);
        definition->pass = PASSES_WHEN_STUCK;
        return;
    }
    definition->pass = PASSES_IF;
    for (int player = 0; player < reader->players.count; player++) {
        reader->mover = (player_index)player;
        definition->pass_test[player] = tests_read(reader, pass, PLACE_AFTER);
    }
}

static void read_priority(struct reader *reader, const struct node *list)
{
    static const char *const names[] = {"take", "most_taken", "can_go_on"};
    static const struct name_list words = {"priority", true, 3, names};
    struct definition *definition = reader->definition;
    bool *const flags[] = {&definition->take_first, &definition->most_taken,
                           &definition->can_go_on};
    if (!reader_expect_if_there(reader, list, NODE_LIST))
        return;
    for (size_t i = 0; i < node_count(list); i++) {
        struct node element = node_element(list, i);
        int index = reader_name(reader, &element, NODE_VALUE, &words);
        if (index < 0)
            continue;
        if (*flags[index])
            reader_error(reader, &element, NODE_VALUE, "", "`%s` is named twice", names[index]);
        *flags[index] = true;
    }
}

static void read_remove(struct reader *reader, const struct node *node)
{
    static const char *const names[] = {"at_once", "turn_ends"};
    static const struct name_list list = {"time", true, 2, names};
    if (node_type(node) != NODE_ABSENT)
        reader->definition->remove_at_turn_end = reader_name(reader, node, NODE_VALUE, &list) == 1;
}

void turns_read(struct reader *reader, const struct node *root)
{
    struct node turns = node_member(root, "turns"), pass = node_member(root, "pass");
    struct node priority = node_member(root, "priority"), remove = node_member(root, "remove");
    if (node_type(&turns) != NODE_ABSENT)
        read_turns(reader, &turns);
    read_pass(reader, &pass);
    read_priority(reader, &priority);
    read_remove(reader, &remove);
}
