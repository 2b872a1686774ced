#include "engine/load/fields.h"

#include <string.h>

/* Lists of movements. In format 2 named lists are put in their place, words of `use` are laid over those of the movement,
 * and one written movement becomes one for each of its directions, turned to how the mover sees the board. */

/* The object of a `use` whose words count more than those of what it uses. */
struct layer {
    const struct node *object;
    const struct layer *outer;
};

/* A figure's list for one player while it is gathered. */
struct gathering {
    struct reader *reader;
    struct movement *movements;
    int count, room;
    int visited;          /* elements looked at, those of named lists each time */
    bool open[NAMED_MAX]; /* named lists we are inside of */
};

/* One written movement, with the words laid over it. */
struct writing {
    struct gathering *gathering;
    const struct node *object;
    const struct layer *layer;
    struct movement movement; /* in all of its directions */
};

/* What a movement says with this word: the outermost `use` first. */
static struct node find_word(const struct writing *writing, const char *word)
{
    struct node found = {.value = NULL};
    if (fields_find(movement_fields, word)->format == 2 &&
        !reader_is_modern(writing->gathering->reader))
        return found;
    for (const struct layer *layer = writing->layer; layer != NULL; layer = layer->outer) {
        struct node member = node_member(layer->object, word);
        if (node_is_there(&member))
            found = member;
    }
    return found.value != NULL ? found : node_member(writing->object, word);
}

/* --- promotions ------------------------------------------------------------------------------- */

static void read_promotion_to(struct reader *reader, const struct node *node, void *object)
{
    struct promotion_rule *promotion = object;
    promotion->taken = node_type(node) == NODE_STRING && strcmp(node_string(node), "taken") == 0;
    if (!promotion->taken && tests_read_figures(reader, node, &promotion->to))
        reader_names(reader, node, &reader->figures, true, &promotion->to);
}

/* Nothing can be asked when a turn ends: but where it ends. */
static void check_promotion(struct reader *reader, const struct node *object,
                            const struct promotion_rule *promotion)
{
    struct node when = node_member(object, "when"), to = node_member(object, "to");
    struct node in = node_member(object, "in");
    if (!promotion->at_turn_end)
        return;
    if (!node_is_there(&in))
        reader_error(reader, object, "say in which zone the turn must end", "`in` is missing");
    if (promotion->taken || (promotion->to & (promotion->to - 1)) != 0)
        reader_error(reader, &to, "name one figure", "at the end of a turn nothing can be chosen");
    if (promotion->optional)
        reader_error(reader, &when, "leave one of them out",
                     "at the end of a turn nothing can be optional");
}

const struct field promotion_fields[] = {
    {"to", read_promotion_to, .missing = "say which figure it becomes"},
    {"in", field_zone, AT(struct promotion_rule, in_zone)},
    {"from", field_zone, AT(struct promotion_rule, from_zone)},
    {"if", field_condition, TO(struct promotion_rule, condition), .place = PLACE_MOVE},
    {"optional", field_flag, AT(struct promotion_rule, optional)},
    {"when", field_choice, AT(struct promotion_rule, at_turn_end),
     .names = CHOICES("time", "at_once", "turn_ends")},
    {"stops", field_flag, AT(struct promotion_rule, stops)},
    {0},
};

static bool read_promotion(struct reader *reader, const struct node *object, void *element)
{
    struct promotion_rule *promotion = element;
    *promotion = (struct promotion_rule){
        .in_zone = -1, .from_zone = -1, .pointer = reader_pointer(reader, object)};
    if (fields_read(reader, object, promotion_fields, promotion))
        check_promotion(reader, object, promotion);
    return true;
}

static const struct elements promotions = {PROMOTIONS_MAX, "promotions",
                                           sizeof(struct promotion_rule), read_promotion};

