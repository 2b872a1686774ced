#include "engine/load/reader.h"

#include <string.h>

/* Complex movements in format 2: read once for each player, whose own all participants are unless it says otherwise. */

static const int nowhere[DIMENSIONS_MAX];

static void read_turned_delta(struct reader *reader, const struct node *node,
                              int delta[DIMENSIONS_MAX])
{
    int seen[DIMENSIONS_MAX];
    if (node_type(node) != NODE_ABSENT && sides_read_delta(reader, node, NULL, seen))
        sides_turn(reader, seen, delta);
}

static void read_owner(struct reader *reader, const struct node *object,
                       struct participant *participant)
{
    struct node player = node_member(object, "player");
    struct player_set set;
    participant->players = (uint8_t)(1u << reader->mover);
    if (node_type(&player) == NODE_ABSENT || !sides_read_players(reader, &player, &set))
        return;
    participant->players = set.players;
    if (set.next)
        reader_error(reader, &player, NODE_VALUE, "before a move the mover is next",
                     "`next` cannot stand here");
}

static void read_participant(struct reader *reader, const struct node *object,
                             const struct cell_actions *common, struct participant *participant)
{
    static const char *const keys[] = {"figure",       "relative_position", "coordinates_delta",
                                       "cell_actions", "unmoved",           "player"};
    if (!reader_expect(reader, object, NODE_OBJECT))
        return;
    reader_check_keys(reader, object, STRICT, keys, 6);
    struct node figure = node_member(object, "figure");
    struct node position = node_member(object, "relative_position");
    struct node delta = node_member(object, "coordinates_delta");
    struct node actions = node_member(object, "cell_actions");
    struct node unmoved = node_member(object, "unmoved");
    int index = reader_name(reader, &figure, NODE_VALUE, &reader->figures);
    participant->figure = index >= 0 ? (figure_index)index : FIGURE_NONE;
    read_turned_delta(reader, &position, participant->relative_position);
    read_turned_delta(reader, &delta, participant->delta);
    reader_boolean(reader, &unmoved, &participant->unmoved);
    read_owner(reader, object, participant);
    struct cell_actions own;
    cell_actions_read(reader, &actions, &own);
    cell_actions_join(reader, object, &own, common, &participant->actions);
    participant->by_default =
        participant->actions.destination_count + participant->actions.transition_count == 0;
}

/* The first figure is the one that is clicked: the mover's, and it goes somewhere. Whose complex movement it is when a
 * player is named there: false for the others. */
static bool first_is_sound(struct reader *reader, const struct node *figures,
                           const struct participant *first)
{
    struct node element = node_element(figures, 0);
    struct node player = node_member(&element, "player");
    if (reader->dimensions.known && memcmp(first->delta, nowhere, sizeof nowhere) == 0)
        reader_error(reader, &element, NODE_VALUE, "give it a `coordinates_delta`",
                     "the first figure of a complex movement must go somewhere");
    if ((first->players >> reader->mover & 1) != 0)
        return true;
    if (node_type(&player) == NODE_STRING && strcmp(node_string(&player), "enemy") == 0)
        reader_error(reader, &player, NODE_VALUE, "put a figure of the mover first",
                     "the first figure of a complex movement must be the mover's");
    return false;
}

static bool read_figures(struct reader *reader, const struct node *figures,
                         const struct cell_actions *common, struct complex_movement *movement)
{
    if (!reader_expect(reader, figures, NODE_LIST) ||
        !reader_expect_at_most(reader, figures, PARTICIPANTS_MAX, "figures"))
        return false;
    size_t count = node_count(figures);
    if (count == 0) {
        reader_error(reader, figures, NODE_VALUE, "", "a complex movement needs a figure");
        return false;
    }
    struct participant *participants = reader_allocate(reader, count, sizeof *participants);
    if (participants == NULL)
        return false;
    bool all_play = true;
    for (size_t i = 0; i < count; i++) {
        struct node element = node_element(figures, i);
        read_participant(reader, &element, common, &participants[i]);
        all_play = all_play && participants[i].players != 0;
    }
    movement->participant_count = (int)count;
    movement->participants = participants;
    return first_is_sound(reader, figures, &participants[0]) && all_play;
}

/* For the player `mover`; false when it is not theirs. */
static bool read_movement(struct reader *reader, const struct node *object,
                          struct complex_movement *movement)
{
    enum { NOTATION_BYTES_MAX = 16 };
    static const char *const keys[] = {"figures", "cell_actions", "empty",
                                       "safe",    "if",           "notation"};
    if (!reader_expect(reader, object, NODE_OBJECT))
        return false;
    reader_check_keys(reader, object, STRICT, keys, 6);
    struct node figures = node_member(object, "figures");
    struct node actions = node_member(object, "cell_actions");
    struct node empty = node_member(object, "empty"), safe = node_member(object, "safe");
    struct node test = node_member(object, "if"), notation = node_member(object, "notation");
    struct cell_actions common;
    *movement = (struct complex_movement){
        .modern = true, .player = reader->mover, .pointer = reader_pointer(reader, object)};
    cell_actions_read(reader, &actions, &common);
    bool is_theirs = read_figures(reader, &figures, &common, movement);
    if (node_type(&empty) != NODE_ABSENT)
        sides_read_deltas(reader, &empty, &movement->empty_count, &movement->empty);
    if (node_type(&safe) != NODE_ABSENT)
        sides_read_deltas(reader, &safe, &movement->safe_count, &movement->safe);
    movement->test = tests_read(reader, &test, PLACE_MOVE);
    movement->notation = reader_text(reader, &notation, NOTATION_BYTES_MAX, false);
    return is_theirs;
}

void complex_read_modern(struct reader *reader, const struct node *list)
{
    struct definition *definition = reader->definition;
    size_t players = (size_t)reader->players.count;
    if (node_count(list) * players > COMPLEX_MAX) {
        reader_error(reader, list, NODE_VALUE, "they count once for each player",
                     "too many complex movements: %zu, at most %d are allowed",
                     node_count(list) * players, COMPLEX_MAX);
        return;
    }
    struct complex_movement *movements =
        reader_allocate(reader, node_count(list) * players, sizeof *movements);
    for (size_t player = 0; movements != NULL && player < players; player++) {
        reader->mover = (player_index)player;
        for (size_t i = 0; i < node_count(list); i++) {
            struct node element = node_element(list, i);
            if (read_movement(reader, &element, &movements[definition->complex_count]))
                definition->complex_count++;
        }
    }
    definition->complex = movements;
}
