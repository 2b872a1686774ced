#include "engine/load/reader.h"

#include <string.h>

/* Lists of movements in format 2: named lists are put in their place, words of `use` are laid over those of the movement,
 * and one written movement becomes one for each of its directions, turned to how the mover sees the board. */

/* Words of a movement. All that are not coordinates or directions. */
static const char *const words[] = {
    "also_reversed", "repeat", "cell_actions", "if",     "symmetric", "for",      "over",  "takes",
    "takes_marked",  "mark",   "via",          "within", "promote",   "continue", "phase", "put"};
enum { WORDS = sizeof words / sizeof *words };
static const struct name_list word_list = {.known = true, .count = WORDS, .names = words};

/* The object of a `use` whose words count more than those of what it uses. */
struct layer {
    const struct node *object;
    const struct layer *outer;
};

struct promotion_list {
    struct promotion promotions[PROMOTIONS_MAX];
    int count;
};

/* A figure's list for one player while it is gathered. */
struct gathering {
    struct reader *reader;
    const struct cell_actions *figure_actions;
    bool figure_acts;
    struct promotion_list figure_promotions;
    struct movement *movements;
    int count, room;
    int visited; /* elements looked at, those of named lists each time */
    bool too_many;
    bool open[NAMED_MAX]; /* named lists we are inside of */
};

/* What a movement says with this word: the outermost `use` first. */
static struct node find_word(const struct node *object, const struct layer *layer, const char *word)
{
    struct node found = {.value = NULL};
    for (; layer != NULL; layer = layer->outer) {
        struct node member = node_member(layer->object, word);
        if (node_type(&member) != NODE_ABSENT)
            found = member;
    }
    return found.value != NULL ? found : node_member(object, word);
}

/* --- promotions ------------------------------------------------------------------------------- */

static void read_promotion_to(struct reader *reader, const struct node *node,
                              struct promotion *promotion)
{
    uint64_t figures = 0;
    if (node_type(node) == NODE_STRING && strcmp(node_string(node), "taken") == 0) {
        promotion->taken = true;
        return;
    }
    if (!tests_read_figures(reader, node, &figures))
        return;
    figure_index *to = reader_allocate(reader, FIGURES_MAX, sizeof *to);
    bool list = node_type(node) == NODE_LIST;
    size_t count = list ? node_count(node) : 1;
    for (size_t i = 0; to != NULL && i < count; i++) {
        struct node element = list ? node_element(node, i) : *node;
        int figure = name_list_find(&reader->figures, node_string(&element));
        if ((figures >> figure & 1) == 0) {
            reader_error(reader, &element, NODE_VALUE, "", "figure `%s` is named twice",
                         text_quote(node_string(&element)).text);
            continue;
        }
        figures &= ~(UINT64_C(1) << figure);
        to[promotion->to_count++] = (figure_index)figure;
    }
    promotion->to = to;
}

static void read_promotion_when(struct reader *reader, const struct node *object,
                                struct promotion *promotion)
{
    static const char *const times[] = {"at_once", "turn_ends"};
    static const struct name_list list = {"time", true, 2, times};
    struct node when = node_member(object, "when"), to = node_member(object, "to");
    if (node_type(&when) == NODE_ABSENT)
        return;
    promotion->at_turn_end = reader_name(reader, &when, NODE_VALUE, &list) == 1;
    if (!promotion->at_turn_end)
        return;
    struct node in = node_member(object, "in");
    if (node_type(&in) == NODE_ABSENT)
        reader_error(reader, object, NODE_VALUE, "say in which zone the turn must end",
                     "`in` is missing");
    if (promotion->taken || promotion->to_count > 1)
        reader_error(reader, &to, NODE_VALUE, "name one figure",
                     "at the end of a turn nothing can be chosen");
    if (promotion->optional)
        reader_error(reader, &when, NODE_VALUE, "leave one of them out",
                     "at the end of a turn nothing can be optional");
}

static int read_zone_if_there(struct reader *reader, const struct node *node)
{
    return node_type(node) == NODE_ABSENT ? -1 : zones_named(reader, node);
}

