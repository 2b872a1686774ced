/* Conditions of a movement that is written once for several directions: the cells they name turn with it, as those of `via`
 * do. Cells are kept as the board has them; what turns is what the mover sees. */
#include "engine/load/fields.h"

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
    return symmetry_expand(reader, word, also_reversed, &alone, reader->symmetry) &&
           reader->symmetry->count > 1;
}

void turned_tests_gather(struct reader *reader, const struct node *word, bool also_reversed,
                         const struct condition_node *test, struct path *path,
                         struct turned_lists *lists)
{
    for (int i = 0; i < test->child_count; i++)
        turned_tests_gather(reader, word, also_reversed, &test->children[i], path, lists);
    if (!condition_turns(test) || test->row_count == 0)
        return;
    if (test->row_count > PATH_MAX - path->count || lists->count == ASKED_MAX) {
        reader_error(reader, word, "ask for fewer cells, or write the directions one by one",
                     "too many cells to turn in the conditions of a movement: at most %d",
                     ASKED_MAX);
        return;
    }
    if (!turns(reader, word, also_reversed, test))
        return;
    lists->lists[lists->count].node = test;
    lists->lists[lists->count++].first = path->count;
    put_cells(reader, test, lists->count, path);
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
                      const struct turned_lists *lists, const struct condition_node *from,
                      struct condition_node *to)
{
    *to = *from;
    if (!tests_spend(reader, object, 1))
        return;
    for (int i = 0; i < lists->count; i++)
        if (lists->lists[i].node == from)
            turn_cells(reader, path, lists->lists[i].first, to);
    struct condition_node *children =
        reader_allocate(reader, (size_t)from->child_count, sizeof *children);
    for (int i = 0; i < from->child_count; i++)
        copy_into(reader, object, path, lists, &from->children[i], &children[i]);
    to->children = children;
}

const struct condition_node *turned_tests_copy(struct reader *reader, const struct node *object,
                                               const struct condition_node *test,
                                               const struct path *path,
                                               const struct turned_lists *lists)
{
    if (lists->count == 0)
        return test;
    struct condition_node *turned = reader_allocate(reader, 1, sizeof *turned);
    copy_into(reader, object, path, lists, test, turned);
    return turned;
}