/* The movement's own first, then the figure's. */
static void read_promotions(struct reader *reader, const struct node *node, void *object)
{
    struct movement *movement = object;
    const int more = reader->outer_promotion_count;
    int own = 0;
    if (movement->purpose == FOR_PUT) {
        if (node_is_there(node))
            reader_error_key(reader, node, "leave it out",
                             "the figure stays where it is and cannot be promoted");
        return;
    }
    const struct promotion_rule *read = elements_read_any(reader, node, &promotions, &own);
    if (own + more > PROMOTIONS_MAX)
        reader_error(reader, node, "those of the figure and of the movement count together",
                     "too many promotions: at most %d are allowed", PROMOTIONS_MAX);
    struct promotion_rule *all = reader_allocate(reader, (size_t)own + (size_t)more, sizeof *all);
    for (int i = 0; i < own + more; i++)
        all[i] = i < own ? read[i] : reader->outer_promotions[i - own];
    movement->promotions = all;
    movement->promotion_count = own + more;
}

/* --- the words of one movement ---------------------------------------------------------------- */

static void read_repeat(struct reader *reader, const struct node *repeat, void *object)
{
    struct movement *movement = object;
    bool endless = false;
    if (node_type(repeat) == NODE_BOOLEAN || !reader_is_modern(reader)) {
        reader_boolean(reader, repeat, &endless);
        movement->max_steps = endless ? CELLS_MAX : 1;
    } else if (node_type(repeat) == NODE_LIST) {
        movement->max_steps = CELLS_MAX;
        reader_pair(reader, repeat, 1, 1, CELLS_MAX, true, &movement->min_steps,
                    &movement->max_steps);
    } else if (node_type(repeat) == NODE_NUMBER) {
        reader_integer(reader, repeat, 1, CELLS_MAX, &movement->max_steps);
    } else {
        reader_error(reader, repeat, "", "`repeat` must be true, a number or [least, most]");
    }
}

static void read_over_count(struct reader *reader, const struct node *count, void *object)
{
    struct movement *movement = object;
    if (node_type(count) == NODE_LIST)
        reader_pair(reader, count, 0, 1, CELLS_MAX, false, &movement->over_min,
                    &movement->over_max);
    else if (reader_integer(reader, count, 1, CELLS_MAX, &movement->over_max))
        movement->over_min = movement->over_max;
}

const struct field over_fields[] = {
    {"is", field_match, AT(struct movement, over)},
    {"count", .kind = read_over_count},
    {0},
};

static void read_over(struct reader *reader, const struct node *over, void *object)
{
    struct movement *movement = object;
    uint8_t mover = (uint8_t)(1u << reader->mover);
    movement->jumps = true;
    movement->over_min = movement->over_max = 1;
    if (node_type(over) == NODE_OBJECT) {
        fields_read(reader, over, over_fields, movement);
    } else {
        int kind =
            reader_name(reader, over, NODE_VALUE, CHOICES("way to jump", "any", "enemy", "mover"));
        if (kind == 1)
            movement->over.players = (uint8_t)(movement->over.players & ~mover);
        if (kind == 2)
            movement->over.players = mover;
    }
    if (movement->max_steps <= movement->over_min)
        reader_error_key(reader, over, "give it `repeat`: what is jumped lies between the steps",
                         "this movement is too short to jump over anything");
}

static void read_takes(struct reader *reader, const struct node *takes, void *object)
{
    struct movement *movement = object;
    movement->takes_jumped =
        reader_name(reader, takes, NODE_VALUE, CHOICES("way to take", "target", "jumped")) == 1;
    if (!movement->takes_jumped)
        return;
    if (movement->purpose != FOR_TAKE)
        reader_error_key(reader, takes, "write \"for\": \"take\"",
                         "only a movement for `take` can take what it jumps over");
    if (!movement->jumps)
        reader_error_key(reader, takes, "say what it jumps over: \"over\": \"enemy\"",
                         "this movement jumps over nothing");
    else if (movement->over_min == 0)
        reader_error_key(reader, takes, "let the smallest `count` of `over` be 1",
                         "this movement may jump over nothing, and so take nothing");
}

