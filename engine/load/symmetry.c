#include "engine/load/fields.h"

#include <string.h>

/* `symmetric`: one written movement stands for several, turned and mirrored. What is turned together (the delta, the cells of
 * `via` and those of conditions) is a path. And `anywhere`: all the ways from one cell of the board to another. */

/* Puts lists into an order of their own, so that equal ones are seen to be equal. */
static void sort_lists(struct path *path)
{
    for (int i = 1; i < path->count; i++)
        for (int k = i; k > 0 && path->list[k] != 0 && path->list[k - 1] == path->list[k] &&
                        memcmp(&path->vectors[k - 1], &path->vectors[k], sizeof *path->vectors) > 0;
             k--) {
            struct vector vector = path->vectors[k];
            path->vectors[k] = path->vectors[k - 1];
            path->vectors[k - 1] = vector;
        }
}

/* If it is not there yet. */
static void add(struct reader *reader, const struct node *word, const struct path *found)
{
    struct symmetry *symmetry = reader->symmetry;
    struct path sorted = *found, *path = &sorted;
    sort_lists(path);
    for (int i = 0; i < symmetry->count; i++)
        if (memcmp(symmetry->paths[i].vectors, path->vectors,
                   (size_t)path->count * sizeof *path->vectors) == 0)
            return;
    if (symmetry->count == DELTAS_MAX)
        reader_stop(reader, word, "", "too many directions: at most %d are allowed", DELTAS_MAX);
    symmetry->paths[symmetry->count++] = *path;
}

/* With a coordinate and the next one in each other's places. */
static void add_exchanged(struct reader *reader, const struct node *word, struct path path,
                          int first)
{
    for (int i = 0; i < path.count; i++) {
        int *vector = &path.vectors[i].of[first], value = vector[0];
        vector[0] = vector[1];
        vector[1] = value;
    }
    add(reader, word, &path);
}

/* After a sixth of a turn of two axial coordinates: (q, r) becomes (-r, q + r). */
static void add_turned(struct reader *reader, const struct node *word, struct path path)
{
    for (int i = 0; i < path.count; i++) {
        int *vector = path.vectors[i].of, q = vector[0], r = vector[1];
        vector[0] = -r;
        vector[1] = q + r;
    }
    add(reader, word, &path);
}

/* To each path the one with `count` coordinates negated. */
static void add_negated(struct reader *reader, const struct node *word, int first, int count)
{
    const struct symmetry *symmetry = reader->symmetry;
    int before = symmetry->count;
    for (int i = 0; i < before; i++) {
        struct path negated = symmetry->paths[i];
        for (int k = 0; k < negated.count; k++)
            for (int column = first; column < first + count; column++)
                negated.vectors[k].of[column] *= -1;
        add(reader, word, &negated);
    }
}

bool symmetry_expand(struct reader *reader, const struct node *word, bool also_reversed,
                     const struct path *path)
{
    struct symmetry *symmetry = reader->symmetry;
    enum { MIRROR, ALL, SIGNS, HEXAGON };
    const struct name_list *kinds = CHOICES("symmetry", "mirror", "all", "signs", "hexagon");
    int kind = node_is_there(word) ? reader_name(reader, word, NODE_VALUE, kinds) : -1;
    int dimensions = reader->dimensions.count;
    if (kind < 0 && node_is_there(word))
        return false;
    if (kind == HEXAGON && dimensions != 2) {
        reader_error(reader, word, "", "`hexagon` needs two coordinates, this game has %d",
                     dimensions);
        return false;
    }
    symmetry->count = 0;
    add(reader, word, path);
    /* what comes of a path is turned again, until nothing new comes */
    for (int i = 0; (kind == ALL || kind == HEXAGON) && i < symmetry->count; i++) {
        if (kind == HEXAGON)
            add_turned(reader, word, symmetry->paths[i]);
        for (int column = 0; column + 1 < dimensions; column++)
            add_exchanged(reader, word, symmetry->paths[i], column);
    }
    for (int column = dimensions - 1; (kind == ALL || kind == SIGNS) && column >= 0; column--)
        add_negated(reader, word, column, 1);
    if (kind == MIRROR)
        add_negated(reader, word, 0, 1);
    if (also_reversed)
        add_negated(reader, word, 0, DIMENSIONS_MAX);
    return true;
}

/* --- conditions ------------------------------------------------------------------------------- */

/* Cells that the conditions of a movement name turn with it, as those of `via` do. They are kept as the board has them; what turns
 * is what the mover sees. */

static void put_cells(struct reader *reader, const struct condition_node *test, int list,
                      struct path *path)
{
    for (int i = 0; i < test->row_count; i++, path->count++) {
        path->vectors[path->count] = sides_unturn(reader, test->deltas[i]);
        path->list[path->count] = (uint8_t)list;
    }
}