static void read_promotion(struct reader *reader, const struct node *object,
                           struct promotion_list *list)
{
    static const char *const keys[] = {"to", "in", "from", "if", "optional", "when", "stops"};
    if (!reader_expect(reader, object, NODE_OBJECT))
        return;
    if (list->count == PROMOTIONS_MAX) {
        reader_error(reader, object, NODE_VALUE,
                     "those of the figure and of the movement count together",
                     "too many promotions: at most %d are allowed", PROMOTIONS_MAX);
        return;
    }
    struct promotion *promotion = &list->promotions[list->count++];
    *promotion = (struct promotion){.pointer = reader_pointer(reader, object)};
    reader_check_keys(reader, object, STRICT, keys, 7);
    struct node to = node_member(object, "to"), in = node_member(object, "in");
    struct node from = node_member(object, "from"), test = node_member(object, "if");
    struct node optional = node_member(object, "optional"), stops = node_member(object, "stops");
    if (node_type(&to) == NODE_ABSENT)
        reader_error(reader, object, NODE_VALUE, "say which figure it becomes", "`to` is missing");
    else
        read_promotion_to(reader, &to, promotion);
    promotion->in = read_zone_if_there(reader, &in);
    promotion->from = read_zone_if_there(reader, &from);
    promotion->test = tests_read(reader, &test, PLACE_MOVE);
    reader_boolean(reader, &optional, &promotion->optional);
    reader_boolean(reader, &stops, &promotion->stops);
    read_promotion_when(reader, object, promotion);
}

static void read_promotions(struct reader *reader, const struct node *node,
                            struct promotion_list *list)
{
    if (node_type(node) == NODE_ABSENT)
        return;
    if (node_type(node) != NODE_LIST) {
        read_promotion(reader, node, list);
        return;
    }
    for (size_t i = 0; i < node_count(node) && i <= PROMOTIONS_MAX; i++) {
        struct node element = node_element(node, i);
        read_promotion(reader, &element, list);
    }
}

/* The movement's own first, then the figure's. */
static void keep_promotions(struct gathering *gathering, const struct node *own,
                            struct movement *movement)
{
    struct reader *reader = gathering->reader;
    struct promotion_list list = {.count = 0};
    read_promotions(reader, own, &list);
    int room = PROMOTIONS_MAX - list.count, more = gathering->figure_promotions.count;
    if (more > room)
        reader_error(reader, own, NODE_VALUE,
                     "those of the figure and of the movement count together",
                     "too many promotions: at most %d are allowed", PROMOTIONS_MAX);
    more = more > room ? room : more;
    memcpy(list.promotions + list.count, gathering->figure_promotions.promotions,
           (size_t)more * sizeof *list.promotions);
    list.count += more;
    struct promotion *kept = reader_allocate(reader, (size_t)list.count, sizeof *kept);
    if (kept == NULL || list.count == 0)
        return;
    memcpy(kept, list.promotions, (size_t)list.count * sizeof *kept);
    movement->promotions = kept;
    movement->promotion_count = list.count;
}

/* --- the words of one movement ---------------------------------------------------------------- */

/* One written movement, with the words laid over it. */
struct writing {
    struct gathering *gathering;
    struct reader *reader;
    const struct node *object;
    const struct layer *layer;
};

static struct node word(const struct writing *writing, const char *name)
{
    return find_word(writing->object, writing->layer, name);
}

static void read_steps(const struct writing *writing, struct movement *movement)
{
    struct reader *reader = writing->reader;
    struct node repeat = word(writing, "repeat");
    movement->min_steps = movement->max_steps = 1;
    if (node_type(&repeat) == NODE_BOOLEAN) {
        movement->max_steps = node_boolean(&repeat) ? CELLS_MAX : 1;
    } else if (node_type(&repeat) == NODE_LIST) {
        struct node min = node_element(&repeat, 0), max = node_element(&repeat, 1);
        if (node_count(&repeat) != 2)
            reader_error(reader, &repeat, NODE_VALUE, "write [least, most]",
                         "`repeat` has two numbers, not %zu", node_count(&repeat));
        else if (reader_integer(reader, &min, 1, CELLS_MAX, &movement->min_steps)) {
            movement->max_steps = CELLS_MAX;
            if (node_type(&max) != NODE_NULL)
                reader_integer(reader, &max, 1, CELLS_MAX, &movement->max_steps);
            if (movement->max_steps < movement->min_steps)
                reader_error(reader, &repeat, NODE_VALUE, "write the smaller number first",
                             "`repeat` leaves no number of steps");
        }
    } else if (node_type(&repeat) == NODE_NUMBER) {
        reader_integer(reader, &repeat, 1, CELLS_MAX, &movement->max_steps);
    } else if (node_type(&repeat) != NODE_ABSENT) {
        reader_error(reader, &repeat, NODE_VALUE, "",
                     "`repeat` must be true, a number or [least, most]");
    }
    movement->repeat = movement->max_steps > 1;
}

