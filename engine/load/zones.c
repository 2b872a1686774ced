#include "engine/bits.h"
#include "engine/load/fields.h"

#include <stdio.h>
#include <string.h>

/* Sets of cells by name, and nameless ones made of what conditions say about coordinates. */

/* --- what coordinates are asked to be --------------------------------------------------------- */

/* In one of some named zones (none: anywhere), and within bounds. */
struct whereabouts {
    uint64_t zones[ZONE_WORDS];
    struct bounds bounds;
};

static struct bounds no_bounds(void)
{
    struct bounds bounds;
    for (int i = 0; i < DIMENSIONS_MAX; i++)
        bounds.of[i] = (struct amount){-COORDINATE_MAX, COORDINATE_MAX};
    return bounds;
}

/* A coordinate may be asked for twice, beside `coordinates` and in it: then both must hold. */
static void read_bound(struct reader *reader, const struct node *node, void *place)
{
    struct amount *bound = place, read = {-COORDINATE_MAX, COORDINATE_MAX};
    field_amount(reader, node, &read);
    bound->min = read.min > bound->min ? read.min : bound->min;
    bound->max = read.max < bound->max ? read.max : bound->max;
}

static const struct field bound = {.kind = read_bound,
                                   .size = sizeof(struct amount),
                                   .least = -COORDINATE_MAX,
                                   .most = COORDINATE_MAX};

bool zones_read_bounds(struct reader *reader, const struct node *object, void *place)
{
    struct bounds *bounds = place;
    int complaints = reader->complaints;
    *bounds = no_bounds();
    fields_read_by_name(reader, object, &reader->dimensions, &bound, bounds->of);
    if (node_count(object) == 0 && reader->complaints == complaints)
        reader_error(reader, object, "name at least one coordinate",
                     "this does not say which cells are meant");
    return reader->complaints == complaints;
}

bool zones_is_within(const struct reader *reader, const int *coordinates,
                     const struct bounds *bounds)
{
    for (int i = 0; i < reader->dimensions.count; i++)
        if (!amount_is(bounds->of[i], coordinates[i]))
            return false;
    return true;
}

/* --- cells ------------------------------------------------------------------------------------ */

cell_index zones_find(const struct reader *reader, const char *name)
{
    const struct definition *definition = reader->definition;
    for (int i = 0; i < definition->cell_count; i++)
        if (strcmp(definition->cells[i].name, name) == 0)
            return (cell_index)i;
    return CELL_NONE;
}

static struct hint how_cells_are_called(const struct reader *reader)
{
    const struct definition *definition = reader->definition;
    struct hint hint = {""};
    if (definition->cell_count > 1)
        snprintf(hint.text, sizeof hint.text, "they are called from `%.64s` to `%.64s`",
                 definition->cells[0].name, definition->cells[definition->cell_count - 1].name);
    return hint;
}

static cell_index find_named(struct reader *reader, const struct node *node)
{
    cell_index cell = zones_find(reader, node_string(node));
    if (cell == CELL_NONE && reader->cells_known)
        reader_error(reader, node, how_cells_are_called(reader).text, "there is no cell `%s`",
                     text_quote(node_string(node)).text);
    return cell;
}

cell_index zones_cell(struct reader *reader, const struct node *node)
{
    int coordinates[DIMENSIONS_MAX];
    if (node_type(node) == NODE_STRING)
        return find_named(reader, node);
    if (!reader_coordinates(reader, node, true, coordinates) || !reader->cells_known)
        return CELL_NONE;
    cell_index cell = whole_game_cell_at(&reader->definition->whole, coordinates);
    if (cell == CELL_NONE)
        reader_error(reader, node, "every cell must be among the `cells` of `board`",
                     "there is no such cell");
    return cell;
}

/* --- one set ---------------------------------------------------------------------------------- */

