#include "engine/load/fields.h"

#include <string.h>

/* `symmetric`: one written movement stands for several, turned and mirrored. What is turned together (the delta and the
 * cells of `via`) is a path; seen by coordinate it is a list of columns, one for each coordinate, and turning means to
 * put columns into other places and to negate some. */

enum kind { KIND_MIRROR, KIND_ALL, KIND_SIGNS, KIND_HEXAGON };

static bool paths_equal(const struct path *a, const struct path *b)
{
    return a->count == b->count &&
           memcmp(a->vectors, b->vectors, (size_t)a->count * sizeof *a->vectors) == 0;
}

static void append(struct symmetry *symmetry, const struct path *path)
{
    if (symmetry->count == DELTAS_MAX)
        reader_stop(symmetry->reader, symmetry->word, "",
                    "too many directions: at most %d are allowed", DELTAS_MAX);
    symmetry->paths[symmetry->count++] = *path;
}

/* If it is not there yet. */
static void add(struct symmetry *symmetry, const struct path *path)
{
    for (int i = 0; i < symmetry->count; i++)
        if (paths_equal(&symmetry->paths[i], path))
            return;
    append(symmetry, path);
}

static void put_column(struct path *to, int place, const struct path *from, int column, int sign)
{
    for (int i = 0; i < to->count; i++)
        to->vectors[i][place] = sign * from->vectors[i][column];
}

static bool column_is_zero(const struct path *path, int column)
{
    for (int i = 0; i < path->count; i++)
        if (path->vectors[i][column] != 0)
            return false;
    return true;
}

/* Alike, perhaps negated: with all signs to come the one is as good as the other. */
static bool columns_alike(const struct path *path, int a, int b)
{
    bool same = true, opposite = true;
    for (int i = 0; i < path->count; i++) {
        same = same && path->vectors[i][a] == path->vectors[i][b];
        opposite = opposite && path->vectors[i][a] == -path->vectors[i][b];
    }
    return same || opposite;
}

/* All ways to fill the places from `place` on with the columns not yet used; each result comes once. */
struct turning {
    struct symmetry *symmetry;
    const struct path *from;
    struct path to;
    int dimensions;
    bool used[DIMENSIONS_MAX];
    bool orders; /* columns may change places */
};

static bool was_tried(const struct turning *turning, int column)
{
    for (int i = 0; i < column; i++)
        if (!turning->used[i] && columns_alike(turning->from, i, column))
            return true;
    return false;
}

static void fill(struct turning *turning, int place)
{
    if (place == turning->dimensions) {
        append(turning->symmetry, &turning->to);
        return;
    }
    for (int column = 0; column < turning->dimensions; column++) {
        if (turning->used[column] || (!turning->orders && column != place) ||
            (turning->orders && was_tried(turning, column)))
            continue;
        int signs = column_is_zero(turning->from, column) ? 1 : 2;
        turning->used[column] = true;
        for (int i = 0; i < signs; i++) {
            put_column(&turning->to, place, turning->from, column, i == 0 ? 1 : -1);
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

static void turn(enum kind kind, int dimensions, const struct path *path, struct symmetry *symmetry)
{
    struct path mirrored = *path;
    struct turning turning = {.symmetry = symmetry,
                              .from = path,
                              .to = *path,
                              .dimensions = dimensions,
                              .orders = kind == KIND_ALL};
    switch (kind) {
    case KIND_MIRROR:
        put_column(&mirrored, 0, path, 0, -1);
        add(symmetry, path);
        add(symmetry, &mirrored);
        return;
    case KIND_ALL:
    case KIND_SIGNS:
        fill(&turning, 0);
        return;
    case KIND_HEXAGON:
        turn_hexagon(symmetry, path);
        return;
    }
}

static void reverse(struct symmetry *symmetry)
{
    int count = symmetry->count;
    for (int i = 0; i < count; i++) {
        struct path reversed = symmetry->paths[i];
        for (int column = 0; column < DIMENSIONS_MAX; column++)
            put_column(&reversed, column, &symmetry->paths[i], column, -1);
        add(symmetry, &reversed);
    }
}

bool symmetry_expand(struct reader *reader, const struct node *word, bool also_reversed,
                     const struct path *path, struct symmetry *symmetry)
{
    /* in the order of enum kind */
    const struct name_list *kinds = CHOICES("symmetry", "mirror", "all", "signs", "hexagon");
    int kind = node_is_there(word) ? reader_name(reader, word, NODE_VALUE, kinds) : -1;
    if (kind < 0 && node_is_there(word))
        return false;
    if (kind == KIND_HEXAGON && reader->dimensions.count != 2) {
        reader_error(reader, word, "", "`hexagon` needs two coordinates, this game has %d",
                     reader->dimensions.count);
        return false;
    }
    symmetry->reader = reader;
    symmetry->word = word;
    symmetry->count = 0;
    if (kind < 0)
        add(symmetry, path);
    else
        turn((enum kind)kind, reader->dimensions.count, path, symmetry);
    if (also_reversed)
        reverse(symmetry);
    return true;
}