static void read_over_object(struct reader *reader, const struct node *over,
                             struct movement *movement)
{
    static const char *const keys[] = {"is", "count"};
    reader_check_keys(reader, over, STRICT, keys, 2);
    struct node is = node_member(over, "is"), count = node_member(over, "count");
    if (node_type(&is) != NODE_ABSENT)
        tests_read_match(reader, &is, &movement->over);
    if (node_type(&count) == NODE_LIST) {
        struct node min = node_element(&count, 0), max = node_element(&count, 1);
        if (node_count(&count) != 2)
            reader_error(reader, &count, NODE_VALUE, "write [least, most]",
                         "`count` has two numbers, not %zu", node_count(&count));
        else if (reader_integer(reader, &min, 0, CELLS_MAX, &movement->over_min) &&
                 reader_integer(reader, &max, 1, CELLS_MAX, &movement->over_max) &&
                 movement->over_min > movement->over_max)
            reader_error(reader, &count, NODE_VALUE, "write the smaller number first",
                         "`count` leaves no number of figures");
    } else if (node_type(&count) != NODE_ABSENT &&
               reader_integer(reader, &count, 1, CELLS_MAX, &movement->over_max)) {
        movement->over_min = movement->over_max;
    }
}

static void read_over(const struct writing *writing, struct movement *movement)
{
    static const char *const kinds[] = {"any", "enemy", "mover"};
    static const struct name_list list = {"way to jump", true, 3, kinds};
    struct reader *reader = writing->reader;
    struct node over = word(writing, "over");
    movement->over = tests_any_figure(reader);
    if (node_type(&over) == NODE_ABSENT)
        return;
    movement->jumps = true;
    movement->over_min = movement->over_max = 1;
    if (node_type(&over) == NODE_OBJECT) {
        read_over_object(reader, &over, movement);
    } else {
        int kind = reader_name(reader, &over, NODE_VALUE, &list);
        uint8_t mover = (uint8_t)(1u << reader->mover);
        if (kind == 1)
            movement->over.players = (uint8_t)(movement->over.players & ~mover);
        if (kind == 2)
            movement->over.players = mover;
    }
    if (movement->max_steps <= movement->over_min)
        reader_error(reader, &over, NODE_KEY,
                     "give it `repeat`: what is jumped lies between the steps",
                     "this movement is too short to jump over anything");
}

static void read_purpose(const struct writing *writing, struct movement *movement)
{
    static const char *const names[] = {"move", "take", "both", "swap", "put"};
    static const enum rule_purpose purposes[] = {FOR_MOVE, FOR_TAKE, FOR_BOTH, FOR_SWAP, FOR_PUT};
    static const struct name_list list = {"purpose", true, 5, names};
    struct node purpose = word(writing, "for");
    movement->purpose = FOR_BOTH;
    if (node_type(&purpose) == NODE_ABSENT)
        return;
    int index = reader_name(writing->reader, &purpose, NODE_VALUE, &list);
    if (index >= 0)
        movement->purpose = purposes[index];
}