static void add_by_formula(struct reader *reader, const struct node *node, uint64_t *set)
{
    struct formula formula = formula_read(reader, node, false);
    for (int i = 0; formula_at(reader, &formula, i); i++)
        if (formula_is_true(&formula))
            bits_set(set, (unsigned)i);
}

static void add_by_coordinates(struct reader *reader, const struct node *object, uint64_t *set)
{
    struct bounds bounds;
    int found = 0;
    if (!zones_read_bounds(reader, object, &bounds) || !reader->cells_known)
        return;
    for (int i = 0; i < reader->definition->cell_count; i++)
        if (zones_is_within(reader, reader->definition->cells[i].coordinates, &bounds)) {
            bits_set(set, (unsigned)i);
            found++;
        }
    if (found == 0)
        reader_error(reader, object, "", "there is no such cell");
}

static void add_cells(struct reader *reader, const struct node *node, uint64_t *set)
{
    if (node_type(node) == NODE_STRING) {
        add_by_formula(reader, node, set);
    } else if (node_type(node) == NODE_OBJECT) {
        add_by_coordinates(reader, node, set);
    } else if (reader_expect_list(reader, node, CELLS_MAX, "cells")) {
        EACH_ELEMENT (each, node) {
            cell_index cell = CELL_NONE;
            if (node_type(&each) == NODE_STRING)
                cell = find_named(reader, &each);
            else if (reader_expect(reader, &each, NODE_OBJECT))
                add_by_coordinates(reader, &each, set);
            if (cell != CELL_NONE)
                bits_set(set, cell);
        }
    }
}

static uint64_t *new_set(struct reader *reader)
{
    return reader_allocate(reader, WORDS_MAX, sizeof(uint64_t));
}

/* --- a zone ----------------------------------------------------------------------------------- */

/* {"each": …}: as the first player sees it, mirrored for the others. */
static void read_each(struct reader *reader, const struct node *node, void *object)
{
    struct zone_definition *zone = object;
    uint64_t *seen = new_set(reader);
    add_cells(reader, node, seen);
    for (int player = 0; player < reader->players.count; player++) {
        const cell_index *cells = reader->mirrors[player].cells;
        uint64_t *set = new_set(reader);
        EACH_BIT (cell, seen, WORDS_MAX)
            bits_set(set, cells != NULL ? cells[cell] : (unsigned)cell);
        zone->cells[player] = set;
    }
}

static void read_set(struct reader *reader, const struct node *node, void *place)
{
    const uint64_t **cells = place;
    uint64_t *set = new_set(reader);
    add_cells(reader, node, set);
    *cells = set;
}

static void read_zone(struct reader *reader, const struct node *node, struct zone_definition *zone)
{
    static const struct field fields[] = {{"each", .kind = read_each}, {0}};
    struct node each = node_member(node, "each");
    if (selections_is_word(node->key))
        reader_error_key(reader, node, "choose another name",
                         "`%s` cannot name a zone: it means something else", node->key);
    if (node_is_there(&each)) {
        fields_read(reader, node, fields, zone);
    } else if (sides_names_players(reader, node)) {
        fields_read_by_name(reader, node, &reader->players,
                            EACH(.kind = read_set, .size = sizeof(uint64_t *)), zone->cells);
    } else {
        read_set(reader, node, &zone->cells[0]);
        for (int player = 1; player < PLAYERS_MAX; player++)
            zone->cells[player] = zone->cells[0];
    }
}

static void make_room(struct reader *reader)
{
    bool keeps = reader_keeps(reader, false);
    struct zone_definition *zones = reader_allocate(reader, ZONE_SETS_MAX, sizeof *zones);
    reader->zone_places = reader_allocate(reader, ZONE_SETS_MAX, sizeof *reader->zone_places);
    reader->definition->zones = zones;
    uint64_t *nothing = new_set(reader);
    for (int i = 0; i < ZONE_SETS_MAX; i++)
        for (int player = 0; player < PLAYERS_MAX; player++)
            zones[i].cells[player] = nothing;
    reader_keeps(reader, keeps);
}

