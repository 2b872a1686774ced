#include "engine/load/reader.h"

#include <string.h>

bool figures_count_candidates(struct reader *reader, const struct node *list, int movements)
{
    reader->candidates += movements * (reader->definition->cell_count + 1);
    if (reader->candidates <= CANDIDATES_MAX)
        return true;
    if (!reader->candidates_reported)
        reader_error(reader, list, NODE_VALUE, "", "too many movements for a board of %d cells",
                     reader->definition->cell_count);
    reader->candidates_reported = true;
    reader->candidates = CANDIDATES_MAX; /* so that the sum cannot overflow */
    return false;
}

static bool is_zero(const int delta[DIMENSIONS_MAX])
{
    for (int i = 0; i < DIMENSIONS_MAX; i++)
        if (delta[i] != 0)
            return false;
    return true;
}

static bool is_modern_word(const char *key)
{
    static const char *const words[] = {"symmetric", "for", "over",   "takes",   "takes_marked",
                                        "mark",      "via", "within", "promote", "continue",
                                        "phase",     "put", "use"};
    static const struct name_list list = {
        .known = true, .count = sizeof words / sizeof *words, .names = words};
    return name_list_find(&list, key) >= 0;
}

/* The movement's keys that are not its own words are coordinates. */
static void read_delta(struct reader *reader, const struct node *object, int delta[DIMENSIONS_MAX])
{
    static const char *const words[] = {"also_reversed", "repeat", "cell_actions", "if"};
    enum { WORDS = sizeof words / sizeof *words };
    const struct name_list own = {.known = true, .count = WORDS, .names = words};
    const char *candidates[DIMENSIONS_MAX + WORDS];
    int candidate_count = 0, delta_count = 0;
    for (int i = 0; i < reader->dimensions.count; i++)
        candidates[candidate_count++] = reader->dimensions.names[i];
    for (int i = 0; i < WORDS; i++)
        candidates[candidate_count++] = words[i];
    bool sound = reader->dimensions.known;
    for (void *at = node_first(object); at != NULL; at = node_next(object, at)) {
        struct node member = node_at(object, at);
        if (name_list_find(&own, member.key) >= 0)
            continue;
        delta_count++;
        if (name_list_find(&reader->dimensions, member.key) >= 0) {
            sound = reader_coordinate(reader, &member, delta) && sound;
            continue;
        }
        if (reader->dimensions.known && is_modern_word(member.key))
            reader_error(reader, &member, NODE_KEY, "add \"format\": 2",
                         "`%s` is a word of format 2", member.key);
        else if (sound || reader->dimensions.known)
            reader_error(reader, &member, NODE_KEY,
                         text_hint(member.key, candidates, candidate_count).text,
                         "no coordinate `%s`", text_quote(member.key).text);
        sound = false;
    }
    if (sound && is_zero(delta))
        reader_error(reader, object, NODE_VALUE,
                     delta_count == 0 ? "give at least one coordinate a value" : "",
                     "this movement goes nowhere: all its coordinates are 0");
}

static void read_movement_condition(struct reader *reader, const struct node *node,
                                    struct condition_list *list)
{
    if (node_type(node) != NODE_OBJECT) {
        condition_list_read(reader, node, list);
        return;
    }
    /* in formats 0 and 1 here, and only here, an object stands for a list of one */
    condition_list_read_one(reader, node, list);
}

static void read_movement(struct reader *reader, const struct node *object,
                          const struct cell_actions *figure_actions, struct movement *movement)
{
    if (!reader_expect(reader, object, NODE_OBJECT))
        return;
    struct node also_reversed = node_member(object, "also_reversed");
    struct node repeat = node_member(object, "repeat");
    struct node conditions = node_member(object, "if");
    struct node actions = node_member(object, "cell_actions");
    movement->pointer = reader_pointer(reader, object);
    read_delta(reader, object, movement->delta);
    reader_boolean(reader, &also_reversed, &movement->also_reversed);
    reader_boolean(reader, &repeat, &movement->repeat);
    read_movement_condition(reader, &conditions, &movement->condition);
    if (reader->options->ignore_movement_if)
        movement->condition = (struct condition_list){.present = false};
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
    if (!reader_expect(reader, list, NODE_LIST) ||
        !reader_expect_at_most(reader, list, MOVEMENTS_MAX, "movements"))
        return;
    size_t count = node_count(list);
    struct movement *read = reader_allocate(reader, count, sizeof *read);
    if (read == NULL)
        return;
    figures_count_candidates(reader, list, (int)count);
    for (size_t i = 0; i < count; i++) {
        struct node element = node_element(list, i);
        read_movement(reader, &element, figure_actions, &read[i]);
    }
    *movements = (struct movement_list){.count = (int)count, .movements = read};
}