static void read_takes(const struct writing *writing, struct movement *movement)
{
    static const char *const names[] = {"target", "jumped"};
    static const struct name_list list = {"way to take", true, 2, names};
    struct reader *reader = writing->reader;
    struct node takes = word(writing, "takes"), marked = word(writing, "takes_marked");
    bool can_take = movement->purpose == FOR_TAKE || movement->purpose == FOR_BOTH;
    if (node_type(&takes) != NODE_ABSENT)
        movement->takes_jumped = reader_name(reader, &takes, NODE_VALUE, &list) == 1;
    if (movement->takes_jumped && movement->purpose != FOR_TAKE)
        reader_error(reader, &takes, NODE_KEY, "write \"for\": \"take\"",
                     "only a movement for `take` can take what it jumps over");
    if (movement->takes_jumped && !movement->jumps)
        reader_error(reader, &takes, NODE_KEY, "say what it jumps over: \"over\": \"enemy\"",
                     "this movement jumps over nothing");
    else if (movement->takes_jumped && movement->over_min == 0)
        reader_error(reader, &takes, NODE_KEY, "let the smallest `count` of `over` be 1",
                     "this movement may jump over nothing, and so take nothing");
    if (node_type(&marked) == NODE_ABSENT)
        return;
    movement->takes_marked = reader_name(reader, &marked, NODE_VALUE, &reader->marks);
    if (!can_take || movement->takes_jumped)
        reader_error(reader, &marked, NODE_KEY, "write \"for\": \"take\"",
                     "only a movement that takes its target can take who made a mark");
}

static void read_mark(const struct writing *writing, struct movement *movement)
{
    struct reader *reader = writing->reader;
    struct node mark = word(writing, "mark");
    if (node_type(&mark) == NODE_ABSENT)
        return;
    movement->mark = reader_name(reader, &mark, NODE_VALUE, &reader->marks);
    if (movement->max_steps == 1)
        reader_warn(reader, &mark, NODE_KEY, "give it `repeat`",
                    "this movement passes no cell that could be marked");
}

static void read_put(const struct writing *writing, struct movement *movement)
{
    struct reader *reader = writing->reader;
    struct node put = word(writing, "put"), promote = word(writing, "promote");
    if (movement->purpose != FOR_PUT) {
        if (node_type(&put) != NODE_ABSENT)
            reader_error(reader, &put, NODE_KEY, "write \"for\": \"put\"",
                         "this movement puts nothing");
        return;
    }
    if (node_type(&promote) != NODE_ABSENT)
        reader_error(reader, &promote, NODE_KEY, "leave it out",
                     "the figure stays where it is and cannot be promoted");
    if (node_type(&put) == NODE_ABSENT) {
        reader_error(reader, writing->object, NODE_VALUE, "say which figure: \"put\": \"arrow\"",
                     "`put` is missing");
        return;
    }
    int figure = reader_name(reader, &put, NODE_VALUE, &reader->figures);
    if (figure >= 0)
        movement->put = (figure_index)figure;
}

/* What a movement does by actions it cannot also do by words. */
static void refuse_words_beside_actions(const struct writing *writing)
{
    static const char *const names[] = {"for", "takes", "takes_marked", "mark", "promote", "put"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct node node = word(writing, names[i]);
        if (node_type(&node) != NODE_ABSENT)
            reader_error(
                writing->reader, &node, NODE_KEY, "give either `cell_actions` or words like `for`",
                "`%s` cannot stand beside `cell_actions` of the movement or its figure", names[i]);
    }
}

static void read_deeds(const struct writing *writing, struct movement *movement)
{
    struct gathering *gathering = writing->gathering;
    struct node actions = word(writing, "cell_actions"), promote = word(writing, "promote");
    if (node_type(&actions) != NODE_ABSENT || gathering->figure_acts) {
        struct cell_actions own;
        movement->purpose = FOR_ACTIONS;
        refuse_words_beside_actions(writing);
        cell_actions_read(writing->reader, &actions, &own);
        cell_actions_join(writing->reader, writing->object, &own, gathering->figure_actions,
                          &movement->actions);
        return;
    }
    read_purpose(writing, movement);
    read_takes(writing, movement);
    read_mark(writing, movement);
    read_put(writing, movement);
    if (movement->purpose != FOR_PUT)
        keep_promotions(gathering, &promote, movement);
}

static void read_guards(const struct writing *writing, struct movement *movement)
{
    /* in the order of enum rule_continues, without NEVER */
    static const char *const names[] = {"must", "may"};
    static const struct name_list list = {"way to continue", true, 2, names};
    struct reader *reader = writing->reader;
    struct node within = word(writing, "within"), test = word(writing, "if");
    struct node continues = word(writing, "continue"), phase = word(writing, "phase");
    movement->within = read_zone_if_there(reader, &within);
    if (!reader->options->ignore_movement_if)
        movement->test = tests_read(reader, &test, PLACE_MOVE);
    if (movement->test != NULL)
        movement->if_pointer = reader_pointer(reader, &test);
    if (node_type(&continues) != NODE_ABSENT)
        movement->continues =
            (enum rule_continues)(reader_name(reader, &continues, NODE_VALUE, &list) + 1);
    movement->phase = turns_phase(reader, &phase);
}

