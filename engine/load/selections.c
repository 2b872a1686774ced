/* Selections: which cells a word is about. They are read where they stand; one that has a name is read where it is used, as if
 * it were written there, so that it is the mover's and turns with a movement as all else does. */
#include "engine/load/fields.h"

#include <assert.h>
#include <stddef.h>

static_assert(offsetof(struct condition_node, selection) == 0,
              "a table of a selection's members is good for a condition");

/* In the order of enum selection_cells. */
#define CELLS_OF_MOVES "neighbours", "target", "self", "enclosed", "group", "groups", "territory"

/* Words that are kept for later, too. */
bool selections_is_word(const char *name)
{
    const struct name_list *words = CHOICES("word", CELLS_OF_MOVES, "line");
    return name_list_find(words, name) >= 0;
}

struct selection selection_blank(struct reader *reader)
{
    struct selection blank = condition_blank(CONDITION_SELECTED).selection;
    blank.row_count = 0;
    blank.from_target = true;
    blank.match = tests_any_figure(reader);
    return blank;
}

/* --- members ---------------------------------------------------------------------------------- */

/* Whether it counts from the target. */
void field_origin(struct reader *reader, const struct node *node, void *place)
{
    *(bool *)place =
        reader_name(reader, node, NODE_VALUE, CHOICES("cell of a move", "self", "target")) == 1;
}

void field_steps(struct reader *reader, const struct node *node, void *place)
{
    struct selection *selection = fields_object(reader, place);
    selection->deltas = sides_read_deltas(reader, node, &selection->row_count);
}

void field_end(struct reader *reader, const struct node *node, void *place)
{
    struct cell_test *end = reader_allocate(reader, 1, sizeof *end);
    const struct cell_test **kept = place;
    field_match(reader, node, end);
    *kept = end;
}

void field_length(struct reader *reader, const struct node *node, void *place)
{
    struct selection *selection = fields_object(reader, place);
    reader_range(reader, node, 1, 1, CELLS_MAX, true, &selection->length_least,
                 &selection->length_most);
}

static void use(struct reader *reader, const struct node *name, struct selection *selection);

void field_cells(struct reader *reader, const struct node *node, void *place)
{
    const struct name_list *words = CHOICES("zone", CELLS_OF_MOVES);
    const char *with_zones[8 + ZONES_MAX], *with_all[8 + ZONES_MAX + NAMED_MAX];
    struct name_list none = {.known = true};
    struct selection *selection = fields_object(reader, place);
    struct name_list zones = name_list_join(words, &reader->zones, with_zones);
    const struct name_list all =
        name_list_join(&zones, reader->within_selection ? &none : &reader->selections, with_all);
    const char *other = node_type(node) == NODE_STRING ? node_string(node) : "";
    bool nested = reader->within_selection && name_list_find(&reader->selections, other) >= 0;
    int index = nested ? -1 : reader_name(reader, node, NODE_VALUE, &all);
    if (nested)
        reader_error(reader, node, "write out what is meant", "a selection cannot name another");
    selection->cells = (uint8_t)(index < SELECT_ZONE ? index : SELECT_ZONE);
    if (index < 0)
        selection->cells = SELECT_TARGET;
    else if (index >= zones.count)
        use(reader, node, selection);
    else if (index >= SELECT_ZONE && index - SELECT_ZONE < reader->definition->zone_count)
        selection->zone = (int16_t)(index - SELECT_ZONE);
}

