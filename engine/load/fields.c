#include "engine/load/fields.h"

#include <assert.h>
#include <string.h>

/* --- words ------------------------------------------------------------------------------------ */

const struct field no_fields[] = {{0}};

const struct field *fields_find(const struct field *fields, const char *word)
{
    for (const struct field *field = fields; field->word != NULL; field++)
        if (strcmp(field->word, word) == 0)
            return field;
    return NULL;
}

void fields_words(const struct field *fields, bool modern, struct field_words *words)
{
    words->list = (struct name_list){.known = true, .names = words->names};
    for (const struct field *field = fields; field->word != NULL; field++) {
        assert(words->list.count < FIELDS_MAX_WORDS);
        if (modern ? field->now == NULL : field->format != 2)
            words->names[words->list.count++] = field->word;
    }
}

static bool is_lenient(const struct field *fields)
{
    while (fields->word != NULL)
        fields++;
    return fields->lenient;
}

static void refuse_word(struct reader *reader, const struct node *member, bool lenient,
                        const struct name_list *known)
{
    /* of a version to come: nobody may use them for anything else */
    const struct name_list *reserved = CHOICES("word", "wrap", "links", "hidden", "chance");
    bool slip = text_nearest(member->key, known) >= 0;
    bool of_cells = fields_find(match_fields, member->key) != NULL;
    const char *advice =
        reader_is_modern(reader) ? advice_on_key(member->key, of_cells, known) : "";
    if (reader_is_modern(reader) && name_list_find(reserved, member->key) >= 0)
        reader_error_key(reader, member, "the word is kept for a later version",
                         "`%s` is not possible yet", member->key);
    else if (slip || !lenient || reader_is_modern(reader))
        reader_error_key(reader, member,
                         (slip && !of_cells) || *advice == '\0' ? text_hint(member->key, known).text
                                                                : advice,
                         "unknown key `%s`", text_quote(member->key).text);
    else
        reader_warn(reader, member, NODE_KEY, "it is ignored", "unknown key `%s`",
                    text_quote(member->key).text);
}

static void tell_word_now(struct reader *reader, const struct node *member, const char *now)
{
    if (node_has(member->parent, now))
        reader_error_key(reader, member, "leave one of them out",
                         "`%s` and `%s` say the same thing twice", member->key, now);
    else
        reader_warn(reader, member, NODE_KEY, "it is read as that", "`%s` is called `%s` now",
                    member->key, now);
}

void fields_check_word(struct reader *reader, const struct node *member, const struct field *fields,
                       const struct name_list *others)
{
    const struct field *field = fields_find(fields, member->key);
    struct field_words known;
    if (field != NULL && field->now != NULL && reader_is_modern(reader))
        tell_word_now(reader, member, field->now);
    if (field != NULL && (field->format != 2 || reader_is_modern(reader)))
        return;
    if (field != NULL) {
        reader_error_key(reader, member, "add \"format\": 2", "`%s` is a word of format 2",
                         member->key);
        return;
    }
    if (others != NULL && name_list_find(others, member->key) >= 0)
        return;
    fields_words(fields, reader_is_modern(reader), &known);
    for (int i = 0; others != NULL && i < others->count; i++) {
        assert(known.list.count < FIELDS_MAX_WORDS);
        known.names[known.list.count++] = others->names[i];
    }
    refuse_word(reader, member, is_lenient(fields), &known.list);
}

void fields_check(struct reader *reader, const struct node *object, const struct field *fields,
                  const struct name_list *others)
{
    EACH_MEMBER (each, object)
        fields_check_word(reader, &each, fields, others);
}

/* --- reading ---------------------------------------------------------------------------------- */

void field_read_one(struct reader *reader, const struct node *node, const struct field *field,
                    void *object)
{
    const struct field *outer = reader->field;
    if (!node_is_there(node) && field->missing != NULL) {
        reader_error(reader, node, field->missing, "`%s` is missing", field->word);
    } else if (field->kind != NULL && (node_is_there(node) || field->always)) {
        bool keeps = reader_keeps(reader, reader->keeps || field->keeps);
        reader->field = field;
        field->kind(reader, node,
                    field->offset > 0 ? (unsigned char *)object + field->offset : object);
        reader->field = outer;
        reader_keeps(reader, keeps);
    }
}

void fields_read_known(struct reader *reader, const struct node *node, const struct field *fields,
                       void *object)
{
    for (const struct field *field = fields; field->word != NULL; field++) {
        struct node member = node_member(node, field->word);
        bool here = field->now == NULL || node_is_there(&member);
        if (here && (field->format != 2 || reader_is_modern(reader)))
            field_read_one(reader, &member,
                           field->now == NULL ? field : fields_find(fields, field->now), object);
    }
}

bool fields_read(struct reader *reader, const struct node *node, const struct field *fields,
                 void *object)
{
    if (!reader_expect(reader, node, NODE_OBJECT))
        return false;
    fields_check(reader, node, fields, NULL);
    fields_read_known(reader, node, fields, object);
    return true;
}

