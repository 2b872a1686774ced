#include "engine/load/fields.h"

/* The names that format 2 lets a file give by using them (marks, phases) and those of its named lists, collected before
 * anything refers to them. */

static void collect(struct reader *reader, const struct node *node, struct name_list *names,
                    const char **room, int most)
{
    const char *name = node_string(node);
    bool new = name_list_find(names, name) < 0 || name[0] == '\0'; /* "" is no phase's name */
    bool said = names->count == most && !names->known;
    if (node_type(node) == NODE_STRING && new && !said &&
        !reader_add_name(reader, node, NODE_VALUE, names, room, most))
        names->known = false;
}

/* All texts that stand under a word within a node, however deep. */
static void collect_under(struct reader *reader, const struct node *node, const char *word,
                          struct name_list *names, const char **room, int most)
{
    struct node text = node_member(node, word);
    collect(reader, &text, names, room, most);
    EACH_INSIDE (each, node)
        collect_under(reader, &each, word, names, room, most);
}

/* Marks are those that movements leave, phases those that turns have. */
static void read_used(struct reader *reader, const struct node *root)
{
    struct definition *definition = reader->definition;
    struct node named = node_member(root, "movements"), figures = node_member(root, "figures");
    struct node turns = node_member(root, "turns"), states = node_member(root, "game_states");
    reader->marks = (struct name_list){.kind = "mark", .known = true, .names = definition->marks};
    collect_under(reader, &named, "mark", &reader->marks, definition->marks, MARKS_MAX);
    collect_under(reader, &figures, "mark", &reader->marks, definition->marks, MARKS_MAX);
    definition->mark_count = reader->marks.count;
    definition->phases[0] = "";
    reader->phases =
        (struct name_list){.kind = "phase", .known = true, .count = 1, .names = definition->phases};
    collect_under(reader, &turns, "phase", &reader->phases, definition->phases, PHASES_MAX);
    collect_under(reader, &states, "phase", &reader->phases, definition->phases, PHASES_MAX);
}

/* A phase that no turn has is one too: such a movement is never played, but it attacks. */
void field_phase(struct reader *reader, const struct node *node, void *place)
{
    struct name_list *phases = &reader->phases;
    const char *name = node_string(node);
    if (!reader_expect(reader, node, NODE_STRING))
        return;
    if (name_list_find(phases, name) < 0 && text_nearest(name, phases) < 0)
        collect(reader, node, phases, reader->definition->phases, PHASES_MAX);
    int phase = reader_name(reader, node, NODE_VALUE, phases);
    *(int *)place = phase > 0 ? phase : 0;
}

void vocabulary_read(struct reader *reader, const struct node *movements, void *definition)
{
    const struct node *root = movements->parent;
    struct node actions = node_member(root, "actions");
    (void)definition;
    reader_read_names(reader, movements, "named movement", NAMED_MAX, &reader->named_movements);
    reader_read_names(reader, &actions, "named action", NAMED_MAX, &reader->named_actions);
    read_used(reader, root);
}
