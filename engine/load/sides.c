#include "engine/load/fields.h"

#include <math.h>
#include <string.h>

/* The board as each player sees it: mirrors, directions, and who is meant by "mover" or "enemy". */

/* --- players by their part -------------------------------------------------------------------- */

uint8_t sides_everybody(const struct reader *reader)
{
    return (uint8_t)((1u << reader->players.count) - 1);
}

bool sides_read_players(struct reader *reader, const struct node *node, struct player_set *set)
{
    enum { MOVER = 1, ENEMY = 2, ANY = 4, NEXT = 8, ROLES = 4 };
    const struct name_list *roles = CHOICES("part", "mover", "enemy", "any", "next");
    const unsigned everybody = sides_everybody(reader), mover = 1u << reader->mover;
    const char *names[PLAYERS_MAX + ROLES];
    const struct name_list everyone = name_list_join(&reader->players, roles, names);
    bool modern = reader_is_modern(reader);
    uint64_t named = 0;
    *set = (struct player_set){.players = 0};
    if ((!modern && !reader_expect(reader, node, NODE_STRING)) ||
        !reader_names(reader, node, modern ? &everyone : &reader->players, false, &named))
        return false;
    uint64_t part = named >> reader->players.count;
    set->players = (uint8_t)((named & everybody) | ((part & MOVER) != 0 ? mover : 0) |
                             ((part & ENEMY) != 0 ? everybody & ~mover : 0) |
                             ((part & ANY) != 0 ? everybody : 0));
    set->next = (part & NEXT) != 0;
    return true;
}

/* --- mirrors ---------------------------------------------------------------------------------- */

static void make_identity(struct mirror *mirror)
{
    memset(mirror, 0, sizeof *mirror);
    for (int i = 0; i < DIMENSIONS_MAX; i++)
        mirror->linear[i].of[i] = 1;
    mirror->order = 1;
}

static bool evaluate_whole(struct reader *reader, struct formula *formula, const int *coordinates,
                           int *whole)
{
    const struct expression_value *value = &formula->value;
    if (!formula_evaluate(reader, formula, coordinates))
        return false;
    if (value->kind == EXPRESSION_NUMBER && fabs(value->number) <= 2 * COORDINATE_MAX &&
        floor(value->number) == value->number) {
        *whole = (int)value->number;
        return true;
    }
    formula->sound = false;
    reader_error(reader, &formula->node, "coordinates are whole numbers",
                 "this gives `%s`, not a coordinate", text_quote(value->text).text);
    return false;
}

/* Beyond this no board reaches; farther ones are the same as this. */
static int clamp(long long value)
{
    enum { FAR = 2 * COORDINATE_MAX + 1 };
    return value > FAR ? FAR : value < -FAR ? -FAR : (int)value;
}

static int apply_row(struct vector row, int offset, const int *coordinates)
{
    long long sum = offset;
    for (int i = 0; i < DIMENSIONS_MAX; i++)
        sum += (long long)row.of[i] * coordinates[i];
    return clamp(sum);
}

/* One coordinate of the cell seen: the sum of multiples of the coordinates and a number, and the same sum on every cell. */
static void read_row(struct reader *reader, const struct node *node, struct vector *row,
                     int *offset)
{
    int at[DIMENSIONS_MAX] = {0}, value = 0;
    struct formula formula = formula_read(reader, node, false);
    if (!evaluate_whole(reader, &formula, at, offset))
        return;
    for (int i = 0; i < reader->dimensions.count; i++) {
        at[i] = 1;
        if (!evaluate_whole(reader, &formula, at, &value))
            return;
        row->of[i] = value - *offset;
        at[i] = 0;
    }
    for (int i = 0; i < reader->definition->cell_count; i++) {
        const struct board_cell *cell = &reader->definition->cells[i];
        if (!evaluate_whole(reader, &formula, cell->coordinates, &value))
            return;
        if (value == apply_row(*row, *offset, cell->coordinates))
            continue;
        reader_error(reader, node,
                     "a mirror adds multiples of the coordinates and a number, like \"7 - y\"",
                     "this is not the same rule on every cell: not on `%s`", cell->name);
        return;
    }
}

/* What the first player sees as one delta, who looks into the mirror sees as the other. */
static struct vector look(const struct mirror *mirror, struct vector seen)
{
    struct vector delta;
    for (int i = 0; i < DIMENSIONS_MAX; i++)
        delta.of[i] = apply_row(mirror->linear[i], 0, seen.of);
    return delta;
}

/* A mirror puts cells into each other's places, so that who looks into it often enough sees the board as it is. How often: in
 * so few dimensions at most ORDER_MAX times; 0: it cannot be undone. */
static int find_order(const struct mirror *mirror)
{
    enum { ORDER_MAX = 60 };
    struct mirror same, seen;
    make_identity(&same);
    make_identity(&seen);
    for (int times = 1; times <= ORDER_MAX; times++) {
        for (int i = 0; i < DIMENSIONS_MAX; i++)
            seen.linear[i] = look(mirror, seen.linear[i]);
        if (memcmp(seen.linear, same.linear, sizeof same.linear) == 0)
            return times;
    }
    return 0;
}