static void read_takes_marked(struct reader *reader, const struct node *marked, void *object)
{
    struct movement *movement = object;
    bool can_take = movement->purpose == FOR_TAKE || movement->purpose == FOR_BOTH;
    movement->takes_marked = reader_name(reader, marked, NODE_VALUE, &reader->marks);
    if (!can_take || movement->takes_jumped)
        reader_error_key(reader, marked, "write \"for\": \"take\"",
                         "only a movement that takes its target can take who made a mark");
}

static void read_mark(struct reader *reader, const struct node *mark, void *object)
{
    struct movement *movement = object;
    movement->mark = reader_name(reader, mark, NODE_VALUE, &reader->marks);
    if (movement->max_steps == 1)
        reader_warn(reader, mark, NODE_KEY, "give it `repeat`",
                    "this movement passes no cell that could be marked");
}

static void read_put(struct reader *reader, const struct node *put, void *object)
{
    struct movement *movement = object;
    bool puts = movement->purpose == FOR_PUT;
    int figure = -1;
    if (!puts && node_is_there(put))
        reader_error_key(reader, put, "write \"for\": \"put\"", "this movement puts nothing");
    else if (puts && !node_is_there(put))
        reader_error(reader, put, "say which figure: \"put\": \"arrow\"", "`put` is missing");
    else if (puts)
        figure = reader_name(reader, put, NODE_VALUE, &reader->figures);
    if (figure >= 0)
        movement->put = (figure_index)figure;
}

static void read_if(struct reader *reader, const struct node *test, void *object)
{
    struct movement *movement = object;
    if (reader->options->ignore_movement_if)
        return;
    movement->condition =
        tests_read(reader, test, reader_is_modern(reader) ? PLACE_MOVE : PLACE_ACTION);
    if (movement->condition != NULL)
        movement->if_pointer = reader_pointer(reader, test);
}

/* In the order in which one word needs what another has said. */
const struct field movement_fields[] = {
    {"also_reversed", field_flag, AT(struct movement, also_reversed)},
    {"repeat", .kind = read_repeat},
    {"cell_actions", field_cell_actions, TO(struct movement, actions), .always = true},
    {"if", .kind = read_if},
    {.word = "symmetric", .format = 2},
    {"for", field_choice, AT(struct movement, purpose), .least = FOR_MOVE,
     .names = CHOICES("purpose", "move", "take", "both", "swap", "put"), .format = 2},
    {"over", read_over, .format = 2},
    {"takes", read_takes, .format = 2},
    {"takes_marked", read_takes_marked, .format = 2},
    {"mark", read_mark, .format = 2},
    {.word = "via", .format = 2},
    {"within", field_zone, AT(struct movement, within_zone), .format = 2},
    {"promote", read_promotions, .always = true, .format = 2},
    {"continue", field_choice, AT(struct movement, continues), .least = GOES_ON_MUST,
     .names = CHOICES("way to continue", "must", "may"), .format = 2},
    {"phase", field_phase, AT(struct movement, phase), .format = 2},
    {"put", read_put, .always = true, .format = 2},
    {.word = "use", .format = 2},
    {0},
};

static bool has_actions(const struct cell_actions *actions)
{
    return actions->destination_count + actions->transition_count > 0;
}

/* What a movement does by actions it cannot also do by words. */
static bool is_deed(const char *word)
{
    return name_list_find(CHOICES("word", "for", "takes", "takes_marked", "mark", "promote", "put"),
                          word) >= 0;
}

/* The words in their order. What the movement does where it goes is said by action sets, its own and the figure's, or by its
 * purpose. */
static void read_words(struct reader *reader, struct writing *writing)
{
    struct movement *movement = &writing->movement;
    struct node actions = find_word(writing, "cell_actions");
    bool acts =
        node_is_there(&actions) || has_actions(&reader->outer_actions) || !reader_is_modern(reader);
    movement->purpose = acts ? FOR_ACTIONS : FOR_BOTH;
    for (const struct field *field = movement_fields; field->word != NULL; field++) {
        struct node node = find_word(writing, field->word);
        if (!acts || !is_deed(field->word))
            field_read_one(reader, &node, field, movement);
        else if (node_is_there(&node))
            reader_error_key(
                reader, &node, "give either `cell_actions` or words like `for`",
                "`%s` cannot stand beside `cell_actions` of the movement or its figure",
                field->word);
    }
    if (acts && !has_actions(&movement->actions))
        reader_warn(reader, writing->object, NODE_VALUE, "give it, or its figure, `cell_actions`",
                    "this movement has no actions and so never gives a move");
}