void fields_read_by_name(struct reader *reader, const struct node *node,
                         const struct name_list *names, const struct field *each, void *places)
{
    if (!reader_expect_if_there(reader, node, NODE_OBJECT))
        return;
    EACH_MEMBER (member, node) {
        int index = each->lenient ? name_list_find(names, member.key)
                                  : reader_name(reader, &member, NODE_KEY, names);
        if (index >= 0)
            field_read_one(reader, &member, each,
                           (unsigned char *)places + (size_t)index * each->size);
        else if (each->lenient && names->known)
            reader_say_unknown(reader, DIAGNOSTIC_WARNING, &member, NODE_KEY, names);
    }
    for (int i = 0; each->missing != NULL && names->known && i < names->count; i++)
        if (!node_has(node, names->names[i]))
            reader_error(reader, node, each->missing, "%s `%s` is missing", names->kind,
                         text_quote(names->names[i]).text);
}

void *elements_read(struct reader *reader, const struct node *list, const struct field *row,
                    int *count)
{
    const bool alone = row->few && node_type(list) != NODE_LIST;
    *count = 0;
    if (!alone && (!reader_expect(reader, list, row->named ? NODE_OBJECT : NODE_LIST) ||
                   !reader_expect_at_most(reader, list, (size_t)row->most, row->what)))
        return NULL;
    unsigned char *read = reader_allocate(reader, alone ? 1 : node_count(list), row->size);
    EACH_FROM (each, alone ? *list : node_inside(list), list) {
        unsigned char *element = read + (size_t)*count * row->size;
        if (row->element(reader, &each, element))
            ++*count;
        else
            memset(element, 0, row->size);
    }
    return read;
}

/* --- kinds ------------------------------------------------------------------------------------ */

/* Into a bool, an index or an int; without AT nowhere: such a word is only looked at. */
static void store(const struct reader *reader, void *place, int value)
{
    const uint8_t byte = (uint8_t)value;
    const uint16_t two = (uint16_t)value;
    const size_t size = reader->field->size;
    assert(size <= sizeof value);
    memcpy(place,
           size == sizeof byte  ? (const void *)&byte
           : size == sizeof two ? (const void *)&two
                                : (const void *)&value,
           size);
}

void field_flag(struct reader *reader, const struct node *node, void *place)
{
    bool value = false;
    if (reader_boolean(reader, node, &value))
        store(reader, place, value);
}

void field_integer(struct reader *reader, const struct node *node, void *place)
{
    int value = 0;
    if (reader_integer(reader, node, reader->field->least, reader->field->most, &value))
        store(reader, place, value);
}

void field_amount(struct reader *reader, const struct node *node, void *place)
{
    struct amount *amount = place;
    const int least = reader->field->least;
    const int most = reader->field->most != 0 ? reader->field->most : CELLS_MAX;
    const struct field ends[] = {
        {"min", field_integer, AT(struct amount, min), .least = least, .most = most},
        {"max", field_integer, AT(struct amount, max), .least = least, .most = most},
        {0},
    };
    if (node_type(node) == NODE_OBJECT && reader_is_modern(reader))
        fields_read(reader, node, ends, amount);
    else if (reader_integer(reader, node, least, most, &amount->min))
        amount->max = amount->min;
    if (amount->min > amount->max)
        reader_error(reader, node, "", "`min` is greater than `max`");
}

void field_text(struct reader *reader, const struct node *node, void *place)
{
    const char **text = place;
    const char *read = reader_text(reader, node, (size_t)reader->field->most, reader->field->lines);
    if (read != NULL)
        *text = read;
}

static const struct name_list *names_of(const struct reader *reader)
{
    const void *list = (const unsigned char *)reader + reader->field->list;
    return reader->field->names != NULL ? reader->field->names : list;
}

void field_choice(struct reader *reader, const struct node *node, void *place)
{
    int index = reader_name(reader, node, NODE_VALUE, names_of(reader));
    if (index >= 0)
        store(reader, place, reader->field->least + index);
}

void field_by_name(struct reader *reader, const struct node *node, void *place)
{
    fields_read_by_name(reader, node, names_of(reader), reader->field->each, place);
}

void field_object(struct reader *reader, const struct node *node, void *place)
{
    fields_read(reader, node, reader->field->fields, place);
}

void field_formula(struct reader *reader, const struct node *node, void *place)
{
    struct formula *formula = place;
    *formula = formula_read(reader, node, false);
}

static void store_count(const struct reader *reader, void *place, int count)
{
    memcpy((unsigned char *)fields_object(reader, place) + reader->field->count, &count,
           sizeof count);
}

void field_list(struct reader *reader, const struct node *node, void *place)
{
    int count = 0;
    const void *list = elements_read(reader, node, reader->field, &count);
    memcpy(place, &list, sizeof list);
    store_count(reader, place, count);
}

void field_lists(struct reader *reader, const struct node *node, void *place)
{
    int count = 0;
    for (int player = 0; player < reader->players.count; player++) {
        reader->mover = (player_index)player;
        const void *list = elements_read(reader, node, reader->field, &count);
        memcpy((const void **)place + player, &list, sizeof list);
    }
    store_count(reader, place, count);
}

void field_condition_of_each(struct reader *reader, const struct node *node, void *place)
{
    const struct condition_node **tests = place;
    for (int player = 0; player < reader->players.count; player++) {
        reader->mover = (player_index)player;
        field_condition(reader, node, &tests[player]);
    }
}

void field_delta(struct reader *reader, const struct node *node, void *place)
{
    struct vector *delta = place, seen;
    if (sides_read_delta(reader, node, no_fields, &seen))
        *delta = sides_turn(reader, seen);
}

void field_deltas(struct reader *reader, const struct node *node, void *place)
{
    const struct vector **deltas = place;
    int count = 0;
    *deltas = sides_read_deltas(reader, node, &count);
    store_count(reader, place, count);
}
