#include "engine/load/fields.h"

#include <string.h>

/* Lists of movements. In format 2 named lists are put in their place, words of `use` are laid over those of the movement,
 * and one written movement becomes one for each of its directions, turned to how the mover sees the board. */

/* --- promotions ------------------------------------------------------------------------------- */

static void read_promotion_to(struct reader *reader, const struct node *node, void *object)
{
    struct promotion_rule *promotion = object;
    promotion->taken = node_type(node) == NODE_STRING && strcmp(node_string(node), "taken") == 0;
    uint64_t once = 0;
    if (!promotion->taken)
        field_figures(reader, node, &promotion->to);
    if (promotion->to != 0)
        reader_names(reader, node, &reader->figures, true, &once);
}

/* Nothing can be asked when a turn ends: but where it ends. */
static void check_promotion(struct reader *reader, const struct node *object,
                            const struct promotion_rule *promotion)
{
    struct node when = node_member(object, "when"), to = node_member(object, "to");
    if (!promotion->at_turn_end)
        return;
    reader_demand(reader, object, "in", true, "say in which zone the turn must end");
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

static const struct field promotions = {
    ELEMENTS(PROMOTIONS_MAX, "promotions", struct promotion_rule, read_promotion), .few = true};

/* The movement's own first, then the figure's. */
static void read_promotions(struct reader *reader, const struct node *node, void *object)
{
    struct movement *movement = object;
    const int more = reader->outer_promotion_count;
    int own = 0;
    if (movement->purpose == FOR_PUT)
        return;
    const struct promotion_rule *read = elements_read(reader, node, &promotions, &own);
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

static const struct field repeat_fields[] = {
    {"count", field_match, AT(struct movement, counted), .missing = ""},
    {0},
};

static void read_repeat(struct reader *reader, const struct node *repeat, void *object)
{
    struct movement *movement = object;
    bool endless = false;
    if (node_type(repeat) == NODE_BOOLEAN || !reader_is_modern(reader)) {
        reader_boolean(reader, repeat, &endless);
        movement->max_steps = endless ? CELLS_MAX : 1;
    } else if (node_type(repeat) == NODE_LIST) {
        movement->max_steps = CELLS_MAX;
        reader_range(reader, repeat, 1, 1, CELLS_MAX, true, &movement->min_steps,
                     &movement->max_steps);
    } else if (node_type(repeat) == NODE_NUMBER) {
        reader_integer(reader, repeat, 1, CELLS_MAX, &movement->max_steps);
    } else if (node_type(repeat) == NODE_OBJECT) {
        movement->max_steps = CELLS_MAX;
        movement->counts_steps = fields_read(reader, repeat, repeat_fields, movement);
    } else {
        reader_error(reader, repeat, "",
                     "`repeat` must be true, a number, [least, most] or {\"count\": …}");
    }
}

static void read_over_count(struct reader *reader, const struct node *count, void *object)
{
    struct movement *movement = object;
    reader_range(reader, count, 0, 1, CELLS_MAX, false, &movement->over_min, &movement->over_max);
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
}

static void read_if(struct reader *reader, const struct node *test, void *object)
{
    struct movement *movement = object;
    if (reader->options->ignore_movement_if)
        return;
    field_condition(reader, test, &movement->condition);
    movement->if_pointer = reader_pointer(reader, test);
}

/* In the order in which one word needs what another has said. */
const struct field movement_fields[] = {
    {"also_reversed", field_flag, AT(struct movement, also_reversed)},
    {"repeat", .kind = read_repeat},
    {"cell_actions", field_cell_actions, TO(struct movement, actions), .always = true},
    {"if", .kind = read_if, .place = PLACE_MOVE},
    {.word = "symmetric", .format = 2},
    {.word = "anywhere", .format = 2},
    {"for", field_choice, AT(struct movement, purpose), .least = FOR_MOVE,
     .names = CHOICES("purpose", "move", "take", "both", "swap", "put"), .format = 2},
    {"over", read_over, .format = 2},
    {"takes", field_choice, AT(struct movement, takes_jumped),
     .names = CHOICES("way to take", "target", "jumped"), .format = 2},
    {"takes_marked", field_choice, AT(struct movement, takes_marked), NAMES_OF(marks), .format = 2},
    {"mark", field_choice, AT(struct movement, mark), NAMES_OF(marks), .format = 2},
    {.word = "via", .format = 2},
    {"within", field_zone, AT(struct movement, within_zone), .format = 2},
    {"promote", read_promotions, .always = true, .format = 2},
    {"continue", field_choice, AT(struct movement, continues), .least = GOES_ON_MUST,
     .names = CHOICES("way to continue", "must", "may"), .format = 2},
    {"phase", field_phase, AT(struct movement, phase), .format = 2},
    {"put", field_choice, AT(struct movement, put), NAMES_OF(figures), .format = 2},
    {.word = "use", .format = 2},
    {.word = "by", .format = 2},
    {0},
};

/* Whether the condition asks for a figure on the target; or (`empty`) for none. */
static bool wants_target(const struct condition_node *test, bool empty)
{
    bool target = test->kind == CONDITION_CELL && test->from_target && !test->match.negated &&
                  !test->match.hole && vector_is_zero(test->deltas[0]);
    if (target && (empty ? test->match.figures == 0 && test->match.empty : !test->match.empty))
        return true;
    for (int i = 0; test->kind == CONDITION_ALL && i < test->child_count; i++)
        if (wants_target(&test->children[i], empty))
            return true;
    return false;
}

/* What it is for and what it asks of the target may exclude each other. */
static void look_at_target(struct reader *reader, const struct node *object,
                           const struct movement *movement)
{
    bool to_empty = movement->purpose == FOR_MOVE || movement->purpose == FOR_PUT;
    bool to_figure =
        movement->purpose == FOR_TAKE && !movement->takes_jumped && movement->takes_marked < 0;
    if (movement->condition == NULL || (!to_empty && !to_figure) ||
        !wants_target(movement->condition, to_figure))
        return;
    reader_warn(reader, object, NODE_VALUE,
                to_empty ? "write \"for\": \"take\"" : "write \"for\": \"move\"",
                to_empty ? "this movement goes to empty cells only, and asks for a figure there"
                         : "this movement takes a figure, and asks for an empty cell");
}

static bool has_actions(const struct cell_actions *actions)
{
    return actions->destination_count + actions->transition_count > 0;
}

/* Words that do not go together. */
static void check_words(struct reader *reader, const struct node *object,
                        const struct movement *movement)
{
    bool can_take = movement->purpose == FOR_TAKE || movement->purpose == FOR_BOTH;
    bool puts = movement->purpose == FOR_PUT, acts = movement->purpose == FOR_ACTIONS;
    struct node mark = node_member(object, "mark");
    reader_refuse(reader, object, "over", movement->max_steps <= movement->over_min,
                  "give it `repeat`: what is jumped lies between the steps",
                  "this movement is too short to jump over anything");
    reader_refuse(reader, object, "takes", movement->takes_jumped && movement->purpose != FOR_TAKE,
                  "write \"for\": \"take\"",
                  "only a movement for `take` can take what it jumps over");
    reader_refuse(reader, object, "takes", movement->takes_jumped && !movement->jumps,
                  "say what it jumps over: \"over\": \"enemy\"",
                  "this movement jumps over nothing");
    reader_refuse(reader, object, "takes",
                  movement->takes_jumped && movement->jumps && movement->over_min == 0,
                  "let the smallest `count` of `over` be 1",
                  "this movement may jump over nothing, and so take nothing");
    reader_refuse(reader, object, "takes_marked", !acts && (!can_take || movement->takes_jumped),
                  "write \"for\": \"take\"",
                  "only a movement that takes its target can take who made a mark");
    reader_refuse(reader, object, "promote", puts, "leave it out",
                  "the figure stays where it is and cannot be promoted");
    reader_refuse(reader, object, "put", !acts && !puts, "write \"for\": \"put\"",
                  "this movement puts nothing");
    reader_demand(reader, object, "put", puts, "say which figure: \"put\": \"arrow\"");
    if (!acts && node_is_there(&mark) && movement->max_steps == 1)
        reader_warn(reader, &mark, NODE_KEY, "give it `repeat`",
                    "this movement passes no cell that could be marked");
}

/* The words in their order. What the movement does where it goes is said by action sets, its own and the figure's, or by its
 * purpose. */
static void read_words(struct reader *reader, const struct node *object, struct movement *movement)
{
    /* what it does by actions it cannot also do by these */
    const struct name_list *deeds =
        CHOICES("word", "for", "takes", "takes_marked", "mark", "promote", "put");
    struct node actions = node_member(object, "cell_actions");
    bool modern = reader_is_modern(reader);
    bool acts = node_is_there(&actions) || has_actions(&reader->outer_actions) || !modern;
    movement->purpose = acts ? FOR_ACTIONS : FOR_BOTH;
    for (const struct field *field = movement_fields; field->word != NULL; field++) {
        struct node node = node_member(object, field->word);
        if (field->format == 2 && !modern)
            continue;
        if (!acts || name_list_find(deeds, field->word) < 0)
            field_read_one(reader, &node, field, movement);
        else if (node_is_there(&node))
            reader_error_key(
                reader, &node, "give either `cell_actions` or words like `for`",
                "`%s` cannot stand beside `cell_actions` of the movement or its figure",
                field->word);
    }
    if (modern)
        check_words(reader, object, movement);
    look_at_target(reader, object, movement);
    if (acts && !has_actions(&movement->actions))
        reader_warn(reader, object, NODE_VALUE, "give it, or its figure, `cell_actions`",
                    "this movement has no actions and so never gives a move");
}

/* --- directions ------------------------------------------------------------------------------- */

/* The delta, which the movement says itself or one of its `by`, and the cells of `via`, as the mover sees them. */
static bool read_path(struct reader *reader, const struct node *object, const struct node *way,
                      struct path *path)
{
    struct node via = node_member(object, "via");
    const struct field *beside = way == object ? movement_fields : sides_turned_fields;
    *path = (struct path){.count = 1};
    bool sound = sides_read_delta(reader, way, beside, &path->vectors[0]) &&
                 !sides_goes_nowhere(reader, way, path->vectors[0]);
    if (!reader_is_modern(reader) || !node_is_there(&via) ||
        !reader_expect_list(reader, &via, VIA_MAX, "cells"))
        return sound;
    EACH_ELEMENT (each, &via)
        sound = sides_read_delta(reader, &each, no_fields, &path->vectors[path->count++]) && sound;
    return sound;
}

/* A movement in one of its directions. */
static void add_movement(struct reader *reader, const struct node *object, struct movement movement,
                         const struct path *path)
{
    if (reader_is_modern(reader) && reader->movements.count == MOVEMENTS_MAX)
        reader_stop(reader, object, "each direction of `symmetric` counts",
                    "too many movements: at most %d are allowed for one figure", MOVEMENTS_MAX);
    struct movement *kept = reader_add(reader, &reader->movements, sizeof *kept);
    movement.delta = sides_turn(reader, path->vectors[0]);
    if (movement.condition != NULL)
        movement.condition = symmetry_turn(reader, object, movement.condition, path);
    struct vector *via = reader_allocate(reader, (size_t)movement.via_count, sizeof *via);
    for (int i = 0; i < movement.via_count; i++)
        via[i] = sides_turn(reader, path->vectors[i + 1]);
    movement.via_deltas = via;
    *kept = movement;
}

/* Words that say which way, or speak of the way there: steps, and these. Another one leaves no room for them. */
static void refuse_ways(struct reader *reader, const struct node *object,
                        const struct name_list *ways, const char *instead, const char *hint,
                        const char *reason)
{
    EACH_MEMBER (each, object) {
        bool step = fields_find(movement_fields, each.key) == NULL &&
                    name_list_find(&reader->steps, each.key) >= 0;
        if (step || name_list_find(ways, each.key) >= 0)
            reader_error_key(reader, &each, hint, "`%s` cannot stand beside `%s`%s",
                             text_quote(each.key).text, instead, reason);
        else
            fields_check_word(reader, &each, movement_fields, NULL);
    }
}

/* They are left to a list. */
static void refuse_steps(struct reader *reader, const struct node *object,
                         const struct name_list *ways, const char *list)
{
    refuse_ways(reader, object, ways, list, "the list says where its movements go", "");
}

/* To every other cell: a movement for each difference that there is between two of them. */
static void read_everywhere(struct reader *reader, const struct node *object,
                            struct movement *movement)
{
    refuse_ways(
        reader, object,
        CHOICES("word", "symmetric", "also_reversed", "repeat", "over", "via", "mark", "by"),
        "anywhere", "leave one of them out", ": there is no way there");
    read_words(reader, object, movement);
    const struct differences *all = differences_of_board(reader);
    for (int i = 0; i < all->count; i++) {
        struct path path = {.count = 1, .vectors = {all->list[i]}};
        add_movement(reader, object, *movement, &path);
    }
}

/* A movement by one difference: its own, or one of its `by` with all its other words. */
static void read_way(struct reader *reader, const struct node *object, const struct node *way)
{
    struct movement movement = {.pointer = reader_pointer(reader, object),
                                .min_steps = 1,
                                .max_steps = 1,
                                .over = tests_any_figure(reader),
                                .takes_marked = -1,
                                .mark = -1,
                                .within_zone = -1,
                                .put = FIGURE_NONE};
    struct path path = {.count = 1};
    struct node everywhere = node_member(object, "anywhere"), own = node_member(way, "symmetric");
    struct symmetry *symmetry = reader->symmetry;
    bool anywhere = false;
    symmetry->turned_count = 0;
    if (reader_is_modern(reader) && reader_boolean(reader, &everywhere, &anywhere) && anywhere) {
        read_everywhere(reader, object, &movement);
        return;
    }
    bool sound = read_path(reader, object, way, &path);
    struct node symmetric = node_is_there(&own) ? own : node_member(object, "symmetric");
    movement.via_count = path.count - 1;
    read_words(reader, object, &movement);
    bool several = node_is_there(&symmetric) || movement.also_reversed;
    if (sound && several && movement.condition != NULL)
        symmetry_gather(reader, &symmetric, movement.also_reversed, movement.condition, &path);
    reader->definition->revised |= symmetry->turned_count > 0;
    if (reader->options->unrevised) {
        symmetry->turned_count = 0;
        path.count = 1 + movement.via_count;
    }
    /* `over` and conditions have used the room for other lists meanwhile: so only now */
    if (!sound || !symmetry_expand(reader, &symmetric, movement.also_reversed, &path))
        return;
    for (int i = 0; i < symmetry->count; i++)
        add_movement(reader, object, movement, &symmetry->paths[i]);
}

static void read_movement(struct reader *reader, const struct node *object)
{
    struct node by = node_member(object, "by");
    if (!reader_is_modern(reader) || !node_is_there(&by) || node_has(object, "anywhere")) {
        read_way(reader, object, object);
        return;
    }
    refuse_steps(reader, object, &(const struct name_list){.count = 0}, "by");
    reader_refuse(reader, object, "by", node_type(&by) == NODE_LIST && node_count(&by) == 0,
                  "list the differences: \"by\": [{…}]", "this movement goes nowhere");
    if (!reader_expect_list(reader, &by, DELTAS_MAX, "differences"))
        return;
    EACH_ELEMENT (each, &by)
        if (reader_expect(reader, &each, NODE_OBJECT))
            read_way(reader, object, &each);
}

/* --- lists ------------------------------------------------------------------------------------ */

static void read_list(struct reader *reader, const struct node *list, const struct node *over);

static void use_list(struct reader *reader, const struct node *name, const struct node *over)
{
    int index = reader_name(reader, name, NODE_VALUE, &reader->named_movements);
    if (index < 0)
        return;
    if (reader->movement_open[index]) {
        reader_error(reader, name, "", "the movements `%s` contain themselves",
                     text_quote(reader->named_movements.names[index]).text);
        return;
    }
    struct node all = node_member(reader->root, "movements");
    struct node list = node_member(&all, reader->named_movements.names[index]);
    reader->movement_used[index] = true;
    reader->movement_open[index] = true;
    read_list(reader, &list, over);
    reader->movement_open[index] = false;
}

static void read_element(struct reader *reader, const struct node *element, const struct node *over)
{
    struct node use = node_member(element, "use"), laid = *element;
    laid.over = over;
    if (reader_is_modern(reader) && node_type(element) == NODE_STRING) {
        use_list(reader, element, over);
    } else if (reader_is_modern(reader) && node_is_there(&use)) {
        refuse_steps(reader, element, CHOICES("word", "by"), "use");
        if (!node_has(element, "by"))
            use_list(reader, &use, &laid);
    } else if (reader_expect(reader, element, NODE_OBJECT)) {
        read_movement(reader, &laid);
    }
}

static void read_list(struct reader *reader, const struct node *list, const struct node *over)
{
    enum { VISITED_MAX = 4 * MOVEMENTS_MAX };
    if (!reader_expect_list(reader, list, MOVEMENTS_MAX, "movements"))
        return;
    EACH_ELEMENT (each, list) {
        if (reader->movements_visited++ == VISITED_MAX)
            reader_stop(reader, &each, "lists inside lists count each time",
                        "too many movements: at most %d are allowed for one figure", MOVEMENTS_MAX);
        read_element(reader, &each, over);
    }
}

void movements_read(struct reader *reader, const struct node *list, const struct node *promote,
                    struct movement_list *movements)
{
    bool absolute = reader->absolute;
    reader->movements = (struct growing_list){.count = 0};
    reader->movements_visited = 0;
    reader->absolute = false; /* the figure says it for all players at once */
    if (reader_is_modern(reader))
        reader->outer_promotions =
            elements_read(reader, promote, &promotions, &reader->outer_promotion_count);
    reader->absolute = absolute;
    read_list(reader, list, NULL);
    /* every movement is tried from every cell when the tables are made; in formats 0 and 1 those that are written count */
    int tried = reader_is_modern(reader) ? reader->movements.count : reader->movements_visited;
    reader->candidates += tried * (reader->definition->cell_count + 1);
    if (reader->candidates > CANDIDATES_MAX)
        reader_stop(reader, list, "", "too many movements for a board of %d cells",
                    reader->definition->cell_count);
    *movements = (struct movement_list){reader->movements.count, reader->movements.elements};
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