void zones_read(struct reader *reader, const struct node *object, void *whole)
{
    struct definition *definition = whole;
    make_room(reader);
    if (!reader_read_names(reader, object, "zone", ZONES_MAX, &reader->zones))
        return;
    EACH_MEMBER (each, object) {
        struct zone_definition *zone = &definition->zones[definition->zone_count];
        zone->name = reader->zones.names[definition->zone_count++];
        read_zone(reader, &each, zone);
    }
}

/* --- asking ----------------------------------------------------------------------------------- */

static const uint64_t *lay_out(struct reader *reader, const struct whereabouts *where, int player)
{
    const struct definition *definition = reader->definition;
    uint64_t *set = new_set(reader);
    bool anywhere = bits_empty(where->zones, ZONE_WORDS);
    EACH_BIT (zone, where->zones, ZONE_WORDS)
        for (int i = 0; i < WORDS_MAX; i++)
            set[i] |= definition->zones[zone].cells[player][i];
    for (unsigned i = 0; i < (unsigned)definition->cell_count; i++)
        if (!zones_is_within(reader, definition->cells[i].coordinates, &where->bounds))
            bits_reset(set, i);
        else if (anywhere)
            bits_set(set, i);
    return set;
}

/* The number of the zone that this is; -1: everywhere. */
static int number_of(struct reader *reader, const struct node *node,
                     const struct whereabouts *where)
{
    struct definition *definition = reader->definition;
    const struct bounds anywhere = no_bounds();
    bool bounded = memcmp(&where->bounds, &anywhere, sizeof anywhere) != 0;
    if (!bounded && bits_count(where->zones, ZONE_WORDS) <= 1)
        return bits_next(where->zones, ZONE_WORDS, 0);
    if (definition->zones == NULL)
        make_room(reader); /* older files have only nameless ones */
    for (int i = reader->zones.count; i < definition->zone_count; i++)
        if (memcmp(&reader->zone_places[i], where, sizeof *where) == 0)
            return i;
    if (definition->zone_count == ZONE_SETS_MAX)
        reader_stop(reader, node, "use fewer different sets of cells",
                    "too many zones, with those that conditions name by coordinates: at most "
                    "%d are allowed",
                    ZONE_SETS_MAX);
    bool keeps = reader_keeps(reader, false);
    for (int player = 0; player < reader->players.count; player++)
        definition->zones[definition->zone_count].cells[player] = lay_out(reader, where, player);
    reader_keeps(reader, keeps);
    reader->zone_places[definition->zone_count] = *where;
    return definition->zone_count++;
}

bool zones_read_named(struct reader *reader, const struct node *node, uint64_t *zones)
{
    return reader_expect_at_most(reader, node, ZONES_LISTED_MAX, "zones") &&
           reader_names(reader, node, &reader->zones, false, zones);
}

void field_zone(struct reader *reader, const struct node *node, void *place)
{
    struct whereabouts where = {.bounds = no_bounds()};
    if (zones_read_named(reader, node, where.zones))
        *(int *)place = number_of(reader, node, &where);
}

int zones_read_where(struct reader *reader, const struct node *object)
{
    struct whereabouts where = {.bounds = no_bounds()};
    struct node zone = node_member(object, "zone");
    struct node coordinates = node_member(object, "coordinates");
    if (node_is_there(&zone) && !zones_read_named(reader, &zone, where.zones))
        return -1;
    EACH_MEMBER (each, object) {
        int dimension = name_list_find(&reader->dimensions, each.key);
        if (dimension >= 0)
            field_read_one(reader, &each, &bound, &where.bounds.of[dimension]);
    }
    fields_read_by_name(reader, &coordinates, &reader->dimensions, &bound, where.bounds.of);
    return number_of(reader, object, &where);
}
