#include "engine/load/reader.h"

#include <string.h>

/* Who plays: the file's `players`, then whoever else is named, in the order the original program
 * would meet them. The original never read `players`, so its files may leave somebody out. */
struct roll {
    struct reader *reader;
    const char **names; /* PLAYERS_MAX of them */
    bool listed;        /* `players` is there and readable */
    int listed_count;
};

static int find(const struct roll *roll, const char *name)
{
    return name_list_find(&roll->reader->players, name);
}

/* Complains where `node` is, and leaves the name out. */
static void add(struct roll *roll, const struct node *node, enum node_part part, const char *name)
{
    struct reader *reader = roll->reader;
    const char *fault = text_name_fault(name, NAME_BYTES_MAX);
    if (fault != NULL) {
        reader_error(reader, node, part, "", "this cannot be the name of a player: %s", fault);
        return;
    }
    if (reader->players.count == PLAYERS_MAX) {
        reader_error(reader, node, part, "", "too many players: at most %d are allowed",
                     PLAYERS_MAX);
        return;
    }
    const char *copy = reader_copy_string(reader, name);
    if (copy != NULL)
        roll->names[reader->players.count++] = copy;
}

/* Somebody is named in passing. */
static void meet(struct roll *roll, const struct node *node, enum node_part part, const char *name)
{
    if (find(roll, name) >= 0)
        return;
    /* a slip is not a new player: whoever resolves this name complains */
    if (roll->listed && text_nearest(name, roll->names, roll->listed_count) >= 0)
        return;
    if (roll->listed)
        reader_warn(roll->reader, node, part, "the player is added at the end",
                    "`players` does not list `%s`", text_quote(name).text);
    add(roll, node, part, name);
}

static void read_list(struct roll *roll, const struct node *root)
{
    struct node list = node_member(root, "players");
    struct reader *reader = roll->reader;
    if (!reader_expect_if_there(reader, &list, NODE_LIST))
        return;
    roll->listed = true;
    for (size_t i = 0; i < node_count(&list) && i <= PLAYERS_MAX; i++) {
        struct node element = node_element(&list, i);
        if (!reader_expect(reader, &element, NODE_STRING))
            continue;
        if (find(roll, node_string(&element)) >= 0)
            reader_error(reader, &element, NODE_VALUE, "", "player `%s` is listed twice",
                         text_quote(node_string(&element)).text);
        else
            add(roll, &element, NODE_VALUE, node_string(&element));
    }
    roll->listed_count = reader->players.count;
}

static void meet_keys(struct roll *roll, const struct node *object)
{
    for (void *at = node_first(object); at != NULL; at = node_next(object, at)) {
        struct node member = node_at(object, at);
        meet(roll, &member, NODE_KEY, member.key);
    }
}

static void meet_movers(struct roll *roll, const struct node *states)
{
    for (void *at = node_first(states); at != NULL; at = node_next(states, at)) {
        struct node state = node_at(states, at);
        struct node parameters = node_member(&state, "parameters");
        struct node player = node_member(&parameters, "player");
        if (node_type(&player) == NODE_STRING)
            meet(roll, &player, NODE_VALUE, node_string(&player));
    }
}

void players_read(struct reader *reader, const struct node *root)
{
    struct roll roll = {.reader = reader, .names = reader->definition->player_names};
    reader->players.names = roll.names;
    read_list(&roll, root);
    struct node position = node_member(root, "initial_position");
    struct node states = node_member(root, "game_states");
    struct node wins = node_member(root, "win_conditions");
    struct node board = node_member(root, "board");
    struct node rotation = node_member(&board, "rotation_angle");
    meet_keys(&roll, &position);
    meet_movers(&roll, &states);
    meet_keys(&roll, &wins);
    meet_keys(&roll, &rotation);
    reader->players.known = reader->players.count > 0;
    reader->definition->player_count = reader->players.count;
    if (reader->players.count == 0 && reader->diagnostics->error_count == 0)
        reader_error(reader, root, NODE_VALUE, "list their names in `players`",
                     "this game has no players");
}
