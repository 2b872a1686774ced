#include "engine/load/reader.h"

#include <string.h>

/* The names that format 2 lets a file give by using them (marks, phases) and those of its named lists, collected before
 * anything refers to them. */

static void collect(struct reader *reader, const struct node *node, struct name_list *names,
                    const char **room, int most)
{
    if (node_type(node) != NODE_STRING)
        return;
    const char *fault = text_name_fault(node_string(node), NAME_BYTES_MAX);
    if (fault != NULL) {
        reader_error(reader, node, NODE_VALUE, "", "this cannot be the name of a %s: %s",
                     names->kind, fault);
        names->known = false;
        return;
    }
    if (name_list_find(names, node_string(node)) >= 0)
        return;
    if (names->count == most) {
        if (names->known)
            reader_error(reader, node, NODE_VALUE, "", "too many %ss: at most %d are allowed",
                         names->kind, most);
        names->known = false;
        return;
    }
    const char *copy = reader_copy_string(reader, node_string(node));
    if (copy != NULL)
        room[names->count++] = copy;
}

/* --- marks: those that a movement leaves ------------------------------------------------------ */

static void collect_marks(struct reader *reader, const struct node *list)
{
    for (size_t i = 0; node_type(list) == NODE_LIST && i < node_count(list); i++) {
        struct node movement = node_element(list, i);
        struct node mark = node_member(&movement, "mark");
        collect(reader, &mark, &reader->marks, reader->definition->marks, MARKS_MAX);
    }
}

static void collect_marks_of_lists(struct reader *reader, const struct node *object)
{
    if (node_type(object) != NODE_OBJECT)
        return;
    for (void *at = node_first(object); at != NULL; at = node_next(object, at)) {
        struct node member = node_at(object, at);
        collect_marks(reader, &member);
    }
}

static void read_marks(struct reader *reader, const struct node *root)
{
    struct node named = node_member(root, "movements"), figures = node_member(root, "figures");
    reader->marks =
        (struct name_list){.kind = "mark", .known = true, .names = reader->definition->marks};
    collect_marks_of_lists(reader, &named);
    if (node_type(&figures) == NODE_OBJECT) {
        for (void *at = node_first(&figures); at != NULL; at = node_next(&figures, at)) {
            struct node figure = node_at(&figures, at);
            struct node movement = node_member(&figure, "movement");
            collect_marks(reader, &movement);
            collect_marks_of_lists(reader, &movement);
        }
    }
    reader->definition->mark_count = reader->marks.count;
}

/* --- phases: those that turns have ------------------------------------------------------------ */

static void read_phases(struct reader *reader, const struct node *root)
{
    struct definition *definition = reader->definition;
    struct node turns = node_member(root, "turns"), states = node_member(root, "game_states");
    definition->phases[0] = "";
    reader->phases =
        (struct name_list){.kind = "phase", .known = true, .count = 1, .names = definition->phases};
    for (size_t i = 0; node_type(&turns) == NODE_LIST && i < node_count(&turns); i++) {
        struct node turn = node_element(&turns, i);
        struct node phase = node_member(&turn, "phase");
        collect(reader, &phase, &reader->phases, definition->phases, PHASES_MAX);
    }
    if (node_type(&states) == NODE_OBJECT) {
        for (void *at = node_first(&states); at != NULL; at = node_next(&states, at)) {
            struct node state = node_at(&states, at);
            struct node parameters = node_member(&state, "parameters");
            struct node phase = node_member(&parameters, "phase");
            collect(reader, &phase, &reader->phases, definition->phases, PHASES_MAX);
        }
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

static void read_named(struct reader *reader, const struct node *root, const char *key,
                       const char *kind, struct name_list *names)
{
    struct node object = node_member(root, key);
    names->kind = kind;
    names->known = node_type(&object) == NODE_ABSENT;
    if (reader_expect_if_there(reader, &object, NODE_OBJECT))
        reader_define_names(reader, &object, NAMED_MAX, names);
}

void vocabulary_read(struct reader *reader, const struct node *root)
{
    read_named(reader, root, "movements", "named movement", &reader->named_movements);
    read_named(reader, root, "actions", "named action", &reader->named_actions);
    read_marks(reader, root);
    read_phases(reader, root);
}