/* --- directions ------------------------------------------------------------------------------- */

/* The delta and the cells of `via`, as the mover sees them. */
static bool read_path(const struct writing *writing, struct path *path)
{
    struct reader *reader = writing->reader;
    struct node via = word(writing, "via");
    static const int nowhere[DIMENSIONS_MAX];
    *path = (struct path){.count = 1};
    bool sound = sides_read_delta(reader, writing->object, &word_list, path->vectors[0]);
    if (sound && memcmp(path->vectors[0], nowhere, sizeof nowhere) == 0) {
        reader_error(reader, writing->object, NODE_VALUE, "",
                     "this movement goes nowhere: all its coordinates are 0");
        sound = false;
    }
    if (!reader_expect_if_there(reader, &via, NODE_LIST) ||
        !reader_expect_at_most(reader, &via, VIA_MAX, "cells"))
        return sound;
    for (size_t i = 0; i < node_count(&via); i++) {
        struct node element = node_element(&via, i);
        sound = sides_read_delta(reader, &element, NULL, path->vectors[path->count++]) && sound;
    }
    return sound;
}

static struct movement *add_movement(struct gathering *gathering, const struct node *node)
{
    struct reader *reader = gathering->reader;
    if (gathering->count == MOVEMENTS_MAX || gathering->too_many) {
        if (!gathering->too_many)
            reader_error(reader, node, NODE_VALUE, "each direction of `symmetric` counts",
                         "too many movements: at most %d are allowed for one figure",
                         MOVEMENTS_MAX);
        gathering->too_many = true;
        return NULL;
    }
    if (gathering->count == gathering->room) {
        int room = gathering->room == 0 ? 8 : 2 * gathering->room;
        struct movement *movements = reader_allocate(reader, (size_t)room, sizeof *movements);
        if (movements == NULL)
            return NULL;
        if (gathering->count > 0)
            memcpy(movements, gathering->movements, (size_t)gathering->count * sizeof *movements);
        gathering->movements = movements;
        gathering->room = room;
    }
    return &gathering->movements[gathering->count++];
}

static void add_direction(const struct writing *writing, const struct movement *common,
                          const struct path *path)
{
    struct reader *reader = writing->reader;
    struct movement *movement = add_movement(writing->gathering, writing->object);
    if (movement == NULL)
        return;
    *movement = *common;
    sides_turn(reader, path->vectors[0], movement->delta);
    if (path->count == 1)
        return;
    int(*via)[DIMENSIONS_MAX] = reader_allocate(reader, (size_t)path->count - 1, sizeof *via);
    for (int i = 1; via != NULL && i < path->count; i++)
        sides_turn(reader, path->vectors[i], via[i - 1]);
    movement->via = (const int(*)[DIMENSIONS_MAX])via;
    movement->via_count = via != NULL ? path->count - 1 : 0;
}