/* --- directions ------------------------------------------------------------------------------- */

/* The delta and the cells of `via`, as the mover sees them. */
static bool read_path(struct reader *reader, const struct writing *writing, struct path *path)
{
    struct node via = find_word(writing, "via");
    *path = (struct path){.count = 1};
    bool sound = sides_read_delta(reader, writing->object, movement_fields, path->vectors[0]) &&
                 !sides_goes_nowhere(reader, writing->object, path->vectors[0]);
    if (!node_is_there(&via) || !reader_expect_list(reader, &via, VIA_MAX, "cells"))
        return sound;
    EACH_ELEMENT (each, &via)
        sound = sides_read_delta(reader, &each, no_fields, path->vectors[path->count++]) && sound;
    return sound;
}

static struct movement *add_movement(struct gathering *gathering, const struct node *node)
{
    struct reader *reader = gathering->reader;
    if (gathering->count == MOVEMENTS_MAX)
        reader_stop(reader, node, "each direction of `symmetric` counts",
                    "too many movements: at most %d are allowed for one figure", MOVEMENTS_MAX);
    gathering->movements = reader_grow(reader, gathering->movements, gathering->count,
                                       &gathering->room, sizeof *gathering->movements);
    return &gathering->movements[gathering->count++];
}

static void add_direction(struct reader *reader, const struct writing *writing,
                          const struct path *path)
{
    struct movement *movement = add_movement(writing->gathering, writing->object);
    *movement = writing->movement;
    sides_turn(reader, path->vectors[0], movement->delta);
    if (path->count == 1)
        return;
    int(*via)[DIMENSIONS_MAX] = reader_allocate(reader, (size_t)path->count - 1, sizeof *via);
    for (int i = 1; i < path->count; i++)
        sides_turn(reader, path->vectors[i], via[i - 1]);
    movement->via_deltas = (const int(*)[DIMENSIONS_MAX])via;
    movement->via_count = path->count - 1;
}

static void read_movement(struct gathering *gathering, const struct node *object,
                          const struct layer *layer)
{
    struct reader *reader = gathering->reader;
    struct writing writing = {.gathering = gathering,
                              .object = object,
                              .layer = layer,
                              .movement = {.pointer = reader_pointer(reader, object),
                                           .min_steps = 1,
                                           .max_steps = 1,
                                           .over = tests_any_figure(reader),
                                           .takes_marked = -1,
                                           .mark = -1,
                                           .within_zone = -1,
                                           .put = FIGURE_NONE}};
    struct path path;
    bool sound = read_path(reader, &writing, &path);
    struct node symmetric = find_word(&writing, "symmetric");
    read_words(reader, &writing);
    if (!reader_is_modern(reader))
        add_direction(reader, &writing, &path);
    /* `over` and conditions have used the room for other lists meanwhile: so only now */
    if (!reader_is_modern(reader) || !sound ||
        !symmetry_expand(reader, &symmetric, writing.movement.also_reversed, &path,
                         reader->symmetry))
        return;
    writing.movement.also_reversed = false;
    for (int i = 0; i < reader->symmetry->count; i++)
        add_direction(reader, &writing, &reader->symmetry->paths[i]);
}

/* --- lists ------------------------------------------------------------------------------------ */

static void read_list(struct gathering *gathering, const struct node *list,
                      const struct layer *layer);

