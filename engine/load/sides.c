#include "engine/load/fields.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The board as each player sees it: mirrors, directions, and who is meant by "mover" or "enemy". */

/* --- players by their part -------------------------------------------------------------------- */

uint8_t sides_everybody(const struct reader *reader)
{
    return (uint8_t)((1u << reader->players.count) - 1);
}

enum role { ROLE_MOVER, ROLE_ENEMY, ROLE_ANY, ROLE_NEXT, ROLES };

static bool add_player(struct reader *reader, const struct node *node, struct player_set *set)
{
    static const char *const roles[ROLES] = {"mover", "enemy", "any", "next"};
    const uint8_t everybody = sides_everybody(reader), mover = (uint8_t)(1u << reader->mover);
    const uint8_t meant[ROLES] = {mover, (uint8_t)(everybody & ~mover), everybody, 0};
    const char *names[PLAYERS_MAX + ROLES];
    int count = reader->players.count;
    const struct name_list everyone = {"player", reader->players.known, count + ROLES, names};
    memcpy(names, reader->players.names, (size_t)count * sizeof *names);
    memcpy(names + count, roles, sizeof roles);
    if (name_list_find(&reader->absent, node_string(node)) >= 0)
        return true;
    int player = reader_name(reader, node, NODE_VALUE, &everyone);
    if (player >= 0)
        set->players =
            (uint8_t)(set->players | (player < count ? 1u << player : meant[player - count]));
    set->next = set->next || player == count + ROLE_NEXT;
    return player >= 0;
}

bool sides_read_players(struct reader *reader, const struct node *node, struct player_set *set)
{
    *set = (struct player_set){.players = 0};
    if (node_type(node) == NODE_LIST &&
        !reader_expect_at_most(reader, node, (size_t)2 * PLAYERS_MAX, "players"))
        return false;
    EACH_OF (each, node)
        if (!add_player(reader, &each, set))
            return false;
    return true;
}

/* --- mirrors ---------------------------------------------------------------------------------- */

static void make_identity(struct mirror *mirror)
{
    memset(mirror, 0, sizeof *mirror);
    for (int i = 0; i < DIMENSIONS_MAX; i++)
        mirror->linear[i][i] = mirror->inverse[i][i] = 1;
}

static bool evaluate_whole(struct reader *reader, const struct node *node, struct formula *formula,
                           const int *coordinates, int *whole)
{
    struct expression_value value;
    if (!formula_evaluate(reader, node, formula, coordinates, &value))
        return false;
    if (value.kind == EXPRESSION_NUMBER && fabs(value.number) <= 2 * COORDINATE_MAX &&
        floor(value.number) == value.number) {
        *whole = (int)value.number;
        return true;
    }
    formula->sound = false;
    reader_error(reader, node, "coordinates are whole numbers", "this gives `%s`, not a coordinate",
                 text_quote(value.text).text);
    return false;
}

/* One coordinate of the cell seen, as the sum of multiples of the coordinates and a number. */
static bool read_row(struct reader *reader, const struct node *node, struct formula *formula,
                     int row[DIMENSIONS_MAX], int *offset)
{
    int at[DIMENSIONS_MAX] = {0};
    if (!evaluate_whole(reader, node, formula, at, offset))
        return false;
    for (int i = 0; i < reader->dimensions.count; i++) {
        int value = 0;
        at[i] = 1;
        if (!evaluate_whole(reader, node, formula, at, &value))
            return false;
        row[i] = value - *offset;
        at[i] = 0;
    }
    return true;
}

static int apply_row(const int row[DIMENSIONS_MAX], int offset, const int *coordinates)
{
    long long sum = offset;
    for (int i = 0; i < DIMENSIONS_MAX; i++)
        sum += (long long)row[i] * coordinates[i];
    return sum > INT_MAX / 2 ? INT_MAX / 2 : sum < INT_MIN / 2 ? INT_MIN / 2 : (int)sum;
}

/* On every cell the expression is what its row says. */
static bool row_is_exact(struct reader *reader, const struct node *node, struct formula *formula,
                         const int row[DIMENSIONS_MAX], int offset)
{
    for (int i = 0; i < reader->definition->cell_count; i++) {
        const struct board_cell *cell = &reader->definition->cells[i];
        int value = 0;
        if (!evaluate_whole(reader, node, formula, cell->coordinates, &value))
            return false;
        if (value == apply_row(row, offset, cell->coordinates))
            continue;
        reader_error(reader, node,
                     "a mirror adds multiples of the coordinates and a number, like \"7 - y\"",
                     "this is not the same rule on every cell: not on `%s`", cell->name);
        return false;
    }
    return true;
}

