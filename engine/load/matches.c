#include "engine/load/reader.h"

#include <string.h>

/* What a cell may be like: {"figure": …, "player": …, "zone": …, …}, all of which must hold. */

static const char *const words[] = {"figure",      "player",     "empty",    "zone",
                                    "marked",      "unmoved",    "exists",   "not",
                                    "coordinates", "moves_made", "last_move"};
enum { WORDS = sizeof words / sizeof *words };

static uint64_t all_figures(const struct reader *reader)
{
    int count = reader->figures.count;
    return count >= FIGURES_MAX ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

struct cell_test tests_any_figure(const struct reader *reader)
{
    return (struct cell_test){.figures = all_figures(reader),
                              .players = sides_everybody(reader),
                              .zone = -1,
                              .mark = -1,
                              .unmoved = -1,
                              .moves_made = NUMBER_ANY,
                              .last_move = NUMBER_ANY};
}

bool tests_read_figures(struct reader *reader, const struct node *node, uint64_t *figures)
{
    *figures = 0;
    if (node_type(node) != NODE_LIST) {
        int figure = reader_name(reader, node, NODE_VALUE, &reader->figures);
        if (figure >= 0)
            *figures = UINT64_C(1) << figure;
        return figure >= 0;
    }
    bool sound = true;
    for (size_t i = 0; i < node_count(node); i++) {
        struct node element = node_element(node, i);
        int figure = reader_name(reader, &element, NODE_VALUE, &reader->figures);
        if (figure >= 0)
            *figures |= UINT64_C(1) << figure;
        sound = sound && figure >= 0;
    }
    if (node_count(node) == 0)
        reader_error(reader, node, NODE_VALUE, "", "this names no figure");
    return sound && node_count(node) > 0;
}

/* --- where ------------------------------------------------------------------------------------ */

/* `zone` and coordinates of an object as one zone; -1 when it says neither, or after complaining. */
struct whereabouts {
    bool said, bounded;
    struct bounds bounds;
    int zone;
};

static void read_coordinates(struct reader *reader, const struct node *object,
                             struct whereabouts *where)
{
    struct node coordinates = node_member(object, "coordinates");
    const struct node *objects[] = {object, &coordinates};
    for (int i = 0; i < 2; i++) {
        if (i == 1 && !reader_expect_if_there(reader, &coordinates, NODE_OBJECT))
            return;
        for (void *at = node_first(objects[i]); at != NULL; at = node_next(objects[i], at)) {
            struct node member = node_at(objects[i], at);
            if (i == 0 && name_list_find(&reader->dimensions, member.key) < 0)
                continue;
            zones_read_bound(reader, &member, &where->bounds);
            where->bounded = true;
        }
    }
}

static int cut(struct reader *reader, const struct node *object, const struct whereabouts *where)
{
    const struct definition *definition = reader->definition;
    bool cells[PLAYERS_MAX][CELLS_MAX] = {{false}};
    const bool *sets[PLAYERS_MAX];
    for (int player = 0; player < PLAYERS_MAX; player++) {
        sets[player] = cells[player];
        for (int i = 0; i < definition->cell_count; i++)
            cells[player][i] = zones_is_within(reader, i, &where->bounds) &&
                               (where->zone < 0 || definition->zones[where->zone].cells[player][i]);
    }
    return zones_nameless(reader, object, sets);
}

int tests_read_where(struct reader *reader, const struct node *object)
{
    struct whereabouts where = {.bounds = zones_no_bounds(), .zone = -1};
    struct node zone = node_member(object, "zone");
    if (node_type(&zone) != NODE_ABSENT) {
        where.zone = zones_named(reader, &zone);
        if (where.zone < 0)
            return -1;
    }
    read_coordinates(reader, object, &where);
    return where.bounded && reader->cells_known ? cut(reader, object, &where) : where.zone;
}

/* --- one match -------------------------------------------------------------------------------- */

static void check_keys(struct reader *reader, const struct node *object)
{
    const char *names[WORDS + DIMENSIONS_MAX];
    memcpy(names, words, sizeof words);
    for (int i = 0; i < reader->dimensions.count; i++)
        names[WORDS + i] = reader->dimensions.names[i];
    if (reader->dimensions.known)
        reader_check_keys(reader, object, STRICT, names, WORDS + reader->dimensions.count);
}

/* What has been said of figures, to see contradictions. */
struct asked {
    bool figure, empty;
};

static void ask_for_figure(struct cell_test *match, struct asked *asked)
{
    asked->figure = true;
    match->empty = false;
}

static void ask_for_empty(struct cell_test *match, struct asked *asked)
{
    asked->empty = true;
    match->figures = 0;
}

static void read_figure_and_player(struct reader *reader, const struct node *object,
                                   struct cell_test *match, struct asked *asked)
{
    struct node figure = node_member(object, "figure"), player = node_member(object, "player");
    struct player_set set;
    if (node_type(&figure) == NODE_NULL) {
        ask_for_empty(match, asked);
    } else if (node_type(&figure) != NODE_ABSENT) {
        tests_read_figures(reader, &figure, &match->figures);
        ask_for_figure(match, asked);
    }
    if (node_type(&player) == NODE_NULL) {
        ask_for_empty(match, asked);
    } else if (node_type(&player) != NODE_ABSENT) {
        sides_read_players(reader, &player, &set);
        match->players = set.players;
        match->next_player = set.next;
        ask_for_figure(match, asked);
    }
}

static void read_number(struct reader *reader, const struct node *node, int32_t *number,
                        struct cell_test *match, struct asked *asked)
{
    int value = 0;
    if (node_type(node) == NODE_ABSENT)
        return;
    if (node_type(node) == NODE_NULL) {
        ask_for_empty(match, asked);
        return;
    }
    if (reader_integer(reader, node, -COUNTER_MAX, COUNTER_MAX, &value))
        *number = value;
    ask_for_figure(match, asked);
}

static void read_flags(struct reader *reader, const struct node *object, struct cell_test *match,
                       struct asked *asked)
{
    struct node empty = node_member(object, "empty"), unmoved = node_member(object, "unmoved");
    struct node exists = node_member(object, "exists");
    bool value = false;
    if (reader_boolean(reader, &empty, &value)) {
        if (value)
            ask_for_empty(match, asked);
        else
            ask_for_figure(match, asked);
    }
    if (reader_boolean(reader, &unmoved, &value)) {
        match->unmoved = value;
        ask_for_figure(match, asked);
    }
    if (!reader_boolean(reader, &exists, &value) || value)
        return;
    match->hole = true;
    match->empty = false;
    match->figures = 0;
    if (node_count(object) > 1)
        reader_error(reader, &exists, NODE_KEY, "leave the rest out",
                     "nothing more can be asked of a cell that does not exist");
}

static bool read_object(struct reader *reader, const struct node *object, int depth,
                        struct cell_test *match);

/* Room for further matches, all of them to be negated. */
static struct cell_test *read_negated(struct reader *reader, const struct node *node, int depth,
                                      int *count)
{
    bool list = node_type(node) == NODE_LIST;
    size_t wanted = list ? node_count(node) : 1;
    struct cell_test *matches = reader_allocate(reader, wanted, sizeof *matches);
    *count = 0;
    for (size_t i = 0; matches != NULL && i < wanted; i++) {
        struct node element = list ? node_element(node, i) : *node;
        if (read_object(reader, &element, depth + 1, &matches[*count])) {
            matches[*count].negated = !matches[*count].negated;
            (*count)++;
        }
    }
    return matches;
}

static bool read_object(struct reader *reader, const struct node *object, int depth,
                        struct cell_test *match)
{
    *match = tests_any_figure(reader);
    match->empty = true;
    if (!reader_expect(reader, object, NODE_OBJECT) || !tests_spend(reader, object, depth))
        return false;
    int errors_before = reader->diagnostics->error_count;
    struct asked asked = {false, false};
    struct node marked = node_member(object, "marked"), not = node_member(object, "not");
    struct node moves_made = node_member(object, "moves_made");
    struct node last_move = node_member(object, "last_move");
    check_keys(reader, object);
    read_figure_and_player(reader, object, match, &asked);
    read_number(reader, &moves_made, &match->moves_made, match, &asked);
    read_number(reader, &last_move, &match->last_move, match, &asked);
    read_flags(reader, object, match, &asked);
    match->zone = (int16_t)tests_read_where(reader, object);
    if (node_type(&marked) != NODE_ABSENT)
        match->mark = (int8_t)reader_name(reader, &marked, NODE_VALUE, &reader->marks);
    if (node_type(&not ) != NODE_ABSENT) {
        match->also = read_negated(reader, &not, depth, &match->also_count);
        match->hole = match->hole || node_count(object) == 1;
    }
    if (asked.figure && asked.empty)
        reader_error(reader, object, NODE_VALUE, "ask for one of them",
                     "nothing is like this: an empty cell has no figure");
    return reader->diagnostics->error_count == errors_before;
}

bool tests_read_match(struct reader *reader, const struct node *node, struct cell_test *match)
{
    if (node_type(node) != NODE_LIST)
        return read_object(reader, node, 0, match);
    if (node_count(node) == 1) {
        struct node only = node_element(node, 0);
        return read_object(reader, &only, 0, match);
    }
    /* one of them fits: not (none of them fits) */
    int errors_before = reader->diagnostics->error_count;
    *match = tests_any_figure(reader);
    match->hole = match->empty = match->negated = true;
    match->also = read_negated(reader, node, 0, &match->also_count);
    return reader->diagnostics->error_count == errors_before;
}