static void read_movements_by_player(struct reader *reader, const struct node *object,
                                     const struct cell_actions *figure_actions,
                                     struct figure_definition *figure)
{
    for (void *at = node_first(object); at != NULL; at = node_next(object, at)) {
        struct node member = node_at(object, at);
        int player = reader_name(reader, &member, NODE_KEY, &reader->players);
        if (player >= 0)
            read_movements(reader, &member, figure_actions, &figure->movement[player]);
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
    for (void *at = node_first(&movement); by_player && at != NULL; at = node_next(&movement, at)) {
        struct node member = node_at(&movement, at);
        reader_name(reader, &member, NODE_KEY, &reader->players);
    }
    for (int player = 0; player < reader->players.count; player++) {
        struct cell_actions figure_actions;
        struct node own = node_member(&movement, reader->players.names[player]);
        reader->mover = (player_index)player;
        cell_actions_read(reader, &actions, &figure_actions);
        reader->absolute = by_player;
        if (!by_player)
            movements_read(reader, &movement, &figure_actions, &promote, &figure->movement[player]);
        else if (node_type(&own) != NODE_ABSENT)
            movements_read(reader, &own, &figure_actions, &promote, &figure->movement[player]);
        reader->absolute = false;
    }
}

static void read_figure(struct reader *reader, const struct node *object,
                        struct figure_definition *figure)
{
    static const char *const keys[] = {"movement", "cell_actions", "promote"};
    if (!reader_expect(reader, object, NODE_OBJECT))
        return;
    reader_check_words(reader, object, LENIENT, keys, 2, 3);
    if (reader_is_modern(reader)) {
        struct node list = node_member(object, "movement");
        if (node_type(&list) != NODE_ABSENT) {
            read_modern_movement(reader, object, figure);
            return;
        }
    }
    struct node actions = node_member(object, "cell_actions");
    struct node movement = node_member(object, "movement");
    struct cell_actions figure_actions;
    cell_actions_read(reader, &actions, &figure_actions);
    if (node_type(&movement) == NODE_ABSENT) {
        reader_error(reader, object, NODE_VALUE,
                     "write \"movement\": [] for a figure that does not move by itself",
                     "`movement` is missing");
    } else if (node_type(&movement) == NODE_OBJECT) {
        read_movements_by_player(reader, &movement, &figure_actions, figure);
    } else {
        read_movements(reader, &movement, &figure_actions, &figure->movement[0]);
        for (int i = 1; i < PLAYERS_MAX; i++)
            figure->movement[i] = figure->movement[0];
    }
}

void figures_read(struct reader *reader, const struct node *root)
{
    struct node object = node_member(root, "figures");
    if (!reader->figures.known)
        return;
    struct figure_definition *figures =
        reader_allocate(reader, (size_t)reader->figures.count, sizeof *figures);
    if (figures == NULL)
        return;
    int index = 0;
    for (void *at = node_first(&object); at != NULL; at = node_next(&object, at), index++) {
        struct node member = node_at(&object, at);
        figures[index].name = reader->figures.names[index];
        read_figure(reader, &member, &figures[index]);
    }
    reader->definition->figures = figures;
    reader->definition->figure_count = index;
    if (reader_is_modern(reader))
        movements_read_unused(reader);
}

/* --- complex movements ------------------------------------------------------------------------ */

/* Whoever writes a simple movement's words here expects something that does not happen. */
static void check_participant_keys(struct reader *reader, const struct node *object)
{
    static const char *const keys[] = {"figure", "relative_position", "coordinates_delta",
                                       "cell_actions"};
    const struct name_list known = {.known = true, .count = 4, .names = keys};
    for (void *at = node_first(object); at != NULL; at = node_next(object, at)) {
        struct node member = node_at(object, at);
        if (name_list_find(&known, member.key) >= 0)
            continue;
        if (name_list_find(&reader->dimensions, member.key) >= 0)
            reader_error(reader, &member, NODE_KEY, "write it inside `coordinates_delta`",
                         "`%s` cannot stand here", text_quote(member.key).text);
        else if (strcmp(member.key, "also_reversed") == 0 || strcmp(member.key, "repeat") == 0)
            reader_error(reader, &member, NODE_KEY, "write one complex movement for each way",
                         "`%s` is not possible in complex movements", member.key);
        else if (strcmp(member.key, "unmoved") == 0 || strcmp(member.key, "player") == 0)
            reader_error(reader, &member, NODE_KEY, "add \"format\": 2",
                         "`%s` is a word of format 2", member.key);
        else
            reader_error(reader, &member, NODE_KEY, text_hint(member.key, keys, 4).text,
                         "unknown key `%s`", text_quote(member.key).text);
    }
}

static void read_participant_delta(struct reader *reader, const struct node *object,
                                   int delta[DIMENSIONS_MAX])
{
    if (!reader_expect_if_there(reader, object, NODE_OBJECT))
        return;
    for (void *at = node_first(object); at != NULL; at = node_next(object, at)) {
        struct node member = node_at(object, at);
        if (strcmp(member.key, "also_reversed") == 0 || strcmp(member.key, "repeat") == 0)
            reader_error(reader, &member, NODE_KEY, "write one complex movement for each way",
                         "`%s` is not possible in complex movements", member.key);
        else
            reader_coordinate(reader, &member, delta);
    }
}

static void read_participant(struct reader *reader, const struct node *object,
                             const struct cell_actions *common, struct participant *participant)
{
    if (!reader_expect(reader, object, NODE_OBJECT))
        return;
    check_participant_keys(reader, object);
    struct node figure = node_member(object, "figure");
    struct node position = node_member(object, "relative_position");
    struct node delta = node_member(object, "coordinates_delta");
    struct node actions = node_member(object, "cell_actions");
    int index = reader_name(reader, &figure, NODE_VALUE, &reader->figures);
    participant->figure = index >= 0 ? (figure_index)index : FIGURE_NONE;
    if (node_type(&position) != NODE_ABSENT)
        reader_coordinates(reader, &position, false, participant->relative_position);
    read_participant_delta(reader, &delta, participant->delta);
    struct cell_actions own;
    cell_actions_read(reader, &actions, &own);
    cell_actions_join(reader, object, &own, common, &participant->actions);
    if (own.destination_count + common->destination_count == 0)
        reader_warn(reader, object, NODE_VALUE,
                    "every figure that takes part needs a `destination` set",
                    "this figure does nothing, so the complex movement never gives a move");
}

static void read_complex_movement(struct reader *reader, const struct node *object,
                                  struct complex_movement *movement)
{
    static const char *const keys[] = {"figures", "cell_actions", "empty",
                                       "safe",    "if",           "notation"};
    if (!reader_expect(reader, object, NODE_OBJECT))
        return;
    reader_check_words(reader, object, STRICT, keys, 2, 6);
    struct node figures = node_member(object, "figures");
    struct node actions = node_member(object, "cell_actions");
    struct cell_actions common;
    movement->pointer = reader_pointer(reader, object);
    cell_actions_read(reader, &actions, &common);
    if (!reader_expect(reader, &figures, NODE_LIST) ||
        !reader_expect_at_most(reader, &figures, PARTICIPANTS_MAX, "figures"))
        return;
    size_t count = node_count(&figures);
    struct participant *participants = reader_allocate(reader, count, sizeof *participants);
    if (participants == NULL)
        return;
    int errors_before = reader->diagnostics->error_count;
    bool moves = false;
    for (size_t i = 0; i < count; i++) {
        struct node element = node_element(&figures, i);
        read_participant(reader, &element, &common, &participants[i]);
        moves = moves || !is_zero(participants[i].delta);
    }
    if (!moves && reader->dimensions.known && reader->diagnostics->error_count == errors_before)
        reader_error(reader, &figures, NODE_VALUE,
                     "give at least one of them a `coordinates_delta`",
                     "no figure of this complex movement goes anywhere");
    movement->participant_count = (int)count;
    movement->participants = participants;
}

void complex_read(struct reader *reader, const struct node *root)
{
    struct node list = node_member(root, "complex_movement");
    if (!reader_expect_if_there(reader, &list, NODE_LIST) ||
        !reader_expect_at_most(reader, &list, COMPLEX_MAX, "complex movements"))
        return;
    if (reader_is_modern(reader)) {
        complex_read_modern(reader, &list);
        return;
    }
    size_t count = node_count(&list);
    struct complex_movement *movements = reader_allocate(reader, count, sizeof *movements);
    if (movements == NULL)
        return;
    for (size_t i = 0; i < count; i++) {
        struct node element = node_element(&list, i);
        read_complex_movement(reader, &element, &movements[i]);
    }
    reader->definition->complex = movements;
    reader->definition->complex_count = (int)count;
}