#define MEMBER(name, how, member, from, to, hint)                                                  \
    {#name, field_##how, AT(struct selection, member)},
/* NOLINTNEXTLINE(bugprone-sizeof-expression): the size of a pointer is meant. */
const struct field selection_fields[] = {MEMBERS_selection(MEMBER){0}};

/* --- whole ones ------------------------------------------------------------------------------- */

/* Where nothing else is said it is empty, and the mover's figures or the edge of the board close it in. */
static void presume_territory(struct reader *reader, const struct node *node,
                              struct selection *selection)
{
    if (!node_has(node, "is")) {
        selection->match.figures = 0;
        selection->match.empty = true;
    }
    if (node_has(node, "end"))
        return;
    struct cell_test *end = reader_allocate(reader, 1, sizeof *end);
    *end = tests_any_figure(reader);
    end->players = (uint8_t)(1U << reader->mover);
    end->hole = true;
    selection->end = end;
}

/* Of one with a name all has been said where it has it. */
void selection_check(struct reader *reader, const struct node *node, struct selection *selection)
{
    struct node cells = node_member(node, "cells");
    /* of the whole board no more is asked than of a zone */
    unsigned kind = selection != NULL ? selection->cells : SELECT_ZONE;
    bool named = node_type(&cells) == NODE_STRING && !reader->within_selection &&
                 name_list_find(&reader->selections, node_string(&cells)) >= 0;
    bool encloses = kind == SELECT_ENCLOSED, territory = kind == SELECT_TERRITORY;
    bool hangs_together = selection_hangs_together(kind), groups = hangs_together && !territory;
    bool steps = encloses || kind == SELECT_NEIGHBOURS;
    for (const struct field *field = selection_fields + 1; named && field->word != NULL; field++)
        reader_refuse(reader, node, field->word, true, "say it in `selections`",
                      "what has a name is said where it has it");
    if (named)
        return;
    if (hangs_together)
        sides_read_neighbours(reader, node, selection);
    if (territory)
        presume_territory(reader, node, selection);
    if (groups)
        selection->touches = selection->cells == SELECT_GROUPS && node_has(node, "of");
    reader_demand(reader, node, "by", steps, "list the steps: \"by\": [{…}]");
    reader_demand(reader, node, "is", encloses, "say what is enclosed: \"is\": {…}");
    reader_demand(reader, node, "end", encloses, "say what encloses it: \"end\": {…}");
    reader_refuse(reader, node, "by", !steps && !hangs_together, "write \"cells\": \"neighbours\"",
                  "only neighbours, groups, territory and what is enclosed are found `by` steps");
    reader_refuse(reader, node, "of", !steps && !groups, "leave it out",
                  "only neighbours, groups and what is enclosed are counted from a cell");
    reader_refuse(reader, node, "end", !encloses && !territory, "write \"cells\": \"enclosed\"",
                  "only territory and what is enclosed have an `end`");
    reader_refuse(reader, node, "length", !encloses, "write \"cells\": \"enclosed\"",
                  "only what is enclosed has a `length`");
    reader_refuse(reader, node, "size", !groups, "write \"cells\": \"groups\"",
                  "only groups have a `size`");
    reader_refuse(reader, node, "liberties", !groups, "write \"cells\": \"groups\"",
                  "only groups have `liberties`");
    struct node by = node_member(node, "by");
    for (int i = 0; encloses && i < selection->row_count; i++)
        if (vector_is_zero(selection->deltas[i]))
            reader_error(reader, &by, "give at least one coordinate a value",
                         "a step goes nowhere: all its coordinates are 0");
}

void field_selection(struct reader *reader, const struct node *node, void *place)
{
    struct selection *selection = place;
    int complaints = reader->complaints;
    *selection = selection_blank(reader);
    if (!fields_read(reader, node, selection_fields, selection))
        return;
    reader_demand(reader, node, "cells", true, "write for example \"cells\": \"target\"");
    if (reader->complaints == complaints)
        selection_check(reader, node, selection);
}

/* --- those with names ------------------------------------------------------------------------- */

static void use(struct reader *reader, const struct node *name, struct selection *selection)
{
    struct node all = node_member(reader->root, "selections");
    struct node said = node_member(&all, node_string(name));
    reader->within_selection = true;
    field_selection(reader, &said, selection);
    reader->within_selection = false;
}

/* All of them are looked at, used or not. */
void selections_read(struct reader *reader, const struct node *object, void *definition)
{
    struct selection unused;
    (void)definition;
    if (!reader_read_names(reader, object, "selection", NAMED_MAX, &reader->selections))
        return;
    EACH_MEMBER (each, object) {
        if (selections_is_word(each.key) || name_list_find(&reader->zones, each.key) >= 0)
            reader_error_key(reader, &each, "choose another name",
                             "`%s` cannot name a selection: it means something else", each.key);
        reader->within_selection = true;
        for (int player = 0; player < reader->players.count; player++) {
            reader->mover = (player_index)player;
            field_selection(reader, &each, &unused);
        }
        reader->within_selection = false;
    }
}
