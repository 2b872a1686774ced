#include "engine/load/fields.h"

const struct field figure_fields[] = {
    {.word = "movement",
     .missing = "write \"movement\": [] for a figure that does not move by itself"},
    {.word = "cell_actions"},
    {.word = "promote", .format = 2},
    {"in_hand", field_choice, .size = sizeof(figure_index), NAMES_OF(figures), .format = 2},
    {.lenient = true},
};

/* In format 2 each player has a list of their own: the common one turned to how they see the board, or theirs as it stands. In
 * formats 0 and 1 a list is read once for all. */
static void read_movement(struct reader *reader, const struct node *object,
                          struct figure_definition *figure)
{
    struct node actions = node_member(object, "cell_actions");
    struct node promote = node_member(object, "promote");
    struct node movement = node_member(object, "movement");
    bool by_player = node_type(&movement) == NODE_OBJECT, modern = reader_is_modern(reader);
    EACH_MEMBER (each, &movement)
        reader_name(reader, &each, NODE_KEY, &reader->players);
    for (int player = 0; player < reader->players.count || (player == 0 && !modern); player++) {
        struct node own = node_member(&movement, reader->players.names[player]);
        const struct node *list = by_player ? &own : &movement;
        reader->mover = (player_index)player;
        if (modern || player == 0)
            cell_actions_read(reader, &actions, &reader->outer_actions);
        reader->absolute = by_player || !modern;
        if (!by_player && !modern && player > 0)
            figure->movement[player] = figure->movement[0];
        else if (node_is_there(list))
            movements_read(reader, list, &promote, &figure->movement[player]);
        reader->absolute = !modern;
    }
}

bool figure_read(struct reader *reader, const struct node *object, void *element)
{
    struct figure_definition *figure = element;
    figure->pointer = reader_pointer(reader, object);
    figure_index kind = (figure_index)name_list_find(&reader->figures, object->key);
    reader->definition->in_hand[kind] = kind;
    if (fields_read(reader, object, figure_fields, &reader->definition->in_hand[kind]))
        read_movement(reader, object, figure);
    reader_refuse(reader, object, "in_hand", !reader->definition->takes_to_hand,
                  "say in the file: \"takes_to\": \"hand\"",
                  "`in_hand` is of what is taken to a hand, and nothing is");
    return true;
}

void figures_read(struct reader *reader, const struct node *object, void *place)
{
    if (!reader->figures.known)
        return;
    field_list(reader, object, place);
    if (reader_is_modern(reader))
        movements_read_unused(reader);
}
