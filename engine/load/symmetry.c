#include "engine/load/fields.h"

#include <string.h>

/* `symmetric`: one written movement stands for several, turned and mirrored. What is turned together (the delta and the
 * cells of `via`) is a path; seen by coordinate it is a list of columns, one for each coordinate, and turning means to
 * put columns into other places and to negate some. */

/* If it is not there yet. */
static void add(struct symmetry *symmetry, const struct path *path)
{
    for (int i = 0; i < symmetry->count; i++)
        if (memcmp(symmetry->paths[i].vectors, path->vectors,
                   (size_t)path->count * sizeof *path->vectors) == 0)
            return;
    if (symmetry->count == DELTAS_MAX)
        reader_stop(symmetry->reader, symmetry->word, "",
                    "too many directions: at most %d are allowed", DELTAS_MAX);
    symmetry->paths[symmetry->count++] = *path;
}

static void put_column(struct path *to, int place, const struct path *from, int column, int sign)
{
    for (int i = 0; i < to->count; i++)
        to->vectors[i][place] = sign * from->vectors[i][column];
}

static bool columns_equal(const struct path *path, int a, int b, int sign)
{
    for (int i = 0; i < path->count; i++)
        if (path->vectors[i][a] != sign * path->vectors[i][b])
            return false;
    return true;
}

/* All ways to fill the places from `place` on with the columns not yet used. */
struct turning {
    struct symmetry *symmetry;
    const struct path *from;
    struct path to;
    int dimensions;
    bool used[DIMENSIONS_MAX];
};

/* With all signs to come, a column is as good as one before it that is alike, perhaps negated. */
static bool may_stand(const struct turning *turning, int column)
{
    for (int i = 0; i < column; i++)
        if (!turning->used[i] && (columns_equal(turning->from, i, column, 1) ||
                                  columns_equal(turning->from, i, column, -1)))
            return false;
    return !turning->used[column];
}

static void fill(struct turning *turning, int place)
{
    if (place == turning->dimensions) {
        add(turning->symmetry, &turning->to);
        return;
    }
    for (int column = 0; column < turning->dimensions; column++) {
        bool zero = columns_equal(turning->from, column, column, -1);
        if (!may_stand(turning, column))
            continue;
        turning->used[column] = true;
        for (int sign = 1; sign >= (zero ? 1 : -1); sign -= 2) {
            put_column(&turning->to, place, turning->from, column, sign);
            fill(turning, place + 1);
        }
        turning->used[column] = false;
    }
}

/* Six turns of two axial coordinates: (q, r) becomes (-r, q + r); and each with the coordinates exchanged. */
static void turn_hexagon(struct symmetry *symmetry, const struct path *path)
{
    struct path turned = *path;
    for (int turn = 0; turn < 6; turn++) {
        struct path exchanged = turned;
        put_column(&exchanged, 0, &turned, 1, 1);
        put_column(&exchanged, 1, &turned, 0, 1);
        add(symmetry, &turned);
        add(symmetry, &exchanged);
        for (int i = 0; i < turned.count; i++) {
            int q = turned.vectors[i][0], r = turned.vectors[i][1];
            turned.vectors[i][0] = -r;
            turned.vectors[i][1] = q + r;
        }
    }
}

/* To each path the one with `count` columns negated. */
static void add_negated(struct symmetry *symmetry, int first, int count)
{
    int before = symmetry->count;
    for (int i = 0; i < before; i++) {
        struct path negated = symmetry->paths[i];
        for (int column = first; column < first + count; column++)
            put_column(&negated, column, &symmetry->paths[i], column, -1);
        add(symmetry, &negated);
    }
}

bool symmetry_expand(struct reader *reader, const struct node *word, bool also_reversed,
                     const struct path *path, struct symmetry *symmetry)
{
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
    symmetry->reader = reader;
    symmetry->word = word;
    symmetry->count = 0;
    if (kind == ALL)
        fill(&(struct turning){symmetry, path, *path, dimensions, {false}}, 0);
    else if (kind == HEXAGON)
        turn_hexagon(symmetry, path);
    else
        add(symmetry, path);
    for (int column = dimensions - 1; kind == SIGNS && column >= 0; column--)
        add_negated(symmetry, column, 1);
    if (kind == MIRROR)
        add_negated(symmetry, 0, 1);
    if (also_reversed)
        add_negated(symmetry, 0, DIMENSIONS_MAX);
    return true;
}