/* Every cell is seen in the place of one; of exactly one, since the mirror can be undone. */
static void map_cells(struct reader *reader, const struct node *object, struct mirror *mirror)
{
    const struct definition *definition = reader->definition;
    cell_index *cells = reader_allocate(reader, (size_t)definition->cell_count, sizeof *cells);
    for (int i = 0; i < definition->cell_count; i++) {
        int coordinates[DIMENSIONS_MAX] = {0};
        for (int d = 0; d < definition->dimension_count; d++)
            coordinates[d] =
                apply_row(mirror->linear[d], mirror->offset[d], definition->cells[i].coordinates);
        cells[i] = whole_game_cell_at(&definition->whole, coordinates);
        if (cells[i] != CELL_NONE)
            continue;
        reader_error(reader, object, "every cell must be seen as a cell",
                     "in the place of cell `%s`, `%s` would see no cell", definition->cells[i].name,
                     text_quote(object->key).text);
        return;
    }
    mirror->cells = cells;
}

static void read_mirror(struct reader *reader, const struct node *object, void *place)
{
    struct node players = node_member(reader->root, "players"), first = node_element(&players, 0);
    struct mirror *mirror = place;
    int complaints = reader->complaints;
    if (strcmp(object->key, node_string(&first)) == 0)
        reader_error_key(reader, object, "leave it out",
                         "`%s` is the first player: everything is written as they see it",
                         text_quote(object->key).text);
    else if (reader->cells_known && reader_expect(reader, object, NODE_OBJECT))
        EACH_MEMBER (each, object) {
            int dimension = reader_name(reader, &each, NODE_KEY, &reader->dimensions);
            if (dimension >= 0)
                read_row(reader, &each, &mirror->linear[dimension], &mirror->offset[dimension]);
        }
    mirror->order = find_order(mirror);
    if (reader->complaints == complaints && mirror->order == 0)
        reader_error(reader, object, "different places must be seen differently",
                     "this mirror cannot be undone");
    if (reader->complaints == complaints && reader->cells_known)
        map_cells(reader, object, mirror);
    if (reader->complaints != complaints)
        make_identity(mirror);
}

static void read_mirrors(struct reader *reader, const struct node *object)
{
    static const struct field of_player = {.kind = read_mirror, .size = sizeof(struct mirror)};
    int complaints = reader->complaints;
    for (int i = 0; i < PLAYERS_MAX; i++)
        make_identity(&reader->mirrors[i]);
    fields_read_by_name(reader, object, &reader->players, &of_player, reader->mirrors);
    reader->mirrors_broken = reader->complaints != complaints;
}

/* --- deltas ----------------------------------------------------------------------------------- */

struct vector sides_turn(const struct reader *reader, struct vector seen)
{
    return reader->absolute ? seen : look(&reader->mirrors[reader->mover], seen);
}

/* Into the mirror until all is seen as it is, but for once. */
static struct vector look_back(const struct mirror *mirror, struct vector vector)
{
    for (int times = 1; times < mirror->order; times++)
        vector = look(mirror, vector);
    return vector;
}

struct vector sides_unturn(const struct reader *reader, struct vector delta)
{
    return reader->absolute ? delta : look_back(&reader->mirrors[reader->mover], delta);
}

/* A multiple of a coordinate or a named direction, as the mover sees it. False after complaining. */
static bool add_step(struct reader *reader, const struct node *member, int step,
                     struct vector *delta)
{
    int times = 0;
    struct vector seen = vector_zero;
    const struct direction *direction = NULL;
    if (step >= reader->dimensions.count)
        direction = &reader->direction_list[step - reader->dimensions.count];
    if (!reader_integer(reader, member, -COORDINATE_MAX, COORDINATE_MAX, &times))
        return false;
    if (direction == NULL)
        seen.of[step] = 1;
    else if (reader->absolute)
        seen = look(&reader->mirrors[reader->mover], direction->seen[reader->mover]);
    else
        seen = direction->seen[reader->mover];
    for (int i = 0; i < DIMENSIONS_MAX; i++)
        delta->of[i] = clamp(delta->of[i] + (long long)times * seen.of[i]);
    return direction == NULL || direction->sound;
}

bool sides_read_delta(struct reader *reader, const struct node *object, const struct field *beside,
                      struct vector *delta)
{
    bool sound = reader->dimensions.known;
    *delta = vector_zero;
    if (!reader_expect(reader, object, NODE_OBJECT))
        return false;
    EACH_MEMBER (member, object) {
        const struct field *word = fields_find(beside, member.key);
        int step = name_list_find(&reader->steps, member.key);
        if (word != NULL && (word->format != 2 || reader_is_modern(reader)))
            continue;
        if (step < 0 && reader->steps.known)
            fields_check_word(reader, &member, beside, &reader->steps);
        sound = step >= 0 && add_step(reader, &member, step, delta) && sound;
    }
    return sound;
}

