#include "engine/load/fields.h"

/* What a cell may be like: {"figure": …, "player": …, "zone": …, …}, all of which must hold. In formats 0 and 1 one figure,
 * one player, numbers and coordinates. */

struct cell_test tests_any_figure(const struct reader *reader)
{
    return (struct cell_test){.figures = kinds_of_count(reader->figures.count),
                              .players = sides_everybody(reader),
                              .zone = -1,
                              .mark = -1,
                              .unmoved = -1,
                              .moves_made = NUMBER_ANY,
                              .last_move = NUMBER_ANY};
}

/* --- values ----------------------------------------------------------------------------------- */

void field_figures(struct reader *reader, const struct node *node, void *place)
{
    uint64_t named = 0;
    bool one = reader_is_modern(reader) || reader_expect(reader, node, NODE_STRING);
    if (!one || !reader_names(reader, node, &reader->figures, false, &named))
        return;
    if (named == 0)
        reader_error(reader, node, "", "this names no figure");
    else
        *(uint64_t *)place = named;
}

/* `next` has a place of its own. */
void field_owner(struct reader *reader, const struct node *node, void *place)
{
    struct cell_test *match =
        (void *)((unsigned char *)place - offsetof(struct cell_test, players));
    struct player_set set;
    if (!sides_read_players(reader, node, &set))
        return;
    match->players = set.players;
    match->next_player = set.next;
}

static void field_mark(struct reader *reader, const struct node *node, void *place)
{
    *(int8_t *)place = (int8_t)reader_name(reader, node, NODE_VALUE, &reader->marks);
}

static void field_empty(struct reader *reader, const struct node *node, void *place)
{
    struct cell_test *match = fields_object(reader, place);
    bool value;
    if (!reader_boolean(reader, node, &value))
        return;
    match->empty = match->empty && value;
    match->figures = value ? 0 : match->figures;
}

/* --- one match -------------------------------------------------------------------------------- */

enum speaks_of { OF_CELL, OF_FIGURE, OF_NOBODY };

/* The only numbers are those of a figure's history. */
#define FIELD(name, how, member, of, since)                                                        \
    {#name,                                                                                        \
     field_##how,                                                                                  \
     AT(struct cell_test, member),                                                                 \
     .least = -COUNTER_MAX,                                                                        \
     .most = COUNTER_MAX,                                                                          \
     .format = (since)},
#define ELSEWHERE(name, since) {.word = #name, .format = (since)},
const struct field match_fields[] = {MATCH_WORDS(FIELD, ELSEWHERE){0}};
#define SPEAKS_OF(name, how, member, of, since) OF_##of,
#define SPEAKS_OF_CELL(name, since)             OF_CELL,
static const enum speaks_of match_words[] = {MATCH_WORDS(SPEAKS_OF, SPEAKS_OF_CELL)};

static void read_word(struct reader *reader, const struct node *object, int word,
                      struct cell_test *match)
{
    struct node node = node_member(object, match_fields[word].word);
    enum speaks_of of = match_words[word];
    if (!node_is_there(&node) || match_fields[word].kind == NULL)
        return;
    if (of == OF_NOBODY && node_type(&node) == NODE_NULL) {
        match->figures = 0;
        return;
    }
    field_read_one(reader, &node, &match_fields[word], match);
    if (of != OF_CELL)
        match->empty = false;
}

static void read_exists(struct reader *reader, const struct node *object, struct cell_test *match)
{
    struct node exists = node_member(object, "exists");
    bool value = true;
    if (!reader_boolean(reader, &exists, &value) || value)
        return;
    match->hole = true;
    match->empty = false;
    match->figures = 0;
    if (node_count(object) > 1)
        reader_error_key(reader, &exists, "leave the rest out",
                         "nothing more can be asked of a cell that does not exist");
}

static bool read_object(struct reader *reader, const struct node *object, int depth,
                        struct cell_test *match);

/* Room for further matches, all of them to be negated. */
static struct cell_test *read_negated(struct reader *reader, const struct node *node, int depth,
                                      int *count)
{
    size_t most = node_type(node) == NODE_LIST ? node_count(node) : 1;
    struct cell_test *matches = reader_allocate(reader, most, sizeof *matches);
    *count = 0;
    EACH_OF (each, node)
        if (read_object(reader, &each, depth + 1, &matches[*count])) {
            matches[*count].negated = !matches[*count].negated;
            (*count)++;
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
    bool modern = reader_is_modern(reader);
    int errors_before = reader->diagnostics->error_count;
    struct node not = node_member(object, "not");
    if (reader->dimensions.known || !modern)
        fields_check(reader, object, match_fields, modern ? &reader->dimensions : NULL);
    for (int i = 0; match_fields[i].word != NULL; i++)
        read_word(reader, object, i, match);
    read_exists(reader, object, match);
    if (modern && !match->hole && !match->empty && match->figures == 0 && reader->figures.count > 0)
        reader_error(reader, object, "ask for one of them",
                     "nothing is like this: an empty cell has no figure");
    match->zone = (int16_t)zones_read_where(reader, object);
    /* older files: what says nothing is true of holes, too */
    match->hole |= !modern && match->empty && match->figures != 0 && match->zone < 0;
    if (node_is_there(&not )) {
        match->also = read_negated(reader, &not, depth, &match->also_count);
        match->hole = match->hole || node_count(object) == 1;
    }
    return reader->diagnostics->error_count == errors_before;
}

void field_match(struct reader *reader, const struct node *node, void *place)
{
    struct cell_test *match = place;
    struct node first = reader_is_modern(reader) ? node_first_of(node) : *node;
    if (first.value == node->value || node_count(node) == 1) {
        read_object(reader, &first, 0, match);
        return;
    }
    /* one of them fits: not (none of them fits) */
    *match = tests_any_figure(reader);
    match->hole = match->empty = match->negated = true;
    match->also = read_negated(reader, node, 0, &match->also_count);
}
