#include "engine/load/fields.h"

#include <string.h>

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

/* --- marks: those that a movement leaves ------------------------------------------------------ */

/* All within a node; a text can stand under this word in a movement only. */
static void collect_marks(struct reader *reader, const struct node *node)
{
    struct node mark = node_member(node, "mark");
    collect(reader, &mark, &reader->marks, reader->definition->marks, MARKS_MAX);
    EACH_INSIDE (each, node)
        collect_marks(reader, &each);
}

static void read_marks(struct reader *reader, const struct node *root)
{
    struct node named = node_member(root, "movements"), figures = node_member(root, "figures");
    reader->marks =
        (struct name_list){.kind = "mark", .known = true, .names = reader->definition->marks};
    collect_marks(reader, &named);
    EACH_MEMBER (each, &figures) {
        struct node movement = node_member(&each, "movement");
        collect_marks(reader, &movement);
    }
    reader->definition->mark_count = reader->marks.count;
}

/* --- phases: those that turns have ------------------------------------------------------------ */

static void collect_phase(struct reader *reader, const struct node *object)
{
    struct node phase = node_member(object, "phase");
    collect(reader, &phase, &reader->phases, reader->definition->phases, PHASES_MAX);
}

static void read_phases(struct reader *reader, const struct node *root)
{
    struct definition *definition = reader->definition;
    struct node turns = node_member(root, "turns"), states = node_member(root, "game_states");
    definition->phases[0] = "";
    reader->phases =
        (struct name_list){.kind = "phase", .known = true, .count = 1, .names = definition->phases};
    EACH_ELEMENT (each, &turns)
        collect_phase(reader, &each);
    EACH_MEMBER (each, &states) {
        struct node parameters = node_member(&each, "parameters");
        collect_phase(reader, &parameters);
    }
    definition->phase_count = reader->phases.count;
}

int vocabulary_add_phase(struct reader *reader, const struct node *node)
{
    collect(reader, node, &reader->phases, reader->definition->phases, PHASES_MAX);
    reader->definition->phase_count = reader->phases.count;
    int phase = name_list_find(&reader->phases, node_string(node));
    return phase > 0 ? phase : 0;
}

void vocabulary_read(struct reader *reader, const struct node *movements, void *definition)
{
    const struct node *root = movements->parent;
    struct node actions = node_member(root, "actions");
    (void)definition;
    reader_read_names(reader, movements, "named movement", NAMED_MAX, &reader->named_movements);
    reader_read_names(reader, &actions, "named action", NAMED_MAX, &reader->named_actions);
    read_marks(reader, root);
    read_phases(reader, root);
}