/* Subtracts `factor` times a row of two matrices side by side from another. */
static void subtract(double *from, const double *row, double factor, int columns)
{
    for (int i = 0; i < columns; i++)
        from[i] -= factor * row[i];
}

/* Makes the unit matrix of `linear`, and by the same steps the inverse of the unit matrix beside it; false when there is none in
 * whole numbers. */
static bool invert(struct mirror *mirror, int count)
{
    double rows[DIMENSIONS_MAX][2 * DIMENSIONS_MAX] = {{0}};
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++)
            rows[i][j] = mirror->linear[i][j];
        rows[i][count + i] = 1;
    }
    for (int column = 0; column < count; column++) {
        int best = column;
        for (int i = column + 1; i < count; i++)
            best = fabs(rows[i][column]) > fabs(rows[best][column]) ? i : best;
        double lead = rows[best][column];
        if (fabs(lead) < 1e-9)
            return false;
        /* what the row lacks of a 1 on the diagonal it gets from the best one, which may be itself */
        subtract(rows[column], rows[best], (rows[column][column] - 1) / lead, 2 * count);
        for (int i = 0; i < count; i++)
            if (i != column)
                subtract(rows[i], rows[column], rows[i][column], 2 * count);
    }
    for (int i = 0; i < count * count; i++) {
        double value = rows[i / count][count + i % count], whole = floor(value + 0.5);
        if (fabs(whole) > COORDINATE_MAX || fabs(whole - value) > 1e-6)
            return false;
        mirror->inverse[i / count][i % count] = (int)whole;
    }
    return true;
}

/* Every cell is seen in the place of exactly one. */
static bool map_cells(struct reader *reader, const struct node *object, struct mirror *mirror)
{
    const struct definition *definition = reader->definition;
    const char *player = object->key;
    cell_index *cells = reader_allocate(reader, (size_t)definition->cell_count, sizeof *cells);
    bool seen[CELLS_MAX] = {false};
    for (int i = 0; i < definition->cell_count; i++) {
        int coordinates[DIMENSIONS_MAX] = {0};
        for (int d = 0; d < definition->dimension_count; d++)
            coordinates[d] =
                apply_row(mirror->linear[d], mirror->offset[d], definition->cells[i].coordinates);
        cells[i] = cells_find(reader, coordinates);
        if (cells[i] == CELL_NONE) {
            reader_error(reader, object, "every cell must be seen as a cell",
                         "in the place of cell `%s`, `%s` would see no cell",
                         definition->cells[i].name, text_quote(player).text);
            return false;
        }
        if (seen[cells[i]]) {
            reader_error(reader, object, "every cell must be seen once",
                         "`%s` would see cell `%s` twice", text_quote(player).text,
                         definition->cells[cells[i]].name);
            return false;
        }
        seen[cells[i]] = true;
    }
    mirror->cells = cells;
    return true;
}

static bool read_mirror(struct reader *reader, const struct node *object, struct mirror *mirror)
{
    bool sound = true;
    if (!reader_expect(reader, object, NODE_OBJECT))
        return false;
    EACH_MEMBER (each, object) {
        int dimension = reader_name(reader, &each, NODE_KEY, &reader->dimensions);
        int row[DIMENSIONS_MAX] = {0}, offset = 0;
        struct formula formula = {.sound = false};
        if (dimension >= 0)
            formula = formula_read(reader, &each, false);
        if (!formula.sound || !read_row(reader, &each, &formula, row, &offset) ||
            !row_is_exact(reader, &each, &formula, row, offset)) {
            sound = false;
            continue;
        }
        memcpy(mirror->linear[dimension], row, sizeof row);
        mirror->offset[dimension] = offset;
    }
    if (!sound || !map_cells(reader, object, mirror))
        return false;
    if (invert(mirror, reader->dimensions.count))
        return true;
    reader_error(reader, object, "different places must be seen differently",
                 "this mirror cannot be undone");
    return false;
}

static void read_mirrors(struct reader *reader, const struct node *object)
{
    struct node players = node_member(reader->root, "players"), first = node_element(&players, 0);
    for (int i = 0; i < PLAYERS_MAX; i++)
        make_identity(&reader->mirrors[i]);
    if (!reader_expect_if_there(reader, object, NODE_OBJECT))
        return;
    EACH_MEMBER (each, object) {
        int player = reader_name(reader, &each, NODE_KEY, &reader->players);
        if (player < 0 && name_list_find(&reader->absent, each.key) < 0)
            reader->mirrors_broken = true;
        if (player < 0 || !reader->cells_known)
            continue;
        bool is_first = strcmp(each.key, node_string(&first)) == 0;
        if (is_first)
            reader_error_key(reader, &each, "leave it out",
                             "`%s` is the first player: everything is written as they see it",
                             text_quote(each.key).text);
        if (is_first || !read_mirror(reader, &each, &reader->mirrors[player])) {
            make_identity(&reader->mirrors[player]);
            reader->mirrors_broken = true;
        }
    }
}

