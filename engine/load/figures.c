#include "engine/load/fields.h"

#include <string.h>

void figures_count_candidates(struct reader *reader, const struct node *list, int movements)
{
    reader->candidates += movements * (reader->definition->cell_count + 1);
    if (reader->candidates > CANDIDATES_MAX)
        reader_stop(reader, list, "", "too many movements for a board of %d cells",
                    reader->definition->cell_count);
}

/* --- movements of formats 0 and 1 ------------------------------------------------------------- */

static void read_movement(struct reader *reader, const struct node *object,
                          const struct cell_actions *figure_actions, struct movement *movement)
{
    static const struct field fields[] = {
        {"also_reversed", field_flag, AT(struct movement, also_reversed)},
        {"repeat", field_flag, AT(struct movement, repeat)},
        {0},
    };
    if (!reader_expect(reader, object, NODE_OBJECT))
        return;
    struct node conditions = node_member(object, "if");
    struct node actions = node_member(object, "cell_actions");
    movement->pointer = reader_pointer(reader, object);
    if (sides_read_delta(reader, object, movement_fields, movement->delta))
        sides_goes_nowhere(reader, object, movement->delta);
    fields_read_known(reader, object, fields, movement);
    bool keeps = reader_keeps(reader, true);
    /* in formats 0 and 1 here, and only here, an object stands for a list of one */
    if (node_type(&conditions) == NODE_OBJECT)
        condition_list_read_one(reader, &conditions, &movement->guard);
    else
        condition_list_read(reader, &conditions, &movement->guard);
    reader_keeps(reader, keeps);
    if (reader->options->ignore_movement_if)
        movement->guard = (struct condition_list){.present = false};
    struct cell_actions own;
    cell_actions_read(reader, &actions, &own);
    cell_actions_join(reader, object, &own, figure_actions, &movement->actions);
    if (own.destination_count + own.transition_count + figure_actions->destination_count +
            figure_actions->transition_count ==
        0)
        reader_warn(reader, object, NODE_VALUE, "give it, or its figure, `cell_actions`",
                    "this movement has no actions and so never gives a move");
}

static void read_movements(struct reader *reader, const struct node *list,
                           const struct cell_actions *figure_actions,
                           struct movement_list *movements)
{
    if (!reader_expect_list(reader, list, MOVEMENTS_MAX, "movements"))
        return;
    size_t count = node_count(list);
    struct movement *read = reader_allocate(reader, count, sizeof *read);
    figures_count_candidates(reader, list, (int)count);
    EACH_ELEMENT (each, list)
        read_movement(reader, &each, figure_actions, &read[each.index]);
    *movements = (struct movement_list){.count = (int)count, .movements = read};
}

static void read_movements_by_player(struct reader *reader, const struct node *object,
                                     const struct cell_actions *figure_actions,
                                     struct figure_definition *figure)
{
    EACH_MEMBER (each, object) {
        int player = reader_name(reader, &each, NODE_KEY, &reader->players);
        if (player >= 0)
            read_movements(reader, &each, figure_actions, &figure->movement[player]);
    }
}

/* In format 2 each player has a list of their own: the common one turned to how they see the board, or theirs as it stands. */
static void read_modern_movement(struct reader *reader, const struct node *object,
                                 struct figure_definition *figure)
{
    struct node actions = node_member(object, "cell_actions");
    struct node promote = node_member(object, "promote");
    struct node movement = node_member(object, "movement");
    bool by_player = node_type(&movement) == NODE_OBJECT;
    EACH_MEMBER (each, &movement)
        reader_name(reader, &each, NODE_KEY, &reader->players);
    for (int player = 0; player < reader->players.count; player++) {
        struct cell_actions figure_actions;
        struct node own = node_member(&movement, reader->players.names[player]);
        const struct node *list = by_player ? &own : &movement;
        reader->mover = (player_index)player;
        cell_actions_read(reader, &actions, &figure_actions);
        reader->absolute = by_player;
        if (node_is_there(list))
            movements_read(reader, list, &figure_actions, &promote, &figure->movement[player]);
        reader->absolute = false;
    }
}

const struct field figure_fields[] = {
    {.word = "movement"},
    {.word = "cell_actions"},
    {.word = "promote", .format = 2},
    {.lenient = true},
};

static bool read_figure(struct reader *reader, const struct node *object, void *element)
{
    struct figure_definition *figure = element;
    struct node actions = node_member(object, "cell_actions");
    struct node movement = node_member(object, "movement");
    figure->name = reader_kept_name(object, &reader->figures);
    if (!fields_read(reader, object, figure_fields, figure))
        return true;
    if (reader_is_modern(reader) && node_is_there(&movement)) {
        read_modern_movement(reader, object, figure);
        return true;
    }
    struct cell_actions figure_actions;
    cell_actions_read(reader, &actions, &figure_actions);
    if (node_type(&movement) == NODE_ABSENT) {
        reader_error(reader, object,
                     "write \"movement\": [] for a figure that does not move by itself",
                     "`movement` is missing");
    } else if (node_type(&movement) == NODE_OBJECT) {
        read_movements_by_player(reader, &movement, &figure_actions, figure);
    } else {
        read_movements(reader, &movement, &figure_actions, &figure->movement[0]);
        for (int i = 1; i < PLAYERS_MAX; i++)
            figure->movement[i] = figure->movement[0];
    }
    return true;
}

void figures_read(struct reader *reader, const struct node *object, void *whole)
{
    struct definition *definition = whole;
    static const struct elements figures = {.size = sizeof(struct figure_definition),
                                            .read = read_figure};
    if (!reader->figures.known)
        return;
    definition->figures = elements_of(reader, object, &figures, &definition->figure_count);
    if (reader_is_modern(reader))
        movements_read_unused(reader);
}
