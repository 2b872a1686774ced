#include "engine/load/fields.h"

#include <string.h>

/* Moves of several figures at once. In format 2 they are read once for each player, whose own all the figures are unless it
 * says otherwise. */

/* --- one of the figures ----------------------------------------------------------------------- */

static void read_owner(struct reader *reader, const struct node *node, void *place)
{
    struct player_set set;
    if (!sides_read_players(reader, node, &set))
        return;
    *(uint8_t *)place = set.players;
    if (set.next)
        reader_error(reader, node, "before a move the mover is next", "`next` cannot stand here");
}

const struct field participant_fields[] = {
    {"figure", field_choice, AT(struct participant, figure), NAMES_OF(figures), .missing = ""},
    {"at", field_delta, AT(struct participant, at), .format = 2},
    {.word = "relative_position", .now = "at"},
    {"by", field_delta, AT(struct participant, delta), .format = 2},
    {.word = "coordinates_delta", .now = "by"},
    {"cell_actions", field_cell_actions, TO(struct participant, actions), .always = true},
    {"unmoved", field_flag, AT(struct participant, unmoved), .format = 2},
    {"player", read_owner, AT(struct participant, players), .format = 2},
    {0},
};

static bool read_participant(struct reader *reader, const struct node *object, void *element)
{
    struct participant *participant = element;
    const struct cell_actions *actions = &participant->actions;
    bool modern = reader_is_modern(reader);
    participant->figure = FIGURE_NONE;
    if (modern)
        participant->players = (uint8_t)(1u << reader->mover);
    if (!fields_read(reader, object, participant_fields, participant))
        return true;
    participant->by_default = modern && actions->destination_count + actions->transition_count == 0;
    if (!modern && actions->destination_count == 0)
        reader_warn(reader, object, NODE_VALUE,
                    "every figure that takes part needs a `destination` set",
                    "this figure does nothing, so the combined movement never gives a move");
    return true;
}

/* --- all of them ------------------------------------------------------------------------------ */

/* In formats 0 and 1 every figure may be clicked that goes somewhere. */
static void refuse_standing(struct reader *reader, const struct node *figures,
                            const struct combined_movement *movement)
{
    for (int i = 0; i < movement->participant_count; i++)
        if (!vector_is_zero(movement->participants[i].delta))
            return;
    if (reader->dimensions.known)
        reader_error(reader, figures, "give at least one of them a `coordinates_delta`",
                     "no figure of this combined movement goes anywhere");
}

/* In format 2 only the first one: the mover's, and it goes somewhere. Whose combined movement it is when a player is named
 * there: false for the others. */
static bool first_is_sound(struct reader *reader, const struct node *figures,
                           const struct participant *first)
{
    struct node element = node_element(figures, 0);
    struct node player = node_member(&element, "player");
    if (reader->dimensions.known && vector_is_zero(first->delta))
        reader_error(reader, &element, "say how far: \"by\": {…}",
                     "the first figure of a combined movement must go somewhere");
    if ((first->players >> reader->mover & 1) != 0)
        return true;
    if (strcmp(node_string(&player), "enemy") == 0)
        reader_error(reader, &player, "put a figure of the mover first",
                     "the first figure of a combined movement must be the mover's");
    return false;
}

enum { NOTATION_BYTES_MAX = 16 };

const struct field combined_fields[] = {
    {.word = "cell_actions"},
    {"figures", field_list, LIST_AT(struct combined_movement, participants, participant_count),
     ELEMENTS(PARTICIPANTS_MAX, "figures", struct participant, read_participant), .keeps = true,
     .missing = ""},
    {"empty", field_deltas, LIST_AT(struct combined_movement, empty_deltas, empty_count),
     .format = 2},
    {"safe", field_deltas, LIST_AT(struct combined_movement, safe_deltas, safe_count), .format = 2},
    {"if", field_condition, TO(struct combined_movement, condition), .place = PLACE_MOVE,
     .format = 2},
    {"notation", field_text, AT(struct combined_movement, notation), .most = NOTATION_BYTES_MAX,
     .format = 2},
    {0},
};

/* False when the movement is not that of the player `mover`. */
static bool read_movement(struct reader *reader, const struct node *object,
                          struct combined_movement *movement)
{
    struct node figures = node_member(object, "figures");
    struct node actions = node_member(object, "cell_actions");
    bool all_play = true, modern = reader_is_modern(reader);
    int complaints = reader->complaints;
    *movement = (struct combined_movement){
        .modern = modern, .player = reader->mover, .pointer = reader_pointer(reader, object)};
    cell_actions_read(reader, &actions, &reader->outer_actions);
    if (!fields_read(reader, object, combined_fields, movement) || movement->participants == NULL)
        return false;
    for (int i = 0; i < movement->participant_count; i++)
        all_play = all_play && (movement->participants[i].players != 0 || !modern);
    if (modern && movement->participant_count == 0)
        reader_error(reader, &figures, "", "a combined movement needs a figure");
    else if (modern)
        all_play = first_is_sound(reader, &figures, movement->participants) && all_play;
    else if (reader->complaints == complaints)
        refuse_standing(reader, &figures, movement);
    return all_play;
}

void combined_read(struct reader *reader, const struct node *list, void *object)
{
    struct definition *definition = object;
    int players = reader_is_modern(reader) ? reader->players.count : 1;
    if (!reader_expect_list(reader, list, COMBINED_MAX, "combined movements"))
        return;
    size_t count = node_count(list) * (size_t)players;
    if (count > COMBINED_MAX) {
        reader_error(reader, list, "they count once for each player",
                     "too many combined movements: %zu, at most %d are allowed", count,
                     COMBINED_MAX);
        return;
    }
    struct combined_movement *movements = reader_allocate(reader, count, sizeof *movements);
    for (int player = 0; player < players; player++) {
        reader->mover = (player_index)player;
        EACH_ELEMENT (each, list)
            definition->combined_count +=
                read_movement(reader, &each, &movements[definition->combined_count]);
    }
    definition->combined = movements;
}