/* --- deltas ----------------------------------------------------------------------------------- */

/* Beyond this no board reaches; farther ones are the same as this. */
static int clamp(long long value)
{
    enum { FAR = 2 * COORDINATE_MAX + 1 };
    return value > FAR ? FAR : value < -FAR ? -FAR : (int)value;
}

static void multiply(int matrix[DIMENSIONS_MAX][DIMENSIONS_MAX], const int vector[DIMENSIONS_MAX],
                     int product[DIMENSIONS_MAX])
{
    for (int i = 0; i < DIMENSIONS_MAX; i++)
        product[i] = clamp(apply_row(matrix[i], 0, vector));
}

void sides_turn(const struct reader *reader, const int seen[DIMENSIONS_MAX],
                int delta[DIMENSIONS_MAX])
{
    struct mirror mirror = reader->mirrors[reader->mover];
    if (reader->absolute)
        memcpy(delta, seen, DIMENSIONS_MAX * sizeof *delta);
    else
        multiply(mirror.linear, seen, delta);
}

/* A multiple of a named direction, as the mover sees it. */
static bool add_direction(struct reader *reader, const struct node *member, int direction,
                          int delta[DIMENSIONS_MAX])
{
    int times = 0, seen[DIMENSIONS_MAX];
    if (!reader_integer(reader, member, -COORDINATE_MAX, COORDINATE_MAX, &times) ||
        reader->direction_list == NULL)
        return false;
    if (!reader->direction_list[direction].sound)
        return false;
    const int *on_board = reader->direction_list[direction].delta[reader->mover];
    struct mirror mirror = reader->mirrors[reader->mover];
    if (reader->absolute)
        memcpy(seen, on_board, sizeof seen);
    else
        multiply(mirror.inverse, on_board, seen);
    for (int i = 0; i < DIMENSIONS_MAX; i++)
        delta[i] = clamp(delta[i] + (long long)times * seen[i]);
    return true;
}

/* Not a word of this place, nor a coordinate or a direction. */
static void refuse_key(struct reader *reader, const struct node *member, const struct field *beside)
{
    const struct name_list *dimensions = &reader->dimensions, *directions = &reader->directions;
    const char *names[DIMENSIONS_MAX + DIRECTIONS_MAX];
    const struct name_list others = {.count = dimensions->count + directions->count,
                                     .names = names};
    for (int i = 0; i < dimensions->count; i++)
        names[i] = dimensions->names[i];
    for (int i = 0; i < directions->count; i++)
        names[dimensions->count + i] = directions->names[i];
    if (dimensions->known && directions->known)
        fields_check_word(reader, member, beside, &others);
}

bool sides_read_delta(struct reader *reader, const struct node *object, const struct field *beside,
                      int delta[DIMENSIONS_MAX])
{
    bool sound = reader->dimensions.known;
    memset(delta, 0, DIMENSIONS_MAX * sizeof *delta);
    if (!reader_expect(reader, object, NODE_OBJECT))
        return false;
    EACH_MEMBER (member, object) {
        const struct field *word = fields_find(beside, member.key);
        if (word != NULL && (word->format != 2 || reader_is_modern(reader)))
            continue;
        int direction = name_list_find(&reader->directions, member.key);
        int dimension = name_list_find(&reader->dimensions, member.key), value = 0;
        if (direction >= 0) {
            sound = add_direction(reader, &member, direction, delta) && sound;
        } else if (dimension >= 0) {
            sound =
                reader_integer(reader, &member, -COORDINATE_MAX, COORDINATE_MAX, &value) && sound;
            delta[dimension] = clamp((long long)delta[dimension] + value);
        } else {
            refuse_key(reader, &member, beside);
            sound = false;
        }
    }
    return sound;
}

bool sides_goes_nowhere(struct reader *reader, const struct node *object,
                        const int delta[DIMENSIONS_MAX])
{
    static const int nowhere[DIMENSIONS_MAX];
    bool named = false;
    if (memcmp(delta, nowhere, sizeof nowhere) != 0)
        return false;
    EACH_MEMBER (each, object)
        named = named || name_list_find(&reader->dimensions, each.key) >= 0 ||
                name_list_find(&reader->directions, each.key) >= 0;
    reader_error(reader, object, named ? "" : "give at least one coordinate a value",
                 "this movement goes nowhere: all its coordinates are 0");
    return true;
}