static void read_movement(struct gathering *gathering, const struct node *object,
                          const struct layer *layer)
{
    struct reader *reader = gathering->reader;
    struct writing writing = {gathering, reader, object, layer};
    struct movement movement = {.modern = true,
                                .pointer = reader_pointer(reader, object),
                                .takes_marked = -1,
                                .mark = -1,
                                .within = -1,
                                .put = FIGURE_NONE};
    struct path path;
    bool also_reversed = false, sound = read_path(&writing, &path);
    struct node reversed = word(&writing, "also_reversed");
    struct node symmetric = word(&writing, "symmetric");
    reader_boolean(reader, &reversed, &also_reversed);
    read_steps(&writing, &movement);
    read_over(&writing, &movement);
    read_deeds(&writing, &movement);
    read_guards(&writing, &movement);
    if (!sound || reader->symmetry == NULL)
        return;
    /* `over` and conditions have used the room for other lists meanwhile: so only now */
    if (!symmetry_expand(reader, &symmetric, also_reversed, &path, reader->symmetry))
        return;
    for (int i = 0; i < reader->symmetry->count; i++)
        add_direction(&writing, &movement, &reader->symmetry->paths[i]);
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
        reader_error(reader, name, NODE_VALUE, "", "the movements `%s` contain themselves",
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
static void check_use_keys(struct reader *reader, const struct node *object)
{
    const char *keys[WORDS + 1];
    memcpy(keys, words, sizeof words);
    keys[WORDS] = "use";
    const struct name_list known = {.known = true, .count = WORDS + 1, .names = keys};
    for (void *at = node_first(object); at != NULL; at = node_next(object, at)) {
        struct node member = node_at(object, at);
        if (name_list_find(&known, member.key) >= 0)
            continue;
        if (name_list_find(&reader->dimensions, member.key) >= 0 ||
            name_list_find(&reader->directions, member.key) >= 0)
            reader_error(reader, &member, NODE_KEY, "the list says where its movements go",
                         "`%s` cannot stand beside `use`", text_quote(member.key).text);
        else
            reader_error(reader, &member, NODE_KEY, text_hint(member.key, keys, WORDS + 1).text,
                         "unknown key `%s`", text_quote(member.key).text);
    }
}

static void read_element(struct gathering *gathering, const struct node *element,
                         const struct layer *layer)
{
    struct reader *reader = gathering->reader;
    if (node_type(element) == NODE_STRING) {
        use_list(gathering, element, layer);
        return;
    }
    if (!reader_expect(reader, element, NODE_OBJECT))
        return;
    struct node use = node_member(element, "use");
    if (node_type(&use) == NODE_ABSENT) {
        read_movement(gathering, element, layer);
        return;
    }
    struct layer over = {element, layer};
    check_use_keys(reader, element);
    use_list(gathering, &use, &over);
}

static void read_list(struct gathering *gathering, const struct node *list,
                      const struct layer *layer)
{
    enum { VISITED_MAX = 4 * MOVEMENTS_MAX };
    struct reader *reader = gathering->reader;
    if (!reader_expect(reader, list, NODE_LIST) ||
        !reader_expect_at_most(reader, list, MOVEMENTS_MAX, "movements"))
        return;
    for (size_t i = 0; i < node_count(list) && !gathering->too_many; i++) {
        struct node element = node_element(list, i);
        if (gathering->visited++ == VISITED_MAX) {
            reader_error(reader, &element, NODE_VALUE, "lists inside lists count each time",
                         "too many movements: at most %d are allowed for one figure",
                         MOVEMENTS_MAX);
            gathering->too_many = true;
            return;
        }
        read_element(gathering, &element, layer);
    }
}

void movements_read(struct reader *reader, const struct node *list,
                    const struct cell_actions *figure_actions, const struct node *promote,
                    struct movement_list *movements)
{
    struct gathering gathering = {.reader = reader, .figure_actions = figure_actions};
    gathering.figure_acts =
        figure_actions->destination_count + figure_actions->transition_count > 0;
    if (reader->candidates_reported || reader->memory_reported)
        return; /* so much has been read already that it is refused */
    bool absolute = reader->absolute;
    reader->absolute = false; /* the figure says it for all players at once */
    read_promotions(reader, promote, &gathering.figure_promotions);
    reader->absolute = absolute;
    read_list(&gathering, list, NULL);
    if (!figures_count_candidates(reader, list, gathering.count))
        return;
    movements->movements = gathering.movements;
    movements->count = gathering.count;
}

/* What no figure uses is looked at all the same, as the first player would have it. */
static void read_unused_actions(struct reader *reader)
{
    struct node all = node_member(reader->root, "actions");
    for (int i = 0; i < reader->named_actions.count; i++) {
        struct cell_actions unused;
        struct node actions = node_member(&all, reader->named_actions.names[i]);
        if (reader_expect(reader, &actions, NODE_OBJECT))
            cell_actions_read(reader, &actions, &unused);
    }
}

void movements_read_unused(struct reader *reader)
{
    struct node all = node_member(reader->root, "movements");
    struct cell_actions none = {.destination_count = 0};
    struct node no_promotion = {.value = NULL};
    reader->mover = 0;
    read_unused_actions(reader);
    for (int i = 0; i < reader->named_movements.count; i++) {
        struct movement_list unused;
        struct node list = node_member(&all, reader->named_movements.names[i]);
        if (!reader->movement_used[i])
            movements_read(reader, &list, &none, &no_promotion, &unused);
    }
}