static void use_list(struct gathering *gathering, const struct node *name,
                     const struct layer *layer)
{
    struct reader *reader = gathering->reader;
    int index = reader_name(reader, name, NODE_VALUE, &reader->named_movements);
    if (index < 0 || reader->movement_broken[index])
        return;
    if (gathering->open[index]) {
        reader_error(reader, name, "", "the movements `%s` contain themselves",
                     text_quote(reader->named_movements.names[index]).text);
        return;
    }
    struct node all = node_member(reader->root, "movements");
    struct node list = node_member(&all, reader->named_movements.names[index]);
    int errors_before = reader->diagnostics->error_count;
    reader->movement_used[index] = true;
    gathering->open[index] = true;
    read_list(gathering, &list, layer);
    gathering->open[index] = false;
    reader->movement_broken[index] = reader->diagnostics->error_count != errors_before;
}

/* {"use": name, …}: words, but no deltas. */
static void check_use_words(struct reader *reader, const struct node *object)
{
    EACH_MEMBER (each, object) {
        if (fields_find(movement_fields, each.key) == NULL &&
            name_list_find(&reader->steps, each.key) >= 0)
            reader_error_key(reader, &each, "the list says where its movements go",
                             "`%s` cannot stand beside `use`", text_quote(each.key).text);
        else
            fields_check_word(reader, &each, movement_fields, NULL);
    }
}

static void read_element(struct gathering *gathering, const struct node *element,
                         const struct layer *layer)
{
    struct reader *reader = gathering->reader;
    struct node use = node_member(element, "use");
    struct layer over = {element, layer};
    if (reader_is_modern(reader) && node_type(element) == NODE_STRING) {
        use_list(gathering, element, layer);
    } else if (reader_is_modern(reader) && node_is_there(&use)) {
        check_use_words(reader, element);
        use_list(gathering, &use, &over);
    } else if (reader_expect(reader, element, NODE_OBJECT)) {
        read_movement(gathering, element, layer);
    }
}

static void read_list(struct gathering *gathering, const struct node *list,
                      const struct layer *layer)
{
    enum { VISITED_MAX = 4 * MOVEMENTS_MAX };
    struct reader *reader = gathering->reader;
    if (!reader_expect_list(reader, list, MOVEMENTS_MAX, "movements"))
        return;
    EACH_ELEMENT (each, list) {
        if (gathering->visited++ == VISITED_MAX)
            reader_stop(reader, &each, "lists inside lists count each time",
                        "too many movements: at most %d are allowed for one figure", MOVEMENTS_MAX);
        read_element(gathering, &each, layer);
    }
}

void movements_read(struct reader *reader, const struct node *list, const struct node *promote,
                    struct movement_list *movements)
{
    struct gathering gathering = {.reader = reader};
    bool absolute = reader->absolute;
    reader->absolute = false; /* the figure says it for all players at once */
    if (reader_is_modern(reader))
        reader->outer_promotions =
            elements_read_any(reader, promote, &promotions, &reader->outer_promotion_count);
    reader->absolute = absolute;
    read_list(&gathering, list, NULL);
    /* every movement is tried from every cell when the tables are made */
    reader->candidates += gathering.count * (reader->definition->cell_count + 1);
    if (reader->candidates > CANDIDATES_MAX)
        reader_stop(reader, list, "", "too many movements for a board of %d cells",
                    reader->definition->cell_count);
    *movements = (struct movement_list){gathering.count, gathering.movements};
}

/* What no figure uses is looked at all the same, as the first player would have it. */
void movements_read_unused(struct reader *reader)
{
    struct node movements = node_member(reader->root, "movements");
    struct node actions = node_member(reader->root, "actions"), none = {.value = NULL};
    reader->mover = 0;
    for (int i = 0; i < reader->named_actions.count; i++) {
        struct node each = node_member(&actions, reader->named_actions.names[i]);
        if (reader_expect(reader, &each, NODE_OBJECT))
            cell_actions_read(reader, &each, &reader->outer_actions);
    }
    reader->outer_actions = (struct cell_actions){.destination_count = 0};
    for (int i = 0; i < reader->named_movements.count; i++) {
        struct movement_list unused;
        struct node list = node_member(&movements, reader->named_movements.names[i]);
        if (!reader->movement_used[i])
            movements_read(reader, &list, &none, &unused);
    }
}