bool sides_goes_nowhere(struct reader *reader, const struct node *object, struct vector delta)
{
    bool named = false;
    if (!vector_is_zero(delta))
        return false;
    EACH_MEMBER (each, object)
        named = named || name_list_find(&reader->steps, each.key) >= 0;
    reader_error(reader, object, named ? "" : "give at least one coordinate a value",
                 "this movement goes nowhere: all its coordinates are 0");
    return true;
}

const struct field sides_turned_fields[] = {{.word = "symmetric"}, {0}};

static void read_delta_into(struct reader *reader, const struct node *object, struct vector *deltas,
                            int *count)
{
    struct path path = {.count = 1};
    struct node word = node_member(object, "symmetric");
    if (!sides_read_delta(reader, object, sides_turned_fields, &path.vectors[0]) ||
        !symmetry_expand(reader, &word, false, &path))
        return;
    for (int i = 0; i < reader->symmetry->count; i++) {
        if (*count == DELTAS_MAX)
            reader_stop(reader, object, "", "too many cells: at most %d are allowed in one list",
                        DELTAS_MAX);
        deltas[*count] = sides_turn(reader, reader->symmetry->paths[i].vectors[0]);
        *count += !vector_is_among(deltas, *count, deltas[*count]);
    }
}

const struct vector *sides_read_deltas(struct reader *reader, const struct node *node, int *count)
{
    struct vector read[DELTAS_MAX];
    *count = 0;
    if (node_type(node) == NODE_OBJECT || reader_expect(reader, node, NODE_LIST))
        EACH_OF (each, node)
            read_delta_into(reader, &each, read, count);
    return memcpy(reader_allocate(reader, (size_t)*count, sizeof *read), read,
                  (size_t)*count * sizeof *read);
}

/* --- directions ------------------------------------------------------------------------------- */

bool sides_names_players(const struct reader *reader, const struct node *object)
{
    EACH_MEMBER (member, object) {
        if (name_list_find(&reader->dimensions, member.key) >= 0)
            return false;
        /* where nobody knows who plays, every other word may be one of them */
        if (name_list_find(&reader->players, member.key) >= 0 || !reader->players.known ||
            name_list_find(&reader->absent, member.key) >= 0)
            return true;
    }
    return false;
}

static void read_step(struct reader *reader, const struct node *node, void *place)
{
    struct vector *delta = place;
    if (reader_coordinates(reader, node, false, delta->of) && vector_is_zero(*delta))
        reader_error(reader, node, "give at least one coordinate a value",
                     "this direction goes nowhere");
}

/* As the first player sees it, or by player on the board. */
static bool read_direction(struct reader *reader, const struct node *node, void *element)
{
    static const struct field of_player = {
        .kind = read_step, .size = sizeof(struct vector), .missing = ""};
    struct direction *direction = element;
    struct vector *seen = direction->seen;
    int complaints = reader->complaints;
    if (name_list_find(&reader->dimensions, node->key) >= 0 || cells_is_word(node->key))
        reader_error_key(reader, node, "choose another name",
                         "`%s` cannot name a direction: it means something else",
                         text_quote(node->key).text);
    bool by_player = sides_names_players(reader, node);
    if (by_player)
        fields_read_by_name(reader, node, &reader->players, &of_player, seen);
    else
        read_step(reader, node, seen);
    for (int i = 0; i < reader->players.count; i++)
        seen[i] = by_player ? look_back(&reader->mirrors[i], seen[i]) : seen[0];
    direction->sound = reader->complaints == complaints;
    return true;
}

void sides_read_neighbours(struct reader *reader, const struct node *object,
                           struct selection *selection)
{
    struct node board = node_member(reader->root, "board");
    struct node neighbours = node_member(&board, "neighbours");
    if (node_has(object, "by"))
        return;
    reader_demand(reader, object, "by", !node_is_there(&neighbours),
                  "list the steps: \"by\": [{…}]; or say the board's \"neighbours\"");
    if (node_is_there(&neighbours))
        selection->deltas = sides_read_deltas(reader, &neighbours, &selection->row_count);
}

void directions_read(struct reader *reader, const struct node *object, void *whole)
{
    static const struct field directions = {
        ELEMENTS(DIRECTIONS_MAX, "directions", struct direction, read_direction), .named = true};
    struct node board = node_member(reader->root, "board"), mirror = node_member(&board, "mirror");
    struct node neighbours = node_member(&board, "neighbours");
    int count = 0;
    (void)whole;
    read_mirrors(reader, &mirror);
    if (reader_read_names(reader, object, "direction", DIRECTIONS_MAX, &reader->directions))
        reader->direction_list = elements_read(reader, object, &directions, &count);
    reader->steps =
        name_list_join(&reader->dimensions, &reader->directions,
                       reader_allocate(reader, DIMENSIONS_MAX + DIRECTIONS_MAX, sizeof(char *)));
    /* words that leave `by` out read them again, for who asks; here it is seen that they are sound */
    if (node_is_there(&neighbours))
        sides_read_deltas(reader, &neighbours, &count);
}