/* Whether they are other cells in some other direction. */
static bool turns(struct reader *reader, const struct node *word, bool also_reversed,
                  const struct condition_node *test)
{
    struct path alone = {.count = 0};
    put_cells(reader, test, 1, &alone);
    return symmetry_expand(reader, word, also_reversed, &alone) && reader->symmetry->count > 1;
}

void symmetry_gather(struct reader *reader, const struct node *word, bool also_reversed,
                     const struct condition_node *test, struct path *path)
{
    struct symmetry *symmetry = reader->symmetry;
    for (int i = 0; i < test->child_count; i++)
        symmetry_gather(reader, word, also_reversed, &test->children[i], path);
    if (!condition_turns(test) || test->row_count == 0)
        return;
    if (test->row_count > PATH_MAX - path->count || symmetry->turned_count == ASKED_MAX) {
        reader_error(reader, word, "ask for fewer cells, or write the directions one by one",
                     "too many cells to turn in the conditions of a movement: at most %d",
                     ASKED_MAX);
        return;
    }
    if (!turns(reader, word, also_reversed, test))
        return;
    symmetry->turned[symmetry->turned_count].node = test;
    symmetry->turned[symmetry->turned_count++].first = path->count;
    put_cells(reader, test, symmetry->turned_count, path);
}

static void turn_cells(struct reader *reader, const struct path *path, int first,
                       struct condition_node *test)
{
    struct vector *deltas = reader_allocate(reader, (size_t)test->row_count, sizeof *deltas);
    for (int i = 0; i < test->row_count; i++)
        deltas[i] = sides_turn(reader, path->vectors[first + i]);
    test->deltas = deltas;
}

static void copy_into(struct reader *reader, const struct node *object, const struct path *path,
                      const struct condition_node *from, struct condition_node *to)
{
    const struct symmetry *symmetry = reader->symmetry;
    *to = *from;
    if (!tests_spend(reader, object, 1))
        return;
    for (int i = 0; i < symmetry->turned_count; i++)
        if (symmetry->turned[i].node == from)
            turn_cells(reader, path, symmetry->turned[i].first, to);
    struct condition_node *children =
        reader_allocate(reader, (size_t)from->child_count, sizeof *children);
    for (int i = 0; i < from->child_count; i++)
        copy_into(reader, object, path, &from->children[i], &children[i]);
    to->children = children;
}

const struct condition_node *symmetry_turn(struct reader *reader, const struct node *object,
                                           const struct condition_node *test,
                                           const struct path *path)
{
    if (reader->symmetry->turned_count == 0)
        return test;
    struct condition_node *turned = reader_allocate(reader, 1, sizeof *turned);
    copy_into(reader, object, path, test, turned);
    return turned;
}

/* --- anywhere --------------------------------------------------------------------------------- */

enum { SLOTS = 4 * MOVEMENTS_MAX, MOST = MOVEMENTS_MAX + 1 };

/* Where the difference is, or is to be, in a table of one more than its place in the list. */
static unsigned slot_of(const struct differences *all, const uint16_t *slots, struct vector delta)
{
    uint64_t mixed = 0;
    for (int i = 0; i < DIMENSIONS_MAX; i++)
        mixed = (mixed ^ (uint32_t)delta.of[i]) * UINT64_C(0x9e3779b97f4a7c15);
    unsigned slot = (unsigned)(mixed >> 32) % SLOTS;
    while (slots[slot] != 0 && !vector_is_among(&all->list[slots[slot] - 1], 1, delta))
        slot = (slot + 1) % SLOTS;
    return slot;
}

static void add_difference(struct differences *all, uint16_t *slots, const struct board_cell *from,
                           const struct board_cell *to)
{
    struct vector delta;
    for (int i = 0; i < DIMENSIONS_MAX; i++)
        delta.of[i] = to->coordinates[i] - from->coordinates[i];
    unsigned slot = slot_of(all, slots, delta);
    if (slots[slot] != 0)
        return;
    all->list[all->count++] = delta;
    slots[slot] = (uint16_t)all->count;
}

const struct differences *differences_of_board(struct reader *reader)
{
    const struct definition *definition = reader->definition;
    if (reader->differences != NULL)
        return reader->differences;
    struct differences *all = reader_allocate(reader, 1, sizeof *all);
    uint16_t *slots = reader_allocate(reader, SLOTS, sizeof *slots);
    all->list = reader_allocate(reader, MOST, sizeof *all->list);
    for (int from = 0; from < definition->cell_count; from++)
        for (int to = 0; to < definition->cell_count && all->count < MOST; to++)
            if (from != to)
                add_difference(all, slots, &definition->cells[from], &definition->cells[to]);
    return reader->differences = all;
}