static void read_delta_into(struct reader *reader, const struct node *object,
                            int (*deltas)[DIMENSIONS_MAX], int *count)
{
    static const struct field beside[] = {{.word = "symmetric"}, {0}};
    struct path path = {.count = 1};
    struct node word = node_member(object, "symmetric");
    if (!sides_read_delta(reader, object, beside, path.vectors[0]) ||
        !symmetry_expand(reader, &word, false, &path, reader->symmetry))
        return;
    for (int i = 0; i < reader->symmetry->count; i++) {
        if (*count == DELTAS_MAX)
            reader_stop(reader, object, "", "too many cells: at most %d are allowed in one list",
                        DELTAS_MAX);
        sides_turn(reader, reader->symmetry->paths[i].vectors[0], deltas[(*count)++]);
    }
}

bool sides_read_deltas(struct reader *reader, const struct node *node, int *count,
                       const int (**deltas)[DIMENSIONS_MAX])
{
    int errors_before = reader->diagnostics->error_count;
    int read[DELTAS_MAX][DIMENSIONS_MAX];
    *count = 0;
    if (node_type(node) == NODE_OBJECT || reader_expect(reader, node, NODE_LIST))
        EACH_OF (each, node)
            read_delta_into(reader, &each, read, count);
    int(*kept)[DIMENSIONS_MAX] = reader_allocate(reader, (size_t)*count, sizeof *kept);
    memcpy(kept, read, (size_t)*count * sizeof *kept);
    *deltas = (const int(*)[DIMENSIONS_MAX])kept;
    return reader->diagnostics->error_count == errors_before;
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

static void refuse_zero(struct reader *reader, const struct node *node,
                        const int delta[DIMENSIONS_MAX])
{
    static const int nowhere[DIMENSIONS_MAX];
    if (reader->dimensions.known && memcmp(delta, nowhere, sizeof nowhere) == 0)
        reader_error(reader, node, "give at least one coordinate a value",
                     "this direction goes nowhere");
}

static void read_direction_deltas(struct reader *reader, const struct node *node,
                                  struct direction *direction)
{
    if (!reader_expect(reader, node, NODE_OBJECT))
        return;
    if (!sides_names_players(reader, node)) {
        int seen[DIMENSIONS_MAX];
        if (!reader_coordinates(reader, node, false, seen))
            return;
        refuse_zero(reader, node, seen);
        for (int i = 0; i < reader->players.count; i++)
            multiply(reader->mirrors[i].linear, seen, direction->delta[i]);
        return;
    }
    EACH_MEMBER (member, node) {
        int player = reader_name(reader, &member, NODE_KEY, &reader->players);
        if (player >= 0 && reader_coordinates(reader, &member, false, direction->delta[player]))
            refuse_zero(reader, &member, direction->delta[player]);
    }
    for (int i = 0; i < reader->players.count; i++) {
        struct node member = node_member(node, reader->players.names[i]);
        if (node_type(&member) == NODE_ABSENT)
            reader_error(reader, node, "", "this direction is missing for `%s`",
                         text_quote(reader->players.names[i]).text);
    }
}

static bool read_direction(struct reader *reader, const struct node *node, void *element)
{
    struct direction *direction = element;
    if (name_list_find(&reader->dimensions, node->key) >= 0 || cells_is_word(node->key))
        reader_error_key(reader, node, "choose another name",
                         "`%s` cannot name a direction: it means something else",
                         text_quote(node->key).text);
    int errors_before = reader->diagnostics->error_count;
    read_direction_deltas(reader, node, direction);
    direction->sound = reader->diagnostics->error_count == errors_before;
    return true;
}

void directions_read(struct reader *reader, const struct node *object, void *whole)
{
    struct definition *definition = whole;
    static const struct elements directions = {.size = sizeof(struct direction),
                                               .read = read_direction};
    struct node board = node_member(reader->root, "board"), mirror = node_member(&board, "mirror");
    int count = 0;
    read_mirrors(reader, &mirror);
    reader->symmetry = reader_allocate(reader, 1, sizeof *reader->symmetry);
    for (int i = 0; i < PLAYERS_MAX; i++)
        memcpy(definition->mirror[i], reader->mirrors[i].linear, sizeof reader->mirrors[i].linear);
    if (reader_read_names(reader, object, "direction", DIRECTIONS_MAX, &reader->directions))
        reader->direction_list = elements_of(reader, object, &directions, &count);
}
